"""What every page has: head, skip link, navigation, list of its sections, footer; and the small parts that several pages
share."""

import re
from collections.abc import Sequence

from dpsco.running import grounds
from dpsco.running.record import Record
from dpsco.show.report.data import LETTERS, Register, file_of
from dpsco.show.report.markup import Content, Markup, joined, tag

SAID = ("holds", "broken")
"""Words on a proof that stand beside every verdict."""
HEADING = re.compile(r'<h2 id="([^"]+)">(.*?)</h2>', re.DOTALL)
LINKS = re.compile(r"</?a\b[^>]*>")
FEW = 3
"""Sections of a page that needs no list of them."""
SITE = "dpsco report"
INDEX = "search-index.js"
"""What the search looks in; a page fetches it when somebody begins to type."""
DESCRIPTION = "Every registered statement of five papers on private stochastic convex optimization, judged."


def page(
    title: str,
    content: Content,
    *,
    at: str,
    version: str,
    here: str = "",
    wide: bool = False,
    description: str = DESCRIPTION,
) -> str:
    """A whole page. `at` is its place from the root of the site, `here` the entry of the navigation that it belongs to."""
    up = root(at)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title if title == SITE else f"{title} · {SITE}"),
        tag("meta", name="description", content=description),
        tag("meta", name="color-scheme", content="light dark"),
        tag("link", rel="icon", href="data:,"),
        tag("link", rel="stylesheet", href=f"{up}report.css"),
        tag("script", src=f"{up}report.js", defer=True),
        tag("script", src=f"{up}search.js", defer=True),
    )
    body = tag(
        "body",
        tag("a", "Skip to the content", href="#content", class_="skip"),
        tag("header", navigation(up, here), _search(up)),
        tag("main", _with_contents(joined(content)), id="content", class_="broad" if wide else None, tabindex="-1"),
        tag(
            "footer",
            tag("p", f"dpsco {version}. Written by ", tag("code", "dpsco report"), "; no page asks a network for anything."),
        ),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def navigation(up: str, here: str) -> Markup:
    """The links on top of every page."""
    entries = {
        "Verdicts": "index.html",
        "Papers": "index.html#papers",
        "Guide": "guide/index.html",
        "Rates": "rates.html",
        "Power": "power.html",
        "Experiments": "experiments.html",
        "Auditor": "auditor.html",
        "Benchmarks": "benchmarks.html",
    }
    links = [
        tag("li", tag("a", name, href=up + place, aria_current="page" if name == here else None))
        for name, place in entries.items()
    ]
    return tag("nav", tag("ul", *links), aria_label="Report")


def _with_contents(content: Markup) -> Markup:
    """The content of a page, with a list of its sections behind its card or title where there are more than a few."""
    sections = HEADING.findall(content)
    if len(sections) <= FEW:
        return content
    links = [tag("li", tag("a", Markup(LINKS.sub("", title)), href=f"#{id}")) for id, title in sections]
    whole = tag("nav", tag("ul", *links), class_="contents", aria_label="On this page")
    head = "</article>" if content.startswith("<article") else "</h1>"
    before, _, after = content.partition(head)
    return Markup(f"{before}{head}{whole}{after}")


def _search(up: str) -> Markup:
    """The search field of every page; hidden until its script has run."""
    field = tag(
        "input",
        type="search",
        name="q",
        id="search",
        autocomplete="off",
        spellcheck="false",
        placeholder="Theorem 3.5, Lowy, composition",
        aria_controls="found",
    )
    return tag(
        "form",
        tag("label", "Search ", field),
        tag("p", role="status", aria_live="polite", class_="heard"),
        tag("ul", id="found", hidden=True),
        role="search",
        aria_label="The whole report",
        class_="search",
        data_up=up or None,
        data_index=f"{up}{INDEX}",
        hidden=True,
    )


def root(at: str) -> str:
    """The way from a page to the root of the site."""
    return "../" * at.count("/")


def badge(verdict: str, severity: str | None = None) -> Markup:
    """A verdict as a mark (letter, shape and colour) and a word."""
    said = [tag("span", f" ({severity})", class_="severity")] if severity else []
    return tag("span", mark(verdict), " ", verdict, *said, class_=f"verdict {verdict}")


def verdict_and_proof(record: Record) -> Markup:
    """The badge of a judgement, and the word on its printed proof where that says something."""
    word = record["proof"]["word"]
    proof = tag("span", f"proof {word}", class_=f"proof {word}") if word in SAID else None
    rests = tag("span", words, class_="source") if (words := grounds.said(record)) else None
    parts = [part for part in (badge(record["verdict"], record["severity"]), rests, proof) if part]
    return joined(parts[0], *(each for part in parts[1:] for each in (" ", part)))


def mark(verdict: str) -> Markup:
    """The verdict's letter in its shape; the word stands beside it or in the link's label."""
    return tag("span", LETTERS[verdict], class_=f"mark {verdict}", aria_hidden="true")


def claim_link(record: Record, up: str) -> Markup:
    """The claim's id as a link to its page."""
    return tag("a", tag("code", record["id"]), href=up + file_of(record["id"]))


def section(name: str, title: Content, *content: Content) -> Markup:
    """A section with a heading that can be linked to."""
    return tag("section", tag("h2", title, id=name), *content, aria_labelledby=name)


def facts(*pairs: tuple[Content, Content]) -> Markup:
    """Names and what belongs to them; pairs without content are left out."""
    shown = [(name, content) for name, content in pairs if content]
    return tag("dl", *(joined(tag("dt", name), tag("dd", content)) for name, content in shown)) if shown else Markup()


def tape(register: Register, ids: Sequence[str], up: str) -> Markup:
    """A cell for each statement, a link to its page."""
    cells = []
    for id in ids:
        record = register.records[id]
        severity = f" ({record['severity']})" if record["severity"] else ""
        proof = f", proof {record['proof']['word']}" if record["proof"]["word"] in SAID else ""
        said = f"{id}: {record['verdict']}{severity}{proof}"
        link = tag("a", mark(record["verdict"]), href=up + file_of(id), aria_label=said, title=said)
        cells.append(tag("li", link, data_id=id))
    return tag("ol", *cells, class_="tape")
