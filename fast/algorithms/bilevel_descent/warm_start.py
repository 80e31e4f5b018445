"""The warm start in doubles: a private draw among public candidates, then private descent from there."""

import math
from typing import Any

import numpy as np

from dpsco.fast.algorithms.bilevel_descent.algorithm import Plan, descend, plan, released
from dpsco.fast.doubles import DOUBLES
from dpsco.fast.kernel import bind, kernel
from dpsco.fast.losses.bilevel.problem import UP, Problem, objective
from dpsco.fast.pairs import plus, product_of, ratio_of, sum_of
from dpsco.spec.algorithms.bilevel_descent import warm_start as spec
from dpsco.spec.algorithms.exponential_sampling.calibrated import score_scale

Array = Any


@kernel()
def weights_over(values: Array, epsilon: float, s: float) -> Array:
    """exp(-epsilon (v - least v)/(2 s)) over their sum: a rounding of the exponent would be magnified by it, so pairs."""
    least, found, lost, total = values.min(), np.empty(values.size), np.empty(values.size), (0.0, 0.0)
    (over, up), (under, down) = math.frexp(epsilon), math.frexp(s)
    k = ratio_of((over, 0.0), (under, 0.0))
    for i in range(values.size):
        gap, rest = plus(values[i], -least)
        found[i] = lost[i] = 0.0
        if gap < math.inf:
            size, shift = math.frexp(gap)
            high, low = product_of(k, (size, math.ldexp(rest, -shift)))
            shift += up - down - 1
            found[i] = math.exp(-math.ldexp(high, shift))
            if found[i] > 0.0:
                lost[i] = -found[i] * math.ldexp(low, shift)
        total = sum_of(total, (found[i], lost[i]))
    for i in range(values.size):
        found[i] = ratio_of((found[i], lost[i]), total)[0]
    return found


def start_weights(values: Any, epsilon: float, s: float) -> Array:
    v = np.asarray(values, dtype=np.float64)
    if v.ndim != 1 or not v.size or not np.all(np.isfinite(v)):
        raise ValueError(f"values={values!r}: at least one finite number")
    for name, value in (("epsilon", epsilon), ("s", s)):
        if not 0 < value < np.inf:
            raise ValueError(f"{name}={value!r}: must be positive and finite")
    return weights_over(v, spec.epsilon_of_each_stage(DOUBLES, epsilon=float(epsilon)), float(s))


def drawn(weights: Array, uniform: float) -> int:
    """The first index whose cumulative weight exceeds `uniform`, in [0, 1); the last one where rounding leaves none."""
    if not 0 <= uniform < 1:
        raise ValueError(f"uniform={uniform!r}: must lie in [0, 1)")
    return min(int(np.searchsorted(np.cumsum(weights), uniform, side="right")), len(weights) - 1)


def start(problem: Problem, candidates: Any, epsilon: float, accuracy: float, uniform: float) -> Array:
    """x_0, drawn among candidates that are fixed without the data: (epsilon/2, 0)-DP.

    Probabilities e^(-(epsilon/4) v/s), v = Phi_Z to within e = L_fy accuracy. Two data sets' values differ by a function of
    range R + 4 e at most, R <= 2 s_0 for the exact ones, so s = s_0 + 2 e leaves the loss at epsilon/2 (bilevel/thm-3.2-amended
    and its lemmas; the candidates' diameter is D_x, twice the radius of the lower minimisers D_y).

    Domain   candidates: count x d_x, accuracy > 0 of each lower solution (inner), uniform in [0, 1)
    Returns  d_x numbers (decision)
    Raises   ValueError for candidates that do not fit, for an accuracy that is not reached
    """
    points = np.asarray(candidates, dtype=np.float64)
    if points.ndim != 2 or not points.size or points.shape[1] != problem.d_x:
        raise ValueError(f"candidates has shape {points.shape}: must be count x {problem.d_x}, count at least 1")
    D_x = max(float(np.max(np.linalg.norm(points - p, axis=1))) for p in points)
    c, middle = problem.constants, np.zeros(problem.d_y)
    exact = score_scale(
        DOUBLES, n=problem.records, L_fx=c.L_fx, L_fy=c.L_fy, L_gy=c.L_gy, mu_g=c.mu_g, D_x=D_x, D_y=2 * problem.radius
    )
    values = [objective(problem, x, middle, accuracy)[0] for x in points]
    s = (exact + 2 * c.L_fy * accuracy) * UP
    return points[drawn(start_weights(values, epsilon, s), uniform)].copy()


def second_plan(problem: Problem, epsilon: float, delta: float, gap_bound: float) -> Plan:
    """Parameters of the second stage at (epsilon/2, delta): how many noise vectors `warm_start` takes."""
    return plan(problem, spec.epsilon_of_each_stage(DOUBLES, epsilon=epsilon), delta, gap_bound)


def warm_start(
    problem: Problem,
    candidates: Any,
    epsilon: float,
    delta: float,
    gap_bound: float,
    accuracy: float,
    uniform: float,
    normals: Any,
    index: int,
) -> Array:
    """Algorithm 2: a draw among the candidates at epsilon/2, then Algorithm 1 from it at (epsilon/2, delta).

    Domain   as for `start` and `algorithm.plan`; gap_bound: of the mean gap at x_0; normals: T x d_x standard normal numbers,
             T = second_plan(...).steps; index: drawn uniformly from 0, ..., T - 1
    Returns  x_priv, d_x numbers (decision): (epsilon, delta)-DP for noise that is fit for release
    Raises   ValueError as there, and for another number of noise vectors
    Source   bilevel, Algorithm 2, Theorem 4.3 with the changes of its amendment
    """
    run = second_plan(problem, epsilon, delta, gap_bound)
    if len(normals) != run.steps:
        raise ValueError(f"normals has {len(normals)} rows: the plan has {run.steps} steps")
    x_0 = start(problem, candidates, epsilon, accuracy, uniform)
    path = descend(problem, x_0, np.zeros(problem.d_y), normals, run.eta, run.alpha, run.sigma)
    return released(path, index)


bind(start_weights, spec.start_weights)
