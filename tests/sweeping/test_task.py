"""Tasks: the key says everything that a result depends on, and nothing else."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.fast import closure
from dpsco.fast.closure import source_of
from dpsco.running import cache
from dpsco.sweeping import task as tasks
from dpsco.sweeping.task import Task, key, run, text, unmoved, version

VALUES = st.one_of(st.text(max_size=5), st.integers(), st.floats(allow_nan=False))
PARAMETERS = st.dictionaries(st.text(max_size=5), VALUES, max_size=4)
TASK = Task("sample_work:nothing", "spo/thm-2", {"i": 1, "epsilon": 0.1}, replicate=2, seed=3)


def forget() -> None:
    cache.forget()
    version.cache_clear()


@pytest.fixture
def moved(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A place to patch what keys are made of, whose keys are forgotten afterwards."""
    forget()
    yield
    monkeypatch.undo()
    forget()


@given(PARAMETERS, PARAMETERS)
def test_texts_are_canonical(a: dict, b: dict):
    turned = dict(reversed(a.items()))
    assert text(replace(TASK, parameters=a)) == text(replace(TASK, parameters=turned))
    same = sorted(map(repr, a.items())) == sorted(map(repr, b.items()))
    assert (text(replace(TASK, parameters=a)) == text(replace(TASK, parameters=b))) == same


@pytest.mark.parametrize(
    "other",
    [{"work": "sample_work:draws"}, {"claim": "spo/thm-6"}, {"parameters": {"i": 1}}, {"replicate": 3}, {"seed": 4}],
)
def test_every_field_is_in_the_key(other: dict):
    assert key(replace(TASK, **other)) != key(TASK)
    assert key(replace(TASK)) == key(TASK)


@pytest.mark.parametrize("value", [None, True, [1], {"a": 1}, 1j, b"x"])
def test_parameters_are_plain(value: object):
    with pytest.raises(ValueError, match="strings, integers and floats"):
        key(replace(TASK, parameters={"x": value}))  # type: ignore[dict-item]


@pytest.mark.parametrize("work", ["sample_work", ":f", "sample_work:", ""])
def test_works_have_a_module_and_a_name(work: str):
    with pytest.raises(ValueError, match=r"package\.module:function"):
        key(replace(TASK, work=work))


def test_a_module_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="no_such_module"):
        key(replace(TASK, work="no_such_module:f"))


@pytest.mark.usefixtures("moved")
@pytest.mark.parametrize(
    ("module", "inside"),
    [
        ("dpsco.experiments.spo", True),
        ("dpsco.sweeping.streams", True),
        ("dpsco.spec", True),
        ("dpsco.sweeping.store", False),
        ("dpsco.command.verify", False),
    ],
)
def test_every_source_is_in_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, inside: bool):
    task = replace(TASK, work="dpsco.experiments.spo:loss")
    before = key(task)
    real, edited = source_of(module), tmp_path / "edited.py"
    assert real is not None
    edited.write_bytes(real.read_bytes() + b"\n# edited\n")
    forget()
    assert key(task) == before
    forget()
    monkeypatch.setattr(closure, "source_of", lambda name: edited if name == module else source_of(name))
    assert (key(task) != before) == inside


@pytest.mark.usefixtures("moved")
def test_a_module_outside_depends_on_itself_and_on_what_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    file, task = tmp_path / "outside.py", Task("outside:f", "x")
    keys = set()
    for source in ("def f(p, s): return {}", "def f(p, s): return {'x': 1}", "import dpsco.verdict\ndef f(p, s): return {}"):
        file.write_text(source, encoding="utf-8")
        forget()
        keys.add(key(task))
    assert len(keys) == 3
    assert {"dpsco.verdict", "dpsco.sweeping.streams"} <= set(tasks._sources("outside"))


@pytest.mark.usefixtures("moved")
@pytest.mark.parametrize("where", [cache, tasks])
def test_versions_and_data_are_in_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: object):
    before = key(TASK)
    forget()
    monkeypatch.setattr(where, "version_of", lambda name: "0.0.1")
    assert key(TASK) != before
    monkeypatch.undo()
    other = tmp_path / "engel.csv"
    other.write_text("other", encoding="utf-8")
    forget()
    monkeypatch.setattr(cache, "data_files", lambda: [other])
    assert key(TASK) != before


def test_keys_are_the_same_in_every_process():
    script = f"from dpsco.sweeping.task import Task, key; print(key({TASK!r}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == key(TASK)


@pytest.mark.usefixtures("moved")
def test_a_source_written_since_the_process_began_is_seen(monkeypatch: pytest.MonkeyPatch):
    known = dict(cache.BEGAN)
    for file in (*tasks._sources("sample_work").values(), *cache.data_files()):
        known[file] = closure.stamp(file)
    monkeypatch.setattr(cache, "BEGAN", known)
    assert unmoved("sample_work")
    streams = source_of("dpsco.sweeping.streams")
    assert streams is not None
    known[streams] = (0, 0, 0)
    assert not unmoved("sample_work")


def test_results_are_floats_by_name():
    assert find_spec("sample_work") is not None
    assert run(TASK) == {"x": 1.0}
    assert list(run(replace(TASK, work="sample_work:draws"))) == ["sum", "nan", "inf", "zero"]
