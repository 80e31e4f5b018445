"""Enlarging the answers of a minimax risk from a ball to a box: with one set of comparators it holds, with a moving one not.

Ball of radius B, box of half-width B: the box's corners have norm sqrt(d) B.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import sympy

from dpsco.arguments.comparing import proved, refuted
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import expression
from dpsco.spec.analysis.lower_bounds.quantile_minimax import ball_holds_box
from dpsco.spec.claim import Claim
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, as_step

PERFECT = Lemma(
    "a perfect fit",
    "y_i = (t sign(xbar))'x_i: the residuals of t sign(xbar) are 0, and so is its risk; no risk is negative, at any theta in "
    "R^d. All rows equal and positive, x = (B_x/sqrt(d)) (1, ..., 1): over the box of half-width c < t the least risk is r "
    "sqrt(d) B_x (t - c).",
)
ONE_COMPARATOR = Lemma(
    "more to answer with",
    "One R on both sides. The ball lies in the box: every private map into the ball is one into the box, and an infimum over "
    "more maps is no larger.",
)
INCLUSION = Lemma(
    "less to compare with, more to answer with",
    "A comparator set inside the ball has a least risk no smaller, so excess_over_box <= excess_over_ball for every answer and "
    "distribution; the supremum keeps this. More maps have an infimum no larger.",
)
LEFT = Lemma(
    "the left side is bounded",
    "Answering 0 is private and lies in the ball; its excess over the ball is at most w B B_x, w = max(r, 1 - r).",
)
RIGHT = Lemma(
    "the right side is not",
    "One record x = B_x v/sqrt(d), v a sign vector, y so far out that the loss is w|y - theta'x| on the box, linear. The least "
    "risk over a centred box with corners of norm b has theta'x = b B_x. For v and -v the excesses of one answer add up to 2 w "
    "b B_x; answers of an (epsilon, 0)-DP map on n copies of either have laws within n tanh(epsilon/2), and |theta'x| <= "
    "sqrt(d) B B_x, so the larger excess is at least w B_x (b - sqrt(d) B n tanh(epsilon/2)).",
)
ANY_COMPARATOR = "whatever the one comparator is; with theta* over R^d both sides are infinite"
DIMENSIONS = (1, 2, 3, 4, 9, 100)
EPSILONS = ("0.1", "0.001", "1e-6", "1e-12")


def more_answers(claim: Claim) -> Iterator[Finding]:
    """(10) with one comparator on both sides; beside it what it says with theta* in the ball on the left, in the box on the
    right."""
    B = sympy.Symbol("B", positive=True)
    wide = bool((expression(claim.formulas["half_width"], claim.parameters) - B).is_nonnegative)
    risk, least = sympy.symbols("risk_of_answer least_risk", real=True)
    one = expression(claim.formulas["excess"], claim.parameters) == risk - least
    scope, method = "(10), one R on both sides", "exact: inclusion"
    yield proved(scope, wide and one, method, lemmas=(ONE_COMPARATOR,), remark=ANY_COMPARATOR)
    for bad in _outside(claim):
        scope = "(10) if theta* must lie in the ball on the left, as in Theorems 3.4 and 3.6, and in the box on the right"
        yield as_step(replace(bad, scope=scope, reading=Reading.MEANT))


def same_least(claim: Claim) -> Iterator[Finding]:
    """(11): on the construction the box holds a minimiser over R^d."""
    scope, m = "(11), least risk in the box against that over R^d, on the construction", arb()
    v = {"B": m.real(2), "r": m.frac(1, 3), "d": m.real(4), "B_x": m.real(1)}
    box, labels = (apply(claim.formulas[name], m, v) for name in ("half_width", "label_half_width"))
    if m.lt(box, labels) is True:
        least = v["r"] * m.sqrt(v["d"]) * v["B_x"] * (labels - box)
        yield refuted(
            scope,
            "0",
            least,
            {"B": "2", "r": "1/3", "d": "4", "B_x": "1", "n": "1"},
            method="one record, all entries equal: the least risk in the box, enclosed",
            severity=PROOF_STEP,
            survives="Equal where the box is as wide as the labels' vector.",
            lemmas=(PERFECT,),
        )
        return
    widths = (expression(claim.formulas[name]) for name in ("half_width", "label_half_width"))
    slack = sympy.simplify(next(widths) - next(widths))
    yield proved(scope, bool(slack.is_nonnegative), "exact: half_width >= label_half_width, both 0", lemmas=(PERFECT,))


def comparator(claim: Claim) -> Iterator[Finding]:
    """The box of the comparator has corners of norm minimiser_norm: inside the ball the step holds, else it fails."""
    bad = next(_outside(claim), None)
    scope = "inf sup over the ball against inf sup over the box"
    if bad is not None:
        yield bad
        return
    B, symbols = sympy.Symbol("B", positive=True), claim.formulas
    inside = sympy.simplify(expression(symbols["minimiser_norm"]) ** 2 - B**2)
    excesses = [expression(symbols[f"excess_over_{where}"]) for where in ("ball", "box")]
    risk, ball, box = (
        sympy.Symbol(name, positive=True) for name in ("risk_of_answer", "least_risk_in_ball", "least_risk_in_box")
    )
    holds = bool(inside.is_nonpositive) and excesses == [risk - ball, risk - box]
    yield proved(scope, holds, "exact: minimiser_norm <= B identically", lemmas=(INCLUSION,), given=(ball_holds_box,))


def _outside(claim: Claim) -> Iterator[Finding]:
    """At most one finding: a dimension and an epsilon at which a comparator's box that leaves the ball breaks the step."""
    m = arb()
    for d, epsilon in product(DIMENSIONS, EPSILONS):
        B = m.real(1)
        corner = apply(claim.formulas["minimiser_norm"], m, {"B": B, "d": m.real(d)})
        right = corner - m.sqrt(m.real(d)) * B * m.tanh(m.real(epsilon) / 2)
        if m.gt(right, B) is True:
            yield refuted(
                "inf sup over the ball against inf sup over the box",
                f"at least {ends(right)[0]}",
                ("0", "1"),
                {"d": str(d), "n": "1", "B": "1", "epsilon": epsilon, "delta": "0"},
                method="the left side from above, the right side from below, both over w B_x, B = 1",
                severity=PROOF_STEP,
                survives="It holds with the comparator's box inside the ball, half-width B_theta/sqrt(d): the amendment; "
                "and with one comparator set on both sides.",
                lemmas=(LEFT, RIGHT),
            )
            return
