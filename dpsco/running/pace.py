"""How long judgements take: what each took when it was last computed, and from that how long those that wait will."""

import heapq
import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from dpsco.fast.folders import cache_folder

PLACE = "pace"
"""Beside what is kept itself, so that nothing counts these as results."""
FEWEST = 5
"""Judgements, and a twentieth of all the work, that are done before a time is said."""


def left(
    recorded: Mapping[str, float], done: Mapping[str, float], concepts: Mapping[str, str], elapsed: float, workers: int
) -> float | None:
    """The seconds until all claims of `concepts` are judged: in their order, each by the worker that is free first.

    What is done counts with the seconds that it took. What is not counts with those recorded, times how much slower than
    recorded this run was so far; without a record with the mean of its concept, or of all. So it is known as well which
    ones are being judged right now, and since when.

    Domain   concepts: of every claim asked about, by id; done: seconds that judgements of this run took;
             elapsed in seconds, workers >= 1
    Returns  None where it cannot be told: too little is done, or all that waits is overdue
    """
    waiting = [id for id in concepts if id not in done]
    known = [id for id in done if recorded.get(id, 0.0) > 0]
    slower = sum(done[id] for id in known) / sum(recorded[id] for id in known) if known else 1.0
    costs = {**{id: recorded[id] * slower for id in concepts if id in recorded}, **done}
    unknown = [id for id in waiting if id not in costs]
    means = _means(costs, concepts)
    expected = {id: costs.get(id, means.get(concepts[id], means.get("", 0.0))) for id in waiting}
    spent, ahead = sum(done.values()), sum(expected.values())
    if len(done) < FEWEST or 20 * spent < spent + ahead or (len(unknown) == len(waiting) and 20 * len(done) < len(concepts)):
        return None
    free = [0.0] * workers
    for id in concepts:
        end = free[0] + done[id] if id in done else max(free[0] + expected[id], elapsed)
        heapq.heapreplace(free, end)
    return max(*free, 0.0) - elapsed if max(free) > elapsed else None


def _means(costs: Mapping[str, float], concepts: Mapping[str, str]) -> dict[str, float]:
    """The mean cost of each concept, and of all under ""."""
    groups: dict[str, list[float]] = {}
    for id, cost in costs.items():
        groups.setdefault(concepts[id], []).append(cost)
        groups.setdefault("", []).append(cost)
    return {name: sum(of) / len(of) for name, of in groups.items()}


def recorded(folder: str) -> dict[str, float]:
    """Seconds by id, as they were recorded on this machine; none where there is no record, or it is damaged."""
    place = cache_folder(PLACE)
    try:
        stored = json.loads((place / f"{folder}.json").read_text(encoding="utf-8")) if place is not None else {}
        return {id: float(seconds) for id, seconds in stored.items() if 0 < float(seconds) < float("inf")}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def record(folder: str, done: Mapping[str, float]) -> None:
    """Keep what judgements took, beside what is kept of others; a place that cannot be written is no error."""
    place = cache_folder(PLACE)
    if place is None or not done:
        return
    temporary = None
    try:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=place, suffix=".part", delete=False) as part:
            temporary = Path(part.name)
            json.dump({**recorded(folder), **{id: round(seconds, 4) for id, seconds in done.items()}}, part)
        os.replace(temporary, place / f"{folder}.json")
    except OSError:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)
