"""Evaluation errors and mixing: enumerated chains, the lemmas on random instances, each refutation a second time."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.reference.algorithms.grid_walk import mixing
from dpsco.reference.algorithms.grid_walk.walk import states
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.grid_walk.mixing import evolving_set_bound, log_distance_bound, mixing_rate
from dpsco.spec.algorithms.grid_walk.walk import sufficient_steps
from dpsco.spec.claim import Relation
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict, fold

GRIDS = ((1, 2), (1, 5), (2, 2), (2, 3))
grids = st.sampled_from(GRIDS)
seeds = st.integers(0, 10**9)


def chain(values, d, cells):
    m = arb()
    f = [m.real(v) for v in values]
    return mixing.transitions(m, f, d, cells), mixing.stationary(m, f)


def phi_of(values, d, cells):
    return float(mixing.conductance(arb(), *chain(values, d, cells)).mid())


def convex(random, d, cells, slope):
    """A maximum of affine functions, slope at most `slope` a cell in the maximum norm."""
    rows = [np.array([random.gauss(0, 1) for _ in range(d)]) for _ in range(3)]
    rows = [row * slope / max(abs(row).sum(), 1e-9) for row in rows]
    shift = [random.gauss(0, slope * cells / 4) for _ in rows]
    middle = (cells - 1) / 2
    return [max(float(a @ (np.array(x) - middle)) + b for a, b in zip(rows, shift, strict=True)) for x in states(d, cells)]


@settings(max_examples=20)
@given(grids, seeds)
def test_conductance_by_all_sets(grid, seed):
    """Doubles over every set of mass at most one half, connected or not."""
    (d, cells), random = grid, Random(seed)
    values = [random.gauss(0, 1) for _ in range(cells**d)]
    P, q = chain(values, d, cells)
    p, mass = np.array([[float(x.mid()) for x in row] for row in P]), np.array([float(x.mid()) for x in q])
    everything, least = set(range(len(q))), math.inf
    for size in range(1, len(q)):
        for chosen in combinations(everything, size):
            inside, outside = list(chosen), list(everything - set(chosen))
            if mass[inside].sum() <= 0.5:
                least = min(least, (mass[inside] @ p[np.ix_(inside, outside)]).sum() / mass[inside].sum())
    assert phi_of(values, d, cells) == pytest.approx(least, rel=1e-12)
    assert np.allclose(mass @ p, mass)  # stationary
    assert np.allclose(mass[:, None] * p, (mass[:, None] * p).T)  # reversible
    assert np.all(np.diag(p) >= 0.5)  # lazy


@settings(max_examples=30)
@given(grids, seeds, st.floats(0.01, 3))
def test_conductance_falls_by_two_zeta_at_most(grid, seed, zeta):
    """Errors at the ends of their range, on rough f; the amendment's e^{-6 zeta} has room."""
    (d, cells), random = grid, Random(seed)
    values = [random.gauss(0, 2) for _ in range(cells**d)]
    errors = [random.choice((-zeta, zeta)) for _ in values]
    before, after = phi_of(values, d, cells), phi_of([a + b for a, b in zip(values, errors, strict=True)], d, cells)
    assert after >= math.exp(-2 * zeta) * before * (1 - 1e-12)


def test_the_factor_is_approached():
    """Negative control: with e^{-1.9 zeta} the bound fails."""
    zeta, cells = 3.0, 12
    after = phi_of([zeta if x in (5, 6) else -zeta for x in range(cells)], 1, cells)
    flat = phi_of([0.0] * cells, 1, cells)
    assert flat == pytest.approx(1 / 24)
    assert math.exp(-2 * zeta) * flat < after < math.exp(-1.9 * zeta) * flat


def profile(density, t):
    """g(G^{-1}(t)) times the length."""
    share = np.cumsum(density) / density.sum()
    return density[np.searchsorted(share, t)] / density.mean()


