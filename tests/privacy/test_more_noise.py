"""More noise than a certified amount is certified too; a hundredth less than what is needed never is."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.more_noise import not_negative
from dpsco.arguments.privacy.noise_scale import Scale, suffices
from dpsco.mutant import scaled
from dpsco.reference.numbers.mp import mp
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.reference.privacy.gaussian import profile
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Interval, open_unit, positive
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find
from dpsco.verdict import Finding, Reading, Rung, Verdict

EPSILONS = ("0.001", "0.5", "0.999", "8", "100")
DELTAS = ("1e-300", "1e-40", "1e-6", "0.1", "0.9", "0.999")
FEW: Mapping[str, tuple[str, ...]] = {"epsilon": ("0.5",), "delta": ("1e-6",), "sensitivity": ("1",)}
"""Where nothing is refuted: then only the certificate says no."""
ALL: Mapping[str, tuple[str, ...]] = {"epsilon": EPSILONS, "delta": DELTAS, "sensitivity": ("1", "7")}


def logs(m: Numbers, delta: Real, top: int = 5, below: int = 4) -> Real:
    """sqrt(2 ln(k/delta)), k = top/below"""
    return m.sqrt(2 * m.log(m.frac(top, below) / delta))


def pair(m: Numbers, epsilon: Real, delta: Real, sensitivity: Real) -> Real:
    """epsilon/mu - mu/2 = sqrt(2 ln(1/delta)), enough for every epsilon."""
    nats = m.log(1 / delta)
    return sensitivity * (m.sqrt(nats) + m.sqrt(nats + epsilon)) / (m.sqrt(2) * epsilon)


def book(m: Numbers, epsilon: Real, delta: Real, sensitivity: Real) -> Real:
    """Dwork and Roth's, enough below 1."""
    return sensitivity * logs(m, delta) / epsilon


def claim_of(sigma: Callable[..., Any], domain: Interval = open_unit) -> Claim:
    """Lemma A.3's statement with another formula on another range of epsilon."""
    claim = find("bilevel/lem-A.3")
    parameters = tuple(p.within(domain) if p.name == "epsilon" else p for p in claim.parameters)
    return replace(claim, formulas={"sigma": sigma}, parameters=parameters)


def found(claim: Claim, axes: Mapping[str, tuple[str, ...]] = ALL) -> Finding:
    """What is said of the printed domain."""

    def mu(m: Numbers, values: Mapping[str, Real]) -> Real:
        return values["sensitivity"] / apply(claim.formulas["sigma"], m, values)

    return next(f for f in suffices(claim, Scale(mu, axes, "one answer", None, "it")) if f.reading is Reading.PRINTED)


def exceeded(claim: Claim) -> list[tuple[str, str]]:
    """Where in a grid the exact profile is above delta."""
    m, domain = mp(60), claim.parameter("epsilon").domain

    def mu(e: str, d: str) -> Any:
        return 1 / claim.formulas["sigma"](m, epsilon=m.real(e), delta=m.real(d), sensitivity=m.real(1))

    points = [(e, d) for e, d in product((*EPSILONS, "0.9999999", "0.1"), (*DELTAS, "0.999999")) if domain.contains(m, e)]
    return [(e, d) for e, d in points if profile(m, m.real(e), mu(e, d)) > m.real(d)]


MORE: dict[str, tuple[Callable[..., Any], Interval]] = {
    "twice": (lambda m, epsilon, delta, sensitivity: 2 * sensitivity * logs(m, delta, 2, 1) / epsilon, open_unit),
    "a tenth more": (
        lambda m, epsilon, delta, sensitivity: m.frac(11, 10) * sensitivity * logs(m, delta) / epsilon,
        open_unit,
    ),
    "one more": (lambda m, epsilon, delta, sensitivity: sensitivity * (1 + logs(m, delta)) / epsilon, open_unit),
    "a summand": (lambda m, epsilon, delta, sensitivity: sensitivity * logs(m, delta) / epsilon + sensitivity, open_unit),
    "without a root": (lambda m, epsilon, delta, sensitivity: 4 * sensitivity * m.log(2 / delta) / epsilon, open_unit),
    "no rational k": (
        lambda m, epsilon, delta, sensitivity: sensitivity * m.sqrt(2 * m.log(m.pi / delta)) / epsilon,
        open_unit,
    ),
    "a square": (lambda m, epsilon, delta, sensitivity: sensitivity * logs(m, delta) / epsilon**2, open_unit),
    "the tail's": (
        lambda m, epsilon, delta, sensitivity: m.frac(11, 10) * pair(m, epsilon, delta, sensitivity),
        positive,
    ),
    "concentrated": (
        lambda m, epsilon, delta, sensitivity: sensitivity * (m.sqrt(2 * m.log(1 / delta)) + m.sqrt(epsilon / 2)) / epsilon,
        positive,
    ),
}


@pytest.mark.parametrize("name", MORE)
def test_more_is_certified(name: str):
    sigma, domain = MORE[name]
    claim = claim_of(sigma, domain)
    finding = found(claim)
    assert finding.verdict is Verdict.CERTIFIED
    assert finding.rung is (Rung.EXACT if domain == positive else Rung.REGION)
    assert not exceeded(claim)


@pytest.mark.parametrize(("sigma", "domain"), [(book, open_unit), (pair, positive)])
def test_a_hundredth_less_is_refuted_and_never_certified(sigma: Callable[..., Any], domain: Interval):
    claim = claim_of(sigma, domain)
    less = scaled(claim, "sigma", 99, 100)
    assert found(claim).verdict is Verdict.CERTIFIED
    assert exceeded(less)
    assert found(less).verdict is Verdict.REFUTED
    assert found(less, FEW).verdict is Verdict.OPEN


@given(st.integers(0, 3), st.integers(80, 130), st.integers(9, 24), st.integers(-1, 2), st.sampled_from(["1", "3", "inf"]))
@settings(max_examples=6)
def test_what_is_certified_is_true(added: int, hundredths: int, eighths: int, along: int, high: str):
    """Of sigma = Delta (a + f sqrt(2 ln(k/delta)) + b epsilon)/epsilon nothing false is certified, whatever a, f, k and b."""

    def sigma(m: Numbers, epsilon: Real, delta: Real, sensitivity: Real) -> Real:
        roots = m.frac(hundredths, 100) * logs(m, delta, eighths, 8)
        return sensitivity * (m.frac(added, 4) + roots + m.frac(along, 8) * epsilon) / epsilon

    claim = claim_of(sigma, Interval("0", high))
    if found(claim, FEW).verdict is Verdict.CERTIFIED:
        assert not exceeded(claim)


def test_signs():
    m = symbolic()
    x, y = (sympy.Symbol(name, nonnegative=True) for name in "xy")
    z = sympy.Symbol("z", real=True)
    for shown in (x * y + 1, x / (1 + y), (x + y) ** 2 - x**2, m.sqrt(x + m.log(m.real(2))) - m.real(0), m.log(m.frac(5, 4))):
        assert not_negative(shown), shown
    for other in (x - 1, x - y, z * x, x / (y - 1), m.sqrt(x) - x, m.log(m.frac(4, 5)), -x, m.sqrt(z)):
        assert not not_negative(other), other
