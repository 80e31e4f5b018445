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
from dpsco.spec.domain import Interval, open_unit
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import LP
from dpsco.spec.parameters import EPSILON
from dpsco.spec.predicate import Predicate


def batched_bound(
    m: Numbers,
    divergence: Real,
    T: Real,
    M: Real,
    sigma: Real,
    lambda_: Real,
    tau: Real,
    d: Real,
    kappa: Real,
    beta: Real,
    delta: Real,
    n: Real,
    epsilon: Real,
) -> Real:
    """(28) with constants, gamma_bar = sqrt(T), both sums by Freedman's inequality for every tau."""
    gamma, root = m.sqrt(T), m.sqrt(2 * tau / T)
    products = 2 * M * sigma**2 / lambda_ + M * sigma * root + 2 * lambda_ * M * tau / T
    squares = sigma**2 + 3 * lambda_ * sigma * root + 6 * lambda_**2 * tau / T
    noise_squared = d * batch_noise_scale(m, kappa, beta, M, lambda_, delta, n, T, epsilon)
    return divergence / gamma + products + 2 * squares / gamma + 2 * noise_squared / gamma


def batched_rate_amended(
    m: Numbers, M: Real, sigma: Real, tau: Real, kappa: Real, d: Real, delta: Real, n: Real, epsilon: Real
) -> Real:
    def power(top: int, bottom: int) -> Real:
        return M ** m.frac(top, bottom)

    scale = kappa ** m.frac(2, 3) * (d * m.log(1 / delta)) ** m.frac(1, 6) / (n * epsilon) ** m.frac(1, 3)
    spread = sigma**2 * (power(1, 3) + power(5, 6)) + tau * (power(10, 3) + power(23, 6))
    return scale * (power(17, 6) + 1 / power(7, 6) + spread)


def batched_choices_are_near(
    m: Numbers,
    c_choice: Real,
    lambda_: Real,
    T: Real,
    n: Real,
    epsilon: Real,
    M: Real,
    kappa: Real,
    d: Real,
    delta: Real,
) -> Truth:
    large = batched_lambda(m, n, epsilon, M, kappa, d, delta)
    steps = batched_steps(m, n, epsilon, M, lambda_, d, delta)
    return m.all(
        m.le(large, c_choice * lambda_), m.le(lambda_, c_choice * large), m.le(steps, c_choice * T), m.le(T, c_choice * steps)
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
