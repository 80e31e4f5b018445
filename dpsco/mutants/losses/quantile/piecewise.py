"""Mutants of the claim about smoothed piecewise linear functions, shown false in fractions for the uniform kernel."""

from collections.abc import Callable
from fractions import Fraction

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.losses.kernels import flip
from dpsco.spec.losses.quantile.piecewise import smoothed
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

ONE, HALF = Fraction(1), Fraction(1, 2)
Pieces = tuple[tuple[Fraction, Fraction], ...]
"""Knots with their jumps; the function is 0 left of them."""
RAMP: Pieces = ((0 * ONE, ONE), (ONE, -ONE))
TWICE: Pieces = ((0 * ONE, ONE), (0 * ONE, 2 * ONE))


def function(u: Fraction, pieces: Pieces) -> Fraction:
    return sum((J * max(u - t, 0 * ONE) for t, J in pieces), 0 * ONE)


def primitive(u: Fraction, pieces: Pieces) -> Fraction:
    return sum((J * max(u - t, 0 * ONE) ** 2 / 2 for t, J in pieces), 0 * ONE)


def averaged(u: Fraction, h: Fraction, pieces: Pieces) -> Fraction:
    """The uniform kernel's convolution: the mean over [u - h, u + h], from the primitive."""
    return (primitive(u + h, pieces) - primitive(u - h, pieces)) / (2 * h)


def distance(t: Fraction, h: Fraction) -> Fraction:
    """Mean of |t + h v| over [-1, 1]: the primitive x |x| / 2 at both ends."""
    a, b = t - h, t + h
    return (b * abs(b) - a * abs(a)) / (4 * h)


def printed(u: Fraction, h: Fraction, pieces: Pieces, factor: Fraction = ONE) -> Fraction:
    """The claim's form with the mean distances times a factor."""
    total = sum((J for _, J in pieces), 0 * ONE)
    a = -sum((J * t for t, J in pieces), 0 * ONE) / 2
    return a + total / 2 * u + factor * sum((J * distance(u - t, h) for t, J in pieces), 0 * ONE) / 2


def bound(h: Fraction, pieces: Pieces) -> Fraction:
    """(h kappa_1/2) sum of |J_j|, kappa_1 = 1/2."""
    return h / 4 * sum((abs(J) for _, J in pieces), 0 * ONE)


def gap(u: Fraction, h: Fraction, pieces: Pieces) -> Fraction:
    return abs(averaged(u, h, pieces) - function(u, pieces))


def of_smoothing() -> list[Mutant]:
    claim = find("quantile/sec-3.1-piecewise")
    form, apart = "smoothed", "|smoothed - piecewise_linear|"

    def moved(says: str, name: str, formula: Callable[..., Real], false: Callable[[], bool]) -> Mutant:
        return Mutant(says, with_formula(claim, name, formula), false)

    def whole_distances(m: Numbers, u: Real, intercept: Real, mean_slope: Real, jumps: Real, smoothed_distances: Real) -> Real:
        return smoothed(m, u, intercept, mean_slope, jumps, [2 * D for D in smoothed_distances])

    def no_line(m: Numbers, intercept: Real, jumps: Real, smoothed_distances: Real) -> Real:
        return intercept + m.dot(jumps, smoothed_distances) / 2

    def largest_jump(m: Numbers, h: Real, kappa_1: Real, jumps: Real) -> Real:
        return h * kappa_1 * m.max(*[m.abs(J) for J in jumps]) / 2

    def sum_of_jumps(m: Numbers, h: Real, kappa_1: Real, jumps: Real) -> Real:
        return h * kappa_1 * m.abs(sum(jumps)) / 2

    def squared(m: Numbers, h: Real, kappa_1: Real, jumps: Real) -> Real:
        return h**2 * kappa_1 * m.norm(jumps, 1) / 2

    wide, tight = 6 * ONE, Fraction(1, 4)
    return [
        Mutant(
            "smoothed times 11/10",
            scaled(claim, form, 11, 10),
            lambda: averaged(HALF, ONE, RAMP) != printed(HALF, ONE, RAMP) * 11 / 10,
        ),
        moved(
            "mean distances doubled",
            form,
            whole_distances,
            lambda: averaged(HALF, ONE, TWICE) != printed(HALF, ONE, TWICE, 2 * ONE),
        ),
        moved(
            "no linear term", form, no_line, lambda: averaged(3 * ONE, ONE, TWICE) != printed(3 * ONE, ONE, TWICE) - HALF * 9
        ),
        Mutant(
            "f times 11/10",
            scaled(claim, "piecewise_linear", 11, 10),
            lambda: averaged(9 * ONE, ONE, TWICE) != function(9 * ONE, TWICE) * 11 / 10,
        ),
        Mutant(
            "bound times 9/10",
            scaled(claim, "largest_gap", 9, 10),
            lambda: gap(0 * ONE, ONE, TWICE) > bound(ONE, TWICE) * 9 / 10,
        ),
        moved(
            "the largest jump only",
            "largest_gap",
            largest_jump,
            lambda: gap(0 * ONE, ONE, TWICE) > bound(ONE, TWICE[1:]),
        ),
        moved("|sum of jumps|", "largest_gap", sum_of_jumps, lambda: gap(0 * ONE, tight, RAMP) > 0),
        moved("h^2", "largest_gap", squared, lambda: gap(0 * ONE, tight, TWICE) > bound(tight, TWICE) * tight),
        flip(claim, apart, "<", "largest_gap", lambda: gap(0 * ONE, ONE, TWICE) == bound(ONE, TWICE)),
        flip(claim, apart, ">=", "largest_gap", lambda: gap(wide, ONE, TWICE) < bound(ONE, TWICE)),
        flip(claim, form, "<", "f * K_h", lambda: averaged(HALF, ONE, RAMP) == printed(HALF, ONE, RAMP)),
    ]
