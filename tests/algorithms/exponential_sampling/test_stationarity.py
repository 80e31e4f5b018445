"""Sampling a point of small gradient: each assertion refuted by numbers of another route, and the amendment."""

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.algorithms.exponential_sampling.gradient_sampling import mean_of_well, quotient
from dpsco.judging import Judgement, decided, judge, judge_of
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.exponential_sampling import stationarity as mutants
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.exponential_sampling.stationarity import log_weight
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict, fold

PRINTED, AMENDED = "bilevel/sec-C.3", "bilevel/sec-C.3-amended"


@pytest.fixture(scope="module")
def printed() -> Judgement:
    return judge(PRINTED)


def test_change_of_the_gradient_by_implicit_differentiation(printed: Judgement):
    """n = 3, B = 10: y_Z and y_Z' solved by sympy from their first-order conditions, f = y."""
    x, y = sympy.symbols("x y")
    before = sympy.solve(3 * (y + x), y)[0]
    after = sympy.solve(2 * (y + x) + 10 * y, y)[0]
    change = abs(sympy.diff(before, x) - sympy.diff(after, x))
    assert change == sympy.Rational(5, 6) > sympy.Rational(2, 3)
    finding = next(f for f in printed.findings if f.scope.startswith("neighbours"))
    assert finding.verdict is Verdict.REFUTED
    assert finding.computed is not None
    assert Fraction(finding.computed[0]) <= Fraction(5, 6) <= Fraction(finding.computed[1])


def test_printed_weight_is_private_for_any_two_data_sets(printed: Judgement):
    """On finite volume it holds: densities on a grid with smooth transitions stay within e^epsilon; with an n they do not."""
    finding = next(f for f in printed.findings if f.scope == "X of finite volume: the sample is epsilon-DP")
    assert finding.verdict is Verdict.CERTIFIED
    assert not mutants.densities_differ(find(PRINTED), "1", 1)
    assert not mutants.densities_differ(find(PRINTED), "1", 3)
    meant = [f for f in printed.findings if f.reading is Reading.MEANT]
    assert {f.verdict for f in meant} == {Verdict.REFUTED}
    assert len(meant) == 2


def test_rate_and_fixed_point_are_refuted(printed: Judgement):
    assert (printed.verdict, printed.severity) == (Verdict.REFUTED, Severity.RATE)
    rates = [f for f in printed.findings if f.scope.startswith("the mean gradient") and f.verdict is Verdict.REFUTED]
    assert [f.reading for f in rates] == [Reading.PRINTED, Reading.PRINTED, Reading.MEANT]
    m = mp(30)
    quad = m.mp.quad  # type: ignore[attr-defined]
    mass = quad(lambda x: m.exp(-x / 2), [0, 1])
    mean = quad(lambda x: x * m.exp(-x / 2), [0, 1]) / mass
    assert rates[0].computed is not None
    assert m.real(rates[0].computed[0]) <= mean <= m.real(rates[0].computed[1])
    assert mutants.fixed_exceeds(find(PRINTED))


@pytest.mark.parametrize("n", [20, 40, 400])
def test_rate_with_n_in_the_weight_needs_a_logarithm(n: int):
    """k = n/4 on the well of length 2 + 2 e^k: mean by quadrature, above k/(k + 1); within the logarithm of the lemma."""
    m = mp(80)
    k = m.real(n) / 4
    D = 2 + 2 * m.exp(k)
    quad = m.mp.quad  # type: ignore[attr-defined]
    flat = (D / 2 - 1) * m.exp(-k)
    parts = [0, 4 / k, 16 / k, 1] if n > 64 else [0, 1]
    mean = (quad(lambda x: x * m.exp(-k * x), parts) + flat) / (quad(lambda x: m.exp(-k * x), parts) + flat)
    assert k / (k + 1) <= mean <= (1 + m.log(k * D)) / k
    assert mean * n > n / 2  # the printed order is 1/n
    assert mean_of_well(m, k, m.real(2)) * n < 5  # negative control: on a short interval it is of that order


@given(st.floats(0.05, 40), st.floats(2, 1e6))
def test_mean_of_the_well_by_quadrature(k: float, D: float):
    m = mp(30)
    quad = m.mp.quad  # type: ignore[attr-defined]
    rate, end = m.real(k), m.real(D) / 2
    near = [0, m.real(1) / 64, m.real(1) / 8, 1]
    flat = (end - 1) * m.exp(-rate)
    mass = quad(lambda x: m.exp(-rate * x), near) + flat
    mean = (quad(lambda x: x * m.exp(-rate * x), near) + flat) / mass
    assert mean_of_well(m, rate, m.real(D)) == pytest.approx(mean, rel=1e-12)


@given(st.floats(0.01, 30), st.floats(0.1, 100), st.floats(2, 1e8))
def test_free_energy_bound_holds_for_wells(k: float, slope: float, D: float):
    """The lemma's bound against the mean of the well, in one dimension, slope and depth 1 (so slope >= 1 is admitted)."""
    m = mp(30)
    bound = (1 + m.log(m.max(1, m.real(k) * max(slope, 1.0) * m.real(D)))) / m.real(k)
    assert mean_of_well(m, m.real(k), m.real(D)) <= bound


@given(st.floats(0.001, 5), st.floats(1e-9, 0.5))
def test_quotient_never_exceeds_the_lemma(k: float, share: float):
    m = mp(30)
    found = quotient(m, m.real(k), m.real(1), m.real(share))
    assert found <= m.exp(2 * m.real(k)) * (1 + m.real("1e-20"))
    r = m.exp(m.real(k))
    a, b = m.real(share) / (m.real(share) + (1 - m.real(share)) * r), m.real(share) * r
    assert found == pytest.approx(b / (b + 1 - m.real(share)) / a, rel=1e-20)


def test_amendment_is_certified_with_every_mutant_killed():
    amended = judge(AMENDED)
    assert amended.verdict is Verdict.CERTIFIED
    assert len(amended.mutants[Fate.KILLED]) == 7
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(amended.mutants)


def test_moved_constants_are_never_certified():
    claim, decide = find(AMENDED), judge_of(AMENDED)
    assert decide is not None
    for moved in (
        scaled(claim, "sensitivity", 3, 4),  # below the proved K/n, above the attained one: open
        scaled(claim, "log_weight", 3, 1),
        scaled(claim, "rate", 999, 1000),
        scaled(claim, "trivial", 999, 1000),
        with_formula(claim, "log_weight", lambda m, epsilon, n, K, gradient_norm: -epsilon * n * gradient_norm**2 / K),
    ):
        assert fold(decided(moved, decide)) in (Verdict.OPEN, Verdict.REFUTED)
    assert fold(decided(with_formula(claim, "log_weight", log_weight), decide)) is Verdict.REFUTED
