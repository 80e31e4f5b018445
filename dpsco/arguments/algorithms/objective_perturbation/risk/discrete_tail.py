"""The tail step of discrete demand: the worst bandwidth of a law, orders as the bandwidth falls, signs of polynomials."""

from collections.abc import Callable, Mapping
from typing import Any

import sympy

from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import expressed, named
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbol
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real

BANDWIDTHS = ("0.04", "0.1", "0.3", "1", "1.4", "3", "20", "100000")
BARELY = "1.0001"
"""The atoms lie at this multiple of the condition's reach."""
Shown = tuple[Mapping[str, str], Real, Real]
"""An instance, what the paper claims there, and a value that is reached."""


def worst_law(claim: Claim, name: str, reached: Callable[[Numbers, Real, Real, Real], Real]) -> Shown | None:
    """The bandwidth, tau = sqrt(h), at which the law of `BEYOND` exceeds the formula by the largest factor, if any does."""
    found, m = [], arb()
    for h in BANDWIDTHS:
        tau = m.sqrt(m.real(h)).upper()
        claimed = apply(claim.formulas[name], m, {"h": m.real(h)})
        true = reached(m, m.real(h), tau, tau * m.real(BARELY))
        if m.gt(true, claimed) is True:
            found.append(({"h": h, "tau": f"sqrt({h})"}, claimed, true))
    return max(found, key=lambda row: float((row[2] / row[1]).mid()), default=None)


def outgrown(claim: Claim, name: str) -> bool:
    """Whether the formula is o(h^2 exp(-a^2/(2 h^2))), a = 1.0001 sqrt(h): the order of the gap at the law's atoms."""
    h, a = symbol(claim.parameter("h")), sympy.Rational(BARELY)
    return bool(sympy.limit(expressed(claim, named(claim, name)) * sympy.exp(a**2 / (2 * h)) / h**2, h, 0, "+") == 0)


def at_least_zero(polynomial: Any, y: Any) -> bool:
    """Whether a polynomial in y without roots inside (0, 1) is nonnegative there, exactly."""
    polynomial = sympy.expand(sympy.simplify(polynomial))
    if not polynomial.is_polynomial(y):
        return False
    p = sympy.Poly(polynomial, y)
    if p.is_zero or not (p.domain.is_QQ or p.domain.is_ZZ):
        return bool(p.is_zero)
    roots = [root for root in sympy.real_roots(p) if 0 < root < 1] if p.degree() > 0 else []
    return not roots and bool(p.eval(sympy.Rational(1, 2)) > 0)
