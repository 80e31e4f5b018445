"""Running an exhibit's program with a Python where its library is installed, and what the recorded runs add up to."""

import json
import subprocess
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from dpsco.audit.museum.exhibit import Exhibit

RESULTS: Final = "results.json"
MARK: Final = "museum-result "

PROGRAM: Final = """
import json, sys, time, warnings

warnings.simplefilter("ignore")
asked = json.loads(sys.stdin.read())


def run(code, name):
    names = {}
    start = time.perf_counter()
    try:
        exec(code, names)
        value = names.get(name)
        told = None if value is None else value if isinstance(value, str) else repr(float(value))
    except BaseException as error:
        told = f"{type(error).__name__}: {str(error).strip()[:120]}".replace(chr(10), " ")
    return told, names, time.perf_counter() - start


claimed, names, seconds = run(asked["code"], "claimed")
seen = names.get("seen")
found = {"claimed": claimed or "nothing", "seconds": seconds, "sound": names.get("sound")}
found["seen"] = None if seen is None else repr(float(seen))
second, _, _ = run(asked["second"], "second")
found["second"] = second
print(asked["mark"] + json.dumps(found))
"""

VERSION: Final = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))"


class AbsentError(ValueError):
    """The library is not installed for the Python that was asked to run the exhibit."""


def installed(python: str, distribution: str) -> str:
    """The version of the distribution that the Python has.

    Raises   AbsentError where it has none
    """
    asked = subprocess.run([python, "-c", VERSION, distribution], capture_output=True, text=True, timeout=120, check=False)
    if asked.returncode:
        raise AbsentError(f"{distribution} is not installed for the Python that --python names")
    return asked.stdout.strip()


def run(exhibit: Exhibit, python: str) -> dict[str, Any]:
    """Run the exhibit's program; returns the version, what was claimed, seen and computed a second time, and the seconds.

    Raises   AbsentError where the library is not installed; ValueError where the exhibit has no program
    """
    if not exhibit.code:
        raise ValueError(f"exhibit {exhibit.id} has no program: the thread is all there is")
    version = installed(python, exhibit.distribution)
    try:
        found = _told(exhibit.code, exhibit.second, python, exhibit.limit)
    except subprocess.TimeoutExpired:
        alone = _told("claimed = 0", exhibit.second, python, 120)
        return {
            "version": version,
            "claimed": f"no answer in {exhibit.limit} s",
            "seconds": exhibit.limit,
            "second": alone["second"],
        }
    found["seconds"] = round(found["seconds"], 2)
    return {"version": version, **{name: value for name, value in found.items() if value is not None}}


def _told(code: str, second: str, python: str, limit: int) -> dict[str, Any]:
    asked = json.dumps({"code": code, "second": second, "mark": MARK})
    done = subprocess.run([python, "-c", PROGRAM], input=asked, capture_output=True, text=True, timeout=limit, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith(MARK)]
    if not lines:
        return {"claimed": f"the process ended with status {done.returncode}", "seconds": 0.0, "second": None}
    return dict(json.loads(lines[-1].removeprefix(MARK)))


def results(path: Path | None = None) -> dict[str, Any]:
    """The recorded results: for each exhibit the truth, and each version's run; the shipped ones unless a file is named."""
    if path is None:
        return dict(json.loads((files("dpsco.audit.museum") / RESULTS).read_text(encoding="utf-8")))
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def recorded(kept: dict[str, Any], exhibit: Exhibit, truth: tuple[str, str], ran: Mapping[str, Any] | None) -> None:
    """Put the truth and a run into the results; a run of the same version is replaced."""
    entry = kept.setdefault(exhibit.id, {"truth": list(truth), "runs": {}})
    entry["truth"] = list(truth)
    if ran is not None:
        entry["runs"][ran["version"]] = {name: value for name, value in ran.items() if name != "version"}
        entry["runs"] = dict(sorted(entry["runs"].items(), key=lambda item: order(item[0])))


def order(version: str) -> tuple[int, ...]:
    """A version as numbers, to sort by."""
    return tuple(int("".join(c for c in part if c.isdigit()) or 0) for part in version.split("."))


def failing(exhibit: Exhibit, entry: Mapping[str, Any]) -> dict[str, bool]:
    """For each version whose run decides it, oldest first: whether it fails in the exhibit's way."""
    low, high = entry["truth"]
    found = {v: False if ran.get("sound") else exhibit.failed(ran["claimed"], low, high) for v, ran in entry["runs"].items()}
    return {version: fails for version, fails in found.items() if fails is not None}


def today(exhibit: Exhibit, entry: Mapping[str, Any] | None) -> str:
    """What the newest version that was run does: `still so`, `by design`, `fixed by` a version, or that nothing was run."""
    seen = failing(exhibit, entry) if entry else {}
    if not any(seen.values()):
        return "not run" if not seen else f"not seen in {list(seen)[-1]}"
    versions = list(seen)
    if seen[versions[-1]]:
        return f"{'by design' if exhibit.design else 'still so'} in {versions[-1]}"
    last = max(i for i, version in enumerate(versions) if seen[version])
    return f"fixed by {versions[last + 1]}"


def reproduced(exhibit: Exhibit, entry: Mapping[str, Any] | None) -> bool:
    """Whether some released version that was run fails."""
    return entry is not None and any(failing(exhibit, entry).values())
