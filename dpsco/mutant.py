"""Claim mutants: a claim with one thing moved, on which its judge must notice.

Whether a mutant is false is established apart from the judge, by `false`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import wraps
from inspect import signature
from typing import Any

from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Verdict, fold


class Fate(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    """False, and the judge says refuted or inconsistent."""
    SURVIVED = "survived"
    """False, and the judge did not notice."""
    TRUE = "provably true"
    """The change left a true statement."""
    PARENT_REFUTED = "parent already refuted"
    """Its claim is refuted as printed, so its death shows nothing; the amendment is mutated instead."""
    UNKNOWN = "unknown"
    """Not established whether it is false."""


@dataclass(frozen=True)
class Mutant:
    """`claim` is the moved claim, `false()` True where the moved statement was shown false independently of the judge,
    False where it was shown true, None where neither is known."""

    says: str
    claim: Claim
    false: Callable[[], bool | None]


def with_formula(claim: Claim, name: str, formula: Callable[..., Real]) -> Claim:
    """The claim with one formula put in the place of another."""
    return replace(claim, formulas={**claim.formulas, name: formula})


def changed(claim: Claim, name: str, change: Callable[[Numbers, Real, Mapping[str, Any]], Real]) -> Claim:
    """The claim with one formula's value changed; `change` gets the context, the value and the formula's arguments by name."""
    formula = claim.formulas[name]
    names = signature(formula)

    @wraps(formula)
    def moved(m: Numbers, *args: Any, **kwargs: Any) -> Real:
        return change(m, formula(m, *args, **kwargs), names.bind(m, *args, **kwargs).arguments)

    return with_formula(claim, name, moved)


def scaled(claim: Claim, name: str, numerator: int, denominator: int) -> Claim:
    """The claim with one formula multiplied by a rational."""
    return changed(claim, name, lambda m, value, _: value * m.frac(numerator, denominator))


def fate(mutant: Mutant, judge: Callable[[Claim], list[Finding]], parent: Verdict) -> Fate:
    """What the judge makes of the mutant."""
    if parent in (Verdict.REFUTED, Verdict.INCONSISTENT):
        return Fate.PARENT_REFUTED
    false = mutant.false()
    if false is None:
        return Fate.UNKNOWN
    if not false:
        return Fate.TRUE
    noticed = fold(judge(mutant.claim)) in (Verdict.REFUTED, Verdict.INCONSISTENT)
    return Fate.KILLED if noticed else Fate.SURVIVED
