"""Exponential descent: the literal algorithm against its definition, the kernel against the literal algorithm."""

import math
from dataclasses import replace
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.fast.algorithms.exponential_descent import algorithm as fast
from dpsco.judges.algorithms.exponential_descent.algorithm import JUDGES
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, with_formula
from dpsco.reference.algorithms.exponential_descent import algorithm as reference
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.algorithms.exponential_descent import algorithm as spec
from dpsco.spec.claim import Relation
from dpsco.spec.losses.spo.smoothing import smoothed_integrand
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold

BUDGET = {"descend": 4.0, "predict": 4.0, "decide": 4.0}
"""In each contract's metric; the recorded maxima over wider runs are in the budgets."""
PAIRS = [(fast.descend, reference.descend, spec.descend), (fast.predict, reference.predict, spec.predict)]
PAIRS += [(fast.decide, reference.decide, spec.decide)]
IDS = ["descend", "predict", "decide"]
CASE = {
    "shape": "ball",
    "costs": [[1.0, -2.0], [0.5, 0.3]],
    "features": [[0.7], [-1.1]],
    "normals": [[0.3, -0.8], [1.2, 0.4], [-0.5, 0.9]],
    "uniforms": [0.1, 0.95, 0.5],
    "epsilon": 1.0,
    "eta": 0.05,
    "mu": 1.0,
    "radius": 1.0,
    "public_norm": 0.0,
}


@pytest.mark.parametrize("problem", spec.descend.hard)
def test_fast_matches_reference_on_hard_problems(problem):
    assert error(spec.descend, reference.descend, problem, fast.descend(**problem)) <= BUDGET["descend"]


@pytest.mark.parametrize(
    "moved",
    [{"eta": 0.05 * (1 + 1e-13)}, {"uniforms": [0.8, 0.95, 0.5]}, {"public_norm": 1.0}, {"mu": 1.001}, {"shape": "box"}],
)
def test_a_moved_argument_is_noticed(moved):
    assert error(spec.descend, reference.descend, CASE, fast.descend(**CASE)) <= BUDGET["descend"]
    assert error(spec.descend, reference.descend, CASE, fast.descend(**{**CASE, **moved})) > BUDGET["descend"]


@pytest.mark.parametrize("shape", spec.SHAPES)
def test_gradient_is_the_derivative_of_the_smoothed_loss(shape):
    """The definition: a maximum over S, found here by bisection of the derivative's direction, not by projection."""
    m = mp(40)
    costs = [[m.real("0.4"), m.real(-3)], [m.real("0.9"), m.real("0.2")]]
    features, mu, radius = [[m.real("0.7")], [m.real(-2)]], m.real(2), m.real("0.8")

    def loss(*B):
        total = m.real(0)
        for c, x in zip(costs, features, strict=True):
            predicted, best = [b * x[0] for b in B], reference.decide(m, shape, c, radius)
            total += max(
                smoothed_integrand(m, mu, c, predicted, w, best) for w in candidates(m, shape, c, predicted, mu, radius)
            )
        return total / len(costs)

    B = [m.real("0.3"), m.real("-0.6")]
    g = reference.gradient(m, shape, costs, features, mu, radius, B)
    for j, order in enumerate(((1, 0), (0, 1))):
        assert abs(m.mp.diff(loss, tuple(B), order) - g[j]) < m.real("1e-12")


def candidates(m, shape, c, predicted, mu, radius):
    """Stationary points of the concave quadratic inside S and on its boundary: the maximiser is one of them."""
    free = [(a - 2 * b) / mu for a, b in zip(c, predicted, strict=True)]
    size = m.sqrt(sum(x * x for x in free))
    if shape == "ball":
        return [free] if size <= radius else [[radius * x / size for x in free]]
    ends = [(x,) if abs(x) <= radius else (-radius, radius) for x in free]
    return [[a, b] for a in ends[0] for b in ends[1]]


@pytest.mark.parametrize("shape", spec.SHAPES)
def test_projection_is_the_nearest_point(shape):
    m, random = mp(30), Random(4)
    for _ in range(20):
        w = [m.real(random.gauss(0, 2)) for _ in range(3)]
        at = reference.projected(m, shape, w, m.real(1))
        near = m.norm([a - b for a, b in zip(w, at, strict=True)])
        for _ in range(20):
            other = reference.projected(m, shape, [m.real(random.gauss(0, 1)) for _ in range(3)], m.real(1))
            assert m.norm([a - b for a, b in zip(w, other, strict=True)]) >= near - m.real("1e-25")


@given(st.integers(0, 10**9))
def test_directions_are_unit_vectors_on_the_side_drawn(seed):
    m, random = mp(30), Random(seed)
    normals, g = ([m.real(random.gauss(0, 1)) for _ in range(4)] for _ in range(2))
    for along in (True, False):
        v = reference.turned(m, normals, g, along)
        assert abs(m.norm(v) - 1) < m.real("1e-25")
        assert m.dot(v, g) >= 0 if along else m.dot(v, g) <= 0
        assert v in ([z / m.norm(normals) for z in normals], [-z / m.norm(normals) for z in normals])


def test_share_of_favoured_draws_is_the_printed_one():
    """Uniforms on a fine grid: the share with a step against the gradient, to the grid's width."""
    for epsilon in (0.1, 1.0, 5.0):
        grid = [(k + 0.5) / 2000 for k in range(2000)]
        problem = {**CASE, "costs": [[5.0, 0.0]], "features": [[1.0]], "epsilon": epsilon}
        found = [fast.descend(**{**problem, "normals": [[0.3, -0.8]], "uniforms": [u]})[1] for u in grid]
        # the gradient is (-4, 0): the favoured direction has a negative first entry, the step the opposite
        share = sum(B[0] > 0 for B in found) / len(found)
        assert abs(share - math.exp(epsilon) / (math.exp(epsilon) + 1)) <= 1 / 2000


