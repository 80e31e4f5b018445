"""Mutants of the generalisation gap of stable algorithms; false in fractions, all data sets of a small law written out."""

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

NAMES = 12
Loss = Callable[[tuple[int, ...], int], Fraction]


def missing(data: tuple[int, ...], z: int) -> Fraction:
    """1 less the share of z in the data: a replaced record changes it by 1/n."""
    return 1 - Fraction(data.count(z), len(data))


def measured(loss: Loss, n: int) -> tuple[Fraction, Fraction]:
    """Mean gap and largest change by one replaced record, over all data sets of n uniform records."""
    total, change = Fraction(0), Fraction(0)
    for data in product(range(NAMES), repeat=n):
        losses = [loss(data, z) for z in range(NAMES)]
        total += sum(losses, start=Fraction(0)) / NAMES - sum((losses[z] for z in data), start=Fraction(0)) / n
        for i, new in product(range(n), range(NAMES)):
            other = (*data[:i], new, *data[i + 1 :])
            change = max(change, *(abs(losses[z] - loss(other, z)) for z in {data[i], new}))
    return total / NAMES**n, change


def exceeded(claim: Claim, n: int, factor: int = 1, stated: Fraction = Fraction(1)) -> bool | None:
    """Whether the gap of `missing` times the factor exceeds the bound; alpha is `stated` times the largest change."""
    m = mp(40)
    gap, change = measured(missing, n)
    v = {"n": m.real(n), "alpha": m.real(stated * change * factor), "largest_change": m.real(change * factor)}
    if not all(predicate(m, v) is True for predicate in claim.preconditions):
        return None
    return bool(m.real(gap * factor) > apply(claim.formulas["bound"], m, v)) or None


def of_gap() -> Iterator[Mutant]:
    claim = find("lp/lem-8")

    def shared(m: Numbers, alpha: Real, n: Real) -> Real:
        return alpha / n

    def fewer(m: Numbers, alpha: Real, n: Real) -> Real:
        return alpha * (n - 1) / n

    def squared(m: Numbers, alpha: Real) -> Real:
        return alpha**2

    for says, moved, n in (
        ("0.9 alpha", scaled(claim, "bound", 9, 10), 2),
        ("alpha/n", with_formula(claim, "bound", shared), 2),
        ("(n - 1)/n alpha", with_formula(claim, "bound", fewer), 2),
        ("alpha^2", with_formula(claim, "bound", squared), 2),
    ):
        yield Mutant(says, moved, partial(exceeded, moved, n))
    wild = replace(claim, preconditions=())
    yield Mutant("no stability", wild, partial(exceeded, wild, 1, stated=Fraction(1, 2)))
    yield Mutant("twice alpha (still true)", scaled(claim, "bound", 2, 1), lambda: False)
