"""DP-SGD on the smoothed quantile loss: n^2 - 1 noisy steps on single records, and the average of the iterates."""

from dataclasses import replace
from random import Random

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.contract import FINITE, SUM_SCALED, Inputs, contract
from dpsco.spec.domain import Interval, nonnegative
from dpsco.spec.expressions import log, symbols
from dpsco.spec.inputs import KERNELS
from dpsco.spec.losses.kernels import Kernel
from dpsco.spec.losses.quantile.smoothing import lipschitz, smoothness
from dpsco.spec.losses.quantile.summaries import LIPSCHITZ
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import B_X, BETA, DELTA, EPSILON, ETA, K_BAR, D, H, N, R
from dpsco.spec.predicate import Predicate

L, delta, epsilon, n = symbols("L delta epsilon n")

EPSILON_UP_TO_ONE = EPSILON.within(Interval("0", "1", high_open=False))
DELTA_FROM_ZERO = DELTA.within(nonnegative)
PEAKS = {"gaussian": 0.4, "logistic": 0.25, "uniform": 0.5, "epanechnikov": 0.75}
"""At least the supremum of each kernel: eta K_bar |x|^2 / h <= 2 keeps rounding errors from growing along the path."""


def any_problem(random: Random) -> Inputs:
    """A few records on the scale of the path, up to 24 steps of at most twice the inverse smoothness, noise or none."""
    n, d = random.choice((1, 2, 3, 5)), random.choice((1, 2, 3, 9))
    X = [[random.gauss(0, 1) for _ in range(d)] for _ in range(n)]
    kernel, h = random.choice(KERNELS), 10 ** random.uniform(-3, 2)
    eta = random.choice((1.0, random.uniform(0.01, 1))) * 2 * h / (PEAKS[kernel] * max(sum(x * x for x in row) for row in X))
    steps = random.choice((n**2 - 1, random.randrange(25)))
    return {
        "kernel": kernel,
        "X": X,
        "y": [random.choice((0.0, random.gauss(0, 3 * h), 10 ** random.uniform(0, 8))) for _ in range(n)],
        "indices": [random.randrange(n) for _ in range(steps)],
        "normals": [[random.gauss(0, 1) for _ in range(d)] for _ in range(steps)],
        "eta": eta,
        "h": h,
        "r": random.choice((random.uniform(0.02, 0.98), 1e-9, 1 - 1e-9)),
        "sigma": random.choice((0.0, 10 ** random.uniform(-3, 1))),
    }


def _hard() -> tuple[Inputs, ...]:
    """No step; a kink at every record at the start; one on the way; rows of zeros; outcomes of 1e8; opposite records; denormal
    outcomes; residuals of 1e310 bandwidths and of 1e-310."""
    cases: list[tuple[list[list[float]], list[float], list[int], float, float]] = [
        ([[1.0]], [2.0], [], 0.5, 1.0),
        ([[1.0], [-1.0]], [1.0, -1.0], [0, 1, 0, 1], 0.5, 1.0),
        ([[1.0, 0.0]], [1.5], [0, 0, 0, 0], 1.0, 1.0),
        ([[0.0, 0.0], [0.0, 1.0]], [0.0, -3.0], [0, 1, 0, 0, 1], 0.5, 0.25),
        ([[0.6, 0.8], [-0.6, 0.8]], [1e8, -1e8], [1, 0, 1, 1], 2.0, 1e-3),
        ([[1.0], [1.0]], [1e-300, -1e-300], [0, 1, 1, 0, 0, 1, 0, 1], 0.1, 1e-6),
        ([[1.0], [-0.5]], [5e-324, -1e-310], [0, 1, 1, 0], 0.1, 1e-100),
        ([[1.0], [1.0]], [1e250, -1e250], [0, 1, 0, 1], 0.5, 1e-60),
        ([[1.0, 1.0]], [1e-250], [0, 0, 0], 0.1, 1e60),
    ]
    return tuple(
        {
            "kernel": kernel,
            "X": X,
            "y": y,
            "indices": indices,
            "normals": [[(-1.0) ** (t + j) * 0.5 * t for j in range(len(X[0]))] for t in range(len(indices))],
            "eta": share * h / max(PEAKS[kernel], 0.5),
            "h": h,
            "r": r,
            "sigma": sigma,
        }
        for kernel in KERNELS
        for X, y, indices, share, h in cases
        for r, sigma in ((0.5, 0.0), (0.9, 2.0))
    )


hard_problems = _hard()


