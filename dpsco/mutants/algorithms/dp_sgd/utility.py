"""Mutants of DP-SGD's risk, of the amended claim; falsity by runs on equal records, by one record, by simulation."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from dpsco.fast.algorithms.dp_sgd.algorithm import simulate
from dpsco.mutant import Mutant, carried_over, scaled, with_formula
from dpsco.mutants.algorithms.dp_sgd.stability import FAR, run
from dpsco.mutants.algorithms.gradient_perturbation.utility import (
    constants,
    has_a_lower_value,
    risk_exceeds,
    risk_exceeds_at_end,
    shown,
    value,
)
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def far_excess_is_larger(claim: Claim, n: int) -> bool:
    """Equal records far out, theta* at L n^2 eta along x: the exact fall of the affine loss, followed step by step."""
    x, r, eta, T = Fraction(4), Fraction(3, 4), Fraction(1, 1000), n * n
    found = run(((x, FAR),), (0,) * (T - 1), eta, Fraction(1), r)
    c = r * x * T * eta
    true = r * x * (c - sum(found) / T)
    numbers = {"optimum_norm": float(c), "L": 3, "n": n, "d": 1, "sigma": "1e-9", "eta": "0.001"}
    return float(true) > value(claim, "optimisation_bound", numbers) * (1 + 1e-9)


def noisy_excess_is_larger(claim: Claim, n: int, d: int, runs: int = 100) -> bool:
    """Simulated runs with the printed noise on one record x = 4 e_1, y = 2 x, r = 3/4: the mean less six standard errors."""
    numbers = {**constants(2.0, 1.0), "delta": "0.01", "n": n, "d": d}
    sigma = value(claim, "variance", numbers) ** 0.5
    numbers["sigma"] = sigma
    numbers["eta"] = eta = value(claim, "step_length", numbers)
    h = value(claim, "bandwidth", numbers)
    X = np.zeros((1, d))
    X[0, 0] = 4.0
    generator = np.random.Generator(np.random.Philox(key=34))
    ends = [simulate("uniform", X, np.array([8.0]), n * n - 1, eta, h, 0.75, sigma, generator)[0][0] for _ in range(runs)]
    u = 8.0 - 4.0 * np.array(ends)
    risks = np.where(u >= 0, 0.75 * u, -0.25 * u)
    low = risks.mean() - 6 * risks.std(ddof=1) / runs**0.5
    return bool(low > value(claim, "closed_form", numbers))


def of_amended() -> Iterator[Mutant]:
    claim = find("quantile/thm-3.4-amended")
    printed = with_formula(claim, "closed_form", find("quantile/thm-3.4").formulas["closed_form"])
    wide = shown(risk_exceeds_at_end, printed, "closed_form", "variance", 10, B=300.0, b=1e5, x=0.01, level=0.5)
    yield Mutant("the printed minimum", printed, wide)
    less = scaled(claim, "closed_form", 1, 5)
    yield Mutant("a fifth of the minimum", less, shown(risk_exceeds_at_end, less, "closed_form", "variance", 1))

    def quiet(
        m: Numbers, B: Real, L: Real, n: Real, d: Real, epsilon: Real, delta: Real, kappa_1: Real, K_bar: Real, B_x: Real
    ) -> Real:
        return B * L * m.sqrt(2 / n + 2 / n**3 + (1 + kappa_1 * K_bar * B_x**2 / (2 * L**2)) / n**2)

    without = with_formula(claim, "closed_form", quiet)
    yield Mutant("no privacy term in the minimum", without, shown(noisy_excess_is_larger, without, 10, 1000))
    loud = scaled(claim, "variance", 1000, 1)
    yield Mutant("1000 times the variance", loud, shown(noisy_excess_is_larger, loud, 30, 1))
    longer = scaled(claim, "step_length", 2, 1)
    yield Mutant("twice the step length", longer, shown(has_a_lower_value, longer, "risk_at_step_length", 0.5))
    half = scaled(claim, "optimisation_bound", 9, 10)
    yield Mutant("0.9 of the optimisation bound", half, shown(far_excess_is_larger, half, 30))
    half = scaled(claim, "risk_at_step_length", 6, 10)
    yield Mutant("0.6 of the displayed sum", half, shown(risk_exceeds, half, "risk_at_step_length", 100, 10**4, 1.0))
    yield Mutant("the minimum times 2 (still true)", scaled(claim, "closed_form", 2, 1), lambda: False)


def of_printed() -> Iterator[Mutant]:
    claim, amended = find("quantile/thm-3.4"), find("quantile/thm-3.4-amended")
    yield from carried_over(claim, amended, of_amended(), "step_length", "optimisation_bound", "risk_at_step_length")
