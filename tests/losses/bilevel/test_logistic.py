"""Penalties of logistic regression selected on a validation loss: gradients, trained models, constants, bad input."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from dpsco.fast.losses.bilevel import logistic as fast
from dpsco.fast.losses.bilevel.assumptions import sampled_violation
from dpsco.fast.losses.bilevel.problem import hypergradient, solve
from dpsco.reference.losses.bilevel import logistic as reference
from dpsco.reference.losses.bilevel.problem import minimiser, objective
from dpsco.reference.numbers.mp import mp
from dpsco.spec.losses.bilevel import logistic as spec
from dpsco.spec.losses.bilevel import selection

ORDER = ("A", "b", "C", "e", "groups", "bound", "low", "high")


def arrays(given):
    return {name: np.array(value) if isinstance(value, list) else value for name, value in given.items()}


def problem(seed: int):
    given = arrays(spec.any_records(Random(seed)))
    return fast.problem(*(given[name] for name in ORDER)), given


@pytest.mark.parametrize("seed", [1, 5])
def test_the_gradient_is_that_of_the_objective(seed: int):
    """At 40 digits: the hypergradient at the exact minimiser against differences of Phi."""
    given = spec.any_records(Random(seed))
    m = mp(60)
    exact = reference.problem(m, *(given[name] for name in ORDER if name != "bound"))
    x, small, h = [m.real(t) for t in given["x"]], m.real("1e-50"), m.real("1e-15")
    y = minimiser(m, exact, x, small)
    assert m.norm(y) <= spec.radius(m, bound=m.real(given["bound"]), low=m.real(given["low"]))
    fast_problem, inputs = problem(seed)
    found = hypergradient(fast_problem, inputs["x"], np.array([float(t) for t in y]))
    for k in range(len(x)):
        high, low = ([t + s * h * (j == k) for j, t in enumerate(x)] for s in (1, -1))
        difference = (objective(m, exact, high, small) - objective(m, exact, low, small)) / (2 * h)
        assert abs(difference - m.real(found[k])) <= m.real("1e-9") * (abs(difference) + m.real("1e-3"))


@pytest.mark.parametrize("seed", range(10))
def test_no_violation_of_the_constants_is_found(seed: int):
    assert sampled_violation(problem(seed)[0], np.random.default_rng(seed), 6, 3.0) is None


def test_strong_convexity_that_is_not_there_is_found():
    given, _ = problem(3)
    more = replace(given, constants=replace(given.constants, mu_g=given.constants.beta_gyy))
    violation = sampled_violation(more, np.random.default_rng(0), 20)
    assert violation is not None
    assert violation.constant == "mu_g"


def test_a_wrong_derivative_is_found():
    given, _ = problem(3)
    one = given.of_record
    assert one is not None
    wrong = replace(given, of_record=lambda i: replace(one(i), lower_xy=lambda x, y, v: -one(i).lower_xy(x, y, v)))
    violation = sampled_violation(wrong, np.random.default_rng(0), 20)
    assert violation is not None
    assert violation.constant == "lower_xy"
    with pytest.raises(ValueError, match="of_record"):
        sampled_violation(replace(given, of_record=None), np.random.default_rng(0), 1)


def test_penalties_stay_in_their_interval_for_every_x():
    given, inputs = problem(3)
    for x in (-1e6, -40.0, 0.0, 40.0, 1e6):
        H = given.lower_yy(np.full(given.d_x, x), np.zeros(given.d_y))
        plain = given.lower_yy(np.full(given.d_x, -1e6), np.zeros(given.d_y))
        added = np.diag(H - plain) + inputs["low"]
        assert np.all(added >= inputs["low"] * (1 - 1e-9))
        assert np.all(added <= inputs["high"] * (1 + 1e-9))
    m = mp(40)
    low, high = m.real(inputs["low"]), m.real(inputs["high"])
    for x in map(m.real, ("-7", "-1", "0", "0.5", "3", "9")):
        step = m.real("1e-12")
        difference = (
            selection.penalty(m, x=x + step, low=low, high=high) - selection.penalty(m, x=x - step, low=low, high=high)
        ) / (2 * step)
        slope = selection.penalty_slope(m, x=x, low=low, high=high)
        assert abs(difference - slope) <= m.real("1e-15")
        assert slope <= selection.steepest_penalty(m, low=low, high=high)
        bend = (
            selection.penalty_slope(m, x=x + step, low=low, high=high)
            - selection.penalty_slope(m, x=x - step, low=low, high=high)
        ) / (2 * step)
        assert abs(bend) <= selection.largest_bend(m, low=low, high=high)


def test_long_rows_are_shortened():
    given, inputs = problem(4)
    longer = fast.problem(*(inputs[n] * 1e6 if n in ("A", "C") else inputs[n] for n in ORDER))
    y = np.full(given.d_y, longer.radius / given.d_y)
    assert np.linalg.norm(longer.upper_y(np.zeros(longer.d_x), y)) <= longer.constants.L_fy
    assert sampled_violation(longer, np.random.default_rng(0), 10) is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"b": np.array([0.5])}, "must be 1 or -1"),
        ({"A": np.array([[np.nan, 0.0]])}, "must be finite"),
        ({"A": np.ones((2, 2))}, "n x d_y with n outcomes"),
        ({"C": np.ones((1, 3))}, "C has shape"),
        ({"groups": np.array([0])}, "one integer for each"),
        ({"groups": np.array([0, 2])}, "numbered 0, 1"),
        ({"groups": np.array([0.0, 1.0])}, "one integer for each"),
        ({"low": 0.0}, "low=0.0"),
        ({"low": 2.0}, "low=2.0"),
        ({"high": np.inf}, "high=inf"),
        ({"bound": 0.0}, "bound=0.0"),
    ],
)
def test_bad_input_is_named(changes, said):
    good = {
        "A": np.ones((1, 2)),
        "b": np.ones(1),
        "C": np.ones((1, 2)),
        "e": np.ones(1),
        "groups": np.array([0, 1]),
        "bound": 2.0,
        "low": 0.1,
        "high": 1.0,
    }
    with pytest.raises(ValueError, match=said):
        fast.problem(*((good | changes)[name] for name in ORDER))


def test_one_record_and_large_outcomes_of_the_loss():
    """n = 1, a row of zeros, predictions beyond the exponential's range."""
    given = fast.problem([[0.0]], [1.0], [[1.0]], [-1.0], [0], 1.0, 1.0, 1.0)
    y, _ = solve(given, [0.0], [0.0], 1e-9)
    assert abs(y[0]) <= 1e-9
    far = fast.problem([[1e3]], [1.0], [[1e3]], [-1.0], [0], 1e3, 1e-3, 1.0)
    assert far.upper(np.zeros(1), np.array([1e3])) == pytest.approx(1e6)
    assert far.upper_y(np.zeros(1), np.array([-1e3]))[0] == pytest.approx(0.0)
