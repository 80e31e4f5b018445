"""Judge of the lower bounds of private bilevel optimisation: theorem, remark, the lemma on means, directions, the instance."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.analysis.private_means.above import BILEVEL, BILEVEL_LAWS, RANGE
from dpsco.arguments.analysis.private_means.below import (
    GROUPS,
    GROUPS_OF_LAWS,
    ON_BALLS,
    PURE_LAWS,
    PURE_UP_TO_ONE,
    TWO_LAWS,
    approximate_order,
    bounded_delta,
    pure_order,
    sizes,
)
from dpsco.arguments.analysis.private_means.probabilities import directions, marginals, off, rescaled
from dpsco.arguments.analysis.private_means.rates import Asked, Proved, decide, formula
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import proved
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import form
from dpsco.mutants.analysis.lower_bounds import bilevel as mutants
from dpsco.reference.analysis.lower_bounds.bilevel import (
    steepest_lower_slope,
)
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.analysis.lower_bounds.bilevel import (
    curvature_matches,
    x_is_in_ball,
    x_star_is_a_direction,
)
from dpsco.spec.analysis.lower_bounds.private_directions import (
    curvature_is_at_most,
    delta_is_small,
    epsilon_at_most_one,
    epsilon_is_up_to_x,
)
from dpsco.spec.claim import Claim, Relation
from dpsco.verdict import Finding, Lemma, Verdict

PLANE = Lemma(
    "two vectors in a plane",
    "Both sides are functions of |x|, |x*| and <x, x*>, so x* = (1, 0) and x = (a, b), a^2 + b^2 <= 1, hold every case.",
)
STANDS = "For epsilon <= max(1, d_x/16), delta <= (64 n)^-(1 + a) and sqrt(d_x min(d_x, ln(1/delta))) in (2): the amendment."
UNTOLD = (
    "Of an A that is not told the problem it would hold trivially, with the constant 1/4 and without privacy: on f = L <v, x> "
    "and f = -L <v, x> the excesses of one and the same answer add up to L times the width of the set."
)
KEPT = "For ln(1/delta) <= d_x, delta <= (64 n)^-(1 + a), epsilon <= 1; the part on epsilon-DP holds as printed."
HALVED = "Balls of half the radius meet the assumption where mu_g D_y <= L_gy, at the cost of a factor 2."


def _curvature(claim: Claim) -> Any:
    held = claim.tests
    return curvature_is_at_most if curvature_is_at_most in held else curvature_matches


def empirical(name: str, approximate: bool, claim: Claim) -> Iterator[Finding]:
    """The theorem's risk, in class and for every A that is told the problem."""
    order = approximate_order("d_x") if approximate else pure_order("d_x")
    given = (epsilon_is_up_to_x, _curvature(claim))
    shown = Proved(
        RANGE * order,
        bounded_delta("d_x") if approximate else sizes("d_x"),
        (*given, delta_is_small) if approximate else given,
        (*(GROUPS if approximate else PURE_UP_TO_ONE), ON_BALLS),
        "at least 1/(4 theta) of g (L_fx D_x + L_fy D_y), g as in the lemmas",
    )
    yield from _told(decide(claim, Asked(f"risk against {name}", formula(claim, name), BILEVEL, shown, STANDS)))


def _told(findings: Iterator[Finding]) -> Iterator[Finding]:
    """Refutations with the remark on algorithms that the claim is not about."""
    for finding in findings:
        yield replace(finding, reason=UNTOLD) if finding.verdict is Verdict.REFUTED else finding


def population(name: str, approximate: bool, claim: Claim) -> Iterator[Finding]:
    """The remark's risk: the private rate and the statistical term."""
    order = approximate_order("d_x") if approximate else pure_order("d_x")
    shown = Proved(
        RANGE * (order + 1 / sympy.sqrt(sympy.Symbol("n", positive=True))),
        bounded_delta("d_x") if approximate else (form(n=1), form(d_x=1)),
        (epsilon_at_most_one, delta_is_small, _curvature(claim)) if approximate else (_curvature(claim),),
        (*(GROUPS_OF_LAWS if approximate else PURE_LAWS), TWO_LAWS, ON_BALLS),
        "a maximum of two lower bounds is at least half their sum",
    )
    rate = formula(claim, name, "statistical_term")
    yield from _told(
        decide(claim, Asked(f"population risk against {name} + statistical_term", rate, BILEVEL_LAWS, shown, KEPT))
    )


