"""Formulas made of inner products, compared in every dimension at once: vectors are names, and only <u, v> is known of two.

A formula that reaches for a coordinate, or for anything but sums, multiples, inner products and the Euclidean norm, is not
expressed: nothing is concluded about it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy

from dpsco.spec.claim import Claim
from dpsco.spec.domain import Vectors, nonnegative, positive
from dpsco.spec.numbers import Real, names_of

Formula = Callable[..., Real]


class Direction:
    """A linear combination of named vectors."""

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self.parts = dict(parts)

    def __add__(self, other: "Direction") -> "Direction":
        if not isinstance(other, Direction):
            return NotImplemented
        names = dict.fromkeys((*self.parts, *other.parts))
        return Direction({name: self.parts.get(name, 0) + other.parts.get(name, 0) for name in names})

    def __mul__(self, factor: Any) -> "Direction":
        if isinstance(factor, Direction):
            return NotImplemented
        return Direction({name: part * factor for name, part in self.parts.items()})

    __rmul__ = __mul__

    def __truediv__(self, factor: Any) -> "Direction":
        return self * (1 / sympy.sympify(factor))

    def __neg__(self) -> "Direction":
        return self * -1

    def __sub__(self, other: "Direction") -> "Direction":
        return self + -other

    def __rsub__(self, other: Any) -> "Direction":
        return -self + other


class InnerProducts:
    """The part of a number context that is the same in every dimension. A vector is a sequence of one `Direction`."""

    def real(self, value: object) -> Any:
        return sympy.Rational(str(value))

    def frac(self, numerator: int, denominator: int) -> Any:
        return sympy.Rational(numerator, denominator)

    def dot(self, u: Any, v: Any) -> Any:
        (a,), (b,) = u, v
        return sum(x * y * product(s, t) for s, x in a.parts.items() for t, y in b.parts.items())

    def norm(self, vector: Any, p: Any = 2) -> Any:
        if p != 2:
            raise TypeError(f"the l_{p} norm is no function of inner products")
        return sympy.sqrt(sympy.expand(self.dot(vector, vector)))

    def sqrt(self, x: Any) -> Any:
        return sympy.sqrt(x)

    def abs(self, x: Any) -> Any:
        return sympy.Abs(x)


def product(u: str, v: str) -> Any:
    """The symbol <u, v>."""
    first, second = sorted((u, v))
    return sympy.Symbol(f"<{first},{second}>", real=True, nonnegative=True if u == v else None)


def scalar(claim: Claim, name: str) -> Any:
    """The symbol of a number, with the sign that its domain gives it."""
    domain = claim.parameter(name).domain
    return sympy.Symbol(
        name, real=True, positive=domain == positive or None, nonnegative=domain in (positive, nonnegative) or None
    )


def expressed(claim: Claim, formula: Formula, **renamed: str) -> Any:
    """The formula over inner products, expanded; None where it is not made of them. `renamed` puts vectors in others' place."""
    values: dict[str, Any] = {}
    for name in names_of(formula):
        try:
            is_vector = isinstance(claim.parameter(name).domain, Vectors)
        except KeyError:
            return None
        values[name] = [Direction({renamed.get(name, name): sympy.Integer(1)})] if is_vector else scalar(claim, name)
    try:
        return sympy.expand(formula(InnerProducts(), **values))
    except (TypeError, ValueError, AttributeError, IndexError):
        return None


def combination(difference: Any, parts: Sequence[Any]) -> tuple[Any, ...] | None:
    """Nonnegative numbers with which the parts add up to the difference, as polynomials; None if there are none."""
    weights = sympy.symbols(f"weight:{len(parts)}") if parts else ()
    rest = sympy.expand(difference - sum(w * p for w, p in zip(weights, parts, strict=True)))
    if rest == 0:
        return ()
    symbols = sorted(rest.free_symbols - set(weights), key=str)
    if not symbols:
        return None
    found = sympy.linsolve(sympy.Poly(rest, *symbols).coeffs(), *weights) if weights else sympy.EmptySet
    for solution in found:
        values = tuple(sympy.sympify(w).subs(dict.fromkeys(weights, 0)) for w in solution)
        if all(w.is_number and w >= 0 for w in values):
            return values
    return None


def affine_in(expression: Any, vector: str) -> bool:
    """Whether the expression is of degree at most one in a vector: no square of it, no product of two of its inner products."""
    own = [s for s in expression.free_symbols if vector in str(s).strip("<>").split(",")]
    square = product(vector, vector)
    return square not in own and (not own or sympy.Poly(expression, *own).total_degree() <= 1)
