"""Error of the objective-perturbation estimate in a linear quantile model: privacy, sampling and smoothing parts."""

from dataclasses import replace
from typing import Any

from dpsco.spec.algorithms.objective_perturbation.algorithm import variance
from dpsco.spec.algorithms.objective_perturbation.utility import bandwidth, regularisation
from dpsco.spec.analysis.smoothing.bias import (
    DENSITY,
    DENSITY_LOW,
    DENSITY_SLOPE,
    DISTRIBUTIONS,
    EIGENVALUE,
    FEATURES,
    bias,
)
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Interval, Parameter, positive
from dpsco.spec.expressions import exp, lgamma, log, maximum, sqrt, symbols
from dpsco.spec.losses.quantile.summaries import (
    KERNEL_MOMENTS,
    KERNEL_NUMBERS,
    LIPSCHITZ,
    LIPSCHITZ_OF_LEVEL,
    OPTIMUM_IN_BALL,
    OPTIMUM_NORM,
    RADIUS,
)
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import B_X, DELTA, EPSILON, GAMMA, K_BAR, KAPPA_1, KAPPA_2, LAMBDA, SIGMA, D, H, N, R
from dpsco.spec.predicate import Predicate

B, B_x, K_bar, L, d, delta, epsilon, f, gamma, h = symbols("B B_x K_bar L d delta epsilon f gamma h")
hidden, kappa_1, kappa_2, l_1, lambda_, n, rho_1 = symbols("hidden kappa_1 kappa_2 l_1 lambda_ n rho_1")
sigma, spread, w = symbols("sigma spread w")

HIDDEN = Parameter("hidden", "constant hidden in the condition's order sign", positive)
POWER = Parameter("w", "exponent of delta in n: delta is of order n^{-w}", positive)
SPREAD = Parameter("spread", "delta n^w lies between 1/spread and spread", Interval("1", "inf", low_open=False))


regularisation_in_order = sqrt(kappa_1 * K_bar * B_x**2 / (n * epsilon) + d * sigma**2 / n**2) / B
"""As printed here, up to constants: 2 L^2/n left out, the kernel term doubled."""

expected_noise_norm = sigma * sqrt(2) * exp(lgamma((d + 1) / 2) - lgamma(d / 2))
privacy_error = expected_noise_norm / (n * lambda_)
"""E|b|/(n lambda)."""

privacy_rate = L * B / (B_x * sqrt(kappa_1 * K_bar)) * sqrt(d * log(1 / delta) / (n * epsilon))
sampling_rate = (L * sqrt((d + log(1 / gamma)) / n) + B * lambda_) / (rho_1 * f)
condition_left = B**2 * lambda_**2
condition_right = h**2 * l_1 * kappa_2
regularisation_dominates = condition_left >= hidden * condition_right
condition_left_at = kappa_1 * K_bar * B_x**2 / (n * epsilon) + d * log(1 / delta) / (n**2 * epsilon**2)
condition_right_at = l_1 * kappa_2 * K_bar * B_x**2 / (n * epsilon * kappa_1 + d * log(1 / delta) / (K_bar * B_x**2))
smoothing_rate = l_1 * kappa_2 * K_bar * B_x**2 / (kappa_1 * rho_1 * f * n * epsilon)
bandwidth_in_order = K_bar * B_x**2 / sqrt(n * epsilon * kappa_1 * K_bar * B_x**2 + d * log(1 / delta))
rate = maximum(sqrt(d / n), sqrt(d * log(1 / delta) / (n * epsilon))) / (rho_1 * f)
rate_with_confidence = maximum(sqrt((d + log(1 / gamma)) / n), sqrt(d * log(1 / delta) / (n * epsilon))) / (rho_1 * f)
"""As the proof ends; the theorem drops ln(1/gamma)."""

