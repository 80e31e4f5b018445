"""Evaluation errors: how far they move a weight, a ratio of weights, a density and a conductance."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.comparing import Formula, Instance, admitted, compared, order, proved
from dpsco.arguments.formula import apply
from dpsco.reference.algorithms.grid_walk.mixing import conductance, stationary, transitions
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.algorithms.grid_walk.mixing import errors_are_bounded
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Severity, Verdict, as_step

FLOWS = Lemma(
    "flows are minima of weights",
    "q(x) P_xy = min(F(x), F(y))/(4 d times the sum of F): detailed balance, so q is stationary. With F' between e^{-zeta} F "
    "and e^{zeta} F the unnormalised flow out of S falls by e^{-zeta} at most, each of the masses of S and its complement "
    "rises by e^{zeta} at most; the normalisations cancel. So phi'_S >= e^{-2 zeta} phi_S for every S, with the lesser of the "
    "two masses below; as the flow out of S is the flow into it, the minimum over all S is the one over mass at most 1/2.",
)
ERRORS = Lemma(
    "errors of one sign and of the other",
    "f' - f takes values in [-zeta, zeta] only, and two places may have any two of them: a weight moves by a factor in "
    "[e^{-zeta}, e^{zeta}], a ratio of two weights by one in [e^{-2 zeta}, e^{2 zeta}], all values taken.",
)
NORMALISED = Lemma(
    "normalised weights",
    "The integral of F' is that of F times a mean of factors in [e^{-zeta}, e^{zeta}]; so pi'/pi = e^{-error} over that mean "
    "lies in [e^{-2 zeta}, e^{2 zeta}]. With error -zeta on a share p of the mass and zeta elsewhere its logarithm is 2 zeta "
    "- ln(1 + p (e^{2 zeta} - 1)) on that share: 2 zeta as p -> 0, and 2 zeta itself on a set of measure zero.",
)
STEPS = Lemma(
    "ratios of transitions, masses and flows",
    "P_xy is a multiple of min(1, F(y)/F(x)), which moves by a factor in [e^{-2 zeta}, e^{2 zeta}] at most, as the ratio does. "
    "q'(x)/q(x) is F'(x)/F(x) over a mean of such factors: in [e^{-2 zeta}, e^{2 zeta}], and so is the mass of any set, and of "
    "the lesser of two. A flow is a sum of min(F(x), F(y))/(4 d) over the sum of F: it falls by e^{-2 zeta} at most. Two "
    "cells, f = 0 and h, errors of both signs: all ends are attained or approached as h grows.",
)
KEPT = "all steps with e^{-2 zeta} and e^{2 zeta}"
HEIGHT = "200"
"""h of `STEPS`: far above every zeta that is tried."""
ZETAS = ("0.0009765625", "0.25", "1", "3", "10")
BRIDGE = 12
"""Cells of the path whose middle gets the errors zeta, all others -zeta."""
REMARK = "e^{-2 zeta} holds as well, and is approached: a path of 2k cells, errors zeta in the middle, -zeta elsewhere"


def with_conditions(finding: Finding) -> Finding:
    """The finding, resting on |f' - f| <= zeta where it certifies."""
    return replace(finding, given=(errors_are_bounded,)) if finding.verdict is Verdict.CERTIFIED else finding


