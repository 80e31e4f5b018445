"""Gradient perturbation's risk: the judges, bounds against runs and simulations, the sample size that the bound asks for."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.arguments.algorithms.descent import averaged_descent as known
from dpsco.fast.algorithms.gradient_perturbation.algorithm import simulate
from dpsco.instances.descents import admitted
from dpsco.judges.algorithms.gradient_perturbation.utility import JUDGES
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.gradient_perturbation.utility import excess, moments
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Relation
from dpsco.spec.register import find
from dpsco.verdict import Reading, Verdict, fold

ID = "newsvendor/thm-4-amended"


@cache
def judged(id):
    return judge(id)


def test_theorem_is_certified_and_mutants_die():
    found = judged(ID)
    assert found.verdict is Verdict.CERTIFIED
    assert set(found.mutants) == {Fate.KILLED, Fate.TRUE}
    assert len(found.mutants[Fate.KILLED]) == 10


def test_the_output_that_is_projected_is_open_and_at_the_end_refuted():
    found = judged("newsvendor/thm-4")
    assert (found.verdict, found.mutants) == (Verdict.OPEN, {})
    each_step, printed, at_end = found.findings[-3:]
    assert (each_step.verdict, each_step.reading) == (Verdict.CERTIFIED, Reading.MEANT)
    assert "projected in every step" in each_step.scope
    assert (printed.verdict, printed.reading, printed.release) == (Verdict.OPEN, Reading.PRINTED, "the projected average")
    assert (at_end.verdict, at_end.reading) == (Verdict.REFUTED, Reading.ANOTHER)
    assert {f.verdict for f in found.findings[:-3]} == {Verdict.CERTIFIED}
    assert all("projected" not in f.scope for f in judged(ID).findings)


def projected_in_every_step(n: int, d: int, shorter: float) -> tuple[float, float]:
    """Mean excess over 40 runs on n equal records, delta = 1e-6, r = 1/2, uniform kernel, B = B_x = 1; and the bound."""
    private, T, share = np.log(1e6), n * n, 2
    slope = 0.25 * (1 + T) / n + 0.125 + d * share * private / 2 + 0.25 / share
    eta, sigma = shorter * float(np.sqrt(1 / (2 * T) / slope)), float(np.sqrt(share * private))
    h, generator = eta * 0.5, np.random.Generator(np.random.Philox(key=7))
    w, total = np.zeros((40, d)), np.zeros((40, d))
    for _ in range(T):
        total += w
        step = sigma * generator.standard_normal(w.shape)
        step[:, 0] += np.clip((1 - (1 - w[:, 0]) / h) / 2, 0, 1) - 0.5
        w = w - eta * step
        w /= np.maximum(1, np.linalg.norm(w, axis=1))[:, None]
    average = total / T
    assert np.linalg.norm(average, axis=1).max() <= 1
    return float(np.mean(1 - average[:, 0]) / 2), 0.5 * float(np.sqrt(8 / n + share * 4 * d * private / n**2))


def test_projection_in_every_step_stays_below_the_bound():
    risk, bound = projected_in_every_step(100, 2, 1.0)
    assert 0 < risk < bound < 0.2
    # negative control: with steps a hundredth as long the bound does not hold
    risk, bound = projected_in_every_step(100, 2, 0.01)
    assert risk > bound


@pytest.mark.parametrize("id", ["newsvendor/thm-4", "newsvendor/thm-6"])
def test_projection_at_the_end_by_simulation(id):
    """The whole path of the first coordinate, the law of the others' length: the risk against the bound and the enclosure."""
    (found,) = [f for f in judged(id).findings if "at the end" in f.scope]
    v = {name: float(value) for name, value in found.at.items()}
    n, d, T, private = int(v["n"]), v["d"], int(v["n"]) ** 2, np.log(1 / v["delta"])
    share = 2 if id.endswith("4") else 4  # sigma^2 = 8 or 16 L^2 ln(1/delta), L = 1/2
    slope = 0.25 * (1 + T) / n + 0.125 + d * share * private / 2 + 0.25 / share
    eta, sigma = float(np.sqrt(1 / (2 * T) / slope)), float(np.sqrt(share * private))
    generator = np.random.Generator(np.random.Philox(key=5))
    h = eta * 0.5 * 2 / share
    first = simulate("uniform", np.ones((1, 1)), np.ones(1), T - 1, eta, h, 0.5, sigma, generator)[0][0]
    across = eta**2 * private * share * T / 3 * generator.chisquare(d - 1, 4000)
    projected = first * np.minimum(1, 1 / np.sqrt(first**2 + across))
    risk = np.mean(1 - projected) / 2
    assert float(found.claimed) == pytest.approx(0.5 * np.sqrt(8 / n + share * 4 * d * private / n**2), rel=1e-6)
    assert risk > float(found.computed[0]) > 1.3 * float(found.claimed)
    # negative control: without projection the same path is below the bound
    assert abs(1 - first) / 2 < float(found.claimed)


