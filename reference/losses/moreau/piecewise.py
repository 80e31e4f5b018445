"""The Moreau envelope of a convex piecewise linear loss, literally: the least over all pieces of the least on each."""

from typing import Any, NamedTuple

from dpsco.reference.literal import literal
from dpsco.spec.losses.moreau import piecewise as spec
from dpsco.spec.numbers import Numbers, Real

Sums = tuple[Any, Any]
"""A value and the sum of the absolute values of its terms."""


class Least(NamedTuple):
    """The least of c(x) + (u - x)^2 / (2 h) on one piece: its value, where, and the sum of its |terms|."""

    value: Real
    point: Real
    terms: Real


def loss(m: Numbers, x: Real, knots: Any, slopes: Any) -> Real:
    """c(x) = s_0 x + sum over i of (s_i - s_(i-1)) max(x - b_i, 0); see `dpsco.spec.losses.moreau.piecewise`."""
    zero = m.real(0)
    return slopes[0] * x + sum(
        (after - before) * m.max(x - b, zero) for b, before, after in zip(knots, slopes[:-1], slopes[1:], strict=True)
    )


def least(m: Numbers, u: Real, h: Real, knots: Any, slopes: Any) -> Least:
    """The infimum over all x: the least of the pieces' minima, each in its interval between two knots."""
    spec.checked(knots, slopes)
    found, passed = [], m.real(0)
    for i, s in enumerate(slopes):
        x = u - h * s
        if i > 0:
            x = m.max(x, knots[i - 1])
            passed += m.abs((s - slopes[i - 1]) * knots[i - 1])
        if i < len(knots):
            x = m.min(x, knots[i])
        square = (u - x) ** 2 / (2 * h)
        terms = m.abs(s * x) + m.abs(s * (u - x)) + square + passed
        found.append(Least(loss(m, x, knots, slopes) + square, x, terms))
    return min(found)


@literal(spec.value)
def value(m: Numbers, u: Real, h: Real, knots: Any, slopes: Any) -> Sums:
    best = least(m, u, h, knots, slopes)
    return best.value, best.terms


@literal(spec.derivative)
def derivative(m: Numbers, u: Real, h: Real, knots: Any, slopes: Any) -> Real:
    return (u - least(m, u, h, knots, slopes).point) / h
