"""The gradient of a bilevel objective: its constants judged, problems that attain them, an adversarial search, the kernel."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from dpsco.arguments.formula import apply
from dpsco.arguments.losses.bilevel import attained_gradients as attained
from dpsco.arguments.losses.bilevel import differences
from dpsco.fast.losses.bilevel import hypergradient as fast
from dpsco.fast.losses.bilevel import quadratic
from dpsco.fast.losses.bilevel.problem import hypergradient, into_radius
from dpsco.judges.losses.bilevel import hypergradient as judges
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled
from dpsco.mutants.losses.bilevel import hypergradient as mutants
from dpsco.reference.losses.bilevel import hypergradient as reference
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.claim import Adjacency
from dpsco.spec.losses.bilevel import assumptions as assumed
from dpsco.spec.losses.bilevel import hypergradient as spec
from dpsco.spec.losses.bilevel import quadratic as quadratic_spec
from dpsco.spec.register import find
from dpsco.verdict import Rung, Verdict, fold

LARGEST_ERROR = 8.0
KILLED = {
    "bilevel/eq-9": 5,
    "bilevel/eq-11": 6,
    "bilevel/eq-20": 14,
    "bilevel/lem-C.2": 9,
    "bilevel/inverse-perturbation": 5,
}


@pytest.mark.parametrize("seed", range(12))
def test_fast_matches_reference(seed: int):
    given = spec.any_system(Random(seed))
    found = fast.implicit_gradient(*map(np.array, given.values()))
    assert error(spec.implicit_gradient, reference.implicit_gradient, given, found) <= LARGEST_ERROR
    wrong = found * (1 + 1e-9)
    assert error(spec.implicit_gradient, reference.implicit_gradient, given, wrong) > LARGEST_ERROR or not np.any(
        wrong != found
    )


def test_what_is_no_system_is_refused():
    with pytest.raises(ValueError, match="positive definite"):
        fast.implicit_gradient(np.ones(1), np.ones(2), np.ones((1, 2)), np.array([[1.0, 2.0], [2.0, 1.0]]))
    with pytest.raises(ValueError, match="positive definite"):
        fast.implicit_gradient(np.ones(1), np.ones(1), np.ones((1, 1)), np.array([[np.nan]]))
    with pytest.raises(ValueError, match="shapes"):
        fast.implicit_gradient(np.ones(2), np.ones(2), np.ones((1, 2)), np.eye(2))


@pytest.mark.parametrize(("id", "killed"), KILLED.items())
def test_every_claim_is_certified_with_every_mutant_killed(id: str, killed: int):
    found = judge(id)
    assert found.verdict is Verdict.CERTIFIED
    assert {f.rung for f in found.findings} == {Rung.EXACT}
    assert len(found.mutants[Fate.KILLED]) == killed
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(found.mutants)


@pytest.mark.parametrize(
    ("id", "test"),
    [
        *(("bilevel/eq-9", test) for test in judges.IDENTITY_TESTS),
        ("bilevel/eq-11", assumed.hessians_vary_slowly_in_y),
        ("bilevel/eq-20", assumed.g_is_lipschitz_in_y),
        ("bilevel/eq-20", assumed.curvature_g_yy_is_bounded),
        ("bilevel/lem-C.2", assumed.hessians_vary_slowly_in_x),
        ("bilevel/inverse-perturbation", spec.second_is_invertible),
    ],
)
def test_a_certificate_needs_its_conditions(id, test):
    claim, decide = find(id), judge_of(id)
    assert decide is not None
    free = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != test))
    assert fold(decided(free, decide)) is Verdict.OPEN


def test_neighbours_are_replacements():
    claim, decide = find("bilevel/eq-20"), judge_of("bilevel/eq-20")
    assert decide is not None
    assert fold(decided(replace(claim, adjacency=Adjacency.ADD_REMOVE), decide)) is Verdict.OPEN
    assert fold(decided(scaled(claim, "bound", 2, 5), decide)) is Verdict.OPEN  # between what is proved and what is attained
    assert fold(decided(scaled(claim, "bound", 1, 2), decide)) is Verdict.CERTIFIED


@pytest.mark.parametrize("weights", [attained.Weights(), *mutants.HEAVY.values()])
def test_closed_forms_agree_with_differences_of_values(weights):
    """The slope and the inexactness of the aligned problems: by second differences of Phi, and of f and g."""
    m = mp(differences.DIGITS)
    v = differences.given(m, weights, 1 / attained.SCALE)
    f, g = differences.losses(m, v, 1 / v["scale"])
    zero, y = m.real(0), m.real("1e-25")
    by_values = differences.bend(m, lambda x: f(x, differences.minimiser(m, g, x)), zero)
    assert abs(by_values - attained.slope(m, v)) <= abs(by_values) * m.real("1e-9")
    moved = (differences.approximate(m, f, g, zero, y) - differences.approximate(m, f, g, zero, zero)) / y
    assert abs(moved - attained.inexactness(m, v)) <= (abs(moved) + 1) * m.real("1e-9")


@pytest.mark.parametrize(
    "weights",
    [
        attained.Weights(p=Fraction(1), q=Fraction(1), H=Fraction(3)),
        attained.Weights(p=Fraction(2), q=Fraction(1), H=Fraction(1), k=Fraction(100), gamma=Fraction(100)),
    ],
)
def test_enclosures_of_neighbours_agree_with_differences_of_values(weights):
    ball = arb(256)
    at = attained.instance(weights, attained.SCALE, attained.SCALE, n=str(attained.MANY))
    v = {name: ball.real(value) for name, value in at.items()}
    for of, enclosed in (
        ("gradient", attained.gradient_change),
        ("record", attained.record_gradient),
        ("response", attained.response_change),
    ):
        _, by_values = differences.change(weights, of)
        found = enclosed(ball, v)
        assert abs(float(found.mid()) / float(by_values) - 1) < 1e-12
        assert float(found.rad()) <= 1e-12 * float(by_values)


def test_the_aligned_problems_keep_their_constants():
    """Second and third derivatives of g by differences, at random points on the problem's scale."""
    m, random = mp(differences.DIGITS), Random(3)
    v = differences.given(m, attained.Weights(), 1 / attained.SCALE)
    f, g = differences.losses(m, v, 1 / v["scale"])
    h, slack = m.real("1e-30"), m.real("1.0000001")

    def mixed(x, y):
        return (g(x + h, y + h) - g(x + h, y - h) - g(x - h, y + h) + g(x - h, y - h)) / (4 * h**2)

    for _ in range(40):
        x, y = (v["scale"] * m.real(random.uniform(-7, 7)) for _ in range(2))
        bent = differences.bend(m, lambda t, x=x: g(x, t), y)
        assert v["mu_g"] / slack <= bent <= v["beta_gyy"] * slack
        assert abs(mixed(x, y)) <= v["beta_gxy"] * slack
        step = m.real("1e-18")
        assert abs(mixed(x, y + step) - mixed(x, y)) <= v["C_gxy"] * step * slack
        assert abs(mixed(x + step, y) - mixed(x, y)) <= v["M_gxy"] * step * slack
        assert abs(differences.bend(m, lambda t, x=x: g(x, t), y + step) - bent) <= v["C_gyy"] * step * slack
        assert abs(differences.derivative(m, lambda t, x=x: f(x, t), y)) <= v["L_fy"] * slack


