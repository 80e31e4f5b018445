"""The number context: the one argument that a formula gets its arithmetic from.

A formula is written once, as an expression (`spec.expressions`), which is called with a context `m` and its symbols' values by
name. With mpmath behind `m` it is the literal reference, with arb a rigorous enclosure, with sympy one of sympy's.

What is no expression (a norm of a vector, a choice by a kernel's name, a case) is a function whose first argument is the
context. Inside it use the operators + - * / ** on numbers, Python integers as literals, `m.frac(5, 4)` for 1.25, and the
methods below for everything else; never a Python float (sympy and arb would take its binary error for meant) and never the
math module.
"""

from collections.abc import Callable
from functools import lru_cache
from inspect import signature
from typing import Any, Protocol, TypeAlias

Real: TypeAlias = Any
"""A number of the context in use: mpf, arb, sympy expression."""

Truth: TypeAlias = Any
"""True, False, or None for undecided; a sympy Boolean when the context is symbolic."""


@lru_cache(maxsize=4096)  # a formula is asked at thousands of values
def names_of(formula: Callable[..., Any]) -> tuple[str, ...]:
    """Names of the values that a formula, or a condition's test, takes behind its context."""
    return tuple(signature(formula).parameters)[1:]


class Numbers(Protocol):
    """What a formula may ask of its arithmetic."""

    pi: Real
    e: Real
    inf: Real

    def real(self, value: object) -> Real:
        """A number from an int, a Fraction, a decimal string ("0.1" is one tenth), or a float (its exact binary value)."""

    def frac(self, numerator: int, denominator: int) -> Real:
        """An exact rational."""

    def sqrt(self, x: Real) -> Real: ...
    def exp(self, x: Real) -> Real: ...
    def expm1(self, x: Real) -> Real: ...
    def log(self, x: Real) -> Real: ...
    def log1p(self, x: Real) -> Real: ...
    def sin(self, x: Real) -> Real: ...
    def cos(self, x: Real) -> Real: ...
    def tanh(self, x: Real) -> Real: ...
    def erf(self, x: Real) -> Real: ...
    def erfc(self, x: Real) -> Real: ...
    def gamma(self, x: Real) -> Real: ...
    def lgamma(self, x: Real) -> Real: ...
    def polylog(self, s: int, x: Real) -> Real: ...
    def floor(self, x: Real) -> Real: ...
    def ceil(self, x: Real) -> Real: ...
    def abs(self, x: Real) -> Real: ...
    def max(self, *xs: Real) -> Real: ...
    def min(self, *xs: Real) -> Real: ...

    def Phi(self, x: Real) -> Real:
        """Distribution function of N(0, 1), computed without cancellation in the lower tail."""

    def phi(self, x: Real) -> Real:
        """Density of N(0, 1)."""

    def binomial(self, n: Real, k: Real) -> Real:
        """n choose k."""

    def sum(self, term: Callable[[Real], Real], low: Real, high: Real) -> Real:
        """Sum of term(k) over the integers low <= k <= high (both finite outside the symbolic context)."""

    def integral(self, integrand: Callable[[Real], Real], low: Real, high: Real) -> Real:
        """Integral over [low, high]; arb encloses it rigorously for an analytic integrand on a bounded interval only."""

    def where(self, condition: Truth, yes: Real, no: Real) -> Real:
        """yes if condition else no; the union of both where the condition is undecided (both are evaluated)."""

    def norm(self, vector: Any, p: Real = 2) -> Real:
        """l_p norm of a sequence; p may be m.inf."""

    def dot(self, u: Any, v: Any) -> Real: ...

    def lt(self, a: Real, b: Real) -> Truth: ...
    def le(self, a: Real, b: Real) -> Truth: ...
    def gt(self, a: Real, b: Real) -> Truth: ...
    def ge(self, a: Real, b: Real) -> Truth: ...
    def eq(self, a: Real, b: Real) -> Truth: ...

    def all(self, *truths: Truth) -> Truth:
        """Conjunction in three-valued logic."""

    def any(self, *truths: Truth) -> Truth:
        """Disjunction in three-valued logic."""

    def no(self, truth: Truth) -> Truth:
        """Negation in three-valued logic."""
