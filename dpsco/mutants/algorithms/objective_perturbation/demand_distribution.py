"""Mutants of the claim about the demand's distribution; false by quadrature for an exponential error, whose density leans."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

T, Z = "0.4", "0.6"


def chance(t: Real) -> Real:
    """Pr[z V + error <= t] for an exponential error: Phi(t/z) - e^(z^2/2 - t) Phi(t/z - z)."""
    m, z = mp(30), mp(30).real(Z)
    return m.Phi(t / z) - m.exp(z**2 / 2 - t) * m.Phi(t / z - z)


def integrated(claim: Claim, name: str) -> Real:
    """The claim's integral over v for this error."""
    m = mp(30)
    t, z = m.real(T), m.real(Z)

    def integrand(v: Real) -> Real:
        return apply(claim.formulas[name], m, {"t": t, "z": z, "v": v, "density": m.exp(-v * z)})

    return m.mp.quad(integrand, [0, 1, 3, 10, 40, 150])  # type: ignore[attr-defined]


def differs(claim: Claim, name: str) -> bool:
    """Whether the integral is not the chance, or its difference quotient."""
    m, step = mp(30), mp(30).real("1e-6")
    t = m.real(T)
    true = chance(t) if name == "demand_integrand" else (chance(t + step) - chance(t - step)) / (2 * step)
    return bool(m.abs(integrated(claim, name) - true) > m.real("1e-8"))


def increases() -> bool:
    """Whether more demand is at most a larger t, so that the slope cannot be negative or zero throughout."""
    m = mp(30)
    return bool(chance(m.real(T) + 1) > chance(m.real(T)))


def of_lemma() -> Iterator[Mutant]:
    claim = find("newsvendor/lem-EC.7")

    def unscaled(m: Numbers, t: Real, z: Real, v: Real, density: Real) -> Real:
        return m.Phi(t / z - v) * density

    def reflected(m: Numbers, t: Real, z: Real, v: Real, density: Real) -> Real:
        return m.Phi(t / z + v) * density * z

    def chained(m: Numbers, t: Real, z: Real, v: Real, density: Real) -> Real:
        return m.phi(t / z - v) * density * z

    for says, name, formula in (
        ("density not rescaled", "demand_integrand", unscaled),
        ("t/z + v for t/z - v", "demand_integrand", reflected),
        ("1/z of the chain rule dropped", "slope_integrand", chained),
    ):
        moved = with_formula(claim, name, formula)
        yield Mutant(says, moved, partial(differs, moved, name))
    turned = replace(claim, asserts=(*claim.asserts[:2], Relation("F_y'(t)", "<=", "0")))
    yield Mutant("slope at most 0", turned, increases)
