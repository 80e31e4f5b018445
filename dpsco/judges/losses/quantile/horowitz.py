"""Judges of Horowitz's smoothing: its derivatives, its place below the check loss, and where it bends down."""

from collections.abc import Callable, Iterator
from functools import partial

import sympy

from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.cells import LEVELS, H, P, UndecidedError, cells, sign, weakest
from dpsco.arguments.comparing import Instance, admitted, compared, every_sign, proved
from dpsco.arguments.envelope_cells import Q
from dpsco.arguments.formula import apply
from dpsco.arguments.replaced_indicator import NEVER, Formula, at_kernel, follows, own_bend, own_loss, own_slope, usual
from dpsco.arguments.smoothed_loss import nothing
from dpsco.instances.residuals import residuals
from dpsco.mutants.losses.quantile import horowitz as mutants
from dpsco.reference.losses import kernels
from dpsco.reference.losses.quantile.horowitz import kernel_slope
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Reading, Rung, Severity, Verdict

NEVER_TRUE = "At no level is the loss convex, for any kernel with finite first absolute moment."
SMOOTH = {"gaussian": "2", "logistic": "4", "epanechnikov": "0.875"}
"""The kernels with a derivative inside their support, and a standardised residual at which the loss bends down."""


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


def shaped(word: str, claim: Claim) -> Iterator[Finding]:
    """Whether the loss is convex, or not; the other shapes fail at u = 0, where it bends up."""
    if word == "not convex in u":
        identified = follows(claim, "loss")
        yield from identity(claim)
        yield proved(f"the loss is {word}, every level and kernel", identified, "written lemma", lemmas=(NEVER,))
        return
    asked = {"convex in u": ">=", "strictly convex in u": ">", "concave in u": "<="}[word]
    for kernel, place in OVER.items():
        here = place if asked != "<=" else {"u": "0", "step": "0.5"}
        yield compared(
            f"{kernel}: the loss is {word}",
            bulge(claim.formulas["loss"]),
            asked,
            nothing,
            known=None,
            instances=admitted(claim, [{"kernel": kernel, "h": "1", "r": r, **here} for r in ("0.5", "0.25")]),
            method="a second difference, enclosed",
            severity=Severity.CONCLUSION,
            survives=NEVER_TRUE,
        )


def at_median(claim: Claim) -> Iterator[Finding]:
    """That the loss is convex at r = 1/2: its second derivative where there is one, a chord for the uniform kernel."""
    second = at_kernel(claim.formulas["second_derivative"])
    for kernel, v in SMOOTH.items():
        yield compared(
            f"{kernel}, r = 1/2: the second derivative is nowhere negative",
            lambda m, kernel, u, h, r: second(m, kernel, u, h, r),
            ">=",
            nothing,
            known=None,
            instances=admitted(claim, [{"kernel": kernel, "u": v, "h": "1", "r": "0.5"}]),
            method="enclosed",
            severity=Severity.CONCLUSION,
            survives=NEVER_TRUE,
        )
    yield compared(
        "uniform, r = 1/2: the loss is convex (its slope falls at |u| = h, where it has no second derivative)",
        bulge(claim.formulas["loss"]),
        ">=",
        nothing,
        known=None,
        instances=admitted(claim, [{"kernel": "uniform", "h": "1", "r": "0.5", **OVER["uniform"]}]),
        method="a second difference, enclosed",
        severity=Severity.CONCLUSION,
        survives=NEVER_TRUE,
    )


