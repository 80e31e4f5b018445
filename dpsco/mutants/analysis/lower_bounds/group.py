"""Mutants of the newsvendor's resampling step: those of the quantile paper, with a positive delta too small to matter."""

from collections.abc import Callable, Iterator
from functools import partial

from dpsco.mutant import Mutant, with_formula
from dpsco.mutants.analysis.lower_bounds.resampling import (
    DIGITS,
    exact_tail,
    half_the_excess,
    no_linear_term,
    privacy_mutants,
    tail_mutants,
)
from dpsco.reference.numbers.mp import mp
from dpsco.spec.analysis.lower_bounds.resampling import changes
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Real
from dpsco.spec.register import find


def of_group() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-7-group-amended")
    yield from privacy_mutants(claim, "epsilon_resampled", "delta_resampled", "1e-30000")


def drawn_more(claim: Claim, n: int, gamma: str) -> bool:
    """Whether at least u copies are drawn with more than probability gamma, the tail in exact arithmetic."""
    m = mp(DIGITS)
    u = claim.formulas["draws_at_most"](m, gamma=m.real(gamma))
    return bool(m.real(exact_tail(n, int(m.ceil(u)))) > m.real(gamma) * m.real("1.000001"))


def of_binomial() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-7-binomial-amended")
    yield from tail_mutants(claim, "draws_tail", "draws_tail_bound")
    moves: tuple[tuple[str, Callable[..., Real], str], ...] = (
        ("the printed u", changes, "1e-60"),
        ("u with no term linear in ln(1/gamma)", no_linear_term, "1e-18"),
        ("u with half the excess over the mean", half_the_excess, "1e-12"),
    )
    for says, u, gamma in moves:
        moved = with_formula(claim, "draws_at_most", u)
        yield Mutant(says, moved, partial(drawn_more, moved, 1000, gamma))
