"""Is a claim's domain empty? Proved, by contradictory ends or by enclosures over all of it, or not said.

That a search finds no instance proves nothing.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import sympy

from dpsco.instances.inside import ends
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Choice, Integers, Interval
from dpsco.spec.predicate import Predicate
from dpsco.verdict import Finding, Rung, Verdict

MOST_BOXES = 3000


@dataclass(frozen=True)
class Side:
    """An interval that holds the parameter's values; an end is None where there is none."""

    low: Fraction | None
    high: Fraction | None
    low_open: bool = False
    high_open: bool = False

    def __bool__(self) -> bool:
        """Whether any number lies in it."""
        if self.low is None or self.high is None:
            return True
        return self.low < self.high or (self.low == self.high and not self.low_open and not self.high_open)

    @property
    def bounded(self) -> bool:
        return self.low is not None and self.high is not None

    def above(self, low: Fraction, open: bool) -> "Side":
        if self.low is not None and (self.low, self.low_open) >= (low, open):
            return self
        return Side(low, self.high, open, self.high_open)

    def below(self, high: Fraction, open: bool) -> "Side":
        if self.high is not None and (-self.high, self.high_open) >= (-high, open):
            return self
        return Side(self.low, high, self.low_open, open)


def empty(claim: Claim) -> str | None:
    """How it is proved that nothing meets the claim's domains and preconditions; None where that is not proved."""
    for parameter in claim.parameters:
        if isinstance(parameter.domain, Interval | Integers) and not _side(parameter.domain):
            return f"{parameter.name} in {parameter.domain}: no number lies between these ends"
    domains = {p.name: p.domain for p in claim.parameters}
    asked = [p for p in claim.preconditions if all(isinstance(domains.get(n), Interval | Integers | Choice) for n in p.names)]
    needed = {name for predicate in asked for name in predicate.names}
    named = {name: d.names for name, d in domains.items() if name in needed and isinstance(d, Choice)}
    sides = {name: _side(d) for name, d in domains.items() if name in needed and isinstance(d, Interval | Integers)}
    if not asked:
        return None
    reasons = [_impossible(claim, asked, dict(zip(named, chosen, strict=True)), sides) for chosen in product(*named.values())]
    return None if None in reasons else reasons[0]


def nothing_admitted(claim: Claim, scope: str) -> Finding:
    """What is said where no instance was found: vacuous if that is proved, else open, for a search proves nothing."""
    proof = empty(claim)
    if proof is None:
        reason = "no instance was found that meets the conditions, and it is not proved that there is none"
        return Finding(scope=scope, verdict=Verdict.OPEN, reason=reason)
    return Finding(scope=scope, verdict=Verdict.VACUOUS, rung=Rung.EXACT, method=proof, reason=f"no instance: {proof}")


def _side(domain: Interval | Integers) -> Side:
    if isinstance(domain, Integers):
        return Side(Fraction(domain.low), None if domain.high is None else Fraction(domain.high))
    return Side(*ends(domain), domain.low_open, domain.high_open)


def _impossible(claim: Claim, asked: list[Predicate], chosen: Mapping[str, str], sides: Mapping[str, Side]) -> str | None:
    """Why no numbers meet the preconditions where the names are these."""
    for predicate in asked:
        narrowed = _narrowed(claim, predicate, chosen, sides)
        if narrowed is None:
            return f"computer algebra: {predicate.says!r} fails on the whole domain"
        sides = narrowed
    if not all(sides.values()):
        name = next(name for name, side in sides.items() if not side)
        return f"the conditions leave no number between the ends that they give to {name}"
    boxes = _excluded(asked, chosen, sides)
    return None if boxes is None else f"a precondition fails on each of {boxes} boxes that cover the domain, by enclosures"


def _narrowed(
    claim: Claim, predicate: Predicate, chosen: Mapping[str, str], sides: Mapping[str, Side]
) -> Mapping[str, Side] | None:
    """The sides that the comparisons of one parameter with a number leave; None where the condition is false as it stands."""
    symbols = {**symbols_of(claim.parameters), **chosen}
    try:
        relation = predicate(symbolic(), symbols)
    except Exception:  # computer algebra cannot read it: it narrows nothing
        return sides
    if relation is False or relation == sympy.false:
        return None
    names = {symbol: name for name, symbol in symbols.items() if name in sides}
    found = dict(sides)
    for part in relation.args if isinstance(relation, sympy.And) else (relation,):
        free: set[Any] = getattr(part, "free_symbols", set())
        if not isinstance(part, sympy.core.relational.Relational) or len(free) != 1 or not free <= set(names):
            continue
        (x,) = free
        difference = sympy.expand(part.lhs - part.rhs)
        slope, rest = difference.coeff(x, 1), difference.coeff(x, 0)
        if not (slope.is_Rational and rest.is_Rational and slope and sympy.expand(difference - slope * x - rest) == 0):
            continue
        end, rises = Fraction(int((-rest / slope).p), int((-rest / slope).q)), bool(slope > 0)
        side, strict = found[names[x]], isinstance(part, sympy.StrictGreaterThan | sympy.StrictLessThan)
        if (
            isinstance(part, sympy.Eq)
            or (isinstance(part, sympy.Ge | sympy.Gt) and rises)
            or (isinstance(part, sympy.Le | sympy.Lt) and not rises)
        ):
            side = side.above(end, strict)
        if (
            isinstance(part, sympy.Eq)
            or (isinstance(part, sympy.Le | sympy.Lt) and rises)
            or (isinstance(part, sympy.Ge | sympy.Gt) and not rises)
        ):
            side = side.below(end, strict)
        found[names[x]] = side
    return found


def _excluded(asked: list[Predicate], chosen: Mapping[str, str], sides: Mapping[str, Side]) -> int | None:
    """How many boxes cover the sides, on each of which a condition certainly fails; None where that was not reached."""
    m: Any = arb(96)
    waiting = deque([dict(sides)])
    looked = 0
    while waiting:
        box = waiting.popleft()
        looked += 1
        if looked > MOST_BOXES:
            return None
        values = {**chosen, **{name: _ball(m, side) for name, side in box.items()}}
        try:
            fails = any(predicate(m, values) is False for predicate in asked)
        except Exception:  # a condition that cannot be asked excludes nothing
            return None
        if not fails:
            if all(side.bounded and side.low == side.high for side in box.values()):
                return None
            waiting.extend(_halves(box))
    return looked


def _ball(m: Any, side: Side) -> Any:
    """A ball that holds the side: the whole line where an end is missing."""
    if not side.bounded:
        return m.ball("-inf", "inf")
    return m.real(side.low) if side.low == side.high else m.ball(side.low, side.high)


def _halves(box: dict[str, Side]) -> Iterator[dict[str, Side]]:
    """The box cut in two at its widest side, one without an end first."""

    def width(side: Side) -> tuple[bool, Fraction]:
        return (True, Fraction(0)) if side.low is None or side.high is None else (False, side.high - side.low)

    name = max(box, key=lambda name: width(box[name]))
    side = box[name]
    match side.low, side.high:
        case None, None:
            middle = Fraction(0)
        case None, Fraction() as high:
            middle = 2 * min(high, Fraction(-1, 2))
        case Fraction() as low, None:
            middle = 2 * max(low, Fraction(1, 2))
        case low, high:
            middle = (low + high) / 2  # type: ignore[operator]
    yield {**box, name: Side(side.low, middle)}
    yield {**box, name: Side(middle, side.high)}
