"""Is (kappa/2) |x|^2, in an l_u norm, 1-strongly convex with respect to l_p? Segments against it, Hessians for it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from dpsco.arguments.analysis.regular_spaces import SMOOTH
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import expression, symbol, symbolic
from dpsco.spec.analysis.geometry.regularity import smooth_index
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Integers, Interval
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Severity, Verdict

HESSIAN = Lemma(
    "Hessian of a squared norm",
    "F = |x|_u^2/2, 1 < u <= 2. Where no x_j is 0, <h, F''h> = (2-u) |x|^(2-2u) (sum |x_j|^(u-1) sgn(x_j) h_j)^2 + (u-1) "
    "|x|^(2-u) sum |x_j|^(u-2) h_j^2 >= (u-1) |h|_u^2, by Hoelder: sum |h_j|^u <= (sum |x_j|^(u-2) h_j^2)^(u/2) (sum "
    "|x_j|^u)^(1-u/2). F is continuously differentiable, and a segment off the coordinate planes meets them finitely often; "
    "the others are limits: F is (u-1)-strongly convex in l_u. For p <= u, |h|_p <= d^(1/p-1/u) |h|_u: in l_p with modulus "
    "(u-1) d^(2/u-2/p).",
)
DUAL = Lemma(
    "the dual of the smooth norm",
    "With u = r/(r-1), q = p/(p-1): u - 1 = 1/(r-1) and 2/u - 2/p = 2/q - 2/r, so kappa times that modulus is kappa/g(r), g(r) "
    "= (r-1) d^(2/r-2/q), and 2 <= r <= q gives p <= u <= 2.",
)
MIDPOINT = Lemma(
    "midpoints",
    "A function that is 1-strongly convex has the midpoint inequality with |x - y|_p^2/8; a continuous one that has it for all "
    "pairs is 1-strongly convex.",
)


@dataclass(frozen=True)
class Segment:
    """x, y = middle +- step times direction, in l_p^d."""

    p: str
    middle: tuple[int, ...]
    direction: tuple[int, ...]
    step: str
    scope: str
    severity: Severity


def _balanced(p: str, d: int, scope: str, severity: Severity) -> Segment:
    return Segment(p, (1,) * d, (1, -1) * (d // 2), "0.05", scope, severity)


AXIS, BELOW, LOGARITHM = (
    "Phi is 1-strongly convex: p > 3/2, 1/(p-1) below the logarithm",
    "Phi is 1-strongly convex: p <= 3/2, 1/(p-1) below the logarithm",
    "Phi is 1-strongly convex: the logarithm below 1/(p-1)",
)
SEGMENTS = (
    *(Segment(p, (1000, 1), (1, 1000), step, AXIS, Severity.RATE) for p in ("1.75", "1.9") for step in ("0.1", "0.01")),
    *(_balanced(p, d, AXIS, Severity.RATE) for p in ("1.75", "1.9") for d in (2, 4, 10)),
    *(_balanced(p, d, BELOW, Severity.RATE) for p in ("1.4", "1.5") for d in (4, 10, 30)),
    *(_balanced("1.001", d, LOGARITHM, Severity.CONSTANT) for d in (4, 10, 30)),
)


def points(m: Numbers, segment: Segment) -> dict[str, Any]:
    """The numbers of an instance: p, d and both ends."""
    step, pairs = m.real(segment.step), list(zip(segment.middle, segment.direction, strict=True))
    ends_of = {name: [m.real(a) + sign * step * b for a, b in pairs] for name, sign in (("x", 1), ("y", -1))}
    return {"p": m.real(segment.p), "d": m.real(len(pairs)), **ends_of}


def violations(claim: Claim, segments: Sequence[Segment] = SEGMENTS) -> Iterator[tuple[Segment, Real, Real]]:
    """Where the midpoint inequality certainly fails, with its two sides, kappa in its domain."""
    m = arb()
    for segment in segments:
        values = points(m, segment)
        if claim.parameter("d").domain.contains(m, str(len(segment.middle))) is not True:
            continue
        values["kappa"] = apply(claim.formulas["kappa_of_p_and_d"], m, values)
        if m.gt(values["kappa"], m.real(1)) is not True:
            continue
        left, right = (apply(claim.formulas[name], m, values) for name in ("left", "right"))
        if m.gt(left, right) is True:
            yield segment, left, right


def strongly_convex(claim: Claim, survives: str) -> Iterator[Finding]:
    """The midpoint inequality, refuted at segments branch by branch, or proved in every dimension."""
    found = list(violations(claim))
    for scope in (AXIS, BELOW, LOGARITHM):
        here = [one for one in found if one[0].scope == scope]
        if here:
            segment, left, right = here[0]
            yield refuted(
                scope,
                right,
                left,
                {"p": segment.p, "d": str(len(segment.middle)), **_told(segment)},
                method="Phi at the middle of a segment against the bound, both enclosed",
                severity=segment.severity,
                survives=survives,
                effort=f"{len(here)} of the segments tried in this scope violate it",
                lemmas=(MIDPOINT,),
            )
    if found:
        return
    if is_midpoint(claim) and is_dual(claim.formulas["kappa_plus"]) and covers(claim.formulas["kappa_of_p_and_d"]):
        p, d = (claim.parameter(name).domain for name in "pd")
        if p == Interval("1", "2") and d == Integers(2):
            yield certified(
                "every d >= 2, p and pair of points",
                "computer algebra: kappa_+ is the dual index of r, each branch of kappa is at least 1/(p-1) or 2 e ln d",
                HESSIAN,
                DUAL,
                SMOOTH,
                MIDPOINT,
                coverage=(f"{len(SEGMENTS)} segments enclosed",),
            )
            return
    reason = "no segment violates it, and the formulas are not the ones of the proof"
    yield Finding(scope="every d, p and pair of points", verdict=Verdict.OPEN, reason=reason)


def _told(segment: Segment) -> dict[str, str]:
    middle, direction = str(segment.middle).replace(" ", ""), str(segment.direction).replace(" ", "")
    return {"x, y": f"{middle} +- {segment.step} {direction}"}


def is_midpoint(claim: Claim) -> bool:
    """Whether left and right are those of Phi = (kappa/2) |x|^2 in l_{kappa_+} and the modulus 1, at 2 and 3 coordinates."""
    m = symbolic()
    base = {name: symbol(claim.parameter(name)) for name in ("p", "d", "kappa")}
    index = apply(claim.formulas["kappa_plus"], m, base)
    for size in (2, 3):
        x, y = (sympy.symbols(f"{name}_1:{size + 1}", real=True) for name in "xy")
        values = {**base, "x": list(x), "y": list(y)}

        def phi(v: Sequence[Any]) -> Any:
            return base["kappa"] / 2 * m.norm(list(v), index) ** 2

        middle = phi([(a + b) / 2 for a, b in zip(x, y, strict=True)])
        bound = (phi(x) + phi(y)) / 2 - m.norm([a - b for a, b in zip(x, y, strict=True)], base["p"]) ** 2 / 8
        for name, meant in (("left", middle), ("right", bound)):
            if sympy.expand(apply(claim.formulas[name], m, values) - meant) != 0:
                return False
    return True


def is_dual(index: Callable[..., Real]) -> bool:
    """Whether an index is r/(r-1), r that of the smooth norm."""
    r = expression(smooth_index)
    return bool(sympy.expand(expression(index) - r / (r - 1)) == 0)


def covers(kappa: Callable[..., Real]) -> bool:
    """Whether a minimum's branches are multiples of 1/(p-1) by at least 1, or of ln d by at least 2 e."""
    found = expression(kappa)
    p, d = (next((s for s in found.free_symbols if s.name == name), None) for name in "pd")
    shares = [(p is not None and (p - 1), 1), (d is not None and 1 / sympy.log(d), 2 * sympy.E)]

    def enough(branch: Any) -> bool:
        ratios = [(sympy.simplify(branch * unit), least) for unit, least in shares if unit is not False]
        return any(bool(ratio.is_number and ratio >= least) for ratio, least in ratios)

    return all(enough(branch) for branch in (found.args if isinstance(found, sympy.Min) else (found,)))


