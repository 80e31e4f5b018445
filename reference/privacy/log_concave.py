"""Strongly log-concave densities: the Gaussian that dominates a pair of them, and the curve of a concrete pair."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from dpsco.reference.privacy import gaussian
from dpsco.spec.numbers import Numbers, Real

Potential = Callable[[Real], Real]


def mu(m: Numbers, lipschitz: Real, convexity: Real) -> Real:
    """Shift of the unit Gaussian pair that dominates the densities proportional to e^{-F} and e^{-F~}.

    mu = lipschitz / sqrt(convexity)

    Domain   lipschitz >= 0: Lipschitz constant of F~ - F (nat/length); convexity > 0: modulus of strong convexity of one of
             F and F~ (nat/length^2)
    Returns  mu, of Gaussian differential privacy
    Source   Gopi, Lee and Liu 2022, Theorem 4.1
    """
    return lipschitz / m.sqrt(convexity)


def profile(m: Numbers, epsilon: Real, lipschitz: Real, convexity: Real) -> Real:
    """Least delta for which every such pair is (epsilon, delta)-indistinguishable.

    delta = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), mu = lipschitz / sqrt(convexity)

    Domain   epsilon >= 0, lipschitz > 0, convexity > 0
    Returns  delta, a probability; attained by F = convexity |x|^2/2 on R^d and a linear F~ - F
    Source   Gopi, Lee and Liu 2022, Theorem 4.1
    """
    return gaussian.profile(m, epsilon, mu(m, lipschitz, convexity))


def curve(m: Numbers, epsilon: Real, first: Potential, second: Potential, knots: Sequence[Real]) -> Real:
    """Privacy curve of the densities proportional to e^{-first} and e^{-second} on an interval, straight from its definition.

    delta = integral of max(0, q - e^epsilon p), p and q the normalised densities

    Domain   epsilon real; knots: the interval's ends and, in order, every point where a potential is not analytic
    Returns  delta, a probability
    Source   bilevel, Definition B.3
    """
    pieces = list(pairwise(knots))

    def total(integrand: Potential) -> Real:
        return sum((m.integral(integrand, low, high) for low, high in pieces), start=m.real(0))

    mass_p, mass_q = total(lambda x: m.exp(-first(x))), total(lambda x: m.exp(-second(x)))

    def excess(x: Real) -> Real:
        return m.max(0, m.exp(-second(x)) / mass_q - m.exp(epsilon - first(x)) / mass_p)

    return total(excess)
