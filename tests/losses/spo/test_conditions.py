"""Conditions of the paper, of Elmachtoub and Grigas, of El Balghiti et al.: laws that meet one and not another."""

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.reference.losses.spo import calibration, conditions, excess_risk, halfspaces, regions
from dpsco.reference.numbers.mp import mp
from dpsco.spec.losses.spo import conditions as spec
from dpsco.spec.losses.spo import halfspaces as polyhedra
from dpsco.spec.losses.spo.regions import REGIONS, some_cost

M = mp(40)
THEOREM_9, CONSISTENCY, MARGIN = "the paper, Theorem 9", "Elmachtoub and Grigas", "El Balghiti et al."
TRIANGLE = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
SQUARE = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
seeds = st.integers(0, 2**32).map(Random)
COMPACT = [(shape, table) for shape, table in REGIONS if (shape, table) != ("paths", [[5.0, 5.0]])]


def boxes(*parts):
    """(weight, lower, upper) in decimals."""
    return [(Fraction(p), [Fraction(x) for x in low], [Fraction(x) for x in high]) for p, low, high in parts]


def points(*parts):
    return [(M.frac(1, len(parts)), [M.real(x) for x in c]) for c in parts]


def holds(numbers, margin="0.125"):
    return {statement: all(found.values()) for statement, found in conditions.met(M, numbers, M.real(margin)).items()}


UNIFORM = boxes(("1", ("1", "1.5"), ("2", "2.5")))
NEGATIVE = boxes(("1", ("-1", "1"), ("3", "3")))
LEANING = boxes(("0.75", ("1", "1.5"), ("1.25", "1.75")), ("0.25", ("2", "1.5"), ("2.25", "2")))
TIED = boxes(("1", ("0", "0"), ("2", "2")))
FLAT = [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("numbers", "theorem_9", "consistency", "margin"),
    [
        (conditions.of_boxes(M, "polytope", SQUARE, UNIFORM), True, True, True),
        (conditions.of_boxes(M, "polytope", TRIANGLE, NEGATIVE), False, True, True),
        (conditions.of_boxes(M, "polytope", TRIANGLE, LEANING), True, False, True),
        (conditions.of_boxes(M, "polytope", FLAT, UNIFORM), True, False, True),
        (conditions.of_boxes(M, "polytope", TRIANGLE, TIED), False, False, False),
        (conditions.of_points(M, "ball", [[0.0, 0.0], [1.0]], points((2, 0), (0, 2))), True, False, True),
        (conditions.of_points(M, "sphere", [[0.0, 0.0], [1.0]], points((-1, 0), (1, 4))), False, False, True),
        (conditions.of_points(M, "ball", [[0.0, 0.0], [1.0]], points((1, 0), (-1, 0))), False, False, False),
    ],
)
def test_laws_that_meet_one_and_not_another(numbers, theorem_9: bool, consistency: bool, margin: bool):
    found = holds(numbers)
    assert (found[THEOREM_9], found[CONSISTENCY], found[MARGIN]) == (theorem_9, consistency, margin)
    assert found["the paper, Lemma 4"]


@pytest.mark.parametrize("predicate", [spec.MARGIN_KEPT, spec.STRONG])
def test_stored_instances(predicate):
    for stored, answer in ((predicate.accepts, True), (predicate.rejects, False)):
        assert predicate(M, {name: M.real(x) for name, x in stored.items()}) is answer


def test_a_margin_is_asked_for_and_named():
    numbers = conditions.of_boxes(M, "polytope", TRIANGLE, UNIFORM)  # E c = (1.5, 2): (2 - 1.5)/sqrt(2) from a tie
    assert holds(numbers, "0.35")[MARGIN]
    assert not holds(numbers, "0.36")[MARGIN]
    (missed,) = [words for words, met in conditions.met(M, numbers, M.real("0.36"))[MARGIN].items() if not met]
    assert missed == "E[c|x] is at least gamma away from degeneracy"
    with pytest.raises(ValueError, match="margin=0"):
        conditions.met(M, numbers, 0)


@given(seeds)
def test_decisions_stay_within_the_distance_to_degeneracy_and_change_beyond(random: Random):
    shape, table = random.choice(COMPACT)
    try:
        c = [M.real(x) for x in some_cost(random, regions.dimension(shape, table))]
        far = conditions.degeneracy_distance(M, shape, table, c)
    except ValueError:
        assert shape == "box"
        return
    if far == M.inf:
        assert regions.diameter(M, shape, table) == 0
        return
    w = regions.oracle(M, shape, table, c)
    for _ in range(3):
        u = [M.real(x) for x in some_cost(random, len(c))]
        size = M.norm(u)
        if size == 0 or far < 1e-30 or shape in ("ball", "sphere"):
            continue
        moved = [a + far * M.real("0.999") * x / size for a, x in zip(c, u, strict=True)]
        assert regions.oracle(M, shape, table, moved) == w
    if shape in ("ball", "sphere"):
        assert far == M.norm(c)
        return
    assert (far == 0) == (calibration.face_diameter(M, shape, table, c) > 0)
    listed = regions.vertices(M, shape, table)
    steps = [[a - b for a, b in zip(v, w, strict=True)] for v in listed]
    nearest = min((s for s in steps if M.norm(s) > 0), key=lambda s: M.dot(c, s) / M.norm(s))
    beyond = [a - (far + M.real("1e-6")) * x / M.norm(nearest) for a, x in zip(c, nearest, strict=True)]
    assert min(M.dot(beyond, v) for v in listed) < M.dot(beyond, w)