@pytest.mark.parametrize("left", ["n", "features", "ball", "steps"])
def test_every_condition_is_needed(left):
    number = ["n", "steps", "features", "ball"].index(left)
    claim = find(ID)
    bare = replace(claim, preconditions=(*claim.preconditions[:number], *claim.preconditions[number + 1 :]))
    assert fold(decided(bare, JUDGES[ID])) in (Verdict.OPEN, Verdict.REFUTED)


def test_judge_reads_assertions_and_formulas():
    claim = find(ID)
    other = replace(claim, asserts=(Relation("risk", "<", "bound"),))
    assert fold(decided(other, JUDGES[ID])) is Verdict.OPEN
    wide = with_formula(claim, "bandwidth", lambda m, eta, B_x, K_bar: eta * K_bar * B_x**2 / 4)
    assert fold(decided(wide, JUDGES[ID])) is not Verdict.CERTIFIED  # eta beta = 4
    assert fold(decided(scaled(claim, "bound_first", 999, 1000), JUDGES[ID])) is Verdict.REFUTED


@given(eta=st.floats(1e-3, 0.3), share=st.floats(0.05, 3), T=st.integers(1, 60), base=st.sampled_from([1.0, 50.0]))
def test_a_run_on_equal_records_lies_between_what_is_reached_and_what_is_proved(eta, share, T, base):
    m, x, level = mp(40), 4.0, 0.75
    L, c = level * x, share * level * x * T * eta
    kappa_1, K_bar = (float(moments(base)[name]) for name in ("kappa_1", "K_bar"))
    h = eta * K_bar * x * x
    true = excess(c * x, x, level, eta, T, h, base)
    numbers = [m.real(value) for value in (c, L, eta, T)]
    least = known.straight(m, *numbers)
    most = known.excess(m, *numbers, m.real(1), m.real(0), m.real(10**9), m.real(h), m.real(kappa_1))
    assert float(least) - 1e-9 <= true <= float(most) + 1e-9


def test_two_outcomes_reach_the_slow_start_bound():
    """Simulation of the lemma's family at its own a: the mean excess exceeds B^2/(2 eta (T - 1)) and stays below the sum."""
    n, T, runs, eta, sigma, level, x, B = 4, 41, 3000, 0.05, 0.5, 0.75, 1.0, 0.6
    a = B / (eta * (T - 1))  # 0.3, below L = 0.75
    chance = (a + 1 - level) / 1.0  # level p - (1 - level)(1 - p) = p - (1 - level)
    h, generator = eta * 0.5 * x * x, np.random.Generator(np.random.Philox(key=4))
    risks = np.empty(runs)
    for k in range(runs):
        y = np.where(generator.random(n) < chance, B * x, -1e6)
        theta = simulate("uniform", np.full((n, 1), x), y, T - 1, eta, h, level, sigma, generator)[0][0]
        near = level * (B - theta) if theta < B else (1 - level) * (theta - B)
        risks[k] = chance * near + (1 - chance) * (1 - level) * (theta - B)  # population excess over theta* = B
    mean, error = risks.mean(), risks.std(ddof=1) / runs**0.5
    assert mean > B**2 / (2 * eta * (T - 1)) - 4 * error
    numbers = [mp().real(v) for v in (B, level * x, eta, T, 1, sigma, n, h, "0.5")]
    assert mean < float(known.excess(mp(), *numbers)) + 4 * error
    # negative control: the simulation is sharp enough to contradict a bound of a fifth of the proved one
    assert mean - 6 * error > float(known.excess(mp(), *numbers)) / 5


