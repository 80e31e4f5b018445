"""Error laws with next to no mass near their quantile: the most that Gaussian smoothing costs under them, and a law of features
under which the smoothed minimiser itself is far from optimal.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dpsco.arguments.formula import apply
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

SPLIT = Lemma(
    "split at distance sqrt(h)",
    "Where |u| > sqrt(h), exp(-u^2/(2 h^2)) < exp(-1/(2 h)); elsewhere it is at most 1, with probability at most exp(-1/h) by "
    "the condition at t = sqrt(h) <= tau. The mean is at most exp(-1/(2 h)) + exp(-1/h), for every such error.",
)
GAUSSIAN_GAP = Lemma(
    "gap of Gaussian smoothing",
    "c_h(u) - c(u) = (E|u + h V| - |u|)/2 = h phi(u/h) - |u| Phi(-|u|/h), V standard normal, for every level r: between 0 and "
    "h phi(u/h) = h exp(-u^2/(2 h^2))/sqrt(2 pi), decreasing in |u| with slope -Phi(-|u|/h).",
)
BEYOND = Lemma(
    "mass just beyond the reach",
    "Let |u| <= t have probability exp(-1/t^2) for t <= tau and the rest of the mass lie at |u| = a > tau, a share r of each "
    "part below 0: the condition holds, F is continuous at its r-quantile 0, and for a decreasing g the mean of g(|u|) is at "
    "least g(a) + the integral of -g'(t) exp(-1/t^2) over any part of [0, tau].",
)
DISTANCE = Lemma(
    "distance from a nearby point",
    "The objective is 2 lambda-strongly convex, so its minimiser is within |gradient at t|/(2 lambda) of any fixed t. The mean "
    "square of that gradient is at most |population gradient|^2 + r_bar^2 E|x|^2/n + d sigma^2/n^2, and by Markov's inequality "
    "the minimiser lies in a ball about t with the probability that this leaves.",
)
RARE = Lemma(
    "rare long features",
    "x = (1, z_1), with probability p (1, z_2); the error is independent, at -a with probability r, at a with 1 - r, but for a "
    "share eta <= exp(-1/tau^2) spread over |u| <= tau as the condition allows, r of it below 0. theta* = 0. With X = x'theta "
    "the excess risk is E[l(X)], l >= 0 and l(X) >= (1 - eta)(1 - r)(X - a) beyond a; the smoothed slope in X is (1 - r) "
    "Phi((X - a)/h) - r Phi(-(X + a)/h) up to eta. Records with z_1 gain by X > 0, as the push of the mass at -a falls; that "
    "gain, of order exp(-1/(2 h)), pays for X beyond a at the rare records. eta = 1e-60.",
)


def gap(m: Numbers, h: Real, u: Real) -> Real:
    """c_h - c at distance u >= 0 from the kink, Gaussian kernel."""
    return h * m.phi(u / h) - u * m.Phi(-u / h)


def gap_reached(m: Numbers, h: Real, tau: Real, a: Real) -> Real:
    """At most the mean of c_h - c under the law of `BEYOND`."""
    return gap(m, h, a) + _within(m, tau, lambda t: m.Phi(-t / h))


def mean_reached(m: Numbers, h: Real, tau: Real, a: Real) -> Real:
    """At most the mean of exp(-u^2/(2 h^2)) under the law of `BEYOND`."""
    return m.exp(-(a**2) / (2 * h**2)) + _within(m, tau, lambda t: t / h**2 * m.exp(-(t**2) / (2 * h**2)))


def _within(m: Numbers, tau: Real, fall: Callable[[Real], Real]) -> Real:
    """Integral of fall(t) exp(-1/t^2) over the upper half of [0, tau]."""
    return m.integral(lambda t: fall(t) * m.exp(-1 / t**2), tau / 2, tau)


@dataclass(frozen=True)
class RareFeatures:
    """A law of `RARE`, and a point near the population minimiser of the smoothed, regularised risk; decimal strings."""

    r: str
    a: str
    z: tuple[str, str]
    p: str
    near: tuple[str, str]
    radius: str
    eta: str = "1e-60"


def rare_risk(claim: Claim, m: Numbers, law: RareFeatures, values: Mapping[str, Real], projected: bool) -> Real:
    """At most the expected excess risk of the minimiser (projected onto the ball of radius B) at the claim's own choices."""
    lambda_, sigma, h = (apply(claim.formulas[name], m, values) for name in ("lambda_chosen", "sigma", "bandwidth"))
    r, a, p, radius, eta = (m.real(x) for x in (law.r, law.a, law.p, law.radius, law.eta))
    z_1, z_2 = (m.real(x) for x in law.z)
    t_1, t_2 = (m.real(x) for x in law.near)
    spread = eta * m.ball(-1, 1)  # type: ignore[attr-defined]
    gradient = [2 * lambda_ * t_1, 2 * lambda_ * t_2]
    for z, chance in ((z_1, 1 - p), (z_2, p)):
        X = t_1 + z * t_2
        slope = (1 - r) * m.Phi((X - a) / h) - r * m.Phi(-(X + a) / h) + spread
        gradient = [gradient[0] + chance * slope, gradient[1] + chance * slope * z]
    features = 1 + (1 - p) * z_1**2 + p * z_2**2
    square = gradient[0] ** 2 + gradient[1] ** 2 + values["r_bar"] ** 2 * features / values["n"]
    square += values["d"] * sigma**2 / values["n"] ** 2
    inside = 1 - square / (2 * lambda_ * radius) ** 2
    X = t_1 + z_2 * t_2 - radius * m.sqrt(1 + z_2**2)
    if projected:  # the projection multiplies by at least B over the largest norm in the ball, or by 1
        X = X * m.min(1, values["B"] / (m.sqrt(t_1**2 + t_2**2) + radius))
    return m.max(inside, 0) * p * (1 - eta) * (1 - r) * m.max(X - a, 0)
