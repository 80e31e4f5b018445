"""Smoothed piecewise linear functions: reference against the convolution, fast against reference, the judge, its controls."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.fast.losses.quantile import piecewise as fast
from dpsco.fast.losses.quantile import smoothing
from dpsco.instances import kernel_integrals as by_hand
from dpsco.judges.losses.quantile.piecewise import bound_is_wide, identified
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.losses.quantile.piecewise import averaged, bound, function, gap
from dpsco.reference.losses import kernels
from dpsco.reference.losses.quantile import piecewise
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.regression.inputs import inputs
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.losses.quantile import piecewise as spec
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold

M = mp(40)
ID = "quantile/sec-3.1-piecewise"
BUDGET = {"value": 9.0, "derivative": 9.0, "curvature": 9.0}
each = pytest.mark.parametrize("kernel", KERNELS)
fractions = st.fractions(-9, 9, max_denominator=64)
pieces = st.lists(st.tuples(fractions, fractions), min_size=1, max_size=5)


def off(name: str, given_: dict[str, object]) -> float:
    return error(getattr(spec, name), getattr(piecewise, name), given_, getattr(fast, name)(**given_))


@given(kernel=st.sampled_from(KERNELS), knots=st.lists(st.floats(-9, 9), max_size=4), data=st.data())
def test_fast_matches_reference(kernel: str, knots: list[float], data: st.DataObject):
    slopes = data.draw(st.lists(st.floats(-99, 99), min_size=len(knots) + 1, max_size=len(knots) + 1))
    u = data.draw(st.floats(-30, 30) | st.sampled_from([*knots, 0.0]))
    h = 10.0 ** data.draw(st.floats(-6, 6))
    for name, budget in BUDGET.items():
        assert off(name, {"kernel": kernel, "u": u, "h": h, "knots": sorted(knots), "slopes": slopes}) <= budget, name


@pytest.mark.parametrize("name", list(BUDGET))
def test_hard_and_generated_inputs(name: str):
    worst = max(off(name, dict(i)) for i in inputs(getattr(spec, name), 60, 3))
    assert 0.4 < worst <= BUDGET[name]


def test_negative_control_a_plain_distance_from_the_knot_is_out_of_budget():
    given_ = {"kernel": "gaussian", "u": 1e9, "h": 1e-7, "knots": [1e9 - 2.0**-23], "slopes": [0.0, 1.0]}
    plain = fast.derivative("gaussian", 0.1, 1.0, [0.0], [0.0, 1.0])
    assert error(spec.derivative, piecewise.derivative, given_, plain) > 1e6
    assert off("derivative", given_) <= BUDGET["derivative"]


@each
def test_reference_is_the_convolution(kernel: str):
    """E f(u - h V) by quadrature split at the knots, f by its slopes."""
    knots, slopes = [M.real(t) for t in ("-1", "0.5", "2")], [M.real(s) for s in ("-2", "1", "0.25", "3")]

    def f(x):
        ramps = zip(knots, slopes[:-1], slopes[1:], strict=True)
        return slopes[0] * x + sum((b - a) * max(x - t, 0) for t, a, b in ramps)

    for u, h in (("0.3", "0.5"), ("-1", "2"), ("7", "1.5")):
        u, h = M.real(u), M.real(h)
        kinks = [(u - t) / h for t in knots]
        mean = by_hand.mean(lambda v, u=u, h=h: f(u - h * v), kernel, "-inf", "inf", *kinks)
        assert abs(mean - piecewise.value(M, kernel, u, h, knots, slopes)[0]) < 1e-8
        step = M.real("1e-10")
        values = [piecewise.value(M, kernel, u + k * step, h, knots, slopes)[0] for k in (-1, 0, 1)]
        assert abs((values[2] - values[0]) / (2 * step) - piecewise.derivative(M, kernel, u, h, knots, slopes)[0]) < 1e-7
        bend = piecewise.curvature(M, kernel, u, h, knots, slopes)[0]
        assert abs((values[2] - 2 * values[1] + values[0]) / step**2 - bend) < 1e-7


@each
def test_one_knot_is_the_smoothed_check_loss(kernel: str):
    for u, h, r in ((0.3, 0.5, 0.2), (-4.0, 2.0, 0.9), (1.0, 1.0, 0.5)):
        assert fast.value(kernel, u, h, [0.0], [r - 1, r]) == pytest.approx(smoothing.value(kernel, u, h, r), rel=1e-14)
        assert fast.derivative(kernel, u, h, [0.0], [r - 1, r]) == pytest.approx(smoothing.derivative(kernel, u, h, r))


@given(pieces, fractions, st.fractions(Fraction(1, 64), 9, max_denominator=64))
def test_the_uniform_kernel_in_fractions(pieces_, u: Fraction, h: Fraction):
    """Another route: the average over [u - h, u + h] by the primitive; the claimed bound on the distance."""
    ordered = sorted(pieces_)
    total, slopes = Fraction(0), [Fraction(0)]
    for _, jump in ordered:
        total += jump
        slopes.append(total)
    knots = [M.real(t) for t, _ in ordered]
    computed = piecewise.value(M, "uniform", M.real(u), M.real(h), knots, [M.real(s) for s in slopes])[0]
    assert abs(M.real(averaged(u, h, tuple(ordered))) - computed) < 1e-25
    assert (
        abs(M.real(function(u, tuple(ordered))) - piecewise.function(M, M.real(u), knots, [M.real(s) for s in slopes])) < 1e-25
    )
    assert gap(u, h, tuple(ordered)) <= bound(h, tuple(ordered))


def test_the_bound_is_attained_where_knots_meet():
    together = ((Fraction(1), Fraction(2)), (Fraction(1), Fraction(3)))
    assert gap(Fraction(1), Fraction(1, 3), together) == bound(Fraction(1, 3), together)


@each
def test_convex_where_the_slopes_rise_and_not_where_they_fall(kernel: str):
    points = np.linspace(-4, 4, 81)
    rising, falling = ([-1.0, 1.0], [-2.0, 0.5, 3.0]), ([-1.0, 1.0], [3.0, 0.5, -2.0])
    assert all(fast.curvature(kernel, u, 0.7, *rising) >= 0 for u in points)
    assert all(fast.curvature(kernel, u, 0.7, *falling) <= 0 for u in points)
    ramp = [fast.curvature(kernel, u, 0.7, [-1.0, 1.0], [0.0, 1.0, 0.0]) for u in points]
    assert min(ramp) < 0 < max(ramp)
    largest = sum(abs(b - a) for a, b in ((0.0, 1.0), (1.0, 0.0))) * float(kernels.K_bar(M, kernel)) / 0.7
    assert max(map(abs, ramp)) <= largest


@pytest.mark.parametrize(
    ("knots", "slopes", "named"), [([0.0], [1.0], "one entry more"), ([1.0, 0.0], [1.0, 2.0, 3.0], "do not fall")]
)
def test_shapes_are_checked(knots: list[float], slopes: list[float], named: str):
    for name in BUDGET:
        with pytest.raises(ValueError, match=named):
            getattr(fast, name)("gaussian", 0.0, 1.0, knots, slopes)
        with pytest.raises(ValueError, match=named):
            getattr(piecewise, name)(M, "gaussian", M.real(0), M.real(1), knots, slopes)


def test_certified_with_full_power():
    judgement = judge(ID)
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) >= 10
    assert set(judgement.mutants) == {Fate.KILLED}


def test_what_is_proved_follows_the_printed_formulas():
    claim, decide = find(ID), judge_of(ID)
    assert decide is not None
    assert identified(claim)
    assert bound_is_wide(claim)
    assert bound_is_wide(scaled(claim, "largest_gap", 3, 2))
    assert not bound_is_wide(scaled(claim, "largest_gap", 99, 100))
    wider = fold(decided(scaled(claim, "largest_gap", 3, 2), decide))
    assert wider is Verdict.CERTIFIED
    turned = with_formula(claim, "smoothed", lambda m, u, mean_slope, jumps, smoothed_distances: mean_slope * u)
    assert not identified(turned)
    assert fold(decided(turned, decide)) is Verdict.REFUTED
