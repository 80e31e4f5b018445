"""Lower bounds for private means and strongly convex losses by the ball inside C: the lp paper's with the width mended.

The ball of radius C_min lies in C and has the width C_min sqrt(d), up to constants; in the place of G_C it needs no logarithm,
no upper limit on n, and ln(1/delta) is capped at d.
"""

from dpsco.spec.analysis.geometry.widths import C_MIN, C_NORM, WIDTH
from dpsco.spec.analysis.lower_bounds.gaussian_width import ALPHA, HARD_SET, samples_upper_rate
from dpsco.spec.analysis.lower_bounds.private_directions import (
    AT_MOST_ONE,
    HIGH_EXPONENT,
    SMALL_DELTA,
    UP_TO,
    capped_log,
)
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.expressions import E, maximum, minimum, sqrt, symbols
from dpsco.spec.papers import LP
from dpsco.spec.parameters import DELTA, EPSILON, D, N
from dpsco.spec.predicate import Predicate

C_min, C_norm, alpha, d, delta, epsilon, n = symbols("C_min C_norm alpha d delta epsilon n")


empirical_rate = C_min**2 * minimum(1, d * capped_log / (n**2 * epsilon**2))
population_rate = maximum(empirical_rate, 1 / n)
strong_convexity = C_min**2 / 2
samples_lower_rate = C_min * sqrt(d * capped_log) / (alpha * epsilon)
norm_is_one = all_of(C_norm <= 1, C_norm >= 1)
epsilon_at_most_half = epsilon <= E("1/2")
alpha_is_below_radius = 20 * alpha <= C_min


NORM_ONE = Predicate("|C|_2 = 1", norm_is_one, accepts={"C_norm": "1"}, rejects={"C_norm": "0.9"})
HALF = Predicate("epsilon <= 1/2", epsilon_at_most_half, accepts={"epsilon": "0.5"}, rejects={"epsilon": "0.51"})
BELOW_RADIUS = Predicate(
    "alpha <= C_min/20",
    alpha_is_below_radius,
    accepts={"alpha": "0.01", "C_min": "0.5"},
    rejects={"alpha": "0.03", "C_min": "0.5"},
)
IN_BALL = HARD_SET[0]
HALVED = "|theta - x|_2^2 / 4"

claims = [
    Claim(
        id="lp/thm-5-amended",
        amends="lp/thm-5",
        kind=Kind.LOWER,
        source=LP.at("Theorem 5", "proof of Theorem 5", "Theorems 11 and 12"),
        says="Let C be a symmetric convex body in the unit l2 ball with |C|_2 = 1 that holds the ball of radius C_min, epsilon "
        "<= 1 and delta <= (64 n)^-(1 + a). For the loss |theta - x|_2^2 / 4 and every (epsilon, delta)-DP algorithm on n "
        "records there is (chosen after it, not before) a distribution on C with an expected excess population risk of "
        "Omega(max(C_min^2 min(1, d min(d, ln(1/delta)) / (n epsilon)^2), 1/n)).",
        parameters=(D, EPSILON, DELTA, N, C_MIN, C_NORM, HIGH_EXPONENT),
        formulas={"rate": population_rate, "strong_convexity": strong_convexity},
        asserts=(Relation("E[population loss of theta_priv] - least population loss on C", ">=Omega", "rate"),),
        preconditions=(AT_MOST_ONE, SMALL_DELTA, NORM_ONE),
        over=("symmetric convex bodies C", "(epsilon, delta)-DP algorithms", "some distribution for each of them"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="theta_priv",
    ),
    Claim(
        id="lp/thm-11-amended",
        amends="lp/thm-11",
        kind=Kind.LOWER,
        source=LP.at("Theorem 11", "proof of Theorem 11", "Lemma 10"),
        says="Let C be a symmetric convex body in the unit l2 ball that holds the ball of radius C_min, epsilon <= max(1, "
        "d/16), delta <= (64 n)^-(1 + a). The loss |theta - x|_2^2 / 4 is 1-Lipschitz in the l2 norm and C_min^2/2-strongly "
        "convex in |.|_C, and for every (epsilon, delta)-DP algorithm (the data set chosen after it, not before) there are n "
        "points of C with an expected excess empirical loss of Omega(C_min^2 min(1, d min(d, ln(1/delta)) / (n epsilon)^2)).",
        parameters=(D, EPSILON, DELTA, N, C_MIN, C_NORM, HIGH_EXPONENT),
        formulas={"rate": empirical_rate, "strong_convexity": strong_convexity},
        asserts=(
            Relation("E[empirical loss of A(D)] - least empirical loss on C", ">=Omega", "rate"),
            Relation(HALVED, "is", "1-Lipschitz in the l2 norm for theta and x in C"),
            Relation(HALVED, "is", "strongly convex in |.|_C with the modulus strong_convexity"),
        ),
        preconditions=(UP_TO, SMALL_DELTA, IN_BALL),
        over=("symmetric convex bodies C", "(epsilon, delta)-DP algorithms", "some data set for each of them"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the output of A",
    ),
    Claim(
        id="lp/lem-9-amended",
        amends="lp/lem-9",
        kind=Kind.BOUND,
        source=LP.at("Lemma 9", "display (9)", "definitions before it"),
        says="For a symmetric convex body C in the unit l2 ball that holds the ball of radius C_min, epsilon <= 1/2, delta <= "
        "(64 n)^-(1 + a), alpha <= C_min/20, and data sets of exactly n points of C: an (epsilon, delta)-DP algorithm with (E "
        "|A(D) - mean of D|_2^2)^{1/2} <= alpha on all of them has n = Omega(C_min sqrt(d min(d, ln(1/delta))) / (alpha "
        "epsilon)), and there is one for every n from some n = O(min(G_C sqrt(ln(1/delta)) / (alpha^2 epsilon), sqrt(d "
        "ln(1/delta)) / (alpha epsilon))) on. (The lower bound by the width itself is the cited theorem.)",
        parameters=(WIDTH, D, EPSILON, DELTA, N, ALPHA, C_MIN, C_NORM, HIGH_EXPONENT),
        formulas={"lower_rate": samples_lower_rate, "upper_rate": samples_upper_rate},
        asserts=(
            Relation("n of every A with error at most alpha", ">=Omega", "lower_rate"),
            Relation("least n from which on some A has error at most alpha", "<=O", "upper_rate"),
            Relation("lower_rate", "<=O", "upper_rate"),
        ),
        preconditions=(HALF, SMALL_DELTA, IN_BALL, BELOW_RADIUS),
        over=("symmetric convex bodies C in the unit l2 ball", "(epsilon, delta)-DP algorithms"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the estimate of the mean",
        note="A weaker substitute for the cited theorem, proved here: C_min sqrt(d), the width of the ball inside, in the "
        "place of G_C/(ln 2d)^2, and data sets of exactly n points.",
    ),
]
