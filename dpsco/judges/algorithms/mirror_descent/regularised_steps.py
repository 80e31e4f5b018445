"""Judge of the links for regularised mirror descent: the contraction of a step, the weighted average of what it leaves."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.algorithms.mirror_descent import one_step as step
from dpsco.arguments.algorithms.mirror_descent import overshoot
from dpsco.arguments.algorithms.mirror_descent.geometric import BETA as SMOOTH
from dpsco.arguments.algorithms.mirror_descent.geometric import CONVEX, RANGE, WHOLE, T, U, Y, closed, known
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.cells import sign
from dpsco.arguments.comparing import Formula, certified, compared, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import exponent, form, grows
from dpsco.instances.grid import Grid, grid
from dpsco.mutants.algorithms.mirror_descent import regularised_steps as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.mirror_descent.regularised_steps import (
    ONE_STEP,
    alpha_at_most_beta,
    many_steps,
    potential_is_strongly_convex,
    start_dominates,
)
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

AXES = {
    "alpha": ("0.000001", "0.02", "0.3", "1", "2", "4", "5"),
    "beta": ("2",),
    "T": ("1", "2", "3", "4", "14", "300"),
    "divergence": ("0", "3"),
    "g_squared": ("0", "7"),
    "distance": ("2",),
    "step_divergence": ("2",),
}
CONCAVE = Lemma(
    "concave from zero", "A concave function on [0, 1] that is 0 at 0 and at least 0 at 1 lies above its chord, so it is >= 0."
)
BERNOULLI = Lemma("Bernoulli", "(1 + y)^T >= 1 + y T >= 2 for an integer T >= 1/y = 2 beta/alpha.")
FROM_13 = Lemma(
    "weighted sum of display (13)",
    "f = mean loss + alpha Phi is (alpha + beta)-smooth and alpha-strongly convex relative to a 1-strongly convex Phi "
    "(lp/lem-11). With the three-point property and <g, v> <= |g|_*^2/alpha + alpha |v|^2/4: E f(w_{t+1}) - f(w*_alpha) <= "
    "beta D_t - (beta + alpha/2) D_{t+1} + g^2/alpha. With weights r^t the sum telescopes to beta r D_1, r = (2 beta + "
    "alpha)/(2 beta); divided by the sum of the weights, and with convexity: E f(w_hat) - f(w*_alpha) <= alpha D_1/(2 (r^T - "
    "1)) + g^2/alpha.",
)


def instances(claim: Claim) -> Grid:
    """Hard values of the claim's own parameters."""
    names = {p.name for p in claim.parameters}
    return grid(claim, {name: values for name, values in AXES.items() if name in names})


def side_by_side(
    claim: Claim,
    left: str,
    right: str,
    *,
    sign_: str = "<=",
    where: Mapping[Any, Any] = RANGE,
    given: Sequence[Callable[..., Truth]] = (alpha_at_most_beta,),
    lemmas: tuple[Lemma, ...] = (),
    right_formula: Formula | None = None,
) -> Iterator[Finding]:
    """Two formulas of alpha, beta and T, as rational expressions on the range."""
    other = claim.formulas[right] if right_formula is None else right_formula
    high = other(symbolic()) if right_formula else closed(claim, right)
    seen = known(closed(claim, left), high, where) if {*given} <= claim.tests else None
    yield compared(
        f"{left} {sign_} {right}, every alpha, beta and T of the claim",
        claim.formulas[left],
        sign_,
        other,
        known=seen,
        instances=tuple(instances(claim)),
        method="closed forms of the geometric sums; all coefficients of the difference have one sign",
        severity=Severity.CONSTANT,
        survives="The steps as printed.",
        lemmas=lemmas,
        given=given,
    )


def start_is_bounded(claim: Claim) -> Iterator[Finding]:
    """alpha D/(2 (r^T - 1)) with r^T at least 2."""
    where = {**RANGE, U: 2 + sympy.Symbol("u", positive=True)}
    boundary = {**RANGE, U: sympy.Integer(2)}
    low, high = closed(claim, "start_closed"), closed(claim, "start_bound")
    (found,) = side_by_side(claim, "start_closed", "start_bound", where=where, given=(alpha_at_most_beta, many_steps))
    at_two = known(low, high, boundary)
    if found.verdict is Verdict.CERTIFIED and at_two not in ("<", "<=", "="):
        found = Finding(scope=found.scope, verdict=Verdict.OPEN, reason="not decided at r^T = 2")
    yield replace(found, lemmas=(BERNOULLI,)) if found.verdict is Verdict.CERTIFIED else found


