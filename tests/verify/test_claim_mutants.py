"""Mutants of statements: no false one is certified, and a kernel that certifies everything is caught."""

from collections.abc import Sequence

import pytest

from dpsco.__main__ import run
from dpsco.spec.expressions import Json
from dpsco.spec.library import statements
from dpsco.verify.claim_mutants import Fate, is_false, kernel_verdicts, mutants, outcome, score
from dpsco.verify.deciding import judges
from dpsco.verify.instances import coverage, instances, within

QUICK = ["lp/lem-13", "spo/def-6", "spo/def-6-amended", "spo/lem-2-amended", "spo/sec-2.3"]
"""Claims whose mutants take a few seconds together; `dpsco check CLAIM --mutants` does any."""


@pytest.mark.parametrize("id", QUICK)
def test_no_false_mutant_is_certified(id: str) -> None:
    found = score(id)
    assert not [one for one in found.outcomes if one.fate is Fate.SURVIVED]
    assert found.count(Fate.KILLED)


def certifies_everything(given: Json) -> Sequence[str]:
    return ["proved"] * len(given["claim"]["asserts"])


def test_kernel_that_certifies_everything_is_caught() -> None:
    found = score("spo/lem-2-amended", certifies_everything)
    honest = score("spo/lem-2-amended")
    assert found.count(Fate.SURVIVED) == honest.count(Fate.KILLED) > 10
    assert not found.count(Fate.KILLED)


def test_kernel_that_refutes_what_is_true_is_caught() -> None:
    """A refutation that is accepted at an instance where the assertion holds is no refutation."""
    claim = statements()["lp/thm-7-young"]
    harmless = next(one for one in mutants(claim) if one.what == "assertion 2, right: 2 by a tenth up")
    usual = instances(claim)
    assert outcome(harmless, claim, [False] * 5, usual, kernel_verdicts).fate is Fate.KILLED
    true = next(one for one in mutants(claim) if one.what == "assertion 2, right: without 2")
    refuting = outcome(true, claim, [False] * 5, usual, lambda _: ["open", "refuted: somewhere", *["open"] * 3])
    assert refuting.fate is Fate.SURVIVED


@pytest.mark.parametrize("id", sorted(judges()))
def test_instances_lie_in_the_domain_and_reach_both_ends(id: str) -> None:
    claim = statements()[id]
    tried = instances(claim)
    assert all(within(claim.domain, at) for at in tried)
    assert len(tried) >= 8
    assert not any(within(claim.domain, at) for at in claim.outside)
    assert all(one.values > 1 for one in coverage(claim, tried))


def test_a_side_without_a_value_is_false_and_a_quantity_without_an_oracle_unknown() -> None:
    claim = statements()["spo/lem-3-amended"]
    at = claim.moved(epsilon=0, delta=0)
    assert is_false(claim.asserts[1], at)
    assert is_false(claim.asserts[1], claim.inside) is False
    iteration = statements()["spo/lem-2"]
    assert is_false(iteration.asserts[1], iteration.inside) is None


def test_command_says_the_score(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "spo/def-6", "--mutants"]) == 0
    assert "false mutants killed" in capsys.readouterr().out
    assert run(["check", "no/claim", "--mutants"]) == 2
