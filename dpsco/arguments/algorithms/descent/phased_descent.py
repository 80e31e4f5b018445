"""What phased noisy descent is proved to reach and what it cannot avoid, and the orders of growth of both.

ln(1/delta) is the symbol nats, W the l2 norm of theta*; 2^k, k = floor(log2 n), is n up to a factor of 2.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from dpsco.arguments.formula import apply
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.phased.dp_sgd import phase_sigma, phase_step
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

NAMES = ("n", "d", "epsilon", "L", "nats", "W", "T", "distance", "eta")
SYMBOLS: Mapping[str, Any] = {name: sympy.Symbol(name, positive=True) for name in NAMES}
PASS = Lemma(
    "one pass over fresh records",
    "Expanding |w^{t+1} - w|^2 over n_i + 1 steps, the last one imagined and on one more fresh record: the sum of E<grad, w^t "
    "- w> is at most E|w^1 - w|^2/(2 eta_i) + eta_i (n_i + 1) L^2/2, for every w that does not depend on the phase's records. "
    "Given w^t the record is fresh, so the mean gradient is the population's; convexity and Jensen: E[population loss of "
    "w_bar_i - that of w] <= E|w_{i-1} - w|^2/(2 eta_i (n_i + 1)) + eta_i L^2/2.",
)
TELESCOPED = Lemma(
    "phases telescoped",
    "PASS with w = theta* for i = 1 and w = w_bar_{i-1} for i >= 2, where w_{i-1} - w is the noise, E|.|^2 = 16 d L^2 "
    "eta_{i-1}^2 s/epsilon^2 = 256 d L^2 eta_i^2 s/epsilon^2, s = ln(1/delta); n_i + 1 >= 2^{-i} n; and L E|noise| <= L "
    "sqrt(d) sigma_k with 4^{-k} <= 4/n^2 at the end. Sum: 16 L^2 eta sqrt(d s)/(epsilon n^2) + 4 W^2/(eta n) + eta L^2/6 + "
    "64 d L^2 s eta/(epsilon^2 n). At n = 1 the output is 0 and the excess at most L W < 4 W^2/eta + eta L^2/6.",
)
START = Lemma(
    "slow start",
    "n >= 2, every record has the loss h(|w_1 - W|), h Huber's function of slope s = min(L, W/(eta n)) beyond W/2: convex, 2 "
    "s/W-smooth with 2 s/W <= 2/(eta n) <= 1/eta. A step is at most eta_i s long, so E w_bar_i moves by at most 8^{-i} eta n "
    "s/2 from E w_{i-1}, in all by W/14. By Jensen the risk is at least s (13 W/14 - W/4) > s W/2, whatever the noise.",
)
NOISY = Lemma(
    "noise that stays",
    "n >= 2, every record has the loss h(|w_1 - c|), h Huber's function of curvature 1/eta and slope L. w_bar_k does not "
    "depend on the last noise z, and E h(|a + z|) >= E h(|z|) for every a, h being even and convex and z symmetric: the risk "
    "is at least E h(|z_1|) > 0 for every c = |theta*|, c = 0 too, and of order min(sigma_k^2/eta, L sigma_k), 4^{-k} >= "
    "1/n^2.",
)
SINGLE = Lemma(
    "regret of gradient descent",
    "Expanding |w_{t+1} - w|^2 over t = 0, ..., T (the last step imagined), convexity and Jensen: the average of w_0, ..., "
    "w_T has a loss of at most |w_0 - w|^2/(2 eta (T + 1)) + eta L^2/2 above that of w, with subgradients as well.",
)
STRAIGHT = Lemma(
    "one slope",
    "The loss -s w, s = min(L, |w_0 - w|/(eta T)), from 0 to w on its right: the average is at eta s T/2, at most half the "
    "way, so the gap is at least s |w_0 - w|/2.",
)
ZIGZAG = Lemma(
    "zigzag over a kink",
    "The loss max(L w, -L w/2) from a = eta L/4, T + 1 a multiple of 3: the iterates are a, a - eta L, a - eta L/2, a, ...; "
    "their mean is a - eta L/2 = -eta L/4, with the loss eta L^2/8 above the minimum at distance eta L/4, for every T. A "
    "closer start has no less.",
)


@dataclass(frozen=True)
class Reach:
    """A value that is reached up to a constant, what must stay bounded for it, and why."""

    value: Any
    bounded: tuple[Any, ...]
    lemma: Lemma


def formula(form: Callable[..., Real], values: Mapping[str, Any]) -> Any:
    """The formula in the symbols: minima as quotients of maxima, 2^k as n."""
    v = {**values, "delta": sympy.exp(-values["nats"]), "k": K}
    found = sympy.expand_log(sympy.sympify(apply(form, symbolic(), v)), force=True)
    found = found.replace(lambda part: isinstance(part, sympy.Sum), lambda part: _geometric(part, values["n"]))
    found = found.replace(lambda part: isinstance(part, sympy.Min), lambda part: 1 / sympy.Max(*(1 / x for x in part.args)))
    # d^(1 - 2/p) d^(2/p - 1) cancels by itself in products, under a maximum it does not
    return sympy.powsimp(_powers(found, values["n"]), deep=True)


K = sympy.Symbol("k", positive=True)


def _powers(x: Any, n: Any) -> Any:
    """b^(c k + r) as n^(c log2 b) b^r."""

    def as_records(part: Any) -> Any:
        c = part.exp.coeff(K)
        return n ** (c * sympy.log(part.base, 2)) * part.base ** (part.exp - c * K)

    return x.replace(lambda part: part.is_Pow and part.base.is_number and part.exp.has(K), as_records)


def _geometric(total: Any, n: Any) -> Any:
    """The order of a sum over i = low, ..., k of geometric terms, none of them constant: that of its largest terms."""
    i, low, high = total.limits[0]
    parts = []
    for term in sympy.Add.make_args(sympy.expand(total.function)):
        ratio = sympy.simplify(term.subs(i, i + 1) / term)
        if high != K or not (ratio.is_number and ratio.is_positive) or ratio == 1:
            raise ValueError(f"term={term}: not geometric up to the last phase")
        parts.append(term.subs(i, low if ratio < 1 else K))
    return sum(parts)


def upper(eta: Any, v: Mapping[str, Any]) -> Any:
    """Proved for the excess risk of w_k (TELESCOPED)."""
    spent = sympy.sqrt(v["d"] * v["nats"]) / v["epsilon"]
    first, last = 4 * v["W"] ** 2 / (eta * v["n"]), 16 * v["L"] ** 2 * eta * spent / v["n"] ** 2
    return last + first + eta * v["L"] ** 2 / 6 + 64 * v["L"] ** 2 * eta * spent**2 / v["n"]


def reached(eta: Any, v: Mapping[str, Any]) -> tuple[Reach, Reach]:
    """Orders that the excess risk has on instances in the first coordinate, n >= 2."""
    sigma = formula(phase_sigma, {**v, "eta": eta, "i": K})
    start = 1 / sympy.Max(eta * v["n"] / v["W"] ** 2, 1 / (v["L"] * v["W"]))
    noise = 1 / sympy.Max(eta / sigma**2, 1 / (v["L"] * sigma))
    return Reach(start, (), START), Reach(noise, (), NOISY)


def single_upper(v: Mapping[str, Any]) -> Any:
    """Proved for gradient descent (SINGLE)."""
    return v["distance"] ** 2 / (2 * v["eta"] * (v["T"] + 1)) + v["eta"] * v["L"] ** 2 / 2


def single_reached(v: Mapping[str, Any]) -> tuple[Reach, Reach]:
    """Orders that the gap of gradient descent has."""
    straight = 1 / sympy.Max(v["eta"] * v["T"] / v["distance"] ** 2, 1 / (v["L"] * v["distance"]))
    near = v["distance"] / (v["eta"] * v["L"])
    return Reach(straight, (), STRAIGHT), Reach(v["eta"] * v["L"] ** 2, (near,), ZIGZAG)


def started(m: Numbers, eta: Real, v: Mapping[str, Real]) -> Real:
    """A risk that START reaches."""
    return 19 * v["W"] * m.min(v["L"], v["W"] / (eta * v["n"])) / 28


def stayed(m: Numbers, eta: Real, v: Mapping[str, Real]) -> Real:
    """E h(|z|) of NOISY for k = 1 (n = 2, 3), with curvature beta <= 1/eta: the mean of Huber's function in closed form."""
    L, beta = v["L"], v["beta"]
    sigma = 4 * L * phase_step(m, eta=eta, i=m.real(1)) * m.sqrt(m.log(1 / v["delta"])) / v["epsilon"]
    t = L / (beta * sigma)
    inside = beta * sigma**2 / 2 * (2 * m.Phi(t) - 1 - 2 * t * m.phi(t))
    return inside + 2 * L * sigma * m.phi(t) - L**2 / beta * m.Phi(-t)
