"""Horowitz's smoothing of the check loss, literally: the printed formulas with a kernel's own numbers in them."""

from typing import Any

from dpsco.reference.literal import literal
from dpsco.reference.losses import kernels
from dpsco.spec.losses.kernels import known
from dpsco.spec.losses.quantile import horowitz as spec
from dpsco.spec.numbers import Numbers, Real

Sums = tuple[Any, Any]
"""A value and the sum of the absolute values of its terms."""


def kernel_slope(m: Numbers, kernel: str, v: Real) -> Real:
    """K'(v), from inside where the kernel has a kink or a jump.

    Domain   kernel a name, v any number
    Returns  a number of the sign of -v
    """
    K = kernels.density(m, kernel, v)
    match kernel:
        case "gaussian":
            return -v * K
        case "logistic":
            return -m.tanh(v / 2) * K
        case "uniform":
            return 0 * K
        case "epanechnikov":
            return m.where(m.le(m.abs(v), m.real(1)), -m.frac(3, 2) * v, m.real(0))
    raise known(kernel)


def beside(m: Numbers, kernel: str, u: Real, h: Real, r: Real) -> Real:
    """The two terms that r - 1 + calK(u/h) has on u's side of the kink, their absolute values summed."""
    return kernels.integrated(m, kernel, -m.abs(u) / h) + m.where(m.ge(u, m.real(0)), r, 1 - r)


@literal(spec.value)
def value(m: Numbers, kernel: str, u: Real, h: Real, r: Real) -> Sums:
    total = spec.loss(m, u=u, r=r, integrated_kernel=kernels.integrated(m, kernel, u / h))
    return total, m.abs(u) * beside(m, kernel, u, h, r)


@literal(spec.derivative)
def derivative(m: Numbers, kernel: str, u: Real, h: Real, r: Real) -> Sums:
    v = u / h
    K = kernels.density(m, kernel, v)
    total = spec.first_derivative(m, r=r, v=v, integrated_kernel=kernels.integrated(m, kernel, v), kernel_value=K)
    return total, beside(m, kernel, u, h, r) + m.abs(v) * K


@literal(spec.curvature)
def curvature(m: Numbers, kernel: str, u: Real, h: Real) -> Sums:
    v = u / h
    K, bend = kernels.density(m, kernel, v), kernel_slope(m, kernel, v)
    return spec.second_derivative(m, h=h, v=v, kernel_value=K, kernel_slope=bend), (2 * K + m.abs(v * bend)) / h
