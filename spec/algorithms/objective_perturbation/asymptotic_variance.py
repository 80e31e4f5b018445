"""The covariance of the objective-perturbation estimator for small h and lambda, and the variance of the order quantity.

Matrices: J = E[f(0) x x'], Sigma_r = r (1 - r) E[x x'], V and V' as J with a further factor (J^{-1} theta)'x, V' with f'(0).
Formulas: variances are asymptotic, d = 1 and x = 1: J = f(0), Sigma_r = r (1 - r), V = theta, V' = f'(0) theta / f(0).
"""

from collections.abc import Callable

from dpsco.spec.algorithms.objective_perturbation.asymptotics import (
    DENSITY,
    LIPSCHITZ,
    NOISE,
    SLOPE,
    THETA,
    THIRD_MOMENT,
    UNIFORMLY_LIPSCHITZ,
)
from dpsco.spec.claim import Claim, Kind, Provenance, Relation
from dpsco.spec.domain import Parameter, nonnegative, positive, reals
from dpsco.spec.expressions import equal, log, maximum, symbols
from dpsco.spec.numbers import Real
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import DELTA, EPSILON, KAPPA_1, LAMBDA, H, N, R
from dpsco.spec.predicate import Predicate

K_cross, c_1, c_2, delta, density, density_slope = symbols("K_cross c_1 c_2 delta density density_slope")
epsilon, h, lambda_, n, noise_limit, r, sigma = symbols("epsilon h lambda_ n noise_limit r sigma")
smallest_order, spread, spread_half = symbols("smallest_order spread spread_half")
spread_inverse, theta = symbols("spread_inverse theta")

K_CROSS = Parameter("K_cross", "integral of u K(u) calK(u), calK the kernel's distribution function", positive)
C_1 = Parameter("c_1", "a positive constant", positive, "decision^2/loss")
C_2 = Parameter("c_2", "a positive constant", positive, "1/outcome")
LINEARISED = (N, LAMBDA, H, R, NOISE, THETA, DENSITY, SLOPE, KAPPA_1, K_CROSS, C_1)
NOISE_LIMIT = Parameter("noise_limit", "limit of sigma / n", nonnegative, "sensitivity")


hessian_inverse = 1 / density - 2 * lambda_ * (1 - density_slope * theta / density) / density**2
"""J^{-1} - 2 lambda J^{-1} (I - V') J^{-1}."""

gradient_variance = r * (1 - r) + lambda_ * (4 * r - 2) * theta - 2 * h * K_cross * density
"""Sigma_r + lambda (4 r - 2) V - 2 h K J."""

sandwich = hessian_inverse**2 * (gradient_variance + sigma**2 / n)
"""Inverse Hessian times (variance of the gradient plus sigma^2 / n) times inverse Hessian."""

_bracket = (4 * r - 2) * theta + 4 * (1 - density_slope * theta / density) * r * (1 - r) / density
expansion_printed = (r * (1 - r) - lambda_ * _bracket + sigma**2 / n) / density**2 - 2 * h * K_cross / density
"""J^{-1} [Sigma_r - lambda ((4r - 2) V + 4 (I - V') J^{-1} Sigma_r)] J^{-1} - 2h K J^{-1} + sigma^2/n J^{-2}."""

covariance_lower = ((1 - c_1 * lambda_) * r * (1 - r) + sigma**2 / n) / density**2 - 2 * h * K_cross / density
"""J^{-1} Sigma_r J^{-1} - c_1 lambda J^{-1} Sigma_r J^{-1} - 2 h K J^{-1} + sigma^2/n J^{-2}."""

variance_nonprivate = spread / n
variance_private_lower = (1 - c_1 * lambda_) * spread / n - 2 * h * K_cross * spread_half / n + sigma**2 * spread_inverse / n**2
increase_lower = (-c_1 * lambda_ - c_2 * h) * r * (1 - r) / n * spread + sigma**2 / n**2 * spread_inverse
rate_in_sigma = r * (1 - r) * (-lambda_ - h) / n + sigma**2 / n**2
rate_lower = r * (1 - r) * (-lambda_ - h) / n + maximum(r, 1 - r) * log(1 / delta) / (n**2 * epsilon**2)
rate_upper_of_deviation = sigma / n
rate_upper_of_variance = (sigma / n) ** 2

_variance = r * (1 - r) + sigma**2 / n
_symmetric = 2 * (1 - density_slope * theta / density) * _variance / density
expansion = (_variance + lambda_ * ((4 * r - 2) * theta - 2 * _symmetric)) / density**2 - 2 * h * K_cross / density
"""J^{-1} [S + lambda ((4r - 2) V - 2A - 2A')] J^{-1} - 2h K J^{-1}, S = Sigma_r + sigma^2/n, A = (I - V') J^{-1} S."""

covariance_lower_amended = (1 - c_1 * lambda_) * (r * (1 - r) + sigma**2 / n) / density**2 - 2 * h * K_cross / density
"""(1 - c_1 lambda) J^{-1} (Sigma_r + sigma^2/n) J^{-1} - 2 h K J^{-1}."""

