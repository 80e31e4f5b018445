"""The lower bound of private quantile regression: the construction exactly, each proof's computable part, judges, mutants."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.arguments.analysis.private_minimax import SPACE, at_least_rate
from dpsco.arguments.analysis.rate_monomials import covered, paths, terms
from dpsco.judges.analysis.lower_bounds.quantile_minimax import ASKED, on_the_ball
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, with_formula
from dpsco.reference.analysis.lower_bounds import quantile_minimax as literal
from dpsco.reference.numbers.linear_program import minimise
from dpsco.reference.numbers.mp import mp
from dpsco.reference.numbers.symbolic import expression
from dpsco.reference.privacy import finite
from dpsco.spec.analysis.lower_bounds.quantile_minimax import decision_in_box, delta_at_most
from dpsco.spec.claim import Adjacency
from dpsco.spec.register import find
from dpsco.verdict import Part, Proof, Reading, Verdict, fold

signs = st.sampled_from((-1, 1))
datasets = st.integers(1, 3).flatmap(lambda d: st.lists(st.tuples(*[signs] * d), min_size=1, max_size=5).map(tuple))
fractions = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50)


@given(datasets, fractions, st.data())
def test_risk_is_at_least_residual_and_sign_error_in_exact_arithmetic(rows, r, data):
    B, d = Fraction(2), len(rows[0])
    theta = data.draw(st.tuples(*[st.fractions(-2, 2, max_denominator=20)] * d))
    mean, rho = literal.mean(rows), min(r, 1 - r)
    residual = rho * sum(abs(x) * B - t * x for x, t in zip(mean, theta, strict=True))
    risk = literal.empirical_risk(r, theta, rows, B)
    assert risk >= residual >= rho * B * literal.sign_error(rows, theta)
    assert literal.empirical_risk(r, literal.least_in_box(rows, B), rows, B) == 0


def test_bound_fails_outside_the_box():
    """A negative control: the box is used."""
    rows, r, B = ((1,),), Fraction(1, 2), Fraction(2)
    residual = r * (B - 3)
    assert residual < r * B * literal.sign_error(rows, (Fraction(3),)) == 0


@pytest.mark.parametrize("d", [1, 2, 4, 9])
def test_least_loss_in_the_ball_by_a_grid_along_the_row(d: int):
    """By symmetry and convexity the best theta of the ball is a multiple of the row; the printed gap is r B (sqrt(d) - 1)."""
    m = mp(40)
    found = literal.least_loss_in_ball(m, m.frac(1, 3), m.real(1), m.real(1), m.real(d)) / m.sqrt(m.real(d))
    along = min(m.frac(1, 3) * (d - m.real(k) / 100 * m.sqrt(m.real(d))) for k in range(101)) / m.sqrt(m.real(d))
    assert found == pytest.approx(along, abs=1e-30)
    assert found == pytest.approx((m.sqrt(m.real(d)) - 1) / 3, abs=1e-30)
    inside = literal.least_loss_in_ball(m, m.frac(1, 3), m.real(1), 1 / m.sqrt(m.real(d)), m.real(d))
    assert abs(inside) < 1e-30


def test_signs_of_other_values_are_refused():
    with pytest.raises(ValueError, match="rows must be sign vectors"):
        literal.mean(((1, 2),))


def told_apart(n: int, low: Fraction, high: Fraction, factor: Fraction, delta: Fraction) -> Fraction:
    """Least over private tests on n bits of the larger error between Bernoulli(low)^n and Bernoulli(high)^n: exact.

    p_k = Pr[answer 1 | k ones], k = 0..n, and 1 - p_k as variables of their own; the last variable is the largest error.
    """
    size, below, bounds = 2 * (n + 1) + 1, [], []

    def row(**entries: Fraction) -> list[Fraction]:
        made = [Fraction(0)] * size
        for name, value in entries.items():
            made[int(name[1:])] += value
        return made

    for k, near in [(k, k + s) for k in range(n + 1) for s in (-1, 1) if 0 <= k + s <= n]:
        for shift in (0, n + 1):
            below.append(row(**{f"x{k + shift}": Fraction(1), f"x{near + shift}": -factor}))
            bounds.append(delta)
    for q, shift in ((low, 0), (high, n + 1)):
        law = {f"x{k + shift}": comb(n, k) * q**k * (1 - q) ** (n - k) for k in range(n + 1)}
        below.append(row(**law, **{f"x{size - 1}": Fraction(-1)}))
        bounds.append(Fraction(0))
    equal = [row(**{f"x{k}": Fraction(1), f"x{k + n + 1}": Fraction(1)}) for k in range(n + 1)]
    cost = row(**{f"x{size - 1}": Fraction(1)})
    return minimise(cost, below, bounds, equal, [Fraction(1)] * (n + 1)).value


@pytest.mark.parametrize("n", [1, 2, 4])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 20), Fraction(1, 2)])
@pytest.mark.parametrize("factor", [Fraction(11, 10), Fraction(3)])
def test_spread_lower_bound_below_the_exact_testing_error(n: int, delta: Fraction, factor: Fraction):
    """d = 1: no private test has errors below (1 - 2 t n beta)/2, the optimum found by linear programming."""
    beta = (factor - 1 + 2 * delta) / (factor + 1)
    for t in (Fraction(1, 4), Fraction(1, 10), Fraction(1, 100)):
        exact = told_apart(n, Fraction(1, 2) - t, Fraction(1, 2) + t, factor, delta)
        assert exact >= (1 - 2 * t * n * beta) / 2
        assert exact < Fraction(1, 2)
    at_one = told_apart(1, Fraction(0), Fraction(1), factor, delta)
    assert at_one == max((1 - beta) / 2, 0)  # one record, told apart as well as beta lets: the lemma's step is sharp


@given(st.lists(st.fractions(-1, 1, max_denominator=9), min_size=8, max_size=8))
def test_fingerprint_identity_exactly(values: list[Fraction]):
    """E sum_i f (s_i - p) = 2 E f p for p uniform on [-1, 1], three signs of mean p: polynomials in p, integrated exactly."""
    left = right = Fraction(0)
    for s, f in zip(product((-1, 1), repeat=3), values, strict=True):
        law = [Fraction(1, 8)]
        for sign in s:  # times (1 + sign p), coefficients by rising powers of p
            law = [(law[k] if k < len(law) else 0) + sign * (law[k - 1] if k else 0) for k in range(len(law) + 1)]
        moment = [sum((c / (k + j + 1) for k, c in enumerate(law) if (k + j) % 2 == 0), Fraction(0)) for j in (0, 1)]
        left += f * (sum(s) * moment[0] - 3 * moment[1])
        right += 2 * f * moment[1]
    assert left == right


@pytest.mark.parametrize(("n", "k"), [(3, 1), (3, 2), (2, 1)])
def test_random_subset_is_private_with_no_epsilon(n: int, k: int):
    """Releasing k of n records at random, in order: exactly (0, k/n)-DP."""
    chosen = [s for s in product((0, 1), repeat=n) if sum(s) == k]
    answers = list(product((0, 1), repeat=k))
    mechanism: finite.Mechanism = {
        data: tuple(
            Fraction(sum(tuple(x for x, take in zip(data, s, strict=True) if take) == a for s in chosen), len(chosen))
            for a in answers
        )
        for data in product((0, 1), repeat=n)
    }
    assert finite.least_delta(mechanism, finite.replace_one, 1) == Fraction(k, n)


def test_printed_theorem_is_empty_and_refuted_with_a_bounded_minimiser():
    printed = judge("quantile/thm-3.7")
    assert (printed.verdict, printed.severity) == (Verdict.VACUOUS, None)
    (empty,) = [f for f in printed.findings if f.reading is Reading.PRINTED and "R^d" in f.scope]
    assert empty.reason is not None
    assert empty.reason.startswith("true only because the supremum is infinite")
    meant = [f for f in printed.findings if f.reading is Reading.MEANT]
    assert {f.verdict for f in meant} == {Verdict.REFUTED}
    assert [f.scope.split(": ")[1].split()[0] for f in meant] == ["answering", "one", "regularised"]
    for finding in meant:
        assert finding.computed is not None
        assert float(finding.claimed.split()[-1]) > 1000 * float(finding.computed[1])  # type: ignore[union-attr]


@pytest.mark.parametrize("r", [Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)])
@pytest.mark.parametrize("n", [1, 3])
def test_outcomes_without_bound_in_exact_arithmetic(r: Fraction, n: int):
    """Excesses over the least risk on the line add up to t M at every answer; n draws for v = 1 and -1 are confused."""
    t, M = min(r, 1 - r) / 4, Fraction(10**6)

    def risk(u: Fraction, v: int) -> Fraction:
        chance = 1 - r + v * t
        return sum((p * (r * (y - u) if y >= u else (1 - r) * (u - y)) for p, y in ((chance, M), (1 - chance, 0))), Fraction(0))

    least = {v: min(risk(Fraction(0), v), risk(M, v)) for v in (1, -1)}  # piecewise linear, knots 0 and M
    answers = [Fraction(k) * M / 4 for k in range(-3, 8)]
    assert min(sum(risk(u, v) - least[v] for v in (1, -1)) for u in answers) == t * M
    laws = [[comb(n, k) * q**k * (1 - q) ** (n - k) for k in range(n + 1)] for q in (1 - r + t, 1 - r - t)]
    confused = sum(min(pair) for pair in zip(*laws, strict=True))
    assert confused > 0  # the larger expected excess is at least confused t M/2, M free


@pytest.mark.parametrize(
    ("id", "killed"),
    [
        ("quantile/thm-3.7-amended", 8),
        ("quantile/thm-3.7-amended-private", 4),
        ("quantile/thm-3.7-error", 5),
        ("quantile/thm-3.7-comparator-amended", 4),
    ],
)
def test_true_with_every_mutant_killed(id: str, killed: int):
    found = judge(id)
    printed = find(id).amends is None  # a display of a proof
    assert (found.verdict, found.proof) == (
        (Verdict.STATED, Proof.HOLDS) if printed else (Verdict.CERTIFIED, Proof.NOT_PRINTED)
    )
    assert len(found.mutants[Fate.KILLED]) == killed
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(found.mutants)


def test_comparator_holds_as_printed_and_fails_where_it_moves_from_ball_to_box():
    printed = judge("quantile/thm-3.7-comparator")
    assert (printed.verdict, printed.proof) == (Verdict.STATED, Proof.HOLDS)
    (finding,) = [f for f in printed.findings if f.reading is Reading.MEANT]
    assert (finding.verdict, finding.at["d"]) == (Verdict.REFUTED, "2")
    assert float(finding.claimed.split()[-1]) == pytest.approx(2**0.5 * (1 - 0.04995837), abs=1e-6)  # type: ignore[union-attr]


@pytest.mark.parametrize("power", [Fraction(1, 2), Fraction(1, 3), Fraction(3, 4)])
def test_comparator_is_certified_exactly_up_to_the_ball(power: Fraction):
    """B d^(1/2 - power): inside the ball for power >= 1/2 only; more than the ball is refuted, less than exact is open."""
    claim, decide = find("quantile/thm-3.7-comparator-amended"), judge_of("quantile/thm-3.7-comparator-amended")
    assert decide is not None
    exponent = Fraction(1, 2) - power
    moved = with_formula(claim, "minimiser_norm", lambda m, B, d: B * d ** m.frac(exponent.numerator, exponent.denominator))
    verdict = fold(decided(moved, decide))
    assert (verdict is Verdict.REFUTED) == (exponent > 0)
    assert (verdict is Verdict.CERTIFIED) == (exponent == 0)


def test_conditions_and_adjacency_are_needed():
    claim, decide = find("quantile/thm-3.7-amended"), judge_of("quantile/thm-3.7-amended")
    assert decide is not None
    assert fold(decided(replace(claim, adjacency=Adjacency.ADD_REMOVE), decide)) is Verdict.OPEN
    bare = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != delta_at_most))
    assert fold(decided(bare, decide)) is Verdict.REFUTED
    error, judge_error = find("quantile/thm-3.7-error"), judge_of("quantile/thm-3.7-error")
    assert judge_error is not None
    outside = replace(error, preconditions=tuple(p for p in error.preconditions if p.test != decision_in_box))
    assert fold(decided(outside, judge_error), Part.PROOF) is Verdict.REFUTED


def test_every_proved_monomial_is_met_by_an_algorithm_on_some_path():
    """Lower and upper bounds agree up to constants: a rate larger by any power of N along such a path is refuted."""
    claim = find("quantile/thm-3.7-amended")
    rate = terms(expression(claim.formulas["rate"]), SPACE)
    assert rate is not None
    gaps = [
        min(path.growth(a.power) for a in ASKED.algorithms if not a.at_least_one or path.growth(a.at_least_one) >= 0)
        - max(path.growth(t.powers) for t in rate)
        for path in paths(claim, SPACE, on_the_ball)
    ]
    assert min(gaps) == 0
    assert [f.verdict for f in at_least_rate(claim, rate, ASKED)] == [Verdict.CERTIFIED]


@settings(max_examples=40)
@given(st.fractions(-2, 2, max_denominator=4), st.fractions(-2, 2, max_denominator=4), st.fractions(-2, 2, max_denominator=4))
def test_covered_agrees_with_paths(a: Fraction, b: Fraction, c: Fraction):
    """Either multipliers, which are checked, or a ray of the cone d >= 1, n epsilon >= d on which the term grows faster."""
    proved = [SPACE.powers(n="-1/2"), SPACE.powers(n=-1, d="1/2", epsilon=-1)]
    ones = [SPACE.powers(n=1), SPACE.powers(d=1), SPACE.powers(n=1, epsilon=1, d=-1)]
    term = SPACE.powers(n=a, d=b, epsilon=c)
    found = covered(term, proved, ones)
    rays = [(n, d, e) for n, d, e in product(range(7), range(7), range(-6, 7)) if n + e >= d]

    def growth(of: tuple[Fraction, ...], ray: tuple[int, int, int]) -> Fraction:
        return sum((x * y for x, y in zip(of, ray, strict=False)), Fraction(0))

    worst = max(growth(term, ray) - max(growth(p, ray) for p in proved) for ray in rays)
    if found is None:
        assert worst > 0
    else:
        assert worst <= 0
        assert sum(found[:2]) == 1
        assert all(x >= 0 for x in found)
        for k in range(4):
            made = sum((x * p[k] for x, p in zip(found, proved, strict=False)), Fraction(0))
            made -= sum((x * g[k] for x, g in zip(found[2:], ones, strict=True)), Fraction(0))
            assert made == term[k]
