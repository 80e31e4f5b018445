"""`dpsco verify`: judge claims and say what was found."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpsco.show.command.own_papers import From, brought, completed
from dpsco.show.command.screen import BadInputError, Progress, choices, console, known, line, live, writable, write_json
from dpsco.show.command.sweep_options import JOBS, PROCESSES, EngineName, Jobs, Scheduler, engine_errors, engine_of
from dpsco.spec.papers import PAPERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dpsco.running.record import Record
    from dpsco.show.command.board import Word

BAD = ("refuted", "inconsistent", "vacuous", "open", "asserted by its author")
"""Verdicts that `--strict` does not accept; nor does it accept a broken proof."""


def verify(
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID ...]",
            help='Claims, a paper, or a label ("Theorem 3.5"); all if none is named.',
            autocompletion=completed,
        ),
    ] = None,
    paper: Annotated[str | None, typer.Option(metavar=choices(PAPERS), help="Only the claims of this paper.")] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write everything found; - for standard output.")] = None,
    jobs: Jobs = JOBS,
    strict: Annotated[
        bool,
        typer.Option(help="Exit 1 if a claim is refuted, inconsistent, vacuous, open, asserted, or its proof broken."),
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="The lines of every claim, not only the gravest.")] = False,
    engine: EngineName = PROCESSES,
    scheduler: Scheduler = None,
    own: From = None,
) -> int:
    """Judge claims and print what was found (cached by content)."""
    from dpsco import __version__
    from dpsco.running.judgements import failures, judgements
    from dpsco.running.record import broken, document
    from dpsco.show.command.board import Board, recorded

    mine = brought(own)
    chosen = _chosen(ids or [], paper if paper is not None or ids else mine)
    writable(json)
    where = engine_of(jobs, engine, scheduler)
    by_name = bool(ids) or paper is not None or mine is not None
    lines, alone = by_name or every, str(json) == "-"
    before = recorded(chosen)
    watch = Progress(0, "judged") if lines or alone or not live() else Board(before)
    with engine_errors(), watch as progress:
        records = judgements(chosen, where.jobs, progress, where.scheduler, progress.judged)
    if json is not None:
        write_json(json, document(records, __version__))
    if lines and not alone:
        _show(records, by_name)
    elif not alone:
        _summarise(records, before)
    if failures(records):
        return 1
    return 1 if strict and any(r["verdict"] in BAD or broken(r) for r in records) else 0


def _chosen(asked: list[str], paper: str | None) -> list[str]:
    from dpsco.show.command.naming import every, meant

    if paper is not None:
        known(paper, PAPERS, "paper")
    chosen: list[str] = []
    for text in asked:
        found = meant(text)
        of_paper = [id for id in found if paper is None or id.split("/")[0] == paper]
        if not of_paper:
            raise BadInputError(f"{text}: not of the paper {paper!r}")
        chosen += of_paper
    return list(dict.fromkeys(chosen)) if asked else [id for id in every() if paper is None or id.split("/")[0] == paper]


def _summarise(records: "list[Record]", before: "Mapping[str, Word]") -> None:
    """The table of what was judged, the gravest refutations with a sentence each, and where to go next."""
    from rich.text import Text

    from dpsco.running.judgements import failures
    from dpsco.show.card import card, known_of
    from dpsco.show.command.board import drawn, judged
    from dpsco.show.command.showing import gravest, plural, row
    from dpsco.show.text import brief
    from dpsco.spec.register import find

    out, now = console(), judged(records)
    out.print(drawn({}, now))
    line()
    _totals(records, by_name=False)
    moved = [id for id in now if before.get(id) != now[id]]
    if moved:
        line(f"{plural(len(moved), 'judgement')} not as recorded: dpsco ledger shows what the ledger says")
    for record in failures(records):
        for part in row(record, len(record["id"])):
            out.print(part, soft_wrap=True)
    worst = gravest(records)
    if worst:
        refuted = sum(r["verdict"] == "refuted" for r in records if "amends" not in r)
        head = f"The gravest {len(worst)} of {refuted} refuted statements" if len(worst) < refuted else "Refuted"
        out.print(Text(f"\n{head}", style="bold"))
        for record in worst:
            for part in brief(card(find(record["id"]), known_of(record), record, (), record["witness"])):
                out.print(part, soft_wrap=True)
    where = [(f"dpsco claims {worst[0]['id']}", "the first of them whole")] if worst else []
    where += [("dpsco claims --sort severity", "all statements, the gravest first"), ("dpsco verify --all", "every judgement")]
    out.print(Text("\nNext", style="bold"))
    width = max(len(command) for command, _ in where)
    for command, what in where:
        out.print(Text(f"  {command:<{width}}  ").append(what, style="dim"), soft_wrap=True)


def _show(records: "list[Record]", by_name: bool) -> None:
    from dpsco.running.record import unjudged
    from dpsco.show.command.showing import row

    out = console()
    shown = [r for r in records if by_name or not unjudged(r)]
    width = max((len(str(r["id"])) for r in shown), default=0)
    for record in shown:
        for part in row(record, width):
            out.print(part, soft_wrap=True)
    if shown:
        line()
    _totals(records, by_name)


def _totals(records: "list[Record]", by_name: bool) -> None:
    """How many of each verdict, and on what they rest."""
    from dpsco.running.record import broken, unjudged
    from dpsco.show.command.showing import counted, grounded, plural

    line(f"claims: {counted(str(r['verdict']) for r in records if 'amends' not in r)}")
    for said in () if by_name else grounded(r for r in records if "amends" not in r):
        line(said)
    if false := sum(broken(r) for r in records if "amends" not in r):
        line(f"        {plural(false, 'printed proof')} broken")
    waiting = sum(unjudged(r) for r in records)
    if waiting:
        line(f"        {waiting} of the open ones are not judged yet")
    repairs = [str(r["verdict"]) for r in records if "amends" in r]
    if repairs:
        line(f"amendments: {counted(repairs)}")
        for said in () if by_name else grounded(r for r in records if "amends" in r):
            line(said)
