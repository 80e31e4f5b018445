"""The exponential mechanisms as algorithms: what is stated, exact draws, and their privacy by exact laws on small grids."""

import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.audit.calibration.profiles import bilevel
from dpsco.fast.algorithms.exponential_sampling import mechanism as fast
from dpsco.judging import decided, judge, judge_of
from dpsco.reference.algorithms.exponential_sampling import mechanism as reference
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Relation
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict, fold

ID = "bilevel/eq-5"
KNOTS, VALUES = [-1.0, -0.2, 0.4, 1.0], [2.0, 0.5, 0.0, 1.5]
X = np.linspace(0, 1, 201)


@pytest.mark.parametrize("id", [ID, "bilevel/eq-4"])
def test_stated_with_the_density_refuted_beside(id: str):
    judgement = judge(id)
    assert judgement.verdict is Verdict.STATED
    (beside,) = [f for f in judgement.findings if f.reading is not Reading.PRINTED]
    assert beside.verdict is Verdict.REFUTED
    assert beside.reading is (Reading.ANOTHER if id == ID else Reading.MEANT)


def test_score_scale_does_not_fall():
    (beside,) = [f for f in judge("bilevel/eq-4").findings if f.reading is Reading.MEANT]
    m = mp(30)
    unit = {name: m.real(1) for name in ("L_fx", "L_fy", "L_gy", "mu_g", "D_x", "D_y")}
    s = [float(find("bilevel/eq-4").formulas["s"](m, n=m.real(10) ** e, **unit)) for e in (3, 9)]
    assert s[1] == pytest.approx(float(beside.computed[0]), rel=1e-8)
    assert s[0] < 1.01 * s[1]
    assert beside.severity is Severity.MISPRINT


def test_judge_reads_assertions_and_releases():
    decide = judge_of(ID)
    assert decide is not None
    assert fold(decided(replace(find(ID), asserts=(Relation("k", "<=", "k_rate"),)), decide)) is Verdict.OPEN
    for id in (ID, "bilevel/eq-4"):
        assert fold(decided(replace(find(id), releases="x and Phi_Z(x)"), judge_of(id))) is Verdict.OPEN


@pytest.mark.parametrize("k", [0.01, 1.0, 40.0])
def test_draws_follow_the_density(k: float):
    """The distribution function, enclosed, at the drawn point holds the uniform number; a wrong temperature does not."""
    m = arb(128)
    exact = [[m.real(v) for v in part] for part in (KNOTS, VALUES)]
    for uniform in (1e-9, 0.1, 0.37, 0.5, 0.82, 1 - 1e-9):
        x = fast.draw(KNOTS, VALUES, k, uniform)
        found = reference.distribution(m, *exact, m.real(k), m.real(0), m.real(x))
        assert float(found.mid()) == pytest.approx(uniform, rel=1e-9, abs=1e-14)
        if 0.05 < uniform < 0.95:
            other = reference.distribution(m, *exact, m.real(1.5 * k), m.real(0), m.real(x))
            assert abs(float(other.mid()) - uniform) > 1e-4


def test_mean_excess_in_closed_form():
    """Phi = |x| - |x| at the ends of [-1, 1]: 1/k - 1/(e^k - 1); with mu a cut off Gaussian."""
    m = arb(128)
    knots, values = [m.real(v) for v in (-1, 0, 1)], [m.real(v) for v in (1, 0, 1)]
    found = reference.mean_excess(m, knots, values, m.real(7), m.real(0))
    assert float(found.mid()) == pytest.approx(1 / 7 - 1 / math.expm1(7), rel=1e-14)
    flat = reference.mean_excess(m, [m.real(0), m.real(1)], [m.real(0), m.real(1)], m.real(3), m.real(2))
    with mpmath.workdps(30):
        weight = lambda x: mpmath.exp(-3 * (x + x**2))  # noqa: E731
        exact = mpmath.quad(lambda x: x * weight(x), [0, 1]) / mpmath.quad(weight, [0, 1])
    assert float(flat.mid()) == pytest.approx(float(exact), rel=1e-14)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"knots": [0.0, 0.0]}, "increase"),
        ({"k": -1.0}, "positive"),
        ({"uniform": 1.0}, r"\(0, 1\)"),
        ({"values": [0.0]}, "length"),
    ],
)
def test_bad_input_is_named(change: dict, says: str):
    with pytest.raises(ValueError, match=says):
        fast.draw(**{"knots": [0.0, 1.0], "values": [0.0, 1.0], "k": 1.0, "uniform": 0.5, **change})


