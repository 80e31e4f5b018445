"""Convolution smoothing of piecewise linear functions, literally: the claim's form in distances from the knots."""

from itertools import pairwise
from typing import Any

from dpsco.reference.literal import literal
from dpsco.reference.losses import kernels
from dpsco.spec.losses.kernels import Kernel
from dpsco.spec.losses.quantile import piecewise as spec
from dpsco.spec.numbers import Numbers, Real

Sums = tuple[Any, Any]
"""A value and the sum of the absolute values of its terms."""


def form(m: Numbers, knots: Any, slopes: Any) -> tuple[Real, Real, list[Real]]:
    """Intercept a, mean of the outer slopes s, and changes of slope J_i, of f(u) = a + s u + (1/2) sum of J_i |u - b_i|."""
    spec.checked(knots, slopes)
    jumps = [m.real(after) - before for before, after in pairwise(slopes)]
    return -m.dot(jumps, knots) / 2, (m.real(slopes[0]) + slopes[-1]) / 2, jumps


def function(m: Numbers, u: Real, knots: Any, slopes: Any) -> Real:
    """f(u) itself. Source: quantile, Section 3.1, more general nonsmooth functions."""
    a, s, jumps = form(m, knots, slopes)
    return spec.piecewise_linear(m, u, a, s, jumps, knots)


@literal(spec.value)
def value(m: Numbers, kernel: Kernel, u: Real, h: Real, knots: Any, slopes: Any) -> Sums:
    a, s, jumps = form(m, knots, slopes)
    distances = [h * kernels.deviation(m, kernel, (u - b) / h) for b in knots]
    terms = sum((m.abs(J) * (d + m.abs(b)) / 2 for J, d, b in zip(jumps, distances, knots, strict=True)), m.abs(s * u))
    return spec.smoothed(m, u, a, s, jumps, distances), terms


@literal(spec.derivative)
def derivative(m: Numbers, kernel: Kernel, u: Real, h: Real, knots: Any, slopes: Any) -> Sums:
    jumps = form(m, knots, slopes)[2]
    parts = [slopes[0], *(J * kernels.integrated(m, kernel, (u - b) / h) for J, b in zip(jumps, knots, strict=True))]
    return sum(parts), sum(m.abs(part) for part in parts)


@literal(spec.curvature)
def curvature(m: Numbers, kernel: Kernel, u: Real, h: Real, knots: Any, slopes: Any) -> Sums:
    jumps = form(m, knots, slopes)[2]
    parts = [J * kernels.density(m, kernel, (u - b) / h) / h for J, b in zip(jumps, knots, strict=True)]
    return sum(parts, m.real(0)), sum((m.abs(part) for part in parts), m.real(0))
