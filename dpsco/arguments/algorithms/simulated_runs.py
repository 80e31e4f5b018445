"""What our own runs of the compared algorithms say: the committed tables, read where there are any."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dpsco.verdict import Finding, Reading, Rung, Verdict

RUNS = Path(__file__).parents[2] / "data"
"""Where the tables of our own runs are kept."""
ALLOWANCE = 4.0
"""Standard errors of a difference of two means that count as none."""
PROPOSED = ("objective perturbation", "dp-sgd")
OTHERS = ("moreau", "phased-erm", "phased-sgd")
"""Private methods that the two are said to beat; SGD without smoothing, which they are said to match, is none of them."""
MATCHED = "sgd without smoothing"
MEASURES = (("mean", "se", "excess risk"), ("error_mean", "error_se", "distance"))
"""What is measured, relative to the optimum: a mean, its standard error, the words."""
Row = Mapping[str, Any]


def simulated(design: str, d: int, folder: Path = RUNS) -> Finding:
    """The two proposed methods' mean errors against the other private ones': consistent, inconsistent, or no runs.

    Raises  KeyError where a row lacks one of design, n, epsilon, algorithm, mean, se, repeats, or a cell one of the methods
    """
    scope, rows, cells = f"our own runs, d = {d}, {design} error", *_cells(design, d, folder)
    if not rows:
        return _no_runs(scope, d)
    seen = [found for place in sorted(cells) for found in _differences(*place, cells[place], PROPOSED, OTHERS, MEASURES)]
    lost = [says for away, says in seen if away > ALLOWANCE]
    won = sum(away < -ALLOWANCE for away, _ in seen)
    repeats = min(int(row["repeats"]) for row in rows)
    return Finding(
        scope=scope,
        verdict=Verdict.INCONSISTENT if lost else Verdict.CONSISTENT,
        rung=Rung.SAMPLE,
        method=f"differences of means; more than {ALLOWANCE:g} standard errors count",
        effort=f"{len(cells)} pairs of n and epsilon, {repeats} repeats each, {len(seen)} comparisons",
        power=f"{won} of {len(seen)} comparisons certainly go the claimed way",
        reason=f"{len(lost)} go the other way: {'; '.join(lost[:3])}" if lost else "none certainly goes the other way",
        reading=Reading.ANOTHER,
    )


def as_good(design: str, d: int, ours: str, folder: Path = RUNS) -> Finding:
    """The mean excess risk of one proposed method against that of SGD without smoothing: behind nowhere, or where."""
    scope, rows, cells = f"our own runs, d = {d}, {design} error: {ours} as good as {MATCHED}", *_cells(design, d, folder)
    if not rows:
        return _no_runs(scope, d)
    places = sorted(cells)
    seen = [found for place in places for found in _differences(*place, cells[place], (ours,), (MATCHED,), MEASURES[:1])]
    lost = sorted(((away, says) for away, says in seen if away > ALLOWANCE), reverse=True)
    ahead = sum(away < -ALLOWANCE for away, _ in seen)
    worst = "; ".join(f"{away:.1f} standard errors: {says}" for away, says in lost[:3])
    return Finding(
        scope=scope,
        verdict=Verdict.INCONSISTENT if lost else Verdict.CONSISTENT,
        rung=Rung.SAMPLE,
        method=f"differences of means; more than {ALLOWANCE:g} standard errors count",
        effort=f"{len(cells)} pairs of n and epsilon, {min(int(row['repeats']) for row in rows)} repeats each",
        power=f"largest difference {max(away for away, _ in seen):.1f} standard errors; ahead by more than that in {ahead}",
        reason=f"behind in {len(lost)} of {len(seen)} settings. {worst}" if lost else "certainly behind in no setting",
        reading=Reading.ANOTHER,
    )


def _no_runs(scope: str, d: int) -> Finding:
    reason = f"no runs of this design at hand (data/quantile_d{d}.json)"
    return Finding(scope=scope, verdict=Verdict.OPEN, reason=reason, reading=Reading.ANOTHER)


def _cells(design: str, d: int, folder: Path) -> tuple[list[Row], dict[tuple[int, float], dict[str, Row]]]:
    """The design's rows, and the same by n and epsilon, then by algorithm."""
    rows = [row for row in _rows(folder / f"quantile_d{d}.json") if row["design"] == design]
    cells: dict[tuple[int, float], dict[str, Row]] = {}
    for row in rows:
        cells.setdefault((int(row["n"]), float(row["epsilon"])), {})[row["algorithm"]] = row
    return rows, cells


def _rows(file: Path) -> list[Row]:
    """The table's rows, none if there is no table."""
    return list(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else []


def _differences(
    n: int,
    epsilon: float,
    cell: Mapping[str, Row],
    first: Iterable[str],
    second: Sequence[str],
    measures: Sequence[tuple[str, str, str]],
) -> Iterator[tuple[float, str]]:
    """Each of the first methods less each of the second ones, in standard errors, with words for it."""
    for ours in first:
        for other in second:
            a, b = cell[ours], cell[other]
            for mean, se, words in measures:
                if mean in a and mean in b:
                    error = (float(a[se]) ** 2 + float(b[se]) ** 2) ** 0.5
                    away = (float(a[mean]) - float(b[mean])) / max(error, 1e-300)
                    yield away, f"{ours} behind {other} in {words} at n = {n}, epsilon = {epsilon:g}"
