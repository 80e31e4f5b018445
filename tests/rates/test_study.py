"""Verdicts of studies on synthetic risks, and the catalogue: every claim has a study or a reason."""

from dataclasses import replace

import numpy as np
import pytest

from dpsco.rates.catalogue import not_run, studies, unstudied
from dpsco.rates.run import CONSISTENT, INCONSISTENT, NOT_TESTED, judged, run, tasks
from dpsco.rates.study import Study, broken, grid, resolved
from dpsco.spec.register import find
from dpsco.sweeping.task import run as computed

HERE = __name__


def work(parameters, streams):
    """n^-slope with a seeded factor; `rest` is the share that is not the tested term's."""
    noise = streams("noise").uniform(0.5, 1.5)
    risk = noise * parameters["n"] ** parameters.get("slope", -1.0)
    return {"risk": risk, "rest": parameters.get("rest", 0.01) * risk}


def printed(parameters):
    return 3.0 / parameters["n"]


def bound(parameters):
    return parameters.get("constant", 2.0) / parameters["n"]


STUDY = Study(
    claim="synthetic",
    term="1/n",
    axis="n",
    points=grid("n", (10, 20, 40, 80)),
    work=f"{HERE}:work",
    printed=f"{HERE}:printed",
    control={"slope": 0.0},
    bound=f"{HERE}:bound",
    says="synthetic",
)


def sweep(wanted):
    return [work(task.parameters, task.streams()) for task in wanted]


def ran(**changes):
    return run(replace(STUDY, points=tuple({**p, **changes} for p in STUDY.points)), sweep, 1024)


def test_the_printed_slope_is_consistent_and_its_control_is_not():
    outcome = ran()
    assert outcome.verdict == CONSISTENT
    assert outcome.reason == ""
    assert outcome.exponent == pytest.approx(-1)
    assert outcome.control is not None
    assert outcome.control.verdict == INCONSISTENT
    assert outcome.as_expected


def test_an_exponent_off_by_two_tenths_is_rejected():
    assert ran(slope=-0.8).verdict == INCONSISTENT


def test_a_risk_that_falls_faster_is_consistent_and_says_so():
    outcome = ran(slope=-1.5)
    assert outcome.verdict == CONSISTENT
    assert "faster" in outcome.reason


def test_the_side_of_epsilon_is_the_other_one():
    study = replace(STUDY, axis="epsilon", points=tuple({"n": p["n"], "epsilon": p["n"]} for p in STUDY.points), bound=None)
    assert study.sign == -1
    faster = replace(study, points=tuple({**p, "slope": -1.5} for p in study.points))
    assert run(faster, sweep, 1024, control=False).verdict == INCONSISTENT


def test_a_bound_below_the_mean_is_contradicted():
    outcome = ran(constant=0.5)
    assert outcome.verdict == INCONSISTENT
    assert "stated" in outcome.reason


def test_a_term_below_eighty_percent_is_not_tested():
    assert ran(rest=0.3).verdict == NOT_TESTED


def test_a_wide_interval_is_not_tested():
    wide = [{"risk": float(v), "rest": 0.0} for v in np.random.default_rng(1).exponential(size=64)]
    scaled = [{**r, "risk": r["risk"] / STUDY.points[i % 4]["n"]} for i, r in enumerate(wide)]
    assert judged(replace(STUDY, bound=None), scaled).verdict == NOT_TESTED


def test_an_amendment_shares_the_streams_of_its_claim():
    first, second = (tasks(replace(STUDY, claim=claim), range(2), 3) for claim in ("a/b", "a/b-amended"))
    assert first == second


def test_a_control_changes_its_parameters_only():
    assert all(p["slope"] == 0.0 for p in broken(STUDY).points)


@pytest.mark.parametrize("budget", [10, 63])
def test_too_small_a_budget_is_refused(budget):
    with pytest.raises(ValueError, match="budget"):
        run(STUDY, sweep, budget)


@pytest.mark.parametrize("address", ["no.such:thing", "dpsco.rates.study:Nothing", "dpsco.rates.slopes:LEVEL"])
def test_an_address_without_a_function_is_refused(address):
    with pytest.raises(ValueError, match=r"no function|not a function"):
        resolved(address)


def test_every_study_names_a_claim_functions_and_three_points():
    for study in studies():
        find(study.claim)
        assert len(study.points) >= 3, study.name
        assert len({float(p[study.axis]) for p in study.points}) == len(study.points), study.name
        for address in (study.work, study.printed, *([study.bound] if study.bound else [])):
            resolved(address)
        assert float(resolved(study.printed)(study.points[0])) > 0, study.name


def test_utility_and_rate_claims_have_a_study_or_a_reason():
    assert unstudied() == []
    assert all(reason for _, reason in not_run())


def test_results_are_the_tasks_alone():
    task = tasks(STUDY, range(1), 5)[0]
    assert computed(task) == computed(task)
