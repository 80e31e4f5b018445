"""Where the smoothed check loss has a second derivative: at the jumps of the kernel it has none."""

from collections.abc import Callable, Iterator
from typing import Any

from dpsco.arguments.comparing import Instance, admitted, evaluate, proved, refuted, truth
from dpsco.arguments.losses.kernel_facts import facts
from dpsco.arguments.losses.smoothed_loss import SLOPE, identity
from dpsco.arguments.piecewise import T, at, beside, jumps, settle, slope, zero
from dpsco.reference.losses import kernels
from dpsco.reference.losses.quantile import smoothing
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Real, Truth
from dpsco.verdict import Finding, Rung, Severity, Verdict

BANDWIDTHS = ("1", "2", "0.25", "6")
Test = Callable[..., Truth]


def second_derivative(claim: Claim, sign: str, name: str, kernel: str, survives: str) -> Iterator[Finding]:
    """The second derivative's value where it exists, and whether it exists at every residual that the claim admits."""
    m, printed = symbolic(), claim.formulas[name]
    K, F = (settle(f(m, kernel, T)) for f in (kernels.density, kernels.integrated))
    yield identity(
        f"value of the second derivative against '{name}'",
        claim,
        sign,
        smoothing.curvature,
        printed,
        kernel,
        ("primitive", "positive"),
        (SLOPE,),
        "The second derivative K(u/h)/h.",
    )
    cuts, used = jumps(K), list[Test]()
    for cut, left, right in cuts:
        tests = excluding(claim, kernel, cut)
        if tests:
            used += tests
            continue
        scope = f"{kernel}: a second derivative exists at u/h = {cut}"
        places = admitted(claim, [{"kernel": kernel, "u": decimal(cut, h), "h": h} for h in BANDWIDTHS])
        if not places:
            reason = "whether the claim admits this residual is not decided"
            yield Finding(scope=scope, verdict=Verdict.OPEN, reason=reason)
            continue
        before, after = beside_cut(F, cut)
        if not (zero(before - left) and zero(after - right)):
            raise ArithmeticError(f"{kernel}: one-sided derivatives {before}, {after} at {cut} against limits {left}, {right}")
        yield none_there(scope, printed, places[0], (before, after), survives)
    elsewhere = "every u" if not cuts else "every u with |u| != h"
    yield proved(
        f"{kernel}: a second derivative exists at {elsewhere}",
        facts(kernel)["primitive"],
        "K is continuous there, by computer algebra",
        lemmas=(SLOPE,),
        given=tuple(dict.fromkeys(used)),
    )


def excluding(claim: Claim, kernel: str, cut: Any) -> list[Test]:
    """The tests of the preconditions that are false at u = cut h for every h > 0 (h a symbol, not a number)."""
    values = symbols_of(claim.parameters)
    if "h" not in values or not values["h"].is_positive:
        return []
    values |= {"kernel": kernel, "u": cut * values["h"]}
    answers = [(predicate.test, truth(predicate, symbolic(), values)) for predicate in claim.preconditions]
    return [test for test, answer in answers if answer in (False, symbolic().no(True))]


def decimal(cut: Any, h: str) -> str:
    """cut h as a decimal string; the kernels' cuts are integers and the bandwidths dyadic."""
    return f"{float(cut) * float(h):g}"


def beside_cut(F: Any, cut: Any) -> tuple[Any, Any]:
    """The derivatives of a primitive at a cut from below and from above."""
    derivative = slope(F)
    before, after = (at(derivative, side).subs(T, cut) for side in beside(F, cut))
    return before, after


def none_there(scope: str, printed: Callable[..., Real], place: Instance, sides: tuple[Any, Any], survives: str) -> Finding:
    """That the one-sided second derivatives differ, at one residual."""
    m = arb()
    low, high = sorted(m.real(str(side)) / m.real(place["h"]) for side in sides)
    return refuted(
        scope,
        ends(evaluate(m, printed, place))[0],
        (ends(low)[0], ends(high)[1]),
        place,
        method="one-sided derivatives of c_h' at the jump of K, by computer algebra, for every h",
        severity=Severity.DOMAIN,
        survives=survives,
        rung=Rung.EXACT,
        reason="the computed pair are the one-sided derivatives, not an interval",
    )
