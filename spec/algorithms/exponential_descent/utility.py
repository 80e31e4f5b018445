"""Excess risk of exponential descent: the bound at every step length, at the chosen one, and the rate."""

from dpsco.spec.algorithms.exponential_descent.algorithm import ITERATES, STEP_EPSILON
from dpsco.spec.claim import Claim, Kind, Provenance, Relation
from dpsco.spec.conditions import features_are_bounded
from dpsco.spec.domain import Parameter, nonnegative
from dpsco.spec.losses.spo.smoothing import (
    BOUNDED_DECISION,
    BOUNDED_GRADIENT,
    BOUNDED_MINIMISER,
    DECISION_BOUND,
    LARGEST_DECISION,
    LARGEST_GRADIENT,
    LIPSCHITZ,
    MINIMISER_NORM,
    MODEL_BOUND,
    STEP,
    dual_range,
)
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import SPO
from dpsco.spec.parameters import B_X, RISK, D, N
from dpsco.spec.predicate import Predicate
from dpsco.spec.privacy.randomised_response import advantage, half_sphere_factor


def step_coefficient(m: Numbers, n: Real, epsilon: Real, L: Real, B_w: Real) -> Real:
    """Coefficient a of eta in the regret, at T = n^2."""
    return L**2 * (1 + n**2) / n + advantage(m, epsilon) * (L**2 / 4 + B_w**2 / 4)


def eta_main_text(m: Numbers, n: Real, epsilon: Real, L: Real, B_B: Real, B_w: Real) -> Real:
    """The root covers only the first factor of the numerator."""
    return m.sqrt(advantage(m, epsilon)) * B_B**2 / (4 * n**2) / m.sqrt(step_coefficient(m, n, epsilon, L, B_w))


def eta_appendix(m: Numbers, n: Real, epsilon: Real, L: Real, B_B: Real, B_w: Real) -> Real:
    return m.sqrt(advantage(m, epsilon) * B_B**2 / (4 * n**2)) / m.sqrt(step_coefficient(m, n, epsilon, L, B_w))


def regret_before_eta(m: Numbers, n: Real, T: Real, epsilon: Real, eta: Real, L: Real, minimiser_norm: Real, B_w: Real) -> Real:
    inner = minimiser_norm**2 / (4 * T * eta) + eta * L**2 / 4 + eta / 2 * dual_range(m, B_w)
    return L**2 * (1 + T) * eta / n + advantage(m, epsilon) * inner


def regret(m: Numbers, n: Real, epsilon: Real, L: Real, B_B: Real, B_w: Real) -> Real:
    """The explicit bound, at T = n^2 and the appendix's eta."""
    return 2 * m.sqrt(advantage(m, epsilon) * B_B**2 / (4 * n**2) * step_coefficient(m, n, epsilon, L, B_w))


def rate(m: Numbers, n: Real, epsilon: Real) -> Real:
    return m.sqrt(1 / n) + advantage(m, epsilon) / n


DIMENSION = D.means("dimension of B = vec(Bhat), that is p d")
LARGEST_FEATURE = Parameter("largest_feature_norm", "largest norm of a feature vector", nonnegative, "feature")
BOUNDED_FEATURE = Predicate(
    "every feature vector has norm at most B_x",
    features_are_bounded,
    accepts={"largest_feature_norm": "2", "B_x": "2"},
    rejects={"largest_feature_norm": "3", "B_x": "2"},
)


def smoothing(m: Numbers, epsilon: Real, d: Real, eta: Real, B_x: Real) -> Real:
    """The least mu at which a step is not expansive in mean square."""
    return 2 * B_x**2 * eta / half_sphere_factor(m, epsilon, d)


def coefficient_of_step(m: Numbers, n: Real, epsilon: Real, d: Real, L: Real, B_w: Real, B_x: Real) -> Real:
    """Coefficient of eta in the amended regret, at T = n^2."""
    return L**2 * (1 + n**2) / n + (L**2 / 2 + B_x**2 * B_w**2) / half_sphere_factor(m, epsilon, d)


def coefficient_of_inverse(m: Numbers, n: Real, epsilon: Real, d: Real, B_B: Real) -> Real:
    """Coefficient of 1/eta."""
    return B_B**2 / (2 * n**2 * half_sphere_factor(m, epsilon, d))


def step_length(m: Numbers, n: Real, epsilon: Real, d: Real, L: Real, B_B: Real, B_w: Real, B_x: Real) -> Real:
    inverse = coefficient_of_inverse(m, n, epsilon, d, B_B)
    return m.sqrt(inverse) / m.sqrt(coefficient_of_step(m, n, epsilon, d, L, B_w, B_x))


def regret_at_step(
    m: Numbers, n: Real, T: Real, epsilon: Real, d: Real, eta: Real, L: Real, minimiser_norm: Real, B_w: Real, B_x: Real
) -> Real:
    inner = minimiser_norm**2 / (2 * T * eta) + eta * L**2 / 2 + eta * B_x**2 * B_w**2
    return L**2 * (1 + T) * eta / n + inner / half_sphere_factor(m, epsilon, d)


