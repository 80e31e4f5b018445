"""What the report shows, as plain data: judgements beside their claims, in the order in which a reader turns the pages."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from dpsco.fast.closure import source_of
from dpsco.house import rooms
from dpsco.rooms import GAPS, LAYERS
from dpsco.running.record import Record, witness_file
from dpsco.show.graph import Graph, judged
from dpsco.spec.claim import Claim
from dpsco.spec.order import PRINTED
from dpsco.spec.papers import PAPERS
from dpsco.spec.register import concept_of, find, own
from dpsco.verdict import Verdict

LETTERS = {str(verdict): "K" if verdict is Verdict.CONSISTENT else verdict[0].upper() for verdict in Verdict}
"""A letter for each verdict, in the order in which verdicts decide: it can be read where colours cannot."""

MEANINGS = {
    "refuted": "contradicted by a rigorous enclosure at an instance inside the printed domain, or along a family of them",
    "inconsistent": "statistical evidence against it",
    "vacuous": "true of nothing: no parameters satisfy the preconditions, or the side that bounds is infinite",
    "open": "not decided over the whole printed domain, with the reason",
    "consistent": "tested, with stated effort and power, and no violation found",
    "asserted by its author": "a judge from outside the tree certifies it, with too few mutants killed or in words of its own",
    "certified": "proved by exact arithmetic or enclosure over the whole printed domain",
    "stated": "a definition, an algorithm or a step of a proof, which asserts nothing beyond itself",
}
PROVENANCES = {
    "printed": "as the paper prints it",
    "repaired": "damage of the scan mended; the note says what",
    "rebuilt": "from its proof; the statement's own text is not at hand",
}
SEVERITIES = {
    "misprint": "the authors evidently meant something else, which is true",
    "domain": "true on a smaller range of the parameters",
    "constant": "false by a factor",
    "rate": "an exponent is wrong",
    "conclusion": "false beyond repair by range, constant or rate",
}
PROOFS = {
    "holds": "every step of the printed proof that is registered was judged true",
    "broken": "a step of the printed proof is false; whether the statement is true is another question",
    "not judged": "no step of it was judged, or one is open",
    "not printed": "the text at hand has no proof of it",
}


@dataclass(frozen=True)
class Register:
    """All judgements by id, claims and amendments, as `running.record` writes them."""

    records: Mapping[str, Record]

    @cached_property
    def claims(self) -> list[str]:
        """Ids of the registered statements: by paper, then as it prints them."""
        return sorted((id for id, r in self.records.items() if "amends" not in r), key=reading_order)

    @cached_property
    def pages(self) -> list[str]:
        """Every id in the order of the pages: each claim, then its amendments."""
        return [each for id in self.claims for each in (id, *self.amendments(id))]

    @cached_property
    def graph(self) -> Graph:
        """What rests on what, among the registered statements."""
        return judged(self.records)

    def amendments(self, id: str) -> list[str]:
        """The ids that amend a claim, those that were judged."""
        return [other for other in self.records[id]["amendments"] if other in self.records]

    def of_paper(self, paper: str) -> list[str]:
        """Ids of a paper's registered statements."""
        return [id for id in self.claims if id.split("/")[0] == paper]

    def proofs(self, ids: Iterable[str]) -> dict[str, int]:
        """How many of each word on the printed proof."""
        found = [self.records[id]["proof"]["word"] for id in ids]
        return {word: found.count(word) for word in PROOFS}

    def verdicts(self, ids: Iterable[str]) -> dict[str, int]:
        """How many of each verdict, those that occur in the whole register, in the order in which verdicts decide."""
        found = [self.records[id]["verdict"] for id in ids]
        there = {self.records[id]["verdict"] for id in self.claims}
        return {verdict: found.count(verdict) for verdict in LETTERS if verdict in there}


def register_of(records: Sequence[Record]) -> Register:
    """The register of these judgements, amendments among them."""
    return Register({record["id"]: record for record in records})


def reading_order(id: str) -> tuple[int, int, list[tuple[int, str]]]:
    """By paper, then as it prints them; what its order does not have comes last, as a reader counts."""
    paper, label = id.split("/", 1)
    printed = PRINTED[paper].split() if paper in PRINTED else []
    parts = re.findall(r"\d+|\D+", label)
    counted = [(int(part), "") if part.isdigit() else (-1, part) for part in parts]
    return list(PAPERS).index(paper), printed.index(label) if label in printed else len(printed), counted


def file_of(id: str) -> str:
    """The claim's page, from the site's root."""
    return f"claims/{id.replace('/', '_')}.html"


def room_files(id: str) -> list[tuple[str, str | None, str]]:
    """Layer, file (None: there is none) and, where there is none, the reason, for the claim's concept."""
    concept = concept_of(id)
    if concept in own():
        return [("all", own()[concept].name, "")]
    packages = {"spec": "dpsco.spec", **LAYERS, "mutants": "dpsco.mutants"}
    missing = GAPS.get(concept, {})
    return [
        (layer, _shown(source_of(f"{package}.{concept}")), missing.get(layer, "none written"))
        for layer, package in packages.items()
    ]


def _shown(file: Path | None) -> str | None:
    if file is None:
        return None
    for package, folder in sorted(rooms().items(), key=lambda room: -len(str(room[1]))):
        if file.is_relative_to(folder):
            return f"{package.removeprefix('dpsco.')}/{file.relative_to(folder).as_posix()}"
    return file.name


def witness(id: str) -> tuple[str, str] | None:
    """Name and text of the script that shows a refutation, None if there is none."""
    file = witness_file(id)
    home = "" if concept_of(id) in own() else "dpsco/"
    return None if file is None else (f"{home}witnesses/{file.name}", file.read_text(encoding="utf-8"))


def claim_of(id: str) -> Claim:
    """The claim or amendment."""
    return find(id)
