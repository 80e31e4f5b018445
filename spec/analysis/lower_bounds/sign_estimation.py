"""Sample complexity of private sign vectors: the least n for which the signs of a mean can be told privately."""

from fractions import Fraction

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Integers, Parameter, nonnegative, positive
from dpsco.spec.expressions import E, exp, log, sqrt, symbols
from dpsco.spec.lemmas import Status, lemma
from dpsco.spec.nouns import INTEGER, Noun
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import B_X, DELTA, EPSILON, GAMMA, D, N
from dpsco.spec.predicate import Predicate
from dpsco.spec.statement import Statement, Symbol, at_least_order, statement

B_x, alpha, d, delta, epsilon, epsilon_resampled = symbols("B_x alpha d delta epsilon epsilon_resampled")
gamma, n = symbols("gamma n")

ACCURACY = Parameter("alpha", "largest expected error that is allowed", positive, "feature")
EPSILON_RESAMPLED = Parameter(
    "epsilon_resampled", "epsilon' of the sign estimator, u epsilon in the reduction", positive, "nat"
)
ANY_DELTA = DELTA.within(nonnegative)


samples_needed = sqrt(d) / (alpha * epsilon_resampled * log(d))
error_at_resampled = sqrt(d) / (n * (3 * sqrt(log(1 / gamma)) + 1) * epsilon * log(d))
"""With epsilon' = (3 sqrt(ln(1/gamma)) + 1) epsilon."""

error_at_epsilon = sqrt(d) / (n * epsilon * log(d))
error_with_logarithm = sqrt(d) / (n * epsilon * sqrt(1 + log(1 / gamma)) * log(d))
"""What epsilon' leaves of the rate in epsilon."""

_factor = 3 * sqrt(log(1 / gamma)) + 1
_delta_resampled = _factor * delta * exp(_factor * epsilon) + gamma
epsilon_is_resampled = epsilon_resampled <= (3 * sqrt(log(1 / gamma)) + 1) * epsilon
records_are_enough = all_of(E(1) <= n * epsilon_resampled, epsilon_resampled <= 1)
delta_resampled_at_most = _delta_resampled <= epsilon_resampled / 40
accuracy_at_most = alpha <= sqrt(d) * B_x / 4


