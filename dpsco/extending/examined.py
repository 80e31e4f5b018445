"""What is looked at in a claim of one's own whatever its judge says, before and after the judge has spoken.

A judge from outside the tree is its author's. So every assertion between formulas is enclosed at instances of the claim's own
domain, a refuting instance has to lie in that domain and to refute, emptiness is proved here, and a certificate is the
author's word unless at least three false mutants were killed and all that is said in words stands in a registered statement.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

import sympy

from dpsco.arguments import sides
from dpsco.arguments.comparing import compare, refuted
from dpsco.arguments.emptiness import empty, nothing_admitted
from dpsco.arguments.formula import apply
from dpsco.extending.formulas import strange
from dpsco.instances.inside import Values, admitted, numbers, points
from dpsco.instances.texts import clues_in, read, written
from dpsco.mutant import Fate, Mutant
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.running.statements import traced
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import names_of
from dpsco.spec.register import amendments, concept_of, own, register
from dpsco.verdict import Finding, Reading, Severity, Verdict

FEWEST = 3
"""False mutants that a judge must have killed before its certificate is more than its author's word."""
COMPARED, PROBES, CLOSE = 12, 8, "1e-15"
"""Instances at which contexts are compared, instances that tell mutants apart, relative difference of what agrees."""


@dataclass(frozen=True)
class Examined:
    """What was seen of the claim before its judge ran."""

    instances: tuple[Values, ...]
    values: tuple[str, ...]
    """Every formula at every instance, as printed."""
    findings: tuple[Finding, ...]
    against: tuple[sides.Violation, ...]


def examined(claim: Claim) -> Examined:
    """Look at the claim without its judge."""
    lines, found = _traced(claim)
    instances = tuple(points(claim, clues=clues_in(lines)))
    if not instances:
        found.append(nothing_admitted(claim, "domain"))
    found += _contexts(claim, instances)
    against = tuple(sides.violations(claim, instances))
    known = sides.readable(claim)
    for relation in known:
        if instances and relation not in {violation.relation for violation in against}:
            found += _valueless(claim, relation, known[relation], instances)
    return Examined(instances, _values(claim, instances), tuple(found), against)


def weighed(claim: Claim, seen: Examined, found: Sequence[Finding], killed: int) -> tuple[Finding, ...]:
    """The judge's findings, less what they may not say, and what was found without it."""
    refuted_already = {r for f in found if f.verdict is Verdict.REFUTED and f.reading is Reading.PRINTED for r in f.asserts}
    more = [_violated(claim, v, seen.instances) for v in seen.against if v.relation not in refuted_already]
    more += seen.findings
    if _values(claim, seen.instances) != seen.values:
        more.append(_open("formulas", "a formula gives other numbers after the judge has run than before"))
    certifying = [f for f in found if f.verdict is Verdict.CERTIFIED and f.reading is Reading.PRINTED]
    if certifying:
        more += _unread(claim, found)
    familiar = _familiar(claim)
    if certifying and not familiar and (claim.over or claim.releases or claim.adjacency is not None):
        words = "; ".join((*claim.over, *([claim.releases] if claim.releases else ()), claim.adjacency or "no adjacency"))
        more.append(_open("over, releases, adjacency", f"no registered statement is over this: {words}"))
    spoken = [str(r) for r in claim.asserts if r not in sides.readable(claim) and not any(r in c.asserts for c in familiar)]
    reasons = [f"{killed} of at least {FEWEST} false mutants killed"] if killed < FEWEST else []
    reasons += [f"in words that no registered statement has: {'; '.join(spoken)}"] if spoken else []
    kept = [_asserted(finding, reasons) if finding in certifying and reasons else finding for finding in found]
    return (*kept, *more)


def void(claim: Claim, finding: Finding) -> str | None:
    """Why a refuting or emptying finding says nothing about this claim; None where it stands."""
    if finding.verdict is Verdict.VACUOUS:
        return None if empty(claim) else "it is not proved that no instance meets the conditions"
    if finding.verdict is not Verdict.REFUTED:
        return None
    at = read(claim, finding.at)
    shown = ", ".join(f"{name}={value}" for name, value in finding.at.items()) or "none"
    if at is None:
        return f"a refuting instance gives every parameter a value, this one: {shown}"
    if not admitted(claim, arb(), at):
        return f"the refuting instance does not certainly lie in the claim's domain and meet its conditions: {shown}"
    known = sides.readable(claim)
    named = [relation for relation in finding.asserts if relation in claim.asserts]
    if not named:
        return "a refutation names the assertion that it refutes"
    if all(relation in known for relation in named) and not any(sides.violations(claim, [at], named)):
        return f"the assertion does not certainly fail at the refuting instance: {shown}"
    return None


