"""Real numbers between two dyadic rationals: arithmetic with whole numbers, every end rounded outward, no library behind it.

An interval is a pair (low, high) of Fractions with low <= value <= high. Elementary functions sum their series and add the
remainder that is proved beside each. Raises UnknownError where no enclosure is found (an argument that may leave the domain,
or is too large for a series): the caller then says that it does not know, never that something holds.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import isqrt
from typing import TypeAlias

BITS = 384
"""Ends keep this many significant bits."""
GUARD = 64
LARGEST = 2**14
"""Arguments of exp beyond this are not enclosed; of Phi beyond its root neither."""

Interval: TypeAlias = tuple[Fraction, Fraction]


class UnknownError(Exception):
    """No enclosure is found."""


def _rounded(x: Fraction, up: bool, bits: int = BITS) -> Fraction:
    """x to `bits` significant bits, not below it if `up`, else not above it."""
    p, q = x.numerator, x.denominator
    shift = bits - (p.bit_length() - q.bit_length())
    scaled, rest = divmod(p << shift, q) if shift >= 0 else divmod(p, q << -shift)
    scaled += 1 if up and rest else 0
    return Fraction(scaled, 1 << shift) if shift >= 0 else Fraction(scaled << -shift)


def outward(low: Fraction, high: Fraction, bits: int = BITS) -> Interval:
    return _rounded(low, False, bits), _rounded(high, True, bits)


def exact(x: Fraction | int) -> Interval:
    return Fraction(x), Fraction(x)


def add(a: Interval, b: Interval) -> Interval:
    return outward(a[0] + b[0], a[1] + b[1])


def multiply(a: Interval, b: Interval, bits: int = BITS) -> Interval:
    corners = [x * y for x in a for y in b]
    return outward(min(corners), max(corners), bits)


def divide(a: Interval, b: Interval, bits: int = BITS) -> Interval:
    if b[0] <= 0 <= b[1]:
        raise UnknownError("a denominator that may be 0")
    corners = [x / y for x in a for y in b]
    return outward(min(corners), max(corners), bits)


def negative(a: Interval) -> Interval:
    return -a[1], -a[0]


def whole_power(a: Interval, k: int) -> Interval:
    """a^k for a whole number k."""
    if abs(k) > 4096:
        raise UnknownError("a large power")
    if k < 0:
        return divide(exact(1), whole_power(a, -k))
    ends = [exact(1), exact(1)]
    for i in (0, 1):
        for digit in bin(k)[2:]:
            ends[i] = multiply(ends[i], ends[i])
            if digit == "1":
                ends[i] = multiply(ends[i], exact(a[i]))
    low, high = min(ends[0][0], ends[1][0]), max(ends[0][1], ends[1][1])
    return (Fraction(0), high) if k > 0 and k % 2 == 0 and a[0] <= 0 <= a[1] else (low, high)


def _increasing(f: Callable[[Fraction], Interval], a: Interval) -> Interval:
    """The image of an interval under an increasing function."""
    low = f(a[0])
    return low if a[0] == a[1] else (low[0], f(a[1])[1])


def square_root(a: Interval, bits: int = BITS) -> Interval:
    if a[0] < 0:
        raise UnknownError("a root of what may be negative")
    return _root(a[0], bits)[0], _root(a[1], bits)[1]


def _root(x: Fraction, bits: int = BITS) -> Interval:
    """floor(sqrt(4^s x)) / 2^s and the next; s chosen for enough bits."""
    shift = bits + x.denominator.bit_length()
    whole = isqrt((x.numerator << (2 * shift)) // x.denominator)
    return outward(Fraction(whole, 1 << shift), Fraction(whole + 1, 1 << shift), bits)


def exponential(a: Interval) -> Interval:
    return _increasing(_exp, a)


def _exp(x: Fraction, bits: int = BITS) -> Interval:
    """e^x = (e^r)^(2^n), r = x / 2^n with |r| <= 2^-8. The series up to r^N/N! misses at most 2 |r|^(N+1)/(N+1)!."""
    if abs(x) > LARGEST:
        raise UnknownError("exp of a large number")
    n = max(0, abs(x.numerator).bit_length() - x.denominator.bit_length() + 9)
    r, work = x / 2**n, bits + GUARD + n
    low, high = outward(r, r, work)
    total, term, k = exact(1), exact(1), 0
    while max(abs(term[0]), abs(term[1])) > Fraction(1, 1 << (work)) or k < 2:
        k += 1
        corners = [t * s / k for t in term for s in (low, high)]
        term = outward(min(corners), max(corners), work)
        total = outward(total[0] + term[0], total[1] + term[1], work)
    rest = 2 * max(abs(term[0]), abs(term[1]))  # |r|^(k+1)/(k+1)! is below the last term
    total = total[0] - rest, total[1] + rest
    for _ in range(n):
        total = outward(total[0] ** 2, total[1] ** 2, work)
    return outward(*total, bits)


def logarithm(a: Interval) -> Interval:
    if a[0] <= 0:
        raise UnknownError("a logarithm of what may be 0 or negative")
    return _increasing(_log, a)


def _log(x: Fraction) -> Interval:
    """log x = e log 2 + 2 artanh z, x = 2^e m, z = (m - 1)/(m + 1), 2/3 <= m <= 4/3, so |z| <= 1/5; log 2 = 2 artanh(1/3)."""
    e = x.numerator.bit_length() - x.denominator.bit_length()
    m = x / Fraction(2) ** e
    while m > Fraction(4, 3):
        m, e = m / 2, e + 1
    while m < Fraction(2, 3):
        m, e = m * 2, e - 1
    z = (m - 1) / (m + 1)
    return add(multiply(exact(e), _two_artanh(Fraction(1, 3))), _two_artanh(z))


@cache
def _two_artanh(z: Fraction) -> Interval:
    """2 (z + z^3/3 + z^5/5 + ...), |z| <= 1/3: what follows the term z^k/k is at most |z|^(k+2)/(1 - z^2) <= |z|^k / 8."""
    if z < 0:
        return negative(_two_artanh(-z))
    bits = BITS + GUARD
    z_low, z_high = outward(z, z, bits)
    power, total, k = (z_low, z_high), (Fraction(0), Fraction(0)), 1
    square = outward(z_low**2, z_high**2, bits)
    while True:
        total = outward(total[0] + power[0] / k, total[1] + power[1] / k, bits)
        if power[1] <= Fraction(1, 1 << bits) * max(z_low, Fraction(1, 1 << 2 * bits)):
            return outward(2 * total[0], 2 * (total[1] + power[1] / 8))
        power, k = outward(power[0] * square[0], power[1] * square[1], bits), k + 2


@cache
def pi(bits: int = BITS) -> Interval:
    """Machin: pi = 16 arctan(1/5) - 4 arctan(1/239); an alternating series lies between neighbouring sums."""
    five, far = _arctan_of_inverse(5, bits), _arctan_of_inverse(239, bits)
    return outward(16 * five[0] - 4 * far[1], 16 * five[1] - 4 * far[0], bits)


def _arctan_of_inverse(q: int, bits: int) -> Interval:
    total, k = Fraction(0), 0
    while q ** (2 * k + 1) < 1 << (bits + GUARD):
        total += Fraction((-1) ** k, (2 * k + 1) * q ** (2 * k + 1))
        k += 1
    rest = Fraction(1, (2 * k + 1) * q ** (2 * k + 1))
    return outward(total - rest, total + rest, bits + GUARD)


def normal_distribution(a: Interval) -> Interval:
    """Phi: the distribution function of N(0, 1)."""
    return _increasing(_Phi, a)


def _Phi(x: Fraction) -> Interval:
    """Phi(x) = 1/2 + phi(x) (x + x^3/3 + x^5/(3 5) + ...), x >= 0: positive terms, each x^2/(2k + 1) times the one before,
    so that from 2k + 1 >= 2 x^2 on what follows a term is at most that term. Phi(-x) = 1 - Phi(x) with x^2 more bits."""
    if x * x > LARGEST:
        raise UnknownError("Phi far in its tail")
    if x == 0:
        return exact(Fraction(1, 2))
    y = abs(x)
    bits = BITS + GUARD + 2 * int(y * y) + 2
    low, high = outward(y, y, bits)
    square = outward(low**2, high**2, bits)
    term, total, k = (low, high), (low, high), 1
    while 2 * k + 1 < 2 * square[1] or term[1] > Fraction(1, 1 << bits) * total[0]:
        term = outward(term[0] * square[0] / (2 * k + 1), term[1] * square[1] / (2 * k + 1), bits)
        total = outward(total[0] + term[0], total[1] + term[1], bits)
        k += 1
    total = total[0], total[1] + term[1]
    bell = divide(_exp(-y * y / 2, bits), square_root(multiply(exact(2), pi(bits), bits), bits), bits)
    half = Fraction(1, 2)
    upper = half + bell[0] * total[0], half + bell[1] * total[1]
    return outward(*upper) if x > 0 else outward(max(Fraction(0), 1 - upper[1]), 1 - upper[0])
