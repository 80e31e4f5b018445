"""Excess risk of a Gibbs density: d/k for every convex function, and what the population's excess adds to it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import GIBBS, LIPSCHITZ, SHIFT, never_negative
from dpsco.arguments.algorithms.exponential_sampling.regularised_sampling import CHAIN, HUBER, LINEAR, SAMPLES
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Instance, grid
from dpsco.reference.algorithms.exponential_sampling.mechanism import mean_excess
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbol, symbolic, symbols_of
from dpsco.spec.algorithms.exponential_sampling import calibrated, generalisation
from dpsco.spec.claim import Claim
from dpsco.spec.losses.bilevel.assumptions import SMOOTH_HOLDS, objective_is_convex
from dpsco.spec.numbers import Real
from dpsco.spec.register import find
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

WIDE_CONE = Lemma(
    "linear function on a cone",
    "K: |x'| <= x_1 in R^d, F = x_1, min F = 0 at the apex: x_1 has the density proportional to x^{d-1} e^{-kx}, of mean d/k.",
)
OWN_VOLUME = Lemma(
    "densities that exist",
    "exp(-kF) has a finite integral, for F and K have the density that is sampled; so F has exponential tails, its mean is "
    "finite and the integral may be differentiated in k. A K without interior is taken in the space that it spans, of "
    "dimension at most d. An infimum that is not attained is approached.",
)
COUPLED = Lemma(
    "coupled draws",
    "k(Phi_Z + mu |x|^2/2) is k mu-strongly convex and moves by a (2 k G/n)-Lipschitz function when one record changes. Two "
    "diffusions with these drifts, reflected in X, driven by one Brownian motion, have a distance r with dr <= (-k mu r + 2 k "
    "G/n) dt, for reflection in a convex set never adds to it; their laws tend to the two densities (for smooth functions, "
    "and by approximation for all). So draws can be coupled within W = 2 G/(mu n), surely.",
)
INNER = Lemma(
    "lower minimiser at the draw",
    "With x, y = y_Z(x) at the draw and y* = y*(x): both strong convexities give mu_g |y - y*|^2 <= the mean over i of r_i(x, "
    "y) - E r(x, y), r_i(x, y) = g(x, y*(x), z_i) - g(x, y, z_i), E over a new record. E r(x, y) has the mean of r_i at the "
    "draw x', y' on the data with z_i replaced, |x - x'| <= W, |y - y'| <= beta_gxy W/mu_g + 2 L_gy/(mu_g n). Now r_i(x, y) - "
    "r_i(x', y') is at most L_gy |y*(x) - y*(x')| + L_gy |y - y'| + beta_gxy W |y*(x') - y'|, where |y* - y'| <= 2 L_gy/mu_g "
    "by values alone: together (2 L_gy/mu_g)(L_gy/n + 2 beta_gxy W). So E|y - y*| <= S = sqrt(2 L_gy (L_gy/n + 2 beta_gxy "
    "W))/mu_g, and at a fixed x the same with W = 0.",
)
EXCHANGE = Lemma(
    "exchange of a record",
    "E Phi(x) - E Phi_Z(x) is the mean of f(x, y*(x), z) - f(x', y_Z'(x'), z), z new, Z' with z in place of one record: at "
    "most (L_fx + L_fy beta_gxy/mu_g) W + L_fy S. And E Phi_Z(x) <= E min (Phi_Z + mu |.|^2/2) + d_x/k <= Phi* + L_fy S + mu "
    "D_x^2/2 + d_x/k, comparing at the population's minimiser, a fixed point.",
)
SEGMENT = Lemma(
    "linear loss on the segment",
    "X = [0, 1], f = x or f = -x whatever z, nothing below: Phi = Phi_Z, L_fx = 1, D_x = 1, every other constant 0.",
)
SIGNS: tuple[tuple[int, Instance], ...] = (
    (-1, {"n": "1", "mu": "100", "k": "100"}),
    (-1, {"n": "1000000", "mu": "2", "k": "1000"}),
    (1, {"n": "1e30", "mu": "0.000001", "k": "1000"}),
    (1, {"n": "1e30", "mu": "0.000000001", "k": "0.000001"}),
)
"""Sign of the loss and the parameters: where the regulariser, or the temperature, is all there is."""
MANY = {"n": "100000000", "L_gy": "40001", "mu": "0.05", "k": "1000"}


def gibbs(claim: Claim) -> Iterator[Finding]:
    """d/k against the printed bound: exact on a cone, and proved for every convex function."""
    common: dict[str, Any] = {"scope": "every convex F and K for which the density exists", "rung": Rung.EXACT}
    tried = grid(claim, {"d": ("1", "2", "3", "60"), "k": ("0.01", "0.3", "1", "7", "10000")})
    m = arb(128)
    for at in tried:
        v = {name: m.real(value) for name, value in at.items()}
        printed, exact = apply(claim.formulas["bound"], m, v), v["d"] / v["k"]
        if m.lt(printed, exact) is True:
            yield refuted(
                **common,
                claimed=printed,
                computed=exact,
                at=at,
                method="mean of a gamma law",
                severity=Severity.CONSTANT,
                survives="The excess is at most d/k.",
                coverage=tried.coverage,
                lemmas=(WIDE_CONE,),
            )
            return
    d, k = (symbol(claim.parameter(name)) for name in ("d", "k"))
    room = sympy.simplify(apply(claim.formulas["bound"], symbolic(), {"d": d, "k": k}) * k / d)
    if room.is_number and bool(room >= 1):
        yield Finding(
            **common,
            verdict=Verdict.CERTIFIED,
            method=f"computer algebra: the bound is {room} times d/k, and d/k is attained",
            coverage=tried.coverage,
            lemmas=(GIBBS, OWN_VOLUME, WIDE_CONE),
            reason="'sampled from the density' presupposes that it exists: K = R, F = 0 has none",
        )
    else:
        yield Finding(**common, verdict=Verdict.OPEN, reason="no violation on the cones, and the bound is no multiple of d/k")


def _shown(claim: Claim, given: Mapping[str, str]) -> Instance | None:
    names = {p.name for p in claim.parameters}
    at = {name: value for name, value in given.items() if name in names}
    return at if len(grid(claim, {}, fixed=[at])) else None


def _bound(claim: Claim, given: Mapping[str, str]) -> Real:
    m = arb(256)
    v = {name: m.real(value) for name, value in given.items()}
    v["G"] = apply(claim.formulas.get("G", find("bilevel/eq-5").formulas["G"]), m, v)
    return apply(claim.formulas["bound"], m, v)


def on_a_segment(claim: Claim) -> Iterator[Finding]:
    """The risk of a linear loss in one dimension, enclosed, against the printed bound."""
    for sign, given in SIGNS:
        full = {**LINEAR, "least_curvature_g_yy": "1", "largest_norm": "1", **given}
        at = _shown(claim, full)
        if at is None:
            continue
        m = arb(256)
        values = [m.real(0), m.real(1)] if sign > 0 else [m.real(1), m.real(0)]
        risk = mean_excess(m, [m.real(0), m.real(1)], values, m.real(given["k"]), m.real(given["mu"]))
        printed = _bound(claim, full)
        if m.gt(risk, printed) is True:
            yield refuted(
                f"f = {'x' if sign > 0 else '-x'} on X = [0, 1], Phi = Phi_Z: the cost of temperature and regulariser",
                printed,
                risk,
                at,
                method="mean of the density, enclosed",
                severity=Severity.RATE,
                survives="The regulariser's own bias, at most mu |x*|^2/2, belongs to the bound, d_x/k too.",
                lemmas=(SEGMENT,),
            )
            return


def on_few_samples(claim: Claim) -> Iterator[Finding]:
    """Two distributions that n records do not tell apart: a lower bound for every algorithm, so for every mu and k."""
    full = {**HUBER, **MANY}
    at = _shown(claim, full)
    if at is None:
        return
    m = arb(128)
    least, printed = (1 - 1 / m.sqrt(3)) / 4, _bound(claim, full)
    if m.gt(least, printed) is True:
        yield refuted(
            "population excess of every algorithm, the regulariser's bias granted",
            ends(printed)[1],
            (ends(least)[0], "0.5"),
            at,
            method="lower bound on the larger of two risks, enclosed",
            severity=Severity.RATE,
            survives="With the chain rule's terms in G, the bias, and the error of the lower minimiser, it holds.",
            lemmas=(SAMPLES,),
        )


def certificate(claim: Claim) -> Iterator[Finding]:
    """The printed bound against the one that is proved."""
    s = symbols_of(claim.parameters)
    common: dict[str, Any] = {"scope": "every problem, data law, mu, k, dimension"}
    if "G" in claim.formulas and {"D_x", "largest_norm"} <= {*s}:
        slope = apply(claim.formulas["G"], symbolic(), s) - apply(calibrated.difference_slope, symbolic(), s)
        printed = apply(claim.formulas["bound"], symbolic(), s)
        proved = apply(generalisation.population_bound, symbolic(), s)
        room = sympy.simplify(printed / proved)
        if never_negative(slope) and room.is_number and bool(room >= 1):
            yield Finding(
                **common,
                verdict=Verdict.CERTIFIED,
                rung=Rung.EXACT,
                method=f"computer algebra: the bound is {room} times the proved one, G at least the slope of the chain rule",
                lemmas=(GIBBS, *(replace(lemma, adjacencies=()) for lemma in (SHIFT, CHAIN)), COUPLED, INNER, EXCHANGE),
                given=(*LIPSCHITZ, *(p.test for p in SMOOTH_HOLDS), objective_is_convex, calibrated.domain_is_near),
            )
            return
    yield Finding(**common, verdict=Verdict.OPEN, reason="no violation found, and the bound is no multiple of the proved one")


def population(claim: Claim) -> Iterator[Finding]:
    """The population's excess: refuted on one of the two families, else against what is proved."""
    found = [*on_a_segment(claim), *on_few_samples(claim)]
    yield from found or certificate(claim)
