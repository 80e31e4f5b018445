"""How far a query moves at most: pairs of data sets in which one record pulls with all its weight, and then against it.

A declared sensitivity that is too small is exceeded by some pair; one that is said to be tight is nearly reached by one. Pairs
that random records hardly ever make: features on the sphere and against each other, outcomes so far out that every loss is at
its steepest, or exactly at its kink; beside records that are random, equal or zero, or beside none.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

from dpsco.audit.replay.neighbours import EVERYWHERE
from dpsco.audit.replay.replay import REFUSAL, Leak, Run, Subject, differences, distance, faults, recorded, replayed
from dpsco.audit.replay.seen import told
from dpsco.spec.claim import Adjacency
from dpsco.spec.mechanism import Data, Record

FAR = 1e12
"""An outcome at which every loss is at its steepest, whatever the coefficients."""
NEARLY = 0.99
"""Share of a tight sensitivity that the search must reach."""


@dataclass(frozen=True)
class Reached:
    """The farthest that a query was moved by, and on which pair."""

    query: str
    moved: float
    declared: float
    tight: bool
    pair: str
    adjacency: Adjacency
    size: int
    """Records of the data set whose answers were replayed."""

    @property
    def share(self) -> float:
        """Of the declared sensitivity."""
        return self.moved / self.declared if self.declared > 0 else math.inf * self.moved


@dataclass(frozen=True)
class Search:
    """What the extreme pairs showed: leaks, the first of each kind, and how far each query moved."""

    leaks: tuple[Leak, ...]
    reached: tuple[Reached, ...]
    refused: tuple[str, ...]
    """What data sets of finite numbers were refused with: a subject that refuses them all would show nothing."""


def search(subject: Subject, seed: int = 0) -> Search:
    """Every extreme pair, the answers of one data set replayed on the other.

    Returns  `Search`; a query that was never asked on both sides of a pair is not in `reached`
    """
    leaks: dict[str, Leak] = {}
    reached: dict[str, Reached] = {}
    refused: dict[str, str] = {}
    for adjacency, says, data, around in _cases(subject, seed):
        base = recorded(subject, data, seed)
        if REFUSAL in base.released:
            refused.setdefault(base.released[REFUSAL].said, says)
        for there, near in around:
            other, pair = replayed(subject, near, base.answers), f"{says}; {there}"
            for what, *values in (*faults(base), *differences(base, other)):
                leaks.setdefault(what, Leak(what, *told(*values), pair, adjacency, len(data)))
            for found in _moves(base, other, pair, adjacency, len(data)):
                if found.query not in reached or found.share > reached[found.query].share:
                    reached[found.query] = found
    return Search(
        tuple(leaks.values()), tuple(reached.values()), tuple(f"{says} on [{pair}]" for says, pair in refused.items())
    )


def _moves(base: Run, other: Run, pair: str, adjacency: Adjacency, size: int) -> Iterator[Reached]:
    for a, b in zip(base.queries, other.queries, strict=False):
        if a.sensitivity is not None:
            yield Reached(a.name, distance(a, b), a.sensitivity, a.tight, pair, adjacency, size)


def extreme_records(old: Record, bound: float, features: int) -> Iterator[tuple[str, Record]]:
    """Records that pull as far as one can, in the direction of `old`, and those that do not pull at all, each with its name."""
    size = math.hypot(*old[:features]) or 1.0
    along = tuple(x / size * bound for x in old[:features])
    far = tuple(math.copysign(FAR, x) for x in old[features:])
    sides = ((1, "along"), (-1, "against")) if features else ((1, "no features"),)
    for (side, where), (sign, end) in product(sides, ((1, "far out"), (-1, "far out on the other side"))):
        yield f"features {where}, outcome {end}", (*(side * x for x in along), *(sign * x for x in far))
    yield "features along, outcome at the kink of zero", (*along, *(0.0 for _ in far))
    if features:
        yield "features zero", (*(0.0 for _ in along), *far)


def _cases(subject: Subject, seed: int) -> Iterator[tuple[Adjacency, str, Data, Sequence[tuple[str, Data]]]]:
    """(adjacency, what the data set is, the data set, its neighbours with their names)."""
    small = [size for size in subject.sizes if size <= EVERYWHERE] or [min(subject.sizes)]
    for adjacency, size in product(subject.adjacencies, sorted({small[0], small[-1]})):
        random = Random(f"extremes of {subject.concept} {adjacency} {size} {seed}")
        old = subject.sample(random)
        records = list(extreme_records(old, subject.bound, subject.features))
        replaces = adjacency is Adjacency.REPLACE_ONE
        for at in range(size if replaces else size + 1):
            kind = ("random", "equal", "zero")[at % 3]
            others = _others(subject, kind, records[0][1], size - replaces, random)
            there = f"record {at + 1} beside {len(others)} that are {kind}" if others else "the only record"
            sets = [(f"{there} has {says}", (*others[:at], record, *others[at:])) for says, record in records]
            if replaces:
                for i, (says, data) in enumerate(sets[:-1]):  # each pair once: it moves a query as far from either side
                    yield adjacency, says, data, sets[i + 1 :]
            else:
                yield adjacency, f"{len(others)} records that are {kind}", others, sets
                for says, data in sets:
                    yield adjacency, says, data, [("it is left out", others)]


def _others(subject: Subject, kind: str, extreme: Record, count: int, random: Random) -> Data:
    match kind:
        case "random":
            return tuple(subject.sample(random) for _ in range(count))
        case "equal":
            return (extreme,) * count
        case _:
            return (tuple(0.0 for _ in extreme),) * count
