"""`dpsco verify`: the JSON that is promised, exit codes, and the same bytes for the same input."""

import json
import os
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dpsco import __version__
from dpsco.__main__ import run
from dpsco.running import judgements, ledger
from dpsco.spec.register import amendments, register
from dpsco.verdict import Proof, Verdict

PROMISED = {"scope", "verdict", "adjacency", "release", "claimed", "computed", "at", "rung", "method", "effort", "power"}
PROMISED |= {"coverage", "reason"}
CERTIFIED, REFUTED = "spo/thm-2", "bilevel/lem-A.3"


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory, one_at_a_time: None) -> dict[str, Any]:
    """What `dpsco verify --json` writes."""
    file = tmp_path_factory.mktemp("verify") / "out.json"
    assert run(["verify", "--json", str(file)]) == 0
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


def test_every_registered_statement_is_listed(everything: dict[str, Any]):
    assert everything["schema"] == 4
    assert everything["version"] == __version__
    assert [r["id"] for r in everything["claims"]] == list(register())
    assert len(everything["claims"]) >= 238
    assert {r["id"] for r in everything["amendments"]} == set(amendments())
    assert all(r["amends"] in register() for r in everything["amendments"])


def test_records_have_what_is_promised(everything: dict[str, Any]):
    for r in [*everything["claims"], *everything["amendments"]]:
        assert {"id", "verdict", "severity", "proof", "provenance", "findings", "amendments", "witness"} <= set(r)
        assert r["verdict"] in set(Verdict)
        assert (r["severity"] is not None) == (r["verdict"] == "refuted")
        assert set(r["proof"]) == {"word", "step", "number"}
        assert r["proof"]["word"] in set(Proof)
        assert (r["proof"]["step"] is not None) == (r["proof"]["number"] is not None) == (r["proof"]["word"] == "broken")
        assert isinstance(r["witness"], bool)
        assert set(r["amendments"]) <= set(amendments())
        assert r["findings"]
        for finding in r["findings"]:
            assert set(finding) >= PROMISED
            assert finding["rung"] in (None, 1, 2, 3, 4, 5)
            assert all(isinstance(v, str) for v in finding["at"].values())
            assert isinstance(finding["coverage"], list)
            assert finding["verdict"] != "open" or finding["reason"]


def test_numbers_are_decimal_strings_and_bounds_are_ordered(everything: dict[str, Any]):
    numbers = 0
    for r in [*everything["claims"], *everything["amendments"]]:
        for finding in r["findings"]:
            if finding["computed"] is not None:
                low, high = map(Decimal, finding["computed"])
                assert low <= high
                numbers += 1
    assert numbers


def test_no_float_is_written(everything: dict[str, Any]):
    def walk(value: Any) -> None:
        assert not isinstance(value, float)
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            walk(part)

    walk(everything)


def test_a_refutation_is_whole(everything: dict[str, Any]):
    (found,) = [r for r in everything["claims"] if r["id"] == REFUTED]
    assert found["verdict"] == "refuted"
    assert found["amendments"] == [f"{REFUTED}-amended"]
    assert found["witness"] is True
    assert any(f["verdict"] == "refuted" and f["survives"] and f["at"] for f in found["findings"])


def test_the_same_bytes_cached_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from dpsco.running import cache

    monkeypatch.setenv("DPSCO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "unmoved", lambda id: True)  # another person's editor must not decide this test
    written = []
    for name, jobs in (("fresh", "1"), ("cached", "2")):
        assert run(["verify", CERTIFIED, REFUTED, "lp/thm-1", "--jobs", jobs, "--json", str(tmp_path / name)]) == 0
        written.append((tmp_path / name).read_bytes())
    assert len(list((tmp_path / "cache" / "judgements").iterdir())) >= 2
    assert written[0] == written[1]
    assert [r["id"] for r in json.loads(written[0])["claims"]] == [CERTIFIED, REFUTED, "lp/thm-1"]


def test_the_same_bytes_in_another_process_and_order(tmp_path: Path):
    ids = [CERTIFIED, REFUTED, "quantile/cond-1", "newsvendor/thm-3", "quantile/lem-3.1-2"]
    written = []
    for hashes, order, first in (
        ("0", ids, ""),
        ("1", ids[::-1], "from dpsco.reference.numbers.enclosure import arb; arb(30)"),
    ):
        file = tmp_path / hashes
        script = f"{first}\nfrom dpsco.__main__ import run\nrun({['verify', *order, '--jobs', '1', '--json', str(file)]!r})"
        environment = {**os.environ, "PYTHONHASHSEED": hashes, "DPSCO_CACHE": str(tmp_path / f"cache{hashes}")}
        subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=True)
        written.append({r["id"]: json.dumps(r) for r in json.loads(file.read_text(encoding="utf-8"))["claims"]})
    assert set(written[0]) == set(ids)
    assert written[0] == written[1]


def test_the_cache_is_used(monkeypatch: pytest.MonkeyPatch):
    from dpsco.running import cache

    monkeypatch.setattr(cache, "unmoved", lambda id: True)
    cache.forget()
    judgements.judgements([CERTIFIED])

    def unexpected(id: str) -> Any:
        raise AssertionError(f"{id} was judged again")

    monkeypatch.setattr(judgements, "_judged", unexpected)
    assert judgements.judgements([CERTIFIED])[0]["verdict"] == "certified"


@pytest.mark.parametrize(("ids", "code"), [([CERTIFIED], 0), ([REFUTED], 1), ([CERTIFIED, REFUTED], 1), (["lp/thm-1"], 1)])
def test_strict(ids: list[str], code: int):
    assert run(["verify", *ids, "--strict"]) == code
    assert run(["verify", *ids]) == 0


def test_one_broken_judge_does_not_hide_the_others(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    from dpsco.running import cache

    stored: list[str] = []

    def broken(id: str) -> Any:
        raise ZeroDivisionError("no")

    monkeypatch.setattr(judgements, "judge", broken)
    monkeypatch.setattr(cache, "load", lambda id: None)
    monkeypatch.setattr(cache, "store", lambda id, found: stored.append(id))
    assert run(["verify", CERTIFIED, "--jobs", "1"]) == 1
    shown = capsys.readouterr()
    assert "the judge failed: ZeroDivisionError: no" in shown.out
    assert "judge of spo/thm-2 failed" in shown.err
    assert stored == []


def test_the_table(capsys: pytest.CaptureFixture[str]):
    assert run(["verify"]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    for id, entry in ledger.read().items():
        assert re.search(rf"^{re.escape(id)} +\S+ +{entry['verdict']}", shown, flags=re.M), id
    assert "not judged yet" not in shown


def test_an_unjudged_claim_is_counted_and_shown_when_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    from dpsco.running import cache

    load = cache.load
    judged_by_nobody = "newsvendor/lem-5"  # no proof object decides it either
    monkeypatch.setattr(cache, "load", lambda id: load(id) if id != judged_by_nobody else None)
    monkeypatch.setattr(cache, "store", lambda id, found: None)
    monkeypatch.setattr("dpsco.judging.judge_of", lambda id: None)
    assert run(["verify"]) == 0
    shown = capsys.readouterr().out
    assert "1 of the open ones are not judged yet" in shown
    assert not re.search(rf"^{re.escape(judged_by_nobody)} ", shown, flags=re.M)
    assert run(["verify", judged_by_nobody]) == 0
    assert "not judged yet" in capsys.readouterr().out


def test_json_on_standard_output_is_alone(capsys: pytest.CaptureFixture[str]):
    assert run(["verify", CERTIFIED, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["claims"][0]["id"] == CERTIFIED
