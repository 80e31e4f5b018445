"""Mutants of exponential descent's text; falsity in exact fractions, from the gradient of one record written out by hand, and
at the epsilon whose odds are 3 to 1."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

from dpsco.mutant import Mutant, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def differs(formula: Callable[..., Real], eta: Fraction, x: Fraction) -> bool:
    """Whether the formula is not the first step on S = [-1, 1], mu = 1, for the record (5, x): the smoothed loss's slope at
    B = 0 is 2 (w* - w) x with w* = -1 and w = 1."""
    m = mp(40)
    slope = 2 * (Fraction(-1) - Fraction(1)) * x
    moved = abs(-eta * abs(slope) * 1)
    said = formula(m, eta=m.real(eta), gradient_norm=m.real(abs(slope)))
    return bool(abs(said - m.real(moved)) > m.real("1e-20"))


def other_odds(claim: Claim) -> bool:
    """Whether the probabilities at epsilon = ln 3 are not 3/4 and 1/4."""
    m = mp(40)
    said = [claim.formulas[name](m, epsilon=m.log(m.real(3))) for name in ("favoured", "unfavoured")]
    return any(abs(a - m.frac(b, 4)) > m.real("1e-20") for a, b in zip(said, (3, 1), strict=True))


def of_text() -> Iterator[Mutant]:
    yield from of_step()
    yield from of_odds()


def of_odds() -> Iterator[Mutant]:
    claim = find("spo/alg-1")
    favoured, unfavoured = claim.formulas["favoured"], claim.formulas["unfavoured"]

    def with_odds(says: str, f: Callable[..., Real], u: Callable[..., Real]) -> Mutant:
        moved = with_formula(with_formula(claim, "favoured", f), "unfavoured", u)
        return Mutant(says, moved, partial(other_odds, moved))

    def certain(m: Numbers, epsilon: Real) -> Real:
        return 2 + 0 * epsilon

    def doubled(m: Numbers, epsilon: Real) -> Real:
        return m.exp(2 * epsilon) / (m.exp(epsilon) + 1)

    def twice(m: Numbers, epsilon: Real) -> Real:
        return m.exp(2 * epsilon) / (m.exp(2 * epsilon) + 1)

    def left_of_twice(m: Numbers, epsilon: Real) -> Real:
        return 1 / (m.exp(2 * epsilon) + 1)

    def logistic(m: Numbers, epsilon: Real) -> Real:
        return 1 / (1 + m.exp(-epsilon))

    yield with_odds("2 for the favoured half", certain, unfavoured)
    yield with_odds("e^(2 epsilon)/(e^epsilon + 1) for the favoured half", doubled, unfavoured)
    yield with_odds("the two halves exchanged", unfavoured, favoured)
    yield with_odds("odds of e^(2 epsilon)", twice, left_of_twice)
    yield with_odds("half of the probability lost", lambda m, epsilon: favoured(m, epsilon=epsilon) / 2, unfavoured)
    yield with_odds("1/(1 + e^-epsilon) (still true)", logistic, unfavoured)


def of_step() -> Iterator[Mutant]:
    claim = find("spo/alg-1")

    def squared(m: Numbers, eta: Real, gradient_norm: Real) -> Real:
        return eta * gradient_norm**2

    def shorter(m: Numbers, eta: Real, gradient_norm: Real) -> Real:
        return m.frac(9, 10) * eta * gradient_norm

    def normalised(m: Numbers, eta: Real, gradient_norm: Real) -> Real:
        return eta + 0 * gradient_norm

    def slower(m: Numbers, eta: Real, gradient_norm: Real) -> Real:
        return eta * m.sqrt(gradient_norm)

    def capped(m: Numbers, eta: Real, gradient_norm: Real) -> Real:
        return eta * m.min(gradient_norm, m.real(2))

    for says, formula in (
        ("the square of the norm", squared),
        ("0.9 of the length", shorter),
        ("eta alone: a normalised gradient", normalised),
        ("the root of the norm", slower),
        ("the norm clipped to 2", capped),
    ):
        yield Mutant(says, with_formula(claim, "step", formula), partial(differs, formula, Fraction(1, 3), Fraction(7, 5)))

    def mirrored(m: Numbers, eta: Real, gradient_norm: Real) -> Real:
        return m.abs(-eta * gradient_norm)

    yield Mutant("|-eta |g|| (still true)", with_formula(claim, "step", mirrored), lambda: False)
