"""Lower bound on the excess risk of private quantile regression, by a data set whose minimiser is a vector of signs."""

from dpsco.spec.analysis.lower_bounds import newsvendor_minimax as in_ball
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Parameter, Vectors, nonnegative, reals
from dpsco.spec.expressions import E, log, maximum, sqrt, symbol, symbols
from dpsco.spec.losses.quantile.summaries import OPTIMUM_IN_BALL, OPTIMUM_NORM
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import B_X, DELTA, EPSILON, B, D, N, R
from dpsco.spec.predicate import Predicate

B_x, d, delta, epsilon, least_risk = symbols("B_x d delta epsilon least_risk")
least_risk_in_ball, least_risk_in_box, n = symbols("least_risk_in_ball least_risk_in_box n")
risk_of_answer = symbol("risk_of_answer")

BOX = B.means("B_theta: radius of the ball, half-width of the box")
MEAN = Parameter("mean_features", "xbar: average of the n feature vectors", Vectors("d"), "feature")
DECISION = Parameter("decision", "the algorithm's answer, in the box", Vectors("d"), "decision")
ANY_DELTA = DELTA.within(nonnegative)


def _sign(m: Numbers, t: Real) -> Real:
    return m.where(m.ge(t, 0), 1, -1)


rate = maximum(1 / sqrt(n), sqrt(d) / (n * epsilon))
"""Up to the factor that is hidden in the second term's denominator."""

hidden_factor = log(d)
feature_entry = B_x / sqrt(d)
"""Absolute value of every entry of every feature vector."""

half_width = E(B)
"""Absolute value of every entry of the construction's minimiser, and of the box's corners."""

label_half_width = E(B)
"""t of the construction's outcomes y_i = t sign(xbar)'x_i."""

minimiser_norm = B * sqrt(d)
"""l2 norm of half_width sign(xbar)."""


def absolute_residual(m: Numbers, r: Real, B: Real, mean_features: Real, decision: Real) -> Real:
    aligned = [B - t * _sign(m, x) for x, t in zip(mean_features, decision, strict=True)]
    return m.min(r, 1 - r) * m.dot([m.abs(x) for x in mean_features], aligned)


def sign_error(m: Numbers, mean_features: Real, decision: Real) -> Real:
    wrong = [(1 - _sign(m, x) * _sign(m, t)) / 2 for x, t in zip(mean_features, decision, strict=True)]
    return m.dot([m.abs(x) for x in mean_features], wrong)


def risk_lower_bound(m: Numbers, r: Real, B: Real, mean_features: Real, decision: Real) -> Real:
    return m.min(r, 1 - r) * B * sign_error(m, mean_features, decision)


excess = risk_of_answer - least_risk
excess_over_ball = risk_of_answer - least_risk_in_ball
excess_over_box = risk_of_answer - least_risk_in_box


def decision_in_box(m: Numbers, decision: Real, B: Real) -> Truth:
    return m.all(*(m.le(m.abs(t), B) for t in decision))


dimension_at_most = d <= n * epsilon
delta_at_most = delta <= epsilon
half_width_in_ball = B / sqrt(d)
"""Half-width of the largest centred box in the ball."""

corner_norm = half_width_in_ball * sqrt(d)
"""l2 norm of half_width sign(xbar)."""

ball_holds_box = least_risk_in_box >= least_risk_in_ball


OVER = ("every (epsilon, delta)-DP map, replace-one", "every distribution on features in the ball and real outcomes")
RISKS = (
    Parameter("risk_of_answer", "expected population risk of the algorithm's answer", reals, "loss"),
    Parameter("least_risk_in_ball", "least population risk over the ball", reals, "loss"),
    Parameter("least_risk_in_box", "least population risk over the box of the comparator", reals, "loss"),
)

