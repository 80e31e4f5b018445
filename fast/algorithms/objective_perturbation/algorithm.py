"""Minimiser of the perturbed objective: damped Newton on one fused pass over the rows; for many rows first in stages.

`dpsco.fast.stages` does most with a few passes over all rows; whatever it does not reach, `minimise` does, and what that does
not, `descend`.

Symbols: t = u/h the standardised residual, J the objective, g its gradient, H its Hessian (lower triangle).
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel, only_read
from dpsco.fast.linear import newton_direction, norm_of
from dpsco.fast.losses.kernels import argument, density_at, gap_at, tail_at
from dpsco.fast.losses.polynomial_kernel import Which
from dpsco.fast.stages import WIDENING, slopes, staged
from dpsco.spec.algorithms.objective_perturbation import algorithm as spec
from dpsco.spec.losses.kernels import Kernel

Array = Any
NEWTON_STEPS = 200
GRADIENT_STEPS = 20_000
PATIENCE = 1000
"""Accelerated steps without a smaller gradient after which rounding is taken to allow none."""
MANY = 100_000
"""Numbers in X from which the rows are visited in stages."""


@kernel()
def derivatives(
    which: Which, X: Array, y: Array, b: Array, h: float, r: float, lambda_: float, theta: Array, g: Array, H: Array
) -> float:
    """J(theta) less a constant, with g and H filled in, in one pass over the rows."""
    n, d = X.shape
    total = 0.0
    for j in range(d):
        g[j] = 0.0
        for k in range(j + 1):
            H[j, k] = 0.0
    for i in range(n):
        row = X[i]
        p = 0.0
        for j in range(d):
            p += row[j] * theta[j]
        u = y[i] - p
        t = u / h
        tail = tail_at(which, t, 0.0)
        slope = r - tail if u >= 0.0 else tail - (1.0 - r)
        # check loss at u less that at y: a huge outcome must not swallow the digits of all others
        if u >= 0.0:
            total += -r * p if y[i] >= 0.0 else r * u - (r - 1.0) * y[i]
        else:
            total += (1.0 - r) * p if y[i] < 0.0 else (r - 1.0) * u - r * y[i]
        total += h * gap_at(which, t, 0.0)
        bend = density_at(which, t, 0.0) / h
        for j in range(d):
            g[j] -= slope * row[j]
        if bend > 0.0:
            for j in range(d):
                scaled = bend * row[j]
                for k in range(j + 1):
                    H[j, k] += scaled * row[k]
    total /= n
    for j in range(d):
        total += lambda_ * theta[j] * theta[j] + b[j] * theta[j] / n
        g[j] = g[j] / n + 2.0 * lambda_ * theta[j] + b[j] / n
        for k in range(j + 1):
            H[j, k] /= n
        H[j, j] += 2.0 * lambda_
    return float(total)


@kernel()
def steps(
    which: Which,
    X: Array,
    y: Array,
    b: Array,
    h: float,
    r: float,
    lambda_: float,
    tolerance: float,
    wide: bool,
    theta: Array,
    vectors: Array,
    matrices: Array,
) -> float:
    """Damped Newton steps from theta, in place; the norm of the gradient reached.

    wide: at bandwidths from the outcomes' scale down to h, each started where the last one ended, else at h alone;
    vectors, matrices: room for 4 x d and 2 x d x d numbers, which numba would take a third of a second to make.
    """
    d = theta.size
    g, new_g, step, moved = vectors[0], vectors[1], vectors[2], vectors[3]
    H, new_H = matrices[0], matrices[1]
    width = h
    if wide:
        scale = 0.0
        for i in range(y.size):
            scale += abs(y[i]) / y.size
        width = scale if math.isfinite(scale) else h
    while True:
        last = width <= h * WIDENING
        at = h if last else width
        # a rough answer is enough on the way
        enough = tolerance if last else max(tolerance, 1e-3 * math.sqrt(tolerance))
        J = derivatives(which, X, y, b, at, r, lambda_, theta, g, H)
        size = norm_of(g)
        for _ in range(NEWTON_STEPS):
            if size <= enough or not newton_direction(H, g, step):
                break
            descent, length, accepted = 0.0, 1.0, False
            for j in range(d):
                descent += g[j] * step[j]
            for _ in range(60):
                for j in range(d):
                    moved[j] = theta[j] - length * step[j]
                new_J = derivatives(which, X, y, b, at, r, lambda_, moved, new_g, new_H)
                new_size = norm_of(new_g)
                # J convex: a slope that has not turned upward means that J fell. Near the minimum J has no digits left to
                # show it, and a slope that has nearly vanished, with a smaller gradient, decides.
                slope = 0.0
                for j in range(d):
                    slope -= new_g[j] * step[j]
                flat = slope <= 0.1 * descent and new_size < 0.9 * size
                if new_J <= J - 1e-4 * length * descent or slope <= 0.0 or flat:
                    accepted = True
                    break
                length *= 0.5
            if not accepted:
                break
            J, size, g, new_g, H, new_H = new_J, new_size, new_g, g, new_H, H
            for j in range(d):
                theta[j] = moved[j]
        if last:
            return size
        width /= WIDENING


def newton(
    which: Which, X: Array, y: Array, b: Array, h: float, r: float, lambda_: float, tolerance: float, theta: Array
) -> float:
    """Damped Newton steps from theta, in place; the norm of the gradient reached."""
    d = theta.size
    return steps(which, X, y, b, h, r, lambda_, tolerance, False, theta, np.empty((4, d)), np.empty((2, d, d)))


def minimise(
    which: Which, X: Array, y: Array, b: Array, h: float, r: float, lambda_: float, tolerance: float
) -> tuple[Array, float]:
    """From wide bandwidths down to h, each started where the last one ended."""
    d = X.shape[1]
    theta = np.zeros(d)
    return theta, steps(which, X, y, b, h, r, lambda_, tolerance, True, theta, np.empty((4, d)), np.empty((2, d, d)))


def descend(
    which: Which, X: Array, y: Array, b: Array, h: float, r: float, lambda_: float, tolerance: float, theta: Array
) -> float:
    """Nesterov's accelerated gradient steps, in place: slow, but nothing except rounding stops them.

    They need about (smoothness/(2 lambda))^(1/2) ln(1/tolerance) passes, and no Hessian, line search or luck.
    """
    with np.errstate(over="ignore"):
        squares = float(np.einsum("ij,ij->", X, X)) / X.shape[0]
    smoothness = density_at(which, 0.0, 0.0) * squares / h + 2.0 * lambda_
    if not math.isfinite(smoothness):
        return math.inf
    momentum = 2.0 / (1.0 + math.sqrt(2.0 * lambda_ / smoothness)) - 1.0
    at, ahead, best = theta.copy(), theta.copy(), theta.copy()
    least, since = math.inf, 0
    for _ in range(GRADIENT_STEPS):
        g, _, _ = slopes(which, X, y, b / X.shape[0], h, r, lambda_, ahead, 0)
        size = float(norm_of(g))
        since += 1
        if size < least:
            least, best, since = size, ahead, 0
        if least <= tolerance or since > PATIENCE or not math.isfinite(size):
            break
        moved = ahead - g / smoothness
        at, ahead = moved, moved + momentum * (moved - at)
    theta[:] = best
    return least


def solve(
    kernel: Kernel, X: Array, y: Array, b: Array, h: float, r: float, lambda_: float, tolerance: float
) -> tuple[Array, float]:
    rows, outcomes, noise = (only_read(a) for a in (X, y, b))
    given = (argument(kernel), rows, outcomes, noise, float(h), float(r), float(lambda_), float(tolerance))
    if rows.size >= MANY:
        theta, size = staged(*given)
        if size <= tolerance:
            return theta, size
    theta, size = minimise(*given)
    if not size <= tolerance:  # a gradient that is no number as well
        size = descend(*given, theta)
    if not size <= tolerance:
        size = newton(*given, theta)
    return theta, float(size)


bind(solve, spec.solve)
