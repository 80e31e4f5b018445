"""DP-SGD in doubles: one record a step, nothing stored but what is asked for; a variant that draws its own noise.

Symbols: u the residual y - theta'x, c its loss's slope (the gradient is -c x), w the noise of a step, k the drawn record.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.algorithms.dp_sgd.seeded_noise import WORDS, fill_draws, fill_normals
from dpsco.fast.kernel import bind, kernel, only_read
from dpsco.fast.linear import product
from dpsco.fast.losses.kernels import argument, rough_tail_at
from dpsco.fast.losses.polynomial_kernel import Which
from dpsco.fast.prefetch import ask_row
from dpsco.fast.privacy.discrete_noise import rounded_by
from dpsco.spec.algorithms.dp_sgd import algorithm as spec
from dpsco.spec.algorithms.dp_sgd import seeded_noise
from dpsco.spec.losses.kernels import Kernel

Array = Any
BLOCK = 4096
"""Iterates that are added up before they join the total: rounding grows with the number of blocks, not of steps."""
AT_ONCE = 2048
"""Normal numbers made at a time: they stay near the core."""
LEAST = 1e-300
"""Bandwidth below which one over it counts as that over this: no data have residuals so small but 0."""
AHEAD = 3
"""Steps between the request for a record's row and its use: a row that lies far off takes about two."""


@kernel(forceinline=True)
def slope_of(which: Which, t: float, r: float) -> float:
    """c_h'(t h): r - calK(-t) written without cancellation in either tail."""
    tail = rough_tail_at(which, t)
    return r - tail if t >= 0.0 else tail - (1.0 - r)


@kernel()
def slope_at(which: Which, x: Array, target: float, theta: Array, h: float, r: float) -> float:
    """c_h'(y - theta'x)."""
    return slope_of(which, (target - product(x, theta)) / h, r)


@kernel()
def walk(
    which: Which, X: Array, y: Array, indices: Array, normals: Array, eta: float, h: float, r: float, sigma: float
) -> Array:
    """theta_1, ..., theta_T as rows."""
    steps, d = indices.size, X.shape[1]
    found = np.zeros((steps + 1, d))
    scale = eta * sigma
    for t in range(steps):
        k = indices[t]
        c = eta * slope_at(which, X[k], y[k], found[t], h, r)
        for j in range(d):
            found[t + 1, j] = found[t, j] + (c * X[k, j] - scale * normals[t, j])
    return found