@given(seeds)
def test_strength_and_the_lipschitz_bound_it_gives(random: Random):
    """c'(w - w*(c)) >= mu/2 nu |w - w*(c)|^2 for every vertex or point w; and the bound on the distance of two decisions."""
    shape, table = random.choice([region for region in COMPACT if region[0] != "box"])
    mu = conditions.strength(M, shape, table)
    if mu == M.inf:
        return
    c, other = ([M.real(x) for x in some_cost(random, regions.dimension(shape, table))] for _ in range(2))
    w, nu = regions.oracle(M, shape, table, c), conditions.degeneracy_distance(M, shape, table, c)
    v, nu_other = regions.oracle(M, shape, table, other), conditions.degeneracy_distance(M, shape, table, other)
    apart = M.norm([a - b for a, b in zip(v, w, strict=True)])
    gained = M.dot(c, [a - b for a, b in zip(v, w, strict=True)])
    assert gained >= mu / 2 * nu * apart**2 - M.real("1e-30")
    if nu + nu_other > 0:
        distance = M.norm([a - b for a, b in zip(c, other, strict=True)])
        assert apart <= spec.decision_distance(
            M, cost_distance=distance, strength=mu, degeneracy=nu, other_degeneracy=nu_other
        ) + M.real("1e-30")


def test_negative_control_more_strength_than_there_is():
    """On the unit ball at right angles the inequality is an equality; at twice mu it fails."""
    ball, c = [[0.0, 0.0], [1.0]], [M.real(1), M.real(0)]
    mu = conditions.strength(M, "ball", ball)
    w, v = regions.oracle(M, "ball", ball, c), [M.real(0), M.real(1)]
    gained = M.dot(c, [a - b for a, b in zip(v, w, strict=True)])
    assert mu == 1
    assert gained == mu / 2 * M.norm(c) * 2
    assert gained < 2 * mu / 2 * M.norm(c) * 2


def test_consistency_where_it_is_promised_and_where_it_fails():
    """Exact excess risks around E[c]: never negative under Elmachtoub and Grigas's conditions, negative without symmetry."""
    exact = [[Fraction(x) for x in w] for w in TRIANGLE]
    steps = [Fraction(k, 2) for k in range(-4, 5, 2)]
    lopsided = boxes(("0.75", ("1", "1.5"), ("1.5", "2")), ("0.25", ("6", "1"), ("6.5", "1.5")))
    assert not holds(conditions.of_boxes(M, "polytope", TRIANGLE, lopsided))[CONSISTENCY]
    for law, kept in ((NEGATIVE, True), (lopsided, False)):
        centre = excess_risk.mean(law)
        least = [risk(law, exact, centre) for risk in (excess_risk.spo_risk, excess_risk.spo_plus_risk)]
        excess = [
            (excess_risk.spo_risk(law, exact, c_hat) - least[0], excess_risk.spo_plus_risk(law, exact, c_hat) - least[1])
            for c_hat in ([centre[0] + a, centre[1] + b] for a, b in product(steps, repeat=2))
        ]
        assert min(spo for spo, _ in excess) == 0
        assert (min(plus for _, plus in excess) >= 0) == kept


def test_inner_radii():
    """By hand where simple; for solid hulls against random directions: the ball around the right middle fits inside."""
    assert conditions.inner_radius(M, "ball", [[3.0, 1.0], [2.0]]) == 2
    assert conditions.inner_radius(M, "box", [[0.0, -1.0], [4.0, 1.0]]) == 1
    assert float(conditions.inner_radius(M, "l1_ball", [[0.0, 0.0], [1.0]])) == pytest.approx(0.5**0.5)
    for shape, table in (("sphere", [[0.0], [2.0]]), ("simplex", [[0.0, 0.0], [1.0]]), ("paths", [[3.0, 3.0]])):
        assert conditions.inner_radius(M, shape, table) == 0
    assert conditions.inner_radius(M, "polytope", FLAT) == 0
    assert conditions.inner_radius(M, "knapsack", [[2.0, 3.0], [1.0]]) == 0
    assert 0 < conditions.inner_radius(M, "polytope", TRIANGLE) <= 1 - 0.5**0.5
    square = conditions.inner_radius(M, "halfspaces", polyhedra.UNIT_SQUARE)
    assert 0 < square <= 0.5
    corner = conditions.inscribed([[Fraction(0)] * 3, *([Fraction(int(i == j)) for j in range(3)] for i in range(3))])
    assert 0 < corner <= 1 / (3 + 3**0.5)
    assert halfspaces.meeting([[Fraction(1), Fraction(1), Fraction(1)], [Fraction(2), Fraction(2), Fraction(2)]]) is None


def test_asymmetry_of_finitely_many_costs():
    assert conditions.asymmetry(M, points((2, 0), (0, 2))) == 0
    assert conditions.asymmetry(M, points((0, 0))) == 0
    found = conditions.asymmetry(M, points((0, 0), (3, 0), (0, 3)))
    assert found == 1  # the mirrored triangle has other corners
    mixed = conditions.asymmetry(M, [(M.real("0.25"), [M.real(0)]), (M.real("0.75"), [M.real(4)])])
    assert mixed == 1  # the mean is 3: mirrored to 6 and 2
    samples = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]])
    assert not {tuple(x) for x in 2 * samples.mean(axis=0) - samples} & {tuple(x) for x in samples}
