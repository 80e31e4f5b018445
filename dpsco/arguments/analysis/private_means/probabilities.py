"""Errors of private means and directions that are large with a probability: against two private answers, and by the lemmas."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import sympy

from dpsco.arguments.analysis.private_means.above import MEAN_PLUS_NOISE, ORIGIN
from dpsco.arguments.analysis.private_means.below import (
    CODE,
    GROUPS,
    IN_PROBABILITY,
    PURE,
    approximate_order,
    bounded_delta,
    pure_order,
    sizes,
)
from dpsco.arguments.analysis.private_means.rates import BITS, Algorithm, Asked, Path, Proved, decide, formula, order_of
from dpsco.arguments.comparing import admits, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import form
from dpsco.reference.analysis.lower_bounds.bilevel import chance_of_wrong_count, chance_of_wrong_sign
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.analysis.lower_bounds.bilevel import mean_is_in_range
from dpsco.spec.analysis.lower_bounds.private_directions import delta_is_small, epsilon_is_moderate
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Rung, Severity, Verdict

ONE = (Adjacency.REPLACE_ONE,)
COUNT = Lemma(
    "the count plus geometric noise",
    "d = 1: one record moves the number of records +1 by at most one. Two-sided geometric noise P(k) ~ e^(-epsilon |k|) is "
    "epsilon-DP, and 0 with probability 1 - 2/(e^epsilon + 1): then the answer is Zbar itself, whatever Z is.",
    ONE,
)
SIGN = Lemma(
    "the sign of the sum by randomised response",
    "d = 1: one bit of Z, epsilon-DP, wrong with probability 1/(1 + e^epsilon) < 1/2. Times M/n it is within 1/n of every Zbar "
    "with |Zbar| in [(M-1)/n, (M+1)/n] and that sign; as a direction it is exact.",
    ONE,
)
TRIANGLE = Lemma(
    "rescaled direction",
    "Zbar = (M/n + c) u, |u| = 1: |(M/n) A - Zbar| = |(M/n)(A - u) - c u| <= (M/n)|A - u| + |c|, attained at A = u - e u, c "
    ">= 0.",
)
PACKED_HALF = Lemma(
    "packed means, missed half of the time",
    "d >= 16: N >= e^(d/8) >= 1 + e^(d/16) signs of the code, X = d/(16 epsilon) >= 2 as epsilon <= d/32, M <= min(n, X) of "
    "n's parity at least min(n, X/3), a number of n, d and epsilon; Z_v holds M copies of v and pairs, |Zbar| = M/n. Were "
    "each v met with probability above 1/2, 1 > 1/2 + (N - 1) e^(-d/16)/2 >= 1: so some v is missed with probability at least "
    "1/2, by M/(2n) >= min(1/2, d/(96 n epsilon)) as a mean, by 1/2 as a direction.",
    ONE,
)
MARGINALS = (
    "(1) as printed for d >= 16 and epsilon <= d/32; for epsilon <= max(1/2, d/16), ln(1/delta) capped at d, with "
    "probabilities 1/4 and 1/16: the amendment."
)
OFTEN = "With probability 1/4 for 1/2: the amendment; with 1/2 for d >= 16 and epsilon <= d/32."
HALF_OF_THE_TIME = "d >= 16 and epsilon <= d/32, probability 1/2"
COUNTED = {"n": "100", "d": "1", "epsilon": "2", "delta": "1e-5", "low_exponent": "1", "high_exponent": "1"}
SHELL = {"norm_Z_bar": "0.5", "M": "50"}
DIRECTED = (
    {"n": "3", "d": "1", "epsilon": "0.01", "norm_Z_bar": "1", "M": "3", "c": "0"},
    {"n": "3", "d": "1", "epsilon": "1", "norm_Z_bar": "1", "M": "3", "c": "0"},
    {"n": "3", "d": "1", "epsilon": "2", "norm_Z_bar": "1", "M": "3", "c": "0"},
)


def off(scope: str, said: str, found: str, at: dict[str, str], survives: str) -> Finding:
    return refuted(
        scope,
        f"at most {said}",
        found,
        at,
        method="x and y opposite on the boundaries of the two balls, exact",
        severity=PROOF_STEP,
        survives=survives,
        rung=Rung.EXACT,
    )


def _shell(claim: Claim) -> bool:
    return mean_is_in_range in claim.tests


def marginals(name: str, share: Fraction, approximate: bool, claim: Claim) -> Iterator[Finding]:
    """A large error with a probability: the exact count, the sign alone on a shell, noise of gamma length; else the lemmas."""
    scope, m = f"error against {name}, with probability {share}", arb()
    v = {key: m.real(value) for key, value in {**COUNTED, **SHELL}.items()}
    chance, least = chance_of_wrong_count(m, v["epsilon"]), m.real(share)
    counted = admits(claim, m, v) and m.lt(chance, least) is True and m.gt(apply(claim.formulas[name], m, v), 0) is True
    if counted:
        method = "probability of any error at all, on every Z; the rate is positive"
        yield _unlikely(claim, scope, method, str(share), ends(chance), {**COUNTED, **SHELL}, COUNT)
    order = approximate_order("d") if approximate else pure_order("d")
    shown = Proved(
        order,
        bounded_delta("d") if approximate else sizes("d"),
        (epsilon_is_moderate, delta_is_small) if approximate else (epsilon_is_moderate,),
        (*GROUPS, IN_PROBABILITY) if approximate else PURE,
        "at least 1/48 of it in (1), c/16 in (2), c of the lemmas",
    )
    enough = share <= (Fraction(1, 16) if approximate else Fraction(1, 4)) and not _shell(claim)
    others = (MEAN_PLUS_NOISE, ORIGIN, *((_sign(),) if share >= Fraction(1, 2) and _shell(claim) else ()))
    found = list(decide(claim, Asked(scope, formula(claim, name), others, shown if enough else None, MARGINALS)))
    for finding in found:
        if SIGN in finding.lemmas:
            yield replace(finding, severity=Severity.CONSTANT)
        elif not (counted and finding.verdict is Verdict.OPEN):
            yield finding
    if not approximate and share == Fraction(1, 2) and _shell(claim):
        quotient = order_of(claim, formula(claim, name)) / order
        yield _half_of_the_time(claim, scope, sympy.simplify(quotient).is_number is True)


def _half_of_the_time(claim: Claim, scope: str, holds: bool) -> Finding:
    """The range on which the printed probability is proved, the norm of the mean included."""
    method = "exact: the printed rate is a multiple of min(1, d/(n epsilon))"
    found = replace(proved(f"{scope}: {HALF_OF_THE_TIME}", holds, method, lemmas=(CODE, PACKED_HALF)), reading=Reading.MEANT)
    return replace(found, adjacency=claim.adjacency, release=claim.releases)


def _sign() -> Algorithm:
    """(M/n) times a private sign, on a shell of means: wrong with probability below 1/2, else an error of at most 1/n."""

    def at(m: Numbers, t: Real) -> dict[str, Real]:
        rest = {"d": m.real(1), "low_exponent": m.real(1), "high_exponent": m.real(1), "M": t, "norm_Z_bar": 1 / t}
        return {**rest, "n": t**2, "epsilon": 1 / t, "delta": 1 / (2 * t**4)}

    path = Path("n = t^2, epsilon = 1/t, d = 1, M = t", at, form(n=2, epsilon=-1))
    return Algorithm((SIGN,), lambda m, v: 1 / v["n"], 1 / sympy.Symbol("n", positive=True), (path,))


def _unlikely(
    claim: Claim, scope: str, method: str, said: str, found: tuple[str, str], at: dict[str, str], lemma: Lemma
) -> Finding:
    return refuted(
        f"{scope}: {lemma.name}",
        f"at least {said}",
        found,
        at,
        method=method,
        severity=Severity.DOMAIN,
        survives=MARGINALS,
        adjacency=claim.adjacency,
        release=claim.releases,
        lemmas=(lemma,),
    )


def directions(share: Fraction, least: str | None, claim: Claim) -> Iterator[Finding]:
    """A direction error of at least `least` (a formula, else some constant) with a probability."""
    scope, m = f"direction error with probability {share}", arb(BITS)
    said = apply(claim.formulas[least], m, {}) if least else None
    if said is not None and m.gt(said, 1) is True:
        method = "the answer 0 is at distance 1 from every direction"
        yield _unlikely(claim, scope, method, ends(said)[0], ("1", "1"), dict(DIRECTED[0]), SIGN)
        return
    for at in DIRECTED:
        v = {key: m.real(value) for key, value in at.items()}
        chance = chance_of_wrong_sign(m, v["epsilon"])
        if admits(claim, m, v) and m.lt(chance, m.real(share)) is True and (said is None or m.gt(said, 0) is True):
            found = _unlikely(claim, scope, "probability of any error, on every Z", str(share), ends(chance), at, SIGN)
            half = share >= Fraction(1, 2)
            yield replace(found, severity=Severity.CONSTANT, survives=OFTEN) if half else found
            if half and (said is None or m.le(said, m.frac(1, 2)) is True):
                yield _half_of_the_time(claim, scope, True)
            return
    holds = share <= Fraction(1, 4) and not _shell(claim) and said is not None and m.le(said, m.frac(1, 2)) is True
    certificate = proved(scope, holds, "exact: radius 1/2 of the packed code", lemmas=PURE, given=(epsilon_is_moderate,))
    yield replace(certificate, adjacency=claim.adjacency, release=claim.releases)


def rescaled(claim: Claim) -> Iterator[Finding]:
    """The step from a direction to a mean, against the largest error, which is attained."""
    m, v = symbolic(), {name: sympy.Symbol(name, positive=True) for name in ("n", "M", "direction_error", "c")}
    scope = "|A~(Z) - Zbar| against rescaled"
    gap = sympy.simplify(apply(claim.formulas["rescaled"], m, v) - v["M"] / v["n"] * v["direction_error"] - v["c"])
    at = {"n": "7", "M": "3", "direction_error": "0.5", "c": "0.125"}
    value = gap.subs({v[name]: sympy.Rational(x) for name, x in at.items()})
    if value.is_number and value < 0:
        reached = sympy.Rational(3, 14) + sympy.Rational(1, 8)
        found = off(scope, str(reached + value), str(reached), at, "(M/n) times the direction error, plus |c|.")
        yield replace(found, method="exact, d = 1: attained", lemmas=(TRIANGLE,))
    else:
        yield proved(scope, gap.is_nonnegative is True, "exact: the formula less the attained bound", lemmas=(TRIANGLE,))
