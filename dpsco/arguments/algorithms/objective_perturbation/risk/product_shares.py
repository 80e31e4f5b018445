"""Shares of a privacy budget among several products, as a claim prints them, and paths along which rates are compared."""

from collections.abc import Mapping
from typing import Any

import sympy

from dpsco.arguments.formula import apply, thresholds
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.objective_perturbation import newsvendor_utility as single
from dpsco.spec.algorithms.objective_perturbation import products as spec
from dpsco.spec.claim import Claim
from dpsco.verdict import Lemma

CHOSEN = Lemma(
    "the choice of Theorem 2",
    "lambda B >= sqrt(d) sigma_0/n, so that the risk is at least L (B - L/(2 lambda)). Shares that Lemma EC.3 turns into "
    "(epsilon, delta), delta' <= delta being what it loses, have epsilon_0 <= epsilon/sqrt(2 S ln(1/delta)) and delta_0 <= "
    "delta/S, and sigma_0 is the larger the smaller they are. The summed problem's sigma_0 is larger still.",
)
GROWING = sympy.Symbol("N", positive=True)
LOUD = {"n": GROWING**2, "S": sympy.Integer(2), "epsilon": sympy.Integer(1), "delta": sympy.exp(-(GROWING**2))}
LOUD_SAYS = (
    "n grows, S = 2, epsilon = d = 1, delta = e^(-n), B = B_x = 1, r_bar = 1/2 (S^(5/4)/n^(1/4) goes to 0): lambda stays above "
    "1, the risk above 3/8"
)
UNIT = {"B": sympy.Integer(1), "B_x": sympy.Integer(1), "r_bar": sympy.Rational(1, 2), "M": sympy.Integer(1)}


def shares(claim: Claim, context: Any, values: Mapping[str, Any]) -> tuple[Any, Any] | None:
    """The largest epsilon_0 and delta_0 that the claim's condition admits."""
    if not any(predicate.says == spec.SHARED.says for predicate in claim.preconditions):
        return None
    (predicate,) = (p for p in claim.preconditions if p.says == spec.SHARED.says)
    given = {name: values.get(name, context.real(1)) for name in predicate.names}
    found = thresholds("le", predicate.test, context, given)
    return (found[0], found[1]) if len(found) == 2 else None


def on_path(claim: Claim, value: str, path: Mapping[str, Any], **more: Any) -> Any:
    """A formula along a path, the budget at its shares; delta = 2 e^(-l)."""
    values = {**UNIT, "d": sympy.Integer(1), **path}
    found = shares(claim, symbolic(), values)
    if found is not None:
        values |= {"epsilon_0": found[0], "delta_0": found[1]}
    values |= {name: make(values) for name, make in more.items()}
    return sympy.expand_log(apply(claim.formulas[value], symbolic(), values), force=True)


def vanishes(ratio: Any) -> bool:
    """Whether the limit along the path is 0."""
    return bool(sympy.limit(sympy.powsimp(sympy.expand_log(ratio, force=True)), GROWING, sympy.oo) == 0)


def shrinks(claim: Claim) -> bool:
    """Whether sigma_0/n stays above 1 along LOUD at the largest shares of Lemma EC.3, which are above the claim's own."""
    m, delta = symbolic(), LOUD["delta"]
    most = LOUD["epsilon"] / sympy.sqrt(2 * LOUD["S"] * sympy.log(1 / delta)), delta / LOUD["S"]
    found = shares(claim, m, LOUD)
    if found is None or not all(sympy.limit(own / top, GROWING, sympy.oo) <= 1 for own, top in zip(found, most, strict=True)):
        return False
    noise = apply(single.sigma, m, {**UNIT, "epsilon": most[0], "delta": most[1]}) / LOUD["n"]  # below lambda B
    return bool(sympy.limit(sympy.expand_log(noise, force=True), GROWING, sympy.oo) > 1)
