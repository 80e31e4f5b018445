"""Run on D, record the mechanisms' answers, run on a neighbour with the same answers: what differs has leaked.

A leak needs no statistics: given the answers, an honest run is a function of public numbers, so that one difference on one
pair of neighbours shows that something else of the data came through. The converse is not shown: that no difference is found
on the tried pairs is evidence. It says nothing about

- how much noise there is: that a query has noise, a declared finite sensitivity, and that no pair moved it by more, is all;
  a Gaussian of scale 1e-300 passes, and so do half-spheres of epsilon 700, whose side is certain;
- mechanisms that an algorithm runs by itself (`Mechanism.OWN`): a raw record handed in as `drawn` is taken for their answer;
- what is printed, written to files or sent, how long a run takes, how much memory it needs;
- data sets of other sizes, and patterns in the data that neither random records nor the hard ones have;
- what the calling process remembers of runs before the audit (memory between the audit's own runs is seen).
"""

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, product
from random import Random
from typing import Any, Protocol

import numpy as np

from dpsco.audit.replay.fresh import fresh
from dpsco.audit.replay.neighbours import Sample, neighbours
from dpsco.audit.replay.oracles import ExhaustedError, Recording, Replaying, fault
from dpsco.audit.replay.seen import Seen, seen, told
from dpsco.spec.claim import Adjacency
from dpsco.spec.mechanism import Algorithm, Answer, Data, Mechanism, Query

ROUNDING = 1e-9
"""Relative part of a sensitivity by which rounding may exceed it: half-sums of doubles, no more."""
REFUSAL, WARNINGS, QUERIES = "refusal", "warnings", "number of queries"
OUTSIDE = "randomness outside the mechanisms"
FIRST_RUNS = 4
"""Neighbours of each data set that are the first thing an algorithm sees in a process."""


@dataclass(frozen=True)
class Subject:
    """An algorithm that joined the replay."""

    concept: str
    """Of `spec/`, whose reference or kernel is run."""
    says: str
    run: Algorithm
    sample: Sample
    """One random record, features first."""
    features: int
    """How many of a record's first numbers are features."""
    public: Mapping[str, Any]
    bound: float = 1.0
    """Norm at which features are clipped, or that they are promised to have."""
    adjacencies: tuple[Adjacency, ...] = (Adjacency.REPLACE_ONE,)
    sizes: tuple[int, ...] = (1, 2, 5, 30)
    known: Mapping[str, str] = field(default_factory=dict)
    """Leaks that are known, by what is leaked, and where that is said."""


@dataclass(frozen=True)
class Leak:
    """One quantity that differs between neighbours although all mechanisms answered the same."""

    what: str
    here: str
    there: str
    pair: str
    adjacency: Adjacency
    size: int
    """Records of the data set whose answers were replayed."""


@dataclass(frozen=True)
class Run:
    """What a run showed: its queries and their answers, and what left it or the refusal that it ended with."""

    queries: tuple[Query, ...]
    answers: tuple[Answer, ...]
    released: Mapping[str, Seen]


class Told(Protocol):
    """Whoever answers queries and keeps them in their order."""

    queries: list[Query]
    answers: list[Any]


@dataclass(frozen=True)
class _Case:
    """A data set and its neighbours, by name."""

    adjacency: Adjacency
    data: Data
    around: Sequence[tuple[str, Data]]


def audit(subject: Subject, seed: int = 0, count: int = 4, both: bool = True) -> list[Leak]:
    """The first leak found of each quantity, over hard and random neighbours of data sets of every size.

    Domain   count: random neighbours beside the hard ones; both: replay the answers of the data set on each neighbour and
             those of the neighbour on the data set, else the one and the other in turn
    Returns  leaks, an empty list where nothing differed
    """
    found: dict[str, Leak] = {}
    cases = list(_cases(subject, seed, count))

    def note(case: _Case, one: Run, other: Run, says: str) -> None:
        for what, before, after in chain(faults(one), differences(one, other)):
            here, there = told(before, after)
            found.setdefault(what, Leak(what, here, there, says, case.adjacency, len(case.data)))

    for case, one, other, says in _first_runs(subject, cases, seed):
        note(case, one, other, says)
    for case in cases:
        base = recorded(subject, case.data, seed)
        for _, before, after in differences(base, replayed(subject, case.data, base.answers)):
            here, there = told(before, after)
            found.setdefault(OUTSIDE, Leak(OUTSIDE, here, there, "the same data", case.adjacency, len(case.data)))
        for number, (says, near) in enumerate(case.around, start=1):
            if both or number % 2 == 1:
                note(case, base, replayed(subject, near, base.answers), says)
            if both or number % 2 == 0:
                theirs = recorded(subject, near, seed + number)
                note(case, theirs, replayed(subject, case.data, theirs.answers), f"{says}, replayed backward")
    return list(found.values())


def _cases(subject: Subject, seed: int, count: int) -> Iterator[_Case]:
    for adjacency, size in product(subject.adjacencies, subject.sizes):
        random = Random(f"{subject.concept} {adjacency} {size} {seed}")
        data = tuple(subject.sample(random) for _ in range(size))
        around = neighbours(data, subject.sample, adjacency, subject.bound, subject.features, random, count)
        yield _Case(adjacency, data, list(around))


