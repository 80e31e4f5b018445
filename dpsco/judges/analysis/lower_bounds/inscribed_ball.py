"""Judge of lower bounds of private means and strongly convex losses on a convex body: by its width, or by the ball inside it.

The printed bounds by the Gaussian width and the amended ones are read by the same functions.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.analysis.private_means.below import (
    GROUPS,
    GROUPS_OF_LAWS,
    TWO_LAWS,
    approximate_order,
    bounded_delta,
)
from dpsco.arguments.analysis.private_means.bodies import (
    CONSTANTS,
    GAUSSIAN,
    IDLE,
    LAPLACE_MEAN,
    LONE,
    MINIMISER,
    NOISY,
    NOISY_LAW,
    SQUARED,
    WIDTHS,
    S,
)
from dpsco.arguments.analysis.private_means.fixed_answers import no_excess
from dpsco.arguments.analysis.private_means.rates import (
    LAMBDA,
    Algorithm,
    Asked,
    Proved,
    decide,
    formula,
    order_of,
)
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import admits, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import exponent, form, grows
from dpsco.mutants.analysis.lower_bounds import inscribed_ball as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.analysis.lower_bounds.gaussian_width import FEW_RECORDS, alpha_is_small, body_in_unit_ball, n_is_small
from dpsco.spec.analysis.lower_bounds.inscribed_ball import alpha_is_below_radius, epsilon_at_most_half, norm_is_one
from dpsco.spec.analysis.lower_bounds.private_directions import delta_is_small, epsilon_at_most_one, epsilon_is_up_to
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.predicate import Predicate
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

EXACTLY_N = (
    "With data sets of exactly n points, the definition that is meant, the upper rate holds in the amendment's range; the "
    "lower rate is false then too, at d = 1 and delta = e^(-n/2) (the finding beside)."
)
MEANT_N = (
    "With data sets of exactly n points, and ln(1/delta) capped at d, the width that of the inscribed ball: the amendment."
)
ESCAPED = (
    "The reading with the proof's loss |theta - x|^2/2, 2-Lipschitz, escapes this; a fixed answer has an excess of at most 4 "
    "then, and the finding on n far below the limit refutes it."
)
ORDER_N = (
    "With half the modulus and ln(1/delta) <= d only n of order sqrt(d ln(1/delta))/epsilon is left (the proof's Lemma 9 "
    "needs n at least that); for every n with the width of the inscribed ball, 1 at most, and ln(1/delta) capped at d: the "
    "amendment."
)


def empirical(claim: Claim) -> Iterator[Finding]:
    """The excess empirical loss against its rate."""
    given = (epsilon_is_up_to, delta_is_small, body_in_unit_ball)
    shown = Proved(
        S["C_min"] ** 2 * approximate_order("d") ** 2, bounded_delta("d"), given, (*GROUPS, SQUARED), "(C_min g)^2/16"
    )
    yield from decide(
        claim, Asked("excess empirical loss against the rate", formula(claim, "rate"), _who(claim), shown, ORDER_N)
    )
    yield from no_excess(claim, "excess empirical loss")
    yield from with_more_records(claim)


def with_more_records(claim: Claim) -> Iterator[Finding]:
    """The condition on n turned to the one that the proof's lemma needs: n at least of that order."""
    kept = tuple(predicate for predicate in claim.preconditions if predicate.test != n_is_small)
    if len(kept) == len(claim.preconditions):
        return
    many = Predicate("n at least of order sqrt(d ln(1/delta)) / epsilon", n_is_large, FEW_RECORDS.rejects, FEW_RECORDS.accepts)
    turned = replace(claim, preconditions=(*kept, many))
    scope = "n at least of the order of largest_n, as Lemma 9 needs it"
    asked = Asked(scope, formula(claim, "rate"), (MINIMISER,), None, ORDER_N, reading=Reading.MEANT)
    yield from decide(turned, asked)


def n_is_large(m: Numbers, n: Real, c_n: Real, d: Real, delta: Real, epsilon: Real) -> Truth:
    return m.no(n_is_small(m, n=n, c_n=c_n, d=d, delta=delta, epsilon=epsilon))


def _who(claim: Claim, law: bool = False) -> tuple[Algorithm, ...]:
    """Noise is an answer to the loss of the amendment; against every 1-Lipschitz loss there is only the fixed answer."""
    return (IDLE, NOISY_LAW if law else NOISY) if claim.amends else (IDLE,)


def population(claim: Claim) -> Iterator[Finding]:
    """The excess population loss against its rate."""
    order = S["C_min"] ** 2 * approximate_order("d") ** 2 + 1 / S["n"]
    given = (epsilon_at_most_one, delta_is_small, norm_is_one)
    shown = Proved(order, bounded_delta("d"), given, (*GROUPS_OF_LAWS, TWO_LAWS, SQUARED), "half the sum of two lower bounds")
    asked = Asked("excess population loss against the rate", formula(claim, "rate"), _who(claim, True), shown, ORDER_N)
    yield from decide(claim, asked)
    for finding in no_excess(claim, "excess population loss"):
        yield replace(finding, reason=ESCAPED) if finding.severity is Severity.CONSTANT else finding
    yield from with_more_records(claim)


