"""Every mention of a result (`paper/label`) in the text of a page is a link to the result's page."""

import re
from collections.abc import Sequence
from functools import cache

from dpsco.report.data import file_of
from dpsco.report.markup import tag
from dpsco.report.page import root

LEFT = frozenset({"a", "button", "head", "option", "pre", "script", "select", "style", "svg", "title"})
"""Elements whose text stays as it is: links already, text to copy, drawings."""
ELEMENT = re.compile(r"(<[^>]*>)")
NAME = re.compile(r"</?([a-z][a-z0-9]*)", re.IGNORECASE)


def linked(page: str, at: str, ids: Sequence[str]) -> str:
    """The page that stands `at` this place from the root of the site, with its mentions of results that have a page as links;
    mentions of the result that the page is about stay as they are."""
    up, mention, shown, left = root(at), _mention(tuple(ids)), [], 0

    def link(found: re.Match[str]) -> str:
        place = file_of(found[0])
        return found[0] if place == at else tag("a", found[0], href=up + place)

    for part in ELEMENT.split(page):
        if not part.startswith("<"):
            shown.append(part if left else mention.sub(link, part))
            continue
        shown.append(part)
        name = NAME.match(part)
        if name is not None and name[1].lower() in LEFT and not part.endswith("/>"):
            left += -1 if part.startswith("</") else 1
    return "".join(shown)


@cache
def _mention(ids: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the ids, the longest that fits."""
    every = sorted(ids, key=lambda id: (-len(id), id))
    return re.compile(rf"(?<![\w/.-])(?:{'|'.join(map(re.escape, every))})(?![\w/]|[.-]\w)")
