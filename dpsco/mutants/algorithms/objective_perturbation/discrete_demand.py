"""Mutants of the claims about discrete demand; false by quadrature over an error law, or by the bandwidth in 60 digits."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.pointwise import scaled_mutant
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.objective_perturbation import discrete_demand as spec
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.predicate import Predicate
from dpsco.spec.register import find

AT: dict[str, str] = {"d": "1", "delta": "0.99999", "B": "20", "B_x": "15", "r_bar": "0.5"}
HALF = {**AT, "n": "390000"}
"""sqrt(n) is about 1.5 times 2 sqrt(2) B_x B r_bar: the thresholds for the factor and the exponential lie near each other."""


def gap(u: Real, h: Real) -> Real:
    """(E|u + h V| - |u|)/2 for a normal V, by quadrature of the definition."""
    m = mp(30)
    context = m.mp  # type: ignore[attr-defined]
    kink = -u / h
    mean = context.quad(lambda v: m.abs(u + h * v) * m.phi(v), [-40, kink - 1, kink, kink + 1, 40])
    return (mean - m.abs(u)) / 2


def mean_over_law(g: Callable[[Real], Real], tau: Real) -> Real:
    """Mean of g(|u|) where |u| has the density of exp(-1/t^2) up to tau, the other mass lying at 1.0001 tau."""
    m = mp(30)
    inner = m.mp.quad(lambda t: g(t) * 2 / t**3 * m.exp(-1 / t**2), [tau / 20, tau / 4, tau / 2, tau])  # type: ignore[attr-defined]
    return inner + (1 - m.exp(-1 / tau**2)) * g(tau * m.real("1.0001"))


def exceeded(claim: Claim, name: str, h: str) -> bool:
    """Whether the mean under this law, tau = sqrt(h), exceeds the claim's formula."""
    m = mp(30)
    width = m.real(h)
    tau = m.sqrt(width) * (1 + m.real("1e-25"))
    if name == "mass_terms":
        true = mean_over_law(lambda t: m.exp(-(t**2) / (2 * width**2)), tau)
    else:
        true = gap(tau * m.real("1.0001"), width)  # all mass lies as near as that or nearer, where the gap is larger
    return bool(true > apply(claim.formulas[name], m, {"h": width}) * m.real("1.000001"))


def values_at(
    at: Mapping[str, str], threshold: Callable[..., Real], factor: str = "1.000001"
) -> tuple[Numbers, dict[str, Any]]:
    """The instance with epsilon at a multiple of a threshold, and the bandwidth from lambda's definition."""
    m = mp(60)
    v = {"K_bar": 1 / m.sqrt(2 * m.pi), **{name: m.real(x) for name, x in at.items()}}
    v["epsilon"] = m.real(factor) * apply(threshold, m, v)
    L, log = v["r_bar"] * v["B_x"], m.log(1 / v["delta"])
    noise = v["d"] * L**2 * (8 * log + 4 * v["epsilon"]) / (v["n"] * v["epsilon"]) ** 2
    lambda_ = m.sqrt(2 * L**2 / v["n"] + noise) / v["B"]
    v["h"] = v["K_bar"] * v["B_x"] ** 2 / (lambda_ * v["n"] * v["epsilon"])
    return m, v


def fails(claim: Claim, at: Mapping[str, str], threshold: str, broken: Callable[[Numbers, dict[str, Any]], bool]) -> bool:
    """Whether the conclusion is broken at the claim's own threshold."""
    m, v = values_at(at, claim.formulas[threshold])
    return broken(m, v)


def outside_reach(m: Numbers, v: dict[str, Any]) -> bool:
    return bool(v["h"] > v["tau"] ** 2)


def factor_above_one(m: Numbers, v: dict[str, Any]) -> bool:
    return bool(m.sqrt(2 / m.pi) * v["h"] > 1)


def exponential_above(m: Numbers, v: dict[str, Any]) -> bool:
    noise = 8 * v["d"] * m.log(1 / v["delta"]) / (v["n"] * v["epsilon"]) ** 2
    first = 2 * m.sqrt(m.real(2)) * v["B_x"] * v["B"] * v["r_bar"] * m.sqrt(1 / v["n"] + noise)
    return bool(-1 / v["h"] > m.log(first))


