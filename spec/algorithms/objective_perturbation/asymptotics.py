"""Where the minimisers go: population minimisers of the smoothed and regularised risks, and the private order quantity.

Errors are measured from the population minimiser, so that their conditional distribution functions are r at 0; f(0) and f'(0)
are value and slope of their density there, J = E[f(0) x x'], u = J^{-1} theta, v = J^{-1} E[f'(0) x].
"""

from collections.abc import Callable

from dpsco.spec.claim import Claim, Kind, Provenance, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Interval, Parameter, closed_unit, nonnegative, positive, reals
from dpsco.spec.expressions import exp, sqrt, symbols
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import KAPPA_2, LAMBDA, SIGMA, D, H, N, R
from dpsco.spec.predicate import Predicate

curvature_near, d, density, density_slope, h = symbols("curvature_near d density density_slope h")
intercept_true, kappa_2, lambda_, lambda_min = symbols("intercept_true kappa_2 lambda_ lambda_min")
margin, mass_below, mass_up_to, n, quantile, r = symbols("margin mass_below mass_up_to n quantile r")
sigma, t, theta, u_x, v_x = symbols("sigma t theta u_x v_x")

DENSITY = Parameter("density", "f(0), density of the error at 0", positive, "1/outcome")
SLOPE = Parameter("density_slope", "f'(0), derivative of the error's density at 0", reals, "1/outcome^2")
THETA = Parameter("theta", "the minimiser, in one dimension with x = 1", reals, "decision")
NOISE = SIGMA.means("standard deviation of the noise vector b, per coordinate")
SMALLEST_EIGENVALUE = Parameter("lambda_min", "smallest eigenvalue of J", nonnegative, "loss/decision^2")
MAYBE_INFINITE = Interval("0", "inf", low_open=False, high_open=False)
LIPSCHITZ = Parameter("l_1", "a Lipschitz constant of the error's density given x, for every x", MAYBE_INFINITE, "1/outcome^2")
THIRD_MOMENT = Parameter("third_moment", "E|x|^3", MAYBE_INFINITE, "feature^3")
MEAN_SIZE = Parameter("mean_size", "E|x| + E|e|", MAYBE_INFINITE)
NEAR = Parameter("curvature_near", "least curvature of the regularised risk within t sigma / n", nonnegative, "loss/decision^2")
MARGIN = Parameter("margin", "distance of theta* from the outside of the decision set", nonnegative, "decision")


intercept = intercept_true + quantile
"""First coordinate of the minimiser; the others are those of the true coefficients."""

slope_right = mass_up_to - r
"""Right derivative of the population risk along the intercept, at the minimiser."""

slope_left = mass_below - r
shift_direction = density_slope / density
"""v = J^{-1} E[f'(0) x] for x = 1."""

shift_smoothing = -(h**2) * kappa_2 * shift_direction / 2
"""-h^2 kappa_2 v / 2 for x = 1."""

shift_regularisation = -2 * lambda_ * theta / density
"""-2 lambda J^{-1} theta for x = 1."""

order_shift = -2 * lambda_ * u_x - h**2 * kappa_2 * v_x / 2
"""Deterministic part of private minus optimal order quantity."""

order_rate = 1 / sqrt(n) + sigma / n
norm_threshold = lambda_min * t / 2
"""|b| / sigma has to exceed this for the minimiser to move by t sigma / n."""

norm_tail = 2 * exp(-(lambda_min**2) * t**2 / (8 * d))
quantile_is_first = all_of(mass_below <= r, mass_up_to >= r)
curvature_is_positive = lambda_min > 0


def densities_are_lipschitz(m: Numbers, l_1: Real, third_moment: Real) -> Truth:
    return m.all(m.lt(l_1, m.inf), m.lt(third_moment, m.inf))


def means_are_finite(m: Numbers, mean_size: Real) -> Truth:
    return m.lt(mean_size, m.inf)


