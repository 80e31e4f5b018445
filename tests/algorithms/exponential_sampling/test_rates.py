"""The informal theorem's displays: its refutations by other routes, and the amended rates."""

import itertools
import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, with_formula
from dpsco.spec.predicate import Predicate
from dpsco.spec.register import find
from dpsco.verdict import Severity, Verdict, fold

PRINTED, AMENDED = "bilevel/thm-3.1", "bilevel/thm-3.1-amended"


def refuted(part: str):
    (found,) = [f for f in judge(PRINTED).findings if f.verdict is Verdict.REFUTED and part in f.scope]
    return found


def test_verdicts():
    printed, amended = judge(PRINTED), judge(AMENDED)
    assert (printed.verdict, printed.severity) == (Verdict.REFUTED, Severity.DOMAIN)
    assert amended.verdict is Verdict.CERTIFIED
    assert not {Fate.SURVIVED, Fate.UNKNOWN, Fate.TRUE} & {*amended.mutants}
    assert len(amended.mutants[Fate.KILLED]) >= 4
    of = {str(r): f.verdict for f in printed.findings for r in f.asserts if f.verdict is not Verdict.OPEN}
    assert len(of) == 4
    assert any("finite" in f.scope for f in printed.findings)


@pytest.mark.parametrize("d", [1, 2, 3, 8, 31, 100])
def test_hoeffding_tail_by_counting(d: int):
    """P(<x, z> >= 1/2) for x along a diagonal, exactly, and for a coordinate: never above e^{-d/8}."""
    tail = sum(math.comb(d, j) for j in range(d + 1) if 2 * (2 * j - d) >= d) / 2**d
    assert tail <= math.exp(-d / 8)
    assert (0.5 if d <= 4 else 0.0) <= math.exp(-d / 8)


def test_large_epsilon_by_the_best_private_answer():
    """d = 16, epsilon = d/16: no law of answers that is within e^epsilon of one law reaches half the mean of <x, z>."""
    random = np.random.default_rng(0)
    d, epsilon, delta = 16, 1.0, 0.1
    z = random.choice([-1.0, 1.0], size=(200000, d)) / math.sqrt(d)
    x = np.abs(z[0])  # one fixed answer; every answer is alike to uniform signs, up to its shape
    share = np.mean(z @ x >= 0.5)
    assert share <= math.exp(-d / 8)
    found = refuted("empirical risk of every (epsilon, delta)-DP")
    t, d_x = float(found.at["epsilon"]), float(found.at["d_x"])
    assert d_x == 16 * t
    assert float(found.computed[0]) == pytest.approx((1 - delta - math.exp(t - d_x / 8)) / 2)
    assert float(found.claimed) == pytest.approx(math.sqrt(d_x * math.log(10)) / t)
    assert (1 - delta - math.exp(epsilon) * share) / 2 > 0.3


def test_population_rate_for_large_epsilon_by_mpmath():
    found = refuted("population")
    n, d, delta = (mpmath.mpf(found.at[name]) for name in ("n", "d_x", "delta"))
    each = mpmath.sqrt(2 * n) + 1 / mpmath.sqrt(2 * n) + 2 * mpmath.sqrt(d) * delta
    least = mpmath.mpf(1) / 2 - n * each / (2 * mpmath.sqrt(d))
    assert float(found.computed[0]) == pytest.approx(float(least), abs=1e-11)
    rate = mpmath.sqrt(d * mpmath.log(1 / delta)) / n**2 + 1 / mpmath.sqrt(n)
    assert float(found.claimed) == pytest.approx(float(rate), rel=1e-10)
    assert float(least) >= 0.25 - 1e-11
    assert least > 1000 * rate


@pytest.mark.parametrize(("n", "d"), [(1, 1), (2, 2), (3, 1)])
def test_fingerprints_by_enumeration(n: int, d: int):
    """E sum <A, x_i - p> = 2 E<A, p> for a random A of all data sets in {-1, 1}^{n d}, p by Gauss' nodes: exact."""
    random = np.random.default_rng(n + 10 * d)
    data = np.array(list(itertools.product([-1.0, 1.0], repeat=n * d))).reshape(-1, n, d)
    A = random.uniform(-1, 1, size=(len(data), d))
    nodes, weights = np.polynomial.legendre.leggauss(n + 2)
    left = right = 0.0
    for chosen in itertools.product(range(n + 2), repeat=d):
        p, weight = nodes[list(chosen)], np.prod(weights[list(chosen)]) / 2**d
        chance = np.prod((1 + data * p) / 2, axis=(1, 2)) * weight
        left += (chance * np.einsum("kj,kij->k", A, data - p)).sum()
        right += 2 * (chance * (A @ p)).sum()
    assert left == pytest.approx(right, abs=1e-12)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.0), (2.0, 0.01), (8.0, 0.1)])
