"""Mutants of Freedman's inequality; false by binomial tails summed term by term in mpmath."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

DIGITS = 60
SIZES = ((1, 20), (2000, 100), (4000, 2), (10**6, 1000))
"""Terms, and one over the probability of a zero."""


def beaten(claim: Claim) -> bool | None:
    """Whether some upper tail P(Z >= j), Z binomial, summed from far out inwards, exceeds the bound at j - n p; None if not."""
    m = mp(DIGITS)
    for n, one_in in SIZES:
        p, k = m.frac(1, one_in), n * (one_in - 1) / one_in**2
        top = min(n, n // one_in + 60 + int(30 * k**0.5))
        term, tail = m.binomial(m.real(n), top) * p**top * (1 - p) ** (n - top), m.real(0)
        for j in range(top, n // one_in, -1):
            tail += term
            v = {"deviation": j - n * p, "variance": n * p * (1 - p), "n": m.real(n)}
            if tail > apply(claim.formulas["bound"], m, v) * m.real("1.000001"):
                return True
            term = term * j / (n - j + 1) * (1 - p) / p
    return None


def large_steps(claim: Claim) -> bool:
    """Three independent terms of -20 or 0: all of them low with probability (1/50)^3."""
    m = mp(DIGITS)
    p = m.frac(1, 50)
    v = {"deviation": 3 * 20 * (1 - p), "variance": 3 * 400 * p * (1 - p), "n": m.real(3)}
    return not claim.preconditions and bool(p**3 > apply(claim.formulas["bound"], m, v))


def of_tail() -> Iterator[Mutant]:
    claim = find("lp/lem-18-amended")
    moves: tuple[tuple[str, Callable[[Numbers, Real, Real], Real]], ...] = (
        ("a/2 for 2 a/3", lambda m, deviation, variance: m.exp(-(deviation**2) / (2 * variance + deviation / 2))),
        ("no 2 a/3: Gaussian tails", lambda m, deviation, variance: m.exp(-(deviation**2) / (2 * variance))),
        ("1.8 k for 2 k", lambda m, deviation, variance: m.exp(-(deviation**2) / (9 * variance / 5 + 2 * deviation / 3))),
        ("k for 2 k", lambda m, deviation, variance: m.exp(-(deviation**2) / (variance + 2 * deviation / 3))),
        (
            "a^2.1 for a^2",
            lambda m, deviation, variance: m.exp(
                -m.exp(m.frac(21, 10) * m.log(deviation)) / (2 * variance + 2 * deviation / 3)
            ),
        ),
    )
    for says, formula in moves:
        moved = with_formula(claim, "bound", formula)
        yield Mutant(says, moved, partial(beaten, moved))
    wide = replace(claim, preconditions=())
    yield Mutant("terms of any size", wide, partial(large_steps, wide))
    loose = with_formula(claim, "bound", lambda m, deviation, variance: m.exp(-(deviation**2) / (2 * variance + deviation)))
    yield Mutant("a for 2 a/3 (still true)", loose, lambda: False)