def searched(seed: int, share: float) -> bool:
    """Whether a pair of neighbours among random quadratics, d_x and d_y above 1, moves the gradient beyond share 2K/n, an
    inexact minimiser barF beyond share C, or a step in x the gradient beyond share beta_Phi."""
    random, rng = Random(seed), np.random.default_rng(seed)
    parts = quadratic_spec.any_records(random)
    while len(parts["b"][0]) == 1 or len(parts["b"]) < 5:
        parts = quadratic_spec.any_records(random)
    universe = quadratic.Records(*(parts[name] for name in quadratic_spec.NAMES))
    constants, radius = quadratic.constants_of(universe, 1.0)
    n, found = 2, False
    for _ in range(30):
        data = rng.integers(5, size=n)
        other = data.copy()
        other[0] = rng.integers(5)
        pair = [quadratic.problem(universe.part(chosen), constants, radius, 1.0) for chosen in (data, other)]
        d_x, d_y = pair[0].d_x, pair[0].d_y
        x = into_radius(rng.normal(size=d_x), 1.0)
        y = [np.linalg.solve(p.lower_yy(x, np.zeros(d_y)), -p.lower_y(x, np.zeros(d_y))) for p in pair]
        exact = [hypergradient(p, x, t) for p, t in zip(pair, y, strict=True)]
        found |= bool(np.linalg.norm(exact[0] - exact[1]) > share * 2 * constants.K / n)
        away = into_radius(y[0] + rng.normal(size=d_y), radius)
        off = np.linalg.norm(hypergradient(pair[0], x, away) - exact[0])
        found |= bool(off > share * constants.C * np.linalg.norm(away - y[0]) * (1 + 1e-9))
        x2 = into_radius(rng.normal(size=d_x), 1.0)
        y2 = np.linalg.solve(pair[0].lower_yy(x2, y[0]), -pair[0].lower_y(x2, np.zeros(d_y)))
        slope = np.linalg.norm(hypergradient(pair[0], x2, y2) - exact[0])
        found |= bool(slope > share * constants.beta_Phi * np.linalg.norm(x2 - x) * (1 + 1e-9))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_no_neighbours_are_found_beyond_the_constants(seed: int):
    assert not searched(seed, 1.0)


def test_the_search_finds_constants_that_are_too_small():
    assert sum(searched(seed, 0.05) for seed in range(8)) >= 4


def test_the_formulas_are_those_of_the_library():
    """The constants that a fast problem derives are the printed formulas, rounded up."""
    m = mp(50)
    random = Random(5)
    parts = quadratic_spec.any_records(random)
    constants, _ = quadratic.constants_of(quadratic.Records(*(parts[name] for name in quadratic_spec.NAMES)), 2.0)
    values = {name: m.real(value) for name, value in vars(constants).items()} | {"n": m.real(1)}
    for id, name, derived in (
        ("bilevel/eq-11", "C", constants.C),
        ("bilevel/eq-20", "K", constants.K),
        ("bilevel/eq-20", "L_bar", constants.L_bar),
        ("bilevel/lem-C.2", "beta_Phi", constants.beta_Phi),
    ):
        exact = apply(find(id).formulas[name], m, values)
        assert exact <= m.real(derived) <= exact * m.real("1.00000001")
