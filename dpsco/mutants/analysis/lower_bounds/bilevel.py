"""Mutants of the quadratic bound of a linear excess; false by the excess of the hard instance, written out in fractions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.analysis.lower_bounds.bilevel import x_is_in_ball
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

DATA = ((Fraction(1), Fraction(0)), (Fraction(1, 5), Fraction(0)))
"""Two records with mean (3/5, 0): x* = (1, 0)."""


def linear_excess(x: Sequence[Fraction], zeta: Fraction) -> Fraction:
    """-zeta <x, Zbar> less its value at (1, 0), record by record."""
    return sum((zeta * (z[0] - x[0] * z[0] - x[1] * z[1]) for z in DATA), start=Fraction(0)) / len(DATA)


def above(claim: Claim, x: Sequence[Fraction]) -> bool | None:
    """Whether the quadratic bound exceeds the claim's exact side, or the true excess, at an admitted x."""
    m, zeta = mp(40), Fraction(3)
    point = [m.real(a) for a in x]
    v = {"zeta": m.real(zeta), "norm_Z_bar": m.frac(3, 5), "x": point, "x_star": [m.real(1), m.real(0)]}
    if not all(predicate(m, v) is True for predicate in claim.preconditions):
        return None
    exact, bound = (apply(claim.formulas[name], m, v) for name in ("exact", "quadratic"))
    least = min(exact, m.real(linear_excess(x, zeta)))
    return bool(bound > least + m.real("1e-20")) or None


def _unsquared(m: Numbers, zeta: Real, norm_Z_bar: Real, x: Sequence[Real], x_star: Sequence[Real]) -> Real:
    return zeta / 2 * norm_Z_bar * m.norm([a - b for a, b in zip(x, x_star, strict=True)])


def of_identity() -> Iterator[Mutant]:
    claim = find("bilevel/thm-3.9-identity")
    edge = (Fraction(3, 5), Fraction(4, 5))
    moves: tuple[tuple[str, Claim, Callable[[], bool | None]], ...] = tuple(
        (says, moved, partial(above, moved, x))
        for says, moved, x in (
            ("1.02 times the quadratic bound", scaled(claim, "quadratic", 51, 50), edge),
            ("the distance without its square, as one display prints", with_formula(claim, "quadratic", _unsquared), edge),
            ("0.9 of the excess", scaled(claim, "exact", 9, 10), edge),
            (
                "x outside the ball",
                replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != x_is_in_ball)),
                (Fraction(2), Fraction(0)),
            ),
        )
    )
    for says, moved, false in moves:
        yield Mutant(says, moved, false)
    yield Mutant("half the quadratic bound (still true)", scaled(claim, "quadratic", 1, 2), lambda: False)
