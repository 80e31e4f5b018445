"""Second-order private bilevel descent: lower minimisers found without privacy, then noisy approximate hypergradients."""

from random import Random

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.contract import FINITE, SUM_SCALED, Inputs, contract
from dpsco.spec.domain import Parameter, nonnegative, positive, reals
from dpsco.spec.expressions import ceil, log, minimum, sqrt, symbols
from dpsco.spec.losses.bilevel.assumptions import D_X_DIM, PROBLEMS
from dpsco.spec.losses.bilevel.hypergradient import ASSUMED, HOLDS, approximation_constant, hypergradient, sensitivity_constant
from dpsco.spec.losses.bilevel.quadratic import any_records
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import DELTA, EPSILON, ETA, SIGMA, N, T
from dpsco.spec.predicate import Predicate

C, K, alpha_inner, beta_Phi, d_x, delta, epsilon = symbols("C K alpha_inner beta_Phi d_x delta epsilon")
eta, gap, gap_bound, gradient, n, noise, x_t = symbols("eta gap gap_bound gradient n noise x_t")


next_iterate = x_t - eta * (gradient + noise)
"""One coordinate of x_{t+1}."""

query_sensitivity = 4 * K / n
largest_inner_error = K / (C * n)
"""The largest alpha that the sensitivity lemma allows."""

noise_scale = 32 * K * sqrt(T * log(1 / delta)) / (n * epsilon)
target_rate_squared = K * sqrt(gap * beta_Phi) * sqrt(d_x * log(1 / delta)) / (epsilon * n)
"""The bracket of the rate, whose square root bounds the expected gradient norm."""

inner_error = minimum(K / (n * C), sqrt(target_rate_squared) / C)
"""alpha as chosen."""

number_of_steps = ceil(n * epsilon / sqrt(d_x * log(1 / delta)) * sqrt(beta_Phi * gap) / K)

_b = sqrt(2 * log(1 / delta))
calibrated_noise = 4 * K / n * sqrt(T) * (_b + sqrt(_b**2 + 2 * epsilon)) / (2 * epsilon)
"""sigma of the amendment: for the sensitivity 4K/n it suffices at every epsilon, and is below the printed one for small."""

public_number_of_steps = number_of_steps.where({"gap": gap_bound})
"""T as chosen, at a bound on the gap that is fixed without the data."""

alpha_is_small = alpha_inner * C * n <= K


K_SENS = Parameter("K", "K of (12)", positive, "loss/decision")
C_APPROX = Parameter("C", "C of (11)", positive, "loss/(decision inner)")
GAP = Parameter("gap", "Phi_Z(x_0) - inf Phi_Z, a function of the data", nonnegative, "loss")
GAP_BOUND = Parameter("gap_bound", "a bound on Phi_Z(x_0) - inf Phi_Z, fixed without the data", positive, "loss")
BETA_PHI = Parameter("beta_Phi", "beta_Phi of (21)", positive, "loss/decision^2")
ALPHA_INNER = Parameter("alpha_inner", "alpha: bound on |y_{t+1} - y_Z(x_t)|", positive, "inner")
SMALL_ALPHA = Predicate(
    "alpha <= K/(C n)",
    alpha_is_small,
    accepts={"alpha_inner": "0.01", "n": 100, "K": "2", "C": "1.5"},
    rejects={"alpha_inner": "0.02", "n": 100, "K": "2", "C": "1.5"},
)
NOISE = SIGMA.means("standard deviation of the noise, per coordinate")


def any_run(random: Random) -> Inputs:
    """Records with quadratic levels, up to 6 steps with noise and errors of the lower solver, or without."""
    given = dict(any_records(random))
    x, b = given.pop("x"), given["b"]
    steps = random.choice((0, 1, 6))
    alpha, sigma = (random.choice((0.0, 10 ** random.uniform(-6, 1))) for _ in range(2))

    def rows(size: int, scale: float) -> list[list[float]]:
        return [[scale * random.gauss(0, 1) for _ in range(size)] for _ in range(steps)]

    return {
        "x_0": x,
        **given,
        "eta": 10 ** random.uniform(-6, -1),
        "sigma": sigma,
        "normals": rows(len(x), 1.0),  # type: ignore[arg-type]
        "errors": rows(len(b[0]), alpha),  # type: ignore[index]
    }


