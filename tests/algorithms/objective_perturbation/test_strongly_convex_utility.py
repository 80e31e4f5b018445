"""Risk for strongly convex losses: verdicts, the refuted steps by other routes, the proved ones against enumeration."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.arguments.algorithms.objective_perturbation.risk.small_sets import SMALL_SET, no_ridge
from dpsco.arguments.formula import apply
from dpsco.judges.algorithms.objective_perturbation.strongly_convex_utility import JUDGES, MANY
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.objective_perturbation.strongly_convex_utility import gap_of_tilts
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.objective_perturbation.strongly_convex_utility import curvature_covers_privacy
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Severity, Verdict, fold

ID, AMENDED = "lp/thm-4", "lp/thm-4-amended"


@cache
def judged(id):
    return judge(id)


def only(words, reading=Reading.PRINTED):
    (finding,) = [f for f in judged(ID).findings if words in f.scope and f.reading is reading]
    return finding


def test_steps_fail_on_small_sets_and_the_rate_survives():
    found = judged(ID)
    assert (found.verdict, found.proof) == (Verdict.CERTIFIED, Proof.BROKEN)
    assert found.amendments == [AMENDED]
    assert only("population risk").verdict is Verdict.CERTIFIED
    assert only("generalisation gap").verdict is Verdict.OPEN
    assert only("r beta/(epsilon n)", Reading.ANOTHER).severity is Severity.RATE
    small = [f for f in found.findings if f.scope.endswith("|C|_2 < 1")]
    wide = [f for f in found.findings if f.scope.endswith("|C|_2 >= 1")]
    assert {f.verdict for f in small} == {Verdict.REFUTED}
    assert {f.verdict for f in wide} == {Verdict.CERTIFIED}
    assert len(small) == len(wide) == 3


def test_amendment_is_certified_and_its_mutants_die():
    found = judged(AMENDED)
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == 6
    assert set(found.mutants) == {Fate.KILLED, Fate.TRUE}


def test_refuted_steps_in_fractions_and_by_quadrature():
    """The minimisers by ternary search, the mean over the noise by mpmath."""
    v = {key: Fraction(value) for key, value in SMALL_SET.items()}
    ridge = v["r"] * v["beta"] / (v["epsilon"] * v["n"]) - v["Delta"]
    c, mu = v["C_norm"], v["Delta"] / v["C_norm"] ** 2
    assert only("lambda = 0").computed[0] == str(ridge)
    assert v["Delta"] >= v["L"] * c / 10
    assert 1 / (10 * c) >= v["beta"] / (v["epsilon"] * v["n"])

    def minimiser(own):
        low, high = -c, c
        for _ in range(120):
            a, b = (2 * low + high) / 3, (low + 2 * high) / 3
            first, second = ((mu / 2 + own) * x**2 - mu * c / 2 * x for x in (a, b))
            low, high = (low, b) if first < second else (a, high)
        return low

    apart = (minimiser(Fraction(0)) - minimiser(ridge)) / c
    assert float(apart) == pytest.approx(float(Fraction(only("distance of theta_1").computed[0])), rel=1e-12)
    m = mp(30)
    sigma = m.sqrt(128 * m.log(1 / m.real(SMALL_SET["delta"]))) / 10
    size, curve, rest = m.real("0.1"), m.real(mu), m.real(mu + 2 * ridge)

    def excess(g):
        theta = max(-size, min(size, (curve * size / 2 - g / 100) / rest))
        return curve / 2 * (theta - size / 2) ** 2 * m.phi(g / sigma) / sigma

    true = m.mp.quad(excess, [k * sigma for k in (-20, -6, -1, 0, 1, 6, 20)])
    finding = only("excess empirical loss, |C|_2 < 1")
    assert true >= m.real(finding.computed[0])
    assert true == pytest.approx(m.real(finding.computed[0]), rel=1e-4)
    assert true > 10**6 * m.real(finding.claimed)


def test_ridge_sized_noise_loses_the_rate_along_the_path():
    """epsilon = ln(1/delta) = N, n = N^2, |C|_2 = L = Delta = 1 on the boundary: E min(max(0, -H), 2) over the rate."""
    m, found = mp(30), []
    claim = find(ID)
    for N in (16, 256, 4096, 65536):
        n, e = m.real(N) ** 2, m.real(N)
        Delta = 4 / m.sqrt(n)
        beta = Delta
        known = {"L": m.real(1), "C_norm": m.real(1), "Delta": Delta, "n": n, "epsilon": e, "G_C": m.sqrt(2 / m.pi)}
        known |= {"delta": m.exp(-e), "r": m.real(1), "beta": beta}
        assert curvature_covers_privacy(m, L=m.real(1), n=n, C_norm=m.real(1), r=m.real(1), beta=beta, epsilon=e)
        assert apply(claim.formulas["lambda_choice"], m, known) == 0
        alpha = apply(claim.formulas["alpha_rate"], m, known)
        reach = apply(find("lp/thm-3").formulas["output_sensitivity"], m, {**known, "alpha": alpha})
        sigma = reach * m.sqrt(m.log(1 / known["delta"])) / e
        loss = m.mp.quad(lambda x, s=sigma: min(x, m.real(2)) * m.phi(x / s) / s, [0, sigma, 8 * sigma, 40 * sigma]) / 4
        found.append(loss / apply(claim.formulas["rate"], m, known))
    assert all(b > 1.5 * a for a, b in pairwise(found))


def test_random_tilts_come_near_the_printed_step():
    """The enclosed value against simulation of the minimiser with its noise, and the exact binomial sum at n = 400."""
    v = {key: float(value) for key, value in MANY.items()}
    b, mu = 1 - v["Delta"], v["Delta"]
    random = np.random.Generator(np.random.Philox(41))
    mean = 2 * random.binomial(10**6, 0.5, 40_000) / 10**6 - 1
    theta = np.clip(-(b * mean + 1e-11 * random.standard_normal(40_000)) / mu, -1, 1)
    gap = -b * mean * theta
    shown = only("generalisation gap").reason.split("reach ")[1].split(" ")[0]
    assert float(shown) / (mu * 10**6) == pytest.approx(gap.mean(), abs=5 * gap.std() / 200)
    m = mp(30)
    assert gap_of_tilts(m, 400, m.real("0.5"), m.real("0.5")) == pytest.approx(m.real("0.5") / 400, rel=1e-6)


@settings(max_examples=20)
@given(
    st.integers(1, 4),
    st.fractions(Fraction(1, 10), 1, max_denominator=10),
    st.lists(st.tuples(*[st.fractions(-1, 1, max_denominator=10)] * 4), min_size=2, max_size=3),
)
def test_gap_of_kinked_losses_by_enumeration(n, mu, kinds):
    """C = [-1, 1], losses mu theta^2/2 + u theta + two kinks, all samples: twice L^2/(n mu) is never exceeded."""

    def loss(kind, x):
        u, first, second, place = kind
        return mu * x**2 / 2 + u * x + abs(second) * abs(x - place) + abs(first) * max(Fraction(0), x)

    def slope(kind, x):
        u, first, second, place = kind
        return mu * x + u + abs(second) * (1 if x >= place else -1) + (abs(first) if x >= 0 else 0)

    L = max(abs(slope(kind, x)) for kind in kinds for x in (Fraction(-1), Fraction(1)))
    if L == 0:
        return
    total = Fraction(0)
    for sample in product(kinds, repeat=n):
        low, high = Fraction(-1), Fraction(1)
        for _ in range(30):
            middle = (low + high) / 2
            low, high = (middle, high) if sum(slope(kind, middle) for kind in sample) < 0 else (low, middle)
        total += sum(loss(kind, low) for kind in kinds) / len(kinds) - sum(loss(kind, low) for kind in sample) / n
    assert total / len(kinds) ** n <= 2 * L**2 / (n * mu) + Fraction(1, 10**6)


@pytest.mark.parametrize("d", [1, 2, 9, 100])
def test_second_moment_of_support_functions(d):
    """Segment, cube, l1 ball and l2 ball: E h^2 <= (1 + 2 pi) (E h)^2 by simulation; a constant of 1 would fail."""
    random = np.random.Generator(np.random.Philox(42))
    g = random.standard_normal((40_000, d))
    for h in (np.maximum(g[:, 0], 0), np.abs(g[:, 0]), np.abs(g).sum(axis=1), np.abs(g).max(axis=1), np.linalg.norm(g, axis=1)):
        assert (h**2).mean() <= 0.95 * (1 + 2 * np.pi) * h.mean() ** 2
    half = np.maximum(g[:, 0], 0)
    assert (half**2).mean() > 3 * half.mean() ** 2


def test_support_of_a_ball_in_closed_form():
    for d in (1, 3, 50):
        mean = mpmath.sqrt(2) * mpmath.gamma(mpmath.mpf(d + 1) / 2) / mpmath.gamma(mpmath.mpf(d) / 2)
        assert mean**2 <= d <= (1 + 2 * mpmath.pi) * mean**2


def test_negative_controls():
    claim, decide = find(AMENDED), JUDGES[AMENDED]
    assert fold(decided(scaled(claim, "excess_bound", 9, 10), decide)) is Verdict.OPEN
    assert fold(decided(scaled(claim, "generalisation_bound", 9, 10), decide)) is Verdict.OPEN
    free = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != curvature_covers_privacy))
    assert fold(decided(free, decide)) is not Verdict.CERTIFIED

    def doubled(m, r, beta, epsilon, n, Delta):
        return m.max(2 * r * beta / (epsilon * n) - Delta, m.real(0))

    assert no_ridge(find(ID))
    assert not no_ridge(with_formula(find(ID), "lambda_choice", doubled))
