"""The methods of private quantile regression, by name: the arguments that each takes, what it spends, and its run."""

from typing import Any

import numpy as np

from dpsco.blocks.source import Blocks, from_arrays, in_memory, within_ball
from dpsco.fast.linear import into_ball
from dpsco.noise import descent, gradient_perturbation, objective
from dpsco.noise.asked import Asked, numbers, shown
from dpsco.noise.minimiser import check_digits, minimiser
from dpsco.noise.release import fine, normals, plus, seeded

METHODS = ("objective-perturbation", "dp-sgd", "gradient-perturbation")
OBJECTIVE, DP_SGD, _ = METHODS
MOST_COLUMNS = 5000
"""For objective perturbation: its Newton steps hold two matrices of columns x columns doubles, and solve with them."""
Spent = objective.Spent | descent.Descent


def check_method(method: Any, asked: Asked, noise: Any = None) -> None:
    """Refuse an unknown method, and arguments that another one takes. Raises ValueError naming the argument."""
    if not isinstance(method, str) or method not in METHODS:
        raise ValueError(f"method={shown(method)}: must be one of {', '.join(METHODS)}")
    foreign = {"steps": asked.steps, "step_length": asked.step_length}
    if method != OBJECTIVE:
        foreign = {"regularisation": asked.regularisation, "noise": noise}
    for name, value in foreign.items():
        if value is not None:
            raise ValueError(f"{name}={value!r}: must be left out for method={method!r}")


def check_size(method: str, n: int, d: int, steps: int | None) -> None:
    """Refuse data that a method has no room or no time for. Raises ValueError naming X or steps."""
    if method == OBJECTIVE and d > MOST_COLUMNS:
        raise ValueError(
            f"X has {d} columns: must have at most {MOST_COLUMNS} for method={method!r}; gradient-perturbation takes more"
        )
    if method == DP_SGD:
        descent.check_length(n, steps, d)


def calibrate(method: str, n: int, d: int, asked: Asked) -> Spent:
    """What a fit spends, from public quantities alone. Raises ValueError naming the argument, its value and what is allowed."""
    if method == OBJECTIVE:
        return objective.calibrate(n, d, asked)
    return (descent if method == DP_SGD else gradient_perturbation).calibrate(n, d, asked)


@np.errstate(all="ignore")  # a warning would tell of the rows
def run(blocks: Blocks, method: str, asked: Asked, spent: Any, noise: Any, seed: int | None) -> Any:
    """Coefficients of one fit at what is spent; noise and seed: None for the operating system's entropy.

    Returns  d numbers (outcome/feature)
    Raises   ValueError naming noise, seed or what the calibration leaves no digits for; as `dpsco.quantile_regression.fit`
    """
    d, bound = blocks.columns, asked.feature_bound
    if method == DP_SGD:
        drawn = descent.randomness(seed, spent, d)
        rows, outcomes = in_memory(blocks)
        return descent.run(into_ball(rows, bound)[0], outcomes, asked.kernel, asked.quantile, spent, drawn)
    if method != OBJECTIVE:
        secret = gradient_perturbation.randomness(seed, spent.steps, d)
        return gradient_perturbation.run(_inside(blocks, bound), asked, spent, secret)
    rounding = objective.rounding_expected(spent.n, d, spent.sigma, spent.lambda_, spent.bandwidth, asked)
    tolerance = objective.gradient_tolerance(spent.n, asked.quantile, bound, rounding)
    check_digits(spent, d, tolerance, rounding)
    b, w = _noise(noise, seed, d, spent.sigma)
    problem = (spent.bandwidth, asked.quantile, spent.lambda_, tolerance, bound, spent.n)
    theta = minimiser(asked.kernel, _inside(blocks, bound), b, *problem)
    # rounded after it is formed, to a public grid: post-processing, even where theta has more digits than a double
    return plus(theta, spent.sigma_output, w)


def _inside(blocks: Blocks, bound: float) -> Blocks:
    """Blocks with their rows in the ball, of at least one row."""
    if blocks.rows == 0:
        # a row of zeros adds a constant to the objective
        return from_arrays(np.zeros((1, blocks.columns)), np.zeros(1))
    return within_ball(blocks, bound)


def _noise(noise: Any, seed: int | None, d: int, sigma: float) -> tuple[Any, Any]:
    """(b, normal numbers of the output noise): given, seeded, or from the operating system's entropy."""
    if noise is not None:
        try:
            b = numbers("noise", noise)
        except ValueError as wrong:
            raise ValueError(f"{wrong}: must be {d} finite numbers") from None
        if b.shape != (d,):
            raise ValueError(f"noise has shape {b.shape}: must be {d} finite numbers")
        return b, np.zeros(d)
    if seed is not None:
        drawn = seeded(seed).standard_normal(2 * d)
        return fine(sigma, drawn[:d]), drawn[d:]
    secret = normals(2 * d)
    return fine(sigma, secret.part(0, d)), secret.part(d, 2 * d)
