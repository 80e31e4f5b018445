"""The predict-then-optimize experiments: kernels against the literal algorithm, the calibration by other routes, the table."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import comb, exp, log, sqrt
from pathlib import Path

import mpmath
import numpy as np
import pytest

from dpsco.arguments.algorithms import simulated_trends
from dpsco.arguments.algorithms.printed_trends import apart, interval, printed_trend, sampled_trend
from dpsco.fast.algorithms.exponential_descent import experiments as fast
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate
from dpsco.reference.algorithms.exponential_descent import algorithm as literal
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.exponential_descent import experiments as spec
from dpsco.spec.claim import Relation
from dpsco.spec.privacy.randomised_response import favoured
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict, fold

FIGURE, TABLE, TREND = "spo/fig-3", "spo/table-1", "spo/sec-7-trend"


@cache
def judged(id):
    return judge(id)


def records(n, seed=3):
    return 2 * np.random.default_rng(seed).random((2, n, 3)) - 1


def walk(C, X, steps, move):
    """The literal algorithm: the ball's maximiser is the sphere's as long as |c - 2 B x| >= mu."""
    m, B, found = mp(30), [mp(30).real(0)] * 9, []
    for _ in range(steps + 1):
        found.append(B)
        g = literal.gradient(m, "ball", C.tolist(), X.tolist(), m.real("1e-25"), m.real(1), B)
        B = move(m, g, B)
    return np.array([[float(b) for b in row] for row in found]).mean(axis=0).reshape(3, 3)


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 30.0])
def test_exponential_descent_is_the_literal_one(epsilon):
    (C, X), steps, noise = records(4), 25, np.random.default_rng(11)

    def move(m, g, B):
        z, u = [noise.standard_normal() for _ in range(9)], noise.random()
        v = literal.turned(m, z, g, bool(u < favoured(m, epsilon=m.real(epsilon))))
        return [b - m.real("0.1") * m.norm(g) * a for b, a in zip(B, v, strict=True)]

    found = fast.exponential_descent(C, X, steps, epsilon, 0.1, np.random.default_rng(11))
    assert found == pytest.approx(walk(C, X, steps, move), rel=1e-11, abs=1e-13)


@pytest.mark.parametrize("sigma", [0.0, 2.0])
def test_gaussian_descent_is_the_literal_one(sigma):
    (C, X), steps, noise = records(5), 25, np.random.default_rng(12)

    def move(m, g, B):
        z = [sigma * noise.standard_normal() for _ in range(9)]
        return [b - m.real("0.05") * (a + m.real(s)) for b, a, s in zip(B, g, z, strict=True)]

    found = fast.gaussian_descent(C, X, steps, sigma, 0.05, np.random.default_rng(12))
    assert found == pytest.approx(walk(C, X, steps, move), rel=1e-11, abs=1e-13)


def test_kernels_at_the_edges():
    """A record with c = 0 or x = 0, no step, many blocks of the average."""
    zero = np.zeros((1, 3))
    none = np.random.default_rng(0)
    assert not fast.exponential_descent(zero, zero, 10, 1.0, 0.1, none).any()
    assert not fast.gaussian_descent(np.eye(3), np.eye(3), 0, 1.0, 0.1, none).any()
    still = fast.gaussian_descent(np.eye(3), np.zeros((3, 3)), 5000, 1.0, 0.01, np.random.default_rng(5))
    path = np.cumsum(np.random.default_rng(5).standard_normal((5000, 9)), axis=0) * -0.01
    assert still.ravel() == pytest.approx(path.sum(axis=0) / 5001, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize(
    ("run", "given", "said"),
    [
        (fast.exponential_descent, (np.eye(3), np.eye(3), 3, -1.0, 0.1), "epsilon=-1.0"),
        (fast.gaussian_descent, (np.eye(3), np.eye(3), 3, float("nan"), 0.1), "sigma=nan"),
        (fast.gaussian_descent, (np.eye(2), np.eye(2), 3, 1.0, 0.1), "shape"),
        (fast.gaussian_descent, (np.eye(3), np.eye(3), -1, 1.0, 0.1), "steps=-1"),
        (fast.exponential_descent, (np.eye(3), np.eye(3), 3, 1.0, 0.0), r"eta=0\.0"),
    ],
)
def test_what_is_refused(run, given, said):
    with pytest.raises(ValueError, match=said):
        run(*given, np.random.default_rng(0))


def test_verdicts():
    assert [judged(id).verdict for id in (FIGURE, TABLE, TREND)] == [Verdict.REFUTED, Verdict.STATED, Verdict.REFUTED]
    assert judged(FIGURE).severity is judged(TREND).severity is Severity.CONCLUSION


def test_only_the_sentence_on_probability_refutes_the_trends():
    """The headline is P(loss <= 10) = 0.5148 against 0.6; that delta leaves exponential descent alone stands beside it."""
    against = [f for f in judged(TREND).findings if f.verdict is Verdict.REFUTED]
    printed = [f for f in against if f.reading is Reading.PRINTED]
    assert {relation.left for f in printed for relation in f.asserts} == {"P[the run is epsilon-DP]"}
    assert judged(TREND).findings[0] is printed[0]
    assert (printed[0].claimed, float(printed[0].computed[0])) == ("0.6", pytest.approx(0.514772303))
    assert any("exponential descent" in f.scope for f in against if f.reading is Reading.ANOTHER)


@pytest.mark.parametrize(("id", "killed"), [(f"{FIGURE}-amended", 6), (f"{TREND}-amended", 9)])
def test_amendments_stand_and_their_mutants_die(id, killed):
    assert judged(id).verdict is Verdict.CERTIFIED
    assert {*judged(id).mutants} <= {Fate.KILLED, Fate.TRUE}
    assert len(judged(id).mutants[Fate.KILLED]) == killed


def test_gaussian_calibration_by_quadrature():
    """2 sqrt(T - 1)/n over sqrt(8 ln(5/2))/10, T = 250000; over sqrt(2) where c = x; the decision by the iterates' weights."""
    found = [f for f in judged(FIGURE).findings if f.at.get("n") == "500"]
    assert [f.reading for f in found] == [Reading.PRINTED, Reading.ANOTHER, Reading.ANOTHER]
    assert "c = x" in found[0].scope
    T = 250_000
    weights = np.arange(1.0, T)
    counts = ((T - 1) / 2, T - 1, weights.sum() ** 2 / (weights**2).sum())
    for finding, count in zip(found, counts, strict=True):
        mu = sqrt(count) * 2 / 500 * 10 / sqrt(8 * log(2.5))
        start = 10 / mu + mu / 2
        true = mpmath.quad(lambda u, mu=mu: mpmath.npdf(u, mu) - exp(10) * mpmath.npdf(u), [start, start + 4, start + 12])
        assert float(true) == pytest.approx(float(finding.computed[0]), rel=1e-8)
        assert true > 0.69


