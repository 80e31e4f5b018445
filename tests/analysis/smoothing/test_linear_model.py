"""The linear model: the endogenous experiment, the reciprocal moment that cannot be finite, and what replaces it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judges.analysis.smoothing.linear_model import gap_of_triangle, linear_model
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled
from dpsco.mutants.analysis.smoothing import linear_model as mutants
from dpsco.mutants.losses.kernels import M, mean
from dpsco.reference.analysis.smoothing.bias import density, distribution, peaked
from dpsco.reference.losses import kernels
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.spec.analysis.smoothing import linear_model as spec
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict

F = Fraction


def test_experiment_is_not_affine_and_the_risk_itself_agrees():
    found = judge("quantile/sec-4.1-linear")
    assert (found.verdict, found.severity) == (Verdict.REFUTED, Severity.DOMAIN)
    bent, moved = found.findings
    assert (bent.reading, moved.reading) == (Reading.PRINTED, Reading.ANOTHER), "the data's vector need not be the bold theta*"
    assert (bent.claimed, bent.computed) == ("exactly 20", ("22", "22"))
    assert moved.computed is not None
    # a closed form of the risk, differenced: another route than the enclosed gradient
    m, claim, step = mp(50), find("quantile/sec-4.1-linear"), mp(50).real("1e-12")
    low, high = (mutants.risk(claim, (m.real(10) + e, m.real(5), m.real(-2))) for e in (-step, step))
    assert abs((high - low) / (2 * step) - m.real(moved.computed[0])) < m.real("1e-10")
    assert high < low


def test_risk_is_the_mean_check_loss():
    """The closed form against quadrature, at a theta that is neither the data's nor the best."""
    m, claim = mp(30), find("quantile/sec-4.1-linear-amended")
    theta = (m.real(9), m.real("5.5"), m.real(-3))
    total = m.real(0)
    for s in (1, -1):
        for t in (1, -1):
            away = 10 + 6 * s - 3 * t - theta[0] - theta[1] * s - theta[2] * t
            total += m.mp.quad(lambda z, away=away: abs(away + 3 * z) / 2 * m.phi(z), [-14, -away / 3, 14]) / 4
    assert abs(total - mutants.risk(claim, theta)) < m.real("1e-18")


@pytest.mark.parametrize(("id", "killed"), [("sec-4.1-linear-amended", 5), ("asm-4.1-reciprocal-amended", 4)])
def test_amendments_are_certified_with_every_mutant_killed(id: str, killed: int):
    found = judge(f"quantile/{id}")
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == killed
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(found.mutants)


def test_amended_coefficients_are_not_beaten():
    claim = find("quantile/sec-4.1-linear-amended")
    assert not mutants.beaten(claim)
    assert not mutants.bends(claim)


def test_no_distribution_has_both_properties():
    found = judge("quantile/asm-4.1-reciprocal")
    assert found.verdict is Verdict.VACUOUS
    assert any("nowhere asserts" in (f.reason or "") for f in found.findings)
    claim = find("quantile/asm-4.1-reciprocal")
    moved = scaled(claim, "reciprocal_at_least", 1, 2)
    assert Verdict.VACUOUS not in {f.verdict for f in decided(moved, linear_model)}, "not the densities' own"
    smaller = scaled(claim, "mass_near_zero", 11, 10)
    assert Verdict.REFUTED in {f.verdict for f in decided(smaller, linear_model)}


@pytest.mark.parametrize("reciprocal", ["1", "50", "4000"])
def test_reciprocal_moment_exceeds_every_number(reciprocal: str):
    """E[1/|error|; |error| >= window] of the peaked density, by quadrature, at the window that the finding names."""
    m, f, l_1 = mp(30), mp(30).real("0.5"), mp(30).real(1)
    window = f / l_1 * m.exp(-m.real(reciprocal) / (2 * f) - 2)
    hinges = peaked(F(1, 2), F(1), F(1, 2))

    def in_logs(u):
        return density(m, hinges, m.exp(u)) + density(m, hinges, -m.exp(u))

    found = m.mp.quad(in_logs, [m.log(window), -1, m.log(f / l_1)])
    assert found > m.real(reciprocal)
    assert abs(found - spec.reciprocal_at_least(m, f=f, l_1=l_1, window=window)) < m.real("1e-18") * found


@given(st.integers(1, 100), st.fractions(F(1, 10), F(10), max_denominator=10))
def test_peaked_density_attains_the_mass_near_zero(percent: int, l_1: Fraction):
    m, f = arb(), min(F(1), l_1) / 2
    assert f**2 <= l_1
    hinges, w = peaked(f, l_1, F(1, 2)), f / l_1 * F(percent, 100)
    found = distribution(m, hinges, m.real(w)) - distribution(m, hinges, m.real(-w))
    printed = spec.mass_near_zero(m, f=m.real(f), l_1=m.real(l_1), window=m.real(w))
    assert m.eq(found, printed) is not False
    assert m.lt(m.abs(found - printed), m.real("1e-40")) is True


@pytest.mark.parametrize("kernel", ["gaussian", "logistic", "uniform", "epanechnikov"])
@pytest.mark.parametrize(("h", "l_1"), [("0.01", "1"), ("2", "1"), ("0.01", "16")])
def test_smoothing_gap_of_every_kernel(kernel: str, h: str, l_1: str):
    """L_h - L under the triangle by quadrature: below the amended bound, and near it for small h."""
    top, slope, width = M.sqrt(M.real(l_1)), M.real(l_1), M.real(h)
    half = top / slope

    def gap(u):
        return width * (kernels.deviation(M, kernel, u / width) - abs(u / width)) / 2

    u = width / 3
    assert abs(gap(u) - (width * mean(lambda v: abs(u / width + v), kernel, "-inf", "inf", -u / width) - u) / 2) < M.real(
        "1e-20"
    )
    cuts = [0, *(x for x in (width, 4 * width, 20 * width) if x < half), half]
    found = 2 * M.mp.quad(lambda u: gap(u) * (top - slope * u), cuts)
    bound = spec.smoothing_gap(M, h=width, l_1=slope, kappa_2=kernels.kappa_2(M, kernel))
    assert found <= bound * M.real("1.0001")
    if h == "0.01" and kernel in ("uniform", "epanechnikov"):
        assert found > bound * M.real("0.95")


def test_gap_of_the_triangle_by_quadrature():
    m = arb()
    assert m.lt(m.abs(gap_of_triangle("16", "0.09") - m.real(str(mutants.gap("16", "0.09")))), m.real("1e-20")) is True
