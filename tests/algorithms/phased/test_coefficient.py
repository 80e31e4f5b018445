"""Phased empirical risk minimisation: its coefficient, and what the printed noise of an estimate is worth."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judges.algorithms.phased.coefficient import shift
from dpsco.judging import Judgement, decided, judge, judge_of
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.phased.coefficient import by_halving, differs
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.numbers.mp import mp
from dpsco.spec.register import find
from dpsco.verdict import Reading, Verdict, fold

ID = "quantile/app-C-coefficient"


@pytest.fixture(scope="module")
def judgement() -> Judgement:
    return judge(ID)


def test_identity_is_certified_with_every_mutant_killed(judgement: Judgement):
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) == 8
    assert set(judgement.mutants) == {Fate.KILLED, Fate.TRUE}


@given(st.integers(1, 10**9), st.fractions("1/100", 100), st.integers(1, 60))
def test_both_forms_are_the_halved_number(n: int, eta: Fraction, i: int):
    claim = find(ID)
    assert not differs(claim, "coefficient", n, eta, i)
    assert not differs(claim, "coefficient_simplified", n, eta, i)
    assert by_halving(n, eta, i) == Fraction(8**i) / (n * eta)
    assert by_halving(n, eta, i + 1) == 8 * by_halving(n, eta, i)


def test_judge_reads_the_sizes_and_steps():
    """The coefficient must be that of the printed n_i and eta_i, which the identity alone does not show."""
    decide = judge_of(ID)
    assert decide is not None
    moved = with_formula(find(ID), "batch_size", lambda m, n, i: n / 3**i)
    assert fold(decided(moved, decide)) is Verdict.REFUTED


def minimiser(slopes: list[Fraction], centre: Fraction, coefficient: Fraction) -> Fraction:
    """Least average of slope * theta plus coefficient (theta - centre)^2, d = 1."""
    return centre - sum(slopes, start=Fraction(0)) / len(slopes) / (2 * coefficient)


def test_a_record_moves_the_minimiser_by_the_lipschitz_constant_times_the_step():
    """n = 64, eta = 1/2, i = 2, L = 3: sixteen records, eta_i = 1/32."""
    others, c = [Fraction(3)] * 15, by_halving(64, Fraction(1, 2), 2)
    moved = minimiser([Fraction(3), *others], Fraction(1), c) - minimiser([Fraction(-3), *others], Fraction(1), c)
    assert abs(moved) == Fraction(3, 32)


def test_literal_noise_is_too_little_by_quadrature(judgement: Judgement):
    m = mp(60)
    literal, own = [f for f in judgement.findings if f.reading is not Reading.PRINTED]
    assert (literal.reading, own.reading) == (Reading.ANOTHER, Reading.MEANT)
    assert (literal.verdict, own.verdict) == (Verdict.REFUTED, Verdict.CERTIFIED)
    values = {name: m.real(value) for name, value in literal.at.items()}
    delta = hockey_stick(shift(find(ID), m, values, 1), values["epsilon"])
    assert delta == pytest.approx(m.real((literal.computed or ("0", "0"))[0]), rel=1e-9)
    assert delta > values["delta"]
    assert hockey_stick(shift(find(ID), m, values, 0), values["epsilon"]) < values["delta"]


def test_less_noise_is_not_certified():
    """Negative control: a third of the printed scale."""
    decide = judge_of(ID)
    assert decide is not None
    *_, own = decided(scaled(find(ID), "phase_noise", 1, 3), decide)
    assert own.verdict is Verdict.OPEN
