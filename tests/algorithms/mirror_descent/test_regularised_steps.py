"""Contraction and weighted average: closed forms against sums that are added up, the printed potential by running it."""

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.algorithms.mirror_descent import one_step, overshoot
from dpsco.arguments.algorithms.mirror_descent.geometric import BETA as SMOOTH
from dpsco.arguments.algorithms.mirror_descent.geometric import SMALL, A, C, S, T, U, V, Y, closed
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.mirror_descent.regularised_steps import added, at, moved_on, overshot, shaken, stays
from dpsco.reference.numbers.mp import mp
from dpsco.spec.register import find
from dpsco.verdict import Part, Proof, Verdict, fold

AVERAGE = find("lp/thm-7-average")


@pytest.mark.parametrize("id", ["lp/thm-7-contraction", "lp/thm-7-average"])
def test_certified_and_mutants_die(id: str):
    found = judge(id)
    assert (found.verdict, found.proof) == (Verdict.STATED, Proof.HOLDS)
    assert set(found.mutants) <= {Fate.KILLED, Fate.TRUE}
    assert len(found.mutants[Fate.KILLED]) >= 7
    assert any("printed Phi" in (f.reason or "") for f in found.findings)


@given(st.fractions(Fraction(1, 50), 1), st.integers(1, 60))
def test_display_16_by_adding_up(share: Fraction, steps: int):
    """sum (r a)^t / sum r^t, term by term, against the closed form, the bound and the factors."""
    alpha, m = str(share.numerator), mp(40)
    beta = str(share.denominator)
    quotient = added(alpha, beta, steps, shrink=True) / added(alpha, beta, steps, shrink=False)
    assert abs(quotient - at(AVERAGE, "decayed_closed", alpha=alpha, beta=beta, T=steps)) < m.real("1e-30")
    assert quotient <= at(AVERAGE, "decayed_bound", alpha=alpha, beta=beta, T=steps)
    assert at(AVERAGE, "middle_factor", alpha=alpha, beta=beta) <= at(AVERAGE, "middle_factor_bound", alpha=alpha, beta=beta)


@given(st.fractions(Fraction(1, 50), 2), st.integers(1, 60))
def test_contraction_by_numbers(share: Fraction, steps: int):
    claim = find("lp/thm-7-contraction")
    taken = {"alpha": str(share.numerator), "beta": str(share.denominator), "T": steps}
    assert at(claim, "left", **taken) <= at(claim, "right", **taken) * (1 + mp(40).real("1e-30"))


def test_closed_forms_are_those_of_the_sums():
    m = mp(40)
    values = {Y: Fraction(1, 7), T: 5}
    y = m.frac(1, 7)
    powers = {U: (1 + y) ** 5, V: m.real(2) ** (-5 * y / 2), A: m.real(2) ** (-y / 2)}
    found = closed(AVERAGE, "decayed_sum").subs({**{k: str(v) for k, v in powers.items()}, Y: values[Y]})
    assert abs(m.real(str(found.evalf(35))) - added("2", "7", 5, True) / added("2", "7", 5, False)) < m.real("1e-30")
    assert not closed(AVERAGE, "decayed_sum").free_symbols & {C, S, SMALL}


def test_a_sum_that_is_not_geometric_is_not_certified():
    other = with_formula(
        AVERAGE, "start_sum", lambda m, alpha, beta, T, divergence: m.sum(lambda t: t * alpha * divergence, 1, T) / beta
    )
    decide = judge_of(other.id)
    assert decide is not None
    assert fold(decided(other, decide), Part.PROOF) in (Verdict.OPEN, Verdict.REFUTED)


def run(K: int, steps: int) -> tuple[Fraction, Fraction]:
    """(f(w_hat) - f(w*_alpha), D) of the printed potential at p = 3/2, alpha = beta = L = 1, exact, without noise."""

    def loss(s: Fraction) -> Fraction:
        gap = abs(s - 1)
        return (gap - Fraction(1, 2) if gap > 1 else gap**2 / 2) + s**2 / K

    s, total, weights = Fraction(0), Fraction(0), Fraction(0)
    for t in range(1, steps + 1):
        s = (s - K * max(Fraction(-1), min(Fraction(1), s - 1)) / 2) / 2
        total, weights = total + Fraction(3, 2) ** t * s, weights + Fraction(3, 2) ** t
    best = 1 / (1 + Fraction(2, K))
    return loss(total / weights) - loss(best), best**2 / K


