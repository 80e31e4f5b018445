"""The reading of 'continuous on all of R^d' under which every ball has positive probability: conditions that no such law meets.

It stands beside a claim's own reading, a law without a singular part.
"""

from collections.abc import Iterator

from dpsco.spec.claim import Claim
from dpsco.spec.losses.spo import calibration, excess_risk
from dpsco.verdict import Finding, Lemma, Reading, Rung, Verdict

EMPTY = Lemma(
    "a bounded and an unbounded support",
    "0 <= c <= 2 E[c|x] confines c given x to a box; a law that charges every ball of R^d charges those outside it.",
)
NO_LAW = Lemma(
    "one decision and every ball",
    "For u in S and another v in S the costs with c'(v - u) < 0 fill a half-space, open and not empty, so that a law that "
    "charges every ball charges it; there u is not best. So w*(c) is almost surely one decision only where S is a point.",
)
CONFLICTS = (
    ({calibration.below_twice_mean, calibration.costs_nonnegative}, EMPTY, "no law meets both conditions"),
    ({excess_risk.solid, calibration.same_decision}, NO_LAW, "no law meets both conditions: an S with interior is no point"),
)
"""Conditions that exclude a law charging every ball, given x, each with its reason."""


def emptied(claim: Claim) -> Iterator[Finding]:
    """Vacuous in that reading, for each pair of the claim's conditions that no such law meets; nothing where none does."""
    tests = claim.tests
    for conflict, lemma, method in CONFLICTS:
        if {excess_risk.continuous, *conflict} <= tests:
            yield Finding(
                scope="the same where continuous on all of R^d means that every ball has positive probability",
                verdict=Verdict.VACUOUS,
                rung=Rung.EXACT,
                method=method,
                lemmas=(lemma,),
                reading=Reading.ANOTHER,
            )
