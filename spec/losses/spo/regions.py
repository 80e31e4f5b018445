"""Sets S of decisions behind one oracle: a name and a table of numbers, and what is asked of both.

    shape      table                      S
    ball       [center], [radius]         |w - center|_2 <= radius
    sphere     [center], [radius]         |w - center|_2 = radius (not convex; the paper's experiments)
    l1_ball    [center], [radius]         |w - center|_1 <= radius
    simplex    [corner], [size]           corner + size * {w >= 0, sum of w = 1}
    box        [lower], [upper]           lower <= w <= upper; ends may be infinite
    polytope   one row a vertex           their convex hull
    paths      [rows, columns]            hull of the paths through a grid of nodes, from the first corner to the last
    knapsack   [weights], [capacity]      hull of the 0-1 vectors of weight at most the capacity, a whole number
    halfspaces [normal ..., offset], ...  normal'w <= offset for each row: a polyhedron, by a linear-programming solver

Ties: the oracle w*(c) is a function, so it says which minimiser it takes. At c = 0 it is the center of ball and l1 ball, on
the sphere center - radius e_1; l1 ball and simplex: the first coordinate among the best; box: the middle where c_j = 0 (the
finite end of a half line, 0 on the line); polytope: the first of its vertices; paths: a step to the right before one down;
knapsack: things are left out rather than packed, the first ones first; half-spaces: the one that the solver ends at. Edges of
a grid are numbered row by row: those to the right of a row's nodes, then those down from them.
"""

import math
from collections.abc import Sequence
from random import Random
from typing import Any

from dpsco.spec.contract import FINITE, SUM_SCALED, Inputs, contract

Vector = list[float]
Table = list[list[float]]
SHAPES = ("ball", "sphere", "l1_ball", "simplex", "box", "polytope", "paths", "knapsack", "halfspaces")
ROUND = ("ball", "sphere", "l1_ball", "simplex")
"""Shapes that have a center, or a corner, and one length."""
PROJECTED = (*ROUND, "box")
"""Shapes with a projection in closed form or by sorting; for the others it is a quadratic program, see `projections`."""


def checked(shape: str, table: Table) -> None:
    """ValueError unless the table describes a nonempty closed set of that shape; whether half-spaces meet, a solver finds."""
    if shape not in SHAPES:
        raise ValueError(f"shape is one of {', '.join(SHAPES)}, got {shape!r}")
    if not table or not table[0]:
        raise ValueError(f"table of a {shape} has rows of at least one number, got {table!r}")
    numbers = [x for row in table for x in row]
    if any(x != x for x in numbers) or (shape != "box" and any(abs(x) == math.inf for x in numbers)):
        raise ValueError(f"table of a {shape} holds finite numbers, got {table!r}")
    special = {"box": _box, "polytope": _polytope, "paths": _paths, "knapsack": _knapsack, "halfspaces": _halfspaces}
    special.get(shape, _round)(shape, table)


def _round(shape: str, table: Table) -> None:
    if len(table) != 2 or len(table[1]) != 1 or not table[1][0] >= 0:
        raise ValueError(f"table of a {shape} is [center], [length] with length >= 0 (else the set is empty), got {table!r}")


def _box(shape: str, table: Table) -> None:
    if len(table) != 2 or len(table[0]) != len(table[1]):
        raise ValueError(f"table of a box is [lower], [upper], equally long, got {table!r}")
    for low, high in zip(*table, strict=True):
        if not low <= high or low == math.inf or high == -math.inf:
            raise ValueError(f"lower <= upper with a number between them (else the box is empty), got {low} and {high}")


def _polytope(shape: str, table: Table) -> None:
    if any(len(row) != len(table[0]) for row in table):
        raise ValueError(f"vertices of a polytope are equally long, got lengths {sorted({len(row) for row in table})}")


def _paths(shape: str, table: Table) -> None:
    whole = len(table) == 1 and len(table[0]) == 2 and all(x >= 1 and x == int(x) for x in table[0])
    if not whole or table[0][0] * table[0][1] < 2:
        raise ValueError(f"table of paths is [rows, columns], whole numbers of at least 1, two nodes or more, got {table!r}")


def _knapsack(shape: str, table: Table) -> None:
    whole = len(table) == 2 and len(table[1]) == 1 and all(x >= 0 and x == int(x) for row in table for x in row)
    if not whole:
        raise ValueError(f"table of a knapsack is [weights], [capacity], whole numbers of at least 0, got {table!r}")


def _halfspaces(shape: str, table: Table) -> None:
    if any(len(row) != len(table[0]) for row in table) or len(table[0]) < 2:
        raise ValueError(
            f"rows of halfspaces are a normal and an offset, equally long, got lengths {[len(row) for row in table]}"
        )
    for *normal, offset in table:
        if not any(normal) and offset < 0:
            raise ValueError(f"halfspaces: 0 <= {offset} has no solution (the set is empty)")


def dimension(shape: str, table: Table) -> int:
    """d, the length of a decision: for paths the number of edges."""
    if shape == "halfspaces":
        return len(table[0]) - 1
    if shape != "paths":
        return len(table[0])
    rows, columns = (int(x) for x in table[0])
    return rows * (columns - 1) + (rows - 1) * columns


def fits(shape: str, table: Table, **vectors: Sequence[Any]) -> None:
    """ValueError unless the set is one and the vectors are finite and of its dimension."""
    checked(shape, table)
    d = dimension(shape, table)
    for name, vector in vectors.items():
        if len(vector) != d:
            raise ValueError(f"{name} has the dimension {d} of the {shape}, got {len(vector)} numbers")
        if not all(abs(x) < math.inf for x in vector):
            raise ValueError(f"{name} holds finite numbers, got {vector!r}")


