"""Judges of the steps to exponential descent's risk: steps (c) to (e), the balance of the regret, the projection, Lemma 8."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.algorithms.descent import averaged_descent, rotated_descent
from dpsco.arguments.algorithms.descent.rotated_descent import factor, reduced
from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.comparing import admitted, certified, refuted
from dpsco.arguments.polynomial_slack import Side, bounded, identical, named, nonnegative, quantities
from dpsco.instances.grid import Grid, grid
from dpsco.mutants.algorithms.exponential_descent import utility_steps as mutants
from dpsco.reference.algorithms.exponential_descent.algorithm import applied, iterates
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.exponential_descent.utility_steps import balanced, on_a_line
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

CHAIN = (
    "The chain with 1/q for 1/(2 h) in (c) to (e), q the length of the mean direction, and with the smoothing charged in full: "
    "spo/thm-4-c-amended."
)
AXES = {
    "T": ("1", "4", "1000000"),
    "epsilon": ("0.001", "1", "100"),
    "d": ("1", "3", "1000000"),
    "eta": ("0.000001", "0.25", "1"),
    "mu": ("0.000001", "1"),
    "L": ("4", "1"),
    "B_w": ("1",),
    "minimiser_norm": ("1", "0"),
    "inner_products": ("1", "-3"),
}
REMAINDER = Lemma(
    "what the telescope leaves",
    "|w_{t+1} - w*|^2 = |w_t - w*|^2 - 2 eta <w_t - w*, v_t> + eta^2 |v_t|^2 for every vector v_t, however chosen. Summed "
    "over t = 1..T with w_1 = 0: the right side less the left one is |w_{T+1} - w*|^2/(2 eta). Both sides add up over "
    "coordinates and over t, so that one more step adds the same to both in every T.",
)
NEAREST = Lemma(
    "convex on a line",
    "The set is an interval about 0 and holds a minimiser B*. A point outside is projected to an end of it, which lies between "
    "the point and B*: a convex function is there at most the larger of its values at both, that at the point.",
)
OUTSIDE = Lemma(
    "losses that are flat far out",
    "S = [-1, 1]^d, w* = -1 for c > 0: a coordinate with c_j > 0 has the loss max(0, 2 c_j - 4 (Bhat x)_j), the record's loss "
    "is their sum, 0 where all (Bhat x)_j >= c_j/2. For a law of one record that set reaches far out of the ball, and the "
    "segment from 0 to a point of it meets the ball outside it.",
)
ALL_ANGLES = Lemma(
    "one step in the plane",
    "d = 1, p = 2, x = (0, 1), c = 1 >= mu, T = 2: |g| = 4, and the average lies on the circle of radius R = 2 eta, its angle "
    "uniform on the upper half with probability f, on the lower otherwise. Its loss is at most 2 for a share of at most 1/(2 "
    "R) of the upper half, else 0 there, and 2 + 8 R/pi in mean below; projected to radius 1/2 it is 2 - 4/pi in mean above "
    "and 2 + 4/pi below.",
)


def instances(claim: Claim) -> Grid:
    names = {p.name for p in claim.parameters}
    return grid(claim, {name: values for name, values in AXES.items() if name in names})


def drawn(claim: Claim) -> Iterator[Finding]:
    """Step (c)."""
    yield identical(
        claim,
        "step (c): inner products of gradients against those of draws",
        named(claim, "average_of_gradients"),
        named(claim, "average_of_draws"),
        instances(claim),
        severity=Severity.CONSTANT,
        survives=CHAIN,
        lemmas=(rotated_descent.TURNED,),
    )


def displayed(claim: Claim) -> Iterator[Finding]:
    """Line (e) as a bound on what the chain began with, and against the display after it."""
    line, last = named(claim, "after_step_d"), named(claim, "last_display")

    def true(m: Numbers, v: Mapping[str, Real]) -> Real:
        return rotated_descent.regret(m, v, factor(m, v)) + v["mu"] * v["B_w"] ** 2 / 2

    yield bounded(
        Side(
            scope="line (e) as a bound on the expected excess empirical risk",
            claimed=line,
            reached=lambda m, v: averaged_descent.slow(m, v["minimiser_norm"], v["L"], factor(m, v) * v["eta"], v["T"]),
            holds="d" in quantities(claim) and nonnegative(claim, reduced(claim, lambda m, v: line(m, v) - true(m, v))),
            method="line (e) less the proved bound has nonnegative coefficients",
            instances=instances(claim),
            severity=Severity.CONSTANT,
            survives=CHAIN,
            lemmas=(rotated_descent.TURNED, rotated_descent.LENGTH, rotated_descent.REGRET),
            family=(rotated_descent.SLOW,),
        )
    )
    yield bounded(
        Side(
            scope="line (e) <= the last display",
            claimed=last,
            reached=line,
            holds=nonnegative(claim, reduced(claim, lambda m, v: last(m, v) - line(m, v))),
            method="the difference has nonnegative coefficients",
            instances=instances(claim),
            severity=Severity.RATE,
            survives=CHAIN,
            lemmas=(rotated_descent.LENGTH,),
            decisive={"T": "1", "epsilon": "1", "eta": "1", "mu": "1", "L": "1", "minimiser_norm": "1"},
        )
    )


def balance(claim: Claim) -> Iterator[Finding]:
    """a eta + b/eta against 2 sqrt(a b): for every eta, and as meant at the eta that balances the two."""
    given = (balanced,) if balanced in claim.tests else ()
    low, high, q = named(claim, "of_step"), named(claim, "of_coefficients"), quantities(claim)
    values = {**q, "b": q["a"] * q["eta"] ** 2} if given else q
    difference = sympy.expand(high(symbolic(), values) - low(symbolic(), values))
    yield bounded(
        Side(
            scope="a eta + b/eta <= 2 sqrt(a b)",
            claimed=high,
            reached=low,
            holds=nonnegative(claim, difference),
            method="at b = a eta^2 the difference has nonnegative coefficients" if given else "nonnegative coefficients",
            instances=grid(claim, {"a": ("1", "2", "0.25"), "b": ("1", "8", "32", "4"), "eta": ("2", "1", "4", "0.5")}),
            severity=Severity.MISPRINT,
            survives="Equality at eta = sqrt(b/a), Theorem 4's step length; at every other eta the sign is the opposite one.",
            given=given,
            decisive={"a": "1", "b": "1", "eta": "2"},
        )
    )
    if not given and claim.amends is None:
        for finding in balance(replace(claim, preconditions=find("spo/sec-4-amgm-amended").preconditions)):
            scope = f"{finding.scope} at eta = sqrt(b/a), as Theorem 4 chooses it"
            yield replace(finding, scope=scope, reading=Reading.MEANT, given=())


MINIMISER = "every convex loss with a minimiser in the set"
FLAT: tuple[tuple[dict[str, str], Sequence[str], Sequence[str], Sequence[str]], ...] = (
    ({"p": "2", "d": "1", "B_B": "0.5"}, ("1",), ("0", "1"), ("4", "3")),
    ({"p": "1", "d": "2", "B_B": "0.51"}, ("1", "0.01"), ("1",), ("3", "4")),
)
"""Where: B_B; the record's costs and features; an average, reached at T = 2."""
BEYOND = ({"p": "1", "d": "1", "B_B": "0.25"}, ("1",), ("1",), ("0.5",))
"""A loss whose minimisers lie outside the set."""


