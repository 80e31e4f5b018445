"""Every claim, and the concept it belongs to.

A concept is a module of `spec/privacy`, `spec/losses`, `spec/algorithms` or `spec/analysis` with a list `claims`; its name
("privacy.gaussian", "algorithms.objective_perturbation.stability") is the path of its room in every layer.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

from dpsco.spec.claim import Claim

FAMILIES = ("privacy", "losses", "algorithms", "analysis")
_own: dict[str, Path] = {}
"""Concepts outside this tree, each the name of its module, with that module's file (see `dpsco.extending`)."""


def concepts() -> Iterator[str]:
    """Names of all concepts, in the order of the families."""
    here = Path(__file__).parent
    for family in FAMILIES:
        for file in sorted((here / family).rglob("*.py")):
            if file.stem != "__init__":
                yield ".".join(file.relative_to(here).with_suffix("").parts)


def claims_of(concept: str) -> list[Claim]:
    """The claims of one concept, amendments included."""
    module = import_module(module_of(concept))
    return list(getattr(module, "claims", []))


def module_of(concept: str) -> str:
    """Name of the module that states a concept's claims."""
    return concept if concept in _own else f"dpsco.spec.{concept}"


def adopt(concept: str, file: Path) -> None:
    """Register the claims of a module outside this tree, which stands in `file` and can be imported as `concept`.

    Raises  ValueError where an id is registered already; nothing is registered then
    """
    _own[concept] = file
    _by_id.cache_clear()
    try:
        _by_id()
    except ValueError:
        del _own[concept]
        _by_id.cache_clear()
        raise


def own() -> dict[str, Path]:
    """The adopted concepts and their files."""
    return dict(_own)


@cache
def _by_id() -> dict[str, tuple[str, Claim]]:
    found: dict[str, tuple[str, Claim]] = {}
    for concept in [*concepts(), *_own]:
        for claim in claims_of(concept):
            if claim.id in found:
                raise ValueError(f"claim {claim.id} stands in {found[claim.id][0]} and in {concept}")
            found[claim.id] = (concept, claim)
    return {id: (concept, _inheriting(claim, found)) for id, (concept, claim) in found.items()}


def _inheriting(claim: Claim, found: dict[str, tuple[str, Claim]]) -> Claim:
    """The claim; an amendment with what is for readers taken from the claim that it repairs, where it has none of its own."""
    if claim.amends is None or claim.amends not in found:
        return claim
    printed = found[claim.amends][1]
    return replace(
        claim,
        title=claim.title or printed.title,
        uses=claim.uses or printed.uses,
        symbols={**printed.symbols, **claim.symbols},
    )


def register() -> dict[str, Claim]:
    """All registered statements by id, amendments left out."""
    return {id: claim for id, (_, claim) in _by_id().items() if claim.amends is None}


def amendments() -> dict[str, Claim]:
    """All amendments by id."""
    return {id: claim for id, (_, claim) in _by_id().items() if claim.amends is not None}


def find(id: str) -> Claim:
    """The claim or amendment of that id; KeyError if there is none."""
    return _by_id()[id][1]


def concept_of(id: str) -> str:
    """The concept that holds the claim; KeyError if there is none."""
    return _by_id()[id][0]
