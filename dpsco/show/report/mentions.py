"""Every mention of a result in the text of a page is a link to the result's page: its id (`spo/thm-4`) anywhere, its label
(Theorem 4) on the pages of its paper."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from dpsco.show.card import label
from dpsco.show.command.naming import FULL, every, places, single
from dpsco.show.report.data import file_of
from dpsco.show.report.markup import tag
from dpsco.show.report.page import root
from dpsco.spec.papers import PAPERS

LEFT = frozenset({"a", "button", "h1", "head", "option", "pre", "script", "select", "style", "svg", "title"})
"""Elements whose text stays as it is: links already, names of what is there, text to copy, drawings."""
ELEMENT = re.compile(r"(<[^>]*>)")
NAME = re.compile(r"</?([a-z][a-z0-9]*)", re.IGNORECASE)
PLACES = frozenset({"section", "appendix"})
"""What has many results in it, and is none."""
WORDS = "|".join(sorted((name.capitalize() for name in FULL if FULL[name] not in PLACES), key=len, reverse=True))
NUMBER = r"(?:[A-Z]{1,2}\.)?\d+(?:\.\d+)*(?![\w(]|\.\d)"
AND = re.compile(r"(, (?:and )?| and | or | to )")
LABELS = re.compile(rf"(?<!\w)({WORDS})(\.? )({NUMBER}(?:{AND.pattern}{NUMBER})*)")
ELSEWHERE = re.compile(r"\d{4}[a-z]?\)?, $")
"""Before a label: it stands in a publication that is named there."""
OF_OTHERS = re.compile(r" of (?:[A-Z]|the \w+ paper)")
"""After a label: it is another text's, or counted within a part."""


def linked(page: str, at: str, ids: Sequence[str]) -> str:
    """The page that stands `at` this place from the root of the site, with its mentions of results that have a page as links;
    mentions of the result that the page is about stay as they are, and so do labels that several results have."""
    mention, labels, left, shown = _mention(tuple(ids)), _labels(tuple(ids), _paper(at)), 0, list[str]()

    def link(said: str, id: str) -> str:
        place = file_of(id)
        return said if place == at else tag("a", said, href=root(at) + place)

    for part in ELEMENT.split(page):
        if not part.startswith("<"):
            shown.append(part if left else _by_label(mention.sub(lambda found: link(found[0], found[0]), part), labels, link))
            continue
        shown.append(part)
        name = NAME.match(part)
        if name is not None and name[1].lower() in LEFT and not part.endswith("/>"):
            left += -1 if part.startswith("</") else 1
    return "".join(shown)


def _by_label(text: str, labels: Mapping[str, str], link: Callable[[str, str], str]) -> str:
    """The text with its labels as links: "Lemmas 1 and 2" has two, the word in the first."""
    if not labels:
        return text
    foreign = -1

    def linked(found: re.Match[str]) -> str:
        nonlocal foreign
        before = text[: found.start()]
        if ELSEWHERE.search(before) or OF_OTHERS.match(text, found.end()) or AND.fullmatch(text, foreign, found.start()):
            foreign = found.end()
            return found[0]
        kind, word = FULL[found[1].lower()], found[1] + found[2]
        shown = list[str]()
        for place, part in enumerate(AND.split(found[3])):
            said = f"{word}{part}" if place == 0 else part
            id = labels.get(f"{kind}:{part.lower()}")
            shown.append(link(said, id) if id is not None and place % 2 == 0 else said)
        return "".join(shown)

    return LABELS.sub(linked, text)


def _paper(at: str) -> str | None:
    """The paper that a page is of."""
    folder, _, file = at.rpartition("/")
    key = re.split(r"[_.]", file)[0]
    return key if folder in ("claims", "papers") and key in PAPERS else None


@cache
def _labels(ids: tuple[str, ...], paper: str | None) -> dict[str, str]:
    """What the paper's labels mean, as `naming.places` writes them, where that is one result."""
    found: dict[str, list[str]] = {}
    for id in ids:
        claim = every()[id]
        for place in places(label(claim)) if claim.paper == paper else ():
            found.setdefault(place, []).append(id)
    chosen = {place: [id for id in those if place in places(id.split("/")[1])] or those for place, those in found.items()}
    return {place: meant for place, those in chosen.items() if (meant := single(those)) is not None}


@cache
def _mention(ids: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the ids, the longest that fits."""
    alike = sorted(ids, key=lambda id: (-len(id), id))
    return re.compile(rf"(?<![\w/.-])(?:{'|'.join(map(re.escape, alike))})(?![\w/]|[.-]\w)")
