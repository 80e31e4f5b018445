"""Gradient norm reached by private bilevel descent: the descent lemma, the averaged bound, and the choice of parameters.

The three terms of a bound are optimisation, bias and noise.
"""

from dataclasses import replace

from dpsco.spec.algorithms.bilevel_descent.algorithm import (
    BETA_PHI,
    C_APPROX,
    GAP,
    K_SENS,
    inner_error,
    noise_scale,
    number_of_steps,
    target_rate_squared,
)
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Parameter, nonnegative, reals
from dpsco.spec.expressions import log, sqrt, symbol, symbols
from dpsco.spec.losses.bilevel.assumptions import D_X_DIM, PROBLEMS
from dpsco.spec.losses.bilevel.hypergradient import ASSUMED, HOLDS, smoothness
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import BETA, DELTA, EPSILON, ETA, N, T
from dpsco.spec.predicate import Predicate

K, beta, beta_Phi, bias, bias_noise_product, d_x = symbols("K beta beta_Phi bias bias_noise_product d_x")
delta, epsilon, eta, gap, gradient_norm, mean_bias = symbols("delta epsilon eta gap gradient_norm mean_bias")
mean_noise, n, noise_level, root_mean_square_bias = symbols("mean_noise n noise_level root_mean_square_bias")
root_mean_square_noise = symbol("root_mean_square_noise")


one_step_descent = -eta / 2 * gradient_norm**2 + eta / 2 * bias**2 + eta**2 * beta / 2 * noise_level**2
averaged_bound = 2 * gap / (eta * T) + bias**2 + eta * beta_Phi * noise_level**2
noise_power = 1024 * d_x * K**2 * T * log(1 / delta) / (n**2 * epsilon**2)
"""Sigma^2 = d_x sigma^2."""

three_terms = 4 * beta_Phi * gap / T + target_rate_squared + noise_power
gradient_rate = sqrt(target_rate_squared)
step_length = 1 / (2 * beta_Phi)
step_is_short = 2 * beta * eta <= 1
step_is_short_for_phi = 2 * beta_Phi * eta <= 1
mean_bias_is_bounded = mean_bias <= bias
noise_is_bounded = root_mean_square_noise <= noise_level
noise_is_centred = mean_noise <= 0
bias_is_bounded = root_mean_square_bias <= bias
noise_is_uncorrelated = bias_noise_product <= 0


BIAS = Parameter("bias", "B: bound on the norm of the mean bias", nonnegative, "loss/decision")
NOISE_LEVEL = Parameter("noise_level", "Sigma: bound on the root mean square norm of the noise", nonnegative, "loss/decision")
GRADIENT = Parameter("gradient_norm", "norm of the gradient at the iterate", nonnegative, "loss/decision")
MEAN_SQUARE = Parameter("mean_square", "E |grad Phi_Z|^2 at the output of Algorithm 1", nonnegative, "loss^2/decision^2")
MEAN = Parameter("mean_norm", "E |grad Phi_Z| at the output of Algorithm 1", nonnegative, "loss/decision")
RUN = (EPSILON, DELTA, N, D_X_DIM, *ASSUMED, K_SENS, C_APPROX, GAP, BETA_PHI)
SHORT = Predicate(
    "eta <= 1/(2 beta_Phi)",
    step_is_short_for_phi,
    accepts={"eta": "0.25", "beta_Phi": "2"},
    rejects={"eta": "0.26", "beta_Phi": "2"},
)

