"""Sampling a point of small gradient: the exponential mechanism with the gradient's norm as its score."""

from dpsco.spec.algorithms.bilevel_descent.algorithm import BETA_PHI, K_SENS
from dpsco.spec.algorithms.exponential_sampling.mechanism import G_SLOPE
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Parameter, nonnegative, positive
from dpsco.spec.expressions import log, maximum, symbols
from dpsco.spec.losses.bilevel.assumptions import D_X, D_X_DIM, LIPSCHITZ, LIPSCHITZ_HOLDS, MIXED, MIXED_HOLDS, PROBLEMS
from dpsco.spec.losses.bilevel.hypergradient import ASSUMED, HOLDS, gradient_bound
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import EPSILON, N

D_x, G, K, L_fx, beta_Phi, d_x, epsilon = symbols("D_x G K L_fx beta_Phi d_x epsilon")
gradient_norm, n = symbols("gradient_norm n")


gradient_change = 2 * G / n
log_weight = -epsilon / (2 * G) * gradient_norm
"""As printed, without n."""

stationarity_rate = G * d_x / (epsilon * n)
trivial_gradient = L_fx
exact_gradient_change = K / n
"""Half of the paper's (20), whose own terms add up to this."""

inverse_temperature = epsilon * n / (2 * K)
"""epsilon over twice the sensitivity K/n of the score."""

calibrated_log_weight = -inverse_temperature * gradient_norm
stationarity_bound = d_x / inverse_temperature * (1 + log(maximum(1, inverse_temperature * beta_Phi * D_x / d_x)))
"""How far the expected gradient norm exceeds the least one on X."""


BOUNDED = "every compact convex X of positive volume and diameter D_x"
GRADIENT_NORM = Parameter("gradient_norm", "|grad Phi_Z(x)|", nonnegative, "loss/decision")
LARGEST_CHANGE = Parameter(
    "largest_change", "supremum of |grad Phi_Z - grad Phi_Z'| over neighbours and x", nonnegative, "loss/decision"
)

claims = [
    Claim(
        id="bilevel/sec-C.3",
        title="exponential mechanism on the gradient norm",
        kind=Kind.PRIVACY,
        source=BILEVEL.at("Section C.3", "(24)"),
        says="With G of (5): neighbours' gradients satisfy |grad Phi_Z(x) - grad Phi_Z'(x)| <= 2G/n for every x; drawing x "
        "with density proportional to exp(-(epsilon/(2G)) |grad Phi_Z(x)|) is epsilon-DP and has E |grad Phi_Z(x)| = O(G "
        "d_x/(epsilon n)); and a fixed x0, whatever the data, has |grad Phi_Z(x0)| <= L_fx.",
        uses=("bilevel/lem-B.6", "bilevel/thm-3.2"),
        parameters=(
            EPSILON,
            N,
            D_X_DIM,
            *LIPSCHITZ,
            *MIXED,
            G_SLOPE,
            GRADIENT_NORM,
            LARGEST_CHANGE,
        ),
        symbols={
            "gradient_norm": r"\|\nabla \hat{\Phi}_Z(x)\|",
            "largest_change": r"\sup \|\nabla \hat{\Phi}_Z - \nabla \hat{\Phi}_{Z'}\|",
        },
        formulas={
            "sensitivity": gradient_change,
            "log_weight": log_weight,
            "rate": stationarity_rate,
            "trivial": trivial_gradient,
        },
        asserts=(
            Relation("largest_change", "<=", "sensitivity"),
            Relation("the sample", "is", "epsilon-DP"),
            Relation("E |grad Phi_Z(x)| of the sample", "<=O", "rate"),
            Relation("|grad Phi_Z(x0)|", "<=", "trivial"),
        ),
        preconditions=(*LIPSCHITZ_HOLDS, *MIXED_HOLDS),
        over=(PROBLEMS, "every x0 in X"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x",
        note="(1) 2G/n is Lemma B.6, whose chain-rule term is missing: false where one record has a large grad_yy g; K/n, K "
        "of (12), holds under all of Assumption 2.2. (2) The weight has no n. As printed it is epsilon-DP on sets of finite "
        "volume, for any two data sets at all, since 0 <= |grad Phi_Z| <= G; on X = R^{d_x} it cannot be normalised. The "
        "mechanism meant is exp(-(epsilon n/(4G)) ...), which is not epsilon-DP by (1). (3) The gradient of the sample does "
        "not fall with n, and a set X that holds no stationary point (f = c x) has no small gradient at all. (4) |grad "
        "Phi_Z(x0)| is bounded by L_fx + L_fy beta_gxy/mu_g: f = y, g = (y - x)^2/2 has L_fx = 0 and gradient 1.",
    ),
    Claim(
        id="bilevel/sec-C.3-amended",
        amends="bilevel/sec-C.3",
        kind=Kind.PRIVACY,
        source=BILEVEL.at("Section C.3", "(20)", "(24)"),
        says="Under Assumptions 2.1 and 2.2, with K of (12): neighbours' gradients satisfy |grad Phi_Z(x) - grad Phi_Z'(x)| <= "
        "K/n for every x; on a compact convex X of positive volume, drawing x with density proportional to exp(-k |grad "
        "Phi_Z(x)|), k = epsilon n/(2K), is epsilon-DP, and E |grad Phi_Z(x)| exceeds the least |grad Phi_Z| on X by at most "
        "(d_x/k)(1 + ln max(1, k beta_Phi D_x/d_x)); and a fixed x0 has |grad Phi_Z(x0)| <= L_fx + beta_gxy L_fy/mu_g.",
        parameters=(
            EPSILON,
            N,
            D_X_DIM,
            *ASSUMED,
            D_X.within(positive),
            K_SENS,
            BETA_PHI,
            GRADIENT_NORM,
            LARGEST_CHANGE,
        ),
        formulas={
            "sensitivity": exact_gradient_change,
            "log_weight": calibrated_log_weight,
            "rate": stationarity_bound,
            "trivial": gradient_bound,
        },
        asserts=(
            Relation("largest_change", "<=", "sensitivity"),
            Relation("the sample", "is", "epsilon-DP"),
            Relation("E |grad Phi_Z(x)| of the sample - inf |grad Phi_Z|", "<=", "rate"),
            Relation("|grad Phi_Z(x0)|", "<=", "trivial"),
        ),
        preconditions=HOLDS,
        over=(PROBLEMS, BOUNDED, "every x0 in X"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x",
    ),
]
