"""Judges of the composition of pure mechanisms, and of the per-step parameter that is to meet a total."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.composition import Rule, basic, composes
from dpsco.arguments.proof_objects import METHOD, accepted, conditions, written
from dpsco.instances.grid import grid
from dpsco.instances.privacy import DELTAS, EPSILONS
from dpsco.mutants.privacy.composition import pure as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.statement import Assertion
from dpsco.verdict import Finding, Rung, Severity, Verdict

ADVANCED = Rule(
    scope="the composition is (advanced, delta)-DP",
    release="all k outputs",
    epsilon="advanced",
    slack="delta",
    count="k",
)


def basic_rule(claim: Claim) -> Iterator[Finding]:
    """k epsilon with delta = 0."""
    yield basic(claim, "basic", "k", ADVANCED.release)


def advanced_rule(claim: Claim) -> Iterator[Finding]:
    """The advanced rule for each part of the range of delta."""
    yield from composes(claim, ADVANCED, "It holds for every delta in (0, 1]; a delta above 1 asks nothing of a mechanism.")


def total_is_met(claim: Claim) -> Iterator[Finding]:
    """Is the rule at the per-step parameter the total, identically?"""
    tried = grid(claim, {"epsilon": EPSILONS, "delta": DELTAS, "k": ("1", "2", "1000", "25000000")})
    scope = "the rule at epsilon_0 = per_step is the total epsilon"
    m = arb()
    for instance in tried:
        values = {name: m.real(value) for name, value in instance.items()}
        one = apply(claim.formulas["per_step"], m, values)
        got = apply(claim.formulas["rule"], m, {**values, "epsilon_0": one})
        asked = apply(claim.formulas["target"], m, values)
        if m.eq(got, asked) is False:
            yield refuted(
                scope,
                asked,
                got,
                instance,
                method="both sides enclosed",
                severity=Severity.CONSTANT,
                survives="The positive root of the rule's quadratic equation meets the total.",
                coverage=tried.coverage,
            )
            return
    proved = accepted(claim, partial(_at_one_step, claim))
    yield Finding(
        scope=scope,
        verdict=Verdict.CERTIFIED if proved else Verdict.OPEN,
        rung=Rung.EXACT if proved else None,
        method=METHOD,
        coverage=tried.coverage,
        given=conditions(claim),
        reason=None if proved else f"no contradiction at {len(tried)} instances, and no proof",
    )


def _at_one_step(claim: Claim, one: Assertion) -> Assertion:
    """The identity with the claim's rule at its parameter of one step, and its target."""
    return replace(one, left=written(claim, "rule", epsilon_0=written(claim, "per_step")), right=written(claim, "target"))


READ = {
    Relation("the composition", "is", "basic-DP"): basic_rule,
    Relation("the composition", "is", "(advanced, delta)-DP"): advanced_rule,
    Relation("rule at epsilon_0 = per_step", "=", "target"): total_is_met,
}

JUDGES = dict.fromkeys(("spo/lem-3", "spo/lem-3-amended", "spo/eps0"), reading(READ))

MUTANTS = {
    **{id: partial(mutants.of_rules, id) for id in ("spo/lem-3", "spo/lem-3-amended")},
    "spo/eps0": mutants.of_step,
}
