"""Sensitivity of bilevel objectives: verdicts, the problems behind them enumerated in fractions, and a search in the plane."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.losses.bilevel import lower_response, neighbouring_minimisers
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.losses.bilevel import sensitivity as mutants
from dpsco.reference.losses.bilevel import sensitivity as literal
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.exponential_sampling import calibrated
from dpsco.spec.claim import Adjacency
from dpsco.spec.register import find
from dpsco.verdict import Part, Proof, Reading, Severity, Verdict, fold

ONE, ZERO = Fraction(1), Fraction(0)
CERTIFIED = {
    "bilevel/thm-3.2-sensitivity": 8,
    "bilevel/score-sensitivity-amended": 5,
    "bilevel/lem-B.5": 4,
    "bilevel/lem-B.6-amended": 8,
}
REFUTED = {"bilevel/lem-B.6": Severity.RATE}


@pytest.mark.parametrize("id", CERTIFIED)
def test_certified_with_every_mutant_killed(id: str):
    judgement = judge(id)
    steps = id == "bilevel/thm-3.2-sensitivity"
    assert judgement.verdict is (Verdict.STATED if steps else Verdict.CERTIFIED)
    assert judgement.proof is Proof.HOLDS or not steps
    assert {*judgement.mutants} == {Fate.KILLED}
    assert len(judgement.mutants[Fate.KILLED]) == CERTIFIED[id]


@pytest.mark.parametrize("id", REFUTED)
def test_refuted(id: str):
    judgement = judge(id)
    assert (judgement.verdict, judgement.severity) == (Verdict.REFUTED, REFUTED[id])


def test_the_score_itself_breaks_the_proof_s_step():
    judgement = judge("bilevel/score-sensitivity")
    assert (judgement.verdict, judgement.proof) == (Verdict.STATED, Proof.BROKEN)


@pytest.mark.parametrize("id", CERTIFIED)
def test_judge_reads_conditions_adjacency_and_quantifiers(id: str):
    decide, claim = judge_of(id), find(id)
    assert decide is not None
    part = Part.PROOF if all(relation.step for relation in claim.asserts) else Part.STATEMENT
    for number in range(len(claim.preconditions)):
        fewer = replace(claim, preconditions=claim.preconditions[:number] + claim.preconditions[number + 1 :])
        assert fold(decided(fewer, decide), part) is not Verdict.CERTIFIED, claim.preconditions[number].says
    if claim.adjacency is not None:
        assert fold(decided(replace(claim, adjacency=Adjacency.ADD_REMOVE), decide), part) is not Verdict.CERTIFIED
    assert fold(decided(replace(claim, over=claim.over[1:]), decide), part) is not Verdict.CERTIFIED


@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize(("L_fx", "L_fy"), [(ZERO, ONE), (ONE, ZERO), (Fraction(7, 3), Fraction(2, 5))])
def test_problem_that_turns_reaches_what_the_argument_says(n: int, L_fx: Fraction, L_fy: Fraction):
    problem = mutants.pulled(n, L_fx, L_fy)
    known = mutants.constants(problem, n, L_fx, L_fy)
    values = {name: sympy.Rational(value) for name, value in known.items()}
    m = arb(192)
    balls = {name: m.real(value) for name, value in known.items()}
    for found, reached in (
        (literal.largest_shift(problem, n), neighbouring_minimisers.reached_shift(m, balls)),
        (literal.centred_change(problem, n), neighbouring_minimisers.reached_range(m, balls)),
    ):
        assert reached.overlaps(m.real(found))
        assert reached.rad() < 1e-40
    assert (
        literal.centred_change(problem, n) == mutants.stated(find("bilevel/thm-3.2-sensitivity"), "s_of_proof", known) or n > 1
    )
    assert literal.centred_change(problem, n) <= calibrated.score_scale(symbolic(), **values)


def test_a_jump_of_the_centre_keeps_the_set_of_minimisers():
    """Points between 0 and 1 with the centre of the nearer end: Y, L_gy and the change stay."""
    ends = mutants.pulled(3, ONE, ONE)
    between = replace(
        ends,
        points=(ZERO, Fraction(1, 3), Fraction(3, 4), ONE),
        centre=lambda x, z: ends.centre(ONE if 2 * x >= 1 else ZERO, z),
    )
    assert literal.minimisers(between, 3) == literal.minimisers(ends, 3)
    assert literal.centred_change(between, 3) == literal.centred_change(ends, 3)


def test_record_that_reads_both_variables_needs_the_term_with_the_inner_diameter():
    """D_y = 2, L_gy = mu_g D_y/2: (2/n)(L_fx D_x + L_fy D_y) is reached, so the proof's sum needs its term L_fy D_y."""
    n, jump = 4, Fraction(2)
    problem = replace(
        mutants.pulled(n, ZERO, ZERO),
        upper=lambda x, y, z: z * (y + x),
        centre=lambda x, z: jump if 2 * x >= 1 else ZERO,
        records=(-ONE, ONE),
        high=jump,
    )
    known = mutants.constants(problem, n, ONE, ONE)
    assert (known["D_y"], known["L_gy"]) == (2, 1)
    change = literal.centred_change(problem, n)
    assert change == Fraction(2, n) * (1 + 2)
    steps = find("bilevel/thm-3.2-sensitivity").formulas["s_of_proof"]
    assert change <= steps(symbolic(), **{name: sympy.Rational(value) for name, value in known.items()})
    without = steps(symbolic(), **{name: sympy.Rational(value) for name, value in (known | {"D_y": ZERO}).items()})
    assert change > without


