"""Judge of the texts of truncated batched mirror descent: definitions; their defects count where something rests on them."""

from collections.abc import Callable, Iterator
from functools import partial

import sympy

from dpsco.arguments.formula import apply
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import expression
from dpsco.spec.algorithms.mirror_descent.truncated import kept_gradient, threshold
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Verdict

SCALES = {
    "lp/alg-4": "sigma is given up to a constant (lp/thm-9-amended has it). ",
    "lp/alg-7": "sigma_1^2 is given up to a constant (lp/thm-14-amended has it). ",
}
BATCHES = "Batches of n/T records are none unless T divides n: the implementation refuses other T. "


def text(claim: Claim, scale: str) -> Iterator[Finding]:
    """Nothing is asserted: privacy stands in lp/thm-9 and lp/thm-14, utility in lp/thm-10 and lp/thm-14, Phi in lp/phi."""
    if claim.asserts:
        return
    if not _truncates(claim):
        reason = "the truncation is another than zero beyond beta M + lambda, which the implementations take"
        yield Finding(scope="the text of the algorithm", verdict=Verdict.OPEN, reason=reason)
        return
    yield Finding(
        scope="the text of the algorithm",
        verdict=Verdict.STATED,
        method="a definition: what the algorithm does",
        reason=scale + BATCHES + _index(claim.formulas["kappa_of_p_and_d"]),
    )


def _truncates(claim: Claim) -> bool:
    """Whether the printed g_x is what `reference` and `fast` compute: kept up to the threshold, zero beyond."""
    if sympy.simplify(expression(claim.formulas["threshold"]) - expression(threshold)) != 0:
        return False
    m = arb()
    # beta M + lambda = 5.5
    for size in ("1", "5", "5.5", "6"):
        v = {"gradient": m.real("3"), "gradient_norm": m.real(size), "beta": m.real(1), "M": m.real(2)}
        values = {**v, "lambda_": m.real("3.5")}
        printed, taken = (apply(f, m, values) for f in (claim.formulas["kept_gradient"], kept_gradient))
        if m.eq(printed, taken) is not True:
            return False
    return True


def _index(formula: Callable[..., Real]) -> str:
    """What the printed kappa makes of kappa_+ = kappa/(kappa - 1) on the plane, p -> 1."""
    m: Numbers = arb()
    kappa = apply(formula, m, {"p": m.real("1.001"), "d": m.real(2)})
    if m.lt(kappa, m.real(1)) is True:
        return "On the plane kappa = ln 2 < 1 makes kappa_+ negative: Phi is no square of a norm there."
    return "For d = 1 kappa is 0 and kappa_+ no index of a norm."


JUDGES = {id: partial(text, scale=scale) for id, scale in SCALES.items()}
