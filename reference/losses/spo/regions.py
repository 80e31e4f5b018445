"""Sets of decisions, literally: the oracle, the worst of all minimisers, support, projection, size.

Functions take a number context whose comparisons decide (mpmath; arb on exact numbers): a tie is one of the context's numbers.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, TypeAlias

from dpsco.reference.literal import literal
from dpsco.reference.losses.spo import halfspaces
from dpsco.reference.numbers.nearest_point import nearest
from dpsco.spec.losses.spo import regions as spec
from dpsco.spec.numbers import Numbers, Real, Truth

Vector: TypeAlias = Sequence[Real]
Sums = tuple[Any, Any]
"""A value and the sums of the absolute values of its terms."""
LARGEST_LIST = 100_000
"""Vertices that are listed at most."""


def sure(truth: Truth) -> bool:
    """The answer of a comparison; ArithmeticError where the context cannot decide it."""
    if truth is None:
        raise ArithmeticError("the oracle needs comparisons that are decided: exact numbers, or mpmath's")
    return bool(truth)


def first_least(m: Numbers, values: Sequence[Real]) -> int:
    """Index of the first of the least values."""
    best = 0
    for j, x in enumerate(values):
        if sure(m.lt(x, values[best])):
            best = j
    return best


def inner(m: Numbers, c: Vector, w: Vector) -> Real:
    """c'w over the entries where w is not 0."""
    there = [j for j, x in enumerate(w) if (x == 0) is not True]
    return m.dot([c[j] for j in there], [w[j] for j in there])


def promoted(m: Numbers, table: Any) -> list[list[Real]]:
    """The same numbers in the context."""
    return [[m.real(x) for x in row] for row in table]


def dimension(shape: str, table: Any) -> int:
    """d, the length of a decision."""
    return spec.dimension(shape, table)


def oracle(m: Numbers, shape: str, table: Any, c: Vector) -> list[Real]:
    """w*(c), see the contract `minimiser`."""
    spec.fits(shape, table, c=c)
    c = [m.real(x) for x in c]
    if shape == "box":
        return [_end(m, c, j, low, high) for j, (low, high) in enumerate(zip(*promoted(m, table), strict=True))]
    if shape in spec.ROUND:
        return _round(m, shape, promoted(m, table), c)
    listed = vertices(m, shape, table)
    return list(listed[first_least(m, [inner(m, c, w) for w in listed])])


def _end(m: Numbers, c: Vector, j: int, low: Real, high: Real) -> Real:
    if sure(m.eq(c[j], 0)):
        finite = [x for x in (low, high) if abs(x) < m.inf]
        return sum(finite, start=m.real(0)) / max(1, len(finite))
    end = low if sure(m.gt(c[j], 0)) else high
    if not abs(end) < m.inf:
        raise spec.unbounded("c", j)
    return end


def _round(m: Numbers, shape: str, table: Any, c: Vector) -> list[Real]:
    center, (radius,) = table
    still = all(sure(m.eq(x, 0)) for x in c)
    if shape == "simplex":
        return _moved(center, first_least(m, c), radius)
    if still and shape == "sphere":
        return _moved(center, 0, -radius)
    if still:
        return list(center)
    if shape == "l1_ball":
        j = first_least(m, [-m.abs(x) for x in c])
        return _moved(center, j, -radius if sure(m.gt(c[j], 0)) else radius)
    size = m.norm(c)
    return [a - radius * x / size for a, x in zip(center, c, strict=True)]


def _moved(center: Vector, j: int, by: Real) -> list[Real]:
    return [a + by if k == j else a for k, a in enumerate(center)]


