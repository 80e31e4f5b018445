"""Selecting penalties on a validation loss: the lower problem trains a linear model, the upper one judges it.

A record is a training row a with outcome b and a validation row c with outcome e. With a loss rho of a prediction p,

    f(x, y, z) = rho(<c, y>, e),    g(x, y, z) = rho(<a, y>, b) + (1/2) sum over j of lambda(x_k(j)) y_j^2,

k(j) the group of coordinate j, one entry of x a group. x_k is the place of the log penalty on a declared interval [low, high]:
every real x is allowed, and lambda stays inside. ridge.py and logistic.py say which rho.
"""

from collections.abc import Sequence
from random import Random

from dpsco.spec.contract import Inputs
from dpsco.spec.expressions import exp, log, sqrt, symbols
from dpsco.spec.numbers import Numbers, Real

high, low, x = symbols("high low x")

ACCURACY = 1e-6


penalty = low * exp(log(high / low) / (1 + exp(-x)))
"""lambda(x) = low (high/low)^s(x), s(x) = 1/(1 + e^-x)."""

_share = 1 / (1 + exp(-x))
penalty_slope = penalty * log(high / low) * _share * (1 - _share)
"""lambda'(x) = lambda log(high/low) s (1 - s)."""

steepest_penalty = high * log(high / low) / 4
"""A bound on |lambda'|: lambda <= high and s (1 - s) <= 1/4."""

_width = log(high / low)
largest_bend = high * (_width**2 / 16 + _width / (6 * sqrt(3)))
"""A bound on |lambda''| = lambda |l^2 s'^2 + l s''|, l = log(high/low): s' <= 1/4 and |s''| <= 1/(6 sqrt 3)."""


def constants(
    m: Numbers, slope: Real, curvature: Real, third: Real, radius: Real, bound: Real, low: Real, high: Real
) -> dict[str, Real]:
    """The constants of Assumptions 2.1 and 2.2 where |y| <= radius, rows have |a|, |c| <= bound and |rho'| <= slope, rho'' <=
    curvature, |rho'''| <= third, derivatives in the prediction. Those not named are 0.

    f has gradient rho' c and Hessian rho'' c c'. g adds the diagonal of penalties, between low and high: its gradient is at
    most bound slope + high radius, its Hessian between low and bound^2 curvature + high, with slope bound^3 third in y and
    max |lambda'| in x. Row k of grad_xy g is lambda'(x_k) y on group k: the rows have disjoint supports, so the operator norm
    is the longest row: at most max |lambda'| radius, with slope max |lambda'| in y and max |lambda''| radius in x.
    """
    steep = steepest_penalty(m, low=low, high=high)
    return {
        "L_fx": 0 * slope,
        "L_fy": bound * slope,
        "L_gy": bound * slope + high * radius,
        "mu_g": low,
        "beta_fyy": bound**2 * curvature,
        "beta_gyy": bound**2 * curvature + high,
        "beta_gxy": steep * radius,
        "M_gxy": largest_bend(m, low=low, high=high) * radius,
        "M_gyy": steep,
        "C_gxy": steep,
        "C_gyy": bound**3 * third,
    }


def any_records(random: Random, outcomes: Sequence[float]) -> Inputs:
    """A few records with rows in a ball, one to three groups, penalties over up to four decades; y in the unit ball."""
    n, d = random.choice((1, 2, 5, 12)), random.choice((1, 2, 3, 6))
    d_x, bound = random.choice([k for k in (1, 2, 3) if k <= d]), 10 ** random.uniform(-1, 1)

    def rows() -> list[list[float]]:
        return [[0.99 * bound / d**0.5 * random.uniform(-1, 1) for _ in range(d)] for _ in range(n)]

    return {
        "x": [random.gauss(0, 2) for _ in range(d_x)],
        "y": [random.uniform(-1, 1) / d for _ in range(d)],
        "A": rows(),
        "b": [random.choice(outcomes) for _ in range(n)],
        "C": rows(),
        "e": [random.choice(outcomes) for _ in range(n)],
        "groups": [j % d_x for j in range(d)],
        "bound": bound,
        "low": 10 ** random.uniform(-3, 0),
        "high": 10 ** random.uniform(0, 1),
    }


def lower_only(given: Inputs) -> Inputs:
    """The same records for a contract that solves the lower problem."""
    return {name: value for name, value in given.items() if name not in ("y", "C", "e")} | {"accuracy": ACCURACY}
