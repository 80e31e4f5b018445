"""The nearest decision on hulls in doubles: Wolfe's active set over vertices that the oracle finds, none of them listed.

The path polytope of a 10 x 10 grid has 48 620 vertices in 81 dimensions; the active set keeps at most one vertex more than
there are dimensions, and each step costs one dynamic program and one small positive definite system.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.linear import newton_direction, norm_of
from dpsco.fast.losses.spo.regions import oracle_into, packed, vectors, workspace
from dpsco.spec.losses.spo import projections as spec

Array = Any
UNIT = 2.0**-53
UNDERFLOW = 2.0**-535
STEPS = 50
"""Steps at most, per vertex that can be kept; some two suffice."""


@kernel()
def affine_weights(V: Array, k: int, v: Array, H: Array, wanted: Array) -> bool:
    """Weights of the nearest point of the affine hull of k vertices; False where they are affinely dependent in doubles.

    From the first vertex on: differences of vertices are short and often whole numbers, whatever the size of v.
    """
    d, g = v.size, np.empty(k - 1)
    for a in range(k - 1):
        g[a] = 0.0
        for j in range(d):
            g[a] -= (V[a + 1, j] - V[0, j]) * (V[0, j] - v[j])
        for b in range(a + 1):
            total = 0.0
            for j in range(d):
                total += (V[a + 1, j] - V[0, j]) * (V[b + 1, j] - V[0, j])
            H[a, b] = total
    if not newton_direction(H, g, wanted[1:k]):
        return False
    rest = 0.0
    for a in range(1, k):
        rest += wanted[a]
    wanted[0] = 1.0 - rest
    return True


@kernel()
def settle(V: Array, k: int, v: Array, weights: Array, H: Array, wanted: Array) -> int:
    """From weights of k vertices to those of the nearest point of fewer, all positive; their number, or 0 where it failed."""
    while k > 1:
        if not affine_weights(V, k, v, H, wanted):
            return 0
        step, gone = 1.0, -1
        for a in range(k):
            if wanted[a] <= 0.0:
                here = weights[a] / (weights[a] - wanted[a]) if weights[a] > 0.0 else 0.0
                if here < step or gone < 0:
                    step, gone = here, a
        for a in range(k):
            weights[a] += step * (wanted[a] - weights[a])
        if gone < 0:
            return k
        k -= 1
        for a in range(gone, k):
            weights[a] = weights[a + 1]
            for j in range(v.size):
                V[a, j] = V[a + 1, j]
    weights[0] = 1.0
    return k


@kernel()
def mix(V: Array, k: int, weights: Array, w: Array) -> None:
    for j in range(w.size):
        total = 0.0
        for a in range(k):
            total += weights[a] * V[a, j]
        w[j] = total


@kernel()
def certified(v: Array, w: Array, u: Array) -> float:
    """A bound on the distance from the nearest point: the root of the gap at the oracle's u, and of what rounding may hide.

    Rounding: of the sum and of the oracle's own comparisons, in units of the sum's terms; of w's weights, in units of w; and
    the root of what a product may lose below the least double. Infinite where the sum overflows.
    """
    gap = size = largest = 0.0
    for j in range(v.size):
        gap += (v[j] - w[j]) * (u[j] - w[j])
        size += (abs(v[j]) + abs(w[j])) * (abs(u[j]) + abs(w[j]))
        largest = max(largest, abs(w[j]), abs(u[j]))
    noise = 2.0 * (v.size + 2) * UNIT
    if not size < math.inf:
        return math.inf
    return math.sqrt(max(gap, 0.0) + noise * size) + math.sqrt(v.size) * (noise * largest + UNDERFLOW)


@kernel()
def nearest_into(kind: int, T: Array, v: Array, w: Array, work: Array) -> float:
    """w = the point of S nearest to v, S the hull of finitely many points; returns a bound on its distance from the exact one.

    The steps end where the oracle finds no new vertex, none that is further out than rounding can tell, or no point nearer.
    """
    d = v.size
    V, H, weights, wanted = np.empty((d + 2, d)), np.empty((d + 1, d + 1)), np.zeros(d + 2), np.empty(d + 2)
    out, u, trial = np.empty(d), np.empty(d), np.empty(d)
    for j in range(d):
        out[j] = -v[j]
    oracle_into(kind, T, out, None, V[0], work)
    weights[0], k = 1.0, 1
    for j in range(d):
        w[j] = V[0, j]
    least = bound = math.inf
    for _ in range(STEPS * (d + 2)):
        gap = size = 0.0
        for j in range(d):
            out[j] = w[j] - v[j]
        oracle_into(kind, T, out, None, u, work)
        for j in range(d):
            gap += out[j] * (w[j] - u[j])
            size += abs(out[j]) * (abs(w[j]) + abs(u[j]))
        bound = certified(v, w, u)
        far = norm_of(out)
        if gap <= 2.0 * UNIT * size or far >= least or k == d + 2:
            break
        known = False
        for a in range(k):
            same = True
            for j in range(d):
                same = same and V[a, j] == u[j]
            known = known or same
        if known:
            break
        least = far
        for j in range(d):
            V[k, j] = u[j]
        weights[k] = 0.0
        k = settle(V, k + 1, v, weights, H, wanted)
        if k == 0:
            break
        mix(V, k, weights, trial)
        for j in range(d):
            w[j] = trial[j]
    return bound


def nearest(shape: str, table: Any, v: Any) -> Any:
    if shape not in spec.HULLS:
        raise ValueError(f"shape is one of {', '.join(spec.HULLS)}, got {shape!r}")
    (point,) = vectors(shape, table, v=v)
    w = np.empty_like(point)
    bound = nearest_into(*packed(shape, table), point, w, workspace(shape, table))
    return w, bound


bind(nearest, spec.nearest)
