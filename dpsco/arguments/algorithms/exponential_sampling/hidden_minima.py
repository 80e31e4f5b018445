"""Bilevel objectives that are not convex and hide their minimum: from one mechanism, from every private algorithm, from every
algorithm of polynomial time.

All of them have f = y and g = (y - h(x))^2/2, so that Phi_Z = h whatever the slope of h: Assumption 2.1 does not bound it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import sympy

from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import (
    BEYOND_LOGARITHMS,
    never_negative,
    scale,
    symbols,
)
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Instance, grid
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.exponential_sampling.calibrated import score_scale
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.spec.losses.bilevel.assumptions import objective_is_convex
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity

UNIT = {"epsilon": 1, "d_x": 1, "L_fx": 0, "L_fy": 1, "L_gy": 1, "mu_g": 1, "D_x": 1, "D_y": 1}
OWN_LOGARITHMS = "logarithms of n, d_x, epsilon and the constants of the statement"
TIMES = ("cutting_plane_time", "subgradient_time")
ESCAPE = 1000
"""Of this many times e^{n epsilon} cells a private sampler finds the right one at most once in so many runs."""

CUSP = Lemma(
    "cusp",
    "X = [0, 1], h(x) = 1/ln(e/x), h(0) = 0: continuous, smooth for x > 0, of unbounded slope at 0; Y = [0, 1], so L_fy = L_gy "
    "= mu_g = D_x = D_y = 1, L_fx = 0: one problem for all n. The uniform law gives {h <= t} the mass e^{1 - 1/t}, so under "
    "the density ~ e^{-kh} P(h <= t) <= e^{1 - 1/t}/(e^{-2tk} e^{1 - 1/(2t)}) = e^{2tk - 1/(2t)} for 2t <= 1. At t = "
    "1/(4 sqrt(k)), k >= 1/4, the risk is at least t (1 - e^{-3 sqrt(k)/2}). It does not grow with k (its derivative in k is "
    "minus a variance), so the same holds at every smaller k.",
)
SPIKE = Lemma(
    "spike",
    "X = [0, 1], h = -max(0, 1 - |x - 1/2|/w), Y = [-1, 0]: L_fy = L_gy = mu_g = D_y = 1, L_fx = 0, for every w > 0 (rounded "
    "off, h is smooth). Phi_Z = h, min -1, and 0 outside a set of length 2w, where the weight is at most e^k times the weight "
    "elsewhere: P(spike) <= 2 w e^k/(1 - 2w), and the risk is at least 1 - P(spike).",
)
CELLS = Lemma(
    "one of many cells",
    "X = [0, 1]^d in M^d cells, one h for all records: h(x) = -(1 - 4 M^2 |x - c|^2)^3 within 1/(2M) of the centre c of one "
    "cell, 0 elsewhere. It is twice continuously differentiable, L_bar = max |grad h| <= 4M, Y = [-1, 0], L_fy = L_gy = mu_g = "
    "D_y = 1, L_fx = 0. For c uniform, q evaluations of f, g and their derivatives at points, each chosen after the answers "
    "before, and the output meet the cell of c with probability at most (q + 1)/M^d, for until then all answers are those of "
    "h = 0. So for some c the risk is at least 1 - (q + 1)/M^d.",
)
PACKING = Lemma(
    "a cell for each record",
    "X = [0, 1] in N >= 1000 e^{n epsilon} cells, records j = 1, ..., N with h_j as in 'one of many cells', d = 1, Y = [-1, "
    "0]. On n equal records j Phi_Z = h_j. n replacements give P_i(cell i) <= e^{n epsilon} P_1(cell i), and the cells are "
    "disjoint: the sum over i of P_i(cell i) is at most e^{n epsilon}, so for some i it is at most 1/1000, and the risk on "
    "that data set at least 0.999.",
    adjacencies=(Adjacency.REPLACE_ONE,),
)


def _convex(claim: Claim) -> bool:
    return objective_is_convex in claim.tests


def _shown(claim: Claim, values: Mapping[str, Any]) -> Instance | None:
    """The values as far as the claim has them, None where its domain or a precondition excludes them."""
    names = {p.name for p in claim.parameters}
    at = {name: str(value) for name, value in values.items() if name in names}
    return at if len(grid(claim, {}, fixed=[at])) else None


def cusp_risk(m: Numbers, k: Real) -> Real:
    """The lemma's lower bound, k >= 1/4."""
    return (1 - m.exp(-3 * m.sqrt(k) / 2)) / (4 * m.sqrt(k))


def slow_on_a_cusp(claim: Claim, asserts: tuple[Relation, ...]) -> Iterator[Finding]:
    """One fixed problem on which the exact draw's risk falls like (epsilon n)^{-1/2} at best, with 1/n throughout s."""
    n, c = sympy.Symbol("n", positive=True), symbols(claim)
    rate = apply(claim.formulas["rate"], symbolic(), {**UNIT, "n": n})
    k = 1 / (2 * apply(score_scale, symbolic(), {**UNIT, "n": n}))
    warmer = never_negative(apply(scale(claim), symbolic(), c) - apply(score_scale, symbolic(), c))
    ratio = cusp_risk(symbolic(), k) / (rate * n**BEYOND_LOGARITHMS)
    many = 10**12
    at = _shown(claim, {**UNIT, "n": many})
    if _convex(claim) or not warmer or at is None or sympy.limit(ratio, n, sympy.oo) != sympy.oo:
        return
    m = arb(128)
    least = cusp_risk(m, m.real(1) / (2 * apply(score_scale, m, {name: m.real(v) for name, v in {**UNIT, "n": many}.items()})))
    yield refuted(
        "risk against the rate on one fixed problem with a cusp, Phi_Z not convex, 1/n throughout s granted",
        str(sympy.N(rate.subs(n, many), 6)),
        (ends(least, 12)[0], "1"),
        at,
        method="lower bound on the risk of the exact draw; by computer algebra its ratio to the rate diverges with n, faster "
        "than any power of log n",
        severity=Severity.RATE,
        survives="With |grad_xy g| <= beta_gxy and 1/n throughout s it is at most (d_x/k)(1 + ln max(1, k L D_x/d_x)).",
        rung=Rung.EXACT,
        release=claim.releases,
        asserts=asserts,
        lemmas=(CUSP,),
    )


