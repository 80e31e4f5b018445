"""Judge of the generalised Gaussian mechanism: its variance, up to a constant or written out, and its second moment."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import sympy

from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.regular_noise import SCALED, Noise, explicit, hidden_constant, once
from dpsco.instances.privacy import CONSTANTS
from dpsco.mutants.privacy import generalised_gaussian as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import expression
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

ANSWER = "the noisy answer"
ORDER = Relation("noise GG(sigma^2) with sigma^2 of order variance_rate", "is", "(epsilon, delta)-DP")
EXPLICIT = Relation("noise GG(variance)", "is", "(epsilon, delta)-DP")
MOMENT = Relation("E|Z|_*^2", "<=", "second_moment")
PLACE = {"kappa": "1", "sensitivity": "7", "d": "1", "sigma_squared": "1"}
"""The line, where the smooth norm is the absolute value and the noise is normal."""
RADIUS = Lemma(
    "law of the radius",
    "In polar coordinates of |.|_+ the density of |Z|_+ is proportional to r^(d-1) e^(-r^2/(2 sigma^2)): E|Z|_+^2 = 2 sigma^2 "
    "Gamma(d/2 + 1)/Gamma(d/2) = d sigma^2. Regularity gives |.|_*^2 <= |.|_+^2, with equality where the two norms are one.",
)


def _noise(claim: Claim, name: str, relation: Relation) -> Noise:
    def variance(m: Numbers, values: Mapping[str, Real]) -> Real:
        return apply(claim.formulas[name], m, values)

    return Noise(
        variance, _sensitivity, once, "one answer, every regular space", ANSWER, (relation,), above=(), below=(SCALED,)
    )


def _sensitivity(m: Numbers, values: Mapping[str, Real]) -> Real:
    return values["sensitivity"]


def order(claim: Claim) -> Iterator[Finding]:
    """sigma^2 up to a constant: both ends of the range of epsilon and delta."""
    survives = "With epsilon <= 2 ln(1/delta) it holds for the hidden constant 4, in every regular space and dimension."
    for found in hidden_constant(claim, _noise(claim, "variance_rate", ORDER), PLACE, 1, survives):
        yield replace(found, at=scaled_at(claim, found.at)) if "C" in found.at else found


def scaled_at(claim: Claim, at: Mapping[str, str]) -> Mapping[str, str]:
    """The instance with the sigma^2 that it has at its hidden constant C, to 17 digits."""
    m = arb()
    values = {name: m.real(value) for name, value in at.items()}
    return {**at, "sigma_squared": ends(values["C"] * apply(claim.formulas["variance_rate"], m, values))[0]}


def written_out(claim: Claim) -> Iterator[Finding]:
    """sigma^2 with its constant, against the normal member of the family at every scale of the smooth norm."""
    survives = "It holds with kappa s^2 (2 ln(1/delta) + epsilon) / epsilon^2."
    axes = {"kappa": ("1", "40"), "sensitivity": CONSTANTS}
    yield from explicit(claim, _noise(claim, "variance", EXPLICIT), axes, {}, survives)


def second_moment(claim: Claim) -> Iterator[Finding]:
    """E|Z|_*^2 at its largest, where the dual norm is the smooth norm."""
    d, variance = sympy.symbols("d sigma_squared", positive=True)
    true = sympy.gammasimp(2 * variance * sympy.gamma(d / 2 + 1) / sympy.gamma(d / 2))
    share = sympy.simplify(expression(claim.formulas["second_moment"]) / true)
    scope = "second moment of the noise in the dual norm"
    if not share.is_number:
        at = {"d": "4", "sigma_squared": "7"}
        m = arb()
        printed = apply(claim.formulas["second_moment"], m, {name: m.real(value) for name, value in at.items()})
        fails = m.lt(printed, m.real(28)) is True
        claimed, computed = ends(printed)[1], ("28", "28")
    else:
        at, fails, claimed, computed = {}, bool(share < 1), str(share), ("1", "1")
    if fails:
        yield refuted(
            scope,
            claimed,
            computed,
            at,
            method="the law of the radius, where the dual norm is the smooth norm",
            severity=Severity.CONSTANT,
            survives="E|Z|_*^2 <= d sigma^2.",
            rung=Rung.EXACT,
            lemmas=(RADIUS,),
        )
    elif share.is_number:
        method = "computer algebra: the printed bound over d sigma^2"
        yield certified(scope, method, RADIUS, claimed=claimed, computed=computed)
    else:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="not a multiple of d sigma^2")


READ = {ORDER: order, EXPLICIT: written_out, MOMENT: second_moment}

JUDGES = dict.fromkeys(("lp/gen-gaussian", "lp/gen-gaussian-amended"), reading(READ, ANSWER))

MUTANTS = {"lp/gen-gaussian-amended": mutants.of_amended}
