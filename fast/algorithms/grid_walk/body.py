"""The grid walk on a convex body inside a cube, in doubles."""

import math
from typing import Any

import numpy as np

from dpsco.fast.algorithms.grid_walk import extension, walk
from dpsco.fast.kernel import bind
from dpsco.spec.algorithms.grid_walk import body as spec

Array = Any


def sample(
    slopes: Array,
    intercepts: Array,
    rows: Array,
    bounds: Array,
    radius: float,
    lipschitz: float,
    penalty: float,
    errors: Array,
    alpha: float,
    least: float,
    low: float,
    side: float,
    cells: int,
    start: int,
    uniforms: Array,
) -> Array:
    d = np.asarray(slopes).shape[-1]
    A, b = extension.pieces(slopes, intercepts, lipschitz, d)
    f = (A, b, *extension.body(rows, bounds, radius, d), float(lipschitz), float(penalty))
    if not 0.0 <= penalty < math.inf:
        raise ValueError(f"penalty={penalty}: a finite number of at least 0 is allowed")
    e, U = (np.ascontiguousarray(a, dtype=np.float64) for a in (errors, uniforms))
    found = walk.attempts(f, e, bool(alpha * side < 1.0), float(least), float(low), float(side), int(cells), int(start), U)
    if np.isnan(found).any():
        raise ValueError("the Lipschitz extension was not found in doubles at a point of the walk")
    return found


bind(sample, spec.sample)
