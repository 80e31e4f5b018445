"""The grid walk, literally: the walk on a table of values, and the whole algorithm with its restarts.

A cell is the tuple of its coordinates, counted from 0; its index has the last coordinate fastest.
"""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, TypeAlias

from dpsco.reference.algorithms.grid_walk.extension import largest_affine
from dpsco.reference.literal import literal
from dpsco.spec.algorithms.grid_walk import walk as spec
from dpsco.spec.numbers import Numbers, Real

Cell: TypeAlias = tuple[int, ...]


def states(dimension: int, cells: int) -> list[Cell]:
    """Omega, in the order of the indices."""
    return list(product(range(cells), repeat=dimension))


def index(cell: Cell, cells: int) -> int:
    """Place of the cell in `states`."""
    found = 0
    for coordinate in cell:
        found = found * cells + coordinate
    return found


def beside(cell: Cell, direction: int, cells: int) -> Cell | None:
    """The adjacent cell in direction 2j (coordinate j up) or 2j + 1 (down), None where it leaves the cube."""
    j, moved = direction // 2, list(cell)
    moved[j] += 1 if direction % 2 == 0 else -1
    return tuple(moved) if 0 <= moved[j] < cells else None


@literal(spec.walk)
def walk(m: Numbers, values: Any, dimension: int, cells: int, start: int, uniforms: Any) -> list[Real]:
    x, found = states(dimension, cells)[start], [start]
    for rest, turn, coin in uniforms:  # 3(b)
        y = beside(x, int(m.floor(2 * dimension * turn)), cells)
        if m.ge(rest, m.frac(1, 2)) and y is not None:  # i, ii, iii
            f_here, f_there = (values[index(cell, cells)] for cell in (x, y))
            if m.lt(coin, m.min(m.real(1), m.exp(f_here - f_there))):  # iv
                x = y
        found.append(index(x, cells))
    return [m.real(cell) for cell in found]


def kept(
    m: Numbers,
    f: Callable[[Sequence[Real]], Real],
    d: int,
    errors: Any,
    alpha: Real,
    least: Real,
    low: Real,
    side: Real,
    cells: int,
    start: int,
    uniforms: Any,
) -> tuple[list[Real], list[Real]]:
    """`sample` for any f of d coordinates."""
    gamma = side / cells
    omega = states(d, cells)  # (1)
    centres = [[low + gamma * (i + m.frac(1, 2)) for i in cell] for cell in omega]
    values = [f(x) + e for x, e in zip(centres, errors, strict=True)]
    sizes = [m.real(1)] + [m.abs(low) + side] * d
    for attempt, row in enumerate(uniforms, 1):
        place, coin, noise = row[:d], row[d], row[d + 1 :]
        if m.lt(alpha * side, 1):  # (2)
            theta = [low + side * u for u in place]
            chance = spec.acceptance_in_small_cube(m, f_least=least, f_point=f(theta))
        else:  # (3)
            triples = [noise[t : t + 3] for t in range(0, len(noise), 3)]
            last = int(walk(m, values, d, cells, start, triples)[-1])
            theta = [low + gamma * (i + u) for i, u in zip(omega[last], place, strict=True)]
            chance = spec.acceptance_in_cell(m, f_center=values[last], f_point=f(theta))
        if m.lt(coin, chance):
            return [m.real(attempt), *theta], sizes
    return [m.real(0)] * (d + 1), sizes


@literal(spec.sample)
def sample(
    m: Numbers,
    slopes: Any,
    intercepts: Any,
    errors: Any,
    alpha: Real,
    least: Real,
    low: Real,
    side: Real,
    cells: int,
    start: int,
    uniforms: Any,
) -> tuple[list[Real], list[Real]]:
    def f(theta: Sequence[Real]) -> Real:
        return largest_affine(m, slopes, intercepts, theta)

    return kept(m, f, len(slopes[0]), errors, alpha, least, low, side, cells, start, uniforms)
