"""Mutants of the population risk; their falsity is shown by truncated Gaussians in closed form and by binomial laws."""

from collections.abc import Iterator, Mapping
from math import comb
from typing import Any

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, changed, scaled, with_formula
from dpsco.mutants.algorithms.exponential_sampling.calibrated import LINEAR
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.exponential_sampling.generalisation import inner_deviation
from dpsco.spec.algorithms.exponential_sampling.mechanism import objective_slope
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

HUBER = {**LINEAR, "L_fx": "0", "L_fy": "1", "beta_gxy": "1", "beta_fyy": "2", "beta_gyy": "1", "d_x": "1"}
COLD = {"n": "1e30", "mu": "1e-6", "k": "1000", "d_x": "1"}
STIFF = {"n": "1000000", "mu": "2", "k": "1000", "d_x": "1"}
HOT = {"n": "1e30", "mu": "1e-9", "k": "1e-6", "d_x": "1"}


def _bound(claim: Claim, given: Mapping[str, str]) -> tuple[Any, Real, dict[str, Real]]:
    m = mp(60)
    v = {name: m.real(value) for name, value in given.items()}
    v["G"] = apply(claim.formulas["G"], m, v)
    return m.mp, apply(claim.formulas["bound"], m, v), v  # type: ignore[attr-defined]


def linear_risk_exceeds(claim: Claim, sign: int, given: Mapping[str, str]) -> bool:
    """f = sign x on [0, 1]: the draw is a Gaussian of mean -sign/mu cut off to the interval."""
    context, bound, v = _bound(claim, {**LINEAR, **given})
    context.dps = 60
    spread, centre = 1 / context.sqrt(v["k"] * v["mu"]), -sign / v["mu"]
    a, b = -centre / spread, (1 - centre) / spread
    low, high = (context.erfc(x / context.sqrt(2)) / 2 for x in ((a, b) if a > 0 else (-b, -a)))
    density = [context.exp(-(x**2) / 2) / context.sqrt(2 * context.pi) for x in (a, b)]
    mean = centre + spread * (density[0] - density[1]) / (low - high)
    return bool((mean if sign > 0 else 1 - mean) > bound)


def samples_exceed(claim: Claim) -> bool:
    """Two laws of n records z = +-2 sqrt(n), total variation bounded through 400 records of the same overlap."""
    n = 10**8
    _, bound, _ = _bound(claim, {**HUBER, "n": str(n), "L_gy": str(1 + 4 * 10**4), "mu": "0.05", "k": "1000"})
    few = 400  # the overlap of binomials with success (1 +- 1/(2 sqrt(n)))/2 falls towards its limit from below in n
    up = (1 + 1 / (2 * few**0.5)) / 2
    law = [comb(few, j) * up**j * (1 - up) ** (few - j) for j in range(few + 1)]
    variation = sum(abs(a - b) for a, b in zip(law, reversed(law), strict=True)) / 2
    return bool((1 - variation) / 4 - 0.02 > bound)


def of_population() -> Iterator[Mutant]:
    claim = find("bilevel/lem-B.7-amended")
    low = scaled(claim, "bound", 9, 10)
    yield Mutant("bound times 0.9", low, lambda: linear_risk_exceeds(low, 1, COLD))

    unbiased = changed(claim, "bound", lambda m, bound, v: bound - v["mu"] * v["D_x"] ** 2 / 2)
    yield Mutant("without the regulariser's bias", unbiased, lambda: linear_risk_exceeds(unbiased, -1, STIFF))

    frozen = changed(claim, "bound", lambda m, bound, v: bound - v["d_x"] / v["k"])
    yield Mutant("without d_x/k", frozen, lambda: linear_risk_exceeds(frozen, 1, HOT))

    def known(m: Numbers, bound: Real, v: Mapping[str, Any]) -> Real:
        rest = apply(inner_deviation, m, v)
        return bound - 2 * v["L_fy"] * rest

    exact = changed(claim, "bound", known)
    yield Mutant("without the error of the lower minimiser", exact, lambda: samples_exceed(exact))
    slope = with_formula(exact, "G", objective_slope)
    yield Mutant("and with the printed G", slope, lambda: samples_exceed(slope))
