"""Gradient perturbation in doubles: one pass over the rows a step; a variant that draws its own noise.

Symbols: g the mean gradient with its sign turned (so that a step adds it), w the noise of a step.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.algorithms.dp_sgd.algorithm import BLOCK, noise, problem
from dpsco.fast.kernel import bind, kernel
from dpsco.fast.linear import ROWS, norm_of
from dpsco.fast.losses.kernels import code
from dpsco.fast.losses.quantile.slopes import add_slopes
from dpsco.spec.algorithms.gradient_perturbation import algorithm as spec

Array = Any


@kernel()
def descent(which: int, X: Array, y: Array, theta: Array, h: float, r: float, g: Array) -> None:
    """g = -(mean (sub)gradient of the loss at theta)."""
    n = y.size
    g[:] = 0.0
    t, slopes, bends = np.empty(min(n, ROWS)), np.empty(min(n, ROWS)), np.empty(min(n, ROWS))
    for i in range(0, n, ROWS):
        add_slopes(which, X[i : i + ROWS], y[i : i + ROWS], theta, h, r, g, t, slopes, bends)
    for j in range(theta.size):
        g[j] /= n


@kernel()
def walk(which: int, X: Array, y: Array, normals: Array, eta: float, h: float, r: float, sigma: float) -> Array:
    """theta_1, ..., theta_T as rows."""
    steps, d = normals.shape
    found, g = np.zeros((steps + 1, d)), np.zeros(d)
    for t in range(steps):
        descent(which, X, y, found[t], h, r, g)
        for j in range(d):
            found[t + 1, j] = found[t, j] + eta * (g[j] - sigma * normals[t, j])
    return found


@kernel()
def walk_alone(
    which: int, X: Array, y: Array, steps: int, eta: float, h: float, r: float, sigma: float, generator: Any
) -> tuple[Array, Array]:
    """The average and the last of steps + 1 iterates, d normal numbers a step."""
    d = X.shape[1]
    theta, block, total, g = np.zeros(d), np.zeros(d), np.zeros(d), np.zeros(d)
    for t in range(steps):
        descent(which, X, y, theta, h, r, g)
        for j in range(d):
            theta[j] += eta * (g[j] - sigma * generator.standard_normal())
            block[j] += theta[j]
        if t % BLOCK == BLOCK - 1:
            for j in range(d):
                total[j] += block[j]
                block[j] = 0.0
    for j in range(d):
        total[j] = (total[j] + block[j]) / (steps + 1)
    return total, theta


def iterates(kernel: str, X: Array, y: Array, normals: Array, eta: float, h: float, r: float, sigma: float) -> Array:
    features, targets = problem(X, y)
    rows = noise(normals, features.shape[1])
    return walk(code(kernel), features, targets, rows, float(eta), float(h), float(r), float(sigma))


def projected(theta: Array, B: float) -> Array:
    """The point of the ball of radius B > 0 that is nearest to theta."""
    size = norm_of(theta)
    return theta * (B / size) if size > B else theta


def descend(kernel: str, X: Array, y: Array, normals: Array, eta: float, h: float, r: float, sigma: float, B: float) -> Array:
    return projected(iterates(kernel, X, y, normals, eta, h, r, sigma).mean(axis=0), float(B))


def simulate(
    kernel: str, X: Array, y: Array, steps: int, eta: float, h: float, r: float, sigma: float, generator: Any
) -> tuple[Array, Array]:
    """Gradient perturbation with noise from a generator, for runs whose noise is too large to store; not private.

    A step takes d standard normal numbers of the generator.

    Domain   as `iterates`; steps = T - 1 >= 0, generator: a numpy.random.Generator
    Returns  (average of the T iterates, last iterate), d numbers each (decision), not projected
    Raises   ValueError for an unknown kernel, shapes that do not fit, a negative number of steps
    """
    if steps < 0 or not math.isfinite(eta):
        raise ValueError(f"steps={steps}, eta={eta}: steps is at least 0 and eta a finite number")
    scalars = (float(eta), float(h), float(r), float(sigma))
    return walk_alone(code(kernel), *problem(X, y), int(steps), *scalars, generator)


bind(iterates, spec.iterates)
bind(descend, spec.descend)
