"""Mutants of regularity and of the potentials, shown false by listing signs and by second differences in mpmath."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import mpmath

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, with_formula
from dpsco.spec.analysis.geometry.regularity import kappa_algorithm_7, kappa_amended, kappa_plus_amended
from dpsco.spec.analysis.geometry.regularity import kappa_printed as printed_kappa
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def asked_by_signs(d: int, q: int = 1001) -> Any:
    """Least kappa by two vectors of random signs in l_q^d, all pairs listed."""
    signs = list(product((-1, 1), repeat=d))
    total = sum(
        mpmath.fsum(abs(mpmath.mpf(a + b)) ** q for a, b in zip(x, y, strict=True)) ** (mpmath.mpf(2) / q)
        for x in signs
        for y in signs
    )
    return total / len(signs) ** 2 / (2 * mpmath.mpf(d) ** (mpmath.mpf(2) / q))


def too_small(formula: Callable[[Any, float], Any], d: int) -> bool:
    """Whether the constant at p = 1.001 is above 1 and below what signs ask for."""
    return bool(1 < formula(mpmath.mpf("1.001"), d) < asked_by_signs(d))


def of_regular() -> Iterator[Mutant]:
    claim = find("lp/regular-amended")

    def with_kappa(kappa: Callable[..., Real]) -> Claim:
        return replace(claim, formulas={**claim.formulas, "kappa": kappa, "kappa_through_dual_exponent": kappa})

    def root(m: Numbers, p: Real, d: Real) -> Real:
        return m.min(1 / (p - 1), m.sqrt(2 * m.log(d)))

    def binary(m: Numbers, p: Real, d: Real) -> Real:
        return m.min(1 / (p - 1), m.log(d) / m.log(m.real(2)))

    def conjugate(m: Numbers, p: Real, d: Real) -> Real:
        return m.min(p / (p - 1), 2 * m.e * m.log(d))

    log = mpmath.log
    yield Mutant(
        "2 ln d, as printed", with_kappa(printed_kappa), lambda: too_small(lambda p, d: min(1 / (p - 1), 2 * log(d)), 2)
    )
    yield Mutant(
        "ln d, as in Algorithm 7", with_kappa(kappa_algorithm_7), lambda: too_small(lambda p, d: min(1 / (p - 1), log(d)), 4)
    )
    yield Mutant("sqrt(2 ln d)", with_kappa(root), lambda: too_small(lambda p, d: mpmath.sqrt(2 * log(d)), 2))
    yield Mutant("log_2 d", with_kappa(binary), lambda: too_small(lambda p, d: log(d, 2), 3))
    other = with_formula(claim, "kappa_through_dual_exponent", conjugate)
    yield Mutant("p/(p-1) for p/(p-1) - 1", other, lambda: mpmath.mpf(3) / 2 / (mpmath.mpf(1) / 2) != 1 / (mpmath.mpf(1) / 2))


def potential_with(
    claim: Claim, kappa: Callable[..., Real], index: Callable[..., Real], modulus: tuple[int, int] = (1, 1)
) -> Claim:
    """The claim about another potential (kappa/2) |x|^2 in l_index, and another modulus."""

    def phi(m: Numbers, kappa: Real, p: Real, d: Real, x: Any) -> Real:
        return kappa / 2 * m.norm(x, apply(index, m, {"p": p, "d": d})) ** 2

    def left(m: Numbers, kappa: Real, p: Real, d: Real, x: Any, y: Any) -> Real:
        return phi(m, kappa, p, d, [(a + b) / 2 for a, b in zip(x, y, strict=True)])

    def right(m: Numbers, kappa: Real, p: Real, d: Real, x: Any, y: Any) -> Real:
        gap = m.norm([a - b for a, b in zip(x, y, strict=True)], p) ** 2 * m.frac(*modulus) / 8
        return (phi(m, kappa, p, d, x) + phi(m, kappa, p, d, y)) / 2 - gap

    moved: dict[str, Callable[..., Real]] = {"kappa_of_p_and_d": kappa, "kappa_plus": index, "potential": phi}
    moved |= {"left": left, "right": right}
    return replace(claim, formulas={**claim.formulas, **moved})


def curvature(weight: Any, index: Any, p: str, middle: list[int], direction: list[int]) -> Any:
    """Second derivative of (weight/2) |x|^2 along a line, by differences of 60 digits, over the squared l_p length of it."""
    context = mpmath.MPContext()
    context.dps = 60
    step, u = context.mpf(10) ** -12, context.mpf(index)

    def phi(t: Any) -> Any:
        return weight / 2 * context.fsum(abs(a + t * b) ** u for a, b in zip(middle, direction, strict=True)) ** (2 / u)

    size = context.fsum(abs(context.mpf(b)) ** context.mpf(p) for b in direction) ** (2 / context.mpf(p))
    return (phi(step) - 2 * phi(0) + phi(-step)) / step**2 / size


def flatter(weight: Any, index: Any, p: str, d: int, modulus: float = 1) -> bool:
    """Whether the curvature at (1, ..., 1) along alternating signs is below the modulus by a thousandth."""
    return bool(curvature(weight, index, p, [1] * d, [1, -1] * (d // 2)) < modulus * 0.999)


def of_potential() -> Iterator[Mutant]:
    claim = find("lp/phi-amended")
    potential = partial(potential_with, claim)
    log, one = mpmath.log, mpmath.mpf(1)
    r = 2 * log(4)  # of the smooth norm at d = 4, p near 1

    def less(m: Numbers, p: Real, d: Real) -> Real:
        return kappa_amended(m, p, d) * m.frac(9, 10)

    def printed_index(m: Numbers, p: Real, d: Real) -> Real:
        kappa = kappa_amended(m, p, d)
        return kappa / (kappa - 1)

    def own_index(m: Numbers, p: Real, d: Real) -> Real:
        return p

    yield Mutant("kappa times 0.9", potential(less, kappa_plus_amended), lambda: flatter(one * 9 / 5, "1.5", "1.5", 4))
    yield Mutant(
        "2 ln d for 2 e ln d", potential(printed_kappa, kappa_plus_amended), lambda: flatter(r, r / (r - 1), "1.001", 4)
    )
    yield Mutant(
        "kappa_+ = kappa/(kappa - 1)",
        potential(kappa_amended, printed_index),
        lambda: bool(curvature(one * 4 / 3, 4, "1.75", [1, 0], [0, 1]) < 0.999),
    )
    yield Mutant(
        "kappa_+ = p",
        potential(kappa_amended, own_index),
        lambda: flatter(2 * mpmath.e * log(4), mpmath.mpf("1.001"), "1.001", 4),
    )
    more = potential(kappa_amended, kappa_plus_amended, modulus=(8, 7))
    yield Mutant("8-strong becomes 7: |x - y|^2/7", more, lambda: flatter(one * 2, "1.5", "1.5", 4, 8 / 7))
