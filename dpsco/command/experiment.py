"""`dpsco experiment`: the papers' experiments, run again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpsco.command.screen import BadInputError, Progress, console, known, line, table, writable, write_json
from dpsco.command.showing import folded

if TYPE_CHECKING:
    from dpsco.experiments.quantile_simulations import Row
    from dpsco.experiments.spo import Row as TrainingRow

TRAINING = ("spo-fig-3", "spo-table-1")
DIMENSIONS = {"quantile-d3": 3, "quantile-d51": 51}
EXPERIMENTS = (*DIMENSIONS, *TRAINING)
DESIGNS = ("exogenous", "endogenous")
SIZES, EPSILONS = (100, 300, 1000), (0.5, 1.0, 2.0)
EXCESS = "relative excess risk"
STRETCHES = (1e-3, 1e3)
LARGEST = 20_000
"""DP-SGD makes n^2 - 1 steps: half a minute a run at this n."""
LARGEST_TRAINED = 1_000
"""Full gradients over n records, n^2 - 1 of them: ten seconds a run at this n."""


def experiment(
    name: Annotated[str, typer.Argument(metavar="EXPERIMENT", help=f"{', '.join(EXPERIMENTS)}.")],
    n: Annotated[list[int] | None, typer.Option("--n", metavar="N", help="Records; again for more. 100, 300, 1000.")] = None,
    epsilon: Annotated[
        list[float] | None, typer.Option("--epsilon", metavar="E", help="Budget; again for more. 0.5, 1, 2.")
    ] = None,
    design: Annotated[list[str] | None, typer.Option("--design", help="exogenous or endogenous; both if none.")] = None,
    repeats: Annotated[int, typer.Option("--repeats", metavar="R", help="Runs for each mean, at least 2.")] = 20,
    stretch: Annotated[
        float, typer.Option("--stretch", metavar="F", help="Multiplies the steps that the paper does not print; 0.001 to 1000.")
    ] = 1.0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of data and noise.")] = 0,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the rows; - for standard output.")] = None,
) -> None:
    """Excess population risk of seven quantile regressions on the designs with d = 3 or 51 of the quantile paper.

    Relative to the best linear rule's risk, mean and standard error over the repeats, settings as the paper prints them
    where it does. The noise is seeded: for experiments, not private.

    spo-fig-3 and spo-table-1: mean SPO loss of exponential and Gaussian descent, n^2 steps, by n or by epsilon and delta
    (at n = 500); of the options they take --n, --repeats, --seed and --json.
    """
    known(name, EXPERIMENTS, "experiment")
    if name in TRAINING:
        if epsilon or design or stretch != 1.0:
            raise BadInputError(f"{name} takes no --epsilon, --design and --stretch: its settings are the paper's")
        _training(name, n, repeats, seed, json)
        return
    sizes, epsilons, designs = tuple(n or SIZES), tuple(epsilon or EPSILONS), tuple(design or DESIGNS)
    for asked in designs:
        known(asked, DESIGNS, "design")
    if any(not 2 <= size <= LARGEST for size in sizes):
        raise BadInputError(f"--n must be from 2 to {LARGEST}, got {', '.join(map(str, sizes))}")
    if any(not 1e-3 <= value <= 1e3 for value in epsilons):
        raise BadInputError(f"--epsilon must be from 0.001 to 1000, got {', '.join(map(str, epsilons))}")
    if repeats < 2 or seed < 0:
        raise BadInputError(f"--repeats must be at least 2 and --seed at least 0, got {repeats} and {seed}")
    if not STRETCHES[0] <= stretch <= STRETCHES[1]:
        raise BadInputError(f"--stretch must be from {STRETCHES[0]:g} to {STRETCHES[1]:g}, got {stretch}")
    writable(json)

    from dpsco.experiments.quantile_simulations import simulate
    from dpsco.spec.algorithms.experiments.quantile_simulations import ALGORITHMS

    rows: list[Row] = []
    with Progress(len(designs) * len(sizes) * len(epsilons) * len(ALGORITHMS), "run") as progress:
        try:
            for row in simulate(designs, sizes, epsilons, repeats, seed, stretch, progress.at, DIMENSIONS[name]):
                rows.append(row)
                progress.step()
        except ValueError as error:
            raise BadInputError(str(error)) from error
    if json is not None:
        write_json(json, [plain(row) for row in rows])
    if str(json) != "-":
        _show(rows, sizes)


def _training(name: str, n: list[int] | None, repeats: int, seed: int, json: Path | None) -> None:
    """Train by both descents, and show or write the rows."""
    if any(not 1 <= size <= LARGEST_TRAINED for size in n or ()):
        raise BadInputError(f"--n must be from 1 to {LARGEST_TRAINED}, got {', '.join(map(str, n or ()))}")
    if repeats < 2 or seed < 0:
        raise BadInputError(f"--repeats must be at least 2 and --seed at least 0, got {repeats} and {seed}")
    writable(json)

    from dpsco.experiments.spo import CELLS, SIZES, simulate

    short = name.removeprefix("spo-")
    sizes = tuple(n or (SIZES if short == "fig-3" else SIZES[-1:]))
    rows: list[TrainingRow] = []
    with Progress(len(sizes) * len(CELLS[short]), "run") as progress:
        for row in simulate(short, sizes, repeats, seed, progress.at):
            rows.append(row)
            progress.step()
    if json is not None:
        write_json(json, [plain(row) for row in rows])
    if str(json) != "-":
        shown = table("method", "n", "epsilon", "delta", "mean loss", "variance", right=("n", "epsilon", "delta"))
        for row in rows:
            place = (row.method, str(row.n), f"{row.epsilon:g}", f"{row.delta:g}")
            shown.add_row(*place, f"{row.mean:.3g}", f"{row.variance:.2g}")
        console().print(shown)
        for part in folded(f"SPO loss on a fresh x, {repeats} runs; seeded noise: not private", "", ""):
            line(part)


def plain(row: "Row | TrainingRow") -> dict[str, Any]:
    """A row for machines: what was run, and its means to six digits."""
    return {name: float(f"{value:.6g}") if isinstance(value, float) else value for name, value in row._asdict().items()}


def _show(rows: "list[Row]", sizes: tuple[int, ...]) -> None:
    """A table for each design and epsilon, algorithms down, n across."""
    by_place = {(row.design, row.epsilon, row.algorithm, row.n): row for row in rows}
    for design, epsilon in dict.fromkeys((row.design, row.epsilon) for row in rows):
        line(f"{design} errors, epsilon = {epsilon:g}, delta = 0.01")
        columns = [f"n = {size}" for size in dict.fromkeys(sizes)]
        shown = table(EXCESS, *columns, right=tuple(columns), keep=(EXCESS,))
        for algorithm in dict.fromkeys(row.algorithm for row in rows):
            found = [by_place[design, epsilon, algorithm, size] for size in dict.fromkeys(sizes)]
            shown.add_row(algorithm, *(f"{row.mean:.3g} ±{float(f'{row.se:.1g}'):g}" for row in found))
        console().print(shown)
        line()
    for part in folded(f"mean ± standard error of {rows[0].repeats} runs; seeded noise: not private", "", ""):
        line(part)
