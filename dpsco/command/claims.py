"""`dpsco claims`: the register, and one claim whole."""

from typing import Annotated, Any

import typer

from dpsco.command.own_papers import From, brought
from dpsco.command.screen import console, known, line, table


def claims(
    id: Annotated[str | None, typer.Argument(metavar="[ID]", help="Show this claim whole.")] = None,
    paper: Annotated[str | None, typer.Option(help="Only this paper's.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only of this kind.")] = None,
    verdict: Annotated[str | None, typer.Option(help="Only with this verdict.")] = None,
    proof: Annotated[str | None, typer.Option(help="Only with this word on the printed proof.")] = None,
    own: From = None,
) -> None:
    """List the registered claims, or show one whole."""
    from dpsco.spec.claim import Kind
    from dpsco.spec.papers import PAPERS
    from dpsco.spec.register import amendments, find, register
    from dpsco.verdict import Proof, Verdict

    mine = brought(own)
    paper = paper if paper is not None or id is not None else mine
    if paper is not None:
        known(paper, PAPERS, "paper")
    if kind is not None:
        known(kind, [str(k) for k in Kind], "kind")
    if verdict is not None:
        known(verdict, [str(v) for v in Verdict], "verdict")
    if proof is not None:
        known(proof, [str(word) for word in Proof], "proof")
    if id is not None:
        _show(find(known(id, [*register(), *amendments()], "claim")))
        return
    chosen = [
        claim
        for claim in [*register().values(), *amendments().values()]
        if (paper is None or claim.paper == paper) and (kind is None or claim.kind == kind)
    ]
    _list(sorted(chosen, key=lambda claim: list(PAPERS).index(claim.paper)), verdict, proof)


def _list(chosen: list[Any], verdict: str | None, proof: str | None) -> None:
    from rich.text import Text

    from dpsco.command.showing import PROOFS, STYLES
    from dpsco.running.judgements import last_known

    shown = table("id", "kind", "verdict", "proof", "source", keep=("id", "kind", "verdict", "proof"), flexible="source")
    sources: list[str] = []
    for claim in chosen:
        said, _, word, _, source = last_known(claim.id)
        if said == (verdict or said) and word == (proof or word):
            sources.append(source)
            cells = (Text(said, style=STYLES[said]), Text(word, style=PROOFS[word]), Text(str(claim.source)))
            shown.add_row(Text(claim.id), claim.kind.value, *cells)
    if sources:
        console().print(shown)
    line(
        f"{len(sources)} claims; verdicts: {sources.count('cache')} judged on this machine, "
        f"{sources.count('ledger')} from the ledger, {sources.count('none')} not judged yet"
    )


def _show(claim: Any) -> None:
    from dpsco.command.showing import folded
    from dpsco.spec.papers import PAPERS

    out = console()
    tags = [claim.provenance.value, *([claim.adjacency.value] if claim.adjacency else [])]
    out.print(f"{claim.id}   {claim.kind.value}   {', '.join(tags)}", style="bold")
    paper = PAPERS[claim.paper]
    parts = [f"{paper.authors}, {paper.title}: {claim.source}", claim.says]
    if claim.amends:
        parts.append(f"Amends {claim.amends}.")
    for text in parts:
        for part in folded(text, ""):
            out.print(part)
    line()
    if claim.parameters:
        _parameters(claim)
    sections = {
        "if": [predicate.says for predicate in claim.preconditions],
        "where": _formulas(claim),
        "asserts": [str(relation) for relation in claim.asserts],
        "over": list(claim.over),
        "releases": [claim.releases] if claim.releases else [],
        "note": [claim.note] if claim.note else [],
        "changes": _changes(claim),
    }
    for name, texts in sections.items():
        for place, text in enumerate(texts):
            for part in folded(text, " " * 11, f"{name if place == 0 else '':<9}  "):
                out.print(part, soft_wrap=True)
    line()
    _verdict(claim)


def _changes(claim: Any) -> list[str]:
    """What an amendment changes, where both are statements made of expressions."""
    from dpsco.spec.library import statements
    from dpsco.verify.changes import changes

    printed, amended = statements().get(claim.amends), statements().get(claim.id)
    return [str(one) for one in changes(printed, amended)] if printed is not None and amended is not None else []


def _parameters(claim: Any) -> None:
    from rich.text import Text

    shown = table("parameter", "meaning", "domain", "unit", keep=("parameter",), flexible="meaning")
    for p in claim.parameters:
        shown.add_row(Text(p.name), Text(p.meaning), Text(str(p.domain)), Text(p.unit))
    console().print(shown)
    line()


def _formulas(claim: Any) -> list[str]:
    from dpsco.typeset import text

    lines = []
    for name, formula in claim.formulas.items():
        for condition, shown in text(formula, claim):
            lines.append(f"{name} = {shown}" + (f"   ({condition})" if condition else ""))
    return lines


def _verdict(claim: Any) -> None:
    from dpsco.command.showing import PROOFS, STYLES, finding_lines, folded
    from dpsco.running.judgements import at_hand, last_known
    from dpsco.running.record import witness_file
    from dpsco.spec.register import amendments

    out = console()
    said, severity, word, rests, source = last_known(claim.id)
    origin = {"cache": "judged on this machine", "ledger": "from the ledger; dpsco verify has the findings", "none": ""}[source]
    out.print("VERDICT  ", end="")
    out.print(said, style=STYLES[said], end="")
    remarks = ", ".join(part for part in (severity, rests, origin) if part)
    out.print(f"  ({remarks})" if remarks else "")
    out.print("PROOF    ", end="")
    out.print(word, style=PROOFS[word])
    found = at_hand(claim.id)
    for finding in found["findings"] if found is not None else ():
        for shown in finding_lines(finding):
            out.print(shown, soft_wrap=True)
    if found is not None:
        for fate, mutants in found["mutants"].items():
            for part in folded(f"mutants, {fate}: {'; '.join(mutants)}", " " * 4, ""):
                out.print(part)
    for amendment in amendments().values():
        if amendment.amends == claim.id:
            line(f"amendment  {amendment.id}  ({last_known(amendment.id).verdict})")
    if witness_file(claim.id) is not None:
        line(f"witness    dpsco witness {claim.id}")
