"""The l1-norm smoothed by convolution with the Gaussian kernel, coordinate by coordinate from the kernel's mean distance."""

from typing import Any

from dpsco.reference.literal import literal
from dpsco.reference.losses import kernels
from dpsco.spec.losses import absolute_value as spec
from dpsco.spec.numbers import Numbers, Real

Sums = tuple[Any, Any]
"""A value and the sum of the absolute values of its terms."""


def one(m: Numbers, u: Real, h: Real) -> Real:
    """E|u + h V| for one residual: h E|u/h + V|. Source: newsvendor, proof of Lemma EC.6."""
    return h * kernels.deviation(m, "gaussian", u / h)


@literal(spec.value)
def value(m: Numbers, residuals: Any, h: Real) -> Sums:
    total = sum(one(m, u, h) for u in given(residuals))
    return total, total


@literal(spec.gradient)
def gradient(m: Numbers, residuals: Any, h: Real) -> Any:
    return [2 * kernels.integrated(m, "gaussian", u / h) - 1 for u in given(residuals)]


@literal(spec.gap)
def gap(m: Numbers, residuals: Any, h: Real) -> Real:
    return sum(
        2 * h * (kernels.upper_moment(m, "gaussian", a) - a * m.Phi(-a)) for a in (m.abs(u) / h for u in given(residuals))
    )


def given(residuals: Any) -> Any:
    """The residuals; ValueError where there are none."""
    if len(residuals) == 0:
        raise ValueError("residuals has at least one entry, got none")
    return residuals