def _first_runs(subject: Subject, cases: Sequence[_Case], seed: int) -> Iterator[tuple[_Case, Run, Run, str]]:
    """Each data set and some of its neighbours, run in processes that saw no other: what is remembered differs there."""
    random = Random(seed)
    bases = fresh(lambda: [recorded(subject, case.data, seed) for case in cases])
    for chosen in zip(*(random.sample(case.around, FIRST_RUNS) for case in cases), strict=True):
        again = fresh(
            lambda chosen=chosen: [  # type: ignore[misc]
                replayed(subject, near, base.answers) for (_, near), base in zip(chosen, bases, strict=True)
            ]
        )
        for case, base, (says, _), run in zip(cases, bases, chosen, again, strict=True):
            yield case, base, run, f"{says}, in a process of its own"


def recorded(subject: Subject, data: Data, seed: int) -> Run:
    """A run with noise from a seed."""
    return _run(subject, data, Recording(np.random.Generator(np.random.Philox(seed))))


def replayed(subject: Subject, data: Data, answers: Sequence[Answer]) -> Run:
    """A run that is told the answers of another."""
    return _run(subject, data, Replaying(list(answers)))


def differences(one: Run, other: Run) -> Iterator[tuple[str, Seen, Seen]]:
    """What of a recorded run is not so in a replayed one: (what, recorded, replayed)."""
    yield from _compared(one, other)
    for a, b in zip(one.queries, other.queries, strict=False):
        moved = distance(a, b)
        if a.sensitivity is not None and not moved <= a.sensitivity * (1 + ROUNDING):
            yield f"sensitivity of {a.name}", seen(f"declared {a.sensitivity:.17g}"), seen(f"moved by {moved:.17g}")


def faults(run: Run) -> Iterator[tuple[str, Seen, Seen]]:
    """Queries of one run that no noise hides: (what, how it was asked, what it takes)."""
    for query in run.queries:
        if (lacks := fault(query)) is not None:
            yield f"noise of {query.name}", seen(str(query.mechanism)), seen(lacks)


def _run(subject: Subject, data: Data, ask: Recording | Replaying) -> Run:
    return observed(lambda: subject.run(data, subject.public, ask), ask)


def observed(work: Callable[[], Mapping[str, Any]], ask: Told) -> Run:
    """All that a run shows: what it releases, its refusal, its warnings, and what it asked and was told on the way."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            released = {str(name): seen(value) for name, value in work().items()}
        except ExhaustedError:
            released = {QUERIES: seen("more, or of another shape")}
        except Exception as refusal:  # a refusal is a part of what is seen, whatever its kind
            released = {REFUSAL: seen(f"{type(refusal).__name__}: {refusal}")}
    if said:  # every one counts: how often something is said can depend on the data
        released[WARNINGS] = seen(sorted(f"{one.category.__name__}: {one.message}" for one in said))
    queries = (replace(query, value=tuple(map(float, query.value))) for query in ask.queries)
    return Run(tuple(queries), tuple(ask.answers), released)


def _compared(one: Run, other: Run) -> Iterator[tuple[str, Seen, Seen]]:
    for a, b in zip(one.queries, other.queries, strict=False):
        yield from _moved(a, b)
    refusals = [run.released.get(REFUSAL, seen("none")) for run in (one, other)]
    if refusals[0] != refusals[1]:
        yield REFUSAL, refusals[0], refusals[1]
        return
    if len(one.queries) != len(other.queries) or QUERIES in other.released:
        yield QUERIES, seen(len(one.queries)), other.released.get(QUERIES, seen(len(other.queries)))
        return
    for name in dict.fromkeys([*one.released, *other.released]):
        before, after = (run.released.get(name, seen("nothing")) for run in (one, other))
        if before != after:
            yield name, before, after


def _moved(a: Query, b: Query) -> Iterator[tuple[str, Seen, Seen]]:
    """Public parts of a query that differ."""
    public = [[seen(x) for x in (q.name, q.mechanism.value, q.scale, q.sensitivity, len(q.value))] for q in (a, b)]
    parts = ("name of a query", f"mechanism of {a.name}", f"scale of {a.name}", f"declared sensitivity of {a.name}")
    for part, before, after in zip((*parts, f"size of {a.name}"), *public, strict=True):
        if before != after:
            yield part, before, after


def distance(a: Query, b: Query) -> float:
    """How far the secret values are apart, in the norm that the mechanism's sensitivity is meant in: off by at most three
    roundings of doubles, far less than `ROUNDING`."""
    if len(a.value) != len(b.value):
        return math.inf
    gaps = [x - y for x, y in zip(a.value, b.value, strict=True)]
    if any(math.isnan(gap) for gap in gaps):
        return math.inf
    if a.mechanism is Mechanism.EXPONENTIAL:
        return max(gaps) - min(gaps)
    return math.fsum(map(abs, gaps)) if a.mechanism is Mechanism.LAPLACE else math.hypot(*gaps)
