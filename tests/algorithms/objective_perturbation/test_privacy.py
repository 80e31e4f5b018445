"""Privacy of objective perturbation: the exact divergence of a pair, the search for pairs, and the judges of calibrations."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.arguments.algorithms.objective_perturbation.privacy.pairs import SUPREMUM, Setting, search
from dpsco.judges.algorithms.objective_perturbation.privacy import curvature, scale
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled
from dpsco.mutants.algorithms.objective_perturbation.privacy import kink_quadrature
from dpsco.reference.algorithms.objective_perturbation.algorithm import solve
from dpsco.reference.algorithms.objective_perturbation.calibration import delta_bound
from dpsco.reference.algorithms.objective_perturbation.privacy import Pair, divergence, excess, gradient, loss
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.reference.privacy.gaussian import profile
from dpsco.spec.claim import Adjacency
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Rung, Severity, Verdict, fold

ONE, TWO = (Fraction(1), Fraction(33)), (Fraction(-1), Fraction(0))
HALF = Fraction(1, 2)


def printed(epsilon: str, delta: str, claim: str = "quantile/thm-3.5", replaced: bool = True) -> Setting:
    m, registered = arb(), find(claim)
    e, d = m.real(epsilon), m.real(delta)
    return Setting(epsilon, delta, scale(registered)(m, e, d), curvature(registered)(m, e, d), replaced)


def decisive(kernel: str = "uniform") -> Pair:
    m = arb()
    return Pair(kernel, (ONE,), (TWO,), Fraction(1), HALF, m.real(1), printed("1", "1e-10").scale / 2)


@settings(max_examples=15)
@given(st.floats(-36, -30))
def test_theta_is_released_exactly_when_the_noise_is_minus_the_gradient(noise: float):
    m, ball = mp(40), arb()
    (theta,), _ = solve(m, "uniform", [[1.0]], [33.0], [noise], 1.0, 0.5, 0.5, 1e-25)
    back = gradient(ball, decisive(), (ONE,), ball.real(str(theta)))
    assert abs(float(back.mid()) + noise) < 1e-12


def test_density_ratio_is_the_derivative_of_the_probabilities():
    m, pair = arb(), decisive()
    narrow = [(Fraction(33), Fraction(33) + Fraction(1, 10**9))]
    one = excess(m, replace(pair, other=()), m.real("-1e6"), narrow)  # e^(-1e6) leaves the first probability alone
    two = excess(m, replace(pair, rows=pair.other, other=()), m.real("-1e6"), narrow)
    assert float(m.log(one / two).mid()) == pytest.approx(float(loss(m, pair, m.real("33.0000000005")).mid()), rel=1e-7)


def test_divergence_encloses_two_other_computations():
    """By quadrature of the densities, and from below by one event."""
    m, pair = arb(), decisive()
    found = divergence(pair, "1")
    quadrature = kink_quadrature(mp(60).real(pair.sigma.mid().str(50, radius=False)) * 2, mp(60).frac(1, 2), True, "1", 33)
    assert float(found.lower()) * (1 - 1e-8) <= quadrature <= float(found.upper()) * (1 + 1e-8)
    event = excess(m, pair, m.real(1), [(Fraction(32), Fraction(6443, 200))])
    assert m.le(event, found.upper()) is True
    assert float(found.rad() / found.mid()) < 1e-8
    assert float(event.mid()) > 190e-10


def test_far_pair_has_the_gaussian_profile():
    m = arb()
    far = replace(decisive(), rows=((Fraction(1), Fraction(-(10**6))),), other=((Fraction(-1), Fraction(-(10**6))),))
    exact = profile(m, m.real("0.3"), 1 / far.sigma)
    assert divergence(far, "0.3").overlaps(exact)
    assert float(divergence(far, "0.3").mid()) == pytest.approx(float(exact.mid()), rel=1e-4)


def test_equal_data_sets_have_no_divergence():
    same = replace(decisive(), other=(ONE,))
    assert float(divergence(same, "0.001").upper()) < 1e-12  # both values of the kernel count where it jumps


@pytest.mark.parametrize("kernel", ["epanechnikov", "gaussian"])
def test_divergence_of_smooth_kernels_matches_cells(kernel: str):
    m, pair = arb(), replace(decisive(kernel), ridge=arb().real(str(2 * SUPREMUM[kernel])))
    cells = [(Fraction(k, 50), Fraction(k + 1, 50)) for k in range(20 * 50, 60 * 50)]
    gains = (excess(m, pair, m.real(1), [cell]) for cell in cells)
    below = sum((gain for gain in gains if m.gt(gain, m.real(0)) is True), start=m.real(0))
    found = divergence(pair, "1")
    assert m.le(below, found.upper()) is True
    assert float(below.mid()) == pytest.approx(float(found.mid()), rel=2e-2)


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(["0.1", "0.5", "1", "4"]), st.sampled_from(["0.01", "1e-6", "1e-20"]), st.booleans())
def test_pair_found_lies_below_the_proved_bound(epsilon: str, delta: str, replaced: bool):
    """Lower bound, divergence and the bound of the calibration, in this order, at the printed noise."""
    m, setting = arb(), printed(epsilon, delta, replaced=replaced)
    found = search(setting)
    if found is None:
        return
    pair = found.pair()
    one = float((pair.ridge / 2).mid())
    bound = delta_bound(epsilon, float(pair.sigma.mid()), 1, one, m.frac(1, 2), str(float(pair.r)), "1", replaced)
    assert m.le(found.enclosed(), divergence(pair, epsilon).upper()) is True
    assert m.le(divergence(pair, epsilon).lower(), bound.upper()) is True


@pytest.mark.parametrize("kernel", list(SUPREMUM))
def test_search_finds_a_violation_for_every_kernel(kernel: str):
    found = search(printed("0.5", "1e-20"), (kernel,))
    assert found is not None
    assert arb().gt(found.enclosed(), arb().real("1e-20")) is True


@pytest.mark.parametrize(("epsilon", "delta"), [("0.1", "1e-100"), ("0.5", "1e-10"), ("1", "1e-6"), ("10", "0.01")])
def test_search_finds_nothing_against_the_amended_noise(epsilon: str, delta: str):
    """Negative control of the search, for both adjacencies."""
    for claim, replaced in (("quantile/thm-3.5-amended", True), ("quantile/thm-3.5-amended-added", False)):
        found = search(printed(epsilon, delta, claim, replaced))
        assert found is None or arb().lt(found.enclosed(), arb().real(delta)) is True


@given(st.floats(-3, 3), st.floats(-50, -0.01), st.sampled_from(["0.5", "0.7", "0.999"]), st.booleans())
def test_amended_noise_meets_the_calibration_s_own_bound(power: float, nats: float, r: str, replaced: bool):
    """The algebra of the certificate against the enclosed corner bound, which uses e = epsilon - ln(1 + beta/(2 n lambda))."""
    m = arb(256)
    epsilon, delta = 10.0**power, 10.0**nats
    claim = find("quantile/thm-3.5-amended" if replaced else "quantile/thm-3.5-amended-added")
    e, d = m.real(epsilon), m.real(delta)
    sigma = scale(claim)(m, e, d) * m.max(m.real(r), 1 - m.real(r))
    beta = m.frac(1, 2)
    bound = delta_bound(epsilon, sigma, 1, beta / e, beta, r, 1, replaced, bits=1024)
    assert m.le(bound, d) is True


def test_printed_noise_fails_for_replaced_records_and_holds_for_added_ones():
    judgement = judge("quantile/thm-3.5")
    assert (judgement.verdict, judgement.severity) == (Verdict.REFUTED, Severity.CONSTANT)
    steps = judge("quantile/thm-3.5-conditions")  # the cited theorem's conditions are all of the printed proof
    assert judgement.proof is steps.proof is Proof.BROKEN
    shown = judgement.findings[0]
    assert shown.computed is not None
    assert float(shown.computed[0]) > 190 * float(shown.claimed or "nan")
    beside = [(f.adjacency, f.verdict, f.reading) for f in judgement.findings if f.reading is not Reading.PRINTED]
    assert beside == [
        (Adjacency.ADD_ONE_N_FIXED, Verdict.CERTIFIED, Reading.MEANT),
        (Adjacency.ADD_REMOVE, Verdict.REFUTED, Reading.ANOTHER),
    ]


@pytest.mark.parametrize(
    "id", ["quantile/thm-3.5-amended", "quantile/thm-3.5-amended-added", "quantile/thm-3.5-conditions-amended"]
)
def test_amendments_are_certified_and_their_mutants_killed(id: str):
    judgement = judge(id)
    assert judgement.verdict is Verdict.CERTIFIED
    assert all(finding.rung is Rung.EXACT for finding in judgement.findings)
    assert len(judgement.mutants[Fate.KILLED]) >= 3
    assert Fate.SURVIVED not in judgement.mutants


def test_conditions_fail_where_the_average_is_meant():
    judgement = judge("quantile/thm-3.5-conditions")
    assert (judgement.verdict, judgement.proof) == (Verdict.STATED, Proof.BROKEN)
    assert sum(finding.verdict is Verdict.REFUTED for finding in judgement.findings) == 2


@pytest.mark.parametrize("factor", [(1, 2), (4, 5)])
def test_judge_rejects_less_noise(factor: tuple[int, int]):
    decide = judge_of("quantile/thm-3.5-amended")
    assert decide is not None
    less = scaled(find("quantile/thm-3.5-amended"), "variance", factor[0] ** 2, factor[1] ** 2)
    assert fold(decided(less, decide)) is Verdict.REFUTED


def test_certificate_needs_the_ridge():
    claim = find("quantile/thm-3.5-amended")
    decide = judge_of(claim.id)
    assert decide is not None
    assert fold(decided(replace(claim, preconditions=()), decide)) is Verdict.OPEN