def plain_loss(m: Numbers, costs: Sequence[Real], predicted: Sequence[Real]) -> Real:
    """SPO+ on S = [-1, 1]^d for positive costs, w*(c) = (-1, ..., -1): a sum over coordinates."""
    return sum((m.abs(c - 2 * h) - 2 * h + c for c, h in zip(costs, predicted, strict=True)), m.real(0))


def projection(claim: Claim) -> Iterator[Finding]:
    """Losses at averages that Algorithm 1 reaches, before and after the projection; convexity on a line."""
    names, m = {p.name for p in claim.parameters}, arb()
    found = []
    for case in FLAT if MINIMISER in claim.over else (BEYOND, *FLAT):
        at, costs, features, average = case
        if not admitted(claim, [{name: value for name, value in at.items() if name in names}]):
            continue
        c, x, end = ([m.real(value) for value in row] for row in (costs, features, average))
        mean = _average(m, c, x, end)
        shorter = [m.real(at["B_B"]) * b / m.norm(mean) for b in mean]
        before, after = (plain_loss(m, c, applied(m, B, x)) for B in (mean, shorter))
        if m.gt(after, before) is True:
            found.append((at, costs, features, average, before, after))
    for at, costs, features, average, before, after in found:
        instance = {**at, "c": f"({', '.join(costs)})", "x": f"({', '.join(features)})", "average": f"({', '.join(average)})"}
        yield _raised(claim, "SPO+ at one average of a run of two iterates", before, after, instance, OUTSIDE)
    if found and MINIMISER in claim.over and admitted(claim, [{k: v for k, v in FLAT[0][0].items() if k in names}]):
        yield from _in_mean(claim)
    if not found and on_a_line in claim.tests:
        yield certified(
            "every convex loss in one variable", "convexity between the point and the minimiser", NEAREST, given=(on_a_line,)
        )
    elif not found:
        yield Finding(scope="every convex loss", verdict=Verdict.OPEN, reason="no loss of those tried is raised, and no proof")


def _average(m: Numbers, c: list[Real], x: list[Real], end: list[Real]) -> list[Real]:
    """The average of two iterates of the literal run whose step has the length 2 |end| and the direction -end."""
    reach = m.norm(end)
    direction = [-b / reach for b in end]
    runs = iterates(m, "box", [c], [x], m.frac(1, 100), m.real(1), 1, lambda g: 2 * reach, lambda t, g: direction)
    return [(a + b) / 2 for a, b in zip(*runs, strict=True)]


