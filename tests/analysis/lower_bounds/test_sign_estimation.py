"""Private sign vectors: the exact least error of small instances, the bounds from both sides, judge and mutants."""

from dataclasses import replace
from fractions import Fraction
from math import ceil, e, exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, with_formula
from dpsco.reference.analysis.lower_bounds.sign_estimation import least_error
from dpsco.reference.numbers.linear_program import minimise
from dpsco.spec.claim import Adjacency
from dpsco.spec.register import find
from dpsco.verdict import Proof, Verdict, fold

PRINTED, AMENDED = "quantile/thm-3.7-sample", "quantile/thm-3.7-sample-amended"
SIZES = [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (1, 3)]


def by_columns(n: int, d: int, factor: Fraction, delta: Fraction) -> Fraction:
    """The best of d (m/n)(1 - delta_m)/(1 + F^m) over m of n's parity, in units of the rows' entry."""
    group = {m: delta * sum((factor**k for k in range(m)), Fraction(0)) for m in range(1, n + 1)}
    return max(Fraction(d * m, n) * (1 - group[m]) / (1 + factor**m) for m in range(1, n + 1) if (n - m) % 2 == 0)


@pytest.mark.parametrize(("n", "d"), SIZES)
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10)])
@pytest.mark.parametrize("factor", [Fraction(11, 10), Fraction(3)])
def test_exact_least_error_lies_between_the_bounds(n: int, d: int, delta: Fraction, factor: Fraction):
    exact = least_error(n, d, factor, delta)
    assert by_columns(n, d, factor, delta) <= exact <= Fraction(d, 2)  # fair coins: half of sum_j |mean_j|
    epsilon = float(factor) - 1 if factor < 2 else 1.0986
    assert delta or float(exact) <= d * d / (e * n * epsilon) * 1.05  # Laplace noise


def test_one_record_one_coordinate_is_randomised_response():
    for factor, delta in ((Fraction(3), Fraction(0)), (Fraction(7, 2), Fraction(1, 10)), (Fraction(2), Fraction(1, 2))):
        assert least_error(1, 1, factor, delta) == (1 - delta) / (1 + factor)


def test_more_privacy_costs_more():
    """Falling in epsilon and in delta, strictly: a program that ignored a constraint would not see both."""
    errors = [
        least_error(2, 2, factor, delta) for factor in (Fraction(2), Fraction(3)) for delta in (Fraction(0), Fraction(1, 9))
    ]
    assert errors[0] > errors[1] > errors[3]
    assert errors[0] > errors[2] > errors[3]
    assert least_error(2, 2, Fraction(2), Fraction(1)) == 0  # delta = 1: no privacy, no error


@pytest.mark.parametrize(("factor", "delta"), [(Fraction(1, 2), Fraction(0)), (Fraction(2), Fraction(2))])
def test_budgets_that_are_none_are_refused(factor: Fraction, delta: Fraction):
    with pytest.raises(ValueError, match="factor must be at least 1 and delta in"):
        least_error(1, 1, factor, delta)


@given(st.integers(1, 10**6), st.floats(0, 1), st.floats(0, 1))
def test_constant_of_the_lower_bound(n: int, where: float, share: float):
    """41, over the amended domain: m is the least number of n's parity with m epsilon' >= 1."""
    epsilon = n ** (where - 1.0)  # between 1/n and 1
    m = ceil(1 / epsilon - 1e-9)
    m += (n - m) % 2
    assert m <= n
    delta = share * epsilon / 40
    group = delta * (exp(m * epsilon) - 1) / (exp(epsilon) - 1)
    assert m / n * (1 - group) / (1 + exp(m * epsilon)) >= 1 / (41 * n * epsilon)


@given(st.integers(1, 10**6), st.floats(0.001, 0.999))
def test_too_few_records_have_a_large_error(n: int, share: float):
    epsilon = share / n
    group = epsilon / 40 * (exp(n * epsilon) - 1) / (exp(epsilon) - 1)
    assert (1 - group) / (1 + exp(n * epsilon)) > 0.25


