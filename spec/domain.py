"""Parameters and the sets they range over.

A domain answers `contains(m, value)` with True, False or None (undecided), and carries one value inside and one outside,
so that every domain can be tested.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Protocol

from dpsco.spec.expressions import Expr, symbol
from dpsco.spec.numbers import Numbers, Truth
from dpsco.spec.operand import Operand


class Domain(Protocol):
    """A set of values of one parameter."""

    @property
    def inside(self) -> object: ...
    @property
    def outside(self) -> object: ...
    def contains(self, m: Numbers, value: object) -> Truth: ...
    def __str__(self) -> str: ...


@dataclass(frozen=True)
class Interval:
    """Real numbers between two ends, each a decimal string ("-inf" and "inf" for none), open or closed."""

    low: str = "-inf"
    high: str = "inf"
    low_open: bool = True
    high_open: bool = True

    @property
    def inside(self) -> object:
        match self.low, self.high:
            case "-inf", "inf":
                return "0"
            case "-inf", high:
                return str(float(high) - 1)
            case low, "inf":
                return str(float(low) + 1)
            case low, high:
                return str((float(low) + float(high)) / 2)

    @property
    def outside(self) -> object:
        if self.low != "-inf":
            return self.low if self.low_open else str(float(self.low) - 1)
        if self.high != "inf":
            return self.high if self.high_open else str(float(self.high) + 1)
        return "not a number"

    def contains(self, m: Numbers, value: object) -> Truth:
        if isinstance(value, str) and value == self.outside == "not a number":
            return False
        x, low, high = m.real(value), m.real(self.low), m.real(self.high)
        return m.all(
            m.gt(x, low) if self.low_open else m.ge(x, low),
            m.lt(x, high) if self.high_open else m.le(x, high),
        )

    def __str__(self) -> str:
        return f"{'(' if self.low_open else '['}{self.low}, {self.high}{')' if self.high_open else ']'}"


@dataclass(frozen=True)
class Integers:
    """Integers from `low` up to `high` (None: no upper end)."""

    low: int = 1
    high: int | None = None

    @property
    def inside(self) -> object:
        return self.low

    @property
    def outside(self) -> object:
        return self.low - 1

    def contains(self, m: Numbers, value: object) -> Truth:
        x = m.real(value)
        below = True if self.high is None else m.le(x, m.real(self.high))
        return m.all(m.eq(m.floor(x), x), m.ge(x, m.real(self.low)), below)

    def __str__(self) -> str:
        return f"{{{self.low}, {self.low + 1}, ...{'' if self.high is None else f', {self.high}'}}}"


@dataclass(frozen=True)
class Choice:
    """One of finitely many names."""

    names: tuple[str, ...]

    @property
    def inside(self) -> object:
        return self.names[0]

    @property
    def outside(self) -> object:
        return "none of these"

    def contains(self, m: Numbers, value: object) -> Truth:
        return value in self.names

    def __str__(self) -> str:
        return "{" + ", ".join(self.names) + "}"


@dataclass(frozen=True)
class Vectors:
    """Finite sequences of reals whose entries lie in `entry`; `size` names the parameter that is their length."""

    size: str = "d"
    entry: Domain = Interval()

    @property
    def inside(self) -> object:
        return (self.entry.inside, self.entry.inside)

    @property
    def outside(self) -> object:
        return (self.entry.inside, self.entry.outside)

    def contains(self, m: Numbers, value: object) -> Truth:
        if not isinstance(value, Sequence) or isinstance(value, str):
            return False
        return m.all(*(self.entry.contains(m, x) for x in value))

    def __str__(self) -> str:
        return f"{self.entry}^{self.size}"


@dataclass(frozen=True)
class Parameter(Operand):
    """A named quantity of a claim: what it means, where it lives, in which unit ("1": dimensionless).

    In a formula it stands for its symbol.
    """

    name: str
    meaning: str
    domain: Domain
    unit: str = "1"

    @property
    def expression(self) -> Expr:
        return symbol(self.name)

    def within(self, domain: Domain) -> "Parameter":
        """The same quantity on another domain, as a paper restricts it."""
        return replace(self, domain=domain)

    def means(self, meaning: str) -> "Parameter":
        """The same name and domain with a meaning of its own."""
        return replace(self, meaning=meaning)


reals = Interval()
positive = Interval(low="0")
nonnegative = Interval(low="0", low_open=False)
open_unit = Interval("0", "1")
closed_unit = Interval("0", "1", low_open=False, high_open=False)
naturals = Integers(1)


def within(narrow: Domain, wide: Domain) -> bool:
    """Whether every value of one domain is known to lie in the other; False where that is not clear."""
    if narrow == wide:
        return True
    match narrow, wide:
        case Choice(names), Choice(others):
            return set(names) <= set(others)
        case Vectors(size, entry), Vectors(other_size, other_entry):
            return size == other_size and within(entry, other_entry)
        case Integers(low, high), Integers(other_low, other_high):
            return low >= other_low and (other_high is None or (high is not None and high <= other_high))
        case Integers(low, high), Interval():
            return within(Interval(str(low), "inf" if high is None else str(high), False, high is None), wide)
        case Interval(), Interval():
            lows, highs = ((Decimal(a), Decimal(b)) for a, b in ((narrow.low, wide.low), (narrow.high, wide.high)))
            starts = lows[0] > lows[1] or (lows[0] == lows[1] and (narrow.low_open or not wide.low_open))
            stops = highs[0] < highs[1] or (highs[0] == highs[1] and (narrow.high_open or not wide.high_open))
            return starts and stops
    return False
