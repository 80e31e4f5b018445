"""`dpsco report`: every judgement as a static site."""

from pathlib import Path
from typing import Annotated

import typer

from dpsco.show.command.own_papers import From, brought
from dpsco.show.command.screen import BadInputError, Progress, console
from dpsco.show.command.sweep_options import JOBS, Jobs, engine_errors


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write it.", show_default=False)],
    jobs: Jobs = JOBS,
    own: From = None,
    revision: Annotated[
        str, typer.Option(metavar="TEXT", help='For the foot of each page: "commit 3a5d43a, 2026-11-23".')
    ] = "",
    source: Annotated[str, typer.Option(metavar="URL", help="Address of the package's files, to link them.")] = "",
    docs: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Markdown pages to put on the site as well.")] = None,
) -> int:
    """Write all judgements as a static site.

    Its front page is index.html. It reads no clock and no version control: what --revision says is what the pages say.
    """
    from dpsco import __version__
    from dpsco.running.judgements import failures, judgements
    from dpsco.show.report.site import foreign, site, write
    from dpsco.spec.register import amendments, register

    brought(own)
    if source and not source.startswith(("https://", "http://")):
        raise BadInputError(f"--source {source!r} is no address; one that begins with https:// is needed")
    if docs is not None and not any(docs.glob("*.md")):
        raise BadInputError(f"--docs {str(docs)!r} has no Markdown files")
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

        files = site(records, f"{__version__}, {revision}" if revision else __version__, at, source, docs)
    try:
        size = write(files, folder)
    except OSError as error:
        raise BadInputError(f"cannot write {str(folder)!r}: {error.strerror}") from error
    pages = sum(place.endswith(".html") for place in files)
    console().print(f"{pages} pages, {size / 1e6:.1f} MB: {folder / 'index.html'}", soft_wrap=True)  # a path stays whole
    return 1 if failures(records) else 0
