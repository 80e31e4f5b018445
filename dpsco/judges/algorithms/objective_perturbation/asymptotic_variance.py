"""Judges of the asymptotic covariance of objective perturbation, and of the variance of the private order quantity."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.algorithms.objective_perturbation.asymptotics import covariance_steps as steps
from dpsco.arguments.algorithms.objective_perturbation.asymptotics.small_parameters import (
    CLUSTERED,
    by_law,
    known,
    model,
    reading_of,
    symbols,
    uniform,
)
from dpsco.arguments.algorithms.objective_perturbation.asymptotics.variance_bounds import (
    SOME,
    LowerBound,
    bounded,
    in_one_dimension,
    opposed,
    value_of,
)
from dpsco.arguments.algorithms.objective_perturbation.asymptotics.variance_orders import deviation, increase, private
from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.comparing import every_sign, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.algorithms.objective_perturbation import asymptotic_variance as mutants
from dpsco.reference.algorithms.objective_perturbation.asymptotic_variance import clustered_variance
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Reading, Rung, Severity, Verdict

WORD = "sandwich"


def link(claim: Claim, m: Numbers, values: Mapping[str, Real]) -> Real:
    """The printed lower bound with privacy less the variance without."""
    lower, bare = (apply(claim.formulas[name], m, values) for name in ("variance_private_lower", "variance_nonprivate"))
    return lower - bare


def nonprivate(claim: Claim) -> Iterator[Finding]:
    """The asymptotic variance of the order quantity without privacy, from the quantile regression's covariance."""
    s, m = symbols(claim), arb()
    printed = apply(claim.formulas["variance_nonprivate"], symbolic(), s)
    scope = "the asymptotic variance without privacy, every law and x"
    if sympy.simplify(printed - s["spread"] / s["n"]) == 0:
        given = steps.assumed(claim)
        yield proved(scope, True, "the printed formula is x' J^{-1} Sigma_r J^{-1} x / n", lemmas=(steps.LINEAR,), given=given)
        if not uniform(claim):
            quarter = m.frac(1, 4)
            values = {"n": m.real(1), "spread": quarter / quarter**2}
            claimed = apply(claim.formulas["variance_nonprivate"], m, values)
            true = clustered_variance(m, m.frac(1, 2), quarter, m.frac(1, 8))
            at = {"n": "1", "spread": "4", "r": "0.5", "density": "0.25"}
            limit = "n times the variance for n -> infinity"
            found = by_law("the variance without privacy", CLUSTERED, claimed, true, at, limit)
            yield replace(found, reading=reading_of(claim))
        return
    at = {"n": "1000", "spread": "0.75"}
    values = {k: m.real(v) for k, v in at.items()}
    yield refuted(
        scope,
        apply(claim.formulas["variance_nonprivate"], m, values),
        m.frac(3, 16) / m.frac(1, 4) / 1000,
        at,
        method="errors with r = 3/4 and f(0) = 1/2, x = 1",
        severity=Severity.CONSTANT,
        survives="x' J^{-1} Sigma_r J^{-1} x / n.",
    )


PER_TERM = (
    "Omega of a quantity that may be negative is read as the line above it in the proof has it, a constant for each term: at "
    "least -C (lambda + h)/n + c sigma^2/n^2"
)
OUTWEIGHED = 1000
"""A hidden constant that the instances outweigh: they have one small parameter that is far above the other."""


