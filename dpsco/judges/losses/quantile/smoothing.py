"""Judges of the smoothed check loss: its forms, derivatives, constants, distance from the check loss, and limit.

Each reader decides one assertion, with the sign that the claim gives it. What holds for every kernel of the definition rests
on a written lemma; for the four kernels it is proved case by case as well.
"""

from collections.abc import Iterator
from functools import partial

from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import admitted, compared, every_sign
from dpsco.arguments.losses.kernel_facts import LIMITS, facts, same
from dpsco.arguments.losses.second_derivative import second_derivative
from dpsco.arguments.losses.smoothed_loss import (
    AVERAGE,
    FARTHEST,
    SHAPES,
    SLOPE,
    STEEPEST,
    UNIFORM,
    WHOLE,
    at_zero,
    convolved,
    every_kernel,
    identity,
    minus_slope,
    nothing,
    ranging,
    scales,
    shaped,
    steepest,
    steepness,
    tight_smoothness,
    two_sided,
)
from dpsco.arguments.losses.tail_moment import gap_below_moment, moment_below_end, monotone_gap
from dpsco.instances.residuals import residuals
from dpsco.mutants.losses.quantile.smoothing import MUTANTS as MUTANTS
from dpsco.reference.losses import kernels
from dpsco.reference.losses.quantile import smoothing
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.kernels import KERNELS
from dpsco.verdict import Finding, Severity, Verdict

EVERYWHERE = (
    "The convolution, the first derivative and K_h >= 0 everywhere; the second derivative wherever K is continuous at u/h."
)
WHERE_CONTINUOUS = "The gradient everywhere; the Hessian wherever K is continuous at (y - theta'x)/h."
KEPT = "The other parts of the statement."


def check_loss(claim: Claim, sign: str) -> list[Finding]:
    """r u+ + (1 - r)(-u)+ against the printed form of the check loss."""
    finding = compared(
        "the check loss in its two forms",
        claim.formulas["c"],
        sign,
        two_sided,
        known="=" if same(claim.formulas["c"], two_sided, "", claim) else None,
        instances=admitted(claim, residuals("gaussian")),
        method="compared case by case, joints included",
        severity=Severity.CONSTANT,
        survives=KEPT,
        printed="left",
    )
    return [finding]


def form(name: str, claim: Claim, sign: str) -> list[Finding]:
    """The convolution of the check loss with K_h against a printed form."""
    if "c" in claim.formulas and not same(claim.formulas["c"], two_sided, "", claim):
        scope = f"convolution of c with K_h against '{name}'"
        return [Finding(scope=scope, verdict=Verdict.OPEN, reason="the printed c is not proved to be the check loss")]
    scope, printed, why = f"convolution of c with K_h against '{name}'", claim.formulas[name], (LIMITS, AVERAGE)
    found = [identity(scope, claim, sign, convolved, printed, kernel, WHOLE, why, KEPT) for kernel in KERNELS]
    return [*found, every_kernel(f"every kernel: {scope}", found, AVERAGE)]


def two_forms(left: str, right: str, claim: Claim, sign: str) -> list[Finding]:
    """Two printed forms of c_h against each other."""
    first, second = claim.formulas[left], claim.formulas[right]
    found = [
        compared(
            f"{kernel}: '{left}' against '{right}'",
            first,
            sign,
            second,
            known="=" if same(first, second, kernel, claim) else None,
            instances=admitted(claim, residuals(kernel)),
            method="compared case by case, joints included, in t = u/h",
            severity=Severity.CONSTANT,
            survives="The other forms.",
        )
        for kernel in KERNELS
    ]
    return [*found, every_kernel(f"every kernel: '{left}' against '{right}'", found, AVERAGE)]


def first_derivative(claim: Claim, sign: str) -> list[Finding]:
    """The derivative of c_h against the printed slope."""
    scope, printed = "first derivative", claim.formulas["slope"]
    found = [identity(scope, claim, sign, steepness, printed, kernel, WHOLE, (SLOPE,), KEPT) for kernel in KERNELS]
    return [*found, every_kernel("every kernel: first derivative", found, SLOPE)]


