"""Lower bounds through the Gaussian width of the constraint set, by way of private mean estimation."""

from dpsco.spec.analysis.geometry.widths import C_MIN, C_NORM, WIDTH
from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Parameter, positive
from dpsco.spec.expressions import exp, log, maximum, minimum, sqrt, symbols
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import LP
from dpsco.spec.parameters import DELTA, EPSILON, D, N
from dpsco.spec.predicate import Predicate

C_min, C_norm, G_C, alpha, c, c_epsilon, c_high = symbols("C_min C_norm G_C alpha c c_epsilon c_high")
c_low, c_n, d, delta, epsilon, n = symbols("c_low c_n d delta epsilon n")

C_N = Parameter("c_n", "hidden constant of n = O(sqrt(d ln(1/delta)) / epsilon)", positive)
C_EPSILON = Parameter("c_epsilon", "hidden constant of epsilon = O(1)", positive)
C_LOW = Parameter("c_low", "hidden constant of delta >= 2^{-Omega(n)}", positive)
C_HIGH = Parameter("c_high", "hidden constant of delta <= n^{-(1 + Omega(1))}", positive)
C_ALPHA = Parameter("c", "absolute constant of the range of alpha", positive)
ALPHA = Parameter("alpha", "root mean squared error", positive, "decision")
EXCESS = Parameter("gamma", "bound on the excess risk", positive, "loss")


empirical_rate = G_C**2 * log(1 / delta) / (log(2 * d) ** 4 * epsilon**2 * n**2)
population_rate = maximum(empirical_rate, 1 / n)
strong_convexity = C_min**2
largest_n = c_n * sqrt(d * log(1 / delta)) / epsilon
n_is_small = n <= largest_n
epsilon_is_bounded = epsilon <= c_epsilon
delta_is_between = all_of(delta >= 2 ** (-c_low * n), delta <= 1 / n ** (1 + c_high))
body_in_unit_ball = C_norm <= 1
largest_alpha = G_C / (c * sqrt(d) * log(2 * d) ** 2)
alpha_is_small = alpha <= largest_alpha
samples_lower_rate = G_C * sqrt(log(1 / delta)) / (log(2 * d) ** 2 * alpha * epsilon)

_width_bound = G_C * sqrt(log(1 / delta)) / (alpha**2 * epsilon)
samples_upper_rate = minimum(_width_bound, sqrt(d * log(1 / delta)) / (alpha * epsilon))
samples_full_width_rate = sqrt(log(1 / delta)) / epsilon * sqrt(d) / alpha
"""sigma(epsilon, delta) sqrt(d) / alpha with sigma(epsilon, delta) = sqrt(ln(1/delta)) / epsilon."""

epsilon_of_population_algorithm = epsilon / (4 * log(1 / delta))
delta_of_population_algorithm = exp(-epsilon) * delta / (8 * log(2 / delta))


def copies_are_covered(m: Numbers, n: Real, delta: Real) -> Truth:
    return m.any(m.ge(n, m.real(2)), m.le(delta, m.exp(-m.frac(1, 4))))


HARD_SET = (
    Predicate(
        "C lies in the unit l2 ball",
        body_in_unit_ball,
        accepts={"C_norm": "1"},
        rejects={"C_norm": "2"},
    ),
    Predicate(
        "epsilon = O(1)",
        epsilon_is_bounded,
        accepts={"epsilon": "1", "c_epsilon": "1"},
        rejects={"epsilon": "2", "c_epsilon": "1"},
    ),
    Predicate(
        "2^{-Omega(n)} <= delta <= n^{-(1 + Omega(1))}",
        delta_is_between,
        accepts={"delta": "1e-3", "n": 20, "c_low": "1", "c_high": "1"},
        rejects={"delta": "0.1", "n": 20, "c_low": "1", "c_high": "1"},
    ),
)
FEW_RECORDS = Predicate(
    "n = O(sqrt(d ln(1/delta)) / epsilon)",
    n_is_small,
    accepts={"n": 20, "c_n": "1", "d": 100, "delta": "1e-3", "epsilon": "1"},
    rejects={"n": 100, "c_n": "1", "d": 100, "delta": "1e-3", "epsilon": "1"},
)
CONSTANTS = (C_EPSILON, C_LOW, C_HIGH)
ONE_DATA_SET = "a loss and a data set, the same for every algorithm"
ONE_LAW = "a loss and a distribution, the same for every algorithm"
TOO_LARGE = (
    "False (constant): on the unit ball 1-Lipschitz and 1-strongly convex leave only |theta|^2/2 + c(x), which theta = 0 "
    "minimises for every x. False (domain) for n far below the limit, whatever the slope: the excess is bounded, the rate "
    "grows like 1/n^2; C the unit ball, epsilon = 1, n = d^{1/4}, delta = n^{-2}, d -> infinity. False to the letter: with "
    "one data set (law) for all algorithms the constant answer that is best on it has excess 0; the proof gives one for each "
    "algorithm."
)