def contraction(claim: Claim) -> Iterator[Finding]:
    """(1 + y)^(-T) against 2^(-y T): logarithms over T, concave in y."""
    values = {"alpha": 2 * Y * SMOOTH, "beta": SMOOTH, "T": T}
    left, right = (apply(claim.formulas[name], symbolic(), values) for name in ("left", "right"))
    gap = sympy.simplify(sympy.expand_log(sympy.log(right) - sympy.log(left), force=True) / T)
    bend = sympy.simplify(sympy.diff(gap, Y, 2))
    holds = start_dominates in claim.tests and not gap.has(T, SMOOTH) and sympy.simplify(gap.subs(Y, 0)) == 0
    holds = holds and sign(bend) in ("<", "<=", "=") and bool(sympy.simplify(gap.subs(Y, 1)) >= 0)
    yield compared(
        "the contraction over T steps, alpha <= 2 beta",
        claim.formulas["left"],
        "<=",
        claim.formulas["right"],
        known="<=" if holds else None,
        instances=tuple(instances(claim)),
        method="logarithms over T: concave in alpha/(2 beta), 0 at 0 and at least 0 at 1",
        severity=Severity.DOMAIN,
        survives="It holds for alpha <= 2 beta, with equality at alpha = 2 beta.",
        lemmas=(CONCAVE,),
        given=(start_dominates,),
    )


def one_step(claim: Claim) -> Iterator[Finding]:
    """The factor at the choice of Young's constant."""

    def chosen(m: Numbers, alpha: Real, beta: Real) -> Real:
        return apply(claim.formulas["one_step_factor"], m, {"alpha": alpha, "beta": beta, "a": 1 / alpha})

    low, high = closed(claim, "one_step_factor", a=1 / (2 * Y * SMOOTH)), closed(claim, "one_step_factor_at_choice")
    yield compared(
        "the factor of one step at a = 1/alpha",
        chosen,
        "<=",
        claim.formulas["one_step_factor_at_choice"],
        known=known(low, high, {}),
        instances=tuple(instances(claim)),
        method="computer algebra",
        severity=Severity.CONSTANT,
        survives="beta/(alpha + beta - 1/(2a)) at a = 1/alpha is 1/(1 + alpha/(2 beta)).",
    )


def noise_adds_up(claim: Claim) -> Iterator[Finding]:
    """The contracted noise of all steps: its limit in T over the rate, on alpha <= 2 beta."""
    scope = "the noise of all steps, every T and alpha <= 2 beta"
    total, rate = closed(claim, "accumulated_noise"), closed(claim, "accumulated_noise_rate")
    if total is None or rate is None:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="the noise is no geometric sum")
        return
    quotient = sympy.cancel(sympy.together(total / rate))
    most = sympy.cancel(sympy.limit(quotient, U, sympy.oo))  # U = (1 + y)^T; the sum grows with T
    rising = sign(sympy.cancel(sympy.diff(quotient, U).subs(U, 1 + sympy.Symbol("u", positive=True)))) in (">", ">=", "=")
    at_half = sympy.cancel(quotient.subs(U, 2))  # T >= 1/y makes U at least 2
    constant = next(
        (k for k in step.CONSTANTS if most.is_finite is not False and known(most, k, WHOLE) in ("<", "<=", "=")), None
    )
    if rising and constant is not None:
        yield certified(
            scope, f"closed form, rising in T: the sum over the rate is at most {most} <= {constant}", given=(start_dominates,)
        )
    elif rising and sympy.limit(at_half.subs(SMOOTH, 1), Y, 0) == sympy.oo:
        yield refuted(
            scope,
            "bounded",
            "inf",
            {"path": "alpha -> 0, T = 2 beta/alpha"},
            method=f"beta = 1, alpha = 2 y, T >= 1/y: the sum over the rate is at least {at_half.subs(SMOOTH, 1)}, y -> 0",
            severity=Severity.RATE,
            survives="The sum is at most 4 g^2/alpha^2.",
            rung=Rung.EXACT,
            lemmas=(BERNOULLI,),
        )
    else:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="neither bounded by the rate nor seen to leave it")


