"""Judges of the estimation error of objective perturbation: the private part, the sampling part, and all parts together.

Every "up to constants" is a question about exponents (`orders_of_growth`): what is proved is a sum of monomials, what is
reached are the explicit models of `estimation.laws`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import sympy

from dpsco.arguments.algorithms.objective_perturbation.estimation.laws import BEYOND, SAMPLE, Reached, holds_sampling_term
from dpsco.arguments.algorithms.objective_perturbation.estimation.limits import (
    UNIFORMITY,
    eventually_everything,
    eventually_sampling,
)
from dpsco.arguments.algorithms.objective_perturbation.estimation.parts import (
    ABOVE,
    CENTRED,
    CONVEX,
    FAR_DATA,
    NOISE_NORM,
    PARTS,
    SMOOTHED,
    SWALLOWED,
    UNIFORM,
    displays,
    factor_of_noise,
)
from dpsco.arguments.algorithms.objective_perturbation.estimation.rates import FAMILIES, bounds, stays, undecided, values
from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.comparing import proved, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import Exponents, bounded_above, exponent, form, grows, told
from dpsco.mutants.algorithms.objective_perturbation import estimation as mutants
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.objective_perturbation.estimation import delta_is_polynomial, error_is_small, shift_is_small
from dpsco.spec.analysis.smoothing.bias import a_density_has_these, features_have_these
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.conditions import optimum_in_ball
from dpsco.spec.losses.quantile.summaries import a_kernel_has_these, some_level_gives_lipschitz
from dpsco.verdict import PROOF_STEP, Finding, Part, Reading, Rung, Severity, Verdict

SHOWN = frozenset({"n", "d", "epsilon", "s", "g", "rho_1", "f"})
"""What the constants of Theorem 4.5 do not depend on: the quantities that it shows; s = ln(1/delta), g = ln(1/gamma)."""
KEPT_NOISE = (
    "|theta_OP - theta#| <= |b|/(2 n lambda), and the rate with ln(2/delta) + epsilon for ln(1/delta): so the printed one for "
    "epsilon = O(ln(1/delta)) and delta away from 1."
)
KEPT_SAMPLE = (
    "The same bound where it is at most f/(48 l_1 B_x) and h is small, without the condition that ties lambda to h; the "
    "proof's display (28) needs the factor max(1, sqrt(B_x^2 - 1))." + UNIFORMITY
)
KEPT_ALL = (
    "The rate max(sqrt((d + ln(1/gamma))/n), sqrt(d ln(2/delta)/(n epsilon)))/(rho_1 f) where the sampling bound is small "
    "against f, h is small and |theta*| <= B_theta." + UNIFORMITY
)


def ridge_order(name: str, other: str, claim: Claim) -> Iterator[Finding]:
    """lambda of the risk theorem and the order that the lemma prints for it, one way."""
    v = values(claim)
    left, right = (apply(claim.formulas[formula], symbolic(), v) for formula in (name, other))
    survives = "The printed order is at most sqrt(2) times lambda, which is all that the proof uses."
    yield from stays(f"{name} = O({other})", left, right, bounds(claim), (), survives=survives, severity=Severity.DOMAIN)


def both_ways(claim: Claim) -> Iterator[Finding]:
    yield from ridge_order("regularisation", "regularisation_in_order", claim)
    yield from ridge_order("regularisation_in_order", "regularisation", claim)


def private_part(claim: Claim) -> Iterator[Finding]:
    """E|theta_OP - theta#| against a multiple of E|b|/(n lambda): half of it is the supremum over data sets."""
    scope, factor = "E|theta_OP - theta#|, every data set and every lambda", factor_of_noise(claim)
    if factor is not None and factor < sympy.Rational(1, 2):
        yield refuted(
            scope,
            str(factor),
            "0.5",
            {},
            method="in multiples of E|b|/(n lambda): the supremum over data sets is 1/2",
            severity=Severity.CONSTANT,
            survives="E|b|/(2 n lambda).",
            rung=Rung.EXACT,
            lemmas=(FAR_DATA,),
        )
        return
    method = f"printed: {factor} E|b|/(n lambda); proved: 1/2 of E|b|/(n lambda)"
    yield proved(scope, factor is not None, method, lemmas=(CONVEX,), remark="half the printed bound holds: 2 lambda-convexity")


