"""Theorem 4's risk: refuted by other routes, and the amendment against runs of the algorithm itself."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import mpmath
import numpy as np
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.arguments.algorithms.descent.rotated_descent import C, H, factor, reached, reduced
from dpsco.arguments.formula import apply
from dpsco.fast.algorithms.exponential_descent import algorithm as fast
from dpsco.judges.algorithms.exponential_descent.utility import JUDGES, PATHS, diverges
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.exponential_descent.utility import line, mean_half, risk_on_the_line
from dpsco.reference.numbers.mp import mp
from dpsco.reference.privacy.randomised_response import half_sphere_mean
from dpsco.spec.register import find
from dpsco.verdict import Proof, Severity, Verdict, fold

ID, AMENDED = "spo/thm-4", "spo/thm-4-amended"


@cache
def judged(id):
    return judge(id)


def test_theorem_4_is_refuted_but_for_the_rate_of_its_own_closed_form():
    found = judged(ID)
    assert (found.verdict, found.severity) == (Verdict.REFUTED, Severity.RATE)
    assert [f.scope for f in found.findings if f.verdict is not Verdict.REFUTED] == [
        "the closed form's rate: constants depend on L, B_B, B_w and B_x only"
    ]
    assert found.proof is Proof.BROKEN
    assert {f.severity for f in found.findings if "rate at" in f.scope} == {Severity.RATE}
    assert found.amendments == [AMENDED]


def test_refuting_risk_by_paths_in_fractions():
    """n = T^(1/2) = 3: all 256 paths of one record (2, 1), epsilon small; and the kernel's runs at the shown instance."""
    m = mp(40)
    claim = find(ID)
    odds = Fraction(1001, 1000)
    at = line(Fraction(2), 3, 9, 1, m.log(m.real(odds)))
    eta = Fraction(float(apply(claim.formulas["eta_appendix"], m, at)))
    true = risk_on_the_line(odds, Fraction(2), eta, eta / 2, 9)
    assert m.real(true) > 10 * apply(claim.formulas["regret"], m, at)
    assert Fraction(39, 10) < true <= 4


def test_amendment_is_certified_and_its_mutants_die():
    found = judged(AMENDED)
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == 7
    assert set(found.mutants) == {Fate.KILLED, Fate.TRUE}


@settings(max_examples=25)
@given(
    st.fractions(Fraction(11, 10), 50, max_denominator=20),
    st.fractions(Fraction(1, 50), 2, max_denominator=50),
    st.fractions(Fraction(1, 5), 4, max_denominator=5),
)
def test_exact_risk_lies_between_what_is_reached_and_what_is_proved(odds, eta, c):
    """One record on the line: n is as large as one likes."""
    m, T, n = mp(40), 7, 10**9
    at = line(c, n, T, eta, m.log(m.real(odds)))
    claim = find(AMENDED)
    mu = Fraction(float(apply(claim.formulas["smoothing"], m, at)))
    true = m.real(risk_on_the_line(odds, c, eta, mu, T))
    low = 4 * (m.real(c) / 2 - 4 * m.real(eta) * factor(m, at) * (T - 1) / 2)
    assert low <= true * m.real("1.000000001") + m.real("1e-15")
    assert true <= apply(claim.formulas["regret_before_eta"], m, at)