@pytest.mark.parametrize("n", [2, 3, 6])
def test_slopes_by_enumeration(n: int):
    """Lemma B.6 as printed at the kink, and where nothing but the bilinear terms is left; the amendment holds on both."""
    kink = {"L_fx": ONE, "L_fy": ONE, "beta_gxy": ONE}
    assert mutants.slopes_more(find("bilevel/lem-B.6"), mutants.kinked(n), n, **kink)
    assert not mutants.slopes_more(find("bilevel/lem-B.6-amended"), mutants.kinked(n), n, **kink)
    quotient = literal.difference_quotient(mutants.kinked(n), n)
    values = mutants.slope_constants(mutants.kinked(n), n, **kink)
    m = arb(192)
    assert lower_response.reached_difference(m, {k: m.real(v) for k, v in values.items()}).overlaps(m.real(quotient))
    bilinear = replace(
        mutants.kinked(n), upper=lambda x, y, z: z * y, centre=lambda x, z: z * x, records=(-ONE, ONE), points=(ZERO, ONE)
    )
    found = literal.difference_quotient(bilinear, n)
    plain = {"L_fy": ONE, "beta_gxy": ONE}
    assert found == Fraction(4 * (n - 1), n**2)
    assert mutants.slopes_more(find("bilevel/lem-B.6"), bilinear, n, **plain) is (n > 2)
    assert not mutants.slopes_more(find("bilevel/lem-B.6-amended"), bilinear, n, **plain)


def test_mixed_slope_by_enumeration():
    n, level = 4, {"L_fx": Fraction(5, 4), "L_fy": ONE, "beta_fxy": ONE}
    assert literal.difference_quotient(mutants.levelled(n), n) == 2  # 2 beta_fxy c/n, c = n: what the levelled problem reaches
    assert not mutants.slopes_more(find("bilevel/lem-B.6"), mutants.levelled(n), n, **level)


def test_the_score_itself_and_the_readings_beside_it():
    finding = judge("bilevel/score-sensitivity").findings[0]
    size = Fraction(finding.at["c"])
    problem = replace(mutants.pulled(1, ONE, ONE), upper=lambda x, y, z: size * (z + 1) / 2)
    assert (
        literal.score_change(problem, 1)
        == size
        > mutants.stated(
            find("bilevel/score-sensitivity"), "s", {name: Fraction(finding.at[name]) for name in finding.at if name != "c"}
        )
    )
    assert literal.centred_change(problem, 1) == 0
    meant = [f.verdict for f in judge("bilevel/thm-3.2-sensitivity", with_mutants=False).findings if f.reading is Reading.MEANT]
    assert meant == [Verdict.CERTIFIED]


def test_a_repaired_statement_is_not_refuted():
    """With 1/n throughout s the centred change is still certified; a score with a condition on its records is not refuted."""
    claim, decide = find("bilevel/thm-3.2-sensitivity"), judge_of("bilevel/thm-3.2-sensitivity")
    assert decide is not None
    assert fold(decided(with_formula(claim, "s", calibrated.score_scale), decide), Part.PROOF) is Verdict.CERTIFIED
    score, judge_score = find("bilevel/score-sensitivity"), judge_of("bilevel/score-sensitivity")
    assert judge_score is not None
    more = replace(score, preconditions=(*score.preconditions, find("bilevel/lem-B.6").preconditions[-1]))
    assert fold(decided(more, judge_score), Part.PROOF) is Verdict.OPEN
    response, judge_response = find("bilevel/lem-B.5"), judge_of("bilevel/lem-B.5")
    assert judge_response is not None
    assert fold(decided(scaled(response, "bound", 2, 1), judge_response)) is Verdict.CERTIFIED


@given(st.lists(st.fractions(-3, 3), min_size=1, max_size=4), st.fractions(-2, 2), st.fractions(0, 2))
def test_lower_minimiser_is_a_minimiser(centres: list[Fraction], low: Fraction, width: Fraction):
    problem = replace(mutants.kinked(1), centre=lambda x, z: z, low=low, high=low + width, steepness=Fraction(10))
    y = literal.lower_minimiser(problem, ZERO, tuple(centres))

    def mean(y: Fraction) -> Fraction:
        return sum(literal.lower_loss(problem, ZERO, y, z) for z in centres) / len(centres)

    assert all(mean(y + step) >= mean(y) + step**2 / 2 for step in (Fraction(s, 7) for s in range(-30, 31)))


