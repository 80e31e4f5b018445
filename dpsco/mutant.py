"""Claim mutants: a claim with one thing moved, on which its judge must notice.

Whether a mutant is false is established apart from the judge, by `false`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import wraps
from inspect import signature
from typing import Any

from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import FALSE, Finding, Part, Reading, fold


class Fate(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    """False, and the judge finds the statement or a step of its proof refuted or inconsistent, one that it had not."""
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


def carried_over(claim: Claim, amended: Claim, mutants: Iterable[Mutant], *names: str) -> list[Mutant]:
    """The amendment's mutants that move one of the named formulas, moved in the printed claim, which has the same formulas.

    They are for a claim whose statement is true and whose proof is broken. The names are those of formulas in what is true:
    nothing can be newly noticed of a step that is false as it is.
    """
    shared = [name for name in names if claim.formulas[name] is amended.formulas[name]]
    if len(shared) < len(names):
        raise ValueError(f"names must be of formulas that {claim.id} and {amended.id} share, got {names}")
    found = []
    for mutant in mutants:
        moved = {name: f for name, f in mutant.claim.formulas.items() if f is not amended.formulas.get(name)}
        if moved and set(moved) <= set(names):
            found.append(replace(mutant, claim=replace(claim, formulas={**claim.formulas, **moved})))
    return found


def objections(findings: Iterable[Finding]) -> set[tuple[Part, str]]:
    """What of the printed statement and of its printed proof is found false."""
    return {(f.about, f.scope) for f in findings if f.verdict in FALSE and f.reading is Reading.PRINTED}


def fate(mutant: Mutant, judge: Callable[[Claim], list[Finding]], parent: Iterable[Finding]) -> Fate:
    """What the judge makes of the mutant; `parent`: what it found on the claim that was moved."""
    known = list(parent)
    if fold(known) in FALSE:
        return Fate.PARENT_REFUTED
    false = mutant.false()
    if false is None:
        return Fate.UNKNOWN
    if not false:
        return Fate.TRUE
    noticed = objections(judge(mutant.claim)) - objections(known)
    return Fate.KILLED if noticed else Fate.SURVIVED
