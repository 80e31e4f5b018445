"""Judge of the risk of truncated batched mirror descent with constants: proved bounds below it, instances above it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import sympy

from dpsco.arguments.algorithms.mirror_descent import batched_risk as risk
from dpsco.arguments.algorithms.mirror_descent import reflected
from dpsco.arguments.algorithms.mirror_descent.deviations import FREEDMAN
from dpsco.arguments.algorithms.mirror_descent.truncation import KEPT, OPTIMAL, SMOOTH
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import admits, certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import nonnegative, quantities
from dpsco.mutants.algorithms.mirror_descent import batched_utility as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.mirror_descent.batched_utility import batched_bound, batched_choices_are_near
from dpsco.spec.algorithms.mirror_descent.shuffled_utility import EXCESS, start_is_near
from dpsco.spec.algorithms.mirror_descent.truncated import batches_are_whole
from dpsco.spec.algorithms.mirror_descent.truncated_gradients import slopes_are_covered, threshold_covers_slope
from dpsco.spec.algorithms.mirror_descent.truncated_utility import batch_noise_scale, moments_are_bounded, steps_are_enough
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.domain import Interval
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Severity, Verdict

SUMMED = Lemma(
    "the steps summed, tails of both kinds",
    "The bound per step, summed at one gamma >= 2 beta and averaged over the noise: D gamma/T + (sum of <x_t, z - w_{t-1}>)/T "
    "+ 2 (sum of |x_t|_*^2)/(gamma T) + 2 E|z_t|_*^2/gamma, as |x + z|^2 <= 2 |x|^2 + 2 |z|^2. With variance v and largest "
    "value b per step, a sum exceeds its mean's bound by e = sqrt(2 T v tau) + (2/3) b tau with chance at most e^(-tau), as "
    "e^2 >= tau (2 T v + 2 b e/3).",
)
NOISE = Lemma(
    "noise on the mean of a batch",
    "|.|_* <= |.|_+ and E|Z|_+^2 = d sigma_1^2 for Z of GG(sigma_1^2): E|z_t|_*^2 <= d sigma_1^2, however large the batch.",
)
PROOF = (SMOOTH, OPTIMAL, SUMMED, NOISE, KEPT, FREEDMAN)
BOUND = (moments_are_bounded, batches_are_whole, threshold_covers_slope, slopes_are_covered, steps_are_enough)
CHOSEN = (*BOUND, batched_choices_are_near, start_is_near)
SURVIVES = "The registered bound, with its conditions."
POINT = {
    "M": "1", "beta": "1", "lambda_": "1", "kappa": "1.25", "d": 1, "delta": "0.5", "sigma": "1e-3", "largest_moment": "0",
    "tau": "1e-9", "c_choice": "1e60", "largest_slope": "1",
}  # fmt: skip
THROWN = {**POINT, "T": 10**8, "n": 10**8, "epsilon": "5e-5", "divergence": "0"}
"""Batches of one record and noise of ten times sqrt(T)."""
STEEP = {**POINT, "T": 1, "n": 10**12, "beta": "100", "lambda_": "100", "epsilon": "0.5", "largest_slope": "75"} | {
    "divergence": "0.03125"
}
"""One step of length 1, curvature 100."""
Point = tuple[str, Mapping[str, Any], Callable[[Numbers, Mapping[str, Real]], Real], Lemma]


def _points(claim: Claim) -> Iterator[Point]:
    yield "noise without bound", THROWN, lambda m, v: risk.thrown(claim, m, v), risk.ENDS
    yield "gamma < 2 beta", STEEP, reflected.overshot, risk.OVERSHOOT


def _contradicted(claim: Claim) -> Iterator[Finding]:
    """The bound against single instances."""
    m = arb(192)
    for says, point, reached, lemma in _points(claim):
        v = {name: m.real(value) for name, value in point.items()}
        if not admits(claim, m, v):
            continue
        low, claimed = reached(m, v), apply(claim.formulas["bound"], m, v)
        if m.gt(low, claimed) is True:
            yield _refuted(says, claimed, low, {name: str(x) for name, x in point.items()}, lemma, Severity.CONSTANT)
    if all(predicate.test != slopes_are_covered for predicate in claim.preconditions):
        v = {name: m.real(value) for name, value in THROWN.items()}
        claimed = apply(claim.formulas["bound"], m, v)
        slope = 4 * (v["beta"] * v["M"] + v["lambda_"] + claimed)
        at = {"S": ends(slope)[0], **{name: str(x) for name, x in THROWN.items()}}
        yield _refuted("a long slope", claimed, slope * v["M"] / 2, at, risk.LINEAR, Severity.DOMAIN)


def _refuted(says: str, claimed: Real, low: Real, at: dict[str, str], lemma: Lemma, severity: Severity) -> Finding:
    return refuted(
        f"the risk against the bound: {says}",
        claimed,
        low,
        at,
        method="a lower bound on the risk of an instance, enclosed",
        severity=severity,
        survives=SURVIVES,
        lemmas=(lemma,),
    )


def explicit(claim: Claim) -> Iterator[Finding]:
    """The bound with constants, for the noise that the claim prints."""
    found = list(_contradicted(claim))
    yield from found
    if found:
        return
    m, s = symbolic(), quantities(claim)
    s |= {"T": sympy.Symbol("t", positive=True) ** 2, "tau": sympy.Symbol("s_tau", positive=True) ** 2}
    same = sympy.simplify(apply(claim.formulas["sigma_1_squared"], m, s) - apply(batch_noise_scale, m, s)) == 0
    room = sympy.expand(apply(claim.formulas["bound"], m, s) - apply(batched_bound, m, s))
    scope = "the risk against the bound, every 1-strongly convex Phi, every tau"
    if not (same and nonnegative(claim, room)):
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="not seen to be above what is proved")
        return
    yield certified(
        scope, "the bound less the proved one has nonnegative coefficients in the roots of T and tau", *PROOF, given=BOUND
    )


def order(claim: Claim) -> Iterator[Finding]:
    """The rate at the choices."""
    rate = claim.formulas["rate"]

    def right(m: Numbers, v: Mapping[str, Real]) -> Real:
        return apply(rate, m, v)

    paths = (("T = t, n = t^2", risk.many), ("M = t, T = t, n = t^5", risk.wide))
    tried = [
        risk.contradiction(
            claim, f"the risk against the rate: {says}", path, risk.short, right, Severity.RATE, SURVIVES, (risk.SHORT,)
        )
        for says, path in paths
    ]
    yield from (finding for finding in tried if finding is not None)
    if any(tried):
        return
    scope = "the risk against the rate, every 1-strongly convex Phi, constants depend on c_choice only"
    delta = claim.parameter("delta").domain
    small = isinstance(delta, Interval) and sympy.Rational(delta.high) < 1
    away = _left(claim, right) if small else "delta -> 1"
    if away is None:
        yield certified(
            scope,
            "the proved bound's monomials are means of the rate's, by their exponents on the claim's conditions",
            *PROOF,
            given=CHOSEN,
        )
    else:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason=f"the proved bound leaves it: {away}")


def _left(claim: Claim, right: Callable[[Numbers, Mapping[str, Real]], Real]) -> str | None:
    return risk.away(claim, lambda m, v: apply(batched_bound, m, v), right, bounded=lambda s: [1 / s["nats"]])


READ: Table = {
    Relation(EXCESS, "<=", "bound"): explicit,
    Relation(EXCESS, "<=O", "rate"): order,
}

JUDGES = {"lp/thm-14-amended-risk": reading(READ)}

MUTANTS = {"lp/thm-14-amended-risk": mutants.of_amended}
