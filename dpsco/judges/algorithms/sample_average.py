"""Judge of the order quantity that ignores features: each step from the order statistic to its deviation and excess cost.

Contradicted at y ~ N(0, 1), r = 1/2, where the order is a median whose exact law is a binomial tail.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.analysis.order_statistic import (
    CHERNOFF,
    COUNTED,
    MONOTONE,
    PINSKER,
    below_level,
    median_misses,
    order_above,
)
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import Formula, compared, every_sign, order, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Instance, grid
from dpsco.mutants.algorithms import sample_average as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.sample_average import deviation_is_local, slope_is_attained, tolerance_is_local
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Rung, Severity

LIPSCHITZ = Lemma(
    "Lipschitz cost",
    "c(u) = r u^+ + (1 - r) u^- has slopes r and -(1 - r): |c(y - a) - c(y - b)| <= r_bar |a - b| for every y. With a = q_hat, "
    "b = <theta*, x> and the triangle inequality through q*, in expectation, or given the sample.",
)
SMOOTH = Lemma(
    "the density is positive",
    "With feature part N(a, z^2), z > 0 (the paper divides by z), F_y'(t) = E phi((t - a - error)/z)/z is continuous and "
    "positive, so F_y'(q*)/2 bounds the slope of all chords from q* within some tau.",
)
SPREAD = Lemma("features spread", "<theta*, x> ~ N(a, z^2), z > 0: E|<theta*, x> - q*| >= E|N(0, z^2)| = z sqrt(2/pi) > 0.")
PERFECT = Lemma(
    "features that tell nearly all",
    "r = 1/2, y = x + error, x ~ N(0, 1), error ~ N(0, k^2): theta* = 1, q* = 0, the best linear order costs (k/2) sqrt(2/pi), "
    "and every constant order at least (1/2) sqrt(2/pi) sqrt(1 + k^2). E|q_hat| is finite and tends to 0 in n.",
)
DIVIDED = "rebuilt: read with a feature part of positive variance, by which the proof of Lemma EC.7 divides"
LEVELS = ("0.0009765625", "0.25", "0.5", "0.75")
CHANCES = ("0.001", "0.25", "0.3", "0.5", "0.501", "0.75", "0.9", "0.999")
NORMAL = (("0.01", "0.3989"), ("0.2", "0.3962"), ("1", "0.3413"))
"""For N(0, 1) at its median: tau, and a slope just below that of the chord of length tau, the least one within it."""


def _laws(claim: Claim, sizes: Sequence[str], **axes: Sequence[str]) -> list[Instance]:
    """Instances with demand N(0, 1) that the claim admits."""
    fixed = [{"r": "0.5", "tau": tau, "s": s, "smallest_slope": s} for tau, s in NORMAL]
    return list(grid(claim, {"n": sizes, **axes}, fixed))


def _chances(claim: Claim, least: bool) -> list[Instance]:
    tried = grid(claim, {"n": ("1", "2", "3", "40"), "r": LEVELS, "p": CHANCES})
    return [i for i in tried if not least or float(i["p"]) >= float(i["r"])]


def _decided(left: Formula, sign: str, right: Formula, known: bool | str, tried: Any, **words: Any) -> Finding:
    strongest = known if isinstance(known, str) else "<=" if known else None
    return compared(words.pop("scope"), left, sign, right, known=strongest, instances=tried, **words)


def counted(claim: Claim, sign: str) -> Iterator[Finding]:
    """The order statistic's law against the binomial event that is printed for it."""
    yield _decided(
        order_above,
        sign,
        below_level,
        True,
        _chances(claim, least=False),
        scope="every continuous law, n, r and e",
        method="written lemma",
        severity=PROOF_STEP,
        survives="The left side is at most the right one; they differ where n r is an integer.",
        lemmas=(COUNTED,),
    )


def chernoff(claim: Claim, sign: str) -> Iterator[Finding]:
    """The printed exponential bound of the binomial tail."""
    a, b, n = sympy.symbols("a b n", positive=True)
    r, p = 1 / (1 + a), 1 / (1 + b)
    printed = sympy.log(apply(claim.formulas["binomial_tail"], symbolic(), {"n": n, "r": r, "p": p}))
    tilt = sympy.simplify(r * (1 - p) / (p * (1 - r)))
    bound = n * (-r * sympy.log(tilt) + sympy.log(1 - p + p * tilt))
    spare = sympy.simplify(sympy.expand_log(sympy.factor(sympy.expand_log(printed, force=True) - bound, deep=True), force=True))
    yield _decided(
        below_level,
        sign,
        claim.formulas["binomial_tail"],
        order(spare) in ("=", ">", ">="),
        _chances(claim, least=True),
        scope="the binomial tail, every n, r and p >= r",
        method="computer algebra: the printed bound is Chernoff's at its best l",
        severity=Severity.CONSTANT,
        survives="exp(-n KL(r | p)) bounds it.",
        lemmas=(CHERNOFF,),
    )


