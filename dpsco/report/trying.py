"""A printed noise scale at the reader's own numbers: two sliders over the cells of its map, every value enclosed here.

The page's script only shows what is shipped: it has no formula, stops at cells alone, and never shows a sigma without what is
proved of it.
"""

import json
from collections.abc import Mapping, Sequence
from decimal import ROUND_CEILING, Context, Decimal
from typing import Any

from dpsco.auditing.formulas import Printed, quantities
from dpsco.auditing.mechanisms import GAUSSIAN
from dpsco.auditing.regions import Cell, Region
from dpsco.auditing.solver import solve
from dpsco.report.markup import Markup, joined, tag
from dpsco.report.prose import prose

HOW = (
    "Each stop is a point of the map above. Between two stops take the smaller epsilon and the smaller delta: a sigma that is "
    "enough for them is enough for larger ones."
)
DIGITS = 6
UP = Context(prec=DIGITS, rounding=ROUND_CEILING)
SAYS = {
    Cell.VALID: "enough noise, proved",
    Cell.REFUTED: "too little noise, proved",
    Cell.UNDECIDED: "neither proved to be enough nor too little",
}


def sliders(row: Printed, found: Region, repairs: Sequence[tuple[Printed, Region]]) -> Markup:
    """The form of one formula, hidden until its script has run; `repairs` are the maps of its amendments."""
    cells = [
        [_cell(row, found, repairs, i, j) for j in range(len(found.epsilons))]  # row by row, as the map is drawn
        for i in range(len(found.deltas))
    ]
    shipped = {"epsilons": list(found.epsilons), "deltas": list(found.deltas), "cells": cells}
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


def _cell(row: Printed, found: Region, repairs: Sequence[tuple[Printed, Region]], i: int, j: int) -> dict[str, str] | None:
    """What is known at a point, in words; None where the claim does not speak of it."""
    epsilon, delta, cell = found.epsilons[j], found.deltas[i], found.cells[i][j]
    given = quantities(row, epsilon, delta, {})
    if cell is Cell.OUTSIDE or given is None:
        return None
    others = {name: value for name, value in given.items() if name != "delta"}
    spent = solve(GAUSSIAN, others, "delta").value
    assert spent is not None
    most = _ceiling(Decimal(spent))
    sigma = _upward(given["sigma"])
    shown = {
        "state": str(cell),
        "printed": f"As printed, sigma is {sigma} (rounded up): {SAYS[cell]}. It spends a delta of at most {most}.",
        "command": _command(given, sigma),
    }
    repaired = _repaired(repairs, epsilon, delta)
    return shown | ({"repaired": repaired} if repaired else {})


def _repaired(repairs: Sequence[tuple[Printed, Region]], epsilon: str, delta: str) -> str:
    """The first amendment that is proved enough here."""
    for row, found in repairs:
        if epsilon not in found.epsilons or delta not in found.deltas:
            continue
        given = quantities(row, epsilon, delta, {})
        valid = found.cells[found.deltas.index(delta)][found.epsilons.index(epsilon)] is Cell.VALID
        if valid and given is not None:
            return f"{row.claim}: sigma {_upward(given['sigma'])} (rounded up) is {SAYS[Cell.VALID]}."
    return ""


def _command(given: Mapping[str, Any], sigma: str) -> str:
    more = "".join(f" --{name} {_upward(given[name])}" for name in ("sensitivity", "steps"))
    return f"dpsco audit gaussian --epsilon {given['epsilon']} --delta {given['delta']} --sigma {sigma}{more}"


def _upward(value: Any) -> str:
    """A few digits, never below the value; the number itself where it has no more."""
    if isinstance(value, int):
        return str(value)
    high = value.upper()
    near = high.str(DIGITS, radius=False)
    if high == type(high)(near):
        return str(Decimal(near).normalize())
    return _ceiling(Decimal(high.str(3 * DIGITS, radius=False)).next_plus(Context(prec=3 * DIGITS)))


def _ceiling(value: Decimal) -> str:
    return str(UP.plus(value))


def together(rows: Sequence[tuple[Printed, Region]], amended: Sequence[tuple[Printed, Region]]) -> Markup | None:
    """The sliders of every formula of a claim, if these are scales of the Gaussian mechanism: others take too long."""
    if any(row.mechanism != GAUSSIAN.name for row, _ in rows):
        return None
    return joined(
        tag("h3", "Try your own numbers", id="try"),
        *(sliders(row, found, [each for each in amended if each[0].formula == row.formula]) for row, found in rows),
    )
