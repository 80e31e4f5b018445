"""Judge of the supplier's loss to a private newsvendor: the shares, the expansion, its sign, and how likely the loss is."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy

from dpsco.arguments.algorithms.objective_perturbation.supply_facts import (
    ATTAINED,
    BERRY,
    CENTRAL,
    FAR_BALL,
    FIRST,
    PROFIT,
    SHIFT,
    TWO_POINTS,
    chance_of_gain,
    cost_at,
)
from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.comparing import admitted, proved
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import exponent, form, grows, told
from dpsco.mutants.algorithms.objective_perturbation import supply_chain as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.objective_perturbation.newsvendor_utility import bandwidth, lambda_chosen
from dpsco.spec.algorithms.objective_perturbation.supply_chain import newsvendor_gains, orders_are_positive
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

THIN = {"price": "2", "wholesale": "1", "cost": "0.5", "z": "0"}


def share(claim: Claim) -> Iterator[Finding]:
    """The share's formula against the profits, as an identity in the excess cost; then what P does to it."""
    m = symbolic()
    v: dict[str, Any] = {p.name: sympy.Symbol(p.name, real=True) for p in claim.parameters}
    profit = (v["price"] - v["wholesale"]) * (v["order"] - v["z"]) - v["least_cost"]
    true = profit / (profit + (v["wholesale"] - v["cost"]) * v["order_private"])
    same = sympy.simplify(apply(claim.formulas["share_newsvendor"], m, v) - true) == 0
    scope, guarded = "share = share_newsvendor + o(P) at every x", newsvendor_gains in {p.test for p in claim.preconditions}
    if not same:
        yield from moved_share(scope, claim)
    elif guarded:
        method = "without the excess cost the formula is the quotient of profits, identically"
        yield proved(scope, True, method, lemmas=(PROFIT,), given=(newsvendor_gains,))
    else:
        yield from without_profit(scope, claim)


def moved_share(scope: str, claim: Claim) -> Iterator[Finding]:
    """A formula that is not the quotient of profits, at a private order near the optimal one."""
    m = arb()
    at = {**THIN, "order": "3", "order_private": "2.999"}
    v = {**{name: m.real(value) for name, value in at.items()}, "least_cost": cost_at(m, m.real(0))}
    profit = m.real(3) - cost_at(m, m.real("0.001"))
    true = profit / (profit + m.real("0.5") * m.real("2.999"))
    claimed = apply(claim.formulas["share_newsvendor"], m, v)
    wrong = m.gt(m.abs(true - claimed), m.real("0.0001")) is True  # P is 0.0005, its square 2.5e-7
    if not wrong:
        yield proved(scope, False, "")
        return
    kept = "The quotient of profits."
    yield refuted(scope, claimed, true, at, "profits enclosed at an order 0.001 below the optimal one", Severity.CONSTANT, kept)


def without_profit(scope: str, claim: Claim) -> Iterator[Finding]:
    """Orders at which the joint profit is 0 or the newsvendor's is negative."""
    m = arb()
    v = {**{name: m.real(value) for name, value in THIN.items()}, "least_cost": cost_at(m, m.real(0))}
    v["order"] = v["least_cost"] / m.real("1.5")
    errors = []
    for text in ("0.01", "0.0001"):
        t = m.real(text)
        claimed = apply(claim.formulas["share_newsvendor"], m, {**v, "order_private": v["order"] - t})
        profit = v["order"] - cost_at(m, t)
        errors.append(m.abs(profit / (profit + (v["order"] - t) / 2) - claimed) / (t / 2))
    if m.gt(errors[1], 90 * errors[0]) is True:
        kept = "It holds wherever the joint profit at the optimal order is not 0."
        at = {**THIN, "order": "2 C/3, joint profit 0", "order - order_private": "0.01, then 0.0001"}
        how = "|share - share_newsvendor|/P, which is to vanish, at two private orders; enclosed"
        yield refuted(scope, m.real(0), errors[1], at, how, Severity.DOMAIN, kept)
    w = {**v, "order": m.real("0.6")}
    public, private = (apply(claim.formulas["share_newsvendor"], m, {**w, "order_private": m.real(q)}) for q in ("0.6", "0.59"))
    if m.lt(private, public) is True:
        scope = "P > 0 lowers the supplier's share"
        kept = "It does where the newsvendor's optimal profit is positive: the share then increases with P."
        at = {**THIN, "order": "0.6", "order_private": "0.59"}
        yield refuted(scope, public, private, at, "newsvendor's share with P = 0 and P = 0.005", Severity.DOMAIN, kept)


