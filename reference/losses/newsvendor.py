"""The newsvendor cost and its convolution smoothing, literally: the check loss of the critical ratio, scaled."""

from typing import Any

from dpsco.reference.literal import literal
from dpsco.reference.losses import kernels
from dpsco.reference.losses.quantile import smoothing
from dpsco.spec.losses import newsvendor as spec
from dpsco.spec.losses.kernels import Kernel
from dpsco.spec.losses.newsvendor import cost as cost
from dpsco.spec.numbers import Numbers, Real

Sums = tuple[Any, Any]
"""A value and the sum of the absolute values of its terms."""


@literal(spec.critical_ratio)
def critical_ratio(m: Numbers, c_u: Real, c_o: Real) -> Real:
    return spec.level(m, c_u=c_u, c_o=c_o)


@literal(spec.value)
def value(m: Numbers, kernel: Kernel, u: Real, h: Real, c_u: Real, c_o: Real) -> Real:
    return (c_u + c_o) * smoothing.value(m, kernel, u, h, critical_ratio(m, c_u, c_o))


@literal(spec.derivative)
def derivative(m: Numbers, kernel: Kernel, u: Real, h: Real, c_u: Real, c_o: Real) -> Sums:
    both, beyond = c_u + c_o, kernels.integrated(m, kernel, -m.abs(u) / h)
    slope = both * smoothing.slope(m, kernel, u, h, critical_ratio(m, c_u, c_o))
    return slope, both * beyond + m.where(m.ge(u, m.real(0)), c_u, c_o)
