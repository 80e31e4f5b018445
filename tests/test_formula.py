"""Arguments by name; the thresholds that a condition's comparisons have on their right side, exactly and in balls."""

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.formula import apply, quantity, threshold, thresholds
from dpsco.mutant import changed
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.numbers import names_of
from dpsco.spec.register import find


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


def between(m, n, low, high):
    return m.all(m.le(low, n), m.le(n, high))


def test_several_comparisons_in_their_order():
    n, low, high = sympy.symbols("n low high", positive=True)
    given = {"n": n, "low": low, "high": high}
    assert thresholds("le", between, symbolic(), given) == [n, high]
    assert threshold("le", between, symbolic(), given) == high
    assert thresholds("ge", between, symbolic(), given) == []


def test_arguments_are_read_behind_the_context_and_through_a_mutant():
    claim = find("quantile/lem-3.1-1")
    moved = changed(claim, next(iter(claim.formulas)), lambda m, value, given: 2 * value)
    for name, formula in claim.formulas.items():
        assert names_of(moved.formulas[name]) == names_of(formula)
    for predicate in claim.preconditions:
        assert predicate.names == names_of(predicate.test)
    assert names_of(large) == ("n", "d")
    assert names_of(lambda m: m.pi) == ()


def test_a_quantity_is_a_formula_or_a_value():
    claim, m = find("newsvendor/thm-6"), symbolic()
    values = symbols_of(claim.parameters)
    for name, formula in claim.formulas.items():
        assert quantity(claim, name, m, values) == apply(formula, m, values)
    for name, symbol in values.items():
        assert quantity(claim, name, m, values) == symbol
    with pytest.raises(KeyError):
        quantity(claim, "no such quantity", m, values)
