"""A smoothing kernel of one's own: symmetric, piecewise polynomial in |v|, zero beyond its last end; every number exact.

Where a function of `dpsco.spec.losses.kernels` or of the reference takes a kernel's name, it takes one of these as well.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import TypeAlias

from dpsco.spec.numbers import Numbers, Real

Polynomial: TypeAlias = tuple[Fraction, ...]
"""Coefficients of 1, x, x^2, ..."""


@dataclass(frozen=True)
class PolynomialKernel:
    """K(v) = p_i(|v|) for e_{i-1} < |v| <= e_i (e_0 = 0, which the first piece includes), and 0 for |v| > e_m.

    Whether it is a kernel, that is meets Condition 1 of the quantile paper, is another question: see
    `dpsco.polynomial_kernel`.
    """

    name: str
    ends: tuple[Fraction, ...]
    """e_1 < ... < e_m, all positive."""
    pieces: tuple[Polynomial, ...]
    """p_1, ..., p_m."""

    @property
    def intervals(self) -> tuple[tuple[Fraction, Fraction], ...]:
        return tuple(pairwise((Fraction(0), *self.ends)))


def value(p: Polynomial, x: Fraction) -> Fraction:
    return sum((c * x**k for k, c in enumerate(p)), start=Fraction(0))


def primitive(p: Polynomial, at_zero: Fraction = Fraction(0)) -> Polynomial:
    return (at_zero, *(c / (k + 1) for k, c in enumerate(p)))


def times_argument(p: Polynomial) -> Polynomial:
    return (Fraction(0), *p)


def integrals_above(pieces: tuple[Polynomial, ...], kernel: PolynomialKernel) -> tuple[Polynomial, ...]:
    """For each interval the polynomial a -> integral from a to the last end of the function with these pieces."""
    found: list[Polynomial] = []
    beyond = Fraction(0)
    for p, (start, end) in zip(reversed(pieces), reversed(kernel.intervals), strict=True):
        up = primitive(p)
        tail = tuple(-c for c in primitive(p, -(beyond + value(up, end))))
        found.append(tail)
        beyond = value(tail, start)
    return tuple(reversed(found))


@cache
def tails(kernel: PolynomialKernel) -> tuple[Polynomial, ...]:
    """Q(a), integral of K from a on."""
    return integrals_above(kernel.pieces, kernel)


@cache
def gaps(kernel: PolynomialKernel) -> tuple[Polynomial, ...]:
    """Integral of Q from a on, which is half of E|a + V| - a."""
    return integrals_above(tails(kernel), kernel)


@cache
def first_moments(kernel: PolynomialKernel) -> tuple[Polynomial, ...]:
    """Integral of v K(v) from a on."""
    return integrals_above(tuple(times_argument(p) for p in kernel.pieces), kernel)


def moment(kernel: PolynomialKernel, order: int) -> Fraction:
    """Integral of |v|^order K(v) over the line."""
    weighted = kernel.pieces
    for _ in range(order):
        weighted = tuple(times_argument(p) for p in weighted)
    return 2 * value(integrals_above(weighted, kernel)[0], Fraction(0))


def piecewise(m: Numbers, pieces: tuple[Polynomial, ...], kernel: PolynomialKernel, a: Real) -> Real:
    """The function with these pieces at a >= 0."""
    found = m.real(0)
    for p, end in zip(reversed(pieces), reversed(kernel.ends), strict=True):
        total = m.real(0)
        for c in reversed(p):
            total = total * a + m.real(c)
        found = m.where(m.le(a, m.real(end)), total, found)
    return found


def density(m: Numbers, kernel: PolynomialKernel, v: Real) -> Real:
    return piecewise(m, kernel.pieces, kernel, m.abs(v))


def integrated(m: Numbers, kernel: PolynomialKernel, t: Real) -> Real:
    """Integral of K from -infinity to t: Q(-t), or 1 - Q(t)."""
    tail = piecewise(m, tails(kernel), kernel, m.abs(t))
    return m.where(m.le(t, m.real(0)), tail, 1 - tail)


def deviation(m: Numbers, kernel: PolynomialKernel, t: Real) -> Real:
    """E|t + V|."""
    return m.abs(t) + 2 * piecewise(m, gaps(kernel), kernel, m.abs(t))
