"""Amplification by shuffling: profiles against enumeration, lemmas against profiles, and the judged claim."""

from dataclasses import replace
from itertools import permutations
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.arguments.privacy.shuffled import ADDED, HIDDEN
from dpsco.fast.privacy import shuffling as fast
from dpsco.judges.privacy.shuffling import instances
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate
from dpsco.mutants.privacy.shuffling import MANY, outgrows
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.reference.privacy import shuffling as reference
from dpsco.spec.claim import Adjacency
from dpsco.spec.domain import reals
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold


def hockey(p, q, epsilon: float) -> float:
    """The larger of both directions of sum max(0, p - e^epsilon q)."""
    sides = [sum(max(0.0, a.get(z, 0.0) - exp(epsilon) * b.get(z, 0.0)) for z in {*a, *b}) for a, b in ((p, q), (q, p))]
    return max(sides)


def released(randomiser, records) -> dict:
    """Law of the outputs in the order they were computed: every permutation, every output, by brute force.

    `randomiser(earlier, record)` is a dict from outputs to probabilities.
    """
    law: dict = {}
    orders = list(permutations(range(len(records))))
    for order in orders:
        states = {(): 1 / len(orders)}
        for at in order:
            states = {
                (*z, y): share * chance for z, share in states.items() for y, chance in randomiser(z, records[at]).items()
            }
        for z, share in states.items():
            law[z] = law.get(z, 0.0) + share
    return law


def answers(k: int, epsilon_0: float):
    """k-ary randomised response."""
    low = 1 / (exp(epsilon_0) + k - 1)
    return lambda earlier, record: {y: low * (exp(epsilon_0) if y == record else 1) for y in range(k)}


def turning(epsilon_0: float):
    """Adaptive: which answer is likely, and how likely, depends on the outputs before it."""

    def randomiser(earlier, record):
        strength = epsilon_0 / (1 + sum(earlier) % 2)
        likely = (record + len(earlier) + sum(earlier)) % 2
        return {y: (exp(strength) if y == likely else 1) / (exp(strength) + 1) for y in range(2)}

    return randomiser


def pair_of_clones(m, epsilon, epsilon_0, n: int):
    """The dominating pair's profile by summing over its outcomes."""
    share, up = m.exp(-epsilon_0), m.exp(epsilon_0) / (m.exp(epsilon_0) + 1)
    laws = ({}, {})
    for c in range(n):
        for a in range(c + 1):
            weight = m.binomial(n - 1, c) * share**c * (1 - share) ** (n - 1 - c) * m.binomial(c, a) / m.real(2) ** c
            for d, chance in ((1, up), (0, 1 - up)):
                for law, z in zip(laws, ((a + d, c - a + 1 - d), (a + 1 - d, c - a + d)), strict=True):
                    law[z] = law.get(z, m.real(0)) + weight * chance
    p, q = laws
    return sum((m.max(m.real(0), p.get(z, 0) - m.exp(epsilon) * q.get(z, 0)) for z in {*p, *q}), start=m.real(0))


@pytest.mark.parametrize("n", [1, 2, 3, 7])
@pytest.mark.parametrize(("epsilon", "epsilon_0"), [("0", "1"), ("0.2", "1"), ("1.9", "2"), ("3", "2"), ("0.001", "0.01")])
def test_literal_sums_match_enumeration(n: int, epsilon: str, epsilon_0: str):
    m = mp(50)
    e, one = m.real(epsilon), m.real(epsilon_0)
    assert reference.clones(m, e, one, n)[0] == pytest.approx(pair_of_clones(m, e, one, n), rel=1e-40, abs=1e-45)
    if n < 5:
        zeros = [0] * (n - 1)
        law, other = (released(answers(2, float(one)), [x, *zeros]) for x in (0, 1))
        assert float(reference.binary(m, e, one, n)[0]) == pytest.approx(hockey(law, other, float(e)), rel=1e-9, abs=1e-13)


