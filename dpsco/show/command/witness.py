"""`dpsco witness`: the script that shows a refutation without dpsco."""

import sys
from typing import Annotated

import typer

from dpsco.show.command.own_papers import From, brought, completed
from dpsco.show.command.screen import BadInputError


def witness(
    id: Annotated[
        str, typer.Argument(help="A refuted claim, or one whose proof is broken.", show_default=False, autocompletion=completed)
    ],
    printed: Annotated[
        bool, typer.Option("--printed", help="The script that is printed from the claim's proof object.")
    ] = False,
    own: From = None,
) -> None:
    """Print the script that shows a refutation by itself.

    It needs mpmath or nothing.
    """
    from dpsco.running.record import witness_file
    from dpsco.show.command.naming import one

    brought(own)
    id = one(id)
    if printed:
        sys.stdout.write(_printed(id))
        return
    file = witness_file(id)
    if file is None:
        raise BadInputError(f"{id} has no witness script: {_why_none(id)}")
    sys.stdout.write(file.read_text(encoding="utf-8"))


def _printed(id: str) -> str:
    from dpsco.verify.deciding import judges
    from dpsco.verify.witness import ConstructionError
    from dpsco.verify.witness import printed as script

    if id not in judges():
        raise BadInputError(f"{id} is not on a proof object yet; without --printed its witness is shown")
    try:
        return script(id)
    except ConstructionError as error:
        raise BadInputError(f"{error}; without --printed its witness is shown") from error


def _why_none(id: str) -> str:
    """Why the claim has no script: what was said of it, and where that comes from."""
    from dpsco.running.judgements import last_known

    known = last_known(id)
    if known.verdict == "refuted" or known.proof == "broken":
        return "none is written yet"
    origin = {"cache": "judged before", "ledger": "as the ledger says", "none": "not judged yet"}[known.source]
    return f"only refuted claims and broken proofs have one, and this one is {known.verdict} ({origin})"