def meant_index(claim: Claim) -> Iterator[Finding]:
    """The reading kappa_+ = (kappa + 1)/kappa, the dual exponent of kappa + 1, with the claim's kappa."""
    m = arb()
    d, p = m.real(4), m.real("1.001")
    weight = apply(claim.formulas["kappa_of_p_and_d"], m, {"p": p, "d": d})
    index = (weight + 1) / weight
    segment = _balanced("1.001", 4, LOGARITHM, Severity.CONSTANT)
    values = points(m, segment)

    def phi(x: Any) -> Real:
        return weight / 2 * m.norm(x, index) ** 2

    middle = phi([(a + b) / 2 for a, b in zip(values["x"], values["y"], strict=True)])
    gap = m.norm([a - b for a, b in zip(values["x"], values["y"], strict=True)], p) ** 2 / 8
    bound = (phi(values["x"]) + phi(values["y"])) / 2 - gap
    if m.gt(middle, bound) is True:
        yield refuted(
            "if kappa_+ = (kappa + 1)/kappa is meant",
            bound,
            middle,
            {"p": "1.001", "d": "4", **_told(segment)},
            method="Phi at the middle of a segment against the bound, both enclosed",
            severity=Severity.CONSTANT,
            survives="Where 1/(p-1) <= 2 ln d it holds: kappa_+ is p then, and kappa (p - 1) = 1.",
            lemmas=(MIDPOINT, HESSIAN),
            reading=Reading.ANOTHER,
        )
