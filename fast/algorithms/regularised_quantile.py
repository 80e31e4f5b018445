"""The ridge-regularised quantile model in doubles: the method of multipliers, Newton's method inside, a duality gap at the end.

As the reference does it: the check loss's Moreau envelope of parameter w is the uniform kernel's smoothing with h = w/2 of
outcomes moved by w (r - 1/2); a round moves them by w a_i more and takes the envelope's slopes as the next multipliers a_i.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.algorithms.dp_sgd.algorithm import problem
from dpsco.fast.algorithms.objective_perturbation.algorithm import steps
from dpsco.fast.kernel import bind, kernel, only_read
from dpsco.fast.losses.kernels import UNIFORM
from dpsco.spec.algorithms import regularised_quantile as spec

Array = Any
ROUNDS = 60
NARROWEST = 1e-12
"""Least envelope's parameter, over the largest outcome: below it a residual's rounding errors are slopes."""


@kernel()
def certificate(X: Array, y: Array, a: Array, w: float, r: float, lambda_: float, step: Array) -> float:
    """The next multipliers, in place of `a`, and the duality gap that they prove; y and `step` are taken from the centre."""
    n, d = X.shape
    pull = np.zeros(d)
    gap = 0.0
    for i in range(n):
        u = y[i]
        for j in range(d):
            u -= X[i, j] * step[j]
        a[i] = max(r - 1.0, min(r, a[i] + u / w))
        gap += (r - a[i]) * u if u > 0.0 else (a[i] - (r - 1.0)) * -u
        for j in range(d):
            pull[j] += a[i] * X[i, j]
    gap /= n
    for j in range(d):
        g = 2.0 * lambda_ * step[j] - pull[j] / n
        gap += g * g / (4.0 * lambda_)
    return gap


def rounds(X: Array, y: Array, r: float, lambda_: float, tolerance: float) -> tuple[Array, float]:
    """The step from the centre and its gap; y holds the residuals at the centre."""
    n, d = X.shape
    largest = float(np.abs(y).max())
    a, none, best, least = np.zeros(n), only_read(np.zeros(d)), np.zeros(d), math.inf
    w = 4.0 * largest if largest > 0.0 else 1.0
    floor = max(NARROWEST * largest, 1e-300)
    small = math.sqrt(tolerance * lambda_) / 16.0
    step, vectors, matrices = np.zeros(d), np.empty((4, d)), np.empty((2, d, d))
    for _ in range(ROUNDS):
        moved = only_read(y + w * (a - (r - 0.5)))
        steps(UNIFORM, X, moved, none, 0.5 * w, r, lambda_, small, False, step, vectors, matrices)
        gap = certificate(X, y, a, w, r, lambda_, step)
        if gap < least:
            least, best = gap, step.copy()
        if least <= tolerance:
            break
        w = max(w / 4.0, floor)
    return best, least


def solve(X: Array, y: Array, centre: Array, r: float, lambda_: float, tolerance: float) -> tuple[Array, float]:
    features, targets = problem(X, y)
    around = np.ascontiguousarray(centre, dtype=np.float64)
    if around.shape != features.shape[1:]:
        raise ValueError(f"centre fits X of shape {features.shape}, got {around.shape}")
    step, gap = rounds(features, only_read(targets - features @ around), float(r), float(lambda_), float(tolerance))
    return around + step, float(gap)


bind(solve, spec.solve)
