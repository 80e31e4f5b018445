"""Amplification by shuffling: local randomisers run on records in random order are more private than each alone."""

from fractions import Fraction
from random import Random

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.contract import PROBABILITY, SUM_SCALED, Inputs, contract
from dpsco.spec.domain import Parameter, closed_unit, positive
from dpsco.spec.expressions import exp, log, sqrt, symbols
from dpsco.spec.lemmas import Status, lemma
from dpsco.spec.nouns import INTEGER, Noun
from dpsco.spec.papers import LP
from dpsco.spec.parameters import DELTA, EPSILON, N
from dpsco.spec.predicate import Predicate
from dpsco.spec.statement import Statement, Symbol, bounded_by, statement

delta, delta_0, epsilon, epsilon_0, n = symbols("delta delta_0 epsilon epsilon_0 n")

EPSILON_0 = Parameter("epsilon_0", "epsilon of one local randomiser", positive, "nat")
DELTA_0 = Parameter("delta_0", "delta of one local randomiser", closed_unit)
HARD: tuple[Inputs, ...] = tuple(
    {"epsilon": share * epsilon_0, "epsilon_0": epsilon_0, "n": n}
    for n in (1, 2, 3, 40)
    for epsilon_0 in (5e-324, 1e-300, 1e-9, 0.1, 1.0, 5.0, 40.0, 700.0)
    for share in (0.0, 1e-9, 0.3, 0.5, 0.999999, 1.0, 1.5)
)


def any_shuffle(random: Random) -> Inputs:
    """A randomiser, a number of records small enough to sum in full, and an epsilon mostly below the randomiser's."""
    epsilon_0 = random.choice((random.uniform(0.01, 3), random.uniform(0.01, 12), 10 ** random.uniform(-12, 2)))
    share = random.choice((random.random(), 10 ** random.uniform(-9, 0), 1 - 10 ** random.uniform(-9, 0)))
    return {"epsilon": share * epsilon_0, "epsilon_0": epsilon_0, "n": random.choice((1, 2, 5, 20, 60, random.randint(1, 80)))}


@contract(metric=SUM_SCALED, range=PROBABILITY, generate=any_shuffle, hard=HARD)
def clones(epsilon: float, epsilon_0: float, n: int) -> float:
    """A delta for which n shuffled epsilon_0-DP randomisers, each free to read the outputs before it, are (epsilon, delta)-DP.

    delta = E[g b_C(j - 1) - h T_C(j)]
    C ~ Bin(n - 1, e^-epsilon_0), b_c the probabilities and T_c(j) = sum_{k >= j} b_c(k) the tail of Bin(c, 1/2)
    j = floor((c + 1) (1 + tanh(epsilon/2) / tanh(epsilon_0/2)) / 2) + 1
    g = max(0, e^epsilon_0 - e^epsilon) / (e^epsilon_0 + 1), h = e^epsilon - 1

    Domain   epsilon >= 0, epsilon_0 in (0, 700] (nats), n >= 1
    Returns  delta, a probability: the profile of the pair (A + D, C - A + 1 - D), (A + 1 - D, C - A + D), A ~ Bin(C, 1/2),
             D ~ Bernoulli(e^epsilon_0 / (e^epsilon_0 + 1))
    Source   Feldman, McMillan and Talwar 2022 (arXiv 2012.12803), the reduction behind Theorem 3.1
    """


