"""Objective perturbation's risk for every distribution: proved bounds against exact means, refutations by other routes."""

import inspect
from dataclasses import replace
from functools import cache

import mpmath
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk as known
from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk_instances as reached
from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk_rates as rates
from dpsco.judges.algorithms.objective_perturbation.utility import JUDGES
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.objective_perturbation.utility import (
    biased,
    chosen,
    empirical_exceeds,
    ratio_grows,
    risk_exceeds,
    shrunk,
)
from dpsco.reference.numbers.mp import mp
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Severity, Verdict, fold

ID, AMENDED = "quantile/thm-3.6-1", "quantile/thm-3.6-1-amended"
PROOF, PROOF_AMENDED = "quantile/thm-3.6-1-proof", "quantile/thm-3.6-1-proof-amended"


@cache
def judged(id):
    return judge(id)


def one_record(v, r, h, w):
    """Mean gap-free quantities of one law, every record x = B_x, y = 0: exact minimiser for each b, by quadrature over b.

    Returns (excess risk, smoothed empirical excess) over theta = 0, uniform kernel on [-w, w].
    """
    W, m = h * w, mpmath

    def root(b):
        pull = (r - m.mpf(1) / 2 - b / (v["n"] * v["B_x"])) / (1 / (2 * W) + 2 * v["lambda_"] / v["B_x"] ** 2)
        if abs(pull) <= W:
            return pull
        slope = r - 1 if pull > 0 else r
        return (slope - b / (v["n"] * v["B_x"])) * v["B_x"] ** 2 / (2 * v["lambda_"])

    def check(u):
        return r * u if u >= 0 else (r - 1) * u

    def smooth(u):
        return (u**2 / W + W) / 4 + (r - m.mpf(1) / 2) * u if abs(u) <= W else check(u)

    sigma = v["sigma"]
    edges = [W, -W]
    cuts = [v["n"] * v["B_x"] * (r - m.mpf(1) / 2 - e * (1 / (2 * W) + 2 * v["lambda_"] / v["B_x"] ** 2)) for e in edges]
    cuts = sorted({-12 * sigma, 12 * sigma, *(c for c in cuts if abs(c) < 12 * sigma), m.mpf(0)})

    def mean(f):
        return m.quad(lambda b: f(root(b)) * m.npdf(b, 0, sigma), cuts)

    return mean(lambda s: check(-s)), mean(lambda s: smooth(-s) - smooth(m.mpf(0)))


@given(
    st.sampled_from((1, 3, 50, 10**4)),
    st.floats(0.51, 0.95),
    st.floats(0.3, 3),
    st.floats(-4, 1),
    st.floats(-2, 2),
    st.floats(-2, 3),
)
@settings(max_examples=15, deadline=None)
def test_proved_bounds_hold_and_reached_values_are_reached(n, r, B_x, log_lambda, log_h, log_sigma):
    """One law: the exact means lie between what the lemmas say is reached and what they prove."""
    v = {"n": n, "B_x": B_x, "lambda_": 10**log_lambda, "sigma": 10**log_sigma, "L": r * B_x, "kappa_1": 0.5, "h": 10**log_h}
    v |= {"d": 1, "optimum_norm": 0}
    m, text = mp(30), {name: mp(30).real(repr(value)) for name, value in v.items()}
    with mpmath.workdps(30):
        risk, excess = one_record(text, text["L"] / text["B_x"], text["h"], mpmath.mpf(1))
    zero = m.real(0)
    names = ("L", "n", "lambda_", "d", "sigma")
    bound = known.risk(m, *(text[name] for name in names), zero, text["h"], text["kappa_1"])
    assert reached.biased(m, text, zero) * (1 - m.real("1e-12")) <= risk * (1 + m.real("1e-9")) <= bound * (1 + m.real("1e-8"))
    empirical = known.empirical(m, text["d"], text["sigma"], text["n"], text["lambda_"], zero)
    assert excess <= empirical * (1 + m.real("1e-8")) + m.real("1e-15")