def test_records_of_the_figure_are_as_far_apart_as_said():
    """Gradients of c = x = e_1 and e_2 at B = 0 by the literal algorithm: 4 sqrt(2) apart, of norm 4."""
    m = mp(30)
    grads = [
        np.array(
            [float(g) for g in literal.gradient(m, "ball", [x], [x], m.real("1e-25"), m.real(1), [m.real(0)] * 9)],
        )
        for x in np.eye(3)[:2].tolist()
    ]
    assert [np.linalg.norm(g) for g in grads] == pytest.approx([4, 4])
    assert np.linalg.norm(grads[0] - grads[1]) == pytest.approx(4 * sqrt(2))


def test_the_output_among_the_figures_data_sets_stays_open():
    (left,) = [f for f in judged(FIGURE).findings if f.verdict is Verdict.OPEN and "c = x" in f.scope]
    assert left.reading is Reading.PRINTED
    assert "c_hat" in left.release


def test_enough_noise_and_small_steps_by_quadrature_and_counting():
    """The amendment at n = 500, and its draws at n = 30: the least delta from the binomial law of the privacy loss."""
    m = mp(30)
    variance = float(spec.noise_variance_enough(m, n=m.real(500), L=m.real(1)))
    mu = sqrt(249_999) * 2 / 500 / sqrt(variance)
    start = 10 / mu + mu / 2
    assert mpmath.quad(lambda u: mpmath.npdf(u, mu) - exp(10) * mpmath.npdf(u), [start, start + 6, start + 15]) < 0.4
    one, k = float(spec.step_epsilon_shown(m, n=m.real(30))), 899
    f = 1 / (1 + exp(-one))
    law = [comb(k, j) * mpmath.mpf(f) ** (k - j) * mpmath.mpf(1 - f) ** j for j in range(k + 1)]
    assert sum(p * (1 - mpmath.exp(10 - (k - 2 * j) * one)) for j, p in enumerate(law) if (k - 2 * j) * one > 10) < 0.01


