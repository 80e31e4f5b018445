"""Gradient perturbation: gradient descent on the smoothed empirical risk with Gaussian noise in every full gradient."""

from random import Random

from dpsco.spec.algorithms.dp_sgd.algorithm import any_problem, hard_problems
from dpsco.spec.algorithms.gradient_perturbation.privacy import sensitivity, sigma_moments
from dpsco.spec.claim import Claim, Kind, Provenance
from dpsco.spec.contract import FINITE, SUM_SCALED, Inputs, ball, contract
from dpsco.spec.domain import Interval, Parameter
from dpsco.spec.expressions import sqrt, symbols
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import B_X, DELTA, EPSILON, ETA, K_BAR, KAPPA_1, SIGMA, B, D, L, N, T

B_x, K_bar, d, eta, kappa_1, n, r_bar, sigma = symbols("B_x K_bar d eta kappa_1 n r_bar sigma")

R_BAR = Parameter("r_bar", "max(r, 1 - r): Lipschitz constant of the check loss", Interval("0.5", "1", low_open=False))


steps = n**2
"""The number of steps that the utility analysis puts in."""

_lipschitz = r_bar * B_x
slope_in_step_length = _lipschitz**2 * (1 + T) / n + _lipschitz**2 / 2 + d * sigma**2 / 2 + kappa_1 * K_bar * B_x**2 / 2
"""Coefficient of eta in the risk bound: L^2 (1 + T) / n + L^2 / 2 + d sigma^2 / 2 + kappa_1 K_bar B_x^2 / 2."""

step_length = sqrt(B**2 / (2 * T) / slope_in_step_length)
bandwidth = eta * K_bar * B_x**2
"""Makes eta the inverse of the smoothness constant K_bar B_x^2 / h."""

weight = 1 / T
"""Of every iterate in the output."""


def _whole(problem: Inputs) -> Inputs:
    """The same problem without draws: every step sees all records."""
    return {name: value for name, value in problem.items() if name != "indices"}


def _problem(random: Random) -> Inputs:
    return _whole(any_problem(random))


def _bounded_problem(random: Random) -> Inputs:
    return {**_problem(random), "B": 10 ** random.uniform(-3, 3)}


HARD: tuple[Inputs, ...] = tuple(_whole(problem) for problem in hard_problems)


@contract(metric=SUM_SCALED, range=FINITE, generate=_problem, hard=HARD)
def iterates(kernel: str, X: object, y: object, normals: object, eta: float, h: float, r: float, sigma: float) -> object:
    """Iterates theta_1, ..., theta_T of gradient perturbation for given noise, T = 1 + the number of noise vectors.

    theta_1 = 0, theta_{t+1} = theta_t - eta ((1/n) sum_i [calK((theta_t'x_i - y_i)/h) - r] x_i + sigma normals_t)

    Domain   X: n x d, y: n, normals: (T - 1) x d of standard normal numbers, eta > 0, h > 0, 0 < r < 1, sigma >= 0
             (loss/decision)
    Returns  T x d numbers (decision); their error is measured against the length of the path
    Raises   ValueError for an unknown kernel or shapes that do not fit
    Source   newsvendor, proof of Theorem 4
    """


@contract(
    metric=SUM_SCALED,
    range=ball(lambda m, B: B),
    generate=_bounded_problem,
    hard=tuple({**problem, "B": B} for problem in HARD[::3] for B in (0.1, 1e9)),
)
def descend(
    kernel: str, X: object, y: object, normals: object, eta: float, h: float, r: float, sigma: float, B: float
) -> object:
    """What gradient perturbation returns for given noise: the average of its T iterates, projected onto the ball of radius B.

    average min(1, B/|average|), average = (theta_1 + ... + theta_T)/T

    Domain   as `iterates`; B > 0 (decision), infinite for no projection
    Returns  d numbers (decision)
    Raises   as `iterates`
    Source   newsvendor, proofs of Theorems 2, 4 and 6 (rebuilt): projection is read as at the end
    """


claims = [
    Claim(
        id="newsvendor/alg-GP",
        title="gradient perturbation",
        kind=Kind.ALGORITHM,
        source=NEWSVENDOR.at("Algorithm GP", "proofs of Theorems 3 and 4"),
        says="Input: n records (x_i, y_i) with |x_i| <= B_x, epsilon, delta, kernel, T steps, step length eta, bandwidth h, "
        "sigma^2 = 2 (2 L / n)^2 T ln(1/delta) / epsilon^2, L = r_bar B_x. (1) theta_1 = 0. (2) For t = 1, ..., T - 1: draw "
        "w_t from N(0, sigma^2 I) independently, theta_{t+1} = theta_t - eta (gradient of the smoothed empirical mean loss at "
        "theta_t + w_t). (3) Average theta_1, ..., theta_T with weights 1/T. (4) Project onto the ball of radius B; the order "
        "at a new x is the inner product. The analysis takes T = n^2, eta = sqrt(B^2 / (2 T) / (L^2 (1 + T) / n + L^2 / 2 + d "
        "sigma^2 / 2 + kappa_1 K_bar B_x^2 / 2)), h = eta K_bar B_x^2.",
        parameters=(
            EPSILON,
            DELTA,
            N,
            D,
            T,
            L.means("Lipschitz constant r_bar B_x"),
            B,
            B_X,
            R_BAR,
            KAPPA_1,
            K_BAR,
            SIGMA.means("standard deviation of the noise in every coordinate of every step"),
            ETA,
        ),
        formulas={
            "sensitivity": sensitivity,
            "sigma": sigma_moments,
            "steps": steps,
            "step_length": step_length,
            "bandwidth": bandwidth,
            "weight": weight,
        },
        over=("data sets", "kernels"),
        provenance=Provenance.REBUILT,
        note="Rebuilt from the proofs: start at 0, constant step, plain average of T iterates are certain. Not certain: "
        "whether T or T - 1 noisy gradients are drawn (T - 1 enter the average; the companion paper's loop ends at T - 1) and "
        "whether projection is done at the end (the proofs' 'without projection') or in every step. Step (4) is read as at the "
        "end.",
    ),
]
