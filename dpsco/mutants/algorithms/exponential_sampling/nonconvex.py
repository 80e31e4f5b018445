"""Mutants of the risk without convexity; their falsity is shown in mpmath by an exponential integral."""

from collections.abc import Iterator
from typing import Any

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.algorithms.exponential_sampling.calibrated import cone_loss
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.exponential_sampling.calibrated import score_scale
from dpsco.spec.algorithms.exponential_sampling.nonconvex import gibbs_excess
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

DIRECT = {"epsilon": "20", "n": "1000000", "L_fx": "1", "L_gy": "0", "beta_gxy": "0", "D_y": "0"}
BELOW = {"epsilon": "168", "n": "1", "L_fx": "0", "L_gy": "0.000002", "beta_gxy": "1", "D_y": "0.000002"}


def exceeds(claim: Claim, given: dict[str, str], width: str) -> bool:
    """Whether the mean of h = w (1 - e^{-x/w}) on [0, 1] exceeds the bound: in u = e^{-x/w} the density is e^{kwu}/u, Ei."""
    m = mp(40)
    context: Any = m.mp  # type: ignore[attr-defined]
    v = {name: m.real(value) for name, value in {**given, "d_x": "1", "D_x": "1", "L_fy": "1", "mu_g": "1"}.items()}
    w = m.real(width)
    a, low = v["epsilon"] / (2 * apply(claim.formulas["s"], m, v)) * w, context.exp(-1 / w)
    # integral of e^{au}/u over [low, 1]; w (1 - u) has the mean w (1 - (e^a - e^{a low})/(a mass))
    mass = context.ei(a) - (context.euler + context.log(a) + context.log(low) + a * low)
    mean = w * (1 - (context.exp(a) - context.exp(a * low)) / (a * mass))
    return bool(mean > apply(claim.formulas["bound"], m, v))


def of_nonconvex() -> Iterator[Mutant]:
    claim = find("bilevel/thm-3.2-nonconvex-amended")
    low = scaled(claim, "bound", 3, 5)
    yield Mutant("bound times 0.6", low, lambda: exceeds(low, DIRECT, "0.0000028"))

    def convex(
        m: Numbers, n: Real, d_x: Real, epsilon: Real, L_fx: Real, L_fy: Real, L_gy: Real, mu_g: Real, D_x: Real, D_y: Real
    ) -> Real:
        return 2 * d_x * score_scale(m, n=n, L_fx=L_fx, L_fy=L_fy, L_gy=L_gy, mu_g=mu_g, D_x=D_x, D_y=D_y) / epsilon

    flat = with_formula(claim, "bound", convex)
    yield Mutant("no logarithm, as for convex objectives", flat, lambda: exceeds(flat, DIRECT, "0.0000028"))

    def upper_only(
        m: Numbers, n: Real, d_x: Real, epsilon: Real, L_fx: Real, L_fy: Real, L_gy: Real, mu_g: Real, D_x: Real, D_y: Real
    ) -> Real:
        k = epsilon / (2 * score_scale(m, n=n, L_fx=L_fx, L_fy=L_fy, L_gy=L_gy, mu_g=mu_g, D_x=D_x, D_y=D_y))
        return gibbs_excess(m, d_x=d_x, k=k, slope=L_fx, D_x=D_x)

    bare = with_formula(claim, "bound", upper_only)
    yield Mutant("L_fx for the slope of Phi_Z", bare, lambda: exceeds(bare, BELOW, "0.000002"))
    less = scaled(claim, "s", 2, 5)
    yield Mutant("0.4 s for s", less, lambda: cone_loss(less, "1", 60))
