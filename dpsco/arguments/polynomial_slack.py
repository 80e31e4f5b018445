"""Bounds with room to spare as polynomials: a claimed bound less a proved one, every coefficient nonnegative.

Every quantity is what its domain in the claim says and no more: an integer from a on is a plus a nonnegative symbol, delta up
to 1 is e^(-s) with s >= 0. A difference whose numerator and denominator then have nonnegative coefficients only is
nonnegative on the whole domain, and its expansion is the proof. Where a claimed bound lies below a value that is reached, it
is refuted at an instance that the claim admits.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Grid, Instance
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.dp_sgd.algorithm import variance_is_defined
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.domain import Integers, Interval, Parameter
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Finding, Lemma, Severity, Verdict

Value = Callable[[Numbers, Mapping[str, Real]], Real]
"""A quantity in a context, from the numbers of an instance."""
Given = tuple[Callable[..., Truth], ...]
CHECKED = 7
"""What is proved is still compared with what is reached, at every seventh instance: the two must not contradict each other."""


def quantity(claim: Claim, parameter: Parameter) -> Any:
    """The parameter as a symbol that is at least zero, or as one that has no sign."""
    name, domain = parameter.name, parameter.domain
    if name == "delta" and isinstance(domain, Interval):
        below_one = domain.high != "inf" and Fraction(domain.high) <= 1
        if below_one or variance_is_defined in claim.tests:
            return sympy.exp(-sympy.Symbol("s", nonnegative=True))
    low = _least(parameter)
    if low is None or low < 0:
        return sympy.Symbol(name, real=True)
    from_zero = low == 0 and not (isinstance(domain, Interval) and domain.low_open)
    return sympy.Symbol(name, nonnegative=True) if from_zero else sympy.Symbol(name, positive=True)


def _least(parameter: Parameter) -> Fraction | None:
    """The lower end of the domain, None if it has none."""
    domain = parameter.domain
    low = domain.low if isinstance(domain, Integers | Interval) else "-inf"
    return None if low == "-inf" else Fraction(low)


def shifts(claim: Claim) -> dict[Any, Any]:
    """Each symbol with a positive least value as that value plus a symbol that is at least zero."""
    found = {}
    for parameter in claim.parameters:
        symbol, low = quantity(claim, parameter), _least(parameter)
        if symbol.is_Symbol and low is not None and low > 0:
            found[symbol] = sympy.Rational(low) + sympy.Symbol(f"{parameter.name}_more", nonnegative=True)
    return found


def quantities(claim: Claim) -> dict[str, Any]:
    """All parameters of the claim as such expressions."""
    return {parameter.name: quantity(claim, parameter) for parameter in claim.parameters}


def expressed(claim: Claim, value: Value, **more: Any) -> Any:
    """The value as an expression over the claim's whole domain; `more` puts other expressions in the place of quantities."""
    return value(symbolic(), {**quantities(claim), **more})


def named(claim: Claim, name: str) -> Value:
    """The claim's formula as a value."""
    return lambda m, values: apply(claim.formulas[name], m, values)


def nonnegative(claim: Claim, difference: Any) -> bool:
    """Whether numerator and denominator have nonnegative coefficients, each symbol counted from its least value."""
    top, bottom = sympy.fraction(sympy.together(sympy.sympify(difference)))
    moved = shifts(claim)
    return bottom != 0 and all(_coefficients(sympy.sympify(part).subs(moved)) for part in (top, bottom))


def _coefficients(part: Any) -> bool:
    symbols = sorted(part.free_symbols, key=str)
    if not all(symbol.is_nonnegative for symbol in symbols):
        return False
    if not symbols:
        return bool(part.is_nonnegative)
    try:
        found = sympy.Poly(sympy.expand(part), *symbols).coeffs()
    except sympy.PolynomialError:
        return False
    return all(c.is_nonnegative is True for c in found)


def two_terms(raw: Value, claim: Claim) -> tuple[Any, Any] | None:
    """(a, c) with raw = a eta + c/eta identically; None where it is of another form."""
    eta = sympy.Symbol("eta", positive=True)
    top = sympy.cancel(sympy.together(expressed(claim, raw, eta=eta) * eta))
    a, c = sympy.cancel(sympy.diff(top, eta, 2) / 2), top.subs(eta, 0)
    of_this_form = not a.has(eta) and sympy.cancel(top - a * eta**2 - c) == 0
    return (a, c) if of_this_form else None


def square_at(raw: Value, step: Value, claim: Claim) -> Any:
    """The square of a eta + c/eta, which `raw` must be in eta, at the eta of `step`; None where it is of another form."""
    terms = two_terms(raw, claim)
    if terms is None:
        return None
    a, c = terms
    square = sympy.cancel(sympy.together(expressed(claim, step) ** 2))
    return sympy.cancel(a**2 * square + 2 * a * c + c**2 / square)


