"""Judge of one step of regularised mirror descent: Young's inequality, the size of the minimisers, the rewritten objective."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.cells import sign
from dpsco.arguments.comparing import admitted, compared, every_sign, order_of
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import Side, bounded, named, nonnegative, quantities
from dpsco.instances.grid import grid
from dpsco.mutants.algorithms.mirror_descent import proximal_step as mutants
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.mirror_descent.proximal_step import least_is_least, product_obeys_duality
from dpsco.spec.algorithms.mirror_descent.regularised_steps import potential_is_strongly_convex
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Verdict

AXES = {"a": ("0.01", "1", "7"), "noise_norm": ("0", "1", "3"), "distance": ("0", "0.02", "2", "14", "42")}
LOSSES = tuple(
    {"alpha": "2", "slope": slope, "beta": "1000000", "v": v} for slope in ("2", "0.5") for v in ("1.0001", "1.01", "3")
)
ATTAINED = Lemma(
    "duality is attained", "On the line <g, v> = |g| |v| for g and v of one sign, with Phi = v^2/2 and D = |v|^2/2."
)
HALF = Lemma("quadratic potential", "Phi = |.|_2^2/2 is 1-strongly convex, D_Phi(w, v) = |w - v|^2/2 attains the definition.")
OPTIMAL = Lemma(
    "two minimisers compared",
    "w*_alpha minimises F + alpha Phi: F(w*_alpha) + alpha Phi(w*_alpha) <= F(w~*) + alpha Phi(w~*), that is, Phi(w~*) - "
    "Phi(w*_alpha) >= (F(w*_alpha) - F(w~*))/alpha.",
)
FLAT = Lemma(
    "a loss with a long slope",
    "On the line let F' = beta (w - v) cut to [-l, l], and Phi = w^2/2. For l/alpha <= v - l/beta the minimisers are v and "
    "l/alpha; F(l/alpha) - F(v) = l (v - l/alpha) - l^2/(2 beta).",
)
CENTRED = Lemma("a centred loss", "F = beta w^2/2 has w~* = w*_alpha = 0 on every data set of such records: both sides are 0.")


def young(claim: Claim) -> Iterator[Finding]:
    """<g, v> <= |g| |v|, which is attained, against a form in |g| and |v|: by its discriminant."""

    def reached(m: Numbers, v: Mapping[str, Real]) -> Real:
        return apply(claim.formulas["left"], m, {**v, "inner_product": v["noise_norm"] * v["distance"]})

    yield bounded(
        Side(
            scope="(13): the product against the form in both norms, every a > 0",
            claimed=named(claim, "middle"),
            reached=reached,
            holds=_form_is_large(claim, reached),
            method="discriminant: a quadratic form A x^2 + C x y + B y^2 - x y with A, B >= 0 and C >= 1 or (1 - C)^2 <= 4 A B",
            instances=grid(claim, AXES),
            severity=PROOF_STEP,
            survives="<g, v> <= a |g|^2 + |v|^2/(4a).",
            given=(product_obeys_duality,),
            family=(ATTAINED,),
        )
    )


def _form_is_large(claim: Claim, reached: Callable[[Numbers, Mapping[str, Real]], Real]) -> bool:
    a, x, y, product = sympy.symbols("a x y product", positive=True)
    values = {"a": a, "noise_norm": x, "distance": y}
    left = apply(claim.formulas["left"], symbolic(), {**values, "inner_product": product})
    if sign(sympy.diff(left, product)) not in (">", ">=", "="):
        return False  # the largest product would not be the worst
    try:
        gap = apply(claim.formulas["middle"], symbolic(), values) - reached(symbolic(), values)
        form = sympy.Poly(sympy.expand(gap), x, y)
    except sympy.PolynomialError:
        return False
    if any(sum(powers) != 2 for powers in form.monoms()):
        return False
    A, C, B = (form.coeff_monomial(part) for part in (x**2, x * y, y**2))
    halves = all(sign(part) in (">", ">=", "=") for part in (A, B))
    return halves and (sign(C) in (">", ">=", "=") or sign(4 * A * B - C**2) in (">", ">=", "="))


def convexity(claim: Claim) -> Iterator[Finding]:
    """The form in both norms against the one with the divergence, at its least |v|^2/2 and everywhere above."""
    s = quantities(claim)
    more = sympy.Symbol("more", nonnegative=True)
    above = {**s, "step_divergence": s["distance"] ** 2 / 2 + more}
    right, middle = (apply(claim.formulas[name], symbolic(), above) for name in ("right", "middle"))

    def least(m: Numbers, v: Mapping[str, Real]) -> Real:
        return apply(claim.formulas["right"], m, {**v, "step_divergence": v["distance"] ** 2 / 2})

    yield bounded(
        Side(
            scope="(13): the form in both norms against the one with D_Phi, every 1-strongly convex Phi",
            claimed=least,
            reached=named(claim, "middle"),
            holds=nonnegative(claim, right - middle),
            method="with D = |v|^2/2 + more the difference has nonnegative coefficients",
            instances=grid(claim, AXES),
            severity=PROOF_STEP,
            survives="With |v|^2/(4a) in the middle both hold: the first side is at most the last.",
            given=(potential_is_strongly_convex,),
            family=(HALF,),
            decisive={"a": "1", "noise_norm": "1", "distance": "2"},
        )
    )


def regularised_is_smaller(claim: Claim) -> Iterator[Finding]:
    """Phi of both minimisers against the printed gap, which must be at most (difference of losses)/alpha."""
    s, more = quantities(claim), sympy.Symbol("more", nonnegative=True)
    gap = apply(claim.formulas["optimality_gap"], symbolic(), {**s, "loss_at_regularised": s["least_loss"] + more})

    def reached(m: Numbers, v: Mapping[str, Real]) -> Real:
        v = {name: m.real(str(value)) if isinstance(value, str) else value for name, value in v.items()}
        loss = v["slope"] * (v["v"] - v["slope"] / v["alpha"]) - v["slope"] ** 2 / (2 * v["beta"])
        at = {"loss_at_regularised": loss, "least_loss": m.real(0), "alpha": v["alpha"]}
        return apply(claim.formulas["optimality_gap"], m, at)

    yield bounded(
        Side(
            scope="(10): Phi of the empirical minimiser over that of the regularised one",
            claimed=lambda m, v: (v["v"] ** 2 - (v["slope"] / v["alpha"]) ** 2) / 2,
            reached=reached,
            holds=nonnegative(claim, more / s["alpha"] - gap),
            method="the proved difference less the printed gap has nonnegative coefficients",
            instances=LOSSES,
            severity=PROOF_STEP,
            survives="The difference of the losses over alpha.",
            lemmas=(OPTIMAL,),
            family=(FLAT,),
        )
    )


def gap_sign(claim: Claim, asked: str) -> Iterator[Finding]:
    """The gap against 0: at least 0 as w~* minimises, and 0 where both minimisers are the same."""
    s, more = quantities(claim), sympy.Symbol("more", nonnegative=True)
    gap = apply(claim.formulas["optimality_gap"], symbolic(), {**s, "loss_at_regularised": s["least_loss"] + more})
    known = {">": ">", ">=": ">=", "=": "="}.get(sign(gap) or "")
    at = {"alpha": "2", "loss_at_regularised": "1", "least_loss": "1"}
    found = compared(
        "(10): sign of the gap",
        claim.formulas["optimality_gap"],
        asked,
        lambda m: m.real(0),
        known=known,
        instances=[at],
        method="coefficients of a gap that grows from 0 with the difference of the losses",
        severity=PROOF_STEP,
        survives="The gap is at least 0.",
        lemmas=(CENTRED,),
        printed="right",
    )
    refuted = found.verdict is Verdict.REFUTED
    yield replace(
        found,
        given=() if refuted else (least_is_least,),
        lemmas=(CENTRED,) if refuted else (),
    )


def rewriting(claim: Claim, asked: str) -> Iterator[Finding]:
    """The objective before and after."""
    before, after = (claim.formulas[f"objective_{name}"] for name in ("before", "after"))
    values = {"linear": "0.3", "alpha": "2", "beta": "5", "phi_w": "7", "phi_t": "1.1", "phi_slope": "-0.4"}
    inside: dict[str, Any] = {"inner_product": "0", "noise_norm": "0", "distance": "0", "step_divergence": "0"}
    inside |= {"loss_at_regularised": "1", "least_loss": "0"}
    yield compared(
        "the rewritten objective",
        before,
        asked,
        after,
        known=order_of(before, after, claim),
        instances=admitted(claim, [{**inside, **values}]),
        method="computer algebra",
        severity=PROOF_STEP,
        survives="It holds with D_Phi and Phi written out.",
    )


READ: Table = {
    Relation("left", "<=", "middle"): young,
    Relation("middle", "<=", "right"): convexity,
    Relation("Phi(w~*) - Phi(w*_alpha)", ">=", "optimality_gap"): regularised_is_smaller,
    **every_sign("optimality_gap", "0", gap_sign),
    **every_sign("objective_before", "objective_after", rewriting),
}

JUDGES = dict.fromkeys(("lp/thm-7-young", "lp/thm-7-young-amended"), reading(READ))

MUTANTS = {"lp/thm-7-young-amended": mutants.of_amended}
