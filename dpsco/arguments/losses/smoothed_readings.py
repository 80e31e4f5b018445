"""Other readings of the smoothed SPO+ loss than its display: Section 3.2's own conditions, and the sphere, by exact slopes.

Both are computed from the claim's own integrand, on the line.
"""

from collections.abc import Iterator
from typing import Any

import sympy

from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers
from dpsco.verdict import Finding, Reading, Rung, Severity, Verdict


def elsewhere(claim: Claim) -> Iterator[Finding]:
    """What Section 3.2's own conditions, and the sphere, make of the loss."""
    yield from as_smoothing(claim)
    yield from on_the_sphere(claim)


def on_line(claim: Claim, m: Numbers, c: Any, c_hat: Any, w: Any, w_star: Any, mu: Any) -> Any:
    """The printed integrand at d = 1."""
    values: dict[str, Any] = {"mu": mu, "c": [c], "c_hat": [c_hat], "w": [w], "w_star": [w_star]}
    return apply(claim.formulas["smoothed_integrand"], m, values)


def curvature(claim: Claim) -> Any:
    """Second derivative in z = 2 (w*(c) - w) of d, mu d being what the printed integrand takes off: by computer algebra."""
    z, c, c_hat, w_star = sympy.symbols("z c c_hat w_star", real=True)
    mu = sympy.Symbol("mu", positive=True)
    return sympy.simplify(-sympy.diff(on_line(claim, symbolic(), c, c_hat, w_star - z / 2, w_star, mu), z, 2) / mu)


def as_smoothing(claim: Claim) -> Iterator[Finding]:
    """The quadratic of the printed integrand against a 1-strongly convex one."""
    found, m = curvature(claim), arb()
    if not found.is_Rational or not found < 1:
        return
    yield refuted(
        "the loss as an instance of Section 3.2's smoothing, with a 1-strongly convex d of z = 2 (w*(c) - w)",
        "1",
        m.frac(int(found.p), int(found.q)),
        {},
        method="computer algebra: the second derivative in z of what the printed integrand takes off, over mu, at d = 1",
        severity=Severity.CONSTANT,
        survives="It is one with mu/4 in the place of mu.",
        rung=Rung.EXACT,
        reading=Reading.ANOTHER,
    )


def on_the_sphere(claim: Claim) -> Iterator[Finding]:
    """One-sided slopes at c_hat = 0 = c on S = {-1, 1}, w*(0) = -1, mu = 1: those of the two ends, which tie there."""
    c_hat, m = sympy.Symbol("c_hat", real=True), symbolic()
    ends_of_line = [on_line(claim, m, m.real(0), c_hat, m.real(w), m.real(-1), m.real(1)) for w in (-1, 1)]
    slopes = [sympy.simplify(sympy.diff(value, c_hat)) for value in ends_of_line]
    tied = sympy.simplify(ends_of_line[0] - ends_of_line[1]).subs(c_hat, 0) == 0
    if not tied or not all(slope.is_Rational for slope in slopes) or slopes[0] == slopes[1]:
        return
    left, right = (arb().frac(int(slope.p), int(slope.q)) for slope in sorted(slopes))
    yield refuted(
        "a gradient of the smoothed loss on the unit sphere at c = 2 c_hat",
        "one value",
        (ends(left)[0], ends(right)[1]),
        {"S": "the unit sphere of the line", "c": "0", "c_hat": "0", "w*(c)": "-1", "mu": "1"},
        method="computer algebra: the printed integrand is affine in c_hat at either decision, with these slopes; a tie at 0",
        severity=Severity.DOMAIN,
        survives="The gradient at every other c_hat, and everywhere if S is convex.",
        rung=Rung.EXACT,
        reading=Reading.ANOTHER,
        reason="the computed pair are the one-sided slopes, not an interval",
    )


def jump(claim: Claim) -> Finding:
    """On the sphere {-1, 1} the gradient changes by 4 |x| however close two B are: here at distance mu/8."""
    m = arb()
    mu = x = m.real(1)
    slope = 4 * x / (mu / 8)
    bound = apply(claim.formulas["smoothness"], m, {"mu": mu, "x_norm": x})
    scope = "the sphere: the maximiser jumps at c = 2 c_hat, so no constant serves"
    if m.gt(slope, bound) is not True:
        return Finding(scope=scope, verdict=Verdict.OPEN, reason="the printed constant is not below the slope over mu/8")
    return refuted(
        scope,
        str(bound.str(5, radius=False)),
        slope,
        {"S": "the unit sphere of the line", "c": "0", "mu": "1", "x": "1", "t": "0.125"},
        method="S = {-1, 1}, c = 0: the maximiser is -sign(c_hat), the gradient jumps by 4 |x| at B = 0; over a distance t its "
        "slope is 4 |x|/t, shown at t = mu/8",
        severity=Severity.DOMAIN,
        survives="4 |x|^2/mu for convex S.",
        rung=Rung.EXACT,
    )
