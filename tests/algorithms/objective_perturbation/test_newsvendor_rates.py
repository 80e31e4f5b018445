"""The newsvendor's rates: one half stands on DP-SGD's, the other falls and stands with objective perturbation's."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from dpsco.judges.algorithms.objective_perturbation.newsvendor_rates import JUDGES
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, with_formula
from dpsco.mutants.algorithms.objective_perturbation.newsvendor_rates import (
    COSTS,
    cost_ratio_grows,
    descent_ratio_grows,
)
from dpsco.mutants.algorithms.objective_perturbation.utility import biased, chosen, minimisers, shrunk
from dpsco.spec.register import find
from dpsco.verdict import Severity, Verdict

ID, AMENDED = "quantile/thm-4.6", "quantile/thm-4.6-amended"


@cache
def judged(id):
    return judge(id)


def test_descent_stands_and_objective_perturbation_falls():
    assert (judged(ID).verdict, judged(ID).severity) == (Verdict.REFUTED, Severity.DOMAIN)
    assert [f.verdict for f in judged(ID).findings] == [Verdict.CERTIFIED, Verdict.REFUTED]
    assert str(judged(ID).findings[1].survives).startswith("Part 1 (DP-SGD) stands.")


def test_amendment_is_certified_and_its_mutants_die():
    assert judged(AMENDED).verdict is Verdict.CERTIFIED
    assert set(judged(AMENDED).mutants) == {Fate.KILLED, Fate.TRUE}
    assert len(judged(AMENDED).mutants[Fate.KILLED]) == 3


def test_cost_leaves_the_printed_rate_in_runs():
    """Drawn runs of the private order; the amended rate on a path of its own condition is the control."""
    assert cost_ratio_grows(find(ID), "cost_rate", biased, lambda n: {"epsilon": n**-0.5}, 0.02)
    amended = find(AMENDED)
    assert not cost_ratio_grows(amended, "cost_rate_objective", biased, lambda n: {"epsilon": n**-0.25}, 0.02)
    assert not cost_ratio_grows(amended, "cost_rate_objective", shrunk, lambda n: {"d": round(n**2), "epsilon": n**0.5}, 0.01)
    assert not descent_ratio_grows(amended, 3.0)


def test_order_is_not_biased_without_smoothing():
    """The runs' solver: narrow smoothing and little noise give the sample quantile, wide smoothing moves it by h w/2."""
    v = chosen(find("quantile/thm-3.6-2"), {"n": 10**6, "epsilon": 1.0, "lambda_": 1e-9, "sigma": 0.0, "h": 1e-4})
    outcomes, shares, b = np.array([0.0, 0.01]), np.array([[0.6, 0.4]]), np.zeros(1)
    assert minimisers(v, outcomes, shares, b)[0] == pytest.approx(0.01, abs=1e-3)
    wide = minimisers({**v, "h": 1.0}, outcomes, shares, b)[0]
    assert wide == pytest.approx(0.5 + 0.004, abs=1e-3)


def test_costs_must_scale_the_rate():
    """A rate that is not (c_u + c_o) times one of n, d, epsilon, delta is not certified; nor is one without the ball."""
    claim = find(AMENDED)

    def rate(m, c_u, n):
        return c_u / m.sqrt(n)

    moved = with_formula(claim, "cost_rate", rate)
    assert Verdict.CERTIFIED not in [f.verdict for f in decided(moved, JUDGES[AMENDED]) if "DP-SGD" in f.scope]
    bare = replace(claim, preconditions=claim.preconditions[1:])
    assert {f.verdict for f in decided(bare, JUDGES[AMENDED])} == {Verdict.OPEN}
    assert COSTS["c_u"] / (COSTS["c_u"] + COSTS["c_o"]) == 0.75