@settings(max_examples=50)
@given(seeds)
def test_isoperimetry_on_a_line(seed):
    """I(t) l >= t max(2, 1 + ln(1/t)) for log-concave densities; a density with two modes violates it."""
    random = Random(seed)
    x = np.linspace(0, 1, 20001)
    f = max((random.gauss(0, 10) * x + random.gauss(0, 3) for _ in range(4)), key=lambda one: one.max())
    f = np.maximum(f, random.gauss(0, 30) * (x - random.random()))
    density = np.exp(-(f - f.min()))
    two_modes = np.exp(10 * np.abs(x - 0.5))
    for t in (0.001, 0.1, 1 / math.e, 0.5):
        assert profile(density, t) >= t * max(2, 1 + math.log(1 / t)) * (1 - 1e-2)
    assert profile(two_modes, 0.5) < 0.5


@settings(max_examples=25)
@given(grids, seeds, st.sampled_from((0.01, 0.3, 1.0, 3.0)))
def test_conductance_of_convex_functions(grid, seed, slope):
    """gamma/(2 d tau) e^{-alpha gamma} on enumerated chains."""
    d, cells = grid
    assert phi_of(convex(Random(seed), d, cells, slope), d, cells) >= math.exp(-slope) / (2 * d * cells)


def test_convexity_is_needed():
    assert phi_of([-abs(x - 5.5) * 2 for x in range(12)], 1, 12) < math.exp(-2) / 24


@settings(max_examples=15)
@given(grids, seeds, st.sampled_from((0.05, 1.0)), st.sampled_from((0.1, 1.0)), st.sampled_from(("0.01", "0.5", "3")))
def test_sufficient_steps_are_enough(grid, seed, slope, zeta, epsilon):
    """The proved number against the exact mixing time of the perturbed walk."""
    (d, cells), random, m = grid, Random(seed), arb()
    values = [f + random.choice((-zeta, zeta)) for f in convex(random, d, cells, slope)]
    exact = mixing.steps_to(m, *chain(values, d, cells), m.real(epsilon))
    at = {"epsilon_mix": epsilon, "alpha": slope, "tau": cells, "d": d, "zeta": zeta, "cells": cells}  # gamma = 1
    assert m.le(m.real(exact), sufficient_steps(m, **{name: m.real(v) for name, v in at.items()})) is True


def test_exact_mixing_time_is_the_least():
    m = arb()
    P, q = chain([0.0, 1.0, 0.3, 2.0], 1, 4)
    for epsilon in ("0.001", "0.5", "5"):
        t = mixing.steps_to(m, P, q, m.real(epsilon))
        assert m.le(mixing.exact_distance(m, P, q, t), m.real(epsilon)) is True
        assert t == 0 or m.gt(mixing.exact_distance(m, P, q, t - 1), m.real(epsilon)) is True
    with pytest.raises(ValueError, match="steps=-1"):
        mixing.exact_distance(m, P, q, -1)
    with pytest.raises(ValueError, match="near has 19 states"):
        list(mixing.connected_sets([[]] * 19))


@settings(max_examples=20)
@given(seeds, st.sampled_from((3, 5, 8)), st.sampled_from(("1e-6", "0.3", "2", "10")))
def test_evolving_sets_bound_on_random_chains(seed, size, epsilon):
    """Lazy reversible chains with random weights on all pairs, their least conductance in the amended bound."""
    random, m = Random(seed), arb()
    w = [[0.0] * size for _ in range(size)]
    for x, y in combinations(range(size), 2):
        w[x][y] = w[y][x] = 10 ** random.uniform(-2, 0)
    most = max(map(sum, w))
    mass = [random.choice((1, 4)) * most for _ in range(size)]
    P = [[m.real(w[x][y]) / m.real(2 * mass[x]) for y in range(size)] for x in range(size)]
    for x, row in enumerate(P):
        row[x] = 1 - sum(row)
    q = [m.real(a) / m.real(sum(mass)) for a in mass]
    phi, least = mixing.conductance(m, P, q), m.min(*q)
    steps = mixing.steps_to(m, P, q, m.real(epsilon))
    assert m.le(m.real(steps), log_distance_bound(m, epsilon_any=m.real(epsilon), pi_star=least, phi=phi)) is True
    if m.le(m.real(epsilon), 1) is True:  # the printed limit 4/epsilon
        assert m.le(m.real(steps), evolving_set_bound(m, epsilon_mix=m.real(epsilon), pi_star=least, phi=phi)) is True