curvature_lasts = curvature_near >= lambda_min / 2
minimiser_is_inside = margin > 0


POSITIVE_DEFINITE = Predicate(
    "J is positive definite",
    curvature_is_positive,
    accepts={"lambda_min": "0.1"},
    rejects={"lambda_min": "0"},
)
QUANTILE_OF_ERROR = Predicate(
    "q is an r-quantile of the error",
    quantile_is_first,
    accepts={"mass_below": "0.4", "mass_up_to": "0.7", "r": "0.5"},
    rejects={"mass_below": "0.6", "mass_up_to": "0.7", "r": "0.5"},
)
UNIFORMLY_LIPSCHITZ = Predicate(
    "the densities given x have one Lipschitz constant, and E|x|^3 is finite",
    densities_are_lipschitz,
    accepts={"l_1": "1", "third_moment": "1"},
    rejects={"l_1": "inf", "third_moment": "1"},
)
QUANTILES = (
    R,
    Parameter("intercept_true", "first coordinate of theta_true", reals, "decision"),
    Parameter("quantile", "q, the error's r-quantile", reals, "outcome"),
    Parameter("mass_below", "Pr[e < q]", closed_unit),
    Parameter("mass_up_to", "Pr[e <= q] = F(q)", closed_unit),
)
MINIMISERS = (
    LAMBDA,
    H,
    KAPPA_2,
    DENSITY,
    SLOPE,
    THETA.means("theta_h, in one dimension with x = 1"),
    SMALLEST_EIGENVALUE,
)
SHIFTS: dict[str, Callable[..., Real]] = {
    "shift_direction": shift_direction,
    "shift_smoothing": shift_smoothing,
    "shift_regularisation": shift_regularisation,
}
EXPANSIONS = (
    Relation("theta_h - theta*", "~", "shift_smoothing, up to o(h^2)"),
    Relation("theta_h^# - theta_h", "~", "shift_regularisation, up to o(lambda) + o(h^2)"),
    Relation("theta_h^OP", "=", "theta_h^#"),
)
SHIFTED = (
    N,
    D,
    LAMBDA,
    H,
    KAPPA_2,
    NOISE,
    SMALLEST_EIGENVALUE,
    Parameter("t", "multiple of sigma / n", positive, "decision^2/loss"),
    Parameter("u_x", "u'x", reals),
    Parameter("v_x", "v'x", reals),
)
ORDERS: dict[str, Callable[..., Real]] = {
    "order_shift": order_shift,
    "order_rate": order_rate,
    "norm_threshold": norm_threshold,
    "norm_tail": norm_tail,
}
DEVIATIONS = (
    Relation(
        "private minus optimal order quantity minus order_shift",
        "<=O",
        "order_rate (in probability), up to o(lambda) + o(h^2)",
    ),
    Relation("Pr[|z| >= norm_threshold] for z from N(0, I_d)", "<=", "norm_tail", step=True),
    Relation("Pr[population minimiser moves by >= t sigma / n]", "<=", "norm_tail", step=True),
)
LAWS = ("distributions with x_1 = 1, E x_i = 0 for i > 1 and error densities differentiable at 0", "symmetric kernels")
COMPACT = ("distributions as in the expansion of the minimisers", "compact feature and decision sets")

