"""Mutants of excess SPO+ against excess SPO risk, shown false by sums over many equally likely costs instead of areas.

A uniform law is replaced by the midpoints of a grid, where decisions are found by enumeration; what a mutant claims fails by
far more than the grid's own error.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.losses.spo.calibration import turned, without
from dpsco.spec.losses.spo.calibration import same_decision, singleton
from dpsco.spec.losses.spo.excess_risk import symmetric, trained
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

CELLS = 12
"""Midpoints along each side of a box."""
COARSE = Fraction(1, 50)
"""Far above the grid's error at the laws below, whose losses are linear but for the cells that ties cross."""
Point = tuple[Fraction, ...]
Box = tuple[str, tuple[str, ...], tuple[str, ...]]
SEGMENT: tuple[Point, ...] = ((Fraction(-1),), (Fraction(1),))
ONE, ZERO = Fraction(1), Fraction(0)
TRIANGLE: tuple[Point, ...] = ((ONE, ZERO), (ZERO, ONE), (ONE, ONE))
UNEVEN: tuple[Box, ...] = (("1", ("0", "0"), ("2", "3")),)
LATE: tuple[Box, ...] = (("3/4", ("0.95", "1.1"), ("1.05", "1.3")), ("1/4", ("0.95", "2.1"), ("1.05", "2.3")))
EVEN: tuple[Box, ...] = (("1", ("0",), ("2",)),)
SKEW: tuple[Box, ...] = (("1/4", ("-1",), ("0",)), ("5/8", ("0",), ("1",)), ("1/8", ("4",), ("5",)))
CENTRED: tuple[Box, ...] = (("1", ("-1",), ("1",)),)


def dot(u: Point, v: Point) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), start=ZERO)


def costs(boxes: Sequence[Box]) -> Iterator[tuple[Fraction, Point]]:
    """(probability, cost) at the midpoints of each box's grid."""
    for weight, low, high in boxes:
        sides = [
            [Fraction(a) + (Fraction(b) - Fraction(a)) * (2 * k + 1) / (2 * CELLS) for k in range(CELLS)]
            for a, b in zip(low, high, strict=True)
        ]
        for c in product(*sides):
            yield Fraction(weight) / CELLS ** len(low), c


@cache
def excess(boxes: tuple[Box, ...], vertices: tuple[Point, ...], c_hat: Point) -> tuple[Fraction, Fraction]:
    """(SPO, SPO+) risks of the prediction less those of the mean cost."""
    law = list(costs(boxes))
    c_mean = tuple(sum((p * c[j] for p, c in law), start=ZERO) for j in range(len(c_hat)))
    here, there = risks(law, vertices, c_hat), risks(law, vertices, c_mean)
    return here[0] - there[0], here[1] - there[1]


def risks(law: Sequence[tuple[Fraction, Point]], vertices: tuple[Point, ...], c_hat: Point) -> tuple[Fraction, Fraction]:
    """(SPO, SPO+) by enumeration of the vertices at each cost."""
    least = min(dot(c_hat, w) for w in vertices)
    chosen = [w for w in vertices if dot(c_hat, w) == least]
    spo = plus = ZERO
    for p, c in law:
        best = min(vertices, key=lambda w: dot(c, w))
        spo += p * (max(dot(c, w) for w in chosen) - dot(c, best))
        plus += p * (max(dot(c, w) - 2 * dot(c_hat, w) for w in vertices) + 2 * dot(c_hat, best) - dot(c, best))
    return spo, plus


def more_spo(boxes: tuple[Box, ...], vertices: tuple[Point, ...]) -> Callable[[], bool]:
    """At the prediction 0 the excess SPO risk is the larger one."""
    origin = (ZERO,) * len(vertices[0])
    return lambda: excess(boxes, vertices, origin)[0] > excess(boxes, vertices, origin)[1] + COARSE


