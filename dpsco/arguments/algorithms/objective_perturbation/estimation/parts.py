"""What is proved about the estimation error of objective perturbation: its four parts, and why each has its order."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import sympy

from dpsco.arguments.analysis.linear_quantile_laws import models, norm
from dpsco.arguments.comparing import compare, refuted, truth
from dpsco.arguments.formula import apply
from dpsco.reference.analysis.smoothing.bias import gradient
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Verdict

CONVEX = Lemma(
    "private part",
    "The objective without noise is 2 lambda-strongly convex, and <b, theta>/n moves its gradient by b/n: |theta_OP - theta#| "
    "<= |b|/(2 n lambda) for every data set, b and lambda. In expectation E|b|/(2 n lambda).",
)
FAR_DATA = Lemma(
    "data beyond the window",
    "Where every outcome lies far above, the smoothed loss is linear in theta as far as one likes, so theta_OP - theta# = "
    "-b/(2 n lambda) for |b| below any bound: E|theta_OP - theta#| comes as near to E|b|/(2 n lambda) as one likes.",
)
NOISE_NORM = Lemma(
    "norm of a Gaussian vector",
    "For b from N(0, sigma^2 I_d): sqrt(2/pi) sigma sqrt(d) <= E|b| <= sigma sqrt(d); E|b| = sqrt(2) sigma Gamma((d+1)/2)/"
    "Gamma(d/2), and the quotient by sqrt(d) increases from sqrt(2/pi) to 1.",
)
SMOOTHED = Lemma(
    "smoothed minimiser",
    "c = h^2 l_1 kappa_2/2, b = f - h l_1 kappa_1 >= 3f/4. quantile/lem-4.2's argument gives |theta_h* - theta*| <= 2c/(b "
    "sqrt(rho_1)) <= s = 4 h^2 l_1 kappa_2/(3 f sqrt(rho_1)) where b^2 sqrt(rho_1) > l_1^2 B_x h^2 kappa_2, which l_1 B_x s "
    "<= f/4 implies. Hence |theta_h*| <= B + s <= 2B, and densities stay at least f/2 along x'(theta_h* - theta*) after "
    "smoothing.",
)
UNIFORM = Lemma(
    "uniform deviation",
    "By symmetrisation, contraction and bounded differences, with probability at least 1 - gamma, for all |delta| = s at once "
    "the mean of l_h(theta + delta) - l_h(theta) exceeds its average by at most L s (2 + sqrt(2 ln(1/gamma)))/sqrt(n) <= "
    "sqrt(6) L s sqrt((d + ln(1/gamma))/n), at any fixed centre theta (quantile/lem-B.2 has it at theta*).",
)
CENTRED = Lemma(
    "sphere around theta_h*",
    "grad L_h(theta_h*) = 0. For |delta| = s, q = E(x'delta)^2/s^2 >= rho_1: L_h rises by at least (f/2) q s^2/2 - l_1 B_x q "
    "s^3/6 >= f rho_1 s^2/8 for l_1 B_x s <= 3f/4; the ridge falls by at most 4 lambda B s. So the regularised empirical risk "
    "rises on the sphere once s > (8/(f rho_1)) (sqrt(6) L sqrt((d + ln(1/gamma))/n) + 4 lambda B), at most 32 times the "
    "printed rate, which is at most f/(48 l_1 B_x); by convexity theta# lies inside, with probability at least 1 - gamma.",
)
ABOVE = Lemma(
    "f and rho_1 are bounded",
    "f^2 <= 2 l_1 min(r, 1-r) <= l_1 and rho_1 <= 1, so 1 <= sqrt(l_1)/(rho_1 f): a part without 1/(rho_1 f) may take it.",
)
SWALLOWED = Lemma(
    "small error, large n epsilon",
    "48 l_1 B_x sampling_rate <= f bounds (B lambda)^2 and sampling_rate/f, so each monomial of their squares is bounded: "
    "among them kappa_1 K_bar B_x^2/(n epsilon), d/n, ln(1/gamma)/n. The constants may depend on L, B, B_x, l_1 and the "
    "kernel.",
)
REMAINDER = Lemma(
    "first-order remainder",
    "For a density f - l_1 |t| near 0 and a kernel uniform on [-w, w], the slope at distance s >= h w is f s - l_1 (s^2 + (h "
    "w)^2/3)/2, and below h w it is f s - l_1 (h w s/2 + s^3/(6 h w)); its integral from 0 to r_0 is the remainder.",
)
Values = Mapping[str, Any]

PARTS: Mapping[str, Callable[[Values], Any]] = {
    "private": lambda v: v["sigma"] * sympy.sqrt(v["d"]) / (v["n"] * v["lambda_"]),
    "sample": lambda v: v["L"] * sympy.sqrt((v["d"] + v["g"]) / v["n"]) / (v["rho_1"] * v["f"]),
    "ridge": lambda v: v["B"] * v["lambda_"] / (v["rho_1"] * v["f"]),
    "smoothing": lambda v: v["h"] ** 2 * v["l_1"] * v["kappa_2"] / (v["rho_1"] * v["f"]),
}
"""Up to constants the estimation error is at most their sum; g is ln(1/gamma), and 1/sqrt(rho_1) <= 1/rho_1."""


def factor_of_noise(claim: Claim) -> Any:
    """privacy_error over E|b|/(n lambda), with the judge's own norm of a Gaussian vector; None where it is no constant."""
    v = symbols_of(claim.parameters)
    d = v["d"]
    tight = (
        v["sigma"] * sympy.sqrt(2) * sympy.exp(sympy.loggamma((d + 1) / 2) - sympy.loggamma(d / 2)) / (v["n"] * v["lambda_"])
    )
    ratio = sympy.simplify(apply(claim.formulas["privacy_error"], symbolic(), v) / tight)
    return ratio if ratio.is_number else None


