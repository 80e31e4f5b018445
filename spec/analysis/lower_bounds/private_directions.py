"""Lower bounds for private means, directions and bilevel problems that hold: the bilevel paper's with their ranges mended.

epsilon is at most max(1, d/16), or max(1/2, d/16) where a probability is said; delta at most (64 n)^-(1 + a); the dimension
caps ln(1/delta): an epsilon-DP answer is (epsilon, delta)-DP, so no rate may exceed d/(n epsilon) however small delta is.
"""

from dpsco.spec.analysis.lower_bounds.bilevel import (
    CONSTANTS,
    EXPONENTS,
    M_WEIGHT,
    NORM_MEAN,
    THETA,
    TOLD,
    coupling,
    marginal_pure,
    mixed_curvature,
    norm_high,
    pure_lower,
    rescaled_error,
    statistical_term,
    weight_pure,
)
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Interval, Parameter, closed_unit, nonnegative
from dpsco.spec.expressions import E, exp, log, maximum, minimum, sqrt, symbols
from dpsco.spec.losses.bilevel.assumptions import BETA_GXY
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import DELTA, EPSILON, RISK, D, N
from dpsco.spec.predicate import Predicate

D_x, D_y, L_fx, L_fy, L_gy, d, d_x, delta, epsilon = symbols("D_x D_y L_fx L_fy L_gy d d_x delta epsilon")
high_exponent, mu_g, n, theta = symbols("high_exponent mu_g n theta")


capped_log = minimum(d, log(1 / delta))
"""ln(1/delta), at most d."""

marginal_approximate = minimum(1, sqrt(d * capped_log) / (epsilon * n))
approximate_lower = (L_fx * D_x + L_fy * D_y) * marginal_approximate.where({"d": d_x})
radius_x = D_x / 2
"""Half the diameter."""

radius_y = D_y / 2
inner_slope = mu_g * D_y
"""Largest slope of g in y on the two balls."""

direction_error = E("1/2")
epsilon_is_moderate = epsilon <= maximum(E("1/2"), d / 16)
epsilon_is_up_to = epsilon <= maximum(1, d / 16)
epsilon_is_up_to_x = epsilon_is_up_to.where({"d": d_x})
epsilon_at_most_one = epsilon <= 1
delta_is_small = delta <= exp(-(1 + high_exponent) * log(64 * n))
curvature_is_at_most = all_of(mu_g * D_y <= L_gy, theta * mu_g * D_y >= L_gy)
"""mu_g D_y between L_gy/theta and L_gy."""


MODERATE = Predicate(
    "epsilon <= max(1/2, d/16)",
    epsilon_is_moderate,
    accepts={"epsilon": "0.5", "d": 1},
    rejects={"epsilon": "1.1", "d": 16},
)
UP_TO = Predicate(
    "epsilon <= max(1, d/16)", epsilon_is_up_to, accepts={"epsilon": "1", "d": 1}, rejects={"epsilon": "1.1", "d": 16}
)
UP_TO_X = Predicate(
    "epsilon <= max(1, d_x/16)", epsilon_is_up_to_x, accepts={"epsilon": "1", "d_x": 1}, rejects={"epsilon": "1.1", "d_x": 16}
)
AT_MOST_ONE = Predicate("epsilon <= 1", epsilon_at_most_one, accepts={"epsilon": "1"}, rejects={"epsilon": "1.01"})
SMALL_DELTA = Predicate(
    "delta <= (64 n)^-(1 + a), a > 0",
    delta_is_small,
    accepts={"delta": "1e-8", "n": 100, "high_exponent": "1"},
    rejects={"delta": "1e-7", "n": 100, "high_exponent": "1"},
)
CURVATURE_AT_MOST = Predicate(
    "L_gy/theta <= mu_g D_y <= L_gy",
    curvature_is_at_most,
    accepts={"mu_g": "2", "L_gy": "5", "D_y": "2", "theta": "2"},
    rejects={"mu_g": "3", "L_gy": "5", "D_y": "2", "theta": "2"},
)
HIGH_EXPONENT = EXPONENTS[1]

