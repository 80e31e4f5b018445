"""What a private algorithm may do with its data: ask a mechanism, and compute with what the mechanism answers.

An algorithm joins the replay (`dpsco.audit.replay`) as one function (data, public, ask) -> released. Whatever depends on the
data must go through `ask`; what is left must be a function of the public parameters and of the answers. So the same answers
given on a neighbour must lead to the same queries and to the same release, and what differs has leaked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

Record: TypeAlias = tuple[float, ...]
Data: TypeAlias = tuple[Record, ...]
Answer: TypeAlias = tuple[float, ...]
Released: TypeAlias = Mapping[str, Any]
"""Everything that leaves the run, by name: what is handed out, and what an observer sees (sizes, counts, lengths, refusals)."""


class Mechanism(StrEnum):
    """The mechanisms that answer; `scale` of a query is named after the colon."""

    GAUSSIAN = "gaussian"
    """value + N(0, sigma^2 I): sigma; `sensitivity` is in l2."""
    LAPLACE = "laplace"
    """value + independent Laplace noise: b; `sensitivity` is in l1."""
    HALF_SPHERE = "half-sphere"
    """A unit vector on value's side with probability e^epsilon/(e^epsilon + 1), on the other side else: epsilon."""
    EXPONENTIAL = "exponential"
    """A place in (0, 1) with density proportional to exp(-value), which is given at equally spaced knots and linear between
    them; the scale is 1; `sensitivity` bounds the largest less the least change over the knots (nats)."""
    INDICES = "indices"
    """`scale` different positions out of len(value), uniformly; the values themselves are not looked at."""
    OWN = "own"
    """A mechanism that the algorithm runs by itself and hands in as `drawn`: judged elsewhere, opaque here."""


@dataclass(frozen=True)
class Query:
    """One question to a mechanism. `value` is secret, everything else is public and must not move with the data."""

    name: str
    mechanism: Mechanism
    value: Sequence[float]
    scale: float | tuple[float, ...] = 0.0
    sensitivity: float | None = None
    """Declared finite bound on the change of `value` between neighbours; None only where the mechanism needs none, which
    Gaussian and Laplace noise and the exponential mechanism always do."""
    drawn: Answer = field(default=(), compare=False)
    """For `Mechanism.OWN`: the answer that the algorithm's own noise gave."""
    tight: bool = False
    """Whether some neighbours move `value` by the whole sensitivity, but for a hundredth of it."""


class Ask(Protocol):
    """Answers queries: with fresh noise, or with what another run was told."""

    def __call__(self, query: Query) -> Answer: ...


class Algorithm(Protocol):
    """A private algorithm as the replay sees it."""

    def __call__(self, data: Data, public: Mapping[str, Any], ask: Ask) -> Released:
        """Run on the data.

        Domain   data: records; public: parameters that both neighbours share; ask: the only way from data to answers
        Returns  what leaves the run, by name
        Raises   whatever it refuses with: a refusal is visible, so it must not depend on the data
        """
