"""Advanced composition: k adaptive (epsilon, delta)-DP mechanisms lose about sqrt(k) epsilon, for an additive slack in "
"delta."""

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Interval, Parameter, nonnegative
from dpsco.spec.expressions import Condition, Number, exp, log, sqrt, symbols
from dpsco.spec.nouns import INTEGER
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import DELTA, EPSILON, K_FOLD
from dpsco.spec.predicate import Predicate
from dpsco.spec.privacy.composition.adaptive import Adaptive
from dpsco.spec.privacy.profile import LeastDelta, LeastDeltaAtInfinity, Private
from dpsco.spec.statement import Assertion, Statement, Symbol, asserted, statement

delta, delta_slack, epsilon, k = symbols("delta delta_slack epsilon k")


epsilon_composed = epsilon * sqrt(2 * k * log(1 / delta_slack)) + k * epsilon * (exp(epsilon) - 1)
delta_composed = k * delta + delta_slack
slack_has_a_logarithm = all_of(delta_slack > 0, delta_slack <= 1)


claims = [
    Claim(
        id="newsvendor/lem-EC.3",
        title="advanced composition",
        kind=Kind.PRIVACY,
        unproved=True,
        source=NEWSVENDOR.at("Lemma EC.3"),
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

_composition = Adaptive(Private(epsilon, delta, neighbours=Adjacency.REPLACE_ONE), k)
_total = epsilon * sqrt(2 * k * log(1 / delta_slack)) + k * epsilon * (exp(epsilon) - 1)


def _rule(
    id: str, title: str, slack: dict[Condition, dict[str, Number]], *beside: Condition | Assertion, amends: str | None = None
) -> Statement:
    return statement(
        id,
        title,
        LeastDelta(_composition, _total) <= k * delta + delta_slack,
        *map(asserted, beside),
        source=str(NEWSVENDOR.at("Lemma EC.3")),
        symbols=(
            Symbol("epsilon", "epsilon of each mechanism", unit="nat"),
            Symbol("delta", "delta of each mechanism"),
            Symbol("delta_slack", "delta': what composition may add to delta"),
            Symbol("k", "number of composed mechanisms", INTEGER),
        ),
        domain={
            epsilon >= 0: {"epsilon": -1},
            delta >= 0: {"delta": -1},
            **slack,
            k >= 1: {"k": 0},
        },
        inside={"epsilon": "1/10", "delta": "1e-6", "delta_slack": "1e-5", "k": 100},
        amends=amends,
    )


statements: list[Statement] = [
    _rule(
        "newsvendor/lem-EC.3",
        "k adaptive (epsilon, delta)-DP mechanisms are (epsilon sqrt(2 k ln(1/delta')) + k epsilon (e^epsilon - 1), k delta + "
        "delta')-DP wherever the printed root is a number",
        {delta_slack > 0: {"delta_slack": 0}, log(1 / delta_slack) >= 0: {"delta_slack": 2}},
    ),
    _rule(
        "newsvendor/lem-EC.3-amended",
        "The same for 0 < delta' <= 1, and (infinity, k delta)-DP for delta' = 0",
        {delta_slack > 0: {"delta_slack": 0}, delta_slack <= 1: {"delta_slack": 2}},
        LeastDeltaAtInfinity(_composition) <= k * delta,
        amends="newsvendor/lem-EC.3",
    ),
]
