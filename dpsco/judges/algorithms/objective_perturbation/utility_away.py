"""Judge of objective perturbation's risk away from the kink: smoothing, the sum, its closed form, the condition, the rate."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk as known
from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk_instances as reached
from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk_rates as rates
from dpsco.arguments.algorithms.objective_perturbation.risk.objective_risk_bounds import (
    Setting,
    at_chosen,
    at_every,
    filled,
    rate,
    refuted_along,
)
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import certified, proved
from dpsco.arguments.polynomial_slack import Side, bounded, expressed, named, nonnegative, quantities
from dpsco.mutants.algorithms.objective_perturbation import utility_away as mutants
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.objective_perturbation.utility_away import SPREAD, tail_is_light
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Severity, Verdict

HOW = Setting("regularisation_away", away=True)
OF_KERNEL = "The same with kappa_2 M/8 in the place of M, for every even kernel and every h."
OF_CONDITION = "The same under epsilon^4 + d ln(1/delta) epsilon^2/n >= omega/n."
OF_RATE = (
    "Under epsilon^4 + d ln(1/delta) epsilon^2/n >= Omega(1/n) it holds for epsilon <= 1, delta <= 1/2, and for all with "
    "ln(2/delta) + epsilon in the place of ln(1/delta)."
)
QUARTIC = Lemma(
    "the bandwidth tends to 0",
    "C/h^4 exceeds n times what the condition keeps above omega: h^4 <= C/(omega n), however epsilon, delta and d move with n.",
)


SMALL = Lemma(
    "smoothing away from the kink as h -> 0",
    "c_h(u) - c(u) = h int_t^inf (s - t) K(s) ds, t = |u|/h, for an even kernel. With K(s) <= s^-3 beyond v: at most h/(2 t) = "
    "h^2/(2 |u|) for t >= v, and h kappa_1/2 <= h^2 (kappa_1 v/2)/|u| for t < v. In the mean over u at most h^2 (M/2 + "
    "(kappa_1 v/2) E[1/|u|; |u| < h v]), whose last part tends to 0 by dominated convergence, as M is finite. The law of u and "
    "the kernel are fixed: the h from which on it is at most h^2 M depends on them.",
)


def approximation(claim: Claim) -> Iterator[Finding]:
    """What smoothing costs at theta*: as h -> 0 where the claim speaks of a light tail (the paper: "h -> 0 ... validating
    (9)"), and for every h."""
    if all(predicate.test != tail_is_light for predicate in claim.preconditions):
        yield at_every_bandwidth(claim)
        return
    right = named(claim, "approximation_error")

    def limit(m: Numbers, v: Mapping[str, Real]) -> Real:
        return v["h"] ** 2 * v["M"] / 2

    holds = nonnegative(claim, expressed(claim, right) - expressed(claim, limit))
    scope = "smoothing at theta* as h -> 0, residual's law and kernel fixed: at most h^2 (M/2 + o(1))"
    method = "the bound less h^2 M/2 has nonnegative coefficients"
    yield proved(scope, holds, method, lemmas=(SMALL,), given=(tail_is_light,))
    yield replace(at_every_bandwidth(claim), reading=Reading.ANOTHER)


def at_every_bandwidth(claim: Claim) -> Finding:
    """What smoothing costs at theta*, for every h."""
    right = named(claim, "approximation_error")

    def left(m: Numbers, v: Mapping[str, Real]) -> Real:
        return reached.kink(m, v["h"], v["M"], v["kappa_1"])

    def true(m: Numbers, v: Mapping[str, Real]) -> Real:
        return known.smoothing_away(m, v["h"], v["kappa_2"], v["M"])

    moment = "kappa_2" in quantities(claim)
    return bounded(
        Side(
            scope="smoothed less true risk at theta*, every h",
            claimed=right,
            reached=left,
            holds=moment and nonnegative(claim, expressed(claim, right) - expressed(claim, true)),
            method="the bound less the proved one has nonnegative coefficients",
            instances=reached.instances(claim, {**reached.ONE, "h": ("0.01", "1", "8")}, reached.AWAY),
            severity=Severity.CONSTANT,
            survives=OF_KERNEL,
            lemmas=(known.TAIL,),
            family=(reached.KINK,),
        )
    )


def spread(claim: Claim) -> Iterator[Finding]:
    """What smoothing costs at theta* where the residual's distribution functions are Lipschitz."""
    right = named(claim, "approximation_error_spread")

    def true(m: Numbers, v: Mapping[str, Real]) -> Real:
        return known.smoothing_spread(m, v["h"], v["kappa_2"], v["s"])

    axes = {**reached.ONE, "h": ("0.01", "1", "8"), "s": ("0.01", "2")}
    yield bounded(
        Side(
            scope="smoothed less true risk at theta* under a bounded density, every h",
            claimed=right,
            reached=reached.even,
            holds=nonnegative(claim, expressed(claim, right) - expressed(claim, true)),
            method="the bound less the proved one has nonnegative coefficients",
            instances=reached.instances(claim, axes, {"M": ("1",)}),
            severity=Severity.CONSTANT,
            survives="h^2 s kappa_2/2.",
            lemmas=(known.SPREAD,),
            family=(reached.EVEN,),
        )
    )


def at_every_lambda(claim: Claim) -> Iterator[Finding]:
    """The displayed sum."""
    yield at_every(claim, HOW, "risk_away", False, OF_KERNEL)


def at_printed_lambda(claim: Claim) -> Iterator[Finding]:
    """The closed form."""
    found = at_chosen(claim, HOW, "closed_form_away")
    yield replace(found, survives=OF_KERNEL) if found.verdict is Verdict.REFUTED else found


def implication(claim: Claim) -> Iterator[Finding]:
    """Does the condition, by its formula, make the one side dominate the other?"""
    scope, m = "condition_left >= omega/n => dominance_left >= a constant times dominance_right", symbolic()
    left, right, condition = (named(claim, name) for name in ("dominance_left", "dominance_right", "condition_left"))
    for path in rates.PATHS:
        values = rates.at(path)
        values = filled(claim, m, values, HOW.regularisation)
        admitted = rates.nonnegative_from_one(values["n"] * condition(m, values) - rates.OMEGA)
        if admitted and rates.leaves(right(m, values) ** 2, left(m, values)):
            why = "the condition holds, and the right side over the left one has the limit infinity"
            yield replace(refuted_along(scope, path, why, (), OF_CONDITION), severity=Severity.DOMAIN)
            return
    q = filled(claim, m, quantities(claim), None)
    most = q["n"] * condition(m, q)
    constant = rates.multiple(rates.plain(right(m, q) ** 2 * most), rates.plain(left(m, q) ** 2), rates.generators(claim))
    if constant is None:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="no constant found, and no path of those tried diverges")
        return
    yield certified(
        scope,
        f"dominance_right^2 n condition_left <= C dominance_left^2 with C = {constant}, n condition_left >= omega",
        coverage=tuple(rates.PATHS),
    )


