"""The page of the benchmarks: what `dpsco bench --json` wrote, as tables."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpsco.report.markup import Markup, joined, table, tag
from dpsco.report.page import facts, page

FILE = Path(__file__).parents[1] / "benchmarks" / "bench.json"
DIGITS = 4


def benchmarks_page(version: str, file: Path = FILE) -> str:
    """The page: the committed measurements, or how to make them."""
    if file.is_file():
        said = _shown("benchmarks", json.loads(file.read_text(encoding="utf-8")), 2)
    else:
        said = tag("p", "Nothing was measured for this version. ", tag("code", f"dpsco bench --json {file.name}"), " measures.")
    content = joined(tag("h1", "Benchmarks"), said)
    return page("Benchmarks", content, at="benchmarks.html", version=version, here="Benchmarks", wide=True)


def _shown(name: str, value: Any, level: int) -> Markup:
    """Rows with the same sort of content as a table, single values as facts, what is within under headings."""
    if isinstance(value, list) and value and all(isinstance(row, Mapping) for row in value):
        return _rows(name, value)
    if not isinstance(value, Mapping):
        return tag("p", _cell(value))
    single = [(_words(key), _cell(each)) for key, each in value.items() if not isinstance(each, Mapping | list)]
    deeper = [(key, each) for key, each in value.items() if isinstance(each, Mapping | list)]
    parts = [joined(tag(f"h{min(level, 6)}", _words(key)), _shown(key, each, level + 1)) for key, each in deeper]
    return joined(facts(*single), *parts)


def _rows(name: str, rows: list[Mapping[str, Any]]) -> Markup:
    names = list(dict.fromkeys(key for row in rows for key in row))
    numbers = [i for i, key in enumerate(names) if any(isinstance(row.get(key), int | float) for row in rows)]
    return table(_words(name), map(_words, names), [[_cell(row.get(key)) for key in names] for row in rows], numbers)


def _cell(value: Any) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.{DIGITS}g}"
        case Mapping():
            return ", ".join(f"{_words(key)} {_cell(each)}" for key, each in value.items())
        case list():
            return ", ".join(map(_cell, value))
        case _:
            return str(value)


def _words(name: str) -> str:
    return name.replace("_", " ")