def derivative_of_slope(claim: Claim, sign: str) -> Iterator[Finding]:
    """The derivative of the slope, once the printed slope is proved to be the derivative of c_h."""
    for kernel in KERNELS:
        if not same(claim.formulas["slope"], steepness, kernel, claim):
            scope = f"{kernel}: derivative of the slope"
            yield Finding(scope=scope, verdict=Verdict.OPEN, reason="the printed slope is not proved to be c_h'")
            return
    yield from curved("second", EVERYWHERE, claim, sign)


def curved(name: str, survives: str, claim: Claim, sign: str) -> list[Finding]:
    """The second derivative against a printed formula, for the four kernels and then for every kernel."""
    found = [finding for kernel in KERNELS for finding in second_derivative(claim, sign, name, kernel, survives)]
    return [*found, every_kernel("every kernel: the second derivative where K is continuous", found, SLOPE)]


def against_zero(name: str, claim: Claim, sign: str) -> list[Finding]:
    """The printed second derivative against zero: positive inside a kernel's support, zero beyond it."""
    printed, found = claim.formulas[name], list[Finding]()
    for kernel in KERNELS:
        is_true = same(printed, smoothing.curvature, kernel, claim)
        known = is_true and facts(kernel)["positive"] and facts(kernel)["symmetric"] and facts(kernel)["zero outside"]
        everywhere = kernels.support(symbolic(), kernel) == symbolic().inf
        finding = compared(
            f"{kernel}: the sign of '{name}'",
            printed,
            sign,
            nothing,
            known=(">" if everywhere else ">=") if known else None,
            instances=admitted(claim, residuals(kernel)),
            method="K is positive on its support and zero outside, by computer algebra",
            severity=Severity.CONCLUSION,
            survives="K_h >= 0.",
            printed="left",
        )
        found.append(finding)
    return [*found, every_kernel(f"every kernel: the sign of '{name}'", found, SLOPE)]


def gradient(claim: Claim, sign: str) -> list[Finding]:
    """What multiplies x in the gradient of ell_h."""
    printed = claim.formulas["gradient"]
    found = [
        identity("gradient factor", claim, sign, minus_slope, printed, kernel, WHOLE, (SLOPE,), "The Hessian.")
        for kernel in KERNELS
    ]
    return [*found, every_kernel("every kernel: gradient factor", found, SLOPE)]


def lipschitz(claim: Claim, sign: str) -> list[Finding]:
    """The Lipschitz constant of ell_h in theta for one x, y: from 0 (x = 0) to max(r, 1 - r) B_x."""
    return ranging("Lipschitz constant, every kernel", claim, sign, "L", nothing, steepest, STEEPEST, scales(claim))


def smoothness(claim: Claim, sign: str) -> list[Finding]:
    """The smoothness constant of ell_h in theta for one x, y: from 0 (x = 0) to K_bar B_x^2 / h."""
    return ranging("smoothness constant, every kernel", claim, sign, "beta", nothing, tight_smoothness, STEEPEST, scales(claim))


def gap(name: str, claim: Claim, sign: str) -> list[Finding]:
    """c_h - c, which ranges from 0 to h kappa_1 / 2: every kernel by a lemma, the four exactly."""
    scope = f"c_h - c against '{name}', every kernel"
    found = ranging(scope, claim, sign, name, nothing, at_zero, FARTHEST, scales(claim))
    return [*found, *(monotone_gap(kernel) for kernel in KERNELS)] if name == "upper" else found


def largest(scope: str, name: str, claim: Claim, sign: str) -> list[Finding]:
    """The largest gap, which is h kappa_1 / 2, at u = 0, against a printed formula."""
    return ranging(scope, claim, sign, name, at_zero, at_zero, FARTHEST, scales(claim))


def uniform_distance(claim: Claim, sign: str) -> list[Finding]:
    """The largest distance between c_h and the printed limit, once that is proved to be the check loss."""
    scope = "uniform distance, every kernel"
    if not same(claim.formulas["limit"], two_sided, "", claim):
        return [Finding(scope=scope, verdict=Verdict.OPEN, reason="the printed limit is not proved to be the check loss")]
    return largest(scope, "rate", claim, sign)