privacy_rate_of_noise = L * B / (B_x * sqrt(kappa_1 * K_bar)) * sqrt(d * (log(2 / delta) + epsilon) / (n * epsilon))
rate_with_noise = maximum(sqrt((d + log(1 / gamma)) / n), sqrt(d * log(2 / delta) / (n * epsilon))) / (rho_1 * f)

_shift = 4 * h**2 * l_1 * kappa_2 / (3 * f * sqrt(rho_1))
shift_is_small = all_of(4 * h * l_1 * kappa_1 <= f, 4 * l_1 * B_x * _shift <= f, _shift <= B)
error_is_small = 48 * l_1 * B_x * sampling_rate <= f
delta_is_polynomial = all_of(delta * n**w * spread >= 1, delta * n**w <= spread)


NOISE = SIGMA.means("standard deviation of each entry of b, sqrt(variance)")
PRIVATE = (N, D, EPSILON, DELTA, LIPSCHITZ, B_X, RADIUS, OPTIMUM_NORM, KAPPA_1, K_BAR, NOISE, LAMBDA)
MODEL = (R, H, KAPPA_2, DENSITY_SLOPE, DENSITY_LOW, EIGENVALUE)

claims = [
    Claim(
        id="quantile/lem-4.3",
        title="estimation error due to privacy",
        kind=Kind.BOUND,
        source=QUANTILE.at("Lemma 4.3", "Appendix B.2"),
        says="Let |theta*| <= B_theta. With lambda the value of part 1 of the risk theorem, given here as of the order "
        "(1/B_theta) sqrt(kappa_1 K_bar B_x^2/(n epsilon) + d sigma^2/n^2), and any epsilon > 0, for every data set the "
        "private minimiser and the minimiser theta# without noise satisfy E|theta_OP - theta#| <~ (L B_theta/(B_x "
        "sqrt(kappa_1 K_bar))) sqrt(d ln(1/delta)/(n epsilon)), up to constants. The proof: |theta_OP - theta#| <= |b|/(n "
        "lambda) for every b, in expectation.",
        uses=("quantile/thm-3.6-stability",),
        parameters=PRIVATE,
        formulas={
            "variance": variance,
            "regularisation": regularisation,
            "regularisation_in_order": regularisation_in_order,
            "expected_noise_norm": expected_noise_norm,
            "privacy_error": privacy_error,
            "privacy_rate": privacy_rate,
        },
        asserts=(
            Relation("regularisation", "~", "regularisation_in_order, up to constants"),
            Relation("E|theta_OP - theta#|", "<=", "privacy_error"),
            Relation("privacy_error", "<=O", "privacy_rate"),
        ),
        preconditions=(OPTIMUM_IN_BALL, LIPSCHITZ_OF_LEVEL, KERNEL_NUMBERS),
        over=("every data set", *DISTRIBUTIONS),
        note="Readings: lambda of the risk theorem, with 2 L^2/n, or the order printed here, without. They are not of one "
        "order once epsilon grows. False over every epsilon > 0: sigma^2 holds 8 ln(2/delta) + 4 epsilon, so with the printed "
        "order privacy_error/privacy_rate grows like sqrt(epsilon/ln(1/delta)) (d = 1, n >> 1, epsilon -> infinity) and "
        "diverges as delta -> 1. True with epsilon = O(ln(1/delta)) and delta away from 1.",
    ),
    Claim(
        id="quantile/lem-4.4",
        title="estimation error due to sampling",
        kind=Kind.BOUND,
        source=QUANTILE.at("Lemma 4.4", "Appendix B.3, displays (26) to (31)"),
        says="Let |theta*| <= B_theta and the linear quantile model hold. If h and lambda tend to 0 with n and B_theta^2 "
        "lambda^2 is at least of the order h^2 l_1 kappa_2, then for every gamma in (0, 1), with probability at least 1 - "
        "gamma over the sample, the regularised minimiser theta# and the minimiser theta_h* of the smoothed population risk "
        "satisfy |theta# - theta_h*| <~ (L sqrt((d + ln(1/gamma))/n) + B_theta lambda)/(rho_1 f), up to constants.",
        uses=("quantile/lem-4.2", "quantile/lem-4.2-gradient", "quantile/lem-B.1", "quantile/lem-B.2"),
        parameters=(N, D, GAMMA, LIPSCHITZ, B_X, RADIUS, OPTIMUM_NORM, KAPPA_1, LAMBDA, *MODEL, HIDDEN),
        formulas={
            "sampling_rate": sampling_rate,
            "condition_left": condition_left,
            "condition_right": condition_right,
        },
        asserts=(Relation("|theta# - theta_h*| with probability >= 1 - gamma", "<=O", "sampling_rate"),),
        preconditions=(
            OPTIMUM_IN_BALL,
            LIPSCHITZ_OF_LEVEL,
            KERNEL_MOMENTS,
            DENSITY,
            FEATURES,
            Predicate(
                "B_theta^2 lambda^2 >= hidden h^2 l_1 kappa_2",
                regularisation_dominates,
                accepts={"B": "3", "lambda_": "1", "h": "0.1", "l_1": "1", "kappa_2": "2", "hidden": "1"},
                rejects={"B": "3", "lambda_": "0.01", "h": "1", "l_1": "1", "kappa_2": "2", "hidden": "1"},
            ),
        ),
        over=DISTRIBUTIONS,
        note="False over every gamma: with gamma = p^n, p the probability of an outcome far above, all records are far with "
        "probability gamma, theta# = r xbar/(2 lambda) is of order 1/lambda (sqrt(n) at lambda = n^{-1/2}), the bound of "
        "order 1. The proof needs r_0 -> 0 and r_0 < 2 |theta*|, hence ln(1/gamma) = o(n) and theta* != 0; it uses the norm "
        "bound of the gradient at theta*, which is false; and its last step drops the unit of B_theta^2 lambda^2 against L "
        "h^2 l_1 kappa_2.",
    ),
    Claim(
        id="quantile/thm-4.5",
        title="error of the private quantile estimator",
        kind=Kind.RATE,
        source=QUANTILE.at("Theorem 4.5", "Appendix B.4, displays (41) to (43)"),
        says="Let the kernel satisfy the paper's conditions and delta be of order n^{-w} for some w > 0. With lambda of the "
        "order (1/B_theta) sqrt(kappa_1 K_bar B_x^2/(n epsilon) + d sigma^2/n^2), the value of part 1 of the risk theorem, "
        "and h = K_bar B_x^2/(lambda n epsilon), for every gamma in (0, 1), with probability at least 1 - gamma over the "
        "data, E|theta_OP - theta*| <~ (1/(rho_1 f)) max(sqrt(d/n), sqrt(d ln(1/delta)/(n epsilon))), an additive "
        "sqrt(ln(1/gamma)/n) left out. The order of delta is said to suffice for B_theta^2 lambda^2 >~ h^2 l_1 kappa_2.",
        uses=("quantile/lem-4.2", "quantile/lem-4.3", "quantile/lem-4.4"),
        parameters=(*PRIVATE, GAMMA, *MODEL, POWER, SPREAD),
        formulas={
            "variance": variance,
            "regularisation": regularisation,
            "regularisation_in_order": regularisation_in_order,
            "bandwidth": bandwidth,
            "bandwidth_in_order": bandwidth_in_order,
            "bias": bias,
            "smoothing_rate": smoothing_rate,
            "privacy_rate": privacy_rate,
            "sampling_rate": sampling_rate,
            "condition_left_at": condition_left_at,
            "condition_right_at": condition_right_at,
            "rate": rate,
            "rate_with_confidence": rate_with_confidence,
        },
        asserts=(
            Relation("delta of order n^{-w}", "=>", "condition_left_at >= Omega(condition_right_at)"),
            Relation("bias at bandwidth", "<=O", "smoothing_rate"),
            Relation("E|theta_OP - theta*| with probability >= 1 - gamma", "<=O", "rate_with_confidence"),
            Relation("E|theta_OP - theta*| with probability >= 1 - gamma", "<=O", "rate"),
        ),
        preconditions=(
            LIPSCHITZ_OF_LEVEL,
            KERNEL_NUMBERS,
            KERNEL_MOMENTS,
            DENSITY,
            FEATURES,
            Predicate(
                "delta n^w lies between 1/spread and spread",
                delta_is_polynomial,
                accepts={"delta": "0.01", "n": 100, "w": "1", "spread": "2"},
                rejects={"delta": "0.5", "n": 100, "w": "1", "spread": "2"},
            ),
        ),
        over=DISTRIBUTIONS,
        note="The order of delta is neither needed nor enough: with a free constant the condition always holds, with constant "
        "1 it fails for large B_theta^2 l_1. The lemmas also ask for small lambda and h, and |theta*| <= B_theta; not stated. "
        "The privacy part carries no 1/(rho_1 f).",
    ),
]

