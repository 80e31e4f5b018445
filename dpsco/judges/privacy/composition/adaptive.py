"""Judge of advanced composition of mechanisms that read the answers before them: all answers, or the last one alone."""

from collections.abc import Iterator
from dataclasses import replace

from dpsco.arguments.assertions import reading
from dpsco.arguments.privacy.composition import TRANSCRIPT, Rule, composes
from dpsco.mutants.privacy.composition import adaptive as mutants
from dpsco.spec.claim import Claim, Relation
from dpsco.verdict import Finding, Verdict

RULE = Rule(
    scope="the composition is (epsilon_prime, total_delta)-DP",
    release="all T answers",
    epsilon="epsilon_prime",
    slack="delta_prime",
    count="T",
    total="total_delta",
    lost="delta",
)


def advanced(claim: Claim) -> Iterator[Finding]:
    """The rule on the transcript, which the last answer, all that the printed composition returns, inherits."""
    found = list(composes(claim, RULE, "It holds for every slack in [0, 1]; a delta above 1 asks nothing of a mechanism."))
    yield from found
    for finding in found:
        if finding.verdict is Verdict.CERTIFIED:
            yield replace(finding, release="the last answer alone", lemmas=(*finding.lemmas, TRANSCRIPT))


READ = {Relation("the composition", "is", "(epsilon_prime, total_delta)-DP"): advanced}

JUDGES = {"bilevel/lem-A.4": reading(READ)}

MUTANTS = {"bilevel/lem-A.4": mutants.of_rule}
