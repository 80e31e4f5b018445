"""Truncated heavy-tailed gradients: bias, spread and size after gradients beyond beta M + lambda are set to zero.

x_t is the mean of the truncated gradients of batch t minus the population gradient.
"""

from dataclasses import replace

from dpsco.spec.algorithms.mirror_descent.truncated import DIAMETER, LOSSES, THRESHOLD
from dpsco.spec.algorithms.mirror_descent.truncated_utility import BOUNDED_MOMENT, LARGEST_MOMENT, MOMENT
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import Parameter, nonnegative
from dpsco.spec.expressions import symbols
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA
from dpsco.spec.predicate import Predicate

M, beta, lambda_, largest_slope, sigma = symbols("M beta lambda_ largest_slope sigma")

LARGEST_SLOPE = Parameter(
    "largest_slope", "largest over w in C of |gradient of the population loss|_*", nonnegative, "loss/decision"
)


error_sharp = 2 * beta * M + lambda_
error_plain = 3 * lambda_
product_bound = 3 * lambda_ * M
bias_sharp = beta * M * (sigma / lambda_) ** 2 + sigma**2 / lambda_
bias_plain = 2 * sigma**2 / lambda_
product_bias = 2 * sigma**2 * M / lambda_
spread_sharp = sigma + beta * M * sigma / lambda_
spread_plain = 2 * sigma
product_spread = 2 * sigma * M
square_mean_sharp = (sigma + M * sigma / lambda_) ** 2
square_mean_plain = 4 * sigma**2
square_sharp = (2 * M + lambda_) ** 2
square_plain = 9 * lambda_**2
square_spread_sharp = (sigma + M * sigma / lambda_) * (2 * M + lambda_)
square_spread_plain = 6 * lambda_ * sigma
square_mean_amended = spread_sharp**2
square_amended = error_sharp**2
square_spread_amended = spread_sharp * error_sharp
threshold_covers_slope = beta * M <= lambda_
threshold_covers_diameter = M <= lambda_
slopes_are_covered = largest_slope <= beta * M


