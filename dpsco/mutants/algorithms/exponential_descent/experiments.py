"""Mutants of what is amended in the predict-then-optimize experiments; false by quadrature, by enumeration, or by the table."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import comb

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.exponential_descent import algorithm
from dpsco.spec.algorithms.exponential_descent.experiments import (
    EXPONENTIAL_BY_EPSILON,
    GAUSSIAN_BY_DELTA,
    noise_variance_shown,
)
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def hockey_stick(claim: Claim, n: int) -> bool:
    """Integral of (density of N(mu, 1) less e^10 times that of N(0, 1))_+ by quadrature, at T = n^2, L = 1, above 0.4?"""
    m = mp(30)
    values = {"n": m.real(n), "L": m.real(1)}
    T, variance = (apply(claim.formulas[name], m, values) for name in ("steps", "noise_variance_shown"))
    mu = m.sqrt((T - 1) * (2 / values["n"]) ** 2 / variance)
    start = 10 / mu + mu / 2  # the densities' ratio is e^10 here
    ends = [start + k for k in range(0, 16, 3)]
    found = m.mp.quad(lambda u: m.phi(u - mu) - m.exp(10) * m.phi(u), ends)  # type: ignore[attr-defined]
    return bool(found > m.real("0.4"))


def counted(claim: Claim, n: int) -> bool:
    """P(S) - e^10 P'(S) above 0.4 on T - 1 answers of randomised response, S: 10/epsilon_0 more of them true than false?"""
    m, k = mp(30), n * n - 1
    one = apply(claim.formulas["step_epsilon_shown"], m, {"n": m.real(n)})
    f, event = 1 / (1 + m.exp(-one)), m.real(0)
    for wrong in range(k + 1):
        if (k - 2 * wrong) * one > 10:
            right = k - wrong
            event += comb(k, wrong) * (f**right * (1 - f) ** wrong - m.exp(10) * f**wrong * (1 - f) ** right)
    return bool(event > m.real("0.4"))


def moves(claim: Claim) -> bool:
    """On the line, n = 1, T = 2: |B_2| is the step at |gradient| = 4 |x|; certain, and other for x = 1 than for x = 2."""
    m = mp(30)
    one, two = (apply(claim.formulas["step"], m, {"eta": 1, "L": 8, "gradient_norm": 4 * m.real(x)}) for x in (1, 2))
    return bool(one != two)


def of_calibration() -> Iterator[Mutant]:
    claim = find("spo/fig-3-amended")
    printed = with_formula(claim, "noise_variance_shown", noise_variance_shown)
    yield Mutant("the printed variance", printed, partial(hockey_stick, printed, 500))
    half = scaled(claim, "noise_variance_shown", 1, 2)
    yield Mutant("half the variance", half, partial(hockey_stick, half, 500))
    longer = scaled(claim, "steps", 4, 1)
    yield Mutant("four times the steps", longer, partial(hockey_stick, longer, 500))
    more = scaled(claim, "step_epsilon_shown", 6, 1)
    yield Mutant("six times the step parameter", more, partial(counted, more, 10))

    def whole(m: Numbers) -> Real:
        return m.real(10)

    every = with_formula(claim, "step_epsilon_shown", whole)
    yield Mutant("epsilon in every step", every, partial(counted, every, 3))
    secret = with_formula(claim, "step", algorithm.step)
    yield Mutant("the step length of the data", secret, partial(moves, secret))


def rises(table: dict[str, tuple[str, str]]) -> bool:
    """Whether some printed mean, as printed, is above that of the next smaller setting."""
    means = [Fraction(table[key][0]) for key in sorted(table, key=Fraction)]
    return any(a < b for a, b in pairwise(means))


def turns(formula: Callable[..., Real], name: str, falling: bool) -> bool:
    """Whether the formula moves the other way, or not at all, between two points: epsilon 1 and 2, delta 1/4 and 1/2."""
    m = mp(30)
    low, high = (m.real(1), m.real(2)) if name == "epsilon" else (m.frac(1, 4), m.frac(1, 2))
    others = {"n": m.real(100), "d": m.real(3), "epsilon": m.real(1), "delta": m.frac(1, 3)}
    a, b = (apply(formula, m, {**others, name: value}) for value in (low, high))
    return bool(a <= b if falling else a >= b)


def tail_is_less(claim: Claim) -> bool:
    """Whether the claimed tail is not above the claimed delta at epsilon = mu = 1."""
    m = mp(30)
    tail, delta = (
        apply(claim.formulas[name], m, {"epsilon": m.real(1), "mu": m.real(1)}) for name in ("loss_exceeds", "least_delta")
    )
    return bool(tail <= delta)


def of_trends() -> Iterator[Mutant]:
    claim = find("spo/sec-7-trend-amended")

    def with_relation(old: int, new: Relation) -> Claim:
        return replace(claim, asserts=(*claim.asserts[:old], new, *claim.asserts[old + 1 :]))

    rate, exponential = claim.formulas["rate_gaussian"], claim.formulas["rate_exponential"]
    all_epsilon = with_relation(4, replace(claim.asserts[4], left="mean_spo_loss of exponential descent in Table 1"))
    yield Mutant("exponential descent up to epsilon = 10", all_epsilon, partial(rises, EXPONENTIAL_BY_EPSILON))
    all_delta = with_relation(5, replace(claim.asserts[5], left="mean_spo_loss of Gaussian descent in Table 1"))
    yield Mutant("delta up to 0.4", all_delta, partial(rises, GAUSSIAN_BY_DELTA))
    falling = with_relation(2, replace(claim.asserts[2], right="decreasing in epsilon"))
    yield Mutant("exponential descent's rate decreasing", falling, partial(turns, exponential, "epsilon", True))

    def over_delta(m: Numbers, n: Real, d: Real, epsilon: Real, delta: Real) -> Real:
        return 1 / m.sqrt(n) + m.sqrt(d * delta) / (n * epsilon)

    moved = with_formula(claim, "rate_gaussian", over_delta)
    yield Mutant("sqrt(delta) for sqrt(ln(1/delta))", moved, partial(turns, over_delta, "delta", True))
    without = with_formula(claim, "rate_gaussian", exponential)
    yield Mutant("the rate without delta", without, partial(turns, exponential, "epsilon", True))
    turned = with_formula(claim, "rate_exponential", rate)
    yield Mutant("Gaussian descent's rate for exponential descent's", turned, partial(turns, rate, "epsilon", False))
    other = scaled(claim, "rate_gaussian", 2, 1)
    yield Mutant("twice the rate (still true)", other, lambda: turns(rate, "epsilon", True) or turns(rate, "delta", True))
    below = with_relation(6, replace(claim.asserts[6], sign="<="))

    def tail() -> bool:
        """At epsilon = 1, mu = 1, by quadrature: the tail beyond log-ratio 1, and the same less e times the other tail."""
        m = mp(30)
        ends = [m.real(3) / 2, 4, 8, 20]
        mine, other = (m.mp.quad(lambda u, at=at: m.phi(u - at), ends) for at in (1, 0))  # type: ignore[attr-defined]
        return bool(mine > mine - m.exp(1) * other)

    yield Mutant("the tail of the loss at most the least delta", below, tail)
    for name, numerator, denominator in (("loss_exceeds", 1, 1000), ("least_delta", 1000, 1)):
        moved = scaled(claim, name, numerator, denominator)
        yield Mutant(f"{name} times {numerator}/{denominator}", moved, partial(tail_is_less, moved))
