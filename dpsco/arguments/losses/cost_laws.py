"""Laws of costs, each with its set of decisions, on which SPO+ and the SPO loss are compared exactly: where claims may fail.

Ties, atoms at zero, sets without a least vector, a round set, one dimension, laws that are not symmetric. One value of the
features, x = 1, throughout: then every prediction is linear.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import sympy

from dpsco.arguments.comparing import truth
from dpsco.reference.losses.spo import calibration, excess_risk, loss
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Real

Values = Mapping[str, Any]
TRIANGLE = (("1", "0"), ("0", "1"), ("1", "1"))
"""No vector of it is least in both coordinates; its interior is nonempty."""
SQUARE = (("-1", "-1"), ("-1", "1"), ("1", "-1"), ("1", "1"))
SEGMENT = (("-1",), ("1",))


@dataclass(frozen=True)
class Points:
    """Finitely many costs: (probability, cost). The oracle takes the first of the best vertices."""

    says: str
    shape: str
    table: Sequence[Sequence[str]]
    law: Sequence[tuple[str, Sequence[str]]]


@dataclass(frozen=True)
class Boxes:
    """A mixture of uniform laws on boxes: (weight, lower, upper corner); S is the hull of the vertices."""

    says: str
    vertices: Sequence[Sequence[str]]
    law: Sequence[tuple[str, Sequence[str], Sequence[str]]]


POINTS = (
    Points("unit disc, c = (2, 0) or (0, 2)", "ball", (("0", "0"), ("1",)), (("1/2", ("2", "0")), ("1/2", ("0", "2")))),
    Points("unit disc, c = (2, 1) or (1, 2)", "ball", (("0", "0"), ("1",)), (("1/2", ("2", "1")), ("1/2", ("1", "2")))),
    Points("triangle, c = (2, 0) or (0, 11/5)", "polytope", TRIANGLE, (("1/2", ("2", "0")), ("1/2", ("0", "11/5")))),
    Points("[0, 1] with w*(0) = 1, c = 0 or 2", "polytope", (("1",), ("0",)), (("1/2", ("0",)), ("1/2", ("2",)))),
    Points("[0, 1], c = 0 twice as often as 3", "polytope", (("0",), ("1",)), (("2/3", ("0",)), ("1/3", ("3",)))),
    Points("[-1, 1], c = 2 thrice as often as -2", "polytope", SEGMENT, (("3/4", ("2",)), ("1/4", ("-2",)))),
    Points("[-1, 1], c = 1/2 four times as often as 3", "polytope", SEGMENT, (("4/5", ("1/2",)), ("1/5", ("3",)))),
    Points("[1, 2], c = 1", "polytope", (("1",), ("2",)), (("1", ("1",)),)),
    Points("square, c = (2, 1) or (1, 2)", "polytope", SQUARE, (("1/2", ("2", "1")), ("1/2", ("1", "2")))),
    Points("[-1, 1], c = 1 or -1", "polytope", SEGMENT, (("1/2", ("1",)), ("1/2", ("-1",)))),
)
BOXES = (
    Boxes("triangle, c uniform on [0, 2] x [0, 3]", TRIANGLE, (("1", ("0", "0"), ("2", "3")),)),
    Boxes("[-1, 1], c uniform on [0, 2]", SEGMENT, (("1", ("0",), ("2",)),)),
    Boxes("square, c uniform on [0, 2] x [1, 3]", SQUARE, (("1", ("0", "1"), ("2", "3")),)),
    Boxes(
        "triangle, c_1 near 1, c_2 near 6/5 thrice as often as near 11/5",
        TRIANGLE,
        (("3/4", ("0.95", "1.1"), ("1.05", "1.3")), ("1/4", ("0.95", "2.1"), ("1.05", "2.3"))),
    ),
    Boxes(
        "[-1, 1], c skewed about 3/4",
        SEGMENT,
        (("1/4", ("-1",), ("0",)), ("5/8", ("0",), ("1",)), ("1/8", ("4",), ("5",))),
    ),
    Boxes("[-1, 1], c uniform on [-1, 1]", SEGMENT, (("1", ("-1",), ("1",)),)),
    Boxes("square, c uniform on [-1, 3] x [-2, 1]", SQUARE, (("1", ("-1", "-2"), ("3", "1")),)),
)
FACTORS = ("0", "-1/100", "1", "1/2", "8/15", "2", "-1")
"""Predictions are these multiples of E[c], and (1, ..., 1) and its negative."""


def numbers(rows: Sequence[Sequence[str]]) -> list[list[Real]]:
    """The rows as exact numbers."""
    return [[symbolic().real(x) for x in row] for row in rows]


def admitted(claim: Claim, values: Values) -> bool:
    """Whether these numbers certainly meet the claim's preconditions."""
    return all(bool(truth(predicate, symbolic(), values) == sympy.true) for predicate in claim.preconditions)


