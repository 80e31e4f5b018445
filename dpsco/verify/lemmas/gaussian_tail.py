"""The tail of the standard normal law."""

from dpsco.spec.expressions import Phi, exp, oo, pi, sqrt, symbol
from dpsco.spec.privacy.gaussian import tail
from dpsco.verify.proof import Step, chain, combine, fact, slope, split


def tail_proof() -> Step:
    """The gap e^(-z^2/2)/2 - Phi(-z) is 0 at 0, rises up to z = 2/sqrt(2 pi), and falls to 0 from there."""
    s, z = symbol("s"), symbol("z")
    turn, low, high = 2 / sqrt(2 * pi), Phi(-s), exp(-(s**2) / 2) / 2
    rises, falls = low.derivative("s") <= high.derivative("s"), high.derivative("s") <= low.derivative("s")
    return split(
        z <= turn,
        slope(low <= high, s, 0, z, combine(rises, (high, chain(fact(s < z), fact(z <= turn))))),
        slope(low <= high, s, oo, z, combine(falls, (high, chain(fact(turn < z), fact(z < s))))),
    )


PROOFS = {tail.id: tail_proof()}
