"""Laws of differential privacy on finite mechanisms, exactly, each with a case that must break it."""

from fractions import Fraction
from math import comb

import numpy
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dpsco.fast.privacy import finite as fast
from dpsco.reference.numbers.mp import mp
from dpsco.reference.privacy import finite
from dpsco.reference.privacy import group as group_reference
from dpsco.spec.claim import Adjacency

RECORDS = "ab"
DATA: list[finite.Data] = [(), ("a",), ("b",), ("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")]
ADJACENCIES = tuple(dict.fromkeys(finite.RELATIONS.values()))
factors = st.integers(4, 40).map(lambda k: Fraction(k, 4))


def rows(answers: int) -> st.SearchStrategy[finite.Row]:
    weights = st.lists(st.integers(0, 9), min_size=answers, max_size=answers).filter(any)
    return weights.map(lambda w: tuple(Fraction(x, sum(w)) for x in w))


def mechanisms(answers: int) -> st.SearchStrategy[finite.Mechanism]:
    return st.tuples(*(rows(answers) for _ in DATA)).map(lambda table: dict(zip(DATA, table, strict=True)))


@given(st.data(), st.floats(0, 20))
def test_fast_matches_reference(data: st.DataObject, epsilon: float):
    size = data.draw(st.integers(1, 9))
    p, q = (numpy.array(data.draw(st.lists(st.floats(0, 1), min_size=size, max_size=size))) for _ in range(2))
    m = mp(60)
    exact, terms = finite.hockey_stick(m, [m.real(float(x)) for x in p], [m.real(float(x)) for x in q], m.real(epsilon))
    assert abs(m.real(fast.hockey_stick(p, q, epsilon)) - exact) <= 16 * terms * m.real(2) ** -53


def test_lengths_that_differ_are_refused():
    m = mp(30)
    with pytest.raises(ValueError, match="one length"):
        fast.hockey_stick(numpy.ones(2) / 2, numpy.ones(3) / 3, 1.0)
    with pytest.raises(ValueError, match="got 1 and 2"):
        finite.hockey_stick(m, [m.real(1)], [m.real(1), m.real(0)], m.real(1))


@given(rows(4), rows(4), factors)
def test_divergence_is_the_largest_event(p: finite.Row, q: finite.Row, factor: Fraction):
    """By all sixteen events, and by the other formula: max(0, p - f q) sums to the excess of the best event."""
    events = [[i for i in range(4) if chosen >> i & 1] for chosen in range(16)]
    best = max(sum((p[i] - factor * q[i] for i in event), Fraction(0)) for event in events)
    assert finite.divergence(p, q, factor) == best


@given(mechanisms(3), factors, st.data())
def test_post_processing_never_adds(mechanism: finite.Mechanism, factor: Fraction, data: st.DataObject):
    channel = [data.draw(rows(2)) for _ in range(3)]
    processed = finite.after(mechanism, channel)
    for adjacent in ADJACENCIES:
        assert finite.least_delta(processed, adjacent, factor) <= finite.least_delta(mechanism, adjacent, factor)


def test_a_channel_that_is_none_is_refused():
    constant = dict.fromkeys(DATA, (Fraction(1, 2), Fraction(1, 2)))
    half = Fraction(1, 2)
    for channel in ([(half, half)], [(half, half), (half, Fraction(1, 3))], [(half, half), (Fraction(3, 2), -half)]):
        with pytest.raises(ValueError, match="channel"):
            finite.after(constant, channel)
    with pytest.raises(ValueError, match="weights"):
        finite.mixed((half, half, half), [constant] * 3)


def test_a_channel_that_reads_the_data_again_is_caught():
    """Each data set has its own channel: the answer was private, what comes out is not, and the law says so."""
    constant = dict.fromkeys(DATA, (Fraction(1, 2), Fraction(1, 2)))
    keep, swap = [(Fraction(1), Fraction(0))] * 2, [(Fraction(0), Fraction(1))] * 2
    leaky = {data: finite.after(constant, keep if "a" in data else swap)[data] for data in DATA}
    for adjacent in ADJACENCIES:
        assert finite.least_delta(constant, adjacent, 1) == 0
        assert finite.least_delta(leaky, adjacent, 100) == 1


