"""Fuzz everything that reads a file or takes numbers: `python -m tests.fuzz.run --minutes 20 [--json FILE] [TARGET ...]`.

Readers are mutated with coverage where atheris is installed, without it where it is not. Every target has a process of its
own, bounded in memory; whatever fails is counted and printed with one input that shows it. Exit status 1 if anything failed.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

FIRST = 300
"""Mutations of the seeds that a guided search starts from."""
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from calls import CALLS, case, tried  # noqa: E402
from readers import READERS, Reader  # noqa: E402
from trying import LONGEST, Tally, attempt, bounded, mutated, quiet, scratch, stop  # noqa: E402


def atheris_here() -> bool:
    """Whether inputs can be guided by coverage."""
    try:
        import atheris  # noqa: F401
    except ImportError:
        return False
    return True


def said(tally: Tally, target: str, engine: str) -> str:
    return json.dumps({"target": target, "engine": engine, "ends": tally.ends, "failures": tally.failures})


def guided(name: str, reader: Reader, seconds: float) -> None:
    """Inputs that reach new branches are kept and mutated further; ends the process."""
    import atheris

    with atheris.instrument_imports(include=list(reader.modules)):
        for module in reader.modules:
            __import__(module)
    place, tally, end = scratch(), Tally(), time.monotonic() + seconds
    file, corpus = place / f"fuzzed{reader.suffix}", place / "corpus"
    corpus.mkdir()
    seeds, random = reader.seeds(), Random(name)
    some = [mutated(random.choice(seeds), seeds, random) for _ in range(FIRST)]  # they know the formats' words
    for i, seed in enumerate([*seeds, *some]):
        (corpus / str(i)).write_bytes(seed)
    longest = max(LONGEST, *map(len, seeds))

    def one(data: bytes) -> None:
        file.write_bytes(data)
        with quiet():
            tally.add(attempt(reader.read, file), data)
        if time.monotonic() > end:
            print(said(tally, name, "coverage"))
            stop()

    options = [f"-max_len={longest}", "-rss_limit_mb=0", "-timeout=0", "-detect_leaks=0"]
    atheris.Setup([sys.argv[0], *options, str(corpus)], one)
    atheris.Fuzz()


def unguided(reader: Reader, seconds: float, most: int, seed: int = 0) -> Tally:
    """Seeds, then mutations of them and of what was answered, until the time or the number of inputs is over."""
    random, place, tally, end = Random(seed), scratch(), Tally(), time.monotonic() + seconds
    file, corpus = place / f"fuzzed{reader.suffix}", reader.seeds()
    first = list(corpus)
    while tally.inputs < most and time.monotonic() < end:
        data = first.pop() if first else mutated(random.choice(corpus), corpus, random)
        file.write_bytes(data)
        with quiet():
            found = attempt(reader.read, file)
        tally.add(found, data)
        if found == "answered" and len(corpus) < 200:
            corpus.append(data)
    return tally


def called(name: str, seconds: float, most: int, seed: int = 0) -> Tally:
    """Calls of one function with arguments drawn by chance, usual and strange."""
    random, tally, end = Random(f"{name} {seed}"), Tally(), time.monotonic() + seconds
    while tally.inputs < most and time.monotonic() < end:
        given = case(CALLS[name], random)
        with quiet():
            tally.add(attempt(lambda x: tried(CALLS[name], x), given), given)
    return tally


def child(name: str, seconds: float, seed: int) -> None:
    """One target in this process."""
    bounded()
    if name in READERS and atheris_here():
        guided(name, READERS[name], seconds)
    found = unguided(READERS[name], seconds, sys.maxsize, seed) if name in READERS else called(name, seconds, sys.maxsize, seed)
    print(said(found, name, "mutation" if name in READERS else "calls"))


def main() -> int:
    """Each target in a process of its own, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", choices=[[], *READERS, *CALLS], help="all if none")
    parser.add_argument("--minutes", type=float, default=1.0, help="of all targets together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    targets = asked.targets or [*READERS, *CALLS]
    seconds = 60 * asked.minutes / len(targets)
    if asked.child:
        child(asked.child, 60 * asked.minutes, asked.seed)
        return 0
    results = []
    for name in targets:
        command = [sys.executable, __file__, "--child", name, "--minutes", str(seconds / 60), "--seed", str(asked.seed)]
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=10 * seconds + 300, env=environment)
            lines = [text for text in done.stdout.splitlines() if text.startswith('{"target"')]
            ended = f"the process ended with {done.returncode}: {done.stderr[-500:]}"
        except subprocess.TimeoutExpired:
            lines, ended = [], "the process did not end"
        found = json.loads(lines[-1]) if lines else {"target": name, "engine": "?", "ends": {}, "failures": {ended: ""}}
        results.append(found)
        print(f"{name:<28} {found['engine']:<9} {sum(found['ends'].values()):>9}  {found['ends']}", flush=True)
        for kind, given in found["failures"].items():
            print(f"    FAILED {kind}\n        {given[:300]}", flush=True)
    total, failed = sum(sum(x["ends"].values()) for x in results), sum(len(x["failures"]) for x in results)
    print(f"{total} inputs, {failed} kinds of failure")
    if asked.json:
        asked.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
