"""Lower bounds of epsilon against the conditions on the bandwidth that they are printed for, in both directions.

The bandwidth is K_bar B_x^2 / (lambda n epsilon): each threshold is compared through squares, in which everything is rational.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import sympy

from dpsco.arguments.comparing import proved, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import expressed, named, nonnegative
from dpsco.instances.discrete_demand import around_thresholds, numbers
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.algorithms.objective_perturbation import discrete_demand as spec
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Severity

Formula = Callable[..., Real]
Values = Mapping[str, Real]

THRESHOLD = Lemma(
    "from a threshold to the bandwidth",
    "If epsilon h <= X for all parameters, epsilon >= X/c gives h <= c.",
)
FIRST_TERM = Lemma(
    "from a threshold to an exponential",
    "Let X = c h epsilon or more, Y > 0 and epsilon >= X ln Y. If ln Y > 0, 1/(c h) >= epsilon/X >= ln Y, so exp(-1/(c h)) <= "
    "1/Y; if ln Y <= 0, exp(-1/(c h)) < 1 <= 1/Y.",
)
PRODUCT = Lemma("product of two bounds", "If 0 <= u <= 1 and 0 <= v <= s then u v <= s.")
SUFFICES = "That the thresholds suffice, which is all that the theorem uses: the noise term of lambda makes h smaller still."
ENLARGED = "The implication with a larger threshold."
OUTSIDE = "With tau^2 outside the root it holds; this one suffices for tau >= 1."


def at_least(claim: Claim, larger: Any, smaller: Any) -> bool:
    """Whether larger > 0 and larger^2 - smaller^2 has nonnegative coefficients, so that larger >= smaller."""
    return larger.is_positive is True and nonnegative(
        claim, sympy.expand(larger**2) - sympy.cancel(sympy.together(sympy.expand(smaller**2)))
    )


def _sides(claim: Claim, threshold: Formula) -> tuple[Any, Any]:
    """epsilon times the bandwidth, and the threshold, as expressions."""
    bandwidth = expressed(claim, named(claim, "bandwidth"))
    return expressed(claim, epsilon) * bandwidth, expressed(claim, lambda m, v: apply(threshold, m, v))


def _logarithm(threshold: Any) -> tuple[Any, Any] | None:
    """(X, Y) with threshold = X ln Y; None where it is of another form."""
    logs = list(threshold.atoms(sympy.log))
    if len(logs) != 1:
        return None
    factor = sympy.cancel(sympy.together(threshold / logs[0]))
    return None if factor.has(sympy.log) else (factor, logs[0].args[0])


def reach_holds(claim: Claim, threshold: Formula) -> bool:
    """Whether epsilon >= threshold gives h <= tau^2, on the whole domain."""
    product, least = _sides(claim, threshold)
    return at_least(claim, expressed(claim, lambda m, v: v["tau"]) ** 2 * least, product)


def factor_holds(claim: Claim, threshold: Formula, factor: Formula = spec.error_factor) -> bool:
    """Whether epsilon >= threshold gives factor(h) <= 1, factor a multiple of h."""
    product, least = _sides(claim, threshold)
    width = sympy.Symbol("h", positive=True)
    multiple = sympy.simplify(expressed(claim, lambda m, v: apply(factor, m, {**v, "h": width})) / width)
    return bool(multiple.is_number and multiple > 0) and at_least(claim, least, multiple * product)


def exponential_holds(claim: Claim, threshold: Formula, exponential: Formula) -> bool:
    """Whether epsilon >= threshold gives exponential(h) <= statistical_bound, exponential = exp(-1/(c h))."""
    product, least = _sides(claim, threshold)
    width = sympy.Symbol("h", positive=True)
    value = expressed(claim, lambda m, v: apply(exponential, m, {**v, "h": width}))
    multiple = sympy.simplify(-1 / (width * value.args[0])) if isinstance(value, sympy.exp) else None
    parts = _logarithm(least)
    if multiple is None or not multiple.is_number or not multiple > 0 or parts is None:
        return False
    factor, argument = parts
    first = expressed(claim, named(claim, "statistical_bound"))
    return at_least(claim, factor, multiple * product) and at_least(claim, first, 1 / argument)


def dominates(claim: Claim, exponential_threshold: Formula) -> bool:
    """Whether h <= tau^2 and sqrt(2/pi) h exp(-1/(2 h)) <= statistical_bound under the amended thresholds."""
    halved = spec.mass_terms_doubled

    def exponential(m: Numbers, h: Real) -> Real:
        return halved(m, h=h) / 2

    return (
        reach_holds(claim, spec.threshold_reach)
        and factor_holds(claim, spec.threshold_factor)
        and exponential_holds(claim, exponential_threshold, exponential)
    )


Value = Callable[[Numbers, Values], Real]
Condition = Callable[[Numbers, Values], Truth]
FACTORS = ("0.5", "0.9", "0.999", "1.000000001", "1.1")
"""Epsilon is tried at these multiples of every threshold."""


def h(m: Numbers, v: Values) -> Real:
    """The bandwidth."""
    return v["h"]


def reach(m: Numbers, v: Values) -> Real:
    """The bandwidth that sqrt(h) = tau allows."""
    return v["tau"] ** 2


def one(m: Numbers, v: Values) -> Real:
    """What the factor may be at most."""
    return m.real(1)


def epsilon(m: Numbers, v: Values) -> Real:
    """The privacy parameter."""
    return v["epsilon"]


def at_most(left: Value, right: Value) -> Condition:
    """left <= right."""
    return lambda m, v: m.le(left(m, v), right(m, v))


def both(*conditions: Condition) -> Condition:
    """All of the conditions."""
    return lambda m, v: m.all(*(condition(m, v) for condition in conditions))


def implied(
    claim: Claim,
    scope: str,
    condition: Condition,
    smaller: Value,
    larger: Value,
    holds: bool,
    severity: Severity | None,
    survives: str,
    *lemmas: Lemma,
) -> Iterator[Finding]:
    """`condition` implies smaller <= larger, as `scope` says: refuted at an instance about a threshold, or proved."""
    m, seen = arb(), 0
    for at in around_thresholds(claim, FACTORS):
        values = numbers(m, at)
        values = {**values, "h": apply(claim.formulas["bandwidth"], m, values)}
        if condition(m, values) is not True:
            continue
        seen += 1
        low, high = smaller(m, values), larger(m, values)
        if m.gt(low, high) is not True:
            continue
        if holds:
            raise ArithmeticError(f"{claim.id}: proved, and yet contradicted at {at}")
        yield refuted(
            scope,
            high,
            low,
            at,
            method="the condition holds and the conclusion fails, both enclosed",
            severity=severity,
            survives=survives,
        )
        return
    coverage = (f"{seen} instances that meet the condition",)
    yield proved(scope, holds, "squares compared coefficient by coefficient", lemmas=lemmas, coverage=coverage)


def reach_suffices(name: str, claim: Claim) -> Iterator[Finding]:
    """epsilon >= threshold => bandwidth <= tau^2."""
    condition, holds = at_most(named(claim, name), epsilon), reach_holds(claim, claim.formulas[name])
    yield from implied(
        claim,
        f"if {name} <= epsilon, then bandwidth <= tau^2",
        condition,
        h,
        reach,
        holds,
        Severity.CONSTANT,
        OUTSIDE,
        THRESHOLD,
    )


def factor_suffices(name: str, claim: Claim) -> Iterator[Finding]:
    """epsilon >= threshold => error_factor <= 1."""
    factor = claim.formulas["error_factor"]
    condition, holds = at_most(named(claim, name), epsilon), factor_holds(claim, claim.formulas[name], factor)
    left = named(claim, "error_factor")
    yield from implied(
        claim,
        f"if {name} <= epsilon, then error_factor <= 1",
        condition,
        left,
        one,
        holds,
        Severity.CONSTANT,
        ENLARGED,
        THRESHOLD,
    )


def exponential_suffices(name: str, claim: Claim) -> Iterator[Finding]:
    """epsilon >= threshold => exponential_factor <= statistical_bound."""
    factor = claim.formulas["exponential_factor"]
    condition, holds = at_most(named(claim, name), epsilon), exponential_holds(claim, claim.formulas[name], factor)
    left, right = named(claim, "exponential_factor"), named(claim, "statistical_bound")
    scope = f"if {name} <= epsilon, then exponential_factor <= statistical_bound"
    yield from implied(claim, scope, condition, left, right, holds, Severity.CONSTANT, ENLARGED, FIRST_TERM)


def conditions(claim: Claim) -> dict[str, Condition]:
    """The three conditions of the list, by their words."""
    return {
        "bandwidth <= tau^2": at_most(h, reach),
        "error_factor <= 1": at_most(named(claim, "error_factor"), one),
        "exponential_factor <= statistical_bound": at_most(
            named(claim, "exponential_factor"), named(claim, "statistical_bound")
        ),
    }


def converse(name: str, left: str, claim: Claim) -> Iterator[Finding]:
    """A condition on the bandwidth => epsilon >= threshold: never proved here, refuted where the noise term helps."""
    condition = conditions(claim)[left]
    yield from implied(
        claim, f"if {left}, then {name} <= epsilon", condition, named(claim, name), epsilon, False, PROOF_STEP, SUFFICES
    )


def product_suffices(claim: Claim) -> Iterator[Finding]:
    """All three conditions => smoothing_error <= statistical_bound: it is at most the product of the two factors."""
    names = ("smoothing_error", "error_factor", "exponential_factor")
    error, factor, exponential = (expressed(claim, named(claim, name)) for name in names)
    quotient = sympy.simplify(error / (factor * exponential))
    holds = bool(quotient.is_number and quotient <= 1)
    condition, left, right = both(*conditions(claim).values()), named(claim, names[0]), named(claim, "statistical_bound")
    scope = "if all three conditions hold, then smoothing_error <= statistical_bound"
    survives = "The product of the two factors."
    yield from implied(claim, scope, condition, left, right, holds, Severity.CONSTANT, survives, PRODUCT)
