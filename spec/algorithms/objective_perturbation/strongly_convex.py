"""Approximate objective perturbation for strongly convex losses: the loss's own curvature replaces regularisation.

Strong convexity is measured in the Minkowski norm of the constraint set C, |v|_C = min{r : v in r C}.
"""

from dpsco.spec.algorithms.objective_perturbation.approximate import (
    ALPHA,
    ASSUMED,
    ASSUMPTION_1,
    LOSSES,
    RANK_TERM,
    composed_delta,
    composed_epsilon,
    least_lambda,
    variance_approximate,
    variance_half_budget,
)
from dpsco.spec.algorithms.objective_perturbation.approximate_utility import C_NORM
from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.conditions import gradients_are_bounded, hessians_are_bounded
from dpsco.spec.domain import Parameter, nonnegative, positive
from dpsco.spec.expressions import log, maximum, sqrt, symbols
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA, DELTA, EPSILON, L, N
from dpsco.spec.predicate import Predicate

C_norm, Delta, alpha, beta, delta, epsilon = symbols("C_norm Delta alpha beta delta epsilon")
least_modulus, n, r = symbols("least_modulus n r")

MODULUS = Parameter("Delta", "strong convexity of the loss in the Minkowski norm of C", positive, "loss")
LEAST_MODULUS = Parameter("least_modulus", "least strong convexity in |.|_C over all records' losses", nonnegative, "loss")


lambda_choice = maximum(least_lambda - Delta, 0)
euclidean_modulus = 2 * lambda_choice + Delta / C_norm**2
"""What J has for certain in the l2 norm at the chosen lambda: 2 lambda + Delta/|C|_2^2."""

output_sensitivity = sqrt(8 * alpha / least_lambda)
euclidean_lambda = maximum(2 * least_lambda - Delta / (2 * C_norm**2), 0)
fourfold = 4 * least_lambda
"""2 lambda where lambda is twice Theorem 1's."""

output_sensitivity_fourfold = sqrt(8 * alpha / fourfold)

_square = output_sensitivity_fourfold**2
output_variance = _square * (8 * log(1 / delta) + 2 * epsilon) / epsilon**2
loss_is_strongly_convex = least_modulus >= Delta


STRONGLY_CONVEX = Predicate(
    "every l(., x) is Delta-strongly convex in |.|_C",
    loss_is_strongly_convex,
    accepts={"least_modulus": "1", "Delta": "1"},
    rejects={"least_modulus": "0.5", "Delta": "1"},
)
PREDICTOR_PART = (L.means("Lipschitz constant of c(<x, .>; y)"), BETA.means("smoothness constant of c(<x, .>; y)"))
COMMON_PART = (MODULUS.means("strong convexity of R in |.|_C"), LEAST_MODULUS.means("least strong convexity of R in |.|_C"))
PREDICTOR_LIPSCHITZ = Predicate(
    "every c(<x, .>; y) is L-Lipschitz in the l2 norm",
    gradients_are_bounded,
    accepts={"largest_gradient_norm": "1", "L": "2"},
    rejects={"largest_gradient_norm": "3", "L": "2"},
)
PREDICTOR_SMOOTH = Predicate(
    "every c(<x, .>; y) is beta-smooth in the l2 norm",
    hessians_are_bounded,
    accepts={"largest_eigenvalue": "1", "beta": "1"},
    rejects={"largest_eigenvalue": "2", "beta": "1"},
)
COMMON_CONVEX = Predicate(
    "R is Delta-strongly convex in |.|_C",
    loss_is_strongly_convex,
    accepts={"least_modulus": "1", "Delta": "1"},
    rejects={"least_modulus": "0.5", "Delta": "1"},
)
INEXACT_IS_PRIVATE = (
    Relation("strong convexity of J in the l2 norm", ">=", "modulus", step=True),
    Relation("l2-sensitivity of theta_2 - theta_1 given theta_1", "<=", "output_sensitivity", step=True),
    Relation("theta_hat", "is", "(epsilon, delta)-DP"),
)

