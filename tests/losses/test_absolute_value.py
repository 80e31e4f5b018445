"""The smoothed l1-norm: reference against its definition, fast against reference, judges and negative controls."""

import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco import witnesses
from dpsco.fast.losses import absolute_value as fast
from dpsco.instances.kernel_integrals import distance
from dpsco.judges.losses.absolute_value import is_sum_of, order_of_squares, own_gap, own_smoothed
from dpsco.judging import judge, judge_of
from dpsco.mutant import Fate
from dpsco.reference.losses import absolute_value
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.losses import absolute_value as spec
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict

M = mp(50)
BUDGET = {"value": 4.0, "gradient": 3.0, "gap": 8.0}


def off(name: str, given_: dict[str, object]) -> float:
    arrays = {k: np.array(v) if isinstance(v, list) else v for k, v in given_.items()}
    return error(getattr(spec, name), getattr(absolute_value, name), given_, getattr(fast, name)(**arrays))


@pytest.mark.parametrize("name", list(BUDGET))
def test_hard_and_generated_inputs(name: str):
    contract, random = getattr(spec, name), Random(3)
    tried = [*contract.hard, *(contract.generate(random) for _ in range(60))]
    worst = max(off(name, dict(i)) for i in tried)
    assert 0.4 < worst <= BUDGET[name]


@given(st.lists(st.floats(-40, 40), min_size=1, max_size=5), st.floats(-9, 9).map(lambda e: 10.0**e))
def test_vectors_match_reference(ratios: list[float], h: float):
    for name, budget in BUDGET.items():
        assert off(name, {"residuals": [t * h for t in ratios], "h": h}) <= budget, name


def test_negative_control_the_printed_difference_in_doubles_is_out_of_budget():
    t, h = 8.0, 1.0
    naive = h * math.sqrt(2 / math.pi) * math.exp(-t * t / 2) - 2 * t * (math.erfc(t / math.sqrt(2)) / 2)
    given_ = {"residuals": [t], "h": h}
    assert error(spec.gap, absolute_value.gap, given_, naive) > 10 * BUDGET["gap"]
    assert off("gap", given_) <= BUDGET["gap"]


@pytest.mark.parametrize("residuals", [["0"], ["1"], ["-0.5", "3"], ["2", "0", "-7"]])
@pytest.mark.parametrize("h", ["1", "0.25", "3"])
def test_reference_is_the_mean(residuals: list[str], h: str):
    """E|u_j + h V| by quadrature, coordinate by coordinate; the printed closed form too."""
    u, scale = [M.real(x) for x in residuals], M.real(h)
    by_quadrature = sum(scale * distance("gaussian", x / scale) for x in u)
    value, _ = absolute_value.value(M, u, scale)
    assert abs(value - by_quadrature) < 1e-15
    assert abs(spec.smoothed(M, u, scale) - value) < 1e-40
    assert abs(absolute_value.gap(M, u, scale) - (value - sum(abs(x) for x in u))) < 1e-40
    step = M.real("1e-15")
    for j, slope in enumerate(absolute_value.gradient(M, u, scale)):
        moved = [x + step * (i == j) for i, x in enumerate(u)]
        assert abs((absolute_value.value(M, moved, scale)[0] - value) / step - slope) < 1e-13


@pytest.mark.parametrize("residuals", [np.zeros(0), np.zeros((2, 2))])
def test_shapes_are_checked(residuals: object):
    with pytest.raises(ValueError, match="residuals has shape"):
        fast.value(residuals, 1.0)
    with pytest.raises(ValueError, match="residuals has at least one"):
        absolute_value.value(M, [], M.real(1))


@pytest.mark.parametrize("id", ["newsvendor/lem-EC.6", "newsvendor/sec-EC.2.3-examples-amended"])
def test_certified_with_full_power(id: str):
    judgement = judge(id)
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) >= 6
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(judgement.mutants)


def test_the_remark_is_not_true_at_the_kink():
    (remark,) = [f for f in judge_of("newsvendor/lem-EC.6")(find("newsvendor/lem-EC.6")) if f.reading is Reading.ANOTHER]
    assert remark.verdict is Verdict.REFUTED
    assert float(remark.computed[0]) == pytest.approx(float(distance("gaussian", "0") / 8))
    assert float(remark.computed[0]) > 100 * float(remark.claimed)


def test_first_example_is_refuted_in_both_readings_and_the_others_certified():
    findings = list(judge_of("newsvendor/sec-EC.2.3-examples")(find("newsvendor/sec-EC.2.3-examples")))
    assert [f.verdict for f in findings] == [Verdict.REFUTED] * 2 + [Verdict.CERTIFIED] * 2
    for finding in findings[:2]:
        y, prediction, r = (Fraction(finding.at[k]) for k in ("y", "prediction", "r"))
        loss = max(r * (y - prediction), (r - 1) * (y - prediction))
        assert finding.severity is Severity.MISPRINT
        assert Fraction(finding.computed[0]) == loss == Fraction(1, 4)
        assert Fraction(finding.claimed) == max(y, prediction) == 1, "|y - p|/2 + (y + p)/2 is the larger of the two"


def test_a_formula_that_is_no_sum_over_entries_is_not_identified():
    def with_product(m, residuals, h):
        entries = list(residuals)
        return spec.smoothed(m, entries, h) + (entries[0] * entries[1] if len(entries) > 1 else 0)

    def fourth(m, residuals, h):
        entries = list(residuals)
        return spec.smoothed(m, entries, h) + (h if len(entries) == 4 else 0)

    assert is_sum_of(spec.smoothed, own_smoothed)
    assert not is_sum_of(spec.smoothed, own_gap)
    assert not is_sum_of(with_product, own_smoothed)
    assert not is_sum_of(fourth, own_smoothed)


@pytest.mark.parametrize(("share", "sign"), [((1, 1), "<"), ((8, 10), "<"), ((1, 2), None)])
def test_order_of_squares(share: tuple[int, int], sign: str | None):
    """sqrt(2/pi) = 0.798 against sqrt(size) times a share, for every size from 1 on."""
    found = order_of_squares(lambda m, h: m.sqrt(2 / m.pi) / h, lambda m, size, h: m.frac(*share) * m.sqrt(size) / h)
    assert found == sign


def test_witness_runs_alone():
    script = Path(witnesses.__file__).parent / "newsvendor_sec-EC.2.3-examples.py"
    done = subprocess.run([sys.executable, "-I", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
