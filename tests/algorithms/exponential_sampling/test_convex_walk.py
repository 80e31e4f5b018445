"""Hit-and-run for convex losses: the literal walk, exact marginals, a broken rejection is seen, bilevel problems."""

import math
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.fast.algorithms.exponential_sampling import convex_walk as fast
from dpsco.fast.algorithms.exponential_sampling import diagnostics
from dpsco.fast.losses.bilevel.quadratic import Records, constants_of, problem

LEVELS = np.linspace(0, 1, 13)[1:-1]
STEPS = 3000
BALL = fast.ball(2, 0.9)
CUT = fast.Body(A=np.array([[1.0, 1.0], [-1.0, 0.5], [0.2, -1.0]]), b=np.array([0.5, 0.6, 0.7]), radius=0.9)


def exponent(x: np.ndarray) -> np.ndarray:
    """6 log(1 + e^(3x + y)) + 4 |x|^2 for points in the last axis."""
    z = 3 * x[..., 0] + x[..., 1]
    return 6 * np.logaddexp(0, z) + 4 * np.sum(x * x, axis=-1)


def loss(x: np.ndarray) -> tuple[float, np.ndarray]:
    share = 1 / (1 + math.exp(-3 * x[0] - x[1]))
    return float(exponent(x)), 6 * share * np.array([3.0, 1.0]) + 8 * x


def quantiles(body: fast.Body, of: object = exponent) -> np.ndarray:
    """Exact quantiles of both coordinates, by a fine grid."""
    axis = np.linspace(-1, 1, 1601)
    points = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1)
    inside = (np.linalg.norm(points, axis=-1) <= body.radius) & np.all(points @ body.A.T <= body.b, axis=-1)
    weight = np.where(inside, np.exp(-of(points)), 0.0)  # type: ignore[operator]
    found = []
    for j in range(2):
        below = np.cumsum(weight.sum(axis=1 - j))
        found.append(np.interp(LEVELS, below / below[-1], axis))
    return np.array(found)


def misfit(path: np.ndarray, edges: np.ndarray) -> float:
    """Largest standardised deviation of the counts below exact quantiles, by effective size."""
    worst = 0.0
    for j in range(2):
        for level, edge in zip(LEVELS, edges[j], strict=True):
            hit = (path[:, j] <= edge).astype(float)
            worst = max(worst, abs(hit.mean() - level) / math.sqrt(level * (1 - level) / diagnostics.effective_size(hit)))
    return worst


def run(body: fast.Body, coin: float = 1.0) -> np.ndarray:
    random = np.random.default_rng(4)
    pairs = ((random.random(2) * [1.0, coin] for _ in count()) for _ in count())
    return fast.steps(loss, body, np.zeros(2), random.normal(size=(STEPS, 2)), pairs)[20:]


@pytest.mark.parametrize("body", [BALL, CUT, fast.box([-0.5, -0.9], [0.8, 0.4])], ids=["ball", "cut", "box"])
def test_marginals_are_exact(body: fast.Body):
    """22 standardised counts: beyond 4.5 with probability below 10^-3 for a right walk."""
    path = run(body)
    assert misfit(path, quantiles(body)) < 4.5
    assert all(body.holds(x * (1 - 1e-12)) for x in path[::50])


def test_a_draw_that_skips_the_rejection_is_seen():
    """Negative control: every proposal of the hull is kept."""
    assert misfit(run(BALL, 0.0), quantiles(BALL)) > 8


def quadratic(sign: float) -> tuple[Records, object]:
    """Phi = <a, x> + sign |x|^2: y = x below, and y'Cy/2 above with C = 2 sign I."""
    eye, zero = np.eye(2)[None], np.zeros((1, 2))
    records = Records(a=np.array([[1.0, -0.5]]), b=zero, B=0 * eye, C=2 * sign * eye, H=eye, P=eye, q=zero)
    return records, problem(records, *constants_of(records, 1.0), 1.0)


def test_bilevel_problem_on_a_ball():
    _, bilevel = quadratic(1.0)
    random = np.random.default_rng(8)
    found = fast.of_problem(bilevel, 6.0, 0.5, BALL, np.zeros(2), random.normal(size=(STEPS // 2, 2)), random, 1e-9)
    assert 0 < found.log_error < 1e-6

    def exact(x: np.ndarray) -> np.ndarray:
        return 6 * (x[..., 0] - 0.5 * x[..., 1] + 1.25 * np.sum(x * x, axis=-1))

    assert misfit(found.path[20:], quantiles(BALL, exact)) < 4.5
    chains = [found.path[: STEPS // 4, 0], found.path[STEPS // 4 :, 0]]
    assert diagnostics.split_r_hat(chains) < 1.05
    with pytest.raises(ValueError, match="no proved distance"):
        diagnostics.certified(found)


def test_a_loss_that_is_not_convex_is_refused():
    _, bilevel = quadratic(-1.0)
    random = np.random.default_rng(8)
    with pytest.raises(ValueError, match="convex"):
        fast.of_problem(bilevel, 20.0, 0.0, BALL, np.zeros(2), random.normal(size=(50, 2)), random)


@settings(max_examples=60)
@given(seed=st.integers(0, 10**9), d=st.integers(1, 6))
def test_chords_end_on_the_rim(seed: int, d: int):
    random = np.random.default_rng(seed)
    body = fast.Body(A=random.normal(size=(d, d)), b=random.uniform(0.1, 1, d), radius=float(random.uniform(0.1, 3)))
    x, v = np.zeros(d), random.normal(size=d)
    x = body.chord(x, v)[1] * 0.7 * v
    v = random.normal(size=d)
    for t in body.chord(x, v):
        end = x + t * v
        assert body.holds(x + 0.999999 * t * v)
        rim = max(float(np.max(body.A @ end - body.b)), float(np.linalg.norm(end)) - body.radius)
        assert abs(rim) < 1e-12


@pytest.mark.parametrize(
    ("body", "start", "direction", "says"),
    [
        (BALL, [1.0, 0.0], [1.0, 0.0], "start lies"),
        (BALL, [0.0], [1.0], "one d"),
        (BALL, [0.0, 0.0], [0.0, 0.0], "zero"),
        (fast.Body(A=np.array([[1.0, 0.0]]), b=np.ones(1)), [0.0, 0.0], [1.0, 0.0], "without end"),
    ],
)
def test_bad_input_is_named(body: fast.Body, start: list[float], direction: list[float], says: str):
    with pytest.raises(ValueError, match=says):
        fast.steps(loss, body, start, [direction], iter([[(0.5, 0.5)]]))
    with pytest.raises(ValueError, match="not enough"):
        fast.steps(loss, BALL, [0.0, 0.0], [[1.0, 0.0]], iter([[]]))
    with pytest.raises(ValueError, match="radius"):
        fast.ball(2, 0.0)
