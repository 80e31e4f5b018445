"""Risk of the exponential mechanism where the bilevel objective is not convex."""

from dpsco.spec.algorithms.exponential_sampling.calibrated import POSITIVE_SCALE, SCALE, score_scale
from dpsco.spec.algorithms.exponential_sampling.utility import EXCESS
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.expressions import log, maximum, symbols
from dpsco.spec.losses.bilevel.assumptions import (
    BETA_GXY,
    D_X,
    D_X_DIM,
    D_Y,
    LIPSCHITZ,
    LIPSCHITZ_HOLDS,
    MIXED,
    MIXED_HOLDS,
    PROBLEMS,
)
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import EPSILON, N

D_x, D_y, L_fx, L_fy, L_gy, beta_gxy, d_x, epsilon = symbols("D_x D_y L_fx L_fy L_gy beta_gxy d_x epsilon")
k, mu_g, n, slope = symbols("k mu_g n slope")


gibbs_excess = d_x / k * (1 + log(maximum(1, k * slope * D_x / d_x)))
"""Excess of a density e^{-k Phi}, Phi `slope`-Lipschitz on a convex set of diameter D_x."""

_k = epsilon / (2 * score_scale)
nonconvex_bound = gibbs_excess.where({"k": _k, "slope": L_fx + L_fy * beta_gxy / mu_g})


claims = [
    Claim(
        id="bilevel/thm-3.2-nonconvex-amended",
        amends="bilevel/thm-3.2-nonconvex",
        kind=Kind.UTILITY,
        source=BILEVEL.at("Section 3.1, after Theorem 3.2", "Theorem B.1, proof"),
        says="With the s of the amended Theorem 3.2 and |grad_xy g| <= beta_gxy, which makes Phi_Z L-Lipschitz, L = L_fx + "
        "L_fy beta_gxy/mu_g: mechanism (4) is epsilon-DP and its excess empirical risk is at most (d_x/k)(1 + ln max(1, k L "
        "D_x/d_x)), k = epsilon/(2s), whether Phi_Z is convex or not.",
        parameters=(
            EPSILON,
            N,
            D_X_DIM,
            *LIPSCHITZ,
            BETA_GXY,
            next(p for p in MIXED if p.name == "curvature_g_xy"),
            D_X,
            D_Y,
            SCALE,
            EXCESS,
        ),
        formulas={"s": score_scale, "bound": nonconvex_bound},
        asserts=(Relation("mechanism (4)", "is", "epsilon-DP"), Relation("risk", "<=", "bound")),
        preconditions=(*LIPSCHITZ_HOLDS, MIXED_HOLDS[1], POSITIVE_SCALE),
        over=(PROBLEMS, "every Z"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x",
        note="One assumption more (part 4 of Assumption 2.2), for without it Phi_Z need not be Lipschitz; then every convex X "
        "will do, whatever its shape.",
    ),
]
