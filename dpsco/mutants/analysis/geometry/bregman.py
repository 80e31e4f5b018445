"""Mutants of the facts on Bregman divergences, shown false by functions on the line in exact fractions."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

Function = Callable[[Fraction], Fraction]
HALF = Fraction(1, 2)


def bregman(f: Function, slope: Function, x: Fraction, z: Fraction) -> Fraction:
    """f(x) - f(z) - f'(z) (x - z)."""
    return f(x) - f(z) - slope(z) * (x - z)


def largest_share(alpha: int, beta: int) -> Fraction:
    """D of f + alpha Phi over D_Phi, f = beta x^2/2 and Phi = x^2/2, at two points."""
    x, z = Fraction(3), Fraction(-1, 2)
    whole = bregman(lambda t: beta * t**2 / 2 + alpha * t**2 / 2, lambda t: (beta + alpha) * t, x, z)
    return whole / bregman(lambda t: t**2 / 2, lambda t: t, x, z)


def least_share(alpha: int) -> Fraction:
    """The same for a linear f."""
    x, z = Fraction(3), Fraction(-1, 2)
    whole = bregman(lambda t: 5 * t + alpha * t**2 / 2, lambda t: 5 + alpha * t, x, z)
    return whole / bregman(lambda t: t**2 / 2, lambda t: t, x, z)


def of_sums() -> Iterator[Mutant]:
    claim = find("lp/lem-11")

    def half(m: Numbers, alpha: Real, beta: Real, divergence_phi: Real) -> Real:
        return (alpha + beta / 2) * divergence_phi

    def larger(m: Numbers, alpha: Real, beta: Real, divergence_phi: Real) -> Real:
        return m.max(alpha, beta) * divergence_phi

    def both(m: Numbers, alpha: Real, beta: Real, divergence_phi: Real) -> Real:
        return (alpha + beta) * divergence_phi

    def without(m: Numbers, alpha: Real, divergence_phi: Real) -> Real:
        return alpha * divergence_phi

    smooth, convex = partial(with_formula, claim, "relative_smoothness"), partial(with_formula, claim, "relative_convexity")
    yield Mutant("alpha + beta/2", smooth(half), lambda: largest_share(1, 2) > Fraction(1) + 1)
    yield Mutant("max(alpha, beta)", smooth(larger), lambda: largest_share(1, 2) > 2)
    yield Mutant("alpha-smooth", smooth(without), lambda: largest_share(1, 2) > 1)
    yield Mutant(
        "9/10 (alpha + beta)", scaled(claim, "relative_smoothness", 9, 10), lambda: largest_share(1, 2) > Fraction(27, 10)
    )
    yield Mutant("11/10 alpha", scaled(claim, "relative_convexity", 11, 10), lambda: least_share(3) < Fraction(33, 10))
    yield Mutant("(alpha + beta)-convex", convex(both), lambda: least_share(3) < 3 + 1)
    most, least = scaled(claim, "divergence", 11, 10), scaled(claim, "divergence", 9, 10)
    yield Mutant("divergence times 11/10", most, lambda: largest_share(1, 2) * Fraction(11, 10) > 1 + 2)
    yield Mutant("divergence times 9/10", least, lambda: least_share(3) * Fraction(9, 10) < 3)
    yield Mutant(
        "11/10 (alpha + beta) (still true)", scaled(claim, "relative_smoothness", 11, 10), lambda: largest_share(1, 2) > 4
    )


def sides(a: Fraction, b: Fraction, z: Fraction, x: Fraction) -> tuple[Fraction, Fraction, Fraction, Fraction, Fraction]:
    """phi(x), D(x, z), phi(z*), D(z*, z), D(x, z*) of phi = a x + b x^2/2, Phi = x^2/2; z* is checked to be a minimum."""

    def phi(t: Fraction) -> Fraction:
        return a * t + b * t**2 / 2

    def distance(s: Fraction, t: Fraction) -> Fraction:
        return bregman(lambda r: r**2 / 2, lambda r: r, s, t)

    star = (z - a) / (1 + b)
    least = phi(star) + distance(star, z)
    assert all(phi(star + step) + distance(star + step, z) > least for step in (HALF, -HALF, Fraction(1, 1000)))
    return phi(x), distance(x, z), phi(star), distance(star, z), distance(x, star)


def of_three_points() -> Iterator[Mutant]:
    claim = find("lp/lem-12")
    factor = Fraction(11, 10)

    def right(one: int, other: int) -> Callable[..., Real]:
        def moved(m: Numbers, value_star: Real, divergence_star_z: Real, divergence_x_star: Real) -> Real:
            return value_star + m.frac(one, 10) * divergence_star_z + m.frac(other, 10) * divergence_x_star

        return moved

    def false(one: Fraction, other: Fraction, a: int, x: int) -> bool:
        value_x, x_z, value_star, star_z, x_star = sides(Fraction(a), Fraction(0), Fraction(2), Fraction(x))
        return value_x + x_z < value_star + one * star_z + other * x_star

    def unsquared(m: Numbers, value_x: Real) -> Real:
        return value_x

    move = partial(with_formula, claim, "right")
    yield Mutant("11/10 D(x, z*)", move(right(10, 11)), lambda: false(Fraction(1), factor, 0, 5))
    yield Mutant("11/10 D(z*, z)", move(right(11, 10)), lambda: false(factor, Fraction(1), 1, 5))
    yield Mutant("2 D(x, z*)", move(right(10, 20)), lambda: false(Fraction(1), Fraction(2), 0, 5))
    yield Mutant("D(x, z) dropped", with_formula(claim, "left", unsquared), lambda: _dropped())
    turned = replace(claim, formulas={**claim.formulas, "left": claim.formulas["right"], "right": claim.formulas["left"]})
    yield Mutant("the other way round", turned, lambda: _strict())
    yield Mutant("9/10 D(x, z*) (still true)", move(right(10, 9)), lambda: False)


def _dropped() -> bool:
    value_x, _, value_star, star_z, x_star = sides(Fraction(0), Fraction(0), Fraction(2), Fraction(5))
    return value_x < value_star + star_z + x_star


def _strict() -> bool:
    value_x, x_z, value_star, star_z, x_star = sides(Fraction(1), Fraction(3), Fraction(2), Fraction(5))
    return value_x + x_z > value_star + star_z + x_star
