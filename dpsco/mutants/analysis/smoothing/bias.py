"""Mutants of the smoothing bias; their falsity is shown without the judge's hinges and enclosed roots.

Near 0 the model's distribution function is r + f t +- l_1 t^2/2, so means over the window are Simpson's rule, which is exact
for it, and the minimiser in one dimension is the root of a quadratic equation.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.analysis.smoothing.bias import conditional_bias, margin_is_positive
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

FINE = {"f": "0.1", "l_1": "1", "h": "0.00001", "width": "1.5"}
COARSE = {"f": "0.1", "l_1": "1", "h": "0.02", "width": "0.375"}
STEEP = {"f": "0.4", "l_1": "7", "h": "0.00001", "width": "1.5"}
WIDE = {"f": "0.1", "l_1": "1", "h": "1", "width": "1.5"}
ONE = {"B_x": "1", "rho_1": "1"}
FAR = {"B_x": "10.025", "rho_1": "1"}


def conditional(at: Mapping[str, str]) -> Fraction:
    """E[calK(-error/h) | x] - r where the density leans up: Simpson's rule on F - r = f t + l_1 t^2/2."""
    f, l_1, edge = Fraction(at["f"]), Fraction(at["l_1"]), Fraction(at["h"]) * Fraction(at["width"])
    if edge > f / l_1:
        raise ValueError(f"h width must be at most f/l_1, where the density is linear, got {edge}")
    ends = [f * t + l_1 * t**2 / 2 for t in (-edge, Fraction(0), edge)]
    return (ends[0] + 4 * ends[1] + ends[2]) / 6


def values(at: Mapping[str, str]) -> dict[str, Real]:
    """The numbers of a claim at this instance."""
    m, width = mp(60), Fraction(at["width"])
    return {
        **{name: m.real(value) for name, value in at.items()},
        "kappa_1": m.real(width / 2),
        "kappa_2": m.real(width**2 / 3),
    }


def below(claim: Claim, name: str, true: Callable[[], Real], at: Mapping[str, str]) -> bool:
    """Whether the formula is less than the true value, by more than the rounding of 60 digits."""
    m = mp(60)
    return bool(apply(claim.formulas[name], m, values(at)) < m.real(true()) * m.real("0.9999999"))


def line_minimiser(at: Mapping[str, str]) -> Real:
    """|theta_h* - theta*| for d = 1: the q with f q - l_1 q^2/2 equal to the conditional bias."""
    m = mp(60)
    f, l_1, bias = m.real(at["f"]), m.real(at["l_1"]), m.real(conditional(at))
    return (f - m.sqrt(f**2 - 2 * l_1 * bias)) / l_1


def of_minimiser() -> Iterator[Mutant]:
    claim = find("quantile/lem-4.2")

    def near(m: Numbers, h: Real, l_1: Real, kappa_1: Real, kappa_2: Real, rho_1: Real, f: Real) -> Real:
        return h ** m.frac(21, 10) * l_1 * kappa_2 / (rho_1 * (f - h * l_1 * kappa_1))

    def flat(m: Numbers, h: Real, l_1: Real, kappa_1: Real, kappa_2: Real, rho_1: Real, f: Real) -> Real:
        return h**2 * kappa_2 / (rho_1 * (f - h * l_1 * kappa_1))

    def squared(m: Numbers, h: Real, l_1: Real, kappa_1: Real, kappa_2: Real, rho_1: Real, f: Real) -> Real:
        return h**2 * l_1 * kappa_2**2 / (rho_1 * (f - h * l_1 * kappa_1))

    def rooted(m: Numbers, h: Real, l_1: Real, kappa_1: Real, kappa_2: Real, rho_1: Real, f: Real) -> Real:
        return h**2 * l_1 * kappa_2 / (m.sqrt(rho_1) * (f - h * l_1 * kappa_1))

    def straight(m: Numbers, rho_1: Real, f: Real, h: Real, l_1: Real, kappa_1: Real, distance: Real) -> Real:
        return rho_1 * (f - h * l_1 * kappa_1) * distance**2

    def unsmoothed(m: Numbers, rho_1: Real, f: Real, l_1: Real, B_x: Real, distance: Real) -> Real:
        return rho_1 * f * distance**2 - l_1 * B_x**3 * distance**3 / 2

    def fourth(m: Numbers, rho_1: Real, f: Real, h: Real, l_1: Real, kappa_1: Real, kappa_2: Real, B_x: Real) -> Real:
        return (rho_1 * (f - h * l_1 * kappa_1)) ** 2 - l_1**2 * B_x**4 * h**2 * kappa_2

    less = scaled(claim, "bias", 2, 5)
    yield Mutant("bias times 0.4", less, lambda: below(less, "bias", partial(line_minimiser, FINE), {**FINE, **ONE}))
    for says, formula, at in (
        ("h^2.1 for h^2", near, FINE),
        ("l_1 dropped before the fraction", flat, STEEP),
        ("kappa_2^2 for kappa_2", squared, COARSE),
    ):
        moved = with_formula(claim, "bias", formula)
        yield Mutant(says, moved, partial(below, moved, "bias", partial(line_minimiser, at), {**at, **ONE}))
    sharper = with_formula(claim, "bias", rooted)
    yield Mutant("sqrt(rho_1) for rho_1 (true: the judge's own bound)", sharper, lambda: False)
    kept = tuple(p for p in claim.preconditions if p.test != margin_is_positive)
    free = replace(claim, preconditions=kept)
    yield Mutant(
        "no condition on the bandwidth", free, lambda: bool(apply(free.formulas["bias"], mp(60), values({**WIDE, **ONE})) < 0)
    )

    def grows_more(moved: Claim, at: Mapping[str, str], true: Fraction) -> bool:
        return bool(apply(moved.formulas["gradient_growth"], mp(60), values(at)) > mp(60).real(true))

    # E calK lies in [0, 1] and is r = 1/2 at theta* by symmetry: over a distance of 10 the product is at most 5
    moved = with_formula(claim, "gradient_growth", straight)
    yield Mutant("cubic term dropped", moved, partial(grows_more, moved, {**FINE, **ONE, "distance": "10"}, Fraction(5)))
    s, edge = Fraction("0.00001"), Fraction(COARSE["h"]) * Fraction(COARSE["width"])
    inside = Fraction("0.1") * s**2 - s**2 * (s**2 / 3 + edge**2) / (2 * edge)  # the density f - |t| integrated by hand
    moved = with_formula(claim, "gradient_growth", unsmoothed)
    yield Mutant("h l_1 kappa_1 dropped", moved, partial(grows_more, moved, {**COARSE, **ONE, "distance": "0.00001"}, inside))

    def negative(moved: Claim) -> bool:
        at = {"h": "1", "l_1": "1", "kappa_1": "0.5", "kappa_2": "1", "B_x": "4", "rho_1": "1", "f": "8.501"}
        m = mp(60)
        margin, found = (
            apply(moved.formulas[name], m, {k: m.real(v) for k, v in at.items()}) for name in ("margin", "discriminant")
        )
        return bool(margin > 0 > found)

    moved = with_formula(claim, "discriminant", fourth)
    yield Mutant("B_x^4 in the discriminant", moved, partial(negative, moved))


