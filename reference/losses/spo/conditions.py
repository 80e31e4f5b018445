"""The numbers on which conditions are put, for one law of c given x and one S, exactly; and which conditions they meet.

A law is a list of (probability, cost), or a mixture of uniform laws on boxes as in `excess_risk` for costs with a density.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from dpsco.reference.losses.spo import calibration, excess_risk, halfspaces, regions
from dpsco.spec.losses.spo import conditions as spec
from dpsco.spec.losses.spo.regions import Table
from dpsco.spec.numbers import Numbers, Real

Vector = Sequence[Real]


def degeneracy_distance(m: Numbers, shape: str, table: Table, c: Vector) -> Real:
    """The distance from c to the nearest cost for which two decisions are best; infinite where S is one point.

    On balls and spheres |c|; else the least of c'(v - w)/|v - w| over the vertices v other than w = w*(c): a cost that makes v
    as good as w is at least that far, and on the way to the nearest of them the tie happens.

    Domain   c of the dimension of S
    Raises   ValueError as `regions.vertices`
    """
    if shape in ("ball", "sphere"):
        return m.norm([m.real(x) for x in c]) if table[1][0] > 0 else m.inf
    listed = regions.vertices(m, shape, table)
    w = regions.oracle(m, shape, table, c)
    steps = [[a - b for a, b in zip(v, w, strict=True)] for v in listed]
    apart = [step for step in steps if any(x != 0 for x in step)]
    if not apart:
        return m.inf
    return m.min(*(m.dot([m.real(x) for x in c], step) / m.norm(step) for step in apart))


def strength(m: Numbers, shape: str, table: Table) -> Real:
    """mu of the strength property, 2/diameter; infinite where S is one point.

    On a ball c'(w - w*(c)) >= |c| |w - w*(c)|^2/(2 radius), an equality on its sphere. On a polytope c'(w - w*(c)) >= nu
    |w - w*(c)| for w a vertex, so for each w by the triangle inequality, and |w - w*(c)| is at most the diameter.
    """
    size = regions.diameter(m, shape, table)
    if size == 0:
        return m.inf
    return 2 / size


def inner_radius(m: Numbers, shape: str, table: Table) -> Real:
    """A radius such that S holds a ball of it, positive exactly where S has interior."""
    d = regions.dimension(shape, table)
    if shape in ("sphere", "simplex", "paths"):  # what leaves the first corner of a grid adds up to 1, as a simplex does
        return m.real(0)
    if shape in ("ball", "l1_ball"):
        return table[1][0] / (m.sqrt(m.real(d)) if shape == "l1_ball" else m.real(1))
    if shape == "box":
        return m.min(*((m.real(b) - m.real(a)) / 2 for a, b in zip(*table, strict=True)))
    if shape == "halfspaces":
        listed = halfspaces.corners(table)
    elif shape == "polytope":
        listed = [[Fraction(x) for x in row] for row in table]
    else:
        listed = [[Fraction(int(x)) for x in w] for w in regions.vertices(m, shape, table)]
    radius = max((r for chosen in combinations(listed, d + 1) if (r := inscribed(chosen))), default=Fraction(0))
    return m.frac(radius.numerator, radius.denominator)


def inscribed(corners: Sequence[Sequence[Fraction]]) -> Fraction:
    """A radius in the simplex of d + 1 points, 0 where they lie in a plane: 1 over the sum of the lengths of the barycentric
    coordinates' gradients, for which the larger sums of absolute values stand here."""
    total = Fraction(0)
    for i in range(len(corners)):
        rows = [[*w, Fraction(1), Fraction(int(i == k))] for k, w in enumerate(corners)]
        found = halfspaces.meeting(rows)
        if found is None:
            return Fraction(0)
        total += sum((abs(x) for x in found[:-1]), start=Fraction(0))
    return 1 / total


def asymmetry(m: Numbers, law: calibration.Law) -> Real:
    """Total variation between the laws of c - E[c] and E[c] - c, for finitely many costs."""
    centre = calibration.mean(m, law)

    def mass(c: Vector) -> Real:
        return sum((p for p, other in law if list(other) == list(c)), start=m.real(0))

    mirrored = [[2 * a - x for a, x in zip(centre, c, strict=True)] for _, c in law]
    distinct = {tuple(c): c for c in [*(c for _, c in law), *mirrored]}.values()
    twice = sum((m.abs(mass(c) - mass([2 * a - x for a, x in zip(centre, c, strict=True)])) for c in distinct), start=m.real(0))
    return twice / 2


def of_points(m: Numbers, shape: str, table: Table, law: calibration.Law) -> dict[str, Real]:
    """The numbers of a law of finitely many costs: it has no density."""
    shared = calibration.conditions(m, shape, table, law)
    names = ("largest_excess", "least_cost", "face_diameter")
    return {
        **{name: shared[name] for name in names},
        **_of_mean(m, shape, table, calibration.mean(m, law)),
        "asymmetry": asymmetry(m, law),
        "singular_mass": m.real(1),
    }


def of_boxes(m: Numbers, shape: str, table: Table, law: excess_risk.Law) -> dict[str, Real]:
    """The numbers of a mixture of uniform laws on boxes, one or two dimensions: it has a density."""
    exact = excess_risk.mean(law)
    centre = [m.frac(x.numerator, x.denominator) for x in exact]
    largest = max(b - 2 * a for _, _, high in law for a, b in zip(exact, high, strict=True))
    least, odd = min(x for _, low, _ in law for x in low), excess_risk.asymmetry(law)
    return {
        **{name: m.frac(x.numerator, x.denominator) for name, x in (("largest_excess", largest), ("least_cost", least))},
        "face_diameter": calibration.face_diameter(m, shape, table, centre),
        **_of_mean(m, shape, table, centre),
        "asymmetry": m.frac(odd.numerator, odd.denominator),
        "singular_mass": m.real(0),
    }


def _of_mean(m: Numbers, shape: str, table: Table, centre: Vector) -> dict[str, Real]:
    return {
        "inradius": inner_radius(m, shape, table),
        "degeneracy_distance": degeneracy_distance(m, shape, table, centre),
        "strength": strength(m, shape, table),
    }


def met(m: Numbers, numbers: Mapping[str, Real], margin: Any) -> dict[str, dict[str, bool]]:
    """For each statement of `spec.CONDITIONS` its conditions in words, and whether the numbers meet them.

    Domain   numbers: as `of_points` and `of_boxes` give them; margin > 0 (cost)
    Raises   ValueError for a margin that is not positive; ArithmeticError where the context cannot decide
    """
    if not margin > 0:
        raise ValueError(f"margin={margin}: must be positive")
    values = {**numbers, "margin": m.real(margin)}
    return {
        statement: {predicate.says: regions.sure(predicate(m, values)) for predicate in predicates}
        for statement, predicates in spec.CONDITIONS.items()
    }
