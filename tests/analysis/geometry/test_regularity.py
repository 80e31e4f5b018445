"""Norms and mirror maps in every room, strong convexity by search, and the judge of regular spaces and their potentials."""

import math
from dataclasses import replace
from itertools import product

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.analysis.geometry.regular_sums import FROM
from dpsco.fast.analysis.geometry import regularity as fast
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate
from dpsco.reference.analysis.geometry import regularity as reference
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.regression.regress import compare
from dpsco.spec.analysis.geometry import regularity as spec
from dpsco.spec.domain import Integers, Interval
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Severity, Verdict, fold

LARGEST_ERROR = {"norm": 4.0, "mirror": 12.0, "inverse_mirror": 12.0, "bregman": 12.0}
numbers = st.floats(-100, 100).filter(lambda x: x == 0 or abs(x) > 1e-6)
indices = st.floats(1.1, 8)
weights = st.floats(0.1, 10)


@pytest.mark.parametrize("name", sorted(LARGEST_ERROR))
def test_fast_matches_reference(name: str):
    found = compare(getattr(spec, name), getattr(fast, name), getattr(reference, name), samples=40)
    assert found.largest <= LARGEST_ERROR[name]


def test_a_slightly_wrong_index_would_be_seen():
    def wrong(x: object, kappa: float, index: float) -> object:
        return fast.mirror(x, kappa, index * (1 + 1e-14))

    assert compare(spec.mirror, wrong, reference.mirror, samples=20).largest > LARGEST_ERROR["mirror"]


@given(st.lists(numbers, min_size=1, max_size=12), weights, indices)
def test_inverse_mirror_inverts(x: list[float], kappa: float, index: float):
    gradient = fast.mirror(x, kappa, index)
    back = fast.inverse_mirror(gradient, kappa, index)
    assert np.max(np.abs(back - x)) <= 1e-12 * max(map(abs, x))
    dual = index / (index - 1)
    assert fast.norm(gradient, dual) == pytest.approx(kappa * fast.norm(x, index), rel=1e-13)


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=8), weights, indices)
def test_mirror_is_the_gradient_and_the_divergence_is_convexity(pairs: list[tuple[float, float]], kappa: float, index: float):
    x, z = (list(side) for side in zip(*pairs, strict=True))
    m = mp(40)
    value, size = reference.bregman(m, [m.real(a) for a in x], [m.real(a) for a in z], m.real(kappa), m.real(index))
    assert value >= -m.real("1e-35") * (size + 1)
    slope = reference.mirror(m, [m.real(a) for a in z], m.real(kappa), m.real(index))
    for j, entry in enumerate(z):
        if entry != 0:
            moved = [[m.real(a) + sign * m.real("1e-15") * (i == j) for i, a in enumerate(z)] for sign in (1, -1)]
            up, down = (reference.potential(m, one, m.real(kappa), m.real(index)) for one in moved)
            assert slope[j] == pytest.approx((up - down) / m.real("2e-15"), rel=1e-12)


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=12), weights, st.floats(0.1, 50))
def test_index_two_is_the_plain_case(pairs: list[tuple[float, float]], kappa: float, radius: float):
    z, slope = (np.array(side) for side in zip(*pairs, strict=True))
    plain = z - slope / kappa
    size = np.max(np.abs(z)) + np.max(np.abs(slope)) / kappa
    assert np.max(np.abs(fast.step(z, slope, kappa, 2.0) - plain)) <= 1e-12 * size
    projected = plain * min(1.0, radius / max(float(np.linalg.norm(plain)), 1e-300))
    assert np.max(np.abs(fast.step(z, slope, kappa, 2.0, radius) - projected)) <= 1e-12 * size
    assert fast.bregman(z, slope, kappa, 2.0) == pytest.approx(
        kappa / 2 * float(np.sum((z - slope) ** 2)), rel=1e-12, abs=1e-12 * (size * kappa) ** 2 + 1e-12 * size**2 * kappa
    )


