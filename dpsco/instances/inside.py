"""Instances of a claim that its own domain gives: near the ends of every interval, at stored instances, and drawn inside.

No list of usual values stands behind them, so a claim on 0.2 < epsilon < 0.4 has as many as one on epsilon > 0. Numbers that
stand in the claim's formulas and conditions are tried on both sides: that is where a formula changes.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, pairwise, product
from typing import Any

import sympy

from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Choice, Domain, Integers, Interval, Vectors
from dpsco.spec.numbers import Numbers
from dpsco.spec.predicate import Predicate

Values = Mapping[str, object]
"""Fractions, names, and tuples of Fractions, by parameter name."""

SEED = 20_140_811
PARTS = tuple(Fraction(text) for text in ("1/2", "1/4", "3/4", "1/10", "9/10", "1e-3", "0.999", "1e-9", "0.999999999", "1e-40"))
"""Where in a bounded interval, as parts of its length."""
BEYOND = tuple(Fraction(t) for t in ("1", "1/2", "2", "3", "1/10", "10", "1e-3", "100", "1e-9", "700", "1e-40", "1e6"))
"""How far from the one end of an interval, or from 0 where it has none."""
COUNTS = (0, 1, 2, 3, 5, 10, 50, 100)
"""How far an integer is from an end. Formulas may sum up to it."""
LARGEST_COUNT = 1_000
LONGEST = 4
"""Entries of a vector."""
NEAR = tuple(Fraction(shift) for shift in ("0", "-1e-3", "1e-3", "-1e-6", "1e-6"))
"""How far from a number of the claim's formulas, in parts of it."""
CORNERS, DRAWN = 400, 600


def points(claim: Claim, most: int = 200, clues: Sequence[Fraction] = ()) -> list[Values]:
    """At most so many instances that certainly lie in the claim's domain and meet its preconditions; always the same ones.

    clues  numbers on whose two sides, and at which, every parameter is tried
    """
    m = arb()
    counts = [p.name for p in claim.parameters if isinstance(p.domain, Integers)]
    found: list[Values] = []
    seen = set()
    for values in _candidates(claim, clues):
        key = tuple(values.items())
        small = all(values[name] <= LARGEST_COUNT for name in counts)  # type: ignore[operator]
        if small and key not in seen and admitted(claim, m, values):
            found.append(values)
            if len(found) >= most:
                break
        seen.add(key)
    return found


def admitted(claim: Claim, m: Numbers, values: Values) -> bool:
    """Whether the values certainly lie in the domains and meet the preconditions, and every vector has the length it names."""
    sizes = {p.domain.size: values.get(p.name) for p in claim.parameters if isinstance(p.domain, Vectors)}
    lengths = {
        p.domain.size: len(vector)
        for p in claim.parameters
        if isinstance(p.domain, Vectors) and isinstance(vector := values.get(p.name), tuple)
    }
    if any(size in values and values[size] != lengths.get(size) for size in sizes):
        return False
    inside = all(_lies(p.domain, values[p.name]) for p in claim.parameters if p.name in values)
    return inside and all(_meets(predicate, m, values) for predicate in claim.preconditions)


def _meets(predicate: Predicate, m: Numbers, values: Values) -> bool:
    """Whether the condition certainly holds, by enclosures or, at an end that no ball decides, by computer algebra."""
    for context in (m, symbolic()):
        try:
            answer = predicate(context, numbers(context, values))
        except Exception:  # a condition that cannot be asked here admits nothing here
            continue
        if answer is not None:
            return answer is True or answer == sympy.true
    return False


def _lies(domain: Domain, value: object) -> bool:
    """Whether the value lies in the domain, decided exactly."""
    match domain:
        case Choice(names):
            return value in names
        case Vectors():
            return isinstance(value, tuple) and all(_lies(domain.entry, entry) for entry in value)
        case Integers(low, high):
            return isinstance(value, Fraction) and value.denominator == 1 and low <= value and (high is None or value <= high)
        case Interval():
            return isinstance(value, Fraction) and _holds(domain, value)
    return False


def numbers(m: Numbers, values: Values) -> dict[str, Any]:
    """The values as numbers of the context; names stay names."""
    return {name: _number(m, value) for name, value in values.items()}


def _number(m: Numbers, value: object) -> Any:
    if isinstance(value, tuple):
        return tuple(m.real(entry) for entry in value)
    return m.real(value) if isinstance(value, Fraction) else value


