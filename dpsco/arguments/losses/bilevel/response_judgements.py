"""Findings on how lower minimisers and the difference of two bilevel objectives follow the upper variable."""

from collections.abc import Callable, Iterator
from typing import Any

import sympy

from dpsco.arguments.algorithms.descent.bilevel_gradients import MINIMISERS, SYMBOLS
from dpsco.arguments.losses.bilevel import attained_gradients as attained
from dpsco.arguments.losses.bilevel import lower_response as response
from dpsco.arguments.losses.bilevel.gradient_bounds import ELSEWHERE, IMPLICIT, ONE_RECORD, replaced_change, suffices
from dpsco.arguments.losses.bilevel.neighbouring_minimisers import LOSS_TESTS
from dpsco.arguments.losses.bilevel.sides import in_domain, side
from dpsco.arguments.polynomial_slack import Side, Value, bounded, named
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.verdict import Finding, Lemma, Severity

ALONG_X = Lemma(
    "from gradients to slopes",
    "X is convex and Phi_Z - Phi_Z' differentiable under Assumption 2.2, so its slope is at most the supremum over x of |grad "
    "Phi_Z(x) - grad Phi_Z'(x)|, and comes near to it.",
)

SLOPE_KEPT = (
    "Without 1/n in the middle term it holds, and is attained where beta_fxy = 0 < L_gy; under all of Assumption 2.2 the slope "
    "is 2G/n with the G of the amended Theorem 3.3."
)


def minimiser_response(claim: Claim) -> Iterator[Finding]:
    """Lemma B.5 over the set of Assumption 2.1."""
    yield side(
        claim,
        "the compact Y of Assumption 2.1, part 4, whatever its shape, every d_y",
        "bound",
        response.response_bound,
        response.reached_response,
        response.response_problems(claim),
        severity=Severity.CONSTANT,
        survives="The quotient is at most beta_gxy/mu_g where mu_g > 0.",
        lemmas=(response.UNCONSTRAINED, response.VARIATIONAL),
        family=(response.LINEAR_RESPONSE,),
        given=response.RESPONSE_TESTS,
        remark="Over a closed convex set that does not hold the minimisers the variational inequality gives the same; over any "
        "set nothing does: (y - x)^2/2 on {-1, 1} has a minimiser that jumps at x = 0.",
    )


def _slope(
    claim: Claim,
    scope: str,
    name: str,
    proved: Value,
    reached: Value,
    *,
    least: int = 1,
    given: tuple[Callable[..., Any], ...] = response.SLOPE_TESTS,
    lemmas: tuple[Lemma, ...] = response.CHAIN_LEMMAS,
    family: tuple[Lemma, ...] = response.SLOPE_FAMILIES,
    severity: Severity = Severity.RATE,
) -> Finding:
    """A slope in x against the claim's formula, at n >= least."""
    problems = response.slope_problems(claim, least)
    return side(
        claim,
        scope,
        name,
        proved,
        reached,
        problems,
        severity=severity,
        survives=SLOPE_KEPT,
        lemmas=lemmas,
        family=family,
        given=given,
    )


def difference(claim: Claim) -> Iterator[Finding]:
    """Phi_Z - Phi_Z', first under the printed conditions alone, then where every other constant is at its least."""
    yield _slope(claim, "slope of Phi_Z - Phi_Z'", "bound", response.difference_slope, response.reached_difference)
    yield _slope(
        claim,
        "slope of Phi_Z - Phi_Z', f linear in y, g quadratic (beta_fyy = C_gxy = C_gyy = 0, beta_gyy = mu_g)",
        "bound",
        response.difference_slope,
        response.bilinear_difference,
        family=(response.BILINEAR,),
        severity=Severity.CONSTANT,
    )


def unchanged(claim: Claim) -> Iterator[Finding]:
    """The step for a record that stays."""
    yield _slope(
        claim,
        "link: slope of an unchanged record's difference",
        "unchanged_record",
        response.unchanged_slope,
        response.reached_unchanged,
        least=2,
    )


def changed(claim: Claim) -> Iterator[Finding]:
    """The step for the replaced record."""
    yield _slope(
        claim,
        "link: slope of one record's loss",
        "changed_record",
        response.record_slope,
        response.record_slope,
        given=response.RECORD_TESTS,
        lemmas=(response.VARIATIONAL, response.ONE_RECORD),
        family=(response.LINEAR_RESPONSE,),
        severity=Severity.CONSTANT,
    )


def smooth(claim: Claim) -> Iterator[Finding]:
    """2G/n: the gradient's change bounds the slope, where Assumption 2.2 holds as well."""
    stated, n = named(claim, "smooth_bound"), sympy.Symbol("n", positive=True)
    times_n = sympy.expand(n * stated(symbolic(), {**SYMBOLS, "n": n}))
    yield bounded(
        Side(
            scope="slope of Phi_Z - Phi_Z' under Assumption 2.2 as well, every d_x, d_y",
            claimed=stated,
            reached=attained.gradient_change,
            holds=in_domain(claim) and suffices(times_n, replaced_change()),
            method="computer algebra: n times the formula less a proved sum has positive coefficients only, beta_gyy >= mu_g",
            instances=attained.admitted(claim, tuple(attained.replaced())),
            severity=Severity.CONSTANT,
            survives="The sum of the terms of `neighbours' gradients` holds.",
            lemmas=(ALONG_X, MINIMISERS, ONE_RECORD, ELSEWHERE, IMPLICIT),
            family=(attained.REPLACED,),
            given=LOSS_TESTS,
        )
    )
