"""The regularised mechanism as an algorithm: stated, and not private at its temperature."""

from dataclasses import replace

from dpsco.judging import decided, judge, judge_of
from dpsco.spec.claim import Relation
from dpsco.spec.register import find
from dpsco.verdict import Reading, Verdict, fold

ID = "bilevel/eq-5"


def test_stated_with_the_density_refuted_beside():
    judgement = judge(ID)
    assert judgement.verdict is Verdict.STATED
    (beside,) = [f for f in judgement.findings if f.reading is Reading.MEANT]
    assert beside.verdict is Verdict.REFUTED


def test_judge_reads_assertions_and_releases():
    decide = judge_of(ID)
    assert decide is not None
    assert fold(decided(replace(find(ID), asserts=(Relation("k", "<=", "k_rate"),)), decide)) is Verdict.OPEN
    assert fold(decided(replace(find(ID), releases="x and Phi_Z(x)"), decide)) is Verdict.OPEN