def vertices(m: Numbers, shape: str, table: Any) -> list[list[Real]]:
    """The extreme points, in the order in which the oracle takes the first of the best.

    For paths: by the steps, right before down; for a knapsack: all 0-1 vectors that fit, 0 before 1 from the first thing on;
    for half-spaces, whose rows are doubles or fractions: by the rows that meet there.

    Raises   ValueError for a ball, a sphere, an unbounded box, empty or unbounded half-spaces, and for more than `LARGEST_LIST`
    """
    spec.checked(shape, table)
    if shape == "polytope":
        return promoted(m, table)
    if shape == "halfspaces":
        return [[m.frac(x.numerator, x.denominator) for x in w] for w in halfspaces.corners(table)]
    if shape == "simplex":
        corner, (size,) = promoted(m, table)
        return [_moved(corner, j, size) for j in range(len(corner))]
    if shape == "l1_ball":
        center, (radius,) = promoted(m, table)
        return [_moved(center, j, s * radius) for j in range(len(center)) for s in (-1, 1)]
    d = spec.dimension(shape, table)
    if shape in ("ball", "sphere") or (shape == "box" and any(abs(x) == m.inf for row in table for x in row)):
        raise ValueError(f"shape has finitely many extreme points, got {shape!r} with table {table!r}")
    if shape != "paths" and 2**d > LARGEST_LIST:
        raise ValueError(f"at most {LARGEST_LIST} vertices are listed, got 2^{d}")
    if shape == "box":
        return [list(ends) for ends in product(*zip(*promoted(m, table), strict=True))]
    if shape == "knapsack":
        weights, (capacity,) = table
        packed = product((0, 1), repeat=d)
        return [[m.real(x) for x in w] for w in packed if sum(a * x for a, x in zip(weights, w, strict=True)) <= capacity]
    (rows, columns), zero, one = (int(x) for x in table[0]), m.real(0), m.real(1)
    return [[one if e in path else zero for e in range(d)] for path in paths(rows, columns)]


@cache
def paths(rows: int, columns: int) -> tuple[frozenset[int], ...]:
    """The edges of each path from the first corner of the grid to the last, right before down."""

    def onward(i: int, j: int) -> Iterator[frozenset[int]]:
        if i == rows - 1 and j == columns - 1:
            yield frozenset()
        start = i * (2 * columns - 1)
        if j < columns - 1:
            yield from (rest | {start + j} for rest in onward(i, j + 1))
        if i < rows - 1:
            yield from (rest | {start + columns - 1 + j} for rest in onward(i + 1, j))

    found = tuple(onward(0, 0))
    if len(found) > LARGEST_LIST:
        raise ValueError(f"at most {LARGEST_LIST} paths are listed, got {len(found)}")
    return found


def worst(m: Numbers, shape: str, table: Any, c: Vector, c_hat: Vector) -> list[Real]:
    """The maximiser of c'w over W*(c_hat), all minimisers of c_hat'w: the decision that the SPO loss charges for.

    Raises   ValueError as `minimiser`, and where c'w has no largest value over W*(c_hat)
    """
    spec.fits(shape, table, c=c, c_hat=c_hat)
    c_hat, against = [m.real(x) for x in c_hat], [-m.real(x) for x in c]
    if shape == "box":
        mixed = [b if not sure(m.eq(b, 0)) else a for a, b in zip(against, c_hat, strict=True)]
        return oracle(m, shape, table, mixed)
    if shape in ("ball", "sphere"):
        return oracle(m, shape, table, against if all(sure(m.eq(x, 0)) for x in c_hat) else c_hat)
    listed = vertices(m, shape, table)
    predicted = [inner(m, c_hat, w) for w in listed]
    least = predicted[first_least(m, predicted)]
    tied = [w for w, value in zip(listed, predicted, strict=True) if sure(m.eq(value, least))]
    return list(tied[first_least(m, [inner(m, against, w) for w in tied])])


@literal(spec.minimiser)
def minimiser(m: Numbers, shape: str, table: Any, c: Any) -> Sums:
    w = oracle(m, shape, table, c)
    if shape in ("ball", "sphere"):
        return w, [m.abs(a) + table[1][0] for a in table[0]]
    return w, [m.abs(x) for x in w]


