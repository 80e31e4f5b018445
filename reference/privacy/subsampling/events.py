"""Lower bounds on what many sampled steps need: linear statistics of the outputs, and their largest."""

from collections.abc import Sequence

import flint

from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.privacy.subsampling.events import largest as largest
from dpsco.spec.privacy.subsampling.pair import Direction


def linear(
    m: Numbers, epsilon: Real, mu: Real, q: Real, weights: Sequence[int], direction: Direction = Direction.REMOVE
) -> Real:
    """What sum_t w_t x_t alone needs of delta: equal weights for the last iterate, 1, ..., T for the average.

    The statistic over its deviation |w| is sum_j p_j N(mu j/|w|, 1) against N(0, 1), p_j the chance that the weights of the
    steps that drew the record add up to j. The likelihood ratio increases, so one threshold is the worst event; it is found
    to 2^-45, which costs the square of that: a lower bound in every case.

    Domain   epsilon >= 0, mu > 0, 0 < q <= 1, weights at least 1
    """
    chances, remove = subset_sums(m, q, weights), direction is Direction.REMOVE
    unit = mu / m.sqrt(m.real(sum(w * w for w in weights)))
    level = epsilon if remove else -epsilon
    shifts = [j * unit for j in range(min(len(chances), int(60 / float(unit)) + 2))]  # the others lie far above the threshold
    if not remove and m.le(m.exp(level), chances[0]) is True:
        return m.real(0)
    ratio = flint.arb_poly([p * m.exp(-(a**2) / 2) for p, a in zip(chances, shifts, strict=False)])

    def below(x: Real) -> bool:
        return m.lt(ratio(m.exp(unit * x)), m.exp(level)) is True

    low, high = m.real(-8), m.real(8)
    while not below(low):
        low = 2 * low
    while below(high):
        high = 2 * high
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) else (low, middle)
    x = (low + high) / 2
    hit = sum((p * m.Phi(a - x) for p, a in zip(chances, shifts, strict=False)), start=m.real(0))
    hit += sum(chances[len(shifts) :], start=m.real(0)) * m.where(None, m.Phi(len(shifts) * unit - x), m.real(1))
    return hit - m.exp(epsilon) * m.Phi(-x) if remove else m.Phi(x) - m.exp(epsilon) * (1 - hit)


def subset_sums(m: Numbers, q: Real, weights: Sequence[int]) -> list[Real]:
    """Chance of each total 0, ..., sum of the weights, each weight taken with chance q: the product of 1 - q + q z^w."""
    m.real(0)  # sets the precision
    factors = [flint.arb_poly([1 - q, *[0] * (w - 1), q]) for w in weights]
    while len(factors) > 1:
        pairs = [a * b for a, b in zip(factors[::2], factors[1::2], strict=False)]
        factors = [*pairs, *factors[2 * len(pairs) :]]
    return [m.max(m.real(0), p) for p in factors[0].coeffs()]
