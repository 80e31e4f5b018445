"""Truncated mirror descent in doubles: the dual point is carried from step to step, one pass over each record.

Symbols: w the decision, z = grad Phi(w) its dual point, g the batch's mean with its noise, c the slope of a record's loss: its
gradient is -c x, of norm |c| |x|, so that the norms of the records are taken once and not in every step.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.algorithms.dp_sgd.algorithm import slope_at
from dpsco.fast.algorithms.mirror_descent.proximal_step import data, smoothing
from dpsco.fast.analysis.geometry.regularity import checked, length, unmirrored, within
from dpsco.fast.kernel import bind, kernel
from dpsco.fast.losses.kernels import code
from dpsco.spec.algorithms.mirror_descent import truncated_descent as spec

Array = Any


@kernel()
def lengths(X: Array, dual: float) -> Array:
    """The l_dual norm of each row."""
    n, d = X.shape
    found, room = np.empty(n), np.empty(d)
    for i in range(n):
        found[i] = length(X[i], dual, room)
    return found


@kernel()
def pull(
    which: int, X: Array, y: Array, batch: Array, sizes: Array, level: float, w: Array, h: float, r: float, g: Array
) -> int:
    """g = the sum of the kept gradients of the batch at w; how many were set to zero."""
    d, dropped = w.size, 0
    g[:] = 0.0
    for k in batch:
        c = slope_at(which, X[k], y[k], w, h, r)
        if abs(c) * sizes[k] <= level:
            for j in range(d):
                g[j] -= c * X[k, j]
        else:
            dropped += 1
    return dropped


@kernel()
def move(z: Array, g: Array, gamma: float, kappa: float, index: float, radius: float, w: Array, room: Array) -> None:
    """The proximal step from the dual point z along g, in place: z moves, w is the new decision in the ball."""
    for j in range(z.size):
        z[j] -= g[j] / gamma
    if index == 2.0:
        for j in range(z.size):
            w[j] = z[j] / kappa
    else:
        unmirrored(z, kappa, index, w)
    if radius < math.inf:
        size = length(w, index, room)
        if size > radius:  # the mirror map is homogeneous: both points shrink alike
            for j in range(z.size):
                w[j] *= radius / size
                z[j] *= radius / size


@kernel()
def walk(
    which: int,
    X: Array,
    y: Array,
    order: Array,
    noise: Array,
    sizes: Array,
    level: float,
    weights: Array,
    kappa: float,
    index: float,
    radius: float,
    h: float,
    r: float,
) -> tuple[Array, int]:
    """The weighted average, and how many gradients were set to zero; noise by record where it has a row for each."""
    steps, d = weights.size, X.shape[1]
    size, each = order.size // steps, noise.shape[0] // steps
    average, z, w, g, room = np.zeros(d), np.zeros(d), np.zeros(d), np.zeros(d), np.empty(d)
    total, dropped = 0.0, 0
    for t in range(steps):
        dropped += pull(which, X, y, order[t * size : (t + 1) * size], sizes, level, w, h, r, g)
        for j in range(d):
            z_mean = 0.0
            for i in range(t * each, (t + 1) * each):
                z_mean += noise[i, j]
            g[j] = g[j] / size + z_mean / each
        move(z, g, weights[t], kappa, index, radius, w, room)
        total += 1.0 / weights[t]
        for j in range(d):
            average[j] += w[j] / weights[t]
    for j in range(d):
        average[j] = min(max(average[j] / total, -radius), radius)  # a mean of points of the ball, whatever the rounding
    return average, dropped


def divisor(weights: Array, n: int) -> Array:
    """gamma_1, ..., gamma_T as doubles; ValueError unless all are positive and T divides n."""
    found = np.ascontiguousarray(weights, dtype=np.float64)
    if found.ndim != 1 or found.size == 0 or n % found.size:
        raise ValueError(f"weights has shape {found.shape}: T numbers, T a divisor of the {n} records, are allowed")
    if not (np.isfinite(found).all() and found.min() > 0.0):
        raise ValueError(f"weights from {found.min()} to {found.max()}: positive finite numbers are allowed")
    if not found.size / float(found.min()) < math.inf:
        raise ValueError(f"weights from {found.min()}: numbers whose reciprocals have a sum in doubles are allowed")
    return found


def permutation(order: Array, n: int) -> Array:
    """The order as integers; ValueError where it does not hold each record once."""
    given = np.asarray(order)
    if given.shape != (n,) or given.dtype.kind not in "iuf" or not np.array_equal(np.sort(given), np.arange(n)):
        raise ValueError(f"order has shape {given.shape}: each of the whole numbers 0, ..., {n - 1} once is allowed")
    return np.ascontiguousarray(given, dtype=np.int64)


def run(
    kernel: str,
    X: Array,
    y: Array,
    order: Array | None,
    noise: Array,
    level: float,
    weights: Array,
    kappa: float,
    index: float,
    dual: float,
    radius: float,
    h: float,
    r: float,
) -> tuple[Array, int]:
    """`shuffled`, or `batched` where there is no order; and the number of gradients set to zero, which is not private.

    Domain   as the contracts
    Returns  (d numbers in decisions, a count out of n)
    Raises   ValueError as the contracts say
    Source   lp, Algorithms 4 and 7
    """
    features, targets, rows = data(X, y, noise)
    gammas = divisor(weights, len(targets))
    places = np.arange(len(targets)) if order is None else permutation(order, len(targets))
    wanted = gammas.size if order is None else len(targets)
    if len(rows) != wanted:
        raise ValueError(
            f"noise has {len(rows)} rows: {wanted} are allowed, one for each {'batch' if order is None else 'record'}"
        )
    if not level >= 0.0:
        raise ValueError(f"level={level}: a number of at least 0 or inf is allowed")
    if not dual >= 1.0:
        raise ValueError(f"dual={dual}: 1 <= dual <= inf is allowed")
    if not radius > 0.0:
        raise ValueError(f"radius={radius}: a positive number or inf is allowed")
    sizes = lengths(features, float(dual))
    scalars = (*checked(kappa, index), float(radius), *smoothing(h, r))
    average, dropped = walk(code(kernel), features, targets, places, rows, sizes, float(level), gammas, *scalars)
    return within("the average", average), int(dropped)


def shuffled(
    kernel: str,
    X: Array,
    y: Array,
    order: Array,
    noise: Array,
    level: float,
    weights: Array,
    kappa: float,
    index: float,
    dual: float,
    radius: float,
    h: float,
    r: float,
) -> Array:
    return run(kernel, X, y, order, noise, level, weights, kappa, index, dual, radius, h, r)[0]


def batched(
    kernel: str,
    X: Array,
    y: Array,
    noise: Array,
    level: float,
    weights: Array,
    kappa: float,
    index: float,
    dual: float,
    radius: float,
    h: float,
    r: float,
) -> Array:
    return run(kernel, X, y, None, noise, level, weights, kappa, index, dual, radius, h, r)[0]


bind(shuffled, spec.shuffled)
bind(batched, spec.batched)