def enclosed(x: Real) -> tuple[str, str]:
    """An exact number as decimals rounded outward."""
    m = arb()
    x = sympy.sympify(x)
    if x.is_Rational:
        return ends(m.frac(int(x.p), int(x.q)))
    middle, error = Fraction(str(sympy.N(x, 60))), Fraction(1, 10**40)
    return ends(m.ball(middle - error, middle + error))  # type: ignore[attr-defined]


@cache
def of_points(index: int) -> tuple[Values, tuple[tuple[Real, Values], ...]]:
    """Of one law of points: the numbers of its conditions, and (probability, vectors) for each cost."""
    world, m = POINTS[index], symbolic()
    table = numbers(world.table)
    law = [(m.real(p), [m.real(x) for x in c]) for p, c in world.law]
    found = tuple((p, calibration.decisions(m, world.shape, table, law, c)) for p, c in law)
    return calibration.conditions(m, world.shape, table, law), found


@cache
def predicted(index: int) -> tuple[Values, ...]:
    """Of one law of points: the vectors of the losses for each of its costs and each prediction."""
    world, m = POINTS[index], symbolic()
    table = numbers(world.table)
    law = [(m.real(p), [m.real(x) for x in c]) for p, c in world.law]
    costs = [c for _, c in law]
    tried = [*_predictions(calibration.mean(m, law), m.real), *costs, *([2 * x for x in c] for c in costs)]
    return tuple(loss.decisions(m, world.shape, table, c, c_hat) for c in costs for c_hat in tried)


@cache
def of_boxes(index: int) -> tuple[Values, tuple[Values, ...]]:
    """Of one law with a density: the numbers of its conditions, and the risks at each prediction."""
    world = BOXES[index]
    vertices = [[Fraction(x) for x in w] for w in world.vertices]
    law = [(Fraction(p), [Fraction(x) for x in low], [Fraction(x) for x in high]) for p, low, high in world.law]
    c_mean, real = excess_risk.mean(law), symbolic().real
    at_mean = {
        "spo_risk_at_mean": real(excess_risk.spo_risk(law, vertices, c_mean)),
        "spo_plus_risk_at_mean": real(excess_risk.spo_plus_risk(law, vertices, c_mean)),
    }
    found = tuple(
        {
            **at_mean,
            "c_hat": "(" + ", ".join(str(x) for x in c_hat) + ")",
            "spo_risk": real(excess_risk.spo_risk(law, vertices, c_hat)),
            "spo_plus_risk": real(excess_risk.spo_plus_risk(law, vertices, c_hat)),
        }
        for c_hat in _predictions(c_mean, Fraction)
    )
    return _conditions(law, vertices, c_mean), found


def _predictions(c_mean: Sequence[Real], real: Any) -> Iterator[list[Real]]:
    yield from ([real(factor) * x for x in c_mean] for factor in FACTORS)
    yield from ([real(sign) for _ in c_mean] for sign in ("1", "-1"))


def _conditions(law: excess_risk.Law, vertices: Sequence[Sequence[Fraction]], c_mean: Sequence[Fraction]) -> Values:
    m = symbolic()
    table = [[m.real(x) for x in w] for w in vertices]
    w_mean = excess_risk.best(vertices, c_mean)[0]
    taken = [w for w in vertices if excess_risk.probability(law, vertices, w)]
    return {
        "face_diameter": calibration.face_diameter(m, "polytope", table, [m.real(x) for x in c_mean]),
        "asymmetry": m.real(excess_risk.asymmetry(law)),
        "singular_mass": m.real(0),
        "inradius": m.real(excess_risk.inner_radius(vertices)),
        "largest_excess": m.real(max(b - 2 * x for _, _, high in law for b, x in zip(high, c_mean, strict=True))),
        "least_cost": m.real(min(a for _, low, _ in law for a in low)),
        "decision_gap": m.max(*(m.norm([m.real(a - b) for a, b in zip(w, w_mean, strict=True)]) for w in taken)),
        "misfit": m.real(0),
    }
