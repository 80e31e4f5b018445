"""Phased DP-SGD without projection: one pass in phases of shrinking length and step, noise added after each phase.

Phase i uses n_i = floor(2^{-i} n) fresh records, step 4^{-i} eta, and releases the average iterate with Gaussian noise. What it
reaches stands in `dp_sgd_utility`; the algorithm on the losses of this house in `sgd`.
"""

from dataclasses import replace

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.conditions import gradients_are_bounded
from dpsco.spec.domain import Parameter, naturals, nonnegative
from dpsco.spec.expressions import floor, log, minimum, sqrt, symbols
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA, DELTA, EPSILON, ETA, D, L, N
from dpsco.spec.predicate import Predicate

beta, d, delta, epsilon, eta, i, n = symbols("beta d delta epsilon eta i n")

PHASE = Parameter("i", "number of the phase", naturals)


phases = floor(log(n) / log(2))
phase_length = floor(n / 2**i)
phase_step = eta / 4**i
phase_sigma = 4 * L * phase_step * sqrt(log(1 / delta)) / epsilon
eta_lemma_14 = minimum(4 / sqrt(n), epsilon / (2 * sqrt(d * log(1 / delta)))) / L
eta_proof_of_lemma_14 = minimum(1 / sqrt(n), epsilon / sqrt(d * log(1 / delta))) / L
eta_theorem_13 = minimum(4 / sqrt(n), epsilon / (2 * sqrt(d) * log(1 / delta))) / L
step_is_small = eta_lemma_14 <= 1 / beta
epsilon_is_moderate = epsilon <= 2 * log(1 / delta)


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
PARTITION = Relation("n_1 + ... + n_k", "=", "n")
FIT = (
    Relation("n_1 + ... + n_k", "<=", "n - 1, for n >= 2"),
    Relation("n_i", ">=", "1, for i = 1, ..., k"),
)
ALGORITHM = Claim(
    id="lp/alg-6",
    title="Phased DP-SGD",
    kind=Kind.ALGORITHM,
    source=LP.at("Algorithm 6"),
    says="Phased DP-SGD. Input: n records, convex loss, step eta, (epsilon, delta). Let k = floor(log2 n) and partition the "
    "whole data set into k disjoint subsets S_1, ..., S_k with n_i = floor(2^{-i} n) records; w_0 = 0. For i = 1, ..., k: "
    "eta_i = 4^{-i} eta, w_i^1 = w_{i-1}; for t = 1, ..., n_i: w_i^{t+1} = w_i^t - eta_i grad l(w_i^t, x_i^t) with the t-th "
    "record of S_i, no projection; average the n_i + 1 iterates w_i^1, ..., w_i^{n_i + 1} to w_bar_i; w_i = w_bar_i + N(0, "
    "sigma_i^2 I_d) with sigma_i = 4 L eta_i sqrt(ln(1/delta)) / epsilon. Return w_k.",
    parameters=(N, PHASE, L, ETA, EPSILON, DELTA),
    formulas={"phases": phases, "phase_length": phase_length, "phase_step": phase_step, "phase_sigma": phase_sigma},
    asserts=(PARTITION,),
    over=("data sets of n records", "convex losses on R^d"),
    note="Feldman, Koren and Talwar 2020 without the projection. The n_i sum to less than n: as many records are not used as n "
    "has binary digits 1. At n = 1 there is no phase and the output is 0.",
)

claims = [
    ALGORITHM,
    replace(
        ALGORITHM,
        id="lp/alg-6-amended",
        amends="lp/alg-6",
        says="The same with S_1, ..., S_k disjoint, of n_i = floor(2^{-i} n) >= 1 records; at "
        "least one record, the rest, is not used. At n = 1 there is no phase and the output is w_0 = 0.",
        asserts=FIT,
        note="",
    ),
    Claim(
        id="lp/lem-14",
        title="privacy of Phased DP-SGD",
        kind=Kind.PRIVACY,
        source=LP.at("Lemma 14", "Algorithm 6"),
        says="Let every l(., x) be convex, beta-smooth and L-Lipschitz on R^d in the l2 norm. With eta = (1/L) "
        "min(4/sqrt(n), epsilon / (2 sqrt(d ln(1/delta)))) and eta <= 1/beta, phased DP-SGD is (epsilon, delta)-DP for every "
        "epsilon <= 2 ln(1/delta).",
        uses=("lp/alg-6",),
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
        "2.34 ln(1/delta). Three different eta are printed (Lemma 14, its proof, Theorem 13); privacy depends "
        "on none, given eta <= 1/beta. All three lack the diameter that Feldman et al. have, so 1/(L sqrt(n)) has the unit "
        "of a step only where distances are pure numbers. Under add-remove adjacency the phases shift.",
    ),
]
