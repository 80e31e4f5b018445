"""Mutants of claims about smoothing, shown false in fractions: suprema over finite lists, or by difference quotients."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.losses.kernels import exchanged, flip
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.spo import smoothing as spec
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.register import find

ONE, HALF = Fraction(1), Fraction(1, 2)
FINE = [Fraction(k, 64) for k in range(-64, 65)]
"""Decisions of [-1, 1]; the maximisers that are asked for are among them."""


def loss(c: Fraction, c_hat: Fraction, mu: Fraction) -> Fraction:
    """The smoothed SPO+ loss on [-1, 1], w*(c) = -1 for c > 0, else 1: a supremum over `FINE`, by the definition."""
    best = -ONE if c > 0 else ONE
    return max((2 * c_hat - c) * (best - w) - mu * w * w / 2 for w in FINE)


def slope(c: Fraction, mu: Fraction) -> Fraction:
    """Its derivative at c_hat = 0, inside a quadratic piece, by a central difference: exact there."""
    step = Fraction(1, 32)
    return (loss(c, step, mu) - loss(c, -step, mu)) / (2 * step)


def bend(mu: Fraction, c: Fraction = Fraction(0)) -> Fraction:
    """Its second derivative at c_hat = 0, by a second difference."""
    step = Fraction(1, 32)
    return (loss(c, step, mu) + loss(c, -step, mu) - 2 * loss(c, Fraction(0), mu)) / step**2


def conjugate_bend(a: Fraction, b: Fraction, mu: Fraction) -> Fraction:
    """Second derivative at 0 of the supremum over z of z x - a z^2/2 - mu b z^2/2, for a modulus 2^-k: by a difference."""
    s = a + mu * b
    zs = [Fraction(k, 4) for k in range(-16, 17)]
    assert s in zs  # the maximisers at x = s are +-1
    f = {x: max(z * x - s * z * z / 2 for z in zs) for x in (-s, Fraction(0), s)}
    return (f[s] + f[-s] - 2 * f[Fraction(0)]) / s**2


def of_implication() -> list[Mutant]:
    claim = find("spo/lem-1")
    left, right = "f beta-smooth on a bounded domain", "f Lipschitz continuous there"
    bare = replace(claim, preconditions=())

    return [
        Mutant("f only differentiable", bare, lambda: all(steepness(10 ** (2 * j)) > 4**j for j in (1, 3, 9))),
        Mutant(
            "every domain",
            exchanged(claim, left, Relation("f beta-smooth", "=>", "f Lipschitz continuous")),
            lambda: all(Fraction((2 * t) ** 2, 2) / (2 * t) == t for t in (10, 1000)),
        ),
        Mutant(
            "Lipschitz constant 1",
            exchanged(claim, left, Relation(left, "=>", "f 1-Lipschitz continuous there")),
            lambda: abs(5 * ONE - 0) > 1,
        ),
        Mutant(
            "Lipschitz constant beta",
            exchanged(claim, left, Relation(left, "=>", "f beta-Lipschitz continuous there")),
            lambda: all(abs((5 + 5 * beta) * ONE) > beta for beta in (HALF, 1, 100)) and right == claim.asserts[0].right,
        ),
    ]


def steepness(k: int) -> Fraction:
    """A lower bound for the square of a slope of x^(3/2) sin(1/x), between its extremes at 1/x = pi a and pi (a + 1), a = 2 k +
    1/2: the values differ by at least 2 (pi (a + 1))^(-3/2), the points by 1/(pi a (a + 1)), and pi < 4.
    """
    a = 2 * k + HALF
    return a * a / (a + 1)


def of_property_1() -> list[Mutant]:
    claim = find("spo/sec-3.2-1")

    def without(test: Callable[..., Truth]) -> Claim:
        return replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != test))

    def root(m: Numbers, mu: Real) -> Real:
        return 1 / m.sqrt(mu)

    return [
        Mutant("9/10 of the constant", scaled(claim, "smoothness", 9, 10), lambda: conjugate_bend(Fraction(0), ONE, ONE) > 0.9),
        Mutant(
            "1/sqrt(mu) for 1/mu",
            with_formula(claim, "smoothness", root),
            lambda: conjugate_bend(Fraction(0), ONE, Fraction(1, 4)) > 2,
        ),
        Mutant("g not convex", without(spec.convex), lambda: conjugate_bend(-HALF, ONE, ONE) > 1),
        Mutant("d of any modulus", without(spec.one_strongly_convex), lambda: conjugate_bend(Fraction(0), HALF, ONE) > 1),
        flip(claim, "modulus of g + mu d", "<=", "mu", lambda: conjugate_bend(3 * ONE, ONE, ONE) < 1),
        flip(claim, "smoothness constant of f_mu in x", ">=", "smoothness", lambda: conjugate_bend(3 * ONE, ONE, ONE) < 1),
    ]


def suprema(g: Mapping[int, int], d: Mapping[int, int], mu: int, x: int) -> tuple[int, int, int]:
    """f(x), f_mu(x) and D for g and d on finitely many points."""
    return max(z * x - g[z] for z in g), max(z * x - g[z] - mu * d[z] for z in g), max(d.values())


def of_property_2() -> list[Mutant]:
    claim = find("spo/sec-3.2-2")
    f, f_mu, D = suprema({0: 0}, {0: 2, 1: 3}, mu=4, x=5)
    f_near, near, D_near = suprema({0: 0}, {0: 3, 1: 0}, mu=4, x=5)
    same, same_mu, _ = suprema({0: 0, 1: 3}, {0: 0, 1: 1}, mu=4, x=1)
    negative, negative_mu, _ = suprema({0: 0}, {0: -1}, mu=4, x=5)

    def half(m: Numbers, f_mu: Real, mu: Real, D: Real) -> Real:
        return f_mu + mu * D / 2

    def without_mu(m: Numbers, f_mu: Real, D: Real) -> Real:
        return f_mu + D

    def raised(m: Numbers, f_mu: Real, mu: Real, D: Real) -> Real:
        return f_mu + mu * D / 4

    return [
        Mutant("D/2 for D", with_formula(claim, "upper", half), lambda: f_near > near + 4 * Fraction(D_near, 2)),
        Mutant("D for mu D", with_formula(claim, "upper", without_mu), lambda: f_near > near + D_near),
        Mutant("mu D/4 more below", with_formula(claim, "lower", raised), lambda: same < same_mu + 4 * Fraction(1, 4)),
        Mutant("d of any sign", replace(claim, preconditions=()), lambda: negative_mu > negative),
        flip(claim, "lower", "=", "f(x)", lambda: f != f_mu),
        flip(claim, "f(x)", "=", "upper", lambda: f != f_mu + 4 * D),
    ]


def of_loss() -> list[Mutant]:
    claim = find("spo/sec-3.2-loss-amended")
    zero = Fraction(0)

    def moved(says: str, name: str, formula: Callable[..., Real], false: Callable[[], bool]) -> Mutant:
        return Mutant(says, with_formula(claim, name, formula), false)

    def unsquared(m: Numbers, mu: Real, c: Real, c_hat: Real, w: Real, w_star: Real) -> Real:
        square = claim.formulas["smoothed_integrand"](m, mu, c, c_hat, w, w_star) + mu * m.norm(w) ** 2 / 2
        return square - mu * m.norm(w) / 2

    def whole(m: Numbers, mu: Real, c: Real, c_hat: Real, w: Real, w_star: Real) -> Real:
        return claim.formulas["smoothed_integrand"](m, mu, c, c_hat, w, w_star) - mu * m.norm(w) ** 2 / 2

    def single(m: Numbers, mu: Real, c_j: Real, c_hat_j: Real) -> Real:
        return (-c_hat_j + c_j) / mu

    def unscaled(m: Numbers, c_j: Real, c_hat_j: Real, mu: Real) -> Real:
        return -2 * c_hat_j + c_j

    def at_best(m: Numbers, w_j: Real, w_star_j: Real, x_i: Real) -> Real:
        return 2 * (w_star_j - w_j)

    def largest(c: Fraction, c_hat: Fraction, mu: Fraction) -> Fraction:
        """The maximiser on [-1, 1], by looking."""
        return max(FINE, key=lambda w: -(2 * c_hat - c) * w - mu * w * w / 2)

    w = largest(HALF, zero, ONE)
    return [
        moved(
            "the norm without its square",
            "smoothed_integrand",
            unsquared,
            lambda: max(HALF * (1 + w) - abs(w) / 2 for w in FINE) != loss(HALF, zero, ONE),
        ),
        moved(
            "mu for mu/2",
            "smoothed_integrand",
            whole,
            lambda: max(HALF * (1 + w) - w * w for w in FINE) != loss(HALF, zero, ONE),
        ),
        moved(
            "c - c_hat for c - 2 c_hat",
            "stationary_coordinate",
            single,
            lambda: largest(HALF, HALF / 4, ONE) != HALF - HALF / 4,
        ),
        moved("not divided by mu", "stationary_coordinate", unscaled, lambda: largest(HALF, zero, 2 * ONE) != HALF),
        moved("no feature in the gradient", "gradient_entry", at_best, lambda: slope(HALF, ONE) * 3 != 2 * (-1 - w)),
        Mutant("half the gradient", scaled(claim, "gradient_entry", 1, 2), lambda: slope(HALF, ONE) != -1 - w),
        Mutant(
            "twice D",
            scaled(claim, "dual_range", 2, 1),
            lambda: max(w * w / 2 for w in FINE) != 1,
        ),
        flip(
            claim,
            "smoothed SPO+",
            "<",
            "max over w in S of smoothed_integrand",
            lambda: loss(HALF, zero, ONE) == Fraction(5, 8),
        ),
    ]


def of_smoothness() -> list[Mutant]:
    claim = find("spo/sec-3.2-smooth-amended")
    left = "smoothness constant of the smoothed loss in B"

    def unscaled(m: Numbers, mu: Real, x_norm: Real) -> Real:
        return 1 / mu

    def linear(m: Numbers, mu: Real, x_norm: Real) -> Real:
        return 4 * x_norm / mu

    return [
        Mutant("the printed 1/mu", with_formula(claim, "smoothness", unscaled), lambda: bend(ONE) > 1),
        Mutant("|x| for |x|^2", with_formula(claim, "smoothness", linear), lambda: bend(ONE) * 9 > 4 * 3),
        Mutant("9/10 of the constant", scaled(claim, "smoothness", 9, 10), lambda: bend(ONE) > Fraction(36, 10)),
        Mutant("1/2 of the constant", scaled(claim, "smoothness", 1, 2), lambda: bend(2 * ONE) > 1),
        flip(claim, left, ">=", "smoothness", lambda: bend(ONE / 4, Fraction(8)) < 16),
    ]


MUTANTS = {
    "spo/lem-1": of_implication,
    "spo/sec-3.2-1": of_property_1,
    "spo/sec-3.2-2": of_property_2,
    "spo/sec-3.2-loss-amended": of_loss,
    "spo/sec-3.2-smooth-amended": of_smoothness,
}
