"""A statement: what a claim says, as data that the kernel checks a proof object against.

For all values of the symbols, of the sorts declared, that meet every condition of `domain`: each of `asserts` holds. Nothing
that a verdict depends on stands outside of these: what ranges over data sets, losses or algorithms is inside the nouns.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dpsco.spec.expressions import SIGNS, Condition, E, Expr, Json, Number, digest
from dpsco.spec.nouns import REAL

ORDERS = ("<=O", ">=Omega", "->")


@dataclass(frozen=True)
class Symbol:
    """A quantity that a statement is about: its sort ("real", "integer" or a kind of object), unit and meaning."""

    name: str
    meaning: str
    sort: str = REAL
    unit: str = "1"


@dataclass(frozen=True)
class Assertion:
    """left sign right.

    < <= = >= >  for all values in the domain
    <=O          there is one constant C >= 0 with left <= C right for all values in the domain
    >=Omega      there is one constant C > 0 with left >= C right for all values in the domain
    ->           left tends to right (which does not contain `along`) as the symbol `along` tends to infinity within the
                 domain, the other symbols fixed; oo is a legal right side
    """

    left: Expr
    sign: str
    right: Expr
    along: str = ""

    def __post_init__(self) -> None:
        if self.sign not in (*SIGNS, *ORDERS) or (self.sign == "->") != bool(self.along):
            raise ValueError(f"sign = {self.sign!r}: one of {', '.join((*SIGNS, *ORDERS))} is needed, -> with its symbol")

    def __str__(self) -> str:
        return f"{self.left!r} {self.sign} {self.right!r}" + (f" as {self.along} -> oo" if self.along else "")

    @property
    def symbols(self) -> frozenset[str]:
        return self.left.symbols | self.right.symbols

    def json(self) -> Json:
        return [self.left.json(), self.sign, self.right.json(), *([self.along] if self.along else [])]


def asserted(given: Condition | Assertion) -> Assertion:
    return given if isinstance(given, Assertion) else Assertion(given.left, given.sign, given.right)


def bounded_by(left: Number, right: Number) -> Assertion:
    """left = O(right), uniformly over the domain."""
    return Assertion(E(left), "<=O", E(right))


def at_least_order(left: Number, right: Number) -> Assertion:
    """left = Omega(right), uniformly over the domain."""
    return Assertion(E(left), ">=Omega", E(right))


def tends(left: Number, right: Number, along: Expr) -> Assertion:
    return Assertion(E(left), "->", E(right), along.value)


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One statement of a paper, or the amendment of one."""

    id: str
    title: str
    source: str
    says: str
    """The statement in our own words."""
    symbols: tuple[Symbol, ...]
    domain: tuple[Condition, ...]
    """Ranges of the symbols and preconditions; each is defined where those before it hold."""
    asserts: tuple[Assertion, ...]
    steps: tuple[Assertion, ...] = ()
    """Links of the printed proof; a false one breaks the proof and leaves the statement as it is."""
    inside: Mapping[str, Expr] = field(default_factory=dict)
    """An instance that meets every condition, so that no statement is empty unnoticed."""
    outside: tuple[Mapping[str, Expr], ...] = ()
    """For each condition an instance that does not meet it."""
    uses: tuple[str, ...] = ()
    """Ids of the statements that the printed proof uses."""
    amends: str | None = None
    note: str = ""

    def __post_init__(self) -> None:
        names = [symbol.name for symbol in self.symbols]
        if len({*names}) != len(names):
            raise ValueError(f"{self.id}: a symbol is declared twice among {', '.join(names)}")
        sides: tuple[Condition | Assertion, ...] = (*self.domain, *self.asserts, *self.steps)
        strange = frozenset().union(*(side.symbols for side in sides)) - {*names}
        if strange:
            raise ValueError(f"{self.id}: {', '.join(sorted(strange))} is not declared")
        if not self.asserts:
            raise ValueError(f"{self.id}: nothing is asserted")
        if self.inside.keys() != {*names} or any(value.symbols for value in self.inside.values()):
            raise ValueError(f"{self.id}: inside gives a number to each of {', '.join(names)} and to nothing else")
        if len(self.outside) != len(self.domain):
            raise ValueError(f"{self.id}: {len(self.domain)} conditions, {len(self.outside)} instances outside")

    @property
    def nouns(self) -> frozenset[str]:
        """Names of the nouns that it speaks of."""
        sides: tuple[Condition | Assertion, ...] = (*self.domain, *self.asserts, *self.steps)
        instances = (value for instance in (self.inside, *self.outside) for value in instance.values())
        return frozenset(name for c in sides for side in (c.left, c.right) for name in side.nouns).union(
            *(value.nouns for value in instances)
        )

    def moved(self, **values: Number) -> dict[str, Expr]:
        """The instance inside, with some symbols moved."""
        if strange := values.keys() - self.inside.keys():
            raise ValueError(f"{self.id} has no symbol {', '.join(sorted(strange))}")
        return {**self.inside, **{name: E(value) for name, value in values.items()}}

    def json(self) -> Json:
        return {
            "id": self.id,
            "title": self.title,
            "source": self.source,
            "says": self.says,
            "symbols": [[symbol.name, symbol.sort, symbol.unit, symbol.meaning] for symbol in self.symbols],
            "domain": [condition.json() for condition in self.domain],
            "asserts": [assertion.json() for assertion in self.asserts],
            "steps": [assertion.json() for assertion in self.steps],
            "inside": _instance(self.inside),
            "outside": [_instance(values) for values in self.outside],
            "uses": sorted(self.uses),
            "amends": self.amends,
            "note": self.note,
        }

    @property
    def sha256(self) -> str:
        return digest(self.json())


def _instance(values: Mapping[str, Expr]) -> Json:
    return {name: value.json() for name, value in sorted(values.items())}


def statement(
    id: str,
    title: str,
    *asserts: Condition | Assertion,
    source: str,
    symbols: tuple[Symbol, ...],
    domain: Mapping[Condition, Mapping[str, Number]],
    inside: Mapping[str, Number],
    steps: tuple[Condition | Assertion, ...] = (),
    **more: Any,
) -> Statement:
    """A statement written short: `domain` gives to each condition what of `inside` moves out of it."""
    within = {name: E(value) for name, value in inside.items()}
    return Statement(
        id=id,
        title=title,
        source=source,
        symbols=symbols,
        domain=tuple(domain),
        asserts=tuple(map(asserted, asserts)),
        steps=tuple(map(asserted, steps)),
        inside=within,
        outside=tuple(within | {name: E(value) for name, value in moved.items()} for moved in domain.values()),
        says=more.pop("says", title),
        **more,
    )
