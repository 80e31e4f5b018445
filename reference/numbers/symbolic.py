"""sympy as a number context: a formula becomes an expression, from which its LaTeX, exact proofs and mutants come."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from typing import Any

import sympy

from dpsco.spec.domain import Integers, Interval, Parameter
from dpsco.spec.numbers import Numbers, Real, Truth, names_of

GREEK = {"lambda_": "lambda", "R_": "R"}
"""Parameter names that are not their symbol's name (Python keywords, names taken by formulas)."""


class SymbolicNumbers:
    """Expressions. Symbols are real and positive unless said otherwise, so that square roots simplify."""

    def __init__(self) -> None:
        self.pi, self.e, self.inf = sympy.pi, sympy.E, sympy.oo
        self.sqrt, self.exp, self.log, self.sin, self.cos = sympy.sqrt, sympy.exp, sympy.log, sympy.sin, sympy.cos
        self.tanh, self.erf, self.erfc, self.gamma = sympy.tanh, sympy.erf, sympy.erfc, sympy.gamma
        self.lgamma, self.polylog, self.floor, self.ceil = sympy.loggamma, sympy.polylog, sympy.floor, sympy.ceiling
        self.abs, self.max, self.min, self.binomial = sympy.Abs, sympy.Max, sympy.Min, sympy.binomial
        self.lt, self.le, self.gt, self.ge, self.eq = sympy.Lt, sympy.Le, sympy.Gt, sympy.Ge, sympy.Eq
        self.all, self.any, self.no = sympy.And, sympy.Or, sympy.Not
        self.Phi, self.phi = sympy.Function("Phi"), sympy.Function("varphi")

    def real(self, value: object) -> Real:
        if isinstance(value, sympy.Basic):
            return value
        return sympy.oo if value == "inf" else -sympy.oo if value == "-inf" else sympy.Rational(Fraction(str(value)))

    def frac(self, numerator: int, denominator: int) -> Real:
        return sympy.Rational(numerator, denominator)

    def expm1(self, x: Real) -> Real:
        return sympy.exp(x) - 1

    def log1p(self, x: Real) -> Real:
        return sympy.log(1 + x)

    def sum(self, term: Callable[[Real], Real], low: Real, high: Real) -> Real:
        k = sympy.Dummy("k", integer=True)
        return sympy.Sum(term(k), (k, low, high))

    def integral(self, integrand: Callable[[Real], Real], low: Real, high: Real) -> Real:
        v = sympy.Dummy("v", real=True)
        return sympy.Integral(integrand(v), (v, low, high))

    def where(self, condition: Truth, yes: Real, no: Real) -> Real:
        return sympy.Piecewise((yes, condition), (no, True))

    def norm(self, vector: Any, p: Real = 2) -> Real:
        return (
            sympy.Max(*map(sympy.Abs, vector))
            if p == sympy.oo
            else sum(sympy.Abs(x) ** p for x in vector) ** (1 / sympy.sympify(p))
        )

    def dot(self, u: Any, v: Any) -> Real:
        return sum(a * b for a, b in zip(u, v, strict=True))


@cache
def symbolic() -> Numbers:
    """The symbolic context."""
    return SymbolicNumbers()


def symbol(parameter: Parameter) -> Real:
    """The parameter as a symbol that knows its sign from the parameter's domain, and nothing that the domain does not say."""
    name, domain = GREEK.get(parameter.name, parameter.name), parameter.domain
    low = (
        Fraction(domain.low) if isinstance(domain, Integers) or (isinstance(domain, Interval) and domain.low != "-inf") else -1
    )
    if low > 0 or (low == 0 and isinstance(domain, Interval) and domain.low_open):
        return sympy.Symbol(name, positive=True)
    return sympy.Symbol(name, nonnegative=True) if low == 0 else sympy.Symbol(name, real=True)


def symbols_of(parameters: Iterable[Parameter]) -> dict[str, Real]:
    """Each parameter's `symbol`, by its name."""
    return {parameter.name: symbol(parameter) for parameter in parameters}


def expression(formula: Callable[..., Real], parameters: Iterable[Parameter] | None = None, **given: object) -> Real:
    """The formula as a sympy expression in its own arguments; `given` fixes some (a kernel's name, a vector of symbols).

    With `parameters` each symbol has the sign that its domain gives it. Without, every argument is taken to be positive:
    only for formulas whose every argument is.
    """
    known = {} if parameters is None else {p.name: p for p in parameters}
    names = names_of(formula)
    values = {
        name: given[name]
        if name in given
        else symbol(known[name])
        if name in known
        else sympy.Symbol(GREEK.get(name, name), positive=True)
        for name in names
    }
    return formula(symbolic(), **values)
