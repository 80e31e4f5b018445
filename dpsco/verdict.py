"""Findings, and the verdict that they fold into."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum

from dpsco.spec.claim import Adjacency, Relation
from dpsco.spec.numbers import Truth


class Verdict(StrEnum):
    """What is known about a statement, in the order in which findings decide it."""

    REFUTED = "refuted"
    VACUOUS = "vacuous"
    INCONSISTENT = "inconsistent"
    OPEN = "open"
    CONSISTENT = "consistent"
    ASSERTED = "asserted by its author"
    CERTIFIED = "certified"
    STATED = "stated"


FALSE = (Verdict.REFUTED, Verdict.INCONSISTENT)


class Severity(StrEnum):
    """How far a refutation reaches, mildest first."""

    MISPRINT = "misprint"
    DOMAIN = "domain"
    CONSTANT = "constant"
    RATE = "rate"
    CONCLUSION = "conclusion"


class Rung(IntEnum):
    """How a finding was decided, strongest first."""

    EXACT = 1
    REGION = 2
    POINT = 3
    SEARCH = 4
    SAMPLE = 5


class Reading(StrEnum):
    """Which text a finding is about: only the printed one decides the verdict."""

    PRINTED = "printed"
    MEANT = "meant"
    """What the authors evidently meant: one reading at most."""
    ANOTHER = "another"
    """Any further one that the text admits, or that a reader may want to know of."""


class Part(StrEnum):
    """What a finding decides: only those about the statement decide the verdict."""

    STATEMENT = "statement"
    PROOF = "proof"
    """A step of the printed proof."""


class Proof(StrEnum):
    """What is known about the printed proof."""

    HOLDS = "holds"
    """Each step of it that is registered was judged true."""
    BROKEN = "broken"
    NOT_JUDGED = "not judged"
    NOT_PRINTED = "not printed"


PROOF_STEP: None = None
"""Stands in the place of a severity where what may be refuted is a step of the printed proof (see `about`)."""


def about(severity: Severity | None) -> Part:
    """What a finding is about that would refute with this severity."""
    return Part.PROOF if severity is PROOF_STEP else Part.STATEMENT


@dataclass(frozen=True)
class Lemma:
    """A named, written argument that carries quantifiers over data, losses or dimension: short enough to check by reading."""

    name: str
    says: str
    adjacencies: tuple[Adjacency, ...] = ()
    """The adjacencies for which the argument holds; none named: the argument does not speak of neighbours."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One scope of one claim, decided. Numbers are decimal strings, bounds rounded outward."""

    scope: str
    """What part of the statement this is about, in words a reader can place."""
    verdict: Verdict
    rung: Rung | None = None
    method: str = ""
    claimed: str | None = None
    computed: tuple[str, str] | None = None
    at: Mapping[str, str] = field(default_factory=dict)
    """The instance: where it is refuted, or where the slack is smallest."""
    adjacency: Adjacency | None = None
    release: str | None = None
    effort: str = ""
    power: str | None = None
    coverage: tuple[str, ...] = ()
    """What was tried: recorded by the judge from the instances it really used."""
    lemmas: tuple[Lemma, ...] = ()
    """The reductions that the finding rests on."""
    asserts: tuple[Relation, ...] = ()
    """The assertions of the claim that this finding (with its neighbours) decides. One that no finding names is open."""
    given: tuple[Callable[..., Truth], ...] = ()
    """The tests of the preconditions that a certificate rests on: it is void for a claim that lacks one of them."""
    reason: str | None = None
    """For `open`: why. For every other verdict: a remark, where one is needed."""
    reading: Reading = Reading.PRINTED
    about: Part = Part.STATEMENT
    severity: Severity | None = None
    """For a refuted statement: how far it reaches. A step of a proof has none."""
    survives: str | None = None
    """For `refuted`: what remains true, in one sentence."""

    def __post_init__(self) -> None:
        if self.verdict is Verdict.OPEN and not self.reason:
            raise ValueError(f"an open finding says why: {self.scope}")
        step = self.about is Part.PROOF
        if self.verdict is Verdict.REFUTED and not ((self.severity or step) and self.survives):
            raise ValueError(f"a refuting finding has a severity and says what survives: {self.scope}")
        if step and self.severity is not None:
            raise ValueError(f"a finding about a step of a proof has no severity: {self.scope}")
        if self.verdict is Verdict.REFUTED and step and not (self.at or self.computed):
            raise ValueError(f"a finding that breaks a proof shows the number or the instance: {self.scope}")
        if self.verdict in (Verdict.CERTIFIED, Verdict.REFUTED) and self.rung is None:
            raise ValueError(f"a decided finding names its rung: {self.scope}")
        if self.verdict is Verdict.CERTIFIED and self.rung not in (Rung.EXACT, Rung.REGION):
            raise ValueError(f"only an exact argument or a region certifies: {self.scope}")


def as_step(finding: Finding) -> Finding:
    """The same of a step of the printed proof."""
    return replace(finding, about=Part.PROOF, severity=PROOF_STEP)


def fold(findings: Iterable[Finding], part: Part = Part.STATEMENT) -> Verdict:
    """The verdict on the printed statement, or on the steps of its printed proof: the first, in the order of `Verdict`, that a
    finding about it has.

    Where every printed finding is about a step, the claim is a step by itself: there is no statement but the proof's.
    """
    printed = [finding for finding in findings if finding.reading is Reading.PRINTED]
    verdicts = {finding.verdict for finding in printed if finding.about is part}
    nothing = Verdict.STATED if printed and not verdicts else Verdict.OPEN
    return next((verdict for verdict in Verdict if verdict in verdicts), nothing)


def proof(findings: Iterable[Finding], printed: bool) -> Proof:
    """The word on the proof, from the findings about its steps; `printed`: whether the text at hand has a proof."""
    steps = {finding.verdict for finding in findings if (finding.about, finding.reading) == (Part.PROOF, Reading.PRINTED)}
    if steps & {*FALSE}:
        return Proof.BROKEN
    if steps:
        return Proof.NOT_JUDGED if Verdict.OPEN in steps else Proof.HOLDS
    return Proof.NOT_JUDGED if printed else Proof.NOT_PRINTED


def worst(findings: Iterable[Finding]) -> Severity | None:
    """The severity of the refutation: the gravest among the findings that refute the printed statement."""
    found = {f.severity for f in findings if f.verdict is Verdict.REFUTED and f.reading is Reading.PRINTED}
    return next((severity for severity in reversed(Severity) if severity in found), None)
