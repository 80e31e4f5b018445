"""T - 1 draws from half-spheres, all directions released: is the printed total kept?

The optimal composition theorem, which refutes, is exact here: on the line the directions of two data sets can be independent
randomised responses with opposite answers, at every step. A proof compares the total with Hoeffding's bound (or
with the sum), by computer algebra in the claim's own formulas.
"""

from collections.abc import Iterator
from typing import Any

import sympy

from dpsco.arguments.algorithms.descent.descent_paths import odds_of
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.composition import BASIC, BITS, HOEFFDING, WORST
from dpsco.arguments.privacy.half_spheres import DENSITY, never_negative
from dpsco.instances.grid import Grid, Instance, grid
from dpsco.reference.algorithms.exponential_descent.privacy import least_delta
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

EPSILONS = ("0.001", "0.1", "1", "5", "20", "100")
DELTAS = ("1e-300", "1e-40", "1e-6", "0.1", "0.5", "0.999")
TIMES = ("1", "2", "3", "10", "100", "500")
DRAWS = "the directions G_1, ..., G_{T-1}"

ATTAINED = Lemma(
    "opposite gradients at every step",
    "n = 1, S = [-1, 1], d = p = 1, mu = 1: the record (c, 1) has the gradient -4 sign(c) at every B with |c| >= 1 + 2 |B|. "
    "For |c| large enough (c, 1) and (-c, 1) have opposite gradients at every iterate that T - 1 steps reach, so that their "
    "directions are T - 1 independent randomised responses with opposite answers.",
)
FUNCTION = Lemma(
    "all that a run with public steps releases",
    "With step lengths free of the data every B_t is a function of G_1, ..., G_{t-1}, and c_hat and the decisions are "
    "functions of the B_t and of the public x_{n+1}: they cost no more than the directions. Each direction, given those "
    "before it, is a draw from half-spheres about a gradient, whatever the gradient is.",
)


def one_step(m: Numbers, claim: Claim, epsilon_0: Real) -> Real:
    """Least pure parameter of one draw at the step parameter epsilon_0: the logarithm of the odds."""
    f, u = odds_of(claim, m, epsilon_0)
    return m.log(f / u)


def log_odds(claim: Claim) -> Any:
    """The same as an expression in `e` > 0, or None where the odds do not add up to 1, are below 1, or cannot be read."""
    e = sympy.Symbol("e", positive=True)
    f, u = odds_of(claim, symbolic(), e)
    found = sympy.simplify(sympy.expand_log(sympy.log(sympy.simplify(f / u)), force=True))
    return found if sympy.simplify(f + u - 1) == 0 and never_negative(found, [e]) else None


OUTSIDE = {"epsilon": ("-1", "0"), "delta": ("-1", "0", "1", "2"), "T": ("0", "1.5")}
"""Values that the proofs do not speak of."""


def _covered(claim: Claim) -> bool:
    """Whether the printed domains stay within what the proofs are for."""
    m, printed = arb(BITS), {p.name: p.domain for p in claim.parameters}
    return not any(
        printed[name].contains(m, value) is not False for name, values in OUTSIDE.items() if name in printed for value in values
    )


def approximate(claim: Claim, release: str, reading: Reading = Reading.PRINTED, shift: int = 0) -> Finding:
    """Are T - 1 draws at `step_epsilon`, taken at T - `shift`, (epsilon, delta)-DP?"""
    tried = grid(claim, {"epsilon": EPSILONS, "delta": DELTAS, "T": TIMES})
    said = f"T - 1 steps with the parameter for k = {'T - 1' if shift else 'T'}"
    common: dict[str, Any] = {"scope": said, "adjacency": claim.adjacency, "release": release, "reading": reading}
    common["coverage"] = tried.coverage
    for instance, claimed, true in _violations(claim, tried, shift):
        return _refuted(common, instance, claimed, true)
    if not (_covered(claim) and _within(claim)):
        return Finding(**common, verdict=Verdict.OPEN, reason=f"no violation at {len(tried)} instances, and no proof")
    spare = _within(claim, sympy.sqrt(3))
    return Finding(
        **common,
        verdict=Verdict.CERTIFIED,
        rung=Rung.EXACT,
        method="computer algebra: with ln(1/delta) = t^2/2, epsilon = q^2/2 + t q, the total less Hoeffding's bound is a "
        "polynomial in q, t > 0 without a minus sign",
        lemmas=(DENSITY, WORST, HOEFFDING, FUNCTION),
        effort=f"optimal composition enclosed at {len(tried)} instances, no violation",
        reason="sqrt(3) times the parameter would do as well, by the same proof: sqrt(k) for sqrt(3k)" if spare else None,
    )