def test_bowl_is_nearly_an_equality():
    """r = 1/2, wide smoothing: the quadrature gives the closed form, a half of what is proved."""
    v = {"n": 100, "B_x": 2, "lambda_": 0.01, "sigma": 3, "d": 1}
    m, text = mp(30), {name: mp(30).real(repr(value)) for name, value in v.items()}
    with mpmath.workdps(30):
        _, excess = one_record(text, mpmath.mpf(1) / 2, text["B_x"] ** 2 / (4 * text["lambda_"]), mpmath.mpf(1))
    closed = reached.bowl(m, text["n"], text["lambda_"], text["sigma"], text["B_x"])
    assert abs(excess / closed - 1) < 1e-9
    assert abs(2 * excess / known.empirical(m, 1, text["sigma"], text["n"], text["lambda_"], m.real(0)) - 1) < 1e-9


def test_verdicts():
    assert (judged(ID).verdict, judged(ID).severity) == (Verdict.REFUTED, Severity.DOMAIN)
    by_scope = {f.scope: f for f in judged(ID).findings}
    assert by_scope["excess risk at the chosen lambda and bandwidth <= closed_form"].verdict is Verdict.CERTIFIED
    (meant,) = [f for f in judged(ID).findings if f.reading is Reading.MEANT]
    assert meant.verdict is Verdict.CERTIFIED
    assert (judged(PROOF).verdict, judged(PROOF).severity, judged(PROOF).proof) == (Verdict.STATED, None, Proof.BROKEN)
    fallen = [f.scope for f in judged(PROOF).findings if f.verdict is Verdict.REFUTED]
    assert fallen == ["excess risk <= risk_printed, every lambda and h"]


@pytest.mark.parametrize(("id", "killed"), [(AMENDED, 9), (PROOF_AMENDED, 8)])
def test_amendments_are_certified_and_their_mutants_die(id, killed):
    assert judged(id).verdict is Verdict.CERTIFIED
    assert set(judged(id).mutants) == {Fate.KILLED, Fate.TRUE}
    assert len(judged(id).mutants[Fate.KILLED]) == killed


def test_second_moment_is_contradicted_by_quadrature():
    """The judge's instance again: the exact mean risk of one law over b, against the printed and the derived bound."""
    (found,) = [f for f in judged(PROOF).findings if f.verdict is Verdict.REFUTED]
    claim, m = find(PROOF), mp(40)
    v = {name: m.real(value) for name, value in found.at.items()}
    v["sigma"] = m.sqrt(find(ID).formulas["variance"](m, epsilon=v["epsilon"], delta=v["delta"], L=v["L"]))
    with mpmath.workdps(40):
        risk, _ = one_record({**v, "sigma": v["sigma"]}, v["L"] / v["B_x"], v["h"], 2 * v["kappa_1"])
    assert risk > 2 * m.real(found.claimed)
    assert risk >= m.real(found.computed[0])
    names = ("L", "n", "lambda_", "d", "sigma", "B", "h", "kappa_1")
    assert risk < claim.formulas["risk_derived"](m, **{name: v[name] for name in names})


PATHS = {
    "epsilon = n": lambda n: {"epsilon": n},
    "d = n^2, epsilon = sqrt(n)": lambda n: {"d": round(n**2), "epsilon": n**0.5},
}


@pytest.mark.parametrize("path", PATHS)
def test_rate_is_left_in_simulation_and_the_amended_one_is_not(path):
    """Drawn data and noise on the law with slope lambda c; the same runs against the amended rate are the control."""
    assert ratio_grows(find(ID), "rate_any_data", shrunk, PATHS[path])
    assert not ratio_grows(find(AMENDED), "rate_any_data", shrunk, PATHS[path])


def test_simulations_do_not_contradict_what_is_true():
    """Negative controls of the searches that serve the mutants."""
    assert not risk_exceeds(find(AMENDED), "closed_form", shrunk, {"n": 10**6, "epsilon": 1.0})
    wide = {"n": 10**8, "epsilon": 1000.0, "lambda_": 1e-6, "h": 1000.0}
    assert not risk_exceeds(find(PROOF_AMENDED), "risk_derived", biased, wide)
    assert not empirical_exceeds(find(PROOF_AMENDED), 0.0)
    assert not empirical_exceeds(find(PROOF_AMENDED), 1.0)


