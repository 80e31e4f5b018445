"""Objective perturbation and its approximate form as algorithms: draw, minimise over a set, hide the error, project.

The literal path is for smoothed quantile losses over a centred l2 ball; the objective and its noises are those of any loss.
"""

from collections.abc import Sequence
from random import Random

from dpsco.spec.algorithms.objective_perturbation import algorithm
from dpsco.spec.algorithms.objective_perturbation.approximate import (
    ALPHA,
    LOSSES,
    RANK_TERM,
    REGULARISED,
    least_lambda,
    output_sensitivity,
    output_sigma_rate,
    variance_approximate,
    variance_exact,
)
from dpsco.spec.claim import Claim, Kind, Provenance
from dpsco.spec.contract import NONNEGATIVE, SUBOPTIMALITY, SUM_SCALED, Inputs, ball, contract
from dpsco.spec.domain import Integers, Parameter, nonnegative, reals
from dpsco.spec.expressions import minimum, symbols
from dpsco.spec.losses.kernels import Kernel
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA, DELTA, EPSILON, LAMBDA, D, L, N
from dpsco.spec.predicate import Predicate

beta, d, empirical_loss, epsilon, inner_product = symbols("beta d empirical_loss epsilon inner_product")
lambda_, n, r, rank, squared_norm = symbols("lambda_ n r rank squared_norm")

RANK = Parameter("rank", "largest rank of the Hessian of l(., x) over C and over the records", Integers(0))


def _over_a_ball(problem: Inputs, radius: float, alpha: float) -> Inputs:
    kept = {name: value for name, value in problem.items() if name not in ("b", "tolerance")}
    return {**kept, "G": problem["b"], "radius": radius, "alpha": alpha}


def _problem(random: Random) -> Inputs:
    generate = algorithm.solve.generate
    assert generate is not None
    return _over_a_ball(generate(random), 10 ** random.uniform(-3, 2), 10 ** random.uniform(-12, -2))


def _step(random: Random) -> Inputs:
    d, size = random.choice((1, 2, 3, 9, 100)), 10 ** random.uniform(-6, 6)
    theta, noise = ([random.gauss(0, scale) for _ in range(d)] for scale in (1.0, size))
    return {"theta": theta, "H": noise, "radius": 10 ** random.uniform(-3, 3)}


@contract(
    metric=SUBOPTIMALITY,
    range=(ball(lambda m, radius: radius), NONNEGATIVE),
    generate=_problem,
    hard=tuple(_over_a_ball(problem, radius, 1e-8) for problem in algorithm.solve.hard for radius in (1e-3, 1.0, 1e9)),
)
def minimise(
    kernel: Kernel, X: object, y: object, G: object, h: float, r: float, lambda_: float, radius: float, alpha: float
) -> tuple[object, float]:
    """theta_2: a point of the ball |theta| <= radius at which the perturbed objective is within alpha of its least value there.

    J(theta) = (1/n) sum_i c_h(y_i - <x_i, theta>) + <G, theta>/n + lambda |theta|^2;
    J(theta) - min J <= max over |v| <= radius of <grad J(theta), theta - v> - lambda |theta - v|^2, J being 2 lambda-convex

    Domain   X: n x d, y: n, G: d (loss/decision), h > 0, 0 < r < 1, lambda_ > 0, radius > 0, alpha > 0
    Returns  (theta: d (decision), that bound at theta (loss)); it exceeds `alpha` where arithmetic allows no better
    Source   lp, Algorithm 1, the optimiser O(J, alpha); Algorithm 5, step 4, as alpha tends to 0
    """


@contract(
    metric=SUM_SCALED,
    range=ball(lambda m, radius: radius),
    generate=_step,
    hard=({"theta": [0.0, 0.0], "H": [0.0, 0.0], "radius": 1.0},),
)
def project(theta: Sequence[float], H: Sequence[float], radius: float) -> Sequence[float]:
    """theta_hat: the l2 projection of theta_2 + H onto the ball |theta| <= radius.

    (theta + H) min(1, radius/|theta + H|)

    Domain   theta: d, H: d (decision), radius > 0
    Returns  d numbers (decision)
    Source   lp, Algorithm 1, last step
    """


objective = empirical_loss + inner_product / n + lambda_ * squared_norm
rank_term = minimum(d, 2 * rank)
least_lambda_exact = r * beta / (2 * epsilon * n)
regularised_enough_exact = lambda_ >= least_lambda_exact


