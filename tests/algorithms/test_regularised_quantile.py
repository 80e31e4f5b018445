"""The regularised quantile model: its exact minimiser against rational arithmetic, the kernel against it, what a gap proves."""

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.fast.algorithms import regularised_quantile as fast
from dpsco.reference.algorithms import regularised_quantile as reference
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.algorithms import regularised_quantile as spec

CASE = {
    "X": [[1.0, 0.5], [1.0, -2.0], [1.0, 3.0]],
    "y": [1.0, 3.0, 9.0],
    "centre": [0.5, 0.0],
    "r": 0.25,
    "lambda_": 4.0,
    "tolerance": 1e-9,
}


def solved(A, v):
    """x with A x = v by elimination in rational numbers, None where A is singular."""
    rows = [[*row, t] for row, t in zip(A, v, strict=True)]
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        rows = [row if i == k else [x - row[k] * z for x, z in zip(row, rows[k], strict=True)] for i, row in enumerate(rows)]
    return [row[-1] for row in rows]


def dot(u, v):
    return sum((a * b for a, b in zip(u, v, strict=True)), start=Fraction(0))


def pulled(start, slopes, X, scale):
    """start + (sum of slopes_i x_i)/scale."""
    return [c + sum((a * x[j] for a, x in zip(slopes, X, strict=True)), start=Fraction(0)) / scale for j, c in enumerate(start)]


def exact(X, y, centre, r, lambda_):
    """The minimiser in rational numbers: every choice of slopes at an end or free at a kink, until one is consistent."""
    X, y, centre = [list(map(Fraction, x)) for x in X], list(map(Fraction, y)), list(map(Fraction, centre))
    r, scale = Fraction(r), 2 * Fraction(lambda_) * len(y)
    for chosen in product((r, r - 1, None), repeat=len(y)):
        free = [i for i, a in enumerate(chosen) if a is None]
        if len(free) > len(centre):
            continue
        base = pulled(centre, [a or 0 for a in chosen], X, scale)
        A = [[dot(X[i], X[k]) / scale for k in free] for i in free]
        found = solved(A, [y[i] - dot(X[i], base) for i in free])
        if found is None or not all(r - 1 <= a <= r for a in found):
            continue
        theta = pulled(base, found, [X[i] for i in free], scale)
        residuals = [t - dot(x, theta) for x, t in zip(X, y, strict=True)]
        if all(a is None or (u >= 0 if a == r else u <= 0) for a, u in zip(chosen, residuals, strict=True)):
            return theta
    raise AssertionError("a strongly convex function has a minimiser")


def value(X, y, centre, r, lambda_, theta):
    residuals = [Fraction(t) - dot(map(Fraction, x), theta) for x, t in zip(X, y, strict=True)]
    losses = sum((Fraction(r) * max(u, 0) + (1 - Fraction(r)) * max(-u, 0) for u in residuals), start=Fraction(0)) / len(y)
    return losses + Fraction(lambda_) * sum((a - Fraction(c)) ** 2 for a, c in zip(theta, centre, strict=True))


def small(seed):
    """At most four records of small dyadic numbers, ties and zeros among them, in one or two dimensions."""
    random = Random(seed)
    n, d = random.choice((1, 2, 3, 4)), random.choice((1, 2))
    X = [[random.randrange(-4, 5) / 2 for _ in range(d)] for _ in range(n)]
    y = [random.choice((0.0, 1.0, random.randrange(-8, 9) / 4)) for _ in range(n)]
    centre = [random.choice((0.0, random.randrange(-4, 5) / 2)) for _ in range(d)]
    return {"X": X, "y": y, "centre": centre, "r": random.choice((0.5, 0.25, 0.875)), "lambda_": 2.0 ** random.randrange(-6, 3)}


@given(seed=st.integers(0, 10**9))
@settings(max_examples=25)
def test_both_find_the_rational_minimiser(seed):
    problem = small(seed)
    m, best = mp(50), exact(**problem)
    theta, gap = reference.solve(m, **problem, tolerance=1e-9)
    assert m.le(gap, m.real("1e-33"))
    assert all(abs(t - m.real(b)) < m.real("1e-14") for t, b in zip(theta, best, strict=True))
    quick, proved = fast.solve(**problem, tolerance=1e-9)
    above = value(**problem, theta=[Fraction(float(t)) for t in quick]) - value(**problem, theta=best)
    assert 0 <= above <= Fraction(proved) + Fraction(1, 10**14)
    assert proved <= 1e-9


@given(seed=st.integers(0, 10**9))
@settings(max_examples=25)
def test_fast_is_within_its_tolerance(seed):
    problem = spec.solve.generate(Random(seed))
    answer = fast.solve(**problem)
    assert error(spec.solve, reference.solve, problem, answer) <= 1
    assert answer[1] <= problem["tolerance"]


@pytest.mark.parametrize("problem", spec.solve.hard)
def test_fast_is_within_its_tolerance_on_hard_problems(problem):
    assert error(spec.solve, reference.solve, problem, fast.solve(**problem)) <= 1


def test_a_moved_answer_is_noticed():
    theta, gap = fast.solve(**CASE)
    assert error(spec.solve, reference.solve, CASE, (theta, gap)) <= 1
    away = theta + np.array([1e-3, 0.0])
    assert error(spec.solve, reference.solve, CASE, (away, gap)) > 1
    # strongly convex: J rises by at least lambda |away|^2
    assert error(spec.solve, reference.solve, CASE, (away, gap)) * 1e-9 >= 4 * 1e-6 * (1 - 1e-3)
    other = fast.solve(**{**CASE, "lambda_": 4.01})
    assert error(spec.solve, reference.solve, CASE, other) > 1


def test_a_strong_ridge_by_hand():
    """One record far above: theta = centre + r x/(2 lambda)."""
    theta, gap = fast.solve([[2.0]], [100.0], [1.0], 0.25, 0.5, 1e-12)
    assert theta[0] == pytest.approx(1.5, abs=1e-12)
    assert gap <= 1e-12


def test_the_gap_of_a_wrong_multiplier_is_positive():
    m = mp()
    one = {"r": m.frac(1, 2), "lambda_": m.real(1)}
    assert spec.dual_gap(m, [m.frac(1, 2)], [m.real(3)], [m.real(0)], **one) == 0
    assert spec.dual_gap(m, [m.real(0)], [m.real(3)], [m.real(0)], **one) == m.frac(3, 2)
    assert spec.dual_gap(m, [m.frac(1, 2)], [m.real(3)], [m.real(2)], **one) == 1


@pytest.mark.parametrize("moved", [{"y": [1.0]}, {"centre": [0.0]}, {"X": [[1.0], [1.0, 2.0]]}])
def test_bad_shapes_are_refused(moved):
    with pytest.raises(ValueError, match=r"shape|inhomogeneous"):
        fast.solve(**{**CASE, **moved})
    with pytest.raises(ValueError, match="shape"):
        reference.solve(mp(), **{**CASE, **moved})
