"""Truncated private mirror descent for heavy-tailed gradients: batches, gradients beyond a threshold set to zero.

With shuffling and noise on every record (Algorithm 4), or without and noise on batch averages (Algorithm 7).
"""

from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.domain import Integers, Interval, Parameter, nonnegative, open_unit, positive, reals
from dpsco.spec.expressions import E, equal, exp, floor, log, sqrt, symbols
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA, DELTA, EPSILON, N
from dpsco.spec.predicate import Predicate

M, T, beta, c_epsilon, delta, delta_0, delta_hat = symbols("M T beta c_epsilon delta delta_0 delta_hat")
epsilon, epsilon_0, kappa, lambda_, n, sigma_1 = symbols("epsilon epsilon_0 kappa lambda_ n sigma_1")

THRESHOLD = Parameter("lambda_", "lambda: the part of the truncation threshold above beta M", positive, "loss/decision")
DIAMETER = Parameter("M", "diameter of the constraint set C in |.|_p", positive, "decision")
KAPPA = Parameter("kappa", "regularity constant of the dual space", Interval("1", "inf"))
STEP = Parameter("gamma_t", "weight of the divergence in step t (inverse step length)", positive, "loss/decision^2")
C_EPSILON = Parameter("c_epsilon", "hidden constant of epsilon = O(sqrt(ln(n/delta)/n))", positive)
EPSILON_TO_ONE = EPSILON.within(Interval("0", "1", high_open=False))
RANDOMISER = (
    Parameter("epsilon_0", "epsilon of one record's randomiser", Interval("0", "0.5", high_open=False), "nat"),
    Parameter("delta_0", "delta of one record's randomiser", open_unit),
    Parameter("delta_hat", "delta of the shuffling lemma, set to delta/2", open_unit),
    Parameter("sigma_1", "scale of a record's noise", positive, "loss/decision"),
)


threshold = beta * M + lambda_


def kept_gradient(m: Numbers, gradient: Real, gradient_norm: Real, beta: Real, M: Real, lambda_: Real) -> Real:
    """A component of g_x."""
    return m.where(m.le(gradient_norm, threshold(m, beta=beta, M=M, lambda_=lambda_)), gradient, 0 * gradient)


batch_size = n / T
batch_noise_scale_rate = kappa * threshold**2 * log(1 / delta) / (batch_size**2 * epsilon**2)
"""sigma_1^2 of Algorithm 7."""

local_scale_rate = kappa * threshold**2 * log(1 / delta_0) / epsilon_0**2
"""sigma^2 of one record's randomiser, by the mechanism."""

local_epsilon_rate = kappa * threshold * sqrt(log(1 / delta_0)) / sigma_1
"""epsilon_0 as a function of sigma_1, as the proof replaces it."""

sigma_intermediate = kappa * threshold * sqrt(log(1 / delta)) / (epsilon * sqrt(n))
sigma_final = kappa * threshold * log(n / delta) / (epsilon * sqrt(n))
sigma_middle = sigma_intermediate * sqrt(log(n / delta))
"""sigma_intermediate with the logarithm of delta_0, which the print loses."""

delta_0_choice = delta / (exp(epsilon) * n)
"""Before the constant c_2; the amplified epsilon in the exponent."""

_spread = sqrt(exp(epsilon_0) * log(1 / delta_hat)) / sqrt(n)
chain_start = (1 - exp(-epsilon_0)) * (_spread + exp(epsilon_0) / n)

_half = exp(epsilon_0 / 2) - exp(-epsilon_0 / 2)
chain_second = _half * sqrt(log(1 / delta_hat) / n) + (exp(epsilon_0) - 1) / n

_half = 1 + epsilon_0 - (1 - epsilon_0 / 2)
chain_third = _half * sqrt(log(1 / delta_hat) / n) + (1 + 2 * epsilon_0 - 1) / n
chain_end = epsilon_0 * (E("3/2") * sqrt(log(1 / delta_hat) / n) + 2 / n)