@given(mechanisms(3), mechanisms(3), factors, st.integers(0, 8))
def test_joint_convexity(first: finite.Mechanism, second: finite.Mechanism, factor: Fraction, part: int):
    weights = (Fraction(part, 8), 1 - Fraction(part, 8))
    mixture = finite.mixed(weights, [first, second])
    for adjacent in ADJACENCIES:
        for a, b in finite.neighbours(mixture, adjacent):
            parts = [finite.divergence(m[a], m[b], factor) for m in (first, second)]
            bound = sum((w * part for w, part in zip(weights, parts, strict=True)), Fraction(0))
            assert finite.divergence(mixture[a], mixture[b], factor) <= bound


def test_a_mixture_whose_weights_read_the_data_breaks_convexity():
    """Negative control: both parts are perfectly private, the mixture with weights from the data is not."""
    zero, one = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
    parts = [dict.fromkeys(DATA, zero), dict.fromkeys(DATA, one)]
    leaky = {data: finite.mixed(zero if "a" in data else one, parts)[data] for data in DATA}
    assert finite.least_delta(leaky, finite.replace_one, 10) == 1


@given(mechanisms(2), mechanisms(2), mechanisms(2), factors, factors)
def test_adaptive_composition_adds(
    first: finite.Mechanism, low: finite.Mechanism, high: finite.Mechanism, one: Fraction, two: Fraction
):
    """(e1, d1) then (e2, d2), chosen by the first answer, is (e1 + e2, d1 + d2)."""
    seconds = (low, high)
    both = finite.together(first, lambda answer: seconds[answer])
    for adjacent in ADJACENCIES:
        first_delta = finite.least_delta(first, adjacent, one)
        second_delta = max(finite.least_delta(second, adjacent, two) for second in seconds)
        assert finite.least_delta(both, adjacent, one * two) <= first_delta + second_delta


def test_a_sum_without_the_second_delta_is_broken():
    private = dict.fromkeys(DATA, (Fraction(1, 2), Fraction(1, 2)))
    leaky: finite.Mechanism = {data: (Fraction(1), Fraction(0)) if "a" in data else (Fraction(0), Fraction(1)) for data in DATA}
    both = finite.together(private, lambda answer: leaky)
    assert finite.least_delta(both, finite.replace_one, 4) == 1 > finite.least_delta(private, finite.replace_one, 2)


@given(mechanisms(3), factors)
def test_add_remove_implies_replace_one(mechanism: finite.Mechanism, factor: Fraction):
    """Every replacement among data sets of up to two records goes through a data set without the record."""
    delta = finite.least_delta(mechanism, finite.add_remove, factor)
    assert finite.least_delta(mechanism, finite.replace_one, factor**2) <= (1 + factor) * delta


def test_replace_one_implies_nothing_about_add_remove():
    """The number of records, released as it is: nothing changes when records are replaced, everything when one is added."""
    size = {data: tuple(Fraction(int(len(data) == k)) for k in range(3)) for data in DATA}
    assert finite.least_delta(size, finite.replace_one, 1) == 0
    assert finite.least_delta(size, finite.add_remove, 100) == 1


def test_adjacencies_are_relations_on_data():
    assert set(finite.RELATIONS) == set(Adjacency)
    assert finite.add_remove((), ("a",))
    assert finite.add_remove(("a", "b"), ("b",))
    assert not finite.add_remove(("a",), ("b",))
    assert finite.replace_one(("a", "b"), ("b", "b"))
    assert not finite.replace_one(("a", "b"), ("b", "a"))
    two = finite.at_distance(DATA, finite.add_remove, 2)
    assert two(("a",), ("b",))
    assert not two(("a", "a"), ("b", "b"))


@given(st.integers(2, 6), st.integers(0, 40))
def test_resampling_stays_within_group_privacy(factor: int, smallness: int):
    """All draws enumerated for n = 3: a count with the steepest chain, against the average of the bounds at each distance."""
    n, delta = 3, Fraction(1, 2 ** (10 + smallness))
    p = list(group_reference.growth(delta, factor, delta, n))
    data = [tuple("ab"[bits >> i & 1] for i in range(n)) for bits in range(2**n)]
    counted: finite.Mechanism = {d: (1 - p[d.count("a")], p[d.count("a")]) for d in data}
    assert finite.least_delta(counted, finite.replace_one, factor) == delta
    drawn = finite.resampled(counted)
    # e^epsilon' at w = 2 draws, three draws charged in full
    kept = delta * Fraction(factor**2 - 1, factor - 1)
    assume(kept < 1)
    assert finite.least_delta(drawn, finite.replace_one, factor**2) <= kept + Fraction(1, n**n)
    assert drawn[("a", "b", "b")][1] == sum(
        (Fraction(comb(n, c) * (n - 1) ** (n - c), n**n) * p[c] for c in range(n + 1)), Fraction(0)
    )
