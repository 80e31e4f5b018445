"""The steps from the linearised estimator to its covariance: the sandwich, its factors, what they multiply out to, K and V."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.algorithms.objective_perturbation.asymptotics.small_parameters import (
    BALL,
    CLUSTERED,
    GRADIENT,
    HIDDEN,
    Expansion,
    by_law,
    differing,
    expanded,
    known,
    model,
    reading_of,
    symbols,
)
from dpsco.arguments.assertions import Table
from dpsco.arguments.comparing import FOLLOWS, admitted, every_sign, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.reference.algorithms.objective_perturbation.asymptotic_variance import (
    K_cross,
    clustered_gradient_spread,
    covariance,
    gradient_spread,
    hidden_inverse_curvature,
    inverse_curvature,
    runaway_variance,
)
from dpsco.reference.algorithms.objective_perturbation.asymptotics import hidden_shift
from dpsco.reference.losses.kernels import kappa_1
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.objective_perturbation.asymptotic_variance import noise_vanishes
from dpsco.spec.algorithms.objective_perturbation.asymptotics import densities_are_lipschitz
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.numbers import Truth
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Part, Rung, Severity, Verdict

LINEAR = Lemma(
    "linearisation",
    "Let sigma/n -> 0. As for the empirical minimiser (its distance is O_p(1/sqrt(n) + sigma/n)), the convex risk within "
    "that distance is its quadratic expansion with H, the curvature at theta^#, up to o_p(1/n + sigma^2/n^2) uniformly, so "
    "sqrt(n) (theta_hat - theta^#) = -H^{-1} (sqrt(n) gradient at theta^# + b/sqrt(n)) + o_p(1 + sigma/sqrt(n)). The "
    "gradient is a mean of n independent terms, b is independent of it: the covariance of the limit is H^{-1} (Var + "
    "sigma^2/n I) H^{-1}. With lambda, h, sigma = 0 it is that of quantile regression, J^{-1} Sigma_r J^{-1}.",
)
RUNAWAY = Lemma(
    "noise beyond the slopes",
    "x = 1, errors symmetric about theta* = 0, r = 1/2. The smoothed losses have slopes within [-1/2, 1/2], so the minimiser "
    "has 2 lambda |theta_hat| >= |b|/n - 1/2 for all data; by symmetry its mean is 0. With sigma = n this chance does not "
    "vanish, and n Var grows like 1/lambda^2. (In a bounded decision set the variance is bounded instead, and the sandwich "
    "grows with sigma.)",
)
CROSS = Lemma(
    "u K calK",
    "K symmetric with density K and distribution function calK: the integral of u K(u) calK(u) is that of u K(u) (2 calK(u) "
    "- 1) over u > 0, where 0 <= 2 calK - 1 <= 1, positive on part of K's support: it lies in (0, kappa_1/2].",
)
THREE = (("2/9", "-3/2", "1"), ("5/9", "0", "1"), ("2/9", "3/2", "1/4"))
"""Probability, x_2 and f(0|x) of a law with x_1 = 1, E x_2 = 0, E x_2^2 = 1."""
OPTIMUM = ("1", "7/12")
SMALL = {"lambda_": 1, "h": 1}
STEEP = model(r="0.9", density="0.1", density_slope="-0.1", theta="2", sigma="0.001", lambda_="1e-6", h="1e-12")
LOUD = model(n="100000000", r="0.5", theta="0", density_slope="0", sigma="1000000", lambda_="1e-6", h="1e-12")


def assumed(claim: Claim) -> tuple[Callable[..., Truth], ...]:
    """Those of the conditions of the linearisation that the claim has, which a certificate then rests on."""
    held = claim.tests
    return tuple(test for test in (densities_are_lipschitz, noise_vanishes) if test in held)


def hidden(claim: Claim) -> Finding:
    """The averaged density's kink, against an inverse curvature without a term of order h."""
    m, at = arb(), {"lambda_": "1e-12", "h": "0.001", "theta": "0", "density": "0.25", "density_slope": "0"}
    values = {k: m.real(v) for k, v in at.items()}
    quarter = m.frac(1, 4)
    true = hidden_inverse_curvature(m, hidden_shift(values["h"], quarter, quarter), values["h"], quarter, quarter)
    claimed = apply(claim.formulas["hessian_inverse"], m, {**values, "lambda_": m.real(0)})
    limit = "the difference over h tends to -1, lambda -> 0"
    return by_law("the inverse Hessian", HIDDEN, claimed, true, {"h": at["h"], "density": at["density"]}, limit)


