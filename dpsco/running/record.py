"""Judgements as plain data: the shape that `verify --json` writes, the cache stores and every table reads."""

import re
from collections.abc import Iterable, Sequence
from decimal import Context, Decimal, DecimalException, InvalidOperation
from pathlib import Path
from typing import Any, TypeAlias

from dpsco.judging import NOT_JUDGED, Judgement
from dpsco.mutant import Fate
from dpsco.running import grounds
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.register import amendments, concept_of, own
from dpsco.verdict import FALSE, Finding, Part, Proof, Reading, Verdict

SCHEMA = 4
"""1 had no `proof`, and refuted statements for a step of their proof alone; 2 had no `grounds`; 3 had no `relation`."""
Record: TypeAlias = dict[str, Any]

SAMPLED = (Verdict.CONSISTENT, Verdict.INCONSISTENT)


def finding_record(finding: Finding, power: str | None = None) -> Record:
    """One finding; `power` is the judge's power on mutants, which stands beside a tested verdict that has none of its own."""
    claimed = decimal(finding.claimed)
    computed = [decimal(end) for end in finding.computed or ()]
    symbolic = {"claimed": finding.claimed} if claimed is None and finding.claimed is not None else {}
    symbolic |= {"computed": " to ".join(dict.fromkeys(finding.computed))} if finding.computed and None in computed else {}
    found = {
        "scope": finding.scope,
        "verdict": finding.verdict.value,
        "reading": finding.reading.value,
        "about": finding.about.value,
        "asserts": [str(relation) for relation in finding.asserts],
        "adjacency": finding.adjacency.value if finding.adjacency else None,
        "release": finding.release,
        "claimed": claimed,
        "computed": computed if computed and None not in computed else None,
        "symbolic": symbolic,
        "at": dict(finding.at),
        "rung": int(finding.rung) if finding.rung else None,
        "method": finding.method,
        "effort": finding.effort,
        "power": finding.power or (power if finding.verdict in SAMPLED else None),
        "coverage": list(finding.coverage),
        "reason": finding.reason,
        "severity": finding.severity.value if finding.severity else None,
        "survives": finding.survives,
        "lemmas": [{"name": lemma.name, "says": lemma.says} for lemma in finding.lemmas],
    }
    return {**found, "relation": relation(found, finding.asserts)}


NEEDS = "needs"
"""The relation of what is granted (the epsilon or delta of a release, a constant) to the least that is needed."""
GRANTED = ("-DP", "-regular", "-Lipschitz")
UP_TO_A_CONSTANT = {"<=": "<=O", ">=": ">=Omega"}


def relation(found: Record, asserts: Sequence[Relation]) -> str | None:
    """What the statement says of the computed value against the claimed one: <=, >=, <, >, =, ~ (about), <=O and >=Omega (up
    to a constant), or `NEEDS`; None where one of them is no number: then the claimed text says it in its own words.

    Which of an assertion's sides is claimed, the numbers tell: where it is refuted, the computed value is on the other side
    of the claimed one than it should be.
    """
    if _value(found["claimed"] or found["symbolic"].get("claimed")) is None:
        return None
    claimed, ends = _ends(found, finite=False)
    if claimed is None or not ends:
        return None
    signs, false = {one.sign for one in asserts}, found["verdict"] in FALSE
    above, below = (min(ends) > claimed, max(ends) < claimed) if false else (max(ends) > claimed, min(ends) < claimed)
    if signs == {"is"} and false and above and any(word in one.right for one in asserts for word in GRANTED):
        return NEEDS
    if signs in ({"="}, {"~"}):
        return next(iter(signs))
    if above == below:  # the claimed value is reached
        return next(iter(signs)) if signs in ({"<"}, {">"}) else None if false else "<="
    sign = "<=" if above is false else ">="
    link = found["scope"].startswith("link")  # a step on the way to an order has numbers of its own
    if signs == {UP_TO_A_CONSTANT[sign]} and not link:
        return UP_TO_A_CONSTANT[sign]
    return sign[0] if signs == {sign[0]} else sign


def decimal(number: str | None) -> str | None:
    """The string if it is a decimal number ("oo" is "inf"), None for an expression, which is recorded as symbolic."""
    if number is None:
        return None
    number = {"oo": "inf", "-oo": "-inf"}.get(number, number)
    try:
        return number if not Decimal(number).is_nan() else None
    except InvalidOperation:
        return None


NUMBER = ("claimed", "relation", "computed", "symbolic", "at")
"""The entries of a finding's record that hold its number."""


def proof_record(word: Proof, findings: Iterable[Record]) -> Record:
    """The word on the printed proof; where it is broken, the step that shows it best, and the number there."""
    if word is not Proof.BROKEN:
        return {"word": word.value, "step": None, "number": None}
    step = false_step(findings)
    return {"word": word.value, "step": step["scope"], "number": {name: step[name] for name in NUMBER}}


def false_step(findings: Iterable[Record]) -> Record:
    """The finding that breaks the printed proof and shows it most plainly: two numbers that differ in few digits, else
    one number, else none; among equals the first of the highest rung."""
    steps = [f for f in findings if (f["about"], f["reading"]) == (Part.PROOF, Reading.PRINTED)]
    return min((f for f in steps if f["verdict"] in FALSE), key=lambda f: (digits_apart(f), -_sides(f), f["rung"] or 9))


NO_DIGITS = 100
"""More than any number that is recorded has: its two sides are not told apart by digits."""


