"""Judge of the sample complexity of private sign vectors: the least n, the least error, and the passage to epsilon.

Budgets are (epsilon', delta'); features have entries +-B_x/sqrt(d), and constants may depend on B_x.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.analysis.private_minimax import Algorithm, Below, Question, at_least_rate
from dpsco.arguments.analysis.rate_monomials import Path, Space, terms
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import proved, refuted
from dpsco.mutants.analysis.lower_bounds import sign_estimation as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import expression, symbolic
from dpsco.spec.analysis.lower_bounds.sign_estimation import (
    accuracy_at_most,
    delta_resampled_at_most,
    epsilon_is_resampled,
    records_are_enough,
)
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Rung, Verdict

ONE = (Adjacency.REPLACE_ONE,)
GUESS = Lemma(
    "answering 1, ..., 1",
    "It reads no data; its error is at most sum_j |xbar_j| <= sqrt(d) B_x. So the least error is at most that for every "
    "budget, and S = 1 where alpha is at least that.",
    ONE,
)
NOISE = Lemma(
    "the sign of each mean plus Laplace noise",
    "epsilon'/d a coordinate, scale 2 d B_x/(sqrt(d) n epsilon'): (epsilon', 0)-DP. A mean of size t B_x/sqrt(d) gets the "
    "wrong sign with probability e^(-t n epsilon'/(2 d))/2, and t e^(-t c)/2 <= 1/(2 e c): the error is at most d^(3/2) "
    "B_x/(e n epsilon'), and S at most 2 d^(3/2) B_x/(e alpha epsilon') where that is at least 1.",
    ONE,
)
SIGNS_OF_SUBSET = Lemma(
    "the signs of a random subset",
    "k = floor(delta' n) records drawn without replacement, the signs of their means: (0, delta')-DP. A mean t B_x/sqrt(d) "
    "gets the wrong sign with probability at most e^(-k t^2/2) (Hoeffding), t e^(-k t^2/2) <= 1/sqrt(e k): error at most "
    "sqrt(d) B_x/sqrt(e k).",
    ONE,
)
COLUMNS = Lemma(
    "columns at distance m",
    "Column j has (n + v_j m)/2 entries +, v in {-1, 1}^d, m <= n of n's parity: turning v_j replaces m records. For an event "
    "and its complement group privacy gives (1 - p) + p' >= 2 (1 - delta_m)/(1 + e^(m epsilon')), delta_m = delta' (e^(m "
    "epsilon') - 1)/(e^epsilon' - 1). So averaged over v the error is at least sqrt(d) B_x (m/n)(1 - delta_m)/(1 + e^(m "
    "epsilon')).",
    ONE,
)
SPREAD_OUT = Lemma(
    "the distance 1/epsilon'",
    "For 1/n <= epsilon' <= 1 let m be the least of n's parity with m epsilon' >= 1: m <= n, m epsilon' <= 3, delta_m <= "
    "19.1/40 for delta' <= epsilon'/40, and the error is at least sqrt(d) B_x/(41 n epsilon').",
)
FEW = Lemma(
    "too few records",
    "For n < 1/epsilon' and m = n the same gives an error above sqrt(d) B_x/4, so alpha <= sqrt(d) B_x/4 needs n >= "
    "1/epsilon'; then alpha >= sqrt(d) B_x/(41 n epsilon').",
)
STANDS = "For 1/n <= epsilon' <= 1, delta' <= epsilon'/40, alpha <= sqrt(d) B_x/4 it holds: the amendment."
HALF, QUARTER = sympy.Rational(1, 2), sympy.Rational(1, 4)
ERRORS = Space(
    {"n": sympy.Integer(8), "d": sympy.Integer(2), "epsilon_resampled": HALF},
    {"d": (0, 1, 2), "n": (0, 1, 2), "epsilon_resampled": (0, -1, -2)},
)
SIZES = Space(
    {"d": sympy.Integer(2), "alpha": QUARTER, "epsilon_resampled": HALF},
    {"d": (0, 2), "alpha": (0, 1, -1), "epsilon_resampled": (0, -1, -2)},
)
LARGE = replace(SIZES, base={**SIZES.base, "alpha": sympy.Integer(2)})
U = "3 sqrt(ln(1/gamma)) + 1"


def _budget(gamma: Any, epsilon: Any) -> Mapping[str, Any]:
    u = 3 * sympy.sqrt(sympy.log(1 / gamma)) + 1
    return {"gamma": gamma, "epsilon": epsilon / u, "delta": sympy.Integer(0), "B_x": sympy.Integer(1), "n": sympy.Integer(8)}


def small(path: Path) -> Mapping[str, Any]:
    """delta' = gamma = epsilon'/80."""
    return {**_budget(path.values["epsilon_resampled"] / 80, path.values["epsilon_resampled"]), **path.values}


def small_with_records(path: Path) -> Mapping[str, Any]:
    """The same; n, of which S does not speak, is enough."""
    return {**small(path), "n": 8 / path.values["epsilon_resampled"]}


def large(path: Path) -> Mapping[str, Any]:
    """delta' = gamma = 1/4."""
    return {**_budget(QUARTER, path.values["epsilon_resampled"]), **path.values, "alpha": QUARTER}


