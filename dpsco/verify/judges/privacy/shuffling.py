"""Proof about shuffled randomisers."""

from collections.abc import Mapping

from dpsco.spec.expressions import E, Json, exp, log, sqrt
from dpsco.spec.privacy.shuffling import amplified, approximate, below_itself, trivial
from dpsco.spec.statement import Statement
from dpsco.verify.judges import Judge
from dpsco.verify.objects import assembled
from dpsco.verify.proof import apply, by, chain, combine, proved_order, ring, split


def orders(claim: Statement) -> Json:
    """14 > 8 sqrt(3) serves for epsilon where delta <= 1/2, since 4/delta <= delta^-3 there; 4 serves for delta."""
    first, second = claim.asserts
    one, delta, n = first.left.args
    rate = first.right
    e, tail = exp(one), log(1 / delta)
    known = by(amplified)
    inner = known.shows.right.args[0].args[1]
    below = by(below_itself, x=inner)
    share, size = inner.args
    two = apply(log, combine(E(2) <= 1 / delta, (2 / delta, delta <= E(1) / 2)))
    cubes = combine(e * log(4 / delta) <= 3 * (e * tail), (2 * e, two))
    root = apply(sqrt, cubes)
    rooted = chain(root, ring(root.shows.right, sqrt(E(3)) * sqrt(e * tail)))
    smaller = combine(share <= 1 - exp(-one), ((e - 1) / (e * (e + 1)), E(0) <= 1))
    wide = combine(share * size <= (1 - exp(-one)) * size, (size, smaller))
    spread = sqrt(e * tail) / sqrt(n)
    factor = 1 - exp(-one)
    most = combine(
        factor * size <= 14 * rate,
        (8 * factor / sqrt(n), rooted),
        (factor * (14 - 8 * sqrt(E(3))), E(0) <= spread),
        (6 * factor, E(0) <= e / n),
    )
    small = chain(known, below, wide, most)
    large = chain(by(trivial), E(0) <= 14 * rate)
    added = by(approximate)
    epsilon, delta_0 = added.shows.left.args[2], added.shows.left.args[1]
    outright = combine(added.shows.right <= 4 * second.right, (2 * n * delta_0, E(1) <= exp(epsilon)))
    return assembled(claim, proved_order(14, split(delta <= E(1) / 2, small, large)), proved_order(4, chain(added, outright)))


JUDGES: Mapping[str, Judge] = {"lp/lem-16": orders}