claims = [
    Claim(
        id="bilevel/thm-3.9-amended",
        amends="bilevel/thm-3.9",
        kind=Kind.LOWER,
        source=BILEVEL.at("Theorem 3.9", "Theorem B.17", "proof, cases 1 and 2"),
        says="For every A that is told the problem, epsilon <= max(1, d_x/16), L_gy/theta <= mu_g D_y <= L_gy: (1) if A is "
        "epsilon-DP, some Z and convex bilevel ERM problem under Assumptions 2.1 and 2.2 have E Phi_Z(A(Z)) - min Phi_Z = "
        "Omega((L_fx D_x + L_fy D_y) min(1, d_x/(n epsilon))); (2) if A is (epsilon, delta)-DP, delta <= (64 n)^-(1 + a), the "
        "same with sqrt(d_x min(d_x, ln(1/delta))). The sets are balls of diameter D_x and D_y, zeta = D_y/D_x; the slope of g "
        "in y is at most mu_g D_y <= L_gy, and beta_gxy = mu_g D_y/D_x.",
        parameters=(*CONSTANTS, DELTA, HIGH_EXPONENT, BETA_GXY, THETA, RISK),
        formulas={
            "pure_rate": pure_lower,
            "approximate_rate": approximate_lower,
            "zeta": coupling,
            "radius_x": radius_x,
            "radius_y": radius_y,
            "slope_of_g": inner_slope,
            "beta_gxy_of_instance": mixed_curvature,
        },
        asserts=(
            Relation("risk of every epsilon-DP algorithm", ">=Omega", "pure_rate"),
            Relation("risk of every (epsilon, delta)-DP algorithm", ">=Omega", "approximate_rate"),
            Relation("beta_gxy", "<=", "beta_gxy_of_instance"),
        ),
        preconditions=(UP_TO_X, SMALL_DELTA, CURVATURE_AT_MOST),
        over=(TOLD, "some Z and some problem"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="A(Z)",
    ),
    Claim(
        id="bilevel/lem-B.18-amended",
        amends="bilevel/lem-B.18",
        kind=Kind.LOWER,
        source=BILEVEL.at("Lemma B.18"),
        says="n, d >= 1, epsilon <= max(1/2, d/16). (1) For every epsilon-DP A some Z in ({+-1/sqrt(d)}^d)^n has, with "
        "probability at least 1/4, |A(Z) - Zbar| = Omega(min(1, d/(epsilon n))), and |Zbar| = M/n for an integer M = "
        "Omega(min(n, d/epsilon)). (2) For every (epsilon, delta)-DP A, delta <= (64 n)^-(1 + a), some Z has, with "
        "probability at least 1/16, |A(Z) - Zbar| = Omega(min(1, sqrt(d min(d, ln(1/delta)))/(epsilon n))). (What the paper "
        "says of |Zbar| in (2) is dropped: the hard Z is drawn, its mean is not of one length.)",
        parameters=(
            N,
            D,
            EPSILON,
            DELTA,
            HIGH_EXPONENT,
            Parameter("error", "|A(Z) - Zbar|", nonnegative),
            Parameter("probability", "of a large error", closed_unit),
        ),
        formulas={"pure_rate": marginal_pure, "approximate_rate": marginal_approximate},
        asserts=(
            Relation("error of epsilon-DP A, with probability 1/4", ">=Omega", "pure_rate"),
            Relation("error of (epsilon, delta)-DP A, with probability 1/16", ">=Omega", "approximate_rate"),
        ),
        preconditions=(MODERATE, SMALL_DELTA),
        over=("every private A with values in R^d", "some Z"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="A(Z)",
    ),
    Claim(
        id="bilevel/eq-18-amended",
        amends="bilevel/eq-18",
        kind=Kind.LOWER,
        source=BILEVEL.at("Theorem B.17, proof, (18)"),
        says="For epsilon <= max(1/2, d/16) and every epsilon-DP A with values in the unit ball some Z whose mean has the norm "
        "k/n, k an integer of order min(n, d/epsilon), has |A(Z) - Zbar/|Zbar|| >= 1/2 with probability at least 1/4. For "
        "every Z with Zbar not 0 and every M, with c = |Zbar| - M/n and A~ = (M/n) A: |A~(Z) - Zbar| <= (M/n)|A(Z) - "
        "Zbar/|Zbar|| + |c|.",
        parameters=(
            N,
            D,
            EPSILON,
            M_WEIGHT,
            NORM_MEAN,
            Parameter("direction_error", "|A(Z) - Zbar/|Zbar||", nonnegative),
            Parameter("c", "|Zbar| - M/n", Interval("-1", "1", low_open=False, high_open=False)),
        ),
        formulas={
            "rescaled": rescaled_error,
            "M_pure": weight_pure,
            "norm_high": norm_high,
            "least_direction_error": direction_error,
        },
        asserts=(
            Relation("direction_error, with probability 1/4", ">=", "least_direction_error"),
            Relation("|A~(Z) - Zbar|", "<=", "rescaled"),
        ),
        preconditions=(MODERATE,),
        over=("every epsilon-DP A", "some Z"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="A(Z)",
    ),
    Claim(
        id="bilevel/rem-3.10-amended",
        amends="bilevel/rem-3.10",
        kind=Kind.LOWER,
        source=BILEVEL.at("Remark 3.10"),
        says="For bilevel SO and L_gy/theta <= mu_g D_y <= L_gy, the excess population risk of every A that is told the "
        "problem is, for some distribution and problem, Omega((L_fx D_x + L_fy D_y) min(1, d_x/(n epsilon)) + L_fx "
        "D_x/sqrt(n)) if A is epsilon-DP (for every epsilon: the proof of this half does not use the conditions on epsilon "
        "and delta), and, for epsilon <= 1 and delta <= (64 n)^-(1 + a), the same with sqrt(d_x min(d_x, ln(1/delta))) if it "
        "is (epsilon, delta)-DP.",
        parameters=(*CONSTANTS, DELTA, HIGH_EXPONENT, THETA, RISK),
        formulas={"statistical_term": statistical_term, "pure_rate": pure_lower, "approximate_rate": approximate_lower},
        asserts=(
            Relation("population risk of every epsilon-DP algorithm", ">=Omega", "pure_rate + statistical_term"),
            Relation(
                "population risk of every (epsilon, delta)-DP algorithm", ">=Omega", "approximate_rate + statistical_term"
            ),
        ),
        preconditions=(AT_MOST_ONE, SMALL_DELTA, CURVATURE_AT_MOST),
        over=(TOLD, "some distribution P and some problem"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="A(Z)",
    ),
]
