"""Regularised mirror descent in doubles: the dual point is carried from step to step, one pass over the rows a step.

Symbols: w the decision, z = grad Phi(w) its dual point, g the mean gradient with the step's noise.
"""

from typing import Any

import numpy as np

from dpsco.fast.algorithms.gradient_perturbation.algorithm import descent, room_for
from dpsco.fast.algorithms.mirror_descent.proximal_step import data, dual_step, smoothing, weights
from dpsco.fast.analysis.geometry.regularity import checked, within
from dpsco.fast.kernel import bind, kernel
from dpsco.fast.losses.kernels import code
from dpsco.spec.algorithms.mirror_descent import regularised as spec

Array = Any


@kernel()
def walk(
    which: int,
    X: Array,
    y: Array,
    noise: Array,
    kappa: float,
    index: float,
    alpha: float,
    beta: float,
    h: float,
    r: float,
    room: Array,
) -> Array:
    """w_2, ..., w_{T+1} as rows."""
    steps, d = noise.shape
    found, z, w, g = np.zeros((steps, d)), np.zeros(d), np.zeros(d), np.zeros(d)
    for t in range(steps):
        descent(which, X, y, w, h, r, g, room)  # the negative gradient
        for j in range(d):
            g[j] = noise[t, j] - g[j]
        dual_step(z, g, kappa, index, alpha, beta, w)
        for j in range(d):
            found[t, j] = w[j]
    return found


@kernel()
def averaged(found: Array, alpha: float, beta: float) -> Array:
    """The average with weight r^t on row t, from the last row back: weights relative to the last one cannot overflow."""
    steps, d = found.shape
    shrink, share, total = 1.0 / (1.0 + alpha / (2.0 * beta)), 1.0, 0.0
    average = np.zeros(d)
    for t in range(steps - 1, -1, -1):
        total += share
        for j in range(d):
            average[j] += share * found[t, j]
        share *= shrink
    for j in range(d):
        average[j] /= total
    return average


def iterates(
    kernel: str,
    X: Array,
    y: Array,
    noise: Array,
    kappa: float,
    index: float,
    alpha: float,
    beta: float,
    h: float,
    r: float,
) -> Array:
    scalars = (*checked(kappa, index), *weights(alpha, beta), *smoothing(h, r))
    given = data(X, y, noise)
    return within("an iterate", walk(code(kernel), *given, *scalars, room_for(given[1])))


def descend(
    kernel: str,
    X: Array,
    y: Array,
    noise: Array,
    kappa: float,
    index: float,
    alpha: float,
    beta: float,
    h: float,
    r: float,
) -> Array:
    found = iterates(kernel, X, y, noise, kappa, index, alpha, beta, h, r)
    if not len(found):
        raise ValueError("noise has no row: at least one step is allowed")
    return within("the average", averaged(found, *weights(alpha, beta)))


bind(iterates, spec.iterates)
bind(descend, spec.descend)