claims = [
    Claim(
        id="lp/thm-3",
        title="privacy under strong convexity",
        kind=Kind.PRIVACY,
        source=LP.at("Theorem 3", "proof of Theorem 3", "proof of Theorem 4", "Algorithm 2"),
        says="Let the losses meet Assumption 1 and be Delta-strongly convex in |.|_C. Algorithm 2, which is approximate "
        "objective perturbation with lambda = max(r beta / (epsilon n) - Delta, 0), is (epsilon, delta)-DP. Step: J is r "
        "beta / (epsilon n)-strongly convex (in the l2 norm), so that |theta_2 - theta_1|_2 and the output noise H are as in "
        "Theorem 1 with r beta / (epsilon n) for lambda.",
        uses=("lp/thm-1",),
        parameters=(EPSILON, DELTA, L, BETA, N, RANK_TERM, ALPHA, MODULUS, LEAST_MODULUS, C_NORM, *ASSUMED),
        formulas={
            "sigma_1_squared": variance_approximate,
            "lambda_choice": lambda_choice,
            "modulus": least_lambda,
            "euclidean_modulus": euclidean_modulus,
            "output_sensitivity": output_sensitivity,
            "composed_epsilon": composed_epsilon,
            "composed_delta": composed_delta,
        },
        asserts=INEXACT_IS_PRIVATE,
        preconditions=(*ASSUMPTION_1, STRONGLY_CONVEX),
        over=("neighbouring data sets of n records", LOSSES, "optimisers that reach accuracy alpha"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the projected point theta_hat",
        provenance=Provenance.REBUILT,
        note="Rebuilt from its two-sentence proof (like the convex case; J strongly convex) and from the proof of Theorem 4, "
        "which gives lambda; Algorithm 2 itself is not at hand, its noise is taken as in Algorithm 1. The step is false, and "
        "with that noise the conclusion, a finding beside: Delta is a modulus in |.|_C (unit loss), lambda one in the l2 "
        "norm; in l2 the loss has only Delta/|C|_2^2, so J has 2 lambda + Delta/|C|_2^2, below r beta / (epsilon n) when "
        "|C|_2 > 1 (|C|_2 = 10, Delta = r beta / (epsilon n): a hundredth of it), and sensitivity and Jacobian are then "
        "larger than claimed. True reading: Delta meant in l2, or |C|_2 <= 1. The faults of lp/thm-1 (budget 3/2, Lemma 5's "
        "threshold, large epsilon) carry over.",
    ),
    Claim(
        id="lp/thm-3-amended",
        amends="lp/thm-3",
        kind=Kind.PRIVACY,
        source=LP.at("Theorem 3", "proof of Theorem 3", "proof of Theorem 4", "Algorithm 2"),
        says="Of losses with a common strongly convex part. Let every loss be c(<x, theta>; y) + R(theta), c convex, "
        "L-Lipschitz and beta-smooth in theta, R the same for every record, with a Lipschitz gradient on R^d and "
        "Delta-strongly convex in |.|_C. Approximate objective perturbation with lambda = max(2 r beta / (epsilon n) - Delta "
        "/ (2 |C|_2^2), 0), sigma_1^2 = L^2 (128 ln(4/delta) + 16 epsilon) / epsilon^2, sigma_2^2 = s^2 (8 ln(1/delta) + 2 "
        "epsilon) / epsilon^2, s^2 = 2 alpha epsilon n / (r beta), is (epsilon, delta)-DP when one record is replaced. Step: "
        "J is 4 r beta / (epsilon n)-strongly convex in the l2 norm.",
        parameters=(EPSILON, DELTA, *PREDICTOR_PART, N, RANK_TERM, ALPHA, *COMMON_PART, C_NORM, *ASSUMED),
        formulas={
            "sigma_1_squared": variance_half_budget,
            "sigma_2_squared": output_variance,
            "lambda_choice": euclidean_lambda,
            "modulus": fourfold,
            "output_sensitivity": output_sensitivity_fourfold,
        },
        asserts=INEXACT_IS_PRIVATE,
        preconditions=(PREDICTOR_LIPSCHITZ, PREDICTOR_SMOOTH, COMMON_CONVEX),
        over=("neighbouring data sets of n records", "losses c(<x, theta>; y) + R(theta)", "optimisers of accuracy alpha"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the projected point theta_hat",
    ),
]
