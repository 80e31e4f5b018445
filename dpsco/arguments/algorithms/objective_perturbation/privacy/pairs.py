"""Search for the pair of data sets that objective perturbation tells apart best, and an event that shows it.

The bad pairs have shift and curvature at one place: D holds a record whose kink lies in the noise's tail, D' a record with
the opposite feature and an outcome far away (replaced) or none (added). On the kink D's density gains the factor
1 + beta/(2 n lambda) while the gradients still differ by up to 2 L or L. The search moves the place, the level, the kernel,
the second record and copies of the kink among the other records, in doubles; what it finds is enclosed afterwards.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from dpsco.reference.algorithms.objective_perturbation import privacy as exact
from dpsco.reference.losses.kernels import K_bar
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.spec.numbers import Real

WIDTH = {"uniform": 1.0, "epanechnikov": 1.0, "gaussian": 5.0, "logistic": 14.0}
"""Half the length of the stretch that is cut into cells, in bandwidths."""
SUPREMUM = {kernel: float(K_bar(mp(20), kernel)) for kernel in WIDTH}
LEVELS = ("0.5", "0.9", "0.999")
PLACES = tuple(k / 20 for k in range(6, 23))
"""Kink over the noise level sqrt(2 ln(2/delta) + epsilon), in standard deviations."""
CELLS = 16
"""Narrower at the near end of the kink, where the noise has most of its mass."""


@dataclass(frozen=True)
class Setting:
    """One calibration: sigma = `scale` L, beta/(2 n lambda) = `curvature`, features and bandwidth at most 1."""

    epsilon: str
    delta: str
    scale: Real
    curvature: Real
    replaced: bool


@dataclass(frozen=True)
class Candidate:
    """A pair: kink at outcome y of the record x = 1, the other record's feature -1, 0 (absent) or 1, the rest is `copies`."""

    kernel: str
    level: str
    y: Fraction
    other: int
    far: int
    copies: int = 0


@dataclass(frozen=True)
class Found:
    """The best pair, the event as rational intervals, and the search's own estimate of delta."""

    setting: Setting
    candidate: Candidate
    event: tuple[exact.Interval, ...]
    delta: float

    def pair(self) -> exact.Pair:
        """The pair in exact numbers, sigma as a ball."""
        m, c = arb(), self.candidate
        level = max(Fraction(c.level), 1 - Fraction(c.level))
        ridge = K_bar(m, c.kernel) / self.setting.curvature
        common = ((Fraction(1), c.y),) * c.copies
        one, two = ((Fraction(1), c.y), *common), ((*_far(c), *common))
        return exact.Pair(c.kernel, one, two, Fraction(1), Fraction(c.level), ridge, self.setting.scale * m.real(level))

    def enclosed(self) -> Real:
        """P_D(S) - e^epsilon P_D'(S), enclosed: a proved lower bound on delta."""
        m = arb()
        return exact.excess(m, self.pair(), m.real(self.setting.epsilon), self.event)


def _far(c: Candidate) -> tuple[exact.Row, ...]:
    """The record of D' with its kink out of the way: the outcome 0 where that is far enough from theta near y > 0."""
    if not c.other:
        return ()
    near = c.other * c.far > 0
    return ((Fraction(c.other), Fraction(0) if near else -4 * c.far * c.y),)


def _tail(x: float) -> float:
    return 0.5 * math.erfc(x / math.sqrt(2))


def _mass(low: float, high: float) -> float:
    return _tail(low) - _tail(high) if low > 0 else _tail(-high) - _tail(-low)


def _integrated(kernel: str, v: float) -> float:
    match kernel:
        case "uniform":
            return min(1.0, max(0.0, (v + 1) / 2))
        case "epanechnikov":
            t = min(1.0, max(-1.0, v))
            return -(t**3) / 4 + 3 * t / 4 + 0.5
        case "logistic":
            return 1 / (1 + math.exp(-max(v, -700.0)))
    return _tail(-v)


