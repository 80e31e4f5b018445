"""Objective perturbation's risk for the newsvendor: verdicts, the refuting instance by simulation, bounds against runs."""

from dataclasses import replace
from functools import cache

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk, spread_errors
from dpsco.arguments.algorithms.objective_perturbation.risk.root_parameters import rooted
from dpsco.judges.algorithms.objective_perturbation.newsvendor_utility import JUDGES
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled
from dpsco.mutants.algorithms.objective_perturbation.newsvendor_utility import NUMBERS, mean_risk, shifted_risk, terms
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.objective_perturbation import newsvendor_utility as spec
from dpsco.spec.claim import Relation
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Severity, Verdict, fold

AMENDED = "newsvendor/thm-2-amended"


@cache
def judged(id):
    return judge(id)


@pytest.mark.parametrize(
    ("id", "verdict", "severity"),
    [("thm-2", Verdict.OPEN, None), ("thm-2-condition", Verdict.STATED, None)],
)
def test_printed_claims_fall_and_amendments_stand(id, verdict, severity):
    printed, amended = judged(f"newsvendor/{id}"), judged(f"newsvendor/{id}-amended")
    assert (printed.verdict, printed.severity, printed.proof) == (verdict, severity, Proof.BROKEN)
    assert amended.verdict is Verdict.CERTIFIED


def test_a_false_increment_breaks_the_proof_alone():
    printed = judged("newsvendor/thm-2-approx")
    assert (printed.verdict, printed.proof) == (Verdict.STATED, Proof.BROKEN)
    false = [str(f.asserts[0]) for f in printed.findings if f.verdict is Verdict.REFUTED]
    assert false == ["F(a + v h) - F(a - v h) <= increment"]


@pytest.mark.parametrize(("id", "killed"), [("thm-2-condition", 5), ("thm-2-approx", 3)])
def test_mutants_of_the_steps_die(id, killed):
    found = judged(f"newsvendor/{id}-amended")
    assert set(found.mutants) <= {Fate.KILLED, Fate.TRUE}
    assert len(found.mutants[Fate.KILLED]) == killed


def test_theorem_s_mutants_die():
    found = judged(AMENDED)
    assert set(found.mutants) == {Fate.KILLED, Fate.TRUE}
    assert len(found.mutants[Fate.KILLED]) == 12


def test_links_of_the_theorem_stand_and_the_end_falls():
    printed = [f for f in judged("newsvendor/thm-2").findings if f.reading is Reading.PRINTED]
    assert [f.verdict.value for f in printed] == ["certified", "certified", "refuted", "certified", "open"]
    (projected,) = [f for f in judged("newsvendor/thm-2").findings if f.reading is Reading.MEANT]
    assert (projected.verdict, projected.severity) == (Verdict.REFUTED, Severity.RATE)


def test_the_refuting_instance_by_solving_the_problem():
    (found,) = [f for f in judged("newsvendor/thm-2").findings if f.reading is Reading.ANOTHER]
    numbers = dict(found.at)
    V, *_ = terms(numbers)
    lambda_ = float(mpmath.sqrt(V)) / float(numbers["B"])
    h = 0.75 * float(numbers["B_x"]) ** 2 / (lambda_ * float(numbers["n"]) * float(numbers["epsilon"]))
    true = shifted_risk(find("newsvendor/thm-2"), numbers, lambda_, h)
    assert true > float(found.computed[1]) > 10 * float(found.claimed)
    m = mp(40)
    values = {name: m.real(value) for name, value in numbers.items()}
    assert all(predicate(m, values) is True for predicate in find("newsvendor/thm-2").preconditions)
    assert spec.LARGE_ENOUGH_EPSILON(m, values) is False


def test_many_records_and_draws_of_the_noise_confirm_the_shift():
    """The same mechanism with 40 000 real records, n epsilon as large: the minimiser sits at the shifted quantile."""
    generator = np.random.Generator(np.random.Philox(key=2))
    n, h, r, lambda_, sigma = 40_000, 75.0, 0.7, 1e-9, 200.0
    errors = generator.uniform(-0.5, 0.5, n)
    for b in sigma * generator.standard_normal(5):
        low, high = -h, h
        for _ in range(60):
            q = (low + high) / 2
            t = np.clip((q - errors) / h, -1, 1)
            slope = np.mean((2 + 3 * t - t**3) / 4) - r + 2 * lambda_ * q + b / n
            low, high = (q, high) if slope < 0 else (low, q)
        excess = 0.3 * low - 0.25 * r * (1 - r) * 2
        assert excess > 0.3 * (0.2 * h - 0.5) - 0.125  # what the lemma says is reached


@given(
    lambda_=st.sampled_from([0.3, 2.25, 10.0]),
    epsilon=st.sampled_from(["0.02", "1", "1000"]),
    outcome=st.sampled_from([0.0, 3.0, 6.0]),
)
def test_equal_records_lie_between_what_is_reached_and_what_is_proved(lambda_, epsilon, outcome):
    m = mp(40)
    numbers = {**NUMBERS, "n": "10", "epsilon": epsilon, "delta": "0.01", "B": "2", "s": "1e9"}
    v = {name: m.real(value) for name, value in numbers.items()}
    sigma, h = spec.sigma(m, epsilon=v["epsilon"], delta=v["delta"], B_x=v["B_x"], r_bar=v["r_bar"]), 1e-6
    true = mean_risk(find("newsvendor/thm-2"), numbers, lambda_, h, outcome)
    given_ = (m.real("2.25"), v["n"], m.real(lambda_), m.real(1), sigma, m.real(outcome) / 3, m.real(h), m.real("0.375"))
    assert true <= float(objective_risk.risk(m, *given_)) * 1.01 + 1e-6
    if outcome == 6.0 and lambda_ > 1.2:  # theta* = B, and slope L is the one that the lemma takes
        assert true >= float(spread_errors.shrunk(m, v, m.real(lambda_))) * 0.99 - 1e-6
    if outcome == 0.0:
        assert true >= float(spread_errors.shaken(m, v, sigma, m.real(lambda_))) * 0.99 - 1e-6


@pytest.mark.parametrize("left", [1, 4])
def test_conditions_are_needed(left):
    claim = find(AMENDED)
    bare = replace(claim, preconditions=(*claim.preconditions[:left], *claim.preconditions[left + 1 :]))
    assert fold(decided(bare, JUDGES[AMENDED])) in (Verdict.OPEN, Verdict.REFUTED)


def test_judge_reads_signs_and_formulas():
    claim = find("newsvendor/thm-2-condition-amended")
    turned = replace(claim, asserts=(Relation("statistical_term", "<=", "smoothing_term"),))
    assert fold(decided(turned, JUDGES[AMENDED])) is Verdict.OPEN
    slightly = scaled(claim, "smoothing_term", 3, 2)  # the threshold leaves a factor sqrt(2)
    assert fold(decided(slightly, JUDGES[AMENDED])) is Verdict.REFUTED


def test_root_parameters_cover_the_domain_and_no_other():
    claim = find(AMENDED)
    values = rooted(claim)
    assert values is not None
    assert spec.delta_is_small in claim.tests
    wide = replace(
        claim,
        parameters=tuple(replace(p, domain=spec.S_LIPSCHITZ.domain) if p.name == "delta" else p for p in claim.parameters),
    )
    assert rooted(wide) is None  # a delta above 1 has a negative logarithm
