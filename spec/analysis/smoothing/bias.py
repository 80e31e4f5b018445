"""The minimiser of the smoothed population risk against the minimiser of the unsmoothed one, in a linear quantile model."""

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Parameter, nonnegative, positive, reals
from dpsco.spec.expressions import maximum, minimum, sqrt, symbols
from dpsco.spec.losses.quantile.summaries import KERNEL_MOMENTS, OPTIMUM_IN_BALL, OPTIMUM_NORM, RADIUS
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import B_X, KAPPA_1, KAPPA_2, D, H, R
from dpsco.spec.predicate import Predicate

B_x, d, distance, f, h, kappa_1, kappa_2, l_1 = symbols("B_x d distance f h kappa_1 kappa_2 l_1")
mean_feature, mean_magnitude, r, rho_1 = symbols("mean_feature mean_magnitude r rho_1")

DENSITY_SLOPE = Parameter("l_1", "Lipschitz constant of every conditional density of the error", positive, "1/outcome^2")
DENSITY_LOW = Parameter("f", "lower bound of every conditional density of the error at 0", positive, "1/outcome")
EIGENVALUE = Parameter("rho_1", "least eigenvalue of E[x x']", positive, "feature^2")
DISTANCE = Parameter("distance", "l2 norm of theta - theta*", nonnegative, "decision")
MEAN_FEATURE = Parameter("mean_feature", "E[x_j] of one coordinate", reals, "feature")
MEAN_MAGNITUDE = Parameter("mean_magnitude", "E|x_j| of one coordinate", nonnegative, "feature")


conditional_bias = h**2 * l_1 * kappa_2 / 2
"""Largest E[calK(-error/h) | x] - r, and the printed bound of the gradient's norm."""

gradient_entry = h**2 * l_1 * kappa_2 * mean_feature / 2
gradient_growth = rho_1 * (f - h * l_1 * kappa_1) * distance**2 - l_1 * B_x**3 * distance**3 / 2
discriminant = (rho_1 * (f - h * l_1 * kappa_1)) ** 2 - l_1**2 * B_x**3 * h**2 * kappa_2
margin = f - h * l_1 * (kappa_1 + sqrt(B_x**3 * kappa_2) / rho_1)
bias = h**2 * l_1 * kappa_2 / (rho_1 * (f - h * l_1 * kappa_1))
gradient_bound = sqrt(maximum(B_x**2 - 1, 1)) * conditional_bias
"""conditional_bias times the largest of E|v'x| over unit vectors v: max(1, sqrt(B_x^2 - 1))."""

entry_by_magnitude = conditional_bias * mean_magnitude
margin_is_positive = margin > 0
a_density_has_these = f**2 <= 2 * l_1 * minimum(r, 1 - r)
"""The triangle of height f and slope l_1 fits under the density on each side of its quantile."""

features_have_these = all_of(rho_1 <= 1, B_x**2 >= 1 + (d - 1) * rho_1)
"""x_1 = 1 makes the first diagonal entry 1 and the trace at least 1 + (d-1) rho_1."""


SMALL_BANDWIDTH = Predicate(
    "f - h l_1 (kappa_1 + sqrt(B_x^3 kappa_2)/rho_1) > 0",
    margin_is_positive,
    accepts={"f": "0.5", "h": "0.01", "l_1": "1", "kappa_1": "1", "kappa_2": "2", "B_x": "2", "rho_1": "0.5"},
    rejects={"f": "0.5", "h": "1", "l_1": "1", "kappa_1": "1", "kappa_2": "2", "B_x": "2", "rho_1": "0.5"},
)
DENSITY = Predicate(
    "f^2 <= 2 l_1 min(r, 1-r): an l_1-Lipschitz density with value at least f at its r-quantile exists",
    a_density_has_these,
    accepts={"f": "0.5", "l_1": "1", "r": "0.5"},
    rejects={"f": "2", "l_1": "1", "r": "0.5"},
)
FEATURES = Predicate(
    "rho_1 <= 1 and B_x^2 >= 1 + (d-1) rho_1: features with x_1 = 1 in the ball exist",
    features_have_these,
    accepts={"rho_1": "0.5", "B_x": "2", "d": 2},
    rejects={"rho_1": "0.5", "B_x": "1", "d": 2},
)
MODEL = (D, R, H, B_X, KAPPA_1, KAPPA_2, DENSITY_SLOPE, DENSITY_LOW, EIGENVALUE)
DISTRIBUTIONS = (
    "every distribution of (x, error) with x_1 = 1, E[x_j] = 0 for j >= 2, |x| <= B_x, conditional r-quantile of the error 0, "
    "conditional densities l_1-Lipschitz and at least f at 0, E[x x'] with least eigenvalue rho_1",
    "every kernel with these moments",
)
RISE = "<grad L_h(theta_h*) - grad L_h(theta*), theta_h* - theta*> / |theta_h* - theta*|"
"""Left side of display (20), over the length that stands on its right."""
RISE_ON_SEGMENT = "<-grad L_h(theta*), theta_alpha - theta*> / |theta_alpha - theta*|"
"""Of display (23), which has a point of the segment from theta* to theta_h* instead."""