def of_conditions() -> Iterator[Mutant]:
    claim = find("spo/sec-6-conditions")
    yield Mutant("W*(E[c|x]) any", without(claim, singleton), lambda: excess(CENTRED, SEGMENT, (ONE,))[0] < -COARSE)
    skew = without(claim, symmetric)
    yield Mutant("c given x not symmetric", skew, lambda: excess(SKEW, SEGMENT, (Fraction(2, 5),))[1] < -COARSE)
    at_mean = excess(EVEN, SEGMENT, (ONE,))
    yield Mutant("strictly smaller SPO risk at the mean", turned(claim, 0, ">"), lambda: at_mean[0] == 0)
    yield Mutant("strictly smaller SPO+ risk at the mean", turned(claim, 1, ">"), lambda: at_mean[1] == 0)
    away = excess(EVEN, SEGMENT, (-ONE,))
    yield Mutant("the mean is worst for SPO+", turned(claim, 1, "<="), lambda: away[1] > COARSE)

    def more(m: Numbers, spo_plus_risk: Real, spo_plus_risk_at_mean: Real) -> Real:
        return spo_plus_risk - spo_plus_risk_at_mean * m.frac(11, 10)

    def more_of_spo(m: Numbers, spo_risk: Real, spo_risk_at_mean: Real) -> Real:
        return spo_risk - spo_risk_at_mean * m.frac(11, 10)

    uneven = [(p, c) for p, c in costs(UNEVEN)]
    lossy = with_formula(claim, "excess_spo", more_of_spo)
    yield Mutant(
        "11/10 times the SPO risk of the mean", lossy, lambda: risks(uneven, TRIANGLE, (ONE, Fraction(3, 2)))[0] > COARSE
    )
    dearer = with_formula(claim, "excess_spo_plus", more)
    yield Mutant(
        "11/10 times the SPO+ risk of the mean", dearer, lambda: risks(uneven, TRIANGLE, (ONE, Fraction(3, 2)))[1] > COARSE
    )


def of_corollary() -> Iterator[Mutant]:
    claim = find("spo/cor-1-amended")
    yield Mutant("decisions may differ (as printed)", without(claim, same_decision), more_spo(UNEVEN, TRIANGLE))
    yield Mutant("c given x not symmetric", without(claim, symmetric), more_spo(LATE, TRIANGLE))
    spo, plus = excess(EVEN, SEGMENT, (ZERO,))
    more = scaled(claim, "excess_spo", 11, 10)
    yield Mutant("excess SPO risk times 11/10", more, lambda: spo * 11 / 10 > plus + COARSE)
    less = scaled(claim, "excess_spo_plus", 9, 10)
    yield Mutant("excess SPO+ risk times 9/10", less, lambda: spo > plus * 9 / 10 + COARSE)
    near = excess(EVEN, SEGMENT, (Fraction(1, 2),))
    yield Mutant("equality", turned(claim, 0, "="), lambda: near[1] > near[0] + COARSE)
    yield Mutant("the opposite", turned(claim, 0, "<="), lambda: near[1] > near[0] + COARSE)
    yield Mutant("strictly greater", turned(claim, 0, ">"), lambda: not any(excess(EVEN, SEGMENT, (ONE,))))


def of_transfer() -> Iterator[Mutant]:
    claim = find("spo/sec-6-rate-amended")
    yield Mutant("decisions may differ", without(claim, same_decision), more_spo(UNEVEN, TRIANGLE))
    yield Mutant("c given x not symmetric", without(claim, symmetric), more_spo(LATE, TRIANGLE))
    spo, plus = excess(EVEN, SEGMENT, (ZERO,))
    yield Mutant("bound times 9/10", scaled(claim, "bound", 9, 10), lambda: spo > plus * 9 / 10 + COARSE)
    yield Mutant("excess times 11/10", scaled(claim, "excess_spo", 11, 10), lambda: spo * 11 / 10 > plus + COARSE)
    yield Mutant("any bound", without(claim, trained), lambda: spo > plus / 2 + COARSE)
    near = excess(EVEN, SEGMENT, (Fraction(1, 2),))
    yield Mutant("the opposite", turned(claim, 0, ">="), lambda: near[0] + COARSE < near[1])
