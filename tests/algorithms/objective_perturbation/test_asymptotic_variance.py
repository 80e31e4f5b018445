"""The asymptotic covariance of objective perturbation: factors by quadrature, constants, kernels, matrices and simulation."""

from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.algorithms.objective_perturbation.asymptotics.covariance_steps import OPTIMUM, THREE, matrices
from dpsco.arguments.algorithms.objective_perturbation.asymptotics.variance_bounds import Q, exists
from dpsco.judging import Judgement, decided, judge, judge_of
from dpsco.mutant import Fate, with_formula
from dpsco.mutants.algorithms.objective_perturbation.asymptotic_variance import (
    PAIRS,
    below_bound,
    covariance_is_off,
    inverse_is_off,
    spread_is_off,
)
from dpsco.reference.algorithms.objective_perturbation.asymptotic_variance import (
    K_cross,
    clustered_gradient_spread,
    clustered_variance,
    gradient_spread,
    hidden_inverse_curvature,
    inverse_curvature,
    runaway_variance,
)
from dpsco.reference.algorithms.objective_perturbation.asymptotics import minimiser_shift
from dpsco.reference.losses.kernels import density, integrated, kappa_1
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.objective_perturbation.asymptotic_variance import expansion_printed
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Severity, Verdict, fold

IDS = ("lem-EC.11", "prop-3")
KILLED = {"lem-EC.11": 9, "prop-3": 6}


@pytest.fixture(scope="module", params=IDS)
def pair(request: pytest.FixtureRequest) -> tuple[str, Judgement, Judgement]:
    id = f"newsvendor/{request.param}"
    return request.param, judge(id), judge(f"{id}-amended")


def test_printed_proofs_are_broken_and_amendments_certified(pair: tuple[str, Judgement, Judgement]):
    name, printed, amended = pair
    expected = {"lem-EC.11": (Verdict.REFUTED, Severity.DOMAIN), "prop-3": (Verdict.OPEN, None)}
    assert (printed.verdict, printed.severity, printed.proof) == (*expected[name], Proof.BROKEN)
    assert amended.verdict is Verdict.CERTIFIED
    assert {fate: len(says) for fate, says in amended.mutants.items()} == {Fate.KILLED: KILLED[name]}
    for judgement in (printed, amended):
        assert {a for f in judgement.findings for a in f.asserts} == set(judgement.claim.asserts)
        assert all("not at hand" in str(f.reason) for f in judgement.findings if f.verdict is Verdict.OPEN)
    assert Verdict.OPEN not in {f.verdict for f in amended.findings}


def test_an_order_of_both_signs_is_read_term_by_term():
    """A constant for each term is proved, one for both is another reading; an order that loses a term is noticed."""
    found = judge("newsvendor/prop-3")
    assert {fate: len(says) for fate, says in found.mutants.items()} == {Fate.KILLED: 4}
    terms = [f for f in found.findings if "constant" in f.scope and "in front" not in f.scope]
    assert {(f.verdict, f.reading) for f in terms} == {(Verdict.CERTIFIED, Reading.PRINTED)}
    one = [f for f in found.findings if "one constant is meant" in f.scope]
    assert [(f.verdict, f.reading) for f in one] == [(Verdict.REFUTED, Reading.ANOTHER)] * 2


def test_certificates_need_their_conditions(pair: tuple[str, Judgement, Judgement]):
    claim = pair[2].claim
    decide = judge_of(claim.id)
    assert decide is not None
    for dropped in claim.preconditions:
        bare = replace(claim, preconditions=tuple(p for p in claim.preconditions if p is not dropped))
        assert fold(decided(bare, decide)) is not Verdict.CERTIFIED, dropped.says


def test_the_sign_of_V_leads_and_the_deviation_stands():
    """-1400 is printed, -760 multiplied out; the witness solves for the variance. sigma/n bounds the deviation's increase."""
    (found,) = [f for f in judge("newsvendor/lem-EC.11", with_mutants=False).findings if f.claimed == "-1400"]
    assert (found.severity, found.computed) == (None, ("-760", "-760"))
    (stands,) = [f for f in judge("newsvendor/prop-3", with_mutants=False).findings if "chosen lambda" in f.scope]
    assert (stands.verdict, stands.reading) == (Verdict.CERTIFIED, Reading.MEANT)  # of the deviation: the variance is open
    m, ratios = mp(40), []
    for power in (2, 6, 10, 14):  # r = 3/4, errors with density 1/2, theta* = 2, B = 3, epsilon = 1, delta = 1e-6, h = 0
        n = m.real(10) ** power
        sigma = m.frac(3, 4) * m.sqrt(8 * m.log(m.real(10**6)) + 4)
        ridge = m.sqrt(2 * m.frac(9, 16) / n + sigma**2 / n**2) / 3
        level = m.frac(3, 4) + (-2 * ridge * 2 / (m.frac(1, 2) + 2 * ridge)) / 2
        private = (level * (1 - level) + sigma**2 / n) / (m.frac(1, 2) + 2 * ridge) ** 2 / n
        ratios.append((m.sqrt(private) - m.sqrt(m.frac(3, 4) / n)) / (sigma / n))
    assert abs(ratios[3] - ratios[2]) < m.real("1e-3"), "it settles"
    assert max(map(abs, ratios)) < 1