SHIFT_IS_SMALL = Predicate(
    "h l_1 kappa_1 <= f/4, and s = 4 h^2 l_1 kappa_2/(3 f sqrt(rho_1)) has l_1 B_x s <= f/4 and s <= B_theta",
    shift_is_small,
    accepts=(AT := {"l_1": "1", "B_x": "2", "rho_1": "0.5", "f": "0.5", "B": "2", "kappa_1": "1", "kappa_2": "2", "h": "0.01"}),
    rejects={**AT, "h": "1"},
)
ERROR_IS_SMALL = Predicate(
    "l_1 B_x sampling_rate <= f/48",
    error_is_small,
    accepts=(SMALL := {**AT, "L": "1.5", "d": 1, "gamma": "0.5", "n": 10**9, "lambda_": "0.0001"}),
    rejects={**SMALL, "n": 100},
)
LEM_4_3, LEM_4_4, THM_4_5 = claims
NEAR = (OPTIMUM_IN_BALL, *LEM_4_4.preconditions[1:5], SHIFT_IS_SMALL, ERROR_IS_SMALL)


def _amended(claim: Claim, **changes: Any) -> Claim:
    return replace(claim, id=f"{claim.id}-amended", amends=claim.id, note="", **changes)


claims += [
    _amended(
        LEM_4_3,
        says="The same with ln(2/delta) + epsilon, the order of the noise's variance, in the place of ln(1/delta), and lambda "
        "at least of the order printed there.",
        formulas={**LEM_4_3.formulas, "privacy_rate": privacy_rate_of_noise},
        asserts=(Relation("regularisation_in_order", "<=O", "regularisation"), *LEM_4_3.asserts[1:]),
    ),
    _amended(
        LEM_4_4,
        says="The same bound where it is small against f/(l_1 B_x), and h is small: this limits ln(1/gamma) to the order of n "
        "and f from below. The condition that ties lambda to h is not needed.",
        parameters=tuple(parameter for parameter in LEM_4_4.parameters if parameter is not HIDDEN),
        formulas={"sampling_rate": sampling_rate},
        preconditions=NEAR,
    ),
    _amended(
        THM_4_5,
        says="Let |theta*| <= B_theta. With lambda and h of part 1 of the risk theorem, both small as the sampling bound needs "
        "it: with probability at least 1 - gamma over the data E|theta_OP - theta*| <~ (1/(rho_1 f)) max(sqrt((d + "
        "ln(1/gamma))/n), sqrt(d ln(2/delta)/(n epsilon))), constants not depending on n, d, epsilon, delta, gamma, rho_1 and "
        "f. No order of delta in n is needed.",
        parameters=tuple(parameter for parameter in THM_4_5.parameters if parameter not in (POWER, SPREAD)),
        formulas={**THM_4_5.formulas, "rate_with_confidence": rate_with_noise},
        asserts=THM_4_5.asserts[1:3],
        preconditions=(*NEAR, KERNEL_NUMBERS),
    ),
]
