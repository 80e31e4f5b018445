"""Phased DP-SGD without projection: one pass in phases of shrinking length and step, noise added after each phase.

Phase i uses n_i = floor(2^{-i} n) fresh records, step 4^{-i} eta, and releases the average iterate with Gaussian noise.
"""

from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.conditions import gradients_are_bounded
from dpsco.spec.domain import Integers, Interval, Parameter, naturals, nonnegative
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA, DELTA, EPSILON, ETA, D, L, N, P, T
from dpsco.spec.predicate import Predicate

PHASE = Parameter("i", "number of the phase", naturals)
PHASES = Parameter("k", "number of phases, floor(log2 n)", Integers(0))
OPTIMUM_NORM = Parameter(
    "optimum_norm", "l2 norm of theta*, the minimiser of the population loss on R^d", nonnegative, "decision"
)


def phases(m: Numbers, n: Real) -> Real:
    return m.floor(m.log(n) / m.log(m.real(2)))


def phase_length(m: Numbers, n: Real, i: Real) -> Real:
    return m.floor(n / m.real(2) ** i)


def phase_step(m: Numbers, eta: Real, i: Real) -> Real:
    return eta / m.real(4) ** i


def phase_sigma(m: Numbers, L: Real, eta: Real, i: Real, epsilon: Real, delta: Real) -> Real:
    return 4 * L * phase_step(m, eta, i) * m.sqrt(m.log(1 / delta)) / epsilon


def eta_lemma_14(m: Numbers, L: Real, n: Real, d: Real, epsilon: Real, delta: Real) -> Real:
    return m.min(4 / m.sqrt(n), epsilon / (2 * m.sqrt(d * m.log(1 / delta)))) / L


def eta_proof_of_lemma_14(m: Numbers, L: Real, n: Real, d: Real, epsilon: Real, delta: Real) -> Real:
    return m.min(1 / m.sqrt(n), epsilon / m.sqrt(d * m.log(1 / delta))) / L


def eta_theorem_13(m: Numbers, L: Real, n: Real, d: Real, epsilon: Real, delta: Real) -> Real:
    return m.min(4 / m.sqrt(n), epsilon / (2 * m.sqrt(d) * m.log(1 / delta))) / L


def step_is_small(m: Numbers, L: Real, n: Real, d: Real, epsilon: Real, delta: Real, beta: Real) -> Truth:
    return m.le(eta_lemma_14(m, L, n, d, epsilon, delta), 1 / beta)


def epsilon_is_moderate(m: Numbers, epsilon: Real, delta: Real) -> Truth:
    return m.le(epsilon, 2 * m.log(1 / delta))


def descent_rate(m: Numbers, distance: Real, eta: Real, T: Real, L: Real) -> Real:
    return distance**2 / (eta * T) + eta * L**2


def risk_rate(m: Numbers, L: Real, optimum_norm: Real, n: Real, d: Real, epsilon: Real, delta: Real) -> Real:
    return L * optimum_norm**2 * (1 / m.sqrt(n) + m.sqrt(d * m.log(1 / delta)) / (epsilon * n))


def last_noise_term(m: Numbers, L: Real, eta: Real, k: Real, d: Real, epsilon: Real, delta: Real) -> Real:
    """Term A as printed: L^2 sqrt(d ln(1/delta)) eta_k / epsilon."""
    return L**2 * m.sqrt(d * m.log(1 / delta)) * phase_step(m, eta, k) / epsilon


def first_phase_term(m: Numbers, optimum_norm: Real, eta: Real, n: Real, L: Real) -> Real:
    """Term C with n_1 = n/2 and eta_1 = eta/4."""
    return optimum_norm**2 / (eta / 4 * n / 2) + eta / 4 * L**2


def later_phases_term(m: Numbers, L: Real, eta: Real, n: Real, k: Real, d: Real, epsilon: Real, delta: Real) -> Real:
    """Term B with n_i = 2^{-i} n."""

    def phase(i: Real) -> Real:
        step = phase_step(m, eta, i)
        return d * L**2 * step * m.log(1 / delta) * m.real(2) ** i / (n * epsilon**2) + step * L**2

    return m.sum(phase, 2, k)


def normed_rate(m: Numbers, L: Real, d: Real, p: Real, optimum_p_norm: Real, n: Real, epsilon: Real, delta: Real) -> Real:
    return L * d ** (1 - 2 / p) * optimum_p_norm**2 * (1 / m.sqrt(n) + m.sqrt(d * m.log(1 / delta)) / (epsilon * n))


def euclidean_norm_bound(m: Numbers, d: Real, p: Real, optimum_p_norm: Real) -> Real:
    return d ** (m.frac(1, 2) - 1 / p) * optimum_p_norm


