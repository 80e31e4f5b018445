"""Mutants of objective perturbation's risk; falsity by solving the perturbed problem in one dimension, by fractions, by values.

Runs draw data and noise, and find the minimiser by bisection of its derivative. Features are B_x e_1: the other coordinates
cost nothing, so that d enters through sigma and lambda only. The kernel is uniform on [-w, w], w = 2 kappa_1.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.algorithms.gradient_perturbation.utility import shown, value
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

RUNS = 400
FIXED: Mapping[str, Any] = {
    **{"B": 1.0, "optimum_norm": 1.0, "B_x": 1.0, "L": 0.75, "kappa_1": 0.5, "K_bar": 0.5, "kappa_2": Fraction(1, 3)},
    **{"delta": 0.1, "omega": 1e-6, "d": 1, "M": 100.0},
}


def chosen(claim: Claim, given: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers with sigma, lambda and h as the claim's formulas have them."""
    numbers = {**FIXED, **given}
    variance = claim if "variance" in claim.formulas else find("quantile/thm-3.6-1")
    numbers["sigma"] = value(variance, "variance", numbers) ** 0.5
    name = "regularisation" if "regularisation" in claim.formulas else "regularisation_away"
    numbers.setdefault("lambda_", value(claim, name, numbers))
    numbers.setdefault("h", value(claim, "bandwidth", numbers))
    return numbers


