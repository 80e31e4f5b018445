"""What our own runs of the predict-then-optimize experiments say of a trend: one-sided limits between neighbouring settings."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from dpsco.verdict import Finding, Reading, Rung, Verdict

RUNS = Path(__file__).parents[2] / "data" / "spo_experiments.json"
LIMIT = 4.0
"""Standard errors beyond which a difference of two means counts: one-sided, 3e-5 were both normal."""
Row = Mapping[str, Any]


def rows(file: Path = RUNS) -> list[Row]:
    """The table's rows, none if there is no table."""
    return list(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else []


def selected(found: Iterable[Row], **held: object) -> list[Row]:
    """The rows with these values."""
    return [row for row in found if all(row[name] == value for name, value in held.items())]


def steps(found: Sequence[Row], name: str) -> list[tuple[Row, Row, float]]:
    """Neighbours in order of the setting, and the second mean less the first in standard errors of the difference."""
    ordered = sorted(found, key=lambda row: float(row[name]))
    return [(a, b, (b["mean"] - a["mean"]) / max(_error(a, b), 1e-300)) for a, b in pairwise(ordered)]


def _error(a: Row, b: Row) -> float:
    return float((a["variance"] / a["repeats"] + b["variance"] / b["repeats"]) ** 0.5)


def simulated_trend(scope: str, found: Sequence[Row], name: str) -> Finding:
    """Do the means fall in the setting? inconsistent where one certainly rises, consistent where none does and the last is
    certainly below the first, open where neither can be told.

    Raises  KeyError where a row lacks the setting, mean, variance or repeats
    """
    seen = steps(found, name)
    if not seen:
        return Finding(scope=scope, verdict=Verdict.OPEN, reason="no runs at hand", reading=Reading.MEANT)
    up = [pair for pair in seen if pair[2] > LIMIT]
    down = [pair for pair in seen if pair[2] < -LIMIT]
    first, last = seen[0][0], seen[-1][1]
    whole = (last["mean"] - first["mean"]) / max(_error(first, last), 1e-300)
    verdict = Verdict.INCONSISTENT if up else Verdict.CONSISTENT if whole < -LIMIT else Verdict.OPEN
    shown = "; ".join(f"{a[name]:g} to {b[name]:g}: {a['mean']:.3g} to {b['mean']:.3g}" for a, b, _ in up)
    ends = f"{name} {first[name]:g} to {last[name]:g}: {first['mean']:.3g} to {last['mean']:.3g}, {whole:.2g} standard errors"
    return Finding(
        scope=scope,
        verdict=verdict,
        rung=Rung.SAMPLE,
        method=f"differences of neighbouring means; more than {LIMIT:g} standard errors count, one-sided",
        effort=f"{len(found)} settings, {min(row['repeats'] for row in found)} repeats each",
        power=f"{len(down)} of {len(seen)} steps certainly fall",
        reason=f"{len(up)} of {len(seen)} steps certainly rise: {shown}" if up else f"no step certainly rises; {ends}",
        reading=Reading.MEANT,
    )
