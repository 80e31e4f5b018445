"""How every picture looks: the colours of the site's light scheme, and what matplotlib is told once for all."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def colours() -> Mapping[str, str]:
    """The colours of the site's light scheme, by their names in its style sheet."""
    sheet = files("dpsco.show.report").joinpath("assets", "report.css").read_text(encoding="utf-8")
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]+);", sheet.partition("}")[0]))


def line(place: int) -> str:
    """The colour of a line in a chart of several."""
    return colours()[f"line-{place}"]


@contextmanager
def styled() -> Iterator[None]:
    """Whatever is drawn inside looks so; a decorator of functions that draw.

    Raises   ImportError without matplotlib
    """
    import matplotlib as mpl

    with mpl.rc_context(_settings()):
        yield


def _settings() -> Any:
    """Inks, quiet axes, few sizes of letters."""
    hues = colours()
    quiet = dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), hues["quiet"])
    ink = dict.fromkeys(
        ("text.color", "axes.labelcolor", "axes.titlecolor", "xtick.labelcolor", "ytick.labelcolor"), hues["ink"]
    )
    return {
        **quiet,
        **ink,
        "font.size": 9,
        "axes.titlesize": 9,
        "figure.titlesize": 11,
        "figure.facecolor": hues["page"],
        "axes.linewidth": 0.8,
        "grid.color": hues["rule"],
        "legend.frameon": False,
    }