increase_lower_amended = (-c_1 * lambda_ - c_2 * h) * spread / n + (1 - c_1 * lambda_) * sigma**2 / n**2 * spread_inverse
rate_upper = lambda_ / n + (sigma / n) ** 2
noise_vanishes = equal(noise_limit, 0)
orders_are_nonnegative = smallest_order >= 0


SPREADS = (
    Parameter("spread", "|Sigma_r^(1/2) J^{-1} x|^2", nonnegative, "outcome^2"),
    Parameter("spread_half", "|J^{-1/2} x|^2", nonnegative),
    Parameter("spread_inverse", "|J^{-1} x|^2", nonnegative),
)
SANDWICH: dict[str, Callable[..., Real]] = {
    "hessian_inverse": hessian_inverse,
    "gradient_variance": gradient_variance,
    "sandwich": sandwich,
}
LINKS = (
    Relation("covariance of sqrt(n) times the estimator", "~", "sandwich"),
    Relation("inverse Hessian", "~", "hessian_inverse, up to o(lambda) + o(h)"),
    Relation("variance of the gradient", "~", "gradient_variance, up to o(lambda) + o(h)"),
)
CROSS = (Relation("0", "<", "K_cross"), Relation("K_cross", "<", "kappa_1"))
ORDERS = Predicate(
    "<theta*, x> >= 0 for every x",
    orders_are_nonnegative,
    accepts={"smallest_order": "0.5"},
    rejects={"smallest_order": "-0.5"},
)
NOISE_VANISHES = Predicate("sigma / n -> 0", noise_vanishes, accepts={"noise_limit": "0"}, rejects={"noise_limit": "0.5"})

