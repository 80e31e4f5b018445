"""Judge of the newsvendor's excess cost under DP-SGD and objective perturbation: the risks' rates, scaled by c_u + c_o."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import sympy

from dpsco.arguments.algorithms.descent.descent_rates import at_most_rate, constants
from dpsco.arguments.algorithms.objective_perturbation.risk.objective_risk_bounds import rate
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import nonnegative, quantities
from dpsco.judges.algorithms.dp_sgd.utility import descent
from dpsco.judges.algorithms.objective_perturbation.utility_away import HOW, OF_RATE
from dpsco.mutants.algorithms.objective_perturbation import newsvendor_rates as mutants
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.objective_perturbation.utility_away import CONDITION, CONDITION_AMENDED
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find
from dpsco.verdict import Finding, Lemma, Severity, Verdict

SCALED = Lemma(
    "cost is scaled check loss",
    "c_u u+ + c_o (-u)+ = (c_u + c_o) (r u+ + (1 - r) (-u)+) with r = c_u/(c_u + c_o), record by record, so the excess "
    "expected cost over the best linear rule is (c_u + c_o) times the excess risk.",
)
COSTS = Lemma(
    "constants free of the costs",
    "The costs enter the risk's constants through L = max(r, 1 - r) B_x only, which lies in [B_x/2, B_x): monotone in L, they "
    "are bounded by their values at the ends.",
)
DESCENT, OBJECTIVE = "quantile/thm-3.4", "quantile/thm-3.6-2-amended"


def scaled(claim: Claim, name: str) -> Callable[..., Real] | None:
    """The claimed cost rate over c_u + c_o, if that is free of the costs, and the excess cost is (c_u + c_o) risk."""
    m, q = symbolic(), quantities(claim)
    total = q["c_u"] + q["c_o"]
    over = sympy.simplify(apply(claim.formulas[name], m, q) / total)
    same = sympy.expand(apply(claim.formulas["excess_cost"], m, q) - total * q["risk"]) == 0
    if over.has(q["c_u"], q["c_o"]) or not same:
        return None
    half = m.frac(1, 2)

    def per_unit(m: Numbers, n: Real, d: Real, epsilon: Real, delta: Real) -> Real:
        values = {"n": n, "d": d, "epsilon": epsilon, "delta": delta, "c_u": half, "c_o": half}
        return apply(claim.formulas[name], m, values)

    return per_unit


def under_descent(claim: Claim, name: str) -> Iterator[Finding]:
    """DP-SGD with epsilon <= 1: the rate of its own risk theorem."""
    yield _told(claim, name, "DP-SGD, epsilon <= 1", DESCENT, "rate")


def under_objective(claim: Claim, name: str) -> Iterator[Finding]:
    """Objective perturbation, the regularisation and bandwidth of part 2, under the claim's own condition."""
    yield _told(claim, name, "objective perturbation", OBJECTIVE, "rate_away")


def _told(claim: Claim, name: str, scope: str, id: str, inner: str) -> Finding:
    per_unit, theorem = scaled(claim, name), find(id)
    if per_unit is None:
        reason = "the cost rate is not (c_u + c_o) times a rate of the risk"
        return Finding(scope=f"excess cost, {scope}", verdict=Verdict.OPEN, reason=reason)
    moved = replace(theorem, formulas={**theorem.formulas, inner: per_unit})
    if id == DESCENT:
        found = at_most_rate(moved, descent(moved), inner)
        parts = constants(moved, descent(moved))
        free = parts is not None and all(nonnegative(moved, part) for part in parts)  # so they grow with L
    else:
        kept = [p for p in theorem.preconditions if p.test not in (CONDITION.test, CONDITION_AMENDED.test)]
        own = [p for p in claim.preconditions if "omega" in p.names]
        found = rate(replace(moved, preconditions=(*kept, *own)), HOW, inner)
        free = True  # a sum of powers of L, positive and negative ones, with positive coefficients
    if found.verdict is Verdict.CERTIFIED and not free:
        found = Finding(scope=scope, verdict=Verdict.OPEN, reason="the constant is not seen to be free of the costs")
    lemmas = (*found.lemmas, SCALED, COSTS) if found.verdict is not Verdict.OPEN else found.lemmas
    told = replace(found, scope=f"excess cost, {scope}", lemmas=lemmas)
    refuted = found.verdict is Verdict.REFUTED
    if not refuted or id != OBJECTIVE:
        return told
    return replace(told, survives=f"Part 1 (DP-SGD) stands. {OF_RATE}", severity=Severity.DOMAIN)


READ: Table = {
    Relation("excess cost of DP-SGD, epsilon <= 1", "<=O", "cost_rate"): partial(under_descent, name="cost_rate"),
    Relation("excess cost of objective perturbation", "<=O", "cost_rate"): partial(under_objective, name="cost_rate"),
    Relation("excess cost of objective perturbation", "<=O", "cost_rate_objective"): partial(
        under_objective, name="cost_rate_objective"
    ),
}

JUDGES = dict.fromkeys(("quantile/thm-4.6", "quantile/thm-4.6-amended"), reading(READ))
MUTANTS = {"quantile/thm-4.6-amended": mutants.of_cost}
