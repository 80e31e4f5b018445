"""The grid walk: the kernel against the literal algorithm, runs against exact laws, the verdicts on its text."""

import math
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from dpsco.arguments.algorithms.grid_walk.output_density import WALKS, density_at
from dpsco.arguments.comparing import admitted
from dpsco.fast.algorithms.grid_walk import walk as fast
from dpsco.judges.algorithms.grid_walk.walk import JUDGES
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled
from dpsco.reference.algorithms.grid_walk import mixing
from dpsco.reference.algorithms.grid_walk import walk as reference
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.algorithms.grid_walk import walk as spec
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict, fold

ID = "bilevel/grid-walk"
BUDGET = {"walk": 0.0, "sample": 4.0}
PAIRS = [(fast.walk, reference.walk, spec.walk), (fast.sample, reference.sample, spec.sample)]
RUNS, STEPS = 40_000, 6


def test_a_moved_argument_is_noticed():
    problem = {**spec.sample.generate(Random(3)), "alpha": 5.0, "least": -9.0}
    for moved in ({"low": problem["low"] + 1e-9}, {"side": problem["side"] * (1 + 1e-9)}, {"alpha": 1e-9, "least": 9.0}):
        assert error(spec.sample, reference.sample, problem, fast.sample(**problem)) <= BUDGET["sample"]
        assert error(spec.sample, reference.sample, problem, fast.sample(**{**problem, **moved})) > BUDGET["sample"]


def test_steps_by_hand():
    """Rest, up, a wall, down refused, down accepted: f = 0, ln 4, 0 on three cells."""
    m = mp(20)
    f = [m.real(0), m.log(4), m.real(0)]
    noise = [(0.49, 0.1, 0.0), (0.5, 0.1, 0.24), (0.5, 0.4, 0.9), (0.9, 0.1, 0.0), (0.5, 0.6, 0.26), (0.5, 0.6, 0.24)]
    steps = [tuple(m.real(x) for x in step) for step in noise]
    assert [int(x) for x in reference.walk(m, f, 1, 3, 0, steps)] == [0, 0, 1, 2, 2, 2, 1]
    assert reference.states(2, 2) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert reference.beside((0, 1), 0, 2) == (1, 1)
    assert reference.beside((0, 1), 2, 2) is None


def law(values, dimension, cells, steps, step=spec.transition):
    m = arb()
    P = mixing.transitions(m, [m.real(v) for v in values], dimension, cells, step)
    matrix = np.array([[float(p.mid()) for p in row] for row in P])
    return np.linalg.matrix_power(matrix, steps)[0]


def uphill(m, d, f_here, f_there):
    return m.min(m.real(1), m.exp(f_there - f_here)) / (4 * d)


@pytest.mark.parametrize(("dimension", "cells"), [(1, 5), (2, 3)])
def test_runs_have_the_exact_law(dimension, cells):
    """Pearson's statistic of the last cells; the same with a broken acceptance rule must fail."""
    values = [0.3 * k % 1.1 for k in range(cells**dimension)]
    noise = np.random.default_rng(7).random((RUNS, STEPS, 3))
    last = [fast.visit(np.array(values), dimension, cells, 0, row)[-1] for row in noise]
    counts = np.bincount(last, minlength=len(values))

    def pearson(expected):
        kept = expected * RUNS >= 5
        return float((((counts - RUNS * expected) ** 2)[kept] / (RUNS * expected[kept])).sum()), int(kept.sum()) - 1

    statistic, freedom = pearson(law(values, dimension, cells, STEPS))
    limit = freedom + 6 * math.sqrt(2 * freedom) + 12  # far beyond the 1 - 1e-6 quantile for these degrees
    assert statistic < limit
    broken, _ = pearson(law(values, dimension, cells, STEPS, uphill))
    assert broken > 10 * limit


