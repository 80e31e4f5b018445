"""Phased descent on the quantile loss: one pass in phases of shrinking length and step, noise after each phase.

The steps are those of lp's Algorithm 6 (`algorithms.phased.dp_sgd`, where its claims stand), on a loss of the table
`losses.quantile.slopes`. Phase i takes the next floor(2^{-i} n) records, i = 1, ..., floor(log2 n); what is left is not used.
"""

from random import Random

from dpsco.spec.contract import FINITE, SUM_SCALED, Inputs, contract
from dpsco.spec.losses.quantile.slopes import LOSSES


def lengths(n: int) -> list[int]:
    """How many records each phase takes: floor(2^{-i} n) for i = 1, ..., floor(log2 n); no phase for n = 1.

    Raises  ValueError for n < 1
    """
    if n < 1:
        raise ValueError(f"n={n}: must be at least 1, the number of records")
    return [n >> i for i in range(1, n.bit_length())]


def any_problem(random: Random) -> Inputs:
    """Up to 20 records, steps of at most twice the inverse smoothness; no residual is at the kink but by chance."""
    n, d = random.choice((1, 2, 3, 7, 8, 20)), random.choice((1, 2, 3, 9))
    X = [[random.gauss(0, 1) for _ in range(d)] for _ in range(n)]
    h = 10 ** random.uniform(-3, 2)
    return {
        "loss": random.choice(LOSSES),
        "X": X,
        "y": [random.choice((random.gauss(0, 3 * h), 10 ** random.uniform(0, 8))) for _ in range(n)],
        "normals": [[random.gauss(0, 1) for _ in range(d)] for _ in lengths(n)],
        "eta": random.uniform(0.01, 1) * 8 * h / max(sum(x * x for x in row) for row in X),
        "h": h,
        "r": random.uniform(0.02, 0.98),
        "sigma": random.choice((0.0, 10 ** random.uniform(-3, 1))),
    }


HARD: tuple[Inputs, ...] = tuple(
    {
        "loss": loss,
        "X": X,
        "y": y,
        "normals": [[0.5 * (-1.0) ** (i + j) for j in range(len(X[0]))] for i in range(len(lengths(len(X))))],
        "eta": 1.0,
        "h": 1.0,
        "r": 0.5,
        "sigma": sigma,
    }
    for loss in LOSSES
    for X, y in (
        ([[1.0]], [2.0]),
        ([[1.0], [0.5]], [0.0, 1.0]),
        ([[0.5, -0.5, 0.25]] * 4, [1.0, 1.0, 2.0, -3.0]),
        ([[0.0], [1.0], [1.0], [-1.0], [1.0]], [1.0, 0.0, 0.125, 4.0, 9.0]),
    )
    for sigma in (0.0, 2.0)
)
"""No phase; a record at the kink; n < d at every phase, ties; a record of zeros, one that is never used. All are dyadic."""


@contract(metric=SUM_SCALED, range=FINITE, generate=any_problem, hard=HARD)
def descend(
    loss: str,
    X: object,
    y: object,
    normals: object,
    eta: float,
    h: float,
    r: float,
    sigma: float,
) -> object:
    """What the phases release, w_0 = 0 first: the last row is the answer.

    w_i = average of the n_i + 1 iterates of a descent from w_{i-1} with step eta_i = 4^{-i} eta on n_i fresh records, one a
    step, no projection, + sigma eta_i normals_i

    Domain   loss: see `losses.quantile.slopes`; X: n x d, y: n, n >= 1, normals: k x d of standard normal numbers, k =
             floor(log2 n), eta > 0, h > 0, 0 < r < 1, sigma >= 0: the noise's standard deviation over the phase's step
             (loss/decision)
    Returns  (k + 1) x d numbers (decision); their error is measured against the length of the path
    Raises   ValueError for an unknown loss, shapes that do not fit
    Source   quantile, Section 5 (Phased-SGD); lp, Algorithm 6
    """
