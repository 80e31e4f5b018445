"""The sliders show what is proved: sentences from enclosed cells, sigmas rounded up, and commands that say the same."""

import json
import re
from decimal import Decimal
from typing import Any

import pytest

from dpsco.auditing.formulas import PRINTED, Printed, printed, quantities
from dpsco.auditing.mechanisms import GAUSSIAN, MECHANISMS
from dpsco.auditing.regions import Cell, Region, region
from dpsco.auditing.solver import holds
from dpsco.report import plot, trying
from dpsco.report.site import ASSETS
from dpsco.spec.register import find

MAPS = plot.maps()
ROWS = [(row, found) for rows in MAPS.values() for row, found in rows if row.mechanism == GAUSSIAN.name]


def shipped(row: Printed, found: Region) -> dict[str, Any]:
    amended = [
        each for id, those in MAPS.items() if find(id).amends == row.claim for each in those if each[0].formula == row.formula
    ]
    data: dict[str, Any] = json.loads(
        re.search(r"<script[^>]*>(.*?)</script>", trying.sliders(row, found, amended))[1]  # type: ignore[index]
    )
    return data


@pytest.mark.parametrize(("row", "found"), ROWS, ids=[f"{row.claim} {row.formula}" for row, _ in ROWS])
def test_every_sentence_is_what_the_map_says(row: Printed, found: Region):
    data = shipped(row, found)
    for i, delta in enumerate(data["deltas"]):
        for j, epsilon in enumerate(data["epsilons"]):
            cell, known = data["cells"][i][j], found.cells[i][j]
            assert (cell is None) is (known is Cell.OUTSIDE)
            if cell is None:
                continue
            sigma, spent = re.findall(r"sigma is (\S+) .*delta of at most (\S+)\.$", cell["printed"])[0]
            given = quantities(row, epsilon, delta, {})
            assert given is not None
            assert Decimal(sigma) >= Decimal(given["sigma"].lower().str(30, radius=False))
            assert (Decimal(spent) <= Decimal(delta)) is (known is Cell.VALID)
            assert f"--sigma {sigma} " in cell["command"]
            assert cell["state"] == str(known)


def test_repairs_are_proved_where_they_stand():
    row, found = MAPS["bilevel/lem-A.3"][0]
    data = shipped(row, found)
    for i, delta in enumerate(data["deltas"]):
        for j, epsilon in enumerate(data["epsilons"]):
            sigma = re.findall(r"^bilevel/lem-A.3-amended: sigma (\S+) ", data["cells"][i][j]["repaired"])[0]
            given = {"epsilon": epsilon, "delta": delta, "sensitivity": "1", "steps": 1}
            assert holds(GAUSSIAN, {**given, "sigma": sigma}) is True
    assert holds(GAUSSIAN, {**given, "sigma": str(Decimal(sigma) / 2)}) is False


def test_a_number_is_never_rounded_down():
    from dpsco.reference.numbers.enclosure import arb

    m = arb(256)
    assert trying._upward(m.real(2)) == "2"
    assert trying._upward(3) == "3"
    third = trying._upward(m.frac(1, 3))
    assert third == "0.333334"
    assert trying._upward(m.real("1e-30")) in ("1E-30", "1.00001E-30")


def test_the_script_has_no_formula_of_its_own():
    script = (ASSETS / "report.js").read_text(encoding="utf-8").partition("function trying")[2].partition("\n}\n")[0]
    assert script
    assert not re.search(r"Math\.|sqrt|exp\(|log\(|parseFloat|Number\(", script)


QUICK = ("newsvendor/thm-1-amended-added", "sigma_theorem")
"""Its map takes half a second."""


def test_a_kept_map_is_what_is_computed():
    by_name = {(one["claim"], one["formula"]): plot._region(one) for one in plot.kept()}
    row = next(each for each in printed("objective-perturbation") if (each.claim, each.formula) == QUICK)
    computed = region(MECHANISMS["objective-perturbation"], row, {})
    assert by_name[QUICK] == computed
    assert by_name["lp/lem-5", "sigma_1_squared"] != computed


def test_every_noise_scale_has_its_map():
    missing = {(row.claim, row.formula) for name in {each.mechanism for each in PRINTED} for row in printed(name)} - {
        (row.claim, row.formula) for rows in MAPS.values() for row, _ in rows
    }
    assert not missing


def test_other_mechanisms_have_no_sliders():
    assert trying.together(MAPS["lp/lem-5"], []) is None
