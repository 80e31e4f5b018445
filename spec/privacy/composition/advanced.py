"""Advanced composition: k adaptive (epsilon, delta)-DP mechanisms lose about sqrt(k) epsilon, for an additive slack in "
"delta."""

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Interval, Parameter, nonnegative
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import DELTA, EPSILON, K_FOLD
from dpsco.spec.predicate import Predicate


def epsilon_composed(m: Numbers, k: Real, epsilon: Real, delta_slack: Real) -> Real:
    return epsilon * m.sqrt(2 * k * m.log(1 / delta_slack)) + k * epsilon * (m.exp(epsilon) - 1)


def delta_composed(m: Numbers, k: Real, delta: Real, delta_slack: Real) -> Real:
    return k * delta + delta_slack


def slack_has_a_logarithm(m: Numbers, delta_slack: Real) -> Truth:
    return m.all(m.gt(delta_slack, 0), m.le(delta_slack, 1))


claims = [
    Claim(
        id="newsvendor/lem-EC.3",
        kind=Kind.PRIVACY,
        unproved=True,
        source=NEWSVENDOR.at("Lemma EC.3"),
        unproved=True,
        says="For all epsilon, delta, delta' >= 0: k mechanisms, each (epsilon, delta)-DP and chosen adaptively on what the "
        "earlier ones returned, are together (epsilon sqrt(2 k ln(1/delta')) + k epsilon (e^epsilon - 1), k delta + "
        "delta')-DP.",
        parameters=(
            EPSILON.within(nonnegative).means("epsilon of each mechanism"),
            DELTA.within(nonnegative).means("delta of each mechanism"),
            Parameter("delta_slack", "delta': what composition may add to delta", nonnegative),
            K_FOLD,
        ),
        formulas={"epsilon_composed": epsilon_composed, "delta_composed": delta_composed},
        asserts=(Relation("k-fold adaptive composition", "is", "(epsilon_composed, delta_composed)-DP"),),
        preconditions=(
            Predicate(
                "0 < delta' <= 1: the printed expression is a number",
                slack_has_a_logarithm,
                accepts={"delta_slack": "0.5"},
                rejects={"delta_slack": "2"},
            ),
        ),
        over=("every adaptive choice of k (epsilon, delta)-DP mechanisms",),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the answers of all k mechanisms",
        note="The lemma holds for any one adjacency common to the k mechanisms. The printed range delta' >= 0 has values where "
        "epsilon_composed is no number: at delta' = 0 the logarithm is infinite, for delta' > 1 it is negative (a delta above "
        "1 asks nothing). The paper that it cites prints the same range.",
    ),
    Claim(
        id="newsvendor/lem-EC.3-amended",
        amends="newsvendor/lem-EC.3",
        kind=Kind.PRIVACY,
        source=NEWSVENDOR.at("Lemma EC.3"),
        says="For all epsilon, delta >= 0 and 0 <= delta' <= 1: k mechanisms, each (epsilon, delta)-DP and chosen adaptively "
        "on what the earlier ones returned, are together (epsilon sqrt(2 k ln(1/delta')) + k epsilon (e^epsilon - 1), k delta "
        "+ delta')-DP, ln(1/0) being infinity.",
        parameters=(
            EPSILON.within(nonnegative).means("epsilon of each mechanism"),
            DELTA.within(nonnegative).means("delta of each mechanism"),
            Parameter("delta_slack", "delta': what composition may add to delta", Interval("0", "1", False, False)),
            K_FOLD,
        ),
        formulas={"epsilon_composed": epsilon_composed, "delta_composed": delta_composed},
        asserts=(Relation("k-fold adaptive composition", "is", "(epsilon_composed, delta_composed)-DP"),),
        over=("every adaptive choice of k (epsilon, delta)-DP mechanisms",),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the answers of all k mechanisms",
    ),
]
