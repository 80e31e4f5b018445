"""Resampling with replacement before a private algorithm: how often a replaced record is drawn, what privacy is left.

Everything rests on w = epsilon'/epsilon, read from the claim: draws up to w are met by group privacy, more are charged to
what delta' keeps when delta = 0.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import sympy

from dpsco.arguments.comparing import order
from dpsco.arguments.formula import apply
from dpsco.arguments.regions import box, certify
from dpsco.instances.grid import Instance
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.reference.privacy.group import growth
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Lemma

SMALL = ("1e-23", "1.6e-28", "1e-40", "1e-60", "1e-100", "1e-500")
GAMMAS = ("0.999", "0.75", "0.5", "0.1", "1e-3", "1e-6", "1e-12", "1e-18", *SMALL)
SIZES = ("1", "2", "3", "1000")
LEAST = "1e-18"
"""Down to which gamma the printed number of draws is certified."""
MOST = "4.5"
"""Up to which epsilon the printed privacy is certified for smaller gamma too."""

DRAWS = Lemma(
    "draws of one record",
    "Each of n uniform draws with replacement hits a given record with probability 1/n, independently: the number of hits is "
    "Binomial(n, 1/n).",
)
BERNSTEIN = Lemma(
    "Bernstein for Binomial(n, 1/n)",
    "ln E e^(l (X - 1)) <= e^l - 1 - l <= l^2/(2 (1 - l/3)) for 0 <= l < 3, since (k + 2)! >= 2 3^k; Markov's inequality at "
    "l = sqrt(2s)/(1 + sqrt(2s)/3) gives Pr[X >= 1 + sqrt(2s) + s/3] <= e^(-s) for every n and every s > 0.",
)
UNION = Lemma(
    "union bound",
    "Pr[Binomial(n, 1/n) >= k] <= (n choose k)/n^k <= 1/k! for every n; with k = ceiling(u) >= 2 that is at most 1/Gamma(u + "
    "1). ln Gamma is convex with slope 1 - 0.5772... > 0.42 at 2, so ln Gamma(2 + x) >= 0.42 x for x >= 0.",
)
GROUP = Lemma(
    "group privacy at the number of draws",
    "At distance k an event's probabilities are related by e^(k epsilon) and delta (e^(k epsilon) - 1)/(e^epsilon - 1), at "
    "most delta k e^((k - 1) epsilon), and that grows with k.",
)
COUPLED = Lemma(
    "the same draws on both sides",
    "Draw one index vector for both sources: the resampled data sets differ in as many records as the replaced one is drawn. "
    "For each index vector with at most w such draws the event's probability is at most e^(w epsilon) times its neighbour's "
    "plus delta w e^((w - 1) epsilon); the other vectors have probability Pr[X > w]. The sum over all vectors keeps the "
    "inequality, and dropping the conditioning on the right only adds.",
    (Adjacency.REPLACE_ONE,),
)
REDRAWN = Lemma(
    "the hits drawn anew among the others",
    "n >= 2: draw J uniformly among the n - 1 records that both sources share and, independently, hits b_i of probability 1/n; "
    "I_i is the replaced record where b_i = 1, else J_i. I is uniform, and its data differ from J's in X = sum b_i records. "
    "Group privacy at distance X from J's data, of probability P0 for the event, averaged over X: P(B) <= M+ P0 + delta (M+ - "
    "1)/(e^epsilon - 1) on one source, P(B') >= M- P0 - delta (1 - M-)/(e^epsilon - 1) on the other, M+- = E e^(+-epsilon X) = "
    "((n - 1 + e^(+-epsilon))/n)^n. So B is (ln R, delta (R - 1)/(e^epsilon - 1))-DP, R = M+/M-. n = 1: B is A.",
    (Adjacency.REPLACE_ONE,),
)
BOTH_MEANS = Lemma(
    "ln R is at most 2 sinh(epsilon)",
    "Both vanish at epsilon = 0. With m = n - 1 and c = 2 cosh(epsilon), d ln R/d epsilon = (m + 1)(m c + 2)/(m^2 + m c + 1), "
    "and c (m^2 + m c + 1) - (m + 1)(m c + 2) = m (c - 2)(c + 1) + (c - 2) >= 0.",
)
WITHIN = Lemma(
    "less than the printed delta'",
    "With x = e^epsilon and w >= 1: (R - 1)/(x - 1) <= (x^w - 1)/(x - 1) <= w x^(w - 1) for R <= x^w, by the mean value of "
    "x^w. 2 sinh(epsilon)/epsilon grows with epsilon.",
)
COUNTED = Lemma(
    "a counting algorithm",
    "A says yes with a probability p_c that depends on the number c of copies of the replaced record; p_(c+1) <= e^epsilon p_c "
    "and 1 - p_c <= e^epsilon (1 - p_(c+1)) make it (epsilon, 0)-DP. On one source c = 0, on the other Binomial(n, 1/n).",
)


@dataclass(frozen=True)
class Names:
    """The claim's names for the formulas."""

    epsilon: str
    delta: str


@dataclass(frozen=True)
class Parts:
    """What the judge reads from the claim, as expressions in s = ln(1/gamma), epsilon, delta: w, the part of delta' at
    delta = 0, and the rest."""

    s: Real
    w: Real
    lost: Real
    rest: Real
    epsilon: Real
    delta: Real


