"""The packing lower bounds: the construction as code, the verdicts, and the arguments by other routes."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.analysis import decision_minimax as known
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, with_formula
from dpsco.mutants.analysis.lower_bounds.packing import searched
from dpsco.reference.analysis.lower_bounds import packing
from dpsco.reference.numbers.mp import mp
from dpsco.spec.predicate import Predicate
from dpsco.spec.register import find
from dpsco.verdict import Part, Proof, Reading, Severity, Verdict, fold

AMENDED = {"spo/thm-8-amended": 6, "spo/app-d-1-amended": 7, "spo/app-d-2-amended": 5, "spo/app-d-3-amended": 6}


@cache
def judged(id):
    return judge(id)


@pytest.mark.parametrize(("id", "killed"), AMENDED.items())
def test_amendments_are_certified_and_mutants_die(id, killed):
    found = judged(id)
    assert found.verdict is Verdict.CERTIFIED
    assert set(found.mutants) == {Fate.KILLED}
    assert len(found.mutants[Fate.KILLED]) == killed


def test_theorem_five_is_certified_and_its_proof_is_not():
    found = judged("spo/thm-5")
    assert found.verdict is Verdict.CERTIFIED
    assert (len(found.mutants[Fate.KILLED]), set(found.mutants)) == (4, {Fate.KILLED, Fate.TRUE})
    (step,) = [f for f in found.findings if f.about is Part.PROOF]
    assert (step.verdict, step.reading, found.proof) == (Verdict.REFUTED, Reading.PRINTED, Proof.BROKEN)


@pytest.mark.parametrize(("id", "refuted"), [("spo/thm-8", 3), ("spo/app-d-1", 3), ("spo/app-d-2", 6), ("spo/app-d-3", 4)])
def test_printed_parts_are_refuted(id, refuted):
    """Theorem 8 itself; the parts of Theorem 5's proof state nothing but break that proof."""
    found = judged(id)
    whole = id == "spo/thm-8"
    assert (found.verdict, found.severity) == ((Verdict.REFUTED, Severity.RATE) if whole else (Verdict.STATED, None))
    assert whole or found.proof is Proof.BROKEN
    assert sum(f.verdict is Verdict.REFUTED for f in found.findings) == refuted


def test_what_no_argument_reads_is_open():
    """Negative control: a rate that is neither proved nor beaten, and a loss that is neither."""
    claim = find("spo/thm-8-amended")
    moved = with_formula(claim, "rate", lambda m, n, d, epsilon: m.log(1 + n) / m.sqrt(n))
    assert fold(decided(moved, judge_of(claim.id))) in (Verdict.OPEN, Verdict.REFUTED)
    claim = find("spo/thm-5")
    moved = with_formula(claim, "rate", lambda m, n, epsilon: m.log(2 + m.exp(-epsilon)) / m.sqrt(n))
    assert fold(decided(moved, judge_of(claim.id))) is Verdict.OPEN


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=3))
def test_exact_loss_is_the_largest_over_decisions(pairs):
    """Against a search over decisions in exact fractions; where the search runs to its end, the loss has no bound."""
    c, c_hat = (tuple(Fraction(pair[k], 4) for pair in pairs) for k in (0, 1))
    m = mp(30)
    at = [[m.real(x) for x in v] for v in (c, c_hat)]
    found = [packing.spo_plus(m, *at, packing.decide(m, at[0]), m.real(reach)) for reach in (1000, 2000)]
    assert abs(found[0] - m.real(searched(c, c_hat))) < m.real("1e-20")
    covers = all(2 * b >= a for a, b in zip(c, c_hat, strict=True))
    assert (found[0] == found[1]) is covers


def test_half_the_largest_cost_is_least():
    m = mp(30)
    for places in ((0, 1), (0, 0, 1), (0, 0)):
        costs = [packing.unit(m, 2, j) for j in places]
        best = packing.risk(m, costs, packing.half_of_largest(m, costs, m.frac(1, 2)), m.real(1000))
        others = [[m.frac(a, 8), m.frac(b, 8)] for a, b in product(range(13), repeat=2)]
        assert min(packing.risk(m, costs, c_hat, m.real(1000)) for c_hat in others) >= best
        average = [sum(column) / len(costs) for column in zip(*costs, strict=True)]
        assert (packing.risk(m, costs, average, m.real(1000)) > best) is (places == (0, 0, 1))


def test_packed_data_sets_lie_apart():
    m = mp(20)
    for one, other in product(packing.packed(m, 3, 2), repeat=2):
        assert m.norm([a - b for a, b in zip(one[0], other[0], strict=True)], 1) == (0 if one == other else 2)
    with pytest.raises(ValueError, match=r"j=3: must be one of 0, \.\.\., 2"):
        packing.unit(m, 3, 3)


@pytest.mark.parametrize("counts", [(3, 0, 0), (2, 1, 0), (1, 1, 1)])
@pytest.mark.parametrize("epsilon", [0.1, 2.0])
def test_naming_the_cost_is_private(counts, epsilon):
    """All replacements of one record of three: the probabilities' quotients; and the closed form on packed data."""

    def law(numbers):
        weights = np.exp(epsilon * np.array(numbers) / 2)
        return weights / weights.sum()

    for i, j in product(range(3), repeat=2):
        if counts[i] and i != j:
            moved = list(counts)
            moved[i] -= 1
            moved[j] += 1
            quotient = law(counts) / law(moved)
            assert quotient.max() <= np.exp(epsilon) * (1 + 1e-12)
            assert quotient.max() > 1
    m = mp(20)
    closed = packing.chance_of_right(m, m.real(3), m.real(3), m.real(epsilon))
    assert float(closed) == pytest.approx(law((3, 0, 0))[0], rel=1e-12)


