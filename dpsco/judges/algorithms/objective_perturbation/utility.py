"""Judge of objective perturbation's risk for every distribution: gap, empirical excess, the sum, its least value, the rate."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.algorithms.descent.averaged_descent import EXCHANGE
from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk as known
from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk_instances as reached
from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk_rates as rates
from dpsco.arguments.algorithms.objective_perturbation.risk.objective_risk_bounds import (
    Setting,
    at_chosen,
    at_every,
    deviation,
    filled,
    rate,
    refuted_along,
)
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import certified
from dpsco.arguments.polynomial_slack import Side, Value, bounded, expressed, named, nonnegative, quantities
from dpsco.mutants.algorithms.objective_perturbation import utility as mutants
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.conditions import optimum_in_ball
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Reading, Severity, Verdict

HOW = Setting("regularisation", away=False)
FIRST_MOMENT = "The bound with h kappa_1/2, with which the paper goes on."
OF_RATE = "The rate for epsilon <= 1, delta <= 1/2; and the closed form for all."


def gap(claim: Claim) -> Iterator[Finding]:
    """Population less empirical risk, for every lambda."""

    def left(m: Numbers, v: Mapping[str, Real]) -> Real:
        return reached.signs(m, v["L"], v["n"], v["lambda_"])

    def true(m: Numbers, v: Mapping[str, Real]) -> Real:
        return known.gap(m, v["L"], v["n"], v["lambda_"])

    right = named(claim, "stability")
    yield bounded(
        Side(
            scope="generalisation gap, every lambda",
            claimed=right,
            reached=left,
            holds=nonnegative(claim, expressed(claim, right) - expressed(claim, true)),
            method="the bound less the proved one has nonnegative coefficients",
            instances=reached.instances(claim, reached.PRIVACY, reached.REGULARISED),
            severity=Severity.CONSTANT,
            survives="L^2/(n lambda).",
            lemmas=(known.MOVED, EXCHANGE),
            family=(reached.SIGNS,),
        )
    )


def empirical(claim: Claim) -> Iterator[Finding]:
    """Smoothed empirical excess over theta*, in expectation, for every data set and lambda."""
    right = named(claim, "empirical_excess")

    def left(m: Numbers, v: Mapping[str, Real]) -> Real:
        full = filled(claim, m, v, None, False)
        norm, lambda_, sigma = v["optimum_norm"], v["lambda_"], full["sigma"]
        if m.eq(norm, m.real(0)) is True and m.eq(2 * v["L"], v["B_x"]) is True:
            return reached.bowl(m, v["n"], lambda_, sigma, v["B_x"])
        return reached.straight(m, norm, v["L"], lambda_)

    def claimed(m: Numbers, v: Mapping[str, Real]) -> Real:
        return right(m, filled(claim, m, v, None, False))

    def true(m: Numbers, v: Mapping[str, Real]) -> Real:
        return known.empirical(m, v["d"], v["sigma"], v["n"], v["lambda_"], v["optimum_norm"])

    yield bounded(
        Side(
            scope="smoothed empirical excess, every lambda and h",
            claimed=claimed,
            reached=left,
            holds=nonnegative(claim, expressed(claim, right) - expressed(claim, true)),
            method="the bound less the proved one has nonnegative coefficients",
            instances=reached.instances(claim, reached.PRIVACY, reached.REGULARISED),
            severity=Severity.CONSTANT,
            survives="d sigma^2/(8 n^2 lambda) + lambda |theta*|^2/2.",
            lemmas=(known.PERTURBED,),
            family=(reached.STRAIGHT, reached.BOWL),
        )
    )


def over_ball(claim: Claim) -> Iterator[Finding]:
    """|theta*| replaced by the radius."""
    small, large = named(claim, "empirical_excess"), named(claim, "empirical_excess_over_ball")
    q = quantities(claim)
    inside = {"B": q["optimum_norm"] + sympy.Symbol("ball_more", nonnegative=True)}
    difference = expressed(claim, large, **inside) - expressed(claim, small, **inside)
    yield bounded(
        Side(
            scope="empirical_excess <= empirical_excess_over_ball",
            claimed=lambda m, v: large(m, filled(claim, m, v, None, False)),
            reached=lambda m, v: small(m, filled(claim, m, v, None, False)),
            holds=nonnegative(claim, sympy.expand(difference)),
            method="B = |theta*| + something nonnegative: nonnegative coefficients",
            instances=reached.instances(claim, reached.PRIVACY, reached.REGULARISED),
            severity=PROOF_STEP,
            survives="The bound with |theta*|.",
            given=(optimum_in_ball,),
        )
    )


def with_second_moment(claim: Claim) -> Iterator[Finding]:
    """The sum as printed, kappa_2 in the smoothing term."""
    found = at_every(claim, HOW, "risk_printed", True, FIRST_MOMENT)
    yield replace(found, severity=Severity.MISPRINT) if found.verdict is Verdict.REFUTED else found


def derived(claim: Claim) -> Iterator[Finding]:
    """The sum as the links give it."""
    yield at_every(claim, HOW, "risk_derived", True)


def least(claim: Claim) -> Iterator[Finding]:
    """The closed form is the value of the sum at the printed lambda, and that lambda is where the sum is least."""
    raw, closed = named(claim, "risk_derived"), named(claim, "closed_form")

    def at_lambda(m: Numbers, v: Mapping[str, Real]) -> Real:
        return raw(m, filled(claim, m, v, "regularisation"))

    def least_value(m: Numbers, v: Mapping[str, Real]) -> Real:
        one, two = (raw(m, filled(claim, m, {**v, "lambda_": m.real(x)}, None)) for x in (1, 2))
        c = (2 * one - two) * 2 / 3  # the sum is a lambda + c/lambda
        return 2 * m.sqrt((one - c) * c)

    m, q = symbolic(), quantities(claim)
    q["sigma"] = deviation(claim)(m, q)
    q["h"] = named(claim, "bandwidth")(m, q)
    top = sympy.expand(rates.plain(raw(m, q) * q["lambda_"]))
    a, c = top.coeff(q["lambda_"], 2), top.coeff(q["lambda_"], 0)
    two_terms = sympy.expand(top - a * q["lambda_"] ** 2 - c) == 0 and nonnegative(claim, a) and nonnegative(claim, c)
    square = rates.plain(named(claim, "regularisation")(m, q) ** 2)
    here = two_terms and sympy.cancel(sympy.expand(square * a - c)) == 0
    value = two_terms and sympy.cancel(sympy.expand(rates.plain(closed(m, q) ** 2) - 4 * a * c)) == 0
    pairs = (
        ("risk_derived at the printed lambda = closed_form", at_lambda, closed, here and value),
        ("the minimum over lambda = closed_form", least_value, closed, value),
    )
    for scope, true, right, holds in pairs:
        yield from _equal(claim, scope, true, partial(_at_noise, claim, right), bool(holds))


def _at_noise(claim: Claim, value: Value, m: Numbers, v: Mapping[str, Real]) -> Real:
    return value(m, filled(claim, m, v, None))


def _equal(claim: Claim, scope: str, one: Value, other: Value, holds: bool) -> Iterator[Finding]:
    """Both inequalities."""
    for says, claimed, below in (("<=", other, one), (">=", one, other)):
        yield bounded(
            Side(
                scope=f"{scope}: {says}",
                claimed=claimed,
                reached=below,
                holds=holds,
                method="the sum is a lambda + c/lambda, lambda^2 = c/a and closed_form^2 = 4 a c identically",
                instances=reached.instances(claim, reached.PRIVACY, {"lambda_": ("1",)}),
                severity=PROOF_STEP,
                survives="The sum for every lambda.",
                lemmas=(known.LEAST,),
            )
        )


def closed(claim: Claim) -> Iterator[Finding]:
    """The closed form."""
    yield at_chosen(claim, HOW, "closed_form")


def rate_of_closed_form(claim: Claim) -> Iterator[Finding]:
    """The closed form, a formula, against the rate."""
    scope, m, q = "the closed form against the rate", symbolic(), quantities(claim)
    for path in rates.PATHS:
        values = rates.along(claim, path)
        if values is not None and rates.leaves(
            named(claim, "closed_form")(m, values) ** 2, named(claim, "rate_any_data")(m, values)
        ):
            yield refuted_along(scope, path, "closed form over rate, squared, has the limit infinity", (), OF_RATE)
            yield _usual(claim, scope)
            return
    yield _bounded_by(scope, q, claim, rates.generators(claim))


def _bounded_by(scope: str, q: Mapping[str, Real], claim: Claim, gens: tuple[Any, ...]) -> Finding:
    """The closed form is at most a constant times the rate, as quantities `q` that are polynomials in `gens` say."""
    m = symbolic()
    square = rates.plain(named(claim, "closed_form")(m, q) ** 2)
    large = sum(rates.squares(named(claim, "rate_any_data")(m, q)), sympy.Integer(0))
    constant = rates.multiple(square, large, gens)
    if constant is None:
        return Finding(scope=scope, verdict=Verdict.OPEN, reason="no constant found, and no path of those tried diverges")
    return certified(
        scope, f"closed_form^2 <= {constant} times the sum of the squares of the rate's terms", coverage=tuple(rates.PATHS)
    )


def _usual(claim: Claim, scope: str) -> Finding:
    """The same for epsilon <= 1 and delta <= 1/2, as these are chosen."""
    q = quantities(claim)
    less, more = sympy.symbols("epsilon_less delta_less", nonnegative=True)
    q |= {"epsilon": 1 / (1 + less), "delta": sympy.exp(-more) / 2}
    found = _bounded_by(f"{scope}, epsilon <= 1, delta <= 1/2", q, claim, (q["n"], q["d"], less, more))
    return replace(found, reading=Reading.MEANT)


def rate_of_risk(claim: Claim) -> Iterator[Finding]:
    """The risk against the rate."""
    found = rate(claim, HOW, "rate_any_data")
    yield replace(found, survives=OF_RATE, severity=Severity.DOMAIN) if found.verdict is Verdict.REFUTED else found


READ: Table = {
    Relation("E[L(theta_OP) - Lhat(theta_OP)]", "<=", "stability"): gap,
    Relation("E[Lhat_h(theta_OP) - Lhat_h(theta*)]", "<=", "empirical_excess"): empirical,
    Relation("empirical_excess", "<=", "empirical_excess_over_ball"): over_ball,
    Relation("risk", "<=", "risk_printed"): with_second_moment,
    Relation("risk", "<=", "risk_derived"): derived,
    Relation("risk_derived at regularisation and bandwidth", "=", "closed_form"): least,
    Relation("risk", "<=", "closed_form"): closed,
    Relation("closed_form", "<=O", "rate_any_data"): rate_of_closed_form,
    Relation("risk", "<=O", "rate_any_data"): rate_of_risk,
}


IDS = ("quantile/thm-3.6-1", "quantile/thm-3.6-1-proof", "quantile/thm-3.6-1-amended", "quantile/thm-3.6-1-proof-amended")
JUDGES = dict.fromkeys(IDS, reading(READ))
MUTANTS = {
    "quantile/thm-3.6-1-amended": mutants.of_risk,
    "quantile/thm-3.6-1-proof-amended": mutants.of_proof,
}