def test_the_printed_limit_is_enough_up_to_one():
    """The two inequalities of `epsilon up to 1`, in doubles over p <= 1/2 and pi* <= 1/2; at epsilon = 3 one of them fails."""
    for epsilon in np.linspace(1e-3, 1, 200):
        share = math.log(-math.expm1(-epsilon) / epsilon**2)
        assert math.log(8) + share >= 2 * 0.5**2
        assert math.log(2) + share >= 0.5**2 / 2
    assert math.log(2) + math.log(-math.expm1(-3) / 9) < 0.5**2 / 2


def test_root_of_an_evolving_set():
    """(sqrt(1 + 2p) + sqrt(1 - 2p))/2 <= 1 - p^2/2 on [0, 1/2]: its square is (1 + sqrt(1 - 4 p^2))/2 <= 1 - p^2."""
    for k in range(501):
        p = Fraction(k, 1000)
        assert 1 - 4 * p**2 <= (1 - 2 * p**2) ** 2
        assert 1 - p**2 <= (1 - p**2 / 2) ** 2


def test_two_states_need_more_steps_than_printed():
    """Exact rationals against e^-2 from both sides: seven steps are not enough, eight are; printed is one."""
    share = [Fraction(49, 50) ** t for t in (1, 7, 8)]
    low, high = Fraction(1353352832, 10**10), Fraction(1353352833, 10**10)  # e^-2 = 0.13533528323...
    assert 1 - share[0] < low
    assert 1 - share[1] < low
    assert 1 - share[2] > high
    m = mp(20)
    assert find("bilevel/lem-B.11").formulas["bound"](m, epsilon_mix=m.real(2), pi_star=m.frac(1, 2), phi=m.frac(1, 100)) == 1


def test_least_error_of_densities():
    """Two cells of a discretised density with errors: quadrature by sums, and the limit 2 zeta."""
    zeta = 1.5
    for share in (0.5, 1e-3, 1e-7):
        F = np.array([share, 1 - share])
        moved = F * np.exp([zeta, -zeta])
        distance = np.abs(np.log(moved / moved.sum() / F)).max()
        assert distance <= 2 * zeta
    assert distance > 1.999 * zeta


def test_proved_steps_stay_within_a_multiple_of_the_rate():
    """The lemmas on two, three and more cells, searched: the quotient stays below 512."""
    m, random = mp(20), Random(4)
    largest = 0.0
    for _ in range(3000):
        d, cells = random.choice((1, 2, 3, 9, 10**3, 10**6)), random.choice((2, 3, 4, 10, 10**4, 10**8))
        a, zeta = 1 + random.choice((0.0, 10 ** random.uniform(-2, 3))), 10 ** random.uniform(-4, 2)
        epsilon = 2 * a * math.sqrt(d) / cells
        given = {"epsilon_mix": epsilon, "alpha": a, "tau": 1.0, "d": d, "zeta": zeta}
        at = {name: m.real(v) for name, v in given.items()}
        largest = max(largest, float(sufficient_steps(m, **at, cells=m.real(cells)) / mixing_rate(m, **at)))
    assert 300 < largest < 512


@pytest.mark.parametrize(
    ("id", "verdict", "severity"),
    [
        ("bilevel/lem-3.5", Verdict.CERTIFIED, None),
        ("bilevel/lem-B.11", Verdict.REFUTED, Severity.DOMAIN),
        ("bilevel/lem-3.6", Verdict.CERTIFIED, None),
        ("bilevel/lem-3.7", Verdict.CERTIFIED, None),
        ("bilevel/lem-3.5-amended", Verdict.CERTIFIED, None),
        ("bilevel/lem-B.11-amended", Verdict.CERTIFIED, None),
    ],
)
def test_verdicts(id, verdict, severity):
    found = judge(id)
    assert (found.verdict, found.severity) == (verdict, severity)
    if verdict is Verdict.CERTIFIED:
        assert len(found.mutants[Fate.KILLED]) >= 3
        assert not {Fate.SURVIVED, Fate.UNKNOWN, Fate.TRUE} & {*found.mutants}


