"""Judge of the risk of shuffled truncated mirror descent: its rate, display (27), and what the choices make of it."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.algorithms.mirror_descent import batch_noise, deviations, reflected
from dpsco.arguments.algorithms.mirror_descent.truncation import KEPT, OPTIMAL, SMOOTH
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import bounded_above, grows, told
from dpsco.arguments.polynomial_slack import nonnegative
from dpsco.mutants.algorithms.mirror_descent import shuffled_utility as mutants
from dpsco.reference.numbers.enclosure import ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.mirror_descent import shuffled_utility as spec
from dpsco.spec.algorithms.mirror_descent.truncated import batches_are_whole
from dpsco.spec.algorithms.mirror_descent.truncated_gradients import slopes_are_covered, threshold_covers_slope
from dpsco.spec.algorithms.mirror_descent.truncated_utility import moments_are_bounded, steps_are_enough, tau_is_small
from dpsco.spec.claim import Claim, Provenance, Relation
from dpsco.spec.domain import Integers, Interval
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

Values = Mapping[str, Real]
Formula = Callable[[Numbers, Values], Real]
SUMMED = Lemma(
    "the steps summed",
    "The bound per step, summed at one gamma >= 2 beta and averaged over the noise: gamma D/T + (sum of <x_t, z - w_{t-1}>)/T "
    "+ 2 (sum of |x_t|_*^2)/(gamma T) + 2 E|z_t|_*^2/gamma, as |x + z|^2 <= 2 |x|^2 + 2 |z|^2; both sums by Freedman's "
    "inequality.",
)
PROOF = (SMOOTH, OPTIMAL, SUMMED, KEPT, deviations.FREEDMAN)
BOUND = (
    moments_are_bounded, batches_are_whole, threshold_covers_slope, slopes_are_covered, steps_are_enough, tau_is_small,
)  # fmt: skip
CHOSEN = (*BOUND, spec.choices_are_near, spec.start_is_near)
SURVIVES = "lp/thm-10-amended: with ln(n/delta)^2 kappa^2/ln(1/delta), a term in sigma^3/M, gamma >= 2 beta and bounded tau."
NOT_AT_HAND = (
    "the theorem's conditions are not at hand: without gamma_t >= 2 beta, which its proof uses, without a bound on the "
    "population gradient, or without the logarithms of O~ it fails (beside); lp/thm-10-amended holds with them"
)
POWER = (
    "gamma_t = sqrt(T) < 2 beta: the proof needs gamma_t >= 2 beta, and the theorem's own conditions are not at hand; no "
    "logarithm mends it"
)
LOGARITHM = (
    "a logarithm, at the scale of noise that Theorem 9 ends with: it says nothing against O~, nor where sigma is the scale "
    "that the proof of Theorem 9 starts from"
)
FAR = (100, 1000, 10000, 100000)
"""Powers of ten at which the path of many records is enclosed."""


def display_27(claim: Claim) -> Formula:
    first, second = (claim.formulas[name] for name in ("optimisation_and_truncation", "shuffled_noise_term"))
    return lambda m, v: apply(first, m, v) + apply(second, m, v)


def formula(claim: Claim, name: str) -> Formula:
    return display_27(claim) if name == "(27)" else lambda m, v: apply(claim.formulas[name], m, v)


def contradicted(claim: Claim, name: str, every: bool) -> Iterator[Finding]:
    """The risk of the instances against the formula, for every hidden constant or for none."""
    right, scope = formula(claim, name), f"the risk against {name}"
    common: dict[str, Any] = {"verdict": Verdict.REFUTED, "survives": SURVIVES}
    # the conditions of a rebuilt theorem are not at hand: gamma_t >= 2 beta, which its proof names, may be one of them
    aside = Reading.ANOTHER if claim.provenance is Provenance.REBUILT else Reading.PRINTED
    steep = every and name == "rate" and reflected.admits(claim, reflected.STEEP)
    if steep and reflected.leaves(claim, reflected.STEEP, reflected.overshot, right):
        m, v = reflected.numbers(claim, reflected.STEEP, 10**6)
        yield Finding(
            **common,
            scope=f"{scope}: one step, beta = t, M = sqrt(3/(5 t)), t -> infinity, gamma < 2 beta",
            rung=Rung.EXACT,
            method="a power gap: the rate is of order 1/t, the risk at least 27/(256 kappa); enclosed at t = 10^6",
            claimed=ends(right(m, v))[1],
            computed=ends(reflected.overshot(m, v)),
            at={"t": "1e6", "T": "1", "sigma": "1", "d": "2", "kappa": "1.25", "delta": "0.5"},
            lemmas=(reflected.OVERSHOOT,),
            severity=Severity.RATE,
            reading=aside,
            reason=POWER,
        )
    if slopes_are_covered not in claim.tests:
        m, v = reflected.numbers(claim, reflected.MANY, 10**6)
        claimed = right(m, v)
        slope = 1000 * (v["beta"] * v["M"] + v["lambda_"] + claimed)
        yield Finding(
            **common,
            scope=f"{scope}: a population gradient beyond the threshold",
            rung=Rung.EXACT,
            method="the formula does not depend on the slope S, the risk S M/2 is unbounded",
            claimed=ends(claimed)[1],
            computed=ends(slope * v["M"] / 2),
            at={"S": ends(slope)[0], "T": "1e6", "n": "1e12"},
            lemmas=(reflected.LINEAR,),
            severity=Severity.DOMAIN,
            reading=aside,
        )
    if reflected.admits(claim, reflected.MANY) and (
        not every or (reflected.fades(claim) and reflected.leaves(claim, reflected.MANY, reflected.pushed, right))
    ):
        for power in FAR:
            m, v = reflected.numbers(claim, reflected.MANY, 10**power, 4096)
            low, claimed = reflected.reflected(m, v), right(m, v)
            if m.gt(low, claimed) is not True:
                continue
            yield Finding(
                **common,
                scope=f"{scope}: T = t, n = t^2, epsilon = 1/t, t -> infinity, all else fixed",
                rung=Rung.EXACT if every else Rung.POINT,
                method="the risk is of order ln(n/delta)^2/sqrt(t) at least; enclosed at one t, the scale Theorem 9 ends with",
                claimed=ends(claimed)[1],
                computed=ends(low),
                at={"t": f"1e{power}", "M, beta, sigma": "1", "d": "2", "kappa": "1.25", "delta": "0.5"},
                lemmas=(reflected.REFLECTED,),
                severity=Severity.RATE,
                reading=aside,
                reason=LOGARITHM,
            )
            break


def risk(claim: Claim, name: str) -> Iterator[Finding]:
    """O(formula)."""
    found = list(contradicted(claim, name, every=True))
    yield from found
    if any(f.reading is Reading.PRINTED for f in found):
        return
    away = _ordered(claim, name) if {*CHOSEN} <= claim.tests and _small_tau(claim) else "its conditions"
    if away is None:
        yield certified(
            f"the risk against {name}, every 1-strongly convex Phi, constants by c_choice and that of sigma",
            "the proved bound's monomials are means of the rate's, by their exponents on the claim's conditions",
            *PROOF,
            batch_noise.REGULAR,
            given=CHOSEN,
        )
    else:
        reason = NOT_AT_HAND if found else f"the proved bound leaves it: {away}"
        yield Finding(scope=f"the risk against {name}", verdict=Verdict.OPEN, reason=reason)


def _small_tau(claim: Claim) -> bool:
    domain = claim.parameter("c_tau").domain
    return isinstance(domain, Interval) and domain.high != "inf" and sympy.Rational(domain.high) <= sympy.Rational(49, 9)


def _ordered(claim: Claim, name: str) -> str | None:
    """Where the proved bound leaves the formula, None if nowhere; ln(1/delta) is nats, ln(n/delta) is logs."""
    names = ("n", "epsilon", "d", "kappa", "M", "sigma", "T", "lambda_", "tau", "nats", "logs")
    s = {x: sympy.Symbol(x, positive=True) for x in names}
    n = claim.parameter("n").domain
    if not (isinstance(n, Integers) and n.low >= 2):
        return "n = 1, delta -> 1"

    def read(formula_name: str, **more: Any) -> Any:
        found = apply(claim.formulas[formula_name], symbolic(), {**s, **more, "delta": sympy.exp(-s["nats"])})
        return sympy.expand_log(found, force=True).subs(sympy.log(s["n"]), s["logs"] - s["nats"])

    noise = s["kappa"] ** 3 * s["d"] * s["T"] * s["lambda_"] ** 2 * s["logs"] ** 2 / (s["n"] * s["epsilon"]) ** 2
    spread = s["sigma"] * sympy.sqrt(s["tau"] / s["T"])
    proved = s["kappa"] * s["M"] ** 2 / sympy.sqrt(s["T"]) + s["M"] * s["sigma"] ** 2 / s["lambda_"] + s["M"] * spread
    proved += (s["sigma"] ** 2 + s["lambda_"] * spread + noise) / sympy.sqrt(s["T"])
    large, steps = read("lambda_choice"), read("steps_choice", beta=sympy.Integer(0))  # beta M + lambda <= 2 lambda
    small = [large / s["lambda_"], s["lambda_"] / large, steps / s["T"], s["T"] / steps, s["nats"] / s["logs"], 1 / s["logs"]]
    small += [1 / s[x] for x in ("n", "T", "d", "kappa")] + [s["tau"] * s["lambda_"] ** 2 / (s["sigma"] ** 2 * s["T"])]
    try:
        away = grows(proved, sympy.simplify(read(name)), [part for x in small for part in bounded_above(x)])
    except ValueError as other:
        return str(other)
    return None if away is None else told(away)


def explicit(claim: Claim) -> Iterator[Finding]:
    """The bound with constants."""
    found = list(contradicted(claim, "bound", every=False))
    yield from found
    if any(f.reading is Reading.PRINTED for f in found):
        return
    m, T, tau = symbolic(), sympy.Symbol("t", positive=True), sympy.Symbol("s", positive=True)
    s = {p.name: sympy.Symbol(p.name, positive=True) for p in claim.parameters} | {"T": T**2, "tau": tau**2}
    proved = apply(spec.risk_bound, m, s)
    holds = {*BOUND} <= claim.tests and _small_tau(claim)
    holds = holds and nonnegative(claim, sympy.expand(apply(claim.formulas["bound"], m, s) - proved))
    if not holds:
        yield Finding(scope="the risk against the bound", verdict=Verdict.OPEN, reason="below what is proved, or unconditional")
        return
    yield certified(
        "the risk against the bound, every 1-strongly convex Phi",
        "the bound less the proved one has nonnegative coefficients in sqrt(T), sqrt(tau)",
        *PROOF,
        given=BOUND,
    )


def link(claim: Claim, name: str, scope: str) -> Iterator[Finding]:
    """A display at the choices against the rate: the logarithm that is lost, and small sets."""
    left, right = formula(claim, name), formula(claim, "rate")
    found = False
    for path, says, place in (
        ({k: v for k, v in reflected.MANY.items() if k != "T"}, "n = t^2, epsilon = 1/t, all else fixed", 10**40),
        (reflected.SMALL, "n = t^8, epsilon = t^-4, M = 1/t", 10**40),
    ):
        if not reflected.leaves(claim, path, left, right):
            continue
        found = True
        m, v = reflected.numbers(claim, path, place)
        yield refuted(
            f"{scope}: {says}, t -> infinity",
            f"bounded multiple of {ends(right(m, v))[1]}",
            left(m, v),
            {"t": "1e40", "beta, sigma": "1", "d": "2", "kappa": "1.25", "delta, delta'": "0.5"},
            method="the quotient tends to infinity (computer algebra); enclosed at t = 10^40",
            severity=Severity.RATE,
            survives=SURVIVES,
            rung=Rung.EXACT,
        )
    if not found:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="bounded along the paths tried")


READ: Table = {
    Relation(spec.EXCESS, "<=O", "rate"): partial(risk, name="rate"),
    Relation(spec.EXCESS, "<=O", "(27)"): partial(risk, name="(27)"),
    Relation(spec.EXCESS, "<=", "bound"): explicit,
    Relation("(27) at the chosen lambda, T, gamma_bar", "<=O", "rate"): partial(link, name="(27)", scope="(27) at the choices"),
    Relation("middle at the chosen T", "<=O", "rate"): partial(link, name="middle", scope="the display before the last"),
}

JUDGES = dict.fromkeys(("lp/thm-10", "lp/thm-10-amended"), reading(READ))

MUTANTS = {"lp/thm-10-amended": mutants.of_amended}
