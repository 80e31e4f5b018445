"""Judge of Freedman's inequality: its bound against the proved one, and against exact binomial tails."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import sympy

from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import proved, refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.analysis.concentration import freedman as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.analysis.concentration.freedman import terms_lie_in_the_unit_interval
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity

INCREMENTS = Lemma(
    "increments at most 1",
    "Y_t = E[X_t | past] - X_t has conditional mean 0, conditional variance V_t, and Y_t <= E[X_t | past] <= 1, as X_t >= 0 "
    "and X_t <= 1. (e^y - 1 - y)/y^2 grows with y, so E[e^(s Y_t) | past] <= 1 + (e^s - 1 - s) V_t <= exp((e^s - 1 - s) V_t), "
    "s >= 0.",
)
MARTINGALE = Lemma(
    "stopped exponential",
    "exp(s sum Y_t - (e^s - 1 - s) K_t) is a supermartingale that begins at 1. On the event it is at least exp(s a - (e^s - 1 "
    "- s) k) for every s >= 0, K_n <= k, so the event has at most the reciprocal probability (Markov).",
)
BERNSTEIN = Lemma(
    "choice of s",
    "e^s - 1 - s = sum s^j/j! <= s^2/(2 (1 - s/3)) for 0 <= s < 3, as j! >= 2 3^(j-2). With s = a/(k + a/3) < 3: s a - s^2 "
    "k/(2 (1 - s/3)) = a^2/(2 k + 2 a/3), for a, k >= 0 not both 0.",
)
BINOMIAL = Lemma(
    "independent terms",
    "X_t = 0 with probability p, else 1, independent: the sum of conditional means less S_n is Z - n p, Z ~ Binomial(n, p) the "
    "number of zeros, and K_n = n p (1 - p) for certain. P(Z >= j) is at least P(Z = j).",
)
LARGE_STEP = Lemma(
    "one large step", "n = 1, X = -9 with probability p, else 0: the excess is 9 (1 - p), the variance 81 p (1 - p)."
)
SURVIVES = "The bound exp(-a^2/(2 k + 2 a/3)), for terms in [0, 1]."


@dataclass(frozen=True)
class Zeros:
    """j zeros of n terms, each of probability p = numerator/denominator."""

    n: int
    numerator: int
    denominator: int
    j: int


CASES = (
    *(Zeros(1, a, 1000, 1) for a in (1, 10, 100, 300, 500, 900)),
    *(Zeros(10, 1, 2, j) for j in (6, 8, 10)),
    *(Zeros(10**8, 1, 10**4, j) for j in (11_000, 15_000, 30_000)),
    *(Zeros(10**6, 1, 2, 500_000 + b) for b in (500, 5_000, 15_000)),
    Zeros(10**12, 1, 10**4, 10**8 + 2 * 10**6),
)


def chance(m: Numbers, case: Zeros) -> Real:
    """P(Z = j) = binomial(n, j) p^j (1 - p)^(n - j)."""
    n, j, p = m.real(case.n), m.real(case.j), m.frac(case.numerator, case.denominator)
    ways = m.lgamma(n + 1) - m.lgamma(j + 1) - m.lgamma(n - j + 1)
    rest = (n - j) * m.log(1 - p) if case.n > case.j else m.real(0)
    return m.exp(ways + j * m.log(p) + rest)


def contradiction(claim: Claim) -> Finding | None:
    """The first case with a probability certainly above the bound."""
    m = arb(256)
    for case in CASES:
        p = m.frac(case.numerator, case.denominator)
        v = {"n": m.real(case.n), "deviation": case.j - case.n * p, "variance": case.n * p * (1 - p)}
        said, true = apply(claim.formulas["bound"], m, v), chance(m, case)
        if m.ge(v["deviation"], 0) is True and m.gt(true, said) is True:
            at = {"n": str(case.n), "p": f"{case.numerator}/{case.denominator}", "zeros": str(case.j)}
            return _refuted("tail of a binomial", said, true, at, BINOMIAL, Severity.CONSTANT)
    if all(predicate.test != terms_lie_in_the_unit_interval for predicate in claim.preconditions):
        p = m.frac(1, 100)
        said = apply(claim.formulas["bound"], m, {"n": m.real(1), "deviation": 9 * (1 - p), "variance": 81 * p * (1 - p)})
        if m.gt(p, said) is True:
            return _refuted("terms outside [0, 1]", said, p, {"n": "1", "p": "1/100"}, LARGE_STEP, Severity.DOMAIN)
    return None


def _refuted(scope: str, said: Real, true: Real, at: dict[str, str], lemma: Lemma, severity: Severity) -> Finding:
    return refuted(
        scope,
        f"at most {ends(said)[1]}",
        true,
        at,
        method="the bound and a part of the probability, both enclosed",
        severity=severity,
        survives=SURVIVES,
        lemmas=(lemma,),
    )


def tail(claim: Claim) -> Iterator[Finding]:
    """The bound, contradicted by an exact tail, or at least the proved one on a, k >= 0."""
    bad = contradiction(claim)
    if bad is not None:
        yield bad
        return
    a, k = sympy.symbols("deviation variance", positive=True)
    values = {"deviation": a, "variance": k, "n": sympy.Symbol("n", positive=True)}
    exponent = sympy.expand_log(sympy.log(apply(claim.formulas["bound"], symbolic(), values)), force=True)
    above = sympy.together(sympy.simplify(exponent + a**2 / (2 * k + 2 * a / 3)))
    held = proved(
        "every adapted sequence of terms in [0, 1], every a, k >= 0",
        above == 0 or all(_has_no_minus(part, a, k) for part in sympy.fraction(above)),
        f"exact: log of the bound plus a^2/(2 k + 2 a/3) is {above}",
        lemmas=(INCREMENTS, MARTINGALE, BERNSTEIN),
        given=(terms_lie_in_the_unit_interval,),
        remark="at a = k = 0 the exponent is 0/0: the bound read as 1 there, its limit along a = 0",
        coverage=(f"{len(CASES)} exact binomial tails below it",),
    )
    if claim.amends is not None:
        yield held
        return
    yield replace(held, reading=Reading.MEANT)
    m = arb()
    said = apply(claim.formulas["bound"], m, {"n": m.real(11), "deviation": m.real(10), "variance": m.real(0)})
    yield refuted(
        "the sum over i of E[X_n | X_1, ..., X_{n-1}], as printed",
        f"at most {ends(said)[1]}",
        "1",
        {"n": "11", "deviation": "10", "variance": "0", "X_1, ..., X_10": "0", "X_11": "1"},
        method="X_11 = 1 for certain: the printed sum is 11, S_n = 1, and K_n = 0",
        severity=Severity.MISPRINT,
        survives="With X_i and its own past in the place of X_n: the lemma, which is Freedman's inequality.",
        rung=Rung.EXACT,
    )


def _has_no_minus(part: sympy.Expr, *names: sympy.Symbol) -> bool:
    try:
        return all(c.is_nonnegative is True for c in sympy.Poly(sympy.expand(part), *names).coeffs())
    except sympy.PolynomialError:
        return False


READ: Table = {Relation("P(sum of conditional means - S_n >= deviation and K_n <= variance)", "<=", "bound"): partial(tail)}
JUDGES = dict.fromkeys(("lp/lem-18", "lp/lem-18-amended"), reading(READ))
MUTANTS = {"lp/lem-18-amended": mutants.of_tail}
