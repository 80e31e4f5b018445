"""Excess risks: exact areas against quadrature and sampling, the judge, and private descent at vanishing epsilon simulated."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.losses.cost_laws import BOXES, of_boxes
from dpsco.arguments.losses.dot_products import expressed, follows, optimality, vector
from dpsco.arguments.losses.idle_descent import coins, drowned
from dpsco.judges.losses.spo.excess_risk import JUDGES, MUTANTS
from dpsco.judges.losses.spo.excess_risk import _no_constant as nothing_serves
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, with_formula
from dpsco.mutants.losses.spo import excess_risk as grid
from dpsco.reference.losses.spo import excess_risk
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.gradient_perturbation.gaussian_descent import rate as with_epsilon
from dpsco.spec.losses.spo import excess_risk as spec
from dpsco.spec.losses.spo.loss import spo_plus
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict, fold, worst

F = Fraction
TRIANGLE = [[F(1), F(0)], [F(0), F(1)], [F(1), F(1)]]
LAW = [(F(1), [F(0), F(0)], [F(2), F(3)])]
EXPECTED = {
    "spo/sec-6-conditions": (Verdict.CERTIFIED, None),
    "spo/cor-1": (Verdict.REFUTED, Severity.DOMAIN),
    "spo/cor-1-amended": (Verdict.CERTIFIED, None),
    "spo/sec-6-rate": (Verdict.REFUTED, Severity.RATE),
    "spo/sec-6-rate-amended": (Verdict.CERTIFIED, None),
}
small = st.integers(-3, 3).map(Fraction)


@pytest.mark.parametrize("id", list(EXPECTED))
def test_verdicts_and_power(id: str):
    judgement = judge(id)
    printed = tuple(f for f in judgement.findings if f.reading is Reading.PRINTED)
    assert (judgement.verdict, worst(printed)) == EXPECTED[id]
    assert set(EXPECTED) == set(JUDGES)
    if id in MUTANTS:
        assert len(judgement.mutants[Fate.KILLED]) >= 5
        assert set(judgement.mutants) == {Fate.KILLED}


def test_the_corollarys_law_by_quadrature():
    """E min, P(c_2 < c_1) and the four risks by mpmath on the two sides of the diagonal."""
    quad, c_mean = mpmath.quad, (1, 1.5)

    def mean(low, high):  # of low(a, b) where b < a, of high(a, b) where b > a
        below = quad(lambda a: quad(lambda b: low(a, b), [0, a]), [0, 2])
        return (below + quad(lambda a: quad(lambda b: high(a, b), [a, 3]), [0, 2])) / 6

    least = mean(lambda a, b: b, lambda a, b: a)
    at_mean = mean(lambda a, b: c_mean[1], lambda a, b: c_mean[0])
    width = 2.5 - least
    plus_at_mean = -least + 2 * at_mean - least  # 2 E[c] - c has the law of c
    exact = {name: float(x) for name, x in of_boxes(0)[1][0].items() if name != "c_hat"}
    assert exact["spo_risk"] == pytest.approx(float(width), abs=1e-9)
    assert exact["spo_plus_risk"] == pytest.approx(float(width), abs=1e-9)
    assert exact["spo_risk_at_mean"] == pytest.approx(float(1 - least), abs=1e-9)
    assert exact["spo_plus_risk_at_mean"] == pytest.approx(float(plus_at_mean), abs=1e-9)
    assert width - plus_at_mean < width - (1 - least) - 0.5


@pytest.mark.parametrize("i", range(len(BOXES)))
def test_risks_by_sampling(i: int):
    """Within five standard errors at every prediction; some prediction a tenth longer is told apart."""
    random, world = np.random.default_rng(i), BOXES[i]
    count, vertices = 200_000, np.array([[float(x) for x in w] for w in world.vertices])
    weights = [float(F(p)) for p, _, _ in world.law]
    low, high = (np.array([[float(F(x)) for x in part[k]] for part in world.law]) for k in (1, 2))
    which = random.choice(len(weights), count, p=weights)
    c = low[which] + random.random((count, vertices.shape[1])) * (high - low)[which]
    values = c @ vertices.T
    best = vertices[values.argmin(1)]
    told = list[bool]()
    for at in of_boxes(i)[1]:
        c_hat = np.array([float(F(x)) for x in at["c_hat"].strip("()").split(", ")])
        steered = ((c - 2 * c_hat) @ vertices.T).max(1) + 2 * best @ c_hat - values.min(1)
        error = 5 * steered.std() / count**0.5 + 1e-9
        assert abs(steered.mean() - float(at["spo_plus_risk"])) < error
        moved = ((c - 2.2 * c_hat) @ vertices.T).max(1) + 2.2 * best @ c_hat - values.min(1)
        told.append(abs(moved.mean() - float(at["spo_plus_risk"])) > error)
        predicted = vertices @ c_hat
        chosen = vertices[predicted <= predicted.min() + 1e-12]
        regret = (c @ chosen.T).max(1) - values.min(1)
        assert abs(regret.mean() - float(at["spo_risk"])) < 5 * regret.std() / count**0.5 + 1e-9
    assert any(told)


@given(st.lists(st.lists(small, min_size=2, max_size=2), min_size=1, max_size=5), st.lists(small, min_size=2, max_size=2))
def test_cells_cover_the_box_once(vertices: list[list[Fraction]], shift: list[Fraction]):
    chances = [excess_risk.probability(LAW, vertices, list(w)) for w in dict.fromkeys(tuple(w) for w in vertices)]
    assert sum(chances) == 1
    largest = excess_risk.expected_support(LAW, vertices, shift)
    centre = [x + s for x, s in zip(excess_risk.mean(LAW), shift, strict=True)]
    assert largest >= max(excess_risk.dot(centre, w) for w in vertices)  # Jensen
    least = min(excess_risk.dot(excess_risk.mean(LAW), w) for w in vertices)
    taken = excess_risk.dot(excess_risk.mean(LAW), excess_risk.mean_decision(LAW, vertices))
    assert excess_risk.least_cost(LAW, vertices) <= least <= taken


def test_summaries_of_laws():
    assert excess_risk.asymmetry(LAW) == 0
    assert [of_boxes(i)[0]["asymmetry"] > 0 for i in range(len(BOXES))] == [False, False, False, True, True, False, False]
    assert excess_risk.inner_radius([[F(0), F(0)], [F(1), F(1)], [F(2), F(2)]]) == 0
    assert 0 < excess_risk.inner_radius(TRIANGLE) <= F(293, 1000)  # the inscribed circle has radius 1 - 1/sqrt(2)
    with pytest.raises(ValueError, match="add up to 1"):
        excess_risk.mean([(F(1, 2), [F(0)], [F(1)])])
    with pytest.raises(ValueError, match="positive area"):
        excess_risk.mean([(F(1), [F(0), F(1)], [F(1), F(1)])])


def test_grid_of_the_mutants_agrees_with_areas():
    """The mutants' own route at the laws that they use: within its stated error."""
    spo, plus = grid.excess(grid.UNEVEN, grid.TRIANGLE, (F(0), F(0)))
    assert abs(spo - F(3, 2)) < grid.COARSE
    assert abs(plus - F(17, 18)) < grid.COARSE
    assert abs(grid.excess(grid.SKEW, grid.SEGMENT, (F(2, 5),))[1] + F(3, 20)) < grid.COARSE


