"""Judge of the lower bound of private quantile regression: the whole, the construction, the error and the comparator."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.analysis import sign_errors
from dpsco.arguments.analysis.private_minimax import (
    ANSWER_ZERO,
    FLIPPED,
    NOISY_FIT,
    ONE_PASS,
    SPACE,
    SPREAD,
    TWO_POINTS,
    Below,
    Question,
    at_least_rate,
)
from dpsco.arguments.analysis.rate_monomials import terms
from dpsco.arguments.analysis.sign_errors import RESIDUAL, SUMS, Coordinates, Found
from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.comparing import proved
from dpsco.arguments.formula import apply
from dpsco.mutants.analysis.lower_bounds import quantile_minimax as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import expression
from dpsco.spec.analysis.lower_bounds.quantile_minimax import (
    ball_holds_box,
    decision_in_box,
    delta_at_most,
    dimension_at_most,
)
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

UNBOUNDED = Lemma(
    "outcomes without bound",
    "x = B_x e_1, y = M with probability 1 - r + v t, else 0, v = 1 or -1: the excesses over the least risk on R^d add up to "
    "at least t M, at every decision. For t small enough the n draws for v = 1 and -1 are not told apart with certainty by "
    "any map, so the larger expected excess is at least c M with c > 0, and M is free.",
)
PERFECT = Lemma(
    "a perfect fit",
    "y_i = (B sign(xbar))'x_i: the residuals of B sign(xbar) are 0, and so is its risk; no risk is negative.",
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
STANDS = "For d <= n epsilon and delta <= epsilon it holds, without the logarithm, which is 0 at d = 1: the amendment."
BELOW = Below(
    proved=(SPACE.powers(n="-1/2"), SPACE.powers(n=-1, d="1/2", epsilon=-1)),
    constant="min(r, 1 - r) B B_x/13",
    at_least_one=(SPACE.powers(n=1), SPACE.powers(d=1), SPACE.powers(n=1, epsilon=1, d=-1)),
    given=(dimension_at_most, delta_at_most),
    lemmas=(FLIPPED, SPREAD, TWO_POINTS),
)
ASKED = Question("minimax excess risk", "max(r, 1 - r) B B_x", (ANSWER_ZERO, ONE_PASS, NOISY_FIT), BELOW, STANDS)
DIMENSIONS = (1, 2, 3, 4, 9, 100)
EPSILONS = ("0.1", "0.001", "1e-6", "1e-12")


def minimax(claim: Claim) -> Iterator[Finding]:
    """The rate, with its hidden factor where the claim names one; and the reading under which nothing is claimed."""
    rate = expression(claim.formulas["rate"])
    if "hidden_factor" in claim.formulas:
        hidden, epsilon = expression(claim.formulas["hidden_factor"]), sympy.Symbol("epsilon", positive=True)
        parts = rate.args if isinstance(rate, sympy.Max | sympy.Add) else (rate,)
        rate = rate.func(*(part / hidden if part.has(epsilon) else part for part in parts))
    found = terms(rate, SPACE)
    if found is None:
        yield Finding(scope=ASKED.scope, verdict=Verdict.OPEN, reason="the rate is no sum or maximum of monomials")
        return
    yield from at_least_rate(claim, found, ASKED)
    yield Finding(
        scope="comparator over R^d, no bound on theta*: the supremum is infinite for every map, any rate is reached",
        verdict=Verdict.CERTIFIED,
        rung=Rung.EXACT,
        method="two distributions with outcomes 0 and M, M without bound",
        lemmas=(UNBOUNDED,),
        reading=Reading.MEANT,
        reason="then the theorem says nothing; its proof and the upper bounds keep theta* bounded, which is judged above",
    )


def construction(claim: Claim) -> Iterator[Finding]:
    """Risk 0 at B sign(xbar), whose norm and the entries of whose features are as printed."""
    B, B_x, d = (sympy.Symbol(name, positive=True) for name in ("B", "B_x", "d"))
    norm, entry = (expression(claim.formulas[name]) for name in ("minimiser_norm", "feature_entry"))
    holds = sympy.simplify(norm**2 - d * B**2) == 0 and sympy.simplify(d * entry**2 - B_x**2) == 0
    scope = "risk of B_theta sign(xbar) on the construction, over the box"
    yield proved(scope, holds, "exact: residuals 0; minimiser_norm^2 = d B^2, feature_entry^2 d = B_x^2", lemmas=(PERFECT,))


def coordinates(claim: Claim, name: str) -> Coordinates:
    """A formula of the claim as a bound."""

    def bound(m: Numbers, r: Real, B: Real, mean_features: Sequence[Real], decision: Sequence[Real]) -> Real:
        values = {"r": r, "B": B, "mean_features": list(mean_features), "decision": list(decision)}
        return apply(claim.formulas[name], m, values)

    return bound


def everywhere(claim: Claim) -> bool:
    """Whether the claim lets answers leave the box."""
    return all(predicate.test is not decision_in_box for predicate in claim.preconditions)


def residual_is_below_risk(claim: Claim) -> Iterator[Finding]:
    """The first step: the printed residual against the proved one, and against exact risks."""
    printed = coordinates(claim, "absolute_residual")
    holds = sign_errors.is_at_least(sign_errors.residual, printed)
    yield _error(
        "empirical risk against absolute_residual", holds, sign_errors.above_risk(printed, everywhere(claim)), (RESIDUAL, SUMS)
    )


def signs_are_below_residual(claim: Claim) -> Iterator[Finding]:
    """The second step, one coordinate at a time."""
    upper, lower = coordinates(claim, "absolute_residual"), coordinates(claim, "risk_lower_bound")
    holds = sign_errors.is_at_least(upper, lower)
    yield _error(
        "absolute_residual against risk_lower_bound", holds, sign_errors.out_of_order(upper, lower, everywhere(claim)), (SUMS,)
    )


def _error(scope: str, holds: bool, bad: Found | None, lemmas: tuple[Lemma, ...]) -> Finding:
    method = "every cell of signs: the difference has nonnegative coefficients"
    if bad is None:
        return proved(scope, holds, method, lemmas=lemmas, given=(decision_in_box,))
    at, upper, lower = bad
    return Finding(
        scope=scope,
        verdict=Verdict.REFUTED,
        rung=Rung.POINT,
        method="both sides at one data set, the risk in exact arithmetic; features in units of B_x/sqrt(d)",
        claimed=f"at least {ends(lower)[0]}",
        computed=ends(upper),
        at=at,
        severity=Severity.CONSTANT,
        survives="The residual bound min(r, 1 - r) sum_j |xbar_j| (B_theta - theta_j sign(xbar_j)).",
    )


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
    m = arb()
    for d in DIMENSIONS:
        B = m.real(1)
        corner = apply(claim.formulas["minimiser_norm"], m, {"B": B, "d": m.real(d)})
        for epsilon in EPSILONS:
            right = corner - m.sqrt(m.real(d)) * B * m.tanh(m.real(epsilon) / 2)
            if m.gt(right, B) is True:
                yield Finding(
                    scope="inf sup over the ball against inf sup over the box",
                    verdict=Verdict.REFUTED,
                    rung=Rung.POINT,
                    method="the left side from above, the right side from below, both over w B_x, B = 1",
                    claimed=f"at least {ends(right)[0]}",
                    computed=("0", "1"),
                    at={"d": str(d), "n": "1", "B": "1", "epsilon": epsilon, "delta": "0"},
                    lemmas=(LEFT, RIGHT),
                    severity=Severity.STEP_ONLY,
                    survives="It holds with the comparator's box inside the ball, half-width B_theta/sqrt(d): the amendment; "
                    "and with one comparator set on both sides.",
                )
                break


READ: Table = {
    Relation("minimax excess risk", ">=Omega", "rate up to hidden_factor"): minimax,
    Relation("minimax excess risk", ">=Omega", "rate"): minimax,
    Relation("risk of the minimiser on the construction", "=", "0"): construction,
    Relation("empirical risk of decision", ">=", "absolute_residual"): residual_is_below_risk,
    Relation("absolute_residual", ">=", "risk_lower_bound"): signs_are_below_residual,
    Relation(
        "inf sup of excess_over_ball, answers in the ball", ">=", "inf sup of excess_over_box, answers in the box"
    ): comparator,
}


def by_reading(claim: Claim) -> Iterator[Finding]:
    """Each assertion by its own argument."""
    for finding in by_assertion(claim, READ):
        yield finding if finding.adjacency else replace(finding, adjacency=claim.adjacency)


JUDGES: dict[str, Any] = {
    "quantile/thm-3.7": by_reading,
    "quantile/thm-3.7-amended": by_reading,
    "quantile/thm-3.7-error": by_reading,
    "quantile/thm-3.7-comparator": by_reading,
    "quantile/thm-3.7-comparator-amended": by_reading,
}

MUTANTS = {
    "quantile/thm-3.7-amended": mutants.of_minimax,
    "quantile/thm-3.7-error": mutants.of_error,
    "quantile/thm-3.7-comparator-amended": mutants.of_comparator,
}
