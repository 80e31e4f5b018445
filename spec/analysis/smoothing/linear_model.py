"""The linear quantile model: when its reformulation holds, and what its densities exclude."""

from dpsco.spec.analysis.smoothing.bias import DENSITY, DENSITY_LOW, DENSITY_SLOPE
from dpsco.spec.claim import Claim, Kind, Provenance, Relation
from dpsco.spec.domain import Parameter, positive, reals
from dpsco.spec.expressions import E, Phi, absolute, equal, log, sqrt, symbols
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import KAPPA_2, H, R
from dpsco.spec.predicate import Predicate

f, h, kappa_2, l_1, r, window, x_1, x_2, z_r = symbols("f h kappa_2 l_1 r window x_1 x_2 z_r")

RECIPROCAL = Parameter("M", "E[1/|y - theta*'x|]", positive, "1/outcome")
WINDOW = Parameter("window", "half-width of an interval around 0 in which residuals are counted", positive, "outcome")


mass_near_zero = 2 * f * window - l_1 * window**2
"""Least probability of |error| <= window, for window <= f/l_1."""

reciprocal_at_least = 2 * f * (log(f / (l_1 * window)) - 1) + 2 * l_1 * window
"""Least E[1/|error|; window <= |error| <= f/l_1]: grows without bound as window -> 0."""

endogenous_quantile = 10 + 5 * x_1 - 2 * x_2 + 3 * z_r + x_1 - x_2 + absolute(x_1 * x_2)
linear_quantile = 10 + 5 * x_1 - 2 * x_2 + 3 * z_r + x_1 - x_2
intercept = 10 + 3 * z_r
slope_1 = E(6)
slope_2 = E(-3)
density_at_most = sqrt(l_1)
"""Height of the triangle of slope l_1 and area 1."""

smoothing_gap = h**2 * kappa_2 * sqrt(l_1) / 2
level_of_quantile = equal(Phi(z_r), r)
window_is_small = window * l_1 < f


LEVEL = Predicate(
    "z_r is the r-quantile of N(0, 1)", level_of_quantile, accepts={"z_r": "0", "r": "0.5"}, rejects={"z_r": "1", "r": "0.5"}
)
QUANTILE_OF_NORMAL = (
    R,
    Parameter("x_1", "first random feature", reals, "feature"),
    Parameter("x_2", "second random feature", reals, "feature"),
    Parameter("z_r", "r-quantile of N(0, 1)", reals),
)

claims = [
    Claim(
        id="quantile/sec-4.1-linear",
        title="linear model with its error's quantile at zero",
        kind=Kind.BOUND,
        source=QUANTILE.at("Section 4.1, reformulation", "Figures 6 and 11"),
        unproved=True,
        says="For y = theta*'x + error*(x) with no restriction on the error, which may depend on x, the model can be "
        "rewritten as y = theta*'x + error(x) with conditional r-quantile of error(x) equal to 0 at every x, and theta* then "
        "minimises the population risk. The endogenous experiment, error*(x) = N(0, 9) + x_1 - x_2 + |x_1 x_2|, is taken to "
        "be such a model.",
        parameters=QUANTILE_OF_NORMAL,
        formulas={"endogenous_quantile": endogenous_quantile},
        asserts=(
            Relation("endogenous_quantile", "is", "affine in (x_1, x_2)"),
            Relation("theta*", "is", "a minimiser of the population risk"),
        ),
        over=("every distribution of (x, error*(x))",),
        note="False: the rewriting needs the conditional r-quantile of y to be linear in x. Decisive: in the experiment it is "
        "10 + 3 z_r + 6 x_1 - 3 x_2 + |x_1 x_2|, not affine: values at (1, 1), (-1, 1), (1, -1), (-1, -1) against (0, 0). No "
        "theta leaves conditional quantile 0, and the best linear theta depends on the law of x.",
    ),
    Claim(
        id="quantile/asm-4.1-reciprocal",
        title="two assumptions on the error held together",
        kind=Kind.BOUND,
        source=QUANTILE.at("Assumption 4.1", "Theorem 3.6, part 2", "Lemma 4.2"),
        unproved=True,
        says="The estimation results and part 2 of the risk theorem apply together: some distribution has conditional "
        "densities of the error that are l_1-Lipschitz and at least f > 0 at 0, and also E[1/|y - theta*'x|] = M finite.",
        parameters=(R, DENSITY_SLOPE, DENSITY_LOW, RECIPROCAL, WINDOW),
        formulas={"mass_near_zero": mass_near_zero, "reciprocal_at_least": reciprocal_at_least},
        asserts=(
            Relation("reciprocal_at_least for every window < f/l_1", "<=", "M"),
            Relation("Pr[|y - theta*'x| <= window]", ">=", "mass_near_zero"),
        ),
        preconditions=(
            DENSITY,
            Predicate(
                "window < f/l_1",
                window_is_small,
                accepts={"window": "0.01", "f": "0.5", "l_1": "1"},
                rejects={"window": "1", "f": "0.5", "l_1": "1"},
            ),
        ),
        over=("distributions with both properties",),
        provenance=Provenance.REBUILT,
        note="Put together from two conditions that the paper prints apart: Assumption 4.1, and E[1/|u|] finite in Theorem "
        "3.6, part 2. Vacuous: the density is at least f - l_1 |t| near 0, so E[1/|error|] >= 2 f (ln(f/(l_1 w)) - 1) for "
        "every w > 0 and is infinite. The paper does not say that both hold at once, and uses the model with both sections.",
    ),
    Claim(
        id="quantile/sec-4.1-linear-amended",
        amends="quantile/sec-4.1-linear",
        kind=Kind.BOUND,
        source=QUANTILE.at("Section 4.1, reformulation", "Figures 6 and 11"),
        says="Where the conditional r-quantile of y given x is affine in x, as without the term |x_1 x_2| in the endogenous "
        "experiment, its coefficients minimise the population risk: (10 + 3 z_r, 6, -3) there.",
        parameters=QUANTILE_OF_NORMAL,
        formulas={"endogenous_quantile": linear_quantile, "intercept": intercept, "slope_1": slope_1, "slope_2": slope_2},
        asserts=(
            Relation("endogenous_quantile", "is", "affine in (x_1, x_2)"),
            Relation("(intercept, slope_1, slope_2)", "is", "a minimiser of the population risk"),
        ),
        preconditions=(LEVEL,),
        over=("every distribution of x", "error* = N(0, 9) + x_1 - x_2"),
    ),
    Claim(
        id="quantile/asm-4.1-reciprocal-amended",
        amends="quantile/asm-4.1-reciprocal",
        kind=Kind.BOUND,
        source=QUANTILE.at("Assumption 4.1", "Theorem 3.6, part 2", "Lemma 4.2"),
        says="l_1-Lipschitz conditional densities are at most sqrt(l_1), whence L_h(theta*) - L(theta*) <= h^2 kappa_2 "
        "sqrt(l_1)/2: what part 2 takes from E[1/|y - theta*'x|] holds under the estimation results' own conditions.",
        parameters=(R, H, KAPPA_2, DENSITY_SLOPE, DENSITY_LOW),
        formulas={"density_at_most": density_at_most, "smoothing_gap": smoothing_gap},
        asserts=(
            Relation("conditional density of the error", "<=", "density_at_most"),
            Relation("L_h(theta*) - L(theta*)", "<=", "smoothing_gap"),
        ),
        preconditions=(DENSITY,),
        over=("every distribution with such densities", "every kernel with this second moment"),
    ),
]
