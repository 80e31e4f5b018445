"""A referee's report, from what was found: summary, grave points, minor points, what holds; or the point about one claim.

One list of blocks, words and formulas, is written as Markdown, as a LaTeX document, and as a LaTeX fragment to paste.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from dpsco.running.record import Record, broken, decisive, false_step, unjudged
from dpsco.show.card import reach, times, title
from dpsco.show.command.showing import RUNGS, gravest, plural, sides
from dpsco.show.hand import Check, Line, check_of
from dpsco.show.hand import written as sympy_of
from dpsco.show.mathematics import Inline, Math, inline, number
from dpsco.show.mathematics import latex as latex_of
from dpsco.spec.claim import Claim
from dpsco.spec.papers import PAPERS
from dpsco.spec.symbols import GREEK
from dpsco.spec.symbols import single as greek

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
\usepackage{amsmath,amssymb}
\usepackage[margin=25mm]{geometry}
\emergencystretch=3em
\begin{document}
"""

Block: TypeAlias = tuple[str, Inline]
"""What it is (title, section, point, text, item), and its words and formulas."""


ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    **{sign: f"\\{sign}" for sign in "$&#%_"},
}
SIGNS = {
    "<=": r"$\le$",
    ">=": r"$\ge$",
    "->": r"$\to$",
    "<": "$<$",
    ">": "$>$",
    **{name: f"${greek(name)}$" for name in GREEK},
}
NUMERIC = re.compile(r"-?(?:\d[\d.]*(?:[eE][-+]?\d+)?|inf)")
RELATIONS = {"<=": r"\le", ">=": r"\ge"}


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
    for section, some in (("Grave points", grave), ("Minor points", minor)):
        if some:
            yield "section", [section]
        for place, record in enumerate(some, 1):
            yield "point", [f"{place}. ", *inline(title(claims[record["id"]]))]
            yield "text", inline(f"In the paper: {claims[record['id']].source}.")
            yield from _point(record, claims, records)
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
        yield f"The gravest point is the first: {title(claims[worst['id']])}."
    yield f"What we had of the paper: {PAPERS[paper].at_hand}."


def _head(claim: Claim) -> str:
    return str(claim.source)


def _point(record: Record, claims: dict[str, Claim], records: dict[str, Record]) -> Iterator[Block]:
    """What is printed, that it is false, the number, a hand check, what survives, the repair."""
    claim, refuted = claims[record["id"]], record["verdict"] in FALSE
    finding = decisive(record) if refuted or not broken(record) else false_step(record["findings"])
    yield "text", _told("The paper says", claim.says, _formulas(claim))
    if record["severity"] is not None:
        yield "text", inline(f"As printed this is false: {reach(record['severity'], finding['relation'])}.")
    elif broken(record):
        yield "text", inline(f"A step of the printed proof is false. {STANDS.get(record['verdict'], '')}".strip())
    else:
        yield "text", inline(STANDS.get(record["verdict"], ""))
    number = _number(finding, claim)
    if number:
        yield "text", ["The number: ", *number]
    yield from _by_hand(claim, finding, refuted)
    if finding["survives"]:
        yield "text", _told("What survives", finding["survives"])
    for id in record["amendments"]:
        proved = "proved" if records[id]["verdict"] == "certified" else "proposed, not proved"
        yield "text", _told(f"Repair ({proved})", claims[id].says, _formulas(claims[id], claim))


def single(record: Record, claims: dict[str, Claim], records: dict[str, Record]) -> list[Block]:
    """The point about one claim, with its title and its source.

    Raises   ValueError where the claim is not refuted, nor its proof broken
    """
    claim = claims[record["id"]]
    if record["verdict"] not in FALSE and not broken(record):
        raise ValueError(
            f"{claim.id} is {record['verdict']}: only of a refuted claim or a broken proof is there something to report"
        )
    paper = PAPERS[claim.paper]
    source: Block = ("text", inline(f"{paper.authors}, {paper.title}: {claim.source}."))
    return [("point", inline(title(claim))), source, *_point(record, claims, records)]


