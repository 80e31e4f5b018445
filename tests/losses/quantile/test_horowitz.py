"""Horowitz's smoothing: reference against its definition, fast against reference, judges, other routes to the refutation."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpsco.arguments.losses.replaced_indicator import follows
from dpsco.fast.losses.quantile import horowitz as fast
from dpsco.instances import kernel_integrals as by_hand
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, with_formula
from dpsco.reference.losses.quantile import horowitz
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.regression.inputs import inputs
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.losses.quantile import horowitz as spec
from dpsco.spec.register import find
from dpsco.verdict import Reading, Rung, Severity, Verdict, fold

M = mp(40)
ID = "quantile/sec-1-horowitz"
BUDGET = {"value": 6.0, "derivative": 6.0, "curvature": 6.0}
each = pytest.mark.parametrize("kernel", KERNELS)
ratios = st.floats(-45, 45) | st.sampled_from([0.0, 1.0, -1.0, 800.0, -800.0])
bandwidths = st.floats(-250, 250).map(lambda e: 10.0**e)


def off(name: str, given_: dict[str, object]) -> float:
    return error(getattr(spec, name), getattr(horowitz, name), given_, getattr(fast, name)(**given_))


@given(kernel=st.sampled_from(KERNELS), t=ratios, h=bandwidths, r=st.floats(1e-17, 1 - 1e-16))
@example(kernel="gaussian", t=38.5, h=1.0, r=1e-17)
@example(kernel="gaussian", t=1.4142135623730951, h=1.0, r=0.5)
@example(kernel="epanechnikov", t=-0.9999999999999999, h=0.3, r=0.5)
@example(kernel="logistic", t=2.4, h=1e250, r=0.5)
def test_scalars_match_reference(kernel: str, t: float, h: float, r: float):
    for name in ("value", "derivative"):
        assert off(name, {"kernel": kernel, "u": t * h, "h": h, "r": r}) <= BUDGET[name], name
    assert off("curvature", {"kernel": kernel, "u": t * h, "h": h}) <= BUDGET["curvature"]


@pytest.mark.parametrize("name", list(BUDGET))
def test_hard_and_generated_inputs(name: str):
    worst = max(off(name, dict(i)) for i in inputs(getattr(spec, name), 60, 3))
    assert 0.4 < worst <= BUDGET[name]


def test_negative_control_the_density_times_its_factor_is_out_of_budget():
    given_ = {"kernel": "gaussian", "u": 38.4, "h": 1.0}
    naive = by_hand.M.mp.npdf(38.4)
    wrong = float(naive) * (2.0 - 38.4**2)
    assert error(spec.curvature, horowitz.curvature, given_, wrong) > 10 * BUDGET["curvature"]
    assert off("curvature", given_) <= BUDGET["curvature"]


@each
def test_reference_is_the_indicator_averaged(kernel: str):
    """u (r - P(V > u/h)), the probability by quadrature; derivatives by difference quotients."""
    for u, h, r in (("0.3", "0.5", "0.2"), ("-2", "3", "0.9"), ("0.7", "2", "0.5")):
        u, h, r = M.real(u), M.real(h), M.real(r)
        upper = by_hand.mean(by_hand.one, kernel, u / h)
        assert abs(u * (r - upper) - horowitz.value(M, kernel, u, h, r)[0]) < 1e-9
        step = M.real("1e-10")
        values = [horowitz.value(M, kernel, u + k * step, h, r)[0] for k in (-1, 0, 1)]
        assert abs((values[2] - values[0]) / (2 * step) - horowitz.derivative(M, kernel, u, h, r)[0]) < 1e-8
        assert abs((values[2] - 2 * values[1] + values[0]) / step**2 - horowitz.curvature(M, kernel, u, h)[0]) < 1e-8


def test_off_the_median_it_is_certified_not_convex():
    judgement = judge(ID)
    assert judgement.verdict is Verdict.CERTIFIED
    assert judgement.amendments == [f"{ID}-amended"]
    assert len(judgement.mutants[Fate.KILLED]) >= 4
    assert set(judgement.mutants) == {Fate.KILLED}
    printed = [f for f in judgement.findings if f.reading is Reading.PRINTED]
    assert all(f.verdict is Verdict.CERTIFIED and f.rung is Rung.EXACT for f in printed)


def test_read_as_an_equivalence_it_is_refuted_at_the_median_for_every_kernel():
    """The same second differences at r = 1/2 from the loss by quadrature."""
    meant = {f.at["kernel"]: f for f in judge(ID, with_mutants=False).findings if f.reading is Reading.ANOTHER}
    assert set(meant) == set(KERNELS)
    for kernel, finding in meant.items():
        assert finding.verdict is Verdict.REFUTED
        assert finding.severity is Severity.DOMAIN
        assert finding.at["r"] == "0.5"
        u, step = M.real(finding.at["u"]), M.real(finding.at["step"])
        left, middle, right = (x * (M.frac(1, 2) - by_hand.mean(by_hand.one, kernel, x)) for x in (u - step, u, u + step))
        assert finding.computed is not None
        assert float(finding.computed[0]) == pytest.approx(float(left + right - 2 * middle), rel=1e-9)


def test_certificate_is_void_for_other_kernels():
    """With the Cauchy kernel, which has no first moment, the loss is convex at every level."""
    claim, decide = find(ID), judge_of(ID)
    assert decide is not None
    assert fold(decided(replace(claim, over=("every smoothing kernel of integral one",)), decide)) is Verdict.OPEN


@each
@pytest.mark.parametrize("r", ["0.05", "0.5", "0.8"])
def test_some_chord_is_crossed_at_every_level(kernel: str, r: str):
    """Another route: the loss by quadrature at three points."""
    places = {"gaussian": ("1.5", "3", "4.5"), "logistic": ("3", "6", "9"), "uniform": ("0.5", "1", "1.5")}
    points = [M.real(u) for u in places.get(kernel, ("0.75", "1", "1.25"))]
    left, middle, right = (u * (M.real(r) - by_hand.mean(by_hand.one, kernel, u)) for u in points)
    assert left + right < 2 * middle - M.real("1e-6")


@given(st.fractions(-50, 50), st.fractions(Fraction(1, 64), 1))
def test_negative_control_the_cauchy_kernel_has_no_such_chord(u: Fraction, step: Fraction):
    """Second differences of u (r - 1 + calK(u)) are positive for the kernel without a first moment."""

    def loss(x: Fraction):
        t = M.real(x)
        return t * M.mp.atan(t) / M.pi

    assert loss(u - step) + loss(u + step) - 2 * loss(u) > 0


def test_amendment_is_certified_with_full_power():
    judgement = judge(f"{ID}-amended")
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) >= 10
    assert set(judgement.mutants) == {Fate.KILLED}


def test_the_rules_of_calculus_are_applied_to_the_printed_formulas():
    claim = find(f"{ID}-amended")
    assert all(follows(claim, name) for name in ("loss", "first_derivative", "second_derivative"))
    moved = with_formula(claim, "second_derivative", lambda m, h, kernel_value: 2 * kernel_value / h)
    decide = judge_of(claim.id)
    assert decide is not None
    assert not follows(moved, "second_derivative")
    assert fold(decided(moved, decide)) is Verdict.REFUTED
