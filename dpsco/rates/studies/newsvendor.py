"""The newsvendor: objective, gradient and stochastic gradient perturbation where the noise is what costs."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from dpsco.fast.algorithms.dp_sgd import algorithm as stochastic
from dpsco.fast.algorithms.gradient_perturbation import algorithm as gradient
from dpsco.fast.algorithms.objective_perturbation import algorithm as objective
from dpsco.fast.algorithms.objective_perturbation.products import policies
from dpsco.rates.studies import laws
from dpsco.rates.studies.formulas import Parameters, kernel_numbers, privacy_part, privacy_term, value
from dpsco.rates.studies.laws import LEVEL, LIPSCHITZ, wrong
from dpsco.rates.study import Point, Study, grid
from dpsco.spec.algorithms.dp_sgd import stochastic_gradient_perturbation as stochastic_spec
from dpsco.spec.algorithms.gradient_perturbation import algorithm as gradient_spec
from dpsco.spec.algorithms.gradient_perturbation import privacy as gradient_privacy
from dpsco.spec.algorithms.gradient_perturbation import utility as gradient_utility
from dpsco.spec.algorithms.objective_perturbation import discrete_demand, newsvendor_utility, products
from dpsco.sweeping.streams import Streams

TOLERANCE: Final = 1e-9
HERE: Final = "dpsco.rates.studies.newsvendor"


def kernel(parameters: Parameters) -> Any:
    return parameters.get("kernel", "logistic")


def given(parameters: Parameters) -> dict[str, Any]:
    """What the claims' formulas ask for; s is that of errors uniform on [-width, width]."""
    names = ("n", "d", "epsilon", "delta", "B")
    known = {name: parameters[name] for name in names} | kernel_numbers(kernel(parameters))
    w = laws.width(parameters)
    return {
        **known,
        "L": LIPSCHITZ,
        "r_bar": LIPSCHITZ,
        "B_x": 1,
        "s": 1 / (2 * w) if w else 0.0,
        "T": int(parameters["n"]) ** 2,
    }


def _descent(
    parameters: Parameters, streams: Streams, spec: Any, sigma: float, simulate: Callable[..., Any]
) -> dict[str, float]:
    known = given(parameters)

    def answer(X: Any, y: Any, noise: float, assumed: float) -> Any:
        eta = value(spec.step_length, {**known, "sigma": assumed})
        h = value(spec.bandwidth, {**known, "eta": eta})
        steps = int(value(spec.steps, known)) - 1
        return simulate(kernel(parameters), X, y, steps, eta, h, LEVEL, noise, streams("steps", len(y)))[0]

    return laws.compared(parameters, streams, sigma, answer)


def stochastic_descent(parameters: Parameters, streams: Streams) -> dict[str, float]:
    """Theorem 6's: the average of n^2 iterates before projection, with the noise that its bound stands for."""
    sigma = value(stochastic_spec.sigma_implied, given(parameters))
    return _descent(parameters, streams, stochastic_spec, sigma, stochastic.simulate)


def gradient_descent(parameters: Parameters, streams: Streams) -> dict[str, float]:
    """Theorem 4's: the same with full gradients, and the noise of Theorem 3 for n^2 steps.

    Its deviation at T = n^2 is that of a step on one record, so that the law of rare kinks is the same."""
    sigma = value(gradient_privacy.sigma_moments, given(parameters))
    return _descent(parameters, streams, gradient_spec, sigma, gradient.simulate)


def minimiser(parameters: Parameters, streams: Streams) -> dict[str, float]:
    """Theorem 2's, before projection; without noise, lambda is the chosen one without its term of noise (d = 0).

    Under the faint law shrinkage is the cost: a fault is put into lambda as well.
    """
    known = given(parameters)
    off = laws.fault(parameters) if parameters.get("law") == "faint" else 1.0

    def answer(X: Any, y: Any, noise: float, assumed: float) -> Any:
        at = known if assumed else {**known, "d": 0}
        lambda_ = value(newsvendor_utility.lambda_chosen, at) * (off if assumed else 1.0)
        h = value(newsvendor_utility.bandwidth, at)
        b = noise * streams("noise").standard_normal(X.shape[1])
        return objective.solve(kernel(parameters), X, y, b, h, LEVEL, lambda_, TOLERANCE)[0]

    return laws.compared(parameters, streams, value(newsvendor_utility.sigma, known), answer)


