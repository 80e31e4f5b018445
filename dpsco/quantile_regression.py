"""Private linear quantile regression: objective perturbation, or the average of DP-SGD's iterates.

    >>> from dpsco.quantile_regression import fit, predict
    >>> result = fit(X, y, quantile=0.5, epsilon=1.0, delta=1e-6, feature_bound=2.0)
    >>> predict(new, result.coefficients)

No intercept is added: give X a constant column, which then counts towards `feature_bound`. Rows outside the ball of radius
`feature_bound` are projected onto it. Outcomes need no bound: the loss is Lipschitz in the prediction. No default looks at the
data; n and d are public. The default bandwidth and ridge, or steps, suit coefficients of size `coefficient_scale`: scale the
data so.

Of a result only the coefficients depend on the data. Outside the guarantee: how long a fit takes, that data with a value that
is not a finite number are refused, and rounding in the drawing and adding of the noise.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpsco.fast.linear import into_ball
from dpsco.noise import descent
from dpsco.noise.asked import SIZES, check, check_release, normaliser, number, within
from dpsco.noise.minimiser import gradient_enclosed, gradient_rounding, minimiser
from dpsco.noise.objective import Spent, calibrate, gradient_tolerance
from dpsco.noise.release import gaussian_from_os

__all__ = ["METHODS", "Result", "fit", "gradient_enclosed", "gradient_rounding", "predict", "rows_projected", "without_privacy"]
METHODS = ("objective-perturbation", "dp-sgd")


@dataclass(frozen=True)
class Result:
    """Coefficients, what they cost, and whether they may be released. The coefficients alone depend on the data."""

    coefficients: Any
    spent: Spent | descent.Descent
    private: bool
    """False where noise or its seed was given, or the printed scale was asked for, whose guarantee is not proved: then the
    coefficients are for experiments only."""


def fit(
    X: Any,
    y: Any,
    *,
    quantile: float,
    epsilon: float,
    delta: float,
    feature_bound: float,
    n: int | None = None,
    method: str = "objective-perturbation",
    kernel: str = "logistic",
    bandwidth: float | None = None,
    regularisation: float | None = None,
    steps: int | None = None,
    step_length: float | None = None,
    adjacency: str = "replace-one",
    calibration: str = "certified",
    noise: Any = None,
    seed: int | None = None,
    coefficient_scale: float = 1.0,
) -> Result:
    """Private coefficients of a linear quantile regression.

    objective-perturbation: argmin (1/n) sum_i c_h(y_i - <x_i, theta>) + lambda |theta|^2 + <b, theta>/n, plus
    N(0, sigma_output^2 I); b ~ N(0, sigma^2 I)
    dp-sgd: average of theta_1 = 0, theta_{t+1} = theta_t - eta (gradient at a record drawn with replacement + N(0, sigma^2 I))

    Domain   X: rows x d and y: rows, finite; quantile in (0, 1); epsilon in [1e-9, 1e9]; delta in [1e-12, 1), down to 1e-300
             with noise or seed given; feature_bound (feature), bandwidth (outcome) or None, regularisation (loss/decision^2)
             or None, step_length (decision^2/loss) or None and coefficient_scale, the expected size of the coefficients, in
             [1e-100, 1e100]; kernel: gaussian, logistic, uniform, epanechnikov; adjacency: "replace-one", or, for objective
             perturbation, "add-one, n fixed", which needs n, a public number that all terms are divided by whatever the number
             of rows (no rows are allowed too); calibration: "certified", or "paper" for the printed scale, with the minimiser
             taken for exact; dp-sgd takes steps, None for n^2 - 1, no regularisation, and epsilon <= 1 with "paper"; noise: d
             numbers in place of b (no output noise then); seed: for experiments
    Returns  `Result`: coefficients (outcome/feature), what was spent, and whether they are private
    Raises   ValueError naming the argument, its value and what is allowed
    Source   quantile, Algorithms 1 and 2; defaults: as in Theorems 3.4 and 3.6 part 2, at B_theta = coefficient_scale

    Deviation: the certified noise is not the printed one. Objective perturbation pays 2 % of the budget for noise on the
    coefficients, as no solver returns the exact minimiser. Rounding in the gradient is accounted for, rounding in the noise
    itself is not: that is why a release has a least delta.
    """
    rows, outcomes = _data(X, y)
    d = rows.shape[1]
    quantile, epsilon, delta = number("quantile", quantile), number("epsilon", epsilon), number("delta", delta)
    feature_bound, coefficient_scale = number("feature_bound", feature_bound), number("coefficient_scale", coefficient_scale)
    bandwidth = None if bandwidth is None else number("bandwidth", bandwidth)
    regularisation = None if regularisation is None else number("regularisation", regularisation)
    step_length = None if step_length is None else number("step_length", step_length)
    if method not in METHODS:
        raise ValueError(f"method={method!r}: must be one of {', '.join(METHODS)}")
    sgd = method == "dp-sgd"
    foreign = {"regularisation": regularisation, "noise": noise} if sgd else {"steps": steps, "step_length": step_length}
    for name, value in foreign.items():
        if value is not None:
            raise ValueError(f"{name}={value!r}: must be left out for method={method!r}")
    public = (kernel, bandwidth, regularisation, adjacency, calibration, coefficient_scale)
    check(quantile, epsilon, delta, feature_bound, *public)
    if noise is not None and seed is not None:
        raise ValueError("noise and seed: give at most one of them")
    if noise is None and seed is None:
        check_release(delta)
    n = normaliser(n, len(rows), adjacency)
    if n == 0:
        raise ValueError(f"X has shape {rows.shape}: must have at least one row for adjacency={adjacency!r}")
    private = noise is None and seed is None and calibration == "certified"
    spent: Spent | descent.Descent
    if sgd:
        if seed is None:
            descent.check_release(n, steps, d)
        asked = (kernel, bandwidth, steps, step_length, adjacency, calibration, coefficient_scale)
        spent = descent.calibrate(n, d, quantile, epsilon, delta, feature_bound, *asked)
        secret = descent.randomness(seed, spent, d)
        rows = _projected(rows, feature_bound)
        released = descent.run(rows, outcomes, kernel, quantile, spent, secret)
    else:
        spent = calibrate(n, d, quantile, epsilon, delta, feature_bound, *public)
        tolerance = gradient_tolerance(n, quantile, feature_bound)
        b, w = _noise(noise, seed, d, spent)
        rows = _projected(rows, feature_bound)
        if len(rows) == 0:
            # a row of zeros adds a constant to the objective
            rows, outcomes = np.zeros((1, d)), np.zeros(1)
        theta = minimiser(kernel, rows, outcomes, b, spent.bandwidth, quantile, spent.lambda_, tolerance, feature_bound, n)
        # the sum is rounded after it is formed: rounding is post-processing, even where theta has more digits than a double
        released = np.array([float(t + z) for t, z in zip(theta, w.tolist(), strict=True)])
    return Result(coefficients=released, spent=spent, private=private)


def rows_projected(X: Any, feature_bound: float, *, not_private: bool = False) -> int:
    """How many rows are longer than `feature_bound`: a number of the data that no noise hides, not to be released.

    Domain   X: rows x d, finite; feature_bound as in `fit`; not_private: True, to say that this is understood
    Returns  a count of rows. Not private
    Raises   ValueError without not_private=True, and as `fit`
    """
    if not_private is not True:
        raise ValueError(f"not_private={not_private!r}: must be True, as this count is not private and is not to be released")
    rows, _ = _data(X, np.zeros(len(X)))
    bound = number("feature_bound", feature_bound)
    within("feature_bound", bound, *SIZES)
    return int(into_ball(rows, bound)[1])


def predict(X: Any, coefficients: Any) -> Any:
    """Fitted quantiles of new rows; they are not projected, as nothing is spent here.

    X coefficients

    Domain   X: rows x d, finite; coefficients: d numbers
    Returns  an outcome for each row
    Raises   ValueError where a value is not finite or the shapes do not fit
    """
    theta = np.asarray(coefficients, dtype=np.float64)
    rows, _ = _data(X, np.zeros(len(X)))
    if theta.shape != rows.shape[1:]:
        raise ValueError(f"X has shape {rows.shape}: must have {theta.size} columns, one for each coefficient")
    return rows @ theta


def without_privacy(X: Any, y: Any, *, quantile: float, bandwidth: float = 1e-8, regularisation: float = 1e-11) -> Any:
    """Coefficients without any noise, to compare with: quantile regression in the limit of no bandwidth and no ridge.

    Domain   as `fit`; bandwidth and regularisation: in units in which the mean |y| and the mean |x|^2 are 1
    Returns  d numbers (outcome/feature). Not private
    Raises   ValueError naming the argument; where the solver of doubles does not converge
    """
    from dpsco.fast.algorithms.objective_perturbation.algorithm import solve

    rows, outcomes = _data(X, y)
    check(number("quantile", quantile), 1.0, 0.5, 1.0, "uniform", bandwidth, regularisation, "replace-one", "certified", 1.0)
    if len(rows) == 0:
        raise ValueError(f"X has shape {rows.shape}: must have at least one row")
    size = np.sqrt((rows**2).mean(axis=0) * rows.shape[1])
    size[size == 0] = 1.0
    scale = float(np.abs(outcomes).mean()) or 1.0
    zero, tolerance = np.zeros(rows.shape[1]), max(1e-10, 16 * len(rows) * 2.0**-53)
    theta, reached = solve("uniform", rows / size, outcomes / scale, zero, bandwidth, quantile, regularisation, tolerance)
    if not reached <= 1e3 * tolerance:
        raise ValueError(f"bandwidth={bandwidth}, regularisation={regularisation}: too small, the solver stopped at {reached}")
    return theta * scale / size


def _data(X: Any, y: Any) -> tuple[Any, Any]:
    try:
        rows, outcomes = np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError) as wrong:
        raise ValueError(f"X and y: must be arrays of numbers ({wrong})") from None
    if rows.ndim != 2 or outcomes.ndim != 1:
        raise ValueError(f"X has shape {rows.shape}, y {outcomes.shape}: must be (n, d) and (n,)")
    if rows.shape[0] != outcomes.shape[0]:
        raise ValueError(f"X has {rows.shape[0]} rows, y {outcomes.shape[0]}: must be as many")
    if rows.shape[1] == 0:
        raise ValueError(f"X has shape {rows.shape}: must have at least one column")
    for name, values in (("X", rows), ("y", outcomes)):
        if not np.isfinite(values).all():
            raise ValueError(f"{name} holds a value that is not finite: all must be")
    return rows, outcomes


def _projected(rows: Any, bound: float) -> Any:
    """Rows scaled into the ball, a hair inside so that rounding cannot leave it; no flag says which."""
    return into_ball(rows, bound)[0]


def _noise(noise: Any, seed: int | None, d: int, scales: Spent) -> tuple[Any, Any]:
    """(b, output noise): given, seeded, or from the operating system's entropy."""
    if noise is not None:
        try:
            b = np.asarray(noise, dtype=np.float64)
        except (TypeError, ValueError) as wrong:
            raise ValueError(f"noise: must be {d} finite numbers ({wrong})") from None
        if b.shape != (d,) or not np.isfinite(b).all():
            raise ValueError(f"noise has shape {b.shape}: must be {d} finite numbers")
        return b, np.zeros(d)
    if seed is not None:
        try:
            random = np.random.Generator(np.random.Philox(seed))
        except (TypeError, ValueError):
            raise ValueError(f"seed={seed!r}: must be a whole number, at least 0") from None
        drawn = random.standard_normal(2 * d)
    else:
        drawn = np.array(gaussian_from_os(2 * d))
    return scales.sigma * drawn[:d], scales.sigma_output * drawn[d:]
