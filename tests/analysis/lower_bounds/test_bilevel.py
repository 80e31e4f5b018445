"""Bilevel lower bounds: the hard instance literally, the private answers against it, the verdicts and what they rest on."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.comparing import admits
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.reference.analysis.lower_bounds.bilevel import (
    chance_of_wrong_count,
    chance_of_wrong_sign,
    excess,
    lower_minimiser,
    mean_record,
    objective,
    risk_of_named_point,
    steepest_lower_slope,
)
from dpsco.reference.numbers.mp import mp
from dpsco.spec.analysis.lower_bounds import bilevel as spec
from dpsco.spec.claim import Adjacency, Relation
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Severity, Verdict, fold

m = mp(40)
PRINTED = {
    "bilevel/thm-3.9": Severity.DOMAIN,
    "bilevel/lem-B.18": Severity.CONSTANT,
    "bilevel/eq-18": None,
    "bilevel/rem-3.10": Severity.DOMAIN,
}
signs = st.lists(st.lists(st.sampled_from((-1, 1)), min_size=2, max_size=2), min_size=1, max_size=6)
angles = st.floats(0, 6.3)


def verdict(claim):
    return fold(decided(claim, judge_of(claim.id)))


@pytest.mark.parametrize("id", PRINTED)
def test_printed_are_refuted(id: str):
    found = judge(id)
    step = PRINTED[id] is None
    assert found.verdict is (Verdict.STATED if step else Verdict.REFUTED)
    assert found.severity is PRINTED[id]
    assert found.proof is Proof.BROKEN or not step
    assert found.amendments == [f"{id}-amended"]


@pytest.mark.parametrize("id", [*(f"{id}-amended" for id in PRINTED), "bilevel/thm-3.9-identity"])
def test_amendments_are_certified_and_their_mutants_die(id: str):
    found = judge(id)
    assert found.verdict is (Verdict.CERTIFIED if id.endswith("amended") else Verdict.STATED)
    assert len(found.mutants[Fate.KILLED]) >= 4
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(found.mutants)


@given(signs, angles, st.floats(0, 1), st.integers(1, 5))
def test_excess_of_the_instance_is_the_exact_side(data, angle: float, radius: float, zeta: int):
    """Phi_Z literally, from the lower minimiser on, against zeta |Zbar| (1 - <x, x*>) and the quadratic."""
    records = [[m.real(a) / m.sqrt(m.real(2)) for a in z] for z in data]
    mean = mean_record(m, records)
    norm = m.norm(mean)
    if norm < 1e-9:
        return
    x = [m.real(radius) * m.cos(m.real(angle)), m.real(radius) * m.sin(m.real(angle))]
    star = [a / norm for a in mean]
    true = excess(m, x, records, m.real(1), m.real(zeta), m.real(1))
    assert abs(true - spec.excess_exact(m, m.real(zeta), norm, x, star)) < 1e-30
    assert true >= spec.excess_quadratic(m, m.real(zeta), norm, x, star) - m.real("1e-30")


def test_lower_minimiser_and_objective_by_hand():
    y = lower_minimiser(m, [m.real(2), m.real(-1)], m.real(3))
    assert y == [6, -3]
    assert objective(m, [m.real(2), m.real(-1)], [[m.real(1), m.real(1)]], m.real(5), m.real(3)) == -15


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_no_point_of_the_balls_is_steeper(a: float, b: float):
    """|mu_g (y - zeta x)| in one dimension over the two intervals."""
    mu, zeta, big_x, big_y = 2.0, 0.6, 5.0, 3.0
    most = steepest_lower_slope(m, m.real("2"), m.real("0.6"), m.real(5), m.real(3))
    assert abs(mu * (b * big_y - zeta * a * big_x)) <= most + 1e-9


@given(st.integers(1, 40), st.integers(-9, 9), st.integers(0, 7), st.floats(0.1, 6), st.floats(0, 3))
def test_some_point_of_a_grid_is_nearly_least(size: int, slope: int, where: int, left: float, right: float):
    """A convex piecewise linear function of an interval: the best of m + 1 points is within 1/m of the range."""
    kink = where / 7

    def phi(x: float) -> float:
        return slope * x + (left * (kink - x) if x < kink else right * (x - kink))

    fine = sorted({*(k / 2000 for k in range(2001)), kink})
    values = [phi(x) for x in fine]
    spread = max(values) - min(values)
    best = min(phi(k / size) for k in range(size + 1))
    assert best - min(values) <= spread / size + 1e-9


def test_chances_by_their_definitions():
    epsilon = m.real("0.7")
    q = m.exp(-epsilon)
    mass = {k: q ** abs(k) for k in range(-400, 401)}
    total = sum(mass.values())
    for beyond in (0, 1, 4):
        by_sum = sum(p for k, p in mass.items() if abs(k) > beyond) / total
        assert abs(by_sum - chance_of_wrong_count(m, epsilon, beyond)) < 1e-30
    wrong = chance_of_wrong_sign(m, epsilon)
    assert abs((1 - wrong) / wrong - m.exp(epsilon)) < 1e-30


def test_sign_is_private_and_right_on_every_data_set():
    """n = 5, d = 1: neighbours' odds are at most e^epsilon, and the wrong direction is below 1/2 on all 32 data sets."""
    wrong = Fraction(1, 3)  # e^epsilon = 2

    def chances(data: tuple[int, ...]) -> dict[int, Fraction]:
        direction = 1 if sum(data) > 0 else -1
        return {direction: 1 - wrong, -direction: wrong}

    for data in product((-1, 1), repeat=5):
        direction = 1 if sum(data) > 0 else -1
        assert chances(data)[-direction] < Fraction(1, 2)
        for i in range(5):
            other = chances((*data[:i], -data[i], *data[i + 1 :]))
            assert all(p <= 2 * other[answer] for answer, p in chances(data).items())


