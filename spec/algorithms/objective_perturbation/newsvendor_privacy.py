"""Privacy of objective perturbation for the smoothed newsvendor loss: one lemma and the theorem.

The output minimises the empirical risk plus lambda |theta|^2 plus <b, theta> / n with b from N(0, sigma^2 I).
"""

from dataclasses import replace

from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.conditions import gradients_are_bounded, hessians_are_bounded
from dpsco.spec.domain import Parameter, nonnegative
from dpsco.spec.expressions import log, sqrt, symbols
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import BETA, DELTA, EPSILON, LAMBDA, SIGMA, D, L, N
from dpsco.spec.predicate import Predicate

beta, delta, epsilon, lambda_, n, sigma = symbols("beta delta epsilon lambda_ n sigma")

NOISE = SIGMA.means("standard deviation of the noise vector b, per coordinate")
LARGEST_GRADIENT = Parameter("largest_gradient_norm", "largest l2-norm of a record's gradient", nonnegative, "loss/decision")
LARGEST_CURVATURE = Parameter("largest_eigenvalue", "largest eigenvalue of a record's Hessian", nonnegative, "loss/decision^2")


sigma_lemma = L * sqrt(8 * log(1 / delta) + 4 * epsilon) / epsilon
lambda_least = beta / (n * epsilon)
sigma_theorem = sqrt(8 * log(1 / delta) + 4 * epsilon) / epsilon
"""Condition (i) as the proof of the theorem prints it, without L."""

sigma_replaced = L * sqrt(32 * log(2 / delta) + 8 * epsilon) / epsilon
"""What suffices where one record replaces another."""

noise_suffices = sigma**2 >= sigma_lemma**2
noise_suffices_without_scale = sigma**2 >= sigma_theorem**2
noise_suffices_replaced = sigma**2 >= sigma_replaced**2
regularisation_suffices = lambda_ >= lambda_least


NOISE_SUFFICES = Predicate(
    "sigma^2 >= L^2 (8 ln(1/delta) + 4 epsilon) / epsilon^2",
    noise_suffices,
    accepts={"epsilon": "1", "delta": "0.01", "L": "1.5", "sigma": "10"},
    rejects={"epsilon": "1", "delta": "0.01", "L": "1.5", "sigma": "9"},
)
REGULARISED = Predicate(
    "lambda >= beta / (n epsilon)",
    regularisation_suffices,
    accepts={"epsilon": "1", "n": 100, "beta": "2", "lambda_": "0.03"},
    rejects={"epsilon": "1", "n": 100, "beta": "2", "lambda_": "0.01"},
)
BOUNDED_GRADIENTS = Predicate(
    "every record's gradient has norm at most L",
    gradients_are_bounded,
    accepts={"largest_gradient_norm": "1", "L": "1.5"},
    rejects={"largest_gradient_norm": "2", "L": "1.5"},
)
BOUNDED_CURVATURES = Predicate(
    "every record's Hessian has eigenvalues at most beta",
    hessians_are_bounded,
    accepts={"largest_eigenvalue": "1", "beta": "2"},
    rejects={"largest_eigenvalue": "3", "beta": "2"},
)

