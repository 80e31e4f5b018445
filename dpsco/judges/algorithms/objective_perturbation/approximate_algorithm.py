"""Judges of objective perturbation and its approximate form as texts: what they state, and where they differ from the proofs.

Both print steps and assert nothing: that their outputs are private, and near the least risk, are claims of their own. The
steps are run literally and fast under the contracts of the concept.
"""

from collections.abc import Iterator

import sympy

from dpsco.arguments.algorithms.objective_perturbation.risk.set_orders import Sides
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Real
from dpsco.spec.register import find
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

ONE_MINIMISER = Lemma(
    "the steps can be done",
    "For lambda > 0 J is 2 lambda-strongly convex on a closed convex C, so theta_1 exists and is unique for every G; the "
    "point of C nearest to theta_2 + H too; 0 < delta < 1 makes each variance positive.",
)
OTHERS = {
    "lp/alg-5": ("sigma_1_squared_lemma_6", "the variance of G in the proof of Lemma 6"),
    "lp/alg-1": ("sigma_1_squared_display_5", "the variance of G in the displays before (5)"),
}
PRIVACY = {"lp/alg-5": "lp/lem-5", "lp/alg-1": "lp/thm-1-amended"}


def _quotient(left: Real, right: Real) -> Real:
    return sympy.simplify(sympy.expand_log(left / right, force=True))


def _differs(claim: Claim, scope: str, share: Real, severity: Severity, survives: str) -> Iterator[Finding]:
    """A number that the paper has twice, as a quotient; nothing where both are one."""
    if share == 1:
        return
    yield refuted(
        scope,
        "1",
        str(share),
        {},
        method="computer algebra: the quotient of the other text's number and this one's",
        severity=severity,
        survives=survives,
        rung=Rung.EXACT,
        reading=Reading.ANOTHER,
    )


def text(claim: Claim) -> Iterator[Finding]:
    """The steps; beside them the other variance that the proofs print, and the ridge that privacy is claimed for."""
    yield Finding(
        scope="the steps",
        verdict=Verdict.STATED,
        lemmas=(ONE_MINIMISER,),
        reason="it says what to draw, minimise, add and project; privacy and risk are claimed and judged elsewhere",
    )
    names = ("L", "epsilon", "delta", "r", "beta", "n")
    v = {name: sympy.Symbol(name, positive=True) for name in names} | {"delta": sympy.exp(-sympy.Symbol("s", positive=True))}
    m = symbolic()
    if claim.id in OTHERS:
        name, scope = OTHERS[claim.id]
        share = _quotient(apply(claim.formulas[name], m, v), apply(claim.formulas["sigma_1_squared"], m, v))
        survives = "128 is 32 at half of epsilon, which theta_1 has to itself where H takes the other half."
        yield from _differs(claim, f"{scope} is this one's", share, Severity.MISPRINT, survives)
        largest = next(p for p in find(PRIVACY[claim.id]).preconditions if "beta" in p.names and "lambda_" in p.names)
        ridge = sympy.Symbol("ridge", positive=True)
        sides = largest.test(Sides(), **{**{k: v[k] for k in ("beta", "r", "epsilon", "n")}, "lambda_": ridge})
        needed = sympy.solve(sympy.Eq(*sides), ridge)[0]
        share = _quotient(needed, apply(claim.formulas["least_lambda"], m, v))
        scope = "the least ridge is the one that the output is private with"
        yield from _differs(
            claim, scope, share, Severity.CONSTANT, f"With lambda {share} times as large ({PRIVACY[claim.id]})."
        )


JUDGES = {"lp/alg-5": text, "lp/alg-1": text}
