"""The front page: every verdict at a glance, and a table to search."""

from collections.abc import Sequence

from dpsco.running.grounds import counted
from dpsco.show.report.data import LETTERS, MEANINGS, PROOFS, SEVERITIES, Register, claim_of, file_of
from dpsco.show.report.markup import Content, Markup, joined, table, tag
from dpsco.show.report.page import SITE, badge, claim_link, mark, page, section, tape, verdict_and_proof
from dpsco.show.report.prose import prose
from dpsco.spec.claim import Kind
from dpsco.spec.papers import PAPERS


def front_page(register: Register, guides: Sequence[tuple[str, str]], version: str) -> str:
    """The front page; `guides` are titles and places of the guide's pages."""
    amended = [id for id in register.pages if id not in set(register.claims)]
    counts = register.verdicts(register.claims)
    said = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    certified = sum(register.records[id]["verdict"] == "certified" for id in amended)
    certified_claims = [register.records[id] for id in register.claims if register.records[id]["verdict"] == "certified"]
    content = joined(
        tag("h1", f"{len(register.claims)} statements, judged"),
        tag(
            "p",
            f"Five papers on differentially private convex optimization print {len(register.claims)} statements: algorithms, "
            f"noise scales, bounds and rates. Each is decided over the whole domain that is printed for it: {said}. The "
            f"printed proofs of {register.proofs(register.claims)['broken']} are broken.",
            class_="lead",
        ),
        tag(
            "p",
            f"Each refuted statement has an instance that can be checked by hand. {len(amended)} amendments, the smallest "
            f"changes that make a refuted statement true or a broken proof whole, are judged as any claim is: "
            f"{'all' if certified == len(amended) else certified} are certified. What the certified statements rest on: "
            f"{counted(certified_claims)}.",
        ),
        tag(
            "p",
            _link("New to differential privacy?", "guide/new_to_privacy.html"),
            " ",
            _link("What the words mean", "guide/glossary.html"),
            ". ",
            _link("I am the author and disagree", "guide/i_disagree.html"),
            ".",
        ),
        section("tape", "At a glance", legend(counts), *(_paper(register, key) for key in PAPERS)),
        section("papers", "Papers", _counts(register), _severities(register), _proofs(register)),
        section("reading", "How to read it", _guide(guides)),
        section("claims", "All statements", _filters(register), _table(register)),
    )
    return page(SITE, content, at="index.html", version=version, here="Verdicts", wide=True)


def _link(said: str, place: str) -> Markup:
    return tag("a", said, href=place)


def legend(counts: dict[str, int]) -> Markup:
    """What the letters mean."""
    entries = [
        tag("div", tag("dt", mark(verdict), f" {verdict}"), tag("dd", MEANINGS[verdict]))
        for verdict in LETTERS
        if verdict in counts
    ]
    return tag("dl", *entries, class_="legend")


def _paper(register: Register, key: str) -> Markup:
    ids, paper = register.of_paper(key), PAPERS[key]
    counts = ", ".join(f"{count} {verdict}" for verdict, count in register.verdicts(ids).items() if count)
    name = tag("h3", tag("a", f"{paper.authors}: {paper.title}", href=f"papers/{key}.html"))
    return tag("article", name, tag("p", f"{len(ids)} statements: {counts}", class_="source"), tape(register, ids, ""))


def linked(count: int, **chosen: str) -> Content:
    """A count that filters the table below."""
    if not count:
        return "0"
    return tag("a", str(count), href="#" + "&".join(f"{name}={value}" for name, value in chosen.items()))


def _counts(register: Register) -> Markup:
    verdicts = list(register.verdicts(register.claims))

    rows: list[list[Content]] = [
        [
            tag("a", paper.key, href=f"papers/{key}.html"),
            *(linked(n, paper=key, verdict=v) for v, n in register.verdicts(register.of_paper(key)).items()),
            linked(len(register.of_paper(key)), paper=key),
        ]
        for key, paper in PAPERS.items()
    ]
    whole = register.verdicts(register.claims)
    rows.append(["all", *(linked(n, verdict=v) for v, n in whole.items()), str(len(register.claims))])
    head: list[Content] = ["paper", *([mark(v), " ", v] for v in verdicts), "all"]
    return table("Statements by paper and verdict; a number filters the table below", head, rows, range(1, len(verdicts) + 2))


