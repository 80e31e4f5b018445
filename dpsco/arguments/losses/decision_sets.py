"""Sides of a claim about the SPO losses: proved for every set and dimension by algebra, or told apart at exact instances.

Instances are where such claims are hard: ties, zero costs, sets off the origin, of one point, without interior, on the line.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpsco.arguments.comparing import FOLLOWS, compare, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.losses.inner_products import combination
from dpsco.reference.losses.spo import regions
from dpsco.reference.losses.spo.loss import decisions
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Severity

Formula = Callable[..., Real]


@dataclass(frozen=True)
class Place:
    """A set, a cost, a prediction, and the numbers that a claim takes besides, as decimal strings."""

    shape: str
    table: tuple[tuple[float, ...], ...]
    c: tuple[str, ...]
    c_hat: tuple[str, ...]
    numbers: Mapping[str, str]

    def written(self) -> dict[str, str]:
        vectors = {"c": self.c, "c_hat": self.c_hat}
        return {
            "S": f"{self.shape} {', '.join(str(list(row)) for row in self.table)}",
            **{name: f"({', '.join(v)})" for name, v in vectors.items()},
            **self.numbers,
        }


SQUARE = ("box", ((-1.0, -1.0), (1.0, 1.0)))
LINE = ("box", ((-1.0,), (1.0,)))
TRIANGLE = ("polytope", ((2.0, 0.0), (0.0, 1.0), (3.0, 2.0)))
FLAT = ("simplex", ((0.0, 0.0, 0.0), (1.0,)))
POINT = ("polytope", ((2.0, -1.0),))
DIAMOND = ("l1_ball", ((3.0, 0.0), (1.0,)))
CASES: tuple[tuple[tuple[str, tuple[tuple[float, ...], ...]], tuple[str, ...], tuple[str, ...]], ...] = (
    (LINE, ("1",), ("-1",)),
    (LINE, ("2",), ("0",)),
    (LINE, ("0",), ("1",)),
    (LINE, ("-3",), ("0.25",)),
    (SQUARE, ("1", "0"), ("0", "1")),
    (SQUARE, ("1", "-2"), ("0", "0")),
    (SQUARE, ("0", "0"), ("1", "0")),
    (TRIANGLE, ("1", "-1"), ("1", "2")),
    (TRIANGLE, ("-1", "3"), ("0.5", "-0.25")),
    (TRIANGLE, ("0", "0"), ("0", "0")),
    (FLAT, ("1", "1", "2"), ("0", "0", "0")),
    (FLAT, ("1", "5", "2"), ("1", "1", "3")),
    (FLAT, ("-1", "-1", "-1"), ("2", "1", "1")),
    (POINT, ("4", "1"), ("-1", "7")),
    (DIAMOND, ("1", "0.5"), ("-1", "1")),
    (DIAMOND, ("2", "-2"), ("0", "0.5")),
    (("ball", ((0.0, 0.0), (1.0,))), ("4", "3"), ("-3", "4")),
    (("ball", ((1.0, 2.0, 2.0), (3.0,))), ("0", "0", "0"), ("2", "-1", "2")),
    (("paths", ((2.0, 3.0),)), ("1", "1", "1", "2", "1", "1", "1"), ("1", "1", "1", "1", "1", "1", "1")),
    (("knapsack", ((2.0, 3.0), (4.0,))), ("-1", "-2"), ("-1", "-1")),
)
ALPHAS = ("0", "1", "2", "-1", "-3.5", "100")


def places(**numbers: Sequence[str]) -> list[Place]:
    """The cases, each with every value of one more number (none: as they are)."""
    more: list[Mapping[str, str]] = [{name: value} for name, values in numbers.items() for value in values] or [{}]
    return [Place(*region, c, c_hat, extra) for region, c, c_hat in CASES for extra in more]


def values_at(m: Numbers, place: Place) -> dict[str, Any]:
    """The vectors and numbers under the names that formulas take; w_max for the place's alpha, 2 if it has none."""
    c, c_hat = ([m.real(x) for x in v] for v in (place.c, place.c_hat))
    numbers = {name: m.real(x) for name, x in place.numbers.items()}
    table = [list(row) for row in place.table]
    return {**numbers, **decisions(m, place.shape, table, c, c_hat, numbers.get("alpha", m.real(2)))}


def some_decisions(m: Numbers, place: Place) -> Iterator[list[Real]]:
    """Decisions of the set that are certainly in it: its vertices; on a ball the ends of its diameters along the axes."""
    table = [[m.real(x) for x in row] for row in place.table]
    if place.shape in ("ball", "sphere"):
        center, (radius,) = table
        yield from (
            [a + s * radius if k == j else a for k, a in enumerate(center)] for j in range(len(center)) for s in (-1, 1)
        )
    else:
        yield from regions.vertices(m, place.shape, [list(row) for row in place.table])


@dataclass(frozen=True, kw_only=True)
class Sides:
    """`left sign right`: the difference right - left by algebra (None: not expressed), and what is known not to be negative."""

    scope: str
    left: Formula
    sign: str
    right: Formula
    difference: Any
    slacks: Sequence[Any] = ()
    places: Sequence[Place] = ()
    lemmas: Sequence[Lemma] = ()
    severity: Severity = Severity.CONSTANT
    survives: str = ""
    remark: str | None = None
    over_decisions: bool = False
    """Whether the formulas take a free decision `w`, tried at all that `some_decisions` gives."""

    @property
    def known(self) -> str | None:
        """The sign that holds everywhere."""
        if self.difference is None:
            return None
        if self.difference == 0:
            return "="
        if combination(self.difference, self.slacks) is not None:
            return "<="
        return ">=" if combination(-self.difference, self.slacks) is not None else None


def told_apart(sides: Sides) -> tuple[Place, Real, Real] | None:
    """The first place where the two sides certainly have another sign between them."""
    m = arb()
    for place in sides.places:
        values = values_at(m, place)
        for w in some_decisions(m, place) if sides.over_decisions else [None]:
            here = values if w is None else {**values, "w": w}
            a, b = apply(sides.left, m, here), apply(sides.right, m, here)
            if compare(m, a, sides.sign, b) is False:
                return place, a, b
    return None


def decide(claim: Claim, sides: Sides) -> Finding:
    """Certified where algebra decides it for every set and dimension, refuted at an instance, else open."""
    found, known = told_apart(sides), sides.known
    certain = known is not None and sides.sign in FOLLOWS[known]
    if found is not None and certain:
        raise ArithmeticError(f"{claim.id}, {sides.scope}: proved with {known}, and yet contradicted at {found[0]}")
    coverage = (f"{len(sides.places)} instances",)
    if found is None:
        method = "inner products compared as polynomials, in every dimension"
        return proved(sides.scope, certain, method, lemmas=sides.lemmas, coverage=coverage, remark=sides.remark)
    place, a, b = found
    return refuted(
        sides.scope,
        " to ".join(dict.fromkeys(ends(b))),
        a,
        place.written(),
        method="both sides at one instance, in exact arithmetic or enclosed",
        severity=sides.severity,
        survives=sides.survives or "The definition as the claim says it in words.",
        coverage=coverage,
    )
