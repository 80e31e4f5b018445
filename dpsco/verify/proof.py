"""Writes proof objects. Not trusted: the kernel checks what is written here; see `docs/proof_objects.md` for the rules.

A step is made by the function of its rule, and knows what it is meant to show, so that steps compose:

    chain(by(tight_pair, sigma=scale), value <= first, equal(first, Phi(-b)), by(gaussian_tail, z=b), delta / 4 <= delta)

Where a step is wanted, a condition may stand: an equation is shown by `ring`, another by `sign`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from dpsco.spec.expressions import BINDERS, Condition, E, Expr, Json, Number, oo, symbol
from dpsco.spec.lemmas import Lemma
from dpsco.spec.nouns import Noun
from dpsco.spec.statement import Statement


@dataclass(frozen=True)
class Step:
    """JSON of a proof, the relation that it shows if it is right, and the lemmas that it cites."""

    shows: Condition
    json: Json
    cites: frozenset[str] = frozenset()


Shown: TypeAlias = Step | Condition


def step(given: Shown) -> Step:
    """The step itself; for a condition, `ring` or `sign`."""
    if isinstance(given, Step):
        return given
    return ring(given.left, given.right) if given.sign == "=" else sign(given)


def _made(rule: str, shows: Condition, *inside: Step, **keys: Json) -> Step:
    return Step(shows.upward, {"rule": rule, **keys}, frozenset().union(*(one.cites for one in inside)))


def _sides(shown: Condition) -> dict[str, Json]:
    return {"left": shown.left.json(), "sign": shown.sign, "right": shown.right.json()}


def fact(shown: Condition) -> Step:
    """A fact of the scope."""
    return _made("fact", shown, **_sides(shown))


def ring(left: Number, right: Number) -> Step:
    return _made("ring", Condition(E(left), "=", E(right)), left=E(left).json(), right=E(right).json())


def sign(shown: Condition) -> Step:
    return _made("sign", shown, **_sides(shown))


def number(shown: Condition, bits: int = 256) -> Step:
    """A relation between expressions without symbols."""
    return _made("number", shown, **_sides(shown), bits=bits)


def region(shown: Condition, log: Iterable[Expr] = (), cells: int = 20_000, bits: int = 64) -> Step:
    """A relation on the bounded ranges of its symbols, those in `log` on a logarithmic scale."""
    return _made("region", shown, **_sides(shown), log=sorted(one.value for one in log), cells=cells, bits=bits)


def by(lemma: Lemma, *hypotheses: Shown | None, **where: Number) -> Step:
    """An instance of a lemma: symbols that are not given stand for themselves; hypotheses without a proof are found."""
    values = {name: E(where.pop(name, symbol(name))) for name in lemma.sorts}
    if where:
        raise TypeError(f"{lemma.id} has no symbol {', '.join(where)}")
    padded = [*hypotheses, *[None] * (len(lemma.hypotheses) - len(hypotheses))]
    proofs = [None if one is None else step(one) for one in padded]
    made = _made(
        "lemma",
        lemma.conclusion.where(values),
        *(one for one in proofs if one is not None),
        lemma=lemma.id,
        where={name: value.json() for name, value in sorted(values.items())},
        hypotheses=[None if one is None else one.json for one in proofs],
    )
    return Step(made.shows, made.json, made.cites | {lemma.id})


def chain(*given: Shown) -> Step:
    """a s b, b s c, ...: from the first left side to the last right side. Raises ValueError where it breaks."""
    steps = [step(one) for one in given]
    if not steps:
        raise ValueError("a chain without steps")
    so_far = steps[0].shows
    for one in steps[1:]:
        then = one.shows
        if then.sign == "=" and then.right == so_far.right:
            then = Condition(then.right, "=", then.left)
        if so_far.sign == "=" and so_far.left == then.left and so_far.right != then.left:
            so_far = Condition(so_far.right, "=", so_far.left)
        if so_far.right != then.left:
            raise ValueError(f"the chain breaks between {so_far.right!r} and {then.left!r}")
        signs = {so_far.sign, then.sign}
        so_far = Condition(so_far.left, "<" if "<" in signs else "<=" if "<=" in signs else "=", then.right)
    return _made("chain", so_far, *steps, steps=[one.json for one in steps])


def combine(shown: Condition, *parts: tuple[Number, Shown] | tuple[Number, Shown, Shown]) -> Step:
    """right - left is the sum of weight * (b - a) over facts a <= b: pairs (weight, fact), a third for the sign of the weight."""
    steps, written = [], []
    for weight, known, *signs in parts:
        one, signed = step(known), [step(s) for s in signs]
        steps += [one, *signed]
        written.append({"weight": E(weight).json(), "fact": one.json, "sign": signed[0].json if signed else None})
    upward = shown.upward
    return _made("combine", upward, *steps, **_sides(upward), parts=written)


def apply(function: Callable[[Number], Expr], known: Shown) -> Step:
    """From a s b, f(a) s f(b) for a monotone function; for erfc the other way round."""
    one = step(known)
    left, right = function(one.shows.left), function(one.shows.right)
    weak = "<=" if left.op in ("floor", "ceil") and one.shows.sign == "<" else one.shows.sign
    shown = Condition(right, weak, left) if left.op == "erfc" else Condition(left, weak, right)
    return _made("apply", shown, one, function=left.op, proof=one.json)


def rewrite(context: Expr, hole: Expr, known: Shown) -> Step:
    """From a = b, the context with a for the hole = the context with b for it."""
    one = step(known)
    left, right = (context.where({hole.value: side}) for side in (one.shows.left, one.shows.right))
    return _made("rewrite", Condition(left, "=", right), one, symbol=hole.value, context=context.json(), proof=one.json)


def have(facts: Iterable[Shown], then: Shown) -> Step:
    steps, last_step = [step(one) for one in facts], step(then)
    return _made("have", last_step.shows, *steps, last_step, facts=[one.json for one in steps], then=last_step.json)


def let(name: Expr, value: Number, then: Shown) -> Step:
    one = step(then)
    shown = one.shows.where({name.value: E(value)})
    return _made("let", shown, one, symbol=name.value, value=E(value).json(), then=one.json)


def split(on: Condition, yes: Shown, no: Shown) -> Step:
    """Both cases of a condition that is no equation."""
    first, second = step(yes), step(no)
    weak = first.shows.sign if first.shows.sign == second.shows.sign else "<="
    shown = Condition(first.shows.left, weak, first.shows.right)
    return _made("split", shown, first, second, on=on.json(), yes=first.json, no=second.json)


def absurd(shown: Condition, known: Shown) -> Step:
    """Anything, from a false relation between numbers."""
    one = step(known)
    return _made("absurd", shown, one, **_sides(shown), proof=one.json)


def between(low: Shown, high: Shown) -> Step:
    """a = b from a <= b and b <= a."""
    first, second = step(low), step(high)
    shown = Condition(first.shows.left, "=", first.shows.right)
    return _made("equal", shown, first, second, low=first.json, high=second.json)


def slope(
    shown: Condition,
    along: Expr,
    start_at: Number,
    end_at: Number,
    slopes: Shown | None = None,
    start: Shown | None = None,
    order: Shown | None = None,
) -> Step:
    """left <= right as functions of the new symbol `along`, at end_at: it holds at start_at, or in the limit if that is oo, and
    the difference does not fall from there. `order` is start_at <= end_at (right' >= left') or end_at <= start_at (right' <=
    left'); `slopes` shows the relation between the derivatives of the sides, found if it is None.
    """
    upward, origin, target = shown.upward, E(start_at), E(end_at)
    begun = None if origin == oo else step(start if start is not None else upward.where({along.value: origin}))
    ordered = None if origin == oo else step(order if order is not None else origin <= target)
    sloped = None if slopes is None else step(slopes)
    weak = "<" if begun is not None and begun.shows.sign == "<" else "<="
    at_end = Condition(upward.left, weak, upward.right).where({along.value: target})
    keys = {"left": upward.left.json(), "right": upward.right.json(), "from": origin.json(), "to": target.json()}
    proofs = {
        "order": None if ordered is None else ordered.json,
        "slope": None if sloped is None else sloped.json,
        "start": None if begun is None else begun.json,
    }
    inside = [one for one in (begun, ordered, sloped) if one is not None]
    return _made("slope", at_end, *inside, symbol=along.value, **keys, **proofs)


def termwise(left: Expr, right: Expr, along: Expr, known: Shown) -> Step:
    """Two sums, products or integrals with the same ends, compared term by term."""
    if left.op not in BINDERS:
        raise ValueError(f"left = {left!r}: a sum, a product or an integral is needed")
    one = step(known)
    shown = Condition(left, "=" if one.shows.sign == "=" else "<=", right)
    return _made("termwise", shown, one, left=left.json(), right=right.json(), symbol=along.value, proof=one.json)


def last(total: Expr, order: Shown | None = None) -> Step:
    """A sum or a product is that without its last term, and the last term."""
    low, high, body = total.args
    rest = Expr(total.op, (low, high - 1, body))
    shown = Condition(total, "=", rest + total.opened(high) if total.op == "sum" else rest * total.opened(high))
    ordered = [] if order is None else [step(order)]
    return _made("last", shown, *ordered, left=total.json(), order=ordered[0].json if ordered else None)


def induction(
    shown: Condition, along: Expr, start_at: Number, end_at: Number, start: Shown, next_one: Shown, order: Shown | None = None
) -> Step:
    """left s right as functions of the integer `along`: at start_at, and from k to k + 1; shown at end_at."""
    upward, begun, then = shown.upward, step(start), step(next_one)
    ordered = [] if order is None else [step(order)]
    at_end = Condition(upward.left, begun.shows.sign, upward.right).where({along.value: E(end_at)})
    return _made(
        "induction",
        at_end,
        begun,
        then,
        *ordered,
        symbol=along.value,
        left=upward.left.json(),
        right=upward.right.json(),
        **{"from": E(start_at).json()},
        to=E(end_at).json(),
        order=ordered[0].json if ordered else None,
        start=begun.json,
        step=then.json,
    )


# --- answers and the object ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    json: Json
    cites: frozenset[str]


def _json(given: Shown | None) -> Json:
    return None if given is None else step(given).json


def _answer(keys: dict[str, Json], *inside: Shown | None) -> Answer:
    return Answer(keys, frozenset().union(*(step(one).cites for one in inside if one is not None)))


def proved(proof: Shown) -> Answer:
    return _answer({"verdict": "proved", "proof": _json(proof)}, proof)


def proved_order(constant: Number, proof: Shown) -> Answer:
    """For <=O: left <= constant * right; for >=Omega: constant * right <= left."""
    return _answer({"verdict": "proved", "constant": E(constant).json(), "proof": _json(proof)}, proof)


def proved_limit(form: Number, proof: Shown | None = None) -> Answer:
    """For ->: left = form, whose limit is read off."""
    return _answer({"verdict": "proved", "form": E(form).json(), "proof": _json(proof)}, proof)


def _instance(values: Mapping[str, Number]) -> Json:
    return {name: E(value).json() for name, value in sorted(values.items())}


def refuted(claim: Statement, at: Mapping[str, Number], proof: Shown, domain: Iterable[Shown | None] = ()) -> Answer:
    """An instance inside the domain, and the negation there; `domain` proves conditions that are not found to hold."""
    proofs = _padded(domain, claim)
    keys = {"verdict": "refuted", "at": _instance(at), "domain": [_json(one) for one in proofs], "proof": _json(proof)}
    return _answer(keys, proof, *proofs)


def refuted_order(
    claim: Statement,
    constant: Expr,
    path: Mapping[str, Number],
    proof: Shown,
    nonnegative: Shown | None = None,
    domain: Iterable[Shown | None] = (),
) -> Answer:
    """A point of the domain for every integer constant >= 1 at which the order's inequality fails with it."""
    proofs = _padded(domain, claim)
    keys = {
        "verdict": "refuted",
        "symbol": constant.value,
        "path": _instance(path),
        "domain": [_json(one) for one in proofs],
        "proof": _json(proof),
        "nonnegative": _json(nonnegative),
    }
    return _answer(keys, proof, nonnegative, *proofs)


def refuted_along(
    claim: Statement,
    t: Expr,
    start: int,
    path: Mapping[str, Number],
    below: Number,
    above: Number,
    proofs: tuple[Shown | None, Shown | None] = (None, None),
    positive: Shown | None = None,
    domain: Iterable[Shown | None] = (),
) -> Answer:
    """A path in the domain along which below <= the side that should be small, the other <= above, and below/above -> oo."""
    inside = _padded(domain, claim)
    keys = {
        "verdict": "refuted",
        "symbol": t.value,
        "start": str(start),
        "path": _instance(path),
        "domain": [_json(one) for one in inside],
        "below": E(below).json(),
        "above": E(above).json(),
        "proofs": [_json(one) for one in proofs],
        "positive": _json(positive),
    }
    return _answer(keys, positive, *proofs, *inside)


def _padded(domain: Iterable[Shown | None], claim: Statement) -> list[Shown | None]:
    given = list(domain)
    return [*given, *[None] * (len(claim.domain) - len(given))]


def proof_object(
    claim: Statement,
    asserts: Iterable[Answer | None],
    *,
    steps: Iterable[Answer | None] = (),
    inhabitant: Iterable[Shown | None] = (),
    nouns: Mapping[str, Noun],
    lemmas: Mapping[str, Lemma],
    proofs: Mapping[str, Step] | None = None,
) -> Json:
    """The object: what the answers cite is taken from nouns and lemmas, the proofs of kernel lemmas from `proofs`."""
    answers, links, inside = list(asserts), list(steps), _padded(inhabitant, claim)
    links += [None] * (len(claim.steps) - len(links))
    every = [one for one in (*answers, *links) if one is not None]
    cited = frozenset().union(*(one.cites for one in every), *(step(one).cites for one in inside if one is not None))
    needed = closure(cited, lemmas)
    spoken = claim.nouns.union(*(lemmas[name].nouns for name in needed))
    spoken |= {name for noun in spoken for c in nouns[noun].domain for side in (c.left, c.right) for name in side.nouns}
    return {
        "format": "dpsco proof object 1",
        "claim": {"id": claim.id, "sha256": claim.sha256},
        "nouns": {name: nouns[name].sha256 for name in sorted(spoken)},
        "lemmas": {name: lemmas[name].sha256 for name in sorted(needed)},
        "proofs": {name: (proofs or {})[name].json for name in sorted(needed) if lemmas[name].status == "kernel"},
        "inhabitant": [_json(one) for one in inside],
        "answers": {
            "asserts": [None if one is None else one.json for one in answers],
            "steps": [None if one is None else one.json for one in links],
        },
    }


def closure(cited: Iterable[str], lemmas: Mapping[str, Lemma]) -> frozenset[str]:
    """The lemmas, with all that they use."""
    found: set[str] = set()
    todo = list(cited)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo.extend(lemmas[name].uses)
    return frozenset(found)