@given(st.lists(st.tuples(numbers, numbers), min_size=2, max_size=5), indices, st.floats(0.2, 5), st.integers(0, 10**6))
def test_step_is_least_on_its_ball(pairs: list[tuple[float, float]], index: float, radius: float, seed: int):
    z, slope = (np.array(side) / 50 for side in zip(*pairs, strict=True))
    found = fast.step(z, slope, 1.3, index, radius)
    assert fast.norm(found, index) <= radius * (1 + 1e-12)
    m = mp(30)
    exact = reference.step(m, list(map(m.real, z)), list(map(m.real, slope)), m.real(1.3), m.real(index), m.real(radius))
    assert np.max(np.abs(found - np.array([float(a) for a in exact]))) <= 1e-9

    def objective(x: np.ndarray) -> float:
        return float(slope @ x) + fast.bregman(x, z, 1.3, index)

    random = np.random.Generator(np.random.Philox(seed))
    least = objective(found)
    for step in (1.0, 0.1, 1e-3):
        for move in random.standard_normal((8, z.size)):
            other = found + step * move
            other *= min(1.0, radius / fast.norm(other, index))
            assert objective(other) >= least - 1e-9 * (1 + abs(least))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: fast.norm([1.0], 0.5), "index=0.5"),
        (lambda: fast.norm([1.0], math.nan), "index=nan"),
        (lambda: fast.norm([], 2.0), "at least one"),
        (lambda: fast.norm([math.nan], 2.0), "finite"),
        (lambda: fast.mirror([1.0], 1.0, 1.0), r"index=1\.0"),
        (lambda: fast.mirror([1.0], 1.0, math.inf), "index=inf"),
        (lambda: fast.inverse_mirror([1.0], 0.0, 2.0), r"kappa=0\.0"),
        (lambda: fast.bregman([1.0], [1.0, 2.0], 1.0, 2.0), "one length"),
        (lambda: fast.step([1.0], [1.0], 1.0, 2.0, 0.0), r"radius=0\.0"),
        (lambda: fast.step([1.0], [1.0, 1.0], 1.0, 2.0), "one length"),
        (lambda: fast.potential_of(0.5, 2), "p=0.5"),
        (lambda: fast.potential_of(math.nan, 2), "p=nan"),
        (lambda: fast.potential_of(1.5, 0), "d=0"),
    ],
)
def test_what_has_no_answer_is_refused(call: object, says: str):
    with pytest.raises(ValueError, match=says):
        call()  # type: ignore[operator]


def least_curvature(weight: float, index: float, p: float, d: int, seed: int) -> float:
    """Smallest h'Hh / |h|_p^2 found for H the Hessian of (weight/2) |x|^2, from many starts, by coordinate search."""
    random = np.random.Generator(np.random.Philox(seed))

    def ratio(v: np.ndarray) -> float:
        x, h = np.abs(v[:d]) + 1e-12, v[d:]
        x = x / np.sum(x**index) ** (1 / index)
        form = (2 - index) * np.sum(x ** (index - 1) * h) ** 2 + (index - 1) * np.sum(x ** (index - 2) * h**2)
        return float(weight * form / np.sum(np.abs(h) ** p) ** (2 / p))

    best = math.inf
    starts = [np.concatenate([np.ones(d), np.resize([1.0, -1.0], d)]), *random.standard_normal((10, 2 * d))]
    for v in starts:
        now, size = ratio(v), 0.5
        while size > 1e-4:
            moves = v + size * random.standard_normal((25, 2 * d))
            values = [ratio(move) for move in moves]
            place = int(np.argmin(values))
            if values[place] < now:
                v, now = moves[place], values[place]
            else:
                size /= 2
        best = min(best, now)
    return best


@pytest.mark.parametrize(("p", "d"), [(1.75, 2), (1.5, 3), (1.2, 6), (1.001, 2), (1.001, 8)])
def test_search_does_not_break_the_amended_potential(p: float, d: int):
    m = mp(30)
    weight, index = (float(f(m, p=m.real(p), d=m.real(d))) for f in (spec.kappa_amended, spec.kappa_plus_amended))
    assert float(reference.modulus(m, m.real(weight), m.real(index), m.real(p), m.real(d))) >= 1 - 1e-12
    assert least_curvature(weight, index, p, d, 7) >= 1 - 1e-9


@pytest.mark.parametrize(("p", "d"), [(1.75, 2), (1.4, 10), (1.001, 4)])
def test_search_breaks_the_printed_potential(p: float, d: int):
    """The negative control of the search, and a second computation for the refutation of lp/phi."""
    kappa = min(1 / (p - 1), 2 * math.log(d))
    assert least_curvature(kappa, kappa / (kappa - 1), p, d, 7) < 0.99