_logs = sqrt(log(1 / delta) * log(exp(epsilon) * n / delta))
amplified_rate = kappa * threshold * _logs / (sigma_1 * sqrt(n))
"""epsilon-hat in terms of sigma_1, the last display of the chain."""

epsilon_limit_rate = sqrt(log(n / delta) / n)
epsilon_is_small = epsilon <= c_epsilon * epsilon_limit_rate
batches_are_filled = T <= n
batches_are_whole = equal(floor(n / T) * T, n)


SMALL_EPSILON = Predicate(
    "epsilon = O(sqrt(ln(n/delta) / n))",
    epsilon_is_small,
    accepts={"epsilon": "0.1", "c_epsilon": "1", "n": 100, "delta": "1e-3"},
    rejects={"epsilon": "0.9", "c_epsilon": "1", "n": 100, "delta": "1e-3"},
)
FILLED = Predicate(
    "every batch has a record: T <= n",
    batches_are_filled,
    accepts={"T": 5, "n": 100},
    rejects={"T": 200, "n": 100},
)
WHOLE = Predicate(
    "batches of n/T records: T divides n",
    batches_are_whole,
    accepts={"T": 5, "n": 100},
    rejects={"T": 2, "n": 3},
)
GRADIENT = (
    Parameter("gradient", "a component of grad l(w_{t-1}, x)", reals, "loss/decision"),
    Parameter("gradient_norm", "|grad l(w_{t-1}, x)|_*", nonnegative, "loss/decision"),
)
LOSSES = "convex losses on C that meet Assumption 4 (smooth, gradients with bounded second moment in |.|_*)"