def private_rate(claim: Claim) -> Iterator[Finding]:
    """The bound of the private part against its rate, for both readings of lambda."""
    for ridge, says in (
        ("regularisation", "lambda of the risk theorem"),
        ("regularisation_in_order", "lambda as printed here"),
    ):
        v = values(claim, ridge)
        if factor_of_noise(claim) is None:
            yield proved(f"private part, {says}", False, "")
            continue
        left = v["sigma"] * sympy.sqrt(v["d"]) / (v["n"] * v["lambda_"])
        right, scope = apply(claim.formulas["privacy_rate"], symbolic(), v), f"E|theta_OP - theta#| = O(privacy_rate), {says}"
        lemmas, given = (NOISE_NORM, CONVEX, FAR_DATA), (a_kernel_has_these,)
        domain = bounds(claim)
        yield from stays(
            scope, left, right, domain, (), survives=KEPT_NOISE, severity=Severity.DOMAIN, lemmas=lemmas, given=given
        )


def reached(claim: Claim, name: str, facts: Sequence[Reached], shown: frozenset[str], survives: str) -> Iterator[Finding]:
    """The distances that are reached, each against the claimed rate; constants do not depend on the quantities `shown`."""
    v = values(claim)
    names = {x.name for value in v.values() for x in value.free_symbols}
    claimed = apply(claim.formulas[name], symbolic(), v)
    claimed_names = {x.name for x in claimed.free_symbols}
    for fact in facts:
        if not fact.allowed(claim) or (fact is not BEYOND and not holds_sampling_term(v)):
            continue
        distance = fact.distance(v)
        # delta of order n^-w: s grows like ln n, so slower than every power of t
        still = {"s"} if delta_is_polynomial in claim.tests else set()
        path = grows(distance, claimed, fact.domain(v), (names - (fact.moving & shown)) | still)
        if path is not None:
            powers = exponent(claimed, path), exponent(distance, path)
            yield refuted(
                f"{name}: {fact.says}",
                f"at most of order t^{powers[0]}",
                f"of order t^{powers[1]}",
                {"path, t -> infinity": told(path)},
                method="an explicit model: the distance that is reached over the rate is unbounded along a path",
                severity=Severity.DOMAIN,
                survives=survives,
                rung=Rung.EXACT,
                coverage=tried(claim, facts),
                lemmas=(fact.lemma,),
                reason=None if "g" in claimed_names else "the theorem says that it leaves sqrt(ln(1/gamma)/n) out",
            )


def tried(claim: Claim, facts: Sequence[Reached]) -> tuple[str, ...]:
    """The models that the claim leaves room for."""
    return tuple(fact.says for fact in facts if fact.allowed(claim))


def sampling(claim: Claim) -> Iterator[Finding]:
    """|theta# - theta_h*| against the sampling rate, and the steps (27) and (28) of the printed proof."""
    wrong = list(reached(claim, "sampling_rate", SAMPLE, SHOWN | {"lambda_", "B"}, KEPT_SAMPLE))
    yield from wrong
    v = values(claim)
    right = apply(claim.formulas["sampling_rate"], symbolic(), v)
    parts = (PARTS["sample"](v), PARTS["ridge"](v))
    within = all(grows(part, right, bounds(claim)) is None for part in parts)
    tests = claim.tests
    given = (optimum_in_ball, some_level_gives_lipschitz, features_have_these, shift_is_small, error_is_small)
    if within and {*given} <= tests and not wrong:
        method = "within 32 (L sqrt((d + ln(1/gamma))/n) + B lambda)/(rho_1 f), each part O(printed rate)"
        scope = "|theta# - theta_h*|, every distribution and kernel"
        yield proved(scope, True, method, lemmas=(SMOOTHED, UNIFORM, CENTRED), given=given, coverage=tried(claim, SAMPLE))
    elif not wrong:
        yield proved("|theta# - theta_h*|", False, "")
    if not {shift_is_small, error_is_small} <= tests:
        yield from eventually_sampling(claim, v, right)
        yield from displays(claim)


