"""The order quantity that ignores features: the order statistic's law, Chernoff, Pinsker, and the deviation."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.fast.algorithms import sample_average as fast
from dpsco.judging import Judgement, decided, judge, judge_of
from dpsco.mutant import Fate, scaled
from dpsco.mutants.algorithms.sample_average import divergence, fails_more, fewer, tail_is_more
from dpsco.reference.algorithms import sample_average as reference
from dpsco.reference.algorithms.sample_average import above, at_most, order_quantity, rank
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.algorithms import sample_average as spec
from dpsco.spec.register import find
from dpsco.verdict import Part, Reading, Rung, Verdict, fold

ID = "newsvendor/thm-8"
chances = st.fractions("1/50", "49/50", max_denominator=50)


@pytest.fixture(scope="module")
def judgement() -> Judgement:
    return judge(ID)


def test_every_assertion_is_decided_and_every_mutant_killed(judgement: Judgement):
    assert judgement.verdict is Verdict.CERTIFIED
    assert {a for f in judgement.findings for a in f.asserts} == set(find(ID).asserts)
    assert len(judgement.mutants[Fate.KILLED]) == 10
    assert set(judgement.mutants) == {Fate.KILLED}


def test_strict_increase_alone_gives_no_slope(judgement: Judgement):
    """t^3 is strictly increasing; its chords from 0 have slope t^2, below every s."""
    (alone,) = [f for f in judgement.findings if f.verdict is Verdict.REFUTED and f.asserts[0].sign == "=>"]
    assert (alone.reading, alone.about, alone.rung) == (Reading.PRINTED, Part.PROOF, Rung.EXACT)
    points = [Fraction(1, 10**k) for k in range(1, 9)]
    assert all((t**3 - 0) / (t - 0) == t**2 for t in points)
    assert min(t**2 for t in points) < Fraction(1, 10**15)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=8), chances)
def test_order_is_the_least_demand_with_enough_at_or_below(demands, r: Fraction):
    least = min(y for y in demands if sum(x <= y for x in demands) >= len(demands) * r)
    assert order_quantity(demands, r) == least


@given(st.integers(1, 6), chances, chances)
def test_law_of_the_order_by_writing_samples_out(n: int, r: Fraction, p: Fraction):
    """Each demand below Q with probability p: all 2^n cases."""
    m = mp(30)
    cases = product((0, 1), repeat=n)
    true = sum((p ** c.count(0) * (1 - p) ** c.count(1) for c in cases if order_quantity(c, r) == 1), start=Fraction(0))
    assert above(m, n, r, m.real(p)) == pytest.approx(m.real(true), rel=1e-20, abs=1e-25)


@given(st.integers(1, 200), chances, chances)
def test_chernoff_and_the_beta_integral(n: int, r: Fraction, p: Fraction):
    m = mp(40)
    k = int(n * r)
    exact = sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k + 1))
    assert at_most(m, n, m.real(p), k) == pytest.approx(m.real(exact), rel=1e-25)
    assert fewer(m, n, m.real(p), k) == pytest.approx(m.real(exact), rel=1e-15)
    if p >= r:
        bound = find(ID).formulas["binomial_tail"](m, n=m.real(n), r=m.real(r), p=m.real(p))
        assert m.real(exact) <= bound * (1 + m.real("1e-30"))


@given(chances, chances)
def test_pinsker_by_quadrature(r: Fraction, p: Fraction):
    m = mp(40)
    a, b = m.real(r), m.real(p)
    true = divergence(m, a, b)
    assert find(ID).formulas["kl"](m, r=a, p=b) == pytest.approx(true, rel=1e-12, abs=1e-30)
    assert true >= 2 * (a - b) ** 2 * (1 - m.real("1e-20"))


@pytest.mark.parametrize(("n", "r"), [(0, Fraction(1, 2)), (3, Fraction(0)), (3, Fraction(1)), (3, Fraction(-1))])
def test_rank_is_refused_outside_its_domain(n: int, r: Fraction):
    with pytest.raises(ValueError, match="got"):
        rank(n, r)


def test_rank_is_exact_where_floating_point_is_not():
    assert rank(100, Fraction(7, 100)) == 7
    assert -(-100 * 0.07 // 1) == 8


def test_mutants_route_does_not_accuse_the_claim():
    """Negative control."""
    claim = find(ID)
    assert not fails_more(claim)
    assert not tail_is_more(claim, 40, "0.25", "0.5", 10)


def test_judge_reads_formulas_signs_and_conditions():
    claim, decide = find(ID), judge_of(ID)
    assert decide is not None
    assert fold(decided(scaled(claim, "deviation", 3, 2), decide)) is Verdict.CERTIFIED
    assert fold(decided(scaled(claim, "pinsker", 1, 2), decide)) is Verdict.CERTIFIED
    assert fold(decided(replace(claim, preconditions=claim.preconditions[1:]), decide)) is not Verdict.CERTIFIED


@given(seed=st.integers(0, 10**9))
def test_selection_is_the_literal_quantile(seed: int):
    given_ = spec.empirical_quantile.generate(Random(seed))
    assert error(spec.empirical_quantile, reference.empirical_quantile, given_, fast.empirical_quantile(**given_)) == 0


def test_selection_is_the_literal_quantile_on_hard_demands():
    for given_ in spec.empirical_quantile.hard:
        found = fast.empirical_quantile(**given_)
        assert error(spec.empirical_quantile, reference.empirical_quantile, given_, found) == 0, given_


def test_selection_ranks_the_double_itself():
    """The double 0.07 is a little more than 7/100: the eighth of a hundred. As a fraction it is the seventh."""
    demands = [float(i) for i in range(1, 101)]
    assert fast.empirical_quantile(demands, 0.07) == 8 == order_quantity(demands, Fraction(0.07))
    assert order_quantity(demands, Fraction(7, 100)) == 7
    assert fast.empirical_quantile(demands, 0.25) == 25
    # negative control: another level, another demand
    given_ = {"y": demands, "r": 0.25}
    assert error(spec.empirical_quantile, reference.empirical_quantile, given_, 26.0) > 0


@pytest.mark.parametrize(("y", "r"), [([], 0.5), ([1.0], 0.0), ([1.0], 1.0), ([1.0], float("nan"))])
def test_selection_refuses_what_has_no_quantile(y: list[float], r: float):
    for run in (fast.empirical_quantile, lambda *given_: reference.empirical_quantile(mp(), *given_)):
        with pytest.raises(ValueError, match="at least one demand"):
            run(y, r)


def test_selection_leaves_the_demands_in_their_order():
    import numpy as np

    demands = np.array([3.0, 1.0, 2.0])
    assert fast.empirical_quantile(demands, 0.5) == 2
    assert demands.tolist() == [3.0, 1.0, 2.0]
