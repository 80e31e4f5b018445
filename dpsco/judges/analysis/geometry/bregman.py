"""Judge of two facts on Bregman divergences: sums relative to a potential, and the three-point property.

Both follow from the printed conditions by one identity: the slack of the assertion is a sum of the conditions' slacks, with
coefficients that are nonnegative. Against a moved formula stand quadratics on the line.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import sympy

from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.analysis.geometry import bregman as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.analysis.geometry.bregman import (
    divergences_are_bregman,
    f_is_smooth_and_convex,
    potential_is_strongly_convex,
    star_is_optimal,
    value_is_convex,
)
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.domain import nonnegative, positive
from dpsco.spec.numbers import Truth
from dpsco.verdict import Finding, Lemma, Severity, Verdict

UPPER = Relation("divergence", "<=", "relative_smoothness")
LOWER = Relation("divergence", ">=", "relative_convexity")
THREE_POINTS = Relation("left", ">=", "right")
LINEAR = Lemma(
    "Bregman divergences are linear",
    "D_{f + alpha Phi} = D_f + alpha D_Phi at every pair of points. Smoothness of f and strong convexity of Phi in one norm "
    "are the two conditions on D_f, D_Phi and |x - y|.",
)
QUADRATICS = Lemma(
    "quadratics on the line",
    "f = b x^2/2 with 0 <= b <= beta and Phi = c x^2/2 with c >= 1 meet the conditions in |.|: D_f = b |x - y|^2/2, D_Phi = c "
    "|x - y|^2/2.",
)
OPTIMAL = Lemma(
    "optimality at z*",
    "phi is convex and Phi differentiable, so z* minimises phi + D_Phi(., z) only if some subgradient g of phi at z* has <g + "
    "grad Phi(z*) - grad Phi(z), x - z*> >= 0 for all x (with equality on the whole space); phi(x) >= phi(z*) + <g, x - z*>; "
    "and D_Phi(x, z) = D_Phi(z*, z) + D_Phi(x, z*) + <grad Phi(z*) - grad Phi(z), x - z*>.",
)
PROXIMAL = Lemma(
    "proximal steps of quadratics on the line",
    "phi = a x + b x^2/2, b >= 0, and Phi = c x^2/2, c > 0: z* = (c z - a)/(b + c).",
)
LINES = tuple(
    {"alpha": alpha, "beta": beta, "b": b, "c": c, "distance": distance}
    for alpha in ("1/7", "3")
    for beta in ("1/5", "1", "11")
    for b in ("0", "1/2", "1")
    for c in ("1", "4")
    for distance in ("1/3", "2")
)
STEPS = tuple(
    {"a": a, "b": b, "c": c, "z": z, "x": x}
    for a in ("-2", "0", "1")
    for b in ("0", "3")
    for c in ("1/4", "2")
    for z in "02"
    for x in "05"
)


def on_the_line(at: Mapping[str, str]) -> dict[str, Any]:
    """The numbers of lem-11 for two quadratics; b is a share of beta."""
    alpha, beta, b, c, distance = (sympy.Rational(at[name]) for name in ("alpha", "beta", "b", "c", "distance"))
    divergences = {"divergence_f": b * beta * distance**2 / 2, "divergence_phi": c * distance**2 / 2}
    return {"alpha": alpha, "beta": beta, "distance": distance, **divergences}


def after_a_step(at: Mapping[str, str]) -> dict[str, Any]:
    """The numbers of lem-12 for a quadratic phi and a quadratic Phi."""
    a, b, c, z, x = (sympy.Rational(at[name]) for name in ("a", "b", "c", "z", "x"))
    star = (c * z - a) / (b + c)
    values = {"value_x": a * x + b * x**2 / 2, "value_star": a * star + b * star**2 / 2}
    divergences = {
        "divergence_x_z": c * (x - z) ** 2 / 2,
        "divergence_star_z": c * (star - z) ** 2 / 2,
        "divergence_x_star": c * (x - star) ** 2 / 2,
    }
    return {**values, **divergences, "slope": (a + b * star) * (x - star), "gradient_gap": c * (star - z) * (x - star)}


def decide(
    claim: Claim,
    relation: Relation,
    values: Callable[[Mapping[str, str]], dict[str, Any]],
    instances: Sequence[Mapping[str, str]],
    conditions: Mapping[str, Any],
    lemmas: tuple[Lemma, Lemma],
    given: tuple[Callable[..., Truth], ...],
    survives: str,
) -> Iterator[Finding]:
    """One assertion: contradicted by an exact instance, or its slack a sum of slacks, `conditions` writing them out."""
    sign = 1 if relation.sign == "<=" else -1
    m = arb()
    for at in instances:
        exact = values(at)
        numbers = {name: m.frac(int(value.p), int(value.q)) for name, value in exact.items()}
        left, right = (apply(claim.formulas[side], m, numbers) for side in (relation.left, relation.right))
        if m.gt(sign * (left - right), m.real(0)) is True and all(p(m, numbers) is not False for p in claim.preconditions):
            yield refuted(
                str(relation),
                right,
                left,
                at,
                method="both sides at quadratics on the line, exact numbers",
                severity=Severity.CONSTANT,
                survives=survives,
                lemmas=(lemmas[1],),
            )
            return
    symbols = {p.name: sympy.Symbol(p.name, real=True) for p in claim.parameters} | dict(conditions)
    left, right = (apply(claim.formulas[side], symbolic(), symbols) for side in (relation.left, relation.right))
    slack = sympy.expand(sign * (right - left))
    parts = sorted(slack.free_symbols, key=str)
    signed = [name for name, x in conditions.items() if x.is_Symbol and x.is_nonnegative]
    inside = all(claim.parameter(name).domain in (positive, nonnegative) for name in signed)
    known = bool(parts) and all(x.is_nonnegative for x in parts)
    certain = known and inside and all(bool(c >= 0) for c in sympy.Poly(slack, *parts).coeffs())
    if certain or (slack == 0 and inside):
        yield certified(
            str(relation),
            f"computer algebra: the slack is {slack}, each letter the slack of a condition or a nonnegative number",
            lemmas[0],
            given=given,
            coverage=(f"{len(instances)} exact instances",),
        )
        return
    yield Finding(scope=str(relation), verdict=Verdict.OPEN, reason=f"the slack {slack} is not seen to be nonnegative")


def _nonnegative(*names: str) -> list[Any]:
    return [sympy.Symbol(name, nonnegative=True) for name in names]


def smooth(claim: Claim) -> Iterator[Finding]:
    """D_f = beta |x - y|^2/2 - v, D_Phi = |x - y|^2/2 + u."""
    alpha, beta, distance, u, v = _nonnegative("alpha", "beta", "distance", "u", "v")
    written = {"alpha": alpha, "beta": beta, "distance": distance}
    written |= {"divergence_f": beta * distance**2 / 2 - v, "divergence_phi": distance**2 / 2 + u}
    given = (f_is_smooth_and_convex, potential_is_strongly_convex)
    survives = "It holds with (alpha + beta) D_Phi."
    yield from decide(claim, UPPER, on_the_line, LINES, written, (LINEAR, QUADRATICS), given, survives)


def convex(claim: Claim) -> Iterator[Finding]:
    """D_f >= 0 alone."""
    names = ("alpha", "beta", "distance", "divergence_f", "divergence_phi")
    written = dict(zip(names, _nonnegative(*names), strict=True))
    survives = "It holds with alpha D_Phi."
    given = (f_is_smooth_and_convex,)
    yield from decide(claim, LOWER, on_the_line, LINES, written, (LINEAR, QUADRATICS), given, survives)


def three_points(claim: Claim) -> Iterator[Finding]:
    """phi(x) = phi(z*) + slope + u, slope = v - gap, and the three-point identity."""
    u, v = _nonnegative("u", "v")
    star, one, other, gap = (
        sympy.Symbol(name, real=True) for name in ("value_star", "divergence_star_z", "divergence_x_star", "gradient_gap")
    )
    written = {"value_x": star + (v - gap) + u, "value_star": star, "slope": v - gap, "gradient_gap": gap}
    written |= {"divergence_x_z": one + other + gap, "divergence_star_z": one, "divergence_x_star": other}
    given = (value_is_convex, star_is_optimal, divergences_are_bregman)
    survives = "It holds as it is printed."
    yield from decide(claim, THREE_POINTS, after_a_step, STEPS, written, (OPTIMAL, PROXIMAL), given, survives)


JUDGES = {"lp/lem-11": reading({UPPER: smooth, LOWER: convex}), "lp/lem-12": reading({THREE_POINTS: three_points})}

MUTANTS = {"lp/lem-11": mutants.of_sums, "lp/lem-12": mutants.of_three_points}
