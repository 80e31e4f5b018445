"""Judges of the risk of approximate objective perturbation: the width lemma, stability, the projection, and their sum."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.algorithms.objective_perturbation.risk import linear_losses as linear
from dpsco.arguments.algorithms.objective_perturbation.risk import width_chains as chain
from dpsco.arguments.algorithms.objective_perturbation.risk.chosen_terms import at_choices, formulas_of_order, ranges
from dpsco.arguments.algorithms.objective_perturbation.risk.set_orders import (
    Bound,
    Values,
    of_order,
    printed,
    symbols,
)
from dpsco.arguments.assertions import false_displays, reading
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import Side, bounded, named, nonnegative, quantities
from dpsco.instances.grid import grid
from dpsco.mutants.algorithms.objective_perturbation import approximate_utility as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.objective_perturbation import approximate_utility as spec
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.spec.conditions import gradients_are_bounded
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Severity

TWO_SIDES = Lemma(
    "two strong-convexity inequalities",
    "The objective is 2 lambda-strongly convex on C; its minimisers theta for D and theta' for D' give lambda |theta - "
    "theta'|^2 each, added 2 lambda |theta - theta'|^2 <= (2 rho/n) |theta - theta'|: both data sets have n records and share "
    "n - 1. So every loss changes by at most rho^2/(lambda n). Attained: D has +rho theta, D' -rho theta, all else flat.",
    (Adjacency.REPLACE_ONE,),
)
SHARP = "rho^2/(lambda n) is the least bound."
RATE = "The five terms before the choices bound the risk; each is needed."


def stability(claim: Claim) -> Iterator[Finding]:
    """The printed uniform stability against the attained one."""

    def least(m: Numbers, v: Mapping[str, Real]) -> Real:
        return v["rho"] ** 2 / (v["lambda_"] * v["n"])

    axes = {"rho": ("0.01", "1", "30"), "lambda_": ("0.001", "1", "100"), "n": ("1", "2", "1000000")}
    claimed = named(claim, "stability")
    side = Side(
        scope="uniform stability of the regularised minimiser, every C",
        claimed=claimed,
        reached=least,
        holds=nonnegative(claim, claimed(symbolic(), quantities(claim)) - least(symbolic(), quantities(claim))),
        method="the bound less rho^2/(lambda n) has nonnegative coefficients",
        instances=grid(claim, axes),
        severity=Severity.CONSTANT,
        survives=SHARP,
        lemmas=(TWO_SIDES,),
        family=(TWO_SIDES,),
        given=(spec.largest_slope_is_rho,),
    )
    yield replace(bounded(side), adjacency=claim.adjacency)


def _step(v: Values) -> Any:
    return linear.sigma(v) / v["n"]


EMPIRICAL = Bound(
    value=lambda v: linear.noise(v) + linear.bias(v), lemmas=(linear.ABOVE,), method="sigma_1 G_C/n + lambda |C|_2^2 is proved"
)


def empirical_rate(claim: Claim) -> Iterator[Finding]:
    """The excess empirical loss of theta_1."""
    families = (linear.AGAINST_RIDGE, linear.AGAINST_NOISE)
    yield from of_order(claim, "excess empirical loss, every C", "rate", EMPIRICAL, families, Severity.RATE, RATE)


def empirical_bound(claim: Claim) -> Iterator[Finding]:
    """The same with constants: against sigma_1 G_C/n + lambda |C|_2^2, and what linear losses on an interval reach."""
    noise = find("lp/alg-5").formulas["sigma_1_squared_lemma_6"]

    def proved(m: Numbers, v: Mapping[str, Real]) -> Real:
        return m.sqrt(apply(noise, m, v)) * v["G_C"] / v["n"] + v["lambda_"] * v["C_norm"] ** 2

    def reached(m: Numbers, v: Mapping[str, Real]) -> Real:
        """2 a c P(theta_1 = c) at a = min(L, 0.75 sigma_1/n), or (c/2) min(L, lambda c), on C = [-c, c]."""
        c, spread = v["C_norm"], m.sqrt(apply(noise, m, v)) / v["n"]
        a = m.min(v["L"], 3 * spread / 4)
        against_noise = 2 * a * c * m.Phi(-(a + 2 * v["lambda_"] * c) / spread)
        return m.max(against_noise, m.min(v["L"], v["lambda_"] * c) * c / 2)

    def on_interval(m: Numbers, v: Mapping[str, Real]) -> Real:
        return apply(claim.formulas["bound"], m, {**v, "G_C": v["C_norm"] * m.sqrt(2 / m.pi)})

    axes = {"L": ("1",), "delta": ("1e-9", "0.5"), "epsilon": ("0.1", "10"), "C_norm": ("1", "3")}
    axes |= {"n": ("100", "100000"), "lambda_": ("1e-9", "0.3")}
    claimed = named(claim, "bound")
    left, right = (sympy.expand_log(f(symbolic(), symbols(claim)), force=True) for f in (claimed, proved))
    side = Side(
        scope="excess empirical loss with constants, every C",
        claimed=on_interval,
        reached=reached,
        holds=all(c >= 0 for c in sympy.expand(left - right).as_coefficients_dict().values()),
        method="the bound less sigma_1 G_C/n + lambda |C|_2^2 has nonnegative coefficients",
        instances=grid(claim, axes),
        severity=Severity.CONSTANT,
        survives="sigma_1 G_C/n + lambda |C|_2^2 is enough.",
        lemmas=(linear.ABOVE,),
        family=(linear.BIAS, linear.NOISE),
    )
    yield bounded(side)


CLIPPED = {"L": "1", "epsilon": "1", "delta": "0.5", "n": "1", "lambda_": "0.5"}


def _clipped_minimiser(m: Numbers, share: Real) -> tuple[Real, Real, Mapping[str, Real]]:
    """E<G, theta_bar - theta_1>/n for l = 0 on [-c, c], 2 lambda n c = share sigma; c; the values."""
    v = {name: m.real(value) for name, value in CLIPPED.items()}
    sigma = m.sqrt(apply(find("lp/alg-5").formulas["sigma_1_squared_lemma_6"], m, v))
    k = 2 * v["lambda_"] * v["n"]
    return sigma**2 / k * m.erf(share / m.sqrt(m.real(2))) / v["n"], share * sigma / k, v


def minimiser_product(claim: Claim) -> Iterator[Finding]:
    """E<G, theta_bar - theta_1>/n with the maximum outside: l = 0, C = [-sigma, sigma]."""
    value, _, _ = _clipped_minimiser(arb(), arb().real(1))
    yield chain.maximum_outside(
        claim, "the mean of the product by the largest mean: no loss, C = [-sigma_1, sigma_1], 2 lambda n = 1", value, CLIPPED
    )


def minimiser_width(claim: Claim) -> Iterator[Finding]:
    """The same with the maximum inside."""

    def narrow() -> Iterator[tuple[Real, Real, Mapping[str, str]]]:
        m = arb()
        value, c, v = _clipped_minimiser(m, m.real("0.001"))
        claimed = apply(claim.formulas["width_step"], m, {**v, "G_C": c * m.sqrt(2 / m.pi), "C_norm": c})
        yield claimed, value, {**CLIPPED, "c": "sigma_1/1000"}

    v = symbols(claim)
    noise = find("lp/alg-5").formulas["sigma_1_squared_lemma_6"]
    width = sympy.sqrt(apply(noise, symbolic(), v)) * v["G_C"] / v["n"]
    yield chain.at_most_width(claim, "width_step", "E<G, theta_bar - theta_1>/n, every C", width, narrow())


def minimiser_modulus(claim: Claim) -> Iterator[Finding]:
    """mean_largest against the width in lem-6."""
    scope = "the modulus by the width of C"
    yield from chain.modulus_by_width(claim, scope, lambda v: printed(claim, "mean_largest", v), linear.sigma, linear.noise)


def output_scale(v: Values) -> Any:
    """sigma_2 up to its hidden constant."""
    return apply(find("lp/alg-1").formulas["sigma_2_rate"], symbolic(), v)


def projected_product(claim: Claim) -> Iterator[Finding]:
    """E<H, theta_hat - theta_2> with the maximum outside: C = [-1, 1], theta_2 = 0, sigma_2 = 1."""
    m = arb()
    at = {"C": "[-1, 1]", "theta_2": "0", "sigma_2": "1"}
    yield chain.maximum_outside(claim, "C = [-1, 1], theta_2 = 0", m.erf(1 / m.sqrt(m.real(2))), at)


def projected_width(claim: Claim) -> Iterator[Finding]:
    """The same with the maximum inside."""

    def narrow() -> Iterator[tuple[Real, Real, Mapping[str, str]]]:
        m = arb()
        for delta in ("0.5", "1e-40"):
            for epsilon in ("0.01", "100"):
                at = {"alpha": "0.3", "delta": delta, "lambda_": "2", "epsilon": epsilon, "c_H": "1.5"}
                v = {name: m.real(value) for name, value in at.items()}
                sigma = v["c_H"] * apply(find("lp/alg-1").formulas["sigma_2_rate"], m, v)
                w = sigma / 1000
                claimed = apply(claim.formulas["width_bound"], m, {**v, "G_C": w * m.sqrt(2 / m.pi)})
                yield claimed, sigma**2 * m.erf(m.real("0.001") / m.sqrt(m.real(2))), {**at, "w": "sigma_2/1000"}

    v = symbols(claim)
    width = v["c_H"] * output_scale(v) * v["G_C"]
    yield chain.at_most_width(claim, "width_bound", "E<H, theta_hat - theta_2>, every C", width, narrow())


def projected_modulus(claim: Claim) -> Iterator[Finding]:
    scope = "the modulus by the width of C"
    yield from chain.modulus_by_width(claim, scope, lambda v: v["mean_largest_product"], output_scale, "rate")


def five_terms(v: Values) -> Any:
    """The proved bound of the population risk, up to constants."""
    inexact = sympy.sqrt(v["alpha"] / v["lambda_"]) + sympy.sqrt(output_scale(v) * v["G_C"])
    return v["L"] * inexact + linear.noise(v) + linear.bias(v) + v["L"] ** 2 / (v["lambda_"] * v["n"])


PROOF = (linear.ABOVE, linear.STABLE, linear.INEXACT)


def population_rate(claim: Claim, name: str = "rate", chosen: bool = True) -> Iterator[Finding]:
    """The risk of theta_hat, at the chosen lambda or at any."""

    def at(v: Values) -> Values:
        return {**v, "lambda_": printed(claim, "lambda_choice", v)} if chosen else v

    bound = Bound(value=lambda v: five_terms(at(v)), lemmas=PROOF, given=(gradients_are_bounded, spec.alpha_is_small))
    families = [
        replace(family, at=lambda v, own=family.at: at(own(v)))  # type: ignore[misc]
        for family in (linear.AGAINST_RIDGE, linear.AGAINST_NOISE)
    ]
    scope = f"population risk of theta_hat against {name}, every C"
    yield from of_order(claim, scope, name, bound, families, Severity.RATE, RATE)


CHOSEN = "at the chosen alpha and lambda"
OUTPUT = Relation(f"output_noise_term {CHOSEN}", "<=", "L |C|_2 / sqrt(n)")
OPTIMISED = Relation(f"optimisation_term {CHOSEN}", "<=", "L |C|_2 / sqrt(n)")
READ: dict[Relation, Callable[[Claim], Iterator[Finding]]] = {
    Relation("sup over z of |E f(A(D), z) - E f(A(D'), z)|", "<=", "stability"): stability,
    Relation("left", "<=O", "middle"): lambda claim: formulas_of_order("left", "middle", claim),
    Relation("middle", "<=O", "rate"): lambda claim: formulas_of_order("middle", "rate", claim),
    Relation(spec.EMPIRICAL, "<=O", "rate"): empirical_rate,
    Relation(spec.EMPIRICAL, "<=", "bound"): empirical_bound,
    Relation("E<G, theta_bar - theta_1>/n", "<=", "largest_mean"): minimiser_product,
    spec.WIDTH_STEP: minimiser_width,
    Relation("largest_mean", "<=", "mean_largest"): lambda claim: chain.mean_below_maximum(
        claim, lambda v: printed(claim, "mean_largest", v), order=False
    ),
    Relation("mean_largest", "<=O", "L G_C sqrt(ln(1/delta)) / (epsilon n)"): minimiser_modulus,
    spec.PROJECTED: chain.nearest_point,
    Relation("E<H, theta_hat - theta_2>", "<=", "largest_mean"): projected_product,
    Relation("E<H, theta_hat - theta_2>", "<=", "width_bound"): projected_width,
    Relation("width_bound", "<=O", "rate"): lambda claim: formulas_of_order("width_bound", "rate", claim),
    Relation("largest_mean", "<=O", "mean_largest_product"): lambda claim: chain.mean_below_maximum(
        claim, lambda v: v["mean_largest_product"], order=True
    ),
    Relation("mean_largest_product", "<=O", "rate"): projected_modulus,
    Relation(spec.POPULATION, "<=O", "rate"): population_rate,
    Relation(spec.POPULATION, "<=O", "pre_rate"): lambda claim: population_rate(claim, "pre_rate", chosen=False),
    OUTPUT: lambda claim: at_choices("output_noise_term", claim),
    OPTIMISED: lambda claim: at_choices("optimisation_term", claim),
}
IDS = ("lem-6", "lem-6-amended", "lem-7", "eq-5", "thm-2", "thm-2-projection", "thm-2-projection-amended")


def population_risk(claim: Claim) -> Iterator[Finding]:
    """Each assertion, the range of n, and the displays of the proof that are a claim of their own."""
    yield from reading(READ)(claim)
    yield from ranges(claim)
    yield from false_displays("lp/thm-2-projection", reading(READ))


def recalled(claim: Claim) -> Iterator[Finding]:
    """Each assertion, and the variance of G that the proof recalls against the one that Algorithm 5 draws."""
    yield from reading(READ)(claim)
    m, drawn = arb(), find("lp/alg-5").formulas
    at = {"L": "1", "epsilon": "1", "delta": "0.01"}
    v = {name: m.real(value) for name, value in at.items()}
    said, true = (apply(drawn[name], m, v) for name in ("sigma_1_squared_lemma_6", "sigma_1_squared"))
    if m.eq(said, true) is False:
        yield refuted(
            "'Recall that G ~ N(0, 128 L^2 ln(1/delta)/epsilon^2 I)': the variance that Algorithm 5 draws",
            said,
            true,
            at,
            method="both variances, enclosed",
            severity=PROOF_STEP,
            survives="The order of the bound: the variances differ by a factor of 4.",
        )


JUDGES: dict[str, Callable[[Claim], Iterable[Finding]]] = {f"lp/{label}": reading(READ) for label in IDS}
JUDGES["lp/lem-6"] = recalled
JUDGES["lp/thm-2"] = population_risk
MUTANTS = {
    "lp/lem-6": mutants.of_printed_empirical_risk,
    "lp/lem-6-amended": mutants.of_empirical_risk,
    "lp/lem-7": mutants.of_stability,
    "lp/eq-5": mutants.of_mean_stability,
    "lp/thm-2": mutants.of_population_risk,
    "lp/thm-2-projection-amended": mutants.of_projection,
}
