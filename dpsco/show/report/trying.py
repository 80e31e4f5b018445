"""A printed noise scale at the reader's own numbers: two sliders over the cells of its map, every value enclosed here.

The page's script only shows what is shipped: it has no formula, stops at cells alone, and never shows a sigma without what is
proved of it.
"""

import json
import re
from collections.abc import Mapping, Sequence
from decimal import ROUND_CEILING, Context, Decimal
from typing import Any

from dpsco.audit.calibration.formulas import Printed, quantities
from dpsco.audit.calibration.regions import Cell, Region
from dpsco.show.report import plot
from dpsco.show.report.markup import Markup, joined, tag
from dpsco.show.report.prose import prose
from dpsco.spec.register import find

HOW = (
    "Each stop is a point of the map above. Between two stops take the smaller epsilon and the smaller delta: a sigma that is "
    "enough for them is enough for larger ones."
)
DIGITS = 6
NOISE = ("sigma", "noise-multiplier")
"""What a mechanism calls its noise: for the second a clip or a gradient norm of 1 makes it the same number."""
TEXTS = ("printed", "command", "repaired")
HOLE, EPSILON, DELTA, SIGMA = "#", "@e", "@d", "@s"
"""What stands in a frame for a number, for those of the stop, and for the sigma of the sentence."""
NUMBER = re.compile(r"(?<= )\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
UP = Context(prec=DIGITS, rounding=ROUND_CEILING)
SAYS = {
    Cell.VALID: "enough noise, proved",
    Cell.REFUTED: "too little noise, proved",
    Cell.UNDECIDED: "neither proved to be enough nor too little",
}


def sliders(row: Printed, found: Region, repairs: Sequence[tuple[Printed, Region]]) -> Markup:
    """The form of one formula, hidden until its script has run; `repairs` are the maps of its amendments."""
    spent = plot.spent(row, found)
    cells = [
        [_cell(row, found, repairs, spent[i][j], i, j) for j in range(len(found.epsilons))]  # row by row, as the map is drawn
        for i in range(len(found.deltas))
    ]
    frames: dict[str, int] = {}
    shipped = {
        "epsilons": list(found.epsilons),
        "deltas": list(found.deltas),
        "cells": [
            [_numbered(cell, frames, epsilon, delta) for epsilon, cell in zip(found.epsilons, line, strict=True)]
            for delta, line in zip(found.deltas, cells, strict=True)
        ],
        "frames": [*frames],
    }
    name = f"{row.claim}-{row.formula}".replace("/", "_")
    return tag(
        "form",
        tag("p", prose(HOW)),
        _slider(f"{name}-epsilon", "epsilon", found.epsilons),
        _slider(f"{name}-delta", "delta", found.deltas),
        tag("p", role="status", aria_live="polite", class_="tried"),
        tag("p", tag("code", id=f"{name}-command"), " ", tag("button", "Copy", type="button", data_from=f"{name}-command")),
        tag("script", Markup(json.dumps(shipped, separators=(",", ":")).replace("<", "\\u003c")), type="application/json"),
        class_="try",
        aria_label=f"{row.formula} at your own numbers",
        hidden=True,
    )


def _numbered(cell: Mapping[str, str] | None, frames: dict[str, int], epsilon: str, delta: str) -> list[Any] | None:
    """A cell's state, then its texts (`TEXTS`), each as a frame's number and the numbers that stand in it: most cells say the
    same in other numbers. The command has the first text's sigma and the stop's epsilon and delta, which are shipped once."""
    if cell is None:
        return None
    shipped: list[Any] = [cell["state"]]
    sigma = ""
    for name in TEXTS:
        if name in cell:
            assert HOLE not in cell[name]
            text = cell[name]
            if name == "command":
                text = text.replace(f" {epsilon} --delta {delta} ", f" {EPSILON} --delta {DELTA} ")
                text = text.replace(f" {sigma} ", f" {SIGMA} ", 1)
            frame = NUMBER.sub(HOLE, text)
            shipped.append([frames.setdefault(frame, len(frames)), *NUMBER.findall(text)])
            sigma = sigma or shipped[1][1]
    return shipped


def _slider(id: str, name: str, values: Sequence[str]) -> Markup:
    middle = len(values) // 2
    return tag(
        "p",
        tag("label", prose(name), for_=id),
        " ",
        tag("input", type="range", id=id, name=name, min=0, max=len(values) - 1, step=1, value=middle),
        " ",
        tag("output", values[middle], for_=id),
    )


def _cell(
    row: Printed, found: Region, repairs: Sequence[tuple[Printed, Region]], spent: str | None, i: int, j: int
) -> dict[str, str] | None:
    """What is known at a point, in words; None where the claim does not speak of it."""
    epsilon, delta, cell = found.epsilons[j], found.deltas[i], found.cells[i][j]
    given = quantities(row, epsilon, delta, {})
    if cell is Cell.OUTSIDE or given is None:
        return None
    sigma = _upward(_noise(given))
    spends = f" It spends a delta of at most {spent}." if spent is not None else ""
    shown = {
        "state": str(cell),
        "printed": f"As printed, sigma is {sigma} (rounded up): {SAYS[cell]}.{spends}",
        "command": _command(row, given),
    }
    repaired = _repaired(row, repairs, epsilon, delta)
    return shown | ({"repaired": repaired} if repaired else {})


def _noise(given: Mapping[str, Any]) -> Any:
    return next(given[name] for name in NOISE if name in given)


def _repaired(printed: Printed, repairs: Sequence[tuple[Printed, Region]], epsilon: str, delta: str) -> str:
    """The first amendment that is proved enough here; one for other neighbours says so."""
    for row, found in repairs:
        if epsilon not in found.epsilons or delta not in found.deltas:
            continue
        given = quantities(row, epsilon, delta, {})
        valid = found.cells[found.deltas.index(delta)][found.epsilons.index(epsilon)] is Cell.VALID
        if valid and given is not None:
            adjacency = find(row.claim).adjacency
            other = f", neighbours {adjacency.value}" if adjacency and adjacency != find(printed.claim).adjacency else ""
            return f"{row.claim}: sigma {_upward(_noise(given))} (rounded up) is {SAYS[Cell.VALID]}{other}."
    return ""


def _command(row: Printed, given: Mapping[str, Any]) -> str:
    """The audit of the same point: every number that the mechanism takes, the noise first."""
    first = [name for name in NOISE if name in given]
    others = [name for name in given if name not in ("epsilon", "delta", *first)]
    said = "".join(f" --{name} {_upward(given[name])}" for name in (*first, *others))
    return f"dpsco audit {row.mechanism} --epsilon {given['epsilon']} --delta {given['delta']}{said}"


def _upward(value: Any) -> str:
    """A number in few digits, never below the value; the number itself where it has no more, as far as the enclosure tells.
    A name as it is."""
    if isinstance(value, int | str):
        return str(value)
    high = value.upper()
    near = high.str(DIGITS, radius=False)
    if high == type(high)(near) or value.contains(type(high)(near).mid()):
        return f"{Decimal(near).normalize():f}" if Decimal(near).adjusted() > -DIGITS else str(Decimal(near).normalize())
    return _ceiling(Decimal(high.str(3 * DIGITS, radius=False)).next_plus(Context(prec=3 * DIGITS)))


def _ceiling(value: Decimal) -> str:
    return str(UP.plus(value))


def together(rows: Sequence[tuple[Printed, Region]], amended: Sequence[tuple[Printed, Region]]) -> Markup:
    """The sliders of every formula of a claim."""
    return joined(
        tag("h3", "Try your own numbers", id="try"),
        *(sliders(row, found, [each for each in amended if each[0].formula == row.formula]) for row, found in rows),
    )
