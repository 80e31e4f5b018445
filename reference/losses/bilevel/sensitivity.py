"""How much a bilevel objective changes between neighbours, literally: finitely many records and upper points, every data set.

The lower loss is a parabola with walls, y on the line, so that the lower minimiser is exact in rational arithmetic.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

from dpsco.spec.numbers import Real

Records = tuple[Real, ...]
"""A data set; nothing here depends on the order of its records."""


@dataclass(frozen=True, kw_only=True)
class FiniteProblem:
    """f(x, y, z) = upper(x, y, z) and g(x, y, z) = mu_g (y - centre(x, z))^2/2 + steepness dist(y, [low, high]).

    mu_g > 0, steepness >= 0, low <= high; points and records: every x in X that is looked at, and the whole universe.
    """

    upper: Callable[[Real, Real, Real], Real]
    centre: Callable[[Real, Real], Real]
    mu_g: Real
    points: Sequence[Real]
    records: Sequence[Real]
    low: Real
    high: Real
    steepness: Real


def lower_loss(problem: FiniteProblem, x: Real, y: Real, z: Real) -> Real:
    """g(x, y, z)."""
    outside = max(problem.low - y, y - problem.high, 0 * y)
    return problem.mu_g * (y - problem.centre(x, z)) ** 2 / 2 + problem.steepness * outside


def lower_minimiser(problem: FiniteProblem, x: Real, data: Records) -> Real:
    """y_Z(x): the mean of the centres, held back by the walls.

    Returns  the y at which 0 is a subgradient of G_Z(x, .)
    Raises   ValueError where the walls are not steep enough to hold it
    """
    mean = sum(problem.centre(x, z) for z in data) / len(data)
    held = min(max(mean, problem.low), problem.high)
    if problem.mu_g * abs(mean - held) > problem.steepness:
        raise ValueError(f"steepness={problem.steepness}: at least {problem.mu_g * abs(mean - held)} holds the minimiser")
    return held


def objective(problem: FiniteProblem, x: Real, data: Records) -> Real:
    """Phi_Z(x)."""
    y = lower_minimiser(problem, x, data)
    return sum(problem.upper(x, y, z) for z in data) / len(data)


def data_sets(problem: FiniteProblem, n: int) -> Iterator[Records]:
    """Every data set of n records."""
    return combinations_with_replacement(problem.records, n)


def neighbours(problem: FiniteProblem, n: int) -> Iterator[tuple[Records, Records]]:
    """Every pair of data sets that differ in one of n records; the replaced record comes first."""
    for rest in combinations_with_replacement(problem.records, n - 1):
        for one, other in combinations(problem.records, 2):
            yield (one, *rest), (other, *rest)


def minimisers(problem: FiniteProblem, n: int) -> list[Real]:
    """Every lower minimiser of every data set of n records: the smallest set Y that Assumption 2.1 admits."""
    return sorted({lower_minimiser(problem, x, data) for data in data_sets(problem, n) for x in problem.points})


def lower_slope(problem: FiniteProblem, among: Sequence[Real]) -> Real:
    """L_gy: the largest difference quotient of g in y between the given points; 0 for one point."""
    return max(
        (
            abs(lower_loss(problem, x, a, z) - lower_loss(problem, x, b, z)) / abs(a - b)
            for x in problem.points
            for z in problem.records
            for a, b in combinations(among, 2)
        ),
        default=0 * problem.mu_g,
    )


def largest_shift(problem: FiniteProblem, n: int) -> Real:
    """The largest |y_Z(x) - y_Z'(x)| over neighbours and x.

    Source   bilevel, Theorem B.1, proof of privacy
    """
    return max(
        abs(lower_minimiser(problem, x, one) - lower_minimiser(problem, x, other))
        for one, other in neighbours(problem, n)
        for x in problem.points
    )


def changes(problem: FiniteProblem, n: int) -> Iterator[list[Real]]:
    """Phi_Z - Phi_Z' at each point, for each pair of neighbours."""
    for one, other in neighbours(problem, n):
        yield [objective(problem, x, one) - objective(problem, x, other) for x in problem.points]


def score_change(problem: FiniteProblem, n: int) -> Real:
    """The largest |Phi_Z(x) - Phi_Z'(x)|."""
    return max(abs(change) for pair in changes(problem, n) for change in pair)


def centred_change(problem: FiniteProblem, n: int) -> Real:
    """The largest |(Phi_Z(x) - Phi_Z(x0)) - (Phi_Z'(x) - Phi_Z'(x0))|; half of it is left by the best constant.

    Source   bilevel, Theorem B.1, proof of privacy
    """
    return max(max(pair) - min(pair) for pair in changes(problem, n))


def difference_quotient(problem: FiniteProblem, n: int) -> Real:
    """The largest difference quotient of Phi_Z - Phi_Z' between points, at least two of them.

    Source   bilevel, Lemma B.6
    """
    return max(
        abs(a - b) / abs(x - w)
        for pair in changes(problem, n)
        for (x, a), (w, b) in combinations(list(zip(problem.points, pair, strict=True)), 2)
    )
