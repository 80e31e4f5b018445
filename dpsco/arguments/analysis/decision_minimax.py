"""The minimax risk of private predict-then-optimize training: explicit laws from below, explicit algorithms from above.

Every bound is a multiple of L B_B, L the Lipschitz constant of a record's SPO+ loss in B, B_B the bound on the comparator: what
hidden constants may depend on. A rate that is claimed from below is refuted along a path on which an algorithm's risk over it
tends to 0, and certified where it is of the order of what is proved.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from dpsco.arguments.comparing import admits, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import Exponents, exponent, form, grows
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity

ONE = (Adjacency.REPLACE_ONE,)
FOUR_LAWS = Lemma(
    "four laws on two features, no privacy",
    "S = [-1, 1] x {0}^(d-1), x = e_1 or e_2 with chance 1/2 each, c = (+-C, 0, ..., 0), C = sqrt(2) B_B, + with probability "
    "(1 + v_j t)/2 at e_j, v in {-1, 1}^2, t = 1/(3 sqrt(n)). At a prediction b with |b| <= C/2 the SPO+ loss is 2C - 4b or "
    "2C + 4b, beyond it is 0 on the one side and steep on the other: the risk in b_j falls by 2t a unit toward v_j C/2 and "
    "rises after it, the comparator has norm B_B, L = 4. If v_j b_j <= 0 for a j, the excess is at least t C. For v uniform "
    "its two signs are independent given the data: both are right with probability at most (1/2 + TV/2)^2 < 0.47, TV^2 <= n "
    "t^2/(1 - t^2) <= 1/8 by Pinsker. So for some v the excess is at least sqrt(2) B_B/(3 sqrt(n)) with probability above 1/2 "
    "over data and answers, whatever the algorithm, and at least half of that in expectation.",
)
TWO_LAWS = Lemma(
    "two laws, no privacy, answers in the ball",
    "p = 1, S the box [-s, s]^d, c = +-C (1, ..., 1), C >= 2 B_B, x = 1: for |B| <= B_B the SPO+ loss is s (2 d C -+ 4 sum "
    "B_k), linear with slope L = 4 s sqrt(d). With + of probability (1 + v t)/2, v in {-1, 1}, t = 1/(2 sqrt(n)), the two "
    "excesses add up to 2 L B_B t at every answer; n draws have total variation at most sqrt(1/3): the larger is at least L "
    "B_B/(5 sqrt(n)).",
)
FINGERPRINT = Lemma(
    "fingerprints of linear decisions",
    "p = 1, S the box [-s, s]^d, c = C (s_1, ..., s_d) with signs s_k, C >= 2 B_B: for |B| <= B_B every c - 2 B has the signs "
    "of c, so at x = 1 the SPO+ loss is 2 s d C - 4 s B's: linear, L = 4 s sqrt(d). Let q be uniform in [-1, 1]^d, x = 1 with "
    "probability t, else 0 (no loss), the s_k independent of mean q_k, B = B_B f(data), |f| <= 1. E of the sum over records "
    "with x = 1 of f'(s_i - q) is 2 E f'q, as the integral of (1 - q^2) g' over [-1, 1] is that of 2 q g. With record i drawn "
    "anew f'(s_i - q) has mean 0, absolute mean at most 1 and size at most 2 sqrt(d), so privacy keeps the sum below n t "
    "(sinh(epsilon) + 4 sqrt(d) delta). The least risk is along q, E|q| >= sqrt(d)/2, and the mean excess at least (L t "
    "B_B/2)(1 - n t (sinh(epsilon) + 4 sqrt(d) delta)/sqrt(d)). For epsilon <= 1, sqrt(d) delta <= epsilon and t = min(1, "
    "sqrt(d)/(10.4 n epsilon)) that is at least L B_B min(1, sqrt(d)/(n epsilon))/42.",
    ONE,
)
ZERO = Lemma(
    "answering 0", "The answer 0 reads no data; against every comparator in the ball its excess is at most L B_B.", ONE
)
PURE_FIT = Lemma(
    "regularised fit plus noise of density exp(-epsilon |z|/D)",
    "B_hat minimises the empirical SPO+ risk + lambda |B|^2/2 over the ball; replacing a record moves it by at most D = 2 L/("
    "lambda n). The answer is B_hat + z projected onto the ball, z in R^k, k = p d, of that density: epsilon-DP, E|z| = k D/"
    "epsilon. Excess over every comparator in the ball, on every law: lambda B_B^2/2 + L D (1 + k/epsilon), least 2 L B_B "
    "sqrt((1 + k/epsilon)/n). (p = 1.)",
    ONE,
)
GAUSSIAN_FIT = Lemma(
    "regularised fit plus Gaussian noise",
    "The same with z ~ N(0, (D s)^2 I), s = sqrt(2 ln(1.25/delta))/epsilon, private for epsilon < 1 (Dwork and Roth 2014, "
    "Theorem A.1), E|z| <= sqrt(k) D s: excess at most 2 L B_B sqrt((1 + sqrt(k) s)/n).",
    ONE,
)
SUBSET = Lemma(
    "one pass over a random subset",
    "k = floor(delta n) >= 1 records drawn without replacement, one pass of projected subgradient descent over them with steps "
    "B_B/(L sqrt(k)), averaged: (0, delta)-DP, as a replaced record is drawn with probability at most delta; excess at most "
    "L B_B/sqrt(k), k >= delta n/2.",
    ONE,
)


@dataclass(frozen=True)
class Path:
    """Quantities as functions of N, an algorithm, and its risk over L B_B there."""

    says: str
    at: Callable[[Numbers, Real], dict[str, Real]]
    lemma: Lemma
    bound: Callable[[Numbers, Mapping[str, Real]], Real]
    pure: bool = True
    """Whether the algorithm is epsilon-DP."""


def one(m: Numbers, v: Mapping[str, Real]) -> Real:
    return m.real(1)


def pure_fit(m: Numbers, v: Mapping[str, Real]) -> Real:
    return 2 * m.sqrt((1 + v["d"] / v["epsilon"]) / v["n"])


def gaussian_fit(m: Numbers, v: Mapping[str, Real]) -> Real:
    s = m.sqrt(2 * m.log(m.frac(5, 4) / v["delta"])) / v["epsilon"]
    return 2 * m.sqrt((1 + m.sqrt(v["d"]) * s) / v["n"])


def subset(m: Numbers, v: Mapping[str, Real]) -> Real:
    return m.sqrt(2 / (v["delta"] * v["n"]))


def point(n: Any, d: Any, epsilon: Any, delta: Any) -> dict[str, Any]:
    return {"n": n, "d": d, "epsilon": epsilon, "delta": delta}


PATHS = (
    Path("n = d = 1, epsilon = 1/N, delta = e^(-N)", lambda m, N: point(m.real(1), m.real(1), 1 / N, m.exp(-N)), ZERO, one),
    Path(
        "n = d = 1, epsilon = ln(1 + N), delta = 1/4",
        lambda m, N: point(m.real(1), m.real(1), m.log(1 + N), m.frac(1, 4)),
        ZERO,
        one,
    ),
    Path(
        "n = N^2, d = 1, epsilon = 1, delta = 1/4",
        lambda m, N: point(N**2, m.real(1), m.real(1), m.frac(1, 4)),
        PURE_FIT,
        pure_fit,
    ),
    Path(
        "n = N^2, d = 1, epsilon = 1, delta = e^(-N^4)",
        lambda m, N: point(N**2, m.real(1), m.real(1), m.exp(-(N**4))),
        PURE_FIT,
        pure_fit,
    ),
    Path(
        "n = N^2, d = 1, epsilon = 1/N, delta = e^(-N)",
        lambda m, N: point(N**2, m.real(1), 1 / N, m.exp(-N)),
        PURE_FIT,
        pure_fit,
    ),
    Path(
        "n = d = N^8, epsilon = 1/2, delta = (5/4) e^(-N^2)",
        lambda m, N: point(N**8, N**8, m.frac(1, 2), m.frac(5, 4) * m.exp(-(N**2))),
        GAUSSIAN_FIT,
        gaussian_fit,
        False,
    ),
    Path(
        "n = N, d = 1, epsilon = 1/N, delta = 1/2",
        lambda m, N: point(N, m.real(1), 1 / N, m.frac(1, 2)),
        SUBSET,
        subset,
        False,
    ),
)
SHOWN = 10**6
"""The N at which a path's numbers are shown, and at which it must meet the claim's conditions."""


def beaten(claim: Claim, name: str, scope: str, survives: str, pure: bool, paths: Sequence[Path] = PATHS) -> Finding | None:
    """The first path on which an algorithm's risk over the claimed rate falls like a power of N, or None."""
    N, m = sympy.Symbol("N", positive=True), arb(256)
    for path in paths:
        if (pure and not path.pure) or not admits(claim, m, path.at(m, m.real(SHOWN))):
            continue
        at = path.at(symbolic(), N)
        try:
            quotient = apply(claim.formulas[name], symbolic(), at) / path.bound(symbolic(), at)
            infinite = exponent(without_minima(quotient), form(N=1)) > 0
        except ValueError:  # not a rate that powers of N describe
            continue
        if infinite:
            values = path.at(m, m.real(SHOWN))
            return refuted(
                scope,
                f"at least a multiple of L B_B times {ends(apply(claim.formulas[name], m, values))[0]}",
                ("0", ends(path.bound(m, values))[1]),
                {"path": path.says, "N": str(SHOWN)},
                method="the claimed rate over the risk of an explicit private algorithm grows like a power of N",
                severity=Severity.RATE,
                survives=survives,
                rung=Rung.EXACT,
                coverage=tuple(p.says for p in paths),
                adjacency=claim.adjacency,
                lemmas=(path.lemma,),
            )
    return None


def without_minima(x: Any) -> Any:
    """min(a, b) of positive quantities as 1/max(1/a, 1/b), which has an order of growth."""
    return sympy.sympify(x).replace(sympy.Min, lambda *parts: 1 / sympy.Max(*(1 / part for part in parts)))


def of_order(claim: Claim, name: str, proved: Any, domain: Sequence[Exponents], grown: Mapping[str, Any]) -> bool:
    """Whether the claimed rate is O(proved) where the domain's forms are at least 0; `grown` in the place of quantities."""
    names = ("n", "d", "epsilon", "delta")
    values = {q: sympy.Symbol(q, positive=True) for q in names} | dict(grown)
    rate = apply(claim.formulas[name], symbolic(), values)
    try:
        return grows(without_minima(rate), proved, domain) is None
    except ValueError:
        return False
