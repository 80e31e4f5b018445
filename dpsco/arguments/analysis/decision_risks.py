"""Rates from below for private predict-then-optimize training: on some law, and on the packed data sets themselves."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.analysis import decision_minimax as known
from dpsco.arguments.analysis import packed_costs as packed
from dpsco.arguments.comparing import admits, certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import form
from dpsco.reference.analysis.lower_bounds.packing import risk, unit
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.analysis.lower_bounds.packing import delta_is_small
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Severity, Verdict, as_step

ROOT_ONLY = "Some law has risk at least a multiple of n^(-1/2), private or not; and the amended theorem."
AT_ONCE = "For d >= 2 the risk on one of the packed data sets is at least d - 1, for every epsilon."
q = {name: sympy.Symbol(name, positive=True) for name in ("n", "d", "epsilon", "delta", "s")}


def population_risk(claim: Claim) -> Iterator[Finding]:
    """Theorem 5: some law of (c, x), every algorithm; and the step of its proof, the uniform law on the packed data."""
    scope = "expected excess population risk, every algorithm and every n, some law with p = 2"
    bad = known.beaten(claim, "rate", scope, ROOT_ONLY, pure=True)
    if bad is not None:
        yield bad
    elif known.of_order(claim, "rate", 1 / sympy.sqrt(q["n"]), (form(n=1),), {"epsilon": sympy.log(1 + q["s"])}):
        method = "the rate is O(n^(-1/2)) by its exponents, and n^(-1/2) is a lower bound"
        remark = "The bound owes nothing to privacy: h/n <= n^(-1/2). The parts of the proof are judged by themselves."
        yield certified(scope, method, known.FOUR_LAWS, adjacency=claim.adjacency, reason=remark)
    else:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="no algorithm of those tried beats it, and no proof")
    yield from (as_step(found) for found in constant_answer(claim, "rate"))


def on_packed(m: Numbers, d: int) -> dict[str, Any]:
    """The cost e_1, the prediction 1/2 everywhere, and the optimum e_1/2."""
    cost = unit(m, d, 0)
    return {"c": cost, "c_hat": [m.frac(1, 2)] * d, "c_star": [c / 2 for c in cost], "w_star": [-c for c in cost]}


def constant_answer(claim: Claim, name: str) -> Iterator[Finding]:
    """At d = 1 the constant 1/2 has no excess on the packed data, on S = {w >= -1}; the claimed rate there is positive."""
    m = arb()
    at = {"d": "1", "n": "1", "epsilon": "1", "delta": "0.5"}
    values = {**on_packed(m, 1), **{quantity: m.real(value) for quantity, value in at.items()}}
    if not admits(claim, arb(256), values):
        return
    excess = risk(m, [values["c"]], values["c_hat"], m.real(packed.REACH)) - risk(m, [values["c"]], [m.real(1)], m.real(1))
    rate, scope = apply(claim.formulas[name], m, values), f"{name} on the packed data sets themselves, d = 1"
    if not (m.eq(excess, m.real(0)) is True and m.gt(rate, excess) is True):
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="the rate at d = 1 is not certainly above the excess 0")
        return
    how = "the exact risk of an answer that reads no data, 0, against the rate, which is positive"
    said, lemmas = f"at least a multiple of {packed.shown(rate)}", (packed.CONSTANT, packed.CONE)
    yield refuted(scope, said, excess, at, how, Severity.DOMAIN, AT_ONCE, lemmas=lemmas, adjacency=claim.adjacency)


def ball_risk(claim: Claim) -> Iterator[Finding]:
    """Theorem 8, with and without its repair."""
    scope = "expected excess population risk, hidden constants a multiple of L B_B"
    found = [known.beaten(claim, "rate", scope, ROOT_ONLY, False, [path]) for path in known.PATHS]
    bad = [replace(f, scope=f"{scope}: {f.at['path']}") for f in found if f is not None]
    yield from bad
    lower = 1 / sympy.sqrt(q["n"]) + 1 / sympy.Max(1, q["n"] * q["epsilon"] / sympy.sqrt(q["d"]))
    domain = (form(n=1), form(d=1), form(epsilon=-1))
    bounded = claim.parameter("epsilon").domain.contains(arb(), "1.0001") is False
    if not bad and bounded and known.of_order(claim, "rate", lower, domain, {}):
        method = "the rate is O(n^(-1/2) + min(1, sqrt(d)/(n epsilon))) by its exponents; both are lower bounds"
        lemmas = (known.TWO_LAWS, known.FINGERPRINT)
        yield certified(scope, method, *lemmas, adjacency=claim.adjacency, given=(delta_is_small,))
    elif not bad:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="no algorithm of those tried beats it, and no proof")


def in_plane(m: Numbers, n: Real, epsilon: Real) -> dict[str, Any]:
    """The constant 1/2 on packed data, d = 2, delta = 1/4."""
    return {**known.point(n, m.real(2), epsilon, m.frac(1, 4)), **on_packed(m, 2)}


HALVES = tuple(
    known.Path(says, at, packed.CONSTANT, lambda m, v: v["d"] - 1)
    for says, at in (
        ("n = 1, d = 2, epsilon = 1/N", lambda m, N: in_plane(m, m.real(1), 1 / N)),
        ("n = 1, d = 2, epsilon = ln(1 + N)", lambda m, N: in_plane(m, m.real(1), m.log(1 + N))),
        ("n = N, d = 2, epsilon = 1", lambda m, N: in_plane(m, N, m.real(1))),
    )
)


def packed_risk(claim: Claim, name: str) -> Iterator[Finding]:
    """A rate from below on the packed data sets: d = 1 and d >= 2."""
    yield from constant_answer(claim, name)
    scope = f"{name} on the packed data sets, d >= 2"
    bad = known.beaten(claim, name, scope, AT_ONCE, True, HALVES)
    if bad is not None:
        yield bad
    elif known.of_order(claim, name, sympy.Integer(1), (form(n=1),), {"epsilon": sympy.log(1 + q["s"])}):
        method = "the rate is bounded by its exponents, the excess at least d - 1 >= 1"
        yield certified(scope, method, packed.SUPPORT, packed.CONE, adjacency=claim.adjacency)
    else:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="no constant answer beats it, and no proof")
