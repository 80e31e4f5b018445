"""Sets of decisions: reference against lists and conditions of optimality, fast against reference, bad input, ties."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.fast.losses.spo import regions as fast
from dpsco.reference.losses.spo import regions
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.regression.inputs import inputs
from dpsco.spec.losses.spo import regions as spec

M = mp(40)
BUDGET = {"minimiser": 2.0, "support": 4.0, "projection": 4.0}
seeds = st.integers(0, 2**32).map(Random)
LISTED = [(shape, table) for shape, table in spec.REGIONS if shape not in ("ball", "sphere")]


def off(name: str, given_: dict[str, object]) -> float:
    return error(getattr(spec, name), getattr(regions, name), given_, getattr(fast, name)(**given_))


@given(seeds)
def test_fast_matches_reference(random: Random):
    found = dict(spec.any_objective(random))
    for name in ("minimiser", "support"):
        assert off(name, found) <= BUDGET[name], (name, found)
    point = dict(spec.any_point(random))
    assert off("projection", point) <= BUDGET["projection"], point


@pytest.mark.parametrize("name", list(BUDGET))
def test_hard_and_generated_inputs(name: str):
    worst = max(off(name, dict(i)) for i in inputs(getattr(spec, name), 60, 5))
    assert 0 < worst <= BUDGET[name]


def test_negative_control_the_other_tie_is_seen():
    """The same least cost, another decision: an error of the oracle, not of the support."""
    given_ = {"shape": "paths", "table": [[2.0, 2.0]], "c": [1.0, 1.0, 1.0, 1.0]}
    turned = 1.0 - fast.minimiser(**given_)
    assert error(spec.minimiser, regions.minimiser, given_, turned) == math.inf
    assert off("minimiser", given_) == 0


@given(seeds)
def test_oracle_is_optimal_and_inside(random: Random):
    """Against random decisions of each set: convex combinations of vertices, or points of the ball."""
    found = spec.any_objective(random)
    shape, table, c = found["shape"], found["table"], found["c"]
    w = regions.oracle(M, shape, table, c)
    assert M.norm([a - b for a, b in zip(w, regions.project(M, shape, table, w), strict=True)]) < 1e-25
    others = [regions.project(M, shape, table, spec.some_cost(random, len(c))) for _ in range(3)]
    assert all(M.dot(c, w) <= M.dot(c, v) + 1e-25 for v in others)
    assert regions.support(M, shape, table, c)[0] >= max(M.dot(c, v) for v in others) - 1e-25


@given(seeds)
def test_projection_meets_its_condition(random: Random):
    """P is nearest on a convex set if and only if (v - P)'(w - P) <= 0 for all w: for the w that maximises the left side."""
    shape, table = random.choice([region for region in spec.REGIONS if region[0] != "sphere"])
    v = [x / 3 for x in spec.some_cost(random, spec.dimension(shape, table))]
    p = regions.project(M, shape, table, v)
    out = [a - b for a, b in zip(v, p, strict=True)]
    assert regions.support(M, shape, table, out)[0] - M.dot(out, p) < 1e-24
    assert regions.support(M, shape, table, [-x for x in out])[0] + M.dot(out, p) > -1e-24  # p is no further out than S


@given(seeds)
def test_worst_is_the_dearest_of_the_tied(random: Random):
    found = spec.any_pair(random)
    shape, table, c, c_hat = (found[name] for name in ("shape", "table", "c", "c_hat"))
    w = regions.worst(M, shape, table, c, c_hat)
    assert abs(M.dot(c_hat, w) + regions.support(M, shape, table, [-x for x in c_hat])[0]) < 1e-25
    if shape not in ("ball", "sphere"):
        listed = regions.vertices(M, shape, table)
        least = min(M.dot(c_hat, v) for v in listed)
        assert M.dot(c, w) == max(M.dot(c, v) for v in listed if M.dot(c_hat, v) == least)
    in_doubles = fast.oracle(shape, table, np.array(c_hat), second=-np.array(c))
    assert float(M.dot(c, w)) == pytest.approx(float(in_doubles @ np.array(c)), abs=1e-9)


def test_number_of_paths_and_their_edges():
    assert len(regions.paths(5, 5)) == math.comb(8, 4)
    assert spec.dimension("paths", [[5.0, 5.0]]) == 40
    assert all(len(path) == 8 for path in regions.paths(5, 5))
    first = fast.minimiser("paths", [[2.0, 2.0]], [0.0] * 4)
    assert first.tolist() == [1.0, 0.0, 1.0, 0.0]  # to the right first


