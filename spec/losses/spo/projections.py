"""The nearest decision on hulls of finitely many points: a quadratic program, solved through the oracle and certified by it.

A point w of a convex S with gap g = max over u in S of (v - w)'(u - w) is within sqrt(g) of the nearest one: for the nearest p,
(v - w)'(p - w) <= g and (v - p)'(w - p) <= 0 add up to |p - w|^2 <= g. One call of the oracle, at w - v, finds the maximum.
"""

from random import Random

from dpsco.spec.contract import FINITE, NONNEGATIVE, SUBOPTIMALITY, Inputs, contract
from dpsco.spec.losses.spo.regions import REGIONS, Table, Vector, dimension, some_cost

HULLS = ("polytope", "paths", "knapsack")
"""Shapes whose projection has no closed form."""
MORE: tuple[tuple[str, Table], ...] = (
    ("paths", [[4.0, 4.0]]),
    ("knapsack", [[3.0, 1.0, 2.0, 2.0, 4.0], [6.0]]),
    ("polytope", [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.25, 0.25, 0.25]]),
    ("polytope", [[1e6, 0.0], [-1e6, 1e-3]]),
)
TRIED = tuple(region for region in REGIONS if region[0] in HULLS) + MORE


def any_point(random: Random) -> Inputs:
    """A hull, and a point inside, far outside, or one of equal distances to many faces."""
    shape, table = random.choice([region for region in TRIED if region != ("paths", [[5.0, 5.0]])])
    scale = random.choice((0.03, 0.25, 1.0, 100.0))
    return {"shape": shape, "table": table, "v": [scale * x for x in some_cost(random, dimension(shape, table))]}


HARD: tuple[Inputs, ...] = tuple(
    {"shape": shape, "table": table, "v": [x] * dimension(shape, table)} for shape, table in TRIED for x in (0.0, 0.5, -3.0)
)


@contract(metric=SUBOPTIMALITY, range=(FINITE, NONNEGATIVE), generate=any_point, hard=HARD)
def nearest(shape: str, table: Table, v: Vector) -> tuple[Vector, float]:
    """The point of S that is nearest to v, and how far off the answer may be.

    argmin over w in S of |w - v|_2

    Domain   shape: polytope, paths or knapsack; v of the dimension of S
    Returns  (w, bound), decisions: w is within `bound` of the nearest point. The bound is the root of the variational gap
             (v - w)'(u - w) at the oracle's u, so about the root of the rounding error of |v - w| |u - w|, far more than w is
             off by, and infinite where squares overflow. What `regress` measures is the distance from the exact answer over
             the bound, at most 1
    Raises   ValueError for another shape, a table that is no such set, v of another length or not finite
    Source   spo, Appendix A; Wolfe 1976, Finding the nearest point in a polytope
    """