@dataclass
class _Doubles:
    """The setting in doubles: probabilities of cells under both data sets."""

    setting: Setting
    sigma: dict[str, float] = field(default_factory=dict)

    def gains(self, c: Candidate, points: Sequence[float]) -> list[float]:
        """P_D - e^epsilon P_D' of each cell between the points."""
        level, epsilon = float(c.level), float(self.setting.epsilon)
        sigma = float(self.setting.scale.mid()) * max(level, 1 - level)
        ridge = SUPREMUM[c.kernel] / float(self.setting.curvature.mid())
        aside = c.other * ((1.0 if c.far > 0 else 0.0) - level)
        one, two = [], []
        for theta in points:
            kink = _integrated(c.kernel, theta - float(c.y)) - level
            base = ridge * theta + c.copies * kink
            one.append((base + kink) / sigma)
            two.append((base + aside) / sigma)
        weight = math.exp(epsilon)
        cells = range(len(points) - 1)
        return [_mass(one[i], one[i + 1]) - weight * _mass(two[i], two[i + 1]) for i in cells]

    def points(self, c: Candidate, cells: int) -> list[float]:
        wide = WIDTH[c.kernel]
        return [float(c.y) + wide * (2 * (i / cells) ** 2 - 1) for i in range(cells + 1)]

    def value(self, c: Candidate) -> float:
        return sum(gain for gain in self.gains(c, self.points(c, CELLS)) if gain > 0)


def candidates(setting: Setting, kernels: Iterable[str], levels: Iterable[str] = LEVELS) -> Iterator[Candidate]:
    """The starts: every kernel, level, place of the kink, second record, and one copy of the kink in the background."""
    noise = math.sqrt(2 * math.log(2 / float(setting.delta)) + float(setting.epsilon))
    unit = float(setting.scale.mid()) * float(setting.curvature.mid())
    for kernel in kernels:
        for level in levels:
            sigma = unit * max(float(level), 1 - float(level)) / SUPREMUM[kernel]
            for place in PLACES:
                y = Fraction(max(round(place * noise * sigma), 1 + math.ceil(WIDTH[kernel])))
                if setting.replaced:
                    yield Candidate(kernel, level, y, -1, -1)
                    yield Candidate(kernel, level, y, 1, 1)
                    yield Candidate(kernel, level, y, -1, -1, copies=1)
                else:
                    yield Candidate(kernel, level, y, 0, -1)


def search(setting: Setting, kernels: Iterable[str] = ("uniform",), levels: Iterable[str] = LEVELS) -> Found | None:
    """The best pair found: all starts, then the kink moved while that helps; None if no cell gains anywhere."""
    doubles = _Doubles(setting)
    best = max(((doubles.value(c), c) for c in candidates(setting, kernels, levels)), key=lambda v: v[0], default=None)
    if best is None or best[0] <= 0:
        return None
    value, c = best
    step = max(1, int(c.y) // 10)
    while step:
        moved = [Candidate(c.kernel, c.level, c.y + s * step, c.other, c.far, c.copies) for s in (-1, 1) if c.y > 2 + step]
        better = max(((doubles.value(n), n) for n in moved), key=lambda v: v[0], default=(0.0, c))
        if better[0] > value:
            value, c = better
        else:
            step //= 2
    return Found(setting, c, _event(doubles, c), value)


def _event(doubles: _Doubles, c: Candidate) -> tuple[exact.Interval, ...]:
    """The cells that gain, joined."""
    points = [c.y + Fraction(WIDTH[c.kernel]) * (Fraction(i, 200) - 1) for i in range(401)]
    gains = doubles.gains(c, [float(p) for p in points])
    event: list[exact.Interval] = []
    for i, gain in enumerate(gains):
        if gain > 0:
            joined = event and event[-1][1] == points[i]
            event.append((event.pop()[0] if joined else points[i], points[i + 1]))
    return tuple(event)
