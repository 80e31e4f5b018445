"""`dpsco vectors`: inputs and exact values of a contract, for kernels in any language."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpsco.show.command.contracts import completed, one, show
from dpsco.show.command.screen import BadInputError, Progress, line, writable, write

if TYPE_CHECKING:
    from dpsco.spec.contract import Contract

SHOWN, WRITTEN = 3, 10000


def vectors(
    name: Annotated[
        str,
        typer.Argument(
            metavar="CONTRACT", help="As `dpsco contracts` lists them.", show_default=False, autocompletion=completed
        ),
    ],
    cases: Annotated[
        int | None, typer.Option(min=1, metavar="N", help=f"How many; {WRITTEN} in a file, {SHOWN} on the screen.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random inputs.")] = 0,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write them; - for standard output.")] = None,
) -> int:
    """Write inputs and exact values, to test kernels in any language.

    Inputs are hexadecimal doubles, exact values have 30 digits, and the errors allowed stand beside them.
    """
    from dpsco.regression import regress
    from dpsco.regression import vectors as made

    contract = one(name, regress.contracts())
    reference = regress.implementation("reference", contract)
    if reference is None:
        raise BadInputError(f"{contract.id} has no reference to take values from")
    writable(json)
    count = cases if cases is not None else SHOWN if json is None else WRITTEN
    top = made.head(contract, regress.budgets().get(contract.id), seed)
    found = []
    with Progress(count, "vectors") as progress:
        try:
            for case in made.cases(contract, reference, count, seed):
                found.append(case)
                progress.step()
        except ValueError as error:
            raise BadInputError(str(error)) from error
    if json is not None:
        write(json, "".join(made.document(top, iter(found))))
    if str(json) == "-":
        return 0
    if json is None:
        _show(contract, top, found)
    else:
        line(f"{len(found)} cases of {contract.id}")
    if len(found) < count:
        line(f"no more inputs had {made.CERTAIN} certain digits; {count} were asked for")
        return 1
    return 0


def _show(contract: "Contract", top: dict[str, object], found: list[dict[str, object]]) -> None:
    from dpsco.show.command.showing import folded

    show(contract)
    line()
    kinds: dict[str, str] = dict(top["budgets_for"])  # type: ignore[call-overload]
    budgets = "; ".join(f"{kind} {allowed}, for {kinds[kind]}" for kind, allowed in dict(top["budgets"]).items())  # type: ignore[call-overload]
    for text in (f"error: {top['error']}", f"budgets: {budgets}"):
        for part in folded(text):
            line(part)
    for case in found:
        line()
        for key, value in {**dict(case["in"]), "out": case["out"], "size": case.get("size")}.items():  # type: ignore[call-overload]
            if value is not None:
                for part in folded(f"{key} = {value}", "        "[:8], "    "):
                    line(part)