def fates(
    claim: Claim, seen: Examined, mutants: Iterable[Mutant], fate_of: Callable[[Mutant], Fate]
) -> Iterator[tuple[Fate, str]]:
    """What became of each mutant. One that says what the claim or a mutant before it says shows nothing; one whose assertions
    are all between formulas is false only if an instance shows it, whatever its author says."""
    told = {_content(claim, seen.instances)}
    for mutant in mutants:
        became = fate_of(mutant)
        content = _content(mutant.claim, seen.instances)
        if content in told:
            yield Fate.UNKNOWN, f"{mutant.says} (says what the claim, or a mutant before it, says)"
            continue
        told.add(content)
        known = sides.readable(mutant.claim)
        if became is Fate.KILLED and known and set(known) == set(mutant.claim.asserts):
            tried = [*(v for v in seen.instances if admitted(mutant.claim, arb(), v)), *points(mutant.claim)]
            if not any(sides.violations(mutant.claim, tried)):
                yield Fate.UNKNOWN, f"{mutant.says} (no instance shows that it is false)"
                continue
        yield became, mutant.says


def _open(scope: str, reason: str, *relations: Relation) -> Finding:
    return Finding(scope=scope, verdict=Verdict.OPEN, reason=reason, asserts=relations)


def _asserted(finding: Finding, reasons: Sequence[str]) -> Finding:
    return replace(finding, verdict=Verdict.ASSERTED, reason="; ".join([*reasons, *filter(None, [finding.reason])]))


def _violated(claim: Claim, violation: sides.Violation, instances: Sequence[Values]) -> Finding:
    relation, at = violation.relation, written(violation.at)
    holds = any(_holds(claim, relation, values) for values in islice(instances, 50))
    finding = refuted(
        f"assertion: {relation}",
        violation.right,
        violation.left,
        at,
        "both sides enclosed at an instance of the domain, apart from the judge",
        Severity.DOMAIN if holds else Severity.CONCLUSION,
        "It holds at other instances." if holds else "No instance at which it holds was found.",
        coverage=(f"{len(instances)} instances",),
    )
    return replace(finding, asserts=(relation,))


def _holds(claim: Claim, relation: Relation, values: Values) -> bool:
    m = arb()
    left, right = (_enclosed(side, m, values) for side in sides.readable(claim)[relation])
    return left is not None and right is not None and compare(m, left, relation.sign, right) is True


def _enclosed(side: sides.Side, m: Any, values: Values) -> Any:
    """A finite ball, None where there is none."""
    try:
        found = sides.ball(m, side(m, numbers(m, values)))
    except Exception:
        return None
    return found if found.is_finite() else None


def _traced(claim: Claim) -> tuple[list[str], list[Finding]]:
    """The formulas and conditions as they were written down, and what no formula may do."""
    lines, found = [], []
    conditions = {f"precondition {p.says!r}": p.test for p in claim.preconditions}
    functions = {f"formula {name!r}": formula for name, formula in claim.formulas.items()} | conditions
    for name, function in functions.items():
        if (what := strange(function)) is not None:
            found.append(_open(name, f"the {name} {what}: it has its arguments and its context only"))
        try:
            first, second = traced(claim, function), traced(claim, function)
        except Exception as error:
            found.append(_open(name, f"the {name} cannot be written down: {type(error).__name__}: {error}"))
            continue
        lines += first
        if first != second:
            found.append(_open(name, f"the {name} is another one the second time it is asked"))
    return lines, found


