"""Bilevel descent: the derived sensitivity against real problems, the noise, and what a data-dependent T gives away."""

import math
import random
from dataclasses import replace
from functools import partial

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.algorithms.descent.bilevel_gradients import (
    SYMBOLS,
    K_of_12,
    beta_of_21,
    gradient_change,
    gradient_slope,
    never_below,
)
from dpsco.arguments.algorithms.descent.data_steps import chosen, from_the_data, not_public, problem, separated
from dpsco.arguments.algorithms.descent.inner_errors import inner_errors
from dpsco.judging import Judgement, decided, judge, judge_of
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.bilevel_descent import algorithm as mutants
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.bilevel_descent.algorithm import alpha_is_small, number_of_steps
from dpsco.spec.claim import Adjacency
from dpsco.spec.register import find
from dpsco.verdict import Part, Reading, Severity, Verdict, fold

PRINTED, AMENDED = "bilevel/thm-4.2-privacy", "bilevel/thm-4.2-privacy-amended"


@pytest.fixture(scope="module")
def printed() -> Judgement:
    return judge(PRINTED)


def test_constants_of_the_paper_are_not_below_the_derived_ones():
    assert never_below(K_of_12(), gradient_change())
    assert never_below(beta_of_21(), gradient_slope())
    assert never_below(gradient_slope(), beta_of_21())
    assert not never_below(K_of_12() - 3 * SYMBOLS["L_fx"], gradient_change())
    assert not never_below(gradient_change(), K_of_12())


@given(st.integers(0, 10**6), st.integers(1, 4))
def test_derived_sensitivity_against_random_problems(seed: int, n: int):
    """f = a sin(x) + b sin(x + y) + c sin(y), g = (m/2) y^2 + e sin(x) y + w cos(y) on |y| <= 1: gradients by differences."""
    chance = random.Random(seed)

    def record() -> tuple[float, ...]:
        a, b, c, e = (chance.uniform(-1, 1) for _ in range(4))
        return a, b, c, e / 4, chance.uniform(1.0, 3.0), chance.uniform(-0.25, 0.25)

    data = [record() for _ in range(n)]
    other = [*data[:-1], record()]
    x = chance.uniform(-3, 3)

    def lower(rows: list[tuple[float, ...]], x: float) -> float:
        """The minimiser by bisection of the derivative, which increases."""
        low, high = -1.0, 1.0
        for _ in range(60):
            y = (low + high) / 2
            slope = sum(r[4] * y + r[3] * math.sin(x) - r[5] * math.sin(y) for r in rows)
            low, high = (y, high) if slope < 0 else (low, y)
        return (low + high) / 2

    def objective(rows: list[tuple[float, ...]], x: float) -> float:
        y = lower(rows, x)
        return sum(r[0] * math.sin(x) + r[1] * math.sin(x + y) + r[2] * math.sin(y) for r in rows) / n

    def gradient(rows: list[tuple[float, ...]]) -> float:
        return (objective(rows, x + 1e-5) - objective(rows, x - 1e-5)) / 2e-5

    rows = [*data, other[-1]]
    known = {
        "L_fx": max(abs(r[0]) + abs(r[1]) for r in rows),
        "L_fy": max(abs(r[1]) + abs(r[2]) for r in rows),
        "L_gy": max(r[4] + abs(r[3]) + abs(r[5]) for r in rows),
        "mu_g": min(r[4] - abs(r[5]) for r in rows),
        "beta_fxy": max(abs(r[1]) for r in rows),
        "beta_fyy": max(abs(r[1]) + abs(r[2]) for r in rows),
        "beta_gxy": max(abs(r[3]) for r in rows),
        "beta_gyy": max(r[4] + abs(r[5]) for r in rows),
        "C_gxy": 0.0,
        "C_gyy": max(abs(r[5]) for r in rows),
    }
    bound = float(gradient_change().subs({SYMBOLS[name]: value for name, value in known.items()})) / n
    assert abs(gradient(data) - gradient(other)) <= bound + 1e-6


def test_adversarial_solver_comes_near_to_5_halves():
    m = mp(50)
    difference, K = mutants.query_difference(m, 1000, m.real("0.01"), m.real(7))
    assert m.real("2.497") <= difference * 1000 / K <= m.real("2.5")


def test_sensitivity_lemma_is_certified_with_every_mutant_killed():
    lemma = judge("bilevel/lem-4.1")
    assert lemma.verdict is Verdict.CERTIFIED
    assert len(lemma.mutants[Fate.KILLED]) == 4
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(lemma.mutants)
    decide = judge_of("bilevel/lem-4.1")
    assert decide is not None
    assert fold(decided(scaled(find("bilevel/lem-4.1"), "bound", 7, 10), decide)) is Verdict.OPEN  # 2.8 K/n: not known