@pytest.mark.parametrize(("shape", "table"), LISTED)
def test_diameter_and_norm_bound_by_vertices(shape: str, table: list[list[float]]):
    listed = np.array([[float(x) for x in w] for w in regions.vertices(M, shape, table)])
    apart = np.linalg.norm(listed[:, None] - listed[None], axis=2).max()
    assert float(regions.diameter(M, shape, table)) == pytest.approx(apart, abs=1e-12)
    assert float(regions.norm_bound(M, shape, table)) == pytest.approx(np.linalg.norm(listed, axis=1).max())


def test_balls_have_their_size():
    assert regions.diameter(M, "ball", [[3.0, 4.0], [2.0]]) == 4
    assert regions.norm_bound(M, "sphere", [[3.0, 4.0], [2.0]]) == 7


UNBOUNDED = ("box", [[-1.0, -1.0], [math.inf, math.inf]])
"""Theorem 5's S = {w >= -1}."""


def test_the_shifted_box_of_the_lower_bound():
    shape, table = UNBOUNDED
    assert fast.minimiser(shape, table, [2.0, 0.0]).tolist() == [-1.0, -1.0]
    assert fast.projection(shape, table, [5.0, -3.0]).tolist() == [5.0, -1.0]
    assert regions.diameter(M, shape, table) == regions.norm_bound(M, shape, table) == M.inf
    for oracle in (fast.minimiser, lambda *given_: regions.oracle(M, *given_)):
        with pytest.raises(ValueError, match="coordinate 1"):
            oracle(shape, table, [1.0, -1.0])


@pytest.mark.parametrize(
    ("shape", "table", "c", "said"),
    [
        ("cube", [[0.0], [1.0]], [1.0], "shape is one of"),
        ("ball", [[0.0], [-1.0]], [1.0], "empty"),
        ("ball", [[math.inf], [1.0]], [1.0], "finite"),
        ("ball", [[0.0], [1.0, 2.0]], [1.0], "length"),
        ("box", [[1.0], [0.0]], [1.0], "empty"),
        ("box", [[0.0, 0.0], [1.0]], [1.0], "equally long"),
        ("box", [[math.inf], [math.inf]], [1.0], "empty"),
        ("polytope", [], [1.0], "at least one number"),
        ("polytope", [[0.0, 1.0], [1.0]], [1.0, 1.0], "equally long"),
        ("paths", [[1.0, 1.0]], [1.0], "two nodes"),
        ("paths", [[2.5, 2.0]], [1.0], "whole"),
        ("knapsack", [[1.0, 2.0], [-1.0]], [1.0, 1.0], "at least 0"),
        ("knapsack", [[1.5], [2.0]], [1.0], "whole"),
        ("simplex", [[0.0, math.nan], [1.0]], [1.0, 1.0], "finite"),
        ("ball", [[0.0], [1.0]], [1.0, 2.0], "dimension 1"),
        ("ball", [[0.0], [1.0]], [math.nan], "finite"),
        ("paths", [[2.0, 2.0]], [1.0, math.inf, 0.0, 0.0], "finite"),
    ],
)
def test_bad_input_is_refused_in_both_rooms(shape: str, table: list[list[float]], c: list[float], said: str):
    for oracle in (fast.minimiser, lambda *given_: regions.oracle(M, *given_)):
        with pytest.raises(ValueError, match=said):
            oracle(shape, table, c)


def test_projections_onto_hulls_are_those_of_the_active_set():
    """In `projections`, with their tests; the kernel for closed forms says that it has none."""
    assert fast.projection("paths", [[2.0, 2.0]], [0.5] * 4) == pytest.approx([0.5] * 4, abs=1e-15)
    kind, T = fast.packed("paths", [[2.0, 2.0]])
    assert not fast.project_into(kind, T, np.full(4, 0.5), np.empty(4), fast.workspace("paths", [[2.0, 2.0]]))


def test_undecided_comparisons_are_refused():
    from dpsco.reference.numbers.enclosure import arb

    m = arb()
    with pytest.raises(ArithmeticError, match="decided"):
        regions.oracle(m, "box", [[-1.0], [1.0]], [m.ball("-0.1", "0.1")])


def test_a_knapsack_has_no_more_room_than_its_things_need():
    for capacity in (3.0, 1e12, 1e300):
        assert fast.minimiser("knapsack", [[1.0, 2.0], [capacity]], [-1.0, -2.0]).tolist() == [1.0, 1.0]
    with pytest.raises(ValueError, match="2\\^31"):
        fast.minimiser("knapsack", [[1e12, 2.0], [1e12]], [-1.0, -2.0])
