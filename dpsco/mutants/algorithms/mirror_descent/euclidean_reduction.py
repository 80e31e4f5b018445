"""Mutants of the reduction to the Euclidean case, shown false by a cube's diagonal and by quotients along a path of numbers."""

from collections.abc import Iterator
from itertools import pairwise

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def diagonal(claim: Claim, d: int = 5) -> bool:
    """Whether the diagonal of a cube, p = 4, is longer in l_2 than the bound on the diameter says."""
    m = mp(30)
    ones = [m.real(1)] * d
    bound = claim.formulas["euclidean_diameter_bound"](m, d=m.real(d), p=m.real(4), M=m.norm(ones, m.real(4)))
    return bool(m.norm(ones) > bound * (1 + m.real("1e-20")))


def leaves(claim: Claim, **powers: int) -> bool:
    """Whether the cited rate over the printed one at least doubles at each step along 10^(k powers), p = 4."""
    m, found = mp(30), []
    for k in range(60, 200, 20):
        v = {name: m.real(10) ** (k * powers.get(name, 0)) for name in ("d", "n", "epsilon")}
        p = m.real(4)
        diameter = claim.formulas["euclidean_diameter_bound"](m, d=v["d"], p=p, M=m.real(1))
        cited = claim.formulas["euclidean_rate"](m, euclidean_diameter=diameter, **v)
        found.append(cited / claim.formulas["rate"](m, p=p, **v))
    return all(b > 2 * a for a, b in pairwise(found))


def of_reduction() -> Iterator[Mutant]:
    claim = find("lp/thm-15")
    short = scaled(claim, "euclidean_diameter_bound", 9, 10)
    yield Mutant("diameter times 0.9", short, lambda: diagonal(short))

    def flat(m: Numbers, d: Real, p: Real, M: Real) -> Real:
        return d ** (m.frac(2, 5) - 1 / p) * M

    moved = with_formula(claim, "euclidean_diameter_bound", flat)
    yield Mutant("d^{0.4 - 1/p} for d^{1/2 - 1/p}", moved, lambda: diagonal(moved))

    def slow(m: Numbers, d: Real, p: Real, n: Real, epsilon: Real) -> Real:
        return d ** (m.frac(7, 5) - 1 / p) / m.sqrt(n) + d ** (m.frac(3, 2) - 1 / (2 * p)) / m.sqrt(n * epsilon)

    first = with_formula(claim, "rate", slow)
    yield Mutant("d^{1.4 - 1/p} in the first term (true: for epsilon < 1 the second is larger)", first, lambda: False)

    def private(m: Numbers, d: Real, p: Real, n: Real, epsilon: Real) -> Real:
        return d ** (m.frac(3, 2) - 1 / p) / m.sqrt(n) + d ** (m.frac(3, 2) - 1 / p) / m.sqrt(n * epsilon)

    second = with_formula(claim, "rate", private)
    yield Mutant("1/p for 1/(2p) in the second term", second, lambda: leaves(second, d=1, epsilon=-3))

    def slower(m: Numbers, d: Real, p: Real, n: Real, epsilon: Real) -> Real:
        return d ** (m.frac(3, 2) - 1 / (2 * p)) / m.sqrt(n) / epsilon ** m.frac(1, 4)

    third = with_formula(claim, "rate", slower)
    yield Mutant("epsilon^{-1/4} for epsilon^{-1/2}", third, lambda: leaves(third, epsilon=-3))
