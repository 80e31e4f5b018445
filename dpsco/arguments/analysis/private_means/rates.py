"""Judgements `quantity >=Omega rate`: against private algorithms along paths, or by the exponents of a proved lower bound.

An algorithm refutes the rate where its bound, valid for every instance of the class, over the rate tends to 0 on a path that
the claim admits: whatever the hidden constant is, it fails in the end. A proved bound certifies the rate where the rate stays
within a constant multiple of it on the whole domain (`orders_of_growth.grows`); quantities that may be 0 follow as limits.
Powers of t decide on a path, logarithms do not. Lambda = ln(1/delta), ell = ln(2 d).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import sympy

from dpsco.arguments.comparing import admits, certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import Exponents, exponent, grows
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

Values = Mapping[str, Real]
Rate = Callable[[Numbers, Values], Real]
FAR, BITS = ("1e12", "1e36", "1e108"), 1024
"""The t at which a path is shown to lie in the domain, and bits enough for n = t^2 to be an exact integer."""
LAMBDA = sympy.Symbol("Lambda", positive=True)
ELL = sympy.Symbol("ell", positive=True)


@dataclass(frozen=True)
class Path:
    """A path in the domain: values at t, and the power of t that each quantity grows like, logarithms left aside."""

    says: str
    at: Callable[[Numbers, Real], Values]
    direction: Exponents


@dataclass(frozen=True)
class Algorithm:
    """A private algorithm for the whole class: its bound, and the order of the bound up to constants and logarithms."""

    lemmas: tuple[Lemma, ...]
    bound: Rate
    order: Any
    paths: tuple[Path, ...]


@dataclass(frozen=True)
class Proved:
    """A lower bound with a constant: its order, linear forms of the domain's logarithms, the conditions it is proved under."""

    order: Any
    domain: tuple[Exponents, ...]
    given: tuple[Callable[..., Truth], ...]
    lemmas: tuple[Lemma, ...]
    constant: str


@dataclass(frozen=True)
class Asked:
    """One assertion: what is bounded, the printed rate, who contradicts it, what is proved, what survives a refutation."""

    scope: str
    rate: Rate
    algorithms: tuple[Algorithm, ...]
    proved: Proved | None
    survives: str
    severity: Severity = Severity.DOMAIN
    reading: Reading = Reading.PRINTED
    fixed: tuple[str, ...] = field(default=())


def formula(claim: Claim, *names: str) -> Rate:
    """The sum of the claim's formulas of these names."""
    return lambda m, v: sum((apply(claim.formulas[name], m, v) for name in names[1:]), apply(claim.formulas[names[0]], m, v))


def symbols(claim: Claim) -> dict[str, Any]:
    """Every parameter as a positive symbol, delta as e^-Lambda."""
    found: dict[str, Any] = {p.name: sympy.Symbol(p.name, positive=True) for p in claim.parameters}
    return {**found, "delta": sympy.exp(-LAMBDA)}


def order_of(claim: Claim, rate: Rate) -> Any:
    """The rate as an expression whose minima are reciprocals of maxima, ln(2 d) a symbol."""
    whole = sympy.sympify(rate(symbolic(), symbols(claim)))
    whole = whole.replace(lambda e: isinstance(e, sympy.log), _logarithm)
    return whole.replace(sympy.Min, lambda *parts: 1 / sympy.Max(*(1 / part for part in parts)))


def _logarithm(found: Any) -> Any:
    d = sympy.Symbol("d", positive=True)
    return ELL if sympy.expand_log(found - sympy.log(2 * d), force=True).equals(0) else found


def decide(claim: Claim, asked: Asked) -> Iterator[Finding]:
    """A finding for each algorithm that contradicts the rate; if none does, the proof, or why there is none."""
    m = arb(BITS)
    try:
        order = order_of(claim, asked.rate)
        found = [bad for algorithm in asked.algorithms if (bad := _contradicted(claim, asked, algorithm, order, m)) is not None]
        yield from found or [_proved(claim, asked, order)]
    except ValueError as unreadable:
        yield Finding(scope=asked.scope, verdict=Verdict.OPEN, reason=str(unreadable), reading=asked.reading)


def _contradicted(claim: Claim, asked: Asked, algorithm: Algorithm, order: Any, m: Numbers) -> Finding | None:
    for path in algorithm.paths:
        growth = exponent(order.subs(ELL, 1), path.direction) - exponent(algorithm.order, path.direction)
        points = [path.at(m, m.real(t)) for t in FAR]
        if growth <= 0 or not all(admits(claim, m, point) for point in points):
            continue
        said, reached = ([value(m, point) for point in points] for value in (asked.rate, algorithm.bound))
        quotients = [b / a for a, b in zip(said, reached, strict=True)]
        if not all(m.lt(b, a) is True for a, b in pairwise(quotients)):
            raise ArithmeticError(f"{claim.id}: {path.says}: the bound over the rate does not fall")
        shown = f"both shown at t = {FAR[-1]}, where the bound is at most {ends(quotients[-1])[1]} times the rate"
        return refuted(
            f"{asked.scope}: {algorithm.lemmas[0].name}",
            f"at least a constant times {ends(said[-1])[0]}",
            ("0", ends(reached[-1])[1]),
            {"path": path.says, "t": FAR[-1]},
            method=f"rate over the algorithm's bound grows like t^{growth} along the path, logarithms aside; {shown}",
            severity=asked.severity,
            survives=asked.survives,
            rung=Rung.EXACT,
            adjacency=claim.adjacency,
            release=claim.releases or None,
            lemmas=algorithm.lemmas,
            reading=asked.reading,
        )
    return None


def _proved(claim: Claim, asked: Asked, order: Any) -> Finding:
    proved = asked.proved
    lacking = "no algorithm of those tried contradicts it"
    if proved is None:
        return Finding(scope=asked.scope, verdict=Verdict.OPEN, reason=f"{lacking}, and no proof", reading=asked.reading)
    held = claim.tests
    if any(test not in held for test in proved.given):
        reason = f"{lacking}, and the proof needs a condition more"
        return Finding(scope=asked.scope, verdict=Verdict.OPEN, reason=reason, reading=asked.reading)
    direction = grows(order, proved.order, proved.domain, asked.fixed)
    if direction is not None:
        reason = f"{lacking}, and the proved bound is smaller"
        return Finding(scope=asked.scope, verdict=Verdict.OPEN, reason=reason, reading=asked.reading)
    return certified(
        asked.scope,
        f"every monomial of the rate lies below the proved order, by exponents; {proved.constant}",
        *proved.lemmas,
        adjacency=claim.adjacency,
        release=claim.releases or None,
        given=proved.given,
        reading=asked.reading,
    )


def path(says: str, direction: Exponents, **values: Callable[[Numbers, Real], Real] | str) -> Path:
    """A path from one function of (m, t), or one decimal string, for each quantity."""

    def at(m: Numbers, t: Real) -> Values:
        return {name: m.real(value) if isinstance(value, str) else value(m, t) for name, value in values.items()}

    return Path(says, at, direction)


def along(paths: Sequence[Path], **values: str) -> tuple[Path, ...]:
    """The same paths with constants beside."""

    def beside(one: Path) -> Path:
        def at(m: Numbers, t: Real) -> Values:
            return {**{name: m.real(value) for name, value in values.items()}, **one.at(m, t)}

        return Path(one.says, at, one.direction)

    return tuple(map(beside, paths))
