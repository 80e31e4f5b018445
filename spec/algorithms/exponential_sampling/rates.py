"""The rates of private convex bilevel optimization that are proved: for the exact draws, and from below for pure privacy."""

from dpsco.spec.algorithms.exponential_sampling import calibrated
from dpsco.spec.algorithms.exponential_sampling.mechanism import G_SLOPE, K_TEMPERATURE, MU_REG
from dpsco.spec.algorithms.exponential_sampling.utility import PUBLIC, pure_rate
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import nonnegative, positive
from dpsco.spec.expressions import minimum, sqrt, symbols
from dpsco.spec.losses.bilevel.assumptions import (
    CONVEX_HOLDS,
    CONVEXITY_DEFECT,
    D_X,
    D_Y,
    LIPSCHITZ,
    LIPSCHITZ_HOLDS,
    PROBLEMS,
    SMOOTH,
    SMOOTH_HOLDS,
)
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import DELTA, RISK
from dpsco.spec.predicate import Predicate

beta_gyy, d_x, epsilon, mu_g, n = symbols("beta_gyy d_x epsilon mu_g n")

approximate_rate = sqrt(d_x) * calibrated.calibration / (epsilon * n)
"""w/epsilon for sqrt(ln(1/delta))/epsilon: of order epsilon^{-1/2} where epsilon is large."""

lower_rate = minimum(1, pure_rate)
curvatures_are_ordered = mu_g <= beta_gyy


ORDERED = Predicate(
    "mu_g <= beta_gyy, as both bound one curvature",
    curvatures_are_ordered,
    accepts={"mu_g": "1", "beta_gyy": "1"},
    rejects={"mu_g": "1", "beta_gyy": "0.9"},
)
LOWER = Relation("empirical risk of every epsilon-DP algorithm, epsilon <= d_x/16, L_fx D_x > 0", ">=Omega", "lower_rate")

claims = [
    Claim(
        id="bilevel/thm-3.1-amended",
        amends="bilevel/thm-3.1",
        kind=Kind.RATE,
        source=BILEVEL.at("Theorem 3.1"),
        says="Of the empirical risk; nothing of the population risk. "
        "The problem's constants fixed. Under Assumption 2.1 with Phi_Z convex the exact draw (4) with the s of the "
        "amended Theorem 3.2 is epsilon-DP with empirical excess O(d_x/(epsilon n)); where L_fx D_x > 0 and epsilon <= d_x/16 "
        "every epsilon-DP algorithm has on some problem and data set an empirical excess Omega(min(1, d_x/(epsilon n))). "
        "Under Assumption 2.2 too, |x| <= D_x on X, the exact draw (5) of the amended Theorem 3.3 is (epsilon, delta)-DP with "
        "empirical excess O(sqrt(d_x) w/(epsilon n)), w = b + sqrt(b^2 + 2 epsilon), b = sqrt(2 ln(1/(2 delta))), "
        "0 for delta > 1/2.",
        parameters=(
            *PUBLIC,
            DELTA,
            *LIPSCHITZ,
            *SMOOTH,
            D_X.within(positive),
            D_Y,
            calibrated.SCALE,
            calibrated.LARGEST_NORM,
            CONVEXITY_DEFECT,
            G_SLOPE,
            MU_REG,
            K_TEMPERATURE,
            RISK.within(nonnegative),
        ),
        formulas={
            "s": calibrated.score_scale,
            "G": calibrated.difference_slope,
            "mu": calibrated.regularisation,
            "k": calibrated.inverse_temperature,
            "pure_rate": pure_rate,
            "approximate_rate": approximate_rate,
            "lower_rate": lower_rate,
        },
        asserts=(
            Relation("mechanism (4)", "is", "epsilon-DP"),
            Relation("empirical risk of (4)", "<=O", "pure_rate"),
            Relation("sample of (5)", "is", "(epsilon, delta)-DP"),
            Relation("empirical risk of (5)", "<=O", "approximate_rate"),
            LOWER,
        ),
        preconditions=(
            *LIPSCHITZ_HOLDS,
            *SMOOTH_HOLDS,
            *CONVEX_HOLDS,
            calibrated.POSITIVE_SCALE,
            calibrated.NEAR,
            ORDERED,
        ),
        over=(PROBLEMS, "every Z"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the upper decision x",
        note="Left out: running times (Theorem 3.8), the population half, for which no bound of this order is proved, and "
        "lower bounds for delta > 0 (Theorem 3.9). Constants may depend on the problem's constants, not on n, d_x, epsilon, "
        "delta.",
    ),
]
