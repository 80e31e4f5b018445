"""Steps of the proof of exponential descent's risk bound: the chain to the regret, its balance, the projection, Lemma 8."""

from dpsco.spec.algorithms.exponential_descent.algorithm import ITERATES, STEP_EPSILON
from dpsco.spec.algorithms.exponential_descent.utility import DIMENSION
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import Parameter, Vectors, nonnegative, positive, reals
from dpsco.spec.expressions import E, equal, sqrt, symbols
from dpsco.spec.losses.spo.smoothing import (
    DECISION_BOUND,
    FEATURES,
    LIPSCHITZ,
    MINIMISER_NORM,
    MODEL_BOUND,
    SMOOTHING,
    STEP,
    dual_range,
)
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import SPO
from dpsco.spec.parameters import D
from dpsco.spec.predicate import Predicate
from dpsco.spec.privacy.randomised_response import advantage, half_sphere_factor, mean_factor

B_w, L, T, a, b, d, epsilon, eta, inner_products = symbols("B_w L T a b d epsilon eta inner_products")
minimiser_norm, mu, p = symbols("minimiser_norm mu p")

COEFFICIENT_A = Parameter("a", "coefficient of eta", positive, "loss^2/model^2")
COEFFICIENT_B = Parameter("b", "coefficient of 1/eta", positive, "model^2")


average_of_gradients = inner_products / T
average_of_draws = 1 / (2 * T) / advantage * (mean_factor * inner_products)
"""Right side of step (c); Definition 12's mean factor turns the draws' inner products into the gradients'."""

_inner = minimiser_norm**2 / (2 * T * eta) + eta * L**2 / 2
after_step_d = E("1/2") / advantage * _inner + mu * dual_range
"""Line (e) of the proof."""

_inner = minimiser_norm**2 / (4 * T * eta) + eta * L**2 / 4 + eta / 2 * dual_range
last_display = advantage * _inner
"""The same part in the proof's last display, with the reciprocal factor."""

of_step = a * eta + b / eta
of_coefficients = 2 * sqrt(a * b)


def linearised(m: Numbers, eta: Real, target: Real, steps: Real) -> Real:
    """Sum of <w_t - w*, v_t> in one dimension (coordinates add up)."""
    w, total = m.real(0), m.real(0)
    for v in steps:
        total = total + (w - target) * v
        w = w - eta * v
    return total


def telescoped(m: Numbers, eta: Real, target: Real, steps: Real) -> Real:
    return target**2 / (2 * eta) + eta / 2 * m.dot(steps, steps)


average_of_rotations = 1 / T / half_sphere_factor * (half_sphere_factor * inner_products)
"""Right side of step (c) with the mean direction's own factor."""

_inner = minimiser_norm**2 / (2 * T * eta) + eta * L**2 / 2
after_true_step_d = _inner / half_sphere_factor + mu * dual_range

_inner = minimiser_norm**2 / (2 * T * eta) + eta * L**2 / 2 + mu * dual_range
true_last_display = _inner / half_sphere_factor
balanced = equal(a * eta**2, b)
on_a_line = equal(p * d, 1)


