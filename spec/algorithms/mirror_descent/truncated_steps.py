"""Links in the proof for truncated private mirror descent: descent, deviations, noise.

x_t is the mean of the truncated gradients of batch t minus the population gradient; xi_t is x_t plus the noise z_t.
"""

from dataclasses import replace

from dpsco.spec.algorithms.mirror_descent.shuffled_utility import shuffled_lambda, shuffled_steps
from dpsco.spec.algorithms.mirror_descent.truncated import (
    C_EPSILON,
    DIAMETER,
    LOSSES,
    SMALL_EPSILON,
    THRESHOLD,
    WHOLE,
    sigma_final,
    threshold,
)
from dpsco.spec.algorithms.mirror_descent.truncated_gradients import COVERED, LARGE_THRESHOLD, LARGEST_SLOPE
from dpsco.spec.algorithms.mirror_descent.truncated_utility import (
    BOUNDED_MOMENT,
    C_TAU,
    KAPPA,
    LARGEST_MOMENT,
    MOMENT,
    SMALL_TAU,
    TAU,
    batched_lambda,
    batched_steps,
    largest_tau_rate,
)
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import Interval, Parameter, nonnegative, positive, reals
from dpsco.spec.expressions import E, equal, exp, log, sqrt, symbols
from dpsco.spec.nouns import INTEGER, Noun
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA, DELTA, EPSILON, D, N, T
from dpsco.spec.predicate import Predicate
from dpsco.spec.statement import Statement, Symbol, bounded_by, statement

M, after, before, beta, d, delta, epsilon = symbols("M after before beta d delta epsilon")
error_norm, error_slope, gamma_t, kappa, lambda_ = symbols("error_norm error_slope gamma_t kappa lambda_")
n, sigma, slope_past, slope_to_now = symbols("n sigma slope_past slope_to_now")
step_divergence, tau = symbols("step_divergence tau")

GAMMA_T = Parameter("gamma_t", "weight of the divergence in step t", positive, "loss/decision^2")


descent_24 = slope_to_now + beta * step_divergence + slope_past
descent_25 = slope_to_now + slope_past + gamma_t / 2 * step_divergence
descent_per_step = gamma_t * (before - after) - error_slope + error_norm**2 / gamma_t
"""error_slope is <xi_t, w_{t-1} - z>."""

first_deviation = 2 * T * M * sigma**2 / lambda_ + 3 * (2 * sigma * M) * sqrt(tau * T)

_step = E("2/3") * 3 * sqrt(tau) * (3 * lambda_ * M) / (2 * sigma * M * sqrt(T))
first_tail = exp(-9 * tau / (2 + _step))
simplified_tail = exp(-9 * tau / (2 + 3 * lambda_ * sqrt(tau) / (sigma * sqrt(T))))
plain_tail = exp(-tau)
second_deviation = 4 * sigma**2 * T + 18 * lambda_ * sigma * sqrt(T * tau)
largest_tau_shuffled = largest_tau_rate.where(
    {"T": shuffled_steps.where({"lambda_": shuffled_lambda}), "lambda_": shuffled_lambda}
)
"""largest_tau_rate at Theorem 10's lambda and T."""

largest_tau_batched = largest_tau_rate.where({"T": batched_steps.where({"lambda_": batched_lambda}), "lambda_": batched_lambda})
"""largest_tau_rate at Theorem 14's lambda and T."""

_noise_logs = log(n / delta) * log(1 / delta)
batch_noise = T / n * _noise_logs * d * kappa * threshold**2 / (n * epsilon**2)
"""g^2 through the batch size n/T."""

batch_noise_expanded = _noise_logs * d * T * kappa * threshold**2 / (n**2 * epsilon**2)
batch_noise_of_privacy = T / n * d * sigma_final**2
"""d sigma^2 / |B_t| with the sigma that Theorem 9 asks for."""

batch_noise_amended = kappa * batch_noise_of_privacy
"""kappa d sigma^2 / |B_t|: what averaging leaves in a kappa-regular space."""

batch_noise_amended_expanded = log(n / delta) ** 2 * d * T * kappa**3 * threshold**2 / (n**2 * epsilon**2)
steps_are_short = gamma_t >= 2 * beta


def scalar(name: str, meaning: str) -> Parameter:
    return Parameter(name, meaning, reals, "loss")


