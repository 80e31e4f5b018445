"""Group privacy: the delta that is left at a distance, the larger published form, and the chain that attains the bound."""

from collections.abc import Iterator

from dpsco.reference.literal import literal
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.privacy import group as spec


@literal(spec.delta_at_distance)
def delta_at_distance(m: Numbers, epsilon: Real, delta: Real, distance: Real) -> Real:
    return m.min(1, delta * m.expm1(distance * epsilon) / m.expm1(epsilon))


def published(m: Numbers, epsilon: Real, delta: Real, distance: Real) -> Real:
    """The form that is usually cited: distance e^{distance epsilon} delta.

    Domain   epsilon > 0 (nats), delta in (0, 1), distance a positive integer
    Returns  a number that is at least `delta_at_distance`: each of the `distance` powers of e^epsilon is below the last
    Source   Vadhan 2017, Lemma 2.2
    """
    return distance * m.exp(distance * epsilon) * delta


def growth(start: Real, factor: Real, delta: Real, length: int) -> Iterator[Real]:
    """Probabilities of one event along a chain of data sets, as fast as (ln factor, delta)-DP lets them grow.

    p_0 = start, p_{j+1} = min(factor p_j + delta, 1 - (1 - p_j - delta)/factor): the event may gain, its complement may lose,
    only as much as neighbours allow.

    Domain   start in [0, 1], factor = e^epsilon >= 1, delta in [0, 1): exact for Fractions and ints, else the context's numbers
    Returns  p_0, ..., p_length
    Source   the definition of (epsilon, delta)-DP, for the event and for its complement
    """
    p = start
    yield p
    for _ in range(length):
        gained, kept = factor * p + delta, 1 - (1 - p - delta) / factor
        p = _smaller(_smaller(gained, kept), 1)
        yield p


def _smaller(a: Real, b: Real) -> Real:
    """The smaller of two numbers that compare; for balls one that certainly is not larger than the other, or their union."""
    if a <= b:
        return a
    return b if b <= a else a.min(b)
