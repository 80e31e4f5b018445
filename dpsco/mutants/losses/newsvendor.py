"""Mutants of the newsvendor cost as a scaled quantile loss, shown false in fractions of units short or left over."""

from collections.abc import Callable
from fractions import Fraction

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.losses.kernels import flip
from dpsco.spec.claim import Claim
from dpsco.spec.losses.newsvendor import cost
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

SHORT, OVER = Fraction(3), Fraction(1)
"""The two costs at which mutants are tried: the critical ratio is 3/4."""


def paid(u: int) -> Fraction:
    """What demand minus order u costs, unit by unit."""
    return sum(((SHORT if u > 0 else OVER) for _ in range(abs(u))), Fraction(0))


def pinball(u: int, r: Fraction) -> Fraction:
    """The quantile loss by its sides."""
    return r * u if u > 0 else (1 - r) * -u


RATIO = SHORT / (SHORT + OVER)


def of_cost() -> list[Mutant]:
    claim = find("quantile/sec-4.2")

    def moved(says: str, name: str, formula: Callable[..., Real], false: Callable[[], bool]) -> Mutant:
        return Mutant(says, with_formula(claim, name, formula), false)

    def turned(m: Numbers, c_u: Real, c_o: Real) -> Real:
        return c_o / (c_u + c_o)

    def exchanged(m: Numbers, c_u: Real, c_o: Real, u: Real) -> Real:
        return cost(m, c_u=c_o, c_o=c_u, u=u)

    def without_leftovers(m: Numbers, c_u: Real, c_o: Real, u: Real) -> Real:
        return c_u * m.max(u, 0)

    def unscaled(m: Numbers, c_u: Real, c_o: Real, u: Real) -> Real:
        return claim.formulas["scaled_quantile_loss"](m, c_u=c_u, c_o=c_o, u=u) / (c_u + c_o)

    left, right = "cost", "scaled_quantile_loss"
    return [
        *nearby(claim),
        moved("level c_o / (c_u + c_o)", "level", turned, lambda: paid(2) != (SHORT + OVER) * pinball(2, 1 - RATIO)),
        moved("costs exchanged", "cost", exchanged, lambda: paid(-2) != (SHORT + OVER) * pinball(-2, 1 - RATIO)),
        moved("nothing paid for leftovers", "cost", without_leftovers, lambda: paid(-1) != 0),
        moved("the loss not scaled", "scaled_quantile_loss", unscaled, lambda: paid(2) != pinball(2, RATIO)),
        flip(claim, left, "<", right, lambda: paid(2) == (SHORT + OVER) * pinball(2, RATIO)),
        flip(claim, left, ">", right, lambda: paid(-1) == (SHORT + OVER) * pinball(-1, RATIO)),
    ]


def nearby(claim: Claim) -> list[Mutant]:
    """One side times a number near 1."""
    return [
        Mutant("cost times 11/10", scaled(claim, "cost", 11, 10), lambda: paid(2) * 11 / 10 != 4 * pinball(2, RATIO)),
        Mutant("level times 9/10", scaled(claim, "level", 9, 10), lambda: paid(2) != 4 * pinball(2, RATIO * 9 / 10)),
        Mutant(
            "scaled loss times 9/10",
            scaled(claim, "scaled_quantile_loss", 9, 10),
            lambda: paid(-2) != 4 * pinball(-2, RATIO) * 9 / 10,
        ),
    ]
