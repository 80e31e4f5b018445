"""Resampling before a private algorithm: the tail, the links of the proof, the whole, and the amendment."""

from dataclasses import replace
from fractions import Fraction
from math import comb, factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.analysis.resampling import (
    LEAST,
    MOST,
    Names,
    few_draws_down_to,
    means_suffice,
    read,
    weights,
    worst_excess,
)
from dpsco.judging import Judgement, decided, judge, judge_of
from dpsco.mutant import Fate
from dpsco.mutants.analysis.lower_bounds import resampling as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.reference.privacy import finite
from dpsco.reference.privacy.group import growth
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Rung, Verdict, fold

PRINTED, AMENDED = "quantile/thm-3.7-resampling", "quantile/thm-3.7-resampling-amended"
NAMES = Names("epsilon_after", "delta_after")


@pytest.fixture(scope="module")
def printed() -> Judgement:
    return judge(PRINTED)


def exact_tail(n: int, k: int) -> Fraction:
    """Pr[Binomial(n, 1/n) >= k] in exact arithmetic."""
    return sum((Fraction(comb(n, c) * (n - 1) ** (n - c), n**n) for c in range(k, n + 1)), Fraction(0))


@given(st.integers(1, 30), st.integers(1, 30))
def test_tail_lemmas_by_exact_arithmetic(n: int, k: int):
    """The union bound, and Bernstein's quantile at the s where it is k."""
    tail = exact_tail(n, k)
    assert tail <= Fraction(1, factorial(k))
    m = mp(40)
    root = (m.sqrt(18 + 12 * m.real(k - 1)) - m.sqrt(m.real(18))) / 2  # sqrt(2s) + s/3 = k - 1, root = sqrt(s)
    s = root**2
    assert m.sqrt(2 * s) + s / 3 == pytest.approx(m.real(k - 1), abs=1e-30)
    assert tail <= m.exp(-s) * (1 + m.real("1e-30"))


def test_tail_is_refuted_where_exact_arithmetic_says_so(printed: Judgement):
    finding = next(f for f in printed.findings if f.scope.startswith("at least u") and f.verdict is Verdict.REFUTED)
    assert finding.at == {"n": "1000", "gamma": "1e-23"}
    assert finding.computed is not None
    exact = exact_tail(1000, 23)  # u = 22.83...
    low, high = (Fraction(end) for end in finding.computed)
    assert low <= exact <= high
    assert exact > Fraction("1e-23")


def test_privacy_is_refuted_and_the_geometric_mechanism_agrees(printed: Judgement):
    assert (printed.verdict, printed.proof) == (Verdict.STATED, Proof.BROKEN)
    finding = next(f for f in printed.findings if f.scope.startswith("resampling, then") and f.verdict is Verdict.REFUTED)
    assert mutants.by_geometric(find(PRINTED), NAMES.epsilon, NAMES.delta, dict(finding.at))
    harmless = {**finding.at, "gamma": "1e-6"}
    assert not mutants.by_geometric(find(PRINTED), NAMES.epsilon, NAMES.delta, harmless)


def test_links_are_findings_of_their_own(printed: Judgement):
    links = {f.scope.split(":")[1].split()[0]: f.verdict for f in printed.findings if f.scope.startswith("link")}
    assert links == {"Pr[draws": Verdict.REFUTED, "group": Verdict.CERTIFIED, "conditioning": Verdict.CERTIFIED}
    beside = [f for f in printed.findings if f.reading is Reading.ANOTHER]
    assert len(beside) == 3
    assert {f.verdict for f in beside} == {Verdict.CERTIFIED}


def test_amendment_is_certified_with_every_mutant_killed():
    amended = judge(AMENDED)
    assert amended.verdict is Verdict.CERTIFIED
    assert len(amended.mutants[Fate.KILLED]) == 7
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(amended.mutants)


def test_range_of_the_certificate_is_near_the_truth():
    """The printed u holds down to 1e-18 by boxes, and cannot hold at 1e-23; a smaller u is not certified at all."""
    parts = read(find(PRINTED), NAMES)
    assert parts is not None
    assert few_draws_down_to(parts.s, parts.w, LEAST) is not None
    assert few_draws_down_to(parts.s, parts.w, "1e-23") is None
    assert few_draws_down_to(parts.s, (parts.w - 1) / 2 + 1, LEAST) is None


def test_small_epsilon_is_certified_for_every_gamma(printed: Judgement):
    (small,) = [f for f in printed.findings if "every gamma" in f.scope]
    assert (small.verdict, small.reading, small.rung) == (Verdict.CERTIFIED, Reading.ANOTHER, Rung.REGION)
    assert f"epsilon <= {MOST}" in small.scope
    (refuted,) = [f for f in printed.findings if f.scope.startswith("resampling") and f.verdict is Verdict.REFUTED]
    assert f"every epsilon <= {MOST}" in (refuted.survives or "")
    assert float(refuted.at["epsilon"]) > float(MOST)
    # the tail itself is false at any epsilon
    (tail,) = [f for f in printed.findings if f.scope.startswith("at least u") and f.verdict is Verdict.REFUTED]
    assert "epsilon" not in (tail.survives or "")


