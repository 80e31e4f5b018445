"""E|G|_{C*}^2 = O(rate): intervals far from the origin and around it against a rate, Gaussian concentration for it."""

from collections.abc import Iterator
from typing import Any

import sympy

from dpsco.arguments.analysis.geometry.sets import ORIGIN, POINT
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.reference.analysis.geometry.widths import second_moment_constant
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.analysis.geometry.widths import WITH_ORIGIN
from dpsco.spec.claim import Claim
from dpsco.verdict import Finding, Reading, Rung, Severity, Verdict

SCOPE = "second moment of the support function"
SURVIVES = "It holds for C that contains the origin, with the constant 1 + 2 pi, 1 + pi/2 where C is symmetric around it."
ANY_SET = ("compact convex sets C", "vectors v")
"""The class without the origin, for which the second moment is not bounded so."""
RHO = sympy.Symbol("rho", positive=True)
MEAN = sympy.sqrt(2 / sympy.pi)
"""E|g_1|."""


def at_interval(claim: Claim, centre: int) -> tuple[Any, Any]:
    """Second moment and printed rate for C = [centre - rho, centre + rho], sigma = 1."""
    values = symbols_of(claim.parameters)
    values |= {"d": sympy.Integer(1), "sigma": sympy.Integer(1), "G_C": MEAN * RHO, "C_norm": centre + RHO}
    return centre**2 + RHO**2, apply(claim.formulas["dual_norm_rate"], symbolic(), values)


def unbounded(claim: Claim, centre: int, end: Any) -> bool:
    """Whether second moment over rate has the limit infinity as rho tends to 0 or infinity."""
    second, rate = at_interval(claim, centre)
    return bool(sympy.limit(second / rate, RHO, end, "+" if end == 0 else "-") == sympy.oo)


def contradiction(claim: Claim, scope: str, centre: int, rho: Any, severity: Severity) -> Finding:
    """The finding at one interval; the limit covers every hidden constant."""
    m = arb()
    size = m.frac(int(rho.p), int(rho.q))
    values = {"d": m.real(1), "sigma": m.real(1), "G_C": size * m.sqrt(2 / m.pi), "C_norm": centre + size}
    return refuted(
        scope,
        apply(claim.formulas["dual_norm_rate"], m, values),
        centre**2 + size**2,
        {"d": "1", "C": f"[{centre} - {rho}, {centre} + {rho}]", "sigma": "1"},
        method="computer algebra: the limit of the second moment over the rate along these intervals is infinite",
        severity=severity,
        survives=SURVIVES,
        rung=Rung.EXACT,
        lemmas=(POINT,),
    )


def second_moment(claim: Claim) -> Iterator[Finding]:
    """Sets far from the origin, where they are meant; sets around it; a multiple of sigma^2 G_C^2 for all that contain it."""
    if claim.over == ANY_SET and unbounded(claim, 1, 0):
        yield contradiction(claim, f"{SCOPE}, any compact convex set", 1, sympy.Rational(1, 1024), Severity.DOMAIN)
    around = [rho for end, rho in ((0, sympy.Rational(1, 1024)), (sympy.oo, sympy.Integer(1024))) if unbounded(claim, 0, end)]
    for rho in around:
        yield contradiction(claim, f"{SCOPE}, intervals around the origin", 0, rho, Severity.RATE)
    values = symbols_of(claim.parameters)
    rate = apply(claim.formulas["dual_norm_rate"], symbolic(), values)
    share = sympy.simplify(rate / (values["sigma"] ** 2 * values["G_C"] ** 2))
    if share.is_Rational and share > 0 and claim.over in (ANY_SET, WITH_ORIGIN):
        m = arb()
        for kind, symmetric in (("C symmetric", True), ("C that contains the origin", False)):
            constant = second_moment_constant(m, symmetric) / m.frac(int(share.p), int(share.q))
            yield certified(
                f"{SCOPE}, {kind}",
                f"computer algebra: the rate is {share} sigma^2 G_C^2; the constant {ends(constant)[1]} is enough",
                ORIGIN,
                reading=Reading.MEANT if claim.over == ANY_SET else Reading.PRINTED,
            )
    elif not around:
        yield Finding(
            scope=SCOPE, verdict=Verdict.OPEN, reason=f"the rate is {share} sigma^2 G_C^2, and nothing contradicts it"
        )