def off_median(claim: Claim) -> Iterator[Finding]:
    """That at every other level the second derivative is negative somewhere."""
    second = claim.formulas["second_derivative"]
    identified = all(follows(claim, name) for name in ("loss", "first_derivative", "second_derivative"))
    m = arb()
    for kernel, place in SMOOTH.items():
        v = m.real(place)
        shown = apply(
            second, m, {"h": m.real(1), "v": v, "kernel_value": kernels.density(m, kernel, v)} | slope_at(m, kernel, v)
        )
        yield proved(
            f"{kernel}, r != 1/2: the second derivative is negative at u = {place} h",
            identified and m.lt(shown, 0) is True,
            f"identified by the chain rule: over h, and without r; enclosed at h = 1: {' to '.join(ends(shown))}",
        )
    for scope, severity, (least, largest) in (
        ("uniform, r != 1/2: the second derivative is negative somewhere", Severity.DOMAIN, without_bend(claim, "uniform")),
        (
            "Cauchy kernel, r != 1/2: the second derivative is negative somewhere",
            Severity.DOMAIN,
            without_bend(claim, "cauchy"),
        ),
    ):
        if least is None or largest is None:
            yield Finding(scope=scope, verdict=Verdict.OPEN, reason="the sign of the second derivative is not decided")
            continue
        yield Finding(
            scope=scope,
            verdict=Verdict.REFUTED,
            rung=Rung.EXACT,
            method="the printed second derivative is nowhere negative, by computer algebra, wherever it exists",
            claimed="below 0 at some u",
            computed=(least, largest),
            at={"r": "0.25", "h": "1"},
            severity=severity,
            survives="For every kernel with a derivative and finite first absolute moment; the loss is not convex for the "
            "uniform kernel either, whose slope falls at |u| = h, but for the Cauchy kernel it is convex at every level.",
            reason="computed are the second derivative's infimum and its value at u = 0, h = 1",
        )
    yield Finding(
        scope="read as an exception: not convex at any level but perhaps 1/2, kernels of the paper's conditions",
        verdict=Verdict.CERTIFIED if follows(claim, "loss") else Verdict.OPEN,
        rung=Rung.EXACT,
        method="written lemma",
        lemmas=(NEVER,),
        reading=Reading.MEANT,
        reason=None if follows(claim, "loss") else "the printed loss is not identified",
    )


def slope_at(m: Numbers, kernel: str, v: Real) -> dict[str, Real]:
    return {"kernel_slope": kernel_slope(m, kernel, v)}


def without_bend(claim: Claim, kernel: str) -> tuple[str | None, str | None]:
    """Infimum and value at u = 0 of the second derivative at h = 1, for a kernel for which it is nowhere negative."""
    v, h = sympy.Symbol("v", real=True), sympy.Symbol("h", positive=True)
    inside = 1 / (sympy.pi * (1 + v**2)) if kernel == "cauchy" else sympy.Rational(1, 2)
    cases = [inside] if kernel == "cauchy" else [inside, sympy.Integer(0)]
    printed = [
        sympy.factor(
            apply(
                claim.formulas["second_derivative"], symbolic(), {"h": h, "v": v, "kernel_value": K, "kernel_slope": K.diff(v)}
            )
        )
        for K in cases
    ]
    if not all(value.is_nonnegative for value in printed):
        return None, None
    return "0", f"{float(printed[0].subs({v: 0, h: 1})):.12g}"


FIRST, SECOND = "derivative of loss where K is continuous", "derivative of first_derivative where K has a derivative"
ORIGINAL: Table = {
    Relation("r = 1/2", "=>", "second_derivative >= 0 at every u"): at_median,
    Relation("r != 1/2", "=>", "second_derivative < 0 at some u"): off_median,
}
AMENDED: Table = {
    **every_sign("loss", "quantile_loss", below),
    **every_sign(FIRST, "first_derivative", partial(calculus, "first_derivative", own_slope)),
    **every_sign(SECOND, "second_derivative", partial(calculus, "second_derivative", own_bend)),
    **{
        Relation("loss", "is", word): partial(shaped, word)
        for word in ("not convex in u", "convex in u", "strictly convex in u", "concave in u")
    },
}


def reading(table: Table) -> Callable[[Claim], list[Finding]]:
    """The judge that decides each assertion by the table."""
    return lambda claim: list(by_assertion(claim, table))


JUDGES = {"quantile/sec-1-horowitz": reading(ORIGINAL), "quantile/sec-1-horowitz-amended": reading(AMENDED)}
MUTANTS = {"quantile/sec-1-horowitz-amended": mutants.of_loss}