def of_tail() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-EC.1-tail-amended")

    def half(m: Numbers, h: Real) -> Real:
        return m.exp(-1 / (2 * h))

    printed = with_formula(claim, "smoothing_error", spec.smoothing_error)
    yield Mutant("exp(-1/h) as printed", printed, partial(exceeded, printed, "smoothing_error", "0.04"))
    less = scaled(claim, "smoothing_error", 1, 4)
    yield Mutant("smoothing error times 1/4", less, partial(exceeded, less, "smoothing_error", "20"))
    single = with_formula(claim, "mass_terms", half)
    yield Mutant("exp(-1/h) dropped from the split", single, partial(exceeded, single, "mass_terms", "1.4"))
    few = scaled(claim, "mass_terms_doubled", 4, 10)

    def smaller() -> bool:
        m, h = mp(30), mp(30).real(1)
        return bool(apply(few.formulas["mass_terms_doubled"], m, {"h": h}) < m.exp(-h / 2) + m.exp(-h))

    yield Mutant("0.8 for 2 before exp(-1/(2 h))", few, smaller)


def of_condition() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-EC.1-condition-amended")
    root = with_formula(claim, "threshold_reach", spec.threshold_reach_unmended)
    at = {**HALF, "tau": "0.2"}
    yield Mutant("sqrt(2 tau^2) for sqrt(2) tau^2", root, partial(fails, root, at, "threshold_reach", outside_reach))
    less = scaled(claim, "threshold_factor", 9, 10)
    yield Mutant("threshold of the factor times 0.9", less, partial(fails, less, HALF, "threshold_factor", factor_above_one))
    short = scaled(claim, "threshold_exponential", 9, 10)
    at = {**AT, "n": "1000000000000"}
    yield Mutant("third threshold times 0.9", short, partial(fails, short, at, "threshold_exponential", exponential_above))
    double = scaled(claim, "smoothing_error", 2, 1)

    def larger() -> bool:
        m, v = values_at(HALF, spec.threshold_factor)
        met = not factor_above_one(m, v) and not exponential_above(m, v)
        bound = apply(double.formulas["statistical_bound"], m, v)
        return met and bool(2 * m.sqrt(2 / m.pi) * v["h"] * m.exp(-1 / v["h"]) > bound)

    yield Mutant("smoothing error doubled", double, larger)
    third = {**HALF, "K_bar": "0.39894228", "epsilon": "threshold_exponential", "h": "bandwidth"}
    second = {**third, "epsilon": "threshold_factor"}
    reach = {**third, "tau": "0.2", "epsilon": "threshold_reach"}
    wide = scaled(claim, "bandwidth", 11, 10)
    yield Mutant("bandwidth times 1.1", wide, partial(reaches_further, wide, reach))
    yield scaled_mutant(claim, "error_factor", 11, 10, ("error_factor", "<=", "1"), second)
    yield scaled_mutant(claim, "exponential_factor", 11, 10, ("exponential_factor", "<=", "statistical_bound"), third)
    yield scaled_mutant(claim, "statistical_bound", 9, 10, ("exponential_factor", "<=", "statistical_bound"), third)


def reaches_further(claim: Claim, at: Mapping[str, str]) -> bool:
    """Whether the claim's bandwidth, at its first threshold, is above tau^2."""
    m = mp(40)
    v = {name: m.real(text) for name, text in at.items() if name not in ("epsilon", "h")}
    v["epsilon"] = apply(claim.formulas["threshold_reach"], m, v)
    return bool(apply(claim.formulas["bandwidth"], m, v) > v["tau"] ** 2 * m.real("1.000001"))


