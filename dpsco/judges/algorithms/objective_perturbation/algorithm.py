"""What the text of objective perturbation claims beyond itself: a variance for every input, and exactly one minimiser."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import sympy
from sympy.calculus.util import continuous_domain

from dpsco.arguments.assertions import by_assertion
from dpsco.arguments.chains import arguments
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Instance, grid
from dpsco.mutants.algorithms.objective_perturbation import algorithm as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import expression, symbol, symbolic
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.domain import Interval, Parameter, nonnegative, positive, reals
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

MINIMISER = Lemma(
    "one minimiser",
    "The smoothed empirical risk is finite, convex and continuous on R^d, being a mean of convex functions of <x, theta>; the "
    "perturbation is a convex function of <b, theta>. With a regulariser that is a positive multiple of |theta|^2 their sum is "
    "strongly convex, hence has exactly one minimiser, whatever the data, the kernel and b.",
)
FALLS = Lemma(
    "sign of the variance",
    "A function that falls in delta is least at the largest delta; where it is positive (or, if the domain is open there, not "
    "negative), it is positive for every smaller one.",
)
EPSILONS = ("0.01", "0", "1e-30", "1e-3", "1", "100")
DELTAS = ("3", "0", "-1", "1e-40", "0.5", "0.999999", "1", "1.999999", "2", "10", "1e6")
LAMBDAS, COUNTS, NOISES = ("0", "1e-3", "1", "100"), ("1", "2", "1000"), (0, 1, 100, 10**6)
SETTING: Instance = {"r": "0.5", "B_x": "2", "K_bar": "0.5", "h": "2"}
"""The uniform kernel, the median, features of norm up to 2."""
SURVIVES = (
    "For every delta in (0, 1) the variance is a positive number and the algorithm is well defined; the input line also admits "
    "delta = 0, where ln(2/delta) has no value."
)
OUTSIDE = "our own question about the input line: there is no such noise, so the text says nothing there"
WELL_DEFINED = (
    "Where the ridge is a positive multiple of |theta|^2 and the noise enters linearly there is exactly one minimiser."
)


def constants(claim: Claim, m: Numbers, instance: Instance) -> Mapping[str, Real]:
    """The instance in the context m, with the constants L and beta that the printed formulas make of it."""
    values = {name: m.real(value) for name, value in instance.items()}
    made = {
        name: apply(claim.formulas[formula], m, values)
        for name, formula in (("L", "lipschitz"), ("beta", "smoothness"))
        if formula in claim.formulas
    }
    return {"L": m.real(1), "beta": m.real(1), **values, **made}


def variance_exists(claim: Claim) -> Iterator[Finding]:
    """What the input line admits; where there is no such noise the text says nothing, and the finding stands beside it."""
    for finding in _variances(claim):
        yield finding if claim.amends is not None else replace(finding, reading=Reading.ANOTHER, reason=OUTSIDE)


def _variances(claim: Claim) -> Iterator[Finding]:
    """The variance over every epsilon and delta that the input admits: instances that contradict it, or its least value."""
    m = arb()
    tried = grid(claim, {"epsilon": EPSILONS, "delta": DELTAS + _near_end(claim.parameter("delta"))}, (SETTING,))
    values = [(instance, apply(claim.formulas["variance"], m, constants(claim, m, instance))) for instance in tried]
    negative = next((pair for pair in values if m.lt(pair[1], m.real(0)) is True), None)
    nowhere = next((instance for instance, value in values if not value.is_finite() and _no_value(claim, instance)), None)
    if negative is not None:
        yield refuted(
            "the variance is not negative",
            "0",
            negative[1],
            _shown(negative[0]),
            method="the printed variance, enclosed; a variance is at least 0",
            severity=Severity.DOMAIN,
            survives=SURVIVES,
        )
    if nowhere is not None:
        yield Finding(
            scope="the variance has a value",
            verdict=Verdict.REFUTED,
            rung=Rung.POINT,
            method="exact evaluation of the printed variance: it is no finite real number here",
            at=_shown(nowhere),
            severity=Severity.DOMAIN,
            survives=SURVIVES,
        )
    if negative is None and nowhere is None:
        yield _least_variance(claim)


def _near_end(parameter: Parameter) -> tuple[str, ...]:
    """The finite upper end of the domain, and a point just below."""
    domain = parameter.domain
    if not isinstance(domain, Interval) or domain.high == "inf":
        return ()
    return (domain.high, str(Decimal(domain.high) * Decimal("0.999999")))


def _no_value(claim: Claim, instance: Instance) -> bool:
    """Whether the variance, evaluated exactly, is no finite real number."""
    m = symbolic()
    value = sympy.sympify(apply(claim.formulas["variance"], m, constants(claim, m, instance)))
    return value is sympy.nan or value.is_finite is False or value.is_extended_real is False


def _shown(instance: Instance) -> Mapping[str, str]:
    return {name: instance[name] for name in ("delta", "epsilon", "r", "B_x")}


def _least_variance(claim: Claim) -> Finding:
    """The variance falls in delta and is positive at the largest one, for every epsilon and L of their domains."""
    known, domain = claim.parameters, claim.parameter("delta").domain
    scope = f"the variance for delta in {domain}"
    delta, epsilon = symbol(claim.parameter("delta")), symbol(claim.parameter("epsilon"))
    constant = expression(claim.formulas["lipschitz"], known) if "lipschitz" in claim.formulas else sympy.S.One
    sure = delta.is_positive and epsilon.is_positive and constant.is_positive and _arguments_known(claim, "variance")
    if isinstance(domain, Interval) and domain.high != "inf" and sure:
        scaled = sympy.expand(expression(claim.formulas["variance"], known) * epsilon**2)
        slope = sympy.simplify(sympy.diff(scaled, delta))
        least = scaled.subs(delta, sympy.Rational(domain.high))
        enough = least.is_positive or (domain.high_open and least.is_nonnegative)
        if slope.is_negative and enough and _continuous(scaled, delta, domain.high):
            return certified(
                scope,
                f"epsilon^2 times it falls in delta (slope {slope}), and is {least} at delta = {domain.high}",
                FALLS,
                coverage=tuple(f"{name} in {claim.parameter(name).domain}" for name in ("epsilon", "delta", "L", "r", "B_x")),
            )
    return Finding(scope=scope, verdict=Verdict.OPEN, reason="its sign over the whole domain was not decided")


def _continuous(formula: Any, variable: Any, high: str) -> bool:
    """Whether the formula has no jump and no pole for 0 < variable < high."""
    inside = sympy.Interval.open(0, sympy.Rational(high))
    steps = (sympy.Piecewise, sympy.floor, sympy.ceiling, sympy.sign, sympy.Heaviside)
    return not formula.has(*steps) and inside.is_subset(continuous_domain(formula, variable, inside)) is True


def _arguments_known(claim: Claim, *names: str) -> bool:
    """Whether the formulas speak of the claim's own parameters only, so that each symbol has a domain."""
    named = {parameter.name for parameter in claim.parameters}
    return all(arguments(claim.formulas[name]) <= named for name in names)


