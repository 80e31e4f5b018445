"""Judge of the distribution of a demand with normal features: the convolution, its slope, and that the slope is positive."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import sympy

from dpsco.arguments.assertions import by_assertion
from dpsco.arguments.comparing import FOLLOWS, compare, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import expressed, named
from dpsco.mutants.algorithms.objective_perturbation import demand_distribution as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbol
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Severity

CONVOLVED = Lemma(
    "sum of a normal variable and an error",
    "<theta, x> = z V with V standard normal, z = |Sigma^(1/2) theta| > 0. Given the error u, y <= t has probability Phi((t - "
    "u)/z); its mean over u, with u = z v, is the integral of Phi(t/z - v) f(v z) z.",
)
UNDER = Lemma(
    "derivative under the integral",
    "Phi((t - u)/z) has the slope phi((t - u)/z)/z in t, at most 1/(z sqrt(2 pi)), and f has integral 1: dominated convergence "
    "allows the derivative under the integral, whatever the density f.",
)
POSITIVE = Lemma(
    "positive slope",
    "phi is positive, f is positive on a set of positive measure, so the integral of their product is positive, for every t. "
    "F_y is continuous and strictly increasing from 0 to 1: F_y(t) = r has exactly one solution for every r in (0, 1).",
)
AT = {"t": "0.3", "z": "0.7"}
WHERE = "error uniform on [0, 1]"
NONZERO = "theta = 0 (z = 0) is outside: there demand is the error, whose distribution function need not be differentiable."


def distribution(m: Numbers, t: Real, z: Real) -> Real:
    """F_y for an error that is uniform on [0, 1]: z (I(t/z) - I((t - 1)/z)), I(x) = x Phi(x) + phi(x)."""
    upper, lower = t / z, (t - 1) / z
    return z * (upper * m.Phi(upper) + m.phi(upper) - lower * m.Phi(lower) - m.phi(lower))


def slope(m: Numbers, t: Real, z: Real) -> Real:
    """F_y' for this error."""
    return m.Phi(t / z) - m.Phi((t - 1) / z)


def integral(name: str, scope: str, claim: Claim) -> Iterator[Finding]:
    """A printed integrand against the one that the lemma proves; where they differ, at the uniform error."""
    slopes = name == "slope_integrand"

    def known(m: Numbers, v: Mapping[str, Real]) -> Real:
        argument = v["t"] / v["z"] - v["v"]
        return m.phi(argument) * v["density"] if slopes else m.Phi(argument) * v["density"] * v["z"]

    m = arb()
    t, z = (m.real(x) for x in AT.values())
    formula = claim.formulas[name]
    found = m.integral(lambda v: apply(formula, m, {"t": t, "z": z, "v": v, "density": m.real(1)}), m.real(0), 1 / z)
    true = (slope if slopes else distribution)(m, t, z)
    if found.is_finite() and m.eq(found, true) is False:
        yield refuted(
            scope,
            found,
            true,
            AT,
            method=f"the printed integral against the closed form, {WHERE}, both enclosed",
            severity=Severity.CONSTANT,
            survives="The convolution of Phi with the rescaled density, and its derivative.",
        )
        return
    same = sympy.simplify(expressed(claim, named(claim, name)) - expressed(claim, known)) == 0
    holds = same and symbol(claim.parameter("z")).is_positive is True
    lemmas = (CONVOLVED, UNDER) if slopes else (CONVOLVED,)
    yield proved(scope, holds, "the integrand of the lemma identically", lemmas=lemmas, remark=NONZERO)


def sign_of_slope(sign: str, claim: Claim) -> Iterator[Finding]:
    """F_y' against 0."""
    scope, m = "every t, every error density, every Sigma", arb()
    true = slope(m, *(m.real(x) for x in AT.values()))
    if compare(m, true, sign, m.real(0)) is False:
        yield refuted(scope, "0", true, AT, f"{WHERE}, enclosed", Severity.CONCLUSION, "F_y' > 0 everywhere.")
        return
    holds = sign in FOLLOWS[">"] and symbol(claim.parameter("z")).is_positive is True
    yield proved(scope, holds, "the lemma", lemmas=(CONVOLVED, UNDER, POSITIVE), remark=NONZERO)


def demand(claim: Claim) -> Iterator[Finding]:
    """Each assertion by its own argument."""
    signs: dict[Relation, Callable[[Claim], Iterator[Finding]]] = {
        Relation("F_y'(t)", sign, "0"): partial(sign_of_slope, sign) for sign in ("<", "<=", ">", ">=", "=")
    }
    table: dict[Relation, Callable[[Claim], Iterator[Finding]]] = {
        Relation("F_y(t)", "=", "integral of demand_integrand over v"): partial(integral, "demand_integrand", "every density"),
        Relation("F_y'(t)", "=", "integral of slope_integrand over v"): partial(integral, "slope_integrand", "every density"),
        **signs,
    }
    yield from by_assertion(claim, table)


JUDGES = {"newsvendor/lem-EC.7": demand}

MUTANTS = {"newsvendor/lem-EC.7": mutants.of_lemma}
