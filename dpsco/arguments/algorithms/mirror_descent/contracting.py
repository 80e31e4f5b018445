"""What regularised mirror descent is proved to reach with a 1-strongly convex potential, and what orders of growth read of it.

ln(1/delta) is the symbol nats, log2(n/T) the symbol ell, 2^{-alpha (T+1)/(4 beta)} the symbol decay; C_D = sqrt(kappa) W.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import sympy

from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import Exponents, bounded_above
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.mirror_descent import regularised_utility as spec
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Interval
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Lemma

NAMES = ("n", "T", "kappa", "d", "epsilon", "L", "beta", "alpha", "nats", "ell", "decay", "W", "C_D", "c_n", "c_T")
SYMBOLS: Mapping[str, Any] = {name: sympy.Symbol(name, positive=True) for name in NAMES}
HELD = ("L", "beta", "W", "c_n", "c_T")
"""What the order sign of the risk hides."""
EMPIRICAL = Lemma(
    "empirical excess",
    "f = mean loss + alpha Phi. E f(w_hat) - f(w*_alpha) <= alpha D_Phi(w*_alpha, 0)/2 + g^2/alpha by the weighted sum of "
    "(13), as r^T >= 2: T alpha/(2 beta) = 2 T log2(n/T)/(T + 1) >= 1 for n >= 2 T. D_Phi(w*_alpha, 0) = Phi(w*_alpha) <= "
    "Phi(w~*) = C_D^2. Without alpha Phi: the empirical excess is at most (3/2) alpha C_D^2 + g^2/alpha.",
)
STABLE = Lemma(
    "two runs near their minimisers",
    "(13) at w*_alpha: E D_{t+1} <= rho^t C_D^2 + 2 g^2/alpha^2, rho = 1/(1 + alpha/(2 beta)) <= 2^(-alpha/(2 beta)) for "
    "alpha <= 2 beta. So E|w_{t+1} - w*_alpha| <= sqrt(2) 2^(-alpha t/(4 beta)) C_D + 2 g/alpha; weighted (lp/thm-7-average, "
    "(16)) at most 4 sqrt(2) 2^(-alpha (T + 1)/(4 beta)) C_D + 2 g/alpha. Twice that, and 2 L/(n alpha) between the "
    "minimisers (lp/lem-13).",
)
GAP = Lemma(
    "stability bounds the generalisation gap",
    "Exchanging record i with a fresh one: E[population - empirical loss of w_hat] <= L E|w_hat - w_hat'|. The least empirical "
    "loss is in mean at most the least population loss. So the risk is at most L E|w_hat - w_hat'| plus the empirical excess.",
)
NOISE = Lemma(
    "size of the noise",
    "GG(sigma^2), sigma^2 at most a hidden constant times its rate, has E|g|_+^2 = d sigma^2, |g|_* <= |g|_+ for |.|_+ = l_r, "
    "r <= q: g^2 <= d sigma^2.",
)
FORMS: Mapping[Callable[..., Truth], Callable[[Claim, Mapping[str, Any]], tuple[Any, ...]]] = {
    spec.records_are_many: lambda claim, v: (v["T"] / v["n"], 1 / v["ell"]),
    spec.steps_are_many: lambda claim, v: (v["kappa"] / v["T"] ** 2,),
    spec.few_steps: lambda claim, v: (v["T"] / sympy.sqrt(v["n"] * sympy.sqrt(v["kappa"])),),
    spec.n_is_below_threshold: lambda claim, v: (v["n"] / formula(claim, "sample_threshold", v),),
    spec.n_is_above_threshold: lambda claim, v: (formula(claim, "sample_threshold", v) / v["n"],),
    spec.steps_are_near_choice: lambda claim, v: (
        formula(claim, "steps_choice", v) / v["T"],
        v["T"] / formula(claim, "steps_choice", v),
    ),
}
"""What each condition keeps bounded, up to the constants that it hides."""


def formula(claim: Claim, name: str, values: Mapping[str, Any]) -> Any:
    """The claim's formula with nats, ell and decay for its logarithms and its power of two."""
    # delta is written once, so that ln(1/delta) is nats and nothing else
    found = apply(claim.formulas[name], symbolic(), {**values, "delta": sympy.exp(-values["nats"])})
    found = sympy.expand_log(found, force=True)
    n, T = values["n"], values["T"]
    if n.is_Symbol:
        found = (
            sympy.simplify(found.subs(sympy.log(n), values["ell"] * sympy.log(2) + sympy.log(T)))
            if found.has(sympy.log(n))
            else found
        )
    return found.replace(lambda part: _halves(part, values), lambda part: values["decay"] ** _rate(part, values))


def _rate(part: Any, values: Mapping[str, Any]) -> Any:
    return sympy.cancel(part.exp / (-values["alpha"] * (values["T"] + 1) / (4 * values["beta"])))


def _halves(part: Any, values: Mapping[str, Any]) -> bool:
    return bool(part.is_Pow and part.base == 2 and part.exp.has(values["alpha"]) and _rate(part, values).is_Rational)


def stability(noise: Any, v: Mapping[str, Any]) -> Any:
    """Proved: E|w_hat - w_hat'| for noise with E|g|_*^2 = noise."""
    start = 8 * sympy.sqrt(2) * v["C_D"] * v["decay"]
    return start + 4 * v["L"] / (v["n"] * v["alpha"]) + 4 * sympy.sqrt(noise) / v["alpha"]


def empirical_excess(noise: Any, v: Mapping[str, Any]) -> Any:
    """Proved: the expected empirical excess."""
    return sympy.Rational(3, 2) * v["alpha"] * v["C_D"] ** 2 + noise / v["alpha"]


def noise_of(claim: Claim, v: Mapping[str, Any]) -> Any:
    """d sigma^2 at the order of the claim's own noise."""
    return v["d"] * formula(claim, "noise_scale_rate", v)


def domain(claim: Claim, v: Mapping[str, Any], T: Any = None) -> Iterator[Exponents]:
    """What the claim keeps bounded: integers, kappa >= 1, n > T where alpha is positive, its conditions; T is replaced."""
    at = {**v, "T": v["T"] if T is None else T}
    bounded = [1 / at["T"], 1 / v["n"], 1 / v["d"], 1 / v["kappa"]]
    alpha = claim.parameter("alpha").domain
    if "alpha_choice" in claim.formulas and isinstance(alpha, Interval) and alpha.low == "0":
        bounded.append(at["T"] / v["n"])
    for predicate in claim.preconditions:
        if predicate.test in FORMS:
            bounded += FORMS[predicate.test](claim, at)
    for expression in bounded:
        yield from bounded_above(expression)


def strongly_convex_needs(m: Numbers, p: Real, d: Real, s: Real) -> Real:
    """The least kappa for which (kappa/2) |w|_s^2 may be 1-strongly convex in l_p^d, d even: (r - 1) d^{2/r - 2/q}.

    At w = (1, ..., 1) along h = (1, -1, ...) the second derivative is kappa (s - 1) d^{2/s}, which must be |h|_p^2 = d^{2/p}.
    """
    return d ** (2 / p - 2 / s) / (s - 1)
