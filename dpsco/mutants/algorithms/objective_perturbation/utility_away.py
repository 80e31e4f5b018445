"""Mutants of objective perturbation's risk away from the kink; falsity by quadrature of the smoothing and by drawn runs."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import mpmath

from dpsco.mutant import Mutant, changed, scaled, with_formula
from dpsco.mutants.algorithms.gradient_perturbation.utility import shown, value
from dpsco.mutants.algorithms.objective_perturbation.utility import biased, chosen, ratio_grows, risk_exceeds, shrunk
from dpsco.spec.algorithms.objective_perturbation.utility_away import CONDITION
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

WIDE: Mapping[str, Any] = {"kappa_1": 12.0, "K_bar": 0.021, "kappa_2": 192.0, "epsilon": 0.001, "delta": 0.999}
"""The uniform kernel on [-24, 24], little noise."""


def smoothing_cost(w: float, h: float, u: float) -> float:
    """c_h(u) - c(u) for the uniform kernel on [-w, w] and r = 1/2, by quadrature of the convolution."""
    kinks = sorted({-w, w, min(max(u / h, -w), w)})
    mean = mpmath.quad(lambda v: abs(u - h * v) / 2, kinks) / (2 * w)
    return float(mean) - abs(u) / 2


def approximation_exceeds(claim: Claim, w: float, h: float, M: float) -> bool:
    """Two residuals +-1/M: their smoothing cost against the claimed one."""
    numbers = {"h": h, "M": M, "kappa_2": w**2 / 3}
    return smoothing_cost(w, h, 1 / M) > value(claim, "approximation_error", numbers) * (1 + 1e-9)


def spread_exceeds(claim: Claim, w: float, h: float, s: float) -> bool:
    """Residuals with density s around 0: the mean smoothing cost, by quadrature, against the claimed one."""
    mean = 2 * s * mpmath.quad(lambda u: smoothing_cost(w, h, float(u)), [0, h * w])
    return float(mean) > value(claim, "approximation_error_spread", {"h": h, "s": s, "kappa_2": w**2 / 3}) * (1 + 1e-6)


def implication_fails(claim: Claim, power: float = -0.5) -> bool:
    """The condition at epsilon = n^power, n^(-1/2) the printed threshold: the left side over the right one falls with n."""
    ratios = []
    for n in (10**4, 10**8):
        v = chosen(claim, {"n": n, "epsilon": n**power, "delta": 0.1})
        if value(claim, "condition_left", v) < 1 / n:
            return False
        ratios.append(value(claim, "dominance_left", v) / value(claim, "dominance_right", v))
    return ratios[1] < ratios[0] / 3


def _in_n(power: int, m: Numbers, formula: Real, v: Mapping[str, Any]) -> Real:
    return formula * v["n"] ** power


def of_away() -> Iterator[Mutant]:
    claim, printed = find("quantile/thm-3.6-2-amended"), find("quantile/thm-3.6-2")
    old = with_formula(claim, "approximation_error", printed.formulas["approximation_error"])
    yield Mutant("the printed smoothing error", old, shown(approximation_exceeds, old, 24.0, 1.0, 1 / 8))
    less = scaled(claim, "approximation_error", 4, 5)
    yield Mutant("0.8 of the smoothing error", less, shown(approximation_exceeds, less, 3.0, 1.0, 1.0))
    less = scaled(claim, "approximation_error_spread", 9, 10)
    yield Mutant("0.9 of it under a bounded density", less, shown(spread_exceeds, less, 3.0, 0.01, 0.5))
    for name, n in (("risk_away", 10**8), ("closed_form_away", 10**8)):
        old = with_formula(claim, name, printed.formulas[name])
        given = {**WIDE, "n": n, "optimum_norm": 0.0, "B": 2.0}
        far = shown(risk_exceeds, old, name, biased, given, 0.01)
        yield Mutant(f"the printed {name}", old, far)
    at = {"n": 10**6, "epsilon": 1.0}
    for name, law in (("regularisation_away", shrunk), ("bandwidth", biased)):
        more = scaled(claim, name, 1000, 1)
        yield Mutant(f"1000 times the {name}", more, shown(risk_exceeds, more, "closed_form_away", law, at, 0.01))
    less = scaled(claim, "closed_form_away", 1, 5)
    yield Mutant("a fifth of the closed form", less, shown(risk_exceeds, less, "closed_form_away", shrunk, at, 0.01))

    def many(n: float) -> dict[str, Any]:
        return {"d": round(n**2), "epsilon": n**0.5}

    for name in ("rate_away", "rate_away_sum"):
        old = with_formula(claim, name, printed.formulas[name])
        yield Mutant(f"the printed {name}", old, shown(ratio_grows, old, name, shrunk, many, 0.01))
    kept = tuple(p for p in claim.preconditions if "omega" not in p.names)
    old = replace(claim, preconditions=(*kept, CONDITION))
    stays = shown(ratio_grows, old, "rate_away", biased, lambda n: {"epsilon": n**-0.5}, 0.02)
    yield Mutant("the printed condition", old, stays)
    old = with_formula(claim, "condition_left", printed.formulas["condition_left"])
    yield Mutant("the printed condition in the implication", old, shown(implication_fails, old))
    for name, power in (("dominance_left", -1), ("dominance_right", 1)):
        old = changed(claim, name, partial(_in_n, power))
        yield Mutant(f"n^{power} times the {name}", old, shown(implication_fails, old, 0.0))
    yield Mutant("twice the closed form (still true)", scaled(claim, "closed_form_away", 2, 1), lambda: False)
