"""Gradient perturbation: Gaussian noise in every full gradient, one pass over the data a step, for data in blocks too."""

from typing import Any

import numpy as np

from dpsco.blocks.newton import summed
from dpsco.blocks.source import Blocks
from dpsco.noise.asked import ADJACENCIES, Asked, check, one_tree, whole
from dpsco.noise.descent import ROOM, Descent, spent_by
from dpsco.noise.objective import gradient_rounding, rounding_expected
from dpsco.noise.release import MOST_NUMBERS, Normals, normals, plus, seeded
from dpsco.spec.claim import Adjacency

MECHANISM = "gradient perturbation, average of the iterates"
STEPS = 100
"""Passes over the data where none are asked for: a public number. The utility analysis has n^2."""
SLACK = 8
"""Rounding in a gradient that is paid for, over what is expected."""


def calibrate(n: int, d: int, asked: Asked) -> Descent:
    """Noise that is enough for all iterates together: `steps` Gaussian answers, composed exactly.

    sigma = steps^(1/2) (Delta + 2 rounding)/mu, mu the largest of which the Gaussian profile is (epsilon, delta);
    Delta = 2 L/n where a record is replaced, L/n where one is added; step length and bandwidth as printed, T = steps + 1

    Domain   as `dpsco.noise.asked.check` says; n >= 1; steps: None for 100, or at least 1, steps d at most 1e8
    Raises   ValueError naming the argument, its value and what is allowed
    Source   newsvendor, Algorithm GP and the proofs of Theorems 3 and 4; B = coefficient_scale
    """
    one_tree()
    check(asked)
    if asked.calibration != "certified":
        raise ValueError(f"calibration={asked.calibration!r}: must be 'certified' for method='gradient-perturbation'")
    length = STEPS if asked.steps is None else whole("steps", asked.steps, 1)
    if length * d > MOST_NUMBERS:
        raise ValueError(
            f"steps={length}: must be at most {MOST_NUMBERS // d} for d={d}, as each step draws d numbers of noise"
        )
    from dpsco.reference.losses.kernels import density, kappa_1
    from dpsco.reference.numbers.enclosure import arb
    from dpsco.reference.numbers.mp import mp
    from dpsco.reference.privacy.gaussian import solve_mu
    from dpsco.reference.rounding import downward, upward
    from dpsco.spec.algorithms.gradient_perturbation import algorithm as printed
    from dpsco.spec.algorithms.gradient_perturbation.privacy import sensitivity

    m, exact, slope = mp(30), arb(192), max(asked.quantile, 1 - asked.quantile)
    largest = exact.real(slope) * exact.real(asked.feature_bound)
    moved = sensitivity(exact, exact.real(n), largest) / (1 if ADJACENCIES[Adjacency(asked.adjacency)] else 2)
    mu = solve_mu(asked.epsilon, asked.delta)
    peak, step_length, bandwidth = density(m, asked.kernel, m.real(0)), asked.step_length, asked.bandwidth
    if step_length is None:
        noise = m.real(upward(moved * exact.sqrt(exact.real(length)) / mu))
        sizes = (m.real(n), m.real(d), m.real(length + 1), m.real(asked.coefficient_scale), m.real(asked.feature_bound))
        step_length = float(printed.step_length(m, *sizes, m.real(slope), kappa_1(m, asked.kernel), peak, noise))
    if bandwidth is None:
        bandwidth = float(printed.bandwidth(m, m.real(step_length), m.real(asked.feature_bound), peak))
    room = exact.real(allowed(n, d, bandwidth, asked))
    scale = exact.sqrt(exact.real(length)) / mu
    sigma = upward((moved + 2 * room) * scale * exact.real(1 + ROOM))
    lower = downward(moved * scale * exact.real(1 - ROOM))
    bound = "proved here for all iterates: Gaussian answers composed exactly, rounding included; the average is post-processing"
    return spent_by(asked, n, MECHANISM, sigma, lower, length, step_length, bandwidth, bound, proved=True)


def allowed(n: int, d: int, h: float, asked: Asked) -> float:
    """Rounding in a gradient that the noise pays for (loss/decision): 8 times what is expected."""
    return SLACK * rounding_expected(n, d, 0.0, 0.0, h, asked)


def randomness(seed: int | None, steps: int, d: int) -> Any:
    """Standard normal numbers, steps x d from a seed, or `Normals`, steps d, from the operating system for a release.

    Raises   ValueError for a seed that is none
    """
    if seed is None:
        return normals(steps * d)
    return seeded(seed).standard_normal((steps, d))


def run(blocks: Blocks, asked: Asked, spent: Descent, secret: Any) -> Any:
    """The average of the iterates, the zero vector included: theta - eta (gradient of the mean loss + sigma z) each step.

    For a release the sum in brackets is rounded to a public grid as it is formed: the rest is post-processing.

    Domain   blocks: checked, all rows in the ball; secret: from `randomness`
    Returns  d numbers (decision)
    Raises   ValueError at an iterate so large that rounding in its gradient is more than was paid for: that depends on noised
             answers alone, and tells nothing more than they do
    """
    d, share = blocks.columns, blocks.rows / spent.n
    theta, total, zeros = np.zeros(d), np.zeros(d), np.zeros(d)
    room = allowed(spent.n, d, spent.bandwidth, asked)
    for z in secret.rows(d) if isinstance(secret, Normals) else secret:
        rounding = gradient_rounding(asked.feature_bound, spent.bandwidth, blocks.terms, zeros, 0.0, theta, asked.kernel)
        if not share * rounding <= room:
            raise ValueError(
                f"coefficient_scale={asked.coefficient_scale}: must be larger, as an iterate has norm "
                f"{float(np.sqrt((theta**2).sum())):.3g}; or give a smaller step_length"
            )
        g, _, _ = summed(blocks, asked.kernel, zeros, spent.bandwidth, asked.quantile, 0.0, theta, 0)
        theta = theta - spent.step_length * plus(share * g, spent.sigma, z)
        total += theta
    return total / (spent.steps + 1)