def is_least(raw: Value, step: Value, claim: Claim) -> bool:
    """Whether `step` minimises a eta + c/eta, a, c >= 0: step^2 = c/a identically."""
    terms = two_terms(raw, claim)
    if terms is None or not (nonnegative(claim, terms[0]) and nonnegative(claim, terms[1])):
        return False
    return bool(sympy.cancel(sympy.together(expressed(claim, step) ** 2 * terms[0] - terms[1])) == 0)


@dataclass(frozen=True, kw_only=True)
class Side:
    """One assertion `quantity <= claimed`: how it is proved, and what is known to be reached."""

    scope: str
    claimed: Value
    reached: Value | None
    """A value that the quantity provably comes near to or exceeds on some data set, or the left side itself."""
    holds: bool
    """Whether `claimed` was proved to be at least a proved bound, over the whole domain."""
    method: str
    instances: Grid | Sequence[Instance]
    severity: Severity | None
    survives: str
    lemmas: tuple[Lemma, ...] = ()
    given: Given = ()
    asserts: tuple[Relation, ...] = ()
    family: tuple[Lemma, ...] = ()
    """What the reached value rests on."""
    release: str | None = None
    remark: str | None = None
    decisive: Mapping[str, str] | None = None
    """Values that a shown refutation should have, if one does."""


def bounded(side: Side) -> Finding:
    """Refuted where the reached value certainly exceeds the claimed one, else certified if proved, else open."""
    tried = tuple(side.instances)[:: CHECKED if side.holds else 1]
    found = list(_violations(side, tried))
    if found and side.holds:
        raise ArithmeticError(f"{side.scope}: proved, and yet exceeded at {found[0][0]}")
    coverage = side.instances.coverage if isinstance(side.instances, Grid) else (f"{len(side.instances)} instances",)
    if found:
        shown = [v for v in found if {**v[0], **(side.decisive or {})} == v[0]] or found
        at, claimed, true = max(shown, key=lambda v: float((v[2] / v[1]).mid()))
        return refuted(
            side.scope,
            claimed,
            true,
            at,
            method="a value that is reached, enclosed, against the claimed bound, enclosed",
            severity=side.severity,
            survives=side.survives,
            release=side.release,
            coverage=coverage,
            effort=f"exceeded at {len(found)} of {len(side.instances)} instances",
            lemmas=side.family,
            asserts=side.asserts,
            reason=side.remark,
        )
    if not side.holds:
        reason = f"not proved over the whole domain, and no reached value exceeds it at {len(side.instances)} instances"
        return Finding(scope=side.scope, verdict=Verdict.OPEN, reason=reason, asserts=side.asserts, release=side.release)
    return certified(
        side.scope,
        side.method,
        *side.lemmas,
        release=side.release,
        coverage=coverage,
        given=side.given,
        asserts=side.asserts,
        reason=side.remark,
    )


def _violations(side: Side, tried: Sequence[Instance]) -> Iterable[tuple[Instance, Real, Real]]:
    if side.reached is None:
        return
    for instance in tried:
        m = arb(192)
        values = {name: m.real(value) for name, value in instance.items()}
        claimed, true = side.claimed(m, values), side.reached(m, values)
        if claimed.is_finite() and true.is_finite() and m.gt(true, claimed) is True:
            yield instance, claimed, true


def identical(
    claim: Claim,
    scope: str,
    true: Value,
    claimed: Value,
    instances: Grid,
    *,
    severity: Severity | None,
    survives: str,
    lemmas: tuple[Lemma, ...] = (),
    asserts: tuple[Relation, ...] = (),
    decisive: Mapping[str, str] | None = None,
) -> Finding:
    """`claimed` is `true` identically: by computer algebra, or contradicted at an instance, or open.

    `decisive` are values that a shown contradiction should have, if one does.
    """
    m = arb(192)
    for at in sorted(instances, key=lambda at: {**at, **(decisive or {})} != at):
        values = {name: m.real(value) for name, value in at.items()}
        left, right = true(m, values), claimed(m, values)
        if m.eq(left, right) is False:
            return refuted(
                scope,
                right,
                left,
                at,
                method="both sides enclosed",
                severity=severity,
                survives=survives,
                coverage=instances.coverage,
                lemmas=lemmas,
                asserts=asserts,
            )
    if sympy.simplify(expressed(claim, true) - expressed(claim, claimed)) != 0:
        reason = f"no contradiction at {len(instances)} instances, and the difference does not simplify to 0"
        return Finding(scope=scope, verdict=Verdict.OPEN, reason=reason, asserts=asserts)
    return certified(scope, "computer algebra: the difference is 0", *lemmas, coverage=instances.coverage, asserts=asserts)
