"""Answers with noise: Gaussian, Laplace on the line and on whole numbers, a draw from a log-concave density."""

from collections.abc import Mapping
from decimal import Decimal

from dpsco.auditing.mechanism import Bounds, Values
from dpsco.reference.privacy import discrete_noise
from dpsco.reference.privacy import gaussian as gaussian_reference
from dpsco.reference.privacy import laplace as laplace_reference
from dpsco.reference.privacy.composition.pure import optimal_pure
from dpsco.reference.privacy.log_concave import mu as log_concave_mu
from dpsco.spec.numbers import Numbers, Real

ADJACENCIES = {"replace-one": 2, "add-remove": 1, "add-one": 1}
"""How far a sum of records clipped to norm C moves, in units of C."""


def clipped(numbers: Mapping[str, Decimal], words: Mapping[str, str]) -> tuple[Decimal, str]:
    """Sensitivity of a sum of records clipped to a norm."""
    adjacency, clip = words["adjacency"], numbers["clip"]
    units = ADJACENCIES[adjacency]
    says = f"{'2 clip' if units == 2 else 'clip'} for {adjacency}: a sum of records clipped to {clip}"
    return units * clip, says


def shifted(m: Numbers, epsilon: Real, mu: Real) -> Real:
    """The Gaussian profile, enclosed also where its second term is a product of a huge and a tiny number.

    With a = mu/2 - epsilon/mu and b = mu/2 + epsilon/mu the second term is phi(a) Phi(-b)/phi(b), and Mills' ratio lies
    between b/(1 + b^2) and 1/b.
    """
    direct = gaussian_reference.profile(m, epsilon, mu)
    if direct.is_finite() and direct.rad() < m.real("1e-40"):
        return direct
    a, b = mu / 2 - epsilon / mu, mu / 2 + epsilon / mu
    low, high = m.phi(a) * b / (1 + b**2), m.phi(a) / b
    first = m.Phi(a)
    return m.max(m.real(0), (first - high).lower().union((first - low).upper()))


def gaussian(m: Numbers, epsilon: Real, values: Values) -> Bounds:
    """One Gaussian with mu = sqrt(steps) sensitivity / sigma, exactly."""
    mu = gaussian_reference.composed(m, values["sigma"], values["sensitivity"], m.real(values["steps"]))
    exact = shifted(m, epsilon, mu)
    return Bounds(exact, exact)


def gaussian_beside(m: Numbers, values: Values) -> dict[str, Real]:
    mu = gaussian_reference.composed(m, values["sigma"], values["sensitivity"], m.real(values["steps"]))
    return {"mu": mu, "rho": mu**2 / 2}


def laplace(m: Numbers, epsilon: Real, values: Values) -> Bounds:
    """One answer: its profile. More: composed as pure mechanisms, and as the randomised response that a threshold makes of it.

    A threshold half way between the two answers turns each into randomised response with odds 2 e^{epsilon_0/2} - 1, a
    post-processing; one answer alone is a post-processing of all of them.
    """
    epsilon_0, steps = values["sensitivity"] / values["scale"], values["steps"]
    one = laplace_reference.profile(m, epsilon, epsilon_0)
    if steps == 1:
        return Bounds(one, one)
    odds = m.log1p(2 * m.expm1(epsilon_0 / 2))
    return Bounds(m.max(one, optimal_pure(m, epsilon, odds, steps)), optimal_pure(m, epsilon, epsilon_0, steps))


def laplace_beside(m: Numbers, values: Values) -> dict[str, Real]:
    return {"pure epsilon": values["steps"] * values["sensitivity"] / values["scale"]}


def discrete_laplace(m: Numbers, epsilon: Real, values: Values) -> Bounds:
    """One whole-number answer, exactly.

    More of the scale is more private: geometric noise is narrower geometric noise and independent noise beside it
    """
    exact = discrete_noise.laplace_profile(m, epsilon, values["scale"], m.real(values["shift"]))
    return Bounds(exact, exact)


def discrete_laplace_beside(m: Numbers, values: Values) -> dict[str, Real]:
    return {"pure epsilon": values["shift"] / values["scale"]}


def log_concave(m: Numbers, epsilon: Real, values: Values) -> Bounds:
    """One draw from a density proportional to exp(-F): the Gaussian with mu = lipschitz / sqrt(convexity).

    Attained where F is quadratic and the difference linear.

    Source   bilevel, Theorem B.4 (Gopi, Lee and Liu 2022, Theorem 4.1)
    """
    exact = shifted(m, epsilon, log_concave_mu(m, values["lipschitz"], values["convexity"]))
    return Bounds(exact, exact)


def log_concave_beside(m: Numbers, values: Values) -> dict[str, Real]:
    return {"mu": log_concave_mu(m, values["lipschitz"], values["convexity"])}


def record_lipschitz(numbers: Mapping[str, Decimal], words: Mapping[str, str]) -> tuple[Decimal, str]:
    """Lipschitz constant of the difference of two exponents k (mean loss + regulariser) over neighbouring data."""
    from fractions import Fraction

    units = ADJACENCIES[words["adjacency"]]
    exact = units * Fraction(numbers["factor"]) * Fraction(numbers["loss-lipschitz"]) / Fraction(numbers["n"])
    says = (
        f"{'2 ' if units == 2 else ''}factor loss-lipschitz / n for {words['adjacency']}: exponent = factor (mean loss + ...)"
    )
    return exact, says  # type: ignore[return-value]