def refuted(
    scope: str, claimed: Real, true: Real, at: dict[str, str], method: str, severity: Severity, survives: str, *lemmas: Lemma
) -> Finding:
    """A refutation at one enclosed instance."""
    return Finding(
        scope=scope,
        verdict=Verdict.REFUTED,
        rung=Rung.POINT,
        method=method,
        claimed=ends(claimed)[1],
        computed=ends(true),
        at=at,
        severity=severity,
        survives=survives,
        lemmas=lemmas,
    )


def remainder(claim: Claim) -> Iterator[Finding]:
    """P less its expansion against the printed rate, part by part."""
    v = {name: sympy.Symbol(name, positive=True) for name in ("n", "sigma", "lambda_", "h")}
    rate = apply(claim.formulas["order_rate"], symbolic(), v)
    attained = [1 / sympy.sqrt(v["n"]), v["sigma"] / v["n"], v["lambda_"] ** 2, v["h"] ** 4]
    domain = [form(n=1), form(lambda_=-8, n=-1), form(h=-32, n=-1), form(n=1, sigma=-1)]
    scope = "P - expansion = O_p(order_rate), lambda and h tending to 0"
    for part in attained:
        path = grows(part, rate, domain)
        if path is not None:
            yield Finding(
                scope=scope,
                verdict=Verdict.REFUTED,
                rung=Rung.EXACT,
                method="exponents along the path: a part of the remainder that is attained",
                claimed=f"at most of order t^{exponent(rate, path)}",
                computed=(f"order t^{exponent(part, path)}",) * 2,
                at={"path, t -> infinity": told(path)},
                lemmas=(ATTAINED,),
                severity=Severity.STEP_ONLY,
                survives="It holds with (lambda + h^2)^2 added to the rate, so as printed for the chosen lambda and h at "
                "fixed epsilon.",
            )
            yield from at_chosen_values(claim)
            return
    within = all(grows(part, rate, domain) is None for part in attained)
    s = named(claim)
    expansion = apply(claim.formulas["revenue_loss_expansion"], symbolic(), s)
    true = 2 * s["lambda_"] * s["u_x"] + s["h"] ** 2 * s["kappa_2"] * s["v_x"] / 2
    within = within and sympy.simplify(expansion - (s["wholesale"] - s["cost"]) * true) == 0
    yield proved(scope, within, "each part of the remainder is O(rate); the expansion is the lemma's", lemmas=(SHIFT,))


def at_chosen_values(claim: Claim) -> Iterator[Finding]:
    """The printed rate at the chosen lambda and h and a fixed epsilon, which the paper evidently means."""
    v = chosen()
    values = {
        **v,
        "sigma": sympy.Integer(1),
        "lambda_": apply(lambda_chosen, symbolic(), v),
        "h": apply(bandwidth, symbolic(), v),
    }
    rate, fixed = apply(claim.formulas["order_rate"], symbolic(), values), {"B", "B_x", "r_bar", "K_bar", "epsilon"}
    parts = (1 / sympy.sqrt(v["n"]), 1 / v["n"], values["lambda_"] ** 2, values["h"] ** 4)
    if all(grows(part, rate, [form(n=1)], fixed) is None for part in parts):
        yield Finding(
            scope="the same at the chosen lambda and h and a fixed epsilon",
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method="each part of the remainder is O(rate)",
            lemmas=(SHIFT,),
            reading=Reading.MEANT,
        )