COVERED = Predicate(
    "|gradient of the population loss|_* <= beta M on C (so where it vanishes somewhere in C)",
    slopes_are_covered,
    accepts={"largest_slope": "2", "beta": "1", "M": "2"},
    rejects={"largest_slope": "3", "beta": "1", "M": "2"},
)
LARGE_THRESHOLD = Predicate(
    "beta M <= lambda",
    threshold_covers_slope,
    accepts={"beta": "1", "M": "1", "lambda_": "2"},
    rejects={"beta": "3", "M": "1", "lambda_": "2"},
)
GRADIENTS = Claim(
    id="lp/lem-17",
    title="moments of the truncation error",
    kind=Kind.BOUND,
    unproved=True,
    source=LP.at("Lemma 17"),
    says="When beta M <= lambda: |x_t|_* <= 2 beta M + lambda <= 3 lambda, so |<x_t, z - w_{t-1}>| <= 3 lambda M; |E "
    "x_t|_* <= beta M (sigma/lambda)^2 + sigma^2/lambda <= 2 sigma^2/lambda, so |E<x_t, z - w_{t-1}>| <= 2 sigma^2 "
    "M/lambda; (E|x_t|_*^2)^{1/2} <= sigma + beta M sigma/lambda <= 2 sigma, so (E<x_t, z - w_{t-1}>^2)^{1/2} <= 2 sigma "
    "M. Expectations are conditional on the past, w_{t-1} and z lie in C.",
    parameters=(BETA, DIAMETER, THRESHOLD, MOMENT, LARGEST_MOMENT),
    formulas={
        "error_sharp": error_sharp,
        "error_plain": error_plain,
        "product_bound": product_bound,
        "bias_sharp": bias_sharp,
        "bias_plain": bias_plain,
        "product_bias": product_bias,
        "spread_sharp": spread_sharp,
        "spread_plain": spread_plain,
        "product_spread": product_spread,
    },
    asserts=(
        Relation("|x_t|_*", "<=", "error_sharp"),
        Relation("error_sharp", "<=", "error_plain"),
        Relation("|<x_t, z - w_{t-1}>|", "<=", "product_bound"),
        Relation("|E x_t|_*", "<=", "bias_sharp"),
        Relation("bias_sharp", "<=", "bias_plain"),
        Relation("|E<x_t, z - w_{t-1}>|", "<=", "product_bias"),
        Relation("(E|x_t|_*^2)^{1/2}", "<=", "spread_sharp"),
        Relation("spread_sharp", "<=", "spread_plain"),
        Relation("(E<x_t, z - w_{t-1}>^2)^{1/2}", "<=", "product_spread"),
    ),
    preconditions=(
        BOUNDED_MOMENT,
        LARGE_THRESHOLD,
    ),
    over=("distributions of the gradients", LOSSES),
    note="Cited from Nazin et al. 2019. Needs |population gradient|_* <= beta M on C, true if it vanishes somewhere in C and"
    " M is the diameter. Assumption 4 is not at hand, but Theorem 15 adds to it that the gradient vanishes at the "
    "optimum, so it does not say so; with an optimum on the boundary and a long gradient there the lemma fails. If M "
    "were the radius the products would double.",
)
SQUARES = Claim(
    id="lp/lem-19",
    title="moments of the squared truncation error",
    kind=Kind.BOUND,
    unproved=True,
    source=LP.at("Lemma 19"),
    says="When M <= lambda, phi_t = |x_t|_*^2 has E phi_t <= (sigma + M sigma/lambda)^2 <= 4 sigma^2, phi_t <= (2 M + "
    "lambda)^2 <= 9 lambda^2, and (E phi_t^2)^{1/2} <= (sigma + M sigma/lambda)(2 M + lambda) <= 6 lambda sigma.",
    parameters=(BETA, DIAMETER, THRESHOLD, MOMENT, LARGEST_MOMENT),
    formulas={
        "square_mean_sharp": square_mean_sharp,
        "square_mean_plain": square_mean_plain,
        "square_sharp": square_sharp,
        "square_plain": square_plain,
        "square_spread_sharp": square_spread_sharp,
        "square_spread_plain": square_spread_plain,
    },
    asserts=(
        Relation("E phi_t", "<=", "square_mean_sharp"),
        Relation("square_mean_sharp", "<=", "square_mean_plain"),
        Relation("phi_t", "<=", "square_sharp"),
        Relation("square_sharp", "<=", "square_plain"),
        Relation("(E phi_t^2)^{1/2}", "<=", "square_spread_sharp"),
        Relation("square_spread_sharp", "<=", "square_spread_plain"),
    ),
    preconditions=(
        BOUNDED_MOMENT,
        Predicate(
            "M <= lambda",
            threshold_covers_diameter,
            accepts={"M": "1", "lambda_": "2"},
            rejects={"M": "3", "lambda_": "2"},
        ),
    ),
    over=("distributions of the gradients", LOSSES),
    note="Lemma 17 has beta M everywhere, here beta is lost, while gradients up to beta M + lambda are still kept. M = lambda "
    "= 1, beta = 10: a kept gradient of norm 11 against a population gradient of norm 10 has phi_t = 441, printed 9. The "
    "plain bounds hold with max(beta, 1) M <= lambda, which Theorems 10 and 14 assume, and a population gradient of at most "
    "beta M; the sharp ones too if also beta <= 1.",
)

claims = [
    GRADIENTS,
    replace(
        GRADIENTS,
        id="lp/lem-17-amended",
        amends="lp/lem-17",
        says="As printed, where the gradient of the population loss has dual norm at most beta M on C, as it has if it "
        "vanishes somewhere in C.",
        parameters=(*GRADIENTS.parameters, LARGEST_SLOPE),
        preconditions=(*GRADIENTS.preconditions, COVERED),
        note="",
    ),
    SQUARES,
    replace(
        SQUARES,
        id="lp/lem-19-amended",
        amends="lp/lem-19",
        says="When beta M <= lambda and the gradient of the population loss has dual norm at most beta M on C, phi_t = "
        "|x_t|_*^2 has E phi_t <= (sigma + beta M sigma/lambda)^2 <= 4 sigma^2, phi_t <= (2 beta M + lambda)^2 <= 9 "
        "lambda^2, and (E phi_t^2)^{1/2} <= (sigma + beta M sigma/lambda)(2 beta M + lambda) <= 6 lambda sigma.",
        parameters=(*SQUARES.parameters, LARGEST_SLOPE),
        formulas={
            **SQUARES.formulas,
            "square_mean_sharp": square_mean_amended,
            "square_sharp": square_amended,
            "square_spread_sharp": square_spread_amended,
        },
        preconditions=(BOUNDED_MOMENT, LARGE_THRESHOLD, COVERED),
        note="",
    ),
]