@literal(spec.support)
def support(m: Numbers, shape: str, table: Any, c: Any) -> Sums:
    w = oracle(m, shape, table, [-x for x in c])
    terms = sum((m.abs(a * x) for a, x in zip(c, w, strict=True)), start=m.real(0))
    return m.dot(c, w), terms + (m.norm(c) * table[1][0] if shape in ("ball", "sphere") else 0)


@literal(spec.projection)
def projection(m: Numbers, shape: str, table: Any, v: Any) -> Sums:
    w = project(m, shape, table, v)
    if shape not in spec.ROUND:
        return w, [m.abs(x) for x in w]
    away = sum((m.abs(x - a) for x, a in zip(v, table[0], strict=True)), start=table[1][0])
    return w, [m.abs(a) + away for a in table[0]]


def project(m: Numbers, shape: str, table: Any, v: Vector) -> list[Real]:
    """The nearest point of S; for polytopes, paths and knapsacks by Wolfe's method on the oracle."""
    spec.fits(shape, table, v=v)
    v = [m.real(x) for x in v]
    if shape == "box":
        return [m.max(low, m.min(high, x)) for x, low, high in zip(v, *promoted(m, table), strict=True)]
    if shape not in spec.ROUND:
        return nearest(m, vertices(m, shape, table), v)
    center, (radius,) = promoted(m, table)
    out = [x - a for x, a in zip(v, center, strict=True)]
    if shape in ("ball", "sphere"):
        size = m.norm(out)
        if sure(m.eq(size, 0)):
            return list(center) if shape == "ball" else _moved(center, 0, -radius)
        if shape == "ball" and sure(m.le(size, radius)):
            return list(v)
        return [a + radius * x / size for a, x in zip(center, out, strict=True)]
    if shape == "simplex":
        return [a + x for a, x in zip(center, _on_simplex(m, out, radius), strict=True)]
    if sure(m.le(m.norm(out, 1), radius)):
        return list(v)
    sizes = _on_simplex(m, [m.abs(x) for x in out], radius)
    return [a + (s if sure(m.ge(x, 0)) else -s) for a, x, s in zip(center, out, sizes, strict=True)]


def _on_simplex(m: Numbers, v: Vector, size: Real) -> list[Real]:
    """max(v_j - t, 0) with the t that makes the sum `size`: the sorted entries tell how many stay positive."""
    total, t = -size, m.real(0)
    for k, x in enumerate(sorted(v, reverse=True), 1):
        total = total + x
        if sure(m.gt(x * k, total)):
            t = total / k
    return [m.max(x - t, m.real(0)) for x in v]


def diameter(m: Numbers, shape: str, table: Any) -> Real:
    """The largest distance of two decisions; infinite for an unbounded box."""
    spec.checked(shape, table)
    zero, numbers = m.real(0), promoted(m, table)
    if shape in ("ball", "sphere", "l1_ball"):
        return 2 * numbers[1][0]
    if shape == "simplex":
        return m.sqrt(m.real(2)) * numbers[1][0] if len(table[0]) > 1 else zero
    if shape == "box":
        return m.norm([high - low for low, high in zip(*numbers, strict=True)])
    listed = vertices(m, shape, table)
    return m.max(zero, *(m.norm([x - y for x, y in zip(a, b, strict=True)]) for a in listed for b in listed))


def norm_bound(m: Numbers, shape: str, table: Any) -> Real:
    """The largest |w|_2 of a decision: the paper's B_w at its least; infinite for an unbounded box."""
    spec.checked(shape, table)
    numbers = promoted(m, table)
    if shape in ("ball", "sphere"):
        return m.norm(numbers[0]) + numbers[1][0]
    if shape == "box":
        return m.norm([m.max(m.abs(low), m.abs(high)) for low, high in zip(*numbers, strict=True)])
    return m.max(*(m.norm(w) for w in vertices(m, shape, table)))
