"""Hit-and-run and coordinate walks with exact conditionals in doubles: the gradient Qx + c is carried along."""

import math
from typing import Any

import numpy as np

from dpsco.fast.algorithms.exponential_sampling.conditional import conditional, scaled
from dpsco.fast.kernel import bind, kernel
from dpsco.spec.algorithms.exponential_sampling import hit_and_run as spec


@kernel()
def sweeps(Q: Any, c: Any, low: Any, high: Any, start: Any, uniforms: Any, path: Any) -> None:
    d = start.size
    x = start.copy()
    gradient = c.copy()
    for i in range(d):
        for j in range(d):
            gradient[i] += Q[i, j] * x[j]
    roots, units = np.empty(d), np.empty(d)
    for j in range(d):
        roots[j] = math.sqrt(max(Q[j, j], 0.0))
        units[j] = 1.0 / max(roots[j], 5e-324)
    for s in range(uniforms.shape[0]):
        for j in range(d):
            q = Q[j, j]
            p = gradient[j] - q * x[j]
            if q > 0.0:
                new = scaled(p, q, low[j], high[j], uniforms[s, j], roots[j], units[j])
            else:
                new = conditional(p, q, low[j], high[j], uniforms[s, j])
            move = new - x[j]
            x[j] = new
            for i in range(d):
                gradient[i] += Q[j, i] * move
        for j in range(d):
            path[s, j] = x[j]


@kernel()
def run(Q: Any, c: Any, low: Any, high: Any, start: Any, directions: Any, uniforms: Any, path: Any) -> None:
    d = start.size
    x = start.copy()
    gradient, bend = c.copy(), np.empty(d)
    for i in range(d):
        for j in range(d):
            gradient[i] += Q[i, j] * x[j]
    for s in range(uniforms.size):
        v = directions[s]
        left, right, p, q = -math.inf, math.inf, 0.0, 0.0
        bend[:] = 0.0
        for j in range(d):
            along = v[j]
            p += gradient[j] * along
            if along != 0.0:
                per = 1.0 / along
                one, other = (low[j] - x[j]) * per, (high[j] - x[j]) * per
                left, right = max(left, min(one, other)), min(right, max(one, other))
                for i in range(d):
                    bend[i] += Q[j, i] * along
        for j in range(d):
            q += bend[j] * v[j]
        t = conditional(p, q, left, right, uniforms[s])
        for j in range(d):
            x[j] = min(max(x[j] + t * v[j], low[j]), high[j])
            gradient[j] += t * bend[j]
        for j in range(d):
            path[s, j] = x[j]


def target(Q: Any, c: Any, low: Any, high: Any, start: Any) -> tuple[Any, ...]:
    """Arrays of doubles; ValueError for shapes that do not fit, a box without inside, a start outside."""
    matrix = np.ascontiguousarray(Q, dtype=np.float64)
    slope, least, most, first = (np.array(part, dtype=np.float64).reshape(-1) for part in (c, low, high, start))
    d = first.size
    if matrix.shape != (d, d) or not slope.size == least.size == most.size == d:
        raise ValueError(f"Q is d x d, c, low, high and start have d entries, got Q {matrix.shape} and {slope.size}, {d}")
    if not (np.all(np.isfinite(matrix)) and np.all(np.isfinite(slope)) and np.allclose(matrix, matrix.T, rtol=1e-9)):
        raise ValueError("Q is symmetric, Q and c are finite numbers")
    if not np.all(least < most):
        raise ValueError(f"low lies below high, got low={low}, high={high}")
    if not (np.all(least <= first) and np.all(first <= most)):
        raise ValueError(f"start lies in the box, got start={start}")
    return matrix, slope, least, most, first


def coordinate_walk(Q: Any, c: Any, low: Any, high: Any, start: Any, uniforms: Any) -> Any:
    matrix, slope, least, most, first = target(Q, c, low, high, start)
    u = np.ascontiguousarray(uniforms, dtype=np.float64)
    if u.ndim != 2 or u.shape[1] != first.size or (u.size and not (u.min() > 0 and u.max() < 1)):
        raise ValueError(f"uniforms are S x d numbers in (0, 1), got shape {u.shape}")
    path = np.empty(u.shape)
    sweeps(matrix, slope, least, most, first, u, path)
    return path


def hit_and_run(Q: Any, c: Any, low: Any, high: Any, start: Any, directions: Any, uniforms: Any) -> Any:
    matrix, slope, least, most, first = target(Q, c, low, high, start)
    v = np.ascontiguousarray(directions, dtype=np.float64)
    u = np.array(uniforms, dtype=np.float64).reshape(-1)
    if v.ndim != 2 or v.shape != (u.size, first.size) or (u.size and not (u.min() > 0 and u.max() < 1)):
        raise ValueError(f"directions are T x d, uniforms T numbers in (0, 1), got {v.shape} and {u.size}")
    if not np.all(np.any(v != 0, axis=1)):
        raise ValueError("directions are not zero, got one that is")
    path = np.empty(v.shape)
    run(matrix, slope, least, most, first, v, u, path)
    return path


bind(coordinate_walk, spec.coordinate_walk)
bind(hit_and_run, spec.hit_and_run)
