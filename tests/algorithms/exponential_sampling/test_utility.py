"""The exponential mechanism and its regularised form as printed: each refutation and each lemma by another route."""

import itertools
import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import centred_range
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import with_formula
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Relation
from dpsco.spec.register import find
from dpsco.verdict import Part, Reading, Severity, Verdict, fold

SMALL = np.linspace(0, 1, 401)


def huber(y):
    return np.where(np.abs(y) >= 0.5, np.abs(y) - 0.25, y**2)


def refuted(id: str, part: str):
    (found,) = [f for f in judge(id).findings if f.verdict is Verdict.REFUTED and part in f.scope]
    return found


def test_verdicts():
    exponential, regularised, full = (judge(f"bilevel/{label}") for label in ("thm-3.2", "thm-3.3", "thm-B.8"))
    assert (exponential.verdict, exponential.severity) == (Verdict.REFUTED, Severity.MISPRINT)
    assert (regularised.verdict, regularised.severity) == (Verdict.REFUTED, Severity.RATE)
    assert (full.verdict, full.severity) == (Verdict.REFUTED, Severity.RATE)
    certified = {str(r) for f in exponential.findings if f.verdict is Verdict.CERTIFIED for r in f.asserts}
    assert certified == {"mechanism (4) is epsilon-DP", "risk <= bound"}
    assert regularised.amendments == ["bilevel/thm-3.3-amended"]


def test_risk_of_the_printed_scale_by_quadrature():
    found = refuted("bilevel/thm-3.2", "rate")
    n = int(found.at["n"])
    k = 1 / (2 * (2 / mpmath.mpf(n) + 4))
    with mpmath.workdps(30):
        risk = mpmath.quad(lambda x: x * mpmath.exp(-k * x), [0, 1]) / mpmath.quad(lambda x: mpmath.exp(-k * x), [0, 1])
    assert float(found.computed[0]) <= float(risk) + 1e-12
    assert float(risk) - 1e-12 <= float(found.computed[1])
    assert float(risk) > 1e5 * float(found.claimed)


def test_spike_by_integration():
    found = refuted("bilevel/thm-3.2-nonconvex", "spike")
    w, k = float(found.at["w"]), 1 / (2 * (2 / int(found.at["n"]) + 4))
    x = np.linspace(0, 1, 2_000_001)
    h = -np.maximum(0, 1 - np.abs(x - 0.5) / w)
    risk = 1 + (h * np.exp(-k * h)).mean() / np.exp(-k * h).mean()
    assert float(found.computed[0]) <= risk <= 1
    assert risk > 1e5 * float(found.claimed)
    # negative control: a wide spike is found by a cold sampler
    wide = -np.maximum(0, 1 - np.abs(x - 0.5) / 0.5)
    assert 1 + (wide * np.exp(-100 * wide)).mean() / np.exp(-100 * wide).mean() < 0.02


@given(
    st.integers(1, 4),
    st.lists(st.floats(-1, 1), min_size=5, max_size=5),
    st.floats(0, 3),
    st.floats(0, 3),
    st.floats(0.2, 4),
    st.floats(-2, 2),
)
@example(1, [0.0] * 5, 0.0, 2.225073858507e-311, 1.0, 0.0)
def test_range_of_the_score_and_loss_of_the_draw(n, records, slope, weight, mu, b):
    """f = slope x z + weight huber(y - z), g = mu (y - b x - z)^2/2, on a grid of [0, 1], the whole from its definitions."""
    x = SMALL
    first, second = records[:n], [records[4], *records[1:n]]

    def score(data):
        y = b * x + np.mean(data)
        return np.mean([slope * x * z + weight * huber(y - z) for z in data], axis=0)

    change = score(first) - score(second)
    values = {"n": n, "L_fx": slope, "L_fy": weight, "L_gy": mu * (abs(b) + 2), "mu_g": mu, "D_x": 1.0, "D_y": abs(b)}
    m = mp(30)
    given_ = {name: m.real(value) for name, value in values.items()}
    R, s = float(centred_range(m, given_)), float(find("bilevel/eq-4").formulas["s"](m, **given_))
    assert np.ptp(change) <= R + 1e-12
    assert 2 * s >= R
    if s > 0:
        p, q = (np.exp(-2.0 * ((v - v.min()) / (2 * s))) for v in (score(first), score(second)))
        assert np.abs(np.log((p / p.sum()) / (q / q.sum()))).max() <= 2.0 + 1e-12


