"""An exhibit: a published failure as plain data, read from the tables in `exhibits/`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import cache
from importlib.resources import files
from typing import Any, Final

TOO_SMALL: Final = "too small"
TOO_LARGE: Final = "too large"
NO_ANSWER: Final = "no answer"
FAILURES: Final = (TOO_SMALL, TOO_LARGE, NO_ANSWER)


@dataclass(frozen=True)
class Exhibit:
    """One failure: who claims what under which relation, why it is false, what is true, and a program that shows the claim."""

    id: str
    library: str
    distribution: str
    """The name under which the library is installed."""
    thread: str
    """The public thread that reported it."""
    cause: str
    """One sentence."""
    kind: str
    """The class of the cause."""
    quantity: str
    """What is claimed, with its parameters."""
    adjacency: str
    """The pairs of data sets that it is claimed for."""
    fails: str
    """In which way the claim differs from the truth."""
    truth: Mapping[str, Mapping[str, Any]]
    """A function of `truths.py` and its arguments."""
    seen_in: str
    """The version of the report."""
    code: str = ""
    """Sets `claimed`, and `seen` where the library's own outputs show the truth; `sound` where it does not fail any more."""
    second: str = ""
    """Sets `second` to the true value (or a bound on it) without the library and without dpsco."""
    origin: str = ""
    """Where the failure, or the number in `told`, is not the thread's own: who found or computed it."""
    design: str = ""
    """Why the maintainers leave it, where they said so."""
    margin: float = 1e-6
    """The relative difference from the truth below which a claim is no failure."""
    limit: int = 60
    """Seconds after which there is no answer."""
    error: str = ""
    """What the library says instead of an answer, in an exhibit that fails by giving none."""
    told: str = ""
    """What is claimed, for a failure that no program here shows: the thread's own number, or else `origin` says whose it is."""

    def failed(self, claimed: str, low: str, high: str) -> bool | None:
        """Whether the claim fails in the exhibit's way against the enclosure [low, high] of the truth.

        None where that is not decided: the program met another error than the exhibit's.
        """
        value = number(claimed)
        if self.fails == NO_ANSWER:
            return True if self.error in claimed else None if value is None else False
        if value is None:
            return None
        a, b, share = Decimal(low), Decimal(high), Decimal(str(self.margin))
        if self.fails == TOO_SMALL:
            return value < a - share * abs(a)
        return value > b + share * abs(b)


@dataclass(frozen=True)
class LeftOut:
    """A thread that reports a failure and is none, or none that could be shown."""

    thread: str
    library: str
    why: str
    truth: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def number(text: str | None) -> Decimal | None:
    """The text as a number; None where it is none (an error's name, or not a number)."""
    try:
        value = Decimal(text or "")
    except InvalidOperation:
        return None
    return None if value.is_nan() else value


@cache
def exhibits() -> dict[str, Exhibit]:
    """Every exhibit by its id, in the order of the files' names and of the tables in them.

    Raises   ValueError for two exhibits of one id, or a way to fail that there is not
    """
    found: dict[str, Exhibit] = {}
    for table in _tables("exhibit"):
        one = Exhibit(**table)
        if one.id in found or one.fails not in FAILURES or len(one.truth) != 1:
            raise ValueError(f"exhibit {one.id}: ids are unique, `fails` is one of {FAILURES}, `truth` names one function")
        if (one.fails == NO_ANSWER) != bool(one.error):
            raise ValueError(f"exhibit {one.id}: `error` is given with fails = {NO_ANSWER!r}, and only then")
        found[one.id] = one
    return found


@cache
def left_out() -> tuple[LeftOut, ...]:
    """The threads that are not exhibits, each with the reason."""
    return tuple(LeftOut(**table) for table in _tables("left_out"))


def _tables(kind: str) -> list[dict[str, Any]]:
    place = files("dpsco.audit.museum") / "exhibits"
    names = sorted(entry.name for entry in place.iterdir() if entry.name.endswith(".toml"))
    found = []
    for name in names:
        read = tomllib.loads((place / name).read_text(encoding="utf-8"))
        shared = read.get("shared", "")  # what every program of the file begins with
        found += [
            {**table, "code": shared + table["code"]} if shared and "code" in table else table for table in read.get(kind, [])
        ]
    return found
