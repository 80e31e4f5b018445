"""Mutants of the claims about the smoothed l1-norm and about losses written with one, shown false by quadrature of |u + h V|,
difference quotients of it, or fractions."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dpsco.instances.kernel_integrals import CLEARLY, M, distance
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.losses.kernels import flip
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

ONE, HALF = Fraction(1), Fraction(1, 2)


def smoothed(*residuals: str) -> Real:
    """E|u + V|_1 at h = 1, coordinate by coordinate by quadrature."""
    return sum(distance("gaussian", u) for u in residuals)


def above(left: Callable[[], Real], right: Callable[[], Real]) -> Callable[[], bool]:
    return lambda: bool(left() > right() + CLEARLY)


def of_norm() -> list[Mutant]:
    claim = find("newsvendor/lem-EC.6")
    convex = claim.asserts[1]

    def without_size(m: Numbers, size: Real) -> Real:
        return m.real(1) + 0 * size

    def too_smooth(m: Numbers, size: Real, h: Real) -> Real:
        return m.sqrt(size) / h**2

    def one_tail(m: Numbers, residuals: Real, h: Real) -> Real:
        return sum(h * m.sqrt(2 / m.pi) * m.exp(-(u**2) / (2 * h**2)) - m.abs(u) * m.Phi(-m.abs(u) / h) for u in residuals)

    def bulge() -> Real:
        return smoothed("0.5") + smoothed("-0.5") - 2 * smoothed("0")

    def climb() -> Real:
        """Along the diagonal of the plane, far out: the slope there is sqrt(2)."""
        return (smoothed("9", "9") - smoothed("8", "8")) / M.sqrt(2)

    def at_zero() -> Real:
        return M.sqrt(2 / M.pi)

    concave = tuple(replace(a, right="concave in u") if a == convex else a for a in claim.asserts)
    return [
        Mutant(
            "smoothed times 11/10",
            scaled(claim, "smoothed", 11, 10),
            above(lambda: smoothed("1") * 11 / 10, lambda: smoothed("1")),
        ),
        Mutant(
            "sum of the sizes times 11/10",
            scaled(claim, "absolute_sum", 11, 10),
            above(lambda: smoothed("1") - 1, lambda: smoothed("1") - M.real("1.1")),
        ),
        Mutant(
            "gap times 9/10",
            scaled(claim, "gap", 9, 10),
            above(lambda: smoothed("1") - 1, lambda: (smoothed("1") - 1) * 9 / 10),
        ),
        Mutant(
            "upper bound times 9/10",
            scaled(claim, "gap_upper", 9, 10),
            above(lambda: smoothed("0"), lambda: at_zero() * 9 / 10),
        ),
        Mutant("Lipschitz constant times 9/10", scaled(claim, "lipschitz", 9, 10), above(climb, lambda: M.sqrt(2) * 9 / 10)),
        Mutant(
            "Lipschitz constant 1 for every size",
            with_formula(claim, "lipschitz", without_size),
            above(climb, lambda: M.real(1)),
        ),
        Mutant("smoothness times 7/10", scaled(claim, "smoothness", 7, 10), above(lambda: 4 * bulge(), lambda: M.real("0.7"))),
        Mutant(
            "smoothness sqrt(m)/h^2",
            with_formula(claim, "smoothness", too_smooth),
            above(lambda: 4 * bulge() / 2, lambda: M.frac(1, 4)),  # at h = 2 lengths double, so curvatures halve
        ),
        Mutant(
            "gap with one tail",
            with_formula(claim, "gap", one_tail),
            above(lambda: one_tail(M, [M.real(1)], M.real(1)), lambda: smoothed("1") - 1),
        ),
        Mutant("concave", replace(claim, asserts=concave), above(bulge, lambda: M.real(0))),
        flip(
            claim, "gap", ">=", "gap_upper", above(lambda: M.sqrt(2 / M.pi) * M.exp(M.real("-0.5")), lambda: smoothed("1") - 1)
        ),
    ]


def of_forms() -> list[Mutant]:
    claim = find("newsvendor/sec-EC.2.3-examples-amended")

    def check(u: Fraction, r: Fraction) -> Fraction:
        return r * max(u, 0 * ONE) + (1 - r) * max(-u, 0 * ONE)

    def literal(m: Numbers, y: Real, prediction: Real) -> Real:
        return m.abs((y - prediction) / 2) + (y + prediction) / 2

    def of_sum(m: Numbers, y: Real, prediction: Real, r: Real) -> Real:
        return m.abs((y - prediction) / 2) + (r - m.frac(1, 2)) * (y + prediction)

    def limit(m: Numbers, u: Real) -> Real:
        return m.abs(u / 2) + u / 2

    def kept(m: Numbers, u: Real, tau: Real) -> Real:
        return m.abs((u + tau) / 2) + m.abs((u - tau) / 2)

    third = Fraction(1, 4)
    return [
        Mutant(
            "f(t) = t/2 of y + prediction",
            with_formula(claim, "newsvendor_form", literal),
            lambda: check(ONE, third) != ONE / 2 + ONE / 2,
        ),
        Mutant(
            "f of y + prediction",
            with_formula(claim, "newsvendor_form", of_sum),
            lambda: check(0 * ONE, third) != (third - HALF) * 6,
        ),
        Mutant(
            "f(t) = t/2 of the residual",
            with_formula(claim, "newsvendor_form_of_residual", limit),
            lambda: check(ONE, third) != ONE,
        ),
        Mutant(
            "soft threshold without - tau",
            with_formula(claim, "soft_threshold_form", kept),
            lambda: max(abs(ONE) - 3, 0 * ONE) != abs((ONE + 3) / 2) + abs((ONE - 3) / 2),
        ),
        Mutant("relu times 11/10", scaled(claim, "relu_form", 11, 10), lambda: max(ONE, 0 * ONE) != ONE * 11 / 10),
        Mutant(
            "check loss times 11/10",
            scaled(claim, "check_loss", 11, 10),
            lambda: check(ONE, third) * 11 / 10 != abs(ONE / 2) + (third - HALF) * ONE,
        ),
        Mutant("relu itself times 11/10", scaled(claim, "relu", 11, 10), lambda: abs(ONE / 2) + ONE / 2 != ONE * 11 / 10),
        Mutant(
            "soft threshold times 11/10",
            scaled(claim, "soft_threshold", 11, 10),
            lambda: (abs(3 * ONE) - 1) * 11 / 10 != abs((3 * ONE - 1) / 2) + (3 * ONE - 1) / 2,
        ),
        flip(claim, "relu", "<", "relu_form", lambda: max(ONE, 0 * ONE) == abs(ONE / 2) + ONE / 2),
    ]
