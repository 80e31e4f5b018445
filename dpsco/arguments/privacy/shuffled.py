"""What shuffling costs at most and at least, as lemmas with explicit constants, for claims whose own constants are hidden.

Throughout a = e^epsilon_0, x = a/n and L = ln(2/delta); the side condition of shuffling is 16 x L <= 1.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from dpsco.arguments.formula import apply
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Adjacency
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

REPLACED = (Adjacency.REPLACE_ONE,)
HIDDEN = 9
"""The constant of the lemma BOUND."""
ADDED = 4
"""The constant of the lemma OUTRIGHT."""

CLONES = Lemma(
    "clones",
    "Let R_i(z, .) be epsilon_0-DP and x, x' the changed record. R_i(z, x) and R_i(z, x') are the two answers of a "
    "randomised response between some laws Q_0, Q_1 (Kairouz, Oh and Viswanath), so their mean is (Q_0 + Q_1)/2, and R_i(z, "
    "y) is at least e^-epsilon_0 times that mean. So each of the n - 1 other records is with probability e^-epsilon_0 a draw "
    "from Q_0 or Q_1 at even odds. Given how many such draws of each kind there are, the changed record's included, the "
    "outputs in random order can be replayed one after the other, R_i chosen adaptively, without knowing which draw is "
    "whose. What is left is the pair (A + D, C - A + 1 - D), (A + 1 - D, C - A + D) of the contract `clones` (Feldman, "
    "McMillan and Talwar).",
    REPLACED,
)
BOUND = Lemma(
    "closed form of the clones",
    "The clones' pair is (0, delta)-DP if delta > 1/2 and (epsilon, delta)-DP with epsilon = 9 (1 - 1/a) sqrt(x ln(1/delta)) "
    "if delta <= 1/2. Let t = tanh(epsilon_0/2) <= 1 - 1/a and mu = (n - 1)/a >= 16 L - 1. Given C = c, P/Q = (1 + u)/(1 - "
    "u) with u = 2 t y/(c + 1), y = A + D - (c + 1)/2 <= A - c/2 + 1/2, so by Hoeffding delta_c <= delta/2 where "
    "tanh(epsilon/2) >= t (1/c + sqrt(2 L/c)). P(C < mu/2) <= e^(-mu/8) <= e^(1/8) (delta/2)^2 <= delta/2. Else 1/c <= 2.2 "
    "x, and it suffices that tanh(epsilon/2) = z = t (2.2 x + sqrt(4.4 x L)). For delta <= 1/2 is L >= ln 4, so z <= 0.624, "
    "atanh z <= 1.173 z, 2.2 x <= 0.397 sqrt(x L), L <= 2 ln(1/delta): 2 * 1.173 * (0.397 + 2.098) * sqrt(2) < 9. For delta "
    "> 1/2: given c the total variation is t max b_c, at most 1, 1/2, 1/2 for c = 0, 1, 2 and 3/8 beyond; mu > 10 leaves "
    "less than 0.42.",
    REPLACED,
)
OUTRIGHT = Lemma(
    "shuffled approximate randomisers",
    "If R is (epsilon_0, delta_0)-DP then R(x), R(x') are, but for mass delta_0, a randomised response between laws Q_0, "
    "Q_1, and every R(y) >= e^-epsilon_0 ((1 - delta_0)(Q_0 + Q_1)/2 - h) with |h| <= delta_0. So R is within 2 delta_0 in "
    "total variation of an R~ to which the clones apply. Over n steps that is 2 n delta_0 on either data set: n shuffled "
    "randomisers are (epsilon, delta + (1 + e^epsilon) 2 n delta_0)-DP, hence (epsilon, delta + 4 e^epsilon n delta_0)-DP.",
    REPLACED,
)
SPREAD = Lemma(
    "what binary answers lose",
    "n shuffled binary randomised responses, the others all 0: the total variation is tanh(epsilon_0/2) max b with b the "
    "probabilities of Bin(n - 1, 1/(a + 1)), whose variance is at most 1/x. By Chebyshev 3/4 of them lie on 4/sqrt(x) + 1 "
    "integers, so max b >= 0.15 sqrt(x) for x <= 1. An (epsilon, delta)-DP pair has a total variation of at most epsilon/2 + "
    "delta. Hence epsilon >= 0.15 (1 - 1/a) sqrt(x) - 2 delta.",
    REPLACED,
)
TAIL = Lemma(
    "what rare answers lose",
    "The same mechanism at epsilon_0 = 1, n = 192 t, delta = e^-t, q = 1/(e + 1), t >= 100. For k >= (17/16) n q ones P/Q >= "
    "1 + (e - 1)/16/(e + 17/16) > e^0.028, so delta(0.014) >= (1 - e^-0.014) P(k >= (17/16) n q), the probability being at "
    "least that of one value k of Bin(n - 1, q), e^(-(n - 1) KL)/sqrt(2 n) (Ash). KL is at most the chi-squared divergence, "
    "(n - 1) KL < 0.28 t, and 0.28 t + ln(2 * 192 t)/2 + 4.3 < t: beyond e^-t. Hence epsilon >= 0.014.",
    REPLACED,
)
REVEALED = Lemma(
    "what is said outright",
    "The randomiser that publishes its record with probability delta_0 and nothing otherwise is (0, delta_0)-DP; shuffled, "
    "the changed record is published with probability delta_0: the release is not (epsilon, delta')-DP for any delta' < "
    "delta_0.",
    REPLACED,
)


Along = Callable[[Numbers, Real], Real]
"""A number of an instance, as a function of t."""


@dataclass(frozen=True)
class Family:
    """A path of instances in t -> infinity, and a proved lower bound along it."""

    path: Mapping[str, Along]
    low: Callable[[Numbers, Mapping[str, Real]], Real]
    lemma: Lemma

    def at(self) -> dict[str, str]:
        """The path as text."""
        return {name: str(along(symbolic(), T)) for name, along in self.path.items()}


T = sympy.Symbol("t", positive=True)


def grows(family: Family, rate: Callable[..., Real]) -> bool:
    """Whether the lower bound over the rate certainly grows beyond every constant along the family (computer algebra)."""
    values = {name: along(symbolic(), T) for name, along in family.path.items()}
    claimed = sympy.expand_log(apply(rate, symbolic(), values), force=True)
    return tends_to_infinity(sympy.simplify(family.low(symbolic(), values) / claimed))


def tends_to_infinity(quotient: Any) -> bool:
    """Whether computer algebra finds that the expression in T grows beyond every constant."""
    try:
        return bool(sympy.limit(quotient, T, sympy.oo) == sympy.oo)
    except (NotImplementedError, ValueError, RecursionError):
        return False


def passed(family: Family, rate: Callable[..., Real], factor: int = 1) -> tuple[str, str, tuple[str, str]] | None:
    """The first t = 100, 1000, ... where the bound certainly exceeds `factor` times the rate: t, that claim, the bound."""
    for power in range(2, 400):
        m = arb(2048)
        values = {name: along(m, m.real(10) ** power) for name, along in family.path.items()}
        claimed, low = factor * apply(rate, m, values), family.low(m, values)
        if m.gt(low, claimed) is True:
            return f"1e{power}", ends(claimed)[1], ends(low)
    return None


def spread_out(m: Numbers, values: Mapping[str, Real]) -> Real:
    """The lower bound of the lemma SPREAD."""
    a = m.exp(values["epsilon_0"])
    return m.frac(3, 20) * (1 - 1 / a) * m.sqrt(a / values["n"]) - 2 * values["delta"]


def _one(m: Numbers, t: Real) -> Real:
    return m.real(1)


FAMILIES = (
    Family({"epsilon_0": _one, "n": lambda m, t: t, "delta": lambda m, t: 1 / t}, spread_out, SPREAD),
    Family({"epsilon_0": lambda m, t: m.log(t), "n": lambda m, t: t**2, "delta": lambda m, t: 1 / t**2}, spread_out, SPREAD),
    Family(
        {"epsilon_0": _one, "n": lambda m, t: 192 * t, "delta": lambda m, t: m.exp(-t)},
        lambda m, values: m.frac(14, 1000),
        TAIL,
    ),
    Family(
        {"epsilon_0": lambda m, t: m.log(1 + 1 / t), "n": lambda m, t: t, "delta": lambda m, t: 1 / t**2}, spread_out, SPREAD
    ),
)
"""Many records; randomisers that hardly protect; small delta; randomisers that protect by themselves."""


def _outright(delta_0: Along, n: Along) -> Family:
    path: dict[str, Along] = {"epsilon": _one, "delta_0": delta_0, "delta": lambda m, t: delta_0(m, t) ** 2, "n": n}
    return Family(path, lambda m, values: values["delta_0"] - values["delta"], REVEALED)


OUTRIGHT_FAMILIES = (
    _outright(lambda m, t: m.exp(-t), lambda m, t: 1000 * t),
    _outright(lambda m, t: 1 / t, lambda m, t: t),
)
"""delta = delta_0^2: about the fewest records that the side condition admits, and many."""