def positive_ridge(claim: Claim) -> tuple[Callable[..., Truth], ...] | None:
    """The preconditions that make lambda positive: none are needed where its domain does, None where nothing does."""
    ridge = symbol(claim.parameter("lambda_"))
    if ridge.is_positive:
        return ()
    for predicate in claim.preconditions:
        condition = expression(predicate.test, claim.parameters)
        above = isinstance(condition, sympy.Ge | sympy.Gt) and condition.lhs == ridge
        if above and (condition.rhs.is_positive or (isinstance(condition, sympy.Gt) and condition.rhs.is_nonnegative)):
            return (predicate.test,)
    return None


def one_minimiser(claim: Claim) -> Iterator[Finding]:
    """Strong convexity from the printed regulariser and perturbation, or an instance without a minimiser, or with many."""
    scope = "existence and uniqueness of the minimiser"
    given = positive_ridge(claim)
    # theta and b are arbitrary vectors, whatever a domain says
    ranges = {"lambda_": positive, "norm": nonnegative, "b_dot_theta": reals}
    known = tuple(p.within(ranges[p.name]) if p.name in ranges else p for p in claim.parameters)
    norm, along = (symbol(p) for name in ("norm", "b_dot_theta") for p in known if p.name == name)
    if given is not None and _arguments_known(claim, "regulariser", "perturbation", "regularisation_least", "smoothness"):
        square = sympy.simplify(expression(claim.formulas["regulariser"], known) / norm**2)
        perturbation = expression(claim.formulas["perturbation"], known)
        bend = sympy.diff(perturbation, along, 2)
        beta = expression(claim.formulas["smoothness"], known)
        least = expression(claim.formulas["regularisation_least"], known, beta=beta)
        strong = square.is_positive and norm not in square.free_symbols
        if strong and perturbation.is_polynomial(along) and bend.is_nonnegative and least.is_positive:
            yield certified(
                scope,
                f"the regulariser is {square} |theta|^2, the perturbation's second derivative in <b, theta> is {bend}",
                MINIMISER,
                coverage=("every data set, kernel, dimension and noise vector",),
                given=given,
            )
            return
    reason = "the sum of regulariser and perturbation is not recognised as strongly convex"
    yield _falling_ray(claim, scope) or Finding(scope=scope, verdict=Verdict.OPEN, reason=reason)


