"""A kernel's tail against a bound beyond a threshold, each side by itself.

With a threshold given: boxes up to FAR (or up to the threshold, if that lies beyond), a lemma from there on. Where the claim
only says that some threshold exists, no single place refutes it: the argument must be about every threshold.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.assertions import Table
from dpsco.arguments.comparing import FAILS, FOLLOWS, Instance, compare, contradiction, evaluate, every_sign, proved, refuted
from dpsco.arguments.losses.kernel_facts import EXPONENTIAL, FALLING, facts, same
from dpsco.arguments.regions import box, certify
from dpsco.reference.losses import kernels
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Rung, Severity, Verdict

FAR = 64
"""From here on tails are compared by a lemma."""
S = sympy.Symbol("s", positive=True)
"""The distance from zero."""
NO_THRESHOLD = (
    "The condition with 1/|v|^3, which all four kernels meet: a misprint, or damage of the scan, which the text at hand does "
    "not tell. As it stands every threshold fails, because K >= 0 > the bound at every v on this side."
)


def light_tail(chosen: bool, claim: Claim, sign: str) -> Iterator[Finding]:
    """K(v) against tail(v) for |v| beyond a threshold: the claim's own (`chosen`), or some threshold."""
    for kernel in KERNELS:
        for side, says in ((1, "v > 0"), (-1, "v < 0")):
            yield (
                beyond(claim, sign, kernel, side, f"{kernel}, {says}")
                if chosen
                else somewhere(claim, sign, kernel, side, f"{kernel}, {says}")
            )


def order_of_tails(claim: Claim, kernel: str, side: int, start: Fraction) -> tuple[str | None, str]:
    """The sign that K(side s) has against tail(side s) for every s >= start, where it is proved, and how."""
    bound = sympy.simplify(claim.formulas["tail"](symbolic(), v=side * S))
    density = same(claim.formulas["K"], kernels.density, kernel, claim)
    if not (density and all(facts(kernel)[f] for f in ("positive", "zero outside", "symmetric"))):
        return None, ""
    if bound.is_negative:
        return ">", "K >= 0 > the bound on this whole side, by computer algebra"
    c, power = bound.as_coeff_exponent(S)
    if not (c.is_number and c.is_positive and power.is_number and start >= 2 and -power <= start):
        return None, ""
    far = sympy.Rational(start)
    return ("<" if bool(c * far**power > sympy.exp(-far)) else None), "lemmas on the tails"


def somewhere(claim: Claim, sign: str, kernel: str, side: int, scope: str) -> Finding:
    """Some threshold > 0 works: shown by one, denied only by an argument from some place to infinity."""
    known, method = order_of_tails(claim, kernel, side, Fraction(FAR))
    if known is not None and sign in FAILS[known]:
        m, v = arb(), str(side * (2 if known == ">" else FAR))
        K, tail = (evaluate(m, claim.formulas[name], {"kernel": kernel, "v": v}) for name in ("K", "tail"))
        return refuted(
            f"{scope}: every threshold",
            tail,
            K,
            {"kernel": kernel, "v": v},
            method=f"{method}; one instance is shown, every v beyond it in modulus is another",
            severity=Severity.MISPRINT if known == ">" else Severity.CONCLUSION,
            survives=NO_THRESHOLD if known == ">" else f"The same with {known} in the place of {sign}.",
            rung=Rung.EXACT,
        )
    holds = known is not None and sign in FOLLOWS[known]
    return proved(f"{scope}: threshold {FAR}", holds, method, lemmas=(EXPONENTIAL, FALLING))


def beyond(claim: Claim, sign: str, kernel: str, side: int, scope: str) -> Finding:
    """One kernel, one side, from the claim's threshold to infinity."""
    K, tail, m = claim.formulas["K"], claim.formulas["tail"], arb()
    threshold = claim.formulas["threshold"](m, kernel)
    start = Fraction(ends(threshold)[0])
    far = max(Fraction(FAR), start)
    known, _ = order_of_tails(claim, kernel, side, far)

    def holds(m: Numbers, v: Real) -> Any:
        return compare(m, K(m, kernel=kernel, v=side * v), sign, tail(m, v=side * v))

    region = certify(m, holds, box((start, far)), most=20_000)
    tried: list[Instance] = [{"kernel": kernel, "v": repr(float(side * s))} for s in inner(region.refuting, start, far)]
    against = contradiction(K, sign, tail, [i for i in tried if m.gt(m.abs(m.real(i["v"])), threshold) is True])
    if against is not None:
        return refuted(
            scope,
            " to ".join(dict.fromkeys(ends(against.right))),
            against.left,
            against.at,
            method="both sides enclosed at one instance",
            severity=Severity.CONSTANT,
            survives="The tail is exponential: some threshold works for every power.",
        )
    if region.holds is True and known is not None and sign in FOLLOWS[known] and threshold > 0:
        text = ends(threshold)[0]
        return Finding(
            scope=f"{scope}: beyond {text}",
            verdict=Verdict.CERTIFIED,
            rung=Rung.REGION,
            method=f"branch and bound on [{text}, {far}], lemmas beyond",
            computed=ends(K(m, kernel=kernel, v=side * threshold)),
            claimed=ends(tail(m, v=side * threshold))[0],
            at={"kernel": kernel, "v": text if side > 0 else f"-{text}"},
            effort=region.effort,
            lemmas=(EXPONENTIAL, FALLING),
        )
    reason = f"boxes: {region.effort}; no tail lemma for this kernel, bound or sign"
    return Finding(scope=scope, verdict=Verdict.OPEN, reason=reason)


def inner(refuting: Any, start: Fraction, far: Fraction) -> list[Fraction]:
    """Distances at which to enclose both sides: in the box that refutes, and beyond the boxes."""
    middle = [] if refuting is None else [(refuting[0][0] + refuting[0][1]) / 2]
    return [*middle, far + 1]


SOME, GIVEN = "K(v) for all |v| > threshold, some threshold > 0", "K(v) for all |v| > threshold"
TAILS: Table = {
    **every_sign(SOME, "tail", partial(light_tail, False)),
    **every_sign(GIVEN, "tail", partial(light_tail, True)),
}