claims = [
    Claim(
        id="lp/alg-5",
        title="objective perturbation",
        kind=Kind.ALGORITHM,
        source=LP.at("Algorithm 5", "proof of Theorem 1", "proof of Lemma 6"),
        says="Objective perturbation. Input: data set D of n records, loss l, lambda. Draw G ~ N(0, sigma_1^2 I_d) with "
        "sigma_1^2 = 32 L^2 ln(1/delta) / epsilon^2. Let r = min(d, 2 rank), rank being the largest rank of the Hessian of "
        "l(., x) over theta in C and x in the support of P, and choose lambda >= r beta / (2 epsilon n). Return theta_1 = "
        "argmin over C of J(theta) = (mean loss on D) + <G, theta>/n + lambda |theta|_2^2.",
        parameters=(
            L,
            EPSILON,
            DELTA,
            BETA,
            LAMBDA,
            N,
            D,
            RANK,
            RANK_TERM,
            Parameter("empirical_loss", "mean loss of theta on D", reals, "loss"),
            Parameter("inner_product", "<G, theta>", reals, "loss"),
            Parameter("squared_norm", "|theta|_2^2", nonnegative, "decision^2"),
        ),
        symbols={"inner_product": r"\langle G, \theta \rangle"},
        formulas={
            "objective": objective,
            "sigma_1_squared": variance_exact,
            "sigma_1_squared_lemma_6": variance_approximate,
            "least_lambda": least_lambda_exact,
            "r": rank_term,
        },
        preconditions=(
            Predicate(
                "lambda >= r beta / (2 epsilon n)",
                regularised_enough_exact,
                accepts={"lambda_": "1", "r": 1, "beta": "1", "epsilon": "1", "n": 10},
                rejects={"lambda_": "0.1", "r": 4, "beta": "1", "epsilon": "1", "n": 10},
            ),
        ),
        over=("data sets of n records", LOSSES),
        note="The proof of Lemma 6 gives G the variance 128 L^2 ln(1/delta) / epsilon^2, which is this one at epsilon/2; "
        "displays (5) and the next one use 32. The regularisation here is half of what Lemma 5 asks (lambda >= r beta / "
        "(epsilon n)). With lambda |theta|^2 the objective is 2 lambda-strongly convex. The rank is taken over x drawn from "
        "P; privacy needs it over every possible record.",
    ),
    Claim(
        id="lp/alg-1",
        title="approximate objective perturbation",
        kind=Kind.ALGORITHM,
        source=LP.at("Algorithm 1", "proof of Theorem 1", "proof of Theorem 2", "proof of Lemma 6"),
        says="Approximate objective perturbation. Input: data set D of n records, loss l, lambda >= r beta / (epsilon n), "
        "optimiser O, accuracy alpha. Draw G ~ N(0, sigma_1^2 I_d) with sigma_1^2 = 128 L^2 ln(1/delta) / epsilon^2 and form "
        "J(theta) = (mean loss on D) + <G, theta>/n + lambda |theta|_2^2. Let theta_2 = O(J, alpha) be a point of C with "
        "J(theta_2) - min_C J <= alpha. Draw H ~ N(0, sigma_2^2 I_d), where sigma_2 = O(sqrt(alpha ln(1/delta) / lambda) / "
        "epsilon) makes a query of l2-sensitivity sqrt(8 alpha / lambda) private with (epsilon/2, delta/2). Return "
        "theta_hat, the l2 projection of theta_2 + H onto C.",
        parameters=(L, EPSILON, DELTA, BETA, LAMBDA, N, RANK_TERM, ALPHA),
        formulas={
            "sigma_1_squared": variance_approximate,
            "sigma_1_squared_display_5": variance_exact,
            "least_lambda": least_lambda,
            "output_sensitivity": output_sensitivity,
            "sigma_2_rate": output_sigma_rate,
        },
        preconditions=(REGULARISED,),
        over=("data sets of n records", LOSSES, "optimisers that reach accuracy alpha"),
        provenance=Provenance.REBUILT,
        note="Rebuilt from the proof of Theorem 1 (steps, sensitivity, budget of H), the last line of the proof of Theorem 2 "
        "and that of Theorem 4 (lambda), the proof of Lemma 6 (variance 128) and the display of E|theta_hat - theta_2|^2 "
        "(scale of H). Displays before (5) give G the variance 32 L^2 ln(1/delta) / epsilon^2 instead: with it the inner "
        "release has budget epsilon, not epsilon/2. Whether delta is halved inside sigma_1 cannot be read off.",
    ),
]
