"""The report for continuous integration servers: one case a contract, failures with their reason, always well-formed."""

import math
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.__main__ import run
from dpsco.regression import regress
from dpsco.regression.junit import document
from dpsco.regression.regress import FAIL, NO_BUDGET, OK, Miss, Regression

DENSITY = "losses.kernels.density"


def result(largest: float = 1.0, budget: float | None = 2.0, remark: str = "") -> Regression:
    made = regress.contracts()[DENSITY]
    worst = Miss(error=largest, at={"v": 1.0}, got="0.25", expected="0.241970724519143349", remark=remark)
    return Regression(contract=made, errors=(0.25, 0.5, largest), worst=(worst,), budget=budget)


def test_counts_and_failures():
    root = ElementTree.fromstring(document([result(), result(3.0), result(1.0, None), regress.missing(result().contract)]))
    assert root.attrib == {"tests": "4", "failures": "3", "errors": "0", "skipped": "0"}
    cases = root.findall("testsuite/testcase")
    assert [(case.attrib["classname"], case.attrib["name"]) for case in cases] == [("losses.kernels", "density")] * 4
    assert [None if (f := case.find("failure")) is None else f.attrib["type"] for case in cases] == [
        None,
        FAIL,
        NO_BUDGET,
        "no kernel",
    ]
    failure = cases[1].find("failure")
    assert failure is not None
    for part in ("99 % at most 3; 1 of 3 exceed the budget", "1. 3 at v=1.0", "got 0.25, expected 0.24197072451914"):
        assert part in (failure.text or "")
    assert failure.attrib["message"].startswith("FAIL: 3 ")


def test_what_record_accepts_is_no_failure():
    assert 'failures="0"' in document([result(1.0, None)], (OK, NO_BUDGET))
    assert 'failures="1"' in document([result(math.inf, None)], (OK, NO_BUDGET))


@given(st.text())
def test_any_message_is_well_formed(remark: str):
    root = ElementTree.fromstring(document([result(3.0, remark=remark)]))
    assert root.find("testsuite/testcase/failure") is not None


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "report.xml"
    assert run(["regress", DENSITY, "--samples", "3", "--junit", str(file)]) == 0
    assert ElementTree.parse(file).getroot().attrib["failures"] == "0"
    assert run(["regress", DENSITY, "--samples", "3", "--budget", "0", "--junit", str(file)]) == 1
    assert ElementTree.parse(file).getroot().attrib["failures"] == "1"
    capsys.readouterr()
    assert run(["regress", DENSITY, "--samples", "3", "--junit", "-"]) == 0
    assert ElementTree.fromstring(capsys.readouterr().out).tag == "testsuites"
    assert run(["regress", DENSITY, "--junit", str(tmp_path)]) == 2
    assert "--junit" in capsys.readouterr().err
