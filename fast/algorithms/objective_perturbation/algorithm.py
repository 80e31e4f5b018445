"""Minimiser of the perturbed objective: damped Newton on one fused pass over the rows.

Many rows: Newton steps on every k-th row lead to where a few passes over all rows are enough; the Hessian is summed by BLAS
over the rows near the kink alone, and kept while its steps do well. Whatever that does not reach, `minimise` does.

Symbols: t = u/h the standardised residual, J the objective, g its gradient, H its Hessian (lower triangle).
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.linear import newton_direction, norm_of
from dpsco.fast.losses.kernels import GAUSSIAN, code, density_at, gap_at, tail_at
from dpsco.spec.algorithms.objective_perturbation import algorithm as spec

Array = Any
NEWTON_STEPS = 200
GRADIENT_STEPS = 200
WIDENING = 4.0
"""Factor between the bandwidths on the way from the outcomes' scale down to h."""
MANY = 100_000
"""Numbers in X from which the rows are visited in stages."""
STRIDES = (113, 11, 1)
"""Every k-th row is visited, stage by stage; primes that are no usual period of data."""
BLOCK = 2048
"""Rows whose part of the Hessian is summed at once: they stay in a core's cache."""
NEAR = 0.1
"""Share of the kernel's peak below which a row is left out of the Hessian."""
STAGE_PASSES = 20


@kernel()
def derivatives(
    which: int, X: Array, y: Array, b: Array, h: float, r: float, lambda_: float, theta: Array, g: Array, H: Array
) -> float:
    """J(theta) less a constant, with g and H filled in, in one pass over the rows."""
    n, d = X.shape
    total = 0.0
    g[:] = 0.0
    H[:] = 0.0
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
def newton(
    which: int, X: Array, y: Array, b: Array, h: float, r: float, lambda_: float, tolerance: float, theta: Array
) -> float:
    """Damped Newton steps from theta, in place; the norm of the gradient reached."""
    d = theta.size
    g, step, moved, new_g = np.zeros(d), np.zeros(d), np.zeros(d), np.zeros(d)
    H, new_H = np.zeros((d, d)), np.zeros((d, d))
    J = derivatives(which, X, y, b, h, r, lambda_, theta, g, H)
    size = norm_of(g)
    for _ in range(NEWTON_STEPS):
        if size <= tolerance or not newton_direction(H, g, step):
            break
        descent = 0.0
        for j in range(d):
            descent += g[j] * step[j]
        length = 1.0
        accepted = False
        for _ in range(60):
            for j in range(d):
                moved[j] = theta[j] - length * step[j]
            new_J = derivatives(which, X, y, b, h, r, lambda_, moved, new_g, new_H)
            new_size = norm_of(new_g)
            # J convex: a slope that has not turned upward means that J fell. Near the minimum J has no digits left to show
            # it, and a slope that has nearly vanished, with a smaller gradient, decides.
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
        J, size = new_J, new_size
        theta[:] = moved
        g[:] = new_g
        H[:] = new_H
    return size


@kernel()
def descend(
    which: int, X: Array, y: Array, b: Array, h: float, r: float, lambda_: float, tolerance: float, theta: Array
) -> float:
    """Gradient steps of the safe length 1/(smoothness bound), in place: where Newton's method broke down."""
    n, d = X.shape
    g, H, best = np.zeros(d), np.zeros((d, d)), theta.copy()
    trace = 0.0
    for i in range(n):
        for j in range(d):
            trace += X[i, j] * X[i, j] / n
    smoothness = 2.0 * lambda_ + density_at(which, 0.0, 0.0) * trace / h
    derivatives(which, X, y, b, h, r, lambda_, theta, g, H)
    least = norm_of(g)
    for _ in range(GRADIENT_STEPS):
        if least <= tolerance:
            break
        for j in range(d):
            theta[j] -= g[j] / smoothness
        derivatives(which, X, y, b, h, r, lambda_, theta, g, H)
        size = norm_of(g)
        if size < least:
            least = size
            best[:] = theta
    theta[:] = best
    return least


@kernel()
def minimise(
    which: int, X: Array, y: Array, b: Array, h: float, r: float, lambda_: float, tolerance: float
) -> tuple[Array, float]:
    """From wide bandwidths down to h, each started where the last one ended; then safe steps if that was not enough."""
    n, d = X.shape
    theta = np.zeros(d)
    scale = 0.0
    for i in range(n):
        scale += abs(y[i]) / n
    width = scale if math.isfinite(scale) else h
    while width > h * WIDENING:
        # a rough answer is enough on the way
        newton(which, X, y, b, width, r, lambda_, max(tolerance, 1e-3 * math.sqrt(tolerance)), theta)
        width /= WIDENING
    size = newton(which, X, y, b, h, r, lambda_, tolerance, theta)
    if not size <= tolerance:
        size = descend(which, X, y, b, h, r, lambda_, tolerance, theta)
        size = newton(which, X, y, b, h, r, lambda_, tolerance, theta)
    return theta, size