def test_range_is_attained():
    """Negative control of the lemma: with n = 1 and z = 1 against -1 the range is R, so nothing below R bounds it."""
    m = mp(30)
    values = {"n": 1, "L_fx": 1, "L_fy": 0, "L_gy": 0, "mu_g": 1, "D_x": 1, "D_y": 0}
    assert float(centred_range(m, {name: m.real(v) for name, v in values.items()})) == 2.0 == np.ptp(SMALL - (-SMALL))


def test_the_refuting_family_meets_the_assumptions():
    """f, g and the constants of the finding from their definitions, at n = 100: slopes, Y, convexity, and both objectives."""
    n, x, y = 100, np.linspace(-0.5, 0.5, 101), np.linspace(-150, 150, 300001)
    gradient = np.diff(huber(y)) / np.diff(y)
    assert np.abs(gradient).max() <= 1 + 1e-9
    assert np.abs(np.diff(gradient)).max() / (y[1] - y[0]) <= 2 + 1e-6
    minimisers = [(x + z / n, z) for z in (-n, 0, n)]
    lowest, highest = x.min() - n, x.max() + n  # of y_Z(x), Z any data set
    assert max(abs(end - a - z) for end in (lowest, highest) for a in (x.min(), x.max()) for z in (-n, 0, n)) == 1 + 2 * n
    for minimiser, z in minimisers:
        found = y[np.argmin([sum(((v - x[7] - r) ** 2) / 2 for r in [z] + [0] * (n - 1)) for v in y[::100]]) * 100]
        assert found == pytest.approx(minimiser[7], abs=0.06)
    up, down = huber(x + 1), huber(x - 1)
    assert np.allclose(up, x + 0.75)
    assert np.allclose(down, 0.75 - x)
    found = refuted("bilevel/thm-3.3", "private")
    assert int(found.at["L_gy"]) == 1 + 2 * int(found.at["n"])


def test_slope_of_the_proof_by_differences():
    found = refuted("bilevel/thm-3.3", "Lemma B.6")
    n, x = int(found.at["n"]), np.linspace(-0.5, 0.5, 11)
    minimisers = [x + z / n for z in (n, -n)]
    slope = np.diff(huber(minimisers[0]) - huber(minimisers[1])) / np.diff(x)
    assert slope == pytest.approx(2.0)
    assert float(found.claimed) == pytest.approx(2 / n)


def test_two_risks_of_a_private_algorithm_by_exhaustion():
    """Over all pairs (p, q) that (epsilon, delta)-DP admits the larger of (1 - p)/2 and q/2 is never below the bound."""
    epsilon, delta = 1.0, 1e-3
    p, q = np.meshgrid(np.linspace(0, 1, 2001), np.linspace(0, 1, 2001))
    private = (p <= math.exp(epsilon) * q + delta) & (1 - q <= math.exp(epsilon) * (1 - p) + delta)
    least = np.maximum((1 - p) / 2, q / 2)[private].min()
    bound = (1 - delta) / (2 * (1 + math.exp(epsilon)))
    assert bound <= least <= bound + 1e-3
    for id in ("bilevel/thm-3.3", "bilevel/thm-B.8", "bilevel/thm-B.16"):
        assert float(refuted(id, "private").computed[0]) == pytest.approx(bound, abs=1e-10)
    # negative control: without privacy both risks can vanish
    assert np.maximum((1 - p) / 2, q / 2).min() == 0


@pytest.mark.parametrize("n", [1, 2, 30, 400])
def test_samples_of_the_two_distributions_are_alike(n: int):
    """Total variation of n records of mean 1 and -1 from the binomial distributions."""
    up = (1 + 1 / (2 * math.sqrt(n))) / 2
    first = [math.comb(n, j) * up**j * (1 - up) ** (n - j) for j in range(n + 1)]
    variation = sum(abs(a - b) for a, b in zip(first, reversed(first), strict=True)) / 2
    assert variation <= 1 / math.sqrt(3)
    assert (1 - variation) / 4 >= float(refuted("bilevel/thm-3.3", "population").computed[0])


