"""Freedman's inequality: Bernstein's for martingales, with the conditional variances summed."""

from dataclasses import replace

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Parameter, nonnegative, reals
from dpsco.spec.expressions import exp, symbols
from dpsco.spec.papers import LP
from dpsco.spec.parameters import N
from dpsco.spec.predicate import Predicate

deviation, largest_term, least_term, variance = symbols("deviation largest_term least_term variance")


tail_bound = exp(-(deviation**2) / (2 * variance + 2 * deviation / 3))
terms_lie_in_the_unit_interval = all_of(least_term >= 0, largest_term <= 1)


claims = [
    Claim(
        id="lp/lem-18",
        title="Freedman's inequality",
        kind=Kind.BOUND,
        unproved=True,
        source=LP.at("Lemma 18", "display (26)"),
        says="Let X_1, ..., X_n be random variables with 0 <= X_i <= 1, S_n their sum, and K_n the sum over t of the "
        "variances of X_t conditional on X_1, ..., X_{t-1}. For all a >= 0 and k >= 0, the probability that the sum of the "
        "conditional means E[X_t | X_1, ..., X_{t-1}] exceeds S_n by at least a while K_n <= k is at most exp(-a^2 / (2 k + "
        "2 a / 3)).",
        parameters=(
            N.means("number of terms"),
            Parameter("deviation", "a (printed epsilon): excess of the conditional means over the sum", nonnegative),
            Parameter("variance", "k: bound on the sum of conditional variances", nonnegative),
            Parameter("least_term", "essential infimum of the terms", reals),
            Parameter("largest_term", "essential supremum of the terms", reals),
        ),
        formulas={"bound": tail_bound},
        asserts=(Relation("P(sum of conditional means - S_n >= deviation and K_n <= variance)", "<=", "bound"),),
        preconditions=(
            Predicate(
                "0 <= X_i <= 1",
                terms_lie_in_the_unit_interval,
                accepts={"least_term": "0", "largest_term": "1"},
                rejects={"least_term": "-1", "largest_term": "1"},
            ),
        ),
        over=("sequences of random variables adapted to their own past",),
        note="The print writes E[X_n | X_1, ..., X_{n-1}] under a sum over i, three times; the summation index is "
        "meant, and judged beside. At a = k = 0 the exponent is 0/0; read as 0 the bound "
        "is 1. The bound is for one direction only; the other follows by passing to 1 - X_t. For terms in an interval of "
        "width w the scaled bound has 2 w a / 3 in the denominator: the width counts, not the largest absolute value.",
    ),
]
claims.append(
    replace(
        claims[0],
        id="lp/lem-18-amended",
        amends="lp/lem-18",
        says=f"With the summation index in the place of n: {claims[0].says}",
        note="At a = k = 0 the exponent is 0/0; read as 0 the bound is 1.",
    )
)
