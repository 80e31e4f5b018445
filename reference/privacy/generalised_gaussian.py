"""The generalised Gaussian mechanism: its noise, half-space probabilities, and a scale that is proved to suffice.

Z of density proportional to exp(-|z|_+^2/2) is R Theta, R of the law of chi with d degrees of freedom, Theta on the unit sphere
of |.|_+ with the cone measure. In the plane the probability of a half-space is one integral over directions.
"""

from collections.abc import Callable

from dpsco.reference.literal import literal
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.privacy import generalised_gaussian as spec


@literal(spec.noise)
def noise(m: Numbers, signs: Real, weights: Real, radius: Real, index: Real, sigma: Real) -> Real:
    total = sum(weights, start=m.real(0))
    return [sigma * radius * sign * (weight / total) ** (1 / index) for sign, weight in zip(signs, weights, strict=True)]


def norm_moment(m: Numbers, d: Real, k: Real) -> Real:
    """Moment of order k of the norm of GG(1) noise.

    E|Z|_+^k = 2^{k/2} Gamma((d + k)/2) / Gamma(d/2)

    Domain   d >= 1, k > -d
    Returns  in units of sigma^k
    Source   the law of chi; E|Z|_+^2 = d
    """
    return m.sqrt(m.real(2)) ** k * m.exp(m.lgamma((d + k) / 2) - m.lgamma(d / 2))


def density(m: Numbers, size: Real, d: Real, index: Real, sigma: Real) -> Real:
    """Density of GG(sigma^2) in l_index^d at a point of norm `size`.

    e^{-size^2/(2 sigma^2)} / (sigma^d V 2^{d/2} Gamma(d/2 + 1)), V = (2 Gamma(1 + 1/index))^d / Gamma(1 + d/index)

    Domain   size >= 0, d >= 1, index >= 1, sigma > 0
    Returns  in units of sigma^-d
    Source   polar coordinates; V is the volume of the unit ball (Dirichlet)
    """
    ball = d * (m.log(m.real(2)) + m.lgamma(1 + 1 / index)) - m.lgamma(1 + d / index)
    radial = d / 2 * m.log(m.real(2)) + m.lgamma(d / 2 + 1)
    return m.exp(-(size**2) / (2 * sigma**2) - d * m.log(sigma) - ball - radial)


