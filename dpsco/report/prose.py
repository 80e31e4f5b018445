"""Mathematics inside sentences, typeset: `e^epsilon_0 <= x_{n+1}` with letters, signs, indices and exponents.

Statements, scopes and lemmas are written as one types them, so that terminals and JSON can show them. Here the same text
becomes HTML; what is not recognised stays as it is written, and nothing but the notation changes.
"""

import re
from functools import cache

from dpsco.report.markup import Content, Markup, joined, tag
from dpsco.spec.papers import PAPERS
from dpsco.spec.symbols import GREEK

SIGNS = {
    **{"<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "=>": "⇒", "<~": "≲", ">~": "≳", "+-": "±", "...": "…"},
    **{" - ": " − ", "-> infinity": "→ ∞", "-> inf": "→ ∞", "-infinity": "−∞"},
}
LETTERS = GREEK | {"ell": "ℓ", "nabla": "∇"}
ACCENTS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303"}
RAISED = {"star": "*", "prime": "′", "squared": "2"}
OPERATORS = frozenset({"grad", "sum", "min", "max", "sup", "argmin", "log", "ln", "loss", "rank", "cov", "Var", "diag"})
"""Words that take an index; in any other word an underscore stands for a space."""
CLOSES = {"{": "}", "(": ")"}
CODE = r"`[^`]+`|[\w./-]+\.(?:py|json|md)\b|(?<![\w-])--[a-z][a-z-]*"
SIGN = r"-> inf(?:inity)?\b|-infinity\b|<=|>=|!=|(?<![-|])->|(?<!<)=>|<~|>~|\+-|\.\.\.|(?<=\S) - (?=\S)"
INFINITE = r"(?<=, )inf(?=[)\]])|(?<=-)inf\b|(?<== )inf\b"
NEGATIVE = r"(?<=[\s(\[,=])-(?=[\w(|])"
ACCENTED = r"\b(?!What|That|Chat)[A-Z](?:hat|bar)(?![a-z])|\b[A-Za-z]~(?=[*\w])"
RESULT = rf"(?<![\w/.-])(?:{'|'.join(PAPERS)})/\w+(?:[.-]\w+)*"
KINDS = {
    "result": RESULT,
    "code": CODE,
    "sign": SIGN,
    "infinite": INFINITE,
    "negative": NEGATIVE,
    "accented": ACCENTED,
    "root": r"\bsqrt(?:\((?P<of>[A-Za-z]\w*)\)|(?=\())",
    "norm": r"\bl[12]\b",
    "bare": r"(?<=[A-Za-z])_(?![\w{(*+#-])",
    "name": r"(?<![A-Za-z])[A-Za-z]+",
    "script": r"(?<=[\w)\]|>}*'~+#])[_^](?=[\w{(*+#-])",
}
"""What is recognised, the first that fits."""
PART = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in KINDS.items()))
DIGITS = re.compile(r"\d*")
INDEX = re.compile(r"[A-Za-z]+\d*|\d+(?:,\d+)*|[*+]")
EXPONENT = re.compile(r"-?\d+|[A-Za-z]+(?:_(?:\d+|[A-Za-z]+))?|[*+#]")


@cache
def prose(text: str) -> Markup:
    """The text as HTML, its mathematics typeset.

    prose("n^2 <= e^epsilon") is n<sup>2</sup> ≤ e<sup>ε</sup>.
    """
    parts: list[Content] = []
    place, word, indexed = 0, "", -1
    while (found := PART.search(text, place)) is not None:
        kind, said = next(name for name in KINDS if found[name]), found[0]
        between = text[place : found.start()]
        parts.append(between)
        place = found.end()
        if kind == "script":
            again = said == "_" and indexed == found.start()
            shown, place = _script(text, place, said, "" if between else word, again)
            parts.append(shown)
            indexed = place if _is_index(shown) else -1
            continue
        word = said if kind == "name" else ""
        match kind:
            case "code":
                parts.append(tag("code", said.strip("`")))
            case "result":
                parts.append(said)
            case "sign":
                parts.append(SIGNS[said])
            case "infinite":
                parts.append("∞")
            case "negative":
                parts.append("−")
            case "root":
                parts.append(["√", prose(found["of"] or "")])
            case "norm":
                parts.append(["l", tag("sub", said[1])])
            case "bare":  # Python's lambda_ is a lambda
                continue
            case "accented":
                parts.append(said[0] + ACCENTS.get(said[1:], ACCENTS["tilde"]))
            case _:
                place = _digits(text, place, said, parts)
    return joined(*parts, text[place:])


def _digits(text: str, place: int, name: str, parts: list[Content]) -> int:
    """A letter's name as the letter, digits at its end as its index (epsilon0); returns where the text goes on."""
    if name not in LETTERS:
        parts.append(name)
        return place
    digits = DIGITS.match(text, place)[0]  # type: ignore[index]
    parts.append([LETTERS[name], tag("sub", digits) if digits else None])
    return place + len(digits)


def _is_index(shown: Content) -> bool:
    return isinstance(shown, Markup) and shown.startswith("<sub>")


def _script(text: str, place: int, sign: str, word: str, again: bool) -> tuple[Content, int]:
    """An index or an exponent that begins here, and where it ends; a comma before one that follows another (`again`), and
    after a word a space for the underscore."""
    inside, end = _group(text, place, sign)
    if inside is None:
        return sign, place
    if sign == "^":
        return tag("sup", _tight(inside)), end
    if inside in ACCENTS and len(word) != 0 and (len(word) == 1 or word in LETTERS):
        return ACCENTS[inside], end
    if inside in RAISED:
        return tag("sup", RAISED[inside]), end
    if len(word) > 1 and word not in LETTERS and word not in OPERATORS and len(inside) > 1:
        return [" ", prose(inside)], end
    return tag("sub", "," if again else None, _tight(inside)), end


def _group(text: str, place: int, sign: str) -> tuple[str | None, int]:
    """What stands in braces (or behind ^ in parentheses) here, or the next name or number; None if there is none."""
    if sign == "^" and text.startswith("-(", place):
        inside, end = _group(text, place + 1, sign)
        return (f"-({inside})", end) if inside else (None, place)
    opens = text[place : place + 1]
    if opens == "{" or (opens == "(" and sign == "^"):
        depth = 0
        for end in range(place, len(text)):
            depth += (text[end] == opens) - (text[end] == CLOSES[opens])
            if depth == 0:
                inside = text[place + 1 : end]
                index = opens == "(" and re.fullmatch(r"\w+", inside)  # D^(j) is no power
                return f"({inside})" if index else inside, end + 1
        return None, place
    found = (INDEX if sign == "_" else EXPONENT).match(text, place)
    return (found[0], found.end()) if found else (None, place)


def _tight(inside: str) -> Markup:
    """An index or exponent: every hyphen that joins no words is a minus."""
    return prose(re.sub(r"(?<![A-Za-z])-|-(?![A-Za-z])", "−", inside.replace("->", "→")))
