"""The smoothed check loss in doubles: residuals and quotients in twice the precision, one pass over the rows.

A residual y - theta'x is computed as an unevaluated sum u + du (compensated dot product), and u/h as t + dt: with a small
bandwidth the kernel would otherwise see the rounding errors of the dot product magnified by 1/h.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.losses.kernels import argument, density_at, far_density_at, gap_at, tail_at
from dpsco.fast.losses.polynomial_kernel import Which
from dpsco.spec.losses.kernels import Kernel
from dpsco.spec.losses.quantile import smoothing as spec

SPLITTER = 134217729.0
SAFE = 1e280
"""Magnitudes between 1/SAFE and SAFE are split without overflow, and their products' errors do not underflow."""


@kernel()
def product_error(a: float, b: float, product: float) -> float:
    """a b - fl(a b), exact where nothing over- or underflows."""
    scaled = SPLITTER * a
    a1 = scaled - (scaled - a)
    a2 = a - a1
    scaled = SPLITTER * b
    b1 = scaled - (scaled - b)
    b2 = b - b1
    return a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2)


@kernel()
def quotient(u: float, du: float, h: float) -> tuple[float, float]:
    """(u + du) / h as a double and a correction to it."""
    t = u / h
    size = abs(u)
    if 1.0 / SAFE < size < SAFE and 1.0 / SAFE < h < SAFE and abs(t) < SAFE:
        product = t * h
        return t, (((u - product) - product_error(t, h, product)) + du) / h
    if u == 0.0 or not abs(t) < math.inf:
        return t, 0.0
    a, shift_a = math.frexp(u)
    b, shift_b = math.frexp(h)
    q = a / b
    product = q * b
    dq = ((a - product) - product_error(q, b, product)) / b
    return math.ldexp(q, shift_a - shift_b), math.ldexp(dq, shift_a - shift_b) + du / h


@kernel()
def residual(x: Any, target: float, theta: Any) -> tuple[float, float]:
    """target - theta'x as a double and a correction to it."""
    total, error = target, 0.0
    for j in range(theta.size):
        product = -x[j] * theta[j]
        low = product_error(-x[j], theta[j], product)
        new = total + product
        back = new - total
        error += ((total - (new - back)) + (product - back)) + low
        total = new
    if not abs(error) < math.inf:  # an entry too large to be split
        return total, 0.0
    new = total + error
    return new, error - (new - total)


@kernel()
def value_at(which: Which, u: float, du: float, h: float, r: float) -> float:
    """c_h(u + du)."""
    t, dt = quotient(u, du, h)
    # c(u) + h gap(t), both positive; the printed form subtracts two large numbers when r is near 0 or 1
    side = r * u if u >= 0.0 else (1.0 - r) * -u
    return side + h * gap_at(which, t, dt)


@kernel()
def slope_at(which: Which, u: float, du: float, h: float, r: float) -> float:
    """c_h'(u + du)."""
    t, dt = quotient(u, du, h)
    tail = tail_at(which, t, dt)
    return r - tail if u >= 0.0 else tail - (1.0 - r)


@kernel()
def curvature_at(which: Which, u: float, du: float, h: float) -> float:
    """c_h''(u + du)."""
    t, dt = quotient(u, du, h)
    k = density_at(which, t, dt)
    return k / h if k > 1e-290 else far_density_at(which, t, dt, h)


@kernel()
def risk_over(which: Which, X: Any, y: Any, theta: Any, h: float, r: float) -> float:
    total = error = 0.0
    for i in range(y.size):
        u, du = residual(X[i], y[i], theta)
        term = value_at(which, u, du, h, r)
        new = total + term
        if new < math.inf:
            back = new - total
            error += (total - (new - back)) + (term - back)
        total = new
    return (total + error) / y.size


@kernel()
def gradient_over(which: Which, X: Any, y: Any, theta: Any, h: float, r: float) -> Any:
    total, error = np.zeros(theta.size), np.zeros(theta.size)
    for i in range(y.size):
        u, du = residual(X[i], y[i], theta)
        s = slope_at(which, u, du, h, r)
        for j in range(theta.size):
            term = -s * X[i, j]
            new = total[j] + term
            back = new - total[j]
            error[j] += (total[j] - (new - back)) + (term - back)
            total[j] = new
    return (total + error) / y.size


@kernel()
def hessian_over(which: Which, X: Any, y: Any, theta: Any, h: float) -> Any:
    d = theta.size
    total = np.zeros((d, d))
    for i in range(y.size):
        u, du = residual(X[i], y[i], theta)
        weight = curvature_at(which, u, du, h)
        if weight > 0.0:
            for j in range(d):
                scaled = weight * X[i, j]
                for k in range(j + 1):
                    total[j, k] += scaled * X[i, k]
    for j in range(d):
        for k in range(j + 1):
            total[j, k] /= y.size
            total[k, j] = total[j, k]
    return total


def value(kernel: Kernel, u: float, h: float, r: float) -> float:
    return float(value_at(argument(kernel), float(u), 0.0, float(h), float(r)))


def derivative(kernel: Kernel, u: float, h: float, r: float) -> float:
    return float(slope_at(argument(kernel), float(u), 0.0, float(h), float(r)))


def curvature(kernel: Kernel, u: float, h: float) -> float:
    return float(curvature_at(argument(kernel), float(u), 0.0, float(h)))


def risk(kernel: Kernel, X: Any, y: Any, theta: Any, h: float, r: float) -> float:
    return float(risk_over(argument(kernel), *sample(X, y, theta), float(h), float(r)))


def gradient(kernel: Kernel, X: Any, y: Any, theta: Any, h: float, r: float) -> Any:
    return gradient_over(argument(kernel), *sample(X, y, theta), float(h), float(r))


def hessian(kernel: Kernel, X: Any, y: Any, theta: Any, h: float) -> Any:
    return hessian_over(argument(kernel), *sample(X, y, theta), float(h))


def sample(X: Any, y: Any, theta: Any) -> tuple[Any, Any, Any]:
    """The three arrays as C-contiguous doubles; ValueError where their shapes do not fit or one is empty."""
    features, targets, decision = (np.ascontiguousarray(a, dtype=np.float64) for a in (X, y, theta))
    if features.ndim != 2 or features.size == 0:
        raise ValueError(f"X has shape (n, d) with n and d at least 1, got {features.shape}")
    if targets.shape != features.shape[:1] or decision.shape != features.shape[1:]:
        raise ValueError(f"y and theta fit X of shape {features.shape}, got {targets.shape} and {decision.shape}")
    return features, targets, decision


for implementation, contract in (
    (value, spec.value),
    (derivative, spec.derivative),
    (curvature, spec.curvature),
    (risk, spec.risk),
    (gradient, spec.gradient),
    (hessian, spec.hessian),
):
    bind(implementation, contract)
