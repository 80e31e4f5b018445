"""Judge of the supplier's loss to a private newsvendor: the shares, the expansion, its sign, and how likely the loss is."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.algorithms.objective_perturbation.asymptotics.supply_facts import (
    ATTAINED,
    BERRY,
    CENTRAL,
    CORRELATED,
    FAR_BALL,
    FIRST,
    ORDERED,
    PROFIT,
    SHIFT,
    chance_of_gain,
    cost_at,
)
from dpsco.arguments.algorithms.objective_perturbation.asymptotics.supply_terms import (
    COSTED,
    PRICED,
    STEEP,
    chosen,
    chosen_by,
    equals,
    inside,
    is_loss,
    many_records,
    share_of_parts,
    symbols,
)
from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.comparing import proved, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import exponent, form, grows, told
from dpsco.mutants.algorithms.objective_perturbation import supply_chain as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.objective_perturbation.supply_chain import (
    PRINTED,
    newsvendor_gains,
    orders_are_positive,
    prices_are_ordered,
)
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Real
from dpsco.verdict import Finding, Reading, Rung, Severity

THIN = {"price": "2", "wholesale": "1", "cost": "0.5", "z": "0"}


def share(claim: Claim) -> Iterator[Finding]:
    """The share, as one formula and from its parts, against the profits: an identity in the excess cost; then P's effect."""
    v = symbols(claim)
    profit = (v["price"] - v["wholesale"]) * (v["order"] - v["z"]) - v["least_cost"]
    true = profit / (profit + (v["wholesale"] - v["cost"]) * v["order_private"])
    wrong = [f for f in (claim.formulas["share_newsvendor"], share_of_parts(claim)) if not equals(claim, f, true)]
    scope, guarded = "share = share_newsvendor + o(P) at every x", newsvendor_gains in claim.tests
    if wrong:
        yield from moved_share(scope, claim, wrong[0])
    elif not is_loss(claim):
        yield proved(scope, False, "")
    elif guarded:
        method = "without the excess cost the formula, and what its parts make, is the quotient of profits, identically"
        yield proved(scope, True, method, lemmas=(PROFIT,), given=(newsvendor_gains, *PRICED))
    else:
        yield from without_profit(scope, claim)


def moved_share(scope: str, claim: Claim, formula: Callable[..., Real]) -> Iterator[Finding]:
    """A formula that is not the quotient of profits, at a private order near the optimal one."""
    m = arb()
    at = {**THIN, "order": "3", "order_private": "2.999"}
    v = {**{name: m.real(value) for name, value in at.items()}, "least_cost": cost_at(m, m.real(0))}
    profit = m.real(3) - cost_at(m, m.real("0.001"))
    true = profit / (profit + m.real("0.5") * m.real("2.999"))
    claimed = apply(formula, m, v)
    wrong = m.gt(m.abs(true - claimed), m.real("0.0001")) is True  # P is 0.0005, its square 2.5e-7
    if not (wrong and inside(claim, {**COSTED, **at})):
        yield proved(scope, False, "")
        return
    kept = "The quotient of profits."
    yield refuted(scope, claimed, true, at, "profits enclosed at an order 0.001 below the optimal one", Severity.CONSTANT, kept)


def without_profit(scope: str, claim: Claim) -> Iterator[Finding]:
    """Orders at which the joint profit is 0 or the newsvendor's is negative."""
    m = arb()
    if not inside(claim, {**COSTED, "order": "0.59", "smallest_order": "0.5"}):
        yield proved(scope, False, "")
        return
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


def remainder(claim: Claim) -> Iterator[Finding]:
    """P less its expansion against the printed rate: the coefficients of lambda and h^2, then what fluctuates."""
    v = {name: sympy.Symbol(name, positive=True) for name in ("n", "sigma", "lambda_", "h")}
    rate = apply(claim.formulas["order_rate"], symbolic(), v)
    scope = "P - expansion = O_p(order_rate) + o(lambda) + o(h^2), lambda and h tending to 0"
    wrong = list(wrong_coefficients(claim)) if many_records(claim) else [proved(scope, False, "")]
    if wrong:
        yield from wrong
        return
    attained = [1 / sympy.sqrt(v["n"]), v["sigma"] / v["n"]]
    domain = [form(n=1), form(lambda_=-1), form(h=-1), form(n=1, sigma=-1)]
    for part in attained:
        path = grows(part, rate, domain)
        if path is not None:
            yield refuted(
                scope,
                f"at most of order t^{exponent(rate, path)}",
                f"of order t^{exponent(part, path)}",
                {"path, t -> infinity": told(path)},
                "exponents along the path: a part of the remainder that is attained, lambda and h far smaller",
                Severity.RATE,
                "1/sqrt(n) + sigma/n.",
                Rung.EXACT,
                lemmas=(ATTAINED,),
            )
            return
    method = "the coefficients of lambda and h^2 are the lemma's; each part of the remainder is O(rate)"
    yield proved(scope, True, method, lemmas=(SHIFT,), given=(prices_are_ordered,))


