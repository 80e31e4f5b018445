"""Judges of exponential descent's stability: one step of two runs without the replaced record, and whole runs."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.algorithms.descent import averaged_descent, equal_draws, rotated_descent
from dpsco.arguments.algorithms.descent.rotated_descent import factor, growth, reduced
from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.polynomial_slack import Given, Side, Value, bounded, identical, named, nonnegative, quantities
from dpsco.instances.grid import grid
from dpsco.mutants.algorithms.exponential_descent import stability as mutants
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.reference.privacy.randomised_response import half_sphere_mean
from dpsco.spec.algorithms.exponential_descent import stability as spec
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.conditions import features_are_bounded, gradients_are_bounded
from dpsco.spec.losses.spo.smoothing import decision_bounded
from dpsco.spec.numbers import Numbers, Real, names_of
from dpsco.verdict import PROOF_STEP, Finding, Severity

SURVIVES = (
    "With eta <= 2 q mu, q the length of the mean direction, the expected distance does not grow; the two links that "
    "co-coercivity gives hold as printed."
)
RUNS = (
    "With eta <= q mu/(2 B_x^2), q the length of the mean direction, all three bounds hold, the first with t - 1 for t, the "
    "last with T - 1 for T + 1."
)
SPACE = {"n": ("2", "1000"), "epsilon": ("0.1", "1", "3", "100"), "mu": ("1",), "d": ("1", "3", "100")}
ETAS = ("0.0001", "0.1", "0.45", "1.7", "4", "8", "1000")
TRIPLES = (
    {"drift": "1", "gradient_drift": "1", "correlation": "1"},
    {"drift": "2", "gradient_drift": "1", "correlation": "2"},
    {"drift": "3", "gradient_drift": "10", "correlation": "30"},
    {"drift": "3", "gradient_drift": "1", "correlation": "1.5"},
    {"drift": "1", "gradient_drift": "0", "correlation": "0"},
)
LIMITS: Mapping[Callable[..., Any], Callable[..., Any]] = {
    spec.step_admitted: spec.largest_step,
    spec.rotated_step_admitted: spec.largest_rotated_step,
}
SQUEEZE, ROOM = sympy.Symbol("squeeze", nonnegative=True), sympy.Symbol("room", nonnegative=True)


def triples(claim: Claim) -> Any:
    """Admitted instances of one step."""
    names = {p.name for p in claim.parameters}
    return grid(claim, {k: v for k, v in {**SPACE, "eta": ETAS}.items() if k in names}, TRIPLES)


def in_space(m: Numbers, v: Mapping[str, Real]) -> Real:
    """q in the dimension of the instance, d = 3 where there is none: the one in which the paper's factor is right."""
    return factor(m, {"d": m.real(3), **v})


def admitted_step(claim: Claim) -> tuple[Given, dict[str, Any]]:
    """The precondition on the step length, and eta as what it leaves: the longest step over 1 + SQUEEZE."""
    for test, largest in LIMITS.items():
        if test in claim.tests:
            names = quantities(claim)
            taken = {key: names[key] for key in ("epsilon", "d", "mu") if key in names and key in names_of(largest)}
            return (test,), {"eta": largest(symbolic(), **taken) / (1 + SQUEEZE)}
    return (), {}


def cocoercive(claim: Claim) -> tuple[Given, dict[str, Any]]:
    """The precondition of co-coercivity, and the correlation as what it leaves."""
    names = quantities(claim)
    if spec.cocoercive not in claim.tests:
        return (), {}
    return (spec.cocoercive,), {"correlation": names["mu"] * names["gradient_drift"] ** 2 + ROOM}


def square(claim: Claim) -> Iterator[Finding]:
    """The expected square of the distance."""
    yield identical(
        claim,
        "expected squared distance after the step, one rotation for both sides",
        lambda m, v: rotated_descent.squared_drift(m, v, in_space(m, v)),
        named(claim, "squared_drift_after"),
        triples(claim),
        severity=Severity.CONSTANT,
        survives=SURVIVES,
        lemmas=(rotated_descent.TURNED, rotated_descent.PLANE),
        decisive={"n": "2", "epsilon": "1", "mu": "1", "eta": "8", "drift": "1"},
    )


