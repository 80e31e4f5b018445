"""`dpsco audit MECHANISM`: its options come from the table of mechanisms."""

from collections.abc import Callable, Iterator
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any

import typer

from dpsco.audit.answers import answered
from dpsco.audit.asking import ACCURACIES, ACCURACY, Asked, as_option, asked, choices, quantities
from dpsco.audit.calibration.mechanism import DELTA, GROUP, Choice, Mechanism, Quantity
from dpsco.show.command.audit.judged import Require, close, status
from dpsco.show.command.audit.region import region
from dpsco.show.command.audit.showing import show
from dpsco.show.command.screen import BadInputError, Progress, writable, write_json

JSON = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the result; - for standard output.")]
SOLVE = Annotated[str | None, typer.Option("--solve", metavar="NAME", help="What to solve for, where more than one is open.")]
REGION = Annotated[bool, typer.Option("--region", help="Map over (epsilon, delta): where do printed noise scales suffice?")]
FORMULA = Annotated[str | None, typer.Option("--formula", metavar="CLAIM", help="With --region: one claim's formula only.")]
DIGITS = Annotated[bool, typer.Option("--digits", help="Print enclosures with all of their digits.")]
TOGETHER = Annotated[
    str | None, typer.Option("--group", metavar="NUMBER", help=f"{GROUP.says} [default: 1]", show_default=False)
]
EASED = Annotated[
    str | None,
    typer.Option(
        "--accuracy", metavar="NUMBER", help=f"{ACCURACIES.says}, 1e-9 to 0.1. [default: {ACCURACY}]", show_default=False
    ),
]
PICTURE = Annotated[Path | None, typer.Option("--picture", metavar="FILE.png", help="With --region: draw the map.")]


def command(mechanism: Mechanism) -> Callable[..., int]:
    """The function that typer makes a command of: an option for each quantity and each choice."""

    def run(**options: Any) -> int:
        name, json, require, digits = (options.pop(key) for key in ("solve", "json", "require", "digits"))
        wanted, formula, picture = (options.pop(key) for key in ("region", "formula", "picture"))
        named = {key.replace("_", "-"): value for key, value in options.items()}
        writable(json)
        if wanted:
            if require:
                raise BadInputError("--require does not go with --region, which judges no claim of yours")
            for option in ("accuracy", "group"):
                if named.pop(option, None) is not None:
                    raise BadInputError(f"--{option} does not go with --region")
            return region(mechanism, named, formula, picture, json)
        for option, value in (("--formula", formula), ("--picture", picture)):
            if value is not None:
                raise BadInputError(f"{option} goes with --region")
        try:
            what = asked(mechanism, named, name, as_option)
        except ValueError as error:
            raise BadInputError(str(error)) from error
        return _answered(what, json, require, digits)

    parameters = [_parameter(name, annotation) for name, annotation in _options(mechanism)]
    run.__signature__ = Signature(parameters, return_annotation=int)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    run.__name__ = mechanism.name.replace("-", "_")
    run.__doc__ = (
        f"{mechanism.title[0].upper()}{mechanism.title[1:]}: {mechanism.says}. Leave out what is to be solved for.\n\n"
        f"Neighbours: {mechanism.neighbours}."
    )
    return run


def _parameter(name: str, annotation: Any) -> Parameter:
    default = False if name in ("region", "require", "digits") else None
    return Parameter(name.replace("-", "_"), Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _options(mechanism: Mechanism) -> Iterator[tuple[str, Any]]:
    rows = [row for row in (mechanism.unclipped, mechanism) if row is not None]
    own = {quantity.name for row in rows for quantity in row.quantities} | {"epsilon", "delta"}
    fixes = {q.name: derived.quantity for derived in mechanism.derived for q in derived.numbers}
    for name, quantity in quantities(mechanism).items():
        says = quantity.says
        if quantity is DELTA and mechanism.pure:
            says = f"{says} 0 unless given: such mechanisms promise pure privacy."
        if name not in own:
            says = f"Fixes {fixes[name]}: {says[0].lower()}{says[1:]}"
        yield name, _number(quantity, says)
    for name, choice in choices(mechanism).items():
        yield name, _word(choice)
    if mechanism.grouped is not None:
        yield "group", TOGETHER
    if mechanism.eased:
        yield "accuracy", EASED
    yield from (
        ("solve", SOLVE),
        ("require", Require),
        ("json", JSON),
        ("digits", DIGITS),
        ("region", REGION),
        ("formula", FORMULA),
        ("picture", PICTURE),
    )


def _number(quantity: Quantity, text: str) -> Any:
    if quantity.default is not None:
        text = f"{text} [default: {quantity.default}]"
    spellings = [as_option(name) for name in (quantity.name, *quantity.also)]
    return Annotated[str | None, typer.Option(*spellings, metavar="NUMBER", help=text, show_default=False)]


def _word(choice: Choice) -> Any:
    default = f" [default: {choice.default}]" if choice.default is not None else ""
    text = f"{choice.says}: {', '.join(choice.allowed)}.{default}"
    return Annotated[str | None, typer.Option(f"--{choice.name}", metavar="NAME", help=text, show_default=False)]


def _answered(what: Asked, json: Path | None, require: bool, digits: bool) -> int:
    with Progress(1, "enclosing"):
        try:
            result = {**_header(what.mechanism), **answered(what)}
        except ValueError as error:
            raise BadInputError(str(error)) from error
    if json is not None:
        write_json(json, result)
    if str(json) != "-":
        show(what.mechanism, result, digits)
        close(result)
    return status(result, require)


def _header(mechanism: Mechanism) -> dict[str, Any]:
    from dpsco import __version__

    return {"schema": 1, "version": __version__, "mechanism": mechanism.name}