def test_simulated_risk_is_at_least_what_shrinkage_reaches():
    v = chosen(find(ID), {"n": 10**4, "epsilon": 1.0})
    assert 0.9 * v["lambda_"] / 2 < shrunk(v) * 1.1


def moved_rate(of_n, of_epsilon, of_d):
    """The amended rate with exponents moved, in tenths; the middle term's power of n and epsilon is `of_epsilon`."""

    def rate(m, n, d, epsilon, delta):
        last = d ** m.frac(of_d, 10) * m.sqrt(m.log(2 / delta) + epsilon) / (n * epsilon)
        return m.max(n ** m.frac(of_n, 10), (n * epsilon) ** m.frac(of_epsilon, 10), last)

    return rate


@pytest.mark.parametrize(
    ("exponents", "verdict"),
    [((-5, -5, 5), Verdict.CERTIFIED), ((-6, -5, 5), Verdict.REFUTED), ((-5, -6, 5), None), ((-5, -5, 4), Verdict.REFUTED)],
)
def test_exponents_off_by_a_tenth_are_not_certified(exponents, verdict):
    claim = with_formula(find(AMENDED), "rate_any_data", moved_rate(*exponents))
    found = [f.verdict for f in decided(claim, JUDGES[AMENDED]) if "<=O" in f.scope and f.reading is Reading.PRINTED]
    assert Verdict.CERTIFIED not in found if verdict is None else set(found) == {verdict}


def test_certificates_need_the_ball_and_the_bandwidth():
    for id in (AMENDED, PROOF_AMENDED):
        claim = find(id)
        bare = replace(claim, preconditions=claim.preconditions[1:])
        assert fold(decided(bare, JUDGES[id])) in (Verdict.OPEN, Verdict.REFUTED)
    wide = scaled(find(AMENDED), "bandwidth", 100, 1)
    assert fold(decided(wide, JUDGES[AMENDED])) is not Verdict.CERTIFIED


def test_multiple_compares_monomial_by_monomial():
    n, d = sympy.symbols("n d", positive=True)
    L = sympy.Symbol("L", positive=True)
    assert rates.multiple(3 * L / n, 1 / n + d, (n, d)) == 3 * L
    assert rates.multiple(1 / n + n, 1 / n + d, (n, d)) is None
    assert rates.multiple((1 + n * d) / n**2, 1 / n**2 + d / n, (n, d)) is not None
    assert rates.multiple(d - n, d, (n, d)) is None


def test_powers_along_a_path():
    N = rates.N
    assert rates.degree((3 * N**5 + 1) / (2 * N**3 + N)) == (2, True)
    assert rates.degree((1 - 3 * N) / sympy.sqrt(N)) == (sympy.Rational(1, 2), False)
    assert rates.leaves(N**-2, sympy.Max(N**-2, N**-3))
    assert not rates.leaves(N**-2, sympy.Max(N**-1, N**-3))
    assert rates.vanishes(N**-1)
    assert rates.stays(2 + 1 / N)
    assert not rates.stays(1 / N)
    assert rates.nonnegative_from_one(N - 1)
    assert not rates.nonnegative_from_one(N - 2)


@pytest.mark.parametrize("id", [ID, AMENDED, PROOF, PROOF_AMENDED])
def test_lambda_without_an_order_is_not_decided(id):
    """3 lambda + 1 is no root of a polynomial: rates are open, neither an error nor a refutation along a path."""
    claim = find(id)
    moved = with_formula(claim, "regularisation", lambda m, **v: 3 * claim.formulas["regularisation"](m, **v) + 1)
    moved.formulas["regularisation"].__signature__ = inspect.signature(claim.formulas["regularisation"])
    rate = replace(moved, asserts=tuple(a for a in claim.asserts if a.sign == "<=O" and a.left == "risk"))
    found = decided(rate, JUDGES[id])
    assert len(found) == len(rate.asserts)
    assert all(f.verdict is Verdict.OPEN for f in found)
    assert rates.degree(sympy.sqrt(rates.N**2 + 1) + 1) is None