def small_error(path: Path) -> Mapping[str, Any]:
    """The error does not speak of alpha."""
    return {**small(path), "alpha": QUARTER}


ERROR = Question(
    "least worst-case error with n records",
    "B_x",
    (
        Algorithm(GUESS, ERRORS.powers(d=HALF), lambda m, v: m.sqrt(v["d"]), "signs"),
        Algorithm(
            NOISE,
            ERRORS.powers(d="3/2", n=-1, epsilon_resampled=-1),
            lambda m, v: v["d"] * m.sqrt(v["d"]) / (m.e * v["n"] * v["epsilon_resampled"]),
            "signs",
        ),
    ),
    Below(
        (ERRORS.powers(d=HALF, n=-1, epsilon_resampled=-1),),
        "B_x/41",
        (ERRORS.powers(d=1), ERRORS.powers(n=1, epsilon_resampled=1), ERRORS.powers(epsilon_resampled=-1)),
        (epsilon_is_resampled, records_are_enough, delta_resampled_at_most),
        (COLUMNS, SPREAD_OUT),
    ),
    STANDS,
    ERRORS,
    small_error,
)
TOLD = Question(
    ERROR.scope,
    "B_x",
    (
        ERROR.algorithms[0],
        Algorithm(
            SIGNS_OF_SUBSET,
            ERRORS.powers(d=HALF, n="-1/2"),
            lambda m, v: m.sqrt(v["d"] / (m.e * m.floor(v["n"] / 4))),
            "signs, delta' = 1/4",
        ),
    ),
    ERROR.below,
    STANDS,
    ERRORS,
    large,
)
SIZE = Question(
    "sample complexity S",
    "records",
    (
        Algorithm(
            NOISE,
            SIZES.powers(d="3/2", alpha=-1, epsilon_resampled=-1),
            lambda m, v: 2 * v["d"] * m.sqrt(v["d"]) / (m.e * v["alpha"] * v["epsilon_resampled"]),
            "signs, B_x = 1",
            SIZES.powers(d="3/2", alpha=-1, epsilon_resampled=-1),
        ),
    ),
    Below(
        (SIZES.powers(d=HALF, alpha=-1, epsilon_resampled=-1),),
        "B_x/41",
        (SIZES.powers(d=1), SIZES.powers(epsilon_resampled=-1), SIZES.powers(d=HALF, alpha=-1)),
        (epsilon_is_resampled, records_are_enough, delta_resampled_at_most, accuracy_at_most),
        (COLUMNS, SPREAD_OUT, FEW),
    ),
    STANDS,
    SIZES,
    small_with_records,
)
AT_ONCE = replace(
    SIZE,
    algorithms=(Algorithm(GUESS, LARGE.powers(), lambda m, v: m.real(1), "signs, B_x = 1", LARGE.powers(alpha=1, d=-HALF)),),
    space=LARGE,
)


