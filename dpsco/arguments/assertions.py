"""Deciding a claim assertion by assertion: what a judge knows how to read is a table, and what it cannot read stays open."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from dpsco.spec.claim import Claim, Relation
from dpsco.spec.register import find
from dpsco.verdict import FALSE, Finding, Reading, Verdict, as_step

Table = Mapping[Relation, Callable[[Claim], Iterable[Finding]]]


def by_assertion(claim: Claim, table: Table) -> Iterator[Finding]:
    """The findings of the table's entry for each relation that the claim asserts, to the letter: left, sign and right.

    A relation that the table does not hold is open: moved by one sign, it is another statement.
    """
    for relation in claim.asserts:
        decide = table.get(relation)
        if decide is None:
            reason = "no argument for this assertion"
            yield Finding(scope=f"assertion: {relation}", verdict=Verdict.OPEN, reason=reason, asserts=(relation,))
            continue
        for finding in decide(claim):
            yield replace(finding, asserts=(*finding.asserts, relation))


def known_release(claim: Claim, *known: str) -> Iterator[Finding]:
    """An open finding where the claim releases something that the judge has no argument for."""
    if claim.releases not in known:
        yield Finding(scope=f"releases: {claim.releases}", verdict=Verdict.OPEN, reason="no argument for this release")


def reading(table: Table, *known: str) -> Callable[[Claim], list[Finding]]:
    """The judge that decides each assertion by the table; where releases are known, another one is open beside."""
    return lambda claim: [*(known_release(claim, *known) if known else ()), *by_assertion(claim, table)]


def false_displays(id: str, decide: Callable[[Claim], Iterable[Finding]]) -> Iterator[Finding]:
    """What is false among the displays of a printed proof that are a claim of their own, `id`: they break the proof of the
    theorem as well."""
    displays = find(id)
    for finding in decide(displays):
        if finding.verdict in FALSE and finding.reading is Reading.PRINTED:
            yield as_step(replace(finding, scope=f"{displays.source} ({id}): {finding.scope}", asserts=()))
