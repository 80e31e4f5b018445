"""Formulas made of dot products, in every dimension at once: is one side at least the other because decisions are optimal?

A vector is opaque: it can be added, multiplied by a number, and dotted with another, nothing else. So a formula becomes a
polynomial of degree one in the products <u, v> of named vectors, and an identity between two of them holds in every dimension.
A relation is proved where right - left is a sum of known nonnegative expressions with positive rational coefficients, plus any
combination of expressions that vanish.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import sympy

from dpsco.arguments.formula import apply
from dpsco.spec.numbers import Real

MOST_FACTS = 3
"""Facts in one proof: an argument that needs more is not one step."""


@dataclass(frozen=True)
class Linear:
    """A combination of named vectors, standing for any one of its coordinates: it has no value."""

    parts: Mapping[str, Fraction]

    def __add__(self, other: "Linear") -> "Linear":
        if not isinstance(other, Linear):
            return NotImplemented
        names = {**self.parts, **other.parts}
        return Linear({name: self.parts.get(name, Fraction(0)) + other.parts.get(name, Fraction(0)) for name in names})

    def __mul__(self, factor: object) -> "Linear":
        if not isinstance(factor, int | Fraction | sympy.Rational):
            return NotImplemented
        return Linear({name: Fraction(str(factor)) * share for name, share in self.parts.items()})

    __rmul__ = __mul__

    def __neg__(self) -> "Linear":
        return self * -1

    def __sub__(self, other: "Linear") -> "Linear":
        return self + (-other)


class DotProducts:
    """The number context of such formulas: constants and dot products, and no other operation."""

    def real(self, value: object) -> Real:
        return sympy.Rational(Fraction(str(value)))

    def frac(self, numerator: int, denominator: int) -> Real:
        return sympy.Rational(numerator, denominator)

    def dot(self, u: Iterable[Linear], v: Iterable[Linear]) -> Real:
        (a,), (b,) = u, v
        terms = ((x, y, s * t) for x, s in a.parts.items() for y, t in b.parts.items())
        return sum((sympy.Rational(share) * product(x, y) for x, y, share in terms), start=sympy.Integer(0))


def product(u: str, v: str) -> Any:
    """The symbol of <u, v>."""
    return sympy.Symbol(".".join(sorted((u, v))), real=True)


def vector(**parts: int) -> Linear:
    """A combination of named vectors: vector(c=1, c_hat=-2)."""
    return Linear({name: Fraction(share) for name, share in parts.items()})


def along(direction: Linear, point: str) -> Any:
    """<direction, point>."""
    return DotProducts().dot([direction], [vector(**{point: 1})])


def expressed(formula: Callable[..., Real], names: Iterable[str]) -> Any | None:
    """The formula in dot products of these named vectors; None where it is not made of them."""
    try:
        found = apply(formula, DotProducts(), {name: [vector(**{name: 1})] for name in names})  # type: ignore[arg-type]
        return sympy.expand(found)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


@dataclass(frozen=True)
class Facts:
    """Expressions in dot products that are nonnegative, and that vanish."""

    nonnegative: tuple[Any, ...]
    zero: tuple[Any, ...] = ()

    def mapped(self, change: Callable[[Any], Any]) -> "Facts":
        """The same after a substitution that keeps their signs (an expectation)."""
        return Facts(*(tuple(sympy.expand(change(x)) for x in part) for part in (self.nonnegative, self.zero)))


def optimality(minimised: Mapping[str, Sequence[Linear]], points: Sequence[str]) -> Facts:
    """What it says that each point named in `minimised` is best in S for its directions, all points being of S."""
    facts = [
        along(direction, other) - along(direction, best)
        for best, directions in minimised.items()
        for direction in directions
        for other in points
        if other != best
    ]
    return Facts(tuple(dict.fromkeys(facts)), tuple(dict.fromkeys(_ties(minimised))))


def _ties(minimised: Mapping[str, Sequence[Linear]]) -> Iterator[Any]:
    """Two points that are best for one direction have the same value."""
    for (one, these), (other, those) in combinations(minimised.items(), 2):
        for direction in these:
            if direction in those:
                yield along(direction, one) - along(direction, other)


def follows(left: Any, sign: str, right: Any, facts: Facts) -> str | None:
    """How `left sign right` follows from the facts, as a sum; None where no such sum is found.

    Domain   sign "=", "<=" or ">="; another one is not proved
    """
    if sign not in ("=", "<=", ">="):
        return None
    gap = sympy.expand(left - right if sign == ">=" else right - left)
    for size in range(1 if sign == "=" else MOST_FACTS + 1):
        for chosen in combinations(facts.nonnegative, size):
            shares = _shares(gap, [*chosen, *facts.zero])
            if shares is not None and all(share > 0 for share in shares[:size]):
                parts = [f"{a} ({x})" for a, x in zip(shares, (*chosen, *facts.zero), strict=True) if a != 0]
                return " + ".join(parts) or "both sides are the same"
    return None


def _shares(gap: Any, parts: Sequence[Any]) -> list[Any] | None:
    """Coefficients with which the parts add up to the gap, undetermined ones 0; None if there are none."""
    unknown = sympy.symbols(f"a:{len(parts)}") if parts else ()
    rest = sympy.expand(gap - sum((a * x for a, x in zip(unknown, parts, strict=True)), start=sympy.Integer(0)))
    symbols = sorted((gap + sum(parts, start=sympy.Integer(0))).free_symbols | _all_symbols(parts), key=str)
    equations = sympy.Poly(rest, *symbols).coeffs() if symbols else [rest]
    if not parts:
        return [] if all(e == 0 for e in equations) else None
    solutions = sympy.linsolve(equations, *unknown)
    if not solutions:
        return None
    return [sympy.expand(share).subs(dict.fromkeys(unknown, 0)) for share in next(iter(solutions))]


def _all_symbols(parts: Sequence[Any]) -> set[Any]:
    return set().union(*(x.free_symbols for x in parts)) if parts else set()
