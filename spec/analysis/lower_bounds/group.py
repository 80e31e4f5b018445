"""Resampling n records with replacement, then a private algorithm: how often one record is drawn, what privacy is left."""

from dpsco.spec.analysis.lower_bounds.resampling import (
    changes,
    delta_after,
    delta_after_enough,
    enough_changes,
    epsilon_after,
    epsilon_after_enough,
    tail,
    tail_bound,
    tail_bound_enough,
)
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Parameter, positive
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import DELTA, EPSILON, GAMMA, N

claims = [
    Claim(
        id="newsvendor/thm-7-binomial",
        title="number of times a record is resampled",
        kind=Kind.BOUND,
        source=NEWSVENDOR.at("proof of Theorem 7, step 2"),
        says="In n draws with replacement from n records a given record is drawn Binomial(n, 1/n) times; Pr[Binomial(n, 1/n) "
        ">= z + 1] <= exp(-z^2/3) for every z > 0, by the multiplicative Chernoff bound. Equivalently, the number is at least "
        "u = 3 sqrt(ln(1/gamma)) + 1 with probability at most gamma.",
        parameters=(N, GAMMA, Parameter("z", "excess over the mean 1", positive)),
        formulas={
            "draws_tail": tail,
            "draws_tail_bound": tail_bound,
            "draws_at_most": changes,
        },
        asserts=(
            Relation("draws_tail", "<=", "draws_tail_bound", step=True),
            Relation("draws_tail at z = draws_at_most - 1", "<=", "gamma", step=True),
        ),
        note="False: the tail falls like e^(-z ln z), and the form exp(-z^2/3) of Chernoff's bound needs z <= 1. First broken "
        "at z = 5 for large n (n = 100: 5e-4 against 2.4e-4). u turns exp(-z^2/3) into gamma^3, so for moderate gamma the "
        "second relation is true with room, but false as gamma -> 0 (gamma = e^-400: z = 60, tail about e^-193 for n >= 1000).",
    ),
    Claim(
        id="newsvendor/thm-7-binomial-amended",
        amends="newsvendor/thm-7-binomial",
        kind=Kind.BOUND,
        source=NEWSVENDOR.at("proof of Theorem 7, step 2"),
        says="The same with exp(-z^2/(2 + z)), the multiplicative Chernoff bound for every z > 0, and, from its form before it "
        "is simplified, u = sqrt(2 ln(1/gamma)) + ln(1/gamma)/3 + 1.",
        parameters=(N, GAMMA, Parameter("z", "excess over the mean 1", positive)),
        formulas={
            "draws_tail": tail,
            "draws_tail_bound": tail_bound_enough,
            "draws_at_most": enough_changes,
        },
        asserts=(
            Relation("draws_tail", "<=", "draws_tail_bound"),
            Relation("draws_tail at z = draws_at_most - 1", "<=", "gamma"),
        ),
    ),
    Claim(
        id="newsvendor/thm-7-group",
        title="privacy after resampling",
        kind=Kind.PRIVACY,
        source=NEWSVENDOR.at("proof of Theorem 7, step 2"),
        says="If A is (epsilon, delta)-DP, then drawing n records with replacement from the n given ones and running A on them "
        "is (u epsilon, u delta e^(u epsilon) + gamma)-DP, u = 3 sqrt(ln(1/gamma)) + 1, for every gamma in (0, 1).",
        uses=("newsvendor/thm-7-binomial",),
        parameters=(EPSILON, DELTA, GAMMA, N),
        formulas={
            "draws_at_most": changes,
            "epsilon_resampled": epsilon_after,
            "delta_resampled": delta_after,
        },
        asserts=(Relation("resampling, then A", "is", "(epsilon_resampled, delta_resampled)-DP", step=True),),
        over=("(epsilon, delta)-DP algorithms A on n records", "data sets of n records"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the output of A; not which records were drawn",
        note="Group privacy at the drawn multiplicity, the rest charged to gamma. Rests on the tail: with the true tail "
        "Pr[draws > u] in the place of gamma it is proved, as printed it fails for tiny gamma (large n), epsilon large and "
        "delta so small that u delta e^(u epsilon) is below gamma (1e-1115 at gamma = 1.6e-28, epsilon = 100). Where 2 "
        "sinh(epsilon) <= u epsilon it holds for every gamma: group privacy averaged over the number of draws. The proof's "
        "third line keeps the conditioning event while it averages over the drawn indices; harmless.",
    ),
    Claim(
        id="newsvendor/thm-7-group-amended",
        amends="newsvendor/thm-7-group",
        kind=Kind.PRIVACY,
        source=NEWSVENDOR.at("proof of Theorem 7, step 2"),
        says="The same with u = sqrt(2 ln(1/gamma)) + ln(1/gamma)/3 + 1: if A is (epsilon, delta)-DP, then drawing n records "
        "with replacement from the n given ones and running A on them is (u epsilon, u delta e^(u epsilon) + gamma)-DP, for "
        "every gamma in (0, 1).",
        parameters=(EPSILON, DELTA, GAMMA, N),
        formulas={
            "draws_at_most": enough_changes,
            "epsilon_resampled": epsilon_after_enough,
            "delta_resampled": delta_after_enough,
        },
        asserts=(Relation("resampling, then A", "is", "(epsilon_resampled, delta_resampled)-DP"),),
        over=("(epsilon, delta)-DP algorithms A on n records", "data sets of n records"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the output of A; not which records were drawn",
    ),
]
