"""From stability and empirical excess to excess population risk.

The expected excess risk is the generalisation gap, which uniform stability bounds, plus the expected empirical excess.
"""

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import Interval, Parameter, nonnegative, reals
from dpsco.spec.expressions import equal, symbols
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import N
from dpsco.spec.predicate import Predicate

empirical_risk, empirical_risk_at_optimum = symbols("empirical_risk empirical_risk_at_optimum")
largest_expected_loss_change, optimal_risk = symbols("largest_expected_loss_change optimal_risk")
population_risk, tau = symbols("population_risk tau")

POPULATION = Parameter("population_risk", "E L(theta_hat): over data and algorithm", reals, "loss")
EMPIRICAL = Parameter("empirical_risk", "E Lhat(theta_hat): on the data that theta_hat was computed from", reals, "loss")
OPTIMAL = Parameter("optimal_risk", "L(theta*)", reals, "loss")
EMPIRICAL_AT_OPTIMUM = Parameter("empirical_risk_at_optimum", "E Lhat(theta*), over the data", reals, "loss")
TAU = Parameter("tau", "uniform stability", nonnegative, "loss")
LOSS_CHANGE = Parameter(
    "largest_expected_loss_change",
    "supremum over neighbours and test records of the expected change of the loss",
    nonnegative,
    "loss",
)
MEAN_LOSS = Parameter(
    "mean_loss",
    "the larger of E|ell(theta_hat(D); z)| for z a record of D and for z independent of D",
    Interval("0", "inf", low_open=False, high_open=False),
    "loss",
)


generalisation_gap_bound = tau
changes_by_at_most_tau = largest_expected_loss_change <= tau


def risks_are_finite(m: Numbers, mean_loss: Real) -> Truth:
    return m.lt(mean_loss, m.inf)


excess = population_risk - optimal_risk
gap_plus_mixed = population_risk - empirical_risk + (empirical_risk - optimal_risk)
gap_plus_empirical_excess = population_risk - empirical_risk + (empirical_risk - empirical_risk_at_optimum)
unbiased_at_optimum = equal(empirical_risk_at_optimum, optimal_risk)


STABLE = Predicate(
    "theta_hat is tau-uniformly stable",
    changes_by_at_most_tau,
    accepts={"largest_expected_loss_change": "1", "tau": "2"},
    rejects={"largest_expected_loss_change": "2", "tau": "1"},
)
FINITE = Predicate("the expected losses are finite", risks_are_finite, accepts={"mean_loss": "1"}, rejects={"mean_loss": "inf"})

claims = [
    Claim(
        id="quantile/lem-2.6",
        title="generalisation gap of uniformly stable algorithms",
        kind=Kind.BOUND,
        unproved=True,
        source=QUANTILE.at("Definition 2.5", "Lemma 2.6"),
        says="A randomised algorithm theta_hat is tau-uniformly stable for a loss ell when on every two data sets D, D' that "
        "differ in one record the supremum over records (x, y) of E[ell(theta_hat(D); x, y) - ell(theta_hat(D'); x, y)], over "
        "the algorithm's randomness, is at most tau. Then for every distribution P and D of n independent draws from P, for "
        "which the expected losses are finite, E[L(theta_hat(D); P) - Lhat(theta_hat(D); D)] <= tau, over data and algorithm.",
        parameters=(N, TAU, LOSS_CHANGE, MEAN_LOSS),
        formulas={"generalisation_gap_bound": generalisation_gap_bound},
        asserts=(Relation("E[L(theta_hat) - Lhat(theta_hat)]", "<=", "generalisation_gap_bound"),),
        preconditions=(STABLE, FINITE),
        over=("every loss", "every distribution of the record", "every stable randomised algorithm"),
        note="Finite expected losses are read in: the paper defines L(theta; P) as a real risk, and the cited source bounds "
        "its losses; nothing says so of unbounded outcomes, for which the lemma fails. Stability is one-sided as printed, but "
        "the pair is unordered, so the absolute value is meant as well. Neighbours replace one record.",
    ),
    Claim(
        id="quantile/eq-1",
        title="decomposition of the excess risk",
        kind=Kind.IDENTITY,
        source=QUANTILE.at("Section 2, display (1)"),
        says="The expected excess population risk E L(theta_hat) - L(theta*) equals E[L(theta_hat) - Lhat(theta_hat)] + "
        "E[Lhat(theta_hat) - L(theta*)], and equals E[L(theta_hat) - Lhat(theta_hat)] + E[Lhat(theta_hat) - Lhat(theta*)], "
        "expectations over data and algorithm, because E Lhat(theta*) = L(theta*) for the fixed theta*.",
        parameters=(POPULATION, EMPIRICAL, OPTIMAL, EMPIRICAL_AT_OPTIMUM),
        formulas={
            "excess": excess,
            "gap_plus_mixed": gap_plus_mixed,
            "gap_plus_empirical_excess": gap_plus_empirical_excess,
        },
        asserts=(
            Relation("excess", "=", "gap_plus_mixed"),
            Relation("gap_plus_mixed", "=", "gap_plus_empirical_excess"),
            Relation("empirical_risk_at_optimum", "=", "optimal_risk"),
        ),
        preconditions=(
            Predicate(
                "theta* does not depend on the data: E Lhat(theta*) = L(theta*)",
                unbiased_at_optimum,
                accepts={"empirical_risk_at_optimum": "1", "optimal_risk": "1"},
                rejects={"empirical_risk_at_optimum": "1", "optimal_risk": "2"},
            ),
        ),
        over=("every distribution of the record", "every randomised algorithm"),
        note="All four expectations must be finite; outcomes are unbounded in this paper and nothing says that they are "
        "integrable. With E|y| infinite both sides are infinity minus infinity.",
    ),
]
