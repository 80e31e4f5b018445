"""Mutants of claims about randomised response; falsity by exact fractions at e^epsilon = 2, or by quadrature."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.domain import naturals
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def tells_apart(odds: Fraction, root: int, allowed: int) -> bool:
    """Whether on the line, where the halves are the points +1 and -1, gradients of opposite signs change a probability by more
    than 2^(allowed/root), at e^epsilon = 2 and favoured odds of `odds`^(1/root)."""
    return odds > Fraction(2) ** allowed


def quadrature(d: int, epsilon: str, dps: int = 30) -> Real:
    """(f - u) E|u_1| over the sphere of R^d, by quadrature of the angle: the route that judges do not take."""
    m = mp(dps)
    context = m.mp  # type: ignore[attr-defined]
    halves = [
        context.quad(lambda a: context.cos(a) * context.sin(a) ** (d - 2), [0, context.pi / 2]),
        context.quad(lambda a: context.sin(a) ** (d - 2), [0, context.pi / 2]),
    ]
    e = m.exp(m.real(epsilon))
    return (e - 1) / (e + 1) * halves[0] / halves[1]


def of_draw() -> Iterator[Mutant]:
    claim = find("spo/sec-2.1")

    def less(m: Numbers, epsilon: Real) -> Real:
        return m.exp(m.frac(9, 10) * epsilon)

    yield Mutant(
        "e^(0.9 epsilon) allowed", with_formula(claim, "allowed_ratio", less), partial(tells_apart, Fraction(2) ** 10, 10, 9)
    )

    def sure(m: Numbers, epsilon: Real) -> Real:
        return m.exp(2 * epsilon) / (m.exp(2 * epsilon) + 1)

    def unsure(m: Numbers, epsilon: Real) -> Real:
        return 1 / (m.exp(2 * epsilon) + 1)

    twice = with_formula(with_formula(claim, "favoured", sure), "unfavoured", unsure)
    yield Mutant("2 epsilon in both probabilities", twice, partial(tells_apart, Fraction(4), 1, 1))

    def third(m: Numbers, epsilon: Real) -> Real:
        return 1 / (m.exp(epsilon) + 2)

    # 2/3 and 1/4 at e^epsilon = 2
    lost = with_formula(claim, "unfavoured", third)
    yield Mutant("2 for 1 under the smaller probability", lost, lambda: Fraction(2, 3) + Fraction(1, 4) != 1)

    def bare(m: Numbers, epsilon: Real) -> Real:
        return m.exp(epsilon) - m.frac(1, 10)

    more = scaled(claim, "likelihood_ratio", 11, 10)  # the odds are e^epsilon
    yield Mutant("11/10 of the odds", more, lambda: Fraction(2) * 11 / 10 > Fraction(2))
    yield Mutant("e^epsilon - 0.1 allowed", with_formula(claim, "allowed_ratio", bare), lambda: Fraction(2) > Fraction(19, 10))


def of_iteration() -> Iterator[Mutant]:
    claim = find("spo/lem-2-amended")

    def steeper(m: Numbers, epsilon: Real) -> Real:
        return m.exp(m.frac(11, 10) * epsilon)

    odds = with_formula(claim, "likelihood_ratio", steeper)
    yield Mutant("odds e^(1.1 epsilon)", odds, partial(tells_apart, Fraction(2) ** 11, 10, 10))

    def less(m: Numbers, epsilon: Real) -> Real:
        return m.exp(m.frac(9, 10) * epsilon)

    yield Mutant(
        "e^(0.9 epsilon) allowed", with_formula(claim, "allowed_ratio", less), partial(tells_apart, Fraction(2) ** 10, 10, 9)
    )

    def separates(first: int, second: int) -> bool:
        """Whether the iterates' supports {-s, s} on the line are disjoint for these two step lengths."""
        return {-first, first}.isdisjoint({-second, second})

    norm = replace(claim, parameters=(*claim.parameters, find("spo/lem-2").parameter("gradient_norm")))

    def own(m: Numbers, eta: Real, gradient_norm: Real) -> Real:
        return eta * gradient_norm

    yield Mutant("the gradient's own length (the printed step)", with_formula(norm, "step", own), partial(separates, 4, 8))

    def clipped(m: Numbers, eta: Real, L: Real, gradient_norm: Real) -> Real:
        return eta * m.min(L, gradient_norm)

    yield Mutant(
        "the gradient's length, clipped to L", with_formula(norm, "step", clipped), partial(separates, min(8, 4), min(8, 8))
    )

    def shorter(m: Numbers, eta: Real, L: Real) -> Real:
        return eta * L / 2

    yield Mutant("half the public step (still true)", with_formula(claim, "step", shorter), lambda: False)


def of_mean() -> Iterator[Mutant]:
    claim = find("spo/def-12-amended")

    def differs(formula: object, d: int) -> bool:
        m = mp(30)
        printed = formula(m, epsilon=m.real(1), d=m.real(d))  # type: ignore[operator]
        return bool(abs(printed - quadrature(d, "1")) > m.real("1e-6"))

    def half(m: Numbers, epsilon: Real, d: Real) -> Real:
        return m.tanh(epsilon / 2) / 2

    def gaussian(m: Numbers, epsilon: Real, d: Real) -> Real:
        return m.sqrt(2 / (m.pi * d)) * m.tanh(epsilon / 2)

    def shifted(m: Numbers, epsilon: Real, d: Real) -> Real:
        return m.gamma((d + 1) / 2) / (m.sqrt(m.pi) * m.gamma((d + 2) / 2)) * m.tanh(epsilon / 2)

    def doubled(m: Numbers, epsilon: Real, d: Real) -> Real:
        return m.gamma(d / 2) / (m.sqrt(m.pi) * m.gamma((d + 1) / 2)) * m.tanh(epsilon)

    for says, formula in (
        ("1/2 in every dimension (the printed factor)", half),
        ("sqrt(2/(pi d)), the limit of large d", gaussian),
        ("the dimension shifted by one", shifted),
        ("tanh(epsilon) for tanh(epsilon/2)", doubled),
    ):
        yield Mutant(says, with_formula(claim, "mean_factor", formula), partial(differs, formula, 9))
    line = replace(claim, parameters=tuple(p.within(naturals) if p.name == "d" else p for p in claim.parameters))
    # a rotation of R^1 has determinant 1: it is 1, and -1 would be needed with probability 1/3 at e^epsilon = 2
    yield Mutant("d = 1 as well", line, lambda: {r for r in (1, -1) if r == 1} != {1, -1})
