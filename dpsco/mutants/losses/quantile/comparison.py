"""Mutants of the claims that compare convolution with the Moreau envelope and kernels with each other, shown false in fractions
(the envelope squeezed between its primal and dual values, step densities integrated by hand) and by quadrature."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dpsco.instances.kernel_integrals import CLEARLY, HALF, ONE, QUARTER, M, distance, gap_at_zero, uniform_gap
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.losses.kernels import flip
from dpsco.mutants.losses.moreau.envelope import dual, loss, objective, squeezed
from dpsco.spec.claim import Claim
from dpsco.spec.losses.quantile.comparison import SUFFICIENT_LEVELS, envelope_gap_right
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.predicate import Predicate
from dpsco.spec.register import find

HIGH = Fraction(3, 4)
"""A level off 1/2, at which sides exchanged are seen."""


def gap(u: Fraction, r: Fraction = HIGH, h: Fraction = ONE) -> Fraction:
    """Loss less envelope, squeezed."""
    return loss(u, r) - squeezed(u, r, h)


def moved(claim: Claim, says: str, name: str, formula: Callable[..., Real], false: Callable[[], bool]) -> Mutant:
    return Mutant(says, with_formula(claim, name, formula), false)


def of_envelope() -> list[Mutant]:
    claim = find("quantile/sec-3.1-moreau")
    right, left = "quantile_loss - envelope for u >= r/beta", "quantile_loss - envelope for u <= -(1-r)/beta"
    above = "c_h - quantile_loss"

    def other_side(m: Numbers, r: Real, beta: Real) -> Real:
        return envelope_gap_right(m, r=1 - r, beta=beta)

    def in_beta(m: Numbers, r: Real, beta: Real) -> Real:
        return r**2 * beta / 2

    def squared(m: Numbers, h: Real, kappa_1: Real) -> Real:
        return h**2 * kappa_1 / 2

    def steep(m: Numbers, u: Real, r: Real) -> Real:
        return m.abs(u) / 2 + r * u

    two, tight = 2 * ONE, Fraction(1, 1000)
    return [
        Mutant(
            "envelope times 11/10",
            scaled(claim, "envelope", 11, 10),
            lambda: dual(9 * ONE, HIGH, HIGH, ONE) * 11 / 10 > loss(9 * ONE, HIGH),
        ),
        Mutant(
            "envelope times 9/10",
            scaled(claim, "envelope", 9, 10),
            lambda: objective(two, two - HIGH, HIGH, ONE) * 9 / 10 < squeezed(two, HIGH),
        ),
        Mutant(
            "gap on the right times 9/10", scaled(claim, "envelope_gap_right", 9, 10), lambda: gap(two) != HIGH**2 / 2 * 9 / 10
        ),
        moved(claim, "gap on the right with 1 - r", "envelope_gap_right", other_side, lambda: gap(two) != (1 - HIGH) ** 2 / 2),
        moved(claim, "gap times beta^2", "envelope_gap_right", in_beta, lambda: gap(two, h=HALF) != HIGH**2 / 2 / HALF),
        Mutant(
            "gap on the left times 11/10",
            scaled(claim, "envelope_gap_left", 11, 10),
            lambda: gap(-two) != (1 - HIGH) ** 2 / 2 * 11 / 10,
        ),
        Mutant(
            "convolution's gap times 9/10",
            scaled(claim, "convolution_largest_gap", 9, 10),
            lambda: uniform_gap(0 * ONE, ONE) > QUARTER * 9 / 10,
        ),
        moved(
            claim,
            "convolution's gap in h^2",
            "convolution_largest_gap",
            squared,
            lambda: uniform_gap(0 * ONE, tight) > tight**2 / 4,
        ),
        moved(claim, "the loss with r for r - 1/2", "quantile_loss", steep, lambda: loss(two, HIGH) != two / 2 + HIGH * two),
        flip(claim, "envelope", "<", "quantile_loss", lambda: gap(0 * ONE) == 0),
        flip(claim, "envelope", ">=", "quantile_loss", lambda: gap(two) > 0),
        flip(claim, "quantile_loss", ">=", "c_h", lambda: uniform_gap(0 * ONE, ONE) > 0),
        flip(claim, above, "<", "convolution_largest_gap", gap_at_zero),
        flip(claim, right, "<", "envelope_gap_right", lambda: gap(two) == HIGH**2 / 2),
        flip(claim, left, ">", "envelope_gap_left", lambda: gap(-two) == (1 - HIGH) ** 2 / 2),
    ]


def of_far_out() -> list[Mutant]:
    claim = find("quantile/sec-3.1-better")
    left, right, far = "c_h - quantile_loss for all large |u|", "quantile_loss - envelope", 9 * ONE
    half = loss(far, HIGH) / 2

    def raised(m: Numbers, r: Real, beta: Real, u: Real) -> Real:
        return claim.formulas["envelope"](m, r=r, beta=beta, u=u) + 1 / (2 * beta)

    def unsmoothed(m: Numbers, u: Real, r: Real) -> Real:
        return claim.formulas["quantile_loss"](m, u=u, r=r)

    return [
        Mutant(
            "half of the loss",
            scaled(claim, "quantile_loss", 1, 2),
            lambda: uniform_gap(far, ONE) + half >= gap(far) - half,
        ),
        moved(claim, "the loss for its envelope", "envelope", unsmoothed, lambda: uniform_gap(far, ONE) >= 0),
        moved(claim, "envelope + 1/(2 beta)", "envelope", raised, lambda: uniform_gap(far, ONE) >= gap(far) - HALF),
        flip(claim, left, ">=", right, lambda: uniform_gap(far, ONE) < gap(far)),
        flip(claim, left, ">", right, lambda: uniform_gap(-far, ONE) < gap(-far)),
        flip(claim, left, "=", right, lambda: uniform_gap(far, ONE) != gap(far)),
    ]


def admits(levels: dict[str, tuple[int, int]]) -> Predicate:
    """The condition on the level with other numbers."""

    def far_enough(m: Numbers, kernel: str, r: Real) -> Truth:
        return m.ge(m.max(r, 1 - r), m.frac(*levels[kernel]))

    return Predicate(
        "max(r, 1 - r) is large", far_enough, {"kernel": "gaussian", "r": "0.9"}, {"kernel": "gaussian", "r": "0.5"}
    )


def product(kernel: str, peak: Real) -> Real:
    """kappa_1 K_bar by quadrature of |v| K(v), the peak written again."""
    return distance(kernel, 0) * peak


PEAKS = {"gaussian": 1 / M.sqrt(2 * M.pi), "logistic": M.frac(1, 4), "epanechnikov": M.frac(3, 4), "uniform": M.frac(1, 2)}


def beats(kernel: str, level: str, factor: str = "1") -> Callable[[], bool]:
    """Whether the kernel's largest gap, times a factor, is above the envelope's at a level, at equal smoothness."""
    return lambda: bool(product(kernel, PEAKS[kernel]) * M.real(factor) > M.real(level) ** 2 + CLEARLY)


def of_levels() -> list[Mutant]:
    claim = find("quantile/sec-3.1-better-amended")
    left, right = "kernel_largest_gap_at_smoothness", "envelope_largest_gap"

    def least_side(m: Numbers, r: Real, beta: Real) -> Real:
        return m.min(r, 1 - r) ** 2 / (2 * beta)

    def without_half(m: Numbers, kernel: str, beta: Real) -> Real:
        return 2 * claim.formulas[left](m, kernel=kernel, beta=beta)

    def levels(**other: tuple[int, int]) -> Claim:
        return replace(claim, preconditions=(admits({**SUFFICIENT_LEVELS, **other}),))

    return [
        Mutant("every kernel at every level", replace(claim, preconditions=()), beats("gaussian", "0.5")),
        Mutant("the Gaussian kernel from 0.56 on", levels(gaussian=(14, 25)), beats("gaussian", "0.564")),
        Mutant("the Epanechnikov kernel at every level", levels(epanechnikov=(1, 2)), beats("epanechnikov", "0.5")),
        Mutant("the logistic kernel from 0.58 on", levels(logistic=(29, 50)), beats("logistic", "0.588")),
        Mutant("kernel's gap times 11/10", scaled(claim, left, 11, 10), beats("uniform", "0.5", "1.1")),
        Mutant("envelope's gap times 9/10", scaled(claim, right, 9, 10), lambda: gap(ONE, HALF) > HALF**2 / 2 * 9 / 10),
        moved(claim, "min(r, 1 - r)", right, least_side, lambda: gap(-9 * ONE, QUARTER) > QUARTER**2 / 2),
        moved(claim, "kernel's gap doubled", left, without_half, beats("gaussian", "0.7", "2")),
        flip(claim, left, "<", right, lambda: uniform_gap(0 * ONE, HALF) == gap(ONE, HALF)),
        flip(claim, left, ">=", right, lambda: uniform_gap(0 * ONE, HALF) < gap(9 * ONE, Fraction(99, 100))),
    ]


def of_table() -> list[Mutant]:
    """Of the order in Table 1, shown false at a pair by quadrature."""
    claim = find("quantile/fig-1b")
    first, second = ("lighter_gap", "heavier_gap"), ("lighter_gap_at_smoothness", "heavier_gap_at_smoothness")

    def by_moment(m: Numbers, kappa_1_lighter: Real, beta: Real) -> Real:
        return kappa_1_lighter / (2 * beta)

    def exceeds(lighter: Real, heavier: Real) -> bool:
        return bool(lighter > heavier + CLEARLY)

    def moment(kernel: str) -> Real:
        return distance(kernel, 0)

    def both(kernel: str) -> Real:
        return product(kernel, PEAKS[kernel])

    return [
        Mutant(
            "lighter gap doubled", scaled(claim, first[0], 2, 1), lambda: exceeds(2 * moment("uniform"), moment("gaussian"))
        ),
        Mutant("heavier gap halved", scaled(claim, first[1], 1, 2), lambda: exceeds(2 * moment("uniform"), moment("gaussian"))),
        Mutant(
            "lighter gap at equal smoothness times 6/5",
            scaled(claim, second[0], 6, 5),
            lambda: exceeds(6 * both("epanechnikov"), 5 * both("gaussian")),
        ),
        Mutant(
            "heavier gap at equal smoothness times 4/5",
            scaled(claim, second[1], 4, 5),
            lambda: exceeds(5 * both("epanechnikov"), 4 * both("gaussian")),
        ),
        moved(
            claim, "no K_bar at equal smoothness", second[0], by_moment, lambda: exceeds(moment("uniform"), both("gaussian"))
        ),
        flip(claim, first[0], ">=", first[1], lambda: exceeds(moment("logistic"), moment("gaussian"))),
        flip(claim, second[0], ">=", second[1], lambda: exceeds(both("logistic"), both("gaussian"))),
        flip(claim, second[0], "=", second[1], lambda: exceeds(both("gaussian"), both("uniform"))),
    ]


def step_moment(width: Fraction) -> Fraction:
    """kappa_1 of the uniform density on [-width, width]."""
    return width**2 * (1 / (2 * width))


def of_pairs() -> list[Mutant]:
    claim = find("quantile/fig-1b-amended")
    first, second = ("lighter_gap", "heavier_gap"), ("lighter_gap_at_smoothness", "heavier_gap_at_smoothness")
    narrow, wide = step_moment(HALF), step_moment(2 * ONE)

    def peak(m: Numbers, h: Real, K_bar_lighter: Real) -> Real:
        return h * K_bar_lighter / 2

    def by_moment(m: Numbers, kappa_1_lighter: Real, beta: Real) -> Real:
        return kappa_1_lighter / (2 * beta)

    def in_beta(m: Numbers, kappa_1: Real, K_bar: Real, beta: Real) -> Real:
        return kappa_1 * K_bar * beta / 2

    def tied(name: str, numerator: int, says: str) -> Mutant:
        """A kernel against itself: both sides are its gap, so a factor on one breaks the order."""
        factor = Fraction(numerator, 10)
        low, high = (factor, ONE) if name.startswith("lighter") else (ONE, factor)
        return Mutant(says, scaled(claim, name, numerator, 10), lambda: low * step_moment(ONE) > high * step_moment(ONE))

    return [
        tied(first[0], 11, "lighter gap times 11/10"),
        tied(first[1], 9, "heavier gap times 9/10"),
        tied(second[0], 11, "lighter gap at equal smoothness times 11/10"),
        tied(second[1], 9, "heavier gap at equal smoothness times 9/10"),
        moved(claim, "K_bar for kappa_1", first[0], peak, lambda: narrow < 1 / (2 * HALF)),
        moved(claim, "no K_bar at equal smoothness", second[0], by_moment, lambda: step_moment(ONE) > step_moment(ONE) / 2),
        moved(
            claim, "beta for 1/beta", second[1], in_beta, lambda: QUARTER / (2 * Fraction(1, 8)) > QUARTER * Fraction(1, 8) / 2
        ),
        flip(claim, first[0], ">=", first[1], lambda: narrow < wide),
        flip(claim, first[0], "<", first[1], lambda: step_moment(ONE) == HALF),
        flip(claim, second[0], "<", second[1], lambda: narrow / (2 * HALF) == wide / (2 * 2 * ONE)),
        flip(claim, second[0], ">=", second[1], lambda: step_moment(ONE) * HALF < ONE * HALF),
    ]
