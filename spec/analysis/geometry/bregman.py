"""Bregman divergences: sums that are smooth and strongly convex relative to a potential, and the three-point property.

D_Phi(x, z) = Phi(x) - Phi(z) - <grad Phi(z), x - z>.
"""

from dpsco.spec.analysis.geometry.regularity import ALPHA
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import Parameter, nonnegative, reals
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA
from dpsco.spec.predicate import Predicate


def divergence_sum(m: Numbers, divergence_f: Real, alpha: Real, divergence_phi: Real) -> Real:
    """Bregman divergence of f + alpha Phi."""
    return divergence_f + alpha * divergence_phi


def relative_smoothness(m: Numbers, alpha: Real, beta: Real, divergence_phi: Real) -> Real:
    return (alpha + beta) * divergence_phi


def relative_convexity(m: Numbers, alpha: Real, divergence_phi: Real) -> Real:
    return alpha * divergence_phi


def f_is_smooth_and_convex(m: Numbers, divergence_f: Real, beta: Real, distance: Real) -> Truth:
    return m.all(m.ge(divergence_f, m.real(0)), m.le(divergence_f, beta / 2 * distance**2))


def potential_is_strongly_convex(m: Numbers, divergence_phi: Real, distance: Real) -> Truth:
    return m.ge(divergence_phi, distance**2 / 2)


def three_point_left(m: Numbers, value_x: Real, divergence_x_z: Real) -> Real:
    return value_x + divergence_x_z


def three_point_right(m: Numbers, value_star: Real, divergence_star_z: Real, divergence_x_star: Real) -> Real:
    return value_star + divergence_star_z + divergence_x_star


def divergences_are_bregman(
    m: Numbers, divergence_x_z: Real, divergence_star_z: Real, divergence_x_star: Real, gradient_gap: Real
) -> Truth:
    return m.eq(divergence_x_z, divergence_star_z + divergence_x_star + gradient_gap)


def star_is_optimal(m: Numbers, slope: Real, gradient_gap: Real) -> Truth:
    return m.ge(slope + gradient_gap, m.real(0))


def value_is_convex(m: Numbers, value_x: Real, value_star: Real, slope: Real) -> Truth:
    return m.ge(value_x, value_star + slope)


DIVERGENCE_PHI = Parameter("divergence_phi", "D_Phi(x, y)", nonnegative, "decision^2")

claims = [
    Claim(
        id="lp/lem-11",
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
