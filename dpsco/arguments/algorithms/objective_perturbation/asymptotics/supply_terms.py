"""What a claim about a supplier and a private newsvendor says with its own formulas: the loss, the share, the chosen values."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.comparing import admitted
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.objective_perturbation.supply_chain import is_critical_quantile, prices_are_ordered
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

PRICED = (is_critical_quantile, prices_are_ordered)
"""What every argument about theta* uses: 0 < r < 1, and the error given x is N(-z, 1) with r-quantile 0."""
COSTED = {"price": "2", "wholesale": "1", "cost": "0.5", "z": "0", "order": "3", "smallest_order": "3", "least_cost": "0.8"}
"""p = 2w: z is 0 exactly."""
STEEP = {"price": "4", "wholesale": "3", "cost": "2", "z": "-0.674489750196081743", "order": "3", "smallest_order": "3"} | {
    "least_cost": "1.2712",
}
"""p = 4, w = 3: z to 18 digits."""


def symbols(claim: Claim) -> dict[str, Any]:
    """Every parameter as a real symbol."""
    return {p.name: sympy.Symbol(p.name, real=True) for p in claim.parameters}


def equals(claim: Claim, formula: Callable[..., Real], known: Any) -> bool:
    """Whether the formula is `known`, an expression in `symbols`, identically."""
    return bool(sympy.simplify(apply(formula, symbolic(), symbols(claim)) - known) == 0)


def is_loss(claim: Claim) -> bool:
    """Whether the claim's P is (w - c)(q* - q_private) identically."""
    s = symbols(claim)
    return equals(
        claim, claim.formulas["revenue_loss_supplier"], (s["wholesale"] - s["cost"]) * (s["order"] - s["order_private"])
    )


def share_of_parts(claim: Claim) -> Callable[..., Real]:
    """(RevN - C - U)/(Rev - C - U - P) with the claim's own RevN, Rev, U and P."""

    def share(
        m: Numbers, price: Real, wholesale: Real, cost: Real, order: Real, order_private: Real, least_cost: Real, z: Real
    ) -> Real:
        v = {"price": price, "wholesale": wholesale, "cost": cost, "order": order, "order_private": order_private, "z": z}
        own, chain, uncertain, loss = (
            apply(claim.formulas[name], m, {**v, "least_cost": least_cost})
            for name in ("revenue_newsvendor", "revenue_chain", "revenue_loss_uncertainty", "revenue_loss_supplier")
        )
        return (own - least_cost - uncertain) / (chain - least_cost - uncertain - loss)

    return share


def chosen_by(claim: Claim) -> Mapping[str, Callable[..., Real]]:
    """The formulas of the chosen sigma, lambda and h: the claim's own, else Theorem 2's, to which the proof refers."""
    return {**find("newsvendor/thm-2").formulas, **claim.formulas}


def many_records(claim: Claim) -> bool:
    """Whether the claim lets n grow."""
    return getattr(claim.parameter("n").domain, "high", None) in (None, "inf")


def inside(claim: Claim, at: Mapping[str, str]) -> bool:
    """Whether the claim admits the instance, whose z is the root for its prices as far as it is written."""
    others = tuple(p for p in claim.preconditions if p.test != is_critical_quantile)
    return bool(admitted(replace(claim, preconditions=others), [at]))


def chosen() -> dict[str, Any]:
    """Symbols for the chosen lambda and h, one dimension, delta fixed."""
    v: dict[str, Any] = {name: sympy.Symbol(name, positive=True) for name in ("epsilon", "n", "B", "B_x", "r_bar", "K_bar")}
    return v | {"d": sympy.Integer(1), "delta": sympy.exp(-14)}
