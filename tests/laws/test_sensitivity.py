"""The law of sensitivity: of what a private method says and does, nothing but noised numbers depends on what its rows hold.

Every private method (function, estimator, command) with every adjacency is run on many data sets of the same public facts: same
types, columns and options, and the same number of rows where that is public. All must end the same way: answer or refusal,
type and text of the error, exit, warnings, log, screen, files, keys, shapes, types, and every number but those that noise
hides. The data sets are neighbours of one another through others that are tried too, so that one of them that is told
apart is a pair of neighbours that is.

Methods are found, not listed: one that is new and has no entry in `USUAL` fails. Out of scope: how long a method takes, and
what that decides (a progress line after two seconds, what a compiler keeps on disk, a machine without the memory).
"""

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sklearn")

from bystander import HIDDEN, USUAL, Case, Data, N, cases, data_sets, found, seen

from dpsco import quantile_regression
from dpsco.blocks import source
from dpsco.noise import gradient_perturbation
from dpsco.noise.asked import ADD_ONE
from dpsco.noise.methods import OBJECTIVE
from dpsco.noise.objective import gradient_rounding, rounding_expected


def told_apart(case: Case, folder: Path, sets: Callable[[int], Iterator[Data]] | None = None) -> list[str]:
    """A sentence for every data set that a bystander tells from the first one of the same public facts."""
    wrong, random = [], Random(18)
    for sizes in [HIDDEN] if case.hides else [(N,), (2,), (1,)]:
        first: tuple[str, str] | None = None
        for k in sizes:
            for says, X, y in sets(k) if sets else data_sets(k, case.costs, random):
                here = f"{k} rows: {says}", seen(case, X, y, folder)
                first = first or here
                if here[1] != first[1]:
                    at = next((i for i, (a, b) in enumerate(zip(*(s[1] for s in (first, here)), strict=False)) if a != b), 0)
                    there, other = (text[max(0, at - 60) : at + 200] for _, text in (first, here))
                    wrong.append(f"{case.name}, {case.adjacency}: ({first[0]}) and ({here[0]}) differ: {there!r} / {other!r}")
    return wrong


CASES = {f"{case.name}, {case.adjacency}": case for case in cases()} if set(USUAL) == set(found()) else {}


def test_every_private_method_has_joined():
    assert set(USUAL) == set(found())
    assert len(CASES) >= 40


@pytest.mark.parametrize("name", CASES)
def test_nothing_but_noised_numbers_depends_on_the_rows(name: str, tmp_path: Path):
    assert told_apart(CASES[name], tmp_path) == []


@pytest.mark.parametrize("name", [name for name in CASES if name.endswith("replace-one") or name.endswith("None")])
def test_a_method_answers(name: str, tmp_path: Path):
    """The law holds of a method that refuses everything, too: with a record replaced, all answer."""
    case = CASES[name]
    _, X, y = next(data_sets(N, case.costs, Random(1)))
    said = seen(case, X, y, tmp_path)
    assert said.startswith("(('answered'")
    assert "'exit': ('int', '2')" not in said


def test_the_old_leak_is_caught(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Rounding in a gradient of a secret number of rows, against room for that of a public number."""
    run = gradient_perturbation.run

    def leaky(blocks: Any, asked: Any, spent: Any, secret: Any) -> Any:
        zero = np.zeros(blocks.columns)
        rounding = gradient_rounding(asked.feature_bound, spent.bandwidth, blocks.terms, zero, 0.0, zero, asked.kernel)
        if not blocks.rows / spent.n * rounding <= 8 * rounding_expected(spent.n, zero.size, 0.0, 0.0, spent.bandwidth, asked):
            raise ValueError(f"coefficient_scale={asked.coefficient_scale}: must be larger")
        return run(blocks, asked, spent, secret)

    monkeypatch.setattr(gradient_perturbation, "run", leaky)
    wrong = told_apart(CASES[f"quantile_regression.fit gradient-perturbation, {ADD_ONE}"], tmp_path)
    assert wrong
    assert all(
        "(0 rows: random rows) and (60 rows:" in said and "coefficient_scale=1.0: must be larger" in said for said in wrong
    )
    assert any("60 rows" in said for said in told_apart(CASES[f"dpsco fit gradient-perturbation .csv, {ADD_ONE}"], tmp_path))


def test_a_method_that_refuses_bad_rows_is_caught(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    usable = source.usable

    def refusing(X: Any, y: Any) -> Any:
        if not np.isfinite(X).all():
            raise ValueError("X holds a value that is not finite: all must be")
        return usable(X, y)

    monkeypatch.setattr(source, "usable", refusing)
    wrong = told_apart(CASES[f"quantile_regression.fit {OBJECTIVE}, replace-one"], tmp_path)
    assert wrong
    assert all("nan" in said or "inf" in said or "by chance" in said for said in wrong)


def test_a_warning_and_a_public_number_of_the_data_are_caught(tmp_path: Path):
    def warned(X: Any, y: Any, folder: Path) -> Any:
        if np.abs(X).max(initial=0.0) > 1e5:
            warnings.warn("rows were projected", stacklevel=2)

    def counted(X: Any, y: Any, folder: Path) -> Any:
        return {"coefficients": X.sum(axis=0), "rows": int((X == 0).any(axis=1).sum())}

    for run in (warned, counted):
        assert told_apart(Case("leaky", None, run), tmp_path)


def test_a_new_method_has_to_join(monkeypatch: pytest.MonkeyPatch):
    def fit_again(X: Any, y: Any, *, epsilon: float) -> None: ...

    fit_again.__module__ = quantile_regression.__name__
    monkeypatch.setattr(quantile_regression, "fit_again", fit_again, raising=False)
    assert set(found()) - set(USUAL) == {"quantile_regression.fit_again"}


OBJECTS = (None, "word", "", 1j, 10**400, np.nan, b"x")


@pytest.mark.parametrize(
    "name", ["quantile_regression.fit gradient-perturbation, replace-one", "penalty_choice.choose logistic, None"]
)
def test_what_a_cell_of_a_list_or_a_frame_is_decides_nothing(name: str, tmp_path: Path):
    frames, random = pytest.importorskip("pandas"), Random(5)

    def lists(k: int) -> Iterator[Data]:
        for value in (0.5, *OBJECTS):
            rows = [[random.gauss(0, 1), 1] for _ in range(k)]
            rows[-1][0] = value  # type: ignore[call-overload]
            yield f"a list with {value!r}", rows, [0.5] * (k - 1) + [random.choice(OBJECTS)]

    def objects(k: int) -> Iterator[Data]:
        for says, X, y in lists(k):
            yield says, frames.DataFrame(X, dtype=object), frames.Series(y, dtype=object)

    for sets in (lists, objects):
        assert told_apart(CASES[name], tmp_path, sets) == []


@pytest.mark.parametrize("name", ["dpsco fit gradient-perturbation .csv, replace-one", "dpsco choose ridge .csv, None"])
def test_what_a_line_of_a_file_holds_decides_nothing(name: str, tmp_path: Path):
    """Words, gaps, bytes that are no text, numbers beyond doubles, cells without end, too few and too many of them."""

    def text(k: int) -> Iterator[Data]:
        for value in ("0.5", "", "Smith", "1e400", "-inf", "nan", "1,2,3,4", "9" * 200_000, "\udcff", "1_0", "0x1"):
            X, y = np.full((k, 2), 0.25, dtype=object), np.full(k, 1.0, dtype=object)
            X[k // 2, 0] = value
            yield f"a cell {value[:20]!r}", X, y

    assert told_apart(CASES[name], tmp_path, text) == []
