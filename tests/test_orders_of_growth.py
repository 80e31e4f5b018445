"""Orders of growth: proofs and paths agree with numbers, and neither is found where the other exists."""

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.orders_of_growth import bounded_above, exponent, form, grows, order, told

X, Y, Z = sympy.symbols("x y z", positive=True)
exponents = st.fractions(-3, 3, max_denominator=3)
monomials = st.tuples(exponents, exponents)
sums = st.lists(monomials, min_size=1, max_size=3)


def summed(parts: list[tuple[Fraction, Fraction]]) -> sympy.Expr:
    return sum((X ** sympy.Rational(str(a)) * Y ** sympy.Rational(str(b)) for a, b in parts), start=sympy.Integer(0))


@given(sums, sums)
def test_a_path_is_a_contradiction_and_its_absence_a_bound(left, right):
    """Along a path the quotient grows by its exponents; without one it stays below the number of terms everywhere tried."""
    a, b = summed(left), summed(right)
    path = grows(a, b, [])
    if path is not None:
        assert exponent(a, path) > exponent(b, path)
        return
    quotient = sympy.lambdify((X, Y), a / b)
    assert all(quotient(2.0**i, 2.0**j) <= len(left) + 1e-9 for i in range(-12, 13, 4) for j in range(-12, 13, 4))


@given(sums, sums)
def test_paths_obey_the_domain(left, right):
    domain = [form(x=1), form(x=-1, y=2)]
    path = grows(summed(left), summed(right), domain)
    if path is not None:
        x, y = path.get("x", Fraction(0)), path.get("y", Fraction(0))
        assert x >= 0
        assert 2 * y >= x


@pytest.mark.parametrize(
    ("left", "right", "domain", "bounded"),
    [
        (X * Y, X**2 + Y**2, [], True),
        (X * Y, X**2 + Y, [], False),
        (sympy.sqrt(X), X, [], False),
        (sympy.sqrt(X), X, [form(x=1)], True),
        (X / (X + Y), sympy.Integer(1), [], True),
        (1 / (X + Y), 1 / X, [], True),
        (1 / X, 1 / (X + Y), [], False),
        (sympy.Max(X, 1) ** 2, X**2 + 1, [], True),
        (sympy.sqrt(X**2 + Y), X + sympy.sqrt(Y), [], True),
        (sympy.log(2 * sympy.exp(Z)), Z, [], False),
        (Z, sympy.log(2 * sympy.exp(Z)), [], True),
    ],
)
def test_known_comparisons(left, right, domain, bounded):
    assert (grows(left, right, domain) is None) == bounded


def test_fixed_quantities_are_constants():
    assert grows(X * Y, X, []) is not None
    assert grows(X * Y, X, [], {"y"}) is None


def test_forms_and_words():
    assert bounded_above((X + Y) ** 2 / Z) == ({"x": -2, "z": 1}, {"y": -2, "z": 1})
    assert told(form(n=2, epsilon=-1, x=1)) == "epsilon = t^-1, n = t^2, x = t"


@pytest.mark.parametrize("wrong", [X - Y, sympy.log(X), sympy.sin(X), sympy.Integer(0)])
def test_what_has_no_order_is_refused(wrong):
    with pytest.raises(ValueError, match="expression="):
        order(wrong)
