"""Formulas that no mutant moves: each has a reason, no reason is stale, and what a reason says of the judge is so."""

import pytest

from dpsco.judging import decided
from dpsco.mutant import scaled
from dpsco.mutants.unmoved import OPEN, REASONS, SILENT, STEP, TRUE
from dpsco.running.ledger import read
from dpsco.running.power import WITHIN, enters, reasons, unmoved
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold


def certified() -> list[str]:
    return [id for id, entry in read().items() if entry["verdict"] == "certified"]


def test_every_unmoved_formula_has_a_reason_and_no_reason_is_stale():
    listed = {(id, name) for beside in REASONS.values() for id, names in beside.items() for name in names.split()}
    left = {id: names for id in certified() if (names := unmoved(id))}
    assert {(id, name) for id, names in left.items() for name in names if name not in reasons(id)} == set()
    assert listed - {(id, name) for id, names in left.items() for name in names} == set()
    assert len(listed) == sum(len(names.split()) for beside in REASONS.values() for names in beside.values())
    assert (
        sum(reasons(id)[name] != STEP for id, names in left.items() for name in names) <= 110
    )  # no certificate rests on those


def test_a_formula_that_another_one_or_a_condition_calls_is_found():
    claim = find("newsvendor/thm-8")
    assert enters(claim, "kl") == ["binomial_tail"]  # not deviation_tail_kl: it has kl at other arguments
    assert enters(claim, "pinsker") == []
    assert enters(find("newsvendor/prop-1-amended"), "smoothness_total") == []
    assert any("budget" in says for says in enters(find("newsvendor/prop-1-amended"), "epsilon_product"))
    assert reasons("newsvendor/prop-1-amended")["delta_product"] == WITHIN
    assert reasons("spo/cor-1-amended") == {}


@pytest.mark.parametrize(
    ("id", "name", "why"),
    [
        ("bilevel/eq-18-amended", "M_pure", SILENT),
        ("lp/alg-6-amended", "phase_sigma", SILENT),
        ("quantile/alg-1-amended", "variance", TRUE),
        ("bilevel/lem-3.7", "spacing", OPEN),
        ("bilevel/thm-4.3-amended", "Psi_defined", OPEN),
        ("bilevel/thm-3.8-amended", "time", OPEN),
    ],
)
def test_the_judge_does_what_the_reason_says(id: str, name: str, why: str):
    assert reasons(id)[name] == why
    found = fold(decided(scaled(find(id), name, 1, 1000)))
    assert found is (Verdict.OPEN if why == OPEN else Verdict.CERTIFIED)


def test_a_rate_that_the_risk_leaves_is_refuted_and_one_with_another_constant_is_not():
    claim = find("bilevel/thm-3.1-amended")
    assert fold(decided(scaled(claim, "approximate_rate", 1, 1000))) is Verdict.CERTIFIED