claims = [
    Claim(
        id="quantile/thm-3.7",
        title="minimax lower bound for private quantile regression",
        kind=Kind.LOWER,
        source=QUANTILE.at("Theorem 3.7", "Appendix A.6"),
        says="The infimum over all (epsilon, delta)-DP maps from n records to estimates of the supremum over all "
        "distributions on the domain of the excess risk over theta*, the minimiser over R^d, is at least Omega~(max(n^{-1/2}, "
        "sqrt(d)/(n epsilon))), where only a factor ln d in the second term's denominator is hidden. Construction: n feature "
        "vectors with entries +-B_x/sqrt(d), outcomes y_i = B_theta sign(xbar)'x_i with xbar their mean, and the uniform "
        "distribution on these n records; over the box |theta_j| <= B_theta its minimiser is B_theta sign(xbar), of risk 0.",
        uses=(
            "quantile/thm-3.7-comparator",
            "quantile/thm-3.7-error",
            "quantile/thm-3.7-resampling",
            "quantile/thm-3.7-sample",
        ),
        parameters=(N, D, EPSILON, ANY_DELTA, R, B_X, BOX),
        formulas={
            "rate": rate,
            "hidden_factor": hidden_factor,
            "feature_entry": feature_entry,
            "half_width": half_width,
            "minimiser_norm": minimiser_norm,
        },
        asserts=(
            Relation("minimax excess risk", ">=Omega", "rate up to hidden_factor"),
            Relation("risk of the minimiser on the construction", "=", "0"),
        ),
        over=OVER,
        note="Read as printed: theta* is 'argmin over R^d' (Sections 1, 4.1; newsvendor/thm-7 prints none, and is read with "
        "theta* in the ball), R(pi; P) of Section 2 is the excess over it, "
        "outcomes are real, and the theorem prints no B_theta, where the upper bounds (3.4, 3.6) say 'suppose |theta*| <= "
        "B_theta'. Then the supremum is infinite for every map and the theorem holds, but is empty: it says nothing of n, d or "
        "epsilon. Meant is a bounded theta* (the proof has answers in the ball, the least risk over the box, 'the rate is "
        "optimal' compares with 3.4): then no restriction on delta, epsilon, d is printed, and it is false: (a) delta >= 1 or "
        "constant: only n^{-1/2} is left (release the empirical minimiser with probability delta); (b) sqrt(d) > n epsilon: "
        "the answer 0 has risk at most max(r, 1-r) B_x |theta*|; (c) d = 1: ln d = 0; (d) the construction's minimiser has "
        "norm sqrt(d) B_theta, outside the ball: inside, a factor sqrt(d) is lost. Bounded outcomes in the place of a bounded "
        "theta* change nothing: the answer 0 has bounded risk.",
    ),
    Claim(
        id="quantile/thm-3.7-error",
        title="quantile risk above the sign error",
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
            Relation("empirical risk of decision", ">=", "absolute_residual", step=True),
            Relation("absolute_residual", ">=", "risk_lower_bound", step=True),
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
        note="The sign of 0 is not fixed in the paper; here it is 1, and the bound holds for either choice.",
    ),
    Claim(
        id="quantile/thm-3.7-comparator",
        title="from the ball to the box of answers",
        kind=Kind.BOUND,
        source=QUANTILE.at("Appendix A.6, step 1, displays (10), (11)"),
        says="Enlarging the answers from the ball of radius B_theta to the box of half-width B_theta keeps a lower bound: the "
        "minimax risk R over private maps into the ball is at least that over private maps into the box, R on both sides the "
        "excess over one theta*; and for the constructed distributions the latter excess is that over the least risk in the "
        "box.",
        parameters=(D, R, B_X, BOX, RISKS[0], Parameter("least_risk", "least population risk over R^d", reals, "loss")),
        formulas={"excess": excess, "half_width": half_width, "minimiser_norm": minimiser_norm, "label_half_width": half_width},
        asserts=(
            Relation("inf sup of excess, answers in the ball", ">=", "inf sup of excess, answers in the box", step=True),
            Relation("least risk in the box, on the construction", "=", "least risk over R^d, on the construction", step=True),
        ),
        over=("every distribution", "every private map"),
        note="(10) prints one R on both sides, and Section 1 has theta* over R^d: more maps have a smaller infimum, and on the "
        "construction the least risk over R^d, 0, is taken in the box. So the step holds, and theta* leaves the ball in which "
        "the upper bounds put it: its norm is minimiser_norm. With theta* in the ball on the left and in the box on the right "
        "(10) is false for d >= 2: the comparator moves too, and a larger set of comparators raises the excess.",
    ),
    Claim(
        id="quantile/thm-3.7-amended",
        amends="quantile/thm-3.7",
        kind=Kind.LOWER,
        source=QUANTILE.at("Theorem 3.7", "Appendix A.6"),
        says="For d <= n epsilon and delta <= epsilon the minimax excess risk over a minimiser in R^d that lies in the ball, "
        "answers anywhere in R^d, is at least a constant that depends on r times B B_x max(n^{-1/2}, sqrt(d)/(n epsilon)): no "
        "logarithm is hidden. For epsilon >= 1 the second term is then at most the first: it says more than n^{-1/2} for "
        "epsilon < 1 only. The construction's labels have half-width B_theta/sqrt(d), so that its minimiser lies in the ball.",
        parameters=(N, D, EPSILON, ANY_DELTA, R, B_X, BOX, OPTIMUM_NORM),
        formulas={
            "rate": rate,
            "feature_entry": feature_entry,
            "half_width": half_width_in_ball,
            "minimiser_norm": corner_norm,
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
            OPTIMUM_IN_BALL,
        ),
        over=OVER,
        adjacency=Adjacency.REPLACE_ONE,
        note="With d far above n epsilon it fails when answers may leave the ball (a regularised fit plus noise has a risk "
        "that does not see d), with delta far above epsilon wherever theta* is bounded.",
    ),
    Claim(
        id="quantile/thm-3.7-amended-private",
        amends="quantile/thm-3.7",
        kind=Kind.LOWER,
        source=QUANTILE.at("Theorem 3.7", "Appendix A.6"),
        says="For sqrt(d) <= n epsilon, epsilon <= 1 and sqrt(d) delta <= epsilon the minimax excess risk, answers and "
        "comparator in the ball, is at least max(r, 1 - r) B B_x/42 times max(n^{-1/2}, sqrt(d)/(n epsilon)).",
        parameters=(N, D, EPSILON, ANY_DELTA, R, B_X, BOX),
        formulas={"rate": rate},
        asserts=(Relation("minimax excess risk, answers and comparator in the ball", ">=Omega", "rate"),),
        preconditions=(
            Predicate(
                "sqrt(d) is at most n epsilon",
                in_ball.private_term_at_most_one,
                accepts={"n": 8, "d": 4, "epsilon": "0.5"},
                rejects={"n": 8, "d": 4, "epsilon": "0.1"},
            ),
            Predicate(
                "epsilon is at most 1", in_ball.epsilon_at_most_one, accepts={"epsilon": "0.5"}, rejects={"epsilon": "2"}
            ),
            Predicate(
                "sqrt(d) delta is at most epsilon",
                in_ball.delta_at_most,
                accepts={"d": 4, "epsilon": "0.5", "delta": "0.1"},
                rejects={"d": 4, "epsilon": "0.5", "delta": "0.5"},
            ),
        ),
        over=OVER,
        adjacency=Adjacency.REPLACE_ONE,
        note="newsvendor/thm-7-amended's argument, for every d; the two papers' losses differ by a factor.",
    ),
    Claim(
        id="quantile/thm-3.7-comparator-amended",
        amends="quantile/thm-3.7-comparator",
        kind=Kind.BOUND,
        source=QUANTILE.at("Appendix A.6, step 1, displays (10), (11)"),
        says="Answers may be enlarged to the box |theta_j| <= B_theta if the comparator's box has half-width B_theta/sqrt(d) "
        "and so lies in the ball: the minimax excess risk over maps into the ball is at least that over maps into the large "
        "box, with the least risk taken in the small one. The construction's labels then have B_theta/sqrt(d) for B_theta.",
        parameters=(D, BOX, *RISKS),
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
