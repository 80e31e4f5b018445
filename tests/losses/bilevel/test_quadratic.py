"""Quadratic bilevel problems: exact rational gradients, the lower solver's proof of accuracy, the hard instance, bad input."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.fast.losses.bilevel import quadratic as fast
from dpsco.fast.losses.bilevel.problem import Constants, Problem, from_records, hypergradient, objective, solve
from dpsco.reference.losses.bilevel import quadratic as reference
from dpsco.reference.losses.bilevel.problem import hypergradient as exact_hypergradient
from dpsco.reference.losses.bilevel.problem import minimiser
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.losses.bilevel import quadratic as spec

LARGEST_ERROR = 16.0
SIMPLE = Constants(L_fx=1.0, L_fy=1.0, L_gy=2.0, mu_g=1.0, beta_gyy=1.0, beta_gxy=1.0)


def records(seed: int) -> fast.Records:
    parts = spec.any_records(Random(seed))
    return fast.Records(*(parts[name] for name in spec.NAMES))


def solved(A, v):
    """x with A x = v by elimination in fractions."""
    rows = [[*row, t] for row, t in zip(A, v, strict=True)]
    for k in range(len(rows)):
        pivot = next(i for i in range(k, len(rows)) if rows[i][k] != 0)
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        rows = [row if i == k else [x - row[k] * z for x, z in zip(row, rows[k], strict=True)] for i, row in enumerate(rows)]
    return [row[-1] for row in rows]


def rational_gradient(parts):
    """grad Phi_Z in fractions: Phi_Z is a quadratic in x, so central differences of step 1 are exact."""

    def mean(name):
        entries = np.array([np.vectorize(Fraction, otypes=[object])(np.array(one)) for one in parts[name]])
        return entries.sum(axis=0) / Fraction(len(entries))

    a, b, B, C, H, P, q = (mean(name) for name in spec.NAMES)
    x = np.array([Fraction(t) for t in parts["x"]])

    def phi(x):
        y = np.array(solved(H.tolist(), (P.dot(x) + q).tolist()))
        return a.dot(x) + b.dot(y) + x.dot(B.dot(y)) + y.dot(C.dot(y)) / 2

    unit = [np.array([Fraction(int(i == k)) for i in range(len(x))]) for k in range(len(x))]
    return [(phi(x + e) - phi(x - e)) / 2 for e in unit]


@pytest.mark.parametrize("seed", range(12))
def test_reference_is_the_rational_gradient_and_fast_follows(seed: int):
    parts = spec.any_records(Random(seed))
    m = mp(60)
    (_, gradient), _ = reference.objective_gradient(m, **parts)
    for found, true in zip(gradient, rational_gradient(parts), strict=True):
        assert abs(found - m.real(true)) <= abs(m.real(true)) * m.real("1e-45") + m.real("1e-45")
    answer = fast.objective_gradient(*map(np.array, parts.values()))
    assert error(spec.objective_gradient, reference.objective_gradient, parts, answer) <= LARGEST_ERROR
    moved = (answer[0], answer[1] * (1 + 1e-9) + 1e-12)
    assert error(spec.objective_gradient, reference.objective_gradient, parts, moved) > LARGEST_ERROR


@pytest.mark.parametrize("seed", range(4))
def test_the_reference_problem_gives_the_same(seed: int):
    parts = spec.any_records(Random(seed))
    m = mp(40)
    problem = reference.problem(m, *(parts[name] for name in spec.NAMES))
    x = [m.real(t) for t in parts["x"]]
    y = minimiser(m, problem, x, m.real("1e-30"))
    (exact, gradient), _ = reference.objective_gradient(m, **parts)
    assert m.norm([s - t for s, t in zip(y, exact, strict=True)]) < m.real("1e-25")
    found = exact_hypergradient(m, problem, x, y)
    assert m.norm([s - t for s, t in zip(found, gradient, strict=True)]) < m.real("1e-20")


@given(st.integers(0, 10**6), st.floats(-6, 0))
@settings(max_examples=30)
def test_the_lower_solver_proves_its_accuracy(seed: int, digits: float):
    universe = records(seed)
    constants, radius = fast.constants_of(universe, 3.0)
    problem = fast.problem(universe, constants, radius, 3.0)
    x, accuracy = np.full(problem.d_x, 0.5), 10.0**digits
    y, error = solve(problem, x, np.zeros(problem.d_y), accuracy)
    exact = np.linalg.solve(problem.lower_yy(x, y), -problem.lower_y(x, np.zeros(problem.d_y)))
    assert np.linalg.norm(y - exact) <= error <= accuracy
    gradient, true = hypergradient(problem, x, y), hypergradient(problem, x, exact)
    assert np.linalg.norm(gradient - true) <= constants.C * error + 1e-10 * (1 + np.linalg.norm(true))
    value, off = objective(problem, x, y, accuracy)
    assert abs(value - problem.upper(x, exact)) <= off + 1e-10 * (1 + abs(value))


def test_many_dimensions_take_gradient_steps():
    d = 210
    curved = np.linspace(1.0, 50.0, d)
    zeros = np.zeros((1, d))
    given = fast.Records(
        np.zeros((1, 1)),
        zeros + 1.0,
        np.zeros((1, 1, d)),
        np.zeros((1, d, d)),
        np.diag(curved)[None],
        np.ones((1, d, 1)),
        zeros,
    )
    constants, radius = fast.constants_of(given, 1.0)
    problem = fast.problem(given, constants, radius, 1.0)
    y, error = solve(problem, np.array([0.5]), np.zeros(d), 1e-6)
    assert np.linalg.norm(y - 0.5 / curved) <= error <= 1e-6


@pytest.mark.parametrize("d", [1, 2, 9, 16])
def test_the_hard_instance_is_linear(d: int):
    z = np.sign(np.random.default_rng(d).normal(size=(7, d))) / np.sqrt(d)
    problem = fast.hard_instance(z, 2.0, 3.0, 1.5, 4.0)
    x = np.full(d, 0.3 / np.sqrt(d))
    y, error = solve(problem, x, np.zeros(d), 1e-9)
    assert np.linalg.norm(y - 4.0 / 1.5 * x) <= error
    assert np.allclose(hypergradient(problem, x, y), -2.0 * 4.0 / 1.5 * z.mean(axis=0), atol=1e-12)
    c = problem.constants
    assert (c.beta_fxx, c.beta_fxy, c.beta_fyy, c.M_gxy, c.M_gyy, c.C_gxy, c.C_gyy) == (0.0,) * 7
    assert np.allclose((c.L_fx, c.L_fy, c.L_gy, c.mu_g, c.beta_gxy, problem.radius), (0.0, 2.0, 24.0, 3.0, 8.0, 4.0))
    assert c.L_gy >= 2 * 3.0 * 4.0  # on radii: twice mu_g D_y, not mu_g D_y


def own(**changes) -> Problem:
    """One record, f = x y, g = (y - x)^2/2, with some function replaced."""
    one = np.ones((1, 1))
    given = {
        "f": lambda x, y, i: float(x[0] * y[0]),
        "f_x": lambda x, y, i: y,
        "f_y": lambda x, y, i: x,
        "g": lambda x, y, i: float((y[0] - x[0]) ** 2 / 2),
        "g_y": lambda x, y, i: y - x,
        "g_yy": lambda x, y, i: one,
        "g_xy": lambda x, y, i: -one,
    } | changes
    return from_records(3, 1, 1, SIMPLE, 1.0, x_radius=1.0, **given)


def test_functions_of_ones_own():
    problem = own()
    y, _ = solve(problem, [0.25], [0.0], 1e-9)
    assert np.allclose(y, 0.25)
    assert np.allclose(hypergradient(problem, [0.25], y), 0.5)


@pytest.mark.parametrize(
    ("name", "function", "said"),
    [
        ("g_y", lambda x, y, i: y * np.nan, "lower_y gave"),
        ("g_yy", lambda x, y, i: np.full((1, 1), np.inf), "lower_yy gave"),
        ("g_y", lambda x, y, i: np.ones(2), "must be finite, of shape"),
        ("g_y", lambda x, y, i: np.ones(1), "accuracy=1e-06: not reached"),
    ],
)
def test_functions_that_fail_give_no_answer(name, function, said):
    with pytest.raises(ValueError, match=said):
        solve(own(**{name: function}), [0.25], [0.0], 1e-6)


def test_a_hypergradient_of_no_number_is_refused():
    with pytest.raises(ValueError, match="upper_y gave"):
        hypergradient(own(f_y=lambda x, y, i: y * np.nan), [0.25], [0.0])


@pytest.mark.parametrize(
    ("x", "start", "accuracy", "said"),
    [
        ([2.0], [0.0], 1e-6, "x has norm"),
        ([0.0, 0.0], [0.0], 1e-6, "x has shape"),
        ([np.nan], [0.0], 1e-6, "must be finite"),
        ([0.0], [1.5], 1e-6, "start has norm"),
        ([0.0], [0.0], 0.0, "accuracy=0.0"),
        ([0.0], [0.0], np.nan, "accuracy=nan"),
        ([0.0], [0.0], 1e-18, "rounding allows no proof"),
    ],
)
def test_arguments_outside_are_named(x, start, accuracy, said):
    with pytest.raises(ValueError, match=said):
        solve(own(), x, start, accuracy)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"mu_g": 0.0}, "mu_g"),
        ({"mu_g": -1.0}, "mu_g"),
        ({"mu_g": 2.0}, "beta_gyy"),
        ({"C_gyy": np.nan}, "C_gyy"),
        ({"L_fx": np.inf}, "L_fx"),
    ],
)
def test_impossible_constants_are_named(changes, said):
    with pytest.raises(ValueError, match=said):
        replace(SIMPLE, **changes)


def test_impossible_problems_are_named():
    with pytest.raises(ValueError, match="radius=inf"):
        replace(own(), radius=np.inf)
    with pytest.raises(ValueError, match="x_radius=0"):
        replace(own(), x_radius=0)
    with pytest.raises(ValueError, match="records=0"):
        replace(own(), records=0)
    with pytest.raises(ValueError, match=r"records=1\.5: must be a whole number"):
        replace(own(), records=1.5)
    with pytest.raises(ValueError, match="lower_yy gave"):
        solve(own(g_yy=lambda x, y, i: np.zeros((1, 1))), [1.0], [0.0], 1e-3)
    with pytest.raises(ValueError, match="g_xy gave shape"):
        hypergradient(own(g_xy=lambda x, y, i: np.ones((2, 1))), [1.0], [0.0])
    with pytest.raises(ValueError, match="smoothness is beyond the doubles"):
        _ = replace(SIMPLE, mu_g=1e-300).beta_Phi
    with pytest.raises(ValueError, match="x_radius=inf"):
        fast.constants_of(records(1), np.inf)
    universe = records(1)
    with pytest.raises(ValueError, match="least eigenvalue"):
        fast.constants_of(replace(universe, H=-universe.H), 1.0)
    with pytest.raises(ValueError, match="symmetric"):
        fast.Records(
            *(np.ones((1, 2)),) * 2, *(np.eye(2)[None],) * 2, np.array([[[2.0, 1.0], [0.0, 2.0]]]), np.eye(2)[None], [[0, 0]]
        )
    with pytest.raises(ValueError, match="norm at most 1"):
        fast.hard_instance([[2.0]], 1.0, 1.0, 1.0, 1.0)
    with pytest.raises(ValueError, match="D_x=0"):
        fast.hard_instance([[1.0]], 1.0, 1.0, 0, 1.0)
