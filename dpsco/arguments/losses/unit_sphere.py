"""The set of decisions of the experiments, by its two formulas: the unit sphere, and what it is not."""

from collections.abc import Callable, Iterator

import sympy

from dpsco.arguments.comparing import certified, compare, proved, refuted
from dpsco.arguments.losses.inner_products import expressed, product
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

Formula = Callable[..., Real]
SAME = Lemma(
    "sphere and ball",
    "A linear function u'w has over the unit ball the maximum |u|, which the sphere attains at u/|u|, or anywhere for u = 0: "
    "so z*, and the maximum in SPO+, are the same on both. For c_hat other than 0, W*(c_hat) is one point of the sphere; for "
    "c_hat = 0 it is all of S, and max c'w is |c| on both. The oracle's w*(c) on the sphere is one on the ball.",
)


def admits(norm: Formula, sign: str, radius: Formula, w: tuple[str, ...]) -> bool | None:
    """Whether the formulas take a vector for a decision, None where that is not certain."""
    m = arb()
    found: bool | None = compare(m, norm(m, [m.real(x) for x in w]), sign, radius(m))
    return found


VECTORS = {("0", "1"): True, ("-1", "0"): True, ("0.5", "0.5"): False, ("0.5", "0"): False, ("2", "0"): False, ("0",): False}
"""Vectors, and whether they are unit vectors."""


def sphere(claim: Claim, sign: str) -> Iterator[Finding]:
    """The set of the experiments: defined by the two formulas, and what it is not."""
    norm, radius = (claim.formulas[name] for name in ("euclidean_norm", "unit_radius"))
    wrong = next((w for w, unit in VECTORS.items() if admits(norm, sign, radius, w) is (not unit)), None)
    if wrong is not None:
        yield Finding(
            scope="the set of decisions in the experiments",
            verdict=Verdict.REFUTED,
            rung=Rung.POINT,
            method="a vector that belongs to one of the two, the unit sphere and the set that the formulas describe",
            claimed="not a decision" if VECTORS[wrong] else "a decision",
            at={"w": f"({', '.join(wrong)})"},
            severity=Severity.MISPRINT,
            survives="The unit sphere is the set of vectors of Euclidean norm exactly 1.",
        )
        return
    a, b, length = expressed(claim, norm), expressed(claim, radius), sympy.sqrt(product("w", "w"))
    if sign != "=" or a is None or b is None or sympy.solveset(a - b, length, sympy.Interval(0, sympy.oo)) != {1}:
        yield proved("the unit sphere, by the norm of its vectors", False, "")
        return
    yield Finding(scope="the unit sphere, by the norm of its vectors", verdict=Verdict.STATED)
    yield refuted(
        "the sphere as a set S of Section 3.1 (convex), with one nearest point (Appendix A) and an interior (Section 6)",
        "1",
        "0",
        {"w": "e_1", "v": "-e_1"},
        method="e_1 and -e_1 are unit vectors, their midpoint 0 has norm 0; all unit vectors are nearest to 0; no ball of "
        "positive radius consists of unit vectors",
        severity=Severity.DOMAIN,
        survives="z*, the SPO loss and SPO+ are those of the unit ball, a set of Section 3.1.",
        rung=Rung.EXACT,
        reading=Reading.ANOTHER,
    )
    yield certified(
        "z*, SPO and SPO+ on the sphere are those of the ball with the same oracle",
        "written lemma",
        SAME,
        reading=Reading.MEANT,
    )
