"""Population risk of the regularised exponential mechanism for bilevel problems, with every term that the proof needs."""

from dpsco.spec.algorithms.exponential_sampling.calibrated import (
    LARGEST_NORM,
    NEAR,
    difference_slope,
)
from dpsco.spec.algorithms.exponential_sampling.mechanism import G_SLOPE, K_TEMPERATURE, MU_REG
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import positive
from dpsco.spec.expressions import sqrt, symbols
from dpsco.spec.losses.bilevel.assumptions import (
    CONVEX_HOLDS,
    CONVEXITY_DEFECT,
    D_X,
    D_X_DIM,
    LIPSCHITZ,
    LIPSCHITZ_HOLDS,
    PROBLEMS,
    SMOOTH,
    SMOOTH_HOLDS,
)
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import RISK, N

D_x, G, L_fx, L_fy, L_gy, beta_gxy, d_x, k, mu = symbols("D_x G L_fx L_fy L_gy beta_gxy d_x k mu")
mu_g, n = symbols("mu_g n")


coupling_distance = 2 * G / (mu * n)
"""How far apart draws on two data sets that differ in one record lie, well coupled."""

inner_deviation = sqrt(2 * L_gy * (L_gy / n + 2 * beta_gxy * coupling_distance)) / mu_g
"""Bound of E|y_Z(x) - y*(x)| at the draw x."""

_stable = (L_fx + L_fy * beta_gxy / mu_g) * coupling_distance
population_bound = d_x / k + mu * D_x**2 / 2 + _stable + 2 * L_fy * inner_deviation


claims = [
    Claim(
        id="bilevel/lem-B.7-amended",
        amends="bilevel/lem-B.7",
        kind=Kind.BOUND,
        source=BILEVEL.at("Lemma B.7"),
        says="As Lemma B.7 under Assumptions 2.1 and 2.2, Phi_Z convex and |x| <= D_x on X, with G enlarged by the chain rule "
        "and W = 2 G/(mu n): E Phi(x) - Phi* <= d_x/k + mu D_x^2/2 + (L_fx + L_fy beta_gxy/mu_g) W + (2 L_fy/mu_g) sqrt(2 L_gy "
        "(L_gy/n + 2 beta_gxy W)).",
        parameters=(
            N,
            D_X_DIM,
            *LIPSCHITZ,
            *SMOOTH,
            D_X.within(positive),
            LARGEST_NORM,
            CONVEXITY_DEFECT,
            G_SLOPE,
            MU_REG,
            K_TEMPERATURE,
            RISK,
        ),
        formulas={"G": difference_slope, "bound": population_bound},
        asserts=(Relation("risk", "<=", "bound"),),
        preconditions=(*LIPSCHITZ_HOLDS, *SMOOTH_HOLDS, *CONVEX_HOLDS, NEAR),
        over=(PROBLEMS, "every distribution P"),
        note="Y holds the lower minimisers of P and of every data set. The last term is the error of y_Z as an estimate of "
        "the population's lower minimiser at a point that depends on Z; at mu of order n^{-1/3} the bound is of that order, "
        "not n^{-1/2}.",
    ),
]
