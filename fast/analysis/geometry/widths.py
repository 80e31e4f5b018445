"""Gaussian widths and Minkowski norms in doubles.

The mean norm of a normal vector: a table from exact rationals for small d, the series of Gamma(z + 1/2)/Gamma(z) beyond,
where the two logarithms of the Gamma function would cancel.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.pairs import more
from dpsco.fast.quadrature import legendre
from dpsco.spec.analysis.geometry import widths as spec

TABLE = 400
SERIES = (1.0, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144)
"""Gamma(z + 1/2)/(sqrt(z) Gamma(z)) in powers of 1/z."""
NODES, WEIGHTS = legendre(48)
LAST = 40.0
"""Beyond it a normal variable is below the smallest double."""


def _table() -> list[float]:
    odd, even = Fraction(1), Fraction(1)
    found = [math.nan, math.sqrt(2 / math.pi), math.sqrt(math.pi / 2)]
    for k in range(1, TABLE // 2):
        odd, even = odd * Fraction(2 * k, 2 * k - 1), even * Fraction(2 * k + 1, 2 * k)
        found += [found[1] * float(odd), found[2] * float(even)]
    return found


MEANS = np.array(_table())


def dimension(d: int) -> int:
    """The dimension as an int; ValueError for what is none."""
    if not (float(d).is_integer() and d >= 1):
        raise ValueError(f"d={d}: an integer of at least 1 is allowed")
    return int(d)


def ball_width(d: int) -> float:
    count = dimension(d)
    if count < MEANS.size:
        return float(MEANS[count])
    z, total = count / 2, 0.0
    for c in reversed(SERIES):
        total = c + total / z
    return math.sqrt(count) * total


@kernel()
def extreme(d: float, signed: bool) -> float:
    """E max g_j, or E max |g_j|, over d normal variables: panels of length 1/2."""
    total, t = 0.0, 0.0
    while t < LAST:
        for i in range(NODES.size):
            at = t + 0.5 * NODES[i]
            beyond = 0.5 * math.erfc(at / math.sqrt(2.0))
            chance = beyond if signed else 2.0 * beyond
            inside = -math.expm1(d * math.log1p(-chance)) if chance < 1.0 else 1.0
            total += 0.5 * WEIGHTS[i] * (inside - beyond**d if signed else inside)
        t += 0.5
    return total


def cross_polytope_width(d: int) -> float:
    """Gaussian width of the unit l_1 ball, E max |g_j| over d normal variables; ValueError unless d is an integer >= 1."""
    return float(extreme(float(dimension(d)), False))


def simplex_width(d: int) -> float:
    """Gaussian width of the probability simplex, E max g_j; ValueError unless d is an integer of at least 1."""
    return float(extreme(float(dimension(d)), True)) if dimension(d) > 1 else 0.0


@kernel()
def mean_support(normals: Any, vertices: Any) -> float:
    total = 0.0
    for i in range(normals.shape[0]):
        largest = -math.inf
        for k in range(vertices.shape[0]):
            inner = 0.0
            for j in range(normals.shape[1]):
                inner += normals[i, j] * vertices[k, j]
            largest = max(largest, inner)
        total += largest
    return total / normals.shape[0]


def table(name: str, value: Any) -> Any:
    """A finite two-dimensional array with at least one row and one column; ValueError otherwise."""
    found = np.ascontiguousarray(value, dtype=np.float64)
    if found.ndim != 2 or found.size == 0 or not np.isfinite(found).all():
        raise ValueError(f"{name} is a table of finite numbers with at least one row and one column, got {found.shape}")
    return found


def sampled_width(normals: Any, vertices: Any) -> float:
    draws, points = table("normals", normals), table("vertices", vertices)
    if draws.shape[1] != points.shape[1]:
        raise ValueError(f"normals and vertices have one dimension, got {draws.shape[1]} and {points.shape[1]}")
    return float(mean_support(draws, points))


def spans(faces: Any) -> bool:
    """Whether the rows span the space: doubles decide where they are sure, fractions where rows are nearly dependent."""
    largest = np.max(np.abs(faces), axis=1)
    d, some = faces.shape[1], faces[largest > 0.0]
    if np.linalg.matrix_rank(some / largest[largest > 0.0, None]) == d:
        return True
    left = [[Fraction(float(x)) for x in row] for row in some]
    for j in range(d):
        pivot = next((row for row in left if row[j]), None)
        if pivot is None:
            return False
        left = [[x - row[j] / pivot[j] * y for x, y in zip(row, pivot, strict=True)] for row in left if row is not pivot]
    return True


def body(rows: Any, offsets: Any) -> tuple[Any, Any]:
    """The faces of a symmetric convex polytope around the origin; ValueError where |.|_C is no norm."""
    faces, sides = table("rows", rows), np.ascontiguousarray(offsets, dtype=np.float64)
    if sides.shape != (faces.shape[0],) or not np.isfinite(sides).all():
        raise ValueError(f"offsets has one finite entry a row, got {sides.shape} for {faces.shape[0]} rows")
    if not (sides > 0.0).all():
        raise ValueError(f"offsets={sides.min()}: positive ones are allowed, the origin lies inside C")
    with np.errstate(over="ignore"):
        scaled = faces / sides[:, None]
    if not (np.isfinite(scaled).all() and (scaled.any(axis=1) == faces.any(axis=1)).all()):
        raise ValueError("rows: entries over their offset are beyond the doubles")
    if {tuple(row) for row in scaled + 0.0} != {tuple(row) for row in 0.0 - scaled}:
        raise ValueError("rows: C is not symmetric around the origin, and has no Minkowski norm")
    if not spans(faces):
        raise ValueError("rows: C is not bounded, and has no Minkowski norm")
    return faces, sides


def minkowski(rows: Any, offsets: Any, x: Any) -> float:
    faces, sides = body(rows, offsets)
    point = table("x", [x])
    if point.shape[1] != faces.shape[1]:
        raise ValueError(f"x has the dimension of the rows, got {point.shape[1]} and {faces.shape[1]}")
    return max(0.0, largest_share(faces, sides, point[0]))


@kernel()
def largest_share(faces: Any, sides: Any, x: Any) -> float:
    """Largest <a, x>/b."""
    largest = -math.inf
    for i in range(faces.shape[0]):
        inner = (0.0, 0.0)
        for j in range(x.size):
            inner = more(inner, faces[i, j], x[j])
        largest = max(largest, (inner[0] + inner[1]) / sides[i])
    return largest


def least_distance(rows: Any, offsets: Any) -> float:
    faces, sides = body(rows, offsets)
    lengths = [math.hypot(*row) for row in faces]
    return min(float(b) / length if length > 0.0 else math.inf for b, length in zip(sides, lengths, strict=True))


for _function, _contract in ((ball_width, spec.ball_width), (sampled_width, spec.sampled_width)):
    bind(_function, _contract)
bind(minkowski, spec.minkowski)
bind(least_distance, spec.least_distance)
