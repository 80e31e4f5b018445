"""Group privacy: the kernel, the bound against chains that attain it, and adjacency from adjacency."""

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.fast.privacy import group as fast
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.reference.privacy import finite
from dpsco.reference.privacy import group as reference

magnitudes = st.floats(-12, 2.8).map(lambda e: 10.0**e)
deltas = st.floats(-300, -0.001).map(lambda e: 10.0**e)
LARGEST_ERROR = 8.0


@given(magnitudes, deltas, st.integers(1, 10**6))
def test_fast_matches_reference(epsilon: float, delta: float, distance: int):
    m = mp(80)
    exact = reference.delta_at_distance(m, m.real(epsilon), m.real(delta), m.real(distance))
    assert abs(m.real(fast.delta_at_distance(epsilon, delta, distance)) - exact) <= LARGEST_ERROR * math.ulp(float(exact))


def test_a_wrong_power_would_be_seen():
    m = mp(60)
    exact = reference.delta_at_distance(m, m.real("0.3"), m.real("1e-6"), m.real(7))
    assert abs(m.real(fast.delta_at_distance(0.3, 1e-6, 8)) - exact) > LARGEST_ERROR * math.ulp(float(exact))
    assert all(math.isnan(fast.delta_at_distance(*bad)) for bad in ((0.0, 0.1, 1), (1.0, 1.0, 1), (1.0, 0.1, 0)))


@given(magnitudes, deltas, st.integers(1, 200))
def test_published_form_is_never_smaller(epsilon: float, delta: float, distance: int):
    m = arb(192)
    e, d = m.real(epsilon), m.real(delta)
    assert m.lt(reference.published(m, e, d, distance), reference.delta_at_distance(m, e, d, distance)) is False


def chain(start: Fraction, factor: int, delta: Fraction, length: int) -> tuple[finite.Mechanism, finite.Relation]:
    """The mechanism that answers whether the event happened, on data sets 0, ..., length with neighbours next to each other."""
    probabilities = list(reference.growth(start, factor, delta, length))
    rows = {(j,): (1 - p, p) for j, p in enumerate(probabilities)}
    return rows, lambda a, b: abs(int(str(a[0])) - int(str(b[0]))) == 1


@given(st.integers(2, 5), st.integers(20, 60), st.integers(1, 5))
def test_bound_is_attained_exactly(factor: int, smallness: int, distance: int):
    delta = Fraction(1, 2**smallness)
    rows, adjacent = chain(Fraction(0), factor, delta, distance)
    assert finite.least_delta(rows, adjacent, factor) == delta
    far = finite.divergence(rows[(distance,)], rows[(0,)], factor**distance)
    assert far == delta * Fraction(factor**distance - 1, factor - 1)


@given(st.integers(2, 5), st.integers(1, 6))
def test_pure_bound_is_attained_exactly(factor: int, distance: int):
    """delta = 0: the event's probability grows by e^epsilon at every step, so no less than k epsilon is left."""
    rows, adjacent = chain(Fraction(1, factor ** (distance + 1)), factor, Fraction(0), distance)
    assert finite.least_factor(rows, adjacent) == factor
    assert rows[(distance,)][1] / rows[(0,)][1] == factor**distance
    assert finite.divergence(rows[(distance,)], rows[(0,)], factor**distance) == 0
    assert finite.divergence(rows[(distance,)], rows[(0,)], Fraction(factor**distance * 999, 1000)) > 0


def test_randomised_response_attains_it_on_several_bits():
    """Each bit answered by randomised response: data sets that differ in k bits have a quotient of exactly e^(k epsilon)."""
    one = {0: (Fraction(3, 4), Fraction(1, 4)), 1: (Fraction(1, 4), Fraction(3, 4))}
    rows: dict[finite.Data, finite.Row] = {
        bits: tuple(math.prod((one[b][o] for b, o in zip(bits, out, strict=True)), start=Fraction(1)) for out in OUTS)
        for bits in OUTS
    }
    for k in (1, 2, 3):
        assert finite.least_factor(rows, finite.at_distance(rows, finite.replace_one, k)) == 3**k


OUTS = list(product((0, 1), repeat=3))


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=4, max_size=4), st.integers(1, 4))
def test_group_privacy_as_a_law(table: list[list[int]], factor: int):
    """Any mechanism on a chain of four data sets: its delta at each distance is within the bound at its own delta."""
    rows = {(j,): tuple(Fraction(x + 1, sum(row) + 3) for x in row) for j, row in enumerate(table)}

    def adjacent(a: finite.Data, b: finite.Data) -> bool:
        return abs(int(str(a[0])) - int(str(b[0]))) == 1

    delta = finite.least_delta(rows, adjacent, factor)
    for k in (1, 2, 3):
        found = finite.least_delta(rows, finite.at_distance(rows, adjacent, k), factor**k)
        assert found <= delta * sum(factor**j for j in range(k))


def test_a_bound_with_one_power_less_is_broken():
    """Negative control of the law: delta (e^((k-1) epsilon) - 1)/(e^epsilon - 1) is exceeded by the chain."""
    delta = Fraction(1, 10**6)
    rows, adjacent = chain(Fraction(0), 2, delta, 3)
    found = finite.least_delta(rows, finite.at_distance(rows, adjacent, 3), 8)
    assert delta * (1 + 2) < found == delta * (1 + 2 + 4)


@pytest.mark.parametrize("factor", [2, 3, 5])
def test_add_remove_gives_replace_one_and_no_better(factor: int):
    """(e, d) for add-remove is (2e, (1 + e^e) d) for replaced records, attained through the data set without the record."""
    delta = Fraction(1, 10**4)
    p = list(reference.growth(Fraction(0), factor, delta, 2))
    rows: finite.Mechanism = {("a",): (1 - p[0], p[0]), (): (1 - p[1], p[1]), ("b",): (1 - p[2], p[2])}
    assert finite.least_delta(rows, finite.add_remove, factor) == delta
    assert finite.least_delta(rows, finite.replace_one, factor**2) == (1 + factor) * delta
    assert finite.least_delta(rows, finite.replace_one, factor) > delta
    m = arb(192)
    assert m.eq(reference.delta_at_distance(m, m.log(factor), m.real(delta), 2), (1 + factor) * m.real(delta)) is not False


def test_near_certainty_the_complement_limits_what_an_event_gains():
    """From 9/10 the event could double; that its complement at most halves allows 19/20 only."""
    assert list(reference.growth(Fraction(9, 10), Fraction(2), Fraction(0), 2)) == [
        Fraction(9, 10),
        Fraction(19, 20),
        Fraction(39, 40),
    ]
