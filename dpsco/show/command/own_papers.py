"""What the commands that read claims share: the option `--from`, a paper of one's own beside the five, and ids that the shell
completes."""

from typing import Annotated, TypeAlias

import typer

from dpsco.show.command.screen import BadInputError

From: TypeAlias = Annotated[
    str | None,
    typer.Option("--from", metavar="PAPER", help="A paper of your own: a .py file, a package's folder, an installed name."),
]


def brought(place: str | None) -> str | None:
    """Register the paper that `--from` names; its key, None where none is named."""
    if place is None:
        return None
    from dpsco.extending.own_papers import bring

    try:
        return bring(place)
    except ValueError as error:
        raise BadInputError(f"--from: {error}") from error


def completed(incomplete: str) -> list[str]:
    """For the shell: the ids that begin so, from the ledger, which is read faster than the register."""
    from dpsco.running import ledger

    return [id for id in ledger.read() if id.startswith(incomplete)]
