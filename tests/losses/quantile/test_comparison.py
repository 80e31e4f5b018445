"""Convolution against the Moreau envelope and kernels against kernels: rooms, judges, and other routes to each refutation."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpsco.arguments.losses import largest_gaps as facts
from dpsco.fast.losses.quantile import comparison as fast
from dpsco.instances import kernel_integrals as by_hand
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.losses.quantile.comparison import gap as squeezed_gap
from dpsco.reference.losses.quantile import comparison
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.regression.inputs import inputs
from dpsco.spec.domain import reals
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.losses.quantile import comparison as spec
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict, fold

M = mp(40)
BUDGET = {"convolution_gap": 6.0, "envelope_gap": 4.0}
CERTIFIED = {"sec-3.1-moreau": 12, "sec-3.1-better-amended": 8, "fig-1b": 8, "fig-1b-amended": 8}
each = pytest.mark.parametrize("kernel", KERNELS)
bandwidths = st.floats(-250, 250).map(lambda e: 10.0**e)
levels = st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=1000)


def off(name: str, given_: dict[str, object]) -> float:
    return error(getattr(spec, name), getattr(comparison, name), given_, getattr(fast, name)(**given_))


@given(kernel=st.sampled_from(KERNELS), t=st.floats(-60, 60) | st.sampled_from([1.0, -1.0, 800.0]), h=bandwidths)
@example(kernel="gaussian", t=39.0, h=1e200)
@example(kernel="logistic", t=-746.0, h=1e9)
@example(kernel="epanechnikov", t=0.9999999999999999, h=0.1)
def test_convolution_gap_matches_reference(kernel: str, t: float, h: float):
    assert off("convolution_gap", {"kernel": kernel, "u": t * h, "h": h}) <= BUDGET["convolution_gap"]


@given(
    t=st.floats(-3, 3) | st.sampled_from([1.0, -1.0]), beta=st.floats(-9, 9).map(lambda e: 10.0**e), r=st.floats(1e-9, 1 - 1e-9)
)
def test_envelope_gap_matches_reference(t: float, beta: float, r: float):
    u = t * (r if t > 0 else 1 - r) / beta
    assert off("envelope_gap", {"u": u, "beta": beta, "r": r}) <= BUDGET["envelope_gap"]


@pytest.mark.parametrize("name", list(BUDGET))
def test_hard_and_generated_inputs(name: str):
    worst = max(off(name, dict(i)) for i in inputs(getattr(spec, name), 40, 3))
    assert 0.4 < worst <= BUDGET[name]


def test_negative_control_the_difference_that_defines_the_gap_is_out_of_budget():
    given_ = {"u": 1e9, "beta": 1.0, "r": 0.3}
    naive = 0.3 * 1e9 - (0.3 * 1e9 - 0.3**2 / 2)
    assert error(spec.envelope_gap, comparison.envelope_gap, given_, naive) > 1e6
    assert off("envelope_gap", given_) <= BUDGET["envelope_gap"]


@each
def test_the_products_by_quadrature(kernel: str):
    """kappa_1 K_bar, which decides at equal smoothness: 1/4, 9/32, 1/pi, ln(2)/2."""
    by_quadrature = by_hand.distance(kernel, 0) * by_hand.density(kernel, M.real(0))
    assert abs(by_quadrature - comparison.product(M, kernel)) < 1e-9
    known = {"uniform": M.frac(1, 4), "epanechnikov": M.frac(9, 32), "gaussian": 1 / M.pi, "logistic": M.log(M.real(2)) / 2}
    assert abs(known[kernel] - comparison.product(M, kernel)) < 1e-30
    low, high = ("0.563", "0.565") if kernel == "gaussian" else ("0.4999", "0.589")
    assert M.real(low) < comparison.critical_level(M, kernel) < M.real(high)


@given(levels, st.fractions(-40, 40, max_denominator=100), st.fractions(Fraction(1, 50), 50, max_denominator=100))
def test_the_envelopes_gap_in_fractions(r: Fraction, u: Fraction, h: Fraction):
    """Another route: squeezed between the objective at a point and the dual value at a slope; constant far out."""
    gap = squeezed_gap(u, r, h)
    assert abs(M.real(gap) - comparison.envelope_gap(M, M.real(u), 1 / M.real(h), M.real(r))) < 1e-25
    assert 0 <= gap <= h * max(r, 1 - r) ** 2 / 2
    if not (r - 1) * h < u < r * h:
        assert gap == h * (r if u > 0 else 1 - r) ** 2 / 2


@each
def test_far_out_the_convolution_is_closer_and_at_the_kink_the_envelope(kernel: str):
    far, r, h = M.real(40), M.real("0.3"), M.real(1)
    assert comparison.convolution_gap(M, kernel, far, h) < comparison.envelope_gap(M, far, 1 / h, r)
    assert comparison.convolution_gap(M, kernel, 0 * far, h) > comparison.envelope_gap(M, 0 * far, 1 / h, r) == 0


@pytest.mark.parametrize(("label", "killed"), CERTIFIED.items())
def test_certified_with_full_power(label: str, killed: int):
    judgement = judge(f"quantile/{label}")
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) >= killed
    assert set(judgement.mutants) == {Fate.KILLED}


def test_better_at_equal_smoothness_is_refuted_near_the_median_and_for_two_steps_everywhere():
    judgement = judge("quantile/sec-3.1-better", with_mutants=False)
    assert (judgement.verdict, judgement.severity) == (Verdict.REFUTED, Severity.DOMAIN)
    told = [f for f in judgement.findings if f.reading is Reading.PRINTED and "largest gaps at equal smoothness" in f.scope]
    by_kernel = {f.scope.split(":")[0]: f for f in told}
    assert by_kernel["uniform"].verdict is Verdict.CERTIFIED
    for kernel in ("epanechnikov", "gaussian", "logistic"):
        finding = by_kernel[kernel]
        assert finding.verdict is Verdict.REFUTED
        assert finding.severity is Severity.DOMAIN
        assert finding.at["r"] == "0.5"
        assert kernel in str(finding.survives)
        half = by_hand.gap(kernel, "0", str(by_hand.density(kernel, M.real(0))))
        assert finding.computed is not None
        assert float(finding.computed[0]) == pytest.approx(float(half))
        assert half > M.real(squeezed_gap(Fraction(9), Fraction(1, 2))) == M.frac(1, 8)
    (steps,) = [f for f in told if "loses at every level" in f.scope]
    assert (steps.verdict, steps.at["r"]) == (Verdict.REFUTED, "0.999")


def test_far_from_zero_needs_the_envelope_and_the_loss_to_be_those_of_the_paper():
    claim, decide = find("quantile/sec-3.1-better"), judge_of("quantile/sec-3.1-better")
    assert decide is not None
    for name in ("envelope", "quantile_loss"):
        assert fold(decided(scaled(claim, name, 9, 10), decide)) is not Verdict.CERTIFIED


def test_two_steps_by_hand():
    """kappa_1 and K_bar of (1/2) U[-1, 1] + (1/2) U[-1/100, 1/100] from its two steps, in fractions."""
    s = Fraction(1, 100)
    low = Fraction(1, 4)
    high = low + 1 / (4 * s)
    mass = 2 * (high * s + low * (1 - s))
    moment = high * s**2 + low * (1 - s**2)
    assert mass == 1
    assert (moment, high) == (Fraction(facts.TWO_STEP["kappa_1"]), Fraction(facts.TWO_STEP["K_bar"]))
    assert moment * high > 1


def test_lighter_holds_in_the_table_and_is_refuted_of_every_pair_in_both_measures():
    judgement = judge("quantile/fig-1b", with_mutants=False)
    assert [f.verdict for f in judgement.findings if f.reading is Reading.PRINTED] == [Verdict.CERTIFIED] * 6
    meant = [f for f in judgement.findings if f.reading is Reading.ANOTHER]
    assert {f.verdict for f in meant} == {Verdict.REFUTED}
    assert {relation.left for f in meant for relation in f.asserts} == {"lighter_gap", "lighter_gap_at_smoothness"}
    assert any("exp(-|v|)/2" in f.scope and f.claimed == "0.5" and f.computed == ("1", "1") for f in meant)


def test_one_crossing_as_they_are_does_not_suffice_at_equal_smoothness():
    """Steps of height 32 on [0, 1/100] and 2/11 on [1/100, 1], against exp(-v)/2: one crossing, and yet the larger product."""
    (a, high), (b, low) = (Fraction(1, 100), Fraction(32)), (Fraction(1), Fraction(2, 11))
    assert 2 * (high * a + low * (b - a)) == 1
    assert low < M.exp(-1) / 2
    moment = high * a**2 + low * (b**2 - a**2)
    assert moment < 1
    assert moment * high > Fraction(1, 2)


@given(st.fractions(Fraction(1, 20), 20), st.fractions(Fraction(1, 20), 20), st.fractions(0, 30))
def test_uniform_kernels_cross_once_so_their_gaps_are_ordered(a: Fraction, b: Fraction, u: Fraction):
    """The amendment's lemma where both sides are fractions: E(|V| - t)+ for V uniform on [-a, a] is (a - t)^2 / (2 a)."""
    narrow, wide = min(a, b), max(a, b)
    gaps = [max(width - u, Fraction(0)) ** 2 / (4 * width) for width in (narrow, wide)]
    assert gaps[0] <= gaps[1]
    assert gaps[1] == wide * by_hand.uniform_gap(u / wide, Fraction(1))


