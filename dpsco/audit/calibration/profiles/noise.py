"""Answers with noise: Gaussian and Laplace, on the line and on whole numbers, a draw from a log-concave density."""

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from math import ceil, log, sqrt

from flint import ctx, fmpz_poly

from dpsco.audit.calibration.mechanism import Bounds, Values
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.privacy import discrete_noise
from dpsco.reference.privacy import gaussian as gaussian_reference
from dpsco.reference.privacy import laplace as laplace_reference
from dpsco.reference.privacy.composition.pure import optimal_pure
from dpsco.reference.privacy.log_concave import mu as log_concave_mu
from dpsco.spec.numbers import Numbers, Real

LONGEST_SUM = 100_000
"""Chances of a sum of answers."""
ADJACENCIES = {"replace-one": 2, "add-remove": 1, "add-one": 1}
"""How far a sum of records clipped to norm C moves, in units of C."""


def clipped(numbers: Mapping[str, Decimal], words: Mapping[str, str]) -> tuple[Decimal, str]:
    """Sensitivity of a sum of records clipped to a norm."""
    adjacency, clip = words["adjacency"], numbers["clip"]
    units = ADJACENCIES[adjacency]
    says = f"{'2 clip' if units == 2 else 'clip'} for {adjacency}: a sum of records clipped to {clip}"
    return units * clip, says


def clipped_whole(numbers: Mapping[str, Decimal], words: Mapping[str, str]) -> tuple[int, str]:
    """Most by which a sum of whole numbers moves, each clipped to [-clip, clip]."""
    value, says = clipped(numbers, words)
    return int(value), says


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


def discrete_gaussian(m: Numbers, epsilon: Real, values: Values) -> Bounds:
    """Whole-number answers with P(k) ~ e^{-k^2/(2 sigma^2)}, exactly; of several see `_summed`. For one

    delta = F(K) - e^epsilon F(K - shift), F the distribution function, K the last k with a privacy loss
    (shift^2 - 2 shift k)/(2 sigma^2) of at least epsilon: K = floor(shift/2 - epsilon sigma^2/shift). Every other K gives less,
    so that delta grows with the shift; it does not fall everywhere as sigma grows, and sigma is not solved for.

    Source   Canonne, Kamath and Steinke 2020, Theorem 7
    """
    sigma, shift = values["sigma"], values["shift"]
    if values["steps"] > 1:
        return _summed(m, epsilon, sigma, shift, values["steps"])
    place = m.frac(shift, 2) - epsilon * sigma**2 / shift
    first, last = (int(end.floor().unique_fmpz()) for end in (place.lower(), place.upper()))
    whole = 1 + 2 * _falling(m, sigma, 1)
    if last > first + 1:  # too few digits to tell where: it is at most F(last)
        exact = m.real(0).union((_up_to(m, sigma, last, whole) / whole).upper())
        return Bounds(exact, exact)

    def event(k: int) -> Real:
        return (_up_to(m, sigma, k, whole) - m.exp(epsilon) * _up_to(m, sigma, k - shift, whole)) / whole

    exact = event(first)
    if last != first:  # at the turn both are the same: the larger one is it
        exact = m.max(exact, event(last))
    return Bounds(exact, exact)


