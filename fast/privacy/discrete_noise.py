"""Noise on a public grid in whole numbers of 64 bits: what a decision needs and 64 bits do not tell is handed back undecided.

No decision is made on a rounded double: normal numbers come from comparisons of words; a sum is enclosed between whole
multiples of 2^-21 grids, and is rounded where both ends agree. The two profiles are sums of positive terms in doubles.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.privacy.gaussian import product
from dpsco.spec.privacy import discrete_noise as spec

Array = Any
TIE, END = -1, -2
"""Why there is no number: words agree further than one of them tells; no words are left."""
LOW = np.uint64((1 << 32) - 1)
FINE = 21
MOST = 2.0**59


@kernel()
def _coin(words: Array, at: int, x: Any, power: int, divisor: int) -> tuple[bool, int]:
    """Heads with probability exp(-x^power/divisor), and the place of the next word or TIE or END."""
    odd, sides = True, np.uint64(0)
    while True:
        sides += np.uint64(divisor)
        over = (np.uint64(0) - sides) % sides  # 2^64 modulo the sides
        while True:
            if at >= words.size:
                return False, END
            word = words[at]
            at += 1
            if over == np.uint64(0) or word < np.uint64(0) - over:
                break
        if word % sides != np.uint64(0):
            return odd, at
        for _ in range(power):
            if at >= words.size:
                return False, END
            word = words[at]
            at += 1
            if word == x:
                return False, TIE
            if word > x:
                return odd, at
        odd = not odd


@kernel()
def _several(words: Array, at: int, x: Any, power: int, divisor: int, count: int) -> tuple[bool, int]:
    """Whether so many coins in a row show heads."""
    for _ in range(count):
        heads, at = _coin(words, at, x, power, divisor)
        if at < 0 or not heads:
            return False, at
    return True, at


@kernel()
def one(words: Array, at: int) -> tuple[int, int, Any, int]:
    """(sign, whole part, first word of the digits, place of the next word or TIE or END)."""
    none = np.uint64(0)
    while True:
        whole = 0
        while True:
            heads, at = _coin(words, at, none, 0, 2)
            if at < 0:
                return 0, 0, none, at
            if not heads:
                break
            whole += 1
        kept, at = _several(words, at, none, 0, 2, whole * (whole - 1))
        if at < 0:
            return 0, 0, none, at
        if not kept:
            continue
        if at >= words.size:
            return 0, 0, none, END
        x = words[at]
        kept, at = _several(words, at + 1, x, 1, 1, whole)
        if kept:
            kept, at = _several(words, at, x, 2, 2, 1)
        if at < 0:
            return 0, 0, none, at
        if kept:
            if at >= words.size:
                return 0, 0, none, END
            return 1 if words[at] >> np.uint64(63) else -1, whole, x, at + 1


@kernel()
def fill(words: Array, at: int, first: int, signs: Array, wholes: Array, digits: Array) -> tuple[int, int, int]:
    """Normal numbers from the place `first` on: (how many are there now, place of the word that the next begins at, why)."""
    for i in range(first, signs.size):
        sign, whole, x, after = one(words, at)
        if after < 0:
            return i, at, after
        signs[i], wholes[i], digits[i] = sign, whole, x
        at = after
    return signs.size, at, 0


@kernel()
def rounded_by(value: float, digits: int, unit: float, sign: int, whole: int, word: Any) -> tuple[int, Any]:
    """`rounded_sum` for sigma = digits unit, 2^52 <= digits < 2^53, unit a power of two: 2^-21 of the grid."""
    scaled = value * (1.0 / unit)
    if not abs(scaled) < MOST or scaled * unit != value or whole > 255:
        return 0, 0
    m = np.uint64(digits)
    m1, m0, x1, x0 = m >> np.uint64(32), m & LOW, word >> np.uint64(32), word & LOW
    middle = m1 * x0 + (m0 * x0 >> np.uint64(32))
    high = m1 * x1 + (middle >> np.uint64(32)) + (m0 * x1 + (middle & LOW) >> np.uint64(32))
    noise = np.int64(digits) * np.int64(whole) + np.int64(high)
    low = np.int64(math.floor(scaled)) + (noise if sign > 0 else -noise - 2) + (1 << FINE - 1)
    below = low >> FINE
    return (1, below) if below == low + 3 >> FINE else (0, 0)


@kernel()
def rounded_all(
    values: Array,
    digits: int,
    unit: float,
    units: float,
    signs: Array,
    wholes: Array,
    words: Array,
    undecided: Array,
    found: Array,
) -> None:
    """`rounded_by` for many, as doubles: multiples of the grid, `units` of its units; where that does not tell, undecided."""
    for i in range(values.size):
        known, multiple = rounded_by(values[i], digits, unit, signs[i], wholes[i], words[i])
        undecided[i] = undecided[i] or known == 0
        found[i] = float(multiple) * (unit * units)


def parts(sigma: float) -> tuple[int, float]:
    """(digits, unit) of a scale, for `rounded_by`; the grid is 2^21 units. Raises ValueError out of range."""
    if not 1e-250 <= sigma <= 1e250:
        raise ValueError(f"sigma={sigma}: must lie in [1e-250, 1e250]")
    mantissa, e = math.frexp(sigma)
    return int(math.ldexp(mantissa, 53)), math.ldexp(1.0, e - 53)


def normal(halves: list[int]) -> tuple[int, int, int, int, int]:
    parted = np.array(halves, dtype=np.uint64).reshape(-1, 2)
    sign, whole, x, used = one(parted[:, 0] << np.uint64(32) | parted[:, 1], 0)
    return (sign, whole, int(x) >> 32, int(x) % 2**32, used) if used > 0 else (0, 0, 0, 0, 0)


def rounded_sum(value: float, sigma: float, sign: int, whole: int, high: int, low: int) -> tuple[int, int]:
    known, found = rounded_by(value, *parts(sigma), int(sign), int(whole), np.uint64(int(high) << 32 | int(low)))
    return int(known), int(found)


bind(normal, spec.normal)
bind(rounded_sum, spec.rounded_sum)


@kernel(spec.laplace_profile)
def laplace_profile(epsilon: Any, scale: Any, shift: Any) -> Any:
    high, low = product(float(epsilon), float(scale))
    left = (shift - high) - low
    if not (epsilon >= 0.0 and scale > 0.0) or not left > 0.0:
        return 0.0 if epsilon >= 0.0 and scale > 0.0 else math.nan
    K = math.floor(left / 2)
    # (epsilon scale + K - shift)/scale, at most -K/scale
    return (-math.expm1((K - left) / scale) - math.exp(-1.0 / scale) * math.expm1(-K / scale)) / (1.0 + math.exp(-1.0 / scale))


@kernel()
def _share(count: float, high: float, low: float) -> tuple[float, float]:
    """count/(high + low) in two doubles."""
    q = count / high
    p, rest = product(q, high)
    return q, ((count - p) - rest - q * low) / high


@kernel()
def _weight(k: float, high: float, low: float) -> float:
    q, rest = _share(k * k, high, low)
    return math.exp(-q) * (1.0 - rest)


@kernel(spec.gaussian_profile)
def gaussian_profile(epsilon: Any, sigma: Any, shift: Any) -> Any:
    if not (epsilon >= 0.0 and sigma > 0.0 and shift >= 1):
        return math.nan
    high, low = product(float(sigma), float(sigma))
    high, low = 2.0 * high, 2.0 * low
    s, total, all_of_it = float(shift), 0.0, 0.0
    k = math.floor(s / 2.0 - epsilon * sigma / s * sigma) + 1.0
    first = k
    while True:
        q, rest = _share(s * (s - 2.0 * k), high, low)
        above = -math.expm1((epsilon - q) - rest)
        weight = _weight(k, high, low)
        if above > 0.0:
            total += weight * above
        if k < 0.0 and k < first - 2.0 and weight <= 1e-20 * total:
            break
        k -= 1.0
    k = 1.0
    while True:
        weight = _weight(k, high, low)
        all_of_it += weight
        if weight <= 1e-20 * all_of_it:
            return min(total / (1.0 + 2.0 * all_of_it), 1.0)
        k += 1.0
