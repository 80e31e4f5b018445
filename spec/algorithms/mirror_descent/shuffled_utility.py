"""Risk of shuffled truncated private mirror descent under heavy tails in l_p^d, 1 < p < 2."""

from dataclasses import replace

from dpsco.spec.algorithms.mirror_descent.truncated import C_EPSILON, FILLED, LOSSES, SMALL_EPSILON, WHOLE, threshold
from dpsco.spec.algorithms.mirror_descent.truncated_gradients import COVERED, LARGE_THRESHOLD, LARGEST_SLOPE
from dpsco.spec.algorithms.mirror_descent.truncated_utility import (
    BOUNDED_MOMENT,
    C_TAU,
    DELTA_PRIME,
    DIVERGENCE,
    GAMMA_BAR,
    LARGEST_MOMENT,
    LOST,
    MANY_STEPS,
    MISSING,
    SHARED,
    SMALL_TAU,
    TAU,
    gamma_choice,
    optimisation_and_truncation,
)
from dpsco.spec.claim import Claim, Kind, Provenance, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Integers, Interval, Parameter, nonnegative
from dpsco.spec.expressions import E, log, maximum, sqrt, symbols
from dpsco.spec.papers import LP
from dpsco.spec.parameters import EPSILON
from dpsco.spec.predicate import Predicate

M, T, beta, c_choice, d, delta, delta_prime = symbols("M T beta c_choice d delta delta_prime")
divergence, epsilon, gamma_bar, kappa, lambda_, n = symbols("divergence epsilon gamma_bar kappa lambda_ n")
noise_squared, sigma, tau = symbols("noise_squared sigma tau")

EXCESS = "E[population loss of w_hat] - population loss of theta*"
NOISE_SQUARED = Parameter("noise_squared", "E|z_t|_*^2 of the mean noise of a batch", nonnegative, "loss^2/decision^2")
C_CHOICE = Parameter("c_choice", "lambda and T are chosen up to this factor", Interval("1", "inf", low_open=False))


_logs = (kappa**2 * d * log(1 / delta)) ** E("1/4") * sqrt(log(1 / delta_prime))
shuffled_rate = M * maximum(sigma**2, sigma) * _logs / sqrt(n * epsilon)

_logs = log(n / delta) * log(1 / delta)
shuffled_noise_term = _logs * d * T * kappa * threshold**2 / (n**2 * epsilon**2 * gamma_bar)
"""Last term of (27)."""

gamma_over_steps = threshold * sqrt(d * log(1 / delta)) / (n * M * epsilon)
shuffled_lambda = sigma * sqrt(n * epsilon) / (kappa**2 * d * log(1 / delta)) ** E("1/4")
shuffled_steps = (M * n * epsilon / (threshold * sqrt(d * log(1 / delta)))) ** 2

_first = M * sigma * kappa * (d * log(1 / delta)) ** E("1/4") / sqrt(n * epsilon)
shuffled_middle = _first + sigma * M * sqrt(tau) / sqrt(T) + M * sigma**2 / sqrt(T)
"""The display after lambda is chosen, with gamma_bar = sqrt(T)."""

_gamma = sqrt(T)
_products = 2 * M * sigma**2 / lambda_ + 6 * sigma * M * sqrt(tau / T)
_squares = 4 * sigma**2 + 18 * lambda_ * sigma * sqrt(tau / T)
risk_bound = divergence / _gamma + _products + 2 * _squares / _gamma + 2 * noise_squared / _gamma
"""(27) with constants, gamma_bar = sqrt(T)."""

_scale = sqrt(kappa) * (d * log(1 / delta)) ** E("1/4") / sqrt(n * epsilon)
risk_rate_amended = _scale * (sigma * M * kappa**2 * log(n / delta) ** 2 / log(1 / delta) + sigma**3 / (kappa * M))
shuffled_lambda_is_large = shuffled_lambda >= maximum(beta, 1) * M
choices_are_near = all_of(
    shuffled_lambda <= c_choice * lambda_,
    lambda_ <= c_choice * shuffled_lambda,
    shuffled_steps <= c_choice * T,
    T <= c_choice * shuffled_steps,
)
start_is_near = divergence <= kappa * M**2 / 2


