"""Gauss and Legendre's rule with its error bounded: the integral of an analytic function over an interval."""

import math
from functools import cache

import flint

from dpsco.reference.numbers.enclosure import ArbNumbers
from dpsco.spec.numbers import Real


@cache
def legendre(order: int, bits: int) -> tuple[tuple[Real, Real], ...]:
    """Nodes in (-1, 1) and weights that sum to 2, enclosed."""
    flint.ctx.prec = bits
    return tuple(flint.arb.legendre_p_root(order, k, weight=True) for k in range(order))


def ellipse(m: ArbNumbers, width: Real, rho: float) -> tuple[Real, Real]:
    """Half axes, real and imaginary, of Bernstein's ellipse of an interval of half-width `width`: no shorter than they are."""
    r = m.real(rho)
    return (width * (r + 1 / r) / 2).upper(), (width * (r - 1 / r) / 2).upper()


def error(m: ArbNumbers, bound: Real, width: Real, rho: Real, order: int) -> Real:
    """How far the rule is off over an interval of half-width `width`, if |f| <= bound inside the ellipse.

    |error| <= 8 width bound rho^(1 - 2 order) / (rho - 1)

    The rule is exact for polynomials of degree 2 order - 1, weights are positive and sum to 2 width, and the Chebyshev series
    of f cut there leaves at most 2 bound rho^(1 - 2 order) / (rho - 1) (Trefethen 2013, Theorem 8.2): four times that.
    """
    return 8 * width * bound * rho ** (1 - 2 * order) / (m.real(rho) - 1)


def order_for(log_bound: float, rho: float, log_error: float) -> int:
    """An order, a multiple of 8, for which the error is about e^log_error."""
    needed = (log_bound + math.log(8 / (rho - 1)) - log_error) / (2 * math.log(rho)) + 0.5
    return max(8, 8 * math.ceil(needed / 8))