LARGEST_GRADIENT_NORM = Parameter(
    "largest_gradient_norm", "largest dual norm of a gradient, all w and records", nonnegative, L.unit
)
LIPSCHITZ = Predicate(
    "every l(., x) is L-Lipschitz on R^d",
    gradients_are_bounded,
    accepts={"largest_gradient_norm": "1", "L": "1"},
    rejects={"largest_gradient_norm": "2", "L": "1"},
)
SMALL_STEP = Predicate(
    "eta <= 1/beta at the chosen eta",
    step_is_small,
    accepts={"L": "1", "n": 100, "d": 3, "epsilon": "1", "delta": "1e-3", "beta": "1"},
    rejects={"L": "1", "n": 100, "d": 3, "epsilon": "1", "delta": "1e-3", "beta": "100"},
)
MODERATE_EPSILON = Predicate(
    "epsilon <= 2 ln(1/delta)",
    epsilon_is_moderate,
    accepts={"epsilon": "1", "delta": "1e-3"},
    rejects={"epsilon": "20", "delta": "1e-3"},
)
LOSSES = "convex, beta-smooth losses on R^d"
STEPS = {"eta": eta_lemma_14, "eta_proof": eta_proof_of_lemma_14, "eta_theorem_13": eta_theorem_13}

claims = [
    Claim(
        id="lp/alg-6",
        kind=Kind.ALGORITHM,
        source=LP.at("Algorithm 6"),
        says="Phased DP-SGD. Input: n records, convex loss, step eta, (epsilon, delta). Let k = floor(log2 n) and split the "
        "records into disjoint S_1, ..., S_k with n_i = floor(2^{-i} n) records; w_0 = 0. For i = 1, ..., k: eta_i = 4^{-i} "
        "eta, w_i^1 = w_{i-1}; for t = 1, ..., n_i: w_i^{t+1} = w_i^t - eta_i grad l(w_i^t, x_i^t) with the t-th record of "
        "S_i, no projection; average the n_i + 1 iterates w_i^1, ..., w_i^{n_i + 1} to w_bar_i; w_i = w_bar_i + N(0, "
        "sigma_i^2 I_d) with sigma_i = 4 L eta_i sqrt(ln(1/delta)) / epsilon. Return w_k.",
        parameters=(N, PHASE, L, ETA, EPSILON, DELTA),
        formulas={"phases": phases, "phase_length": phase_length, "phase_step": phase_step, "phase_sigma": phase_sigma},
        over=("data sets of n records", "convex losses on R^d"),
        note="Feldman, Koren and Talwar 2020 without the projection. The n_i sum to less than n; the rest of the records is "
        "not used. At n = 1 there is no phase and the output is 0.",
    ),
    Claim(
        id="lp/lem-14",
        kind=Kind.PRIVACY,
        source=LP.at("Lemma 14", "Algorithm 6"),
        says="Let every l(., x) be convex, beta-smooth and L-Lipschitz on R^d in the l2 norm. With eta = (1/L) "
        "min(4/sqrt(n), epsilon / (2 sqrt(d ln(1/delta)))) and eta <= 1/beta, phased DP-SGD is (epsilon, delta)-DP for every "
        "epsilon <= 2 ln(1/delta).",
        parameters=(EPSILON, DELTA, L, BETA, N, D, PHASE, ETA, LARGEST_GRADIENT_NORM),
        formulas={**STEPS, "phase_sigma": phase_sigma},
        asserts=(Relation("w_1, ..., w_k", "is", "(epsilon, delta)-DP"),),
        preconditions=(LIPSCHITZ, SMALL_STEP, MODERATE_EPSILON),
        over=("neighbouring data sets of n records", LOSSES),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the last w_k (the proof cited covers all of w_1, ..., w_k)",
        note="Not proved here; cited as a modification of Feldman et al., Theorem 4.4. One record enters one phase; gradient "
        "steps are non-expansive for eta_i <= 2/beta, so w_bar_i has sensitivity below 2 L eta_i, mu = epsilon / (2 "
        "sqrt(ln(1/delta))) per phase, and rho = epsilon^2 / (8 ln(1/delta)); rho + 2 sqrt(rho ln(1/delta)) <= epsilon up to "
        "2.34 ln(1/delta). Believed true. Three different eta are printed (Lemma 14, its proof, Theorem 13); privacy depends "
        "on none, given eta <= 1/beta. All three lack the diameter that Feldman et al. have, so 1/(L sqrt(n)) has the unit "
        "of a step only where distances are pure numbers. Under add-remove adjacency the phases shift.",
    ),
    Claim(
        id="lp/lem-15",
        kind=Kind.BOUND,
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
        formulas={"rate": descent_rate},
        asserts=(Relation("loss of the average iterate - loss of w", "<=O", "rate"),),
        preconditions=(LIPSCHITZ,),
        over=("convex losses on R^d", "data sets", "points w"),
        note="Standard, with constant 1/2 on both terms for the average of w_0, ..., w_{T-1}, and so for T + 1 iterates. "
        "Display (18) uses it in expectation for one pass of stochastic steps; there the T in it is n_i and eta is eta_i.",
    ),
    Claim(
        id="lp/lem-14-risk",
        kind=Kind.UTILITY,
        source=LP.at("Lemma 14", "proof of Lemma 14", "displays (18) to (21)"),
        says="Under the conditions of Lemma 14, with theta* the minimiser of the population loss on R^d, phased DP-SGD has "
        "expected excess population risk O(L |theta*|_2^2 (1/sqrt(n) + sqrt(d ln(1/delta)) / (epsilon n))). Steps: the "
        "excess is at most O(L E|zeta_k|_2 + |theta*|_2^2 / (eta_1 n_1) + eta_1 L^2 + sum over i = 2, ..., k of "
        "(E|zeta_i|_2^2 / (eta_i n_i) + eta_i L^2)) with E|zeta_i|_2^2 = O(d L^2 eta_i^2 ln(1/delta) / epsilon^2).",
        parameters=(L, OPTIMUM_NORM, N, D, EPSILON, DELTA, BETA, ETA, PHASES, LARGEST_GRADIENT_NORM),
        formulas={
            "rate": risk_rate,
            **STEPS,
            "last_noise_term": last_noise_term,
            "first_phase_term": first_phase_term,
            "later_phases_term": later_phases_term,
        },
        asserts=(
            Relation("E[population loss of w_k] - population loss of theta*", "<=O", "rate"),
            Relation("L E|zeta_k|_2", "<=O", "last_noise_term"),
            Relation("last_noise_term + first_phase_term + later_phases_term", "<=O", "rate"),
        ),
        preconditions=(LIPSCHITZ, SMALL_STEP, MODERATE_EPSILON),
        over=("distributions of the records with a minimiser theta* on R^d", LOSSES),
        note="Suspected false, conclusion and all: at theta* = 0 the rate is 0 while the output carries noise (or only "
        "(1/sqrt(n)) L of step error); term B and term A do not shrink with theta*. Family: Huber loss of |w| in d = 1, "
        "theta* = s -> 0. It also has the wrong unit (a length of 1 is understood): max(1, |theta*|_2^2) in place of "
        "|theta*|_2^2 survives. At n = 1 (k = 0) the output is 0 and the excess may be L |theta*|_2. Display (19) bounds "
        "|w_{i-1} - w_bar_{i-1}| by zeta_i, meant zeta_{i-1} (16 times the variance, a constant). The proof's eta is another "
        "one than the lemma's.",
    ),
    Claim(
        id="lp/thm-8",
        kind=Kind.RATE,
        source=LP.at("Theorem 8", "Theorem 13", "displays (22) and (23)", "proof of Theorem 13"),
        says="In l_p^d, for p > 1 as far as the print is legible, let Assumption 3 hold (loss convex, L-Lipschitz and "
        "beta-smooth in |.|_p, unconstrained). Phased DP-SGD with eta = (1/L) min(4/sqrt(n), epsilon / (2 sqrt(d) "
        "ln(1/delta))), eta <= 1/beta, is (epsilon, delta)-DP for epsilon <= 2 ln(1/delta), and its output has expected "
        "excess population risk O(L d^{1 - 2/p} |theta*|_p^2 (1/sqrt(n) + sqrt(d ln(1/delta)) / (epsilon n))). Steps: "
        "|theta*|_2 <= d^{1/2 - 1/p} |theta*|_p; |grad|_2 <= |grad|_* <= L.",
        parameters=(
            P.within(Interval("1", "inf", high_open=False)),
            L,
            D,
            Parameter("optimum_p_norm", "l_p norm of theta*", nonnegative, "decision"),
            N,
            EPSILON,
            DELTA,
            BETA,
            LARGEST_GRADIENT_NORM.means("largest dual norm (l_{p/(p-1)}) of a gradient"),
        ),
        formulas={**STEPS, "rate": normed_rate, "euclidean_norm_bound": euclidean_norm_bound},
        asserts=(
            Relation("E[population loss of w_k] - population loss of theta*", "<=O", "rate"),
            Relation("|theta*|_2", "<=", "euclidean_norm_bound"),
            Relation("|grad l(w, x)|_2", "<=", "|grad l(w, x)|_*"),
            Relation("w_k", "is", "(epsilon, delta)-DP"),
        ),
        preconditions=(LIPSCHITZ, SMALL_STEP, MODERATE_EPSILON),
        over=("distributions of the records with a minimiser theta* on R^d", "losses that meet Assumption 3"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the last w_k",
        provenance=Provenance.REBUILT,
        note="Theorem 8 is not at hand; Theorem 13 restates it, but after '1 <' its range of p is lost in the scan. "
        "Readings: 2 <= p <= inf (the case that d^{1 - 2/p} and Theorem 15 go with, and the only one for which both norm "
        "comparisons hold); or 1 < p < 2, where both fail (theta* = e_1, d = 2, p = 3/2: 1 <= 2^{-1/6}). Theorem 13 prints "
        "sqrt(d) ln(1/delta) outside the root where Lemma 14 has sqrt(d ln(1/delta)); the proof of Lemma 14 has a third step "
        "without the factors 4 and 1/2. The rate at theta* = 0 is 0, as in lp/lem-14-risk: suspected false for the same "
        "reason.",
    ),
]
