"""Lemmas: what a proof object may cite, each with the reason why it is believed.

A lemma says: for all values of its symbols that meet the hypotheses, both sides of the conclusion are defined and the
conclusion holds. Lemmas form a graph without circles; they are where trust lives, so their text is mathematics, as long as it
needs to be, and they are mutated and held against oracles.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from dpsco.spec.expressions import Condition, Json, digest
from dpsco.spec.nouns import INTEGER, REAL


class Status(StrEnum):
    """Why a lemma is believed."""

    KERNEL = "kernel"
    """It has a proof object of its own, which the kernel checks again whenever the lemma is cited."""
    ROCQ = "rocq"
    """Proved in Rocq; `reference` names file and theorem."""
    CITED = "cited"
    """A published theorem, stated exactly as published; `reference` names work and number."""
    PROSE = "prose"
    """Proved in `proof`, for people."""


@dataclass(frozen=True, kw_only=True)
class Lemma:
    """hypotheses => conclusion, for all values of the symbols."""

    id: str
    sorts: Mapping[str, str]
    """Every symbol with its sort: "real", "integer", or a kind of object. `sorts_of` fills in the usual ones."""
    hypotheses: tuple[Condition, ...] = ()
    conclusion: Condition
    status: Status
    text: str
    """The statement in words."""
    proof: str = ""
    """For prose: the whole proof. For others: a remark, or nothing."""
    reference: str = ""
    uses: tuple[str, ...] = ()
    """Ids of the lemmas that its proof rests on; for a kernel lemma exactly those that its proof object cites."""

    def __post_init__(self) -> None:
        free = self.conclusion.symbols.union(*(hypothesis.symbols for hypothesis in self.hypotheses))
        if free != {*self.sorts}:
            raise ValueError(f"{self.id}: symbols {sorted(free)} are used, {sorted(self.sorts)} are declared")
        if self.status in (Status.CITED, Status.ROCQ) and not self.reference:
            raise ValueError(f"{self.id}: a {self.status} lemma needs its reference")
        if self.status is Status.PROSE and not self.proof:
            raise ValueError(f"{self.id}: a prose lemma needs its proof")

    def json(self) -> Json:
        return {
            "id": self.id,
            "sorts": dict(sorted(self.sorts.items())),
            "hypotheses": [hypothesis.json() for hypothesis in self.hypotheses],
            "conclusion": self.conclusion.json(),
            "status": str(self.status),
            "text": self.text,
            "proof": self.proof,
            "reference": self.reference,
            "uses": sorted(self.uses),
        }

    @property
    def sha256(self) -> str:
        return digest(self.json())

    @property
    def nouns(self) -> frozenset[str]:
        """Names of the nouns that it speaks of."""
        conditions = (*self.hypotheses, self.conclusion)
        return frozenset(name for c in conditions for side in (c.left, c.right) for name in side.nouns)


def sorts_of(conditions: tuple[Condition, ...], integers: str = "", **others: str) -> dict[str, str]:
    """The sorts of all symbols of the conditions: real unless named here."""
    names = sorted(frozenset().union(*(condition.symbols for condition in conditions)))
    return {name: others.get(name, INTEGER if name in integers.split() else REAL) for name in names}


def lemma(
    id: str,
    conclusion: Condition,
    *given: Condition,
    status: Status,
    text: str,
    proof: str = "",
    reference: str = "",
    uses: tuple[str, ...] = (),
    integers: str = "",
    **others: str,
) -> Lemma:
    """A lemma with the sorts of its symbols filled in: `integers` between spaces, objects by keyword, the rest real."""
    sorts = sorts_of((*given, conclusion), integers, **others)
    return Lemma(
        id=id,
        sorts=sorts,
        hypotheses=given,
        conclusion=conclusion,
        status=status,
        text=text,
        proof=proof,
        reference=reference,
        uses=uses,
    )