@contract(metric=SUM_SCALED, range=PROBABILITY, generate=any_shuffle, hard=HARD)
def binary(epsilon: float, epsilon_0: float, n: int) -> float:
    """Least delta of n shuffled binary randomised responses for a record among n - 1 that all hold the same other bit.

    delta = max(g b(j - 1) - h P(K >= j), g b(i) - h P(K <= i - 1)), K ~ Bin(n - 1, 1 / (e^epsilon_0 + 1)), b its probabilities
    j = floor(n r / (e^epsilon_0 + r)) + 1, i = ceil(n / (1 + r e^epsilon_0)) - 1
    r = (e^{epsilon + epsilon_0} - 1) / (e^epsilon_0 - e^epsilon), g and h as in `clones`

    Domain   epsilon >= 0, epsilon_0 in (0, 700] (nats), n >= 1
    Returns  delta, a probability: a lower bound on what shuffling can promise for every epsilon_0-DP randomiser
    Source   proved here: with k ones P/Q = (e^epsilon_0 q + 1) / (q + e^epsilon_0), q = e^epsilon_0 k / (n - k)
    """


_spread = sqrt(exp(epsilon_0) * log(1 / delta)) / sqrt(n)
epsilon_rate = (1 - exp(-epsilon_0)) * (_spread + exp(epsilon_0) / n)
added_delta_rate = exp(epsilon) * delta_0 * n
"""What is added to delta, before the constant; epsilon is the amplified one."""

epsilon_0_limit = log(n / (16 * log(2 / delta)))
randomiser_is_private_enough = epsilon_0 <= epsilon_0_limit


