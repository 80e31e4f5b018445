"""One quantity of a bilevel problem against a claim's formula: certified by a proved bound, refuted by a value reached."""

from collections.abc import Callable
from typing import Any

import sympy

from dpsco.arguments.polynomial_slack import Side, Value, bounded, expressed, named, nonnegative, quantity
from dpsco.spec.claim import Claim
from dpsco.verdict import Finding, Lemma, Severity


def in_domain(claim: Claim) -> bool:
    """Whether the claim has its strong convexity constants positive and everything else at least zero, as the proofs need."""
    strong = all(quantity(claim, p).is_positive for p in claim.parameters if p.name == "mu_g")
    return strong and all(quantity(claim, p).is_nonnegative for p in claim.parameters)


def side(
    claim: Claim,
    scope: str,
    name: str,
    proved: Value,
    reached: Value,
    instances: Any,
    *,
    severity: Severity | None,
    survives: str,
    lemmas: tuple[Lemma, ...],
    family: tuple[Lemma, ...],
    given: tuple[Callable[..., Any], ...],
    remark: str | None = None,
    also: Value | None = None,
) -> Finding:
    """The quantity that is at most `proved` (and at most `also`) and comes to `reached` on a problem with these constants.

    name      the claim's formula that should bound it
    lemmas    why `proved` and `also` are bounds
    family    where `reached` is reached
    """
    stated = expressed(claim, named(claim, name))
    bounds = [expressed(claim, value) for value in (proved, also) if value is not None]
    slack = [stated - bound for bound in bounds]
    tight = any(sympy.simplify(difference) == 0 for difference in slack)
    return bounded(
        Side(
            scope=scope,
            claimed=named(claim, name),
            reached=reached,
            holds=in_domain(claim) and any(nonnegative(claim, difference) for difference in slack),
            method="computer algebra: the formula " + ("is" if tight else "is at least") + " the proved bound",
            instances=instances,
            severity=severity,
            survives=survives,
            lemmas=lemmas,
            family=family,
            given=given,
            remark=remark,
            decisive={"n": "1000"},
        )
    )
