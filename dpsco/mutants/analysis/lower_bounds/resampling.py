"""Mutants of the resampling step; their falsity is shown with the geometric mechanism on the number of copies.

The route is not the judge's: another algorithm A (its answer is the count plus two-sided geometric noise), the binomial law
by adding draws one at a time, and plain high precision.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from math import comb

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.analysis.lower_bounds.resampling import changes, enough_changes, tail, tail_bound
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

DIGITS = 80
MOST = 80
"""Copies that are counted one by one; the rest counts as that many."""


@cache
def copies(n: int) -> list[Real]:
    """Law of the number of copies after n draws, by adding one draw after the other."""
    m = mp(DIGITS)
    hit, law = m.frac(1, n), [m.real(1)] + [m.real(0)] * MOST
    for _ in range(n):
        law = [
            law[c] * (1 - hit if c < MOST else 1) + (law[c - 1] * hit if c else 0)  # the last entry collects the rest
            for c in range(MOST + 1)
        ]
    return law


def at_least(n: int, k: int) -> Real:
    """Pr[copies >= k]."""
    return sum(copies(n)[k:], start=mp(DIGITS).real(0))


def by_geometric(claim: Claim, epsilon_name: str, delta_name: str, at: dict[str, str]) -> bool:
    """Whether an event {answer >= k} of the geometric mechanism violates the claim's (epsilon', delta')."""
    m = mp(DIGITS)
    values = {name: m.real(value) for name, value in at.items()}
    alpha = m.exp(-values["epsilon"])
    epsilon = apply(claim.formulas[epsilon_name], m, values)
    delta = apply(claim.formulas[delta_name], m, values)

    def over(c: int, k: int) -> Real:
        """Pr[c + noise >= k]."""
        return 1 - alpha ** (c - k + 1) / (1 + alpha) if c >= k else alpha ** (k - c) / (1 + alpha)

    law, first = copies(int(at["n"])), int(m.floor(epsilon / values["epsilon"])) + 1
    return any(
        sum(p * over(c, k) for c, p in enumerate(law)) - m.exp(epsilon) * over(0, k) > delta * m.real("1.000001")
        for k in range(first, min(first + 4, MOST))
    )


def tail_exceeds(claim: Claim, n: int, gamma: str) -> bool:
    """Whether at least u copies are drawn with more than probability gamma."""
    m = mp(DIGITS)
    u = apply(claim.formulas["changes"], m, {"gamma": m.real(gamma)})
    return bool(at_least(n, int(m.ceil(u))) > m.real(gamma) * m.real("1.000001"))


def with_draws(claim: Claim, u: Callable[..., Real], epsilon_name: str, delta_name: str) -> Claim:
    """The claim with another u in all of its formulas."""

    def moved_tail(m: Numbers, n: Real, gamma: Real) -> Real:
        return tail(m, n, u(m, gamma=gamma) - 1)

    def moved_epsilon(m: Numbers, epsilon: Real, gamma: Real) -> Real:
        return u(m, gamma=gamma) * epsilon

    def moved_delta(m: Numbers, epsilon: Real, delta: Real, gamma: Real) -> Real:
        return u(m, gamma=gamma) * delta * m.exp(u(m, gamma=gamma) * epsilon) + gamma

    first = next(name for name in claim.formulas if name in ("changes", "draws_at_most"))
    moved: dict[str, Callable[..., Real]] = {
        first: u,
        "tail_at_changes": moved_tail,
        epsilon_name: moved_epsilon,
        delta_name: moved_delta,
    }
    return replace(claim, formulas={name: moved[name] for name in claim.formulas})


def no_linear_term(m: Numbers, gamma: Real) -> Real:
    return m.sqrt(2 * m.log(1 / gamma)) + 1


def half_the_excess(m: Numbers, gamma: Real) -> Real:
    return (enough_changes(m, gamma=gamma) - 1) / 2 + 1


def mean_dropped(m: Numbers, gamma: Real) -> Real:
    return enough_changes(m, gamma=gamma) - 1


def twice_the_excess(m: Numbers, gamma: Real) -> Real:
    return 2 * enough_changes(m, gamma=gamma) - 1


def without_failure(m: Numbers, epsilon: Real, delta: Real, gamma: Real) -> Real:
    u = enough_changes(m, gamma=gamma)
    return u * delta * m.exp(u * epsilon)


