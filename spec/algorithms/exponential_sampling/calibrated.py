"""The exponential mechanisms for bilevel problems with constants that hold: every constant is explicit, none is hidden."""

from dataclasses import replace

from dpsco.spec.algorithms.exponential_sampling.implemented import (
    XI,
    ZETA,
    distance_of_samplers,
    epsilon_prime,
    evaluation_error,
)
from dpsco.spec.algorithms.exponential_sampling.mechanism import G_SLOPE, K_TEMPERATURE, MU_REG
from dpsco.spec.algorithms.exponential_sampling.utility import EXCESS, exponential_rate
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Parameter, closed_unit, nonnegative, positive
from dpsco.spec.expressions import exp, log, maximum, sqrt, symbols
from dpsco.spec.losses.bilevel.assumptions import (
    CONVEX_HOLDS,
    CONVEXITY_DEFECT,
    D_X,
    D_X_DIM,
    D_Y,
    L_FY,
    LIPSCHITZ,
    LIPSCHITZ_HOLDS,
    PROBLEMS,
    SMOOTH,
    SMOOTH_HOLDS,
)
from dpsco.spec.losses.bilevel.sensitivity import smooth_difference_slope
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import DELTA, EPSILON, N
from dpsco.spec.predicate import Predicate

D_x, D_y, G, L_fx, L_fy, L_gy, d_x, delta = symbols("D_x D_y G L_fx L_fy L_gy d_x delta")
distance, epsilon, largest_inner_error = symbols("distance epsilon largest_inner_error")
largest_log_ratio, largest_norm, mu, mu_g, n, s = symbols("largest_log_ratio largest_norm mu mu_g n s")
tolerance, zeta = symbols("tolerance zeta")

difference_slope = smooth_difference_slope
"""G with the chain rule's second term: Phi_Z - Phi_Z' is (2G/n)-Lipschitz."""


score_scale = 2 / n * (L_fx * D_x + L_fy * D_y) + 4 * L_fy * L_gy / (mu_g * n)
"""s, with 1/n in its last term as well."""

exponential_bound = 2 * d_x * score_scale / epsilon
inner_tolerance = 2 * s * zeta / (epsilon_prime * L_fy)
"""An error of L_fy times this in Phi_Z is one of zeta in epsilon' Phi_Z/(2s)."""

sampled_bound = exp(epsilon_prime / 2) * exponential_bound.where({"epsilon": epsilon_prime})
"""At epsilon' = epsilon/2, the law within epsilon'/2 of the exact one."""

_b = sqrt(2 * maximum(0, log(1 / (2 * delta))))
calibration = _b + sqrt(_b**2 + 2 * epsilon)
"""w: a Gaussian shift of 2 epsilon/w is (epsilon, delta)-DP."""

regularisation = sqrt(2 * d_x) * G * calibration / (n * D_x * epsilon)
"""mu, at which d_x/k = mu D_x^2/2."""

inverse_temperature = mu * n**2 * epsilon**2 / (G**2 * calibration**2)
regularised_bound = sqrt(2 * d_x) * G * D_x * calibration / (n * epsilon)
"""d_x/k + mu D_x^2/2."""

inner_epsilon = epsilon / 2
"""What the density is calibrated to, the sampler's error taken off."""

sampler_distance = epsilon / 4
inner_delta = delta * exp(-sampler_distance)

_at = regularised_bound.where({"epsilon": inner_epsilon, "delta": inner_delta})
regularised_sampled_bound = exp(sampler_distance) * _at
scale_is_positive = L_fx * D_x + L_fy * (D_y + L_gy) > 0
domain_is_near = largest_norm <= D_x
minimisers_are_accurate = largest_inner_error <= tolerance
sampler_is_near = largest_log_ratio <= distance


