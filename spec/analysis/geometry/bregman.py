"""Bregman divergences: sums that are smooth and strongly convex relative to a potential, and the three-point property.

D_Phi(x, z) = Phi(x) - Phi(z) - <grad Phi(z), x - z>.
"""

from dpsco.spec.analysis.geometry.regularity import ALPHA
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Parameter, nonnegative, reals
from dpsco.spec.expressions import equal, symbols
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA
from dpsco.spec.predicate import Predicate

alpha, beta, distance, divergence_f = symbols("alpha beta distance divergence_f")
divergence_phi, divergence_star_z = symbols("divergence_phi divergence_star_z")
divergence_x_star, divergence_x_z, gradient_gap = symbols("divergence_x_star divergence_x_z gradient_gap")
slope, value_star, value_x = symbols("slope value_star value_x")


divergence_sum = divergence_f + alpha * divergence_phi
"""Bregman divergence of f + alpha Phi."""

relative_smoothness = (alpha + beta) * divergence_phi
relative_convexity = alpha * divergence_phi
f_is_smooth_and_convex = all_of(divergence_f >= 0, divergence_f <= beta / 2 * distance**2)
potential_is_strongly_convex = divergence_phi >= distance**2 / 2
three_point_left = value_x + divergence_x_z
three_point_right = value_star + divergence_star_z + divergence_x_star
divergences_are_bregman = equal(divergence_x_z, divergence_star_z + divergence_x_star + gradient_gap)
star_is_optimal = slope + gradient_gap >= 0
value_is_convex = value_x >= value_star + slope


DIVERGENCE_PHI = Parameter("divergence_phi", "D_Phi(x, y)", nonnegative, "decision^2")

claims = [
    Claim(
        id="lp/lem-11",
        title="relative smoothness and convexity after regularisation",
        kind=Kind.BOUND,
        unproved=True,
        source=LP.at("Lemma 11"),
        says="If f is convex and beta-smooth with respect to a norm, and Phi is 1-strongly convex with respect to it, then "
        "for alpha > 0 the sum f + alpha Phi is (alpha + beta)-smooth and alpha-strongly convex relative to Phi: alpha D_Phi "
        "<= D_{f + alpha Phi} <= (alpha + beta) D_Phi at all pairs of points.",
        parameters=(
            ALPHA,
            BETA,
            Parameter("divergence_f", "D_f(x, y)", nonnegative, "loss"),
            DIVERGENCE_PHI,
            Parameter("distance", "|x - y|", nonnegative, "decision"),
        ),
        symbols={"distance": r"\|x - y\|"},
        formulas={
            "divergence": divergence_sum,
            "relative_smoothness": relative_smoothness,
            "relative_convexity": relative_convexity,
        },
        asserts=(Relation("divergence", "<=", "relative_smoothness"), Relation("divergence", ">=", "relative_convexity")),
        preconditions=(
            Predicate(
                "f is convex and beta-smooth: 0 <= D_f <= beta/2 |x - y|^2",
                f_is_smooth_and_convex,
                accepts={"divergence_f": "1", "beta": "2", "distance": "2"},
                rejects={"divergence_f": "5", "beta": "2", "distance": "2"},
            ),
            Predicate(
                "Phi is 1-strongly convex: D_Phi >= |x - y|^2 / 2",
                potential_is_strongly_convex,
                accepts={"divergence_phi": "3", "distance": "2"},
                rejects={"divergence_phi": "1", "distance": "2"},
            ),
        ),
        over=("norms", "differentiable f and Phi", "pairs of points"),
        note="Cited from Attia and Koren 2022. The paper applies it to its own Phi, whose strong convexity is doubtful "
        "(lp/phi).",
    ),
    Claim(
        id="lp/lem-12",
        title="three-point property",
        kind=Kind.BOUND,
        unproved=True,
        source=LP.at("Lemma 12"),
        says="Let phi be convex, D_Phi a Bregman divergence, z given and z* a minimiser over x of phi(x) + D_Phi(x, z). Then "
        "phi(x) + D_Phi(x, z) >= phi(z*) + D_Phi(z*, z) + D_Phi(x, z*) for all x.",
        parameters=(
            Parameter("value_x", "phi(x)", reals),
            Parameter("value_star", "phi(z*)", reals),
            Parameter("divergence_x_z", "D_Phi(x, z)", nonnegative),
            Parameter("divergence_star_z", "D_Phi(z*, z)", nonnegative),
            Parameter("divergence_x_star", "D_Phi(x, z*)", nonnegative),
            Parameter("slope", "<phi'(z*), x - z*> for a subgradient of phi at z*", reals),
            Parameter("gradient_gap", "<grad Phi(z*) - grad Phi(z), x - z*>", reals),
        ),
        symbols={"slope": r"\langle \phi'(z^{*}), x - z^{*} \rangle"},
        formulas={"left": three_point_left, "right": three_point_right},
        asserts=(Relation("left", ">=", "right"),),
        preconditions=(
            Predicate(
                "phi is convex",
                value_is_convex,
                accepts={"value_x": "2", "value_star": "1", "slope": "0.5"},
                rejects={"value_x": "1", "value_star": "1", "slope": "0.5"},
            ),
            Predicate(
                "z* is optimal",
                star_is_optimal,
                accepts={"slope": "0.5", "gradient_gap": "-0.25"},
                rejects={"slope": "0.5", "gradient_gap": "-1"},
            ),
            Predicate(
                "the divergences belong to one Phi (three-point identity)",
                divergences_are_bregman,
                accepts={"divergence_x_z": "2", "divergence_star_z": "1", "divergence_x_star": "1.25", "gradient_gap": "-0.25"},
                rejects={"divergence_x_z": "2", "divergence_star_z": "1", "divergence_x_star": "2", "gradient_gap": "0"},
            ),
        ),
        over=("convex phi", "differentiable convex Phi", "points x, z"),
        note="Cited from Tseng 2008. Minimisation is over the whole space; over a convex set it holds for x in the set.",
    ),
]
