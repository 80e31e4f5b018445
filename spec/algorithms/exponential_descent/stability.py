"""Stability of exponential descent: how far runs on neighbouring data sets drift apart."""

from dpsco.spec.algorithms.exponential_descent.algorithm import ITERATES, STEP_EPSILON
from dpsco.spec.algorithms.exponential_descent.utility import BOUNDED_FEATURE, DIMENSION, LARGEST_FEATURE
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Parameter, naturals, nonnegative
from dpsco.spec.expressions import symbols
from dpsco.spec.losses.spo.smoothing import (
    BOUNDED_DECISION,
    BOUNDED_GRADIENT,
    DECISION_BOUND,
    LARGEST_DECISION,
    LARGEST_GRADIENT,
    LIPSCHITZ,
    SMOOTHING,
    STEP,
    dual_range,
)
from dpsco.spec.papers import SPO
from dpsco.spec.parameters import B_X, N
from dpsco.spec.predicate import Predicate
from dpsco.spec.privacy.randomised_response import advantage, half_sphere_factor

B_w, B_x, L, T, correlation, d, drift, epsilon = symbols("B_w B_x L T correlation d drift epsilon")
eta, gradient_drift, mu, n, t = symbols("eta gradient_drift mu n t")

STEP_INDEX = Parameter("t", "index of the iterate", naturals)
DRIFT = Parameter("drift", "|B_t - B_t'| before the step", nonnegative, "model")
GRADIENT_DRIFT = Parameter(
    "gradient_drift", "distance of the gradients at B_t and B_t', record k left out", nonnegative, "loss/model"
)
GRADIENT_CORRELATION = Parameter(
    "correlation", "inner product of B_t - B_t' with the difference of those gradients", nonnegative, "loss"
)


largest_step = 4 * mu / advantage
step_admitted = eta <= largest_step
cocoercive = correlation >= mu * gradient_drift**2
cauchy_schwarz = correlation <= drift * gradient_drift
index_in_range = t <= T

_scaled = eta * (n - 1) / n * advantage
squared_drift_after = drift**2 - _scaled * correlation + (_scaled / 2) ** 2 * gradient_drift**2
"""The proof's value of the expected squared distance after the step, without record k."""

squared_drift_cocoercive = drift**2 + ((_scaled / 2) ** 2 - mu * _scaled) * gradient_drift**2
squared_drift_before = drift**2
iterate_drift = 2 * L * eta * t / n
step_drift = 2 * L * eta / n
"""What record k adds in one step."""

loss_stability = L**2 * eta * (1 + T) / n + mu * dual_range

_a = eta * (n - 1) / n
rotated_drift_after = drift**2 - 2 * _a * half_sphere_factor * correlation + _a**2 * gradient_drift**2
"""The expected squared distance after the step: a rotation keeps the length of the gradients' difference."""

rotated_drift_cocoercive = drift**2 + (_a**2 - 2 * _a * half_sphere_factor * mu) * gradient_drift**2
largest_rotated_step = 2 * half_sphere_factor * mu
rotated_step_admitted = eta <= largest_rotated_step
largest_smooth_step = largest_rotated_step / (4 * B_x**2)
"""The same where the smoothed losses are (4 B_x^2/mu)-smooth in B."""

smooth_step_admitted = eta <= largest_smooth_step


ADMITTED_STEP = Predicate(
    "eta <= 4 mu (e^epsilon + 1)/(e^epsilon - 1)",
    step_admitted,
    accepts={"eta": "4", "mu": "1", "epsilon": "1"},
    rejects={"eta": "9", "mu": "1", "epsilon": "1"},
)

ROTATED_STEP = Predicate(
    "eta <= 2 q mu, q the length of the mean direction",
    rotated_step_admitted,
    accepts={"eta": "0.4", "mu": "1", "epsilon": "1", "d": "3"},
    rejects={"eta": "1", "mu": "1", "epsilon": "1", "d": "3"},
)
SMOOTH_STEP = Predicate(
    "eta <= q mu/(2 B_x^2), q the length of the mean direction",
    smooth_step_admitted,
    accepts={"eta": "0.1", "mu": "1", "epsilon": "1", "d": "3", "B_x": "1"},
    rejects={"eta": "1", "mu": "1", "epsilon": "1", "d": "3", "B_x": "1"},
)
COCOERCIVE = Predicate(
    "co-coercivity: <B_t - B_t', G(B_t) - G(B_t')> >= mu |G(B_t) - G(B_t')|^2",
    cocoercive,
    accepts={"correlation": "4", "mu": "1", "gradient_drift": "1"},
    rejects={"correlation": "0.5", "mu": "1", "gradient_drift": "1"},
)
CAUCHY_SCHWARZ = Predicate(
    "Cauchy and Schwarz: the inner product is at most the product of the norms",
    cauchy_schwarz,
    accepts={"correlation": "4", "drift": "4", "gradient_drift": "1"},
    rejects={"correlation": "5", "drift": "4", "gradient_drift": "1"},
)
INDEX = Predicate("t <= T", index_in_range, accepts={"t": "3", "T": "5"}, rejects={"t": "6", "T": "5"})