def test_stationarity_is_a_dot_product_inequality():
    """SPO+ at c_hat, less that at the mean, less 2 (w*(c) - w')'(c_hat - c_mean), is (c - 2 c_hat)'(w_max - w') >= 0."""
    names = ["c", "c_hat", "c_mean", "w_max", "w_least", "w_star"]

    def here(m, c, c_hat, w_max, w_star):
        return spo_plus(m, c, c_hat, w_max, w_star)

    def tangent(m, c, c_hat, c_mean, w_least, w_star):  # w_least stands for w'
        slope = 2 * (m.dot(c_hat, w_star) - m.dot(c_mean, w_star) - m.dot(c_hat, w_least) + m.dot(c_mean, w_least))
        return spo_plus(m, c, c_mean, w_least, w_star) + slope

    left, right = (expressed(f, names) for f in (here, tangent))
    known = optimality({"w_max": (vector(c_hat=2, c=-1),)}, ["w_max", "w_least"])
    assert follows(left, ">=", right, known) is not None
    assert follows(left, ">=", right, optimality({"w_max": (vector(c_hat=1),)}, ["w_max", "w_least"])) is None


def test_other_readings_of_a_continuous_law():
    other = [f.verdict for f in decided(find("spo/cor-1")) if f.reading is Reading.ANOTHER]
    assert other == [Verdict.REFUTED, Verdict.REFUTED, Verdict.VACUOUS]
    assert [f.verdict for f in decided(find("spo/cor-1")) if "Bhat" in f.scope] == [Verdict.REFUTED] * 3


@pytest.mark.parametrize("id", ["spo/cor-1-amended", "spo/sec-6-rate-amended"])
def test_amendments_are_empty_where_every_ball_is_charged(id: str):
    """On the triangle each vertex is best on an open cone of costs, so that no decision is almost surely the one."""
    (empty,) = [f for f in decided(find(id)) if f.verdict is Verdict.VACUOUS]
    assert empty.reading is Reading.ANOTHER
    costs = [(F(-1), F(1)), (F(1), F(-1)), (F(-1), F(-1))]
    best = [{i for i, w in enumerate(TRIANGLE) if dot2(c, w) == min(dot2(c, v) for v in TRIANGLE)} for c in costs]
    assert all(len(b) == 1 for b in best)
    assert len(set.union(*best)) == 3
    without = replace(find(id), preconditions=tuple(p for p in find(id).preconditions if p.test != spec.solid))
    assert Verdict.VACUOUS not in [f.verdict for f in decided(without)]


