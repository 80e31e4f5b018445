"""The reduction from empirical to population risk: draws with replacement, and the problem on which every B fails."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judges.analysis.lower_bounds.gaussian_width import covers_two_records, named
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled
from dpsco.mutants.analysis.lower_bounds.gaussian_width import broken, excess_over_draws, is_private, truthful
from dpsco.reference.numbers.mp import mp
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict, fold

PRINTED, AMENDED = "lp/thm-12", "lp/thm-12-amended"


@pytest.fixture(scope="module")
def theorem():
    return judge(PRINTED)


def test_printed_reduction_fails_for_one_record(theorem):
    assert (theorem.verdict, theorem.severity) == (Verdict.REFUTED, Severity.DOMAIN)
    (every,) = [f for f in theorem.findings if f.verdict is Verdict.REFUTED and f.reading is Reading.PRINTED]
    m = mp(400)
    epsilon, delta = m.real(every.at["epsilon"]), m.real(every.at["delta"])
    own = epsilon / (4 * m.log(1 / delta))
    names = m.floor(m.exp((own + epsilon) / 2))
    most, least = 1 + 4 * (names - 1) / (m.exp(own) + names - 1), 5 * (1 - delta - m.exp(epsilon) / names)
    assert most < least
    assert m.real(every.claimed) == pytest.approx(most, rel=1e-12)
    assert m.real(every.computed[0]) == pytest.approx(least, rel=1e-12)


def loss(decision: tuple[str, int], record: int) -> int:
    kind, name = decision
    if kind == "w":
        return 0 if name == record else 9
    return 1 if name == record else 5


weights = st.lists(st.integers(0, 50), min_size=4, max_size=4).filter(any)


@given(weights, st.fractions(0, Fraction(1, 10)))
def test_excess_of_the_named_algorithm_by_writing_it_out(parts, eta: Fraction):
    """Every loss, every record, exact rationals: at most 1 + 4 eta at every distribution on four names."""
    n = len(parts)
    p = [Fraction(part, sum(parts)) for part in parts]
    decisions = [(kind, i) for kind in "aw" for i in range(n)]
    population = {d: sum(p[x] * loss(d, x) for x in range(n)) for d in decisions}
    risk = sum(p[x] * population["a", i] * (1 - eta if i == x else eta / (n - 1)) for x in range(n) for i in range(n))
    assert risk - min(population.values()) <= 1 + 4 * eta


tables = st.lists(st.lists(st.integers(0, 100), min_size=8, max_size=8).filter(any), min_size=4, max_size=4)


@given(tables, st.fractions(0, 3))
def test_every_answer_to_names_obeys_the_bound(rows, odds: Fraction):
    """Any table of answers: its least delta at e^epsilon = 1 + odds, and 5 (1 - delta - e^epsilon/N) on some name."""
    n, factor = len(rows), 1 + odds
    B = [[Fraction(x, sum(row)) for x in row] for row in rows]
    delta = max(sum(max(a - factor * b, Fraction(0)) for a, b in zip(x, y, strict=True)) for x in B for y in B)
    decisions = [(kind, i) for kind in "aw" for i in range(n)]
    excess = [sum(q * loss(d, x) for q, d in zip(B[x], decisions, strict=True)) for x in range(n)]
    assert max(excess) >= 5 * (1 - delta - factor / n)


def test_no_such_problem_where_delta_leaves_room():
    """Negative control: with the budget of A below B's, or 4/5 <= delta, the search finds nothing."""
    assert named(scaled(find(PRINTED), "epsilon_of_A", 9, 10)) is None
    assert named(find(AMENDED)) is None


def test_construction_fails_for_one_record_by_writing_it_out(theorem):
    (own,) = [f for f in theorem.findings if f.reading is Reading.MEANT]
    m = mp(400)
    epsilon, delta = m.real(own.at["epsilon"]), m.real(own.at["delta"])
    budget = epsilon / (4 * m.log(1 / delta))
    table = truthful(m, budget, m.real(0))[:2]
    assert is_private(table, budget, m.real(0))
    assert own.at["n"] == "1"
    assert excess_over_draws(table, 1, epsilon) == pytest.approx(m.real(own.computed[0]), rel=1e-12)
    assert excess_over_draws(table, 1, epsilon) > delta


def test_enclosed_and_written_out_agree_that_the_amended_budget_is_private():
    """Negative control of the mutants' route."""
    for delta, epsilon in product(("0.1", "0.61", "0.9"), ("1", "300")):
        assert not broken(find(AMENDED), 2, epsilon, delta, truthful)


def test_amended_reduction_is_certified():
    judgement = judge(AMENDED)
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) == 5
    assert set(judgement.mutants) == {Fate.KILLED, Fate.TRUE}


def group_bound(n: int, epsilon: float, delta: float, count: int):
    """P(K >= t) + sum of P(K = k) k d e^((k-1) e), t - 1 = floor(count ln(1/delta)), with binomial probabilities."""
    m = mp(60)
    s = m.log(1 / m.real(delta))
    own, lost = m.real(epsilon) / (count * s), m.exp(-m.real(epsilon)) * m.real(delta) / (8 * m.log(2 / m.real(delta)))
    most = int(m.floor(count * s))
    share = m.frac(1, n)
    p = [m.binomial(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)]
    paid = sum((p[k] * k * lost * m.exp((k - 1) * own) for k in range(1, min(most, n) + 1)), start=m.real(0))
    return sum(p[most + 1 :], start=m.real(0)) + paid


@given(st.integers(2, 40), st.floats(0.001, 500), st.floats(1e-30, 0.9999))
def test_group_privacy_over_the_copies(n: int, epsilon: float, delta: float):
    assert group_bound(n, epsilon, delta, 4) <= delta


def test_group_privacy_would_fail_with_half_the_logarithm():
    """Negative control of the test above."""
    assert group_bound(2, 1.0, 0.61, 2) > 0.61


def test_expected_losses_are_equal_by_writing_the_draws_out():
    """E over n^n draws of a function of the sample = E over n independent draws from the uniform distribution."""
    records = (Fraction(1), Fraction(4), Fraction(7))
    n = len(records)
    decide = [sum(draw, start=Fraction(0)) / n for draw in product(records, repeat=n)]
    empirical = sum(sum(abs(w - x) for x in records) / n for w in decide) / n**n
    independent = Fraction(0)
    for indices in product(range(n), repeat=n):
        w = sum((records[i] for i in indices), start=Fraction(0)) / n
        independent += Fraction(1, n) ** n * sum(Fraction(1, n) * abs(w - x) for x in records)
    assert empirical == independent


def test_judge_reads_the_budget_and_the_condition():
    claim, decide = find(AMENDED), judge_of(AMENDED)
    assert decide is not None
    assert covers_two_records(scaled(claim, "epsilon_of_A", 2, 1)) is None
    assert covers_two_records(scaled(claim, "delta_of_A", 64, 1)) is None
    slow = scaled(claim, "epsilon_of_A", 5, 4)
    assert fold(decided(slow, decide)) is not Verdict.CERTIFIED
    assert fold(decided(replace(claim, preconditions=()), decide)) is Verdict.REFUTED
