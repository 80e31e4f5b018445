"""The grid walk as a sampler on a convex set: its law and its time, proved for sets that hold a ball, and a thin set.

The proof follows Applegate and Kannan; its one citation is the isoperimetric inequality for log-concave measures.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import never_negative
from dpsco.arguments.algorithms.exponential_sampling.walk_instances import (
    between_wells,
    formulas,
    has_errors,
    in_a_cube,
    on_a_diagonal,
    on_a_path,
)
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply, quantity
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.algorithms.exponential_sampling import walk_sampler as spec
from dpsco.spec.algorithms.exponential_sampling.implemented import (
    evaluations_are_accurate,
    function_is_convex,
    function_is_lipschitz,
)
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

SHAPE = (function_is_convex, function_is_lipschitz, spec.set_holds_ball, spec.set_is_near, spec.cube_is_within_reach)
CORNER = Lemma(
    "last step",
    "If P^T(x)/q(x) is within [1 - t, 1 + t] for the stationary masses q ~ F' at the centres, the accepted point has the "
    "density ~ (P^T/q)(x) min(e F'(x), F'(theta)). In max norm theta is within 1/(4a) of x, a the slope: e F(x) > F(theta), "
    "so with errors zeta the minimum is within e^{+-zeta} of F(theta), cut off or not. A product of factors of range 2 zeta "
    "and ln((1 + t)/(1 - t)) = xi, t = tanh(xi/2), normalised, is within 2 zeta + xi of F in |log ratio|, on A and given that "
    "theta is in C.",
)
ISOPERIMETRY = Lemma(
    "conductance of the walk",
    "For a log-concave measure on the cube of edge tau and a union S of cells the integral of F over the boundary of S inside "
    "A is at least 2/tau times the smaller mass (Dyer and Frieze 1991, any norm, here the maximum norm, of diameter tau). On "
    "a face F is at most e^{a g/2} times the smaller of its two centres' values, g the cells' side, a cell's mass at least "
    "e^{-a g/2} g^d F(x). So the flow, the sum of min(F(x), F(y))/(4d), is at least g e^{-a g}/(2 d tau) times the smaller "
    "sum of F: with N = tau/g >= 2 a tau the conductance is at least e^{-1/2}/(2 d N); with errors zeta at least e^{-2 zeta} "
    "of that.",
)
MIXING = Lemma(
    "distance of a lazy reversible chain",
    "|P^T(x, y)/q(y) - 1| <= l^T/min q, l <= 1 - phi^2/2 the second eigenvalue (Jerrum and Sinclair), no eigenvalue negative. "
    "Here q >= e^{-a tau - 2 zeta}/N^d. So T >= (2/phi^2) (a tau + 2 zeta + d ln N - ln t) steps give t: 8 e d^2 N^2 e^{4 "
    "zeta} (a tau + 2 zeta + d ln N - ln t), e^{4 zeta} for the conductance alone.",
)
HALF = Lemma(
    "half of the mass lies in C",
    "On the ray through a boundary point x of C, s > 1: extension and penalty are at least f(x) - L (s - 1) R + alpha (s - "
    "1), R >= |x|; inside f(s x) <= f(x) + L (1 - s) R. With s^{d-1} <= e^{(d-1)(s-1)} the outer part is at most 1/(alpha - L "
    "R - d + 1), the inner one at least 1/(d + L R) (s = e^{-v}), times e^{-f(x)}: for alpha = 2 L R + 2 d - 1 no less inside.",
)
ACCEPTED = Lemma(
    "chance of a walk to end",
    "At least (1 - t) e^{-1} e^{-a g/2} P(C) >= (1 - t) e^{-5/4}/2, 2/(1 - t) = 1 + e^xi; errors cost e^{-4 zeta} at most (q "
    "and the acceptance).",
)
EXTENSION = Lemma(
    "slope of the target",
    "min over y in C of f(y) + L |x - y| is convex, L-Lipschitz and f on C; the gauge of a set with a ball of radius r is "
    "convex and 1/r-Lipschitz; the l2-norm is at most sqrt(d) times the maximum norm.",
)
ERRORS = Lemma(
    "errors on a small part",
    "f = 0 on C = [0, 1], error -zeta on a part of share p, +zeta elsewhere: run for long the law has there the log ratio 2 "
    "zeta - ln(1 + p (e^{2 zeta} - 1)) against pi.",
)


def distance(claim: Claim, name: str, reached: Lemma) -> Iterator[Finding]:
    """2 zeta + xi against the printed distance."""
    s = symbols_of(claim.parameters)
    zeta, xi = s.get("zeta", sympy.Integer(0)), s["xi"]
    printed = quantity(claim, name, symbolic(), s)
    common: dict[str, Any] = {"scope": "law of the accepted point, C bounded with 0 inside, others discarded"}
    if "zeta" in s:
        m = arb(128)
        v = {"zeta": m.real("0.25"), "xi": m.real("0.000001")}
        error = 2 * v["zeta"] - m.log1p(m.real("0.000001") * m.expm1(2 * v["zeta"]))
        value = apply(claim.formulas[name], m, v)
        if m.gt(error, value) is True:
            at = {"zeta": "0.25", "xi": "0.000001", "p": "0.000001"}
            how, kept = "log ratio where the error is -zeta", "The distance is at most 2 zeta + xi."
            yield refuted(common["scope"], value, error, at, how, Severity.CONSTANT, kept, lemmas=(ERRORS,))
            return
    if never_negative(sympy.expand(printed - 2 * zeta - xi)):
        yield Finding(
            **common,
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method="computer algebra: the distance is at least 2 zeta + xi",
            lemmas=(CORNER, EXTENSION, reached),
            given=(function_is_convex, function_is_lipschitz, *((evaluations_are_accurate,) if "zeta" in s else ())),
        )
    else:
        yield Finding(**common, verdict=Verdict.OPEN, reason="the distance is not shown to be 2 zeta + xi at least")


def needed(claim: Claim) -> dict[str, tuple[Real, Real]]:
    """Each formula as printed and as the proof needs it, over the claim's symbols."""
    s = symbols_of(claim.parameters)
    found = {}
    for name, formula in formulas(claim).items():
        found[name] = (apply(claim.formulas[name], symbolic(), s), apply(formula, symbolic(), s))
    found["time"] = (apply(claim.formulas["time"], symbolic(), s), apply(spec.evaluations, symbolic(), s))
    return found