@pytest.mark.parametrize("scaled_", [False, True])
@pytest.mark.parametrize(("lighter", "heavier"), [*facts.ORDER, ("uniform", "logistic"), ("epanechnikov", "logistic")])
def test_densities_of_the_table_cross_once(lighter: str, heavier: str, scaled_: bool):
    """On a grid, the densities written again: above, then below, and never above again."""

    def height(kernel: str, v: Fraction):
        peak = by_hand.density(kernel, M.real(0)) if scaled_ else M.real(1)
        return by_hand.density(kernel, M.real(v) / peak) / peak

    signs = [height(lighter, v) >= height(heavier, v) for v in (Fraction(k, 50) + Fraction(1, 999) for k in range(1, 200))]
    assert signs[0]
    assert not signs[-1]
    assert sum(a != b for a, b in pairwise(signs)) == 1


@pytest.mark.parametrize("lighter", facts.ORDER)
def test_negative_control_order_of_the_table_can_fail(lighter: tuple[str, str]):
    m = arb()
    assert m.lt(comparison.product(m, lighter[0]), comparison.product(m, lighter[1])) is True
    assert m.lt(comparison.product(m, "epanechnikov"), comparison.product(m, "uniform")) is False


def test_largest_gap_of_the_envelope_is_compared_on_cells():
    printed = find("quantile/sec-3.1-better").formulas["envelope_largest_gap"]
    assert facts.largest_gap_order(printed) == "="
    claim = find("quantile/sec-3.1-better-amended")
    for numerator, sign in ((11, "<="), (9, None)):
        moved = scaled(claim, "envelope_largest_gap", numerator, 10).formulas["envelope_largest_gap"]
        assert facts.largest_gap_order(moved) in (sign, "<" if sign else None)