def instance(claim: Claim) -> Iterator[Finding]:
    """The hard instance of case 1: its mixed curvature, its slope and its sets against the constants that it is to have."""
    v = {name: sympy.Symbol(name, positive=True) for name in ("mu_g", "L_gy", "D_x", "D_y")}
    m = symbolic()
    zeta = apply(claim.formulas["zeta"], m, v)
    x, y = (apply(claim.formulas[f"radius_{w}"], m, v) if f"radius_{w}" in claim.formulas else v[f"D_{w}"] for w in ("x", "y"))
    slope = steepest_lower_slope(m, v["mu_g"], zeta, x, y)
    bound = apply(claim.formulas["beta_gxy_of_instance"], m, v)
    inside = sympy.simplify(zeta * x - y) == 0
    holds = inside and sympy.simplify(bound - v["mu_g"] * zeta) == 0
    if inside and not holds:
        at = {"mu_g": "2", "L_gy": "6", "D_x": "5", "D_y": "3"}
        found, said = (value.subs({v[k]: sympy.Rational(a) for k, a in at.items()}) for value in (v["mu_g"] * zeta, bound))
        if found > said:
            yield off("mixed curvature of the instance", str(said), str(found), at, "It is mu_g zeta.")
            return
    yield proved("mixed curvature of the instance", holds, "exact: |grad_xy g| = mu_g zeta, and zeta X = Y")
    edge = {v["L_gy"]: v["mu_g"] * v["D_y"]}
    wanted = {
        "largest slope of g in y": (slope, v["L_gy"]),
        "diameter of X": (2 * x, v["D_x"]),
        "diameter of Y": (2 * y, v["D_y"]),
    }
    if "slope_of_g" in claim.formulas:
        wanted["displayed slope of g"] = (slope, apply(claim.formulas["slope_of_g"], m, v))
    for says, (has, limit) in wanted.items():
        quotient = sympy.simplify((has / limit).subs(edge))
        if quotient.is_number and quotient > 1:
            yield off(f"the proof's instance: {says}", str(limit), f"{quotient} {limit}", {"L_gy": "mu_g D_y"}, HALVED)
        else:
            method = f"exact: {quotient} of {limit} where L_gy = mu_g D_y, and the slope does not depend on L_gy"
            fits = quotient.is_number and not slope.has(v["L_gy"])
            yield proved(f"the proof's instance: {says}", bool(fits), method, given=(_curvature(claim),))


def quadratic(claim: Claim) -> Iterator[Finding]:
    """exact >= quadratic on the ball: the difference is a nonnegative multiple of 1 - |x|^2."""
    m, (a, b) = symbolic(), sympy.symbols("a b", real=True)
    v = {"zeta": sympy.Symbol("zeta", positive=True), "norm_Z_bar": sympy.Symbol("norm_Z_bar", nonnegative=True)}
    values = {**v, "x": [a, b], "x_star": [sympy.Integer(1), sympy.Integer(0)]}
    gap = sympy.simplify(apply(claim.formulas["exact"], m, values) - apply(claim.formulas["quadratic"], m, values))
    scope = "excess over the ball against its quadratic bound"
    held = claim.tests
    points = [(0, 0), (1, 0), (-1, 0), (sympy.Rational(3, 5), sympy.Rational(4, 5)), (0, sympy.Rational(1, 2))]
    for at in points if x_is_in_ball in held else [*points, (2, 0)]:
        value = gap.subs({a: at[0], b: at[1], v["zeta"]: 2, v["norm_Z_bar"]: sympy.Rational(1, 3)})
        if value < 0:
            where = {"x": str(at), "x_star": "(1, 0)", "zeta": "2", "norm_Z_bar": "1/3"}
            yield replace(
                off(scope, "0", str(-value), where, "The factor zeta/2 |Zbar|, equality where |x| = 1."),
                method="quadratic - exact, in exact arithmetic",
            )
            return
    share = sympy.simplify(gap / (1 - a**2 - b**2))
    turned = {**v, "x": [sympy.Rational(1, 15), sympy.Rational(2, 5)], "x_star": [sympy.Rational(3, 5), sympy.Rational(4, 5)]}
    off_axis = apply(claim.formulas["exact"], m, turned) - apply(claim.formulas["quadratic"], m, turned)
    along = {a: sympy.Rational(9, 25), b: sympy.Rational(14, 75)}  # the same x in the axes of that x*
    same = sympy.simplify(off_axis - gap.subs(along)) == 0
    holds = same and not share.free_symbols & {a, b} and share.is_nonnegative is True
    given = (x_is_in_ball, x_star_is_a_direction)
    yield proved(scope, holds, f"exact: the difference is {share} (1 - |x|^2)", lemmas=(PLANE,), given=given)


RISK, POPULATION = "risk of every {}-DP algorithm", "population risk of every {}-DP algorithm"
KINDS = (("epsilon", "pure_rate", False), ("(epsilon, delta)", "approximate_rate", True))
READ: Table = {
    **{Relation(RISK.format(kind), ">=Omega", name): partial(empirical, name, wide) for kind, name, wide in KINDS},
    **{
        Relation(POPULATION.format(kind), ">=Omega", f"{name} + statistical_term"): partial(population, name, wide)
        for kind, name, wide in KINDS
    },
    **{
        Relation(f"error of {kind}-DP A, with probability {share}", ">=Omega", name): partial(
            marginals, name, Fraction(share), wide
        )
        for kind, name, wide in KINDS
        for share in ("1/2", "1/3", "1/4", "1/16")
    },
    Relation("beta_gxy", "<=", "beta_gxy_of_instance"): instance,
    Relation("direction_error, with probability 1/2", ">=Omega", "1"): partial(directions, Fraction(1, 2), None),
    **{
        Relation(f"direction_error, with probability {share}", ">=", "least_direction_error"): partial(
            directions, Fraction(share), "least_direction_error"
        )
        for share in ("1/2", "1/4")
    },
    Relation("|A~(Z) - Zbar|", "<=", "rescaled"): rescaled,
    Relation("exact", ">=", "quadratic"): quadratic,
}
READER = reading(READ)
JUDGES = dict.fromkeys(
    ("bilevel/thm-3.9", "bilevel/thm-3.9-identity", "bilevel/lem-B.18", "bilevel/eq-18", "bilevel/rem-3.10"), READER
)
MUTANTS = {"bilevel/thm-3.9-identity": mutants.of_identity}
