"""Finite mechanisms in exact arithmetic: divergences, adjacencies as relations, and what privacy does under each operation.

Probabilities are Fractions, e^epsilon enters as the rational `factor`; so equalities are equalities. A mechanism maps each
data set (a tuple of records) to a row of probabilities over one list of answers.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product as pairs_of
from itertools import repeat
from typing import Final

from dpsco.reference.literal import literal
from dpsco.spec.claim import Adjacency
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.privacy import finite as spec

Data = tuple[Hashable, ...]
Row = tuple[Fraction, ...]
Mechanism = Mapping[Data, Row]
Relation = Callable[[Data, Data], bool]
"""Whether two data sets are neighbours: symmetric."""


@literal(spec.hockey_stick)
def hockey_stick(m: Numbers, p: Sequence[Real], q: Sequence[Real], epsilon: Real) -> tuple[Real, Real]:
    if len(p) != len(q):
        raise ValueError(f"p and q must have one length, got {len(p)} and {len(q)}")
    factor = m.exp(epsilon)
    kept = [(a, factor * b) for a, b in zip(p, q, strict=True) if a > factor * b]
    return sum((a - b for a, b in kept), start=m.real(0)), sum((a + b for a, b in kept), start=m.real(0))


def replace_one(data: Data, other: Data) -> bool:
    """Whether one data set becomes the other by replacing exactly one record."""
    return len(data) == len(other) and sum(a != b for a, b in zip(data, other, strict=True)) == 1


def add_remove(data: Data, other: Data) -> bool:
    """Whether one data set becomes the other by adding or removing one record, at any place."""
    short, long = sorted((data, other), key=len)
    return len(long) == len(short) + 1 and any(long[:i] + long[i + 1 :] == short for i in range(len(long)))


RELATIONS: Final[Mapping[Adjacency, Relation]] = {
    Adjacency.REPLACE_ONE: replace_one,
    Adjacency.ADD_REMOVE: add_remove,
    Adjacency.ADD_ONE_N_FIXED: add_remove,  # the same data sets; that n does not move is up to the mechanism
}


def divergence(p: Row, q: Row, factor: Fraction | int) -> Fraction:
    """sum of max(0, p - factor q), exactly.

    Domain   p and q rows of one length; factor = e^epsilon >= 1
    Returns  a probability
    Raises   ValueError where the lengths differ
    """
    return sum((max(Fraction(0), a - factor * b) for a, b in zip(p, q, strict=True)), start=Fraction(0))


def least_delta(mechanism: Mechanism, adjacent: Relation, factor: Fraction | int) -> Fraction:
    """Least delta for which the mechanism is (ln factor, delta)-DP for the adjacency; 0 where no two data sets are adjacent."""
    return max(
        (divergence(mechanism[a], mechanism[b], factor) for a, b in neighbours(mechanism, adjacent)), default=Fraction(0)
    )


def least_factor(mechanism: Mechanism, adjacent: Relation) -> Fraction | None:
    """Least e^epsilon for which the mechanism is (epsilon, 0)-DP; None where no epsilon is enough."""
    factor = Fraction(1)
    for a, b in neighbours(mechanism, adjacent):
        for p, q in zip(mechanism[a], mechanism[b], strict=True):
            if p > 0 and q == 0:
                return None
            factor = max(factor, p / q if q else factor)
    return factor


def neighbours(mechanism: Mechanism, adjacent: Relation) -> Iterator[tuple[Data, Data]]:
    """All ordered pairs of adjacent data sets of the mechanism."""
    return ((a, b) for a, b in pairs_of(mechanism, repeat=2) if adjacent(a, b))


def at_distance(inputs: Iterable[Data], adjacent: Relation, distance: int) -> Relation:
    """The relation "at most `distance` steps apart" on the given data sets: intermediate data sets must be among them."""
    known = list(inputs)
    reach = {a: {a} for a in known}
    for _ in repeat(None, distance):
        reach = {a: near | {c for b in near for c in known if adjacent(b, c)} for a, near in reach.items()}
    return lambda a, b: a != b and b in reach[a]


def after(mechanism: Mechanism, channel: Sequence[Row]) -> Mechanism:
    """The mechanism whose answer is passed through a channel: row i holds the law of the new answer where the old one is i.

    Raises   ValueError where the channel is no channel: a row for each answer, entries >= 0 that add up to 1
    """
    answers = len(next(iter(mechanism.values())))
    if len(channel) != answers:
        raise ValueError(f"channel must have a row for each of {answers} answers, got {len(channel)}")
    for i, row in enumerate(channel):
        _law(row, f"row {i} of channel")
    return {
        data: tuple(sum((p * row[j] for p, row in zip(law, channel, strict=True)), Fraction(0)) for j in range(len(channel[0])))
        for data, law in mechanism.items()
    }


def together(first: Mechanism, second: Callable[[int], Mechanism]) -> Mechanism:
    """Both answers; the second mechanism may depend on the first answer (adaptive composition), and reads the same data."""
    return {
        data: tuple(p * q for i, p in enumerate(law) for q in second(i)[data])  # answers (i, j) in order
        for data, law in first.items()
    }


def mixed(weights: Row, mechanisms: Sequence[Mechanism]) -> Mechanism:
    """One of the mechanisms, chosen by public chance, and its answer without the choice.

    Raises   ValueError where the weights are no law
    """
    _law(weights, "weights")
    return {
        data: tuple(
            sum((w * p for w, p in zip(weights, column, strict=True)), Fraction(0))
            for column in zip(*(mechanism[data] for mechanism in mechanisms), strict=True)
        )
        for data in mechanisms[0]
    }


def resampled(mechanism: Mechanism) -> Mechanism:
    """As many records drawn from the data with replacement, then the mechanism: by enumeration of all draws."""
    return {
        data: tuple(
            sum(column, Fraction(0)) / len(data) ** len(data)
            for column in zip(*(mechanism[drawn] for drawn in pairs_of(data, repeat=len(data))), strict=True)
        )
        for data in mechanism
    }


def _law(row: Row, name: str) -> None:
    if any(p < 0 for p in row) or sum(row) != 1:
        raise ValueError(f"{name} must be nonnegative and add up to 1, got {[str(p) for p in row]}")