def test_certificates_need_their_condition_and_their_quantifier():
    claim, decide = find("quantile/sec-3.1-better-amended"), judge_of("quantile/sec-3.1-better-amended")
    assert decide is not None
    assert fold(decided(replace(claim, preconditions=()), decide)) is Verdict.REFUTED
    pairs, decide = find("quantile/fig-1b-amended"), judge_of("quantile/fig-1b-amended")
    assert decide is not None
    assert fold(decided(replace(pairs, over=find("quantile/fig-1b").over), decide)) is Verdict.OPEN


@pytest.mark.parametrize(
    ("label", "name"),
    [("sec-3.1-moreau", "beta"), ("sec-3.1-moreau", "h"), ("sec-3.1-better-amended", "r"), ("fig-1b-amended", "h")],
)
def test_a_wider_domain_is_not_covered(label: str, name: str):
    claim, decide = find(f"quantile/{label}"), judge_of(f"quantile/{label}")
    assert decide is not None
    wider = tuple(replace(p, domain=reals) if p.name == name else p for p in claim.parameters)
    assert fold(decided(replace(claim, parameters=wider), decide)) is not Verdict.CERTIFIED


def test_a_wrong_envelope_is_noticed():
    claim, decide = find("quantile/sec-3.1-moreau"), judge_of("quantile/sec-3.1-moreau")
    assert decide is not None

    def quadratic(m, r, beta, u):
        return m.min(beta * u**2 / 2, m.max(r * u, (r - 1) * u))

    moved = with_formula(claim, "envelope", quadratic)
    assert facts.is_envelope(claim, claim.formulas["envelope"])
    assert not facts.is_envelope(claim, quadratic)
    assert fold(decided(moved, decide)) is Verdict.REFUTED
