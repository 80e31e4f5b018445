"""Mutants of the claim on projection in one dimension; falsity by outputs whose risks are followed in fractions."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import isqrt

from dpsco.mutant import Mutant, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Integers
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.parameters import D
from dpsco.spec.register import find

Point = tuple[Fraction, ...]


def loss(point: Point, outcome: Fraction, level: Fraction) -> Fraction:
    """Check loss of one record with x = e_1."""
    u = outcome - point[0]
    return max(level * u, (level - 1) * u)


def norm(point: Point) -> Fraction:
    """Length of a point whose length is rational; ValueError for another."""
    square = sum((x * x for x in point), start=Fraction(0))
    top, bottom = isqrt(square.numerator), isqrt(square.denominator)
    if Fraction(top, bottom) ** 2 != square:
        raise ValueError(f"point={point}: its length is not rational")
    return Fraction(top, bottom)


def rises(claim: Claim, output: Point, outcome: Fraction, level: Fraction = Fraction(2, 3)) -> bool:
    """Whether the claim's factor, B = 1, takes this output to a larger loss; the factor is a short decimal."""
    m = mp(40)
    factor = claim.formulas["projection_factor"](m, m.real(norm(output)), m.real(1))
    share = Fraction(str(factor)).limit_denominator(1000)
    moved = tuple(share * x for x in output)
    return loss(moved, outcome, level) > loss(output, outcome, level)


def _shown(claim: Claim, *given: object) -> Callable[[], bool | None]:
    return lambda: True if rises(claim, *given) else None  # type: ignore[arg-type]


def of_one_dimension() -> Iterator[Mutant]:
    claim = find("newsvendor/projection-amended")
    one, half = Fraction(1), Fraction(1, 2)
    two = tuple(D.within(Integers(1, 2)) if p.name == "d" else p for p in claim.parameters)
    plane = replace(claim, parameters=two)
    yield Mutant("two dimensions", plane, _shown(plane, (one, Fraction(3, 4)), one))
    outside = replace(claim, preconditions=())
    yield Mutant("a minimiser outside of the ball", outside, _shown(outside, (Fraction(2),), Fraction(3)))

    def short(m: Numbers, output_norm: Real, B: Real) -> Real:
        return m.min(1, B / (2 * output_norm))

    inner = with_formula(claim, "projection_factor", short)
    yield Mutant("onto half the ball", inner, _shown(inner, (one,), one))

    def sphere(m: Numbers, output_norm: Real, B: Real) -> Real:
        return B / output_norm

    onto = with_formula(claim, "projection_factor", sphere)
    yield Mutant("onto the sphere", onto, _shown(onto, (half,), half))

    def not_quite(m: Numbers, output_norm: Real, B: Real) -> Real:
        return m.min(1, (B + output_norm) / (2 * output_norm))

    halfway = with_formula(claim, "projection_factor", not_quite)
    yield Mutant("half of the way to the ball (still true)", halfway, lambda: False)
