"""Mutants of the gradient's constants; falsity from values of f and g alone, by differences at 200 digits."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial, wraps
from itertools import pairwise
from typing import Any

from dpsco.arguments.formula import apply
from dpsco.arguments.losses.bilevel.attained_gradients import QUADRATIC, SCALE, Weights
from dpsco.arguments.losses.bilevel.differences import DIGITS, approximate, bend, change, given, losses, minimiser
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.domain import reals
from dpsco.spec.numbers import Numbers, Real, names_of
from dpsco.spec.register import find


def of_any_sign(claim: Claim, *names: str) -> Claim:
    """The claim with these parameters on the whole line."""
    return replace(claim, parameters=tuple(p.within(reals) if p.name in names else p for p in claim.parameters))


def slope_exceeds(claim: Claim, weights: Weights, **more: str) -> bool:
    """Whether the second difference of Phi at 0 exceeds the claim's beta_Phi."""
    m = mp(DIGITS)
    v = given(m, weights, 1 / SCALE, **more)
    f, g = losses(m, v, 1 / v["scale"])
    found = bend(m, lambda x: f(x, minimiser(m, g, x)), m.real(0))
    return bool(abs(found) > apply(claim.formulas["beta_Phi"], m, v) * m.real("1.0000001"))


def error_exceeds(claim: Claim, weights: Weights, **more: str) -> bool:
    """Whether an inexact minimiser at x = 0 moves barF by more than the claim's C."""
    m = mp(DIGITS)
    v = given(m, weights, 1 / SCALE, **more)
    f, g = losses(m, v, 1 / v["scale"])
    x, y = m.real(0), m.real("1e-25")
    exact = minimiser(m, g, x)
    found = abs(approximate(m, f, g, x, exact + y) - approximate(m, f, g, x, exact)) / y
    return bool(found > apply(claim.formulas["C"], m, v) * m.real("1.0000001"))


def change_exceeds(claim: Claim, name: str, of: str, weights: Weights, **more: str) -> bool:
    """Whether that change exceeds the claim's formula (for K: 2K/n)."""
    m = mp(DIGITS)
    v, found = change(weights, of, **more)
    bound = apply(claim.formulas[name], m, v) * (2 / v["n"] if name == "K" else 1)
    return bool(found > bound * m.real("1.0000001"))


def gradient_differs(claim: Claim) -> bool:
    """Whether the derivative of Phi, by differences, is not the claim's expression: f = sin(x + 2 y), x = 0.3."""
    m = mp(60)
    h = m.real("1e-15")

    def slope_of(x: Real, y: Real) -> Real:
        return y + y**3 + m.sin(x) - x * y / 4 + 2 * y  # grad_y g

    def lower(x: Real) -> Real:
        y = m.real(0)
        for _ in range(200):
            y -= slope_of(x, y) / (3 + 3 * y**2 - x / 4)
        return y

    x = m.real("0.3")
    y = lower(x)
    true = (m.sin(x + h + 2 * lower(x + h)) - m.sin(x - h + 2 * lower(x - h))) / (2 * h)
    F = m.cos(x + 2 * y)
    values = {"F_x": F, "F_y": 2 * F, "G_xy": m.cos(x) - y / 4, "G_yy": 3 + 3 * y**2 - x / 4}
    return bool(abs(apply(claim.formulas["hypergradient"], m, values) - true) > m.real("1e-10"))


def without(claim: Claim, name: str, dropped: str) -> Claim:
    """The claim with a constant put to 0 in one formula: its terms left out."""
    formula = claim.formulas[name]

    @wraps(formula)
    def moved(m: Numbers, *args: Any, **kwargs: Any) -> Real:
        return formula(m, *args, **{**kwargs, dropped: m.real(0)})

    return with_formula(claim, name, moved)


