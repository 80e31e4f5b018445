"""Exponential descent: steps of the gradient's length in a direction that randomised response picks.

The gradient of the smoothed empirical SPO+ risk decides a half-sphere; its side is chosen with probability
e^epsilon / (e^epsilon + 1), the opposite side otherwise, and the direction is uniform on the chosen half.
"""

from random import Random

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.contract import FINITE, SUM_SCALED, ULPS, Inputs, ball, between, contract
from dpsco.spec.domain import Parameter, nonnegative
from dpsco.spec.expressions import symbols
from dpsco.spec.losses.spo.smoothing import FEATURES, MODEL_BOUND, SMOOTHING, STEP
from dpsco.spec.papers import SPO
from dpsco.spec.parameters import EPSILON, D, N, T
from dpsco.spec.privacy.randomised_response import favoured, unfavoured

eta, gradient_norm = symbols("eta gradient_norm")

ITERATES = T.means("number of iterates B_1, ..., B_T; T - 1 of them come from a noisy step")
STEP_EPSILON = EPSILON.means("parameter of one draw of a direction")
GRADIENT_NORM = Parameter("gradient_norm", "norm of the smoothed empirical risk's gradient at B_t", nonnegative, "loss/model")


step = eta * gradient_norm
"""Distance from B_t to B_{t+1}."""


SHAPES = ("ball", "box")
"""Sets S of decisions that are computed: |w|_2 <= radius, and |w_j| <= radius for every j; on the line they are one."""


def any_problem(random: Random) -> Inputs:
    """A few records, up to six steps; eta at most mu/(4 |x|^2), the inverse of the loss's smoothness."""
    n, d, p, steps = random.choice((1, 2, 5)), random.choice((1, 2, 3)), random.choice((1, 2)), random.randrange(6)
    costs = [[random.gauss(0, 2) for _ in range(d)] for _ in range(n)]
    features = [[random.gauss(0, 1) for _ in range(p)] for _ in range(n)]
    mu, largest = 10 ** random.uniform(-1, 1), max(sum(x * x for x in row) for row in features)
    return {
        "shape": random.choice(SHAPES),
        "costs": costs,
        "features": features,
        "normals": [[random.gauss(0, 1) for _ in range(d * p)] for _ in range(steps)],
        "uniforms": [random.random() for _ in range(steps)],
        "epsilon": 10 ** random.uniform(-2, 1),
        "eta": random.uniform(0.1, 1) * mu / (4 * largest),
        "mu": mu,
        "radius": 10 ** random.uniform(-1, 1),
        "public_norm": random.choice((0.0, 1.5)),
    }


def _hard() -> tuple[Inputs, ...]:
    """No step; gradients that vanish; a cost of zero; costs far above mu; odds of nearly 1 and of nearly infinity."""
    cases: list[tuple[list[list[float]], list[list[float]], list[list[float]], list[float], float]] = [
        ([[3.0]], [[1.0]], [], [], 1.0),
        ([[3.0], [3.0]], [[1.0], [-1.0]], [[0.5]], [0.5], 1.0),
        ([[0.0, 0.0]], [[1.0]], [[0.6, -0.8]], [0.9], 1.0),
        ([[5.0, -2.0]], [[0.0, 0.0]], [[1.0, 2.0, -1.0, 0.5]], [0.1], 1.0),
        ([[1e8, -3e8]], [[0.5]], [[1.0, 2.0], [-3.0, 0.25], [0.1, 0.1]], [0.2, 0.51, 0.99], 1e-9),
        ([[1.0, 0.3, -2.0], [0.1, 0.2, 0.3]], [[1.0], [-0.7]], [[1.0, 0.0, 0.0], [0.3, 0.1, -0.2]], [0.1, 0.999], 700.0),
    ]
    scalars = {"eta": 0.1, "mu": 1.0, "radius": 1.0}
    return tuple(
        {"costs": costs, "features": x, "normals": z, "uniforms": u, "epsilon": e, "shape": shape, "public_norm": g, **scalars}
        for shape in SHAPES
        for costs, x, z, u, e in cases
        for g in (0.0, 4.0)
    )