def test_range_of_small_epsilon_is_where_the_means_end():
    parts = read(find(PRINTED), NAMES)
    assert parts is not None
    assert means_suffice(parts.s, parts.w, LEAST, MOST)
    assert not means_suffice(parts.s, parts.w, LEAST, "4.6")
    assert not means_suffice(parts.s, parts.w, "1e-12", MOST)
    assert not means_suffice(parts.s, (parts.w - 1) / 2 + 1, LEAST, MOST)


@given(st.integers(1, 40), st.floats(1e-6, 6))
def test_quotient_of_the_means_is_below_the_hyperbolic_sine(n: int, epsilon: float):
    m = mp(60)
    e = m.real(epsilon)
    law = [m.real(w) for w in (Fraction(comb(n, c) * (n - 1) ** (n - c), n**n) for c in range(n + 1))]
    up, down = (sum(w * m.exp(sign * e * c) for c, w in enumerate(law)) for sign in (1, -1))
    closed = ((n - 1 + m.exp(e)) / (n - 1 + m.exp(-e))) ** n
    assert up / down == pytest.approx(closed, rel=1e-30)
    assert m.log(closed) <= (m.exp(e) - m.exp(-e)) * (1 + m.real("1e-30"))


@given(st.integers(2, 6), st.integers(2, 9), st.fractions(0, Fraction(1, 10)), st.fractions(Fraction(1, 1000), Fraction(1, 2)))
def test_averaged_group_privacy_by_exact_arithmetic(n: int, factor: int, delta: Fraction, start: Fraction):
    """The fastest (ln factor, delta)-DP chain of one event, on the counts of copies: both sources stay within the quotient."""
    p = list(growth(start, Fraction(factor), delta, n))
    law = [Fraction(comb(n, c) * (n - 1) ** (n - c), n**n) for c in range(n + 1)]
    here, there = sum(w * q for w, q in zip(law, p, strict=True)), p[0]
    R = (Fraction(n - 1 + factor) / (n - 1 + Fraction(1, factor))) ** n
    least = delta * (R - 1) / (factor - 1)
    for one, other in ((here, there), (1 - there, 1 - here), (there, here), (1 - here, 1 - there)):
        assert one <= R * other + least


@pytest.mark.parametrize("gamma", ["1e-23", "1.6e-28", "1e-100", "1e-500"])
def test_no_counting_algorithm_contradicts_small_epsilon(gamma: str):
    at = {"n": "1000", "gamma": gamma, "epsilon": MOST, "delta": "0"}
    assert worst_excess(find(PRINTED), NAMES, at) is None
    assert not mutants.by_geometric(find(PRINTED), NAMES.epsilon, NAMES.delta, at)


def test_lost_failure_probability_is_never_certified():
    claim, decide = find(AMENDED), judge_of(AMENDED)
    assert decide is not None

    def without(m, epsilon, delta, gamma):
        return claim.formulas["delta_after"](m, epsilon=epsilon, delta=delta, gamma=gamma) - gamma

    moved = replace(claim, formulas={**claim.formulas, "delta_after": without})
    assert fold(decided(moved, decide)) is Verdict.REFUTED


@pytest.mark.parametrize("factor", [2, 50, 10**6])
def test_counting_algorithm_by_enumeration(factor: int):
    """n = 3, every draw enumerated: the lower bound's event has exactly the probability that the judge's sum gives it."""
    n, start = 3, Fraction(1, 2 * factor**3)
    p = list(growth(start, factor, 0, n))
    data = [tuple("ab"[bits >> i & 1] for i in range(n)) for bits in range(2**n)]
    counted: finite.Mechanism = {d: (1 - p[d.count("a")], p[d.count("a")]) for d in data}
    assert finite.least_factor(counted, finite.replace_one) <= factor
    drawn = finite.resampled(counted)
    m = arb(320)
    wanted = sum((w * m.real(q) for w, q in zip(weights(n, 320), p, strict=True)), start=m.real(0))
    assert m.eq(wanted, m.real(drawn[("a", "b", "b")][1])) is not False
    assert drawn[("b", "b", "b")][1] == start


def test_counting_algorithm_finds_nothing_where_the_claim_holds():
    at = {"n": "1000", "gamma": "1e-12", "epsilon": "100", "delta": "0"}
    assert worst_excess(find(PRINTED), NAMES, at) is None
    assert worst_excess(find(PRINTED), NAMES, {**at, "gamma": "1.6e-28"}) is not None
