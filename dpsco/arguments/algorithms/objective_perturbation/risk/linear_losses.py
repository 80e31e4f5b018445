"""What one linear loss costs the perturbed minimiser on a box, and what the noise can cost it on any set.

With equal records the empirical loss is the population's; alpha = 0 (allowed) makes theta_hat = theta_1.
"""

from typing import Any

import sympy

from dpsco.arguments.algorithms.objective_perturbation.risk.set_orders import Family, Values, log_inverse
from dpsco.verdict import Lemma

ABOVE = Lemma(
    "comparison with the best point",
    "J(theta_1) <= J(theta*) for any fixed theta* in C: empirical loss of theta_1 less that of theta* <= <G, theta* - "
    "theta_1>/n + lambda (|theta*|^2 - |theta_1|^2). Over the noise, centred and symmetric, E<G, theta*> = 0 and E<-G, "
    "theta_1> <= E sup over C of <G, .> = sigma_1 G_C: excess <= sigma_1 G_C/n + lambda |C|_2^2, for every closed convex C, "
    "with or without the origin.",
)
STABLE = Lemma(
    "generalisation by stability",
    "The noise is common to both data sets. J is mu-strongly convex, mu >= 2 lambda; adding both inequalities mu |theta - "
    "theta'|^2 <= 2 L |theta - theta'|/n, so replacing a record moves theta_1 by at most 2 L/(n mu), its loss by 2 L^2/(n mu), "
    "and E[population - empirical loss] is at most that (exchange of a record); E min empirical <= min population. No size "
    "of n against the noise is needed.",
)
INEXACT = Lemma(
    "inexact and noisy",
    "|theta_2 - theta_1|^2 <= 2 alpha/mu, and by the obtuse angle of a projection E|theta_hat - theta_2|^2 <= E<H, theta_hat "
    "- theta_2> <= sigma_2 G_C (theta_2 does not depend on H). The loss is L-Lipschitz; E|.| <= sqrt(E|.|^2).",
)
BIAS = Lemma(
    "a linear loss against the ridge",
    "C = [-c, c], every record l = -a theta with a = lambda c <= L. theta_1 = clip((a - G/n)/(2 lambda)) has at most the mean "
    "c/2, for clip(m + x) + clip(m - x) <= 2 m where m >= 0, and G is symmetric. Excess = a (c - E theta_1) >= lambda c^2/2. "
    "|C|_2 = c, G_C = c sqrt(2/pi); beta as small as one likes.",
)
NOISE = Lemma(
    "linear losses against the noise",
    "C = [-c, c]^d, |C|_2 = c sqrt(d), G_C = d c sqrt(2/pi), every record l = <a, theta>, each a_j = sigma_1/n <= L/sqrt(d). "
    "A coordinate of theta_1 is clip(-(a_j + G_j/n)/(2 lambda)), c where G_j <= -sigma_1 - 2 lambda n c: for 2 lambda n c <= "
    "sigma_1 with probability at least Phi(-2). Excess >= 2 Phi(-2) d c sigma_1/n = 2 Phi(-2) sqrt(pi/2) sigma_1 G_C/n.",
)


def sigma(v: Values) -> Any:
    """sigma_1 up to a constant."""
    return v["L"] * sympy.sqrt(log_inverse(v)) / v["epsilon"]


def bias(v: Values) -> Any:
    return v["lambda_"] * v["C_norm"] ** 2


def noise(v: Values) -> Any:
    return sigma(v) * v["G_C"] / v["n"]


def interval(v: Values) -> Values:
    """C = [-c, c]."""
    return {**v, "G_C": v["C_norm"]}


def box(v: Values) -> Values:
    """C = [-c, c]^d; where no dimension is named one puts it in as a symbol."""
    d = v.get("d", sympy.Symbol("d", positive=True))
    return {**v, "d": d, "G_C": v["C_norm"] * sympy.sqrt(d)}


def _narrow(v: Values) -> tuple[Any, ...]:
    return (v["lambda_"] * v["C_norm"] / v["L"],)


def _noisy(v: Values) -> tuple[Any, ...]:
    """a_j <= L/sqrt(d), 2 lambda n c <= sigma_1, d >= 1."""
    d = v["d"]
    return sigma(v) * sympy.sqrt(d) / (v["n"] * v["L"]), v["lambda_"] * v["n"] * v["C_norm"] / (sympy.sqrt(d) * sigma(v)), 1 / d


AGAINST_RIDGE = Family("a linear loss against the ridge", BIAS, interval, bias, _narrow)
AGAINST_NOISE = Family("linear losses on a box against the noise", NOISE, box, noise, _noisy)
