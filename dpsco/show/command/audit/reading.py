"""`dpsco audit read`: an object of another library, found by name, read and judged."""

from pathlib import Path
from typing import Annotated, Any

import typer

from dpsco.show.command.audit.judged import Require, status
from dpsco.show.command.screen import WIDTH, BadInputError, Progress, line, writable, write_json

ADJACENCY = "Neighbours: add-remove, replace-one, add-one. [default: add-remove]"
D_IN = "OpenDP: how far inputs of neighbours are apart."


def read(
    name: Annotated[str, typer.Argument(metavar="MODULE:NAME", help="An object, or FILE.py:NAME.", show_default=False)],
    epsilon: Annotated[str | None, typer.Option(metavar="NUMBER", help="Privacy parameter.")] = None,
    delta: Annotated[str | None, typer.Option(metavar="NUMBER", help="Privacy parameter.")] = None,
    adjacency: Annotated[str, typer.Option(metavar="NAME", help=ADJACENCY, show_default=False)] = "add-remove",
    loader: Annotated[str | None, typer.Option(metavar="NAME", help="Opacus: the data loader, in the same module.")] = None,
    d_in: Annotated[float | None, typer.Option("--d-in", metavar="NUMBER", help=D_IN)] = None,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the result; - for standard output.")
    ] = None,
    require: Require = False,
) -> int:
    """An object that dp-accounting, Opacus, diffprivlib or OpenDP built; exit 1 where any part of it is not understood."""
    from dpsco import __version__
    from dpsco.audit import connectors
    from dpsco.audit.blackbox.sampler import thing

    writable(json)
    context = {} if loader is None else {"loader": loader}
    try:
        if loader is not None:
            context["loader"] = thing(f"{name.rpartition(':')[0]}:{loader}")
        found = connectors.read(thing(name), adjacency=adjacency, **context, **({} if d_in is None else {"d_in": d_in}))
        with Progress(1, "enclosing"):
            result = found.audit(epsilon=epsilon, delta=delta)
    except ValueError as error:
        raise BadInputError(str(error)) from error
    judged: dict[str, Any] = {
        "schema": 1,
        "version": __version__,
        "given": dict(result.given),
        "solved": result.solved,
        "enclosure": None if result.enclosure is None else [str(end) for end in result.enclosure],
        "value": None if result.value is None else repr(result.value),
        "verdict": {"sound": "holds"}.get(result.verdict, str(result.verdict)),
        "not_judged": result.why if result.verdict == "nothing judged" else None,
        "notes": list(result.notes),
    }
    if json is not None:
        write_json(json, judged)
    if str(json) != "-":
        line(result.explain(WIDTH))
    return 1 if found.not_judged else status(judged, require)