def condition(claim: Claim) -> Iterator[Finding]:
    """The displayed condition: true whatever delta, with a constant that depends on l_1 and the kernel; not with constant 1."""
    v = values(claim)
    left, right = (apply(claim.formulas[name], symbolic(), v) for name in ("condition_left_at", "condition_right_at"))
    fixed = {x.name for x in (left + right).free_symbols} - SHOWN
    remark = "the order of delta in n is not used; constants depend on l_1, kappa_1, kappa_2, K_bar, B_x"
    survives = "The condition with a constant that depends on l_1 and the kernel."
    scope, domain = "condition_right_at = O(condition_left_at), every delta", bounds(claim)
    yield from stays(scope, right, left, domain, fixed, survives=survives, severity=PROOF_STEP, remark=remark)
    names = {x.name for x in (left + right).free_symbols} | {name for side in domain for name in side}
    steep = grows(right, left, domain, names - {"l_1"})
    if steep is not None:
        yield Finding(
            scope="the same with a constant that does not depend on l_1 and the kernel, as Lemma 4.4 prints the condition",
            verdict=Verdict.REFUTED,
            rung=Rung.EXACT,
            method="exponents along the path",
            at={"path, t -> infinity": told(steep)},
            reading=Reading.ANOTHER,
            about=Part.PROOF,
            survives=survives,
        )

    n_epsilon = form(n=1, epsilon=-1)
    if exponent(v["lambda_"], n_epsilon) >= 0:
        yield refuted(
            "lambda = o(1), which Lemma 4.4 asks for as well, from the order of delta",
            "vanishing",
            (f"of order t^{exponent(v['lambda_'], n_epsilon)}",) * 2,
            {"path, t -> infinity": told(n_epsilon)},
            method="exponent of the chosen lambda along the path, delta of order n^-w",
            severity=PROOF_STEP,
            survives="lambda vanishes where n epsilon -> infinity and d ln(1/delta) = o((n epsilon)^2).",
            rung=Rung.EXACT,
            reading=Reading.ANOTHER,
        )


def smoothing(claim: Claim) -> Iterator[Finding]:
    """The smoothing bias at the chosen bandwidth; its denominator f - h l_1 kappa_1 is free to be small unless h is."""
    v = values(claim)
    small = shift_is_small in claim.tests
    margin, free = sympy.Symbol("margin", positive=True), sympy.Symbol("h", positive=True)
    above = free * v["l_1"] * v["kappa_1"] + margin
    # h small: the denominator is at least 3 f/4, so kappa_1 may be left out of it
    inside = {**v, "h": free, "kappa_1": sympy.Integer(0)} if small else {**v, "h": free, "f": above}
    left = sympy.simplify(apply(claim.formulas["bias"], symbolic(), inside)).subs(free, v["h"])
    right = apply(claim.formulas["smoothing_rate"], symbolic(), v if small else {**v, "f": above}).subs(free, v["h"])
    fixed = {x.name for x in (left + right).free_symbols} - SHOWN - {"margin"}
    survives = "The bound where h l_1 kappa_1 <= f/2."
    scope, given = "bias at the chosen bandwidth = O(smoothing_rate)", (shift_is_small,) if small else ()
    families, severity = (("f falls to h l_1 kappa_1, all else fixed", {"margin"}), *FAMILIES[-1:]), PROOF_STEP
    yield from stays(
        scope, left, right, bounds(claim), fixed, survives=survives, severity=severity, families=families, given=given
    )


