"""`dpsco audit MECHANISM`: its options come from the table of mechanisms."""

from collections.abc import Callable, Iterator
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any

import typer

from dpsco.auditing.mechanism import DELTA, EPSILON, Choice, Mechanism, Quantity
from dpsco.command.audit.asked import Asked, asked, decimal
from dpsco.command.audit.judged import Require, close, solved_for, status
from dpsco.command.audit.region import region
from dpsco.command.audit.showing import show
from dpsco.command.screen import BadInputError, Progress, writable, write_json

JSON = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the result; - for standard output.")]
SOLVE = Annotated[str | None, typer.Option("--solve", metavar="NAME", help="What to solve for, where more than one is open.")]
REGION = Annotated[bool, typer.Option("--region", help="Map over (epsilon, delta): where do printed noise scales suffice?")]
FORMULA = Annotated[str | None, typer.Option("--formula", metavar="CLAIM", help="With --region: one claim's formula only.")]
PICTURE = Annotated[Path | None, typer.Option("--picture", metavar="FILE.png", help="With --region: draw the map.")]


def command(mechanism: Mechanism) -> Callable[..., int]:
    """The function that typer makes a command of: an option for each quantity and each choice."""

    def run(**options: Any) -> int:
        name, json, require = (options.pop(key) for key in ("solve", "json", "require"))
        wanted, formula, picture = (options.pop(key) for key in ("region", "formula", "picture"))
        named = {key.replace("_", "-"): value for key, value in options.items()}
        writable(json)
        if wanted:
            if require:
                raise BadInputError("--require does not go with --region, which judges no claim of yours")
            return region(mechanism, named, formula, picture, json)
        for option, value in (("--formula", formula), ("--picture", picture)):
            if value is not None:
                raise BadInputError(f"{option} goes with --region")
        return _answered(mechanism, asked(mechanism, named, name), json, require)

    parameters = [_parameter(name, annotation) for name, annotation in _options(mechanism)]
    run.__signature__ = Signature(parameters, return_annotation=int)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    run.__name__ = mechanism.name.replace("-", "_")
    run.__doc__ = f"{mechanism.title[0].upper()}{mechanism.title[1:]}: {mechanism.says}. Leave out what is to be solved for."
    return run


def _parameter(name: str, annotation: Any) -> Parameter:
    default = False if name in ("region", "require") else None
    return Parameter(name.replace("-", "_"), Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _options(mechanism: Mechanism) -> Iterator[tuple[str, Any]]:
    for quantity in (EPSILON, DELTA, *mechanism.quantities):
        pure = " 0 unless given: such mechanisms promise pure privacy." if quantity is DELTA and mechanism.pure else ""
        yield quantity.name, _number(quantity, f"{quantity.says}{pure}")
    for choice in mechanism.choices:
        yield choice.name, _word(choice)
    own = {quantity.name for quantity in mechanism.quantities} | {choice.name for choice in mechanism.choices}
    for derived in mechanism.derived:
        for quantity in derived.numbers:
            if quantity.name not in own:
                yield (
                    quantity.name,
                    _number(quantity, f"Fixes {derived.quantity}: {quantity.says[0].lower()}{quantity.says[1:]}"),
                )
        for choice in derived.choices:
            if choice.name not in own:
                yield choice.name, _word(choice)
    yield from (
        ("solve", SOLVE),
        ("require", Require),
        ("json", JSON),
        ("region", REGION),
        ("formula", FORMULA),
        ("picture", PICTURE),
    )


def _number(quantity: Quantity, says: str | None = None) -> Any:
    text = says or quantity.says
    if quantity.default is not None:
        text = f"{text} [default: {quantity.default}]"
    return Annotated[str | None, typer.Option(f"--{quantity.name}", metavar="NUMBER", help=text, show_default=False)]


def _word(choice: Choice) -> Any:
    default = f" [default: {choice.default}]" if choice.default is not None else ""
    text = f"{choice.says}: {', '.join(choice.allowed)}.{default}"
    return Annotated[str | None, typer.Option(f"--{choice.name}", metavar="NAME", help=text, show_default=False)]


def _answered(mechanism: Mechanism, what: Asked, json: Path | None, require: bool) -> int:
    with Progress(1, "enclosing"):
        result = {**_header(mechanism), **answered(mechanism, what)}
    if json is not None:
        write_json(json, result)
    if str(json) != "-":
        show(mechanism, result)
        close(result)
    return status(result, require)


def answered(mechanism: Mechanism, what: Asked) -> dict[str, Any]:
    """The result as it is written for machines.

    Raises   BadInputError where nothing is proved at these values, or nothing holds
    """
    from dpsco.auditing.mechanism import resolve
    from dpsco.auditing.solver import besides, check, realised, solve
    from dpsco.reference.numbers.enclosure import arb

    given, unknown = what.given, what.unknown
    try:
        if mechanism.admits is not None and {"epsilon", *(q.name for q in mechanism.quantities)} <= {*given, "sigma", "bound"}:
            m = arb(192)
            values = realised(m, mechanism, given)
            wrong = resolve(mechanism.admits)(m, values["epsilon"], values)
            if wrong is not None:
                raise BadInputError(wrong)
        answer = check(mechanism, given) if unknown is None else solve(mechanism, given, unknown)
        at = given if unknown is None else {**given, unknown: answer.value}
        beside = besides(mechanism, at)
    except (ValueError, OverflowError) as error:
        raise BadInputError(f"no answer: {error}") from error
    words = {choice.name: given[choice.name] for choice in mechanism.choices}
    return {
        "given": {k: v if isinstance(v, int) else decimal(v) for k, v in given.items() if k not in words},
        **({"chosen": words} if words else {}),
        **{name: {"value": value, "derived": says} for name, (value, says) in what.derived.items()},
        "solved": unknown,
        "value": answer.value,
        "enclosure": None if answer.enclosure is None else list(answer.enclosure),
        **{name: list(pair) for name, pair in beside.items()},
        "beside": list(beside),
        "verdict": answer.verdict,
        "not_judged": None if unknown is None else solved_for(unknown),
        "least": {name: list(pair) for name, pair in answer.least.items()} or None,
        "slack": {name: list(pair) for name, pair in answer.slack.items()} or None,
        "unanswered": dict(answer.unanswered) or None,
        "exact": mechanism.exact,
        "basis": mechanism.basis,
    }


def _header(mechanism: Mechanism) -> dict[str, Any]:
    from dpsco import __version__

    return {"schema": 1, "version": __version__, "mechanism": mechanism.name}
