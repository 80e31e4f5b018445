"""Judges of objective perturbation with discrete demand: the tail step, the three conditions on epsilon, the risk."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.algorithms.descent.averaged_descent import EXCHANGE
from dpsco.arguments.algorithms.objective_perturbation.risk import discrete_errors as errors
from dpsco.arguments.algorithms.objective_perturbation.risk.discrete_errors import BEYOND, DISTANCE, GAUSSIAN_GAP, RARE, SPLIT
from dpsco.arguments.algorithms.objective_perturbation.risk.discrete_tail import (
    BARELY,
    at_least_zero,
    outgrown,
    worst_law,
)
from dpsco.arguments.algorithms.objective_perturbation.risk.epsilon_thresholds import (
    FIRST_TERM,
    PRODUCT,
    THRESHOLD,
    at_least,
    converse,
    dominates,
    exponential_suffices,
    factor_suffices,
    product_suffices,
    reach_suffices,
)
from dpsco.arguments.algorithms.objective_perturbation.risk.objective_risk import MOVED, PERTURBED, SUM, unsmoothed
from dpsco.arguments.algorithms.objective_perturbation.risk.projected_minimiser import (
    ACROSS,
    ACROSS_ATOMS,
    projected_with_atoms,
)
from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.comparing import proved, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import expressed, named, nonnegative, two_terms
from dpsco.instances.discrete_demand import ACROSS_AT, ATOM, PEAK, RARE_AT, admits, around_thresholds, numbers
from dpsco.instances.discrete_demand import RARE as LAW
from dpsco.mutants.algorithms.objective_perturbation import discrete_demand as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbol
from dpsco.spec.algorithms.objective_perturbation import discrete_demand as spec
from dpsco.spec.algorithms.objective_perturbation.newsvendor_utility import UNPROJECTED, delta_is_small
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.conditions import features_are_bounded, optimum_in_ball
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Reading, Severity, as_step

PARTS = (MOVED, EXCHANGE, PERTURBED, SUM)
SHARP = "The same with exp(-1/(2 h)) in the place of exp(-1/h)."
ELSEWHERE = "What the projection onto the ball adds is a claim of its own, newsvendor/projection."
LARGER = "With the third threshold doubled, which exp(-1/(2 h)) asks for, it holds for the minimiser before projection."
UNHURT = "The bound for the minimiser before projection, with the third threshold doubled."


def tail_bound(name: str, scope: str, claim: Claim) -> Iterator[Finding]:
    """A mean over the error against the printed formula: proved where the formula is at least the split's value."""
    h, y = symbol(claim.parameter("h")), sympy.Symbol("y", positive=True)
    mean = name == "mass_terms"
    split = sympy.exp(-1 / (2 * h)) + sympy.exp(-1 / h)
    unit = sympy.Integer(1) if mean else h / sympy.sqrt(2 * sympy.pi)
    slack = sympy.simplify(expressed(claim, named(claim, name)) / unit) - split
    holds = at_least_zero(slack.subs(h, -1 / (2 * sympy.log(y))), y)
    given = (spec.mass_is_small, spec.bandwidth_is_within_reach)
    if set(given) <= claim.tests:
        worst = worst_law(claim, name, errors.mean_reached if mean else errors.gap_reached)
        if worst is not None:
            survives, used = ("The bound of the split.", (BEYOND,)) if mean else (SHARP, (GAUSSIAN_GAP, BEYOND))
            how, severity = "the error law of the lemma, enclosed", Severity.CONSTANT
            if not mean and outgrown(claim, name):
                how, severity = f"{how}; the ratio is unbounded as h falls, sqrt(h) = tau", Severity.RATE
            at, claimed, true = worst
            yield refuted(scope, claimed, true, at, how, severity, survives, lemmas=used)
            return
    lemmas = (SPLIT,) if mean else (SPLIT, GAUSSIAN_GAP)
    yield proved(scope, holds, "a polynomial in exp(-1/(2 h))", lemmas=lemmas, given=given)


def mass_step(right: str, claim: Claim) -> Iterator[Finding]:
    """mass_terms against the single exponential that it is bounded by, for every h."""
    h, y, scope = symbol(claim.parameter("h")), sympy.Symbol("y", positive=True), "every h > 0"
    sides = [expressed(claim, named(claim, name)).subs(h, -1 / (2 * sympy.log(y))) for name in (right, "mass_terms")]
    slack = sympy.simplify(sides[0] - sides[1])
    if at_least_zero(-slack, y) and slack != 0:
        m, at = arb(), {"h": "0.1"}
        claimed, true = (apply(claim.formulas[name], m, {"h": m.real("0.1")}) for name in (right, "mass_terms"))
        survives = "It fails for every h > 0; with exp(-1/(2 h)) on the right it holds."
        how = "both sides enclosed; the difference is negative for every h"
        yield refuted(scope, claimed, true, at, how, PROOF_STEP, survives)
        return
    yield proved(scope, at_least_zero(slack, y), "a polynomial in exp(-1/(2 h)) without roots in (0, 1)")