def chosen() -> dict[str, Any]:
    """Symbols for the chosen lambda and h, one dimension, delta fixed."""
    v: dict[str, Any] = {name: sympy.Symbol(name, positive=True) for name in ("epsilon", "n", "B", "B_x", "r_bar", "K_bar")}
    return v | {"d": sympy.Integer(1), "delta": sympy.exp(-14)}


def named(claim: Claim) -> dict[str, Any]:
    return {p.name: sympy.Symbol(p.name, real=True) for p in claim.parameters}


def at_every_feature(claim: Claim) -> Iterator[Finding]:
    """u'x for two feature vectors, in rationals: f(0) u'x is 1 +- 2."""
    f_u = (Fraction(1), Fraction(1) / Fraction(1, 4))
    orders, products = ([a + s * b / 2 for s in (1, -1)] for a, b in ((Fraction(1), Fraction(1)), f_u))
    m, at = arb(), {"smallest_order": str(float(min(orders)))}
    if admitted(claim, [{**at, **PRICES}]) and min(products) < 0:
        value = m.real(min(products)) / m.phi(m.real(0))
        kept = "It holds for one feature, and on average over the features: E[u'x] = E[q*(x)]/f(0)."
        scope, how = "q* > 0 everywhere => u'x > 0 for every x", "u'x = theta*'J^{-1} x at x = (1, -1/2), p = 2w"
        at = {**at, "x": "(1, -1/2)", "theta*": "(1, 1)"}
        yield refuted(scope, m.real(0), value, at, how, Severity.CONCLUSION, kept, TWO_POINTS)


PRICES = {**THIN, "order": "3", "least_cost": "0.7978845608"}


def on_average(claim: Claim) -> Iterator[Finding]:
    given = (orders_are_positive,)
    yield proved("E[u'x] > 0", True, "linear algebra on the first column", lemmas=(FIRST,), given=given)


def slope(claim: Claim) -> Iterator[Finding]:
    """v'x against the logarithmic derivative of the density of N(-z, 1) at 0."""
    t, z = sympy.symbols("t z", real=True)
    true = sympy.diff(-((t + z) ** 2) / 2, t).subs(t, 0)
    claimed = apply(claim.formulas["slope_over_density"], symbolic(), {"z": z})
    scope = "v'x = f'(0)/f(0), every x"
    if sympy.simplify(claimed - true) == 0:
        yield proved(scope, True, "the logarithmic derivative of the normal density", lemmas=(FIRST,))
        return
    m, at = arb(), {"z": "1"}
    value = apply(claim.formulas["slope_over_density"], m, {"z": m.real(1)})
    if m.eq(value, m.real(-1)) is False:
        yield refuted(scope, value, m.real(-1), at, "f'(0)/f(0) = -z", Severity.CONSTANT, "-z.", FIRST)


def ridge_wins(claim: Claim) -> Iterator[Finding]:
    """h^2 = O(lambda) for the chosen values, for every epsilon and for a fixed one."""
    v = chosen()
    left, right = apply(bandwidth, symbolic(), v) ** 2, apply(lambda_chosen, symbolic(), v)
    fixed = {"B", "B_x", "r_bar", "K_bar"}
    path = grows(left, right, [form(n=1)], fixed)
    if path is not None:
        yield Finding(
            scope="lambda is at least of the order of h^2, at the chosen lambda and h",
            verdict=Verdict.REFUTED,
            rung=Rung.EXACT,
            method="exponents of h^2 and lambda along the path, d = 1, delta fixed",
            claimed=f"h^2 at most of order t^{exponent(right, path)}",
            computed=(f"order t^{exponent(left, path)}",) * 2,
            at={"path, t -> infinity": told(path)},
            severity=Severity.DOMAIN,
            survives="At fixed epsilon h^2 is of smaller order than lambda.",
        )
    if grows(left, right, [form(n=1)], {*fixed, "epsilon"}) is None:
        method = "exponents: h^2 is of order 1/n, lambda of order 1/sqrt(n)"
        yield replace(proved("the same at fixed epsilon", True, method), reading=Reading.MEANT)


