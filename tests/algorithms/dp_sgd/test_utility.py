"""DP-SGD's risk: the printed minimum by other routes, the amendment, bounds against runs, and what the judge of rates sees."""

from dataclasses import replace
from functools import cache

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.arguments.algorithms.descent.descent_rates import constants
from dpsco.fast.algorithms.dp_sgd.algorithm import simulate
from dpsco.judges.algorithms.dp_sgd.utility import JUDGES, descent
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.dp_sgd.utility import noisy_excess_is_larger
from dpsco.mutants.algorithms.gradient_perturbation.utility import excess, moments
from dpsco.reference.numbers.mp import mp
from dpsco.spec.register import find
from dpsco.verdict import Part, Proof, Reading, Verdict, fold

ID, AMENDED = "quantile/thm-3.4", "quantile/thm-3.4-amended"


@cache
def judged(id):
    return judge(id)


def refuted(scope, reading=Reading.PRINTED):
    (found,) = [f for f in judged(ID).findings if f.scope == scope and f.reading is reading]
    assert (found.verdict, found.about) == (Verdict.REFUTED, Part.PROOF)
    return found


def test_only_the_printed_minimum_falls():
    assert (judged(ID).verdict, judged(ID).proof) == (Verdict.CERTIFIED, Proof.BROKEN)
    others = [f for f in judged(ID).findings if f.reading is Reading.PRINTED and f.verdict is not Verdict.REFUTED]
    assert len(others) == 4
    assert {f.verdict for f in others} == {Verdict.CERTIFIED}
    meant = [f.verdict for f in judged(ID).findings if f.reading is Reading.MEANT]
    assert meant == [Verdict.REFUTED, Verdict.REFUTED]


def test_amendment_is_certified_and_its_mutants_die():
    assert judged(AMENDED).verdict is Verdict.CERTIFIED
    assert set(judged(AMENDED).mutants) == {Fate.KILLED, Fate.TRUE}
    assert len(judged(AMENDED).mutants[Fate.KILLED]) == 7


def test_the_minimum_by_a_line_search():
    """The least value of the displayed sum, found by search over eta, exceeds the printed one; not the amended one."""
    found = refuted("the minimum of the displayed sum")
    m = mpmath.MPContext()
    m.dps = 40
    v = {name: m.mpf(value) for name, value in found.at.items()}
    noise = 8 * m.log(1 / v["delta"]) * v["d"] / v["epsilon"] ** 2

    def total(log_eta):
        eta, L, n = m.exp(log_eta), v["L"], v["n"]
        stable = L**2 * eta * (1 + n**2) / n
        smooth = eta * v["kappa_1"] * v["K_bar"] * v["B_x"] ** 2 / 4
        return stable + v["B"] ** 2 / (2 * n**2 * eta) + eta * L**2 * (1 + noise) / 2 + smooth

    at = m.findroot(lambda x: m.diff(total, x), m.log(v["B"] / (v["n"] * v["L"])))
    least = total(at)
    assert all(total(at + step) > least for step in (-1, -0.01, 0.01, 1))
    assert least > m.mpf(found.claimed)
    assert m.mpf(found.computed[0]) * (1 - m.mpf(10) ** -12) <= least <= m.mpf(found.computed[1]) * (1 + m.mpf(10) ** -12)
    names = ("B", "L", "n", "d", "epsilon", "delta", "kappa_1", "K_bar", "B_x")
    amended = find(AMENDED).formulas["closed_form"](mp(40), **{name: mp(40).real(found.at[name]) for name in names})
    assert abs(mp(40).real(str(least)) - amended) < amended * mp(40).real("1e-12")


