"""The claims on proof objects: accepted by the kernel with the ledger's verdict, and not for a neighbour of the statement."""

import copy
import json
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import pytest

from dpsco.__main__ import run
from dpsco.kernel.check import check
from dpsco.kernel.ranges import Rejected
from dpsco.spec.expressions import E, digest
from dpsco.spec.library import statements
from dpsco.verify import deciding
from dpsco.verify.deciding import file_of, judges, proof_object_of, ship, standings, unlike_shipped
from dpsco.verify.edits import edits
from dpsco.verify.objects import kernel_input, report

LEDGER = json.loads((files("dpsco") / "running" / "ledger.json").read_text(encoding="utf-8"))
CLAIMS = sorted(judges())


def expected(id: str) -> str:
    """The ledger's verdict; of a display that states nothing by itself, what its word on the proof says of the display."""
    signed = LEDGER[id]
    return {"broken": "refuted", "holds": "certified"}[signed["proof"]] if signed["verdict"] == "stated" else signed["verdict"]


def test_every_statement_has_a_judge() -> None:
    assert set(CLAIMS) == set(statements())


@pytest.mark.parametrize("id", CLAIMS)
def test_verdict_is_that_of_the_ledger(id: str) -> None:
    assert check(kernel_input(proof_object_of(id))).verdict == expected(id)


@pytest.mark.parametrize("id", ["spo/thm-2", "newsvendor/lem-EC.3-amended", "lp/thm-10-noise"])
def test_same_verdict_in_a_process_of_its_own(id: str) -> None:
    assert report(proof_object_of(id))["verdict"] == expected(id)


def test_what_is_shipped_is_what_the_judges_find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not unlike_shipped(), "proof objects changed; if that is meant: dpsco ledger --sign"
    assert {file.name for file in deciding.SHIPPED.iterdir()} == {file_of(id).name for id in CLAIMS}
    # control: an object that was altered, one that is gone, one of no claim
    monkeypatch.setattr(deciding, "SHIPPED", tmp_path / "shipped")
    ship()
    assert not unlike_shipped()
    altered, gone = file_of("spo/eps0"), file_of("spo/thm-1")
    altered.write_text(altered.read_text(encoding="utf-8").replace("eps0", "eps1"), encoding="utf-8")
    gone.rename(gone.with_name("of_nobody.json"))
    assert unlike_shipped() == ["of_nobody", "spo_eps0", "spo_thm-1"]


@pytest.mark.parametrize("id", CLAIMS)
def test_object_does_not_prove_a_neighbour(id: str) -> None:
    """Each constant of an answered assertion by a tenth, the hash mended: the old proof is not one of the new statement."""
    given = kernel_input(proof_object_of(id))
    claim = statements()[id]
    tried = 0
    for place, (assertion, answer) in enumerate(zip(claim.asserts, given["object"]["answers"]["asserts"], strict=True)):
        if answer is None:
            continue
        for side in (0, 2):
            whole = (assertion.left, assertion.right)[side // 2]
            for _, edited in [one for one in edits(whole) if "tenth" in one[0]][:4]:
                changed = copy.deepcopy(given)
                changed["claim"]["asserts"][place][side] = edited.json()
                changed["object"]["claim"]["sha256"] = digest(changed["claim"])
                tried += 1
                with pytest.raises(Rejected):
                    check(changed)
    assert tried or not any(node.op == "num" for a in claim.asserts for s in (a.left, a.right) for node in s.walk())


def test_neighbour_test_can_fail() -> None:
    """The same change of hash without a change of the statement is accepted."""
    given = copy.deepcopy(kernel_input(proof_object_of("spo/eps0")))
    given["claim"]["title"] += "."
    given["object"]["claim"]["sha256"] = digest(given["claim"])
    assert check(given).verdict == "certified"
    assert E(Fraction(11, 10)) != E(1)


ARGUED = {
    "lp/gen-gaussian-amended",
    "lp/lem-13",
    "lp/lem-16",
    "quantile/thm-3.7-sample",
    "spo/def-12",
    "spo/def-12-amended",
    "spo/def-6",
    "spo/def-6-amended",
    "spo/lem-2",
}


def test_what_is_argued() -> None:
    assert {id for id, one in standings().items() if one.argued} == ARGUED


def test_a_claim_is_checked_by_its_id_and_its_object_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "object.json"
    assert run(["check", "bilevel/lem-A.3", "--write", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "refuted" in shown
    assert "the second checker agrees" in shown
    assert run(["check", str(file)]) == 0
    assert capsys.readouterr().out == shown
    forged = json.loads(file.read_text())
    forged["answers" if "answers" in forged else "object"]["asserts"][0]["at"]["epsilon"] = "1/8"
    file.write_text(json.dumps(forged))
    assert run(["check", str(file)]) == 1
    assert run(["check", "quantile/thm-3.2"]) == 2
    assert "not on a proof object yet" in capsys.readouterr().err
    assert run(["check", str(tmp_path / "no such file")]) == 2
