"""Algorithm 1 run: literal against fast with inner errors given, the solver's guarantee, the plan, refusals, the text."""

import math
from itertools import pairwise

import numpy as np
import pytest

from dpsco.fast.algorithms.bilevel_descent import algorithm as fast
from dpsco.fast.losses.bilevel import logistic
from dpsco.fast.losses.bilevel.problem import Problem, hypergradient, objective, solve
from dpsco.fast.losses.bilevel.quadratic import hard_instance
from dpsco.judging import judge
from dpsco.mutant import Fate
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.algorithms.bilevel_descent import algorithm as reference
from dpsco.reference.losses.bilevel import logistic as exact
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.algorithms.bilevel_descent import algorithm as spec
from dpsco.verdict import Verdict

BUDGET = 8.0
CASE = {
    "x_0": [0.5, -1.0],
    "a": [[1.0, 0.0], [0.5, 2.0]],
    "b": [[0.3], [-0.7]],
    "B": [[[0.2], [0.1]], [[-0.4], [0.3]]],
    "C": [[[0.5]], [[-1.0]]],
    "H": [[[1.0]], [[3.0]]],
    "P": [[[0.5, -0.25]], [[1.0, 0.75]]],
    "q": [[0.1], [0.2]],
    "eta": 0.1,
    "sigma": 0.7,
    "normals": [[0.3, -0.8], [1.2, 0.4]],
    "errors": [[0.05], [-0.1]],
}
DATA = (
    [[0.6, -0.3], [-0.2, 0.7], [0.1, 0.5]],
    [1.0, -1.0, 1.0],
    [[0.4, 0.4], [-0.5, 0.2], [0.3, -0.6]],
    [1.0, -1.0, -1.0],
)


def selection(n: int, d: int, seed: int = 1) -> Problem:
    rng = np.random.default_rng(seed)
    A, C, w = rng.normal(size=(n, d)) / math.sqrt(d), rng.normal(size=(n, d)) / math.sqrt(d), rng.normal(size=d)
    b, e = np.sign(A @ w + 0.1 * rng.normal(size=n)), np.sign(C @ w + 0.1 * rng.normal(size=n))
    return logistic.problem(A, b, C, e, np.arange(d), 1.0, 0.1, 1.0)


@pytest.mark.parametrize("name", ["eta", "sigma"])
def test_a_moved_argument_is_noticed(name: str):
    assert error(spec.iterates, reference.iterates, CASE, fast.iterates(**CASE)) <= BUDGET
    moved = {**CASE, name: CASE[name] * (1 + 1e-12)}  # type: ignore[operator]
    assert error(spec.iterates, reference.iterates, CASE, fast.iterates(**moved)) > BUDGET


def test_inner_errors_reach_the_iterates():
    still = {**CASE, "errors": [[0.0], [0.0]]}
    moved = np.max(np.abs(fast.iterates(**CASE) - fast.iterates(**still)))
    assert 1e-4 < moved < 1


def test_solver_keeps_its_accuracy_along_a_run():
    """Logistic selection: fast with alpha = 1e-6 against the exact lower minimisers at 40 digits."""
    p, m = logistic.problem(*DATA, [0, 1], 1.0, 0.1, 1.0), mp(40)
    normals = np.random.default_rng(4).standard_normal((5, 2))
    path = fast.descend(p, [0.0, 1.0], np.zeros(2), normals, 0.5, 1e-6, 0.1)
    ideal = exact.problem(m, *DATA, [0, 1], 0.1, 1.0)
    noise = [[m.real(0.1) * m.real(t) for t in row] for row in normals.tolist()]
    lower = reference.exact_lower(m, ideal, m.real("1e-25"))
    literal = reference.descend(m, ideal, [m.real(0), m.real(1)], lower, m.real(0.5), noise)
    off = max(abs(float(a) - b) for row, x in zip(literal, path.tolist(), strict=True) for a, b in zip(row, x, strict=True))
    assert off <= 5 * 0.5 * 2 * p.constants.C * 1e-6
    y, proved = solve(p, path[-1], np.zeros(2), 1e-6)
    assert proved <= 1e-6
    last = [m.real(t) for t in path[-1].tolist()]
    truth = lower(0, last)
    assert m.norm([m.real(t) - s for t, s in zip(y.tolist(), truth, strict=True)]) <= m.real(1e-6)


def test_descent_without_noise_goes_down():
    p = selection(200, 4)
    path = fast.descend(p, np.zeros(4), np.zeros(4), np.zeros((60, 4)), 0.5, 1e-9, 0.0)
    values = [objective(p, x, np.zeros(4), 1e-9)[0] for x in path[::10]]
    assert all(later < earlier - 1e-7 for earlier, later in pairwise(values))
    up = fast.descend(p, np.zeros(4), np.zeros(4), np.zeros((1, 4)), 0.5, 1e-9, 0.0)
    assert np.allclose(up[1], -0.5 * hypergradient(p, np.zeros(4), solve(p, np.zeros(4), np.zeros(4), 1e-9)[0]), atol=1e-7)