def per_product(p: Parameters) -> dict[str, Any]:
    """The same numbers at one product's share of the budget."""
    whole = {"S": p["S"], "epsilon": p["epsilon"], "delta": p["delta"]}
    share, small = value(products.epsilon_product, whole), value(products.delta_product, whole)
    return {**p, "epsilon": share, "delta": small}


def all_products(parameters: Parameters, streams: Streams) -> dict[str, float]:
    """Proposition 1: total excess risk of S products with the same demand, objective perturbation once each at its share."""
    S, own = int(parameters["S"]), per_product(parameters)
    known, n, d = given(own), int(parameters["n"]), int(parameters["d"])
    sigma = value(newsvendor_utility.sigma, known)
    A = laws.chance(own, sigma, n)
    X, y = laws.sample(own, A, n, streams("data"))
    z, budget = streams("noise").standard_normal((S, d)), (float(parameters["epsilon"]), float(parameters["delta"]))

    def total(factor: float) -> float:
        at = known if factor else {**known, "d": 0}
        lambda_, h = value(newsvendor_utility.lambda_chosen, at), value(newsvendor_utility.bandwidth, at)
        thetas, _ = policies(kernel(own), X, np.tile(y, (S, 1)), factor * z, h, [LEVEL] * S, lambda_, *budget, 1.0, TOLERANCE)
        return sum(laws.excess(own, A, theta) for theta in thetas)

    return {"risk": total(laws.fault(parameters)), "rest": total(0.0)}


def minimiser_part(p: Parameters) -> float:
    """Privacy's part of the bound."""
    return privacy_part(newsvendor_utility.bound, given(p))


def minimiser_bound(p: Parameters) -> float:
    return value(newsvendor_utility.bound, given(p))


def gradient_part(p: Parameters) -> float:
    return privacy_part(gradient_utility.bound, given(p))


def gradient_bound(p: Parameters) -> float:
    return value(gradient_utility.bound, given(p))


def stochastic_part(p: Parameters) -> float:
    return privacy_part(stochastic_spec.bound, given(p))


def stochastic_bound(p: Parameters) -> float:
    return value(stochastic_spec.bound, given(p))


def discrete_part(p: Parameters) -> float:
    return privacy_part(discrete_demand.bound, given(p))


def discrete_bound(p: Parameters) -> float:
    return value(discrete_demand.bound, given(p))


def total_rate(p: Parameters) -> float:
    return privacy_term(products.rate_total, p)


def total_rate_amended(p: Parameters) -> float:
    return privacy_term(products.rate_total_amended, p)


