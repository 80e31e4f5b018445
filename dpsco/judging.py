"""From a claim to its judgement: the judge is found through the claim's concept, and nothing else is imported.

A judge is a function from a claim to findings, one for each scope, never stopping at the first. It stands in
`dpsco/judges/<family>/<concept>.py`, in the table JUDGES by claim id, and reads everything that the paper printed
(formulas, domains, preconditions, adjacency) from the claim it is given, so that it judges amendments and mutants as well.
MUTANTS in the same module maps ids to functions that make the claim's mutants.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from dpsco.mutant import Fate, Mutant, fate
from dpsco.spec.claim import Claim
from dpsco.spec.domain import within
from dpsco.spec.predicate import shown
from dpsco.spec.register import amendments, claims_of, concept_of, find, own
from dpsco.verdict import Finding, Part, Proof, Reading, Rung, Severity, Verdict, as_step, fold, proof, worst

Judge = Callable[[Claim], Iterable[Finding]]
NOT_JUDGED = "not judged yet"


@dataclass(frozen=True)
class Judgement:
    """A claim, what was found, and how the judge did on the claim's mutants."""

    claim: Claim
    findings: tuple[Finding, ...]
    mutants: Mapping[Fate, tuple[str, ...]]

    @property
    def verdict(self) -> Verdict:
        return fold(self.findings)

    @property
    def severity(self) -> Severity | None:
        return worst(self.findings)

    @property
    def proof(self) -> Proof:
        return proof(self.findings, self.claim.proof_is_printed)

    @property
    def amendments(self) -> list[str]:
        return [amendment.id for amendment in amendments().values() if amendment.amends == self.claim.id]

    @property
    def power(self) -> str | None:
        """Share of the false mutants that the judge killed."""
        killed, survived = (len(self.mutants.get(f, ())) for f in (Fate.KILLED, Fate.SURVIVED))
        return f"{killed}/{killed + survived} false mutants killed" if killed + survived else None


def judges_module(concept: str) -> str:
    """Name of the module that judges a concept; one from outside the tree judges its own claims."""
    return concept if concept in own() else f"dpsco.judges.{concept}"


def _room(concept: str) -> ModuleType | None:
    name = judges_module(concept)
    try:
        return import_module(name) if find_spec(name) is not None else None
    except ModuleNotFoundError as missing:
        if missing.name is not None and name.startswith(missing.name):
            return None
        raise


def judge_of(id: str) -> Judge | None:
    """The judge of a claim, None if nobody has written one."""
    room = _room(concept_of(id))
    judge: Judge | None = room.JUDGES.get(id) if room is not None else None
    return judge


def mutants_of(id: str) -> list[Mutant]:
    """The mutants of a claim."""
    room = _room(concept_of(id))
    make = getattr(room, "MUTANTS", {}).get(id) if room is not None else None
    return list(make()) if make is not None else []


def decided(claim: Claim, decide: Judge | None = None) -> tuple[Finding, ...]:
    """What the judge finds (the claim's own one if none is given), less what it may not say: certificates whose conditions the
    claim does not have, silence.

    A certificate is void where a precondition it rests on is missing, where its argument is for another adjacency, where a
    parameter may lie outside the registered domain, or where what is only prose (the quantifiers, what is released) is not the
    registered text that the argument was written for. An assertion that no finding on the printed text names is open: a judge
    that does not read what it certifies certifies nothing. That nothing meets the conditions is proved or not said. For a claim
    from outside the tree an instance refutes only if it lies in the domain, and there for certain. A finding that decides
    nothing but steps of the printed proof is about the proof; an amendment prints no proof, and all of it is its statement.
    """
    from dpsco.reference.numbers.enclosure import arb  # here: looking a claim up must not load flint

    decide = decide or judge_of(claim.id)
    if decide is None:
        raise LookupError(f"nobody judges {claim.id!r}")
    arb()  # every judge starts at the same working precision, whatever was computed before
    registered = _registered(claim)
    outside = _from_outside(claim)
    domains = {q.name: q.domain for q in registered.parameters}
    wider = [p.name for p in claim.parameters if p.name not in domains or not within(p.domain, domains[p.name])]
    ranges = [f"the argument was written for another domain of {name}" for name in wider]
    same_text = _prose(claim) == _prose(registered)
    placed = (_placed(claim, _unless_elsewhere(claim, finding, outside)) for finding in decide(claim))
    found = tuple(_unless_void(claim, finding, ranges, same_text) for finding in placed)
    read = {relation for finding in found if _reads(finding, outside) for relation in finding.asserts}
    silent = tuple(
        Finding(
            scope=f"assertion: {relation}",
            verdict=Verdict.OPEN,
            reason="the judge does not read this assertion",
            about=Part.PROOF if relation.step and claim.amends is None else Part.STATEMENT,
        )
        for relation in claim.asserts
        if relation not in read
    )
    return found + silent