def tail(claim: Claim) -> Iterator[Finding]:
    """Each assertion of the tail step."""
    table: Table = {
        Relation("mean of exp(-(error - q)^2 / (2 h^2))", "<=", "mass_terms"): partial(
            tail_bound, "mass_terms", "every error law and every level"
        ),
        Relation("smoothed minus true population risk at the minimiser", "<=", "smoothing_error"): partial(
            tail_bound, "smoothing_error", "every error law, every level, exogenous error"
        ),
        **{Relation("mass_terms", "<=", name): partial(mass_step, name) for name in claim.formulas},
    }
    yield from by_assertion(claim, table)


def condition(claim: Claim) -> Iterator[Finding]:
    """Each implication of the list, and the conclusion from its three conditions."""
    table: dict[Relation, Callable[[Claim], Iterable[Finding]]] = {
        Relation("all three conditions", "=>", "smoothing_error <= statistical_bound"): product_suffices
    }
    for name in claim.formulas:
        if name.startswith("threshold"):
            threshold = f"epsilon >= {name}"
            table[Relation(threshold, "=>", "bandwidth <= tau^2")] = partial(reach_suffices, name)
            table[Relation(threshold, "=>", "error_factor <= 1")] = partial(factor_suffices, name)
            table[Relation(threshold, "=>", "exponential_factor <= statistical_bound")] = partial(exponential_suffices, name)
            for left in ("bandwidth <= tau^2", "error_factor <= 1", "exponential_factor <= statistical_bound"):
                table[Relation(left, "=>", threshold)] = partial(converse, name, left)
    yield from by_assertion(claim, table)
    if "threshold_reach_unmended" in claim.formulas:
        for finding in reach_suffices("threshold_reach_unmended", claim):
            scope = f"tau^2 under the root, as the text at hand has it: {finding.scope}"
            yield replace(as_step(finding), scope=scope, reading=Reading.ANOTHER)


GIVEN = (delta_is_small, features_are_bounded, optimum_in_ball, spec.mass_is_small)


def statistical(claim: Claim) -> bool:
    """Whether what is proved of the risk, but for smoothing, is at most the first term, given delta <= e^(-epsilon/2)."""
    sigma, lambda_ = named(claim, "sigma"), named(claim, "lambda_chosen")

    def raw(m: Numbers, v: Any) -> Real:
        return unsmoothed(m, v["r_bar"] * v["B_x"], v["n"], v["eta"], v["d"], sigma(m, v), v["B"])

    terms = two_terms(raw, claim)
    if terms is None:
        return False
    a, c = terms
    square = sympy.cancel(sympy.together(expressed(claim, lambda_) ** 2))
    risk = a**2 * square + 2 * a * c + c**2 / square
    s, epsilon, w = sympy.Symbol("s", nonnegative=True), symbol(claim.parameter("epsilon")), sympy.Symbol("w", nonnegative=True)
    first = expressed(claim, named(claim, "statistical_bound"))
    return first.is_positive is True and nonnegative(claim, (first**2 - risk).subs(s, epsilon / 2 + w))


def risk_with_smoothing(claim: Claim) -> Iterator[Finding]:
    """The statistical part of the risk, smoothing set apart."""
    yield proved(
        "the exact minimiser, before any projection; every distribution",
        statistical(claim),
        "squares compared coefficient by coefficient",
        lemmas=PARTS,
        given=GIVEN[:3],
        remark=ELSEWHERE,
    )


