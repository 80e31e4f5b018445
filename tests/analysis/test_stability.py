"""The generalisation gap of stable algorithms: all tables of a small law written out, judge and mutants."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from dpsco.judges.analysis.stability import JUDGES
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, with_formula
from dpsco.mutants.analysis.stability import NAMES, measured, missing
from dpsco.spec.claim import Relation
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold

ID = "lp/lem-8"


def verdict(claim):
    return fold(decided(claim, JUDGES[ID]))


def test_lemma_is_certified_and_its_mutants_die():
    found = judge(ID)
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == 5
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(found.mutants)


@given(st.lists(st.integers(-6, 6), min_size=8, max_size=8), st.integers(1, 4))
def test_gap_is_at_most_the_largest_change_without_symmetry(table, third: int):
    """E l(A(D), z) as any table over two ordered records in {0, 1} and z in {0, 1}, one record of chance third/5."""
    p = {1: Fraction(third, 5), 0: 1 - Fraction(third, 5)}
    loss = {key: Fraction(value) for key, value in zip(product((0, 1), repeat=3), table, strict=True)}
    gap = Fraction(0)
    for a, b in product((0, 1), repeat=2):
        population = p[0] * loss[a, b, 0] + p[1] * loss[a, b, 1]
        gap += p[a] * p[b] * (population - (loss[a, b, a] + loss[a, b, b]) / 2)
    change = max(abs(loss[a, b, z] - loss[c, d, z]) for a, b, c, d, z in product((0, 1), repeat=5) if (a != c) + (b != d) == 1)
    assert gap <= change


def test_the_bound_is_nearly_attained():
    for n in (1, 2):
        gap, change = measured(missing, n)
        assert change == Fraction(1, n)
        assert gap == change * (1 - Fraction(1, NAMES))


def test_the_mean_over_data_is_needed():
    """On one data set the gap may exceed alpha: n = 2, two equal records, alpha = 1/2, gap near 1."""
    losses = [missing((3, 3), z) for z in range(NAMES)]
    assert sum(losses) / NAMES - losses[3] > Fraction(1, 2)


def test_what_the_judge_does_not_read_is_not_certified():
    claim = find(ID)
    assert verdict(replace(claim, over=claim.over[1:])) is Verdict.OPEN
    assert verdict(replace(claim, preconditions=())) is Verdict.REFUTED
    assert verdict(replace(claim, asserts=(Relation(claim.asserts[0].left, "=", "bound"),))) is Verdict.OPEN
    sharper = with_formula(claim, "bound", lambda m, alpha, largest_change: largest_change**2 / alpha)
    assert verdict(sharper) is not Verdict.CERTIFIED
    own = with_formula(claim, "bound", lambda m, largest_change: largest_change)
    assert verdict(own) is Verdict.CERTIFIED
