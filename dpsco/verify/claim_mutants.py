"""Mutants of statements, generated, their fates by oracle, and whether the kernel certifies a false one.

Of every assertion: each edit of a side (`edits`), a whole side or a quantity's argument by a tenth, a quantity's other words.
Of the domain: each condition dropped, made weak, or edited. What is false is known without the judge and the kernel: sides
with quantities by the oracles of `reference.oracles`, others by the second checker's intervals. A mutant is then put before the
claim's own judge, and its claim's old proofs are put under the new statement; the kernel must certify neither where it is
false. Where the kernel accepts a refutation, the instance is one at which the oracle finds the assertion false too.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from mpmath import isfinite

from dpsco.kernel.check import check
from dpsco.kernel.ranges import Rejected
from dpsco.reference.oracles import Oracle
from dpsco.second_checker.check import holds as enclosed_holds
from dpsco.second_checker.formulas import enclosed
from dpsco.second_checker.intervals import UnknownError
from dpsco.spec.expressions import SIGNS, Condition, E, Expr, Json, MalformedError, Reader, TooLargeError
from dpsco.spec.library import nouns, statements
from dpsco.spec.nouns import REAL
from dpsco.spec.statement import Assertion, Statement
from dpsco.verify import instances
from dpsco.verify.deciding import judges, proof_object_of
from dpsco.verify.edits import edits
from dpsco.verify.instances import Covered, Instance, coverage, within
from dpsco.verify.objects import kernel_input

ORACLE = Oracle({}, digits=20)
"""Keeps the values of quantities without symbols, which mutants share."""
TOLERANCE = 1e-9
"""Of oracles, relative to the larger side."""


class Fate(StrEnum):
    KILLED = "killed"
    """False at an instance of its domain, and not certified."""
    SURVIVED = "survived"
    """False, and certified; or refuted at an instance where the oracle finds it true."""
    CERTIFIED = "certified"
    """Nowhere found false, and the kernel certifies it: it is true."""
    WEAKER = "weaker"
    """At every instance that was tried the certified assertion implies it."""
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Mutant:
    what: str
    claim: Statement
    places: tuple[int, ...]
    """The assertions that it changes, or that hold over a changed domain."""
    dropped: int | None = None
    """The condition that its domain lacks."""


@dataclass(frozen=True)
class Outcome:
    what: str
    fate: Fate
    at: Instance | None
    """Where it is false."""


@dataclass(frozen=True)
class Score:
    """The outcomes of a claim's mutants, and what of its domain was tried for them."""

    id: str
    outcomes: tuple[Outcome, ...]
    covered: tuple[Covered, ...]

    def count(self, fate: Fate) -> int:
        return sum(one.fate is fate for one in self.outcomes)


Verdicts = Callable[[Json], Sequence[str]]
"""From a kernel input to the word on each assertion."""


def kernel_verdicts(given: Json) -> Sequence[str]:
    """What the kernel says of each assertion; nothing of what it rejects or does not check."""
    try:
        return [verdict for _, verdict in check(given).asserts]
    except (Rejected, MalformedError, TooLargeError):
        return []


# --- mutants --------------------------------------------------------------------------------------------------------------


def mutants(claim: Statement) -> list[Mutant]:
    """All mutants, each once."""
    found = {claim.sha256}
    listed = []
    for mutant in (*_of_assertions(claim), *_of_domain(claim)):
        if mutant.claim.sha256 not in found:
            found.add(mutant.claim.sha256)
            listed.append(mutant)
    return listed


def _of_assertions(claim: Statement) -> Iterator[Mutant]:
    for place, one in enumerate(claim.asserts):
        left = [(f"left: {what}", replace(one, left=edited)) for what, edited in changed(one.left)]
        right = [(f"right: {what}", replace(one, right=edited)) for what, edited in changed(one.right)]
        for what, edited in left + right:
            asserts = (*claim.asserts[:place], edited, *claim.asserts[place + 1 :])
            yield Mutant(f"assertion {place + 1}, {what}", replace(claim, asserts=asserts), (place,))


