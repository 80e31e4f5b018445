"""`dpsco review`: a referee's report on a paper, from what was found: summary, grave points, minor points, what holds."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from dpsco.command.mathematics import Inline, Math, inline, number
from dpsco.command.mathematics import latex as latex_of
from dpsco.command.naming import one
from dpsco.command.own_papers import From, brought, completed
from dpsco.command.referee import ESCAPES, SIGNS
from dpsco.command.screen import BadInputError, Progress, choices, known, writable, write
from dpsco.command.showing import RUNGS, gravest, plural, sides
from dpsco.command.sweep_options import JOBS, Jobs, engine_errors
from dpsco.running.record import Record, broken, decisive, false_step, unjudged
from dpsco.show.card import reach
from dpsco.spec.claim import Claim
from dpsco.spec.papers import PAPERS

FORMATS = ("markdown", "latex")
MINOR = ("misprint",)
WHERE = {
    "conclusion": "the conclusion",
    "rate": "a rate",
    "constant": "a constant",
    "domain": "the range of the parameters",
    "misprint": "a misprint",
}
LONGEST = 300
"""Characters of a formula that is shown beside a statement in words."""
FALSE = ("refuted", "inconsistent")
STANDS = {
    "certified": "The statement itself is true, by another proof.",
    "open": "Whether the statement is true is not known.",
    "vacuous": "The statement says nothing: its assumptions are never met.",
    "stated": "It is a step, which asserts nothing by itself.",
}
PREAMBLE = r"""\documentclass{article}
\usepackage{amsmath}
\begin{document}
"""

Block: TypeAlias = tuple[str, Inline]
"""What it is (title, section, point, text, item), and its words and formulas."""


def review(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER",
            help=f"{', '.join(PAPERS)}, or one's own with --from; or a single claim.",
            show_default=False,
            autocompletion=lambda incomplete: (
                [key for key in PAPERS if key.startswith(incomplete) and "/" not in incomplete] or completed(incomplete)
            ),
        ),
    ],
    form: Annotated[
        str,
        typer.Option("--format", metavar=choices(FORMATS), help="LaTeX: of a paper a whole document, of a claim a paragraph."),
    ] = FORMATS[0],
    output: Annotated[Path, typer.Option(metavar="FILE", help="Where to write it; - for standard output.")] = Path("-"),
    jobs: Jobs = JOBS,
    own: From = None,
) -> int:
    """Write a referee's report on a paper, or on one claim.

    A summary, then the grave points, each with the number, a hand check and the repair, then minor points, then what was
    checked and holds. Of one claim its point alone. What was not judged on this machine yet is judged first.
    """
    from dpsco.running.judgements import failures, judgements
    from dpsco.spec.register import amendments, register

    brought(own)
    known(form, FORMATS, "format")
    writable(output, "--output")
    if paper not in PAPERS and re.search(r"[/\s\d]", paper):
        write(output, _single(one(paper), form))
        return 0
    known(paper, PAPERS, "paper")
    claims = {id: claim for id, claim in {**register(), **amendments()}.items() if claim.paper == paper}
    with engine_errors(), Progress(0, "judged") as progress:
        records = judgements([*claims], jobs, progress)
    blocks = list(written(paper, claims, {record["id"]: record for record in records}))
    write(output, latex(blocks) if form == "latex" else markdown(blocks))
    return 1 if failures(records) else 0


def _single(id: str, form: str) -> str:
    """The point about one claim; in LaTeX a paragraph with its title and source.

    Raises   BadInputError where there is nothing to report of it
    """
    from dpsco.command.referee import paragraph
    from dpsco.running.judgements import judgements
    from dpsco.spec.register import find

    (found,) = judgements([id])
    repairs = judgements(found["amendments"])
    records = {record["id"]: record for record in (found, *repairs)}
    claims = {each: find(each) for each in records}
    try:
        latex_of_it = paragraph(
            claims[id], found, [(claims[each["id"]], each["verdict"]) for each in repairs], found["witness"]
        )
    except ValueError as error:
        raise BadInputError(str(error)) from error
    if form == "latex":
        return latex_of_it
    return markdown([("point", inline(_head(claims[id]))), *(("text", text) for text in _point(found, claims, records))])


def written(paper: str, claims: dict[str, Claim], records: dict[str, Record]) -> Iterator[Block]:
    """The report, block by block."""
    printed = [record for id, record in records.items() if claims[id].amends is None]
    false = gravest((r for r in printed if r["severity"] is not None), len(printed))
    grave = [r for r in false if r["severity"] not in MINOR]
    grave += [r for r in printed if r["verdict"] == "vacuous" or (r["verdict"] == "open" and broken(r))]
    grave += [r for r in printed if r["verdict"] == "inconsistent" and r not in grave]
    minor = [r for r in printed if r not in grave and (r["severity"] in MINOR or broken(r))]
    yield "title", inline(f"Report on {PAPERS[paper].authors}: {PAPERS[paper].title}")
    yield "section", ["Summary"]
    yield from (("text", inline(text)) for text in _summary(paper, claims, records, printed, grave))
    for title, some in (("Grave points", grave), ("Minor points", minor)):
        if some:
            yield "section", [title]
        for place, record in enumerate(some, 1):
            yield "point", [f"{place}. ", *inline(_head(claims[record["id"]]))]
            yield from (("text", text) for text in _point(record, claims, records))
    yield "section", ["Checked, and found to hold"]
    yield from (("item", inline(text)) for text in _holding(printed, claims))


def _summary(
    paper: str, claims: dict[str, Claim], records: dict[str, Record], printed: list[Record], grave: list[Record]
) -> Iterator[str]:
    judged = [r for r in printed if r["verdict"] != "stated" and not unjudged(r)]
    wrong = [r for r in judged if r["verdict"] in FALSE]
    held, left = ([r for r in judged if r["verdict"] == verdict] for verdict in ("certified", "open"))
    yield (
        f"We checked {plural(len(judged), 'statement')} of the paper one by one: {len(held)} hold as printed, {len(wrong)} do "
        f"not, and {len(left)} could not be decided. {sum(map(broken, printed))} of the printed proofs have a false step."
    )
    kinds = [(WHERE[s], sum(r["severity"] == s for r in wrong)) for s in WHERE]
    told = ", ".join(f"{where} in {count}" for where, count in kinds if count)
    mended = [r for r in wrong if any(records[id]["verdict"] == "certified" for id in r["amendments"])]
    if wrong:
        yield f"What is false: {told}. For {len(mended)} of the {len(wrong)} we give a repair that we have proved."
    if grave:
        worst = grave[0]
        yield f"The gravest point is the first: {_head(claims[worst['id']])}."
    yield f"What we had of the paper: {PAPERS[paper].at_hand}."


def _head(claim: Claim) -> str:
    return str(claim.source)


def _point(record: Record, claims: dict[str, Claim], records: dict[str, Record]) -> Iterator[Inline]:
    """What is printed, that it is false, the number, a hand check, what survives, the repair."""
    claim, refuted = claims[record["id"]], record["verdict"] in FALSE
    finding = decisive(record) if refuted or not broken(record) else false_step(record["findings"])
    yield _told("The paper says", claim.says, _formulas(claim))
    if record["severity"] is not None:
        yield inline(f"As printed this is false: {reach(record['severity'], finding['relation'])}.")
    elif broken(record):
        yield inline(f"A step of the printed proof is false. {STANDS.get(record['verdict'], '')}".strip())
    else:
        yield inline(STANDS.get(record["verdict"], ""))
    number = _number(finding, claim)
    if number:
        yield ["The number: ", *number]
    yield _told("Hand check", ". ".join(part.rstrip(".") for part in (finding["scope"], _how(finding)) if part))
    if finding["survives"]:
        yield _told("What survives", finding["survives"])
    for id in record["amendments"]:
        proved = "proved" if records[id]["verdict"] == "certified" else "proposed, not proved"
        yield _told(f"Repair ({proved})", claims[id].says, _formulas(claims[id], claim))


def _told(name: str, text: str, more: Inline | None = None) -> Inline:
    return [f"{name}: ", *inline(f"{called(text).rstrip('.')}."), *(more or [])]


def called(text: str) -> str:
    """The text with other claims called as the paper calls them, not by their ids."""
    from dpsco.command.naming import every

    claims = every()

    def name(found: re.Match[str]) -> str:
        id = found[0].rstrip(".")
        claim = claims.get(id)
        if claim is None:
            return found[0]
        head = claim.source.labels[0]
        return f"our repair of {head}{found[0][len(id) :]}" if claim.amends else f"{head}{found[0][len(id) :]}"

    return re.sub(rf"\b(?:{'|'.join(map(re.escape, PAPERS))})/[A-Za-z][\w.-]*\w\b", name, text)


def _how(finding: Record) -> str:
    rung = RUNGS[finding["rung"]] if finding["rung"] else ""
    return ", ".join(part for part in (finding["method"], rung) if part)


def _number(finding: Record, claim: Claim) -> Inline:
    """At which numbers the statement says what, and what is so; as many digits as tell the two apart."""
    from dpsco.typeset import symbols

    names = symbols(claim)
    place: Inline = []
    for name, value in finding["at"].items():
        place += [
            ", " if place else "at ",
            *_equation([Math(names[name])] if name in names else inline(name.rstrip("_")), value),
        ]
    said = [
        [f"{subject} {side[0]} ", *inline(re.sub(r"^(delta|epsilon) (?=[\d.])", r"\1 = ", side[1]))]
        for subject, side in zip(("the statement", "it"), sides(finding), strict=True)
        if side is not None
    ]
    shown: Inline = [*place, ": " if place and said else "", *(said[0] if said else [])]
    for other in said[1:]:
        shown += [", and ", *other]
    return [*shown, "."] if place or said else []


def _equation(symbol: Inline, value: str) -> Inline:
    """A coordinate of an instance: a number or a formula beside its symbol, a name in words."""
    if len(symbol) == 1 and isinstance(symbol[0], Math):
        if re.fullmatch(r"-?(?:\d[\d.]*(?:[eE][-+]?\d+)?|inf)", value):
            return [Math(f"{symbol[0].latex} = {number(value)}")]
        shown = inline(value)
        if len(shown) == 1 and (isinstance(shown[0], Math) or not re.search("[A-Za-z]", shown[0])):
            return [Math(f"{symbol[0].latex} = {latex_of(value)}")]
        return [*symbol, ": ", *shown]
    return [*symbol, ": ", *inline(value)]


def _formulas(claim: Claim, before: Claim | None = None) -> Inline:
    """The claim's formulas in mathematics, of an amendment those that it changes; names of several words are words."""
    if any(isinstance(part, Math) and re.search(r"=|\\[lg]e\b|<|>|O\(", part.latex) for part in inline(claim.says)):
        return []  # the sentence has its formula
    from dpsco.typeset import expressions, symbols, typeset

    names = symbols(claim)
    shown: list[Inline] = []
    for name, formula in claim.formulas.items():
        if before is not None and before.formulas.get(name) == formula:
            continue
        try:
            cases = [(given, typeset(e, names)) for given, e in expressions(formula, claim)]
        except TypeError:  # it branches on a number: the sentence says it
            continue
        for given, said in cases if all(len(said) <= LONGEST for _, said in cases) else ():
            shown.append(
                [Math(f"{names.get(name) or _letter(name)} = {said}"), *([" (", *inline(given), ")"] if given else [])]
            )
    return (
        [" Here ", *(part for place, one in enumerate(shown) for part in (["; "] if place else []) + one), "."] if shown else []
    )


