"""A rebuilt statement whose range of epsilon and delta is not at hand: what counts against it, and what only beside it.

Such a statement is refuted only where every reading consistent with its proof fails. Paper lp prints, for noise of the same
scale, "for all epsilon <= 2 log(1/delta)" (Lemma 14, Theorem 13): one reading. No range at all is another.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal, InvalidOperation

from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.claim import Claim, Provenance
from dpsco.verdict import Finding, Reading, Verdict

TIMES = 2
"""The printed range is epsilon <= 2 ln(1/delta)."""
PRINTED_RANGE = "epsilon <= 2 ln(1/delta)"


def readings(claim: Claim, found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings; for a rebuilt claim those that refute it outside that range only are of the reading without one.

    What is said of a release then is open as printed; the first such finding says what survives.
    """
    beyond: list[Finding] = []
    for finding in found:
        refutes = finding.verdict is Verdict.REFUTED and finding.reading is Reading.PRINTED
        if claim.provenance is Provenance.REBUILT and refutes and outside(finding.at):
            beyond.append(finding)
            finding = replace(finding, reading=Reading.ANOTHER, scope=f"if no range is meant, {finding.scope}")
        yield finding
    for first in {finding.release: finding for finding in beyond[::-1] if finding.release}.values():
        yield Finding(
            scope="the range of epsilon and delta",
            verdict=Verdict.OPEN,
            adjacency=first.adjacency,
            release=first.release,
            asserts=first.asserts,
            reason=f"the theorem's range of epsilon and delta is not at hand: without one it fails. {first.survives}",
        )


def beside(finding: Finding, condition: str, reason: str) -> Iterator[Finding]:
    """What fails for want of a condition that may stand in a text not at hand: of that reading, and open as printed."""
    yield replace(finding, reading=Reading.ANOTHER, scope=f"{condition}, {finding.scope}")
    yield Finding(
        scope=finding.scope,
        verdict=Verdict.OPEN,
        adjacency=finding.adjacency,
        release=finding.release,
        asserts=finding.asserts,
        about=finding.about,
        reason=f"{reason} {finding.survives}",
    )


def outside(at: Mapping[str, str]) -> bool:
    """Whether an instance certainly has epsilon > 2 ln(1/delta)."""
    try:
        epsilon, delta = (str(Decimal(at[name])) for name in ("epsilon", "delta"))
    except (KeyError, InvalidOperation):
        return False
    m = arb()
    return m.gt(m.real(epsilon), TIMES * m.log(1 / m.real(delta))) is True
