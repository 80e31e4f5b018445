"""Mutants of DP-SGD's constants; falsity by difference quotients of the loss itself, with the logistic kernel."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from dpsco.mutant import Mutant, carried_over, scaled, with_formula
from dpsco.reference.losses.quantile.smoothing import value
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.domain import closed_unit
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def slopes(r: str, B_x: str, h: str) -> tuple[Real, Real]:
    """Largest difference quotient of the smoothed loss in theta over far outcomes, and the second one at the residual 0."""
    m = mp(60)
    x, width, level = m.real(B_x), m.real(h), m.real(r)

    def loss(theta: Real, y: Real) -> Real:
        return value(m, "logistic", y - theta * x, width, level)

    first = m.max(*(abs(loss(m.real(1), y) - loss(m.real(0), y)) for y in (m.real("1e9"), m.real("-1e9"))))
    step = m.real("1e-12") * width
    second = (loss(step, m.real(0)) - 2 * loss(m.real(0), m.real(0)) + loss(-step, m.real(0))) / step**2
    return first, second


def differs(claim: Claim, name: str, r: str, B_x: str, h: str) -> bool:
    """Whether the claimed constant is not the one that the quotients come to (relative 1e-6)."""
    m = mp(60)
    first, second = slopes(r, B_x, h)
    if name == "lipschitz":
        true, said = first, claim.formulas[name](m, r=m.real(r), B_x=m.real(B_x))
    else:
        true, said = second, claim.formulas[name](m, K_bar=m.frac(1, 4), B_x=m.real(B_x), h=m.real(h))
    return bool(abs(said - true) > true * m.real("1e-6"))


def of_constants() -> Iterator[Mutant]:
    claim = find("quantile/alg-1-amended")

    def level(m: Numbers, r: Real, B_x: Real) -> Real:
        return r * B_x

    def least(m: Numbers, r: Real, B_x: Real) -> Real:
        return m.min(r, 1 - r) * B_x

    def linear(m: Numbers, K_bar: Real, B_x: Real, h: Real) -> Real:
        return K_bar * B_x / h

    def squared(m: Numbers, K_bar: Real, B_x: Real, h: Real) -> Real:
        return K_bar * B_x**2 / h**2

    moved: tuple[tuple[str, str, Callable[..., Real]], ...] = (
        ("r for max(r, 1 - r)", "lipschitz", level),
        ("min for max", "lipschitz", least),
        ("B_x for B_x^2", "smoothness", linear),
        ("h^2 for h", "smoothness", squared),
    )
    for says, name, formula in moved:
        mutant = with_formula(claim, name, formula)
        yield Mutant(says, mutant, partial(differs, mutant, name, "0.2", "0.5", "3"))
    half = scaled(claim, "smoothness", 1, 2)
    yield Mutant("half of the smoothness", half, partial(differs, half, "smoothness", "0.2", "0.5", "3"))

    def one_less(m: Numbers, n: Real) -> Real:
        return n**2 - 2

    def counted() -> bool:
        # 0 and three steps are four iterates at n = 2
        return bool(one_less(mp(40), mp(40).real(2)) + 1 != 4)

    yield Mutant("n^2 - 2 steps", with_formula(claim, "steps", one_less), counted)
    bare = replace(claim, preconditions=())

    def negative() -> bool:
        m = mp(40)
        return bool(bare.formulas["variance"](m, L=m.real(1), epsilon=m.real(1), delta=m.real(2)) < 0)

    yield Mutant("every delta >= 0, as the input line has it", bare, negative)
    wide = replace(claim, parameters=tuple(p.within(closed_unit) if p.name == "r" else p for p in claim.parameters))
    yield Mutant("r from 0 to 1, ends included (still true)", wide, lambda: False)


def of_printed() -> Iterator[Mutant]:
    claim, amended = find("quantile/alg-1"), find("quantile/alg-1-amended")
    yield from carried_over(claim, amended, of_constants(), "lipschitz", "smoothness", "steps")