@given(st.one_of(st.just(1.0), st.floats(1.0001, 1.9999)), st.integers(2, 10**6))
def test_potential_of_each_space_is_strongly_convex(p: float, d: int):
    m = mp(30)
    kappa, index = fast.potential_of(p, d)
    assert (kappa, index) == pytest.approx(tuple(map(float, reference.potential_of(m, m.real(p), m.real(d)))), rel=1e-9)
    assert p <= index <= 2
    assert float(reference.modulus(m, m.real(kappa), m.real(index), m.real(p), m.real(d))) == pytest.approx(1, rel=1e-9)
    assert kappa <= 2 * math.e * math.log(d) * (1 + 1e-12)


@pytest.mark.parametrize(("p", "d"), [(1.0, 1), (1.0, 2), (1.0, 3), (1.0, 8), (1.5, 1), (2.0, 5), (3.0, 4), (math.inf, 9)])
def test_potentials_at_the_ends(p: float, d: int):
    """p = 1 and p = inf, one and two dimensions, where ln d is 0 or below 1: no curvature below 1 along any direction."""
    kappa, index = fast.potential_of(p, d)
    if p <= 2:
        assert least_curvature(kappa, index, p, d, 5) >= 1 - 1e-9
    else:
        assert (kappa, index) == (1.0, 2.0)  # |h|_p <= |h|_2


@given(st.floats(1.001, 1.999), st.integers(2, 10**6))
def test_smooth_norm_has_the_amended_constant(p: float, d: int):
    """(r - 1) d^(2/r - 2/q) <= kappa, the lemma's inequality, enclosed at points."""
    m = arb()
    q, r = m.real(p) / (m.real(p) - 1), spec.smooth_index(m, p=m.real(p), d=m.real(d))
    constant = reference.smoothness(m, m.real(1), r) * m.real(d) ** (2 / r - 2 / q)
    assert m.gt(constant, spec.kappa_amended(m, m.real(p), m.real(d))) is not True


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=6), st.floats(2, 12))
def test_squares_of_norms_are_smooth(pairs: list[tuple[float, float]], index: float):
    """|x + y|^2 <= |x|^2 + <grad, y> + (index - 1) |y|^2; without the factor it fails."""
    x, y = (np.array(side) for side in zip(*pairs, strict=True))
    right = fast.norm(x, index) ** 2 + 2 * float(fast.mirror(x, 1.0, index) @ y) + (index - 1) * fast.norm(y, index) ** 2
    assert fast.norm(x + y, index) ** 2 <= right * (1 + 1e-12) + 1e-9


def test_smoothness_needs_its_factor():
    x, y, index = np.array([1.0, 1.0]), np.array([0.5, -0.5]), 9.0
    assert fast.norm(x + y, index) ** 2 > fast.norm(x, index) ** 2 + fast.norm(y, index) ** 2 * 2


