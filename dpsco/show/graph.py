"""What rests on what: the results of the papers, the results that each printed proof uses, the lemmas that our own proof uses.

A node is a registered statement with what was found of it. There are two relations: an edge goes from a statement to one that
its printed proof uses (`Claim.uses`), another from a statement to one that our own proof of it, or of its repair, names among
its lemmas. It answers what a referee asks: a result is false as printed; which results rest on it, which of them are true all
the same, which are mended here, and which fall.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from dpsco.spec.claim import Claim
from dpsco.spec.papers import PAPERS
from dpsco.spec.register import amendments, register
from dpsco.verdict import FALSE, Proof, Verdict

RESULT = re.compile(rf"(?<![\w/.-])(?:{'|'.join(PAPERS)})/\w+(?:[.-]\w+)*")
"""A statement's id in a sentence."""


class Fate(StrEnum):
    """What becomes of a result whose printed proof rests on a false one."""

    SURVIVES = "survives"
    """It is certified as printed, or a step that was judged true: it holds by another proof than the printed one."""
    MENDED = "mended"
    """As printed it is false or undecided; an amendment of it is certified here, by a proof of its own."""
    FALLS = "falls"
    """It is false as printed (or true of nothing), and nothing is certified in its place."""
    UNPROVED = "without a proof"
    """Nothing is known of it but the printed proof, which does not stand."""


@dataclass(frozen=True)
class Node:
    """A registered statement and what was found of it."""

    id: str
    title: str
    source: str
    verdict: str
    severity: str | None
    proof: str
    amendments: Mapping[str, str]
    """The verdict of each amendment, by id."""
    uses: tuple[str, ...]
    """Ids of the statements that its printed proof uses."""
    lemmas: tuple[str, ...] = ()
    """Names of the lemmas that our own proof uses, as far as a verdict at hand names them."""
    ours: tuple[str, ...] = ()
    """Ids of the statements that the lemmas of our own proof, or of a repair's, name."""

    @property
    def false(self) -> bool:
        """Whether it does not hold as printed; a step of a proof, which states nothing by itself, where the step is false."""
        step = self.verdict == Verdict.STATED and self.proof == Proof.BROKEN
        return step or self.verdict in FALSE

    @property
    def mended(self) -> tuple[str, ...]:
        """Ids of the amendments that are certified."""
        return tuple(id for id, verdict in self.amendments.items() if verdict == Verdict.CERTIFIED)

    @property
    def fate(self) -> Fate:
        """What becomes of it if its printed proof does not stand."""
        if self.verdict == Verdict.CERTIFIED or (self.verdict == Verdict.STATED and self.proof == Proof.HOLDS):
            return Fate.SURVIVES
        if self.mended:
            return Fate.MENDED
        return Fate.FALLS if self.false or self.verdict == Verdict.VACUOUS else Fate.UNPROVED


@dataclass(frozen=True)
class Graph:
    """Statements by id, with the relation of their printed proofs."""

    nodes: Mapping[str, Node]

    def __post_init__(self) -> None:
        strange = sorted({used for node in self.nodes.values() for used in (*node.uses, *node.ours)} - {*self.nodes})
        if strange:
            raise ValueError(f"nodes uses {', '.join(strange)}, which the graph does not have")

    @cached_property
    def used_by(self) -> Mapping[str, tuple[str, ...]]:
        """The statements whose printed proofs use each statement."""
        return _turned({id: node.uses for id, node in self.nodes.items()})

    @cached_property
    def ours_used_by(self) -> Mapping[str, tuple[str, ...]]:
        """The statements of which our own proofs use each statement."""
        return _turned({id: node.ours for id, node in self.nodes.items()})

    @cached_property
    def sharing(self) -> Mapping[str, tuple[str, ...]]:
        """The statements of which our own proofs rest on each lemma, by its name."""
        found: dict[str, list[str]] = {}
        for id, node in self.nodes.items():
            for name in node.lemmas:
                found.setdefault(name, []).append(id)
        return {name: tuple(ids) for name, ids in found.items()}

    def rests_on(self, id: str) -> tuple[str, ...]:
        """All that the printed proof rests on, through any number of proofs: the nearest first. KeyError for an unknown id."""
        return _reached(id, lambda one: self.nodes[one].uses)

    def supports(self, id: str) -> tuple[str, ...]:
        """All whose printed proofs rest on it, through any number of proofs: the nearest first. KeyError for an unknown id."""
        return _reached(id, lambda one: self.used_by[one])

    def fates(self, id: str) -> dict[Fate, tuple[str, ...]]:
        """What becomes of all that rests on the statement, were it false; fates that nothing has are left out."""
        resting = self.supports(id)
        groups = {fate: tuple(one for one in resting if self.nodes[one].fate == fate) for fate in Fate}
        return {fate: ids for fate, ids in groups.items() if ids}

    def false_under(self, id: str) -> tuple[str, ...]:
        """The false statements that its printed proof rests on: why it does not stand."""
        return tuple(one for one in self.rests_on(id) if self.nodes[one].false)

    def circle(self) -> tuple[str, ...]:
        """A circle of printed proofs, each of which uses the next; () where there is none."""
        return circle({id: node.uses for id, node in self.nodes.items()})

    def part(self, paper: str) -> "Graph":
        """A paper's statements, with those of other papers that their proofs use at once."""
        own = {id: node for id, node in self.nodes.items() if id.split("/")[0] == paper}
        used = dict.fromkeys(one for node in own.values() for one in (*node.uses, *node.ours) if one not in own)
        closed = {id: replace(self.nodes[id], uses=(), ours=()) for id in used}
        return Graph({**own, **closed})

    @cached_property
    def heights(self) -> Mapping[str, int]:
        """How many proofs stand on each other under each statement: 0 where its proof uses no other.

        Raises  ValueError where printed proofs go in a circle
        """
        if found := self.circle():
            raise ValueError(f"printed proofs go in a circle: {' uses '.join(found)}")
        heights: dict[str, int] = {}

        def height(id: str) -> int:
            if id not in heights:
                heights[id] = 1 + max((height(used) for used in self.nodes[id].uses), default=-1)
            return heights[id]

        return {id: height(id) for id in self.nodes}


