"""The number behind every signed refutation and every broken proof, committed with the ledger: a card can show it before
anything is judged here.

`dpsco ledger --sign` writes it. It holds what a card shows, and nothing of how that was found: the deciding finding's two
sides and its instance, what survives, and the false step with its own number.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

from dpsco.running.ledger import written
from dpsco.running.record import NUMBER, Record, broken, decisive

FILE = Path(__file__).with_name("recorded.json")
FINDING = (*NUMBER, "asserts", "survives")
"""The entries of the deciding finding that are kept."""


class Recorded(TypedDict):
    """What is kept of one judgement."""

    finding: dict[str, Any] | None
    """Of a refuted statement: the entries `FINDING` of the finding that decides it."""
    step: str | None
    """Of a broken proof: the false step."""
    number: dict[str, Any] | None
    """Its number."""


def of(found: Record) -> Recorded | None:
    """What is kept of a judgement; None of one that neither refutes nor breaks a proof."""
    refuted = found["severity"] is not None
    if not refuted and not broken(found):
        return None
    deciding = decisive(found)
    number = found["proof"]["number"]
    return Recorded(
        finding={entry: deciding[entry] for entry in FINDING} if refuted else None,
        step=found["proof"]["step"],
        number={entry: number[entry] for entry in NUMBER} if number is not None else None,
    )


def current(records: Iterable[Record]) -> dict[str, Recorded]:
    """What the file should hold, from the judgements of all claims and amendments."""
    kept = ((found["id"], of(found)) for found in records)
    return {id: one for id, one in kept if one is not None}


@cache
def read(file: Path = FILE) -> Mapping[str, Recorded]:
    """What is recorded, by id.

    Raises  ValueError if the file holds something else
    """
    if not file.exists():
        return {}
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
        return {id: Recorded(finding=one["finding"], step=one["step"], number=one["number"]) for id, one in stored.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{file.name} must map ids to finding, step and number, but it does not: {error}") from error


def differences(signed: Mapping[str, Recorded], now: Mapping[str, Recorded]) -> list[str]:
    """One line for each number that is new, gone or another than the recorded one."""
    words = {(False, True): "is new", (True, False): "is gone", (True, True): "is another"}
    changed = [id for id in sorted({*signed, *now}) if signed.get(id) != now.get(id)]
    return [f"the recorded number of {id} {words[id in signed, id in now]}" for id in changed]


def sign(now: Mapping[str, Recorded], file: Path = FILE) -> None:
    """Write it, sorted by id."""
    written(file, now)
    read.cache_clear()