def failure_squared(m: Numbers, epsilon: Real, delta: Real, gamma: Real) -> Real:
    return without_failure(m, epsilon, delta, gamma) + gamma**2


def epsilon_alone(m: Numbers, epsilon: Real, gamma: Real) -> Real:
    return epsilon


def privacy_mutants(claim: Claim, epsilon_name: str, delta_name: str, delta: str) -> Iterator[Mutant]:
    """What both papers' statements share: moved epsilon', delta' and u."""

    def false(moved: Claim, gamma: str, n: str = "1000", epsilon: str = "100") -> Callable[[], bool]:
        at = {"n": n, "epsilon": epsilon, "delta": delta, "gamma": gamma}
        return partial(by_geometric, moved, epsilon_name, delta_name, at)

    for says, formula, gamma in (
        ("gamma dropped from delta'", without_failure, "1e-6"),
        ("gamma^2 for gamma in delta'", failure_squared, "1e-3"),
    ):
        moved = replace(claim, formulas={**claim.formulas, delta_name: formula})
        yield Mutant(says, moved, false(moved, gamma))
    alone = replace(claim, formulas={**claim.formulas, epsilon_name: epsilon_alone})
    yield Mutant("epsilon' = epsilon", alone, false(alone, "1e-6"))
    for says, u, gamma in (
        ("the printed u", changes, "1e-60"),
        ("no term linear in ln(1/gamma)", no_linear_term, "1e-18"),
        ("half the excess over the mean", half_the_excess, "1e-12"),
    ):
        moved = with_draws(claim, u, epsilon_name, delta_name)
        yield Mutant(says, moved, false(moved, gamma))
    more = with_draws(claim, twice_the_excess, epsilon_name, delta_name)
    yield Mutant("twice the excess over the mean (still true: weaker)", more, lambda: False)


def of_resampling() -> Iterator[Mutant]:
    claim = find("quantile/thm-3.7-resampling-amended")
    yield from privacy_mutants(claim, "epsilon_after", "delta_after", "0")
    bare = with_draws(claim, mean_dropped, "epsilon_after", "delta_after")
    yield Mutant("the mean 1 dropped from u", bare, partial(tail_exceeds, bare, 1, "0.75"))


def exact_tail(n: int, k: int) -> Fraction:
    """Pr[copies >= k] in exact arithmetic."""
    return sum((Fraction(comb(n, c) * (n - 1) ** (n - c), n**n) for c in range(k, n + 1)), Fraction(0))


def tail_is_more(claim: Claim, bound: str, n: int, z: int, mean: int = 1) -> bool:
    """Whether Pr[copies >= z + mean], exact, is above the claim's bound at z; a sound no only at this instance."""
    m = mp(DIGITS)
    return bool(m.real(exact_tail(n, z + mean)) > apply(claim.formulas[bound], m, {"z": m.real(z)}) * m.real("1.000001"))


def without_mean(m: Numbers, n: Real, z: Real) -> Real:
    return tail(m, n, z - 1)


def tail_mutants(claim: Claim, tail_name: str, bound: str) -> Iterator[Mutant]:
    """What both papers' tails share: moved bounds, the mean dropped, the sign turned."""
    moves: tuple[tuple[str, Callable[..., Real], int, int], ...] = (
        ("the printed exp(-z^2/3)", tail_bound, 100, 10),
        ("exp(-z^2/2)", lambda m, z: m.exp(-(z**2) / 2), 1000, 3),
        ("three times the exponent", lambda m, z: m.exp(-3 * z**2 / (2 + z)), 1000, 2),
        ("exponent z^(5/2) for z^2", lambda m, z: m.exp(-(z**2) * m.sqrt(z) / (2 + z)), 1000, 100),
    )
    for says, formula, n, z in moves:
        moved = with_formula(claim, bound, formula)
        yield Mutant(says, moved, partial(tail_is_more, moved, bound, n, z))
    bare = with_formula(claim, tail_name, without_mean)
    yield Mutant("Pr[X >= z] for Pr[X >= z + 1]", bare, partial(tail_is_more, bare, bound, 1, 1, 0))
    turned = replace(claim, asserts=(Relation(tail_name, ">=", bound), *claim.asserts[1:]))
    yield Mutant("the inequality turned", turned, lambda: exact_tail(1, 2) == 0)


def of_binomial() -> Iterator[Mutant]:
    yield from tail_mutants(find("quantile/thm-3.7-binomial-amended"), "tail", "tail_bound")
