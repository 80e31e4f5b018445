"""What phased DP-SGD reaches: the excess risk of the last noisy average, in l2 and, by comparing norms, in l_p.

The algorithm and its privacy stand in `dp_sgd`.
"""

from dataclasses import replace

from dpsco.spec.algorithms.phased.dp_sgd import (
    LARGEST_GRADIENT_NORM,
    LIPSCHITZ,
    LOSSES,
    MODERATE_EPSILON,
    SMALL_STEP,
    STEPS,
    eta_lemma_14,
    eta_proof_of_lemma_14,
    eta_theorem_13,
    phase_step,
)
from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.domain import Integers, Interval, Parameter, nonnegative
from dpsco.spec.expressions import E, log, maximum, sqrt, summation, symbols
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA, DELTA, EPSILON, ETA, D, L, N, P, T
from dpsco.spec.predicate import Predicate

beta, d, delta, distance, epsilon, eta, i, k, n = symbols("beta d delta distance epsilon eta i k n")
optimum_norm, optimum_p_norm, p = symbols("optimum_norm optimum_p_norm p")

PHASES = Parameter("k", "number of phases, floor(log2 n)", Integers(0))
OPTIMUM_NORM = Parameter(
    "optimum_norm", "l2 norm of theta*, the minimiser of the population loss on R^d", nonnegative, "decision"
)
OPTIMUM_P_NORM = Parameter("optimum_p_norm", "l_p norm of theta*", nonnegative, "decision")


descent_rate = distance**2 / (eta * T) + eta * L**2
per_record = 1 / sqrt(n) + sqrt(d * log(1 / delta)) / (epsilon * n)
risk_rate = L * optimum_norm**2 * per_record
risk_rate_amended = L * maximum(1, optimum_norm**2) * per_record
last_noise_term = L**2 * sqrt(d * log(1 / delta)) * phase_step.where({"i": k}) / epsilon
"""Term A as printed: L^2 sqrt(d ln(1/delta)) eta_k / epsilon."""

first_phase_term = optimum_norm**2 / (eta / 4 * n / 2) + eta / 4 * L**2
"""Term C with n_1 = n/2 and eta_1 = eta/4."""
later_phases_term = summation(d * L**2 * phase_step * log(1 / delta) * 2**i / (n * epsilon**2) + phase_step * L**2, i, 2, k)
"""Term B with n_i = 2^{-i} n."""

normed_rate = L * d ** (1 - 2 / p) * optimum_p_norm**2 * per_record
normed_rate_amended = L * maximum(1, d ** (1 - 2 / p) * optimum_p_norm**2) * per_record
euclidean_norm_bound = d ** (E("1/2") - 1 / p) * optimum_p_norm
step_of_theorem_is_small = eta_theorem_13 <= 1 / beta


SMALL_STEP_OF_THEOREM = Predicate(
    "eta <= 1/beta at the chosen eta",
    step_of_theorem_is_small,
    accepts={"L": "1", "n": 100, "d": 3, "epsilon": "1", "delta": "1e-3", "beta": "1"},
    rejects={"L": "1", "n": 100, "d": 3, "epsilon": "1", "delta": "1e-3", "beta": "100"},
)
RISK = Relation("E[population loss of w_k] - population loss of theta*", "<=O", "rate")
NOISE = Relation("L E|zeta_k|_2", "<=O", "last_noise_term", step=True)
TERMS = Relation("last_noise_term + first_phase_term + later_phases_term", "<=O", "rate", step=True)
DESCENT = Relation("loss of the average iterate - loss of w", "<=O", "rate")
OPTIMUM = Relation("|theta*|_2", "<=", "euclidean_norm_bound")
GRADIENT = Relation("|grad l(w, x)|_2", "<=", "|grad l(w, x)|_*")
SMOOTH = Relation("|grad l(w, x) - grad l(w', x)|_2", "<=", "beta |w - w'|_2")
PRIVATE = Relation("w_k", "is", "(epsilon, delta)-DP")
OVER = ("distributions of the records with a minimiser theta* on R^d",)