def lost_on_a_spike(claim: Claim, asserts: tuple[Relation, ...]) -> Iterator[Finding]:
    """A spike that the exact draw misses at every n."""
    n = sympy.Symbol("n", positive=True)
    rate = apply(claim.formulas["rate"], symbolic(), {**UNIT, "n": n})
    many, width = 10**6, "0.001"
    at = _shown(claim, {**UNIT, "n": many})
    if _convex(claim) or at is None or sympy.limit(rate * n**BEYOND_LOGARITHMS, n, sympy.oo) != 0:
        return
    m = arb(128)
    k = m.real(1) / (2 * apply(scale(claim), m, {name: m.real(value) for name, value in {**UNIT, "n": many}.items()}))
    inside = 2 * m.real(width) * m.exp(k) / (1 - 2 * m.real(width))
    yield refuted(
        f"risk against the rate on a spike, Phi_Z not convex, the hidden factors being {OWN_LOGARITHMS}",
        str(sympy.N(rate.subs(n, many), 6)),
        (ends(1 - inside, 12)[0], "1"),
        {**at, "w": width},
        method="1 - P(spike), enclosed; it tends to 1 with w -> 0 at every n, the rate times those logarithms to 0 with n",
        severity=Severity.RATE,
        survives="If the hidden factor may contain one logarithm of the slope of Phi_Z (here 1/w) it holds, with 1/n "
        "throughout s: (d_x/k)(1 + ln max(1, k L D_x/d_x)).",
        rung=Rung.EXACT,
        release=claim.releases,
        asserts=asserts,
        lemmas=(SPIKE,),
    )


def no_fast_algorithm(claim: Claim, asserts: tuple[Relation, ...], survives: str) -> Iterator[Finding]:
    """Existence of a sampler of polynomial time, private or not, with the loss: the minimum is in one of M^d cells, n = M."""
    M, p = sympy.Symbol("M", positive=True), sympy.Symbol("p", positive=True, integer=True)
    d = p + 2  # p: the degree of the polynomial in L_bar
    v = {**UNIT, "n": M, "d": d, "d_x": d, "D_x": sympy.sqrt(d)}
    share = [apply(claim.formulas[name], symbolic(), v) * (4 * M) ** p / M**d for name in TIMES]
    rate = apply(claim.formulas["rate"], symbolic(), v)
    p_shown, d_shown, M_shown = 7, 9, 10**15
    at = _shown(claim, {**UNIT, "n": M_shown, "d": d_shown, "d_x": d_shown, "D_x": 3})
    gone = all(sympy.limit(sympy.simplify(x), M, sympy.oo) == 0 for x in (*share, rate * M**BEYOND_LOGARITHMS))
    if _convex(claim) or at is None or not gone:
        return
    m = arb(128)
    missed = m.real(str(sympy.Max(*(x.subs({p: p_shown, M: M_shown}) for x in share)))) + m.real(10) ** -100
    yield refuted(
        "existence with loss and time, Phi_Z not convex: every algorithm that evaluates f and g at points, private or "
        "not, whatever the polynomial and the logarithms",
        str(sympy.N(rate.subs({p: p_shown, M: M_shown}), 6)),
        (ends(1 - missed, 12)[0], "1"),
        {**at, "M": str(M_shown), "p": str(p_shown), "L_bar": str(4 * M_shown)},
        method="computer algebra: for a polynomial of degree p in L_bar and d = p + 2 the share of the cells that can be "
        "looked at tends to 0 as n = M grows, and so does the loss times any power of log M; a unit of time for each "
        "evaluation, as the proof counts",
        severity=Severity.DOMAIN,
        survives=survives,
        rung=Rung.EXACT,
        adjacency=claim.adjacency,
        release=claim.releases,
        asserts=asserts,
        lemmas=(CELLS,),
    )


def no_private_sampler(claim: Claim, asserts: tuple[Relation, ...], survives: str) -> Iterator[Finding]:
    """Existence of an epsilon-DP sampler with the loss, in whatever time, where the logarithms do not know the slope."""
    n = sympy.Symbol("n", positive=True)
    rate = apply(claim.formulas["rate"], symbolic(), {**UNIT, "n": n})
    many = 10**6
    at = _shown(claim, {**UNIT, "n": many, "d": 1})
    if _convex(claim) or at is None or sympy.limit(rate * n**BEYOND_LOGARITHMS, n, sympy.oo) != 0:
        return
    yield refuted(
        f"existence with loss, Phi_Z not convex: every epsilon-DP algorithm, the hidden factors being {OWN_LOGARITHMS}",
        str(sympy.N(rate.subs(n, many), 6)),
        (str(sympy.N(1 - sympy.Rational(1, ESCAPE), 6)), "1"),
        {**at, "N": f"{ESCAPE} e^(n epsilon)"},
        method="group privacy over all n records and a packing; the rate times any power of log n tends to 0 at epsilon = 1. "
        "(A factor ln(L_bar), here of order n epsilon, would make up for it.)",
        severity=Severity.DOMAIN,
        survives=survives,
        rung=Rung.EXACT,
        adjacency=claim.adjacency,
        release=claim.releases,
        asserts=asserts,
        lemmas=(PACKING,),
    )
