"""Privacy of DP-SGD with one record a step, drawn with replacement, over n^2 - 1 steps."""

from dpsco.spec.algorithms.dp_sgd.algorithm import (
    DELTA_FROM_ZERO,
    EPSILON_UP_TO_ONE,
    VARIANCE_DEFINED,
    steps,
    variance,
)
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Interval
from dpsco.spec.expressions import log, maximum, symbols
from dpsco.spec.losses.quantile.summaries import LIPSCHITZ
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import DELTA, ETA, D, H, N
from dpsco.spec.predicate import Predicate

L, delta, epsilon, n = symbols("L delta epsilon n")


gradient_sensitivity = 2 * L
"""Largest distance of the gradients of two records: reached by (x, y) and (-x, y) with y large."""

variance_amended = 16 * L**2 * log(1 / delta) / epsilon**2
"""Twice the printed variance."""

enough_records = n**2 >= 4 * log(1 / delta)
epsilon_is_moderate = epsilon**2 <= maximum(1, log(1 / delta))


ENOUGH_RECORDS = Predicate(
    "n^2 >= 4 ln(1/delta)",
    enough_records,
    accepts={"n": 5, "delta": "0.01"},
    rejects={"n": 4, "delta": "0.01"},
)
MODERATE_EPSILON = Predicate(
    "epsilon^2 <= max(1, ln(1/delta))",
    epsilon_is_moderate,
    accepts={"epsilon": "2", "delta": "0.01"},
    rejects={"epsilon": "2.2", "delta": "0.01"},
)
DELTA_TO_ONE_HALF = DELTA.within(Interval("0", "0.5", high_open=False))

claims = [
    Claim(
        id="quantile/thm-3.2",
        title="privacy of DP-SGD",
        kind=Kind.PRIVACY,
        unproved=True,
        source=QUANTILE.at("Definition 2.1", "Algorithm 1", "Theorem 3.2"),
        says="DP-SGD with variance 8 L^2 ln(1/delta)/epsilon^2, n^2 - 1 steps and one record drawn uniformly with replacement "
        "a step is (epsilon, delta)-DP, for every n, d, every step length, bandwidth and kernel, every 0 < epsilon <= 1 and "
        "every delta for which the variance is defined. Nothing is proved in the paper: the guarantee is taken from Bassily "
        "et al. (2020, Theorem 5.1).",
        uses=("quantile/alg-1",),
        parameters=(N, D, EPSILON_UP_TO_ONE, DELTA_FROM_ZERO, LIPSCHITZ, ETA, H),
        formulas={"variance": variance, "steps": steps, "gradient_sensitivity": gradient_sensitivity},
        asserts=(
            Relation("the average of the iterates", "is", "(epsilon, delta)-DP"),
            Relation("all iterates", "is", "(epsilon, delta)-DP"),
        ),
        preconditions=(VARIANCE_DEFINED,),
        over=(
            "every two neighbouring data sets",
            "every kernel that is nonnegative, even, unimodal, of integral 1, with finite first two moments and supremum",
        ),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the average of the iterates; the proof by composition gives the transcript of iterates",
        note="Readings: the average alone (printed) and the transcript (what a composition proof covers). False for the "
        "transcript at both ends of delta. Small delta and small n: with records (x, y) and (-x, y), y large, all others "
        "equal to the second, each step is (1-1/n) N(0, 1) + (1/n) N(mu, 1) against N(0, 1), mu = epsilon/sqrt(2 "
        "ln(1/delta)). The log ratio epsilon is reached by n^2 - 1 equal steps of size z with 1 + (e^{mu z} - 1)/n = "
        "e^{epsilon/(n^2-1)}; at epsilon = 1, n = 4 their norm is about 0.943/mu, below sqrt(2 ln(1/delta)) = 1/mu, so that "
        "the true delta is of order delta^0.89; at delta = 1e-40 it is 8.565e-40. Delta near 1: the noise vanishes while the "
        "record is drawn with probability 1 - (1-1/n)^{n^2-1}; n = 10, epsilon = 1, delta = 0.99.",
    ),
    Claim(
        id="quantile/thm-3.2-amended",
        amends="quantile/thm-3.2",
        kind=Kind.PRIVACY,
        source=QUANTILE.at("Definition 2.1", "Algorithm 1", "Theorem 3.2"),
        says="DP-SGD with twice the printed variance, 16 L^2 ln(1/delta)/epsilon^2, n^2 - 1 steps and one record drawn "
        "uniformly with replacement a step is (epsilon, delta)-DP for epsilon <= 1, delta <= 1/2 and n^2 >= 4 ln(1/delta).",
        parameters=(N, D, EPSILON_UP_TO_ONE, DELTA_TO_ONE_HALF, LIPSCHITZ, ETA, H),
        formulas={"variance": variance_amended, "steps": steps, "gradient_sensitivity": gradient_sensitivity},
        asserts=(
            Relation("the average of the iterates", "is", "(epsilon, delta)-DP"),
            Relation("all iterates", "is", "(epsilon, delta)-DP"),
        ),
        preconditions=(ENOUGH_RECORDS,),
        over=(
            "every two neighbouring data sets",
            "every kernel that is nonnegative, even, unimodal, of integral 1, with finite first two moments and supremum",
        ),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the average of the iterates, and all iterates",
    ),
]
