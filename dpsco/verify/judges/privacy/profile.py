"""Proofs about what (epsilon, delta)-DP means, and that processing an output keeps it."""

from collections.abc import Mapping

from dpsco.spec.expressions import Expr, Json
from dpsco.spec.privacy.profile import atomless, definition, point_definition
from dpsco.spec.statement import Statement
from dpsco.verify.judges import Judge
from dpsco.verify.objects import assembled
from dpsco.verify.proof import Step, by, chain, number, proved, refuted
from dpsco.verify.tactics import processed


def defined(kind: Expr) -> Step:
    """What the mechanisms of Private(epsilon, delta) have by definition."""
    epsilon, delta = kind.args
    return by(definition[kind.value[1][0]], epsilon=epsilon, delta=delta)


def points(claim: Statement) -> Json:
    """For points it holds by definition; for sets a mechanism without atoms needs delta = 1."""
    kind = claim.asserts[0].left.args[0]
    epsilon, delta = kind.args
    neighbours = kind.value[1][0]
    for_points = by(point_definition[neighbours], epsilon=epsilon, delta=delta)
    at = claim.moved()
    none = by(atomless[neighbours], epsilon=at["epsilon"], delta=at["delta"], larger=at["epsilon"])
    return assembled(claim, proved(for_points), refuted(claim, at, chain(number(at["delta"] < none.shows.left), none)))


def sets(claim: Statement) -> Json:
    return assembled(claim, proved(defined(claim.asserts[0].left.args[0])))


def applied(claim: Statement) -> Json:
    return assembled(claim, proved(processed(defined(claim.asserts[0].left.args[0].args[0]))))


JUDGES: Mapping[str, Judge] = {"spo/def-6": points, "spo/def-6-amended": sets, "spo/sec-2.3": applied}
