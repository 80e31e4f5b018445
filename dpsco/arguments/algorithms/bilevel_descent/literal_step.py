"""The text of Algorithm 1 against the literal algorithm: one step, and the query as a gradient by implicit differentiation."""

from collections.abc import Iterator
from typing import Any

import sympy

from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.losses.bilevel.gradient_bounds import IMPLICIT
from dpsco.instances.grid import grid
from dpsco.reference.algorithms.bilevel_descent.algorithm import descend
from dpsco.reference.losses.bilevel.problem import Problem
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Reading, Rung, Severity, Verdict

STEPS = {"x_t": ("-2", "0.3"), "eta": ("0.25", "3"), "gradient": ("-1.5", "0", "7"), "noise": ("-1", "0.125")}
QUERIES = {"F_x": ("-1", "2"), "F_y": ("0", "3"), "G_xy": ("-0.5", "4"), "G_yy": ("0.25", "5")}


def constant_slope(m: Numbers, g: Real) -> Problem:
    """f = g x, G = y^2/2: the query is g everywhere."""
    one, none = m.real(1), m.real(0)
    return Problem(
        d_x=1,
        d_y=1,
        upper=lambda m, x, y: g * x[0],
        upper_x=lambda m, x, y: [g],
        upper_y=lambda m, x, y: [none],
        lower=lambda m, x, y: y[0] ** 2 / 2,
        lower_y=lambda m, x, y: [y[0]],
        lower_yy=lambda m, x, y: [[one]],
        lower_xy=lambda m, x, y: [[none]],
    )


def one_step(claim: Claim) -> Iterator[Finding]:
    """The printed step against the literal algorithm's, enclosed and as an expression; then the query."""
    tried, m = grid(claim, STEPS), arb()
    common: dict[str, Any] = {"scope": "x_{t+1} for every x_t, step length, query and noise", "coverage": tried.coverage}
    wrong = None
    for at in tried:
        v = {name: m.real(value) for name, value in at.items()}
        problem = constant_slope(m, v["gradient"])
        moved = descend(m, problem, [v["x_t"]], lambda t, x: [m.real(0)], v["eta"], [[v["noise"]]])[1][0]
        printed = apply(claim.formulas["next_iterate"], m, v)
        if m.eq(moved, printed) is False and wrong is None:
            wrong = at, printed, moved
    x, eta, g, u = sympy.symbols("x_t eta gradient noise", real=True)
    values = {"x_t": x, "eta": eta, "gradient": g, "noise": u}
    rest = sympy.expand(apply(claim.formulas["next_iterate"], symbolic(), values) - (x - eta * (g + u)))
    if wrong is not None:
        yield _refuted(common, wrong, "x_{t+1} = x_t - eta (query + noise).")
    elif rest == 0:
        reason = (
            "It is what the algorithm does, x_t - eta (query + noise) by computer algebra, as the literal implementation "
            "does; that the lower solver meets alpha with certainty is asked of it, not asserted."
        )
        yield Finding(**common, verdict=Verdict.STATED, reason=reason)
    else:
        yield Finding(**common, verdict=Verdict.OPEN, reason="no contradiction, and not the step as an expression")
    yield from _query(claim)


def _query(claim: Claim) -> Iterator[Finding]:
    """F_x + Dy^T F_y with G_yx + G_yy Dy = 0 over symbols that do not commute, so for d_x and d_y arbitrary."""
    tried, m = grid(claim, QUERIES), arb()
    common: dict[str, Any] = {
        "scope": "the query at the lower minimiser is the gradient of Phi_Z, d_x and d_y arbitrary",
        "coverage": tried.coverage,
        "lemmas": (IMPLICIT,),
    }
    v = {name: sympy.Symbol(name, commutative=False) for name in QUERIES}
    true = v["F_x"] - v["G_xy"] * v["G_yy"] ** -1 * v["F_y"]
    if sympy.expand(apply(claim.formulas["query"], symbolic(), v) - true) == 0:
        yield Finding(
            **common,
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method="the printed query over symbols that do not commute is F_x - G_xy G_yy^{-1} F_y",
            reading=Reading.MEANT,
            reason="Not asserted by the algorithm's text; f and g as in Assumptions 2.1 and 2.2, the lower minimum over "
            "R^{d_y}.",
        )
        return
    for at in tried:
        n = {name: m.real(value) for name, value in at.items()}
        printed, exact = apply(claim.formulas["query"], m, n), n["F_x"] - n["G_xy"] / n["G_yy"] * n["F_y"]
        if m.eq(printed, exact) is False:
            yield _refuted(common, (at, printed, exact), "F_x - G_xy F_y/G_yy.")
            return
    yield Finding(**common, verdict=Verdict.OPEN, reason="no contradiction, and not that derivative as an expression")


def _refuted(common: dict[str, Any], wrong: tuple[Any, Real, Real], survives: str) -> Finding:
    at, printed, exact = wrong
    return refuted(
        **common,
        claimed=printed,
        computed=exact,
        at=at,
        method="both sides enclosed",
        severity=Severity.MISPRINT,
        survives=survives,
    )