def test_printed_noise_is_refuted_and_a_quadrature_agrees(printed: Judgement):
    assert (printed.verdict, printed.severity) == (Verdict.REFUTED, Severity.CONCLUSION)
    public = [f for f in printed.findings if f.scope.startswith("T fixed") and f.verdict is Verdict.REFUTED]
    assert {f.release for f in public} == {"all T noisy steps", "the output iterate, uniform among x_1, ..., x_T"}
    at = public[0].at
    assert mutants.exceeds(find(PRINTED), at["epsilon"], at["delta"])
    assert not mutants.exceeds(find(PRINTED), "1", "1e-5")
    kept = [f for f in printed.findings if f.reading is Reading.MEANT]
    assert [f.verdict for f in kept] == [Verdict.CERTIFIED]
    assert "197 ln(1/delta)" in kept[0].scope
    leading = next(f for f in printed.findings if f.severity is Severity.CONCLUSION)
    assert leading.survives is not None
    assert "domain" in leading.survives
    assert {f.severity for f in public} == {Severity.DOMAIN}


@pytest.mark.parametrize("delta", ["1e-40", "1e-5", "0.1", "0.999"])
def test_on_the_certified_line_a_quadrature_agrees(delta: str):
    """epsilon = 197 ln(1/delta), sensitivity 3K/n, one step: the profile of the printed noise is at most delta."""
    m = mp(60)
    s = m.log(1 / m.real(delta))
    epsilon = 197 * s
    mu = 3 * epsilon / (32 * m.sqrt(s))
    assert hockey_stick(mu, epsilon) <= m.real(delta) / 2
    attained = m.real("2.497")
    beyond = 320 * s
    assert hockey_stick(attained * beyond / (32 * m.sqrt(s)), beyond) > m.real(delta) or delta == "0.999"


def test_limits_of_the_printed_noise_by_quadrature(printed: Judgement):
    """What survives, at delta = 0.1: holds at 3K/n up to the lower number, fails at 2.497 K/n from the upper one on."""
    text = next(f.survives for f in printed.findings if f.severity is Severity.DOMAIN)
    assert text is not None
    assert "delta = 0.1: epsilon <= 483.5, not beyond 707.6" in text
    m = mp(60)
    s = m.log(10)
    for share, epsilon, holds in (("3", "483.5", True), ("3", "484", False), ("2.497", "707.6", False), ("2.497", "707", True)):
        mu = m.real(share) * m.real(epsilon) / (32 * m.sqrt(s))
        assert (hockey_stick(mu, m.real(epsilon)) <= m.real("0.1")) is holds


def test_steps_from_the_data_separate_by_simulation(printed: Judgement):
    """Algorithm 1 on both data sets of the finding, seeded: shares of outputs in the event, against what the finding claims."""
    finding = next(f for f in printed.findings if f.scope.endswith("the output iterate") and f.release is not None)
    claim, m = find(PRINTED), arb(192)
    at = {**{name: finding.at[name] for name in ("epsilon", "delta")}, "n": "1"}
    values = problem(m, at)
    generator = numpy.random.default_rng(20261121)
    shares, eta, runs = [], 0.5, 2000
    reach = None
    for record in ("1e-9", "1e8"):
        steps, sigma = (float(v.mid()) for v in chosen(claim, m, values, m.real(record)))
        z, noise = float(record), sigma
        reach = eta * (1 + 6 * noise) if reach is None else reach
        x, drawn = numpy.zeros(runs), numpy.zeros(runs)
        output = generator.integers(1, int(steps) + 1, size=runs)
        for t in range(1, int(steps) + 1):
            x = x - eta * ((x - z) / numpy.sqrt(1 + (x - z) ** 2) + noise * generator.standard_normal(runs))
            drawn = numpy.where(output == t, x, drawn)
        shares.append(float(numpy.mean(numpy.abs(drawn) <= reach)))
    one, other = shares
    assert one > 0.99
    assert one - math.e * other > 1e-5 + 0.05
    exact = separated(claim, at)
    assert exact is not None


def test_every_small_delta_is_separated_and_a_public_number_is_not_a_leak(printed: Judgement):
    transcript = next(f for f in printed.findings if f.scope.endswith("the transcript"))
    assert transcript.computed == ("1", "1")
    assert mutants.steps_differ(find(PRINTED))
    assert from_the_data(find(PRINTED))
    assert not_public(find(AMENDED)) == ()


