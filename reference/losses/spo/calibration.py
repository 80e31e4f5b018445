"""Expectations under laws of finitely many costs: the decisions that calibration compares, and its conditions as numbers.

A law is a list of (probability, cost) for one value of the features. The number context decides comparisons exactly: mpmath, or
computer algebra on rationals, where a ball's decisions are square roots.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from dpsco.reference.losses.spo import regions
from dpsco.spec.losses.spo.regions import Table
from dpsco.spec.numbers import Numbers, Real

Vector: TypeAlias = Sequence[Real]
Law: TypeAlias = Sequence[tuple[Real, Vector]]


def expectation(m: Numbers, law: Law, of: Callable[[Vector], Real]) -> Real:
    """E[of(c)]."""
    return sum((p * of(c) for p, c in law), start=m.real(0))


def mean(m: Numbers, law: Law) -> list[Real]:
    """E[c]; ValueError unless the probabilities are positive and add up to 1."""
    if not all(regions.sure(m.gt(p, 0)) for p, _ in law) or not regions.sure(m.eq(expectation(m, law, lambda c: 1), 1)):
        raise ValueError(f"law has positive probabilities that add up to 1, got {[p for p, _ in law]}")
    return [expectation(m, law, lambda c, j=j: c[j]) for j in range(len(law[0][1]))]  # type: ignore[misc]


def least_vector(m: Numbers, shape: str, table: Table) -> list[Real]:
    """The least value of each coordinate over S."""
    d = regions.dimension(shape, table)
    units = [[m.real(int(k == j)) for k in range(d)] for j in range(d)]
    return [regions.oracle(m, shape, table, unit)[j] for j, unit in enumerate(units)]


def decisions(m: Numbers, shape: str, table: Table, law: Law, c: Vector) -> dict[str, Any]:
    """The vectors that the claims name, for one cost of the law and the prediction E[c].

    w_mean is the worst of W*(E[c]) for this cost, the decision that the SPO loss charges for: where W*(E[c]) is a singleton,
    w*(E[c]).
    """
    c_mean = mean(m, law)
    steered = [2 * b - a for a, b in zip(c, c_mean, strict=True)]
    d = len(c)
    return {
        "c": c,
        "c_mean": c_mean,
        "w_star": regions.oracle(m, shape, table, c),
        "w_mean": regions.worst(m, shape, table, c, c_mean),
        "w_max": regions.oracle(m, shape, table, steered),
        "w_least": least_vector(m, shape, table),
        "mean_decision": [
            expectation(m, law, lambda a, j=j: regions.oracle(m, shape, table, a)[j])  # type: ignore[misc]
            for j in range(d)
        ],
    }


def conditions(m: Numbers, shape: str, table: Table, law: Law) -> Mapping[str, Real]:
    """The numbers on which the claims put their conditions."""
    c_mean, least = mean(m, law), least_vector(m, shape, table)
    w_mean, ones = regions.oracle(m, shape, table, c_mean), [m.real(1)] * len(c_mean)

    def regret(c: Vector) -> Real:
        """What w*(E[c]) costs above the least for c."""
        return m.dot(c, w_mean) - m.dot(c, regions.oracle(m, shape, table, c))

    def mirrored(c: Vector) -> list[Real]:
        return [2 * b - a for a, b in zip(c, c_mean, strict=True)]

    return {
        "largest_excess": m.max(*(-x for _, c in law for x in mirrored(c))),
        "least_cost": m.min(*(x for _, c in law for x in c)),
        "face_diameter": face_diameter(m, shape, table, c_mean),
        "least_gap": m.dot(ones, regions.oracle(m, shape, table, ones)) - m.dot(ones, least),
        "decision_gap": m.max(*(_distance(m, regions.oracle(m, shape, table, c), w_mean) for _, c in law)),
        "mirror_regret": m.max(*(regret(mirrored(c)) for _, c in law)),
    }


def face_diameter(m: Numbers, shape: str, table: Table, c: Vector) -> Real:
    """The diameter of W*(c)."""
    if shape in ("ball", "sphere"):
        return 2 * table[1][0] if all(regions.sure(m.eq(x, 0)) for x in c) else m.real(0)
    listed = regions.vertices(m, shape, table)
    values = [m.dot(c, w) for w in listed]
    least = values[regions.first_least(m, values)]
    best = [w for w, value in zip(listed, values, strict=True) if regions.sure(m.eq(value, least))]
    return m.max(m.real(0), *(_distance(m, u, v) for u in best for v in best))


def _distance(m: Numbers, u: Vector, v: Vector) -> Real:
    return m.norm([a - b for a, b in zip(u, v, strict=True)])
