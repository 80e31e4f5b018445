"""Projection onto the ball: the judges, the refuting instances by simulation of the minimiser, one dimension."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.algorithms.objective_perturbation.risk.projected_minimiser import MANY_DIMENSIONS
from dpsco.judges.algorithms.objective_perturbation.projection import (
    JUDGES,
    is_projection,
    moves_towards,
    stays_in_ball,
)
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.objective_perturbation.projection import stays_short
from dpsco.spec.claim import Relation
from dpsco.spec.conditions import optimum_in_ball
from dpsco.spec.register import find
from dpsco.verdict import Part, Proof, Reading, Verdict, fold

ID = "newsvendor/projection"


@cache
def judged(id):
    return judge(id)


def test_all_three_readings_fall():
    found = judged(ID)
    assert (found.verdict, found.severity, found.proof) == (Verdict.STATED, None, Proof.BROKEN)
    printed = [f for f in found.findings if f.reading is Reading.PRINTED]
    assert len(printed) == 6
    assert {f.about for f in printed} == {Part.PROOF}
    (one,) = [f for f in found.findings if "one dimension" in f.scope]
    assert (one.verdict, one.reading) == (Verdict.CERTIFIED, Reading.ANOTHER)
    assert all(f.verdict is Verdict.REFUTED for f in printed)
    assert {relation for f in printed for relation in f.asserts} == set(find(ID).asserts)


def test_projection_in_every_step_stands():
    found = judged(f"{ID}-amended")
    assert found.verdict is Verdict.CERTIFIED
    assert set(found.mutants) == {Fate.KILLED}
    assert len(found.mutants[Fate.KILLED]) == 4


def minimisers(n: float, d: int, runs: int, seed: int) -> tuple[np.ndarray, np.ndarray, float]:
    """First coordinates and lengths of the others at Theorem 2's choices; records are equal up to errors below 1/200."""
    generator = np.random.Generator(np.random.Philox(key=seed))
    sigma = 0.5 * np.sqrt(8 * np.log(1e6) + 4)
    lambda_ = np.sqrt(0.5 / n + d * sigma**2 / n**2)
    h = 0.75 / (lambda_ * n)
    first = np.empty(runs)
    for k, b in enumerate(sigma * generator.standard_normal(runs)):
        error, low, high = generator.uniform(-0.005, 0.005), -2.0, 3.0
        for _ in range(60):
            q = (low + high) / 2
            t = np.clip((q - 1 - error) / h, -1, 1)
            low, high = (q, high) if (2 + 3 * t - t**3) / 4 - 0.5 + 2 * lambda_ * q + b / n < 0 else (low, q)
        first[k] = low
    others = sigma / (2 * lambda_ * n) * np.sqrt(generator.chisquare(d - 1, runs))
    return first, others, 2 * np.sqrt(2 / n + 16 * d * np.log(1e6) / n**2)


@pytest.mark.parametrize("place", range(len(MANY_DIMENSIONS)))
def test_projected_minimisers_by_simulation(place):
    at = MANY_DIMENSIONS[place]
    first, others, bound = minimisers(float(at["n"]), int(float(at["d"])), 300, 7)
    projected = first * np.minimum(1, 1 / np.sqrt(first**2 + others**2))
    risk = np.mean(np.abs(1 - projected)) / 2 - 0.00125
    found = [f for f in judged(ID).findings if f.scope == "Theorem 2's bound for the projected minimiser"]
    assert risk > 2.5 * bound
    if found[0].at["n"] == at["n"]:
        assert float(found[0].claimed) == pytest.approx(bound, rel=1e-9)
        assert risk >= float(found[0].computed[0]) * (1 - 1e-3)
    # negative control: before projection the same outputs keep the bound
    assert np.mean(np.abs(1 - first)) / 2 < bound + 0.0025


@given(
    output=st.floats(-5, 5).filter(lambda x: abs(x) > 1e-9),
    optimum=st.floats(-1, 1),
    level=st.floats(0.01, 0.99),
    spread=st.floats(0, 3),
)
def test_in_one_dimension_no_output_loses(output, optimum, level, spread):
    """Two outcomes around theta* whose mean check loss is least there: any convex risk would do."""

    def risk(x: float) -> float:
        chances = ((1 - level, optimum + spread), (level, optimum - spread))
        return sum(p * max(level * (y - x), (level - 1) * (y - x)) for p, y in chances)

    if risk(optimum) <= min(risk(optimum - 0.01), risk(optimum + 0.01)):
        assert risk(output * min(1, 1 / abs(output))) <= risk(output) + 1e-12


def test_mutants_route_does_not_accuse_the_claim():
    """Negative control, and descent itself: projected in every step, its average keeps the bound where the last one loses."""
    claim = find(f"{ID}-amended")
    assert not stays_short(claim, Fraction(1))
    generator, n, d = np.random.Generator(np.random.Philox(key=3)), 400, 3
    sigma, step = 0.02, 0.05
    theta, total = np.zeros(d), np.zeros(d)
    for _ in range(n):
        slope = np.array([0.5 * np.sign(theta[0] - 1), 0, 0]) + sigma * generator.standard_normal(d)
        theta = theta - step * slope
        theta *= min(1, 1 / np.linalg.norm(theta))
        total += theta
    regret = 1 / (2 * n * step) + step * (0.25 + d * sigma**2) / 2  # B^2/(2 T eta) + eta E|gradient|^2/2
    assert abs(total[0] / n - 1) / 2 < regret


def test_judge_reads_the_factor_and_the_conditions():
    claim = find(f"{ID}-amended")
    assert moves_towards(claim)
    assert not moves_towards(scaled(claim, "projection_factor", 99, 100))
    assert fold(decided(scaled(claim, "projection_factor", 99, 100), JUDGES[ID])) is Verdict.OPEN
    assert fold(decided(scaled(claim, "projection_factor", 9, 10), JUDGES[ID])) is Verdict.REFUTED
    turned = replace(claim, asserts=(Relation(claim.asserts[0].left, "<", claim.asserts[0].right),))
    assert fold(decided(turned, JUDGES[ID])) is Verdict.OPEN


def test_without_projection_nothing_is_refuted():
    """The factor 1 makes all three printed assertions true."""
    for id in (ID, f"{ID}-amended"):
        claim = with_formula(find(id), "projection_factor", lambda m, output_norm: m.real(1))
        assert moves_towards(claim)
        assert not stays_in_ball(claim)
        found = decided(claim, JUDGES[id])
        assert Verdict.REFUTED not in {f.verdict for f in found}
        assert Verdict.CERTIFIED not in {f.verdict for f in found if f.scope.startswith("the three bounds")}
    half = with_formula(find(ID), "projection_factor", lambda m, output_norm, B: m.min(1, (B / output_norm + 1) / 2))
    assert moves_towards(half)
    assert not is_projection(half)
    assert is_projection(find(ID))
    turned = scaled(find(ID), "projection_factor", -1, 1)
    assert not stays_in_ball(turned)


@pytest.mark.parametrize("id", [ID, f"{ID}-amended"])
def test_certificates_need_the_optimum_in_the_ball(id):
    claim = find(id)
    assert {p.test for p in claim.preconditions} == {optimum_in_ball}
    assert Verdict.CERTIFIED in {f.verdict for f in judged(id).findings}
    assert Verdict.CERTIFIED not in {f.verdict for f in decided(replace(claim, preconditions=()), JUDGES[id])}