def link(left: str, right: str, claim: Claim) -> Iterator[Finding]:
    """Two displayed squares."""
    low, high = named(claim, left), named(claim, right)
    (first, room), (second, short) = cocoercive(claim), admitted_step(claim)
    by_room = nonnegative(claim, reduced(claim, lambda m, v: high(m, v) - low(m, v), **room))
    by_step = not by_room and nonnegative(claim, reduced(claim, lambda m, v: high(m, v) - low(m, v), **short))
    yield bounded(
        Side(
            scope=f"{left} <= {right}",
            claimed=high,
            reached=low,
            holds=by_room or by_step,
            method="the difference has nonnegative coefficients in what the precondition leaves",
            instances=triples(claim),
            severity=PROOF_STEP,
            survives=SURVIVES,
            lemmas=(rotated_descent.LENGTH,),
            given=first if by_room else second,
        )
    )


def apart(m: Numbers, v: Mapping[str, Real]) -> Real:
    """Reached: mean distance after the step, exact for parallel differences at d = 3, else what it surely is at least."""
    u, b = v["drift"], v["eta"] * (v["n"] - 1) / v["n"] * v["gradient_drift"]
    surely = m.max(b - u, m.real(0))
    if m.eq(v["correlation"], u * v["gradient_drift"]) is not True or m.eq(v.get("d", m.real(3)), 3) is not True:
        return surely
    if m.gt(b, 0) is not True:
        return u
    f, middle = m.exp(v["epsilon"]) / (m.exp(v["epsilon"]) + 1), m.sqrt(u**2 + b**2) ** 3
    return m.max(surely, (f * (middle - m.abs(u - b) ** 3) + (1 - f) * ((u + b) ** 3 - middle)) / (3 * u * b))


def distance(claim: Claim) -> Iterator[Finding]:
    """The expected distance; for the printed claim also with the same random numbers in the place of one rotation."""
    (first, room), (second, short) = cocoercive(claim), admitted_step(claim)

    def gained(m: Numbers, v: Mapping[str, Real]) -> Real:
        return v["drift"] ** 2 - rotated_descent.squared_drift(m, v, in_space(m, v))

    yield bounded(
        Side(
            scope="expected distance after the step, one rotation for both sides",
            claimed=lambda m, v: v["drift"],
            reached=apart,
            holds=bool(first and second and "d" in claim_names(claim))
            and nonnegative(claim, reduced(claim, gained, **room, **short)),
            method="the expected square is at most drift^2: the difference has nonnegative coefficients",
            instances=triples(claim),
            severity=Severity.DOMAIN,
            survives=SURVIVES,
            lemmas=(rotated_descent.TURNED, rotated_descent.LENGTH, rotated_descent.MEAN_STEP),
            given=(*first, *second),
            family=(rotated_descent.PARALLEL, rotated_descent.PLANE),
            decisive={"n": "2", "epsilon": "1", "mu": "1", "eta": "8", "drift": "1"},
        )
    )
    if claim.amends is None:
        yield equal_draws.parted(claim)


def claim_names(claim: Claim) -> set[str]:
    return {p.name for p in claim.parameters}


STEP: Table = {
    Relation("expected squared distance after the step", "=", "squared_drift_after"): square,
    Relation("squared_drift_after", "<=", "squared_drift_cocoercive"): partial(
        link, "squared_drift_after", "squared_drift_cocoercive"
    ),
    Relation("squared_drift_cocoercive", "<=", "squared_drift_before"): partial(
        link, "squared_drift_cocoercive", "squared_drift_before"
    ),
    Relation("expected distance after the step", "<=", "drift"): distance,
}

RUN_AXES = {
    "n": ("1", "2", "2000"),
    "T": ("1", "3", "1000"),
    "t": ("1", "2", "3", "1000"),
    "epsilon": ("0.05", "1", "100"),
    "eta": ("0.01", "0.1", "150"),
    "d": ("1", "9"),
}
RUN_SETS = (
    {"L": "1", "B_w": "0.5", "mu": "1", "B_x": "0.5"},
    {"L": "4", "B_w": "1", "mu": "0.5", "B_x": "1"},
    {"L": "2", "B_w": "1", "mu": "0.001", "B_x": "0.5"},
)


