"""Judges of the exponential mechanisms as they are run: inexact lower minimisers, and a sampler near the density.

The sampler itself and its running time are another concept's; here its law is what the statement says of it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import (
    CENTRED,
    LIPSCHITZ,
    SHIFT,
    WEIGHTS,
    centred_range,
    never_negative,
    no_scale,
    risk_bound,
    risk_rate,
    scale,
    symbols,
)
from dpsco.arguments.algorithms.exponential_sampling.hidden_minima import no_fast_algorithm, no_private_sampler
from dpsco.arguments.algorithms.exponential_sampling.regularised_sampling import NEAR_LAW, calibrated_shift, lost_epsilon, shift
from dpsco.arguments.algorithms.exponential_sampling.thin_sets import DESCRIBED, EXISTENCE
from dpsco.arguments.assertions import known_release, reading
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Instance, grid
from dpsco.judges.algorithms.exponential_sampling.utility import DECISION, EMPIRICAL, LOSS, POPULATION, printed_risks
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbol, symbolic, symbols_of
from dpsco.reference.privacy.gaussian import profile
from dpsco.spec.algorithms.exponential_sampling.calibrated import minimisers_are_accurate, sampler_is_near
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict, as_step

NO_PATH = "x, not the path of the walk nor its running time"
SAMPLED_DELTA = Relation("true_delta", "<=", "delta")
CHAIN = Relation("distance_of_neighbours", "=", "epsilon")
SOME = Relation("some sampler", "is", "epsilon-DP")
TIME = Relation("time", "<=O", "the smaller of cutting_plane_time and subgradient_time, times a polynomial")
ANOTHER = (
    "For Phi_Z convex the amended Theorem B.15 is epsilon-DP with this loss, without its logarithms, and Theorem 3.8 is to "
    "give its sampler and the time."
)
HALF = sympy.Rational(1, 2)
ROUNDED = Lemma(
    "rounded lower minimisers",
    "n = 1, X = [0, D_x], L_fy = mu_g = 1, f = y, g = (y - t x/D_x - z)^2/2, solver: y_Z(x) rounded to a multiple of 2 T, "
    "off by at most T = inner_tolerance. z = T - t/2 is rounded to 0 on the left half of X and to 2 T on the right, z' = z - "
    "0.51 t to 0 everywhere. D_y = t, L_gy = 1.01 t on the interval Y of all minimisers. On the right half the log ratio "
    "of the two densities is ln((1 + e^J)/2), J = 2 T L_fy epsilon'/(2s), for 1.01 t <= 2 T.",
)
LINKS = Lemma(
    "links of the sampler",
    "Values off by at most e in the exponent move a normalised density by 2 e at most in |log ratio| (both the value and the "
    "normaliser), the sampler adds xi, the neighbour's the same, and the exact densities are as far apart as the exact "
    "mechanism's loss: 2 (2 e + xi) + loss.",
)
RESTARTS = Lemma(
    "number of restarts",
    "On a cube below 1/alpha the walk draws x uniformly and accepts with probability F(x)/(e max F), else restarts. On X = [0, "
    "1/2] with exponents x and 0 one round accepts with probability 2 (1 - e^{-1/2})/e or 1/e; j restarts have a probability "
    "ratio that grows geometrically in j, for every pair of different probabilities.",
)
ROUNDINGS: tuple[Instance, ...] = tuple(
    {"epsilon": e, "n": "1", "d_x": "1", "L_fx": "0", "L_fy": "1", "L_gy": g, "mu_g": "1", "D_x": "1", "D_y": t}
    for e in ("0.01", "1", "100")
    for t, g in (("1", "1.01"), ("0.001", "0.00101"), ("0.000001", "0.00000101"))
)


def chain_adds_up(claim: Claim) -> Iterator[Finding]:
    """The sum of the three links as printed."""
    s = symbols(claim)
    left = apply(claim.formulas["distance_of_neighbours"], symbolic(), s)
    slack = sympy.simplify(left - s["epsilon"])
    common: dict[str, Any] = {"scope": "arithmetic of the links", "rung": Rung.EXACT, "release": claim.releases}
    if slack == 0:
        yield Finding(**common, verdict=Verdict.CERTIFIED, method="computer algebra: both sides are epsilon")
    else:
        m = arb(64)
        value = apply(claim.formulas["distance_of_neighbours"], m, {"epsilon": m.real(1)})
        yield refuted(
            **common,
            claimed="1",
            computed=value,
            at={"epsilon": "1"},
            method=f"computer algebra: the difference is {slack}",
            severity=Severity.MISPRINT,
            survives="The three links add up to what they are.",
        )


def output_is_private(claim: Claim) -> Iterator[Finding]:
    """The law of the output, lower minimisers found to the printed tolerance."""
    common: dict[str, Any] = {"adjacency": claim.adjacency, "release": claim.releases}
    yield from no_scale(claim)
    violations: list[tuple[Real, Instance]] = []
    for at in grid(claim, {}, fixed=ROUNDINGS):
        m = arb(192)
        v = {name: m.real(value) for name, value in at.items()}
        loss = m.log((1 + m.exp(2 * _error_in_exponent(claim, m, v))) / 2)
        cell = m.le(m.frac(101, 100) * v["D_y"], 2 * _tolerance(claim, m, v))
        if cell is True and m.gt(loss, v["epsilon"]) is True:
            violations.append((loss, at))
    if violations:
        worst = next((found for found in violations if found[1]["epsilon"] == "1"), violations[0])
        yield refuted(
            "lower minimisers rounded to the printed tolerance, an exact draw from the evaluated density",
            worst[1]["epsilon"],
            worst[0],
            worst[1],
            method="log ratio of two step densities, enclosed",
            severity=Severity.CONSTANT,
            survives="With the tolerance 2 s zeta/(epsilon' L_fy) it holds, given the sampler.",
            lemmas=(ROUNDED,),
            **common,
        )
        return
    s = symbols(claim)
    m = symbolic()
    zeta, half = (apply(claim.formulas[name], m, s) for name in ("zeta_chosen", "epsilon_prime"))
    error = sympy.simplify(_error_in_exponent(claim, m, s))
    value = apply(scale(claim), m, s)
    exact = never_negative(2 * value - centred_range(m, s))
    if exact and never_negative(s["epsilon"] - half - 2 * (2 * error + zeta)):
        yield Finding(
            **common,
            scope="the output's law, every problem, every dimension, every error within the tolerances",
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method=f"computer algebra: the exponent is off by {error} at most, xi = {zeta}, and 2 (2 {error} + xi) + {half} <= "
            "epsilon",
            lemmas=(LINKS, SHIFT, CENTRED, WEIGHTS),
            given=(*LIPSCHITZ, minimisers_are_accurate, sampler_is_near),
        )
    else:
        yield Finding(
            **common, scope="the output's law", verdict=Verdict.OPEN, reason="no violation, and the links do not add up"
        )


def _error_in_exponent(claim: Claim, m: Numbers, values: Mapping[str, Real]) -> Real:
    """epsilon' L_fy tolerance/(2s)."""
    half, s = apply(claim.formulas["epsilon_prime"], m, values), apply(scale(claim), m, values)
    return half * values["L_fy"] * _tolerance(claim, m, values) / (2 * s)


