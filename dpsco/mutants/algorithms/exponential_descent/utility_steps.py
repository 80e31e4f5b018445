"""Mutants of the steps to exponential descent's risk; falsity by exact runs on the line, by fractions, by a parabola."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.algorithms.exponential_descent.utility import risk_on_the_line
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.predicate import Predicate
from dpsco.spec.privacy.randomised_response import advantage, half_sphere_factor
from dpsco.spec.register import find

ONES = ("T", "epsilon", "d", "eta", "mu", "L", "B_w", "minimiser_norm", "inner_products", "a", "b")


def value(claim: Claim, name: str, **more: object) -> Real:
    """A formula where all quantities are 1 but those given."""
    m = mp(40)
    return apply(claim.formulas[name], m, {key: m.real(more.get(key, 1)) for key in ONES})


def differs(claim: Claim, left: str, right: str, **more: object) -> bool | None:
    """True if the two sides differ there, else None."""
    return True if abs(value(claim, left, **more) - value(claim, right, **more)) > 1e-9 else None


def exceeds(claim: Claim, left: str, right: str, **more: object) -> bool | None:
    """True if the left side is larger there and the preconditions hold, else None."""
    m = mp(40)
    at = {key: m.real(more.get(key, 1)) for key in ONES}
    inside = all(predicate(m, at) is True for predicate in claim.preconditions)
    return True if inside and value(claim, left, **more) > value(claim, right, **more) + 1e-9 else None


def line_is_too_low(claim: Claim) -> bool | None:
    """True if line (e) lies below the exact risk of one record (c, 1), c = 2, B* = 1, T = 9, smoothing next to nothing."""
    m, eta, mu = mp(40), Fraction(1, 40), Fraction(1, 10**9)
    true = risk_on_the_line(Fraction(10**6), Fraction(2), eta, mu, 9)
    odds = m.log(m.real(10**6))
    at = {"T": 9, "epsilon": odds, "eta": eta, "mu": mu, "L": 4}
    return True if m.real(true) > value(claim, "after_step_d", **at) * m.real("1.000001") else None


def of_chain() -> Iterator[Mutant]:
    claim, printed = find("spo/thm-4-c-amended"), find("spo/thm-4-c")
    moved = with_formula(claim, "average_of_draws", printed.formulas["average_of_draws"])
    yield Mutant("the printed step (c)", moved, partial(differs, moved, "average_of_gradients", "average_of_draws"))

    def half(m: Numbers, T: Real, epsilon: Real, d: Real, inner_products: Real) -> Real:
        return 2 / T / advantage(m, epsilon=epsilon) * (half_sphere_factor(m, epsilon=epsilon, d=d) * inner_products)

    moved = with_formula(claim, "average_of_draws", half)
    yield Mutant("2/h for 1/q in step (c)", moved, partial(differs, moved, "average_of_gradients", "average_of_draws", d=9))
    moved = with_formula(claim, "last_display", printed.formulas["last_display"])
    yield Mutant("the printed last display", moved, partial(exceeds, moved, "after_step_d", "last_display"))
    moved = scaled(claim, "average_of_gradients", 11, 10)
    yield Mutant("11/10 of the average", moved, partial(differs, moved, "average_of_gradients", "average_of_draws"))
    less = scaled(claim, "last_display", 9, 10)
    yield Mutant("0.9 of the last display", less, partial(exceeds, less, "after_step_d", "last_display", epsilon=100))
    line = with_formula(claim, "after_step_d", printed.formulas["after_step_d"])
    yield Mutant("the printed line (e)", line, partial(line_is_too_low, line))
    yield Mutant("twice the last display (still true)", scaled(claim, "last_display", 2, 1), lambda: False)


def of_balance() -> Iterator[Mutant]:
    claim = find("spo/sec-4-amgm-amended")
    yield from (
        Mutant(says, moved, partial(exceeds, moved, "of_step", "of_coefficients", **at))
        for says, moved, at in (
            ("0.9 of 2 sqrt(a b)", scaled(claim, "of_coefficients", 9, 10), {}),
            ("1.1 of a eta + b/eta", scaled(claim, "of_step", 11, 10), {}),
            ("every step length", replace(claim, preconditions=()), {"eta": 2}),
            ("a + b for 2 sqrt(a b)/2", with_formula(claim, "of_coefficients", lambda m, a, b: (a + b) / 2), {}),
            ("eta = b/a", replace(claim, preconditions=(_wrong(claim),)), {"a": 2, "b": 8, "eta": 4}),
        )
    )
    yield Mutant(
        "a + b (still true)", with_formula(claim, "of_coefficients", lambda m, a, b: 2 * m.sqrt(a * b) + a), lambda: False
    )


def _wrong(claim: Claim) -> Predicate:
    def test(m: Numbers, a: Real, b: Real, eta: Real) -> Truth:
        return m.eq(a * eta, b)

    return replace(claim.preconditions[0], says="a eta = b", test=test)


def parabola_rises() -> bool:
    """(y - 1/2)^2 at (5, 1/2) and at its projection to the unit disc, squared lengths in fractions."""
    y = Fraction(1, 2)
    size = Fraction(25) + y**2
    # the projected y is y/sqrt(size) <= 1/10: its distance from 1/2 is at least 2/5
    return y**2 / size <= Fraction(1, 100) and Fraction(2, 5) ** 2 > 0


def falling_rises() -> bool:
    """The convex function -B has no minimiser: at 2, and at its projection to [-1, 1]."""
    return -max(-1, min(1, 2)) > -2


def of_projection() -> Iterator[Mutant]:
    claim = find("spo/app-c-projection-amended")

    def small(m: Numbers, p: Real, d: Real) -> Truth:
        return m.le(p * d, 2)

    def one_feature(m: Numbers, p: Real) -> Truth:
        return m.eq(p, 1)

    for says, conditions in (
        ("every dimension", ()),
        ("p d <= 2", (replace(claim.preconditions[0], test=small),)),
        ("p = 1", (replace(claim.preconditions[0], test=one_feature, accepts={"p": "1"}),)),
    ):
        yield Mutant(says, replace(claim, preconditions=conditions), parabola_rises)
    everywhere = replace(claim, over=("every convex loss", *claim.over[1:]))
    yield Mutant("no minimiser in the set", everywhere, falling_rises)


def sum_exceeds(claim: Claim, eta: Fraction, target: Fraction, steps: Sequence[Fraction]) -> bool | None:
    """True if the inner products, followed step by step in fractions, add up to more than is claimed."""
    w, total = Fraction(0), Fraction(0)
    for v in steps:
        total, w = total + (w - target) * v, w - eta * v
    m = mp(40)
    numbers = (m.real(eta), m.real(target), [m.real(v) for v in steps])
    printed = claim.formulas["linearised"](m, *numbers)
    if abs(printed - m.real(total)) > 1e-20:
        return True if printed > claim.formulas["telescoped"](m, *numbers) else None
    return True if m.real(total) > claim.formulas["telescoped"](m, *numbers) else None


def of_lemma_8() -> Iterator[Mutant]:
    claim = find("spo/lem-8")

    def right(no: int, share: int) -> Callable[..., Real]:
        def telescoped(m: Numbers, eta: Real, target: Real, steps: Real) -> Real:
            return target**2 / (no * eta) + eta / share * m.dot(steps, steps)

        return telescoped

    def late(m: Numbers, eta: Real, target: Real, steps: Real) -> Real:
        w, total = m.real(0), m.real(0)
        for v in steps:
            w = w - eta * v
            total = total + (w - target) * v
        return -total

    one, minus = Fraction(1), -Fraction(1)
    for says, formula, target in (
        ("eta/4 for eta/2", right(2, 4), minus),
        ("|w*|^2/(3 eta)", right(3, 2), minus),
        ("|w*|^2/(2 eta) and eta/3", right(2, 3), minus),
    ):
        moved = with_formula(claim, "telescoped", formula)
        yield Mutant(says, moved, partial(sum_exceeds, moved, one, target, (one,)))
    turned = with_formula(claim, "linearised", late)
    yield Mutant("the sum after the steps, sign turned", turned, partial(sum_exceeds, turned, one, one, (one, one)))
    yield Mutant("eta for eta/2 (still true)", with_formula(claim, "telescoped", right(2, 1)), lambda: False)
