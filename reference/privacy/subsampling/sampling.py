"""What a run of DP-SGD needs, for each way of drawing records: a lower bound from a named pair, an upper one that is proved.

The pairs and the arguments for them stand in `spec`. For Poisson sampling, and for a record more or less, both bounds are one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dpsco.reference.numbers.enclosure import ArbNumbers
from dpsco.reference.privacy.subsampling.many_steps import LARGEST_WORK, deltas, epsilon
from dpsco.spec.claim import Adjacency
from dpsco.spec.numbers import Real
from dpsco.spec.privacy.subsampling.pair import Pair
from dpsco.spec.privacy.subsampling.sampling import BOTH, Sampling, case


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
) -> list[Enclosed]:
    """Bounds on the least delta at each epsilon, for `shift` = C / sigma: clipping norm over the sum's noise.

    Domain   as `composed`; ValueError where nothing is proved for the sampling and adjacency
    """
    m = ArbNumbers(192)
    units, pairs = case(sampling, adjacency)
    mu = units * m.real(shift)

    def largest(those: Sequence[Pair]) -> list[Real]:
        curves = [deltas(epsilons, mu, q, steps, pair, relative, most) for pair in those]
        return [m.max(*values) for values in zip(*curves, strict=True)]

    lower = largest(BOTH)
    return [Enclosed(a, b) for a, b in zip(lower, lower if pairs == BOTH else largest(pairs), strict=True)]


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

    def largest(those: Sequence[Pair]) -> Real:
        return m.max(*(epsilon(delta, mu, q, steps, pair, relative, most) for pair in those))

    lower = largest(BOTH)
    return Enclosed(lower, lower if pairs == BOTH else largest(pairs))
