"""Gibbs means and the population's excess: other routes to the numbers, the lemmas of the proof on a problem, controls."""

import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.exponential_sampling import generalisation as spec
from dpsco.spec.claim import Relation
from dpsco.spec.register import find
from dpsco.verdict import Severity, Verdict, fold

GIBBS, PRINTED, AMENDED = "bilevel/lem-B.2", "bilevel/lem-B.7", "bilevel/lem-B.7-amended"


@pytest.mark.parametrize("id", [GIBBS, AMENDED])
def test_certified_with_every_false_mutant_killed(id: str):
    judgement = judge(id)
    assert judgement.verdict is Verdict.CERTIFIED
    assert not {Fate.SURVIVED, Fate.UNKNOWN, Fate.TRUE} & {*judgement.mutants}
    assert len(judgement.mutants[Fate.KILLED]) >= 4


def test_printed_bound_is_refuted_twice():
    judgement = judge(PRINTED)
    assert (judgement.verdict, judgement.severity) == (Verdict.REFUTED, Severity.RATE)
    segment, samples = judgement.findings
    mu, k = (mpmath.mpf(segment.at[name]) for name in ("mu", "k"))
    with mpmath.workdps(40):  # mean of a Gaussian cut off to [0, 1], in closed form
        root = mpmath.sqrt(k * mu)
        a, b = -root / mu, (1 - 1 / mu) * root
        mean = 1 / mu + (mpmath.npdf(a) - mpmath.npdf(b)) / (mpmath.ncdf(b) - mpmath.ncdf(a)) / root
        assert mpmath.mpf(segment.computed[0]) - mpmath.mpf("1e-15") <= 1 - mean <= mpmath.mpf(segment.computed[1]) + 1e-15
    assert 1 - mean > 40 * float(segment.claimed)
    assert float(samples.computed[0]) == pytest.approx((1 - 1 / math.sqrt(3)) / 4)
    assert float(samples.claimed) + float(samples.at["mu"]) / 8 < 0.1 < float(samples.computed[0])


@given(st.integers(1, 3), st.floats(0.05, 50), st.lists(st.floats(-2, 2), min_size=4, max_size=4), st.floats(0, 3))
def test_gibbs_mean_of_convex_functions(d: int, k: float, slopes, bend: float):
    """Means of max-affine plus quadratic functions on a grid of [-1, 1]^d, d <= 3, against d/k."""
    axis = np.linspace(-1, 1, {1: 20001, 2: 301, 3: 61}[d])
    points = np.stack(np.meshgrid(*[axis] * d), axis=-1).reshape(-1, d)
    sides = points @ np.array([slopes[:d], slopes[::-1][:d]]).T + np.array([0.0, slopes[3]])
    loss = sides.max(axis=1) + bend * (points**2).sum(axis=1)
    loss -= loss.min()
    weight = np.exp(-k * loss)
    assert (weight * loss).sum() / weight.sum() <= d / k * (1 + 1e-6)


def test_without_convexity_the_mean_may_exceed_it():
    """Negative control: a narrow well."""
    x = np.linspace(0, 1, 200001)
    loss = np.minimum(1, np.abs(x - 0.5) / 1e-3)
    weight = np.exp(-4 * loss)
    assert (weight * loss).sum() / weight.sum() > 3 / 4


def draws(n: int, mu: float, k: float, data: np.ndarray, b: float) -> tuple[np.ndarray, np.ndarray]:
    """Grid and density on [-1, 1] of f = sqrt(1 + y^2), g = (y - b x - z)^2/2: y_Z = b x + mean z."""
    x = np.linspace(-1, 1, 4001)
    exponent = k * (np.sqrt(1 + (b * x + data.mean()) ** 2) + mu * x**2 / 2)
    weight = np.exp(-(exponent - exponent.min()))
    return x, weight / weight.sum()


@given(st.integers(1, 12), st.floats(0.05, 2), st.floats(1, 60), st.floats(-1.5, 1.5), st.integers(0, 2**20))
def test_bound_on_a_smooth_problem(n: int, mu: float, k: float, b: float, seed: int):
    """Mean population excess over data sets of signs z = +-1 of mean 0.2, all of them, against the amended bound."""
    p, total = 0.6, 0.0
    for ones in range(n + 1):
        data = np.array([1.0] * ones + [-1.0] * (n - ones))
        x, law = draws(n, mu, k, data, b)
        population = np.sqrt(1 + (b * x + 0.2) ** 2)
        total += math.comb(n, ones) * p**ones * (1 - p) ** (n - ones) * (law * (population - population.min())).sum()
    # minimisers lie in |y| <= |b| + 1, |g_y| <= 2 there
    v = {
        "L_fx": 0,
        "L_fy": 1,
        "L_gy": 2 * abs(b) + 2,
        "mu_g": 1,
        "beta_fxy": 0,
        "beta_fyy": 1,
        "beta_gxy": abs(b),
        "beta_gyy": 1,
    }
    m = mp(30)
    values = {name: m.real(value) for name, value in {**v, "C_gxy": 0, "C_gyy": 0, "n": n, "mu": mu, "k": k}.items()}
    claim = find(AMENDED)
    G = claim.formulas["G"](m, **{name: values[name] for name in (*v, "C_gxy", "C_gyy")})
    names = ("n", "L_fx", "L_fy", "L_gy", "mu_g", "beta_gxy", "mu", "k")
    bound = spec.population_bound(m, d_x=m.real(1), D_x=m.real(2), G=G, **{name: values[name] for name in names})
    assert total <= float(bound)


@given(st.integers(1, 20), st.floats(0.1, 2), st.floats(1, 60), st.floats(0.1, 1.5))
def test_draws_on_neighbours_can_be_coupled(n: int, mu: float, k: float, b: float):
    """In one dimension the quantile coupling is the best: its largest distance against W = 2 G/(mu n)."""
    first = np.zeros(n)
    second = np.array([2.0, *first[1:]])
    x, p = draws(n, mu, k, first, b)
    _, q = draws(n, mu, k, second, b)
    levels = np.linspace(0.001, 0.999, 400)
    shift = np.abs(np.interp(levels, p.cumsum(), x) - np.interp(levels, q.cumsum(), x)).max()
    slope = np.abs(np.diff(np.sqrt(1 + (b * x) ** 2) - np.sqrt(1 + (b * x + 2 / n) ** 2)) / np.diff(x)).max()
    assert shift <= slope / mu + 2e-3
    assert slope / mu > 0


def test_judges_read_what_is_printed():
    for id in (GIBBS, AMENDED):
        decide = judge_of(id)
        assert decide is not None
        left = find(id).asserts[0].left
        other = replace(find(id), asserts=(Relation(left, "<", "bound"),))
        assert fold(decided(other, decide)) is Verdict.OPEN
        assert fold(decided(scaled(find(id), "bound", 1, 10), decide)) is Verdict.REFUTED
        assert fold(decided(scaled(find(id), "bound", 2, 1), decide)) is Verdict.CERTIFIED
        fewer = replace(find(id), over=find(id).over[:-1])
        assert fold(decided(fewer, decide)) is not Verdict.CERTIFIED
