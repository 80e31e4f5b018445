"""A claim's page: what is printed, what was found, what mends it, and what shows it."""

from collections.abc import Mapping
from functools import cache

from dpsco.auditing.formulas import Printed
from dpsco.auditing.regions import Region
from dpsco.command.showing import numbers
from dpsco.report import dependence, mathml, plot, power, rates
from dpsco.report.code import python
from dpsco.report.data import PROOFS, PROVENANCES, SEVERITIES, Register, claim_of, file_of, room_files, witness
from dpsco.report.experiments import place_of
from dpsco.report.findings import findings
from dpsco.report.markup import Content, Markup, items, joined, table, tag
from dpsco.report.page import badge, claim_link, facts, page, root, section, verdict_and_proof
from dpsco.report.prose import prose
from dpsco.running.grounds import KERNEL
from dpsco.running.record import Record, decisive
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.papers import PAPERS
from dpsco.spec.register import concept_of, own
from dpsco.typeset import expressions, text

ORDERS = {"<=O": ("=", "O"), ">=Omega": ("=", "Ω")}
LEMMAS = {
    "kernel": "lemmas that the kernel has checked",
    "rocq": "lemmas that a proof assistant has checked",
    "cited": "published theorems",
    "prose": "lemmas in prose, to be checked by reading",
}
Maps = Mapping[str, list[tuple[Printed, Region]]]


def claim_page(register: Register, id: str, maps: Maps, version: str) -> str:
    """The page of one claim or amendment."""
    at, record, claim = file_of(id), register.records[id], claim_of(id)
    up = root(at)
    content = joined(
        _heading(record, claim, up),
        _turning(register, id, up, "claims"),
        section("statement", "Statement", _statement(claim)),
        _beside(register, record, up),
        _domain(claim),
        section("findings", "Findings", findings(record)),
        _experiment(id, up),
        rates.runs(id, up),
        _region(id, maps),
        _mutants(record, up),
        _witness(id),
        section("files", "Where it stands", _files(id)),
        dependence.around(register, id, up),
        _turning(register, id, up, "claims, again"),
    )
    return page(id, content, at=at, version=version, wide=True)


def _heading(record: Record, claim: Claim, up: str) -> Markup:
    paper = PAPERS[claim.paper]
    severity, provenance = record["severity"], claim.provenance.value
    origin = [tag("a", f"{paper.authors}: {paper.title}", href=f"{up}papers/{paper.key}.html"), ", ", prose(str(claim.source))]
    return joined(
        tag("h1", tag("code", claim.id)),
        tag("p", badge(record["verdict"], severity), f" — {SEVERITIES[severity]}" if severity else None, class_="decided"),
        tag("p", tag("strong", f"Proof {record['proof']['word']}"), f": {PROOFS[record['proof']['word']]}.", _step(record)),
        _amends(claim.amends, up),
        facts(
            ("Source", origin),
            ("Kind", claim.kind.value),
            ("Provenance", None if claim.amends else f"{provenance}: {PROVENANCES[provenance]}"),
            ("Adjacency", claim.adjacency.value if claim.adjacency else None),
            ("Releases", prose(claim.releases or "")),
            ("Rests on", _grounds(record)),
            ("Judge's power", record["power"]),
        ),
    )


def _grounds(record: Record) -> Markup | None:
    """What the verdict rests on: who decided, and the lemmas under it by who proves them."""
    grounds = record["grounds"]
    if grounds is None:
        return None
    who = "a proof object that the kernel has checked" if grounds["by"] == KERNEL else "the word of a judge"
    lemmas = [tag("li", f"{LEMMAS[status]}: ", prose("; ".join(grounds[status]))) for status in LEMMAS if grounds[status]]
    argued = " It is argued: its prose says what the claim says." if grounds["argued"] else ""
    return joined(tag("p", f"{who[0].upper()}{who[1:]}.{argued}"), tag("ul", *lemmas) if lemmas else None)


def _step(record: Record) -> Markup | None:
    """At which step the printed proof is broken, and the number there."""
    proof = record["proof"]
    if proof["step"] is None:
        return None
    shown = numbers(proof["number"])
    return joined(" It breaks at ", prose(proof["step"]), ": " if shown else None, prose(shown), ".")


def _amends(printed: str | None, up: str) -> Markup | None:
    if printed is None:
        return None
    return tag("p", "An amendment of ", tag("a", tag("code", printed), href=up + file_of(printed)), ".")


def _turning(register: Register, id: str, up: str, label: str) -> Markup:
    place = register.pages.index(id)
    around = ((place - 1, "prev", "← "), (place + 1, "next", " →"))
    links = []
    for other, rel, arrow in around:
        if 0 <= other < len(register.pages):
            name = tag("code", register.pages[other])
            said = [arrow, name] if rel == "prev" else [name, arrow]
            links.append(tag("a", said, href=up + file_of(register.pages[other]), rel=rel))
    return tag("nav", *links, class_="turning", aria_label=f"Neighbouring {label}")


def _statement(claim: Claim) -> Markup:
    """The statement in words, its formulas, what it asserts and over what."""
    return joined(
        tag("p", prose(claim.says), class_="says"),
        formulas(claim.id),
        facts(
            ("Asserts", items(*map(_relation, claim.asserts)) if claim.asserts else None),
            ("If", items(*(prose(predicate.says) for predicate in claim.preconditions)) if claim.preconditions else None),
            ("Over", items(*map(prose, claim.over)) if claim.over else None),
            ("Note", prose(claim.note) if claim.note else None),
        ),
    )


