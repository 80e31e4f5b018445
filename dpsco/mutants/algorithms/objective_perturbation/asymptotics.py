"""Mutants of where minimisers go; their falsity is shown with an exponential error and an Epanechnikov kernel, by quadrature.

The judge uses linear densities and closed forms. F(t) = 1 - (1 - r) e^(-t/s) for t >= s ln(1 - r), so f(0) = (1 - r)/s and
f'(0) = -(1 - r)/s^2; s = 1/2, r = 1/4.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, carried_over, scaled, with_formula
from dpsco.reference.losses import kernels
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.objective_perturbation.asymptotics import curvature_lasts, densities_are_lipschitz
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

KERNEL = "epanechnikov"
LEVEL, SCALE = Fraction(1, 4), Fraction(1, 2)


def context() -> Numbers:
    return mp(25)


def law(m: Numbers) -> dict[str, Real]:
    """r, f(0), f'(0) and the kernel's numbers."""
    top, s = 1 - m.real(LEVEL), m.real(SCALE)
    numbers = {"kappa_1": kernels.kappa_1(m, KERNEL), "kappa_2": kernels.kappa_2(m, KERNEL), "K_cross": cross(KERNEL)}
    return {"r": 1 - top, "density": top / s, "density_slope": -top / s**2, **numbers}


def averaged(weight: Callable[[Numbers, Real], Real]) -> Real:
    """Integral of weight(u) over the kernel's support."""
    m = context()
    return m.mp.quad(lambda u: weight(m, u), [-1, 1])  # type: ignore[attr-defined]


@cache
def cross(kernel: str) -> Real:
    """Integral of u K(u) calK(u) for a kernel on [-1, 1], by quadrature."""
    return averaged(lambda m, u: u * kernels.density(m, kernel, u) * kernels.integrated(m, kernel, u))


def distribution(m: Numbers, t: Real) -> Real:
    return 1 - (1 - m.real(LEVEL)) * m.exp(-t / m.real(SCALE))


@cache
def root(lambda_: str, h: str, theta: str) -> Real:
    """Minimiser of the smoothed, regularised risk less theta*, by a root finder on the quadrature of its slope."""
    m = context()
    ridge, width, star = m.real(lambda_), m.real(h), m.real(theta)

    def slope(delta: Real) -> Real:
        level = averaged(lambda m, u: distribution(m, delta - u * width) * kernels.density(m, KERNEL, u))
        return level - m.real(LEVEL) + 2 * ridge * (star + delta)

    return m.mp.findroot(slope, (m.real(0), m.real("1e-4")), tol=m.real("1e-44"), maxsteps=60)  # type: ignore[attr-defined]


def off(claim: Claim, name: str, true: Real, unit: Real, **values: Real) -> bool:
    """Whether the claim's formula misses the true value by more than a thousandth of the order at stake."""
    m = context()
    return bool(abs(apply(claim.formulas[name], m, {**law(m), **values}) - true) > unit / 1000)


def smoothing_is_off(claim: Claim) -> bool:
    m = context()
    return off(claim, "shift_smoothing", root("0", "1e-4", "0"), m.real("1e-8"), h=m.real("1e-4"))


def ridge_is_off(claim: Claim) -> bool:
    m = context()
    ridge = m.real("1e-6")
    return off(
        claim, "shift_regularisation", root("1e-6", "1e-8", "3"), ridge, lambda_=ridge, h=m.real("1e-8"), theta=m.real(3)
    )


def order_is_off(claim: Claim) -> bool:
    """The order quantity at x = 1, for a ridge and for smoothing."""
    m = context()
    f, slope = law(m)["density"], law(m)["density_slope"]
    for ridge, h, unit in (("1e-6", "1e-8", "1e-6"), ("0", "1e-4", "1e-8")):
        values = {"lambda_": m.real(ridge), "h": m.real(h), "u_x": 3 / f, "v_x": slope / f}
        if off(claim, "order_shift", root(ridge, h, "3"), m.real(unit), **values):
            return True
    return False


@cache
def kinks_when_averaged() -> bool:
    """Density 1/4, and 1/2 beyond w, w uniform on [0, 1]: the smoothed slope at 0 stays of order h^2, though f'(0|w) = 0."""
    m = context()
    quad = m.mp.quad  # type: ignore[attr-defined]
    found = []
    for h in (m.real("0.01"), m.real("0.0001")):

        def above(w: Real, h: Real = h) -> Real:
            return quad(lambda v: kernels.density(m, KERNEL, v) * (v * h - w) / 4, [w / h, 1], maxdegree=3)

        found.append(quad(above, [0, h], maxdegree=3) / h**2)
    return bool(min(found) > m.real("0.01"))


