"""Quantile regression: DP-SGD and objective perturbation where the noise is what costs (Theorems 3.4, 3.6, 4.5 and 4.6)."""

from typing import Any, Final

from dpsco.fast.algorithms.dp_sgd import algorithm as dp_sgd
from dpsco.fast.algorithms.objective_perturbation import algorithm as objective
from dpsco.rates.studies import laws
from dpsco.rates.studies.formulas import Parameters, kernel_numbers, value
from dpsco.rates.studies.laws import LEVEL, LIPSCHITZ, wrong
from dpsco.rates.study import Point, Study, grid
from dpsco.spec.algorithms.dp_sgd import algorithm as dp_sgd_spec
from dpsco.spec.algorithms.dp_sgd import utility as dp_sgd_utility
from dpsco.spec.algorithms.objective_perturbation import algorithm as objective_spec
from dpsco.spec.algorithms.objective_perturbation import newsvendor_rates, utility, utility_away
from dpsco.sweeping.streams import Streams

KERNEL: Final = "logistic"
TOLERANCE: Final = 1e-9
HERE: Final = "dpsco.rates.studies.quantile"


def given(parameters: Parameters, **more: Any) -> dict[str, Any]:
    """What the claims' formulas ask for."""
    names = ("n", "d", "epsilon", "delta", "B")
    numbers = {name: parameters[name] for name in names} | kernel_numbers(KERNEL)
    return {**numbers, "L": LIPSCHITZ, "B_x": 1, **more}


def descent(parameters: Parameters, streams: Streams) -> dict[str, float]:
    """DP-SGD with step, bandwidth and noise of Theorem 3.4; the same without noise, at the step that it has then."""
    known = given(parameters)
    steps = int(value(dp_sgd_spec.steps, known))

    def answer(X: Any, y: Any, noise: float, assumed: float) -> Any:
        eta = value(dp_sgd_utility.step_length, {**known, "sigma": assumed})
        h = value(dp_sgd_utility.bandwidth, {**known, "eta": eta})
        return dp_sgd.simulate(KERNEL, X, y, steps, eta, h, LEVEL, noise, streams("steps", len(y)))[0]

    return laws.compared(parameters, streams, value(dp_sgd_spec.variance, known) ** 0.5, answer)


def minimiser(parameters: Parameters, streams: Streams, away: bool = False) -> dict[str, float]:
    """Objective perturbation with ridge, bandwidth and noise of Theorem 3.6, part 1; the same without noise."""
    known = given(parameters)
    ridge = utility_away.regularisation_away if away else utility.regularisation

    def answer(X: Any, y: Any, noise: float, assumed: float) -> Any:
        lambda_ = value(ridge, {**known, "sigma": assumed})
        h = value(utility.bandwidth, {**known, "lambda_": lambda_})
        b = noise * streams("noise").standard_normal(X.shape[1])
        return objective.solve(KERNEL, X, y, b, h, LEVEL, lambda_, TOLERANCE)[0]

    return laws.compared(parameters, streams, value(objective_spec.variance, known) ** 0.5, answer)


def minimiser_away(parameters: Parameters, streams: Streams) -> dict[str, float]:
    """The same with the ridge of part 2."""
    return minimiser(parameters, streams, away=True)


def descent_cost(parameters: Parameters, streams: Streams) -> dict[str, float]:
    """Excess newsvendor cost of DP-SGD's rule: (c_u + c_o) times its excess check loss."""
    return _cost(parameters, descent(parameters, streams))


def minimiser_cost(parameters: Parameters, streams: Streams) -> dict[str, float]:
    """The same of objective perturbation's, with the ridge of part 2."""
    return _cost(parameters, minimiser(parameters, streams, away=True))


def _cost(parameters: Parameters, found: dict[str, float]) -> dict[str, float]:
    costs = {"c_u": parameters["c_u"], "c_o": parameters["c_o"]}
    return {name: value(newsvendor_rates.excess_cost, {**costs, "risk": risk}) for name, risk in found.items()}


def descent_rate(p: Parameters) -> float:
    return value(dp_sgd_utility.rate, p)


def descent_bound(p: Parameters) -> float:
    """As printed, the last term outside the root."""
    return value(dp_sgd_utility.closed_form, given(p))


def descent_bound_amended(p: Parameters) -> float:
    return value(dp_sgd_utility.closed_form_amended, given(p))


def any_data_rate(p: Parameters) -> float:
    return value(utility.rate_any_data, p)


def any_data_rate_amended(p: Parameters) -> float:
    return value(utility.rate_any_data_amended, p)


def any_data_bound(p: Parameters) -> float:
    return value(utility.closed_form, given(p))


def away_rate(p: Parameters) -> float:
    return value(utility_away.rate_away, p)


def away_rate_amended(p: Parameters) -> float:
    return value(utility_away.rate_away_amended, p)


