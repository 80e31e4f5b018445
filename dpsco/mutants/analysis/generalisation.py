"""Mutants of the identity of the generalisation gap; falsity in fractions: a median of three, a loss of two values."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

CHANCE = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
"""Of the records 0, 1, 2."""


def median(data: tuple[int, ...]) -> int:
    return sorted(data)[len(data) // 2]


def first(data: tuple[int, ...]) -> int:
    return data[0]


def four(algorithm: Callable[[tuple[int, ...]], int], n: int = 3) -> dict[str, Fraction]:
    """The four expectations with the loss 1 where theta and record differ; the last record is the replaced one."""
    found = dict.fromkeys(("population_risk", "empirical_risk", "fresh_loss", "replaced_loss"), Fraction(0))
    for *records, fresh in product(range(3), repeat=n + 1):
        data, weight = tuple(records), CHANCE[fresh]
        for record in data:
            weight *= CHANCE[record]
        here, there = algorithm(data), algorithm((*data[:-1], fresh))
        found["population_risk"] += weight * (1 - CHANCE[here])
        found["empirical_risk"] += weight * Fraction(sum(d != here for d in data), n)
        found["fresh_loss"] += weight * (fresh != here)
        found["replaced_loss"] += weight * (fresh != there)
    return found


def breaks(claim: Claim, algorithm: Callable[[tuple[int, ...]], int]) -> bool | None:
    """True if the two sides differ for the algorithm, else None."""
    m, n = mp(40), 3
    values = {"n": m.real(n), **{name: m.real(risk) for name, risk in four(algorithm, n).items()}}
    left, right = (apply(claim.formulas[name], m, values) for name in ("gap", "replacement_change"))
    return True if abs(left - right) > 1e-20 else None


def of_identity() -> Iterator[Mutant]:
    claim = find("spo/lem-7")

    def turned(m: Numbers, fresh_loss: Real, replaced_loss: Real) -> Real:
        return replaced_loss - fresh_loss

    def shared(m: Numbers, n: Real, fresh_loss: Real, replaced_loss: Real) -> Real:
        return (fresh_loss - replaced_loss) * (n - 1) / n

    def no_replacement(m: Numbers, fresh_loss: Real) -> Real:
        return fresh_loss

    def against_population(m: Numbers, fresh_loss: Real, population_risk: Real) -> Real:
        return fresh_loss - population_risk

    for says, formula in (
        ("the sign turned", turned),
        ("(n - 1)/n of the change", shared),
        ("the fresh loss alone", no_replacement),
        ("the fresh loss less the population risk", against_population),
    ):
        moved = with_formula(claim, "replacement_change", formula)
        yield Mutant(says, moved, partial(breaks, moved, median))
    less = scaled(claim, "gap", 9, 10)
    yield Mutant("0.9 of the gap", less, partial(breaks, less, median))
    every = replace(claim, over=tuple("every algorithm" if text.startswith("every symmetric") else text for text in claim.over))
    yield Mutant("no symmetry", every, partial(breaks, every, first))

    def named_otherwise(m: Numbers, population_risk: Real, replaced_loss: Real) -> Real:
        return population_risk - replaced_loss

    same = with_formula(claim, "replacement_change", named_otherwise)
    yield Mutant("the population risk for the fresh loss (still true)", same, lambda: False)
