"""Mutants of the grid walk's text; two cells in closed form and quadrature show which are false."""

from collections.abc import Iterator
from typing import Any

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

STEPS, ASKED = 10**6, "0.02"
"""More steps than the amendment asks for at epsilon_density = 0.02 on two cells."""


def off_target(claim: Claim) -> bool:
    """Whether the density misses c F by more than ASKED: f(theta) = theta on [0, 1], cells of side 1/2, start in the first.

    Two states: P^T(0, 0) = (b + a (1 - a - b)^T)/(a + b), a and b the probabilities of leaving; integrals by quadrature.
    """
    m = mp(30)
    context: Any = m.mp  # type: ignore[attr-defined]
    quarter = m.frac(1, 4)
    centres = (quarter, 3 * quarter)

    def step(here: Real, there: Real) -> Real:
        return apply(claim.formulas["transition"], m, {"d": m.real(1), "f_here": here, "f_there": there})

    a, b = step(*centres), step(*centres[::-1])
    stay = (b + a * (1 - a - b) ** STEPS) / (a + b)
    law = (stay, 1 - stay)

    def kept(x: int, theta: Real) -> Real:
        return 2 * law[x] * apply(claim.formulas["acceptance_in_cell"], m, {"f_center": centres[x], "f_point": theta})

    halves = ((0, m.frac(1, 2)), (m.frac(1, 2), 1))
    total = sum(context.quad(lambda theta, x=x: kept(x, theta), halves[x]) for x in (0, 1))
    errors = [
        abs(kept(x, theta) / total - m.exp(-theta) / (1 - m.exp(-1)))
        for x in (0, 1)
        for theta in (centres[x], m.real(halves[x][0]))
    ]
    return bool(max(errors) > m.real(ASKED))


def above_one(claim: Claim, name: str, reference: str, reach: str) -> bool:
    """Whether an acceptance exceeds 1 where the reference value lies `reach` above f(theta)."""
    m = mp(30)
    return bool(apply(claim.formulas[name], m, {reference: m.real(reach), "f_point": m.real(0)}) > 1)


def of_text() -> Iterator[Mutant]:
    claim = find("bilevel/grid-walk-amended")

    def uphill(m: Numbers, d: Real, f_here: Real, f_there: Real) -> Real:
        return m.min(m.real(1), m.exp(f_there - f_here)) / (4 * d)

    turned = with_formula(claim, "transition", uphill)
    yield Mutant("moves accepted with F(x)/F(y)", turned, lambda: off_target(turned))

    def always(m: Numbers, d: Real, f_here: Real, f_there: Real) -> Real:
        return 1 / (4 * d)

    free = with_formula(claim, "transition", always)
    yield Mutant("every move accepted", free, lambda: off_target(free))

    def without_center(m: Numbers, f_center: Real, f_point: Real) -> Real:
        return m.exp(-f_point - 1)

    bare = with_formula(claim, "acceptance_in_cell", without_center)
    yield Mutant("point kept with F(theta)/e", bare, lambda: off_target(bare))

    def constant(m: Numbers, f_center: Real, f_point: Real) -> Real:
        return m.exp(m.real(-1))

    blind = with_formula(claim, "acceptance_in_cell", constant)
    yield Mutant("point kept with 1/e", blind, lambda: off_target(blind))
    large = scaled(claim, "acceptance_in_cell", 3, 1)
    yield Mutant("3 F(theta)/(e F(x))", large, lambda: above_one(large, "acceptance_in_cell", "f_center", "0.25"))
    whole = scaled(claim, "acceptance_in_small_cube", 3, 1)
    yield Mutant("3 F(theta)/(e max F)", whole, lambda: above_one(whole, "acceptance_in_small_cube", "f_least", "0"))
    lazy = scaled(claim, "transition", 1, 2)
    yield Mutant("rests with probability 3/4", lazy, lambda: not half_is_left(lazy))
    many = with_formula(claim, "direction_probability", lambda m, d: 5 / d)
    yield Mutant("each direction with probability 5/d", many, lambda: not adds_up(many))


def half_is_left(claim: Claim) -> bool:
    """Whether the 2d steps on flat F have probability 1/2 together, as a walk that rests with 1/2 has; d = 3."""
    m = mp(30)
    return bool(6 * apply(claim.formulas["transition"], m, {"d": m.real(3), "f_here": m.real(0), "f_there": m.real(0)}) == 0.5)


def adds_up(claim: Claim) -> bool:
    """Whether the probabilities of the 2d directions add up to 1; d = 4."""
    m = mp(30)
    return bool(8 * apply(claim.formulas["direction_probability"], m, {"d": m.real(4)}) == 1)
