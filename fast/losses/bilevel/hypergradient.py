"""The gradient by the implicit function theorem in doubles: one positive definite system, by Cholesky's factorisation."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind
from dpsco.fast.linear import newton_direction
from dpsco.spec.losses.bilevel import hypergradient as spec
from dpsco.spec.numbers import Numbers

Array = Any


def response(G_yy: Array, v: Array) -> Array:
    """[grad_yy G]^{-1} v.

    Raises  ValueError where the Hessian is not numerically positive definite
    """
    w = np.empty(len(v))
    if not newton_direction(np.array(G_yy, dtype=np.float64), np.ascontiguousarray(v, dtype=np.float64), w):
        raise ValueError(f"G_yy={G_yy!r}: must be positive definite, as mu_g > 0 makes it")
    return w


def newton_step(G_yy: Array, slope: Array, x: Array, y: Array) -> Array:
    """[grad_yy G]^{-1} slope where the Hessian was taken; ValueError where it is singular in doubles."""
    try:
        step = np.linalg.solve(G_yy, slope)
    except np.linalg.LinAlgError:
        step = np.full_like(slope, np.nan)
    if not np.all(np.isfinite(step)):
        raise ValueError(f"lower_yy gave {G_yy!r} at x={x!r}, y={y!r}: must be positive definite, as mu_g > 0 makes it")
    return np.asarray(step)


def product(name: str, G_xy: Array, d_x: int, v: Array) -> Array:
    """G_xy v; ValueError with the function's name where the matrix has another shape."""
    if np.shape(G_xy) != (d_x, len(v)):
        raise ValueError(f"{name} gave shape {np.shape(G_xy)}: must be {(d_x, len(v))}")
    return G_xy @ v


def finite_value(name: str, formula: Callable[..., Any], doubles: Numbers, given: dict[str, float]) -> float:
    """A formula of constants in doubles; ValueError with its name where it is beyond them."""
    try:
        found = float(formula(doubles, **given))
    except ArithmeticError:  # a quotient by what underflowed, a power that overflowed
        found = math.inf
    if not found < 1e308:
        raise ValueError(f"{name} is beyond the doubles for {given!r}")
    return found


def implicit_gradient(F_x: Array, F_y: Array, G_xy: Array, G_yy: Array) -> Array:
    g_x, g_y = np.asarray(F_x, dtype=np.float64), np.asarray(F_y, dtype=np.float64)
    mixed, curved = np.asarray(G_xy, dtype=np.float64), np.asarray(G_yy, dtype=np.float64)
    d_x, d_y = g_x.size, g_y.size
    if g_x.ndim != 1 or g_y.ndim != 1 or mixed.shape != (d_x, d_y) or curved.shape != (d_y, d_y) or not d_x * d_y:
        shapes = g_x.shape, g_y.shape, mixed.shape, curved.shape
        raise ValueError(f"F_x, F_y, G_xy, G_yy have shapes (d_x,), (d_y,), (d_x, d_y), (d_y, d_y); got {shapes}")
    return g_x - mixed @ response(curved, g_y)


bind(implicit_gradient, spec.implicit_gradient)
