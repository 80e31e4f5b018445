"""Polyhedra of half-spaces: vertices by hand, the solver against exact lists, projections, brackets, empty sets."""

import math
import re
import sys
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpsco
from dpsco.fast.losses.spo import halfspaces as fast
from dpsco.fast.losses.spo import loss as losses
from dpsco.fast.losses.spo import regions as oracles
from dpsco.reference.losses.spo import halfspaces as reference
from dpsco.reference.losses.spo import loss as literal
from dpsco.reference.losses.spo import regions
from dpsco.reference.losses.spo.calibration import face_diameter
from dpsco.reference.numbers.mp import mp
from dpsco.spec.losses.spo import halfspaces as spec
from dpsco.spec.losses.spo.regions import Table, some_cost

M = mp(40)
BOUNDED = [table for table in spec.SETS if table not in spec.UNBOUNDED]
seeds = st.integers(0, 2**32).map(Random)


def with_solver() -> None:
    pytest.importorskip("scipy", reason="the extra polytopes is not installed")


def test_vertices_by_hand():
    cut = [*spec.UNIT_SQUARE, [1.0, 1.0, 1.5]]
    half = Fraction(1, 2)
    assert {tuple(w) for w in reference.corners(cut)} == {(0, 0), (1, 0), (0, 1), (1, half), (half, 1)}
    assert len(reference.corners([*cut, *cut, [1.0, 1.0, 9.0]])) == 5
    assert reference.corners([[1.0, 2.0], [-1.0, -2.0]]) == [[2]]
    with pytest.raises(ValueError, match="at most"):
        reference.corners([[float((i * j) % 7 - 3) for j in range(11)] for i in range(40)])


@pytest.mark.parametrize("table", spec.EMPTY)
def test_empty_sets_are_refused_by_the_reference(table: Table):
    with pytest.raises(ValueError, match="no point in common"):
        reference.corners(table)


@pytest.mark.parametrize("table", spec.UNBOUNDED)
def test_unbounded_sets_are_refused_by_the_reference(table: Table):
    with pytest.raises(ValueError, match="not bounded"):
        reference.corners(table)


@pytest.mark.parametrize(
    ("table", "c", "said"),
    [
        ([[1.0, 2.0], [1.0]], [1.0], "equally long"),
        ([[1.0]], [], "equally long"),
        ([[0.0, 0.0, -1.0]], [1.0, 1.0], "no solution"),
        ([[1.0, math.nan]], [1.0], "finite"),
        ([[1.0, math.inf]], [1.0], "finite"),
        (spec.UNIT_SQUARE, [1.0], "dimension 2"),
        (spec.UNIT_SQUARE, [1.0, math.inf], "finite"),
        (spec.UNIT_SQUARE, [math.nan, 1.0], "finite"),
    ],
)
def test_bad_input_is_refused_in_both_rooms(table: Table, c: list[float], said: str):
    for oracle in (oracles.minimiser, oracles.projection, lambda *given_: regions.oracle(M, *given_)):
        with pytest.raises(ValueError, match=said):
            oracle("halfspaces", table, c)


def test_kernels_refuse_what_needs_a_solver():
    with pytest.raises(ValueError, match="solver"):
        losses.subgradients("halfspaces", spec.UNIT_SQUARE, [[1.0, 1.0]], [[1.0, 1.0]])


def test_without_scipy_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    for call in (oracles.minimiser, oracles.support, oracles.projection):
        with pytest.raises(ImportError, match=r"dpsco\[polytopes\]"):
            call("halfspaces", spec.UNIT_SQUARE, [3.0, 2.0])
    assert oracles.projection("halfspaces", spec.UNIT_SQUARE, [0.5, 0.25]).tolist() == [0.5, 0.25]  # nothing to solve
    assert oracles.minimiser("box", [[0.0], [1.0]], [1.0]).tolist() == [0.0]  # no other set asks for it


def test_no_verdict_needs_the_solver():
    """Neither judges nor commands nor the reference import it."""
    for room in (Path(dpsco.__file__).parent, Path(regions.__file__).parents[2]):
        assert not [f for f in room.rglob("*.py") if re.search(r"\bimport scipy|from scipy", f.read_text(encoding="utf-8"))]


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_solver_against_exact_vertices(random: Random):
    with_solver()
    table = random.choice(BOUNDED)
    d, size = len(table[0]) - 1, max(abs(x) for row in table for x in row)
    c, c_hat, v = some_cost(random, d), some_cost(random, d), [x / 4 for x in some_cost(random, d)]
    w, exact = oracles.minimiser("halfspaces", table, c), regions.oracle(M, "halfspaces", table, c)
    scale_ = 1 + max(abs(x) for x in c)
    assert abs(float(M.dot(c, exact)) - np.dot(c, w)) <= 1e-9 * scale_ * size
    assert (
        abs(float(regions.support(M, "halfspaces", table, c)[0]) - oracles.support("halfspaces", table, c))
        <= 1e-9 * scale_ * size
    )
    assert max(np.dot(normal, w) - b for *normal, b in table) <= 1e-9 * size
    near = regions.project(M, "halfspaces", table, v)
    assert oracles.projection("halfspaces", table, v) == pytest.approx([float(x) for x in near], abs=1e-11 * size)
    alone = face_diameter(M, "halfspaces", table, [M.real(x) for x in c]) == 0  # else SPO+ depends on the choice of w*(c)
    for name in ("spo_loss", "spo_plus_loss") if alone else ("spo_loss",):  # ties: the worst of all minimisers
        value = float(getattr(literal, name)(M, "halfspaces", table, c, c_hat)[0])
        assert getattr(losses, name)("halfspaces", table, c, c_hat) == pytest.approx(value, abs=1e-7 * scale_ * size)


