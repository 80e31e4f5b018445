"""The smoothed SPO+ loss, literally: the printed integrand at its maximiser, the projection of an unconstrained one."""

from typing import Any

from dpsco.reference.literal import literal
from dpsco.reference.losses.spo import regions
from dpsco.reference.losses.spo.loss import sizes, total
from dpsco.spec.losses.spo import smoothing as spec
from dpsco.spec.numbers import Numbers, Real

Sums = tuple[Any, Any]
"""A value and the sum of the absolute values of its terms."""


def maximiser(m: Numbers, shape: str, table: Any, c: Any, c_hat: Any, mu: Real) -> list[Real]:
    """The decision that attains the maximum, on every set: the nearest to (c - 2 c_hat)/mu."""
    if not mu > 0:
        raise ValueError(f"mu is positive, got {mu}")
    return regions.project(
        m, shape, table, [spec.stationary_coordinate(m, mu=mu, c_j=a, c_hat_j=b) for a, b in zip(c, c_hat, strict=True)]
    )


@literal(spec.smoothed_loss)
def smoothed_loss(m: Numbers, shape: str, table: Any, c: Any, c_hat: Any, mu: Real) -> Sums:
    w, w_star = maximiser(m, shape, table, c, c_hat, mu), regions.oracle(m, shape, table, c)
    each = _sizes(m, shape, table, c, c_hat, mu, w, w_star)
    linear = total(m, ((m.abs(a) + 2 * m.abs(b)) * s for a, b, s in zip(c, c_hat, each, strict=True)))
    return spec.smoothed_integrand(m, mu, c, c_hat, w, w_star), linear + mu * total(m, (s * s for s in each)) / 2


@literal(spec.smoothed_gradient)
def smoothed_gradient(m: Numbers, shape: str, table: Any, c: Any, c_hat: Any, mu: Real) -> Sums:
    w, w_star = maximiser(m, shape, table, c, c_hat, mu), regions.oracle(m, shape, table, c)
    entries = [spec.gradient_entry(m, w_j=a, w_star_j=b, x_i=m.real(1)) for a, b in zip(w, w_star, strict=True)]
    return entries, [2 * s for s in _sizes(m, shape, table, c, c_hat, mu, w, w_star)]


def _sizes(m: Numbers, shape: str, table: Any, c: Any, c_hat: Any, mu: Real, w: Any, w_star: Any) -> list[Real]:
    """Terms of both decisions; those of a projection that subtracts, on l1 balls and simplices, are the projected numbers."""
    each = sizes(m, shape, table, w, w_star)
    if shape not in ("l1_ball", "simplex"):
        return each
    point = total(m, ((m.abs(a) + 2 * m.abs(b)) / mu for a, b in zip(c, c_hat, strict=True)))
    return [s + point + total(m, (m.abs(a) for row in table for a in row)) for s in each]
