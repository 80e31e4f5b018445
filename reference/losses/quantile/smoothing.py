"""The check loss and its convolution smoothing, literally, over the number context."""

from typing import Any

from dpsco.reference.literal import literal
from dpsco.reference.losses import kernels
from dpsco.spec.losses.kernels import Kernel
from dpsco.spec.losses.quantile import smoothing as spec
from dpsco.spec.losses.quantile.smoothing import check as check
from dpsco.spec.numbers import Numbers, Real

Sums = tuple[Any, Any]
"""A value and the sum of the absolute values of its terms, entry by entry."""


@literal(spec.value)
def value(m: Numbers, kernel: Kernel, u: Real, h: Real, r: Real) -> Real:
    return spec.smoothed(m, kernel, u, h, r)


def slope(m: Numbers, kernel: Kernel, u: Real, h: Real, r: Real) -> Real:
    """c_h'(u) = calK(u/h) + r - 1; see `dpsco.spec.losses.quantile.smoothing.derivative`."""
    return spec.slope(m, kernel, u, h, r)


@literal(spec.derivative)
def derivative(m: Numbers, kernel: Kernel, u: Real, h: Real, r: Real) -> Sums:
    below = kernels.integrated(m, kernel, -m.abs(u) / h)
    return slope(m, kernel, u, h, r), below + m.where(m.ge(u, m.real(0)), r, 1 - r)


@literal(spec.curvature)
def curvature(m: Numbers, kernel: Kernel, u: Real, h: Real) -> Real:
    return spec.second(m, kernel, u, h)


def gap(m: Numbers, kernel: Kernel, u: Real, h: Real) -> Real:
    """How far the smoothed loss lies above the check loss.

    c_h(u) - c(u) = (h/2) (integral of |u/h + v| K(v) dv - |u/h|)

    Domain   h > 0, u any number
    Returns  between 0 and h kappa_1 / 2, in the unit of the outcome
    Source   quantile, proof of Lemma 3.1, part 3
    """
    return h / 2 * (kernels.deviation(m, kernel, u / h) - m.abs(u / h))


def lipschitz(m: Numbers, r: Real, B_x: Real) -> Real:
    """Lipschitz constant max(r, 1 - r) B_x of ell_h in theta. Source: quantile, Lemma 3.1, part 2."""
    return spec.lipschitz(m, r=r, B_x=B_x)


def smoothness(m: Numbers, kernel: Kernel, B_x: Real, h: Real) -> Real:
    """Smoothness constant K_bar B_x^2 / h of ell_h in theta. Source: quantile, Lemma 3.1, part 2."""
    return spec.smoothness(m, K_bar=kernels.K_bar(m, kernel), B_x=B_x, h=h)


@literal(spec.risk)
def risk(m: Numbers, kernel: Kernel, X: Any, y: Any, theta: Any, h: Real, r: Real) -> Sums:
    n = len(y)
    total = sum(value(m, kernel, u, h, r) for u in residuals(m, X, y, theta)) / n
    return total, total


@literal(spec.gradient)
def gradient(m: Numbers, kernel: Kernel, X: Any, y: Any, theta: Any, h: Real, r: Real) -> Sums:
    n, d = len(y), len(theta)
    below = [kernels.integrated(m, kernel, -u / h) for u in residuals(m, X, y, theta)]
    total = [sum((p - r) * x[j] for p, x in zip(below, X, strict=True)) / n for j in range(d)]
    terms = [sum((p + r) * m.abs(m.real(x[j])) for p, x in zip(below, X, strict=True)) / n for j in range(d)]
    return total, terms


@literal(spec.hessian)
def hessian(m: Numbers, kernel: Kernel, X: Any, y: Any, theta: Any, h: Real) -> Sums:
    n, d = len(y), len(theta)
    weights = [curvature(m, kernel, u, h) / n for u in residuals(m, X, y, theta)]
    total = [[sum(w * x[j] * x[k] for w, x in zip(weights, X, strict=True)) for k in range(d)] for j in range(d)]
    terms = [[sum(w * m.abs(x[j] * m.real(x[k])) for w, x in zip(weights, X, strict=True)) for k in range(d)] for j in range(d)]
    return total, terms


def residuals(m: Numbers, X: Any, y: Any, theta: Any) -> list[Real]:
    """y_i - theta'x_i for every row; numbers are promoted exactly."""
    return [m.real(target) - m.dot([m.real(a) for a in x], theta) for x, target in zip(X, y, strict=True)]