def _tolerance(claim: Claim, m: Numbers, values: Mapping[str, Real]) -> Real:
    """How far a lower minimiser may be off, at the zeta chosen."""
    v = {**values, "s": apply(scale(claim), m, values), "zeta": apply(claim.formulas["zeta_chosen"], m, values)}
    return apply(claim.formulas["inner_tolerance"], m, v)


def restarts(claim: Claim) -> Iterator[Finding]:
    """If the running time, or the number of restarts, is seen as well."""
    m = arb(192)
    first, second, count = 2 * (1 - m.exp(m.frac(-1, 2))) / m.e, 1 / m.e, 50
    loss = m.log(first / second) + count * m.log((1 - first) / (1 - second))
    yield refuted(
        f"the same with the running time seen: {count} restarts",
        "1",
        loss,
        {"epsilon": "1"},
        method="log ratio of two geometric probabilities, enclosed",
        severity=Severity.DOMAIN,
        survives="It is about x alone.",
        adjacency=claim.adjacency,
        release="x and the number of restarts",
        lemmas=(RESTARTS,),
        reading=Reading.ANOTHER,
    )


def existence(claim: Claim) -> Iterator[Finding]:
    """That some sampler has the privacy, the loss and the time; then what the proof says of its own."""
    yield from no_fast_algorithm(claim, (SOME, LOSS, TIME), ANOTHER)
    yield from no_private_sampler(claim, (SOME, LOSS), ANOTHER)
    yield Finding(
        scope="existence for Phi_Z convex",
        verdict=Verdict.OPEN,
        release=claim.releases,
        reading=Reading.MEANT,
        reason="privacy and loss are certified by the amendment for a sampler that is near enough; that there is one, in the "
        "printed time, is Theorem 3.8",
    )
    yield from of_the_proof(output_is_private(claim))
    yield from restarts(claim)