claims = [
    Claim(
        id="quantile/thm-3.7-sample",
        title="records needed for private signs",
        kind=Kind.LOWER,
        source=QUANTILE.at("Appendix A.6, step 4, display (16)"),
        says="Let S(alpha, epsilon', delta') be the least n for which some (epsilon', delta')-DP map from n feature vectors "
        "with entries +-B_x/sqrt(d) to signs has expected error sum_j |xbar_j| 1{wrong sign} at most alpha on all inputs. For "
        "the epsilon' = u epsilon and delta' = u delta e^{u epsilon} + gamma of the resampling step, S >= "
        "Omega(sqrt(d)/(alpha epsilon' ln d)); hence the least worst-case error with n records is at least Omega(sqrt(d)/(n "
        "epsilon' ln d)), said to equal Omega(sqrt(d)/(n epsilon ln d)).",
        uses=("quantile/thm-3.7-resampling",),
        parameters=(N, D.within(Integers(2)), EPSILON, EPSILON_RESAMPLED, ANY_DELTA, GAMMA, ACCURACY, B_X),
        formulas={
            "samples_needed": samples_needed,
            "error_at_resampled": error_at_resampled,
            "error_at_epsilon": error_at_epsilon,
        },
        asserts=(
            Relation("S(alpha, epsilon', delta')", ">=Omega", "samples_needed", step=True),
            Relation("least worst-case error with n records", ">=Omega", "error_at_resampled", step=True),
            Relation("error_at_resampled", ">=Omega", "error_at_epsilon", step=True),
        ),
        over=("every (epsilon', delta')-DP sign estimator, replace-one",),
        note="Taken from Asi et al. (2021), Proposition 1 and Lemma D.2, whose conditions (delta' small against 1/n, alpha "
        "small) are not repeated. False: alpha >= sqrt(d) B_x makes S = 1 while the bound grows as epsilon' -> 0; delta' near "
        "1 removes it; and the passage from epsilon' to epsilon hides u = 3 sqrt(ln(1/gamma)) + 1, which must grow since "
        "gamma <= delta' must be below 1/n (a factor sqrt(ln n)). d = 1 is left out here because ln d = 0 leaves no printed "
        "value.",
    ),
    Claim(
        id="quantile/thm-3.7-sample-amended",
        amends="quantile/thm-3.7-sample",
        kind=Kind.LOWER,
        source=QUANTILE.at("Appendix A.6, step 4, display (16)"),
        says="For 1/n <= epsilon' <= 1, delta' <= epsilon'/40 and alpha <= sqrt(d) B_x/4, epsilon' <= u epsilon: the sample "
        "complexity and the least worst-case error are as printed, and the passage from epsilon' to epsilon costs the factor "
        "sqrt(1 + ln(1/gamma)).",
        parameters=(N, D.within(Integers(2)), EPSILON, EPSILON_RESAMPLED, ANY_DELTA, GAMMA, ACCURACY, B_X),
        formulas={
            "samples_needed": samples_needed,
            "error_at_resampled": error_at_resampled,
            "error_at_epsilon": error_with_logarithm,
        },
        asserts=(
            Relation("S(alpha, epsilon', delta')", ">=Omega", "samples_needed"),
            Relation("least worst-case error with n records", ">=Omega", "error_at_resampled"),
            Relation("error_at_resampled", ">=Omega", "error_at_epsilon"),
        ),
        preconditions=(
            Predicate(
                "epsilon' is at most u epsilon, u = 3 sqrt(ln(1/gamma)) + 1 (the reduction has epsilon' = u epsilon)",
                epsilon_is_resampled,
                accepts={"epsilon": "0.1", "epsilon_resampled": "0.5", "gamma": "0.001"},
                rejects={"epsilon": "0.1", "epsilon_resampled": "1", "gamma": "0.5"},
            ),
            Predicate(
                "epsilon' is between 1/n and 1",
                records_are_enough,
                accepts={"n": 4, "epsilon_resampled": "0.5"},
                rejects={"n": 4, "epsilon_resampled": "0.125"},
            ),
            Predicate(
                "delta' is at most epsilon'/40",
                delta_resampled_at_most,
                accepts={"epsilon": "0.1", "delta": "0", "gamma": "0.001", "epsilon_resampled": "0.9"},
                rejects={"epsilon": "0.1", "delta": "0", "gamma": "0.1", "epsilon_resampled": "0.9"},
            ),
            Predicate(
                "alpha is at most a quarter of the largest error",
                accuracy_at_most,
                accepts={"alpha": "0.25", "d": 4, "B_x": "1"},
                rejects={"alpha": "1", "d": 4, "B_x": "1"},
            ),
        ),
        over=("every (epsilon', delta')-DP sign estimator, replace-one",),
        adjacency=Adjacency.REPLACE_ONE,
    ),
]

SignSamples = Noun(
    "SignSamples",
    (("alpha", "real"), ("epsilon", "real"), ("delta", "real"), ("d", INTEGER), ("B_x", "real")),
    "1 over the least n >= 1 for which some map from n vectors of R^d with entries +-B_x/sqrt(d) to {-1, 1}^d, (epsilon, "
    "delta)-DP when one vector is replaced, has on every input the expected error sum over j of |xbar_j| 1{the j-th sign is "
    "not that of xbar_j} of at most alpha, xbar the mean of the vectors; 0 where there is no such n.",
    domain=(*(one > 0 for one in symbols("alpha epsilon B_x")), symbols("delta")[0] >= 0, d >= 1),
    low=Fraction(0),
    high=Fraction(1),
)
SignError = Noun(
    "SignError",
    (("n", INTEGER), ("epsilon", "real"), ("delta", "real"), ("d", INTEGER), ("B_x", "real")),
    "The infimum over the (epsilon, delta)-DP maps from n vectors of R^d with entries +-B_x/sqrt(d) to {-1, 1}^d, neighbours "
    "by replacing one vector, of the largest expected error over inputs, the error being that of SignSamples.",
    domain=(n >= 1, *(one > 0 for one in symbols("epsilon B_x")), symbols("delta")[0] >= 0, d >= 1),
    low=Fraction(0),
)
nouns = [SignSamples, SignError]

