"""Markdown as pages: the guide, and tables that scripts write as Markdown."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from dpsco.show.report.code import python
from dpsco.show.report.markup import Markup, items, joined, tag
from dpsco.show.report.page import page

INDEXES = ("index", "README")
"""Names of the file that is the folder's first page."""
GUIDE = Path(__file__).parents[1] / "guide"
ABROAD = re.compile(r"https?:|mailto:")


def guide_pages(folder: Path = GUIDE) -> list[tuple[str, str, Markup]]:
    """Title, place and content of each Markdown file of the guide, by name, its index first."""
    return _pages(folder, "guide", {})


def docs_pages(folder: Path) -> list[tuple[str, str, Markup]]:
    """The same of another folder; its links to the guide lead there."""
    return _pages(folder, "docs", {name: (f"../guide/{place}", title) for name, (place, title) in _places(GUIDE).items()})


def _pages(folder: Path, under: str, beside: "Places") -> list[tuple[str, str, Markup]]:
    places = _places(folder)
    sources = {name: (folder / name).read_text(encoding="utf-8") for name in places}
    return [
        (title, f"{under}/{place}", rendered(sources[name], {**beside, **places})) for name, (place, title) in places.items()
    ]


def _places(folder: Path) -> dict[str, tuple[str, str]]:
    """Of each Markdown file the page's name and title."""
    files = sorted(folder.glob("*.md"), key=lambda file: (file.stem not in INDEXES, file.stem)) if folder.is_dir() else []
    return {
        file.name: (
            "index.html" if file.stem in INDEXES else f"{file.stem}.html",
            title_of(file.read_text(encoding="utf-8"), file.stem),
        )
        for file in files
    }


def guide_index(pages: Sequence[tuple[str, str, Markup]], version: str) -> str:
    """The guide's contents, for a guide without an `index.md`."""
    links = [tag("a", title, href=place.removeprefix("guide/")) for title, place, _ in pages]
    said = items(*links) if links else tag("p", "This installation has no guide.")
    content = joined(tag("h1", "Guide"), said)
    return page("Guide", content, at="guide/index.html", version=version, here="Guide", wide=True)


def title_of(source: str, otherwise: str) -> str:
    """The first heading, without its marks."""
    found = re.search(r"^#+ +(.+?)\s*#*$", source, re.MULTILINE)
    return re.sub(r"[`*_]", "", found[1]) if found else otherwise


Places: TypeAlias = Mapping[str, tuple[str, str]]
"""Of each Markdown file by its name: where its page is, and the page's title."""


def rendered(source: str, places: Places | None = None, under: str | None = None) -> Markup:
    """Markdown as HTML: tables on, HTML in it shown as text, headings with ids, Python with its tokens marked; links to
    Markdown files go to their pages (`places`) and say the title where they said the file's name, links to files that the
    site has not are words, images are their description. A table is named by the heading above it, or by the one with the id
    `under` that stands before the whole."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("fence", _fence)
    tokens = parser.parse(source)
    taken, above = {"content"}, list[int]()
    for place, token in enumerate(tokens):
        if token.type == "heading_open":  # no level is left out below a heading: a screen reader counts them
            above = [*(level for level in above if level < int(token.tag[1])), int(token.tag[1])]
            token.tag = tokens[place + 2].tag = f"h{above[0] + len(above) - 1}"
        if token.type == "heading_open":
            under = _free(_slug(tokens[place + 1].content), taken)
            token.attrSet("id", under)
        if token.type == "table_open" and under is not None:
            token.attrSet("aria-labelledby", under)
        if token.children:
            token.children = list(_mended(token.children, places or {}))
    whole = parser.renderer.render(tokens, parser.options, {})
    return Markup(re.sub(r"(<table\b[^>]*>)", r'<div class="wide">\1', whole).replace("</table>", "</table></div>"))


def _fence(_: Any, tokens: Sequence[Any], place: int, *__: Any) -> str:
    token = tokens[place]
    shown = python(token.content) if token.info.strip() == "python" else tag("code", token.content)
    return f"{tag('pre', shown)}\n"


def _mended(tokens: Sequence[Any], places: Places) -> Iterator[Any]:
    kept: list[bool] = []
    named: tuple[str, str] | None = None
    for token in tokens:
        if token.type == "image":
            token.type, token.tag, token.attrs = "text", "", {}
            yield token
        elif token.type == "link_open":
            href = str(token.attrGet("href") or "")
            there = _target(href, places)
            kept.append(there is not None)
            file = Path(href.partition("#")[0])
            named = (file.stem, places[file.name][1]) if file.name in places else None
            if there is not None:
                token.attrSet("href", there)
                yield token
        elif token.type == "link_close":
            named = None
            if kept.pop():
                yield token
        else:
            if named and token.content == named[0]:
                token.content = named[1]
            yield token


def _target(href: str, places: Places) -> str | None:
    """Where a link goes in the site, None if what it names is not there."""
    if ABROAD.match(href) or href.startswith("#"):
        return href
    file, _, anchor = href.partition("#")
    name = Path(file).name
    return f"{places[name][0]}{'#' * bool(anchor)}{anchor}" if name in places else None


def _slug(heading: str) -> str:
    return re.sub(r"[^\w]+", "-", heading.lower()).strip("-") or "section"


def _free(wanted: str, taken: set[str]) -> str:
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}-{number}", number + 1
    taken.add(name)
    return name