def minimisers(v: Mapping[str, Any], outcomes: NDArray[Any], shares: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """theta_OP along e_1 of each run: `shares` (runs, outcomes) of the records, -inf for far below."""
    low, high = (np.full(len(b), side * 1e6) for side in (-1.0, 1.0))
    width, level = 2 * v["kappa_1"] * v["h"], v["L"] / v["B_x"]
    for _ in range(90):
        theta = (low + high) / 2
        below = np.clip(((theta[:, None] * v["B_x"] - outcomes) / width + 1) / 2, 0, 1)
        slope = v["B_x"] * ((shares * below).sum(axis=1) - level) + 2 * v["lambda_"] * theta + b / v["n"]
        low, high = np.where(slope < 0, theta, low), np.where(slope < 0, high, theta)
    return (low + high) / 2


def least_risk(v: Mapping[str, Any], outcomes: NDArray[Any], chances: NDArray[Any], best: float) -> float:
    """Mean less six standard errors of the excess risk over theta = best, with drawn data and noise."""
    generator = np.random.Generator(np.random.Philox(key=36))
    shares = generator.multinomial(v["n"], chances, size=RUNS) / v["n"]
    theta = minimisers(v, outcomes, shares, v["sigma"] * generator.standard_normal(RUNS))
    level = v["L"] / v["B_x"]

    def losses(at: NDArray[Any]) -> NDArray[Any]:
        u = np.maximum(outcomes, -1e7)[None, :] - at[:, None] * v["B_x"]
        return np.asarray((np.where(u >= 0, level, level - 1) * u * chances).sum(axis=1))

    risks = losses(theta) - losses(np.array([best]))
    return float(risks.mean() - 6 * risks.std(ddof=1) / RUNS**0.5)


def shrunk(v: Mapping[str, Any], apart: float = 0.0) -> float:
    """The law whose slope up to theta* = c is lambda c, its outcomes at c split by `apart`."""
    c, level = v["optimum_norm"], v["L"] / v["B_x"]
    slope = min(v["lambda_"] * c, v["L"]) / v["B_x"]
    outcomes = np.array([-np.inf, c * v["B_x"] - apart, c * v["B_x"] + apart])
    return least_risk(v, outcomes, np.array([level - slope, slope, 1 - level]), c)


def biased(v: Mapping[str, Any], apart: float = 0.0) -> float:
    """Two outcomes beside B_x theta*, theta* = -c."""
    centre, level = -v["optimum_norm"] * v["B_x"], v["L"] / v["B_x"]
    return least_risk(v, np.array([centre - apart, centre + apart]), np.array([level, 1 - level]), -v["optimum_norm"])


def risk_exceeds(claim: Claim, name: str, law: Any, given: Mapping[str, Any], apart: float = 0.0) -> bool:
    """Whether the runs' risk is certainly above the claimed bound."""
    v = chosen(claim, given)
    return bool(law(v, apart) > value(claim, name, v) * (1 + 1e-9))


def ratio_grows(claim: Claim, name: str, law: Any, path: Any, apart: float = 0.0) -> bool:
    """Whether the runs' risk over the rate is three times as large at n = 10^8 as at n = 10^4, on a path n -> numbers."""
    ratios = []
    for n in (10**4, 10**8):
        v = chosen(claim, {"n": n, **path(float(n))})
        ratios.append(law(v, apart) / value(claim, name, v))
    return bool(ratios[0] > 0 and ratios[1] > 3 * ratios[0])


def gap_exceeds(claim: Claim) -> bool:
    """Two records with random signs, far out: the exact mean over the data sets of population less empirical risk."""
    n, L, lambda_, gap = 2, Fraction(3), Fraction(1, 5), Fraction(0)
    for signs in product((-1, 1), repeat=n):
        slope = L * sum(signs) / n
        gap += slope * (slope / (2 * lambda_)) / 2**n  # theta = slope/(2 lambda), population 0, empirical -slope theta
    return float(gap) > value(claim, "stability", {"L": L, "n": n, "lambda_": lambda_}) * (1 + 1e-9)


def empirical_exceeds(claim: Claim, optimum: float) -> bool:
    """Runs on equal records at theta*, narrow smoothing (optimum 1) or, at 0 and r = 1/2, wide smoothing."""
    L, lambda_ = (0.75, 0.75) if optimum else (0.5, 0.01)
    h = 1e-6 if optimum else 25.0
    given = {"n": 100, "epsilon": 100.0, "optimum_norm": optimum, "L": L, "lambda_": lambda_, "h": h}
    v = chosen(claim, given)
    b = v["sigma"] * np.random.Generator(np.random.Philox(key=37)).standard_normal(RUNS)
    theta = minimisers(v, np.array([optimum]), np.ones((RUNS, 1)), b)

    def smooth(at: NDArray[Any]) -> NDArray[Any]:
        u = optimum - at
        inner = np.where(np.abs(u) <= h, (u**2 / h + h) / 4, np.abs(u) / 2)
        return np.asarray(inner + (L - 0.5) * u)

    excess = smooth(theta) - smooth(np.array([optimum]))
    low = excess.mean() - 6 * excess.std(ddof=1) / RUNS**0.5
    return bool(low > value(claim, "empirical_excess", v))


def ball_exceeds(claim: Claim) -> bool:
    """Whether the empirical excess at |theta*| = B is above its bound over the ball."""
    v = chosen(claim, {"n": 7, "epsilon": 0.5})
    return value(claim, "empirical_excess", v) > value(claim, "empirical_excess_over_ball", v) * (1 + 1e-9)


def differs(claim: Claim, left: str, right: str, factor: float = 1.0) -> bool:
    """Whether two formulas differ at the chosen lambda (times `factor`: whether the left one is lower there)."""
    v = chosen(claim, {"n": 7, "epsilon": 0.5})
    if factor == 1.0:
        return abs(value(claim, left, v) / value(claim, right, v) - 1) > 1e-9
    moved = {**v, "lambda_": factor * v["lambda_"]}
    moved["h"] = value(claim, "bandwidth", moved)
    return value(claim, left, moved) < value(claim, left, v) * (1 - 1e-9)


def of_risk() -> Iterator[Mutant]:
    claim = find("quantile/thm-3.6-1-amended")
    printed = with_formula(claim, "rate_any_data", find("quantile/thm-3.6-1").formulas["rate_any_data"])
    as_n = shown(ratio_grows, printed, "rate_any_data", shrunk, lambda n: {"epsilon": n})
    yield Mutant("the printed rate", printed, as_n)

    def with_log(argument: int, more: int, second: bool = True) -> Any:
        def rate(m: Numbers, n: Real, d: Real, epsilon: Real, delta: Real) -> Real:
            last = m.sqrt(d * (m.log(argument / delta) + more * epsilon)) / (n * epsilon)
            return m.max(1 / m.sqrt(n), 1 / m.sqrt(n * epsilon), last) if second else m.max(1 / m.sqrt(n), last)

        return with_formula(claim, "rate_any_data", rate)

    near_one = with_log(1, 1)

    def quiet(n: float) -> dict[str, Any]:
        return {"d": round(n**1.25), "epsilon": n**-0.25, "delta": Fraction(1) - Fraction(1, int(n))}

    # the ratio grows like n^(1/8), threefold from 10^4 to 10^8 as 10^(4/8) = 3.16
    yield Mutant("ln(1/delta) for ln(2/delta)", near_one, shown(ratio_grows, near_one, "rate_any_data", shrunk, quiet))
    alone = with_log(2, 0)
    wide = shown(ratio_grows, alone, "rate_any_data", shrunk, lambda n: {"d": round(n**2), "epsilon": n**0.5})
    yield Mutant("no epsilon beside the logarithm", alone, wide)
    single = with_log(2, 1, False)
    small = shown(ratio_grows, single, "rate_any_data", shrunk, lambda n: {"epsilon": n**-0.5})
    yield Mutant("no term for the smoothing in the rate", single, small)
    at = {"n": 10**6, "epsilon": 1.0}
    many = {"n": 1000, "d": 4000, "epsilon": 1.0}
    for name, law, given in (("variance", shrunk, many), ("regularisation", shrunk, at), ("bandwidth", biased, at)):
        more = scaled(claim, name, 1000, 1)
        yield Mutant(f"1000 times the {name}", more, shown(risk_exceeds, more, "closed_form", law, given))
    less = scaled(claim, "closed_form", 1, 5)
    yield Mutant("a fifth of the closed form", less, shown(risk_exceeds, less, "closed_form", shrunk, at))

    def without_noise(m: Numbers, B: Real, L: Real, n: Real, epsilon: Real, kappa_1: Real, K_bar: Real, B_x: Real) -> Real:
        return 2 * B * m.sqrt(2 * L**2 / n + kappa_1 * K_bar * B_x**2 / (2 * n * epsilon))

    free = with_formula(claim, "closed_form", without_noise)
    many = {"n": 1000, "d": 10**4, "epsilon": 1.0}
    yield Mutant("no noise in the closed form", free, shown(risk_exceeds, free, "closed_form", shrunk, many))
    yield Mutant("twice the closed form (still true)", scaled(claim, "closed_form", 2, 1), lambda: False)


def of_proof() -> Iterator[Mutant]:
    claim = find("quantile/thm-3.6-1-proof-amended")
    less = scaled(claim, "stability", 1, 5)
    yield Mutant("a fifth of the gap", less, shown(gap_exceeds, less))
    less = scaled(claim, "empirical_excess", 2, 5)
    yield Mutant("0.4 of the empirical excess", less, shown(empirical_exceeds, less, 1.0))

    def shrinkage(m: Numbers, lambda_: Real, optimum_norm: Real) -> Real:
        return lambda_ * optimum_norm**2

    bare = with_formula(claim, "empirical_excess", shrinkage)
    yield Mutant("lambda |theta*|^2 alone, as the second bracket prints", bare, shown(empirical_exceeds, bare, 0.0))

    def sharp(m: Numbers, L: Real, n: Real, lambda_: Real, d: Real, sigma: Real, B: Real) -> Real:
        return 2 * L**2 / (n * lambda_) + d * sigma**2 / (n**2 * lambda_) + lambda_ * B**2

    sharper = with_formula(claim, "risk_derived", sharp)
    wide = {"n": 10**8, "epsilon": 1000.0, "lambda_": 1e-6, "h": 1000.0}
    yield Mutant("nothing for the smoothing", sharper, shown(risk_exceeds, sharper, "risk_derived", biased, wide))
    more = scaled(claim, "regularisation", 2, 1)
    yield Mutant("twice the regularisation", more, shown(differs, more, "risk_derived", "closed_form", 0.5))
    less = scaled(claim, "empirical_excess_over_ball", 2, 5)
    yield Mutant("0.4 of the excess over the ball", less, shown(ball_exceeds, less))
    smoother = scaled(claim, "bandwidth", 2, 1)
    yield Mutant("twice the bandwidth", smoother, shown(differs, smoother, "risk_derived", "closed_form"))
    less = scaled(claim, "closed_form", 9, 10)
    yield Mutant("0.9 of the closed form", less, shown(differs, less, "risk_derived", "closed_form"))
    yield Mutant("twice the gap (still true)", scaled(claim, "stability", 2, 1), lambda: False)
