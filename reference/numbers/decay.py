"""How fast the tilted characteristic function of one step falls, for certain: bounds of |M(c + iu)| / M(c) that fall in u.

A part of the tilted law of chance p, with density at most a in y, in a range of length d: no more than w = 1 + u d / 2 pi of
its points have one and the same phase, so its characteristic function is at most sin(z)/z, z = u p / (2 a w), and |M(c + iu)|
<= M(c) (1 - the sum over parts of p (1 - sin(z)/z)). Besides, one integration by parts gives V / u, V the total variation of
the density in y, and a law may know of sums of m e^{-r u} that bound |M(c + iu)|.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Protocol

from dpsco.reference.numbers.enclosure import ArbNumbers
from dpsco.spec.numbers import Real

STEP = 1.15
"""Ratio of neighbouring u at which the tail is bounded."""
PIECES = 60
NEGLIGIBLE = 1e-100
"""Chances of parts that may as well be missing."""
LOW = ArbNumbers(64)
"""For bounds, of which a few digits are enough."""
HORIZON = 1e12
"""Times the scale of the sum: a u beyond it is not looked for."""

Part = tuple[Real, Real, Real]
"""Chance (at least), largest density in y (at most), and length in y (at most) of a part of the tilted law."""


class Smooth(Protocol):
    """What is known of one step's tilted law."""

    def runs(self, c: Real) -> Sequence[Sequence[Part]]:
        """Runs of neighbouring parts, not divided by M(c), each with a density in y of at most two maxima."""
        ...

    def shifts(self, c: Real) -> Sequence[Sequence[tuple[Real, Real]]]:
        """Lists of (m, r), r >= 0: |M(c + iu)| <= the sum of m e^{-r u}, u > 0, for each list."""
        ...

    @property
    def atomic(self) -> bool:
        """Whether the runs are not all of it."""
        ...


class Decay:
    """Bounds of |M(c + iu) / M(c)| that fall in u: through parts of every size, by parts, through shifts."""

    def __init__(self, law: Smooth, steps: int, c: Real, moment: Real) -> None:
        m, runs, self.steps = LOW, law.runs(c), steps
        variation = sum((4 * m.max(*(a for _, a, _ in run)) for run in runs), start=m.real(0)) / moment
        self.variation = m.inf if law.atomic else variation.upper()
        self.shifts = [[((mass / moment).upper(), rate.lower()) for mass, rate in terms] for terms in law.shifts(c)]
        self.levels = [[part for run in runs for part in _joined(run, size, moment)] for size in (1, 2, 4, 8, 16, 32)]

    def tail(self, start: Real) -> Real:
        """Upper bound of the integral of |M(c + iu) / M(c)|^T / u^2 over u > start."""
        m = ArbNumbers(64)
        u, total = m.real(start), m.real(0)
        at = float(u)
        parts = min(self.levels, key=lambda level: _left(at, _doubles(level)))
        shifts = sorted(self.shifts, key=lambda terms: _shifted(at, _doubles(terms)))[:1]

        def bound(u: Real) -> Real:
            gone = m.real(0)
            for p, a, d in parts:
                z = u * p / (2 * a * (1 + u * d / (2 * m.pi)))
                gone += p * (z**2 / 6 - z**4 / 120 if z < 1 else 1 - m.sin(z) / z)
            least = (1 - gone).upper()
            for terms in shifts:
                least = m.min(least, sum((mass * m.exp(-rate * u) for mass, rate in terms), start=m.real(0)).upper())
            return m.max(least, m.real(0)) ** self.steps

        for _ in range(PIECES):
            following = (u * m.real(STEP)).mid()
            total += m.min(bound(u), (self.variation / u) ** self.steps) * (1 / u - 1 / following)
            u = following
        return (total + m.min(bound(u) / u, (self.variation / u) ** self.steps / (u * (self.steps + 1)))).upper()

    def top(self, scale: float, target: float) -> float | None:
        """In doubles: a u beyond which the tail is about e^target; None where there is none within reach."""
        levels, shifts = ([_doubles(rows) for rows in kind] for kind in (self.levels, self.shifts))
        v = float(self.variation)

        def small(u: float) -> bool:
            most = 1.0
            for parts in levels:
                most = min(most, _left(u, parts))
            for terms in shifts:
                most = min(most, _shifted(u, terms))
            by_parts = self.steps * math.log(v / u) - math.log(u * (self.steps + 1)) if v < math.inf else 0.0
            return min(self.steps * math.log(max(most, 1e-300)) - math.log(u), by_parts) < target - 0.7

        low, factor = 1 / (scale + 1e-300), 4.0
        far = HORIZON * low
        while not small(low * factor):
            low *= factor
            if low > far:
                return None
        while factor > 1.03:
            factor = math.sqrt(factor)
            if not small(low * factor):
                low *= factor
        return low * factor


def _joined(run: Sequence[Part], size: int, moment: Real) -> Iterator[Part]:
    """Neighbours put together, divided by the moment, rounded to the safe side."""
    for i in range(0, len(run), size):
        chances, densities, lengths = zip(*run[i : i + size], strict=True)
        p, d = sum(chances, start=LOW.real(0)) / moment, sum(lengths, start=LOW.real(0))
        part = p.lower(), (LOW.max(*densities) / moment).upper(), d.upper()
        if float(part[0]) > NEGLIGIBLE and float(part[1]) > NEGLIGIBLE:
            yield part


def _doubles(rows: Sequence[Sequence[Real]]) -> list[tuple[float, ...]]:
    return [tuple(map(float, row)) for row in rows]


def _left(u: float, parts: Sequence[tuple[float, ...]]) -> float:
    gone = 0.0
    for p, a, d in parts:
        z = u * p / (2 * a * (1 + u * d / (2 * math.pi)))
        gone += p * (z**2 / 6 - z**4 / 120 if z < 0.1 else 1 - math.sin(z) / z)
    return 1 - gone


def _shifted(u: float, terms: Sequence[tuple[float, ...]]) -> float:
    return math.fsum(mass * math.exp(-rate * u) for mass, rate in terms)
