"""No private algorithm finds the bottom of one well among many: a lower bound on the mean gradient that every claim must meet.

All n records are equal; record w puts a well at w, and its gradient is 1 wherever |x - w| >= 1/2.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import sympy

from dpsco.arguments.algorithms.descent.bilevel_gradients import constants
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Instance, grid
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.exponential_sampling.calibrated import score_scale
from dpsco.spec.algorithms.exponential_sampling.utility import outer_scale
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.losses.bilevel.hypergradient import gradient_bound
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity

WELLS = Lemma(
    "one of many wells",
    "Wells at w in W, |w| = 1, at least 1 apart, |W| = M, n equal records w, Phi_w = rho(|x - w|), rho(r) = r^2 up to 1/2 and "
    "r - 1/4 beyond: |grad Phi_w| = 1 wherever |x - w| >= 1/2, and w, where it is 0, lies in the unit ball X, D_x = 2. P_0 is "
    "the law on n equal records w_0: replacing them all, P_w(|A - w| < 1/2) <= e^{n epsilon} P_0(|A - w| < 1/2) + delta (e^{n "
    "epsilon} - 1)/(e^epsilon - 1). The open balls are disjoint, so for some w the mean gradient is at least 1 - e^{n "
    "epsilon}/M - delta (e^{n epsilon} - 1)/(e^epsilon - 1), whatever the algorithm.",
    (Adjacency.REPLACE_ONE,),
)
CORNERS = Lemma(
    "many wells",
    "For d = 1 the two points of norm 1. For larger d corners of the cube of side 2/sqrt(d), chosen greedily at Hamming "
    "distance d/4 at least, so at distance 1 at least: e^{d/8} of them, for a Hamming ball of radius d/4 holds a share of at "
    "most e^{-d/8} of all corners (Hoeffding).",
)
CLOSE = Lemma(
    "one of many wells that lie close",
    "The same wells at a largest set of points of the unit ball at least r = e^-3 apart: balls of radius r around them cover "
    "it, so there are r^-d = e^{3 d} at least. |grad Phi_w| >= r wherever |x - w| >= r/2, and the open balls of radius r/2 "
    "are disjoint: for some w the mean gradient is at least r (1 - e^{n epsilon - 3 d} - delta (e^{n epsilon} - 1)/(e^epsilon "
    "- 1)).",
    (Adjacency.REPLACE_ONE,),
)
UPPER = Lemma(
    "well in the upper problem",
    "f = rho(|x - w|), g = |y|^2/2, Y = {0}: L_fx = beta_gyy = mu_g = 1, beta_fxx = 2, beta_fxy = 1 with slack, all others 0: "
    "K = 4, C = 1, beta_Phi = 2.",
)
FLAT = Lemma(
    "no stationary point",
    "f = x_1, g = |y|^2/2: |grad Phi_Z| = 1 everywhere, whatever is released. L_fx = beta_gyy = mu_g = 1, all others 0.",
)
BEYOND_LOGARITHMS = sympy.Rational(1, 16)
"""t to this power exceeds every power of log t in the end."""


PROBLEM = {"L_fx": 1, "beta_fxx": 2, "beta_fxy": 1, "beta_gyy": 1}
"""The constants of `UPPER` that are not 0; mu_g is 1."""
RUNS: tuple[Instance, ...] = tuple(
    {"epsilon": epsilon, "delta": delta, "n": n, "d_x": d}
    for delta, sizes in (
        ("0.5", (("1e-9", "1", "1"), ("1e30", "1", "8e30"), ("1e100", "1", "9e100"))),
        ("1e-60", (("1e-9", "1", "1"), ("1e-9", "1000", "1"), ("0.000001", "1000000", "17"), ("1", "100", "820"))),
    )
    for epsilon, n, d in sizes
)


def kept(m: Numbers, v: Mapping[str, Real]) -> Real:
    """The lower bound of the lemma at epsilon, delta, n and d_x."""
    group = v["n"] * v["epsilon"]
    many = m.exp(v["d_x"] / 8)
    wells = m.max(m.real(2), many)
    return 1 - m.exp(group) / wells - v["delta"] * m.expm1(group) / m.expm1(v["epsilon"])


def kept_when_close(m: Numbers, v: Mapping[str, Real]) -> Real:
    """The lower bound of the lemma `CLOSE`."""
    group = v["n"] * v["epsilon"]
    lost = v["delta"] * m.expm1(group) / m.expm1(v["epsilon"])
    return m.exp(m.real(-3)) * (1 - m.exp(group - 3 * v["d_x"]) - lost)


def known(m: Numbers, n: Real) -> dict[str, Real]:
    """All constants of the problem, with those that the paper computes from them."""
    v = {**constants(m, **PROBLEM), "n": n, "D_x": m.real(2), "D_y": m.real(0), "gap_inside": m.real(0)}
    v |= {"s": apply(score_scale, m, v), "Psi": apply(outer_scale, m, v), "L_bar": apply(gradient_bound, m, v)}
    return v


def claimed_at(claim: Claim, m: Numbers, v: dict[str, Real], name: str) -> Real:
    """The claim's formula, its own intermediate quantities put in first."""
    v = {**v, "d": v["d_x"]}
    for key, formula in (("s", "s"), ("Psi", "Psi_defined"), ("L_bar", "L_bar_defined"), ("gap_bound", "gap_bound_chosen")):
        if formula in claim.formulas:
            v[key] = apply(claim.formulas[formula], m, v)
    for key in ("descent", "warm_start", "sampling"):
        if f"by_{key}" in {p.name for p in claim.parameters}:
            v[f"by_{key}"] = apply(claim.formulas[key], m, v)
    if "trivial" in claim.formulas:
        v["L_bar"] = apply(claim.formulas["trivial"], m, v)
    return apply(claim.formulas[name], m, v)


