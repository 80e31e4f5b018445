"""Rates of perturbed minimisers over a set C: a proved bound, or a family of problems, against the printed order.

Every parameter is a positive symbol, delta = e^(-s). Integers are at least 1, and each precondition that compares two sums of
monomials bounds a quotient; what the claim calls a hidden constant is held fixed. A family names its own geometry by putting
expressions in the place of parameters (a box: G_C = |C|_2 sqrt(d), up to a constant).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import Exponents, bounded_above, exponent, form, grows, told
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Integers
from dpsco.spec.numbers import Real, Truth
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

Values = Mapping[str, Any]
CONSTANTS = ("c_n", "c_alpha", "c_H")
"""Hidden constants of the claims' conditions: the rate's own constant may depend on them."""

EXTREMES = {"largest_gradient_norm": "L", "largest_eigenvalue": "beta", "least_modulus": "Delta"}


class Sides:
    """The symbolic context, except that a comparison gives back its two sides, the smaller first."""

    def __getattr__(self, name: str) -> Any:
        return getattr(symbolic(), name)

    def le(self, a: Real, b: Real) -> tuple[Real, Real]:
        return a, b

    def ge(self, a: Real, b: Real) -> tuple[Real, Real]:
        return b, a


def symbols(claim: Claim) -> dict[str, Any]:
    """All parameters as positive symbols, delta by s = ln(1/delta); the losses as steep, curved and convex as is assumed."""
    found: dict[str, Any] = {p.name: sympy.Symbol(p.name, positive=True) for p in claim.parameters}
    found |= {name: found[limit] for name, limit in EXTREMES.items() if name in found and limit in found}
    return {**found, "delta": sympy.exp(-sympy.Symbol("s", positive=True))}


def log_inverse(v: Values) -> Any:
    """ln(1/delta)."""
    return sympy.expand_log(sympy.log(1 / v["delta"]), force=True)


def upright(expression: Any) -> Any:
    """Every minimum as the inverse of a maximum, every mean norm of a normal vector as the root of its dimension."""
    lifted = sympy.sympify(expression).replace(sympy.Min, lambda *parts: 1 / sympy.Max(*(1 / part for part in parts)))
    return lifted.replace(sympy.exp, _norm_or_exp)


def _norm_or_exp(power: Any) -> Any:
    d = sympy.Symbol("d", positive=True)
    ratio = sympy.loggamma((d + 1) / 2) - sympy.loggamma(d / 2)
    return sympy.sqrt(d) if sympy.expand(power - ratio) == 0 else sympy.exp(power)


def printed(claim: Claim, name: str, v: Values) -> Any:
    """A formula of the claim at these quantities."""
    return upright(apply(claim.formulas[name], symbolic(), v))


def conditions(claim: Claim, v: Values) -> list[Exponents]:
    """Linear forms in the exponents, each at least 0: integers, and the claim's preconditions."""
    integers = [p.name for p in claim.parameters if isinstance(p.domain, Integers) and p.domain.low >= 1]
    found = [form(**{name: 1}) for name in integers if v[name].is_Symbol]
    sides: Any = Sides()
    for predicate in claim.preconditions:
        small, large = predicate(sides, v)
        found += bounded_above(upright(small) / upright(large))
    return found


@dataclass(frozen=True)
class Family:
    """Problems on which a value is reached, up to a constant that the lemma states."""

    says: str
    lemma: Lemma
    at: Callable[[Values], Values]
    """The quantities, with the family's own geometry and choices put in."""
    reached: Callable[[Values], Any]
    room: Callable[[Values], Sequence[Any]]
    """Expressions that the family needs bounded."""


@dataclass(frozen=True, kw_only=True)
class Bound:
    """A proved upper bound of the left side, up to constants, and what the proof needs."""

    value: Callable[[Values], Any]
    lemmas: tuple[Lemma, ...]
    given: tuple[Callable[..., Truth], ...] = ()
    method: str = "up to constants every term is a weighted geometric mean of the rate's and of what the conditions bound"


def of_order(
    claim: Claim,
    scope: str,
    name: str | Callable[[Values], Any],
    bound: Bound,
    families: Sequence[Family],
    severity: Severity | None,
    survives: str,
    reading: Reading = Reading.PRINTED,
) -> Iterator[Finding]:
    """The left side <=O a formula: refuted along each family's path, else by the proved bound, else open."""

    def right(v: Values) -> Any:
        return printed(claim, name, v) if isinstance(name, str) else upright(name(v))

    bad = False
    for family in families:
        v = family.at(symbols(claim))
        known = [*conditions(claim, v), *(side for part in family.room(v) for side in bounded_above(upright(part)))]
        reached = upright(family.reached(v))
        way = grows(reached, right(v), known, CONSTANTS)
        if way is None:
            continue
        bad = True
        yield refuted(
            f"{scope}: {family.says}",
            "bounded",
            "inf",
            {"path": told(way), "quotient": f"t^{exponent(reached, way) - exponent(right(v), way)}"},
            "the reached value over the printed one grows without bound along the path (exponents in fractions)",
            severity,
            survives,
            Rung.EXACT,
            lemmas=(family.lemma,),
            reading=reading,
        )
    if bad:
        return
    v = symbols(claim)
    if grows(upright(bound.value(v)), right(v), conditions(claim, v), CONSTANTS) is None:
        yield certified(
            scope,
            bound.method,
            *bound.lemmas,
            coverage=tuple(f"no path: {family.says}" for family in families),
            given=bound.given,
            reading=reading,
        )
        return
    reason = "the proved bound is not of this order, and no family tried exceeds it"
    yield Finding(scope=scope, verdict=Verdict.OPEN, reason=reason, reading=reading)
