"""The table of paper x verdict and severity: what is recorded, and what is judged in its place as it comes."""

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from dpsco.running import ledger
from dpsco.show.command.screen import Progress, console, table
from dpsco.show.command.showing import PROOFS, STYLES
from dpsco.spec.papers import PAPERS
from dpsco.spec.register import amendments
from dpsco.verdict import Severity

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

RECORDED = "recorded, not yet judged here"
ALL, STATEMENTS, BROKEN, AMENDED = "all", "statements", "proof broken", "amendments"
REDRAWN = 2
"""Times a second."""


class Word(NamedTuple):
    """What the table counts of a claim."""

    verdict: str
    severity: str | None
    proof: str


def recorded(ids: Iterable[str]) -> dict[str, Word]:
    """What the signed ledger says."""
    signed = ledger.read()
    return {id: Word(signed[id]["verdict"], signed[id]["severity"], signed[id]["proof"]) for id in ids if id in signed}


def judged(records: Iterable[Mapping[str, Any]]) -> dict[str, Word]:
    """What was judged."""
    return {r["id"]: Word(r["verdict"], r["severity"], r["proof"]["word"]) for r in records}


ROWS = (
    STATEMENTS,
    *(
        row
        for verdict in STYLES
        for row in (verdict, *([f"  {grade.value}" for grade in reversed(Severity)] if verdict == "refuted" else []))
    ),
    BROKEN,
    AMENDED,
    *(f"  {verdict} " for verdict in STYLES),
)
"""All that may stand at the left; the last ones are of amendments."""


def counts(words: Mapping[str, Word]) -> Counter[tuple[str, str]]:
    """How many stand in each row, by paper and in all."""
    found: Counter[tuple[str, str]] = Counter()
    repairs = amendments()
    for id, word in words.items():
        if id in repairs:
            rows = [AMENDED, f"  {word.verdict} "]
        else:
            rows = [STATEMENTS, word.verdict, *([f"  {word.severity}"] if word.severity else [])]
            rows += [BROKEN] if word.proof == "broken" else []
        found.update((row, paper) for row in rows for paper in (id.split("/")[0], ALL))
    return found


def drawn(before: Mapping[str, Word], now: Mapping[str, Word]) -> "Table":
    """The table: bright what is judged, dim what is only recorded; both, as 3/12, where a paper's statements (or its
    amendments) are judged in part."""
    from rich.text import Text

    there = {id.split("/")[0] for id in (*before, *now)}
    papers = [*(paper for paper in PAPERS if paper in there), ALL]
    old, new = counts(before), counts(now)
    repairs = amendments()
    waiting = {(id in repairs, paper) for id in before if id not in now for paper in (id.split("/")[0], ALL)}
    made = table("", *papers, right=tuple(papers), keep=("", *papers))
    for row in ROWS:
        if not (old[row, ALL] or new[row, ALL]):
            continue
        cells, of_repairs = [], row in ROWS[ROWS.index(AMENDED) :]
        for paper in papers:
            was, known, waits = old[row, paper], new[row, paper], (of_repairs, paper) in waiting
            cell = Text()
            if known or not waits:
                cell.append(str(known) if known else "-", style="bold" if known else "dim")
            if waits:
                cell.append(f"/{was}" if known else str(was or "-"), style="dim")
            cells.append(cell)
        style = STYLES.get(row, PROOFS["broken"] if row == BROKEN else "dim" if row.startswith("  ") else "")
        made.add_row(Text(row.rstrip(), style=style), *cells)
    return made


class Board(Progress):
    """The table on a terminal while claims are judged; it is gone when the block ends, for the final one to take its place."""

    def __init__(self, before: Mapping[str, Word]) -> None:
        super().__init__(0, "judged")
        from rich.live import Live

        self.before, self.now = before, dict[str, Word]()
        self._live = Live(
            console=console(), get_renderable=self.renderable, refresh_per_second=REDRAWN, transient=True, screen=False
        )

    def __enter__(self) -> "Board":
        self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def judged(self, record: Mapping[str, Any]) -> None:
        """Count what was just judged."""
        self.now |= judged([record])

    def renderable(self) -> "Group":
        """The heading and the table, as they are now."""
        from rich.console import Group
        from rich.text import Text

        now = dict(self.now)
        seconds = time.monotonic() - self._start
        head = Text(RECORDED, style="bold")
        if now:
            head = Text(f"judged here: {len(now)} of {len({*self.before, *now})}", style="bold")
            head.append(f", {seconds:.0f} s{self._left(seconds)}; dim: {RECORDED}", style="dim")
        return Group(head, Text(), drawn(self.before, now))