def test_the_risk_exceeds_the_printed_minimum_in_a_run_and_in_a_simulation():
    """kappa_1 K_bar = 10^6 at n = 100: a run without noise and simulated runs with the printed noise."""
    found = refuted("excess risk at the chosen step length, T = n^2, every kernel")
    v = {name: float(value) for name, value in found.at.items()}
    b = 16e6 - 2  # (1 + b)(1 + 1/b)/16 is 10^6
    kappa_1, K_bar = (float(moments(b)[name]) for name in ("kappa_1", "K_bar"))
    assert kappa_1 * K_bar == pytest.approx(v["kappa_1"] * v["K_bar"], rel=1e-12)
    n, L = int(v["n"]), v["L"]
    variance = 8 * L**2 * np.log(1 / v["delta"]) / v["epsilon"] ** 2
    middle = (variance + L**2 + kappa_1 * K_bar * v["B_x"] ** 2 / 2) * n**2
    eta = v["B"] / np.sqrt(2 * L**2 * n**3 + middle + 2 * L**2 * n)
    h = eta * K_bar * v["B_x"] ** 2 / 2
    true = excess(v["B"] * v["B_x"], v["B_x"], 0.5, eta, n * n, h, b)
    assert true > 3 * float(found.claimed)
    assert true >= float(found.computed[0]) * (1 - 1e-9)
    # with noise, on the uniform kernel stretched to the same bandwidth's base: the slope is nowhere larger than 1/2
    generator = np.random.Generator(np.random.Philox(key=7))
    X, y = np.array([[v["B_x"]]]), np.array([v["B"] * v["B_x"]])
    ends = [simulate("uniform", X, y, n * n - 1, eta, b * h, 0.5, variance**0.5, generator)[0][0] for _ in range(200)]
    risks = np.abs(y[0] - v["B_x"] * np.array(ends)) / 2
    assert risks.mean() - 6 * risks.std(ddof=1) / 200**0.5 > float(found.claimed)


@cache
def rate_constants():
    claim = find(AMENDED)
    return constants(claim, descent(claim))


@given(st.integers(1, 10**4), st.floats(0.01, 1), st.floats(1e-12, 0.99), st.integers(1, 10**4))
@settings(max_examples=30)
def test_the_constants_of_the_rate_hold(n, epsilon, delta, d):
    """The pair that the proof names, at random instances, in plain numbers."""
    parts = rate_constants()
    claim = find(AMENDED)
    B, B_x, L, kappa_1, K_bar = 2.0, 3.0, 2.5, 1.5, 0.7
    numbers = {"B": B, "B_x": B_x, "L": L, "kappa_1": kappa_1, "K_bar": K_bar}
    a, b = (float(part.subs({s: numbers[str(s)] for s in part.free_symbols})) for part in parts)
    formula = claim.formulas["closed_form"]
    m = mp(40)
    given_ = {**numbers, "n": n, "d": d, "epsilon": epsilon, "delta": delta}
    square = float(formula(m, **{name: m.real(x) for name, x in given_.items()})) ** 2
    assert square <= (a / n + b * d * np.log(1 / delta) / (n * epsilon) ** 2) * (1 + 1e-12)
    assert square <= (a + b) * max(n**-0.5, (d * np.log(1 / delta)) ** 0.5 / (n * epsilon)) ** 2 * (1 + 1e-12)


def moved_rate(of_n, of_epsilon, of_d):
    """The rate with exponents moved by the given fractions, as (numerator, 10)."""

    def rate(m, n, d, epsilon, delta):
        first = n ** m.frac(*of_n)
        return m.max(first, d ** m.frac(*of_d) * m.sqrt(m.log(1 / delta)) / (n * epsilon ** m.frac(*of_epsilon)))

    return rate


@pytest.mark.parametrize(
    ("exponents", "verdict"),
    [
        (((-5, 10), (10, 10), (5, 10)), Verdict.CERTIFIED),
        (((-6, 10), (10, 10), (5, 10)), Verdict.REFUTED),
        (((-5, 10), (9, 10), (5, 10)), Verdict.REFUTED),
        (((-5, 10), (10, 10), (4, 10)), Verdict.REFUTED),
    ],
)
def test_exponents_off_by_a_tenth_are_seen(exponents, verdict):
    claim = with_formula(find(AMENDED), "rate", moved_rate(*exponents))
    found = [f for f in decided(claim, JUDGES[AMENDED]) if f.scope.startswith("the rate")]
    assert [f.verdict for f in found] == [verdict]


def test_a_minimum_without_noise_would_be_contradicted_by_simulation():
    """Negative control of the simulation that serves the mutants: the amended minimum is not contradicted."""
    assert not noisy_excess_is_larger(find(AMENDED), 10, 1000)


def test_certificate_needs_the_ball_and_the_short_step():
    claim = find(AMENDED)
    bare = replace(claim, preconditions=claim.preconditions[1:])
    assert fold(decided(bare, JUDGES[AMENDED])) in (Verdict.OPEN, Verdict.REFUTED)
    narrow = scaled(claim, "bandwidth", 1, 2)
    assert fold(decided(narrow, JUDGES[AMENDED])) is not Verdict.CERTIFIED
