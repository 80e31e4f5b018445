"""Mutants of what is amended in the simulations; false by quadrature, by a risk that is lowered, or by the table's cells."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.experiments.quantile_simulations import ALGORITHMS, SOLVING_TIMES, feature_norm
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

INTERCEPT = "15.4"


def below(intercept: str) -> Real:
    """Pr[N(0, 9) <= intercept - 10] by quadrature of the density."""
    m = mp(25)
    end = m.real(intercept) - 10
    return m.mp.quad(lambda u: m.phi(u / 3) / 3, [-60, -10, 0, end])  # type: ignore[attr-defined]


def risk(claim: Claim, slopes: tuple[Real, Real]) -> Real:
    """Mean check loss (r = 0.7) of the rule (15.4, slopes), by E (a + 3 Z)_+, over the four points (+-2, +-3), at the claim's
    endogenous error."""
    m, total = mp(40), mp(40).real(0)
    for first in (2, -2):
        for second in (3, -3):
            x = (m.real(first), m.real(second))
            mean = 10 + 5 * x[0] - 2 * x[1] + apply(claim.formulas["mean_of_endogenous_error"], m, {"x_1": x[0], "x_2": x[1]})
            a = mean - m.real(INTERCEPT) - slopes[0] * x[0] - slopes[1] * x[1]
            above = 3 * m.phi(a / 3) + a * m.Phi(a / 3)
            total += (above - m.frac(3, 10) * a) / 4  # r a_+ + (1 - r) a_- = a_+ - (1 - r) a
    return total


def lowered(claim: Claim) -> bool:
    """Whether a step in some slope lowers this risk, the intercept held fixed."""
    m = mp(40)
    here = tuple(apply(claim.formulas[name], m, {}) for name in ("slope_1", "slope_2"))
    steps = [(m.real(a) / 100, m.real(b) / 100) for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    least = min(risk(claim, (here[0] + a, here[1] + b)) for a, b in steps)
    return bool(least < risk(claim, (here[0], here[1])) - m.real("1e-12"))


def of_design() -> Iterator[Mutant]:
    claim = find("quantile/fig-4-7-amended")

    def five(m: Numbers) -> Real:
        return m.real(5)

    def two(m: Numbers) -> Real:
        return m.real(-2)

    def turned(m: Numbers, x_1: Real, x_2: Real) -> Real:
        return x_1 + x_2 + m.abs(x_1 * x_2)

    def crossed(m: Numbers, x_1: Real, x_2: Real) -> Real:
        return x_1 - x_2 + x_1 * x_2

    stated = Relation("level_at_intercept at 11.41", ">", "r = 0.7")
    printed = replace(claim, asserts=(stated, *claim.asserts[1:]))
    yield Mutant("the printed intercept as an upper end", printed, lambda: bool(below("11.41") < mp(25).real("0.7")))
    low, high = scaled(claim, "level_at_intercept", 9, 10), scaled(claim, "level_at_intercept", 11, 10)
    yield Mutant("0.9 of the level", low, lambda: bool(below("11.58") * 9 / 10 <= mp(25).real("0.7")))
    yield Mutant("1.1 of the level", high, lambda: bool(below("11.57") * 11 / 10 >= mp(25).real("0.7")))
    for says, name, formula in (("the exogenous slope 5", "slope_1", five), ("the exogenous slope -2", "slope_2", two)):
        moved = with_formula(claim, name, formula)
        yield Mutant(says, moved, partial(lowered, moved))
    other = with_formula(claim, "mean_of_endogenous_error", turned)
    yield Mutant("x_1 + x_2 in the error", other, partial(lowered, other))
    even = with_formula(claim, "mean_of_endogenous_error", crossed)
    yield Mutant("x_1 x_2 without its absolute value (still true)", even, partial(lowered, even))
    whole = with_formula(claim, "feature_norm", feature_norm)
    point = Fraction(1) + Fraction(6) ** 2 + Fraction(8) ** 2  # |(6, 8)| = 10
    yield Mutant("random features up to B_x", whole, lambda: point > Fraction(10) ** 2)


def slowest_first(names: tuple[str, ...], against: bool) -> bool:
    """Whether some printed mean of these methods is, over a printed baseline above 0, on the wrong side of objective
    perturbation's."""
    for d in (3, 51):
        for column in range(3):
            base, ours = (Fraction(SOLVING_TIMES[d, name][column][0]) for name in ("non-private", "objective perturbation"))
            for name in names if base > 0 else ():
                time = Fraction(SOLVING_TIMES[d, name][column][0])
                if (time / base > ours / base) if against else (time / base < ours / base):
                    return True
    return False


def of_times() -> Iterator[Mutant]:
    claim = find("quantile/sec-5-times-amended")
    (relation,) = claim.asserts
    iterative = ALGORITHMS[2:5]
    turned = replace(claim, asserts=(replace(relation, sign=">"),))
    yield Mutant("the other way round", turned, partial(slowest_first, iterative, True))
    all_ = replace(claim, asserts=find("quantile/sec-5-times").asserts)
    yield Mutant("the phased methods as well", all_, partial(slowest_first, ALGORITHMS[2:], False))

    def inverse(m: Numbers, time: Real, baseline: Real) -> Real:
        return baseline / time

    upside = with_formula(claim, "slowdown", inverse)
    yield Mutant("the inverse of the slowdown", upside, partial(slowest_first, iterative, True))
