"""Judges of the way from stability to excess risk: the generalisation gap of a stable algorithm, and the decomposition."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.comparing import admitted, certified, proved, refuted
from dpsco.arguments.formula import apply, quantity
from dpsco.mutants.analysis import excess_risk as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.analysis.excess_risk import changes_by_at_most_tau, risks_are_finite, unbiased_at_optimum
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity

EXCHANGE = Lemma(
    "exchange of a record",
    "Let z'_1, ..., z'_n be independent of D and D_i be D with z'_i for z_i. Renaming z_i and z'_i, E ell(theta(D); z_i) = E "
    "ell(theta(D_i); z'_i), so with finite expectations the gap is the mean over i of E[ell(theta(D); z'_i) - ell(theta(D_i); "
    "z'_i)], each at most tau given the records. The pair D, D_i is unordered: minus the gap is at most tau as well.",
)
MEMORY = Lemma(
    "an algorithm that remembers",
    "Records uniform on K values, theta(D) = D, ell(D; z) = t if z is not in D, else 0. It is t-stable and no less; its "
    "empirical risk is 0 and its expected risk t (1 - 1/K)^n, which tends to t with K.",
)
HEAVY = Lemma(
    "a heavy tail",
    "A constant algorithm is 0-stable for every loss. With Pr[z > s] = 1/s for s >= 1 and ell(theta; z) = z, E min(z, s) = 1 + "
    "ln s has no bound: L is infinite, while Lhat is a finite number for every D, so E[L - Lhat] = infinity. The check loss of "
    "an outcome y = z does the same.",
)
LINEAR = Lemma(
    "expectation is linear",
    "For four finite numbers the decompositions are identities; E Lhat(theta*) = L(theta*) for a theta* that is chosen without "
    "the data, as a mean of n expectations that are all L(theta*).",
)
KINDS = 10**6
"""Values that a record of the remembering algorithm takes."""
SURVIVES = "It holds wherever E|ell(theta_hat(D); z)| is finite, for z in D and for z independent of D; bounded losses suffice."


def remembered(m: Numbers, n: str, change: str) -> Real:
    """t (1 - 1/K)^n."""
    return m.real(change) * m.frac(KINDS - 1, KINDS) ** int(n)


def gap(name: str, claim: Claim) -> Iterator[Finding]:
    """The generalisation gap of a stable algorithm: a heavy tail, an algorithm that remembers, the exchange argument."""
    names, m = {p.name for p in claim.parameters}, arb()
    scope = "E[L(theta_hat) - Lhat(theta_hat)], every stable algorithm"
    tests = claim.tests
    finite = risks_are_finite in tests
    heavy = {"n": "1", "tau": "1", "largest_expected_loss_change": "0", "mean_loss": "inf"}
    heavy = {key: value for key, value in heavy.items() if key in names}
    unlimited = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != risks_are_finite))
    if admitted(unlimited, [heavy]):
        claimed = apply(claim.formulas[name], m, {key: m.real(value) for key, value in heavy.items()})
        yield refuted(
            f"{scope}: losses whose expectation is infinite",
            ends(claimed)[1],
            "inf",
            heavy,
            method="a constant algorithm, a loss with E min(loss, s) = 1 + ln s for every s",
            severity=Severity.DOMAIN,
            survives=SURVIVES,
            rung=Rung.EXACT,
            lemmas=(HEAVY,),
            reading=Reading.ANOTHER if finite else Reading.PRINTED,
            reason="finiteness is read in: the cited source bounds the loss, here outcomes are said to be unbounded",
        )
    tries = [
        {"n": n, "tau": tau, "largest_expected_loss_change": change, "mean_loss": change}
        for n in ("1", "2", "3", "1000")
        for tau, change in (("0.25", "0.25"), ("1", "1"), ("7", "7"), ("1", "7"))
    ]
    tried = admitted(claim, [{key: value for key, value in at.items() if key in names} for at in tries])
    for at in tried:
        claimed = apply(claim.formulas[name], m, {key: m.real(value) for key, value in at.items()})
        true = remembered(m, at["n"], at["largest_expected_loss_change"])
        if m.gt(true, claimed) is True:
            yield refuted(
                scope,
                claimed,
                true,
                at,
                method=f"an algorithm that remembers its records, {KINDS} kinds of record",
                severity=Severity.CONSTANT,
                survives="The bound tau, for tau-stable algorithms with finite expected losses.",
                coverage=(f"{len(tried)} instances",),
                lemmas=(MEMORY,),
            )
            return
    s = symbols_of(claim.parameters)
    holds = bool(sympy.simplify(apply(claim.formulas[name], symbolic(), s) - s["tau"]).is_nonnegative)
    if not holds or changes_by_at_most_tau not in tests:
        yield proved(scope, False, "")
        return
    for side, reading in (("", Reading.PRINTED), (", in absolute value", Reading.MEANT)):
        yield certified(
            f"{scope}{side}",
            "tau by exchanging records; the printed bound less tau is nonnegative by computer algebra",
            EXCHANGE,
            coverage=(f"{len(tried)} instances",),
            given=(changes_by_at_most_tau, risks_are_finite),
            reading=reading,
            reason="tau is not improvable: an algorithm that remembers comes as near as one likes",
        )


RISKS = (
    {"population_risk": "3", "empirical_risk": "1", "optimal_risk": "2", "empirical_risk_at_optimum": "2"},
    {"population_risk": "0.7", "empirical_risk": "-4", "optimal_risk": "0.125", "empirical_risk_at_optimum": "0.125"},
    {"population_risk": "3", "empirical_risk": "0.5", "optimal_risk": "2", "empirical_risk_at_optimum": "1"},
)
"""The last: a theta* that was fitted to the data, for claims that do not exclude it."""


def identity(relation: Relation, claim: Claim) -> Iterator[Finding]:
    """Two sides of the decomposition, as identities in the four risks, theta* chosen without the data."""
    m, tried = arb(), admitted(claim, RISKS)
    for at in tried:
        left, right = (
            quantity(claim, name, m, {key: m.real(v) for key, v in at.items()}) for name in (relation.left, relation.right)
        )
        if m.eq(left, right) is False:
            yield refuted(
                str(relation),
                right,
                left,
                at,
                method="both sides at four numbers that some model has as its risks",
                severity=Severity.CONCLUSION,
                survives="The decomposition with empirical risk subtracted and added, theta* chosen without the data.",
            )
            return
    s: dict[str, Any] = symbols_of(claim.parameters)
    fixed = unbiased_at_optimum in claim.tests
    if fixed:
        s["empirical_risk_at_optimum"] = s["optimal_risk"]
    left, right = (quantity(claim, name, symbolic(), s) for name in (relation.left, relation.right))
    yield proved(
        str(relation),
        sympy.expand(left - right) == 0,
        "computer algebra: the difference is 0",
        lemmas=(LINEAR,),
        given=(unbiased_at_optimum,) if fixed else (),
        remark="for finite expectations, as the four numbers are; with E|y| infinite both sides are infinity less infinity",
        coverage=(f"{len(tried)} instances",),
    )


def table(claim: Claim) -> Table:
    """Readers of the claim's assertions."""
    sides = {*claim.formulas, *(parameter.name for parameter in claim.parameters)}
    equalities = [r for r in claim.asserts if r.sign == "=" and {r.left, r.right} <= sides]
    bounds = {Relation("E[L(theta_hat) - Lhat(theta_hat)]", "<=", name): partial(gap, name) for name in claim.formulas}
    return {**bounds, **{relation: partial(identity, relation) for relation in equalities}}


def excess_risk(claim: Claim) -> Iterator[Finding]:
    """Each assertion by its own argument."""
    yield from by_assertion(claim, table(claim))


JUDGES = {f"quantile/{id}": excess_risk for id in ("lem-2.6", "eq-1")}

MUTANTS = {"quantile/lem-2.6": mutants.of_stability, "quantile/eq-1": mutants.of_decomposition}