claims = [
    Claim(
        id="newsvendor/lem-EC.11",
        title="asymptotic covariance of objective perturbation",
        kind=Kind.ASYMPTOTIC,
        source=NEWSVENDOR.at("Lemma EC.11", "displays (EC.59) to (EC.69)"),
        says="For lambda = o(1), h = o(1), and <theta*, x> >= 0 for every x, the covariance of sqrt(n) times the "
        "objective-perturbation estimator, over data and noise, is H^{-1} (Var grad + sigma^2/n I) H^{-1} with H^{-1} = J^{-1} "
        "- 2 lambda J^{-1} (I - V') J^{-1} + o(lambda) + o(h) and Var grad = Sigma_r + lambda (4 r - 2) V - 2 h K J + "
        "o(lambda) + o(h), both positive definite; this expands to J^{-1} Sigma_r J^{-1} - lambda J^{-1} [(4 r - 2) V + 4 (I - "
        "V') J^{-1} Sigma_r] J^{-1} - 2 h K J^{-1} + (sigma^2/n) J^{-1} J^{-1} + o(lambda) + o(h), and is, up to such terms, "
        "at least J^{-1} Sigma_r J^{-1} - c_1 lambda J^{-1} Sigma_r J^{-1} - 2 h K J^{-1} + (sigma^2/n) J^{-1} J^{-1} for some "
        "constant c_1 > 0. K, the integral of u K(u) calK(u), lies in (0, kappa_1). V is positive definite.",
        uses=("newsvendor/lem-EC.9", "newsvendor/prop-2"),
        parameters=(*LINEARISED, Parameter("smallest_order", "infimum of <theta*, x> over feature vectors", reals, "outcome")),
        formulas={**SANDWICH, "expansion_printed": expansion_printed, "covariance_lower": covariance_lower},
        asserts=(
            *LINKS,
            Relation("sandwich", "~", "expansion_printed, up to o(lambda) + o(h)", step=True),
            Relation("sandwich", ">=", "covariance_lower, up to o(lambda) + o(h)"),
            *CROSS,
            Relation("V", "is", "positive definite", step=True),
        ),
        preconditions=(ORDERS,),
        over=("distributions as in the expansion of the minimisers", "kernels"),
        provenance=Provenance.REBUILT,
        note="Rebuilt as to Assumption 2. Formulas: x = 1 in one dimension. Multiplying out gives +(4 r - 2) V where -(4 r - "
        "2) V is printed: false for r != 1/2 and theta != 0 (and 4 (I - V') J^{-1} Sigma_r stands for a symmetric sum). The "
        "inequality survives with another c_1 where sigma^2/n is bounded. V carries (J^{-1} theta*)'x, which <theta*, x> >= 0 "
        "does not make positive. Terms lambda sigma^2/n are dropped: harmless only against sigma^2/n. K_cross < kappa_1/2.",
    ),
    Claim(
        id="newsvendor/prop-3",
        title="variance of the private order quantity",
        kind=Kind.ASYMPTOTIC,
        source=NEWSVENDOR.at("Proposition 3", "proof in EC.4.4"),
        says="Given x, the order quantity has variance |Sigma_r^(1/2) J^{-1} x|^2 / n without privacy and, under objective "
        "perturbation, at least (1 - c_1 lambda) |Sigma_r^(1/2) J^{-1} x|^2 / n - 2 h K |J^{-1/2} x|^2 / n + sigma^2 |J^{-1} "
        "x|^2 / n^2, sigma of order r_bar sqrt(ln(1/delta)) / epsilon. So the variance grows by at least (-c_1 lambda - c_2 h) "
        "r (1 - r) / n |Sigma_r^(1/2) J^{-1} x|^2 + sigma^2 / n^2 |J^{-1} x|^2, which is Omega(r (1 - r) (-lambda - h) / n + "
        "sigma^2 / n^2) = Omega(r (1 - r) (-lambda - h) / n + max(r, 1 - r) ln(1/delta) / (n^2 epsilon^2)); and by at most an "
        "order that follows from the deviation's increase of order sigma / n.",
        uses=("newsvendor/lem-EC.11", "newsvendor/prop-2"),
        parameters=(EPSILON, DELTA, N, LAMBDA, H, R, NOISE, K_CROSS, C_1, C_2, *SPREADS),
        formulas={
            "variance_nonprivate": variance_nonprivate,
            "variance_private_lower": variance_private_lower,
            "increase_lower": increase_lower,
            "rate_in_sigma": rate_in_sigma,
            "rate_lower": rate_lower,
            "rate_upper_of_variance": rate_upper_of_variance,
            "rate_upper_of_deviation": rate_upper_of_deviation,
        },
        asserts=(
            Relation("variance without privacy", "=", "variance_nonprivate"),
            Relation("variance with privacy", ">=", "variance_private_lower", step=True),
            Relation("variance_private_lower - variance_nonprivate", ">=", "increase_lower", step=True),
            Relation("increase of the variance", ">=Omega", "rate_in_sigma"),
            Relation("rate_in_sigma", ">=Omega", "rate_lower"),
            Relation("increase of the variance", "<=O", "rate_upper_of_variance"),
        ),
        over=("distributions as in the expansion of the minimisers", "feature vectors x"),
        provenance=Provenance.REBUILT,
        note="Rebuilt; the upper order is not printed, only 'sigma/n' of the deviation; sigma^2/n^2 is a reading. "
        "increase_lower counts r (1 - r) twice (Sigma_r has it) and puts |J^{-1/2} x|^2 into c_2, which then depends on r and "
        "x. Omega of both signs is read term by term, as the line above it has it. sigma^2 brings r_bar^2, printed as r_bar. "
        "Standard deviations 1/sqrt(n) + sigma/n allow a cross term sigma / n^(3/2), above sigma^2 / n^2 for small sigma. "
        "Variances are asymptotic ones.",
    ),
    Claim(
        id="newsvendor/lem-EC.11-amended",
        amends="newsvendor/lem-EC.11",
        kind=Kind.ASYMPTOTIC,
        source=NEWSVENDOR.at("Lemma EC.11", "displays (EC.59) to (EC.69)"),
        says="The same, of the asymptotic covariance, Lipschitz densities given x and sigma / n -> 0: with +lambda (4 r - 2) "
        "V, the symmetric sum, the terms lambda sigma^2/n kept, for every <theta*, x>; V has any sign.",
        parameters=(*LINEARISED, LIPSCHITZ, THIRD_MOMENT, NOISE_LIMIT),
        formulas={**SANDWICH, "expansion": expansion, "covariance_lower": covariance_lower_amended},
        asserts=(
            *LINKS,
            Relation("sandwich", "~", "expansion, up to (1 + sigma^2/n) (o(lambda) + o(h))"),
            Relation("sandwich", ">=", "covariance_lower, up to (1 + sigma^2/n) (o(lambda) + o(h))"),
            *CROSS,
        ),
        preconditions=(UNIFORMLY_LIPSCHITZ, NOISE_VANISHES),
        over=("distributions as in the expansion of the minimisers", "kernels"),
    ),
    Claim(
        id="newsvendor/prop-3-amended",
        amends="newsvendor/prop-3",
        kind=Kind.ASYMPTOTIC,
        source=NEWSVENDOR.at("Proposition 3", "proof in EC.4.4"),
        says="The same, Lipschitz densities given x and sigma / n -> 0, up to (1/n + sigma^2/n^2) (o(lambda) + o(h)): (1 - c_1 "
        "lambda) on the noise too, r (1 - r) counted once, and the increase is O(lambda/n + sigma^2/n^2).",
        parameters=(N, LAMBDA, H, R, NOISE, C_1, C_2, *SPREADS, LIPSCHITZ, THIRD_MOMENT, NOISE_LIMIT),
        formulas={
            "variance_nonprivate": variance_nonprivate,
            "increase_lower": increase_lower_amended,
            "rate_upper": rate_upper,
        },
        asserts=(
            Relation("variance without privacy", "=", "variance_nonprivate"),
            Relation("increase of the variance", ">=", "increase_lower"),
            Relation("increase of the variance", "<=O", "rate_upper"),
        ),
        preconditions=(UNIFORMLY_LIPSCHITZ, NOISE_VANISHES),
        over=("distributions as in the expansion of the minimisers", "feature vectors x"),
    ),
]