@given(st.integers(2, 10**6), st.floats(0.5, 0.999), st.floats(0.25, 1.75))
@settings(max_examples=30)
def test_condition_holds_from_two_on_for_moderate_kernels(n, r_bar, product):
    least = find("newsvendor/sec-EC.2.1-n-amended").formulas["least_sample"]
    assert least(mp(), r_bar=mp().real(r_bar), kappa_1=mp().real(product), K_bar=mp().real(1)) <= n


def test_sample_size_is_open_for_some_kernel_and_repaired():
    found, amended = judged("newsvendor/sec-EC.2.1-n"), judged("newsvendor/sec-EC.2.1-n-amended")
    assert found.verdict is Verdict.OPEN
    assert amended.verdict is Verdict.CERTIFIED
    assert set(amended.mutants) == {Fate.KILLED, Fate.TRUE}
    assert len(amended.mutants[Fate.KILLED]) == 4
    assert [f.verdict for f in found.findings if f.reading is Reading.PRINTED] == [Verdict.OPEN]
    assert [f.verdict for f in found.findings if f.reading is Reading.ANOTHER] == [Verdict.REFUTED] * 2
    assert [f.verdict for f in found.findings if f.reading is Reading.MEANT] == [Verdict.CERTIFIED]


def test_the_refuting_kernel_by_quadrature_and_in_fractions():
    bound, condition = [f for f in judged("newsvendor/sec-EC.2.1-n").findings if f.verdict is Verdict.REFUTED]
    b = int(condition.at["b"])
    mass = 2 * (mpmath.quad(lambda v: 0.25 + 0.25 / b, [0, 1]) + mpmath.quad(lambda v: 0.25 / b, [1, b]))
    kappa_1 = 2 * (mpmath.quad(lambda v: v * (0.25 + 0.25 / b), [0, 1]) + mpmath.quad(lambda v: v * 0.25 / b, [1, b]))
    assert mass == pytest.approx(1, rel=1e-12)
    assert kappa_1 == pytest.approx(float(condition.at["kappa_1"]), rel=1e-12)
    exact = (1 + Fraction("25.25") * Fraction("0.2525") / Fraction("0.81")) / 4
    assert exact > 2
    assert float(condition.computed[0]) <= float(exact) <= float(condition.computed[1])
    # the bound itself: a run of 10^4 steps without noise, at the instance's own step length
    v = {name: float(value) for name, value in bound.at.items()}
    slope = 0.25 * (1 + 10**4) / 100 + 0.125 + 0.5 * 8 * 0.25 * np.log(100) + v["kappa_1"] * v["K_bar"] / 2
    eta = float(np.sqrt(1 / (2 * 10**4) / slope))
    true = excess(1.0, 1.0, 0.5, eta, 10**4, eta * v["K_bar"], 1e6)
    assert true > float(bound.claimed)
    assert true >= float(bound.computed[0]) * (1 - 1e-9)


def test_instances_meet_their_conditions():
    for kind in ("free", "targets"):
        found = admitted(find(ID), kind)
        assert len(found) > 100
        assert all(one.get("largest_feature_norm", one["B_x"]) == one["B_x"] for one in found)
