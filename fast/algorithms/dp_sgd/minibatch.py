"""Noisy descent on batches in doubles; a variant that draws its own records and noise.

Symbols: g the batch's mean gradient with its sign turned (so that a step adds it), w the noise of a step.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.algorithms.dp_sgd.algorithm import BLOCK, noise, problem
from dpsco.fast.kernel import bind, kernel
from dpsco.fast.linear import norm_of, product
from dpsco.fast.losses.quantile.slopes import code, slopes_over
from dpsco.spec.algorithms.dp_sgd import minibatch as spec

Array = Any


@kernel(fastmath={"contract"})
def pull(which: int, X: Array, y: Array, batch: Array, theta: Array, h: float, r: float, g: Array, spare: Array) -> None:
    """g = -(mean subgradient of the batch at theta); `spare` is 3 x batch. Two rows at a time: half the traffic of g."""
    d, size, i = theta.size, batch.size, 0
    residuals, slopes = spare[0], spare[1]
    for k in range(size):
        residuals[k] = y[batch[k]] - product(X[batch[k]], theta)
    slopes_over(which, residuals, h, r, slopes, spare[2])
    g[:] = 0.0
    while i + 1 < size:
        a, b, p, q = X[batch[i]], X[batch[i + 1]], slopes[i], slopes[i + 1]
        for j in range(d):
            g[j] += p * a[j] + q * b[j]
        i += 2
    if i < size:
        a, p = X[batch[i]], slopes[i]
        for j in range(d):
            g[j] += p * a[j]
    for j in range(d):
        g[j] /= size


@kernel()
def move(theta: Array, g: Array, w: Array, eta: float, sigma: float, B: float) -> None:
    """theta + eta (g - sigma w) and from there to the nearest point of the ball, in place."""
    for j in range(theta.size):
        theta[j] += eta * (g[j] - sigma * w[j])
    if math.isfinite(B):
        size = norm_of(theta)
        if size > B:
            for j in range(theta.size):
                theta[j] *= B / size


@kernel()
def walk(
    which: int, X: Array, y: Array, batches: Array, normals: Array, eta: float, h: float, r: float, sigma: float, B: float
) -> Array:
    """theta_1, ..., theta_{T+1} as rows."""
    steps, d = normals.shape
    found, theta, g = np.zeros((steps + 1, d)), np.zeros(d), np.zeros(d)
    spare = np.empty((3, batches.shape[1]))
    for t in range(steps):
        pull(which, X, y, batches[t], theta, h, r, g, spare)
        move(theta, g, normals[t], eta, sigma, B)
        found[t + 1] = theta
    return found


@kernel()
def walk_alone(
    which: int,
    X: Array,
    y: Array,
    steps: int,
    size: int,
    eta: float,
    h: float,
    r: float,
    sigma: float,
    B: float,
    skip: int,
    generator: Any,
) -> Array:
    """The average of the iterates but the first `skip`; a step takes `size` uniform numbers, then d normal ones."""
    n, d = X.shape
    theta, block, total, g, w = np.zeros(d), np.zeros(d), np.zeros(d), np.zeros(d), np.zeros(d)
    batch, spare = np.zeros(size, dtype=np.int64), np.empty((3, size))
    for t in range(steps):
        for i in range(size):
            batch[i] = min(int(generator.random() * n), n - 1)
        for j in range(d):
            w[j] = generator.standard_normal()
        pull(which, X, y, batch, theta, h, r, g, spare)
        move(theta, g, w, eta, sigma, B)
        if t + 1 >= skip:  # the iterate theta_{t+2}
            for j in range(d):
                block[j] += theta[j]
        if t % BLOCK == BLOCK - 1:
            for j in range(d):
                total[j] += block[j]
                block[j] = 0.0
    for j in range(d):
        total[j] = (total[j] + block[j]) / (steps + 1 - skip)
    return total


def drawn(batches: Array, n: int, steps: int) -> Array:
    """The batches as rows of integers; ValueError where they have no such shape or hold what is no record."""
    rows = np.ascontiguousarray(batches, dtype=np.int64) if len(batches) else np.zeros((0, 1), dtype=np.int64)
    if len(rows) != steps:
        raise ValueError(f"one batch for each noise vector, got {len(rows)} batches and {steps} vectors")
    if rows.ndim != 2 or rows.shape[1] == 0:
        raise ValueError(f"batches hold equally many records each, at least one, got {rows.shape}")
    if rows.size and not (rows.min() >= 0 and rows.max() < n):
        raise ValueError(f"batches from {rows.min()} to {rows.max()}: every draw is one of 0, ..., {n - 1}")
    return rows


def iterates(
    loss: str,
    X: Array,
    y: Array,
    batches: Array,
    normals: Array,
    eta: float,
    h: float,
    r: float,
    sigma: float,
    B: float,
) -> Array:
    features, targets = problem(X, y)
    rows = noise(normals, features.shape[1])
    chosen = drawn(batches, len(targets), len(rows))
    return walk(code(loss), features, targets, chosen, rows, float(eta), float(h), float(r), float(sigma), float(B))


def descend(
    loss: str,
    X: Array,
    y: Array,
    batches: Array,
    normals: Array,
    eta: float,
    h: float,
    r: float,
    sigma: float,
    B: float,
    skip: int,
) -> Array:
    found = iterates(loss, X, y, batches, normals, eta, h, r, sigma, B)
    return found[_left_out(skip, len(found) - 1) :].mean(axis=0)


def simulate(
    loss: str,
    X: Array,
    y: Array,
    steps: int,
    size: int,
    eta: float,
    h: float,
    r: float,
    sigma: float,
    B: float,
    skip: int,
    generator: Any,
) -> Array:
    """The same with draws and noise from a generator, for runs whose noise is too large to store; for experiments, not private.

    A step takes `size` uniform numbers u of the generator, for records floor(n u), and then d standard normal numbers.

    Domain   as `descend`; steps = T >= 0, size >= 1 records a step, generator: a numpy.random.Generator
    Returns  the average of the iterates but the first `skip`, d numbers (decision)
    Raises   ValueError for an unknown loss, shapes that do not fit, a negative number of steps, an empty batch
    Deviation: records are uniform up to n/2^53, the spacing of the generator's uniform numbers.
    """
    if steps < 0 or size < 1 or not math.isfinite(eta):
        raise ValueError(f"steps={steps}, size={size}, eta={eta}: steps at least 0, size at least 1, eta a finite number")
    features, targets = problem(X, y)
    scalars = (float(eta), float(h), float(r), float(sigma), float(B))
    found = walk_alone(code(loss), features, targets, int(steps), int(size), *scalars, _left_out(skip, steps), generator)
    return found


def _left_out(skip: int, steps: int) -> int:
    if not 0 <= skip <= steps:
        raise ValueError(f"skip={skip}: must be one of 0, ..., {steps}")
    return int(skip)


bind(iterates, spec.iterates)
bind(descend, spec.descend)
