"""Composition of pure differentially private mechanisms, and the per-step parameter that meets a given total."""

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Interval, Parameter, positive
from dpsco.spec.expressions import Condition, Number, equal, log, sqrt, symbols
from dpsco.spec.nouns import INTEGER
from dpsco.spec.papers import SPO
from dpsco.spec.parameters import DELTA, EPSILON, K_FOLD
from dpsco.spec.predicate import Predicate
from dpsco.spec.privacy.composition.adaptive import Adaptive
from dpsco.spec.privacy.profile import LeastDelta, Private
from dpsco.spec.statement import Statement, Symbol, statement

delta, epsilon, epsilon_0, k = symbols("delta epsilon epsilon_0 k")


basic = k * epsilon
advanced = 3 * k * epsilon**2 / 2 + sqrt(6 * k * log(1 / delta)) * epsilon

_log_term = 2 * log(1 / delta)
per_step = (sqrt(_log_term + 2 * epsilon) - sqrt(_log_term)) / sqrt(3 * k)
"""Parameter of each of k mechanisms that is to give the total `epsilon` at `delta`."""

rule = advanced.where({"epsilon": epsilon_0})
"""The advanced rule for k mechanisms of parameter epsilon_0."""

target = epsilon
slack_is_no_more_than_one = delta <= 1


A_NUMBER = Predicate(
    "0 < delta <= 1: the printed expression is a number",
    slack_is_no_more_than_one,
    accepts={"delta": "0.5"},
    rejects={"delta": "2"},
)

