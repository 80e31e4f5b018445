"""Slopes: exact on power laws, shifted by a tilt, with intervals that cover as often as they say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.rates.slopes import coefficients, fit, slope_of, tilted

AXIS = [10.0, 20.0, 50.0, 100.0]


def generator(*key):
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(key)))


@given(
    st.floats(-3, 3),
    st.floats(-20, 20),
    st.lists(st.floats(0.1, 1e4), min_size=2, max_size=8, unique=True).filter(lambda a: max(a) > 1.1 * min(a)),
    st.floats(0, 1),
)
def test_a_power_law_has_its_exponent(exponent, log_scale, axis, error):
    at = np.array(axis)
    c = coefficients(at, np.linspace(0, error, at.size))
    assert slope_of(np.exp(log_scale) * at**exponent, c) == pytest.approx(exponent, abs=1e-7)


@settings(max_examples=10)
@given(st.integers(0, 10**6), st.floats(-1, 1))
def test_a_tilt_moves_slope_and_interval_by_its_exponent(seed, by):
    risks = generator(seed).gamma(2.0, size=(32, 1)) * np.array(AXIS) ** -0.5
    before, after = fit(AXIS, risks, seed), fit(AXIS, tilted(AXIS, risks, by), seed)
    for name in ("slope", "low", "high"):
        assert getattr(after, name) - getattr(before, name) == pytest.approx(by, abs=1e-6)


def risks_of(trial, R, exponent=-1.0):
    """Skewed risks that share a factor across the grid, as common random numbers make them."""
    stream = generator(7, trial)
    shared = stream.exponential(size=(R, 1))
    return (0.5 * shared + 0.5 * stream.exponential(size=(R, 4))) * np.array(AXIS) ** exponent


def covered(trials, R, stretch=1.0):
    slopes = means = 0
    for trial in range(trials):
        line = fit(AXIS, risks_of(trial, R))
        slopes += line.slope - stretch * (line.slope - line.low) <= -1 <= line.slope + stretch * (line.high - line.slope)
        truth = np.array(AXIS) ** -1.0
        means += bool(((line.lower <= truth) & (truth <= line.upper)).all())
    return slopes, means


def test_intervals_cover():
    slopes, means = covered(60, 64)
    # at the stated 99 %, fewer than 56 of 60 have a probability below 1e-3; all eight limits of 99.9 % hold in 99.2 %
    assert slopes >= 56
    assert means >= 55


def test_intervals_of_a_third_do_not_cover():
    slopes, _ = covered(60, 64, stretch=1 / 3)
    assert slopes < 52


def test_limits_are_no_narrower_than_normal_theory():
    x = risks_of(0, 64)
    line = fit(AXIS, x)
    error = x.std(axis=0, ddof=1) / 8
    assert (line.upper - line.means >= 3.09 * error).all()
    assert (line.means - line.lower >= 3.09 * error).all()


def test_risks_without_spread_have_a_point_for_an_interval():
    line = fit(AXIS, np.ones((16, 1)) * np.array(AXIS) ** -0.5)
    assert line.low == pytest.approx(-0.5)
    assert line.high == pytest.approx(-0.5)


@pytest.mark.parametrize(
    ("axis", "risks"),
    [
        (AXIS, np.ones((15, 4))),
        (AXIS, np.ones((20, 3))),
        (AXIS, np.zeros((20, 4))),
        (AXIS, np.full((20, 4), np.inf)),
        ([1.0, 1.0, 1.0, 1.0], np.ones((20, 4))),
        ([-1.0, 1.0, 2.0, 3.0], np.ones((20, 4))),
    ],
)
def test_what_has_no_slope_is_refused(axis, risks):
    with pytest.raises(ValueError, match=r"risks|axis"):
        fit(axis, risks)