def _summed(m: Numbers, epsilon: Real, sigma: Real, shift: int, steps: int) -> Bounds:
    """Several answers: the loss (steps shift^2 - 2 shift N)/(2 sigma^2) depends on N, the sum of their noise, alone.

    delta = sum over n of P(N = n) (1 - e^{epsilon - loss(n)})_+

    The chances of N are powers of a polynomial, whose degrees are counted modulo a size: what wraps around, and what one
    answer's polynomial leaves out, is bounded by P(|N| >= x) <= 2 e^{-x^2/(2 steps sigma^2)}, as a discrete Gaussian's moments
    of e^{tk} are at most e^{t^2 sigma^2/2} (Canonne, Kamath and Steinke 2020, Lemma 6).

    Raises   ValueError where the polynomials are too long
    """
    m.real(0)
    bits = ctx.prec * 3 // 4  # of what is left out
    low_law, high_law, outside = _sum_law(ctx.prec, sigma.mid(), sigma.rad(), steps, bits)
    m.real(0)
    variance, unit, size = 2 * sigma**2, m.real(2) ** bits, len(low_law)
    step, factor = m.exp(m.real(shift) / sigma**2), m.exp(epsilon - m.real(steps * shift * shift) / variance)
    first = -(size // 2)
    decline = factor * step**first  # e^(epsilon - loss(n)), which grows with n
    low = high = m.real(0)
    for n in range(first, -first + 1):
        share = 1 - decline
        if not share > 0:
            share = m.max(m.real(0), share)
            if share == 0:
                break
        low += low_law[n % size] * share
        high += high_law[n % size] * share
        decline *= step
    exact = m.max(m.real(0), low / unit - outside).union(m.min(m.real(1), high / unit + outside))
    return Bounds(exact, exact)


@lru_cache(maxsize=8)
def _sum_law(precision: int, middle: Real, radius: Real, steps: int, bits: int) -> tuple[list[int], list[int], Real]:
    """Chances of the sum in units of 2^-bits, from below and from above, n at place n modulo their number; what is left out."""
    m = arb(precision)
    m.real(0)
    sigma = (middle - radius).union(middle + radius)
    wide, tail = float(sigma.upper()), sqrt(2 * bits * log(2))
    reach = 2 + ceil(wide * tail)
    size = 2 * (2 + ceil(wide * sqrt(steps) * tail)) + 1
    if size > LONGEST_SUM:
        raise ValueError(f"sigma: {steps} answers of so wide a noise need more than {LONGEST_SUM} chances")
    variance, unit = 2 * sigma**2, m.real(2) ** bits
    whole = 1 + 2 * _falling(m, sigma, 1)
    ends = [0] * size, [0] * size
    for k in range(-reach, reach + 1):
        chance = m.exp(-m.real(k * k) / variance) / whole * unit
        ends[0][k % size] += max(0, int(chance.lower().floor().unique_fmpz()))
        ends[1][k % size] += int(chance.upper().ceil().unique_fmpz())
    outside = 2 * m.exp(-(m.real(size // 2) ** 2) / (steps * variance)) + 2 * steps * m.exp(-(m.real(reach) ** 2) / variance)
    return _power(ends[0], steps, bits, 0), _power(ends[1], steps, bits, 1), outside.upper()


def _power(one: list[int], steps: int, bits: int, up: int) -> list[int]:
    """The power of a polynomial modulo z^size - 1 in units of 2^-bits, every product rounded down, or up."""
    size = len(one)

    def product(a: fmpz_poly, b: fmpz_poly) -> fmpz_poly:
        terms = [int(x) for x in (a * b).coeffs()]
        terms += [0] * (2 * size - len(terms))
        return fmpz_poly([((x + y) >> bits) + up for x, y in zip(terms[:size], terms[size:], strict=True)])

    base = fmpz_poly(one)
    found = base
    for bit in f"{steps:b}"[1:]:
        found = product(found, found)
        if bit == "1":
            found = product(found, base)
    terms = [int(x) for x in found.coeffs()]
    return terms + [0] * (size - len(terms))


def _up_to(m: Numbers, sigma: Real, k: int, whole: Real) -> Real:
    """Sum of e^(-j^2/(2 sigma^2)) over j <= k; `whole` is that over all j."""
    return _falling(m, sigma, -k) if k < 0 else whole - _falling(m, sigma, k + 1)


def _falling(m: Numbers, sigma: Real, k: int) -> Real:
    """Sum of e^(-j^2/(2 sigma^2)) over j >= k >= 1: each from the one before, and a geometric series above what is left out."""
    wide, bits = float(sigma.upper()), (ctx.prec + 20) * log(2)
    terms = 2 + ceil(min(wide * sqrt(2 * bits), bits * wide**2 / k))
    variance = 2 * sigma**2
    total, weight = m.real(0), m.exp(-m.real(k * k) / variance)
    ratio, bend = m.exp(-m.real(2 * k + 1) / variance), m.exp(-2 / variance)
    for _ in range(terms):
        total += weight
        weight, ratio = weight * ratio, ratio * bend
    return total + m.real(0).union(weight / (1 - ratio))


def discrete_gaussian_beside(m: Numbers, values: Values) -> dict[str, Real]:
    """As concentrated as the Gaussian of the same sigma (Canonne, Kamath and Steinke 2020, Theorem 4)."""
    return {"rho": values["steps"] * (values["shift"] / values["sigma"]) ** 2 / 2}


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