def dot2(u: Sequence[Fraction], v: Sequence[Fraction]) -> Fraction:
    return u[0] * v[0] + u[1] * v[1]


@given(st.integers(1, 2000))
def test_no_constant_factor(k: int):
    """The bound of the lemma, 5 t^2, at t = 1/k; and its order is right."""
    t = F(1, k)
    law, c_hat = [(F(1), [F(0), F(0)], [F(2), 2 + 2 * t])], [1 + t, 1 + t / 2]
    c_mean = excess_risk.mean(law)
    spo = excess_risk.spo_risk(law, TRIANGLE, c_hat) - excess_risk.spo_risk(law, TRIANGLE, c_mean)
    plus = excess_risk.spo_plus_risk(law, TRIANGLE, c_hat) - excess_risk.spo_plus_risk(law, TRIANGLE, c_mean)
    assert spo == t
    assert t**2 / 4 < plus <= 5 * t**2


def run(n: int, epsilon: float, gaussian: bool, repeats: int = 2000) -> float:
    """Share of runs with B <= 0: S = [-1, 1], c in [1, 3], mu = 1/2, B_1 = 0, T = n^2, delta = 1/e."""
    random = np.random.default_rng(n)
    T, eta = n * n, 0.05 / n**1.5 if gaussian else 0.01 / n**2
    c = random.uniform(1, 3, (repeats, n))
    B, total = np.zeros(repeats), np.zeros(repeats)
    for _ in range(T - 1):
        w = np.clip((c - 2 * B[:, None]) / 0.5, -1, 1)
        gradient = (2 * (-1 - w)).mean(1)
        if gaussian:
            B = B - eta * (gradient + random.normal(0, 4 * np.sqrt(8 * T) / (n * epsilon), repeats))
        else:
            down = random.random(repeats) < np.exp(epsilon) / (np.exp(epsilon) + 1)
            B = B - eta * np.abs(gradient) * np.where(down, np.sign(gradient), -np.sign(gradient))
        total += B
    return float((total / T <= 0).mean())


@pytest.mark.parametrize("gaussian", [True, False])
def test_descent_with_vanishing_epsilon_decides_like_a_coin(gaussian: bool):
    n, least = 12, drowned(mp(20)) if gaussian else coins(mp(20))
    idle = 4 * run(n, 1 / n if gaussian else n**-3.0, gaussian)
    error = 4 * 4 * 0.5 / 2000**0.5
    assert idle > float(least) - error
    assert 4 * run(n, 30.0, gaussian) < float(least) / 2  # negative control: with a budget it decides


def test_a_rate_that_grows_as_epsilon_falls_is_not_refuted_by_this_path():
    claim = find("spo/sec-6-rate")
    moved = with_formula(claim, "rate_gaussian", with_epsilon)
    of_gaussian = [f for f in decided(moved) if f.scope.startswith("excess_spo of Gaussian")]
    assert [f.verdict for f in of_gaussian] == [Verdict.OPEN]
    lacking = replace(claim, preconditions=claim.preconditions[:3])
    assert fold(decided(lacking)) is Verdict.REFUTED


@pytest.mark.parametrize(
    ("id", "name", "value"),
    [
        ("spo/sec-6-conditions", "excess_spo", -1),
        ("spo/sec-6-conditions", "excess_spo_plus", -1),
        ("spo/cor-1-amended", "excess_spo", 100),
        ("spo/cor-1-amended", "excess_spo_plus", 0),
        ("spo/sec-6-rate-amended", "excess_spo", 100),
        ("spo/sec-6-rate-amended", "bound", 0),
    ],
)
def test_every_printed_formula_is_read(id: str, name: str, value: int):
    assert fold(decided(with_formula(find(id), name, lambda m: m.real(value)))) is Verdict.REFUTED


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("excess_spo", lambda m: m.real(0)),
        ("excess_spo_plus", lambda m, spo_plus_risk, spo_risk_at_mean: spo_plus_risk - spo_risk_at_mean),
    ],
)
def test_what_is_made_true_is_not_refuted(name, formula):
    assert not [f for f in decided(with_formula(find("spo/cor-1"), name, formula)) if f.verdict is Verdict.REFUTED]


def test_no_constant_is_said_of_the_claims_own_differences():
    """Negative control: the SPO+ side taken as 5 times the SPO side is no longer below every multiple of it."""
    claim = find("spo/cor-1")
    assert list(nothing_serves(claim))
    five = with_formula(claim, "excess_spo_plus", lambda m, spo_risk, spo_risk_at_mean: 5 * (spo_risk - spo_risk_at_mean))
    assert not list(nothing_serves(five))
