"""How often one of n records is drawn: the printed tails refuted, their range, and the amendments."""

from dataclasses import replace
from fractions import Fraction
from math import comb, factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.analysis.draws_tail import Names, is_binomial, largest_excess, poisson_tail, within_chernoff
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.analysis.lower_bounds.resampling import tail_is_more
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.spec.domain import nonnegative
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Verdict, fold

NEWSVENDOR, QUANTILE = "newsvendor/thm-7-binomial", "quantile/thm-3.7-binomial"
NAMES = Names("tail", "tail_bound")


def exact_tail(n: int, k: int) -> Fraction:
    return sum((Fraction(comb(n, c) * (n - 1) ** (n - c), n**n) for c in range(k, n + 1)), Fraction(0))


@pytest.mark.parametrize("id", [NEWSVENDOR, QUANTILE])
def test_printed_tail_is_refuted_where_exact_arithmetic_says_so(id: str):
    printed = judge(id)
    assert (printed.verdict, printed.proof) == (Verdict.STATED, Proof.BROKEN)
    finding = next(f for f in printed.findings if f.verdict is Verdict.REFUTED)
    assert finding.at == {"n": "100", "z": "5"}
    assert finding.computed is not None
    low, high = (Fraction(end) for end in finding.computed)
    true = exact_tail(100, 6)
    assert low <= true <= high
    assert Fraction(finding.claimed or "1") < true
    m = mp(40)
    assert m.real(true) > 2 * m.exp(-m.frac(25, 3))


def test_the_draws_at_most_are_refuted_too():
    """u = 22.83...: 23 draws or more, exactly, against gamma = 1e-23."""
    refuted = [f for f in judge(NEWSVENDOR).findings if f.verdict is Verdict.REFUTED]
    assert len(refuted) == 2
    assert refuted[1].at == {"n": "1000", "gamma": "1e-23"}
    assert exact_tail(1000, 23) > Fraction("1e-23")


@given(st.integers(1, 60), st.integers(2, 40))
def test_lemmas_by_exact_arithmetic(n: int, k: int):
    """The Poisson tail from k = 3, half at k = 2, and Chernoff's h."""
    m = mp(60)
    tail = m.real(exact_tail(n, k))
    poisson = 1 - sum((m.exp(-1) / factorial(j) for j in range(k)), start=m.real(0))
    assert tail <= (m.frac(1, 2) if k == 2 else poisson * (1 + m.real("1e-9")))
    z = m.real(k - 1)
    assert tail <= m.exp(z - (1 + z) * m.log(1 + z)) <= m.exp(-(z**2) / (2 + z))


def test_the_poisson_lemma_would_fail_one_step_on():
    """Negative control: the Poisson tail of one more draw is not a bound."""
    assert arb().real(exact_tail(1000, 3)) > poisson_tail(arb(), 4)


def test_range_of_the_printed_bound_is_exactly_up_to_four():
    claim = find(QUANTILE)
    assert largest_excess(claim, NAMES) == 4
    assert tail_is_more(claim, "tail_bound", 100, 5)
    assert not any(tail_is_more(claim, "tail_bound", 1000, z) for z in range(1, 5))
    (small,) = [f for f in judge(QUANTILE).findings if f.reading is Reading.ANOTHER]
    assert small.verdict is Verdict.CERTIFIED


@pytest.mark.parametrize(("id", "killed"), [(NEWSVENDOR, 9), (QUANTILE, 6)])
def test_amendments_are_certified_with_every_mutant_killed(id: str, killed: int):
    amended = judge(f"{id}-amended")
    assert amended.verdict is Verdict.CERTIFIED
    assert len(amended.mutants[Fate.KILLED]) == killed
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(amended.mutants)


def test_judge_reads_the_bound_the_tail_and_the_domain():
    claim, decide = find(f"{QUANTILE}-amended"), judge_of(f"{QUANTILE}-amended")
    assert decide is not None
    assert not within_chernoff(find(QUANTILE), NAMES)
    assert not within_chernoff(scaled(claim, "tail_bound", 1, 2), NAMES)
    assert not is_binomial(with_formula(claim, "tail", lambda m, n, z: m.exp(-z)), NAMES)
    wide = tuple(p.within(nonnegative) if p.name == "z" else p for p in claim.parameters)
    assert fold(decided(replace(claim, parameters=wide), decide)) is Verdict.OPEN
    weaker = with_formula(claim, "tail_bound", lambda m, z: m.exp(-(z**2) / (3 + z)))
    assert fold(decided(weaker, decide)) is Verdict.CERTIFIED
