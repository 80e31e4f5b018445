"""Inequalities between powers and exponentials that rules of composition need."""

from dpsco.spec.expressions import E, equal, exp, log, sqrt, symbols
from dpsco.spec.privacy.composition.adaptive import at_most_epsilon, bernoulli
from dpsco.spec.privacy.profile import enough_rho
from dpsco.spec.privacy.shuffling import below_itself
from dpsco.verify.proof import Step, apply, chain, combine, have, ring, slope

x, k, s = symbols("x k s")


def bernoulli_proof() -> Step:
    """(1 - s)^k - (1 - k s) is 0 at s = 0, and has the derivative k (1 - (1 - s)^(k - 1)) >= 0."""
    low, high = 1 - k * s, (1 - s) ** k
    power = (1 - s) ** (k - 1)
    negative = chain(apply(log, combine(1 - s <= 1, (1, E(0) <= s))), equal(log(1), 0))
    below = chain(ring(power, exp((k - 1) * log(1 - s))), apply(exp, combine((k - 1) * log(1 - s) <= 0, (k - 1, negative))))
    below = chain(below, equal(exp(0), 1))
    rises = combine(low.derivative("s") <= high.derivative("s"), (k, below))
    return slope(low <= high, s, 0, x, rises, equal(low.where({"s": E(0)}), high.where({"s": E(0)})))


def advantage_proof() -> Step:
    """x (e^x + 1) - (e^x - 1) is 0 at x = 0, and has the derivative 1 + x e^x."""
    low, high = exp(s) - 1, s * (exp(s) + 1)
    rises = low.derivative("s") <= high.derivative("s")
    start = equal(low.where({"s": E(0)}), high.where({"s": E(0)}))
    grown = slope(low <= high, s, 0, x, rises, start)
    return combine((exp(x) - 1) / (exp(x) + 1) <= x, (1 / (exp(x) + 1), grown))


def budget_proof() -> Step:
    """With r = sqrt(rho l): (epsilon - rho)^2 - 4 r^2 = rho^2, so epsilon - rho - 2 r = rho^2/(epsilon - rho + 2 r)."""
    tail, epsilon = symbols("l epsilon")
    rho = epsilon**2 / (4 * tail + 2 * epsilon)
    root = sqrt(rho * tail)
    left = epsilon - rho
    part = epsilon * (4 * tail + epsilon) / (4 * tail + 2 * epsilon)
    gap = rho**2 / (left + 2 * root)
    return have([chain(E(0) < part, ring(part, left))], combine(enough_rho.conclusion, (1, E(0) <= gap)))


def tangent_proof() -> Step:
    """x - log(1 + x) is 0 at x = 0, and has the derivative x/(1 + x)."""
    low = log(1 + s)
    rises = combine(low.derivative("s") <= s.derivative("s"), (1 / (1 + s), E(0) <= s))
    return slope(low <= s, s, 0, x, rises, equal(low.where({"s": E(0)}), E(0)))


PROOFS = {
    bernoulli.id: bernoulli_proof(),
    at_most_epsilon.id: advantage_proof(),
    enough_rho.id: budget_proof(),
    below_itself.id: tangent_proof(),
}