def read(claim: Claim, names: Names) -> Parts | None:
    """The parts, None where w or the lost part depends on more than gamma."""
    s, epsilon, delta = sympy.symbols("s epsilon delta", positive=True)
    values = {"epsilon": epsilon, "delta": delta, "gamma": sympy.exp(-s), "n": sympy.Symbol("n", positive=True)}
    after = apply(claim.formulas[names.delta], symbolic(), values)
    w = sympy.simplify(sympy.expand_log(apply(claim.formulas[names.epsilon], symbolic(), values) / epsilon, force=True))
    lost = sympy.simplify(after.subs(delta, 0))
    if (w.free_symbols | lost.free_symbols) - {s}:
        return None
    return Parts(s, w, lost, sympy.expand(after) - sympy.expand(after).subs(delta, 0), epsilon, delta)


def few_draws(s: Real, w: Real, lost: Real) -> bool:
    """Whether Pr[X >= w] <= lost for every n and every s > 0, by Bernstein and computer algebra."""
    if lost == 0:
        return False
    nats = sympy.expand_log(-sympy.log(lost), force=True)
    spare = sympy.simplify(w - 1 - sympy.sqrt(2 * nats) - nats / 3)
    return order(spare) in ("=", ">", ">=") and order(nats) in (">", ">=")


def few_draws_down_to(s: Real, w: Real, least: str) -> int | None:
    """Whether Pr[X >= w] <= e^(-s) for every n and gamma = e^(-s) >= least: the number of boxes that show it, None if not.

    For w = 1 + c sqrt(s): the tangent of ln Gamma up to sqrt(s) = 0.42 c, branch and bound on sqrt(s) beyond.
    """
    root = sympy.Symbol("root", positive=True)
    c = sympy.simplify((w.subs(s, root**2) - 1) / root)
    if not (c.is_number and c.is_positive and c.is_rational):
        return None
    m = arb(128)
    slope, start = Fraction(int(c.p), int(c.q)), Fraction(42, 100) * Fraction(int(c.p), int(c.q))
    end = Fraction(ends(m.sqrt(m.log(1 / m.real(least))))[1])

    def holds(m: Numbers, r: Real) -> Truth:
        return m.ge(m.lgamma(2 + m.real(slope) * r), r**2)

    if end <= start:
        return 1
    searched = certify(m, holds, box((start, end)))
    return searched.decided if searched.holds is True else None


def means_suffice(s: Real, w: Real, least: str, most: str) -> bool:
    """Whether 2 sinh(epsilon) <= w epsilon for every epsilon <= most and every gamma = e^(-s) <= least, w = 1 + c sqrt(s)."""
    root = sympy.Symbol("root", positive=True)
    c = sympy.simplify((w.subs(s, root**2) - 1) / root)
    if not (c.is_number and c.is_positive and c.is_rational):
        return False
    m = arb(128)
    epsilon, start = m.real(most), m.sqrt(m.log(1 / m.real(least)))
    return m.le(m.exp(epsilon) - m.exp(-epsilon), (1 + m.frac(int(c.p), int(c.q)) * start) * epsilon) is True


def group_is_paid(parts: Parts) -> bool:
    """Whether the part of delta' that has a factor delta is at least delta w e^((w - 1) epsilon), by computer algebra."""
    needed = parts.delta * parts.w * sympy.exp((parts.w - 1) * parts.epsilon)
    ratio = sympy.simplify(parts.rest / needed)
    if not ratio.is_positive:
        return False
    return order(sympy.simplify(sympy.expand_log(sympy.log(ratio), force=True))) in ("=", ">", ">=")


@cache
def weights(n: int, bits: int) -> Sequence[Real]:
    """Pr[Binomial(n, 1/n) = c], c = 0, ..., n, enclosed."""
    m = arb(bits)
    return [m.binomial(m.real(n), c) * m.real(n - 1) ** (n - c) / m.real(n) ** n for c in range(n + 1)]


def more_than(m: Numbers, n: int, w: Real) -> Real:
    """Pr[Binomial(n, 1/n) > w], enclosed: an integer w that is not certain makes the sum start above it (a lower bound)."""
    first = least_above(m, w)
    return sum(weights(n, 320)[first:], start=m.real(0))


def least_above(m: Numbers, w: Real) -> int:
    """An integer that is certainly above w, the least one where the ball leaves no doubt."""
    return int(m.floor(w.upper()).unique_fmpz()) + 1


def worst_excess(claim: Claim, names: Names, instance: Instance) -> tuple[Real, Real] | None:
    """delta' and the least that it would have to be, where the counting algorithm certainly exceeds it; None where not."""
    m = arb(320)
    values = {name: m.real(value) for name, value in instance.items()}
    n, factor = int(instance["n"]), m.exp(values["epsilon"])
    epsilon = apply(claim.formulas[names.epsilon], m, values)
    delta = apply(claim.formulas[names.delta], m, values)
    first = least_above(m, epsilon / values["epsilon"])
    found = None
    if m.ge(delta, 1) is True:  # asks nothing
        return None
    for k in candidates(first, n):
        start = m.exp(-k * values["epsilon"]) / 2
        length = min(n, k + 8)
        chain = list(growth(start, factor, 0, length))  # p_c, nondecreasing: the rest of the tail counts as p_length
        law = weights(n, 320)
        counted = [a * p for a, p in zip(law[: length + 1], chain, strict=True)]
        yes = sum(counted, start=m.real(0)) + chain[-1] * sum(law[length + 1 :], start=m.real(0))
        needed = yes - m.exp(epsilon) * start
        if m.gt(needed, delta) is True and (found is None or m.gt(needed, found[1]) is True):
            found = (delta, needed)
    return found


def candidates(first: int, n: int) -> Iterator[int]:
    """Numbers of draws at which the event is tried: just beyond the first that group privacy does not meet, then farther."""
    for k in (first, first + 1, first + 3, 2 * first, 3 * first, 4 * first):
        if k <= n:
            yield k