def convergence(claim: Claim) -> list[Finding]:
    """Epigraphical convergence to the printed limit as h -> 0: the limit is unique, and the true rate h kappa_1 / 2 shrinks."""
    finding = compared(
        "epigraphical and uniform convergence as h -> 0, every kernel",
        two_sided,
        "=",
        claim.formulas["limit"],
        known="=" if same(claim.formulas["limit"], two_sided, "", claim) else None,
        instances=admitted(claim, residuals("gaussian")),
        method="the limit compared case by case; the distance h kappa_1 / 2 goes to 0",
        severity=Severity.CONCLUSION,
        survives="Convergence to the check loss.",
        lemmas=(FARTHEST, UNIFORM),
    )
    return [finding]


def gap_below_middle(claim: Claim, sign: str) -> list[Finding]:
    """c_h - c against the tail's first moment."""
    found = [gap_below_moment(claim, sign, kernel) for kernel in KERNELS]
    return [*found, every_kernel("every kernel: c_h - c against the tail's first moment", found, FARTHEST)]


def middle_below_upper(claim: Claim, sign: str) -> list[Finding]:
    """The tail's first moment against the last bound."""
    found = [moment_below_end(claim, sign, kernel) for kernel in KERNELS]
    return [*found, every_kernel("every kernel: the tail's first moment against h kappa_1 / 2", found, FARTHEST)]


GRADIENT = every_sign("gradient in theta", "gradient x", gradient)
CONSTANTS = every_sign("Lipschitz constant", "L", lipschitz) | every_sign("smoothness constant", "beta", smoothness)
SHAPED: Table = {Relation("c_h", "is", shape): partial(shaped, shape=shape) for shape in SHAPES}
GAP = every_sign("c_h - c", "lower", partial(gap, "lower"))

EQUATION: Table = {
    **every_sign("c", "r u+ + (1 - r)(-u)+", check_loss),
    **every_sign("convolution of c with K_h", "c_h", partial(form, "c_h")),
    **every_sign("derivative of c_h", "slope", first_derivative),
    **every_sign("derivative of slope", "second", derivative_of_slope),
    **every_sign("second", "0", partial(against_zero, "second")),
    **SHAPED,
}
DERIVATIVES: Table = {
    **GRADIENT,
    **every_sign("Hessian in theta", "hessian xx'", partial(curved, "hessian", WHERE_CONTINUOUS)),
    **every_sign("hessian", "0", partial(against_zero, "hessian")),
}
SANDWICH: Table = {
    **GAP,
    **every_sign("c_h - c", "upper", partial(gap, "upper")),
    **every_sign("largest c_h - c", "upper", partial(largest, "the upper bound is attained at u = 0", "upper")),
}
CONVERGENCE: Table = {
    **every_sign("largest |c_h - limit|", "rate", uniform_distance),
    Relation("c_h", "is", "epigraphically convergent to limit"): convergence,
    **SHAPED,
}
COMPANION: Table = {
    **every_sign("c_h", "plus", partial(form, "plus")),
    **every_sign("plus", "minus", partial(two_forms, "plus", "minus")),
    **every_sign("plus", "both", partial(two_forms, "plus", "both")),
    **GRADIENT,
    **CONSTANTS,
    **GAP,
    **every_sign("c_h - c", "middle", gap_below_middle),
    **every_sign("middle", "upper", middle_below_upper),
}


JUDGES = {
    "quantile/eq-2": reading(EQUATION),
    "quantile/eq-2-amended": reading(EQUATION),
    "quantile/lem-3.1-1": reading(DERIVATIVES),
    "quantile/lem-3.1-1-amended": reading(DERIVATIVES),
    "quantile/lem-3.1-2": reading(CONSTANTS),
    "quantile/lem-3.1-3": reading(SANDWICH),
    "quantile/sec-3.1-epi": reading(CONVERGENCE),
    "newsvendor/lem-5": reading(COMPANION),
}