def test_runs_in_many_dimensions_stay_below_the_amended_bound():
    """p = d = 2, n = 6, T = 36, the algorithm itself on costs that depend on x: mean over 60 runs and data sets."""
    random = np.random.Generator(np.random.Philox(44))
    n, d, epsilon, radius = 6, 2, 2.0, 1.0
    claim, m = find(AMENDED), mp(30)
    values = {"n": n, "d": d * d, "epsilon": epsilon, "L": 4 * radius * 2**0.5, "B_B": 1.0, "B_w": radius * 2**0.5, "B_x": 1.0}
    at = {name: m.real(x) for name, x in values.items()}
    eta = float(apply(claim.formulas["step_length"], m, at))
    mu = float(apply(claim.formulas["smoothing"], m, {**at, "eta": m.real(eta)}))
    best = np.array([[0.5, 0.2], [-0.1, 0.4]])

    def sample(size):
        X = random.standard_normal((size, 2))
        X /= np.linalg.norm(X, axis=1, keepdims=True)
        return X, X @ best.T

    def plain(B, X, costs):
        hats = X @ B.T
        return (np.abs(costs - 2 * hats) - 2 * hats * np.sign(costs) + np.abs(costs)).sum(axis=1).mean()

    test = sample(4000)
    risks = []
    for _ in range(60):
        X, costs = sample(n)
        found = fast.descend(
            "box", costs, X, random.standard_normal((n * n - 1, 4)), random.random(n * n - 1), epsilon, eta, mu, radius, 0.0
        )
        risks.append(plain(np.asarray(found).reshape(n * n, 4).mean(axis=0).reshape(2, 2), *test) - plain(best, *test))
    bound = float(apply(claim.formulas["regret"], m, at))
    assert -0.1 < np.mean(risks) < bound
    assert bound < 60 * np.mean(risks)


def test_mean_of_a_half_sphere_by_quadrature():
    m = mp(30)
    for d in (2, 3, 9, 10**6):
        assert abs(mean_half(d) / half_sphere_mean(m, m.real(d)) - 1) < 1e-8
        assert mpmath.sqrt(2 / (mpmath.pi * d)) <= half_sphere_mean(m, m.real(d)) <= 1 / mpmath.sqrt(d)


def test_reduction_to_two_symbols_is_the_formula():
    claim = find(AMENDED)
    found = reduced(claim, lambda m, v: apply(claim.formulas["regret_before_eta"], m, v))
    free = {s.name: s for s in found.free_symbols}
    m = mp(30)
    at = {"n": 3, "T": 5, "eta": "0.3", "L": 2, "minimiser_norm": "0.7", "B_w": "1.5", "B_x": "0.4", "epsilon": "0.8", "d": 4}
    numbers = {name: m.real(value) for name, value in at.items()}
    h, c = m.tanh(numbers["epsilon"] / 2), half_sphere_mean(m, numbers["d"])
    put = {free[name]: sympy.Float(str(numbers[name]), 30) for name in free if name in numbers}
    put |= {H: sympy.Float(str(1 / h - 1), 30), C: sympy.Float(str(1 / c - 1), 30)}
    assert abs(found.subs(put) - sympy.Float(str(apply(claim.formulas["regret_before_eta"], m, numbers)), 30)) < 1e-20


def test_paths_see_the_exponents_and_nothing_else():
    claim = find(AMENDED)
    assert [diverges(claim, "step_length", path) for path in PATHS.values()] == [None] * 4

    def a_little_faster(m, n, epsilon, d):
        q = factor(m, {"epsilon": epsilon, "d": d})
        return (1 / (q * n)) ** m.frac(11, 20) + 1 / (q * n)

    moved = with_formula(claim, "rate", a_little_faster)
    assert any(diverges(moved, "step_length", path) for path in PATHS.values())


def test_negative_controls():
    claim = find(AMENDED)
    assert fold(decided(scaled(claim, "smoothing", 99, 100), JUDGES[AMENDED])) is Verdict.OPEN
    assert fold(decided(replace(claim, preconditions=claim.preconditions[1:]), JUDGES[AMENDED])) is Verdict.OPEN
    assert fold(decided(scaled(claim, "step_length", 2, 1), JUDGES[AMENDED])) is not Verdict.CERTIFIED
    m = mp(30)
    v = {name: m.real(1) for name in ("L", "B_w", "B_x")}
    assert reached(m, v, m.real(1), m.real("0.001"), m.real("0.5"), m.real(1)) == 1