FULL_BIAS = Parameter("root_mean_square_bias", "sqrt of E[|b_t|^2 | x_t]", nonnegative, "loss/decision")
BIAS_BOUNDED = Predicate(
    "E |b_t|^2 <= B^2",
    bias_is_bounded,
    accepts={"root_mean_square_bias": "1.5", "bias": "1.5"},
    rejects={"root_mean_square_bias": "1.6", "bias": "1.5"},
)
NOISE_BOUNDED = Predicate(
    "E |N_t|^2 <= Sigma^2",
    noise_is_bounded,
    accepts={"root_mean_square_noise": "3", "noise_level": "3"},
    rejects={"root_mean_square_noise": "3.1", "noise_level": "3"},
)
ROOT_NOISE = Parameter("root_mean_square_noise", "sqrt of E[|N_t|^2 | x_t]", nonnegative, "loss/decision")
claims = [
    Claim(
        id="bilevel/lem-C.4",
        title="descent with a biased, noisy gradient",
        kind=Kind.BOUND,
        unproved=True,
        source=BILEVEL.at("Lemma C.4", "(22)"),
        says="H beta-smooth, x_{t+1} = x_t - eta (grad H(x_t) + b_t + N_t) with E[N_t | x_t] = 0, |E[b_t | x_t]| <= B and "
        "E[|N_t|^2 | x_t] <= Sigma^2. For eta <= 1/(2 beta): E[H(x_{t+1}) - H(x_t) | x_t] <= -(eta/2)|grad H(x_t)|^2 + "
        "(eta/2) B^2 + (eta^2 beta/2) Sigma^2.",
        parameters=(
            ETA,
            BETA,
            BIAS,
            NOISE_LEVEL,
            GRADIENT,
            Parameter("mean_bias", "|E[b_t | x_t]|", nonnegative, "loss/decision"),
            Parameter("mean_noise", "|E[N_t | x_t]|", nonnegative, "loss/decision"),
            ROOT_NOISE,
            Parameter("mean_change", "E[H(x_{t+1}) - H(x_t) | x_t]", reals, "loss"),
        ),
        symbols={"gradient_norm": r"\|\nabla H(x_t)\|"},
        formulas={"bound": one_step_descent},
        asserts=(Relation("mean_change", "<=", "bound"),),
        preconditions=(
            Predicate(
                "eta <= 1/(2 beta)",
                step_is_short,
                accepts={"eta": "0.25", "beta": "2"},
                rejects={"eta": "0.26", "beta": "2"},
            ),
            Predicate("E N_t = 0", noise_is_centred, accepts={"mean_noise": "0"}, rejects={"mean_noise": "0.1"}),
            Predicate(
                "|E b_t| <= B",
                mean_bias_is_bounded,
                accepts={"mean_bias": "1.5", "bias": "1.5"},
                rejects={"mean_bias": "1.6", "bias": "1.5"},
            ),
            NOISE_BOUNDED,
        ),
        over=("every beta-smooth H on R^d, every d", "every law of (b_t, N_t) given x_t"),
        note="False as printed (domain): only the mean of b_t is bounded. H = beta x^2/2 at x_t = 0, N_t = 0, b_t = +-s "
        "with equal chances: B = Sigma = 0, bound 0, mean change beta eta^2 s^2/2. A bias that goes with the noise "
        "breaks it too. Holds with E|b_t|^2 <= B^2 and E<b_t, N_t> <= 0, so for b_t fixed given x_t, as in the source "
        "and in its use here.",
    ),
    Claim(
        id="bilevel/thm-C.3-bound",
        title="gradient norm after any number of steps",
        kind=Kind.BOUND,
        source=BILEVEL.at("Theorem C.3, proof of utility", "(23)"),
        says="With eta = 1/(2 beta_Phi), sigma and alpha as in Theorem C.3 and any T: E |grad Phi_Z|^2 at the output is at "
        "most 4 beta_Phi gap/T + K sqrt(gap beta_Phi) sqrt(d_x ln(1/delta))/(epsilon n) + 1024 d_x K^2 T ln(1/delta)/(n^2 "
        "epsilon^2). The output is drawn from x_1, ..., x_T, and (23) comes from summing the descent lemma over t = 1, ..., "
        "T, with the gap at x_0. On the way Sigma^2 = d_x sigma^2 = 1024 d_x K^2 T ln(1/delta)/(n^2 epsilon^2).",
        uses=("bilevel/alg-1", "bilevel/eq-11", "bilevel/lem-C.2", "bilevel/lem-C.4"),
        parameters=(*RUN, T, MEAN_SQUARE),
        formulas={"bound": three_terms, "noise_power": noise_power, "sigma": noise_scale, "alpha_chosen": inner_error},
        asserts=(Relation("mean_square", "<=", "bound", step=True), Relation("d_x sigma^2", "=", "noise_power", step=True)),
        preconditions=HOLDS,
        over=(PROBLEMS, "every x_0"),
        note="True, though not by its own sum: over x_1, ..., x_T that telescopes to Phi_Z(x_1) - Phi_Z(x_{T+1}), not from "
        "x_0. Summed over x_0, ..., x_{T-1}, with |grad Phi_Z(x_T)|^2 <= 2 beta_Phi (Phi_Z(x_T) - inf Phi_Z) in the "
        "place of the dropped term at x_0, it gives the same bound for x_1, ..., x_T, with a factor 2 to spare in the "
        "noise. alpha needs C > 0; gap = 0 makes alpha = 0, an exact lower solver.",
    ),
    Claim(
        id="bilevel/thm-4.2",
        title="stationarity of second-order private descent",
        kind=Kind.UTILITY,
        source=BILEVEL.at("Theorem 4.2", "Theorem C.3", "(23)"),
        says="For eta <= 1/(2 beta_Phi), bias |E b_t| <= B and noise power at most Sigma^2, E |grad Phi_Z|^2 at the output of "
        "Algorithm 1 is at most 2 gap/(eta T) + B^2 + eta beta_Phi Sigma^2. With sigma = 32 K sqrt(T ln(1/delta))/(n "
        "epsilon), alpha = min(K/(n C), rate/C), eta = 1/(2 beta_Phi) and T the ceiling of n epsilon sqrt(beta_Phi gap)/(K "
        "sqrt(d_x ln(1/delta))): E |grad Phi_Z| at the output is, up to an absolute constant, at most rate = [K sqrt(gap "
        "beta_Phi) sqrt(d_x ln(1/delta))/(epsilon n)]^{1/2}, and Algorithm 1 is (epsilon, delta)-DP.",
        uses=("bilevel/alg-1", "bilevel/eq-11", "bilevel/lem-C.2", "bilevel/lem-C.4", "bilevel/thm-C.3-bound"),
        parameters=(*RUN, T, ETA, BIAS, NOISE_LEVEL, MEAN_SQUARE, MEAN),
        formulas={
            "averaged_bound": averaged_bound,
            "sigma": noise_scale,
            "alpha_chosen": inner_error,
            "T_chosen": number_of_steps,
            "eta_chosen": step_length,
            "beta_Phi_of_21": smoothness,
            "rate": gradient_rate,
        },
        asserts=(Relation("mean_square", "<=", "averaged_bound", step=True), Relation("mean_norm", "<=O", "rate")),
        preconditions=(*HOLDS, SHORT),
        over=(PROBLEMS, "every x_0"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the output iterate",
        note="False (domain) where the chosen T is 1: the output is x_1, which keeps the noise of a whole step, while the "
        "rate goes to 0 with gap -> 0 (x_0 near a minimiser). True, with the constant sqrt(1029), where n epsilon "
        "sqrt(beta_Phi gap) >= K sqrt(d_x ln(1/delta)), and everywhere if the output is one of x_0, ..., x_{T-1}. gap = 0 "
        "gives T = 0 and alpha = 0. The averaged bound, for x_1, ..., x_T too, needs the mean square of b_t bounded, not its "
        "mean (Lemma C.4). T and alpha depend on the data, see the privacy half. beta_Phi = 0 and C = 0 are not excluded by "
        "the assumptions; alpha and eta divide by them.",
    ),
]
_DESCENT = claims[0]
claims += [
    replace(
        _DESCENT,
        id="bilevel/lem-C.4-amended",
        amends="bilevel/lem-C.4",
        says="As Lemma C.4 with the whole of the bias bounded, E[|b_t|^2 | x_t] <= B^2, and E[<b_t, N_t> | x_t] <= 0.",
        parameters=(
            *_DESCENT.parameters,
            FULL_BIAS,
            Parameter("bias_noise_product", "E[<b_t, N_t> | x_t]", reals, "loss^2/decision^2"),
        ),
        preconditions=(
            *(p for p in _DESCENT.preconditions if p.test is not mean_bias_is_bounded),
            BIAS_BOUNDED,
            Predicate(
                "E <b_t, N_t> <= 0",
                noise_is_uncorrelated,
                accepts={"bias_noise_product": "0"},
                rejects={"bias_noise_product": "0.1"},
            ),
        ),
        note="A bias that is a function of x_t, |b_t| <= B, as in the use of the lemma, is such.",
    ),
]
