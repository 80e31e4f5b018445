"""Privacy of sampling from strongly log-concave densities, by comparison with two Gaussians."""

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Parameter, closed_unit, naturals, nonnegative, positive
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import EPSILON
from dpsco.spec.predicate import Predicate


def gaussian_shift(m: Numbers, G: Real, mu: Real) -> Real:
    return G / m.sqrt(mu)


def gaussian_curve(m: Numbers, epsilon: Real, G: Real, mu: Real) -> Real:
    """delta(N(0, 1) || N(G/sqrt(mu), 1))(epsilon), in the direction of the paper's definition; both directions agree."""
    shift = gaussian_shift(m, G, mu)
    return m.Phi(shift / 2 - epsilon / shift) - m.exp(epsilon) * m.Phi(-shift / 2 - epsilon / shift)


def difference_is_lipschitz(m: Numbers, slope_difference: Real, G: Real) -> Truth:
    return m.le(slope_difference, G)


def first_is_strongly_convex(m: Numbers, modulus_1: Real, mu: Real) -> Truth:
    return m.ge(modulus_1, mu)


def second_is_strongly_convex(m: Numbers, modulus_2: Real, mu: Real) -> Truth:
    return m.ge(modulus_2, mu)


claims = [
    Claim(
        id="bilevel/thm-B.4",
        kind=Kind.PRIVACY,
        unproved=True,
        source=BILEVEL.at("Definition B.3", "Theorem B.4"),
        says="Let K be a convex set of R^d, F and F~ mu-strongly convex on K, F~ - F G-Lipschitz on K, P with density "
        "proportional to exp(-F) on K and Q with density proportional to exp(-F~). Then for every epsilon >= 0 the privacy "
        "curve delta(P || Q)(epsilon) is at most that of N(0, 1) against N(G/sqrt(mu), 1).",
        parameters=(
            EPSILON.within(nonnegative),
            Parameter("d", "dimension", naturals),
            Parameter("G", "Lipschitz constant of F~ - F on K", positive, "nat/length"),
            Parameter("mu", "strong convexity constant of F and F~", positive, "nat/length^2"),
            Parameter("slope_difference", "largest difference quotient of F~ - F on K", nonnegative, "nat/length"),
            Parameter("modulus_1", "largest modulus of strong convexity of F", nonnegative, "nat/length^2"),
            Parameter("modulus_2", "largest modulus of strong convexity of F~", nonnegative, "nat/length^2"),
            Parameter("curve", "delta(P || Q)(epsilon)", closed_unit),
        ),
        formulas={"shift": gaussian_shift, "bound": gaussian_curve},
        asserts=(Relation("curve", "<=", "bound"),),
        preconditions=(
            Predicate(
                "F~ - F is G-Lipschitz on K",
                difference_is_lipschitz,
                accepts={"slope_difference": "1", "G": "1"},
                rejects={"slope_difference": "1.01", "G": "1"},
            ),
            Predicate(
                "F is mu-strongly convex on K",
                first_is_strongly_convex,
                accepts={"modulus_1": "2", "mu": "2"},
                rejects={"modulus_1": "1.99", "mu": "2"},
            ),
            Predicate(
                "F~ is mu-strongly convex on K",
                second_is_strongly_convex,
                accepts={"modulus_2": "2", "mu": "2"},
                rejects={"modulus_2": "1.99", "mu": "2"},
            ),
        ),
        over=("all convex K in R^d, every d", "all such F and F~"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="one sample from P (data Z) or Q (a neighbour)",
        note="As printed the inequality is quantified over z in [0, 1], which does not occur in it (left over from the "
        "trade-off form) and epsilon is free; read as all epsilon >= 0. Tight: F = mu |x|^2/2 and a linear F~ - F. The "
        "definition takes the supremum of P(Y in S) - e^epsilon P(X in S), against the usual direction; P and Q enter "
        "symmetrically, so both directions are claimed.",
    ),
]