def omega(claim: Claim) -> Iterator[Finding]:
    """The order with a constant for each of its terms, as the line above it has them; one constant for both is beside."""
    s, scope = symbols(claim), "the increase of the variance, each term with a constant of its own"
    rate = sympy.expand(apply(claim.formulas["rate_in_sigma"], symbolic(), s))
    losses = [rate.coeff(s[name]) for name in ("lambda_", "h")]
    noise = rate - sum(part * s[name] for part, name in zip(losses, ("lambda_", "h"), strict=True))
    spread = s["r"] * (1 - s["r"])
    units = [*(-part * s["n"] / spread for part in losses), noise * s["n"] ** 2 / s["sigma"] ** 2]
    if all(sympy.simplify(unit).is_positive and sympy.simplify(unit).is_number for unit in units):
        lemmas = (steps.LINEAR, SOME)
        yield proved(scope, True, "written lemmas", lemmas=lemmas, given=steps.assumed(claim), remark=PER_TERM)
        yield from _one_constant(claim)
        return
    m = arb()
    for ridge, window, loud in (("1e-6", "1e-12", "1e-3"), ("1e-12", "1e-6", "1e-3"), ("1e-12", "1e-12", "1")):
        at = {**model(n="100000000", lambda_=ridge, h=window, sigma=loud, r="0.75"), "density_slope": "0", "theta": "-2"}
        values = in_one_dimension({k: m.real(v) for k, v in at.items()})
        terms = [
            apply(claim.formulas["rate_in_sigma"], m, {**values, **_without(m, kept)}) for kept in ("lambda_", "h", "sigma")
        ]
        weighed = sum((t * OUTWEIGHED if m.lt(t, 0) is True else t / OUTWEIGHED for t in terms), m.real(0))
        true = increase(claim, m, values)
        if m.lt(true, weighed) is True:
            how = (
                f"the linear law, enclosed; hidden constants up to {OUTWEIGHED}, more of them with the parameters farther apart"
            )
            says = "Each term with a constant of its own: the increase is at least -C (lambda + h)/n + c sigma^2/n^2."
            yield refuted(scope, weighed, true, known(claim, at), how, Severity.RATE, says, Rung.EXACT)
            return
    yield Finding(
        scope=scope, verdict=Verdict.OPEN, reason="neither the order of the lemmas nor contradicted at the laws tried"
    )


def _without(m: Numbers, kept: str) -> dict[str, Real]:
    """Zeros for the small parameters but one."""
    return {name: m.real(0) for name in ("lambda_", "h", "sigma") if name != kept}


def _one_constant(claim: Claim) -> Iterator[Finding]:
    """Another reading, one constant in front of terms of both signs: each term asks something of it."""
    m, scope = arb(), "the increase, if one constant is meant in front of both terms"
    at = model(r="0.5", density="1", density_slope="0", theta="0", sigma="1")
    s = symbols(claim)
    rate = sympy.expand(apply(claim.formulas["rate_in_sigma"], symbolic(), s))
    numbers = {s[k]: sympy.Rational(v) for k, v in at.items() if k in s and k not in ("h", "lambda_")}
    alpha, beta = (Fraction(str(rate.subs(numbers).subs(_only(s, name)))) for name in ("h", None))
    n, K = m.real(at["n"]), m.real(at["K_cross"])
    b = m.real(at["sigma"]) ** 2 / n**2
    clash = opposed(claim, [(-2 * K / n, m.real(alpha - beta))], (b, m.real(beta))) if alpha < beta else None
    if clash is not None:
        yield refuted(
            scope,
            clash[1],
            clash[0],
            known(claim, at),
            method="errors uniform near 0: where h dominates the constant is at least `computed`, where sigma^2/n does at most "
            "`claimed`",
            severity=Severity.CONSTANT,
            survives="Each term with a constant of its own: the increase is at least -C (lambda + h)/n + c sigma^2/n^2.",
            rung=Rung.EXACT,
            reading=Reading.ANOTHER,
        )


def _only(s: Mapping[str, Any], name: str | None) -> dict[Any, int]:
    return {s[other]: int(other == name) for other in ("lambda_", "h")}


