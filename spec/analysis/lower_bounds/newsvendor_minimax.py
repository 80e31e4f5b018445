"""The minimax risk of private newsvendor policies: a lower bound, and two steps of its proof.

Hard data: rows x_i in {-B_x/sqrt(d), B_x/sqrt(d)}^d, labels y_i = B <x_i, sign of the mean row>; the box {|theta|_inf <= B}
holds a perfect fit, the ball {|theta|_2 <= B} of the problem in general not.
"""

from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.domain import Integers
from dpsco.spec.expressions import E, expm1, log, maximum, minimum, sqrt, symbols
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import B_X, DELTA, EPSILON, RISK, B, D, N, R
from dpsco.spec.predicate import Predicate

B_x, d, delta, epsilon, n, r = symbols("B_x d delta epsilon n r")


rate = 1 / sqrt(n) + sqrt(d) / (n * epsilon)
"""Up to logarithmic factors."""

rate_private = sqrt(d) / (n * epsilon * log(d))
"""With the logarithm that the rate hides; d >= 2."""

rate_maximum = maximum(1 / sqrt(n), sqrt(d) / (n * epsilon))
trivial_risk = 2 * maximum(r, 1 - r) * B_x * B
"""No policy in the ball has larger excess risk: the losses of two decisions differ by at most L 2 B."""

risk_of_sign_error = minimum(r, 1 - r) * B
"""Factor of the sign error sum_j |mean_j| 1{sign wrong} in the lower bound of the risk."""

least_loss_in_box = E(0)
least_loss_in_ball = r * B * B_x * (sqrt(d) - 1)
"""For the hard data with all rows equal and positive: y = B B_x sqrt(d), best fit B B_x."""

label_change = 2 * B * B_x / sqrt(d)
"""Change of every label when one coordinate of the mean row changes its sign."""

labels_changed = n
"""How many of the n records the labelling rule can change when one row is replaced."""

private_term_at_most_one = sqrt(d) <= n * epsilon
epsilon_at_most_one = epsilon <= 1
delta_at_most = sqrt(d) * delta <= epsilon
half_width = B / sqrt(d)
"""Half-width of the largest centred box in the ball."""

half_width_of_answers = E(B)
"""Half-width of the box to which the answers are relaxed: the least that holds the ball."""

least_loss_in_ball_at = r * B_x * maximum(half_width * sqrt(d) - B, 0)
"""With labels of that half-width, all rows equal and positive: y = half_width B_x sqrt(d), best fit B B_x."""

epsilon_of_signs = n * epsilon
"""All n labels may change."""

delta_of_signs = delta * expm1(n * epsilon) / expm1(epsilon)


