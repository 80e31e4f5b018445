"""Predict-then-optimise: exponential and Gaussian descent on S = [-1, 1], with the excess SPO+ or SPO risk in closed form.

Gaussian descent meets rare kinks: with chance A a record is (c, x) = (0, e_J), J uniform on 1, ..., p, whose loss is 2 |B_J|,
and otherwise x = 0; B* = 0, the slope 2 A/p along each axis is `steepness` times the noise's deviation over n. Exponential
descent starts slowly: every record is (c, x) = (2, 1), the loss is 4 (1 - B)_+, and B* = 1. Equal records have one mean
gradient whatever their number, so one of them is enough. The SPO risk: c uniform on [0, 2 m], x = 1, B* = m.
"""

from typing import Any, Final

import numpy as np

from dpsco.fast.algorithms.exponential_descent import algorithm as exponential
from dpsco.fast.algorithms.gradient_perturbation import gaussian_descent
from dpsco.rates.studies.formulas import M, Parameters, privacy_part, value
from dpsco.rates.studies.laws import fault, wrong
from dpsco.rates.study import Point, Study, grid
from dpsco.spec.algorithms.exponential_descent import utility as exponential_utility
from dpsco.spec.algorithms.gradient_perturbation import gaussian_descent as gaussian
from dpsco.spec.losses.spo import excess_risk
from dpsco.sweeping.streams import Streams

SHAPE, RADIUS, LIPSCHITZ, INFINITE = "box", 1.0, 4.0, 60.0
"""L = 4 B_w B_x. An epsilon at which a draw of a direction always follows the gradient."""
HERE: Final = "dpsco.rates.studies.spo"
Array = Any


def given(p: Parameters) -> dict[str, Any]:
    """What the claims' formulas ask for."""
    return {"p": 1, "d": 1, "delta": 0.5, **p, "L": LIPSCHITZ, "B_w": RADIUS, "B_x": 1, "T": int(p["n"]) ** 2}


def _sigma(p: Parameters) -> float:
    return value(gaussian.sigma_squared, given(p)) ** 0.5


def _trained(p: Parameters, streams: Streams, costs: Array, features: Array, noise: float, assumed: float) -> Array:
    """Average of Gaussian descent, not projected; `own` settings: the amendment's step and smoothing, else the printed step."""
    at = {**given(p), "sigma": assumed}
    eta = value(gaussian.eta_stated if p.get("settings") == "printed" else gaussian.eta_amended, at)
    mu = value(gaussian.smoothing, {**at, "eta": eta})
    steps, stream = int(p["n"]) ** 2 - 1, streams("steps", int(p["n"]))
    return gaussian_descent.simulate(SHAPE, costs, features, steps, eta, mu, RADIUS, noise, stream)[0]


def gaussian_training(p: Parameters, streams: Streams) -> dict[str, float]:
    """Excess SPO+ risk (A/p) sum_j 2 |B_j| of Gaussian descent on rare kinks; without noise, at the step that it has then."""
    n, size, sigma = int(p["n"]), int(p["p"]), _sigma(p)
    A = size * float(p["steepness"]) * sigma / (2 * n)
    if not 0 < A <= 1:
        raise ValueError(f"steepness={p['steepness']} at n={n}, p={size}: chance {A} of a kink")
    uniform, X = streams("data").random((n, 2)), np.zeros((n, size))
    some = uniform[:, 0] < A
    X[some, np.minimum((uniform[some, 1] * size).astype(int), size - 1)] = 1.0
    runs = {"risk": (sigma * fault(p), sigma), "rest": (0.0, 0.0)}
    return {
        name: float(2 * A * np.abs(_trained(p, streams, np.zeros((n, 1)), X, *noise)).mean()) for name, noise in runs.items()
    }


def gaussian_decisions(p: Parameters, streams: Streams) -> dict[str, float]:
    """Excess SPO risk of Gaussian descent's matrix: 2 m where it is negative, m for 0, else 0."""
    n, m, sigma = int(p["n"]), float(p["mean"]), _sigma(p)
    costs = 2 * m * streams("data").random((n, 1))
    runs = {"risk": (sigma * fault(p), sigma), "rest": (0.0, 0.0)}
    return {
        name: m * float(1 - np.sign(_trained(p, streams, costs, np.ones((n, 1)), *noise)[0])) for name, noise in runs.items()
    }


def exponential_training(p: Parameters, streams: Streams) -> dict[str, float]:
    """Excess SPO+ risk 4 (1 - B)_+ of exponential descent's average, and that where every step follows the gradient."""
    n, epsilon, printed = int(p["n"]), float(p["epsilon"]), p.get("settings") == "printed"
    draws = n * n - 1
    normals, uniforms = streams("directions", n).standard_normal((draws, 1)), streams("halves", n).random(draws)

    def risk(drawn: float, assumed: float) -> float:
        at = {**given(p), "epsilon": assumed}
        eta = value(exponential_utility.eta_appendix if printed else exponential_utility.step_length, at)
        mu = eta / 2 if printed else value(exponential_utility.smoothing, {**at, "eta": eta})
        costs, features = np.full((1, 1), 2.0), np.ones((1, 1))
        path = exponential.descend(SHAPE, costs, features, normals, uniforms, drawn, eta, mu, RADIUS, 0.0)
        return LIPSCHITZ * max(1.0 - float(path.mean()), 0.0)

    return {"risk": risk(epsilon / fault(p), epsilon), "rest": risk(INFINITE, INFINITE)}


def exponential_bound(p: Parameters) -> float:
    return value(exponential_utility.regret, given(p))


