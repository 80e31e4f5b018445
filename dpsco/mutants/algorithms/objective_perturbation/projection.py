"""Mutants of the claim on projection in every step; falsity by outputs followed in fractions, and by the noise's length."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import log, sqrt

from dpsco.mutant import Mutant, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

OUTPUTS = [Fraction(k, 8) for k in (1, 3, 5, 6, 7, 8, 9, 16, 80, 10**6)]


def taken_to(claim: Claim, output: Fraction) -> Fraction:
    """Where the claim's factor takes an output of one dimension, B = 1; the result is a short decimal."""
    m = mp(40)
    share = claim.formulas["projection_factor"](m, output_norm=m.real(output), B=m.real(1))
    return Fraction(str(share * m.real(output))).limit_denominator(10**9)


def bound(n: float, d: float) -> float:
    """Theorem 2's bound for epsilon = 1, delta = 1e-6, B = B_x = 1, r = 1/2, written anew."""
    return 2 * sqrt(2 / n + 16 * d * log(1e6) / n**2)


def stays_short(claim: Claim, optimum: Fraction) -> bool:
    """Whether every decision is so far below theta* = y that half the distance exceeds the bound for a million records."""
    nearest = max(taken_to(claim, output) for output in OUTPUTS)
    return float(optimum - nearest) / 2 > bound(1e6, 1)


def across() -> bool:
    """The perturbed minimiser for n = 10^12, d = 10^14: theta_1 = 1, the others' squared length by its mean, then projected."""
    n, d = 1e12, 1e14
    sigma = sqrt(8 * log(1e6) + 4) / 2
    lambda_ = sqrt(0.5 / n + d * sigma**2 / n**2)
    others = d * (sigma / (2 * lambda_ * n)) ** 2
    return (1 - 1 / sqrt(1 + others)) / 2 > bound(n, d)


def of_every_step() -> Iterator[Mutant]:
    claim = find("newsvendor/projection-amended")

    def onto(share: Fraction) -> Callable[[Numbers, Real, Real], Real]:
        def factor(m: Numbers, output_norm: Real, B: Real) -> Real:
            return m.min(1, m.frac(share.numerator, share.denominator) * B / output_norm)

        return factor

    one = Fraction(1)
    for share in (Fraction(1, 2), Fraction(3, 4)):
        moved = with_formula(claim, "projection_factor", onto(share))
        yield Mutant(f"onto {share} of the ball", moved, lambda moved=moved: stays_short(moved, one))  # type: ignore[misc]
    outside = replace(claim, preconditions=())
    yield Mutant("a minimiser outside of the ball", outside, lambda: stays_short(outside, Fraction(3)))
    last = replace(claim, releases="the output, projected at the end")
    yield Mutant("projected at the end", last, across)
