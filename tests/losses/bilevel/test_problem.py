"""The bilevel definitions, and the size of the set of lower minimisers: searched in the plane, enumerated on the line."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.losses.bilevel import problem as mutants
from dpsco.spec.losses.bilevel.assumptions import g_is_lipschitz_in_y, g_is_strongly_convex
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict, fold

PRINTED, AMENDED = "bilevel/asm-2.1", "bilevel/asm-2.1-amended"


def test_definition_has_a_misprint_and_its_formulas_are_read():
    claim, decide = find("bilevel/def-erm"), judge_of("bilevel/def-erm")
    assert decide is not None
    stated, misprint, meant = decided(claim, decide)
    assert stated.verdict is Verdict.STATED
    assert (misprint.verdict, misprint.severity, misprint.reading) == (Verdict.REFUTED, Severity.MISPRINT, Reading.PRINTED)
    assert (meant.verdict, meant.reading) == (Verdict.CERTIFIED, Reading.MEANT)
    doubled = scaled(claim, "privacy_slack", 2, 1)
    assert fold(decided(doubled, decide)) is Verdict.OPEN
    turned = with_formula(claim, "privacy_curve_term", claim.formulas["privacy_slack"])
    assert fold(decided(turned, decide)) is Verdict.OPEN
    elsewhere = [f.verdict for f in decided(replace(claim, releases="x and y"), decide)]
    assert Verdict.OPEN in elsewhere
    assert Verdict.STATED not in elsewhere


def test_printed_diameter_is_refuted_by_2_on_a_segment_and_by_4_on_three_points():
    judgement = judge(PRINTED)
    assert (judgement.verdict, judgement.severity) == (Verdict.REFUTED, Severity.CONSTANT)
    printed = [f for f in judgement.findings if f.reading is Reading.PRINTED]
    assert [(f.claimed, f.computed) for f in printed] == [("1", ("2", "2"))]
    meant = [f for f in judgement.findings if f.reading is Reading.MEANT]
    assert [f.verdict for f in meant] == [Verdict.CERTIFIED]
    claim, points = find(PRINTED), [Fraction(y) for y in (-1, 0, 1)]
    assert mutants.wider(claim, "bound", mutants.parabola((0,)), points)
    assert mutants.wider(scaled(claim, "bound", 3, 1), "bound", mutants.parabola((0,)), points)
    segment = [Fraction(k, mutants.GRID) for k in range(-mutants.GRID, mutants.GRID + 1)]
    assert mutants.wider(claim, "bound", mutants.parabola((0,)), segment)
    decide = judge_of(PRINTED)
    assert decide is not None
    thrice = decided(scaled(claim, "bound", 3, 1), decide)  # enough for convex sets, not for three points
    assert [(f.verdict, f.computed) for f in thrice] == [(Verdict.REFUTED, ("4", "4"))]
    path = [Fraction(k, mutants.GRID) for k in range(mutants.GRID + 1)]
    assert not mutants.wider(claim, "bound", mutants.parabola((0, 1)), path)
    with pytest.raises(ValueError, match="among"):
        mutants.wider(claim, "bound", mutants.parabola((0, 1)), [Fraction(0), Fraction(2)])


def test_amendment_is_certified_with_every_mutant_killed():
    judgement = judge(AMENDED)
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) == 5
    assert {*judgement.mutants} == {Fate.KILLED}


@pytest.mark.parametrize("test", [g_is_strongly_convex, g_is_lipschitz_in_y])
def test_certificate_needs_its_conditions(test):
    claim, decide = find(AMENDED), judge_of(AMENDED)
    assert decide is not None
    fewer = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != test))
    assert fold(decided(fewer, decide)) is Verdict.OPEN
    other = replace(claim, over=("every compact set",))
    assert fold(decided(other, decide)) is Verdict.OPEN


def bent(y: np.ndarray, parameters: np.ndarray) -> np.ndarray:
    """|y|^2/2 plus two log cosh along slanted lines, each less its tangent at 0: least at 0, Hessian not constant, mu_g = 1."""
    value = (y**2).sum(axis=-1) / 2
    for scale, angle, offset in parameters.reshape(-1, 3):
        along = y @ np.array([np.cos(angle), np.sin(angle)]) - offset
        tangent = np.log(np.cosh(offset)) + np.tanh(-offset) * (along + offset)
        value = value + scale**2 * (np.log(np.cosh(along)) - tangent)
    return value


def stretch(points: np.ndarray, parameters: np.ndarray) -> float:
    """Diameter of the points and 0 times mu_g = 1 over the largest difference quotient between them."""
    among = np.vstack([np.zeros(2), points])
    apart = np.linalg.norm(among[:, None] - among[None], axis=-1)
    values = bent(among, parameters)
    pairs = np.triu_indices(len(among), 1)
    return float(apart.max() / (np.abs(values[:, None] - values[None])[pairs] / apart[pairs]).max())


@given(st.integers(0, 10**6))
def test_no_set_in_the_plane_is_wider(seed: int):
    chance = np.random.default_rng(seed)
    points = chance.normal(size=(4, 2)) * 10 ** chance.uniform(-2, 2)
    assert stretch(points, chance.uniform(-3, 3, 6)) <= 4 * (1 + 1e-9)


def test_search_comes_near_to_4_and_so_contradicts_7_halves():
    """Negative control: the climb that never passes 4 does pass 3.5, and with it the printed 1."""
    chance = np.random.default_rng(20261122)
    best, at = 0.0, chance.normal(size=14)
    for _ in range(4000):
        tried = at + chance.normal(size=14) * 10 ** chance.uniform(-3, 0)
        found = stretch(tried[:8].reshape(4, 2), tried[8:])
        if found > best:
            best, at = found, tried
    assert 3.5 < best <= 4 * (1 + 1e-9)
