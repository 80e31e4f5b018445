"""mpmath as a number context: values to a stated number of digits."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

import mpmath

from dpsco.reference.numbers.logic import conjunction, disjunction, negation
from dpsco.spec.numbers import Numbers, Real, Truth

LARGE = 1e6
"""Arguments of exp beyond this are reduced by powers of two first."""
FAR = 1e100
"""Arguments of erfc beyond this go through its asymptotic series."""


class MpNumbers:
    """`dps` decimal digits. Each instance owns its precision: two may be used side by side."""

    sqrt: Any
    expm1: Any
    log: Any
    log1p: Any
    sin: Any
    cos: Any
    tanh: Any
    erf: Any
    gamma: Any
    floor: Any
    ceil: Any
    all = staticmethod(conjunction)
    any = staticmethod(disjunction)
    no = staticmethod(negation)

    def __init__(self, dps: int = 50) -> None:
        self.mp = mp = mpmath.MPContext()
        mp.dps = dps
        self.pi, self.e, self.inf = +mp.pi, +mp.e, mp.inf
        self._from_text = lru_cache(maxsize=1024)(lambda text, bits: mp.mpf(text))  # instances share their decimals
        for name in (
            "sqrt",
            "expm1",
            "log",
            "log1p",
            "sin",
            "cos",
            "tanh",
            "erf",
            "gamma",
            "floor",
            "ceil",
        ):
            setattr(self, name, getattr(mp, name))
        self.lgamma, self.polylog, self.binomial = mp.loggamma, mp.polylog, mp.binomial
        self.abs = mp.fabs

    def real(self, value: object) -> Real:
        if isinstance(value, Fraction):
            return self.frac(value.numerator, value.denominator)
        return self._from_text(value, self.mp.prec) if isinstance(value, str) else self.mp.mpf(value)

    def frac(self, numerator: int, denominator: int) -> Real:
        return self.mp.mpf(numerator) / denominator

    def max(self, *xs: Real) -> Real:
        return max(self.mp.mpf(x) for x in xs)

    def min(self, *xs: Real) -> Real:
        return min(self.mp.mpf(x) for x in xs)

    def exp(self, x: Real) -> Real:
        if abs(x) < LARGE or not self.mp.isfinite(x):
            return self.mp.exp(x)
        # mpmath raises e to a large integer by repeated squaring
        with self.mp.workprec(self.mp.prec + self.mp.mag(x) + 10):
            twos = self.mp.floor(x / self.mp.ln2)
            rest = self.mp.exp(x - twos * self.mp.ln2)
        return self.mp.ldexp(+rest, int(twos))

    def erfc(self, x: Real) -> Real:
        if abs(x) < FAR or not self.mp.isfinite(x):
            return self.mp.erfc(x)
        if x < 0:
            return 2 - self.erfc(-x)
        # mpmath's own asymptotic branch overflows out here
        square, term, total, k = x * x, self.mp.mpf(1), self.mp.mpf(1), 0
        while abs(term) > self.mp.eps:
            k += 1
            term *= -(2 * k - 1) / (2 * square)
            total += term
        return self.exp(-square) / (x * self.mp.sqrt(self.mp.pi)) * total

    def Phi(self, x: Real) -> Real:
        return self.erfc(-self.mp.mpf(x) / self.mp.sqrt(2)) / 2

    def phi(self, x: Real) -> Real:
        return self.mp.exp(-(self.mp.mpf(x) ** 2) / 2) / self.mp.sqrt(2 * self.mp.pi)

    def sum(self, term: Callable[[Real], Real], low: Real, high: Real) -> Real:
        return self.mp.fsum(term(self.mp.mpf(k)) for k in range(int(low), int(high) + 1))

    def integral(self, integrand: Callable[[Real], Real], low: Real, high: Real) -> Real:
        return self.mp.quad(integrand, [low, high])

    def where(self, condition: Truth, yes: Real, no: Real) -> Real:
        return yes if condition else no

    def norm(self, vector: Any, p: Real = 2) -> Real:
        entries = [self.mp.fabs(x) for x in vector]
        if p == self.inf:
            return max(entries)
        return (
            self.mp.sqrt(self.dot(entries, entries)) if p == 2 else self.mp.fsum(x**p for x in entries) ** (1 / self.mp.mpf(p))
        )

    def dot(self, u: Any, v: Any) -> Real:
        return self.mp.fsum(self.mp.mpf(a) * b for a, b in zip(u, v, strict=True))

    def lt(self, a: Real, b: Real) -> Truth:
        return bool(a < b)

    def le(self, a: Real, b: Real) -> Truth:
        return bool(a <= b)

    def gt(self, a: Real, b: Real) -> Truth:
        return bool(a > b)

    def ge(self, a: Real, b: Real) -> Truth:
        return bool(a >= b)

    def eq(self, a: Real, b: Real) -> Truth:
        return bool(a == b)


@cache
def mp(dps: int = 50) -> Numbers:
    """The context of `dps` digits (one instance for each precision)."""
    return MpNumbers(dps)


def guarded(m: Numbers, *cancelled: Real) -> Numbers:
    """The context with more digits, so many that factors as large as these may cancel, or be lost in an argument.

    Contexts other than mpmath's are returned as they are: what encloses shows itself what was lost.
    """
    if not isinstance(m, MpNumbers):
        return m
    bits = sum(max(0, int(m.mp.mag(factor))) for factor in cancelled if factor)
    return mp(m.mp.dps + 32 * (1 + bits // 96)) if bits else m  # 96 bits are 28.9 digits; few contexts are made
