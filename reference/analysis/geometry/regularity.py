"""Norms l_u, the mirror map of their squares and its inverse, Bregman divergences, and one proximal step: literal."""

from typing import Any

from dpsco.reference.literal import literal
from dpsco.spec.analysis.geometry import regularity as spec
from dpsco.spec.numbers import Numbers, Real


@literal(spec.norm)
def norm(m: Numbers, x: Any, index: Real) -> Real:
    return m.norm(x, index)


@literal(spec.mirror)
def mirror(m: Numbers, x: Any, kappa: Real, index: Real) -> Any:
    size = norm(m, x, index)
    if m.eq(size, m.real(0)) is True:
        return [m.real(0) for _ in x]
    return [kappa * size ** (2 - index) * _sign(m, a) * _power(m, a, index - 1) for a in x]


@literal(spec.inverse_mirror)
def inverse_mirror(m: Numbers, x: Any, kappa: Real, index: Real) -> Any:
    return mirror(m, x, 1 / kappa, index / (index - 1))


@literal(spec.bregman)
def bregman(m: Numbers, x: Any, z: Any, kappa: Real, index: Real) -> Any:
    here, there = potential(m, x, kappa, index), potential(m, z, kappa, index)
    terms = [slope * (a - b) for slope, a, b in zip(mirror(m, z, kappa, index), x, z, strict=True)]
    whole = here - there - sum(terms, start=m.real(0))
    return whole, here + there + sum((m.abs(term) for term in terms), start=m.real(0))


def potential(m: Numbers, x: Any, kappa: Real, index: Real) -> Real:
    """The potential of mirror descent, Phi(x) = (kappa/2) |x|^2 in the l_index norm."""
    return kappa / 2 * norm(m, x, index) ** 2


def step(m: Numbers, z: Any, slope: Any, kappa: Real, index: Real, radius: Real) -> Any:
    """One proximal step in the l_index ball: the minimiser of <slope, x> + D_Phi(x, z) over |x| <= radius.

    inverse_mirror(mirror(z) - slope), shortened to the length `radius` where it is longer

    Domain   z, slope (d,); kappa > 0; 1 < index < inf; radius > 0, m.inf for the whole space
    Returns  d numbers, in the unit of z
    Source   first-order condition; Phi is a function of the norm, so <-y, x> + Phi(x) is least along one direction at every
             length, and is convex in the length
    """
    y = [a - b for a, b in zip(mirror(m, z, kappa, index), slope, strict=True)]
    free = inverse_mirror(m, y, kappa, index)
    size = norm(m, free, index)
    return [a * radius / size for a in free] if m.gt(size, radius) is True else free


def modulus(m: Numbers, weight: Real, index: Real, p: Real, d: Real) -> Real:
    """A modulus of strong convexity of (weight/2) |x|^2, |.| = l_index^d, with respect to l_p, 1 < p <= index <= 2.

    weight (index - 1) d^{2/index - 2/p}

    Domain   weight > 0, 1 < index <= 2, 0 < p <= index, d >= 1
    Returns  no unit, times that of weight
    Source   the Hessian, Hoelder with a negative exponent, and |h|_p <= d^{1/p - 1/index} |h|_index
    """
    return weight * (index - 1) * d ** (2 / index - 2 / p)


def potential_of(m: Numbers, p: Real, d: Real) -> tuple[Real, Real]:
    """Weight and index of a potential (kappa/2) |x|^2 that is 1-strongly convex with respect to l_p^d, 1 <= p < 2, d >= 2.

    index = r/(r-1), kappa = (r-1) d^{2/r - 2 (p-1)/p}, r = min(p/(p-1), max(2, 2 ln d)), max(2, 2 ln d) for p = 1

    Domain   1 <= p < 2, d >= 2
    Returns  (kappa, index)
    Source   `modulus` is 1 there
    """
    r = m.max(m.real(2), 2 * m.log(d)) if m.eq(p, m.real(1)) is True else spec.smooth_index(m, p=p, d=d)
    return (r - 1) * d ** (2 / r - 2 * (p - 1) / p), r / (r - 1)


def smoothness(m: Numbers, weight: Real, index: Real) -> Real:
    """The smoothness constant of (weight/2) |x|^2, |.| = l_index, index >= 2, in its own norm: weight (index - 1)."""
    return weight * (index - 1)


def _sign(m: Numbers, a: Real) -> int:
    return 1 if m.gt(a, m.real(0)) is True else -1 if m.lt(a, m.real(0)) is True else 0


def _power(m: Numbers, a: Real, exponent: Real) -> Real:
    size = m.abs(a)
    return m.real(0) if m.eq(size, m.real(0)) is True else size**exponent


def tree_bound(m: Numbers, p: Real, levels: int) -> Real:
    """What a tree of sign vectors asks of kappa in l_q^d, q = p/(p-1), d = 2^(levels - 1).

    levels / d^{2/q}

    Domain   1 < p < 2, levels >= 1
    Returns  a lower bound on the regularity constant
    Source   the lemma `TREE` in dpsco.arguments.analysis.geometry.regular_sums
    """
    return levels / m.real(2 ** (levels - 1)) ** (2 * (p - 1) / p)


def survival(m: Numbers, rate: Real, z: Real, terms: int = 400) -> Real:
    """A lower bound on Kummer's M(-rate, 1/2, z): the sum's terms after the first are negative, the rest is a geometric sum.

    1 - rate (z/(1/2) + (1 - rate) z^2/((1/2)(3/2) 2) + ...)

    Domain   0 < rate < 1, z >= 0, terms > z
    Returns  positive only where Brownian motion stays within sqrt(2 z t) up to T with a chance of order T^-rate at most
    """
    total, term = m.real(1), -2 * rate * z
    for k in range(1, terms):
        total = total + term
        term = term * (k - rate) * z / ((k + m.frac(1, 2)) * (k + 1))
    return total + term / (1 - z / terms)


def excess_of_exponential(m: Numbers, z: Real, terms: int = 60) -> Real:
    """A lower bound on e^z less the sum over k >= 1 of z^k/(k (1/2)_k), whose terms are positive from k = 4 on."""
    total, whole, half = m.real(1), m.real(1), m.real(1)
    for k in range(1, terms):
        whole, half = whole * z / k, half * z / (k - m.frac(1, 2))
        total = total + whole - half / k
    return total
