"""What one step of regularised mirror descent does to the divergence from the minimiser: proved, and reached on the line.

In y = alpha/(2 beta), over the divergence or over |g|_*^2, at Young's constant a = 1/alpha.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.algorithms.mirror_descent import overshoot
from dpsco.arguments.algorithms.mirror_descent.geometric import BETA, WHOLE, Y, closed, known
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.algorithms.mirror_descent.regularised_steps import potential_is_strongly_convex, start_dominates
from dpsco.spec.claim import Claim
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

G = sympy.Symbol("noise_norm", positive=True)
CHOICE = 1 / (2 * Y * BETA)
FACTOR = 1 / (1 + Y)
"""Proved: beta/(beta + alpha/2)."""
NOISE = 1 / (2 * Y * BETA**2 * (1 + Y))
"""Proved: (1/alpha)/(beta + alpha/2), times |g|_*^2."""
STEP = Lemma(
    "one step by display (13)",
    "f = mean loss + alpha Phi is (alpha + beta)-smooth and alpha-strongly convex relative to a 1-strongly convex Phi "
    "(lp/lem-11). With the three-point property and <g, v> <= a |g|_*^2 + |v|^2/(4a) <= a |g|_*^2 + D_Phi(w, w_{t+1})/(2a): "
    "f(w_{t+1}) - f(w) <= beta D_t - (alpha + beta - 1/(2a)) D_{t+1} + a |g|_*^2. At w = w*_alpha the left side is at least 0, "
    "and a = 1/alpha makes alpha + beta - 1/(2a) = beta + alpha/2 > 0.",
)
ZERO = Lemma(
    "losses that vanish",
    "On the line with Phi = w^2/2 and every loss 0, w*_alpha = 0 and w_{t+1} = (beta w_t - g)/(alpha + beta). Without noise "
    "D_{t+1} = D_t/(1 + 2 y)^2. With it, the largest D_{t+1} - c D_t over w_t is g^2 (1 + b/(c - b))/(2 (alpha + beta)^2), b "
    "= 1/(1 + 2 y)^2, for c > b.",
)


def stated(claim: Claim) -> tuple[Any, Any]:
    """The claim's factor, and its noise over |g|_*^2; None for what is no rational expression."""
    factor, noise = (closed(claim, name, a=CHOICE, noise_norm=G) for name in ("one_step_factor", "one_step_noise"))
    return factor, None if noise is None else sympy.cancel(noise / G**2)


def kept() -> Any:
    """What a step without noise leaves of the divergence on the line."""
    return 1 / (1 + 2 * Y) ** 2


def added(factor: Any) -> Any:
    """What the noise adds there beyond `factor` times the divergence, over g^2."""
    return sympy.cancel(kept() / (2 * BETA**2) * (1 + kept() / (factor - kept())))


SURVIVES = "For every Phi that is 1-strongly convex in |.| it holds with constant 1."
CONSTANTS = (1, 2, 4, 8)
NO_STEP = Finding(scope="one step", verdict=Verdict.OPEN, reason="not proved, and not exceeded on the line")


def divergence(claim: Claim) -> Iterator[Finding]:
    """What a step leaves of the divergence and adds by noise: proved, or exceeded on the line or by the printed potential."""
    scope = "one step: the divergence from w*_alpha, alpha <= 2 beta"
    if potential_is_strongly_convex not in claim.tests:
        yield _parts(claim, scope)
        return
    factor, noise = stated(claim)
    if factor is None or noise is None:
        yield replace(NO_STEP, scope=scope)
        return
    enough = known(FACTOR, factor, WHOLE) in ("<", "<=", "=")
    constant = next((k for k in CONSTANTS if known(NOISE / noise, k, WHOLE) in ("<", "<=", "=")), None)
    if enough and constant is not None and start_dominates in claim.tests:
        yield certified(
            f"{scope}, every 1-strongly convex Phi",
            f"computer algebra: the factor is at least 1/(1 + y), y = alpha/(2 beta); the noise with constant {constant}",
            STEP,
            given=(start_dominates, potential_is_strongly_convex),
            reason="With the printed Phi it may be false: p = 3/2, d = 1e12, alpha = beta, no noise, 1e-4 becomes 624 "
            "(lp/thm-7).",
        )
        return
    small = next((y for y in SHARES if (factor - kept()).subs({Y: y, BETA: 1}) < 0), None)
    if small is not None:
        yield _exceeded(scope, "a step without noise", factor.subs({Y: small, BETA: 1}), kept().subs(Y, small), small)
    elif enough and sympy.limit((added(factor) / noise).subs(BETA, 1), Y, 0) == sympy.oo:
        yield _exceeded(scope, "the noise, over its term, alpha -> 0", "bounded", sympy.oo, sympy.Integer(0))
    else:
        yield replace(NO_STEP, scope=scope)


SHARES = tuple(sympy.Rational(1, k) for k in (1, 2, 10, 1000))


def _exceeded(scope: str, what: str, claimed: Any, computed: Any, y: Any) -> Finding:
    return refuted(
        scope,
        str(claimed),
        ("inf", "inf") if computed == sympy.oo else (str(computed), str(computed)),
        {"alpha": str(2 * y) if y else "-> 0", "beta": "1"},
        method=f"{what} on the line, beta = 1, exact",
        severity=Severity.RATE if computed == sympy.oo else Severity.CONSTANT,
        survives="A step leaves 1/(1 + alpha/(2 beta)) of the divergence and adds |g_t|_*^2/(alpha (beta + alpha/2)).",
        rung=Rung.EXACT,
        lemmas=(ZERO,),
    )


def _parts(claim: Claim, scope: str) -> Finding:
    """The printed potential, the first step without noise."""
    m, at = arb(192), {"L": "1", "beta": "1", "alpha": "1", "d": "1e12", "noise_norm": "0"}
    v = {name: m.real(value) for name, value in at.items()} | {"a": m.real(1)}
    before, after = overshoot.start(m, v), overshoot.after_first_step(m, v)
    claimed = apply(claim.formulas["one_step_factor"], m, v) * before + apply(claim.formulas["one_step_noise"], m, v)
    if m.gt(after, claimed) is not True:
        return replace(NO_STEP, scope=scope)
    return refuted(
        f"{scope}, with the printed Phi",
        claimed,
        after,
        {**at, "p": overshoot.P, "kappa": overshoot.KAPPA},
        method="the first step without noise, enclosed: no constant of the noise matters",
        severity=Severity.CONCLUSION,
        survives=SURVIVES,
        lemmas=(overshoot.ALONG,),
    )


def noise(claim: Claim) -> Iterator[Finding]:
    """The noise of a step at the choice of Young's constant against its rate."""
    scope, term = "the noise of one step at a = 1/alpha", stated(claim)[1]
    rate = closed(claim, "one_step_noise_rate", noise_norm=G)
    quotient = None if term is None or rate is None else sympy.cancel(term * G**2 / rate)
    constant = None if quotient is None else next((k for k in CONSTANTS if known(quotient, k, {}) in ("<", "<=", "=")), None)
    if constant is not None:
        method = f"computer algebra: the quotient is {quotient} <= {constant}, y = alpha/(2 beta)"
        yield certified(scope, method)
    elif quotient is not None and sympy.limit(quotient.subs(BETA, 1), Y, 0) == sympy.oo:
        yield _exceeded(scope, "its term over the rate", "bounded", sympy.oo, sympy.Integer(0))
    else:
        yield replace(NO_STEP, scope=scope)
