"""Mutants of the calibration of exact and inexact minimisers; their falsity is shown by quadrature of two densities."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.algorithms.objective_perturbation.privacy import Family, kink_quadrature, of_family, rescaled_quadrature
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.register import find


def _scale(m: Numbers, claim: Claim, epsilon: Real, delta: Real) -> Real:
    return m.sqrt(claim.formulas["sigma_1_squared"](m, L=m.real(1), epsilon=epsilon, delta=delta))


def _curvature(m: Numbers, claim: Claim, epsilon: Real, delta: Real) -> Real:
    one = m.real(1)
    return claim.formulas["largest_beta"](m, r=one, lambda_=one, epsilon=epsilon, n=one) / 2


FAMILY = Family("sigma_1_squared", True, "largest_beta", (4, 1), _scale, _curvature)


def of_amended() -> Iterator[Mutant]:
    def bare(m: Numbers, L: Real, epsilon: Real, delta: Real) -> Real:
        return 32 * L**2 * m.log(2 / delta) / epsilon**2

    yield from of_family(FAMILY, find("lp/lem-5-amended"), bare)


def _with_bound(claim: Claim, test: Callable[..., Truth]) -> Claim:
    """The claim with another condition on beta and lambda."""
    old = next(p for p in claim.preconditions if {"beta", "lambda_"} <= {*p.names})
    new = replace(old, test=test)
    return replace(claim, preconditions=tuple(new if p is old else p for p in claim.preconditions))


def two_gaussians(claim: Claim, epsilon: str, delta: str, modulus: Real, values: Mapping[str, Real]) -> bool:
    """Does theta_hat of two far records break (epsilon, delta)? By quadrature, at an explicit alpha, n = L = 1.

    The optimiser errs by t in opposite directions, alpha = modulus t^2/2, t such that both parts shift alike for their noise.
    """
    m = mp(60)
    e, d = m.real(epsilon), m.real(delta)
    known = {**values, "epsilon": e, "delta": d, "L": m.real(1), "n": m.real(1)}
    inner = apply(claim.formulas["sigma_1_squared"], m, known) / modulus**2
    t = inner * modulus / apply(claim.formulas["sigma_2_squared"], m, {**known, "alpha": modulus / 2})
    outer = apply(claim.formulas["sigma_2_squared"], m, {**known, "alpha": modulus * t**2 / 2})
    return bool(hockey_stick((2 / modulus + 2 * t) / m.sqrt(inner + outer), e) > d * m.real("1.000001"))


def below_a_parabola(claim: Claim, name: str, times: int) -> bool:
    """Is the printed length less than `times` steps of 1/2 from the minimum of theta^2 - 2 theta (lambda = 1)?"""
    m = mp(40)
    step = m.frac(1, 2)
    alpha = (1 + step) ** 2 - 2 * (1 + step) + 1  # theta^2 - 2 theta + 1 at theta_1 + step, theta_1 = 1
    return bool(apply(claim.formulas[name], m, {"alpha": alpha, "lambda_": m.real(1)}) < times * step)


def of_inexact() -> Iterator[Mutant]:
    claim = find("lp/thm-1-amended")
    one = {"lambda_": mp(60).real(1)}

    def far(moved: Claim, epsilon: str, delta: str) -> bool:
        return two_gaussians(moved, epsilon, delta, mp(60).real(2), one)

    fifth, quarter = scaled(claim, "sigma_1_squared", 1, 25), scaled(claim, "sigma_2_squared", 1, 16)
    yield Mutant("sigma_1 times 0.2", fifth, lambda: far(fifth, "1", "1e-40"))
    yield Mutant("sigma_2 times 0.25", quarter, lambda: far(quarter, "1", "1e-40"))

    def bare_1(m: Numbers, L: Real, epsilon: Real, delta: Real) -> Real:
        return 128 * L**2 * m.log(4 / delta) / epsilon**2

    def bare_2(m: Numbers, alpha: Real, lambda_: Real, epsilon: Real, delta: Real) -> Real:
        return 64 * alpha / lambda_ * m.log(1 / delta) / epsilon**2

    inner, outer = with_formula(claim, "sigma_1_squared", bare_1), with_formula(claim, "sigma_2_squared", bare_2)
    yield Mutant("16 epsilon dropped from sigma_1^2", inner, lambda: far(inner, "700", "0.1"))
    yield Mutant("2 epsilon dropped from sigma_2^2", outer, lambda: far(outer, "100", "0.1"))

    def looser(m: Numbers, beta: Real, r: Real, lambda_: Real, epsilon: Real, n: Real) -> Truth:
        return m.le(beta, 2 * epsilon * n * lambda_ / r)

    weak = _with_bound(claim, looser)

    def kinked() -> bool:
        m = mp(60)
        sigma = _scale(m, weak, m.real("0.1"), m.real("1e-10"))
        return bool(kink_quadrature(sigma, m.real("0.1"), True, "0.1", 118) > m.real("1.000001e-10"))

    yield Mutant("a quarter of lambda", weak, kinked)
    near, narrow = scaled(claim, "distance_bound", 1, 2), scaled(claim, "output_sensitivity", 1, 2)
    yield Mutant("half the distance", near, lambda: below_a_parabola(near, "distance_bound", 1))
    yield Mutant("half the sensitivity", narrow, lambda: below_a_parabola(narrow, "output_sensitivity", 2))
    counted = replace(claim, adjacency=Adjacency.ADD_REMOVE)
    yield Mutant("n counts the records", counted, lambda: rescaled_quadrature("1") > mp(60).real("1e-10"))
    more = scaled(claim, "sigma_2_squared", 11, 10)
    yield Mutant("sigma_2^2 times 1.1 (still true: more noise)", more, lambda: False)