def smoothing(claim: Claim) -> Iterator[Finding]:
    """What smoothing costs at the minimiser, against the first term, under the claim's conditions."""
    m, first, found = arb(), named(claim, "statistical_bound"), []
    rare = {**RARE_AT, "K_bar": PEAK}
    for at in (*([rare] if admits(claim, rare) else ()), *around_thresholds(claim, ("1.000000001", "1.1"))):
        values = numbers(m, at)
        tau, h = values["tau"], apply(claim.formulas["bandwidth"], m, values)
        true, claimed = errors.gap_reached(m, h, tau, tau * m.real(BARELY)), first(m, values)
        if m.gt(true, claimed) is True:
            found.append((dict(at), claimed, true))
    scope = "the population minimiser, every error law of the assumption"
    if found and spec.mass_is_small in claim.tests:
        shown = found[0] if found[0][0] == rare else max(found, key=lambda row: float((row[2] / row[1]).mid()))
        how = "the error law of the lemma at a threshold, enclosed"
        at, claimed, true = shown
        yield refuted(scope, claimed, true, at, how, Severity.DOMAIN, LARGER, lemmas=(GAUSSIAN_GAP, BEYOND))
        return
    yield proved(
        scope,
        dominates(claim, spec.threshold_exponential_amended),
        "squares compared coefficient by coefficient",
        lemmas=(SPLIT, GAUSSIAN_GAP, THRESHOLD, FIRST_TERM, PRODUCT),
        given=(*GIVEN[3:], spec.epsilon_is_large_amended),
    )


def risk(claim: Claim) -> Iterator[Finding]:
    """The risk against the bound: an explicit law of rare long features, for both releases; else the sum of the two parts."""
    m, exceeded = arb(), False
    if claim.releases != UNPROJECTED:
        yield from across(claim)
    for release, projected in (("the exact minimiser", False), ("the minimiser, projected onto the ball", True)):
        at = {**RARE_AT, "K_bar": PEAK}
        if not admits(claim, at):
            continue
        values = numbers(m, at)
        true, claimed = errors.rare_risk(claim, m, LAW, values, projected), apply(claim.formulas["bound"], m, values)
        if m.gt(true, claimed) is True:
            exceeded = True
            law = f"x = (1, {LAW.z[0]}), with probability {LAW.p} (1, {LAW.z[1]}); error -{LAW.a} or {LAW.a}"
            scope = f"{release}: x in two dimensions, r = {LAW.r}"
            how = f"expected excess risk from below, enclosed: {law}"
            lemmas = (RARE, DISTANCE)
            yield refuted(scope, claimed, true, at, how, Severity.DOMAIN, LARGER, lemmas=lemmas, release=release)
    if exceeded:
        return
    both = statistical(claim) and dominates(claim, spec.threshold_exponential_amended)
    bound, first = (expressed(claim, named(claim, name)) for name in ("bound", "statistical_bound"))
    yield proved(
        "the exact minimiser, before any projection; every distribution",
        both and at_least(claim, bound, 2 * first),
        "the sum of the two parts, squares compared coefficient by coefficient",
        lemmas=(*PARTS, SPLIT, GAUSSIAN_GAP, THRESHOLD, FIRST_TERM, PRODUCT),
        given=(*GIVEN, spec.epsilon_is_large_amended),
        remark=ELSEWHERE,
    )


def across(claim: Claim) -> Iterator[Finding]:
    """The projected minimiser against the bound where the noise across the features is as long as the decision."""
    m, at = arb(), {**ACROSS_AT, "K_bar": PEAK}
    values = numbers(m, at)
    sigma, ridge, h = (apply(claim.formulas[name], m, values) for name in ("sigma", "lambda_chosen", "bandwidth"))
    claimed, true = apply(claim.formulas["bound"], m, values), projected_with_atoms(m, values, sigma, ridge, h, m.real(ATOM))
    if admits(claim, at) and m.gt(true, claimed) is True:
        release = "the minimiser, projected onto the ball"
        how = f"x = e_1, y = 1 + error, error {ATOM} or -{ATOM}: excess from below, enclosed"
        scope = f"{release}: many dimensions"
        rest: dict[str, Any] = {"lemmas": (ACROSS, ACROSS_ATOMS), "release": release, "reading": Reading.MEANT}
        yield refuted(scope, claimed, true, at, how, Severity.RATE, UNHURT, **rest)


def theorem(claim: Claim) -> Iterator[Finding]:
    """The two parts of the risk and their sum."""
    table: Table = {
        Relation("risk", "<=", "statistical_bound + smoothing error at the minimiser"): risk_with_smoothing,
        Relation("smoothing error at the minimiser", "<=", "statistical_bound"): smoothing,
        Relation("risk", "<=", "bound"): risk,
    }
    yield from by_assertion(claim, table)


JUDGES = {
    f"newsvendor/thm-EC.1{part}{suffix}": judge
    for part, judge in (("", theorem), ("-tail", tail), ("-condition", condition))
    for suffix in ("", "-amended")
}

MUTANTS = {
    "newsvendor/thm-EC.1-amended": mutants.of_theorem,
    "newsvendor/thm-EC.1-tail-amended": mutants.of_tail,
    "newsvendor/thm-EC.1-condition-amended": mutants.of_condition,
}
