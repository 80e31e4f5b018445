"""Pairs of doubles: sums and products lose nothing, functions keep 80 binary digits."""

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpsco.fast import pairs as fast
from dpsco.reference.numbers.mp import mp

M = mp(60)
SURE = M.real(2) ** -80
doubles = st.floats(-1e100, 1e100).filter(lambda x: x == 0 or abs(x) > 1e-100)
logarithms = st.floats(1e-300, 1e300)


def whole(pair):
    return Fraction(pair[0]) + Fraction(pair[1])


def real(pair):
    return M.real(pair[0]) + M.real(pair[1])


@given(doubles, doubles)
def test_a_sum_and_a_product_of_doubles_are_exact(a: float, b: float):
    assert whole(fast.plus(a, b)) == Fraction(a) + Fraction(b)
    assert whole(fast.times(a, b)) == Fraction(a) * Fraction(b)


@given(doubles, doubles, doubles, doubles)
def test_sums_and_products_of_pairs(a: float, b: float, c: float, d: float):
    x, y = fast.plus(a, b), fast.plus(c, d)
    for got, right, size in (
        (fast.sum_of(x, y), whole(x) + whole(y), abs(whole(x)) + abs(whole(y))),
        (fast.product_of(x, y), whole(x) * whole(y), abs(whole(x) * whole(y))),
        (fast.scaled(x, c), whole(x) * Fraction(c), abs(whole(x) * Fraction(c))),
    ):
        assert abs(whole(got) - right) <= size * Fraction(1, 2**100)
        assert abs(got[1]) <= math.ulp(got[0]) / 2


@given(doubles.filter(bool), doubles, doubles.filter(bool), doubles)
def test_ratios_and_roots_of_pairs(a: float, b: float, c: float, d: float):
    x, y = fast.plus(a, b), fast.plus(c, d)
    if x[0] and y[0] and abs(x[0] / y[0]) < 1e150 and abs(y[0] / x[0]) < 1e150:
        assert abs(real(fast.ratio_of(x, y)) - real(x) / real(y)) <= SURE * abs(real(x) / real(y))
    root = M.sqrt(abs(real(x)))
    assert abs(real(fast.root_of(x if x[0] >= 0 else (-x[0], -x[1]))) - root) <= SURE * root if x[0] else True


@given(st.lists(st.tuples(doubles, doubles), min_size=1, max_size=20))
def test_long_sums(terms: list[tuple[float, float]]):
    rounding = Fraction(1, 2**90)
    total = (0.0, 0.0)
    for a, b in terms:
        total = fast.more(total, a, b)
    right = [Fraction(a) * Fraction(b) for a, b in terms]
    assert abs(whole(total) - sum(right)) <= rounding * sum(map(abs, right))
    found = fast.total_of(np.array([a for a, _ in terms]))
    assert abs(whole(found) - sum(Fraction(a) for a, _ in terms)) <= rounding * sum(abs(Fraction(a)) for a, _ in terms)


def test_what_is_too_large_to_be_split_is_a_double():
    assert fast.more((0.0, 0.0), 1e305, 0.5) == (5e304, 0.0)
    assert fast.more((0.0, 0.0), 1e305, 1e305)[0] == math.inf


@given(st.one_of(st.floats(-700, 700), st.floats(-1, 1), st.floats(1e-290, 1e-3)).filter(lambda x: x == 0 or abs(x) > 1e-290))
def test_an_exponential_less_one(x: float):
    right = M.expm1(M.real(x))
    assert abs(real(fast.expm1_of(x)) - right) <= SURE * abs(right)


@given(logarithms, st.floats(-0.5, 0.5))
def test_a_logarithm(x: float, share: float):
    pair = (x, share * math.ulp(x))
    assert abs(real(fast.log_of(pair)) - M.log(real(pair))) <= SURE


@given(st.floats(-700, 700), st.floats(-0.5, 0.5))
def test_an_exponential_of_a_pair(x: float, share: float):
    pair = (x, share * math.ulp(x))
    right = M.exp(real(pair))
    assert abs(M.real(fast.exp_of(pair)) - right) <= 2 * M.real(2) ** -53 * right


def test_control_a_double_alone_keeps_fewer_digits():
    for x in (0.1, 3.0, 300.0):
        for got, right in ((fast.expm1_of(x), M.expm1(M.real(x))), (fast.log_of((x, 0.0)), M.log(M.real(x)))):
            assert abs(M.real(got[0]) - right) > SURE * abs(right)
