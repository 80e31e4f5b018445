"""Gaussian descent in doubles: the gradient of exponential descent's kernel, noise added in place.

Symbols: B the model, rows of Bhat one after the other; g the gradient at B; Z the noise of all steps.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.algorithms.exponential_descent.algorithm import gradient
from dpsco.fast.algorithms.gradient_perturbation.algorithm import averaged
from dpsco.fast.kernel import bind, kernel
from dpsco.spec.algorithms.exponential_descent.algorithm import SHAPES
from dpsco.spec.algorithms.gradient_perturbation import gaussian_descent as spec

Array = Any


@kernel()
def path(
    ball: bool, C: Array, X: Array, Z: Array, eta: float, mu: float, radius: float, sigma: float, found: Array, g: Array
) -> None:
    """The rows of `found` after its first, where it starts: one a row of Z."""
    for t in range(Z.shape[0]):
        gradient(ball, C, X, mu, radius, found[t], g)
        for j in range(g.size):
            found[t + 1, j] = found[t, j] - eta * (g[j] + sigma * Z[t, j])


def descend(
    shape: str, costs: Array, features: Array, normals: Array, eta: float, mu: float, radius: float, sigma: float
) -> Array:
    C, X = _problem(costs, features)
    Z = np.ascontiguousarray(normals, dtype=np.float64).reshape(len(normals), C.shape[1] * X.shape[1])
    found, scalars = np.zeros((len(Z) + 1, Z.shape[1])), (float(eta), float(mu), float(radius), float(sigma))
    path(_is_ball(shape), C, X, Z, *scalars, found, np.zeros(Z.shape[1]))
    return found


def simulate(
    shape: str,
    costs: Array,
    features: Array,
    steps: int,
    eta: float,
    mu: float,
    radius: float,
    sigma: float,
    generator: Any,
) -> tuple[Array, Array]:
    """Gaussian descent with noise from a generator, for runs whose noise is too large to store; not private.

    A step takes p d standard normal numbers of the generator.

    Domain   as `descend`; steps = T - 1 >= 0, generator: a numpy.random.Generator
    Returns  (average of the T iterates, last iterate), p d numbers each (model), not projected
    Raises   ValueError for an unknown set of decisions, a negative number of steps
    """
    if steps < 0 or not math.isfinite(eta):
        raise ValueError(f"steps={steps}, eta={eta}: steps is at least 0 and eta a finite number")
    scalars = (float(eta), float(mu), float(radius), float(sigma))
    ball, (C, X) = _is_ball(shape), _problem(costs, features)
    g = np.zeros(C.shape[1] * X.shape[1])
    return averaged(lambda Z, found: path(ball, C, X, Z, *scalars, found, g), int(steps), g.size, generator)


def _problem(costs: Array, features: Array) -> tuple[Array, Array]:
    return np.ascontiguousarray(costs, dtype=np.float64), np.ascontiguousarray(features, dtype=np.float64)


def _is_ball(shape: str) -> bool:
    if shape not in SHAPES:
        raise ValueError(f"shape={shape!r}: must be one of {', '.join(SHAPES)}")
    return shape == "ball"


bind(descend, spec.descend)
