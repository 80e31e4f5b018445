"""Bilevel problems with quadratic levels, literally: means of the records' matrices, two linear systems."""

from typing import Any

from dpsco.reference.algorithms.objective_perturbation.algorithm import solve_positive
from dpsco.reference.literal import literal
from dpsco.reference.losses.bilevel.hypergradient import Matrix, Vector, inverse, sizes, times
from dpsco.reference.losses.bilevel.problem import Problem
from dpsco.spec.losses.bilevel import quadratic as spec
from dpsco.spec.numbers import Numbers, Real


def mean(m: Numbers, records: Any) -> Any:
    """Entry by entry, over the first index."""
    if isinstance(records[0], list | tuple):
        return [mean(m, [record[i] for record in records]) for i in range(len(records[0]))]
    return sum((m.real(t) for t in records), start=m.real(0)) / len(records)


def transposed(A: Matrix) -> list[list[Real]]:
    return [list(column) for column in zip(*A, strict=True)]


def plus(*vectors: Vector) -> list[Real]:
    return [sum(entries[1:], start=entries[0]) for entries in zip(*vectors, strict=True)]


def problem(m: Numbers, a: Any, b: Any, B: Any, C: Any, H: Any, P: Any, q: Any) -> Problem:
    """The problem of the records; numbers of the context or doubles."""
    a, b, B, C, H, P, q = (mean(m, part) for part in (a, b, B, C, H, P, q))

    def upper(m: Numbers, x: Vector, y: Vector) -> Real:
        return m.dot(a, x) + m.dot(b, y) + m.dot(x, times(m, B, y)) + m.dot(y, times(m, C, y)) / 2

    def lower(m: Numbers, x: Vector, y: Vector) -> Real:
        return m.dot(y, times(m, H, y)) / 2 - m.dot(y, plus(times(m, P, x), q))

    return Problem(
        d_x=len(a),
        d_y=len(b),
        upper=upper,
        upper_x=lambda m, x, y: plus(a, times(m, B, y)),
        upper_y=lambda m, x, y: plus(b, times(m, transposed(B), x), times(m, C, y)),
        lower=lower,
        lower_y=lambda m, x, y: [s - t - u for s, t, u in zip(times(m, H, y), times(m, P, x), q, strict=True)],
        lower_yy=lambda m, x, y: H,
        lower_xy=lambda m, x, y: [[-t for t in row] for row in transposed(P)],
    )


@literal(spec.objective_gradient)
def objective_gradient(
    m: Numbers, x: Any, a: Any, b: Any, B: Any, C: Any, H: Any, P: Any, q: Any
) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    a, b, B, C, H, P, q = (mean(m, part) for part in (a, b, B, C, H, P, q))
    x = [m.real(t) for t in x]
    right = plus(times(m, P, x), q)
    y = solve_positive(m, H, right)
    F_y = plus(b, times(m, transposed(B), x), times(m, C, y))
    w = solve_positive(m, H, F_y)
    value = plus(a, times(m, B, y), times(m, transposed(P), w))

    def size(A: Matrix, v: Vector) -> list[Real]:
        return times(m, sizes(m, A), v)

    spread = sizes(m, inverse(m, H))
    y_size = times(m, spread, plus(size(H, sizes(m, y)), size(P, sizes(m, x)), sizes(m, q)))
    F_size = plus(sizes(m, b), size(transposed(B), sizes(m, x)), size(C, y_size))
    w_size = times(m, spread, plus(size(H, sizes(m, w)), F_size))
    return (y, value), (y_size, plus(sizes(m, a), size(B, y_size), size(transposed(P), w_size)))
