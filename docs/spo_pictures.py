"""Draw docs/spo_fig_3.png and docs/spo_table_1.png: our runs of the predict-then-optimize experiments, and the printed table.

Reads dpsco/data/spo_experiments.json. Needs matplotlib: pip install -e '.[report]'.
"""

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import NullFormatter, ScalarFormatter

from dpsco.arguments.algorithms.simulated_trends import rows, selected
from dpsco.spec.algorithms.exponential_descent.experiments import EXPONENTIAL_BY_EPSILON, GAUSSIAN_BY_DELTA, GAUSSIAN_BY_EPSILON

# Okabe and Ito's colours, told apart by marker and dashes as well: readable in grey
STYLES: dict[str, dict[str, Any]] = {
    "non-private": {"color": "#000000", "marker": "o", "linestyle": "-"},
    "exponential": {"color": "#0072B2", "marker": "s", "linestyle": "--"},
    "exponential, epsilon_0": {"color": "#D55E00", "marker": "^", "linestyle": ":"},
    "gaussian": {"color": "#009E73", "marker": "D", "linestyle": "-."},
}
NAMES = {
    "non-private": "without noise",
    "exponential": "exponential descent, epsilon in every step (not private)",
    "exponential, epsilon_0": "exponential descent, Theorem 3's epsilon_0",
    "gaussian": "Gaussian descent, printed noise",
}
HERE = Path(__file__).parent
RUNS = rows()


def band(axes: Any, found: list[Any], name: str, method: str, label: str | None = None) -> None:
    """Means, and the middle of the runs: one standard deviation to either side, cut off at a fifth of the mean."""
    found = sorted(found, key=lambda row: row[name])
    x, mean = [row[name] for row in found], [row["mean"] for row in found]
    spread = [row["variance"] ** 0.5 for row in found]
    low = [max(m - s, m / 5) for m, s in zip(mean, spread, strict=True)]
    axes.plot(x, mean, label=label, markersize=5, linewidth=1.6, **STYLES[method])
    axes.fill_between(x, low, [m + s for m, s in zip(mean, spread, strict=True)], color=STYLES[method]["color"], alpha=0.15)


def finished(axes: Any, x: str, ticks: list[float]) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(ticks)
    axes.xaxis.set_major_formatter(ScalarFormatter())
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(x)
    axes.grid(True, which="major", linewidth=0.4, alpha=0.6)


def figure_3() -> None:
    figure, axes = plt.subplots(figsize=(7, 4.6))
    found = selected(RUNS, experiment="fig-3")
    for method in STYLES:
        band(axes, selected(found, method=method), "n", method, NAMES[method])
    finished(axes, "n, with n^2 steps", [10, 20, 50, 100, 200, 500])
    axes.set_ylabel("SPO loss on a fresh x")
    axes.set_title(
        f"Figure 3 run again: epsilon = 10, delta = 0.4, {found[0]['repeats']} runs, mean and one deviation", fontsize=10
    )
    axes.set_ylim(top=1000)  # room for the legend
    axes.legend(fontsize=8, loc="upper right")
    figure.savefig(HERE / "spo_fig_3.png", dpi=150, bbox_inches="tight")


def table_1() -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.8), sharey=True)
    found = selected(RUNS, experiment="table-1")
    for method in ("exponential", "exponential, epsilon_0", "gaussian"):
        band(left, selected(found, method=method, delta=0.4), "epsilon", method, f"{NAMES[method]}: ours")
    band(right, selected(found, method="gaussian", epsilon=10.0), "delta", "gaussian")
    printed = (
        (left, "exponential", EXPONENTIAL_BY_EPSILON),
        (left, "gaussian", GAUSSIAN_BY_EPSILON),
        (right, "gaussian", GAUSSIAN_BY_DELTA),
    )
    for axes, method, table in printed:
        keys, means = [float(key) for key in table], [float(mean) for mean, _ in table.values()]
        look = {"color": STYLES[method]["color"], "marker": STYLES[method]["marker"], "markerfacecolor": "white"}
        label = f"{'exponential' if method == 'exponential' else 'Gaussian'} descent: Table 1" if axes is left else None
        axes.plot(keys, means, linestyle="none", markersize=8, markeredgewidth=1.6, label=label, **look)
    finished(left, "epsilon (delta = 0.4)", [0.1, 1, 5, 10])
    finished(right, "delta (epsilon = 10)", [0.1, 0.25, 0.4])
    left.set_ylabel("SPO loss")
    figure.suptitle(f"Table 1 run again: n = 500, 250 000 steps, {found[0]['repeats']} runs", fontsize=11)
    figure.legend(fontsize=8, loc="lower center", ncol=2, bbox_to_anchor=(0.5, -0.14))
    figure.savefig(HERE / "spo_table_1.png", dpi=150, bbox_inches="tight")


figure_3()
table_1()
