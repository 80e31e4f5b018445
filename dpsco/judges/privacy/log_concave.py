"""Judge of the comparison of strongly log-concave densities with two Gaussians.

The worst pair that the preconditions admit is F = modulus |x|^2/2 with a linear F~ - F; its curve is the Gaussian profile at
slope/sqrt(modulus). The printed bound is compared with that at enclosed instances, and certified by the kernel.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dpsco.arguments.assertions import known_release, reading
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.proof_objects import METHOD, accepted, conditions, written
from dpsco.instances.grid import Instance, grid
from dpsco.mutants.privacy import log_concave as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.privacy import log_concave
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

SAMPLE = "one sample from P (data Z) or Q (a neighbour)"
EPSILONS = ("0", "0.001", "0.1", "1", "8", "100")
SLOPES = ("0.3", "1", "2", "7")
MODULI = ("0.09", "0.3", "1", "2.5", "9")

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
    if not accepted(claim, lambda one: replace(one, right=written(claim, "bound"))):
        yield Finding(**common, verdict=Verdict.OPEN, reason=f"no violation at {len(tried)} instances, and no proof")
        return
    yield Finding(
        **common,
        verdict=Verdict.CERTIFIED,
        rung=Rung.EXACT,
        method=METHOD,
        effort=f"no violation at {len(tried)} enclosed tight pairs",
        given=conditions(claim),
    )


def _exceeded(claim: Claim, at: Instance) -> tuple[Real, Real] | None:
    """Curve of the tight pair and printed bound, where the first is certainly larger."""
    m = arb(192)
    values = {name: m.real(value) for name, value in at.items()}
    true = log_concave.profile(m, values["epsilon"], values["slope_difference"], values["modulus_1"])
    printed = apply(claim.formulas["bound"], m, values)
    return (true, printed) if m.gt(true, printed) is True else None


READ = {Relation("curve", "<=", "bound"): bound_holds}

JUDGES = {"bilevel/thm-B.4": reading(READ)}

MUTANTS = {"bilevel/thm-B.4": mutants.of_comparison}
