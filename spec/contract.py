"""Contracts: the interface that reference and fast both implement, one signature and one docstring.

A contract is written as a function without a body. `reference` implements it with the number context as an extra first
argument, `fast` with exactly its signature; both under the same name in the same room.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import Signature, cleandoc, signature
from random import Random
from typing import TypeAlias

from dpsco.spec.domain import Parameter
from dpsco.spec.numbers import Real, names_of

ULPS = "ulps"
"""Largest error of an entry in units of the last place of its exact value, or of the contract's `floor` where that is larger
(near zeros); 2^-1074 below the smallest normal double. What exceeds the largest double must come out infinite."""
SUM_SCALED = "sum-scaled"
"""Largest entry of |error| over the entry's sum of |terms|, in units of 2^-53. The reference returns (value, sum of |terms|),
the second in the shape of the first or one number for all entries."""
SUBOPTIMALITY = "suboptimality"
"""l2 norm of the objective's gradient at the returned point (the first part of a returned tuple) over the tolerance asked for:
the reference's module says what it is, in a function `suboptimality(m, inputs, answer)`."""

Inputs = Mapping[str, object]
End: TypeAlias = "str | Callable[..., Real]"
"""A decimal string, or a formula (m, ...) over inputs of the contract, which it takes by their names."""


@dataclass(frozen=True)
class Range:
    """Where every number of an output lies; with `norm`, where the l2 norm of each of its innermost rows does.

    Ends are open or closed. What lies between them is finite: an open end at infinity excludes it.
    """

    low: End = "-inf"
    high: End = "inf"
    low_open: bool = True
    high_open: bool = True
    norm: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The inputs that its ends depend on."""
        return tuple(name for end in (self.low, self.high) if not isinstance(end, str) for name in names_of(end))


def between(low: End, high: End) -> Range:
    """Both ends included."""
    return Range(low, high, low_open=False, high_open=False)


def at_least(low: End) -> Range:
    return Range(low=low, low_open=False)


def ball(radius: End) -> Range:
    """Vectors, or rows of them, of at most this l2 norm."""
    return Range("0", radius, low_open=False, high_open=False, norm=True)


FINITE = Range()
POSITIVE = Range(low="0")
NONNEGATIVE = at_least("0")
PROBABILITY = between("0", "1")
POSITIVE_PROBABILITY = Range("0", "1", high_open=False)


@dataclass(frozen=True)
class Contract:
    """The interface of one function: name, signature, docstring, error metric, range, and how its inputs are made."""

    concept: str
    name: str
    doc: str
    signature: Signature
    metric: str
    inputs: tuple[Parameter, ...]
    generate: Callable[[Random], Inputs] | None
    hard: tuple[Inputs, ...]
    ranges: tuple[Range, ...]
    """One, or, where several outputs are returned, one for each."""
    floor: float = 0.0

    @property
    def id(self) -> str:
        return f"{self.concept}.{self.name}"

    def adopt(self, function: Callable[..., object], *leading: str) -> None:
        """Give an implementation this docstring, after a check of its name and parameters: `leading`, then the contract's.

        Raises  TypeError where a name, a parameter, their order, their kind or a default is another
        """
        found, wanted = signature(function), tuple(self.signature.parameters.values())
        parameters = tuple(found.parameters.values())
        said = tuple((p.name, p.kind, p.default) for p in parameters)
        plain = tuple((name, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty) for name in leading)
        if function.__name__ != self.name or said != plain + tuple((p.name, p.kind, p.default) for p in wanted):
            raise TypeError(
                f"{function.__name__}{found} does not implement {self.id}({', '.join((*leading, *map(str, wanted)))})"
            )
        function.__doc__ = self.doc


def contract(
    *,
    metric: str,
    range: Range | tuple[Range, ...],
    inputs: tuple[Parameter, ...] = (),
    generate: Callable[[Random], Inputs] | None = None,
    hard: tuple[Inputs, ...] = (),
    floor: float = 0.0,
) -> Callable[[Callable[..., object]], Contract]:
    """Turn a bodiless function into a contract.

    `range` is where its values lie, one for each output where it returns several; `inputs` are its scalar parameters;
    `generate` makes one random input (Python floats, lists of floats, names), for contracts whose inputs are more than
    independent scalars; `hard` are inputs that every regression run tries; `floor` is the size below which an error in ulps is
    measured absolutely.

    Raises  TypeError where an end of the range depends on what is no input
    """
    ranges = range if isinstance(range, tuple) else (range,)

    def wrap(function: Callable[..., object]) -> Contract:
        strange = {name for one in ranges for name in one.names} - set(signature(function).parameters)
        if strange or not ranges:
            raise TypeError(f"the range of {function.__name__} depends on {sorted(strange)}, which are no inputs of it")
        return Contract(
            concept=function.__module__.removeprefix("dpsco.spec."),
            name=function.__name__,
            doc=cleandoc(function.__doc__ or ""),
            signature=signature(function),
            metric=metric,
            inputs=inputs,
            generate=generate,
            hard=hard,
            ranges=ranges,
            floor=floor,
        )

    return wrap
