"""What the search on every page looks in: claims by the words that `dpsco claims --search` knows, pages by their headings."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape

from dpsco.show.card import title
from dpsco.show.command.naming import FULL, LONGEST_RANGE, NUMBERED, SHORT, WORD, Words, words_in, words_of
from dpsco.show.report.data import Register, claim_of, file_of
from dpsco.show.report.page import HEADING

TITLE = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")


def index(register: Register, pages: Mapping[str, str]) -> str:
    """The index as a script: entries (place, title, what stands beside it), and for each word the entries that are called so
    and those that say it."""
    entries = [*_claims(register), *_headings(register, pages)]
    whole = {
        "numbered": NUMBERED.pattern,
        "word": WORD.pattern,
        "kinds": FULL,
        "short": SHORT,
        "range": LONGEST_RANGE,
        "entries": [entry for entry, _ in entries],
        "own": _by_word(words.own for _, words in entries),
        "said": _by_word(words.said - words.own for _, words in entries),
    }
    return f"window.searchIndex = {json.dumps(whole, ensure_ascii=False, separators=(',', ':'))};\n"


def _claims(register: Register) -> Iterator[tuple[tuple[str, str, str], Words]]:
    for id in register.pages:
        record = register.records[id]
        severity = f" ({record['severity']})" if record["severity"] else ""
        yield (file_of(id), title(claim_of(id)), f"{id}: {record['verdict']}{severity}"), words_of(id)


def _headings(register: Register, pages: Mapping[str, str]) -> Iterator[tuple[tuple[str, str, str], Words]]:
    """The other pages and their sections."""
    claims = {*map(file_of, register.pages)}
    for place, source in pages.items():
        if place in claims:
            continue
        found = TITLE.search(source)
        name = _text(found[1]) if found else place
        yield (place, name, "page"), words_in(name)
        for id, heading in HEADING.findall(source):
            yield (f"{place}#{id}", _text(heading), name), words_in(_text(heading), name)


def _text(markup: str) -> str:
    return " ".join(unescape(TAG.sub("", markup)).split())


def _by_word(entries: Iterable[frozenset[str]]) -> dict[str, list[int]]:
    """Of each word the numbers of the entries that have it, each but the first as the distance from the one before."""
    found: dict[str, list[int]] = {}
    for number, words in enumerate(entries):
        for word in sorted(words):
            found.setdefault(word, []).append(number)
    return {
        word: [after - before for before, after in zip([0, *numbers], numbers, strict=False)]
        for word, numbers in sorted(found.items())
    }
