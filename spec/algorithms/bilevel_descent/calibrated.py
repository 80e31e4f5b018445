"""Private bilevel descent with constants that hold: outputs from the start on, a public number of steps, warm start.

One factor w takes the place of sqrt(ln(1/delta)), so that privacy and utility hold together at every epsilon.
"""

from dpsco.spec.algorithms.bilevel_descent.algorithm import (
    ALPHA_INNER,
    BETA_PHI,
    C_APPROX,
    GAP_BOUND,
    K_SENS,
    SMALL_ALPHA,
    calibrated_noise,
    query_sensitivity,
)
from dpsco.spec.algorithms.bilevel_descent.utility import (
    BIAS,
    BIAS_BOUNDED,
    FULL_BIAS,
    MEAN,
    MEAN_SQUARE,
    NOISE_BOUNDED,
    NOISE_LEVEL,
    ROOT_NOISE,
    RUN,
    SHORT,
    averaged_bound,
    step_length,
)
from dpsco.spec.algorithms.bilevel_descent.warm_start import (
    PSI,
    approximate_minimum,
    epsilon_of_each_stage,
)
from dpsco.spec.algorithms.exponential_sampling.calibrated import POSITIVE_SCALE, SCALE, score_scale
from dpsco.spec.algorithms.exponential_sampling.nonconvex import gibbs_excess
from dpsco.spec.algorithms.exponential_sampling.stationarity import BOUNDED, stationarity_bound
from dpsco.spec.algorithms.exponential_sampling.utility import outer_scale
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Parameter, nonnegative, positive, reals
from dpsco.spec.expressions import ceil, log, minimum, sqrt, symbols
from dpsco.spec.losses.bilevel.assumptions import D_X, D_X_DIM, D_Y, PROBLEMS
from dpsco.spec.losses.bilevel.hypergradient import ASSUMED, HOLDS, gradient_bound, smoothness
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import DELTA, EPSILON, ETA, N, T
from dpsco.spec.predicate import Predicate

C, D_x, K, L_bar, Psi, beta_Phi, by_descent = symbols("C D_x K L_bar Psi beta_Phi by_descent")
by_sampling, by_warm_start, d_x, delta, epsilon = symbols("by_sampling by_warm_start d_x delta epsilon")
gap, gap_bound, gap_inside, n, objective, s = symbols("gap gap_bound gap_inside n objective s")


_b = sqrt(2 * log(1 / delta))
noise_factor = (_b + sqrt(_b**2 + 2 * epsilon)) / 2
"""w: its square, at most 2 ln(1/delta) + epsilon, takes the place of ln(1/delta)."""

calibrated_target = K * sqrt(gap_bound * beta_Phi) * sqrt(d_x) * noise_factor / (epsilon * n)
"""The bracket of the rate at a bound on the gap, w in the place of sqrt(ln(1/delta))."""

calibrated_inner_error = minimum(K / (n * C), sqrt(calibrated_target) / C)
calibrated_steps = ceil(n * epsilon * sqrt(beta_Phi * gap_bound) / (K * sqrt(d_x) * noise_factor))
"""At least 1, for the bound on the gap is positive."""

calibrated_bound = sqrt(21 * calibrated_target)
"""4 targets from the gap, 1 from the bias, 16 from the noise."""

half = epsilon_of_each_stage
second_noise = calibrated_noise.where({"epsilon": half})
second_inner_error = calibrated_inner_error.where({"epsilon": half})
second_steps = calibrated_steps.where({"epsilon": half})
second_bound = calibrated_bound.where({"epsilon": half})
first_log_weight = -half / (2 * s) * objective
"""Of the density that x_0 is drawn from."""

_k = half / (2 * s)
start_gap_bound = approximate_minimum.where({"d": d_x}) + gibbs_excess.where({"k": _k, "slope": L_bar})
"""Of the mean gap at x_0: what X lacks, and the excess of the first stage over the least on X."""

fixed_start_gap = L_bar * D_x
"""Of the gap at a fixed point of a set that holds a minimiser."""

