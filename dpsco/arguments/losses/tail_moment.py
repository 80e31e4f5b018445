"""The chain c_h - c <= (h/2) integral of |v| K(v) over |v| >= |u|/h <= h kappa_1 / 2, kernel by kernel, and the gap's fall."""

import sympy

from dpsco.arguments.comparing import Instance, admitted, compared, order, proved
from dpsco.arguments.losses.kernel_facts import LIMITS, UP, facts, in_ratio, is_upper_moment, same
from dpsco.arguments.losses.smoothed_loss import FARTHEST
from dpsco.arguments.piecewise import H, T, at, settle, slope, vanishes, vanishes_between, zero
from dpsco.instances.residuals import PLACES
from dpsco.reference.losses import kernels
from dpsco.reference.losses.quantile import smoothing
from dpsco.reference.numbers.symbolic import symbol, symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Severity


def monotone_gap(kernel: str) -> Finding:
    """For one kernel: the gap falls from h kappa_1/2 at u = 0 to 0, so it never leaves that interval."""
    m = symbolic()
    gap = in_ratio(smoothing.gap, kernel) / H
    F = settle(kernels.integrated(m, kernel, T))
    holds = (
        vanishes(gap - gap.subs(T, -T))
        and vanishes_between(slope(gap) - F + 1, gap, F, within=UP)
        and zero(at(gap, sympy.Integer(0)) - kernels.kappa_1(m, kernel) / 2)
        and all(
            facts(kernel)[fact] for fact in ("primitive", "integral one", "positive", "zero outside", "deviation", "kappa_1")
        )
    )
    scope = f"{kernel}: the gap falls from h kappa_1 / 2 to 0 in |u|"
    return proved(scope, holds, "even, slope calK - 1 <= 0 for u > 0, ends compared", lemmas=(LIMITS,))


def places(kernel: str) -> list[Instance]:
    return [{"kernel": kernel, "u": u, "h": h} for u, h in PLACES]


def tail_moment(m: Numbers, kernel: str, u: Real, h: Real) -> Real:
    """(h/2) times the integral of |v| K(v) over |v| >= |u|/h."""
    return h * kernels.upper_moment(m, kernel, m.abs(u) / h)


def gap_below_moment(claim: Claim, sign: str, kernel: str) -> Finding:
    """c_h - c against the tail's first moment: the difference is |u| calK(-|u|/h), zero at u = 0."""
    m, printed = symbolic(), claim.formulas["middle"]
    tail = settle(sympy.Abs(T) * kernels.integrated(m, kernel, -sympy.Abs(T)))
    excess = (in_ratio(tail_moment, kernel) - in_ratio(smoothing.gap, kernel)) / H - tail
    below = (
        same(printed, tail_moment, kernel, claim)
        and vanishes(excess)
        and is_upper_moment(kernel)
        and all(facts(kernel)[fact] for fact in ("primitive", "positive", "zero outside", "deviation"))
    )
    return compared(
        f"{kernel}: c_h - c against the tail's first moment",
        smoothing.gap,
        sign,
        printed,
        known="<=" if below else None,
        instances=admitted(claim, places(kernel)),
        method="the difference is |u| calK(-|u|/h) >= 0, case by case",
        severity=Severity.CONSTANT,
        survives="The bound with the integral as printed.",
        lemmas=(FARTHEST,),
    )


def moment_below_end(claim: Claim, sign: str, kernel: str) -> Finding:
    """(h/2) integral over |v| >= |u|/h of |v| K(v) against the last bound: the moment falls in |u| from h kappa_1 / 2 at 0."""
    middle = claim.formulas["middle"]

    def end(m: Numbers, h: Real) -> Real:
        return claim.formulas["upper"](m, h=h, kappa_1=kernels.kappa_1(m, kernel))

    h = symbol(claim.parameter("h"))
    wide = order(sympy.simplify(h * kernels.kappa_1(symbolic(), kernel) / 2 - end(symbolic(), h))) in ("=", "<", "<=")
    holds = wide and same(middle, tail_moment, kernel, claim) and is_upper_moment(kernel)
    return compared(
        f"{kernel}: the tail's first moment against h kappa_1 / 2",
        middle,
        sign,
        end,
        known="<=" if holds and facts(kernel)["positive"] else None,
        instances=admitted(claim, places(kernel)),
        method="derivative -t K(t) <= 0 for t > 0, value at 0 compared",
        severity=Severity.CONSTANT,
        survives="The bound h kappa_1 / 2.",
        lemmas=(FARTHEST,),
    )