@pytest.mark.parametrize("kernel", KERNELS)
def test_K_by_quadrature_and_below_half_of_kappa_1(kernel: str):
    m = mp(20)
    reach = [-1, 0, 1] if kernel in ("uniform", "epanechnikov") else [-60, -8, 0, 8, 60]
    true = mpmath.quad(lambda u: u * density(m, kernel, m.real(u)) * integrated(m, kernel, m.real(u)), reach)
    assert K_cross(m, kernel) == pytest.approx(true, rel=1e-10)
    assert 0 < true < kappa_1(m, kernel) / 2


def test_K_refuses_other_names():
    with pytest.raises(ValueError, match="kernel"):
        K_cross(mp(), "triangular")


@given(st.fractions("1/20", "19/20", max_denominator=20), st.fractions("-2", "2", max_denominator=20))
def test_factors_of_the_linear_law_by_quadrature(r: Fraction, slope: Fraction):
    """E calK and E calK^2 through an Epanechnikov window; the curvature as the averaged density."""
    m = mp(30)
    lambda_, h, theta, f, g = m.real("1e-3"), m.real("1e-2"), m.real(1), m.real("0.7"), m.real(slope)
    kappa, K = m.frac(1, 5), K_cross(m, "epanechnikov")
    delta = minimiser_shift(m, lambda_, h, kappa, theta, f, g)

    def weighted(weight):
        def at(u):
            t = delta - u * h
            return (m.real(r) + f * t + g * t**2 / 2) * weight(u)

        return mpmath.quad(at, [-1, 1])

    mean = weighted(lambda u: 3 * (1 - u**2) / 4)
    square = weighted(lambda u: 2 * (3 * (1 - u**2) / 4) * (m.frac(1, 2) + 3 * u / 4 - u**3 / 4))
    assert gradient_spread(m, lambda_, h, m.real(r), kappa, theta, f, g, K) == pytest.approx(square - mean**2, abs=1e-14)
    curvature = mpmath.quad(lambda u: (f + g * (delta - u * h)) * 3 * (1 - u**2) / 4, [-1, 1]) + 2 * lambda_
    assert inverse_curvature(m, lambda_, h, kappa, theta, f, g) == pytest.approx(1 / curvature, rel=1e-12)


def test_hidden_and_clustered_laws_by_quadrature():
    m = mp(30)
    h, base, mass = m.real("0.01"), m.frac(1, 4), m.frac(1, 8)
    delta = -(h**2) / 12
    averaged = mpmath.quad(lambda u: base + base * max(delta + u * h, 0), [-1, -delta / h, 1]) / 2
    assert hidden_inverse_curvature(m, delta, h, base, base) == pytest.approx(1 / averaged, rel=1e-20)
    lift = 2 * mass * mpmath.log(2)

    def level(t):
        return m.frac(1, 2) + base * t + lift * max(t, 0)

    def moment(shift, weight):
        return mpmath.quad(lambda u: level(shift - u * h) * weight(u), [-1, shift / h, 1])

    shift = mpmath.findroot(lambda s: moment(s, lambda u: 0.5) - 0.5, (-h / 10, -h / 20))
    square = moment(shift, lambda u: (1 + u) / 2)
    assert clustered_gradient_spread(m, h, m.frac(1, 2), base, mass) == pytest.approx(square - m.frac(1, 4), rel=1e-12)


def test_clustered_variance_by_quadrature():
    m = mp(20)
    base, high = mpmath.mpf(1) / 4, (1 + mpmath.log(2)) / 4

    def moment(k):
        return mpmath.quad(lambda z: (z / 2 / (base if z < 0 else high)) ** k * mpmath.npdf(z), [-12, -3, 0, 3, 12])

    true = moment(2) - moment(1) ** 2
    assert clustered_variance(m, m.frac(1, 2), m.frac(1, 4), m.frac(1, 8)) == pytest.approx(true, rel=1e-10)
    assert true < mpmath.mpf("0.75") / (4 * base**2)


