"""`dpsco audit plan`: many releases under one budget. `dpsco check`: a certificate proved again."""

import json as files
from pathlib import Path
from typing import Annotated, Any

import typer

from dpsco.command.screen import BadInputError, Progress, console, line, regular, table, writable, write_json

USAGE = 2


def plan(
    path: Annotated[Path, typer.Argument(metavar="PLAN.toml", help="Adjacency, target delta or epsilon, releases.")],
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the certificate; - for standard output.")
    ] = None,
) -> int:
    """Compose a plan of releases: epsilon and delta enclosed, with a certificate that `dpsco check` proves again."""
    from dpsco.plans.check import check as prove
    from dpsco.plans.plan import read
    from dpsco.plans.search import certificate as search

    writable(certificate)
    try:
        content, target = read(regular(path))
        with Progress(1, "enclosing"):
            found = search(content, epsilon=target.get("epsilon"), delta=target.get("delta"))
            reason = prove(found)
    except OverflowError as error:
        raise BadInputError(f"this plan is beyond what is enclosed: {error}") from error
    except ValueError as error:
        raise BadInputError(str(error)) from error
    if reason is not None:
        raise BadInputError(f"this plan could not be proved: {reason}")
    if certificate is not None:
        write_json(certificate, found)
    if str(certificate) != "-":
        _show(found, next(iter(target)))
    return 0


def check(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A proof object, or a certificate of `dpsco audit plan`.")],
) -> int:
    """Check a proof object against the installed register, or prove a plan's certificate again (exit 1 if it is not valid)."""
    from dpsco.plans.check import check as prove
    from dpsco.plans.check import unique

    try:
        content = files.loads(regular(path).read_text(encoding="utf-8"), object_pairs_hook=unique)
    except (OSError, ValueError, RecursionError) as error:
        raise BadInputError(f"{str(path)!r} cannot be read as JSON: {error}") from error
    if isinstance(content, dict) and "format" in content:
        return _check_object(content)
    with Progress(1, "proving"):
        reason = prove(content)
    if reason is not None:
        line(f"INVALID: {reason}")
        return 1
    line("VALID")
    _claims(content)
    return 0


def _check_object(content: dict[str, Any]) -> int:
    """The kernel's word on a proof object, and its exit status: 0 valid, 1 rejected, 2 and 3 not checked."""
    from dpsco.verify.objects import OBJECT, UnknownError, run_kernel

    if content["format"] != OBJECT:
        raise BadInputError(f"format = {str(content['format'])[:60]!r}: {OBJECT!r} is needed; a plan's certificate has none")
    try:
        with Progress(1, "checking"):
            done = run_kernel(content)
    except UnknownError as error:
        line(f"rejected: {error}")
        return 1
    line(done.stdout.rstrip())
    if done.stderr:
        console().print(done.stderr, markup=False)
    return done.returncode


def _claims(found: dict[str, Any]) -> None:
    shown = table("", "at", "enclosed in", keep=("enclosed in",))
    for name, of in (("epsilon", "delta"), ("delta", "epsilon")):
        claim = found["claims"][f"{name}_at"]
        shown.add_row(name, f"{of} = {claim[of]}", f"[{claim['lower']}, {claim['upper']}]")
    console().print(shown)


def _show(found: dict[str, Any], target: str) -> None:
    releases = found["plan"]["releases"]
    shown = table("release", "count", "numbers", right=("count",), flexible="numbers")
    for one in releases:
        numbers = ", ".join(f"{k} {v}" for k, v in one.items() if k not in ("mechanism", "count"))
        shown.add_row(one["mechanism"], str(one["count"]), numbers)
    console().print(shown)
    line()
    adjacency = found["plan"]["adjacency"]
    line(f"neighbours: {adjacency}; adaptive composition, in any order")
    line(f"each sensitivity, range and epsilon of a release is the one for {adjacency}")
    _claims(found)
    line()
    if target == "delta":
        line(
            f"the plan is ({found['claims']['epsilon_at']['upper']}, {found['claims']['epsilon_at']['delta']})-DP; "
            "less than the lower end is false for the worst mechanisms of this description"
        )
    else:
        line(
            f"the plan is ({found['claims']['delta_at']['epsilon']}, {found['claims']['delta_at']['upper']})-DP; "
            "less than the lower end is false for the worst mechanisms of this description"
        )
