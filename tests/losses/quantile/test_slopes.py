"""The table of derivatives: fast against literal, each loss against its own room, the kink, names that are none."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.fast.losses.moreau import envelope as fast_envelope
from dpsco.fast.losses.quantile import slopes as fast
from dpsco.fast.losses.quantile import smoothing as fast_smoothing
from dpsco.reference.losses.quantile import slopes as reference
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.losses.quantile import slopes as spec

BUDGET = 4.0


@given(seed=st.integers(0, 10**9))
@settings(max_examples=200)
def test_fast_matches_reference(seed):
    given_ = spec.slope.generate(Random(seed))
    assert error(spec.slope, reference.slope, given_, fast.slope(**given_)) <= BUDGET


def test_fast_matches_reference_on_hard_residuals():
    for given_ in spec.slope.hard:
        assert error(spec.slope, reference.slope, given_, fast.slope(**given_)) <= BUDGET, given_


@pytest.mark.parametrize("moved", [{"loss": "moreau"}, {"h": 0.5 * (1 + 1e-13)}, {"r": 0.3 * (1 + 1e-13)}])
def test_a_moved_argument_is_noticed(moved):
    case = {"loss": "logistic", "u": 0.2, "h": 0.5, "r": 0.3}
    assert error(spec.slope, reference.slope, case, fast.slope(**case)) <= BUDGET
    assert error(spec.slope, reference.slope, case, fast.slope(**{**case, **moved})) > BUDGET


@pytest.mark.parametrize("u", [-3.0, -0.2, 0.0, 0.2, 3.0])
def test_each_loss_has_its_own_rooms_derivative(u):
    assert all(fast.slope(kernel, u, 0.5, 0.3) == fast_smoothing.derivative(kernel, u, 0.5, 0.3) for kernel in KERNELS)
    assert fast.slope("moreau", u, 0.5, 0.3) == fast_envelope.derivative(u, 0.5, 0.3)
    assert fast.slope("check", u, 0.5, 0.25) == (u > 0) * 0.25 - (u < 0) * 0.75


@given(u=st.floats(-5, 5), r=st.floats(0.05, 0.95), w=st.floats(0.1, 4))
def test_the_envelope_is_the_uniform_kernel_moved(u, r, w):
    """slope("moreau", u, w) = slope("uniform", u - w (r - 1/2), w/2): another way to the same number."""
    m = mp(60)
    envelope, _ = reference.slope(m, "moreau", m.real(u), m.real(w), m.real(r))
    moved = m.real(u) - m.real(w) * (m.real(r) - m.frac(1, 2))
    uniform, _ = reference.slope(m, "uniform", moved, m.real(w) / 2, m.real(r))
    assert abs(envelope - uniform) < m.real("1e-50")


def test_the_kink_is_decided_in_ball_arithmetic():
    m = arb(128)
    found = [reference.slope(m, "check", m.real(u), m.real(1), m.frac(1, 4))[0] for u in (-1, 0, 1)]
    assert [float(slope.mid()) for slope in found] == [-0.75, 0, 0.25]


@pytest.mark.parametrize("run", [fast.slope, lambda *given: reference.slope(mp(), *given)], ids=["fast", "reference"])
def test_an_unknown_loss_is_refused(run):
    with pytest.raises(ValueError, match="loss='box': must be one of gaussian"):
        run("box", 1.0, 1.0, 0.5)
