"""Markdown as pages: the guide, and tables that scripts write as Markdown."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from dpsco.report.markup import Markup, items, joined, tag
from dpsco.report.page import page

INDEX = "index"
GUIDE = Path(__file__).parents[1] / "guide"
ABROAD = re.compile(r"https?:|mailto:")


def guide_pages(folder: Path = GUIDE) -> list[tuple[str, str, Markup]]:
    """Title, place and content of each Markdown file of the guide, by name, `index.md` first."""
    files = sorted(folder.glob("*.md"), key=lambda file: (file.stem != INDEX, file.stem)) if folder.is_dir() else []
    places = {file.name: f"{file.stem}.html" for file in files}
    shown = []
    for file in files:
        source = file.read_text(encoding="utf-8")
        shown.append((title_of(source, file.stem), f"guide/{places[file.name]}", rendered(source, places)))
    return shown


def guide_index(pages: Sequence[tuple[str, str, Markup]], version: str) -> str:
    """The guide's contents, for a guide without an `index.md`."""
    links = [tag("a", title, href=place.removeprefix("guide/")) for title, place, _ in pages]
    said = items(*links) if links else tag("p", "This installation has no guide.")
    content = joined(tag("h1", "Guide"), said)
    return page("Guide", content, at="guide/index.html", version=version, here="Guide")


def title_of(source: str, otherwise: str) -> str:
    """The first heading, without its marks."""
    found = re.search(r"^#+ +(.+?)\s*#*$", source, re.MULTILINE)
    return re.sub(r"[`*_]", "", found[1]) if found else otherwise


def rendered(source: str, places: dict[str, str] | None = None) -> Markup:
    """Markdown as HTML: tables on, HTML in it shown as text, headings with ids; links to Markdown files go to their pages
    (`places`), links to files that the site has not are words, images are their description."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(source)
    taken = {"content"}
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _free(_slug(tokens[place + 1].content), taken))
        if token.children:
            token.children = list(_mended(token.children, places or {}))
    whole = parser.renderer.render(tokens, parser.options, {})
    return Markup(whole.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>"))


def _mended(tokens: Sequence[Any], places: dict[str, str]) -> Iterator[Any]:
    kept: list[bool] = []
    for token in tokens:
        if token.type == "image":
            token.type, token.tag, token.attrs = "text", "", {}
            yield token
        elif token.type == "link_open":
            there = _target(str(token.attrGet("href") or ""), places)
            kept.append(there is not None)
            if there is not None:
                token.attrSet("href", there)
                yield token
        elif token.type == "link_close":
            if kept.pop():
                yield token
        else:
            yield token


def _target(href: str, places: dict[str, str]) -> str | None:
    """Where a link goes in the site, None if what it names is not there."""
    if ABROAD.match(href) or href.startswith("#"):
        return href
    file, _, anchor = href.partition("#")
    name = Path(file).name
    return f"{places[name]}{'#' * bool(anchor)}{anchor}" if name in places else None


def _slug(heading: str) -> str:
    return re.sub(r"[^\w]+", "-", heading.lower()).strip("-") or "section"


def _free(wanted: str, taken: set[str]) -> str:
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}-{number}", number + 1
    taken.add(name)
    return name
