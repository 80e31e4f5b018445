"""Judges of the exponential mechanisms with repaired constants."""

from collections.abc import Iterator
from dataclasses import replace

from dpsco.arguments.algorithms.exponential_sampling.regularised_sampling import (
    calibrated_shift,
    empirical_bound,
    no_private_algorithm,
)
from dpsco.arguments.assertions import known_release
from dpsco.judges.algorithms.exponential_sampling.implemented import SAMPLED_DELTA, sampled, sampled_density
from dpsco.judges.algorithms.exponential_sampling.utility import DECISION, PRIVATE, exponential
from dpsco.mutants.algorithms.exponential_sampling import calibrated as mutants
from dpsco.spec.claim import Claim, Relation
from dpsco.verdict import Finding

BOUNDED = Relation("empirical risk", "<=", "bound")


def exact_draw(claim: Claim) -> Iterator[Finding]:
    """The regularised density itself."""
    yield from known_release(claim, DECISION)
    if PRIVATE in claim.asserts:
        yield from calibrated_shift(claim, (PRIVATE,))
    if BOUNDED in claim.asserts:
        yield from no_private_algorithm(claim, "bound", (PRIVATE, BOUNDED), order=False)
        for finding in empirical_bound(claim):
            yield replace(finding, asserts=(BOUNDED,))


def near_draw(claim: Claim) -> Iterator[Finding]:
    """A law near the regularised density."""
    yield from known_release(claim, DECISION)
    if SAMPLED_DELTA in claim.asserts:
        yield from sampled_density(claim)
    if BOUNDED in claim.asserts:
        yield from no_private_algorithm(claim, "bound", (SAMPLED_DELTA, BOUNDED), order=False)
        for finding in empirical_bound(claim, inner=True):
            yield replace(finding, asserts=(BOUNDED,))


JUDGES = {
    "bilevel/thm-3.2-amended": exponential,
    "bilevel/thm-B.15-amended": sampled,
    "bilevel/thm-3.3-amended": exact_draw,
    "bilevel/thm-B.8-amended": exact_draw,
    "bilevel/thm-B.16-amended": near_draw,
}


MUTANTS = {
    "bilevel/thm-3.2-amended": mutants.of_exponential,
    "bilevel/thm-B.15-amended": mutants.of_sampled,
    "bilevel/thm-3.3-amended": mutants.of_regularised,
    "bilevel/thm-B.8-amended": mutants.of_regularised,
    "bilevel/thm-B.16-amended": mutants.of_near,
}
