"""Judge of the comparison of strongly log-concave densities with two Gaussians.

The worst pair that the preconditions admit is F = modulus |x|^2/2 with a linear F~ - F; its curve is the Gaussian profile at
slope/sqrt(modulus). The printed bound is compared with that, as an expression and at enclosed instances.
"""

from collections.abc import Iterator
from typing import Any

import sympy

from dpsco.arguments.assertions import known_release, reading
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Instance, grid
from dpsco.mutants.privacy import log_concave as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.reference.privacy import gaussian, log_concave
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

SAMPLE = "one sample from P (data Z) or Q (a neighbour)"
EPSILONS = ("0", "0.001", "0.1", "1", "8", "100")
SLOPES = ("0.3", "1", "2", "7")
MODULI = ("0.09", "0.3", "1", "2.5", "9")

CONTRACTION = Lemma(
    "contraction",
    "A density e^{-F} on a convex set, F - mu |x|^2/2 convex, is the image of the standard Gaussian under a map that is "
    "1/sqrt(mu)-Lipschitz (Caffarelli 2000; in one dimension the increasing map). So an L-Lipschitz function of x has under P "
    "the law of an (L/sqrt(mu))-Lipschitz function of a standard Gaussian.",
)
REARRANGED = Lemma(
    "rearrangement",
    "Let f be s-Lipschitz on Gaussian space and f*(t) increasing on the line with the same law. {f >= a - s r} holds every "
    "point within r of {f >= a}, so by Gaussian isoperimetry its quantile Phi^{-1}(mass) is larger by r at least: f* is "
    "s-Lipschitz.",
)
CUT = Lemma(
    "cut",
    "Let l increase with slope at most s, l0(t) = s t - s^2/2, g a standard Gaussian, E e^{l(g)} = E e^{l0(g)} = 1. l - l0 "
    "does not increase, so it is >= 0 up to some t0 and <= 0 beyond. For u > 0 let l cross ln u at t1. If t1 >= t0 then "
    "(e^l - u)_+ <= (e^l0 - u)_+ everywhere; if t1 < t0 then (u - e^l)_+ <= (u - e^l0)_+ everywhere, and the two "
    "expectations differ by 1 - u on both sides. So E(e^l - u)_+ <= E(e^l0 - u)_+, which is the profile of N(0, 1) against "
    "N(s, 1) at epsilon = ln u.",
)
EITHER = Lemma(
    "one modulus is enough",
    "With l = log(dQ/dP), Lipschitz as F~ - F is, delta(P || Q)(epsilon) = E_P(e^l - e^epsilon)_+, for which P's modulus "
    "serves, = E_Q(1 - e^epsilon e^{-l})_+, a convex function of e^{-l} with mean 1 under Q, for which Q's serves. The "
    "profile of N(0, 1) against N(s, 1) is the same in both directions and increases with s.",
)
TIGHT = Lemma(
    "tight pair",
    "F = modulus |x|^2/2 and F~ = F + slope x_1 on R^d are N(0, I/modulus) and the same moved by slope/modulus, that is by "
    "slope/sqrt(modulus) standard deviations.",
)


def bound_holds(claim: Claim) -> Iterator[Finding]:
    """The printed bound against the curve of the worst pair that the preconditions admit."""
    yield from known_release(claim, SAMPLE)
    axes = {"epsilon": EPSILONS, "G": SLOPES, "mu": MODULI, "slope_difference": SLOPES}
    tried = grid(claim, axes, fixed=[{"modulus_1": modulus, "modulus_2": modulus} for modulus in MODULI])
    common: dict[str, Any] = {
        "scope": "every convex set, every pair of potentials, every dimension, both directions",
        "adjacency": claim.adjacency,
        "release": claim.releases,
        "coverage": tried.coverage,
    }
    violations = [(at, true, printed) for at in tried if (found := _exceeded(claim, at)) for true, printed in (found,)]
    if violations:
        at, true, printed = max(violations, key=lambda v: float((v[1] - v[2]).mid()))
        yield refuted(
            **common,
            claimed=printed,
            computed=true,
            at=at,
            method="curve of the tight pair, enclosed",
            severity=Severity.CONSTANT,
            survives="The bound of N(0, 1) against N(slope/sqrt(modulus), 1) holds.",
            effort=f"{len(tried)} instances enclosed, {len(violations)} of them violate the claim",
            lemmas=(TIGHT,),
        )
        return
    factor = _room(claim)
    if factor is None:
        yield Finding(**common, verdict=Verdict.OPEN, reason=f"no violation at {len(tried)} instances, and no certificate")
        return
    yield Finding(
        **common,
        verdict=Verdict.CERTIFIED,
        rung=Rung.EXACT,
        method=f"computer algebra: the printed bound is the Gaussian profile at {factor} times the worst shift that the "
        "preconditions admit",
        effort=f"no violation at {len(tried)} enclosed tight pairs",
        lemmas=(CONTRACTION, REARRANGED, CUT, EITHER, TIGHT),
    )


def _exceeded(claim: Claim, at: Instance) -> tuple[Real, Real] | None:
    """Curve of the tight pair and printed bound, where the first is certainly larger."""
    m = arb(192)
    values = {name: m.real(value) for name, value in at.items()}
    true = log_concave.profile(m, values["epsilon"], values["slope_difference"], values["modulus_1"])
    printed = apply(claim.formulas["bound"], m, values)
    return (true, printed) if m.gt(true, printed) is True else None


def _room(claim: Claim) -> Any:
    """The number >= 1 by which the printed bound's shift exceeds the worst admitted one; None if it is not of that form."""
    m, s = symbolic(), symbols_of(claim.parameters)
    limits = _limits(claim)
    slope = limits.get("slope_difference")
    moduli = [limits[name] for name in ("modulus_1", "modulus_2") if name in limits]
    if slope is None or not moduli:
        return None
    printed = apply(claim.formulas["bound"], m, s)
    for modulus in moduli:  # by EITHER each of the two is enough
        worst = log_concave.mu(m, slope, modulus)
        stated = apply(claim.formulas["shift"], m, s)
        for factor in (sympy.Integer(1), sympy.simplify(stated / worst)):
            same = sympy.simplify(printed - gaussian.profile(m, s["epsilon"], factor * worst)) == 0
            if same and factor.is_number and bool(factor >= 1):
                return factor
    return None


def _limits(claim: Claim) -> dict[str, Any]:
    """The largest slope and the least moduli that the preconditions admit, by parameter."""
    s = symbols_of(claim.parameters)
    found = {}
    for predicate in claim.preconditions:
        relation = predicate(symbolic(), s)
        for name, kind in (
            ("slope_difference", sympy.LessThan),
            ("modulus_1", sympy.GreaterThan),
            ("modulus_2", sympy.GreaterThan),
        ):
            if isinstance(relation, kind) and relation.lhs == s[name]:
                found[name] = relation.rhs
    return found


READ = {Relation("curve", "<=", "bound"): bound_holds}

JUDGES = {"bilevel/thm-B.4": reading(READ)}

MUTANTS = {"bilevel/thm-B.4": mutants.of_comparison}