def lacking(claim: Claim) -> list[str]:
    """The formulas that are not shown to be at least what the proof needs, errors of the values included."""
    pairs = needed(claim).items()
    rooms = {name: sympy.S.One if printed == least else sympy.simplify(printed / least) for name, (printed, least) in pairs}
    return [name for name, room in rooms.items() if not (room.is_number and bool(room >= 1))]


def reached(claim: Claim, name: str) -> Iterator[Finding]:
    """The law after the printed number of steps, with the printed cells."""
    bad = [found for found in (on_a_path(claim), between_wells(claim), on_a_diagonal(claim)) if found is not None]
    if bad:
        yield from bad
    elif missing := lacking(claim):
        reason = f"not shown to be what the proof needs: {', '.join(missing)}"
        yield Finding(scope="law of the accepted point", verdict=Verdict.OPEN, reason=reason)
    else:
        for finding in distance(claim, name, MIXING):
            certified = finding.verdict is Verdict.CERTIFIED
            yield replace(
                finding,
                lemmas=(*finding.lemmas, ISOPERIMETRY) if certified else finding.lemmas,
                given=(*finding.given, *SHAPE) if certified else (),
            )


def counted(claim: Claim) -> Iterator[Finding]:
    """The number of evaluations: contradicted on a cube in a cube, or proved."""
    bad = in_a_cube(claim)
    common: dict[str, Any] = {"scope": "expected number of evaluations, every such C and f, every dimension"}
    if bad is not None:
        yield bad
    elif missing := lacking(claim):
        reason = f"not shown to be what the proof needs: {', '.join(missing)}"
        yield Finding(**common, verdict=Verdict.OPEN, reason=reason)
    else:
        yield Finding(
            **common,
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method="computer algebra: alpha, slope, cells, steps, walks and time are at least those of the proof",
            lemmas=(EXTENSION, HALF, ISOPERIMETRY, MIXING, ACCEPTED),
            given=(*SHAPE, *((evaluations_are_accurate,) if has_errors(claim) else ())),
        )