@pytest.mark.parametrize("levels", [2, 3, 4])
def test_trees_by_listing_all_signs(levels: int):
    """The largest entry of the sum is the number of steps, whatever the signs: a second computation of the tree's bound."""
    d = 2 ** (levels - 1)
    for signs in product((-1, 1), repeat=levels):
        total = np.zeros(d, dtype=int)
        for i, sign in enumerate(signs):
            largest = np.flatnonzero(np.abs(total) == i)
            step = np.ones(d, dtype=int)
            step[largest] = np.where(total[largest] >= 0, 1, -1)
            step[largest[len(largest) // 2 :]] *= 1 if i == 0 else -1
            total = total + sign * step
        assert np.max(np.abs(total)) == levels
    m = mp(30)
    assert reference.tree_bound(m, m.real("1.5"), levels) == pytest.approx(levels / d ** (2 / 3), rel=1e-15)


@pytest.mark.parametrize(("rate", "z"), [(1e-3, 7.0), (0.02, 3.9), (0.3, 0.5)])
def test_survival_is_kummers_function(rate: float, z: float):
    m = arb(128)
    low = float(reference.survival(m, m.real(rate), m.real(z)).mid())
    assert low == pytest.approx(float(mpmath.hyp1f1(-rate, 0.5, z)), rel=1e-10)


def decay(y: float, size: int = 600) -> float:
    """Rate at which t -> B_t/sqrt t, with log t as time, leaves (-y, y): finite differences, a second computation."""
    x = np.linspace(-y, y, size + 2)[1:-1]
    h = x[1] - x[0]
    upper, lower = (0.5 / h**2 - sign * x[:size] / (4 * h) for sign in (1, -1))
    generator = np.diag(np.full(size, -1 / h**2)) + np.diag(upper[:-1], 1) + np.diag(lower[1:], -1)
    return float(-np.max(np.linalg.eigvals(generator).real))


def test_stopped_sums_ask_for_more_than_the_logarithm():
    """At y^2 = 2 ln d + 0.2, d = 1000, all coordinates leave faster than 1/T; at a far level they do not."""
    y = math.sqrt(2 * math.log(1000) + 0.2)
    assert 1000 * decay(y) > 1.01
    assert 1000 * decay(y + 0.5) < 1
    assert decay(1.0) == pytest.approx(1.0, abs=1e-3)  # 1 - x^2 is the eigenfunction
    m = arb()
    assert m.gt(reference.excess_of_exponential(m, m.log(m.real(FROM))), m.real(0)) is True
    assert m.gt(reference.excess_of_exponential(m, m.log(m.real(FROM - 1))), m.real(0)) is not True


def test_regularity_is_refuted_in_small_and_in_large_dimensions():
    judgement = judge("lp/regular")
    assert (judgement.verdict, judgement.severity) == (Verdict.REFUTED, Severity.CONSTANT)
    refuted = [f for f in judgement.findings if f.verdict is Verdict.REFUTED]
    assert {"2 dimensions", "4 dimensions"} < {f.scope for f in refuted}
    assert any("every dimension" in f.scope for f in refuted)
    for finding in refuted:
        assert finding.computed is not None
        assert finding.claimed is not None
        assert float(finding.claimed) < float(finding.computed[0])
    assert any(f.verdict is Verdict.CERTIFIED for f in judgement.findings)  # the two forms of kappa


def test_potential_is_refuted_in_each_branch():
    judgement = judge("lp/phi")
    assert (judgement.verdict, judgement.proof) == (Verdict.STATED, Proof.BROKEN)
    printed = [f for f in judgement.findings if f.reading is Reading.PRINTED]
    assert len({f.scope for f in printed}) == 3
    assert any(f.reading is Reading.ANOTHER for f in judgement.findings)


@pytest.mark.parametrize("id", ["lp/regular-amended", "lp/phi-amended"])
def test_amendments_are_certified_and_their_mutants_die(id: str):
    judgement = judge(id)
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) >= 3
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(judgement.mutants)


@pytest.mark.parametrize("id", ["lp/regular-amended", "lp/phi-amended"])
def test_a_wider_domain_is_not_certified(id: str):
    """On the line kappa is 0; p above 2 has no such potential."""
    claim, decide = find(id), judge_of(id)
    assert decide is not None
    wide = {"d": Integers(1)} if id.startswith("lp/regular") else {"p": Interval("1", "3")}
    moved = replace(claim, parameters=tuple(q.within(wide.get(q.name, q.domain)) for q in claim.parameters))
    assert fold(decided(moved, decide)) is Verdict.OPEN


def test_indices_and_entries_at_the_ends_of_the_doubles():
    assert fast.inverse_mirror([1.0, 0.5, 0.99999], 1.0, 1.0001)[1:] == pytest.approx([0.0, 0.47508416], rel=1e-6)
    assert fast.mirror([1.0, 0.9999], 1.0, 1050) == pytest.approx([0.5268711349406258, 0.47439995250189393], rel=1e-12)
    assert fast.norm([1.0, 1.0], 1050) == pytest.approx(2 ** (1 / 1050), rel=1e-15)
    assert fast.mirror([1e-320, 1e308], 1.0, 1.01) == pytest.approx([5.248074018235881e301, 1e308], rel=1e-12)
    assert fast.bregman([1e153], [-1e153], 1.0, 1.5) == pytest.approx(2e306, rel=1e-12)
    with pytest.raises(ValueError, match="beyond the doubles"):
        fast.bregman([1e200], [-1e200], 1.0, 1.5)