def least_regret(m: Numbers, n: Real, epsilon: Real, d: Real, L: Real, B_B: Real, B_w: Real, B_x: Real) -> Real:
    inverse = coefficient_of_inverse(m, n, epsilon, d, B_B)
    return 2 * m.sqrt(inverse * coefficient_of_step(m, n, epsilon, d, L, B_w, B_x))


def true_rate(m: Numbers, n: Real, epsilon: Real, d: Real) -> Real:
    q = half_sphere_factor(m, epsilon, d)
    return m.sqrt(1 / (q * n)) + 1 / (q * n)


claims = [
    Claim(
        id="spo/thm-4",
        kind=Kind.UTILITY,
        source=SPO.at("Theorem 4", "Appendix C, last displays"),
        says="Exponential descent with T = n^2 and eta = sqrt(h B_B^2/(4T)) / sqrt(L^2 (1+T)/n + h (L^2/4 + B_w^2/4)), where "
        "h = (e^epsilon - 1)/(e^epsilon + 1), has expected excess population SPO+ risk over the best B* with |B*| <= B_B of "
        "at most 2 sqrt(h B_B^2/(4 n^2) (L^2 (1 + n^2)/n + h (L^2/4 + B_w^2/4))), that is O(n^(-1/2) + h/n). Before eta is "
        "put in: L^2 (1+T) eta/n + h (|B*|^2/(4 T eta) + eta L^2/4 + eta D/2), D = B_w^2/2.",
        parameters=(
            *(N, ITERATES, STEP_EPSILON, STEP, LIPSCHITZ, MODEL_BOUND, DECISION_BOUND, RISK),
            *(LARGEST_GRADIENT, LARGEST_DECISION, MINIMISER_NORM),
        ),
        formulas={
            "eta_main_text": eta_main_text,
            "eta_appendix": eta_appendix,
            "step_coefficient": step_coefficient,
            "regret_before_eta": regret_before_eta,
            "regret": regret,
            "rate": rate,
        },
        asserts=(
            Relation("risk", "<=", "regret_before_eta"),
            Relation("risk", "<=", "regret"),
            Relation("risk", "<=O", "rate"),
            Relation("regret", "<=O", "rate"),
        ),
        preconditions=(BOUNDED_GRADIENT, BOUNDED_DECISION, BOUNDED_MINIMISER),
        over=("every law of (c, x)", "every nonempty compact convex S", "every d and p"),
        provenance=Provenance.REPAIRED,
        note="The rate is printed with the O before a root, O sqrt(1/n) + (h/n). The main text's eta has B_B^2/(4T) outside "
        "the root (and so the wrong unit); the appendix's is the one that balances. False: the bound vanishes as epsilon -> "
        "0, where eta -> 0, the iterates stay at 0 and the risk does not. The chain behind it loses 1/h^2 between line (e) "
        "and the last display, counts the smoothing error 2 mu D as h eta D/2, and needs Lemma 6. mu is never chosen; with mu "
        "= eta/2 Lemma 6's condition holds by itself. The third part of the decomposition has mean zero.",
    ),
    Claim(
        id="spo/thm-4-amended",
        amends="spo/thm-4",
        kind=Kind.UTILITY,
        source=SPO.at("Theorem 4", "Appendix C, last displays"),
        says="Exponential descent on features of norm at most B_x, smoothed with mu = 2 B_x^2 eta/q, q = (e^epsilon - 1)/(e^"
        "epsilon + 1) Gamma(d/2)/(sqrt(pi) Gamma((d + 1)/2)), d the length of B: the average of its T iterates, not projected, "
        "has the expected excess population SPO+ risk of at most L^2 (1+T) eta/n + (|B*|^2/(2 T eta) + eta L^2/2 + eta B_x^2 "
        "B_w^2)/q. With T = n^2 and the eta that balances this it is at most 2 sqrt(B_B^2/(2 n^2 q) (L^2 (1 + n^2)/n + (L^2/2 "
        "+ B_x^2 B_w^2)/q)), that is O((q n)^(-1/2) + 1/(q n)).",
        parameters=(
            *(N, ITERATES, STEP_EPSILON, DIMENSION, STEP, LIPSCHITZ, MODEL_BOUND, DECISION_BOUND, B_X, RISK),
            *(LARGEST_GRADIENT, LARGEST_DECISION, LARGEST_FEATURE, MINIMISER_NORM),
        ),
        formulas={
            "smoothing": smoothing,
            "step_length": step_length,
            "regret_before_eta": regret_at_step,
            "regret": least_regret,
            "rate": true_rate,
        },
        asserts=(
            Relation("risk", "<=", "regret_before_eta"),
            Relation("risk", "<=", "regret"),
            Relation("risk", "<=O", "rate"),
            Relation("regret", "<=O", "rate"),
        ),
        preconditions=(BOUNDED_GRADIENT, BOUNDED_DECISION, BOUNDED_MINIMISER, BOUNDED_FEATURE),
        over=("every law of (c, x)", "every nonempty compact convex S", "every d and p"),
        note="The constants of the rate depend on L, B_B, B_w and B_x only. The final projection is left out: it may raise the "
        "loss (spo/app-c-projection). The factor 1/q is the price of directions that agree with the gradient only a little.",
    ),
]
