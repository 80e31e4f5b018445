"""Freedman's inequality: enumerated martingales below the bound, the steps of the proof, judge and mutants."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb, exp, factorial, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judges.analysis.concentration.freedman import CASES, JUDGES, Zeros, chance
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, with_formula
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.analysis.concentration.freedman import tail_bound
from dpsco.spec.claim import Relation
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict, fold

ID = "lp/lem-18-amended"


def verdict(claim):
    return fold(decided(claim, JUDGES[ID]))


def test_the_printed_index_is_a_misprint():
    """X_1 = ... = X_10 = 0, X_11 = 1: eleven times E[X_11 | past] = 1, less S_11 = 1, against exp(-15)."""
    found = judge("lp/lem-18")
    assert (found.verdict, found.severity) == (Verdict.REFUTED, Severity.MISPRINT)
    (false,) = [f for f in found.findings if f.verdict is Verdict.REFUTED]
    assert float((false.claimed or "").split()[-1]) == pytest.approx(exp(-(10**2) / (2 * 10 / 3)), rel=1e-12)
    assert 11 * 1 - (10 * 0 + 1) == 10
    assert [f.verdict for f in found.findings if f.reading is Reading.MEANT] == [Verdict.CERTIFIED]


def test_lemma_is_certified_and_its_mutants_die():
    found = judge(ID)
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == 6
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(found.mutants)


@given(st.lists(st.integers(1, 19), min_size=15, max_size=15), st.integers(0, 12), st.integers(0, 8))
def test_adaptive_martingales_by_enumeration(levels, twice_a: int, k: int):
    """Four terms in {0, 1} whose probability of 1 depends on all that came before: every path counted, in fractions."""
    a, variance = twice_a / 4, k / 8
    if a == 0 and variance == 0:
        return
    total = Fraction(0)
    for path in product((0, 1), repeat=4):
        weight, means, spread = Fraction(1), Fraction(0), Fraction(0)
        for t, x in enumerate(path):
            p = Fraction(levels[(1 << t) - 1 + int("0" + "".join(map(str, path[:t])), 2)], 20)
            weight *= p if x else 1 - p
            means, spread = means + p, spread + p * (1 - p)
        if means - sum(path) >= a and spread <= variance:
            total += weight
    assert float(total) <= exp(-(a**2) / (2 * variance + 2 * a / 3)) + 1e-12


@given(st.floats(0, 2.999))
def test_exponential_is_below_its_quadratic(s: float):
    assert exp(s) - 1 - s <= s**2 / (2 * (1 - s / 3)) * (1 + 1e-9) + 1e-15
    assert all(factorial(j) >= 2 * 3 ** (j - 2) for j in range(2, 30))


@given(st.floats(0.001, 1e3), st.floats(0.01, 1e3))
def test_choice_of_s_gives_the_exponent(a: float, k: float):
    s = a / (k + a / 3)
    exponent = s * a - s**2 * k / (2 * (1 - s / 3))
    assert abs(exponent - a**2 / (2 * k + 2 * a / 3)) <= 1e-6 * exponent


@pytest.mark.parametrize("case", [case for case in CASES if case.n <= 10])
def test_chance_by_hand(case: Zeros):
    m, p = arb(), Fraction(case.numerator, case.denominator)
    exact = comb(case.n, case.j) * p**case.j * (1 - p) ** (case.n - case.j)
    assert m.lt(abs(chance(m, case) - m.real(exact)), m.real("1e-40")) is True


def test_every_case_lies_below_the_printed_bound():
    m = arb(256)
    for case in CASES:
        p = m.frac(case.numerator, case.denominator)
        assert m.lt(chance(m, case), tail_bound(m, deviation=case.j - case.n * p, variance=case.n * p * (1 - p))) is True


def test_what_the_judge_does_not_read_is_not_certified():
    claim = find(ID)
    assert verdict(replace(claim, over=())) is Verdict.OPEN
    relation = claim.asserts[0]
    assert verdict(replace(claim, asserts=(Relation(relation.left, ">=", "bound"),))) is Verdict.OPEN
    assert verdict(replace(claim, preconditions=())) is Verdict.REFUTED
    hoeffding = with_formula(claim, "bound", lambda m, deviation, n: m.exp(-2 * deviation**2 / n))
    assert verdict(hoeffding) is not Verdict.CERTIFIED
    smaller = with_formula(
        claim, "bound", lambda m, deviation, variance: tail_bound(m, deviation=deviation, variance=variance) / 1000
    )
    assert verdict(smaller) is Verdict.REFUTED


def test_width_counts():
    """Terms -9 or 0: probability 1/100 above exp(-...) of the printed form."""
    a, k = 9 * 0.99, 81 * 0.01 * 0.99
    assert log(0.01) > -(a**2) / (2 * k + 2 * a / 3)
