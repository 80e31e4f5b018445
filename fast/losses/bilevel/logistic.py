"""Penalties of logistic regression selected on a validation loss, in doubles."""

from typing import Any

import numpy as np

from dpsco.fast.doubles import DOUBLES
from dpsco.fast.kernel import bind
from dpsco.fast.losses.bilevel import selection
from dpsco.fast.losses.bilevel.problem import Problem, hypergradient, solve
from dpsco.spec.losses.bilevel import logistic as spec

Array = Any


def checked(name: str, rows: Any, outcomes: Any, bound: float) -> tuple[Array, Array]:
    A, b = selection.checked_rows(name, rows, outcomes, bound)
    if not np.all(np.abs(b) == 1.0):
        raise ValueError(f"the outcomes of {name} are {b!r}: must be 1 or -1")
    return A, b


def problem(A: Any, b: Any, C: Any, e: Any, groups: Any, bound: float, low: float, high: float) -> Problem:
    """The problem of spec/losses/bilevel/selection.py for n records (a_i, b_i, c_i, e_i).

    Domain   A, C: n x d_y, longer rows are shortened to `bound`; b, e: n signs; groups: d_y integers from 0 to d_x - 1; 0 <
             low <= high: the interval of penalties
    Returns  a problem whose constants hold for every x and for |y| <= radius, whatever the records
    Raises   ValueError for shapes that do not fit, for entries that are not finite, for an empty interval of penalties,
             for outcomes that are no signs
    """
    selection.checked_penalties(low, high)
    parts = checked("A", A, b, bound), checked("C", C, e, bound)
    given = {"bound": float(bound), "low": float(low)}
    return selection.problem(
        selection.LOGISTIC,
        spec.constants(DOUBLES, **given, high=float(high)),
        float(spec.radius(DOUBLES, **given)),
        *parts,
        selection.checked_groups(groups, parts[0][0].shape[1]),
        float(low),
        float(high),
    )


def approximate_gradient(
    x: Array, y: Array, A: Array, b: Array, C: Array, e: Array, groups: Array, bound: float, low: float, high: float
) -> Array:
    return hypergradient(problem(A, b, C, e, groups, bound, low, high), x, y)


def lower_minimiser(
    x: Array, A: Array, b: Array, groups: Array, bound: float, low: float, high: float, accuracy: float
) -> tuple[Array, float]:
    given = problem(A, b, A, b, groups, bound, low, high)
    return solve(given, x, np.zeros(given.d_y), float(accuracy))


bind(approximate_gradient, spec.approximate_gradient)
bind(lower_minimiser, spec.lower_minimiser)
