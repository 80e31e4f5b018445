"""Noisy descent on batches in doubles; variants that draw their own records and noise.

Symbols: g the batch's mean gradient with its sign turned (so that a step adds it), w the noise of a step.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.algorithms.dp_sgd.algorithm import AT_ONCE, noise, problem
from dpsco.fast.algorithms.dp_sgd.seeded_noise import WORDS, fill_draws, fill_normals
from dpsco.fast.kernel import bind, kernel
from dpsco.fast.linear import norm_of, product
from dpsco.fast.losses.quantile.slopes import code, slopes_over
from dpsco.spec.algorithms.dp_sgd import minibatch as spec
from dpsco.spec.algorithms.dp_sgd import seeded_noise

Array = Any


@kernel(fastmath={"reassoc", "contract"})
def residuals_of(X: Array, y: Array, batch: Array, theta: Array, found: Array) -> None:
    """found = y - X theta for the records of the batch, four at a time: a quarter of theta's traffic."""
    d, size, i = theta.size, batch.size, 0
    while i + 3 < size:
        k0, k1, k2, k3 = batch[i], batch[i + 1], batch[i + 2], batch[i + 3]
        p0 = p1 = p2 = p3 = 0.0
        for j in range(d):
            p0 += X[k0, j] * theta[j]
            p1 += X[k1, j] * theta[j]
            p2 += X[k2, j] * theta[j]
            p3 += X[k3, j] * theta[j]
        found[i], found[i + 1], found[i + 2], found[i + 3] = y[k0] - p0, y[k1] - p1, y[k2] - p2, y[k3] - p3
        i += 4
    for k in range(i, size):
        found[k] = y[batch[k]] - product(X[batch[k]], theta)


@kernel(fastmath={"contract"})
def add_drawn(X: Array, batch: Array, weights: Array, total: Array) -> None:
    """total += sum of the batch's rows times their weights, eight at a time: an eighth of the total's traffic."""
    d, size, i = total.size, batch.size, 0
    while i + 7 < size:
        a0, a1, a2, a3 = batch[i], batch[i + 1], batch[i + 2], batch[i + 3]
        b0, b1, b2, b3 = batch[i + 4], batch[i + 5], batch[i + 6], batch[i + 7]
        v0, v1, v2, v3 = weights[i], weights[i + 1], weights[i + 2], weights[i + 3]
        w0, w1, w2, w3 = weights[i + 4], weights[i + 5], weights[i + 6], weights[i + 7]
        for j in range(d):
            a = (v0 * X[a0, j] + v1 * X[a1, j]) + (v2 * X[a2, j] + v3 * X[a3, j])
            b = (w0 * X[b0, j] + w1 * X[b1, j]) + (w2 * X[b2, j] + w3 * X[b3, j])
            total[j] += a + b
        i += 8
    for k in range(i, size):
        for j in range(d):
            total[j] += weights[k] * X[batch[k], j]


