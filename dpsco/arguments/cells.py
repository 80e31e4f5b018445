"""Formulas by cases on cells: their comparisons decided by the signs of coefficients, for every value of positive symbols.

A cell is a set of parameters written with positive symbols, so that every case of a formula is one expression on it: the
levels in [1/2, 1) are (1 + c)/(2 + c), the residuals beyond r h are r h + s. A difference is positive if over a common
denominator all its terms are: nothing is sampled, and what is not decided is not claimed.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache, reduce
from typing import Any

import sympy

from dpsco.reference.numbers.symbolic import SymbolicNumbers
from dpsco.spec.claim import Claim
from dpsco.spec.domain import open_unit, positive, reals
from dpsco.spec.numbers import Numbers, Real

C = sympy.Symbol("c", nonnegative=True)
H, S, P = sympy.symbols("h s p", positive=True)
LEVELS = ((1 + C) / (2 + C), 1 / (2 + C))
"""The levels of at least one half and those of at most one half: together (0, 1)."""
REMEMBERED = 20_000


class UndecidedError(ValueError):
    """A comparison that the signs of coefficients do not decide."""


@lru_cache(REMEMBERED)
def sign(expression: Any) -> str | None:
    """How the expression compares with zero on the whole cell: "=", ">", ">=", "<", "<=", None if that is not seen."""
    numerator, denominator = sympy.fraction(sympy.together(expression))
    top, bottom = (sympy.Add.make_args(sympy.expand(part)) for part in (numerator, denominator))
    above, below = _sign(top), _sign(bottom)
    if above == "=":
        return "="
    if above is None or below not in ("<", ">"):
        return None
    return above if below == ">" else above.translate(str.maketrans("<>", "><"))


def _sign(terms: Iterable[Any]) -> str | None:
    parts = [term for term in terms if term != 0]
    if not parts:
        return "="
    for positive_, word in ((1, ">"), (-1, "<")):
        if all((positive_ * term).is_nonnegative for term in parts):
            return word if any((positive_ * term).is_positive for term in parts) else word + "="
    return None


def weakest(signs: Iterable[str | None]) -> str | None:
    """What holds on all cells, given what holds on each: ">" and "=" leave ">=", ">" and "<" leave nothing."""
    found = set(signs)
    if len(found) == 1:
        return found.pop()
    for word in (">", "<"):
        if found <= {word, word + "=", "="}:
            return word + "="
    return None


class CellNumbers(SymbolicNumbers):
    """Expressions in the symbols of a cell; a case that the cell does not decide raises UndecidedError."""

    def __init__(self) -> None:
        super().__init__()
        self.lt = lambda a, b: decided(b - a, {">": True, "=": False, "<": False, "<=": False})
        self.gt = lambda a, b: self.lt(b, a)
        self.le = lambda a, b: decided(b - a, {">": True, ">=": True, "=": True, "<": False})
        self.ge = lambda a, b: self.le(b, a)
        self.eq = lambda a, b: decided(b - a, {"=": True, ">": False, "<": False})
        self.abs = lambda x: larger(x, -x)
        self.max = lambda *xs: reduce(larger, xs)
        self.min = lambda *xs: -reduce(larger, [-x for x in xs])

    def where(self, condition: object, yes: Real, no: Real) -> Real:
        return yes if condition else no


def decided(expression: Any, answers: dict[str, bool]) -> bool:
    """The answer for the expression's sign; UndecidedError where there is none."""
    found = sign(sympy.sympify(expression))
    if found not in answers:
        raise UndecidedError(f"the sign of {expression} is not decided on the cell")
    return answers[found]


def larger(a: Any, b: Any) -> Any:
    """The larger of two expressions; either one where they may be equal."""
    return a if decided(sympy.sympify(a) - b, {">": True, ">=": True, "=": True, "<": False, "<=": False}) else b


def cells() -> Numbers:
    """The context of cells."""
    return CellNumbers()


def levels() -> Iterator[Any]:
    """The level r on its two cells."""
    yield from LEVELS


def residuals(r: Any) -> dict[str, Any]:
    """The residual u on the cells that the joints (r - 1) h, 0 and r h make, from left to right; open ones in `S` or `P`."""
    return {
        "left": (r - 1) * H - S,
        "left end": (r - 1) * H,
        "inner left": (r - 1) * H / (1 + P),
        "zero": sympy.Integer(0),
        "inner right": r * H / (1 + P),
        "right end": r * H,
        "right": r * H + S,
    }


JOINTS = {"left end": ("left", "inner left"), "zero": ("inner left", "inner right"), "right end": ("inner right", "right")}
"""The points among the cells of residuals, and the open cells beside each."""
TOWARDS = {
    ("left", "left end"): (S, sympy.Integer(0)),
    ("inner left", "left end"): (P, sympy.Integer(0)),
    ("inner left", "zero"): (P, sympy.oo),
    ("inner right", "zero"): (P, sympy.oo),
    ("inner right", "right end"): (P, sympy.Integer(0)),
    ("right", "right end"): (S, sympy.Integer(0)),
}
"""Which symbol goes where, as an open cell's residual goes to a joint."""


def towards(expression: Any, cell: str, joint: str) -> Any:
    """The limit of an expression on an open cell at a joint beside it."""
    symbol, end = TOWARDS[cell, joint]
    return sympy.limit(sympy.together(expression), symbol, end) if end is sympy.oo else expression.subs(symbol, end)


def along(expression: Any, residual: Any) -> Any:
    """The derivative in u of an expression on an open cell, u = `residual` there."""
    free = residual.free_symbols & {S, P}
    if len(free) != 1:
        raise ValueError(f"an open cell has one symbol of S and P, got {residual}")
    (symbol,) = free
    return sympy.cancel(sympy.diff(expression, symbol) / sympy.diff(residual, symbol))


def ranges_as_usual(claim: Claim) -> bool:
    """Whether r, h and u, as far as the claim has them, range over (0, 1), (0, inf) and the line: what the cells cover."""
    usual = {"r": open_unit, "h": positive, "u": reals}
    return all(p.domain == usual[p.name] for p in claim.parameters if p.name in usual)