def _letter(name: str) -> str:
    """A symbol of the paper as it is, a name of words as words."""
    shown = inline(name.rstrip("_"))
    if len(shown) == 1 and isinstance(shown[0], Math):
        return shown[0].latex
    return rf"\text{{{name.replace('_', ' ').strip()}}}"


def _holding(printed: Sequence[Record], claims: dict[str, Claim]) -> Iterator[str]:
    """What holds, by what is known of the printed proof, and what could not be decided."""

    def heads(records: list[Record]) -> str:
        return "; ".join(dict.fromkeys(_head(claims[r["id"]]) for r in records))

    held = [r for r in printed if r["verdict"] == "certified"]
    groups = {
        "The statement and its printed proof hold": [r for r in held if r["proof"]["word"] == "holds"],
        "The statement holds, by another proof; the printed one has a false step": [r for r in held if broken(r)],
        "The statement holds; its printed proof was not checked, or none is printed": [
            r for r in held if r["proof"]["word"] not in ("holds", "broken")
        ],
        "Could not be decided": [r for r in printed if r["verdict"] == "open"],
    }
    for name, some in groups.items():
        if some:
            yield f"{name}: {heads(some)}."


def markdown(blocks: Sequence[Block]) -> str:
    """The report as Markdown, formulas between dollars."""
    before = {"title": "# ", "section": "## ", "point": "### ", "item": "- ", "text": ""}
    return "\n".join(f"{before[kind]}{_plain(words)}\n" for kind, words in blocks)


def _plain(words: Inline) -> str:
    return "".join(f"${part.latex}$" if isinstance(part, Math) else re.sub(r"([\\*_<>$`])", r"\\\1", part) for part in words)


def latex(blocks: Sequence[Block]) -> str:
    """The report as a document that compiles with amsmath."""
    lines = [PREAMBLE]
    forms = {"title": r"\section*{%s}", "section": r"\subsection*{%s}", "point": r"\paragraph{%s}", "item": r"\item %s"}
    for place, (kind, words) in enumerate(blocks):
        if kind == "item" and blocks[place - 1][0] != "item":
            lines.append(r"\begin{itemize}")
        lines.append(forms.get(kind, "%s\n") % "".join(_typeset(part) for part in words))
        if kind == "item" and (place + 1 == len(blocks) or blocks[place + 1][0] != "item"):
            lines.append(r"\end{itemize}")
    return "\n".join([*lines, r"\end{document}", ""])


def _typeset(part: str | Math) -> str:
    return (
        f"${part.latex}$"
        if isinstance(part, Math)
        else "".join(SIGNS.get(letter) or ESCAPES.get(letter, letter) for letter in part)
    )
