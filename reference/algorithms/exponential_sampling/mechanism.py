"""The exponential mechanisms in one dimension, literally: densities, masses and draws; enclosures where the context encloses.

The loss is linear between knots; (4) has no regulariser, (5) has k mu x^2/2 in the exponent.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from dpsco.reference.literal import literal
from dpsco.spec.algorithms.exponential_sampling import mechanism as spec
from dpsco.spec.numbers import Numbers, Real

Reals = Sequence[Any]


def checked(m: Numbers, knots: Reals, values: Reals, k: Real) -> None:
    """ValueError where they are no density's."""
    if len(knots) < 2 or len(values) != len(knots):
        raise ValueError(f"knots and values have one length, at least 2, got {len(knots)} and {len(values)}")
    if not all(m.lt(a, b) is True for a, b in pairwise(knots)):
        raise ValueError(f"knots increase, got {list(knots)}")
    if m.gt(k, 0) is not True:
        raise ValueError(f"k is an inverse temperature, positive, got {k}")


def loss(knots: Reals, values: Reals, piece: int, x: Real) -> Real:
    """Phi(x) on one piece."""
    a, b, here, there = knots[piece], knots[piece + 1], values[piece], values[piece + 1]
    return here + (there - here) * (x - a) / (b - a)


def masses(
    m: Numbers, knots: Reals, values: Reals, k: Real, mu: Real, weigh: Callable[[Real, Real], Real] | None = None
) -> list[Real]:
    """Integral over each piece of exp(-k (Phi + mu x^2/2 - least end)), times `weigh(x, Phi(x))` where it is given.

    Domain   as `draw`, mu >= 0 (loss/decision^2)
    Returns  one number a piece (decision, times the weight's unit): enclosed where the context encloses
    Raises   ValueError as `draw`
    Source   bilevel, (4) and (5)
    """
    checked(m, knots, values, k)
    heights = [v + mu * x**2 / 2 for x, v in zip(knots, values, strict=True)]
    least = m.min(*heights)

    def piece(i: int) -> Real:
        def integrand(x: Real) -> Real:
            here = loss(knots, values, i, x)
            weight = m.exp(-k * (here + mu * x**2 / 2 - least))
            return weight if weigh is None else weight * weigh(x, here)

        return m.integral(integrand, knots[i], knots[i + 1])

    return [piece(i) for i in range(len(knots) - 1)]


def mean_excess(m: Numbers, knots: Reals, values: Reals, k: Real, mu: Real) -> Real:
    """E Phi(x) - min Phi under the density.

    Domain   as `masses`
    Returns  the empirical excess risk of an exact draw (loss), enclosed where the context encloses
    Raises   ValueError as `draw`
    Source   bilevel, Lemmas B.2 and B.7
    """
    lowest = m.min(*values)
    return sum(masses(m, knots, values, k, mu, lambda x, here: here - lowest)) / sum(masses(m, knots, values, k, mu))


def distribution(m: Numbers, knots: Reals, values: Reals, k: Real, mu: Real, x: Real) -> Real:
    """P(X <= x) for x strictly between the ends and off the knots.

    Domain   as `masses`; first knot < x < last knot
    Returns  a probability, enclosed where the context encloses
    Raises   ValueError where x is not certainly inside one piece
    Source   bilevel, (4) and (5)
    """
    inside = [i for i in range(len(knots) - 1) if m.lt(knots[i], x) is True and m.lt(x, knots[i + 1]) is True]
    if not inside:
        raise ValueError(f"x lies inside a piece, got {x}")
    here = inside[0]
    cut = [*knots[: here + 1], x, *knots[here + 1 :]]
    at = [*values[: here + 1], loss(knots, values, here, x), *values[here + 1 :]]
    parts = masses(m, cut, at, k, mu)
    return sum(parts[: here + 1], start=m.real(0)) / sum(parts)


@literal(spec.draw)
def draw(m: Numbers, knots: Any, values: Any, k: Real, uniform: Real) -> Real:
    checked(m, knots, values, k)
    if not (m.gt(uniform, 0) and m.lt(uniform, 1)):
        raise ValueError(f"uniform lies in (0, 1), got {uniform}")
    least = m.min(*values)
    below = m.real(0)
    parts = [_piece(m, knots, values, k, i, least) for i in range(len(knots) - 1)]
    wanted = uniform * sum(parts)
    for i, part in enumerate(parts):
        if m.le(wanted, below + part) or i == len(parts) - 1:
            width, rate = knots[i + 1] - knots[i], k * (values[i + 1] - values[i]) / (knots[i + 1] - knots[i])
            share = (wanted - below) / part
            if m.eq(rate, 0):
                return knots[i] + share * width
            return knots[i] - m.log1p(share * m.expm1(-rate * width)) / rate
        below = below + part
    raise AssertionError("a piece holds the point")


def _piece(m: Numbers, knots: Reals, values: Reals, k: Real, i: int, least: Real) -> Real:
    width, drop = knots[i + 1] - knots[i], k * (values[i + 1] - values[i])
    height = m.exp(-k * (values[i] - least))
    return height * width if m.eq(drop, 0) else -height * width * m.expm1(-drop) / drop
