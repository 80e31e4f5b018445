"""Is a printed rule of composition true? One decision for every rule "k mechanisms are together (E, x)-DP".

A violation is looked for with the optimal composition theorem, enclosed: it is exact, so a rule that promises less is false.
What is certified is certified by the kernel, on the statement with the rule that the claim prints.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import sympy

from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.proof_objects import METHOD, accepted, conditions, written
from dpsco.instances.grid import Instance, grid
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.reference.privacy.composition.pure import optimal_pure
from dpsco.spec.claim import Claim
from dpsco.spec.expressions import E
from dpsco.spec.numbers import Real
from dpsco.spec.privacy.profile import LeastDelta
from dpsco.spec.statement import Assertion
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

EACH = ("0", "0.001", "0.01", "0.1", "0.5", "1", "2", "5", "20", "700")
LOST = ("0", "1e-40", "1e-5", "0.1", "0.5", "0.999", "1", "3")
SLACKS = ("1e-300", "1e-40", "1e-10", "1e-3", "0.1", "0.5", "0.9", "0.999", "1")
TIMES = ("1", "2", "3", "10", "100", "1000")
BITS = 192

WORST = Lemma(
    "randomised response is the worst mechanism",
    "Two laws that are (epsilon, delta)-indistinguishable both ways are the images under one random map of the two laws of "
    "randomised response that says outright which data set it saw with probability delta, and answers truthfully with the odds "
    "e^epsilon else: its trade-off curve lies under that of every such pair, and Blackwell's theorem gives the map (Kairouz, "
    "Oh and Viswanath 2015). Applied step by step, given the answers so far, it makes every adaptive composition, with "
    "neighbours chosen anew at each step, a function of k independent randomised responses.",
)
HOEFFDING = Lemma(
    "tail of k randomised responses",
    "The loss of k-fold randomised response is epsilon (s_1 + ... + s_k), s_i = +1 or -1 independent with mean "
    "tanh(epsilon/2). By Hoeffding's inequality it exceeds E(x) = k epsilon tanh(epsilon/2) + epsilon sqrt(2 k ln(1/x)) with "
    "probability at most x, 0 < x <= 1, and the least delta at E is at most P(loss > E). With the outright answers the least "
    "delta is 1 - (1 - delta)^k (1 - x) <= k delta + x. And tanh(epsilon/2) <= epsilon/2, e^epsilon >= 1 + epsilon. Where the "
    "total reaches 1, nothing is asked.",
)
LIMIT = Lemma(
    "no slack",
    "With ln(1/0) = infinity the total epsilon is infinite where epsilon > 0: only events of probability 0 on the neighbour "
    "count, and those have at most the probability 1 - (1 - delta)^k <= k delta that one answer was outright. For epsilon = 0 "
    "the composition is (0, k delta)-DP, whatever 0 times infinity is taken to be.",
)
BASIC = Lemma(
    "basic composition",
    "Given the answers before it, each answer's density changes by a factor of at most e^epsilon between neighbours, so the "
    "density of k answers by at most e^(k epsilon), for an adaptive adversary as well; randomised response attains it.",
)
TRANSCRIPT = Lemma("a function of the transcript", "The last answer is a function of all answers: it costs no more.")


@dataclass(frozen=True)
class Rule:
    """Names of the claim's formulas and parameters. `lost` None: pure mechanisms; `total` None: the slack is the total."""

    scope: str
    release: str
    epsilon: str
    slack: str
    count: str
    total: str | None = None
    lost: str | None = None

    def axes(self) -> dict[str, tuple[str, ...]]:
        axes = {"epsilon": EACH, self.slack: SLACKS, self.count: TIMES}
        return axes | ({self.lost: LOST} if self.lost else {})


def composes(claim: Claim, rule: Rule, survives: str) -> Iterator[Finding]:
    """Findings for a slack in (0, 1], and where the claim admits them, at 0 and above 1."""
    left_out = [value for value in ("0", "2") if not _admits(claim, rule.slack, value)]
    between, domain = _between(claim, rule), claim.parameter(rule.slack).domain
    numberless = [value for value in left_out if domain.contains(arb(BITS), value) is True]
    yield replace(between, reason=LEFT_OUT) if numberless and between.verdict is Verdict.CERTIFIED else between
    if "0" not in left_out:
        yield _at_zero(claim, rule)
    if "2" not in left_out:
        yield _above_one(claim, rule, survives)


LEFT_OUT = "values of the printed range at which the expression is no number are left out: a slack above 1 asks nothing"


