"""Judge of the lower bound of private quantile regression: the whole, the construction, the error and the comparator."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.analysis import sign_errors
from dpsco.arguments.analysis.comparator_sets import PERFECT, comparator, more_answers, same_least
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
    over_the_whole_space,
)
from dpsco.arguments.analysis.rate_monomials import Path, terms
from dpsco.arguments.analysis.sign_errors import RESIDUAL, SUMS, Coordinates, Found
from dpsco.arguments.analysis.sign_reduction import classifier
from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.comparing import proved, refuted
from dpsco.arguments.formula import apply
from dpsco.judges.analysis.lower_bounds.newsvendor_minimax import BELOW as LINEAR
from dpsco.mutants.analysis.lower_bounds import quantile_minimax as mutants
from dpsco.reference.numbers.enclosure import ends
from dpsco.reference.numbers.symbolic import expression
from dpsco.spec.analysis.lower_bounds.quantile_minimax import (
    decision_in_box,
    delta_at_most,
    dimension_at_most,
)
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.conditions import optimum_in_ball
from dpsco.spec.losses.quantile.summaries import OPTIMUM_IN_BALL
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Part, Reading, Severity, Verdict

STANDS = "For d <= n epsilon and delta <= epsilon it holds, without the logarithm, which is 0 at d = 1: the amendment."
BELOW = Below(
    proved=(SPACE.powers(n="-1/2"), SPACE.powers(n=-1, d="1/2", epsilon=-1)),
    constant="min(r, 1 - r) B B_x/13",
    at_least_one=(SPACE.powers(n=1), SPACE.powers(d=1), SPACE.powers(n=1, epsilon=1, d=-1)),
    given=(dimension_at_most, delta_at_most),
    lemmas=(FLIPPED, SPREAD, TWO_POINTS),
)
UNIT = "max(r, 1 - r) B B_x"


def on_the_ball(path: Path) -> Mapping[str, Any]:
    """theta* on the boundary of the ball: the quantities beside the path's."""
    return {"optimum_norm": sympy.Integer(1), "B": sympy.Integer(1)}


ASKED = Question("minimax excess risk", UNIT, (ANSWER_ZERO, ONE_PASS, NOISY_FIT), BELOW, STANDS, beside=on_the_ball)
IN_BALL = Question(
    "minimax excess risk, answers and comparator in the ball",
    UNIT,
    (ANSWER_ZERO, ONE_PASS),
    LINEAR,
    "For sqrt(d) <= n epsilon, epsilon <= 1 and sqrt(d) delta <= epsilon it holds.",
)


def minimax(claim: Claim) -> Iterator[Finding]:
    """The rate, with its hidden factor where the claim names one: empty where nothing bounds theta*, else a question.

    A claim that does not bound theta* is also judged as its proof and the upper bounds mean it.
    """
    rate = expression(claim.formulas["rate"])
    if "hidden_factor" in claim.formulas:
        hidden, epsilon = expression(claim.formulas["hidden_factor"]), sympy.Symbol("epsilon", positive=True)
        parts = rate.args if isinstance(rate, sympy.Max | sympy.Add) else (rate,)
        rate = rate.func(*(part / hidden if part.has(epsilon) else part for part in parts))
    found = terms(rate, SPACE)
    bounded = optimum_in_ball in claim.tests
    if not bounded:
        yield over_the_whole_space("outcomes")
        for step in classifier(("epsilon", "delta"), claim):
            yield replace(step, scope=f"the step into display (15): {step.scope}", severity=PROOF_STEP, about=Part.PROOF)
    if found is None:
        reason, reading = "the rate is no sum or maximum of monomials", Reading.PRINTED if bounded else Reading.MEANT
        yield Finding(scope=ASKED.scope, verdict=Verdict.OPEN, reason=reason, reading=reading)
        return
    if bounded:
        yield from at_least_rate(claim, found, ASKED)
        return
    meant = replace(claim, preconditions=(*claim.preconditions, OPTIMUM_IN_BALL))
    for finding in at_least_rate(meant, found, ASKED):
        yield replace(finding, scope=f"|theta*| <= B_theta, as in the upper bounds; {finding.scope}", reading=Reading.MEANT)