def test_restarts_keep_the_density_that_one_attempt_has():
    """Shares of four cells among the kept points, against nu of the exact chain, and halves of the cells."""
    m = arb()
    at = {"slope_max_norm": "1", "gamma_grid": "0.5", "kappa": "2", "T": str(STEPS)}
    nu = [float(density.mid()) for density, _ in density_at(m, find(ID), at)][1::2]  # at the centres
    share = np.array(nu) * (math.exp(0.25) - math.exp(-0.25))  # nu falls like e^{-theta} within a cell
    assert share.sum() == pytest.approx(1, abs=1e-12)
    generator = np.random.default_rng(11)
    found, tries, lower = np.zeros(4), 0, 0
    slope = (np.array([[1.0]]), np.zeros(1), np.empty((0, 1)), np.empty(0), math.inf, 1.0, 0.0)
    arguments = (slope, np.zeros(4), False, 0.0, 0.0, 2.0, 4, 0)
    for _ in range(RUNS // 2):
        attempt, theta = fast.attempts(*arguments, generator.random((60, 2 + 3 * STEPS)))
        assert attempt > 0
        found[int(theta / 0.5)] += 1
        lower += theta % 0.5 < 0.25
        tries += attempt
    n = found.sum()
    assert np.all(np.abs(found - n * share) < 5 * np.sqrt(n * share * (1 - share)))
    half = math.expm1(-0.25) / math.expm1(-0.5)
    assert abs(lower - n * half) < 5 * math.sqrt(n / 4) < abs(lower - n / 2)  # a uniform point of the cell: no rejection
    assert tries / n == pytest.approx(math.e / (4 * math.sinh(0.25)), rel=0.03)  # each attempt is kept with one probability


def after(steps: int, sign: int) -> float:
    """Largest |nu - c F| at the ends of [0, 44], f = sign |theta - 22|, 440 cells, from the first: matrix powers in doubles."""
    cells, gamma = 440, 0.1
    F = np.exp(-sign * np.abs(gamma * (np.arange(cells) + 0.5) - 22))
    P = np.zeros((cells, cells))
    for x in range(cells):
        for y in {x - 1, x + 1} & set(range(cells)):
            P[x, y] = min(1, F[y] / F[x]) / 4
        P[x, x] = 1 - P[x].sum()
    law = np.linalg.matrix_power(P, steps)[0]
    density = law / law.sum() / gamma * math.exp(-sign * 0.05) / (math.sinh(0.05) / 0.05)  # at the far end of the end cells
    target = math.exp(-sign * 22) / (2 * -sign * math.expm1(-sign * 22))
    return max(abs(density[0] - target), abs(density[-1] - target))


def test_the_printed_sign_admits_a_middle_that_is_not_crossed():
    """The judge's valley, T of Section B.3.4, by another route; with the sign turned the same number of steps is enough."""
    m = mp(30)
    v = {"d": 1, "alpha": 1, "kappa": 44, "gamma_grid": "0.1", "epsilon_density": "0.2"}
    steps = int(find(ID).formulas["mixing_steps"](m, **{name: m.real(value) for name, value in v.items()}))
    assert 9e8 < steps < 1e9
    assert after(steps, -1) > 0.37
    assert after(steps, 1) < 1e-6
    finding = next(f for f in judge(ID).findings if f.verdict is Verdict.REFUTED)
    assert 0.2 < float(finding.computed[0]) < 0.5


def test_some_number_of_steps_is_enough_for_every_curvature():
    """Two cells, exact rationals: the error halves with each step; the certificate of the printed text needs no curvature."""
    for T in range(1, 8):
        stay = Fraction(1, 2) + Fraction(1, 2) ** (T + 1)
        assert max(abs(2 * p - 1) for p in (stay, 1 - stay)) == Fraction(1, 2) ** T
    found = [f for f in judge(ID).findings if f.scope.startswith("density of the output against c F")]
    assert [f.verdict for f in found] == [Verdict.CERTIFIED]


@pytest.mark.parametrize(("dimension", "cells"), [(1, 4), (2, 3)])
def test_enough_steps_are_enough(dimension, cells):
    """The amendment's T on exact chains, from the worst start; a hundredth of the least possible T is not enough."""
    m = arb()
    alpha, kappa = m.real(1), m.real(2)
    gamma = kappa / cells
    values = [gamma * max(cell) for cell in reference.states(dimension, cells)]
    P, q = mixing.transitions(m, values, dimension, cells), mixing.stationary(m, values)
    asked = m.real("0.05")
    T = int(
        spec.enough_steps(
            m, d=m.real(dimension), alpha=alpha, beta=m.real(0), gamma_grid=gamma, kappa=kappa, epsilon_density=asked
        )
        .ceil()
        .unique_fmpz()
    )
    r = asked * kappa**dimension * m.exp(-alpha * kappa)
    eta = r / (2 + r)
    assert m.le(mixing.exact_distance(m, P, q, T), m.log1p(eta)) is True
    assert m.gt(mixing.exact_distance(m, P, q, 10), m.log1p(eta)) is True


def test_combinations_cost_a_beta_for_each_halving():
    """f within beta of convexity for two points: for d + 1 points within beta ceil(log2(d + 1)) <= beta (1 + log2 d)."""
    for d in range(1, 2000):
        assert math.ceil(math.log2(d + 1)) <= 1 + math.log2(d) + 1e-12
    generator = np.random.default_rng(5)
    grid = np.linspace(-1, 1, 41)
    f = grid**2 + 0.1 * generator.uniform(-1, 1, grid.size)
    pairs = [(i, j, k) for i in range(41) for k in range(i, 41) for j in range(i, k + 1) if k > i]
    beta = max(f[j] - ((k - j) * f[i] + (j - i) * f[k]) / (k - i) for i, j, k in pairs)
    envelope = [min(((k - j) * f[i] + (j - i) * f[k]) / (k - i) for i, jj, k in pairs if jj == j) for j in range(41)]
    assert np.all(f - np.minimum(envelope, f) <= beta + 1e-12)  # d = 1: one halving


def test_verdicts():
    printed, amended = judge(ID), judge(f"{ID}-amended")
    assert (printed.verdict, printed.severity) == (Verdict.REFUTED, Severity.MISPRINT)
    assert [f.verdict for f in printed.findings if f.reading is Reading.MEANT] == [Verdict.CERTIFIED]
    assert amended.verdict is Verdict.CERTIFIED
    assert len(amended.mutants[Fate.KILLED]) >= 3
    assert not {Fate.SURVIVED, Fate.UNKNOWN, Fate.TRUE} & {*amended.mutants}
    assert len(admitted(find(f"{ID}-amended"), WALKS)) >= 8


def test_judge_reads_conditions():
    claim = find(f"{ID}-amended")
    decide = JUDGES[claim.id]
    for number in range(len(claim.preconditions)):
        fewer = replace(claim, preconditions=claim.preconditions[:number] + claim.preconditions[number + 1 :])
        assert fold(decided(fewer, decide)) is not Verdict.CERTIFIED
    assert fold(decided(scaled(claim, "transition", 1, 2), decide)) is not Verdict.CERTIFIED
    assert fold(decided(scaled(claim, "enough_steps", 1, 2), decide)) is not Verdict.CERTIFIED
    assert fold(decided(scaled(claim, "density_error", 1, 2), decide)) is not Verdict.CERTIFIED
    assert fold(decided(scaled(claim, "direction_probability", 10, 1), decide)) is Verdict.REFUTED
    printed = find(ID)
    turned = replace(printed, preconditions=find(f"{ID}-amended").preconditions[:3])
    assert fold(decided(turned, JUDGES[ID])) is Verdict.OPEN  # not refuted: the valley is not convex
