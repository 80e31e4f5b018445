"""A paper from outside the tree is registered, judged, cached and witnessed as the five are; what is no paper is refused."""

import json
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

import pytest

from dpsco.__main__ import run
from dpsco.extending.own_papers import bring
from dpsco.extending.sources import named, sources_of
from dpsco.judging import judge, judge_of
from dpsco.mutant import Fate
from dpsco.running import cache
from dpsco.running.judgements import at_hand, judgements
from dpsco.running.record import Record, witness_file
from dpsco.spec import register
from dpsco.verdict import Verdict


def test_a_file_is_judged_like_the_tree(written: Callable[..., tuple[str, Path]]):
    key, file = written()
    assert bring(str(file)) == key == bring(str(file)), "a second time changes nothing"
    holds, fails = judge(f"{key}/thm-1"), judge(f"{key}/thm-2")
    assert holds.verdict is Verdict.CERTIFIED
    assert dict(holds.mutants) == {Fate.KILLED: ("left doubled", "left tripled", "half the bound")}
    assert fails.verdict is Verdict.REFUTED
    assert {f"{key}/thm-1", f"{key}/thm-2"} <= set(register.register())
    assert len(register.register()) - 2 == sum(not id.startswith("squares") for id in register.register())


def test_the_five_papers_do_not_notice(written: Callable[..., tuple[str, Path]]):
    before = cache.key("spo/thm-2")
    _, file = written()
    bring(str(file))
    cache.forget()
    assert cache.key("spo/thm-2") == before
    assert judge_of("spo/thm-2") is not None


def test_the_cache_is_keyed_by_the_content(written: Callable[..., tuple[str, Path]]):
    key, file = written()
    id = f"{key}/thm-1"
    bring(str(file))
    assert at_hand(id) is None
    (found,) = judgements([id])
    assert at_hand(id) == found
    before = cache.key(id)
    text = file.read_text(encoding="utf-8")
    file.write_text(text + "# edited\n", encoding="utf-8")
    cache.forget()
    assert cache.key(id) != before
    assert at_hand(id) is None
    (again,) = judgements([id])  # the module that runs is not what the disk says: nothing is kept
    assert again["verdict"] == "certified"
    assert at_hand(id) is None


def test_what_stands_beside_counts(written: Callable[..., tuple[str, Path]], tmp_path: Path):
    key, file = written(
        "import helper_a\n", helper_a="import helper_b\n", helper_b="from dpsco.spec import claim\n", other="x = 1\n"
    )
    assert {f.name for f in sources_of(key, file)} == {file.name, "helper_a.py", "helper_b.py"}
    assert "dpsco.spec.claim" in named(sources_of(key, file))
    package = tmp_path / "a_package"
    package.mkdir()
    for name in ("__init__", "one", "two"):
        (package / f"{name}.py").write_text("from . import two\n" if name == "__init__" else "", encoding="utf-8")
    assert len(sources_of("a_package", package / "__init__.py")) == 3
    assert len(sources_of("a_package.one", package / "one.py")) == 3