@contract(metric=SUM_SCALED, range=FINITE, generate=any_problem, hard=hard_problems)
def iterates(
    kernel: Kernel,
    X: object,
    y: object,
    indices: object,
    normals: object,
    eta: float,
    h: float,
    r: float,
    sigma: float,
) -> object:
    """Iterates theta_1, ..., theta_T of DP-SGD for given draws and noise, T = 1 + the number of draws.

    theta_1 = 0, theta_{t+1} = theta_t - eta ([calK((theta_t'x - y)/h) - r] x + sigma normals_t), (x, y) record indices_t

    Domain   X: n x d, y: n, indices: T - 1 of 0, ..., n - 1, normals: (T - 1) x d of standard normal numbers, eta > 0, h > 0,
             0 < r < 1, sigma >= 0 (loss/decision)
    Returns  T x d numbers (decision); their error is measured against the length of the path
    Raises   ValueError for an unknown kernel, shapes that do not fit, a draw that is no record
    Source   quantile, Algorithm 1, steps 1 to 6
    """


@contract(metric=SUM_SCALED, range=FINITE, generate=any_problem, hard=hard_problems)
def descend(
    kernel: Kernel,
    X: object,
    y: object,
    indices: object,
    normals: object,
    eta: float,
    h: float,
    r: float,
    sigma: float,
) -> object:
    """What DP-SGD returns for given draws and noise: the average of its T iterates, the zero vector included.

    (theta_1 + ... + theta_T)/T

    Domain   as `iterates`
    Returns  d numbers (decision)
    Raises   as `iterates`
    Source   quantile, Algorithm 1, step 7
    """


variance = 8 * L**2 * log(1 / delta) / epsilon**2
steps = n**2 - 1
variance_is_defined = all_of(delta > 0, delta <= 1)


VARIANCE_DEFINED = Predicate(
    "0 < delta <= 1: the printed variance is a number and not negative",
    variance_is_defined,
    accepts={"delta": "0.01"},
    rejects={"delta": "2"},
)

ALGORITHM = Claim(
    id="quantile/alg-1",
    title="DP-SGD on the smoothed quantile loss",
    kind=Kind.ALGORITHM,
    source=QUANTILE.at("Algorithm 1"),
    says="DP-SGD. Given n records, epsilon <= 1, delta >= 0, a kernel with bandwidth h > 0, L = max(r, 1-r) B_x, beta = "
    "K_bar B_x^2/h, sigma^2 = 8 L^2 ln(1/delta)/epsilon^2 and a step length eta > 0: start at theta_1 = 0; for t = 1 to "
    "n^2 - 1 draw one record uniformly with replacement, draw w_t from N(0, sigma^2 I_d), and set theta_{t+1} = theta_t - "
    "eta (grad ell_h(theta_t; x, y) + w_t), with grad ell_h(theta; x, y) = [calK_h(theta'x - y) - r] x. Return the "
    "average of the n^2 iterates theta_1, ..., theta_{n^2}, the zero vector included. No projection.",
    parameters=(
        N,
        D,
        EPSILON_UP_TO_ONE,
        DELTA_FROM_ZERO,
        H,
        ETA,
        R,
        B_X,
        K_BAR,
        LIPSCHITZ,
        BETA.means("smoothness constant of ell_h"),
    ),
    formulas={"lipschitz": lipschitz, "smoothness": smoothness, "variance": variance, "steps": steps},
    asserts=(
        Relation("L", "=", "lipschitz"),
        Relation("beta", "=", "smoothness"),
        Relation("variance", "is", "a variance, for every epsilon and delta that the input admits"),
    ),
    over=("every data set of n records with features in the ball of radius B_x and real outcomes", "every kernel"),
    note="The paper prints steps and an input line, epsilon <= 1 and delta >= 0; that the variance exists for every admitted "
    "input is our own sentence about that line, as with Algorithm 2: delta = 0 makes it infinite, delta = 1 zero, delta > 1 "
    "negative, so only 0 < delta <= 1 is an algorithm: outside the text says nothing, a finding beside. For n = 1 no step is "
    "made and the answer is 0.",
)

claims = [
    ALGORITHM,
    replace(
        ALGORITHM,
        id="quantile/alg-1-amended",
        amends="quantile/alg-1",
        says="The same algorithm with 0 < delta <= 1 as its input: the variance is a number and not negative.",
        preconditions=(VARIANCE_DEFINED,),
        note="delta = 1 makes the variance zero: no noise.",
    ),
]