def clustered(claim: Claim) -> Finding:
    """The averaged density's jump, against the coefficient of h in the variance of the gradient."""
    m, at = arb(), {"h": "0.001", "r": "0.5", "density": "0.25", "density_slope": "0", "theta": "0", "lambda_": "0"}
    values = {k: m.real(v) for k, v in at.items()} | {"K_cross": m.frac(1, 6)}
    true = clustered_gradient_spread(m, values["h"], values["r"], values["density"], m.frac(1, 8))
    claimed = apply(claim.formulas["gradient_variance"], m, values)
    limit = "the difference over h is constant, lambda -> 0; theta* = 0 here"
    shown = {"h": at["h"], "r": at["r"], "density": at["density"]}
    return by_law("the gradient's variance", CLUSTERED, claimed, true, shown, limit)


INVERSE = Expansion(
    scope="the inverse Hessian", name="hessian_inverse", true=inverse_curvature, small=SMALL, given=(), broken_by=hidden
)
SPREAD = Expansion(
    scope="the gradient's variance", name="gradient_variance", true=gradient_spread, small=SMALL, given=(), broken_by=clustered
)


def linearised(claim: Claim) -> Iterator[Finding]:
    """The sandwich as the estimator's asymptotic covariance; beside it noise of the order of n."""
    vanishing = noise_vanishes in assumed(claim)
    side = Expansion(
        scope="the covariance, sigma/n -> 0",
        name="sandwich",
        true=covariance,
        small=SMALL,
        given=(noise_vanishes,) if vanishing else (),
        lemmas=(GRADIENT, BALL, LINEAR),
    )
    yield from expanded(side, claim)
    loud = runaway(claim, "the covariance, sigma of the order of n", "sandwich", per_record=False)
    if loud is not None:
        yield loud


def runaway(claim: Claim, scope: str, name: str, per_record: bool) -> Finding | None:
    """Noise of the order of n against a formula for n times the variance, or for the variance; None where it is excluded."""
    m = arb()
    at = model(n="100", sigma="100", lambda_="0.01", h="1e-6", r="0.5", density="1", density_slope="0", theta="0")
    values = {k: m.real(v) for k, v in at.items()}
    claimed, true = apply(claim.formulas[name], m, values), apply(runaway_variance, m, values)
    if per_record:  # the increase, where the variance without privacy is 1/(4 n)
        true = (true - m.frac(1, 4)) / values["n"]
    if noise_vanishes in assumed(claim) or m.gt(true, claimed) is not True or not admitted(claim, [known(claim, at)]):
        return None
    return refuted(
        scope,
        claimed,
        true,
        known(claim, at),
        method="a lower bound of the variance in closed form, enclosed; the ratio grows like 1/lambda^2 for every n",
        severity=Severity.DOMAIN,
        survives="It is so where sigma/n -> 0.",
        rung=Rung.EXACT,
        lemmas=(RUNAWAY,),
        reason="beyond the proof: its fact (iv), that the estimate converges, fails there; its fact (i) admits sigma <= O(n)",
        reading=reading_of(claim),
    )


