"""Links that pass from a noise's inner product to the Gaussian width of C, with the maximum in or out of the expectation."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.algorithms.objective_perturbation.risk.set_orders import Bound, Family, Values, of_order, printed, symbols
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Severity, Verdict

SURVIVES = "With the maximum inside the expectation, E max over C of <noise, theta> = sigma G_C, the chain's end holds."
OBTUSE = Lemma(
    "obtuse angle",
    "theta_hat is the point of C nearest to theta_2 + H, and theta_2 lies in C: <theta_2 + H - theta_hat, theta_2 - theta_hat> "
    "<= 0, that is |theta_hat - theta_2|^2 <= <H, theta_hat - theta_2>, for every H. Both sides are at most |H|^2.",
)
WIDTH_INSIDE = Lemma(
    "the maximum inside",
    "<noise, theta_hat> <= sup over C of <noise, .>, whose mean is sigma G_C; a point of C that does not depend on the noise, "
    "centred and symmetric, adds 0. It holds for every closed convex C: the width is the same for C and a shift of C.",
)
JENSEN = Lemma("maximum of means", "E<noise, theta> <= E max over C of |<noise, .>| for each theta of C.")
STEIN = Lemma(
    "clipped normal",
    "E[Z clip(Z/k, -c, c)] = (sigma^2/k) P(|Z| < k c) > 0 for Z ~ N(0, sigma^2), by parts; the largest E<noise, theta> over C "
    "is 0 for centred noise.",
)
OFF_ORIGIN = Lemma(
    "a short interval off the origin",
    "C = [c, c + w]: G_C = w/sqrt(2 pi) whatever c is, and E max over C of |<noise, .>| >= c E|noise| = c sigma sqrt(2/pi).",
)
NARROW = Lemma(
    "a narrow interval",
    "C = [-w, w], no loss to speak of: the mean product is (sigma^2/k) P(|noise| < k w) by parts (k = 1 for the projection of "
    "H at theta_2 = 0, k = 2 lambda n for the minimiser), and G_C = w sqrt(2/pi): its share of sigma G_C tends to 1 as k "
    "w/sigma tends to 0.",
)


def nearest_point(claim: Claim) -> Iterator[Finding]:
    """|theta_hat - theta_2|^2 against the inner product: pointwise, for every C and H."""
    yield certified(
        "distance of the projection from theta_2, every C, theta_2 and H",
        "the variational inequality of the projection",
        OBTUSE,
    )


def maximum_outside(claim: Claim, scope: str, reached: Real, at: Mapping[str, str]) -> Finding:
    """A positive mean product against the printed multiple of the largest mean, which is 0."""
    m = arb()
    zero = {name: m.real(value) for name, value in {**at, "largest_mean_product": "0"}.items() if _is_number(value)}
    claimed = apply(claim.formulas["largest_mean"], m, zero)
    if m.gt(reached, claimed) is not True:
        return Finding(scope=scope, verdict=Verdict.OPEN, reason="not contradicted at the instance tried")
    return refuted(
        scope,
        claimed,
        reached,
        at,
        method="E[Z clip(Z)], enclosed, against the printed multiple of the largest mean, which is 0",
        severity=PROOF_STEP,
        survives=SURVIVES,
        lemmas=(STEIN,),
    )


def _is_number(value: str) -> bool:
    return value.replace(".", "").replace("e-", "").isdigit()


def mean_below_maximum(claim: Claim, right: Callable[[Values], Any], order: bool) -> Iterator[Finding]:
    """largest_mean, k max E<noise, theta>, against k' E max |<noise, theta>|: k <= k', or any where the order is claimed."""
    scope = "the largest mean by the mean of the largest"
    v = symbols(claim)
    k = sympy.simplify(printed(claim, "largest_mean", v) / v["largest_mean_product"])
    most = sympy.simplify(right(v) / v["mean_largest_product"])
    share = sympy.simplify(k / most)
    if not (share.is_number and share.is_positive and (order or share <= 1)):
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="the two sides are no such multiples")
        return
    yield certified(scope, f"computer algebra: the quotient of the factors is {share}", JENSEN)


def modulus_by_width(
    claim: Claim, scope: str, left: Callable[[Values], Any], scale: Callable[[Values], Any], rate: str | Callable[[Values], Any]
) -> Iterator[Finding]:
    """E max |<noise, theta>| against a multiple of the width: not where C is short and off the origin; and the chain's end."""

    def place(v: Values) -> Values:
        return {**v, "G_C": sympy.Symbol("w", positive=True)}

    def reached(v: Values) -> Any:
        return left({**v, "mean_largest_product": sympy.Symbol("c", positive=True) * scale(v)})

    family = Family("a short interval off the origin", OFF_ORIGIN, place, reached, lambda v: ())
    none = Bound(value=lambda v: reached(place(v)), lemmas=())
    survives = "Where C contains the origin E max |<noise, theta>| <= 2 sigma G_C, and the chain's end holds for every C."
    yield from of_order(claim, scope, rate, none, [family], PROOF_STEP, survives)
    end = Bound(value=lambda v: left({**v, "mean_largest_product": scale(v) * v["G_C"]}), lemmas=(WIDTH_INSIDE,))
    for finding in of_order(claim, f"{scope}, the maximum taken without the modulus", rate, end, [], PROOF_STEP, "-"):
        yield replace(finding, reading=Reading.MEANT)


def at_most_width(
    claim: Claim, name: str, scope: str, sigma_width: Any, instances: Iterator[tuple[Real, Real, Mapping[str, str]]]
) -> Finding:
    """A mean inner product against a formula: at least sigma G_C proves it, a narrow interval contradicts less."""
    m = arb()
    for claimed, reached, at in instances:
        if m.gt(reached, claimed) is True:
            return refuted(
                scope,
                claimed,
                reached,
                at,
                method="the mean product on a narrow interval, enclosed",
                severity=Severity.CONSTANT,
                survives="It is at most sigma G_C.",
                lemmas=(NARROW,),
            )
    share = sympy.simplify(printed(claim, name, symbols(claim)) / sigma_width)
    if not (share.is_number and share >= 1):
        return Finding(scope=scope, verdict=Verdict.OPEN, reason="the bound is no multiple of sigma G_C")
    return certified(scope, f"computer algebra: the bound is {share} sigma G_C", WIDTH_INSIDE)
