"""Noise scales of gradient perturbation, and each printed link between them."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from dpsco.arguments.algorithms.descent.noisy_gradients import average_steps
from dpsco.arguments.formula import apply
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Adjacency, Relation
from dpsco.spec.register import find
from dpsco.verdict import Part, Proof, Reading, Verdict, fold


@pytest.fixture(scope="module")
def printed():
    return judge("newsvendor/thm-3")


def finding(judgement, scope: str, reading: Reading = Reading.PRINTED, release: str | None = None):
    (found,) = [
        f
        for f in judgement.findings
        if f.scope.startswith(scope) and f.reading is reading and (release is None or f.release == release)
    ]
    return found


def test_two_steps_of_the_proof_are_false(printed):
    assert (printed.verdict, printed.severity, printed.proof) == (Verdict.OPEN, None, Proof.BROKEN)
    assert finding(printed, "the empirical gradient moves").verdict is Verdict.CERTIFIED
    assert (finding(printed, "one step").verdict, finding(printed, "one step").about) == (Verdict.REFUTED, Part.PROOF)
    assert finding(printed, "substituting").computed == ("4", "4")


def test_what_turns_on_the_missing_range_is_open_with_both_readings_beside(printed):
    for scope in ("scale (a)", "scale (b)", "T steps, each", "the least sigma"):
        assert finding(printed, scope).verdict is Verdict.OPEN
        without = [f for f in printed.findings if f.scope.startswith(f"if no range is meant, {scope}")]
        assert without
        assert {f.verdict for f in without} == {Verdict.REFUTED}
        narrow = [f for f in printed.findings if f.scope.startswith(scope) and "epsilon <= 1" in f.scope]
        assert {f.verdict for f in narrow} == {Verdict.CERTIFIED}
        assert {f.reading for f in without} == {Reading.ANOTHER}
        assert {f.reading for f in narrow} == {Reading.MEANT}


@pytest.mark.parametrize("id", ["newsvendor/thm-3-amended", "newsvendor/thm-3-amended-composition"])
def test_amendments_are_certified_and_their_mutants_killed(id: str):
    amended = judge(id)
    assert amended.verdict is Verdict.CERTIFIED
    assert set(amended.mutants) <= {Fate.KILLED, Fate.TRUE}
    assert len(amended.mutants[Fate.KILLED]) >= 3


def test_amended_scale_tends_to_the_printed_one():
    m = mp(50)
    quotients = []
    for epsilon in ("1", "0.01", "0.0001"):
        values = {"n": m.real(10), "L": m.real(7), "T": m.real(100), "epsilon": m.real(epsilon), "delta": m.real("1e-5")}
        quotients.append(
            apply(find("newsvendor/thm-3-amended").formulas["sigma_moments"], m, values)
            / apply(find("newsvendor/thm-3").formulas["sigma_moments"], m, values)
        )
    assert all(a > b > 1 for a, b in pairwise(quotients))
    assert quotients[-1] - 1 < 1e-5


@pytest.mark.parametrize("steps", [2, 3, 10, 1000])
def test_average_of_the_iterates_by_simulation_of_its_weights(steps: int):
    """The average as a linear function of the gradients, weights found by running the recursion on unit vectors."""
    m = mp(50)
    iterates = np.zeros((steps, steps))
    for t in range(1, steps):
        iterates[t] = iterates[t - 1]
        iterates[t, t - 1] -= 1.0
    weights = iterates.mean(axis=0)
    assert float(average_steps(m, m.real(steps))) == pytest.approx(weights.sum() ** 2 / (weights @ weights), rel=1e-12)


MOVED = {
    "bounded gradients dropped": lambda c: replace(c, preconditions=()),
    "add-remove": lambda c: replace(c, adjacency=Adjacency.ADD_REMOVE),
    "another assertion": lambda c: replace(
        c, asserts=(*c.asserts, Relation("T gradients with N(0, sigma_moments^2 I) each", "is", "(epsilon/2, delta^2)-DP"))
    ),
    "another release": lambda c: replace(c, releases="the noisy gradients and the data"),
}


@pytest.mark.parametrize("moved", MOVED)
@pytest.mark.parametrize("id", ["newsvendor/thm-3-amended", "newsvendor/thm-3-amended-composition", "spo/thm-6-amended"])
def test_a_certificate_falls_with_what_it_rests_on(id: str, moved: str):
    decide = judge_of(id)
    assert decide is not None
    assert fold(decided(find(id), decide)) is Verdict.CERTIFIED
    assert fold(decided(MOVED[moved](find(id)), decide)) is not Verdict.CERTIFIED
