"""Risk of truncated batched mirror descent with all its constants: what Theorem 14's own choices prove."""

from dpsco.spec.algorithms.mirror_descent.shuffled_utility import C_CHOICE, EXCESS, NEAR_START
from dpsco.spec.algorithms.mirror_descent.truncated import LOSSES, WHOLE
from dpsco.spec.algorithms.mirror_descent.truncated_gradients import COVERED, LARGE_THRESHOLD, LARGEST_SLOPE
from dpsco.spec.algorithms.mirror_descent.truncated_utility import (
    BOUNDED_MOMENT,
    DIVERGENCE,
    LARGEST_MOMENT,
    MANY_STEPS,
    SHARED,
    TAU,
    batch_noise_scale,
    batched_lambda,
    batched_steps,
)
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Interval, open_unit
from dpsco.spec.expressions import E, log, sqrt, symbols
from dpsco.spec.papers import LP
from dpsco.spec.parameters import EPSILON
from dpsco.spec.predicate import Predicate

M, T, c_choice, d, delta, divergence = symbols("M T c_choice d delta divergence")
epsilon, kappa, lambda_, n, sigma, tau = symbols("epsilon kappa lambda_ n sigma tau")


_root = sqrt(2 * tau / T)
_products = 2 * M * sigma**2 / lambda_ + M * sigma * _root + 2 * lambda_ * M * tau / T
_squares = sigma**2 + 3 * lambda_ * sigma * _root + 6 * lambda_**2 * tau / T
batched_bound = divergence / sqrt(T) + _products + 2 * _squares / sqrt(T) + 2 * (d * batch_noise_scale) / sqrt(T)
"""(28) with constants, gamma_bar = sqrt(T), both sums by Freedman's inequality for every tau."""

_scale = kappa ** E("2/3") * (d * log(1 / delta)) ** E("1/6") / (n * epsilon) ** E("1/3")
_spread = sigma**2 * (M ** E("1/3") + M ** E("5/6")) + tau * (M ** E("10/3") + M ** E("23/6"))
batched_rate_amended = _scale * (M ** E("17/6") + 1 / M ** E("7/6") + _spread)
batched_choices_are_near = all_of(
    batched_lambda <= c_choice * lambda_,
    lambda_ <= c_choice * batched_lambda,
    batched_steps <= c_choice * T,
    T <= c_choice * batched_steps,
)


NEAR_CHOICES = Predicate(
    "lambda and T within a factor c_choice of their choices",
    batched_choices_are_near,
    accepts={"c_choice": "10", "lambda_": "10", "T": 400, "n": 10000, "epsilon": "0.5", "M": "1", "kappa": "2", "d": 3}
    | {"delta": "1e-3"},
    rejects={"c_choice": "2", "lambda_": "10", "T": 4, "n": 10000, "epsilon": "0.5", "M": "1", "kappa": "2", "d": 3}
    | {"delta": "1e-3"},
)

claims = [
    Claim(
        id="lp/thm-14-amended-risk",
        amends="lp/thm-14",
        kind=Kind.RATE,
        source=LP.at("Theorem 14", "proof of Theorem 14", "display (28)", "Algorithm 7"),
        says="Of the risk. Algorithm 7 with the noise of lp/thm-14-amended: let Phi be 1-strongly convex with D_Phi(theta*, "
        "w_0) <= kappa M^2/2, |gradient of the population loss|_* <= beta M on C, beta M <= lambda, T >= 4 beta^2 a divisor "
        "of n, gamma_t = sqrt(T), delta <= 1/2. For every tau > 0, with probability 1 - 2 e^{-tau} over the data, the "
        "expected (over the noise) excess population risk is at most bound. With lambda and T within constants of the printed "
        "choices it is O(kappa^{2/3} (d ln(1/delta))^{1/6} / (n epsilon)^{1/3} (M^{17/6} + M^{-7/6} + sigma^2 (M^{1/3} + "
        "M^{5/6}) + tau (M^{10/3} + M^{23/6}))).",
        parameters=(
            *(p.within(Interval("0", "0.5", high_open=False)) if p.name == "delta" else p for p in SHARED),
            EPSILON.within(open_unit),
            TAU,
            DIVERGENCE,
            LARGEST_MOMENT,
            LARGEST_SLOPE,
            C_CHOICE,
        ),
        formulas={
            "bound": batched_bound,
            "rate": batched_rate_amended,
            "lambda_choice": batched_lambda,
            "steps_choice": batched_steps,
            "sigma_1_squared": batch_noise_scale,
        },
        asserts=(Relation(EXCESS, "<=", "bound"), Relation(EXCESS, "<=O", "rate")),
        preconditions=(BOUNDED_MOMENT, WHOLE, LARGE_THRESHOLD, COVERED, MANY_STEPS, NEAR_CHOICES, NEAR_START),
        over=("distributions of the records", LOSSES, "1-strongly convex Phi", "norms whose dual is kappa-regular"),
        note="For M and sigma fixed this is the printed rate with ln(1/delta') in the place of its root, at every delta'.",
    ),
]