def no_derivative(claim: Claim) -> bool:
    """Whether the claim admits G_yy = 0, where Phi(x) = argmin over y of y^4/4 - x y, by bisection, has no slope at 0."""
    m = mp(60)

    def lower(x: Real) -> Real:
        low, high = m.real(-1), m.real(1)
        for _ in range(190):
            middle = (low + high) / 2
            low, high = (middle, high) if middle**3 < x else (low, middle)
        return high

    admitted = all(claim.parameter(name).domain.contains(m, "0") is True for name in ("mu_g", "G_yy"))
    steps = [m.real(h) for h in ("1e-6", "1e-12", "1e-18")]
    slopes = [(lower(h) - lower(-h)) / (2 * h) for h in steps]
    return bool(admitted and slopes[0] > 1000 and all(b > 1000 * a for a, b in pairwise(slopes)))


def _shown(exceeds: Callable[..., bool], *args: Any, **more: str) -> bool | None:
    """True where the check found the statement false; what it did not find is not known to be true."""
    return True if exceeds(*args, **more) else None


def of(id: str) -> Iterator[Mutant]:
    """The mutants of one claim."""
    yield from OF[id](find(id))


def _identity(claim: Claim) -> Iterator[Mutant]:
    moved: tuple[tuple[str, Callable[..., Real]], ...] = (
        ("the sign of the response", lambda m, F_x, F_y, G_xy, G_yy: F_x + G_xy / G_yy * F_y),
        ("grad_yy G not inverted", lambda m, F_x, F_y, G_xy, G_yy: F_x - G_xy * G_yy * F_y),
        ("without grad_x F", lambda m, F_x, F_y, G_xy, G_yy: -G_xy / G_yy * F_y),
        ("half of the response", lambda m, F_x, F_y, G_xy, G_yy: F_x - G_xy / G_yy * F_y / 2),
    )
    for says, formula in moved:
        mutant = with_formula(claim, "hypergradient", formula)
        yield Mutant(says, mutant, partial(_shown, gradient_differs, mutant))
    wide = of_any_sign(claim, "mu_g", "G_yy")
    yield Mutant("mu_g and grad_yy G of any sign, 0 included", wide, partial(_shown, no_derivative, wide))
    same = with_formula(claim, "hypergradient", lambda m, F_x, F_y, G_xy, G_yy: F_x + (-G_xy) * G_yy**-1 * F_y)
    yield Mutant("the same, written otherwise (still true)", same, lambda: False)


HEAVY = {
    "beta_fxx": Weights(kappa=Fraction(0), gamma=Fraction(0)),
    "beta_fxy": Weights(gamma=Fraction(0)),
    "beta_fyy": Weights(gamma=Fraction(0), kappa=Fraction(100)),
    "M_gxy": Weights(b=Fraction(0), k=Fraction(1, 100)),
    "M_gyy": Weights(b=Fraction(0)),
    "C_gxy": Weights(b=Fraction(0)),
    "C_gyy": Weights(b=Fraction(0), k=Fraction(100)),
}
"""For each constant a problem in which its terms weigh."""


def _terms(claim: Claim, name: str, exceeds: Callable[..., bool]) -> Iterator[Mutant]:
    for dropped, weights in HEAVY.items():
        if dropped in names_of(claim.formulas[name]):
            mutant = without(claim, name, dropped)
            yield Mutant(f"without the terms of {dropped}", mutant, partial(_shown, exceeds, mutant, weights))
    mutant = scaled(claim, name, 999, 1000)
    yield Mutant("a thousandth less", mutant, partial(_shown, exceeds, mutant, Weights()))
    wide = of_any_sign(claim, "mu_g")
    yield Mutant("mu_g of any sign", wide, partial(_shown, exceeds, wide, QUADRATIC, mu_g="-1"))
    yield Mutant("twice as much (still true)", scaled(claim, name, 2, 1), lambda: False)