def exponential_bound_amended(p: Parameters) -> float:
    return value(exponential_utility.least_regret, given(p))


def exponential_rate(p: Parameters) -> float:
    return value(exponential_utility.rate, given(p))


def exponential_rate_amended(p: Parameters) -> float:
    return value(exponential_utility.true_rate, given(p))


def gaussian_part(p: Parameters) -> float:
    return privacy_part(gaussian.regret_calibrated, given(p))


def gaussian_bound(p: Parameters) -> float:
    return value(gaussian.regret_calibrated, given(p))


def gaussian_part_amended(p: Parameters) -> float:
    return privacy_part(gaussian.regret_amended, given(p))


def gaussian_bound_amended(p: Parameters) -> float:
    return value(gaussian.regret_amended, given(p))


def decision_rate(p: Parameters) -> float:
    """As Section 6 prints it."""
    return value(excess_risk.rate_gaussian, given(p))


def decision_bound_amended(p: Parameters) -> float:
    """The amended Theorem 7's bound of the excess SPO+ risk, as one of the excess SPO risk."""
    return float(excess_risk.bound(M, M.real(gaussian_bound_amended(p))))


KINKS: Final[Point] = {"delta": 1e-6, "B_B": 2.0, "steepness": 0.15, "p": 2}
PRINTED: Final[Point] = {"settings": "printed"}
GAUSSIAN: Final = {
    "n": (grid("n", (24, 36, 54, 81), **{**KINKS, "p": 8, "epsilon": 0.3, "steepness": 0.04}), wrong("n", 24, 1.0)),
    "p": (grid("p", (2, 4, 8, 16), **{**KINKS, "n": 48, "epsilon": 0.6, "steepness": 0.035}), wrong("p", 2, 0.5)),
    "epsilon": (grid("epsilon", (0.13, 0.17, 0.22, 0.3), **{**KINKS, "n": 48, "steepness": 0.07}), wrong("epsilon", 0.3, -1.0)),
}
SLOW: Final[Point] = {"B_B": 1.0}
EXPONENTIAL: Final = {
    "n": (grid("n", (150, 230, 350, 530), **{**SLOW, "epsilon": 0.07}), wrong("n", 150, 1.0)),
    "epsilon": (grid("epsilon", (0.035, 0.045, 0.056, 0.07), **{**SLOW, "n": 350}), wrong("epsilon", 0.07, -1.5)),
}
DECISIONS: Final = grid("epsilon", (0.1, 0.15, 0.22, 0.33), n=48, delta=1e-6, B_B=1.0, mean=1.0, p=1)
KINKS_SAY: Final = (
    "Rare kinks: the slope 2 A/p along each axis is the noise's size over n, so that it moves B by about B_B; tight."
)
SLOW_SAYS: Final = "A slow start: equal records, the way to B* is what weak directions cost; tight while q n is large."
STEP_SAYS: Final = f"The printed step: it shrinks with epsilon and the way to B* is never made. {SLOW_SAYS}"
SIGN_SAYS: Final = (
    "c uniform on [0, 2 m]: the decision is wrong where noise makes B negative, which the printed rate denies as epsilon falls."
)


def _studies(
    claim: str, grids: Any, work: str, printed: str, bound: str | None, term: str, says: str, **more: Any
) -> list[Study]:
    first = 256 if work.startswith("gaussian") else 16
    return [
        Study(
            claim=claim,
            term=term,
            axis=axis,
            points=tuple({**point, **more} for point in points),
            control=control,
            first=first,
            towards_zero=axis == "epsilon",
            tight=claim != "spo/sec-6-rate-amended",
            says=says,
            work=f"{HERE}:{work}",
            printed=f"{HERE}:{printed}",
            bound=bound and f"{HERE}:{bound}",
        )
        for axis, (points, control) in grids.items()
    ]


N_AND_EPSILON: Final = {axis: GAUSSIAN[axis] for axis in ("n", "epsilon")}
STUDIES: Final[list[Study]] = [
    *_studies(
        "spo/thm-4",
        EXPONENTIAL,
        "exponential_training",
        "exponential_rate",
        "exponential_bound",
        "n^(-1/2) + h/n",
        STEP_SAYS,
        **PRINTED,
    ),
    *_studies(
        "spo/thm-4-amended",
        EXPONENTIAL,
        "exponential_training",
        "exponential_rate_amended",
        "exponential_bound_amended",
        "(q n)^(-1/2)",
        SLOW_SAYS,
    ),
    *_studies(
        "spo/thm-7",
        GAUSSIAN,
        "gaussian_training",
        "gaussian_part",
        "gaussian_bound",
        "sqrt(d ln(1/delta))/(n epsilon)",
        KINKS_SAY,
        **PRINTED,
    ),
    *_studies(
        "spo/thm-7-amended",
        GAUSSIAN,
        "gaussian_training",
        "gaussian_part_amended",
        "gaussian_bound_amended",
        "sqrt(p d ln(1/delta))/(n epsilon)",
        KINKS_SAY,
    ),
    *_studies(
        "spo/sec-6-rate",
        {"epsilon": (DECISIONS, {})},
        "gaussian_decisions",
        "decision_rate",
        None,
        "sqrt(d ln(1/delta))/n",
        SIGN_SAYS,
    ),
    *_studies(
        "spo/sec-6-rate-amended",
        {"epsilon": (DECISIONS, {})},
        "gaussian_decisions",
        "gaussian_part_amended",
        "decision_bound_amended",
        "the amended Theorem 7's bound",
        SIGN_SAYS,
    ),
]