def test_the_rate_falls_below_the_named_point():
    """Independent of orders: risk over rate at three epsilon, and negative control at small epsilon."""
    ratios = [risk_of_named_point(m, m.floor(m.exp(m.real(e) / 2)) + 1, m.real(e)) * e for e in (20, 40, 80)]
    assert ratios[0] > 1e3 * ratios[1] > 1e9 * ratios[2]
    assert risk_of_named_point(m, m.real(2), m.real("0.1")) > 1


def test_the_population_part_on_pure_privacy_stands():
    found = decided(find("bilevel/rem-3.10"), judge_of("bilevel/rem-3.10"))
    by_scope = {f.scope.split(":")[0]: f.verdict for f in found}
    assert by_scope["population risk against pure_rate + statistical_term"] is Verdict.CERTIFIED


def test_what_is_certified_beside_is_the_printed_probability_on_its_range():
    for id in PRINTED:
        beside = [f for f in decided(find(id), judge_of(id)) if f.reading is Reading.MEANT]
        assert len(beside) == (id in ("bilevel/lem-B.18", "bilevel/eq-18"))
        assert all(f.verdict is Verdict.CERTIFIED and f.scope.endswith("epsilon <= d/32, probability 1/2") for f in beside)


def test_the_range_of_the_printed_probability_is_read_from_the_rate():
    claim = find("bilevel/lem-B.18")
    for moved, expected in (
        (scaled(claim, "pure_rate", 1, 2), Verdict.CERTIFIED),
        (with_formula(claim, "pure_rate", lambda m, n, d, epsilon: m.min(m.real(1), d**2 / (epsilon * n))), Verdict.OPEN),
    ):
        beside = [f for f in decided(moved, judge_of(claim.id)) if f.reading is Reading.MEANT]
        assert [f.verdict for f in beside] == [expected]


def test_refutations_say_what_an_untold_algorithm_would_make_of_them():
    for id in ("bilevel/thm-3.9", "bilevel/rem-3.10"):
        risks = [f for f in decided(find(id), judge_of(id)) if "risk against" in f.scope and f.verdict is Verdict.REFUTED]
        assert risks
        assert all("not told" in (f.reason or "") for f in risks)


@given(st.floats(-1, 1), st.floats(0, 10), st.floats(0, 10))
def test_one_answer_fails_on_one_of_two_opposite_losses(x: float, slope: float, size: float):
    """f = L x and f = -L x on [-D/2, D/2]: the excesses of any answer add up to L D."""
    answer, half = x * size / 2, size / 2
    excesses = [sign * slope * answer + slope * half for sign in (1, -1)]
    assert sum(excesses) == pytest.approx(slope * size, abs=1e-9)
    assert max(excesses) >= slope * size / 2 - 1e-9


def test_repaired_rates_are_not_refuted_and_moved_ones_are():
    claim = find("bilevel/thm-3.9-amended")
    assert verdict(replace(claim, adjacency=Adjacency.ADD_REMOVE)) is Verdict.OPEN
    assert verdict(replace(claim, over=claim.over[1:])) is Verdict.OPEN
    assert verdict(replace(claim, asserts=(Relation("risk", ">=Omega", "pure_rate"),))) is Verdict.OPEN
    assert verdict(scaled(claim, "pure_rate", 1, 2)) is Verdict.CERTIFIED
    wide = replace(claim, preconditions=claim.preconditions[:1] + claim.preconditions[2:])
    assert verdict(wide) in (Verdict.OPEN, Verdict.REFUTED)
    assert verdict(replace(claim, preconditions=())) is not Verdict.CERTIFIED


def test_a_path_outside_the_domain_contradicts_nothing():
    claim = find("bilevel/lem-B.18-amended")
    inside = {"n": 100, "d": 1, "epsilon": "0.5", "delta": "1e-9", "high_exponent": 1}
    values = {name: m.real(str(value)) for name, value in inside.items()}
    assert admits(claim, m, values)
    assert not admits(claim, m, {**values, "epsilon": m.real("0.6")})
    assert not admits(claim, m, {**values, "delta": m.real("1e-3")})
    assert not admits(claim, m, {k: x for k, x in values.items() if k != "delta"})


def test_share_of_the_instance_in_fractions():
    """Largest slope over L_gy = mu_g D_y: 2 for balls of radius D_x, D_y, 1 for half of it."""
    for part, expected in ((Fraction(1), 2), (Fraction(1, 2), 1)):
        zeta, mu, big_x, big_y = Fraction(3, 5), Fraction(2), 5 * part, 3 * part
        assert mu * (big_y + zeta * big_x) == expected * mu * 3
