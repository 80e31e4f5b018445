"""What a run of DP-SGD needs, for each way of drawing records: a lower bound from a named pair, an upper one that is proved.

The pairs and the arguments for them stand in `spec`. For Poisson sampling, and for a record more or less, both bounds are one.

REMOVE and ADD are computed in one of two ways. The inversion needs the density of the sum of losses to be smooth, which many
steps make it; the grids of `few_steps` need points in proportion to sqrt(T) and to the range T q + epsilon of the losses. So
the grids come first where they are short, the inversion next, and longer grids where that is wide.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

from dpsco.reference.numbers.enclosure import ArbNumbers
from dpsco.reference.numbers.inversion import OutOfReachError
from dpsco.reference.privacy.subsampling import few_steps
from dpsco.reference.privacy.subsampling.many_steps import LARGEST_WORK, deltas, epsilon
from dpsco.spec.claim import Adjacency
from dpsco.spec.numbers import Real
from dpsco.spec.privacy.subsampling.pair import Pair
from dpsco.spec.privacy.subsampling.sampling import BOTH, Sampling, case

QUICK, LONGEST, FARTHEST = 25_000, 5000, 20.0
"""Points of the grids that come before the inversion (two seconds); steps, and mean number of draws, of runs that have them."""
LARGEST = 200_000
"""Points of the grids that come after it: fifteen seconds, and a quarter of a GiB."""
PATIENT = 4.0
"""Times the work of the inversion before those grids, where they would be wide: many steps with rare large jumps."""
WIDTH = 8e-7
"""Relative width that is asked of the grids, and beyond which the inversion is not good enough: rounding brings it to 1e-6."""


@dataclass(frozen=True)
class Enclosed:
    """Enclosures of a proved lower and a proved upper bound; the same ball where both are one."""

    lower: Real
    upper: Real


def delta_of(
    epsilons: Sequence[object],
    shift: object,
    q: object,
    steps: int,
    sampling: Sampling,
    adjacency: Adjacency,
    relative: float = 1e-8,
    most: float = LARGEST_WORK,
    asked: Real | None = None,
) -> list[Enclosed]:
    """Bounds on the least delta at each epsilon, for `shift` = C / sigma: clipping norm over the sum's noise.

    Where only a comparison with a delta that is `asked` for matters, bounds that decide it may be wide.

    Domain   as `composed`; ValueError where nothing is proved for the sampling and adjacency
    """
    m = ArbNumbers(192)
    units, pairs = case(sampling, adjacency)
    mu = units * m.real(shift)

    if pairs == BOTH:
        found = [_largest_delta(x, mu, q, steps, relative, most, asked) for x in epsilons]
        return [Enclosed(x, x) for x in found]

    def largest(those: Sequence[Pair]) -> list[Real]:
        curves = [deltas(epsilons, mu, q, steps, pair, relative, most) for pair in those]
        return [m.max(*values) for values in zip(*curves, strict=True)]

    return [Enclosed(a, b) for a, b in zip(largest(BOTH), largest(pairs), strict=True)]


def epsilon_of(
    delta: object,
    shift: object,
    q: object,
    steps: int,
    sampling: Sampling,
    adjacency: Adjacency,
    relative: float = 1e-8,
    most: float = LARGEST_WORK,
) -> Enclosed:
    """Bounds on the least epsilon at delta, for `shift` = C / sigma.

    Domain   as `epsilon`; ValueError where nothing is proved for the sampling and adjacency
    """
    m = ArbNumbers(192)
    units, pairs = case(sampling, adjacency)
    mu = units * m.real(shift)

    if pairs == BOTH:
        found = _largest_epsilon(delta, mu, q, steps, relative, most)
        return Enclosed(found, found)

    def largest(those: Sequence[Pair]) -> Real:
        return m.max(*(epsilon(delta, mu, q, steps, pair, relative, most) for pair in those))

    return Enclosed(largest(BOTH), largest(pairs))


def _largest_delta(at: object, mu: Real, q: object, steps: int, relative: float, most: float, asked: Real | None) -> Real:
    """The larger delta of REMOVE and ADD at epsilon."""
    m = ArbNumbers(192)

    def by_grids(points: int, widest: float) -> Real:
        return few_steps.delta(at, mu, q, steps, BOTH, WIDTH, points, widest, asked)

    def narrow(found: Real) -> bool:
        if asked is not None and (found <= asked or found > asked):
            return True
        return bool(2 * found.rad() <= m.real(WIDTH) * found.lower())

    def inverted(pair: Pair, times: float, _: Real | None) -> Real:
        return deltas([at], mu, q, steps, pair, relative, times * most)[0]

    return _first(m.real(q), steps, by_grids, inverted, narrow)


def _largest_epsilon(delta: object, mu: Real, q: object, steps: int, relative: float, most: float) -> Real:
    """The larger epsilon of REMOVE and ADD at delta."""
    m = ArbNumbers(192)

    def narrow(found: Real) -> bool:
        return bool(2 * found.rad() <= m.real(WIDTH) * m.max(found.lower(), m.real(few_steps.FLOOR)))

    def inverted(pair: Pair, times: float, near: Real | None) -> Real:
        return epsilon(delta, mu, q, steps, pair, relative, times * most, near)

    return _first(m.real(q), steps, lambda *room: few_steps.epsilon(delta, mu, q, steps, BOTH, WIDTH, *room), inverted, narrow)


def _first(
    q: Real,
    steps: int,
    by_grids: Callable[[int, float], Real],
    inverted: Callable[[Pair, float, Real | None], Real],
    narrow: Callable[[Real], bool],
) -> Real:
    """The first narrow enclosure, by what is expected to be quick; else all that were found, intersected. A pair that is
    proved to be the smaller one is not inverted again.

    Raises   OutOfReachError where there is none
    """
    m, closed = ArbNumbers(192), steps == 1 or q == 1
    found: list[Real] = []
    pairs: list[Pair] = list(BOTH)
    if not closed and steps <= LONGEST and steps * float(q) <= FARTHEST:
        try:
            return by_grids(QUICK, 1.0)
        except OutOfReachError:
            pass
    for times in (1.0, PATIENT):
        try:
            each = [inverted(pair, times, found[-1] if found else None) for pair in pairs]
            found.append(m.max(*each))
            pairs = [pair for pair, value in zip(pairs, each, strict=True) if not value < found[-1]]
        except OutOfReachError:
            if closed:
                raise
        if found and (closed or narrow(found[-1])):
            return found[-1]
    try:
        found.append(by_grids(LARGEST, math.inf))
    except OutOfReachError:
        if not found:
            raise
    return reduce(lambda a, b: a.intersection(b), found)
