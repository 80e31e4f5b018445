"""Rates as sums or maxima of monomials in n, d, epsilon, ...: compared exactly, by their exponents.

T <= C max(P_1, P_2, ...) on a set where the monomials g_1, g_2, ... are at least 1 follows from T = prod P_i^l_i / prod g_i^u_i
with l, u >= 0 and sum l = 1, a statement about exponents. Along a path of powers of N a quotient diverges where its exponent
is positive, whatever the factors and powers of ln d are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Any

import sympy

from dpsco.arguments.formula import apply
from dpsco.reference.numbers.mp import mp
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Domain
from dpsco.spec.numbers import Truth, names_of

Powers = tuple[Fraction, ...]
ROOT = sympy.Symbol("N", integer=True, positive=True)
FAR = (1, 10**60)


@dataclass(frozen=True, eq=False)
class Space:
    """The quantities of a rate, and the paths that are tried: base value times N to each of the exponents.

    Compared by identity, so that what was found out about its paths can be kept.
    """

    base: Mapping[str, Any]
    exponents: Mapping[str, tuple[int, ...]]
    """By name; the first name is the slowest to change."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.base)

    def powers(self, **by_name: Any) -> Powers:
        """Exponents by name, 0 for a name that is not given."""
        return tuple(Fraction(by_name.get(name, 0)) for name in self.names)


@dataclass(frozen=True)
class Term:
    """factor times a monomial times (ln d)^logs."""

    factor: Any
    powers: Powers
    logs: Fraction

    @property
    def most(self) -> Any:
        """A bound of factor (ln d)^logs over d >= 2, for logs <= 0."""
        return self.factor * sympy.log(2) ** self.logs


def terms(whole: Any, space: Space) -> tuple[Term, ...] | None:
    """The summands, or the arguments of the maximum; None where one is no monomial with a positive factor."""
    parts = whole.args if isinstance(whole, sympy.Max | sympy.Add) else (whole,)
    found = [_term(part, space) for part in parts]
    return tuple(t for t in found if t is not None) if all(found) else None


def _term(part: Any, space: Space) -> Term | None:
    factor, exponents, logs = sympy.Integer(1), dict.fromkeys(space.names, Fraction(0)), Fraction(0)
    for base, power in sympy.powsimp(sympy.sympify(part)).as_powers_dict().items():
        if base.is_number and power.is_number:
            factor *= base**power
        elif str(base) in exponents and power.is_Rational:
            exponents[str(base)] += Fraction(int(power.p), int(power.q))
        elif base == sympy.log(sympy.Symbol("d", positive=True)) and power.is_Rational:
            logs += Fraction(int(power.p), int(power.q))
        else:
            return None
    return Term(factor, tuple(exponents.values()), logs) if factor.is_positive else None


def covered(term: Powers, proved: Sequence[Powers], at_least_one: Sequence[Powers]) -> tuple[Fraction, ...] | None:
    """Exponents l for `proved` and u for `at_least_one` as the module says; None where there are none.

    By Caratheodory's theorem some linearly independent generators are enough.
    """
    generators = [(*p, Fraction(1)) for p in proved] + [(*(-x for x in g), Fraction(0)) for g in at_least_one]
    wanted = sympy.Matrix([*map(_rational, term), 1])
    columns = [sympy.Matrix([_rational(x) for x in g]) for g in generators]
    for size in range(1, len(generators) + 1):
        for chosen in combinations(range(len(generators)), size):
            matrix = sympy.Matrix.hstack(*(columns[i] for i in chosen))
            if matrix.rank() < size:
                continue
            try:
                solution, _ = matrix.gauss_jordan_solve(wanted)
            except ValueError:  # no solution
                continue
            if all(x >= 0 for x in solution):
                found = [Fraction(0)] * len(generators)
                for i, x in zip(chosen, solution, strict=True):
                    found[i] = Fraction(int(x.p), int(x.q))
                return tuple(found)
    return None


def _rational(x: Fraction) -> Any:
    return sympy.Rational(x.numerator, x.denominator)


@dataclass(frozen=True)
class Path:
    """Each quantity as its base times a power of N, N = 1, 2, ..."""

    space: Space
    exponents: Powers

    @property
    def values(self) -> dict[str, Any]:
        bases = self.space.base.items()
        return {name: base * ROOT ** _rational(power) for (name, base), power in zip(bases, self.exponents, strict=True)}

    def at(self, N: int) -> dict[str, Fraction]:
        """The values at one N, exact."""
        return {name: Fraction(str(value.subs(ROOT, N))) for name, value in self.values.items()}

    def growth(self, of: Powers) -> Fraction:
        """The exponent of N in a monomial."""
        return sum((a * b for a, b in zip(self.exponents, of, strict=True)), start=Fraction(0))

    def __str__(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.values.items()).replace("**", "^")


Beside = Callable[[Path], Mapping[str, Any]]


def nothing_beside(path: Path) -> Mapping[str, Any]:
    """All quantities are names of the space."""
    return {}


def paths(claim: Claim, space: Space, beside: Beside = nothing_beside) -> tuple[Path, ...]:
    """The paths that stay in the claim's domains and meet its preconditions at every N.

    beside   values of the quantities that are no names of the space, in N
    """
    domains = tuple(claim.parameter(name).domain for name in space.names)
    return _paths(space, domains, tuple(predicate.test for predicate in claim.preconditions), beside)


@lru_cache(maxsize=64)
def _paths(
    space: Space, domains: tuple[Domain, ...], tests: tuple[Callable[..., Truth], ...], beside: Beside
) -> tuple[Path, ...]:
    all_paths = (
        Path(space, space.powers(**dict(zip(space.exponents, exponents, strict=True))))
        for exponents in product(*space.exponents.values())
    )
    return tuple(
        path
        for path in all_paths
        if _inside(domains, path) and all(_always(_says(test, {**path.values, **beside(path)})) for test in tests)
    )


def _inside(domains: Sequence[Domain], path: Path) -> bool:
    """In the domains, which are intervals, at both ends of the path."""
    m = mp(80)
    ends = [path.at(N).values() for N in FAR]
    return all(domain.contains(m, m.real(value)) is True for end in ends for domain, value in zip(domains, end, strict=True))


def _says(test: Callable[..., Truth], values: Mapping[str, Any]) -> Any:
    return apply(test, symbolic(), values) if {*names_of(test)} <= {*values} else sympy.false


@cache
def _always(condition: Any) -> bool:
    """Whether a comparison of two monomials in N, or a conjunction of such, holds for every N >= 1."""
    if condition in (sympy.true, True):
        return True
    if isinstance(condition, sympy.And):
        return all(_always(part) for part in condition.args)
    if not isinstance(condition, sympy.Le | sympy.Lt | sympy.Ge | sympy.Gt) or condition.gts == 0:
        return False
    parts = sympy.powsimp(sympy.simplify(condition.lts / condition.gts)).as_powers_dict()
    if not all(base == ROOT or base.is_number for base in parts):
        return False
    growth = parts.get(ROOT, sympy.Integer(0))
    constant = sympy.Mul(*(base**power for base, power in parts.items() if base != ROOT))
    return bool(growth <= 0) and bool(constant < 1 if condition.rel_op in ("<", ">") else constant <= 1)
