"""Penalties selected on a validation loss, literally: the means of the records' losses, and the derivatives."""

from collections.abc import Callable, Sequence
from typing import Any

from dpsco.reference.algorithms.objective_perturbation.algorithm import promoted, solve_positive
from dpsco.reference.losses.bilevel.hypergradient import Matrix, Vector, gradient, inverse, sizes, times
from dpsco.reference.losses.bilevel.problem import Problem, minimiser
from dpsco.spec.losses.bilevel.selection import penalty, penalty_slope
from dpsco.spec.numbers import Numbers, Real, names_of

Of = Callable[..., Real]
Derivatives = tuple[Of, Of, Of]
"""A loss with its slope and curvature."""
MARGIN = 10**12
"""By what the exact minimiser's gradient is below the accuracy asked for."""


def at(of: Of, m: Numbers, p: Real, b: Real) -> Real:
    """The loss, its slope or its curvature at a prediction p and an outcome b, of which it takes what it depends on."""
    given = {"p": p, "b": b}
    return of(m, **{name: given[name] for name in names_of(of)})


def problem(
    loss: Of, slope: Of, bend: Of, A: Matrix, b: Vector, C: Matrix, e: Vector, groups: Sequence[int], low: Real, high: Real
) -> Problem:
    """The problem of spec/losses/bilevel/selection.py for a loss with its first two derivatives; numbers of one context.

    Domain   A, C: n x d_y, b, e: n, groups: d_y integers below d_x
    """
    n, d_y, d_x = len(b), len(groups), max(groups) + 1

    def mean(m: Numbers, of: Of, rows: Matrix, outcomes: Vector, y: Vector) -> Real:
        return sum((at(of, m, m.dot(row, y), t) for row, t in zip(rows, outcomes, strict=True)), start=m.real(0)) / n

    def pull(m: Numbers, rows: Matrix, outcomes: Vector, y: Vector) -> list[Real]:
        slopes = [at(slope, m, m.dot(row, y), t) for row, t in zip(rows, outcomes, strict=True)]
        return [m.dot(slopes, [row[j] for row in rows]) / n for j in range(d_y)]

    def lower(m: Numbers, x: Vector, y: Vector) -> Real:
        weighed = [penalty(m, x=x[k], low=low, high=high) * t**2 for k, t in zip(groups, y, strict=True)]
        return mean(m, loss, A, b, y) + sum(weighed, start=m.real(0)) / 2

    def lower_y(m: Numbers, x: Vector, y: Vector) -> list[Real]:
        return [p + penalty(m, x=x[k], low=low, high=high) * t for p, k, t in zip(pull(m, A, b, y), groups, y, strict=True)]

    def lower_yy(m: Numbers, x: Vector, y: Vector) -> list[list[Real]]:
        bends = [at(bend, m, m.dot(row, y), t) for row, t in zip(A, b, strict=True)]
        H = [[m.dot(bends, [row[i] * row[j] for row in A]) / n for j in range(d_y)] for i in range(d_y)]
        for j, k in enumerate(groups):
            H[j][j] += penalty(m, x=x[k], low=low, high=high)
        return H

    def lower_xy(m: Numbers, x: Vector, y: Vector) -> list[list[Real]]:
        slopes = [penalty_slope(m, x=t, low=low, high=high) for t in x]
        return [[slopes[k] * t if k == i else m.real(0) for k, t in zip(groups, y, strict=True)] for i in range(d_x)]

    return Problem(
        d_x=d_x,
        d_y=d_y,
        upper=lambda m, x, y: mean(m, loss, C, e, y),
        upper_x=lambda m, x, y: [m.real(0)] * d_x,
        upper_y=lambda m, x, y: pull(m, C, e, y),
        lower=lower,
        lower_y=lower_y,
        lower_yy=lower_yy,
        lower_xy=lower_xy,
    )


def numbers(m: Numbers, A: Any, b: Any, C: Any, e: Any) -> tuple[Matrix, Vector, Matrix, Vector]:
    """The same doubles as numbers of the context."""
    return promoted(m, A), [m.real(t) for t in b], promoted(m, C), [m.real(t) for t in e]


def problem_of(m: Numbers, of: Derivatives, A: Any, b: Any, C: Any, e: Any, groups: Any, low: Any, high: Any) -> Problem:
    """The problem for a loss with its derivatives, numbers of the context or doubles."""
    return problem(*of, *numbers(m, A, b, C, e), [int(k) for k in groups], m.real(low), m.real(high))


def scaled_gradient(
    m: Numbers, of: Derivatives, x: Any, y: Any, A: Any, b: Any, C: Any, e: Any, groups: Any, low: Any, high: Any
) -> tuple[Vector, Vector]:
    """barF_Z(x, y) and the size against which the contracts measure its error."""
    given, slope = problem_of(m, of, A, b, C, e, groups, low, high), of[1]
    _, _, C, e = numbers(m, A, b, C, e)
    x_at, y_at = [m.real(t) for t in x], [m.real(t) for t in y]
    H, mixed, F_y = given.lower_yy(m, x_at, y_at), given.lower_xy(m, x_at, y_at), given.upper_y(m, x_at, y_at)
    pulls = [
        m.abs(at(slope, m, m.dot(row, y_at), t)) + m.dot(sizes(m, row), sizes(m, y_at)) for row, t in zip(C, e, strict=True)
    ]
    terms = [m.dot(pulls, [m.abs(row[j]) for row in C]) / len(e) for j in range(given.d_y)]
    moved = [a + t for a, t in zip(times(m, sizes(m, H), sizes(m, solve_positive(m, H, F_y))), terms, strict=True)]
    felt = times(m, sizes(m, mixed), times(m, sizes(m, inverse(m, H)), moved))
    return gradient(m, given.upper_x(m, x_at, y_at), F_y, mixed, H), felt


def solved(m: Numbers, given: Problem, x: Any, low: Any, accuracy: Any) -> tuple[list[Real], Real]:
    """The lower minimiser, and a bound on its error far below the accuracy asked for."""
    error = m.real(accuracy) / MARGIN
    return minimiser(m, given, [m.real(t) for t in x], error * m.real(low)), error


def distance(m: Numbers, exact: Vector, answer: Any) -> Real:
    """|y - y_Z(x)| for the first part of an answer in doubles."""
    return m.norm([m.real(float(t)) - s for t, s in zip(answer[0], exact, strict=True)])
