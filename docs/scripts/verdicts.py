"""Draw docs/verdicts.png: the signed verdicts on the printed statements, by severity (pip install -e '.[report]').

The numbers are those of the ledger, the colours those of the site.
"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from dpsco.running import ledger
from dpsco.show.style import colours, styled
from dpsco.spec.register import register
from dpsco.verdict import Severity

PAGE = Path(__file__).parents[1] / "verdicts.png"
MEANINGS = {
    "certified": "true on the whole printed domain",
    "misprint": "the authors evidently meant something else",
    "domain": "true on a smaller range",
    "constant": "a factor is wrong",
    "rate": "an exponent is wrong",
    "conclusion": "the conclusion itself is false",
    "vacuous": "true of nothing",
    "open": "not decided; the reason is given",
    "stated": "a definition, or a step of a proof",
}
"""Every row of the picture, from top to bottom."""


def counts() -> Mapping[str, int]:
    """How many printed statements have each severity if refuted, else each verdict."""
    signed = ledger.read()
    found = Counter(str(signed[id]["severity"] or signed[id]["verdict"]) for id in register())
    if strange := set(found) - set(MEANINGS):
        raise ValueError(f"ledger: a row for each of {sorted(strange)} is missing; there are {sorted(MEANINGS)}")
    return {name: found[name] for name in MEANINGS}


def title(found: Mapping[str, int]) -> str:
    severities = [str(severity) for severity in Severity]
    refuted = sum(found[name] for name in severities)
    return (
        f"{refuted} of {sum(found.values())} printed statements are false; "
        f"{found['misprint']} of them are misprints, {found['domain']} hold on a smaller range"
    )


def said(found: Mapping[str, int]) -> str:
    """What is drawn, as text: the picture carries it, so that a test sees when the ledger has moved on."""
    return ", ".join(f"{name} {count}" for name, count in found.items())


@styled()
def main() -> None:
    import matplotlib.pyplot as plt

    found, hues, severities = counts(), colours(), [str(severity) for severity in Severity]
    fill = {"certified": hues["certified"], "open": hues["open"], "vacuous": hues["vacuous"], "stated": hues["soft"]}
    edge = {"certified": hues["edge"], "open": hues["open-edge"], "vacuous": hues["vacuous"], "stated": hues["quiet"]}
    figure, axes = plt.subplots(figsize=(8.4, 3.6), dpi=120, layout="constrained")
    for place, (name, count) in enumerate(found.items()):
        axes.barh(place, count, 0.72, color=fill.get(name, hues["refuted"]), edgecolor=edge.get(name, hues["refuted"]))
        axes.text(count + 1, place, f"{count}  {MEANINGS[name]}", va="center", fontsize=10, color=hues["ink"])
    names = [f"refuted: {name}" if name in severities else name for name in found]
    axes.set_yticks(range(len(names)), names, fontsize=10, color=hues["ink"])
    axes.set(xlim=(0, 1.7 * max(found.values())), ylim=(len(names) - 0.5, -0.5))
    axes.tick_params(length=0)
    axes.xaxis.set_visible(False)
    for side in ("top", "right", "bottom", "left"):
        axes.spines[side].set_visible(False)
    figure.suptitle(title(found), fontsize=11, color=hues["ink"])
    figure.savefig(PAGE, metadata={"Description": said(found)})


if __name__ == "__main__":
    main()
