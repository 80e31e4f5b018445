"""Risk of truncated batched mirror descent: the amendment, Freedman's inequality inverted, the other routes' controls."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.comparing import admits
from dpsco.judges.algorithms.mirror_descent.batched_utility import STEEP, THROWN
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.mirror_descent.batched_utility import fair_ends, long_slope, overshoot, short_steps
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.spec.domain import Interval
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold

ID = "lp/thm-14-amended-risk"


def test_amendment_is_certified_and_its_mutants_die():
    found = judge(ID)
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == 6
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & {*found.mutants}


def test_the_other_routes_clear_the_amendment():
    """Negative control."""
    claim = find(ID)
    assert short_steps(claim, lambda root: 1) is None
    assert short_steps(claim, lambda root: root**2) is None
    assert fair_ends(claim) is None
    assert overshoot(claim) is None
    assert long_slope(claim) is None


@pytest.mark.parametrize("k", range(7))
def test_certificates_need_their_conditions(k: int):
    claim, decide = find(ID), judge_of(ID)
    assert decide is not None
    fewer = replace(claim, preconditions=tuple(p for i, p in enumerate(claim.preconditions) if i != k))
    assert fold(decided(fewer, decide)) in (Verdict.OPEN, Verdict.REFUTED), claim.preconditions[k].says


def test_less_is_not_certified():
    claim, decide = find(ID), judge_of(ID)
    assert decide is not None
    assert fold(decided(scaled(claim, "bound", 9, 10), decide)) is Verdict.OPEN
    assert fold(decided(scaled(claim, "sigma_1_squared", 2, 1), decide)) is Verdict.OPEN

    def short_of_a_power(m, M, sigma, tau, kappa, d, delta, n, epsilon):
        given = {"M": M, "sigma": sigma, "tau": tau, "kappa": kappa, "d": d, "delta": delta, "n": n, "epsilon": epsilon}
        return claim.formulas["rate"](m, **given) / (1 + sigma**2)

    assert fold(decided(with_formula(claim, "rate", short_of_a_power), decide)) is Verdict.OPEN
    every = tuple(replace(p, domain=Interval("0", "1")) if p.name == "delta" else p for p in claim.parameters)
    assert fold(decided(replace(claim, parameters=every), decide)) is Verdict.OPEN


positive = st.floats(1e-3, 1e3)


@given(positive, positive, positive, st.floats(1e-3, 50))
def test_freedman_inverted(T: float, v: float, b: float, tau: float):
    """e = sqrt(2 T v tau) + (2/3) b tau has e^2/(2 T v + 2 b e/3) >= tau, and at half that e it has not."""
    m = mp(30)
    T, v, b, tau = (m.real(x) for x in (T, v, b, tau))
    e = m.sqrt(2 * T * v * tau) + 2 * b * tau / 3
    assert e**2 / (2 * T * v + 2 * b * e / 3) >= tau * (1 - m.real("1e-20"))
    assert (e / 2) ** 2 / (2 * T * v + b * e / 3) < tau


def test_the_bound_by_hand():
    """D = 1, T = 4, M = 2, sigma = 1, lambda = 4, tau = 2, d = 1, kappa = 2, beta = 1, delta = 1/2, n = 400, epsilon = 1/2."""
    m = mp(30)
    values = {"divergence": "1", "T": "4", "M": "2", "sigma": "1", "lambda_": "4", "tau": "2", "d": "1", "kappa": "2"}
    values |= {"beta": "1", "delta": "0.5", "n": "400", "epsilon": "0.5"}
    bound = find(ID).formulas["bound"](m, **{name: m.real(x) for name, x in values.items()})
    noise = 2 * m.real("0.12") ** 2 * (2 * m.log(m.real(2)) + m.frac(1, 2)) * 4  # 2 (beta M + lambda)/|B| = 12/100
    # 1/2 + (1 + 2 + 8) + (1 + 12 + 48) + noise
    assert abs(bound - (m.frac(145, 2) + noise)) < m.real("1e-20")


def test_points_meet_the_conditions_that_they_are_for():
    claim, m = find(ID), arb(192)
    assert admits(claim, m, {name: m.real(x) for name, x in THROWN.items()})
    steep = {name: m.real(x) for name, x in STEEP.items()}
    assert not admits(claim, m, steep)
    assert admits(replace(claim, preconditions=tuple(p for p in claim.preconditions if "T >=" not in p.says)), m, steep)