fixed_start_bound = calibrated_bound.where({"gap_bound": fixed_start_gap})
warm_start_bound = second_bound.where({"gap_bound": start_gap_bound})
least_bound = minimum(by_descent, by_warm_start, by_sampling, L_bar)
gap_is_bounded = gap <= gap_bound
near_minimiser_is_inside = gap_inside * epsilon * n <= Psi * d_x
minimiser_is_inside = gap_inside <= 0


GAP_BOUNDED = Predicate(
    "the gap is at most its public bound",
    gap_is_bounded,
    accepts={"gap": "0", "gap_bound": "0.5"},
    rejects={"gap": "0.6", "gap_bound": "0.5"},
)
NEAR_MINIMISER = Predicate(
    "X holds a point within Psi d_x/(epsilon n) of the infimum",
    near_minimiser_is_inside,
    accepts={"gap_inside": "0.5", "Psi": "4", "d_x": 2, "epsilon": "0.5", "n": 20},
    rejects={"gap_inside": "0.9", "Psi": "4", "d_x": 2, "epsilon": "0.5", "n": 20},
)
INSIDE = Predicate(
    "X holds a minimiser of Phi_Z over R^{d_x}",
    minimiser_is_inside,
    accepts={"gap_inside": "0"},
    rejects={"gap_inside": "0.1"},
)
FROM_START = "output uniform among x_0, ..., x_{T-1} in the place of x_1, ..., x_T"
GAP_INSIDE = Parameter("gap_inside", "min of Phi_Z over X, less its infimum over R^{d_x}", nonnegative, "loss")
L_BAR = Parameter("L_bar", "L_fx + beta_gxy L_fy/mu_g", nonnegative, "loss/decision")
WARM = (EPSILON, DELTA, N, D_X_DIM, *ASSUMED, D_X.within(positive), D_Y, K_SENS, BETA_PHI, PSI, SCALE, L_BAR, GAP_INSIDE, MEAN)
OBJECTIVE = Parameter("objective", "Phi_Z(x)", reals, "loss")
BY_DESCENT = Parameter("by_descent", "the first bound: descent", nonnegative, "loss/decision")
BY_WARM_START = Parameter("by_warm_start", "the second bound: warm_start", nonnegative, "loss/decision")
BY_SAMPLING = Parameter("by_sampling", "the third bound: sampling", nonnegative, "loss/decision")
TRANSCRIPT = "the output iterate; by the proof all T noisy steps"

