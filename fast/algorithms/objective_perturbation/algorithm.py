"""Minimiser of the perturbed objective: damped Newton on one fused pass over the rows.

Many rows: Newton steps on every k-th row lead to where a few passes over all rows are enough; the Hessian is summed over
the rows near the kink alone, and kept while its steps do well. Whatever that does not reach, `minimise` does.

Symbols: t = u/h the standardised residual, J the objective, g its gradient, H its Hessian (lower triangle).
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.linear import ROWS, add_rows, add_squares, newton_direction, norm_of, products
from dpsco.fast.losses.kernels import argument, density_at, gap_at, tail_at
from dpsco.fast.losses.polynomial_kernel import Which
from dpsco.fast.losses.quantile.slopes import add_slopes
from dpsco.spec.algorithms.objective_perturbation import algorithm as spec
from dpsco.spec.losses.kernels import Kernel

Array = Any
NEWTON_STEPS = 200
GRADIENT_STEPS = 20_000
PATIENCE = 1000
"""Accelerated steps without a smaller gradient after which rounding is taken to allow none."""
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
ENOUGH = 500
"""Rows a dimension beyond which no more of them are added to a Hessian."""
SERVES = 0.04
"""Ratio of two gradients up to which the Hessian is not computed anew."""
CLOSE = 0.3
"""Share of a step's slope that may be left where the bandwidth shrinks."""
STAGE_PASSES = 40


@kernel()
def derivatives(
    which: Which, X: Array, y: Array, b: Array, h: float, r: float, lambda_: float, theta: Array, g: Array, H: Array
) -> float:
    """J(theta) less a constant, with g and H filled in, in one pass over the rows."""
    (n, d), total = X.shape, 0.0
    g[:], H[:] = 0.0, 0.0
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
    which: Which, X: Array, y: Array, b: Array, h: float, r: float, lambda_: float, tolerance: float, theta: Array
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
        descent, length, accepted = 0.0, 1.0, False
        for j in range(d):
            descent += g[j] * step[j]
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
        J, size, g, new_g, H, new_H = new_J, new_size, new_g, g, new_H, H
        for j in range(d):
            theta[j] = moved[j]
    return size


@kernel()
def minimise(
    which: Which, X: Array, y: Array, b: Array, h: float, r: float, lambda_: float, tolerance: float
) -> tuple[Array, float]:
    """From wide bandwidths down to h, each started where the last one ended."""
    n, d = X.shape
    theta, scale = np.zeros(d), 0.0
    for i in range(n):
        scale += abs(y[i]) / n
    width = scale if math.isfinite(scale) else h
    while width > h * WIDENING:
        # a rough answer is enough on the way
        newton(which, X, y, b, width, r, lambda_, max(tolerance, 1e-3 * math.sqrt(tolerance)), theta)
        width /= WIDENING
    return theta, newton(which, X, y, b, h, r, lambda_, tolerance, theta)


@kernel(fastmath={"reassoc", "contract"})
def sweep(
    which: Which,
    X: Array,
    y: Array,
    h: float,
    r: float,
    theta: Array,
    start: int,
    end: int,
    g: Array,
    every: int,
    near: Array,
    mass: Array,
) -> int:
    """Adds the rows' slopes to g; writes K_h^(1/2) x of every so manieth row near the kink into `near` and returns how many.

    `mass` grows by K of all rows and of these. every = 0: the slopes alone. Sums in any order: no bits are compared here.
    """
    d, kept, seen = theta.size, 0, 0
    least = NEAR * density_at(which, 0.0, 0.0)
    t, slopes, bends = np.empty(ROWS), np.empty(ROWS), np.empty(ROWS)
    for first in range(start, end, ROWS):
        some = min(ROWS, end - first)
        block = X[first : first + some]
        add_slopes(which, block, y[first : first + some], theta, h, r, g, t, slopes, bends)
        if every > 0:
            for i in range(some):
                mass[0] += bends[i]
                if bends[i] > least:
                    seen += 1
                    if seen % every != 0:
                        continue
                    mass[1] += bends[i]
                    root = math.sqrt(bends[i] / h)
                    for j in range(d):
                        near[kept, j] = root * block[i, j]
                    kept += 1
    return kept