def _reads(finding: Finding, outside: bool) -> bool:
    """Whether the finding reads the assertions that it names as they are printed. Where a judge of the tree refutes even what
    is meant, it has read what is printed; one from outside is not believed that."""
    return finding.reading is Reading.PRINTED or (finding.verdict is Verdict.REFUTED and not outside)


def _unless_elsewhere(claim: Claim, finding: Finding, outside: bool) -> Finding:
    """The finding; open where it refutes by an instance that is not the claim's, or empties the claim without proof."""
    reason = None
    if outside:
        from dpsco.extending.examined import void

        if type(finding) is not Finding:
            raise TypeError(f"a judge yields findings, not {type(finding).__name__}")
        reason = void(claim, finding)
    elif finding.verdict is Verdict.VACUOUS and finding.rung not in (Rung.EXACT, Rung.REGION):
        reason = "it is not proved that no instance meets the conditions"
    if reason is None:
        return finding
    return Finding(scope=finding.scope, verdict=Verdict.OPEN, reason=reason, asserts=finding.asserts, reading=finding.reading)


def _from_outside(claim: Claim) -> bool:
    """Whether the claim is registered from outside the tree."""
    return bool(own()) and claim.id in {found.id for concept in own() for found in claims_of(concept)}


def _placed(claim: Claim, finding: Finding) -> Finding:
    """The finding, about what it belongs to."""
    if claim.amends is not None:
        severity = Severity.CONCLUSION if finding.verdict is Verdict.REFUTED else None
        return finding if finding.about is Part.STATEMENT else replace(finding, about=Part.STATEMENT, severity=severity)
    steps = {relation for relation in claim.asserts if relation.step}
    return as_step(finding) if finding.asserts and steps.issuperset(finding.asserts) else finding


def _unless_void(claim: Claim, finding: Finding, ranges: list[str], same_text: bool) -> Finding:
    if finding.verdict not in (Verdict.CERTIFIED, Verdict.CONSISTENT, Verdict.STATED):
        return finding
    held = claim.tests
    lacking = [shown(test) for test in finding.given if test not in held]
    elsewhere = [lemma.name for lemma in finding.lemmas if lemma.adjacencies and claim.adjacency not in lemma.adjacencies]
    conditions = [f"rests on a condition that the claim lacks: {name}" for name in lacking]
    arguments = [f"the argument '{name}' is not for this adjacency" for name in elsewhere]
    reasons = conditions + arguments + ranges
    if same_text and not reasons:
        return finding
    reason = "; ".join(reasons) or "the argument was written for other quantifiers, or for another release"
    return Finding(
        scope=finding.scope,
        verdict=Verdict.OPEN,
        reason=reason,
        asserts=finding.asserts,
        reading=finding.reading,
        about=finding.about,
    )


def _prose(claim: Claim) -> tuple[object, ...]:
    return claim.over, claim.releases


def _registered(claim: Claim) -> Claim:
    try:
        return find(claim.id)
    except KeyError:  # made for a test: there is nothing to compare with
        return claim


def judge(id: str, with_mutants: bool = True) -> Judgement:
    """Judge one claim or amendment, and its mutants; KeyError for an id that is not registered."""
    claim = find(id)
    decide = judge_of(id)
    if decide is None:
        return Judgement(claim, (Finding(scope="whole statement", verdict=Verdict.OPEN, reason=NOT_JUDGED),), {})
    mutants = mutants_of(id) if with_mutants else []
    if _from_outside(claim):
        return _of_ones_own(claim, decide, mutants)
    findings = decided(claim, decide)
    _contradicted(claim, findings)
    return Judgement(claim, findings, _by_fate((_fate(mutant, decide, findings), mutant.says) for mutant in mutants))


def _of_ones_own(claim: Claim, decide: Judge, mutants: list[Mutant]) -> Judgement:
    """The judgement of a claim from outside the tree, which is looked at without its judge as well."""
    from dpsco.extending.examined import examined, fates, weighed

    seen = examined(claim)
    findings = decided(claim, decide)
    became = _by_fate(fates(claim, seen, mutants, lambda mutant: _fate(mutant, decide, findings)))
    return Judgement(claim, weighed(claim, seen, findings, len(became.get(Fate.KILLED, ()))), became)


def _fate(mutant: Mutant, decide: Judge, parent: tuple[Finding, ...]) -> Fate:
    return fate(mutant, lambda moved: list(decided(moved, decide)), parent)


def _by_fate(said: Iterable[tuple[Fate, str]]) -> dict[Fate, tuple[str, ...]]:
    found: dict[Fate, tuple[str, ...]] = {}
    for became, says in said:
        found[became] = (*found.get(became, ()), says)
    return found


def _contradicted(claim: Claim, findings: Iterable[Finding]) -> None:
    """Stop where a registered judge certifies an assertion between formulas that certainly fails at an instance.

    Raises  ArithmeticError, which names the judge
    """
    from dpsco.arguments.free_numbers import fails

    for relation, at in fails(claim, findings):
        raise ArithmeticError(f"the judge of {claim.id} certifies {relation}, and it fails at {at}")
