"""Linear programs in exact arithmetic, each solution with the dual one that proves it: for instances of a few hundred rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Vector = Sequence[Fraction]
Matrix = Sequence[Vector]
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Solution:
    """Least value, where it is reached, and the multipliers (of the inequalities, then of the equations) that prove it."""

    value: Fraction
    at: tuple[Fraction, ...]
    multipliers: tuple[Fraction, ...]


def minimise(cost: Vector, below: Matrix, bounds: Vector, equal: Matrix, values: Vector) -> Solution:
    """Least cost'x over x >= 0 with below x <= bounds and equal x = values.

    Two phases of the simplex method, pivots after Bland, so that it ends. The answer is checked: x is feasible, the
    multipliers y are (y <= 0 for inequalities, A'y <= cost), and both have the same value.

    Domain   bounds, values >= 0; rows of the length of cost
    Raises   ValueError where the program has no point or no least value, or a right side is negative
    """
    rows = [list(row) for row in (*below, *equal)]
    right = [*bounds, *values]
    if any(b < 0 for b in right):
        raise ValueError(f"bounds and values must be nonnegative, got {min(right)}")
    size, slack, count = len(cost), len(below), len(rows)
    table = [
        [*row, *_unit(i, slack), *_unit(i, count), b] for i, (row, b) in enumerate(zip(rows, right, strict=True))
    ]  # columns: x, slacks, artificial variables (one a row: their reduced costs are the multipliers), right side
    basis = [size + slack + i for i in range(count)]
    first = [ZERO] * (size + slack) + [ONE] * count
    _pivot_all(table, basis, first, size + slack + count)
    if sum((table[i][-1] for i in range(count) if basis[i] >= size + slack), ZERO) > 0:
        raise ValueError("the program has no feasible point")
    for i, b in enumerate(basis):  # an artificial variable that stays in the basis at 0 must not move again
        if b >= size + slack:
            j = next((j for j in range(size + slack) if table[i][j]), None)
            if j is not None:
                _pivot(table, basis, i, j)
    second = [*cost, *[ZERO] * (slack + count)]
    _pivot_all(table, basis, second, size + slack)
    at = [ZERO] * size
    for i, b in enumerate(basis):
        if b < size:
            at[b] = table[i][-1]
    multipliers = [-_reduced(table, basis, second, size + slack + i) for i in range(count)]
    return _checked(Solution(_dot(cost, at), tuple(at), tuple(multipliers)), cost, rows, right, slack)


def _unit(i: int, length: int) -> list[Fraction]:
    return [ONE if i == j else ZERO for j in range(length)]


def _dot(u: Vector, v: Vector) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True) if a and b), ZERO)


def _reduced(table: Matrix, basis: Sequence[int], cost: Vector, j: int) -> Fraction:
    return cost[j] - sum((cost[b] * row[j] for b, row in zip(basis, table, strict=True) if cost[b] and row[j]), ZERO)


def _pivot_all(table: list[list[Fraction]], basis: list[int], cost: Vector, free: int) -> None:
    """Pivot until no column before `free` has a negative reduced cost."""
    while True:
        enter = next((j for j in range(free) if _reduced(table, basis, cost, j) < 0), None)
        if enter is None:
            return
        ratios = [(row[-1] / row[enter], basis[i], i) for i, row in enumerate(table) if row[enter] > 0]
        if not ratios:
            raise ValueError("the program has no least value")
        _pivot(table, basis, min(ratios)[2], enter)


def _pivot(table: list[list[Fraction]], basis: list[int], i: int, j: int) -> None:
    pivot = table[i][j]
    table[i] = [x / pivot if x else x for x in table[i]]
    for k, row in enumerate(table):
        if k != i and row[j]:
            factor = row[j]
            table[k] = [x - factor * y if y else x for x, y in zip(row, table[i], strict=True)]
    basis[i] = j


def _checked(found: Solution, cost: Vector, rows: Matrix, right: Vector, slack: int) -> Solution:
    sides = [_dot(row, found.at) for row in rows]
    primal = all(x >= 0 for x in found.at) and all(
        (side <= b) if i < slack else (side == b) for i, (side, b) in enumerate(zip(sides, right, strict=True))
    )
    dual = all(y <= 0 for y in found.multipliers[:slack]) and all(
        _dot([row[j] for row in rows], found.multipliers) <= c for j, c in enumerate(cost)
    )
    if not (primal and dual and _dot(right, found.multipliers) == found.value):
        raise ArithmeticError("the simplex method ended at a point that its multipliers do not prove to be least")
    return found
