"""The threshold that a condition's comparison has on its right side, exactly and in balls."""

import sympy
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.formula import threshold
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic


def large(m, n, d):
    return m.ge(n, 2 * m.sqrt(d) + 1)


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_the_right_side_whatever_the_left_one(n, d):
    m = arb()
    found = threshold("ge", large, m, {"n": m.real(n), "d": m.real(d), "surplus": m.real(0)})
    assert found.overlaps(2 * m.sqrt(m.real(d)) + 1)


def test_as_an_expression():
    n, d = sympy.symbols("n d", positive=True)
    assert threshold("ge", large, symbolic(), {"n": n, "d": d}) == 2 * sympy.sqrt(d) + 1


def test_another_comparison_has_no_threshold():
    m = arb()
    assert threshold("gt", large, m, {"n": m.real(1), "d": m.real(1)}) is None
