"""Judges of the exponential mechanisms as algorithms: what they state, and what does not follow from it."""

from collections.abc import Iterator
from dataclasses import replace

import sympy

from dpsco.arguments.assertions import known_release
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.judges.algorithms.exponential_sampling.utility import DECISION, temperature_of_the_proof
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim, Relation
from dpsco.verdict import Finding, Reading, Rung, Severity, Verdict

WEIGHT = Relation("log density of x", "=", "log_weight + a constant")
TEMPERATURE = Relation("k", "<=O", "k_rate")


def stated(claim: Claim) -> Iterator[Finding]:
    """The order of k is part of the algorithm, not a consequence; with the constant 1 the draw is judged on one pair."""
    yield from known_release(claim, DECISION)
    if TEMPERATURE in claim.asserts:
        yield Finding(
            scope="the density and its inverse temperature",
            verdict=Verdict.STATED,
            asserts=(TEMPERATURE,),
            reason="k <= O(k_rate) is how k is chosen; no constant is given, and the two printed densities differ by a factor "
            "2 in the regulariser.",
        )
    yield from (replace(finding, reading=Reading.ANOTHER) for finding in temperature_of_the_proof(claim))


def density(claim: Claim) -> Iterator[Finding]:
    """The density is the algorithm; beside it, whether the temperature falls as n grows, which its risk needs."""
    yield from known_release(claim, DECISION)
    if WEIGHT in claim.asserts:
        yield Finding(
            scope="the density that is drawn from",
            verdict=Verdict.STATED,
            asserts=(WEIGHT,),
            reason="it says what to draw, for s > 0 and X of finite volume (else there is no such density); drawn exactly in "
            "one dimension by the inverse distribution function",
        )
    n = sympy.Symbol("n", positive=True)
    unit = dict.fromkeys(("L_fx", "L_fy", "L_gy", "mu_g", "D_x", "D_y"), sympy.Integer(1))
    least = sympy.limit(apply(claim.formulas["s"], symbolic(), {**unit, "n": n}), n, sympy.oo)
    if least > 0:
        yield refuted(
            "s falls as n grows, as the step |y_Z - y_Z'| <= 2 L_gy/(mu_g n) gives it",
            "0",
            str(least),
            {**dict.fromkeys(unit, "1"), "n": "to infinity"},
            method="computer algebra: the limit of s",
            severity=Severity.MISPRINT,
            survives="With 1/n in its last term too s is of order 1/n, and the draw stays private (amended Theorem 3.2).",
            rung=Rung.EXACT,
            reading=Reading.MEANT,
        )


JUDGES = {"bilevel/eq-4": density, "bilevel/eq-5": stated}