claims = [
    Claim(
        id="lp/lem-16",
        title="privacy amplification by shuffling",
        kind=Kind.PRIVACY,
        unproved=True,
        source=LP.at("Lemma 16", "proof of Theorem 9"),
        says="Let R_1, ..., R_n be randomisers, R_i seeing the outputs z_1, ..., z_{i-1} and one record, and (epsilon_0, "
        "delta_0)-DP in that record (replaced by any other) for every value of the earlier outputs. Permute the records "
        "uniformly at random, feed the i-th of the permuted records to R_i in turn, and release z_1, ..., z_n. For every "
        "delta in [0, 1] with epsilon_0 <= ln(n / (16 ln(2/delta))) the release is (epsilon, delta + O(e^epsilon delta_0 "
        "n))-DP with epsilon = O((1 - e^{-epsilon_0}) (sqrt(e^{epsilon_0} ln(1/delta)) / sqrt(n) + e^{epsilon_0} / n)).",
        parameters=(
            EPSILON_0,
            DELTA_0,
            N,
            DELTA.within(closed_unit).means("part of the final delta that is free to choose"),
            EPSILON.means("amplified epsilon"),
        ),
        formulas={"rate": epsilon_rate, "added_delta_rate": added_delta_rate, "epsilon_0_limit": epsilon_0_limit},
        asserts=(
            Relation("epsilon of the release", "<=O", "rate"),
            Relation("delta of the release minus delta", "<=O", "added_delta_rate"),
        ),
        preconditions=(
            Predicate(
                "epsilon_0 <= ln(n / (16 ln(2/delta)))",
                randomiser_is_private_enough,
                accepts={"epsilon_0": "1", "delta": "1e-3", "n": 1000},
                rejects={"epsilon_0": "1", "delta": "1e-3", "n": 300},
            ),
        ),
        over=("sequences of adaptive local randomisers", "data sets of n records"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="all outputs z_1, ..., z_n in the order in which they were computed (the permutation stays secret)",
        note="Cited from Feldman, McMillan and Talwar; both constants are hidden. At delta = 0 the side condition fails, so "
        "the closed lower end of delta's range is empty. For epsilon_0 -> 0 the condition still needs n >= 16 ln(2/delta), "
        "which Theorem 9 uses without saying so.",
    ),
]

_one, _n, _x = symbols("epsilon_0 n x")
_SHUFFLED = (
    "n randomisers R_1, ..., R_n are run in turn on the n records in an order drawn uniformly at random and kept secret; R_i "
    "sees the outputs z_1, ..., z_{i-1} and one record, and is private in that record (replaced by any other) for every "
    "value of the earlier outputs; z_1, ..., z_n are released in this order, and data sets are neighbours if they differ in "
    "one record. "
)

ShuffledEpsilon = Noun(
    "ShuffledEpsilon",
    (("epsilon_0", "real"), ("delta", "real"), ("n", INTEGER)),
    _SHUFFLED + "The least epsilon >= 0 for which the release is (epsilon, delta)-DP whenever every R_i is epsilon_0-DP.",
    domain=(_one > 0, delta >= 0, _n >= 1),
    low=Fraction(0),
)
ShuffledExcess = Noun(
    "ShuffledExcess",
    (("epsilon_0", "real"), ("delta_0", "real"), ("epsilon", "real"), ("n", INTEGER)),
    _SHUFFLED
    + "The least number h >= 0 such that, for every delta for which the release is (epsilon, delta)-DP whenever every R_i "
    "is epsilon_0-DP, it is (epsilon, delta + h)-DP whenever every R_i is (epsilon_0, delta_0)-DP.",
    domain=(_one > 0, delta_0 >= 0, delta_0 <= 1, epsilon >= 0, _n >= 1),
    low=Fraction(0),
    high=Fraction(1),
)
nouns = [ShuffledEpsilon, ShuffledExcess]

_share = (exp(_one) - 1) / (exp(_one) + 1)
amplified = lemma(
    "amplification by shuffling",
    ShuffledEpsilon(_one, delta, _n)
    <= log(1 + _share * (8 * sqrt(exp(_one) * log(4 / delta)) / sqrt(_n) + 8 * exp(_one) / _n)),
    _one > 0,
    delta > 0,
    delta <= 1,
    _n >= 1,
    _one <= log(_n / (16 * log(2 / delta))),
    status=Status.CITED,
    text="Let R^(i) be a sequence of algorithms such that R^(i)(z_{1:i-1}, .) is an epsilon_0-DP local randomiser for all "
    "values of auxiliary inputs. Let A_s be the algorithm that given a data set of n records samples a uniformly random "
    "permutation pi and computes z_i = R^(i)(z_{1:i-1}, x_pi(i)). Then for any delta in [0, 1] such that epsilon_0 <= "
    "log(n/(16 log(2/delta))), A_s is (epsilon, delta)-DP, where epsilon <= log(1 + (e^epsilon_0 - 1)/(e^epsilon_0 + 1) (8 "
    "sqrt(e^epsilon_0 log(4/delta))/sqrt(n) + 8 e^epsilon_0/n)).",
    reference="Feldman, McMillan and Talwar 2022, Hiding among the clones, Theorem 3.1",
    integers="n",
)
trivial = lemma(
    "shuffled randomisers at large delta",
    ShuffledEpsilon(_one, delta, _n) <= 0,
    _one > 0,
    delta > Fraction(1, 2),
    delta <= 1,
    _n >= 1,
    _one <= log(_n / (16 * log(2 / delta))),
    status=Status.PROSE,
    text="Where the side condition holds, the total variation between neighbours is below 1/2.",
    proof="By the reduction to clones (Feldman, McMillan and Talwar 2022, Theorem 3.1 and Lemma 3.5), the pair of releases "
    "is a function of (A + D, C - A + 1 - D) against (A + 1 - D, C - A + D), with C ~ Bin(n - 1, e^-epsilon_0), A ~ Bin(C, "
    "1/2) and D a bit of mean e^epsilon_0/(e^epsilon_0 + 1). Given C = c, the total variation is tanh(epsilon_0/2) times the "
    "largest probability of Bin(c, 1/2) at most: its laws are those of A + D and of A + 1 - D, whose difference is (2 E D - "
    "1) times the difference of the laws of A + 1 and A, and half the sum of |b(j - 1) - b(j)| is the largest b(j) since b "
    "rises and then falls. That largest probability is 1, 1/2, 1/2 for c = 0, 1, 2 and at most 3/8 for c >= 3. The side "
    "condition gives n >= 16 e^epsilon_0 log(2/delta) >= 16 e^epsilon_0 log 2 > 11 e^epsilon_0, so the mean of C is at least "
    "11 - e^-epsilon_0 >= 10. For a binomial law of mean m >= 10, P(C = 0) <= e^-m and P(C <= 2) <= e^-m (1 + m e + (m "
    "e)^2/2) < 0.02 (as (1 - q)^(n - 1 - c) <= e^(-q (n - 1 - c)) and q c <= c). So the total variation is below 3/8 + 0.02 "
    "< 1/2 < delta, and the release is (0, delta)-DP.",
    integers="n",
)
approximate = lemma(
    "shuffled approximate randomisers",
    ShuffledExcess(_one, delta_0, epsilon, _n) <= 2 * (1 + exp(epsilon)) * _n * delta_0,
    _one > 0,
    delta_0 >= 0,
    delta_0 <= 1,
    epsilon >= 0,
    _n >= 1,
    status=Status.PROSE,
    text="A randomiser that is (epsilon_0, delta_0)-DP is within 2 delta_0 of one to which amplification of pure randomisers "
    "applies.",
    proof="If R is (epsilon_0, delta_0)-DP, then R(x) and R(x'), for the record that changes, are but for mass delta_0 the "
    "two answers of an epsilon_0 randomised response between laws Q_0 and Q_1 (Kairouz, Oh and Viswanath 2015), and every "
    "R(y) is at least e^-epsilon_0 ((1 - delta_0) (Q_0 + Q_1)/2 - h) with a signed measure h of total mass at most delta_0. "
    "So there is an R~ to which the reduction to clones applies, with R~(y) within 2 delta_0 of R(y) in total variation for "
    "every y. Replacing R_i by R~_i one after the other moves the law of the n outputs by at most 2 n delta_0 in total "
    "variation on either data set. If P~(S) <= e^epsilon P~'(S) + delta, then P(S) <= P~(S) + 2 n delta_0 <= e^epsilon "
    "(P'(S) + 2 n delta_0) + delta + 2 n delta_0, so delta grows by at most (1 + e^epsilon) 2 n delta_0.",
    integers="n",
)
below_itself = lemma(
    "logarithm below its tangent",
    log(1 + _x) <= _x,
    _x >= 0,
    status=Status.KERNEL,
    text="log(1 + x) <= x for x >= 0.",
)
lemmas = [amplified, trivial, approximate, below_itself]

statements: list[Statement] = [
    statement(
        "lp/lem-16",
        "n shuffled (epsilon_0, delta_0)-DP randomisers are (epsilon, delta + O(e^epsilon delta_0 n))-DP for an epsilon of "
        "the printed order",
        bounded_by(
            ShuffledEpsilon(_one, delta, _n),
            (1 - exp(-_one)) * (sqrt(exp(_one) * log(1 / delta)) / sqrt(_n) + exp(_one) / _n),
        ),
        bounded_by(ShuffledExcess(_one, delta_0, epsilon, _n), exp(epsilon) * delta_0 * _n),
        source=str(LP.at("Lemma 16", "proof of Theorem 9")),
        symbols=(
            Symbol("epsilon_0", "epsilon of one local randomiser", unit="nat"),
            Symbol("delta_0", "delta of one local randomiser"),
            Symbol("n", "number of records", INTEGER),
            Symbol("delta", "part of the final delta that is free to choose"),
            Symbol("epsilon", "amplified epsilon", unit="nat"),
        ),
        domain={
            _one > 0: {"epsilon_0": 0},
            delta_0 >= 0: {"delta_0": -1},
            delta_0 <= 1: {"delta_0": 2},
            _n >= 1: {"n": 0},
            delta > 0: {"delta": 0},
            delta <= 1: {"delta": 2},
            epsilon > 0: {"epsilon": 0},
            _one <= log(_n / (16 * log(2 / delta))): {"n": 300},
        },
        inside={"epsilon_0": 1, "delta_0": "1/1000", "n": 1000, "delta": "1/1000", "epsilon": 1},
        note="At delta = 0 the side condition fails. The second assertion is for every epsilon.",
    ),
]
