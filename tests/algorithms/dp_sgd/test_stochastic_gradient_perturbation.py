"""The newsvendor's stochastic gradient perturbation: the output, both variances by a quadrature, the risk's chain."""

import math
from fractions import Fraction
from random import Random

import mpmath
import numpy as np
import pytest

from dpsco.fast.algorithms.dp_sgd import stochastic_gradient_perturbation as fast
from dpsco.judging import judge
from dpsco.mutant import Fate
from dpsco.reference.algorithms.dp_sgd import stochastic_gradient_perturbation as reference
from dpsco.regression.errors import error
from dpsco.spec.algorithms.dp_sgd import stochastic_gradient_perturbation as spec
from dpsco.spec.claim import Relation
from dpsco.verdict import Proof, Reading, Verdict


@pytest.fixture(scope="module")
def printed():
    return judge("newsvendor/thm-5")


def test_open_for_want_of_a_range_and_false_without_one_for_both_variances_and_both_releases(printed):
    assert (printed.verdict, printed.severity) == (Verdict.OPEN, None)
    beside = [f for f in printed.findings if f.reading is Reading.ANOTHER]
    assert len(beside) == 8
    assert {f.verdict for f in beside} == {Verdict.REFUTED}
    assert all(f.scope.startswith("if no range is meant") for f in beside)
    assert [f.verdict for f in printed.findings if f.reading is Reading.PRINTED] == [Verdict.OPEN] * 2


@pytest.mark.parametrize("factor", [16.0, 32.0 * math.log(20)])
def test_large_epsilon_by_counting_draws(printed, factor: float):
    """n = 2, epsilon = 100, delta = 0.1: the sum of the four noisy gradients, simulated under both laws' worst event."""
    random = np.random.default_rng(3)
    mu = 2 * 100 / math.sqrt(factor * math.log(10))
    draws = random.binomial(4, 0.5, 200_000)
    noise = random.standard_normal(200_000)
    threshold = 14.8  # P(N(0, 1) > 14.8) < 10^-48 < e^-100 / 10^4
    assert 0.5 * math.erfc(threshold / math.sqrt(2)) * math.exp(100) < 1e-4
    hit = np.mean(noise + mu * draws / 2 > threshold)
    assert hit > 0.1 + 0.01
    # negative control: at epsilon = 1 the same event has no mass
    assert np.mean(noise + mu / 100 * draws / 2 > threshold) == 0


def test_amendment_is_certified_and_its_mutants_killed():
    amended = judge("newsvendor/thm-5-amended")
    assert amended.verdict is Verdict.CERTIFIED
    assert set(amended.mutants) == {Fate.KILLED, Fate.TRUE}
    assert len(amended.mutants[Fate.KILLED]) == 4
    assert [predicate for predicate in amended.claim.preconditions if {*predicate.names} == {"epsilon", "delta"}]


def large_steps(epsilon: mpmath.mpf, b: int, n: int, sigma: mpmath.mpf, count: int, above: str) -> mpmath.mpf:
    """ln of what the event "`count` of n^2 noisy gradients exceed `above`" asks of delta, by exact binomial sums."""
    mu, threshold = 2 / sigma, mpmath.mpf(above)

    def chance(p: mpmath.mpf) -> mpmath.mpf:
        return mpmath.fsum(mpmath.binomial(n**2, j) * p**j * (1 - p) ** (n**2 - j) for j in range(count, count + 80))

    plain = mpmath.ncdf(-threshold)
    left = chance(plain + (mpmath.ncdf(mu - threshold) - plain) / n) - mpmath.exp(epsilon) * chance(plain)
    return mpmath.log(left) if left > 0 else -mpmath.inf


def test_the_smaller_noise_does_not_reach_the_root_of_the_logarithm():
    """epsilon = sqrt(ln(1/delta)), delta = e^-2000, n = 90, where n^2 >= 4 ln(1/delta): false with the second variance."""
    b, n, epsilon = 2000, 90, mpmath.sqrt(2000)
    with mpmath.workdps(40):
        implied = 4 * mpmath.sqrt(b) / epsilon
        assert large_steps(epsilon, b, n, implied, 11, "17.5") > -0.81 * b
        # negative controls: at epsilon = 1, and with the cited variance, no such event asks for as much
        assert large_steps(mpmath.mpf(1), b, n, implied * epsilon, 11, "17.5") < -b
        cited = mpmath.sqrt(32 * b * (b + mpmath.log(n))) / epsilon
        assert max(large_steps(epsilon, b, n, cited, k, str(a)) for k in (1, 3, 11, 40) for a in (5, 10, 17.5, 30)) < -b


