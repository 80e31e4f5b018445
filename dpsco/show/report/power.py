"""The page of what the judges notice: the fates of all mutants, counted from the judgements that the site shows."""

from collections.abc import Sequence
from itertools import groupby

from dpsco.mutant import Fate
from dpsco.running.power import Row, exercised, fates, left, rows, untested
from dpsco.running.record import Record
from dpsco.show.report.data import Register
from dpsco.show.report.markup import Content, Markup, joined, table, tag
from dpsco.show.report.page import claim_link, page, section
from dpsco.show.report.prose import prose
from dpsco.spec.papers import PAPERS

PLACE = "power.html"
MEANINGS = {
    Fate.KILLED: ("false", "says refuted or inconsistent"),
    Fate.SURVIVED: ("false", "does not notice"),
    Fate.TRUE: ("still true, provably", "is not asked"),
    Fate.PARENT_REFUTED: ("a change of a claim that is refuted as printed", "is not asked: its amendment is"),
    Fate.UNKNOWN: ("neither shown false nor shown true", "is not asked"),
}


def anchor(record: Record) -> str:
    """Where the row of a claim's paper and kind is on the page."""
    return f"{record['id'].split('/')[0]}-{record['kind']}"


def power_page(register: Register, version: str) -> str:
    """The page."""
    records = [register.records[id] for id in register.pages]
    counted = fates(records)
    false = counted[Fate.KILLED] + counted[Fate.SURVIVED]
    through = sum(exercised(record, register.records) == "amendment" for record in records)
    content = joined(
        tag("h1", "What the judges notice"),
        tag(
            "p",
            "A certificate is worth as much as the judge that gave it. So every certified claim and every amendment is "
            "changed, one thing at a time (a constant, an exponent, a condition, a domain, the neighbours, a quantifier), and "
            "the judge is given the changed claim, a mutant. Whether the change makes it false is found by another route than "
            "the judge's: quadrature for enclosures, exact fractions for computer algebra, a value at one point for a proof.",
            class_="lead",
        ),
        tag(
            "p",
            tag("strong", f"{counted[Fate.KILLED]} of {false} false mutants are killed."),
            " A claim's page lists its own. ",
        ),
        tag("p", "Counted from the judgements that this report shows, as ", tag("code", "dpsco power"), " does."),
        section("fates", "Fates", _meanings()),
        section("counts", "How many", _counts(rows(records), counted)),
        section("untested", "What no mutant tests", _untested(register, records, through)),
        _left(register, records),
    )
    return page("What the judges notice", content, at=PLACE, version=version, here="Power", wide=True)


def _meanings() -> Markup:
    said: list[list[Content]] = [[fate.value, *MEANINGS[fate]] for fate in Fate]
    return table("What can become of a mutant", ["fate", "the changed claim is", "the judge"], said)


def _counts(found: Sequence[Row], total: dict[Fate, int]) -> Markup:
    names = ("kind of statement", "claims", "amendments", *(fate.value for fate in Fate))
    bodies = []
    for paper, group in groupby(found, key=lambda row: row.paper):
        top = tag("tr", tag("th", f"{PAPERS[paper].authors}: {PAPERS[paper].title}", scope="rowgroup", colspan=len(names)))
        bodies.append(tag("tbody", top, *(_row(row.kind, row, f"{paper}-{row.kind}") for row in group)))
    claims, amendments = (sum(getattr(row, name) for row in found) for name in ("claims", "amendments"))
    bodies.append(tag("tbody", _row("all", Row("", "", claims, amendments, total), None)))
    head = [tag("th", name, scope="col", class_="num" if place else None) for place, name in enumerate(names)]
    caption = tag("caption", "Mutants by paper and kind of statement; an amendment counts with its own kind")
    return tag("div", tag("table", caption, tag("thead", tag("tr", *head)), *bodies, class_="narrow"), class_="wide")


def _row(name: str, row: Row, id: str | None) -> Markup:
    numbers = (row.claims, row.amendments, *(row.fates[fate] for fate in Fate))
    return tag("tr", tag("th", name, scope="row"), *(tag("td", str(each), class_="num") for each in numbers), id=id)


def _untested(register: Register, records: Sequence[Record], through: int) -> Markup:
    waiting = untested(records)
    said = f"{through} claims are tested through their amendments only, {len(waiting)} not at all{':' if waiting else '.'}"
    shown = [tag("li", claim_link(register.records[id], ""), ": ", prose(why)) for id, why in waiting]
    return joined(tag("p", said), tag("ul", *shown) if shown else None)


def _left(register: Register, records: Sequence[Record]) -> Markup | None:
    """Mutants that show a judge blind, or that nobody decided."""
    shown = [
        tag("li", fate.value, ": ", claim_link(register.records[id], ""), ": ", prose(says)) for id, fate, says in left(records)
    ]
    return section("left", "Survived or undecided", tag("ul", *shown)) if shown else None
