"""The exponential mechanisms as they are run: rounded lower minimisers, restarts, rates without epsilon, by other routes."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import with_formula
from dpsco.spec.claim import Relation
from dpsco.spec.losses.bilevel.assumptions import CONVEX_HOLDS
from dpsco.spec.register import find
from dpsco.verdict import Part, Reading, Severity, Verdict, fold

PURE, APPROXIMATE = "bilevel/thm-B.15", "bilevel/thm-B.16"


def refuted(id: str, part: str):
    (found,) = [f for f in judge(id).findings if f.verdict is Verdict.REFUTED and part in f.scope]
    return found


def step_loss(tolerance: Fraction, half: Fraction, s: Fraction, t: Fraction) -> float:
    """Largest log ratio of the two densities whose exponent has rounded minimisers, on cells of [0, 1]."""
    first = tolerance - t / 2
    cells = [Fraction(2 * i + 1, 2000) for i in range(1000)]

    def density(z: Fraction) -> np.ndarray:
        y = [t * x + z for x in cells]
        found = [2 * tolerance * round(v / (2 * tolerance)) for v in y]
        assert all(abs(a - b) <= tolerance for a, b in zip(found, y, strict=True))
        weight = np.array([math.exp(-float(half / (2 * s) * v)) for v in found])
        return weight / weight.sum()

    return float(np.abs(np.log(density(first) / density(first - Fraction(51, 100) * t))).max())


def printed_step_loss(t: Fraction, tolerance_times: Fraction = Fraction(1)) -> float:
    """At epsilon = 1, n = 1 with the printed tolerance zeta/L_fy = 1/12."""
    s = 2 * t + 4 * Fraction(101, 100) * t
    return step_loss(Fraction(1, 12) * tolerance_times, Fraction(1, 2), s, t)


def test_verdicts():
    pure, approximate = judge(PURE), judge(APPROXIMATE)
    assert (pure.verdict, pure.severity) == (Verdict.REFUTED, Severity.DOMAIN)
    assert (approximate.verdict, approximate.severity) == (Verdict.REFUTED, Severity.RATE)
    assert pure.amendments == [f"{PURE}-amended"]
    assert approximate.amendments == [f"{APPROXIMATE}-amended"]
    (links,) = [f for f in pure.findings if "links" in f.scope]
    assert links.verdict is Verdict.CERTIFIED
    assert 2 * (2 * Fraction(1, 12) + Fraction(1, 12)) + Fraction(1, 2) == 1


def test_existence_is_not_refuted_by_the_proof_s_own_sampler():
    """What fails in the proof is a step; the theorem falls where Phi_Z need not be convex, and with convexity it is open."""
    steps = [f for f in judge(PURE).findings if f.scope.startswith("step of the proof") and f.verdict is Verdict.REFUTED]
    assert {(f.reading, f.about) for f in steps} == {(Reading.PRINTED, Part.PROOF)}
    assert len(steps) == 2
    decide = judge_of(PURE)
    assert decide is not None
    convex = replace(find(PURE), preconditions=(*find(PURE).preconditions, *CONVEX_HOLDS))
    found = [f for f in decided(convex, decide) if (f.reading, f.about) == (Reading.PRINTED, Part.STATEMENT)]
    assert not [f for f in found if f.verdict is Verdict.REFUTED]
    slow = with_formula(find(PURE), "rate", lambda m, n: 1 / (1 + 0 * n))  # negative control: a loss that need not fall
    found = [f for f in decided(slow, decide) if (f.reading, f.about) == (Reading.PRINTED, Part.STATEMENT)]
    assert found
    assert not [f for f in found if f.scope.startswith("step of the proof")]


@pytest.mark.parametrize("p", [1, 2, 7])
def test_share_of_the_cells_that_a_polynomial_time_looks_at(p: int):
    """Exact integers: d^6 n (4M)^p evaluations among M^d cells, d = p + 2, n = M."""
    found = refuted(PURE, "every algorithm that evaluates")
    d = p + 2
    shares = [Fraction(d**6 * M * (4 * M) ** p + 1, M**d) for M in (10**15, 10**18, 10**21)]
    assert shares[2] < shares[1] / 999
    assert shares[1] < shares[0] / 999
    if p == int(found.at["p"]):
        assert d == int(found.at["d_x"])
        assert float(found.computed[0]) == pytest.approx(float(1 - shares[0]), abs=1e-11)
        assert float(found.claimed) == pytest.approx(2 * d / 1e15)


def test_rounded_minimisers_cost_more_than_epsilon():
    found = refuted(PURE, "rounded")
    assert (found.at["epsilon"], found.at["D_y"]) == ("1", "0.001")
    loss = printed_step_loss(Fraction(1, 1000))
    assert float(found.computed[0]) == pytest.approx(loss, rel=1e-12)
    assert loss > 6
    # negative controls: a score of usual scale, and the tolerance 2 s zeta/(epsilon' L_fy)
    assert printed_step_loss(Fraction(1, 10)) < 1
    t = Fraction(1, 1000)
    s = 2 * t + 4 * Fraction(101, 100) * t
    assert step_loss(2 * s * Fraction(1, 12) * 2, Fraction(1, 2), s, t) < 1


def test_errors_of_the_repaired_size_are_paid_for():
    """Errors of size zeta in the exponent, of either sign at every point of a grid, on both data sets: within epsilon."""
    random = np.random.default_rng(5)
    epsilon, zeta = 1.0, 1 / 12
    x = np.linspace(0, 1, 200)
    worst = 0.0
    for _ in range(300):
        score = [epsilon / 4 * x, -epsilon / 4 * x][:: random.choice([1, -1])]  # each loses at most epsilon/2 against the other
        p, q = (v + zeta * random.choice([-1, 1], size=200) for v in score)
        weights = [np.exp(-v) / np.exp(-v).sum() for v in (p, q)]
        worst = max(worst, float(np.abs(np.log(weights[0] / weights[1])).max()))
    assert epsilon / 4 < worst <= epsilon / 2 + 4 * zeta


def test_number_of_restarts_tells_the_data_sets_apart():
    found = refuted(PURE, "running time seen")
    assert found.reading is Reading.ANOTHER
    x = (np.arange(10**6) + 0.5) / (2 * 10**6)  # [0, 1/2]: F(x)/(e max F)
    accept = [float(np.mean(np.exp(-x)) / math.e), 1 / math.e]
    loss = math.log(accept[0] / accept[1]) + 50 * math.log((1 - accept[0]) / (1 - accept[1]))
    assert float(found.computed[0]) == pytest.approx(loss, rel=1e-9)


@pytest.mark.parametrize("part", ["empirical_rate as", "population_rate as"])
def test_a_rate_without_epsilon_by_group_privacy(part: str):
    found = refuted(APPROXIMATE, part)
    n = int(found.at["n"])
    epsilon, delta = 1 / n, 1 / (1000 * n)
    assert (float(found.at["epsilon"]), float(found.at["delta"])) == (epsilon, delta)
    total = 0.0
    for _ in range(n):  # one record after the other
        total = math.exp(epsilon) * total + delta
    assert total <= 0.001 * (math.e - 1) + 1e-9
    p, q = np.meshgrid(np.linspace(0, 1, 1001), np.linspace(0, 1, 1001))
    least = np.maximum((1 - p) / 2, q / 2)[p <= math.exp(n * epsilon) * q + total].min()
    assert float(found.computed[0]) <= least + 1e-6
    assert least > 100 * float(found.claimed)
    assert found.severity is Severity.MISPRINT


@pytest.mark.parametrize("id", [PURE, APPROXIMATE])
def test_judge_reads_assertions_and_releases(id: str):
    decide = judge_of(id)
    assert decide is not None
    other = replace(find(id), asserts=(Relation("output", "is", "2 epsilon-DP"),))
    assert fold(decided(other, decide)) is Verdict.OPEN
    more = replace(find(id), releases="x and the path")
    assert any(f.verdict is Verdict.OPEN and "releases" in f.scope for f in decided(more, decide))
