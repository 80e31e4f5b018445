"""A refutation, or a broken proof, as a paragraph of LaTeX, for authors or a referee: statement, instance, values, what
survives, the repair."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation

from dpsco.command.showing import RUNGS, sides
from dpsco.running.record import Record, broken, decisive, false_step
from dpsco.show.card import card, known_of, times
from dpsco.spec.claim import Claim
from dpsco.spec.symbols import GREEK, single
from dpsco.typeset import latex, symbols, typeset

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
    **{name: f"${single(name)}$" for name in GREEK},
}
SUBJECTS = ("the statement", "it")
"""Of what the statement says and of what is so."""


def escaped(text: str) -> str:
    """Plain text as LaTeX: the same characters, but for comparisons and the names of Greek letters, which become signs."""
    parts = re.split(rf"([<>]=|->|[<>]|(?<![\w.-])(?:{'|'.join(GREEK)})(?![\w-]))", text)
    return "".join(SIGNS.get(part) or "".join(ESCAPES.get(letter, letter) for letter in part) for part in parts)


def paragraph(claim: Claim, found: Record, repairs: Sequence[tuple[Claim, str]], script: bool) -> str:
    """The paragraph, which compiles with amsmath.

    `repairs` are amendments with their verdicts: what is not certified is called a proposal. `script` says whether a
    witness script is at hand.

    Raises   ValueError where the claim is not refuted, nor its proof broken
    """
    refuted = found["verdict"] == "refuted"
    if not refuted and not broken(found):
        raise ValueError(
            f"{claim.id} is {found['verdict']}: only of a refuted claim or a broken proof is there something to report"
        )
    finding = decisive(found) if refuted else false_step(found["findings"])
    shown = card(claim, known_of(found), found, repairs, script)
    parts = [
        rf"\paragraph{{{escaped(shown.title)}.}} {escaped(f'{shown.paper}: {shown.source}.')}",
        f"The statement, in our words: {_sentence(claim.says)}{_where(claim, claim.formulas)}",
        f"As printed it is {escaped(shown.words)}." if refuted else _stands(found["verdict"]),
        f"{'Scope' if refuted else 'Step'}: {_sentence(finding['scope'])}",
        _values(finding, claim),
        f"How this was decided: {_sentence(', '.join(part for part in (RUNGS[finding['rung']], finding['method']) if part))}",
        f"What survives: {_sentence(finding['survives'])}",
    ]
    for (repair, verdict), changes in zip(repairs, shown.repairs, strict=True):
        state = "certified" if verdict == "certified" else f"proposed, not proved; {verdict}"
        parts.append(f"Amended ({escaped(state)}): {_sentence(repair.says)}{_where(repair, changes.changed)}")
    if script:
        parts.append(rf"A script that shows this by itself: \texttt{{dpsco witness {escaped(claim.id)}}}.")
    return "% needs \\usepackage{amsmath}\n" + "\n".join(part for part in parts if part) + "\n"


def _stands(verdict: str) -> str:
    """What is known of a statement whose printed proof has a false step."""
    known = {"certified": "The statement is true, by another proof", "open": "Whether the statement is true is not known"}
    return f"A step of the printed proof is false. {known.get(verdict, f'The statement itself is {verdict}')}."


def _sentence(text: str) -> str:
    return escaped(text.rstrip(".")) + "."


def _where(claim: Claim, names: Iterable[str]) -> str:
    """The claim's formulas of these names, one after the other."""
    shown = []
    for name in names:
        for condition, said in latex(claim.formulas[name], claim):
            given = f" ({escaped(condition)})" if condition else ""
            shown.append(f"${_symbol(name, claim)} = {said}${given}")
    return f" Here {'; '.join(shown)}." if shown else ""


def _values(finding: Record, claim: Claim) -> str:
    at = ", ".join(f"${_symbol(name, claim)} = {_number(value)}$" for name, value in finding["at"].items())
    numbers = (finding["claimed"], finding["computed"])
    found = zip(SUBJECTS, sides(finding), numbers, strict=True)
    said = [f"{subject} {side[0]} {_object(side[1], number is not None)}" for subject, side, number in found if side]
    if not said:
        return f"It fails at {at}." if at else ""
    factor = f": {escaped(times(finding))}" if times(finding) else ""
    text = f"{f'At {at} ' if at else ''}{', and '.join(said)}{factor}."
    return text[0].upper() + text[1:]


def _object(said: str, of_numbers: bool) -> str:
    """What is said of a value; the numbers in maths, where it is about numbers and not a text."""
    if not of_numbers:
        return escaped(said)
    parts = re.split(r"(-?(?:\d[\d.]*(?:e[-+]?\d+)?|inf))", said)
    return "".join(f"${_number(part)}$" if place % 2 else escaped(part) for place, part in enumerate(parts))


def _symbol(name: str, claim: Claim) -> str:
    """The paper's symbol for a parameter or a formula; else the name as sympy writes it, several letters in a row upright."""
    from sympy import Symbol

    known = symbols(claim)
    if name in known:
        return known[name]
    return re.sub(r"(?<![\\A-Za-z])[A-Za-z]{2,}", lambda word: rf"\mathrm{{{word[0]}}}", typeset(Symbol(name.rstrip("_")), {}))


def _number(text: str) -> str:
    """A decimal string in maths, with a power of ten where it has an exponent; anything else in type."""
    try:
        Decimal(text)
    except InvalidOperation:
        return rf"\texttt{{{escaped(text)}}}"
    if text.lstrip("-") == "inf":
        return text.replace("inf", r"\infty")
    mantissa, _, exponent = text.lower().partition("e")
    if not exponent:
        return text
    power = f"10^{{{int(exponent)}}}"
    return power if mantissa == "1" else f"-{power}" if mantissa == "-1" else rf"{mantissa} \cdot {power}"