def pinsker(claim: Claim, sign: str) -> Iterator[Finding]:
    """KL against the printed square: equal at p = r, and farther apart as p leaves r."""
    r, p, b = sympy.Symbol("r", positive=True), sympy.Symbol("p", positive=True), sympy.Symbol("b", positive=True)
    values = {"r": r, "p": p}
    gap = apply(claim.formulas["kl"], symbolic(), values) - apply(claim.formulas["pinsker"], symbolic(), values)
    slope = sympy.factor(sympy.simplify(sympy.diff(gap, p) / (p - r)).subs(p, 1 / (1 + b)))
    known = bool(slope.is_nonnegative) and sympy.simplify(gap.subs(p, r)) == 0
    yield _decided(
        claim.formulas["kl"],
        sign,
        claim.formulas["pinsker"],
        ">=" if known else False,
        [i for i in grid(claim, {"r": (*LEVELS, "0.999"), "p": CHANCES}) if i["r"] != i["p"]],
        scope="Pinsker's inequality for two chances, every r and p",
        method="computer algebra: the slope of the difference in p has the sign of p - r",
        severity=Severity.CONSTANT,
        survives="KL(a | b) >= 2 (a - b)^2.",
    )


def _two_chernoff(claim: Claim) -> bool:
    """Whether deviation_tail_kl is exp(-n KL(r | r + s e)) + exp(-n KL(r | r - s e))."""
    n, r, s, e = sympy.symbols("n r s tolerance", positive=True)

    def bound(p: Real) -> Real:
        return sympy.exp(-n * (r * sympy.log(r / p) + (1 - r) * sympy.log((1 - r) / (1 - p))))

    printed = apply(claim.formulas["deviation_tail_kl"], symbolic(), {"n": n, "r": r, "s": s, "tolerance": e})
    return bool(sympy.simplify(printed - bound(r + s * e) - bound(r - s * e)) == 0)


def deviates(claim: Claim, sign: str) -> Iterator[Finding]:
    """The chance of a distance e against the sum of both Chernoff bounds at the chord's slope."""

    def left(m: Numbers, n: Real, tolerance: Real) -> Real:
        return median_misses(m, n, tolerance)

    yield _decided(
        left,
        sign,
        claim.formulas["deviation_tail_kl"],
        _two_chernoff(claim),
        _laws(claim, ("1", "2", "100", "3000"), tolerance=("0.009", "0.19")),
        scope="the deviation, every n and e < tau",
        method="computer algebra: the printed sum is that of both Chernoff bounds",
        severity=Severity.CONSTANT,
        survives="exp(-n KL(r | r + s e)) + exp(-n KL(r | r - s e)) bounds it.",
        lemmas=(COUNTED, CHERNOFF, MONOTONE),
        given=(slope_is_attained, tolerance_is_local),
    )


def simplified(claim: Claim, sign: str) -> Iterator[Finding]:
    """Both bounds in KL against the printed Gaussian one, by Pinsker's inequality."""
    n, s, e = sympy.symbols("n s tolerance", positive=True)
    printed = sympy.log(apply(claim.formulas["deviation_tail"], symbolic(), {"n": n, "s": s, "tolerance": e}))
    spare = sympy.simplify(sympy.expand_log(printed, force=True) - sympy.log(2) + 2 * n * s**2 * e**2)
    yield _decided(
        claim.formulas["deviation_tail_kl"],
        sign,
        claim.formulas["deviation_tail"],
        _two_chernoff(claim) and order(spare) in ("=", ">", ">="),
        _laws(claim, ("1", "2", "100", "3000"), tolerance=("0.009", "0.19")),
        scope="from KL to squares, every n, r, s and e with r - s e and r + s e in (0, 1)",
        method="computer algebra, and KL(r | r +- s e) >= 2 s^2 e^2",
        severity=Severity.CONSTANT,
        survives="2 exp(-2 n s^2 e^2) bounds it.",
        lemmas=(PINSKER,),
        given=(tolerance_is_local,),
    )


