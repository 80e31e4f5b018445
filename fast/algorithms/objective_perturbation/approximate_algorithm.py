"""Approximate objective perturbation: Newton's minimiser for linear predictors, accelerated gradients for any other loss.

Over a ball the minimiser is that of a larger ridge, whose multiplier a bracketed secant finds. Every answer comes with a
bound of its own accuracy, J(theta) - min J <= max over v in C of <grad J(theta), theta - v> - lambda |theta - v|^2.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dpsco.fast.algorithms.objective_perturbation import algorithm
from dpsco.fast.kernel import bind, only_read
from dpsco.fast.linear import norm_of
from dpsco.fast.losses.kernels import argument
from dpsco.fast.stages import slopes
from dpsco.spec.algorithms.objective_perturbation import approximate_algorithm as spec
from dpsco.spec.losses.kernels import Kernel

Array = Any
ROOTS = 120
"""Multipliers tried before the best point so far is given back."""
SHARE = 0.25
"""Share of alpha that the solver's own error may take."""


def into_ball(point: Array, radius: float) -> Array:
    """The nearest point of the ball; rounding never leaves it outside by more than an ulp or two."""
    length = float(norm_of(point))
    return point if length <= radius else point * (radius / length)


def accuracy(slope: Array, theta: Array, lambda_: float, project: Callable[[Array], Array]) -> float:
    """The bound above, for J with the gradient `slope` at theta and the modulus 2 lambda."""
    step = theta - project(theta - slope / (2.0 * lambda_))
    return max(float(slope @ step - lambda_ * (step @ step)), 0.0)  # v = theta gives 0


def minimise_within(
    gradient: Callable[[Array], Array],
    project: Callable[[Array], Array],
    lambda_: float,
    smoothness: float,
    start: Array,
    alpha: float,
    steps: int = 100_000,
) -> tuple[Array, float]:
    """A point of C within alpha of the least value of any 2 lambda-strongly convex smooth J: accelerated projected gradients.

    Domain   gradient of J, projection onto the closed convex C, lambda_ > 0, smoothness of J, a start in C, alpha > 0
    Returns  (theta, the bound of J(theta) - min J); the bound exceeds `alpha` where `steps` or arithmetic allow no better
    """
    root = math.sqrt(2.0 * lambda_ / smoothness)
    momentum = (1.0 - root) / (1.0 + root)
    at, ahead, best, least = start, start, start, math.inf
    for _ in range(steps):
        moved = project(ahead - gradient(ahead) / smoothness)
        gap = accuracy(gradient(moved), moved, lambda_, project)
        if gap < least:
            best, least = moved, gap
        if least <= alpha or not math.isfinite(gap):
            break
        at, ahead = moved, moved + momentum * (moved - at)
    return best, least


def minimise(
    kernel: Kernel, X: Array, y: Array, G: Array, h: float, r: float, lambda_: float, radius: float, alpha: float
) -> tuple[Array, float]:
    rows, outcomes, noise = (only_read(a) for a in (X, y, G))
    which, pull = argument(kernel), noise / len(outcomes)
    tolerance = math.sqrt(4.0 * lambda_ * SHARE * alpha)

    def reached(multiplier: float) -> tuple[Array, float, float]:
        free, _ = algorithm.solve(kernel, rows, outcomes, noise, h, r, lambda_ + multiplier, tolerance)
        theta = into_ball(free, radius)
        slope, _, _ = slopes(which, rows, outcomes, pull, h, r, lambda_, theta, 0)
        return theta, accuracy(slope, theta, lambda_, lambda point: into_ball(point, radius)), float(norm_of(free))

    theta, gap, length = reached(0.0)
    best, least = theta, gap
    low, high, at_low, at_high = 0.0, math.inf, 1.0 / radius - 1.0 / length if length > 0.0 else 0.0, 0.0
    multiplier = lambda_
    for tried in range(ROOTS):
        if least <= alpha:
            break
        # 1/length is nearly linear in the multiplier, which a secant uses; bisection every third time keeps it honest
        theta, gap, length = reached(multiplier)
        tolerance = max(tolerance * 0.7, 1e-15)
        if gap < least:
            best, least = theta, gap
        excess = 1.0 / radius - 1.0 / length if length > 0.0 else -math.inf
        if excess > 0.0:
            low, at_low = multiplier, excess
        else:
            high, at_high = multiplier, excess
        if math.isinf(high):
            multiplier *= 8.0
        elif tried % 3 == 2 or not math.isfinite(at_high) or at_low == at_high:
            multiplier = (low + high) / 2.0
        else:
            multiplier = low + (high - low) * at_low / (at_low - at_high)
    return best, least


def project(theta: Array, H: Array, radius: float) -> Array:
    return into_ball(np.asarray(theta, dtype=np.float64) + np.asarray(H, dtype=np.float64), float(radius))


bind(minimise, spec.minimise)
bind(project, spec.project)
