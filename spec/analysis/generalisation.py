"""Generalisation in expectation: the gap between population and empirical risk is an average replace-one change of the loss."""

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Parameter, reals
from dpsco.spec.expressions import symbol, symbols
from dpsco.spec.papers import SPO
from dpsco.spec.parameters import N

empirical_risk, fresh_loss, population_risk = symbols("empirical_risk fresh_loss population_risk")
replaced_loss = symbol("replaced_loss")

POPULATION = Parameter("population_risk", "E over data and algorithm of the population risk of A(D)", reals, "loss")
EMPIRICAL = Parameter("empirical_risk", "E over data and algorithm of the empirical risk of A(D) on D", reals, "loss")
FRESH = Parameter("fresh_loss", "E of the loss of A(D) at d_i'", reals, "loss")
REPLACED = Parameter("replaced_loss", "E of the loss of A(D') at d_i'", reals, "loss")


gap = population_risk - empirical_risk
replacement_change = fresh_loss - replaced_loss


claims = [
    Claim(
        id="spo/lem-7",
        title="generalisation gap as stability",
        kind=Kind.IDENTITY,
        unproved=True,
        source=SPO.at("Lemma 7, display (3)"),
        says="Let D be n independent records from P, d_i' one more, and D' the data set D with record i replaced by d_i'. For "
        "every symmetric algorithm A (its output law does not depend on the order of the records), the expected population "
        "risk of A(D) minus its expected empirical risk on D equals the expectation of loss(A(D), d_i') - loss(A(D'), d_i').",
        parameters=(N, POPULATION, EMPIRICAL, FRESH, REPLACED),
        symbols={
            "empirical_risk": r"\mathbb{E}\,\hat{\mathcal{L}}(\mathcal{A}(D))",
            "population_risk": r"\mathbb{E}\,\mathcal{L}(\mathcal{A}(D))",
        },
        formulas={"gap": gap, "replacement_change": replacement_change},
        asserts=(Relation("gap", "=", "replacement_change"),),
        over=("every law P", "every symmetric algorithm, its randomness averaged", "every index i", "every integrable loss"),
        adjacency=Adjacency.REPLACE_ONE,
        note="Printed as holding for all neighbouring D, D', while both sides are expectations over D and d_i': read with "
        "d_i' an independent record. Without symmetry it fails for a fixed i and holds on average over i.",
    ),
]