claims = [
    Claim(
        id="lp/thm-9",
        title="privacy of shuffled mirror descent",
        kind=Kind.PRIVACY,
        source=LP.at("Theorem 9", "proof of Theorem 9"),
        says="For sigma = O(kappa (beta M + lambda) ln(n/delta) / (epsilon sqrt(n))), Algorithm 4 is (epsilon, delta)-DP as "
        "long as epsilon <= 1 and epsilon = O(sqrt(ln(n/delta)/n)). Steps, with the shuffling lemma's epsilon-hat, epsilon_0 "
        "<= 1/2 and a constant c_1: epsilon-hat/c_1 <= chain_start <= chain_second <= chain_third = chain_end = epsilon_0 "
        "((3/2) sqrt(ln(1/delta_hat)/n) + 2/n); with delta_hat = delta/2, delta_0 = c_2 delta / (e^{epsilon-hat} n) and "
        "epsilon_0 = c_3 kappa (beta M + lambda) sqrt(ln(1/delta_0)) / sigma_1 this is O(kappa (beta M + lambda) "
        "sqrt(ln(1/delta) ln(e^{epsilon-hat} n / delta)) / (sigma_1 sqrt(n))); for sigma = O(kappa (beta M + lambda) "
        "sqrt(ln(1/delta)) / (epsilon sqrt(n))) it is said to be at most epsilon; epsilon_0 <= 1/2 follows from the "
        "condition on epsilon.",
        uses=("lp/alg-4", "lp/gen-gaussian", "lp/lem-16"),
        parameters=(EPSILON_TO_ONE, DELTA, N, BETA, DIAMETER, THRESHOLD, KAPPA, *RANDOMISER, C_EPSILON),
        formulas={
            "sigma_rate": sigma_final,
            "sigma_rate_intermediate": sigma_intermediate,
            "local_scale_rate": local_scale_rate,
            "local_epsilon_rate": local_epsilon_rate,
            "delta_0_choice": delta_0_choice,
            "chain_start": chain_start,
            "chain_second": chain_second,
            "chain_third": chain_third,
            "chain_end": chain_end,
            "amplified_rate": amplified_rate,
            "epsilon_limit_rate": epsilon_limit_rate,
        },
        asserts=(
            Relation("chain_start", "<=", "chain_second", step=True),
            Relation("chain_second", "<=", "chain_third", step=True),
            Relation("chain_third", "=", "chain_end", step=True),
            Relation("amplified_rate at sigma_rate_intermediate", "<=O", "epsilon", step=True),
            Relation("amplified_rate at sigma_rate", "<=O", "epsilon", step=True),
            Relation("local_epsilon_rate at sigma_rate", "<=O", "1/2", step=True),
            Relation("the noisy gradients of all records", "is", "(epsilon, delta)-DP"),
        ),
        preconditions=(SMALL_EPSILON,),
        over=("neighbouring data sets of n records", LOSSES),
        adjacency=Adjacency.REPLACE_ONE,
        releases="w_hat (the proof covers every noisy gradient, in shuffled order)",
        provenance=Provenance.REBUILT,
        note="Rebuilt from its proof; e^{epsilon_n} in the print of delta_0 is read e^{epsilon-hat} n, 'local minimizer' "
        "local randomiser. False as a step: sigma_rate_intermediate gives epsilon-hat of order epsilon sqrt(ln(n/delta)), not "
        "epsilon; the final sigma_rate, larger by ln(n/delta)/sqrt(ln(1/delta)), repairs it. The shuffling lemma's own "
        "condition, n >= 16 e^{epsilon_0} ln(4/delta), is not among the hypotheses. The mechanism has sigma proportional to "
        "sqrt(kappa), the proof takes kappa (harmless where kappa >= 1). chain_start = chain_second; both further links hold "
        "on (0, 1/2]. At n = 1, delta -> 1 even sigma_rate gives epsilon-hat above any multiple of epsilon, as ln(n/delta) -> "
        "0.",
    ),
    Claim(
        id="lp/thm-9-amended",
        amends="lp/thm-9",
        kind=Kind.PRIVACY,
        source=LP.at("Theorem 9", "proof of Theorem 9"),
        says="For n >= 2 and every constant c_epsilon there is a constant K such that for sigma >= K kappa (beta M + lambda) "
        "ln(n/delta) / (epsilon sqrt(n)) Algorithm 4 is (epsilon, delta)-DP as long as epsilon <= 1 and epsilon <= c_epsilon "
        "sqrt(ln(n/delta)/n). The steps are those of the proof, with sigma_rate_intermediate = kappa (beta M + lambda) "
        "sqrt(ln(1/delta) ln(n/delta)) / (epsilon sqrt(n)) as the scale at which amplified_rate is of order epsilon.",
        parameters=(EPSILON_TO_ONE, DELTA, N.within(Integers(2)), BETA, DIAMETER, THRESHOLD, KAPPA, *RANDOMISER, C_EPSILON),
        formulas={
            "sigma_rate": sigma_final,
            "sigma_rate_intermediate": sigma_middle,
            "local_epsilon_rate": local_epsilon_rate,
            "delta_0_choice": delta_0_choice,
            "chain_start": chain_start,
            "chain_second": chain_second,
            "chain_third": chain_third,
            "chain_end": chain_end,
            "amplified_rate": amplified_rate,
        },
        asserts=(
            Relation("chain_start", "<=", "chain_second", step=True),
            Relation("chain_second", "<=", "chain_third", step=True),
            Relation("chain_third", "=", "chain_end", step=True),
            Relation("amplified_rate at sigma_rate_intermediate", "<=O", "epsilon", step=True),
            Relation("amplified_rate at sigma_rate", "<=O", "epsilon", step=True),
            Relation("local_epsilon_rate at sigma_rate", "<=O", "1/2", step=True),
            Relation("the noisy gradients of all records", "is", "(epsilon, delta)-DP"),
        ),
        preconditions=(SMALL_EPSILON,),
        over=("neighbouring data sets of n records", LOSSES),
        adjacency=Adjacency.REPLACE_ONE,
        releases="w_hat (the proof covers every noisy gradient, in shuffled order)",
        note="Only n = 1 is left out, and the intermediate scale mended. The shuffling lemma's side condition need not be "
        "added: where it fails, n is at most a multiple of ln(n/delta), and the noise on one record is enough by itself.",
    ),
]