def of_gradient() -> Iterator[Mutant]:
    claim = find("quantile/lem-4.2-gradient-amended")

    def far(at: Mapping[str, str]) -> Fraction:
        return Fraction("9.975") * conditional(at)  # x_2 = +-9.975, the density leaning by its sign: entry 1 cancels

    def features(m: Numbers, h: Real, l_1: Real, kappa_2: Real, B_x: Real) -> Real:
        return m.sqrt(m.max(B_x**2 - 1, 0)) * conditional_bias(m, h=h, l_1=l_1, kappa_2=kappa_2)

    def cubed(m: Numbers, h: Real, l_1: Real, kappa_2: Real, B_x: Real) -> Real:
        return m.sqrt(m.max(B_x**2 - 1, 1)) * h**3 * l_1 * kappa_2 / 2

    def flat(m: Numbers, h: Real, kappa_2: Real, B_x: Real) -> Real:
        return m.sqrt(m.max(B_x**2 - 1, 1)) * h**2 * kappa_2 / 2

    def norm(m: Numbers, h: Real, l_1: Real, kappa_2: Real, B_x: Real) -> Real:
        return B_x * conditional_bias(m, h=h, l_1=l_1, kappa_2=kappa_2)

    less = scaled(claim, "gradient_bound", 9, 10)
    yield Mutant("times 0.9", less, lambda: below(less, "gradient_bound", partial(far, COARSE), {**COARSE, **FAR}))
    for says, formula, at, true, where in (
        ("the printed bound", conditional_bias, COARSE, far, FAR),
        ("sqrt(B_x^2 - 1) without the 1 beside it", features, COARSE, conditional, ONE),
        ("h^3 for h^2", cubed, COARSE, far, FAR),
        ("l_1 dropped", flat, STEEP, far, FAR),
    ):
        moved = with_formula(claim, "gradient_bound", formula)
        yield Mutant(says, moved, partial(below, moved, "gradient_bound", partial(true, at), {**at, **where}))
    more = with_formula(claim, "gradient_bound", norm)
    yield Mutant("B_x for the factor (still true: larger)", more, lambda: False)


def of_vector() -> Iterator[Mutant]:
    claim = find("quantile/lem-4.2-vector-amended")
    far = {**COARSE, **FAR, "mean_magnitude": "9.975"}

    def entry(at: Mapping[str, str]) -> Fraction:
        return Fraction(at["mean_magnitude"]) * conditional(at)

    def bounded(m: Numbers, h: Real, l_1: Real, kappa_2: Real) -> Real:
        return conditional_bias(m, h=h, l_1=l_1, kappa_2=kappa_2)

    def by_first_moment(m: Numbers, h: Real, l_1: Real, kappa_1: Real) -> Real:
        return h**2 * l_1 * kappa_1**2 / 2

    less = scaled(claim, "conditional_bias", 9, 10)
    yield Mutant("conditional bias times 0.9", less, lambda: below(less, "conditional_bias", partial(conditional, FINE), FINE))
    lower = scaled(claim, "gradient_entry", 9, 10)
    yield Mutant("entry times 0.9", lower, lambda: below(lower, "gradient_entry", partial(entry, far), far))
    moved = with_formula(claim, "gradient_entry", bounded)
    yield Mutant("E|x_j| dropped", moved, lambda: below(moved, "gradient_entry", partial(entry, far), far))
    first = with_formula(claim, "conditional_bias", by_first_moment)
    yield Mutant("kappa_1^2 for kappa_2", first, lambda: below(first, "conditional_bias", partial(conditional, FINE), FINE))
