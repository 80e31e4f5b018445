"""Optimal composition of pure mechanisms against enumeration, and against the theorems that bound it."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled
from dpsco.mutants.privacy.composition.pure import convolved
from dpsco.reference.numbers.mp import mp
from dpsco.reference.privacy.composition.pure import optimal, optimal_pure
from dpsco.spec.domain import reals
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold


def enumerated(m, epsilon, one, k: int):
    """The least delta of k-fold randomised response by summing over its 2^k outcomes."""
    yes = m.exp(one) / (1 + m.exp(one))
    total = m.real(0)
    for outcome in product((0, 1), repeat=k):
        p = q = m.real(1)
        for answer in outcome:
            p, q = (p * yes, q * (1 - yes)) if answer else (p * (1 - yes), q * yes)
        total += m.max(0, p - m.exp(epsilon) * q)
    return total


@pytest.mark.parametrize("k", [1, 2, 3, 6])
@pytest.mark.parametrize(("epsilon", "one"), [("0", "0.5"), ("0.7", "0.5"), ("3", "1.5")])
def test_matches_enumeration(k: int, epsilon: str, one: str):
    m = mp(50)
    assert optimal(m, m.real(epsilon), m.real(one), m.real(0), k) == pytest.approx(
        enumerated(m, m.real(epsilon), m.real(one), k), rel=1e-40, abs=1e-45
    )


@given(st.floats(0.01, 1), st.integers(1, 30), st.floats(-10, -1).map(lambda e: 10.0**e))
def test_never_beyond_basic_and_advanced_composition(one: float, k: int, delta: float):
    m = mp(50)
    e = m.real(one)
    assert optimal(m, k * e, e, m.real(0), k) <= m.real("1e-40")
    advanced = e * m.sqrt(2 * k * m.log(1 / m.real(delta))) + k * e * m.expm1(e)
    assert optimal(m, advanced, e, m.real(0), k) <= m.real(delta)
    assert optimal(m, m.real(0), e, m.real(0), k) > 0  # negative control: at epsilon = 0 something is lost


def test_rules_hold_where_they_are_numbers():
    for judgement in (judge("spo/lem-3"), judge("spo/lem-3-amended")):
        assert judgement.verdict is Verdict.CERTIFIED
        assert len(judgement.mutants[Fate.KILLED]) == 4
        assert Fate.SURVIVED not in judgement.mutants


def test_without_its_condition_the_rule_is_no_number_above_one():
    """Negative control: the condition is read."""
    bare = replace(find("spo/lem-3"), preconditions=())
    (refuted,) = [f for f in decided(bare, judge_of(bare.id)) if f.verdict is Verdict.REFUTED]
    m = mp(30)
    at = {name: m.real(value) for name, value in refuted.at.items()}
    value = bare.formulas["advanced"](m, k=at["k"], epsilon=at["epsilon"], delta=at["delta"])
    assert refuted.computed is not None
    assert value.imag == pytest.approx(m.real(refuted.computed[0]), rel=1e-15)


def test_per_step_parameter_is_certified():
    judgement = judge("spo/eps0")
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) == 6
    assert Fate.SURVIVED not in judgement.mutants


@given(st.floats(0.001, 5), st.integers(1, 40), st.floats(-12, 0).map(lambda e: 10.0**e))
def test_printed_rule_by_convolution(one: float, k: int, delta: float):
    """The route of the mutants on the claim itself, over parameters that the judge does not use."""
    m = mp(50)
    total = find("spo/lem-3").formulas["advanced"](m, k=k, epsilon=m.real(one), delta=m.real(delta))
    assert convolved(m, total, m.real(one), k) <= m.real(delta) + m.real("1e-40")


@given(st.floats(0.01, 3), st.integers(1, 30), st.floats(0, 1))
def test_convolution_and_binomial_sum_agree(one: float, k: int, share: float):
    m = mp(50)
    total = m.real(share) * k * m.real(one)
    assert convolved(m, total, m.real(one), k) == pytest.approx(optimal_pure(m, total, m.real(one), k), rel=1e-30, abs=1e-40)
    lost = m.real("0.01")
    outright = convolved(m, total, m.real(one), k, lost)
    assert outright == pytest.approx(optimal(m, total, m.real(one), lost, k), rel=1e-30)


@pytest.mark.parametrize(("name", "numerator"), [("basic", 99), ("advanced", 50)])
def test_judge_rejects_less(name: str, numerator: int):
    """Negative control: half of the printed epsilon is too little, and so is any less than k epsilon."""
    decide = judge_of("spo/lem-3-amended")
    assert decide is not None
    assert fold(decided(scaled(find("spo/lem-3-amended"), name, numerator, 100), decide)) is Verdict.REFUTED


def test_a_negative_epsilon_is_not_certified():
    """The certificates are for nonnegative numbers: on a wider domain they do not speak."""
    claim, decide = find("spo/lem-3-amended"), judge_of("spo/lem-3-amended")
    assert decide is not None
    wider = tuple(p.within(reals) if p.name == "epsilon" else p for p in claim.parameters)
    assert fold(decided(replace(claim, parameters=wider), decide)) is Verdict.OPEN
