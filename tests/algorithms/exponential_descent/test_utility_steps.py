"""Steps to Theorem 4: the chain, the balance, the projection and Lemma 8, each by another route."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.fast.algorithms.exponential_descent import algorithm as fast
from dpsco.judges.algorithms.exponential_descent.utility_steps import JUDGES, plain_loss
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Relation
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Severity, Verdict, fold

BROKEN = ("spo/thm-4-c", "spo/app-c-projection")


@cache
def judged(id):
    return judge(id)


@pytest.mark.parametrize("id", BROKEN)
def test_broken_with_an_amendment(id):
    found = judged(id)
    assert (found.verdict, found.proof) == (Verdict.STATED, Proof.BROKEN)
    assert found.amendments == [f"{id}-amended"]


def test_a_remark_before_the_theorem_is_a_statement():
    found = judged("spo/sec-4-amgm")
    assert (found.verdict, found.severity, found.proof) == (Verdict.REFUTED, Severity.MISPRINT, Proof.NOT_PRINTED)
    assert [(f.verdict, f.reading) for f in found.findings] == [
        (Verdict.REFUTED, Reading.PRINTED),
        (Verdict.CERTIFIED, Reading.MEANT),
    ]


@pytest.mark.parametrize(
    ("id", "killed"),
    [("spo/thm-4-c-amended", 6), ("spo/sec-4-amgm-amended", 5), ("spo/app-c-projection-amended", 4), ("spo/lem-8", 4)],
)
def test_certified_and_mutants_die(id, killed):
    assert judged(id).verdict is Verdict.CERTIFIED
    assert len(judged(id).mutants[Fate.KILLED]) == killed
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(judged(id).mutants)


def test_three_steps_of_the_chain_fall():
    found = {f.scope: f for f in judged("spo/thm-4-c").findings}
    assert all(f.verdict is Verdict.REFUTED for f in found.values())
    step_c, line_e, last = found.values()
    assert float(step_c.computed[0]) == 4 * float(step_c.claimed)
    # T = 1: the average is 0, one record (2, 1) on [-1, 1] has the loss 4 there
    assert float(line_e.computed[0]) == 4 > float(line_e.claimed)
    h = mpmath.tanh(mpmath.mpf("0.5"))
    assert abs(mpmath.mpf(last.computed[0]) - (1 / (2 * h) + mpmath.mpf("0.5"))) < 1e-12
    assert abs(mpmath.mpf(last.claimed) - h * mpmath.mpf("0.75")) < 1e-12


def test_projection_raises_the_loss_in_the_kernel():
    """The expectation over the direction, at the judge's instance, by 20000 runs of one step."""
    (found,) = [f for f in judged("spo/app-c-projection").findings if "expectation" in f.scope]
    random = np.random.Generator(np.random.Philox(8))
    before, after = [], []
    for _ in range(4000):
        z, u = random.standard_normal((1, 2)), random.random(1)
        B = np.asarray(fast.descend("box", [[1.0]], [[0.0, 1.0]], z, u, 10.0, 5.0, 1.0, 1.0, 0.0)).reshape(2, 2)
        hats = [fast.predict(B, [0.0, 1.0], bound)[0] for bound in (1e9, 0.5)]
        before.append(max(0.0, 2 - 4 * hats[0]))
        after.append(max(0.0, 2 - 4 * hats[1]))
    spread = 5 * np.std(after) / len(after) ** 0.5
    assert abs(np.mean(after) - float(found.computed[0])) < spread
    assert np.mean(before) < float(found.claimed) < np.mean(after) - spread


@given(st.floats(-5, 5), st.floats(0.01, 3), st.floats(-5, 5))
def test_projection_on_a_line_never_raises_it(average, bound, share):
    """SPO+ on the line with its least minimiser within the bound."""
    m = mp(30)
    cost = m.real(2 * bound * min(1.0, abs(share) / 5 + 1e-9))
    shorter = max(-bound, min(bound, average))
    assert plain_loss(m, [cost], [m.real(shorter)]) <= plain_loss(m, [cost], [m.real(average)]) + m.real("1e-20")


@given(st.lists(st.tuples(*[st.fractions(-9, 9, max_denominator=9)] * 2), max_size=6), st.fractions(Fraction(1, 9), 9))
def test_gap_of_lemma_8_in_the_plane(steps, eta):
    """Exact vectors: the gap is |w_{T+1} - w*|^2/(2 eta)."""
    star = (Fraction(3), Fraction(-2))
    w, total = [Fraction(0)] * 2, Fraction(0)
    for v in steps:
        total += sum(((a - b) * c for a, b, c in zip(w, star, v, strict=True)), Fraction(0))
        w = [a - eta * c for a, c in zip(w, v, strict=True)]
    right = Fraction(13) / (2 * eta) + eta / 2 * sum((c * c for v in steps for c in v), Fraction(0))
    assert right - total == sum(((a - b) ** 2 for a, b in zip(w, star, strict=True)), Fraction(0)) / (2 * eta) >= 0
    claim, m = find("spo/lem-8"), mp(40)
    for axis in (0, 1):
        row = [m.real(v[axis]) for v in steps]
        given_values = (m.real(eta), m.real(star[axis]), row)
        assert claim.formulas["linearised"](m, *given_values) <= claim.formulas["telescoped"](m, *given_values) + m.real(
            "1e-30"
        )


def test_negative_controls():
    claim = find("spo/lem-8")
    late = with_formula(
        claim, "telescoped", lambda m, eta, target, steps: target**2 / (2 * eta) + eta / 2 * m.dot(steps[1:], steps[1:])
    )
    assert fold(decided(late, JUDGES["spo/lem-8"])) is Verdict.REFUTED
    strict = replace(claim, asserts=(Relation("linearised", "<", "telescoped"),))
    assert fold(decided(strict, JUDGES["spo/lem-8"])) is Verdict.OPEN
    plane = find("spo/app-c-projection-amended")
    other = replace(plane, over=plane.over[1:])
    assert fold(decided(other, JUDGES[plane.id])) is not Verdict.CERTIFIED
