"""Draw docs/noise_scales.png: up to which epsilon each printed noise scale keeps its promise (pip install -e '.[report]')."""

from functools import partial
from math import ceil
from pathlib import Path

from dpsco.arguments.algorithms.descent.noisy_gradients import every_step, shift
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.noise_scale import Scale, largest_epsilon
from dpsco.reference.privacy.gaussian import composed
from dpsco.show.style import line, styled
from dpsco.spec.register import find

EXPONENTS = [x / 4 for x in range(-60, 0)]
"""Of ten, for delta: past 0.4, where an experiment of the predict-then-optimize paper runs."""
bilevel, newsvendor = find("bilevel/lem-A.3"), find("newsvendor/thm-3")

SCALES = {
    "bilevel, Lemma A.3: $\\sqrt{2\\,\\ln(2/\\delta)}\\,\\Delta/\\varepsilon$": Scale(
        lambda m, v: composed(m, apply(bilevel.formulas["sigma"], m, v), v["sensitivity"], 1),
        {"sensitivity": ("1",)},
        "",
        None,
        "",
    ),
    "newsvendor, Theorem 3 (a): $\\sqrt{2\\,T\\ln(1/\\delta)}\\,\\Delta/\\varepsilon$": Scale(
        shift(partial(apply, newsvendor.formulas["sigma_moments"]), every_step),
        {"T": ("1",), "n": ("1",), "L": ("1",)},
        "",
        None,
        "",
    ),
}


@styled()
def main() -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4), dpi=120)
    deltas = [10.0**x for x in EXPONENTS]
    edges = {name: [float(largest_epsilon(scale, repr(d)).mid()) for d in deltas] for name, scale in SCALES.items()}
    looks = (("-", line(1), 8, "bottom"), ("--", line(2), -26, "top"))
    for (name, edge), (style, colour, up, side) in zip(edges.items(), looks, strict=True):
        axes.plot(deltas, edge, style, color=colour, linewidth=2)
        axes.fill_between(deltas, edge, 25, color=colour, alpha=0.12, linewidth=0)
        axes.annotate(name, (deltas[0], edge[0]), (6, up), textcoords="offset points", va=side, color=colour, fontsize=9)
    axes.plot([0.4], [10], "kx", markersize=8)
    axes.annotate("Figure 3 of the\nspo paper runs here", (0.4, 10), (2e-6, 13), arrowprops={"arrowstyle": "-", "color": "0.4"})
    axes.text(3e-15, 18, "shaded: less privacy than printed", fontsize=10)
    axes.set(xscale="log", xlabel="$\\delta$", ylabel="$\\varepsilon$", xlim=(deltas[0], deltas[-1]), ylim=(0, 20))
    false_above = ceil(max(max(edge) for edge in edges.values()))
    axes.set_title(f"Printed for every $\\varepsilon$, false above {false_above}: two noise scales", fontsize=11)
    figure.tight_layout()
    figure.savefig(Path(__file__).parents[1] / "noise_scales.png")


if __name__ == "__main__":
    main()
