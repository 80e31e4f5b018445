"""Relative smoothness and the three-point property: on functions that are no quadratics, and the judge of both."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.fast.analysis.geometry import regularity as fast
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled
from dpsco.mutants.analysis.geometry.bregman import sides
from dpsco.spec.claim import Relation
from dpsco.spec.domain import reals
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold

entries = st.lists(st.tuples(*[st.floats(-3, 3).filter(lambda x: x == 0 or abs(x) > 1e-3)] * 3), min_size=1, max_size=6)
indices = st.floats(1.1, 2)
positive = st.floats(0.05, 20)


def softplus(t: float) -> float:
    return max(t, 0.0) + math.log1p(math.exp(-abs(t)))


def logistic_divergence(x: np.ndarray, y: np.ndarray, a: np.ndarray, beta: float) -> float:
    """D_f of f = 4 beta softplus(<a, x>), which is beta-smooth in l_p where |a|_q <= 1."""
    u, v = float(a @ x), float(a @ y)
    return 4 * beta * (softplus(u) - softplus(v) - (u - v) / (1 + math.exp(-v)))


@given(entries, indices, positive, positive)
def test_logistic_losses_are_relatively_smooth_and_convex(
    rows: list[tuple[float, float, float]], p: float, alpha: float, beta: float
):
    x, y, a = (np.array(side) for side in zip(*rows, strict=True))
    a = a / max(fast.norm(a, p / (p - 1)), 1.0)
    kappa = 1 / (p - 1)
    phi = fast.bregman(x, y, kappa, p)
    whole = logistic_divergence(x, y, a, beta) + alpha * phi
    room = 1e-11 * (1 + alpha + beta) * kappa * (1 + fast.norm(x, p) + fast.norm(y, p)) ** 2
    assert alpha * phi <= whole + room
    assert whole <= (alpha + beta) * phi + room


def test_a_potential_that_is_half_as_convex_would_be_seen():
    """Negative control: with Phi = |x|^2/(4 (p - 1)) smoothness relative to it fails."""
    p, beta, alpha = 1.5, 3.0, 1e-3
    x, y, a = np.array([1.01, 0.99]), np.ones(2), np.array([1.0, -1.0]) / 2 ** (1 / 3)
    phi = fast.bregman(x, y, 0.5 / (p - 1), p)
    assert logistic_divergence(x, y, a, beta) + alpha * phi > (alpha + beta) * phi


@given(entries, st.floats(1.1, 6), st.floats(0.3, 3), st.floats(0.2, 4))
def test_three_points_after_a_proximal_step(rows: list[tuple[float, float, float]], index: float, kappa: float, radius: float):
    """phi linear on the ball, infinite outside: the property holds at every x of the ball."""
    x, z, slope = (np.array(side) for side in zip(*rows, strict=True))
    x = x * min(1.0, radius / max(fast.norm(x, index), 1e-9))
    star = fast.step(z, slope, kappa, index, radius)
    left = float(slope @ x) + fast.bregman(x, z, kappa, index)
    right = float(slope @ star) + fast.bregman(star, z, kappa, index) + fast.bregman(x, star, kappa, index)
    size = kappa * (10 + radius) ** 2 + float(np.abs(slope) @ (np.abs(x) + np.abs(star)))
    assert left >= right - 1e-10 * size * 10


@given(*[st.fractions(-9, 9, max_denominator=20)] * 2, st.fractions(0, 9, max_denominator=20), *[st.fractions(-9, 9)] * 1)
def test_three_points_of_quadratics(a, z, b, x):
    value_x, x_z, value_star, star_z, x_star = sides(a, b, z, x)
    assert value_x + x_z >= value_star + star_z + x_star
    assert (value_x + x_z == value_star + star_z + x_star) == (b == 0 or x_star == 0)


@pytest.mark.parametrize("id", ["lp/lem-11", "lp/lem-12"])
def test_lemmas_are_certified_and_their_mutants_die(id: str):
    judgement = judge(id)
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) >= 3
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(judgement.mutants)


@pytest.mark.parametrize("id", ["lp/lem-11", "lp/lem-12"])
def test_no_certificate_without_the_conditions(id: str):
    claim, decide = find(id), judge_of(id)
    assert decide is not None
    for lost in claim.preconditions:
        rest = tuple(p for p in claim.preconditions if p is not lost)
        assert fold(decided(replace(claim, preconditions=rest), decide)) is not Verdict.CERTIFIED


def test_judge_reads_what_it_certifies():
    claim, decide = find("lp/lem-11"), judge_of("lp/lem-11")
    assert decide is not None
    assert fold(decided(scaled(claim, "relative_smoothness", 99, 100), decide)) is Verdict.REFUTED
    assert fold(decided(scaled(claim, "relative_smoothness", 101, 100), decide)) is Verdict.CERTIFIED
    signed = tuple(q.within(reals) if q.name == "divergence_phi" else q for q in claim.parameters)
    assert fold(decided(replace(claim, parameters=signed), decide)) is not Verdict.REFUTED
    other = (Relation("divergence", "<", "relative_smoothness"), claim.asserts[1])
    assert fold(decided(replace(claim, asserts=other), decide)) is Verdict.OPEN
