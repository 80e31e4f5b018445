"""Numbers as the sums of two doubles, the second at most half a unit of the first one's last place: about 32 digits.

For few numbers on which many depend: a logarithm that is multiplied by a million, or whose exponential is asked for. Sums and
products of two doubles are exact pairs (Knuth; Dekker, who splits a factor in halves of 26 bits). Good to 2^-80 of a value
where neither factor is beyond 1e290 and no product is below 1e-290.
"""

import math
from fractions import Fraction
from typing import Any, Final

from dpsco.fast.kernel import kernel

Pair = tuple[float, float]

HALVES: Final = 134217729.0
"""2^27 + 1."""
LN2: Final = (0.6931471805599453, 2.3190468138462996e-17, 5.707708438416212e-34)
LN2_HALF: Final = 0.34657359027997264
ROOT_HALF: Final = 0.7071067811865476


def pair_of(x: Fraction) -> Pair:
    """A rational number as a pair."""
    return float(x), float(x - Fraction(float(x)))


SERIES: Final = tuple(pair_of(Fraction(1, math.factorial(k))) for k in range(1, 21))
"""(e^r - 1)/r in powers of r, from the constant on."""
LAST: Final = 8
"""The powers of r up to which pairs are needed for |r| <= ln(2)/2; the others are below 2^-27 of the sum."""


@kernel()
def plus(a: float, b: float) -> Pair:
    """a + b, exactly."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@kernel()
def times(a: float, b: float) -> Pair:
    """a b, exactly."""
    p, s, t = a * b, HALVES * a, HALVES * b
    x, y = s - (s - a), t - (t - b)
    return p, ((x * y - p) + x * (b - y) + (a - x) * y) + (a - x) * (b - y)


@kernel()
def sum_of(a: Pair, b: Pair) -> Pair:
    """a + b."""
    s, e = plus(a[0], b[0])
    t, f = plus(a[1], b[1])
    s, e = plus(s, e + t)
    return plus(s, e + f)


@kernel()
def product_of(a: Pair, b: Pair) -> Pair:
    """a b."""
    p, e = times(a[0], b[0])
    return plus(p, e + (a[0] * b[1] + a[1] * b[0]))


@kernel()
def scaled(a: Pair, x: float) -> Pair:
    """a x."""
    p, e = times(a[0], x)
    return plus(p, e + a[1] * x)


@kernel()
def ratio_of(a: Pair, b: Pair) -> Pair:
    """a/b."""
    q = a[0] / b[0]
    p, e = times(q, b[0])
    return plus(q, (((a[0] - p) - e) + (a[1] - q * b[1])) / b[0])


@kernel()
def root_of(a: Pair) -> Pair:
    """The square root of a positive number."""
    s = math.sqrt(a[0])
    p, e = times(s, s)
    return plus(s, (((a[0] - p) - e) + a[1]) / (2.0 * s))


@kernel()
def total_of(x: Any) -> Pair:
    """The sum of some doubles."""
    total, error = 0.0, 0.0
    for a in x:
        total, e = plus(total, a)
        error += e
    return plus(total, error)


@kernel()
def more(total: Pair, a: float, b: float) -> Pair:
    """total + a b for a long sum, whose second part is of no size of its own; a product too large to be split is a double."""
    p, e = times(a, b)
    s, f = plus(total[0], p)
    lost = e + f
    return s, total[1] + (lost if abs(lost) < math.inf else 0.0)


@kernel()
def expm1_near_zero(r: Pair) -> Pair:
    """e^r - 1 for |r| <= ln(2)/2."""
    total, low = SERIES[19][0], 0.0
    for k in range(18, LAST - 1, -1):
        total = total * r[0] + SERIES[k][0]
    for k in range(LAST - 1, -1, -1):
        p, e = times(total, r[0])
        larger, rest = SERIES[k]
        e += (total * r[1] + low * r[0]) + rest
        total = larger + p
        low = ((larger - total) + p) + e
    return product_of((total, low), r)


@kernel()
def times_ln2(k: float) -> Pair:
    """k ln 2 for a whole number below 2^26."""
    return sum_of(times(k, LN2[0]), sum_of(times(k, LN2[1]), (k * LN2[2], 0.0)))


@kernel()
def expm1_of(x: float) -> Pair:
    """e^x - 1 for |x| <= 700."""
    k = math.floor(x / LN2[0] + 0.5) if abs(x) > LN2_HALF else 0.0
    less = times_ln2(-k)
    near = expm1_near_zero(sum_of((x, 0.0), less))
    if k == 0.0:
        return near
    power = math.ldexp(1.0, int(k))
    return sum_of((near[0] * power, near[1] * power), plus(power, -1.0))


@kernel()
def log_of(x: Pair) -> Pair:
    """ln x for positive x, to 2^-80 absolute: a step of Newton's from the double."""
    m, k = math.frexp(x[0])
    if m < ROOT_HALF:
        m *= 2.0
        k -= 1
    low = math.ldexp(x[1], -k)
    near = math.log(m)
    over = product_of((m, low), sum_of(expm1_near_zero((-near, 0.0)), (1.0, 0.0)))
    off = sum_of(over, (-1.0, 0.0))
    return sum_of(sum_of(times_ln2(float(k)), (near, 0.0)), (off[0], off[1] - 0.5 * off[0] * off[0]))


@kernel()
def exp_of(x: Pair) -> float:
    """e^x, to a unit of the last place."""
    return math.exp(x[0]) * (1.0 + x[1])