def profile(p: np.ndarray, q: np.ndarray, epsilon: float) -> float:
    return float(max(np.maximum(0, a - math.exp(epsilon) * b).sum() for a, b in ((p, q), (q, p))))


def law(k: float, data: list[float], slope: float, b: float, off: np.ndarray) -> np.ndarray:
    """Exact law on a grid: f = slope x z + |y - z|/2, g = (y - b x - z)^2/2, minimisers off by `off`."""
    y = b * X + np.mean(data) + off
    score = np.mean([slope * X * z + np.abs(y - z) / 2 for z in data], axis=0)
    weight = np.exp(-k * (score - score.min()))
    return weight / weight.sum()


@given(
    st.integers(1, 5),
    st.lists(st.floats(-1, 1), min_size=6, max_size=6),
    st.floats(0, 2),
    st.floats(-1, 1),
    st.floats(0.1, 20),
    st.floats(0, 0.2),
    st.floats(0.05, 3),
    st.integers(0, 2**20),
)
def test_privacy_by_exact_laws(n, records, slope, b, k, error, epsilon, seed):
    """Neighbouring data, inner errors of any sign at every point, against the certified delta and its lower bound."""
    random = np.random.default_rng(seed)
    offs = [error * random.choice([-1, 1], size=X.size) for _ in range(2)]
    p, q = law(k, records[:n], slope, b, offs[0]), law(k, [records[5], *records[1:n]], slope, b, offs[1])
    m = arb(192)
    constants = {"k": k, "L-fx": slope, "L-fy": 0.5, "L-gy": abs(b) + 2, "mu-g": 1, "D-x": 1, "D-y": abs(b), "d-x": 1}
    values = {name: m.real(v) for name, v in {**constants, "inner-error": error, "distance": 0}.items()} | {"n": n}
    found = bilevel.exponential(m, m.real(epsilon), values)
    assert profile(p, q, epsilon) <= float(found.upper.upper()) + 1e-12
    x = (np.arange(100000) + 0.5) / 100000
    pair = [np.exp(-sign * k * slope * x / n) for sign in (1, -1)]
    p, q = (w / w.sum() for w in pair)
    assert abs(np.maximum(0, p - math.exp(epsilon) * q).sum() - float(found.lower.mid())) < 1e-6
    assert not found.lower > found.upper


def test_errors_are_paid_for():
    """Negative control: the exact mechanism's delta does not cover inner errors."""
    k, off = 40.0, 0.2
    sign = np.where(X < 0.02, -off, off)
    p, q = law(k, [0.0, 0.0, 1.0], 0.0, 0.0, sign), law(k, [0.0, 0.0, 1.0], 0.0, 0.0, -sign)
    m = arb(192)
    values = {
        name: m.real(v) for name, v in {"k": k, "L-fx": 0, "L-fy": "0.5", "L-gy": 0, "mu-g": 1, "D-x": 1, "D-y": 0}.items()
    }
    values |= {"d-x": m.real(1), "distance": m.real(0), "n": 3}
    deltas = [
        float(bilevel.exponential(m, m.real(1), {**values, "inner-error": m.real(e)}).upper.upper()) for e in ("0", "0.2")
    ]
    assert deltas[0] < profile(p, q, 1.0) <= deltas[1]
