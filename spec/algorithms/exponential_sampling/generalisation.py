"""Population risk of the regularised exponential mechanism for bilevel problems, with every term that the proof needs."""

from dpsco.spec.algorithms.exponential_sampling.calibrated import (
    LARGEST_NORM,
    NEAR,
    difference_slope,
)
from dpsco.spec.algorithms.exponential_sampling.mechanism import G_SLOPE, K_TEMPERATURE, MU_REG
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import positive
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
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import RISK, N


def coupling_distance(m: Numbers, n: Real, G: Real, mu: Real) -> Real:
    """How far apart draws on two data sets that differ in one record lie, well coupled."""
    return 2 * G / (mu * n)


def inner_deviation(m: Numbers, n: Real, L_gy: Real, mu_g: Real, beta_gxy: Real, G: Real, mu: Real) -> Real:
    """Bound of E|y_Z(x) - y*(x)| at the draw x."""
    return m.sqrt(2 * L_gy * (L_gy / n + 2 * beta_gxy * coupling_distance(m, n, G, mu))) / mu_g


def population_bound(
    m: Numbers,
    n: Real,
    d_x: Real,
    L_fx: Real,
    L_fy: Real,
    L_gy: Real,
    mu_g: Real,
    beta_gxy: Real,
    G: Real,
    mu: Real,
    k: Real,
    D_x: Real,
) -> Real:
    stable = (L_fx + L_fy * beta_gxy / mu_g) * coupling_distance(m, n, G, mu)
    return d_x / k + mu * D_x**2 / 2 + stable + 2 * L_fy * inner_deviation(m, n, L_gy, mu_g, beta_gxy, G, mu)


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
