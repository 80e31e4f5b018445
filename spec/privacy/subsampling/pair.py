"""The pair of laws of one step of the Gaussian mechanism on a random part of the records.

A step draws records, adds up their gradients and releases the sum with N(0, sigma^2 I). Every data set whose other records
have one and the same gradient leaves, in units of sigma and after a shift, the pair N(0, 1) against (1 - q) N(0, 1) + q N(mu,
1): q is the chance that the record that differs is drawn, mu how far its gradient moves the sum.
"""

from enum import StrEnum

from dpsco.spec.numbers import Numbers, Real


class Direction(StrEnum):
    """Which of the two laws is the one whose events are counted."""

    REMOVE = "mixture against N(0, 1)"
    ADD = "N(0, 1) against mixture"


class Pair(StrEnum):
    """A pair of laws whose privacy profile is that of one step, or dominates it."""

    REMOVE = "mixture against N(0, 1)"
    ADD = "N(0, 1) against mixture"
    REPLACE = "the larger of both at each order"
    """REMOVE's divergence of each order a >= 1, ADD's of each a < 1: the loss has density phi + l phi over x > mu/2, half of it
    at ln l(x), and an atom (1 - q)(1 - 2 Phi(-mu/2)) at 0 (see `sampling`)."""


def likelihood_ratio(m: Numbers, mu: Real, q: Real, x: Real) -> Real:
    """Density of (1 - q) N(0, 1) + q N(mu, 1) over that of N(0, 1).

    l(x) = 1 - q + q e^{mu x - mu^2/2}

    Domain   mu > 0, 0 < q <= 1, x real
    """
    return 1 - q + q * m.exp(mu * x - mu**2 / 2)


def crossing(m: Numbers, mu: Real, q: Real, ratio: Real) -> Real:
    """The point at which the likelihood ratio, which increases, has the value `ratio`.

    Domain   ratio > 1 - q
    """
    return m.log((ratio - 1 + q) / q) / mu + mu / 2


def one_step_remove(m: Numbers, epsilon: Real, mu: Real, q: Real) -> Real:
    """Least delta of one step, mixture against N(0, 1).

    delta = (1 - q - e^epsilon) Phi(-x) + q Phi(mu - x),   l(x) = e^epsilon

    Domain   epsilon >= 0, mu > 0, 0 < q <= 1
    """
    x = crossing(m, mu, q, m.exp(epsilon))
    return (1 - q - m.exp(epsilon)) * m.Phi(-x) + q * m.Phi(mu - x)


def one_step_add(m: Numbers, epsilon: Real, mu: Real, q: Real) -> Real:
    """Least delta of one step, N(0, 1) against the mixture.

    delta = Phi(x) - e^epsilon ((1 - q) Phi(x) + q Phi(x - mu)),   l(x) = e^-epsilon

    Domain   e^-epsilon > 1 - q; delta = 0 otherwise
    """
    x = crossing(m, mu, q, m.exp(-epsilon))
    return m.Phi(x) - m.exp(epsilon) * ((1 - q) * m.Phi(x) + q * m.Phi(x - mu))


def atom(m: Numbers, mu: Real, q: Real) -> Real:
    """Chance that a step of `Pair.REPLACE` has no privacy loss.

    1 - integral over x > mu/2 of phi (1 + l) = (1 - q) (1 - 2 Phi(-mu/2))
    """
    return (1 - q) * (1 - 2 * m.Phi(-mu / 2))
