"""Nouns: the quantities that statements speak about and that no formula computes.

`LeastDelta(GaussianNoise(sigma, Delta), epsilon, adjacency="replace-one")` is an expression: a noun applied to expressions and
words. For the kernel it is opaque: two quantities are equal where their arguments are, and nothing else is known of them but
what the noun declares here and what lemmas say.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

from dpsco.spec.expressions import NAME, Condition, E, Expr, Json, Number, digest, symbol

REAL, INTEGER = "real", "integer"
"""The sorts of numbers. Every other sort is a kind of object, named with a small letter: "mechanism", "loss", "data set"."""


@dataclass(frozen=True)
class Noun:
    """A kind of quantity, or, where its sort is no number, of object.

    Calling it with its slots (in order, or by name) and its tags (by name) makes an expression.
    """

    name: str
    slots: tuple[tuple[str, str], ...]
    """Name and sort of each argument."""
    means: str
    """The definition, in words that leave no question: what is taken over what, in which unit."""
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Words that are part of the quantity (adjacency, what is released, printed or meant), each with its legal values."""
    sort: str = REAL
    domain: tuple[Condition, ...] = ()
    """Conditions on the slots under which the quantity is defined."""
    low: Fraction | None = None
    """The quantity is finite, and at least this, wherever it is defined."""
    high: Fraction | None = None

    def __post_init__(self) -> None:
        names = [name for name, _ in self.slots]
        legal = all(NAME.fullmatch(name) for name in (self.name, *names, *self.tags))
        if not legal or len({*names, *self.tags}) != len(names) + len(self.tags):
            raise ValueError(f"{self.name}: slots and tags need names of their own, a letter and letters, digits, underscores")
        strange = {name for condition in self.domain for name in condition.symbols} - {*names}
        if strange:
            raise ValueError(f"{self.name}: its domain speaks of {', '.join(sorted(strange))}, which is no slot")
        object.__setattr__(self, "tags", MappingProxyType(dict(self.tags)))

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[type["Noun"], tuple[object, ...]]:
        return Noun, (self.name, self.slots, self.means, dict(self.tags), self.sort, self.domain, self.low, self.high)

    def __call__(self, *given: Number, **named: Number) -> Expr:
        names = [name for name, _ in self.slots]
        words = {name: named.pop(name) for name in [*named] if name in self.tags}
        values = dict(zip(names, given, strict=False)) | named
        if len(given) + len(named) != len(names) or values.keys() != {*names} or words.keys() != {*self.tags}:
            raise TypeError(f"{self.name} takes {', '.join([*names, *self.tags])}")
        for tag, word in words.items():
            if word not in self.tags[tag]:
                raise ValueError(f"{self.name}: {tag} = {word!r}: one of {', '.join(map(repr, self.tags[tag]))} is needed")
        return Expr("noun", (E(values[name]) for name in names), (self.name, tuple(str(words[tag]) for tag in self.tags)))

    @property
    def nonnegative(self) -> bool:
        return self.low is not None and self.low >= 0

    def json(self) -> Json:
        return {
            "name": self.name,
            "slots": [list(slot) for slot in self.slots],
            "tags": [[tag, list(words)] for tag, words in self.tags.items()],
            "sort": self.sort,
            "domain": [condition.json() for condition in self.domain],
            "low": None if self.low is None else str(self.low),
            "high": None if self.high is None else str(self.high),
            "means": self.means,
        }

    @property
    def sha256(self) -> str:
        return digest(self.json())


def objects(names: Iterable[str]) -> tuple[Expr, ...]:
    """Symbols that stand for objects; their sort is said where they are declared."""
    return tuple(symbol(name) for name in names)
