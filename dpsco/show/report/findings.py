"""Every finding of a judgement with its numbers, and the lemmas that they rest on, each once."""

from dpsco.running.record import Record, decisive
from dpsco.show.command.showing import RUNGS, place, sides
from dpsco.show.html import equation
from dpsco.show.report.markup import Content, Markup, items, joined, tag
from dpsco.show.report.page import badge, facts
from dpsco.show.report.prose import prose

READINGS = {
    "printed": None,
    "meant": " The reading that the authors evidently meant; the printed one decides.",
    "another": " Another reading; the printed one decides.",
}


def findings(record: Record) -> Markup:
    """All findings in the judge's order, the one that decides marked; then the lemmas."""
    deciding, names = decisive(record), _lemmas(record)
    shown = [
        _finding(record["id"], found, number, found is deciding, names) for number, found in enumerate(record["findings"], 1)
    ]
    lemmas = [
        tag("div", tag("dt", prose(name)), tag("dd", prose(says)), id=f"lemma-{number}")
        for number, (name, says) in enumerate(names, 1)
    ]
    return joined(
        tag("ol", *shown, class_="findings"),
        [tag("h3", "Lemmas", id="lemmas"), tag("dl", *lemmas, class_="lemmas")] if lemmas else None,
    )


def _lemmas(record: Record) -> list[tuple[str, str]]:
    found = ((lemma["name"], lemma["says"]) for each in record["findings"] for lemma in each["lemmas"])
    return list(dict.fromkeys(found))


def _finding(id: str, found: Record, number: int, decides: bool, names: list[tuple[str, str]]) -> Markup:
    beside = READINGS[found["reading"]]
    step = found["about"] == "proof"
    head = [badge(found["verdict"], found["severity"]), tag("span", "decides", class_="decides") if decides else None]
    used = [names.index((lemma["name"], lemma["says"])) + 1 for lemma in found["lemmas"]]
    return tag(
        "li",
        tag("p", *head),
        tag("p", tag("strong", prose(found["scope"])), ".", " A step of the printed proof." if step else None, beside),
        facts(
            *_sides(found),
            ("At", _instance(id, found["at"])),
            ("How", prose("; ".join(p for p in (RUNGS[found["rung"]] if found["rung"] else "", found["method"]) if p))),
            ("Adjacency", found["adjacency"]),
            ("Release", _prose(found["release"])),
            ("Effort", _prose(found["effort"])),
            ("Power", _prose(found["power"])),
            ("Tried", _tried(found["coverage"])),
            ("Why" if found["verdict"] == "open" else "Remark", _prose(found["reason"])),
            ("Survives", _prose(found["survives"])),
            (
                "Lemmas",
                [tag("a", prose(names[n - 1][0]), href=f"#lemma-{n}") if n == used[0] else _more(names, n) for n in used],
            ),
        ),
        id=f"finding-{number}",
        class_=f"finding {found['verdict']}",
    )


def _more(names: list[tuple[str, str]], number: int) -> Content:
    return ["; ", tag("a", prose(names[number - 1][0]), href=f"#lemma-{number}")]


def _prose(said: str | None) -> Markup | None:
    return prose(said) if said else None


def _sides(found: Record) -> list[tuple[str, Markup]]:
    """What the statement says and what is so, with the recorded numbers where they are numbers."""
    values = ([found["claimed"]] if found["claimed"] else None, found["computed"])
    rows = []
    for side, value in zip(sides(found), values, strict=True):
        if side is not None:
            verb, said = side[0].capitalize(), side[1]
            shown = tag("data", prose(said), value=" ".join(value), title=" to ".join(value)) if value else tag("code", said)
            rows.append((verb, shown))
    return rows


def _instance(id: str, at: dict[str, str]) -> Markup | None:
    if not at:
        return None
    return joined(*(tag("span", equation(id, name, place(value)), title=value, class_="place") for name, value in at.items()))


def _tried(coverage: list[str]) -> Markup | None:
    if not coverage:
        return None
    return tag(
        "details",
        tag("summary", f"{len(coverage)} {'range' if len(coverage) == 1 else 'ranges'}"),
        items(*map(prose, coverage)),
    )
