"""What a verdict rests on: said behind its word, and never that the kernel decided what it did not."""

from typing import Any

import pytest

from dpsco.running import grounds
from dpsco.running.judgements import judgements
from dpsco.running.record import record
from dpsco.spec.library import statements
from dpsco.verdict import Verdict


def resting(by: str, verdict: str = "certified", prose: int = 0, argued: int = 0) -> dict[str, Any]:
    lemmas = {"kernel": ["one"], "rocq": [], "cited": ["two"], "prose": [f"lemma {k}" for k in range(prose)]}
    return {"verdict": verdict, "grounds": {"by": by, **lemmas, "argued": ["(a)"] * argued}}


@pytest.mark.parametrize(
    ("found", "headline"),
    [
        (resting("kernel"), "certified"),
        (resting("kernel", "refuted"), "refuted"),
        (resting("kernel", prose=1), "certified, given 1 prose lemma"),
        (resting("kernel", prose=2), "certified, given 2 prose lemmas"),
        (resting("kernel", prose=2, argued=1), "certified, argued"),
        (resting("judge"), "certified, by a judge"),
        (resting("judge", "refuted", prose=3), "refuted, by a judge, given 3 prose lemmas"),
        (resting("kernel", "stated", prose=3), "stated"),
        ({"verdict": "open", "grounds": None}, "open"),
    ],
)
def test_headline(found: dict[str, Any], headline: str):
    assert grounds.headline(found) == headline


def test_counted_apart():
    found = [
        resting("kernel"),
        resting("kernel"),
        resting("judge", prose=1),
        resting("judge"),
        resting("kernel", prose=1, argued=1),
    ]
    said = "2 by the kernel; 1 argued; 1 by a judge; 1 by a judge, given prose lemmas"
    assert grounds.counted([*found, resting("kernel", "stated")]) == said


@pytest.mark.parametrize("id", ["spo/eps0", "spo/thm-1", "lp/lem-13", "spo/def-12"])
def test_a_judgement_says_what_the_kernel_checked(id: str):
    (found,) = judgements([id])
    assert found["grounds"] == grounds.checked(id)[1]
    assert found["grounds"]["by"] == grounds.KERNEL


def test_a_judgement_without_an_object_is_its_judges():
    (found,) = judgements(["bilevel/thm-3.2-amended"])
    assert found["grounds"]["by"] == grounds.JUDGE
    assert found["grounds"]["prose"] == sorted({lemma["name"] for f in found["findings"] for lemma in f["lemmas"]})
    assert "by a judge" in grounds.headline(found)


def test_control_judge_and_kernel_that_differ_decide_nothing(monkeypatch: pytest.MonkeyPatch):
    found = {"id": "spo/eps0", "verdict": "certified", "proof": {"word": "not judged"}}
    assert grounds.decided(found)["by"] == grounds.KERNEL
    rests = grounds.checked("spo/eps0")[1]
    monkeypatch.setattr(grounds, "checked", lambda id: (Verdict.REFUTED, rests))
    with pytest.raises(ValueError, match="the kernel says refuted of the proof object of spo/eps0, its judge certified"):
        grounds.decided(found)


def test_only_what_is_decided_has_grounds():
    from dpsco.judging import judge

    assert record(judge("spo/def-12"))["grounds"] is None
    assert set(statements()) == {id for id in statements() if grounds.has_object(id)}
    assert not grounds.has_object("spo/thm-5")
