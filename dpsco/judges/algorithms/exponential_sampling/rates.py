"""Judge of the proved rates of private convex bilevel optimization."""

from collections.abc import Iterator
from dataclasses import replace

import sympy

from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import GIBBS, loss_is_bounded, risk_rate
from dpsco.arguments.algorithms.exponential_sampling.informal_rates import pure_lower, pure_upper, regularised_upper
from dpsco.arguments.algorithms.exponential_sampling.regularised_sampling import calibrated_shift
from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import admits, refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.algorithms.exponential_sampling import rates as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.exponential_sampling.calibrated import domain_is_near
from dpsco.spec.algorithms.exponential_sampling.rates import LOWER
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.bilevel.assumptions import objective_is_convex
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

PURE = Relation("empirical risk of (4)", "<=O", "pure_rate")
APPROXIMATE = Relation("empirical risk of (5)", "<=O", "approximate_rate")


def pure(claim: Claim) -> Iterator[Finding]:
    """The rate of (4) against 2 d_x s/epsilon, and where that exceeds it against the exact risk on the interval."""
    found = list(pure_upper(claim, "pure_rate", "empirical excess of the exact draw (4)"))
    if found[0].verdict is Verdict.OPEN:
        found = list(risk_rate(replace(claim, formulas={**claim.formulas, "rate": claim.formulas["pure_rate"]})))
    yield from found


def approximate(claim: Claim) -> Iterator[Finding]:
    """The rate of (5) against d_x/k + mu D_x^2/2."""
    given = (objective_is_convex, domain_is_near)
    found = regularised_upper(claim, "approximate_rate", "empirical excess of the exact draw (5)", given, (GIBBS,))
    yield (outgrown(claim, found.scope) if found.verdict is Verdict.OPEN else None) or found


SEGMENT = Lemma(
    "a slope on the unit interval",
    "f = -x on X = [0, 1], no lower level: the draw's distance t from 1 has the log-slope -k (1 - mu + mu t), at least -k for "
    "mu <= 1. Its likelihood ratio to the exponential law of rate k cut off at 1 rises in t, so E t >= 1/k - 1/(e^k - 1).",
)


ONES = (
    *("L_fx", "slope_f_x", "d_x", "D_x", "largest_norm", "epsilon"),
    *("mu_g", "least_curvature_g_yy", "curvature_g_yy", "beta_gyy"),  # g = y^2/2 on {0}
)
"""What is 1 in `SEGMENT`; all else but n and delta is 0."""


def on_segment(claim: Claim, m: Numbers, n: Real) -> dict[str, Real]:
    """The numbers of `SEGMENT` with the claim's own s, G, mu and k, delta = 1/1000."""
    v = {p.name: m.real(int(p.name in ONES)) for p in claim.parameters} | {"n": n, "delta": m.frac(1, 1000)}
    for name in ("s", "G", "mu", "k"):
        v[name] = apply(claim.formulas[name], m, v)
    return v


def outgrown(claim: Claim, scope: str) -> Finding | None:
    """A rate that the risk on the unit interval leaves as n grows, epsilon = d_x = 1, delta = 1/1000; else None."""
    m = arb()
    if not all(admits(claim, m, on_segment(claim, m, m.real(10) ** power)) for power in (6, 12)):
        return None
    at = on_segment(claim, symbolic(), sympy.Symbol("n", positive=True))
    rate = apply(claim.formulas["approximate_rate"], symbolic(), at)
    stays_below_one = sympy.limit(at["mu"], at["n"], sympy.oo) == 0
    if not (stays_below_one and sympy.limit(at["k"], at["n"], sympy.oo) == sympy.oo):
        return None
    if sympy.limit(1 / (at["k"] * rate), at["n"], sympy.oo) != sympy.oo:
        return None
    return refuted(
        scope,
        "bounded",
        "inf",
        {"path": "n -> infinity", "epsilon": "1", "delta": "0.001", "d_x": "1", "L_fx": "1", "X": "[0, 1]", "f": "-x"},
        method=f"computer algebra: the risk is at least 1/k less an exponentially small part, k = {sympy.simplify(at['k'])}; "
        "over the rate it tends to infinity",
        severity=Severity.RATE,
        survives="w sqrt(d_x)/(epsilon n), w = sqrt(2 ln(1/delta) + epsilon) up to a constant, holds.",
        rung=Rung.EXACT,
        adjacency=claim.adjacency,
        release=claim.releases,
        lemmas=(SEGMENT,),
    )


READ = {
    Relation("mechanism (4)", "is", "epsilon-DP"): loss_is_bounded,
    PURE: pure,
    Relation("sample of (5)", "is", "(epsilon, delta)-DP"): lambda claim: calibrated_shift(claim, ()),
    APPROXIMATE: approximate,
    LOWER: pure_lower,
}

JUDGES = {"bilevel/thm-3.1-amended": reading(READ, "the upper decision x")}

MUTANTS = {"bilevel/thm-3.1-amended": mutants.of_rates}
