"""Objective perturbation's risk away from the kink: smoothing by quadrature, the refutations by runs, the amendment."""

import inspect
from dataclasses import replace
from functools import cache

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk as known
from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk_instances as reached
from dpsco.judges.algorithms.objective_perturbation.utility_away import JUDGES
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.gradient_perturbation.utility import value
from dpsco.mutants.algorithms.objective_perturbation.utility import biased, chosen, ratio_grows, risk_exceeds, shrunk
from dpsco.mutants.algorithms.objective_perturbation.utility_away import (
    WIDE,
    approximation_exceeds,
    implication_fails,
    smoothing_cost,
    spread_exceeds,
)
from dpsco.reference.losses import kernels
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.objective_perturbation.utility_away import CONDITION, SPREAD, tail_is_light
from dpsco.spec.claim import Relation
from dpsco.spec.register import find
from dpsco.verdict import Part, Proof, Reading, Severity, Verdict

ID, AMENDED = "quantile/thm-3.6-2", "quantile/thm-3.6-2-amended"


@cache
def judged(id):
    return judge(id)


def refuted(start):
    (found,) = [f for f in judged(ID).findings if f.scope.startswith(start)]
    assert found.verdict is Verdict.REFUTED
    return found


@pytest.mark.parametrize("kernel", ["gaussian", "logistic", "uniform", "epanechnikov"])
@pytest.mark.parametrize("t", ["0.01", "0.3", "0.9", "1.7", "4"])
def test_smoothing_cost_is_below_the_second_moment_bound(kernel, t):
    """(v - t) K(v) integrated beyond t, times t, by quadrature: at most kappa_2/8, which is approached within 12 %."""
    m = mp(30)
    with mpmath.workdps(30):
        at = mpmath.mpf(t)
        end = mpmath.mpf(1) if kernel in ("uniform", "epanechnikov") else mpmath.inf
        beyond = mpmath.quad(lambda v: (v - at) * kernels.density(m, kernel, v), [at, at + 3, end]) if at < end else 0
    assert at * beyond <= kernels.kappa_2(m, kernel) / 8


@given(st.floats(0.1, 50), st.floats(0.01, 10), st.floats(0.001, 100))
@settings(max_examples=30, deadline=None)
def test_two_point_law_by_quadrature(w, h, M):
    """The closed form of what is reached, and the bound, against quadrature of the convolution."""
    m = mp(30)
    cost = smoothing_cost(w, h, 1 / M)
    closed = float(reached.kink(m, m.real(h), m.real(M), m.real(w) / 2))
    assert cost == pytest.approx(closed, rel=1e-6, abs=1e-9 * h * w)
    assert cost <= float(known.smoothing_away(m, m.real(h), m.real(w) ** 2 / 3, m.real(M))) * (1 + 1e-6) + 1e-9 * h * w


def test_every_assertion_but_none_of_the_amendment_falls():
    assert (judged(ID).verdict, judged(ID).severity, judged(ID).proof) == (Verdict.REFUTED, Severity.DOMAIN, Proof.BROKEN)
    assert [str(f.asserts[0]) for f in judged(ID).findings if f.about is Part.STATEMENT] == ["risk <=O rate_away"]
    (limit,) = [f for f in judged(ID).findings if f.verdict is not Verdict.REFUTED]
    assert (limit.verdict, limit.reading) == (Verdict.CERTIFIED, Reading.PRINTED)
    assert "h -> 0" in limit.scope
    assert [f.scope for f in judged(ID).findings if f.reading is Reading.ANOTHER] == [
        "smoothed less true risk at theta*, every h"
    ]
    assert len(judged(ID).findings) == 8
    assert judged(AMENDED).verdict is Verdict.CERTIFIED
    assert {f.verdict for f in judged(AMENDED).findings} == {Verdict.CERTIFIED}
    assert set(judged(AMENDED).mutants) == {Fate.KILLED, Fate.TRUE}
    assert len(judged(AMENDED).mutants[Fate.KILLED]) == 14


def test_smoothing_error_as_h_falls_by_quadrature():
    """Residuals +-u, density |u| on [-1, 1], M = 2: over h^2 at most M eventually, at a fixed wide h above it."""
    w = 12.0

    def over(h):
        end = min(h * w, 1)  # c_h = c beyond
        mean = mpmath.quad(lambda u: 2 * u * h * (w - u / h) ** 2 / (4 * w), [0, end])
        return float(mean) / (h**2 * 2)

    ratios = [over(h) for h in (0.1, 0.01, 0.001)]
    assert ratios[0] > 1 > ratios[1] > ratios[2]
    bare = replace(find(ID), preconditions=tuple(p for p in find(ID).preconditions if p.test != tail_is_light))
    assert "h -> 0" not in " ".join(f.scope for f in decided(bare, JUDGES[ID]) if f.verdict is Verdict.CERTIFIED)
    half = scaled(find(ID), "approximation_error", 1, 3)
    assert all(f.verdict is not Verdict.CERTIFIED for f in decided(half, JUDGES[ID]))


def test_smoothing_error_is_contradicted_by_quadrature():
    found = refuted("smoothed less true risk")
    w, h, M = 2 * float(found.at["kappa_1"]), float(found.at["h"]), float(found.at["M"])
    true = smoothing_cost(w, h, 1 / M)
    assert true == pytest.approx(float(found.computed[0]), rel=1e-9)
    assert true > 20 * float(found.claimed)


