"""Sums of powers in closed form, and the quantities of the weighted average on the range alpha <= beta.

y = alpha/(2 beta), U = (1 + y)^T, V = 2^(-y T/2), A = 2^(-y/2). On the range y = 1/(2 (1 + c)), c >= 0; U = 1 + u, u > 0; V =
1/(1 + v), v >= 0; A = 1 - y/2 + s, s >= 0 (2^-x is convex and lies above 1 - x): a difference of two rational expressions in
them whose coefficients have one sign is decided for all of them, whatever ties them together.
"""

from collections.abc import Callable, Mapping
from typing import Any

import sympy

from dpsco.arguments.cells import sign
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.symbolic import SymbolicNumbers
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Real
from dpsco.verdict import Lemma

Y, BETA, T = sympy.symbols("y beta T", positive=True)
U, V, A = sympy.symbols("U V A", positive=True)
DIVERGENCE, NOISE = sympy.symbols("divergence g_squared", nonnegative=True)
C, S, SMALL = sympy.symbols("c s v", nonnegative=True)
LARGE = sympy.Symbol("u", positive=True)
RANGE = {Y: 1 / (2 * (1 + C)), U: 1 + LARGE, V: 1 / (1 + SMALL), A: 1 - 1 / (4 * (1 + C)) + S}
"""All of alpha <= beta, T >= 1."""
WHOLE = {Y: 1 / (1 + C)}
"""All of alpha <= 2 beta."""
CONVEX = Lemma("powers of one half", "2^(-x) is convex with slope -ln 2 > -1 at 0: 2^(-x) >= 1 - x for x >= 0.")


class GeometricNumbers(SymbolicNumbers):
    """Expressions; a sum of a geometric sequence becomes its closed form, another sum raises ValueError."""

    def sum(self, term: Callable[[Real], Real], low: Real, high: Real) -> Real:
        k = sympy.Symbol("k", positive=True)
        ratio = sympy.simplify(sympy.expand(term(k + 1) / term(k), power_base=True, power_exp=True))
        if ratio.has(k) or sympy.simplify(ratio - 1) == 0:
            raise ValueError(f"ratio={ratio}: only sums of geometric sequences are in closed form")
        return term(low) * (ratio ** (high - low + 1) - 1) / (ratio - 1)


def closed(claim: Claim, name: str, **more: Any) -> Any:
    """The formula in y, beta, T, U, V, A; None where the sum is not geometric or a power of another kind is left."""
    values = {"alpha": 2 * Y * BETA, "beta": BETA, "T": T, "divergence": DIVERGENCE, "g_squared": NOISE, **more}
    try:
        found = apply(claim.formulas[name], GeometricNumbers(), values)
    except ValueError:
        return None
    return rational(found)


def rational(found: Any) -> Any:
    """The expression with U, V and A for its powers; None where another power is left."""
    expanded = sympy.sympify(found).replace(_is_power, lambda part: _power(part.base, part.exp))
    left = sympy.cancel(sympy.together(expanded))
    return None if left.has(T) or left.has(sympy.log) or any(not p.exp.is_Integer for p in left.atoms(sympy.Pow)) else left


def _is_power(part: Any) -> bool:
    return bool(part.is_Pow and not part.exp.is_Integer)


def _power(base: Any, exponent: Any) -> Any:
    """base^exponent in U, V and A where base is a product of powers of 1 + y and of 2, exponent linear in T and y."""
    whole = sympy.Integer(1)
    for factor, power in sympy.factor(sympy.cancel(base)).as_powers_dict().items():
        whole *= _factor(factor, sympy.expand(power * exponent))
    return whole


def _factor(factor: Any, power: Any) -> Any:
    steps, rest = power.coeff(T, 1), sympy.expand(power.coeff(T, 0))
    if sympy.expand(power - steps * T - rest) != 0:
        return factor**power
    if factor == A and steps.is_Integer and rest.is_Integer:
        return V**steps * A**rest
    if factor == 1 + Y and steps.is_Integer and rest.is_Integer:
        return U**steps * (1 + Y) ** rest
    if factor.is_Rational and factor > 0:
        twos = sympy.log(factor, 2)
        whole, part = (sympy.expand(-2 * twos * x / Y) for x in (steps, rest))
        if whole.is_Integer and part.is_Integer:
            return V**whole * A**part
    return factor**power


def known(low: Any, high: Any, where: Mapping[Any, Any]) -> str | None:
    """The sign of low - high on the range; None where either is no rational expression, or the sign is not seen."""
    if low is None or high is None:
        return None
    return sign(sympy.cancel(sympy.together((low - high).subs(where))))
