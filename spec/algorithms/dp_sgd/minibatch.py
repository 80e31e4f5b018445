"""Noisy descent on small batches, with or without smoothing, in a ball or on all of R^d: what DP-SGD is compared with.

On "check" with batches of one record and no ball it is DP-SGD without smoothing; on "moreau" with batches and a ball it is the
noisy descent of Bassily, Feldman, Talwar and Thakurta 2019 (Algorithm 1, Theorem 4.4). Their text is not at hand: `steps`,
`batch_size`, `variance`, `step_length` and `smoothness` are theirs as commonly cited, and no claim of the five papers.
"""

import math
from random import Random
from typing import Any

from dpsco.spec.algorithms.dp_sgd.seeded_noise import LARGEST_KEY
from dpsco.spec.contract import SUM_SCALED, Inputs, ball, contract
from dpsco.spec.expressions import ceil, floor, log, maximum, minimum, sqrt, symbols
from dpsco.spec.losses.quantile.slopes import LOSSES

B, L, T, d, delta, epsilon, n = symbols("B L T d delta epsilon n")

STEEPEST = 1.0
"""At least the curvature of every loss of the table, times h: eta |x|^2 / h <= 2 keeps rounding errors from growing."""


def any_problem(random: Random) -> Inputs:
    """A few records, up to 24 steps of at most twice the inverse smoothness on batches of up to 3, a ball that may bind.

    The level is no simple fraction and no outcome is zero: so no residual comes back to the kink but by chance.
    """
    n, d, steps, size = random.choice((1, 2, 3, 5)), random.choice((1, 2, 3, 9)), random.randrange(25), random.choice((1, 2, 3))
    X = [[random.gauss(0, 1) for _ in range(d)] for _ in range(n)]
    h = 10 ** random.uniform(-3, 2)
    return {
        "loss": random.choice(LOSSES),
        "X": X,
        "y": [random.choice((random.gauss(0, 3 * h), 10 ** random.uniform(0, 8))) for _ in range(n)],
        "batches": [[random.randrange(n) for _ in range(size)] for _ in range(steps)],
        "normals": [[random.gauss(0, 1) for _ in range(d)] for _ in range(steps)],
        "eta": random.uniform(0.01, 1) * 2 * h / (STEEPEST * max(sum(x * x for x in row) for row in X)),
        "h": h,
        "r": random.uniform(0.02, 0.98),
        "sigma": random.choice((0.0, 10 ** random.uniform(-3, 1))),
        "B": random.choice((math.inf, h * 10 ** random.uniform(-2, 1))),
        "skip": random.choice((0, min(1, steps))),
    }


def _hard() -> tuple[Inputs, ...]:
    """No step; a record at the kink that stays there; a record of zeros; n < d; ties; a ball that every step leaves.

    All numbers are dyadic: residuals that reach the kink reach it in doubles as well.
    """
    inf = math.inf
    cases: list[tuple[list[list[float]], list[float], list[list[int]], float]] = [
        ([[1.0]], [2.0], [], inf),
        ([[1.0]], [0.0], [[0], [0]], inf),
        ([[1.0]], [0.25], [[0], [0], [0]], inf),
        ([[0.0, 0.0], [0.0, 1.0]], [0.0, -3.0], [[0, 1], [1, 1]], inf),
        ([[0.5, -0.5, 0.5, -0.5]], [3.0], [[0], [0]], 0.25),
        ([[1.0, 0.5], [1.0, 0.5], [1.0, -0.5]], [1.0, 1.0, -1.0], [[0, 1], [1, 2], [2, 2]], inf),
        ([[1.0], [-1.0]], [8.0, 8.0], [[0], [0], [1], [1]], 0.125),
    ]
    return tuple(
        {
            "loss": loss,
            "X": X,
            "y": y,
            "batches": batches,
            "normals": [[(-1.0) ** (t + j) * 0.5 * t for j in range(len(X[0]))] for t in range(len(batches))],
            "eta": 0.5,
            "h": 1.0,
            "r": 0.5,
            "sigma": sigma,
            "B": B,
            "skip": skip,
        }
        for loss in LOSSES
        for X, y, batches, B in cases
        for sigma, skip in ((0.0, 0), (2.0, 1))
        if skip <= len(batches)
    )


hard_problems = _hard()


def _path(given: Inputs) -> Inputs:
    return {name: value for name, value in given.items() if name != "skip"}


def _numbered(given: Inputs, seed: int, stream: int) -> Inputs:
    """The same problem with as many draws and numbers of a stream in the place of its own."""
    kept = {name: value for name, value in given.items() if name not in ("batches", "normals")}
    batches: Any = given["batches"]
    size = len(batches[0]) if batches else 1
    return {**kept, "steps": len(batches), "size": size, "seed": seed, "stream": stream}


