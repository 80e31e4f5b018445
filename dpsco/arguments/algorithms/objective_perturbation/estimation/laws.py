"""How far the minimisers of objective perturbation really are from theta*: explicit models of one feature x = 1.

Each fact is a distance that is reached, up to a constant, along every path whose quantities obey its domain. In all of them r =
1/2 and the error's density is even, so theta_h* = theta* whatever the bandwidth; `g` is ln(1/gamma). The private minimiser is
at least half as far in expectation over b: it is beyond theta# whenever b has the sign that pushes it there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from dpsco.arguments.orders_of_growth import ONE, Exponents, bounded_above, combine, form, order
from dpsco.spec.algorithms.objective_perturbation.estimation import error_is_small
from dpsco.spec.claim import Claim
from dpsco.spec.conditions import optimum_in_ball
from dpsco.verdict import Lemma

Values = Mapping[str, Any]
"""Every quantity of the claim as an expression in positive symbols."""


@dataclass(frozen=True)
class Reached:
    """A distance that is reached, and where."""

    says: str
    """The family, in the finding's words."""
    lemma: Lemma
    distance: Callable[[Values], Any]
    domain: Callable[[Values], Sequence[Exponents]]
    """Linear forms in exponents, each at least 0."""
    moving: frozenset[str]
    """The quantities that move along a path; all others are constants."""
    allowed: Callable[[Claim], bool]
    """Whether the claim's preconditions leave room for it."""


def _free(claim: Claim) -> bool:
    return error_is_small not in claim.tests


def _any(claim: Claim) -> bool:
    return True


def _outside(claim: Claim) -> bool:
    return optimum_in_ball not in claim.tests


def _vanishing(v: Values, against: Any = 1) -> list[Exponents]:
    """(B lambda/against)^2 at most n^(-1/8), n growing."""
    return [form(n=1), *(combine(side, form(n="-1/8")) for side in bounded_above((v["B"] * v["lambda_"] / against) ** 2))]


def _not_small(v: Values, quantity: Any) -> Sequence[Exponents]:
    """lambda times the quantity bounded away from 0: asked of a free lambda, granted by the term 2 L^2/n of the chosen one."""
    return bounded_above(1 / (v["lambda_"] * quantity) ** 2) if v["lambda_"].is_Symbol else ()


def holds_sampling_term(v: Values) -> bool:
    """Whether lambda is free, or (B lambda)^2 holds a term L^2/n, as the facts about a chosen lambda need."""
    if v["lambda_"].is_Symbol:
        return True
    found = order((v["B"] * v["lambda_"]) ** 2)
    squares = [combine(part, found.bottom[0], -ONE) for part in found.top]
    return len(found.bottom) == 1 and any(part == form(L=2, n=-1) for part in squares)


def _curved(v: Values) -> Sequence[Exponents]:
    """2 lambda at most of the order of f, f bounded, and the error small against f^2, as the sampling bound asks."""
    return [*bounded_above((v["lambda_"] / v["f"]) ** 2), form(f=-1), form(n=7, f=32), *_vanishing(v, v["f"] ** 2)]


def _narrow(v: Values) -> Sequence[Exponents]:
    """h f small against sqrt(g/n): a free bandwidth is, the chosen one is at most of order (n epsilon)^(-1/2)."""
    return () if v["h"].is_Symbol else (form(g=8, epsilon=8, n=-1),)


