"""A bilevel problem at any precision: functions of (m, x, y), its lower minimiser by Newton's method, its gradient."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dpsco.reference.algorithms.objective_perturbation.algorithm import solve_positive
from dpsco.reference.losses.bilevel.hypergradient import gradient
from dpsco.spec.numbers import Numbers, Real

Vector: TypeAlias = Sequence[Real]
Matrix: TypeAlias = Sequence[Vector]
STEPS = 1000


@dataclass(frozen=True, kw_only=True)
class Problem:
    """The means F_Z and G_Z and their derivatives as functions of (m, x, y), under the names of the fast `Problem`.

    lower_xy is the whole d_x x d_y matrix.
    """

    d_x: int
    d_y: int
    upper: Callable[[Numbers, Vector, Vector], Real]
    upper_x: Callable[[Numbers, Vector, Vector], Vector]
    upper_y: Callable[[Numbers, Vector, Vector], Vector]
    lower: Callable[[Numbers, Vector, Vector], Real]
    lower_y: Callable[[Numbers, Vector, Vector], Vector]
    lower_yy: Callable[[Numbers, Vector, Vector], Matrix]
    lower_xy: Callable[[Numbers, Vector, Vector], Matrix]


def minimiser(m: Numbers, problem: Problem, x: Vector, smallest: Real) -> list[Real]:
    """The lower minimiser y_Z(x): |grad_y G_Z(x, y)| <= smallest, so within smallest/mu_g of it.

    Domain   x: d_x numbers of an mpmath context, smallest > 0 above the context's rounding
    Raises   ArithmeticError where the precision does not suffice
    """
    y = [m.real(0)] * problem.d_y
    for _ in range(STEPS):
        slope = problem.lower_y(m, x, y)
        if m.le(m.norm(slope), smallest):
            return y
        step, length = solve_positive(m, problem.lower_yy(m, x, y), slope), m.real(1)
        at, descent = problem.lower(m, x, y), m.dot(slope, step)
        while True:
            moved = [t - length * s for t, s in zip(y, step, strict=True)]
            value, size = problem.lower(m, x, moved), m.norm(problem.lower_y(m, x, moved))
            if m.le(value, at - length * descent / 4) or m.lt(2 * size, m.norm(slope)):
                break
            length = length / 2
            if m.lt(length, m.real(2) ** -200):
                raise ArithmeticError(f"smallest={smallest}: the gradient stays at {m.norm(slope)}")
        y = moved
    raise ArithmeticError(f"smallest={smallest}: not reached in {STEPS} steps")


def hypergradient(m: Numbers, problem: Problem, x: Vector, y: Vector) -> list[Real]:
    """barF_Z(x, y); at y = y_Z(x) the gradient of Phi_Z.

    Source   bilevel, (9)
    """
    at = (m, x, y)
    return gradient(m, problem.upper_x(*at), problem.upper_y(*at), problem.lower_xy(*at), problem.lower_yy(*at))


def objective(m: Numbers, problem: Problem, x: Vector, smallest: Real) -> Real:
    """Phi_Z(x) = F_Z(x, y_Z(x)), with the lower minimiser to `smallest` as there."""
    return problem.upper(m, x, minimiser(m, problem, x, smallest))
