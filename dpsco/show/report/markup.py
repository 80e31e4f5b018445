"""HTML as text: every string is escaped here and nowhere else.

`Markup` is text that is HTML already; any other string that `tag` is given is words, and is escaped.
"""

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

EMPTY = frozenset({"br", "hr", "img", "input", "link", "meta", "rect", "line", "mspace"})
"""Elements without content (those of SVG and MathML are closed by their slash)."""
FOREIGN = frozenset({"rect", "line", "mspace"})


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Content: TypeAlias = "str | Iterable[Content] | None"


def joined(*content: Content) -> Markup:
    """Everything in a row: words escaped, None left out, lists opened."""
    return Markup("".join(_parts(content)))


def _parts(content: Content) -> Iterable[str]:
    if content is None:
        return
    if isinstance(content, Markup):
        yield content
    elif isinstance(content, str):
        yield escape(content, quote=False)
    else:
        for part in content:
            yield from _parts(part)


def tag(name: str, /, *content: Content, **attributes: "str | int | bool | None") -> Markup:
    """One element. An attribute's name is written without a trailing underscore and with - for _; False and None leave it
    out, True writes its name alone.

    tag("a", "x < y", href="p.html", class_="claim") is <a href="p.html" class="claim">x &lt; y</a>.
    """
    written = "".join(_attribute(key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
    if name in EMPTY:
        if content:
            raise ValueError(f"name={name!r} has no content, but was given {content!r}")
        return Markup(f"<{name}{written}{'/' if name in FOREIGN else ''}>")
    return Markup(f"<{name}{written}>{joined(*content)}</{name}>")


def _attribute(name: str, value: "str | int | bool | None") -> str:
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escape(str(value), quote=True)}"'


def items(*content: Content, **attributes: "str | int | bool | None") -> Markup:
    """An unordered list with an item for each content."""
    return tag("ul", *(tag("li", each) for each in content), **attributes)


def table(
    caption: Content,
    head: Iterable[Content],
    rows: Iterable[Iterable[Content]],
    right: Iterable[int] = (),
    text: Iterable[int] = (),
    **attributes: "str | int | bool | None",
) -> Markup:
    """A table with a caption; the first cell of a row is its heading, `right` are columns of numbers, `text`
    those of sentences. Wide tables scroll."""
    kinds = dict.fromkeys(right, "num") | dict.fromkeys(text, "text")

    def cell(place: int, content: Content) -> Markup:
        kind = kinds.get(place)
        return tag("th", content, scope="row", class_=kind) if place == 0 else tag("td", content, class_=kind)

    top = [tag("th", each, scope="col", class_=kinds.get(place)) for place, each in enumerate(head)]
    body = [tag("tr", *(cell(place, each) for place, each in enumerate(row))) for row in rows]
    whole = tag("table", tag("caption", caption), tag("thead", tag("tr", *top)), tag("tbody", *body), **attributes)
    return tag("div", whole, class_="wide")
