"""Links in the proof for regularised mirror descent: contraction and weighted averages.

Written with r = (2 beta + alpha)/(2 beta), the growth of the weights, and a = 2^{-alpha/(4 beta)}, the decay of the start.
"""

from dpsco.spec.analysis.geometry.regularity import ALPHA
from dpsco.spec.claim import Claim, Kind, Provenance, Relation
from dpsco.spec.domain import Parameter, nonnegative, positive, reals
from dpsco.spec.expressions import E, summation, symbols
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA, T
from dpsco.spec.predicate import Predicate

a, alpha, beta, distance, divergence, g_squared, j = symbols("a alpha beta distance divergence g_squared j")
noise_norm, step_divergence, t = symbols("noise_norm step_divergence t")

DIVERGENCE = Parameter("divergence", "D_Phi(w*_alpha, w_1)", nonnegative, "decision^2")
NOISE_SQUARED = Parameter("g_squared", "E|g_t|_*^2", nonnegative, "loss^2/decision^2")
EXCESS = Parameter("excess", "E[f(w_hat) - f(w*_alpha)] for f = mean loss + alpha Phi", reals, "loss")


growth = (2 * beta + alpha) / (2 * beta)
decay = E("1/2") ** (alpha / (4 * beta))
contraction_left = (1 + alpha / (2 * beta)) ** (-T)
contraction_right = 2 ** (-alpha * T / (2 * beta))
one_step_factor = beta / (alpha + beta - 1 / (2 * a))
"""beta / (alpha + beta - 1/(2a)): what a step with Young's constant a multiplies the divergence by."""

one_step_factor_at_choice = 1 / (1 + alpha / (2 * beta))
one_step_noise = a * noise_norm**2 / (alpha + beta - 1 / (2 * a))
"""a |g_t|_*^2 / (alpha + beta - 1/(2a)): what a step with Young's constant a adds to the divergence."""

one_step_noise_rate = noise_norm**2 / (alpha * beta)
accumulated_noise = summation(one_step_factor_at_choice**j, j, 0, T - 1) * g_squared / (alpha * beta)
"""Sum of the steps' noise terms g^2/(alpha beta), contracted."""

accumulated_noise_rate = g_squared / alpha**2
start_dominates = 2 * beta / alpha >= 1
alpha_at_most_beta = alpha / beta <= 1
many_steps = T >= 2 * beta / alpha

_weights = summation(growth**t, t, 1, T)
averaged_start_sum = (2 * beta + alpha) * divergence / (2 * _weights)
averaged_start_closed = alpha * divergence / (2 * (growth**T - 1))
averaged_start_bound = alpha * divergence / 2
excess_rate = alpha * divergence + g_squared / alpha
decayed_average_sum = summation((growth * decay) ** t, t, 1, T) / summation(growth**t, t, 1, T)
"""Left side of (16) over C_D."""

middle_factor = alpha / ((2 * beta + alpha) * decay - 2 * beta)
middle_factor_bound = 1 / (E("1/2") - alpha / (4 * beta))
decayed_average_closed = decay * middle_factor * ((growth * decay) ** T - 1) / (growth**T - 1)
last_factor = ((growth * decay) ** T - 1) / (growth**T - 1)
last_factor_bound = decay**T
decayed_average_bound = 4 * decay ** (T + 1)
"""Constant 4 times 2^{-alpha (T+1) / (4 beta)}."""

potential_is_strongly_convex = step_divergence >= distance**2 / 2


STRONGLY_CONVEX = Predicate(
    "Phi is 1-strongly convex",
    potential_is_strongly_convex,
    accepts={"step_divergence": "2", "distance": "2"},
    rejects={"step_divergence": "1", "distance": "2"},
)
STEP = (
    Parameter("distance", "|w - w_{t+1}|", nonnegative, "decision"),
    Parameter("step_divergence", "D_Phi(w, w_{t+1})", nonnegative, "decision^2"),
)
NOISE_NORM = Parameter("noise_norm", "|g_t|_*", nonnegative, "loss/decision")
OVER = ("convex losses on the whole space that are beta-smooth in |.|", "potentials Phi that are 1-strongly convex in |.|")
YOUNG = Parameter("a", "constant of Young's inequality; chosen 1/alpha", positive, "decision^2/loss")
SMALL_ALPHA = Predicate(
    "alpha <= beta",
    alpha_at_most_beta,
    accepts={"alpha": "1", "beta": "2"},
    rejects={"alpha": "3", "beta": "2"},
)

ONE_STEP = Relation(
    "D_Phi(w*_alpha, w_{t+1}) - one_step_factor D_Phi(w*_alpha, w_t), a = 1/alpha", "<=O", "one_step_noise", step=True
)