def vanishing(claim: Claim) -> Iterator[Finding]:
    """Does the bandwidth tend to 0 as n grows, however the other parameters move under the condition?"""
    scope, m = "bandwidth at the chosen lambda, n -> infinity", symbolic()
    for path in rates.PATHS:
        values = rates.along(claim, path)
        if values is not None and rates.stays(filled(claim, m, values, HOW.regularisation)["h"] ** 2):
            why = "the bandwidth's square has a positive limit along a path that the condition admits"
            yield replace(refuted_along(scope, path, why, (), OF_CONDITION), claimed="0", severity=Severity.DOMAIN)
            return
    q = filled(claim, m, quantities(claim), HOW.regularisation)
    for predicate, most in rates.conditions(claim):
        constant = rates.multiple(rates.plain(q["n"] * most), rates.plain(q["h"] ** -4), rates.generators(claim))
        if constant is not None:
            yield certified(
                scope,
                f"h^4 <= C/(omega n), C = {constant}",
                QUARTIC,
                coverage=tuple(path for path in rates.PATHS if rates.along(claim, path) is not None),
                given=(predicate.test,),
            )
            return
    yield Finding(scope=scope, verdict=Verdict.OPEN, reason="no bound by a power of n found, and no path on which it stays")


def of_rate(name: str, claim: Claim) -> Iterator[Finding]:
    """The risk against a rate."""
    found = rate(claim, HOW, name)
    yield replace(found, survives=OF_RATE, severity=Severity.DOMAIN) if found.verdict is Verdict.REFUTED else found


READ: Table = {
    Relation("L_h(theta*) - L(theta*)", "<=", "approximation_error"): approximation,
    Relation(SPREAD, "<=", "approximation_error_spread"): spread,
    Relation("risk", "<=", "risk_away"): at_every_lambda,
    Relation("risk at regularisation_away", "<=", "closed_form_away"): at_printed_lambda,
    Relation("condition_left >= Omega(1/n)", "=>", "dominance_left >= Omega(dominance_right)"): implication,
    Relation("risk", "<=O", "rate_away"): partial(of_rate, "rate_away"),
    Relation("risk", "<=O", "rate_away_sum"): partial(of_rate, "rate_away_sum"),
    Relation("bandwidth as n -> infinity", "~", "0"): vanishing,
}

JUDGES = dict.fromkeys(("quantile/thm-3.6-2", "quantile/thm-3.6-2-amended"), reading(READ))
MUTANTS = {"quantile/thm-3.6-2-amended": mutants.of_away}
