"""A small share of what `python -m tests.fuzz.run` does, and that the fuzzers see what they look for."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest
from calls import CALLS, case, tried
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from readers import READERS, Reader
from run import called, unguided
from trying import ANSWERED, REFUSED, Tally, attempt, quiet

SLOW = {"fit", "newsvendor.fit", "dpsco audit", "kernels", "forged certificate", "certificate"}
"""Whose first input costs seconds: imports, compilation, proofs."""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("run.scratch", lambda: tmp_path)


def clean(tally: Tally) -> None:
    assert not tally.failures, tally.failures


@pytest.mark.parametrize("name", [name for name in READERS if name != "parquet" or find_spec("pyarrow")])
def test_whatever_is_in_a_file(name: str):
    tally = unguided(READERS[name], 2.0, 15 if name in SLOW else 150, seed=11)
    clean(tally)
    assert tally.ends[ANSWERED] >= 1, "the seeds are read"


@pytest.mark.parametrize("name", [name for name in CALLS if name != "kernels"])
def test_whatever_is_asked_of_a_function(name: str):
    clean(called(name, 2.0, 8 if name in SLOW else 100, seed=12))


@settings(max_examples=40, suppress_health_check=list(HealthCheck), deadline=None)
@given(name=st.sampled_from(sorted(set(CALLS) - SLOW)), random=st.randoms(use_true_random=False))
def test_hypothesis_looks_for_the_shortest_case(name: str, random: Random):
    asked = case(CALLS[name], random)
    with quiet():
        assert attempt(lambda given: tried(CALLS[name], given), asked) in (ANSWERED, REFUSED)


def _index(file: Path) -> None:
    if b",,," in file.read_bytes():
        raise IndexError("planted")


def _forever(file: Path) -> None:
    while b";" in file.read_bytes():
        pass


def _wrong(file: Path) -> None:
    assert not file.read_bytes().startswith(b"\x00"), "planted"


def _memory(file: Path) -> None:
    if b"9" in file.read_bytes():
        raise MemoryError


@pytest.mark.parametrize(
    ("read", "kind"),
    [(_index, "IndexError"), (_forever, "HangError"), (_wrong, "AssertionError"), (_memory, "MemoryError")],
    ids=lambda x: getattr(x, "__name__", x),
)
def test_a_planted_fault_is_found(read: Callable[[Path], object], kind: str, monkeypatch: pytest.MonkeyPatch):
    """A control: a reader with a fault that a few edits reach."""
    monkeypatch.setattr("trying.SECONDS", 0.05)
    planted = Reader(".csv", read, lambda: [b"x,y\n1,2\n"], ())
    tally = Tally()
    for seed in range(40):
        found = unguided(planted, 5.0, 200, seed)
        tally.failures |= found.failures
        if tally.failures:
            break
    assert any(failure.startswith(kind) for failure in tally.failures)


def test_an_error_without_a_word_is_a_failure():
    def silent(given: object) -> None:
        raise ValueError

    assert attempt(silent, None) == "ValueError without a word"
