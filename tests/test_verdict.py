"""Folding findings, and what a finding must say of itself."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judging import NOT_JUDGED, decided, judge, judge_of
from dpsco.mutant import Fate, Mutant, carried_over, fate, scaled
from dpsco.spec.domain import Choice, Domain, Integers, Interval, Vectors, nonnegative, positive, reals, within
from dpsco.spec.register import find, register
from dpsco.verdict import Finding, Part, Proof, Reading, Rung, Severity, Verdict, fold, proof, worst


def made(verdict: Verdict, reading: Reading = Reading.PRINTED, severity: Severity = Severity.DOMAIN) -> Finding:
    return Finding(
        scope="a scope",
        verdict=verdict,
        rung=Rung.EXACT,
        reading=reading,
        reason="why",
        severity=severity if verdict is Verdict.REFUTED else None,
        survives="the rest" if verdict is Verdict.REFUTED else None,
    )


def step(verdict: Verdict, scope: str = "a step", reading: Reading = Reading.PRINTED) -> Finding:
    survives = "the rest" if verdict is Verdict.REFUTED else None
    made_of = {"rung": Rung.EXACT, "about": Part.PROOF, "reason": "why", "survives": survives, "at": {"n": "1"}}
    return Finding(scope=scope, verdict=verdict, reading=reading, **made_of)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("findings", "printed", "verdict", "word"),
    [
        ([made(Verdict.CERTIFIED), step(Verdict.REFUTED)], True, Verdict.CERTIFIED, Proof.BROKEN),
        ([made(Verdict.OPEN), step(Verdict.INCONSISTENT)], True, Verdict.OPEN, Proof.BROKEN),
        ([made(Verdict.REFUTED), step(Verdict.CERTIFIED)], True, Verdict.REFUTED, Proof.HOLDS),
        ([made(Verdict.CERTIFIED), step(Verdict.CERTIFIED), step(Verdict.OPEN)], True, Verdict.CERTIFIED, Proof.NOT_JUDGED),
        ([made(Verdict.CERTIFIED)], True, Verdict.CERTIFIED, Proof.NOT_JUDGED),
        ([made(Verdict.CERTIFIED)], False, Verdict.CERTIFIED, Proof.NOT_PRINTED),
        ([made(Verdict.CERTIFIED), step(Verdict.REFUTED, reading=Reading.MEANT)], True, Verdict.CERTIFIED, Proof.NOT_JUDGED),
        ([step(Verdict.REFUTED), step(Verdict.CERTIFIED)], True, Verdict.STATED, Proof.BROKEN),
        ([made(Verdict.CERTIFIED, Reading.MEANT), step(Verdict.CERTIFIED)], True, Verdict.STATED, Proof.HOLDS),
    ],
)
def test_the_statement_and_its_proof_are_said_apart(findings: list[Finding], printed: bool, verdict: Verdict, word: Proof):
    assert (fold(findings), worst(findings) is None, proof(findings, printed)) == (
        verdict,
        verdict is not Verdict.REFUTED,
        word,
    )


@pytest.mark.parametrize("wrong", [{"at": {}}, {"survives": None}, {"severity": Severity.RATE}])
def test_a_refuted_step_has_an_instance_says_what_survives_and_has_no_severity(wrong: dict[str, object]):
    with pytest.raises(ValueError, match="finding"):
        replace(step(Verdict.REFUTED), **wrong)  # type: ignore[arg-type]


def test_assertions_that_are_steps_are_about_the_proof_but_not_in_an_amendment():
    claim = find("bilevel/lem-3.5")
    steps = {relation for relation in claim.asserts if relation.step}
    assert {f.about for f in decided(claim) if set(f.asserts) <= steps and f.asserts} == {Part.PROOF}
    assert {f.about for f in decided(claim) if not set(f.asserts) <= steps} == {Part.STATEMENT}
    assert {f.about for f in decided(find("bilevel/lem-3.5-amended"))} == {Part.STATEMENT}


def test_mutants_of_an_amendment_are_carried_over_where_the_formula_is_the_same():
    printed, amended = find("newsvendor/thm-2-approx"), find("newsvendor/thm-2-approx-amended")
    less, other = (Mutant(name, scaled(amended, name, 1, 2), lambda: True) for name in ("smoothing_error", "increment"))
    (found,) = carried_over(printed, amended, [less, other], "smoothing_error")
    assert found.claim.id == printed.id
    assert found.claim.formulas["increment"] is printed.formulas["increment"]
    with pytest.raises(ValueError, match="share"):
        carried_over(printed, amended, [less, other], "increment")


ORDER = ("refuted", "vacuous", "inconsistent", "open", "consistent", "asserted by its author", "certified", "stated")


@given(st.lists(st.sampled_from(Verdict), min_size=1))
def test_the_first_in_the_fixed_order_decides(verdicts: list[Verdict]):
    assert fold(map(made, verdicts)) == min(verdicts, key=lambda v: ORDER.index(v.value))


def test_a_meant_reading_stands_beside():
    findings = [made(Verdict.CERTIFIED), made(Verdict.REFUTED, Reading.MEANT)]
    assert fold(findings) is Verdict.CERTIFIED
    assert worst(findings) is None


def test_nothing_found_is_open():
    assert fold([]) is Verdict.OPEN


def test_gravest_severity_counts():
    findings = [made(Verdict.REFUTED, severity=s) for s in (Severity.MISPRINT, Severity.CONSTANT, Severity.DOMAIN)]
    assert worst(findings) is Severity.CONSTANT


@pytest.mark.parametrize(
    "incomplete",
    [
        {"verdict": Verdict.OPEN},
        {"verdict": Verdict.REFUTED, "rung": Rung.POINT},
        {"verdict": Verdict.CERTIFIED},
        {"verdict": Verdict.CERTIFIED, "rung": Rung.POINT},
        {"verdict": Verdict.CERTIFIED, "rung": Rung.SAMPLE},
    ],
)
def test_incomplete_findings_are_refused(incomplete: dict[str, object]):
    with pytest.raises(ValueError, match=r"finding|certifies"):
        Finding(scope="a scope", **incomplete)  # type: ignore[arg-type]


def test_a_claim_without_a_judge_is_open_and_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dpsco.judging.judge_of", lambda id: None)
    judgement = judge("quantile/cond-1")
    assert judgement.verdict is Verdict.OPEN
    assert judgement.findings[0].reason == NOT_JUDGED


def test_every_claim_has_a_judge():
    assert all(judge_of(id) is not None for id in register())


def test_fates_of_mutants():
    claim = find("bilevel/lem-A.3-amended")
    mutant = Mutant("half the noise", scaled(claim, "sigma", 1, 2), lambda: True)
    blind, sharp = (lambda c: [made(Verdict.CERTIFIED)]), (lambda c: [made(Verdict.REFUTED)])
    true, false = [made(Verdict.CERTIFIED)], [made(Verdict.REFUTED)]
    assert fate(mutant, sharp, true) is Fate.KILLED
    assert fate(mutant, blind, true) is Fate.SURVIVED
    assert fate(mutant, sharp, false) is Fate.PARENT_REFUTED
    assert fate(Mutant("?", claim, lambda: None), sharp, true) is Fate.UNKNOWN
    assert fate(Mutant("true", claim, lambda: False), blind, true) is Fate.TRUE


def test_a_step_that_was_false_before_is_no_notice():
    """A mutant of a true statement with a broken proof is killed by what is newly found false, and by nothing else."""
    mutant = Mutant("moved", find("bilevel/lem-A.3-amended"), lambda: True)
    broken = [made(Verdict.CERTIFIED), step(Verdict.REFUTED, "one")]
    assert fate(mutant, lambda c: broken, broken) is Fate.SURVIVED
    assert fate(mutant, lambda c: [*broken, step(Verdict.REFUTED, "another")], broken) is Fate.KILLED
    assert fate(mutant, lambda c: [made(Verdict.REFUTED), *broken[1:]], broken) is Fate.KILLED


@pytest.mark.parametrize("moved", [{"releases": "the data"}, {"over": ("data sets that differ in every record",)}])
def test_a_certificate_is_for_the_text_it_was_written_for(moved: dict[str, object]):
    claim = find("bilevel/lem-A.3-amended")
    decide = judge_of(claim.id)
    assert decide is not None
    assert fold(decided(claim, decide)) is Verdict.CERTIFIED
    assert fold(decided(replace(claim, **moved), decide)) is not Verdict.CERTIFIED


@pytest.mark.parametrize("id", ["bilevel/eq-9", "bilevel/lem-C.2", "lp/lem-12", "newsvendor/lem-5"])
def test_a_certificate_falls_with_the_domain_of_a_parameter(id: str):
    claim, decide = find(id), judge_of(id)
    assert decide is not None
    assert fold(decided(claim, decide)) is Verdict.CERTIFIED
    for place, parameter in enumerate(claim.parameters):
        if isinstance(parameter.domain, Interval) and parameter.domain != reals:
            widened = (*claim.parameters[:place], parameter.within(reals), *claim.parameters[place + 1 :])
            assert fold(decided(replace(claim, parameters=widened), decide)) is not Verdict.CERTIFIED, parameter.name


@pytest.mark.parametrize(
    ("narrow", "wide", "holds"),
    [
        (positive, nonnegative, True),
        (nonnegative, positive, False),
        (Integers(1), positive, True),
        (Integers(0), positive, False),
        (Integers(1, 51), Integers(1), True),
        (Integers(1), Integers(1, 51), False),
        (Interval("0", "0.5", True, False), Interval("0", "1"), True),
        (Interval("-inf", "1"), positive, False),
        (Choice(("a",)), Choice(("a", "b")), True),
        (Choice(("a", "c")), Choice(("a", "b")), False),
        (Vectors("d", positive), Vectors("d", reals), True),
        (Vectors("n", positive), Vectors("d", positive), False),
        (positive, Choice(("1",)), False),
    ],
)
def test_a_domain_lies_in_another_or_it_is_not_said(narrow: Domain, wide: Domain, holds: bool):
    assert within(narrow, wide) is holds