def multiplied(name: str, relative: bool, claim: Claim) -> Iterator[Finding]:
    """What the sandwich multiplies out to, the terms of the noise apart; relative: up to o(.) times 1 + sigma^2/n."""
    s = symbols(claim)
    gap = apply(claim.formulas["sandwich"], symbolic(), s) - apply(claim.formulas[name], symbolic(), s)
    small = {s[k]: power for k, power in SMALL.items()}
    scaled = sympy.expand(gap.subs({x: x * sympy.Symbol("t") for x in small}, simultaneous=True))
    first = [sympy.simplify(scaled.coeff(sympy.Symbol("t"), k)) for k in (0, 1)]
    quiet = [sympy.simplify(part.subs(s["sigma"], 0)) for part in first]
    noisy = [sympy.simplify(part - still) for part, still in zip(first, quiet, strict=True)]
    side = Expansion(
        scope="multiplied out, one dimension",
        name=name,
        true=claim.formulas["sandwich"],
        small=SMALL,
        severity=PROOF_STEP,
        survives="With +lambda (4 r - 2) V and the terms lambda sigma^2/n; the lower bound with some c_1 stands.",
        instances=[STEEP, LOUD],
    )
    if quiet != [0, 0]:
        still = replace(side, instances=side.instances[:1], severity=Severity.CONSTANT)
        found = differing(still, claim, sympy.expand(gap.subs(s["sigma"], 0)), s)
        yield _by_coefficients(found, claim, name, s)
    if noisy != [0, 0]:
        loud = replace(side, scope="multiplied out, one dimension, sigma^2/n unbounded", instances=side.instances[1:])
        yield differing(loud, claim, gap, s)
    if quiet == noisy == [0, 0]:
        yield proved("multiplied out, one dimension", True, "computer algebra: equal up to products of lambda and h")
    if not relative:
        yield asymmetric(claim, name, s)


def _by_coefficients(found: Finding, claim: Claim, name: str, s: dict[str, Any]) -> Finding:
    """The same with the coefficients of lambda that are printed and multiplied out, at the law, for both sides."""
    numbers = {s[k]: sympy.Rational(v) for k, v in STEEP.items() if k in s and k not in SMALL} | {s["sigma"]: 0, s["h"]: 0}
    sides = [apply(claim.formulas[k], symbolic(), s).subs(numbers) for k in (name, "sandwich")]
    printed, true = (sympy.nsimplify(sympy.diff(side, s["lambda_"]).subs(s["lambda_"], 0)) for side in sides)
    if found.verdict is not Verdict.REFUTED or printed == true:
        return found
    return replace(
        found,
        method="coefficients of lambda of the sandwich at the linear law, sigma^2/n and h far smaller: exactly",
        claimed=str(printed),
        computed=(str(true),) * 2,
    )


def matrices() -> dict[str, Any]:
    """J, V and V' (slopes 1, 0, 0) of the three-point law, u = J^{-1} theta*, and the smallest <theta*, x>."""
    x = [sympy.Matrix([1, sympy.Rational(at)]) for _, at, _ in THREE]
    weights = [sympy.Rational(p) * sympy.Rational(f) for p, _, f in THREE]
    J = sum((w * a * a.T for w, a in zip(weights, x, strict=True)), start=sympy.zeros(2))
    theta = sympy.Matrix([sympy.Rational(value) for value in OPTIMUM])
    u = J.inv() * theta
    V = sum((w * u.dot(a) * a * a.T for w, a in zip(weights, x, strict=True)), start=sympy.zeros(2))
    slopes = sympy.Rational(THREE[0][0]) * u.dot(x[0]) * x[0] * x[0].T
    return {"J": J, "V": V, "V'": slopes, "smallest_order": min(theta.dot(a) for a in x)}