def test_the_commands_read_it(written: Callable[..., tuple[str, Path]], capsys: pytest.CaptureFixture[str]):
    key, file = written()
    assert run(["verify", "--from", str(file), "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [claim["verdict"] for claim in found["claims"]] == ["certified", "refuted"]
    assert run(["verify", "--from", str(file), "--strict", f"{key}/thm-1"]) == 0
    assert run(["verify", "--from", str(file), "--strict"]) == 1
    assert run(["claims", "--from", str(file)]) == 0
    shown = capsys.readouterr().out
    assert f"{key}/thm-2" in shown
    assert "spo/" not in shown
    assert run(["witness", f"{key}/thm-2", "--from", str(file)]) == 2
    assert "none is written yet" in capsys.readouterr().err
    script = file.parent / "witnesses" / f"{key}_thm-2.py"
    script.parent.mkdir()
    script.write_text("print(1 > 0.5)\n", encoding="utf-8")
    assert witness_file(f"{key}/thm-2") == script
    assert run(["witness", f"{key}/thm-2", "--from", str(file)]) == 0
    assert capsys.readouterr().out == "print(1 > 0.5)\n"
    assert run(["review", f"{key}/thm-2", "--format", "latex", "--from", str(file)]) == 0
    assert "It holds on [0, 1/2]." in capsys.readouterr().out


def test_the_report_shows_it(
    written: Callable[..., tuple[str, Path]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    key, file = written()
    script = file.parent / "witnesses" / f"{key}_thm-2.py"
    script.parent.mkdir()
    script.write_text("print(1 > 0.5)\n", encoding="utf-8")
    asked: list[str] = []

    def few(ids: Sequence[str], jobs: int, watch: object) -> list[Record]:
        asked.extend(ids)
        return judgements([id for id in ids if id.startswith(f"{key}/")])

    monkeypatch.setattr("dpsco.running.judgements.judgements", few)
    assert run(["report", str(tmp_path / "site"), "--from", str(tmp_path / "none.py")]) == 2
    assert "--from: no paper at" in capsys.readouterr().err
    assert not asked
    assert run(["report", str(tmp_path / "site"), "--jobs", "1", "--from", str(file)]) == 0
    assert {"spo/thm-2", f"{key}/thm-1", f"{key}/thm-2"} <= set(asked)
    assert f"papers/{key}.html" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    page = (tmp_path / "site" / "claims" / f"{key}_thm-2.html").read_text(encoding="utf-8")
    assert f"dpsco verify --from {file.name} {key}/thm-2" in page
    assert f"<code>{file.name}</code>" in page
    assert f"<code>witnesses/{key}_thm-2.py</code>" in page


def test_what_stands_beside_takes_no_module_s_place(
    written: Callable[..., tuple[str, Path]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A file beside the paper that is called as a module of the path: whoever imports that name gets the module of the path."""
    path = tmp_path / "path"
    path.mkdir()
    (path / "called_alike.py").write_text("whose = 'the path'\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(path))
    _, file = written(called_alike="whose = 'the paper'\n")
    before = list(sys.path)
    bring(str(file))
    assert sys.path == [*before, str(file.parent)]
    assert import_module("called_alike").whose == "the path"


def test_processes_are_told(written: Callable[..., tuple[str, Path]]):
    key, file = written()
    bring(str(file))
    found = judgements([f"{key}/thm-1", f"{key}/thm-2"], jobs=2)
    assert [one["verdict"] for one in found] == ["certified", "refuted"]


def test_an_installed_paper_is_found_by_name(
    written: Callable[..., tuple[str, Path]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    key, _ = written()
    info = tmp_path / f"{key}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {key}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[dpsco.papers]\nannounced = {key}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert run(["verify", "--from", "unannounced"]) == 2
    assert "announced" in capsys.readouterr().err
    assert bring("announced") == key
    assert judge(f"{key}/thm-1").verdict is Verdict.CERTIFIED


CLAIM = 'Claim(id="mine/a", kind=Kind.BOUND, source=PAPER.at("A"), says="x")'
HEAD = (
    'from dpsco.spec.claim import Claim, Kind\nfrom dpsco.spec.papers import Paper\nPAPER = Paper("mine", "N", "T", "whole")\n'
)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("claims = []", "PAPER"),
        (HEAD, "claims"),
        (f"{HEAD}claims = [{CLAIM}]\nJUDGES = {{'mine/b': None}}", "JUDGES names mine/b"),
        (f"{HEAD}claims = [{CLAIM}]\nMUTANTS = {{'mine/b': None}}", "MUTANTS names mine/b"),
        (f"{HEAD}claims = [{CLAIM}, {CLAIM}]", "stands in"),
        (f"{HEAD.replace('mine', 'spo')}claims = [{CLAIM.replace('mine', 'spo')}]", "registered paper"),
        (f"{HEAD}claims = [{CLAIM.replace('mine', 'yours')}]", "must start with mine/"),
        (f"{HEAD}claims = [Claim(id='mine/a', kind=Kind.BOUND, source=PAPER.at('A'), says='x', amends='mine/b')]", "amends"),
    ],
)
def test_what_is_no_paper_is_refused(written: Callable[..., tuple[str, Path]], source: str, says: str):
    _, file = written(source)
    with pytest.raises(ValueError, match=says):
        bring(str(file))
    assert not register.own()
    assert "spo/thm-2" in register.register()


@pytest.mark.parametrize("place", ["no/such/file.py", ".", "json.py"])
def test_what_is_not_there_or_named_like_another_is_refused(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "json.py").write_text(HEAD, encoding="utf-8")
    with pytest.raises(ValueError, match=r"needed|belongs to another"):
        bring(place)
