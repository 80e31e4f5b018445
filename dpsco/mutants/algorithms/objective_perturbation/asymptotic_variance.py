"""Mutants of the covariance and of the order quantity's variance; false by quadrature with an exponential error.

The judge uses linear densities and closed forms; here the law and kernel are those of the minimisers' mutants.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, carried_over, scaled, with_formula
from dpsco.mutants.algorithms.objective_perturbation.asymptotics import (
    KERNEL,
    averaged,
    context,
    distribution,
    kinks_when_averaged,
    law,
    root,
    swapped,
    without,
)
from dpsco.reference.losses import kernels
from dpsco.spec.algorithms.objective_perturbation import asymptotic_variance as spec
from dpsco.spec.algorithms.objective_perturbation.asymptotics import densities_are_lipschitz
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Real
from dpsco.spec.register import find

THETA = "3"
PAIRS = (("1e-6", "1e-9"), ("1e-9", "1e-6"))
"""lambda and h: the one or the other decides."""


@cache
def factors(lambda_: str, h: str, theta: str = THETA) -> tuple[Real, Real]:
    """Inverse curvature and variance of the slope at the minimiser, by quadrature over the kernel."""
    m = context()
    delta, width, ridge = root(lambda_, h, theta), m.real(h), m.real(lambda_)
    f, ratio = law(m)["density"], -law(m)["density_slope"] / law(m)["density"]
    curvature = averaged(lambda m, u: f * m.exp(-ratio * (delta + u * width)) * kernels.density(m, KERNEL, u)) + 2 * ridge
    mean = averaged(lambda m, u: distribution(m, delta - u * width) * kernels.density(m, KERNEL, u))
    square = averaged(
        lambda m, u: distribution(m, delta - u * width) * 2 * kernels.density(m, KERNEL, u) * kernels.integrated(m, KERNEL, u)
    )
    return 1 / curvature, square - mean**2


def _values(lambda_: str, h: str, sigma: str, theta: str = THETA) -> dict[str, Real]:
    m = context()
    numbers = {"lambda_": lambda_, "h": h, "n": "1000000", "sigma": sigma, "theta": theta, "c_1": "1000", "c_2": "1000"}
    found = {**law(m), **{name: m.real(value) for name, value in numbers.items()}}
    r, f = found["r"], found["density"]
    return {**found, "spread": r * (1 - r) / f**2, "spread_half": 1 / f, "spread_inverse": 1 / f**2}


def covariance(lambda_: str, h: str, sigma: str, theta: str = THETA) -> Real:
    """Asymptotic variance of sqrt(n) times the estimator."""
    inverse, spread = factors(lambda_, h, theta)
    values = _values(lambda_, h, sigma, theta)
    return inverse**2 * (spread + values["sigma"] ** 2 / values["n"])


def off(claim: Claim, name: str, true: Callable[[str, str, str], Real], sigma: str = "500") -> bool:
    """Whether a formula misses the quadrature by more than a hundredth of lambda + h at one of the pairs."""
    m = context()
    return any(
        abs(apply(claim.formulas[name], m, _values(a, b, sigma)) - true(a, b, sigma)) > (m.real(a) + m.real(b)) / 100
        for a, b in PAIRS
    )


def inverse_is_off(claim: Claim) -> bool:
    return off(claim, "hessian_inverse", lambda a, b, _: factors(a, b)[0])


def spread_is_off(claim: Claim) -> bool:
    return off(claim, "gradient_variance", lambda a, b, _: factors(a, b)[1])


def covariance_is_off(claim: Claim, name: str) -> bool:
    return off(claim, name, covariance)


def below_bound(claim: Claim, name: str, sigma: str, pair: tuple[str, str], increase: bool) -> bool:
    """Whether the quadrature is below the claim's lower bound, c_1 = c_2 = 1000."""
    values = _values(*pair, sigma)
    true = covariance(*pair, sigma)
    if increase:
        true = (true - values["spread"]) / values["n"]
    return bool(true < apply(claim.formulas[name], context(), values))


