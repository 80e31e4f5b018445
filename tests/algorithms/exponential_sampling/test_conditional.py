"""Draws from an interval against the literal ones; the normal tail and its inverse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.fast.algorithms.exponential_sampling import conditional
from dpsco.reference.algorithms.exponential_sampling import conditional as literal
from dpsco.reference.numbers.mp import mp


@given(st.floats(-50, 50), st.floats(-9, 6), st.floats(0, 1.9), st.floats(0.01, 2), st.floats(1e-12, 1 - 1e-12), st.booleans())
def test_conditional_against_the_literal_one(p: float, digits: float, left: float, width: float, uniform: float, flat: bool):
    q, low = 0.0 if flat else 10.0**digits, left - 1
    m = mp(60)
    found = conditional.conditional(p, q, low, low + width, uniform)
    exact = literal.conditional(m, *(m.real(v) for v in (p, q, low, low + width, uniform)))
    assert abs(found - float(exact)) <= 2e-14 * max(1, width)


@pytest.mark.parametrize("z", [0.0, 1e-9, 0.3, 0.66, 0.70711, 3.0, 5.6, 5.7, 8.0, 20.0, 36.9])
def test_tails_and_their_inverse(z: float):
    exact = float(mp(40).Phi(-mp(40).real(z)))
    assert conditional.half_tail(z) == pytest.approx(exact, rel=max(4e-16, z * z * 2.3e-16))
    if exact > 1e-290:
        assert conditional.from_tail(min(0.5, exact)) == pytest.approx(z, rel=1e-14, abs=1e-15)
