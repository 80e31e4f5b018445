"""Runs of truncated mirror descent: against the literal one, against plain numpy where the norm is l_2, and bad inputs."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.fast.algorithms.mirror_descent import truncated_descent as fast
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import with_formula
from dpsco.reference.algorithms.mirror_descent import truncated_descent as reference
from dpsco.regression.errors import error
from dpsco.spec.algorithms.mirror_descent import truncated_descent as spec
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold

NAMES = ("shuffled", "batched")
SCALARS = {"kappa": 1.0, "index": 2.0, "dual": 2.0, "h": 0.5, "r": 0.3}


def sample(seed: int, n: int = 12, d: int = 3):
    """Heavy-tailed records, an order, noise by record, weights of four steps."""
    random = np.random.Generator(np.random.Philox(seed))
    X = random.standard_t(2.1, (n, d))
    y = X @ np.arange(1.0, d + 1) + random.standard_t(2.1, n)
    return {
        "kernel": "logistic",
        "X": X,
        "y": y,
        "order": random.permutation(n),
        "noise": random.normal(size=(n, d)),
        "weights": np.array([30.0, 50.0, 20.0, 40.0]),
    }


@pytest.mark.parametrize("name", NAMES)
def test_fast_matches_the_literal_run(name: str):
    contract, random = getattr(spec, name), Random(5)
    for inputs in [*contract.hard[::11], *(contract.generate(random) for _ in range(6))]:
        found = getattr(fast, name)(**inputs)
        assert error(contract, getattr(reference, name), inputs, found) <= 30


def plain(X, y, order, noise, weights, level: float, radius: float, clip: bool = False):
    """Projected noisy descent in l_2 with the logistic kernel, written with numpy; `clip` shortens instead of dropping."""
    size, w, total = len(y) // len(weights), np.zeros(X.shape[1]), 0.0
    average = np.zeros(X.shape[1])
    for t, gamma in enumerate(weights):
        rows, g = order[t * size : (t + 1) * size], np.zeros(X.shape[1])
        for i, k in enumerate(rows):
            u = y[k] - X[k] @ w
            one = -(1 / (1 + np.exp(-u / SCALARS["h"])) + SCALARS["r"] - 1) * X[k]
            long = np.linalg.norm(one)
            g += noise[t * size + i] + (one if long <= level else one * level / long if clip else 0 * one)
        w = w - g / size / gamma
        w *= min(1.0, radius / np.linalg.norm(w))
        average += w / gamma
        total += 1 / gamma
    return average / total


@pytest.mark.parametrize("seed", range(3))
def test_in_l_2_it_is_projected_descent(seed: int):
    given_ = sample(seed)
    found = fast.shuffled(**given_, **SCALARS, level=1.5, radius=0.05)
    arrays = {name: given_[name] for name in ("X", "y", "order", "noise", "weights")}
    assert found == pytest.approx(plain(**arrays, level=1.5, radius=0.05), abs=1e-12)
    # negative control: clipping is another algorithm
    assert np.max(np.abs(found - plain(**arrays, level=1.5, radius=0.05, clip=True))) > 1e-4


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from([2.0, 1.5, 1.2]))
def test_noise_by_record_is_noise_of_its_mean(seed: int, index: float):
    given_ = sample(seed)
    scalars = {**SCALARS, "index": index, "kappa": 1 / (index - 1), "level": 2.0, "radius": math.inf}
    one = fast.shuffled(**given_, **scalars)
    order = given_["order"]
    mean = given_["noise"].reshape(4, 3, 3).mean(axis=1)
    other = {
        "kernel": "logistic",
        "X": given_["X"][order],
        "y": given_["y"][order],
        "noise": mean,
        "weights": given_["weights"],
    }
    assert one == pytest.approx(fast.batched(**other, **scalars), rel=1e-9, abs=1e-12)


def test_level_counts_and_zeroes():
    given_ = sample(1)
    quiet = {**given_, "noise": np.zeros((12, 3))}
    average, dropped = fast.run(**quiet, **SCALARS, level=0.0, radius=math.inf)
    assert dropped == 12
    assert not average.any()
    assert fast.run(**quiet, **SCALARS, level=math.inf, radius=math.inf)[1] == 0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"weights": np.ones(5)}, "divisor"),
        ({"weights": np.array([1.0, -1.0])}, "positive"),
        ({"order": np.zeros(12, dtype=int)}, "once"),
        ({"noise": np.zeros((4, 3))}, "12 are allowed"),
        ({"noise": np.zeros((12, 2))}, "shape"),
        ({"level": -1.0}, "level"),
        ({"level": math.nan}, "level"),
        ({"dual": 0.5}, "dual"),
        ({"radius": 0.0}, "radius"),
        ({"index": 1.0}, "index"),
        ({"kappa": 0.0}, "kappa"),
        ({"kernel": "box"}, "box"),
        ({"order": np.arange(12) + 0.5}, "whole"),
        ({"weights": np.array([1e-320, 1.0])}, "reciprocals"),
        ({"X": np.full((12, 3), np.nan)}, "X holds nan"),
        ({"noise": np.full((12, 3), np.inf)}, "noise holds inf"),
        ({"h": 0.0}, "h=0.0"),
        ({"r": 7.0}, "r=7.0"),
    ],
)
def test_bad_input(change, says: str):
    with pytest.raises(ValueError, match=says):
        fast.shuffled(**{**sample(0), **SCALARS, "level": 1.0, "radius": 1.0, **change})


@pytest.mark.parametrize("id", ["lp/alg-4", "lp/alg-7"])
def test_texts_are_stated_as_implemented(id: str):
    assert judge(id).verdict is Verdict.STATED
    decide = judge_of(id)
    assert decide is not None
    clipped = with_formula(
        find(id), "kept_gradient", lambda m, gradient, gradient_norm, beta, M, lambda_: gradient / m.max(1, gradient_norm)
    )
    assert fold(decided(clipped, decide)) is Verdict.OPEN
