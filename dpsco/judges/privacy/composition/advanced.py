"""Judge of advanced composition with an exponential second term, all answers released."""

from collections.abc import Iterator
from functools import partial

from dpsco.arguments.assertions import reading
from dpsco.arguments.privacy.composition import Rule, composes
from dpsco.mutants.privacy.composition import advanced as mutants
from dpsco.spec.claim import Claim, Relation
from dpsco.verdict import Finding

RULE = Rule(
    scope="the composition is (epsilon_composed, delta_composed)-DP",
    release="the answers of all k mechanisms",
    epsilon="epsilon_composed",
    slack="delta_slack",
    count="k",
    total="delta_composed",
    lost="delta",
)


def advanced(claim: Claim) -> Iterator[Finding]:
    """The rule for each part of the range of its slack."""
    yield from composes(claim, RULE, "It holds for every slack in [0, 1]; a delta above 1 asks nothing of a mechanism.")


READ = {Relation("k-fold adaptive composition", "is", "(epsilon_composed, delta_composed)-DP"): advanced}

IDS = ("newsvendor/lem-EC.3", "newsvendor/lem-EC.3-amended")

JUDGES = dict.fromkeys(IDS, reading(READ))

MUTANTS = {id: partial(mutants.of_rule, id) for id in IDS}
