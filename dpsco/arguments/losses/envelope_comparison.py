"""The distances of the Moreau envelope, the Hellinger envelope and the Gaussian convolution from the check loss, compared."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache

import sympy

from dpsco.arguments.cells import LEVELS, sign
from dpsco.arguments.comparing import Instance, admitted
from dpsco.arguments.losses.envelope_cells import Q, on
from dpsco.arguments.losses.kernel_facts import is_upper_moment
from dpsco.arguments.regions import Region, box, certify
from dpsco.reference.losses import kernels
from dpsco.reference.losses.moreau import generalised
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Lemma

Formula = Callable[..., Real]

GAUSSIAN = Lemma(
    "Gaussian gap",
    "With t = |u|/h the Gaussian convolution is h G(t) above the check loss, G(t) = phi(t) - t Phi(-t), the integral of "
    "Phi(-v) from t on: it falls in t, and 0 < G(t) <= phi(t) = exp(-t^2/2)/sqrt(2 pi) for t >= 0.",
)
FAR = Lemma(
    "far from the kink",
    "Let s be r for u > 0 and 1 - r for u < 0, and q = min(r, 1 - r) <= s. For t = |u|/h >= 2 sqrt(ln(1/q)): t >= 2 sqrt(ln "
    "2) > 1 > s, so the envelope is h s^2/2 below the loss; and G(t) <= phi(t) <= exp(-2 ln(1/q))/sqrt(2 pi) = q^2/sqrt(2 "
    "pi) < q^2/2 <= s^2/2.",
)
HELLINGER = Lemma(
    "Hellinger gap",
    "Let beta >= max(r, 1 - r), s the loss's slope on the side of u, t = |u|/h. With x = u - h w (w towards 0, x not beyond "
    "it) the objective less c(u) is h (beta sqrt(1 + w^2) - s w), 0 <= w <= t; for x beyond 0 and for x on the far side of u "
    "it is no smaller than at 0 and at u. So the gap is h times the least of beta sqrt(1 + w^2) - s w over [0, t]: at most h "
    "beta (w = 0), with equality at u = 0; at least h sqrt(beta^2 - s^2), the least over all w, taken at w = s/sqrt(beta^2 - "
    "s^2) <= t if beta > s; and at least h beta (sqrt(1 + t^2) - t), since s <= beta and sqrt(1 + w^2) - w falls.",
)
BELOW = Lemma(
    "Gaussian below Hellinger",
    "beta >= max(r, 1 - r) >= 1/2, so the Hellinger gap is at least (h/2)/(sqrt(1 + t^2) + t). G(t) is less: on [0, 4] by "
    "branch and bound; beyond, G(t) <= phi(t), the denominator is at most 2 t + 1, and 2 (2 t + 1) phi(t), which falls for t "
    ">= 1, is below 1 at t = 4.",
)
DECAY = Lemma(
    "decay",
    "G(t) t^2 / phi(t) -> 1 as t grows (two integrations by parts). So for u fixed and h -> 0 the gap over h exp(-a u^2/h^2) "
    "stays bounded for a <= 1/2 and diverges for a > 1/2 where u is not 0.",
)
RATES = {
    "exp(-u^2 / (2 h^2)) h for u fixed, h -> 0": Fraction(1, 2),
    "exp(-u^2 / h^2) h for u fixed, h -> 0": Fraction(1),
}
"""The rates that can be read: the factor of u^2/h^2."""


def gaussian_gap(m: Numbers, u: Real, h: Real) -> Real:
    """The judge's own Gaussian gap: h times half of E|t + V| - |t|, from the tail's first moment."""
    t = m.abs(u) / h
    return h * (kernels.upper_moment(m, "gaussian", t) - t * m.Phi(-t))


@lru_cache(64)
def is_gaussian_gap(printed: Formula) -> bool:
    """Whether a printed formula is that gap for every u: the two sides and the kink, by computer algebra."""
    h, a = sympy.symbols("h a", positive=True)
    m = symbolic()
    differences = [sympy.simplify(printed(m, u=u, h=h) - gaussian_gap(m, u, h)) for u in (a, -a, sympy.Integer(0))]
    at_zero = [d.replace(m.Phi, lambda x: (1 + sympy.erf(x / sympy.sqrt(2))) / 2) for d in differences]
    return is_upper_moment("gaussian") and all(sympy.simplify(d) == 0 for d in at_zero)


def same_expression(left: Formula, right: Formula) -> bool:
    """Whether two formulas of r and h are the same expression."""
    r, h = sympy.symbols("r h", positive=True)
    m = symbolic()
    return bool(sympy.simplify(left(m, r=r, h=h) - right(m, r=r, h=h)) == 0)


def own_far(m: Numbers, r: Real, h: Real) -> Real:
    return 2 * h * m.sqrt(m.log(1 / m.min(r, 1 - r)))


def hellinger_gap(m: Numbers, u: Real, r: Real, h: Real, beta: Real) -> Real:
    return generalised.gap(m, "hellinger", u, h, r, beta)


def least_hellinger_gap(m: Numbers, r: Real, h: Real, beta: Real) -> Real:
    """h sqrt(beta^2 - max(r, 1 - r)^2), the least gap over all u where beta > max(r, 1 - r)."""
    return h * m.sqrt(beta**2 - m.max(r, 1 - r) ** 2)


def is_below_least(printed: Formula) -> bool:
    """Whether a printed lower bound of r, h and beta is at most the least Hellinger gap for every beta >= max(r, 1 - r):
    not positive, or of no larger square, on cells with beta = max(r, 1 - r) + q."""

    def below(r: object, q: object) -> bool:
        beta = on(lambda m, r: m.max(r, 1 - r), r, 0) + q
        bound = on(printed, r, 0, beta=beta)
        if sign(bound) in ("<", "<=", "="):
            return True
        return sign(on(least_hellinger_gap, r, 0, beta=beta) ** 2 - bound**2) in (">", ">=", "=")

    return all(below(r, q) for r in LEVELS for q in (Q, sympy.Integer(0)))


@cache
def gaussian_below_hellinger() -> Region:
    """G(t) < 1 / (2 (sqrt(1 + t^2) + t)) on [0, 4]; the tail's number beside it is enclosed by `tail_is_small`."""

    def holds(m: Numbers, t: Real) -> Truth:
        middle = m.real(t.mid()) if hasattr(t, "mid") else t
        falls = m.abs(t - middle) / 2  # |G'| = Phi(-t) <= 1/2: the mean value theorem keeps the enclosure sharp
        G = kernels.upper_moment(m, "gaussian", middle) - middle * m.Phi(-middle) + falls
        return m.lt(G, 1 / (2 * (m.sqrt(1 + t**2) + t)))

    return certify(arb(), holds, box((0, 4)))


