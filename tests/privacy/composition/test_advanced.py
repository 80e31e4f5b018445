"""Advanced composition, all answers released: the judge, and the rule against convolved losses."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled
from dpsco.mutants.privacy.composition.pure import convolved
from dpsco.reference.numbers.mp import mp
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold

CERTIFIED = "newsvendor/lem-EC.3-amended"


def test_the_rule_holds_where_it_is_a_number():
    for judgement in (judge("newsvendor/lem-EC.3"), judge(CERTIFIED)):
        assert judgement.verdict is Verdict.CERTIFIED
        assert len(judgement.mutants[Fate.KILLED]) == 5
        assert Fate.SURVIVED not in judgement.mutants


def test_without_its_condition_the_rule_is_no_number_above_one():
    """Negative control: the condition is read."""
    bare = replace(find("newsvendor/lem-EC.3"), preconditions=())
    (refuted,) = [f for f in decided(bare, judge_of(bare.id)) if f.verdict is Verdict.REFUTED]
    m = mp(30)
    value = bare.formulas["epsilon_composed"](m, **{name: m.real(value) for name, value in refuted.at.items()})
    assert refuted.computed is not None
    assert value.imag == pytest.approx(m.real(refuted.computed[0]), rel=1e-15)


@given(st.floats(0, 4), st.integers(1, 30), st.floats(0, 0.2), st.floats(-12, 0).map(lambda e: 10.0**e))
def test_the_rule_by_convolution(one: float, k: int, lost: float, slack: float):
    m = mp(50)
    values = {"epsilon": m.real(one), "k": m.real(k), "delta_slack": m.real(slack)}
    formulas = find(CERTIFIED).formulas
    total = formulas["epsilon_composed"](m, **values)
    claimed = formulas["delta_composed"](m, delta=m.real(lost), **{name: values[name] for name in ("k", "delta_slack")})
    assert convolved(m, total, m.real(one), k, m.real(lost)) <= claimed + m.real("1e-40")


@pytest.mark.parametrize(("name", "numerator"), [("epsilon_composed", 50), ("delta_composed", 90)])
def test_judge_rejects_less(name: str, numerator: int):
    """Negative control."""
    decide = judge_of(CERTIFIED)
    assert decide is not None
    assert fold(decided(scaled(find(CERTIFIED), name, numerator, 100), decide)) is Verdict.REFUTED