@pytest.mark.parametrize("logs", [0.7, 1.2, 3.0, 14.0, 92.0, 690.0])
def test_moments_of_the_dominating_pair_stay_below_delta(logs: float):
    """The cited variance at epsilon = max(1, sqrt(b)), the least n: the moment by quadrature, its best order on a grid."""
    b = mpmath.mpf(logs)
    n = max(2, math.ceil(2 * math.sqrt(logs)))
    epsilon = max(mpmath.mpf(1), mpmath.sqrt(b))

    def nats(divisor: int) -> mpmath.mpf:
        mu = 2 * epsilon / mpmath.sqrt(32 * (b + mpmath.log(n)) * b) * divisor

        def of_order(w: mpmath.mpf) -> mpmath.mpf:
            def excess(x: mpmath.mpf) -> mpmath.mpf:
                ratio = 1 + mpmath.expm1(mu * x - mu**2 / 2) / n
                return mpmath.npdf(x) * (ratio**w + ratio ** (1 - w) - ratio - 1)

            points = [mu / 2 + 4 * k for k in range(40)]  # the largest part is near x = w mu, at most 106 here
            moment = mpmath.log1p(mpmath.quad(excess, points))
            return n**2 * moment - (w - 1) * epsilon + (w - 1) * mpmath.log(w - 1) - w * mpmath.log(w)

        return min(of_order(mpmath.mpf(t) * b / epsilon) for t in ("1.5", "2", "3") if mpmath.mpf(t) * b > epsilon)

    assert nats(1) <= -b or logs < 1.3  # there w = 2 is taken instead
    assert nats(100) > -b  # negative control: a hundredth of the noise


@pytest.fixture(scope="module")
def risk():
    return judge("newsvendor/thm-6")


@pytest.mark.parametrize("seed", range(12))
def test_fast_matches_reference(seed: int):
    problem = spec.descend.generate(Random(seed))
    found = fast.descend(**problem)
    assert error(spec.descend, reference.descend, problem, found) <= 4.0
    # negative control: half of the output's length as the ball's radius
    if np.linalg.norm(found) > 0:
        moved = fast.descend(**{**problem, "B": np.linalg.norm(found) / 2})
        assert error(spec.descend, reference.descend, problem, moved) > 4.0


@pytest.mark.parametrize("problem", spec.descend.hard)
def test_fast_matches_reference_on_hard_problems(problem):
    assert error(spec.descend, reference.descend, problem, fast.descend(**problem)) <= 4.0


def test_the_rebuilt_algorithm_is_stated_and_its_numbers_fit():
    found = judge("newsvendor/alg-SGP")
    assert found.verdict is Verdict.STATED
    assert [f.verdict for f in found.findings if f.reading is Reading.MEANT] == [Verdict.CERTIFIED] * 4
    assert set(found.mutants) == {Fate.KILLED, Fate.TRUE}
    assert len(found.mutants[Fate.KILLED]) == 4


def test_two_links_of_the_risk_bound_fail_and_its_end_stands(risk):
    assert (risk.verdict, risk.severity, risk.proof) == (Verdict.OPEN, None, Proof.BROKEN)
    printed = [f for f in risk.findings if f.reading is Reading.PRINTED]
    assert [str(f.asserts[-1]) for f in printed if f.verdict is Verdict.REFUTED] == [
        "bound_raw at step_length, T = n^2, sigma_implied <= bound_first",
        "bound_first <= bound_second",
    ]
    assert [f.release for f in printed if f.verdict is Verdict.OPEN] == ["the projected average"]
    meant = [f for f in risk.findings if "L^2/n^3" in f.scope]
    assert [(f.verdict, f.reading) for f in meant] == [(Verdict.CERTIFIED, Reading.MEANT)] * 2
    assert [f.verdict for f in printed if Relation("risk", "<=", "bound") in f.asserts] == [Verdict.CERTIFIED]


def test_the_failing_links_in_exact_fractions(risk):
    """Squares over 2 B^2 without noise; noise adds the same to every side of these links."""
    raw, first = [f for f in risk.findings if f.verdict is Verdict.REFUTED and f.reading is Reading.PRINTED]
    for finding, broken in ((raw, "least > first"), (first, "first > second")):
        v = {name: Fraction(value) for name, value in finding.at.items()}
        n, square, k = v["n"], (v["r_bar"] * v["B_x"]) ** 2, v["kappa_1"] * v["K_bar"]
        least = ((1 + n**2) * square / n + square / 2 + k * v["B_x"] ** 2 / 4) / n**2
        printed = square / n + (square + k * v["B_x"] ** 2) / (2 * n**2) + v["r_bar"] * v["B_x"] / n**3
        second = square * (2 / n + (1 + k / v["r_bar"] ** 2) / (2 * n**2))
        assert least > printed if broken == "least > first" else printed > second
        amended = printed + (square - v["r_bar"] * v["B_x"]) / n**3
        assert least <= amended <= second


def test_risk_amendment_is_certified_and_its_mutants_killed():
    amended = judge("newsvendor/thm-6-amended")
    assert amended.verdict is Verdict.CERTIFIED
    assert amended.claim.releases == "the average before projection"
    assert not [f for f in amended.findings if "projected" in f.scope]
    assert set(amended.mutants) == {Fate.KILLED, Fate.TRUE}
    assert len(amended.mutants[Fate.KILLED]) == 11


def test_cited_noise_is_not_covered(risk):
    (beside,) = [f for f in risk.findings if "cited variance" in f.scope]
    assert (beside.verdict, beside.reading) == (Verdict.REFUTED, Reading.ANOTHER)
    v = {name: float(value) for name, value in beside.at.items()}
    private = 16 * v["d"] * np.log(v["n"] / v["delta"]) * np.log(1 / v["delta"]) / (v["n"] * v["epsilon"]) ** 2
    assert np.sqrt(2 * private) * v["B"] * v["B_x"] * v["r_bar"] > float(beside.claimed)