claims = [
    Claim(
        id="spo/lem-6",
        title="expected non-expansion of one step",
        kind=Kind.SENSITIVITY,
        source=SPO.at("Lemma 6", "Appendix C"),
        says="Data sets D and D' differ in record k; with it removed both are the same n - 1 records, whose mean smoothed "
        "loss has gradient G(.). Let g_t be the random rotation of Definition 12, the same on both sides. If eta <= 4 mu "
        "(e^epsilon + 1)/(e^epsilon - 1), then the expectation over g_t of |(B_t - eta (n-1)/n g_t(G(B_t))) - (B_t' - eta "
        "(n-1)/n g_t(G(B_t')))| is at most |B_t - B_t'|. The proof takes the expected square to equal |(B_t - B_t') - eta "
        "(n-1)/(2n) h (G(B_t) - G(B_t'))|^2, h = (e^epsilon - 1)/(e^epsilon + 1), and bounds that by co-coercivity of the "
        "gradient with modulus mu.",
        uses=("spo/def-12", "spo/sec-3.2-smooth"),
        parameters=(N, STEP_EPSILON, SMOOTHING, STEP, DRIFT, GRADIENT_DRIFT, GRADIENT_CORRELATION),
        formulas={
            "largest_step": largest_step,
            "squared_drift_after": squared_drift_after,
            "squared_drift_cocoercive": squared_drift_cocoercive,
            "squared_drift_before": squared_drift_before,
        },
        asserts=(
            Relation("expected squared distance after the step", "=", "squared_drift_after", step=True),
            Relation("squared_drift_after", "<=", "squared_drift_cocoercive", step=True),
            Relation("squared_drift_cocoercive", "<=", "squared_drift_before", step=True),
            Relation("expected distance after the step", "<=", "drift"),
        ),
        preconditions=(
            ADMITTED_STEP,
            COCOERCIVE,
            CAUCHY_SCHWARZ,
        ),
        over=("every convex (1/mu)-smooth loss", "every pair of iterates B_t, B_t'", "every k"),
        adjacency=Adjacency.REPLACE_ONE,
        note="False: the expected square is taken as the square of the expectation, losing the variance. A rotation keeps "
        "norms, so with a = eta (n-1)/n the expected square is drift^2 - a h correlation + a^2 gradient_drift^2 (with the "
        "mean factor h/2), above drift^2 once a > h correlation / gradient_drift^2. Decisive: loss with Hessian I/mu, n = 2, "
        "eta = 4 mu/h: the rotated term alone has length (2/h) drift > 2 drift, so the distance grows surely. The display has "
        "no mu though the smoothed loss is meant; 1/mu is not its smoothness in B (factor 4 |x|^2), and h/2 is the mean "
        "factor in dimension 3 only. At n = 1 both sides agree.",
    ),
    Claim(
        id="spo/lem-6-amended",
        amends="spo/lem-6",
        kind=Kind.SENSITIVITY,
        source=SPO.at("Lemma 6", "Appendix C"),
        says="As Lemma 6, with q = (e^epsilon - 1)/(e^epsilon + 1) Gamma(d/2)/(sqrt(pi) Gamma((d + 1)/2)), d the length of B: "
        "if eta <= 2 q mu, the expected distance after the step is at most |B_t - B_t'|. The expected square is |B_t - B_t'|^2 "
        "- 2 a q <B_t - B_t', G(B_t) - G(B_t')> + a^2 |G(B_t) - G(B_t')|^2, a = eta (n-1)/n, which co-coercivity bounds.",
        parameters=(N, STEP_EPSILON, DIMENSION, SMOOTHING, STEP, DRIFT, GRADIENT_DRIFT, GRADIENT_CORRELATION),
        formulas={
            "largest_step": largest_rotated_step,
            "squared_drift_after": rotated_drift_after,
            "squared_drift_cocoercive": rotated_drift_cocoercive,
            "squared_drift_before": squared_drift_before,
        },
        asserts=(
            Relation("expected squared distance after the step", "=", "squared_drift_after"),
            Relation("squared_drift_after", "<=", "squared_drift_cocoercive"),
            Relation("squared_drift_cocoercive", "<=", "squared_drift_before"),
            Relation("expected distance after the step", "<=", "drift"),
        ),
        preconditions=(ROTATED_STEP, COCOERCIVE, CAUCHY_SCHWARZ),
        over=("every convex (1/mu)-smooth loss", "every pair of iterates B_t, B_t'", "every k"),
        adjacency=Adjacency.REPLACE_ONE,
        note="The rotation is that of spo/def-12-amended; at d = 1 a random sign takes its place, the same for both sides.",
    ),
    Claim(
        id="spo/thm-4-stability",
        title="stability of exponential descent",
        kind=Kind.SENSITIVITY,
        source=SPO.at("Appendix C, proof of Theorem 4, induction and the display after it"),
        says="Runs of exponential descent on data sets that differ in one record, with the same random rotations and eta <= 4 "
        "mu (e^epsilon + 1)/(e^epsilon - 1), satisfy E|B_t - B_t'| <= 2 L eta t / n for t = 1, ..., T, each step adding at "
        "most 2 L eta / n; hence for the plain (not smoothed) loss of any (x, c) at the averages, E|loss(B) - loss(B')| <= "
        "L^2 eta (1 + T)/n + mu D with D = B_w^2 / 2.",
        uses=("spo/alg-1", "spo/lem-6", "spo/sec-3.2-2"),
        parameters=(
            N,
            ITERATES,
            STEP_INDEX,
            STEP_EPSILON,
            SMOOTHING,
            STEP,
            LIPSCHITZ,
            DECISION_BOUND,
            LARGEST_GRADIENT,
        ),
        formulas={"iterate_drift": iterate_drift, "step_drift": step_drift, "loss_stability": loss_stability},
        asserts=(
            Relation("E|B_t - B_t'|", "<=", "iterate_drift", step=True),
            Relation("E|B_{t+1} - B_{t+1}'|", "<=", "|B_t - B_t'| + step_drift", step=True),
            Relation("E|loss(B) - loss(B')|", "<=", "loss_stability", step=True),
        ),
        preconditions=(
            ADMITTED_STEP,
            BOUNDED_GRADIENT,
            INDEX,
        ),
        over=("every pair of neighbouring data sets", "every (x, c)", "the coupling by equal rotations"),
        adjacency=Adjacency.REPLACE_ONE,
        note="Rests on Lemma 6 and on splitting g_t(a + b) into g_t(a) + g_t(b), which holds for one rotation applied to all "
        "vectors but not for the half-sphere draw. False with Lemma 6, as at t = T = 3; at t = 1 it holds, B_1 = 0. The "
        "proof's first display multiplies by |gradient| twice and prints D for D'. Triangle inequality and |g_t| = 1 are "
        "sound.",
    ),
    Claim(
        id="spo/thm-4-stability-amended",
        amends="spo/thm-4-stability",
        kind=Kind.SENSITIVITY,
        source=SPO.at("Appendix C, proof of Theorem 4, induction and the display after it"),
        says="Runs of exponential descent on data sets that differ in one record, with features of norm at most B_x, the same "
        "random rotations (signs where B is one number) and eta <= q mu/(2 B_x^2), q = (e^epsilon - 1)/(e^epsilon + 1) "
        "Gamma(d/2)/(sqrt(pi) Gamma((d + 1)/2)), d the length of B, satisfy E|B_t - B_t'| <= 2 L eta t / n for t = 1, ..., T, "
        "each step adding at most 2 L eta / n; hence for the plain loss of any (x, c) at the averages, E|loss(B) - loss(B')| "
        "<= L^2 eta (1 + T)/n + mu D with D = B_w^2 / 2.",
        parameters=(
            *(N, ITERATES, STEP_INDEX, STEP_EPSILON, DIMENSION, SMOOTHING, STEP, LIPSCHITZ, DECISION_BOUND, B_X),
            *(LARGEST_GRADIENT, LARGEST_DECISION, LARGEST_FEATURE),
        ),
        formulas={"iterate_drift": iterate_drift, "step_drift": step_drift, "loss_stability": loss_stability},
        asserts=(
            Relation("E|B_t - B_t'|", "<=", "iterate_drift"),
            Relation("E|B_{t+1} - B_{t+1}'|", "<=", "|B_t - B_t'| + step_drift"),
            Relation("E|loss(B) - loss(B')|", "<=", "loss_stability"),
        ),
        preconditions=(SMOOTH_STEP, BOUNDED_GRADIENT, BOUNDED_DECISION, BOUNDED_FEATURE, INDEX),
        over=("every pair of neighbouring data sets", "every (x, c)", "the coupling by equal rotations"),
        adjacency=Adjacency.REPLACE_ONE,
    ),
]
