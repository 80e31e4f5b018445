"""Mutants of the reduction from empirical to population risk; their falsity is shown by writing all draws out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

DIGITS = 400
"""Enough for e^-epsilon beside 1."""


def is_private(table: Sequence[Real], epsilon: Real, delta: Real) -> bool:
    """Is "answer 1 with probability table[copies]" (epsilon, delta)-DP? Every event, all neighbouring numbers of copies."""
    m = mp(DIGITS)
    slack = m.real(f"1e-{DIGITS * 3 // 4}")
    for low, high in pairwise(table):
        for p, q in ((low, high), (high, low), (1 - low, 1 - high), (1 - high, 1 - low)):
            if p > m.exp(epsilon) * q + delta + slack:
                return False
    return all(0 <= p <= 1 for p in table)


def excess_over_draws(table: Sequence[Real], n: int, epsilon: Real) -> Real:
    """P_B(D)(1) - e^epsilon P_B(D')(1): all n^n draws from D, whose record 0 is marked, against D' without such a record."""
    m = mp(DIGITS)
    marked = sum((table[draw.count(0)] for draw in product(range(n), repeat=n)), start=m.real(0))
    return marked / n**n - m.exp(epsilon) * table[0]


def broken(claim: Claim, n: int, epsilon: str, delta: str, table: Callable[[Numbers, Real, Real], Sequence[Real]]) -> bool:
    """Whether A, given by the table at its own budget (e, d), is private, and B on the draws is not."""
    m = mp(DIGITS)
    v = {"epsilon": m.real(epsilon), "delta": m.real(delta), "n": m.real(n)}
    if not all(predicate(m, v) is True for predicate in claim.preconditions):
        raise ValueError(f"n={n}, delta={delta}: not an instance of {claim.id}")
    own, lost = (apply(claim.formulas[name], m, v) for name in ("epsilon_of_A", "delta_of_A"))
    answers = table(m, own, lost)
    return is_private(answers, own, lost) and bool(excess_over_draws(answers, n, v["epsilon"]) > v["delta"])


def truthful(m: Numbers, own: Real, lost: Real) -> Sequence[Real]:
    """Randomised response on "is there a copy?", n = 2."""
    odds = m.exp(own)
    return (1 / (1 + odds), odds / (1 + odds), odds / (1 + odds))


def outright(m: Numbers, own: Real, lost: Real) -> Sequence[Real]:
    """d for one copy, 2 d for two: never 1 without a copy, n = 2."""
    return (m.real(0), lost, 2 * lost)


def two_copies(m: Numbers, own: Real, lost: Real) -> Sequence[Real]:
    """d for one copy, nearly certain for two, n = 2."""
    return (m.real(0), lost, m.min(m.exp(own) * lost + lost, 1 - (1 - 2 * lost) / m.exp(own)))


def twice(m: Numbers, own: Real, lost: Real) -> Sequence[Real]:
    """Randomised response on "are there two copies?", with less for one, n = 2."""
    odds = m.exp(own)
    return (1 / (odds * (1 + odds)), 1 / (1 + odds), odds / (1 + odds))


def of_reduction() -> Iterator[Mutant]:
    claim = find("lp/thm-12-amended")

    def constant(m: Numbers, epsilon: Real, delta: Real) -> Real:
        return epsilon

    def flat(m: Numbers, epsilon: Real, delta: Real) -> Real:
        return delta / (8 * m.log(2 / delta))

    twofold = scaled(claim, "epsilon_of_A", 2, 1)
    yield Mutant("2 for 4 in epsilon_of_A", twofold, lambda: broken(twofold, 2, "300", "0.61", truthful))
    whole = with_formula(claim, "epsilon_of_A", constant)
    yield Mutant("epsilon_of_A = epsilon", whole, lambda: broken(whole, 2, "100", "0.1", twice))
    more = scaled(claim, "delta_of_A", 64, 1)
    yield Mutant("delta_of_A times 64", more, lambda: broken(more, 2, "0.001", "0.1", outright))
    bare = with_formula(claim, "delta_of_A", flat)
    yield Mutant("e^{-epsilon} dropped from delta_of_A", bare, lambda: broken(bare, 2, "100", "0.2", two_copies))
    every = replace(claim, preconditions=())
    yield Mutant("every n and delta", every, lambda: broken(every, 1, "5", "0.9", lambda m, e, d: truthful(m, e, d)[:2]))
    less = scaled(claim, "delta_of_A", 1, 2)
    yield Mutant("half of delta_of_A (still true: less is asked)", less, lambda: False)
