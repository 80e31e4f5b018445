"""Stability of DP-SGD: exact means over all draws, a search for worse neighbours, and what happens beyond eta = 2/beta."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest

from dpsco.fast.algorithms.dp_sgd import algorithm as fast
from dpsco.judges.algorithms.dp_sgd.stability import JUDGES
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled
from dpsco.mutants.algorithms.dp_sgd.stability import parted
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold

PEAK = {"gaussian": 1 / np.sqrt(2 * np.pi), "logistic": 0.25, "uniform": 0.5, "epanechnikov": 0.75}


@pytest.fixture(scope="module")
def judgement():
    return judge("quantile/lem-3.3")


def test_certified_and_mutants_die(judgement):
    assert judgement.verdict is Verdict.CERTIFIED
    assert set(judgement.mutants) == {Fate.KILLED, Fate.TRUE}
    assert len(judgement.mutants[Fate.KILLED]) == 6


@pytest.mark.parametrize(("n", "r"), [(2, Fraction(1, 4)), (2, Fraction(1, 2)), (2, Fraction(3, 4)), (3, Fraction(3, 4))])
def test_the_supremum_is_met_by_opposite_records(n, r):
    """All n^(n^2 - 1) draws in exact fractions, with the slope that outcomes far above have."""
    B_x, eta = Fraction(4), Fraction(1, 5)
    last, mean, loss = parted(n, B_x, r, eta, Fraction(8))
    slope = r * B_x
    assert last == 2 * slope * eta * (n * n - 1) / n
    assert mean == slope * eta * (n * n - 1) / n
    assert loss == slope * mean


def distance(kernel, X, y, other_x, other_y, eta, h, r, normals):
    """Mean over all draws of two records of the distance of the fourth iterates; the second record is replaced."""
    A, B = np.array(X), np.array([X[0], other_x])
    b = np.array([y[0], other_y])
    total = 0.0
    for draws in product((0, 1), repeat=3):
        one, two = (fast.iterates(kernel, M, v, draws, normals, eta, h, r, 1.0)[-1] for M, v in ((A, y), (B, b)))
        total += float(np.linalg.norm(one - two))
    return total / 8


def searched(multiple, seed, rounds=700):
    """The largest mean distance over 2 L eta (t - 1)/n that hill climbing finds, eta = multiple/beta, noise held fixed."""
    random = np.random.default_rng(seed)
    best = 0.0
    for kernel in ("uniform", "logistic"):
        normals = random.standard_normal((3, 2)) * 0.1
        at, top = None, 0.0
        for k in range(rounds):
            if at is None or k < rounds // 4:
                point = np.concatenate([random.uniform(-np.pi, np.pi, 3), random.normal(0, 2, 3), [random.uniform(-3, 2)]])
            else:
                point = at + random.normal(0, 0.3 * 0.99 ** (k / 4), 7)
            X = [[np.cos(a), np.sin(a)] for a in point[:3]]
            h, r = 10.0 ** np.clip(point[6], -4, 3), 0.5
            eta = multiple * h / PEAK[kernel]
            y = point[3:6] * max(h, eta)
            ratio = distance(kernel, X[:2], y[:2], X[2], y[2], eta, h, r, normals) / (2 * 0.5 * eta * 3 / 2)
            if ratio > top:
                top, at = ratio, point
        best = max(best, top)
    return best


def test_a_search_comes_near_to_the_bound_and_not_beyond():
    found = max(searched(2.0, 1), searched(0.5, 2))
    assert 0.97 < found <= 1 + 1e-9


def test_beyond_two_over_beta_the_search_finds_worse():
    """Negative control: the condition eta <= 2/beta is what holds the bound."""
    assert searched(2000.0, 3, 1500) > 1.02


def test_without_its_condition_nothing_is_certified():
    claim = find("quantile/lem-3.3")
    bare = replace(claim, preconditions=claim.preconditions[1:])
    assert fold(decided(bare, JUDGES[claim.id])) is Verdict.OPEN


@pytest.mark.parametrize("name", ["distance_after", "distance_of_averages", "stability"])
def test_judge_notices_a_smaller_constant(name):
    claim = find("quantile/lem-3.3")
    decide = partial(decided, decide=JUDGES[claim.id])
    assert fold(decide(scaled(claim, name, 99, 100))) is Verdict.REFUTED
    assert fold(decide(scaled(claim, name, 101, 100))) is Verdict.CERTIFIED
