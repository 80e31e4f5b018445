"""Registered assertions between formulas, tried at instances of the claim's own domain, whatever the judge finds.

A registered claim's parameters may be tied to each other by what it is over: the minimiser of a vector of costs, the moments
of a kernel, a matrix and the norm of its inverse. Where they are, an instance that is put together from the domains is none.
"""

from collections.abc import Iterable, Iterator, Mapping

from dpsco.arguments.sides import readable, violations
from dpsco.instances.inside import points
from dpsco.instances.texts import written
from dpsco.spec.claim import Claim, Relation
from dpsco.verdict import Finding, Reading, Verdict

MINIMISER = "a vector of decisions is the minimiser or the maximiser for a vector of costs, or a mean of such"
OPTIMA = "values of objectives at their own minimisers, each the least of its objective"
KERNEL = "moments of a kernel that is named, or that is told apart from another by its tails"
LAWS = "expectations under one law, whose conditions are on the law"
TIED: Mapping[str, str] = {
    "bilevel/inverse-perturbation": "the norms of the inverses and of the difference of two matrices",
    "lp/phi": "kappa is a function of p and the dimension",
    "newsvendor/lem-5": KERNEL,
    "newsvendor/thm-2-stability": OPTIMA,
    "quantile/fig-1b": KERNEL,
    "quantile/thm-3.6-stability": OPTIMA,
    "spo/app-g-vector": MINIMISER,
    "spo/cor-1": LAWS,
    "spo/eq-2": MINIMISER,
    "spo/lem-4": MINIMISER,
    "spo/lem-5": MINIMISER,
    "spo/lem-7": LAWS,
    "spo/sec-6-rate": LAWS,
}
"""Claims, with their amendments, whose parameters are tied by their text, and how."""
TRIED = 24


def free(claim: Claim) -> list[Relation]:
    """The assertions with a formula of free numbers on either side: a parameter that is a side is a quantity of its own, and so
    is one that a formula of its name defines."""
    if claim.id.removesuffix("-amended") in TIED or {p.name for p in claim.parameters} & {*claim.formulas}:
        return []
    return [r for r in readable(claim) if r.left in claim.formulas and r.right in claim.formulas]


def fails(claim: Claim, findings: Iterable[Finding]) -> Iterator[tuple[Relation, Mapping[str, str]]]:
    """The assertions that the findings certify and that certainly fail, each with an instance."""
    certain = {r for f in findings if f.verdict is Verdict.CERTIFIED and f.reading is Reading.PRINTED for r in f.asserts}
    spoilt = {r for f in findings if f.verdict is not Verdict.CERTIFIED for r in f.asserts}
    asked = [relation for relation in free(claim) if relation in certain - spoilt]
    for violation in violations(claim, points(claim, TRIED), asked) if asked else ():
        yield violation.relation, written(violation.at)
