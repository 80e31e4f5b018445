"""Proof about strongly log-concave laws."""

from collections.abc import Mapping

from dpsco.spec.expressions import Json
from dpsco.spec.privacy.log_concave import compared
from dpsco.spec.statement import Statement
from dpsco.verify.judges import Judge
from dpsco.verify.objects import assembled
from dpsco.verify.proof import by, proved


def cited(claim: Statement) -> Json:
    """The paper cites it, and so does the proof."""
    return assembled(claim, proved(by(compared)))


JUDGES: Mapping[str, Judge] = {"bilevel/thm-B.4": cited}