def everything(name: str, claim: Claim) -> Iterator[Finding]:
    """E|theta_OP - theta*| against a rate whose constants do not depend on the quantities that it shows."""
    wrong = list(reached(claim, name, (*SAMPLE, BEYOND), SHOWN | {"optimum_norm"}, KEPT_ALL))
    yield from wrong
    v = values(claim)
    right, shown = apply(claim.formulas[name], symbolic(), v), {*SHOWN}
    model = (optimum_in_ball, some_level_gives_lipschitz, a_kernel_has_these, a_density_has_these, features_have_these)
    given = (*model, shift_is_small, error_is_small)
    tests = claim.tests
    if not {shift_is_small, error_is_small} <= tests:
        yield from eventually_everything(claim, name, v, right)
    rate = apply(claim.formulas["sampling_rate"], symbolic(), v)
    small = [side for part in (v["B"] * v["lambda_"], rate / v["f"]) for side in bounded_above(part**2)]
    domain = [*bounds(claim), form(f=-1), *(_kept(side, shown) for side in small)]
    within = all(
        grows(part(v), right, domain, {x.name for x in (part(v) + right).free_symbols} - shown) is None
        for part in PARTS.values()
    )
    if not wrong:
        holds = within and {*given} <= tests
        method = "each part of the proved bound is O(printed rate)"
        lemmas = (SMOOTHED, UNIFORM, CENTRED, CONVEX, NOISE_NORM, ABOVE, SWALLOWED)
        scope, coverage = "E|theta_OP - theta*|, every distribution and kernel", tried(claim, (*SAMPLE, BEYOND))
        yield proved(scope, holds, method, lemmas=lemmas, given=given, coverage=coverage)


def without_confidence(claim: Claim) -> Iterator[Finding]:
    """The display without ln(1/gamma), which the theorem's own sentence puts back: meant of fixed distributions at most."""
    for finding in everything("rate", claim):
        yield finding if finding.reading is Reading.MEANT else replace(finding, reading=Reading.ANOTHER)


def _kept(side: Exponents, names: set[str]) -> Exponents:
    return {name: e for name, e in side.items() if name in names}


END = "E|theta_OP - theta*| with probability >= 1 - gamma"


def table(claim: Claim) -> Table:
    """Readers of the claim's assertions."""
    return {
        Relation("regularisation", "~", "regularisation_in_order, up to constants"): both_ways,
        Relation("regularisation_in_order", "<=O", "regularisation"): partial(
            ridge_order, "regularisation_in_order", "regularisation"
        ),
        Relation("E|theta_OP - theta#|", "<=", "privacy_error"): private_part,
        Relation("privacy_error", "<=O", "privacy_rate"): private_rate,
        Relation("|theta# - theta_h*| with probability >= 1 - gamma", "<=O", "sampling_rate"): sampling,
        Relation("delta of order n^{-w}", "=>", "condition_left_at >= Omega(condition_right_at)"): condition,
        Relation("bias at bandwidth", "<=O", "smoothing_rate"): smoothing,
        Relation(END, "<=O", "rate_with_confidence"): partial(everything, "rate_with_confidence"),
        Relation(END, "<=O", "rate"): without_confidence,
    }


def estimation(claim: Claim) -> Iterator[Finding]:
    """Each assertion by its own argument."""
    yield from by_assertion(claim, {relation: partial(undecided, decide) for relation, decide in table(claim).items()})


IDS = tuple(f"quantile/{id}" for id in ("lem-4.3", "lem-4.4", "thm-4.5"))
JUDGES = {id: estimation for name in IDS for id in (name, f"{name}-amended")}

MUTANTS = {
    "quantile/lem-4.3-amended": mutants.of_noise,
    "quantile/lem-4.4-amended": mutants.of_sampling,
    "quantile/thm-4.5-amended": mutants.of_everything,
}