AVERAGE = Claim(
    id="lp/thm-7-average",
    title="weighted average of regularised mirror descent",
    kind=Kind.BOUND,
    source=LP.at("proof of Theorem 7", "displays (14) to (16)"),
    says="Let Phi be 1-strongly convex. Weights r^t with r = (2 beta + alpha)/(2 beta), t = 1, ..., T. (14): (2 beta + alpha) "
    "D / (2 sum r^t) = alpha "
    "D / (2 (r^T - 1)) <= alpha D / 2 for T >= 2 beta/alpha, where r^T >= 2, so that E[f(w_hat) - f(w*_alpha)] = O(alpha "
    "D + g^2/alpha), D = D_Phi(w*_alpha, w_1). (16): sum r^t 2^{-alpha t/(4 beta)} / sum r^t has a closed form; for "
    "alpha <= beta its middle factor alpha / ((2 beta + alpha) 2^{-alpha/(4 beta)} - 2 beta) is at most 1/(1/2 - "
    "alpha/(4 beta)) <= 4, its last factor at most 2^{-alpha T/(4 beta)}, and so the whole at most 4 * 2^{-alpha "
    "(T+1)/(4 beta)}.",
    uses=("lp/thm-7-young",),
    parameters=(ALPHA, BETA, T, DIVERGENCE, NOISE_SQUARED, EXCESS, *STEP),
    symbols={
        "distance": r"\|w - w_{t+1}\|",
        "divergence": r"D_\Phi(w_\alpha^{*}, w_1)",
        "step_divergence": r"D_\Phi(w, w_{t+1})",
        "excess": r"\mathbb{E}[f(\hat{w}) - f(w_\alpha^{*})]",
    },
    formulas={
        "start_sum": averaged_start_sum,
        "start_closed": averaged_start_closed,
        "start_bound": averaged_start_bound,
        "excess_rate": excess_rate,
        "decayed_sum": decayed_average_sum,
        "decayed_closed": decayed_average_closed,
        "middle_factor": middle_factor,
        "middle_factor_bound": middle_factor_bound,
        "last_factor": last_factor,
        "last_factor_bound": last_factor_bound,
        "decayed_bound": decayed_average_bound,
    },
    asserts=(
        Relation("start_sum", "=", "start_closed", step=True),
        Relation("start_closed", "<=", "start_bound", step=True),
        Relation("excess", "<=O", "excess_rate", step=True),
        Relation("decayed_sum", "=", "decayed_closed", step=True),
        Relation("middle_factor", "<=", "middle_factor_bound", step=True),
        Relation("middle_factor_bound", "<=", "4", step=True),
        Relation("last_factor", "<=", "last_factor_bound", step=True),
        Relation("decayed_sum", "<=", "decayed_bound", step=True),
    ),
    preconditions=(
        SMALL_ALPHA,
        Predicate(
            "T >= 2 beta / alpha, for (14) only",
            many_steps,
            accepts={"T": 4, "alpha": "1", "beta": "2"},
            rejects={"T": 3, "alpha": "1", "beta": "2"},
        ),
        STRONGLY_CONVEX,
    ),
    over=OVER,
    provenance=Provenance.REPAIRED,
    note="Mended: the display that bounds the last factor lost its powers T in the scan; read ((r a)^T - 1)/(r^T - 1) = "
    "a^T + (a^T - 1)/(r^T - 1) <= a^T with a = 2^{-alpha/(4 beta)}. The print ends with O(.) and no constant; 4 is what "
    "its steps give; (16) does not need T >= 2 beta/alpha. 'Phi is 1-strongly convex' is the first line of the proof; only the "
    "excess in (14) needs it. The printed Phi may not be (lp/phi): then the excess leaves every multiple (lp/thm-7).",
)
claims = [
    Claim(
        id="lp/thm-7-contraction",
        title="contraction of regularised mirror descent",
        kind=Kind.BOUND,
        source=LP.at("proof of Theorem 7", "displays after (13)"),
        says="Let Phi be 1-strongly convex. With a = 1/alpha in (13) one step multiplies D_Phi(w*_alpha, .) by at most beta / "
        "(alpha + beta - 1/(2a)) <= 1 "
        "/ (1 + alpha/(2 beta)) and adds O(a |g_t|_*^2 / (alpha + beta - 1/(2a))) = O(|g_t|_*^2 / (alpha beta)); over T steps "
        "the noise adds up to O(g^2 / alpha^2), "
        "and (1 + alpha/(2 beta))^{-T} <= 2^{-alpha T / (2 beta)}, because (1 + 1/x)^x >= 2 for x = 2 beta/alpha >= 1.",
        uses=("lp/thm-7-young",),
        parameters=(ALPHA, BETA, T, YOUNG, NOISE_SQUARED, NOISE_NORM, *STEP),
        symbols={"distance": r"\|w - w_{t+1}\|", "step_divergence": r"D_\Phi(w, w_{t+1})"},
        formulas={
            "left": contraction_left,
            "right": contraction_right,
            "one_step_factor": one_step_factor,
            "one_step_factor_at_choice": one_step_factor_at_choice,
            "one_step_noise": one_step_noise,
            "one_step_noise_rate": one_step_noise_rate,
            "accumulated_noise": accumulated_noise,
            "accumulated_noise_rate": accumulated_noise_rate,
        },
        asserts=(
            ONE_STEP,
            Relation("left", "<=", "right", step=True),
            Relation("one_step_noise at a = 1/alpha", "<=O", "one_step_noise_rate", step=True),
            Relation("one_step_factor at a = 1/alpha", "<=", "one_step_factor_at_choice", step=True),
            Relation("accumulated_noise", "<=O", "accumulated_noise_rate", step=True),
        ),
        preconditions=(
            Predicate(
                "2 beta / alpha >= 1",
                start_dominates,
                accepts={"alpha": "1", "beta": "2"},
                rejects={"alpha": "5", "beta": "2"},
            ),
            STRONGLY_CONVEX,
        ),
        over=OVER,
        note="Equality in the contraction at alpha = 2 beta. The noise sum needs alpha <= 2 beta too (constant 4); for alpha "
        ">> beta it is of order g^2/(alpha beta). 'Phi is 1-strongly convex' is the first line of the proof; the printed Phi "
        "may "
        "not be (lp/phi), and then a step may multiply D_Phi without bound.",
    ),
    AVERAGE,
]
