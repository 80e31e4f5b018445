"""Findings on the tails of sums of errors of truncated gradients, and on what the tails simplify to."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.algorithms.mirror_descent import deviations
from dpsco.arguments.algorithms.mirror_descent.truncation import KEPT
from dpsco.arguments.comparing import admitted, compared, order_of
from dpsco.arguments.missing_range import beside
from dpsco.arguments.polynomial_slack import Side, Value, bounded, named
from dpsco.instances.grid import Instance, grid
from dpsco.spec.algorithms.mirror_descent.truncated_gradients import slopes_are_covered, threshold_covers_slope
from dpsco.spec.algorithms.mirror_descent.truncated_utility import moments_are_bounded, tau_is_small
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Interval
from dpsco.verdict import PROOF_STEP, Finding, Reading, Severity, Verdict

SURE = {
    "beta": ("0.01", "1"), "M": ("1", "20"), "lambda_": ("1", "20"), "sigma": ("0.01", "1"), "T": ("1", "100000000"),
    "tau": ("0.01", "1", "6"), "c_tau": ("1", "5", "6"),
}  # fmt: skip
FREE_SLOPES = "if Assumption 4 does not bound the population gradient"
INHERITED = "Assumption 4 is not at hand; if it leaves the population gradient free, Lemma 17 fails, and this too (lp/lem-17)."
HELD = "It holds for beta M <= lambda where the population gradient has dual norm at most beta M on C."


def _covered(v: Instance) -> bool:
    return float(v.get("largest_slope") or v["slope"]) <= float(v["beta"]) * float(v["M"]) <= float(v["lambda_"])


def tail(
    claim: Claim, name: str, scope: str, proved: Callable[[Claim], Any], reached: Callable[[Claim], Value]
) -> Iterator[Finding]:
    """A probability against the claim's tail: by Freedman's inequality, or a sum that is large for sure."""
    exponent, rate = proved(claim), deviations.rate(claim, name)
    dominated = exponent is not None and deviations.grows_from_zero(exponent - rate)
    given = (moments_are_bounded, threshold_covers_slope, slopes_are_covered)
    free = any(p.name == "largest_slope" for p in claim.parameters)
    axes = {**SURE, "largest_slope": ("0", "0.01", "1", "20", "1000")} if free else SURE
    instances = (
        list(grid(claim, axes)) if free else [{**v, "slope": x} for v in grid(claim, axes) for x in ("0", "0.01", "20", "1000")]
    )
    side = Side(
        scope=scope,
        claimed=named(claim, name),
        reached=reached(claim),
        holds=dominated and {*given} <= claim.tests,
        method="the proved exponent less the claim's has nonnegative coefficients in sqrt(T), sqrt(tau), lambda/sigma",
        instances=instances,
        severity=Severity.DOMAIN,
        survives=HELD if dominated else "Freedman's inequality with the range and second moment of Lemmas 17 and 19.",
        lemmas=(KEPT, deviations.FREEDMAN),
        given=given,
        family=(deviations.SURE,),
        decisive={"beta": "1", "M": "1", "lambda_": "1", "sigma": "1", "T": "1", "tau": "1", "slope": "20"},
    )
    found = bounded(side)
    assumed = claim.amends is None and slopes_are_covered not in claim.tests
    if found.verdict is Verdict.REFUTED and {*given[:2]} <= claim.tests and assumed:
        yield from beside(found, FREE_SLOPES, INHERITED)
    else:
        yield found
    if dominated and not {*given} <= claim.tests:
        scope, inside = f"{scope}, population gradient at most beta M", [v for v in instances if _covered(v)]
        meant = replace(side, scope=scope, holds=True, instances=inside, given=given[:2], remark=None)
        yield replace(bounded(meant), reading=Reading.MEANT)


def same_tail(claim: Claim, asked: str) -> Iterator[Finding]:
    """The first tail is the simplified one."""
    one, other = (claim.formulas[name] for name in ("first_tail", "simplified_tail"))
    still = {p.name: ("0",) for p in claim.parameters if p.name in ("largest_moment", "largest_slope")}
    yield compared(
        "the simplified tail",
        one,
        asked,
        other,
        known=order_of(one, other, claim),
        instances=admitted(claim, list(grid(claim, {**SURE, **still}))),
        method="computer algebra",
        severity=PROOF_STEP,
        survives="The first tail.",
    )


def plain(claim: Claim) -> Iterator[Finding]:
    """-ln of both, at u^2 = lambda^2 tau/(sigma^2 T), which the condition keeps at most c_tau.

    A c_tau without an upper end is a hidden constant, tau = O(...): the link is to hold for some value of it, and then for all
    below. A c_tau with one is to be good up to it.
    """
    share = sympy.simplify(deviations.rate(claim, "simplified_tail") / deviations.rate(claim, "plain_tail"))
    u = deviations.U
    falls = share.free_symbols <= {u} and deviations.grows_from_zero(-sympy.diff(share, u))
    most = next((c for c in ("49/9", "5", "1") if falls and share.subs(u, sympy.sqrt(sympy.Rational(c))) >= 1), None)
    domain = claim.parameter("c_tau").domain
    top = domain.high if isinstance(domain, Interval) else "inf"
    inside = most is not None and top != "inf" and sympy.Rational(top) <= sympy.Rational(most)
    hidden = top == "inf" and most is not None
    instances = list(grid(claim, {**SURE, "T": ("1", "100")}))
    scope = f"the plain tail, hidden constant of tau at most {most}" if hidden else f"the plain tail, c_tau up to {top}"
    side = Side(
        scope=scope,
        claimed=named(claim, "plain_tail"),
        reached=named(claim, "simplified_tail"),
        holds=(inside or hidden) and tau_is_small in claim.tests,
        method=f"the quotient of the exponents falls in lambda^2 tau/(sigma^2 T) and is at least 1 up to {most}",
        instances=[v for v in instances if not hidden or float(v["c_tau"]) <= float(sympy.Rational(most))],
        severity=Severity.DOMAIN,
        survives="It holds for tau <= (49/9) sigma^2 T/lambda^2.",
        given=(tau_is_small,),
        remark=f"for some hidden constant, not for every: it fails beyond {most}" if hidden and _sharp(share, most) else None,
    )
    yield bounded(side)


def _sharp(share: sympy.Expr, most: str | None) -> bool:
    """Whether the quotient of the exponents is 1 at the largest constant, so that it is less beyond."""
    return most is not None and sympy.simplify(share.subs(deviations.U, sympy.sqrt(sympy.Rational(most))) - 1) == 0
