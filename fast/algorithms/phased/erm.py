"""Phased empirical risk minimisation in doubles: the regularised model's solver once a phase."""

from typing import Any

import numpy as np

from dpsco.fast.algorithms.dp_sgd.algorithm import problem
from dpsco.fast.algorithms.phased.sgd import rows_of_noise
from dpsco.fast.algorithms.regularised_quantile import solve
from dpsco.fast.kernel import bind
from dpsco.spec.algorithms.phased import erm as spec
from dpsco.spec.algorithms.phased.sgd import lengths

Array = Any


def descend(
    X: Array, y: Array, normals: Array, eta: float, r: float, sigma: float, tolerance: float
) -> tuple[Array, Array, float]:
    features, targets = problem(X, y)
    d, sizes = features.shape[1], lengths(len(targets))
    noise = rows_of_noise(normals, d, len(sizes))
    released, minimisers = np.zeros((len(sizes) + 1, d)), np.zeros((len(sizes), d))
    used, step, worst = 0, float(eta), 0.0
    for i, size in enumerate(sizes):
        step *= 0.25
        part = slice(used, used + size)
        minimisers[i], gap = solve(features[part], targets[part], released[i], r, 1.0 / (size * step), tolerance)
        released[i + 1] = minimisers[i] + sigma * step * noise[i]
        used, worst = used + size, max(worst, gap)
    return released, minimisers, worst


bind(descend, spec.descend)
