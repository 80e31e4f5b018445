"""`dpsco experiment`: a table of 80 columns, rows for machines, what is refused."""

import json
from pathlib import Path

import pytest

from dpsco.__main__ import run
from dpsco.command.experiment import DESIGNS
from dpsco.experiments import quantile_designs
from dpsco.experiments.quantile_simulations import Row
from dpsco.spec.algorithms.experiments.quantile_simulations import ALGORITHMS

SMALL = ["experiment", "quantile-d3", "--n", "20", "--n", "30", "--epsilon", "1", "--repeats", "2", "--design", "exogenous"]


def test_a_table_of_80_columns(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    assert run([*SMALL, "--json", str(tmp_path / "rows.json")]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    assert all(name in shown for name in (*ALGORITHMS, "n = 20", "n = 30", "exogenous errors, epsilon = 1", "not private"))
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert [(row["n"], row["algorithm"]) for row in rows] == [(n, name) for n in (20, 30) for name in ALGORITHMS]
    assert list(rows[0]) == list(Row._fields)


def test_rows_alone_on_standard_output(capsys: pytest.CaptureFixture[str]):
    assert run([*SMALL, "--json", "-"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["repeats"] for row in rows} == {2}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["quantile-d4"], "unknown experiment 'quantile-d4'; did you mean 'quantile-d3'?"),
        (["quantile-d3", "--n", "1"], "--n must be from 2 to 20000, got 1"),
        (["quantile-d3", "--epsilon", "0"], "--epsilon must be from 0.001 to 1000, got 0.0"),
        (["quantile-d3", "--epsilon", "nan"], "--epsilon must be from 0.001 to 1000"),
        (["quantile-d3", "--repeats", "1"], "--repeats must be at least 2"),
        (["quantile-d3", "--stretch", "0"], "--stretch must be from 0.001 to 1000, got 0.0"),
        (["quantile-d3", "--stretch", "1e4"], "--stretch must be from 0.001 to 1000, got 10000.0"),
        (["quantile-d3", "--stretch", "nan"], "--stretch must be from 0.001 to 1000, got nan"),
        (["quantile-d3", "--design", "mixed"], "unknown design 'mixed'"),
    ],
)
def test_bad_input_is_said_in_one_line(line: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    assert run(["experiment", *line]) == 2
    assert said in capsys.readouterr().err


def test_help_and_designs(capsys: pytest.CaptureFixture[str]):
    assert run(["experiment", "--help"]) == 0
    shown = capsys.readouterr().out
    assert "dpsco experiment" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert DESIGNS == quantile_designs.DESIGNS