WHY: Final = (
    "Rare kinks: A/(2d) along each axis is the noise's size over n, so that the noise moves the rule by about B; tight."
)
SPREAD: Final[Point] = {"law": "spread", "width": 0.5, "delta": 1e-40, "B": 100.0, "steepness": 0.45, "d": 16}
ONE: Final[Point] = {**SPREAD, "epsilon": 0.24}
OP_GRIDS: Final = {
    "n": (grid("n", (1000, 2000, 4000, 8000), **ONE), wrong("n", 1000, 1.0)),
    "d": (grid("d", (16, 24, 36, 54), **{**ONE, "n": 4000, "epsilon": 0.3}), wrong("d", 16, 0.5)),
    "epsilon": (grid("epsilon", (0.17, 0.22, 0.28, 0.36), **{**ONE, "n": 4000}), wrong("epsilon", 0.36, -1.0)),
}
GP: Final[Point] = {"law": "kink", "delta": 1e-6, "B": 2.0, "steepness": 0.45, "d": 4}
GP_GRIDS: Final = {
    "n": (grid("n", (32, 48, 72, 108), **{**GP, "d": 8, "epsilon": 0.65, "steepness": 0.22}), wrong("n", 32, 1.0)),
    "d": (grid("d", (4, 6, 10, 16), **{**GP, "n": 64, "epsilon": 0.5, "steepness": 0.18}), wrong("d", 4, 0.5)),
    "epsilon": (grid("epsilon", (0.35, 0.45, 0.55, 0.7), **{**GP, "n": 64}), wrong("epsilon", 0.7, -1.0)),
}
SGP_GRIDS: Final = {
    "n": (grid("n", (64, 120, 220, 400), **{**GP, "d": 8, "epsilon": 0.45, "steepness": 0.22}), wrong("n", 64, 1.0)),
    "d": (grid("d", (2, 4, 8, 16), **{**GP, "n": 144, "epsilon": 0.6, "steepness": 0.3}), wrong("d", 2, 0.5)),
    "epsilon": (grid("epsilon", (0.3, 0.4, 0.5, 0.7), **{**GP, "n": 144}), wrong("epsilon", 0.7, -1.0)),
}
FAINT: Final[Point] = {"law": "faint", "kernel": "gaussian", "delta": 1e-60, "B": 20.0, "steepness": 0.75, "d": 32}
FAINT_GRIDS: Final = {
    "n": (grid("n", (1000, 2000, 4000), **{**FAINT, "epsilon": 0.42}), wrong("n", 1000, 1.0)),
    "epsilon": (grid("epsilon", (0.3, 0.36, 0.42), **{**FAINT, "n": 2000}), wrong("epsilon", 0.42, -1.0)),
}
SHARED_GRIDS: Final = {
    "n": (grid("n", (1000, 2000, 4000, 8000), **{**SPREAD, "S": 2, "epsilon": 9.3}), wrong("n", 1000, 1.0)),
    "S": (grid("S", (2, 4, 8, 16), **{**SPREAD, "n": 1000, "epsilon": 26.0}), wrong("S", 2, 1.0)),
}
Grids = dict[str, tuple[tuple[Point, ...], dict[str, str | float]]]


def _studies(claim: str, grids: Grids, work: str, printed: str, bound: str | None, term: str, says: str = WHY) -> list[Study]:
    return [
        Study(
            claim=claim,
            term=term,
            axis=axis,
            points=points,
            control=control,
            work=f"{HERE}:{work}",
            printed=f"{HERE}:{printed}",
            bound=bound and f"{HERE}:{bound}",
            first=256 if "descent" in work else 64,
            says=says,
        )
        for axis, (points, control) in grids.items()
    ]


TERM: Final = "sqrt(d ln(1/delta))/(n epsilon)"
DISCRETE: Final = (
    "x = e_1, the errors' mass within t of the quantile A exp(-1/t^2), else far; theta* = B e_1: shrinkage is the cost; tight."
)
STUDIES: Final[list[Study]] = [
    *(
        s
        for c in ("thm-2", "thm-2-amended")
        for s in _studies(f"newsvendor/{c}", OP_GRIDS, "minimiser", "minimiser_part", "minimiser_bound", TERM)
    ),
    *(
        s
        for c in ("thm-4", "thm-4-amended")
        for s in _studies(f"newsvendor/{c}", GP_GRIDS, "gradient_descent", "gradient_part", "gradient_bound", TERM)
    ),
    *(
        s
        for c in ("thm-6", "thm-6-amended")
        for s in _studies(f"newsvendor/{c}", SGP_GRIDS, "stochastic_descent", "stochastic_part", "stochastic_bound", TERM)
    ),
    *(
        s
        for c in ("thm-EC.1", "thm-EC.1-amended")
        for s in _studies(f"newsvendor/{c}", FAINT_GRIDS, "minimiser", "discrete_part", "discrete_bound", TERM, DISCRETE)
    ),
    *_studies("newsvendor/prop-1", SHARED_GRIDS, "all_products", "total_rate", None, "S sqrt(d ln(S/delta))/(n epsilon)"),
    *_studies(
        "newsvendor/prop-1-amended",
        SHARED_GRIDS,
        "all_products",
        "total_rate_amended",
        None,
        "S^(3/2) sqrt(d ln(2S/delta) ln(2/delta))/(n epsilon)",
    ),
]
