"""Judges of the linear quantile model: whether an endogenous error leaves it linear, and whether its densities leave
E[1/|error|] finite."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.analysis.linear_quantile_laws import Side, Try, decide
from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.comparing import admitted, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.analysis.smoothing import linear_model as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbol, symbolic, symbols_of
from dpsco.spec.analysis.smoothing.linear_model import level_of_quantile, window_is_small
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

FIRST_ORDER = Lemma(
    "first-order condition",
    "The population risk is convex with gradient E[(F(x'theta | x) - r) x], F the conditional distribution function of y. "
    "Where x'theta is the conditional r-quantile for every x it is zero.",
)
MASS = Lemma(
    "mass near zero",
    "An l_1-Lipschitz density that is at least f at 0 is at least f - l_1 |t|, so Pr[|error| <= w] >= 2 f w - l_1 w^2 for w <= "
    "f/l_1, and E[1/|error|] >= 2 times the integral of (f - l_1 t)/t over [w, f/l_1] = 2 f (ln(f/(l_1 w)) - 1) + 2 l_1 w.",
)
HEIGHT = Lemma(
    "height of a Lipschitz density",
    "An l_1-Lipschitz density with value v at a point has a triangle of height v and slope l_1 on both sides below it: v^2/l_1 "
    "<= 1. The triangle itself attains it.",
)
AREA = Lemma(
    "area of the smoothing gap",
    "c_h - c = (E|u - hV| - |u|)/2 is nonnegative with integral h^2 kappa_2/2 over u, so its mean under a density is at most "
    "that times the density's supremum. It is taken as the mean of the difference: c_h - c is bounded by h kappa_1/2.",
)
DATA = (Fraction(10), Fraction(5), Fraction(-2))
"""theta* of the experiment: y = 10 + 5 x_1 - 2 x_2 + error*."""
SPREAD = 3
"""Standard deviation of the error's noise in the experiment."""


def quantile(claim: Claim) -> tuple[Any, Any, Any]:
    """The conditional quantile as an expression, and the symbols of x_1 and x_2."""
    s = symbols_of(claim.parameters)
    return apply(claim.formulas["endogenous_quantile"], symbolic(), s), s["x_1"], s["x_2"]


def affine(claim: Claim) -> Iterator[Finding]:
    """The conditional quantile against its affine part: q(x) + q(-x) - 2 q(0) at corners, or all its second derivatives."""
    scope, m, q = "the conditional quantile of y is affine in x", arb(), claim.formulas["endogenous_quantile"]
    at: dict[str, str] = {"r": "0.5", "z_r": "0"}
    for corner in (("1", "1"), ("1", "-1"), ("2", "0"), ("0", "2"), ("3", "1")):
        sides = [tuple(m.real(x) * sign for x in corner) for sign in (1, -1, 0)]
        there, opposite, middle = (apply(q, m, {"x_1": a, "x_2": b, "z_r": m.real(0)}) for a, b in sides)
        if m.eq(there + opposite, 2 * middle) is False:
            yield refuted(
                scope,
                f"exactly {ends(2 * middle)[1]}",
                there + opposite,
                {**at, "x_1": corner[0], "x_2": corner[1]},
                method="q(x) + q(-x) against 2 q(0), which are equal for an affine q",
                severity=Severity.DOMAIN,
                survives="It holds where the conditional quantile of y is affine in x, so for errors whose own conditional "
                "quantile is; in the experiment that excludes |x_1 x_2|.",
            )
            return
    found, x_1, x_2 = quantile(claim)
    holds = bool(sympy.Poly(found, x_1, x_2).total_degree() <= 1) if found.is_polynomial(x_1, x_2) else False
    yield proved(scope, holds, "computer algebra: a polynomial of degree at most 1 in x")


def risk_gradient(claim: Claim, m: Numbers, theta: Mapping[str, Real], size: str, z_r: str) -> list[Real]:
    """E[(F(x'theta | x) - r) x] for x = (1, +-size, +-size) with fair independent signs."""
    total, step, z = [m.real(0)] * 3, m.real(size), m.real(z_r)
    for first in (1, -1):
        for second in (1, -1):
            x = (m.real(1), first * step, second * step)
            q = apply(claim.formulas["endogenous_quantile"], m, {"x_1": x[1], "x_2": x[2], "z_r": z})
            above = sum((a * b for a, b in zip(theta.values(), x, strict=True)), start=m.real(0)) - q
            slope = (m.Phi(above / SPREAD + z) - m.Phi(z)) / 4
            total = [t + slope * entry for t, entry in zip(total, x, strict=True)]
    return total


