"""Mutants of the uniform deviation; falsity by dynamic programming over signs, and by functions evaluated on rational grids."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, with_formula
from dpsco.mutants.pointwise import scaled_mutant
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

Function = Callable[[Fraction], Fraction]
GRID = [Fraction(k, 100) for k in range(-500, 501)]
FINE = {"n": "400", "d": "1", "gamma": "1e-40", "r": "0.5", "B_x": "7", "lambda_": "1e-9", "r_0": "0.1", "optimum_norm": "2"}


@cache
def sums_of_signs(n: int) -> Mapping[int, Fraction]:
    """Law of the sum of n fair signs, one sign after the other."""
    law = {0: Fraction(1)}
    for _ in range(n):
        moved: dict[int, Fraction] = {}
        for total, p in law.items():
            for sign in (1, -1):
                moved[total + sign] = moved.get(total + sign, Fraction(0)) + p / 2
        law = moved
    return law


def too_often(claim: Claim, at: Mapping[str, str]) -> bool:
    """Whether the linear loss of one feature with a fair sign exceeds the deviation with more than probability gamma.

    r > 1/2: outcomes far above, loss r (y - theta x), so mean minus average at delta is r delta (average of x) there.
    """
    m, n = mp(60), int(at["n"])
    v = {name: m.real(text) for name, text in at.items()}
    claimed = apply(claim.formulas["deviation"], m, v)
    steep, star, moved = max(v["r"], 1 - v["r"]), v["optimum_norm"], v["optimum_norm"] - v["r_0"]
    often = m.real(0)
    for total, p in sums_of_signs(n).items():
        difference = steep * v["r_0"] * v["B_x"] * total / n - v["lambda_"] * (moved**2 - star**2)
        if difference > claimed * m.real("1.000001"):
            often += m.real(p)
    return bool(often > v["gamma"])


def valley_outside(lhat: Function, claimed: Fraction) -> bool:
    """Whether Lhat (theta* = 0) exceeds Lhat(0) at +-1, and on the grid its least values all lie farther out than claimed."""
    lowest = min(lhat(t) for t in GRID)
    return min(lhat(Fraction(1)), lhat(Fraction(-1))) > lhat(Fraction(0)) and all(
        abs(t) > claimed for t in GRID if lhat(t) == lowest
    )


def of_sphere() -> Iterator[Mutant]:
    claim = find("quantile/lem-B.1")

    def kink(at: str) -> Function:
        place = Fraction(at)
        return lambda t: place - t if t <= place else 1000 * (t - place)

    def quartic(t: Fraction) -> Fraction:
        return t**2 * (t - 3) ** 2 - t**2

    def scaled(numerator: int) -> Callable[..., Real]:
        def formula(m: Numbers, r_0: Real) -> Real:
            return r_0 * m.frac(numerator, 100)

        return formula

    for numerator, place in ((90, "0.99"), (48, "0.49")):
        moved = with_formula(claim, "distance_bound", scaled(numerator))
        claimed = Fraction(numerator, 100)
        yield Mutant(f"{claimed} r_0", moved, partial(valley_outside, kink(place), claimed))
    hilly = replace(claim, preconditions=claim.preconditions[:1])
    yield Mutant("not quasi-convex", hilly, lambda: valley_outside(quartic, Fraction(1)))
    # the constant function meets ">=" on the sphere, and 2 is one of its minimisers
    weak = replace(claim.preconditions[0], test=not_below)
    flat = replace(claim, preconditions=(weak, claim.preconditions[1]))
    yield Mutant("no less on the sphere instead of more", flat, lambda: bool(not_below(mp(20), mp(20).real(0))) and abs(2) > 1)


def not_below(m: Numbers, least_increase: Real) -> Real:
    return m.ge(least_increase, 0)


def of_deviation() -> Iterator[Mutant]:
    claim = find("quantile/lem-B.2")

    def moved_to(formula: Callable[[Numbers, Mapping[str, Real]], Real]) -> Claim:
        def deviation(
            m: Numbers, r: Real, r_0: Real, B_x: Real, d: Real, gamma: Real, n: Real, lambda_: Real, optimum_norm: Real
        ) -> Real:
            names = {"r": r, "r_0": r_0, "B_x": B_x, "d": d, "gamma": gamma, "n": n, "l": lambda_, "star": optimum_norm}
            return formula(m, names)

        return with_formula(claim, "deviation", deviation)

    def spread(m: Numbers, v: Mapping[str, Real], factor: int = 3, constant: int = 4) -> Real:
        root = m.sqrt((constant * v["d"] + m.log(1 / v["gamma"])) / v["n"])
        return factor * m.max(v["r"], 1 - v["r"]) * v["r_0"] * v["B_x"] * root

    def edge(v: Mapping[str, Real]) -> Real:
        return v["l"] * (2 * v["r_0"] * v["star"] - v["r_0"] ** 2)

    def no_confidence(m: Numbers, v: Mapping[str, Real]) -> Real:
        return spread(m, {**v, "gamma": m.real(1)}) + edge(v)

    def fast(m: Numbers, v: Mapping[str, Real]) -> Real:
        return spread(m, v) / m.sqrt(v["n"]) + edge(v)

    def flat(m: Numbers, v: Mapping[str, Real]) -> Real:
        return spread(m, {**v, "B_x": m.real(1)}) + edge(v)

    def light(m: Numbers, v: Mapping[str, Real]) -> Real:
        return spread(m, v) * m.min(v["r"], 1 - v["r"]) / m.max(v["r"], 1 - v["r"]) + edge(v)

    rare, steep = {**FINE, "gamma": "1e-10"}, {**FINE, "gamma": "0.5", "r": "0.001"}
    strong = {**FINE, "lambda_": "100", "gamma": "0.5", "B_x": "0.3"}
    for says, formula, at in (
        ("1 for 3 before the root", lambda m, v: spread(m, v, 1) + edge(v), FINE),
        ("ln(1/gamma) dropped", no_confidence, FINE),
        ("1/n for 1/sqrt(n)", fast, rare),
        ("B_x dropped", flat, rare),
        ("min(r, 1-r) for max(r, 1-r)", light, {**steep, "gamma": "1e-3"}),
        ("2 lambda r_0 |theta*| dropped", lambda m, v: spread(m, v) - v["l"] * v["r_0"] ** 2, strong),
        ("2 lambda r_0^2 subtracted", lambda m, v: spread(m, v) + edge(v) - v["l"] * v["r_0"] ** 2, {**strong, "r_0": "3"}),
    ):
        moved = moved_to(formula)
        yield Mutant(says, moved, partial(too_often, moved, at))
    larger = moved_to(lambda m, v: spread(m, v, 4) + edge(v))
    yield Mutant("4 for 3 (still true: larger)", larger, lambda: False)
    yield scaled_mutant(claim, "covering_factor", 11, 10, ("covering_factor", "<=", "3"), {})