def in_the_ball(claim: Claim) -> Iterator[Finding]:
    """Answers and comparator in the ball: the losses that are linear there."""
    found = terms(expression(claim.formulas["rate"]), SPACE)
    if found is None:
        yield Finding(scope=IN_BALL.scope, verdict=Verdict.OPEN, reason="the rate is no sum or maximum of monomials")
    else:
        yield from at_least_rate(claim, found, IN_BALL)


def construction(claim: Claim) -> Iterator[Finding]:
    """Risk 0 at half_width sign(xbar), with the norm that the claim says, features in their ball and theta* in its own."""
    B, B_x, d = (sympy.Symbol(name, positive=True) for name in ("B", "B_x", "d"))
    norm, entry, half = (expression(claim.formulas[name]) for name in ("minimiser_norm", "feature_entry", "half_width"))
    bounded = optimum_in_ball in claim.tests
    sides = {
        "minimiser_norm^2 = d half_width^2": norm**2 - d * half**2,
        "feature_entry^2 d = B_x^2": d * entry**2 - B_x**2,
        **({"minimiser_norm <= B_theta": sympy.Max(norm**2 - B**2, 0)} if bounded else {}),
    }
    scope = "risk of half_width sign(xbar) on the construction"
    at = {B: 3, B_x: sympy.Rational(1, 2), d: 4}
    for says, off in sides.items():
        value = sympy.simplify(off.subs(at))
        if value != 0:
            yield refuted(
                scope,
                "0",
                str(value),
                {"B": "3", "B_x": "0.5", "d": "4"},
                method=f"{says}: the difference of its sides, in exact arithmetic",
                severity=Severity.CONSTANT,
                survives="half_width sqrt(d) is the norm of half_width sign(xbar), and its risk is 0.",
            )
            return
    holds = all(sympy.simplify(off) == 0 for off in sides.values())
    yield proved(scope, holds, f"exact: residuals 0; {'; '.join(sides)}", lemmas=(PERFECT,))


def coordinates(claim: Claim, name: str) -> Coordinates:
    """A formula of the claim as a bound."""

    def bound(m: Numbers, r: Real, B: Real, mean_features: Sequence[Real], decision: Sequence[Real]) -> Real:
        values = {"r": r, "B": B, "mean_features": list(mean_features), "decision": list(decision)}
        return apply(claim.formulas[name], m, values)

    return bound


def everywhere(claim: Claim) -> bool:
    """Whether the claim lets answers leave the box."""
    return all(predicate.test != decision_in_box for predicate in claim.preconditions)


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
    return refuted(
        scope,
        f"at least {ends(lower)[0]}",
        upper,
        at,
        method="both sides at one data set, the risk in exact arithmetic; features in units of B_x/sqrt(d)",
        severity=Severity.CONSTANT,
        survives="The residual bound min(r, 1 - r) sum_j |xbar_j| (B_theta - theta_j sign(xbar_j)).",
    )


READ: Table = {
    Relation("minimax excess risk", ">=Omega", "rate up to hidden_factor"): minimax,
    Relation("minimax excess risk", ">=Omega", "rate"): minimax,
    Relation("minimax excess risk, answers and comparator in the ball", ">=Omega", "rate"): in_the_ball,
    Relation("inf sup of excess, answers in the ball", ">=", "inf sup of excess, answers in the box"): more_answers,
    Relation("least risk in the box, on the construction", "=", "least risk over R^d, on the construction"): same_least,
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
    "quantile/thm-3.7-amended-private": by_reading,
    "quantile/thm-3.7-error": by_reading,
    "quantile/thm-3.7-comparator": by_reading,
    "quantile/thm-3.7-comparator-amended": by_reading,
}

MUTANTS = {
    "quantile/thm-3.7": mutants.of_printed,
    "quantile/thm-3.7-comparator": mutants.of_enlarged,
    "quantile/thm-3.7-amended-private": mutants.of_linear,
    "quantile/thm-3.7-amended": mutants.of_minimax,
    "quantile/thm-3.7-error": mutants.of_error,
    "quantile/thm-3.7-comparator-amended": mutants.of_comparator,
}