def slopes(
    which: Which, X: Array, y: Array, pull: Array, h: float, r: float, lambda_: float, theta: Array, every: int
) -> tuple[Array, Array, int]:
    """g and, unless every = 0, about H, with `pull` the noise's part of g; about how many rows are near the kink."""
    n, d = X.shape
    g, H, kept = np.zeros(d), np.zeros((d, d)), 0
    near, mass = np.empty((BLOCK if every else 0, d)), np.array([1e-300, 1e-300])
    length = BLOCK if every else n
    for start in range(0, n, length):
        found = sweep(which, X, y, h, r, theta, start, min(start + length, n), g, every, near, mass)
        add_squares(near[:found], H)
        kept += found
    # these rows stand for the others too
    return 2.0 * lambda_ * theta + pull - g / n, H * (mass[0] / mass[1] / n) + 2.0 * lambda_ * np.eye(d), kept * every


def beginning(rows: Array, outcomes: Array, lambda_: float) -> tuple[Array, float]:
    """Least squares or zero, whose residuals' median size is less, and that size: outliers pull at the first alone."""
    m, d = rows.shape
    step, zero, H, pull, fitted = np.zeros(d), np.zeros(d), np.zeros((d, d)), np.zeros(d), np.empty(m)
    size = float(np.median(np.abs(outcomes)))
    with np.errstate(all="ignore"):
        add_squares(rows, H)
        add_rows(rows, outcomes, pull)
        if newton_direction(H / m + 2.0 * lambda_ * np.eye(d), pull / m, step):
            products(rows, step, fitted)
            left = float(np.median(np.abs(outcomes - fitted)))
            if left < size:
                return step, left
    return zero, size if math.isfinite(size) else 0.0


def staged(
    which: Which, X: Array, y: Array, b: Array, h: float, r: float, lambda_: float, tolerance: float
) -> tuple[Array, float]:
    """The best point of the last stage, and the norm of the gradient there: at most the tolerance, or Newton's steps fail."""
    n, d = X.shape
    theta, width = beginning(np.ascontiguousarray(X[:: STRIDES[0]]), np.ascontiguousarray(y[:: STRIDES[0]]), lambda_)
    width, ratio, best, least, step = max(h, width), 1.0, theta, math.inf, np.zeros(d)
    crowd = 0.0  # share of rows near the kink
    for stride in STRIDES:
        rows, outcomes = (np.ascontiguousarray(a[::stride]) for a in (X, y))
        H, last, left, start, before, descent = np.zeros((0, 0)), math.inf, STAGE_PASSES, theta, 0.0, 0.0
        for _ in range(STAGE_PASSES):
            # the last factor serves again while the gradient shrinks fast with it, or is about to be small enough
            fresh = H.size == 0 or width > h or (ratio > SERVES and last * ratio > tolerance)
            every = max(1, int(crowd * len(outcomes) / (ENOUGH * d))) if fresh else 0
            g, found, kept = slopes(which, rows, outcomes, b / n, width, r, lambda_, theta, every)
            H, crowd, size = (found, kept / len(outcomes), norm_of(g)) if fresh else (H, crowd, norm_of(g))
            along = float(g @ step)  # the slope that the last step was to bring to 0, unlike |g| whatever the columns' units
            if width == before and not along >= -0.5 * descent:
                step, descent, ratio, H = step / 4.0, descent / 4.0, 1.0, np.zeros((0, 0))  # too far: back, a shorter step
                theta = start - step
                continue
            if 0.0 < last < math.inf:
                ratio = size / last
            if stride == 1 and width == h and size < least:
                least, best = size, theta.copy()
            few = stride > 1 and fresh and kept < 4 * d
            if width > h and width == before and not few and abs(along) <= CLOSE * descent:
                width, before = max(h, width / WIDENING), 0.0
                continue
            enough = stride == 1 and width == h and size <= tolerance
            if enough or few or not math.isfinite(size) or not newton_direction(H.copy(), g, step):
                break
            descent, start, theta, last, before = float(g @ step), theta, theta - step, size, width
            if stride > 1 and width == h:  # two steps: its answer is no closer than the rows that it leaves out allow
                left = min(left, 2) - 1
            if left == 0:
                break
    return best, least


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
    at, ahead, best, least, since = theta.copy(), theta.copy(), theta.copy(), math.inf, 0
    for _ in range(GRADIENT_STEPS):
        g, _, _ = slopes(which, X, y, b / X.shape[0], h, r, lambda_, ahead, 0)
        size, since = float(norm_of(g)), since + 1
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
    rows, outcomes, noise = (np.ascontiguousarray(a, dtype=np.float64) for a in (X, y, b))
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