def test_printed_is_refuted_in_each_assertion():
    printed = judge(PRINTED)
    assert (printed.verdict, printed.proof) == (Verdict.STATED, Proof.BROKEN)
    assert {r for f in printed.findings if f.verdict is Verdict.REFUTED for r in f.asserts} == set(find(PRINTED).asserts)
    assert any("subset" in f.scope for f in printed.findings)


def test_printed_instance_of_the_sample_complexity_by_exact_programs():
    """At alpha = sqrt(2) B_x, in units of the entry 2, one record is enough at every budget; one more digit of alpha is not."""
    for factor in (Fraction(2), Fraction(101, 100)):
        assert least_error(1, 2, factor, Fraction(0)) <= 1
    assert least_error(1, 2, Fraction(101, 100), Fraction(0)) > Fraction(9, 10)


def test_amendment_is_certified_with_every_mutant_killed():
    amended = judge(AMENDED)
    assert amended.verdict is Verdict.CERTIFIED
    assert len(amended.mutants[Fate.KILLED]) == 9
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(amended.mutants)


def test_nothing_else_is_certified():
    claim, decide = find(AMENDED), judge_of(AMENDED)
    assert decide is not None
    assert fold(decided(replace(claim, adjacency=Adjacency.ADD_REMOVE), decide)) is Verdict.OPEN
    sine = with_formula(claim, "samples_needed", lambda m, d, alpha: m.sqrt(d) / m.sin(alpha))
    assert fold(decided(sine, decide)) is Verdict.OPEN
    slower = with_formula(claim, "error_at_epsilon", lambda m, d, n, epsilon: m.sqrt(d) / (m.sqrt(n) * epsilon * m.log(d)))
    assert fold(decided(slower, decide)) is Verdict.REFUTED


def test_linear_program_by_hand_and_by_its_corners():
    one, two, three = Fraction(1), Fraction(2), Fraction(3)
    found = minimise([-one, -two], [[one, one], [one, three]], [Fraction(4), Fraction(6)], [], [])
    assert (found.value, found.at) == (Fraction(-5), (three, one))
    assert found.multipliers == (Fraction(-1, 2), Fraction(-1, 2))
    equal = minimise([one, three], [], [], [[one, one]], [two])
    assert (equal.value, equal.at) == (two, (two, Fraction(0)))


@given(
    st.lists(st.fractions(-3, 3, max_denominator=4), min_size=4, max_size=4),
    st.lists(st.integers(1, 5), min_size=3, max_size=3),
)
def test_linear_program_against_all_corners(entries: list[Fraction], bounds: list[int]):
    """Two variables in a box with one more constraint: the least value over all corners of the polygon."""
    a, cost = entries[:2], entries[2:]
    rows = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)], a]
    right = [Fraction(x) for x in bounds]
    found = minimise(cost, rows, right, [], [])
    lines = [(*row, x) for row, x in zip(rows, right, strict=True)] + [(1, 0, 0), (0, 1, 0)]
    corners = []
    for i, (p, q, u) in enumerate(lines):
        for s, t, v in lines[:i]:
            det = p * t - q * s
            if det:
                x, y = Fraction(u * t - q * v) / det, Fraction(p * v - u * s) / det
                if x >= 0 and y >= 0 and all(row[0] * x + row[1] * y <= c for row, c in zip(rows, right, strict=True)):
                    corners.append(cost[0] * x + cost[1] * y)
    assert found.value == min(corners)


def test_linear_program_refuses_what_has_no_answer():
    one = Fraction(1)
    with pytest.raises(ValueError, match="no feasible point"):
        minimise([one], [[one]], [one], [[one]], [Fraction(2)])
    with pytest.raises(ValueError, match="no least value"):
        minimise([-one], [], [], [], [])
    with pytest.raises(ValueError, match="nonnegative"):
        minimise([one], [[one]], [-one], [], [])
