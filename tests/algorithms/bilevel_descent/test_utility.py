"""Utility of bilevel descent: one step on random laws, real runs against the bounds, hard paths against simulation."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.arguments.algorithms.bilevel_descent.averaged_gradients import beyond, shares
from dpsco.arguments.algorithms.bilevel_descent.biased_steps import never_exceeded
from dpsco.arguments.algorithms.bilevel_descent.hard_paths import after_one_step, at_rest, on_a_slope, slope
from dpsco.judging import judge
from dpsco.mutant import Fate, scaled
from dpsco.mutants.algorithms.bilevel_descent import utility as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.register import find
from dpsco.verdict import Part, Proof, Reading, Severity, Verdict

LEMMA, AMENDED, BOUND, THEOREM = "bilevel/lem-C.4", "bilevel/lem-C.4-amended", "bilevel/thm-C.3-bound", "bilevel/thm-4.2"


def test_lemma_is_refuted_and_rational_laws_agree():
    found = judge(LEMMA)
    assert (found.verdict, found.severity) == (Verdict.REFUTED, Severity.DOMAIN)
    assert len(found.findings) == 2
    assert mutants.step_exceeds(find(LEMMA))
    assert not mutants.step_exceeds(find(AMENDED))


def test_amended_lemma_is_certified_with_its_mutants_killed():
    found = judge(AMENDED)
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == 8
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(found.mutants)
    assert never_exceeded(find(AMENDED))
    assert not never_exceeded(scaled(find(AMENDED), "bound", 99, 100))


@given(
    x=st.floats(-3, 3),
    share=st.floats(0.01, 1),
    beta=st.floats(0.1, 10),
    law=st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=1, max_size=4),
)
def test_amended_bound_on_a_cosine(x: float, share: float, beta: float, law: list[tuple[float, float]]):
    """H = beta (1 - cos x), which bends both ways; each bias comes with both signs of its noise."""
    eta = share / (2 * beta)
    pairs = [(b, sign * noise) for b, noise in law for sign in (1, -1)]
    after = [x - eta * (beta * math.sin(x) + b + noise) for b, noise in pairs]
    change = sum(beta * (1 - math.cos(v)) for v in after) / len(after) - beta * (1 - math.cos(x))
    B2, S2 = (sum(p[i] ** 2 for p in pairs) / len(pairs) for i in (0, 1))
    given = {"gradient_norm": abs(beta * math.sin(x)), "bias": math.sqrt(B2), "noise_level": math.sqrt(S2)}
    bound = find(AMENDED).formulas["bound"](arb(), eta=eta, beta=beta, **given)
    assert change <= bound + 1e-9


def test_bound_is_certified_and_its_printed_sum_is_not():
    found = judge(BOUND)
    assert (found.verdict, found.proof) == (Verdict.STATED, Proof.BROKEN)
    assert {f.verdict for f in found.findings if f.asserts} >= {Verdict.CERTIFIED}
    assert len(found.mutants[Fate.KILLED]) >= 3
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(found.mutants)
    step = [f for f in found.findings if f.verdict is Verdict.REFUTED]
    assert [f.about for f in step] == [Part.PROOF]
    assert Fraction(1, 2) * Fraction(1, 2) ** 2 == Fraction(1, 8)  # E Phi(x_1) = E (u/2)^2/2 for Phi = x^2/2, sigma = 1


def run(rng: np.random.Generator, T: int, sigma: float, bias: float, x_0: float, runs: int) -> np.ndarray:
    """|grad Phi|^2 at x_0, ..., x_T for Phi = 1 - cos x (beta = 1, inf 0), eta = 1/2, biases of alternating sign."""
    x, out = np.full(runs, x_0), []
    for t in range(T + 1):
        out.append(np.sin(x) ** 2)
        x = x - 0.5 * (np.sin(x) + bias * (-1) ** t + sigma * rng.standard_normal(runs))
    return np.array(out)


RUNS = [(1, 0.5, 0.3, 0.0), (2, 0.1, 0.5, 3.0), (30, 0.3, 0.0, 2.9), (5, 1.0, 1.0, 1.0)]


@pytest.mark.parametrize(("T", "sigma", "bias", "x_0"), RUNS)
def test_averaged_bound_on_simulated_runs(T: int, sigma: float, bias: float, x_0: float):
    squares = run(np.random.default_rng(7), T, sigma, bias, x_0, 20000)
    bound = find(THEOREM).formulas["averaged_bound"](
        arb(), eta=0.5, beta_Phi=1, gap=1 - math.cos(x_0), T=T, bias=bias, noise_level=sigma
    )
    for out in (squares[:-1], squares[1:]):
        per_run = out.mean(axis=0)
        assert per_run.mean() - 4 * per_run.std() / math.sqrt(per_run.size) <= bound


def test_a_bound_without_its_gap_would_be_noticed():
    """Negative control of the simulation: from x_0 = 2.9 the first gradients exceed B^2 + eta beta Sigma^2."""
    squares = run(np.random.default_rng(7), 3, 0.1, 0.0, 2.0, 20000)
    assert squares[:-1].mean() > 0.5 * 0.1**2


def test_theorem_is_refuted_and_a_quadrature_agrees():
    found = judge(THEOREM)
    assert (found.verdict, found.severity) == (Verdict.REFUTED, Severity.DOMAIN)
    printed = [f for f in found.findings if f.verdict is Verdict.REFUTED]
    rate = next(f for f in printed if "rate" in f.scope)
    assert {f.verdict for f in found.findings if f.reading is Reading.MEANT} == {Verdict.CERTIFIED}
    with mpmath.workdps(30):
        gap = mpmath.mpf(rate.at["gap"])
        sigma = 32 * 4 * mpmath.sqrt(mpmath.log(mpmath.mpf(10) ** 5)) / 1000
        start = mpmath.sqrt(2 * gap)

        def kept(v: mpmath.mpf) -> mpmath.mpf:
            return min(abs(start - sigma * v) / 2, 1) * mpmath.npdf(v)

        mean = mpmath.quad(kept, [-12, -2 / sigma, 0, 2 / sigma, 12] if 2 / sigma < 12 else [-12, 0, 12])
        assert rate.computed is not None
        assert mean > mpmath.mpf(rate.computed[0]) * (1 - mpmath.mpf(10) ** -15)
        assert rate.claimed is not None
        assert mean > mpmath.mpf(10) ** 15 * mpmath.mpf(rate.claimed)


def test_mean_bias_alone_is_refuted_by_an_exact_recursion():
    """eta = 1/4, beta = 2, no noise, b = 1 or -1: E g^2 is doubled at most by 1/4 + 1/4 each step, bound 0."""
    found = next(f for f in judge(THEOREM).findings if "only the mean" in f.scope)
    square, total = Fraction(0), Fraction(0)
    for _ in range(1000):
        square = (square + 1) / 4  # g' = (1 - eta beta) g - eta beta b = (g - b)/2
        total += square
    assert found.computed is not None
    assert float(found.computed[0]) == pytest.approx(float(total / 1000), rel=1e-12)
    assert Fraction(found.claimed) == 0


@given(T=st.integers(1, 40), sigma=st.floats(0.001, 0.2), start=st.booleans())
@settings(max_examples=25)
def test_noise_at_rest_is_a_lower_bound(T: int, sigma: float, start: bool):
    m = arb(128)
    kept = at_rest(m, T, m.real(sigma), m.real(1), start)
    variances = [sigma**2 * (1 - 0.25**t) / 3 for t in range(T + 1)]
    out = variances[:-1] if start else variances[1:]
    assert float(kept.square.mid()) <= sum(out) / T * (1 + 1e-9)
    assert float(kept.norm.mid()) <= sum(math.sqrt(2 * v / math.pi) for v in out) / T * (1 + 1e-9) + 1e-15
    if sigma < 0.1:
        assert float(kept.norm.mid()) >= 0.99 * sum(math.sqrt(2 * v / math.pi) for v in out) / T


def test_long_slope_against_simulation():
    T, sigma, gap = 200, 0.01, 0.5
    m = arb(128)
    kept = on_a_slope(m, T, m.real(sigma), m.real(1), m.real(gap), m.real(1))
    g = float(slope(m, T, m.real(sigma), m.real(1), m.real(gap)).mid())
    rng, x = np.random.default_rng(3), np.full(4000, g + T * g / 2 + 3 * sigma * math.sqrt(T))
    assert g * x[0] - g**2 / 2 == pytest.approx(gap, rel=1e-12)
    norms = []
    for _ in range(T):
        norms.append(np.minimum(np.abs(x), g))
        x = x - 0.5 * (np.clip(x, -g, g) + sigma * rng.standard_normal(x.size))
    assert float(kept.norm.mid()) <= np.mean(norms) * (1 + 1e-12)
    assert float(kept.norm.mid()) >= 0.999 * np.mean(norms)


def test_after_one_step_by_quadrature():
    m = arb(128)
    for sigma in ("0.1", "1", "7"):
        s = mpmath.mpf(sigma)
        exact = 2 * mpmath.quad(lambda v, s=s: min(s * v / 2, 1) * mpmath.npdf(v), [0, min(2 / s, 20), 20, 40])
        assert float(after_one_step(m, m.real(sigma), m.real(1)).mid()) == pytest.approx(float(exact), rel=1e-9)


def test_shares_of_the_rate():
    found = shares(find(THEOREM), "rate")
    assert found is not None
    assert (found.gap, found.bias, found.noise, found.first) == (4, 1, 1024, 2)
    assert shares(scaled(find(THEOREM), "T_chosen", 2, 1), "rate") is None
    assert beyond(find(THEOREM), "rate") is not None
