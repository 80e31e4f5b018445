"""What a test suite's checks refuted as SARIF 2.1.0, the format in which code hosts show findings beside the code."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from dpsco import __version__

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
RULES = {
    "two-sample": "Outputs on two neighbouring data sets refute a promise of differential privacy.",
    "one-run": "Canaries guessed from one run's output refute a promise of differential privacy.",
    "replay": "Something of the data is handed out beside the noised answers.",
}
BAD = ("refuted", "leaks")


def document(rows: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> dict[str, Any]:
    """A log of one run: a result for each check that refuted, an error, or a note where its test was expected to fail.

    Domain   rows: plain text by name, as the plugin gathers them; options: the run's level and seed
    Returns  what `json.dumps` takes
    """
    bad = [row for row in rows if row["verdict"] in BAD]
    properties = {**options, "checks": len(rows), "refuted": len(bad)}
    driver = {
        "name": "dpsco",
        "version": __version__,
        "rules": [{"id": f"dp/{name}", "name": name, "shortDescription": {"text": says}} for name, says in RULES.items()],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "properties": properties}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [{**run, "results": [_result(row) for row in bad]}]}


def _result(row: Mapping[str, Any]) -> dict[str, Any]:
    claim = f"{row['claim']}: " if row.get("claim") else ""
    place = {"artifactLocation": {"uri": PurePath(row["file"]).as_posix(), "uriBaseId": "%SRCROOT%"}}
    names = ("mechanism", "claim", "epsilon", "level", "neighbours")
    return {
        "ruleId": f"dp/{row['check']}",
        "level": "note" if row["expected"] else "error",
        "message": {"text": f"{row['mechanism']} {row['verdict']}: {claim}{row['found']}"},
        "locations": [{"physicalLocation": {**place, "region": {"startLine": row["line"]}}}],
        "partialFingerprints": {"test/v1": hashlib.sha256(f"{row['test']} {row['check']}".encode()).hexdigest()},
        "properties": {name: row[name] for name in names if row.get(name)},
    }