@kernel()
def pull(which: int, X: Array, y: Array, batch: Array, theta: Array, h: float, r: float, g: Array, spare: Array) -> None:
    """g = -(mean subgradient of the batch at theta); `spare` is 3 x batch."""
    residuals_of(X, y, batch, theta, spare[0])
    slopes_over(which, spare[0], h, r, spare[1], spare[2])
    g[:] = 0.0
    add_drawn(X, batch, spare[1], g)
    for j in range(g.size):
        g[j] /= batch.size


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
def advance(
    which: int,
    X: Array,
    y: Array,
    batches: Array,
    normals: Array,
    eta: float,
    h: float,
    r: float,
    sigma: float,
    B: float,
    unseen: int,
    theta: Array,
    total: Array,
    kept: Array,
) -> None:
    """Some more steps from theta, in place, and their iterates but the first `unseen` added to the total; each is a row of
    `kept`, if that has rows."""
    steps, d = normals.shape
    g, block, spare = np.zeros(d), np.zeros(d), np.empty((3, batches.shape[1]))
    for t in range(steps):
        pull(which, X, y, batches[t], theta, h, r, g, spare)
        move(theta, g, normals[t], eta, sigma, B)
        if t >= unseen:
            for j in range(d):
                block[j] += theta[j]
        if kept.shape[0] > 0:
            for j in range(d):
                kept[t, j] = theta[j]
    for j in range(d):
        total[j] += block[j]


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
    """The sum of the iterates but the first `skip`; a step takes `size` uniform numbers, then d normal ones."""
    n, d = X.shape
    theta, total, none, most = np.zeros(d), np.zeros(d), np.empty((0, d)), max(1, AT_ONCE // max(d, size))
    w, batches = np.empty((most, d)), np.empty((most, size), dtype=np.int64)
    for first in range(0, steps, most):
        now = min(most, steps - first)
        for t in range(now):
            for i in range(size):
                batches[t, i] = min(int(generator.random() * n), n - 1)
            for j in range(d):
                w[t, j] = generator.standard_normal()
        advance(which, X, y, batches[:now], w[:now], eta, h, r, sigma, B, skip - 1 - first, theta, total, none)
    return total


@kernel()
def walk_numbered(
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
    seed: Any,
    stream: Any,
) -> Array:
    """As `walk_alone`, with draws and normal numbers by their number."""
    n, d = X.shape
    theta, total, none = np.zeros(d), np.zeros(d), np.empty((0, d))
    most = 4 * max(1, AT_ONCE // (4 * max(d, size)))  # fours of steps: they end where a counter's numbers do
    words = np.empty(max(WORDS, most * size), dtype=np.uint64)
    w, batches = np.empty((most, d)), np.empty((most, size), dtype=np.int64)
    for first in range(0, steps, most):
        fill_draws(seed, stream, np.uint64(first // 2 * size), np.uint64(n), words, batches.reshape(-1))
        fill_normals(seed, stream, np.uint64(first // 4 * d), words, w.reshape(-1))
        now = min(most, steps - first)
        advance(which, X, y, batches[:now], w[:now], eta, h, r, sigma, B, skip - 1 - first, theta, total, none)
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
    scalars, d = (float(eta), float(h), float(r), float(sigma), float(B)), features.shape[1]
    found = np.zeros((len(rows) + 1, d))
    advance(code(loss), features, targets, chosen, rows, *scalars, len(rows), np.zeros(d), np.zeros(d), found[1:])
    return found


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
    counts = _counts(steps, size, eta)
    features, targets = problem(X, y)
    scalars = (float(eta), float(h), float(r), float(sigma), float(B))
    found = walk_alone(code(loss), features, targets, *counts, *scalars, _left_out(skip, steps), generator)
    return found / (steps + 1 - skip)


def simulate_numbered(
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
    seed: int,
    stream: int,
) -> Array:
    counts = _counts(steps, size, eta)
    features, targets = problem(X, y)
    key = seeded_noise.key(seed, stream, steps * max(size, features.shape[1]), len(targets))
    scalars = (float(eta), float(h), float(r), float(sigma), float(B))
    found = walk_numbered(code(loss), features, targets, *counts, *scalars, _left_out(skip, steps), *map(np.uint64, key))
    return found / (steps + 1 - skip)


def _counts(steps: int, size: int, eta: float) -> tuple[int, int]:
    if steps < 0 or size < 1 or not math.isfinite(eta):
        raise ValueError(f"steps={steps}, size={size}, eta={eta}: steps at least 0, size at least 1, eta a finite number")
    return int(steps), int(size)


def _left_out(skip: int, steps: int) -> int:
    if not 0 <= skip <= steps:
        raise ValueError(f"skip={skip}: must be one of 0, ..., {steps}")
    return int(skip)


bind(iterates, spec.iterates)
bind(descend, spec.descend)
bind(simulate_numbered, spec.simulate_numbered)