claims = [
    Claim(
        id="quantile/lem-4.2",
        title="distance of the smoothed minimiser",
        kind=Kind.BOUND,
        source=QUANTILE.at("Assumption 4.1", "Lemma 4.2", "Appendix B.1, displays (17), (20) to (22), (24), (25)"),
        says="Let y = theta*'x + error, the model hold, |theta*| <= B_theta and f - h l_1 (kappa_1 + sqrt(B_x^3 "
        "kappa_2)/rho_1) > 0. Then the minimiser theta_h* of the smoothed population risk satisfies |theta_h* - theta*| <= "
        "h^2 l_1 kappa_2/(rho_1 (f - h l_1 kappa_1)). On the way: for every theta, <grad L_h(theta) - grad L_h(theta*), theta "
        "- theta*> >= rho_1 (f - h l_1 kappa_1) s^2 - l_1 B_x^3 s^3/2 with s = |theta - theta*|; and the condition suffices "
        "for b > 0 and b^2 > 4ac, where a = l_1 B_x^3/2, b = rho_1 (f - h l_1 kappa_1), c = h^2 l_1 kappa_2/2. A step has c s "
        "as an upper bound of that inner product at theta_h*.",
        uses=("quantile/lem-3.1-1", "quantile/lem-4.2-gradient"),
        parameters=(*MODEL, RADIUS, OPTIMUM_NORM, DISTANCE),
        symbols={"distance": r"\|\theta - \theta^{*}\|_2"},
        formulas={
            "bias": bias,
            "margin": margin,
            "gradient_growth": gradient_growth,
            "discriminant": discriminant,
            "conditional_bias": conditional_bias,
        },
        asserts=(
            Relation("|theta_h* - theta*|", "<=", "bias"),
            Relation(RISE, "<=", "conditional_bias", step=True),
            Relation("<grad L_h(theta) - grad L_h(theta*), theta - theta*>", ">=", "gradient_growth"),
            Relation("margin > 0", "=>", "discriminant > 0"),
        ),
        preconditions=(OPTIMUM_IN_BALL, SMALL_BANDWIDTH, KERNEL_MOMENTS, DENSITY, FEATURES),
        over=DISTRIBUTIONS,
        note="The proof rests on displays (19), (20) and (23), a claim of their own, false when the conditional bias depends "
        "on x. The conclusion survives because directions of large features have large curvature: to first order |theta_h* - "
        "theta*| <= c/(f sqrt(rho_1)) and rho_1 <= 1.",
    ),
    Claim(
        id="quantile/lem-4.2-gradient",
        title="smoothed gradient at the true parameter",
        kind=Kind.BOUND,
        source=QUANTILE.at("Appendix B.1, displays (19), (20), (23)"),
        says="Under the model, |grad L_h(theta*)| <= h^2 l_1 kappa_2/2. It is drawn from the entrywise bound of the gradient "
        "by h^2 l_1 kappa_2/2 times E[x] = (1, 0, ..., 0). With it <grad L_h(theta_h*) - grad L_h(theta*), theta_h* - theta*> "
        "<= (h^2 l_1 kappa_2/2) |theta_h* - theta*|, and so <-grad L_h(theta*), theta_alpha - theta*> for theta_alpha on the "
        "segment from theta* to theta_h*.",
        uses=("quantile/lem-4.2-vector",),
        parameters=MODEL,
        formulas={"conditional_bias": conditional_bias},
        asserts=(
            Relation("|grad L_h(theta*)|", "<=", "conditional_bias", step=True),
            Relation(RISE, "<=", "conditional_bias", step=True),
            Relation(RISE_ON_SEGMENT, "<=", "conditional_bias", step=True),
        ),
        preconditions=(KERNEL_MOMENTS, DENSITY, FEATURES),
        over=DISTRIBUTIONS,
        note="False: the gradient is E[bias(x) x] with |bias(x)| <= c, so only E|x| c <= B_x c follows. Decisive: d = 2, x_2 "
        "= +-10 with equal probability, uniform kernel, density f + l_1 t near 0 given x_2 = 10 and f - l_1 t given x_2 = "
        "-10: the gradient is (0, -+10 c). For d = 1 it holds. Display (23) has lost a minus after its equality sign.",
    ),
    Claim(
        id="quantile/lem-4.2-vector",
        title="smoothed gradient, entry by entry",
        kind=Kind.BOUND,
        source=QUANTILE.at("Appendix B.1, displays (17), (18)"),
        says="Under the model, E[calK(-error/h) | x] <= r + h^2 l_1 kappa_2/2 for every x, and, as an inequality between "
        "vectors, grad L_h(theta*) <= (h^2 l_1 kappa_2/2) E[x], entry by entry, with E[x] = (1, 0, ..., 0).",
        uses=("quantile/lem-3.1-1", "quantile/sec-4.1-linear"),
        parameters=(*MODEL, MEAN_FEATURE),
        formulas={"conditional_bias": conditional_bias, "gradient_entry": gradient_entry},
        asserts=(
            Relation("E[calK(-error/h) | x] - r", "<=", "conditional_bias", step=True),
            Relation("entry j of grad L_h(theta*)", "<=", "gradient_entry", step=True),
        ),
        preconditions=(KERNEL_MOMENTS, DENSITY, FEATURES),
        over=DISTRIBUTIONS,
        note="The first inequality holds (its lower counterpart, which is needed too, is not printed). The second multiplies "
        "it by entries of x of either sign and is false: d = 2 and the instance of the norm bound, with the sign that makes "
        "entry 2 positive where E[x_2] = 0.",
    ),
    Claim(
        id="quantile/lem-4.2-gradient-amended",
        amends="quantile/lem-4.2-gradient",
        kind=Kind.BOUND,
        source=QUANTILE.at("Appendix B.1, displays (19), (20), (23)"),
        says="The same with max(1, sqrt(B_x^2 - 1)) h^2 l_1 kappa_2/2: the conditional bias may have the sign of a feature.",
        parameters=MODEL,
        formulas={"gradient_bound": gradient_bound},
        asserts=(
            Relation("|grad L_h(theta*)|", "<=", "gradient_bound"),
            Relation(RISE, "<=", "gradient_bound"),
            Relation(RISE_ON_SEGMENT, "<=", "gradient_bound"),
        ),
        preconditions=(KERNEL_MOMENTS, DENSITY, FEATURES),
        over=DISTRIBUTIONS,
    ),
    Claim(
        id="quantile/lem-4.2-vector-amended",
        amends="quantile/lem-4.2-vector",
        kind=Kind.BOUND,
        source=QUANTILE.at("Appendix B.1, displays (17), (18)"),
        says="The same with E|x_j| in the place of E[x_j].",
        parameters=(*MODEL, MEAN_MAGNITUDE),
        formulas={"conditional_bias": conditional_bias, "gradient_entry": entry_by_magnitude},
        asserts=(
            Relation("E[calK(-error/h) | x] - r", "<=", "conditional_bias", step=True),
            Relation("entry j of grad L_h(theta*)", "<=", "gradient_entry", step=True),
        ),
        preconditions=(KERNEL_MOMENTS, DENSITY, FEATURES),
        over=DISTRIBUTIONS,
    ),
]
