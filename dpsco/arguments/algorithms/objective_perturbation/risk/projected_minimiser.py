"""The perturbed minimiser projected onto the ball: its risk from below, for the newsvendor's choices of lambda and h."""

from collections.abc import Mapping

from dpsco.arguments.algorithms.objective_perturbation.risk.spread_errors import width
from dpsco.arguments.polynomial_slack import Side, Value, bounded, named
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Severity

ACROSS = Lemma(
    "projection shrinks what the features need",
    "r = 1/2, x = B_x e_1, y = B B_x + error, uniform on [-w, w], w = 1/(2 s); theta* = B e_1. The other coordinates are "
    "-b_j/(2 lambda n), independent of the first, (R B)^2 their squared length, R^2 = v chi^2_(d-1), v = (sigma/(2 lambda n "
    "B))^2. Where theta_1 B_x >= B B_x + w + h every loss rises by B_x/2 (the kernel, Epanechnikov's, ends at 1): theta_1 is "
    "less unless -b_1/n > B_x/2. The projected first coordinate is at most B f(theta_1/B), f(a) = a/sqrt(a^2 + R^2), "
    "increasing and at most 1. P(chi^2_k <= k - 2 sqrt(k t)) <= e^-t. By Jensen over the error, excess >= (B_x/2)(B - "
    "projected) - w/4.",
)
ACROSS_ATOMS = Lemma(
    "the same with two errors",
    "As above with the error a or -a, a > tau, but for a share exp(-1/tau^2) spread over |u| <= tau as the condition allows, "
    "and the Gaussian kernel: where theta_1 B_x >= B B_x + a + 8 h every loss rises by B_x (Phi(8) - 1/2) at least. E|error| "
    "<= a, so the excess is at least (B_x/2)(B - projected) - a/2.",
)
TAIL = 40
"""The t of the lemma."""
CONSTANTS = {"epsilon": "1", "delta": "1e-6", "B": "1", "B_x": "1", "r_bar": "0.5", "K_bar": "0.75", "kappa_2": "0.2"} | {
    "s": "100",
    "largest_feature_norm": "1",
    "optimum_norm": "1",
    "steepest_slope": "100",
}
MANY_DIMENSIONS = (
    {"n": "1000000", "d": "300000", **CONSTANTS},
    {"n": "1000000000000", "d": "100000000000000", **CONSTANTS},
)
"""d is small against n^2, so that the bound is small, and large against n, so that the noise decides on lambda."""


def kept(m: Numbers, v: Mapping[str, Real], sigma: Real, lambda_: Real, beyond: Real, rise: Real) -> Real:
    """At least the projected first coordinate over B, in the mean; the losses rise by `rise` from B B_x + beyond on."""
    others, t = v["d"] - 1, m.real(TAIL)
    most = 1 + beyond / (v["B_x"] * v["B"])  # of theta_1/B
    least = (sigma / (2 * lambda_ * v["n"] * v["B"])) ** 2 * (others - 2 * m.sqrt(others * t))  # of R^2
    astray = m.exp(-t) + m.Phi(-v["n"] * rise / sigma)
    return most / m.sqrt(most**2 + m.max(least, m.real(0))) + astray


def projected(m: Numbers, v: Mapping[str, Real], sigma: Real, lambda_: Real, h: Real) -> Real:
    """Reached by the excess risk of the projected minimiser; r_bar = 1/2 and Epanechnikov's kernel."""
    w = width(m, v)
    return v["B_x"] * v["B"] * (1 - kept(m, v, sigma, lambda_, w + h, v["B_x"] / 2)) / 2 - w / 4


def projected_with_atoms(m: Numbers, v: Mapping[str, Real], sigma: Real, lambda_: Real, h: Real, a: Real) -> Real:
    """The same for errors a and -a and the Gaussian kernel."""
    rise = v["B_x"] * (m.Phi(m.real(8)) - m.frac(1, 2))
    return v["B_x"] * v["B"] * (1 - kept(m, v, sigma, lambda_, a + 8 * h, rise)) / 2 - a / 2


def at_choices(claim: Claim) -> Value:
    """The same at the claim's own sigma, lambda and h."""
    chosen = [named(claim, name) for name in ("sigma", "lambda_chosen", "bandwidth")]
    return lambda m, v: projected(m, v, *(value(m, v) for value in chosen))


def against(claim: Claim, scope: str, claimed: Value, survives: str) -> Finding:
    """The projected minimiser's risk against a bound, where the noise across the features is as long as the decision."""
    side = Side(
        scope=scope,
        claimed=claimed,
        reached=at_choices(claim),
        holds=False,
        method="",
        instances=MANY_DIMENSIONS,
        severity=Severity.RATE,
        survives=survives,
        family=(ACROSS,),
        release="the minimiser, projected onto the ball",
        remark="the risk stays near 0.05 B B_x while the bound falls to zero, as n grows with d between n and n^2",
    )
    return bounded(side)