def _of_domain(claim: Statement) -> Iterator[Mutant]:
    every = tuple(range(len(claim.asserts)))
    for place, one in enumerate(claim.domain):
        before, after = claim.domain[:place], claim.domain[place + 1 :]
        outside = claim.outside[:place] + claim.outside[place + 1 :]
        yield Mutant(f"without {one}", replace(claim, domain=before + after, outside=outside), every, place)
        others = [(what, Condition(side, one.sign, one.right)) for what, side in edits(one.left)]
        others += [(what, Condition(one.left, one.sign, side)) for what, side in edits(one.right)]
        if one.sign in ("<", ">"):
            others.append(("not strict", Condition(one.left, f"{one.sign}=", one.right)))
        for what, other in others:
            yield Mutant(f"{one}: {what}", replace(claim, domain=(*before, other, *after)), every)


def changed(side: Expr) -> Iterator[tuple[str, Expr]]:
    """The edits of a side, and those that its quantities allow."""
    yield from edits(side)
    if side != E(0):
        yield "by a tenth up", side * Fraction(11, 10)
        yield "by a tenth down", side * Fraction(9, 10)
    yield from _quantities(side)


def _quantities(e: Expr) -> Iterator[tuple[str, Expr]]:
    for place, arg in enumerate(e.args):
        for what, edited in _quantities(arg):
            yield what, Expr(e.op, (*e.args[:place], edited, *e.args[place + 1 :]), e.value)
    if e.op != "noun":
        return
    noun, words = nouns()[e.value[0]], e.value[1]
    for place, (name, sort) in enumerate(noun.slots):
        if sort == REAL and e.args[place].op != "num":
            for what, by in (("up", Fraction(11, 10)), ("down", Fraction(9, 10))):
                args = (*e.args[:place], e.args[place] * by, *e.args[place + 1 :])
                yield f"{name} of {noun.name} by a tenth {what}", Expr("noun", args, e.value)
    for place, legal in enumerate(noun.tags.values()):
        for word in legal:
            yield f"{noun.name}: {word}", Expr("noun", e.args, (noun.name, (*words[:place], word, *words[place + 1 :])))


# --- what is false --------------------------------------------------------------------------------------------------------


def sides(one: Condition, at: Instance) -> tuple[Any, Any] | None:
    """Both sides with the sign upward, by the oracles; None where one is not defined. Raises KeyError without an oracle."""
    if not one.left.nouns | one.right.nouns:
        return instances.sides(one, at)
    here = one.where(at)
    if any(instances.holds(one.negated, {}) for side in (here.left, here.right) for one in _domains(side)):
        return None
    found = ORACLE.sides(here)
    return found if found is not None and all(map(isfinite, found)) else None


def _domains(e: Expr) -> Iterator[Condition]:
    """The conditions under which the quantities of an expression are defined, those on objects left out."""
    for node in e.walk():
        if node.op == "noun":
            noun = nouns()[node.value[0]]
            values = {name: arg for (name, _), arg in zip(noun.slots, node.args, strict=True)}
            yield from (one.where(values) for one in noun.domain)


def is_false(one: Assertion, at: Instance) -> bool | None:
    """Whether the assertion fails at the instance, or has no meaning there; None where neither oracle nor intervals tell."""
    if one.sign not in SIGNS:
        return None
    shown = Condition(one.left, one.sign, one.right)
    try:
        found = sides(shown, at)
    except KeyError:
        return None
    if found is None:
        return True
    if not shown.left.nouns | shown.right.nouns:
        point = {name: value for name in shown.symbols if (value := _interval(at[name])) is not None}
        exact = enclosed_holds(shown.json(), point)
        return None if exact is None else not exact
    left, right = found
    gap = abs(left - right) if shown.sign == "=" else left - right
    return bool(gap > TOLERANCE * max(abs(left), abs(right)))


def _interval(value: Expr) -> Any:
    try:
        return enclosed(value.json(), {})
    except UnknownError:
        return None


def weaker(one: Assertion, than: Assertion, at: Instance) -> bool:
    """Whether at the instance the second assertion implies the first: its small side is no larger, its large side no smaller.

    For orders a factor of 2 is nothing. A side that is the same in both needs no value.
    """
    up = one.sign in (">", ">=", ">=Omega")
    small, large = ((than.right, one.right), (than.left, one.left)) if up else ((than.left, one.left), (than.right, one.right))
    if one.sign not in ("<", "<=", ">", ">=", "<=O", ">=Omega"):
        return False
    slack = 2 if one.sign in ("<=O", ">=Omega") else 1
    return _below(small[1], slack * small[0], at) and _below(large[0], slack * large[1], at)


