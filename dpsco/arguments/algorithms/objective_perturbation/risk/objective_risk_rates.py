"""Rates of objective perturbation: a bound against powers of n, d, epsilon and ln(1/delta), or a path on which it leaves them.

Hidden constants may depend on everything but n, d, epsilon and delta. What is compared are squares, quotients of polynomials.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import sympy

from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import quantities
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Real
from dpsco.spec.predicate import Predicate

N = sympy.Symbol("N", positive=True)
"""n = N^4 along every path, so that powers of n are powers of N."""
OMEGA = sympy.Symbol("omega", positive=True)
S = sympy.Symbol("s", nonnegative=True)
"""ln(1/delta)."""
FIXED: Mapping[str, Any] = {
    **{"B": 1, "optimum_norm": 1, "B_x": 1, "L": sympy.Rational(3, 4), "tail_cube": 0, "omega": OMEGA, "n": N**4},
    **{"kappa_1": sympy.Rational(1, 2), "K_bar": sympy.Rational(1, 2), "kappa_2": sympy.Rational(1, 3)},
}
"""The uniform kernel, level 3/4."""
PATHS: Mapping[str, tuple[Any, Any, Any]] = {
    "n grows, epsilon = n, d = 1, delta fixed": (N**4, 1, 1 + OMEGA),
    "n grows, d = n^(3/2), epsilon = 1, ln(1/delta) = 1/n": (1, N**6, N**-4),
    "n grows, d = n^2, epsilon = n^(1/2), delta fixed": (N**2, N**8, 1 + OMEGA),
    "n grows, epsilon = n^(-1/2), d = 1, delta = e^(-1 - omega)": (N**-2, 1, 1 + OMEGA),
    "n grows, d = n^(5/4), epsilon = (1 + omega) n^(-1/4), ln(1/delta) = 1/n": ((1 + OMEGA) / N, N**5, N**-4),
    "n grows, epsilon = n^(-3/4), d = 1, delta fixed": (N**-3, 1, 1 + OMEGA),
    "n grows, d = n^(3/2), epsilon = 1, delta fixed": (1, N**6, 1 + OMEGA),
    "n grows, epsilon = 1, d = 1, delta fixed": (1, 1, 1 + OMEGA),
}
"""epsilon, d, ln(1/delta)."""


@cache
def plain(expression: Any) -> Any:
    """ln(2/delta) written out as ln 2 + ln(1/delta), powers of products as products of powers."""
    return sympy.expand_log(sympy.powdenest(sympy.sympify(expression), force=True), force=True)


def multiple(small: Any, large: Any, gens: tuple[Any, ...]) -> Any:
    """A constant C free of `gens` with small <= C large wherever all symbols are nonnegative, None if none is found.

    Both are quotients of polynomials; each monomial of the one, cross-multiplied, must occur in the other.
    """
    parts = [sympy.fraction(sympy.together(plain(side))) for side in (small, large)]
    (a, b), (c, e) = parts
    try:
        top, bottom = (sympy.Poly(sympy.expand(side), *gens) for side in (a * e, c * b))
    except sympy.PolynomialError:
        return None
    known = dict(bottom.terms())
    if not all(k.is_nonnegative for side in (top, bottom) for k in side.coeffs()) or not all(_sign(x) for x in (b, e)):
        return None
    if not all(powers in known for powers, _ in top.terms()):
        return None
    return sympy.factor(sum((sympy.cancel(k / known[powers]) for powers, k in top.terms()), sympy.Integer(0)))


def _sign(expression: Any) -> bool:
    return bool(sympy.expand(expression).is_nonnegative)


def generators(claim: Claim) -> tuple[Any, ...]:
    """n, d, epsilon and ln(1/delta), as the claim's domains have them."""
    q = quantities(claim)
    return q["n"], q["d"], q["epsilon"], S


def squares(rate: Any) -> list[Any]:
    """The squares of the terms of which the rate is the largest, or the sum."""
    parts = rate.args if isinstance(rate, sympy.Max | sympy.Add) else (rate,)
    return [plain(part**2) for part in parts]


def conditions(claim: Claim) -> Iterator[tuple[Predicate, Any]]:
    """Preconditions that bound the hidden constant omega from above, with what is at least omega by them."""
    for predicate in claim.preconditions:
        if "omega" not in predicate.names:
            continue
        q = {**quantities(claim), "omega": OMEGA}
        relation = apply(predicate.test, symbolic(), q)
        if isinstance(relation, sympy.core.relational.Relational):
            slack = sympy.expand(relation.gts - relation.lts)
            factor = -slack.coeff(OMEGA, 1)
            free = sympy.expand(slack + factor * OMEGA)
            if factor.is_positive and not free.has(OMEGA):
                yield predicate, sympy.expand(free / factor)


def at(path: str) -> dict[str, Real]:
    """The quantities on a path."""
    epsilon, d, s = PATHS[path]
    return {**FIXED, "epsilon": sympy.sympify(epsilon), "d": sympy.sympify(d), "delta": sympy.exp(-s)}


def along(claim: Claim, path: str) -> dict[str, Real] | None:
    """The quantities on a path, None where the claim does not admit it: domains by making, conditions by their sign."""
    values = at(path)
    return values if all(_met(predicate, values) for predicate in claim.preconditions) else None


def _met(predicate: Predicate, values: Mapping[str, Real]) -> bool:
    truth = apply(predicate.test, symbolic(), values)
    if isinstance(truth, sympy.core.relational.Relational):
        return nonnegative_from_one(truth.gts - truth.lts)
    return truth in (True, sympy.true)


@cache
def nonnegative_from_one(expression: Any) -> bool:
    """Whether a quotient of polynomials in N and omega is nonnegative for N >= 1, all coefficients being so in N - 1."""
    more = sympy.Symbol("N_more", nonnegative=True)
    parts = sympy.fraction(sympy.together(plain(sympy.sympify(expression))))
    return all(bool(sympy.expand(part.subs(N, 1 + more)).is_nonnegative) for part in parts)


@cache
def degree(square: Any) -> tuple[Any, bool] | None:
    """The power of N like which a quotient of polynomials (of roots of N) grows, and whether its coefficient is positive.

    None for what is of another form: nothing is then seen of its growth.
    """
    whole = plain(square)
    roots = {power.exp.q for power in whole.atoms(sympy.Pow) if power.base == N and power.exp.is_Rational}
    k = sympy.ilcm(1, 1, *roots)
    whole = sympy.powdenest(whole.subs(N, N**k), force=True) if k > 1 else whole
    try:
        top, bottom = (sympy.Poly(sympy.expand(part), N) for part in sympy.fraction(sympy.together(whole)))
    except sympy.PolynomialError:
        return None
    if top.is_zero or bottom.is_zero:
        return None
    positive = all(sympy.expand(side.LC()).is_positive is True for side in (top, bottom))
    return sympy.Rational(top.degree() - bottom.degree(), k), positive


def leaves(square: Any, rate: Any) -> bool:
    """Whether the ratio to every term of the rate is seen to have the limit infinity (of a sum: to the sum as well)."""
    return all(_grows(square / part) for part in squares(rate))


def _grows(square: Any) -> bool:
    found = degree(square)
    return found is not None and bool(found[0] > 0) and found[1]


def stays(square: Any) -> bool:
    """Whether it is seen to have a positive limit, or infinity."""
    found = degree(square)
    return found is not None and bool(found[0] >= 0) and found[1]


def vanishes(square: Any) -> bool:
    """Whether it is seen to tend to 0."""
    found = degree(square)
    return sympy.sympify(square) == 0 or (found is not None and bool(found[0] < 0))
