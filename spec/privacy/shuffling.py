"""Amplification by shuffling: local randomisers run on records in random order are more private than each alone."""

from random import Random

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.contract import PROBABILITY, SUM_SCALED, Inputs, contract
from dpsco.spec.domain import Parameter, closed_unit, positive
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import LP
from dpsco.spec.parameters import DELTA, EPSILON, N
from dpsco.spec.predicate import Predicate

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


def epsilon_rate(m: Numbers, epsilon_0: Real, delta: Real, n: Real) -> Real:
    spread = m.sqrt(m.exp(epsilon_0) * m.log(1 / delta)) / m.sqrt(n)
    return (1 - m.exp(-epsilon_0)) * (spread + m.exp(epsilon_0) / n)


def added_delta_rate(m: Numbers, epsilon: Real, delta_0: Real, n: Real) -> Real:
    """What is added to delta, before the constant; epsilon is the amplified one."""
    return m.exp(epsilon) * delta_0 * n


def epsilon_0_limit(m: Numbers, delta: Real, n: Real) -> Real:
    return m.log(n / (16 * m.log(2 / delta)))


def randomiser_is_private_enough(m: Numbers, epsilon_0: Real, delta: Real, n: Real) -> Truth:
    return m.le(epsilon_0, epsilon_0_limit(m, delta, n))


claims = [
    Claim(
        id="lp/lem-16",
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
