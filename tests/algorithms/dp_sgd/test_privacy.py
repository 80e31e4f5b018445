"""DP-SGD's noise: where the printed variance fails, by other routes than the judge's, and the amendment."""

import math

import numpy as np
import pytest

from dpsco.arguments.algorithms.descent.sampled_gradients import AVERAGE_ONLY, TRANSCRIPT, certificate
from dpsco.judging import judge, judge_of
from dpsco.mutant import Fate, scaled
from dpsco.spec.register import find
from dpsco.verdict import Severity, Verdict, fold


@pytest.fixture(scope="module")
def printed():
    return judge("quantile/thm-3.2")


def finding(judgement, part: str, release: str):
    (found,) = [f for f in judgement.findings if part in f.scope and f.release == release]
    return found


def by_convolution(mu: float, q: float, steps: int, epsilon: float, tilt: float, up: bool) -> float:
    """delta from the privacy loss on a lattice, rounded up or down, tilted so that doubles do; repeated convolution."""
    cell, loss_step = 2e-3, 4e-5
    x = np.arange(-9.0, 14.0, cell)
    tail = np.array([0.5 * math.erfc(v / math.sqrt(2)) for v in x])
    mass = tail[:-1] - tail[1:]
    loss = np.log(1 - q + q * np.exp(mu * (x[1:] if up else x[:-1]) - mu**2 / 2)) / loss_step
    index = (np.ceil(loss) if up else np.floor(loss)).astype(int)
    first = index.min()
    one = np.bincount(index - first, weights=mass * np.exp(tilt * index * loss_step))
    size = 1 << math.ceil(math.log2(len(one) * steps))
    total = np.fft.irfft(np.fft.rfft(one / one.sum(), size) ** steps, size)
    losses = (np.arange(size) + first * steps) * loss_step
    above = np.maximum(losses - epsilon, 0.0)
    gain = np.exp(epsilon - tilt * above) * np.expm1(above)
    return float(np.sum(total * gain) * math.exp(steps * math.log(one.sum()) - tilt * epsilon))


def test_small_delta_by_convolution(printed):
    """Rounded down it is below the enclosure and above the claim, rounded up above the enclosure."""
    found = finding(printed, "delta <= 1/2", TRANSCRIPT)
    assert (dict(found.at), found.verdict) == ({"epsilon": "1", "delta": "1e-40", "n": "4"}, Verdict.REFUTED)
    low, high = map(float, found.computed)
    mu = 1 / math.sqrt(2 * 40 * math.log(10))
    below, above = (by_convolution(mu, 0.25, 15, 1.0, 190.0, up) for up in (False, True))
    assert 1e-40 < below < low <= high < above < 1.3 * below
    # negative control: twice the variance is not contradicted
    assert by_convolution(mu / math.sqrt(2), 0.25, 15, 1.0, 380.0, True) < 1e-60


def test_large_delta_by_simulation(printed):
    """The refuting event of the transcript, and the average's, counted: probabilities near one, so that counting decides."""
    random = np.random.default_rng(7)
    assert finding(printed, "delta > 1/2", TRANSCRIPT).verdict is Verdict.REFUTED
    mu, steps, runs = 1 / math.sqrt(-2 * math.log(0.99)), 99, 20000
    noise = random.standard_normal((runs, steps))
    drawn = random.random((runs, steps)) < 0.1
    hit = np.mean((noise + mu * drawn).max(axis=1) > 4.5) - math.e * np.mean(noise.max(axis=1) > 4.5)
    assert hit > 0.99 + 4 * math.sqrt(0.01 / runs)
    # negative control: at delta = 1/2 the same event is far from a contradiction
    weak = 1 / math.sqrt(2 * math.log(2))
    assert np.mean((noise + weak * drawn).max(axis=1) > 4.5) < 0.5


def test_average_by_normal_quantiles(printed):
    found = finding(printed, "delta > 1/2", AVERAGE_ONLY)
    assert (found.verdict, found.at["n"]) == (Verdict.REFUTED, "16")
    random = np.random.default_rng(11)
    weights = np.arange(1, 256) / math.sqrt(sum(w * w for w in range(1, 256)))
    mu, runs = 1 / math.sqrt(-2 * math.log(0.999)), 400_000
    missed = 0.0
    for _ in range(20):  # P(not above 4), the noise integrated out, the draws counted
        shifts = mu * ((random.random((runs // 20, 255)) < 1 / 16) @ weights)
        missed += sum(0.5 * math.erfc((s - 4) / math.sqrt(2)) for s in shifts if s < 12)
    false_alarm = 0.5 * math.erfc(4 / math.sqrt(2))
    assert 1 - missed / runs - math.e * false_alarm > 0.999 + 1e-4
    assert float(found.computed[0]) > 0.9993


def test_average_at_small_delta_stays_open(printed):
    assert finding(printed, "delta <= 1/2", AVERAGE_ONLY).verdict is Verdict.OPEN
    assert (printed.verdict, printed.severity) == (Verdict.REFUTED, Severity.DOMAIN)


def test_amendment_is_certified_and_its_mutants_killed():
    amended = judge("quantile/thm-3.2-amended")
    assert amended.verdict is Verdict.CERTIFIED
    assert set(amended.mutants) == {Fate.KILLED, Fate.TRUE}
    assert len(amended.mutants[Fate.KILLED]) == 5


def test_the_certificate_is_not_given_away():
    """Negative controls: less noise, no condition on n, epsilon beyond 1."""
    claim = find("quantile/thm-3.2-amended")

    def sigma(moved):
        return lambda m, v: m.sqrt(moved.formulas["variance"](m, L=v["L"], epsilon=v["epsilon"], delta=v["delta"]))

    assert certificate(claim, sigma(claim)).holds is True
    less = scaled(claim, "variance", 3, 4)
    assert certificate(less, sigma(less)).holds is not True
    printed = find("quantile/thm-3.2")
    assert certificate(printed, sigma(printed)) is None


def test_judge_rejects_a_quarter_of_the_variance():
    claim = find("quantile/thm-3.2-amended")
    assert fold(judge_of(claim.id)(scaled(claim, "variance", 1, 4))) is Verdict.REFUTED
