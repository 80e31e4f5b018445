"""Approximate objective perturbation: an inexact minimiser of the perturbed objective, hidden by a second noise.

The exact form (Algorithm 5) releases the minimiser itself; the approximate form (Algorithm 1) adds noise sized for the
optimisation error and projects. The objective is J(theta) = empirical loss + <G, theta>/n + lambda |theta|_2^2.
"""

from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.conditions import gradients_are_bounded, hessians_are_bounded
from dpsco.spec.domain import Parameter, naturals, nonnegative
from dpsco.spec.expressions import log, sqrt, symbols
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA, DELTA, EPSILON, LAMBDA, L, N
from dpsco.spec.predicate import Predicate

alpha, beta, delta, epsilon, lambda_, n, r = symbols("alpha beta delta epsilon lambda_ n r")

RANK_TERM = Parameter("r", "min(d, 2 rank), rank the largest rank of a Hessian of the loss", naturals)
ALPHA = Parameter("alpha", "optimisation accuracy: J(theta_2) - min J <= alpha", nonnegative, "loss")


variance_exact = 32 * L**2 * log(1 / delta) / epsilon**2
variance_replaced = L**2 * (32 * log(2 / delta) + 8 * epsilon) / epsilon**2
"""What is proved for linear predictors where one record replaces another."""

variance_approximate = 128 * L**2 * log(1 / delta) / epsilon**2
"""The one of the proof of Lemma 6: the exact form's at half of epsilon."""

least_lambda = r * beta / (epsilon * n)
largest_beta = epsilon * n * lambda_ / r
distance_bound = sqrt(2 * alpha / lambda_)
output_sensitivity = sqrt(8 * alpha / lambda_)
output_sigma_rate = sqrt(alpha * log(1 / delta) / lambda_) / epsilon
composed_epsilon = epsilon + epsilon / 2
"""What basic composition gives for the budgets as the proof states them."""

composed_delta = delta + delta / 2
variance_half_budget = variance_replaced.where({"epsilon": epsilon / 2, "delta": delta / 2})
"""What the exact form needs at half of epsilon and of delta."""

output_variance = output_sensitivity**2 * (8 * log(1 / delta) + 2 * epsilon) / epsilon**2
"""Makes a query of l2-sensitivity `output_sensitivity` private with half of epsilon and of delta."""

smooth_enough_for_half = beta <= largest_beta.where({"epsilon": epsilon / 2})
smooth_enough = beta <= largest_beta


LARGEST_GRADIENT_NORM = Parameter(
    "largest_gradient_norm", "largest l2 norm of a gradient over C and records", nonnegative, L.unit
)
LARGEST_EIGENVALUE = Parameter(
    "largest_eigenvalue", "largest eigenvalue of a Hessian over C and records", nonnegative, BETA.unit
)

LIPSCHITZ = Predicate(
    "every l(., x) is L-Lipschitz in the l2 norm (Assumption 1)",
    gradients_are_bounded,
    accepts={"largest_gradient_norm": "1", "L": "2"},
    rejects={"largest_gradient_norm": "3", "L": "2"},
)
SMOOTH = Predicate(
    "every l(., x) is beta-smooth in the l2 norm (Assumption 1)",
    hessians_are_bounded,
    accepts={"largest_eigenvalue": "1", "beta": "1"},
    rejects={"largest_eigenvalue": "2", "beta": "1"},
)
REGULARISED = Predicate(
    "beta <= epsilon n lambda / r",
    smooth_enough,
    accepts={"beta": "1", "r": 1, "lambda_": "1", "epsilon": "1", "n": 10},
    rejects={"beta": "1", "r": 2, "lambda_": "0.1", "epsilon": "1", "n": 10},
)
TWICE_REGULARISED = Predicate(
    "beta <= epsilon n lambda / (2 r)",
    smooth_enough_for_half,
    accepts={"beta": "1", "r": 1, "lambda_": "1", "epsilon": "1", "n": 10},
    rejects={"beta": "1", "r": 1, "lambda_": "0.1", "epsilon": "1", "n": 10},
)
ASSUMPTION_1 = (LIPSCHITZ, SMOOTH)
ASSUMED = (LARGEST_GRADIENT_NORM, LARGEST_EIGENVALUE)
INEXACT_IS_PRIVATE = (
    Relation("|theta_2 - theta_1|_2", "<=", "distance_bound", step=True),
    Relation("l2-sensitivity of theta_2 - theta_1 given theta_1", "<=", "output_sensitivity", step=True),
    Relation("theta_hat", "is", "(epsilon, delta)-DP"),
)
LOSSES = "convex losses that meet Assumption 1 (L-Lipschitz, beta-smooth, Hessians of bounded rank), closed convex sets C"