@contract(metric=SUM_SCALED, range=FINITE, generate=any_problem, hard=_hard())
def descend(
    shape: str,
    costs: object,
    features: object,
    normals: object,
    uniforms: object,
    epsilon: float,
    eta: float,
    mu: float,
    radius: float,
    public_norm: float,
) -> object:
    """Iterates B_1, ..., B_T of exponential descent for given noise.

    B_{t+1} = B_t - eta |g| G_t, g the gradient at B_t of the mean smoothed SPO+ loss, G_t = normals_t/|normals_t| turned to
    <G_t, g> >= 0 where uniforms_t < e^epsilon/(e^epsilon + 1), to <G_t, g> <= 0 elsewhere

    Domain   costs: n x d, features: n x p, normals: (T - 1) x p d of standard normal numbers, uniforms: T - 1 in [0, 1),
             epsilon > 0 (nat, one step), eta > 0, mu > 0, radius > 0 of S; public_norm: 0 for the printed step, else the
             public number that stands for |g| in it (loss/model)
    Returns  T x p d numbers, rows of Bhat one after the other (model)
    Source   spo, Algorithm 1, steps (1) and (2)
    """


def _prediction(random: Random) -> Inputs:
    d, p, T = random.choice((1, 2, 3)), random.choice((1, 2)), random.choice((1, 2, 6))
    iterates = [[random.gauss(0, 3) for _ in range(d * p)] for _ in range(T)]
    return {"iterates": iterates, "feature": [random.gauss(0, 1) for _ in range(p)], "bound": 10 ** random.uniform(-1, 2)}


@contract(metric=SUM_SCALED, range=ball(lambda m, feature, bound: bound * m.norm(feature)), generate=_prediction)
def predict(iterates: object, feature: object, bound: float) -> object:
    """Prediction c_hat = Bhat x_{n+1} of the average iterate, projected onto the ball of radius `bound`.

    Domain   iterates: T x p d, feature: p, bound > 0 (model)
    Returns  d numbers (cost)
    Source   spo, Algorithm 1, steps (3) and (4); the ball is from the proof of Theorem 4
    """


def _cost(random: Random) -> Inputs:
    cost = [random.choice((-1, 0, 1)) * 10 ** random.uniform(-5, 5) for _ in range(random.choice((1, 2, 3)))]
    return {"shape": random.choice(SHAPES), "cost": cost, "radius": 10 ** random.uniform(-3, 3)}


@contract(metric=ULPS, range=between(lambda m, radius: -radius, lambda m, radius: radius), generate=_cost)
def decide(shape: str, cost: object, radius: float) -> object:
    """A decision w*(c) of S with the least cost, the one of least norm where there are several.

    Domain   cost: d numbers, radius > 0
    Returns  d numbers (decision)
    Source   spo, Algorithm 1, step (4); which minimiser of several is not printed
    """


claims = [
    Claim(
        id="spo/alg-1",
        title="exponential descent",
        kind=Kind.ALGORITHM,
        source=SPO.at("Algorithm 1", "Section 4"),
        says="Input: n pairs (x_i, c_i) with x_i in R^p and c_i in R^d, and a further feature vector x_{n+1}. (1) B_1 = 0, a "
        "vector of length p d that stands for the d by p matrix Bhat. (2) For t = 1, ..., T - 1: let g be the gradient at B_t "
        "of the mean over the data of the smoothed SPO+ loss of (c_i, Bhat x_i); draw G_t uniformly from the unit vectors v "
        "with <v, g> >= 0 with probability e^epsilon/(e^epsilon + 1), and from those with <v, g> <= 0 otherwise; set B_{t+1} "
        "= B_t - eta |g| G_t. (3) B = Proj((B_1 + ... + B_T)/T). (4) Return c_hat = Bhat x_{n+1}, Bhat being B as a matrix, "
        "and w*(c_hat).",
        parameters=(STEP_EPSILON, ITERATES, N, FEATURES, D, STEP, SMOOTHING, MODEL_BOUND, GRADIENT_NORM),
        symbols={"gradient_norm": r"\|\nabla \hat{\mathcal{L}}_\mu(B_t)\|_2"},
        formulas={"favoured": favoured, "unfavoured": unfavoured, "step": step},
        asserts=(
            Relation("favoured + unfavoured", "=", "1"),
            Relation("favoured / unfavoured", "=", "e^epsilon"),
            Relation("|B_{t+1} - B_t|", "=", "step"),
        ),
        over=("every data set", "every x_{n+1}"),
        note="Open in the print: the set of Proj (norm at most B_B is meant, from the proof of Theorem 4); mu (the proof's "
        "eta D / 2 for mu D suggests mu = eta/2); epsilon, which Theorem 3 replaces by a smaller per-step value while Theorem "
        "4 keeps it. The step length is taken from the data without noise. At g = 0 both halves are the whole sphere and the "
        "step is 0. Inside, decisions come from the smoothed loss, the output w*(c_hat) from the plain problem. Theorem 4 "
        "calls it Algorithm GP.",
    ),
]