LAMBDA_COVERS = Predicate(
    "lambda >= max(beta, 1) M at the chosen lambda",
    shuffled_lambda_is_large,
    accepts={"sigma": "1", "n": 100000, "epsilon": "0.01", "kappa": "2", "d": 3, "delta": "1e-3"} | {"beta": "1", "M": "1"},
    rejects={"sigma": "1", "n": 100, "epsilon": "0.01", "kappa": "2", "d": 3, "delta": "1e-3"} | {"beta": "1", "M": "1"},
)
NEAR_CHOICES = Predicate(
    "lambda and T within a factor c_choice of their choices",
    choices_are_near,
    accepts={"c_choice": "10", "lambda_": "20", "T": 500, "sigma": "1", "n": 100000, "epsilon": "0.01", "kappa": "2", "d": 3}
    | {"delta": "1e-3", "beta": "0.1", "M": "1"},
    rejects={"c_choice": "2", "lambda_": "20", "T": 5, "sigma": "1", "n": 100000, "epsilon": "0.01", "kappa": "2", "d": 3}
    | {"delta": "1e-3", "beta": "0.1", "M": "1"},
)
NEAR_START = Predicate(
    "D_Phi(theta*, w_0) <= kappa M^2/2",
    start_is_near,
    accepts={"divergence": "1", "kappa": "2", "M": "1"},
    rejects={"divergence": "2", "kappa": "2", "M": "1"},
)
RISK = Claim(
    id="lp/thm-10",
    title="excess risk of shuffled mirror descent",
    kind=Kind.RATE,
    source=LP.at("Theorem 10", "proof of Theorem 10", "display (27) and after"),
    says="In l_p^d with 1 < p < 2, under Assumption 4 and epsilon = O(sqrt(ln(n/delta)/n)), Algorithm 4 with lambda = "
    "sigma sqrt(n epsilon) / (kappa^2 d ln(1/delta))^{1/4}, n so large that lambda >= max(beta, 1) M, sqrt(T) = O(M n "
    "epsilon / ((beta M + lambda) sqrt(d ln(1/delta)))) and gamma_t = sqrt(T) has, with probability at least 1 - delta' "
    "over the data, expected (over the noise) excess population risk O(M max(sigma^2, sigma) (kappa^2 d "
    "ln(1/delta))^{1/4} sqrt(ln(1/delta')) / sqrt(n epsilon)). Before the choices, display (27): with probability 1 - 2 "
    "e^{-tau} it is O(optimisation_and_truncation + shuffled_noise_term).",
    uses=("lp/thm-10-descent", "lp/thm-10-freedman", "lp/thm-10-noise"),
    parameters=(*SHARED, DELTA_PRIME, EPSILON, TAU, GAMMA_BAR, DIVERGENCE, LARGEST_MOMENT, C_EPSILON),
    symbols={"divergence": r"D_\Phi(\theta^{*}, w_0)"},
    formulas={
        "rate": shuffled_rate,
        "optimisation_and_truncation": optimisation_and_truncation,
        "shuffled_noise_term": shuffled_noise_term,
        "gamma_over_steps": gamma_over_steps,
        "lambda_choice": shuffled_lambda,
        "steps_choice": shuffled_steps,
        "gamma_choice": gamma_choice,
        "middle": shuffled_middle,
    },
    asserts=(
        Relation(EXCESS, "<=O", "rate"),
        Relation(EXCESS, "<=O", "(27)", step=True),
        Relation("(27) at the chosen lambda, T, gamma_bar", "<=O", "rate", step=True),
        Relation("middle at the chosen T", "<=O", "rate", step=True),
    ),
    preconditions=(
        BOUNDED_MOMENT,
        SMALL_EPSILON,
        FILLED,
        LAMBDA_COVERS,
    ),
    over=("distributions of the records", LOSSES),
    provenance=Provenance.REBUILT,
    note="Rebuilt from its proof. "
    + LOST
    + MISSING
    + ", which at the chosen T and lambda is tau = O(M^2 kappa^2 / sigma^2), a constant: delta' below a constant is not proved "
    "(nor refuted). Substitution gives sigma^2 sqrt(tau) (d ln(1/delta))^{1/4} / sqrt(kappa n epsilon) for the third "
    "term and sigma^3 for the fourth, which M max(sigma^2, sigma) does not bound when M is small or sigma large; the "
    "middle display has kappa where substitution gives sqrt(kappa); O~ with ln(n/delta) becomes O at the end; the fifth "
    "term has M sigma where lambda sigma stood before. The noise term has one kappa, Theorem 9 injects kappa^2 "
    "(lp/thm-10-noise).",
)
claims = [
    RISK,
    replace(
        RISK,
        id="lp/thm-10-amended",
        amends="lp/thm-10",
        says="Let Phi be 1-strongly convex with D_Phi(theta*, w_0) <= kappa M^2/2, |gradient of the population loss|_* <= "
        "beta M on C, beta M <= lambda, T >= 4 beta^2 a divisor of n (1 or n where n is prime), gamma_t = sqrt(T), tau <= 5 "
        "sigma^2 T/lambda^2. With probability 1 - 2 e^{-tau} over the data Algorithm 4 has expected (over the noise) "
        "excess population risk at most bound. With lambda and T within constants of their choices and n >= 2 it is "
        "O(sqrt(kappa) (d ln(1/delta))^{1/4} / sqrt(n epsilon) (sigma M kappa^2 ln(n/delta)^2 / ln(1/delta) + sigma^3 /"
        " (kappa M))).",
        parameters=(
            *(
                p.within(Integers(2)) if p.name == "n" else p
                for p in RISK.parameters
                if p.name not in ("gamma_bar", "delta_prime")
            ),
            LARGEST_SLOPE,
            NOISE_SQUARED,
            C_TAU.within(Interval("0", "5", high_open=False)),
            C_CHOICE,
        ),
        formulas={
            "bound": risk_bound,
            "rate": risk_rate_amended,
            "lambda_choice": shuffled_lambda,
            "steps_choice": shuffled_steps,
        },
        asserts=(Relation(EXCESS, "<=", "bound"), Relation(EXCESS, "<=O", "rate")),
        preconditions=(
            BOUNDED_MOMENT,
            SMALL_EPSILON,
            WHOLE,
            LARGE_THRESHOLD,
            COVERED,
            MANY_STEPS,
            SMALL_TAU,
            NEAR_CHOICES,
            NEAR_START,
        ),
        over=("distributions of the records", LOSSES, "1-strongly convex Phi"),
        provenance=Provenance.PRINTED,
        note="",
    ),
]
