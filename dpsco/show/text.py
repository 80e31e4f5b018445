"""The verdict card on a terminal of 80 columns."""

from collections.abc import Iterator
from textwrap import shorten
from typing import TYPE_CHECKING

from dpsco.show.card import Card, Repair
from dpsco.show.command.screen import WIDTH
from dpsco.show.command.showing import INDENT, PROOFS, STYLES, folded, lit
from dpsco.show.hand import THEN, Check, Line, written
from dpsco.show.marks import marked_text
from dpsco.spec.claim import Claim
from dpsco.spec.register import find
from dpsco.typeset import text

if TYPE_CHECKING:
    from rich.text import Text

NAMES = 9
BESIDE = " " * (NAMES + 2)
MOST_FORMULAS = 4
"""Changed formulas of an amendment on the screen; `dpsco claims` has all of it."""


def brief(card: Card) -> "list[Text]":
    """Which claim, how it is judged, what it says as far as a line holds, and the number: for a list of several."""
    from rich.text import Text

    head = Text(f"  {card.id}  ", style="bold").append(card.words.partition(": ")[2], style=STYLES[card.known.verdict])
    head.append(f"  {shorten(card.title, WIDTH - head.cell_len - 2, placeholder='...')}", style="dim")
    says = Text(INDENT + shorten(card.says, WIDTH - len(INDENT), placeholder=" ..."))
    said = folded(card.number.sentence) if card.number is not None else []
    return [head, says, *map(lit, said)]


def lines(card: Card, origin: str) -> "list[Text]":
    """The whole card; `origin` says where the verdict comes from."""
    from rich.text import Text

    shown = [Text(part, style="bold") for part in folded(card.title, "  ", "")]
    remarks = ", ".join(part for part in (card.known.grounds, origin) if part)
    ruling = Text(f"{'verdict':<{NAMES}}  ").append(card.words, style=STYLES[card.known.verdict])
    shown += _beside(ruling, remarks)
    if card.number is not None:
        shown += _named("number" if card.judged else "recorded", card.number.sentence, dim=False)
        shown += _named("", f"at {card.number.instance}" if card.number.at else "")
    shown += _named("says", card.says, dim=False)
    shown += _named("in", f"{card.paper}: {card.source}")
    shown += _named("holds", card.survives, dim=False)
    for repair in card.repairs:
        shown += _named("repair", f"{repair.id} ({repair.verdict}): {repair.says}", dim=False)
        for change in _changes(find(card.id), repair):
            shown += _named("", change, dim=False)
    if card.check is not None:
        shown += _by_hand(card.check)
    proof = Text(f"{'proof':<{NAMES}}  ").append(card.known.proof, style=PROOFS[card.known.proof])
    at = card.step_number.sentence if card.step_number is not None else ""
    shown += _beside(proof, ": ".join(part for part in (card.step, at) if part))
    for place, command in enumerate(card.checks):
        shown += _named("check" if place == 0 else "", command, dim=False)
    return shown


def _beside(head: "Text", remarks: str) -> "list[Text]":
    """The head, and what is remarked of it on its line if it fits there."""
    if not remarks:
        return [head]
    first, *rest = folded(f"{head.plain}  ({remarks})", BESIDE, "")
    if not first.startswith(head.plain):
        return [head, *map(lit, folded(f"({remarks})", BESIDE))]
    head.append_text(lit(first[len(head.plain) :]))
    return [head, *map(lit, rest)]


def _named(name: str, said: str, dim: bool = True) -> "list[Text]":
    from rich.text import Text

    if not said:
        return []
    parts = folded(said, BESIDE, f"{name:<{NAMES}}  ")
    return [lit(part) if dim else Text(part) for part in parts]


def _by_hand(check: Check) -> "list[Text]":
    """The instance, each line with its value, and what contradicts the claim."""
    claim = find(check.id)
    shown = _named("by hand", f"{check.why}.", dim=False)
    if check.given:
        shown += _named("", f"take {check.instance}")
    for line in check.lines:
        said = text_of(check, line, claim)
        value = THEN.join(dict.fromkeys(line.values))
        shown += _named("", f"{line.name.rstrip('_')} = {said}{f' = {value}' if value != said else ''}")
    return shown + _named("", f"so {so_of(check)}", dim=False)


def text_of(check: Check, line: Line, claim: Claim) -> str:
    """The line's formula in one line."""
    if line.printed:
        return next(shown for given, shown in text(line.formula, claim) if check.chosen(given))
    return str(written(line.formula)).replace("**", "^").replace("lambda_", "lambda")


def so_of(check: Check) -> str:
    """What contradicts the claim: in names, then in numbers."""
    if check.about is None:
        return f"{check.grows} grows beyond every bound: {check.so}"
    return f"{str(check.about).replace('lambda_', 'lambda')}: {check.so}"


def _changes(printed: Claim, repair: Repair) -> Iterator[str]:
    """The changed formulas, what is new in them marked; then the conditions that are new."""
    amended = find(repair.id)
    for name in repair.changed[:MOST_FORMULAS]:
        before = dict(text(printed.formulas[name], printed)) if name in printed.formulas else {}
        for given, shown in text(amended.formulas[name], amended):
            new = marked_text(before[given], shown) if given in before else shown
            if before.get(given) != shown:
                yield f"{name} = {new}" + (f"   ({given})" if given else "")
    if len(repair.changed) > MOST_FORMULAS:
        yield f"and {len(repair.changed) - MOST_FORMULAS} more formulas: dpsco claims {repair.id}"
    for condition in repair.conditions:
        yield f"if {condition}"
    for name, domain in repair.ranges:
        yield f"{name} in {domain}"
