"""Deviation of the regularised smoothed empirical risk from the population risk, uniformly on a sphere, and what it implies."""

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import Integers, Parameter, nonnegative, positive, reals
from dpsco.spec.expressions import exp, log, maximum, sqrt, symbols
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import B_X, GAMMA, LAMBDA, D, N, R
from dpsco.spec.predicate import Predicate

B_x, d, gamma, hill, lambda_, least_increase, n = symbols("B_x d gamma hill lambda_ least_increase n")
optimum_norm, r, r_0 = symbols("optimum_norm r r_0")

RADIUS = Parameter("r_0", "radius of the sphere around theta*", positive, "decision")
CENTRE = Parameter("optimum_norm", "l2 norm of theta*", nonnegative, "decision")
INCREASE = Parameter("least_increase", "infimum of Lhat(theta* + delta) - Lhat(theta*) over |delta| = r_0", reals, "loss")
HILL = Parameter("hill", "supremum of Lhat between two points less the larger of its values at them", nonnegative, "loss")


_spread = 3 * maximum(r, 1 - r) * r_0 * B_x * sqrt((4 * d + log(1 / gamma)) / n)
deviation = _spread + 2 * lambda_ * r_0 * optimum_norm - lambda_ * r_0**2
regulariser_deviation = 2 * r_0 * optimum_norm - r_0**2
"""Largest |theta*|^2 - |theta* + delta|^2 on the sphere."""

covering_scale = 2 / (exp(4) - 1)
covering_factor = 2 * sqrt(2) / (1 - covering_scale)
"""Printed as at most 3."""

radius_is_small = r_0 < 2 * optimum_norm
distance_bound = r_0
no_hill_between = hill <= 0
positive_on_sphere = least_increase > 0


ON_SPHERE = Predicate(
    "Lhat exceeds its value at theta* everywhere on the sphere",
    positive_on_sphere,
    accepts={"least_increase": "1"},
    rejects={"least_increase": "-1"},
)
QUASI_CONVEX = Predicate(
    "Lhat is quasi-convex, as every convex risk is", no_hill_between, accepts={"hill": "0"}, rejects={"hill": "1"}
)

claims = [
    Claim(
        id="quantile/lem-B.1",
        title="radius that holds the empirical minimiser",
        kind=Kind.BOUND,
        unproved=True,
        source=QUANTILE.at("Lemma B.1"),
        says="Let theta* minimise L and theta_hat minimise Lhat, the population and the empirical risk of the check loss, both "
        "convex. If, for a radius r_0, Lhat(theta* + delta) - Lhat(theta*) > 0 for every delta with |delta| = r_0, then "
        "|theta_hat - theta*| <= r_0.",
        parameters=(D, RADIUS, INCREASE, HILL),
        formulas={"distance_bound": distance_bound},
        asserts=(Relation("|theta_hat - theta*|", "<=", "distance_bound"),),
        preconditions=(ON_SPHERE, QUASI_CONVEX),
        over=("every pair of functions with minimisers",),
        note="Convexity is read in from the Notation, where L and Lhat are fixed symbols; the paper applies it to smoothed, "
        "regularised risks around theta_h*, convex as well. For arbitrary functions it is false: d = 1, theta* = 0, r_0 = 1, "
        "Lhat(t) = t^2 (t - 3)^2 - t^2 is positive at +-1 and least near t = 3.3. Quasi-convex is enough, and nothing is asked "
        "of L. Infima over a compact sphere: > 0 everywhere and infimum > 0 agree for continuous Lhat.",
    ),
    Claim(
        id="quantile/lem-B.2",
        title="uniform deviation of risk differences",
        kind=Kind.BOUND,
        source=QUANTILE.at("Lemma B.2", "displays (32) to (40)"),
        says="For n >= 2, gamma in (0, 1) and r_0 in (0, 2 |theta*|), with probability at least 1 - gamma over n independent "
        "records, the supremum over |delta| = r_0 of [L_h(theta* + delta) - L_h(theta*)] - [Lhat#_h(theta* + delta) - "
        "Lhat#_h(theta*)] is at most 3 max(r, 1-r) r_0 B_x sqrt((4 d + ln(1/gamma))/n) + 2 lambda r_0 |theta*| - lambda "
        "r_0^2, where Lhat#_h is the smoothed empirical risk plus lambda |theta|^2. The proof takes a covering of scale "
        "2/(e^4 - 1), for which it says 2 sqrt(2)/(1 - scale) <= 3, and uses that on the sphere |theta*|^2 - |theta* + "
        "delta|^2 <= 2 r_0 |theta*| - r_0^2.",
        parameters=(N.within(Integers(2)), D, GAMMA, R, B_X, LAMBDA, RADIUS, CENTRE),
        formulas={
            "deviation": deviation,
            "regulariser_deviation": regulariser_deviation,
            "covering_scale": covering_scale,
            "covering_factor": covering_factor,
        },
        asserts=(
            Relation("supremum of the difference with probability >= 1 - gamma", "<=", "deviation"),
            Relation("covering_factor", "<=", "3"),
        ),
        preconditions=(
            Predicate(
                "r_0 < 2 |theta*|",
                radius_is_small,
                accepts={"r_0": "1", "optimum_norm": "1"},
                rejects={"r_0": "3", "optimum_norm": "1"},
            ),
        ),
        over=(
            "every distribution of the record with features in the ball of radius B_x",
            "every kernel, every bandwidth",
        ),
        note="Empty for theta* = 0, and r_0 < 2 |theta*| is only used for a sign. The differences of population risks must be "
        "read as expectations of differences when E|y| is infinite.",
    ),
]
