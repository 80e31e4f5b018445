"""Functions of a norm and their Fenchel conjugates: exact slopes and curvature on cells, and the conjugate read off the slope.

For phi(x) = f(|x|) with f convex and not decreasing on [0, inf), f'(0) = 0: phi*(y) = f*(|y|), and f*(f'(x)) = x f'(x) - f(x).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy

from dpsco.arguments.cells import UndecidedError, cells
from dpsco.arguments.formula import apply
from dpsco.spec.losses.moreau import generalised as table
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

Formula = Callable[..., Real]
A, BETA, X = sympy.symbols("a beta x", positive=True)
SYMBOLS = {"p": 1 + A, "q": (1 + A) / A, "beta": BETA}
"""Exponents with 1/p + 1/q = 1 and p, q > 0, so p > 1; the smoothness."""
PIECES = {"huber": (X / (1 + X), 1 + X)}
"""Cells of |x| between the joints of a function; one cell, all of (0, inf), for the others."""
NAMES = ("energy", "squared_norm", "huber", "hellinger")
OWN = {name: getattr(table, name) for name in NAMES}

RADIAL = Lemma(
    "functions of the norm",
    "Let phi(x) = f(|x|), f convex and not decreasing on [0, inf) with f'(0) = 0. By Cauchy-Schwarz phi*(y) is the supremum "
    "of |y| t - f(t) over t >= 0, in every dimension; where |y| = f'(x) it is attained at t = x. At an end of the range of "
    "f' that is not attained it is the limit, beyond it phi* is infinite. phi is continuously differentiable if f' is "
    "continuous; its Hessian has the eigenvalues f''(|x|) and f'(|x|)/|x|, so that its smoothness is their supremum; it is "
    "strictly convex if and only if f is and rises strictly.",
)
DUALITY = Lemma(
    "duality",
    "A convex function that is finite everywhere is b-smooth if and only if its conjugate is 1/b-strongly convex (on its "
    "domain): the best constants are reciprocal.",
)


@dataclass(frozen=True)
class Radial:
    """A function of the norm on the cells of its argument: places, values, slopes f', second derivatives f''."""

    places: tuple[Any, ...]
    values: tuple[Any, ...]
    slopes: tuple[Any, ...]
    bends: tuple[Any, ...]

    @property
    def continuous(self) -> bool:
        """f and f' join between the cells, and f' starts at 0."""
        starts = sympy.limit(self.slopes[0], X, 0) == 0
        return starts and all(
            sympy.simplify(sympy.limit(of[0], X, sympy.oo) - sympy.limit(of[1], X, 0)) == 0
            for of in (self.values, self.slopes)
            if len(of) == 2
        )

    @property
    def convex(self) -> bool:
        return self.continuous and all(bend.is_nonnegative for bend in self.bends)

    @property
    def strictly_convex(self) -> bool:
        return self.continuous and all(part.is_positive for part in (*self.bends, *self.slopes))

    @property
    def range_ends(self) -> Any:
        """The supremum of f'."""
        return sympy.limit(self.slopes[-1], X, sympy.oo)

    def smoothness_is(self, constant: Any) -> bool:
        """Whether the least constant of smoothness is this one: no eigenvalue beyond it, and it is met as |x| -> 0."""
        eigenvalues = [*self.bends, *(s / t for s, t in zip(self.slopes, self.places, strict=True))]
        below = all(sympy.factor(constant - value).is_nonnegative or below_by_limit(constant, value) for value in eigenvalues)
        return below and sympy.limit(self.slopes[0] / self.places[0], X, 0) == constant


def below_by_limit(constant: Any, value: Any) -> bool:
    """Whether a value falls in X from at most the constant."""
    falls = sympy.factor(sympy.simplify(sympy.diff(value, X))).is_nonpositive
    return bool(falls) and sympy.limit(value, X, 0) == constant


@lru_cache(128)
def radial(formula: Formula, name: str, exponent: int | None = None) -> Radial | None:
    """A printed function of |x| on its cells, for any beta, and any p > 1 or the one given; None if a case is undecided."""
    symbols = SYMBOLS if exponent is None else {**SYMBOLS, "p": sympy.Integer(exponent), "q": sympy.Integer(exponent)}
    places = PIECES.get(name, (X,))
    try:
        values = tuple(simple(put(formula, {"x_norm": place, **symbols})) for place in places)
    except UndecidedError:
        return None
    slopes = tuple(simple(sympy.diff(f, X) / sympy.diff(x, X)) for f, x in zip(values, places, strict=True))
    bends = tuple(simple(sympy.diff(s, X) / sympy.diff(x, X)) for s, x in zip(slopes, places, strict=True))
    return Radial(places, values, slopes, bends)


def simple(expression: Any) -> Any:
    return sympy.factor(sympy.simplify(expression))


def put(formula: Formula, values: dict[str, Any]) -> Any:
    """The formula with its own arguments taken from the values, over the context of cells."""
    return sympy.sympify(apply(formula, cells(), values))


@lru_cache(128)
def is_conjugate(function: Formula, conjugate: Formula, name: str) -> bool:
    """Whether a printed conjugate is the one of a printed function, for every y in the closed range of f'."""
    found = radial(function, name)
    if found is None or not found.convex:
        return False
    at_slopes = [
        simple(put(conjugate, {"y_norm": s, **SYMBOLS}) - (x * s - f))
        for x, f, s in zip(found.places, found.values, found.slopes, strict=True)
    ]
    at_start = put(conjugate, {"y_norm": sympy.Integer(0), **SYMBOLS}) + sympy.limit(found.values[0], X, 0)
    return (
        all(sympy.simplify(rest) == 0 for rest in at_slopes) and sympy.simplify(at_start) == 0 and meets_end(found, conjugate)
    )


def meets_end(found: Radial, conjugate: Formula) -> bool:
    """At the supremum of f', where it is finite: the limit of the objective along the function."""
    end = found.range_ends
    if end is sympy.oo:
        return True
    limit = sympy.limit(sympy.simplify(found.places[-1] * end - found.values[-1]), X, sympy.oo)
    return bool(sympy.simplify(put(conjugate, {"y_norm": end, **SYMBOLS}) - limit) == 0)


def is_own(formula: Formula, name: str) -> bool:
    """Whether a printed function is the table's."""
    printed, own = radial(formula, name), radial(OWN[name], name)
    return (
        printed is not None
        and own is not None
        and all(sympy.simplify(a - b) == 0 for a, b in zip(printed.values, own.values, strict=True))
    )


def own_slope(name: str) -> Formula:
    """f' in closed form, for enclosures at points."""

    def energy(m: Numbers, x_norm: Real, p: Real) -> Real:
        return x_norm ** (p - 1)

    def squared_norm(m: Numbers, x_norm: Real, beta: Real) -> Real:
        return m.real(1) * beta * x_norm

    def huber(m: Numbers, x_norm: Real, beta: Real) -> Real:
        return beta * m.min(x_norm, m.real(1))

    def hellinger(m: Numbers, x_norm: Real, beta: Real) -> Real:
        return beta * x_norm / m.sqrt(1 + x_norm**2)

    return {"energy": energy, "squared_norm": squared_norm, "huber": huber, "hellinger": hellinger}[name]