def _away(p: Parameters) -> dict[str, Any]:
    """M = E[1/|u|] of the law: kinks at the error's width, records without features far off."""
    known = given(p)
    sigma = value(objective_spec.variance, known) ** 0.5
    A = laws.chance(p, sigma, float(p["n"]))
    return {**known, "sigma": sigma, "M": A / laws.width(p) + (1 - A) / (laws.FAR * float(p["B"]))}


def away_bound(p: Parameters) -> float:
    return value(utility_away.closed_form_away, _away(p))


def away_bound_amended(p: Parameters) -> float:
    return value(utility_away.closed_form_away_amended, _away(p))


def cost_rate(p: Parameters) -> float:
    return value(newsvendor_rates.cost_rate, p)


def cost_rate_objective(p: Parameters) -> float:
    return value(newsvendor_rates.cost_rate_objective, p)


WHY: Final = (
    "Rare kinks: A/(2d) along each axis is the noise's size over n, so that the noise moves the rule by about B; tight."
)
SGD: Final[Point] = {"delta": 1e-6, "B": 2.0, "steepness": 0.45, "d": 4}
SGD_GRIDS: Final = {
    "n": (grid("n", (64, 120, 220, 400), **{**SGD, "d": 8, "epsilon": 0.3, "steepness": 0.22}), wrong("n", 64, 1.0)),
    "d": (grid("d", (2, 4, 8, 16), **{**SGD, "n": 144, "epsilon": 0.4, "steepness": 0.33}), wrong("d", 2, 0.5)),
    "epsilon": (grid("epsilon", (0.2, 0.25, 0.32, 0.45), **{**SGD, "n": 144}), wrong("epsilon", 0.45, -1.0)),
}
OP: Final[Point] = {"delta": 1e-30, "B": 2.0, "steepness": 0.3, "d": 8}
OP_GRIDS: Final = {
    "n": (grid("n", (1000, 2000, 4000, 8000), **{**OP, "epsilon": 0.06}), wrong("n", 1000, 1.0)),
    "d": (grid("d", (4, 8, 16, 32), **{**OP, "n": 4000, "epsilon": 0.06}), wrong("d", 4, 0.5)),
    "epsilon": (grid("epsilon", (0.025, 0.04, 0.06, 0.09), **{**OP, "n": 4000}), wrong("epsilon", 0.09, -1.0)),
}
GAP: Final[Point] = {"law": "gap", "width": 0.1}
COSTS: Final[Point] = {"c_u": 3.0, "c_o": 3.0}
Grids = dict[str, tuple[tuple[Point, ...], dict[str, str | float]]]


def _studies(
    claim: str, term: str, grids: Grids, work: str, printed: str, bound: str | None, says: str, **more: Any
) -> list[Study]:
    """One for each axis."""
    return [
        Study(
            claim=claim,
            term=term,
            axis=axis,
            points=tuple({**point, **more} for point in points),
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
TERM_AMENDED: Final = "sqrt(d (ln(2/delta) + epsilon))/(n epsilon)"
ONLY_N: Final[Grids] = {"n": OP_GRIDS["n"]}
STUDIES: Final[list[Study]] = [
    *_studies("quantile/thm-3.4", TERM, SGD_GRIDS, "descent", "descent_rate", "descent_bound", WHY),
    *_studies("quantile/thm-3.4-amended", TERM, SGD_GRIDS, "descent", "descent_rate", "descent_bound_amended", WHY),
    *_studies("quantile/thm-3.6-1", TERM, OP_GRIDS, "minimiser", "any_data_rate", "any_data_bound", WHY),
    *_studies(
        "quantile/thm-3.6-1-amended", TERM_AMENDED, OP_GRIDS, "minimiser", "any_data_rate_amended", "any_data_bound", WHY
    ),
    *_studies("quantile/thm-3.6-2", TERM, OP_GRIDS, "minimiser_away", "away_rate", "away_bound", WHY, **GAP),
    *_studies(
        "quantile/thm-3.6-2-amended",
        TERM_AMENDED,
        OP_GRIDS,
        "minimiser_away",
        "away_rate_amended",
        "away_bound_amended",
        WHY,
        **GAP,
    ),
    *_studies(
        "quantile/thm-4.6", f"(c_u + c_o) {TERM}", SGD_GRIDS, "descent_cost", "cost_rate", None, f"DP-SGD. {WHY}", **COSTS
    ),
    *_studies(
        "quantile/thm-4.6",
        f"(c_u + c_o) {TERM}",
        OP_GRIDS,
        "minimiser_cost",
        "cost_rate",
        None,
        f"Objective perturbation. {WHY}",
        **GAP,
        **COSTS,
    ),
    *_studies(
        "quantile/thm-4.6-amended",
        f"(c_u + c_o) {TERM}",
        ONLY_N,
        "minimiser_cost",
        "cost_rate_objective",
        None,
        WHY,
        **GAP,
        **COSTS,
    ),
]
