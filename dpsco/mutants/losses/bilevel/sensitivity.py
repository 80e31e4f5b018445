"""Mutants of the sensitivity claims, shown false by enumerating every data set of explicit problems in fractions.

The constants are read off the problems: L_gy and D_y from all minimisers that occur, the others from how f is written.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.losses.bilevel import sensitivity as literal
from dpsco.reference.losses.bilevel.sensitivity import FiniteProblem
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.domain import reals
from dpsco.spec.losses.bilevel.sensitivity import difference_slope, other_record_slope
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

ONE, ZERO = Fraction(1), Fraction(0)
Constants = dict[str, Fraction]


def pulled(n: int, L_fx: Fraction, L_fy: Fraction) -> FiniteProblem:
    """Two records that pull the minimiser apart, in turn at x = 0 and x = 1; f = L_fy y + L_fx z x; mu_g = 1, walls at 1."""
    return FiniteProblem(
        upper=lambda x, y, z: L_fy * y + L_fx * z * x,
        centre=lambda x, z: (2 * x - 1) * n * z,
        mu_g=ONE,
        points=(ZERO, ONE),
        records=(-ONE, ONE) if n == 1 else (-ONE, ZERO, ONE),
        low=-ONE,
        high=ONE,
        steepness=Fraction(n),
    )


def constants(problem: FiniteProblem, n: int, L_fx: Fraction, L_fy: Fraction) -> Constants:
    """The constants of a problem with X = [0, 1]."""
    among = literal.minimisers(problem, n)
    found = {"n": Fraction(n), "L_fx": L_fx, "L_fy": L_fy, "mu_g": problem.mu_g, "D_x": ONE}
    return {**found, "D_y": among[-1] - among[0], "L_gy": literal.lower_slope(problem, among)}


def stated(claim: Claim, name: str, values: Constants) -> Any:
    return apply(claim.formulas[name], symbolic(), {key: sympy.Rational(value) for key, value in values.items()})


def shifts_more(claim: Claim, n: int) -> bool:
    problem = pulled(n, ZERO, ONE)
    return bool(literal.largest_shift(problem, n) > stated(claim, "minimiser_shift", constants(problem, n, ZERO, ONE)))


def changes_more(claim: Claim, name: str, n: int, L_fx: Fraction, L_fy: Fraction, share: Fraction = ONE) -> bool:
    """Whether the centred change, times `share`, exceeds the formula."""
    problem = pulled(n, L_fx, L_fy)
    return bool(share * literal.centred_change(problem, n) > stated(claim, name, constants(problem, n, L_fx, L_fy)))


def of_sensitivity() -> Iterator[Mutant]:
    claim = find("bilevel/thm-3.2-sensitivity")
    low = scaled(claim, "s", 9, 10)
    yield Mutant("s times 0.9", low, lambda: changes_more(low, "s", 1, ONE, ZERO))
    short = scaled(claim, "minimiser_shift", 9, 10)
    yield Mutant("shift times 0.9", short, lambda: shifts_more(short, 1))
    half = scaled(claim, "minimiser_shift", 1, 2)
    yield Mutant("shift L_gy/(mu_g n)", half, lambda: shifts_more(half, 5))

    def without_x(m: Numbers, n: Real, L_fy: Real, L_gy: Real, mu_g: Real, D_y: Real) -> Real:
        return 2 / n * L_fy * D_y + 4 * L_fy * L_gy / mu_g

    def without_shift(m: Numbers, n: Real, L_fx: Real, L_fy: Real, D_x: Real, D_y: Real) -> Real:
        return 2 / n * (L_fx * D_x + L_fy * D_y)

    def square(m: Numbers, n: Real, L_fx: Real, L_fy: Real, L_gy: Real, mu_g: Real, D_x: Real, D_y: Real) -> Real:
        return 2 / n * (L_fx * D_x + L_fy * D_y) + 4 * L_fy * L_gy / (mu_g * n**2)

    def faster(m: Numbers, n: Real, L_gy: Real, mu_g: Real) -> Real:
        return 2 * L_gy / (mu_g * n ** m.frac(11, 10))

    no_x = with_formula(claim, "s", without_x)
    yield Mutant("s without L_fx D_x", no_x, lambda: changes_more(no_x, "s", 2, ONE, ZERO))
    no_shift = with_formula(claim, "s", without_shift)
    yield Mutant("s without L_fy L_gy/mu_g", no_shift, lambda: changes_more(no_shift, "s", 6, ZERO, ONE))
    squared = with_formula(claim, "s", square)
    yield Mutant("last term of s over n^2", squared, lambda: changes_more(squared, "s", 6, ZERO, ONE))
    steep = with_formula(claim, "minimiser_shift", faster)
    yield Mutant("shift with n^1.1", steep, lambda: shifts_more(steep, 12))
    no_y = with_formula(claim, "s_of_proof", lambda m, n, L_fy, L_gy, mu_g: 4 * (n - 1) * L_fy * L_gy / (mu_g * n**2))
    yield Mutant("s_of_proof without D_x and D_y", no_y, lambda: changes_more(no_y, "s_of_proof", 1, ZERO, ONE))


def of_score() -> Iterator[Mutant]:
    claim = find("bilevel/score-sensitivity-amended")
    low = scaled(claim, "half_s", 9, 10)
    half = Fraction(1, 2)
    yield Mutant("0.45 s", low, lambda: changes_more(low, "half_s", 1, ONE, ZERO, half))

    def score_exceeds(moved: Claim, n: int, L_fy: Fraction, size: Fraction) -> bool:
        """f = L_fy y + size (z + 1)/2: the whole universe within `size` at every y."""
        problem = replace(pulled(n, ZERO, L_fy), upper=lambda x, y, z: L_fy * y + size * (z + 1) / 2)
        values = constants(problem, n, ZERO, L_fy) | {"record_range": size}
        return bool(literal.score_change(problem, n) > stated(moved, "record_bound", values))

    less = scaled(claim, "record_bound", 9, 10)
    yield Mutant("record_bound times 0.9", less, lambda: score_exceeds(less, 1, ONE, ONE))

    def without_range(m: Numbers, n: Real, L_fy: Real, L_gy: Real, mu_g: Real) -> Real:
        return 2 * L_fy * L_gy / (mu_g * n)

    def without_shift(m: Numbers, n: Real, record_range: Real) -> Real:
        return record_range / n

    numbers = with_formula(claim, "record_bound", without_range)
    yield Mutant("record_bound without record_range", numbers, lambda: score_exceeds(numbers, 2, ZERO, ONE))
    still = with_formula(claim, "record_bound", without_shift)
    yield Mutant("record_bound without the shift", still, lambda: score_exceeds(still, 3, ONE, ONE))
    fast = scaled(claim, "half_s", 1, 4)
    yield Mutant("s/8", fast, lambda: changes_more(fast, "half_s", 1, ZERO, ONE, half))


def of_response() -> Iterator[Mutant]:
    claim = find("bilevel/lem-B.5")
    values = {"mu_g": Fraction(3), "beta_gxy": Fraction(2)}

    def line(moved: Claim, declared: Constants = values) -> bool:
        """3 y^2/2 - 2 x y at x = 0 and 1."""
        problem = replace(pulled(1, ZERO, ONE), centre=lambda x, z: Fraction(2, 3) * x, mu_g=Fraction(3))
        moved_by = literal.lower_minimiser(problem, ONE, (ONE,)) - literal.lower_minimiser(problem, ZERO, (ONE,))
        return bool(moved_by > stated(moved, "bound", declared))

    low = scaled(claim, "bound", 9, 10)
    yield Mutant("bound times 0.9", low, lambda: line(low))
    square = with_formula(claim, "bound", lambda m, beta_gxy, mu_g: beta_gxy / mu_g**2)
    yield Mutant("beta_gxy/mu_g^2", square, lambda: line(square))
    without = with_formula(claim, "bound", lambda m, mu_g: 1 / (2 * mu_g))
    yield Mutant("1/(2 mu_g)", without, lambda: line(without))
    wide = replace(claim, parameters=tuple(p.within(reals) if p.name == "mu_g" else p for p in claim.parameters))
    yield Mutant("mu_g of any sign", wide, lambda: line(wide, {**values, "mu_g": Fraction(-1)}))


def kinked(n: int) -> FiniteProblem:
    """g = (y - x - n z)^2/2, f = psi(y) + z x on [0, 1/4], psi the Huber function that is |y| - 1/4 from 1/2 on."""
    return FiniteProblem(
        upper=lambda x, y, z: z * x + (abs(y) - Fraction(1, 4) if abs(y) >= Fraction(1, 2) else y**2),
        centre=lambda x, z: x + n * z,
        mu_g=ONE,
        points=(ZERO, Fraction(1, 4)),
        records=(-ONE, ZERO, ONE),
        low=Fraction(-9 * n),
        high=Fraction(9 * n),
        steepness=ZERO,
    )


def levelled(n: int) -> FiniteProblem:
    """g = (y - n z)^2/2, f = x s(y) on [0, 1], s(y) = y up to 1 and 5/4 from 3/2 on, of slope at most 1."""

    def s(y: Fraction) -> Fraction:
        size = abs(y)
        value = size if size <= 1 else size - (size - 1) ** 2 if size <= Fraction(3, 2) else Fraction(5, 4)
        return value if y >= 0 else -value

    return replace(kinked(n), upper=lambda x, y, z: x * s(y), centre=lambda x, z: n * z, points=(ZERO, ONE))


def slope_constants(problem: FiniteProblem, n: int, **known: Fraction) -> Constants:
    L_gy = literal.lower_slope(problem, literal.minimisers(problem, n))
    none = dict.fromkeys(("L_fx", "L_fy", "beta_fxy", "beta_gxy"), ZERO)
    return {**none, "n": Fraction(n), "mu_g": ONE, "L_gy": L_gy, **known}


def slopes_more(claim: Claim, problem: FiniteProblem, n: int, **known: Fraction) -> bool:
    return bool(literal.difference_quotient(problem, n) > stated(claim, "bound", slope_constants(problem, n, **known)))


def of_slopes() -> Iterator[Mutant]:
    claim = find("bilevel/lem-B.6-amended")
    kink = {"L_fx": ONE, "L_fy": ONE, "beta_gxy": ONE}
    level = {"L_fx": Fraction(5, 4), "L_fy": ONE, "beta_fxy": ONE}

    def on_the_kink(moved: Claim, n: int = 3) -> bool:
        return slopes_more(moved, kinked(n), n, **kink)

    printed = with_formula(claim, "bound", difference_slope)
    yield Mutant("1/n in the middle term (as printed)", printed, lambda: on_the_kink(printed))
    low = scaled(claim, "bound", 9, 10)
    yield Mutant("bound times 0.9", low, lambda: on_the_kink(low))

    def without_mixed(m: Numbers, n: Real, L_fx: Real, L_fy: Real, mu_g: Real, beta_gxy: Real) -> Real:
        return 2 * (L_fx / n + L_fy * beta_gxy / mu_g)

    def without_x(m: Numbers, n: Real, L_fy: Real, L_gy: Real, mu_g: Real, beta_fxy: Real, beta_gxy: Real) -> Real:
        return 2 * (L_fy * beta_gxy / mu_g + L_gy * beta_fxy / (n * mu_g))

    mixed = with_formula(claim, "bound", without_mixed)
    yield Mutant("bound without beta_fxy", mixed, lambda: slopes_more(mixed, levelled(4), 4, **level))
    no_x = with_formula(claim, "bound", without_x)
    yield Mutant("bound without L_fx", no_x, lambda: on_the_kink(no_x))
    step = with_formula(claim, "unchanged_record", other_record_slope)

    def one_record_moves() -> bool:
        """The unchanged record z = 0 on the kink, n = 3."""
        problem, n = kinked(3), 3
        values = slope_constants(problem, n, **kink)
        pair = (ONE, ZERO, ZERO), (-ONE, ZERO, ZERO)
        found = [[problem.upper(x, literal.lower_minimiser(problem, x, data), ZERO) for data in pair] for x in problem.points]
        quotient = abs(found[1][0] - found[1][1] - found[0][0] + found[0][1]) / (problem.points[1] - problem.points[0])
        return bool(quotient > stated(step, "unchanged_record", values))

    yield Mutant("unchanged record without the chain rule's second term (as printed)", step, one_record_moves)
    first = scaled(claim, "changed_record", 9, 10)

    def one_slope() -> bool:
        """z = 1 on the kink, n = 1: f = x + y - 1/4 along y = 1 + x."""
        problem = kinked(1)
        values = [literal.objective(problem, x, (ONE,)) for x in problem.points]
        return bool(4 * (values[1] - values[0]) > stated(first, "changed_record", slope_constants(problem, 1, **kink)))

    yield Mutant("changed record times 0.9", first, one_slope)

    rough = with_formula(claim, "smooth_bound", lambda m, n, L_fx: 2 * L_fx / n)
    yield Mutant("2 L_fx/n under Assumption 2.2", rough, lambda: smooth_exceeds(rough))
    less = scaled(claim, "smooth_bound", 2, 5)
    yield Mutant("2/5 of 2G/n under Assumption 2.2", less, lambda: smooth_exceeds(less))


def smooth_exceeds(claim: Claim) -> bool:
    """g = y^2/2 - z x y, f = z y, z in {-1, 1}, n = 6, x in {0, 1}: Assumption 2.2 with all constants 0 but beta_gyy = 1."""
    n, smooth = 6, dict.fromkeys(("beta_fyy", "C_gxy", "C_gyy"), ZERO) | {"beta_gyy": ONE}
    bilinear = replace(
        kinked(n), upper=lambda x, y, z: z * y, centre=lambda x, z: z * x, records=(-ONE, ONE), points=(ZERO, ONE)
    )
    values = slope_constants(bilinear, n, L_fy=ONE, beta_gxy=ONE, **smooth)
    return bool(literal.difference_quotient(bilinear, n) > stated(claim, "smooth_bound", values))
