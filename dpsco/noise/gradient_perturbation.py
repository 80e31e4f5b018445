"""Gradient perturbation: Gaussian noise in every full gradient, one pass over the data a step, for data in blocks too."""

import math
from typing import Any

import numpy as np

from dpsco.blocks.newton import summed
from dpsco.blocks.source import Blocks
from dpsco.noise.asked import ADJACENCIES, SIZES, one_tree, whole, within
from dpsco.noise.descent import MOST_NUMBERS, ROOM, Descent
from dpsco.noise.objective import gradient_rounding, rounding_expected
from dpsco.noise.release import Normals, normals, plus
from dpsco.spec.claim import Adjacency
from dpsco.spec.losses.kernels import Kernel

MECHANISM = "gradient perturbation, average of the iterates"
STEPS = 100
"""Passes over the data where none are asked for: a public number. The utility analysis has n^2."""
SLACK = 8
"""Rounding in a gradient that is paid for, over what is expected."""


def calibrate(
    n: int,
    d: int,
    quantile: float,
    epsilon: float,
    delta: float,
    feature_bound: float,
    kernel: Kernel,
    bandwidth: float | None,
    steps: int | None,
    step_length: float | None,
    adjacency: str,
    calibration: str,
    coefficient_scale: float,
) -> Descent:
    """Noise that is enough for all iterates together: `steps` Gaussian answers, composed exactly.

    sigma = steps^(1/2) (Delta + 2 rounding)/mu, mu the largest of which the Gaussian profile is (epsilon, delta);
    Delta = 2 L/n where a record is replaced, L/n where one is added; step length and bandwidth as printed, T = steps + 1

    Domain   as `dpsco.noise.asked.check` says; n >= 1; steps: None for 100, or at least 1, steps d at most 1e8
    Raises   ValueError naming the argument, its value and what is allowed
    Source   newsvendor, Algorithm GP and the proofs of Theorems 3 and 4; B = coefficient_scale
    """
    one_tree()
    if calibration != "certified":
        raise ValueError(f"calibration={calibration!r}: must be 'certified' for method='gradient-perturbation'")
    length = STEPS if steps is None else whole("steps", steps, 1)
    if length * d > MOST_NUMBERS:
        raise ValueError(
            f"steps={length}: must be at most {MOST_NUMBERS // d} for d={d}, as each step draws d numbers of noise"
        )
    for name, value in (("bandwidth", bandwidth), ("step_length", step_length)):
        if value is not None:
            within(name, value, *SIZES)
    from dpsco.reference.losses.kernels import density, kappa_1
    from dpsco.reference.numbers.enclosure import arb
    from dpsco.reference.numbers.mp import mp
    from dpsco.reference.privacy.gaussian import solve_mu
    from dpsco.reference.rounding import downward, upward
    from dpsco.spec.algorithms.gradient_perturbation import algorithm as printed
    from dpsco.spec.algorithms.gradient_perturbation.privacy import sensitivity

    m, exact, slope = mp(30), arb(192), max(quantile, 1 - quantile)
    largest = exact.real(slope) * exact.real(feature_bound)
    moved = sensitivity(exact, exact.real(n), largest) / (1 if ADJACENCIES[Adjacency(adjacency)] else 2)
    mu = solve_mu(epsilon, delta)
    peak = density(m, kernel, m.real(0))
    if step_length is None:
        noise = m.real(upward(moved * exact.sqrt(exact.real(length)) / mu))
        given = (m.real(n), m.real(d), m.real(length + 1), m.real(coefficient_scale), m.real(feature_bound), m.real(slope))
        step_length = float(printed.step_length(m, *given, kappa_1(m, kernel), peak, noise))
    if bandwidth is None:
        bandwidth = float(printed.bandwidth(m, m.real(step_length), m.real(feature_bound), peak))
    if not (0 < step_length < math.inf and 0 < bandwidth < math.inf):
        raise ValueError(f"step_length={step_length}, bandwidth={bandwidth}: must be positive and within a double's range")
    room = exact.real(allowed(n, d, bandwidth, feature_bound, coefficient_scale, kernel))
    scale = exact.sqrt(exact.real(length)) / mu
    sigma = upward((moved + 2 * room) * scale * exact.real(1 + ROOM))
    lower = downward(moved * scale * exact.real(1 - ROOM))
    bound = "proved here for all iterates: Gaussian answers composed exactly, rounding included; the average is post-processing"
    return Descent(epsilon, delta, adjacency, n, MECHANISM, calibration, sigma, lower, length, step_length, bandwidth, bound)


def allowed(n: int, d: int, h: float, feature_bound: float, coefficient_scale: float, kernel: Kernel) -> float:
    """Rounding in a gradient that the noise pays for (loss/decision): 8 times what is expected."""
    return SLACK * rounding_expected(n, d, 0.0, 0.0, h, feature_bound, coefficient_scale, kernel)


def randomness(seed: int | None, steps: int, d: int) -> Any:
    """Standard normal numbers, steps x d from a seed, or `Normals`, steps d, from the operating system for a release.

    Raises   ValueError for a seed that is none
    """
    if seed is None:
        return normals(steps * d)
    try:
        return np.random.Generator(np.random.Philox(seed)).standard_normal((steps, d))
    except (TypeError, ValueError):
        raise ValueError(f"seed={seed!r}: must be a whole number, at least 0") from None


def run(
    blocks: Blocks,
    kernel: Kernel,
    quantile: float,
    spent: Descent,
    secret: Any,
    feature_bound: float,
    coefficient_scale: float,
) -> Any:
    """The average of the iterates, the zero vector included: theta - eta (gradient of the mean loss + sigma z) each step.

    For a release the sum in brackets is rounded to a public grid as it is formed: the rest is post-processing.

    Domain   blocks: checked, all rows in the ball; secret: from `randomness`
    Returns  d numbers (decision)
    Raises   ValueError at an iterate so large that rounding in its gradient is more than was paid for: that depends on noised
             answers alone, and tells nothing more than they do
    """
    d, share = blocks.columns, blocks.rows / spent.n
    theta, total, zeros = np.zeros(d), np.zeros(d), np.zeros(d)
    room = allowed(spent.n, d, spent.bandwidth, feature_bound, coefficient_scale, kernel)
    for z in secret.rows(d) if isinstance(secret, Normals) else secret:
        rounding = gradient_rounding(feature_bound, spent.bandwidth, blocks.terms, zeros, 0.0, theta, kernel)
        if not share * rounding <= room:
            raise ValueError(
                f"coefficient_scale={coefficient_scale}: must be larger, as an iterate has norm "
                f"{float(np.sqrt((theta**2).sum())):.3g}; or give a smaller step_length"
            )
        g, _, _ = summed(blocks, kernel, zeros, spent.bandwidth, quantile, 0.0, theta, 0)
        theta = theta - spent.step_length * plus(share * g, spent.sigma, z)
        total += theta
    return total / (spent.steps + 1)