def samples(claim: Claim) -> Iterator[Finding]:
    """S against samples_needed."""
    found = terms(expression(claim.formulas["samples_needed"]), SIZES)
    if found is None:
        yield Finding(scope=SIZE.scope, verdict=Verdict.OPEN, reason="samples_needed is no monomial")
    else:
        yield from at_least_rate(claim, found, SIZE, AT_ONCE)


def error(claim: Claim) -> Iterator[Finding]:
    """The least error against error_at_resampled, in which epsilon is epsilon'/u."""
    m, gamma, after = symbolic(), sympy.Symbol("gamma", positive=True), sympy.Symbol("epsilon_resampled", positive=True)
    printed, u = claim.formulas["error_at_resampled"], 3 * sympy.sqrt(sympy.log(1 / gamma)) + 1
    n, d = sympy.symbols("n d", positive=True)
    found = terms(sympy.simplify(printed(m, d=d, n=n, epsilon=after / u, gamma=gamma)), ERRORS)
    if found is None:
        yield Finding(scope=ERROR.scope, verdict=Verdict.OPEN, reason=f"not a monomial in epsilon' = ({U}) epsilon")
    else:
        yield from at_least_rate(claim, found, ERROR, TOLD)


def passage(claim: Claim) -> Iterator[Finding]:
    """error_at_epsilon over error_at_resampled, as a function of s = sqrt(ln(1/gamma)) alone: bounded or not."""
    scope = "error_at_resampled against error_at_epsilon"
    s = sympy.Symbol("s", positive=True)
    left, right = (expression(claim.formulas[name]) for name in ("error_at_resampled", "error_at_epsilon"))
    gamma = sympy.exp(-(s**2))
    quotient = sympy.simplify(sympy.powsimp((right / left).subs(sympy.Symbol("gamma", positive=True), gamma)))
    if quotient.free_symbols - {s}:
        n = sympy.Symbol("n", positive=True)
        grows = sympy.limit(quotient, n, sympy.oo) == sympy.oo if n in quotient.free_symbols else False
        yield _passage(scope, quotient, "n grows", {"n": "10^12"}) if grows else proved(scope, False, "")
        return
    if sympy.limit(quotient, s, sympy.oo) == sympy.oo:
        yield _passage(scope, quotient, "gamma falls", {"gamma": "e^(-10^12)"})
        return
    bound = next((c for c in (1, 2, 4, 8, 16) if _below(quotient, c, s)), None)
    yield proved(
        scope, bound is not None, f"exact: the quotient {quotient}, s = sqrt(ln(1/gamma)), is at most {bound} for all s"
    )


def _below(quotient: Any, constant: int, s: Any) -> bool:
    """quotient^2 <= constant^2 on s > 0: a polynomial without a root there that is positive somewhere (Sturm)."""
    top, bottom = sympy.fraction(sympy.together(quotient**2))
    slack = sympy.Poly(sympy.expand(constant**2 * bottom - top), s)
    return slack.count_roots(0, None) == 0 and bool(slack.eval(1) > 0) and bool(bottom.subs(s, 1) > 0)


def _passage(scope: str, quotient: Any, path: str, at: dict[str, str]) -> Finding:
    m = arb()
    value = m.real(
        str(sympy.N(quotient.subs({symbol: 10**6 if symbol.name == "s" else 10**12 for symbol in quotient.free_symbols}), 30))
    )
    return refuted(
        scope,
        "bounded",
        value,
        {"path": path, **at},
        method=f"error_at_epsilon/error_at_resampled = {quotient} has the limit infinity, s = sqrt(ln(1/gamma))",
        severity=PROOF_STEP,
        survives="With the factor sqrt(1 + ln(1/gamma)) in the denominator: the amendment.",
        rung=Rung.EXACT,
    )


READ: Table = {
    Relation("S(alpha, epsilon', delta')", ">=Omega", "samples_needed"): samples,
    Relation("least worst-case error with n records", ">=Omega", "error_at_resampled"): error,
    Relation("error_at_resampled", ">=Omega", "error_at_epsilon"): passage,
}

JUDGES = dict.fromkeys(("quantile/thm-3.7-sample", "quantile/thm-3.7-sample-amended"), reading(READ))

MUTANTS = {"quantile/thm-3.7-sample-amended": mutants.of_sample}