claims = [
    Claim(
        id="newsvendor/lem-EC.8",
        title="risk minimiser under exogenous errors",
        kind=Kind.IDENTITY,
        source=NEWSVENDOR.at("Lemma EC.8"),
        says="Let y = <theta_true, x> + e with e independent of x, first feature 1, and q the least number with F(q) >= r, F "
        "the distribution function of e. The population risk of the check loss is differentiable at every theta; its minimiser "
        "is theta* = theta_true + (q, 0, ..., 0); and the new error y - <theta*, x> has, for every x, conditional distribution "
        "function r at 0 if F is continuous at q (part 1), and at least r at 0 if not (part 2).",
        parameters=QUANTILES,
        formulas={"intercept": intercept, "slope_right": slope_right, "slope_left": slope_left},
        asserts=(
            Relation("population risk", "is", "differentiable at every theta"),
            Relation("first coordinate of the minimiser", "=", "intercept"),
            Relation("other coordinates of the minimiser", "=", "those of theta_true"),
            Relation("Pr[new error <= 0 | x]", "=", "r (part 1)"),
            Relation("Pr[new error <= 0 | x]", ">=", "r (part 2)"),
            Relation("slope_right", ">=", "0"),
            Relation("slope_left", "<", "0 (part 2)"),
        ),
        preconditions=(QUANTILE_OF_ERROR,),
        over=("distributions of features and errors",),
        note="The scan prints true and optimal coefficients with one symbol; the context tells them apart. Differentiability "
        "fails where e has atoms (e = 0 surely: a kink), which part 2 admits. arg min is read as a minimiser: one of several "
        "if F is flat at level r or E[x x'] is singular. In part 2 the left derivative may be 0 (F reaching r from below at "
        "an atom).",
    ),
    Claim(
        id="newsvendor/lem-EC.9",
        title="bias of the population minimisers",
        kind=Kind.ASYMPTOTIC,
        source=NEWSVENDOR.at("Lemma EC.9", "displays (EC.52) to (EC.56)"),
        says="Let theta*, theta_h, theta_h^# and theta_h^OP minimise the population risk, the smoothed one, the smoothed one "
        "with lambda |theta|^2, and that with the random term <b, theta> / n in expectation over b too. With J = E[f(0 | x) x "
        "x'] positive definite, lambda = o(1) and h = o(1): theta_h - theta* = -h^2 kappa_2 v / 2 + o(h^2), v = J^{-1} E[f'(0 "
        "| x) x]; theta_h^# - theta_h = -2 lambda J^{-1} theta_h + o(lambda) + o(h^2); theta_h^OP = theta_h^#.",
        parameters=MINIMISERS,
        formulas=SHIFTS,
        asserts=EXPANSIONS,
        preconditions=(POSITIVE_DEFINITE,),
        over=LAWS,
        provenance=Provenance.REBUILT,
        note="Rebuilt as to Assumption 2, which is not at hand. Formulas are the one-dimensional case x = 1, where J = f(0). "
        "The assumption is read as standardised x, error density given x differentiable at 0, J and E[x x'] positive definite. "
        "Differentiability at 0 alone allows the expansions under the kernel's integral only for light tails; an error of "
        "order h^2 is written o(h) on the way.",
    ),
    Claim(
        id="newsvendor/prop-2",
        title="bias of the private order quantity",
        kind=Kind.ASYMPTOTIC,
        source=NEWSVENDOR.at("Proposition 2", "proof in EC.4.2", "displays (EC.57) and (EC.58)"),
        says="The private order quantity of objective perturbation at x is <theta*, x> - 2 lambda u'x - h^2 kappa_2 v'x / 2 + "
        "O_p(1/sqrt(n) + sigma/n), u = J^{-1} theta*, v = J^{-1} E[f'(0 | x) x], up to o(lambda) + o(h^2). On the way: for "
        "fixed b the empirical minimiser is within O_p(1/sqrt(n)) of the population minimiser with b, and that one is farther "
        "than t sigma / n from the one without b with probability at most Pr[|b| / sigma >= lambda_min t / 2] <= "
        "2 exp(-lambda_min^2 t^2 / (8 d)), for every t > 0, lambda_min the smallest eigenvalue of J.",
        uses=("newsvendor/lem-EC.9",),
        parameters=SHIFTED,
        formulas=ORDERS,
        asserts=DEVIATIONS,
        preconditions=(POSITIVE_DEFINITE,),
        over=COMPACT,
        provenance=Provenance.REBUILT,
        note="Rebuilt. The chosen lambda is itself of order 1/sqrt(n) + sigma sqrt(d)/n, so that the shift is no larger than "
        "the remainder. The last relation is not a bound for all n and t: it uses the quadratic expansion at distance t sigma "
        "/ n, fails where that is not small or lambda |delta|^2 and o(.) matter, and the constant depends on d.",
    ),
    Claim(
        id="newsvendor/lem-EC.8-amended",
        amends="newsvendor/lem-EC.8",
        kind=Kind.IDENTITY,
        source=NEWSVENDOR.at("Lemma EC.8"),
        says="The same for E|x| and E|e| finite, with: the risk is convex, and differentiable where no outcome lies on the fit "
        "value with positive probability; theta_true + (q, 0, ..., 0) is one of the minimisers, and the only one if F(q + t) "
        "> r for t > 0 and E[x x'] is positive definite; the left slope at it is at most 0.",
        parameters=(*QUANTILES, MEAN_SIZE),
        formulas={"intercept": intercept, "slope_right": slope_right, "slope_left": slope_left},
        asserts=(
            Relation("population risk", "is", "differentiable at every theta with Pr[y = <theta, x>] = 0"),
            Relation("first coordinate of a minimiser", "=", "intercept"),
            Relation("other coordinates of that minimiser", "=", "those of theta_true"),
            Relation("that minimiser", "is", "the only one if F(q + t) > r for t > 0 and E[x x'] is positive definite"),
            Relation("Pr[new error <= 0 | x]", "=", "r (part 1)"),
            Relation("Pr[new error <= 0 | x]", ">=", "r (part 2)"),
            Relation("slope_right", ">=", "0"),
            Relation("slope_left", "<=", "0"),
        ),
        preconditions=(
            QUANTILE_OF_ERROR,
            Predicate("E|x| and E|e| are finite", means_are_finite, accepts={"mean_size": "1"}, rejects={"mean_size": "inf"}),
        ),
        over=("distributions of features and errors",),
    ),
    Claim(
        id="newsvendor/lem-EC.9-amended",
        amends="newsvendor/lem-EC.9",
        kind=Kind.ASYMPTOTIC,
        source=NEWSVENDOR.at("Lemma EC.9", "displays (EC.52) to (EC.56)"),
        says="The same for densities given x that have one Lipschitz constant, and E|x|^3 finite.",
        parameters=(*MINIMISERS, LIPSCHITZ, THIRD_MOMENT),
        formulas=SHIFTS,
        asserts=EXPANSIONS,
        preconditions=(POSITIVE_DEFINITE, UNIFORMLY_LIPSCHITZ),
        over=LAWS,
    ),
    Claim(
        id="newsvendor/prop-2-amended",
        amends="newsvendor/prop-2",
        kind=Kind.ASYMPTOTIC,
        source=NEWSVENDOR.at("Proposition 2", "proof in EC.4.2", "displays (EC.57) and (EC.58)"),
        says="The same where the densities given x have one Lipschitz constant, theta* is interior to the decision set and the "
        "regularised smoothed risk keeps half of the curvature lambda_min within t sigma / n of its minimiser.",
        parameters=(*SHIFTED, LIPSCHITZ, THIRD_MOMENT, NEAR, MARGIN),
        formulas=ORDERS,
        asserts=DEVIATIONS,
        preconditions=(
            POSITIVE_DEFINITE,
            UNIFORMLY_LIPSCHITZ,
            Predicate(
                "half of the curvature lasts",
                curvature_lasts,
                accepts={"curvature_near": "0.5", "lambda_min": "1"},
                rejects={"curvature_near": "0.4", "lambda_min": "1"},
            ),
            Predicate("theta* is interior", minimiser_is_inside, accepts={"margin": "1"}, rejects={"margin": "0"}),
        ),
        over=COMPACT,
    ),
]
