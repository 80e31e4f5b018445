"""Convolution smoothing of piecewise linear functions in doubles: a ramp and a positive gap for each knot."""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.losses.kernels import LOGISTIC, argument, density_at, far_density_at, gap_at, integrated_at
from dpsco.fast.losses.polynomial_kernel import Which
from dpsco.fast.losses.quantile.smoothing import quotient
from dpsco.fast.pairs import Pair, more, product_of, ratio_of, sum_of
from dpsco.spec.losses.kernels import Kernel
from dpsco.spec.losses.quantile import piecewise as spec


@kernel()
def away(u: float, b: float) -> tuple[float, float]:
    """u - b as a double and a correction to it."""
    w = u - b
    back = w - u
    dw = (u - (w - back)) - (b + back)
    return w, dw if abs(dw) < math.inf else 0.0


@kernel()
def value_at(which: Which, u: float, h: float, knots: Any, slopes: Any) -> float:
    total, bends = more((0.0, 0.0), slopes[0], u), 0.0
    for i in range(knots.size):
        w, dw = away(u, knots[i])
        t, dt = quotient(w, dw, h)
        ramp = w + dw if w > 0.0 else 0.0
        height, (jump, rest) = ramp + h * gap_at(which, t, dt), away(slopes[i + 1], slopes[i])
        total = more(total, jump, height)
        bends += rest * height
    return total[0] + (total[1] + bends)


@kernel()
def derivative_at(which: Which, u: float, h: float, knots: Any, slopes: Any) -> float:
    total = least = most = slopes[0]
    for i in range(knots.size):
        w, dw = away(u, knots[i])
        t, dt = quotient(w, dw, h)
        total += (slopes[i + 1] - slopes[i]) * integrated_at(which, t, dt)
        least, most = min(least, slopes[i + 1]), max(most, slopes[i + 1])
    return min(max(total, least), most)  # a mean of slopes, whatever the rounding


@kernel()
def density_of(which: Which, t: float, dt: float) -> Pair:
    """K(t + dt); the logistic one, a quotient of four roundings in doubles, as a pair."""
    if not isinstance(which, int):
        return density_at(which, t, dt), 0.0
    if which != LOGISTIC or abs(t) > 600.0:
        return density_at(which, t, dt), 0.0
    e = math.exp(-abs(t))
    over = e, -e * (dt if t >= 0.0 else -dt)
    under = sum_of((1.0, 0.0), over)
    return ratio_of(over, product_of(under, under))


@kernel()
def bend_at(which: Which, u: float, h: float, knots: Any, slopes: Any) -> float:
    total, bends = (0.0, 0.0), 0.0
    for i in range(knots.size):
        w, dw = away(u, knots[i])
        t, dt = quotient(w, dw, h)
        (density, left), (jump, rest) = density_of(which, t, dt), away(slopes[i + 1], slopes[i])
        bend, lost = quotient(density, left, h) if density > 1e-290 else (far_density_at(which, t, dt, h), 0.0)
        total = more(total, jump, bend)
        bends += rest * bend + jump * lost
    return total[0] + (total[1] + bends)


def value(kernel: Kernel, u: float, h: float, knots: Any, slopes: Any) -> float:
    return float(value_at(argument(kernel), float(u), float(h), *function(knots, slopes)))


def derivative(kernel: Kernel, u: float, h: float, knots: Any, slopes: Any) -> float:
    return float(derivative_at(argument(kernel), float(u), float(h), *function(knots, slopes)))


def curvature(kernel: Kernel, u: float, h: float, knots: Any, slopes: Any) -> float:
    return float(bend_at(argument(kernel), float(u), float(h), *function(knots, slopes)))


def function(knots: Any, slopes: Any) -> tuple[Any, Any]:
    """The two arrays as C-contiguous doubles; ValueError where they are not knots and slopes."""
    spec.checked(list(knots), list(slopes))
    b, s = (np.ascontiguousarray(a, dtype=np.float64) for a in (knots, slopes))
    return b, s


for implementation, contract in ((value, spec.value), (derivative, spec.derivative), (curvature, spec.curvature)):
    bind(implementation, contract)