def slope(share: sympy.Rational, claim: Claim) -> Iterator[Finding]:
    """The slope of share |theta - x|^2 over C: 2 share |theta - x|, at most 4 share, attained at theta = -x."""
    scope, least = f"slope of |theta - x|^2 times {share} on C", 4 * share
    if least > 1:
        yield refuted(
            scope,
            "1",
            (str(least),) * 2,
            {"x": "a point of norm 1", "theta": "-x"},
            method="gradient theta - x at theta = -x of norm 1, in C by symmetry",
            severity=Severity.CONSTANT,
            survives="Half the loss is 1-Lipschitz, and half as strongly convex.",
            rung=Rung.EXACT,
        )
    else:
        yield proved(scope, True, f"exact: at most {least}", given=(body_in_unit_ball,))


def modulus(share: sympy.Rational, claim: Claim) -> Iterator[Finding]:
    """share |theta - x|^2 has the l2 modulus 2 share exactly, and |v|_2 >= C_min |v|_C with equality on balls."""
    m, scope = symbolic(), f"modulus of |theta - x|^2 times {share} in |.|_C"
    said = sympy.simplify(apply(claim.formulas["strong_convexity"], m, S) / S["C_min"] ** 2)
    if said.is_number and said > 2 * share:
        yield refuted(
            scope,
            f"{said} C_min^2",
            (f"{2 * share} C_min^2",) * 2,
            {},
            method="C a ball: |v|_2 = C_min |v|_C, the modulus is 2 share C_min^2",
            severity=Severity.CONSTANT,
            survives="The modulus is 2 share C_min^2.",
            rung=Rung.EXACT,
        )
    else:
        lemma = Lemma("the ball inside", "C/C_min holds the unit ball, so |v|_C <= |v|_2/C_min: Lemma 10.")
        yield proved(scope, bool(said.is_number), f"exact: {said} is at most {2 * share}", lemmas=(lemma,))


def samples_lower(meant: bool, claim: Claim) -> Iterator[Finding]:
    """The least number of records from below."""
    if meant:
        reason = "with data sets of at most n points the least n is 1 or does not exist; which depends on the lemma's c"
        yield Finding(scope="SC from below, as defined", verdict=Verdict.OPEN, reason=reason)
    scope = "SC from below, data sets of exactly n points" if meant else "n from below"
    order = S["C_min"] * sympy.sqrt(S["d"] / sympy.Max(1 / S["d"], 1 / LAMBDA)) / (S["alpha"] * S["epsilon"])
    given = (epsilon_at_most_half, delta_is_small, alpha_is_below_radius, body_in_unit_ball)
    shown = Proved(
        order, bounded_delta("d"), given, (*GROUPS, SQUARED), "alpha >= C_min g/2, g < 1/8 only for n above c rate/2"
    )
    read = Reading.MEANT if meant else Reading.PRINTED
    yield from decide(claim, Asked(scope, formula(claim, "lower_rate"), (LAPLACE_MEAN,), shown, MEANT_N, reading=read))


def samples_defined(claim: Claim) -> Iterator[Finding]:
    """As defined, with data sets of at most n points: no n at all, against a finite upper rate."""
    m, scope = arb(), "SC from above, as defined"
    at = {"d": "1", "epsilon": "1", "delta": "0.01", "n": "8", "alpha": "0.001", **CONSTANTS}
    v = {"G_C": m.sqrt(2 / m.pi), **{name: m.real(value) for name, value in at.items()}}
    least = m.sqrt(2 * (1 - v["delta"]) / (m.exp(v["epsilon"]) + 1)) * v["C_norm"]
    if admits(claim, m, v) and m.gt(least, v["alpha"]) is True:
        yield refuted(
            scope,
            f"error at most {at['alpha']} from an n of order {ends(apply(claim.formulas['upper_rate'], m, v))[1]} on",
            least,
            {"C": "[-1, 1]", **{k: at[k] for k in ("d", "epsilon", "delta", "alpha", "c")}},
            method="largest root mean squared error of every private A on data sets of one point, against alpha: no n is "
            "enough",
            severity=Severity.MISPRINT,
            survives=EXACTLY_N,
            adjacency=claim.adjacency,
            release=claim.releases,
            lemmas=(LONE,),
            reason="Whatever c is: the bound does not depend on alpha, which may be as small as the condition asks.",
        )
    else:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="alpha is not below the error on one point")
    yield from (replace(finding, reading=Reading.MEANT) for finding in samples_upper(claim))


