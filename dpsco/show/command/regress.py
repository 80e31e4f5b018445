"""`dpsco regress`: fast kernels, ours or somebody else's, against the reference."""

import math
import sys
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpsco.show.command.contracts import completed, listed, meant
from dpsco.show.command.screen import BadInputError, Progress, console, line, writable, write, write_json

if TYPE_CHECKING:
    from dpsco.regression.regress import Regression
    from dpsco.spec.contract import Contract


def regress(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CONTRACT ...]", help="Contracts, or folders of them; all if none is named.", autocompletion=completed
        ),
    ] = None,
    kernel: Annotated[str | None, typer.Option(metavar="MODULE:FUNCTION", help="Somebody else's implementation.")] = None,
    budget: Annotated[float | None, typer.Option(metavar="B", help="Largest error allowed, instead of the recorded.")] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the results; - for standard output.")] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a test report for a CI server; - for output.")
    ] = None,
    samples: Annotated[int | None, typer.Option(min=0, help="Random inputs for each contract.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random inputs.")] = 0,
    within: Annotated[
        list[str] | None,
        typer.Option(metavar="CONDITION", help='Only inputs that keep it, such as "epsilon <= 100"; again for more.'),
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the contracts; run nothing.")] = False,
    record: Annotated[bool, typer.Option("--record", help="Lower the recorded budgets to what was found.")] = False,
) -> int:
    """Compare fast kernels with the reference.

    Exit 1 where a kernel is missing or its error exceeds its budget.
    """
    from dpsco.regression import regress as regression

    if budget is not None and not 0 <= budget < float("inf"):
        raise BadInputError(f"--budget must be a number >= 0, got {budget}")
    if kernel is not None and record:
        raise BadInputError("--record is for the package's own kernels, not with --kernel")
    others = {"--samples": samples is not None, "--seed": seed != 0, "--budget": budget is not None, "--within": bool(within)}
    if record and any(others.values()):
        named = ", ".join(name for name, given in others.items() if given)
        raise BadInputError(f"--record records what the usual run finds, not with {named}")
    chosen = _chosen(names or [], regression.contracts())
    if listing:
        listed(chosen)
        return 0
    writable(json)
    writable(junit, "--junit")
    if str(json) == str(junit) == "-":
        raise BadInputError("--json and --junit cannot both go to standard output")
    theirs = _load(kernel, chosen) if kernel is not None else None
    recorded = regression.budgets()
    results = []
    with Progress(len(chosen), "compared") as progress:
        for contract in chosen:
            progress.at(contract.id)
            allowed = budget if budget is not None else recorded.get(contract.id)
            results.append(_one(contract, theirs, samples, seed, allowed, within or []))
            progress.step()
    if json is not None:
        from dpsco import __version__

        found = [regression.report(result) for result in results]
        write_json(json, {"schema": 1, "version": __version__, "seed": seed, "within": within or [], "contracts": found})
    accepted = (regression.OK, regression.NO_BUDGET) if record else (regression.OK,)
    if junit is not None:
        from dpsco.regression.junit import document

        write(junit, document(results, accepted))
    if "-" not in (str(json), str(junit)):
        _show(results, " and ".join(within or []))
    if record:
        for change in regression.record(results):
            line(f"recorded {change}")
    return 0 if all(result.verdict in accepted and math.isfinite(result.largest) for result in results) else 1


def _chosen(names: list[str], known: "dict[str, Contract]") -> "list[Contract]":
    ids = [id for name in names for id in meant(name, known)] if names else [*known]
    return [known[id] for id in dict.fromkeys(ids)]


def _load(place: str, chosen: "list[Contract]") -> Callable[..., Any]:
    """The function MODULE:FUNCTION, looked for from the current directory first."""
    if len(chosen) != 1:
        raise BadInputError(f"--kernel needs exactly one contract, {len(chosen)} are named")
    module, colon, name = place.partition(":")
    if not (module and colon and name):
        raise BadInputError(f"--kernel must be MODULE:FUNCTION, got {place!r}")
    sys.path.insert(0, str(Path.cwd()))
    try:
        found = getattr(import_module(module), name, None)
    except ModuleNotFoundError as error:
        raise BadInputError(f"--kernel: there is no module {error.name!r}") from error
    except (Exception, SystemExit) as error:  # a script without a main guard must not end this run, least of all as a success
        raise BadInputError(f"--kernel: importing {module!r} raised {type(error).__name__}: {error}") from error
    if not callable(found):
        raise BadInputError(f"--kernel: module {module!r} has no function {name!r}")
    wanted = list(chosen[0].signature.parameters)
    try:
        signature(getattr(found, "py_func", found)).bind(*wanted)
    except TypeError as error:
        raise BadInputError(f"--kernel: {name} cannot take ({', '.join(wanted)}): {error}") from error
    except ValueError:  # a compiled function that does not tell its signature
        pass
    return found


def _one(
    contract: "Contract",
    theirs: Callable[..., Any] | None,
    samples: int | None,
    seed: int,
    budget: float | None,
    within: list[str],
) -> "Regression":
    from dpsco.regression.regress import compare, implementation, missing
    from dpsco.regression.within import conditions

    try:
        asked = [condition for text in within for condition in conditions(text, contract)]
    except ValueError as error:
        raise BadInputError(f"--within, for {contract.id}: {error}") from error
    reference = implementation("reference", contract)
    kernel = theirs or implementation("fast", contract)
    if reference is None:
        raise BadInputError(f"{contract.id} has no reference to compare with")
    if kernel is None:
        return missing(contract)
    try:
        return compare(contract, kernel, reference, samples=samples, seed=seed, budget=budget, within=asked)
    except ValueError as error:
        if not asked:
            raise
        raise BadInputError(f"--within, for {contract.id}: {error}") from error


def _show(results: "list[Regression]", within: str) -> None:
    from rich.text import Text

    from dpsco.regression.junit import INDENT, details
    from dpsco.regression.regress import OK, shown
    from dpsco.show.command.showing import folded, plural

    out = console()
    width = max((len(result.contract.id) for result in results), default=0)
    for result in results:
        text = Text(f"{result.contract.id:<{width}}  ")
        text.append(result.verdict, style="green" if result.verdict == OK else "bold red")
        out.print(text, soft_wrap=True)
        if result.samples:
            limit = f", budget {result.budget:.4g}" if result.budget is not None else ""
            facts = (
                f"{result.contract.metric}: max {result.largest:.4g}, median {result.typical:.4g} of {result.samples}{limit}"
            )
            told = [f"max at {shown(result.at)}"] if result.verdict == OK else details(result)
            for said in (facts, *told):
                deeper = INDENT if said.startswith((INDENT, *(f"{n}." for n in range(1, 10)))) else ""
                for part in folded(said.strip(), f"    {deeper}", f"    {INDENT if said.startswith(INDENT) else ''}"):
                    out.print(Text(part, style="dim"), soft_wrap=True)
    failed = sum(result.verdict != OK for result in results)
    where = f", on inputs with {within} only" if within else ""
    line(f"{plural(len(results), 'contract')}, {len(results) - failed} within budget{where}")
