"""Lower bounds on convex bodies: verdicts, the widths and slopes they rest on, noise against its variance."""

from dataclasses import replace
from fractions import Fraction
from math import gamma, log, pi, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.analysis.private_means.bodies import IDLE, NOISY, WIDE_BALL
from dpsco.arguments.analysis.private_means.fixed_answers import CHOSEN, RIGID, no_excess
from dpsco.arguments.comparing import admits
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, with_formula
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.claim import Adjacency
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict, fold

PRINTED = {"lp/thm-5": Severity.CONSTANT, "lp/thm-11": Severity.CONSTANT, "lp/lem-9": Severity.MISPRINT}


def verdict(claim):
    return fold(decided(claim, judge_of(claim.id)))


@pytest.mark.parametrize(("id", "severity"), PRINTED.items())
def test_printed_are_refuted(id: str, severity: Severity):
    found = judge(id)
    assert (found.verdict, found.severity) == (Verdict.REFUTED, severity)
    assert found.amendments == [f"{id}-amended"]


@pytest.mark.parametrize("id", [f"{id}-amended" for id in PRINTED])
def test_amendments_are_certified_and_their_mutants_die(id: str):
    found = judge(id)
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) >= 4
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(found.mutants)


@pytest.mark.parametrize("id", ["lp/thm-5", "lp/thm-11"])
def test_the_other_reading_of_the_condition_on_n_fails_too(id: str):
    found = [f for f in judge(id).findings if f.reading is Reading.MEANT]
    assert [f.verdict for f in found] == [Verdict.REFUTED]


def test_strong_convexity_and_the_chain_of_rates_hold_as_printed():
    for id, scope in (("lp/thm-11", "modulus"), ("lp/lem-9", "lower_rate against upper_rate")):
        assert [f.verdict for f in judge(id).findings if f.scope.startswith(scope)] == [Verdict.CERTIFIED]


@pytest.mark.parametrize("d", [1, 2, 3, 10, 100])
def test_width_of_the_ball_inside(d: int):
    """sqrt(2) Gamma((d + 1)/2)/Gamma(d/2) between sqrt(2 d/pi) and sqrt(d), and above sqrt(d - 1)."""
    width = sqrt(2) * gamma((d + 1) / 2) / gamma(d / 2)
    assert sqrt(2 * d / pi) <= width * (1 + 1e-12)
    assert sqrt(d - 1) <= width <= sqrt(d)


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=3), st.lists(st.floats(-1, 1), min_size=3, max_size=3))
def test_a_direction_is_no_worse_than_twice_the_estimate(estimate, mean):
    """|mean| - <A/|A|, mean> <= 2 |A - mean|."""
    a, b = np.array(estimate), np.array(mean)
    if np.linalg.norm(a) < 1e-9:
        return
    direction = a / np.linalg.norm(a)
    assert np.linalg.norm(b) - direction @ b <= 2 * np.linalg.norm(a - b) + 1e-9


@pytest.mark.parametrize("d", [1, 2, 5])
def test_gamma_noise_has_the_variance_of_the_lemma(d: int):
    """|w| ~ Gamma(d, 2/(n epsilon)): simulated second moment d (d + 1)(2/(n epsilon))^2, and a control that must fail."""
    rng = np.random.default_rng(3)
    lengths = rng.gamma(d, 2.0, 200_000)  # n epsilon = 1
    moment, spread = (lengths**2).mean(), (lengths**2).std() / sqrt(lengths.size)
    assert abs(moment - 4 * d * (d + 1)) < 5 * spread
    assert abs(moment - 4 * d * d) > 5 * spread
    m = arb()
    v = {name: m.real(value) for name, value in {"d": d, "n": 1, "epsilon": 1}.items()}
    assert abs(float(NOISY.bound(m, v).mid()) - d * (d + 1)) < 1e-12


