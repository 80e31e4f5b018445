"""The calibrated descent: verdicts and mutants, and what every private algorithm keeps, counted by another route."""

import math
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.algorithms.bilevel_descent.averaged_gradients import beyond, shares
from dpsco.arguments.algorithms.bilevel_descent.private_wells import RUNS, kept, too_small
from dpsco.arguments.algorithms.bilevel_descent.two_stages import start_gap
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled
from dpsco.mutants.algorithms.bilevel_descent import calibrated as mutants
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.bilevel_descent import calibrated as spec
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold

DESCENT, WARM, LEAST = "bilevel/thm-4.2-amended", "bilevel/thm-4.3-amended", "bilevel/eq-3-amended"


@pytest.mark.parametrize(("id", "killed"), [(DESCENT, 9), (WARM, 9), (LEAST, 5)])
def test_amendments_are_certified_with_their_mutants_killed(id: str, killed: int):
    found = judge(id)
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == killed
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(found.mutants)


def test_shares_leave_nothing_over():
    found = shares(find(DESCENT), "bound")
    assert found is not None
    assert found.total == 1
    less = shares(scaled(find(DESCENT), "bound", 99, 100), "bound")
    assert less is not None
    assert less.total > 1
    decide = judge_of(DESCENT)
    assert decide is not None
    assert fold(decided(scaled(find(DESCENT), "bound", 99, 100), decide)) is Verdict.OPEN  # not proved, not contradicted


def test_output_among_later_iterates_is_refuted():
    claim = find(DESCENT)
    later = replace(claim, over=tuple(text for text in claim.over if text != spec.FROM_START))
    assert beyond(claim, "bound") is None
    assert beyond(later, "bound") is not None
    assert mutants.rest_exceeds(later, "1", "1000", "1e-30")
    assert not mutants.rest_exceeds(claim, "1", "1000", "1e-30")


@given(epsilon=st.floats(1e-3, 1e4), log_delta=st.floats(1e-3, 90))
def test_noise_factor(epsilon: float, log_delta: float):
    """w^2 <= 2 ln(1/delta) + epsilon, and 4 sqrt(T) K w/(n epsilon) is calibrated: mu = epsilon/w, b = epsilon/mu - mu/2."""
    m = mp(40)
    delta = m.exp(-m.real(log_delta))
    w = spec.noise_factor(m, epsilon=m.real(epsilon), delta=delta)
    assert w**2 <= (2 * m.real(log_delta) + m.real(epsilon)) * (1 + m.real("1e-30"))
    mu = m.real(epsilon) / w
    assert abs(m.real(epsilon) / mu - mu / 2 - m.sqrt(2 * m.real(log_delta))) < m.real("1e-25") * (1 + w)


@pytest.mark.parametrize(("epsilon", "delta"), [("0.1", "1e-5"), ("1", "0.5"), ("50", "1e-10")])
def test_noise_of_the_second_stage_by_quadrature(epsilon: str, delta: str):
    m = mp(40)
    at = {"n": 1000, "epsilon": epsilon, "delta": delta, "K": 7, "T": 9}
    noise = spec.second_noise(m, **{name: m.real(x) for name, x in at.items()})
    mu = 3 * 4 * m.real(7) / 1000 / noise  # sqrt(T) = 3, sensitivity 4K/n
    assert hockey_stick(mu, m.real(epsilon) / 2) <= m.real(delta)
    assert hockey_stick(8 * mu, m.real(epsilon) / 2) > m.real(delta)


@given(epsilon=st.floats(0.01, 3), wells=st.integers(2, 12))
def test_wells_against_the_best_private_answer(epsilon: float, wells: int):
    """Randomised response among M wells, the best for n = 1, delta = 0, misses with probability above 1 - e^epsilon/M."""
    missed = 1 - math.exp(epsilon) / (math.exp(epsilon) + wells - 1)
    assert missed >= 1 - math.exp(epsilon) / wells


def test_codewords_are_far_apart_and_many():
    """d = 16: greedily chosen signs at Hamming distance 4 at least; more than e^{d/8}; points at distance 1 at least."""
    chosen: list[int] = []
    for word in range(2**16):
        if all((word ^ other).bit_count() >= 4 for other in chosen):
            chosen.append(word)
        if len(chosen) > 30:
            break
    assert len(chosen) >= math.exp(2)
    for a, b in combinations(chosen, 2):
        assert 4 * (a ^ b).bit_count() / 16 >= 1
    m = arb(128)
    run = {name: m.real(value) for name, value in {**RUNS[3], "d_x": "16"}.items()}
    assert float(kept(m, run).mid()) == pytest.approx(1 - math.exp(1e-9) / math.exp(2), rel=1e-9)


def test_no_well_contradicts_the_amendments():
    assert too_small(find(WARM), "bound") is None
    assert too_small(find(LEAST), "bound") is None
    assert too_small(scaled(find(WARM), "bound", 1, 200), "bound") is not None


def test_gap_at_the_start_is_read():
    assert start_gap(find(WARM))
    assert not start_gap(scaled(find(WARM), "gap_bound_chosen", 9, 10))
    assert not start_gap(scaled(find(WARM), "log_weight", 9, 10))
