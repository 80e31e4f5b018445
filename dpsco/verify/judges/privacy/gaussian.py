"""Proofs about printed noise scales of the Gaussian mechanism."""

from collections.abc import Mapping

from dpsco.spec.expressions import Expr, Json, Number, Phi, equal, log, sqrt
from dpsco.spec.privacy.gaussian import tail, tight_pair
from dpsco.spec.statement import Statement
from dpsco.verify.objects import assembled
from dpsco.verify.proof import Step, by, chain, number, proved, refuted


def tight(noise: Expr) -> Step:
    """What the least delta of noise for one answer is, by the tight pair."""
    mechanism, epsilon = noise.args
    sigma, sensitivity = mechanism.args
    return by(tight_pair[mechanism.value[1][0]], sigma=sigma, sensitivity=sensitivity, epsilon=epsilon)


def fails(claim: Statement, **moved: Number) -> Json:
    """The claim fails at a point: its instance inside, some symbols moved."""
    at = claim.moved(**moved)
    least = tight(claim.asserts[0].left.where(at))
    return assembled(claim, refuted(claim, at, chain(number(at["delta"] < least.shows.right), least)))


def holds(claim: Statement) -> Json:
    """The claim holds for all parameters, since its noise makes epsilon/mu - mu/2 = b: delta >= Phi(-b) by the tail."""
    least, delta = tight(claim.asserts[0].left), claim.asserts[0].right
    first, b = least.shows.right.args[0], sqrt(2 * log(2 / delta))
    below = by(tail, z=b)
    return assembled(
        claim,
        proved(
            chain(
                least,
                least.shows.right <= first,
                equal(first, Phi(-b)),
                below,
                equal(below.shows.right, delta / 4),
                delta / 4 <= delta,
            )
        ),
    )


JUDGES: Mapping[str, object] = {
    "bilevel/lem-A.3": lambda claim: fails(claim, epsilon=8, delta="0.1"),
    "bilevel/lem-A.3-amended": holds,
}