def wrong_coefficients(claim: Claim) -> Iterator[Finding]:
    """P that is not the loss, or an expansion whose coefficients of lambda and h^2 are not the lemma's, at x = 1."""
    m, s = arb(), symbols(claim)
    shift = 2 * s["lambda_"] * s["u_x"] + s["h"] ** 2 * s["kappa_2"] * s["v_x"] / 2
    for name, moved in (("revenue_loss_supplier", s["order"] - s["order_private"]), ("revenue_loss_expansion", shift)):
        formula, scope = claim.formulas[name], "coefficients of lambda and h^2"
        if equals(claim, formula, (s["wholesale"] - s["cost"]) * moved):
            continue
        found = proved(scope, False, "")
        for ridge, h in (("1e-6", "1e-12"), ("1e-30", "1e-6")):  # one of the two alone, n as large as one likes
            at = {**STEEP, "kappa_2": "1", "u_x": "2", "v_x": "0.6744897501960817", "lambda_": ridge, "h": h}
            v = {key: m.real(value) for key, value in at.items()}
            value = 2 * v["lambda_"] * v["u_x"] + v["h"] ** 2 * v["kappa_2"] * v["v_x"] / 2  # wholesale - cost = 1
            claimed = apply(formula, m, {**v, "order_private": v["order"] - value})
            if inside(claim, at) and m.gt(m.abs(claimed - value), (v["lambda_"] + v["h"] ** 2) / 1000) is True:
                how = f"{name} to first order, lambda or h^2 alone and both far above 1/sqrt(n) + sigma/n"
                kept = "The coefficients 2 u'x and kappa_2 v'x/2."
                found = refuted(scope, claimed, value, at, how, Severity.CONSTANT, kept, lemmas=(SHIFT,))
                break
        yield found


def at_every_feature(claim: Claim) -> Iterator[Finding]:
    """u'x over the four feature vectors, in rationals."""
    theta, u = (Fraction(11, 10), Fraction(1), Fraction(0)), (Fraction(11, 10), Fraction(4, 3), Fraction(-2, 3))  # times f(0)
    points = [(1, a, b) for a in (1, -1) for b in (1, -1)]
    orders, products = ([sum(c * x for c, x in zip(side, point, strict=True)) for point in points] for side in (theta, u))
    m, at = arb(), {"smallest_order": str(float(min(orders)))}
    if inside(claim, {**COSTED, **at}) and min(products) < 0:
        value = m.real(Fraction(min(products))) / m.phi(m.real(0))
        kept = (
            "It holds for d <= 2 and wherever E[x x'] = I, and on average over the features: E[u'x] = E[q*(x)]/f(0). (Where it "
            "keeps a covariance Sigma of the features, the paper does not read standardised as E[x x'] = I.)"
        )
        scope, how = "q* > 0 everywhere => u'x > 0 for every x", "u'x = theta*'J^{-1} x at x = (1, -1, 1), p = 2w"
        at = {**at, "x": "(1, -1, 1)", "theta*": "(1.1, 1, 0)", "correlation": "1/2"}
        yield refuted(scope, m.real(0), value, at, how, Severity.CONCLUSION, kept, lemmas=(CORRELATED,))


def on_average(claim: Claim) -> Iterator[Finding]:
    """The lemma, where u'x and the features are what it speaks of."""
    meant = claim.parameter("u_x") == PRINTED.parameter("u_x") and "feature distributions, standardised" in claim.over
    method, given = "linear algebra on the first column: E[u'x] is the mean order over f(0)", (orders_are_positive, *PRICED)
    yield proved("E[u'x] > 0", meant, method, lemmas=(FIRST,), given=given)


def slope(claim: Claim) -> Iterator[Finding]:
    """v'x against the logarithmic derivative of the density of N(-z, 1) at 0."""
    t, z = sympy.symbols("t z", real=True)
    true = sympy.diff(-((t + z) ** 2) / 2, t).subs(t, 0)
    claimed = apply(claim.formulas["slope_over_density"], symbolic(), {"z": z})
    scope = "v'x = f'(0)/f(0), every x"
    if sympy.simplify(claimed - true) == 0:
        yield proved(scope, True, "the logarithmic derivative of the normal density", lemmas=(FIRST,), given=PRICED)
        return
    m, at = arb(), {"z": STEEP["z"]}
    value = apply(claim.formulas["slope_over_density"], m, {"z": m.real(at["z"])})
    if inside(claim, STEEP) and m.gt(m.abs(value + m.real(at["z"])), m.real("1e-12")) is True:
        yield refuted(scope, value, -m.real(at["z"]), at, "f'(0)/f(0) = -z", Severity.CONSTANT, "-z.", lemmas=(FIRST,))