claims = [
    Claim(
        id="bilevel/thm-4.2-amended",
        amends="bilevel/thm-4.2",
        kind=Kind.UTILITY,
        source=BILEVEL.at("Theorem 4.2", "Theorem C.3", "(23)"),
        says="Algorithm 1 returns one of x_0, ..., x_{T-1} (not x_1, ..., x_T), the set that its proof sums over. With E "
        "|b_t|^2 <= B^2 and noise power at most Sigma^2 its E |grad Phi_Z|^2 is at most 2 gap/(eta T) + B^2 + eta beta_Phi "
        "Sigma^2. With a bound on the gap that is fixed without the data, w = (b + sqrt(b^2 + 2 epsilon))/2, b = sqrt(2 "
        "ln(1/delta)), sigma = 4 K sqrt(T) w/(n epsilon), target = K sqrt(gap_bound beta_Phi) sqrt(d_x) w/(epsilon n), alpha = "
        "min(K/(n C), sqrt(target)/C), eta = 1/(2 beta_Phi) and T the ceiling of n epsilon sqrt(beta_Phi gap_bound)/(K "
        "sqrt(d_x) w): it is (epsilon, delta)-DP and E |grad Phi_Z| is at most sqrt(21 target).",
        parameters=(*RUN, T, ETA, BIAS, NOISE_LEVEL, GAP_BOUND, ALPHA_INNER, FULL_BIAS, ROOT_NOISE, MEAN_SQUARE, MEAN),
        formulas={
            "averaged_bound": averaged_bound,
            "sigma": calibrated_noise,
            "sensitivity": query_sensitivity,
            "alpha_chosen": calibrated_inner_error,
            "T_chosen": calibrated_steps,
            "eta_chosen": step_length,
            "beta_Phi_of_21": smoothness,
            "bound": calibrated_bound,
        },
        asserts=(
            Relation("Algorithm 1", "is", "(epsilon, delta)-DP"),
            Relation("mean_square", "<=", "averaged_bound"),
            Relation("mean_norm", "<=", "bound"),
        ),
        preconditions=(*HOLDS, SHORT, SMALL_ALPHA, GAP_BOUNDED, BIAS_BOUNDED, NOISE_BOUNDED),
        over=(PROBLEMS, "every x_0", FROM_START),
        adjacency=Adjacency.REPLACE_ONE,
        releases=TRANSCRIPT,
        note="The rate keeps its form. Where T = 1 the output is x_0, whose gradient the gap bounds; x_1 has the noise of a "
        "whole step. For epsilon at most a multiple of ln(1/delta), w^2 is one of ln(1/delta).",
    ),
    Claim(
        id="bilevel/thm-4.3-amended",
        amends="bilevel/thm-4.3",
        kind=Kind.UTILITY,
        source=BILEVEL.at("Theorem 4.3", "Theorem C.5"),
        says="On a compact convex X of diameter D_x that holds a point within Psi d_x/(epsilon n) of inf Phi_Z: x_0 drawn with "
        "density proportional to exp(-(epsilon/2) Phi_Z/(2s)), the s of the amended Theorem 3.2, then the amended Algorithm 1 "
        "from x_0 at (epsilon/2, delta) with gap_bound = Psi d_x/(epsilon n) + (d_x/k)(1 + ln max(1, k L_bar D_x/d_x)), k = "
        "epsilon/(4s): x_priv is (epsilon, delta)-DP and E |grad Phi_Z(x_priv)| at most sqrt(21 target), the target of the "
        "amended Theorem 4.2 at epsilon/2 and this gap_bound.",
        parameters=(*WARM, T, ETA, C_APPROX, ALPHA_INNER, GAP_BOUND, OBJECTIVE),
        formulas={
            "s": score_scale,
            "log_weight": first_log_weight,
            "Psi_defined": outer_scale,
            "L_bar_defined": gradient_bound,
            "gap_bound_chosen": start_gap_bound,
            "sigma": second_noise,
            "sensitivity": query_sensitivity,
            "alpha_chosen": second_inner_error,
            "T_chosen": second_steps,
            "eta_chosen": step_length,
            "bound": second_bound,
        },
        asserts=(Relation("x_priv", "is", "(epsilon, delta)-DP"), Relation("mean_norm", "<=", "bound")),
        preconditions=(*HOLDS, SMALL_ALPHA, POSITIVE_SCALE, NEAR_MINIMISER),
        over=(PROBLEMS, BOUNDED, FROM_START),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x_priv; by the proof x_0 and all noisy steps too",
        note="The mean of the gap at x_0 is all that the second stage asks for, so no event of failure is needed. A compact X "
        "that is not convex: its convex hull has the same diameter.",
    ),
    Claim(
        id="bilevel/eq-3-amended",
        amends="bilevel/eq-3",
        kind=Kind.RATE,
        source=BILEVEL.at("(3)", "Section C.3"),
        says="Let a known compact convex X of diameter D_x hold a minimiser of Phi_Z over R^{d_x}. Some (epsilon, delta)-DP "
        "algorithm has E |grad Phi_Z| at most the least of four bounds: the amended Theorem 4.2 from a fixed point of X with "
        "gap_bound = L_bar D_x; the amended Theorem 4.3; the amended sampler of Section C.3; and L_bar, for a fixed point.",
        parameters=(*WARM, BY_DESCENT, BY_WARM_START, BY_SAMPLING),
        formulas={
            "s": score_scale,
            "Psi_defined": outer_scale,
            "descent": fixed_start_bound,
            "warm_start": warm_start_bound,
            "sampling": stationarity_bound,
            "trivial": gradient_bound,
            "bound": least_bound,
        },
        asserts=(Relation("mean_norm", "<=", "bound"),),
        preconditions=(*HOLDS, POSITIVE_SCALE, INSIDE),
        over=(PROBLEMS, BOUNDED, "some (epsilon, delta)-DP algorithm, chosen by d_x, epsilon, delta, n and the constants"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the upper decision x",
        note="With the constants, D_x and delta fixed and epsilon at most a multiple of ln(1/delta) these are, up to "
        "logarithms, the four printed terms.",
    ),
]
