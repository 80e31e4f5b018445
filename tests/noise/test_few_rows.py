"""A fit of few rows runs without a compiler: the same answers as the kernels', but for the roundings of an exponential."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.blocks.source import from_arrays, within_ball
from dpsco.noise import gradient_perturbation
from dpsco.noise.asked import Asked

RANDOM = np.random.default_rng(3)
PUBLIC = {"quantile": 0.3, "epsilon": 1.0, "delta": 1e-6, "feature_bound": 2.0, "bandwidth": 0.1}


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 9), st.integers(0, 40), st.sampled_from([*gradient_perturbation.TAILS]), st.floats(1e-6, 1e6))
def test_the_lanes_agree(d, rows, kernel, h):
    asked, n = Asked(**PUBLIC, kernel=kernel), max(rows, 1)
    X, y = RANDOM.normal(size=(rows, d)), RANDOM.normal(size=rows)
    blocks, theta = within_ball(from_arrays(X, y), asked.feature_bound), RANDOM.normal(size=d)
    whole = 1 / gradient_perturbation.grid(n, asked)
    here, there = (
        sum(
            (np.array(blocks_part) for blocks_part in blocks.each(lane(asked, h, whole, theta))),
            start=np.zeros(d, dtype=object),
        )
        for lane in (gradient_perturbation._literal, gradient_perturbation._fast)
    )
    # products in another order: residuals over h apart by some 2^-48/h, slopes at most as much
    apart = rows * asked.feature_bound * whole * min(2.0**-46 * (1 + 1 / h), 1.0) + rows
    assert np.abs(np.array(here - there, dtype=float)).max() <= apart


def test_which_lane_it_is_follows_from_public_numbers(monkeypatch):
    """n and the number of columns alone: under add-one the number of rows is secret."""
    taken = []
    for name in ("_literal", "_fast"):
        lane = getattr(gradient_perturbation, name)
        monkeypatch.setattr(gradient_perturbation, name, lambda *a, name=name, lane=lane: taken.append(name) or lane(*a))
    asked = Asked(**PUBLIC, adjacency="add-one, n fixed")
    for n in (100, gradient_perturbation.FEW):
        for rows in (0, 3, 20_000):
            blocks = within_ball(from_arrays(np.zeros((rows, 2)), np.zeros(rows)), 2.0)
            gradient_perturbation.whole_gradient(blocks, asked, n, 0.1, np.zeros(2))
    assert taken == ["_literal"] * 3 + ["_fast"] * 3


SCRIPT = """
import sys, numpy as np
from dpsco.quantile_regression import fit
X = np.linspace(-1, 1, {rows}).reshape(-1, 1)
fit(X, 2 * X[:, 0], quantile=0.5, epsilon=1.0, delta=1e-6, feature_bound=1.0, outcome_bound=5.0, intercept=True)
print("numba" in sys.modules)
"""


@pytest.mark.parametrize(("rows", "compiles"), [(2000, "False"), (40_000, "True")])
def test_few_rows_load_no_compiler(rows, compiles):
    done = subprocess.run([sys.executable, "-c", SCRIPT.format(rows=rows)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [compiles]
