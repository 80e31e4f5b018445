"""What of an amended formula the printed one lacks: marked in MathML, and in a line of text."""

import re
from difflib import SequenceMatcher
from xml.etree.ElementTree import Element, fromstring, tostring

from dpsco.show.report.markup import Markup

TOKEN = re.compile(r"\w+(?:\.\w+)?|\s+|.")
ROWS = ("mrow", "msqrt", "math", "mtable", "mtr", "mtd")
"""Elements with any number of children; in the others a child's place has its meaning."""
OPEN, CLOSE = "«", "»"


def marked(printed: Markup, amended: Markup) -> Markup:
    """The amended formula as MathML, the smallest parts that differ from the printed one in the class `changed`."""
    old, new = fromstring(printed), fromstring(amended)
    _mark(old, new)
    return Markup(tostring(new, encoding="unicode"))


def _same(old: Element, new: Element) -> bool:
    return tostring(old) == tostring(new)


def _mark(old: Element, new: Element) -> None:
    if _same(old, new):
        return
    if old.tag != new.tag or not len(new) or not len(old):
        _change(new)
    elif new.tag in ROWS:
        _mark_row(old, new)
    elif len(old) != len(new):
        _change(new)
    else:
        for before, after in zip(list(old), list(new), strict=True):
            _mark(before, after)


def _mark_row(old: Element, new: Element) -> None:
    before, after = list(old), list(new)
    old_parts, new_parts = [tostring(each) for each in before], [tostring(each) for each in after]
    gone = False
    for operation, i, j, k, n in SequenceMatcher(None, old_parts, new_parts, autojunk=False).get_opcodes():
        if operation == "replace" and j - i == n - k:
            for was, now in zip(before[i:j], after[k:n], strict=True):
                _mark(was, now)
        elif operation in ("replace", "insert"):
            for now in after[k:n]:
                _change(now)
        elif operation == "delete":
            gone = True
    if gone and not any("changed" in each.get("class", "").split() for each in new.iter()):
        _change(new)  # only something left out: the whole row says so


def _change(element: Element) -> None:
    element.set("class", " ".join([*element.get("class", "").split(), "changed"]))


def marked_text(printed: str, amended: str) -> str:
    """The amended formula on a line, what the printed one lacks between « and »; without marks where these would tear brackets
    apart."""
    old, new = TOKEN.findall(printed), TOKEN.findall(amended)
    spans = [
        ("".join(new[k:n]), operation == "equal")
        for operation, _, _, k, n in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if k < n
    ]
    if any(said.count("(") != said.count(")") for said, kept in spans if not kept):
        return amended
    return "".join(said if kept else f"{OPEN}{said}{CLOSE}" for said, kept in spans)