claims = [
    Claim(
        id="newsvendor/lem-EC.1",
        title="privacy of objective perturbation",
        kind=Kind.PRIVACY,
        source=NEWSVENDOR.at("Lemma EC.1", "displays (EC.4) to (EC.11)"),
        says="Let the convex loss of a record be c_h(y - <x, theta>) for a known c_h, with gradients of norm at most L = r_bar "
        "B_x and Hessians with eigenvalues at most beta. The minimiser over R^d of empirical mean loss + lambda |theta|^2 + "
        "<b, theta> / n, with b from N(0, sigma^2 I), is (epsilon, delta)-DP if sigma^2 >= L^2 (8 ln(1/delta) + 4 epsilon) / "
        "epsilon^2 and lambda >= beta / (n epsilon).",
        uses=("newsvendor/lem-EC.1-det", "newsvendor/lem-EC.1-sigma", "newsvendor/lem-EC.1-tail"),
        parameters=(EPSILON, DELTA, N, D, L, BETA, LAMBDA, NOISE, LARGEST_GRADIENT, LARGEST_CURVATURE),
        formulas={"sigma_lemma": sigma_lemma, "lambda_least": lambda_least},
        asserts=(Relation("minimiser of the perturbed objective", "is", "(epsilon, delta)-DP"),),
        preconditions=(
            NOISE_SUFFICES,
            REGULARISED,
            BOUNDED_GRADIENTS,
            BOUNDED_CURVATURES,
        ),
        over=("data sets", "check losses smoothed by any kernel"),
        adjacency=Adjacency.ADD_ONE_N_FIXED,
        releases="the exact minimiser",
        provenance=Provenance.REPAIRED,
        note="The lemma's display has the regulariser lambda |theta|_2, its proof and the algorithm lambda |theta|_2^2: read "
        "with the square, which is judged beside. Neighbours: the proof takes one more record with n unchanged and calls that "
        "no loss of generality, a step of the proof; elsewhere the paper replaces one record.",
    ),
    Claim(
        id="newsvendor/thm-1",
        title="privacy of the order quantity by objective perturbation",
        kind=Kind.PRIVACY,
        source=NEWSVENDOR.at("Theorem 1", "proof in EC.1.3", "Lemma EC.1"),
        says="The order quantity <theta, x_{n+1}>, with theta the output of objective perturbation on n records, is (epsilon, "
        "delta)-DP, as post-processing of theta, which is (epsilon, delta)-DP because (i) sigma^2 >= (8 ln(1/delta) + 4 "
        "epsilon) / epsilon^2 and (ii) lambda >= beta / (n epsilon).",
        uses=("newsvendor/lem-EC.1",),
        parameters=(EPSILON, DELTA, N, D, L, BETA, LAMBDA, NOISE, LARGEST_GRADIENT, LARGEST_CURVATURE),
        formulas={"sigma_theorem": sigma_theorem, "lambda_least": lambda_least},
        asserts=(Relation("order quantity", "is", "(epsilon, delta)-DP"),),
        preconditions=(
            Predicate(
                "(i) sigma^2 >= (8 ln(1/delta) + 4 epsilon) / epsilon^2",
                noise_suffices_without_scale,
                accepts={"epsilon": "1", "delta": "0.01", "sigma": "7"},
                rejects={"epsilon": "1", "delta": "0.01", "sigma": "6"},
            ),
            REGULARISED,
            BOUNDED_GRADIENTS,
            BOUNDED_CURVATURES,
        ),
        over=("data sets", "new feature vectors x_{n+1}", "kernels"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the order quantity, in the argument also the minimiser",
        provenance=Provenance.REBUILT,
        note="Rebuilt from the proof, which prints condition (i) without the factor L^2 of the lemma: judged as it stands, "
        "and at L = 1, where the two agree. The paper's neighbours differ by replacing one record; the lemma is proved for "
        "one more record with n fixed: with L^2, a finding beside.",
    ),
    Claim(
        id="newsvendor/thm-1-amended",
        amends="newsvendor/thm-1",
        kind=Kind.PRIVACY,
        source=NEWSVENDOR.at("Theorem 1", "Lemma EC.1"),
        says="The order quantity <theta, x_{n+1}> of objective perturbation on n records is (epsilon, delta)-DP when one "
        "record is replaced, if sigma^2 >= L^2 (32 ln(2/delta) + 8 epsilon) / epsilon^2 and lambda >= beta / (n epsilon).",
        parameters=(EPSILON, DELTA, N, D, L, BETA, LAMBDA, NOISE, LARGEST_GRADIENT, LARGEST_CURVATURE),
        formulas={"sigma_theorem": sigma_replaced, "lambda_least": lambda_least},
        asserts=(Relation("order quantity", "is", "(epsilon, delta)-DP"),),
        preconditions=(
            Predicate(
                "sigma^2 >= L^2 (32 ln(2/delta) + 8 epsilon) / epsilon^2",
                noise_suffices_replaced,
                accepts={"epsilon": "1", "delta": "0.01", "L": "1.5", "sigma": "20"},
                rejects={"epsilon": "1", "delta": "0.01", "L": "1.5", "sigma": "10"},
            ),
            REGULARISED,
            BOUNDED_GRADIENTS,
            BOUNDED_CURVATURES,
        ),
        over=("data sets", "new feature vectors x_{n+1}", "kernels"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the order quantity, in the argument also the minimiser",
    ),
    Claim(
        id="newsvendor/thm-1-amended-added",
        amends="newsvendor/thm-1",
        kind=Kind.PRIVACY,
        source=NEWSVENDOR.at("Theorem 1", "Lemma EC.1"),
        says="The order quantity <theta, x_{n+1}> of objective perturbation is (epsilon, delta)-DP for one record "
        "more or less, n public, if sigma^2 >= L^2 (8 ln(1/delta) + 4 epsilon) / epsilon^2 and lambda >= beta / (n epsilon).",
        parameters=(EPSILON, DELTA, N, D, L, BETA, LAMBDA, NOISE, LARGEST_GRADIENT, LARGEST_CURVATURE),
        formulas={"sigma_theorem": sigma_lemma, "lambda_least": lambda_least},
        asserts=(Relation("order quantity", "is", "(epsilon, delta)-DP"),),
        preconditions=(NOISE_SUFFICES, REGULARISED, BOUNDED_GRADIENTS, BOUNDED_CURVATURES),
        over=("data sets", "new feature vectors x_{n+1}", "kernels"),
        adjacency=Adjacency.ADD_ONE_N_FIXED,
        releases="the order quantity, in the argument also the minimiser",
    ),
]
claims.append(
    replace(
        claims[0],
        id="newsvendor/lem-EC.1-amended",
        amends="newsvendor/lem-EC.1",
        says=f"With the regulariser lambda |theta|_2^2, for one record more or less, n fixed: {claims[0].says}",
        note="The proof and the algorithm have the square.",
    )
)