SCALE = Parameter("s", "sensitivity scale of the score", positive, "loss")
LARGEST_NORM = Parameter("largest_norm", "largest |x| over X: at most D_x where 0 is in X", nonnegative, "decision")
TOLERANCE = Parameter("tolerance", "error allowed to a lower minimiser: inner_tolerance", positive, "inner")
INNER_ERROR = Parameter("largest_inner_error", "largest distance of a returned y from y_Z(x)", nonnegative, "inner")
DISTANCE = Parameter("distance", "bound asked of the sampler, on |log(law/density)|", positive, "nat")
LOG_RATIO = Parameter("largest_log_ratio", "supremum of |log(law/density)| of the density that is sampled", nonnegative, "nat")
POSITIVE_SCALE = Predicate(
    "the score can change: L_fx D_x + L_fy (D_y + L_gy) > 0",
    scale_is_positive,
    accepts={"L_fx": "1", "D_x": "1", "L_fy": "2", "D_y": "0", "L_gy": "1"},
    rejects={"L_fx": "0", "D_x": "1", "L_fy": "2", "D_y": "0", "L_gy": "0"},
)
NEAR = Predicate(
    "|x| is at most D_x on X",
    domain_is_near,
    accepts={"largest_norm": "2", "D_x": "2"},
    rejects={"largest_norm": "2.01", "D_x": "2"},
)
ACCURATE = Predicate(
    "every lower minimiser is found to within inner_tolerance",
    minimisers_are_accurate,
    accepts={"largest_inner_error": "0.125", "tolerance": "0.125"},
    rejects={"largest_inner_error": "0.13", "tolerance": "0.125"},
)
SAMPLER = Predicate(
    "the sampler's law is within distance of the density of the values it is given",
    sampler_is_near,
    accepts={"largest_log_ratio": "0.25", "distance": "0.25"},
    rejects={"largest_log_ratio": "0.26", "distance": "0.25"},
)
PURE = (EPSILON, N, D_X_DIM, *LIPSCHITZ, D_X, D_Y, SCALE, CONVEXITY_DEFECT, EXCESS)
SMOOTHED = (EPSILON, DELTA, N, D_X_DIM, *LIPSCHITZ, *SMOOTH, D_X.within(positive), LARGEST_NORM, CONVEXITY_DEFECT)
REGULARISED = (*SMOOTHED, G_SLOPE, MU_REG, K_TEMPERATURE, EXCESS)
REGULARISED_HOLDS = (*LIPSCHITZ_HOLDS, *SMOOTH_HOLDS, *CONVEX_HOLDS, NEAR)
POPULATION = "The population half is left out: for it no bound of this order is proved. "

