"""Gradient perturbation in doubles: one pass over the rows a step; a variant that draws its own noise.

Symbols: g the mean gradient with its sign turned (so that a step adds it), w the noise of a step.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dpsco.fast.algorithms.dp_sgd.algorithm import BLOCK, noise, problem
from dpsco.fast.kernel import bind, kernel
from dpsco.fast.linear import ROWS, norm_of
from dpsco.fast.losses.kernels import code
from dpsco.fast.losses.quantile.slopes import add_slopes
from dpsco.spec.algorithms.gradient_perturbation import algorithm as spec

Array = Any
AT_ONCE = 2**18
"""Normal numbers made at a time, where they are more than a step's."""


@kernel(inline="always")
def descent(which: int, X: Array, y: Array, theta: Array, h: float, r: float, g: Array, room: Array) -> None:
    """g = -(mean (sub)gradient of the loss at theta); `room`: 3 x min(n, ROWS) numbers, whatever they are."""
    n = y.size
    for j in range(g.size):
        g[j] = 0.0
    for i in range(0, n, ROWS):
        add_slopes(which, X[i : i + ROWS], y[i : i + ROWS], theta, h, r, g, room[0], room[1], room[2])
    for j in range(g.size):
        g[j] /= n


@kernel()
def walk(
    which: int, X: Array, y: Array, normals: Array, eta: float, h: float, r: float, sigma: float, found: Array, room: Array
) -> None:
    """The rows of `found` after its first, where it starts: one a row of `normals`."""
    for t in range(normals.shape[0]):
        theta, g = found[t], found[t + 1]
        descent(which, X, y, theta, h, r, g, room)
        for j in range(g.size):
            g[j] = theta[j] + eta * (g[j] - sigma * normals[t, j])


def iterates(kernel: str, X: Array, y: Array, normals: Array, eta: float, h: float, r: float, sigma: float) -> Array:
    features, targets = problem(X, y)
    rows = noise(normals, features.shape[1])
    found, scalars = np.zeros((len(rows) + 1, features.shape[1])), (float(eta), float(h), float(r), float(sigma))
    walk(code(kernel), features, targets, rows, *scalars, found, room_for(targets))
    return found


def room_for(y: Array) -> Array:
    """What `descent` works in."""
    return np.empty((3, min(len(y), ROWS)))


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
    which, (features, targets) = code(kernel), problem(X, y)
    scalars, room = (float(eta), float(h), float(r), float(sigma)), room_for(targets)
    return averaged(
        lambda normals, found: walk(which, features, targets, normals, *scalars, found, room),
        int(steps),
        features.shape[1],
        generator,
    )


def averaged(walked: Callable[[Array, Array], None], steps: int, d: int, generator: Any) -> tuple[Array, Array]:
    """The average and the last of steps + 1 iterates from 0 on: `walked` takes the noise of some of them and fills their rows.

    The generator is called here, in blocks: in a kernel it is code to compile, one number a call, and no faster.
    """
    most = max(1, min(BLOCK, steps, AT_ONCE // max(1, d)))
    total, found = np.zeros(d), np.zeros((most + 1, d))
    for first in range(0, steps, most):
        now = min(most, steps - first)
        walked(generator.standard_normal((now, d)), found[: now + 1])
        total += found[1 : now + 1].sum(axis=0)
        found[0] = found[now]
    return total / (steps + 1), found[0].copy()


bind(iterates, spec.iterates)
bind(descend, spec.descend)