def likely(claim: Claim) -> Iterator[Finding]:
    """The printed deviation against the failure probability gamma."""
    printed = claim.formulas["deviation"]

    def left(m: Numbers, n: Real, s: Real, gamma: Real) -> Real:
        return median_misses(m, n, apply(printed, m, {"n": n, "s": s, "gamma": gamma}))

    def right(m: Numbers, gamma: Real) -> Real:
        return gamma

    n, s, nats = sympy.symbols("n s nats", positive=True)
    asked = apply(printed, symbolic(), {"n": n, "s": s, "gamma": 2 * sympy.exp(-nats)})
    spare = sympy.simplify(sympy.expand_log(2 * n * s**2 * asked**2, force=True) - nats)
    yield _decided(
        left,
        "<=",
        right,
        order(spare) in ("=", ">", ">=") and bool(sympy.simplify(asked).is_positive),
        _laws(claim, ("100", "4000"), gamma=("0.9", "0.1", "1e-6", "1e-20")),
        scope="the deviation with probability 1 - gamma, n large enough that it is below tau",
        method="computer algebra: 2 exp(-2 n s^2 deviation^2) <= gamma; r +- s e lie in (0, 1) as F_y does",
        severity=Severity.CONSTANT,
        survives="sqrt(ln(2/gamma)/(2n))/s is enough.",
        lemmas=(COUNTED, CHERNOFF, MONOTONE, PINSKER),
        given=(slope_is_attained, deviation_is_local),
    )


def excess(claim: Claim) -> Iterator[Finding]:
    """The excess cost against r_bar times both distances; beside it the same given the sample."""
    printed, scope = claim.formulas["risk_bound"], "excess expected cost, every distribution and n"
    m = arb()
    mean, k = m.sqrt(2 / m.pi), m.real("0.001")
    at = {"r_bar": m.frac(1, 2), "quantile_error": m.real("1e-6"), "feature_gap": mean}
    claimed, least = apply(printed, m, at), mean * (m.sqrt(1 + k**2) - k) / 2
    if m.gt(least, claimed) is True:
        yield refuted(
            scope,
            claimed,
            least,
            {"r": "0.5", "k": "0.001", "quantile_error": "1e-6 at most"},
            method="a law whose features tell nearly all, n large, enclosed",
            severity=Severity.CONSTANT,
            survives="r_bar (E|q_hat - q*| + E|<theta*, x> - q*|) bounds it.",
            lemmas=(PERFECT,),
        )
        return
    a, b, c = sympy.symbols("r_bar quantile_error feature_gap", positive=True)
    spare = sympy.simplify(apply(printed, symbolic(), {"r_bar": a, "quantile_error": b, "feature_gap": c}) - a * (b + c))
    holds = order(spare) in ("=", ">", ">=")
    yield proved(scope, holds, "the printed bound is that of the lemma", lemmas=(LIPSCHITZ,))
    given = "the cost given the sample, with probability 1 - gamma: r_bar (deviation + feature_gap)"
    yield replace(proved(given, holds, "the same lemma before the expectation", lemmas=(LIPSCHITZ,)), reading=Reading.MEANT)


def slope_exists(claim: Claim) -> Iterator[Finding]:
    """The laws of the theorem have a positive slope; strict increase alone does not give one."""
    yield proved("a positive slope, laws with a feature part", True, "written lemma", lemmas=(SMOOTH,), remark=DIVIDED)
    yield refuted(
        "the inference from strict increase alone, a law without a feature part",
        "more than 0",
        "0",
        {"density of the error": "3 t^2", "r": "0.5"},
        method="error with density 3 t^2 on |t|^3 <= 1/2, r = 1/2: F - r = t^3, chords from q* = 0 have slope t^2, infimum 0",
        severity=PROOF_STEP,
        survives="With a feature part of positive variance F_y' > 0, and the conclusion stands.",
        rung=Rung.EXACT,
    )


def gap_exists(claim: Claim) -> Iterator[Finding]:
    """The second term of the bound is positive."""
    yield proved("laws with a feature part", True, "written lemma", lemmas=(SPREAD,), remark=DIVIDED)


READ: Table = {
    Relation("risk", "<=", "risk_bound"): excess,
    **every_sign("Pr[q_hat - q* >= e]", "Pr[Binomial(n, F_y(q* + e)) <= n r]", counted),
    **every_sign("Pr[Binomial(n, p) <= n r], p >= r", "binomial_tail", chernoff),
    **every_sign("kl", "pinsker", pinsker),
    **every_sign("Pr[|q_hat - q*| >= e]", "deviation_tail_kl", deviates),
    **every_sign("deviation_tail_kl", "deviation_tail", simplified),
    Relation("F_y strictly increasing", "=>", "smallest_slope > 0 for some tau"): slope_exists,
    Relation("|q_hat - q*|", "<=", "deviation with probability at least 1 - gamma"): likely,
    Relation("feature_gap", ">", "0"): gap_exists,
}

JUDGES = {"newsvendor/thm-8": reading(READ)}

MUTANTS = {"newsvendor/thm-8": mutants.of_theorem}
