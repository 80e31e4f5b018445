"""Output perturbation of the sample quantile: its sensitivity is the whole range of demand, so the noise never vanishes."""

from random import Random

from dpsco.spec.algorithms.sample_average import HARD_DEMANDS, any_demands
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.contract import FINITE, SUM_SCALED, Inputs, contract
from dpsco.spec.domain import Parameter, nonnegative, positive
from dpsco.spec.expressions import E, Phi, exp, log, maximum, pi, sqrt, symbols
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import DELTA, EPSILON, SIGMA, N, R
from dpsco.spec.predicate import Predicate

delta, epsilon, q, sigma, tolerance, y_bar = symbols("delta epsilon q sigma tolerance y_bar")


def any_release(random: Random) -> Inputs:
    """Demands and a level as for the empirical quantile, noise from none to far more than the demands."""
    return {**any_demands(random), "normal": random.gauss(0, 1), "sigma": random.choice((0.0, 10 ** random.uniform(-3, 6)))}


HARD: tuple[Inputs, ...] = tuple(
    {**given, "normal": z, "sigma": sigma} for given in HARD_DEMANDS for z, sigma in ((0.0, 1.0), (-1.5, 1e6), (2.0, 5e-324))
)


@contract(metric=SUM_SCALED, range=FINITE, generate=any_release, hard=HARD)
def release(y: object, normal: float, r: float, sigma: float) -> float:
    """The empirical r-quantile with noise: what output perturbation hands out.

    empirical quantile of y + sigma normal

    Domain   y: n >= 1 numbers (demands, in [0, y_bar] where the sensitivity is y_bar), normal: a standard normal number,
             0 < r < 1, sigma >= 0 (outcome)
    Returns  an order, in the unit of the demands; terms: the quantile and the noise
    Raises   ValueError as for the empirical quantile
    Source   newsvendor, Proposition EC.1
    """


sensitivity = y_bar
sigma_least = sqrt(2 * log(E("5/4") / delta)) * y_bar / epsilon
deviation_below = (q + tolerance) / sigma
"""t_1 = (q + tolerance) / sigma."""

deviation_above = (y_bar + tolerance - q) / sigma
"""t_2 = (y_bar + tolerance - q) / sigma."""

miss_probability = Phi(-deviation_below) + Phi(-deviation_above)
"""Pr[N(0, sigma^2) >= q + tolerance] + Pr[N(0, sigma^2) >= y_bar + tolerance - q]."""

_tails = deviation_below / (deviation_below**2 + 1) * exp(-(deviation_below**2) / 2) + deviation_above / (
    deviation_above**2 + 1
) * exp(-(deviation_above**2) / 2)
miss_lower = _tails / sqrt(2 * pi)
quantile_is_in_range = q <= y_bar
tolerance_is_in_range = tolerance < maximum(q, y_bar - q)


claims = [
    Claim(
        id="newsvendor/prop-EC.1",
        title="inconsistency of output perturbation",
        kind=Kind.BOUND,
        source=NEWSVENDOR.at("Proposition EC.1", "display (EC.40)"),
        says="Demand in [0, y_bar] without features, q the least y with F(y) >= r, q_hat the same of the empirical "
        "distribution, the ceil(n r)-th smallest demand. Replacing one demand can move q_hat by y_bar, its global sensitivity; "
        "so the Gaussian mechanism, q_hat + N(0, sigma^2), has sigma >= sqrt(2 ln(1.25/delta)) y_bar / epsilon whatever n is. "
        "For every tolerance in (0, max(q, y_bar - q)) the released order misses q by at least the tolerance with probability "
        "(over the noise, for every sample) at least Pr[N(0, sigma^2) >= q + tolerance] + Pr[N(0, sigma^2) >= y_bar + "
        "tolerance - q] >= (t_1/(t_1^2 + 1) e^(-t_1^2/2) + t_2/(t_2^2 + 1) e^(-t_2^2/2)) / sqrt(2 pi) > 0, t_1 = (q + "
        "tolerance)/sigma, t_2 = (y_bar + tolerance - q)/sigma: one constant C > 0 serves all these tolerances and all n, so "
        "it is inconsistent.",
        parameters=(
            EPSILON,
            DELTA,
            N,
            R,
            Parameter("y_bar", "largest demand", positive, "outcome"),
            Parameter("q", "optimal order quantity", nonnegative, "outcome"),
            Parameter("tolerance", "distance from the optimum (the paper's epsilon)", positive, "outcome"),
            SIGMA.means("standard deviation of the released order's noise"),
        ),
        formulas={
            "sensitivity": sensitivity,
            "sigma_least": sigma_least,
            "deviation_below": deviation_below,
            "deviation_above": deviation_above,
            "miss_probability": miss_probability,
            "miss_lower": miss_lower,
        },
        asserts=(
            Relation("global sensitivity of the sample quantile", "=", "sensitivity"),
            Relation("Pr[|released order - q| >= tolerance]", ">=", "miss_probability"),
            Relation("miss_probability", ">=", "miss_lower"),
            Relation("miss_lower", ">", "0"),
        ),
        preconditions=(
            Predicate(
                "q lies in [0, y_bar]",
                quantile_is_in_range,
                accepts={"q": "1", "y_bar": "3"},
                rejects={"q": "4", "y_bar": "3"},
            ),
            Predicate(
                "tolerance < max(q, y_bar - q)",
                tolerance_is_in_range,
                accepts={"tolerance": "1.5", "q": "1", "y_bar": "3"},
                rejects={"tolerance": "2.5", "q": "1", "y_bar": "3"},
            ),
        ),
        over=("distributions on [0, y_bar]", "samples"),
        note="One symbol epsilon stands for privacy and for the tolerance. The Gaussian mechanism's classical scale is private "
        "for epsilon < 1 only; inconsistency does not need that, any fixed sigma > 0 does. The tolerance's range is used only "
        "to make C uniform.",
    ),
]
