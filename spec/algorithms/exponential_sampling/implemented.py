"""The exponential mechanisms as they are run: the grid walk on an extension to a cube, with inexact lower minimisers.

Distances between densities are suprema of |log ratio|.
"""

from dpsco.spec.algorithms.exponential_sampling.mechanism import G_SLOPE
from dpsco.spec.algorithms.exponential_sampling.utility import (
    EITHER,
    EXCESS,
    POPULATION_CONVEX,
    POPULATION_DEFECT,
    exponential_rate,
    population_rate_appendix,
)
from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.domain import Interval, Parameter, closed_unit, nonnegative, positive, reals
from dpsco.spec.expressions import exp, log, maximum, sqrt, symbols
from dpsco.spec.losses.bilevel.assumptions import (
    CONVEX_HOLDS,
    CONVEXITY_DEFECT,
    D_X,
    D_X_DIM,
    D_Y,
    LIPSCHITZ,
    LIPSCHITZ_HOLDS,
    MIXED,
    MIXED_HOLDS,
    PROBLEMS,
)
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import DELTA, EPSILON, D, L, N
from dpsco.spec.predicate import Predicate

D_x, G, L_fy, L_gy, alpha, convexity_defect, d = symbols("D_x G L_fy L_gy alpha convexity_defect d")
d_x, delta, epsilon, f_bar, f_y, gap, gauge = symbols("d_x delta epsilon f_bar f_y gap gauge")
largest_error, mu_g, n, slope, xi, zeta = symbols("largest_error mu_g n slope xi zeta")


lipschitz_extension_term = f_y + L * gap
"""One y's term; the extension at x is the minimum over y in C."""

gauge_penalty = alpha * maximum(0, gauge - 1)
log_target = -f_bar - gauge_penalty
sampling_distance = 2 * zeta + xi
slowdown = exp(12 * zeta)
dimension_rate = d**3
"""The dimension's factor of the running time."""

epsilon_prime = epsilon / 2
evaluation_error = epsilon_prime / 6
"""zeta = xi = epsilon'/6."""

distance_of_samplers = 2 * sampling_distance.where({"zeta": evaluation_error, "xi": evaluation_error}) + epsilon_prime
"""Sum of the three links: sampler to target, target to target of the neighbour, and back."""

inner_tolerance = zeta / L_fy
cutting_plane_time = d**6 * n
"""Dimension and sample size of the first running time; a polynomial of the other constants multiplies it."""

subgradient_time = d**4 * n * L_gy / mu_g
regularised_rate_without_epsilon = G * D_x * sqrt(d_x * log(1 / delta)) / n
function_is_convex = convexity_defect <= 0
function_is_lipschitz = slope <= L
evaluations_are_accurate = largest_error <= zeta


ZETA = Parameter("zeta", "bound on the error of a function value in the exponent", positive, "nat")
XI = Parameter("xi", "accuracy asked of the sampler", positive, "nat")
SAMPLED = (
    D,
    L.means("l2-Lipschitz constant of f on C").within(positive),
    XI,
    CONVEXITY_DEFECT.means("supremum over C of f(t x + (1-t) x') - t f(x) - (1-t) f(x')"),
    Parameter("slope", "largest difference quotient of f on C", nonnegative, "nat/decision"),
    Parameter("alpha", "slope of the gauge penalty, set to ensure correct sampling", positive, "nat"),
    Parameter("gauge", "Minkowski functional of C at the point", nonnegative),
    Parameter("f_y", "f at a point y of C", reals, "nat"),
    Parameter("gap", "|x - y|", nonnegative, "decision"),
    Parameter("f_bar", "extension of f at the point", reals, "nat"),
    Parameter("tau", "edge of the cube A, the l_infinity diameter of C", positive, "decision"),
)
CONVEX_LIPSCHITZ = (
    Predicate(
        "f is convex",
        function_is_convex,
        accepts={"convexity_defect": "0"},
        rejects={"convexity_defect": "0.01"},
    ),
    Predicate(
        "f is L-Lipschitz on C",
        function_is_lipschitz,
        accepts={"slope": "1.5", "L": "1.5"},
        rejects={"slope": "1.51", "L": "1.5"},
    ),
)
STEPS = (
    "Enclose C in a cube A of edge tau = |C|_infinity; extend f to A by fbar(x) = min over y in C of f(y) + L|x - y|_2, "
    "convex and L-Lipschitz; add the penalty alpha max(0, psi - 1), psi the gauge of C; run the grid walk on the density "
    "proportional to exp(-fbar - penalty) on A"
)
CONSTANTS = (EPSILON, N, D, D_X_DIM, *LIPSCHITZ, D_X)

