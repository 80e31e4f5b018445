"""Registered assertions at free instances: what is tied has a reason that is so, and a judge that errs is named."""

import pytest

from dpsco.arguments.comparing import certified
from dpsco.arguments.free_numbers import TIED, TRIED, fails, free
from dpsco.arguments.sides import readable, violations
from dpsco.instances.inside import points
from dpsco.judging import judge
from dpsco.mutant import scaled
from dpsco.spec.register import amendments, find, register
from dpsco.verdict import Finding

ID = "lp/lem-19-amended"
NAME = "square_mean_sharp"


def sure(claim) -> list[Finding]:
    return [certified("all", "a test", asserts=claim.asserts)]


def test_what_is_tied_fails_at_numbers_that_are_put_together():
    everything = {**register(), **amendments()}
    for id in TIED:
        stated = [everything[name] for name in (id, f"{id}-amended") if name in everything]
        assert any(any(violations(claim, points(claim, TRIED), readable(claim))) for claim in stated), id
        assert not any(map(free, stated))


def test_a_true_assertion_does_not_fail_and_a_moved_one_does():
    claim = find(ID)
    assert free(claim)
    assert not list(fails(claim, sure(claim)))
    moved = scaled(claim, NAME, 1000, 1)
    ((relation, at),) = fails(moved, sure(moved))
    assert relation in claim.asserts
    assert set(at) == {p.name for p in claim.parameters}
    assert not list(fails(moved, []))


def test_a_registered_judge_that_certifies_it_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dpsco.judging.find", lambda id: scaled(find(id), NAME, 1000, 1))
    monkeypatch.setattr("dpsco.judging.judge_of", lambda id: sure)
    with pytest.raises(ArithmeticError, match=f"the judge of {ID} certifies .* fails at"):
        judge(ID, with_mutants=False)
