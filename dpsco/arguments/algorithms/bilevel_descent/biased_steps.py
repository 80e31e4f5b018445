"""One step of gradient descent with bias and noise: the largest mean change of a smooth function, attained on a parabola.

H is beta-smooth, |grad H(x_t)| = a, the step is -eta (grad H + b + N), E N = 0.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import sympy

from dpsco.arguments.polynomial_slack import Side, bounded, expressed, named
from dpsco.instances.grid import grid
from dpsco.spec.algorithms.bilevel_descent.utility import (
    bias_is_bounded,
    noise_is_bounded,
    noise_is_centred,
    noise_is_uncorrelated,
    step_is_short,
)
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Severity

EXPANSION = Lemma(
    "expansion of one step",
    "H(x - eta v) <= H(x) - eta <grad H, v> + (eta^2 beta/2)|v|^2, v = grad H + b + N. In mean, with E N = 0, E <b, N> <= 0, "
    "E|b|^2 <= B^2 and E|N|^2 <= Sigma^2: at most -eta (1 - eta beta/2) a^2 + eta (1 - eta beta) a B + (eta^2 beta/2)(B^2 + "
    "Sigma^2), for 1 - eta beta >= 0. The bound -eta a^2/2 + eta B^2/2 + (eta^2 beta/2) Sigma^2 exceeds it by (eta/2)(1 - eta "
    "beta)(a - B)^2.",
)
PARABOLA = Lemma(
    "parabola",
    "H = beta x^2/2 at x = a/beta, b = -B, N = Sigma or -Sigma with equal chance: the expansion is an equality, and the mean "
    "change is its right side.",
)
FLUCTUATION = Lemma(
    "bias that fluctuates",
    "H = beta x^2/2, b = -B + s or -B - s with equal chance, apart from N: the mean of b has the norm B and the mean change "
    "grows by (eta^2 beta/2) s^2, for every s.",
)
CORRELATED = Lemma(
    "bias that goes with the noise",
    "H = beta x^2/2 at x = 0, N = Sigma or -Sigma with equal chance, b = B where N = Sigma and -B where N = -Sigma: the mean "
    "change is (eta^2 beta/2)(B + Sigma)^2.",
)
AXES = {
    "eta": ("0.001", "0.25", "0.5", "0.75", "5"),
    "beta": ("0.1", "1", "2", "100"),
    "bias": ("0", "0.5", "3"),
    "noise_level": ("0", "1", "70"),
    "gradient_norm": ("0", "0.5", "3"),
}
MOMENTS = ("mean_noise", "mean_bias", "root_mean_square_bias", "bias_noise_product")
"""Of laws that meet every condition on them: taken as 0."""
SURVIVES = "With E|b_t|^2 <= B^2 and E<b_t, N_t> <= 0 it holds, as for a bias that is a function of x_t."


def largest_change(m: Numbers, v: Mapping[str, Real]) -> Real:
    """Attained on the parabola."""
    eta, beta, a, B = v["eta"], v["beta"], v["gradient_norm"], v["bias"]
    both = eta**2 * beta / 2 * (B**2 + v["noise_level"] ** 2)
    return -eta * (1 - eta * beta / 2) * a**2 + eta * (1 - eta * beta) * a * B + both


def fluctuating_change(m: Numbers, v: Mapping[str, Real]) -> Real:
    """The same with a fluctuation s = 1 of the bias."""
    return largest_change(m, v) + v["eta"] ** 2 * v["beta"] / 2


def correlated_change(m: Numbers, v: Mapping[str, Real]) -> Real:
    """Where the bias goes with the noise, at a = 0."""
    return v["eta"] ** 2 * v["beta"] / 2 * (v["bias"] + v["noise_level"]) ** 2


def one_step(claim: Claim) -> Iterator[Finding]:
    """The printed bound on the mean change, under the conditions that the claim puts on bias and noise."""
    held, names = claim.tests, {p.name for p in claim.parameters}
    axes = AXES | {name: ("0",) for name in MOMENTS if name in names}
    whole, apart = bias_is_bounded in held, noise_is_uncorrelated in held
    laws = [("every law of bias and noise", largest_change, PARABOLA, axes)] if whole and apart else []
    if not whole:
        laws.append(("b_t random, its mean bounded by B", fluctuating_change, FLUCTUATION, axes))
    if not apart:
        laws.append(("b_t correlated with the noise", correlated_change, CORRELATED, {**axes, "gradient_norm": ("0",)}))
    for scope, reached, family, tried in laws:
        yield bounded(
            Side(
                scope=scope,
                claimed=named(claim, "bound"),
                reached=reached,
                holds=whole and apart and step_is_short in held and never_exceeded(claim),
                method="computer algebra: bound less largest change is nonnegative in a, B, Sigma >= 0, eta <= 1/(2 beta)",
                instances=grid(claim, tried),
                severity=Severity.DOMAIN if not (whole and apart) else Severity.CONSTANT,
                survives=SURVIVES,
                lemmas=(EXPANSION,),
                given=(step_is_short, noise_is_centred, bias_is_bounded, noise_is_uncorrelated, noise_is_bounded),
                family=(family,),
                decisive={"eta": "0.25", "beta": "2", "bias": "0" if family is FLUCTUATION else "0.5"},
            )
        )


def never_exceeded(claim: Claim) -> bool:
    """Whether bound - largest change >= 0 for all a, B, Sigma >= 0, beta > 0 and eta = 1/(2 beta + r), r >= 0."""
    beta, r = sympy.Symbol("beta", positive=True), sympy.Symbol("r", nonnegative=True)
    a, B = sympy.symbols("gradient_norm bias", nonnegative=True)
    eta = 1 / (2 * beta + r)
    more = {"eta": eta, "beta": beta, "gradient_norm": a, "bias": B}
    slack = expressed(claim, named(claim, "bound"), **more) - expressed(claim, largest_change, **more)
    top, bottom = sympy.fraction(sympy.together(slack))
    if not _nonnegative(bottom):
        return False
    form = sympy.Poly(sympy.expand(top), a, B)
    square_a, cross, square_B = (form.coeff_monomial(x) for x in (a**2, a * B, B**2))
    rest = sympy.expand(top - square_a * a**2 - cross * a * B - square_B * B**2)
    signs = _nonnegative(square_a) and _nonnegative(square_B) and _nonnegative(rest)
    return signs and (_nonnegative(cross) or _nonnegative(sympy.expand(4 * square_a * square_B - cross**2)))


def _nonnegative(expression: Any) -> bool:
    """Every coefficient is nonnegative, all symbols being so."""
    expanded = sympy.expand(expression)
    symbols = all(symbol.is_nonnegative for symbol in expanded.free_symbols)
    return symbols and all(bool(term.as_coeff_Mul()[0] >= 0) for term in sympy.Add.make_args(expanded))
