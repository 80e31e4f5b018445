"""The grid walk in doubles: cells by index and stride, f evaluated where the walk comes and nowhere else.

An exponent is a tuple, as `extension.exponent` says; no rows: f itself.

Symbols: x the cell's index, i its coordinates, here and there the values of f.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.algorithms.grid_walk.extension import exponent
from dpsco.fast.kernel import bind, kernel
from dpsco.spec.algorithms.grid_walk import walk as spec

Array = Any


@kernel()
def beside(x: int, turn: float, d: int, cells: int) -> int:
    """The cell next to x in direction k = floor(2 d turn), which is coordinate k // 2 up or down; -1 outside the cube."""
    k = math.floor(2 * d * turn)
    stride = cells ** (d - 1 - k // 2)
    i = (x // stride) % cells
    if k % 2 == 0:
        return x + stride if i + 1 < cells else -1
    return x - stride if i > 0 else -1


@kernel()
def visit(f: Array, d: int, cells: int, start: int, U: Array) -> Array:
    """Indices of the cells on the way, f a table."""
    found = np.empty(U.shape[0] + 1, dtype=np.int64)
    x, found[0] = start, start
    for t in range(U.shape[0]):
        y = beside(x, U[t, 1], d, cells) if U[t, 0] >= 0.5 else -1
        if y >= 0 and U[t, 2] < math.exp(min(0.0, f[x] - f[y])):
            x = y
        found[t + 1] = x
    return found


@kernel()
def point(x: int, share: Array, cells: int, low: float, gamma: float, theta: Array) -> None:
    """theta = the point of cell x with these shares of the side below it."""
    for j in range(theta.size - 1, -1, -1):
        theta[j] = low + gamma * (x % cells + share[j])
        x //= cells


@kernel()
def attempts(f: Any, e: Array, small: bool, least: float, low: float, side: float, cells: int, start: int, U: Array) -> Array:
    """Number of the kept attempt, then the point; NaN where the exponent was not found in doubles."""
    d = f[0].shape[1]
    gamma, theta, found, middle = side / cells, np.empty(d), np.zeros(d + 1), np.full(d, 0.5)
    for attempt in range(U.shape[0]):
        row = U[attempt]
        if small:
            for j in range(d):
                theta[j] = low + side * row[j]
            chance = math.exp(least - exponent(f, theta) - 1.0)
        else:
            x = start
            point(x, middle, cells, low, gamma, theta)
            here = exponent(f, theta) + e[x]
            for t in range(d + 1, row.size, 3):
                y = beside(x, row[t + 1], d, cells) if row[t] >= 0.5 else -1
                if y < 0:
                    continue
                point(y, middle, cells, low, gamma, theta)
                there = exponent(f, theta) + e[y]
                if math.isnan(there):
                    for j in range(d + 1):
                        found[j] = math.nan
                    return found
                if row[t + 2] < math.exp(min(0.0, here - there)):
                    x, here = y, there
            point(x, row, cells, low, gamma, theta)
            chance = math.exp(here - exponent(f, theta) - 1.0)
        if math.isnan(chance):
            for j in range(d + 1):
                found[j] = math.nan
            return found
        if row[d] < chance:
            found[0] = attempt + 1
            for j in range(d):
                found[1 + j] = theta[j]
            return found
    return found


def walk(values: Array, dimension: int, cells: int, start: int, uniforms: Array) -> Array:
    f = np.ascontiguousarray(values, dtype=np.float64)
    U = np.ascontiguousarray(uniforms, dtype=np.float64).reshape(-1, 3)
    return visit(f, int(dimension), int(cells), int(start), U)


def sample(
    slopes: Array,
    intercepts: Array,
    errors: Array,
    alpha: float,
    least: float,
    low: float,
    side: float,
    cells: int,
    start: int,
    uniforms: Array,
) -> Array:
    A, b, e, U = (np.ascontiguousarray(a, dtype=np.float64) for a in (slopes, intercepts, errors, uniforms))
    f = (A, b, np.empty((0, A.shape[1])), np.empty(0), math.inf, 1.0, 0.0)  # no body: f itself
    return attempts(f, e, bool(alpha * side < 1.0), float(least), float(low), float(side), int(cells), int(start), U)


for _function, _contract in ((walk, spec.walk), (sample, spec.sample)):
    bind(_function, _contract)
