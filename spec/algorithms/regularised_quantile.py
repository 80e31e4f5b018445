"""Quantile regression with a ridge, without smoothing and without noise: the non-private model, and a phase of Phased-ERM.

The objective is strongly convex and has kinks: what certifies a point is the duality gap, which needs no derivative.
"""

from random import Random

from dpsco.spec.contract import FINITE, NONNEGATIVE, SUBOPTIMALITY, Inputs, contract
from dpsco.spec.expressions import E, maximum, symbols
from dpsco.spec.numbers import Numbers, Real

r, u = symbols("r u")

TOLERANCE = 1e-9


def any_problem(random: Random) -> Inputs:
    """A few records with or without noise, some of them twice, a centre, a ridge from weak to strong."""
    n, d = random.choice((1, 2, 5, 12)), random.choice((1, 2, 3))
    X = [[random.gauss(0, 1) for _ in range(d)] for _ in range(n)]
    y = [sum(row) + random.choice((0.0, 1.0)) * random.gauss(0, 1) for row in X]
    twice = random.randrange(n)
    return {
        "X": [*X, X[twice]],
        "y": [*y, y[twice]],
        "centre": [random.choice((0.0, random.gauss(0, 3))) for _ in range(d)],
        "r": random.uniform(0.02, 0.98),
        "lambda_": 10 ** random.uniform(-3, 1),
        "tolerance": TOLERANCE,
    }


HARD: tuple[Inputs, ...] = tuple(
    {"X": X, "y": y, "centre": centre, "r": r, "lambda_": ridge, "tolerance": TOLERANCE}
    for X, y, centre, ridge in (
        ([[1.0]], [0.0], [0.0], 1e-3),
        ([[1.0]], [5.0], [0.0], 10.0),
        ([[0.5, -0.5, 0.5, -0.5]], [3.0], [1.0, 0.0, 0.0, -1.0], 1e-3),
        ([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]], [1.0, 2.0, 3.0], [0.0, 0.0], 1e-2),
        ([[1.0], [1.0], [1.0], [1.0]], [2.0, 2.0, 2.0, 7.0], [0.0], 1e-3),
        ([[0.0], [0.0]], [1.0, -1.0], [4.0], 1.0),
        ([[0.6, 0.8], [-0.6, 0.8], [1.0, 0.0]], [1e4, -1e4, 1e4], [0.0, 0.0], 0.1),
    )
    for r in (0.5, 0.9)
)
"""One record, one at the kink; n < d; a constant and a zero column; ties; records of zeros; large outcomes."""


@contract(metric=SUBOPTIMALITY, range=(FINITE, NONNEGATIVE), generate=any_problem, hard=HARD)
def solve(X: object, y: object, centre: object, r: float, lambda_: float, tolerance: float) -> tuple[object, float]:
    """Minimiser of the check loss's empirical risk with a ridge around a centre, and the duality gap there.

    J(theta) = (1/n) sum over i of c(y_i - x_i'theta) + lambda |theta - centre|^2, c(u) = r max(u, 0) + (1 - r) max(-u, 0)

    Domain   X: n x d, y: n, centre: d (decision), 0 < r < 1, lambda_ > 0, tolerance > 0 (loss)
    Returns  (theta: d (decision), gap (loss)): J(theta) exceeds the minimum by at most `gap`, so that theta is within
             sqrt(gap/lambda) of the minimiser; `gap` exceeds `tolerance` where arithmetic allows no better. What `regress`
             measures is the excess of J over its exact minimum, over the tolerance
    Raises   ValueError for shapes that do not fit
    Source   quantile, Section 5 (centre 0) and Appendix C
    """


_zero = E(0)
check = r * maximum(u, _zero) + (1 - r) * maximum(-u, _zero)
"""c(u), its two parts apart: no cancellation."""


def dual_gap(m: Numbers, slopes: Real, residuals: Real, gradient: Real, r: Real, lambda_: Real) -> Real:
    """J(theta) less the dual value of slopes a_i in [r - 1, r], both parts at least 0.

    (1/n) sum over i of (c(u_i) - a_i u_i) + |gradient|^2/(4 lambda), gradient = 2 lambda (theta - centre) - (1/n) sum a_i x_i

    Source   Fenchel's duality: c(u) >= a u, and J's other terms are a square in theta
    """
    zero = m.real(0)
    excess = sum((check(m, u=u, r=r) - a * u for a, u in zip(slopes, residuals, strict=True)), start=zero) / len(residuals)
    return excess + m.dot(gradient, gradient) / (4 * lambda_)
