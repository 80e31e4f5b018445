"""Every mention of a result (`paper/label`) in the text of a page is a link to the result's page."""

import re
from functools import cache

from dpsco.report.data import file_of
from dpsco.report.markup import Markup, tag
from dpsco.spec.register import amendments, register

LEFT = frozenset({"a", "button", "head", "option", "pre", "script", "select", "style", "svg", "title"})
"""Elements whose text stays as it is: links already, text to copy, drawings."""
ELEMENT = re.compile(r"(<[^>]*>)")
NAME = re.compile(r"</?([a-z][a-z0-9]*)", re.IGNORECASE)


def linked(page: Markup, up: str, own: str | None = None) -> Markup:
    """The HTML with its mentions as links, `up` being the way to the root of the site; mentions of `own`, the result that the
    page is about, stay as they are."""
    mention, shown, left = _mention(len(register()) + len(amendments())), [], 0

    def link(found: re.Match[str]) -> str:
        id = found[0]
        return id if id == own else tag("a", id, href=up + file_of(id))

    for part in ELEMENT.split(page):
        if not part.startswith("<"):
            shown.append(part if left else mention.sub(link, part))
            continue
        shown.append(part)
        name = NAME.match(part)
        if name is not None and name[1].lower() in LEFT and not part.endswith("/>"):
            left += -1 if part.startswith("</") else 1
    return Markup("".join(shown))


@cache
def _mention(_: int) -> re.Pattern[str]:
    """Any registered id, the longest that fits (made anew when results are added)."""
    ids = sorted({*register(), *amendments()}, key=lambda id: (-len(id), id))
    return re.compile(rf"(?<![\w/.-])(?:{'|'.join(map(re.escape, ids))})(?![\w/]|[.-]\w)")
