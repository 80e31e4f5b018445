"""The gradient by the implicit function theorem in doubles: one positive definite system, by Cholesky's factorisation."""

from typing import Any

import numpy as np

from dpsco.fast.kernel import bind
from dpsco.fast.linear import newton_direction
from dpsco.spec.losses.bilevel import hypergradient as spec

Array = Any


def response(G_yy: Array, v: Array) -> Array:
    """[grad_yy G]^{-1} v.

    Raises  ValueError where the Hessian is not numerically positive definite
    """
    w = np.empty(len(v))
    if not newton_direction(np.array(G_yy, dtype=np.float64), np.ascontiguousarray(v, dtype=np.float64), w):
        raise ValueError(f"G_yy={G_yy!r}: must be positive definite, as mu_g > 0 makes it")
    return w


def implicit_gradient(F_x: Array, F_y: Array, G_xy: Array, G_yy: Array) -> Array:
    g_x, g_y = np.asarray(F_x, dtype=np.float64), np.asarray(F_y, dtype=np.float64)
    mixed, curved = np.asarray(G_xy, dtype=np.float64), np.asarray(G_yy, dtype=np.float64)
    d_x, d_y = g_x.size, g_y.size
    if g_x.ndim != 1 or g_y.ndim != 1 or mixed.shape != (d_x, d_y) or curved.shape != (d_y, d_y) or not d_x * d_y:
        shapes = g_x.shape, g_y.shape, mixed.shape, curved.shape
        raise ValueError(f"F_x, F_y, G_xy, G_yy have shapes (d_x,), (d_y,), (d_x, d_y), (d_y, d_y); got {shapes}")
    return g_x - mixed @ response(curved, g_y)


bind(implicit_gradient, spec.implicit_gradient)