EUCLIDEAN = Claim(
    id="lp/lem-14-risk",
    title="excess risk of Phased DP-SGD",
    kind=Kind.UTILITY,
    source=LP.at("Lemma 14", "proof of Lemma 14", "displays (18) to (21)"),
    says="Under the conditions of Lemma 14, with theta* the minimiser of the population loss on R^d, phased DP-SGD has "
    "expected excess population risk O(L |theta*|_2^2 (1/sqrt(n) + sqrt(d ln(1/delta)) / (epsilon n))). Steps: the "
    "excess is at most O(L E|zeta_k|_2 + |theta*|_2^2 / (eta_1 n_1) + eta_1 L^2 + sum over i = 2, ..., k of "
    "(E|zeta_i|_2^2 / (eta_i n_i) + eta_i L^2)) with E|zeta_i|_2^2 = O(d L^2 eta_i^2 ln(1/delta) / epsilon^2).",
    uses=("lp/alg-6", "lp/lem-15"),
    parameters=(L, OPTIMUM_NORM, N, D, EPSILON, DELTA, BETA, ETA, PHASES, LARGEST_GRADIENT_NORM),
    formulas={
        "rate": risk_rate,
        **STEPS,
        "last_noise_term": last_noise_term,
        "first_phase_term": first_phase_term,
        "later_phases_term": later_phases_term,
    },
    asserts=(RISK, NOISE, TERMS),
    preconditions=(LIPSCHITZ, SMALL_STEP, MODERATE_EPSILON),
    over=(*OVER, LOSSES),
    note="At theta* = 0 the rate is 0 while the output carries noise (or only "
    "(1/sqrt(n)) L of step error); term B and term A do not shrink with theta*. Family: Huber loss of |w| in d = 1, "
    "theta* = s -> 0. It also has the wrong unit (a length of 1 is understood): max(1, |theta*|_2^2) in place of "
    "|theta*|_2^2 survives. At n = 1 (k = 0) the output is 0 and the excess may be L |theta*|_2. Display (19) bounds "
    "|w_{i-1} - w_bar_{i-1}| by zeta_i, meant zeta_{i-1} (16 times the variance, a constant). The proof's eta is another "
    "one than the lemma's.",
)
NORMED = Claim(
    id="lp/thm-8",
    title="excess risk of Phased DP-SGD in l_p",
    kind=Kind.RATE,
    source=LP.at("Theorem 8", "Theorem 13", "displays (22) and (23)", "proof of Theorem 13"),
    says="In l_p^d, for p > 1 as far as the print is legible, let Assumption 3 hold (loss convex, L-Lipschitz and "
    "beta-smooth in |.|_p, unconstrained). Phased DP-SGD with eta = (1/L) min(4/sqrt(n), epsilon / (2 sqrt(d) "
    "ln(1/delta))), eta <= 1/beta (Lemma 14's condition, not repeated in Theorem 13), is (epsilon, delta)-DP for epsilon <= 2 "
    "ln(1/delta), and its output has expected "
    "excess population risk O(L d^{1 - 2/p} |theta*|_p^2 (1/sqrt(n) + sqrt(d ln(1/delta)) / (epsilon n))). Steps: "
    "|theta*|_2 <= d^{1/2 - 1/p} |theta*|_p; |grad|_2 <= |grad|_* <= L; a loss that is beta-smooth in |.|_p is so in |.|_2.",
    uses=("lp/lem-14", "lp/lem-14-risk"),
    parameters=(
        P.within(Interval("1", "inf", high_open=False)),
        L,
        D,
        OPTIMUM_P_NORM,
        N,
        EPSILON,
        DELTA,
        BETA,
        LARGEST_GRADIENT_NORM.means("largest dual norm (l_{p/(p-1)}) of a gradient"),
    ),
    formulas={
        "eta": eta_theorem_13,
        "eta_lemma_14": eta_lemma_14,
        "eta_proof": eta_proof_of_lemma_14,
        "rate": normed_rate,
        "euclidean_norm_bound": euclidean_norm_bound,
    },
    asserts=(RISK, OPTIMUM, GRADIENT, SMOOTH, PRIVATE),
    preconditions=(LIPSCHITZ, SMALL_STEP_OF_THEOREM, MODERATE_EPSILON),
    over=(*OVER, "losses that meet Assumption 3"),
    adjacency=Adjacency.REPLACE_ONE,
    releases="the last w_k",
    provenance=Provenance.REBUILT,
    note="Theorem 8 is not at hand; Theorem 13 restates it, but after '1 <' its range of p is lost in the scan. "
    "Readings: 2 <= p <= inf (the case that d^{1 - 2/p} and Theorem 15 go with, and the only one for which both norm "
    "comparisons hold); or 1 < p < 2, where both fail (theta* = e_1, d = 2, p = 3/2: 1 <= 2^{-1/6}). Theorem 13 prints "
    "sqrt(d) ln(1/delta) outside the root where Lemma 14 has sqrt(d ln(1/delta)); the proof of Lemma 14 has a third step "
    "without the factors 4 and 1/2; whether the root is broken in the print or in the scan cannot be told (in lp/thm-7 one is "
    "broken in the scan). The rate at theta* = 0 is 0, as in lp/lem-14-risk. eta <= 1/beta is what privacy needs, through "
    "Lemma 14; the chain of the proof that makes the losses beta-smooth in l2 is damaged in the scan.",
)

