"""Projections onto hulls: the active set against the exact nearest point, its bound, larger grids, ties, bad input."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.fast.losses.spo import projections as fast
from dpsco.fast.losses.spo import regions, smoothing
from dpsco.reference.losses.spo import projections as reference
from dpsco.reference.losses.spo import smoothing as literal
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.losses.spo import projections as spec
from dpsco.spec.losses.spo import smoothing as smoothed

M = mp(40)
seeds = st.integers(0, 2**32).map(Random)


def scale(given_):
    return max(1.0, max(abs(x) for x in given_["v"]), max(abs(x) for row in given_["table"] for x in row))


def compared(given_):
    """Distance from the exact point over the bound, that distance, and the bound; both in units of the problem."""
    w, bound = fast.nearest(**given_)
    ratio = float(reference.suboptimality(M, given_, (w, bound)))
    return ratio, ratio * bound / scale(given_), bound / scale(given_)


@settings(max_examples=60)
@given(seeds)
def test_within_its_bound_of_the_exact_point(random: Random):
    ratio, off, bound = compared(dict(spec.any_point(random)))
    assert ratio <= 1
    assert off <= 1e-13
    assert bound <= 1e-5


def test_hard_points():
    worst = [compared(dict(given_)) for given_ in spec.HARD]
    assert max(ratio for ratio, *_ in worst) <= 1
    assert max(off for _, off, _ in worst) <= 1e-13


def test_negative_control_the_wrong_point_is_seen():
    """A vertex instead of the nearest point, and a bound that is too small: both by `regress`'s measure, and by the gap."""
    given_ = {"shape": "paths", "table": [[3.0, 3.0]], "v": [0.5] * 12}
    w, bound = fast.nearest(**given_)
    corner = regions.minimiser("paths", [[3.0, 3.0]], [1.0] * 12)
    assert error(spec.nearest, reference.nearest, given_, (w, bound)) <= 1
    assert error(spec.nearest, reference.nearest, given_, (corner, bound)) > 1e3
    assert error(spec.nearest, reference.nearest, given_, (w + 1e-9, 1e-10)) > 1
    assert error(spec.nearest, reference.nearest, given_, (corner, math.nan)) == math.inf
    assert reference.gap(M, "paths", [[3.0, 3.0]], given_["v"], corner) > 0.5
    u = np.array([1.0] * 12) @ corner
    assert fast.certified(np.array(given_["v"]), corner, regions.minimiser("paths", [[3.0, 3.0]], corner - 0.5)) > 0.5
    assert u == 4


@pytest.mark.parametrize("m", [4, 7, 10])
def test_grids_too_large_to_list_meet_the_condition(m: int):
    """(v - w)'(u - w) <= 0 for all paths u, by another dynamic program; w is a unit flow from corner to corner."""
    d = 2 * m * (m - 1)
    for scale_ in (0.3, 5.0):
        v = np.random.default_rng(m).normal(0.4, scale_, d)
        w, bound = fast.nearest("paths", [[m, m]], v)
        assert longest_path(m, v - w) - (v - w) @ w <= 1e-12 * (1 + scale_**2) * d
        assert bound <= 1e-5 * (1 + scale_)
        assert np.abs(flow(m) @ w - np.eye(m * m)[0] + np.eye(m * m)[-1]).max() <= 1e-12
        assert w.min() >= 0


def edges(m: int):
    """Tail and head of each edge, in the order of `regions`."""
    for i in range(m):
        yield from ((i * m + j, i * m + j + 1) for j in range(m - 1))
        if i < m - 1:
            yield from ((i * m + j, i * m + j + m) for j in range(m))


def flow(m: int):
    found = np.zeros((m * m, 2 * m * (m - 1)))
    for e, (tail, head) in enumerate(edges(m)):
        found[tail, e], found[head, e] = 1, -1
    return found


def longest_path(m: int, gains):
    best = np.full(m * m, -np.inf)
    best[0] = 0
    for e, (tail, head) in sorted(enumerate(edges(m)), key=lambda item: item[1]):
        best[head] = max(best[head], best[tail] + gains[e])
    return best[-1]


