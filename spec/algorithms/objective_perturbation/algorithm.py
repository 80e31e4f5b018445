"""Objective perturbation for smoothed quantile regression: the algorithm.

Add a random linear term and a ridge to the smoothed empirical risk and return the minimiser.
"""

from collections.abc import Callable
from random import Random

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.contract import FINITE, NONNEGATIVE, SUBOPTIMALITY, Inputs, contract
from dpsco.spec.domain import Parameter, nonnegative, open_unit, reals
from dpsco.spec.expressions import log, maximum, symbols
from dpsco.spec.losses.kernels import Kernel
from dpsco.spec.numbers import Real
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import B_X, BETA, DELTA, EPSILON, K_BAR, LAMBDA, H, L, N, R
from dpsco.spec.predicate import Predicate

B_x, K_bar, b_dot_theta, beta, delta, epsilon, h = symbols("B_x K_bar b_dot_theta beta delta epsilon h")
lambda_, n, norm, r = symbols("lambda_ n norm r")

KERNELS = ("gaussian", "logistic", "uniform", "epanechnikov")
TOLERANCE = Parameter("tolerance", "norm of the gradient at which the solver stops", nonnegative, "loss/decision")


def _data(random: Random, n: int, d: int, scale: float = 1.0) -> tuple[list[list[float]], list[float]]:
    features = [[random.gauss(0, 1) for _ in range(d)] for _ in range(n)]
    return features, [scale * (sum(row) + random.gauss(0, 1)) for row in features]


def _problem(random: Random) -> Inputs:
    n, d = random.choice((1, 2, 5, 20)), random.choice((1, 2, 4))
    features, y = _data(random, n, d)
    return {
        "kernel": random.choice(KERNELS),
        "X": features,
        "y": y,
        "b": [random.gauss(0, 3) for _ in range(d)],
        "h": 10 ** random.uniform(-2, 1),
        "r": random.uniform(0.02, 0.98),
        "lambda_": 10 ** random.uniform(-3, 1),
        "tolerance": 1e-10,
    }


def _hard() -> tuple[Inputs, ...]:
    """One record, fewer records than dimensions, a zero and a constant column, residuals of 1e8, a kink at every record."""
    cases: list[tuple[list[list[float]], list[float], list[float], float, float, float]] = [
        ([[1.0]], [0.0], [0.0], 1.0, 0.5, 1e-3),
        ([[0.5, -0.5, 0.5, -0.5]], [3.0], [1.0, 0.0, 0.0, -1.0], 0.01, 0.9, 1e-3),
        ([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]], [1.0, 2.0, 3.0], [0.0, 0.0], 0.1, 0.5, 1e-2),
        ([[0.6, 0.8], [-0.6, 0.8], [1.0, 0.0]], [1e8, -1e8, 1e8], [0.0, 5.0], 1.0, 0.25, 0.1),
        ([[1.0], [-1.0], [1.0], [-1.0]], [1.0, -1.0, 1.0, -1.0], [0.0], 1e-3, 0.5, 1e-4),
    ]
    return tuple(
        {"kernel": kernel, "X": x, "y": y, "b": b, "h": h, "r": r, "lambda_": ridge, "tolerance": 1e-10}
        for kernel in KERNELS
        for x, y, b, h, r, ridge in cases
    )


@contract(metric=SUBOPTIMALITY, range=(FINITE, NONNEGATIVE), inputs=(H, R, LAMBDA, TOLERANCE), generate=_problem, hard=_hard())
def solve(
    kernel: Kernel,
    X: object,
    y: object,
    b: object,
    h: float,
    r: float,
    lambda_: float,
    tolerance: float,
) -> tuple[object, float]:
    """Minimiser of the perturbed objective for a given noise vector, and the norm of the gradient there.

    J(theta) = (1/n) sum_i c_h(y_i - <x_i, theta>) + lambda |theta|^2 + <b, theta>/n

    Domain   X: n x d, y: n, b: d (loss/decision), h > 0, 0 < r < 1, lambda_ > 0, tolerance > 0
    Returns  (theta: d (decision), |grad J(theta)|); the norm exceeds `tolerance` where arithmetic allows no better
    Source   quantile, Algorithm 2, step 3
    """