def of_the_proof(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Findings on the sampler that the proof builds: the theorem asks only for some sampler."""
    for finding in findings:
        found = replace(finding, scope=f"step of the proof: {finding.scope}")
        yield as_step(found)


def _time(claim: Claim) -> Iterator[Finding]:
    reason = "running time: judged with the grid walk's own mixing bound"
    yield Finding(scope="running time of the proof's sampler", verdict=Verdict.OPEN, reason=reason, reading=Reading.MEANT)


EXISTS = {
    CHAIN: chain_adds_up,
    SOME: existence,
    LOSS: lambda claim: of_the_proof(risk_rate(claim, HALF, logarithms=True)),
    TIME: _time,
}
READ = {
    CHAIN: chain_adds_up,
    Relation("output", "is", "epsilon-DP"): output_is_private,
    Relation("risk", "<=", "bound"): lambda claim: risk_bound(claim, HALF, sympy.exp(symbol(claim.parameter("epsilon")) / 4)),
}

sampled = reading(READ, NO_PATH)


def sampled_regularised(claim: Claim) -> Iterator[Finding]:
    """The sampler of the regularised mechanism: its existence, with both printed risks."""
    yield from known_release(claim, DECISION)
    yield from printed_risks(claim, SAMPLED_DELTA)
    for relation in (EMPIRICAL, POPULATION):
        if relation in claim.asserts:
            yield from lost_epsilon(claim, relation.right, (SAMPLED_DELTA, relation))


def sampled_density(claim: Claim) -> Iterator[Finding]:
    """A law within `distance` of a density that is calibrated to the inner parameters."""
    m, s = symbolic(), symbols_of(claim.parameters)
    eta, first, second = (apply(claim.formulas[name], m, s) for name in ("distance", "inner_epsilon", "inner_delta"))
    fits = [sympy.simplify(x) for x in (s["epsilon"] - first - 2 * eta, s["delta"] - sympy.exp(eta) * second)]
    violated = _tilted(claim)
    if violated is not None:
        yield violated
    elif all(x.is_nonnegative for x in fits):
        for finding in calibrated_shift(claim, (SAMPLED_DELTA,)):
            yield replace(finding, given=(*finding.given, sampler_is_near), lemmas=(*finding.lemmas, NEAR_LAW))
    else:
        reason = "the inner parameters do not leave room for the sampler"
        yield Finding(scope="privacy of the sampler", verdict=Verdict.OPEN, reason=reason, asserts=(SAMPLED_DELTA,))


def _tilted(claim: Claim) -> Finding | None:
    """The needle's pair, one law raised by e^eta where the other is lowered: e^eta profile(epsilon - 2 eta)."""
    for epsilon in ("1", "0.1", "10"):
        for delta in ("0.000001", "1e-40"):
            at = {"epsilon": epsilon, "delta": delta, "n": "1", "L_fx": "1", "D_x": "1", "d_x": "100000000", "mu_g": "1"}
            if not len(grid(claim, {}, fixed=[at])):
                continue
            m = arb(256)
            v = {name: m.real(value) for name, value in at.items()}
            eta, first, second = (apply(claim.formulas[name], m, v) for name in ("distance", "inner_epsilon", "inner_delta"))
            moved = shift(claim, m, {**v, "epsilon": first, "delta": second})
            level = v["epsilon"] - 2 * eta
            true = m.exp(eta) * profile(m, level, moved)
            rare = m.le(m.Phi(moved / 2 - level / moved) * (1 + m.exp(eta)), m.real(1))
            if rare is True and m.gt(true, v["delta"]) is True:
                return refuted(
                    "a law within the stated distance of the needle's density, d_x large",
                    delta,
                    true,
                    at,
                    method="e^eta times the Gaussian profile at epsilon - 2 eta, enclosed",
                    severity=Severity.CONSTANT,
                    survives="Twice the distance comes off epsilon, once off ln delta.",
                    adjacency=claim.adjacency,
                    release=claim.releases,
                    asserts=(SAMPLED_DELTA,),
                )
    return None


def efficient(claim: Claim) -> list[Finding]:
    """Each assertion of an efficient sampler; first of what is open, whether there is one at all."""
    return sorted(reading(DESCRIBED)(claim), key=lambda finding: finding.scope != EXISTENCE)


JUDGES = {
    **dict.fromkeys(("bilevel/thm-B.13", "bilevel/thm-3.8"), efficient),
    "bilevel/thm-B.15": reading(EXISTS, NO_PATH),
    "bilevel/thm-B.16": sampled_regularised,
}
