"""Where minimisers go for small lambda and h: closed forms by quadrature, refutations by a second route, judges that read."""

from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.algorithms.objective_perturbation.asymptotics.error_quantiles import APART, FLAT, KINK, LAWS, REACHED, Law
from dpsco.judging import Judgement, decided, judge, judge_of
from dpsco.mutant import Fate, with_formula
from dpsco.mutants.algorithms.objective_perturbation.asymptotics import (
    costs_more,
    order_is_off,
    peak_exceeds,
    radius_exceeds,
    rate_outgrown,
    ridge_is_off,
    slope_is_off,
    smoothing_is_off,
)
from dpsco.reference.algorithms.objective_perturbation.asymptotics import (
    clustered_shift,
    far_move,
    hidden_shift,
    minimiser_shift,
    radius_tail,
    smoothed_slope,
)
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.objective_perturbation.asymptotics import curvature_is_positive, densities_are_lipschitz
from dpsco.spec.predicate import Predicate
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Verdict, fold

IDS = ("lem-EC.8", "lem-EC.9", "prop-2")
KILLED = {"lem-EC.8": 6, "lem-EC.9": 8, "prop-2": 9}
masses = st.lists(st.integers(1, 9), min_size=1, max_size=4)


@pytest.fixture(scope="module", params=IDS)
def pair(request: pytest.FixtureRequest) -> tuple[str, Judgement, Judgement]:
    id = f"newsvendor/{request.param}"
    return request.param, judge(id), judge(f"{id}-amended")


def test_printed_stands_or_is_open_and_amended_is_certified(pair: tuple[str, Judgement, Judgement]):
    name, printed, amended = pair
    unknown, broken = "Assumption 2, not at hand", ("lem-EC.8", "prop-2")
    assert printed.verdict is (Verdict.CERTIFIED if name == "lem-EC.8" else Verdict.OPEN)
    assert printed.proof is (Proof.BROKEN if name in broken else Proof.NOT_JUDGED)
    assert amended.verdict is Verdict.CERTIFIED
    assert {fate: len(says) for fate, says in amended.mutants.items()} == {Fate.KILLED: KILLED[name]}
    for judgement in (printed, amended):
        assert {a for f in judgement.findings for a in f.asserts} == set(judgement.claim.asserts)
        assert all(unknown in str(f.reason) for f in judgement.findings if f.verdict is Verdict.OPEN)
    assert Verdict.OPEN not in {f.verdict for f in amended.findings}


def test_certificates_need_their_conditions(pair: tuple[str, Judgement, Judgement]):
    claim = pair[2].claim
    decide = judge_of(claim.id)
    assert decide is not None
    for dropped in claim.preconditions:
        bare = replace(claim, preconditions=tuple(p for p in claim.preconditions if p is not dropped))
        assert fold(decided(bare, decide)) is not Verdict.CERTIFIED, dropped.says


def test_the_only_minimiser_is_another_reading_and_the_printed_claim_has_mutants_of_its_own():
    found = judge("newsvendor/lem-EC.8")
    beside = [f for f in found.findings if f.scope.startswith("read as the only minimiser")]
    assert [(f.verdict, f.reading) for f in beside] == [(Verdict.REFUTED, Reading.ANOTHER)] * 2
    assert {fate: len(says) for fate, says in found.mutants.items()} == {Fate.KILLED: 4}


def test_readings_of_the_missing_assumption_stand_beside_each_other():
    findings = judge("newsvendor/lem-EC.9", with_mutants=False).findings
    assert [f.reading for f in findings if f.verdict is Verdict.REFUTED] == [Reading.ANOTHER] * 2
    assert sum(f.verdict is Verdict.CERTIFIED and f.reading is Reading.MEANT for f in findings) == 2


@given(st.fractions("-2", "2", max_denominator=20), st.fractions("1/10", "3", max_denominator=20))
def test_linear_law_by_quadrature(slope: Fraction, density: Fraction):
    """The root of the slope, integrated over an Epanechnikov window at a density that is linear there."""
    m = mp(30)
    lambda_, h, theta = m.real("1e-3"), m.real("1e-2"), m.real(1)
    f, g = m.real(density), m.real(slope)
    delta = minimiser_shift(m, lambda_, h, m.frac(1, 5), theta, f, g)

    def level(u):
        t = delta - u * h
        return (f * t + g * t**2 / 2) * 3 * (1 - u**2) / 4

    true = mpmath.quad(level, [-1, 1])
    assert smoothed_slope(m, delta, h, m.frac(1, 5), f, g) == pytest.approx(true, abs=1e-15)
    assert abs(true + 2 * lambda_ * (theta + delta)) < 1e-14


