"""Lower bound on the excess risk of private quantile regression, by a data set whose minimiser is a vector of signs."""

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Parameter, Vectors, nonnegative, reals
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import B_X, DELTA, EPSILON, B, D, N, R
from dpsco.spec.predicate import Predicate

BOX = B.means("B_theta: radius of the ball, half-width of the box")
MEAN = Parameter("mean_features", "xbar: average of the n feature vectors", Vectors("d"), "feature")
DECISION = Parameter("decision", "the algorithm's answer, in the box", Vectors("d"), "decision")
ANY_DELTA = DELTA.within(nonnegative)


def _sign(m: Numbers, t: Real) -> Real:
    return m.where(m.ge(t, 0), 1, -1)


def rate(m: Numbers, n: Real, d: Real, epsilon: Real) -> Real:
    """Up to the factor that is hidden in the second term's denominator."""
    return m.max(1 / m.sqrt(n), m.sqrt(d) / (n * epsilon))


def hidden_factor(m: Numbers, d: Real) -> Real:
    return m.log(d)


def feature_entry(m: Numbers, B_x: Real, d: Real) -> Real:
    """Absolute value of every entry of every feature vector."""
    return B_x / m.sqrt(d)


def minimiser_norm(m: Numbers, B: Real, d: Real) -> Real:
    """l2 norm of B_theta sign(xbar)."""
    return B * m.sqrt(d)


def absolute_residual(m: Numbers, r: Real, B: Real, mean_features: Real, decision: Real) -> Real:
    aligned = [B - t * _sign(m, x) for x, t in zip(mean_features, decision, strict=True)]
    return m.min(r, 1 - r) * m.dot([m.abs(x) for x in mean_features], aligned)


def sign_error(m: Numbers, mean_features: Real, decision: Real) -> Real:
    wrong = [(1 - _sign(m, x) * _sign(m, t)) / 2 for x, t in zip(mean_features, decision, strict=True)]
    return m.dot([m.abs(x) for x in mean_features], wrong)


def risk_lower_bound(m: Numbers, r: Real, B: Real, mean_features: Real, decision: Real) -> Real:
    return m.min(r, 1 - r) * B * sign_error(m, mean_features, decision)


def excess_over_ball(m: Numbers, risk_of_answer: Real, least_risk_in_ball: Real) -> Real:
    return risk_of_answer - least_risk_in_ball


def excess_over_box(m: Numbers, risk_of_answer: Real, least_risk_in_box: Real) -> Real:
    return risk_of_answer - least_risk_in_box


def decision_in_box(m: Numbers, decision: Real, B: Real) -> Truth:
    return m.all(*(m.le(m.abs(t), B) for t in decision))


def box_holds_ball(m: Numbers, least_risk_in_box: Real, least_risk_in_ball: Real) -> Truth:
    return m.le(least_risk_in_box, least_risk_in_ball)


def dimension_at_most(m: Numbers, n: Real, d: Real, epsilon: Real) -> Truth:
    return m.le(d, n * epsilon)


def delta_at_most(m: Numbers, epsilon: Real, delta: Real) -> Truth:
    return m.le(delta, epsilon)


def half_width_in_ball(m: Numbers, B: Real, d: Real) -> Real:
    """Half-width of the largest centred box in the ball."""
    return B / m.sqrt(d)


def corner_norm(m: Numbers, B: Real, d: Real) -> Real:
    """l2 norm of half_width sign(xbar)."""
    return half_width_in_ball(m, B, d) * m.sqrt(d)


def ball_holds_box(m: Numbers, least_risk_in_box: Real, least_risk_in_ball: Real) -> Truth:
    return m.ge(least_risk_in_box, least_risk_in_ball)