claims = [
    Claim(
        id="bilevel/thm-B.13",
        title="log-concave sampling with exact evaluations",
        kind=Kind.ALGORITHM,
        source=BILEVEL.at("Theorem B.13", "Theorem B.14, proof, steps 1 to 4"),
        says="For a convex set C in R^d, a convex L-Lipschitz f on C and exact values of f, an algorithm returns theta in C "
        "with a law mu such that the supremum of |log(mu/pi)| is at most xi, pi proportional to exp(-f) on C, for any xi > 0, "
        "in time "
        "O(d^3 poly(L, |C|_2, 1/xi)). " + STEPS + ".",
        uses=("bilevel/grid-walk",),
        parameters=SAMPLED,
        symbols={"convexity_defect": r"\sup (f(t x + (1-t) x') - t f(x) - (1-t) f(x'))", "gap": r"\|x - y\|_2"},
        formulas={
            "extension_term": lipschitz_extension_term,
            "penalty": gauge_penalty,
            "log_target": log_target,
            "time_in_d": dimension_rate,
        },
        asserts=(
            Relation("Dist_infinity(law of theta, pi)", "<=", "xi"),
            Relation("time", "<=O", "time_in_d poly(L, |C|, 1/xi)"),
        ),
        preconditions=CONVEX_LIPSCHITZ,
        over=("all convex C in R^d and convex L-Lipschitz f",),
        note="C must be bounded, and its gauge needs 0 inside C (it is finite only then); neither is said. alpha is not "
        "given, nor how points outside C are discarded and how often. The walk's Lipschitz constant is in the maximum norm, L "
        "sqrt(d) for an l2-Lipschitz f, so Lemma 3.7 gives d^4 log d, not d^3.",
    ),
    Claim(
        id="bilevel/thm-3.8",
        title="log-concave sampling with evaluation errors",
        kind=Kind.ALGORITHM,
        source=BILEVEL.at("Theorem 3.8", "(7)", "Theorem B.14", "(16)"),
        says="As the exact sampler, with f'(theta) = f(theta) + zeta(theta), |zeta(.)| <= zeta = O(1): there is an algorithm "
        "whose output theta in C has a law mu' with Dist_infinity(mu', pi) <= 2 zeta + xi, in time O(e^{12 zeta} d^3 poly(L, "
        "|C|_2, "
        "1/xi)). " + STEPS + ", evaluated with error at most zeta.",
        uses=("bilevel/lem-3.6", "bilevel/lem-3.7"),
        parameters=(*SAMPLED, ZETA, Parameter("largest_error", "supremum of |f' - f| over C", nonnegative, "nat")),
        symbols={"convexity_defect": r"\sup (f(t x + (1-t) x') - t f(x) - (1-t) f(x'))", "gap": r"\|x - y\|_2"},
        formulas={
            "distance": sampling_distance,
            "slowdown": slowdown,
            "time_in_d": dimension_rate,
            "extension_term": lipschitz_extension_term,
            "penalty": gauge_penalty,
            "log_target": log_target,
        },
        asserts=(
            Relation("Dist_infinity(law of theta, pi)", "<=", "distance"),
            Relation("time", "<=O", "slowdown time_in_d poly(L, |C|, 1/xi)"),
        ),
        preconditions=(
            *CONVEX_LIPSCHITZ,
            Predicate(
                "function values are off by at most zeta",
                evaluations_are_accurate,
                accepts={"largest_error": "0.25", "zeta": "0.25"},
                rejects={"largest_error": "0.26", "zeta": "0.25"},
            ),
        ),
        over=("all convex C in R^d and convex L-Lipschitz f", "all error functions bounded by zeta"),
        note="The statement's 'delta > 0 arbitrarily small' is xi. Fragile: errors are given on C but the walk evaluates the "
        "extension on A; the last step accepts with F'(theta)/(e F'(x)), which can exceed 1 once zeta > 3/8 (ratio up to "
        "e^{1/4 + 2 zeta}/e), and is then cut off. The target is stated on C and on A. d^3 as in Theorem B.13.",
    ),
    Claim(
        id="bilevel/thm-B.15",
        title="efficient exponential mechanism",
        kind=Kind.PRIVACY,
        source=BILEVEL.at("Theorem B.15"),
        says="Under Assumption 2.1, for every constant epsilon = O(1) there is an efficient sampler that is (epsilon, 0)-DP, "
        "with expected loss (d_x/(epsilon n)) (L_fx D_x + L_fy D_y + L_fy L_gy/mu_g) up to logarithms, in the smaller of the "
        "times d^6 n poly(L_bar, D_x, 1/epsilon, log(d L_fy^2/mu_g)) (cutting planes) and d^4 n (L_gy/mu_g) poly(L_bar, D_x, "
        "1/epsilon) (subgradients). By way of: the sampler of (4) at epsilon' = epsilon/2, with zeta = xi = epsilon'/6 and "
        "every lower minimiser found to within zeta/L_fy, whose law is within epsilon'/2 of the exact one; neighbours' exact "
        "laws are within epsilon', together 2 epsilon' = epsilon.",
        uses=("bilevel/thm-3.2", "bilevel/thm-3.8"),
        parameters=(*CONSTANTS, D_Y, ZETA, XI, EXCESS),
        formulas={
            "epsilon_prime": epsilon_prime,
            "zeta_chosen": evaluation_error,
            "distance_of_neighbours": distance_of_samplers,
            "inner_tolerance": inner_tolerance,
            "rate": exponential_rate,
            "cutting_plane_time": cutting_plane_time,
            "subgradient_time": subgradient_time,
        },
        asserts=(
            Relation("distance_of_neighbours", "=", "epsilon"),
            Relation("some sampler", "is", "epsilon-DP"),
            Relation("risk", "<=O", "rate times logarithms"),
            Relation("time", "<=O", "the smaller of cutting_plane_time and subgradient_time, times a polynomial"),
        ),
        preconditions=LIPSCHITZ_HOLDS,
        over=(PROBLEMS, "existence of a sampler"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x, not the path of the walk nor its running time",
        provenance=Provenance.REPAIRED,
        note="Repaired: stray digits of the cleaned text ('2 eps' = eps/2', '6 zeta') are scan damage, the raw text has eps' "
        "= eps/2 and zeta = xi = eps'/6. Convexity of Phi_Z, needed by the sampler, is not assumed: a minimum in one of M^d "
        "cells is not found in polynomial time, with privacy or without. Steps of the proof that fail: the exponent is eps' "
        "Phi/(2s), so an error zeta in Phi is an error eps' zeta/(2s) in the exponent, more than zeta where 2s < eps' (the "
        "tolerance must be 2 s zeta/(eps' L_fy)); the loss has the defect of Theorem 3.2. L_gy/(mu_g zeta) steps of the "
        "subgradient method have not the unit of a count; the usual count is (L_gy L_fy/(mu_g zeta))^2. L_bar contains "
        "beta_gxy, not in Assumption 2.1. Restarts make the running time depend on the "
        "data.",
    ),
    Claim(
        id="bilevel/thm-B.16",
        title="efficient regularised exponential mechanism",
        kind=Kind.PRIVACY,
        unproved=True,
        source=BILEVEL.at("Theorem B.16"),
        says="Under Assumption 2.1, grad_x f beta_fxy-Lipschitz in y and grad_y G_Z beta_gxy-Lipschitz in x, epsilon = O(1), "
        "0 < delta < 1/100: an efficient sampler for the regularised mechanism is (epsilon, delta)-DP with expected empirical "
        "loss O(G D_x sqrt(d_x ln(1/delta))/n), and with other parameters expected population loss O(G D_x (sqrt(d_x "
        "ln(1/delta))/n + 1/sqrt(n))), in the running times of Theorem B.15.",
        uses=("bilevel/thm-B.15", "bilevel/thm-B.8"),
        parameters=(
            *CONSTANTS,
            *MIXED,
            G_SLOPE,
            DELTA.within(Interval("0", "0.01")),
            CONVEXITY_DEFECT,
            POPULATION_DEFECT,
            EITHER,
            Parameter("true_delta", "least delta for which the sampler is (epsilon, delta)-DP", closed_unit),
        ),
        formulas={
            "empirical_rate": regularised_rate_without_epsilon,
            "population_rate": population_rate_appendix,
            "cutting_plane_time": cutting_plane_time,
            "subgradient_time": subgradient_time,
        },
        asserts=(
            Relation("true_delta", "<=", "delta"),
            Relation("empirical risk", "<=O", "empirical_rate"),
            Relation("population risk", "<=O", "population_rate"),
        ),
        preconditions=(*LIPSCHITZ_HOLDS, *MIXED_HOLDS, *CONVEX_HOLDS, POPULATION_CONVEX),
        over=(PROBLEMS, "every P for the population risk"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x",
        note="No proof beyond 'similar argument'. False: both losses lost 1/epsilon (misprint; epsilon = O(1) makes "
        "them stronger, and epsilon -> 0 refutes them), and privacy inherits Lemma B.6's missing chain-rule term, see Theorem "
        "3.3. Convexity of Phi_Z and Phi is not repeated in the statement and taken from Theorem B.8. The conditions here ask "
        "for more than is printed: grad_y f beta_fxy-Lipschitz in x too, and the bound on grad_xy g for every record where the "
        "paper has the mean's; what they refute is refuted a fortiori.",
    ),
]