def radius_exceeds(claim: Claim, d: int, lambda_min: str, t: str) -> bool:
    """Quadrature of the radius's density beyond lambda_min t/2 against the printed tail."""
    m = context()
    values = {"d": m.real(d), "lambda_min": m.real(lambda_min), "t": m.real(t)}
    a = values["lambda_min"] * values["t"] / 2
    density = lambda s: s ** (d - 1) * m.exp(-(s**2) / 2) / (2 ** (m.frac(d, 2) - 1) * m.gamma(m.frac(d, 2)))  # noqa: E731
    true = m.mp.quad(density, [a, a + 2, a + 6, a + 20])  # type: ignore[attr-defined]
    return bool(true > apply(claim.formulas["norm_tail"], m, values) * m.real("1.000001"))


def threshold_exceeds(claim: Claim) -> bool:
    """Pr[|N(0, 1)| >= threshold] at lambda_min = 1, t = 8, in closed form, against the printed tail."""
    m = context()
    values = {"d": m.real(1), "lambda_min": m.real(1), "t": m.real(8)}
    threshold, tail = (apply(claim.formulas[name], m, values) for name in ("norm_threshold", "norm_tail"))
    return bool(2 * m.Phi(-threshold) > tail)


def rate_outgrown(claim: Claim, noisy: bool) -> bool:
    """Ratios to the printed order at n = 10^8 and 10^12: the median of n uniforms, or a quadratic risk with sigma = n^(3/4)."""
    m = context()
    ratios = []
    for power in (8, 12):
        n = m.real(10**power)
        sigma = n ** m.frac(3, 4) if noisy else m.real("1e-9")
        deviation = sigma / n if noisy else 1 / (2 * m.sqrt(n + 2))
        ratios.append(deviation / apply(claim.formulas["order_rate"], m, {"n": n, "sigma": sigma}))
    return bool(ratios[1] > 3 * ratios[0])


def peak_exceeds(claim: Claim) -> bool:
    """A peaked density, its slope at 1 by quadrature, against the printed tail at n = 1000, sigma = 100, t = 10."""
    m = context()
    slope = m.mp.quad(lambda t: 3 if t < m.real("0.02") else m.real("0.04"), [0, m.real("0.02"), 1])  # type: ignore[attr-defined]
    true = 2 * m.Phi(-10 * slope)
    return bool(true > apply(claim.formulas["norm_tail"], m, {"lambda_min": m.real(3), "t": m.real(10), "d": m.real(1)}))


ERRORS = tuple(Fraction(k) for k in (0, 1, 2, 7))


def mean_cost(a: Fraction, r: Fraction = Fraction(3, 5)) -> Fraction:
    """Risk of a for an error on four points, summed directly."""
    return sum((max(r * (e - a), (r - 1) * (e - a)) for e in ERRORS), start=Fraction(0)) / len(ERRORS)


def costs_more(claim: Claim) -> bool:
    """Whether the claim's intercept, true intercept 0, has a greater risk than 2, the error's 3/5-quantile."""
    at = claim.formulas["intercept"](context(), intercept_true=context().real(0), quantile=context().real(2))
    return mean_cost(Fraction(str(at))) > mean_cost(Fraction(2))


def slope_is_off(claim: Claim, name: str) -> bool:
    """A one-sided slope at the quantile 2, by a difference of the piecewise linear risk."""
    step = Fraction(1, 4) if name == "slope_right" else Fraction(-1, 4)
    true = (mean_cost(2 + step) - mean_cost(Fraction(2))) / step
    m = context()
    printed = apply(claim.formulas[name], m, {"mass_below": m.frac(1, 2), "mass_up_to": m.frac(3, 4), "r": m.frac(3, 5)})
    return bool(abs(printed - m.real(true)) > m.real("0.001"))


def swapped(claim: Claim, old: Relation, new: Relation) -> Claim:
    """The claim with one assertion in the place of another."""
    if old not in claim.asserts:
        raise ValueError(f"old is an assertion of {claim.id}, got {old}")
    return replace(claim, asserts=tuple(new if relation == old else relation for relation in claim.asserts))


def without(claim: Claim, *tests: object) -> Claim:
    """The claim without some of its preconditions."""
    return replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test not in tests))


