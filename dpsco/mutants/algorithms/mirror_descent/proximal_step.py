"""Mutants of the amended step of regularised mirror descent, shown false on the line, in exact rationals."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def line(claim: Claim, a: Fraction = Fraction(3), g: Fraction = Fraction(1), v: Fraction = Fraction(6)) -> bool:
    """Whether g v on the line, Phi = v^2/2, breaks one of the two inequalities."""
    m = mp(30)
    values = {"a": a, "noise_norm": g, "distance": v, "step_divergence": v * v / 2, "inner_product": g * v}
    taken = {name: m.real(value) for name, value in values.items()}
    left, middle, right = (apply(claim.formulas[name], m, taken) for name in ("left", "middle", "right"))
    return bool(left > middle or middle > right)


def slope(claim: Claim, alpha: Fraction = Fraction(2), v: Fraction = Fraction(101, 100)) -> bool:
    """Whether the gap exceeds Phi(w~*) - Phi(w*_alpha): slope -2 up to v - 2/beta, beta = 10^6; minimisers v and 1."""
    slope_, beta = Fraction(2), Fraction(10**6)
    assert slope_ / alpha <= v - slope_ / beta
    loss = slope_ * (v - slope_ / alpha) - slope_**2 / (2 * beta)
    m = mp(30)
    at = {"alpha": m.real(alpha), "loss_at_regularised": m.real(loss), "least_loss": m.real(0)}
    return bool(apply(claim.formulas["optimality_gap"], m, at) > m.real((v**2 - (slope_ / alpha) ** 2) / 2))


def rewritten(claim: Claim) -> bool:
    """Whether the two objectives differ on the line: Phi = w^2/2, w_t = 1, w = 3, a noisy gradient of 5."""
    m = mp(30)
    values: dict[str, int | Fraction] = {
        "linear": 10,
        "alpha": 2,
        "beta": 7,
        "phi_w": Fraction(9, 2),
        "phi_t": Fraction(1, 2),
        "phi_slope": 2,
    }
    taken = {name: m.real(Fraction(value)) for name, value in values.items()}
    sides = [apply(claim.formulas[f"objective_{name}"], m, taken) for name in ("before", "after")]
    return bool(sides[0] != sides[1])


def of_amended() -> Iterator[Mutant]:
    claim = find("lp/thm-7-young-amended")

    def five(m: Numbers, a: Real, noise_norm: Real, distance: Real) -> Real:
        return a * noise_norm**2 + distance**2 / (5 * a)

    moved = with_formula(claim, "middle", five)
    yield Mutant("1/(5a) in the middle", moved, lambda: line(moved))
    printed = with_formula(claim, "middle", find("lp/thm-7-young").formulas["middle"])
    yield Mutant("1/(2a) in the middle, as printed", printed, lambda: line(printed))

    def half(m: Numbers, a: Real, noise_norm: Real, step_divergence: Real) -> Real:
        return a * noise_norm**2 + step_divergence / (3 * a)

    less = with_formula(claim, "right", half)
    yield Mutant("D/(3a) on the right", less, lambda: line(less))
    wide = scaled(claim, "optimality_gap", 21, 20)
    yield Mutant("gap times 1.05", wide, lambda: slope(wide))
    strict = replace(claim, asserts=tuple(replace(x, sign=">") if x.right == "0" else x for x in claim.asserts))
    yield Mutant("the gap is positive, as printed", strict, lambda: True)  # F = w^2/2: w~* = w*_alpha = 0, a gap of 0

    def lost(m: Numbers, linear: Real, alpha: Real, beta: Real, phi_w: Real, phi_t: Real, phi_slope: Real) -> Real:
        return linear + alpha * phi_slope + (alpha + beta) * (phi_w - phi_t - phi_slope)

    short = with_formula(claim, "objective_after", lost)
    yield Mutant("alpha Phi(w_t) dropped", short, lambda: rewritten(short))
    double, longer = scaled(claim, "left", 3, 2), scaled(claim, "objective_before", 11, 10)
    yield Mutant("inner product times 3/2", double, lambda: line(double, a=Fraction(1), v=Fraction(2)))
    yield Mutant("objective_before times 11/10", longer, lambda: rewritten(longer))
    more = scaled(claim, "optimality_gap", 1, 2)
    yield Mutant("half the gap (still true)", more, lambda: False)
