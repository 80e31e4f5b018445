"""Vertices of polyhedra {w : A w <= b}, literally: every d rows that meet in one point, in exact fractions."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from dpsco.spec.losses.spo import halfspaces as spec
from dpsco.spec.losses.spo import regions

LARGEST = 100_000
"""Choices of rows that are tried at most."""
Row = Sequence[Fraction]


def corners(table: Any) -> list[list[Fraction]]:
    """The extreme points of a bounded polyhedron, each once.

    Domain   table: rows [normal ..., offset], doubles or fractions
    Raises   ValueError for an empty or an unbounded one, and for more than `LARGEST` choices of d rows
    """
    regions.checked("halfspaces", table)
    rows = [[Fraction(x) for x in row] for row in table]
    d = len(rows[0]) - 1
    if comb(len(rows), d) > LARGEST:
        raise ValueError(f"at most {LARGEST} choices of {d} rows are tried, got {comb(len(rows), d)}")
    found = {tuple(w) for chosen in combinations(rows, d) if (w := meeting(chosen)) is not None and inside(rows, w)}
    if not found:
        # nonempty without a vertex means that it holds a line: unbounded, or empty
        raise spec.unbounded("some c") if holds_a_point(rows) else spec.empty(table)
    if any(inside([[*normal, Fraction(0)] for *normal, _ in rows], ray) for ray in rays(rows)):
        raise spec.unbounded("some c")
    return [list(w) for w in sorted(found)]


def meeting(rows: Sequence[Row]) -> list[Fraction] | None:
    """The one point where d rows hold with equality; None where there is none or more than one."""
    left, d = [list(row) for row in rows], len(rows)
    for j in range(d):
        top = next((i for i in range(j, d) if left[i][j]), None)
        if top is None:
            return None
        left[j], left[top] = left[top], left[j]
        left[j] = [x / left[j][j] for x in left[j]]
        for i in range(d):
            if i != j:
                left[i] = [x - left[i][j] * y for x, y in zip(left[i], left[j], strict=True)]
    return [row[d] for row in left]


def inside(rows: Sequence[Row], w: Sequence[Fraction]) -> bool:
    """Whether A w <= b."""
    return all(sum((a * x for a, x in zip(normal, w, strict=True)), start=Fraction(0)) <= b for *normal, b in rows)


def rays(rows: Sequence[Row]) -> Iterator[list[Fraction]]:
    """Directions in which d - 1 rows stay equal, both ways: the extreme rays of a pointed cone are among them."""
    d = len(rows[0]) - 1
    for chosen in combinations(rows, d - 1):
        for j in range(d):
            for way in (1, -1):
                fixed = [Fraction(int(j == k)) for k in range(d)] + [Fraction(way)]
                ray = meeting([*([*normal, Fraction(0)] for *normal, _ in chosen), fixed])
                if ray is not None:
                    yield ray


def holds_a_point(rows: Sequence[Row]) -> bool:
    """Whether A w <= b has a solution, by Fourier and Motzkin's elimination."""
    left = [list(row) for row in rows]
    while len(left[0]) > 1:
        above, below, level = ([row for row in left if (row[0] > 0) - (row[0] < 0) == side] for side in (1, -1, 0))
        pairs = [[x / u[0] - y / v[0] for x, y in zip(u, v, strict=True)] for u in above for v in below]
        left = [row[1:] for row in (*level, *pairs)] or [[Fraction(0)] * (len(left[0]) - 1)]
        if len(left) > LARGEST:
            raise ValueError(f"at most {LARGEST} rows are eliminated, got {len(left)}")
    return all(b >= 0 for (b,) in left)
