"""Stability of exponential descent: Lemma 6 and the induction by other routes, and what is left of them."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.judges.algorithms.exponential_descent.stability import JUDGES, apart
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled
from dpsco.mutants.algorithms.exponential_descent.stability import FAR, grows, mean_over_angle, two_runs
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.spec.predicate import Predicate
from dpsco.spec.privacy.randomised_response import half_sphere_factor
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Severity, Verdict, fold


@cache
def judged(id):
    return judge(id)


def refuted(id, word):
    return [f for f in judged(id).findings if f.verdict is Verdict.REFUTED and word in f.scope]


def test_lemma_6_falls_and_its_two_links_stand():
    found = judged("spo/lem-6")
    assert (found.verdict, found.severity) == (Verdict.REFUTED, Severity.DOMAIN)
    assert found.proof is Proof.BROKEN
    assert [f.verdict for f in found.findings if f.reading is Reading.PRINTED] == [
        Verdict.REFUTED,
        Verdict.CERTIFIED,
        Verdict.CERTIFIED,
        Verdict.REFUTED,
    ]
    assert found.amendments == ["spo/lem-6-amended"]


def test_distance_after_the_step_by_quadrature():
    (found,) = [f for f in refuted("spo/lem-6", "one rotation") if "squared" not in f.scope]
    a = mpmath.mpf(found.at["eta"]) / 2
    f = mpmath.exp(1) / (mpmath.exp(1) + 1)
    mean = mpmath.quad(lambda t: f * mpmath.sqrt(1 + a**2 - 2 * a * t) + (1 - f) * mpmath.sqrt(1 + a**2 + 2 * a * t), [0, 1])
    assert abs(mean - mpmath.mpf(found.computed[0])) < 1e-12
    assert mean > 3 > mpmath.mpf(found.claimed)


@settings(max_examples=20)
@given(st.floats(0.01, 30), st.sampled_from(["0.01", "1", "6"]))
def test_closed_form_in_space_is_the_mean(b, epsilon):
    m = arb()
    values = {"drift": 1, "gradient_drift": 1, "correlation": 1, "n": 2, "eta": 2 * b, "d": 3}
    value = apart(m, {**{k: m.real(v) for k, v in values.items()}, "epsilon": m.real(epsilon)})
    c = mp(30)
    mean = mean_over_angle(3, epsilon, lambda t: c.sqrt(1 + c.real(b) ** 2 - 2 * c.real(b) * t))
    assert abs(float(value.mid()) - float(mean)) <= 1e-9 * float(mean)


def test_same_random_numbers_part_the_runs_in_the_kernel():
    """The literal draws, equal normals and uniforms on both sides: the mean of 20000 draws less four standard errors."""
    (found,) = [f for f in judged("spo/lem-6").findings if f.reading is Reading.ANOTHER]
    angle, a = float(found.at["angle"]), 0.05
    g, k = np.array([1.0, 0.0]), np.array([np.cos(angle), np.sin(angle)])
    u = g - k  # the loss |B|^2/2
    random = np.random.Generator(np.random.Philox(6))
    z, coin = random.standard_normal((400_000, 2)), random.random(400_000) < 0.6
    z /= np.linalg.norm(z, axis=1, keepdims=True)

    def turned(v):
        return np.where(((z @ v >= 0) == coin)[:, None], z, -z)

    after = np.linalg.norm(u - a * (turned(g) - turned(k)), axis=1)
    assert after.mean() - 4 * after.std() / len(after) ** 0.5 > np.linalg.norm(u)
    assert abs(after.mean() - float(found.computed[0])) < 1e-3


def test_induction_falls_and_its_amendment_holds():
    found = judged("spo/thm-4-stability")
    assert (found.verdict, found.proof) == (Verdict.STATED, Proof.BROKEN)
    assert len(refuted("spo/thm-4-stability", "")) == 3
    assert found.amendments == ["spo/thm-4-stability-amended"]


@pytest.mark.parametrize(("id", "killed"), [("spo/lem-6-amended", 7), ("spo/thm-4-stability-amended", 5)])
def test_amendments_are_certified_and_their_mutants_die(id, killed):
    assert judged(id).verdict is Verdict.CERTIFIED
    assert len(judged(id).mutants[Fate.KILLED]) == killed
    assert set(judged(id).mutants) == {Fate.KILLED, Fate.TRUE}


def test_two_runs_on_the_line_part_as_the_family_says():
    """Exact fractions at the instance that refutes: at least (beta - 2) 2 L eta/n, on the line for certain signs."""
    n, eta = 2000, Fraction(150)
    distance, loss = two_runs(Fraction(0), n, 3, Fraction(21, 20), eta, Fraction(1))
    unit, beta = 2 * 2 * eta / n, eta * (n - 1) / n
    assert distance >= (beta - 2) * unit > 3 * unit
    assert loss > 4 * eta * 4 / n + Fraction(1, 2)
    short = two_runs(Fraction(0), n, 3, Fraction(21, 20), Fraction(1, 50), Fraction(1))[0]
    assert short <= 2 * 2 * Fraction(1, 50) * 2 / n


@settings(max_examples=20)
@given(st.integers(2, 40), st.floats(0.05, 6), st.floats(0.01, 1))
def test_amended_step_never_grows_the_distance(d, epsilon, share):
    """At the amended longest step the quadrature's mean distance stays below, in every dimension."""
    m = mp(30)
    a = share * 2 * half_sphere_factor(m, epsilon=m.real(epsilon), d=m.real(d))
    mean = mean_over_angle(d, str(epsilon), lambda t: m.sqrt(1 + a**2 - 2 * a * t))
    assert mean <= 1 + m.real("1e-12")


def test_negative_controls():
    assert grows("0.4", 1000, 3, "3") is None
    claim = find("spo/thm-4-stability-amended")
    assert fold(decided(scaled(claim, "step_drift", 99, 100), JUDGES[claim.id])) is Verdict.REFUTED
    without = replace(claim, preconditions=claim.preconditions[1:])
    assert fold(decided(without, JUDGES[claim.id])) is Verdict.REFUTED
    assert FAR > 10**9


@pytest.mark.parametrize(
    ("name", "words"), [("iterate_drift", "t-th"), ("step_drift", "one step"), ("loss_stability", "plain")]
)
def test_a_bound_made_wide_is_not_refuted(name, words):
    """A million times the printed bound is above all that the runs of the lemmas reach."""
    claim = find("spo/thm-4-stability")
    for factor, verdict in ((1, Verdict.REFUTED), (1_000_000, Verdict.OPEN)):
        moved = scaled(claim, name, factor, 1)
        assert [f.verdict for f in decided(moved, JUDGES[claim.id]) if words in f.scope] == [verdict]


def test_the_same_random_numbers_refute_admitted_steps_only():
    claim = find("spo/lem-6")
    short = Predicate("eta <= 1/100", lambda m, eta: m.le(eta, m.frac(1, 100)), accepts={"eta": "0.01"}, rejects={"eta": "1"})
    moved = replace(claim, preconditions=(*claim.preconditions, short))
    (found,) = [f for f in decided(moved, JUDGES[claim.id]) if f.reading is Reading.ANOTHER]
    assert found.verdict is Verdict.OPEN
