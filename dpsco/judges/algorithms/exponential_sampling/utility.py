"""Judges of the exponential mechanism and of its regularised form as printed, exact sampling assumed."""

from collections.abc import Iterator, Mapping

from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import loss_is_bounded, risk_bound, risk_rate
from dpsco.arguments.algorithms.exponential_sampling.hidden_minima import lost_on_a_spike, slow_on_a_cusp
from dpsco.arguments.algorithms.exponential_sampling.informal_rates import (
    approximate_existence,
    lower_bounds,
    population_existence,
    pure_existence,
)
from dpsco.arguments.algorithms.exponential_sampling.population_excess import gibbs, population
from dpsco.arguments.algorithms.exponential_sampling.regularised_sampling import (
    HUBER,
    PRIVATE_FAMILY,
    lost_epsilon,
    no_algorithm,
    no_private_algorithm,
)
from dpsco.arguments.assertions import known_release, reading
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.algorithms.exponential_sampling import utility as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find
from dpsco.verdict import PROOF_STEP, Finding, Rung, Severity, as_step

DECISION = "x"
MANY_RECORDS = {**HUBER, "n": "1000"}
"""The family of `PRIVATE_FAMILY`: L_gy = 1 + 2n."""
PRIVATE = Relation("sample of (5)", "is", "(epsilon, delta)-DP")
EMPIRICAL = Relation("empirical risk", "<=O", "empirical_rate")
POPULATION = Relation("population risk", "<=O", "population_rate")
LOSS = Relation("risk", "<=O", "rate times logarithms")
READ = {
    Relation("mechanism (4)", "is", "epsilon-DP"): loss_is_bounded,
    Relation("risk", "<=O", "rate"): risk_rate,
    Relation("risk", "<=", "bound"): risk_bound,
    LOSS: lambda claim: risk_rate(claim, logarithms=True),
}
BOUNDED = Relation("risk", "<=", "bound")
RATES = ("pure_rate", "approximate_rate", "population_rate")
INFORMAL = {
    Relation("empirical risk of an efficient epsilon-DP algorithm", "<=O", "pure_rate times logarithms"): pure_existence,
    Relation("empirical risk of an efficient (epsilon, delta)-DP algorithm", "<=O", "approximate_rate"): approximate_existence,
    Relation("population risk of an efficient (epsilon, delta)-DP algorithm", "<=O", "population_rate"): population_existence,
    Relation("risk of every private algorithm", ">=Omega", "each rate, up to logarithms"): lambda claim: lower_bounds(
        claim, RATES
    ),
}

exponential = reading(READ, DECISION)


def exponential_nonconvex(claim: Claim) -> Iterator[Finding]:
    """The same without convexity: a rate that ignores how steep Phi_Z is fails on a cusp, and on a spike."""
    if LOSS in claim.asserts:
        yield from slow_on_a_cusp(claim, (LOSS,))
        yield from lost_on_a_spike(claim, (LOSS,))
    yield from exponential(claim)


def regularised(claim: Claim) -> Iterator[Finding]:
    """Mechanism (5): privacy and empirical risk together, for every mu and k, then the population risk."""
    yield from known_release(claim, DECISION)
    yield from printed_risks(claim, PRIVATE)
    yield from slope_of_the_proof(claim)
    yield from (as_step(finding) for finding in temperature_of_the_proof(claim))


def printed_risks(
    claim: Claim, private: Relation, empirical: Relation = EMPIRICAL, population: Relation = POPULATION
) -> Iterator[Finding]:
    """Both printed risks, and the privacy that the empirical one goes with."""
    if private in claim.asserts and empirical in claim.asserts:
        yield from no_private_algorithm(claim, empirical.right, (private, empirical), order=True)
    if population in claim.asserts:
        yield from no_algorithm(claim, population.right, (population,))


def regularised_in_full(claim: Claim) -> Iterator[Finding]:
    """The same with the appendix's mu and k: what holds for every mu and k holds for these."""
    private = Relation("sample", "is", "(epsilon, delta)-DP")
    empirical = Relation("empirical risk at mu_empirical", "<=O", "empirical_rate")
    population = Relation("population risk at mu_population", "<=O", "population_rate")
    yield from known_release(claim, DECISION)
    yield from printed_risks(claim, private, empirical, population)
    if private in claim.asserts and population in claim.asserts:
        yield from lost_epsilon(claim, population.right, (private, population))
    yield from slope_of_the_proof(claim)
    yield from (as_step(finding) for finding in temperature_of_the_proof(claim))


