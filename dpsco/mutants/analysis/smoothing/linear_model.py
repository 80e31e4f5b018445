"""Mutants of the linear quantile model; falsity by the Gaussian check loss in closed form, and by quadrature of the gap."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.analysis.smoothing.linear_model import endogenous_quantile
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def risk(claim: Claim, theta: tuple[Real, Real, Real]) -> Real:
    """E|y - x'theta|/2 (r = 1/2) for x = (1, +-1, +-1) and y normal around the claim's conditional quantile, spread 3."""
    m, total = mp(50), mp(50).real(0)
    for signs in product((1, -1), repeat=2):
        x = [m.real(sign) for sign in signs]
        q = apply(claim.formulas["endogenous_quantile"], m, {"x_1": x[0], "x_2": x[1], "z_r": m.real(0)})
        away = (q - theta[0] - theta[1] * x[0] - theta[2] * x[1]) / 3
        total += 3 * (2 * m.phi(away) + away * (1 - 2 * m.Phi(-away))) / 8  # E|a + Z| = 2 phi(a) + a (1 - 2 Phi(-a))
    return total


def beaten(claim: Claim) -> bool:
    """Whether a step along some coordinate from the claim's coefficients lowers the risk."""
    m = mp(50)
    names = ("intercept", "slope_1", "slope_2")
    theta = [apply(claim.formulas[name], m, {"z_r": m.real(0)}) for name in names]
    here = risk(claim, (theta[0], theta[1], theta[2]))
    for j, step in product(range(3), (m.real("0.01"), -m.real("0.01"))):
        moved = [t + step if i == j else t for i, t in enumerate(theta)]
        if risk(claim, (moved[0], moved[1], moved[2])) < here - m.real("1e-8"):
            return True
    return False


def bends(claim: Claim) -> bool:
    """Whether the conditional quantile at the middle of a segment differs from the mean of its ends."""
    m, q = mp(50), claim.formulas["endogenous_quantile"]
    one, two, three = (apply(q, m, {"x_1": m.real(x), "x_2": m.real(x), "z_r": m.real(0)}) for x in (-1, 1, 3))
    return bool(m.abs(one + three - 2 * two) > m.real("1e-8"))


def off_level(claim: Claim) -> bool:
    """Whether at x = 0 the claim's intercept has another probability below it than r = Phi(1)."""
    m = mp(50)
    q = apply(claim.formulas["endogenous_quantile"], m, {"x_1": m.real(0), "x_2": m.real(0), "z_r": m.real(1)})
    below = m.Phi((apply(claim.formulas["intercept"], m, {"z_r": m.real(1)}) - q) / 3 + 1)
    return bool(m.abs(below - m.Phi(m.real(1))) > m.real("0.01"))


def of_linear() -> Iterator[Mutant]:
    claim = find("quantile/sec-4.1-linear-amended")

    def five(m: Numbers) -> Real:
        return m.real(5)

    def two(m: Numbers) -> Real:
        return m.real(-2)

    def printed(m: Numbers, z_r: Real) -> Real:
        return m.real(10) + z_r

    def product_term(m: Numbers, x_1: Real, x_2: Real, z_r: Real) -> Real:
        return 10 + 6 * x_1 - 3 * x_2 + 3 * z_r + x_1 * x_2

    for says, name, formula in (
        ("the data's own slope 5", "slope_1", five),
        ("the data's own slope -2", "slope_2", two),
    ):
        moved = with_formula(claim, name, formula)
        yield Mutant(says, moved, partial(beaten, moved))
    moved = with_formula(claim, "endogenous_quantile", endogenous_quantile)
    yield Mutant("with |x_1 x_2| again", moved, partial(bends, moved))
    moved = with_formula(claim, "endogenous_quantile", product_term)
    yield Mutant("with x_1 x_2", moved, partial(bends, moved))
    moved = with_formula(claim, "intercept", printed)
    yield Mutant("z_r for 3 z_r in the intercept", moved, partial(off_level, moved))


def gap(l_1: str, h: str) -> Real:
    """L_h - L under the triangle of slope l_1, by quadrature of |u| against its mean over the uniform kernel's window."""
    m = mp(30)
    context, slope, b = m.mp, m.real(l_1), 3 * m.real(h) / 2  # type: ignore[attr-defined]
    top = m.sqrt(slope)

    def bump(u: Real) -> Real:
        window = context.quad(lambda v: abs(u - v), [-b, u, b]) / (2 * b)
        return (window - abs(u)) / 2 * (top - slope * u)

    return 2 * context.quad(bump, [0, b])


def exceeded(claim: Claim, l_1: str, h: str) -> bool:
    m = mp(30)
    at = {"h": m.real(h), "l_1": m.real(l_1), "kappa_2": m.frac(3, 4)}
    return bool(gap(l_1, h) > apply(claim.formulas["smoothing_gap"], m, at) * m.real("1.0001"))


def lower_than_a_triangle(claim: Claim, height: Fraction) -> bool:
    """Whether a triangle of this height and area 1 (its slope is height over half-width) exceeds the claimed height."""
    half = 1 / height
    return bool(apply(claim.formulas["density_at_most"], mp(30), {"l_1": mp(30).real(height / half)}) < mp(30).real(height))


def of_density() -> Iterator[Mutant]:
    claim = find("quantile/asm-4.1-reciprocal-amended")

    def rooted(m: Numbers, h: Real, l_1: Real, kappa_2: Real) -> Real:
        return h**2 * kappa_2 * l_1 ** m.frac(2, 5) / 2

    def cubed(m: Numbers, h: Real, l_1: Real, kappa_2: Real) -> Real:
        return h**3 * kappa_2 * m.sqrt(l_1) / 2

    def linear(m: Numbers, l_1: Real) -> Real:
        return l_1

    less = scaled(claim, "smoothing_gap", 9, 10)
    yield Mutant("gap times 0.9", less, partial(exceeded, less, "1", "0.01"))
    for says, formula in (("l_1^0.4 for sqrt(l_1)", rooted), ("h^3 for h^2", cubed)):
        moved = with_formula(claim, "smoothing_gap", formula)
        yield Mutant(says, moved, partial(exceeded, moved, "16", "0.01"))
    moved = with_formula(claim, "density_at_most", linear)
    yield Mutant("l_1 for sqrt(l_1) as the height", moved, partial(lower_than_a_triangle, moved, Fraction(1, 2)))