@pytest.mark.parametrize("h", ["0.1", "0.001"])
def test_hidden_slopes_by_another_root_finder(h: str):
    """The averaged distribution function t/4 + (t^+)^2/8 through a uniform window, solved by mpmath."""
    m = arb(256)
    quarter = m.frac(1, 4)
    enclosed = hidden_shift(m.real(h), quarter, quarter)
    with mpmath.workdps(30):
        width = mpmath.mpf(h)

        def slope(delta):
            low, high = delta - width, delta + width
            return ((high**2 - low**2) / 8 + high**3 / 24) / (2 * width)

        found = mpmath.findroot(slope, (-(width**2) / 10, -(width**2) / 13))
        assert abs(mpmath.mpf(enclosed.mid().str(28, radius=False)) / found - 1) < mpmath.mpf("1e-18")
        assert found / width**2 < -0.08


def test_clustered_errors_by_quadrature():
    """The averaged density of the clusters is flat, so the root of its slope plus the ridge is a quotient."""
    m = mp(30)
    base, mass, lambda_ = m.frac(1, 4), m.frac(1, 8), m.real("1e-4")

    def averaged(t):
        return base + mpmath.quad(lambda w: 2 * mass / w, [t, 2 * t])

    delta = clustered_shift(m, lambda_, m.real(-1), base, mass)
    values = [averaged(delta * k / 4) for k in (1, 2, 4)]
    assert max(values) - min(values) < 1e-20
    assert abs(values[0] * delta + 2 * lambda_ * (delta - 1)) < 1e-20
    assert delta < 0.6 * 2 * lambda_ / base


@pytest.mark.parametrize("d", [1, 2, 3, 4, 9])
def test_radius_by_quadrature(d: int):
    m = mp(30)
    for a in ("0.3", "1", "2.5", "6"):
        x = m.real(a)
        true = mpmath.quad(lambda s: s ** (d - 1) * mpmath.exp(-(s**2) / 2), [x, x + 2, x + 8, x + 30])
        true /= mpmath.mpf(2) ** (mpmath.mpf(d) / 2 - 1) * mpmath.gamma(mpmath.mpf(d) / 2)
        assert radius_tail(m, d, x) == pytest.approx(true, rel=1e-12)


def test_radius_refuses_no_dimension():
    with pytest.raises(ValueError, match="got 0"):
        radius_tail(mp(), 0, mp().real(1))


def test_far_moves_by_quadrature():
    m = mp(30)
    n, sigma, ridge = m.real(1000), m.real(100), m.real("0.001")
    printed = find("newsvendor/prop-2").formulas["norm_tail"](m, lambda_min=m.real(2), t=m.real(10), d=m.real(1))
    computed = far_move(m, n, sigma, ridge, m.real(1), m.real(2), m.real("0.05"), m.real("0.05"))
    needed = n / sigma * (mpmath.quad(lambda t: 2, [0, m.real("0.05")]) + m.real("0.05") * m.real("0.95") + 2 * ridge)
    true = 2 * mpmath.quad(lambda z: mpmath.exp(-(z**2) / 2) / mpmath.sqrt(2 * mpmath.pi), [needed, needed + 5, needed + 20])
    assert computed == pytest.approx(true, rel=1e-12)
    assert true > 10**20 * printed


@given(masses, st.fractions("1/20", "19/20", max_denominator=20))
def test_least_quantile_minimises_and_slopes_are_differences(weights: list[int], r: Fraction):
    """Atoms at 0, 1, 2, ...: the risk at every atom, and differences of the risk beside the quantile."""
    total = sum(weights)
    law = Law("", r, tuple((Fraction(k), Fraction(k), Fraction(w, total)) for k, w in enumerate(weights)))
    q = law.quantile()
    assert law.below(q, False) < r <= law.below(q, True) or law.below(q, False) == r
    assert law.risk(q) == min(law.risk(Fraction(k)) for k in range(len(weights)))
    step = Fraction(1, 1000)
    assert (law.risk(q + step) - law.risk(q)) / step == law.below(q, True) - r
    assert (law.risk(q) - law.risk(q - step)) / step == law.below(q, False) - r


def test_laws_of_the_judge_show_what_they_are_for():
    assert KINK.risk(Fraction(1)) - KINK.risk(Fraction(0)) == Fraction(1, 4)
    assert KINK.risk(Fraction(-1)) - KINK.risk(Fraction(0)) == Fraction(3, 4)
    assert APART.quantile() == 0 < APART.below(Fraction(0), False) == APART.below(Fraction(0), True), "F is continuous there"
    assert APART.risk(Fraction(0)) == APART.risk(Fraction(1)) < min(APART.risk(Fraction(-1, 8)), APART.risk(Fraction(9, 8)))
    assert FLAT.risk(Fraction(-1)) == FLAT.risk(Fraction(0)) == FLAT.risk(Fraction(1))
    assert REACHED.below(REACHED.quantile(), False) == REACHED.r
    assert all(sum(mass for *_, mass in law.pieces) == 1 for law in LAWS)