def _candidates(claim: Claim, clues: Sequence[Fraction]) -> Iterator[Values]:
    vectors = [p for p in claim.parameters if isinstance(p.domain, Vectors)]
    sizes = {p.domain.size for p in vectors if isinstance(p.domain, Vectors)}
    axes = {p.name: _axis(p.domain, clues, p.name in sizes) for p in claim.parameters if p not in vectors}
    stored = {name: _stored(value) for predicate in claim.preconditions for name, value in predicate.accepts.items()}
    if not all(axes.values()):
        return
    draw = random.Random(SEED)

    def whole(values: Values) -> Values:
        """The values with vectors where there are none yet, in the order of the parameters."""
        made = {
            p.name: values[p.name] if p.name in values else _vector(p.domain, values, draw)
            for p in claim.parameters
            if p.name in values or p in vectors
        }
        return made

    bases: list[Values] = []
    middle = {name: axis[0] for name, axis in axes.items()}
    for overlay in ({}, stored, *(dict(p.accepts) for p in claim.preconditions)):
        known = {name: _stored(value) for name, value in overlay.items() if any(name == p.name for p in claim.parameters)}
        for p in vectors:  # a stored vector says how long its like are
            if isinstance(p.domain, Vectors) and isinstance(vector := known.get(p.name), tuple) and p.domain.size in axes:
                known = {p.domain.size: Fraction(len(vector)), **known}
        bases.append({**middle, **known})
    bases = [dict(pairs) for pairs in dict.fromkeys(tuple(sorted(base.items())) for base in bases)]
    for base in bases:
        yield whole(base)
    for base in bases[:4]:
        for name, axis in axes.items():
            for value in axis:
                yield whole({**base, name: value})
    short = {name: axis[:6] for name, axis in axes.items()}
    for corner in islice(product(*short.values()), CORNERS):
        yield whole(dict(zip(short, corner, strict=True)))
    for number in range(DRAWN):
        base = bases[number % len(bases)]
        fresh = {
            name: _drawn(p.domain, draw) if draw.random() < 0.5 else draw.choice(axes[name]) for name, p in _named(claim, axes)
        }
        kept = {name: base[name] for name in base if draw.random() < (0.0, 0.5, 0.8)[number % 3]}
        yield whole({**fresh, **kept})


def _named(claim: Claim, axes: Mapping[str, object]) -> list[tuple[str, Any]]:
    return [(p.name, p) for p in claim.parameters if p.name in axes]


def _stored(value: object) -> object:
    """A stored value of a precondition: numbers as fractions, names as they are."""
    if isinstance(value, tuple | list):
        return tuple(_stored(entry) for entry in value)
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return value


def ends(domain: Interval) -> tuple[Fraction | None, Fraction | None]:
    """Both ends, exactly; None where there is none."""
    low = None if domain.low == "-inf" else Fraction(domain.low)
    return low, None if domain.high == "inf" else Fraction(domain.high)


def _axis(domain: Domain, clues: Sequence[Fraction], length: bool) -> list[Any]:
    """Values of one parameter to try, the plainest first; only those inside."""
    tried: list[Any] = []
    order = sorted(clues)
    near = [clue * (1 + shift) for clue in clues for shift in NEAR]
    near += [(low + high) / 2 for low, high in pairwise(order)]
    match domain:
        case Choice(names):
            return list(names)
        case Integers(low, high):
            tried = [Fraction(low + count) for count in COUNTS]
            if high is not None:
                tried += [Fraction(high - count) for count in COUNTS] + [Fraction((low + high) // 2)]
            most = low + (LONGEST if length else LARGEST_COUNT)
            tried = [
                n for n in [*tried, *near] if n.denominator == 1 and low <= n <= (most if high is None else min(high, most))
            ]
        case Interval():
            low_end, high_end = ends(domain)
            if low_end is not None and high_end is not None:
                tried = [low_end + part * (high_end - low_end) for part in PARTS]
            elif low_end is not None:
                tried = [low_end + distance for distance in BEYOND]
            elif high_end is not None:
                tried = [high_end - distance for distance in BEYOND]
            else:
                tried = [Fraction(0), *(sign * distance for distance in BEYOND for sign in (1, -1))]
            closed = [
                e for e, is_open in ((low_end, domain.low_open), (high_end, domain.high_open)) if e is not None and not is_open
            ]
            tried = [x for x in [*tried, *closed, *near] if _holds(domain, x)]
    return list(dict.fromkeys(tried))


def _holds(domain: Interval, x: Fraction) -> bool:
    low, high = ends(domain)
    above = low is None or (x > low if domain.low_open else x >= low)
    return above and (high is None or (x < high if domain.high_open else x <= high))


def _drawn(domain: Domain, draw: random.Random) -> Any:
    """A value of the domain by chance: evenly in a bounded interval, over eight powers of ten from the end of another."""
    match domain:
        case Choice(names):
            return draw.choice(names)
        case Integers(low, high):
            return Fraction(draw.randint(low, low + 1000 if high is None else max(low, min(high, low + 1000))))
        case Interval():
            low_end, high_end = ends(domain)
            part = Fraction(draw.randint(1, 9999), 10_000)
            far = Fraction(f"{draw.uniform(1, 10):.4f}") * Fraction(10) ** draw.randint(-5, 3)
            if low_end is not None and high_end is not None:
                return low_end + part * (high_end - low_end)
            if low_end is not None or high_end is None:
                return (low_end or Fraction(0)) + (far if low_end is not None or draw.random() < 0.5 else -far)
            return high_end - far
    return None


def _vector(domain: Domain, values: Values, draw: random.Random) -> object:
    if not isinstance(domain, Vectors):
        return None
    size = values.get(domain.size)
    length = int(size) if isinstance(size, Fraction) else 2
    axis: Callable[[], Any] = lambda: draw.choice(_axis(domain.entry, (), False))  # noqa: E731
    return tuple(axis() for _ in range(length))
