"""Explicit formulas against each other: their orders of growth, and terms at the chosen accuracy and ridge against a target."""

from collections.abc import Iterator, Mapping
from typing import Any

import sympy

from dpsco.arguments.algorithms.objective_perturbation.risk.set_orders import CONSTANTS, conditions, printed, symbols
from dpsco.arguments.comparing import admitted, certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import exponent, grows, told
from dpsco.instances.grid import grid
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers
from dpsco.spec.register import find
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

MONOTONE = Lemma("a smaller alpha", "The term grows with alpha, and alpha is at most each of the two numbers of the minimum.")
MEAN_NORM = Lemma(
    "mean norm of a normal vector",
    "sqrt(2 d/pi) <= sqrt(2) Gamma((d+1)/2)/Gamma(d/2) <= sqrt(d); every other part of both sides is a sum of monomials.",
)
PLACES = {"L": ("1",), "C_norm": ("0.1", "7"), "n": ("1", "1000"), "epsilon": ("0.01", "30"), "G_C": ("2",), "delta": ("1e-9",)}

TOGETHER = {
    **{"L": "1", "G_C": "3", "C_norm": "1", "d": "9", "n": "1000000", "epsilon": "1", "delta": "0.000001", "c_n": "1"},
    **{
        "beta": "1",
        "r": "1",
        "alpha": "1e-20",
        "lambda_": "0.001",
        "largest_gradient_norm": "0.5",
        "largest_eigenvalue": "0.5",
    },
}
"""An instance inside every condition of the risk's theorem."""


def ranges(claim: Claim) -> Iterator[Finding]:
    """The printed least n against the ridge that it stands for, and whether all conditions can be met together."""
    v = symbols(claim)
    least = {**v, "n": apply(claim.formulas["least_n"], symbolic(), v)}
    chosen = apply(claim.formulas["lambda_choice"], symbolic(), least)
    share = sympy.simplify(chosen / apply(find("lp/alg-1").formulas["least_lambda"], symbolic(), least))
    scope, method = (
        "least n, so that lambda >= r beta/(epsilon n)",
        "computer algebra: the quotient of both ridges at the least n",
    )
    met = bool(admitted(claim, [TOGETHER]))
    if share == 1 and met:
        remark = "privacy as amended (lp/thm-1-amended) asks twice this ridge, so four times this n; the rate is the same"
        yield certified(scope, method, at=TOGETHER, reason=remark)
    elif not (share.is_number and share < 1):
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason=f"the quotient is {share}, conditions met together: {met}")
    else:
        yield refuted(
            scope,
            "1",
            str(share),
            {},
            method=method,
            severity=Severity.CONSTANT,
            survives="The least n is r^2 beta^2 |C|_2^2/(epsilon^2 L^2).",
            rung=Rung.EXACT,
        )


def formulas_of_order(left: str, right: str, claim: Claim) -> Iterator[Finding]:
    """One formula against another: both sides are explicit, so a path on which exponents part is a contradiction."""
    v = symbols(claim)
    a, b = printed(claim, left, v), printed(claim, right, v)
    scope, way = f"{left} against {right}", grows(a, b, conditions(claim, v), CONSTANTS)
    if way is None:
        held = tuple(p.test for p in claim.preconditions if right == "rate")
        method = "up to constants every monomial of the left is bounded by those of the right and by the conditions"
        yield certified(scope, method, MEAN_NORM, given=held)
        return
    yield refuted(
        scope,
        "bounded",
        "inf",
        {"path": told(way), "quotient": f"t^{exponent(a, way) - exponent(b, way)}"},
        method="the quotient of the two formulas grows without bound along the path (exponents in fractions)",
        severity=Severity.RATE,
        survives="The stability of the exact minimiser is L^2/(lambda n) at most, whatever the noise.",
        rung=Rung.EXACT,
        lemmas=(MEAN_NORM,),
    )


def at_choices(name: str, claim: Claim) -> Iterator[Finding]:
    """A term at alpha = largest_alpha and lambda = lambda_choice against L |C|_2/sqrt(n)."""
    m, scope = arb(), f"{name} at the chosen alpha and lambda"

    def term(context: Numbers, v: Mapping[str, Any], alpha: Any) -> Any:
        known = {**v, "alpha": alpha, "lambda_": apply(claim.formulas["lambda_choice"], context, v)}
        return apply(claim.formulas[name], context, known)

    for instance in grid(claim, PLACES):
        v = {key: m.real(value) for key, value in instance.items()}
        value, target = term(m, v, apply(claim.formulas["largest_alpha"], m, v)), v["L"] * v["C_norm"] / m.sqrt(v["n"])
        if m.gt(value, target * m.real("1.000000001")) is True:
            yield refuted(
                scope,
                target,
                value,
                instance,
                method="both sides enclosed",
                severity=Severity.CONSTANT,
                survives="It is of the order of L |C|_2/sqrt(n).",
            )
            return
    v = symbols(claim)
    most = apply(claim.formulas["largest_alpha"], symbolic(), v)
    branches = most.args if isinstance(most, sympy.Min) else (most,)
    target = v["L"] * v["C_norm"] / sympy.sqrt(v["n"])
    shares = [sympy.simplify(sympy.expand_log(term(symbolic(), v, one) / target, force=True)) for one in branches]
    grown = sympy.simplify(sympy.diff(term(symbolic(), v, v["alpha"]), v["alpha"])).is_positive
    if not (grown and any(share.is_number and share <= 1 for share in shares)):
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="not contradicted, and neither number of the minimum proves it")
        return
    method = f"computer algebra: quotients {[str(share) for share in shares]} at the two numbers of the minimum"
    yield certified(scope, method, MONOTONE)