@pytest.mark.parametrize(
    ("table", "v"),
    [
        ([[1e-200, 0.0], [0.0, 1e-200]], [1e-200, 1e-200]),
        ([[1e-200, 0.0], [0.0, 1e-200]], [1.0, 1.0]),
        ([[1.0, 0.0], [0.0, 1.0]], [1e-300, 5e-324]),
        ([[1.0, 0.0], [0.0, 1.0]], [1e150, 1e150]),
        ([[1e200, 0.0], [0.0, 1e200]], [1.0, 1.0]),
        ([[1.0, 0.0], [0.0, 1.0]], [-1.7e308, 1.7e308]),
    ],
)
def test_the_bound_is_honest_at_the_ends_of_the_doubles(table, v):
    w, bound = fast.nearest("polytope", table, v)
    m = mp(1400)
    exact, _ = reference.nearest(m, "polytope", table, v)
    assert np.isfinite(w).all()
    assert m.norm([m.real(float(a)) - b for a, b in zip(w, exact, strict=True)]) <= bound


def test_points_of_the_set_stay_and_ties_do_not_matter():
    """A vertex, the middle of an edge, the mean of all vertices; twice the same vertex; v at equal distances from all."""
    for shape, table in spec.TRIED:
        inside = [float(x) for x in np.mean([regions.minimiser(shape, table, c) for c in costs(shape, table)], axis=0)]
        w, _ = fast.nearest(shape, table, inside)
        assert w == pytest.approx(inside, abs=1e-12 * max(abs(x) for row in table for x in row))
    doubled = [[0.0, 0.0], [0.0, 0.0], [2.0, 0.0], [2.0, 0.0], [1.0, 0.0]]
    assert fast.nearest("polytope", doubled, [1.25, 3.0])[0] == pytest.approx([1.25, 0.0], abs=1e-15)
    assert fast.nearest("polytope", [[1.0, 1.0]], [7.0, -7.0])[0].tolist() == [1.0, 1.0]
    square = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    assert fast.nearest("polytope", square, [0.5, 0.5])[0] == pytest.approx([0.5, 0.5], abs=1e-15)


def costs(shape: str, table):
    d = len(regions.minimiser(shape, table, [0.0] * spec.dimension(shape, table)))
    return np.random.default_rng(2).normal(size=(6, d))


@pytest.mark.parametrize(("shape", "table"), [("paths", [[3.0, 3.0]]), ("knapsack", [[2.0, 3.0, 4.0], [5.0]])])
def test_the_smoothed_loss_now_covers_hulls(shape: str, table):
    d = spec.dimension(shape, table)
    c, c_hat = np.random.default_rng(4).normal(size=(2, d)).tolist()
    for mu in (0.5, 20.0):
        for name in ("smoothed_loss", "smoothed_gradient"):
            given_ = {"shape": shape, "table": table, "c": c, "c_hat": c_hat, "mu": mu}
            assert error(getattr(smoothed, name), getattr(literal, name), given_, getattr(smoothing, name)(**given_)) <= 200
    zero = smoothing.smoothed_gradient(shape, table, [-1.0] * d, [-1e9] * d, 1e-3)
    assert not zero.any() or shape == "paths"  # the same decision: a gradient of exactly 0


@pytest.mark.parametrize(
    ("shape", "table", "v", "said"),
    [
        ("ball", [[0.0], [1.0]], [1.0], "polytope, paths, knapsack"),
        ("paths", [[2.0, 2.0]], [0.5] * 3, "dimension 4"),
        ("paths", [[2.0, 2.0]], [0.5, math.nan, 0.0, 0.0], "finite"),
        ("knapsack", [[1.0, 2.0], [3.0]], [math.inf, 0.0], "finite"),
        ("polytope", [[0.0, 1.0], [1.0]], [0.0, 0.0], "equally long"),
        ("knapsack", [[1.0, 2.0], [-3.0]], [0.0, 0.0], "at least 0"),
    ],
)
def test_bad_input_is_refused_in_both_rooms(shape: str, table, v, said: str):
    for room in (fast.nearest, lambda *given_: reference.nearest(M, *given_)):
        with pytest.raises(ValueError, match=said):
            room(shape, table, v)