def _relation(relation: Relation) -> Markup:
    """What is asserted; orders of growth with their letter in front of the right side."""
    if relation.sign not in ORDERS:
        return prose(str(relation))
    sign, letter = ORDERS[relation.sign]
    return joined(prose(relation.left), f" {sign} {letter}(", prose(relation.right), ")")


@cache
def formulas(id: str) -> Markup:
    """Each formula of a claim as a display, for each name that its choices may take."""
    claim, shown = claim_of(id), []
    for name, formula in claim.formulas.items():
        try:
            typeset = [(given, mathml.formula(name, written)) for given, written in expressions(formula, claim)]
        except TypeError:  # it branches on a number: shown as it is computed
            typeset = [(given, tag("pre", f"{name} = {said}")) for given, said in text(formula, claim)]
        for given, written in typeset:
            when = tag("span", given, class_="given") if given else None
            shown.append(tag("div", when, tag("div", written, class_="wide"), class_="formula"))
    return joined(*shown)


def _beside(register: Register, record: Record, up: str) -> Markup | None:
    """What is printed and what mends it, side by side, each with its own verdict."""
    id = record["id"]
    mended = register.amendments(id)
    if not mended:
        return None
    printed = tag("article", tag("h3", "As printed"), tag("p", verdict_and_proof(record)), _short(id))
    others = [
        tag(
            "article",
            tag("h3", "Amended: ", claim_link(register.records[other], up)),
            tag("p", badge(register.records[other]["verdict"]), _power(register.records[other])),
            _short(other),
            _changed(id, other),
        )
        for other in mended
    ]
    survives = decisive(record)["survives"]
    return section(
        "amended",
        "Printed and amended",
        tag("p", tag("strong", "What survives: "), prose(survives)) if survives else None,
        tag("div", printed, *others, class_="beside"),
    )


def _power(record: Record) -> str | None:
    return f"; {record['power']}" if record["power"] else None


def _short(id: str) -> Markup:
    return joined(tag("p", prose(claim_of(id).says)), formulas(id))


def _changed(printed: str, amended: str) -> Markup | None:
    """What of the conditions is new."""
    before, after = claim_of(printed), claim_of(amended)
    had = {predicate.says for predicate in before.preconditions}
    was = {p.name: str(p.domain) for p in before.parameters}
    new: list[Content] = [["if ", prose(p.says)] for p in after.preconditions if p.says not in had]
    new += [[mathml.inline(p.name), " in ", prose(str(p.domain))] for p in after.parameters if was.get(p.name) != str(p.domain)]
    return joined(tag("p", "Conditions that the printed text lacks, or has otherwise:"), items(*new)) if new else None


def _domain(claim: Claim) -> Markup | None:
    if not claim.parameters:
        return None
    rows = [
        [mathml.inline(p.name), prose(p.meaning), tag("span", prose(str(p.domain)), class_="set"), prose(p.unit)]
        for p in claim.parameters
    ]
    return section(
        "domain", "Domain", table("The numbers that the statement speaks of", ["name", "meaning", "range", "unit"], rows)
    )


def _region(id: str, maps: Maps) -> Markup | None:
    if id in maps:
        return section("region", "Where it holds", *(plot.figure(row, found) for row, found in maps[id]))
    command = plot.mapped_by(id)
    if command is None:
        return None
    return section("region", "Where it holds", tag("p", "A map over (ε, δ) takes minutes: ", tag("code", command), "."))


def _experiment(id: str, up: str) -> Markup | None:
    """Where the runs are that the claim is read for."""
    place = place_of(id)
    if place is None:
        return None
    said = ["Drawn and tabled, beside what is printed: ", tag("a", "the experiment, run again", href=up + place), "."]
    return section("experiment", "Run again", tag("p", *said))


def _mutants(record: Record, up: str) -> Markup | None:
    if not record["mutants"]:
        return None
    groups = [
        joined(tag("h3", f"{fate[0].upper()}{fate[1:]}: {len(mutants)}"), items(*map(prose, mutants)))
        for fate, mutants in record["mutants"].items()
    ]
    said = "The same claim with one thing moved; whether that is false is established by another route than the judge's. "
    whole = tag("a", "Those of all claims", href=f"{up}{power.PLACE}#{power.anchor(record)}")
    return section("mutants", "Mutants", tag("p", said, whole, "."), *groups)


def _witness(id: str) -> Markup | None:
    found = witness(id)
    if found is None:
        return None
    name, script = found
    said = [tag("code", name), ": a script that needs mpmath or nothing, and prints the claimed and the contradicting value."]
    return section("witness", "Witness", tag("p", said), tag("pre", python(script), class_="copied", tabindex="0"))


def _files(id: str) -> Markup:
    option = f"--from {own()[concept_of(id)].name} " if concept_of(id) in own() else ""
    rows = [[layer, tag("code", file) if file else why] for layer, file, why in room_files(id)]
    return joined(
        table("The rooms of the claim's concept", ["room", "file"], rows),
        tag("p", "Judge it anew: ", tag("code", f"dpsco verify {option}{id}")),
    )