def asymmetric(claim: Claim, name: str, s: dict[str, Any]) -> Finding:
    """4 (I - V') J^{-1} Sigma_r between two J^{-1}, which the formula has in one dimension, is no symmetric matrix."""
    scope, found = "multiplied out, two dimensions", matrices()
    part = found["J"].inv() * (sympy.eye(2) - found["V'"]) * found["J"].inv() * found["J"].inv()
    left, right, f, r, theta = part[0, 1], part[1, 0], s["density"], s["r"], s["theta"]
    terms = sympy.expand(apply(claim.formulas[name], symbolic(), s)).coeff(s["lambda_"], 1) * f**2
    product = 4 * (1 - s["density_slope"] * theta / f) * r * (1 - r) / f
    rest = sympy.simplify(terms + product) / ((4 * r - 2) * theta)  # the sign of the term with V is another finding's
    if sympy.simplify(rest) not in (1, -1) or left == right:
        return proved(scope, False, "")
    m = arb()
    return refuted(
        scope,
        m.frac(int(left.p), int(left.q)),
        m.frac(int(right.p), int(right.q)),
        {"x_2": "-1.5, 0, 1.5", "probability": "2/9, 5/9, 2/9", "f(0|x)": "1, 1, 1/4", "f'(0|x)": "1, 0, 0"},
        method="entries (1, 2) and (2, 1) of J^{-1} (I - V') J^{-1} Sigma_r J^{-1} over r (1 - r), exactly: a covariance is "
        "symmetric",
        severity=Severity.MISPRINT,
        survives="2 (A + A') in the place of 4 A, A = (I - V') J^{-1} Sigma_r.",
        rung=Rung.EXACT,
    )


def definite(claim: Claim) -> Iterator[Finding]:
    """V at theta* = 0, and at a law where every <theta*, x> is positive."""
    found, m = matrices(), arb()
    det = found["V"].det()
    kept = "Where f(0|x) is one number and E[x x'] = I, V = E[<theta*, x> x x'], definite if <theta*, x> > 0."
    common: dict[str, Any] = {"verdict": Verdict.REFUTED, "rung": Rung.EXACT, "about": Part.PROOF, "survives": kept}
    if admitted(claim, [{"smallest_order": "0"}]):
        yield Finding(
            scope="V, theta* = 0", method="V = 0", claimed="more than 0", computed=("0", "0"), at={"theta": "0"}, **common
        )
    at = {"x_2": "-1.5, 0, 1.5", "probability": "2/9, 5/9, 2/9", "f(0|x)": "1, 1, 1/4", "theta": "(1, 7/12)"}
    least = {"smallest_order": str(float(found["smallest_order"]))}
    scope, how = "V, every <theta*, x> positive", "the determinant of V, exactly"
    if det <= 0 and admitted(claim, [least]):
        computed = ends(m.frac(int(det.p), int(det.q)))
        at["smallest_order"] = str(found["smallest_order"])
        yield Finding(scope=scope, method=how, claimed="more than 0", computed=computed, at=at, **common)


def positive(claim: Claim, sign: str) -> Iterator[Finding]:
    """0 against K, for every symmetric kernel."""
    yield _cross("0 against K, every symmetric kernel", sign, lambda m, kernel: m.real(0), K_cross)


def below(claim: Claim, sign: str) -> Iterator[Finding]:
    """K against kappa_1, for every symmetric kernel."""
    yield _cross("K against kappa_1, every symmetric kernel", sign, K_cross, kappa_1)


def _cross(scope: str, sign: str, left: Callable[..., Any], right: Callable[..., Any]) -> Finding:
    if sign in FOLLOWS["<"]:
        return proved(scope, True, "written lemma; enclosed for four kernels", lemmas=(CROSS,), coverage=KERNELS)
    m = arb()
    return refuted(
        scope,
        right(m, "gaussian"),
        left(m, "gaussian"),
        {"kernel": "gaussian"},
        method="the Gaussian kernel, in closed form",
        severity=Severity.CONCLUSION,
        survives="0 < K <= kappa_1/2.",
    )


READ: Table = {
    Relation("covariance of sqrt(n) times the estimator", "~", "sandwich"): linearised,
    Relation("inverse Hessian", "~", "hessian_inverse, up to o(lambda) + o(h)"): partial(expanded, INVERSE),
    Relation("variance of the gradient", "~", "gradient_variance, up to o(lambda) + o(h)"): partial(expanded, SPREAD),
    Relation("sandwich", "~", "expansion_printed, up to o(lambda) + o(h)"): partial(multiplied, "expansion_printed", False),
    Relation("sandwich", "~", "expansion, up to (1 + sigma^2/n) (o(lambda) + o(h))"): partial(multiplied, "expansion", True),
    Relation("V", "is", "positive definite"): definite,
    **every_sign("0", "K_cross", positive),
    **every_sign("K_cross", "kappa_1", below),
}
