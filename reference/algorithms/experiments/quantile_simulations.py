"""The endogenous error of the quantile paper's small design: where the best linear rule's intercept lies.

x_1 ~ N(0, 2^2) and x_2 ~ N(0, 3^2) in the disc of radius 10, y = 10 + 6 x_1 - 3 x_2 + |x_1 x_2| + N(0, 3^2). By symmetry the
best linear rule has the slopes 6 and -3, and its intercept c solves E Phi((c - 10 - |x_1 x_2|)/3) = r.
"""

from typing import Any

import flint

from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.numbers import Real

BITS = 96
RADIUS_SQUARED = 100
LOWEST, HIGHEST = -60, 4
"""Ends of ln w for w = |x_1 x_2|/6; beyond them w has a probability below `LOST`."""
LOST = "1e-20"
WIDEST_ANGLE = 3
"""Below pi: exp maps the box off the branch cut of the Bessel function."""


def level_without_disc(c: Real) -> Real:
    """E Phi((c - 10 - |x_1 x_2|)/3) for unrestricted normal features.

    |x_1 x_2|/6 has the density (2/pi) K_0(w); integrated over s = ln w.

    Domain   c any number
    Returns  a ball that holds the probability
    """
    m = arb(BITS)
    level = m.real(c)

    def integrand(s: Any, analytic: bool) -> Any:
        if analytic and not abs(s.imag) < WIDEST_ANGLE:
            return flint.acb("nan")
        w = s.exp()
        below = (-(level - 10 - 6 * w) / (3 * flint.acb(2).sqrt())).erfc() / 2
        return below * 2 / flint.acb.pi() * w.bessel_k(0) * w

    found = flint.acb.integral(integrand, flint.acb(LOWEST), flint.acb(HIGHEST)).real
    return found + m.ball(0, LOST)  # type: ignore[attr-defined]


def outside_disc() -> Real:
    """At most this probability lies outside the disc: x_1^2 + x_2^2 <= 9 (Z_1^2 + Z_2^2), exponential with mean 18."""
    m = arb(BITS)
    return m.exp(-m.real(RADIUS_SQUARED) / 18)


def level_at_intercept(c: Real) -> Real:
    """E Phi((c - 10 - |x_1 x_2|)/3) for the features in the disc: the level of which (c, 6, -3) is the best linear rule.

    Returns  a ball that holds it, as wide as the probability outside the disc
    """
    m = arb(BITS)
    free, gone = level_without_disc(c), outside_disc().upper()
    return m.ball((free - gone).lower(), (free / (1 - gone)).upper())  # type: ignore[attr-defined]