@pytest.mark.parametrize("id", ["bilevel/thm-3.3", "bilevel/thm-B.8", "bilevel/eq-5"])
def test_the_proofs_density_by_the_truncated_gaussian(id: str):
    found = refuted(id, "proof's mu and k")
    algorithm = id == "bilevel/eq-5"
    assert found.reading is (Reading.ANOTHER if algorithm else Reading.PRINTED)
    assert found.about is (Part.STATEMENT if algorithm else Part.PROOF)
    n, delta = int(found.at["n"]), mpmath.mpf("0.001")
    with mpmath.workdps(400):
        mu = mpmath.sqrt(mpmath.log(1 / delta)) / n
        k = mu * n**2 / mpmath.log(1 / delta)
        root = mpmath.sqrt(k * mu)
        tails = [mpmath.ncdf(-(edge + 1 / mu) * root) for edge in (mpmath.mpf(-1) / 2, 0, mpmath.mpf(1) / 2)]
        left = (tails[0] - tails[1]) / (tails[0] - tails[2])
        true = left - mpmath.e * (1 - left)
        assert mpmath.mpf(found.computed[0]) <= true <= mpmath.mpf(found.computed[1])
        assert true > 500 * delta


@pytest.mark.parametrize("n", [1, 2, 7])
def test_the_family_of_the_printed_scale_meets_the_assumptions(n: int):
    """Every data set of +-1/2: y_Z is their mean; |g_y| reaches 1 on the least Y, and no Y does with less."""
    minimisers = [np.mean(data) for data in itertools.product((-0.5, 0.5), repeat=n)]
    slopes = [abs(y - z) for y in minimisers for z in (-0.5, 0.5)]
    assert max(slopes) == 1.0 == float(refuted("bilevel/thm-3.2", "rate").at["L_gy"])
    assert max(minimisers) - min(minimisers) <= 1.0  # diam(Y) <= L_gy/mu_g


def test_a_scale_that_the_proof_does_not_mend_is_no_misprint():
    """Negative control: a rate that falls faster than the mended s allows is refuted as a rate."""
    claim, decide = find("bilevel/thm-3.2"), judge_of("bilevel/thm-3.2")
    assert decide is not None
    faster = with_formula(claim, "rate", lambda m, n, d_x, epsilon: d_x / (epsilon * n**2))
    (found,) = [f for f in decided(faster, decide) if f.verdict is Verdict.REFUTED and "rate" in f.scope]
    assert found.severity is Severity.RATE


@pytest.mark.parametrize("id", ["bilevel/thm-3.3", "bilevel/thm-B.8", "bilevel/eq-5"])
def test_what_survives_names_the_temperature_that_holds(id: str):
    """Shift 2 epsilon/sqrt(ln(1/delta)) of k_rate with the constant 1, against that of the amended theorem."""
    epsilon, delta = mpmath.mpf(1), mpmath.mpf("0.001")
    printed = 2 * epsilon / mpmath.sqrt(mpmath.log(1 / delta))
    b = mpmath.sqrt(2 * mpmath.log(1 / (2 * delta)))
    mended = 2 * epsilon / (b + mpmath.sqrt(b**2 + 2 * epsilon))
    assert hockey_stick(printed, epsilon) > 50 * delta
    assert hockey_stick(printed / 2**0.5, epsilon) > 10 * delta  # half of k
    assert hockey_stick(mended, epsilon) <= delta
    text = refuted(id, "proof's mu and k").survives
    assert text is not None
    assert "amended Theorem 3.3" in text


def test_the_risk_is_the_empirical_one():
    for label in ("3.2", "3.2-amended", "3.2-nonconvex", "3.2-nonconvex-amended", "B.15", "B.15-amended", "3.3-amended"):
        assert "empirical" in find(f"bilevel/thm-{label}").parameter("risk").meaning


def test_without_a_scale_nothing_is_claimed():
    """s = 0: the exponent is no number, so nothing is contradicted; the verdict rests on the rate."""
    (found,) = [f for f in judge("bilevel/thm-3.2").findings if "L_fx D_x = L_fy D_y" in f.scope]
    assert found.verdict is Verdict.OPEN
    assert float(found.at["L_fx"]) * float(found.at["D_x"]) == float(found.at["L_gy"]) == float(found.at["D_y"]) == 0


@pytest.mark.parametrize("id", ["bilevel/thm-3.2", "bilevel/thm-3.3", "bilevel/thm-B.8"])
def test_judge_reads_assertions_and_releases(id: str):
    decide = judge_of(id)
    assert decide is not None
    other = replace(find(id), asserts=(Relation("risk", "<", "rate"),))
    assert fold(decided(other, decide)) is Verdict.OPEN
    more = replace(find(id), releases="x and Phi_Z(x)")
    assert any(f.verdict is Verdict.OPEN and "releases" in f.scope for f in decided(more, decide))