DESCENT = Claim(
    id="lp/thm-10-descent",
    title="one step of truncated mirror descent",
    kind=Kind.BOUND,
    source=LP.at("proof of Theorem 10", "displays (24) and (25) and after"),
    says="Let gamma_t >= 2 beta, w_t the update, xi_t = noisy mean gradient minus population gradient at w_{t-1}, z in "
    "C. (24): the population loss at w_t minus that at z is (an equality in print) <grad, w_t - w_{t-1}> + beta "
    "D_Phi(w_t, w_{t-1}) + <grad, w_{t-1} - z>, with the population gradient at w_{t-1}; (25): at most <grad, w_t - z> + "
    "(gamma_t/2) D_Phi(w_t, w_{t-1}). Finally: at most gamma_t (D_Phi(z, w_{t-1}) - D_Phi(z, w_t)) - <xi_t, w_{t-1} - z> "
    "+ |xi_t|_*^2 / gamma_t.",
    uses=("lp/alg-4", "lp/phi"),
    parameters=(
        scalar("slope_to_now", "<grad, w_t - w_{t-1}>"),
        scalar("slope_past", "<grad, w_{t-1} - z>"),
        scalar("error_slope", "<xi_t, w_{t-1} - z>"),
        Parameter("step_divergence", "D_Phi(w_t, w_{t-1})", nonnegative, "decision^2"),
        Parameter("before", "D_Phi(z, w_{t-1})", nonnegative, "decision^2"),
        Parameter("after", "D_Phi(z, w_t)", nonnegative, "decision^2"),
        Parameter("error_norm", "|xi_t|_*", nonnegative, "loss/decision"),
        BETA,
        GAMMA_T,
    ),
    formulas={
        "right_24": descent_24,
        "right_25": descent_25,
        "per_step": descent_per_step,
    },
    asserts=(
        Relation("loss at w_t - loss at z", "=", "right_24", step=True),
        Relation("right_24", "<=", "right_25", step=True),
        Relation("loss at w_t - loss at z", "<=", "per_step", step=True),
    ),
    preconditions=(
        Predicate(
            "gamma_t >= 2 beta",
            steps_are_short,
            accepts={"gamma_t": "2", "beta": "1"},
            rejects={"gamma_t": "1", "beta": "1"},
        ),
    ),
    over=("convex beta-smooth population losses", "1-strongly convex Phi", "points z of C"),
    note="(24) is an inequality <=, as smoothness and convexity give it. gamma_t >= 2 beta is a hypothesis here; that the "
    "theorems' gamma_t = sqrt(T) need not meet it is counted in lp/thm-10. The optimality condition is printed strict, where "
    ">= 0 holds; a step of Young's inequality has the l2 norm where |.| is meant. The rest needs lp/phi.",
)
DEVIATIONS = Claim(
    id="lp/thm-10-freedman",
    title="tails of the summed truncation errors",
    kind=Kind.BOUND,
    source=LP.at("proof of Theorem 10", "displays after (26) and after Lemma 19"),
    says="For tau = O(sigma^2 T/lambda^2), under Assumption 4 and beta M <= lambda (Lemma 17): P(sum of <x_t, z - w_{t-1}> "
    "over T steps >= 2 T M sigma^2/lambda + 6 sigma M sqrt(tau T)) <= exp(-9 tau / (2 + (2/3) 3 sqrt(tau) (3 lambda M) "
    "/ (2 sigma M sqrt(T)))) <= exp(-9 tau / (2 + 3 lambda sqrt(tau) / (sigma sqrt(T)))) <= e^{-tau}, and P(sum of "
    "|x_t|_*^2 >= 4 sigma^2 T + 18 lambda sigma sqrt(T tau)) <= exp(-9 tau / (2 + 3 sqrt(tau) lambda / (sigma "
    "sqrt(T)))) <= e^{-tau}. Both are Freedman's inequality with Lemmas 17 and 19.",
    uses=("lp/lem-17", "lp/lem-18", "lp/lem-19"),
    parameters=(T, DIAMETER, MOMENT, THRESHOLD, TAU, C_TAU, N, EPSILON, KAPPA, D, DELTA, BETA, LARGEST_MOMENT),
    formulas={
        "first_deviation": first_deviation,
        "first_tail": first_tail,
        "second_deviation": second_deviation,
        "simplified_tail": simplified_tail,
        "plain_tail": plain_tail,
        "largest_tau_rate": largest_tau_rate,
        "largest_tau_theorem_10": largest_tau_shuffled,
        "largest_tau_theorem_14": largest_tau_batched,
    },
    asserts=(
        Relation("P(sum of <x_t, z - w_{t-1}> >= first_deviation)", "<=", "first_tail", step=True),
        Relation("first_tail", "<=", "simplified_tail", step=True),
        Relation("simplified_tail", "<=", "plain_tail", step=True),
        Relation("P(sum of |x_t|_*^2 >= second_deviation)", "<=", "simplified_tail", step=True),
    ),
    preconditions=(SMALL_TAU, BOUNDED_MOMENT, LARGE_THRESHOLD),
    over=("distributions of the records", LOSSES),
    note="first_tail equals simplified_tail; the last link holds exactly when tau <= (49/9) sigma^2 T/lambda^2, which is a "
    "hidden constant. Lemma 18 is for terms in an interval of width 1, <x_t, z - w_{t-1}> ranges over width 6 lambda M;"
    " the one-sided range 3 lambda M is enough. Variances are bounded by second moments. Under the final parameters the"
    " range of tau does not grow with n: Theorem 10, M^2 kappa^2 / sigma^2 times (lambda/(beta M + lambda))^2; Theorem "
    "14, sigma^2 kappa^2 / M^3. So failure probabilities below e^{-constant} are out of reach.",
)
NOISE = Claim(
    id="lp/thm-10-noise",
    title="mean square of a batch's noise",
    kind=Kind.BOUND,
    source=LP.at("proof of Theorem 10", "display of g^2 before Lemma 19"),
    says="For epsilon = O(sqrt(ln(n/delta)/n)) (Theorem 9) the mean z_t of the |B_t| = n/T independent noises of a batch of "
    "Algorithm 4 has E|z_t|_*^2 = g^2 = "
    "O((1/|B_t|) ln(n/delta) d kappa (beta M + lambda)^2 ln(1/delta) / (n epsilon^2)) = O(ln(n/delta) d T kappa (beta M "
    "+ lambda)^2 ln(1/delta) / (n^2 epsilon^2)).",
    uses=("lp/thm-9",),
    parameters=(T, N, DELTA, D, KAPPA, BETA, DIAMETER, THRESHOLD, EPSILON, C_EPSILON),
    formulas={
        "rate": batch_noise,
        "rate_expanded": batch_noise_expanded,
        "privacy_noise": batch_noise_of_privacy,
    },
    asserts=(
        Relation("E|z_t|_*^2", "<=O", "rate", step=True),
        Relation("rate", "=", "rate_expanded", step=True),
        Relation("privacy_noise", "<=O", "rate", step=True),
    ),
    preconditions=(SMALL_EPSILON, WHOLE),
    over=("batches of n/T records",),
    note="sigma = O(...) is read as the scale that Theorem 9 ends with: d sigma^2 / |B_t| then has kappa^2 and ln(n/delta)^2"
    " for kappa ln(n/delta) ln(1/delta). The printed g^2 is d sigma^2 / |B_t| exactly for the scale that the proof of "
    "Theorem 9 starts from, sigma^2 = O(kappa (beta M + lambda)^2 ln(1/delta) ln(n/delta) / (n epsilon^2)). At either, "
    "averaging |B_t| independent vectors divides E|.|_*^2 by |B_t| in l2 only, in a kappa-regular space it may cost a "
    "further kappa (p -> 1, large d, large batch: by the central limit theorem the mean has E|.|_inf^2 of about (2/3) "
    "ln d times d sigma^2 / |B_t|).",
)
claims = [
    DESCENT,
    replace(
        DESCENT,
        id="lp/thm-10-descent-amended",
        amends="lp/thm-10-descent",
        says="As printed with <= for = in (24), which smoothness and convexity give.",
        asserts=(Relation("loss at w_t - loss at z", "<=", "right_24"), *DESCENT.asserts[1:]),
        note="",
    ),
    DEVIATIONS,
    replace(
        DEVIATIONS,
        id="lp/thm-10-freedman-amended",
        amends="lp/thm-10-freedman",
        says="As printed for tau <= 5 sigma^2 T/lambda^2, where the gradient of the population loss has dual norm at most beta "
        "M on C. The one-sided range 3 lambda M of <x_t, z - w_{t-1}> is enough for Freedman's "
        "inequality.",
        parameters=(
            *(p.within(Interval("0", "5", high_open=False)) if p.name == "c_tau" else p for p in DEVIATIONS.parameters),
            LARGEST_SLOPE,
        ),
        preconditions=(*DEVIATIONS.preconditions, COVERED),
        note="",
    ),
    NOISE,
    replace(
        NOISE,
        id="lp/thm-10-noise-amended",
        amends="lp/thm-10-noise",
        says="For epsilon as printed the mean z_t of the noises of a batch of Algorithm 4 has E|z_t|_*^2 = O(kappa d sigma^2 "
        "/ |B_t|) = O(ln(n/delta)^2 d T kappa^3 (beta M + lambda)^2 / (n^2 epsilon^2)) for sigma as in Theorem 9.",
        formulas={**NOISE.formulas, "rate": batch_noise_amended, "rate_expanded": batch_noise_amended_expanded},
        note="",
    ),
]

