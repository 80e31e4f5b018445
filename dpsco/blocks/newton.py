"""The minimiser of the perturbed objective, for data in blocks: a start from some of the rows, then a few passes over all.

Symbols: theta the point, h the bandwidth and w a wider one on the way to it, g the gradient, H about the Hessian, s the step.

Data that are one block are solved where they are, by `dpsco.fast.algorithms.objective_perturbation.algorithm.solve`. Else that
solves every k-th row, at the bandwidth k^(1/2) h that suits so few; from there every pass over the blocks gives g and H, and
Newton's step. On the way down to h a step is taken as it is; at h it is shortened until the objective has surely fallen, or
the gradient clearly has.
"""

import math
from typing import Any

import numpy as np

from dpsco.blocks.source import NUMBERS, ONE, Blocks, every, in_memory
from dpsco.spec.losses.kernels import Kernel

Array = Any
HELD = 8 * NUMBERS
"""Most numbers of the rows that the start is computed from; they are at most `ONE` rows too."""
NARROWING = 4.0
"""Factor between the bandwidths on the way down to h."""
MOST_PASSES = 400
PATIENCE = 60
"""Passes after which a step counts only if the objective has surely fallen with it."""


def summed(
    blocks: Blocks, kernel: Kernel, pull: Array, h: float, r: float, lambda_: float, theta: Array, skip: int
) -> tuple[Array, Array, float]:
    """g and about H of the mean over all rows, and the share of rows near the kink: one pass, blocks added in their order.

    g = (1/n) sum_i -c_h'(y_i - <x_i, theta>) x_i + 2 lambda theta + pull

    H, its lower triangle, is of rows 0, skip, 2 skip, ... and of those that are near the kink alone, scaled by what their
    densities are of all.
    skip = 0: g alone. Nothing but rounding depends on where the blocks end.
    """
    from dpsco.fast.kernel import only_read
    from dpsco.fast.linear import add_squares
    from dpsco.fast.losses.kernels import argument
    from dpsco.fast.stages import BLOCK, NEAR, sweep

    which, d = argument(kernel), blocks.columns

    def part(start: int, X: Array, y: Array) -> tuple[Array, Array, Array, int, int]:
        X, y = only_read(X), only_read(y)
        g, H, mass, near = np.zeros(d), np.zeros((d, d)), np.zeros(2), np.empty((BLOCK if skip else 0, d))
        if skip != 1:
            sweep(which, X, y, h, r, theta, 0, len(y), g, 0, NEAR, near, mass)
        slope, kept = (g if skip == 1 else np.zeros(d)), 0
        if skip > 1:
            X, y = (only_read(a[-start % skip :: skip]) for a in (X, y))
        few = len(y) if skip else 0
        for i in range(0, few, BLOCK):
            found = sweep(which, X, y, h, r, theta, i, min(i + BLOCK, few), slope, 1, NEAR, near, mass)
            add_squares(near[:found], H)
            kept += found
        return g, H, mass, few, kept

    g, H, mass, few, kept = np.zeros(d), np.zeros((d, d)), np.zeros(2), 0, 0
    for slope, bend, masses, rows, found in blocks.each(part):
        g += slope
        H += bend
        mass += masses
        few, kept = few + rows, kept + found
    scale = mass[0] / mass[1] / few if mass[1] > 0.0 else 0.0
    # `sweep` adds up downhill
    return 2.0 * lambda_ * theta + pull - g / blocks.rows, H * scale + 2.0 * lambda_ * np.eye(d), kept / max(few, 1)


def solve(
    kernel: Kernel, blocks: Blocks, b: Array, h: float, r: float, lambda_: float, tolerance: float
) -> tuple[Array, float]:
    """A minimiser of (1/rows) sum_i c_h(y_i - <x_i, theta>) + lambda |theta|^2 + <b, theta>/rows, and the norm there.

    Domain   blocks: checked, at least one row; b: d numbers (loss/decision); h > 0, 0 < r < 1, lambda_ > 0, tolerance > 0
    Returns  (d numbers, the norm in doubles); the norm exceeds `tolerance`, or is none, where arithmetic allows no better or
             `MOST_PASSES` over more than one block do not get there: the caller has other means, and data decide no refusal
    """
    from dpsco.fast.algorithms.objective_perturbation.algorithm import solve as solve_rows

    if blocks.count <= 1:
        return solve_rows(kernel, *in_memory(blocks), b, h, r, lambda_, tolerance)
    n, most = blocks.rows, max(1, min(ONE, HELD // blocks.columns))
    stride = max(2, -(-n // most))
    X, y = every(blocks, stride)
    wide = h * stride**0.5
    start, _ = solve_rows(kernel, X, y, b * (len(y) / n), wide, r, lambda_, max(tolerance, 1e-6 * float(np.abs(X).max())))
    return _newton(kernel, blocks, b / n, h, r, lambda_, tolerance, start, wide)


def _newton(
    kernel: Kernel,
    blocks: Blocks,
    pull: Array,
    h: float,
    r: float,
    lambda_: float,
    tolerance: float,
    theta: Array,
    wide: float,
) -> tuple[Array, float]:
    from dpsco.fast.linear import newton_direction, norm_of
    from dpsco.fast.stages import ENOUGH

    d, passes, crowd = theta.size, 0, 0.0
    step = np.zeros(d)

    def at(point: Array, width: float) -> tuple[Array, Array, float]:
        nonlocal passes, crowd
        passes += 1
        # rows enough, and no more work for H than for g
        skip = max(1, int(crowd * min(blocks.rows / (ENOUGH * d), d)))
        g, H, crowd = summed(blocks, kernel, pull, width, r, lambda_, point, skip)
        return g, H, float(norm_of(g))

    width = max(h, wide)
    g, H, size = at(theta, width)
    while width > h or size > tolerance:
        if passes >= MOST_PASSES or not newton_direction(H.copy(), g, step):
            return theta, math.inf  # at a wider bandwidth the norm is another problem's
        if width > h:
            theta, narrower = theta - step, max(h, width / NARROWING)
            crowd, width = crowd * narrower / width, narrower
            g, H, size = at(theta, width)
            continue
        fall, length = float(g @ step), 1.0
        while True:
            moved = theta - length * step
            new_g, new_H, new_size = at(moved, h)
            # J is convex: while the slope along the step has not turned upward, J has fallen
            slope = float(new_g @ step)
            enough = new_size <= tolerance or slope >= 0.0 or (new_size < 0.9 * size and passes <= PATIENCE)
            if enough or passes >= MOST_PASSES:
                break
            # where the slope vanishes, by a secant, kept away from both ends
            length *= min(max(fall / (fall - slope), 0.1), 0.9)
        theta, g, H, size = moved, new_g, new_H, new_size
    return theta, size