def minimises(named: bool, claim: Claim) -> Iterator[Finding]:
    """theta* (of the data, or as the claim's formulas have it) against the first-order condition."""
    scope, m = "theta* minimises the population risk, every law of x", arb()
    formulas = ("intercept", "slope_1", "slope_2")
    # r is Phi(z_r) in what follows, so that condition is met by construction
    at_its_level = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != level_of_quantile))
    for size, z_r in (("1", "0"), ("3", "0"), ("1", "1")):
        z = {"z_r": m.real(z_r)}
        theta = {n: apply(claim.formulas[n], m, z) if named else m.real(v) for n, v in zip(formulas, DATA, strict=True)}
        at = {"x_1": size, "x_2": size, "z_r": z_r}
        found = risk_gradient(claim, m, theta, size, z_r)
        wrong = [g for g in found if m.eq(g, 0) is False]
        if wrong and admitted(at_its_level, [at]):
            yield refuted(
                scope,
                "0",
                wrong[0],
                at,
                method="an entry of the risk's gradient at theta*: r = Phi(z_r), x = (1, +-x_1, +-x_2) with fair signs",
                severity=Severity.DOMAIN,
                survives="The coefficients of the conditional quantile minimise the risk where that is affine in x.",
                reading=Reading.PRINTED if named else Reading.ANOTHER,
                reason=None if named else "the data's own (10, 5, -2): the theta* of the reformulation is another one",
            )
            return
    q, x_1, x_2 = quantile(claim)
    z = {"z_r": symbol(claim.parameter("z_r"))}
    theta_0, theta_1, theta_2 = (apply(claim.formulas[n], symbolic(), z) if named else sympy.S.NaN for n in formulas)
    holds = named and sympy.expand(q - theta_0 - theta_1 * x_1 - theta_2 * x_2) == 0
    method = "computer algebra: x'theta is the conditional quantile"
    yield proved(scope, bool(holds), method, lemmas=(FIRST_ORDER,), given=(level_of_quantile,))


def no_such_distribution(claim: Claim) -> Iterator[Finding]:
    """The lower bound of E[1/|error|] exceeds every M at a window that the claim admits."""
    s = symbols_of(claim.parameters)
    window = s["f"] / s["l_1"] * sympy.exp(-s["M"] / (2 * s["f"]) - 2)
    least = apply(claim.formulas["reciprocal_at_least"], symbolic(), {**s, "window": window})
    excess = sympy.simplify(sympy.expand_log(sympy.expand(least), force=True) - s["M"])
    scope = "E[1/|error|] finite beside a Lipschitz density that is positive at 0"
    if excess.is_positive and window_is_small in claim.tests and true_reciprocal(claim, s):
        yield Finding(
            scope=scope,
            verdict=Verdict.VACUOUS,
            rung=Rung.EXACT,
            method=f"at window = (f/l_1) e^(-M/(2f) - 2) the lower bound is M + {sympy.sstr(excess)} for every M, f and l_1",
            lemmas=(MASS,),
            reason="no distribution has both properties: part 2 of Theorem 3.6 and the estimation results never apply at once. "
            "An observation on two conditions: the paper nowhere asserts that both hold for one distribution",
        )
        return
    yield Finding(scope=scope, verdict=Verdict.OPEN, reason="the printed lower bound is not the one that the densities give")


def true_reciprocal(claim: Claim, s: Mapping[str, Any]) -> bool:
    """Whether the printed lower bound is the integral of 2 (f - l_1 t)/t over [window, f/l_1]."""
    f, l_1, w = s["f"], s["l_1"], s["window"]
    known = 2 * f * (sympy.log(f) - sympy.log(l_1) - sympy.log(w)) - 2 * (f - l_1 * w)
    return bool(
        sympy.simplify(sympy.expand_log(apply(claim.formulas["reciprocal_at_least"], symbolic(), s), force=True) - known) == 0
    )


def near_zero(claim: Claim) -> Iterator[Finding]:
    """Pr[|error| <= window] against the printed mass: the peaked density has exactly 2 f w - l_1 w^2."""
    s = symbols_of(claim.parameters)
    true = 2 * s["f"] * s["window"] - s["l_1"] * s["window"] ** 2
    tries = [
        Try({"f": f, "l_1": l_1, "r": "0.5", "window": w, "M": "1"}, partial(peaked_mass, f, l_1, w))
        for f, l_1 in (("0.5", "1"), ("0.1", "7"), ("1", "3"))
        for w in ("0.00001", "0.01", "0.3")
    ]
    side = Side(
        scope="Pr[|error| <= window], every such density",
        name="mass_near_zero",
        tries=tries,
        sign=">=",
        holds=sympy.simplify(apply(claim.formulas["mass_near_zero"], symbolic(), s) - true) == 0,
        method="the lemma's mass identically",
        lemmas=(MASS,),
        given=(window_is_small,),
    )
    yield decide(claim, side)