@pytest.mark.parametrize("public_norm", [0.0, 2.5])
def test_steps_have_the_length_of_the_gradient_or_a_public_one(public_norm):
    m = mp(40)
    problem = {**CASE, "public_norm": public_norm}
    promoted = {name: value for name, value in problem.items() if name not in ("shape",)}
    given_ = {name: _promote(m, value) for name, value in promoted.items()}
    found, _ = reference.descend(m, problem["shape"], **given_)
    for before, after in pairwise(found):
        g = reference.gradient(m, "ball", given_["costs"], given_["features"], m.real(1), m.real(1), before)
        moved = m.norm([a - b for a, b in zip(after, before, strict=True)])
        wanted = given_["eta"] * (m.real(public_norm) if public_norm else m.norm(g))
        assert abs(moved - wanted) < m.real("1e-35")
        assert public_norm == 0 or abs(m.norm(g) - public_norm) > 1e-3


def _promote(m, value):
    return [_promote(m, part) for part in value] if isinstance(value, list) else m.real(value)


@pytest.mark.parametrize("shape", spec.SHAPES)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=4))
def test_decisions_cost_least(shape, cost):
    m = mp(30)
    w = reference.decide(m, shape, [m.real(c) for c in cost], m.real(2))
    exact = [m.real(c) for c in cost]
    least = -2 * (m.norm(exact) if shape == "ball" else sum((abs(c) for c in exact), start=m.real(0)))
    assert abs(m.dot(exact, w) - least) <= abs(least) * m.real("1e-25")
    assert all(x == 0 for x, c in zip(w, cost, strict=True) if c == 0 and shape == "box")


def test_a_cost_of_zero_has_the_decision_of_least_norm():
    for shape in spec.SHAPES:
        assert reference.decide(mp(), shape, [mp().real(0)] * 2, mp().real(1)) == [0, 0]
        assert list(fast.decide(shape, [0.0, -0.0], 1.0)) == [0.0, 0.0]


def test_prediction_averages_and_projects():
    m = mp(30)
    inside, _ = reference.predict(m, [[m.real(0)] * 2, [m.real(3), m.real(4)]], [m.real(2)], m.real(100))
    outside, _ = reference.predict(m, [[m.real(0)] * 2, [m.real(3), m.real(4)]], [m.real(2)], m.real(1))
    assert inside == [3, 4]
    assert max(abs(a - b) for a, b in zip(outside, [m.real("1.2"), m.real("1.6")], strict=True)) < m.real("1e-25")


def test_the_line_is_exact_in_ball_arithmetic():
    m = arb(128)
    B = reference.iterates(m, "box", [[m.real(7)]], [[m.real(2)]], m.real(1), m.real(1), 2, lambda norm: norm, lambda t, g: [1])
    assert [float(b[0].mid()) for b in B] == [0, -8, -16]
    assert all(b[0].rad() == 0 for b in B)


@pytest.mark.parametrize("kernel", [fast.descend, lambda **given: reference.descend(mp(), **given)])
def test_an_unknown_set_is_refused(kernel):
    with pytest.raises(ValueError, match="shape='simplex': must be one of ball, box"):
        kernel(**{**CASE, "shape": "simplex"})


def test_given_noise_is_all_the_randomness():
    assert np.array_equal(fast.descend(**CASE), fast.descend(**CASE))
    assert not np.array_equal(fast.descend(**CASE), fast.descend(**{**CASE, "normals": [[0.3, -0.8], [1.2, 0.4], [0.5, 0.9]]}))


def test_text_is_certified_and_its_mutants_die():
    found = judge("spo/alg-1")
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == 10
    assert set(found.mutants) == {Fate.KILLED, Fate.TRUE}
    assert len(found.mutants[Fate.TRUE]) == 2


@pytest.mark.parametrize(
    ("f", "u"),
    [
        (lambda m, epsilon: m.real(2), None),
        (lambda m, epsilon: m.exp(2 * epsilon) / (m.exp(epsilon) + 1), None),
        (find("spo/alg-1").formulas["unfavoured"], find("spo/alg-1").formulas["favoured"]),
        # a law, and private for 2 epsilon only; e^epsilon to 1, and no law
        (lambda m, epsilon: 1 - m.exp(-epsilon) / 2, lambda m, epsilon: m.exp(-epsilon) / 2),
        (lambda m, epsilon: m.exp(epsilon), lambda m, epsilon: m.real(1)),
    ],
)
def test_the_text_s_odds_are_read(f, u):
    claim = with_formula(find("spo/alg-1"), "favoured", f)
    moved = claim if u is None else with_formula(claim, "unfavoured", u)
    assert fold(decided(moved, JUDGES["spo/alg-1"])) is Verdict.REFUTED


def test_judge_of_the_text_reads_it():
    claim = find("spo/alg-1")
    other = replace(claim, asserts=(Relation("|B_{t+1} - B_t|", "<=", "step"),))
    assert fold(decided(other, JUDGES["spo/alg-1"])) is Verdict.OPEN
    # true up to the instances tried, and no proof
    close = with_formula(claim, "step", lambda m, eta, gradient_norm: eta * m.min(gradient_norm, m.real(10**6)))
    assert fold(decided(close, JUDGES["spo/alg-1"])) is Verdict.OPEN
