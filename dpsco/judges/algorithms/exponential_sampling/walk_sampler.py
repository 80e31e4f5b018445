"""Judge of the grid walk as a sampler on a convex set that holds a ball."""

from collections.abc import Iterator

from dpsco.arguments.algorithms.exponential_sampling.walk_sampling import counted, reached
from dpsco.arguments.assertions import reading
from dpsco.mutants.algorithms.exponential_sampling import walk_sampler as mutants
from dpsco.spec.claim import Claim, Relation
from dpsco.verdict import Finding

WITHIN = "Dist_infinity(law of theta, pi)"
TIME = Relation("expected number of evaluations", "<=", "time")


def within_xi(claim: Claim) -> Iterator[Finding]:
    """Exact values."""
    yield from reached(claim, "xi")


def within_distance(claim: Claim) -> Iterator[Finding]:
    """Values with errors."""
    yield from reached(claim, "distance")


JUDGES = {
    "bilevel/thm-B.13-amended": reading({Relation(WITHIN, "<=", "xi"): within_xi, TIME: counted}),
    "bilevel/thm-3.8-amended": reading({Relation(WITHIN, "<=", "distance"): within_distance, TIME: counted}),
}

MUTANTS = {"bilevel/thm-B.13-amended": mutants.of_exact_values, "bilevel/thm-3.8-amended": mutants.of_inexact_values}