def _by_hand(claim: Claim, finding: Record, refuted: bool) -> Iterator[Block]:
    """The check by hand, computed; without one how the finding was decided."""
    check = check_of(claim.id) if refuted else None
    if check is None:
        yield "text", _told("Hand check", ". ".join(part.rstrip(".") for part in (finding["scope"], _how(finding)) if part))
        return
    names = check.symbols
    take: Inline = []
    for name, values in check.given:
        take += [", " if take else "Take ", *_equation([Math(names[name])], values[0])]
        take += [part for value in values[1:] for part in (", then ", *_value(value))]
    yield "text", [*_told("Hand check", check.why), *([" ", *take, "."] if take else [])]
    yield from (("item", _line(check, line, claim)) for line in check.lines)
    yield "text", ["So ", *_conclusion(check), "."]


def _line(check: Check, line: Line, claim: Claim) -> Inline:
    """A name, its formula and its value at each instance."""
    from dpsco.typeset import expressions, typeset

    names = check.symbols
    name = names[line.name]
    values = [*dict.fromkeys(line.values)]
    value = number(values[0])
    try:
        cases = expressions(line.formula, claim) if line.printed else [("", sympy_of(line.formula))]
        said = next(typeset(shown, names) for given, shown in cases if check.chosen(given))
        equation = f"{name} = {said}" if said == value else rf"{name} = {said} = {value}"
    except TypeError:  # it branches on a number: the paper has it
        equation = f"{name} = {value}"
    more = [part for other in values[1:] for part in (", then ", *_value(other))]
    return [Math(equation), *more]


def _value(value: str) -> Inline:
    return [Math(number(value))] if NUMERIC.fullmatch(value) else [value]


def _conclusion(check: Check) -> Inline:
    from dpsco.typeset import typeset

    if check.about is None:
        return [Math(check.symbols[check.grows]), " grows beyond every bound: no constant does"]
    left, right = (typeset(sympy_of(side), check.symbols) for side in (check.about.left, check.about.right))
    sign = RELATIONS.get(check.about.sign, check.about.sign)
    low, high = check.so.split(f" {check.about.sign} ")
    return [Math(f"{left} {sign} {right}"), ", as ", Math(f"{number(low)} {sign} {number(high)}")]


def _told(name: str, text: str, more: Inline | None = None) -> Inline:
    return [f"{name}: ", *inline(f"{called(text).rstrip('.')}."), *(more or [])]


def called(text: str) -> str:
    """The text with other claims called as the paper calls them, not by their ids."""
    from dpsco.show.command.naming import every

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
    factor = [f", {times(finding)}"] if times(finding) else []
    return [*shown, *factor, "."] if place or said else []


def _equation(symbol: Inline, value: str) -> Inline:
    """A coordinate of an instance: a number or a formula beside its symbol, a name in words."""
    if len(symbol) == 1 and isinstance(symbol[0], Math):
        if NUMERIC.fullmatch(value):
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
    """The report as a document that compiles with amsmath and amssymb."""
    return "\n".join([PREAMBLE, _lines(blocks), r"\end{document}", ""])


def fragment(blocks: Sequence[Block]) -> str:
    """Blocks to paste into a document that uses amsmath and amssymb."""
    return f"% needs \\usepackage{{amsmath,amssymb}}\n{_lines(blocks)}"


def _lines(blocks: Sequence[Block]) -> str:
    forms = {"title": r"\section*{%s}", "section": r"\subsection*{%s}", "point": r"\paragraph{%s.}", "item": r"\item %s"}
    lines: list[str] = []
    for place, (kind, words) in enumerate(blocks):
        if kind == "item" and blocks[place - 1][0] != "item":
            lines.append(r"\begin{itemize}")
        lines.append(forms.get(kind, "%s\n") % "".join(_typeset(part, kind) for part in words))
        if kind == "item" and (place + 1 == len(blocks) or blocks[place + 1][0] != "item"):
            lines.append(r"\end{itemize}")
    return "\n".join(lines)


def _typeset(part: str | Math, kind: str) -> str:
    if not isinstance(part, Math):
        return escaped(part)
    return rf"$\displaystyle {part.latex}$" if kind == "item" else f"${part.latex}$"


def escaped(text: str) -> str:
    """Plain text as LaTeX: the same characters, but for comparisons and the names of Greek letters, which become signs."""
    parts = re.split(rf"([<>]=|->|[<>]|(?<![\w.-])(?:{'|'.join(GREEK)})(?![\w-]))", text)
    return "".join(SIGNS.get(part) or "".join(ESCAPES.get(letter, letter) for letter in part) for part in parts)
