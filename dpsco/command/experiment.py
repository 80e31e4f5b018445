"""`dpsco experiment`: the papers' experiments, run again."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpsco.command.screen import BadInputError, Progress, console, known, line, table, writable, write_json
from dpsco.command.showing import folded

if TYPE_CHECKING:
    from dpsco.experiments.quantile_simulations import Row

EXPERIMENTS = ("quantile-d3",)
DESIGNS = ("exogenous", "endogenous")
SIZES, EPSILONS = (100, 300, 1000), (0.5, 1.0, 2.0)
EXCESS = "relative excess risk"
LARGEST = 20_000
"""DP-SGD makes n^2 - 1 steps: half a minute a run at this n."""


def experiment(
    name: Annotated[str, typer.Argument(metavar="EXPERIMENT", help=f"{', '.join(EXPERIMENTS)}.")],
    n: Annotated[list[int] | None, typer.Option("--n", metavar="N", help="Records; again for more. 100, 300, 1000.")] = None,
    epsilon: Annotated[
        list[float] | None, typer.Option("--epsilon", metavar="E", help="Budget; again for more. 0.5, 1, 2.")
    ] = None,
    design: Annotated[list[str] | None, typer.Option("--design", help="exogenous or endogenous; both if none.")] = None,
    repeats: Annotated[int, typer.Option("--repeats", metavar="R", help="Runs for each mean, at least 2.")] = 20,
    stretch: Annotated[
        float, typer.Option("--stretch", metavar="F", help="Multiplies the steps that the paper does not print.")
    ] = 1.0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of data and noise.")] = 0,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the rows; - for standard output.")] = None,
) -> None:
    """Excess population risk of seven quantile regressions on the designs with d = 3 of the quantile paper.

    Relative to the best linear rule's risk, mean and standard error over the repeats, settings as the paper prints them
    where it does. The noise is seeded: for experiments, not private.
    """
    known(name, EXPERIMENTS, "experiment")
    sizes, epsilons, designs = tuple(n or SIZES), tuple(epsilon or EPSILONS), tuple(design or DESIGNS)
    for asked in designs:
        known(asked, DESIGNS, "design")
    if any(not 2 <= size <= LARGEST for size in sizes):
        raise BadInputError(f"--n must be from 2 to {LARGEST}, got {', '.join(map(str, sizes))}")
    if any(not 1e-3 <= value <= 1e3 for value in epsilons):
        raise BadInputError(f"--epsilon must be from 0.001 to 1000, got {', '.join(map(str, epsilons))}")
    if repeats < 2 or seed < 0:
        raise BadInputError(f"--repeats must be at least 2 and --seed at least 0, got {repeats} and {seed}")
    if not 0 < stretch < math.inf:
        raise BadInputError(f"--stretch must be positive and finite, got {stretch}")
    writable(json)

    from dpsco.experiments.quantile_simulations import simulate
    from dpsco.spec.algorithms.experiments.quantile_simulations import ALGORITHMS

    rows: list[Row] = []
    with Progress(len(designs) * len(sizes) * len(epsilons) * len(ALGORITHMS), "run") as progress:
        for row in simulate(designs, sizes, epsilons, repeats, seed, stretch, progress.at):
            rows.append(row)
            progress.step()
    if json is not None:
        write_json(json, [plain(row) for row in rows])
    if str(json) != "-":
        _show(rows, sizes)


def plain(row: "Row") -> dict[str, Any]:
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