def _admits(claim: Claim, slack: str, value: str) -> bool:
    """Whether the claim's domain and the conditions on the slack alone have the value."""
    m = arb(BITS)
    alone = [predicate for predicate in claim.preconditions if predicate.names == (slack,)]
    inside = claim.parameter(slack).domain.contains(m, value) is True
    return inside and all(predicate(m, {slack: m.real(value)}) is True for predicate in alone)


def basic(claim: Claim, formula: str, count: str, release: str) -> Finding:
    """Is the composition of pure mechanisms private with the formula's epsilon and delta = 0?"""
    m = arb(BITS)
    tried = grid(claim, {"epsilon": EACH, count: TIMES})
    common: dict[str, Any] = {
        "scope": f"the composition is {formula}-DP, delta = 0",
        "adjacency": claim.adjacency,
        "release": release,
        "coverage": tried.coverage,
    }
    for instance in tried:
        values = {name: m.real(value) for name, value in instance.items()}
        true = optimal_pure(m, apply(claim.formulas[formula], m, values), values["epsilon"], int(instance[count]))
        if m.gt(true, 0) is True:
            return _refuted(common, "0", true, instance, "It holds with k epsilon.")
    if accepted(claim, partial(_with_sum, claim, formula)):
        return Finding(
            **common,
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method=METHOD,
            given=conditions(claim),
        )
    return Finding(**common, verdict=Verdict.OPEN, reason=f"no violation at {len(tried)} instances, and no proof")


def _with_sum(claim: Claim, formula: str, one: Assertion) -> Assertion:
    """The assertion without a slack, with the claim's formula for its epsilon."""
    if one.right != E(0):
        return one
    mechanism, _ = one.left.args
    return replace(one, left=LeastDelta(mechanism, written(claim, formula)))


def _between(claim: Claim, rule: Rule) -> Finding:
    tried = grid(claim, rule.axes())
    common: dict[str, Any] = {
        "scope": f"{rule.scope}, 0 < {rule.slack} <= 1",
        "adjacency": claim.adjacency,
        "release": rule.release,
        "coverage": tried.coverage,
    }
    # the fewest mechanisms first, then the smallest epsilon: the first violation is the one to show
    ordered = sorted(tried, key=lambda at: (int(at[rule.count]), float(at["epsilon"])))
    violation = next(_violations(claim, rule, ordered), None)
    if violation is not None:
        instance, claimed, true = violation
        return _refuted(common, ends(claimed)[1], true, instance, "It holds with the constants of the optimal composition.")
    if not _proved(claim, rule):
        return Finding(**common, verdict=Verdict.OPEN, reason=f"no violation at {len(tried)} instances, and no proof")
    return Finding(
        **common,
        verdict=Verdict.CERTIFIED,
        rung=Rung.EXACT,
        method=METHOD,
        given=conditions(claim),
        effort=f"optimal composition enclosed at {len(tried)} instances, no violation",
    )


def _refuted(common: Mapping[str, Any], claimed: str, true: Real, at: Instance, survives: str) -> Finding:
    return refuted(
        **common,
        claimed=claimed,
        computed=true,
        at=at,
        method="optimal composition (Kairouz, Oh and Viswanath 2015), enclosed",
        severity=Severity.CONSTANT,
        survives=survives,
    )


def _violations(claim: Claim, rule: Rule, tried: Iterable[Instance]) -> Iterator[tuple[Instance, Real, Real]]:
    """Instances where the least delta certainly exceeds the total that the rule promises, with both."""
    m = arb(BITS)
    tails: dict[tuple[str, ...], Real] = {}
    for instance in tried:
        values = {name: m.real(value) for name, value in instance.items()}
        claimed = apply(claim.formulas[rule.total], m, values) if rule.total else values[rule.slack]
        if m.ge(claimed, 1) is True:
            continue
        k = int(instance[rule.count])
        key = (instance["epsilon"], instance[rule.slack], instance[rule.count])
        if key not in tails:
            # where the total is not positive, at 0: fewer events count
            total = m.max(0, apply(claim.formulas[rule.epsilon], m, values))
            tails[key] = _tail(total.str(60, radius=True), instance["epsilon"], k) if total.is_finite() else m.real(0)
        lost = m.min(1, values[rule.lost]) if rule.lost else m.real(0)
        true = 1 - (1 - lost) ** k * (1 - tails[key]) if rule.lost else tails[key]
        if m.gt(true, claimed) is True:
            yield instance, claimed, true