@kernel(fastmath={"reassoc", "contract"})
def sweep(
    which: int, X: Array, y: Array, h: float, r: float, theta: Array, start: int, end: int, stride: int, g: Array, near: Array
) -> int:
    """Adds the slopes of every stride-th row to g; K_h^(1/2) x of the rows near the kink into `near`, and how many these are.

    Sums in any order: nothing here is compared bit by bit.
    """
    d, kept = theta.size, 0
    least = NEAR * density_at(which, 0.0, 0.0)
    for i in range(start, end, stride):
        row = X[i]
        p = 0.0
        for j in range(d):
            p += row[j] * theta[j]
        t = (y[i] - p) / h
        # a gradient feels the tail's absolute error only: erfc is as good as the tail without relative error, and faster
        tail = 0.5 * math.erfc(abs(t) * 0.7071067811865476) if which == GAUSSIAN else tail_at(which, t, 0.0)
        slope = tail - r if t >= 0.0 else (1.0 - r) - tail
        for j in range(d):
            g[j] += slope * row[j]
        if near.size > 0:
            bend = density_at(which, t, 0.0)
            if bend > least:
                root = math.sqrt(bend / h)
                for j in range(d):
                    near[kept, j] = root * row[j]
                kept += 1
    return kept


def slopes(
    which: int, X: Array, y: Array, b: Array, h: float, r: float, lambda_: float, theta: Array, stride: int, bent: bool
) -> tuple[Array, Array, int]:
    """g and, where `bent`, about H, of every stride-th row with the whole ridge and noise; how many rows are in H."""
    n, d = X.shape
    g, H, kept = np.zeros(d), np.zeros((d, d)), 0
    near = np.empty((BLOCK if bent else 0, d))
    length = BLOCK * stride if bent else n
    for start in range(0, n, length):
        found = sweep(which, X, y, h, r, theta, start, min(start + length, n), stride, g, near)
        H += near[:found].T @ near[:found]
        kept += found
    rows = len(range(0, n, stride))
    H = H / rows + 2.0 * lambda_ * np.eye(d)
    return g / rows + 2.0 * lambda_ * theta + b / n, H, kept


def staged(
    which: int, X: Array, y: Array, b: Array, h: float, r: float, lambda_: float, tolerance: float
) -> tuple[Array, float]:
    """The best point of the last stage, and the norm of the gradient there: at most the tolerance, or Newton's steps fail."""
    d = X.shape[1]
    theta, best, least, step = np.zeros(d), np.zeros(d), math.inf, np.zeros(d)
    scale = float(np.mean(np.abs(y[:: STRIDES[0]])))
    width = max(h, scale) if math.isfinite(scale) else h
    for stride in STRIDES:
        H, ratio, last = np.zeros((0, 0)), 0.0, math.inf
        for _ in range(STAGE_PASSES):
            # the last factor serves again while the gradient shrinks fast with it, or is about to be small enough
            served = ratio <= 0.04 or (ratio <= 0.2 and last * ratio <= tolerance)
            fresh = H.size == 0 or width > h or not served
            g, found, kept = slopes(which, X, y, b, width, r, lambda_, theta, stride, fresh)
            H, size = found if fresh else H, float(norm_of(g))
            if stride == 1 and width == h and size < least:
                least, best = size, theta.copy()
            enough = stride == 1 and width == h and size <= tolerance
            few = stride > 1 and fresh and kept < 4 * d
            if enough or few or not math.isfinite(size) or not newton_direction(H.copy(), g, step):
                break
            theta, ratio, last = theta - step, size / last, size
            if stride > 1 and width == h:
                break  # its answer is no closer than the rows that it leaves out allow
            width = max(h, width / WIDENING)
    return best, least


def solve(
    kernel: str, X: Array, y: Array, b: Array, h: float, r: float, lambda_: float, tolerance: float
) -> tuple[Array, float]:
    rows, outcomes, noise = (np.ascontiguousarray(a, dtype=np.float64) for a in (X, y, b))
    given = (code(kernel), rows, outcomes, noise, float(h), float(r), float(lambda_), float(tolerance))
    if rows.size >= MANY:
        theta, size = staged(*given)
        if size <= tolerance:
            return theta, size
    theta, size = minimise(*given)
    return theta, float(size)


bind(solve, spec.solve)