def test_what_the_steps_read_is_public_by_its_description_not_by_its_name():
    claim, decide = find(AMENDED), judge_of(AMENDED)
    assert decide is not None
    gap = find(PRINTED).parameter("gap")

    def spread(m, n, d_x, epsilon, delta, K, start_gap, beta_Phi):
        return number_of_steps(m, n=n, d_x=d_x, epsilon=epsilon, delta=delta, K=K, gap=start_gap, beta_Phi=beta_Phi)

    moved = with_formula(claim, "T_chosen", spread)
    named = replace(moved, parameters=(*claim.parameters, replace(gap, name="start_gap")))
    assert fold(decided(named, decide)) is Verdict.REFUTED
    unknown = replace(moved, parameters=(*claim.parameters, replace(gap, name="start_gap", meaning="how far it is")))
    assert fold(decided(unknown, decide)) is Verdict.OPEN
    bound = tuple(replace(p, meaning=gap.meaning) if p.name == "gap_bound" else p for p in claim.parameters)
    assert fold(decided(replace(claim, parameters=bound), decide)) is Verdict.REFUTED

    def louder(m, n, epsilon, delta, K, T, start_gap):
        return claim.formulas["sigma"](m, n=n, epsilon=epsilon, delta=delta, K=K, T=T) * (1 + start_gap)

    noise = replace(with_formula(claim, "sigma", louder), parameters=named.parameters)
    assert fold(decided(noise, decide)) is Verdict.OPEN
    assert fold(decided(replace(claim, releases="x_1, ..., x_T and y_1, ..., y_T, without noise"), decide)) is Verdict.OPEN


@pytest.mark.parametrize(("id", "name"), [(PRINTED, "alpha_chosen"), (AMENDED, "alpha_limit")])
def test_the_inner_error_is_read(printed: Judgement, id: str, name: str):
    def link(factor: tuple[int, int]) -> Verdict:
        (found,) = [f for f in inner_errors(scaled(find(id), name, *factor), find(id).asserts[0]) if name in f.scope]
        return found.verdict

    decide = judge_of(AMENDED)
    assert decide is not None
    judged = printed.findings if id == PRINTED else decided(find(id), decide)
    assert link((1, 1)) in [f.verdict for f in judged if name in f.scope]

    assert link((1, 1)) is Verdict.CERTIFIED
    assert link((100, 1)) is Verdict.REFUTED
    assert link((101, 100)) is Verdict.OPEN
    assert mutants.error_exceeds(scaled(find(AMENDED), "alpha_limit", 100, 1), "1", "1e-5")
    assert not mutants.error_exceeds(find(AMENDED), "1", "1e-40")


def test_amendment_is_certified_with_every_mutant_killed():
    amended = judge(AMENDED)
    assert amended.verdict is Verdict.CERTIFIED
    assert len(amended.mutants[Fate.KILLED]) == 9
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(amended.mutants)


def test_certificate_needs_its_conditions():
    claim, decide = find(AMENDED), judge_of(AMENDED)
    assert decide is not None
    free = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != alpha_is_small))
    assert fold(decided(free, decide)) is Verdict.OPEN
    assert fold(decided(replace(claim, adjacency=Adjacency.ADD_REMOVE), decide)) is Verdict.OPEN
    smaller = scaled(claim, "sensitivity", 1, 2)
    assert fold(decided(smaller, decide)) is Verdict.REFUTED
    data = with_formula(claim, "T_chosen", number_of_steps)
    assert fold(decided(data, decide)) is Verdict.REFUTED


def test_cited_route_loses_a_logarithm_of_T(printed: Judgement):
    """Lemmas A.3 and A.4 at the best of many splits of delta: epsilon' stays above epsilon at T = 25 million."""
    route = next(f for f in printed.findings if "Lemma A.3" in f.scope)
    assert (route.verdict, route.about) == (Verdict.REFUTED, Part.PROOF)
    m = mp(30)
    T, delta, sigma = m.real(25000000), m.real("0.1"), partial(find(PRINTED).formulas["sigma"], m)
    for share in ("1e-6", "0.01", "0.3", "0.5", "0.9", "0.999"):
        each, rest = delta * m.real(share) / T, delta * (1 - m.real(share))
        one = 4 * m.sqrt(2 * m.log(2 / each)) / sigma(K=1, epsilon=m.real(1), delta=delta, n=1, T=T)
        assert m.sqrt(2 * T * m.log(1 / rest)) * one + T * one * (m.exp(one) - 1) > m.real("1.1")
