"""The smoothed l1-norm in doubles: sums of positive terms, with compensation."""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.losses.kernels import GAUSSIAN, PEAK, far_density_at, gap_at, gaussian_ratio
from dpsco.fast.losses.quantile.smoothing import quotient
from dpsco.fast.pairs import more
from dpsco.spec.losses import absolute_value as spec

HALF_ROOT = 0.7071067811865476


@kernel()
def gap_of(u: float, h: float) -> float:
    """E|u + h V| - |u|."""
    t, dt = quotient(abs(u), 0.0, h)
    if t > 36.0 and h > 1.0:  # the density alone would underflow
        return 2.0 * far_density_at(GAUSSIAN, t, dt, 1.0 / h) * gaussian_ratio(t) if t < 60.0 else 0.0
    return 2.0 * h * gap_at(GAUSSIAN, t, dt)


@kernel()
def value_over(residuals: Any, h: float) -> float:
    """Sum of E|u + h V| = |u| erf(t/sqrt 2) + 2 h K(t), t = |u|/h: both positive, and an error of t cancels to first order."""
    total = (0.0, 0.0)
    for u in residuals:
        t = abs(u) / h
        total = more(total, abs(u), math.erf(t * HALF_ROOT))
        if t < 40.0:
            total = more(total, h, 2.0 * PEAK * math.exp(-0.5 * t * t))
    return total[0] + total[1]


@kernel()
def gap_over(residuals: Any, h: float) -> float:
    total = 0.0
    for u in residuals:
        total += gap_of(u, h)
    return total


@kernel()
def gradient_over(residuals: Any, h: float) -> Any:
    slopes = np.empty(residuals.size)
    for j in range(residuals.size):
        slopes[j] = math.erf((residuals[j] / h) * HALF_ROOT)
    return slopes


def value(residuals: Any, h: float) -> float:
    return float(value_over(vector(residuals), float(h)))


def gradient(residuals: Any, h: float) -> Any:
    return gradient_over(vector(residuals), float(h))


def gap(residuals: Any, h: float) -> float:
    return float(gap_over(vector(residuals), float(h)))


def vector(residuals: Any) -> Any:
    """The residuals as C-contiguous doubles; ValueError where they are no vector or empty."""
    u = np.ascontiguousarray(residuals, dtype=np.float64)
    if u.ndim != 1 or u.size == 0:
        raise ValueError(f"residuals has shape (m,) with m at least 1, got {u.shape}")
    return u


for implementation, contract in ((value, spec.value), (gradient, spec.gradient), (gap, spec.gap)):
    bind(implementation, contract)