def tail_is_small() -> bool:
    m = arb()
    return m.lt(18 * m.phi(m.real(4)), m.real(1)) is True


PLACES = ("0", "0.125", "-0.125", "0.5", "-0.5", "1", "-1", "2", "-2", "8", "-8")
INSTANCES: list[Instance] = [
    {"u": u, "r": r, "h": h, "beta": beta, "kappa_1": k, "K_bar": b}
    for u in PLACES
    for r in ("0.5", "0.25", "0.96875")
    for h in ("1", "6")
    for beta in ("0.5", "0.75", "1", "40")
    for k, b in (("0.5", "0.5"),)
]
"""Residuals at, beside and far from the kink; beta at the loss's slope exactly and above it."""
UNIFORMLY: list[Instance] = [
    {"r": r, "h": h, "beta": "1", "kappa_1": k, "K_bar": b}
    for k, b in (("0.375", "0.75"), ("0.5", "0.5"))
    for r in ("0.5", "0.25", "0.96875", "0.001")
    for h in ("1", "0.25", "6")
]
"""Levels and bandwidths with the moments of the Epanechnikov and the uniform kernel."""
BEYOND: list[Instance] = [
    {"r": r, "h": h, "beta": "1", "side": side, "times": times}
    for times in ("1", "1.5", "4")
    for r in ("0.5", "0.3", "0.97", "1e-9")
    for h in ("1", "0.2", "7")
    for side in ("1", "-1")
]
"""Multiples of the place from where on a comparison is claimed, on both sides."""


IN_WORDS = "at least max(r, 1 - r)"
"""How the meaning of beta says that it is at least every slope of the loss, where no condition does."""


def says_it_in_words(claim: Claim) -> bool:
    return IN_WORDS in claim.parameter("beta").meaning


def covering(claim: Claim) -> list[Instance]:
    """The instances that the claim admits, with beta at least every slope of the loss where its meaning says so."""
    places = admitted(claim, INSTANCES)
    if not says_it_in_words(claim):
        return places
    return [i for i in places if Fraction(i["beta"]) >= max(Fraction(i["r"]), 1 - Fraction(i["r"]))]
