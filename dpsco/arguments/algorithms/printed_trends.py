"""Trends in printed tables: a mean lies within half a unit of its last printed digit, and a trend must hold for all such."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import sympy

from dpsco.arguments.algorithms.simulated_trends import LIMIT
from dpsco.arguments.comparing import certified, order, refuted
from dpsco.reference.numbers.symbolic import expression
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Real
from dpsco.verdict import Finding, Rung, Severity, Verdict

Table = Mapping[str, tuple[str, str]]
"""From a decimal of the setting to the printed mean and variance."""
Interval = tuple[Fraction, Fraction]


def interval(decimal: str) -> Interval:
    """Where the number lies that was printed so: half a unit of the last digit about it."""
    exponent = Decimal(decimal).as_tuple().exponent
    if not isinstance(exponent, int):
        raise ValueError(f"decimal={decimal!r}: must be a finite decimal")
    half = Fraction(10) ** exponent / 2
    return Fraction(decimal) - half, Fraction(decimal) + half


def neighbours(table: Table, largest: str | None = None) -> list[tuple[str, str]]:
    """Pairs of settings that follow one another, in order of the setting, none above `largest`."""
    keys = sorted((key for key in table if largest is None or Fraction(key) <= Fraction(largest)), key=Fraction)
    return list(pairwise(keys))


def printed_trend(scope: str, table: Table, name: str, falling: bool, largest: str | None, survives: str) -> Finding:
    """Whether the printed means fall (or rise) from each setting to the next, certainly or certainly not."""
    pairs = neighbours(table, largest)
    sides = [(interval(table[a][0]), interval(table[b][0])) for a, b in pairs]
    ordered = [(one, two) if falling else (two, one) for one, two in sides]
    method = f"rational intervals of the printed decimals, {len(pairs)} pairs of neighbouring {name}"
    for pair, (more, less) in zip(pairs, ordered, strict=True):
        if more[1] < less[0]:
            one, two = (table[key][0] for key in pair)
            return refuted(
                scope,
                one,
                two,
                {name: pair[1]},
                method=method,
                severity=Severity.DOMAIN,
                survives=survives,
                rung=Rung.EXACT,
                reason=f"from {name} = {pair[0]} to {pair[1]} the mean goes from {one} to {two}",
            )
    if not pairs or any(more[0] <= less[1] for more, less in ordered):
        return Finding(scope=scope, verdict=Verdict.OPEN, reason="neighbouring means are equal within their rounding, or none")
    return certified(scope, method)


def sampled_trend(scope: str, table: Table, name: str, repeats: int) -> Finding:
    """Whether what the printed means estimate falls: inconsistent where a mean rises beyond the limit, else open.

    A mean that rises within the limit does not refute a fall, one that falls within it does not confirm it; nor does a table
    whose number of runs is not printed.
    """
    seen = [(a, b, apart(table[a], table[b], repeats)) for a, b in neighbours(table)]
    up = [f"from {name} = {a} to {b} by {away:.2g} standard errors" for a, b, away in seen if away > 0]
    certain = any(away > LIMIT for _, _, away in seen)
    said = f"printed means rise {', '.join(up)}" if up else f"no printed mean rises; steps of {', '.join(_sizes(seen))}"
    return Finding(
        scope=scope,
        verdict=Verdict.INCONSISTENT if certain else Verdict.OPEN,
        rung=Rung.SAMPLE,
        method=f"differences of neighbouring means, were each of {repeats} runs; more than {LIMIT:g} standard errors count",
        effort=f"{len(seen)} pairs of neighbouring {name}",
        reason=said if certain else f"the table cannot tell a rise from a fall: {said}",
    )


def _sizes(seen: Sequence[tuple[str, str, float]]) -> list[str]:
    return [f"{away:.2g} standard errors" for _, _, away in seen]


def apart(one: tuple[str, str], two: tuple[str, str], repeats: int) -> float:
    """The second printed mean less the first in standard errors, were both means of that many independent runs."""
    (a, v), (b, w) = ([float(x) for x in cell] for cell in (one, two))
    return (b - a) / ((v + w) / repeats) ** 0.5


def formula_trend(claim: Claim, formula: Callable[..., Real], name: str, falling: bool) -> Finding:
    """Whether a formula falls (or rises) strictly in one of its arguments over the claim's whole domain, by its derivative."""
    scope = f"over the whole domain: {'decreasing' if falling else 'increasing'} in {name}"
    found, known = expression(formula, claim.parameters), {p.name for p in claim.parameters}
    at = next((s for s in found.free_symbols if s.name == name), None)
    if at is None or not {s.name for s in found.free_symbols} <= known:
        constant = at is None
        return Finding(
            scope=scope,
            verdict=Verdict.REFUTED if constant else Verdict.OPEN,
            rung=Rung.EXACT if constant else None,
            method=f"{name} does not enter" if constant else "",
            reason=None if constant else "an argument that is no parameter of the claim",
            severity=Severity.CONCLUSION if constant else None,
            survives="It is constant there." if constant else None,
        )
    derivative = sympy.diff(found, at)
    delta = next((s for s in derivative.free_symbols if s.name == "delta"), None)
    if delta is not None:  # delta < 1: its logarithm has a sign
        derivative = derivative.subs(delta, sympy.exp(-sympy.Symbol("s", positive=True)))
    sign = order(sympy.factor(sympy.simplify(derivative)))
    if sign == ("<" if falling else ">"):
        return certified(scope, "computer algebra: sign of the derivative")
    if sign in ("=", "<", ">"):
        return _turned(scope, sign, derivative)
    return Finding(scope=scope, verdict=Verdict.OPEN, reason=f"computer algebra sees no sign of the derivative {derivative}")


def _turned(scope: str, sign: str, derivative: Any) -> Finding:
    words = {"=": "constant", "<": "decreasing", ">": "increasing"}[sign]
    return Finding(
        scope=scope,
        verdict=Verdict.REFUTED,
        rung=Rung.EXACT,
        method="computer algebra: sign of the derivative",
        reason=f"the derivative is {sympy.factor(sympy.simplify(derivative))}",
        severity=Severity.CONCLUSION,
        survives=f"It is {words} there.",
    )