def _violations(claim: Claim, tried: Grid, shift: int) -> Iterator[tuple[Instance, Real, Real]]:
    """Instances where the least delta certainly exceeds the printed one, fewest steps first."""
    m = arb(BITS)
    for instance in sorted(tried, key=lambda at: int(at["T"])):
        steps = int(instance["T"]) - 1
        if steps == 0:
            continue
        values = {name: m.real(value) for name, value in instance.items()}
        values["T"] = m.real(steps + 1 - shift)
        one = one_step(m, claim, apply(claim.formulas["step_epsilon"], m, values))
        true = least_delta(m, values["epsilon"], one, steps + 1)
        if m.gt(true, values["delta"]) is True:
            yield instance, values["delta"], true


def _within(claim: Claim, factor: Any = 1) -> bool:
    """Whether k steps at `factor` times step_epsilon(T = k) stay within the total for all epsilon > 0, delta in (0, 1), k."""
    q, t, root = sympy.symbols("q t R", positive=True)
    values = {"epsilon": q**2 / 2 + t * q, "delta": sympy.exp(-(t**2) / 2), "T": root**2}
    printed = factor * apply(claim.formulas["step_epsilon"], symbolic(), values)
    # b = t^2 and b + 2 epsilon = (q + t)^2: the roots disappear
    step = printed.replace(lambda x: x.is_Pow and x.exp == sympy.S.Half, lambda x: sympy.sqrt(sympy.factor(x.base)))
    odds = log_odds(claim)
    if odds is None:
        return False
    one = odds.subs(sympy.Symbol("e", positive=True), sympy.simplify(step))
    bound = root**2 * one**2 / 2 + root * t * one
    return never_negative(one, [q, t, root]) and never_negative(sympy.expand(values["epsilon"] - bound), [q, t, root])


def pure(claim: Claim, release: str) -> Finding:
    """Are T - 1 draws total-DP, delta = 0?"""
    tried = grid(claim, {"epsilon": EPSILONS, "T": TIMES})
    common: dict[str, Any] = {"scope": "T - 1 steps, delta = 0", "adjacency": claim.adjacency, "release": release}
    common["coverage"] = tried.coverage
    m = arb(BITS)
    for instance in sorted(tried, key=lambda at: int(at["T"])):
        values, steps = {name: m.real(value) for name, value in instance.items()}, int(instance["T"]) - 1
        # below 0 the total asks for more than equality of the two laws
        total = apply(claim.formulas["total"], m, values)
        true = least_delta(m, m.max(0, total), one_step(m, claim, values["epsilon"]), steps + 1)
        if m.gt(true, 0) is True or m.lt(total, 0) is True:
            return _refuted(common, instance, m.real(0), true)
    e, rest = sympy.symbols("e r", positive=True)
    odds = log_odds(claim)
    total = apply(claim.formulas["total"], symbolic(), {"epsilon": e, "T": 1 + rest})
    if odds is None or not _covered(claim) or not never_negative(sympy.expand(total - rest * odds), [e, rest]):
        return Finding(**common, verdict=Verdict.OPEN, reason=f"no violation at {len(tried)} instances, and no proof")
    return Finding(
        **common,
        verdict=Verdict.CERTIFIED,
        rung=Rung.EXACT,
        method="computer algebra: the total is at least T - 1 times the logarithm of the odds",
        lemmas=(DENSITY, BASIC, FUNCTION),
        effort=f"optimal composition enclosed at {len(tried)} instances, no violation",
    )


def _refuted(common: dict[str, Any], at: Instance, claimed: Real, true: Real) -> Finding:
    return refuted(
        **common,
        claimed=claimed,
        computed=true,
        at=at,
        method="optimal composition of the T - 1 draws, enclosed: least delta",
        severity=Severity.CONSTANT,
        survives="It holds with the constants of the optimal composition.",
        lemmas=(ATTAINED, WORST),
    )