def of_optimum() -> Iterator[Mutant]:
    claim = find("newsvendor/lem-EC.8-amended")
    minus = with_formula(claim, "intercept", lambda m, intercept_true, quantile: intercept_true - quantile)
    yield Mutant("the quantile subtracted", minus, lambda: costs_more(minus))
    for name in ("slope_right", "slope_left"):
        less = scaled(claim, name, 9, 10)
        yield Mutant(f"{name} times 0.9", less, lambda less=less, name=name: slope_is_off(less, name))  # type: ignore[misc]
    other = with_formula(claim, "slope_left", lambda m, mass_up_to, r: mass_up_to - r)
    yield Mutant("the left slope with the mass up to q", other, lambda: slope_is_off(other, "slope_left"))
    strict = swapped(claim, Relation("slope_left", "<=", "0"), Relation("slope_left", "<", "0"))
    yield Mutant(
        "a negative left slope",
        strict,
        lambda: mean_cost(Fraction(1), Fraction(1, 2)) == mean_cost(Fraction(2), Fraction(1, 2)),
    )
    smooth = swapped(claim, claim.asserts[0], Relation("population risk", "is", "differentiable at every theta"))
    yield Mutant(
        "differentiable everywhere",
        smooth,
        lambda: mean_cost(Fraction(2)) - mean_cost(Fraction(1)) != mean_cost(Fraction(3)) - mean_cost(Fraction(2)),
    )


def of_printed_optimum() -> Iterator[Mutant]:
    claim, amended = find("newsvendor/lem-EC.8"), find("newsvendor/lem-EC.8-amended")
    yield from carried_over(claim, amended, of_optimum(), "intercept", "slope_right")
    for says, factor in (("nine tenths of the intercept", (9, 10)), ("twice the intercept", (2, 1))):
        moved = scaled(claim, "intercept", *factor)
        yield Mutant(says, moved, lambda moved=moved: costs_more(moved))  # type: ignore[misc]


def of_minimisers() -> Iterator[Mutant]:
    claim = find("newsvendor/lem-EC.9-amended")
    for numerator, denominator in ((-1, 1), (2, 1), (9, 10)):
        moved = scaled(claim, "shift_smoothing", numerator, denominator)
        says = f"the shift by smoothing times {numerator}/{denominator}"
        yield Mutant(says, moved, lambda moved=moved: smoothing_is_off(moved))  # type: ignore[misc]
        ridge = scaled(claim, "shift_regularisation", numerator, denominator)
        says = f"the shift by regularisation times {numerator}/{denominator}"
        yield Mutant(says, ridge, lambda ridge=ridge: ridge_is_off(ridge))  # type: ignore[misc]
    bare = with_formula(claim, "shift_regularisation", lambda m, lambda_, theta: -2 * lambda_ * theta)
    yield Mutant("no J^{-1} in the shift by regularisation", bare, lambda: ridge_is_off(bare))
    any_law = without(claim, densities_are_lipschitz)
    yield Mutant("densities that are only differentiable at 0", any_law, kinks_when_averaged)


def of_order() -> Iterator[Mutant]:
    claim = find("newsvendor/prop-2-amended")
    half = scaled(claim, "order_shift", 1, 2)
    yield Mutant("half the shift", half, lambda: order_is_off(half))
    up = with_formula(
        claim, "order_shift", lambda m, lambda_, h, kappa_2, u_x, v_x: -2 * lambda_ * u_x + h**2 * kappa_2 * v_x / 2
    )
    yield Mutant("the other sign of h^2", up, lambda: order_is_off(up))
    quiet = with_formula(claim, "order_rate", lambda m, n, sigma: 1 / m.sqrt(n))
    yield Mutant("no noise in the order", quiet, lambda: rate_outgrown(quiet, noisy=True))
    fast = with_formula(claim, "order_rate", lambda m, n, sigma: 1 / n + sigma / n)
    yield Mutant("1/n for 1/sqrt(n)", fast, lambda: rate_outgrown(fast, noisy=False))
    tenth = scaled(claim, "norm_tail", 1, 10)
    yield Mutant("a tenth of the tail", tenth, lambda: radius_exceeds(tenth, 1, "1", "0.1"))
    thin = with_formula(claim, "norm_tail", lambda m, lambda_min, t, d: 2 * m.exp(-(lambda_min**2) * t**2 / (2 * d)))
    yield Mutant("2 d for 8 d in the tail", thin, lambda: radius_exceeds(thin, 2, "1", "4"))
    no_d = with_formula(claim, "norm_tail", lambda m, lambda_min, t: 2 * m.exp(-(lambda_min**2) * t**2 / 8))
    yield Mutant("no dimension in the tail", no_d, lambda: radius_exceeds(no_d, 9, "1", "8"))
    near = scaled(claim, "norm_threshold", 1, 4)
    yield Mutant("a quarter of the threshold", near, lambda: threshold_exceeds(near))
    peaked = without(claim, curvature_lasts)
    yield Mutant("curvature that does not last", peaked, lambda: peak_exceeds(peaked))
