"""What contracts take and return, as numbers: flattened, nested again, the same doubles in another context."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from dpsco.spec.numbers import Numbers

Shape: TypeAlias = "tuple[Shape, ...] | None"


def promoted(m: Numbers, inputs: Mapping[str, object]) -> dict[str, object]:
    """The same doubles as numbers of the context; integers, names and flags stay what they are."""
    return {name: _promote(m, value) for name, value in inputs.items()}


def _promote(m: Numbers, value: object) -> object:
    if isinstance(value, float):
        return m.real(value)
    if isinstance(value, list | tuple):
        return [_promote(m, part) for part in value]
    return value


def flat(value: Any) -> list[Any]:
    """The numbers of a scalar, or of nested sequences and arrays, in order."""
    return [number for row in rows(value) for number in row]


def rows(value: Any) -> Iterator[list[Any]]:
    """The innermost rows, a scalar alone."""
    if shape(value) is None:
        yield [value]
        return
    alone: list[Any] = []
    for part in value:
        if shape(part) is None:
            alone.append(part)
            continue
        if alone:
            yield alone
            alone = []
        yield from rows(part)
    if alone:
        yield alone


def shape(value: Any) -> Shape:
    """How a value is nested: None for a number, for a sequence or an array the shapes of its parts."""
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__") or getattr(value, "ndim", 1) == 0:
        return None
    return tuple(shape(part) for part in value)


def nested(wanted: Shape, numbers: Iterator[Any]) -> Any:
    """The numbers, nested as a shape says."""
    return next(numbers) if wanted is None else [nested(part, numbers) for part in wanted]


def places(wanted: Shape) -> Iterator[tuple[int, ...]]:
    """The indices of each number, in the order of `flat`; none for a number alone."""
    if wanted is None:
        yield ()
        return
    for index, part in enumerate(wanted):
        yield from ((index, *inner) for inner in places(part))
