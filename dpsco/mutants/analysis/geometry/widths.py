"""Mutants of Gaussian widths and of inscribed balls: mpmath's quadrature, drawn maxima and boxes in exact fractions."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath

from dpsco.arguments.analysis.geometry.support_moments import ANY_SET
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def mean_maximum(d: int, absolute: bool) -> Any:
    """E max g_j or E max |g_j| as the mean under the density of the maximum, by quadrature."""

    def density(t: Any) -> Any:
        normal, below = mpmath.npdf(t), mpmath.ncdf(t)
        return d * (2 * normal * (2 * below - 1) ** (d - 1) if absolute else normal * below ** (d - 1))

    low = 0 if absolute else -12
    return mpmath.quad(lambda t: t * density(t), [low, 1, 2, 3, 4, 5, 6, 8, 12])


def mean_norm(d: int) -> Any:
    """E|g|_2 as a quotient of integrals over the radius."""
    return mpmath.quad(lambda r: r**d * mpmath.exp(-(r**2) / 2), [0, 2, 4, 8, 16]) / mpmath.quad(
        lambda r: r ** (d - 1) * mpmath.exp(-(r**2) / 2), [0, 2, 4, 8, 16]
    )


def of_widths() -> Iterator[Mutant]:
    claim = find("lp/gaussian-width")

    def bound(inside: Callable[[Numbers, Real], Real]) -> Callable[..., Real]:
        def moved(m: Numbers, d: Real) -> Real:
            return m.sqrt(inside(m, d))

        return moved

    def bare_root(m: Numbers, d: Real) -> Real:
        return m.sqrt(d)

    def in_diameter(m: Numbers, euclidean_norm: Real, C_norm: Real) -> Real:
        return euclidean_norm / C_norm**2

    def linear(m: Numbers, sigma: Real, G_C: Real) -> Real:
        return sigma**2 * G_C

    logs, sqrt, ln = 10**6, mpmath.sqrt, mpmath.log
    yield Mutant("sqrt(d) for the l2 ball", with_formula(claim, "width_l2", bare_root), lambda: mean_norm(3) < sqrt(3) - 0.01)
    yield Mutant(
        "l2 ball times 1.01", scaled(claim, "width_l2", 101, 100), lambda: abs(mean_norm(3) * 1.01 - mean_norm(3)) > 0.01
    )
    yield Mutant(
        "l_inf ball times 0.99", scaled(claim, "width_linf", 99, 100), lambda: mean_norm(1) > 0.99 * sqrt(2 / mpmath.pi)
    )
    yield Mutant(
        "sqrt(2 ln d) for the l_1 ball",
        with_formula(claim, "width_l1_bound", bound(lambda m, d: 2 * m.log(d))),
        lambda: mean_norm(1) > sqrt(2 * ln(1)),
    )
    yield Mutant(
        "sqrt(ln(2 d)) for the l_1 ball",
        with_formula(claim, "width_l1_bound", bound(lambda m, d: m.log(2 * d))),
        lambda: mean_maximum(logs, True) > sqrt(ln(2 * logs)),
    )
    yield Mutant(
        "sqrt(1.5 ln d) for the simplex",
        with_formula(claim, "width_simplex_bound", bound(lambda m, d: 3 * m.log(d) / 2)),
        lambda: mean_maximum(logs, False) > sqrt(1.5 * ln(logs)),
    )
    yield Mutant("l_p bound times 0.99", scaled(claim, "width_lp_bound", 99, 100), lambda: mean_norm(100) > 0.99 * 10)
    narrow = Fraction(1, 2)  # the interval [-1/2, 1/2] and v = 1
    yield Mutant("|v|_2/|C|_2^2", with_formula(claim, "minkowski_lower_bound", in_diameter), lambda: 1 / narrow < 1 / narrow**2)
    longer = scaled(claim, "minkowski_lower_bound", 11, 10)
    yield Mutant("1.1 |v|_2/|C|_2", longer, lambda: box_norm(3, 3, 3, 0) < Fraction(11, 10) * 3 / 3)
    yield Mutant("sigma^2 G_C", with_formula(claim, "dual_norm_rate", linear), lambda: unbounded())
    yield Mutant("any compact convex set", replace(claim, over=ANY_SET), lambda: far_interval())


def box_norm(a: int, b: int, x: int, y: int) -> Fraction:
    """Minkowski norm of the box [-a, a] x [-b, b]."""
    return max(Fraction(abs(x), a), Fraction(abs(y), b))


def unbounded() -> bool:
    """E|G|^2 over sigma^2 G_C for C = [-rho, rho] grows with rho, by quadrature."""
    second = mpmath.quad(lambda g: g**2 * mpmath.npdf(g), [-12, 0, 12])
    mean = mpmath.quad(lambda g: abs(g) * mpmath.npdf(g), [-12, 0, 12])
    ratios = [second * rho**2 / (rho * mean) for rho in (1, 10**3, 10**6)]
    return bool(ratios[2] > 900 * ratios[1] > 900 * 900 * ratios[0])


def far_interval() -> bool:
    """The same over G_C^2 for C = [1 - rho, 1 + rho] grows as rho falls, by quadrature."""

    def ratio(rho: Any) -> Any:
        mean = mpmath.quad(lambda g: (g + rho * abs(g)) * mpmath.npdf(g), [-12, 0, 12])
        return mpmath.quad(lambda g: (g + rho * abs(g)) ** 2 * mpmath.npdf(g), [-12, 0, 12]) / mean**2

    return bool(ratio(mpmath.mpf("1e-4")) > 90 * ratio(mpmath.mpf("1e-3")) > 90)


def of_inscribed_balls() -> Iterator[Mutant]:
    claim = find("lp/lem-10")

    def box(a: int, b: int, x: int, y: int) -> tuple[Fraction, Fraction]:
        """|x|_C and C_min of a box."""
        return box_norm(a, b, x, y), Fraction(min(a, b))

    def false(bound: Callable[[Fraction, Fraction], Any], *at: int) -> bool:
        size, least = box(*at)
        return at[3] == 0 and bool(at[2] < bound(size, least))

    def with_power(power: tuple[int, int]) -> Callable[..., Real]:
        def moved(m: Numbers, minkowski_norm: Real, C_min: Real) -> Real:
            return minkowski_norm * C_min ** m.frac(*power)

        return moved

    yield Mutant(
        "1.1 |x|_C C_min", scaled(claim, "bound", 11, 10), lambda: false(lambda s, c: s * c * Fraction(11, 10), 2, 3, 2, 0)
    )
    squared = with_formula(claim, "bound", with_power((2, 1)))
    yield Mutant("|x|_C C_min^2", squared, lambda: false(lambda s, c: s * c**2, 2, 3, 2, 0))
    root = with_formula(claim, "bound", with_power((1, 2)))
    yield Mutant("|x|_C sqrt(C_min)", root, lambda: Fraction(1, 4) < Fraction(1, 2))  # the interval [-1/4, 1/4], x its end
    turned = replace(claim, formulas={"bound": lambda m, C_min, minkowski_norm: minkowski_norm**2 * C_min})
    yield Mutant("|x|_C^2 C_min", turned, lambda: false(lambda s, c: s**2 * c, 1, 1, 2, 0))
    yield Mutant("0.9 |x|_C C_min (still true)", scaled(claim, "bound", 9, 10), lambda: False)
