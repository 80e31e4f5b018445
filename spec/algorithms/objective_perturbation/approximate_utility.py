"""Risk of approximate objective perturbation for convex losses, through the Gaussian width of the constraint set."""

from dpsco.spec.algorithms.objective_perturbation.approximate import (
    ALPHA,
    ASSUMED,
    ASSUMPTION_1,
    LOSSES,
    RANK_TERM,
    least_lambda,
    output_sigma_rate,
    variance_approximate,
)
from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.domain import Parameter, nonnegative, positive, reals
from dpsco.spec.expressions import E, exp, lgamma, log, minimum, sqrt, symbols
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA, DELTA, EPSILON, LAMBDA, D, L, N
from dpsco.spec.predicate import Predicate

C_norm, G_C, alpha, beta, c_H, c_n, d, delta = symbols("C_norm G_C alpha beta c_H c_n d delta")
epsilon, lambda_, largest_mean_product = symbols("epsilon lambda_ largest_mean_product")
largest_slope, mean_largest_product, n, r, rho = symbols("largest_slope mean_largest_product n r rho")

WIDTH = Parameter("G_C", "Gaussian width of C: E sup over theta in C of <g, theta>, g standard normal", positive, "decision")
C_NORM = Parameter("C_norm", "|C|_2: largest l2 norm of a point of C", positive, "decision")
C_N = Parameter("c_n", "hidden constant of a condition on n", positive)


empirical_rate = L * G_C * sqrt(log(1 / delta)) / (epsilon * n) + lambda_ * C_norm**2
largest_mean = 2 * largest_mean_product / n
mean_largest = 2 * mean_largest_product / n
stability = 2 * rho**2 / (lambda_ * n)
largest_slope_is_rho = largest_slope <= rho

_sigma = L * sqrt(32 * log(1 / delta)) / epsilon
_mean_norm = sqrt(2) * exp(lgamma((d + 1) / 2) - lgamma(d / 2))
mean_stability = 2 * (L**2 + 2 * L * _sigma * _mean_norm / n + d * _sigma**2 / n**2) / (lambda_ * n)
"""2 E(L + |G|/n)^2 / (lambda n), exactly, at variance 32 L^2 ln(1/delta) / epsilon^2."""

mean_stability_rate = L**2 * (1 + sqrt(d * log(1 / delta)) / (epsilon * n)) ** 2 / (lambda_ * n)
stability_rate = L**2 / (lambda_ * n)
sample_exceeds_noise = n >= c_n * sqrt(d * log(1 / delta)) / epsilon
risk_rate = L * G_C * sqrt(log(1 / delta)) / (epsilon * n) + L * C_norm / sqrt(n)
output_noise_term = L * (alpha * log(1 / delta) / lambda_) ** E("1/4") * sqrt(G_C / epsilon)
optimisation_term = L * sqrt(alpha / lambda_)

_inexact = output_noise_term + optimisation_term
pre_rate = _inexact + empirical_rate + stability_rate
"""The five terms before alpha and lambda are chosen."""

lambda_choice = L / (sqrt(n) * C_norm)

_first = L * C_norm / n ** E("3/2")
largest_alpha = minimum(_first, epsilon**2 * L * C_norm**3 / (G_C**2 * log(1 / delta) * n ** E("5/2")))
least_n = r**2 * beta**2 * C_norm**2 / (epsilon**2 * L**2)
alpha_is_small = alpha <= largest_alpha
choice_is_regularised = lambda_choice >= least_lambda
projection_rate = sqrt(alpha * log(1 / delta) / lambda_) * G_C / epsilon
width_step = sqrt(variance_approximate) * G_C / n
empirical_bound = width_step + lambda_ * C_norm**2
width_bound = c_H * output_sigma_rate * G_C
twice = 2 * largest_mean_product


RHO = Parameter("rho", "Lipschitz constant of f in theta", positive, L.unit)
SLOPE = Parameter("largest_slope", "largest l2 norm of a subgradient of f over C and records", nonnegative, L.unit)
LARGEST_MEAN = Parameter("largest_mean_product", "largest over theta in C of E<noise, theta> (zero for centred noise)", reals)
MEAN_LARGEST = Parameter("mean_largest_product", "E of the largest over theta in C of |<noise, theta>|", nonnegative)
ENOUGH_RECORDS = Predicate(
    "n >= c_n sqrt(d ln(1/delta)) / epsilon, printed as n >= O(.)",
    sample_exceeds_noise,
    accepts={"n": 100, "c_n": "1", "d": 3, "delta": "1e-3", "epsilon": "1"},
    rejects={"n": 1, "c_n": "1", "d": 100, "delta": "1e-3", "epsilon": "1"},
)

