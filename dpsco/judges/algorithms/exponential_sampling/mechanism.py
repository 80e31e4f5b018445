"""Judge of the regularised exponential mechanism as an algorithm: what it states, and whether it is private as stated."""

from collections.abc import Iterator

from dpsco.arguments.privacy.noise_scale import known_release
from dpsco.judges.algorithms.exponential_sampling.utility import DECISION, temperature_of_the_proof
from dpsco.spec.claim import Claim, Relation
from dpsco.verdict import Finding, Verdict

TEMPERATURE = Relation("k", "<=O", "k_rate")


def stated(claim: Claim) -> Iterator[Finding]:
    """The order of k is part of the algorithm, not a consequence; with the constant 1 the draw is judged on one pair."""
    yield from known_release(claim, DECISION)
    if TEMPERATURE in claim.asserts:
        yield Finding(
            scope="the density and its inverse temperature",
            verdict=Verdict.STATED,
            asserts=(TEMPERATURE,),
            reason="k <= O(k_rate) is how k is chosen; no constant is given, and the two printed densities differ by a factor "
            "2 in the regulariser.",
        )
    yield from temperature_of_the_proof(claim)


JUDGES = {"bilevel/eq-5": stated}
