"""Phased descent in doubles: one pass over the records.

Symbols: w the release of the last phase, step the phase's step length, used the records taken so far.
"""

from typing import Any

import numpy as np

from dpsco.fast.algorithms.dp_sgd.algorithm import noise, problem
from dpsco.fast.kernel import bind, kernel
from dpsco.fast.losses.quantile.slopes import code, slope_at
from dpsco.spec.algorithms.phased import sgd as spec

Array = Any


@kernel()
def phases(
    which: int, X: Array, y: Array, lengths: Array, normals: Array, eta: float, h: float, r: float, sigma: float
) -> Array:
    """w_0, ..., w_k as rows."""
    d = X.shape[1]
    released, theta, total = np.zeros((lengths.size + 1, d)), np.zeros(d), np.zeros(d)
    used, step = 0, eta
    for i in range(lengths.size):
        step *= 0.25
        for j in range(d):
            theta[j] = total[j] = released[i, j]
        for k in range(used, used + lengths[i]):
            u = y[k]
            for j in range(d):
                u -= theta[j] * X[k, j]
            c = step * slope_at(which, u, h, r)
            for j in range(d):
                theta[j] += c * X[k, j]
                total[j] += theta[j]
        used += lengths[i]
        for j in range(d):
            released[i + 1, j] = total[j] / (lengths[i] + 1) + sigma * step * normals[i, j]
    return released


def rows_of_noise(normals: Array, d: int, count: int) -> Array:
    """The noise vectors as rows; ValueError where there is not one of d numbers for each phase."""
    rows = noise(normals, d)
    if len(rows) != count:
        raise ValueError(f"one noise vector for each of {count} phases, got {len(rows)}")
    return rows


def descend(loss: str, X: Array, y: Array, normals: Array, eta: float, h: float, r: float, sigma: float) -> Array:
    features, targets = problem(X, y)
    lengths = np.array(spec.lengths(len(targets)), dtype=np.int64)
    rows = rows_of_noise(normals, features.shape[1], lengths.size)
    return phases(code(loss), features, targets, lengths, rows, float(eta), float(h), float(r), float(sigma))


bind(descend, spec.descend)