@pytest.mark.parametrize("id", ["bilevel/lem-3.6", "bilevel/lem-3.7", "bilevel/lem-3.5-amended", "bilevel/lem-B.11-amended"])
def test_judge_reads_conditions(id):
    claim, decide = find(id), judge_of(id)
    for number in range(len(claim.preconditions)):
        fewer = replace(claim, preconditions=claim.preconditions[:number] + claim.preconditions[number + 1 :])
        assert fold(decided(fewer, decide)) is not Verdict.CERTIFIED
    assert fold(decided(replace(claim, over=("some f",)), decide)) is not Verdict.CERTIFIED


def test_judge_reads_signs_and_formulas():
    density = find("bilevel/lem-3.6")
    turned = replace(density, asserts=(*density.asserts[:2], Relation("log_distance", ">=", "bound")))
    assert fold(decided(turned, judge_of(density.id))) is Verdict.REFUTED
    walk = find("bilevel/lem-3.7")
    wide = with_formula(walk, "spacing", lambda m, epsilon_mix, alpha, d: 8 * epsilon_mix / (alpha * m.sqrt(d)))
    assert fold(decided(wide, judge_of(walk.id))) is not Verdict.CERTIFIED
    assert fold(decided(scaled(walk, "rate", 1, 1000), judge_of(walk.id))) is Verdict.CERTIFIED  # a constant is hidden
    chains = find("bilevel/lem-B.11-amended")
    assert fold(decided(scaled(chains, "bound", 1, 2), judge_of(chains.id))) is Verdict.OPEN


def test_readings_of_the_distance():
    """At t = 0 the relative distance of two states is 1 <= 4: no step, and the printed bound is below -1."""
    beside = [f for f in judge("bilevel/lem-B.11").findings if f.reading is not Reading.PRINTED]
    assert [f.verdict for f in beside if f.reading is Reading.MEANT] == [Verdict.CERTIFIED]
    assert beside[0].computed == ("0", "0")
    m = mp(20)
    for p in (m.frac(1, 100), m.frac(1, 2)):
        assert find("bilevel/lem-B.11").formulas["bound"](m, epsilon_mix=m.real(4), pi_star=m.frac(1, 2), phi=p) < -1


@settings(max_examples=30)
@given(grids, seeds, st.floats(0.01, 3))
def test_steps_of_the_proof(grid, seed, zeta):
    """Transitions, masses and the lesser masses move by e^{2 zeta} at most, flows fall by e^{-2 zeta} at most."""
    (d, cells), random = grid, Random(seed)
    values = [random.gauss(0, 2) for _ in range(cells**d)]
    moved = [v + random.choice((-zeta, zeta)) for v in values]
    (P, q), (P2, q2) = (
        tuple(np.array(part) for part in ([[float(x.mid()) for x in row] for row in a], [float(x.mid()) for x in b]))
        for a, b in (chain(values, d, cells), chain(moved, d, cells))
    )
    inside = np.array([random.random() < 0.5 for _ in values])
    near, factor = (P > 0) & ~np.eye(len(q), dtype=bool), math.exp(2 * zeta) * (1 + 1e-9)
    assert np.all((P2[near] <= factor * P[near]) & (P[near] <= factor * P2[near]))
    assert np.all((q2 <= factor * q) & (q <= factor * q2))
    assert min(q2[inside].sum(), q2[~inside].sum()) <= factor * min(q[inside].sum(), q[~inside].sum())
    flows = [(a[:, None] * b)[np.ix_(inside, ~inside)].sum() for a, b in ((q, P), (q2, P2))]
    assert flows[0] <= factor * flows[1]


@pytest.mark.parametrize(
    ("name", "factor"),
    [("factor_low", -1), ("factor_high", 1), ("flow_factor", -1)],
)
def test_steps_are_read(name, factor):
    """A factor moved to e^{+-zeta} is refuted, one of e^{+-2 zeta} is not."""
    claim = find("bilevel/lem-3.5-amended")
    less = with_formula(claim, name, lambda m, zeta: m.exp(factor * zeta))
    assert fold(decided(less, judge_of(claim.id))) is Verdict.REFUTED
    same = with_formula(claim, name, lambda m, zeta: m.exp(2 * factor * zeta))
    assert fold(decided(same, judge_of(claim.id))) is Verdict.CERTIFIED