claims = [
    Claim(
        id="quantile/thm-3.7",
        kind=Kind.LOWER,
        source=QUANTILE.at("Theorem 3.7", "Appendix A.6"),
        says="The infimum over all (epsilon, delta)-DP maps from n records to estimates of the supremum over all "
        "distributions on the domain of the excess risk is at least Omega~(max(n^{-1/2}, sqrt(d)/(n epsilon))), where only a "
        "factor ln d in the second term's denominator is hidden. Construction: n feature vectors with entries +-B_x/sqrt(d), "
        "outcomes y_i = B_theta sign(xbar)'x_i with xbar their mean, and the uniform distribution on these n records; over "
        "the box |theta_j| <= B_theta its minimiser is B_theta sign(xbar), of risk 0.",
        parameters=(N, D, EPSILON, ANY_DELTA, R, B_X, BOX),
        formulas={
            "rate": rate,
            "hidden_factor": hidden_factor,
            "feature_entry": feature_entry,
            "minimiser_norm": minimiser_norm,
        },
        asserts=(
            Relation("minimax excess risk", ">=Omega", "rate up to hidden_factor"),
            Relation("risk of the minimiser on the construction", "=", "0"),
        ),
        over=("every (epsilon, delta)-DP map, replace-one", "every distribution on features in the ball and real outcomes"),
        note="No restriction on delta, epsilon, d is printed. Suspected false: (a) delta >= 1 or constant: then only n^{-1/2} "
        "is left (release the empirical minimiser with probability delta); (b) sqrt(d) > n epsilon: the answer 0 has risk at "
        "most max(r, 1-r) B_x times |theta*|, so the second term must be cut off; (c) d = 1: ln d = 0; (d) the minimiser has "
        "norm sqrt(d) B_theta, outside the ball of the upper bounds: inside, a factor sqrt(d) is lost; (e) ln(1/gamma) from "
        "resampling. Readings of the comparator: over R^d (main text), the ball or the box (proof). With unbounded outcomes "
        "and unbounded theta* the supremum may be infinite, and the bound trivial.",
    ),
    Claim(
        id="quantile/thm-3.7-error",
        kind=Kind.BOUND,
        source=QUANTILE.at("Appendix A.6, step 3"),
        says="On the constructed data set, for every answer theta in the box |theta_j| <= B_theta, the empirical quantile "
        "risk is at least min(r, 1-r) |(B_theta sign(xbar) - theta)'xbar| = min(r, 1-r) sum_j |xbar_j| (B_theta - theta_j "
        "sign(xbar_j)), and this is at least min(r, 1-r) B_theta sum_j |xbar_j| 1{sign(xbar_j) != sign(theta_j)}.",
        parameters=(D, R, BOX, MEAN, DECISION),
        formulas={
            "absolute_residual": absolute_residual,
            "sign_error": sign_error,
            "risk_lower_bound": risk_lower_bound,
        },
        asserts=(
            Relation("empirical risk of decision", ">=", "absolute_residual"),
            Relation("absolute_residual", ">=", "risk_lower_bound"),
        ),
        preconditions=(
            Predicate(
                "every entry of the answer has absolute value at most B_theta",
                decision_in_box,
                accepts={"decision": ("1", "-0.5"), "B": "2"},
                rejects={"decision": ("3", "0"), "B": "2"},
            ),
        ),
        over=("every constructed data set", "every answer in the box"),
        note="Believed. The sign of 0 is not fixed in the paper; here it is 1, and the bound holds for either choice.",
    ),
    Claim(
        id="quantile/thm-3.7-comparator",
        kind=Kind.BOUND,
        source=QUANTILE.at("Appendix A.6, step 1, displays (10), (11)"),
        says="Enlarging the output space from the ball of radius B_theta to the box of half-width B_theta keeps a lower "
        "bound: the minimax excess risk over private maps into the ball is at least that over private maps into the box, "
        "where the latter's excess is taken over the least risk in the box.",
        parameters=(
            D,
            BOX,
            Parameter("risk_of_answer", "expected population risk of the algorithm's answer", reals, "loss"),
            Parameter("least_risk_in_ball", "least population risk over the ball", reals, "loss"),
            Parameter("least_risk_in_box", "least population risk over the box", reals, "loss"),
        ),
        formulas={
            "excess_over_ball": excess_over_ball,
            "excess_over_box": excess_over_box,
            "minimiser_norm": minimiser_norm,
        },
        asserts=(
            Relation(
                "inf sup of excess_over_ball, answers in the ball", ">=", "inf sup of excess_over_box, answers in the box"
            ),
        ),
        preconditions=(
            Predicate(
                "the box contains the ball, so its least risk is no larger",
                box_holds_ball,
                accepts={"least_risk_in_box": "0", "least_risk_in_ball": "1"},
                rejects={"least_risk_in_box": "2", "least_risk_in_ball": "1"},
            ),
        ),
        over=("every distribution", "every private map"),
        note="Suspected false when the comparator lies in the ball on the left: it moves too, and a larger comparator set "
        "raises the excess. Decisive: d >= 2 and the construction, whose minimiser in the box has norm sqrt(d) B_theta. With "
        "the comparator over R^d or the box on both sides the step holds, and then theta* leaves the ball in which the upper "
        "bounds put it. What the argument would need is minimiser_norm <= B_theta.",
    ),
    Claim(
        id="quantile/thm-3.7-amended",
        amends="quantile/thm-3.7",
        kind=Kind.LOWER,
        source=QUANTILE.at("Theorem 3.7", "Appendix A.6"),
        says="For d <= n epsilon and delta <= epsilon the minimax excess risk is at least a constant that depends on r times B "
        "B_x max(n^{-1/2}, sqrt(d)/(n epsilon)): no logarithm is hidden. It holds for answers anywhere in R^d and a minimiser "
        "over R^d that lies in the ball.",
        parameters=(N, D, EPSILON, ANY_DELTA, R, B_X, BOX),
        formulas={
            "rate": rate,
            "feature_entry": feature_entry,
            "minimiser_norm": minimiser_norm,
        },
        asserts=(
            Relation("minimax excess risk", ">=Omega", "rate"),
            Relation("risk of the minimiser on the construction", "=", "0"),
        ),
        preconditions=(
            Predicate(
                "the dimension is at most n epsilon",
                dimension_at_most,
                accepts={"n": 8, "d": 2, "epsilon": "0.5"},
                rejects={"n": 8, "d": 2, "epsilon": "0.1"},
            ),
            Predicate(
                "delta is at most epsilon",
                delta_at_most,
                accepts={"epsilon": "0.5", "delta": "0.25"},
                rejects={"epsilon": "0.1", "delta": "0.25"},
            ),
        ),
        over=("every (epsilon, delta)-DP map, replace-one", "every distribution on features in the ball and real outcomes"),
        adjacency=Adjacency.REPLACE_ONE,
        note="With d far above n epsilon it fails when answers may leave the ball (a regularised fit plus noise has a risk "
        "that does not see d), with delta far above epsilon wherever theta* is bounded. With answers and comparator in the "
        "ball, epsilon <= 1 and delta <= 1/n, sqrt(d) <= n epsilon is enough: newsvendor/thm-7-amended.",
    ),
    Claim(
        id="quantile/thm-3.7-comparator-amended",
        amends="quantile/thm-3.7-comparator",
        kind=Kind.BOUND,
        source=QUANTILE.at("Appendix A.6, step 1, displays (10), (11)"),
        says="Answers may be enlarged to the box |theta_j| <= B_theta if the comparator's box has half-width B_theta/sqrt(d) "
        "and so lies in the ball: the minimax excess risk over maps into the ball is at least that over maps into the large "
        "box, with the least risk taken in the small one. The construction's labels then have B_theta/sqrt(d) for B_theta.",
        parameters=(
            D,
            BOX,
            Parameter("risk_of_answer", "expected population risk of the algorithm's answer", reals, "loss"),
            Parameter("least_risk_in_ball", "least population risk over the ball", reals, "loss"),
            Parameter("least_risk_in_box", "least population risk over the box of the comparator", reals, "loss"),
        ),
        formulas={
            "excess_over_ball": excess_over_ball,
            "excess_over_box": excess_over_box,
            "minimiser_norm": corner_norm,
        },
        asserts=(
            Relation(
                "inf sup of excess_over_ball, answers in the ball", ">=", "inf sup of excess_over_box, answers in the box"
            ),
        ),
        preconditions=(
            Predicate(
                "the ball contains the comparator's box, so its least risk is no larger",
                ball_holds_box,
                accepts={"least_risk_in_box": "1", "least_risk_in_ball": "0"},
                rejects={"least_risk_in_box": "1", "least_risk_in_ball": "2"},
            ),
        ),
        over=("every distribution", "every private map"),
    ),
]
