"""Judge of the exponential mechanism's risk where the objective is not convex, on plateaus with a short way down."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import sympy

from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import LIPSCHITZ, loss_is_bounded, scale
from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Instance, grid
from dpsco.judges.algorithms.exponential_sampling.utility import DECISION
from dpsco.mutants.algorithms.exponential_sampling import nonconvex as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.algorithms.exponential_sampling.nonconvex import gibbs_excess
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.bilevel.assumptions import curvature_g_xy_is_bounded
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

GIBBS = Lemma(
    "mean of a Gibbs density without convexity",
    "F >= 0 is L-Lipschitz with a zero on a convex X of diameter D, u uniform on X. The divergence of p = e^{-kF}/z from u is "
    "not negative: k E F <= -ln z, z the mean of e^{-kF} under u. X shrunk by r <= 1 towards the zero has a share r^d at least "
    "of the volume, and F <= L r D there, so E F <= (d/k) ln(1/r) + L r D; r = min(1, d/(k L D)).",
)
RESPONSE = Lemma(
    "slope of the objective",
    "y_Z is (beta_gxy/mu_g)-Lipschitz (the gradient of its strongly convex mean is 0 there), so f(x, y_Z(x), z) is "
    "(L_fx + L_fy beta_gxy/mu_g)-Lipschitz, and so is the mean.",
)
PLATEAU = Lemma(
    "plateau",
    "X = [0, 1], Phi_Z(x) = h(x) = w (1 - e^{-x/w}), whatever the data: f = h(x) with L_fx = 1, or f = y and g = (y - "
    "h(x))^2/2 with L_fx = 0, L_fy = mu_g = beta_gxy = 1, D_y = L_gy = w on Y = [0, w]. Nearly all of X has the value w.",
)
BASE = {"d_x": "1", "D_x": "1", "L_fy": "1", "slope_f_y": "1", "mu_g": "1", "least_curvature_g_yy": "1"}
PLATEAUS: tuple[tuple[str, Instance], ...] = (
    ("0.0000028", {**BASE, "epsilon": "20", "n": "1000000", "L_fx": "1", "L_gy": "0", "beta_gxy": "0", "D_y": "0"}),
    ("0.000002", {**BASE, "epsilon": "168", "n": "1", "L_fx": "0", "L_gy": "0.000002", "beta_gxy": "1", "D_y": "0.000002"}),
)


def plateau_risk(m: Numbers, k: Real, width: str) -> Real:
    """Mean of h under the density proportional to e^{-k h} on [0, 1]."""
    w = m.real(width)
    knots = [m.real(0), w, 4 * w, 16 * w, 64 * w, m.real(1)]
    pairs = list(pairwise(knots))

    def h(x: Real) -> Real:
        return w * (1 - m.exp(-x / w))

    above = sum((m.integral(lambda x: h(x) * m.exp(-k * h(x)), *ends) for ends in pairs), start=m.real(0))
    return above / sum((m.integral(lambda x: m.exp(-k * h(x)), *ends) for ends in pairs), start=m.real(0))


def risk_is_bounded(claim: Claim) -> Iterator[Finding]:
    """The printed bound against the plateaus' risk and against the lemma's."""
    common: dict[str, Any] = {"scope": "empirical excess risk, convex or not, every convex X", "release": claim.releases}
    for width, at in PLATEAUS:
        if not len(grid(claim, {}, fixed=[at])):
            continue
        m = arb(128)
        v = {name: m.real(value) for name, value in at.items()}
        risk = plateau_risk(m, v["epsilon"] / (2 * apply(scale(claim), m, v)), width)
        printed = apply(claim.formulas["bound"], m, v)
        if m.gt(risk, printed) is True:
            yield refuted(
                **common,
                claimed=printed,
                computed=risk,
                at={**at, "w": width},
                method="risk of the exact draw on a plateau, enclosed",
                severity=Severity.CONSTANT,
                survives="The risk is at most (d_x/k)(1 + ln max(1, k L D_x/d_x)), L the slope of Phi_Z.",
                lemmas=(PLATEAU,),
            )
            return
    s = symbols_of(claim.parameters)
    m = symbolic()
    k = s["epsilon"] / (2 * apply(scale(claim), m, s))
    least = gibbs_excess(m, d_x=s["d_x"], k=k, slope=s["L_fx"] + s["L_fy"] * s["beta_gxy"] / s["mu_g"], D_x=s["D_x"])
    room = sympy.simplify(apply(claim.formulas["bound"], m, s) / least)
    if room.is_number and bool(room >= 1):
        yield Finding(
            **common,
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method=f"computer algebra: the bound is {room} times (d_x/k)(1 + ln max(1, k L D_x/d_x))",
            lemmas=(GIBBS, RESPONSE),
            given=(*LIPSCHITZ, curvature_g_xy_is_bounded),
        )
    else:
        yield Finding(
            **common, verdict=Verdict.OPEN, reason="no violation on the plateaus, and the bound is no multiple of the lemma's"
        )


READ = {
    Relation("mechanism (4)", "is", "epsilon-DP"): loss_is_bounded,
    Relation("risk", "<=", "bound"): risk_is_bounded,
}

JUDGES = {"bilevel/thm-3.2-nonconvex-amended": reading(READ, DECISION)}

MUTANTS = {"bilevel/thm-3.2-nonconvex-amended": mutants.of_nonconvex}