def _turned(uses: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """The relation the other way round."""
    found: dict[str, list[str]] = {id: [] for id in uses}
    for id, below in uses.items():
        for used in below:
            found[used].append(id)
    return {id: tuple(users) for id, users in found.items()}


def _reached(id: str, following: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    ends = [id]
    while ends:
        ends = [one for end in ends for one in dict.fromkeys(following(end)) if one != id and one not in found]
        ends = list(dict.fromkeys(ends))
        found |= dict.fromkeys(ends)
    return tuple(found)


def circle(uses: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """A circle of the relation, its first element again at its end; () where there is none."""
    done: set[str] = set()

    def search(id: str, path: tuple[str, ...]) -> tuple[str, ...]:
        if id in path:
            return (*path[path.index(id) :], id)
        if id in done:
            return ()
        for used in uses.get(id, ()):
            if found := search(used, (*path, id)):
                return found
        done.add(id)
        return ()

    return next((found for id in uses if (found := search(id, ()))), ())


def node(
    claim: Claim, verdict: str, severity: str | None, proof: str, mended: Mapping[str, str], lemmas: Iterable[str] = ()
) -> Node:
    """The claim as a node."""
    return Node(claim.id, claim.title, str(claim.source), verdict, severity, proof, mended, claim.uses, tuple(lemmas))


def last_known(id: str) -> Graph:
    """The statement with all that it rests on and all that rests on it, and what was last said of each; nothing is judged.

    Raises  KeyError for an id that is no registered statement
    """
    from dpsco.running.judgements import last_known as said

    claims = register()
    users: dict[str, list[str]] = {one: [] for one in claims}
    for one, claim in claims.items():
        for used in claim.uses:
            users[used].append(one)
    around = {id, *_reached(id, lambda one: claims[one].uses), *_reached(id, lambda one: users[one])}
    nodes = {}
    for one in (one for one in claims if one in around):
        known = said(one)
        mended = {other: said(other).verdict for other in _amendments(one)}
        whole = node(claims[one], known.verdict, known.severity, known.proof, mended)
        nodes[one] = replace(whole, uses=tuple(used for used in whole.uses if used in around))
    return Graph(nodes)


def judged(records: Mapping[str, Mapping[str, Any]]) -> Graph:
    """The graph of judgements as `dpsco.running.record` writes them; a statement that was not judged is not in it."""
    claims = register()
    there = {id for id, found in records.items() if "amends" not in found and id in claims}
    nodes = {}
    for id in (id for id in claims if id in there):
        found = records[id]
        mended = {other: records[other]["verdict"] for other in found["amendments"] if other in records}
        one = node(claims[id], found["verdict"], found["severity"], found["proof"]["word"], mended, lemmas(found))
        ours = named([found, *(records[other] for other in mended)])
        nodes[id] = replace(
            one,
            uses=tuple(used for used in one.uses if used in there),
            ours=tuple(used for used in ours if used in there and used != id),
        )
    return Graph(nodes)


def lemmas(found: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the lemmas that our own proof uses: those under the proof object, or those that the judge's findings name."""
    under = [name for status in ("kernel", "rocq", "cited", "prose") for name in (found["grounds"] or {}).get(status, ())]
    named = [lemma["name"] for finding in found["findings"] for lemma in finding["lemmas"]]
    return tuple(dict.fromkeys([*under, *named]))


def named(found: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Ids of the registered statements that the lemmas of these judgements name; an amendment counts as its printed claim."""
    claims, repairs = register(), amendments()
    said = (f"{lemma['name']} {lemma['says']}" for one in found for finding in one["findings"] for lemma in finding["lemmas"])
    ids = (id for text in said for id in RESULT.findall(text))
    printed = (repairs[id].amends or id if id in repairs else id for id in ids)
    return tuple(dict.fromkeys(id for id in printed if id in claims))


def _amendments(id: str) -> tuple[str, ...]:
    return tuple(sorted(other for other, claim in amendments().items() if claim.amends == id))