claims = [
    Claim(
        id="newsvendor/thm-7",
        title="minimax lower bound for the private newsvendor",
        kind=Kind.LOWER,
        source=NEWSVENDOR.at("Theorem 7", "proof in EC.1.9", "displays (EC.33) to (EC.39)"),
        says="For every (epsilon, delta)-DP A from n records to the ball of radius B, the largest expected excess risk over "
        "all distributions of features and demands is at least of order 1/sqrt(n) + sqrt(d) / (n epsilon), up to logarithmic "
        "factors (ln d in the denominator of the second term is named). The proof relaxes the ball to the box of half-width B, "
        "takes distributions uniform on n records with y = B X sign(mean row), turns excess risk into the error of a private "
        "classifier of the signs, at least min(r, 1 - r) B times sum_j |mean_j| 1{sign wrong}, and cites a sample complexity "
        "Omega(sqrt(d) / (alpha epsilon' ln d)) with epsilon' = u epsilon.",
        uses=("newsvendor/thm-7-comparator", "newsvendor/thm-7-group", "newsvendor/thm-7-reduction"),
        parameters=(EPSILON, DELTA, N, D.within(Integers(2)), R, B, B_X, RISK.means("minimax expected excess risk")),
        formulas={
            "rate": rate,
            "rate_private": rate_private,
            "rate_maximum": rate_maximum,
            "risk_of_sign_error": risk_of_sign_error,
            "trivial_risk": trivial_risk,
        },
        asserts=(
            Relation("risk", ">=Omega", "rate_private"),
            Relation("risk", ">=Omega", "rate_maximum"),
            Relation("risk", ">=Omega", "rate"),
            Relation("rate_maximum", ">=Omega", "rate"),
        ),
        over=("(epsilon, delta)-DP algorithms with values in the ball", "distributions of (x, y), |x| <= B_x"),
        adjacency=Adjacency.REPLACE_ONE,
        provenance=Provenance.REBUILT,
        note="Rebuilt from the proof (box version). Answers and theta* lie in the ball: the proof says so of the answers, the "
        "upper bounds of |theta*| (after EC.25), and the e-companion prints no minimum over R^d for this risk. "
        "quantile/thm-3.7 prints one, and is read so: there it is empty. d = 1 makes ln d vanish; d >= 2 here. The range of "
        "epsilon, delta and d is not at hand. Without a condition like n epsilon >= sqrt(d) it is false: the risk never "
        "exceeds trivial_risk, the rate is unbounded as epsilon -> 0; delta near 1 makes every algorithm private and the "
        "second term false. No choice of gamma (in epsilon' = u epsilon, delta') is printed. B, B_x, r are hidden constants; "
        "r -> 0 kills min(r, 1 - r). Two steps are claims of their own.",
    ),
    Claim(
        id="newsvendor/thm-7-comparator",
        title="from the ball to the box of answers",
        kind=Kind.BOUND,
        source=NEWSVENDOR.at("proof of Theorem 7, step 1, displays (EC.33) and (EC.34)"),
        says="The minimax excess risk of (epsilon, delta)-DP algorithms with values in the ball {|theta|_2 <= B} is at least "
        "that of algorithms with values in the box {|theta|_inf <= B}, since these are more; and for the hard distributions "
        "the latter excess risk is the expected risk minus the minimum of the risk over the box.",
        parameters=(EPSILON, DELTA, N, D, R, B, B_X),
        formulas={"least_loss_in_box": least_loss_in_box, "least_loss_in_ball": least_loss_in_ball},
        asserts=(
            Relation("minimax risk over the ball", ">=", "minimax risk over the box, one comparator", step=True),
            Relation("excess risk on the hard data", "=", "excess risk over the least loss in the box", step=True),
        ),
        over=("algorithms", "hard distributions"),
        note="(EC.33) prints one R on both sides, (EC.34) says what it is: the excess over the least risk in the box, which "
        "on the hard data is the least over R^d. So the step holds, as in quantile/thm-3.7-comparator. With theta* in the "
        "ball, as the risk's upper bounds have it (|theta*| <= B), the comparator is changed on the way: a minimum over the "
        "larger box is smaller, so the second excess risk is larger and the chain of lower bounds breaks. For equal rows the "
        "two minima differ by r B B_x (sqrt(d) - 1), 0 only at d = 1, more than the bound to be proved. Half-width B / sqrt(d) "
        "would fit in the ball and costs a factor sqrt(d).",
    ),
    Claim(
        id="newsvendor/thm-7-reduction",
        title="newsvendor risk above the sign error",
        kind=Kind.BOUND,
        source=NEWSVENDOR.at("proof of Theorem 7, step 3, displays (EC.37) and (EC.38)"),
        says="S(X) = (B X sign(mean row of X), X) carries no more than X, so the least worst-case sign error of (epsilon', "
        "delta')-DP maps B of S(X), read through sign(B(S(X))), is at least that of (epsilon', delta')-DP classifiers C of X "
        "with values in {-1, 1}^d; times min(r, 1 - r) B this is a lower bound of the empirical excess risk over the box.",
        parameters=(EPSILON, DELTA, N, D, R, B, B_X),
        formulas={
            "risk_of_sign_error": risk_of_sign_error,
            "label_change": label_change,
            "labels_changed": labels_changed,
        },
        asserts=(
            Relation("sign of B(S(X)), as a map of X", "is", "(epsilon', delta')-DP", step=True),
            Relation("X, X' differ in one row", "=>", "S(X), S(X') differ in one record", step=True),
            Relation("least worst-case error over B of S", ">=", "least worst-case error over C of X", step=True),
            Relation("empirical excess risk over the box", ">=", "risk_of_sign_error times the sign error", step=True),
        ),
        over=("private maps of S", "sign matrices X"),
        adjacency=Adjacency.REPLACE_ONE,
        note="Carrying no more information does not carry privacy over: one row can flip the sign of a mean coordinate and "
        "with it change all n labels (by 2 B B_x / sqrt(d)), so neighbours X, X' give S(X), S(X') at distance up to n, and the "
        "classifier is only (n epsilon', .)-DP. Signs of zero means are left open. The last relation holds.",
    ),
    Claim(
        id="newsvendor/thm-7-amended",
        amends="newsvendor/thm-7",
        kind=Kind.LOWER,
        source=NEWSVENDOR.at("Theorem 7", "proof in EC.1.9", "displays (EC.33) to (EC.39)"),
        says="The rates hold, and the logarithm in the denominator is not needed, for sqrt(d) <= n epsilon, epsilon <= 1 and "
        "sqrt(d) delta <= epsilon, answers and comparator in the ball: the risk is at least max(r, 1 - r) B B_x/42 times "
        "max(1/sqrt(n), sqrt(d)/(n epsilon)). The hard losses are linear on the ball: labels B B_x or beyond, features with "
        "random means.",
        parameters=(EPSILON, DELTA, N, D.within(Integers(2)), R, B, B_X, RISK.means("minimax expected excess risk")),
        formulas={"rate": rate, "rate_private": rate_private, "rate_maximum": rate_maximum},
        asserts=(
            Relation("risk", ">=Omega", "rate_private"),
            Relation("risk", ">=Omega", "rate_maximum"),
            Relation("risk", ">=Omega", "rate"),
            Relation("rate_maximum", ">=Omega", "rate"),
        ),
        preconditions=(
            Predicate(
                "sqrt(d) is at most n epsilon",
                private_term_at_most_one,
                accepts={"n": 8, "d": 4, "epsilon": "0.5"},
                rejects={"n": 8, "d": 4, "epsilon": "0.1"},
            ),
            Predicate("epsilon is at most 1", epsilon_at_most_one, accepts={"epsilon": "0.5"}, rejects={"epsilon": "2"}),
            Predicate(
                "sqrt(d) delta is at most epsilon",
                delta_at_most,
                accepts={"d": 4, "epsilon": "0.5", "delta": "0.1"},
                rejects={"d": 4, "epsilon": "0.5", "delta": "0.5"},
            ),
        ),
        over=("(epsilon, delta)-DP algorithms with values in the ball", "distributions of (x, y), |x| <= B_x"),
        adjacency=Adjacency.REPLACE_ONE,
        note="delta <= 1/n is enough for the last condition where the first one holds.",
    ),
    Claim(
        id="newsvendor/thm-7-comparator-amended",
        amends="newsvendor/thm-7-comparator",
        kind=Kind.BOUND,
        source=NEWSVENDOR.at("proof of Theorem 7, step 1, displays (EC.33) and (EC.34)"),
        says="With labels y_i = (B/sqrt(d)) <x_i, sign of the mean row> the perfect fit lies in the ball, so that the two "
        "comparators agree: the least loss is 0 over the ball and over the comparator's box, of half-width B/sqrt(d). The "
        "answers are relaxed to another box, of half-width B, which holds the ball.",
        parameters=(EPSILON, DELTA, N, D, R, B, B_X),
        formulas={
            "half_width": half_width,
            "half_width_of_answers": half_width_of_answers,
            "least_loss_in_box": least_loss_in_box,
            "least_loss_in_ball": least_loss_in_ball_at,
        },
        asserts=(
            Relation(
                "minimax risk over the ball", ">=", "minimax risk over the box of half_width_of_answers, comparator in the ball"
            ),
            Relation("excess risk with comparator in the ball", "=", "excess risk with comparator in the box of half_width"),
            Relation("least_loss_in_ball", "=", "least_loss_in_box"),
        ),
        over=("algorithms", "hard distributions"),
    ),
    Claim(
        id="newsvendor/thm-7-reduction-amended",
        amends="newsvendor/thm-7-reduction",
        kind=Kind.BOUND,
        source=NEWSVENDOR.at("proof of Theorem 7, step 3, displays (EC.37) and (EC.38)"),
        says="S(X) and S(X') may differ in all n records, so the sign of B(S(X)), a map of X, is (n epsilon', delta'')-DP with "
        "delta'' of group privacy, and the least worst-case error over B is at least that over classifiers C of X with this "
        "budget; times min(r, 1 - r) B this is a lower bound of the empirical excess risk over the box.",
        parameters=(EPSILON, DELTA, N, D, R, B, B_X),
        formulas={
            "risk_of_sign_error": risk_of_sign_error,
            "label_change": label_change,
            "labels_changed": labels_changed,
            "epsilon_of_signs": epsilon_of_signs,
            "delta_of_signs": delta_of_signs,
        },
        asserts=(
            Relation("sign of B(S(X)), as a map of X", "is", "(epsilon_of_signs, delta_of_signs)-DP"),
            Relation("X, X' differ in one row", "=>", "S(X), S(X') differ in at most labels_changed records"),
            Relation("least worst-case error over B of S", ">=", "least worst-case error over C of X, budget of signs"),
            Relation("empirical excess risk over the box", ">=", "risk_of_sign_error times the sign error", step=True),
        ),
        over=("private maps of S", "sign matrices X"),
        adjacency=Adjacency.REPLACE_ONE,
    ),
]