def runs(claim: Claim) -> Any:
    """Admitted instances of whole runs."""
    names = claim_names(claim)
    fixed = [{k: v for k, v in row.items() if k in names} for row in RUN_SETS]
    return grid(claim, {k: v for k, v in RUN_AXES.items() if k in names}, fixed)


def iterates(m: Numbers, v: Mapping[str, Real]) -> Real:
    """Reached by E|B_t - B_t'|."""
    unit, t = 2 * v["L"] * v["eta"] / v["n"], v["t"]
    if m.eq(t, 3) is True and m.gt(growth(m, v), 4) is True:
        return unit * (growth(m, v) - 2)
    return unit * (t - 1) * (1 if m.le(t, 2) is True else factor(m, v))


def one_step(m: Numbers, v: Mapping[str, Real]) -> Real:
    """Reached by what one step adds."""
    return 2 * v["L"] * v["eta"] / v["n"] * m.max(m.real(1), growth(m, v) - 3)


def losses(m: Numbers, v: Mapping[str, Real]) -> Real:
    """Reached by E|loss(B) - loss(B')|."""
    unit, beta = v["L"] ** 2 * v["eta"] / v["n"], growth(m, v)
    if (
        m.eq(v["T"], 3) is True
        and m.gt(beta, 4) is True
        and m.ge(v["B_w"], v["L"] / (4 * rotated_descent.features(m, v))) is True
    ):
        return unit * (half_sphere_mean(m, v.get("d", m.real(2))) * (beta - 1) - 2) * 2 / 3
    return unit * (v["T"] - 1) * factor(m, v)


PROVED: Mapping[str, tuple[str, Value, Value]] = {
    "iterate_drift": (
        "distance of the t-th iterates",
        iterates,
        lambda m, v: averaged_descent.distance(m, v["L"], v["eta"], v["t"], v["n"]),
    ),
    "step_drift": ("growth of the distance in one step", one_step, lambda m, v: 2 * v["L"] * v["eta"] / v["n"]),
    "loss_stability": (
        "change of the plain loss at the averages",
        losses,
        lambda m, v: averaged_descent.gap(m, v["L"], v["eta"], v["T"], v["n"]) + v["mu"] * v["B_w"] ** 2 / 2,
    ),
}


def parted(name: str, claim: Claim) -> Iterator[Finding]:
    """A bound on how far runs part, against what is reached and what is proved."""
    scope, reach, true = PROVED[name]
    claimed = named(claim, name)
    given: Given = (spec.smooth_step_admitted, gradients_are_bounded, features_are_bounded)
    given = (*given, decision_bounded) if name == "loss_stability" else given
    yield bounded(
        Side(
            scope=scope,
            claimed=claimed,
            reached=reach,
            holds={*given} <= claim.tests and nonnegative(claim, reduced(claim, lambda m, v: claimed(m, v) - true(m, v))),
            method="the bound less the proved one has nonnegative coefficients",
            instances=runs(claim),
            severity=Severity.DOMAIN,
            survives=RUNS,
            lemmas=(rotated_descent.TURNED, rotated_descent.LENGTH, rotated_descent.MEAN_STEP, rotated_descent.PARTED),
            given=given,
            family=(rotated_descent.APART, rotated_descent.FAR, rotated_descent.LOST),
            decisive={"T": "3", "t": "3", "epsilon": "0.05", "n": "2000", "eta": "150", "mu": "1"},
        )
    )


RUN: Table = {
    Relation("E|B_t - B_t'|", "<=", "iterate_drift"): partial(parted, "iterate_drift"),
    Relation("E|B_{t+1} - B_{t+1}'|", "<=", "|B_t - B_t'| + step_drift"): partial(parted, "step_drift"),
    Relation("E|loss(B) - loss(B')|", "<=", "loss_stability"): partial(parted, "loss_stability"),
}

JUDGES = {
    **dict.fromkeys(("spo/lem-6", "spo/lem-6-amended"), partial(by_assertion, table=STEP)),
    **dict.fromkeys(("spo/thm-4-stability", "spo/thm-4-stability-amended"), partial(by_assertion, table=RUN)),
}

MUTANTS = {"spo/lem-6-amended": mutants.of_step, "spo/thm-4-stability-amended": mutants.of_runs}