def excess(claim: Claim) -> Iterator[Finding]:
    """The excess of the average: proved for strongly convex potentials, contradicted where the potential is the printed one."""
    scope = "(14): the excess of the weighted average"
    convex = potential_is_strongly_convex in claim.tests
    alpha, divergence, noise = sympy.symbols("alpha divergence g_squared", positive=True)
    values = {"alpha": alpha, "divergence": divergence, "g_squared": noise, "beta": SMOOTH, "T": T}
    rate = apply(claim.formulas["excess_rate"], symbolic(), values)
    if not convex and (found := _overshoots(claim, scope)):
        yield found
        return
    away = grows(alpha * divergence / 2 + noise / alpha, rate, [form(beta=1, alpha=-1), form(T=1, alpha=1, beta=-1)], ())
    if away is None and convex:
        yield certified(
            f"{scope}, every 1-strongly convex Phi",
            "alpha D/2 + g^2/alpha, which is proved, is a multiple of the rate at most, by its exponents",
            FROM_13,
            BERNOULLI,
            reason="With the printed Phi it is false: p = 3/2, d = 1e12, T = 2, alpha = beta, no noise, 254.75 for O(1e-4).",
            given=(alpha_at_most_beta, many_steps, potential_is_strongly_convex),
        )
        return
    yield Finding(
        scope=scope, verdict=Verdict.OPEN, reason="the proved bound is no multiple of the rate, and it is not reached"
    )


def _overshoots(claim: Claim, scope: str) -> Finding | None:
    """The printed potential at p = 3/2: enclosed at one dimension, with a quotient that diverges as the dimension grows."""
    m, at = arb(192), {"L": "1", "beta": "1", "alpha": "1", "T": "2", "g_squared": "0", "d": "1e12"}
    v = {name: m.real(value) for name, value in at.items()}
    v["divergence"] = overshoot.start(m, v)
    reached, claimed = overshoot.after_two_steps(m, v), apply(claim.formulas["excess_rate"], m, v)
    small = {"alpha": sympy.Integer(1), "beta": sympy.Integer(1), "T": sympy.Integer(2), "g_squared": sympy.Integer(0)}
    start = sympy.Symbol("divergence", positive=True)
    rate = apply(claim.formulas["excess_rate"], symbolic(), {**small, "divergence": start})
    if rate != 0 and exponent(rate, form(divergence=-1)) >= 1:
        return None
    return refuted(
        f"{scope}, with the printed Phi",
        f"bounded multiple of {ends(claimed)[1]}",
        reached,
        {**at, "p": overshoot.P, "kappa": overshoot.KAPPA},
        method="no noise, T = 2, alpha = beta, K = d^(1/3): by exponents the excess, >= K/40 - 2, leaves all multiples of the "
        "rate at D <= 1/K",
        severity=Severity.CONCLUSION,
        survives=step.SURVIVES,
        rung=Rung.EXACT,
        lemmas=(overshoot.ALONG, overshoot.TWO_STEPS),
    )


def four(m: Numbers) -> Real:
    return m.real(4)


READ: Table = {
    ONE_STEP: step.divergence,
    Relation("one_step_noise at a = 1/alpha", "<=O", "one_step_noise_rate"): step.noise,
    Relation("left", "<=", "right"): contraction,
    Relation("one_step_factor at a = 1/alpha", "<=", "one_step_factor_at_choice"): one_step,
    Relation("accumulated_noise", "<=O", "accumulated_noise_rate"): noise_adds_up,
    Relation("start_sum", "=", "start_closed"): partial(side_by_side, left="start_sum", right="start_closed", sign_="="),
    Relation("start_closed", "<=", "start_bound"): start_is_bounded,
    Relation("excess", "<=O", "excess_rate"): excess,
    Relation("decayed_sum", "=", "decayed_closed"): partial(
        side_by_side, left="decayed_sum", right="decayed_closed", sign_="="
    ),
    Relation("middle_factor", "<=", "middle_factor_bound"): partial(
        side_by_side, left="middle_factor", right="middle_factor_bound", lemmas=(CONVEX,)
    ),
    Relation("middle_factor_bound", "<=", "4"): partial(
        side_by_side, left="middle_factor_bound", right="4", right_formula=four
    ),
    Relation("last_factor", "<=", "last_factor_bound"): partial(side_by_side, left="last_factor", right="last_factor_bound"),
    Relation("decayed_sum", "<=", "decayed_bound"): partial(
        side_by_side, left="decayed_sum", right="decayed_bound", lemmas=(CONVEX,)
    ),
}

JUDGES = dict.fromkeys(("lp/thm-7-contraction", "lp/thm-7-average"), reading(READ))

MUTANTS = {"lp/thm-7-contraction": mutants.of_contraction, "lp/thm-7-average": mutants.of_average}