def bridge(m: Numbers, zeta: Real) -> Real:
    """Conductance of the walk on the flat path of BRIDGE cells with errors zeta in its middle, -zeta elsewhere."""
    middle = (BRIDGE // 2 - 1, BRIDGE // 2)
    values = [zeta if x in middle else -zeta for x in range(BRIDGE)]
    return conductance(m, transitions(m, values, 1, BRIDGE), stationary(m, values))


def without_errors(m: Numbers, zeta: Real) -> Real:
    """The same without errors."""
    return bridge(m, 0 * zeta)


def conductance_falls(claim: Claim, sign: str) -> Iterator[Finding]:
    """phi' against the printed multiple of phi: the lemma's factor e^{-2 zeta}, and enumerated chains."""
    s = symbols_of(claim.parameters)
    factor = apply(claim.formulas["bound"], symbolic(), s) / s["phi"]
    room = order(sympy.simplify(sympy.expand_log(sympy.log(sympy.simplify(factor)), force=True) + 2 * s["zeta"]))
    known = {"<": ">", "<=": ">=", "=": ">="}.get(room or "")

    def printed(m: Numbers, zeta: Real) -> Real:
        return apply(claim.formulas["bound"], m, {"zeta": zeta, "phi": without_errors(m, zeta)})

    for after, says in ((bridge, "errors zeta in the middle of a path"), (without_errors, "no errors")):
        finding = compared(
            f"conductance after errors, every f, error, grid and dimension; enumerated with {says}",
            after,
            sign,
            printed,
            known=known,
            instances=admitted(claim, [{"zeta": z, "largest_error": z} for z in ZETAS]),
            method="exact: the printed factor is at most e^{-2 zeta}",
            severity=Severity.CONSTANT,
            survives="phi' >= e^{-2 zeta} phi.",
            lemmas=(FLOWS,),
            remark=REMARK,
        )
        yield with_conditions(finding)


def within(
    claim: Claim, name: str, sign: str, *, side: str, scope: str, moved: Formula, names: Sequence[str], centre: Any, width: Any
) -> Finding:
    """A quantity that takes every value of e^{centre +- width}, and no other, against the printed formula `name`.

    side  on which the formula stands in the assertion: "left" or "right"; `names` are those of the quantity's errors
    """
    s = symbols_of(claim.parameters)
    log = sympy.expand_log(sympy.log(apply(claim.formulas[name], symbolic(), s)), force=True)
    low, high = (order(sympy.simplify(log - centre(s) - e * width(s))) for e in (-1, 1))
    below = {"<": "<", "<=": "<=", "=": "<="}.get(low or "")  # the formula against the quantity
    known = below or {">": ">", ">=": ">=", "=": ">="}.get(high or "")
    if side == "right":
        known = known and known.translate(str.maketrans("<>", "><"))
    pair = (claim.formulas[name], moved) if side == "left" else (moved, claim.formulas[name])
    return with_conditions(
        compared(
            scope,
            pair[0],
            sign,
            pair[1],
            known=known,
            instances=admitted(claim, list(_moved(names))),
            method="exact: the formula's logarithm against the ends of the range",
            severity=Severity.CONSTANT,
            survives="The factors e^{-zeta} and e^{zeta} for one weight, e^{-2 zeta} and e^{2 zeta} for a ratio.",
            lemmas=(ERRORS,),
            printed=side,
        )
    )


def _moved(names: Sequence[str]) -> Iterator[Instance]:
    """Errors at both ends of their range, and none."""
    for zeta in ZETAS:
        for signs in ((1, -1), (-1, 1), (0, 0)):
            errors = {name: {1: zeta, -1: f"-{zeta}", 0: "0"}[e] for name, e in zip(names, signs, strict=False)}
            yield {"zeta": zeta, "largest_error": zeta, "f_here": "0.7", "f_there": "-1.3", **errors}


def moved_ratio(m: Numbers, f_here: Real, f_there: Real, e_here: Real, e_there: Real) -> Real:
    """e^{-(f'(y) - f'(x))}."""
    return m.exp(f_here + e_here - f_there - e_there)


def moved_weight(m: Numbers, error: Real) -> Real:
    """F'/F."""
    return m.exp(-error)


def ratio(name: str, side: str) -> Callable[[Claim, str], Iterator[Finding]]:
    """One end of the chain for e^{-(f'(y) - f'(x))}; where it is the wrong one, the reading with both ends exchanged."""

    def decide(claim: Claim, sign: str) -> Iterator[Finding]:
        end = {"ratio_printed_below": "lower end", "ratio_printed_above": "upper end"}.get(name, name)
        scope = f"the chain's {end} against e^{{-(f'(y) - f'(x))}}, every f and error"
        found = within(
            claim,
            name,
            sign,
            side=side,
            scope=scope,
            moved=moved_ratio,
            names=("e_here", "e_there"),
            centre=lambda s: s["f_here"] - s["f_there"],
            width=lambda s: 2 * s["zeta"],
        )
        if found.verdict is not Verdict.REFUTED:
            yield found
            return
        exchanged = found.severity is Severity.CONCLUSION  # true with the sign turned
        chain = "the chain with its two ends exchanged, " if exchanged else ""
        survives = f"The lemma itself, phi' >= e^{{-6 zeta}} phi, {chain}and {KEPT}."
        yield as_step(replace(found, survives=survives))
        if not exchanged:
            return
        meant = proved(f"{scope}: the ends exchanged", True, "exact: the same, the sign turned", lemmas=(ERRORS,))
        yield replace(with_conditions(meant), reading=Reading.MEANT)

    return decide


def weight(name: str) -> Callable[[Claim, str], Iterator[Finding]]:
    """F'/F against one of its ends."""

    def decide(claim: Claim, sign: str) -> Iterator[Finding]:
        yield within(
            claim,
            name,
            sign,
            side="right",
            scope=f"F'/F against {name}, every f and error",
            moved=moved_weight,
            names=("error",),
            centre=lambda s: 0,
            width=lambda s: s["zeta"],
        )

    return decide


def shared_distance(m: Numbers, share: Real, zeta: Real) -> Real:
    """sup |log(pi'/pi)|, error -zeta on a share of the mass (0: a set of measure zero), zeta elsewhere."""
    mean = m.log(share * m.exp(zeta) + (1 - share) * m.exp(-zeta))
    return m.max(m.abs(zeta - mean), m.abs(-zeta - mean))


def densities_are_near(claim: Claim, sign: str) -> Iterator[Finding]:
    """sup |log(pi'/pi)| against the printed bound."""
    s: Mapping[str, Any] = symbols_of(claim.parameters)
    room = order(sympy.simplify(2 * s["zeta"] - apply(claim.formulas["bound"], symbolic(), s)))
    known = {"<": "<", "<=": "<=", "=": "<="}.get(room or "")
    instances = [{"zeta": z, "largest_error": z, "share": share} for z in ZETAS for share in ("0", "1e-9", "0.1", "0.5")]
    finding = compared(
        "log-distance of the normalised densities, every f, A and error",
        shared_distance,
        sign,
        claim.formulas["bound"],
        known=known,
        instances=admitted(claim, instances),
        method="exact: the bound is at least 2 zeta",
        severity=Severity.CONSTANT,
        survives="The distance is at most 2 zeta, and no smaller multiple of zeta will do.",
        lemmas=(NORMALISED,),
    )
    yield with_conditions(finding)


def two_cells(what: str) -> Formula:
    """A ratio, after over before errors, on two cells with f = 0 and HEIGHT: by the literal chain."""

    def values(m: Numbers, here: Real, there: Real) -> Real:
        f = [here, there]
        P, q = transitions(m, f, 1, 2), stationary(m, f)
        return {"transition": P[0][1], "mass": q[1], "flow": q[0] * P[0][1], "lesser": m.min(*q)}[what]

    def ratio_of(m: Numbers, e_here: Real, e_there: Real) -> Real:
        high = m.real(HEIGHT)
        return values(m, e_here, high + e_there) / values(m, m.real(0), high)

    return ratio_of


def step(what: str, name: str) -> Callable[[Claim, str], Iterator[Finding]]:
    """One ratio of the proof against the claim's factor: its ends are e^{-2 zeta} and e^{2 zeta}, not beyond."""

    def decide(claim: Claim, sign: str) -> Iterator[Finding]:
        s = symbols_of(claim.parameters)
        log = sympy.expand_log(sympy.log(apply(claim.formulas[name], symbolic(), s)), force=True)
        above, below = order(sympy.simplify(log - 2 * s["zeta"])), order(sympy.simplify(log + 2 * s["zeta"]))
        known = "<=" if above in (">", ">=", "=") else ">=" if below in ("<", "<=", "=") else None
        finding = compared(
            f"{what} ratio against {name}, every f, error, grid and dimension",
            two_cells(what),
            sign,
            claim.formulas[name],
            known=known,
            instances=admitted(claim, list(_moved(("e_here", "e_there")))),
            method="exact: the factor's logarithm against 2 zeta and -2 zeta",
            severity=PROOF_STEP,
            survives=f"The lemma itself, and {KEPT}.",
            lemmas=(STEPS,),
        )
        refuted = finding.verdict is Verdict.REFUTED
        yield finding if refuted else with_conditions(finding)

    return decide
