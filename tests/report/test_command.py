"""`dpsco report`: what it writes, where it refuses to."""

from pathlib import Path

import pytest

from dpsco.command.report import report
from dpsco.command.screen import BadInputError
from dpsco.report import auditor, benchmarks
from dpsco.running import judgements
from dpsco.running.record import Record


@pytest.fixture
def few(records: list[Record], monkeypatch: pytest.MonkeyPatch) -> list[Record]:
    """One claim of each paper and what mends it: the command asks for all, and is given these."""
    wanted = {"spo/thm-2", "quantile/thm-3.4", "newsvendor/thm-3", "bilevel/lem-A.3", "lp/thm-10"}
    kept = [r for r in records if r["id"] in wanted or r.get("amends") in wanted]
    monkeypatch.setattr(judgements, "judgements", lambda ids, jobs, progress: kept)
    return kept


def test_the_site_is_written_and_may_be_written_again(few: list[Record], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = tmp_path / "new" / "site"
    assert report(folder, jobs=1) == 0
    said = capsys.readouterr().out
    assert "index.html" in said
    before = {file: file.read_bytes() for file in folder.rglob("*.html")}
    assert f"{len(before)} pages" in said
    assert len(list((folder / "claims").iterdir())) == len(few)
    assert report(folder, jobs=1) == 0
    assert {file: file.read_bytes() for file in folder.rglob("*.html")} == before


def test_a_judge_that_failed_is_an_exit_status(few: list[Record], tmp_path: Path):
    few[0]["findings"][0]["reason"] = f"{judgements.FAILED}: ValueError: x"
    try:
        assert report(tmp_path, jobs=1) == 1
    finally:
        few[0]["findings"][0]["reason"] = None


def test_other_files_are_left_alone(tmp_path: Path):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(BadInputError, match="other files"):
        report(tmp_path, jobs=1)
    with pytest.raises(BadInputError, match="not a directory"):
        report(tmp_path / "thesis.tex", jobs=1)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_benchmarks_are_shown_as_they_are_written(tmp_path: Path, read: type):
    file = tmp_path / "bench.json"
    assert "dpsco bench --json bench.json" in read(benchmarks.benchmarks_page("0", file)).text
    file.write_text(
        '{"machine": {"cores": 2}, "rows": [{"job": "a < b", "our_seconds": 1.23456, "peers": {"x": 2.5}, "won": true}]}'
    )
    page = read(benchmarks.benchmarks_page("0", file))
    assert not page.wrong
    for part in ("a < b", "our seconds", "1.235", "x 2.5", "yes", "cores"):
        assert part in page.text


def test_the_auditors_measurements_are_drawn(tmp_path: Path, read: type):
    assert "docs/auditor.txt is not part of this installation" in read(auditor.auditor_page("0", tmp_path)).text
    (tmp_path / "auditor.txt").write_text(
        "False alarms: of two\n  one         4.8 %  [  3.9,   5.8]\n  a group\n    100.0 %  [ 94.0, 100.0]   0.0 %\n\n"
        f"Broken: of `two`\n{'':30}broken   sound  replay\n  batch-size   76.7 %  [ 64.0,  86.6]   0.0 %  yes\n"
    )
    (tmp_path / "peers.md").write_text("# Questions\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    page = read(auditor.auditor_page("0", tmp_path))
    assert not page.wrong
    for part in ("4.8 %", "3.9 to 5.8 %", "94 to 100 %", "76.7 %", "replay", "yes", "Questions"):
        assert part in page.text
    bars = [attributes for _, attributes in page.all("rect") if attributes["class"] == "range"]
    assert [(int(bar["x"]), int(bar["width"])) for bar in bars] == [(5, 2), (113, 7), (77, 27)]
