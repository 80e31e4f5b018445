"""Judge of the reduction of l_p, p >= 2, to the Euclidean case: the diameters, the rate, the conditions handed over.

The algorithm is another paper's: what it does, and that it is private, cannot be read here.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import Exponents, form, grows, told
from dpsco.arguments.polynomial_slack import Side, bounded, named
from dpsco.instances.grid import grid
from dpsco.mutants.algorithms.mirror_descent import euclidean_reduction as mutants
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.mirror_descent.euclidean_reduction import population_gradient_is_bounded
from dpsco.spec.algorithms.mirror_descent.truncated_utility import moments_are_bounded
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.domain import Interval
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

AXES = {
    "d": ("1", "2", "3", "9", "1000000"),
    "p": ("2", "2.5", "3", "1000"),
    "M": ("0.2", "3"),
}
INDICES = (sympy.Integer(2), sympy.Rational(5, 2), sympy.Integer(3), sympy.Integer(1000), sympy.oo)
CITED = (
    "Algorithm 1 of Kamath et al. 2022 and its theorem (moments, logarithms, confidence, range of n) are not printed in this "
    "paper: the statement repeats them"
)
HOLDER = Lemma(
    "norms l_p and l_2",
    "For p >= 2, |x|_2 <= d^(1/2 - 1/p) |x|_p by Hoelder, so the l_2 diameter is at most d^(1/2 - 1/p) M; p = inf with 1/p = "
    "0. The segment between (M/2) d^(-1/p) (1, ..., 1) and its opposite attains it.",
)
HANDED = Lemma(
    "conditions in the dual norm",
    "p >= 2, so |.|_* = l_q with q <= 2 and |x_j| <= |x|_2 <= |x|_q, |x|_p <= |x|_2: E|grad l - grad|_*^2 <= sigma^2 bounds "
    "each coordinate's second moment by sigma^2, |grad|_2 <= |grad|_* <= R, and beta-smoothness in l_p is beta-smoothness in "
    "l_2.",
)


def attained(m: Numbers, v: Mapping[str, Real]) -> Real:
    return v["d"] ** (m.frac(1, 2) - 1 / v["p"]) * v["M"]


def diameters(claim: Claim) -> Iterator[Finding]:
    """The l_2 diameter against the printed multiple of the l_p diameter; p = inf through 1/p = 0."""
    d, t, M = sympy.Symbol("d", positive=True), sympy.Symbol("t", nonnegative=True), sympy.Symbol("M", positive=True)
    printed = apply(claim.formulas["euclidean_diameter_bound"], symbolic(), {"d": d, "p": 1 / t, "M": M})
    quotient = sympy.simplify(sympy.powsimp(printed / (d ** (sympy.Rational(1, 2) - t) * M), force=True))
    yield bounded(
        Side(
            scope="the l_2 diameter, every p in [2, inf]",
            claimed=named(claim, "euclidean_diameter_bound"),
            reached=attained,
            holds=bool(quotient.is_number and quotient >= 1),
            method="computer algebra in 1/p: the bound is a multiple of d^(1/2 - 1/p) M by at least 1",
            instances=grid(claim, AXES),
            severity=Severity.RATE,
            survives="The l_2 diameter is at most d^(1/2 - 1/p) M.",
            lemmas=(HOLDER,),
            family=(HOLDER,),
        )
    )


def rate(claim: Claim) -> Iterator[Finding]:
    """The cited rate at the bound on the diameter, M hidden: the printed rate term by term, or a path that leaves it."""
    scope = "the cited rate at the bound on the diameter, M hidden"
    domain = (form(d=1), form(n=1), form(epsilon=-1))
    for p in INDICES:
        away = grows(*_sides(claim, p), domain, ("M",))
        if away is not None:
            yield _leaves(scope, p, away)
            return
    t = sympy.Symbol("t", nonnegative=True)
    left, right = _sides(claim, 1 / t)
    M = sympy.Symbol("M", positive=True)
    parts = sympy.Add.make_args(sympy.expand(sympy.powsimp(sympy.expand(left), force=True)))
    exponents = {
        sympy.simplify(sympy.expand_log(sympy.log(part / part.subs(M, 1)), force=True) / sympy.log(M)) for part in parts
    }
    same = sympy.simplify(sympy.powsimp(sympy.expand(left.subs(M, 1) - right), force=True)) == 0
    if not same or not all(e.is_number for e in exponents):
        yield Finding(
            scope=scope, verdict=Verdict.OPEN, reason="no path leaves the rate at the indices tried, and no constant found"
        )
        return
    yield certified(
        scope,
        f"computer algebra in 1/p: equal at M = 1, and M enters the terms as M^e, e in {sorted(exponents, key=float)}",
        HOLDER,
        reason="The constant is max(1, M): the print hides the diameter, as well as sigma and R.",
    )


def _sides(claim: Claim, p: Any) -> tuple[Any, Any]:
    names = ("d", "n", "epsilon", "M")
    values: dict[str, Any] = {name: sympy.Symbol(name, positive=True) for name in names} | {"p": p}
    m = symbolic()
    diameter = apply(claim.formulas["euclidean_diameter_bound"], m, values)
    return apply(claim.formulas["euclidean_rate"], m, values | {"euclidean_diameter": diameter}), apply(
        claim.formulas["rate"], m, values
    )


def _leaves(scope: str, p: Any, away: Exponents) -> Finding:
    return refuted(
        f"{scope}, p = {p}",
        "bounded",
        "inf",
        {"p": str(p), "path": told(away)},
        method="exponents along a path",
        severity=Severity.RATE,
        survives="At the bound it is M d^(3/2 - 1/p)/sqrt(n) + sqrt(M) d^(3/2 - 1/(2p))/sqrt(n epsilon).",
        rung=Rung.EXACT,
    )


def cited(claim: Claim, scope: str) -> Iterator[Finding]:
    """What rests on a text that is not at hand."""
    yield Finding(scope=scope, verdict=Verdict.OPEN, adjacency=claim.adjacency, reason=CITED)


def condition(claim: Claim, scope: str, test: Callable[..., Truth]) -> Iterator[Finding]:
    """What the proof hands over to the cited theorem, in the dual norm."""
    domain = claim.parameter("p").domain
    if not (isinstance(domain, Interval) and domain.low != "-inf" and float(domain.low) >= 2):
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason=f"argued for p in [2, inf], not for {domain}")
        return
    method = "comparison of l_q, l_2 and l_p"
    yield certified(scope, method, HANDED, given=(test,))


READ: Table = {
    Relation("euclidean_diameter", "<=", "euclidean_diameter_bound"): diameters,
    Relation("euclidean_rate at euclidean_diameter_bound", "<=O", "rate"): rate,
    Relation("E[population loss of w] - population loss of theta*", "<=O", "rate"): partial(
        cited, scope="the cited theorem: risk"
    ),
    Relation("w", "is", "(epsilon, delta)-DP"): partial(cited, scope="the cited theorem: privacy"),
    Relation("E<grad l - grad of the population loss, e_j>^2, every j", "<=", "sigma^2"): partial(
        condition, scope="condition 4 of Assumption 5", test=moments_are_bounded
    ),
    Relation("|grad of the population loss|_2", "<=", "R_"): partial(
        condition, scope="condition 5 of Assumption 5", test=population_gradient_is_bounded
    ),
}

JUDGES = {"lp/thm-15": reading(READ)}

MUTANTS = {"lp/thm-15": mutants.of_reduction}
