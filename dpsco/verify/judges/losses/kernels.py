"""Proofs about the tails of smoothing kernels."""

from collections.abc import Mapping

from dpsco.spec.expressions import Json
from dpsco.spec.statement import Statement
from dpsco.verify.judges import Judge
from dpsco.verify.objects import assembled
from dpsco.verify.proof import number, refuted


def negative_side(claim: Statement) -> Json:
    """For v < 0 the printed 1/v^3 is negative, and a density is not."""
    at = claim.moved()
    first = claim.asserts[0]
    return assembled(
        claim, refuted(claim, at, number(first.right.where(at) < first.left.where(at))), *[None] * (len(claim.asserts) - 1)
    )


JUDGES: Mapping[str, Judge] = {"quantile/cond-2": negative_side}
