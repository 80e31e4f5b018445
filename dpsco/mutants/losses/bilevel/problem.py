"""Mutants of the bound on the set of lower minimisers, shown false by difference quotients of parabolas, in fractions."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import sympy

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.losses.bilevel.sensitivity import FiniteProblem, lower_slope, minimisers
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

MU = Fraction(3)
GRID = 16


def parabola(points: Sequence[int]) -> FiniteProblem:
    """g = 3 (y - x)^2/2 with x among the points, nothing above."""
    return FiniteProblem(
        upper=lambda x, y, z: Fraction(0),
        centre=lambda x, z: Fraction(x),
        mu_g=MU,
        points=points,
        records=(0, 1),
        low=Fraction(-9),
        high=Fraction(9),
        steepness=Fraction(0),
    )


def wider(claim: Claim, name: str, problem: FiniteProblem, among: Sequence[Fraction]) -> bool:
    """Whether the points, minimisers of all data sets of two records among them, are farther apart than the formula says."""
    if not {*minimisers(problem, 2)} <= {*among}:
        raise ValueError(f"among={among}: a lower minimiser is missing")
    apart = max(b - a for a, b in combinations(sorted(among), 2))
    steepest = lower_slope(problem, among) * (1 + Fraction(1, GRID))  # at least that of the segment that the grid stands for
    values = {"L_gy": sympy.Rational(steepest), "mu_g": sympy.Rational(MU)}
    return bool(apart > apply(claim.formulas[name], symbolic(), values))


def of_diameters() -> Iterator[Mutant]:
    claim = find("bilevel/asm-2.1-amended")
    three = [Fraction(y) for y in (-1, 0, 1)]
    filled = [Fraction(k, GRID) for k in range(-GRID, GRID + 1)]
    path = [k for k in filled if k >= 0]

    def alone(name: str, moved: Claim, points: Sequence[int], among: Sequence[Fraction]) -> Callable[[], bool]:
        return lambda: wider(moved, name, parabola(points), among)

    for name, share, points, among in (
        ("bound", (9, 10), (0,), three),
        ("convex_bound", (9, 10), (0,), filled),
        ("minimisers_bound", (9, 10), (0, 1), path),
        ("bound", (1, 4), (0,), three),
    ):
        less = scaled(claim, name, *share)
        yield Mutant(f"{name} times {share[0]}/{share[1]}", less, alone(name, less, points, among))

    def squared(m: Numbers, L_gy: Real, mu_g: Real) -> Real:
        return 4 * L_gy / mu_g**2

    more = with_formula(claim, "bound", squared)
    yield Mutant("bound with mu_g squared", more, alone("bound", more, (0,), three))