claims = [
    Claim(
        id="bilevel/thm-3.2-amended",
        amends="bilevel/thm-3.2",
        kind=Kind.UTILITY,
        source=BILEVEL.at("Theorem 3.2", "Theorem B.1"),
        says="As Theorem 3.2 with s = (2/n)(L_fx D_x + L_fy D_y) + 4 L_fy L_gy/(mu_g n), 1/n in the last term too, and s > 0.",
        parameters=PURE,
        formulas={"s": score_scale, "rate": exponential_rate, "bound": exponential_bound},
        asserts=(
            Relation("mechanism (4)", "is", "epsilon-DP"),
            Relation("risk", "<=O", "rate"),
            Relation("risk", "<=", "bound"),
        ),
        preconditions=(*LIPSCHITZ_HOLDS, *CONVEX_HOLDS, POSITIVE_SCALE),
        over=(PROBLEMS, "every Z"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x",
        note="D_y is read as a bound on |y_Z(x) - y_Z(x0)|, the lower minimum as one over R^{d_y}.",
    ),
    Claim(
        id="bilevel/thm-B.15-amended",
        amends="bilevel/thm-B.15",
        kind=Kind.PRIVACY,
        source=BILEVEL.at("Theorem B.15"),
        says="Of privacy and loss; nothing of the running time. The sampler in the proof of Theorem B.15, with the s of the "
        "amended Theorem 3.2, every lower minimiser found to within 2 s zeta/(epsilon' L_fy), and a law within xi of the "
        "density of the values that it is given: its output is epsilon-DP and, Phi_Z convex, its excess empirical risk is at "
        "most e^{epsilon/4} times 4 d_x s/epsilon.",
        parameters=(
            *(p.within(positive) if p == L_FY else p for p in PURE),
            ZETA,
            XI,
            TOLERANCE,
            INNER_ERROR,
            DISTANCE,
            LOG_RATIO,
        ),
        formulas={
            "s": score_scale,
            "epsilon_prime": epsilon_prime,
            "zeta_chosen": evaluation_error,
            "distance_of_neighbours": distance_of_samplers,
            "inner_tolerance": inner_tolerance,
            "bound": sampled_bound,
        },
        asserts=(
            Relation("distance_of_neighbours", "=", "epsilon"),
            Relation("output", "is", "epsilon-DP"),
            Relation("risk", "<=", "bound"),
        ),
        preconditions=(*LIPSCHITZ_HOLDS, *CONVEX_HOLDS, POSITIVE_SCALE, ACCURATE, SAMPLER),
        over=(PROBLEMS,),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x, not the path of the walk nor its running time",
        note="Such a sampler exists, in the time of Theorem B.15, if Theorem 3.8 holds; here it is a condition (distance = xi "
        "= epsilon/12). Lower minimisers are a function of x and Z.",
    ),
    Claim(
        id="bilevel/thm-3.3-amended",
        amends="bilevel/thm-3.3",
        kind=Kind.UTILITY,
        source=BILEVEL.at("Theorem 3.3", "Theorem B.8"),
        says="Of the empirical risk; nothing of the population risk. "
        "Under Assumptions 2.1 and 2.2 with Phi_Z convex and |x| <= D_x on X: the density proportional to exp(-k(Phi_Z + "
        "mu |x|^2/2)) at the stated mu and k, with G enlarged by the terms of the chain rule, is (epsilon, delta)-DP with "
        "empirical excess at most sqrt(2 d_x) G D_x w/(epsilon n), w = b + sqrt(b^2 + 2 epsilon), b = sqrt(2 ln(1/(2 delta))), "
        "0 for delta > 1/2.",
        parameters=REGULARISED,
        formulas={"G": difference_slope, "mu": regularisation, "k": inverse_temperature, "bound": regularised_bound},
        asserts=(Relation("sample of (5)", "is", "(epsilon, delta)-DP"), Relation("empirical risk", "<=", "bound")),
        preconditions=REGULARISED_HOLDS,
        over=(PROBLEMS,),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x",
        note=POPULATION + "The regulariser is that of the appendix. G > 0 (else Phi_Z - Phi_Z' is constant).",
    ),
    Claim(
        id="bilevel/thm-B.16-amended",
        amends="bilevel/thm-B.16",
        kind=Kind.PRIVACY,
        source=BILEVEL.at("Theorem B.16"),
        says="Of the empirical risk; nothing of the population risk. "
        "The density of the amended Theorem 3.3 at epsilon/2 and e^{-epsilon/4} delta, sampled from a law within "
        "epsilon/4 of it, is (epsilon, delta)-DP with empirical excess at most e^{epsilon/4} times that theorem's bound there.",
        parameters=(
            *REGULARISED,
            Parameter("true_delta", "least delta for which the sampler is (epsilon, delta)-DP", closed_unit),
            DISTANCE,
            LOG_RATIO,
        ),
        formulas={
            "G": difference_slope,
            "mu": regularisation,
            "k": inverse_temperature,
            "inner_epsilon": inner_epsilon,
            "inner_delta": inner_delta,
            "distance": sampler_distance,
            "bound": regularised_sampled_bound,
        },
        asserts=(Relation("true_delta", "<=", "delta"), Relation("empirical risk", "<=", "bound")),
        preconditions=(*REGULARISED_HOLDS, SAMPLER),
        over=(PROBLEMS, "every sampler that meets the condition"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x",
        note=POPULATION + "mu and k are taken at inner_epsilon and inner_delta. The sampler and its running time are Theorem "
        "3.8's, here a condition on its law, errors of evaluation included.",
    ),
]
claims.append(
    replace(
        next(claim for claim in claims if claim.id == "bilevel/thm-3.3-amended"),
        id="bilevel/thm-B.8-amended",
        amends="bilevel/thm-B.8",
        source=BILEVEL.at("Theorem B.8", "its proof"),
    )
)
"""Theorem B.8 restates Theorem 3.3."""
