"""Judge of the proved rates of private convex bilevel optimization."""

from collections.abc import Iterator
from dataclasses import replace

from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import GIBBS, loss_is_bounded, risk_rate
from dpsco.arguments.algorithms.exponential_sampling.informal_rates import pure_lower, pure_upper, regularised_upper
from dpsco.arguments.algorithms.exponential_sampling.regularised_sampling import calibrated_shift
from dpsco.arguments.assertions import reading
from dpsco.mutants.algorithms.exponential_sampling import rates as mutants
from dpsco.spec.algorithms.exponential_sampling.calibrated import domain_is_near
from dpsco.spec.algorithms.exponential_sampling.rates import LOWER
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.bilevel.assumptions import objective_is_convex
from dpsco.verdict import Finding, Verdict

PURE = Relation("empirical risk of (4)", "<=O", "pure_rate")
APPROXIMATE = Relation("empirical risk of (5)", "<=O", "approximate_rate")


def pure(claim: Claim) -> Iterator[Finding]:
    """The rate of (4) against 2 d_x s/epsilon, and where that exceeds it against the exact risk on the interval."""
    found = list(pure_upper(claim, "pure_rate", "empirical excess of the exact draw (4)"))
    if found[0].verdict is Verdict.OPEN:
        found = list(risk_rate(replace(claim, formulas={**claim.formulas, "rate": claim.formulas["pure_rate"]})))
    yield from found


def approximate(claim: Claim) -> Iterator[Finding]:
    """The rate of (5) against d_x/k + mu D_x^2/2."""
    given = (objective_is_convex, domain_is_near)
    yield regularised_upper(claim, "approximate_rate", "empirical excess of the exact draw (5)", given, (GIBBS,))


READ = {
    Relation("mechanism (4)", "is", "epsilon-DP"): loss_is_bounded,
    PURE: pure,
    Relation("sample of (5)", "is", "(epsilon, delta)-DP"): lambda claim: calibrated_shift(claim, ()),
    APPROXIMATE: approximate,
    LOWER: pure_lower,
}

JUDGES = {"bilevel/thm-3.1-amended": reading(READ, "the upper decision x")}

MUTANTS = {"bilevel/thm-3.1-amended": mutants.of_rates}
