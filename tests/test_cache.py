"""The cache never changes an answer: whatever is wrong with an entry, it is computed again."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dpsco.fast import closure
from dpsco.fast.closure import source_of
from dpsco.fast.folders import cache_folder
from dpsco.running import cache
from dpsco.spec.register import concepts

HOUSE = Path(__file__).parents[1]
ID = "spo/thm-2"
RECORD: dict[str, Any] = {"id": ID, "verdict": "certified", "findings": [{"scope": "x", "computed": ["1", "2"]}]}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own."""
    monkeypatch.setenv("DPSCO_CACHE", str(tmp_path / "cache"))
    yield tmp_path / "cache" / "judgements"
    cache.forget()


def entry(place: Path) -> Path:
    (file,) = place.iterdir()
    return file


def test_what_is_stored_is_loaded(place: Path):
    assert cache.load(ID) is None
    cache.store(ID, RECORD)
    assert cache.load(ID) == RECORD
    assert list(cache.load(ID) or ()) == list(RECORD), "the order of keys is kept, so that output bytes are"
    assert cache.load("spo/thm-6") is None


@pytest.mark.parametrize("damage", ["", "{", "[]", "null", '{"key": "x"}', "\x00" * 50])
def test_a_damaged_entry_is_no_entry(place: Path, damage: str):
    cache.store(ID, RECORD)
    entry(place).write_text(damage, encoding="utf-8")
    assert cache.load(ID) is None
    cache.store(ID, RECORD)
    assert cache.load(ID) == RECORD


def test_an_edited_entry_is_no_entry(place: Path):
    cache.store(ID, RECORD)
    stored = json.loads(entry(place).read_text(encoding="utf-8"))
    stored["record"]["verdict"] = "refuted"
    entry(place).write_text(json.dumps(stored), encoding="utf-8")
    assert cache.load(ID) is None


def test_bytes_that_are_no_text_are_no_entry(place: Path):
    cache.store(ID, RECORD)
    entry(place).write_bytes(b"\xff\xfe\x80")
    assert cache.load(ID) is None


def test_another_version_of_the_arithmetic_is_another_key(monkeypatch: pytest.MonkeyPatch):
    before = cache.key(ID)
    cache.forget()
    monkeypatch.setattr(cache, "version_of", lambda name: "0.0.1")
    assert cache.key(ID) != before


def test_ids_have_keys_of_their_own():
    assert cache.key("spo/thm-2") != cache.key("bilevel/lem-A.3")


def test_a_folder_that_cannot_be_written_means_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("DPSCO_CACHE", str(tmp_path / "file"))
    assert cache_folder(cache.FOLDER) is None
    cache.store(ID, RECORD)
    assert cache.load(ID) is None


def test_a_store_that_fails_leaves_nothing(place: Path, monkeypatch: pytest.MonkeyPatch):
    assert cache_folder(cache.FOLDER) is not None

    def full(*_: object) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(cache.os, "replace", full)
    cache.store(ID, RECORD)
    assert list(place.iterdir()) == []
    assert cache.load(ID) is None


@pytest.mark.parametrize(("variable", "below"), [("XDG_CACHE_HOME", "dpsco/judgements"), ("HOME", ".cache/dpsco/judgements")])
def test_the_usual_places_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, below: str):
    monkeypatch.delenv("DPSCO_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    assert cache_folder(cache.FOLDER) == tmp_path / below


def test_a_home_that_is_not_known_is_no_folder_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("DPSCO_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.chdir(tmp_path)
    assert cache_folder(cache.FOLDER) is None
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def moved(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A place to patch what keys are made of, whose keys are forgotten afterwards."""
    cache.forget()
    yield
    monkeypatch.undo()
    cache.forget()


@pytest.mark.usefixtures("moved")
def test_other_data_is_another_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    before = cache.key(ID)
    other = tmp_path / "engel.csv"
    other.write_text("other", encoding="utf-8")
    monkeypatch.setattr(cache, "data_files", lambda: [other])
    cache.forget()
    assert cache.key(ID) != before


@pytest.mark.usefixtures("moved")
@pytest.mark.parametrize("module", ["dpsco.judging", "dpsco.running.record", "dpsco.judges.privacy.gaussian", "dpsco.spec"])
def test_every_source_it_depends_on_is_in_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str):
    before = cache.key(ID)
    real, edited = source_of(module), tmp_path / "edited.py"
    assert real is not None
    edited.write_bytes(real.read_bytes() + b"\n# edited\n")
    cache.forget()
    monkeypatch.setattr(closure, "source_of", lambda name: edited if name == module else source_of(name))
    assert cache.key(ID) != before


@pytest.mark.usefixtures("moved")
def test_a_judge_that_looks_claims_up_depends_on_the_whole_register(monkeypatch: pytest.MonkeyPatch):
    whole = {f"dpsco.spec.{concept}" for concept in concepts()}
    monkeypatch.setattr(cache, "closure", lambda name: frozenset({name}))
    assert not whole <= set(cache.modules_of("losses.quantile.smoothing"))
    monkeypatch.setattr(cache, "closure", lambda name: frozenset({name, cache.REGISTER}))
    assert whole <= set(cache.modules_of("losses.quantile.smoothing"))


def test_a_claim_with_a_proof_object_depends_on_the_kernel_and_all_objects(monkeypatch: pytest.MonkeyPatch):
    """What a verdict rests on depends on who else uses its lemmas."""
    monkeypatch.setattr(cache, "closure", lambda name: frozenset({name}))
    objects = {"dpsco.kernel.check", "dpsco.verify.judges.privacy.gaussian", "dpsco.verify.lemmas.composition"}
    assert objects <= set(cache.modules_of("privacy.gaussian"))
    assert objects.isdisjoint(cache.modules_of("losses.quantile.smoothing"))


JUDGE_WHILE_EDITING = """
import sys
from pathlib import Path
from dpsco.running import cache
from dpsco.judging import judge
from dpsco.running.record import record

judge_file = Path(cache.__file__).parents[1] / "judges" / "privacy" / "gaussian.py"
original = judge_file.read_bytes()
assert cache.load("spo/thm-2") is None
if sys.argv[1] != "left alone":
    judge_file.write_bytes(original + b"\\nJUDGES = {}\\n")
found = record(judge("spo/thm-2"))
if sys.argv[1] == "taken back":
    judge_file.write_bytes(original)
cache.store("spo/thm-2", found)
judge_file.write_bytes(original)
cache.forget()
print(found["verdict"], cache.load("spo/thm-2") is not None)
"""


@pytest.mark.parametrize(
    ("edit", "said"), [("left alone", "certified True"), ("edited", "open False"), ("taken back", "open False")]
)
def test_an_edit_during_a_run_is_not_stored(tmp_path: Path, edit: str, said: str):
    for room, place in (("dpsco", "dpsco"), ("spec", "dpsco/spec"), ("reference", "dpsco/reference"), ("fast", "dpsco/fast")):
        shutil.copytree(HOUSE / room, tmp_path / place, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "DPSCO_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", JUDGE_WHILE_EDITING, edit], env=environment, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout.strip() == said, done.stderr