def chi_tail(m: Numbers, d: int, x: Real) -> Real:
    """P(chi_d >= x), the law of |Z|_+ in dimension d.

    erfc(x / sqrt 2) for d = 1; e^{-x^2/2} times the sum over j < d/2 of (x^2/2)^j / j! for even d

    Domain   d = 1 or even, x >= 0
    Returns  a probability
    Raises   ValueError for another d
    Source   integration by parts
    """
    if d == 1:
        return m.erfc(x / m.sqrt(m.real(2)))
    if d < 1 or d % 2:
        raise ValueError(f"d={d}: the tail is written out for d = 1 and for even d")
    half, term = x**2 / 2, m.real(1)
    total = term
    for j in range(1, d // 2):
        term = term * half / j
        total = total + term
    return m.exp(-half) * total


def separated(m: Numbers, epsilon: Real, ratio: Real, tau: Real, d: int) -> Real:
    """A delta that every generalised Gaussian mechanism in dimension d needs at least, whatever its norms are.

    delta >= 1 - P(chi_d >= ratio - tau)/2 - e^epsilon P(chi_d >= tau)/2

    Domain   epsilon >= 0; ratio: dual-norm distance of the answers over sigma; 0 <= tau <= ratio; d = 1 or even
    Returns  a lower bound on the least delta (it may be negative)
    Raises   ValueError for another d
    Source   the half-space {<z, a> > tau sigma}, |<Z, a>| <= |Z|_+ and the symmetry of Z
    """
    return 1 - chi_tail(m, d, ratio - tau) / 2 - m.exp(epsilon) * chi_tail(m, d, tau) / 2


def half_space(m: Numbers, index: Real, tau: Real) -> Real:
    """P(Z_1 > tau) for the density proportional to exp(-|z|^2/2) in the plane, |.| the l_index norm.

    With n(u) = (1 + u^index)^{2/index}, u = z_2/z_1 >= 0: half the integral of e^{-tau^2 n(u)/2}/n(u) over that of 1/n(u)

    Domain   index >= 1, tau > 0
    Returns  a probability, enclosed if the context encloses
    Source   polar coordinates; beyond u = 1 in the variable 1/u, cut where the exponential is below e^{-128}
    """

    def n(u: Real) -> Real:
        return (1 + u**index) ** (2 / index)

    def near(u: Real) -> Real:
        return m.exp(-(tau**2) * (n(u) - 1) / 2) / n(u)

    def far(v: Real) -> Real:
        return m.exp(-(tau**2) * (n(v) / v**2 - 1) / 2) / n(v)

    one, cut = m.real(1), m.min(m.frac(1, 2), tau / 16)
    beyond = m.where(None, m.real(0), cut * m.exp(-(tau**2) * (1 / cut**2 - 1) / 2))
    above = _decreasing(m, near) + m.integral(far, cut, one) + beyond
    # e^{-tau^2/2} apart: the rest is of order 1, so that the width of its enclosure is a relative one
    return m.exp(-(tau**2) / 2) * above / (4 * _decreasing(m, lambda u: 1 / n(u)))


def _decreasing(m: Numbers, f: Callable[[Real], Real]) -> Real:
    """The integral over [0, 1] of a decreasing function that is analytic on (0, 1]: its two ends enclose it near 0."""
    low = m.real(2) ** -64
    return low * m.where(None, f(low), f(m.real(0))) + m.integral(f, low, m.real(1))


def plane(m: Numbers, epsilon: Real, index: Real, ratio: Real, tau: Real) -> Real:
    """What the half-space {z_1 > tau} tells of a shift by `ratio` along the first axis in the plane: a lower bound on delta.

    P(Z_1 > tau - ratio) - e^epsilon P(Z_1 > tau)

    Domain   epsilon >= 0, index >= 1, 0 < ratio < tau or 0 < tau < ratio, in units of sigma
    Returns  a lower bound on the least delta of GG(1) in the l_index norm, enclosed if the context encloses
    Source   `half_space`
    """
    moved = half_space(m, index, tau - ratio) if tau > ratio else 1 - half_space(m, index, ratio - tau)
    return moved - m.exp(epsilon) * half_space(m, index, tau)


def composed_rho(m: Numbers, kappa: Real, sensitivity: Real, sigma_squared: Real, steps: Real) -> Real:
    """The zero-concentrated privacy parameter that `steps` answers with GG(sigma^2) noise are proved to have.

    rho = steps kappa sensitivity^2 / (2 sigma^2)

    Domain   kappa >= 1 the regularity constant, sensitivity > 0 in the dual norm, sigma_squared > 0, steps >= 1
    Returns  rho, nats
    Source   smoothness of |.|_+^2: `RENYI` in dpsco.arguments.privacy.regular_noise; exact on the line
    """
    return steps * kappa * sensitivity**2 / (2 * sigma_squared)


def epsilon_of_rho(m: Numbers, rho: Real, delta: Real) -> Real:
    """An epsilon for which rho suffices at delta.

    epsilon = rho + 2 sqrt(rho ln(1/delta))

    Domain   rho >= 0, delta in (0, 1)
    Returns  epsilon, nats
    Source   Bun and Steinke 2016, Proposition 1.3
    """
    return rho + 2 * m.sqrt(rho * m.log(1 / delta))


def sufficient_variance(m: Numbers, kappa: Real, sensitivity: Real, epsilon: Real, delta: Real, steps: Real) -> Real:
    """A sigma^2 for which `steps` answers are (epsilon, delta)-DP in every kappa-regular space.

    sigma^2 = steps kappa sensitivity^2 (sqrt(l + epsilon) + sqrt(l))^2 / (2 epsilon^2), l = ln(1/delta)

    Domain   as `composed_rho`; epsilon > 0, delta in (0, 1)
    Returns  sigma^2, in the square of the unit of the sensitivity
    Source   `epsilon_of_rho` solved for rho
    """
    nats = m.log(1 / delta)
    return steps * kappa * sensitivity**2 * (m.sqrt(nats + epsilon) + m.sqrt(nats)) ** 2 / (2 * epsilon**2)
