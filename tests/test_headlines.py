"""The page of changed headlines says what the signed ledger says."""

import json
import re
from collections import Counter
from pathlib import Path

HOUSE = Path(__file__).parents[1]
PAGE = (HOUSE / "docs" / "headlines.md").read_text(encoding="utf-8")
LEDGER = json.loads((HOUSE / "dpsco" / "running" / "ledger.json").read_text(encoding="utf-8"))
REGISTERED = {id: entry for id, entry in LEDGER.items() if "-amended" not in id}


def headline(entry: dict[str, str | None]) -> str:
    return entry["verdict"] + (f" ({entry['severity']})" if entry["severity"] else "")


def cells(name: str) -> list[str]:
    """The cells of the row that begins with the name."""
    found = re.findall(rf"^\| {re.escape(name)} \|(.*)\|$", PAGE, re.MULTILINE)
    assert len(found) == 1, name
    return [cell.strip() for cell in found[0].split("|")]


def test_each_row_has_the_verdict_of_the_ledger():
    rows = re.findall(r"^\| `(\S+/\S+)` \| ([^|]+) \| ([^|]+) \|", PAGE, re.MULTILINE)
    assert len(rows) == 89
    assert len({id for id, _, _ in rows}) == 89
    for id, before, now in rows:
        assert now.split("; ")[0] != before, id
        assert now == f"{headline(LEDGER[id])}; proof {LEDGER[id]['proof']}", id


def test_the_counts_are_those_of_the_ledger():
    words = ("holds", "broken", "not judged", "not printed")
    for verdict in ("certified", "refuted", "stated", "vacuous", "open"):
        of = [entry for entry in REGISTERED.values() if entry["verdict"] == verdict]
        proofs = Counter(entry["proof"] for entry in of)
        assert [int(cell) for cell in cells(verdict)[1:]] == [len(of), *(proofs[word] for word in words)], verdict
    severities = Counter(entry["severity"] for entry in REGISTERED.values())
    for severity in ("misprint", "domain", "constant", "rate", "conclusion", "step-only"):
        assert int(cells(severity)[1]) == severities[severity], severity


def test_the_claims_read_aloud_have_the_words_of_the_ledger():
    read = PAGE.split("## Five disputed claims, read aloud")[1]
    said = re.findall(r"`(\S+/\S+)`: (certified|refuted \(\w+\)|open|vacuous), printed proof (broken|holds)", read)
    assert len(said) == 6
    for id, now, word in said:
        assert (headline(LEDGER[id]), LEDGER[id]["proof"]) == (now, word), id
