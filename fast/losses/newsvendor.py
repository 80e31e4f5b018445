"""The newsvendor cost in doubles: the side's cost and the smoothing's gap, both positive, so nothing cancels."""

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.losses.kernels import argument, gap_at, tail_at
from dpsco.fast.losses.polynomial_kernel import Which
from dpsco.fast.losses.quantile.smoothing import quotient
from dpsco.spec.losses import newsvendor as spec
from dpsco.spec.losses.kernels import Kernel


@kernel()
def ratio_of(c_u: float, c_o: float) -> float:
    """c_u / (c_u + c_o), by the quotient that is at most 1: the sum may overflow."""
    if c_u >= c_o:
        return 1.0 / (1.0 + c_o / c_u)
    q = c_u / c_o
    return q / (1.0 + q)


@kernel()
def value_at(which: Which, u: float, h: float, c_u: float, c_o: float) -> float:
    """C(u) + (c_u + c_o) h gap(u/h)."""
    t, dt = quotient(u, 0.0, h)
    side = c_u * u if u >= 0.0 else c_o * -u
    return side + (c_u + c_o) * (h * gap_at(which, t, dt))


@kernel()
def slope_at(which: Which, u: float, h: float, c_u: float, c_o: float) -> float:
    t, dt = quotient(u, 0.0, h)
    turned = (c_u + c_o) * tail_at(which, t, dt)
    return c_u - turned if u >= 0.0 else turned - c_o


def critical_ratio(c_u: float, c_o: float) -> float:
    return float(ratio_of(float(c_u), float(c_o)))


def value(kernel: Kernel, u: float, h: float, c_u: float, c_o: float) -> float:
    return float(value_at(argument(kernel), float(u), float(h), float(c_u), float(c_o)))


def derivative(kernel: Kernel, u: float, h: float, c_u: float, c_o: float) -> float:
    return float(slope_at(argument(kernel), float(u), float(h), float(c_u), float(c_o)))


for implementation, contract in (
    (critical_ratio, spec.critical_ratio),
    (value, spec.value),
    (derivative, spec.derivative),
):
    bind(implementation, contract)
