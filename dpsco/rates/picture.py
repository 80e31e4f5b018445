"""Small multiples of the studies: mean risk along the axis, the printed exponent's line beside it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

Row = dict[str, Any]
COLUMNS: Final = 7
COLOURS: Final = {"consistent": "#0072B2", "inconsistent": "#D55E00", "not tested": "#777777"}
MARKERS: Final = {"consistent": "o", "inconsistent": "X", "not tested": "s"}


def draw(rows: Sequence[Row], path: Path) -> None:
    """One panel a study, both axes logarithmic: 99.9 % limits of the means, fitted line whole, printed exponent dashed.

    Colour and marker both tell the verdict.

    Raises   ImportError without matplotlib
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import NullFormatter

    lines = max(1, -(-len(rows) // COLUMNS))
    figure = Figure(figsize=(2.3 * COLUMNS, 2.0 * lines + 0.4), layout="constrained")
    FigureCanvasAgg(figure)
    panels = np.atleast_1d(figure.subplots(lines, COLUMNS, squeeze=False)).ravel()
    for panel in panels[len(rows) :]:
        panel.set_axis_off()
    for panel, row in zip(panels, rows, strict=False):
        at, mean, low, high = (np.array([float(p[name]) for p in row["points"]]) for name in ("at", "mean", "lower", "upper"))
        colour = COLOURS[row["verdict"]]
        panel.set_xscale("log")
        panel.set_yscale("log")
        limits = np.maximum([mean - low, high - mean], 0.0)
        limits[0] = np.minimum(limits[0], 0.99 * mean)
        panel.errorbar(at, mean, limits, fmt=MARKERS[row["verdict"]], color=colour, ms=4, lw=1, capsize=2)
        middle, level = np.exp(np.log(at).mean()), np.exp(np.log(mean).mean())
        for exponent, style, shade in ((row["slope"], "-", colour), (row["exponent"], "--", "black")):
            panel.plot(at, level * (at / middle) ** float(exponent), style, color=shade, lw=1)
        panel.set_title(row["claim"].replace("newsvendor/", "nv/").replace("-amended", "*"), fontsize=7)
        panel.set_xlabel(
            f"{row['axis']}: {float(row['slope']):.2f} (printed {float(row['exponent']):.2f})", fontsize=7, labelpad=1
        )
        panel.set_xticks(at, [f"{value:g}" for value in at])
        panel.xaxis.set_minor_formatter(NullFormatter())
        panel.yaxis.set_minor_formatter(NullFormatter())
        panel.tick_params(labelsize=5, pad=1)
    figure.suptitle(
        "Mean excess risk (99.9 % limits); whole line: slope measured, dashed: as printed; * amended.  "
        "o consistent, X inconsistent, square: not tested",
        fontsize=8,
    )
    figure.savefig(path, dpi=150, format="png")