def _below(a: Expr, b: Expr, at: Instance) -> bool:
    if a in (b, b.args[-1] if b.op == "*" else None):
        return True
    try:
        found = sides(Condition(a, "<=", b), at)
    except KeyError:
        return False
    return found is not None and bool(found[0] <= found[1])


# --- fates ----------------------------------------------------------------------------------------------------------------


def objects(mutant: Mutant) -> Iterator[Json]:
    """What might certify the mutant: what its claim's judge finds for it, and the claim's own proofs."""
    old = proof_object_of(mutant.claim.id)
    answers = {name: [_without(one, mutant.dropped) for one in given] for name, given in old["answers"].items()}
    inhabitant = [one for place, one in enumerate(old["inhabitant"]) if place != mutant.dropped]
    yield old | {
        "claim": {"id": mutant.claim.id, "sha256": mutant.claim.sha256},
        "inhabitant": inhabitant,
        "answers": answers,
    }
    try:
        yield judges()[mutant.claim.id](mutant.claim)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        return  # a judge that finds nothing for it


def _without(answer: Json, dropped: int | None) -> Json:
    """The answer without its proof of the condition that is dropped."""
    if answer is None or dropped is None or "domain" not in answer:
        return answer
    return answer | {"domain": [one for place, one in enumerate(answer["domain"]) if place != dropped]}


def outcome(mutant: Mutant, claim: Statement, proved: Sequence[bool], tried: Sequence[Instance], verdicts: Verdicts) -> Outcome:
    """The fate of one mutant; `proved` says which assertions of its claim are, `tried` lies in its domain."""
    given = [(one, list(verdicts(kernel_input(one, mutant.claim)))) for one in objects(mutant)]
    said = {(place, words[place].split(":")[0]) for _, words in given for place in mutant.places if words}
    broken = {place: at for place in mutant.places for at in tried if is_false(mutant.claim.asserts[place], at)}
    for place, at in broken.items():
        if (place, "proved") in said:
            return Outcome(mutant.what, Fate.SURVIVED, at)
    for one, words in given:
        for place in mutant.places if words else ():
            answer = one["answers"]["asserts"][place]
            if words[place].startswith("refuted") and "at" in answer:
                at = {name: Reader().expression(value) for name, value in answer["at"].items()}
                if is_false(mutant.claim.asserts[place], at) is False:
                    return Outcome(mutant.what, Fate.SURVIVED, at)
    asked = [place for place in mutant.places if proved[place]]
    if any(place in broken for place in (asked or mutant.places)):
        return Outcome(mutant.what, Fate.KILLED, next(iter(broken.values())))
    if asked and all((place, "proved") in said for place in asked):
        return Outcome(mutant.what, Fate.CERTIFIED, None)
    if (
        tried
        and asked == list(mutant.places)
        and all(_implied(mutant.claim, claim, place, at) for place in asked for at in tried)
    ):
        return Outcome(mutant.what, Fate.WEAKER, None)
    return Outcome(mutant.what, Fate.UNKNOWN, None)


def _implied(mutant: Statement, claim: Statement, place: int, at: Instance) -> bool:
    return within(claim.domain, at) and weaker(mutant.asserts[place], claim.asserts[place], at)


def _false_somewhere(mutant: Mutant, at: Instance) -> bool:
    return any(is_false(mutant.claim.asserts[place], at) for place in mutant.places)


def score(id: str, verdicts: Verdicts = kernel_verdicts) -> Score:
    """The fates of all mutants of a registered claim."""
    claim = statements()[id]
    answers = proof_object_of(id)["answers"]["asserts"]
    proved = [one is not None and one["verdict"] == "proved" for one in answers]
    refuting = [one["at"] for one in answers if one is not None and "at" in one]
    extra = [{name: Reader().expression(value) for name, value in one.items()} for one in refuting]
    usual = [*extra, *instances.instances(claim)]
    itself = Mutant("the claim itself", claim, tuple(place for place, one in enumerate(proved) if one))
    outcomes = [Outcome(itself.what, Fate.SURVIVED, at) for at in usual if _false_somewhere(itself, at)]
    for mutant in mutants(claim):
        if mutant.claim.domain == claim.domain:
            tried = usual
        else:
            tried = [at for at in (*claim.outside, *usual) if within(mutant.claim.domain, at)] + instances.instances(
                mutant.claim, most=8
            )
        outcomes.append(outcome(mutant, claim, proved, tried, verdicts))
    return Score(id, tuple(outcomes), tuple(coverage(claim, usual)))