@pytest.mark.parametrize("n", [1, 4, 50])
def test_four_laws_by_exact_counting(n):
    """Best possible chance of two right signs, every data set counted: below 0.47, so that some v errs above 1/2."""
    t = mpmath.mpf(1) / (3 * mpmath.sqrt(n))

    def right(k):
        """Chance that the better sign is right after k records of one feature, v uniform."""
        up = [mpmath.binomial(k, i) * ((1 + t) / 2) ** i * ((1 - t) / 2) ** (k - i) for i in range(k + 1)]
        return sum(max(a, b) for a, b in zip(up, up[::-1], strict=True)) / 2

    both = sum(mpmath.binomial(n, k) / mpmath.mpf(2) ** n * right(k) * right(n - k) for k in range(n + 1))
    assert mpmath.mpf("0.25") <= both < mpmath.mpf("0.47")


@pytest.mark.parametrize("sign", [1, -1])
def test_losses_of_the_four_laws(sign):
    """SPO+ on [-1, 1] by search: 2C - 4b or 2C + 4b up to C/2, nothing or slope 4 beyond."""
    C = Fraction(3)
    for k in range(-20, 21):
        b, c = Fraction(k, 5), sign * C
        loss = max((c - 2 * b) * w for w in (-1, 1)) + (2 * b - c) * (-sign)
        assert loss == max(0, 2 * C - 4 * sign * b)


def test_fingerprints_by_exact_expectation():
    """The identity and the least risk of the lemma for f = the sign of the mean, one coordinate, n = 3 records."""
    n = 3

    def expected(q, value):
        return sum(value(s) * mpmath.fprod((1 + x * q) / 2 for x in s) for s in product((-1, 1), repeat=n))

    def f(s):
        return 1 if sum(s) > 0 else -1

    left = mpmath.quad(lambda q: expected(q, lambda s: f(s) * sum(x - q for x in s)), [-1, 1]) / 2
    right = mpmath.quad(lambda q: 2 * q * expected(q, f), [-1, 1]) / 2
    assert abs(left - right) < 1e-12
    assert right > 0.1


@pytest.mark.parametrize(("d", "epsilon"), [(1, 1.0), (3, 0.5)])
def test_the_noise_of_the_pure_fit_has_its_length(d, epsilon):
    """|z| is a gamma variable of shape d and scale D/epsilon: mean d D/epsilon; the best lambda gives the bound."""
    generator = np.random.Generator(np.random.Philox(key=8))
    lengths = generator.gamma(d, 1 / epsilon, 200_000)
    assert abs(lengths.mean() - d / epsilon) < 5 * lengths.std() / 200_000**0.5
    m, n = mp(30), 10_000
    bound = known.pure_fit(m, {"n": m.real(n), "d": m.real(d), "epsilon": m.real(epsilon)})
    grid = [lam / 2 + 2 / (lam * n) * (1 + d / epsilon) for lam in np.geomspace(1e-4, 10, 4001)]
    assert min(grid) == pytest.approx(float(bound), rel=1e-4)


def refuted(claim, words):
    return [f for f in decided(claim, judge_of(claim.id)) if f.verdict is Verdict.REFUTED and words in f.scope]


@pytest.mark.parametrize(
    ("id", "name", "formula", "words"),
    [
        ("spo/app-d-3", "rate", lambda m, d, n: (d - 1) / n, "d = 1"),
        ("spo/thm-5", "rate", lambda m: m.real(0), "d = 1"),
        ("spo/app-d-1", "packed_loss", lambda m, c: m.real(0), "the average minimises"),
        ("spo/app-d-2", "packed_mass", lambda m: m.real(2), "packed_mass > total_mass"),
        ("spo/app-d-2", "distance_padded", lambda m: m.real(0), "with probability at least 1/2, n > n*"),
        ("spo/app-d-2", "padding", lambda m: m.real(0), "no w*(c)"),
        ("spo/app-d-2", "threshold", lambda m: m.real(0), "every d, optimum e_j/2"),
    ],
)
def test_what_is_made_true_is_not_refuted(id, name, formula, words):
    claim, moved = find(id), with_formula(find(id), name, formula)
    before, after = refuted(claim, words), refuted(moved, words)
    if id == "spo/app-d-3":  # its other rate is still refuted at d = 1
        before, after = ([f for f in found if f.scope.startswith("rate")] for found in (before, after))
    assert before
    assert not after


def test_a_path_outside_the_conditions_contradicts_nothing():
    """n <= 10, stored with a key too many; a condition on what a path has no value for; negative control: neither."""
    slower = with_formula(find("spo/thm-5"), "rate", lambda m, n: 1 / n ** m.frac(1, 5))
    assert refuted(slower, "expected excess population risk")
    few = Predicate("n <= 10", lambda m, n: m.le(n, 10), accepts={"n": 1, "surplus": 1}, rejects={"n": 11, "surplus": 1})
    other = Predicate("t > 0", lambda m, t: m.gt(t, 0), accepts={"t": 1}, rejects={"t": 0})
    for predicate in (few, other):
        assert not refuted(replace(slower, preconditions=(predicate,)), "expected excess population risk")


@pytest.mark.parametrize("k", [2, 3, 7])
def test_naming_on_padded_data_is_right_as_often_as_said(k):
    """Exact counting on the padded sets of d = k unit costs: n* = 3 copies, the padding names no unit cost."""
    weights = [np.exp(0.9 * (3 if j == 0 else 0) / 2) for j in range(k)]
    m = mp(20)
    closed = packing.chance_of_right(m, m.real(k), m.real(3), m.real("0.9"))
    assert float(closed) == pytest.approx(weights[0] / sum(weights), rel=1e-12)