def any_numbered(random: Random) -> Inputs:
    seed, stream = (random.choice((0, 1, random.getrandbits(64))) for _ in range(2))
    return _numbered(any_problem(random), seed, stream)


@contract(
    metric=SUM_SCALED,
    range=ball(lambda m, B: B),
    generate=lambda random: _path(any_problem(random)),
    hard=tuple(map(_path, hard_problems)),
)
def iterates(
    loss: str,
    X: object,
    y: object,
    batches: object,
    normals: object,
    eta: float,
    h: float,
    r: float,
    sigma: float,
    B: float,
) -> object:
    """Iterates theta_1, ..., theta_{T+1} of a noisy descent for given batches and noise, T the number of batches.

    theta_1 = 0, theta_{t+1} = the point of the ball of radius B nearest to theta_t - eta (mean (sub)gradient of the records
    batches_t at theta_t + sigma normals_t)

    Domain   loss: see `losses.quantile.slopes`; X: n x d, y: n, batches: T rows of equally many of 0, ..., n - 1, normals: T x
             d of standard normal numbers, eta > 0, h > 0, 0 < r < 1, sigma >= 0 (loss/decision), B > 0 or infinite (decision)
    Returns  (T + 1) x d numbers (decision); their error is measured against the length of the path
    Raises   ValueError for an unknown loss, shapes that do not fit, a draw that is no record
    Source   quantile, Section 5 and Algorithm 1, steps 1 to 6
    """


@contract(metric=SUM_SCALED, range=ball(lambda m, B: B), generate=any_problem, hard=hard_problems)
def descend(
    loss: str,
    X: object,
    y: object,
    batches: object,
    normals: object,
    eta: float,
    h: float,
    r: float,
    sigma: float,
    B: float,
    skip: int,
) -> object:
    """The average of the iterates but the first `skip`: none is left out by quantile's Algorithm 1, the start by Bassily et al.

    (theta_{skip+1} + ... + theta_{T+1})/(T + 1 - skip)

    Domain   as `iterates`; 0 <= skip <= T
    Returns  d numbers (decision)
    Raises   as `iterates`, and for another `skip`
    Source   quantile, Algorithm 1, step 7
    """


@contract(
    metric=SUM_SCALED,
    range=ball(lambda m, B: B),
    generate=any_numbered,
    hard=tuple(_numbered(one, *key) for one in hard_problems for key in ((0, 0), (LARGEST_KEY, LARGEST_KEY))),
)
def simulate_numbered(
    loss: str,
    X: object,
    y: object,
    steps: int,
    size: int,
    eta: float,
    h: float,
    r: float,
    sigma: float,
    B: float,
    skip: int,
    seed: int,
    stream: int,
) -> object:
    """`descend` with draws and noise by number (see `seeded_noise`), for experiments: not private, as the seed is all of it.

    Step t = 0, 1, ... takes draws t size, ..., t size + size - 1 of the stream and its normal numbers t d, ..., t d + d - 1

    Domain   as `descend`; steps = T >= 0, size >= 1 records a step, seed and stream of 0, ..., 2^64 - 1, n <= 2^32 - 1
    Returns  d numbers (decision)
    Raises   as `descend`, and for a negative number of steps, an empty batch, a seed that is none
    Source   quantile, Algorithm 1, and Salmon et al. 2011 for the stream
    """


steps = maximum(floor(minimum(n / 8, epsilon**2 * n**2 / (32 * d * log(1 / delta)))), 1)
"""Number of steps, at least one: min(n/8, epsilon^2 n^2/(32 d ln(1/delta)))."""

batch_size = minimum(maximum(ceil(n * sqrt(epsilon / (4 * T))), 1), n)
"""Records a step, drawn with replacement: max(n sqrt(epsilon/(4 T)), 1), rounded up and at most n."""

variance = 8 * T * L**2 * log(1 / delta) / (n**2 * epsilon**2)
"""Variance of a gradient's noise, each coordinate: 8 T L^2 ln(1/delta)/(n^2 epsilon^2)."""

step_length = B / (L * sqrt(T))
"""B/(L sqrt(T)), B the radius of the ball of decisions."""

smoothness = L / B * minimum(sqrt(n) / 4, epsilon * n / (8 * sqrt(d * log(1 / delta))))
"""Smoothness of the envelope: (L/B) min(sqrt(n)/4, epsilon n/(8 sqrt(d ln(1/delta))))."""
