"""Horowitz's smoothing of the check loss in doubles, from the kernels' tails and densities."""

import math

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.losses.kernels import EPANECHNIKOV, GAUSSIAN, LOGISTIC, code, density_at, far_density_at, tail_at
from dpsco.fast.losses.quantile.smoothing import quotient, slope_at
from dpsco.spec.losses.quantile import horowitz as spec

UNDERFLOWS = 1e-290
"""Below this a density is computed together with its factor."""


@kernel()
def value_at(which: int, u: float, h: float, r: float) -> float:
    return u * slope_at(which, u, 0.0, h, r)


@kernel()
def derivative_at(which: int, u: float, h: float, r: float) -> float:
    t, dt = quotient(u, 0.0, h)
    K = density_at(which, t, dt)
    tail = tail_at(which, t, dt)
    rise = t * K if K > 0.0 else 0.0
    return (r - tail) + rise if u >= 0.0 else (tail - (1.0 - r)) + rise


@kernel()
def curvature_at(which: int, u: float, h: float) -> float:
    """K(v) times 2 + v K'(v)/K(v), over h; for the Epanechnikov kernel the two terms, as K'/K has a pole."""
    t, dt = quotient(u, 0.0, h)
    K = density_at(which, t, dt)
    if which == EPANECHNIKOV:
        room = (1.0 - abs(t)) - (dt if t >= 0.0 else -dt)
        return (2.0 * K - 1.5 * t * t) / h if room >= 0.0 else 0.0
    factor = 2.0
    if which == GAUSSIAN:
        factor = 2.0 - t * t
    elif which == LOGISTIC:
        factor = 2.0 - t * math.tanh(0.5 * t)
    if factor == 0.0 or not abs(factor) < math.inf:
        return 0.0
    size = K / (h / abs(factor)) if K > UNDERFLOWS else far_density_at(which, t, dt, h / abs(factor))
    return size if factor > 0.0 else -size


def value(kernel: str, u: float, h: float, r: float) -> float:
    return float(value_at(code(kernel), float(u), float(h), float(r)))


def derivative(kernel: str, u: float, h: float, r: float) -> float:
    return float(derivative_at(code(kernel), float(u), float(h), float(r)))


def curvature(kernel: str, u: float, h: float) -> float:
    return float(curvature_at(code(kernel), float(u), float(h)))


for implementation, contract in ((value, spec.value), (derivative, spec.derivative), (curvature, spec.curvature)):
    bind(implementation, contract)
