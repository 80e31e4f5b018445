"""Falsity of a mutant by evaluation: an assertion between two formulas that fails at one admitted point, in mpmath.

Judges decide such assertions by computer algebra or in balls; here both sides are numbers to 60 digits, and the failure has to
exceed any rounding.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from dpsco.arguments.comparing import truth
from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real

MARGIN = "1e-30"
"""Relative: a difference of less is no failure."""


def fails(claim: Claim, left: str, sign: str, right: str, point: Mapping[str, str]) -> bool | None:
    """Whether `left sign right` fails at the point by more than rounding; None where it does not fail there.

    left, right  names of the claim's formulas, or decimal numbers
    sign         "=", "<=" or ">="
    point        values as decimal strings, or names of the claim's formulas of the values before them
    Raises       ValueError if the point lies outside a domain or fails a precondition.
    """
    m = mp(60)
    values: dict[str, Any] = {}
    for name, value in point.items():
        values[name] = _value(claim, m, value, values)
    outside = [p.name for p in claim.parameters if p.name in values and p.domain.contains(m, values[p.name]) is not True]
    unmet = [predicate.says for predicate in claim.preconditions if truth(predicate, m, values) is False]
    if outside or unmet:
        raise ValueError(f"point={dict(point)}: not admitted by {', '.join(outside + unmet)}")
    a, b = _value(claim, m, left, values), _value(claim, m, right, values)
    rest = m.real(MARGIN) * m.max(m.abs(a), m.abs(b))
    above, below = bool(a - b > rest), bool(b - a > rest)
    return {"=": above or below, "<=": above, ">=": below}[sign] or None


def scaled_mutant(
    claim: Claim, name: str, numerator: int, denominator: int, asserted: tuple[str, str, str], point: Mapping[str, str]
) -> Mutant:
    """The claim with a formula times a rational, false where the asserted relation fails at the point."""
    moved = scaled(claim, name, numerator, denominator)
    return Mutant(f"{name} times {numerator}/{denominator}", moved, partial(fails, moved, *asserted, point))


def _value(claim: Claim, m: Numbers, text: str, values: Mapping[str, Any]) -> Real:
    return apply(claim.formulas[text], m, values) if text in claim.formulas else m.real(text)