@settings(max_examples=30)
@given(st.floats(0.05, 4), st.floats(0, 1), st.integers(1, 4), st.integers(2, 4), st.integers(0, 63))
def test_no_mechanism_loses_more_than_the_clones(epsilon_0: float, share: float, n: int, k: int, others: int):
    rest = [(others // 4**i) % k for i in range(n - 1)]
    bound = fast.clones(share * epsilon_0, epsilon_0, n)
    for randomiser, inputs in ((answers(k, epsilon_0), k), (turning(epsilon_0), 2)):
        law, other = (released(randomiser, [x, *(y % inputs for y in rest)]) for x in (0, 1))
        assert hockey(law, other, share * epsilon_0) <= bound + 1e-12


def test_one_record_more_is_too_little():
    """Negative control: the bound for one more record is violated, and alone it is randomised response."""
    law, other = (released(answers(2, 1.0), [x, 0]) for x in (0, 1))
    assert hockey(law, other, 0.1) > fast.clones(0.1, 1.0, 3)
    assert fast.clones(0.1, 1.0, 1) == pytest.approx((exp(1) - exp(0.1)) / (exp(1) + 1), rel=1e-15)


@pytest.mark.parametrize(
    ("epsilon", "epsilon_0", "n"), [(0.01, 1.0, 10**6), (0.3, 8.0, 10**6), (0.02, 0.5, 10**4), (0.0, 0.01, 10**5)]
)
def test_enclosures_for_many_records(epsilon: float, epsilon_0: float, n: int):
    m = arb(256)
    low, high = reference.delta_bound(m, m.real(epsilon), m.real(epsilon_0), n)
    assert m.lt(low, high) is True
    assert float(high.rad()) < 1e-15 * float(high.mid())
    assert fast.clones(epsilon, epsilon_0, n) == pytest.approx(float(high.mid()), rel=1e-10)
    assert fast.binary(epsilon, epsilon_0, n) == pytest.approx(float(low.mid()), rel=1e-10)


@given(st.floats(0.01, 6), st.floats(0, 0.99), st.integers(1, 40))
def test_enclosures_hold_the_literal_sums(epsilon_0: float, share: float, n: int):
    m, exact = arb(256), mp(70)
    e, one = share * epsilon_0, epsilon_0
    low, high = reference.delta_bound(m, m.real(e), m.real(one), n)
    for ball, sums in ((high, reference.clones), (low, reference.binary)):
        value = sums(exact, exact.real(e), exact.real(one), n)[0]
        assert float(ball.mid()) == pytest.approx(float(value), rel=1e-12, abs=1e-60)


@pytest.mark.parametrize(("low", "high"), [(960, 1999), (0, 1060), (950, 1050)])
def test_clones_that_are_not_looked_at_are_charged(low: int, high: int, monkeypatch: pytest.MonkeyPatch):
    """n = 2000, half of the others are clones in the mean: windows that leave out a part of the probability."""
    m, n = arb(192), 2000
    at = (m.real("0.05"), m.log(m.real(2)))
    true = reference.delta_upper(m, *at, n)
    weight = reference._mass(m, n - 1, high, -at[1], -m.log(m.real(2)))
    monkeypatch.setattr(reference, "_window", lambda *_: (low, high, weight))
    cut = reference.delta_upper(m, *at, n)
    assert cut.contains(true)
    assert not cut.mid().overlaps(true)


@pytest.mark.parametrize("n", [2, 9, 30])
def test_ties_are_enclosed(n: int):
    """tanh(epsilon/2) / tanh(epsilon_0/2) = 1/3: the likelihood ratio is e^epsilon exactly at some outcomes."""
    m, exact = arb(192), mp(80)
    high = reference.delta_upper(m, m.log(m.frac(7, 5)), m.log(m.real(3)), n)
    value = pair_of_clones(exact, exact.log(exact.frac(7, 5)), exact.log(exact.real(3)), n)
    assert float(high.mid()) == pytest.approx(float(value), rel=1e-15)


@pytest.mark.parametrize(
    ("name", "values"), [("epsilon", (-1, 1, 3)), ("epsilon_0", (0, 0, 3)), ("n", (0, 1, 0)), ("n", (0, 1, 2.0))]
)
def test_numbers_outside_the_domain_are_refused(name: str, values):
    with pytest.raises(ValueError, match=name):
        reference.delta_upper(arb(), *values)
    with pytest.raises(ValueError, match="delta_0"):
        reference.delta_upper_approximate(arb(), arb().real(0), arb().real(1), arb().real(2), 3)


def test_hidden_constants():
    """The lemmas against the enclosed profile at hard instances; the published closed form too; a constant of 1 fails."""
    too_small = 0
    for at in instances():
        m = arb()
        one, delta, n = m.real(at["epsilon_0"]), m.real(at["delta"]), int(at["n"])
        scale = (1 - m.exp(-one)) * m.sqrt(m.exp(one) * m.log(1 / delta) / n)
        assert m.le(reference.delta_upper(m, HIDDEN * scale, one, n), delta) is True
        assert m.le(reference.delta_upper(m, reference.epsilon_closed_form(m, delta, one, m.real(n)), one, n), delta) is True
        assert m.ge(reference.delta_lower(m, m.real(0), one, n), m.frac(3, 20) * (1 - m.exp(-one)) * m.sqrt(m.exp(one) / n))
        too_small += m.gt(reference.delta_lower(m, scale, one, n), delta) is True
    assert too_small > 3
    m = arb(512)
    assert m.gt(reference.delta_lower(m, m.real("0.014"), m.real(1), 19200), m.exp(m.real(-100))) is True
    assert m.le(reference.delta_upper(m, m.real(0), m.real(1), 32), m.real("0.42")) is True


@given(st.floats(0.05, 3), st.floats(0, 1), st.floats(0, 0.5), st.integers(1, 4))
def test_approximate_randomisers_add_no_more_than_the_lemma(epsilon_0: float, share: float, delta_0: float, n: int):
    """Randomised response that says its record outright with probability delta_0."""

    def randomiser(earlier, record):
        plain = answers(2, epsilon_0)(earlier, record)
        return {**{y: (1 - delta_0) * chance for y, chance in plain.items()}, ("plain", record): delta_0}

    epsilon = share * epsilon_0
    law, other = (released(randomiser, [x, *([0] * (n - 1))]) for x in (0, 1))
    lost = hockey(law, other, epsilon)
    m = arb()
    bound = reference.delta_upper_approximate(m, m.real(epsilon), m.real(epsilon_0), m.real(delta_0), n)
    assert delta_0 - 1e-12 <= lost <= float(bound) + 1e-12
    assert float(bound) <= fast.clones(epsilon, epsilon_0, n) + ADDED * exp(epsilon) * n * delta_0 + 1e-12


def test_lemma_is_certified_with_constants():
    judgement = judge("lp/lem-16")
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) == 7
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & {*judgement.mutants}
    needed = judgement.findings[0].computed
    assert needed is not None
    assert 1 < float(needed[0]) <= float(needed[1]) < HIDDEN


def test_certificate_is_void_elsewhere():
    claim, decide = find("lp/lem-16"), judge_of("lp/lem-16")
    assert decide is not None
    others = [replace(claim, preconditions=()), replace(claim, adjacency=Adjacency.ADD_REMOVE)]
    others += [replace(claim, parameters=tuple(p.within(reals) if p.name == "epsilon_0" else p for p in claim.parameters))]
    assert [fold(decided(other, decide)) for other in others] == [Verdict.OPEN] * 3


def test_printed_rate_does_not_look_outgrown():
    """Negative control of the mutants' own measure."""
    assert outgrows(find("lp/lem-16"), MANY) is None