def _severities(register: Register) -> Markup:
    found = [register.records[id]["severity"] for id in register.claims]
    rows: list[list[Content]] = [
        [name, linked(found.count(name), severity=name), says] for name, says in SEVERITIES.items() if name in found
    ]
    return table(
        "Refuted statements by severity, mildest first; a number filters the table below",
        ["severity", "statements", "meaning"],
        rows,
        [1],
    )


def _proofs(register: Register) -> Markup:
    rows: list[list[Content]] = [
        [word, linked(count, proof=word.replace(" ", "+")), PROOFS[word]]
        for word, count in register.proofs(register.claims).items()
    ]
    return table("Printed proofs; a number filters the table below", ["proof", "statements", "meaning"], rows, [1])


def _filters(register: Register) -> Markup:
    """The filters; hidden until the script that works them has run."""
    kinds = [kind.value for kind in Kind if any(register.records[id]["kind"] == kind for id in register.claims)]
    return tag(
        "form",
        _choice("paper", list(PAPERS)),
        _choice("kind", kinds),
        _choice("verdict", list(register.verdicts(register.claims))),
        _choice("severity", [name for name in SEVERITIES if any(r["severity"] == name for r in register.records.values())]),
        _choice("proof", [word for word, count in register.proofs(register.claims).items() if count]),
        tag(
            "label",
            "text ",
            tag("input", type="search", name="text", autocomplete="off", spellcheck="false", aria_controls="table"),
        ),
        tag("button", "All", type="reset"),
        tag("p", role="status", aria_live="polite", id="shown"),
        role="search",
        aria_label="Filter the statements",
        id="filters",
        hidden=True,
    )


def _choice(name: str, values: Sequence[str]) -> Markup:
    options = [tag("option", "all", value=""), *(tag("option", value, value=value) for value in values)]
    return tag("label", name, " ", tag("select", *options, name=name, aria_controls="table"))


def _table(register: Register) -> Markup:
    rows = [_row(register, id) for id in register.claims]
    head = [tag("th", name, scope="col") for name in ("claim", "kind", "statement", "verdict", "amended")]
    caption = tag("caption", f"All {len(rows)} registered statements")
    whole = tag("table", caption, tag("thead", tag("tr", *head)), tag("tbody", *rows), id="table", class_="stacked")
    return tag("div", whole, class_="wide")


def _row(register: Register, id: str) -> Markup:
    record, claim = register.records[id], claim_of(id)
    mended = [
        tag("a", badge(register.records[other]["verdict"]), href=file_of(other), title=other)
        for other in register.amendments(id)
    ]
    return tag(
        "tr",
        tag("th", claim_link(record, ""), scope="row"),
        tag("td", record["kind"]),
        tag("td", prose(claim.says), tag("br"), tag("span", prose(str(claim.source)), class_="source"), class_="text"),
        tag("td", verdict_and_proof(record)),
        tag("td", *mended),
        data_id=id,
        data_paper=claim.paper,
        data_kind=record["kind"],
        data_verdict=record["verdict"],
        data_severity=record["severity"],
        data_proof=record["proof"]["word"],
        data_says=claim.says,
    )


def _guide(guides: Sequence[tuple[str, str]]) -> Markup:
    links = [tag("li", tag("a", title, href=place)) for title, place in guides]
    fixed = [
        tag("li", tag("a", "Utility and rate claims run at scale: slopes and bounds", href="rates.html")),
        tag("li", tag("a", "What the judges notice of claims that were made false", href="power.html")),
        tag("li", tag("a", "The papers' experiments, run again", href="experiments.html")),
        tag("li", tag("a", "What the auditor itself gets wrong, measured", href="auditor.html")),
        tag("li", tag("a", "Speed against the best peer", href="benchmarks.html")),
    ]
    return joined(
        tag(
            "p",
            "A page for each statement has what is printed, every finding with its numbers, what survives and what mends it, "
            "the lemmas, and a script that shows a refutation without this package. The printed statement over its printed "
            "domain decides, in the order refuted, vacuous, inconsistent, open, consistent, asserted by its author, certified, "
            "stated; the reading that the authors evidently meant is a finding beside it. The printed proof has a word of its "
            "own: a false step does not refute the statement.",
        ),
        tag("ul", *links, *fixed),
    )
