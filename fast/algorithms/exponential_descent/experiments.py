"""Training on the unit sphere of R^3 with noise from a generator: the experiments' runs of n^2 steps, nothing stored.

Symbols: B the 3 by 3 model, g the mean gradient at B, w = (c - 2 B x)/|c - 2 B x| the maximiser inside the loss. What the
records add through w*(c) = -c/|c| is the same at every step and is summed once; mu drops out on the sphere. In the kernels
C and X are 3 x n, a row for each coordinate. The sums' order depends on the processor's vectors: two kinds of processor
agree in law and to rounding, not in every bit.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import kernel

Array = Any
BLOCK = 1024
"""Iterates that are added up before they join the sum, so that a long average keeps its digits."""


@kernel()
def constant_part(C: Array, X: Array) -> Array:
    """Sum over the records of w*(c) x^T; a record with c = 0 adds nothing."""
    found = np.zeros((3, 3))
    for i in range(C.shape[1]):
        size = math.sqrt(C[0, i] * C[0, i] + C[1, i] * C[1, i] + C[2, i] * C[2, i])
        if size > 0.0:
            for j in range(3):
                for k in range(3):
                    found[j, k] -= C[j, i] / size * X[k, i]
    return found


@kernel(fastmath={"reassoc"})
def gradient(C: Array, X: Array, constant: Array, B: Array, g: Array) -> None:
    """g = gradient at B of the mean smoothed SPO+ loss on the sphere; w = 0 where c = 2 B x."""
    # sums in any order, and each coordinate's numbers side by side: several records fit one instruction
    c0, c1, c2, x0, x1, x2 = C[0], C[1], C[2], X[0], X[1], X[2]
    a00, a01, a02 = 2.0 * B[0, 0], 2.0 * B[0, 1], 2.0 * B[0, 2]
    a10, a11, a12 = 2.0 * B[1, 0], 2.0 * B[1, 1], 2.0 * B[1, 2]
    a20, a21, a22 = 2.0 * B[2, 0], 2.0 * B[2, 1], 2.0 * B[2, 2]
    s00 = s01 = s02 = s10 = s11 = s12 = s20 = s21 = s22 = 0.0
    n = x0.size
    for i in range(n):
        v0 = c0[i] - (a00 * x0[i] + a01 * x1[i] + a02 * x2[i])
        v1 = c1[i] - (a10 * x0[i] + a11 * x1[i] + a12 * x2[i])
        v2 = c2[i] - (a20 * x0[i] + a21 * x1[i] + a22 * x2[i])
        square = v0 * v0 + v1 * v1 + v2 * v2
        scale = 1.0 / math.sqrt(square) if square > 0.0 else 0.0
        v0, v1, v2 = v0 * scale, v1 * scale, v2 * scale
        s00, s01, s02 = s00 + v0 * x0[i], s01 + v0 * x1[i], s02 + v0 * x2[i]
        s10, s11, s12 = s10 + v1 * x0[i], s11 + v1 * x1[i], s12 + v1 * x2[i]
        s20, s21, s22 = s20 + v2 * x0[i], s21 + v2 * x1[i], s22 + v2 * x2[i]
    g[0, 0], g[0, 1], g[0, 2] = constant[0, 0] - s00, constant[0, 1] - s01, constant[0, 2] - s02
    g[1, 0], g[1, 1], g[1, 2] = constant[1, 0] - s10, constant[1, 1] - s11, constant[1, 2] - s12
    g[2, 0], g[2, 1], g[2, 2] = constant[2, 0] - s20, constant[2, 1] - s21, constant[2, 2] - s22
    for j in range(3):
        for k in range(3):
            g[j, k] *= 2.0 / n


@kernel()
def add_half_sphere(B: Array, g: Array, favoured: float, eta: float, z: Array, generator: Any) -> None:
    """A step of exponential descent: nine normal numbers, then one uniform that picks the half."""
    side, square, norm = 0.0, 0.0, 0.0
    for j in range(3):
        for k in range(3):
            z[j, k] = generator.standard_normal()
            side += z[j, k] * g[j, k]
            square += z[j, k] * z[j, k]
            norm += g[j, k] * g[j, k]
    along = generator.random() < favoured
    flip = side < 0.0 if along else side > 0.0
    length = eta * math.sqrt(norm / square)
    for j in range(3):
        for k in range(3):
            B[j, k] += length * z[j, k] if flip else -length * z[j, k]


@kernel()
def average(
    exponential: bool, C: Array, X: Array, steps: int, favoured: float, eta: float, sigma: float, generator: Any
) -> Array:
    """(B_1 + ... + B_T)/T for T - 1 = steps."""
    constant = constant_part(C, X)
    B, g, z, block, total = np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3))
    for t in range(steps):
        gradient(C, X, constant, B, g)
        if exponential:
            add_half_sphere(B, g, favoured, eta, z, generator)
        elif sigma > 0.0:
            for j in range(3):
                for k in range(3):
                    B[j, k] -= eta * (g[j, k] + sigma * generator.standard_normal())
        else:
            for j in range(3):
                for k in range(3):
                    B[j, k] -= eta * g[j, k]
        for j in range(3):
            for k in range(3):
                block[j, k] += B[j, k]
        if t % BLOCK == BLOCK - 1:
            for j in range(3):
                for k in range(3):
                    total[j, k] += block[j, k]
                    block[j, k] = 0.0
    for j in range(3):
        for k in range(3):
            total[j, k] = (total[j, k] + block[j, k]) / (steps + 1)
    return total


def exponential_descent(C: Array, X: Array, steps: int, epsilon: float, eta: float, generator: Any) -> Array:
    """The average of the T = steps + 1 iterates of exponential descent, not projected; `epsilon` is one step's parameter.

    Domain   C, X: n x 3, n >= 1; steps >= 0, epsilon >= 0, eta > 0; generator: a numpy.random.Generator
    Returns  3 x 3 (model); a step takes nine normal numbers of the generator and one uniform
    Raises   ValueError for another shape, or a number outside the domain
    Source   spo, Algorithm 1 with S the unit sphere of R^3
    """
    if not epsilon >= 0.0:
        raise ValueError(f"epsilon={epsilon}: must be at least 0")
    return average(True, *_records(C, X), _count(steps), 1.0 / (1.0 + math.exp(-epsilon)), _length(eta), 0.0, generator)


def gaussian_descent(C: Array, X: Array, steps: int, sigma: float, eta: float, generator: Any) -> Array:
    """The same of Gaussian descent, noise in all nine coordinates; sigma = 0 is training without privacy.

    Domain   C, X: n x 3, n >= 1; steps >= 0, sigma >= 0 (loss/model), eta > 0; generator: a numpy.random.Generator
    Returns  3 x 3 (model); a step takes nine normal numbers of the generator, none if sigma = 0
    Raises   ValueError for another shape, or a number outside the domain
    Source   spo, Algorithm 2 with S the unit sphere of R^3
    """
    if not 0.0 <= sigma < math.inf:
        raise ValueError(f"sigma={sigma}: must be at least 0 and finite")
    return average(False, *_records(C, X), _count(steps), 0.0, _length(eta), float(sigma), generator)


def _records(C: Array, X: Array) -> tuple[Array, Array]:
    costs, features = (np.asarray(a, dtype=np.float64) for a in (C, X))
    if costs.ndim != 2 or costs.shape[1:] != (3,) or features.shape != costs.shape or len(costs) == 0:
        raise ValueError(f"C and X have the shape (n, 3), n at least 1, got {costs.shape} and {features.shape}")
    return np.ascontiguousarray(costs.T), np.ascontiguousarray(features.T)


def _count(steps: int) -> int:
    if steps < 0:
        raise ValueError(f"steps={steps}: must be at least 0")
    return int(steps)


def _length(eta: float) -> float:
    if not 0.0 < eta < math.inf:
        raise ValueError(f"eta={eta}: must be positive and finite")
    return float(eta)
