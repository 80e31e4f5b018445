"""The page of the auditor's own calibration: what `docs/scripts/auditor.py` and `docs/scripts/peers.py` measured, drawn."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from dpsco.show.report.documents import rendered
from dpsco.show.report.markup import Content, Markup, joined, tag
from dpsco.show.report.page import page, section
from dpsco.show.report.prose import prose

PACKAGE = Path(__file__).parents[2]
FIGURES = PACKAGE / "audit" / "blackbox" / "auditor.txt"
ANSWERS = PACKAGE / "audit" / "calibration" / "peers.md"
MEASURED = re.compile(
    r"^(?P<what>\s*.*?)\s*(?P<share>\d+\.\d) %\s+\[\s*(?P<low>\d+\.\d),\s*(?P<high>\d+\.\d)\](?P<rest>.*)$",
)
DEEP = 20
"""Names of columns are indented by more than this."""
BAR = 120
"""The width of a drawn interval, for 0 to 100 %."""


def auditor_page(version: str, measured: Path = FIGURES, peers: Path = ANSWERS) -> str:
    """The page: false alarms, faults found, peers' answers."""
    content = joined(
        tag("h1", "The auditor, audited"),
        tag(
            "p",
            "An auditor that refutes a sound mechanism is worthless, and one that passes a broken one is worse. Both are "
            "measured here: the share of false alarms on inputs that keep their claim exactly, auditors with a known fault as "
            "negative controls, and mechanisms with a known fault.",
            class_="lead",
        ),
        *(_measured(measured.read_text(encoding="utf-8")) if measured.is_file() else [_absent("auditor.txt", "auditor.py")]),
        _peers(peers),
    )
    return page("The auditor, audited", content, at="auditor.html", version=version, here="Auditor", wide=True)


def _absent(file: str, script: str) -> Markup:
    command = tag("code", f"python docs/scripts/{script}")
    return tag("p", tag("code", file), " is not part of this installation; ", command, " makes it.")


def _measured(text: str) -> Iterator[Markup]:
    """A section for each block of lines: those that are not indented head it."""
    for number, block in enumerate(text.replace("`", "").strip().split("\n\n"), 1):
        lines = block.splitlines()
        start = next((i for i, line in enumerate(lines) if line.startswith("  ")), len(lines))
        title, _, rest = " ".join(lines[:start]).partition(": ")
        said = tag("p", f"{rest[0].upper()}{rest[1:]}.") if rest else None
        yield section(f"measured-{number}", title, said, tag("div", _table(title, lines[start:]), class_="wide"))


def _table(title: str, lines: Iterable[str]) -> Markup:
    """Measurements as rows; a line of names alone names the columns, any other heads the rows below it."""
    names, rows, waiting, most = ["share"], [], "", 0
    for line in lines:
        found = MEASURED.match(line)
        if found is None and line.startswith(" " * DEEP):
            names = line.split()
        elif found is None:
            waiting = line.strip()
            rows.append(tag("tr", tag("th", prose(waiting), scope="colgroup", colspan=6)))
        else:
            rest = re.split(r"\s{2,}", found["rest"].strip()) if found["rest"].strip() else []
            rest += [""] * (len(names) - 1 - len(rest))
            most = max(most, len(rest))
            rows.append(
                tag(
                    "tr",
                    tag("th", *_named(found["what"].strip() or waiting.split(":")[0]), scope="row"),
                    tag("td", f"{found['share']} %", class_="num"),
                    tag("td", _interval(*(float(found[part]) for part in ("low", "share", "high")))),
                    *(tag("td", each, class_="num" if each.endswith("%") else None) for each in rest),
                )
            )
    others = names[1:] or ["sound"] * most
    numbers = {names[0], "sound"}
    head = [
        tag("th", name, scope="col", class_="num" if name in numbers else None)
        for name in ("what", names[0], "95 % interval", *others)
    ]
    return tag("table", tag("caption", title, class_="heard"), tag("thead", tag("tr", *head)), tag("tbody", *rows))


def _named(what: str) -> Iterator[Content]:
    """A row's name, and under the name of a broken mechanism what is wrong with it."""
    from dpsco.audit.blackbox.corpus import corpus

    yield prose(what)
    if what in corpus():
        yield tag("br")
        yield tag("span", prose(corpus()[what].says), class_="source")


def _interval(low: float, share: float, high: float) -> Markup:
    """The interval drawn over 0 to 100 %, and in numbers."""
    first, last, here = (round(BAR * x / 100) for x in (low, high, share))
    drawn = tag(
        "svg",
        tag("line", x1=0, x2=BAR, y1=7, y2=7, class_="axis"),
        tag("rect", x=first, y=3, width=max(2, last - first), height=8, class_="range"),
        tag("rect", x=max(0, here - 1), y=0, width=2, height=14, class_="point"),
        viewBox=f"0 0 {BAR} 14",
        width=BAR,
        height=14,
        aria_hidden="true",
        class_="interval",
    )
    return tag("span", drawn, f" {low:g} to {high:g} %", class_="drawn")


def _peers(file: Path) -> Markup:
    if not file.is_file():
        return section("peers", "Peers", _absent("peers.md", "peers.py"))
    heading, _, rest = file.read_text(encoding="utf-8").partition("\n")
    kept = re.sub(r"(?<=\d) (?=m?s\b)", "\u00a0", rest)  # a number stays on its unit's line
    return section("peers", heading.lstrip("# "), rendered(kept, under="peers"))
