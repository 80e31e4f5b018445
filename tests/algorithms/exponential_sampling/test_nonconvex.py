"""The exponential mechanism's risk without convexity: the lemma on random objectives, the plateau by another integral."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.algorithms.exponential_sampling.hidden_minima import cusp_risk
from dpsco.judges.algorithms.exponential_sampling.nonconvex import PLATEAUS, plateau_risk
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.algorithms.exponential_sampling.nonconvex import gibbs_excess
from dpsco.spec.claim import Relation
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict, fold

ID = "bilevel/thm-3.2-nonconvex"


def lemma(d: int, k: float, slope: float, diameter: float) -> float:
    m = arb(64)
    return float(gibbs_excess(m, d_x=m.real(d), k=m.real(k), slope=m.real(slope), D_x=m.real(diameter)).mid())


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=12), st.floats(-1, 5), st.floats(0.1, 5))
def test_random_objectives_on_a_segment(slopes: list[float], cold: float, length: float):
    k, x = 10.0**cold, np.linspace(0, length, 20001)
    pieces = np.array(slopes)[np.minimum((len(slopes) * x / length).astype(int), len(slopes) - 1)]
    loss = np.concatenate(([0.0], np.cumsum(pieces[:-1] * np.diff(x))))
    loss -= loss.min()
    weight = np.exp(-k * loss)
    assert (weight * loss).sum() / weight.sum() <= lemma(1, k, 1.0, length) + length / 20000


@pytest.mark.parametrize("k", [0.5, 20.0, 500.0])
def test_a_pit_in_the_corner_of_a_triangle(k: float):
    """d = 2, a thin triangle with the minimum in its sharpest corner: no ball around the minimiser lies in X."""
    x, y = np.meshgrid(np.linspace(0, 1, 1201), np.linspace(0, 1, 1201))
    inside = y <= x**1.0 / 20
    loss = np.minimum(np.hypot(x, y), 0.3)[inside]
    weight = np.exp(-k * loss)
    assert (weight * loss).sum() / weight.sum() <= lemma(2, k, 1.0, float(np.hypot(1, 0.05)))


@pytest.mark.parametrize("number", [0, 1])
def test_plateau_by_sums(number: int):
    """The mean of h, h = w (1 - u), u = e^{-x/w}, by a sum over ln u, against the enclosure; near the bound."""
    width, at = PLATEAUS[number]
    k = float(at["epsilon"]) * int(at["n"]) / (4 if number == 0 else 12 * float(width))
    w = float(width)
    u = np.exp(-np.concatenate((np.linspace(0, 60, 600001)[:-1], [60.0])))
    weight = np.exp(-k * w * (1 - u)) * 1e-4
    flat = np.exp(-k * w) * (1 / w - 60)
    mean = w * ((weight * (1 - u)).sum() + flat) / (weight.sum() + flat)
    m = arb(128)
    found = float(plateau_risk(m, m.real(str(k)), width).mid())
    assert found == pytest.approx(mean, rel=1e-3)
    assert 0.6 * lemma(1, k, 1.0, 1.0) < found < lemma(1, k, 1.0, 1.0)


@pytest.mark.parametrize("k", [0.25, 3.0, 1e3, 1e6])
def test_cusp_by_sums(k: float):
    """Mean of 1/u under e^{1 - u - k/u}, u = ln(e/x) >= 1, by a sum: never below the lemma, and of its order."""
    u = np.linspace(1, 60 + 4 * np.sqrt(k), 4_000_001)
    log_weight = 1 - u - k / u
    weight = np.exp(log_weight - log_weight.max())
    risk = (weight / u).sum() / weight.sum()
    least = float(cusp_risk(arb(64), arb(64).real(str(k))).mid())
    assert least <= risk <= 8 * least
    x = np.linspace(1e-7, 1, 2_000_001)  # the same from the definition, where a grid in x is fine enough
    if k <= 3:
        h = 1 / (1 - np.log(x))
        assert risk == pytest.approx((h * np.exp(-k * h)).mean() / np.exp(-k * h).mean(), rel=1e-3)


def test_cusp_refutes_whatever_power_of_log_n():
    (found,) = [f for f in judge(ID).findings if "cusp" in f.scope]
    n, k = int(found.at["n"]), int(found.at["n"]) / 12
    u = np.linspace(np.sqrt(k) - 400 * k**0.25, np.sqrt(k) + 400 * k**0.25, 2_000_001)
    log_weight = 1 - u[u > 1] - k / u[u > 1]
    weight = np.exp(log_weight - log_weight.max())
    risk = (weight / u[u > 1]).sum() / weight.sum()
    assert float(found.computed[0]) <= risk
    assert risk > 50 * float(found.claimed) * np.log(n) ** 3
    decide = judge_of(ID)
    assert decide is not None
    slow = with_formula(
        find(ID), "rate", lambda m, n, epsilon: 1 / m.sqrt(epsilon * n)
    )  # negative control: the cusp's own rate
    assert not [f for f in decided(slow, decide) if "cusp" in f.scope]


@pytest.mark.parametrize("M", [4, 1000])
def test_bump_of_the_cells_meets_its_constants(M: int):
    """h in d = 2 from its definition: range [-1, 0], within one cell, slope at most 4M, no convexity."""
    r = np.linspace(0, 1 / M, 100001)
    h = -np.where(r < 1 / (2 * M), (1 - (2 * M * r) ** 2) ** 3, 0)
    assert h.min() == -1.0
    assert not np.any(h[r >= 1 / (2 * M)])
    assert 3 * M < np.abs(np.diff(h) / np.diff(r)).max() <= 4 * M
    assert np.abs(np.diff(h, 2)).max() <= 30 * M**2 * (r[1] - r[0]) ** 2  # twice differentiable: no jump of the slope


def test_cells_by_enumeration():
    """All hidden cells against every adaptive search: while it has not met the cell it sees zeros, so it is a fixed list."""
    cells, looks = 7, 3
    best = max(
        sum(c in order[: looks + 1] for c in range(cells)) / cells for order in itertools.permutations(range(cells))
    )  # the last place is the output
    assert best == (looks + 1) / cells


@pytest.mark.parametrize(("n", "epsilon"), [(1, 0.5), (3, 1.0), (10, 2.0)])
def test_packing_by_the_symmetric_optimum(n: int, epsilon: float):
    """P_i(cell j) = p on the diagonal and q off it: the best that group privacy admits still misses."""
    group = math.exp(n * epsilon)
    N = math.ceil(1000 * group)
    p = group / (group + N - 1)
    q = (1 - p) / (N - 1)
    assert p == pytest.approx(group * q)
    assert 1 - p >= 0.999
    # negative control: with as many cells as e^{n epsilon} nothing is lost
    assert 1 - group / (group + group - 1) < 0.6


def test_verdicts():
    printed, amended = judge(ID), judge(f"{ID}-amended")
    assert (printed.verdict, printed.severity) == (Verdict.REFUTED, Severity.RATE)
    assert amended.verdict is Verdict.CERTIFIED
    assert not {Fate.SURVIVED, Fate.UNKNOWN, Fate.TRUE} & {*amended.mutants}
    assert printed.amendments == [f"{ID}-amended"]


def test_judge_reads_conditions_assertions_and_releases():
    decide = judge_of(f"{ID}-amended")
    assert decide is not None
    claim = find(f"{ID}-amended")
    for number in range(len(claim.preconditions)):
        fewer = replace(claim, preconditions=claim.preconditions[:number] + claim.preconditions[number + 1 :])
        found = decided(fewer, decide)
        if claim.preconditions[number].says.startswith("the score can change"):  # without it s may be 0
            (undefined,) = [f for f in found if f.reading is Reading.ANOTHER]
            assert undefined.verdict is Verdict.OPEN
            assert "epsilon/(2s) is no number" in (undefined.reason or "")
        else:
            assert fold(found) is not Verdict.CERTIFIED
    assert fold(decided(replace(claim, asserts=(Relation("risk", "<", "bound"),)), decide)) is Verdict.OPEN
    assert fold(decided(replace(claim, releases="x, Phi_Z(x)"), decide)) is Verdict.OPEN
    assert fold(decided(scaled(claim, "bound", 1, 2), decide)) is Verdict.REFUTED
