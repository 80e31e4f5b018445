"""A full disk, a cache that cannot be written, entries with flipped bits, two processes on one cache: each command ends
cleanly, and what it says is what it says without any of them."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from dpsco.__main__ import run
from dpsco.fast import folders
from dpsco.running import cache
from dpsco.show.command.screen import write_json

ID, OTHER = "spo/thm-2", "bilevel/lem-A.3"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own; another person's editor must not decide what is kept."""
    monkeypatch.setenv("DPSCO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "unmoved", lambda id: True)
    folders._writable.cache_clear()
    return tmp_path / "cache" / "judgements"


def said(tmp_path: Path, *ids: str) -> bytes:
    """The bytes that `dpsco verify --json` writes."""
    file = tmp_path / "said.json"
    assert run(["verify", *ids, "--jobs", "1", "--json", str(file)]) == 0
    return file.read_bytes()


def test_no_bit_of_an_entry_is_believed(place: Path, tmp_path: Path):
    """Bits flipped all over every entry: it is computed again, or what it says is the same; never another verdict."""
    right = said(tmp_path, ID, OTHER)
    random, tries = Random(5), 0
    for id in (ID, OTHER):
        whole = cache.load(id)
        assert whole is not None
        file = place / f"{cache.key(id)}.json"
        content = file.read_bytes()
        for _ in range(400):
            i = random.randrange(8 * len(content))
            damaged = bytearray(content)
            damaged[i // 8] ^= 1 << i % 8
            file.write_bytes(damaged)
            assert cache.load(id) in (None, whole)
            tries += cache.load(id) is None
        assert cache.load(id) is None or damaged == content
    assert tries > 700, "almost every bit counts"
    assert said(tmp_path, ID, OTHER) == right
    assert cache.load(ID) is not None, "and it is kept again"


def test_a_truncated_entry_of_any_length(place: Path, tmp_path: Path):
    right = said(tmp_path, ID)
    (file,) = place.iterdir()
    content = file.read_bytes()
    for length in range(0, len(content), max(1, len(content) // 100)):
        file.write_bytes(content[:length])
        assert cache.load(ID) is None
    assert said(tmp_path, ID) == right


SCRIPT = """
import sys
from dpsco.running import cache
cache.unmoved = lambda id: True
from dpsco.__main__ import run
sys.exit(run(sys.argv[1:]))
"""


def process(place: Path, *arguments: str, before: str = "") -> "subprocess.Popen[str]":
    environment = {**os.environ, "DPSCO_CACHE": str(place), "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-c", before + SCRIPT, *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


FULL = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
FULL += "resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0}))\n"


@pytest.mark.parametrize("size", [0, 64])
def test_a_disk_that_is_full(tmp_path: Path, size: int):
    """No file of this process may grow beyond `size`: no cache, no kernel is kept, and the verdict is what it is."""
    done = process(tmp_path / "full", "verify", ID, before=FULL.format(size))
    out, err = done.communicate(timeout=200)
    assert done.returncode == 0, err
    assert "certified" in out
    assert "Traceback" not in err
    assert not list((tmp_path / "full" / "judgements").rglob("*.json")), "half an entry"
    assert not list((tmp_path / "full").rglob("*.part"))
    again = process(tmp_path / "full", "verify", ID)
    assert again.communicate(timeout=200)[0] == out


def test_a_result_that_does_not_fit_is_absent(tmp_path: Path):
    """Exit 2, one line, no half a file; and an older file of that name is as it was."""
    target = tmp_path / "out.json"
    target.write_text("older", encoding="utf-8")
    done = process(tmp_path / "cache", "verify", ID, "--json", str(target), before=FULL.format(100))
    _, err = done.communicate(timeout=200)
    assert done.returncode == 2
    assert err.splitlines()[-1].startswith("dpsco: cannot write")
    assert "Traceback" not in err
    assert target.read_text(encoding="utf-8") == "older"
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["out.json"]


def test_a_write_that_fails_at_once_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from dpsco.show.command.screen import BadInputError

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(BadInputError, match="No space left"):
        write_json(tmp_path / "out.json", {})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("fault", ["file in the way", "unwritable"])
def test_a_cache_that_cannot_be_written(tmp_path: Path, fault: str):
    place = tmp_path / "cache"
    if fault == "file in the way":
        place.write_text("", encoding="utf-8")
    elif fault == "unwritable":
        place = Path("/proc/nowhere")
    done = process(place, "verify", ID)
    out, err = done.communicate(timeout=200)
    assert done.returncode == 0, err
    assert "certified" in out
    assert "Traceback" not in err


def test_two_processes_on_one_cache(tmp_path: Path):
    """At once, from nothing: the same answers as one alone, and what they leave is whole."""
    both = [process(tmp_path / "cache", "verify", ID, OTHER, "--json", str(tmp_path / f"{i}.json")) for i in range(2)]
    for one in both:
        assert one.wait(timeout=300) == 0, one.communicate()
    assert (tmp_path / "0.json").read_bytes() == (tmp_path / "1.json").read_bytes()
    entries = list((tmp_path / "cache" / "judgements").iterdir())
    assert len(entries) == 2
    for entry in entries:
        stored = json.loads(entry.read_text(encoding="utf-8"))
        assert stored["check"] == cache._check(stored["record"])