claims = [
    Claim(
        id="spo/thm-4-c",
        title="step (c) in the regret of exponential descent",
        kind=Kind.BOUND,
        source=SPO.at("Appendix C, steps (c) to (e) of the proof of Theorem 4 and the display of the regret"),
        says="With h = (e^epsilon - 1)/(e^epsilon + 1), step (c) equates (1/T) E sum <B_t - B*, grad_t> with (1/(2T)) (1/h) E "
        "sum <B_t - B*, g_t(grad_t)>, because E[g_t(v)] = (h/2) v. Lemma 8 leads to line (e), (1/2) (1/h) (|B*|^2/(2 T eta) + "
        "eta L^2/2) + mu D, and the next display continues with h (|B*|^2/(4 T eta) + eta L^2/4 + eta D/2) as an upper bound "
        "of it, D = B_w^2/2.",
        uses=("spo/def-12", "spo/lem-8"),
        parameters=(
            *(ITERATES, STEP_EPSILON, STEP, SMOOTHING, LIPSCHITZ, DECISION_BOUND, MINIMISER_NORM),
            Parameter("inner_products", "expected sum of <B_t - B*, grad_t>", reals, "loss"),
        ),
        formulas={
            "average_of_gradients": average_of_gradients,
            "average_of_draws": average_of_draws,
            "after_step_d": after_step_d,
            "last_display": last_display,
        },
        asserts=(
            Relation("average_of_gradients", "=", "average_of_draws", step=True),
            Relation("after_step_d", "<=", "last_display", step=True),
        ),
        note="False twice. A mean factor h/2 needs the factor (2/T)/h in (c), not 1/(2Th): the sides differ by 4. And (e) has "
        "1/h where the last display has h <= 1, smaller by h^2 (and mu D became h eta D/2): epsilon = T = eta = L = |B*| = 1 "
        "decides. Definition 12's h/2 itself is dimension 3 only.",
    ),
    Claim(
        id="spo/thm-4-c-amended",
        amends="spo/thm-4-c",
        kind=Kind.BOUND,
        source=SPO.at("Appendix C, steps (c) to (e) of the proof of Theorem 4 and the display of the regret"),
        says="With q = (e^epsilon - 1)/(e^epsilon + 1) Gamma(d/2)/(sqrt(pi) Gamma((d + 1)/2)), d the length of B, step (c) "
        "equates (1/T) E sum <B_t - B*, grad_t> with (1/T) (1/q) E sum <B_t - B*, g_t(grad_t)>, because E[g_t(v)] = q v. Lemma "
        "8 leads to line (e), (1/q) (|B*|^2/(2 T eta) + eta L^2/2) + mu D, D = B_w^2/2, which is at most (1/q) (|B*|^2/(2 T "
        "eta) + eta L^2/2 + mu D).",
        parameters=(
            *(ITERATES, STEP_EPSILON, DIMENSION, STEP, SMOOTHING, LIPSCHITZ, DECISION_BOUND, MINIMISER_NORM),
            Parameter("inner_products", "expected sum of <B_t - B*, grad_t>", reals, "loss"),
        ),
        formulas={
            "average_of_gradients": average_of_gradients,
            "average_of_draws": average_of_rotations,
            "after_step_d": after_true_step_d,
            "last_display": true_last_display,
        },
        asserts=(
            Relation("average_of_gradients", "=", "average_of_draws"),
            Relation("after_step_d", "<=", "last_display"),
        ),
    ),
    Claim(
        id="spo/sec-4-amgm",
        title="best step length",
        kind=Kind.BOUND,
        source=SPO.at("Section 4, before Theorem 4"),
        says="The regret of exponential descent has the form a eta + b/eta, which is at most 2 sqrt(a b), eta being the step "
        "length and a, b free of it.",
        parameters=(COEFFICIENT_A, COEFFICIENT_B, STEP),
        formulas={"of_step": of_step, "of_coefficients": of_coefficients},
        asserts=(Relation("of_step", "<=", "of_coefficients"),),
        unproved=True,
        note="A remark before the theorem, no step of its proof. As printed, for every eta, the inequality points the wrong "
        "way: a eta + b/eta >= 2 sqrt(a b) with equality only at eta = sqrt(b/a), the eta of Theorem 4, where the claim is "
        "true, as it is meant. a = b = 1, eta = 2 refutes the reading for all eta. That a does not depend on eta also needs mu "
        "proportional to eta.",
    ),
    Claim(
        id="spo/sec-4-amgm-amended",
        amends="spo/sec-4-amgm",
        kind=Kind.BOUND,
        source=SPO.at("Section 4, before Theorem 4"),
        says="The regret of exponential descent has the form a eta + b/eta, which is at most 2 sqrt(a b) at eta = sqrt(b/a).",
        parameters=(COEFFICIENT_A, COEFFICIENT_B, STEP),
        formulas={"of_step": of_step, "of_coefficients": of_coefficients},
        asserts=(Relation("of_step", "<=", "of_coefficients"),),
        preconditions=(
            Predicate(
                "a eta^2 = b",
                balanced,
                accepts={"a": "1", "b": "4", "eta": "2"},
                rejects={"a": "1", "b": "1", "eta": "2"},
            ),
        ),
    ),
    Claim(
        id="spo/app-c-projection",
        title="risk before and after the final projection",
        kind=Kind.BOUND,
        source=SPO.at("Appendix C, first sentence of the proof of Theorem 4"),
        says="An upper bound on the risk of the average iterate before the final projection is also, and more loosely, one of "
        "the projected output: projecting the average onto the set of admissible B does not raise the loss.",
        parameters=(
            MODEL_BOUND,
            Parameter("risk_projected", "risk of the projected average", nonnegative, "loss"),
            Parameter("risk_average", "risk of the average itself", nonnegative, "loss"),
        ),
        asserts=(Relation("risk_projected", "<=", "risk_average", step=True),),
        over=("every convex loss with a minimiser in the set", "every average iterate", "every data set"),
        note="False: projection shortens the distance to the minimiser, not the loss; an SPO+ loss that is almost 0 at an "
        "average is 0.8 after it. True in one dimension and for losses that are a function of the distance to their "
        "minimiser.",
    ),
    Claim(
        id="spo/app-c-projection-amended",
        amends="spo/app-c-projection",
        kind=Kind.BOUND,
        source=SPO.at("Appendix C, first sentence of the proof of Theorem 4"),
        says="Where B is one number (p d = 1), projecting the average onto the set of admissible B does not raise the loss, so "
        "that an upper bound on the risk before the final projection is also one of the projected output.",
        parameters=(
            *(MODEL_BOUND, FEATURES, D),
            Parameter("risk_projected", "risk of the projected average", nonnegative, "loss"),
            Parameter("risk_average", "risk of the average itself", nonnegative, "loss"),
        ),
        asserts=(Relation("risk_projected", "<=", "risk_average"),),
        preconditions=(Predicate("p d = 1", on_a_line, accepts={"p": "1", "d": "1"}, rejects={"p": "1", "d": "2"}),),
        over=("every convex loss with a minimiser in the set", "every average iterate", "every data set"),
        note="For p d > 1 the iterates can be projected instead, each of them: then Lemma 8 holds as it is and the average "
        "lies in the set.",
    ),
    Claim(
        id="spo/lem-8",
        title="regret of a gradient step rule",
        kind=Kind.BOUND,
        unproved=True,
        source=SPO.at("Lemma 8"),
        says="For vectors v_1, ..., v_T of any kind, w_1 = 0, w_{t+1} = w_t - eta v_t and any w*: the sum of <w_t - w*, v_t> "
        "over t = 1, ..., T is at most |w*|^2/(2 eta) + (eta/2) times the sum of |v_t|^2.",
        parameters=(
            STEP,
            Parameter("target", "coordinate of the comparator w*", reals, "model"),
            Parameter("steps", "coordinate of v_1, ..., v_T", Vectors("T"), "loss/model"),
        ),
        formulas={"linearised": linearised, "telescoped": telescoped},
        asserts=(Relation("linearised", "<=", "telescoped"),),
        over=("every sequence of vectors, adaptive or not", "every dimension: both sides add over coordinates"),
        note="The gap is |w_{T+1} - w*|^2/(2 eta).",
    ),
]
