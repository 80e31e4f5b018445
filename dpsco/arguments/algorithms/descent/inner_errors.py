"""The error allowed to the lower minimisers of bilevel descent: is it small enough for the bound on the query?"""

from collections.abc import Iterator
from dataclasses import replace

import sympy

from dpsco.arguments.algorithms.descent.bilevel_gradients import ADVERSARIAL, INEXACT, constants
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.noise_scale import POST
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.reference.privacy.gaussian import profile
from dpsco.spec.algorithms.bilevel_descent.algorithm import alpha_is_small
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Real
from dpsco.verdict import Finding, Severity, Verdict


def inner_errors(claim: Claim, asserts: Relation) -> Iterator[Finding]:
    """alpha, as chosen or as limited, against K/(C n): all that the bound on the query asks of it, on each data set."""
    values = symbols_of(claim.parameters)
    for name in ("alpha_chosen", "alpha_limit"):
        if name not in claim.formulas:
            continue
        printed = apply(claim.formulas[name], symbolic(), values)
        terms = printed.args if isinstance(printed, sympy.Min) else (printed,)
        shares = [sympy.simplify(term * values["C"] * values["n"] / values["K"]) for term in terms]
        base = certified(
            f"link: {name} is at most K/(C n), whatever the data",
            "computer algebra; alpha is not released, and the bound on the query asks of each data set only this",
            INEXACT,
            given=(alpha_is_small,),
            asserts=(asserts,),
        )
        if any(bool(share.is_number and share <= 1) for share in shares):
            yield base
        elif (beyond := _error_costs(claim, name)) is not None:
            instance, true = beyond
            yield refuted(
                base,
                instance["delta"],
                true,
                instance,
                method="profile of the adversarial solver's queries at this alpha and the stated sigma, T = 1, enclosed",
                severity=Severity.CONSTANT,
                survives="With alpha <= K/(C n) the query moves by at most 3K/n.",
                lemmas=(POST, ADVERSARIAL),
            )
        else:
            yield replace(base, verdict=Verdict.OPEN, rung=None, reason=f"{name} is not shown to be at most K/(C n)")


def _error_costs(claim: Claim, name: str) -> tuple[dict[str, str], Real] | None:
    """An instance of the adversarial problem (b = 1, L_fx = 1) at which this alpha makes the stated noise too small."""
    for epsilon, delta in (("1", "1e-40"), ("1", "1e-5"), ("100", "1e-5"), ("1", "0.5")):
        instance = {"epsilon": epsilon, "delta": delta, "n": "1000000", "d_x": "1", "T": "1"}
        m = arb(192)
        values = {
            **constants(m, L_fx=1, beta_fxx=1, beta_fxy=1, beta_gyy=1),
            "gap": m.real("1e40"),
            "gap_bound": m.real("1e40"),
        }
        values |= {key: m.real(value) for key, value in instance.items()}
        alpha = apply(claim.formulas[name], m, values)
        slope = 1 - m.frac(5, 4) * alpha  # leaves L_fx = 1 for the part with y
        change = 2 * slope / values["n"] + 2 * alpha
        true = profile(m, values["epsilon"], change / apply(claim.formulas["sigma"], m, values))
        if m.gt(slope, 0) is True and m.gt(true, values["delta"]) is True:
            return instance, true
    return None