def peaked_mass(f: str, l_1: str, window: str) -> Real:
    m = arb()
    return 2 * m.real(f) * m.real(window) - m.real(l_1) * m.real(window) ** 2


def height(name: str, claim: Claim) -> Iterator[Finding]:
    """The supremum of the density: the triangle of slope l_1 and area 1."""
    tries = [Try({**at, "h": "1", "kappa_2": "1"}, partial(triangle_height, at["l_1"])) for at in TRIANGLES]
    l_1 = symbol(claim.parameter("l_1"))
    ratio = (
        sympy.simplify(apply(claim.formulas[name], symbolic(), {"l_1": l_1}) / sympy.sqrt(l_1))
        if name == "density_at_most"
        else 0
    )
    holds = bool(sympy.sympify(ratio).is_number and ratio >= 1)
    scope = "every conditional density of the error"
    yield decide(claim, Side(scope=scope, name=name, tries=tries, holds=holds, method="the lemma's height", lemmas=(HEIGHT,)))


TRIANGLES = tuple({"r": "0.5", "l_1": l_1, "f": f} for l_1, f in (("0.25", "0.1"), ("1", "0.5"), ("16", "2"), ("49", "1")))
"""Slopes with rational roots: the triangle's height is sqrt(l_1), its half-width 1/sqrt(l_1), its quantile at r = 1/2 is 0."""


def triangle_height(l_1: str) -> Real:
    return arb().sqrt(arb().real(l_1))


def gap_under(name: str, claim: Claim) -> Iterator[Finding]:
    """L_h(theta*) - L(theta*): the gap under the triangle, and the uniform kernel with edge h width below its half-width."""
    tries = [
        Try({**at, "h": h, "kappa_2": "0.75"}, partial(gap_of_triangle, at["l_1"], h))
        for at in TRIANGLES
        for h in ("0.00001", "0.01", "0.09")
    ]
    s = symbols_of(claim.parameters)
    tight = s["h"] ** 2 * s["kappa_2"] * sympy.sqrt(s["l_1"]) / 2
    ratio = sympy.simplify(apply(claim.formulas[name], symbolic(), s) / tight)
    side = Side(
        scope="L_h(theta*) - L(theta*), every distribution and kernel",
        name=name,
        tries=tries,
        holds=bool(ratio.is_number and ratio >= 1),
        method="a constant multiple, at least 1, of the product of the two lemmas",
        lemmas=(HEIGHT, AREA),
    )
    yield decide(claim, side)


def gap_of_triangle(l_1: str, h: str) -> Real:
    """E[(b - |error|)_+^2/(4b)] = sqrt(l_1) b^2/6 - l_1 b^3/24 for the uniform kernel's edge b = 3h/2 <= 1/sqrt(l_1)."""
    m = arb()
    b, slope = 3 * m.real(h) / 2, m.real(l_1)
    return m.sqrt(slope) * b**2 / 6 - slope * b**3 / 24


def table(claim: Claim) -> Table:
    """Readers of the claim's assertions."""
    names = claim.formulas
    return {
        Relation("endogenous_quantile", "is", "affine in (x_1, x_2)"): affine,
        Relation("theta*", "is", "a minimiser of the population risk"): partial(minimises, False),
        Relation("(intercept, slope_1, slope_2)", "is", "a minimiser of the population risk"): partial(minimises, True),
        Relation("reciprocal_at_least for every window < f/l_1", "<=", "M"): no_such_distribution,
        Relation("Pr[|y - theta*'x| <= window]", ">=", "mass_near_zero"): near_zero,
        **{Relation("conditional density of the error", "<=", name): partial(height, name) for name in names},
        **{Relation("L_h(theta*) - L(theta*)", "<=", name): partial(gap_under, name) for name in names},
    }


def linear_model(claim: Claim) -> Iterator[Finding]:
    """Each assertion by its own argument."""
    yield from by_assertion(claim, table(claim))


IDS = ("sec-4.1-linear", "sec-4.1-linear-amended", "asm-4.1-reciprocal", "asm-4.1-reciprocal-amended")
JUDGES = {f"quantile/{id}": linear_model for id in IDS}

MUTANTS = {
    "quantile/sec-4.1-linear-amended": mutants.of_linear,
    "quantile/asm-4.1-reciprocal-amended": mutants.of_density,
}