def _valueless(
    claim: Claim, relation: Relation, pair: tuple[sides.Side, sides.Side], instances: Sequence[Values]
) -> Iterator[Finding]:
    """Open where a side has no value at an admitted instance, where it seems to fail, or where nothing was enclosed."""
    m, literal = arb(), mp(50)
    enclosed = 0
    for values in instances:
        if all(_enclosed(side, m, values) is not None for side in pair):
            enclosed += 1
            continue
        at, scope = _said(values), f"assertion: {relation}"
        try:
            left, right = (literal.real(side(literal, numbers(literal, values))) for side in pair)
            for side in pair:
                sides.ball(m, side(m, numbers(m, values)))
        except Exception as error:
            yield _open(scope, f"a side has no value at {at}: {type(error).__name__}: {error}", relation)
            return
        if left != left or right != right:
            yield _open(scope, f"a side has no value at {at}", relation)
            return
        if compare(literal, left, relation.sign, right) is False and abs(left - right) > abs(right) * literal.real(CLOSE):
            yield _open(scope, f"it seems to fail at {at}, where no enclosure is finite", relation)
            return
    if not enclosed:
        yield _open(f"assertion: {relation}", "its sides are finite at none of the instances tried", relation)


def _contexts(claim: Claim, instances: Sequence[Values]) -> Iterator[Finding]:
    """Open for a formula that is another number in another context."""
    step = max(1, len(instances) // COMPARED)
    for name, formula in claim.formulas.items():
        for place, values in enumerate(instances[::step]):
            if set(names_of(formula)) <= set(values) and not _agrees(claim, formula, values, place < 2):
                reason = f"the formula {name!r} is another number in another context, at {_said(values)}"
                yield _open(f"formula {name!r}", reason)
                break


def _agrees(claim: Claim, formula: Any, values: Values, symbolically: bool) -> bool:
    ball = _enclosed(lambda m, given: apply(formula, m, given), arb(512), values)
    if ball is None:
        return True

    def literally(digits: int) -> Any:
        return apply(formula, mp(digits), numbers(mp(digits), values))

    if not any(_near(ball, _in(partial(literally, digits))) for digits in (50, 700)):
        return False
    if not symbolically:
        return True

    def exact() -> Any:
        found = sympy.sympify(apply(formula, symbolic(), numbers(symbolic(), values)))
        return None if found.has(sympy.Sum, sympy.Integral) else sympy.N(found, 40)

    return _near(ball, _in(exact), unknown=True)


def _in(compute: Callable[[], Any]) -> Any:
    try:
        return compute()
    except Exception:
        return None


def _near(ball: Any, value: Any, unknown: bool = False) -> bool:
    """Whether the number may be the one in the ball; `unknown` where it is none that can be compared."""
    try:
        other = arb(512).real(str(value))
    except ValueError:
        return unknown
    if not other.is_finite():
        return unknown
    m = arb(512)
    return m.gt(abs(ball - other), m.real(CLOSE) * (abs(ball) + m.real("1e-300"))) is not True


def _said(values: Values) -> str:
    return ", ".join(f"{name}={value}" for name, value in written(values).items())


def _values(claim: Claim, instances: Sequence[Values]) -> tuple[str, ...]:
    """Every formula, and every condition, at the instances, as text."""
    m = arb()
    functions = [*claim.formulas.values(), *(p.test for p in claim.preconditions)]

    def at(function: Callable[..., Any], values: Values) -> Any:
        return apply(function, m, numbers(m, values))

    return tuple(str(_in(partial(at, function, values))) for function in functions for values in instances)


def _content(claim: Claim, instances: Sequence[Values]) -> str:
    """What the claim says, as far as the instances show it; two claims with the same content are the same mutant."""
    plain = replace(claim, id="", says="", note="", formulas={}, preconditions=(), amends=None)
    texts = [repr(plain), *sorted(claim.formulas), *(p.says for p in claim.preconditions)]
    return "\n".join([*texts, *_values(claim, instances[:PROBES])])


def _unread(claim: Claim, found: Sequence[Finding]) -> Iterator[Finding]:
    """Open for a certificate of nothing, and for an assertion that is only called a definition."""
    if not claim.asserts:
        yield _open("assertions", "the claim asserts nothing: there is nothing to certify")
    for relation in claim.asserts:
        said = {f.verdict for f in found if relation in f.asserts and f.reading is Reading.PRINTED}
        if said == {Verdict.STATED}:
            yield _open(f"assertion: {relation}", "an assertion is more than a definition, and nothing decides it", relation)


def _familiar(claim: Claim) -> list[Claim]:
    """The registered statements over the same objects, with the same release and the same neighbours."""
    wanted, everything = (claim.over, claim.releases, claim.adjacency), {**register(), **amendments()}
    return [c for id, c in everything.items() if (c.over, c.releases, c.adjacency) == wanted and concept_of(id) not in own()]