@pytest.mark.parametrize(
    ("start", "name"), [("excess risk <= risk_away", "risk_away"), ("excess risk at the chosen", "closed_form_away")]
)
def test_bounds_are_exceeded_by_drawn_runs(start, name):
    """Data and noise drawn at the judge's own instance: the mean risk less six standard errors is above the bound."""
    (found, *_) = [f for f in judged(ID).findings if f.scope.startswith(start)]
    given_ = {key: float(text) for key, text in found.at.items()} | {"n": int(found.at["n"]), "d": int(found.at["d"])}
    v = chosen(find(ID), given_)
    low = biased(v, 1 / v["M"])
    assert low > float(found.claimed)
    assert low > 0.9 * float(found.computed[0])


def threshold(n):
    return {"epsilon": n**-0.5}


def test_rate_and_bandwidth_stay_along_the_threshold():
    """epsilon = n^(-1/2): the printed condition holds at every n, and neither the runs' risk nor h falls."""
    claim = find(ID)
    for name in ("rate_away", "rate_away_sum"):
        assert ratio_grows(claim, name, biased, threshold, 0.02)
    sizes = [chosen(claim, {"n": n, **threshold(float(n))}) for n in (10**4, 10**8, 10**12)]
    assert all(value(claim, "condition_left", v) * v["n"] > 1 for v in sizes)
    assert sizes[2]["h"] == pytest.approx(sizes[0]["h"], rel=0.01)
    assert implication_fails(claim)


def test_amended_rate_is_kept_by_the_same_runs():
    """Negative controls: the amended rate along a path of its own condition, the amended bounds at the wide kernel."""
    claim = find(AMENDED)
    assert not ratio_grows(claim, "rate_away", shrunk, lambda n: {"d": round(n**2), "epsilon": n**0.5}, 0.01)
    assert not ratio_grows(claim, "rate_away", biased, lambda n: {"epsilon": n**-0.25}, 0.02)
    for name in ("risk_away", "closed_form_away"):
        assert not risk_exceeds(claim, name, biased, {**WIDE, "n": 10**8, "optimum_norm": 0.0, "B": 2.0}, 0.01)
    assert not approximation_exceeds(claim, 24.0, 1.0, 1 / 8)
    assert not spread_exceeds(claim, 3.0, 0.01, 0.5)
    assert not implication_fails(claim)


@pytest.mark.parametrize(("power", "holds"), [(4, True), (5, False)])
def test_exponent_of_the_condition_is_read(power, holds):
    """epsilon^5 in the place of epsilon^4, in the formula and in the precondition."""
    claim = find(AMENDED)

    def left(m, epsilon, d, delta, n):
        return epsilon**power + d * m.log(1 / delta) * epsilon**2 / n

    def test(m, epsilon, d, delta, n, omega):
        return m.ge(left(m, epsilon, d, delta, n), omega / n)

    conditions = [replace(p, test=test) if "omega" in p.accepts else p for p in claim.preconditions]
    moved = with_formula(replace(claim, preconditions=tuple(conditions)), "condition_left", left)
    found = {f.scope: f.verdict for f in decided(moved, JUDGES[AMENDED])}
    conditional = [verdict for scope, verdict in found.items() if "<=O" in scope or "=>" in scope or "->" in scope]
    assert len(conditional) == 4
    assert (set(conditional) == {Verdict.CERTIFIED}) is holds


def test_certificates_need_their_conditions():
    claim = find(AMENDED)
    free = replace(claim, preconditions=tuple(p for p in claim.preconditions if "omega" not in p.accepts))
    found = {f.scope: f.verdict for f in decided(free, JUDGES[AMENDED])}
    assert all(verdict is not Verdict.CERTIFIED for scope, verdict in found.items() if "<=O" in scope or "->" in scope)
    loose = replace(claim, preconditions=(*free.preconditions, CONDITION))
    found = {f.scope: f.verdict for f in decided(loose, JUDGES[AMENDED])}
    assert all(verdict is Verdict.REFUTED for scope, verdict in found.items() if "<=O" in scope or "->" in scope)
    short = scaled(claim, "regularisation_away", 1, 10)
    assert Verdict.CERTIFIED not in {f.verdict for f in decided(short, JUDGES[AMENDED]) if "closed_form" in f.scope}


def test_unread_assertions_stay_open():
    claim = find(AMENDED)
    turned = replace(claim, asserts=(Relation(SPREAD, ">=", "approximation_error_spread"),))
    assert [f.verdict for f in decided(turned, JUDGES[AMENDED])] == [Verdict.OPEN]


@pytest.mark.parametrize("id", [ID, AMENDED])
def test_lambda_without_an_order_is_not_decided(id):
    claim, name = find(id), "regularisation_away"
    moved = with_formula(claim, name, lambda m, **v: 3 * claim.formulas[name](m, **v) + 1)
    moved.formulas[name].__signature__ = inspect.signature(claim.formulas[name])
    found = decided(replace(moved, asserts=tuple(a for a in claim.asserts if a.sign == "<=O")), JUDGES[id])
    assert found
    assert all(f.verdict is Verdict.OPEN for f in found)
