"""Truncated private mirror descent for heavy-tailed gradients: batches, gradients beyond a threshold set to zero.

With shuffling and noise on every record (Algorithm 4), or without and noise on batch averages (Algorithm 7).
"""

from dpsco.spec.analysis.geometry.regularity import P_BELOW_TWO, kappa, kappa_algorithm_7
from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.domain import Integers, Interval, Parameter, nonnegative, open_unit, positive, reals
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA, DELTA, EPSILON, D, N, T
from dpsco.spec.predicate import Predicate

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


def threshold(m: Numbers, beta: Real, M: Real, lambda_: Real) -> Real:
    return beta * M + lambda_


def kept_gradient(m: Numbers, gradient: Real, gradient_norm: Real, beta: Real, M: Real, lambda_: Real) -> Real:
    """A component of g_x."""
    return m.where(m.le(gradient_norm, threshold(m, beta, M, lambda_)), gradient, 0 * gradient)


def batch_size(m: Numbers, n: Real, T: Real) -> Real:
    return n / T


def batch_noise_scale_rate(
    m: Numbers, kappa: Real, beta: Real, M: Real, lambda_: Real, delta: Real, n: Real, T: Real, epsilon: Real
) -> Real:
    """sigma_1^2 of Algorithm 7."""
    return kappa * threshold(m, beta, M, lambda_) ** 2 * m.log(1 / delta) / (batch_size(m, n, T) ** 2 * epsilon**2)


def local_scale_rate(m: Numbers, kappa: Real, beta: Real, M: Real, lambda_: Real, delta_0: Real, epsilon_0: Real) -> Real:
    """sigma^2 of one record's randomiser, by the mechanism."""
    return kappa * threshold(m, beta, M, lambda_) ** 2 * m.log(1 / delta_0) / epsilon_0**2


def local_epsilon_rate(m: Numbers, kappa: Real, beta: Real, M: Real, lambda_: Real, delta_0: Real, sigma_1: Real) -> Real:
    """epsilon_0 as a function of sigma_1, as the proof replaces it."""
    return kappa * threshold(m, beta, M, lambda_) * m.sqrt(m.log(1 / delta_0)) / sigma_1


def sigma_intermediate(
    m: Numbers, kappa: Real, beta: Real, M: Real, lambda_: Real, delta: Real, epsilon: Real, n: Real
) -> Real:
    return kappa * threshold(m, beta, M, lambda_) * m.sqrt(m.log(1 / delta)) / (epsilon * m.sqrt(n))


def sigma_final(m: Numbers, kappa: Real, beta: Real, M: Real, lambda_: Real, delta: Real, epsilon: Real, n: Real) -> Real:
    return kappa * threshold(m, beta, M, lambda_) * m.log(n / delta) / (epsilon * m.sqrt(n))


def sigma_middle(m: Numbers, kappa: Real, beta: Real, M: Real, lambda_: Real, delta: Real, epsilon: Real, n: Real) -> Real:
    """sigma_intermediate with the logarithm of delta_0, which the print loses."""
    return sigma_intermediate(m, kappa, beta, M, lambda_, delta, epsilon, n) * m.sqrt(m.log(n / delta))


def delta_0_choice(m: Numbers, delta: Real, epsilon: Real, n: Real) -> Real:
    """Before the constant c_2; the amplified epsilon in the exponent."""
    return delta / (m.exp(epsilon) * n)


def chain_start(m: Numbers, epsilon_0: Real, delta_hat: Real, n: Real) -> Real:
    spread = m.sqrt(m.exp(epsilon_0) * m.log(1 / delta_hat)) / m.sqrt(n)
    return (1 - m.exp(-epsilon_0)) * (spread + m.exp(epsilon_0) / n)


def chain_second(m: Numbers, epsilon_0: Real, delta_hat: Real, n: Real) -> Real:
    half = m.exp(epsilon_0 / 2) - m.exp(-epsilon_0 / 2)
    return half * m.sqrt(m.log(1 / delta_hat) / n) + (m.exp(epsilon_0) - 1) / n


def chain_third(m: Numbers, epsilon_0: Real, delta_hat: Real, n: Real) -> Real:
    half = (1 + epsilon_0) - (1 - epsilon_0 / 2)
    return half * m.sqrt(m.log(1 / delta_hat) / n) + ((1 + 2 * epsilon_0) - 1) / n


