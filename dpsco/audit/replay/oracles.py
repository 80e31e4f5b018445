"""The two ways to answer an algorithm's queries: with fresh noise, recorded; and with what an earlier run was told."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpsco.spec.mechanism import Answer, Mechanism, Query


class ExhaustedError(BaseException):
    """The replayed run asked for more than the recorded one, or for something of another shape.

    No `Exception`: an algorithm that goes on after its own errors does not go on after this one.
    """


@dataclass
class Recording:
    """Answers with noise from a seed, for tests: not private. Queries and answers are kept in order."""

    random: Any
    queries: list[Query] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)

    def __call__(self, query: Query) -> Answer:
        self.queries.append(query)
        answer = _drawn(self.random, query)
        self.answers.append(answer)
        return answer


@dataclass
class Replaying:
    """Gives recorded answers in their order, whatever is asked. Queries are kept."""

    answers: list[Answer]
    queries: list[Query] = field(default_factory=list)

    def __call__(self, query: Query) -> Answer:
        self.queries.append(query)
        if len(self.queries) > len(self.answers):
            raise ExhaustedError
        answer = self.answers[len(self.queries) - 1]
        if _answer_size(query) != len(answer):
            raise ExhaustedError
        return answer


MOVED = (Mechanism.GAUSSIAN, Mechanism.LAPLACE, Mechanism.EXPONENTIAL)
"""Mechanisms whose noise hides as much as the declared sensitivity says."""


def fault(query: Query) -> str | None:
    """What the query lacks to be answered privately at all, None if nothing: noise, or a bound on what the noise hides."""
    scale = query.scale
    if query.mechanism is Mechanism.OWN:
        return None
    if isinstance(scale, tuple) or not 0 < scale < math.inf:
        return f"scale {scale}: must be one finite number above 0"
    if query.mechanism is Mechanism.INDICES and not (scale == int(scale) and scale <= len(query.value)):
        return f"scale {scale}: must be a whole number, at most {len(query.value)}"
    if query.mechanism is Mechanism.EXPONENTIAL and (scale != 1 or len(query.value) < 2):
        return f"scale {scale} and {len(query.value)} knots: must be 1, and at least two"
    if query.mechanism in MOVED and (query.sensitivity is None or not 0 <= query.sensitivity < math.inf):
        return f"sensitivity {query.sensitivity}: must be declared, finite and at least 0"
    return None


def _answer_size(query: Query) -> int:
    """How many numbers answer the query."""
    if query.mechanism is Mechanism.INDICES:
        return int(_scale(query))
    if query.mechanism is Mechanism.EXPONENTIAL:
        return 1
    return len(query.drawn) if query.mechanism is Mechanism.OWN else len(query.value)


def _scale(query: Query) -> float:
    if isinstance(query.scale, tuple):
        raise ValueError(f"scale={query.scale!r} of {query.name}: must be one number for {query.mechanism}")
    return query.scale


def _drawn(random: Any, query: Query) -> Answer:
    size = len(query.value)
    match query.mechanism:
        case Mechanism.OWN:
            return query.drawn
        case Mechanism.INDICES:
            return tuple(float(i) for i in random.choice(size, size=int(_scale(query)), replace=False))
        case Mechanism.EXPONENTIAL:
            return (_place(random, query.value),)
        case Mechanism.GAUSSIAN:
            noise = _scale(query) * random.standard_normal(size)
        case Mechanism.LAPLACE:
            noise = random.laplace(scale=_scale(query), size=size)
        case Mechanism.HALF_SPHERE:
            direction = random.standard_normal(size)
            direction /= np.sqrt((direction**2).sum())
            side = sum(v * float(g) for v, g in zip(direction, query.value, strict=True))
            along = random.random() < 1 / (1 + math.exp(-_scale(query)))
            return tuple(float(v) for v in (-direction if (side < 0 if along else side > 0) else direction))
    return tuple(float(v) + float(z) for v, z in zip(query.value, noise, strict=True))


def _place(random: Any, heights: Sequence[float]) -> float:
    """By rejection: a uniform place is kept with probability exp(-(its height - the least))."""
    least, pieces = min(heights), len(heights) - 1
    while True:
        place = random.random()
        piece, along = divmod(place * pieces, 1.0)
        height = heights[int(piece)] * (1 - along) + heights[int(piece) + 1] * along
        if random.random() < math.exp(least - height):
            return float(place)
