"""A plan as it is written, TOML, and as it is certified: decimal strings, sensitivities derived from clips, repeats merged.

adjacency = "add-remove"        # or replace-one, add-one (n is a public normaliser)
delta = "1e-6"                  # or epsilon; or both, for a verdict

[[release]]
mechanism = "dp-sgd"            # Poisson-subsampled Gaussian
sigma = 1.1                     # standard deviation of the noise, in the unit of the clip
clip = 1.0
rate = 0.001
steps = 100000
"""

import tomllib
from decimal import Decimal, InvalidOperation, localcontext
from pathlib import Path
from typing import Any

from dpsco.audit.plans.check import ADJACENCIES, MECHANISMS

UNITS = {"replace-one": 2, "add-remove": 1, "add-one": 1}
"""Sensitivity of a sum of records clipped to norm C, in units of C."""
COUNTS = ("count", "steps")
MOST = 100
"""Releases, before equal ones are merged."""


def read(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """The plan of a file and its target, {"delta": ...}, {"epsilon": ...} or both.

    Raises   ValueError naming the file or the release and what is allowed
    """
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=str)
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{str(path)!r} cannot be read: {error}") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ValueError(f"{str(path)!r} is not TOML: {error}") from error
    return canonical(written)


def canonical(written: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """The plan with every number a decimal string and equal releases merged, and its target.

    Deviation: a clip C becomes the sensitivity 2C for replace-one and C otherwise; dp-sgd of rate 1 is a Gaussian release.
    """
    if not isinstance(written, dict):
        raise ValueError(f"a table with adjacency, a target and releases is needed, not a {type(written).__name__}")
    unknown = set(written) - {"adjacency", "delta", "epsilon", "release"}
    if unknown:
        raise ValueError(f"{', '.join(sorted(unknown))}: allowed are adjacency, delta or epsilon, and tables [[release]]")
    adjacency, releases = written.get("adjacency"), written.get("release")
    if adjacency not in ADJACENCIES:
        raise ValueError(f"adjacency = {adjacency!r}: one of {', '.join(ADJACENCIES)} is needed")
    targets: dict[str, str] = {name: _decimal(written[name], name) for name in ("delta", "epsilon") if name in written}
    if not targets:
        raise ValueError("one of delta and epsilon is needed, the target; or both, for a verdict")
    for name, value in targets.items():
        if Decimal(value) >= (1 if name == "delta" else Decimal("1e6")):
            raise ValueError(f"{name} = {value}: below {1 if name == 'delta' else '1e6'} is needed")
    if not isinstance(releases, list) or not 1 <= len(releases) <= MOST or not all(isinstance(x, dict) for x in releases):
        raise ValueError(f"from 1 to {MOST} tables [[release]] are needed")
    merged: dict[str, dict[str, Any]] = {}
    for i, one in enumerate(releases, 1):
        found = _release(one, adjacency, f"release {i}: ")
        same = merged.setdefault(str({k: v for k, v in found.items() if k != "count"}), {**found, "count": 0})
        same["count"] += found["count"]
    return {"adjacency": adjacency, "releases": list(merged.values())}, targets


def _release(one: dict[str, Any], adjacency: str, at: str) -> dict[str, Any]:
    kind, given = one.get("mechanism"), {k: v for k, v in one.items() if k not in ("mechanism", "name", *COUNTS)}
    if not isinstance(kind, str) or kind not in MECHANISMS:
        said = f"mechanism = {kind!r}" if "mechanism" in one else "mechanism is missing"
        raise ValueError(f"{at}{said}: one of {', '.join(MECHANISMS)} is needed")
    count = 1
    for name in COUNTS:
        if name in one:
            if type(one[name]) is not int or not 1 <= one[name] <= 10**9:
                raise ValueError(f"{at}{name} = {one[name]!r}: a whole number from 1 to 10^9 is needed")
            count *= one[name]
    fields = MECHANISMS[kind][0]
    clipped = "sensitivity" in fields and "clip" in given and "sensitivity" not in given
    allowed = tuple("clip" if clipped and f == "sensitivity" else f for f in fields)
    if set(given) != set(allowed):
        or_clip = " (or clip)" if "sensitivity" in fields else ""
        raise ValueError(
            f"{at}{kind} needs {', '.join(fields)}{or_clip} and may have {', '.join(COUNTS)}, name; got {', '.join(given)}"
        )
    x = {name: _decimal(given[name], at + name) for name in allowed}
    if clipped:
        x["sensitivity"] = _times(UNITS[adjacency], x.pop("clip"))
    if kind == "dp-sgd" and Decimal(x["rate"]) == 1:
        kind, x = "gaussian", {"sigma": x["sigma"], "sensitivity": _times(UNITS[adjacency], x["clip"])}
    return {"mechanism": kind, "count": count, **x}


def _times(factor: int, text: str) -> str:
    with localcontext() as context:
        context.prec = 100
        return str(factor * Decimal(text)).lower()


def _decimal(value: Any, where: str) -> str:
    """The decimal as it was written, or an integer's digits."""
    try:
        if isinstance(value, str | int) and not isinstance(value, bool):
            found = Decimal(str(value).replace("_", ""))
            if found.is_finite() and found >= 0 and len(str(found)) < 60:
                return str(found).lower()
    except InvalidOperation:
        pass
    raise ValueError(f"{where} = {value!r}: a decimal that is at least 0 is needed")