def of_covariance() -> Iterator[Mutant]:
    claim = find("newsvendor/lem-EC.11-amended")

    def flipped(m: Any, lambda_: Real, theta: Real, density: Real, density_slope: Real) -> Real:
        return 1 / density - 2 * lambda_ * (1 + density_slope * theta / density) / density**2

    turned = with_formula(claim, "hessian_inverse", flipped)
    yield Mutant("I + V' in the inverse Hessian", turned, lambda: inverse_is_off(turned))

    def halved(m: Any, lambda_: Real, h: Real, r: Real, theta: Real, density: Real, K_cross: Real) -> Real:
        return r * (1 - r) + lambda_ * (2 * r - 1) * theta - 2 * h * K_cross * density

    half = with_formula(claim, "gradient_variance", halved)
    yield Mutant("2 r - 1 in the gradient's variance", half, lambda: spread_is_off(half))

    def single(m: Any, lambda_: Real, h: Real, r: Real, theta: Real, density: Real, K_cross: Real) -> Real:
        return r * (1 - r) + lambda_ * (4 * r - 2) * theta - h * K_cross * density

    once = with_formula(claim, "gradient_variance", single)
    yield Mutant("h K J once", once, lambda: spread_is_off(once))
    less = scaled(claim, "sandwich", 9, 10)
    yield Mutant("sandwich times 0.9", less, lambda: covariance_is_off(less, "sandwich"))
    printed = with_formula(claim, "expansion", spec.expansion_printed)
    yield Mutant("the printed expansion", printed, lambda: covariance_is_off(printed, "expansion"))
    lower = with_formula(claim, "covariance_lower", spec.covariance_lower)
    yield Mutant(
        "the printed lower bound",
        lower,
        lambda: below_bound(lower, "covariance_lower", "1e8", PAIRS[0], increase=False),
    )
    greater = swapped(claim, Relation("K_cross", "<", "kappa_1"), Relation("K_cross", ">", "kappa_1"))
    yield Mutant("K above kappa_1", greater, lambda: bool(law(context())["K_cross"] < law(context())["kappa_1"]))
    any_law = without(claim, densities_are_lipschitz)
    yield Mutant("densities that are only differentiable at 0", any_law, kinks_when_averaged)
    loud = without(claim, spec.noise_vanishes)
    yield Mutant("noise of the order of n", loud, lambda: True if _runs_away() else None)


def _runs_away() -> bool:
    """n Var by quadrature of ((|b|/n - 1/2)^+/(2 lambda))^2 for n = sigma = 100, lambda = 0.01, against the sandwich's 96.3."""
    m = context()
    tail = m.mp.quad(lambda z: (z - m.frac(1, 2)) ** 2 * m.phi(z), [m.frac(1, 2), 3, 8, 30])  # type: ignore[attr-defined]
    return bool(100 * 2 * tail / (4 * m.real("0.0001")) > 1000)