claims = [
    Claim(
        id="spo/lem-3",
        title="composition of pure mechanisms",
        kind=Kind.PRIVACY,
        unproved=True,
        source=SPO.at("Lemma 3", "Appendix B, Definitions 9 to 11"),
        says="The k-fold adaptive composition of epsilon-DP mechanisms is (k epsilon)-DP, and it is also ((3k/2) epsilon^2 + "
        "sqrt(6 k ln(1/delta)) epsilon, delta)-DP for every delta > 0.",
        parameters=(
            EPSILON.means("pure privacy parameter of each mechanism"),
            DELTA.within(positive),
            K_FOLD,
        ),
        formulas={"basic": basic, "advanced": advanced},
        asserts=(
            Relation("the composition", "is", "basic-DP"),
            Relation("the composition", "is", "(advanced, delta)-DP"),
        ),
        preconditions=(A_NUMBER,),
        over=("every adaptive adversary choosing neighbours and mechanisms", "every family of epsilon-DP mechanisms"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="all k outputs",
        note="Cited from lecture notes. The expression is no real number for delta > 1, which the printed range delta > 0 has: "
        "a delta above 1 asks nothing of a mechanism. For 0 < delta <= 1 there is slack: the bound k epsilon "
        "tanh(epsilon/2) + sqrt(2 k ln(1/delta)) epsilon is smaller.",
    ),
    Claim(
        id="spo/lem-3-amended",
        amends="spo/lem-3",
        kind=Kind.PRIVACY,
        source=SPO.at("Lemma 3", "Appendix B, Definitions 9 to 11"),
        says="The k-fold adaptive composition of epsilon-DP mechanisms is (k epsilon)-DP, and it is also ((3k/2) epsilon^2 + "
        "sqrt(6 k ln(1/delta)) epsilon, delta)-DP for every delta in (0, 1].",
        parameters=(
            EPSILON.means("pure privacy parameter of each mechanism"),
            DELTA.within(Interval("0", "1", high_open=False)),
            K_FOLD,
        ),
        formulas={"basic": basic, "advanced": advanced},
        asserts=(
            Relation("the composition", "is", "basic-DP"),
            Relation("the composition", "is", "(advanced, delta)-DP"),
        ),
        over=("every adaptive adversary choosing neighbours and mechanisms", "every family of epsilon-DP mechanisms"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="all k outputs",
    ),
    Claim(
        id="spo/eps0",
        title="privacy parameter of one step",
        kind=Kind.IDENTITY,
        source=SPO.at("Section 4, before Theorem 3"),
        says="If each of k steps is epsilon_0-DP with epsilon_0 = (sqrt(2 ln(1/delta) + 2 epsilon) - sqrt(2 ln(1/delta))) / "
        "sqrt(3k), then the advanced rule of composition gives the total epsilon exactly: (3k/2) epsilon_0^2 + sqrt(6 k "
        "ln(1/delta)) epsilon_0 = epsilon.",
        uses=("spo/lem-3",),
        parameters=(
            EPSILON.means("total privacy parameter"),
            DELTA,
            K_FOLD.means("number of steps composed; the paper does not say whether T or T - 1"),
            Parameter("epsilon_0", "parameter of one step; the claim is about epsilon_0 = per_step", positive, "nat"),
        ),
        formulas={"per_step": per_step, "rule": rule, "target": target},
        asserts=(Relation("rule at epsilon_0 = per_step", "=", "target"),),
        note="The paper leaves the ranges to the context; delta in (0, 1) keeps the roots real. The algorithm takes T - 1 "
        "noisy steps. True by expansion.",
    ),
]

_composition = Adaptive(Private(epsilon, 0, neighbours=Adjacency.REPLACE_ONE), k)
_COUNT = Symbol("k", "number of composed mechanisms", INTEGER)


def _rules(id: str, title: str, slack: dict[Condition, dict[str, Number]], amends: str | None = None) -> Statement:
    return statement(
        id,
        title,
        LeastDelta(_composition, k * epsilon) <= 0,
        LeastDelta(_composition, 3 * k * epsilon**2 / 2 + sqrt(6 * k * log(1 / delta)) * epsilon) <= delta,
        source=str(SPO.at("Lemma 3", "Appendix B, Definitions 9 to 11")),
        symbols=(
            Symbol("epsilon", "pure privacy parameter of each mechanism", unit="nat"),
            Symbol("delta", "delta of the composition"),
            _COUNT,
        ),
        domain={epsilon > 0: {"epsilon": 0}, **slack, k >= 1: {"k": 0}},
        inside={"epsilon": "1/10", "delta": "1e-5", "k": 100},
        amends=amends,
    )


_b = 2 * log(1 / delta)
_one = (sqrt(_b + 2 * epsilon) - sqrt(_b)) / sqrt(3 * k)

statements: list[Statement] = [
    _rules(
        "spo/lem-3",
        "k adaptive epsilon-DP mechanisms are (k epsilon)-DP, and ((3k/2) epsilon^2 + sqrt(6 k ln(1/delta)) epsilon, delta)-DP "
        "wherever the printed root is a number",
        {delta > 0: {"delta": 0}, log(1 / delta) >= 0: {"delta": 2}},
    ),
    _rules(
        "spo/lem-3-amended",
        "The same for 0 < delta <= 1",
        {delta > 0: {"delta": 0}, delta <= 1: {"delta": 2}},
        amends="spo/lem-3",
    ),
    statement(
        "spo/eps0",
        "The rule of composition at the parameter of one step is the total",
        equal(3 * k * _one**2 / 2 + sqrt(6 * k * log(1 / delta)) * _one, epsilon),
        source=str(SPO.at("Section 4, before Theorem 3")),
        symbols=(
            Symbol("epsilon", "total privacy parameter", unit="nat"),
            Symbol("delta", "delta of the composition"),
            _COUNT,
        ),
        domain={epsilon > 0: {"epsilon": 0}, delta > 0: {"delta": 0}, delta < 1: {"delta": 1}, k >= 1: {"k": 0}},
        inside={"epsilon": 1, "delta": "1e-5", "k": 100},
        note="The paper leaves the ranges to the context; it does not say whether k is T or T - 1.",
    ),
]
