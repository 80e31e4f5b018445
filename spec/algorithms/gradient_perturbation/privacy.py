"""Noise scales that are claimed to make gradient perturbation private.

Each of `T` steps answers the full empirical gradient, whose l2-sensitivity is 2 L / n under replacement of a record, with
N(0, sigma^2 I). Exact accounting is that of the composed Gaussian mechanism with mu = sqrt(T) (2 L / n) / sigma.
"""

from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.conditions import gradients_are_bounded
from dpsco.spec.domain import Parameter, nonnegative, open_unit, positive
from dpsco.spec.expressions import E, Phi, exp, expm1, log, sqrt, symbols
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import DELTA, EPSILON, SIGMA, L, N, T
from dpsco.spec.predicate import Predicate

delta, delta_0, epsilon, epsilon_0, n, sigma = symbols("delta delta_0 epsilon epsilon_0 n sigma")


sensitivity = 2 * L / n
"""Bound on the l2-distance of the empirical gradients of two data sets that differ in one record."""

sigma_moments = sqrt(2 * sensitivity**2 * T * log(1 / delta)) / epsilon
"""The scale of the theorem, credited to the moments accountant."""

sigma_advanced = sqrt(64 * T * L**2 * log(E("5/2") * T / delta) * log(2 / delta)) / (n * epsilon)
"""The scale from advanced composition of T Gaussian mechanisms."""

sigma_step = sqrt(2 * L**2 * log(E("5/4") / delta_0)) / (n * epsilon_0)
"""The scale printed for one step to be (epsilon_0, delta_0)-DP."""

epsilon_step = epsilon / (2 * sqrt(2 * T * log(2 / delta)))
delta_step = delta / (2 * T)

_mu = sqrt(T) * sensitivity / sigma
delta_gaussian_dp = Phi(-epsilon / _mu + _mu / 2) - exp(epsilon) * Phi(-epsilon / _mu - _mu / 2)
"""The delta(sigma, epsilon) of the proof: T Gaussian answers of sensitivity 2 L / n, composed exactly."""

_b = sqrt(2 * log(1 / delta))
sigma_amended = sensitivity * sqrt(T) * (_b + sqrt(_b**2 + 2 * epsilon)) / (2 * epsilon)
"""sigma_moments with sqrt(2 ln(1/delta)) replaced by its mean with sqrt(2 ln(1/delta) + 2 epsilon)."""

sigma_step_amended = sqrt(8 * L**2 * log(E("5/4") / delta_0)) / (n * epsilon_0)
composition_fits = T * epsilon_step * expm1(epsilon_step) <= epsilon / 2
"""The second term of advanced composition is at most epsilon / 2, as the first is exactly."""

one_step_is_below_one = epsilon_step < 1


LARGEST_GRADIENT = Parameter("largest_gradient_norm", "largest l2-norm of a record's gradient", nonnegative, "loss/decision")
BOUNDED = Predicate(
    "every record's gradient has norm at most L",
    gradients_are_bounded,
    accepts={"largest_gradient_norm": "1", "L": "1.5"},
    rejects={"largest_gradient_norm": "2", "L": "1.5"},
)