def omega_of_noise(claim: Claim) -> Iterator[Finding]:
    """The same for sigma^2 against ln(1/delta)/epsilon^2, with sigma = r_bar sqrt(ln(1/delta))/epsilon."""
    s, scope = symbols(claim), "from sigma to epsilon and delta, each term with a constant of its own"
    r_bar = sympy.Max(s["r"], 1 - s["r"])
    chosen = {**s, "sigma": r_bar * sympy.sqrt(sympy.log(1 / s["delta"])) / s["epsilon"]}
    quiet = {s["lambda_"]: 0, s["h"]: 0}
    rates = [apply(claim.formulas[name], symbolic(), chosen) for name in ("rate_in_sigma", "rate_lower")]
    noise = [rate.subs(quiet) for rate in rates]
    same = sympy.expand(rates[0] - noise[0] - rates[1] + noise[1]) == 0
    times = sympy.simplify(noise[0] / noise[1] / r_bar)
    if not (same and times.is_number and times.is_positive):
        yield Finding(
            scope=scope, verdict=Verdict.OPEN, reason="not the terms in lambda and h and r_bar times the noise's order"
        )
        return
    method = f"computer algebra: the same terms in lambda and h, and {times} r_bar times the noise's order, r_bar >= 1/2"
    yield proved(scope, True, method, remark=PER_TERM)
    m = arb()
    at = model(r="0.5", epsilon="1", delta="1e-6", lambda_="0.001", h="0.001", n="1000")
    values = {k: m.real(v) for k, v in at.items()}
    values["sigma"] = m.sqrt(m.log(1 / values["delta"])) / (2 * values["epsilon"])
    none = {**values, "lambda_": m.real(0), "h": m.real(0)}
    loud = [apply(claim.formulas[name], m, none) for name in ("rate_in_sigma", "rate_lower")]
    drop = [apply(claim.formulas[name], m, values) - x for name, x in zip(("rate_in_sigma", "rate_lower"), loud, strict=True)]
    clash = opposed(claim, [(drop[0], drop[1])], (loud[0], loud[1]))
    if clash is not None:
        yield refuted(
            "from sigma to epsilon and delta, if one constant is meant in front of both terms",
            clash[1],
            clash[0],
            {**known(claim, at), "sigma": "r_bar sqrt(ln(1/delta))/epsilon"},
            method="sigma = r_bar sqrt(ln(1/delta))/epsilon: the first term asks for a constant of at least `computed`, the "
            "second for at most `claimed`; each may dominate",
            severity=Severity.CONSTANT,
            survives="sigma^2 is of the order r_bar^2 ln(1/delta)/epsilon^2, r_bar in [1/2, 1), each term with a constant of "
            "its own.",
            rung=Rung.EXACT,
            reading=Reading.ANOTHER,
        )


NOT_AT_HAND = (
    "the proposition itself is not at hand; its proof says only that the increased deviation is of order sigma/n. That holds "
    "for the chosen lambda, epsilon and delta fixed; squared, as an order of the variance, it does not (both beside)"
)


def upper(name: str, claim: Claim) -> Iterator[Finding]:
    """The increase against a printed order, along lambda = n^(-1/2) with the noise constant and h far smaller."""
    s, m = symbols(claim), arb()
    n, lambda_, sigma = s["n"], s["lambda_"], s["sigma"]
    rate = apply(claim.formulas[name], symbolic(), s)
    scope = f"the increase of the variance against {rate}"
    target = lambda_ / n + sigma**2 / n**2
    paths: tuple[tuple[dict[Any, Any], str, str], ...] = (
        ({lambda_: n ** sympy.Rational(-1, 2), sigma: 1}, "0.0001", "1"),
        ({lambda_: n**-2, sigma: n ** sympy.Rational(3, 4)}, "1e-16", "1000000"),
    )
    for path, ridge, noise in paths:
        if sympy.limit((target / rate).subs(path), n, sympy.oo) != sympy.oo:
            continue
        at = model(n="100000000", lambda_=ridge, sigma=noise)
        here = {**at, "h": "1e-12", "r": "0.75", "density": "0.5", "density_slope": "0.25", "theta": "2"}
        values = in_one_dimension({k: m.real(v) for k, v in here.items()})
        not_printed = "rate_upper_of_deviation" in claim.formulas  # what is printed is the order of the deviation
        if not_printed:
            yield Finding(scope="the upper order of the increase of the variance", verdict=Verdict.OPEN, reason=NOT_AT_HAND)
            yield from (
                replace(f, reading=Reading.MEANT if f.reading is Reading.PRINTED else f.reading) for f in deviation(claim)
            )
        yield refuted(
            scope,
            apply(claim.formulas[name], m, values),
            increase(claim, m, values),
            known(claim, here),
            method=f"the linear law's increase, enclosed, for {path}: positive, and its ratio to the order has no bound",
            severity=Severity.RATE,
            survives="The increase is O(lambda/n + sigma^2/n^2).",
            rung=Rung.EXACT,
            reading=Reading.ANOTHER if not_printed else Reading.PRINTED,
            reason="this order of the variance is not printed, but one reading of it" if not_printed else None,
        )
        return
    ratio = sympy.simplify(rate / target)
    holds = bool(ratio.is_number and ratio.is_positive) or bool(sympy.expand(rate - target).is_nonnegative)
    if (loud := steps.runaway(claim, scope, name, per_record=True)) is not None:
        yield replace(loud, reading=reading_of(claim))
    given = steps.assumed(claim)
    yield proved(scope, holds, "the order is lambda/n + sigma^2/n^2", lemmas=(steps.LINEAR, SOME), given=given)