def test_one_point_data_sets_defeat_every_private_answer():
    """Two answers 1 and -1 and any (1, 0.01)-DP pair of laws on a grid of answers: one squared error is at least 0.53."""
    rng = np.random.default_rng(5)
    answers = np.linspace(-1, 1, 5)
    factor, delta = np.e, 0.01
    least = 2 * (1 - delta) / (factor + 1)
    smallest = 9.0
    for _ in range(2000):
        share = rng.dirichlet(np.full(5, 0.3))
        tilt = np.clip(rng.normal(answers, 1), -1, 1)
        other = share * np.exp(tilt * 0.5)
        p, q = other / other.sum(), (share * np.exp(-tilt * 0.5)) / (share * np.exp(-tilt * 0.5)).sum()
        if max(np.maximum(p - factor * q, 0).sum(), np.maximum(q - factor * p, 0).sum()) > delta:
            continue
        smallest = min(smallest, max(p @ (answers - 1) ** 2, q @ (answers + 1) ** 2))
    assert least <= smallest < 2
    flipped = 1 / (1 + factor)  # randomised response reaches 4/(1 + e), within a factor 2.02 of the bound
    assert least <= 4 * flipped <= 2.03 * least


def test_wide_ball_is_inside_the_printed_domain_and_outside_the_amended_range():
    m = arb(1024)
    point = IDLE.paths[0].at(m, m.real("1e12"))
    assert admits(find("lp/thm-11"), m, point)
    assert not admits(find("lp/thm-11-amended"), m, point)
    assert WIDE_BALL.direction == {"d": 4, "G_C": 2, "n": 1}


def test_rate_on_the_wide_ball_by_floats():
    """Independent of orders: the printed rate at t = 10^3, 10^4, 10^5 grows by more than 30 a step."""
    rates = [(t**4 - 1) * log(2 * t**2) / (log(2 * t**4) ** 4 * t**2) for t in (1e3, 1e4, 1e5)]
    assert 30 * rates[0] < rates[1] < rates[2] / 30


def test_slope_and_modulus_in_fractions():
    h = Fraction(1, 10**6)
    secant = ((-1 - 1) ** 2 - (-1 + h - 1) ** 2) / h
    assert secant / 2 > 1
    assert secant / 4 <= 1


@pytest.mark.parametrize("id", ["lp/thm-5", "lp/thm-11"])
def test_fixed_answers_refute_what_is_printed_and_not_what_is_mended(id: str):
    printed = {lemma.name: f for f in judge(id).findings for lemma in f.lemmas}
    assert printed[RIGID.name].severity is Severity.CONSTANT
    assert printed[RIGID.name].survives.startswith("With half the modulus")
    assert printed[CHOSEN.name].severity is Severity.MISPRINT
    claim = find(id)
    halved = with_formula(claim, "strong_convexity", lambda m, C_min: C_min**2 / 2)
    assert [f.lemmas[0] for f in no_excess(halved, "excess")] == [CHOSEN]
    swapped = replace(claim, over=tuple(q for q in claim.over if not q.startswith("a loss")))
    assert [f.lemmas[0] for f in no_excess(swapped, "excess")] == [RIGID]
    assert not list(no_excess(find(f"{id}-amended"), "excess"))


@given(st.lists(st.fractions(0, 1), min_size=9, max_size=9), st.fractions(-2, 2))
def test_only_the_parabola_is_both_lipschitz_and_strongly_convex(rises, first: Fraction):
    """Slopes s + e(s) on a grid of [-1, 1], e rising: within [-1, 1] only for e = 0; with half the modulus for others."""
    extra = [first + sum(rises[:i], start=Fraction(0)) for i in range(len(rises))]
    places = [Fraction(i, 4) - 1 for i in range(len(rises))]
    steepest = max(abs(s + e) for s, e in zip(places, extra, strict=True))
    assert steepest >= 1
    assert (steepest == 1) == (extra == [0] * len(extra))
    assert max(abs(s / 2 + Fraction(1, 2)) for s in places) == 1


def test_nothing_else_is_certified():
    claim = find("lp/thm-11-amended")
    assert verdict(replace(claim, adjacency=Adjacency.ADD_REMOVE)) is Verdict.OPEN
    assert verdict(replace(claim, over=claim.over[1:])) is Verdict.OPEN
    for i in range(3):
        fewer = replace(claim, preconditions=claim.preconditions[:i] + claim.preconditions[i + 1 :])
        assert verdict(fewer) is not Verdict.CERTIFIED
    strange = with_formula(claim, "rate", lambda m, d, n: m.sin(d) ** 2 / n**4)
    assert verdict(strange) is Verdict.OPEN