@kernel()
def walk_alone(
    which: Which, X: Array, y: Array, steps: int, eta: float, h: float, r: float, sigma: float, generator: Any
) -> tuple[Array, Array]:
    """The average and the last of steps + 1 iterates: for each step one uniform number (the record), then d normal ones."""
    n, d = X.shape
    theta, total, most = np.zeros(d), np.zeros(d), max(1, AT_ONCE // d)
    indices, w = np.empty(most, dtype=np.int64), np.empty((most, d))
    for first in range(0, steps, most):
        now = min(most, steps - first)
        for t in range(now):
            indices[t] = min(int(generator.random() * n), n - 1)
            for j in range(d):
                w[t, j] = generator.standard_normal()
        advance(which, X, y, indices[:now], w[:now], eta, h, r, sigma, theta, total)
    for j in range(d):
        total[j] /= steps + 1
    return total, theta


@kernel(fastmath={"reassoc", "contract"})
def advance(
    which: Which,
    X: Array,
    y: Array,
    indices: Array,
    normals: Array,
    eta: float,
    h: float,
    r: float,
    sigma: float,
    theta: Array,
    total: Array,
) -> None:
    """Some more steps from theta, in place, and their iterates added to the total: noise that comes in blocks.

    A step's product with theta waits for the slope before it: so theta goes on without the last pull eta c x, one pass finds
    the products of the next record with that and with x, and only u = (y - p) - eta c q waits. So would a step whose row
    comes from far: rows are asked for some steps before. Numbers of records are unsigned: no negative one is looked for.
    """
    d, last, scale = theta.size, indices.size - 1, eta * sigma
    narrow = 1.0 / LEAST if 0.0 <= h <= LEAST else 1.0 / h  # finite: no residual and no bandwidth make no nan
    if last < 0:
        return
    before = now = np.uint64(indices[0])
    block, c, p, q = -theta, 0.0, product(X[now], theta), 0.0  # the first iterate is none of these steps'
    for t in range(last + 1):
        if t + AHEAD <= last:
            ask_row(X, indices[t + AHEAD])
        then = np.uint64(indices[t + 1 if t < last else t])
        slope = eta * slope_of(which, ((y[now] - p) - c * q) * narrow, r)
        p = q = 0.0
        for j in range(d):
            at = theta[j] + c * X[before, j]
            block[j] += at
            theta[j] = at - scale * normals[t, j]
            p += X[then, j] * theta[j]
            q += X[then, j] * X[now, j]
        before, now, c = now, then, slope
    for j in range(d):
        theta[j] += c * X[before, j]
        total[j] += block[j] + theta[j]


@kernel()
def advance_rounded(
    which: Which,
    X: Array,
    y: Array,
    indices: Array,
    first: int,
    normals: tuple[Array, Array, Array],
    eta: float,
    h: float,
    r: float,
    scale: tuple[int, float, float],
    theta: Array,
    total: Array,
    noised: Array,
) -> int:
    """As `advance` from the step `first` on, each gradient plus noise rounded to the grid of the noise in whole numbers.

    normals: signs, whole parts and words of `dpsco.fast.privacy.discrete_noise`, steps d of each; scale: `parts` and the units
    of a grid. Ends before a step that 64 bits do not decide, with its gradient in `noised`: returns its number.
    """
    d = theta.size
    (signs, wholes, words), (digits, unit, units) = normals, scale
    for t in range(first, indices.size):
        row = X[indices[t]]
        c = slope_at(which, row, y[indices[t]], theta, h, r)
        for j in range(d):
            i = t * d + j
            known, multiple = rounded_by(-c * row[j], digits, unit, signs[i], wholes[i], words[i])
            if known == 0:
                for k in range(d):
                    noised[k] = -c * row[k]
                return t
            noised[j] = float(multiple) * (unit * units)
        for j in range(d):
            theta[j] -= eta * noised[j]
            total[j] += theta[j]
    return int(indices.size)


@kernel()
def walk_numbered(
    which: Which, X: Array, y: Array, steps: int, eta: float, h: float, r: float, sigma: float, key: Any, stream: Any, room: Any
) -> None:
    """As `walk_alone`, with draws and normal numbers by their number; the sum of the iterates and the last one, in place.

    room: words; indices and w for fours of steps, which end where a counter's numbers do; w in one row; theta and total, zeros.
    It comes from outside, as numba takes longer to compile what makes it than the rest.
    """
    words, indices, w, row, theta, total = room
    for t in range(0, steps, indices.size):
        fill_draws(key, stream, np.uint64(t // 2), np.uint64(X.shape[0]), words, indices)
        fill_normals(key, stream, np.uint64(t // 4 * theta.size), words, row)
        now = min(indices.size, steps - t)
        advance(which, X, y, indices[:now], w[:now], eta, h, r, sigma, theta, total)


def problem(X: Array, y: Array) -> tuple[Array, Array]:
    """The data as C-contiguous doubles that are only read; ValueError where their shapes do not fit."""
    features, targets = only_read(X), only_read(y)
    if features.ndim != 2 or features.size == 0:
        raise ValueError(f"X has shape (n, d) with n and d at least 1, got {features.shape}")
    if targets.shape != features.shape[:1]:
        raise ValueError(f"y fits X of shape {features.shape}, got {targets.shape}")
    return features, targets


def noise(normals: Array, d: int) -> Array:
    """The noise vectors as rows; ValueError where they have another dimension."""
    rows = np.ascontiguousarray(normals, dtype=np.float64)
    if rows.size == 0:
        return np.zeros((0, d))
    if rows.ndim != 2 or rows.shape[1] != d:
        raise ValueError(f"normals has shape (T - 1, {d}), got {rows.shape}")
    return rows


def draws(indices: Array, n: int, steps: int) -> Array:
    """The drawn records as integers; ValueError where one is no record, or where there is not one for each noise vector."""
    chosen = np.ascontiguousarray(indices, dtype=np.int64).reshape(-1)
    if chosen.size != steps:
        raise ValueError(f"one draw for each noise vector, got {chosen.size} draws and {steps} vectors")
    if chosen.size and not (chosen.min() >= 0 and chosen.max() < n):
        raise ValueError(f"indices from {chosen.min()} to {chosen.max()}: every draw is one of 0, ..., {n - 1}")
    return chosen


def iterates(
    kernel: Kernel,
    X: Array,
    y: Array,
    indices: Array,
    normals: Array,
    eta: float,
    h: float,
    r: float,
    sigma: float,
) -> Array:
    features, targets = problem(X, y)
    rows = noise(normals, features.shape[1])
    chosen = draws(indices, len(targets), len(rows))
    return walk(argument(kernel), features, targets, chosen, rows, float(eta), float(h), float(r), float(sigma))


def descend(
    kernel: Kernel,
    X: Array,
    y: Array,
    indices: Array,
    normals: Array,
    eta: float,
    h: float,
    r: float,
    sigma: float,
) -> Array:
    return iterates(kernel, X, y, indices, normals, eta, h, r, sigma).mean(axis=0)


def simulate(
    kernel: Kernel, X: Array, y: Array, steps: int, eta: float, h: float, r: float, sigma: float, generator: Any
) -> tuple[Array, Array]:
    """DP-SGD with draws and noise from a generator, for runs whose noise is too large to store; for experiments, not private.

    A step takes one uniform number u of the generator, for record floor(n u), and then d standard normal numbers.

    Domain   as `iterates`; steps = T - 1 >= 0, generator: a numpy.random.Generator
    Returns  (average of the T iterates, last iterate), d numbers each (decision)
    Raises   ValueError for an unknown kernel, shapes that do not fit, a negative number of steps
    Deviation: records are uniform up to n/2^53, the spacing of the generator's uniform numbers.
    """
    if steps < 0 or not math.isfinite(eta):
        raise ValueError(f"steps={steps}, eta={eta}: steps is at least 0 and eta a finite number")
    scalars = (float(eta), float(h), float(r), float(sigma))
    return walk_alone(argument(kernel), *problem(X, y), int(steps), *scalars, generator)


def simulate_numbered(
    kernel: Kernel, X: Array, y: Array, steps: int, eta: float, h: float, r: float, sigma: float, seed: int, stream: int = 0
) -> tuple[Array, Array]:
    """`simulate` with draws and noise by number, made in vector instructions; for experiments, not private.

    Step t = 0, 1, ... takes draw t of the stream and its normal numbers t d, ..., t d + d - 1 (see `seeded_noise`), so that
    any part of a run can be replayed.

    Domain   as `iterates`; steps = T - 1 >= 0, seed and stream of 0, ..., 2^64 - 1, at most 2^32 - 1 records
    Returns  (average of the T iterates, last iterate), d numbers each (decision)
    Raises   ValueError for an unknown kernel, shapes that do not fit, a negative number of steps, a seed that is none
    """
    if steps < 0 or not math.isfinite(eta):
        raise ValueError(f"steps={steps}, eta={eta}: steps is at least 0 and eta a finite number")
    features, targets = problem(X, y)
    d = features.shape[1]
    key, branch = map(np.uint64, seeded_noise.key(seed, stream, steps * d, len(targets)))
    most = 4 * max(1, AT_ONCE // (4 * d))
    words, indices = np.empty(max(WORDS, most), dtype=np.uint64), np.empty(most, dtype=np.int64)
    w, theta, total = np.empty((most, d)), np.zeros(d), np.zeros(d)
    scalars = (float(eta), float(h), float(r), float(sigma))
    room = (words, indices, w, w.reshape(-1), theta, total)
    walk_numbered(argument(kernel), features, targets, int(steps), *scalars, key, branch, room)
    return total / (steps + 1), theta


bind(iterates, spec.iterates)
bind(descend, spec.descend)
