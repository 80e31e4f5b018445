"""Proof about the exponential mechanism."""

from collections.abc import Mapping

from dpsco.spec.expressions import Json
from dpsco.spec.privacy.exponential import private
from dpsco.spec.statement import Statement
from dpsco.verify.judges import Judge
from dpsco.verify.objects import assembled
from dpsco.verify.proof import by, combine, fact, proved
from dpsco.verify.tactics import at_larger


def draw(claim: Statement) -> Json:
    """Private at twice the factor times the largest change, and so at any larger loss."""
    mechanism, loss = claim.asserts[0].left.args
    factor, change = mechanism.args
    least = by(private[mechanism.value[1][0]], factor=factor, change=change)
    room = claim.domain[-1]
    return assembled(claim, proved(at_larger(least, loss, combine(2 * factor * change <= loss, (2 * factor, fact(room))))))


JUDGES: Mapping[str, Judge] = {"spo/thm-1": draw}
