"""Judges of Horowitz's smoothing: its derivatives, its place below the check loss, and where it bends down."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import sympy

from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.cells import LEVELS, H, P, UndecidedError, cells, sign, weakest
from dpsco.arguments.comparing import Instance, admitted, compared, every_sign, proved
from dpsco.arguments.formula import apply
from dpsco.arguments.losses.envelope_cells import Q
from dpsco.arguments.losses.replaced_indicator import NEVER, Formula, at_kernel, follows, own_bend, own_loss, own_slope, usual
from dpsco.arguments.losses.smoothed_loss import nothing
from dpsco.instances.residuals import residuals
from dpsco.mutants.losses.quantile import horowitz as mutants
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Reading, Severity

NEVER_TRUE = "At no level is the loss convex, for any kernel with finite first absolute moment."


def calculus(name: str, own: Formula, claim: Claim, relation: str) -> Iterator[Finding]:
    """A derivative in u against its printed formula."""
    equal = follows(claim, "loss") and follows(claim, name)
    for kernel in KERNELS:
        yield compared(
            f"{kernel}: {name.replace('_', ' ')}",
            own,
            relation,
            at_kernel(claim.formulas[name]),
            known="=" if equal else None,
            instances=admitted(claim, residuals(kernel)),
            method="product and chain rule on u (r - 1 + F(u/h)) for an unknown F, by computer algebra",
            severity=Severity.CONSTANT,
            survives="r - 1 + calK(v) + v K(v) and (2 K(v) + v K'(v))/h.",
            remark="where the kernel is continuous, or has a derivative",
        )


def below(claim: Claim, relation: str) -> Iterator[Finding]:
    """The loss against the check loss, for every value of the integrated kernel."""
    loss, check = claim.formulas["loss"], claim.formulas["quantile_loss"]
    shares = (sympy.Integer(0), 1 / (1 + P), sympy.Integer(1))
    places = [
        {"r": r, "u": u, "h": H, "integrated_kernel": F} for r in LEVELS for u in (Q, -Q, sympy.Integer(0)) for F in shares
    ]
    try:
        known = weakest(sign(apply(loss, cells(), p) - apply(check, cells(), p)) for p in places) if usual(claim) else None
    except UndecidedError:
        known = None
    for kernel in KERNELS:
        yield compared(
            f"{kernel}: the loss against the check loss",
            at_kernel(loss),
            relation,
            at_kernel(check),
            known=known,
            instances=admitted(claim, residuals(kernel)),
            method="on cells of the level and the residual, for every share of the kernel's mass, by the signs of coefficients",
            severity=Severity.CONSTANT,
            survives="u (r - 1 + calK(u/h)) <= c(u), with the difference |u| calK(-|u|/h).",
            printed="left",
        )


def bulge(loss: Formula) -> Formula:
    """g(a) + g(b) - 2 g((a + b)/2) for a and b at half a bandwidth to three bandwidths on both sides of u."""

    def second_difference(m: Numbers, kernel: str, u: Real, h: Real, r: Real, step: Real) -> Real:
        g = partial(at_kernel(loss), m, kernel, h=h, r=r)
        return g(u=u - step) + g(u=u + step) - 2 * g(u=u)

    return second_difference


OVER: dict[str, Instance] = {
    "gaussian": {"u": "3", "step": "1.5"},
    "logistic": {"u": "6", "step": "3"},
    "uniform": {"u": "1", "step": "0.5"},
    "epanechnikov": {"u": "1", "step": "0.25"},
}
"""Where the loss lies above its chord, h = 1."""


def identity(claim: Claim) -> Iterator[Finding]:
    """The printed loss against u (r - 1 + calK(u/h))."""
    for kernel in KERNELS:
        yield compared(
            f"{kernel}: the printed loss is u (r - 1 + calK(u/h))",
            own_loss,
            "=",
            at_kernel(claim.formulas["loss"]),
            known="=" if follows(claim, "loss") else None,
            instances=admitted(claim, residuals(kernel)),
            method="computer algebra, for an unknown integrated kernel",
            severity=Severity.CONSTANT,
            survives="What is said of u (r - 1 + calK(u/h)).",
        )


def shaped(word: str, levels: tuple[str, ...], claim: Claim) -> Iterator[Finding]:
    """Whether the loss is convex, or not; the other shapes fail at u = 0, where it bends up."""
    if word == "not convex in u":
        yield from identity(claim)
        where = "every level" if "0.5" in levels else "every level but 1/2"
        yield proved(f"the loss is {word}, {where}, every kernel", follows(claim, "loss"), "written lemma", lemmas=(NEVER,))
        return
    asked = {"convex in u": ">=", "strictly convex in u": ">", "concave in u": "<="}[word]
    for kernel, place in OVER.items():
        here = place if asked != "<=" else {"u": "0", "step": "0.5"}
        yield chord(f"{kernel}: the loss is {word}", asked, [{"kernel": kernel, "r": r, **here} for r in levels], claim)


def chord(scope: str, asked: str, places: list[Instance], claim: Claim) -> Finding:
    """A second difference of the printed loss against zero, h = 1."""
    return compared(
        scope,
        bulge(claim.formulas["loss"]),
        asked,
        nothing,
        known=None,
        instances=admitted(claim, [{"h": "1", **place} for place in places]),
        method="a second difference, enclosed",
        severity=Severity.DOMAIN,
        survives=NEVER_TRUE,
    )


def off_median(word: str, claim: Claim) -> Iterator[Finding]:
    """The printed half, levels other than 1/2; beside it the other half of an equivalence, that the loss is convex at 1/2."""
    yield from shaped(word, ("0.25", "0.75"), claim)
    for kernel, place in OVER.items():
        scope = f"read as an equivalence: convex at r = 1/2, {kernel} kernel"
        yield replace(chord(scope, ">=", [{"kernel": kernel, "r": "0.5", **place}], claim), reading=Reading.ANOTHER)


WORDS = ("not convex in u", "convex in u", "strictly convex in u", "concave in u")
FIRST, SECOND = "derivative of loss where K is continuous", "derivative of first_derivative where K has a derivative"
ORIGINAL: Table = {Relation("loss, r != 1/2", "is", word): partial(off_median, word) for word in WORDS}
AMENDED: Table = {
    **every_sign("loss", "quantile_loss", below),
    **every_sign(FIRST, "first_derivative", partial(calculus, "first_derivative", own_slope)),
    **every_sign(SECOND, "second_derivative", partial(calculus, "second_derivative", own_bend)),
    **{Relation("loss", "is", word): partial(shaped, word, ("0.5", "0.25")) for word in WORDS},
}


JUDGES = {"quantile/sec-1-horowitz": reading(ORIGINAL), "quantile/sec-1-horowitz-amended": reading(AMENDED)}
MUTANTS = {"quantile/sec-1-horowitz": mutants.off_median, "quantile/sec-1-horowitz-amended": mutants.of_loss}
