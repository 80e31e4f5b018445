"""Risk that objective perturbation reaches where errors have a bounded density, enclosed from below, for every n and d.

All features are B_x e_1, the error uniform on [-w, w] with w = 1/(2 s): its distribution function is s-Lipschitz. Only the
first coordinate counts, and it minimises a problem of its own whatever the others do. r = r_bar >= 1/2.
"""

from collections.abc import Mapping

from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk_instances as instances
from dpsco.arguments.algorithms.objective_perturbation.risk.root_parameters import lipschitz
from dpsco.reference.losses import kernels
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

SHRUNK = Lemma(
    "a slope that the regulariser withstands",
    "y = c + error with a chance, c = B B_x - w, else far below, so that the population risk falls by a along e_1 in the "
    "mean, 0 < a <= L; theta* lies in the ball. 2 lambda theta_1 is minus b_1/n and the mean of the losses' slopes, in "
    "expectation at most a as the far outcomes go to minus infinity, whatever noise, kernel and bandwidth. By Jensen over "
    "the error the excess is at least a (c/B_x - E theta_1) - w/4 >= a (B - w/B_x - a/(2 lambda)) - w/4; a = L or lambda (B "
    "- w/B_x), the less.",
)
SHIFTED = Lemma(
    "smoothing moves the quantile",
    "y is the error, theta* = (2 r - 1) w/B_x e_1. At theta_1 B_x = v h - w > 0 every residual has calK <= calK(v), so the "
    "objective's slope there is at most B_x (calK(v) - r) + 2 lambda theta_1 + b_1/n: negative with probability Phi(n "
    "W/sigma), W minus the rest. Then the minimiser lies beyond, and by Jensen the excess is at least (1 - r) (v h - w) - "
    "w/4; else at least 0. calK is the kernel's own, here Epanechnikov's: K_bar = 3/4, kappa_2 = 1/5.",
)
SHAKEN = Lemma(
    "noise that no slope holds",
    "y is the error. 2 lambda theta_1 differs from -b_1/n by at most r B_x on the one side and (1 - r) B_x on the other: "
    "theta_1 >= (-b_1/n - (1 - r) B_x)/(2 lambda), and so on. By Jensen the excess is at least (1 - r) B_x E(-b_1/n - (1 - "
    "r) B_x)_+/(2 lambda) + r B_x E(b_1/n - r B_x)_+/(2 lambda) - w/4, for every kernel, bandwidth and n.",
)
FAMILY = (SHRUNK, SHIFTED, SHAKEN)
PLACES = ("0.02", "0.1", "0.2", "0.3", "0.5", "0.8")
"""Standardised distances at which the smoothed slope is enclosed."""


def width(m: Numbers, v: Mapping[str, Real]) -> Real:
    """w of the lemmas."""
    return 1 / (2 * v["s"])


def shrunk(m: Numbers, v: Mapping[str, Real], lambda_: Real) -> Real:
    """By a slope against the regulariser; 0 where the outcome does not fit into the ball."""
    w, L = width(m, v), lipschitz(v)
    room = v["B"] - w / v["B_x"]
    return instances.shrunk(m, room, L, lambda_) - w / 4 if m.gt(room, 0) is True else m.real(0)


def shifted(m: Numbers, v: Mapping[str, Real], sigma: Real, lambda_: Real, h: Real) -> Real:
    """By the smoothing: 0 for another kernel's numbers, or where theta* lies outside of the ball."""
    w, r, best = width(m, v), v["r_bar"], m.real(0)
    # a decimal is a ball: 0.2 and 1/5 cannot be told apart, 0.21 and 1/5 can
    other = m.eq(v["K_bar"], m.frac(3, 4)) is False or m.eq(v["kappa_2"], m.frac(1, 5)) is False
    if other or m.le((2 * r - 1) * w, v["B"] * v["B_x"]) is not True:
        return best
    for place in PLACES:
        beyond = m.real(place) * h - w
        slope = v["B_x"] * (r - kernels.integrated(m, "epanechnikov", m.real(place))) - 2 * lambda_ * beyond / v["B_x"]
        gained = (1 - r) * beyond - w / 4
        if m.gt(beyond, 0) is True and m.gt(slope, 0) is True and m.gt(gained, 0) is True:
            best = m.max(best, m.Phi(v["n"] * slope / sigma) * gained)
    return best


def shaken(m: Numbers, v: Mapping[str, Real], sigma: Real, lambda_: Real) -> Real:
    """By the noise of the first coordinate."""
    total, spread = -width(m, v) / 4, sigma / v["n"]
    for share in (v["r_bar"], 1 - v["r_bar"]):
        at = share * v["B_x"] / spread
        over = spread * (m.phi(at) - at * m.Phi(-at))
        total = total + share * v["B_x"] * over / (2 * lambda_)
    return total


def reached(m: Numbers, v: Mapping[str, Real], sigma: Real, lambda_: Real, h: Real) -> Real:
    """The largest of the three."""
    shown = (shrunk(m, v, lambda_), shifted(m, v, sigma, lambda_, h), shaken(m, v, sigma, lambda_))
    return m.max(*(value for value in shown if value.is_finite()), m.real(0))