def test_ties_zero_costs_and_zero_gradients():
    with_solver()
    square = spec.UNIT_SQUARE
    assert losses.spo_loss("halfspaces", square, [1.0, -1.0], [0.0, 0.0]) == pytest.approx(2.0, abs=1e-7)
    assert losses.spo_loss("halfspaces", square, [1.0, 3.0], [0.0, 1.0]) == pytest.approx(1.0, abs=1e-7)
    assert losses.spo_loss("halfspaces", square, [0.0, 0.0], [1.0, 1.0]) == 0
    zero = oracles.minimiser("halfspaces", square, [0.0, 0.0])
    assert np.all((zero >= -1e-12) & (zero <= 1 + 1e-12))
    assert oracles.support("halfspaces", square, [0.0, 0.0]) == 0
    assert not losses.spo_plus_subgradient("halfspaces", square, [1.0, 2.0], [3.0, 3.0]).any()  # the same decision
    huge = oracles.minimiser("halfspaces", square, [1e200, -1e-200])
    assert huge[0] == 0
    tiny = oracles.minimiser("halfspaces", square, [-1e-300, 1e-300])
    assert tiny == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("table", spec.EMPTY)
def test_empty_sets_are_refused(table: Table):
    with_solver()
    d = len(table[0]) - 1
    for call in (oracles.minimiser, oracles.support, oracles.projection):
        for c in ([1.0] * d, [-3.0] * d):
            with pytest.raises(ValueError, match="empty"):
                call("halfspaces", table, c)
    with pytest.raises(ValueError, match="empty"):
        fast.diameter(table)


def test_unbounded_sets():
    """Refused where the objective falls, solved where it does not; projections need no bound."""
    with_solver()
    quadrant = [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]
    assert oracles.minimiser("halfspaces", quadrant, [1.0, 2.0]) == pytest.approx([0.0, 0.0])
    for c in ([-1.0, 0.0], [1.0, -1e-3]):
        with pytest.raises(ValueError, match="c has no least value"):
            oracles.minimiser("halfspaces", quadrant, c)
    with pytest.raises(ValueError, match="-c has no least value"):
        oracles.support("halfspaces", quadrant, [1.0, 1.0])
    assert oracles.projection("halfspaces", quadrant, [-3.0, 5.0]) == pytest.approx([0.0, 5.0])
    assert oracles.projection("halfspaces", [[3.0, 4.0, 0.0]], [3.0, 4.0]) == pytest.approx([0.0, 0.0], abs=1e-14)
    assert oracles.projection("halfspaces", [[0.0, 0.0, 1.0]], [3.0, 4.0]).tolist() == [3.0, 4.0]  # the whole plane
    with pytest.raises(ValueError, match="no least value"):
        oracles.minimiser("halfspaces", [[0.0, 0.0, 1.0]], [3.0, 4.0])
    assert all(fast.diameter(table) == (math.inf, math.inf) for table in spec.UNBOUNDED)


@pytest.mark.parametrize("table", BOUNDED)
def test_diameter_is_bracketed(table: Table):
    with_solver()
    low, high = fast.diameter(table)
    exact, d = float(regions.diameter(M, "halfspaces", table)), len(table[0]) - 1
    assert low * (1 - 1e-9) <= exact <= high * (1 + 1e-9)
    assert high <= math.sqrt(d) * low * (1 + 1e-9)


def test_far_points_and_many_rows():
    """v far outside; forty random rows around the unit ball in five dimensions: the multipliers' conditions, by hand."""
    with_solver()
    assert oracles.projection("halfspaces", spec.UNIT_SQUARE, [1e8, 0.25]) == pytest.approx([1.0, 0.25], abs=1e-7)
    random = np.random.default_rng(7)
    A = random.normal(size=(40, 5))
    b = np.linalg.norm(A, axis=1)
    table = np.column_stack([A, b]).tolist()
    for _ in range(10):
        v = 3 * random.normal(size=5)
        w = oracles.projection("halfspaces", table, v)
        assert np.max(A @ w - b) <= 1e-12
        out = v - w
        assert oracles.support("halfspaces", table, out) - out @ w <= 1e-9  # no point is further out


def test_negative_control_wrong_answers_fail_their_check(monkeypatch: pytest.MonkeyPatch):
    """A solver that returns a vertex which is not best, and multipliers that are not nonnegative least squares."""
    with_solver()
    from scipy import optimize

    honest = optimize.linprog
    monkeypatch.setattr(optimize, "linprog", lambda c, **given_: honest(-c, **given_))
    with pytest.raises(ArithmeticError, match="fails its check"):
        oracles.minimiser("halfspaces", spec.UNIT_SQUARE, [1.0, 2.0])
    monkeypatch.setattr(optimize, "nnls", lambda E, f, maxiter: (np.full(E.shape[1], 0.1), 1.0))
    with pytest.raises(ArithmeticError, match=r"check|not found"):
        oracles.projection("halfspaces", spec.UNIT_SQUARE, [3.0, 2.0])


def test_offsets_beyond_the_solver_are_named():
    sides = [[1.0, 0.0, 1e300], [-1.0, 0.0, 1e300], [0.0, 1.0, 1.0], [0.0, -1.0, 1.0]]
    for table in (sides, [[1e-300, 0.0, 1e300], *sides[1:]]):
        with pytest.raises(ValueError, match="offset"):
            oracles.minimiser("halfspaces", table, [1.0, 2.0])
    with pytest.raises(ValueError, match="table has rows"):
        oracles.minimiser("halfspaces", None, [1.0, 2.0])
