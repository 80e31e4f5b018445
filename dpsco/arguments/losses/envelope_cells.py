"""The check loss's Moreau envelope on cells of its residual and level: order, infimum, slopes and curvature, exactly."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import sympy

from dpsco.arguments.cells import (
    JOINTS,
    LEVELS,
    C,
    H,
    P,
    S,
    UndecidedError,
    along,
    cells,
    ranges_as_usual,
    residuals,
    sign,
    towards,
    weakest,
)
from dpsco.arguments.formula import apply
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Real, names_of

Formula = Callable[..., Real]
Q = sympy.Symbol("q", positive=True)
REMEMBERED = 256
"""Formulas whose cells are kept: judging a claim's mutants asks for most of them again."""
AT = {C: sympy.Rational(4, 3), H: sympy.Integer(2), S: sympy.Integer(1), P: sympy.Integer(1)}
"""Where exact numbers are shown: the levels 7/10 and 3/10, h = 2."""


def on(formula: Formula, r: Any, u: Any, **more: Any) -> Any:
    """The formula as one expression on a cell."""
    return sympy.sympify(apply(formula, cells(), {"r": r, "u": u, "h": H, **more}))


def order_on_cells(left: Formula, right: Formula, claim: Claim) -> str | None:
    """The sign that two formulas of u, r and h have between them for every u, h > 0 and r in (0, 1); None if undecided."""
    names = {name for f in (left, right) for name in names_of(f)}
    return _order(left, right) if ranges_as_usual(claim) and names <= {"u", "r", "h"} else None


@lru_cache(REMEMBERED)
def _order(left: Formula, right: Formula) -> str | None:
    places = [(r, u) for r in LEVELS for u in residuals(r).values()]
    try:
        return weakest(sign(on(left, r, u) - on(right, r, u)) for r, u in places)
    except UndecidedError:
        return None


def minimiser(u: Any, name: str) -> Any:
    """Where the infimum is attained on a cell: the residual less r h or (r - 1) h beyond the joints, 0 between them."""
    return {"left": -S, "right": S}.get(name, sympy.Integer(0))


def around(x: Any) -> Iterator[Any]:
    """Cells that cover the line beside the point x: beyond it on both sides, between it and 0, at 0."""
    if x == 0:
        yield from (-Q, Q)
        return
    away = 1 if x == S else -1
    yield from (x + away * Q, x / (1 + Q), sympy.Integer(0), -away * Q)


def infimum_is(objective: Formula, envelope: Formula, claim: Claim) -> bool:
    """Whether the envelope is the least value of the objective over x, for every u, r and h: equal at the minimiser, and at
    every other x below the objective."""
    if not ranges_as_usual(claim):
        return False
    try:
        for r in LEVELS:
            for name, u in residuals(r).items():
                least, x = on(envelope, r, u), minimiser(u, name)
                if sign(on(objective, r, u, x=x) - least) != "=":
                    return False
                if any(sign(on(objective, r, u, x=other) - least) not in (">", ">=", "=") for other in around(x)):
                    return False
    except UndecidedError:
        return False
    return True


@dataclass(frozen=True)
class Joint:
    """One joint of the cells at one level: the one-sided values, slopes and second derivatives of a function there."""

    name: str
    level: Any
    place: Any
    sides: tuple[tuple[Any, Any], tuple[Any, Any], tuple[Any, Any]]

    def breaks(self, order: int) -> bool:
        """Whether the derivative of that order jumps."""
        left, right = self.sides[order]
        return sign(left - right) != "="

    def shown(self, expression: Any) -> str:
        """The expression at the level and bandwidth that are shown, as a decimal."""
        return f"{float(sympy.sympify(expression).subs(AT)):.12g}"


@dataclass(frozen=True)
class Shape:
    """A function of u, r and h on the cells: its slopes and second derivatives on the open ones, its joints."""

    slopes: dict[tuple[Any, str], Any]
    bends: dict[tuple[Any, str], Any]
    joints: tuple[Joint, ...]

    @property
    def smooth(self) -> bool:
        """Once continuously differentiable on the whole line."""
        return not any(joint.breaks(order) for joint in self.joints for order in (0, 1))

    @property
    def convex(self) -> bool:
        return self.smooth and all(sign(bend) in (">", ">=", "=") for bend in self.bends.values())

    def largest(self, of: dict[tuple[Any, str], Any], bound: Formula) -> str | None:
        """The sign of the largest |entry| against a printed bound: "=" where it is attained at every level."""
        found = {r: [sign(abs_on(entry) - on(bound, r, 0)) for (level, _), entry in of.items() if level == r] for r in LEVELS}
        below = weakest(s for signs in found.values() for s in signs)
        if below in ("<", "<=", "="):
            return "=" if all("=" in signs for signs in found.values()) else "<="
        over = [any(s == ">" for s in signs) for signs in found.values()]
        return ">" if all(over) else None


def abs_on(expression: Any) -> Any:
    return expression if sign(expression) in (">", ">=", "=") else -expression


def shape(formula: Formula, claim: Claim) -> Shape | None:
    """The function on the cells; None where a case is not decided or the parameters range beyond the cells."""
    return _shape(formula) if ranges_as_usual(claim) else None


@lru_cache(REMEMBERED)
def _shape(formula: Formula) -> Shape | None:
    try:
        values = {(r, name): on(formula, r, u) for r in LEVELS for name, u in residuals(r).items()}
    except UndecidedError:
        return None
    open_cells = [(r, name) for r, name in values if name not in JOINTS]
    slopes = {key: along(values[key], residuals(key[0])[key[1]]) for key in open_cells}
    bends = {key: along(slopes[key], residuals(key[0])[key[1]]) for key in open_cells}
    joints = []
    for r, (name, beside) in product(LEVELS, JOINTS.items()):
        sides = [tuple(towards(of[r, cell], cell, name) for cell in beside) for of in (values, slopes, bends)]
        if any(sign(limit - values[r, name]) != "=" for limit in sides[0]):
            sides[0] = (sides[0][0], values[r, name])
        joints.append(Joint(name, r, residuals(r)[name], (sides[0], sides[1], sides[2])))
    return Shape(slopes, bends, tuple(joints))
