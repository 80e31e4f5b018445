"""Mathematics inside sentences as LaTeX: statements are written as one types them, "n^2 <= e^epsilon_0", and read as formulas.

What is not recognised stays a word; nothing but the notation changes. `dpsco.report.prose` does the same for HTML.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from dpsco.spec.symbols import GREEK, single

LETTERS = {**{name: single(name) for name in GREEK}, "ell": r"\ell", "nabla": r"\nabla", "infinity": r"\infty"}
LETTERS |= {"calK": r"\mathcal{K}", "grad": r"\nabla"}
FUNCTIONS = {name: rf"\{name}" for name in ("exp", "log", "ln", "min", "max", "sup", "det", "tanh", "cosh", "sinh")}
NAMED = (
    "argmin",
    "argmax",
    "erf",
    "erfc",
    "sign",
    "tr",
    "diag",
    "Lap",
    "Var",
    "floor",
    "ceil",
    "poly",
    "GG",
    "KL",
    "Pr",
    "Bin",
    "Binomial",
    "vol",
)
FUNCTIONS |= {**{name: rf"\operatorname{{{name}}}" for name in NAMED}, "sum": r"\sum", "inf": r"\inf"}
ACCENTS = {"hat": r"\hat", "bar": r"\bar", "tilde": r"\tilde"}
SIGNS = {"<=": r"\le", ">=": r"\ge", "->": r"\to", "=>": r"\Rightarrow", "!=": r"\ne", "...": r"\dots", "+-": r"\pm"}
PLAIN = {"*": r"\cdot", "~": r"\sim", "\\": r"\setminus", **{sign: rf"\{sign}" for sign in "%#&{}$"}}
DECIMAL = re.compile(r"-?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|inf)")
"""Whatever its exponent is: decimals of Python end at 18 digits of it."""
NUMBER = r"\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.]\w)"
NAMES = "|".join(sorted((*LETTERS, *FUNCTIONS, "sqrt"), key=len, reverse=True))
ACCENTED = r"(?<![A-Za-z])[A-Za-z]~|(?!What|That|Chat)[A-Z](?:hat|bar)(?![a-z])|(?:hat|bar)[A-Z](?![a-z])"
BRACES, ROUND = r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}", r"\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)"
"""Brackets with brackets inside, as deep as statements have them."""
SCRIPT = rf"\^-?[A-Za-z]+\d*_(?:\d+|[A-Za-z]+)|[_^](?:{BRACES}|-?{ROUND}|-?[A-Za-z]+\d*|-?\d+|[*+#'])|sqrt{ROUND}"
WHOLE = re.compile(rf"(?:[_^](?:{BRACES}|-?{ROUND})|sqrt{ROUND}|\S)+")
"""What stands between blanks, but for those inside an index, an exponent or a root."""
WORDS = rf"(?:{NAMES})(?![A-Za-z])|{ACCENTED}|(?<![A-Za-z])[A-Za-z]\d*(?![A-Za-z])|[A-Z][a-z]+(?=_)"
MARKS = r"\|\.\||\(\.\)|[<>!]=|=>|->|\.\.\.|[-+*/=<>|()\[\]{},'~!:]"
ATOM = rf"(?:{SCRIPT})|{NUMBER}|{WORDS}|{MARKS}"
PART, WORD = re.compile(ATOM), re.compile("[A-Za-z]{2,}")
TOKEN = re.compile(rf"(?:{ATOM})+")
SNAKE = re.compile(rf"(?<![\w\\])(?!(?:{NAMES})_)[a-z]{{3,}}(?:_[A-Za-z]+)+(?!\w)")
"""A name of several words; not the sum over i, sum_i."""
JOINED = re.compile(r"(\S*?[\w)}\]*'])((?:-[A-Za-z]{2,}[\w/-]*|'s)[,.;:)]*)")
ENDLESS = re.compile(r"\s*(?:[,)\]]|$)")
"""What stands after an infinite number; after a greatest lower bound stands what it is of."""
RELATIONS = ("<=", ">=", "=", "<", ">", "->", "=>", "!=", "+", "-", "*", "/")
LABELS = ("Appendix", "Appendices", "Assumption", "Section", "Part", "Algorithm", "Condition", "Table", "Figure")
"""After them a capital letter is a label."""
ENDS = ",.;:"


@dataclass(frozen=True)
class Math:
    """A formula in LaTeX, without dollars."""

    latex: str


Inline: TypeAlias = list[str | Math]


def inline(text: str) -> Inline:
    """The sentence as words and formulas."""
    text = re.sub(r"\blambda_(?!\w)", "lambda", text.replace("`", ""))  # Python's name for it
    text = SNAKE.sub(lambda name: name[0].replace("_", " "), text)
    parts: Inline = []
    for run, formula, suffix in _runs(WHOLE.findall(text)):
        said = " ".join(run)
        core = said.rstrip(ENDS) if formula else ""
        more: Inline = [Math(latex(core))] if formula else []
        rest = said[len(core) :] + suffix
        parts += [*([" "] if parts else []), *more, *([rest] if rest else [])]
    return parts


def _runs(tokens: list[str]) -> Iterator[tuple[list[str], bool, str]]:
    """Tokens in a row that are all of a formula, or all words; and what is joined to a formula by a hyphen: -DP."""
    run: list[str] = []
    words: list[str] = []

    def finished(suffix: str = "") -> Iterator[tuple[list[str], bool, str]]:
        nonlocal run, words
        if run and _is_formula(run):
            if words:
                yield words, False, ""
            yield run, True, suffix
            words = []
        elif run:
            words += [*run[:-1], run[-1] + suffix]
        run = []

    for place, token in enumerate(tokens):
        after = tokens[place + 1] if place + 1 < len(tokens) else ""
        member = token == "in" and run and run[-1][-1] not in ENDS and re.match(r"[\[({]|[A-Z]\b", after) and _fits(after)
        if not run and words and words[-1] in LABELS and re.fullmatch(r"[A-Z][\w.]*[,.;:]?", token):
            words.append(token)
            continue
        joined = JOINED.fullmatch(token)
        if joined and _fits(joined[1]) and not re.fullmatch(r"[A-Za-z]-[a-z]+\W*", token):  # the e-companion
            if run and _closed(" ".join(run)):
                yield from finished()
            run.append(joined[1])
            yield from finished(joined[2])
        elif member or _fits(token):
            run.append(r"\in" if member else token)
            if token[-1] in ENDS and _closed(" ".join(run)):
                yield from finished()
        else:
            yield from finished()
            words.append(token)
    yield from finished()
    if words:
        yield words, False, ""


def _fits(token: str) -> bool:
    core = token.rstrip(ENDS)
    return bool(core and TOKEN.fullmatch(core)) and not re.search(r"^[-(]?[aAI]$|^'|\d'$", core)


def _closed(text: str) -> bool:
    return all(text.count(a) <= text.count(b) for a, b in ("()", "[]", "{}"))


def _is_formula(run: list[str]) -> bool:
    """Not a number or a bracket alone: what has a letter, a sign or an index."""
    said = " ".join(token for token in run if token not in FUNCTIONS).rstrip(ENDS)
    if said in RELATIONS:
        return said not in ("-", "/", "*")
    return bool(re.search(r"[A-Za-z]|[<>=^_]", re.sub(NUMBER, "", said))) or bool(re.search(r"\d[eE][-+]?\d", said))


def latex(formula: str) -> str:
    """The formula as LaTeX; no braces are left open, no index follows an index."""
    found: list[str] = []
    place, last = 0, ""
    while place < len(formula):
        part = PART.match(formula, place) or WORD.match(formula, place)
        said = part[0] if part else formula[place]
        here = place
        place += len(said)
        if formula.startswith(r"\in", here):
            found.append(r" \in ")
            place, last = here + 3, ""
        elif said[0] in "_^" and len(said) > 1:
            accent = said[1:] if said[0] == "_" else ""
            if accent in ACCENTS and found:
                found[-1] = rf"{ACCENTS[accent]}{{{found[-1].strip()}}}"
                continue
            found.append(("{}" if last == said[0] else "") + said[0] + "{" + _script(said) + "}")
            last = said[0]
            continue
        elif said == "'":
            found.append(("{}" if last == "^" else "") + r"^{\prime}")
            last = "^"
            continue
        elif said == "*" and re.search(r"[\w})]$", formula[:here]):  # products are written without a sign
            found.append(("{}" if last == "^" else "") + "^{*}")
            last = "^"
            continue
        elif said.startswith("sqrt("):
            found.append(rf"\sqrt{{{latex(said[5:-1])}}}")
        elif said == "sqrt":
            found.append(r"\surd ")
        else:
            found.append(r"\infty " if said == "inf" and ENDLESS.match(formula, place) else _symbol(said))
        last = ""
    return re.sub(r" +(?=[_^)\],/ ]|$)", "", "".join(found)).strip()


def _script(said: str) -> str:
    inside = said[1:]
    if inside[0] == "{":
        return latex(inside[1:-1])
    if inside.startswith("-("):
        return latex(inside)
    if inside[0] == "(":
        return latex(inside if re.fullmatch(r"\(\w+\)", inside) else inside[1:-1])
    sign, name = ("-", inside[1:]) if inside[0] == "-" else ("", inside)
    if inside in "*+#":
        return {"*": "*", "+": "+", "#": r"\#"}[inside]
    if re.fullmatch(r"[A-Za-z]{2,}", name) and name not in LETTERS:
        return rf"{sign}\mathrm{{{name}}}" if name not in ("star", "prime") else {"star": "*", "prime": r"\prime"}[name]
    return sign + latex(name)


def _symbol(said: str) -> str:
    if said in LETTERS:
        return f"{LETTERS[said]} "
    if said in FUNCTIONS:
        return f"{FUNCTIONS[said]} "
    if said in SIGNS:
        return f" {SIGNS[said]} "
    if re.fullmatch("[A-Za-z]~", said):
        return rf"\tilde{{{said[0]}}}"
    accent = re.fullmatch(r"([A-Za-z])(hat|bar)|(hat|bar)([A-Z])", said)
    if accent:
        return rf"{ACCENTS[accent[2] or accent[3]]}{{{accent[1] or accent[4]}}}"
    if WORD.fullmatch(said):
        return rf"\mathrm{{{said}}}"
    if re.fullmatch(NUMBER, said):
        return number(said)
    indexed = re.fullmatch(r"([A-Za-z])(\d+)", said)
    if indexed:
        letter = r"\ell" if indexed[1] == "l" else indexed[1]
        return f"{letter}_{{{indexed[2]}}}"
    return f"{PLAIN[said]} " if said in PLAIN else said


def number(text: str) -> str:
    """A decimal number, with a power of ten where it has an exponent."""
    if not DECIMAL.fullmatch(text):
        return latex(text)
    if text.lstrip("-") == "inf":
        return text.replace("inf", r"\infty")
    mantissa, _, exponent = text.lower().partition("e")
    if not exponent:
        return text
    power = f"10^{{{int(exponent)}}}"
    return power if mantissa == "1" else f"-{power}" if mantissa == "-1" else rf"{mantissa} \cdot {power}"
