"""`dpsco report`: every judgement as a static site."""

from pathlib import Path
from typing import Annotated

import typer

from dpsco.command.own_papers import From, brought
from dpsco.command.screen import BadInputError, Progress, console
from dpsco.command.sweep_options import JOBS, Jobs, engine_errors


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write it.", show_default=False)],
    jobs: Jobs = JOBS,
    own: From = None,
) -> int:
    """Write all judgements as a static site.

    Its front page is index.html.
    """
    from dpsco import __version__
    from dpsco.report.site import foreign, site, write
    from dpsco.running.judgements import failures, judgements
    from dpsco.spec.register import amendments, register

    brought(own)
    if folder.exists() and not folder.is_dir():
        raise BadInputError(f"{str(folder)!r} is not a directory")
    if foreign(folder):
        raise BadInputError(f"{str(folder)!r} has other files; an empty or new directory, or an earlier report, is needed")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInputError(f"cannot write {str(folder)!r}: {error.strerror}") from error
    with engine_errors(), Progress(0, "judged") as progress:
        records = judgements([*register(), *amendments()], jobs, progress)
    with Progress(len(records), "written") as progress:

        def at(id: str) -> None:
            progress.at(id)
            progress.step()

        files = site(records, __version__, at)
    try:
        size = write(files, folder)
    except OSError as error:
        raise BadInputError(f"cannot write {str(folder)!r}: {error.strerror}") from error
    pages = sum(place.endswith(".html") for place in files)
    console().print(f"{pages} pages, {size / 1e6:.1f} MB: {folder / 'index.html'}", soft_wrap=True)  # a path stays whole
    return 1 if failures(records) else 0