def _in_mean(claim: Claim) -> Iterator[Finding]:
    """The expectation over the direction."""
    m = arb()
    eta, epsilon = m.real(5), m.real(10)
    f, R = m.exp(epsilon) / (1 + m.exp(epsilon)), 2 * eta
    before = f / R + (1 - f) * (2 + 8 * R / m.pi)
    after = f * (2 - 4 / m.pi) + (1 - f) * (2 + 4 / m.pi)
    at = {"p": "2", "d": "1", "B_B": "0.5", "c": "1", "x": "(0, 1)", "T": "2", "eta": "5", "epsilon": "10", "mu": "1"}
    if m.gt(after, before) is True:
        scope = "SPO+ in expectation over the direction, T = 2 (claimed: an upper bound)"
        yield _raised(claim, scope, before, after, at, ALL_ANGLES)


def _raised(claim: Claim, scope: str, before: Real, after: Real, at: Mapping[str, str], lemma: Lemma) -> Finding:
    return refuted(
        scope,
        before,
        after,
        at,
        method="the loss of the projected average, enclosed, against that of the average",
        severity=Severity.DOMAIN,
        survives="True where B is one number; else it bounds the average itself, or iterates projected one by one.",
        lemmas=(lemma,),
    )


def lemma_8(claim: Claim) -> Iterator[Finding]:
    """The sum of inner products against the telescope."""
    m, left, right = arb(), claim.formulas["linearised"], claim.formulas["telescoped"]
    rows = (("1",), ("-3", "2"), ("0", "0", "0"), ("1", "-1", "1", "-1"), ("5", "4", "3", "2", "1"), ("0.5",) * 9)
    tried = [(eta, w, v) for eta in ("0.001", "0.5", "1", "100") for w in ("0", "1", "-7", "-0.5") for v in rows]
    for eta, target, steps in tried:
        given = (m.real(eta), m.real(target), [m.real(v) for v in steps])
        low, high = left(m, *given), right(m, *given)
        if m.gt(low, high) is True:
            yield refuted(
                "every T, every sequence of vectors",
                high,
                low,
                {"eta": eta, "target": target, "steps": f"({', '.join(steps)})"},
                method="both sides at one sequence",
                severity=Severity.CONSTANT,
                survives="|w*|^2/(2 eta) + (eta/2) sum |v_t|^2: the gap is |w_{T+1} - w*|^2/(2 eta).",
            )
            return
    eta, target = sympy.Symbol("eta", positive=True), sympy.Symbol("target", real=True)
    holds = all(_remains(left, right, eta, target, T) for T in range(9))
    yield Finding(
        scope="every T, every sequence of vectors",
        verdict=Verdict.CERTIFIED if holds else Verdict.OPEN,
        rung=Rung.EXACT if holds else None,
        method="the difference less |w_{T+1} - w*|^2/(2 eta) has even powers with nonnegative coefficients only"
        if holds
        else "",
        coverage=("T = 0..8 by computer algebra, every T by the lemma",),
        lemmas=(REMAINDER,),
        reason=None if holds else "the difference is not the square that the telescope leaves",
    )


def _remains(left: Callable[..., Any], right: Callable[..., Any], eta: Any, target: Any, T: int) -> bool:
    """Whether right - left is (w* + eta sum v)^2/(2 eta) plus even monomials with nonnegative coefficients."""
    steps = [sympy.Symbol(f"v_{t}", real=True) for t in range(1, T + 1)]
    gap = right(symbolic(), eta, target, steps) - left(symbolic(), eta, target, steps)
    rest = sympy.expand(2 * eta * gap - (target + eta * sum(steps)) ** 2)
    terms = sympy.Poly(rest, target, *steps).terms()
    return all(c.is_nonnegative and all(power % 2 == 0 for power in powers) for powers, c in terms)


CHAINED: Table = {
    Relation("average_of_gradients", "=", "average_of_draws"): drawn,
    Relation("after_step_d", "<=", "last_display"): displayed,
    Relation("of_step", "<=", "of_coefficients"): balance,
    Relation("risk_projected", "<=", "risk_average"): projection,
    Relation("linearised", "<=", "telescoped"): lemma_8,
}
CLAIMS = ("spo/thm-4-c", "spo/sec-4-amgm", "spo/app-c-projection")

JUDGES = dict.fromkeys((*CLAIMS, *(f"{id}-amended" for id in CLAIMS), "spo/lem-8"), partial(by_assertion, table=CHAINED))

MUTANTS = {
    "spo/thm-4-c-amended": mutants.of_chain,
    "spo/sec-4-amgm-amended": mutants.of_balance,
    "spo/app-c-projection-amended": mutants.of_projection,
    "spo/lem-8": mutants.of_lemma_8,
}