@contract(metric=SUM_SCALED, range=FINITE, generate=any_run)
def iterates(
    x_0: object,
    a: object,
    b: object,
    B: object,
    C: object,
    H: object,
    P: object,
    q: object,
    eta: float,
    sigma: float,
    normals: object,
    errors: object,
) -> object:
    """Iterates x_0, ..., x_T of private bilevel descent on records with quadratic levels, noise and inner errors given.

    y_{t+1} = y_Z(x_t) + errors_t, x_{t+1} = x_t - eta (barF_Z(x_t, y_{t+1}) + sigma normals_t), barF_Z the hypergradient

    Domain   x_0: d_x; a, b, B, C, H, P, q: n records as for `losses.bilevel.quadratic`; normals: T x d_x, errors: T x d_y,
             |errors_t| <= alpha; eta > 0, sigma >= 0
    Returns  (T + 1) x d_x numbers (decision); their error is measured against the sizes of what the steps add up
    Raises   ValueError for shapes that do not fit, for a mean Hessian that is not positive definite
    Source   bilevel, Algorithm 1
    """


claims = [
    Claim(
        id="bilevel/alg-1",
        title="second-order private descent",
        kind=Kind.ALGORITHM,
        source=BILEVEL.at("Algorithm 1", "(9)", "(10)"),
        says="Input: Z, sigma, (x_0, y_0), alpha, eta, T. For t = 0, ..., T-1: find, without privacy (SGD, Katyusha), y_{t+1} "
        "with |y_{t+1} - y_Z(x_t)| <= alpha; set x_{t+1} = x_t - eta (barF_Z(x_t, y_{t+1}) + u_t), u_t from N(0, sigma^2 "
        "I_{d_x}) independent, barF_Z the approximate hypergradient of (9). Output: one of x_1, ..., x_T, uniformly at "
        "random. X is all of R^{d_x}.",
        uses=("bilevel/eq-9",),
        parameters=(
            N,
            D_X_DIM,
            T,
            ETA,
            NOISE,
            ALPHA_INNER,
            Parameter("x_t", "a coordinate of the iterate", reals, "decision"),
            Parameter("gradient", "the same coordinate of barF_Z(x_t, y_{t+1})", reals, "loss/decision"),
            Parameter("noise", "the same coordinate of u_t", reals, "loss/decision"),
            Parameter("F_x", "grad_x F_Z, d_x = d_y = 1", reals, "loss/decision"),
            Parameter("F_y", "grad_y F_Z", reals, "loss/inner"),
            Parameter("G_xy", "grad_xy G_Z", reals, "inner loss/(decision inner)"),
            Parameter("G_yy", "grad_yy G_Z", positive, "inner loss/inner^2"),
        ),
        symbols={"gradient": r"(\bar{\nabla} \hat{F}_Z)_j"},
        formulas={"next_iterate": next_iterate, "query": hypergradient},
        asserts=(Relation("x_{t+1}", "=", "next_iterate"),),
        over=(PROBLEMS,),
        adjacency=Adjacency.REPLACE_ONE,
        releases="one of x_1, ..., x_T; the transcript is covered by the privacy claim too",
        note="The loop counter is printed i, its body uses t. The output excludes x_0 and includes x_T, while the utility "
        "proof averages gradients at iterates that start from x_0. The lower solver must meet alpha with certainty: SGD meets "
        "it with probability or in mean only, which the privacy proof does not cover. Its running time depends on the data.",
    ),
    Claim(
        id="bilevel/lem-4.1",
        title="sensitivity of the approximate hypergradient",
        kind=Kind.SENSITIVITY,
        source=BILEVEL.at("Lemma 4.1", "Lemma C.1"),
        says="For a fixed x_t, if alpha <= K/(C n), the query Z -> barF_Z(x_t, y_{t+1}(Z)) has l2-sensitivity at most 4K/n, "
        "with C of (11) and K of (12).",
        uses=("bilevel/eq-11", "bilevel/eq-20"),
        parameters=(
            N,
            *ASSUMED,
            K_SENS,
            C_APPROX,
            ALPHA_INNER,
            Parameter("query_change", "l2-sensitivity of the query", nonnegative, "loss/decision"),
        ),
        formulas={
            "bound": query_sensitivity,
            "alpha_limit": largest_inner_error,
            "C_of_11": approximation_constant,
            "K_of_12": sensitivity_constant,
        },
        asserts=(Relation("query_change", "<=", "bound"),),
        preconditions=(*HOLDS, SMALL_ALPHA),
        over=(PROBLEMS, "all neighbours", "every x_t", "every solver with error at most alpha"),
        adjacency=Adjacency.REPLACE_ONE,
        note="2 C alpha + 2K/n <= 4K/n; by the proof's own terms 2K/n can be K/n, so 3K/n suffices. C = 0 (then any alpha) is "
        "not excluded by the assumptions.",
    ),
    Claim(
        id="bilevel/thm-4.2-privacy",
        title="privacy of second-order private descent",
        kind=Kind.PRIVACY,
        source=BILEVEL.at("Theorem 4.2", "Theorem C.3", "proof of privacy"),
        says="With sigma = 32 K sqrt(T ln(1/delta))/(n epsilon) and alpha = min(K/(n C), (1/C)[K sqrt(gap beta_Phi) sqrt(d_x "
        "ln(1/delta))/(epsilon n)]^{1/2}), gap = Phi_Z(x_0) - inf Phi_Z, Algorithm 1 is (epsilon, delta)-DP, for every "
        "epsilon > 0 and every T. The next sentence ('Further') chooses T, for the utility of the same algorithm: the ceiling "
        "of n epsilon sqrt(beta_Phi gap)/(K sqrt(d_x ln(1/delta))). Theorem 4.2 claims privacy and utility together.",
        uses=("bilevel/alg-1", "bilevel/lem-4.1", "bilevel/lem-A.3", "bilevel/lem-A.4"),
        parameters=(EPSILON, DELTA, N, D_X_DIM, T, *ASSUMED, K_SENS, C_APPROX, GAP, BETA_PHI, ALPHA_INNER, NOISE),
        formulas={
            "sigma": noise_scale,
            "alpha_chosen": inner_error,
            "T_chosen": number_of_steps,
            "sensitivity": query_sensitivity,
        },
        asserts=(Relation("Algorithm 1", "is", "(epsilon, delta)-DP"),),
        preconditions=(*HOLDS, SMALL_ALPHA),
        over=(PROBLEMS, "every number of steps T, and T as chosen"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the output iterate; by the proof all T noisy steps",
        note="False twice. (1) The sentence on privacy, T free, at large epsilon (domain): the query's true sensitivity lies "
        "between 2.497 K/n (n >= 1000) and 3K/n; at 3K/n the Gaussian composition suffices up to epsilon = 197 ln(1/delta), at "
        "2.497 K/n it fails from 295 ln(1/delta) on, delta small. The cited composition loses a logarithm of T. (2) With "
        "the T of the next sentence (conclusion), as Theorem 4.2 needs for its two halves to hold at once: T, alpha and "
        "through T sigma are functions of gap, which depends on Z: neighbours may run different numbers of steps with "
        "different noise, outside the composition theorem (a public T is fine; alpha is harmless).",
    ),
    Claim(
        id="bilevel/thm-4.2-privacy-amended",
        amends="bilevel/thm-4.2-privacy",
        kind=Kind.PRIVACY,
        source=BILEVEL.at("Theorem 4.2", "Theorem C.3", "proof of privacy"),
        says="Algorithm 1 with a number of steps T that is fixed without the data (as chosen, at a public bound on the gap), "
        "any alpha <= K/(n C), and sigma = (4K/n) sqrt(T) (b + sqrt(b^2 + 2 epsilon))/(2 epsilon), b = sqrt(2 ln(1/delta)), "
        "is (epsilon, delta)-DP for every epsilon > 0. alpha may depend on the data.",
        parameters=(EPSILON, DELTA, N, D_X_DIM, T, *ASSUMED, K_SENS, C_APPROX, GAP_BOUND, BETA_PHI, ALPHA_INNER, NOISE),
        formulas={
            "sigma": calibrated_noise,
            "alpha_limit": largest_inner_error,
            "T_chosen": public_number_of_steps,
            "sensitivity": query_sensitivity,
        },
        asserts=(Relation("Algorithm 1", "is", "(epsilon, delta)-DP"),),
        preconditions=(*HOLDS, SMALL_ALPHA),
        over=(PROBLEMS, "every number of steps T that is fixed without the data"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the output iterate; by the proof all T noisy steps",
    ),
]