_T, _batch, _c = symbols("T batch c_epsilon")
_scale, _variance, _size = symbols("scale variance batch")

BatchNoise = Noun(
    "BatchNoise",
    (("variance", "real"), ("kappa", "real"), ("d", INTEGER), ("batch", INTEGER)),
    "The supremum of E|z|_*^2 over norms of R^d whose dual norm |.|_* is kappa-regular with smooth norm |.|_+, where z is "
    "the mean of `batch` independent vectors of density proportional to exp(-|x|_+^2 / (2 variance)).",
    domain=(_variance > 0, kappa > 1, d >= 1, _size >= 1),
)
nouns = [BatchNoise]

_sigma = kappa * (beta * M + lambda_) * log(n / delta) / (epsilon * sqrt(n))
_logs = log(n / delta) * log(1 / delta)
_rate = _T / n * _logs * d * kappa * (beta * M + lambda_) ** 2 / (n * epsilon**2)
_expanded = _logs * d * _T * kappa * (beta * M + lambda_) ** 2 / (n**2 * epsilon**2)

statements: list[Statement] = [
    statement(
        "lp/thm-10-noise",
        "The noise of a batch has a mean square of order ln(n/delta) ln(1/delta) d T kappa (beta M + lambda)^2/(n epsilon)^2",
        bounded_by(BatchNoise(_sigma**2, kappa, d, _batch), _rate),
        equal(_rate, _expanded),
        bounded_by(_T / n * d * _sigma**2, _rate),
        source=str(NOISE.source),
        symbols=(
            Symbol("T", "number of steps", INTEGER),
            Symbol("n", "number of records", INTEGER),
            Symbol("batch", "|B_t|, records of a batch", INTEGER),
            Symbol("delta", "privacy parameter delta"),
            Symbol("d", "dimension", INTEGER),
            Symbol("kappa", "regularity constant of the dual space"),
            Symbol("beta", "smoothness constant of the loss", unit="loss/decision^2"),
            Symbol("M", "diameter of the constraint set", unit="decision"),
            Symbol("lambda_", "part of the truncation threshold above beta M", unit="loss/decision"),
            Symbol("epsilon", "privacy parameter epsilon", unit="nat"),
            Symbol("c_epsilon", "hidden constant of epsilon = O(sqrt(ln(n/delta)/n))"),
        ),
        domain={
            _T >= 1: {"T": 0},
            _batch >= 1: {"batch": 0},
            equal(n, _T * _batch): {"n": 3},
            delta > 0: {"delta": 0},
            delta < 1: {"delta": 1},
            d >= 1: {"d": 0},
            kappa > 1: {"kappa": 1},
            beta > 0: {"beta": 0},
            M > 0: {"M": 0},
            lambda_ > 0: {"lambda_": 0},
            epsilon > 0: {"epsilon": 0},
            _c > 0: {"c_epsilon": 0},
            epsilon <= _c * sqrt(log(n / delta) / n): {"epsilon": 9},
        },
        inside={
            **{"T": 1, "n": 1, "batch": 1, "d": 1, "kappa": 2, "beta": 1, "M": 1, "lambda_": 1, "c_epsilon": 1},
            **{"delta": "1/2", "epsilon": "1/2"},
        },
        note="sigma is read as the scale that Theorem 9 ends with; the third assertion is the passage from it to the printed "
        "rate.",
    ),
]
