"""Gaussian descent's risk against what is claimed of it: refuted by explicit records where mu is free or the average projected,
certified for the average before projection where the claim's mu makes steps short."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import sympy

from dpsco.arguments.algorithms.descent import decision_descent as known
from dpsco.arguments.algorithms.descent.averaged_descent import BALANCE, slow
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import exponent, form
from dpsco.arguments.polynomial_slack import Side, Value, bounded, expressed, named, nonnegative, quantities, square_at
from dpsco.instances.grid import Grid, grid
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.conditions import features_are_bounded, gradients_are_bounded
from dpsco.spec.losses.spo.smoothing import decision_bounded, minimiser_bounded
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

GIVEN = (gradients_are_bounded, decision_bounded, minimiser_bounded, features_are_bounded)
PROVED = (known.NONEXPANSIVE, known.COUPLED, known.REGRET, known.SMOOTH)
TIED = "For the average before projection, mu = 2 B_x^2 eta and p d in the place of d."
UNPROJECTED = "the average before projection"
PROJECTED = "the projected average"
ROOT = sympy.Symbol("N", positive=True)
"""n = N^4 along every path."""
UNIT: Mapping[str, Any] = {name: sympy.Integer(1) for name in ("L", "B_B", "B_x", "B_w", "d", "p", "epsilon")}
PATHS: Mapping[str, Mapping[str, Any]] = {
    "n grows": {},
    "n grows, epsilon = n^(-3/4)": {"epsilon": ROOT**-3},
    "n grows, d = n^(3/2)": {"d": ROOT**6},
    "n grows, p = n^(3/2)": {"p": ROOT**6},
}
AXES = {
    "n": ("1", "2", "100", "1000000"),
    "p": ("1", "9"),
    "d": ("1", "100"),
    "epsilon": ("0.001", "1", "100"),
    "delta": ("1e-40", "0.1", "0.999"),
    "B_B": ("0.3", "7"),
}
SIZES = ({"L": "1", "B_x": "0.5", "B_w": "1"}, {"L": "2", "B_x": "3", "B_w": "0.4"}, {"L": "0.1", "B_x": "0.2", "B_w": "5"})
"""With L <= 2 B_w B_x, so that the records of the lemmas are there."""


def tried(claim: Claim) -> Grid:
    return grid(claim, AXES, SIZES)


def grows(quotient: Any) -> bool:
    """Whether it grows like a power of N; False where powers of N do not describe it."""
    try:
        return exponent(quotient, form(N=1)) > 0
    except ValueError:
        return False


def reached_by_average(claim: Claim) -> Value:
    return lambda m, v: slow(m, v["B_B"], v["L"], known.step(claim, m, v), v["n"] ** 2)


def is_proved(claim: Claim) -> bool:
    """Whether steps are short at the claim's mu, and the proved risk at its step length is at most `regret_calibrated`."""
    mu, step = named(claim, "smoothing"), (lambda m, v: known.step(claim, m, v))
    if not nonnegative(claim, expressed(claim, lambda m, v: mu(m, v) - 2 * v["B_x"] ** 2 * v["eta"])):
        return False
    square = square_at(lambda m, v: known.proved(m, v, v["eta"], mu(m, v)), step, claim)
    said = sympy.expand(expressed(claim, named(claim, "regret_calibrated")) ** 2)
    return square is not None and nonnegative(claim, said - square)


def at_most_regret(claim: Claim) -> Iterator[Finding]:
    """risk <= regret_calibrated for the average, where the claim ties mu to eta."""
    yield bounded(
        Side(
            scope="excess risk of the average at the stated step length, T = n^2",
            claimed=named(claim, "regret_calibrated"),
            reached=reached_by_average(claim),
            holds=is_proved(claim),
            method="the claimed bound's square less that of the proved one at the step length has nonnegative coefficients",
            instances=tried(claim),
            severity=Severity.CONSTANT,
            survives="What is proved: stability, regret and smoothing at every step length.",
            lemmas=PROVED,
            given=GIVEN,
            family=(known.SLOW,),
            release=UNPROJECTED,
        )
    )


def constants(claim: Claim, name: str) -> tuple[Any, Any] | None:
    """(a, b) with formula^2 <= a/n + b p d ln(1/delta)/(n epsilon)^2 and rate^2 >= 1/n + that quotient; None if not found."""
    q = {"p": sympy.Integer(1), **quantities(claim)}
    n, p, d, e, s = q["n"], q["p"], q["d"], q["epsilon"], sympy.Symbol("s", nonnegative=True)
    private = p * d * s / (n * e) ** 2
    if not covers(claim):
        return None
    a, b = sympy.Integer(0), sympy.Integer(0)
    for term in sympy.Add.make_args(sympy.expand(expressed(claim, named(claim, name)) ** 2)):
        noisy, rest = sympy.cancel(term / private), sympy.cancel(term * n)
        if not noisy.has(n, q["d"], e, s) and not noisy.has(sympy.Symbol("p", positive=True)):
            b += noisy
        elif not rest.has(d, e, s) and nonnegative(claim, rest.subs(n, 1) - rest) and not rest.subs(n, 1).has(n):
            a += rest.subs(n, 1)
        else:
            return None
    return sympy.factor(a), sympy.factor(b)


def covers(claim: Claim) -> bool:
    """Whether rate^2 >= 1/n + p d ln(1/delta)/(n epsilon)^2, quantities written as squares so that roots are polynomials."""
    n, p, d, s = (sympy.Symbol(name, positive=True) for name in ("root_n", "root_p", "root_d", "root_s"))
    p = p if any(parameter.name == "p" for parameter in claim.parameters) else sympy.Integer(1)
    roots = {"n": n**2, "p": p**2, "d": d**2, "delta": sympy.exp(-(s**2))}
    rate = sympy.expand(expressed(claim, named(claim, "rate"), **roots) ** 2)
    return nonnegative(claim, rate - 1 / n**2 - (p * d * s / (n**2 * quantities(claim)["epsilon"])) ** 2)


