"""Gauge, gauge penalty and Lipschitz extension: the literal ones, homogeneity, equality inside, the constant, convexity."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.fast.algorithms.grid_walk import extension as fast
from dpsco.reference.algorithms.grid_walk import extension as literal
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.algorithms.grid_walk import extension as spec

NAMES = ("gauge", "gauge_penalty", "lipschitz_extension")
seeds = st.integers(0, 10**9)


def test_a_moved_argument_is_noticed():
    """Negative control."""
    problem = {"slopes": [[1.0, 0.0], [0.0, 0.5]], "intercepts": [0.0, 0.1], "rows": [[1.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]}
    problem |= {"bounds": [1.0, 1.0, 1.0], "lipschitz": 1.5, "theta": [2.0, 1.0]}
    found = fast.lipschitz_extension(**problem)
    assert error(spec.lipschitz_extension, literal.lipschitz_extension, problem, found) <= 8
    for moved in ({"lipschitz": 1.5 + 1e-12}, {"bounds": [1.0 + 1e-12, 1.0, 1.0]}, {"theta": [2.0, 1.0 + 1e-12]}):
        there = fast.lipschitz_extension(**{**problem, **moved})
        assert error(spec.lipschitz_extension, literal.lipschitz_extension, problem, there) > 8


def body(random: Random, d: int) -> dict[str, object]:
    return {name: np.array(value) for name, value in spec.any_polytope(random, d).items()}


@settings(max_examples=40)
@given(seed=seeds, factor=st.floats(1e-6, 1e6), d=st.integers(1, 12), radius=st.sampled_from([math.inf, 0.7]))
def test_gauge_is_homogeneous_and_one_on_the_rim(seed: int, factor: float, d: int, radius: float):
    random = Random(seed)
    rows, bounds = body(random, d).values()
    theta = np.array([random.gauss(0, 1) for _ in range(d)])
    psi = fast.gauge(rows, bounds, radius, theta)
    assert fast.gauge(rows, bounds, radius, factor * theta) == pytest.approx(factor * psi, rel=1e-12)
    assert fast.gauge(rows, bounds, radius, theta / psi) == pytest.approx(1, rel=1e-12)
    inside = theta / psi * 0.999
    assert np.all(rows @ inside < bounds)
    assert np.linalg.norm(inside) < radius
    assert fast.gauge_penalty(rows, bounds, radius, inside, 3.0) == 0
    assert fast.gauge_penalty(rows, bounds, radius, 3 * theta / psi, 0.5) == pytest.approx(1, rel=1e-12)


def problem_of(random: Random, d: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, float]:
    slopes = np.array([[random.gauss(0, 1) for _ in range(d)] for _ in range(random.randint(1, 4))])
    intercepts = np.array([random.gauss(0, 0.3) for _ in slopes])
    L = float(np.max(np.linalg.norm(slopes, axis=1))) * random.choice((1.0 + 1e-12, 1.5))
    return slopes, intercepts, *body(random, d).values(), L


@settings(max_examples=40)
@given(seed=seeds, d=st.integers(1, 12), share=st.floats(0, 1))
def test_extension_is_convex_lipschitz_and_equal_inside(seed: int, d: int, share: float):
    random = Random(seed)
    A, b, rows, bounds, L = problem_of(random, d)
    x, y = (np.array([random.gauss(0, random.choice((0.3, 3))) for _ in range(d)]) for _ in range(2))

    def f(at: np.ndarray) -> float:
        return fast.lipschitz_extension(A, b, rows, bounds, L, at)

    at_x, at_y = f(x), f(y)
    room = 1e-10 * (1 + L * (np.linalg.norm(x) + np.linalg.norm(y)))
    assert abs(at_x - at_y) <= L * np.linalg.norm(x - y) + room
    assert f(share * x + (1 - share) * y) <= share * at_x + (1 - share) * at_y + room
    inside = x / max(1.0, fast.gauge(rows, bounds, math.inf, x)) * 0.999
    assert f(inside) == float(max(A @ inside + b)) or f(inside) == pytest.approx(max(A @ inside + b), abs=1e-14)
    assert at_x <= max(A @ inside + b) + L * np.linalg.norm(x - inside) + room
    assert at_x >= max(A @ x + b) - room  # f itself is L-Lipschitz: no extension lies below it


def test_the_constant_is_attained_and_a_smaller_one_is_refused():
    """f = x on [-1, 1]: the extension is 1 + L (x - 1) beyond 1 and -1 + L |x + 1| below -1."""
    given_ = ([[1.0]], [0.0], [[1.0], [-1.0]], [1.0, 1.0])
    assert fast.lipschitz_extension(*given_, 2.0, [4.0]) == 7
    assert fast.lipschitz_extension(*given_, 2.0, [-4.0]) == 5
    m = mp(40)
    exact = [[[m.real(1)]], [m.real(0)], [[m.real(1)], [m.real(-1)]], [m.real(1)] * 2, m.real(2), [m.real(-4)]]
    assert literal.lipschitz_extension(m, *exact)[0] == 5
    with pytest.raises(ValueError, match="longest slope"):
        fast.lipschitz_extension(*given_, 0.9, [4.0])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"bounds": [1.0, 0.0]}, "positive"),
        ({"rows": [[1.0]]}, "rows"),
        ({"radius": 0.0}, "radius"),
        ({"theta": [math.nan]}, "theta"),
        ({"alpha": -1.0}, "alpha"),
    ],
)
def test_bad_input_is_named(change: dict[str, object], says: str):
    given_ = {"rows": [[1.0], [-1.0]], "bounds": [1.0, 1.0], "radius": math.inf, "theta": [0.5], "alpha": 1.0}
    with pytest.raises(ValueError, match=says):
        fast.gauge_penalty(**{**given_, **change})
