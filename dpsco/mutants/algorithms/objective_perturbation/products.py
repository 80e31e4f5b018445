"""Mutants of several products' budgets, constants and rates; falsity by sampled losses, by a gradient, by growing numbers."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from math import comb, exp, log, sqrt

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.algorithms.gradient_perturbation.utility import shown, value
from dpsco.spec.algorithms.objective_perturbation import products as spec
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.predicate import Predicate
from dpsco.spec.register import find


def event(S: int, epsilon: float, each: float) -> float:
    """P - e^epsilon Q of the event that the loss of S answers of randomised response exceeds epsilon: a sum over counts."""
    p, q, total = 1 / (1 + exp(-each)), 1 / (1 + exp(each)), 0.0
    for lies in range(S + 1):
        if (S - 2 * lies) * each > epsilon:
            one = exp(log(comb(S, lies)) + (S - lies) * log(p) + lies * log(q))
            total += one * (1 - exp(epsilon - (S - 2 * lies) * each))
    return total


def leaks(factor: float, S: int, epsilon: float, delta: float) -> bool:
    """Whether S pure runs at `factor` times the printed share need more than delta."""
    each = factor * epsilon / (2 * sqrt(2 * S * log(2 / delta)))
    return event(S, epsilon, each) > delta * 1.001


def shared(claim: Claim, numerator: int, denominator: int) -> Claim:
    """The claim with a larger share of epsilon for each run."""

    def test(m: Numbers, S: Real, epsilon: Real, delta: Real, epsilon_0: Real, delta_0: Real) -> Truth:
        return m.all(
            m.le(epsilon_0, spec.epsilon_product(m, S=S, epsilon=epsilon, delta=delta) * m.frac(numerator, denominator)),
            m.le(delta_0, spec.delta_product(m, S=S, delta=delta)),
        )

    moved = Predicate(spec.SHARED.says, test, spec.SHARED.accepts, spec.SHARED.rejects)
    return replace(claim, preconditions=tuple(moved if p == spec.SHARED else p for p in claim.preconditions))


def shorter_than_gradient(claim: Claim, S: int = 9) -> bool:
    """S equal products far from their kinks: the length of the gradient of the sum, entry by entry."""
    gradient = [0.75 * 4.0] * S
    claimed = value(claim, "lipschitz_total", {"S": S, "B_x": 4, "r_bar": "0.75"})
    return claimed < sqrt(sum(g * g for g in gradient)) * 0.9999


def flatter_than_curvature(claim: Claim) -> bool:
    """One product, Epanechnikov's kernel, B_x = 4: the change of the loss's slope around the kink, per unit of theta."""
    x, h, step = 4.0, 0.5, 1e-3
    u = x * step / h  # the distribution function (2 + 3 u - u^3)/4 there, less that at -u
    curvature = x * ((2 + 3 * u - u**3) / 4 - (2 - 3 * u + u**3) / 4) / (2 * step)
    return value(claim, "smoothness_total", {"S": 1, "B_x": 4, "K_bar": "0.75", "h": "0.5"}) < curvature * 0.9999


def risk_outgrows(claim: Claim, name: str, floor: Callable[[int], float]) -> bool:
    """Whether a risk that is reached, over the rate, grows by more than 1.5 each time n grows by 64, four times over."""
    ratios = []
    for k in range(1, 6):
        n = 64**k
        many = name == "rate_total"
        numbers: dict[str, object] = {"n": n, "d": 1, "S": 2**k if many else 1}
        numbers |= {"epsilon": 1, "delta": "0.5"} if many else {"epsilon": n, "delta": f"1e-{n * n // 2}"}
        ratios.append(floor(k) / value(claim, name, numbers))
    return all(later > 1.4 * before for before, later in pairwise(ratios))


def of_products() -> Iterator[Mutant]:
    claim = find("newsvendor/prop-1-amended")
    every = replace(claim, preconditions=tuple(p for p in claim.preconditions if p != spec.MODERATE))
    yield Mutant("every epsilon", every, shown(leaks, 1.0, 300, 60.0, 0.5))
    more = shared(claim, 2, 1)
    yield Mutant("twice the share", more, shown(leaks, 2.0, 200, 10.0, 0.5))
    less = scaled(claim, "lipschitz_total", 9, 10)
    yield Mutant("0.9 of the Lipschitz constant", less, shown(shorter_than_gradient, less))
    flat = scaled(claim, "smoothness_total", 9, 10)
    yield Mutant("0.9 of the smoothness constant", flat, shown(flatter_than_curvature, flat))
    once = with_formula(claim, "rate_product", spec.rate_product)
    # the slope L against lambda >= 8 L/B: the risk stays at least L B/2
    yield Mutant("one logarithm in the rate of a product", once, shown(risk_outgrows, once, "rate_product", lambda k: 0.25))
    root = with_formula(claim, "rate_total", spec.rate_total)
    # S products of two demands each: 1/(20 sqrt(n)) apiece, n = S^6
    yield Mutant("the printed total", root, shown(risk_outgrows, root, "rate_total", lambda k: 2**k / (20 * 8**k)))
    yield Mutant("twice the total (still true)", scaled(claim, "rate_total", 2, 1), lambda: False)