EMPIRICAL = "E[empirical loss of theta_1] - least empirical loss on C"
POPULATION = "E[population loss of theta_hat] - least population loss on C"
WIDTH_STEP = Relation("E<G, theta_bar - theta_1>/n", "<=", "width_step")
PROJECTED = Relation("E|theta_hat - theta_2|_2^2", "<=", "E<H, theta_hat - theta_2>", step=True)

claims = [
    Claim(
        id="lp/lem-6",
        title="excess empirical loss of the perturbed minimiser",
        kind=Kind.BOUND,
        source=LP.at("Lemma 6", "display (4)", "proof of Lemma 6"),
        says="Under Assumption 1, the exact minimiser theta_1 of the perturbed objective has expected excess empirical loss "
        "(over the noise) O(L G_C sqrt(ln(1/delta)) / (epsilon n) + lambda |C|_2^2). Steps, with theta_bar the minimiser of "
        "the regularised empirical loss: E<G, theta_bar - theta_1>/n <= 2 max over theta in C of E<G, theta>/n <= 2 E max "
        "over theta in C of |<G, theta>|/n = O(L G_C sqrt(ln(1/delta)) / (epsilon n)).",
        uses=("lp/gaussian-width",),
        parameters=(L, WIDTH, DELTA, EPSILON, N, LAMBDA, BETA, C_NORM, LARGEST_MEAN, MEAN_LARGEST, *ASSUMED),
        formulas={"rate": empirical_rate, "largest_mean": largest_mean, "mean_largest": mean_largest},
        asserts=(
            Relation(EMPIRICAL, "<=O", "rate"),
            Relation("E<G, theta_bar - theta_1>/n", "<=", "largest_mean", step=True),
            Relation("largest_mean", "<=", "mean_largest", step=True),
            Relation("mean_largest", "<=O", "L G_C sqrt(ln(1/delta)) / (epsilon n)", step=True),
        ),
        preconditions=ASSUMPTION_1,
        over=("data sets of n records", LOSSES),
        note="False as a step: the largest mean is 0 for centred G, while E<G, theta_bar - theta_1> > 0 (l = 0, C = [-1, 1], "
        "d = 1: theta_1 = -G/(2 lambda n) clipped). The end survives: with centred G the left side is -E<G, theta_1>/n <= E "
        "max <-G, theta>/n. The last step takes E max |<G, theta>| for the width of C, which defines it without the modulus: "
        "for C = {c} off the origin the width is 0 and the modulus is not (factor 2 if C contains 0). G has variance 128 L^2 "
        "ln(1/delta) / epsilon^2 here, 32 elsewhere.",
    ),
    Claim(
        id="lp/lem-6-amended",
        amends="lp/lem-6",
        kind=Kind.BOUND,
        source=LP.at("Lemma 6", "display (4)", "proof of Lemma 6"),
        says="With the maximum inside and no modulus E<G, theta_bar - theta_1>/n <= E max over theta in C of <-G, theta>/n = "
        "sigma_1 G_C/n; the excess is at most sigma_1 G_C/n + lambda |C|_2^2, sigma_1^2 = 128 L^2 ln(1/delta) / epsilon^2.",
        parameters=(L, WIDTH, DELTA, EPSILON, N, LAMBDA, BETA, C_NORM, *ASSUMED),
        formulas={"rate": empirical_rate, "bound": empirical_bound, "width_step": width_step},
        asserts=(Relation(EMPIRICAL, "<=O", "rate"), Relation(EMPIRICAL, "<=", "bound"), WIDTH_STEP),
        preconditions=ASSUMPTION_1,
        over=("data sets of n records", LOSSES),
    ),
    Claim(
        id="lp/lem-7",
        title="stability of regularised minimisation",
        kind=Kind.SENSITIVITY,
        unproved=True,
        source=LP.at("Lemma 7"),
        says="Let f(., x) be convex and rho-Lipschitz in the l2 norm on C. The algorithm that returns the minimiser over C "
        "of (mean of f on the n records) + lambda |theta|_2^2, lambda > 0, is 2 rho^2 / (lambda n)-uniformly stable: "
        "replacing one record changes E f(A(D), z) by at most that, for every z.",
        parameters=(RHO, LAMBDA, N, SLOPE),
        formulas={"stability": stability},
        asserts=(Relation("sup over z of |E f(A(D), z) - E f(A(D'), z)|", "<=", "stability"),),
        preconditions=(
            Predicate(
                "f is rho-Lipschitz",
                largest_slope_is_rho,
                accepts={"largest_slope": "1", "rho": "1"},
                rejects={"largest_slope": "2", "rho": "1"},
            ),
        ),
        over=("neighbouring data sets", "convex losses", "closed convex sets C"),
        adjacency=Adjacency.REPLACE_ONE,
        note="The objective is 2 lambda-strongly convex; adding both such inequalities gives rho^2 / (lambda n): a slack of 2.",
    ),
    Claim(
        id="lp/eq-5",
        title="generalisation gap of the perturbed minimiser",
        kind=Kind.BOUND,
        source=LP.at("display (5)", "the display before it"),
        says="With G ~ N(0, 32 L^2 ln(1/delta) / epsilon^2 I_d), the stability bound 2 (L + |G|_2/n)^2 / (lambda n) of the "
        "minimiser theta_1 has expectation O(L^2 (1 + sqrt(d ln(1/delta)) / (epsilon n))^2 / (lambda n)), which is O(L^2 / "
        "(lambda n)) when n >= O(sqrt(d ln(1/delta)) / epsilon); so is E[population loss - empirical loss] of theta_1.",
        uses=("lp/lem-7", "lp/lem-8"),
        parameters=(L, D, DELTA, EPSILON, N, LAMBDA, C_N),
        formulas={"left": mean_stability, "middle": mean_stability_rate, "rate": stability_rate},
        asserts=(Relation("left", "<=O", "middle", step=True), Relation("middle", "<=O", "rate", step=True)),
        preconditions=(ENOUGH_RECORDS,),
        over=("data sets of n independent records", LOSSES),
        note="The condition is printed n >= O(.), meant as n >= a constant times that; the last constant is (1 + 1/c_n)^2. "
        "With the variance 128 of Lemma 6 the first constant grows by at most 4. The left side is the exact expectation.",
    ),
    Claim(
        id="lp/thm-2",
        title="excess risk of approximate objective perturbation",
        kind=Kind.UTILITY,
        source=LP.at("Theorem 2", "proof of Theorem 2", "displays (3) to (7)"),
        says="Under Assumption 1, approximate objective perturbation with lambda = L / (sqrt(n) |C|_2) and alpha <= min(L "
        "|C|_2 / n^{3/2}, epsilon^2 L |C|_2^3 / (G_C^2 ln(1/delta) n^{5/2})) has expected excess population risk O(L G_C "
        "sqrt(ln(1/delta)) / (epsilon n) + L |C|_2 / sqrt(n)), for n >= O(sqrt(d ln(1/delta)) / epsilon) and n >= r^2 beta^2 "
        "|C|_2^2 / (epsilon^2 L^2), the latter being lambda >= r beta / (epsilon n). Before the choices the bound is L "
        "(alpha ln(1/delta) / lambda)^{1/4} sqrt(G_C / epsilon) + L sqrt(alpha / lambda) + L G_C sqrt(ln(1/delta)) / "
        "(epsilon n) + lambda |C|_2^2 + L^2 / (lambda n).",
        uses=("lp/alg-1", "lp/eq-5", "lp/lem-6", "lp/thm-1", "lp/thm-2-projection"),
        parameters=(L, WIDTH, DELTA, EPSILON, N, D, C_NORM, BETA, RANK_TERM, ALPHA, LAMBDA, C_N, *ASSUMED),
        formulas={
            "rate": risk_rate,
            "pre_rate": pre_rate,
            "output_noise_term": output_noise_term,
            "optimisation_term": optimisation_term,
            "lambda_choice": lambda_choice,
            "largest_alpha": largest_alpha,
            "least_n": least_n,
        },
        asserts=(
            Relation(POPULATION, "<=O", "rate"),
            Relation(POPULATION, "<=O", "pre_rate"),
            Relation("output_noise_term at the chosen alpha and lambda", "<=", "L |C|_2 / sqrt(n)"),
            Relation("optimisation_term at the chosen alpha and lambda", "<=", "L |C|_2 / sqrt(n)"),
        ),
        preconditions=(
            *ASSUMPTION_1,
            ENOUGH_RECORDS,
            Predicate(
                "alpha <= min(L |C|_2 / n^{3/2}, epsilon^2 L |C|_2^3 / (G_C^2 ln(1/delta) n^{5/2}))",
                alpha_is_small,
                accepts={"alpha": "1e-7", "L": "1", "C_norm": "1", "n": 100, "epsilon": "1", "G_C": "2", "delta": "1e-3"},
                rejects={"alpha": "1e-3", "L": "1", "C_norm": "1", "n": 100, "epsilon": "1", "G_C": "2", "delta": "1e-3"},
            ),
            Predicate(
                "n >= r^2 beta^2 |C|_2^2 / (epsilon^2 L^2), so that lambda >= r beta / (epsilon n)",
                choice_is_regularised,
                accepts={"L": "1", "n": 100, "C_norm": "1", "r": 1, "beta": "1", "epsilon": "1"},
                rejects={"L": "1", "n": 100, "C_norm": "1", "r": 20, "beta": "1", "epsilon": "1"},
            ),
        ),
        over=("distributions of the records", LOSSES),
        provenance=Provenance.REBUILT,
        note="Rebuilt from its proof. Uses display (2), Lemmas 6, 7, 8 and the projection argument, whose middle links are "
        "false (lp/thm-2-projection) and whose end holds for every C. Where C is a point G_C = 0 and alpha is unrestricted.",
    ),
    Claim(
        id="lp/thm-2-projection",
        title="distance to the projected output",
        kind=Kind.BOUND,
        source=LP.at("proof of Theorem 2", "displays between (6) and (7)"),
        says="With theta_hat the projection onto C of theta_2 + H, theta_2 in C and H ~ N(0, sigma_2^2 I_d): E|theta_hat - "
        "theta_2|_2^2 <= E<H, theta_hat - theta_2> <= 2 max over theta in C of E<H, theta> <= O(E max over theta in C of "
        "|<H, theta>|) = O(sqrt(alpha ln(1/delta) / lambda) G_C / epsilon).",
        uses=("lp/gaussian-width",),
        parameters=(ALPHA, DELTA, LAMBDA, WIDTH, EPSILON, LARGEST_MEAN, MEAN_LARGEST),
        formulas={"largest_mean": twice, "rate": projection_rate},
        asserts=(
            PROJECTED,
            Relation("E<H, theta_hat - theta_2>", "<=", "largest_mean", step=True),
            Relation("largest_mean", "<=O", "mean_largest_product", step=True),
            Relation("mean_largest_product", "<=O", "rate", step=True),
        ),
        over=("closed convex sets C", "points theta_2 of C, independent of H"),
        note="The second link has the maximum outside the expectation: 0 for centred H, while the left side is positive (C = "
        "[-1, 1], theta_2 = 0). With it inside the chain holds, with factor 1 for <H, theta_hat> and 0 for <H, theta_2>. The "
        "last link needs the width to control the modulus (fails for C = {c}, c not 0).",
    ),
    Claim(
        id="lp/thm-2-projection-amended",
        amends="lp/thm-2-projection",
        kind=Kind.BOUND,
        source=LP.at("proof of Theorem 2", "displays between (6) and (7)"),
        says="With the maximum inside and no modulus: E|theta_hat - theta_2|_2^2 <= E<H, theta_hat - theta_2> <= E max over "
        "theta in C of <H, theta> = sigma_2 G_C, sigma_2 = c_H sqrt(alpha ln(1/delta) / lambda) / epsilon.",
        parameters=(ALPHA, DELTA, LAMBDA, WIDTH, EPSILON, Parameter("c_H", "hidden constant of sigma_2", positive)),
        formulas={"width_bound": width_bound, "rate": projection_rate},
        asserts=(
            PROJECTED,
            Relation("E<H, theta_hat - theta_2>", "<=", "width_bound"),
            Relation("width_bound", "<=O", "rate"),
        ),
        over=("closed convex sets C", "points theta_2 of C, independent of H"),
    ),
]