claims = [
    Claim(
        id="lp/lem-5",
        title="privacy of objective perturbation",
        kind=Kind.PRIVACY,
        unproved=True,
        source=LP.at("Lemma 5", "Algorithm 5"),
        says="Let every l(., x) be convex, L-Lipschitz and beta-smooth in the l2 norm (Assumption 1), with beta <= epsilon n "
        "lambda / r. Algorithm 5, which releases the exact minimiser theta_1 of J with noise variance 32 L^2 ln(1/delta) / "
        "epsilon^2, is (epsilon, delta)-DP, for every epsilon > 0.",
        uses=("lp/alg-5",),
        parameters=(EPSILON, DELTA, L, BETA, LAMBDA, N, RANK_TERM, *ASSUMED),
        formulas={"sigma_1_squared": variance_exact, "largest_beta": largest_beta},
        asserts=(Relation("theta_1", "is", "(epsilon, delta)-DP"),),
        preconditions=(*ASSUMPTION_1, REGULARISED),
        over=("neighbouring data sets of n records", LOSSES),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the exact minimiser theta_1",
        note="Cited from Iyengar et al. 2019, Theorem 1. Adjacency is not printed with it; the proofs of Theorems 1 and 6 "
        "replace one record. Algorithm 5 itself allows lambda = r beta / (2 epsilon n), half of what the lemma asks: a finding "
        "beside. The set C is handled by an approximation argument that is not in this paper.",
    ),
    Claim(
        id="lp/lem-5-amended",
        amends="lp/lem-5",
        kind=Kind.PRIVACY,
        source=LP.at("Lemma 5", "Algorithm 5"),
        says="Of losses of a linear predictor; nothing of others. Let every loss be l(theta; (x, y)) = c(<x, theta>; y), c "
        "convex in its first argument, L-Lipschitz and beta-smooth in theta, with beta <= epsilon n lambda / r. Algorithm 5 "
        "with noise variance L^2 (32 ln(2/delta) + 8 epsilon) / epsilon^2 is (epsilon, delta)-DP when one record is replaced, "
        "for every epsilon > 0, closed convex C.",
        parameters=(EPSILON, DELTA, L, BETA, LAMBDA, N, RANK_TERM, *ASSUMED),
        formulas={"sigma_1_squared": variance_replaced, "largest_beta": largest_beta},
        asserts=(Relation("theta_1", "is", "(epsilon, delta)-DP"),),
        preconditions=(*ASSUMPTION_1, REGULARISED),
        over=("neighbouring data sets of n records", "convex losses of a linear predictor that meet Assumption 1", "sets C"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the exact minimiser theta_1",
    ),
    Claim(
        id="lp/thm-1",
        title="privacy of approximate objective perturbation",
        kind=Kind.PRIVACY,
        source=LP.at("Theorem 1", "proof of Theorem 1", "display (2)"),
        says="Under Assumption 1 and beta <= epsilon n lambda / r, approximate objective perturbation is (epsilon, "
        "delta)-DP. Steps: strong convexity gives |theta_2 - theta_1|_2 <= sqrt(2 alpha / lambda); hence, conditional on "
        "theta_1, theta_2 - theta_1 has l2-sensitivity sqrt(8 alpha / lambda), and theta_2 - theta_1 + H is (epsilon/2, "
        "delta/2)-DP; composed with theta_1, and post-processed, the output is (epsilon, delta)-DP.",
        uses=("lp/alg-1", "lp/lem-5"),
        parameters=(EPSILON, DELTA, L, BETA, LAMBDA, N, RANK_TERM, ALPHA, *ASSUMED),
        formulas={
            "sigma_1_squared": variance_approximate,
            "sigma_1_squared_display_5": variance_exact,
            "distance_bound": distance_bound,
            "output_sensitivity": output_sensitivity,
            "sigma_2_rate": output_sigma_rate,
            "composed_epsilon": composed_epsilon,
            "composed_delta": composed_delta,
        },
        asserts=INEXACT_IS_PRIVATE,
        preconditions=(*ASSUMPTION_1, REGULARISED),
        over=("neighbouring data sets of n records", LOSSES, "optimisers that reach accuracy alpha"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the projected point theta_hat (by post-processing of the pair theta_1, theta_2 - theta_1 + H)",
        provenance=Provenance.REBUILT,
        note="Rebuilt from its proof; delta.2 there is read delta/2. The proof calls theta_1 (epsilon, delta)-DP and "
        "composes it with (epsilon/2, delta/2), which gives 3/2 of both, not (epsilon, delta). Readings: (a) variance 128, "
        "lambda >= r beta / (epsilon n): theta_1 has budget epsilon/2 as far as Algorithm 5's own threshold goes, but by "
        "Lemma 5 epsilon/2 would need lambda >= 2 r beta / (epsilon n); (b) variance 32: the sum is 3 epsilon / 2. delta "
        "stays ln(1/delta) in both, not ln(2/delta). J is 2 lambda-strongly convex, so sqrt(alpha / lambda) holds and the "
        "printed distance has slack sqrt(2). Unrestricted epsilon is fragile as in Lemma 5; alpha = 0 leaves theta_1 alone.",
    ),
    Claim(
        id="lp/thm-1-amended",
        amends="lp/thm-1",
        kind=Kind.PRIVACY,
        source=LP.at("Theorem 1", "proof of Theorem 1", "display (2)"),
        says="Of Hessians of rank one; nothing of higher ranks. "
        "Let every loss be c(<x, theta>; y), c convex, L-Lipschitz and beta-smooth in theta, beta <= epsilon n lambda / "
        "(2 r). With sigma_1^2 = L^2 (128 ln(4/delta) + 16 epsilon) / epsilon^2, sigma_2^2 = (8 alpha / lambda) (8 ln(1/delta) "
        "+ 2 epsilon) / epsilon^2 approximate objective perturbation is (epsilon, delta)-DP when one record is replaced.",
        parameters=(EPSILON, DELTA, L, BETA, LAMBDA, N, RANK_TERM, ALPHA, *ASSUMED),
        formulas={
            "sigma_1_squared": variance_half_budget,
            "sigma_2_squared": output_variance,
            "distance_bound": distance_bound,
            "output_sensitivity": output_sensitivity,
        },
        asserts=INEXACT_IS_PRIVATE,
        preconditions=(*ASSUMPTION_1, TWICE_REGULARISED),
        over=("neighbouring data sets of n records", "convex losses of a linear predictor that meet Assumption 1", "sets C"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the projected point theta_hat (by post-processing of the pair theta_1, theta_2 - theta_1 + H)",
    ),
]
