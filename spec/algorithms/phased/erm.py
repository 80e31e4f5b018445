"""Phased empirical risk minimisation on the check loss: a minimiser a phase, anchored at the last one's noisy answer.

Its formulas, and the claim about its coefficient, stand in `algorithms.phased.coefficient`; phases are as in `phased.sgd`.
"""

from random import Random

from dpsco.spec.algorithms.phased.sgd import lengths
from dpsco.spec.contract import FINITE, NONNEGATIVE, SUBOPTIMALITY, Inputs, contract

TOLERANCE = 1e-9


def any_problem(random: Random) -> Inputs:
    """Up to 20 records on a line or off it, steps from short to long, noise or none."""
    n, d = random.choice((1, 2, 3, 8, 20)), random.choice((1, 2, 3))
    X = [[random.gauss(0, 1) for _ in range(d)] for _ in range(n)]
    return {
        "X": X,
        "y": [sum(row) + random.choice((0.0, 1.0)) * random.gauss(0, 1) for row in X],
        "normals": [[random.gauss(0, 1) for _ in range(d)] for _ in lengths(n)],
        "eta": 10 ** random.uniform(-2, 2),
        "r": random.uniform(0.02, 0.98),
        "sigma": random.choice((0.0, 10 ** random.uniform(-3, 1))),
        "tolerance": TOLERANCE,
    }


HARD: tuple[Inputs, ...] = tuple(
    {
        "X": X,
        "y": y,
        "normals": [[0.5 * (-1.0) ** (i + j) for j in range(len(X[0]))] for i in range(len(lengths(len(X))))],
        "eta": eta,
        "r": 0.3,
        "sigma": sigma,
        "tolerance": TOLERANCE,
    }
    for X, y in (
        ([[1.0]], [2.0]),
        ([[1.0], [0.5]], [0.0, 1.0]),
        ([[0.5, -0.5, 0.25]] * 4, [1.0, 1.0, 2.0, -3.0]),
        ([[0.0], [1.0], [1.0], [-1.0], [1.0]], [1.0, 0.0, 0.125, 4.0, 9.0]),
    )
    for eta, sigma in ((1.0, 0.0), (64.0, 2.0))
)
"""No phase; a record at the kink; n < d at every phase, ties; a record of zeros, one that is never used."""


@contract(metric=SUBOPTIMALITY, range=(FINITE, FINITE, NONNEGATIVE), generate=any_problem, hard=HARD)
def descend(
    X: object,
    y: object,
    normals: object,
    eta: float,
    r: float,
    sigma: float,
    tolerance: float,
) -> tuple[object, object, float]:
    """What the phases release, w_0 = 0 first, the minimisers behind it, and the largest of their duality gaps.

    v_i = argmin (1/n_i) sum over phase i of c(y - x'v) + |v - w_{i-1}|^2/(n_i eta_i), w_i = v_i + sigma eta_i normals_i,
    eta_i = 4^{-i} eta

    Domain   X: n x d, y: n, n >= 1, normals: k x d of standard normal numbers, k = floor(log2 n), eta > 0 (decision^2/loss),
             0 < r < 1, sigma >= 0: the noise's standard deviation over the phase's step (loss/decision), tolerance > 0 (loss)
    Returns  ((k + 1) x d released (decision), k x d minimisers (decision), gap (loss)): each minimiser's objective exceeds its
             minimum by at most `gap`. What `regress` measures is the largest excess over the exact minimum around the released
             point before it, over the tolerance, or, where that is more, a released point's rounding error in units of four
             roundings
    Raises   ValueError for shapes that do not fit
    Source   quantile, Section 5 (Phased-ERM) and Appendix C
    """
