"""Excess risk of exponential descent: the bound at every step length, at the chosen one, and the rate."""

from dpsco.spec.algorithms.exponential_descent.algorithm import ITERATES, STEP_EPSILON
from dpsco.spec.claim import Claim, Kind, Provenance, Relation
from dpsco.spec.conditions import features_are_bounded
from dpsco.spec.domain import Parameter, nonnegative
from dpsco.spec.expressions import sqrt, symbols
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
from dpsco.spec.papers import SPO
from dpsco.spec.parameters import B_X, RISK, D, N
from dpsco.spec.predicate import Predicate
from dpsco.spec.privacy.randomised_response import advantage, half_sphere_factor

B_B, B_w, B_x, L, T, d, epsilon, eta = symbols("B_B B_w B_x L T d epsilon eta")
minimiser_norm, n = symbols("minimiser_norm n")


step_coefficient = L**2 * (1 + n**2) / n + advantage * (L**2 / 4 + B_w**2 / 4)
"""Coefficient a of eta in the regret, at T = n^2."""

eta_main_text = sqrt(advantage) * B_B**2 / (4 * n**2) / sqrt(step_coefficient)
"""The root covers only the first factor of the numerator."""

eta_appendix = sqrt(advantage * B_B**2 / (4 * n**2)) / sqrt(step_coefficient)

_inner = minimiser_norm**2 / (4 * T * eta) + eta * L**2 / 4 + eta / 2 * dual_range
regret_before_eta = L**2 * (1 + T) * eta / n + advantage * _inner
regret = 2 * sqrt(advantage * B_B**2 / (4 * n**2) * step_coefficient)
"""The explicit bound, at T = n^2 and the appendix's eta."""

rate = sqrt(1 / n) + advantage / n


DIMENSION = D.means("dimension of B = vec(Bhat), that is p d")
LARGEST_FEATURE = Parameter("largest_feature_norm", "largest norm of a feature vector", nonnegative, "feature")
BOUNDED_FEATURE = Predicate(
    "every feature vector has norm at most B_x",
    features_are_bounded,
    accepts={"largest_feature_norm": "2", "B_x": "2"},
    rejects={"largest_feature_norm": "3", "B_x": "2"},
)


smoothing = 2 * B_x**2 * eta / half_sphere_factor
"""The least mu at which a step is not expansive in mean square."""

coefficient_of_step = L**2 * (1 + n**2) / n + (L**2 / 2 + B_x**2 * B_w**2) / half_sphere_factor
"""Coefficient of eta in the amended regret, at T = n^2."""

coefficient_of_inverse = B_B**2 / (2 * n**2 * half_sphere_factor)
"""Coefficient of 1/eta."""

step_length = sqrt(coefficient_of_inverse) / sqrt(coefficient_of_step)

_inner = minimiser_norm**2 / (2 * T * eta) + eta * L**2 / 2 + eta * B_x**2 * B_w**2
regret_at_step = L**2 * (1 + T) * eta / n + _inner / half_sphere_factor
least_regret = 2 * sqrt(coefficient_of_inverse * coefficient_of_step)
true_rate = sqrt(1 / (half_sphere_factor * n)) + 1 / (half_sphere_factor * n)


claims = [
    Claim(
        id="spo/thm-4",
        title="excess risk of exponential descent",
        kind=Kind.UTILITY,
        source=SPO.at("Theorem 4", "Appendix C, last displays"),
        says="Exponential descent with T = n^2 and eta = sqrt(h B_B^2/(4T)) / sqrt(L^2 (1+T)/n + h (L^2/4 + B_w^2/4)), where "
        "h = (e^epsilon - 1)/(e^epsilon + 1), has expected excess population SPO+ risk over the best B* with |B*| <= B_B of "
        "at most 2 sqrt(h B_B^2/(4 n^2) (L^2 (1 + n^2)/n + h (L^2/4 + B_w^2/4))), that is O(n^(-1/2) + h/n). Before eta is "
        "put in: L^2 (1+T) eta/n + h (|B*|^2/(4 T eta) + eta L^2/4 + eta D/2), D = B_w^2/2.",
        uses=(
            "spo/alg-1",
            "spo/app-c-projection",
            "spo/lem-7",
            "spo/sec-3.2-2",
            "spo/sec-4-amgm",
            "spo/thm-4-c",
            "spo/thm-4-stability",
        ),
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