variance = L**2 * (8 * log(2 / delta) + 4 * epsilon) / epsilon**2
lipschitz = maximum(r, 1 - r) * B_x
smoothness = K_bar * B_x**2 / h
regularisation_least = beta / (n * epsilon)
regulariser = lambda_ * norm**2
perturbation = b_dot_theta / n
regularised_enough = lambda_ >= regularisation_least


NORM = Parameter("norm", "norm of the decision, |theta|", nonnegative, "decision")
B_DOT_THETA = Parameter("b_dot_theta", "inner product of the noise vector and the decision", reals, "loss")
FORMULAS: dict[str, Callable[..., Real]] = {
    "variance": variance,
    "lipschitz": lipschitz,
    "smoothness": smoothness,
    "regularisation_least": regularisation_least,
    "regulariser": regulariser,
    "perturbation": perturbation,
}
PARAMETERS = (EPSILON, N, R, B_X, K_BAR, H, L, BETA, LAMBDA, NORM, B_DOT_THETA)
ENOUGH = Predicate(
    "lambda >= beta/(n epsilon)",
    regularised_enough,
    accepts={"lambda_": "0.021", "beta": "1", "n": 100, "epsilon": "0.5"},
    rejects={"lambda_": "0.019", "beta": "1", "n": 100, "epsilon": "0.5"},
)
ASSERTS = (
    Relation("smoothed empirical risk + regulariser + perturbation", "is", "minimised by exactly one theta, for every b"),
    Relation("variance", "is", "a variance, for every epsilon and delta that the input admits"),
)

claims = [
    Claim(
        id="quantile/alg-2",
        title="objective perturbation for quantile regression",
        kind=Kind.ALGORITHM,
        source=QUANTILE.at("Algorithm 2"),
        says="For epsilon > 0 and delta >= 0: with L = max(r, 1-r) B_x and beta = K_bar B_x^2/h, take any "
        "lambda >= beta/(n epsilon), draw b from N(0, sigma^2 I) with sigma^2 = L^2 (8 ln(2/delta) + 4 epsilon)/epsilon^2, and "
        "return the minimiser over R^d of the smoothed empirical risk plus lambda |theta|^2 plus <b, theta>/n.",
        parameters=(*PARAMETERS, DELTA.within(nonnegative)),
        formulas=FORMULAS,
        asserts=ASSERTS,
        preconditions=(ENOUGH,),
        over=("every data set of n records with features in the ball of radius B_x", "every kernel of Condition 1", "every b"),
        note="The paper prints steps and an input line. That the variance exists for every admitted input is our own sentence "
        "about that line, which says delta >= 0: ln(2/delta) has no value at 0, and the variance is negative for every "
        "delta > 2 e^(epsilon/2), where the text says nothing: a finding beside. So is the sentence that there is one "
        "minimiser. r-bar in L is max(r, 1-r). Whether the output is private is Theorem 3.5, a claim of its own.",
    ),
    Claim(
        id="quantile/alg-2-amended",
        amends="quantile/alg-2",
        kind=Kind.ALGORITHM,
        source=QUANTILE.at("Algorithm 2"),
        says="The same algorithm with 0 < delta < 1 as its input: the variance exists and is positive, and the perturbed "
        "objective has exactly one minimiser, for every noise vector.",
        parameters=(*PARAMETERS, DELTA.within(open_unit)),
        formulas=FORMULAS,
        asserts=ASSERTS,
        preconditions=(ENOUGH,),
        over=("every data set of n records with features in the ball of radius B_x", "every kernel of Condition 1", "every b"),
    ),
]