def test_plan_is_private_and_within_its_bound():
    """The planned noise by quadrature at the proved sensitivity 3K/n; the bound covers runs."""
    p = selection(50, 2)
    run = fast.plan(p, 2.0, 0.01, 1e9)
    assert run.steps > 1
    m = mp(40)
    mu = m.sqrt(m.real(run.steps)) * 3 * m.real(p.constants.K) / 50 / m.real(run.sigma)
    assert hockey_stick(mu, m.real(2)) <= m.real("0.01")
    assert run.alpha <= p.constants.K / (50 * p.constants.C)
    assert 2 * run.eta * p.constants.beta_Phi <= 1
    assert fast.plan(p, 2.0, 0.01, 1e-9).steps == 1
    assert run.bound >= p.constants.L_bar  # such data are too few: the bound is no better than what holds everywhere


def test_released_point_is_one_of_the_first():
    path = np.arange(8.0).reshape(4, 2)
    assert fast.released(path, 2).tolist() == [4.0, 5.0]
    assert fast.released(path[:1], 0).tolist() == [0.0, 1.0]
    with pytest.raises(ValueError, match="index"):
        fast.released(path, 3)


@pytest.mark.parametrize(
    ("moved", "said"),
    [
        ({"eta": 0.0}, "eta"),
        ({"alpha": -1.0}, "alpha"),
        ({"alpha": 1e-30}, "accuracy"),
        ({"sigma": float("nan")}, "sigma"),
        ({"normals": [[1.0]]}, "normals"),
        ({"x_0": [1.0]}, "x_0"),
        ({"start": [9.0, 9.0]}, "start"),
    ],
)
def test_bad_runs_are_refused(moved: dict[str, object], said: str):
    p = logistic.problem(*DATA, [0, 1], 1.0, 0.1, 1.0)
    case = {"x_0": [0.0, 0.0], "start": [0.0, 0.0], "normals": [[1.0, 1.0]], "eta": 0.1, "alpha": 1e-6, "sigma": 1.0, **moved}
    with pytest.raises(ValueError, match=said):
        fast.descend(p, **case)


@pytest.mark.parametrize(
    ("moved", "said"), [({"epsilon": 0.0}, "epsilon"), ({"delta": 1.0}, "delta"), ({"gap_bound": 1e300}, "gap")]
)
def test_bad_plans_are_refused(moved: dict[str, float], said: str):
    with pytest.raises(ValueError, match=said):
        fast.plan(selection(5, 2), **{"epsilon": 1.0, "delta": 0.1, "gap_bound": 1.0, **moved})


def test_constants_on_a_ball_make_no_plan():
    with pytest.raises(ValueError, match="x_radius"):
        fast.plan(hard_instance([[1.0]], 1.0, 1.0, 1.0, 1.0), 1.0, 0.1, 1.0)


@pytest.mark.parametrize(
    ("moved", "said"), [({"errors": [[0.0]]}, "errors"), ({"x_0": [1.0]}, "x_0"), ({"H": [[[0.0]], [[0.0]]]}, "G_yy")]
)
def test_bad_records_are_refused(moved: dict[str, object], said: str):
    with pytest.raises(ValueError, match=said):
        fast.iterates(**{**CASE, **moved})


def test_text_is_stated_and_its_query_certified_beside():
    found = judge("bilevel/alg-1")
    assert found.verdict is Verdict.STATED
    assert [f.scope for f in found.findings if f.verdict is Verdict.CERTIFIED and "d_x and d_y arbitrary" in f.scope]
    assert len(found.mutants[Fate.KILLED]) == 4
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(found.mutants)


def test_query_is_the_gradient_in_several_dimensions():
    """F quadratic, G = y'Ay/2 + x'By with A, B that do not commute: F_x - B A^-1 F_y against differences of Phi."""
    rng = np.random.default_rng(11)
    root, B, P, Q, x = (rng.normal(size=shape) for shape in ((3, 3), (3, 3), (3, 3), (3, 3), (3,)))
    A = root @ root.T + np.eye(3)

    def lower(x: np.ndarray) -> np.ndarray:
        return -np.linalg.solve(A, B.T @ x)

    def phi(x: np.ndarray) -> float:
        y = lower(x)
        return float(x @ P @ x + x @ Q @ y + y @ y)

    y = lower(x)
    F_x, F_y = (P + P.T) @ x + Q @ y, Q.T @ x + 2 * y
    h = 1e-5
    slopes = [(phi(x + h * e) - phi(x - h * e)) / (2 * h) for e in np.eye(3)]
    assert np.allclose(F_x - B @ np.linalg.solve(A, F_y), slopes, atol=1e-6)
    assert not np.allclose(F_x - np.linalg.solve(A, B @ F_y), slopes, atol=1e-3)  # the other order of the factors