def likely(claim: Claim) -> Iterator[Finding]:
    """Pr[P > 0] against 1: an enclosed instance, and the limit."""
    m = arb()
    gain, limit = chance_of_gain(m)
    if m.gt(gain, m.real("0.3")) is True:
        kept = "Pr[P > 0] tends to Phi(2 ridge_limit u'x f(0)/sqrt(r (1-r) x'E[x x']^{-1}x)), below 1."
        at = {**FAR_BALL, "theta*": "1", "x": "1", "price/wholesale": "2", "limit": ends(limit)[0]}
        scope, how = "Pr[P > 0] at the chosen lambda", "1 less the lemma's lower bound of Pr[P <= 0]"
        yield refuted(scope, m.real(1), 1 - gain, at, how, Severity.CONCLUSION, kept, BERRY, CENTRAL)


def limit(claim: Claim) -> Iterator[Finding]:
    """The limit of Pr[P > 0] against the central limit theorem's."""
    scope = "limit of Pr[P > 0] where sqrt(n) lambda has one"
    m = arb()
    at = {"price": "4", "wholesale": "3", "ridge_limit": "0.7", "u_x": "0.4", "leverage": "1.7"}
    v: dict[str, Any] = {name: m.real(value) for name, value in at.items()} | {"z": m.real("-0.674489750196081743")}
    true = m.Phi(2 * v["ridge_limit"] * v["u_x"] * m.phi(v["z"]) / m.sqrt(v["leverage"] * 3 / 16))
    claimed = apply(claim.formulas["limit_probability"], m, v)
    if m.gt(m.abs(claimed - true), m.real("1e-12")) is True:
        kept = "The central limit theorem's value."
        yield refuted(scope, claimed, true, at, "enclosed at p = 4, w = 3", Severity.CONSTANT, kept, CENTRAL)
        return
    s, inner = named(claim), symbolic()
    r = (s["price"] - s["wholesale"]) / s["price"]
    known = inner.Phi(2 * s["ridge_limit"] * s["u_x"] * inner.phi(s["z"]) / sympy.sqrt(r * (1 - r) * s["leverage"]))
    same = sympy.simplify(apply(claim.formulas["limit_probability"], inner, s) - known) == 0
    yield proved(scope, bool(same), "the lemma's value, identically", lemmas=(CENTRAL,))


def table(claim: Claim) -> Table:
    """Readers of the claim's assertions."""
    loss = "Pr[revenue_loss_supplier > 0]"
    return {
        Relation("newsvendor's share of the joint profit", "~", "share_newsvendor, up to o(revenue_loss_supplier)"): share,
        Relation("revenue_loss_supplier - revenue_loss_expansion", "<=O", "order_rate (in probability)"): remainder,
        Relation("smallest_order > 0", "=>", "u_x > 0 for every x"): at_every_feature,
        Relation("smallest_order > 0", "=>", "mean of u_x over the features > 0"): on_average,
        Relation("v_x", "=", "slope_over_density"): slope,
        Relation("lambda_", ">=Omega", "h^2"): ridge_wins,
        Relation(loss, "~", "1"): likely,
        Relation(loss, "~", "limit_probability"): limit,
    }


def supply_chain(claim: Claim) -> Iterator[Finding]:
    """Each assertion by its own argument."""
    yield from by_assertion(claim, table(claim))


JUDGES = {"newsvendor/prop-EC.2": supply_chain, "newsvendor/prop-EC.2-amended": supply_chain}

MUTANTS = {"newsvendor/prop-EC.2-amended": mutants.of_amended}
