"""The Moreau envelope of the check loss, literally: the infimum sought on each half-line, not the closed form."""

from typing import Any

from dpsco.reference.literal import literal
from dpsco.spec.losses.moreau import envelope as spec
from dpsco.spec.losses.moreau.envelope import check_loss as check_loss
from dpsco.spec.numbers import Numbers, Real

Sums = tuple[Any, Any]
"""A value and the sum of the absolute values of its terms."""


def minimisers(m: Numbers, u: Real, h: Real, r: Real) -> tuple[Real, Real]:
    """Where c(x) + (u - x)^2 / (2 h) is least over x >= 0, where c(x) = r x, and over x <= 0, where c(x) = (r - 1) x.

    Domain   h > 0, r in (0, 1), u any number
    Returns  the two points, in the unit of the outcome
    """
    zero = m.real(0)
    return m.max(u - h * r, zero), m.min(u - h * (r - 1), zero)


@literal(spec.value)
def value(m: Numbers, u: Real, h: Real, r: Real) -> Real:
    right, left = minimisers(m, u, h, r)
    return m.min(spec.proximal_objective(m, u, right, r, h), spec.proximal_objective(m, u, left, r, h))


@literal(spec.derivative)
def derivative(m: Numbers, u: Real, h: Real, r: Real) -> Real:
    right, left = minimisers(m, u, h, r)
    return (u - (right + left)) / h


@literal(spec.proximal_point)
def proximal_point(m: Numbers, u: Real, h: Real, r: Real) -> Sums:
    right, left = minimisers(m, u, h, r)
    x = right + left  # one of them is zero
    return x, m.abs(u) + m.abs(u - x)


def gap(m: Numbers, u: Real, h: Real, r: Real) -> Real:
    """Envelope minus loss, between -h max(r^2, (1 - r)^2) / 2 and 0. Source: newsvendor, Lemma EC.4, part 3."""
    return value(m, u, h, r) - check_loss(m, u, r)
