"""A draw from an interval whose exponent is quadratic or linear: one coordinate, or one chord, of a quadratic loss."""

from random import Random

from dpsco.spec.contract import ULPS, Inputs, between, contract


def any_interval(random: Random) -> Inputs:
    """Flat, linear or quadratic, the bell's middle inside or far outside; an interval around 0 of a size near 1."""
    q = random.choice((0.0, 10 ** random.uniform(-12, 6)))
    low = -(10 ** random.uniform(-2, 0))
    high = 10 ** random.uniform(-2, 0)
    return {
        "p": random.choice((0.0, random.gauss(0, 1), random.gauss(0, 30), -q * random.uniform(low, high))),
        "q": q,
        "low": low,
        "high": high,
        "uniform": random.choice((random.random(), 10 ** random.uniform(-12, -1), 1 - 10 ** random.uniform(-12, -1))),
    }


HARD: tuple[Inputs, ...] = tuple(
    {"p": p, "q": q, "low": -1.0, "high": 1.0, "uniform": u}
    for q, p in (
        (0.0, 0.0),
        (0.0, 3.0),
        (1e-12, 1.0),
        (1e-6, -1e-6),
        (1.0, 0.0),
        (4.0, 30.0),
        (1e4, 0.0),
        (1e4, -3e4),
        (1e6, 5e5),
    )
    for u in (2.0**-53, 0.3, 0.5, 1 - 2.0**-53)
)
"""Flat, linear, nearly linear, a bell in the middle and off the interval, sharp; the middle and both ends."""


@contract(metric=ULPS, range=between(lambda m, low: low, lambda m, high: high), generate=any_interval, hard=HARD, floor=1.0)
def conditional(p: float, q: float, low: float, high: float, uniform: float) -> float:
    """The point below which lies the share `uniform` of a density on an interval.

    t with P(T <= t) = uniform, T in [low, high] with density proportional to exp(-(p t + q t^2/2))

    Domain   p (nat/decision), q >= 0 (nat/decision^2), low < high (decision), 0 < uniform < 1; not checked
    Returns  t in [low, high] (decision), exactly distributed where `uniform` is uniform
    Source   bilevel, (4) and (5) on a line where k Phi_Z is quadratic
    """