def test_noise_of_the_order_of_n_by_quadrature_and_by_simulation():
    """Two sums of the same lower bound, and the estimator itself: uniform errors, one to five records, sigma = n."""
    m = mp(30)
    n, ridge = m.real(100), m.real("0.01")
    bound = runaway_variance(m, n, ridge, n, m.frac(1, 2))
    tail = mpmath.quad(lambda z: (z - 0.5) ** 2 * mpmath.npdf(z), [0.5, 3, 8, 30])
    assert bound == pytest.approx(100 * 2 * tail / (4 * ridge**2), rel=1e-10)
    rng = np.random.default_rng(7)
    errors, noise = np.sort(rng.uniform(-0.5, 0.5, (4000, 5)), axis=1), 5 * rng.standard_normal(4000)
    # h = 0: the slope is mean 1{e <= theta} - 1/2 + b/n + 2 lambda theta, increasing in theta
    low, high = np.full(4000, -1e4), np.full(4000, 1e4)
    for _ in range(60):
        middle = (low + high) / 2
        slope = (errors <= middle[:, None]).mean(axis=1) - 0.5 + noise / 5 + 0.02 * middle
        low, high = np.where(slope < 0, middle, low), np.where(slope < 0, high, middle)
    least = float(runaway_variance(m, m.real(5), ridge, m.real(5), m.frac(1, 2)))
    assert 5 * low.var() > least * 0.8


def test_matrices_of_the_three_point_law_with_fractions():
    found = matrices()
    points = [(Fraction(p), (Fraction(1), Fraction(x)), Fraction(f)) for p, x, f in THREE]
    assert sum(p for p, *_ in points) == 1
    assert [sum(p * x[1] ** k for p, x, _ in points) for k in (1, 2)] == [0, 1]
    a, b, c = (sum(p * f * x[1] ** k for p, x, f in points) for k in (0, 1, 2))
    star = [Fraction(value) for value in OPTIMUM]
    det = a * c - b * b
    u = ((c * star[0] - b * star[1]) / det, (a * star[1] - b * star[0]) / det)
    v = [sum(p * f * (u[0] + u[1] * x[1]) * x[1] ** k for p, x, f in points) for k in (0, 1, 2)]
    assert min(star[0] + star[1] * x[1] for _, x, _ in points) == Fraction(1, 8) == Fraction(str(found["smallest_order"]))
    assert v[0] * v[2] - v[1] ** 2 == Fraction(str(found["V"].det())) < 0


def test_constants_exist_only_where_they_do():
    import sympy

    one = sympy.Integer(1)
    assert exists(-5 - 7 * Q, one + Q)
    assert not exists(-5 - 7 * Q, one)
    assert not exists(-Q, sympy.Integer(0))
    assert exists(one + Q, sympy.Integer(0))


def test_mutants_routes_do_not_accuse_the_claims():
    """Negative control; the printed expansion fails by the same route."""
    covariance, variance = (find(f"newsvendor/{id}-amended") for id in IDS)
    assert not inverse_is_off(covariance)
    assert not spread_is_off(covariance)
    assert not covariance_is_off(covariance, "sandwich")
    assert not covariance_is_off(covariance, "expansion")
    assert covariance_is_off(with_formula(covariance, "expansion", expansion_printed), "expansion")
    for sigma in ("1e-3", "1e8"):
        assert not below_bound(covariance, "covariance_lower", sigma, PAIRS[0], increase=False)
        assert not below_bound(variance, "increase_lower", sigma, PAIRS[0], increase=True)


def test_a_lower_bound_without_a_free_constant_is_refuted():
    claim = find("newsvendor/lem-EC.11-amended")
    decide = judge_of(claim.id)
    assert decide is not None

    def tight(m, n, r, sigma, density, h, K_cross):
        return (r * (1 - r) + sigma**2 / n) / density**2 - 2 * h * K_cross / density

    assert fold(decided(with_formula(claim, "covariance_lower", tight), decide)) is Verdict.REFUTED


def test_matrix_product_is_refuted_only_where_it_is_printed():
    """A formula with 2 A in the place of 4 A is another product, of which the law says nothing."""
    printed = find("newsvendor/lem-EC.11")

    def verdicts(claim):
        return [f.verdict for f in decided(claim, judge_of(claim.id)) if f.scope == "multiplied out, two dimensions"]

    def half(m, n, lambda_, h, r, sigma, theta, density, density_slope, K_cross):
        bracket = (4 * r - 2) * theta + 2 * (1 - density_slope * theta / density) * r * (1 - r) / density
        return (r * (1 - r) - lambda_ * bracket + sigma**2 / n) / density**2 - 2 * h * K_cross / density

    assert verdicts(printed) == [Verdict.REFUTED]
    assert verdicts(with_formula(printed, "expansion_printed", half)) == [Verdict.OPEN]
    true = with_formula(printed, "expansion_printed", printed.formulas["sandwich"])
    multiplied = [f.verdict for f in decided(true, judge_of(true.id)) if f.scope.startswith("multiplied out, one dimension")]
    assert multiplied == [Verdict.CERTIFIED]


def test_every_named_condition_is_needed():
    claim = find("newsvendor/lem-EC.11-amended")
    for test in {test for finding in decided(claim, judge_of(claim.id)) for test in finding.given}:
        less = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != test))
        assert fold(decided(less, judge_of(claim.id))) in (Verdict.OPEN, Verdict.REFUTED), test