def unbounded(name: str, j: int) -> ValueError:
    """The error of a linear objective that falls without end on a box."""
    return ValueError(f"{name} has no least value: coordinate {j} of the box is not bounded where the objective falls")


REGIONS: tuple[tuple[str, Table], ...] = (
    ("ball", [[0.0, 0.0], [1.0]]),
    ("ball", [[3.0, -2.0, 0.5], [0.25]]),
    ("sphere", [[0.0, 0.0, 0.0], [1.0]]),
    ("sphere", [[0.0], [2.0]]),
    ("l1_ball", [[1.0, 0.0, -1.0], [2.0]]),
    ("simplex", [[0.0, 0.0, 0.0], [1.0]]),
    ("simplex", [[-1.0, 2.0], [3.0]]),
    ("box", [[-1.0, 2.0], [1.0, 2.0]]),
    ("box", [[-1.0], [1.0]]),
    ("polytope", [[0.0, 0.0], [2.0, 0.0], [0.0, 1.0], [2.0, 1.0], [1.0, 0.0]]),
    ("polytope", [[1.0, 1.0, 1.0]]),
    ("paths", [[3.0, 3.0]]),
    ("paths", [[5.0, 5.0]]),
    ("paths", [[1.0, 4.0]]),
    ("knapsack", [[2.0, 3.0, 4.0, 0.0], [5.0]]),
    ("knapsack", [[7.0, 1.0], [0.0]]),
)
"""Sets off the origin, without interior, not polyhedral, of one point, on the line."""


def some_cost(random: Random, d: int) -> Vector:
    """Eighths, with zeros and ties: sums of them are exact in doubles, so that a tie is one in every room."""
    scale = random.choice((1, 3, 16))
    return [random.choice((0, 0, 1, -1, random.randint(-40, 40))) * scale / 8 for _ in range(d)]


def any_objective(random: Random) -> Inputs:
    """A set and a cost with ties."""
    shape, table = random.choice(REGIONS)
    return {"shape": shape, "table": table, "c": some_cost(random, dimension(shape, table))}


def any_point(random: Random) -> Inputs:
    """A set with a closed projection, and a point inside, outside or on its boundary."""
    shape, table = random.choice([(shape, table) for shape, table in REGIONS if shape in PROJECTED])
    return {"shape": shape, "table": table, "v": [x / 4 for x in some_cost(random, dimension(shape, table))]}


def any_pair(random: Random) -> Inputs:
    """A set, a cost and a prediction: often tied, sometimes zero or a multiple of each other."""
    found = any_objective(random)
    c = found["c"]
    assert isinstance(c, list)
    c_hat = random.choice((some_cost(random, len(c)), some_cost(random, len(c)), [x / 2 for x in c], [-x for x in c]))
    return {**found, "c_hat": c_hat}


def any_smoothed(random: Random) -> Inputs:
    """The same on sets with a closed projection, with a smoothing parameter."""
    shape, table = random.choice([(shape, table) for shape, table in REGIONS if shape in PROJECTED])
    c, c_hat = (some_cost(random, dimension(shape, table)) for _ in range(2))
    return {"shape": shape, "table": table, "c": c, "c_hat": c_hat, "mu": 10 ** random.uniform(-3, 3)}


ZERO: tuple[Inputs, ...] = tuple(
    {"shape": shape, "table": table, "c": [x] * dimension(shape, table)} for shape, table in REGIONS for x in (0.0, 1.0, -2.0)
)

PAIRS: tuple[Inputs, ...] = tuple(
    {**found, "c_hat": [x] * dimension(shape, table)}
    for found, (shape, table) in zip(ZERO, [region for region in REGIONS for _ in range(3)], strict=True)
    for x in (0.0, 0.5)
)


@contract(metric=SUM_SCALED, range=FINITE, generate=any_objective, hard=ZERO)
def minimiser(shape: str, table: Table, c: Vector) -> Vector:
    """The oracle w*(c): a minimiser of c'w over S, the one that the tie rule picks.

    Domain   c of the dimension of S
    Returns  a vector of S, in the unit of decisions; terms: |center_j| + radius for ball and sphere, else |w_j|
    Raises   ValueError for a table that is no such set (an empty one among them), for c of another length or not finite, and
             for a box or half-spaces unbounded where c'w falls; in doubles ImportError for half-spaces without scipy
    Source   spo, Section 3.1, w*(c)
    """


@contract(metric=SUM_SCALED, range=FINITE, generate=any_objective, hard=ZERO)
def support(shape: str, table: Table, c: Vector) -> float:
    """The support function of S.

    max over w in S of c'w = -z*(-c)

    Domain   c of the dimension of S
    Returns  in cost times decision; terms: |c_j w_j|, and |c| radius for ball and sphere
    Raises   as `minimiser`
    Source   spo, Section 3.1, z*(c)
    """


@contract(metric=SUM_SCALED, range=FINITE, generate=any_point)
def projection(shape: str, table: Table, v: Vector) -> Vector:
    """The point of S that is nearest to v; on the sphere, from its center, the point center - radius e_1.

    Domain   v of the dimension of S
    Returns  a vector of S, in the unit of decisions; terms: |v_k - center_k| over all k and |center_j|, for a box |w_j|
    Raises   ValueError as `minimiser`, but on unbounded sets
    Source   spo, Appendix A
    """