def along(claim: Claim, m: Numbers, path: Mapping[str, Any]) -> dict[str, Real]:
    return {**UNIT, **path, "n": ROOT**4, "delta": sympy.exp(-1)}


def rate_of_average(claim: Claim) -> Iterator[Finding]:
    """risk <=O rate for the average."""
    m = symbolic()

    def infinite(path: Mapping[str, Any]) -> bool:
        v = along(claim, m, path)
        steps = known.step(claim, m, v) * v["n"] ** 2  # eta (T - 1) is at least half of it, and at most it
        return grows(steps) and grows(1 / (steps * apply(claim.formulas["rate"], m, v)))

    ready = is_proved(claim)
    yield _of_order(claim, "the average's risk is O(rate)", infinite, ready, (*PROVED, BALANCE), known.SLOW, UNPROJECTED)


def regret_is_of_order(claim: Claim) -> Iterator[Finding]:
    """regret_calibrated <=O rate."""
    m = symbolic()

    def infinite(path: Mapping[str, Any]) -> bool:
        v = along(claim, m, path)
        said, rate = (apply(claim.formulas[name], m, v) for name in ("regret_calibrated", "rate"))
        return grows(said / rate)

    yield _of_order(claim, "regret_calibrated is O(rate)", infinite, True, (), None, None)


def _of_order(
    claim: Claim,
    scope: str,
    infinite: Callable[[Mapping[str, Any]], bool],
    ready: bool,
    lemmas: tuple[Lemma, ...],
    family: Lemma | None,
    release: str | None,
) -> Finding:
    scope = f"{scope}: constants depend on L, B_B, B_w, B_x only"
    for says, path in PATHS.items():
        if infinite(path):
            return refuted(
                scope,
                "bounded",
                None,
                {"path": says},
                "the quotient grows like a power of n along a path",
                Severity.RATE,
                "The rate n^(-1/2) + sqrt(p d ln(1/delta))/(n epsilon).",
                Rung.EXACT,
                coverage=tuple(PATHS),
                release=release,
                lemmas=(family,) if family else (),
            )
    parts = constants(claim, "regret_calibrated") if ready else None
    if parts is None:
        return Finding(scope=scope, verdict=Verdict.OPEN, reason="no constant found, and no path of those tried diverges")
    a, b = (sympy.sstr(part) for part in parts)
    return certified(
        scope,
        f"regret^2 <= ({a})/n + ({b}) p d ln(1/delta)/(n epsilon)^2 <= the sum of both times rate^2",
        *lemmas,
        coverage=tuple(PATHS),
        release=release,
        given=GIVEN if lemmas else (),
    )


AT = {"n": "10000", "d": "1", "epsilon": "1", "delta": "0.5", "L": "1", "B_B": "1", "B_w": "1"}


def exceeded(claim: Claim) -> Iterator[Finding]:
    """risk <= regret_calibrated for the printed output, at two records."""
    m = arb(192)
    for at, reached, lemma, scope in (
        ({**AT, "p": "1", "mu": "4", "|x|": "1"}, known.idle, known.IDLE, "excess risk, mu not tied to eta"),
        (
            {**AT, "p": "1000000000000", "|x|": "0.5"},
            known.shrunk,
            known.SHRUNK,
            "excess risk of the projected average, every mu",
        ),
    ):
        v = {name: m.real(value) for name, value in at.items()}
        true, said = reached(m, v, known.step(claim, m, v)), apply(claim.formulas["regret_calibrated"], m, v)
        if m.gt(true, said) is not True:
            yield Finding(scope=scope, verdict=Verdict.OPEN, reason="the record of the lemma does not exceed the bound")
            continue
        yield refuted(
            scope,
            said,
            true,
            at,
            method="a value that is reached, enclosed, against the claimed bound, enclosed",
            severity=Severity.DOMAIN,
            survives=TIED,
            release=PROJECTED,
            lemmas=(lemma,),
        )


def rate_exceeded(claim: Claim) -> Iterator[Finding]:
    """risk <=O rate for the printed output: along n alone with mu fixed, and with p = n^4 for every mu."""
    m = symbolic()
    cases: tuple[tuple[Callable[..., Real], Lemma, Mapping[str, Any], str], ...] = (
        (known.idle, known.IDLE, {}, "n grows, mu = 4 |x|^2 B_B/L"),
        (known.shrunk, known.SHRUNK, {"p": ROOT**16}, "n grows, p = n^4, every mu"),
    )
    for reached, lemma, path, says in cases:
        v = along(claim, m, path)
        true, rate = reached(m, v, known.step(claim, m, v)), apply(claim.formulas["rate"], m, v)
        scope = f"risk is O(rate): {says}"
        far = sympy.limit(true, ROOT, sympy.oo)
        if far.is_Rational and far.is_positive and sympy.limit(rate, ROOT, sympy.oo) == 0:
            yield refuted(
                scope,
                "0 in the limit",
                arb().frac(int(far.p), int(far.q)),
                {"path": says, "epsilon": "1", "delta": "1/e", "L": "1", "B_B": "1"},
                method="limits: the risk that is reached tends to L B_B, the rate to 0",
                severity=Severity.DOMAIN,
                survives=TIED,
                rung=Rung.EXACT,
                release=PROJECTED,
                lemmas=(lemma,),
            )
        else:
            yield Finding(scope=scope, verdict=Verdict.OPEN, reason="the record of the lemma does not contradict the rate")
