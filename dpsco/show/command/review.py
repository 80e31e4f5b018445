"""`dpsco review`: a referee's report on a paper, or its point about one claim."""

import re
from pathlib import Path
from typing import Annotated

import typer

from dpsco.show.command.naming import one
from dpsco.show.command.own_papers import From, brought, completed
from dpsco.show.command.screen import BadInputError, Progress, choices, known, writable, write
from dpsco.show.command.sweep_options import JOBS, Jobs, engine_errors
from dpsco.spec.papers import PAPERS

FORMATS = ("markdown", "latex")


def review(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER",
            help=f"{', '.join(PAPERS)}, or one's own with --from; or a single claim.",
            show_default=False,
            autocompletion=lambda incomplete: (
                [key for key in PAPERS if key.startswith(incomplete) and "/" not in incomplete] or completed(incomplete)
            ),
        ),
    ],
    form: Annotated[
        str,
        typer.Option("--format", metavar=choices(FORMATS), help="LaTeX: of a paper a whole document, of a claim a paragraph."),
    ] = FORMATS[0],
    output: Annotated[Path, typer.Option(metavar="FILE", help="Where to write it; - for standard output.")] = Path("-"),
    jobs: Jobs = JOBS,
    own: From = None,
) -> int:
    """Write a referee's report on a paper, or on one claim.

    A summary, then the grave points, each with the number, a hand check and the repair, then minor points, then what was
    checked and holds. Of one claim its point alone. What was not judged on this machine yet is judged first.
    """
    from dpsco.running.judgements import failures, judgements
    from dpsco.show.review import latex, markdown, written
    from dpsco.spec.register import amendments, register

    brought(own)
    known(form, FORMATS, "format")
    writable(output, "--output")
    if paper not in PAPERS and re.search(r"[/\s\d]", paper):
        write(output, _single(one(paper), form))
        return 0
    known(paper, PAPERS, "paper")
    claims = {id: claim for id, claim in {**register(), **amendments()}.items() if claim.paper == paper}
    with engine_errors(), Progress(0, "judged") as progress:
        records = judgements([*claims], jobs, progress)
    blocks = list(written(paper, claims, {record["id"]: record for record in records}))
    write(output, latex(blocks) if form == "latex" else markdown(blocks))
    return 1 if failures(records) else 0


def _single(id: str, form: str) -> str:
    """The point about one claim.

    Raises   BadInputError where there is nothing to report of it
    """
    from dpsco.running.judgements import judgements
    from dpsco.show.review import fragment, markdown, single
    from dpsco.spec.register import find

    (found,) = judgements([id])
    records = {record["id"]: record for record in (found, *judgements(found["amendments"]))}
    try:
        blocks = single(found, {each: find(each) for each in records}, records)
    except ValueError as error:
        raise BadInputError(str(error)) from error
    return fragment(blocks) if form == "latex" else markdown(blocks)
