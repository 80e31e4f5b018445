"""`dpsco witness`: the script that shows a refutation without dpsco, or the paragraph that reports it."""

import sys
from typing import Annotated

import typer

from dpsco.command.own_papers import From, brought
from dpsco.command.screen import BadInputError, known


def witness(
    id: Annotated[str, typer.Argument(help="A refuted claim.", show_default=False)],
    latex: Annotated[bool, typer.Option("--latex", help="A paragraph for a referee, in the place of the script.")] = False,
    own: From = None,
) -> None:
    """Print the script that shows a refutation by itself (needs mpmath or nothing)."""
    from dpsco.running.record import witness_file
    from dpsco.spec.register import amendments, register

    brought(own)
    known(id, [*register(), *amendments()], "claim")
    if latex:
        sys.stdout.write(_paragraph(id))
        return
    file = witness_file(id)
    if file is None:
        verdict, shown = _state(id)
        why = "none is written yet" if verdict == "refuted" else f"only refuted claims have one, and this one is {shown}"
        raise BadInputError(f"{id} has no witness script: {why}")
    sys.stdout.write(file.read_text(encoding="utf-8"))


def _state(id: str) -> tuple[str, str]:
    """The verdict, and the same with where it comes from."""
    from dpsco.running.judgements import last_known

    verdict, severity, source = last_known(id)
    state = f"{verdict} ({severity})" if severity else verdict
    origin = {"cache": "judged before", "ledger": "as the ledger says", "none": "not judged yet"}[source]
    return verdict, f"{state} ({origin})"


def _paragraph(id: str) -> str:
    from dpsco.command.referee import paragraph
    from dpsco.running.judgements import judgements, last_known
    from dpsco.spec.register import find

    (found,) = judgements([id])
    repairs = [(find(repair), last_known(repair)[0]) for repair in found["amendments"]]
    try:
        return paragraph(find(id), found, repairs, found["witness"])
    except ValueError as error:
        raise BadInputError(str(error)) from error
