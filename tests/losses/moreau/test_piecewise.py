"""The envelope of piecewise linear losses: reference against the definition, fast against reference, negative controls."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.fast.losses.moreau import envelope as check_fast
from dpsco.fast.losses.moreau import piecewise as fast
from dpsco.reference.losses.moreau import envelope, piecewise
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.losses.moreau import piecewise as spec

M = mp(50)
TINY = M.real("1e-40")
BUDGET = {"value": 8.0, "derivative": 2.0}
knots_and_slopes = st.lists(st.fractions(-9, 9), max_size=4, unique=True).flatmap(
    lambda knots: st.tuples(
        st.just(sorted(knots)), st.lists(st.fractions(-5, 5), min_size=len(knots) + 1, max_size=len(knots) + 1).map(sorted)
    )
)


def off(name: str, given_: dict[str, object]) -> float:
    arrays = {k: np.array(v) if isinstance(v, list) else v for k, v in given_.items()}
    return error(getattr(spec, name), getattr(piecewise, name), given_, getattr(fast, name)(**arrays))


@pytest.mark.parametrize("name", list(BUDGET))
def test_hard_and_generated_inputs(name: str):
    contract, random = getattr(spec, name), Random(3)
    tried = [*contract.hard, *(contract.generate(random) for _ in range(150))]
    worst = max(off(name, dict(i)) for i in tried)
    assert 0.4 < worst <= BUDGET[name]


@given(loss=knots_and_slopes, u=st.fractions(-20, 20), h=st.fractions(Fraction(1, 50), 50), x=st.fractions(-30, 30))
def test_reference_is_the_infimum(loss: tuple[list[Fraction], list[Fraction]], u: Fraction, h: Fraction, x: Fraction):
    """At most every objective, and at least the dual value at its own slope, which is one of the loss's: so the infimum."""
    knots, slopes = loss

    def c(z: Fraction) -> Fraction:
        return slopes[0] * z + sum(
            (b - a) * max(z - k, Fraction(0)) for k, a, b in zip(knots, slopes[:-1], slopes[1:], strict=True)
        )

    args = [M.real(u), M.real(h), [M.real(k) for k in knots], [M.real(s) for s in slopes]]
    value, terms = piecewise.value(M, *args)
    assert value <= M.real(c(x) + (u - x) ** 2 / (2 * h)) + TINY
    assert terms >= abs(value) - TINY
    slope = piecewise.derivative(M, *args)
    point = M.real(u) - M.real(h) * slope
    assert args[3][0] - TINY <= slope <= args[3][-1] + TINY
    assert abs(piecewise.loss(M, point, *args[2:]) + M.real(h) * slope**2 / 2 - value) < TINY
    other = M.real(x)  # a subgradient at the minimiser: the line through it lies below the loss
    assert piecewise.loss(M, other, *args[2:]) >= piecewise.loss(M, point, *args[2:]) + slope * (other - point) - TINY * 10**6


@given(u=st.floats(-1e3, 1e3), h=st.floats(1e-3, 1e3), r=st.floats(0.01, 0.99))
def test_the_check_loss_is_the_case_of_one_knot(u: float, h: float, r: float):
    args = (M.real(u), M.real(h))
    value, _ = piecewise.value(M, *args, [M.real(0)], [M.real(r) - 1, M.real(r)])
    assert abs(value - envelope.value(M, *args, M.real(r))) < TINY
    assert fast.value(u, h, [0.0], [r - 1, r]) == pytest.approx(check_fast.value(u, h, r), rel=1e-12, abs=1e-300)
    assert fast.derivative(u, h, [0.0], [r - 1, r]) == check_fast.derivative(u, h, r)


def test_negative_control_the_objective_at_a_rounded_minimiser_is_out_of_budget():
    u, h, s = 1e10, 1e-20, 0.7
    x = u - h * s  # rounds to u or one ulp away
    naive = s * x + (u - x + 1e-6) ** 2 / (2 * h)
    given_ = {"u": u, "h": h, "knots": [0.0], "slopes": [-0.3, s]}
    assert error(spec.value, piecewise.value, given_, naive) > 1000 * BUDGET["value"]
    assert off("value", given_) <= BUDGET["value"]


@pytest.mark.parametrize(
    ("knots", "slopes", "named"),
    [
        ([0.0], [1.0], "slopes has one entry more"),
        ([0.0, 0.0], [0.0, 1.0, 2.0], "knots rise strictly"),
        ([1.0, 0.0], [0.0, 1.0, 2.0], "knots rise strictly"),
        ([0.0], [1.0, 0.5], "slopes do not fall"),
        ([0.0], [float("nan"), 0.5], "slopes do not fall"),
    ],
)
def test_losses_are_checked(knots: list[float], slopes: list[float], named: str):
    with pytest.raises(ValueError, match=named):
        fast.value(0.0, 1.0, knots, slopes)
    with pytest.raises(ValueError, match=named):
        piecewise.value(M, M.real(0), M.real(1), [M.real(k) for k in knots], [M.real(s) for s in slopes])
