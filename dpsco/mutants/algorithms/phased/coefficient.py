"""Mutants of the phases' coefficient; their falsity is shown in exact rationals, phase sizes and steps halved one by one."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Real
from dpsco.spec.register import find


def by_halving(n: int, eta: Fraction, i: int) -> Fraction:
    """1/(n_i eta_i) with n_i and eta_i from i halvings and i quarterings."""
    size, step = Fraction(n), eta
    for _ in range(i):
        size, step = size / 2, step / 4
    return 1 / (size * step)


def differs(claim: Claim, name: str, n: int = 3, eta: Fraction = Fraction(7, 2), i: int = 4) -> bool:
    """Whether the claim's formula of that name is another number than the halved one."""
    m = mp(60)
    printed = claim.formulas[name](m, n=m.real(n), eta=m.real(eta), i=m.real(i))
    return bool(m.abs(printed / m.real(by_halving(n, eta, i)) - 1) > m.real("1e-40"))


def parts_differ(claim: Claim, n: int = 3, eta: Fraction = Fraction(7, 2), i: int = 4) -> bool:
    """Whether 1/(n_i eta_i), with the claim's own n_i and eta_i, is another number than the claimed coefficient."""
    m = mp(60)
    size = claim.formulas["batch_size"](m, n=m.real(n), i=m.real(i))
    step = claim.formulas["phase_step"](m, eta=m.real(eta), i=m.real(i))
    claimed = claim.formulas["coefficient"](m, n=m.real(n), eta=m.real(eta), i=m.real(i))
    return bool(m.abs(1 / (size * step) / claimed - 1) > m.real("1e-40"))


def of_coefficient() -> Iterator[Mutant]:
    claim = find("quantile/app-C-coefficient")
    moves: tuple[tuple[str, str, Callable[..., Real]], ...] = (
        ("2^(2i) for 2^(3i)", "coefficient_simplified", lambda m, n, eta, i: 2 ** (2 * i) / (n * eta)),
        ("3 i + 1/10 in the exponent", "coefficient_simplified", lambda m, n, eta, i: 2 ** (3 * i + m.frac(1, 10)) / (n * eta)),
        ("n dropped", "coefficient_simplified", lambda m, n, eta, i: 2 ** (3 * i) / eta),
        ("eta_i = eta/2^i in the coefficient", "coefficient", lambda m, n, eta, i: 4**i / (n * eta)),
    )
    for says, name, formula in moves:
        moved = with_formula(claim, name, formula)
        yield Mutant(says, moved, partial(differs, moved, name))
    for name in ("batch_size", "phase_step"):
        moved = scaled(claim, name, 2, 1)
        yield Mutant(f"twice the {name.replace('_', ' ')}", moved, partial(parts_differ, moved))
    twice = scaled(claim, "coefficient_simplified", 2, 1)
    yield Mutant("twice the coefficient", twice, partial(differs, twice, "coefficient_simplified"))
    less = replace(claim, asserts=(Relation("coefficient", "<", "coefficient_simplified"),))
    yield Mutant("< for =", less, lambda: not differs(less, "coefficient") and not differs(less, "coefficient_simplified"))
    most = replace(claim, asserts=(Relation("coefficient", "<=", "coefficient_simplified"),))
    yield Mutant("<= for = (still true)", most, lambda: False)