def costs_more(claim: Claim, at: Mapping[str, str], threshold: Callable[..., Real], factor: str = "1.000001") -> bool:
    """Whether, at epsilon there, the claim's preconditions hold and the gap by quadrature exceeds its first term."""
    m, v = values_at(at, threshold, factor)
    conditions = [p for p in claim.preconditions if set(p.names) <= set(v)]
    if not all(predicate(m, v) is True for predicate in conditions):
        raise ValueError(f"the instance does not meet the preconditions: {dict(at)}")
    true = gap(v["tau"] * m.real("1.0001"), v["h"])
    return bool(true > apply(claim.formulas["statistical_bound"], m, v) * m.real("1.000001"))


def smoothing_costs_more(claim: Claim, at: Mapping[str, str]) -> bool:
    """Whether, above all thresholds, the gap at the claim's own bandwidth, by quadrature, exceeds its first term."""
    m, v = values_at(at, spec.threshold_factor, "1.5")
    v["h"] = apply(claim.formulas["bandwidth"], m, v)
    true = gap(v["tau"] * m.real("1.0001"), v["h"])
    conditions = [p for p in claim.preconditions if set(p.accepts) <= set(v)]
    admitted = all(predicate(m, v) is True for predicate in conditions)
    return admitted and bool(true > apply(claim.formulas["statistical_bound"], m, v) * m.real("1.000001"))


def _conditions(claim: Claim, test: Callable[..., Truth], says: str) -> Claim:
    """The claim with another condition on epsilon."""
    old = next(p for p in claim.preconditions if p.test == spec.epsilon_is_large_amended)
    moved = Predicate(says, test, old.accepts, old.rejects)
    return replace(claim, preconditions=tuple(moved if p is old else p for p in claim.preconditions))


def of_theorem() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-EC.1-amended")

    def without_factor(m: Numbers, epsilon: Real, n: Real, B: Real, B_x: Real, r_bar: Real, K_bar: Real, tau: Real) -> Truth:
        given = {"n": n, "B": B, "B_x": B_x, "r_bar": r_bar, "K_bar": K_bar}
        reach, third = spec.threshold_reach(m, **given, tau=tau), spec.threshold_exponential_amended(m, **given)
        return m.all(m.ge(epsilon, reach), m.ge(epsilon, third))

    def with_root(m: Numbers, epsilon: Real, n: Real, B: Real, B_x: Real, r_bar: Real, K_bar: Real, tau: Real) -> Truth:
        given = {"n": n, "B": B, "B_x": B_x, "r_bar": r_bar, "K_bar": K_bar}
        others = (spec.threshold_factor(m, **given), spec.threshold_exponential_amended(m, **given))
        return m.all(m.ge(epsilon, spec.threshold_reach_unmended(m, **given, tau=tau)), *(m.ge(epsilon, t) for t in others))

    printed = _conditions(claim, spec.epsilon_is_large, "the thresholds as printed")
    at = {"n": "300000000000000000000000", "d": "1", "B": "2", "B_x": "1.5", "r_bar": "0.5", "tau": "0.2", "delta": "0.9"}
    yield Mutant("the third threshold as printed", printed, partial(costs_more, printed, at, spec.threshold_exponential))
    free = _conditions(claim, without_factor, "without the second threshold")
    wide = {**AT, "n": "100000000", "B": "100", "B_x": "100", "tau": "8", "delta": "0.5"}
    yield Mutant("no second threshold", free, partial(costs_more, free, wide, spec.threshold_reach))
    root = _conditions(claim, with_root, "the first threshold with sqrt(2 tau^2)")
    near = {"n": "1000000000000", "d": "3", "B": "2", "B_x": "1.5", "r_bar": "0.7", "tau": "0.01", "delta": "0.1"}
    yield Mutant("sqrt(2 tau^2) for sqrt(2) tau^2", root, partial(costs_more, root, near, spec.threshold_reach_unmended))
    less = scaled(claim, "statistical_bound", 1, 8)
    far = {**HALF, "tau": "1.13", "delta": "0.8"}
    yield Mutant("first term times 1/8", less, partial(costs_more, less, far, spec.threshold_factor))
    smoother = scaled(claim, "bandwidth", 100, 1)
    yield Mutant("100 times the bandwidth", smoother, partial(smoothing_costs_more, smoother, far))
    more = scaled(claim, "bound", 2, 1)
    yield Mutant("bound doubled (still true)", more, lambda: False)
