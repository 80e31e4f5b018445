"""Instances of a statement, drawn from its domain, and what of the domain they cover.

A symbol takes usual values, both ends of its range, and the numbers that its conditions compare it with, on both sides of them;
a condition that bounds a symbol by others is also met at its threshold, with nothing to spare.
"""

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from mpmath import isfinite

from dpsco.reference.numbers.mp import mp
from dpsco.spec.expressions import Condition, E, Expr
from dpsco.spec.nouns import INTEGER
from dpsco.spec.statement import Statement
from dpsco.verify.edits import meets

Instance = Mapping[str, Expr]

USUAL = tuple(map(Fraction, ("1e-40", "1e-6", "1e-3", "1/10", "1/3", "1/2", "9/10", "999/1000", "1", "3/2", "2", "8", "40")))
WHOLE = tuple(map(Fraction, (1, 2, 3, 9, 100)))
NEAR = Fraction(1001, 1000)
DRAWS = 200
NUMBERS = mp(30)
ROOM = 1e-20
RATIONAL: Mapping[str, Callable[..., Any]] = {
    "+": operator.add,
    "*": operator.mul,
    "/": operator.truediv,
    "^": operator.pow,
    "abs": abs,
    "max": max,
    "min": min,
}


def _real(value: Any) -> bool:
    return hasattr(value, "_mpf_") and bool(isfinite(value))


@cache
def number(value: Expr) -> Any:
    """A value without symbols, to 30 digits; None where it has none."""
    try:
        found = value(NUMBERS)
    except (ZeroDivisionError, ValueError, TypeError, OverflowError):
        return None
    return found if _real(found) else None


def sides(condition: Condition, at: Instance) -> tuple[Any, Any] | None:
    """Both sides of a condition without quantities, its sign upward; None where one has no value."""
    up, found = condition.upward, []
    for side in (up.left, up.right):
        values = {name: number(at[name]) for name in side.symbols}
        try:
            found.append(side(NUMBERS, **values))
        except (ZeroDivisionError, ValueError, TypeError, OverflowError):
            return None
    return (found[0], found[1]) if all(map(_real, found)) else None


def exact(e: Expr, at: Instance) -> Fraction | None:
    """The value where it is a quotient of whole numbers by the operations that are written; None elsewhere."""
    if e.op == "num":
        return Fraction(e.value)
    if e.op == "sym":
        return exact(at[e.value], {})
    if e.op not in RATIONAL:
        return None
    x = [one for arg in e.args if (one := exact(arg, at)) is not None]
    if len(x) < len(e.args) or (e.op == "/" and x[1] == 0):
        return None
    if e.op == "^" and (x[1].denominator != 1 or abs(x[1]) > 64 or (x[0] == 0 and x[1] < 0)):
        return None
    return Fraction(RATIONAL[e.op](*x))


def holds(condition: Condition, at: Instance) -> bool:
    """Whether the condition holds at the instance: exactly, or to 30 digits with room to spare; without a value it does not."""
    up = condition.upward
    left, right = exact(up.left, at), exact(up.right, at)
    if left is not None and right is not None:
        return meets(up, (left, right))
    found = sides(up, at)
    return found is not None and bool(found[1] - found[0] > ROOM * max(map(abs, found)))


def within(domain: Iterable[Condition], at: Instance) -> bool:
    return all(holds(condition, at) for condition in domain)


def values(claim: Statement, name: str, sort: str) -> list[Expr]:
    """The values of one symbol that the conditions on it alone allow."""
    alone = [one for one in claim.domain if one.symbols == {name}]
    compared = {node.value for one in alone for side in (one.left, one.right) for node in side.walk() if node.op == "num"}
    if sort == INTEGER:
        tried = {*WHOLE, *(one for one in compared if one.denominator == 1)}
    else:
        tried = {Fraction(0), *USUAL, *(one * by for one in compared for by in (1, NEAR, 1 / NEAR))}
    both = sorted({one * by for one in tried for by in (1, -1)} | set(_numbers(claim.inside[name])))
    return [E(one) for one in both if within(alone, {name: E(one)})]


def _numbers(value: Expr) -> Iterator[Fraction]:
    if value.op == "num":
        yield value.value


def threshold(condition: Condition, sorts: Mapping[str, str]) -> tuple[str, Expr, Expr] | None:
    """A symbol, the value at which the condition is just met, and a factor that leaves room, where one side is the symbol or
    a power of it.
    """
    if len(condition.symbols) < 2:
        return None
    up = condition.upward
    for one, other, by in ((up.left, up.right, 1 / NEAR), (up.right, up.left, NEAR)):
        base, power = (one.args[0], one.args[1]) if one.op == "^" else (one, E(1))
        if base.op == "sym" and base.value not in other.symbols | power.symbols:
            if sorts[base.value] == INTEGER and up.sign != "=":
                continue
            value = other if power == E(1) else other ** (1 / power)
            return base.value, value, E(by)
    return None


def instances(claim: Statement, most: int = 12) -> list[Instance]:
    """The instance inside, and others of the domain: drawn with a fixed seed, as few that are alike as there can be."""
    sorts = {symbol.name: symbol.sort for symbol in claim.symbols}
    usual = {name: values(claim, name, sort) for name, sort in sorts.items() if sort in ("real", INTEGER)}
    ties = [(one, tie) for one in claim.domain if (tie := threshold(one, sorts)) is not None]
    random = Random(0)
    found: list[Instance] = [dict(claim.inside)] if within(claim.domain, claim.inside) else []
    moved = [{**claim.inside, name: value} for name in usual for value in usual[name]]
    drawn = ({**claim.inside, **{name: random.choice(tried) for name, tried in usual.items() if tried}} for _ in range(DRAWS))
    for at in (*random.sample(moved, min(len(moved), 2 * most)), *drawn):
        if len(found) >= 4 * most:
            break
        for condition, (name, value, room) in ties:
            if random.random() < 0.5 or not holds(condition, at):
                at[name] = value.where(at)
                at[name] = at[name] if holds(condition, at) else at[name] * room
        if at not in found and within(claim.domain, at):
            found.append(at)
    return found[:1] + random.sample(found[1:], min(most - 1, len(found) - 1)) if found else []


@dataclass(frozen=True)
class Covered:
    """What the instances have of one symbol."""

    name: str
    values: int
    """How many different ones."""
    least: str
    most: str


def coverage(claim: Statement, tried: Sequence[Instance]) -> list[Covered]:
    """Of each number that the statement is about, how many values were tried, and between which."""
    found = []
    for symbol in claim.symbols:
        sizes = {size for at in tried if (size := number(at[symbol.name])) is not None}
        if sizes:
            found.append(Covered(symbol.name, len(sizes), *(f"{float(end):.4g}" for end in (min(sizes), max(sizes)))))
    return found