@cache
def _tail(total: str, one: str, k: int) -> Real:
    """Least delta of k randomised responses at the total epsilon; the claim and its mutants ask at many common points."""
    m = arb(BITS)
    return optimal_pure(m, m.real(total), m.real(one), k)


def _symbols(claim: Claim, slack: str, count: str) -> dict[str, Any]:
    """Positive symbols for the claim's numbers, k as a square and the slack as e^(-s^2), so that roots disappear."""
    s: dict[str, Any] = {p.name: sympy.Symbol(p.name, positive=True) for p in claim.parameters}
    s[count] = sympy.Symbol("root_k", positive=True) ** 2
    s[slack] = sympy.exp(-(sympy.Symbol("s", positive=True) ** 2))
    return s


def _proved(claim: Claim, rule: Rule) -> bool:
    """The statement's assertions about a slack, with the claim's epsilon and its total, or the slack itself, for their own."""

    def moved(one: Assertion) -> Assertion:
        if one.left.value[0] != "LeastDelta" or rule.slack not in one.left.symbols:
            return one
        mechanism, _ = one.left.args
        return replace(
            one, left=LeastDelta(mechanism, written(claim, rule.epsilon)), right=written(claim, rule.total or rule.slack)
        )

    return accepted(claim, moved)


def _never_negative(expression: Any) -> bool:
    """Whether an expression in positive symbols is a polynomial with nonnegative coefficients once e^epsilon = 1 + epsilon + r.

    Every other exponential, as e^(-s^2), counts as one more positive quantity.
    """
    epsilon, rest = sympy.Symbol("epsilon", positive=True), sympy.Symbol("r", positive=True)
    free = sympy.expand(sympy.sympify(expression).subs(sympy.exp(epsilon), 1 + epsilon + rest))
    others = {e: sympy.Dummy(positive=True) for e in free.atoms(sympy.exp)}
    free = free.subs(others)
    symbols = sorted(free.free_symbols, key=str)
    if not symbols:
        return bool(free >= 0)
    try:
        return all(bool(coefficient >= 0) for coefficient in sympy.Poly(free, *symbols).coeffs())
    except sympy.PolynomialError:
        return False


def _at_zero(claim: Claim, rule: Rule) -> Finding:
    s = _symbols(claim, rule.slack, rule.count)
    tail = sympy.Symbol("s", positive=True)
    grows = sympy.limit(apply(claim.formulas[rule.epsilon], symbolic(), s), tail, sympy.oo) == sympy.oo
    bare = {**s, rule.slack: sympy.Integer(0)}
    lost = s[rule.lost] if rule.lost else sympy.Integer(0)
    total = apply(claim.formulas[rule.total], symbolic(), bare) if rule.total else sympy.Integer(0)
    proved = grows and _never_negative(total - s[rule.count] * lost)
    return Finding(
        scope=f"{rule.scope}, {rule.slack} = 0",
        verdict=Verdict.CERTIFIED if proved else Verdict.OPEN,
        rung=Rung.EXACT if proved else None,
        method="computer algebra: the total epsilon tends to infinity, the total delta is at least k delta",
        adjacency=claim.adjacency,
        release=rule.release,
        lemmas=(WORST, LIMIT) if proved else (),
        reason=None if proved else "the limit of the rule at no slack is not decided",
    )


def _above_one(claim: Claim, rule: Rule, survives: str) -> Finding:
    """A slack above 1 asks nothing, and a rule that takes the root of its negative logarithm names no real number there."""
    at = {"epsilon": "1", rule.count: "1", rule.slack: "2"}
    exact: Mapping[str, Any] = {name: sympy.Rational(value) for name, value in at.items()}
    evaluate: Callable[..., Any] = claim.formulas[rule.epsilon]
    imaginary = sympy.im(apply(evaluate, symbolic(), exact))
    common: dict[str, Any] = {
        "scope": f"{rule.scope}, {rule.slack} > 1",
        "adjacency": claim.adjacency,
        "release": rule.release,
        "at": at,
        "rung": Rung.EXACT,
    }
    if imaginary == 0:
        trivial = "the total delta exceeds 1 and asks nothing"
        return Finding(**common, verdict=Verdict.CERTIFIED, method=trivial)
    size = str(sympy.N(imaginary, 17))
    return refuted(
        **common,
        claimed="0",
        computed=size,
        method="computer algebra: the imaginary part of the printed total epsilon, a root of a negative number",
        severity=Severity.MISPRINT,
        survives=survives,
    )
