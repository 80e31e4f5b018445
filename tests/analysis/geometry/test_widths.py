"""Gaussian widths, second moments of support functions and Minkowski norms in every room, and their judge."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.analysis.geometry.support_moments import ANY_SET
from dpsco.fast.analysis.geometry import regularity
from dpsco.fast.analysis.geometry import widths as fast
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled
from dpsco.mutants.analysis.geometry.widths import mean_maximum, mean_norm
from dpsco.reference.analysis.geometry import widths as reference
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.regression.regress import compare
from dpsco.spec.analysis.geometry import widths as spec
from dpsco.spec.register import find
from dpsco.verdict import Severity, Verdict, fold

LARGEST_ERROR = {"ball_width": 3.0, "sampled_width": 3.0, "minkowski": 3.0, "least_distance": 3.0}
BOX = ([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]], [3.0, 3.0, 0.5, 0.5])
small = st.floats(-50, 50)


@pytest.mark.parametrize("name", sorted(LARGEST_ERROR))
def test_fast_matches_reference(name: str):
    found = compare(getattr(spec, name), getattr(fast, name), getattr(reference, name), samples=60)
    assert found.largest <= LARGEST_ERROR[name]


def test_a_slightly_wrong_width_would_be_seen():
    def wrong(d: int) -> float:
        return fast.ball_width(d) * (1 + 1e-15)

    assert compare(spec.ball_width, wrong, reference.ball_width, samples=20).largest > LARGEST_ERROR["ball_width"]


@pytest.mark.parametrize("d", [1, 2, 3, 9, 100, 10**6])
def test_widths_of_cross_polytope_and_simplex(d: int):
    m = arb(128)
    for exact, found, absolute in (
        (reference.cross_polytope_width(m, d), fast.cross_polytope_width(d), True),
        (reference.simplex_width(m, d), fast.simplex_width(d), False),
    ):
        assert exact.rad() < m.real("1e-20")
        assert found == pytest.approx(float(exact.mid()), rel=1e-13, abs=1e-300)
        assert float(exact.mid()) == pytest.approx(float(mean_maximum(d, absolute)), rel=1e-9, abs=1e-12)
    assert fast.simplex_width(d) <= math.sqrt(2 * math.log(d)) <= fast.cross_polytope_width(d) + 1.2


@pytest.mark.parametrize("d", [1, 2, 7, 399, 400, 401])
def test_width_of_the_ball(d: int):
    assert fast.ball_width(d) <= math.sqrt(d)
    assert fast.ball_width(d) * fast.ball_width(d + 1) == pytest.approx(d, rel=1e-14)
    if d < 10:
        assert fast.ball_width(d) == pytest.approx(float(mean_norm(d)), rel=1e-12)


def drawn(d: int, count: int, seed: int) -> np.ndarray:
    return np.random.Generator(np.random.Philox(seed)).standard_normal((count, d))


@pytest.mark.parametrize("d", [2, 5])
def test_sampled_widths_agree_within_their_margin(d: int):
    count, m = 20000, mp(30)
    normals = drawn(d, count, 3)
    margin = float(reference.concentration(m, m.real(1), count, m.real("1e-9")))
    corners = np.concatenate([np.eye(d), -np.eye(d)])
    assert abs(fast.sampled_width(normals, corners) - fast.cross_polytope_width(d)) <= margin
    assert abs(fast.sampled_width(normals, np.eye(d)) - fast.simplex_width(d)) <= margin
    # negative control: another body's width is outside the margin
    assert abs(fast.sampled_width(normals, corners) - fast.simplex_width(d)) > margin


@pytest.mark.parametrize("p", [1.2, 2.0, 5.0])
@pytest.mark.parametrize("d", [1, 4, 30])
def test_widths_of_lp_balls_are_below_jensen(p: float, d: int):
    count, m, dual = 4000, mp(30), p / (p - 1)
    mean = float(np.mean([regularity.norm(g, dual) for g in drawn(d, count, 11)]))
    radius = max(1.0, d ** (0.5 - 1 / p))
    margin = float(reference.concentration(m, m.real(radius), count, m.real("1e-9")))
    bound = float(spec.width_lp_bound(m, d=m.real(d), p=m.real(p)))
    assert mean - margin <= bound
    if d == 30:  # the bound is sharp enough to fail where it is a tenth less
        assert mean > 0.85 * bound


@given(st.lists(st.tuples(small, small), min_size=1, max_size=12))
def test_second_moments_of_polytopes_that_contain_the_origin(points: list[tuple[float, float]]):
    """E h^2 <= (1 + 2 pi) (E h)^2, exactly on a lattice of angles: in the plane h(g) = |g| h(g/|g|)."""
    vertices = np.array([*points, (0.0, 0.0)])
    angles = (np.arange(2000) + 0.5) * 2 * math.pi / 2000
    support = np.max(vertices @ np.array([np.cos(angles), np.sin(angles)]), axis=0)
    width, second = math.sqrt(math.pi / 2) * float(np.mean(support)), 2 * float(np.mean(support**2))
    m = mp(30)
    assert second <= float(reference.second_moment_constant(m, False)) * width**2 * (1 + 1e-3) + 1e-12
    even = np.maximum(support, np.roll(support, 1000))
    width, second = math.sqrt(math.pi / 2) * float(np.mean(even)), 2 * float(np.mean(even**2))
    assert second <= float(reference.second_moment_constant(m, True)) * width**2 * (1 + 1e-3) + 1e-12


def test_second_moment_of_a_far_interval():
    """A second computation of the refuting instance: C = [1 - rho, 1 + rho], 10 digits by quadrature over g."""
    rho, count = 2.0**-10, 400001
    g, step = np.linspace(-12, 12, count, retstep=True)
    density = np.exp(-(g**2) / 2) / math.sqrt(2 * math.pi)
    support = g + rho * np.abs(g)
    width, second = float(np.sum(support * density) * step), float(np.sum(support**2 * density) * step)
    assert width == pytest.approx(rho * math.sqrt(2 / math.pi), rel=1e-6)
    assert second == pytest.approx(1 + rho**2, rel=1e-9)
    assert second > 10**6 * width**2


@given(small, small, st.floats(0.1, 9), st.floats(0.1, 9))
def test_minkowski_norm_of_boxes(x: float, y: float, a: float, b: float):
    rows, offsets = BOX[0], [a, a, b, b]
    size = fast.minkowski(rows, offsets, [x, y])
    assert size == pytest.approx(max(abs(x) / a, abs(y) / b), rel=1e-15)
    assert fast.least_distance(rows, offsets) == min(a, b)
    length = math.hypot(x, y)
    assert length >= size * min(a, b) * (1 - 1e-14)
    assert size >= length / math.hypot(a, b) * (1 - 1e-14)


def test_nearly_parallel_faces_bound_and_parallel_ones_do_not():
    def slabs(*half: list[float]) -> list[list[float]]:
        return [*half, *([-a for a in row] for row in half)]

    for up in (2.0**-52, -(2.0**-53)):
        assert fast.least_distance(slabs([1.0, 1.0], [1.0, 1.0 + up]), np.ones(4)) == pytest.approx(math.sqrt(0.5), rel=1e-15)
    flat = slabs([1.0, 1.0, 0.1], [1.0, 1.0 + 2.0**-52, 0.2], [2.0, 2.0 + 2.0**-52, 0.1 + 0.2])
    assert fast.minkowski(flat, np.ones(6), [1.0, 0.0, 0.0]) == 2.0, "0.1 + 0.2 is no multiple of them among doubles"
    for rows in (slabs([1.0, 3.0], [3.0, 9.0]), slabs([1.0, 1.0, 0.0], [1.0, 1.0 + 2.0**-52, 0.0], [2.0, 2.0, 0.0])):
        with pytest.raises(ValueError, match="not bounded"):
            fast.least_distance(rows, np.ones(len(rows)))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: fast.minkowski(BOX[0], [1.0, 2.0, 1.0, 1.0], [0.0, 0.0]), "not symmetric"),
        (lambda: fast.minkowski(BOX[0], [1.0, 1.0, 0.0, 0.0], [0.0, 0.0]), "offsets"),
        (lambda: fast.minkowski(BOX[0][:2], [1.0, 1.0], [0.0, 0.0]), "not bounded"),
        (lambda: fast.minkowski(*BOX, [0.0]), "dimension"),
        (lambda: fast.minkowski(*BOX, [math.nan, 0.0]), "finite"),
        (lambda: fast.least_distance(BOX[0], [1.0, 1.0]), "offsets"),
        (lambda: fast.ball_width(0), "d=0"),
        (lambda: fast.simplex_width(1.5), r"d=1\.5"),  # type: ignore[arg-type]
        (lambda: fast.sampled_width([[1.0]], [[1.0, 2.0]]), "one dimension"),
        (lambda: fast.sampled_width([], [[1.0]]), "normals"),
    ],
)
def test_what_has_no_norm_or_width_is_refused(call: object, says: str):
    with pytest.raises(ValueError, match=says):
        call()  # type: ignore[operator]


def test_without_the_origin_it_would_be_refuted():
    claim, decide = find("lp/gaussian-width"), judge_of("lp/gaussian-width")
    assert decide is not None
    found = decided(replace(claim, over=ANY_SET), decide)
    assert fold(found) is Verdict.REFUTED
    assert {f.severity for f in found if f.verdict is Verdict.REFUTED} == {Severity.DOMAIN}


@pytest.mark.parametrize("id", ["lp/gaussian-width", "lp/lem-10"])
def test_certified_and_their_mutants_die(id: str):
    judgement = judge(id)
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) >= 3
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(judgement.mutants)


def test_judge_reads_what_it_certifies():
    claim, decide = find("lp/gaussian-width"), judge_of("lp/gaussian-width")
    assert decide is not None
    for name in ("width_l1_bound", "width_simplex_bound", "width_lp_bound", "dual_norm_rate"):
        assert fold(decided(scaled(claim, name, 3, 2), decide)) is Verdict.CERTIFIED, name
    assert fold(decided(scaled(claim, "width_l1_bound", 99, 100), decide)) is Verdict.OPEN  # neither proved nor contradicted
    inside = find("lp/lem-10")
    decide = judge_of(inside.id)
    assert decide is not None
    assert fold(decided(replace(inside, preconditions=()), decide)) is Verdict.OPEN


def test_faces_at_the_ends_of_the_doubles():
    axes = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    for size in (1e-200, 1e-160, 1e160):
        assert fast.least_distance(axes * size, [1.0] * 4) == pytest.approx(1 / size, rel=1e-15)
    assert fast.minkowski(axes, [1.0, 1.0, 1e20, 1e20], [1.0, 2.0]) == 1.0
    with pytest.raises(ValueError, match="beyond the doubles"):
        fast.minkowski(axes * 1e300, [1e-300] * 4, [1.0, 2.0])
