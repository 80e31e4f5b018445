"""Ctrl-C, as from a terminal, of commands that take long: exit 130, no traceback, no worker left, and the next run is right."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = """
import signal, sys
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
from dpsco.running import cache
cache.unmoved = lambda id: True  # another person's editor must not decide what is kept
from dpsco.__main__ import run
sys.exit(run(sys.argv[1:]))
"""
COMMANDS = {
    "verify": "verify --paper lp --jobs 1",
    "verify, two processes": "verify --paper lp --jobs 2",
    "experiment": "experiment quantile-d3 --n 300 --repeats 50",
    "rates": "rates --budget 4000",
}


def interruptible() -> None:
    """Ctrl-C reaches the child even where the tests were started in the background, which ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interruptible_when_begun() -> None:
    """As above, once the child's own first line is reached: Python itself, struck while it starts, ends with 1 and a traceback,
    before any line of dpsco is run."""
    interruptible()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def begun(cache: Path, *arguments: str) -> "subprocess.Popen[str]":
    """The command in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *arguments],
        env={**os.environ, "DPSCO_CACHE": str(cache), "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=interruptible_when_begun,
    )


def alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def working(process: "subprocess.Popen[str]", cache: Path, seconds: float = 120.0) -> bool:
    """Wait until the command has kept something, or is surely at work: it has said nothing and not ended."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        if any(file.suffix in (".json", ".sqlite") for file in cache.rglob("*")):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("name", COMMANDS)
def test_control_c(name: str, tmp_path: Path):
    cache, out = tmp_path / "cache", tmp_path / "out.json"
    process = begun(cache, *COMMANDS[name].split(), "--json", str(out))
    assert working(process, cache), process.communicate()
    os.killpg(process.pid, signal.SIGINT)
    said, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert said == ""
    assert "Traceback" not in err
    assert [file.name for file in tmp_path.iterdir()] == ["cache"], "no file, and no half a file"
    end = time.monotonic() + 60
    while alive(process.pid) and time.monotonic() < end:
        time.sleep(0.1)
    assert not alive(process.pid), "no worker is left"


IN_A_DESTRUCTOR = """
import contextlib, os, signal, sys, time, weakref
from dpsco import __main__ as command

def struck(_):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.05)  # the signal is handled here

class Doomed:
    __del__ = struck

class Faulty:
    def __del__(self):
        raise ZeroDivisionError("of the destructor's own")

def endless():
    Faulty()
    if sys.argv[1] == "weakref":
        target = type("Target", (), {})()
        watch = weakref.ref(target, struck)
        del target
    else:
        Doomed()
    end = time.monotonic() + 2
    while time.monotonic() < end:
        time.sleep(0.01)

if sys.argv[1] == "lost":
    command.kept = contextlib.nullcontext
command.NAMES, command.ELSEWHERE = ("endless",), {"endless": __name__}
sys.exit(command.run(["endless"]))
"""


def forced(how: str) -> tuple[int, str]:
    """Exit code and errors of a command that gets Ctrl-C while Python cannot raise it."""
    done = subprocess.run(
        [sys.executable, "-c", IN_A_DESTRUCTOR, how], capture_output=True, text=True, timeout=120, preexec_fn=interruptible
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("how", ["destructor", "weakref"])
def test_control_c_inside_a_destructor_is_kept(how: str):
    code, said = forced(how)
    assert code == 130, said
    assert "KeyboardInterrupt" not in said
    assert said.splitlines()[-1] == "dpsco: interrupted"
    assert "ZeroDivisionError: of the destructor's own" in said, "what else goes wrong there is shown"


def test_control_without_that_it_is_lost():
    code, said = forced("lost")
    assert code == 0
    assert "KeyboardInterrupt" in said


def test_the_next_run_is_right(tmp_path: Path):
    """A verification interrupted twice, then left alone, writes what one in a fresh cache writes."""
    ids = ["newsvendor/lem-EC.1", "bilevel/lem-A.3", "lp/thm-1", "quantile/lem-3.1-2"]
    cache = tmp_path / "cache"
    for _ in range(2):
        process = begun(cache, "verify", *ids, "--jobs", "1")
        working(process, cache)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=120)
        assert process.returncode in (0, 130, -signal.SIGINT), err  # the last: while Python was still importing
    written = []
    for place in (cache, tmp_path / "fresh"):
        file = tmp_path / f"{place.name}.json"
        assert begun(place, "verify", *ids, "--json", str(file)).wait(timeout=200) == 0
        written.append(file.read_bytes())
    assert written[0] == written[1]
    assert [one["id"] for one in json.loads(written[0])["claims"]] == ids