_delta = symbols("delta")[0]
constant_answer = lemma(
    "an answer without data",
    SignSamples(alpha, epsilon, _delta, d, B_x) >= 1,
    epsilon > 0,
    _delta >= 0,
    B_x > 0,
    d >= 1,
    alpha >= sqrt(d) * B_x,
    status=Status.PROSE,
    text="If the error allowed is that of the worst answer, one record is enough.",
    proof="Answer (1, ..., 1) whatever the data are. This is (0, 0)-DP. As |xbar_j| <= B_x/sqrt(d) for every j, the error is "
    "at most d B_x/sqrt(d) = sqrt(d) B_x <= alpha. So n = 1 serves, and 1 over the least n is 1.",
    integers="d",
)
constant_error = lemma(
    "error of an answer without data",
    SignError(n, epsilon, _delta, d, B_x) <= sqrt(d) * B_x,
    n >= 1,
    epsilon > 0,
    _delta >= 0,
    B_x > 0,
    d >= 1,
    status=Status.PROSE,
    text="Whatever the number of records, the least error is at most that of the worst answer.",
    proof="Answer (1, ..., 1) whatever the data are. This is (0, 0)-DP. As |xbar_j| <= B_x/sqrt(d) for every j, the error is "
    "at most d B_x/sqrt(d) = sqrt(d) B_x on every input, so the infimum is at most that.",
    integers="n d",
)
lemmas = [constant_answer, constant_error]

_u = 3 * sqrt(log(1 / gamma)) + 1
_epsilon = _u * epsilon
_delta_prime = _u * delta * exp(_u * epsilon) + gamma
_samples = sqrt(d) / (alpha * _epsilon * log(d))

statements: list[Statement] = [
    statement(
        "quantile/thm-3.7-sample",
        "Private signs need sqrt(d)/(alpha epsilon' ln d) records, and leave an error of sqrt(d)/(n epsilon ln d)",
        at_least_order(1 / _samples, SignSamples(alpha, _epsilon, _delta_prime, d, B_x)),
        at_least_order(SignError(n, _epsilon, _delta_prime, d, B_x), sqrt(d) / (n * _epsilon * log(d))),
        at_least_order(sqrt(d) / (n * _epsilon * log(d)), sqrt(d) / (n * epsilon * log(d))),
        source=str(QUANTILE.at("Appendix A.6, step 4, display (16)")),
        says="With epsilon' = u epsilon, u = 3 sqrt(ln(1/gamma)) + 1, and delta' = u delta e^(u epsilon) + gamma: S >= "
        "Omega(samples), written 1/samples >= Omega(1/S) so that no S is infinite; the least worst-case error; and the "
        "passage from epsilon' to epsilon.",
        symbols=(
            Symbol("n", "number of records", INTEGER),
            Symbol("d", "dimension", INTEGER),
            Symbol("epsilon", "privacy parameter before the resampling", unit="nat"),
            Symbol("delta", "delta before the resampling"),
            Symbol("gamma", "probability of failure of the resampling"),
            Symbol("alpha", "largest expected error that is allowed", unit="feature"),
            Symbol("B_x", "bound on the norm of a feature vector", unit="feature"),
        ),
        domain={
            n >= 1: {"n": 0},
            d >= 2: {"d": 1},
            epsilon > 0: {"epsilon": 0},
            delta >= 0: {"delta": -1},
            gamma > 0: {"gamma": 0},
            gamma < 1: {"gamma": 1},
            alpha > 0: {"alpha": 0},
            B_x > 0: {"B_x": 0},
        },
        inside={"n": 10, "d": 2, "epsilon": 1, "delta": 0, "gamma": "1/2", "alpha": 1, "B_x": 1},
    ),
]