def test_decisions_of_no_features_and_of_one():
    """Exponential descent in R^3, n = 4: the model stays at 0 if all features are 0, and never if one is not."""
    X = np.zeros((4, 3))
    C = np.eye(3)[[0, 1, 2, 0]]
    assert not any(fast.exponential_descent(C, X, 15, 10.0, 0.01, np.random.default_rng(k)).any() for k in range(50))
    X[0] = (1, 0, 0)
    ends = [fast.exponential_descent(C, X, 15, 10.0, 0.01, np.random.default_rng(k)) for k in range(50)]
    units = {tuple(B[:, 0] / np.linalg.norm(B[:, 0])) for B in ends}
    assert len(units) == 50


def test_printed_table_and_its_trends():
    says = find(TABLE).says
    for table in (spec.EXPONENTIAL_BY_EPSILON, spec.GAUSSIAN_BY_EPSILON, spec.GAUSSIAN_BY_DELTA):
        assert all(mean in says and variance in says for mean, variance in table.values())
    assert interval("6.85e-5") == (Fraction("6.845e-5"), Fraction("6.855e-5"))
    assert 0 < apart(*(spec.EXPONENTIAL_BY_EPSILON[key] for key in ("5", "10")), repeats=5) < 0.5
    told = [f for f in judged(TREND).findings if f.scope.startswith("Table 1")]
    assert [(f.verdict, f.reading) for f in told] == [(Verdict.OPEN, Reading.PRINTED)] * 3
    assert "0.19 standard errors" in told[0].reason
    assert "1.2 standard errors" in told[2].reason
    far = sampled_trend("", {"1": ("0.1", "1e-6"), "2": ("0.2", "1e-6")}, "epsilon", 5)
    assert far.verdict is Verdict.INCONSISTENT  # a rise of 158 standard errors counts
    near = printed_trend("", {"1": ("0.10", "0"), "2": ("0.10", "0")}, "epsilon", True, None, "-")
    assert near.verdict is Verdict.OPEN
    up = printed_trend("", {"10": ("0.3", "0"), "9": ("0.1", "0")}, "epsilon", True, None, "-")
    assert (up.verdict, up.at) == (Verdict.REFUTED, {"epsilon": "10"})


def test_relations_are_read():
    claim = find(f"{FIGURE}-amended")
    decide = judge_of(claim.id)
    for right, verdict in (("(10, 0.01)-DP", Verdict.REFUTED), ("(20, 0.4)-DP", Verdict.CERTIFIED), ("private", Verdict.OPEN)):
        moved = replace(claim, asserts=(Relation("the private runs", "is", right),))
        assert fold(decided(moved, decide)) is verdict
    assert fold(decided(replace(claim, preconditions=()), decide)) is Verdict.OPEN
    assert fold(decided(replace(claim, releases="the model"), decide)) is Verdict.OPEN
    trend = find(f"{TREND}-amended")
    other = replace(trend, asserts=(Relation("mean_spo_loss of mirror descent in Table 1", "is", "decreasing in epsilon"),))
    assert fold(decided(other, judge_of(trend.id))) is Verdict.OPEN


def rows(means, spread=0.01):
    return [{"n": n, "mean": mean, "variance": spread**2, "repeats": 9} for n, mean in zip((10, 50, 90), means, strict=True)]


@pytest.mark.parametrize(
    ("means", "verdict"),
    [((0.5, 0.3, 0.1), Verdict.CONSISTENT), ((0.1, 0.3, 0.5), Verdict.INCONSISTENT), ((0.2, 0.201, 0.199), Verdict.OPEN)],
)
def test_runs_that_fall_rise_or_say_nothing(means, verdict):
    found = simulated_trends.simulated_trend("", rows(means), "n")
    assert (found.verdict, found.reading) == (verdict, Reading.MEANT)
    assert simulated_trends.simulated_trend("", [], "n").verdict is Verdict.OPEN


def test_committed_runs_say_what_is_reported():
    """Losses fall with n but for exponential descent with Theorem 3's epsilon_0; turned round, none passes."""
    found = simulated_trends.selected(simulated_trends.rows(), experiment="fig-3")
    assert json.loads(Path(simulated_trends.RUNS).read_text(encoding="utf-8"))
    for method in ("non-private", "exponential", "gaussian"):
        mine = simulated_trends.selected(found, method=method)
        assert simulated_trends.simulated_trend("", mine, "n").verdict is Verdict.CONSISTENT
        turned = [{**row, "n": -row["n"]} for row in mine]
        assert simulated_trends.simulated_trend("", turned, "n").verdict is Verdict.INCONSISTENT
    private = simulated_trends.selected(found, method="exponential, epsilon_0")
    assert min(row["mean"] for row in private) > 0.5
    (against,) = [f for f in judged(TABLE).findings if "epsilon_0" in f.scope]
    assert against.verdict is Verdict.INCONSISTENT
