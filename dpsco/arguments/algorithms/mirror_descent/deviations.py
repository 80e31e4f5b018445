"""Sums of errors of truncated gradients: Freedman's inequality without centring, and sums that are large for sure.

t is the square root of the number of steps, s of tau, u = lambda s/(sigma t).
"""

from collections.abc import Callable, Mapping
from typing import Any

import sympy

from dpsco.arguments.algorithms.mirror_descent.truncation import bias, height, slope
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

S, T, U, M, SIGMA = (sympy.Symbol(name, positive=True) for name in ("s", "t", "u", "M", "sigma"))
LAMBDA = U * SIGMA * T / S
VALUES: Mapping[str, Any] = {"tau": S**2, "T": T**2, "M": M, "sigma": SIGMA, "lambda_": LAMBDA}
FREEDMAN = Lemma(
    "Freedman's inequality without centring",
    "(e^x - 1 - x)/x^2 increases, so for X <= b and theta > 0: E e^(theta X) <= exp(theta E X + E X^2 (e^(theta b) - 1 - "
    "theta b)/b^2). Over T steps with E[X | past] <= a and E[X^2 | past] <= v: P(sum >= T a + e) <= exp(-e^2/(2 T v + 2 b "
    "e/3)). For <x_t, z - w_{t-1}>: b = 3 lambda M, a = 2 sigma^2 M/lambda, v = sigma^2 M^2; for |x_t|_*^2: b = 9 lambda^2, a "
    "= sigma^2, v = 9 lambda^2 sigma^2. w_{t-1} is a function of earlier batches; averaging over the noise keeps a, b and, by "
    "Jensen, v.",
)
SURE = Lemma(
    "sums that are large",
    "C = [0, M], w_0 = 0, z = M. (1) T = 1, losses -S w, S > beta M + lambda: all gradients are set to 0, x_1 = S, so the "
    "sums are S M and S^2 surely. (2) Losses -S w + xi w, S <= beta M, whose gradient is set to 0 with chance q: E x_t = q (S "
    "+ s), E x_t^2 <= sigma^2; for |z - w_{t-1}| = M (gamma_t -> infinity: steps of no length) Chebyshev's inequality bounds "
    "the sum from below. (3) xi = +-sigma, S + sigma <= beta M + lambda: |x_t|^2 = sigma^2 surely.",
)


def rate(claim: Claim, name: str) -> Any:
    """-ln of a tail in the symbols."""
    return sympy.simplify(-sympy.expand_log(sympy.log(apply(claim.formulas[name], symbolic(), VALUES)), force=True))


def exponent(deviation: Any, mean: Any, second: Any, largest: Any) -> Any:
    """The proved -ln P(sum >= deviation), e = deviation - T mean; None where e is not seen to be at least 0."""
    e = sympy.expand(deviation - T**2 * mean)
    return None if not grows_from_zero(e) else e**2 / (2 * T**2 * second + sympy.Rational(2, 3) * largest * e)


def grows_from_zero(x: Any) -> bool:
    """Whether numerator and denominator have nonnegative coefficients only."""
    top, bottom = sympy.fraction(sympy.cancel(sympy.together(x)))
    try:
        parts = [
            sympy.Poly(sympy.expand(part), *sorted(part.free_symbols, key=str)) for part in (top, bottom) if part.free_symbols
        ]
    except sympy.PolynomialError:
        return False
    numbers = [part for part in (top, bottom) if not part.free_symbols]
    return all(c >= 0 for p in parts for c in p.coeffs()) and all(n >= 0 for n in numbers)


def first_proved(claim: Claim) -> Any:
    """For the products."""
    deviation = apply(claim.formulas["first_deviation"], symbolic(), VALUES)
    return exponent(deviation, 2 * SIGMA**2 * M / LAMBDA, SIGMA**2 * M**2, 3 * LAMBDA * M)


def second_proved(claim: Claim) -> Any:
    """For the squares."""
    deviation = apply(claim.formulas["second_deviation"], symbolic(), VALUES)
    return exponent(deviation, SIGMA**2, 9 * LAMBDA**2 * SIGMA**2, 9 * LAMBDA**2)


def first_reached(claim: Claim) -> Callable[[Numbers, Mapping[str, Real]], Real]:
    """A lower bound on the probability for the products, laws (1) and (2)."""

    def chance(m: Numbers, v: Mapping[str, Real]) -> Real:
        deviation, zero = apply(claim.formulas["first_deviation"], m, v), m.real(0)
        if m.gt(slope(v), height(v)) is True:
            sure = m.eq(v["T"], m.real(1)) is True and m.ge(slope(v) * v["M"], deviation) is True
            return m.real(1) if sure else zero
        room = v["T"] * v["M"] * bias(m, v) - deviation
        return 1 - v["T"] * (v["M"] * v["sigma"] / room) ** 2 if m.gt(room, zero) is True else zero

    return chance


def second_reached(claim: Claim) -> Callable[[Numbers, Mapping[str, Real]], Real]:
    """1 where the squares' sum certainly reaches the deviation, laws (1) and (3)."""

    def chance(m: Numbers, v: Mapping[str, Real]) -> Real:
        deviation, S_ = apply(claim.formulas["second_deviation"], m, v), slope(v)
        each = S_**2 if m.gt(S_, height(v)) is True else v["sigma"] ** 2
        inside = m.gt(S_, height(v)) is True or m.le(S_ + v["sigma"], height(v)) is True
        return m.real(1) if inside and m.ge(v["T"] * each, deviation) is True else m.real(0)

    return chance