def test_a_private_answer_knows_no_record(epsilon: float, delta: float):
    """n = 1, A a corner of the ball: the law that is most with x_1, (epsilon, delta)-near the even one, stays below B."""
    for d in (1, 4, 9):
        signs = np.array(list(itertools.product([-1.0, 1.0], repeat=d)))
        for p in (0.0, 0.3, 0.9):
            size = np.sort((signs @ (np.ones(d) - p)) / math.sqrt(d))[::-1]  # <A, x - p> over the corners A, x = (1, ..., 1)
            weight = np.minimum(1, math.exp(epsilon) * np.arange(1, len(signs) + 1) / len(signs) + delta)
            mean = (np.diff(weight, prepend=0) * size).sum() / weight[-1]
            assert mean <= math.sqrt(2 * epsilon) + 1 / math.sqrt(2 * epsilon) + 2 * math.sqrt(d) * delta


def test_average_size_of_the_means():
    for d in (1, 2, 50):
        sample = np.random.default_rng(d).uniform(-1, 1, size=(4000, d))
        assert np.linalg.norm(sample, axis=1).mean() >= math.sqrt(d) / 2 - 0.02


def test_no_lower_bound_above_the_range():
    found = refuted("as a lower bound")
    assert float(found.claimed) == float(found.at["d_x"]) > 1e9 * float(found.computed[1])


@given(st.integers(1, 60), st.integers(1, 50), st.floats(0.001, 1))
def test_pure_lower_bound_stays_below_the_exponential_mechanism(d: int, n: int, part: float):
    """(1 - e^{-1/16})/128 min(1, d/(epsilon n)) of L D against 4 d/(epsilon n) of the amended mechanism and the range."""
    epsilon = part * d / 16
    lower = (1 - math.exp(-1 / 16)) / 128 * min(1, d / (epsilon * n))
    assert lower <= min(1, 4 * d / (epsilon * n))
    m = min(n, math.floor(d / (16 * epsilon)))
    assert m >= min(n, d / (32 * epsilon))
    assert (m / n) * (1 - math.exp(m * epsilon - d / 8)) / 4 >= lower * (1 - 1e-12)


def test_a_rate_for_large_epsilon_is_not_refuted():
    """Negative control: with sqrt(epsilon) for epsilon the path shows nothing; a bounded lower bound is not too large."""
    decide = judge_of(PRINTED)
    assert decide is not None
    slow = with_formula(find(PRINTED), "approximate_rate", lambda m, n, d_x, epsilon, delta: m.sqrt(d_x / epsilon) / n)
    assert not [f for f in decided(slow, decide) if f.verdict is Verdict.REFUTED and "empirical risk of every (" in f.scope]
    wide = with_formula(find(PRINTED), "population_rate", lambda m, n, d_x, epsilon: m.sqrt(d_x / epsilon) / n + 1 / m.sqrt(n))
    assert not [f for f in decided(wide, decide) if f.verdict is Verdict.REFUTED and "population" in f.scope]
    capped = find(PRINTED)
    for name in ("pure_rate", "approximate_rate", "population_rate"):
        capped = with_formula(capped, name, lambda m, n: 1 / (1 + n))
    assert not [f for f in decided(capped, decide) if f.verdict is Verdict.REFUTED and "lower bound" in f.scope]
    assert fold(decided(find(PRINTED), decide)) is Verdict.REFUTED


def test_a_rate_is_refuted_only_by_problems_that_the_claim_admits():
    """The unit interval is no problem of a claim about two dimensions and more, nor of one about a lower level that moves."""
    claim = find(AMENDED)

    def sharper(m, n, d_x, epsilon, delta):
        return claim.formulas["approximate_rate"](m, n=n, d_x=d_x, epsilon=epsilon, delta=delta) / n ** m.frac(1, 10)

    moved = with_formula(claim, "approximate_rate", sharper)
    assert fold(decided(moved)) is Verdict.REFUTED
    conditions = (
        ("d_x", lambda m, d_x: m.ge(d_x, m.real(2))),
        ("beta_gxy", lambda m, beta_gxy: m.ge(beta_gxy, m.real(1))),
        ("beta_gyy", lambda m, beta_gyy: m.le(beta_gyy, m.frac(1, 2))),
    )
    for name, test in conditions:
        other = Predicate(f"a condition on {name}", test, {name: "2"}, {name: "0.7"})
        assert fold(decided(replace(moved, preconditions=(*claim.preconditions, other)))) is Verdict.OPEN
