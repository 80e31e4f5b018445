"""What an observer sees of a value: its kinds and all of its digits, as text that compares, travels and prints."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

WIDTH = 120
"""Characters of a value that a leak shows."""


@dataclass(frozen=True)
class Seen:
    """A value without its own idea of equality: True is not 1, -0.0 is not 0.0, one NaN is as good as another."""

    kind: str
    """Type; of an array also shape and type of its numbers."""
    exact: str = ""
    """Of a value without parts: all its digits."""
    parts: tuple["Seen", ...] = ()
    said: str = field(default="", compare=False)
    """The same with the digits of a double, whatever arithmetic it is of."""


def seen(value: Any) -> Seen:
    """The value, its parts looked at in their order."""
    kind = type(value).__name__
    if isinstance(value, Mapping):
        parts = tuple(Seen("item", parts=(seen(name), seen(part))) for name, part in value.items())
        return Seen(kind, parts=parts, said="{" + ", ".join(": ".join(p.said for p in item.parts) for item in parts) + "}")
    if hasattr(value, "__iter__") and not isinstance(value, str | bytes) and getattr(value, "shape", None) != ():
        parts = tuple(map(seen, value))
        array = f" {value.dtype} {value.shape}" if hasattr(value, "dtype") else ""
        return Seen(kind + array, parts=parts, said="[" + ", ".join(part.said for part in parts) + "]")
    if isinstance(value, float):
        exact = f"{float(value):.17g}"
        return Seen(kind, exact, said=exact)
    if isinstance(value, str | int) or not hasattr(value, "__float__"):
        return Seen(kind, str(value), said=str(value))
    return Seen(kind, repr(value), said=f"{float(value):.17g}")


def told(one: Seen, other: Seen) -> tuple[str, str]:
    """Two different values in short: with kinds and all digits where the digits of a double are the same."""
    short = [value.said if len(value.said) <= WIDTH else f"{value.said[: WIDTH - 3]}..." for value in (one, other)]
    if short[0] != short[1]:
        return short[0], short[1]
    if one.kind == other.kind and len(one.parts) == len(other.parts):
        for a, b in zip(one.parts, other.parts, strict=True):
            if a != b:
                return told(a, b)
    return f"{one.kind} {one.exact or short[0]}", f"{other.kind} {other.exact or short[1]}"