def without_convexity(id: str):
    claim, decide = find(id), judge_of(id)
    assert decide is not None
    bare = replace(claim, preconditions=tuple(p for p in claim.preconditions if "Phi" not in p.says))
    (found,) = [f for f in decided(bare, decide) if f.verdict is Verdict.REFUTED]
    assert found.about is Part.PROOF
    assert found.computed is not None
    return found


def test_printed_potential_overshoots_as_said():
    refuted = without_convexity("lp/thm-7-average")
    assert str(refuted.asserts[0]) == "excess <=O excess_rate"
    m = mp(30)
    for K in (80, 1000, 10**4, 10**6):
        excess, divergence = run(K, 2)
        values = {"d": m.real(K) ** 3, "L": m.real(1), "beta": m.real(1), "alpha": m.real(1)}
        assert abs(overshoot.after_two_steps(m, values) - m.real(excess)) < m.real("1e-15") * m.real(excess)
        assert abs(overshoot.start(m, values) - m.real(divergence)) < m.real("1e-20")
        stepped = m.real(overshot(1, K)[0])
        assert abs(overshoot.after_first_step(m, values) - stepped) < m.real("1e-15") * stepped
    excess, divergence = run(1, 2)  # control: at K = 1 the modulus is right and the proved bound alpha D/(2 (r^T - 1)) holds
    assert excess <= Fraction(2, 5) * divergence
    assert refuted.computed is not None
    assert 254.74 < float(refuted.computed[0]) <= float(run(10**4, 2)[0]) * (1 + 1e-12)


def test_a_step_with_the_printed_potential():
    refuted = without_convexity("lp/thm-7-contraction")
    assert float(refuted.computed[0]) == pytest.approx(float(overshot(1)[0]))
    assert float(refuted.claimed) == pytest.approx(2 / 3 * float(overshot(0)[0]))


@given(st.floats(0.01, 2), st.floats(-3, 3), st.floats(-3, 3), st.floats(-5, 5))
def test_one_step_by_numbers(alpha: float, w: float, g: float, slope: float):
    """A linear loss on the line, Phi = w^2/2, beta = 1: w*_alpha = -slope/alpha, the step by hand."""
    best = -slope / alpha
    moved = (w - slope - g) / (1 + alpha)
    bound = (w - best) ** 2 / 2 / (1 + alpha / 2) + g**2 / (alpha * (1 + alpha / 2))
    assert (moved - best) ** 2 / 2 <= bound * (1 + 1e-9) + 1e-12


def test_one_step_is_reached_on_the_line():
    claim = find("lp/thm-7-contraction")
    assert not stays(claim)
    assert not shaken(claim)
    assert not shaken(claim, "one_step_noise_rate")
    factor, noise = one_step.stated(claim)
    assert sympy.simplify(factor - one_step.FACTOR) == sympy.simplify(noise - one_step.NOISE) == 0
    worst = max(
        (moved_on(w, Fraction(1), Fraction(1, 5), Fraction(1)) ** 2 - w**2 * Fraction(10, 11)) / 2
        for w in (Fraction(-k, 40) for k in range(400))
    )
    reached = one_step.added(one_step.FACTOR).subs({Y: sympy.Rational(1, 10), SMOOTH: 1})
    assert 0.999 * float(reached) <= float(worst) <= float(reached)


def test_judge_reads_what_it_certifies():
    decide = judge_of(AVERAGE.id)
    assert decide is not None
    assert fold(decided(replace(AVERAGE, preconditions=()), decide), Part.PROOF) is Verdict.REFUTED
    assert fold(decided(replace(AVERAGE, preconditions=AVERAGE.preconditions[1:]), decide), Part.PROOF) is not Verdict.CERTIFIED
    assert fold(decided(scaled(AVERAGE, "start_bound", 4, 5), decide), Part.PROOF) is not Verdict.REFUTED
    assert fold(decided(scaled(AVERAGE, "start_bound", 79, 100), decide), Part.PROOF) is Verdict.REFUTED
