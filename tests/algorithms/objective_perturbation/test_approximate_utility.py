"""Risk of approximate objective perturbation: verdicts, the proved bounds against simulation, and controls that must fail."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.arguments.formula import apply
from dpsco.judges.algorithms.objective_perturbation.approximate_utility import JUDGES
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.objective_perturbation.approximate_utility import box_excess, narrow_interval
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.objective_perturbation.approximate_utility import alpha_is_small, sample_exceeds_noise
from dpsco.spec.claim import Adjacency
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Verdict, fold

CERTIFIED = {"lp/lem-7": 4, "lp/eq-5": 4, "lp/thm-2": 8, "lp/lem-6-amended": 4, "lp/thm-2-projection-amended": 3}
REFUTED = ("lp/lem-6", "lp/thm-2-projection")


@cache
def judged(id):
    return judge(id)


@pytest.mark.parametrize("id", CERTIFIED)
def test_certified_with_every_mutant_killed(id):
    found = judged(id)
    assert found.verdict is (Verdict.STATED if id == "lp/eq-5" else Verdict.CERTIFIED)
    assert len(found.mutants[Fate.KILLED]) == CERTIFIED[id]
    assert set(found.mutants) <= {Fate.KILLED, Fate.TRUE}


@pytest.mark.parametrize("id", REFUTED)
def test_steps_are_refuted_and_the_ends_survive(id):
    found = judged(id)
    assert found.verdict is (Verdict.CERTIFIED if id == "lp/lem-6" else Verdict.STATED)
    assert found.proof is Proof.BROKEN
    assert found.amendments == [f"{id}-amended"]
    assert sum(f.verdict is Verdict.REFUTED for f in found.findings) == (3 if id == "lp/lem-6" else 2)
    assert [f.verdict for f in found.findings if f.reading is Reading.MEANT] == [Verdict.CERTIFIED]


def test_maximum_outside_by_quadrature():
    """E[Z clip(Z)] of both refutations, by mpmath over the normal density."""
    m = mp(30)
    for id, sigma, edge in (("lp/thm-2-projection", m.real(1), m.real(1)), ("lp/lem-6", m.sqrt(128 * m.log(2)), None)):
        wide = sigma if edge is None else edge
        (finding,) = [f for f in judged(id).findings if f.claimed == "0"]

        def product(z, wide=wide, sigma=sigma):
            return z * max(-wide, min(wide, z)) * m.phi(z / sigma) / sigma

        true = m.mp.quad(product, [k * sigma for k in (-30, -8, -1, 0, 1, 8, 30)])
        assert true == pytest.approx(m.real(finding.computed[0]), rel=1e-14)


def test_modulus_of_a_short_interval_by_simulation():
    random = np.random.Generator(np.random.Philox(31))
    g = random.standard_normal(400_000)
    ends = np.array([1.0, 1.01])
    modulus, width = np.abs(np.outer(g, ends)).max(axis=1).mean(), np.outer(g, ends).max(axis=1).mean()
    assert modulus > 0.79
    assert abs(width) < 0.01
    around = ends - 1.005
    assert np.abs(np.outer(g, around)).max(axis=1).mean() < 2 * np.outer(g, around).max(axis=1).mean()


def onto_l1(points, radius):
    """Rows projected onto the l1 ball, by the sorted threshold."""
    size = np.abs(points)
    order = -np.sort(-size, axis=1)
    over = (np.cumsum(order, axis=1) - radius) / np.arange(1, points.shape[1] + 1)
    last = (order > over).sum(axis=1) - 1
    cut = np.maximum(over[np.arange(len(points)), last], 0)[:, None]
    return np.sign(points) * np.maximum(size - cut, 0)


@pytest.mark.parametrize("sigma", [0.02, 1.0, 30.0])
def test_projection_chain_on_a_shifted_l1_ball(sigma):
    """theta_2 off centre, C off the origin: both links of the amendment, with a control that takes half of the width."""
    random = np.random.Generator(np.random.Philox(32))
    d, runs, shift = 20, 20_000, 5.0
    theta = np.zeros(d)
    theta[0] = 0.7
    H = sigma * random.standard_normal((runs, d))
    moved = onto_l1(theta + H, 1.0) + shift - (theta + shift)
    square, product = (moved**2).sum(axis=1), (H * moved).sum(axis=1)
    width = sigma * np.abs(random.standard_normal((runs, d))).max(axis=1).mean()
    assert (square <= product + 1e-12).all()
    assert product.mean() < width * 1.02
    if sigma == 30.0:
        assert product.mean() > 0.5 * width


@settings(max_examples=12)
@given(
    st.integers(1, 6),
    st.floats(-12, 2),
    st.floats(0.01, 0.99),
    st.sampled_from(["0.05", "1", "40"]),
    st.sampled_from(["1e-40", "0.5", "0.999"]),
    st.integers(1, 9),
)
def test_linear_losses_stay_below_the_amended_bound(digits, ridge, tilt, epsilon, delta, d):
    m = mp(30)
    values = {"L": 1, "C_norm": 2, "d": d, "epsilon": epsilon, "delta": delta, "n": 10**digits, "lambda_": 10.0**ridge}
    v = {key: m.real(x) for key, x in values.items()}
    v["a"] = m.real(tilt) / m.sqrt(v["d"])
    v["G_C"] = v["C_norm"] * m.sqrt(2 * v["d"] / m.pi)
    claim = find("lp/lem-6-amended")
    assert box_excess(m, v) <= apply(claim.formulas["bound"], m, v) * (1 + m.real("1e-9"))


def test_excess_on_a_box_is_what_minimisers_cost():
    """The quadrature against 40 000 draws of the minimiser itself."""
    m = mp(30)
    values = {"L": 1, "C_norm": 2, "d": 4, "epsilon": "0.5", "delta": "0.01", "n": 100, "lambda_": "0.2", "a": "0.3"}
    v = {key: m.real(x) for key, x in values.items()}
    random = np.random.Generator(np.random.Philox(33))
    sigma = float(mpmath.sqrt(128 * mpmath.log(100)) / 0.5)
    G = sigma * random.standard_normal((40_000, 4))
    theta = np.clip(-(0.3 + G / 100) / 0.4, -1, 1)
    costs = (0.3 * (theta + 1)).sum(axis=1)
    assert float(box_excess(m, v)) == pytest.approx(costs.mean(), abs=5 * costs.std() / 200)


@given(
    st.lists(st.fractions(-3, 3, max_denominator=8), min_size=1, max_size=6),
    st.fractions(-3, 3, max_denominator=8),
    st.fractions(-3, 3, max_denominator=8),
    st.fractions(Fraction(1, 50), 5, max_denominator=50),
)
def test_stability_of_linear_losses_on_an_interval(slopes, other, asked, ridge):
    """Minimisers in fractions: within half of the printed bound, which one pair attains."""
    n, rho = len(slopes), Fraction(3)

    def minimiser(records):
        return max(Fraction(-1), min(Fraction(2), -sum(records, start=Fraction(0)) / n / (2 * ridge)))

    change = abs(asked * (minimiser(slopes) - minimiser([other, *slopes[1:]])))
    assert 2 * change <= 2 * rho**2 / (ridge * n)


def test_half_of_the_stability_is_attained_and_no_less_is_certified():
    claim, decide = find("lp/lem-7"), JUDGES["lp/lem-7"]
    assert fold(decided(scaled(claim, "stability", 1, 2), decide)) is Verdict.CERTIFIED
    assert fold(decided(scaled(claim, "stability", 499, 1000), decide)) is Verdict.REFUTED
    assert fold(decided(replace(claim, adjacency=Adjacency.ADD_REMOVE), decide)) is Verdict.OPEN


def test_mean_stability_by_simulation():
    m = mp(30)
    values = {"L": 2, "d": 7, "delta": "0.01", "epsilon": "0.3", "n": 50, "lambda_": "0.1"}
    exact = apply(find("lp/eq-5").formulas["left"], m, {key: m.real(x) for key, x in values.items()})
    random = np.random.Generator(np.random.Philox(34))
    sigma = 2 * np.sqrt(32 * np.log(100)) / 0.3
    drawn = 2 * (2 + sigma * np.linalg.norm(random.standard_normal((40_000, 7)), axis=1) / 50) ** 2 / (0.1 * 50)
    assert float(exact) == pytest.approx(drawn.mean(), abs=5 * drawn.std() / 200)


def test_conditions_carry_the_certificates():
    for id, test, words in (
        ("lp/thm-2", alpha_is_small, "population"),
        ("lp/eq-5", sample_exceeds_noise, "middle against rate"),
    ):
        claim = find(id)
        free = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != test))
        found = [f for f in decided(free, JUDGES[id]) if f.scope.startswith(words)]
        assert found
        assert Verdict.CERTIFIED not in {f.verdict for f in found}


def test_a_rate_a_little_too_small_is_seen():
    claim = find("lp/thm-2")

    def smaller(m, L, G_C, delta, epsilon, n, C_norm):
        return L * G_C * m.sqrt(m.log(1 / delta)) / (epsilon * n) + L * C_norm / m.exp(m.log(n) * m.frac(51, 100))

    moved = with_formula(claim, "rate", smaller)
    found = [f for f in decided(moved, JUDGES["lp/thm-2"]) if "against rate" in f.scope]
    assert {f.verdict for f in found} == {Verdict.REFUTED}
    assert not narrow_interval(find("lp/thm-2-projection-amended"), "width_bound", 2)
    assert not narrow_interval(find("lp/lem-6-amended"), "width_step", 128)