def too_small(claim: Claim, name: str) -> tuple[Instance, Real, Real] | None:
    """An instance, the claimed mean gradient and a larger one that every private algorithm has."""
    for at in RUNS:
        if not len(grid(claim, {}, fixed=[at])):
            continue
        m = arb(1000)
        run = {key: m.real(value) for key, value in at.items()}
        least, claimed = kept(m, run), claimed_at(claim, m, {**known(m, run["n"]), **run}, name)
        if m.gt(least, claimed) is True:
            return at, claimed, least
    return None


def refuted_by_wells(claim: Claim, name: str, scope: str, survives: str) -> Finding | None:
    """The finding where a private algorithm would have to be better than any can be."""
    found = too_small(claim, name)
    if found is None:
        return None
    at, claimed, least = found
    return refuted(
        scope,
        ends(claimed)[1],
        (ends(least)[0], "1"),
        {**at, "D_x": "2", "K": "4", "C": "1"},
        method="lower bound on the mean gradient of every private algorithm, enclosed",
        severity=Severity.CONSTANT,
        survives=survives,
        adjacency=claim.adjacency,
        release=claim.releases,
        lemmas=(WELLS, CORNERS, UPPER),
    )


def along_epsilon(claim: Claim, name: str, survives: str) -> Iterator[Finding]:
    """n = 1, delta = 1/2, d_x = epsilon/2, epsilon -> infinity: the rate vanishes, the mean gradient is 0.02 at least."""
    t = sympy.Symbol("t", positive=True)
    run = {"epsilon": t, "delta": sympy.Rational(1, 2), "n": sympy.Integer(1), "d_x": t / 2}
    symbols: dict[str, Any] = {**known(symbolic(), sympy.Integer(1)), **run, "d": t / 2}
    printed = apply(claim.formulas[name], symbolic(), symbols)
    parts = printed.args if isinstance(printed, sympy.Min) else (printed,)
    if not any(sympy.limit(part * t**BEYOND_LOGARITHMS, t, sympy.oo) == 0 for part in parts):
        return
    m = arb(400)
    far = {"epsilon": "1e40", "delta": "0.5", "n": "1", "d_x": "5" + 39 * "0"}
    at = {key: m.real(value) for key, value in far.items()}
    v = {**known(m, at["n"]), **at}
    yield refuted(
        "every (epsilon, delta)-DP algorithm, n = 1, delta = 1/2, d_x = epsilon/2 < n epsilon, epsilon -> infinity",
        ends(claimed_at(claim, m, v, name))[1],
        (ends(kept_when_close(m, at))[0], "1"),
        {**far, "D_x": "2", "L_fx": "1", "K": "4", "C": "1"},
        method="computer algebra: the rate tends to 0 like a power of epsilon, which no logarithm makes up for; the mean "
        "gradient stays at e^-3 (1/2 - e^{-epsilon/2}) at least",
        severity=Severity.DOMAIN,
        survives=survives,
        rung=Rung.EXACT,
        adjacency=claim.adjacency,
        release=claim.releases,
        lemmas=(WELLS, CLOSE, UPPER),
    )


def nowhere_flat(claim: Claim, name: str, survives: str) -> Iterator[Finding]:
    """A problem without a stationary point, where the claim does not ask for one: n -> infinity."""
    n = sympy.Symbol("n", positive=True)
    fixed = {"epsilon": sympy.Integer(1), "delta": sympy.Rational(1, 2), "d_x": sympy.Integer(1), "d": sympy.Integer(1), "n": n}
    printed = apply(claim.formulas[name], symbolic(), fixed)
    parts = printed.args if isinstance(printed, sympy.Min) else (printed,)
    if not any(sympy.limit(part * n**BEYOND_LOGARITHMS, n, sympy.oo) == 0 for part in parts):
        return
    m = arb(128)
    at = {"epsilon": "1", "delta": "0.5", "d_x": "1", "n": "1000000000000"}
    yield refuted(
        "Phi_Z without a stationary point, n -> infinity",
        ends(apply(claim.formulas[name], m, {key: m.real(value) for key, value in at.items()}))[1],
        "1",
        {**at, "L_fx": "1"},
        method="computer algebra: the rate tends to 0 with n, faster than any power of log n makes up for; |grad Phi_Z| = 1",
        severity=Severity.DOMAIN,
        survives=survives,
        rung=Rung.EXACT,
        adjacency=claim.adjacency,
        release=claim.releases,
        lemmas=(FLAT,),
    )
