"""`dpsco verify`: judge claims and say what was found."""

from pathlib import Path
from typing import Annotated

import typer

from dpsco.command.own_papers import From, brought
from dpsco.command.screen import BadInputError, Progress, console, known, line, writable, write_json
from dpsco.command.sweep_options import JOBS, PROCESSES, EngineName, Jobs, Scheduler, engine_errors, engine_of

BAD = ("refuted", "inconsistent", "vacuous", "open", "asserted by its author")
"""Verdicts that `--strict` does not accept; nor does it accept a broken proof."""


def verify(
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID ...]", help="Claims; all if none is named.")] = None,
    paper: Annotated[str | None, typer.Option(help="Only the claims of this paper.")] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write everything found; - for standard output.")] = None,
    jobs: Jobs = JOBS,
    strict: Annotated[
        bool,
        typer.Option(help="Exit 1 if a claim is refuted, inconsistent, vacuous, open, asserted, or its proof broken."),
    ] = False,
    engine: EngineName = PROCESSES,
    scheduler: Scheduler = None,
    own: From = None,
) -> int:
    """Judge claims and print what was found (cached by content)."""
    from dpsco import __version__
    from dpsco.running.judgements import failures, judgements
    from dpsco.running.record import broken, document

    mine = brought(own)
    chosen = _chosen(ids or [], paper if paper is not None or ids else mine)
    writable(json)
    where = engine_of(jobs, engine, scheduler)
    with engine_errors(), Progress(0, "judged") as progress:
        records = judgements(chosen, where.jobs, progress, where.scheduler)
    if json is not None:
        write_json(json, document(records, __version__))
    if str(json) != "-":
        _show(records, by_name=bool(ids) or paper is not None or mine is not None)
    if failures(records):
        return 1
    return 1 if strict and any(r["verdict"] in BAD or broken(r) for r in records) else 0


def _chosen(ids: list[str], paper: str | None) -> list[str]:
    from dpsco.spec.papers import PAPERS
    from dpsco.spec.register import amendments, register

    if paper is not None:
        known(paper, PAPERS, "paper")
    everything = [*register(), *amendments()]
    named = [known(id, everything, "claim") for id in dict.fromkeys(ids)]
    elsewhere = [id for id in named if paper is not None and id.split("/")[0] != paper]
    if elsewhere:
        raise BadInputError(f"{', '.join(elsewhere)}: not of the paper {paper!r}")
    return [id for id in named or everything if paper is None or id.split("/")[0] == paper]


def _show(records: list[dict[str, object]], by_name: bool) -> None:
    from dpsco.command.showing import counted, grounded, plural, row
    from dpsco.running.record import broken, unjudged

    out = console()
    shown = [r for r in records if by_name or not unjudged(r)]
    width = max((len(str(r["id"])) for r in shown), default=0)
    for record in shown:
        for part in row(record, width):
            out.print(part, soft_wrap=True)
    if shown:
        line()
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