def slope_of_the_proof(claim: Claim) -> Iterator[Finding]:
    """The proof's link Lemma B.6 on the family's pair: Phi_Z - Phi_Z' = 2x against the slope 2G/n."""
    m = arb(128)
    v = {name: m.real(value) for name, value in {**MANY_RECORDS, "L_gy": "2001"}.items()}
    stated = apply(find("bilevel/lem-B.6").formulas["bound"], m, v)
    if m.gt(m.real(2), stated) is not True:
        return
    yield refuted(
        "link of the proof: slope of Phi_Z - Phi_Z' (Lemma B.6)",
        ends(stated)[1],
        "2",
        {name: value for name, value in MANY_RECORDS.items() if name in ("n", "L_fx", "L_fy", "beta_gxy", "mu_g")},
        method="Phi_Z - Phi_Z' = (x + 3/4) - (3/4 - x) on the family's pair; every unchanged record contributes 2/n",
        severity=PROOF_STEP,
        survives="With every term of the chain rule in G the slope is at most 2G/n.",
        rung=Rung.EXACT,
        adjacency=claim.adjacency,
        lemmas=(PRIVATE_FAMILY,),
    )


def temperature_of_the_proof(claim: Claim) -> Iterator[Finding]:
    """The proof's own choice, mu of Theorem B.8 and k of (5) with the constant 1, on the family's pair."""
    m = arb(192)
    v = {name: m.real(value) for name, value in {**MANY_RECORDS, "L_gy": "2001"}.items()}
    left = half_mass(m, v)
    least = left - m.exp(v["epsilon"]) * (1 - left)
    if m.gt(least, v["delta"]) is not True:
        return
    yield refuted(
        "privacy at the proof's mu and k = k_rate (for every constant in k alike, as n grows)",
        HUBER["delta"],
        least,
        {name: value for name, value in MANY_RECORDS.items() if name in ("epsilon", "delta", "n", "D_x", "d_x")},
        method="P(x <= 0 | Z) - e^epsilon P(x <= 0 | Z') of the two densities, enclosed",
        severity=Severity.CONCLUSION,
        survives="With every term of the chain rule in G, and mu and k of the amended Theorem 3.3, the density is (epsilon, "
        "delta)-DP; at epsilon = 1, delta = 0.001 k_rate with the constant 1 is too large even then (shift 2 "
        "epsilon/sqrt(ln(1/delta)), linear losses).",
        adjacency=claim.adjacency,
        release=claim.releases,
        lemmas=(PRIVATE_FAMILY,),
    )


def half_mass(m: Numbers, v: Mapping[str, Real]) -> Real:
    """P(x <= 0) under the density proportional to exp(-k(x + mu x^2/2)) on [-1/2, 1/2], k and mu those of the proof."""
    known = {**v, "G": apply(find("bilevel/eq-5").formulas["G"], m, v)}
    known["mu"] = apply(find("bilevel/thm-B.8").formulas["mu_empirical"], m, known)
    k = apply(find("bilevel/eq-5").formulas["k_rate"], m, known)

    def density(x: Real) -> Real:
        return m.exp(-k * (x + known["mu"] * x**2 / 2))

    below, above = m.integral(density, m.frac(-1, 2), m.real(0)), m.integral(density, m.real(0), m.frac(1, 2))
    return below / (below + above)


JUDGES = {
    "bilevel/thm-3.1": reading(INFORMAL, "the upper decision x"),
    "bilevel/lem-B.2": reading({Relation("excess", "<=", "bound"): gibbs}),
    "bilevel/lem-B.7": reading({BOUNDED: population}),
    "bilevel/thm-3.2": exponential,
    "bilevel/thm-3.2-nonconvex": exponential_nonconvex,
    "bilevel/thm-3.3": regularised,
    "bilevel/thm-B.8": regularised_in_full,
}

MUTANTS = {"bilevel/lem-B.2": mutants.of_gibbs}
