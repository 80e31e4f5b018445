"""The generalisation gap as the change that one replaced record makes: enumerated another way, and where it fails."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from dpsco.judges.analysis.generalisation import JUDGES, expectations, last_of, mean_of
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, with_formula
from dpsco.mutants.analysis.generalisation import first, four, median
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Adjacency, Relation
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold

ID = "spo/lem-7"


def verdict(claim):
    return fold(decided(claim, JUDGES[ID]))


def test_identity_is_certified_and_its_mutants_die():
    found = judge(ID)
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == 6
    assert Fate.SURVIVED not in found.mutants


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=3), st.integers(0, 2))
def test_any_symmetric_table_has_it_at_every_index(table, index):
    """theta is table[number of ones], two records of chance 1/3, any loss (theta + 2) (d + 1)^2: fractions."""
    p, n = Fraction(1, 3), 2
    gap = change = Fraction(0)
    for a, b, fresh in product((0, 1), repeat=3):
        data = [a, b]
        weight = p ** (a + b + fresh) * (1 - p) ** (3 - a - b - fresh)
        other = [fresh if i == index % n else d for i, d in enumerate(data)]
        here, there = table[sum(data)], table[sum(other)]
        risks = [sum((Fraction((t + 2) * (d + 1) ** 2) for d in data), Fraction(0)) / n for t in (here,)]
        gap += weight * (p * (here + 2) * 4 + (1 - p) * (here + 2) - risks[0])
        change += weight * ((here + 2) * (fresh + 1) ** 2 - (there + 2) * (fresh + 1) ** 2)
    assert gap == change


def test_symmetry_is_needed():
    """The first record as the answer, another one replaced: the gap is 2/9 * 2, the change is 0."""
    values = four(first)
    assert values["fresh_loss"] == values["replaced_loss"]
    assert values["population_risk"] > values["empirical_risk"]
    values = four(median)
    assert values["population_risk"] - values["empirical_risk"] == values["fresh_loss"] - values["replaced_loss"] != 0


def test_expectations_by_hand():
    """Two fair bits, their mean, squared loss: population risk 3/8, empirical risk 1/8."""
    found = expectations(mp(30), 2, mean_of)
    assert [found[k] for k in ("population_risk", "empirical_risk", "fresh_loss", "replaced_loss")] == [0.375, 0.125] * 2
    lone = expectations(mp(30), 2, last_of)
    assert lone["population_risk"] - lone["empirical_risk"] != lone["fresh_loss"] - lone["replaced_loss"]


def test_what_the_judge_does_not_read_is_not_certified():
    claim = find(ID)
    assert verdict(replace(claim, adjacency=Adjacency.ADD_REMOVE)) is Verdict.OPEN
    assert verdict(replace(claim, over=claim.over[1:])) is Verdict.OPEN
    assert verdict(replace(claim, asserts=(Relation("gap", "<", "replacement_change"),))) is Verdict.OPEN
    assert verdict(replace(claim, asserts=(Relation("gap", "<=", "replacement_change"),))) is Verdict.CERTIFIED
    moved = with_formula(claim, "gap", lambda m, population_risk, fresh_loss: population_risk - 2 * fresh_loss)
    assert verdict(moved) is Verdict.REFUTED