claims = [
    Claim(
        id="newsvendor/thm-3",
        title="privacy of gradient perturbation",
        kind=Kind.PRIVACY,
        source=NEWSVENDOR.at("Theorem 3", "proof in EC.1.5", "display (EC.20)", "Figure EC.2"),
        says="T steps of gradient descent on the smoothed empirical risk, each with fresh N(0, sigma^2 I) added to the full "
        "empirical gradient, are (epsilon, delta)-DP together, for every epsilon > 0 and delta in (0, 1), in each of these "
        "cases: (a) sigma^2 = 2 GS^2 T ln(1/delta) / epsilon^2, where GS = 2 L / n bounds the l2-sensitivity of the empirical "
        "gradient (the theorem's own choice; with T = n^2 it is 8 L^2 ln(1/delta) / epsilon^2); "
        "(b) sigma^2 = 64 T L^2 ln(2.5 T/delta) ln(2/delta) / (n^2 epsilon^2). "
        "The proof of (b) asserts that one step is (epsilon_0, delta_0)-DP with "
        "sigma^2 = 2 L^2 ln(1.25/delta_0) / (n^2 epsilon_0^2); that epsilon_0 = epsilon / (2 sqrt(2 T ln(2/delta))) and "
        "delta_0 = delta / (2 T) in every step suffice for (epsilon, delta) under advanced composition with slack delta / 2; "
        "and that (b) is what the substitution gives. "
        "Exact accounting of the composed Gaussian mechanism gives delta(sigma, epsilon) = "
        "Phi(-epsilon/mu + mu/2) - e^epsilon Phi(-epsilon/mu - mu/2) with mu = sqrt(T) GS / sigma, and the least sigma with "
        "delta(sigma, epsilon) <= delta is said to be much smaller than (a).",
        uses=("newsvendor/alg-GP", "newsvendor/lem-EC.3"),
        parameters=(
            EPSILON,
            DELTA,
            N,
            T,
            L.means("bound on the l2-norm of the smoothed loss's gradient, r_bar B_x"),
            SIGMA.means("standard deviation of the noise in every coordinate of every step"),
            Parameter("epsilon_0", "epsilon of one step", positive, "nat"),
            Parameter("delta_0", "delta of one step", open_unit),
            LARGEST_GRADIENT,
        ),
        formulas={
            "sensitivity": sensitivity,
            "sigma_moments": sigma_moments,
            "sigma_advanced": sigma_advanced,
            "sigma_step": sigma_step,
            "epsilon_step": epsilon_step,
            "delta_step": delta_step,
            "delta_gaussian_dp": delta_gaussian_dp,
        },
        asserts=(
            Relation("T gradients with N(0, sigma_moments^2 I) each", "is", "(epsilon, delta)-DP"),
            Relation("T gradients with N(0, sigma_advanced^2 I) each", "is", "(epsilon, delta)-DP"),
            Relation("one gradient with N(0, sigma_step^2 I)", "is", "(epsilon_0, delta_0)-DP", step=True),
            Relation("T adaptive (epsilon_step, delta_step)-DP mechanisms", "is", "(epsilon, delta)-DP", step=True),
            Relation("sigma_step at epsilon_0 = epsilon_step, delta_0 = delta_step", "=", "sigma_advanced", step=True),
            Relation("least sigma with delta_gaussian_dp <= delta", "<", "sigma_moments"),
        ),
        preconditions=(BOUNDED,),
        over=("data sets", "convex, L-Lipschitz, smooth losses", "step lengths and bandwidths that do not depend on the data"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the average of the iterates; the argument covers the transcript of all T noisy gradients",
        provenance=Provenance.REBUILT,
        note="Rebuilt from the proof; a range of epsilon is not at hand, none is printed in the proof. "
        "Displays are of sigma^2; the formulas here are sigma. "
        "sigma_step lacks the factor 4 that GS = 2 L / n brings: substitution gives 16, not the printed 64, so the per-step "
        "line is a misprint of sqrt(8 L^2 ln(1.25/delta_0)) / (n epsilon_0). As printed it is half of what the cited theorem "
        "needs. epsilon_step: advanced composition leaves epsilon / 2 + T epsilon_0 (e^epsilon_0 - 1) <= epsilon, which fails "
        "once epsilon exceeds about 4 ln(2/delta). The cited Gaussian mechanism asks epsilon_0 < 1. "
        "sigma_moments: the cited theorem hides a constant and restricts epsilon to at most c_1 T at sampling rate 1; exact "
        "accounting gives delta(sigma_moments, epsilon) with mu = epsilon / sqrt(2 ln(1/delta)), which exceeds delta when "
        "epsilon is large against ln(1/delta) or delta is near 1; there the least sigma also exceeds (a), against the last "
        "assertion. If only T - 1 noisy gradients enter the average of T iterates, mu is smaller by sqrt((T - 1)/T).",
    ),
    Claim(
        id="newsvendor/thm-3-amended",
        amends="newsvendor/thm-3",
        kind=Kind.PRIVACY,
        source=NEWSVENDOR.at("Theorem 3", "proof in EC.1.5"),
        says="The theorem's own scale (a) alone: with b = sqrt(2 ln(1/delta)), T noisy full gradients of scale GS sqrt(T) "
        "(b + sqrt(b^2 + 2 epsilon)) / (2 epsilon), which tends to the printed scale (a) as epsilon -> 0, are (epsilon, "
        "delta)-DP together, for every epsilon > 0.",
        parameters=(
            *(EPSILON, DELTA, N, T, LARGEST_GRADIENT),
            L.means("bound on the l2-norm of the smoothed loss's gradient, r_bar B_x"),
        ),
        preconditions=(BOUNDED,),
        formulas={"sensitivity": sensitivity, "sigma_moments": sigma_amended},
        asserts=(Relation("T gradients with N(0, sigma_moments^2 I) each", "is", "(epsilon, delta)-DP"),),
        over=("data sets", "convex, L-Lipschitz, smooth losses", "step lengths and bandwidths that do not depend on the data"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the transcript of all T noisy gradients, and so the average of the iterates",
        provenance=Provenance.REBUILT,
        note="Amends the theorem's own choice (a).",
    ),
    Claim(
        id="newsvendor/thm-3-amended-composition",
        amends="newsvendor/thm-3",
        kind=Kind.PRIVACY,
        source=NEWSVENDOR.at("proof in EC.1.5"),
        says="Scale (b) alone, with the steps that lead to it: with 8 L^2 for 2 L^2 in the per-step line, for every "
        "epsilon_0 < 1, and where the stated epsilon_0 is below 1 and T epsilon_0 (e^epsilon_0 - 1) <= "
        "epsilon / 2, each step is (epsilon_0, delta_0)-DP, the T steps together are (epsilon, delta)-DP, "
        "and the scale is (b).",
        parameters=(
            EPSILON,
            DELTA,
            N,
            T,
            L.means("bound on the l2-norm of the smoothed loss's gradient, r_bar B_x"),
            Parameter("epsilon_0", "epsilon of one step", open_unit, "nat"),
            Parameter("delta_0", "delta of one step", open_unit),
            LARGEST_GRADIENT,
        ),
        formulas={
            "sensitivity": sensitivity,
            "sigma_advanced": sigma_advanced,
            "sigma_step": sigma_step_amended,
            "epsilon_step": epsilon_step,
            "delta_step": delta_step,
        },
        asserts=(
            Relation("one gradient with N(0, sigma_step^2 I)", "is", "(epsilon_0, delta_0)-DP"),
            Relation("T adaptive (epsilon_step, delta_step)-DP mechanisms", "is", "(epsilon, delta)-DP"),
            Relation("sigma_step at epsilon_0 = epsilon_step, delta_0 = delta_step", "=", "sigma_advanced"),
        ),
        preconditions=(
            BOUNDED,
            Predicate(
                "T epsilon_0 (e^epsilon_0 - 1) <= epsilon / 2 at the stated epsilon_0",
                composition_fits,
                accepts={"T": 100, "epsilon": "1", "delta": "1e-5"},
                rejects={"T": 100, "epsilon": "100", "delta": "1e-5"},
            ),
            Predicate(
                "the stated epsilon_0 is below 1",
                one_step_is_below_one,
                accepts={"T": 100, "epsilon": "1", "delta": "1e-5"},
                rejects={"T": 1, "epsilon": "20", "delta": "1e-5"},
            ),
        ),
        over=("data sets", "convex, L-Lipschitz, smooth losses", "step lengths and bandwidths that do not depend on the data"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the transcript of all T noisy gradients",
        provenance=Provenance.REBUILT,
        note="Amends the links that lead to scale (b).",
    ),
]
