"""Which conditions some laws of costs meet: the paper's, Elmachtoub and Grigas's, El Balghiti et al.'s.

    python docs/scripts/spo_conditions.py > docs/spo_conditions.md

One x, costs with a density in the plane, all numbers exact. Lemma 4 has no condition. Lemma 5 asks for c <= 2 E[c], Theorem 9
for that, c >= 0 and one best decision for E[c]; Elmachtoub and Grigas for one best decision, symmetry about E[c], a density
and an S with interior; El Balghiti et al. for a distance of E[c] to degeneracy of at least gamma = 1/8 and a set with the
strength property (every polytope has it, mu = 2/diameter). Corollary 1 asks for those of Theorem 9 and of Elmachtoub and
Grigas.

The last columns are what the conditions are for. Theorem 9 says that at E[c] the expected SPO+ loss is the expected SPO loss:
it need not be where S lacks a least vector, conditions met or not. Elmachtoub and Grigas say that no prediction has a smaller
SPO or SPO+ risk than E[c]: the least excess risk found among 121 predictions around E[c] is negative where E[c] is no
minimiser, which happens only where their conditions fail. Asymmetric costs can make E[c] miss the least SPO+ risk, and a tie
at E[c] the least SPO risk. A margin promises neither: it keeps the decision the same for all predictions that are closer to
E[c] than gamma.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from dpsco.reference.losses.spo import conditions, excess_risk
from dpsco.reference.losses.spo.excess_risk import Law
from dpsco.reference.numbers.mp import mp
from dpsco.spec.losses.spo.calibration import BELOW_TWICE_MEAN, NONNEGATIVE, SINGLETON
from dpsco.spec.losses.spo.conditions import MARGIN_KEPT, STRONG
from dpsco.spec.losses.spo.excess_risk import CONTINUOUS, SOLID, SYMMETRIC

M = mp(40)
MARGIN = "0.125"
SQUARE = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
TRIANGLE = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
SEGMENT = [[1.0, 0.0], [0.0, 1.0]]
RISKS = (excess_risk.spo_risk, excess_risk.spo_plus_risk)
NAMES = {
    "c <= 2 E[c]": BELOW_TWICE_MEAN,
    "c >= 0": NONNEGATIVE,
    "one decision": SINGLETON,
    "symmetric": SYMMETRIC,
    "density": CONTINUOUS,
    "interior": SOLID,
    "margin": MARGIN_KEPT,
    "strength": STRONG,
}
Box = tuple[tuple[str, str], tuple[str, str]]


def mixture(*boxes: Box) -> Law:
    """Boxes of equal weight, given by their sides."""
    corners = [[[Fraction(x) for x in end] for end in zip(*box, strict=True)] for box in boxes]
    return [(Fraction(1, len(boxes)), low, high) for low, high in corners]


def lean(*boxes: tuple[str, Box]) -> Law:
    """Boxes with weights."""
    return [(Fraction(p), *[[Fraction(x) for x in end] for end in zip(*box, strict=True)]) for p, box in boxes]  # type: ignore[misc]


LAWS: dict[str, tuple[list[list[float]], Law]] = {
    "square, c uniform on [1, 2]^2": (SQUARE, mixture((("1", "2"), ("1", "2")))),
    "triangle, c uniform on [-1, 3] x [1, 3]": (TRIANGLE, mixture((("-1", "3"), ("1", "3")))),
    "triangle, c near (2, 0) or (0, 3)": (TRIANGLE, mixture((("3/2", "2"), ("0", "1/4")), (("0", "1/4"), ("5/2", "3")))),
    "triangle, c near (9/8, 13/8), sometimes near (17/8, 7/4)": (
        TRIANGLE,
        lean(("3/4", (("1", "5/4"), ("3/2", "7/4"))), ("1/4", (("2", "9/4"), ("3/2", "2")))),
    ),
    "triangle, c mostly near (1, 3/2), sometimes near (6, 1)": (
        TRIANGLE,
        lean(("3/4", (("1", "3/2"), ("3/2", "2"))), ("1/4", (("6", "13/2"), ("1", "3/2")))),
    ),
    "triangle, c uniform on [0, 2] x [0, 2]": (TRIANGLE, mixture((("0", "2"), ("0", "2")))),
    "segment, c uniform on [1, 2] x [2, 3]": (SEGMENT, mixture((("1", "2"), ("2", "3")))),
    "triangle, c uniform on [1, 2] x [9/8, 17/8]": (TRIANGLE, mixture((("1", "2"), ("9/8", "17/8")))),
}


def yields(vertices: list[list[Fraction]], law: Law) -> Iterator[Fraction]:
    """SPO+ less SPO risk at E[c], and the least excess SPO and SPO+ risk found."""
    centre = excess_risk.mean(law)
    steps = range(-5, 6)
    grid = [[centre[0] + Fraction(2 * i, 5), centre[1] + Fraction(2 * j, 5)] for i, j in product(steps, repeat=2)]
    at_mean = [risk(law, vertices, centre) for risk in RISKS]
    yield at_mean[1] - at_mean[0]
    for risk, least in zip(RISKS, at_mean, strict=True):
        yield min(risk(law, vertices, c_hat) for c_hat in grid) - least


def main() -> None:
    shown = (*NAMES, "Theorem 9", "Elmachtoub, Grigas", "El Balghiti et al.")
    lines, admitted = [], dict.fromkeys(shown[len(NAMES) :], 0)
    for says, (table, law) in LAWS.items():
        numbers = {**conditions.of_boxes(M, "polytope", table, law), "margin": M.real(MARGIN)}
        single = [predicate(M, numbers) for predicate in NAMES.values()]
        whole = [all(holds.values()) for holds in conditions.met(M, numbers, M.real(MARGIN)).values()][2:]
        for name, holds in zip(admitted, whole, strict=True):
            admitted[name] += holds
        cells = ["yes" if holds else "no" for holds in (*single, *whole)]
        found = [f"{float(x):.3g}" for x in yields([[Fraction(x) for x in w] for w in table], law)]
        lines.append(f"| {says} | {' | '.join(cells)} | {' | '.join(found)} |")
    print("# Conditions on costs and decisions, side by side\n")
    counts = ", ".join(f"{name}: {count}" for name, count in admitted.items())
    print(f"How many of {len(LAWS)} laws of costs meet all of the conditions that each source asks for: {counts}.\n")
    print("\n\n".join((__doc__ or "").strip().split("\n\n")[2:]) + "\n")
    print(f"| law | {' | '.join(shown)} | SPO+ less SPO at E[c] | excess SPO | excess SPO+ |")
    print(f"|{'---|' * (len(shown) + 4)}")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