def chain_end(m: Numbers, epsilon_0: Real, delta_hat: Real, n: Real) -> Real:
    return epsilon_0 * (m.frac(3, 2) * m.sqrt(m.log(1 / delta_hat) / n) + 2 / n)


def amplified_rate(
    m: Numbers, kappa: Real, beta: Real, M: Real, lambda_: Real, delta: Real, epsilon: Real, n: Real, sigma_1: Real
) -> Real:
    """epsilon-hat in terms of sigma_1, the last display of the chain."""
    logs = m.sqrt(m.log(1 / delta) * m.log(m.exp(epsilon) * n / delta))
    return kappa * threshold(m, beta, M, lambda_) * logs / (sigma_1 * m.sqrt(n))


def epsilon_limit_rate(m: Numbers, n: Real, delta: Real) -> Real:
    return m.sqrt(m.log(n / delta) / n)


def epsilon_is_small(m: Numbers, epsilon: Real, c_epsilon: Real, n: Real, delta: Real) -> Truth:
    return m.le(epsilon, c_epsilon * epsilon_limit_rate(m, n, delta))


def batches_are_filled(m: Numbers, T: Real, n: Real) -> Truth:
    return m.le(T, n)


def batches_are_whole(m: Numbers, T: Real, n: Real) -> Truth:
    return m.eq(m.floor(n / T) * T, n)


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
        id="lp/alg-4",
        kind=Kind.ALGORITHM,
        source=LP.at("Algorithm 4", "proof of Theorem 9", "proof of Theorem 10", "section 10.1"),
        says="Shuffled truncated batched mirror descent. Input: n records, loss, w_0 = 0, beta, lambda, diameter M of C. "
        "Permute the records uniformly at random and divide them into T batches B_t of n/T. For t = 1, ..., T: for each x in "
        "B_t let g_x = grad l(w_{t-1}, x) if |grad l(w_{t-1}, x)|_* <= beta M + lambda, else 0, and add to each its own "
        "noise Z_x^t of GG(sigma^2) in the smooth norm of the dual space, sigma = O(kappa (beta M + lambda) ln(n/delta) / "
        "(epsilon sqrt(n))); w_t = argmin over C of <mean over B_t of (g_x + Z_x^t), w> + gamma_t D_Phi(w, w_{t-1}), with "
        "Phi = (kappa/2)|.|_{kappa_+}^2. Return w_hat = (sum 1/gamma_t)^{-1} sum w_t / gamma_t over t = 1, ..., T.",
        parameters=(N, T, BETA, DIAMETER, THRESHOLD, KAPPA, D, P_BELOW_TWO, STEP, EPSILON, DELTA, *GRADIENT),
        formulas={
            "threshold": threshold,
            "kept_gradient": kept_gradient,
            "batch_size": batch_size,
            "sigma_rate": sigma_final,
            "kappa_of_p_and_d": kappa,
        },
        preconditions=(FILLED,),
        over=("data sets of n records", LOSSES),
        provenance=Provenance.REBUILT,
        note="Rebuilt from the proofs of Theorems 9 and 10 (update, optimality condition, noise on each record) and from "
        "Algorithm 7 with the two differences that section 10.1 names (shuffling, noise per record); the average is "
        "Algorithm 7's, as the proof of Theorem 10 uses it. Which logarithm kappa has (2 ln d or ln d) cannot be read off. "
        "The threshold sets large gradients to 0, it does not clip them.",
    ),
    Claim(
        id="lp/thm-9",
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
            Relation("chain_start", "<=", "chain_second"),
            Relation("chain_second", "<=", "chain_third"),
            Relation("chain_third", "=", "chain_end"),
            Relation("amplified_rate at sigma_rate_intermediate", "<=O", "epsilon"),
            Relation("amplified_rate at sigma_rate", "<=O", "epsilon"),
            Relation("local_epsilon_rate at sigma_rate", "<=O", "1/2"),
            Relation("the noisy gradients of all records", "is", "(epsilon, delta)-DP"),
        ),
        preconditions=(SMALL_EPSILON,),
        over=("neighbouring data sets of n records", LOSSES),
        adjacency=Adjacency.REPLACE_ONE,
        releases="w_hat (the proof covers every noisy gradient, in shuffled order)",
        provenance=Provenance.REBUILT,
        note="Rebuilt from its proof; e^{epsilon_n} in the print of delta_0 is read e^{epsilon-hat} n, 'local minimizer' "
        "local randomiser. Suspected false as a step: sigma_rate_intermediate gives epsilon-hat of order epsilon "
        "sqrt(ln(n/delta)), not epsilon; the final sigma_rate, larger by ln(n/delta)/sqrt(ln(1/delta)), repairs it. The "
        "shuffling lemma's own condition, n >= 16 e^{epsilon_0} ln(4/delta), is not among the hypotheses. The mechanism has "
        "sigma proportional to sqrt(kappa), the proof takes kappa (harmless where kappa >= 1). chain_start = chain_second; "
        "both further links hold on (0, 1/2]. At n = 1, delta -> 1 even sigma_rate gives epsilon-hat above any multiple of "
        "epsilon, as ln(n/delta) -> 0.",
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
            Relation("chain_start", "<=", "chain_second"),
            Relation("chain_second", "<=", "chain_third"),
            Relation("chain_third", "=", "chain_end"),
            Relation("amplified_rate at sigma_rate_intermediate", "<=O", "epsilon"),
            Relation("amplified_rate at sigma_rate", "<=O", "epsilon"),
            Relation("local_epsilon_rate at sigma_rate", "<=O", "1/2"),
            Relation("the noisy gradients of all records", "is", "(epsilon, delta)-DP"),
        ),
        preconditions=(SMALL_EPSILON,),
        over=("neighbouring data sets of n records", LOSSES),
        adjacency=Adjacency.REPLACE_ONE,
        releases="w_hat (the proof covers every noisy gradient, in shuffled order)",
        note="Only n = 1 is left out, and the intermediate scale mended. The shuffling lemma's side condition need not be "
        "added: where it fails, n is at most a multiple of ln(n/delta), and the noise on one record is enough by itself.",
    ),
    Claim(
        id="lp/alg-7",
        kind=Kind.ALGORITHM,
        source=LP.at("Algorithm 7", "section 10.1"),
        says="Truncated batched mirror descent. Input: n records, loss, w_0 = 0, beta, lambda, diameter M of C. Divide the "
        "records into T batches B_t of n/T. For t = 1, ..., T: g_x = grad l(w_{t-1}, x) if |grad l(w_{t-1}, x)|_* <= beta M "
        "+ lambda, else 0, for x in B_t; draw Z^t from GG(sigma_1^2) in the smooth norm of the dual space, sigma_1^2 = "
        "O(kappa (beta M + lambda)^2 ln(1/delta) / (|B_t|^2 epsilon^2)); w_t = argmin over C of <mean of g_x over B_t + Z^t, "
        "w> + gamma_t D_Phi(w, w_{t-1}). Here kappa = min(1/(p-1), ln d), Phi = (kappa/2)|.|_{kappa_+}^2, kappa_+ = "
        "kappa/(kappa - 1). Return w_hat = (sum 1/gamma_t)^{-1} sum w_t / gamma_t.",
        parameters=(N, T, BETA, DIAMETER, THRESHOLD, KAPPA, D, P_BELOW_TWO, STEP, EPSILON, DELTA, *GRADIENT),
        formulas={
            "threshold": threshold,
            "kept_gradient": kept_gradient,
            "batch_size": batch_size,
            "sigma_1_squared_rate": batch_noise_scale_rate,
            "kappa_of_p_and_d": kappa_algorithm_7,
        },
        preconditions=(FILLED,),
        over=("data sets of n records", LOSSES),
        provenance=Provenance.REPAIRED,
        note="Mended: the update's sum of theta_i is read as the sum of g_x. The text says 'permuted data', but there is no "
        "shuffling step (section 10.1 says so). log d is printed where the rest of the paper has 2 ln d: at d = 2 kappa = "
        "0.69 < 1 and kappa_+ < 0. Batches of n/T are integers only if T divides n. Records enter one batch each, so privacy "
        "is that of one step.",
    ),
]