claims = [
    Claim(
        id="lp/thm-5",
        title="lower bound for the population risk",
        kind=Kind.LOWER,
        source=LP.at("Theorem 5", "proof of Theorem 5", "Theorems 11 and 12"),
        says="Let C be a symmetric convex body in the unit l2 ball with |C|_2 = 1. For any n = O(sqrt(d ln(1/delta)) / "
        "epsilon), epsilon = O(1) and 2^{-Omega(n)} <= delta <= n^{-(1 + Omega(1))}, there are a loss, 1-Lipschitz in the l2 "
        "norm and C_min^2-strongly convex in |.|_C, and a distribution, such that every (epsilon, delta)-DP algorithm on n "
        "records has expected excess population risk Omega(max(G_C^2 ln(1/delta) / ((ln 2d)^4 epsilon^2 n^2), 1/n)).",
        uses=("lp/thm-11", "lp/thm-12"),
        parameters=(WIDTH, D, EPSILON, DELTA, N, C_MIN, C_NORM, C_N, *CONSTANTS),
        formulas={"rate": population_rate, "strong_convexity": strong_convexity, "largest_n": largest_n},
        asserts=(Relation("E[population loss of theta_priv] - least population loss on C", ">=Omega", "rate"),),
        preconditions=(*HARD_SET, FEW_RECORDS),
        over=("symmetric convex bodies C", ONE_LAW, "(epsilon, delta)-DP algorithms"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="theta_priv",
        provenance=Provenance.REBUILT,
        note="Rebuilt from its proof, whose loss |theta - x|^2/2 is 2-Lipschitz: that reading escapes the first defect below, "
        "not the second. "
        + TOO_LARGE
        + " Also: Theorem 12 turns an algorithm of (epsilon/(4 ln(1/delta)), ...) into one of (epsilon, delta); the proof "
        "applies Theorem 11 at the same epsilon and delta to both, so the bound it really gives is smaller by (4 "
        "ln(1/delta))^2. The two terms of the maximum come from different instances. The proof's text states the conclusion "
        "once for a data set and once for a distribution.",
    ),
    Claim(
        id="lp/thm-11",
        title="lower bound for the empirical risk",
        kind=Kind.LOWER,
        source=LP.at("Theorem 11", "proof of Theorem 11", "Lemma 10"),
        says="Let C be a symmetric convex body in the unit l2 ball with |C|_2 = 1. For any n = O(sqrt(d ln(1/delta)) / "
        "epsilon), epsilon = O(1) and 2^{-Omega(n)} <= delta <= n^{-(1 + Omega(1))}, there are a loss, 1-Lipschitz in the l2 "
        "norm and C_min^2-strongly convex in |.|_C, and n points of C, such that every (epsilon, delta)-DP algorithm has "
        "expected excess empirical loss Omega(G_C^2 ln(1/delta) / ((ln 2d)^4 epsilon^2 n^2)). Proof: the loss is |theta - "
        "x|_2^2 / 2, said to be 1-Lipschitz for theta and x in C and 1-strongly convex in the l2 norm; the mean loss is "
        "written (1/(2n)) times the sum of |theta - x_i|_2^2, its excess is |theta - mean|_2^2 / 2; an error o(rate) would "
        "contradict Lemma 9 at alpha = o(G_C sqrt(ln(1/delta)) / ((ln 2d)^2 epsilon n)).",
        uses=("lp/lem-10", "lp/lem-9"),
        parameters=(WIDTH, D, EPSILON, DELTA, N, C_MIN, C_NORM, C_N, *CONSTANTS),
        formulas={"rate": empirical_rate, "strong_convexity": strong_convexity, "largest_n": largest_n},
        asserts=(
            Relation("E[empirical loss of A(D)] - least empirical loss on C", ">=Omega", "rate"),
            Relation("|theta - x|_2^2 / 2", "is", "1-Lipschitz in the l2 norm for theta and x in C", step=True),
            Relation("|theta - x|_2^2 / 2", "is", "C_min^2-strongly convex in |.|_C", step=True),
        ),
        preconditions=(*HARD_SET, FEW_RECORDS),
        over=("symmetric convex bodies C", ONE_DATA_SET, "(epsilon, delta)-DP algorithms"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the output of A",
        note=TOO_LARGE
        + " The loss has slope |theta - x|_2, up to 2 on C (theta = -x of norm 1), so it is 2-Lipschitz; halving it halves "
        "the strong convexity. Lemma 9 needs alpha <= G_C / (c sqrt(d) (ln 2d)^2), that is n at least of order sqrt(d "
        "ln(1/delta)) / epsilon, opposite to the theorem's condition: only n of that order is left. The display of the mean "
        "loss has both 1/(2n) and l, a factor 1/2 twice.",
    ),
    Claim(
        id="lp/lem-9",
        title="records needed for a private mean",
        kind=Kind.BOUND,
        unproved=True,
        source=LP.at("Lemma 9", "display (9)", "definitions before it"),
        says="For an algorithm A let SC(C, A, alpha) be the least n such that sup over data sets of at most n points of C of "
        "(E|A(D) - mean of D|_2^2)^{1/2} is at most alpha, and SC(C, alpha) its minimum over (epsilon, delta)-DP algorithms. "
        "For a symmetric convex body C in the unit l2 ball, epsilon = O(1), 2^{-Omega(n)} <= delta <= n^{-(1 + Omega(1))} "
        "and alpha <= G_C / (c sqrt(d) (ln 2d)^2), c absolute: SC(C, alpha) = Omega(G_C sqrt(ln(1/delta)) / ((ln 2d)^2 alpha "
        "epsilon)) and O(min(G_C sqrt(ln(1/delta)) / (alpha^2 epsilon), sqrt(d ln(1/delta)) / (alpha epsilon))). If G_C = "
        "Omega(sqrt(d)), then SC(C, alpha) is of order sigma(epsilon, delta) sqrt(d) / alpha for every alpha <= 1/c.",
        parameters=(WIDTH, D, EPSILON, DELTA, N, ALPHA, C_ALPHA, C_NORM, *CONSTANTS),
        formulas={
            "lower_rate": samples_lower_rate,
            "upper_rate": samples_upper_rate,
            "full_width_rate": samples_full_width_rate,
            "largest_alpha": largest_alpha,
        },
        asserts=(
            Relation("SC(C, alpha)", ">=Omega", "lower_rate"),
            Relation("SC(C, alpha)", "<=O", "upper_rate"),
            Relation("lower_rate", "<=O", "upper_rate"),
        ),
        preconditions=(
            *HARD_SET,
            Predicate(
                "alpha <= G_C / (c sqrt(d) (ln 2d)^2)",
                alpha_is_small,
                accepts={"alpha": "0.01", "G_C": "10", "c": "1", "d": 100},
                rejects={"alpha": "1", "G_C": "10", "c": "1", "d": 100},
            ),
        ),
        over=("symmetric convex bodies C in the unit l2 ball", "(epsilon, delta)-DP algorithms"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the estimate of the mean",
        provenance=Provenance.REPAIRED,
        note="Cited from Kattis and Nikolov 2016. Mended: 'S' and 'C_mp' of the second line belong together. sigma(epsilon, "
        "delta) is not defined; read as sqrt(ln(1/delta)) / epsilon. By its definitions false (misprint): with data "
        "sets of at most n points the supremum includes those of one point and grows with n, so the minimum over n is 1 or "
        "does not exist. Meant is data sets of exactly n points; then the lower rate is false too (domain), at d = 1 and delta "
        "= e^{-n/2}. delta's range depends on n, which the statement "
        "minimises over.",
    ),
    Claim(
        id="lp/thm-12",
        title="from empirical to population risk",
        kind=Kind.PRIVACY,
        unproved=True,
        source=LP.at("Theorem 12"),
        says="Reduction. For any gamma > 0: from an (epsilon / (4 ln(1/delta)), e^{-epsilon} delta / (8 ln(2/delta)))-DP "
        "algorithm A whose expected excess population risk is below gamma for every distribution, one gets an (epsilon, "
        "delta)-DP algorithm B whose expected excess empirical loss is below gamma on every data set of n records. (B runs A "
        "on n draws with replacement from the data set.)",
        parameters=(EPSILON, DELTA, EXCESS, N),
        formulas={"epsilon_of_A": epsilon_of_population_algorithm, "delta_of_A": delta_of_population_algorithm},
        asserts=(
            Relation("B", "is", "(epsilon, delta)-DP"),
            Relation("E[empirical loss of B(D)] - least empirical loss", "<", "gamma"),
        ),
        over=("algorithms A", "losses", "data sets of n records"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the output of B",
        note="Cited from Bassily et al. 2019; no range of epsilon, delta and n is printed, and B is described there. B's "
        "budget is group privacy over the Binomial(n, 1/n) copies of a record. False at n = 1 for delta > "
        "e^{-1/4}, where one copy is certain and epsilon_of_A exceeds epsilon: delta = 0.9, epsilon = 5, A randomised "
        "response with epsilon_of_A = 11.9 gives B = A a delta of 0.999. True for n >= 2 (copies fail with "
        "probability at most 3/4 there) and for delta small.",
    ),
    Claim(
        id="lp/thm-12-amended",
        amends="lp/thm-12",
        kind=Kind.PRIVACY,
        source=LP.at("Theorem 12"),
        says="The reduction for n >= 2, or n = 1 and delta <= e^{-1/4}: with A as printed, B(D) = A(n draws with replacement "
        "from D) is (epsilon, delta)-DP, and its expected excess empirical loss is below gamma on every data set of n records.",
        parameters=(EPSILON, DELTA, EXCESS, N),
        formulas={"epsilon_of_A": epsilon_of_population_algorithm, "delta_of_A": delta_of_population_algorithm},
        asserts=(
            Relation("A on n draws with replacement from the data set", "is", "(epsilon, delta)-DP"),
            Relation("E[empirical loss of B(D)] - least empirical loss", "<", "gamma"),
        ),
        preconditions=(
            Predicate(
                "n >= 2 or delta <= e^{-1/4}",
                copies_are_covered,
                accepts={"n": 1, "delta": "0.7"},
                rejects={"n": 1, "delta": "0.8"},
            ),
        ),
        over=("algorithms A", "losses", "data sets of n records"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the output of B",
    ),
]