def remainder_lower(m: Numbers, f: Real, l_1: Real, kappa_1: Real, h: Real, r_0: Real) -> Real:
    """Display (27) at x = 1: b r_0^2 - a r_0^3."""
    return (f - h * l_1 * kappa_1) * r_0**2 - l_1 * r_0**3 / 2


def gradient_upper(m: Numbers, h: Real, l_1: Real, kappa_2: Real) -> Real:
    """c, as display (28) takes it from (19)."""
    return h**2 * l_1 * kappa_2 / 2


DISPLAYS: Mapping[str, Callable[..., Real]] = {"remainder_lower": remainder_lower, "gradient_upper": gradient_upper}
"""The steps as the proof prints them; a claim with a formula of that name states the step itself."""


def remainder_at(display: Callable[..., Real] = remainder_lower) -> tuple[Real, Real, dict[str, str]]:
    """Display (27) and the remainder itself, enclosed at one model."""
    m = arb()
    at = {"f": "0.5", "l_1": "1", "r": "0.5", "h": "0.01", "r_0": "0.1", "kappa_1": "0.5", "rho_1": "1"}
    f, w, s = (m.real(at[name]) for name in ("f", "h", "r_0"))  # l_1 = 1, kernel uniform on [-1, 1]
    inner = f * w**2 / 2 - (w * w**2 / 4 + w**4 / (24 * w))
    outer = f * (s**2 - w**2) / 2 - ((s**3 - w**3) / 3 + w**2 * (s - w) / 3) / 2
    return apply(display, m, {name: m.real(x) for name, x in at.items()}), inner + outer, at


def gradient_at(display: Callable[..., Real] = gradient_upper) -> tuple[Real, Real, dict[str, str]]:
    """The bound of |grad L_h(theta*)| that display (28) takes from (19), and the gradient's norm, in a leaning model."""
    m = arb()
    model = next(model for model in models() if model.at["B_x"] == "10.025" and model.at["h"] == "0.02")
    zero, bandwidth, level = [m.real(0)] * model.d, m.real(model.bandwidth), m.real(model.number("r"))
    at = {name: model.at[name] for name in ("d", "r", "h", "B_x", "kappa_2", "l_1", "f")}
    true = norm(m, gradient(m, model.leaning, zero, bandwidth, level))
    return apply(display, m, {name: m.real(x) for name, x in at.items()}), true, at


def left_out(claim: Claim, at: Mapping[str, str]) -> bool:
    """Whether the claim certainly does not speak of the model: outside a domain, or against a precondition."""
    m = arb()
    values = {name: m.real(x) for name, x in at.items()}
    outside = any(p.domain.contains(m, at[p.name]) is False for p in claim.parameters if p.name in at)
    return outside or any(truth(predicate, m, values) is False for predicate in claim.preconditions)


def displays(claim: Claim) -> Iterator[Finding]:
    """Steps of the printed proof, each against what it bounds in an explicit model; the conclusion survives them."""
    for scope, name, sign, model, lemmas, survives in (
        (
            "display (27): first-order remainder R_h(delta, theta*) >= b r_0^2 - a r_0^3",
            "remainder_lower",
            ">=",
            remainder_at,
            (REMAINDER,),
            "b r_0^2/2 - a r_0^3/3: the gradient's growth has to be integrated, a factor 2 that the rate absorbs.",
        ),
        (
            "display (28): |grad L_h(theta*)| <= c, taken from (19)",
            "gradient_upper",
            "<=",
            gradient_at,
            (),
            "max(1, sqrt(B_x^2 - 1)) c; around theta_h*, where the gradient vanishes, the term is not needed.",
        ),
    ):
        claimed, true, at = model(claim.formulas.get(name, DISPLAYS[name]))
        if left_out(claim, at) or compare(arb(), true, sign, claimed) is not False:
            reason = "the claim leaves the model out, or the model does not contradict the display"
            yield Finding(scope=scope, verdict=Verdict.OPEN, reason=reason)
            continue
        yield refuted(
            scope,
            ends(claimed)[0 if sign == ">=" else 1],
            true,
            at,
            method="an explicit model, uniform kernel, enclosed",
            severity=PROOF_STEP,
            survives=survives,
            lemmas=lemmas,
        )
