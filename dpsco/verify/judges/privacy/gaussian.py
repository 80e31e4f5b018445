"""Proofs about printed noise scales of the Gaussian mechanism."""

from collections.abc import Mapping
from fractions import Fraction

from dpsco.spec.expressions import E, Expr, Json, Number, Phi, equal, exp, log, sqrt, symbols
from dpsco.spec.privacy.gaussian import tail, tight_pair
from dpsco.spec.statement import Statement
from dpsco.verify.judges import Judge
from dpsco.verify.objects import assembled
from dpsco.verify.proof import Step, apply, by, chain, combine, fact, number, proved, refuted, split


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


def above_threshold(claim: Statement) -> Json:
    """With sigma >= c Delta/epsilon, epsilon/mu - mu/2 is at least z = c - epsilon/(2 c). For z >= 0 the tail is at most
    e^(epsilon/2 - c^2/2)/2 <= e^(1/2) delta/2.5; for z < 0 delta is at least 0.97, and Phi(-z) <= Phi(5/6) < 0.8.
    """
    least, delta = tight(claim.asserts[0].left), claim.asserts[0].right
    epsilon, sensitivity, c, sigma = symbols("epsilon sensitivity c sigma")
    first, mu, z = least.shows.right.args[0], sensitivity / sigma, c - epsilon / (2 * c)
    scaled = fact(c * sensitivity / epsilon <= sigma)
    wide = combine(-z >= mu / 2 - epsilon / mu, (epsilon / sensitivity, scaled), (epsilon / (2 * c * sigma), scaled))
    ratio, half = Fraction(5, 4) / delta, Fraction(1, 2)
    square, below = fact(2 * log(ratio) < c**2), by(tail, z=z)
    smaller = combine(-(z**2) / 2 <= epsilon / 2 - c**2 / 2, (half, E(0) <= (epsilon / (2 * c)) ** 2))
    power = combine(epsilon / 2 - c**2 / 2 <= half - log(ratio), (half, square), (half, epsilon <= E(1)))
    grown = apply(exp, chain(smaller, power))
    share = combine(below.shows.right <= exp(half - log(ratio)) / 2, (half, grown))
    part = Fraction(2, 5) * exp(half)
    most = combine(part * delta <= delta, (delta, number(part <= 1)))
    start = chain(least, least.shows.right <= first, apply(Phi, wide))
    usual = chain(start, below, share, equal(share.shows.right, part * delta), most)
    # the rare case: 2 c^2 < epsilon < 1
    large = chain(
        number(E(Fraction(9, 25)) <= 2 * log(E(Fraction(5, 4)))),
        combine(
            2 * log(E(Fraction(5, 4))) <= 2 * log(ratio),
            (2, apply(log, combine(Fraction(5, 4) <= ratio, (ratio, delta <= E(1))))),
        ),
        square,
    )
    at_least = combine(Fraction(3, 5) <= c, (1 / (c + Fraction(3, 5)), large))
    near = combine(-z <= E(Fraction(5, 6)), (1 / (2 * c), epsilon <= E(1)), (Fraction(5, 6) / c, at_least), (1, E(0) <= c))
    little = combine(log(ratio) <= E(Fraction(1, 4)), (half, square), (c / 2, fact(z < 0)), (Fraction(1, 4), epsilon <= E(1)))
    close = combine(Fraction(5, 4) / exp(E(Fraction(1, 4))) <= delta, (delta / exp(E(Fraction(1, 4))), apply(exp, little)))
    rare = chain(start, apply(Phi, near), number(Phi(E(Fraction(5, 6))) <= Fraction(5, 4) / exp(E(Fraction(1, 4)))), close)
    return assembled(claim, proved(split(z >= 0, usual, rare)))


JUDGES: Mapping[str, Judge] = {
    "spo/thm-2": above_threshold,
    "bilevel/lem-A.3": lambda claim: fails(claim, epsilon=8, delta="0.1"),
    "bilevel/lem-A.3-amended": holds,
}