def of_variance() -> Iterator[Mutant]:
    claim = find("newsvendor/prop-3-amended")
    double = scaled(claim, "variance_nonprivate", 2, 1)
    f = law(context())["density"]
    true = context().frac(3, 16) / f**2

    def wrong(claim: Claim) -> bool:
        m = context()
        return bool(
            abs(apply(claim.formulas["variance_nonprivate"], m, {"n": m.real(1), "spread": true}) / true - 1) > m.real("0.1")
        )

    yield Mutant("twice the variance without privacy", double, lambda: wrong(double))

    def bare(
        m: Any, n: Real, lambda_: Real, h: Real, sigma: Real, spread: Real, spread_inverse: Real, c_1: Real, c_2: Real
    ) -> Real:
        return (-c_1 * lambda_ - c_2 * h) * spread / n + sigma**2 / n**2 * spread_inverse

    full = with_formula(claim, "increase_lower", bare)
    yield Mutant(
        "the noise without (1 - c_1 lambda)",
        full,
        lambda: below_bound(full, "increase_lower", "1e8", PAIRS[0], increase=True),
    )

    def no_ridge(m: Any, n: Real, h: Real, sigma: Real, spread: Real, spread_inverse: Real, c_2: Real) -> Real:
        return -c_2 * h * spread / n + sigma**2 / n**2 * spread_inverse

    free = with_formula(claim, "increase_lower", no_ridge)
    pair = ("1e-6", "1e-12")
    yield Mutant("no loss by lambda", free, lambda: below_bound(free, "increase_lower", "1e-3", pair, increase=True))

    def no_window(m: Any, n: Real, lambda_: Real, sigma: Real, spread: Real, spread_inverse: Real, c_1: Real) -> Real:
        return -c_1 * lambda_ * spread / n + (1 - c_1 * lambda_) * sigma**2 / n**2 * spread_inverse

    open_ = with_formula(claim, "increase_lower", no_window)
    wide = ("1e-12", "1e-6")
    yield Mutant("no loss by h", open_, lambda: below_bound(open_, "increase_lower", "1e-3", wide, increase=True))
    quiet = with_formula(claim, "rate_upper", spec.rate_upper_of_variance)
    yield Mutant("sigma^2/n^2 alone above", quiet, lambda: _outgrows(quiet, "0.0001", "1"))
    ridge = with_formula(claim, "rate_upper", lambda m, n, lambda_: lambda_ / n)
    yield Mutant("lambda/n alone above", ridge, lambda: _outgrows(ridge, "1e-12", "1e5"))


def of_printed_variance() -> Iterator[Mutant]:
    """The amendment's mutant of what is printed without privacy, and other orders of the increase from below."""
    claim = find("newsvendor/prop-3")
    yield from carried_over(claim, find("newsvendor/prop-3-amended"), of_variance(), "variance_nonprivate")
    orders: dict[str, tuple[Callable[..., Real], tuple[str, str], str]] = {
        "no loss by lambda": (lambda m, r, n, h, sigma: -r * (1 - r) * h / n + (sigma / n) ** 2, ("1e-6", "1e-12"), "1e-3"),
        "no loss by h": (
            lambda m, r, n, lambda_, sigma: -r * (1 - r) * lambda_ / n + (sigma / n) ** 2,
            ("1e-12", "1e-6"),
            "1e-3",
        ),
        "sigma/n below": (
            lambda m, r, n, lambda_, h, sigma: -r * (1 - r) * (lambda_ + h) / n + sigma / n,
            ("1e-12", "1e-12"),
            "1",
        ),
    }
    for says, (order, pair, sigma) in orders.items():
        moved = with_formula(claim, "rate_in_sigma", order)
        yield Mutant(says, moved, partial(_below_order, order, pair, sigma))


def _below_order(order: Callable[..., Real], pair: tuple[str, str], sigma: str) -> bool:
    """Whether the quadrature's increase is below the order, its terms weighed with 1000 against it."""
    m, values = context(), _values(*pair, sigma)
    none = {name: m.real(0) for name in ("lambda_", "h", "sigma")}
    terms = [apply(order, m, {**values, **none, name: values[name]}) for name in none]
    grown = (covariance(*pair, sigma) - values["spread"]) / values["n"]
    return bool(grown < sum(term * 1000 if term < 0 else term / 1000 for term in terms))


def _outgrows(claim: Claim, lambda_: str, sigma: str) -> bool:
    """Whether the increase, where it is positive (theta* = -3), is far above the printed order."""
    m = context()
    values = _values(lambda_, "1e-12", sigma, "-3")
    grown = (covariance(lambda_, "1e-12", sigma, "-3") - values["spread"]) / values["n"]
    return bool(grown > 50 * apply(claim.formulas["rate_upper"], m, values))