def ridge_wins(power: int, claim: Claim) -> Iterator[Finding]:
    """h^power = O(lambda) for the chosen values: under the demand on epsilon of (EC.19), and for every epsilon."""
    v, formulas = chosen(), chosen_by(claim)
    left, right = (apply(formulas[name], symbolic(), v) for name in ("bandwidth", "lambda_chosen"))
    left, fixed = left**power, {"B", "B_x", "r_bar", "K_bar"} | (set() if many_records(claim) else {"n"})
    demanded = [form(n=1), form(epsilon=1, n="1/4")]
    scope = f"lambda is at least of the order of h^{power}, at the chosen lambda and h, epsilon >= C n^(-1/4)"
    for domain, reading in ((demanded, Reading.PRINTED), ([form(n=1)], Reading.ANOTHER)):
        path = grows(left, right, domain, fixed)
        if path is None and reading is Reading.PRINTED:
            remark = "the proof refers to the analysis around (EC.19), which demands such an epsilon"
            method = "exponents of the chosen lambda and h, d = 1, delta fixed"
            yield proved(scope, True, method, lemmas=(ORDERED,), remark=remark)
        elif path is not None:
            yield refuted(
                scope if reading is Reading.PRINTED else "the same for every epsilon",
                f"h^{power} at most of order t^{exponent(right, path)}",
                f"of order t^{exponent(left, path)}",
                {"path, t -> infinity": told(path)},
                f"exponents of h^{power} and lambda along the path, d = 1, delta fixed",
                Severity.DOMAIN,
                "For epsilon >= C n^(-1/4), as Theorem 2 demands, h^2 is O(lambda).",
                Rung.EXACT,
                reading=reading,
            )


def likely(claim: Claim) -> Iterator[Finding]:
    """Pr[P > 0] against 1: an enclosed instance, and the limit."""
    m, scope = arb(), "Pr[P > 0] at the chosen lambda"
    gain, limit = chance_of_gain(m, chosen_by(claim))
    here = inside(claim, {**COSTED, **FAR_BALL, "order": "1", "smallest_order": "1"})
    if not (is_loss(claim) and here and m.gt(gain, m.real("0.3")) is True):
        yield proved(scope, False, "")
        return
    kept = "Pr[P > 0] tends to Phi(2 ridge_limit u'x f(0)/sqrt(r (1-r) x'E[x x']^{-1}x)), below 1."
    at = {**FAR_BALL, "theta*": "1", "x": "1", "price/wholesale": "2", "limit": ends(limit)[0]}
    how = "1 less the lemma's lower bound of Pr[P <= 0]"
    yield refuted(scope, m.real(1), 1 - gain, at, how, Severity.CONCLUSION, kept, lemmas=(BERRY, CENTRAL))


def limit(claim: Claim) -> Iterator[Finding]:
    """The limit of Pr[P > 0] against the central limit theorem's."""
    scope, m = "limit of Pr[P > 0] where sqrt(n) lambda has one", arb()
    if not (is_loss(claim) and many_records(claim)):
        yield proved(scope, False, "")
        return
    at = {**STEEP, "ridge_limit": "0.7", "u_x": "0.4", "leverage": "1.7"}
    v: dict[str, Any] = {name: m.real(value) for name, value in at.items()}
    true = m.Phi(2 * v["ridge_limit"] * v["u_x"] * m.phi(v["z"]) / m.sqrt(v["leverage"] * 3 / 16))
    claimed = apply(claim.formulas["limit_probability"], m, v)
    if inside(claim, at) and m.gt(m.abs(claimed - true), m.real("1e-12")) is True:
        kept = "The central limit theorem's value."
        yield refuted(scope, claimed, true, at, "enclosed at p = 4, w = 3", Severity.CONSTANT, kept, lemmas=(CENTRAL,))
        return
    s, inner = symbols(claim), symbolic()
    r = (s["price"] - s["wholesale"]) / s["price"]
    known = inner.Phi(2 * s["ridge_limit"] * s["u_x"] * inner.phi(s["z"]) / sympy.sqrt(r * (1 - r) * s["leverage"]))
    same = equals(claim, claim.formulas["limit_probability"], known)
    yield proved(scope, same, "the lemma's value, identically", lemmas=(CENTRAL,), given=PRICED)


def table(claim: Claim) -> Table:
    """Readers of the claim's assertions."""
    loss = "Pr[revenue_loss_supplier > 0]"
    return {
        Relation("newsvendor's share of the joint profit", "~", "share_newsvendor, up to o(revenue_loss_supplier)"): share,
        Relation(
            "revenue_loss_supplier - revenue_loss_expansion", "<=O", "order_rate (in probability), up to o(lambda) + o(h^2)"
        ): remainder,
        Relation("smallest_order > 0", "=>", "u_x > 0 for every x"): at_every_feature,
        Relation("smallest_order > 0", "=>", "mean of u_x over the features > 0"): on_average,
        Relation("v_x", "=", "slope_over_density"): slope,
        Relation("lambda_", ">=Omega", "h^2"): partial(ridge_wins, 2),
        Relation("lambda_", ">=Omega", "h"): partial(ridge_wins, 1),
        Relation(loss, "~", "1"): likely,
        Relation(loss, "~", "limit_probability"): limit,
    }


def supply_chain(claim: Claim) -> Iterator[Finding]:
    """Each assertion by its own argument."""
    yield from by_assertion(claim, table(claim))


JUDGES = {"newsvendor/prop-EC.2": supply_chain, "newsvendor/prop-EC.2-amended": supply_chain}

MUTANTS = {"newsvendor/prop-EC.2-amended": mutants.of_amended}