claims = [
    Claim(
        id="lp/lem-15",
        title="error of averaged gradient descent",
        kind=Kind.BOUND,
        unproved=True,
        source=LP.at("Lemma 15", "display (17)"),
        says="Gradient descent on a convex, L-Lipschitz loss from w_0, with fixed step eta and T iterations, has for every "
        "w: loss of the average of w_0, ..., w_T minus loss of w is O(|w_0 - w|_2^2 / (eta T) + eta L^2).",
        parameters=(
            Parameter("distance", "|w_0 - w|_2", nonnegative, "decision"),
            ETA,
            T,
            L,
            LARGEST_GRADIENT_NORM,
        ),
        symbols={"distance": r"\|w_0 - w\|_2"},
        formulas={"rate": descent_rate},
        asserts=(DESCENT,),
        preconditions=(LIPSCHITZ,),
        over=("convex losses on R^d", "data sets", "points w"),
        note="Standard, with constant 1/2 on both terms for the average of w_0, ..., w_{T-1}, and so for T + 1 iterates. "
        "Display (18) uses it in expectation for one pass of stochastic steps; there the T in it is n_i and eta is eta_i.",
    ),
    EUCLIDEAN,
    replace(
        EUCLIDEAN,
        id="lp/lem-14-risk-amended",
        amends="lp/lem-14-risk",
        says="The same with L max(1, |theta*|_2^2) in the place of L |theta*|_2^2.",
        formulas={**EUCLIDEAN.formulas, "rate": risk_rate_amended},
        note="1 is the length that eta understands: times 1/D^2 under the maximum and D in front for eta times D.",
    ),
    NORMED,
    replace(
        NORMED,
        id="lp/thm-8-amended",
        amends="lp/thm-8",
        provenance=Provenance.PRINTED,
        says="For 2 <= p <= inf, with Lemma 14's eta = (1/L) min(4/sqrt(n), epsilon / (2 sqrt(d ln(1/delta)))), and with L "
        "max(1, d^{1 - 2/p} |theta*|_p^2) in the place of L d^{1 - 2/p} |theta*|_p^2.",
        parameters=(P.within(Interval("2", "inf", low_open=False, high_open=False)), *NORMED.parameters[1:]),
        formulas={"eta": eta_lemma_14, "rate": normed_rate_amended, "euclidean_norm_bound": euclidean_norm_bound},
        preconditions=(LIPSCHITZ, SMALL_STEP, MODERATE_EPSILON),
        note="",
    ),
]