def test_walls_that_do_not_hold_are_refused():
    problem = replace(mutants.pulled(3, ZERO, ONE), steepness=ONE)
    with pytest.raises(ValueError, match="steepness=1: at least 2"):
        literal.lower_minimiser(problem, ONE, (ONE, ONE, ONE))


RECORDS, SIZE, POINTS = 3, 3, 2
SETS = np.array([np.bincount(s, minlength=RECORDS) for s in combinations_with_replacement(range(RECORDS), SIZE)]) / SIZE
PAIRS = [(i, j) for i in range(len(SETS)) for j in range(i) if np.abs(SETS[i] - SETS[j]).sum() * SIZE == 2]


def plane(parameters: np.ndarray) -> tuple[float, float, float]:
    """Shift over its bound, centred change over its bound, and over the bound without the shift, for one problem in the plane.

    g(x_p, y, z_k) = |y - a_pk|^2/2 + two terms c^2 log cosh(s u.y - t) for each p and k: mu_g = 1, Hessians that depend on y
    and on the record; f = w_k.y, |w_k| = 1: L_fy = 1, L_fx = 0.
    """
    cut = POINTS * RECORDS * 2
    centre = parameters[:cut].reshape(POINTS, RECORDS, 2)
    bends = parameters[cut : cut + POINTS * RECORDS * 10].reshape(POINTS, RECORDS, 2, 5)
    weights = parameters[-2 * RECORDS :].reshape(RECORDS, 2)
    weights = weights / np.linalg.norm(weights, axis=1, keepdims=True)
    direction = bends[..., :2] / np.linalg.norm(bends[..., :2], axis=-1, keepdims=True)
    size, sharp, offset = bends[..., 2] ** 2, 1 + np.abs(bends[..., 3]), bends[..., 4]

    def along(y: np.ndarray) -> np.ndarray:
        """y of shape (POINTS, m, 2) to (POINTS, m, RECORDS, 2)."""
        return sharp[:, None] * np.einsum("pkjc,pmc->pmkj", direction, y) - offset[:, None]

    y = np.einsum("mk,pkc->pmc", SETS, centre)
    for _ in range(80):  # damped Newton: the mean is strongly convex, its Hessian bounded
        bent = np.tanh(along(y))
        slope = y - np.einsum("mk,pkc->pmc", SETS, centre)
        slope = slope + np.einsum("mk,pkj,pmkj,pkjc->pmc", SETS, size * sharp, bent, direction)
        if np.abs(slope).max() < 1e-11:
            break
        curved = np.einsum("mk,pkj,pmkj,pkjc,pkjd->pmcd", SETS, size * sharp**2, 1 - bent**2, direction, direction)
        step = np.linalg.solve(curved + np.eye(2), slope[..., None])[..., 0]
        y = y - step / (1 + 0.5 * np.linalg.norm(step, axis=-1, keepdims=True) * sharp.max())
    else:
        return 0.0, 0.0, 0.0
    among = y.reshape(1, -1, 2).repeat(POINTS, axis=0)
    values = ((among[:, :, None] - centre[:, None]) ** 2).sum(-1) / 2
    values = values + (size[:, None] * np.logaddexp(along(among), -along(among))).sum(-1)
    apart = np.linalg.norm(among[0][:, None] - among[0][None], axis=-1) + 1e300 * np.eye(among.shape[1])
    L_gy = float((np.abs(values[:, :, None] - values[:, None]) / apart[None, :, :, None]).max())
    D_y = float(np.where(apart < 1e200, apart, 0).max())
    phi = np.einsum("mk,kc,pmc->pm", SETS, weights, y)
    shift = max(float(np.linalg.norm(y[:, i] - y[:, j], axis=-1).max()) for i, j in PAIRS)
    change = max(abs(float(np.diff(phi[:, i] - phi[:, j])[0])) for i, j in PAIRS)
    without = 2 / SIZE * D_y
    return shift * SIZE / (2 * L_gy), change / (without + 4 * (SIZE - 1) * L_gy / SIZE**2), change / without


@pytest.mark.parametrize(("goal", "least"), [(0, 0.55), (1, 0.4), (2, 1.2)])
def test_search_over_neighbours_in_the_plane(goal: int, least: float):
    """A climb on problems with Hessians that are not constant: the bounds are never passed. Negative control: half the shift's
    bound is, and the centred change passes the bound that forgets the unchanged records.
    """
    chance = np.random.default_rng(20261122 + goal)
    length = POINTS * RECORDS * 12 + 2 * RECORDS
    best, at, passed = 0.0, chance.normal(size=length), False
    for _ in range(700):
        moved = chance.random(length) < 10 ** chance.uniform(-1.5, 0)
        tried = at + moved * chance.normal(size=length) * 10 ** chance.uniform(-2, 0.5)
        found = plane(tried)
        passed = passed or max(found[:2]) > 1 + 1e-6
        if found[goal] > best:
            best, at = found[goal], tried
    assert not passed
    assert best > least