BALLS = (form(alpha=-1), form(epsilon=-1), form(d=1, G_C="1/2", Lambda=1), form(Lambda=1, d=1, G_C="1/2", alpha=-1))


def samples_upper(claim: Claim) -> Iterator[Finding]:
    """The least number of records from above: the proved order within the rate, or the lower bound on balls beyond it."""
    rate, scope = order_of(claim, formula(claim, "upper_rate")), "n from above"
    root = sympy.sqrt(LAMBDA) / (S["alpha"] * S["epsilon"])
    known = 1 / sympy.Max(1 / (S["G_C"] * root / S["alpha"]), 1 / (sympy.sqrt(S["d"]) * root))
    below = sympy.sqrt(S["d"] / sympy.Max(1 / S["d"], 1 / LAMBDA)) / (S["alpha"] * S["epsilon"])
    bad = next((v for v in BALLS if exponent(below, v) > exponent(rate, v)), None)
    if bad is not None:
        yield refuted(
            scope,
            f"a rate of t^{exponent(rate, bad)}",
            (f"t^{exponent(below, bad)}",) * 2,
            {name: f"t^{power}" for name, power in bad.items()},
            method="C the unit ball: the proved lower bound over the rate grows without end along the path",
            severity=Severity.RATE,
            survives="The Gaussian mean, projected: 6 times the printed rate is enough.",
            rung=Rung.EXACT,
            adjacency=claim.adjacency,
            lemmas=(*GROUPS, SQUARED),
        )
        return
    domain = (form(d=1), form(alpha=-1), form(epsilon=-1), form(Lambda=1), form(d="1/2", G_C=-1))
    holds = grows(known, rate, domain) is None
    given = (epsilon_at_most_half, delta_is_small, body_in_unit_ball, alpha_is_below_radius)
    method = "exact: six times the printed rate, by exponents"
    yield replace(proved(scope, holds, method, lemmas=(GAUSSIAN, WIDTHS), given=given), adjacency=claim.adjacency)


def lower_below_upper(claim: Claim) -> Iterator[Finding]:
    """The two rates: from G_C <= sqrt(d), and C_min sqrt(d) <= 1.26 G_C."""
    low, high = (order_of(claim, formula(claim, name)) for name in ("lower_rate", "upper_rate"))
    small = claim.tests & {alpha_is_small, alpha_is_below_radius}
    cap = form(alpha=-1) if alpha_is_below_radius in small else form(G_C=1, d="-1/2", ell=-2, alpha=-1)
    domain = (form(d=1), form(ell=1), form(d="1/2", G_C=-1), form(G_C=1, d="-1/2", C_min=-1), form(C_min=-1), cap)
    direction = grows(low, high, domain, ("c",))
    holds = direction is None and bool(small)
    method = "exact: by exponents, ln(2d) >= ln 2"
    yield proved("lower_rate against upper_rate", holds, method, lemmas=(WIDTHS,), given=(body_in_unit_ball, *small))


HALF, QUARTER = sympy.Rational(1, 2), sympy.Rational(1, 4)
MODULUS = "strongly convex in |.|_C with the modulus strong_convexity"
LIPSCHITZ = "1-Lipschitz in the l2 norm for theta and x in C"
READ: Table = {
    Relation("E[population loss of theta_priv] - least population loss on C", ">=Omega", "rate"): population,
    Relation("E[empirical loss of A(D)] - least empirical loss on C", ">=Omega", "rate"): empirical,
    Relation("|theta - x|_2^2 / 2", "is", LIPSCHITZ): partial(slope, HALF),
    Relation("|theta - x|_2^2 / 4", "is", LIPSCHITZ): partial(slope, QUARTER),
    Relation("|theta - x|_2^2 / 2", "is", "C_min^2-strongly convex in |.|_C"): partial(modulus, HALF),
    Relation("|theta - x|_2^2 / 4", "is", MODULUS): partial(modulus, QUARTER),
    Relation("SC(C, alpha)", ">=Omega", "lower_rate"): partial(samples_lower, True),
    Relation("SC(C, alpha)", "<=O", "upper_rate"): samples_defined,
    Relation("n of every A with error at most alpha", ">=Omega", "lower_rate"): partial(samples_lower, False),
    Relation("least n from which on some A has error at most alpha", "<=O", "upper_rate"): samples_upper,
    Relation("lower_rate", "<=O", "upper_rate"): lower_below_upper,
}
READER: Any = reading(READ)
JUDGES = dict.fromkeys(("lp/thm-5-amended", "lp/thm-11-amended", "lp/lem-9-amended"), READER)
MUTANTS = {
    "lp/thm-5-amended": mutants.of_population,
    "lp/thm-11-amended": mutants.of_empirical,
    "lp/lem-9-amended": mutants.of_samples,
}