def test_mutants_routes_do_not_accuse_the_claims():
    """Negative control."""
    optimum, minimisers, order = (find(f"newsvendor/{id}-amended") for id in IDS)
    assert not costs_more(optimum)
    assert not slope_is_off(optimum, "slope_right")
    assert not slope_is_off(optimum, "slope_left")
    assert not smoothing_is_off(minimisers)
    assert not ridge_is_off(minimisers)
    assert not order_is_off(order)
    assert not rate_outgrown(order, noisy=True)
    assert not rate_outgrown(order, noisy=False)
    assert not radius_exceeds(order, 1, "1", "0.1")
    assert not radius_exceeds(order, 9, "1", "8")
    assert peak_exceeds(order), "the tail itself fails for a peaked density: the amendment's condition excludes it"


def test_correlated_features_in_two_dimensions():
    """Three feature vectors, densities and slopes that differ: -h^2 kappa_2 v/2 - 2 lambda J^{-1} theta* by Newton's method."""
    with mpmath.workdps(30):
        features = [(1, mpmath.mpf(-1)), (1, mpmath.mpf(0)), (1, mpmath.mpf(2))]
        weights = [mpmath.mpf(p) / 12 for p in (6, 3, 3)]
        density, slope = [mpmath.mpf(x) for x in ("0.5", "1", "0.25")], [mpmath.mpf(x) for x in ("1", "-0.5", "0.1")]
        star, h, ridge, kappa = mpmath.matrix([1, -2]), mpmath.mpf("1e-4"), mpmath.mpf("1e-8"), mpmath.mpf(1) / 5

        def gradient(a, b):
            parts = [2 * ridge * (star[0] + a), 2 * ridge * (star[1] + b)]
            for x, w, f, g in zip(features, weights, density, slope, strict=True):
                t = a * x[0] + b * x[1]
                level = f * t + g * (t**2 + h**2 * kappa) / 2
                parts = [part + w * level * x[i] for i, part in enumerate(parts)]
            return parts

        found = mpmath.findroot(gradient, (0, 0))
        J, rise = mpmath.zeros(2), mpmath.zeros(2, 1)
        for x, w, f, g in zip(features, weights, density, slope, strict=True):
            J, rise = J + w * f * mpmath.matrix(x) * mpmath.matrix(x).T, rise + w * g * mpmath.matrix(x)
        printed = -(h**2) * kappa / 2 * (J**-1 * rise) - 2 * ridge * (J**-1 * star)
        assert mpmath.norm(found - printed) < 1e-3 * (ridge + h**2)


def test_a_formula_of_another_order_is_refuted():
    claim = find("newsvendor/lem-EC.9-amended")
    decide = judge_of(claim.id)
    assert decide is not None
    linear = with_formula(claim, "shift_smoothing", lambda m, h, kappa_2, density, density_slope: -h * density_slope / density)
    assert fold(decided(linear, decide)) is Verdict.REFUTED
    kept = {curvature_is_positive, densities_are_lipschitz}
    assert {p.test for p in claim.preconditions} == kept


def test_laws_that_the_claim_leaves_out_refute_nothing():
    """No atom at the quantile: the kink there is gone; no flat stretch at r: the minimiser is one."""
    claim = find("newsvendor/lem-EC.8")

    def scopes(claim):
        return {f.scope for f in decided(claim, judge_of(claim.id)) if f.verdict is Verdict.REFUTED}

    at = {"mass_below": "0.5", "mass_up_to": "0.5", "r": "0.5"}
    none = Predicate("no atom", lambda m, mass_below, mass_up_to: m.eq(mass_below, mass_up_to), at, {**at, "mass_below": "0"})
    steep = Predicate("F > r at q", lambda m, mass_up_to, r: m.gt(mass_up_to, r), {**at, "r": "0.4"}, at)
    smooth, rising = (replace(claim, preconditions=(*claim.preconditions, one)) for one in (none, steep))
    assert {"differentiability, part 2", "differentiability, part 1"} <= scopes(claim)
    assert "differentiability, part 2" not in scopes(smooth)
    unique = {f"read as the only minimiser, part {part}" for part in (1, 2)}
    assert unique <= scopes(claim)
    assert not unique & scopes(rising)


@pytest.mark.parametrize("id", ["lem-EC.8-amended", "lem-EC.9-amended"])
def test_every_named_condition_is_needed(id: str):
    claim = find(f"newsvendor/{id}")
    for test in {test for finding in decided(claim, judge_of(claim.id)) for test in finding.given}:
        less = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != test))
        assert fold(decided(less, judge_of(claim.id))) in (Verdict.OPEN, Verdict.REFUTED), test
