"""Mutants of the newsvendor's rates; falsity by runs of objective perturbation and of descent on equal records."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dpsco.mutant import Mutant, with_formula
from dpsco.mutants.algorithms.gradient_perturbation.utility import constants, excess, shown, value
from dpsco.mutants.algorithms.objective_perturbation.utility import biased, chosen, shrunk
from dpsco.spec.algorithms.objective_perturbation.utility_away import CONDITION
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

COSTS = {"c_u": 3.0, "c_o": 1.0}
"""Level 3/4, as the runs have it."""


def cost_ratio_grows(claim: Claim, name: str, law: Any, path: Any, apart: float) -> bool:
    """Whether the runs' excess cost over the rate is three times as large at n = 10^8 as at n = 10^4."""
    theorem, ratios = find("quantile/thm-3.6-2-amended"), []
    for n in (10**4, 10**8):
        v = {**chosen(theorem, {"n": n, **path(float(n))}), **COSTS}
        ratios.append(4 * law(v, apart) / value(claim, name, v))
    return bool(ratios[0] > 0 and ratios[1] > 3 * ratios[0])


def descent_ratio_grows(claim: Claim, by: float) -> bool:
    """Whether a descent on equal records leaves the rate: its excess cost over it grows by more than a factor, 20 to 320."""
    theorem, ratios = find("quantile/thm-3.4"), []
    for n in (20, 320):
        numbers = {**constants(2.0, 1.0), "n": n}
        numbers["sigma"] = value(theorem, "variance", numbers) ** 0.5
        numbers["eta"] = eta = value(theorem, "step_length", numbers)
        true = excess(8.0, 4.0, 0.75, eta, n * n, value(theorem, "bandwidth", numbers), 1.0)
        ratios.append(4 * true / value(claim, "cost_rate", {**numbers, **COSTS}))
    return ratios[1] > by * ratios[0]


def of_cost() -> Iterator[Mutant]:
    claim, printed = find("quantile/thm-4.6-amended"), find("quantile/thm-4.6")
    old = with_formula(claim, "cost_rate_objective", printed.formulas["cost_rate"])

    def many(n: float) -> dict[str, Any]:
        return {"d": round(n**2), "epsilon": n**0.5}

    grows = shown(cost_ratio_grows, old, "cost_rate_objective", shrunk, many, 0.01)
    yield Mutant("the printed rate for objective perturbation", old, grows)
    kept = tuple(p for p in claim.preconditions if "omega" not in p.names)
    loose = replace(claim, preconditions=(*kept, CONDITION))
    stays = shown(cost_ratio_grows, loose, "cost_rate_objective", biased, lambda n: {"epsilon": n**-0.5}, 0.02)
    yield Mutant("the printed condition", loose, stays)

    def steeper(m: Numbers, c_u: Real, c_o: Real, n: Real, d: Real, epsilon: Real, delta: Real) -> Real:
        return (c_u + c_o) * m.max(1 / n, m.sqrt(d * m.log(1 / delta)) / (n * epsilon))

    faster = with_formula(claim, "cost_rate", steeper)
    yield Mutant("1/n for DP-SGD", faster, shown(descent_ratio_grows, faster, 3.0))

    def larger(m: Numbers, c_u: Real, c_o: Real, n: Real, d: Real, epsilon: Real, delta: Real) -> Real:
        return (c_u + c_o) * m.max(1 / m.sqrt(n), m.sqrt(2 * d * m.log(1 / delta)) / (n * epsilon))

    yield Mutant("2 ln(1/delta) for DP-SGD (still true)", with_formula(claim, "cost_rate", larger), lambda: False)
