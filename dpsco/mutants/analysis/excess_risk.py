"""Mutants of the way from stability to excess risk; falsity by exact enumeration of small models in rational arithmetic."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product

from dpsco.arguments.formula import apply, quantity
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.analysis.excess_risk import risks_are_finite
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

DECISIONS = (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1))
CHANCE = Fraction(1, 3)


def memory_gap(n: int, kinds: int) -> Fraction:
    """E[L - Lhat] of the algorithm that remembers, by enumeration of all data sets and one fresh record."""
    missed = sum(1 for *data, fresh in product(range(kinds), repeat=n + 1) if fresh not in data)
    return Fraction(missed, kinds ** (n + 1))


def memory_change(n: int, kinds: int) -> Fraction:
    """Its uniform stability by enumeration of all neighbours and test records."""
    return max(
        Fraction((z not in data) - (z not in (other, *data[1:])))
        for data in product(range(kinds), repeat=n)
        for other in range(kinds)
        for z in range(kinds)
    )


def gap_exceeds(claim: Claim, n: int, kinds: int, tau: Fraction, change: Fraction) -> bool:
    """Whether the remembering algorithm with losses scaled to this change has a larger gap than claimed."""
    m = mp(50)
    claimed = apply(claim.formulas["generalisation_gap_bound"], m, {"tau": m.real(tau), "n": m.real(n)})
    return memory_change(n, kinds) == 1 and bool(m.real(change * memory_gap(n, kinds)) > claimed)


def heavy_tail_exceeds(claim: Claim) -> bool:
    """Whether the mean of min(z, e^50), by quadrature of Pr[z > s] = min(1, 1/s), exceeds what is claimed at tau = 1."""
    m = mp(30)
    mean = 1 + m.mp.quad(lambda s: 1 / s, [m.exp(m.real(k)) for k in range(51)])  # type: ignore[attr-defined]
    return bool(mean > 10 * apply(claim.formulas["generalisation_gap_bound"], m, {"tau": m.real(1)}))


def of_stability() -> Iterator[Mutant]:
    claim = find("quantile/lem-2.6")

    def shared(m: Numbers, tau: Real, n: Real) -> Real:
        return tau / n

    def squared(m: Numbers, tau: Real) -> Real:
        return tau**2

    small = Fraction(3, 10)
    less = scaled(claim, "generalisation_gap_bound", 9, 10)
    yield Mutant("0.9 tau", less, lambda: gap_exceeds(less, 1, 12, Fraction(1), Fraction(1)))
    moved = with_formula(claim, "generalisation_gap_bound", shared)
    yield Mutant("tau/n", moved, partial(gap_exceeds, moved, 2, 4, Fraction(1), Fraction(1)))
    moved = with_formula(claim, "generalisation_gap_bound", squared)
    yield Mutant("tau^2", moved, partial(gap_exceeds, moved, 1, 4, small, small))
    unstable = replace(claim, preconditions=claim.preconditions[1:])
    yield Mutant("no stability", unstable, lambda: gap_exceeds(unstable, 1, 4, Fraction(1), Fraction(7)))
    heavy = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != risks_are_finite))
    yield Mutant("no finite expectations", heavy, lambda: heavy_tail_exceeds(heavy))
    more = scaled(claim, "generalisation_gap_bound", 2, 1)
    yield Mutant("2 tau (still true: larger)", more, lambda: False)


def loss(theta: Fraction, z: int) -> Fraction:
    return (theta - z) ** 2


def population(theta: Fraction) -> Fraction:
    return CHANCE * loss(theta, 1) + (1 - CHANCE) * loss(theta, 0)


def fitted(data: tuple[int, ...]) -> Fraction:
    """The decision with the least empirical risk."""
    return min(DECISIONS, key=lambda theta: sum(loss(theta, z) for z in data))


def best(data: tuple[int, ...]) -> Fraction:
    """The decision with the least population risk: it does not look at the data."""
    return min(DECISIONS, key=population)


def four_risks(optimum: Callable[[tuple[int, ...]], Fraction], n: int = 2) -> dict[str, Fraction]:
    """The four expectations of the decomposition for `fitted`, by enumeration of all data sets of n binary records."""
    totals = dict.fromkeys(("population_risk", "empirical_risk", "optimal_risk", "empirical_risk_at_optimum"), Fraction(0))
    for data in product((0, 1), repeat=n):
        weight = CHANCE ** sum(data) * (1 - CHANCE) ** (n - sum(data))
        chosen, star = fitted(data), optimum(data)
        totals["population_risk"] += weight * population(chosen)
        totals["empirical_risk"] += weight * sum((loss(chosen, z) for z in data), Fraction(0)) / n
        totals["optimal_risk"] += weight * population(star)
        totals["empirical_risk_at_optimum"] += weight * sum((loss(star, z) for z in data), Fraction(0)) / n
    return totals


def breaks(claim: Claim, optimum: Callable[[tuple[int, ...]], Fraction]) -> bool:
    """Whether two sides of an assertion differ for the enumerated risks."""
    m = mp(50)
    values: Mapping[str, Real] = {name: m.real(risk) for name, risk in four_risks(optimum).items()}

    sides = ((quantity(claim, r.left, m, values), quantity(claim, r.right, m, values)) for r in claim.asserts)
    return any(bool(m.abs(left - right) > m.real("1e-9")) for left, right in sides)


def of_decomposition() -> Iterator[Mutant]:
    claim = find("quantile/eq-1")

    def turned(m: Numbers, population_risk: Real, empirical_risk: Real, optimal_risk: Real) -> Real:
        return (population_risk - empirical_risk) + (optimal_risk - empirical_risk)

    def without_gap(m: Numbers, empirical_risk: Real, empirical_risk_at_optimum: Real) -> Real:
        return empirical_risk - empirical_risk_at_optimum

    def against_fitted(m: Numbers, population_risk: Real, empirical_risk: Real) -> Real:
        return population_risk - empirical_risk

    for says, name, formula in (
        ("a sign turned in the second difference", "gap_plus_mixed", turned),
        ("the generalisation gap dropped", "gap_plus_empirical_excess", without_gap),
        ("excess over the empirical risk", "excess", against_fitted),
    ):
        moved = with_formula(claim, name, formula)
        yield Mutant(says, moved, partial(breaks, moved, best))
    fitted_star = replace(claim, preconditions=())
    yield Mutant("theta* may depend on the data", fitted_star, partial(breaks, fitted_star, fitted))
