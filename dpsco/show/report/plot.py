"""Where over (epsilon, delta) a printed noise scale keeps its promise, drawn as SVG."""

import json
from collections.abc import Iterator, Mapping
from decimal import ROUND_CEILING, Context, Decimal
from itertools import pairwise
from pathlib import Path
from typing import TypedDict

from dpsco.audit.calibration.formulas import PRINTED, Printed, printed, quantities
from dpsco.audit.calibration.mechanisms import GAUSSIAN, MECHANISMS
from dpsco.audit.calibration.regions import Cell, Region, region
from dpsco.audit.calibration.solver import solve
from dpsco.reference.numbers.inversion import OutOfReachError
from dpsco.show.report.markup import Markup, joined, tag
from dpsco.show.report.prose import prose
from dpsco.spec.register import amendments

KEPT = Path(__file__).parents[2] / "data" / "regions.json"
WIDTH, HEIGHT, LEFT, TOP, EDGE = 46, 24, 52, 22, 76
UP = Context(prec=6, rounding=ROUND_CEILING)
MARKS = {Cell.VALID: "", Cell.REFUTED: "×", Cell.UNDECIDED: "?", Cell.OUTSIDE: ""}
SAYS = {
    Cell.VALID: "enough noise, proved",
    Cell.REFUTED: "too little noise, proved (×)",
    Cell.UNDECIDED: "neither proved (?)",
    Cell.OUTSIDE: "the claim does not speak of it",
}


NOTHING = "-"


class Kept(TypedDict):
    """A map as it is kept: a word for each cell, line by line."""

    claim: str
    formula: str
    mechanism: str
    epsilons: list[str]
    deltas: list[str]
    cells: list[str]
    largest: list[list[str] | None]
    spent: list[str]
    """The delta that the printed scale spends, at most, at each point, line by line; `NOTHING` where none is known."""


def kept() -> list[Kept]:
    """The maps that take longer than a page should wait, as `docs/scripts/maps.py` wrote them."""
    found: list[Kept] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else []
    return found


def maps() -> Mapping[str, list[tuple[Printed, Region]]]:
    """The map of every noise scale by claim: those of the Gaussian mechanism are made here in a second, the others
    are kept. One that is not kept is a command's work (`mapped_by`)."""
    found: dict[str, list[tuple[Printed, Region]]] = {}
    for row in printed(GAUSSIAN.name):
        found.setdefault(row.claim, []).append((row, region(GAUSSIAN, row, {})))
    for one in kept():
        for row in printed(one["mechanism"]):
            if (row.claim, row.formula) == (one["claim"], one["formula"]):
                found.setdefault(row.claim, []).append((row, _region(one)))
    return found


def _region(one: Kept) -> Region:
    cells = [[Cell(word) for word in line.split()] for line in one["cells"]]
    largest = [(each[0], each[1]) if each else None for each in one["largest"]]
    return Region(tuple(one["epsilons"]), tuple(one["deltas"]), cells, largest)


def spent(row: Printed, found: Region) -> list[list[str | None]]:
    """The delta that the printed scale really spends at each point, rounded up: from the kept map, or solved for here."""
    for one in kept():
        if (one["claim"], one["formula"]) == (row.claim, row.formula):
            return [[None if word == NOTHING else word for word in line.split()] for line in one["spent"]]
    return [[spent_at(row, epsilon, delta) for epsilon in found.epsilons] for delta in found.deltas]


def spent_at(row: Printed, epsilon: str, delta: str) -> str | None:
    given = quantities(row, epsilon, delta, {})
    if given is None:
        return None
    try:
        found = solve(MECHANISMS[row.mechanism], {name: value for name, value in given.items() if name != "delta"}, "delta")
    except OutOfReachError:
        return None
    assert found.value is not None
    return str(UP.plus(Decimal(found.value)))


def mapped_by(id: str) -> str | None:
    """The command that maps a claim's noise scale, None if it prints none."""
    amended = {other.id: other.amends for other in amendments().values()}
    for row in PRINTED:
        if id == row.claim or (amended.get(id) == row.claim and id in (other.claim for other in printed(row.mechanism))):
            return f"dpsco audit {row.mechanism} --region --formula {id}"
    return None


def figure(row: Printed, found: Region) -> Markup:
    """A map with its caption."""
    at = ", ".join(f"{name} = {value}" for name, value in row.fixed.items())
    shown = {cell for line in found.cells for cell in line}
    keys = [
        tag("li", tag("span", MARKS[cell] or "\u00a0", class_=f"key {cell}", aria_hidden="true"), f" {SAYS[cell]}")
        for cell in Cell
        if cell in shown
    ]
    caption = tag(
        "figcaption",
        prose(
            f"Where {row.formula} is enough noise: {row.says}; {at}. Beside each line stands the largest epsilon that is "
            "proved enough, found between two columns, to three digits, rounded down."
        ),
        tag("ul", *keys, class_="keys"),
    )
    return tag("figure", tag("div", drawing(row, found), class_="wide"), caption)


def drawing(row: Printed, found: Region) -> Markup:
    """The map alone: a cell for each point."""
    width, height = LEFT + WIDTH * len(found.epsilons) + EDGE, TOP + HEIGHT * len(found.deltas) + 22
    number = sum(cell is Cell.REFUTED for line in found.cells for cell in line)
    points = sum(cell is not Cell.OUTSIDE for line in found.cells for cell in line)
    return tag(
        "svg",
        *_cells(found),
        *_labels(found),
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_label=f"{row.claim}, {row.formula}: too little noise at {number} of {points} points",
        class_="map",
    )


def _cells(found: Region) -> Iterator[Markup]:
    for i, line in enumerate(found.cells):
        for j, cell in enumerate(line):
            x, y = LEFT + WIDTH * j, TOP + HEIGHT * i
            yield tag("rect", x=x, y=y, width=WIDTH - 1, height=HEIGHT - 1, class_=str(cell))
            if MARKS[cell]:
                yield tag("text", MARKS[cell], x=x + WIDTH // 2, y=y + 17, text_anchor="middle")
        yield joined(_edges(found, i))


def _edges(found: Region, i: int) -> Iterator[Markup]:
    """The end of what is proved: a rule between valid and refuted cells, and its epsilon."""
    y = TOP + HEIGHT * i
    for j, (here, there) in enumerate(pairwise(found.cells[i])):
        if here is Cell.VALID and there is Cell.REFUTED:
            x = LEFT + WIDTH * (j + 1) - 1
            yield tag("line", x1=x, x2=x, y1=y, y2=y + HEIGHT - 1)
    largest = found.largest[i]
    if largest is not None:
        yield tag("text", f"≤ {largest[0]}", x=LEFT + WIDTH * len(found.epsilons) + 6, y=y + 17)


def _labels(found: Region) -> Iterator[Markup]:
    for j, epsilon in enumerate(found.epsilons):
        yield tag("text", epsilon, x=LEFT + WIDTH * j + WIDTH // 2, y=TOP - 7, text_anchor="middle")
    for i, delta in enumerate(found.deltas):
        yield tag("text", delta, x=LEFT - 6, y=TOP + HEIGHT * i + 17, text_anchor="end")
    low = TOP + HEIGHT * len(found.deltas) + 16
    yield tag("text", "across: ε, down: δ", x=LEFT, y=low)