def digits_apart(number: Record) -> int:
    """How many significant digits tell the claimed value from the computed one; NO_DIGITS where they are not two numbers."""
    claimed, ends = _ends(number)
    if claimed is None or len(ends) < 2:
        return NO_DIGITS
    exact = _rounding(NO_DIGITS)
    nearest = min(ends, key=lambda end: exact.abs(exact.subtract(end, claimed)))
    told = (digits for digits in range(1, NO_DIGITS) if _rounding(digits).plus(claimed) != _rounding(digits).plus(nearest))
    return next(told, NO_DIGITS)


def _rounding(digits: int) -> Context:
    """To so many digits, whatever the order of magnitude is."""
    return Context(prec=digits, Emin=-(10**9), Emax=10**9)


def _sides(number: Record) -> int:
    """How many of the two sides are finite numbers."""
    claimed, ends = _ends(number)
    return (claimed is not None) + (len(ends) == 2)


def _ends(number: Record, finite: bool = True) -> tuple[Decimal | None, list[Decimal]]:
    """The claimed value and the ends of the computed one, as far as they are numbers, and finite ones if that is asked."""
    claimed = number["claimed"] or number["symbolic"].get("claimed")
    computed = number["computed"] or [number["symbolic"].get("computed")] * 2
    ends = [value for value in map(_value, computed) if value is not None and (value.is_finite() or not finite)]
    value = _value((claimed or "").removeprefix("at least ").removeprefix("at most "))
    return (value if value is not None and value.is_finite() else None), ends


def _value(said: str | None) -> Decimal | None:
    """A decimal number or a quotient of two; None for whatever else is said."""
    top, _, bottom = (said or "").partition("/")
    try:
        value = _rounding(NO_DIGITS).divide(Decimal(top), Decimal(bottom or 1))
    except DecimalException:
        return None
    return None if value.is_nan() else value


def broken(found: Record) -> bool:
    """Whether a step of the printed proof is false."""
    return bool(found["proof"]["word"] == Proof.BROKEN)


def opposite_meanings(found: Record) -> list[tuple[str, str]]:
    """Scopes found true and found false of one assertion (of the whole claim, where neither names one), both called the reading
    that is meant: at most one of them is."""
    meant = [f for f in found["findings"] if f["reading"] == Reading.MEANT]
    true = [f for f in meant if f["verdict"] in (Verdict.CERTIFIED, Verdict.CONSISTENT)]
    false = [f for f in meant if f["verdict"] in FALSE]

    def one_part(f: Record, g: Record) -> bool:
        return bool({*f["asserts"]} & {*g["asserts"]}) or not (f["asserts"] or g["asserts"])

    return [(f["scope"], g["scope"]) for f in true for g in false if one_part(f, g)]


TOLD = ("scope", "reason", "survives")
"""The entries of a finding's record that are sentences."""


def in_words(found: Record, claim: Claim) -> Record:
    """The finding's record, the claim's formulas called in words where its sentences name them: empirical_rate is the empirical
    rate. Symbols of the paper, d_x or theta_h, stay as they are."""
    names = [name for name in claim.formulas if re.fullmatch(r"[a-zA-Z]{2,}(_[a-z]{2,})+", name)]
    if not names:
        return found
    name = re.compile(rf"(?<!\w)(?:{'|'.join(names)})(?!\w)")
    return {**found, **{entry: found[entry] and name.sub(lambda one: one[0].replace("_", " "), found[entry]) for entry in TOLD}}


def record(judgement: Judgement) -> Record:
    """The judgement of one claim or amendment, without what depends on other claims (see `complete`)."""
    findings = [in_words(finding_record(finding, judgement.power), judgement.claim) for finding in judgement.findings]
    return {
        "id": judgement.claim.id,
        "kind": judgement.claim.kind.value,
        "verdict": judgement.verdict.value,
        "severity": judgement.severity.value if judgement.severity else None,
        "proof": proof_record(judgement.proof, findings),
        "grounds": grounds.judged(judgement.verdict.value, findings),
        "provenance": judgement.claim.provenance.value,
        "findings": findings,
        "mutants": {fate.value: list(judgement.mutants[fate]) for fate in Fate if fate in judgement.mutants},
        "power": judgement.power,
    }


def complete(found: Record, claim: Claim) -> Record:
    """The record with the claim's amendments and whether a witness script is at hand, both looked up now."""
    mine = sorted(amendment.id for amendment in amendments().values() if amendment.amends == claim.id)
    whole = {**found, "amendments": mine, "witness": witness_file(claim.id) is not None}
    return whole if claim.amends is None else {**whole, "amends": claim.amends}


def witness_file(id: str) -> Path | None:
    """The script that shows the claim's refutation, None if there is none; that of a paper of one's own stands beside it."""
    home = own().get(concept_of(id)) if own() else None
    file = (home.parent if home else Path(__file__).parents[1]) / "witnesses" / f"{id.replace('/', '_')}.py"
    return file if file.is_file() else None


def unjudged(found: Record) -> bool:
    """Whether nobody has written a judge for the claim."""
    return any(finding["reason"] == NOT_JUDGED for finding in found["findings"])


def decisive(found: Record) -> Record:
    """The finding that decides the verdict on the statement: of the gravest severity, the first of the highest rung."""
    printed = [f for f in found["findings"] if (f["about"], f["reading"]) == (Part.STATEMENT, Reading.PRINTED)]
    deciding = [f for f in printed if f["verdict"] == found["verdict"]]
    gravest = [f for f in deciding if f["severity"] == found["severity"]]
    return min(gravest or deciding or found["findings"], key=lambda f: f["rung"] or 9)


def document(records: list[Record], version: str) -> Record:
    """What `verify --json` writes: registered statements under "claims", amendments beside them."""
    return {
        "schema": SCHEMA,
        "version": version,
        "claims": [r for r in records if "amends" not in r],
        "amendments": [r for r in records if "amends" in r],
    }
