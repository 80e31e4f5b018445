"""Mutants of the claim about Horowitz's smoothing, shown false in fractions for the uniform and the Epanechnikov kernel."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dpsco.instances.kernel_integrals import uniform_below
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.losses.kernels import flip
from dpsco.spec.claim import Claim
from dpsco.spec.losses.quantile.horowitz import loss
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

R, ONE, HALF = Fraction(1, 4), Fraction(1), Fraction(1, 2)


def check(u: Fraction) -> Fraction:
    return R * u if u > 0 else (1 - R) * -u


def below(v: Fraction) -> Fraction:
    """P(V <= v) for the density (3/4)(1 - v^2) on [-1, 1], integrated by hand."""
    w = min(max(v, -ONE), ONE)
    return HALF + (3 * w - w**3) / 4


def smooth(u: Fraction, mass: Callable[[Fraction], Fraction] = uniform_below) -> Fraction:
    """u (r - P(V > u)) at h = 1."""
    return u * (R - (1 - mass(u)))


def rise(u: Fraction, step: Fraction, mass: Callable[[Fraction], Fraction] = uniform_below) -> Fraction:
    """The central difference quotient."""
    return (smooth(u + step, mass) - smooth(u - step, mass)) / (2 * step)


def bend(u: Fraction, step: Fraction, mass: Callable[[Fraction], Fraction] = uniform_below) -> Fraction:
    """The second difference quotient."""
    return (smooth(u + step, mass) - 2 * smooth(u, mass) + smooth(u - step, mass)) / step**2


TINY = Fraction(1, 10**6)
SLOPE_AT_HALF = rise(HALF, TINY)
"""The uniform kernel's loss is a quadratic on [-1, 1]: its central quotients there are the derivative."""
BEND_AT_HALF = bend(HALF, TINY, below)


def off(wrong: Fraction, right: Fraction) -> Callable[[], bool]:
    """Whether a moved value is apart from the quotient, by more than the quotient can be off."""
    return lambda: abs(wrong - right) > Fraction(1, 1000)


def of_loss() -> list[Mutant]:
    claim = find("quantile/sec-1-horowitz-amended")
    first, second = "derivative of loss where K is continuous", "derivative of first_derivative where K has a derivative"

    def upper_mass(m: Numbers, u: Real, r: Real, integrated_kernel: Real) -> Real:
        return u * (r - integrated_kernel)

    def no_product_rule(m: Numbers, r: Real, integrated_kernel: Real) -> Real:
        return r - 1 + integrated_kernel

    def one_density(m: Numbers, h: Real, v: Real, kernel_value: Real, kernel_slope: Real) -> Real:
        return (kernel_value + v * kernel_slope) / h

    def lifted(m: Numbers, u: Real, r: Real, integrated_kernel: Real) -> Real:
        return loss(m, u=u, r=r, integrated_kernel=integrated_kernel) + m.abs(u) / 8

    def moved(says: str, name: str, formula: Callable[..., Real], false: Callable[[], bool]) -> Mutant:
        return Mutant(says, with_formula(claim, name, formula), false)

    return [
        Mutant("loss times 11/10", scaled(claim, "loss", 11, 10), lambda: smooth(-2 * ONE) * 11 / 10 > check(-2 * ONE)),
        Mutant(
            "check loss times 9/10", scaled(claim, "quantile_loss", 9, 10), lambda: smooth(2 * ONE) > check(2 * ONE) * 9 / 10
        ),
        moved("the mass on the other side", "loss", upper_mass, lambda: smooth(-2 * ONE) != -2 * ONE * R),
        moved("loss + |u|/8", "loss", lifted, lambda: smooth(2 * ONE) + QUARTER > check(2 * ONE)),
        moved("no v K(v)", "first_derivative", no_product_rule, off(R - 1 + uniform_below(HALF), SLOPE_AT_HALF)),
        moved(
            "K + v K'", "second_derivative", one_density, off(Fraction(3, 4) * (1 - HALF**2) - 3 * HALF**2 / 2, BEND_AT_HALF)
        ),
        Mutant(
            "second derivative times 9/10", scaled(claim, "second_derivative", 9, 10), off(BEND_AT_HALF * 9 / 10, BEND_AT_HALF)
        ),
        *shapes(claim),
        flip(claim, "loss", "<", "quantile_loss", lambda: smooth(0 * ONE) == check(0 * ONE)),
        flip(claim, "loss", ">=", "quantile_loss", lambda: smooth(HALF) < check(HALF)),
        flip(claim, first, "<", "first_derivative", lambda: R - 1 + uniform_below(HALF) + HALF / 2 == SLOPE_AT_HALF),
        flip(claim, second, ">", "second_derivative", lambda: bend(HALF, TINY) == 1),
    ]


def off_median() -> list[Mutant]:
    """Of the printed claim, at the level 1/4 and h = 1."""
    claim = find("quantile/sec-1-horowitz")

    def unsmoothed(m: Numbers, u: Real, r: Real) -> Real:
        return m.max(r * u, (r - 1) * u)

    def with_square(m: Numbers, u: Real, r: Real, h: Real, integrated_kernel: Real) -> Real:
        return loss(m, u=u, r=r, integrated_kernel=integrated_kernel) + u**2 / h

    def chords_are_above(g: Callable[[Fraction], Fraction]) -> bool:
        step = Fraction(1, 64)
        return all(g(k * step - step) + g(k * step + step) >= 2 * g(k * step) for k in range(-128, 129))

    return [
        *shapes(claim),
        Mutant("the check loss itself", with_formula(claim, "loss", unsmoothed), lambda: chords_are_above(check)),
        Mutant(
            "loss + u^2/h: its second derivative is 2 + (3/2)(1 - 2 v^2) over h or more, Epanechnikov kernel",
            with_formula(claim, "loss", with_square),
            lambda: chords_are_above(lambda u: smooth(u, below) + u**2),
        ),
    ]


QUARTER = Fraction(1, 4)


def shapes(claim: Claim) -> list[Mutant]:
    """The claim with another shape."""

    def word(other: str, false: Callable[[], bool]) -> Mutant:
        shaped = tuple(replace(a, right=other) if a.sign == "is" else a for a in claim.asserts)
        return Mutant(other, replace(claim, asserts=shaped), false)

    return [
        word("convex in u", lambda: smooth(HALF) + smooth(3 * HALF) < 2 * smooth(ONE)),
        word("concave in u", lambda: smooth(HALF) + smooth(-HALF) > 2 * smooth(0 * ONE)),
    ]
