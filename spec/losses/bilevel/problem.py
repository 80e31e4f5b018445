"""The bilevel problems, their privacy notion, and the size of the set of lower minimisers.

The upper objective is Phi_Z(x) = (1/n) sum f(x, y_Z(x), z_i), with y_Z(x) the minimiser over y of (1/n) sum g(x, y, z_i).
"""

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Interval, Parameter, closed_unit, nonnegative
from dpsco.spec.expressions import exp, symbol, symbols
from dpsco.spec.losses.bilevel.assumptions import D_X, D_X_DIM, D_Y, D_Y_DIM, LIPSCHITZ, LIPSCHITZ_HOLDS, PROBLEMS
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import DELTA, EPSILON, N

L_gy, delta, epsilon, mu_g, neighbour_probability = symbols("L_gy delta epsilon mu_g neighbour_probability")
probability, probability_under_X = symbols("probability probability_under_X")
probability_under_Y = symbol("probability_under_Y")


privacy_slack = probability - exp(epsilon) * neighbour_probability - delta
"""What (epsilon, delta)-DP keeps at or below zero, for every event."""

privacy_curve_term = probability_under_Y - exp(epsilon) * probability_under_X
"""One event's term of delta(X || Y)(epsilon); the curve is its supremum over events."""

inner_diameter_bound = L_gy / mu_g
compact_diameter_bound = 4 * L_gy / mu_g
"""For any compact Y that holds a lower minimiser: every point of Y is within half of it of that minimiser."""

convex_diameter_bound = 2 * L_gy / mu_g


INNER_DIAMETER = Parameter("inner_diameter", "diameter of Y", nonnegative, "inner")


claims = [
    Claim(
        id="bilevel/def-erm",
        title="bilevel problem and its privacy",
        kind=Kind.DEFINITION,
        source=BILEVEL.at(
            "(Bilevel ERM)", "(Bilevel SO)", "Section 2, notation", "Definition 2.3", "Definition B.3", "Lemma B.5"
        ),
        says="Bilevel ERM: minimise over x in a closed convex set X of diameter D_x the function Phi_Z(x) = F_Z(x, y_Z(x)), "
        "F_Z(x, y) = (1/n) sum_i f(x, y, z_i), where y_Z(x) is the unique minimiser over all y in R^{d_y} of G_Z(x, y) = "
        "(1/n) sum_i g(x, y, z_i), g strongly convex in y. Bilevel SO: the same with expectations over P in place of means "
        "over Z: Phi(x) = E f(x, y*(x), z), y*(x) the minimiser of E g(x, y, z). Excess risk is E Phi_Z(A(Z)) - inf Phi_Z, or "
        "E Phi(A(Z)) - inf Phi over Z too. Neighbours differ in one of the n records; (epsilon, delta)-DP means P(A(Z) in S) "
        "<= e^epsilon P(A(Z') in S) + delta for all neighbours and events. The privacy curve delta(X || Y)(epsilon) of two "
        "random variables is the supremum over events S of P(Y in S) - e^epsilon P(X in S).",
        parameters=(
            EPSILON.within(nonnegative),
            DELTA.within(Interval("0", "1", low_open=False)),
            N,
            D_X_DIM,
            D_Y_DIM,
            D_X,
            D_Y,
            Parameter("probability", "P(A(Z) in S)", closed_unit),
            Parameter("neighbour_probability", "P(A(Z') in S)", closed_unit),
            Parameter("probability_under_X", "P(X in S)", closed_unit),
            Parameter("probability_under_Y", "P(Y in S)", closed_unit),
        ),
        formulas={"privacy_slack": privacy_slack, "privacy_curve_term": privacy_curve_term},
        asserts=(Relation("(epsilon, delta)-DP", "=>", "privacy_slack <= 0 for all neighbours and events, and conversely"),),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the upper decision x",
        note="As printed the inner empirical objective is g(x, y_Z(x), z_i), with the minimiser in the place of the variable "
        "y; read as g(x, y, z_i), as in the proof of Lemma B.5. P is printed as a distribution on X instead of Z, events as "
        "subsets of X while the range is W. D_y is used in (4) and later but never defined: diameter of Y, of the set of "
        "lower minimisers, or radius of a ball (the lower bound takes Y = D_y times the unit ball, X = D_x times it, so there "
        "D_x is half the diameter). The privacy curve runs against the usual direction, which measures X against Y. Phi_Z is "
        "not an average of terms of single records, for y_Z depends on all of Z, and E Phi_Z(x) is not Phi(x).",
    ),
    Claim(
        id="bilevel/asm-2.1",
        title="diameter of the lower decisions",
        kind=Kind.BOUND,
        unproved=True,
        source=BILEVEL.at("Assumption 2.1", "the remark after it"),
        says="Let f be L_fx-Lipschitz in x and L_fy-Lipschitz in y, g mu_g-strongly convex in y, and Y a compact set that "
        "contains all lower minimisers (of the empirical problem for ERM, of the population problem for SO) and on which g(x, "
        "., z) is L_gy-Lipschitz for all x and z. Then the diameter of Y is at most L_gy / mu_g.",
        parameters=(*LIPSCHITZ, INNER_DIAMETER),
        formulas={"bound": inner_diameter_bound},
        asserts=(Relation("inner_diameter", "<=", "bound"),),
        preconditions=LIPSCHITZ_HOLDS,
        over=(PROBLEMS, "every compact Y that the assumption admits"),
        note="False by a factor 2 for convex Y: g = mu y^2/2 on Y = [-1, 1] has L_gy = mu and diameter 2 L_gy / mu_g, which "
        "is the best constant there. Y is printed as compact only: {-1, 0, 1} then makes the factor 4. The printed bound is "
        "true of the set of lower minimisers, where g is L_gy-Lipschitz on its convex hull. Lipschitz on Y bounds values on Y, "
        "not the gradient, where Y has no interior.",
    ),
    Claim(
        id="bilevel/asm-2.1-amended",
        amends="bilevel/asm-2.1",
        kind=Kind.BOUND,
        source=BILEVEL.at("Assumption 2.1", "the remark after it"),
        says="Under the same conditions the diameter of Y is at most 4 L_gy / mu_g; at most 2 L_gy / mu_g if Y is convex; and "
        "where g(x, ., z) is L_gy-Lipschitz on the convex hull of the lower minimisers, their set has diameter at most L_gy / "
        "mu_g. Each constant is attained.",
        parameters=(
            *LIPSCHITZ,
            INNER_DIAMETER,
            Parameter("convex_diameter", "diameter of Y, Y convex", nonnegative, "inner"),
            Parameter(
                "minimisers_diameter",
                "diameter of the set of lower minimisers, g being L_gy-Lipschitz on its convex hull",
                nonnegative,
                "inner",
            ),
        ),
        formulas={
            "bound": compact_diameter_bound,
            "convex_bound": convex_diameter_bound,
            "minimisers_bound": inner_diameter_bound,
        },
        asserts=(
            Relation("inner_diameter", "<=", "bound"),
            Relation("convex_diameter", "<=", "convex_bound"),
            Relation("minimisers_diameter", "<=", "minimisers_bound"),
        ),
        preconditions=LIPSCHITZ_HOLDS,
        over=(PROBLEMS, "every compact Y that the assumption admits"),
    ),
]