def _falling_ray(claim: Claim, scope: str) -> Finding | None:
    """All features 0, so that the risk is constant: a ray along b or against it on which the objective falls without end."""
    m, s = symbolic(), sympy.Symbol("s", positive=True)
    beta = ends(constants(claim, arb(), SETTING)["beta"])[1]
    tried = grid(claim, {"lambda_": LAMBDAS, "n": COUNTS, "epsilon": ("1", "100")}, ({**SETTING, "beta": beta},))
    for instance, noise, side in product(tried, NOISES, (-1, 1)):
        values = {**constants(claim, m, instance), "norm": s, "b_dot_theta": side * noise * s}
        objective = sum(apply(claim.formulas[name], m, values) for name in ("regulariser", "perturbation"))
        if sympy.limit(objective, s, sympy.oo) != -sympy.oo:
            continue
        names = ("lambda_", "n", "epsilon", "beta")
        return Finding(
            scope=scope,
            verdict=Verdict.REFUTED,
            rung=Rung.EXACT,
            method=f"all features 0: at theta = {side} s b/|b| it is a constant plus {objective}, which falls without end",
            computed=ends(arb().real(Fraction(str(sympy.Rational(objective.subs(s, 10**12)))))),
            at={"x": "0", **{name: instance[name] for name in names}, "b": str(noise), "s": "1e12"},
            severity=Severity.CONCLUSION,
            survives=WELL_DEFINED,
        )
    return None


def steps(claim: Claim) -> Finding:
    """What the text does and nothing is asserted of."""
    return Finding(scope="the steps themselves", verdict=Verdict.STATED, method="a definition: what the algorithm does")


MINIMISED = Relation(
    "smoothed empirical risk + regulariser + perturbation", "is", "minimised by exactly one theta, for every b"
)
VARIANCE = Relation("variance", "is", "a variance, for every epsilon and delta that the input admits")


def judge(claim: Claim) -> Iterator[Finding]:
    """Findings on each assertion; that the output is private is another claim."""
    yield from by_assertion(claim, {MINIMISED: one_minimiser, VARIANCE: variance_exists})
    yield steps(claim)


JUDGES = {"quantile/alg-2": judge, "quantile/alg-2-amended": judge}
MUTANTS = {"quantile/alg-2": mutants.of_printed, "quantile/alg-2-amended": mutants.mutants}
