"""Private descent whose budget vanishes with n: the trained matrix decides no better than a coin, so its risk stays.

One law that meets every condition of the calibration claims: d = p = 1, x = 1, S = [-1, 1], c uniform on [1, 3]. E[c] = 2 =
B* x, the decision is -1 for B > 0, and for B <= 0 the SPO loss is 2 c (that of the worse end at B = 0): the excess SPO risk is
4 P(B <= 0).
"""

from collections.abc import Mapping
from typing import Any

import sympy

from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.losses.cost_laws import admitted
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

LAW: Mapping[str, Any] = {
    "face_diameter": sympy.Integer(0),
    "asymmetry": sympy.Integer(0),
    "singular_mass": sympy.Integer(0),
    "inradius": sympy.Integer(1),
    "largest_excess": sympy.Integer(-1),
    "least_cost": sympy.Integer(1),
    "decision_gap": sympy.Integer(0),
    "misfit": sympy.Integer(0),
}
"""The numbers of its conditions."""
ONE_LAW = Lemma(
    "costs on the line",
    "S = [-1, 1], x = 1, c uniform on [1, 3] given x: E[c|x] = 2, 0 <= c <= 4, symmetric, with a density; W*(2) = {-1}; S "
    "has interior; B* = 2. The SPO loss of B is 0 for B > 0 and 2 c for B <= 0, so the excess SPO risk is 4 P(B <= 0); "
    "projection onto an interval about 0 does not change the sign.",
)
COINS = Lemma(
    "directions that are fair coins",
    "On the line a half-sphere is a sign: B_{t+1} = B_t - eta |g| s_t, where s_t points to smaller loss with probability (1 "
    "+ q)/2, q = (e^epsilon - 1)/(e^epsilon + 1) <= epsilon/2. While |B_t| <= 1/4 and mu <= 1/2 the gradient is -4 for "
    "every c in [1, 3] (w_max = 1, w*(c) = -1), so L >= 4. Theorem 4's eta, by main text and by appendix, is at most "
    "sqrt(q) B_B/(2 L n^(3/2)) for n >= B_B, so with epsilon = n^-3 and T = n^2 iterates stay within 4 eta n^2 <= B_B/(2 n) "
    "of 0, which is at most 1/4 for n >= 2 B_B. With fair coins the average of the iterates is symmetric about 0: P(B <= 0) "
    ">= 1/2. Fair and actual coins differ in total variation by at most n^2 q/2 <= 1/(4 n). So P(B <= 0) >= 1/4 and the "
    "excess SPO risk is at least 1, for every n >= 2 B_B and every data set; a smaller parameter of each step, as Theorem 3 "
    "has it, only makes the coins fairer.",
)
DROWNED = Lemma(
    "gradients below their noise",
    "The average of B_1 = 0, ..., B_T is -eta times the sum over k < T, with weights k/T, of gradients, each in [-L, L] "
    "whatever the data and eta, and of independent N(0, sigma^2). So P(B <= 0) >= Phi(-L (T - 1)/(2 sigma sqrt(V))), V = (T "
    "- 1)(2 T - 1)/(6 T). With sigma^2 = 8 L^2 T ln(1/delta)/(n epsilon)^2, T = n^2, epsilon = 1/n and delta = 1/e the "
    "argument is -sqrt(3 (n^2 - 1)/(16 (2 n^2 - 1))), at least -sqrt(6)/8: the excess SPO risk is at least 4 "
    "Phi(-sqrt(6)/8), for every n.",
)


def coins(m: Numbers) -> Real:
    """The excess SPO risk that exponential descent keeps."""
    return m.real(1)


def drowned(m: Numbers) -> Real:
    """The excess SPO risk that Gaussian descent keeps."""
    return 4 * m.Phi(-m.sqrt(m.real(6)) / 8)


KEPT = {
    "excess_spo of exponential descent": (coins, COINS, -3),
    "excess_spo of Gaussian descent": (drowned, DROWNED, -1),
}
"""For each algorithm what its risk is at least, why, and the power of n that epsilon is."""


def against(claim: Claim, left: str, name: str) -> Finding:
    """`left <=O rate`: refuted where the rate vanishes along the path on which the risk does not."""
    least, lemma, power = KEPT[left]
    n = sympy.Symbol("n", positive=True)
    path = {"n": n, "epsilon": n**power, "delta": sympy.exp(-1), "d": sympy.Integer(1)}
    scope = f"{left} <=O {name}: d = p = 1, c uniform on [1, 3], S = [-1, 1]"
    rate = apply(claim.formulas[name], symbolic(), path)
    if not admitted(claim, LAW) or sympy.limit(sympy.simplify(rate), n, sympy.oo) != 0:
        reason = "no proof, and the rate does not vanish along the path on which the risk is known to stay"
        return Finding(scope=scope, verdict=Verdict.OPEN, reason=reason)
    m = arb()
    shown = {"n": m.real(10**8), "epsilon": m.real(10**8) ** power, "delta": m.exp(m.real(-1)), "d": m.real(1)}
    return refuted(
        scope,
        ends(apply(claim.formulas[name], m, shown))[1] + " times a constant",
        least(m),
        {"n": "100000000", "epsilon": f"n^{power}", "delta": "1/e", "d": "1"},
        method="the risk stays above a constant along a path on which the rate, in the limit by computer algebra, goes to 0",
        severity=Severity.RATE,
        survives="Bounds on the excess SPO+ risk with their own dependence on epsilon carry over where w*(c) = w*(E[c|x]).",
        rung=Rung.EXACT,
        lemmas=(ONE_LAW, lemma),
    )
