"""The lower bound of the private newsvendor: rates, comparators, the reduction to sign classifiers, and the fingerprints."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, with_formula
from dpsco.reference.analysis.lower_bounds import quantile_minimax as literal
from dpsco.reference.analysis.lower_bounds.sign_estimation import least_error
from dpsco.reference.numbers.linear_program import minimise
from dpsco.reference.numbers.mp import mp
from dpsco.reference.privacy import finite
from dpsco.spec.analysis.lower_bounds.newsvendor_minimax import epsilon_at_most_one
from dpsco.spec.claim import Adjacency
from dpsco.spec.register import find
from dpsco.verdict import Part, Proof, Reading, Severity, Verdict, fold


def counting(n: int, factor: Fraction) -> list[Fraction]:
    """A chain p_0, ..., p_n that (ln factor, 0)-DP allows, symmetric; n = 3."""
    q = 1 / (factor + factor**2)
    return [q, q * factor, 1 - q * factor, 1 - q]


@pytest.mark.parametrize("factor", [Fraction(5), Fraction(8), Fraction(40)])
def test_a_private_map_of_S_beats_every_classifier_exactly(factor: Fraction):
    """B on all data by exact divergences, its error over all X, and the least error over C by a linear program."""
    p = counting(3, factor)
    # a record enters through the sign of its product x y alone
    B: finite.Mechanism = {
        products: (1 - p[products.count(1)], p[products.count(1)]) for products in product((-1, 1), repeat=3)
    }
    assert (finite.least_factor(B, finite.replace_one) or factor + 1) <= factor
    worst = Fraction(0)
    for bits in product((-1, 1), repeat=3):
        rows = tuple((b,) for b in bits)
        (sign,) = literal.least_in_box(rows, Fraction(1))
        positive = sum(y * x > 0 for (x,), y in zip(rows, literal.labels(rows, Fraction(1)), strict=True))
        wrong = 1 - p[positive] if sign > 0 else p[positive]
        worst = max(worst, wrong * abs(literal.mean(rows)[0]))
    assert worst == p[0] < least_error(3, 1, factor, Fraction(0))
    assert least_error(3, 1, factor, Fraction(0)) == Fraction(1, 3) / (1 + factor)


def test_at_small_epsilon_this_map_is_no_better():
    """A negative control: at epsilon = ln(3/2) the same chain, on the signs themselves, is the best classifier."""
    assert counting(3, Fraction(3, 2))[0] == least_error(3, 1, Fraction(3, 2), Fraction(0))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7])
def test_one_row_changes_every_record(n: int):
    rows = ((1,),) * (n - n // 2) + ((-1,),) * (n // 2)
    turned = ((-1,), *rows[1:])
    assert literal.records_changed(rows, turned, Fraction(1)) == n
    same = ((1,),) * (n + 2)
    assert literal.records_changed(same, ((-1,), *same[1:]), Fraction(1)) == 1


def known(n: int, factor: Fraction, delta: Fraction) -> Fraction:
    """Largest E f p over private f with values -1, 1 on n signs of mean p, p uniform on [-1, 1]: a linear program, d = 1."""
    size = 2 * (n + 1)
    weights = []
    for k in range(n + 1):  # integral of p C(n, k) ((1+p)/2)^k ((1-p)/2)^(n-k)/2 with u = (1+p)/2: a difference of two betas
        beta = Fraction(1, (n + 1) * comb(n, k))
        weights.append(comb(n, k) * beta * (2 * Fraction(k + 1, n + 2) - 1))
    below, bounds = [], []
    for k, near in [(k, k + s) for k in range(n + 1) for s in (-1, 1) if 0 <= k + s <= n]:
        for shift in (0, n + 1):
            row = [Fraction(0)] * size
            row[k + shift], row[near + shift] = Fraction(1), -factor
            below.append(row)
            bounds.append(delta)
    equal = [[Fraction(i in (k, k + n + 1)) for i in range(size)] for k in range(n + 1)]
    cost = [-w for w in weights] + weights
    return -minimise(cost, below, bounds, equal, [Fraction(1)] * (n + 1)).value


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 100)])
@pytest.mark.parametrize("factor", [Fraction(101, 100), Fraction(5, 4), Fraction(3)])
def test_fingerprint_bound_above_the_exact_optimum(n: int, delta: Fraction, factor: Fraction):
    """2 E f p <= n (sinh(epsilon) + 4 delta) for every private f, the largest left side by linear programming."""
    exact = 2 * known(n, factor, delta)
    assert 0 < exact <= n * ((factor - 1 / factor) / 2 + 4 * delta)
    assert exact <= 1  # 2 E|p|


def test_fingerprint_bound_can_fail():
    """A negative control: an algorithm that is not private, the majority, is above the bound of a small epsilon."""
    assert 2 * known(5, Fraction(10**9), Fraction(0)) > 5 * (Fraction(101, 100) - Fraction(100, 101)) / 2


@given(st.integers(1, 10**4), st.floats(1e-6, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0.01, 0.99))
def test_constants_of_the_certificates(n: int, epsilon: float, d_share: float, delta_share: float, r: float):
    """w/42 and rho/13 for the second term over the conditions of the two amendments."""
    m = mp(40)
    if n * epsilon < 1:
        return
    wide = int((n * epsilon) ** (2 * d_share))
    rate = m.sqrt(m.real(wide)) / (n * m.real(epsilon))
    delta = m.real(delta_share) * m.real(epsilon) / m.sqrt(m.real(wide))
    bound = literal.fingerprint_bound(m, m.real(n), m.real(wide), m.real(epsilon), delta, m.real(r))
    assert bound >= max(r, 1 - r) / 42 * min(rate, 1)
    narrow = int((n * epsilon) ** d_share)
    rate = m.sqrt(m.real(narrow)) / (n * m.real(epsilon))
    delta = m.real(delta_share) * m.real(epsilon)
    bound = literal.spread_bound(m, m.real(n), m.real(narrow), m.real(epsilon), delta, m.real(r))
    assert bound >= min(r, 1 - r) / 13 * rate


def test_rebuilt_theorem_is_open_and_without_a_range_refuted_in_every_form():
    printed = judge("newsvendor/thm-7")
    assert (printed.verdict, printed.severity, printed.proof) == (Verdict.OPEN, None, Proof.BROKEN)
    refuted = [f for f in printed.findings if f.verdict is Verdict.REFUTED and f.about is Part.STATEMENT]
    assert len(refuted) == 6
    assert {(f.reading, f.severity) for f in refuted} == {(Reading.ANOTHER, Severity.DOMAIN)}
    assert [f.reading for f in printed.findings if f.verdict is Verdict.OPEN] == [Reading.PRINTED] * 3
    (whole,) = [f for f in printed.findings if f.verdict is Verdict.VACUOUS]
    assert (whole.reading, "R^d" in whole.scope) == (Reading.ANOTHER, True)
    assert {r.right for f in refuted for r in f.asserts} == {"rate_private", "rate_maximum", "rate"}
    (link,) = [f for f in printed.findings if f.verdict is Verdict.CERTIFIED]
    assert link.asserts[0].left == "rate_maximum"


@pytest.mark.parametrize(("part", "killed"), [("", 8), ("-comparator", 7), ("-reduction", 8)])
def test_amendments_are_certified_with_every_mutant_killed(part: str, killed: int):
    amended = judge(f"newsvendor/thm-7{part}-amended")
    assert amended.verdict is Verdict.CERTIFIED
    assert len(amended.mutants[Fate.KILLED]) == killed
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(amended.mutants)


def test_steps_are_refuted_where_the_numbers_say():
    comparator = judge("newsvendor/thm-7-comparator")
    assert (comparator.verdict, comparator.proof) == (Verdict.STATED, Proof.HOLDS)
    (moved,) = [f for f in comparator.findings if f.verdict is Verdict.REFUTED]
    assert (moved.reading, moved.at["d"]) == (Reading.MEANT, "2")
    reduction = judge("newsvendor/thm-7-reduction")
    assert (reduction.verdict, reduction.proof) == (Verdict.STATED, Proof.BROKEN)
    told, changed, better, error = reduction.findings
    assert (told.verdict, changed.verdict, better.verdict) == (Verdict.REFUTED,) * 3
    assert error.verdict is Verdict.CERTIFIED
    assert changed.at["n"] == "3", "no sum is 0, so that no sign of 0 is needed"
    assert float(told.computed[0]) == pytest.approx(1 - 2.718281828**-2)  # type: ignore[index]
    assert float(better.computed[1]) == pytest.approx(1 / (7.3890561 + 54.59815), rel=1e-6)  # type: ignore[index]


def test_a_box_that_misses_the_ball_by_exact_risks():
    """Over the box of half-width 1/2 (d = 4) the point e_1 is out of reach: half of its distance is lost for y = <x, e_1>."""
    amended = find("newsvendor/thm-7-comparator-amended")
    decide = judge_of(amended.id)
    assert decide is not None
    narrow = with_formula(amended, "half_width_of_answers", amended.formulas["half_width"])
    (found,) = [f for f in decided(narrow, decide) if f.verdict is Verdict.REFUTED]
    grid = [Fraction(k, 8) for k in range(-4, 5)]
    assert min(Fraction(1, 2) * abs(1 - t) for t in grid) == Fraction(1, 4) == Fraction(found.claimed.split()[-1])  # type: ignore[union-attr]
    assert float(found.computed[1]) < 0.01  # type: ignore[index]
    # negative control: the box that holds the ball
    assert not [f for f in decided(amended, decide) if f.verdict is Verdict.REFUTED]


def test_conditions_and_adjacency_are_needed():
    claim, decide = find("newsvendor/thm-7-amended"), judge_of("newsvendor/thm-7-amended")
    assert decide is not None
    assert fold(decided(replace(claim, adjacency=Adjacency.ADD_REMOVE), decide)) is Verdict.OPEN
    any_epsilon = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != epsilon_at_most_one))
    assert fold(decided(any_epsilon, decide)) is Verdict.OPEN