def lower(side: LowerBound, claim: Claim) -> Iterator[Finding]:
    """A lower bound with free constants."""
    yield from bounded(replace(side, given=steps.assumed(claim)), claim)


def sandwich_lower(claim: Claim) -> Iterator[Finding]:
    """The sandwich against the printed lower bound."""
    side = LowerBound(
        scope="the lower bound of the covariance, some c_1, every sigma^2/n",
        left=value_of(WORD),
        right=value_of("covariance_lower"),
        survives="With (1 - c_1 lambda) in front of sigma^2/n as well; as printed where sigma^2/n is bounded.",
        severity=Severity.DOMAIN,
    )
    yield from lower(side, claim)


LEAST = value_of("increase_lower")
WITH_PRIVACY = LowerBound(
    scope="the variance with privacy, some c_1, every sigma^2/n",
    left=private,
    right=value_of("variance_private_lower"),
    survives="With (1 - c_1 lambda) in front of sigma^2/n^2 as well; as printed where sigma^2/n is bounded.",
    severity=Severity.DOMAIN,
    lemmas=(steps.LINEAR, SOME),
)
INCREASE = replace(
    WITH_PRIVACY, scope="the increase of the variance, some c_1 and c_2", left=increase, right=value_of("increase_lower")
)
LINK = LowerBound(
    scope="from the variance to its increase, the same c_1, some c_2",
    left=link,
    right=LEAST,
    survives="With |Sigma^(1/2) J^{-1} x|^2, r (1 - r) counted once; or with constants that are divided by r (1 - r).",
    severity=Severity.MISPRINT,
    free=("c_2",),
)


def by_name(claim: Claim) -> Table:
    """Readers of the claim's assertions."""
    bounds: Table = {
        Relation("variance with privacy", ">=", "variance_private_lower"): partial(lower, WITH_PRIVACY),
        Relation("increase of the variance", ">=", "increase_lower"): partial(lower, INCREASE),
        Relation("variance_private_lower - variance_nonprivate", ">=", "increase_lower"): partial(lower, LINK),
        Relation("sandwich", ">=", "covariance_lower, up to o(lambda) + o(h)"): sandwich_lower,
        Relation("sandwich", ">=", "covariance_lower, up to (1 + sigma^2/n) (o(lambda) + o(h))"): sandwich_lower,
    }
    orders: Table = {
        Relation("variance without privacy", "=", "variance_nonprivate"): nonprivate,
        Relation("increase of the variance", ">=Omega", "rate_in_sigma"): omega,
        Relation("rate_in_sigma", ">=Omega", "rate_lower"): omega_of_noise,
        **{
            Relation("increase of the variance", "<=O", name): partial(upper, name)
            for name in claim.formulas
            if "upper" in name
        },
    }
    return {
        **steps.READ,
        **bounds,
        **orders,
        **every_sign("0", "K_cross", steps.positive),
        **every_sign("K_cross", "kappa_1", steps.below),
    }


def by_step(claim: Claim) -> Iterator[Finding]:
    """Each assertion by its own argument."""
    yield from by_assertion(claim, by_name(claim))


JUDGES = {f"newsvendor/{id}{end}": by_step for id in ("lem-EC.11", "prop-3") for end in ("", "-amended")}

MUTANTS = {
    "newsvendor/lem-EC.11-amended": mutants.of_covariance,
    "newsvendor/prop-3": mutants.of_printed_variance,
    "newsvendor/prop-3-amended": mutants.of_variance,
}