def _replaced(claim: Claim) -> Iterator[Mutant]:
    zero, one = Fraction(0), Fraction(1)
    none = dict.fromkeys(("c", "gamma", "b", "L", "p", "q"), zero) | {"H": one}
    slope = Weights(**{**none, "p": one})
    mixed = Weights(**{**none, "c": one, "L": one, "H": Fraction(1000)})
    both = Weights(**{**none, "c": one, "L": one, "p": one})
    shifted = Weights(**{**none, "gamma": one, "q": one, "L": one})
    bent = Weights(**{**none, "gamma": Fraction(100), "q": one, "c": one, "k": Fraction(100), "L": one})
    cases = (
        ("bound", "gradient", "L_fx", slope),
        ("bound", "gradient", "beta_fxy", Weights(**{**none, "b": one, "q": one})),
        ("bound", "gradient", "C_gxy", shifted),
        ("bound", "gradient", "C_gyy", bent),
        ("L_bar", "record", "L_fx", both),
        ("L_bar", "record", "beta_gxy", both),
        ("response", "response", "C_gxy", shifted),
        ("response", "response", "C_gyy", bent),
        ("response", "response", "beta_gyy", mixed),
    )
    for name, of, dropped, weights in cases:
        mutant = without(claim, name, dropped)
        yield Mutant(
            f"{name} without the terms of {dropped}", mutant, partial(_shown, change_exceeds, mutant, name, of, weights)
        )
    for name, of, share, weights in (
        ("bound", "gradient", (1, 5), slope),
        ("K", "gradient", (1, 5), slope),
        ("L_bar", "record", (99, 100), both),
        ("response", "response", (2, 5), mixed),
    ):
        mutant = scaled(claim, name, *share)
        yield Mutant(f"{share[0]}/{share[1]} of {name}", mutant, partial(_shown, change_exceeds, mutant, name, of, weights))
    wide, weak = of_any_sign(claim, "mu_g"), Weights(**{**none, "c": one, "L": one})
    yield Mutant("mu_g of any sign", wide, partial(_shown, change_exceeds, wide, "L_bar", "record", weak, mu_g="-1"))
    yield Mutant("half of the bound, K/n (still true)", scaled(claim, "bound", 1, 2), lambda: False)


def inverses_exceed(claim: Claim) -> bool | None:
    """True where the left side exceeds the bound at one of a few pairs of rational numbers; None: not seen."""
    for a, b in ((Fraction(3), Fraction(1, 2)), (Fraction(-1, 5), Fraction(1, 7)), (Fraction(10), Fraction(20))):
        m = mp(60)
        exact = {"matrix_1": a, "matrix_2": b, "norm_inverse_1": abs(1 / a), "norm_inverse_2": abs(1 / b)}
        values = {name: m.real(value) for name, value in {**exact, "norm_difference": abs(a - b)}.items()}
        if apply(claim.formulas["left"], m, values) > apply(claim.formulas["bound"], m, values) * m.real("1.0000001"):
            return True
    return None


def _inverses(claim: Claim) -> Iterator[Mutant]:
    moved: tuple[tuple[str, Callable[..., Real]], ...] = (
        ("without |N^{-1}|", lambda m, norm_inverse_1, norm_difference: norm_inverse_1 * norm_difference),
        ("|M^{-1}|^2 |M - N|", lambda m, norm_inverse_1, norm_difference: norm_inverse_1**2 * norm_difference),
        (
            "the inverses' norms in the denominator",
            lambda m, norm_inverse_1, norm_difference, norm_inverse_2: norm_difference / (norm_inverse_1 * norm_inverse_2),
        ),
    )
    for says, formula in moved:
        mutant = with_formula(claim, "bound", formula)
        yield Mutant(says, mutant, partial(inverses_exceed, mutant))
    less, more = scaled(claim, "bound", 99, 100), scaled(claim, "left", 101, 100)
    yield Mutant("a hundredth less", less, partial(inverses_exceed, less))
    yield Mutant("a hundredth more on the left", more, partial(inverses_exceed, more))
    yield Mutant("twice as much (still true)", scaled(claim, "bound", 2, 1), lambda: False)


OF: Mapping[str, Callable[[Claim], Iterator[Mutant]]] = {
    "bilevel/eq-9": _identity,
    "bilevel/eq-11": partial(_terms, name="C", exceeds=error_exceeds),
    "bilevel/eq-20": _replaced,
    "bilevel/lem-C.2": partial(_terms, name="beta_Phi", exceeds=slope_exceeds),
    "bilevel/inverse-perturbation": _inverses,
}
