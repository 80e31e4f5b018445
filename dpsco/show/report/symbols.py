"""The papers' symbols as MathML: the small part of LaTeX in which `dpsco.spec.symbols` writes names."""

import re
import unicodedata
from functools import cache

from dpsco.show.report.markup import Markup, tag
from dpsco.spec.symbols import GREEK

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[0-9]+(?:\.[0-9]+)?|\s+|.")
SHAPES = {"mathcal": "SCRIPT", "mathbf": "BOLD", "mathbb": "DOUBLE-STRUCK"}
OVER = {"hat": "^", "bar": "¯", "tilde": "~", "overline": "‾"}
SIGNS = {"sum": "∑", "le": "≤", "in": "∈", "mid": "|", "langle": "⟨", "rangle": "⟩", "cdot": "·", "infty": "∞", "star": "⋆"}
SIGNS |= {"ldots": "…", "nabla": "∇", "partial": "∂", "ell": "ℓ", "psi": "ψ", "varepsilon": "ε", "varphi": "φ"}
SIGNS |= {"|": "‖", "{": "{", "}": "}", "epsilon": "ϵ", "phi": "ϕ"}
LETTERS = frozenset({"ell", "psi", "nabla", "partial", "varepsilon", "varphi", "infty"})
WORDS = frozenset({"sup", "inf", "max", "min", "lim", "ln", "Pr"})
OPERATORS = WORDS | {"operatorname", "mathbb"}
THIN = tag("mspace", width="0.17em")
BRACKETS = frozenset("()[]⟨⟩{}")
"""Set without space around them by every browser."""
BARS = frozenset("|‖")
"""Set as relations, with space, unless told otherwise."""


@cache
def symbol(latex: str) -> Markup:
    """The LaTeX of a name as MathML.

    symbol(r"\\sigma^2") is <msup><mi>σ</mi><mn>2</mn></msup>.

    Raises  ValueError for a command that no table of symbols uses
    """
    parts, end = _parts(TOKEN.findall(latex), 0)
    assert end == len(TOKEN.findall(latex)), latex
    return _one(parts)


def _one(parts: list[Markup]) -> Markup:
    return parts[0] if len(parts) == 1 else tag("mrow", *parts)


def _parts(tokens: list[str], place: int) -> tuple[list[Markup], int]:
    """The row that begins here, up to its closing brace; a blank is shown after the name of an operator."""
    row, operator = list[Markup](), False
    while place < len(tokens) and tokens[place] != "}":
        token = tokens[place]
        if token in "^_'":
            base = row.pop() if row else tag("mrow")
            low, high, place = _scripts(tokens, place)
            row.append(_scripted(base, low, high))
        elif token.isspace():
            row += [THIN] if operator else []
            place += 1
        else:
            shown, place = _atom(tokens, place)
            row.append(shown)
            operator = token[1:] in OPERATORS
    return row, place


def _scripts(tokens: list[str], place: int) -> tuple[list[Markup], list[Markup], int]:
    """Indices and exponents that follow each other, in whichever order."""
    low, high = list[Markup](), list[Markup]()
    while place < len(tokens) and tokens[place] in ("^", "_", "'"):
        if tokens[place] == "'":
            high.append(tag("mo", "′"))
            place += 1
            continue
        shown, after = _atom(tokens, place + 1)
        (high if tokens[place] == "^" else low).append(shown)
        place = after
    return low, high, place


def _scripted(base: Markup, low: list[Markup], high: list[Markup]) -> Markup:
    if low and high:
        return tag("msubsup", base, _one(low), _one(high))
    return tag("msub", base, _one(low)) if low else tag("msup", base, _one(high))


def _group(tokens: list[str], place: int) -> tuple[Markup, int]:
    """What stands in braces here."""
    parts, end = _parts(tokens, place + 1)
    return _one(parts), end + 1


def _raw(tokens: list[str], place: int) -> tuple[str, int]:
    end = tokens.index("}", place)
    return "".join(tokens[place + 1 : end]), end + 1


def _atom(tokens: list[str], place: int) -> tuple[Markup, int]:
    """One letter, number, sign, word or group."""
    token, after = tokens[place], place + 1
    name = token[1:] if token.startswith("\\") else ""
    if token == "{":
        return _group(tokens, place)
    if name in OVER:
        inside, end = _group(tokens, after)
        return tag(
            "mover", inside, tag("mo", OVER[name], stretchy="true" if name == "overline" else "false"), accent="true"
        ), end
    if name == "underline":
        inside, end = _group(tokens, after)
        return tag("munder", inside, tag("mo", "_", stretchy="true")), end
    if name == "sqrt":
        inside, end = _group(tokens, after)
        return tag("msqrt", inside), end
    if name in SHAPES:
        said, end = _raw(tokens, after)
        return tag("mi", "".join(_shaped(SHAPES[name], letter) for letter in said)), end
    if name in ("text", "operatorname"):
        said, end = _raw(tokens, after)
        return tag("mtext" if name == "text" else "mi", said.replace("\\,", " ")), end
    if name in WORDS:
        return tag("mi", name), after
    if name in GREEK or name in LETTERS:
        upright = "normal" if name in GREEK and name[0].isupper() else None
        return tag("mi", SIGNS.get(name) or GREEK[name], mathvariant=upright), after
    if name == ",":
        return THIN, after
    if name == "#":
        return tag("mo", "#"), after
    if name in SIGNS:
        return _sign(SIGNS[name]), after
    if token == "/":
        return tag("mo", "/", lspace="0", rspace="0"), after
    if name:
        raise ValueError(f"latex has {token!r}; the commands of dpsco.spec.symbols are known")
    if token[0].isdigit():
        return tag("mn", token), after
    return (tag("mi", token), after) if token.isalpha() else (_sign("−" if token == "-" else token), after)


def _sign(said: str) -> Markup:
    if said in BRACKETS:
        return tag("mo", said, stretchy="false")
    if said in BARS:
        return tag("mo", said, stretchy="false", lspace="0", rspace="0")
    return tag("mo", said)


def _shaped(shape: str, letter: str) -> str:
    """The letter or digit in another alphabet; Unicode has some of them in another place than the rest."""
    name = unicodedata.name(letter).removeprefix("LATIN ").replace("LETTER ", "")
    for place in (f"MATHEMATICAL {shape} {name}", f"{shape} {name}"):
        try:
            return unicodedata.lookup(place)
        except KeyError:
            continue
    raise ValueError(f"latex has {letter!r} in {shape.lower()}, which has no such letter")