FAR = Lemma(
    "all records far",
    "x = 1, theta* = 0, error density 1/(2 (1 + |t|)^2): f = 1/2, l_1 = 1, Pr[error >= Y] = q = 1/(2 (1 + Y)). With "
    "probability q^n all n outcomes exceed Y = 1/(2 lambda) + h w (w half the kernel's width); then the empirical slope is "
    "-1/2 on [0, 1/(2 lambda)], so theta# = 1/(4 lambda), and the private one has mean at least 1/(4 lambda) times Pr[|b| <= "
    "n/2]. A gamma below q^n has to cover it; ln(1/q^n) = n ln(2 + 2Y) < n^(11/10) for large n if lambda >= 1/n and h is "
    "bounded.",
)
GAP = Lemma(
    "thin density at the quantile",
    "x = 1, theta* = 0, l_1 = 1, error density f - |t| for |t| <= f, nothing until |t| = 1/lambda, the rest in even parts "
    "beyond. f^2 <= 1/(400 sqrt(n)) is the mass near 0. Between, theta# = (right - left - near)/(4 n lambda) by counts of "
    "records. E(right - left)^2 = n (1 - f^2), its fourth moment is at most 3 n^2, so by Paley and Zygmund and symmetry right "
    "- left >= 0.7 sqrt(n) with probability at least 0.04, and near <= sqrt(n)/4 but for 0.01 (Markov). So theta# >= 1/(10 "
    "sqrt(n) lambda) with probability above 1/50 = gamma, once h w and f lie below that.",
)
TAIL = Lemma(
    "tail of the empirical quantile",
    "x = 1, theta* = 0, l_1 = 1 >= 2 f^2, error density f for |t| <= 1/(4f), then falling with slope 2 f^2. theta# < -eta if "
    "more than n (1/2 + 2 lambda eta) errors are below -eta - h w, each with probability p = 1/2 - f (eta + h w) >= 1/4. A "
    "binomial count equals k with probability at least exp(-n (k/n - p)^2/(p (1 - p)))/(n + 1). At eta = sqrt(g/n)/(16 f), 2 "
    "lambda <= f, h w f + 1/n <= sqrt(g/n)/8 that is at least exp(-g/3)/(n + 1), above gamma = e^(-g) once g > (3/2) ln(n + "
    "1).",
)
SHRUNK = Lemma(
    "shrinkage",
    "x = 1, theta* = B, l_1 = 1 >= 2 f^2, error density f for |t| <= 1/(4f), then falling with slope 2 f^2. At theta* - eta "
    "the slope of the regularised risk has mean 2 lambda B - (f + 2 lambda) eta, which is lambda B at eta = lambda B/(f + 2 "
    "lambda), and variance at most 1/(4n): by Chebyshev theta# <= theta* - eta with probability at least 1 - 1/(4 n lambda^2 "
    "B^2), above 1/2 = gamma if n lambda^2 B^2 > 1/2, which 2 L^2/n in lambda^2 B^2 grants. For 2 lambda <= f, eta >= lambda "
    "B/(2f).",
)
OUTSIDE = Lemma(
    "theta* outside the ball",
    "The smoothed loss has slopes of norm at most L, so theta# and the private minimiser have norm at most L/(2 lambda) and "
    "(L + |b|/n)/(2 lambda): for fixed n their distance to theta* is at least |theta*| less a constant, for every data set.",
)

SAMPLE = (
    Reached(
        "gamma below the probability that all records are far",
        FAR,
        lambda v: 1 / v["lambda_"],
        lambda v: [form(g=10, n=-11), *_not_small(v, v["n"]), *_vanishing(v)],
        frozenset({"n", "g", "lambda_"}),
        _free,
    ),
    Reached(
        "gamma = 1/50, density at the quantile falling with n",
        GAP,
        lambda v: 1 / (v["lambda_"] * sympy.sqrt(v["n"])),
        lambda v: [form(f=-4, n=-1), *_not_small(v, v["n"]), *_vanishing(v)],
        frozenset({"n", "f", "lambda_"}),
        _free,
    ),
    Reached(
        "an even density that is flat at 0, theta* = 0",
        TAIL,
        lambda v: sympy.sqrt(v["g"] / v["n"]) / v["f"],
        lambda v: [form(g=8, n=-1), form(g=-8, n=7, f=32), *_curved(v), *_narrow(v)],
        frozenset({"n", "g", "s", "f", "lambda_", "B", "epsilon"}),
        _any,
    ),
    Reached(
        "an even density that is flat at 0, theta* = B, gamma = 1/2",
        SHRUNK,
        lambda v: v["B"] * v["lambda_"] / v["f"],
        lambda v: [*_curved(v), *_not_small(v, v["B"] * sympy.sqrt(v["n"]))],
        frozenset({"n", "s", "f", "lambda_", "B", "epsilon"}),
        _any,
    ),
)
"""Distances of theta# from theta_h* = theta*."""
BEYOND = Reached(
    "theta* outside the ball, everything else fixed",
    OUTSIDE,
    lambda v: v["optimum_norm"],
    lambda v: [form(optimum_norm=1)],
    frozenset({"optimum_norm"}),
    _outside,
)
