"""Mutants of SPO+ against the SPO loss, shown false with costs and decisions written out by hand, in fractions.

In one dimension S = [low, high]: z*(c) is the smaller of c low and c high, and nothing else is needed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.spo.calibration import below_twice_mean, has_least, mirrored, same_decision
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.register import find

HALF = Fraction(1, 2)
Law = Sequence[tuple[Fraction, Fraction]]


def least(c: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """z*(c) on [low, high]."""
    return min(c * low, c * high)


def plus(c: Fraction, c_hat: Fraction, w_star: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """SPO+ on [low, high] where the oracle takes w_star."""
    return -least(2 * c_hat - c, low, high) + 2 * c_hat * w_star - least(c, low, high)


def law(*pairs: tuple[str, int | str]) -> Law:
    """(probability, cost) as fractions."""
    return [(Fraction(p), Fraction(c)) for p, c in pairs]


def mean(of: Law) -> Fraction:
    return sum((p * c for p, c in of), start=Fraction(0))


def without(claim: Claim, test: Callable[..., Truth]) -> Claim:
    """The claim less the precondition with this test."""
    return replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != test))


def turned(claim: Claim, which: int, sign: str) -> Claim:
    """The claim with another sign in one of its assertions."""
    asserts = list(claim.asserts)
    asserts[which] = Relation(asserts[which].left, sign, asserts[which].right)
    return replace(claim, asserts=tuple(asserts))


def of_bound() -> Iterator[Mutant]:
    """At c_hat = 0 both losses are the width |c| 2 of [-1, 1]; at c_hat = c = 1 on [1, 2] both are 0."""
    claim, one = find("spo/lem-4"), Fraction(1)
    width = plus(one, Fraction(0), -one, -one, one)
    yield Mutant("SPO+ times 9/10", scaled(claim, "spo_plus", 9, 10), lambda: width * 9 / 10 < 2)
    yield Mutant("SPO times 11/10", scaled(claim, "spo", 11, 10), lambda: width < 2 * Fraction(11, 10))
    yield Mutant("SPO+ > SPO", turned(claim, 0, ">"), lambda: width == 2)
    yield Mutant("SPO+ <= SPO", turned(claim, 0, "<="), lambda: plus(one, -one, -one, -one, one) > 2)
    yield Mutant("SPO+ = SPO", turned(claim, 0, "="), lambda: plus(one, -one, -one, -one, one) != 2)

    def single(m: Numbers, c: Real, c_hat: Real, w_max: Real, w_star: Real) -> Real:
        return m.dot(c, w_max) - 2 * m.dot(c_hat, w_max) + m.dot(c_hat, w_star) - m.dot(c, w_star)

    # on [1, 2] at c_hat = c = 1: 1 - 2 + 1 - 1 = -1, and the SPO loss is 0
    moved = with_formula(claim, "spo_plus", single)
    yield Mutant("c_hat'w*(c) once", moved, lambda: plus(one, one, one, one, 2 * one) - one < 0)

    def unreduced(m: Numbers, c: Real, c_hat: Real, w_max: Real, w_star: Real) -> Real:
        return m.dot(c, w_max) - 2 * m.dot(c_hat, w_max) + 2 * m.dot(c_hat, w_star)

    # on [-1, 1] at c = 1, c_hat = 1: z*(c) = -1 is left out of 0, against an SPO loss of 0
    moved = with_formula(claim, "spo_plus", unreduced)
    yield Mutant("z*(c) left out", moved, lambda: plus(one, one, -one, -one, one) + least(one, -one, one) < 0)


def of_support() -> Iterator[Mutant]:
    claim = find("spo/lem-5-amended")
    # the unit disc, c = (2, 0) or (0, 2): |c - 2 E[c]| = |(0, -2)| = 2, and |E[c]| = sqrt(2) < 2
    yield Mutant("every S", without(claim, has_least), lambda: 1 + 1 < 2**2)
    twice = law(("2/3", 0), ("1/3", 3))

    def apart() -> bool:
        """On [0, 1]: E[max (c - 2 E[c]) w] against max -E[c] w."""
        c_mean, low, high = mean(twice), Fraction(0), Fraction(1)
        return sum(-p * least(2 * c_mean - c, low, high) for p, c in twice) != -least(c_mean, low, high)

    yield Mutant("every law", without(claim, below_twice_mean), apart)
    # on [-1, 1]^2 with c = (2, 1) or (1, 2): all terms are 3, c - 2 E[c] being (-1, -2) or (-2, -1)
    three = 2 * Fraction(3, 2)
    yield Mutant("least_term times 9/10", scaled(claim, "least_term", 9, 10), lambda: three * 9 / 10 != 1 + 2)
    yield Mutant("mean_term times 11/10", scaled(claim, "mean_term", 11, 10), lambda: three != three * 11 / 10)
    yield Mutant("support_term times 11/10", scaled(claim, "support_term", 11, 10), lambda: three * 11 / 10 != 1 + 2)
    yield Mutant("negated_term times 11/10", scaled(claim, "negated_term", 11, 10), lambda: three != three * 11 / 10)
    yield Mutant("E[support_term] < E[mean_term]", turned(claim, 0, "<"), lambda: three == 1 + 2)
    yield Mutant("support_term > least_term", turned(claim, 2, ">"), lambda: three == 1 + 2)


def of_cross_term() -> Iterator[Mutant]:
    """The triangle of (1, 0), (0, 1), (1, 1), c = (2, 0) or (0, 11/5): E[c] = (1, 11/10), E[w*(c)] = (1/2, 1/2), w*(E[c]) =
    (1, 0). The segment [-1, 1] with c = 2 (3/4) or -2: E[c] = 1, E[w*(c)] = -1/2, w*(E[c]) = -1."""
    claim = find("spo/app-g-vector-amended")
    cross, at_mean = 2 * (HALF + HALF * Fraction(11, 10)), Fraction(2)
    yield Mutant("the printed direction", turned(claim, 0, "<="), lambda: cross > at_mean)
    yield Mutant("equality", turned(claim, 0, "="), lambda: cross != at_mean)
    segment, least_of_it = Fraction(-1), Fraction(-2)
    yield Mutant("right side times 1/4", scaled(claim, "cross_term_at_mean", 1, 4), lambda: segment < least_of_it / 4)
    # [1, 2], c = 1: both sides are 2
    yield Mutant("left side times 9/10", scaled(claim, "cross_term", 9, 10), lambda: Fraction(2) * 9 / 10 < 2)
    yield Mutant("strictly greater", turned(claim, 0, ">"), lambda: 2 * 1 == 2 * 1)


def of_equality() -> Iterator[Mutant]:
    """On [-1, 1] with E[c] = 1 > 0, where w*(E[c]) = -1."""
    claim = find("spo/thm-9-amended")
    low, high = Fraction(-1), Fraction(1)

    def risks(of: Law) -> tuple[Fraction, Fraction]:
        best = [(p, c, low if c > 0 else high) for p, c in of]
        both = [(p * plus(c, mean(of), w, low, high), p * (c * low - least(c, low, high))) for p, c, w in best]
        return sum((a for a, _ in both), start=Fraction(0)), sum((b for _, b in both), start=Fraction(0))

    def differ(of: Law) -> bool:
        a, b = risks(of)
        return mean(of) == 1 and a != b

    yield Mutant("decisions differ", without(claim, same_decision), lambda: differ(law(("3/4", 2), ("1/4", -2))))
    yield Mutant("not mirrored", without(claim, mirrored), lambda: differ(law(("4/5", "1/2"), ("1/5", 3))))
    surely = law(("1", 1))
    yield Mutant("SPO+ risk < SPO risk", turned(claim, 0, "<"), lambda: not any(risks(surely)))
    yield Mutant("SPO+ risk > SPO risk", turned(claim, 0, ">"), lambda: not any(risks(surely)))

    def doubled(m: Numbers, c: Real, w_mean: Real, w_star: Real) -> Real:
        return 2 * m.dot(c, w_mean) - m.dot(c, w_star)

    def unreduced(m: Numbers, c: Real, c_mean: Real, w_max: Real, w_star: Real) -> Real:
        return m.dot(c, w_max) - 2 * m.dot(c_mean, w_max) + 2 * m.dot(c_mean, w_star)

    # c = 1 on [-1, 1]: z*(c) = -1 left out of 0 leaves -1, and the SPO loss of w*(E[c]) is 0
    short = with_formula(claim, "spo_plus_at_mean", unreduced)
    yield Mutant("z*(c) left out of SPO+", short, lambda: plus(high, high, low, low, high) + least(high, low, high) != 0)
    # c = 1 on [1, 2]: w* = 1, so that 2 - 1 = 1 stands against 0
    yield Mutant(
        "SPO loss with c'w twice", with_formula(claim, "spo_at_mean", doubled), lambda: 2 - least(high, high, 2 * high) > 0
    )
